/* The gate before the commit (audit/gate.h) on games that were recorded: it lets each record through, and refuses each changed one
 * that the audit refuses, but for what it does not look at. */
#ifndef TESTS_HOUSE_GATED_H
#define TESTS_HOUSE_GATED_H

#include "audit/gate.h"
#include "game/apply.h"
#include "game/past.h"
#include "game/record_kinds.h"
#include "house/film.h"

struct gated {
    struct gate *gate;
    struct game game; /* before the record */
    struct past past;
    struct seal_keys keys;
    struct sealed_set sealed;                 /* all */
    size_t met, tried, passed, unseen, heads; /* changes: all, those that were tried, ... */
};

/* The gate does not know whose key the league's is, which the batch has looked at, nor what earlier turns brought: texts, and the
 * appeals that are ruled on. */
static inline bool gated_beyond(const struct audit_finding *found)
{
    return found->kind == AUDIT_LEAGUE_KEY || strstr(found->text, "was obeyed before") ||
           strstr(found->text, "was accepted before") || strstr(found->text, "is no appeal about that turn");
}

static inline struct sealed_set gated_payloads(const struct gated *g, int64_t seq)
{
    size_t from = 0, to;
    while (from < g->sealed.count && g->sealed.list[from].seq != seq)
        from++;
    for (to = from; to < g->sealed.count && g->sealed.list[to].seq == seq;)
        to++;
    return (struct sealed_set){.list = g->sealed.list + from, .count = to - from};
}

/* Reports have no box: live play has just sealed what it tells. */
static inline void gated_reports(const struct gated *g, int64_t seq, const struct turn_result *result,
                                 struct sealed_set *all)
{
    for (int seat = 1; seat <= g->game.seats; seat++) {
        unsigned char seal[SEAL_BYTES];
        char told[65];
        hex_to(told, result->told[seat], sizeof result->told[seat]);
        if (result->view[seat])
            seal_put(all, g->keys.seal, &(struct sealed_place){seq, seat, SEAL_REPORT}, slice_of(told), seal,
                     NULL);
    }
}

/* As a step does it; NULL for `game`: the game itself moves on. */
static inline bool gated_refuses(struct gated *g, const struct record *record, struct game *game,
                                 struct err *err)
{
    const struct step_gate judge = gate_of(g->gate);
    const struct sealed_set boxes = gated_payloads(g, record->seq);
    struct sealed_set payloads = {NULL, 0, 0}, reports = {NULL, 0, 0};
    struct turn_result result = {0};
    struct apply_input input = {record, g->game.journal.length + 1, &boxes, NULL, &g->past, true};
    bool refused = false;
    if (strcmp(record->type, "start") == 0 || strcmp(record->type, "turn") == 0) {
        refused = game_recompute(&g->game, &input, NULL, &result, err) != 0;
        gated_reports(g, record->seq, &result, &reports);
        input.result = &result;
    }
    payloads.list = mem_array(boxes.count + reports.count + 1, sizeof *payloads.list);
    for (size_t i = 0; i < boxes.count + reports.count; i++)
        payloads.list[payloads.count++] = i < boxes.count ? boxes.list[i] : reports.list[i - boxes.count];
    input.sealed = &payloads;
    refused = refused || judge.before(judge.arg, &g->game, &input, err);
    struct game *moves = game ? game : &g->game;
    if (!refused && game && g->game.seq)
        ck_ok(game_copy(&g->game, game, err), *err);
    refused = refused || game_apply(moves, &input, err) || judge.after(judge.arg, moves, err);
    turn_result_release(&result);
    sealed_set_release(&reports);
    free(payloads.list);
    return refused;
}

/* The audit of the records up to that one, which has been changed and signed again. */
static inline void gated_audit(const struct film *whole, size_t at, json_t *changed,
                               struct audit_result *result)
{
    struct film film;
    film_copy(&film, whole);
    while (film.records > at + 1)
        film_delete(film.line, &film.records, film.records - 1);
    film_sign(&film, at, json_incref(changed));
    film_audit(&film, AUDIT_MODERATOR, 0, true, result, NULL);
    film_drop(&film);
}

static inline void gated_change(struct gated *g, const struct film *whole, size_t at, json_t *changed)
{
    struct err err = ERR_INIT, ignored = ERR_INIT;
    struct str line = STR_INIT;
    struct record record;
    struct game game;
    struct audit_result result;
    if (g->met++ % (FEW ? 7 : 1) != 0)
        return;
    game_init(&game);
    memcpy(game.id, g->game.id, sizeof game.id);
    json_write(&line, changed);
    str_addc(&line, '\n');
    g->tried++;
    if (record_parse(slice_str(&line), &record, &ignored) == 0) {
        const bool refused = gated_refuses(g, &record, &game, &err);
        g->passed += !refused;
        if (!refused) {
            gated_audit(whole, at, changed, &result);
            bool found = result.verdict >= AUDIT_REFUTED && result.first.seq == (int64_t)at + 1;
            g->unseen += found;
            ck_assert_msg(!found || gated_beyond(&result.first),
                          "the audit says: %s; and the gate lets it through: %s", result.first.text, line.p);
        }
        record_release(&record);
    }
    game_release(&game);
    str_release(&line);
}

/* Each member of the record gone, and with each odd value; members that it does not have. */
static inline void gated_changes(struct gated *g, const struct film *whole, size_t at)
{
    static const char *const values[] = {
        "null",
        "true",
        "false",
        "0",
        "1",
        "2",
        "7",
        "-1",
        "4294967297",
        "\"\"",
        "\"x\"",
        "\"anna\"",
        "\"mona\"",
        "\"operator\"",
        "\"void\"",
        "\"00000000000000000000000000000000000000000000000000000000000000aa\"",
        "\"1999-01-01T00:00:00Z\"",
        "\"2026-11-21T12:00:00Z\"",
        "\"9999-01-01T00:00:00Z\"",
        "[]",
        "[1]",
        "[2,1]",
        "[\"\"]",
        "{}"};
    static const char *const more[] = {"zz",      "seat",     "player", "robot",    "by",   "signed", "said",
                                       "vouched", "mail",     "text",   "why",      "left", "waited", "free",
                                       "drawn",   "wish",     "waits",  "deadline", "away", "told",   "set",
                                       "until",   "released", "grey",   "request",  "seal", "made",   "stop"};
    json_t *record = film_json(whole->line[at]), *value;
    const char *name;
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        json_t *odd = json_loads(values[i], JSON_DECODE_ANY, NULL);
        json_object_foreach (record, name, value) {
            if (strcmp(name, "type") == 0 || json_equal(value, odd))
                continue;
            json_t *changed = json_copy(record);
            if (i)
                json_object_set(changed, name, odd);
            else
                json_object_del(changed, name);
            gated_change(g, whole, at, changed);
            json_decref(changed);
        }
        for (size_t k = 0; k < sizeof more / sizeof *more; k++) {
            if (json_object_get(record, more[k]))
                continue;
            json_t *changed = json_copy(record);
            json_object_set(changed, more[k], odd);
            gated_change(g, whole, at, changed);
            json_decref(changed);
        }
        json_decref(odd);
    }
    json_decref(record);
}

/* In its place each other record of the game that is one of its kind, with the open turn's number. */
static inline void gated_others(struct gated *g, const struct film *whole, size_t at)
{
    static const char *const own[] = {"seq", "prev", "time"};
    json_t *record = film_json(whole->line[at]);
    for (size_t i = 0; i < whole->records; i++) {
        json_t *other = film_json(whole->line[i]);
        for (size_t k = 0; k < sizeof own / sizeof *own; k++)
            json_object_set(other, own[k], json_object_get(record, own[k]));
        if (json_object_get(other, "turn"))
            json_object_set_new(other, "turn", json_integer(g->game.turn));
        if (i != at)
            gated_change(g, whole, at, other);
        json_decref(other);
    }
    json_decref(record);
}

/* A message that names another head than its writer saw, sealed and recorded as it is: what a mail's own orders might make of it. */
static inline void gated_head(struct gated *g, const struct record *record)
{
    const struct sealed_set payloads = gated_payloads(g, record->seq);
    struct err err = ERR_INIT;
    struct game game;
    for (size_t i = 0; i < payloads.count; i++) {
        struct sealed *sealed = (struct sealed *)(uintptr_t)&payloads.list[i];
        unsigned char seal[SEAL_BYTES];
        char *at = sealed->item == SEAL_PRESS ? strstr(sealed->payload.p, "nhead: ") : NULL;
        if (!at || strcmp(record_word(record), "press") != 0)
            continue;
        const char was = at[7];
        const struct sealed kept = *sealed;
        struct sealed_set made = {NULL, 0, 0};
        struct str box = STR_INIT;
        at[7] = was == '0' ? '1' : '0';
        seal_put(&made, g->keys.press, &(struct sealed_place){sealed->seq, 0, SEAL_PRESS},
                 slice_str(&sealed->payload), seal, &box);
        memcpy(sealed->salt, made.list[0].salt, sizeof sealed->salt);
        memcpy(sealed->box, made.list[0].box, sizeof sealed->box);
        json_t *whole = json_copy(record->json);
        json_object_set_new(whole, "seal", json_hex(seal, SEAL_BYTES));
        json_object_set_new(whole, "box", json_stringn(box.p, box.len));
        sealed_set_release(&made);
        str_release(&box);
        struct record other = *record;
        other.json = whole;
        game_init(&game);
        ck_assert(gated_refuses(g, &other, &game, &err));
        ck_assert_msg(strstr(err.text, "answers head"), "%s", err.text);
        game_release(&game);
        json_decref(whole);
        at[7] = was;
        memcpy(sealed->salt, kept.salt, sizeof sealed->salt);
        memcpy(sealed->box, kept.box, sizeof sealed->box);
        g->heads++;
    }
}

/* Of each kind of record the first; of all only where `make many` looks. Returns how many changes were tried. */
static inline size_t gated_game(const struct film *whole)
{
    struct gated g = {.gate = gate_open()};
    struct str lines = STR_INIT;
    struct seal_promise promise;
    json_t *create = film_json(whole->line[0]);
    json_t *seen = json_object();
    game_init(&g.game);
    film_join(whole->line, whole->records, &lines);
    ck_assert(seal_promise_read(&promise, json_string_value(json_object_get(create, "game")), create));
    seal_keys_of(&g.keys, whole->master, &promise);
    for (size_t i = 0; i < whole->records; i++) {
        json_t *record = film_json(whole->line[i]);
        sealed_open(&g.sealed, &g.keys, record);
        json_decref(record);
    }
    (void)past_want(&g.past, slice_str(&lines));
    for (size_t i = 0; i < whole->records; i++) {
        struct err err = ERR_INIT;
        struct record record;
        char kind[80];
        ck_ok(record_parse(slice_of(whole->line[i]), &record, &err), err);
        memcpy(g.game.id, record.game, sizeof g.game.id);
        (void)snprintf(kind, sizeof kind, "%s %s %d", record.type, record_word(&record),
                       json_object_get(record.json, "vouched") != NULL);
        if (!json_object_get(seen, kind) || !FEW) {
            gated_changes(&g, whole, i);
            if (i && (i % 4 == 0 || !FEW))
                gated_others(&g, whole, i);
        }
        json_object_set_new(seen, kind, json_true());
        gated_head(&g, &record);
        ck_assert_msg(!gated_refuses(&g, &record, NULL, &err), "%s", err.text);
        ck_ok(past_keep(&g.past, &g.game, &err), err);
        record_release(&record);
    }
    json_decref(seen);
    json_decref(create);
    str_release(&lines);
    sealed_set_release(&g.sealed);
    past_release(&g.past);
    game_release(&g.game);
    gate_close(g.gate);
    if (getenv("GATED"))
        printf("%zu tried, %zu let through, %zu of these seen by the audit alone; %zu heads\n", g.tried,
               g.passed, g.unseen, g.heads);
    return g.tried;
}

#endif
