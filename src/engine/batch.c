#include "engine/batch.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "base/mem.h"
#include "engine/absent.h"
#include "engine/at_hand.h"
#include "engine/batch_parts.h"
#include "engine/bounced.h"
#include "engine/budget.h"
#include "engine/digest.h"
#include "engine/pieces.h"
#include "engine/registry_marks.h"
#include "engine/rounds.h"
#include "engine/seating.h"
#include "engine/standby.h"
#include "engine/stuck.h"
#include "engine/game_load.h"

#define EVENT_WEIGHT 1000               /* bytes, about */
#define MAILS_MOST   ((size_t)24 << 20) /* bytes */

/* ---- opening ---- */

/* Whose seat it is, or for whom it is kept. */
static const char *row_name(const struct game *game, int seat)
{
    const char *kept = game->turn ? "" : seating_keeps(game, seat);
    return *game->seat[seat].player ? game->seat[seat].player : *kept ? kept : CATALOG_FREE;
}

void batch_catalog_row(const struct game *game, struct catalog_game *row)
{
    memset(row, 0, sizeof *row);
    memcpy(row->id, game->id, sizeof row->id);
    (void)snprintf(row->ruleset, sizeof row->ruleset, "%s", game->ruleset->name);
    row->turn = game->turn;
    row->over = game->over;
    row->deadline = game->over     ? 0
                    : game->paused ? CATALOG_PAUSED
                    : game->held   ? CATALOG_HELD
                                   : game->deadline;
    row->seq = game->seq;
    row->seats = game->seats;
    row->awaited = game_missing(game);
    for (int seat = 1; seat <= game->seats; seat++)
        if (!game->seat[seat].robot)
            (void)snprintf(row->player[seat], sizeof row->player[seat], "%s", row_name(game, seat));
}

int batch_put_game(struct batch *batch, const struct game *game, struct catalog_game *known, struct err *err)
{
    struct catalog_game row;
    batch_row(batch, game, &row);
    int rc = catalog_put_game(batch->catalog, &row, known && *known->id ? known : NULL, err);
    if (known)
        *known = row;
    for (size_t i = 0; rc == 0 && i < game->tally_count; i++) {
        const struct game_tally *tally = &game->tallies[i];
        struct catalog_tally counts = {tally->awaited, tally->missed, tally->resigned};
        rc = catalog_put_tally(batch->catalog, game->id, tally->player, &counts, err);
    }
    return rc;
}

/* Games that a crash left between two records of one step. */
struct unfinished {
    struct batch *batch;
    char **names;
    size_t count, cap;
};

static int finish_one(void *arg, size_t i, struct err *err)
{
    const struct unfinished *games = arg;
    struct batch_game *entry;
    hand_game(games->batch->league->hands, games->names[i]);
    return batch_game(games->batch, games->names[i], &entry, err);
}

static int not_finished(void *arg, size_t i, const struct err *why, struct err *err)
{
    const struct unfinished *games = arg;
    bool first;
    games->batch->broken++;
    return stuck_game(games->batch, games->names[i], why, &first, err);
}

static int finish_all(struct unfinished *games, int rc, struct err *err)
{
    const struct pieces pieces = {finish_one, NULL, not_finished, games};
    if (rc == 0 && games->count)
        rc = pieces_work(games->batch, &pieces, games->count, err);
    for (size_t i = 0; i < games->count; i++)
        free(games->names[i]);
    free(games->names);
    return rc;
}

/* Nobody knows when the last round was: the service has worked until the latest record of all, and what comes
 * after it is an outage. All games are looked at in its light. */
static int date_round(struct batch *batch, int64_t latest, struct err *err)
{
    const struct catalog_clock clock = {.done = latest > batch->log.time ? latest : batch->log.time};
    if (!clock.done)
        return 0;
    return catalog_set_clock(batch->catalog, &clock, err) || catalog_wake(batch->catalog, NULL, err) ? -1 : 0;
}

static int fill_catalog(struct batch *batch, bool dated, struct err *err)
{
    struct file_names names;
    struct unfinished unfinished = {.batch = batch};
    size_t unread = 0;
    int64_t latest = 0;
    if (store_games(batch->store, &names, err))
        return -1;
    int rc = catalog_begin(batch->catalog, err);
    for (size_t i = 0; rc == 0 && i < names.count; i++) {
        struct game game;
        struct err why = ERR_INIT;
        log_progress("reading games: %zu of %zu", i + 1, names.count);
        hand_game(batch->league->hands, names.name[i]);
        if (stuck_is_deadly(batch, names.name[i])) {
            unread++;
            continue;
        }
        if (game_load(batch->store, names.name[i], batch->league->master, true, &game, &why)) {
            if (why.code != ERR_MISSING) {
                log_error("%s; the game stands still and its mails stay in the mailbox, the others go on",
                          why.text);
                unread++;
            } else {
                log_warn("games/%s is no game: it holds no journal.jsonl; take it away", names.name[i]);
            }
            continue;
        }
        rc = batch_put_game(batch, &game, NULL, err);
        latest = game.time > latest ? game.time : latest;
        if (step_unfinished(&game)) {
            unfinished.names = mem_grow(unfinished.names, unfinished.count, &unfinished.cap, sizeof(char *));
            unfinished.names[unfinished.count++] = mem_strdup(names.name[i]);
        }
        game_release(&game);
    }
    log_progress_end();
    hand_empty(batch->league->hands);
    if (rc == 0 && !dated)
        rc = date_round(batch, latest, err);
    if (rc == 0)
        rc = catalog_commit(batch->catalog, err);
    rc = finish_all(&unfinished, rc, err);
    batch_reset(batch, false);
    /* They lack in the catalog, and so do their deadlines: the mark makes the next run look again. */
    if (rc == 0 && unread)
        rc = catalog_working(batch->catalog, true, err);
    batch->unread = unread > 0;
    batch->broken += unread;
    file_names_free(&names);
    return rc;
}

/* A mail in spool/tmp may leave only when its record is in the journal. */
static enum spool_record spool_record_of(const char *id, void *arg)
{
    struct batch *batch = arg;
    struct err err = ERR_INIT;
    struct game game;
    char name[GAME_NAME];
    int64_t seq;
    int seat;
    if (!letters_parse_id(id, name, &seq, &seat) || strcmp(name, "mail") == 0)
        return SPOOL_MISSING;
    if (strcmp(name, REGISTRY_GAME) == 0)
        return batch->log.seq >= seq ? SPOOL_COMMITTED : SPOOL_MISSING;
    if (stuck_is_deadly(batch, name))
        return SPOOL_UNKNOWN;
    hand_game(batch->league->hands, name);
    int rc = game_load(batch->store, name, batch->league->master, true, &game, &err);
    hand_empty(batch->league->hands);
    if (rc)
        return err.code == ERR_MISSING ? SPOOL_MISSING : SPOOL_UNKNOWN;
    bool committed = game.seq >= seq;
    game_release(&game);
    return committed ? SPOOL_COMMITTED : SPOOL_MISSING;
}

int batch_people(struct batch *batch, struct err *err)
{
    const struct league *league = batch->league;
    return registry_log_open(&batch->log, league->dir, league->key.key, league->key.point, err) ||
                   registry_load(league->dir, &batch->registry, err) ||
                   absent_keys(league->dir, &batch->registry, &batch->keyring, err)
               ? -1
               : 0;
}

/* What the catalog knows, and when it is made anew, what else does of the rounds before. */
static int open_catalog(struct batch *batch, bool fresh, struct err *err)
{
    struct catalog_clock clock;
    bool dated = true;
    if (fresh && (catalog_begin(batch->catalog, err) ||
                  rounds_restore(batch->catalog, batch->league->dir, &dated, err) ||
                  catalog_keep(batch->catalog, err)))
        return -1;
    /* Found set: the last worker died between a journal and the catalog. */
    if (batch_look(batch, batch->now, &clock, err) ||
        catalog_was_working(batch->catalog, &batch->marked, err))
        return -1;
    if (!fresh && !batch->marked)
        return 0;
    return fill_catalog(batch, dated, err) || batch_look(batch, batch->now, &clock, err) ? -1 : 0;
}

int batch_open(struct batch *batch, struct league *league, int64_t now, struct err *err)
{
    int rc = -1;
    bool fresh = false;
    memset(batch, 0, sizeof *batch);
    batch->league = league;
    batch->now = now;
    batch->mail_most = MAILS_MOST;
    batch->outside = (struct outside){.players = &batch->registry,
                                      .keys = &batch->keyring,
                                      .config = &league->config,
                                      .zones = &batch->zones};
    batch->spool = league_path(league, "spool");
    char *games = league_path(league, "games");
    char *catalog = league_path(league, "catalog.sqlite");
    char *templates = league_path(league, "templates");
    templates_open(templates, &batch->templates);
    if (store_open(games, &batch->store, err) || batch_people(batch, err) ||
        catalog_open(catalog, &batch->catalog, &fresh, err) || stuck_suspects(batch, err) ||
        spool_init(batch->spool, err) || spool_recover(batch->spool, spool_record_of, batch, err))
        goto out;
    if (open_catalog(batch, fresh, err) || registry_marks_open(&batch->log, batch->catalog, now, err) ||
        absent_open(batch, err))
        goto out;
    rc = 0;
out:
    free(games);
    free(catalog);
    free(templates);
    if (rc)
        batch_close(batch);
    return rc;
}

static void game_drop(struct batch_game *game)
{
    game_release(&game->game);
    str_release(&game->records);
    str_release(&game->sealed);
    free(game);
}

void batch_reset(struct batch *batch, bool keep)
{
    size_t kept = 0;
    for (size_t i = 0; i < batch->game_count; i++) {
        struct batch_game *game = batch->games[i];
        game->looked_at = false;
        if (keep && !game->broken && game->length == game->game.length)
            batch->games[kept++] = game;
        else
            game_drop(game);
    }
    for (size_t i = 0; i < batch->mail_count; i++)
        spool_mail_release(&batch->mails[i].mail);
    batch->game_count = kept;
    batch->mail_count = batch->seen_count = batch->bounce_count = batch->mail_bytes = 0;
    batch->path_count = 0;
}

/* About what a loaded game takes. */
static size_t game_weight(const struct batch_game *game)
{
    return sizeof *game + game->game.ruleset->state_size +
           EVENT_WEIGHT *
               (json_array_size(game->game.last_events) + json_array_size(game->game.instant_events));
}

int batch_rest(struct batch *batch, size_t most, struct err *err)
{
    size_t weight = 0;
    int rc = 0;
    for (size_t i = 0; i < batch->game_count; i++)
        weight += game_weight(batch->games[i]);
    if (weight <= most)
        return 0;
    for (size_t i = 0; rc == 0 && i < batch->game_count; i++)
        if (batch->games[i]->ahead)
            rc = game_save(batch->store, &batch->games[i]->game, batch->league->master, err);
    batch_reset(batch, false);
    return rc;
}

void batch_settled(struct batch *batch)
{
    struct err ignored = ERR_INIT; /* a mark that stays only costs the next start some time */
    if (!batch->catalog || !batch->marked || batch->unread || batch->torn)
        return;
    batch->marked = false;
    if (catalog_working(batch->catalog, false, &ignored))
        log_debug("%s", ignored.text);
}

void batch_close(struct batch *batch)
{
    desk_close(batch->desk); /* first: its thread works with what is freed here */
    batch_settled(batch);
    batch_reset(batch, false);
    free(batch->games);
    free(batch->mails);
    free(batch->seen);
    free(batch->paths);
    free(batch->bounces);
    free(batch->woken);
    free(batch->pauses);
    free(batch->stuck);
    free(batch->spool);
    zones_release(&batch->zones);
    templates_close(batch->templates);
    signed_head_release(&batch->head);
    registry_log_close(&batch->log);
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

struct letters batch_letters(struct batch *batch)
{
    return (struct letters){batch->league, batch->templates, &batch->registry, &batch->head, NULL, false, 0};
}

/* ---- games ---- */

size_t batch_place(const struct batch *batch, const char *id, bool *found)
{
    size_t low = 0, high = batch->game_count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        int order = strcmp(batch->games[middle]->game.id, id);
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
    batch->games = mem_grow(batch->games, batch->game_count, &batch->game_cap, sizeof(struct batch_game *));
    memmove(batch->games + place + 1, batch->games + place,
            (batch->game_count - place) * sizeof(struct batch_game *));
    struct batch_game *entry = mem_alloc(sizeof *entry);
    game_init(&entry->game);
    str_init(&entry->records);
    str_init(&entry->sealed);
    batch->games[place] = entry;
    batch->game_count++;
    return entry;
}

/* What a crash cut short, between two records of one step, is finished as soon as the game is opened. */
static int continue_step(struct batch *batch, struct batch_game *entry, struct err *err)
{
    struct step step;
    struct step_keys keys = batch_keys(batch);
    if (!step_unfinished(&entry->game))
        return 0;
    step_init(&step, &keys, batch->now);
    int rc = step_continue(&step, &entry->game, err);
    if (rc == 0)
        rc = batch_take(batch, entry, &step, NULL, err);
    step_release(&step);
    return rc;
}

int batch_game(struct batch *batch, const char *id, struct batch_game **out, struct err *err)
{
    bool found;
    if (!name_valid(slice_of(id)))
        return err_set(err, ERR_MISSING, "there is no such game");
    size_t place = batch_place(batch, id, &found);
    if (found) {
        *out = batch->games[place];
        return (*out)->broken
                   ? err_set(err, ERR_BROKEN, "game %s cannot be read; the operator has been told", id)
                   : 0;
    }
    if (!store_has(batch->store, id))
        return err_set(err, ERR_MISSING, "there is no game \"%s\"", id);
    struct batch_game *entry = insert_at(batch, place);
    *out = entry;
    if (stuck_is_deadly(batch, id)) {
        memcpy(entry->game.id, id, strlen(id) + 1);
        entry->broken = true;
        return err_set(err, ERR_BROKEN, "game %s has ended the program and is left alone for a while", id);
    }
    if (game_load(batch->store, id, batch->league->master, true, &entry->game, err)) {
        log_error("%s; the game stands still and its mails stay in the mailbox, the others go on", err->text);
        memcpy(entry->game.id, id, strlen(id) + 1);
        entry->broken = true;
        batch->broken++;
        return -1;
    }
    entry->length = entry->game.length;
    entry->seq = entry->game.seq;
    batch_check_zone(batch, &entry->game);
    if (memcmp(entry->game.league_key, batch->league->key.point, 32) != 0) {
        entry->broken = true;
        batch->broken++;
        return err_set(err, ERR_BROKEN, "game %s was made with another league key", id);
    }
    return continue_step(batch, entry, err);
}

struct batch_game *batch_add(struct batch *batch, struct game *game)
{
    bool found;
    size_t place = batch_place(batch, game->id, &found);
    struct batch_game *entry = insert_at(batch, place);
    entry->game = *game;
    game_init(game);
    return entry;
}

void batch_mail_add(struct batch *batch, struct spool_mail *mail)
{
    str_fit(&mail->mail); /* a batch holds thousands of them */
    batch->mails = mem_grow(batch->mails, batch->mail_count, &batch->mail_cap, sizeof *batch->mails);
    batch->mails[batch->mail_count++] = (struct batch_mail){.mail = *mail};
    batch->mail_bytes += mail->mail.len;
}

bool batch_full(const struct batch *batch)
{
    return batch->mail_bytes >= batch->mail_most;
}

int batch_change(struct batch *batch, const struct registry_change *change, struct err *err)
{
    if (change->player) {
        batch_player_changes(batch, change->player);
        if (bounced_address(batch, change->player, err))
            return -1;
    }
    const char *name = change->player ? change->player->name : change->key_owner;
    bool absent = name && player_absent(&batch->outside, name);
    if (registry_log_add(&batch->log, &batch->registry, &batch->keyring, change, batch->now, err))
        return -1;
    if (absent && !player_absent(&batch->outside, name))
        batch_player_wakes(batch, name);
    return 0;
}

/* Mails of records go out always. A dry run or a report once more has no record: it is an automatic reply
 * like any other, and whoever has seen one can send it in a thousand times. */
static int may_post(struct batch *batch, const struct post *post, bool *may, struct err *err)
{
    const struct player *player = letters_reader(&batch->registry, post);
    struct budget_claim own = {.proof = PROOF_TEXT, .fresh = true}; /* the operator typed it */
    *may = true;
    if (post_of_record(post) || !player)
        return 0;
    memcpy(own.player, player->name, sizeof own.player);
    return budget_take(batch, player->address, batch->claim ? batch->claim : &own, may, err);
}

/* Appends the line of the journal that begins at byte `from`. */
static int add_record_line(struct batch *batch, const struct batch_game *entry, int64_t from, struct str *out,
                           struct err *err)
{
    struct str lines = STR_INIT;
    struct slice rest, line = {NULL, 0};
    int rc = 0;
    if (from < entry->length)
        rc = store_read(batch->store, entry->game.id, from, false, &lines, err);
    else
        str_addslice(&lines, slice_sub(slice_str(&entry->records), (size_t)(from - entry->length),
                                       entry->records.len));
    rest = slice_str(&lines);
    if (rc == 0 && slice_line(&rest, &line)) {
        str_addslice(out, line);
        str_addc(out, '\n');
    }
    str_release(&lines);
    return rc;
}

/* The line that closed the open turn goes along, signed by the league as it is; in format 2 behind that of
 * `create`, which the witness's dice are bound to. */
static int attach_close(struct batch *batch, const struct batch_game *entry, struct post *post,
                        struct err *err)
{
    struct str lines = STR_INIT;
    int rc = entry->game.format >= 2 ? add_record_line(batch, entry, 0, &lines, err) : 0;
    if (rc == 0)
        rc = add_record_line(batch, entry, entry->game.closed_from, &lines, err);
    if (rc == 0 && lines.len)
        json_object_set_new(post->facts, "attach",
                            json_pack("{s:s,s:s,s:o}", "name", "close.json", "type", "application/json",
                                      "text", json_text(slice_str(&lines))));
    str_release(&lines);
    return rc;
}

int batch_take(struct batch *batch, struct batch_game *game, struct step *step,
               const struct message *answered, struct err *err)
{
    struct letters letters = batch_letters(batch);
    struct wording *words = NULL;
    letters.later = batch->desk ? &words : NULL;
    if (standby_step(step, &game->game, &batch->registry, batch->league->config.standby_time, err))
        return -1;
    str_addslice(&game->records, slice_str(&step->records));
    str_addslice(&game->sealed, slice_str(&step->sealed));
    for (size_t i = 0; i < step->post_count; i++) {
        struct spool_mail mail;
        bool made;
        if (step->posts[i].with_close && attach_close(batch, game, &step->posts[i], err))
            return -1;
        if (may_post(batch, &step->posts[i], &made, err))
            return -1;
        if (!made)
            continue;
        if (step->typed && (step->posts[i].kind == POST_ANSWER || step->posts[i].kind == POST_AGAIN))
            json_object_set_new(step->posts[i].facts, "typed", json_true());
        if (letters_post(&letters, &game->game, &step->posts[i], batch->now, answered, &mail, &made, err))
            return -1;
        if (!made)
            continue;
        const struct player *player = letters_reader(&batch->registry, &step->posts[i]);
        if (digest_waits(step, &step->posts[i], player, &mail.due))
            mail.player = mem_strdup(player->name);
        batch_mail_add(batch, &mail);
        struct batch_mail *added = &batch->mails[batch->mail_count - 1];
        added->of_record = post_of_record(&step->posts[i]);
        added->at_desk = words != NULL;
        if (words) {
            batch->mail_bytes += wording_size(words);
            desk_put(batch->desk, &added->mail, words);
            words = NULL;
        }
    }
    game_drop_views(&game->game);
    batch->turns += step->turns;
    batch->orders += step->orders;
    return 0;
}
