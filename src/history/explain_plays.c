/* Which records count and which were undone: a turn may be played, undone by a rollback, and played again; a
 * later rollback may even restore what an earlier one undid. */
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/mem.h"
#include "history/chronicle_parts.h"
#include "history/explain_parts.h"

#define NO_TURN (-1)

static void add_record(struct explain_plays *plays, const struct record *record)
{
    const json_t *json = record->json;
    plays->list = mem_grow(plays->list, plays->count, &plays->cap, sizeof *plays->list);
    struct explain_mark *mark = &plays->list[plays->count++];
    *mark = (struct explain_mark){.time = record->time, .turn = NO_TURN};
    if (strcmp(record->type, "start") == 0 || strcmp(record->type, "turn") == 0)
        mark->turn = (int)json_integer_value(json_object_get(json, "turn"));
    if (strcmp(record->type, "moderate") == 0 && strcmp(telling_text(json, "do"), "rollback") == 0) {
        int64_t back = json_integer_value(json_object_get(json, "record"));
        mark->back = back > 0 && back < record->seq ? back : 0;
        mark->by = mem_strdup(telling_text(json, "by"));
        mark->reason = mem_strdup(telling_text(json, "reason"));
    }
}

int explain_plays_read(struct explain_plays *plays, struct casefile *file, struct err *err)
{
    struct record record;
    int got;
    casefile_rewind(file);
    while ((got = casefile_next(file, &record, NULL, err)) > 0) {
        add_record(plays, &record);
        record_release(&record);
    }
    casefile_rewind(file);
    plays->counts = mem_array(plays->count + 1, sizeof *plays->counts);
    return got;
}

void explain_plays_release(struct explain_plays *plays)
{
    for (size_t i = 0; i < plays->count; i++) {
        free(plays->list[i].by);
        free(plays->list[i].reason);
    }
    free(plays->list);
    free(plays->counts);
    *plays = (struct explain_plays){.list = NULL};
}

/* The record at which the game was before this one: what a rollback went back to, else the one before it. */
static int64_t before(const struct explain_plays *plays, int64_t seq)
{
    const struct explain_mark *mark = &plays->list[seq - 1];
    return mark->back ? mark->back : seq - 1;
}

/* Does record `seq` count for the game as it was after record `at`? */
static bool counts_at(const struct explain_plays *plays, int64_t seq, int64_t at)
{
    while (at > seq)
        at = before(plays, at);
    return at == seq;
}

static void set_target(struct explain_plays *plays, int64_t target)
{
    memset(plays->counts, 0, (plays->count + 1) * sizeof *plays->counts);
    for (int64_t seq = target; seq > 0; seq = before(plays, seq))
        plays->counts[seq] = true;
}

/* The play of a turn that is in force, else the last one; for EXPLAIN_LAST the last one in force. 0 =
 * none. */
static int64_t find_play(const struct explain_plays *plays, int64_t turn)
{
    int64_t head = (int64_t)plays->count, last = 0;
    for (int64_t seq = head; seq > 0; seq--) {
        int played = plays->list[seq - 1].turn;
        if (played == NO_TURN || (turn != EXPLAIN_LAST && played != turn))
            continue;
        if (counts_at(plays, seq, head))
            return seq;
        last = last ? last : seq;
    }
    return last;
}

int64_t explain_plays_find(struct explain_plays *plays, const char *id, const struct explain_point *at,
                           struct err *err)
{
    int64_t target = at->record ? at->number : find_play(plays, at->number);
    int64_t last = find_play(plays, EXPLAIN_LAST);
    if (!last)
        err_set(err, ERR_INPUT, "%s: no turn has been played yet", id);
    else if (!target)
        err_set(err, ERR_INPUT, "%s: turn %lld has not been played; the last one is %d", id,
                (long long)at->number, plays->list[last - 1].turn);
    else if (target < 1 || target > (int64_t)plays->count || plays->list[target - 1].turn == NO_TURN)
        err_set(err, ERR_INPUT, "%s: record %lld plays no turn; turnpost log shows what it does", id,
                (long long)target);
    if (err->code)
        return 0;
    set_target(plays, target);
    return target;
}

/* ---- what happened to each play ---- */

static json_t *fate_facts(const struct explain_plays *plays, int64_t seq, bool back)
{
    const struct explain_mark *mark = &plays->list[seq - 1];
    json_t *fate = json_pack("{s:I,s:b,s:b}", "record", (json_int_t)seq, "back", back, "operator",
                             strcmp(mark->by, "operator") == 0);
    explain_time(fate, "time", mark->time);
    json_object_set_new(fate, "by", json_text(slice_of(mark->by)));
    if (*mark->reason)
        json_object_set_new(fate, "reason", json_text(slice_of(mark->reason)));
    return fate;
}

/* Each rollback that undid or restored the play. */
static json_t *play_fates(const struct explain_plays *plays, int64_t play, bool *holds)
{
    json_t *fates = json_array();
    *holds = true;
    for (int64_t seq = play + 1; seq <= (int64_t)plays->count; seq++) {
        if (!plays->list[seq - 1].back || counts_at(plays, play, seq) == *holds)
            continue;
        *holds = !*holds;
        json_array_append_new(fates, fate_facts(plays, seq, *holds));
    }
    return fates;
}

void explain_plays_facts(const struct explain_plays *plays, int64_t target, json_t *facts)
{
    json_t *list = json_array();
    bool any = false;
    for (int64_t seq = 1; seq <= (int64_t)plays->count; seq++) {
        const struct explain_mark *mark = &plays->list[seq - 1];
        bool holds;
        if (mark->turn != plays->list[target - 1].turn)
            continue;
        json_t *fates = play_fates(plays, seq, &holds);
        any = any || json_array_size(fates);
        json_t *play = json_pack("{s:I,s:b,s:b,s:o}", "record", (json_int_t)seq, "here", seq == target,
                                 "holds", holds, "fates", fates);
        explain_time(play, "time", mark->time);
        json_array_append_new(list, play);
    }
    if (any)
        json_object_set_new(facts, "plays", json_pack("{s:O}", "list", list));
    json_decref(list);
}
