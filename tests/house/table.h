/* A league's keys, a store in a scratch folder and a game of Galaxy Command, for the engine's suites. */
#ifndef TESTS_HOUSE_TABLE_H
#define TESTS_HOUSE_TABLE_H

#include <string.h>

#include "house/audited.h"
#include "play/step.h"
#include "play/trial.h"
#include "orders/frame.h"
#include "scratch.h"
#include "suite.h"
#include "trust/canon.h"
#include "game/game_load.h"
#include "game/game_rows.h"

#define NOON ((int64_t)1795176000) /* 2026-11-20T12:00:00Z */

struct table {
    char dir[64];
    struct store *store;
    struct secret key;
    unsigned char vrf_secret[VRF_SECRET], vrf_public[VRF_PUBLIC], master[32];
    struct secret players[3];
    struct game game;
    bool typo_wait; /* and how long their orders keep a turn open */
    int64_t second_thoughts;
    int mails;        /* so that each mail has a digest of its own */
    json_t *facts[5]; /* of the last post of each kind that table_send gave */
    struct str
        posted; /* by the last step that was committed: "SEQ KIND SEAT REPLIES FILES FACTS" of each mail */
    int first, first_reports; /* mails when the game was made: those that welcome, and all reports */
};

static inline struct step_keys table_keys(const struct table *t)
{
    return (struct step_keys){&t->key, t->vrf_secret, t->vrf_public, t->master, NULL};
}

static inline int table_read_journal(void *arg, struct str *lines, struct err *err)
{
    return store_read_with(((struct table *)arg)->store, "gc-1", (struct slice){NULL, 0}, lines, err);
}

static inline struct step_before table_before(struct table *t)
{
    return (struct step_before){t, table_read_journal, NULL};
}

static inline void table_posted(struct table *t, const struct step *step)
{
    str_clear(&t->posted);
    for (size_t i = 0; i < step->post_count; i++) {
        const struct post *post = &step->posts[i];
        char *facts = json_dumps(post->facts, JSON_SORT_KEYS | JSON_COMPACT);
        str_addf(&t->posted, "%lld %d %d %d %zu %s\n", (long long)post->seq, post->kind, post->seat,
                 post->replies, json_array_size(post->attach), facts ? facts : "");
        free(facts);
    }
}

/* Writes what a step gave, as a commit does. */
static inline void table_commit(struct table *t, struct step *step, int64_t length, int64_t seq)
{
    struct err err = ERR_INIT;
    struct store_append part = {t->game.id, {seq, length}, slice_str(&step->records)};
    ck_ok(store_append(t->store, &part, &err), err);
    ck_ok(game_save(t->store, &t->game, t->master, &err), err);
    table_posted(t, step);
    step_release(step);
}

static inline void table_open(struct table *t)
{
    memset(t, 0, sizeof *t);
    scratch_make(t->dir, "engine");
    t->store = store_open(t->dir);
    secret_new(&t->key);
    vrf_keygen(t->vrf_secret, t->vrf_public);
    memset(t->master, 7, sizeof t->master);
    store_give_master(t->store, t->master);
    for (int i = 0; i < 3; i++)
        secret_new(&t->players[i]);
    game_init(&t->game);
    str_init(&t->posted);
}

static inline void table_close(struct table *t)
{
    for (int kind = 0; kind < 5; kind++)
        json_decref(t->facts[kind]);
    game_release(&t->game);
    str_release(&t->posted);
    store_close(t->store);
    scratch_remove(t->dir);
}

/* seats: 'a' 'b' 'c' are players, 'r' a robot; "abr" has three seats. */
static inline void table_new_of(struct table *t, const struct ruleset *ruleset, const char *seats,
                                int64_t turn_length)
{
    static const char *const names[] = {"alice", "bob", "carol"};
    static const char *const robots[] = {"hal", "marvin", "robby", "ash"};
    struct err err = ERR_INIT;
    struct step step;
    struct step_keys keys = table_keys(t);
    struct sitter by[SEATS_MAX + 1] = {{NULL}};
    struct new_game how = {.id = "gc-1",
                           .ruleset = ruleset,
                           .turn_length = turn_length,
                           .missed_robot = 3,
                           .typo_wait = t->typo_wait,
                           .second_thoughts = t->second_thoughts};
    for (int i = 0; how.ruleset->options[i].name; i++)
        how.options[i] = how.ruleset->options[i].initial;
    for (; *seats; seats++) {
        struct new_seat *seat = &how.seat[++how.seats];
        seat->robot = *seats == 'r';
        seat->player = seat->robot ? robots[how.seats - 1] : names[*seats - 'a'];
        if (!seat->robot)
            by[how.seats].secret = &t->players[*seats - 'a'];
    }
    step_init(&step, &keys, NOON);
    ck_ok(sits_create(&step, &t->game, &how, by, &err), err);
    t->first = t->first_reports = 0;
    for (size_t i = 0; i < step.post_count; i++) {
        t->first += step.posts[i].kind == POST_WELCOME || step.posts[i].welcome;
        t->first_reports += step.posts[i].kind == POST_WELCOME || step.posts[i].kind == POST_REPORT;
    }
    table_commit(t, &step, 0, 0);
}

static inline void table_new(struct table *t, const char *seats, int64_t turn_length)
{
    table_new_of(t, ruleset_newest("galaxy-command"), seats, turn_length);
}

/* The current key of the player in a seat. */
static inline const struct secret *table_player(const struct table *t, int seat)
{
    for (int i = 0; i < 3; i++)
        if (memcmp(t->players[i].point, t->game.seat[seat].keys[0].point, 32) == 0)
            return &t->players[i];
    return &t->players[0];
}

/* Orders of a seat, as if a mail with a good signature had brought them. The step is committed; what it
 * posted is counted by kind in `posts` (may be NULL). */
static inline enum orders_fate table_send(struct table *t, int seat, const char *fields, const char *lines,
                                          int64_t now, int posts[5])
{
    struct err err = ERR_INIT;
    struct str exact = STR_INIT, text = STR_INIT, body = STR_INIT;
    struct frame frame;
    struct step step;
    struct step_keys keys = table_keys(t);
    unsigned char mail[32] = {0};
    enum orders_fate fate = ORDERS_TAKEN;
    int64_t length = t->game.journal.length, seq = t->game.seq;
    char head[2 * HEAD_BYTES + 1];
    game_answer_head(head, &t->game);
    str_addf(&exact, "#turnpost orders\ngame: gc-1\n%s", fields);
    if (!strstr(fields, "head:"))
        str_addf(&exact, "head: %s\n", head);
    str_addf(&exact, "%s#end\n", lines);
    canon_text(&text, slice_str(&exact));
    ck_ok(frame_parse(slice_str(&text), &frame, &err), err);
    ck_ok(frame_spread(&frame, &body, &err), err);
    json_t *signature = sits_signature(table_player(t, seat), slice_str(&exact));
    mail[0] = (unsigned char)++t->mails;
    struct orders_input input = {.seat = seat,
                                 .frame = &frame,
                                 .key = &t->game.seat[seat].keys[0],
                                 .exact = slice_str(&exact),
                                 .canonical = slice_str(&text),
                                 .signature = signature,
                                 .mail = mail};
    step_init(&step, &keys, now);
    step.before = table_before(t);
    ck_ok(step_orders(&step, &t->game, &input, &fate, &err), err);
    if (posts)
        memset(posts, 0, 5 * sizeof *posts);
    for (size_t i = 0; i < step.post_count; i++) {
        enum post_kind kind = step.posts[i].kind;
        if (posts)
            posts[kind]++;
        json_decref(t->facts[kind]);
        t->facts[kind] = json_copy(step.posts[i].facts);
        if (step.posts[i].trial)
            json_object_update_new(t->facts[kind], trial_facts(step.posts[i].trial));
    }
    table_commit(t, &step, length, seq);
    json_decref(signature);
    str_release(&exact);
    str_release(&text);
    str_release(&body);
    return fate;
}

static inline void table_clock(struct table *t, int64_t now)
{
    struct err err = ERR_INIT;
    struct step step;
    struct step_keys keys = table_keys(t);
    int64_t length = t->game.journal.length, seq = t->game.seq;
    step_init(&step, &keys, now);
    step.before = table_before(t);
    ck_ok(step_clock(&step, &t->game, &err), err);
    table_commit(t, &step, length, seq);
}

static inline void table_check_published(struct table *t)
{
    char name[] = "Orion League";
    struct league league = {.config = {.league.name = name}, .key = t->key};
    struct templates *templates;
    templates_open(NULL, &templates);
    published(t->store, &league, templates, NULL, "gc-1");
    templates_close(templates);
}

/* The game as its journal alone gives it must equal the one that was played. */
static inline void table_check_replay(struct table *t)
{
    struct err err = ERR_INIT;
    for (int cached = 0; cached <= 1; cached++) {
        struct game again;
        unsigned char one[32], two[32];
        ck_ok(game_load(t->store, "gc-1", cached ? t->master : NULL, &again, &err), err);
        fields_digest(t->game.ruleset->fields, t->game.state, one);
        fields_digest(again.ruleset->fields, again.state, two);
        ck_assert_mem_eq(one, two, 32);
        ck_assert_mem_eq(t->game.head, again.head, 32);
        ck_assert_int_eq(t->game.seq, again.seq);
        ck_assert_int_eq(t->game.turn, again.turn);
        ck_assert_int_eq(t->game.clock.deadline, again.clock.deadline);
        ck_assert_int_eq(t->game.journal.length, again.journal.length);
        for (int seat = 1; seat <= t->game.seats; seat++) {
            ck_assert_str_eq(t->game.seat[seat].orders.text.p, again.seat[seat].orders.text.p);
            ck_assert_str_eq(t->game.seat[seat].standing.p, again.seat[seat].standing.p);
            ck_assert_int_eq(t->game.seat[seat].missed, again.seat[seat].missed);
            ck_assert_int_eq(t->game.seat[seat].robot, again.seat[seat].robot);
            ck_assert_int_eq(t->game.seat[seat].told, again.seat[seat].told);
            ck_assert_int_eq(t->game.seat[seat].told_before, again.seat[seat].told_before);
        }
        json_t *kept = keep_json(game_rows, &t->game, t->game.seats);
        json_t *kept_again = keep_json(game_rows, &again, again.seats);
        ck_assert(json_equal(json_object_get(kept, "told"), json_object_get(kept_again, "told")));
        json_decref(kept);
        json_decref(kept_again);
        game_release(&again);
    }
    (void)audited(t->store, "gc-1", true);
    if (!SANITIZED)
        table_check_published(t);
}

#endif
