/* What an operator with all keys can do to the draws of a game: histories of one game, made with the
 * program's own steps, audited, and counted by what they lead to. */
#ifndef TESTS_HOUSE_STEERING_H
#define TESTS_HOUSE_STEERING_H

#include "house/table.h"

#include <stdarg.h>
#include <stdio.h>

#include "base/encode.h"
#include "base/json.h"
#include "game/seating.h"
#include "play/step_parts.h"

#define STEER_KINDS 64

struct history {
    struct step step;
    struct game game;
    bool fresh; /* its journal begins with it; else with what `table` has stored */
};

/* A text that a player has signed. */
struct signed_text {
    int seat;
    struct str exact, canonical;
    struct frame frame;
    struct pubkey key;
    json_t *signature;
};

/* The different proofs of draws, and the different events, that histories led to. */
struct tally {
    char draws[STEER_KINDS][161], events[STEER_KINDS][65];
    int draw_kinds, event_kinds, histories;
    char choice[400]; /* the last audit's: on whose word the game rests */
};

static struct table table;
static const char *const steer_names[] = {"alice", "bob", "carol"};

static inline bool steer_long(void)
{
    return getenv("LONG") != NULL;
}

/* A line of the table. */
static inline void steer_row(const char *what, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
static inline void steer_row(const char *what, const char *fmt, ...)
{
    char said[400];
    va_list args;
    va_start(args, fmt);
    (void)vsnprintf(said, sizeof said, fmt, args);
    va_end(args);
    if (steer_long())
        (void)printf("  %-58s | %s\n", what, said);
}

static inline const char *steer_say(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
static inline const char *steer_say(const char *fmt, ...)
{
    static char said[4][300];
    static int next;
    va_list args;
    va_start(args, fmt);
    next = (next + 1) % 4;
    (void)vsnprintf(said[next], sizeof said[next], fmt, args);
    va_end(args);
    return said[next];
}

/* ---- games ---- */

/* Seats: 'a' 'b' 'c' players, 'r' a robot, '-' free. */
static inline void steer_how(struct new_game *how, const char *seats)
{
    *how = (struct new_game){
        .id = "gc-1", .ruleset = ruleset_newest("galaxy-command"), .turn_length = 60, .missed_robot = 3};
    for (int i = 0; how->ruleset->options[i].name; i++)
        how->options[i] = how->ruleset->options[i].initial;
    for (; *seats; seats++) {
        struct new_seat *seat = &how->seat[++how->seats];
        seat->robot = *seats == 'r';
        if (*seats != '-')
            seat->player = seat->robot ? "hal" : steer_names[*seats - 'a'];
    }
}

/* By whom its players sit down. */
static inline void steer_sitters(struct sitter by[SEATS_MAX + 1], const struct new_game *how)
{
    memset(by, 0, (SEATS_MAX + 1) * sizeof *by);
    for (int seat = 1; seat <= how->seats; seat++)
        for (int i = 0; i < 3 && how->seat[seat].player; i++)
            if (strcmp(how->seat[seat].player, steer_names[i]) == 0)
                by[seat].secret = &table.players[i];
}

static inline void steer_make(const char *seats)
{
    struct err err = ERR_INIT;
    struct step step;
    struct step_keys keys = table_keys(&table);
    struct new_game how;
    struct sitter by[SEATS_MAX + 1];
    steer_how(&how, seats);
    steer_sitters(by, &how);
    step_init(&step, &keys, NOON);
    ck_ok(sits_create(&step, &table.game, &how, by, &err), err);
    table_commit(&table, &step, 0, 0);
}

/* ---- histories ---- */

static inline void history_begin(struct history *h)
{
    struct err err = ERR_INIT;
    struct step_keys keys = table_keys(&table);
    h->fresh = false;
    ck_ok(game_copy(&table.game, &h->game, &err), err);
    step_init(&h->step, &keys, NOON + 1);
    h->step.before = table_before(&table);
}

static inline void history_create(struct history *h, const struct new_game *how, int64_t now)
{
    struct err err = ERR_INIT;
    struct step_keys keys = table_keys(&table);
    struct sitter by[SEATS_MAX + 1];
    steer_sitters(by, how);
    h->fresh = true;
    step_init(&h->step, &keys, now);
    h->step.before = table_before(&table);
    ck_ok(sits_create(&h->step, &h->game, how, by, &err), err);
}

static inline void history_end(struct history *h)
{
    step_release(&h->step);
    game_release(&h->game);
}

static inline void history_tell(void *arg, const struct audit_finding *finding)
{
    if (arg)
        str_addf(arg, "%s\n", finding->text);
}

/* What the audit says of the whole journal; `told` (may be NULL) gets all findings. */
static inline void history_audit(const struct history *h, struct audit_result *result, struct str *told)
{
    struct err err = ERR_INIT;
    struct str journal = STR_INIT;
    struct lines one;
    struct audit audit;
    if (!h->fresh)
        ck_ok(store_read(table.store, "gc-1", STORE_BEGIN, &journal, &err), err);
    str_addslice(&journal, slice_str(&h->step.records));
    lines_memory(&one, slice_str(&journal));
    audit_init(&audit, &one);
    audit.master = store_master(table.store);
    audit.found = history_tell;
    audit.arg = told;
    ck_ok(audit_run(&audit, result, &err), err);
    str_release(&journal);
}

/* The audit finds the last history broken; its words. */
static inline const char *history_broken(const struct history *h, const char *words)
{
    struct audit_result result;
    history_audit(h, &result, NULL);
    ck_assert_int_eq((int)result.verdict, AUDIT_REFUTED);
    ck_assert_msg(strstr(result.first.text, words) != NULL, "%s", result.first.text);
    return steer_say("audit: %s", result.first.text);
}

/* The text member of the last `start` or `turn`. */
static inline void history_member(const struct history *h, const char *name, char *out, size_t size)
{
    struct slice rest = slice_str(&h->step.records), line;
    char front[20];
    out[0] = '\0';
    (void)snprintf(front, sizeof front, "\"%s\":\"", name);
    while (rest.len && slice_line(&rest, &line)) {
        size_t at = slice_find(line, front);
        if (at == (size_t)-1 || (slice_find(line, "\"type\":\"turn\"") == (size_t)-1 &&
                                 slice_find(line, "\"type\":\"start\"") == (size_t)-1))
            continue;
        struct slice value = slice_sub(line, at + strlen(front), line.len);
        (void)snprintf(out, size, "%.*s", (int)strcspn(value.p, "\""), value.p);
    }
}

static inline int steer_count(char *list, size_t size, int kinds, const char *one)
{
    for (int i = 0; i < kinds; i++)
        if (strcmp(list + (size_t)i * size, one) == 0)
            return kinds;
    ck_assert_int_lt(kinds, STEER_KINDS);
    memcpy(list + (size_t)kinds * size, one, strlen(one) + 1);
    return kinds + 1;
}

/* The history was played to its end and is proved: what did it lead to? */
static inline void tally_add(struct tally *tally, const struct history *h)
{
    struct audit_result result;
    struct str choice = STR_INIT;
    char draws[161], events[65];
    history_member(h, "pi", draws, sizeof draws);
    history_member(h, "events", events, sizeof events);
    ck_assert_msg(*draws && *events, "no turn was played");
    history_audit(h, &result, NULL);
    ck_assert_msg(result.verdict == AUDIT_PROVED, "record %lld: %s", (long long)result.first.seq,
                  result.first.text);
    json_t *rests = audit_rests(&result, NULL), *one;
    size_t i;
    json_array_foreach (rests, i, one)
        str_addf(&choice, "%s%s", i ? " " : "", json_string_value(one));
    json_decref(rests);
    (void)snprintf(tally->choice, sizeof tally->choice, "%s", choice.p);
    str_release(&choice);
    tally->histories++;
    tally->draw_kinds = steer_count(*tally->draws, sizeof *tally->draws, tally->draw_kinds, draws);
    tally->event_kinds = steer_count(*tally->events, sizeof *tally->events, tally->event_kinds, events);
}

static inline const char *tally_say(const struct tally *tally)
{
    return steer_say("%d results in %d histories", tally->draw_kinds, tally->histories);
}

/* ---- texts ---- */

static inline void text_finish(struct signed_text *text, const struct secret *secret)
{
    struct err err = ERR_INIT;
    str_init(&text->canonical);
    canon_text(&text->canonical, slice_str(&text->exact));
    ck_ok(frame_parse(slice_str(&text->canonical), &text->frame, &err), err);
    secret_public(secret, &text->key);
    text->signature = sits_signature(secret, slice_str(&text->exact));
}

static inline void text_release(struct signed_text *text)
{
    str_release(&text->exact);
    str_release(&text->canonical);
    json_decref(text->signature);
}

/* Orders of a seat for the open turn of `game`, which name that head; `more` makes them different. */
static inline void text_orders_of(struct signed_text *text, const struct game *game, int seat,
                                  const char *head, const char *more)
{
    *text = (struct signed_text){.seat = seat, .exact = STR_INIT};
    str_addf(&text->exact, "#turnpost orders\ngame: %s\nturn: %d\n", game->id, game->turn);
    if (head)
        str_addf(&text->exact, "head: %s\n", head);
    str_addf(&text->exact, "%sauto\n#end\n", more);
    text_finish(text, table_player(&table, seat));
}

static inline void text_orders(struct signed_text *text, int seat, const char *more)
{
    char head[2 * HEAD_BYTES + 1];
    game_answer_head(head, &table.game);
    text_orders_of(text, &table.game, seat, head, more);
}

static inline enum orders_fate history_take(struct history *h, const struct signed_text *text)
{
    struct err err = ERR_INIT;
    enum orders_fate fate = ORDERS_TAKEN;
    unsigned char mail[32] = {(unsigned char)++table.mails, (unsigned char)(table.mails >> 8)};
    struct orders_input input = {.seat = text->seat,
                                 .frame = &text->frame,
                                 .key = &text->key,
                                 .exact = slice_str(&text->exact),
                                 .canonical = slice_str(&text->canonical),
                                 .signature = text->signature,
                                 .mail = mail};
    ck_ok(step_orders(&h->step, &h->game, &input, &fate, &err), err);
    return fate;
}

/* The turn is closed: at once, if all orders are in, else when its time is over. */
static inline void history_close(struct history *h)
{
    struct err err = ERR_INIT;
    if (h->game.turn != table.game.turn || h->game.closed)
        return;
    if (game_all_in(&h->game)) {
        ck_ok(step_resolve(&h->step, &h->game, &err), err);
        return;
    }
    h->step.now = h->game.clock.deadline + 1;
    ck_ok(step_clock(&h->step, &h->game, &err), err);
}

static inline void steer_hex(json_t *to, const char *name, const unsigned char bytes[32])
{
    char hex[65];
    hex_to(hex, bytes, 32);
    json_object_set_new(to, name, json_string(hex));
}

/* "mail" and "text", by which a signed text is known again. */
static inline json_t *text_marks(const char *player, const struct signed_text *text)
{
    json_t *marks = json_object();
    struct str bytes = STR_INIT;
    unsigned char digest[32], both[64];
    str_addf(&bytes, "%s%s", player, text->canonical.p);
    crypto_generichash(digest, 32, (const unsigned char *)bytes.p, bytes.len, NULL, 0);
    steer_hex(marks, "text", digest);
    memset(both, ++table.mails, 32);
    memcpy(both + 32, digest, 32);
    crypto_generichash(digest, 32, both, sizeof both, NULL, 0);
    steer_hex(marks, "mail", digest);
    str_release(&bytes);
    return marks;
}

/* The same with the text itself and its signer. */
static inline json_t *text_evidence(const char *player, const struct signed_text *text)
{
    json_t *members = text_marks(player, text);
    json_object_set_new(members, "by", json_string(player));
    json_object_set_new(
        members, "signed",
        json_pack("{s:o,s:O}", "text", json_text(slice_str(&text->exact)), "signature", text->signature));
    return members;
}

#endif
