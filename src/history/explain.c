
#include "base/changes.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "board/board.h"
#include "game/view.h"
#include "game/apply.h"
#include "history/explain_parts.h"

/* ---- common ---- */

/* What a reader who may not see all sees: their view without the suggestions for orders. */
static json_t *seen_state(const struct explaining *x, const void *state, bool dealt)
{
    const struct ruleset *ruleset = x->game.ruleset;
    if (explain_all(x))
        return fields_json(ruleset->fields, state);
    if (!dealt)
        return json_object();
    json_t *view =
        view_json(ruleset, x->game.cards, state, x->reader.kind == READER_SEAT ? x->reader.seat : 0);
    json_object_del(view, "form");
    return view;
}

static void begin(struct explaining *x, struct casefile *file, const struct reader *reader, bool told)
{
    memset(x, 0, sizeof *x);
    x->file = file;
    x->reader = *reader;
    x->told = told;
    x->blind = !casefile_open_to(file, reader, 0) && !told;
    chronicle_init(&x->chronicle, file, reader);
    game_init(&x->game);
    memcpy(x->game.id, file->id, sizeof x->game.id);
    x->story = json_array();
    (void)past_want(&x->past, slice_str(&file->lines));
    casefile_rewind(file);
}

static void end(struct explaining *x)
{
    for (size_t i = 0; i < x->standing_count; i++)
        free(x->standing[i].line);
    free(x->standing);
    free(x->sent);
    free(x->opened);
    game_release(&x->game);
    past_release(&x->past);
    explain_plays_release(&x->plays);
    json_decref(x->story);
    casefile_rewind(x->file);
}

static bool is_play(const struct record *record)
{
    return strcmp(record->type, "start") == 0 || strcmp(record->type, "turn") == 0;
}

/* Plays the record again. What it needs may be sealed; then nothing more can be played. */
static int play(struct explaining *x, const struct record *record, int64_t length, struct err *err)
{
    struct err why = ERR_INIT;
    if (x->blind)
        return 0;
    if (casefile_lacks(x->file, record)) {
        x->blind = true;
        return 0;
    }
    struct apply_input input = {record, length, &x->file->sealed, NULL, &x->past, false};
    if (game_apply(&x->game, &input, &why) == 0 && past_keep(&x->past, &x->game, &why) == 0)
        return 0;
    return err_set(err, why.code, "%s: %s", x->file->id, why.text);
}

/* ---- a turn ---- */

static void keep_opened(struct explaining *x)
{
    if (!x->game.state)
        return;
    if (!x->opened)
        x->opened = mem_alloc(x->game.ruleset->state_size);
    memcpy(x->opened, x->game.state, x->game.ruleset->state_size);
}

/* What the picture of the board after the turn is made of: whatever the reader may know, the public view. */
static void put_board(struct explaining *x)
{
    const struct board board = board_of(&x->game);
    if (x->game.ruleset->shown.picture)
        json_object_set_new(x->facts, "board", board_facts(&board));
}

/* The record that played the turn: its story is told before it is applied. */
static int tell_turn(struct explaining *x, const struct record *record, int64_t length, struct err *err)
{
    struct turn_trace trace = {0};
    struct turn_result result = {0};
    struct apply_input input = {record, length, &x->file->sealed, &result, &x->past, false};
    struct err why = ERR_INIT;
    int rc = -1;
    if (game_recompute(&x->game, &input, &trace, &result, &why)) {
        err_set(err, why.code, "%s: %s", x->file->id, why.text);
        goto out;
    }
    x->shown = result.state;
    json_t *was = seen_state(x, x->opened, x->game.turn > 0);
    explain_orders(x, &result, &trace);
    explain_story(x, &result, &trace);
    explain_draws(x, &result, &trace);
    explain_proof(x, &result, record);
    json_t *is = seen_state(x, result.state, true);
    json_t *difference = json_changes(was, is);
    if (explain_all(x))
        explain_spell(x, difference);
    json_object_set_new(x->facts, "difference", difference);
    json_object_set_new(x->facts, "fields", json_boolean(explain_all(x)));
    json_decref(was);
    json_decref(is);
    rc = game_apply(&x->game, &input, &why);
    if (rc == 0)
        put_board(x);
    if (rc == 0)
        rc = past_keep(&x->past, &x->game, &why);
    if (rc)
        err_set(err, why.code, "%s: %s", x->file->id, why.text);
out:
    x->shown = NULL;
    turn_result_release(&result);
    turn_trace_release(&trace);
    return rc;
}

/* One record of the turn that is wanted. */
static int tell_record(struct explaining *x, const struct record *record, int64_t length, struct err *err)
{
    if (x->blind)
        return 0;
    if (is_play(record)) {
        if (!casefile_lacks(x->file, record))
            return tell_turn(x, record, length, err);
        x->blind = true;
        return 0;
    }
    if (strcmp(record->type, "note") == 0)
        explain_instant(x, record);
    return play(x, record, length, err);
}

/* What else came of the turn: the end of the game. */
static int tell_end(struct explaining *x, json_t *records, struct err *err)
{
    struct record record;
    int got;
    while ((got = casefile_next(x->file, &record, NULL, err)) > 0) {
        bool last = strcmp(record.type, "end") != 0 && strcmp(record.type, "open") != 0;
        if (!last)
            json_array_append_new(records, chronicle_take(&x->chronicle, &record));
        record_release(&record);
        if (last)
            break;
    }
    return got < 0 ? -1 : 0;
}

/* When the turn was closed, and what its deadline was. */
static void put_closing(struct explaining *x, const struct record *record)
{
    json_t *closing = json_pack("{s:I}", "record", (json_int_t)record->seq);
    explain_time(closing, "time", record->time);
    if (x->game.clock.deadline)
        explain_time(closing, "deadline", x->game.clock.deadline);
    json_object_set_new(x->facts, "closing", closing);
}

/* What is looked for, and the records of its turn. */
struct wish {
    int turn;
    int64_t target; /* the record that plays it */
    json_t *records;
};

/* One record on the way to the target. What a rollback has undone is played, like all of the journal, but not
 * shown. */
static int step(struct explaining *x, const struct record *record, const struct wish *wish, struct err *err)
{
    bool counts = x->plays.counts[record->seq];
    bool open = x->chronicle.turn == wish->turn;
    bool opens = is_play(record) || strcmp(record->type, "create") == 0;
    int64_t length = (int64_t)x->file->at;
    json_t *facts = chronicle_take(&x->chronicle, record);
    bool opened = !open && x->chronicle.turn == wish->turn;
    explain_sent(x, record, facts);
    if (counts && open && !x->blind && strcmp(record->type, "close") == 0)
        put_closing(x, record);
    int rc = counts && open ? tell_record(x, record, length, err) : play(x, record, length, err);
    if (rc == 0 && !x->blind)
        explain_standing(x, record);
    if (counts && (open || (opened && !opens))) /* a rollback opens it, too */
        json_array_append(wish->records, facts);
    if (counts && opens && x->chronicle.turn == wish->turn && !x->blind)
        keep_opened(x);
    json_decref(facts);
    return rc;
}

static int walk(struct explaining *x, const struct wish *wish, struct err *err)
{
    struct record record;
    bool done = false;
    while (!done && casefile_next(x->file, &record, NULL, err) > 0) {
        int rc = step(x, &record, wish, err);
        done = record.seq == wish->target;
        record_release(&record);
        if (rc)
            return -1;
    }
    return !done || tell_end(x, wish->records, err) ? -1 : 0;
}

/* Reduces the story to one event, and the draws and orders to what caused it. */
static int pick_event(json_t *facts, int event, struct err *err)
{
    json_t *story = json_object_get(facts, "story");
    json_t *one = json_incref(json_array_get(story, (size_t)event - 1));
    size_t i;
    json_t *item;
    if (!one)
        return err_set(err, ERR_INPUT, "the story of turn %lld has %zu events for this reader",
                       (long long)json_integer_value(json_object_get(facts, "turn")), json_array_size(story));
    json_t *draws = json_array();
    json_array_foreach (json_object_get(facts, "draws"), i, item)
        if (json_integer_value(json_object_get(item, "event")) == event)
            json_array_append(draws, item);
    json_object_set_new(facts, "story", json_pack("[o]", one));
    json_object_set_new(facts, "draws", draws);
    json_object_set_new(facts, "drawn", json_boolean(json_array_size(draws) > 0));
    json_object_set_new(facts, "event", json_integer(event));
    json_object_del(facts, "difference");
    json_object_del(facts, "rest");
    json_object_del(facts, "mails");
    json_object_del(facts, "given");
    json_object_set_new(facts, "asides", json_false());
    json_object_del(facts, "records");
    return 0;
}

/* Is there a record that other turns do not share? */
static bool any_aside(const json_t *records)
{
    size_t i;
    json_t *record;
    json_array_foreach (records, i, record)
        if (json_is_true(json_object_get(record, "aside")))
            return true;
    return false;
}

static void put_turn(struct explaining *x, const struct wish *wish)
{
    json_object_update_new(x->facts, chronicle_heading(&x->chronicle));
    json_object_set_new(x->facts, "turn", json_integer(wish->turn));
    json_object_set_new(x->facts, "deal", json_boolean(wish->turn == 0));
    json_object_set_new(x->facts, "told", json_boolean(x->told));
    json_object_set(x->facts, "records", wish->records);
    json_object_set_new(x->facts, "asides", json_boolean(any_aside(wish->records)));
    json_object_set_new(x->facts, "blind", json_boolean(x->blind));
    explain_plays_facts(&x->plays, wish->target, x->facts);
    if (!x->blind)
        json_object_set(x->facts, "story", x->story);
}

json_t *explain_turn(struct casefile *file, const struct explain_for *who, const struct explain_point *at,
                     int event, struct err *err)
{
    struct explaining x;
    struct wish wish = {.records = json_array()};
    begin(&x, file, who->reader, who->told);
    x.facts = json_object();
    int rc = explain_plays_read(&x.plays, file, err);
    if (rc == 0 && !(wish.target = explain_plays_find(&x.plays, file->id, at, err)))
        rc = -1;
    if (rc == 0) {
        wish.turn = x.plays.list[wish.target - 1].turn;
        rc = walk(&x, &wish, err);
    }
    if (rc == 0)
        put_turn(&x, &wish);
    if (rc == 0 && event && x.blind)
        rc = err_set(err, ERR_INPUT, "the events of turn %d are sealed to this reader", wish.turn);
    if (rc == 0 && event)
        rc = pick_event(x.facts, event, err);
    json_decref(wish.records);
    end(&x);
    if (rc == 0)
        return x.facts;
    json_decref(x.facts);
    return NULL;
}

/* ---- two states ---- */

int explain_point_read(const char *text, struct explain_point *point, struct err *err)
{
    const char *digits = text + (*text == 'r');
    size_t len = strlen(digits);
    point->record = *text == 'r';
    if (len == 0 || len > 9 || strspn(digits, "0123456789") != len || (point->record && *digits == '0'))
        return err_set(err, ERR_INPUT, "\"%s\" is neither a turn (5) nor a record (r70)", text);
    point->number = strtoll(digits, NULL, 10);
    return 0;
}

/* Is the state after this record the one that is meant? */
static bool reached(const struct explain_point *point, const struct record *record)
{
    if (point->record)
        return record->seq == point->number;
    return is_play(record) && json_integer_value(json_object_get(record->json, "turn")) == point->number;
}

/* What is visible at a point just passed; NULL = sealed. */
static json_t *state_there(const struct explaining *x)
{
    return x->blind || !x->game.state ? NULL : seen_state(x, x->game.state, x->game.turn > 0);
}

struct record_mark {
    int64_t seq[2], time[2];
};

static int find_states(struct explaining *x, const struct explain_point *const at[2], json_t *state[2],
                       struct record_mark *mark, struct err *err)
{
    struct record record;
    while ((!mark->seq[0] || !mark->seq[1]) && casefile_next(x->file, &record, NULL, err) > 0) {
        int64_t length = (int64_t)x->file->at;
        json_decref(chronicle_take(&x->chronicle, &record));
        int rc = play(x, &record, length, err);
        for (int i = 0; rc == 0 && i < 2; i++) {
            if (!reached(at[i], &record))
                continue;
            mark->seq[i] = record.seq;
            mark->time[i] = record.time;
            state[i] = state_there(x);
        }
        record_release(&record);
        if (rc)
            return -1;
    }
    for (int i = 0; i < 2 && !err->code; i++)
        if (!mark->seq[i])
            err_set(err, ERR_INPUT, "%s: the journal has no %s %lld", x->file->id,
                    at[i]->record ? "record" : "turn", (long long)at[i]->number);
    return err->code ? -1 : 0;
}

static int put_difference(struct explaining *x, json_t *was, json_t *is, const struct record_mark *mark,
                          struct err *err)
{
    if (!was || !is)
        return err_set(
            err, ERR_INPUT, "%s: the state is sealed to this reader%s", x->file->id,
            x->file->opened || x->told ? "" : "; a moderator can add --told, for what the reports told them");
    json_object_update_new(x->facts, chronicle_heading(&x->chronicle));
    json_object_set_new(x->facts, "told", json_boolean(x->told));
    json_object_set_new(x->facts, "fields", json_boolean(explain_all(x)));
    for (int i = 0; i < 2; i++) {
        json_t *point = json_pack("{s:I}", "record", (json_int_t)mark->seq[i]);
        explain_time(point, "time", mark->time[i]);
        json_object_set_new(x->facts, i ? "to" : "from", point);
    }
    json_object_set_new(x->facts, "difference", json_changes(was, is));
    return 0;
}

json_t *explain_difference(struct casefile *file, const struct explain_for *who,
                           const struct explain_point *from, const struct explain_point *to, struct err *err)
{
    const struct explain_point *const at[2] = {from, to};
    struct explaining x;
    struct record_mark mark = {{0, 0}, {0, 0}};
    json_t *state[2] = {NULL, NULL};
    begin(&x, file, who->reader, who->told);
    x.facts = json_object();
    int rc = find_states(&x, at, state, &mark, err);
    if (rc == 0)
        rc = put_difference(&x, state[0], state[1], &mark, err);
    json_decref(state[0]);
    json_decref(state[1]);
    end(&x);
    if (rc == 0)
        return x.facts;
    json_decref(x.facts);
    return NULL;
}
