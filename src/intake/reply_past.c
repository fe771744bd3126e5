/* An answer whose turn is over: did it count when it had its time? A crash leaves it in the mailbox, and servers
 * deliver mails twice; who was heard is not told that they were late. */
#include "intake/reply_parts.h"

#include <stdlib.h>

#include "base/clock.h"
#include "base/encode.h"
#include "base/json.h"
#include "base/mem.h"
#include "petitions/petition.h"
#include "petitions/reply_petition.h"

#define TURNS 4 /* the last ones: as many as a batch may play */

/* The game as far as texts say it, when its last turns were opened, and before it began. */
struct past {
    struct visit *visit;
    struct batch_game *entry;
    struct slice journal;
    struct game then[TURNS + 1]; /* borrows all from the entry's */
    size_t count;
};

static bool is_opening(struct slice line)
{
    struct slice front = slice_sub(line, 0, 300);
    return slice_find(front, "\"type\":\"turn\"") < front.len ||
           slice_find(front, "\"type\":\"start\"") < front.len;
}

/* The line that opened a turn, and the one after it, which holds its head. */
struct opening {
    struct slice line, next;
};

static void add_opening(struct past *past, const struct opening *opening)
{
    struct err ignored = ERR_INIT; /* they were read before */
    json_t *record = json_read(opening->line, "journal", &ignored);
    json_t *next = json_read(opening->next, "journal", &ignored);
    const char *head = json_string_value(json_object_get(next, "prev"));
    struct game *then = &past->then[past->count];
    *then = past->entry->game;
    then->turn = (int)json_integer_value(json_object_get(record, "turn")) + 1;
    past->count += head && hex_decode(then->opened.head, HEAD_BYTES, slice_of(head));
    json_decref(record);
    json_decref(next);
}

static void find_openings(struct past *past)
{
    struct opening last[TURNS];
    struct slice rest = past->journal, line, before = {"", 0};
    size_t found = 0;
    while (slice_line(&rest, &line)) {
        if (is_opening(before))
            last[found++ % TURNS] = (struct opening){before, line};
        before = line;
    }
    for (size_t i = 0; i < found && i < TURNS; i++)
        add_opening(past, &last[i]);
    past->then[past->count] = past->entry->game;
    past->then[past->count++].turn = 0;
}

/* Has the mail, or a copy of it with other fields on top, led to a record by that text? */
static bool is_known(const struct past *past, struct slice text)
{
    struct frame frame;
    struct err ignored = ERR_INIT; /* no text, no record */
    struct hearing hearing = {.batch = past->visit->batch,
                              .msg = past->visit->msg,
                              .player = past->visit->sender->name,
                              .proof = &past->visit->reading->domain->proof,
                              .frame = &frame,
                              .exact = text,
                              .canonical = text,
                              .entry = past->entry};
    if (frame_parse(text, &frame, &ignored))
        return false;
    petition_mark(&hearing);
    return record_lines_hold(past->journal, "mail", hearing.mail) ||
           record_lines_hold(past->journal, "text", hearing.text);
}

static bool is_wish_known(const struct past *past, const struct typed *typed, const struct reply_about *about)
{
    bool known = false;
    for (int i = 0; !known && reply_wishes[i]; i++) {
        struct str text = STR_INIT;
        reply_wish(&text, &(struct reply_wish){reply_wishes[i], past->visit->sender->name, typed_wish(typed)},
                   about);
        known = is_known(past, slice_str(&text));
        str_release(&text);
    }
    return known;
}

static bool is_line_known(const struct past *past, const struct typed *typed, const struct reply_about *about)
{
    bool known = false;
    for (size_t i = 0; !known && i < typed->count; i++) {
        struct str text = STR_INIT;
        known = reply_petition(&text, &typed->lines[i], about) && is_known(past, slice_str(&text));
        str_release(&text);
    }
    return known;
}

/* Was it asked about? No other question of the seat says that it was sent then. */
static bool was_asked_about(const struct past *past)
{
    const struct mail_proof *proof = &past->visit->reading->domain->proof;
    struct str sent = STR_INIT, seat = STR_INIT;
    struct slice rest = past->journal, line;
    char utc[CLOCK_TEXT];
    bool asked = false;
    clock_utc(utc, proof->sent);
    str_addf(&sent, "\"selector\":\"%s\",\"sent\":\"%s\"", proof->selector, utc);
    str_addf(&seat, "\"seat\":%d,", game_seat_of(&past->entry->game, past->visit->sender->name));
    while (!asked && slice_find_line(&rest, sent.p, &line))
        asked = slice_find(line, seat.p) < line.len && slice_find(line, "\"kind\":\"question\"") < line.len;
    str_release(&sent);
    str_release(&seat);
    return asked;
}

static int was_heard(struct past *past, bool *heard, struct err *err)
{
    struct visit *visit = past->visit;
    const struct game *game = &past->entry->game;
    const struct typed_game about = {.id = game->id,
                                     .language = game->ruleset->language,
                                     .suggestions = (const char *const[]){NULL},
                                     .wish = game->ruleset->words.wish.line};
    struct reply reply = {0};
    struct typed typed = {0};
    int rc = reply_cut(REPLY_VERSION, &visit->reading->domain->body, (struct slice){"", 0}, &reply, err);
    if (rc == 0) {
        reply_read(visit, slice_str(&reply.typed), &about, 1, &typed);
        find_openings(past);
    }
    for (size_t i = 0; rc == 0 && !*heard && i < past->count; i++) {
        const struct reply_about then = {visit->batch->league, &visit->reading->domain->proof,
                                         &past->then[i]};
        *heard = is_line_known(past, &typed, &then) || is_wish_known(past, &typed, &then);
    }
    typed_release(&typed);
    reply_release(&reply);
    return rc;
}

static int was_done(struct visit *visit, struct batch_game *entry, bool *done, struct err *err)
{
    const struct step_before before = batch_before(entry);
    struct str journal = STR_INIT;
    struct past *past = mem_alloc(sizeof *past);
    int rc = reply_was_given(visit, entry, done, err);
    if (rc == 0 && !*done)
        rc = before.journal(before.arg, &journal, err);
    *past = (struct past){.visit = visit, .entry = entry, .journal = slice_str(&journal)};
    if (rc == 0 && !*done && !(*done = was_asked_about(past)))
        rc = was_heard(past, done, err);
    free(past);
    str_release(&journal);
    return rc;
}

int reply_is_past(struct visit *visit, bool *past, struct err *err)
{
    char id[GAME_NAME];
    struct batch_game *entry;
    struct err why = ERR_INIT;
    *past = false;
    if (!reply_subject_game(visit, id))
        return 0;
    if (batch_game(visit->batch, id, &entry, &why)) {
        *past = why.code != ERR_MISSING;
        if (*past)
            reply_keep(visit);
        return 0;
    }
    if (was_done(visit, entry, past, err))
        return -1;
    if (*past)
        reply_seen(visit);
    return 0;
}

int reply_is_copy(struct visit *visit, bool *copy, struct err *err)
{
    const struct vouching *domain = visit->reading->domain;
    const struct config *config = &visit->batch->league->config;
    char id[GAME_NAME];
    struct batch_game *entry;
    struct err why = ERR_INIT;
    struct slice token;
    struct str journal = STR_INIT;
    *copy = false;
    if (visit->sender && domain && domain->state == VOUCHING_GOOD && reply_is_from(visit))
        return reply_is_past(visit, copy, err);
    /* Nobody is asked about a stranger's domain here: it is the very mail that counted, or another one. */
    if (visit->sender ||
        !reply_token_in(slice_of(visit->msg->to), config->league.address, config_detail(config), &token) ||
        !reply_subject_game(visit, id) || batch_game(visit->batch, id, &entry, &why))
        return 0;
    const struct step_before before = batch_before(entry);
    int rc = before.journal(before.arg, &journal, err);
    *copy = rc == 0 && record_lines_hold(slice_str(&journal), "mail", visit->msg->digest);
    if (*copy)
        reply_seen(visit);
    str_release(&journal);
    return rc;
}
