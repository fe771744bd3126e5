#include "batch/batch.h"

#include <stdlib.h>
#include <string.h>

#include "audit/gate.h"
#include "base/log.h"
#include "base/mem.h"
#include "batch/absent.h"
#include "batch/batch_parts.h"
#include "batch/log_mend.h"
#include "batch/budget.h"
#include "play/facts.h"
#include "batch/competing.h"
#include "batch/results.h"
#include "batch/digest.h"
#include "batch/groups.h"
#include "batch/stuck.h"
#include "game/game_load.h"
#include "league/roster.h"

#define EVENT_WEIGHT 1000 /* bytes, about */

int batch_people(struct batch *batch, struct err *err)
{
    const struct league *league = batch->league;
    return registry_log_open(&batch->log, league->dir, err) ||
                   registry_load(league->dir, &batch->registry, err) ||
                   absent_keys(league->dir, &batch->registry, &batch->keyring, err)
               ? -1
               : 0;
}

static void game_drop(struct batch_game *game)
{
    game_release(&game->game);
    str_release(&game->records);
    str_release(&game->entries);
    free(game);
}

static void reset(struct batch *batch, bool keep, bool keep_competitions)
{
    size_t kept = 0;
    for (size_t i = 0; i < batch->games.count; i++) {
        struct batch_game *game = batch->games.list[i];
        game->looked_at = false;
        if (keep && !game->broken && game->end.hint == game->game.journal.length)
            batch->games.list[kept++] = game;
        else
            game_drop(game);
    }
    for (size_t i = 0; i < batch->mails.count; i++)
        letters_free(batch->mails.list[i]);
    competing_reset(batch, keep_competitions);
    batch->games.count = kept;
    batch->mails.count = batch->news.seen_count = batch->news.bounce_count = batch->mails.bytes = 0;
    batch->news.path_count = batch->news.logged_count = batch->news.leaver_count = 0;
    groups_clear(batch);
}

void batch_reset(struct batch *batch, bool keep)
{
    reset(batch, keep, keep);
}

/* Roughly the size of a loaded game. */
static size_t game_weight(const struct batch_game *game)
{
    return sizeof *game + game->game.ruleset->state_size +
           EVENT_WEIGHT *
               (json_array_size(game->game.told.events) + json_array_size(game->game.told.instant));
}

int batch_rest(struct batch *batch, size_t most, struct err *err)
{
    size_t weight = 0;
    int rc = 0;
    for (size_t i = 0; i < batch->games.count; i++)
        weight += game_weight(batch->games.list[i]);
    if (weight <= most)
        return 0;
    for (size_t i = 0; rc == 0 && i < batch->games.count; i++)
        if (batch->games.list[i]->ahead)
            rc = game_save(batch->store, &batch->games.list[i]->game, batch->league->master, err);
    reset(batch, false, competing_weight(batch) <= COMPETITIONS_KEPT);
    return rc;
}

void batch_settled(struct batch *batch)
{
    struct err ignored = ERR_INIT; /* a mark left behind only costs the next start some time */
    if (!batch->catalog || !batch->mark.set || batch->mark.stays || batch->torn)
        return;
    batch->mark.set = false;
    if (catalog_working(batch->catalog, false, &ignored))
        log_debug("%s", ignored.text);
}

void batch_close(struct batch *batch)
{
    desk_close(batch->desk); /* first: its thread uses what is freed here */
    batch_settled(batch);
    batch_reset(batch, false);
    gate_close(batch->gate);
    competing_close(batch);
    results_forget(batch);
    json_decref(batch->losses);
    json_decref(batch->missing.gone);
    json_decref(batch->unread);
    json_decref(batch->unlogged);
    groups_wake(batch);
    free(batch->games.list);
    free(batch->mails.list);
    free(batch->groups.pieces);
    free(batch->groups.touches);
    free(batch->news.seen);
    free(batch->news.paths);
    free(batch->news.bounces);
    free(batch->news.logged);
    free(batch->news.leavers);
    free(batch->woken.list);
    free(batch->pauses.list);
    free(batch->unheard.stuck);
    free(batch->unheard.returned);
    json_decref(batch->unheard.past_keys);
    json_decref(batch->undecided);
    free(batch->spool);
    zones_release(&batch->zones);
    templates_close(batch->templates);
    drawn_board_release(&batch->mails.drawn);
    registry_log_close(&batch->log);
    league_log_close(batch->tlog);
    registry_release(&batch->registry);
    keyring_release(&batch->keyring);
    catalog_close(batch->catalog);
    store_close(batch->store);
    memset(batch, 0, sizeof *batch);
}

void batch_at_desk(struct batch *batch)
{
    if (!batch->desk)
        batch->desk = desk_open(batch->league, batch->spool);
}

int batch_wait_desk(struct batch *batch, struct err *err)
{
    return batch->desk ? desk_wait(batch->desk, err) : 0;
}

struct step_keys batch_keys(const struct batch *batch)
{
    const struct league *league = batch->league;
    return (struct step_keys){&league->key, league->vrf_secret, league->vrf_public, league->master,
                              &batch->outside};
}

/* ---- games ---- */

size_t batch_place(const struct batch *batch, const char *id, bool *found)
{
    size_t low = 0, high = batch->games.count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        int order = strcmp(batch->games.list[middle]->game.id, id);
        if (order == 0) {
            *found = true;
            return middle;
        }
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    *found = false;
    return low;
}

static struct batch_game *insert_at(struct batch *batch, size_t place)
{
    batch->games.list =
        mem_grow(batch->games.list, batch->games.count, &batch->games.cap, sizeof(struct batch_game *));
    memmove(batch->games.list + place + 1, batch->games.list + place,
            (batch->games.count - place) * sizeof(struct batch_game *));
    struct batch_game *entry = mem_alloc(sizeof *entry);
    game_init(&entry->game);
    entry->store = batch->store;
    str_init(&entry->records);
    str_init(&entry->entries);
    batch->games.list[place] = entry;
    batch->games.count++;
    return entry;
}

/* Is a turn, or the deal, all that is left to do? A closed turn without witnesses can only be what it was. */
static bool only_draws(const struct game *game)
{
    return !game->over && (game->turn == 0 || (game->closed && game->witnesses.count) ||
                           strcmp(game->journal.last_do, "resolve") == 0);
}

/* A step that a crash cut short between two records is finished as soon as the game is opened. Before it has said what is lost
 * nothing is drawn: dice that are known from then would come again. */
static int continue_step(struct batch *batch, struct batch_game *entry, struct err *err)
{
    struct step step;
    const bool lost = log_mend_waits(batch, entry);
    if (!step_unfinished(&entry->game) || (lost && only_draws(&entry->game)))
        return 0;
    batch_step(batch, entry, &step);
    step.patient |= lost;
    return batch_end_step(batch, entry, &step, step_continue(&step, &entry->game, err), err);
}

void batch_unread(struct batch *batch, const char *id, const struct err *why)
{
    log_error("%s; the game stands still and its mails stay in the mailbox, the others go on", why->text);
    if (!batch->unread)
        batch->unread = json_object();
    json_object_set_new(batch->unread, id, json_string(why->text));
}

/* A game that cannot be used as it is on the disk. Always returns -1. */
static int stands_still(struct batch *batch, struct batch_game *entry, const char *id, const struct err *why)
{
    memcpy(entry->game.id, id, strlen(id) + 1);
    entry->broken = true;
    batch->broken++;
    batch_unread(batch, id, why);
    return -1;
}

/* If the catalog has another end of this journal, the journal or the catalog was put back: then other games
 * may be due too, and the log may lack records, or have some that are lost. */
static int compare_ends(struct batch *batch, struct batch_game *entry, struct err *err)
{
    const char *id = entry->game.id;
    bool found = false;
    if (catalog_get_game(batch->catalog, id, &entry->row, &found, err))
        return -1;
    const bool differs = found && entry->row.seq != entry->end.seq;
    if (differs) {
        log_warn(
            "game %s ends with record %lld, and the catalog says %lld: one of them is an older copy that was "
            "put back; the journal is believed, and all games are looked at",
            id, (long long)entry->end.seq, (long long)entry->row.seq);
        if (catalog_wake(batch->catalog, NULL, err))
            return -1;
    }
    if (differs || json_object_get(batch->unlogged, id))
        return log_mend_late(batch, id, &entry->game, err);
    return log_mend_agrees(batch, &entry->game, err);
}

int batch_game(struct batch *batch, const char *id, struct batch_game **out, struct err *err)
{
    bool found;
    if (!name_valid(slice_of(id)))
        return err_set(err, ERR_MISSING, "there is no such game");
    size_t place = batch_place(batch, id, &found);
    if (found) {
        *out = batch->games.list[place];
        groups_touch(batch, *out);
        return (*out)->broken
                   ? err_set(err, ERR_BROKEN, "game %s cannot be read; the operator has been told", id)
                   : 0;
    }
    bool there = store_has(batch->store, id);
    if (!there && !roster_gone(batch->league->dir, ROSTER_GAME, id))
        return err_set(err, ERR_MISSING, "there is no game \"%s\"", id);
    struct batch_game *entry = insert_at(batch, place);
    *out = entry;
    groups_touch(batch, entry);
    if (!there) {
        struct str words = STR_INIT;
        roster_gone_words(&words, ROSTER_GAME, id);
        (void)err_set(err, ERR_BROKEN, "%s", words.p);
        str_release(&words);
        return stands_still(batch, entry, id, err);
    }
    if (stuck_is_deadly(batch, id)) {
        memcpy(entry->game.id, id, strlen(id) + 1);
        entry->broken = true;
        return err_set(err, ERR_BROKEN, "game %s has ended the program and is left alone for a while", id);
    }
    if (groups_rests(batch, id)) {
        memcpy(entry->game.id, id, strlen(id) + 1);
        entry->broken = true;
        return err_set(err, ERR_BROKEN, "game %s could not be written and is left alone in this round", id);
    }
    if (game_mend(batch->store, id, batch->league->master, &entry->game, err))
        return stands_still(batch, entry, id, err);
    entry->end = game_end(&entry->game);
    if (batch_decide_mails(batch, id, entry->end.seq, err)) {
        entry->broken = true;
        batch->broken++;
        return -1;
    }
    if (memcmp(entry->game.journal.league_key, batch->league->key.point, 32) != 0) {
        (void)err_set(err, ERR_BROKEN, "game %s was made with another league key", id);
        return stands_still(batch, entry, id, err);
    }
    if (memcmp(entry->game.draws.key, batch->league->vrf_public, VRF_PUBLIC) != 0) {
        (void)err_set(
            err, ERR_BROKEN,
            "game %s was made with another key of the draws than keys/secret/vrf; put that key back", id);
        return stands_still(batch, entry, id, err);
    }
    if (compare_ends(batch, entry, err))
        return stands_still(batch, entry, id, err);
    if (continue_step(batch, entry, err) == 0 && log_mend_say(batch, entry, err) == 0)
        return 0;
    entry->broken = entry->unfinished = true; /* in memory it may be ahead of its journal */
    return -1;
}

struct batch_game *batch_add(struct batch *batch, struct game *game)
{
    bool found;
    size_t place = batch_place(batch, game->id, &found);
    struct batch_game *entry = insert_at(batch, place);
    entry->game = *game;
    game_init(game);
    groups_touch(batch, entry);
    batch->missing.look = true;
    return entry;
}

void batch_see(struct batch *batch, const unsigned char digest[32])
{
    struct batch_news *news = &batch->news;
    news->seen = mem_grow(news->seen, news->seen_count, &news->seen_cap, sizeof *news->seen);
    memcpy(news->seen[news->seen_count++], digest, sizeof *news->seen);
}

int batch_has_seen(const struct batch *batch, const unsigned char digest[32], bool *seen, struct err *err)
{
    *seen = false;
    for (size_t i = 0; i < batch->news.seen_count && !*seen; i++)
        *seen = memcmp(batch->news.seen[i], digest, sizeof *batch->news.seen) == 0;
    return *seen ? 0 : catalog_seen(batch->catalog, digest, seen, err);
}

/* Mails of records always go out. A dry run or a repeated report has no record: it is an automatic reply like
 * any other, and anybody who has seen the request can send it in a thousand times. */
static int may_post(struct batch *batch, const struct post *post, bool *may, struct err *err)
{
    const struct player *player = letters_reader(&batch->registry, post);
    struct budget_claim own = {.proof = PROOF_TEXT, .fresh = true}; /* the operator typed it */
    *may = true;
    if (post_of_record(post) || !player)
        return 0;
    memcpy(own.player, player->name, sizeof own.player);
    struct budget budget;
    if (budget_take(batch, player->address, batch->cause.claim ? batch->cause.claim : &own, &budget, err))
        return -1;
    *may = budget_allows(&budget);
    facts_limit(post->facts, "player", budget.fate == BUDGET_LAST ? budget.until : 0);
    batch->cause.spent |= !*may;
    return 0;
}

/* What a step gave, on its way into the batch. */
struct taking {
    struct batch *batch;
    struct batch_game *game;
    const struct step *step;
    struct letters letters;
};

/* The mail to the second address, if it is told there (player_second): made before the one to the first, which may be left for later
 * with what it is made of. */
static int make_second(const struct taking *taking, struct post *post, struct outgoing *mail, struct err *err)
{
    const struct player *player = letters_reader(&taking->batch->registry, post);
    struct letters letters = taking->letters;
    bool receipt = post->kind == POST_RECEIPT || post->kind == POST_ANSWER || post->replies;
    *mail = (struct outgoing)OUTGOING_INIT;
    letters.second = true;
    letters.later = false;
    return player && *player_second(player, receipt ? HEARS_DONE : HEARS_NEWS)
               ? letters_post(&letters, &taking->game->game, post, mail, err)
               : 0;
}

/* The mail that a step asked for, if there is one to leave. */
static int take_post(const struct taking *taking, struct post *post, struct err *err)
{
    struct batch *batch = taking->batch;
    const struct player *player = letters_reader(&batch->registry, post);
    struct outgoing mail, second;
    bool may;
    if (may_post(batch, post, &may, err))
        return -1;
    if (!may)
        return 0;
    if (make_second(taking, post, &second, err))
        return -1;
    if (letters_post(&taking->letters, &taking->game->game, post, &mail, err)) {
        outgoing_release(&second);
        return -1;
    }
    if (mail.state == OUTGOING_NONE)
        return 0;
    if (digest_waits(taking->step, post, player, &mail.due))
        mail.player = mem_strdup(player->name);
    batch_mail_add(batch, &mail);
    if (second.state != OUTGOING_NONE)
        batch_mail_add(batch, &second);
    return 0;
}

int batch_take(struct batch *batch, struct batch_game *game, struct step *step,
               const struct message *answered, struct err *err)
{
    struct taking taking = {batch, game, step, batch_letters(batch)};
    taking.letters.later = batch->desk != NULL;
    taking.letters.answered = answered;
    str_addslice(&game->records, slice_str(&step->records));
    str_addslice(&game->entries, slice_str(&step->entries));
    for (size_t i = 0; i < step->post_count; i++)
        if (take_post(&taking, &step->posts[i], err))
            return -1;
    batch->done.turns += step->turns;
    batch->done.orders += step->orders;
    return 0;
}
