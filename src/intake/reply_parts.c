#include "intake/reply_parts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/encode.h"
#include "base/mem.h"
#include "base/reason.h"
#include "batch/at_hand.h"
#include "batch/bounced.h"
#include "game/game_seats.h"
#include "game/vouched.h"

#define GAMES_MOST 100        /* of a player, that are looked through */
#define KEPT_UNIT  (16 << 10) /* bytes of a mail ... */
#define KEPT_UNITS 256        /* ... that records of a player keep on a day: 4 MiB */

/* ---- one answer a mail of ours and day ---- */

int reply_ask_once(struct visit *visit, const char *what, bool *first, struct err *err)
{
    unsigned char digest[MESSAGE_DIGEST];
    struct str name = STR_INIT;
    bool seen = false;
    str_addf(&name, "answered %s on day %lld", what, (long long)(visit->batch->now / 86400));
    message_digest(digest, slice_str(&name));
    str_release(&name);
    if (batch_has_seen(visit->batch, digest, &seen, err))
        return -1;
    *first = !seen;
    if (!seen)
        batch_see(visit->batch, digest);
    return 0;
}

/* A forwarded token must not become a storm of mails: where no domain vouches, each `what` is said once a day. */
int reply_answer(struct visit *visit, const char *what, const struct words *words, struct err *err)
{
    bool first = visit->by_domain || !visit_is_person(visit); /* who is not answered uses nothing up */
    if (!first && reply_ask_once(visit, what, &first, err)) {
        json_decref(words->facts);
        return -1;
    }
    if (first)
        return visit_answer_player_in(visit, visit->sender->name, words, err);
    verdict_say(&visit->verdict, words->kind, NULL);
    visit->verdict.silence = SILENCE_TOLD;
    json_decref(words->facts);
    return 0;
}

/* ---- what is kept of it ---- */

static void keeps_of(struct str *who, const struct visit *visit)
{
    str_addf(who, "mails kept of %s", visit->sender->name);
}

/* May it be kept today? Of longer ones nothing is. */
static int keep(struct visit *visit, bool *kept, struct err *err)
{
    struct str who = STR_INIT;
    const size_t whole = visit->reading->domain->proof.raw.len, most = whole > VOUCHED_KEPT ? 0 : whole;
    int rc = 0;
    *kept = true;
    keeps_of(&who, visit);
    for (size_t size = 0; rc == 0 && *kept && size < most; size += KEPT_UNIT)
        rc = catalog_budget(visit->batch->catalog,
                            &(struct catalog_reply){who.p, visit->batch->now, KEPT_UNITS}, kept, err);
    str_release(&who);
    return rc;
}

int reply_room(struct visit *visit, bool *kept, struct err *err)
{
    struct str who = STR_INIT;
    int rc = keep(visit, kept, err);
    keeps_of(&who, visit);
    if (rc == 0 && !*kept) {
        json_t *facts = json_pack("{s:b,s:o}", "no_room", 1, "why",
                                  reason_make("mail_much mb=%d", KEPT_UNIT * KEPT_UNITS >> 20));
        rc = reply_answer(visit, who.p,
                          &(struct words){.kind = "reply_refused", .folder = "", .facts = facts}, err);
    }
    str_release(&who);
    return rc;
}

/* ---- a question stays open ---- */

int reply_leave_open(struct answering *a, struct err *err)
{
    struct visit *visit = a->visit;
    struct game *game = &a->entry->game;
    const struct question_input input = {a->seat, visit->msg->digest, &visit->reading->domain->proof};
    int64_t before = game->seq;
    struct step step;
    bool kept = false;
    if (a->place.turn != game->turn || !seat_may_be_asked(game, a->seat))
        return 0; /* its own orders have played the turn, say */
    if (keep(visit, &kept, err))
        return -1;
    if (!kept)
        return 0;
    batch_step(visit->batch, a->entry, &step);
    int rc = step_question(&step, game, &input, err);
    if (game->seq > before && !visit->leaves_open) {
        visit->question = mail_id_record(game->id, game->seq, a->seat);
        visit->leaves_open = true;
    }
    return batch_end_step(visit->batch, a->entry, &step, rc, err);
}

bool reply_asks_several(const struct typed *typed)
{
    size_t count = typed->orders > 0;
    for (size_t i = 0; i < typed->count; i++)
        count += typed_talks(&typed->lines[i]) && typed->lines[i].is != TYPED_IS_ORDER &&
                 typed->lines[i].is != TYPED_IS_EDITED && typed->lines[i].is != TYPED_IS_PICK;
    return count > 1;
}

int reply_ask(struct visit *visit, struct answering *const *asks, const char *what, const struct words *words,
              struct err *err)
{
    bool decided = false;
    int rc = 0;
    for (size_t i = 0; rc == 0 && !decided && asks[i]; i++)
        rc = reply_was_decided(visit, asks[i]->entry, &decided, err);
    if (rc || decided)
        json_decref(words->facts);
    if (rc == 0 && decided)
        reply_seen(visit);
    if (rc || decided)
        return rc;
    visit->asks = asks;
    rc = reply_answer(visit, what, words, err);
    visit->asks = NULL;
    visit->leaves_open = false;
    return rc;
}

/* ---- who wrote it ---- */

bool reply_is_from(const struct visit *visit)
{
    return vouching_player(visit->reading->domain, &visit->batch->registry, visit->sender);
}

bool reply_may_speak(const struct visit *visit)
{
    const struct vouching *domain = visit->reading->domain;
    return domain && domain->state == VOUCHING_GOOD && visit->sender && visit->sender->by_mail &&
           visit_is_person(visit) && !visit->sender->banned && reply_is_from(visit);
}

int reply_claim(struct visit *visit, bool ours, struct err *err)
{
    const char *name = visit->sender->name;
    visit_vouched(visit, ours || visit_is_to_us(visit));
    (void)snprintf(visit->signer, sizeof visit->signer, "%s", name);
    hand_signed(visit->batch->league->hands, name, "", 0);
    return bounced_heard(visit->batch, name, visit->msg->from, err);
}

/* ---- about what ---- */

/* Those that the subject names come first. */
static int note_game(void *arg, const struct catalog_game *row, struct err *err)
{
    struct reply_games *games = arg;
    (void)err;
    if (games->count == GAMES_MOST)
        return 0;
    games->id = mem_grow(games->id, games->count, &games->cap, sizeof *games->id);
    memcpy(games->id[games->count], row->id, GAME_NAME);
    if (strstr(games->subject, row->id)) {
        memcpy(games->id[games->count], games->id[0], GAME_NAME);
        memcpy(games->id[0], row->id, GAME_NAME);
    }
    games->count++;
    return 0;
}

int reply_games(struct visit *visit, struct reply_games *games, struct err *err)
{
    *games = (struct reply_games){.subject = visit->msg->subject};
    return catalog_each_game(visit->batch->catalog, &(struct catalog_filter){visit->sender->name, true},
                             note_game, games, err);
}

/* The first words in brackets that may be a name: mail systems put others before them ("[EXT] Re: [gc-1] ..."). */
bool reply_subject_game(const struct visit *visit, char id[GAME_NAME])
{
    const char *from = visit->msg->subject;
    while ((from = strchr(from, '[')) != NULL) {
        struct slice name = {from + 1, strcspn(from + 1, "] ")};
        from++;
        if (name.len >= GAME_NAME || !name_valid(name))
            continue;
        memcpy(id, name.p, name.len);
        id[name.len] = '\0';
        return true;
    }
    return false;
}

bool reply_find_quoted(struct answering *a, const struct reply_whole *whole)
{
    const unsigned char *master = a->visit->batch->league->master;
    struct reply_place place = a->place;
    bool found = false;
    if (!vouching_names(a->head, &a->entry->game, a->visit->msg->subject, whole)) /* which an auditor needs */
        return false;
    for (int most = place.seq; !found && place.seq > 0 && place.seq >= most - ORDERS_TEXTS; place.seq--) {
        for (int offers = 1; !found && offers >= 0; offers--) {
            char nonce[REPLY_TOKEN_TEXT];
            struct str boundary = STR_INIT;
            reply_nonce(nonce, master, &place, offers ? &a->suggestions : NULL);
            reply_boundary(&boundary, slice_of(nonce));
            found = reply_whole_holds(whole, boundary.p);
            a->offered = found && offers;
            str_release(&boundary);
        }
        if (found)
            a->place.seq = place.seq;
    }
    return found;
}

bool reply_is_for_us(const struct visit *visit)
{
    return visit_is_to_us(visit) &&
           slice_caseeq(slice_of(visit->msg->to), visit->batch->league->config.league.address);
}

/* All that was recorded in the game so far. */
static int read_journal(struct batch_game *entry, struct str *journal, struct err *err)
{
    const struct step_before before = batch_before(entry);
    return before.journal(before.arg, journal, err);
}

int reply_was_given(const struct visit *visit, struct batch_game *entry, bool *given, struct err *err)
{
    struct str journal = STR_INIT;
    int rc = read_journal(entry, &journal, err);
    const struct game *game = &entry->game;
    *given = rc == 0 && (record_lines_hold(slice_str(&journal), "mail", visit->msg->digest) ||
                         reply_counted(game, game_seat_of(game, visit->sender->name),
                                       &visit->reading->domain->proof, slice_str(&journal)));
    str_release(&journal);
    return rc;
}

int reply_was_decided(const struct visit *visit, struct batch_game *entry, bool *decided, struct err *err)
{
    struct str journal = STR_INIT;
    struct slice line;
    *decided = false;
    if (!game_knows_mail(&entry->game, visit->msg->digest))
        return 0;
    int rc = read_journal(entry, &journal, err);
    struct slice rest = slice_str(&journal);
    while (rc == 0 && !*decided && slice_line(&rest, &line))
        *decided = (slice_find(line, "\"kind\":\"question\"") < line.len ||
                    slice_find(line, "\"type\":\"orders\"") < line.len) &&
                   record_lines_hold(line, "mail", visit->msg->digest);
    str_release(&journal);
    return rc;
}

void reply_seen(struct visit *visit)
{
    visit_was_seen(visit);
    visit->taken = true;
}

void reply_keep(struct visit *visit)
{
    verdict_say(&visit->verdict, "its game cannot be read", NULL);
    visit->kept = true;
}

void reply_game(struct answering *a, const char *wish)
{
    const struct game *game = &a->entry->game;
    size_t count = 0;
    for (int seat = 1; seat <= game->seats && game->press.kind != PRESS_NONE; seat++)
        if (seat != a->seat && seat_has_person(game, seat))
            a->others[count++] = game->seat[seat].player;
    a->others[count] = NULL;
    a->game = (struct typed_game){a->place.game, game->ruleset->language,
                                  (const char *const *)a->suggestions.lines, wish, a->others};
}

void reply_read(const struct visit *visit, struct slice text, const struct typed_game *games, size_t count,
                struct typed *typed)
{
    struct slice rest = slice_of(visit->msg->from_name), first = {"", 0};
    (void)slice_word(&rest, &first);
    char *given = slice_dup(first);
    const char *const names[] = {visit->sender->name, visit->msg->from_name, given, NULL};
    typed_read(text, &(struct typed_by){games, count, names}, typed);
    free(given);
}
