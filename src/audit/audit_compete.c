#include "audit/audit_compete.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "audit/audit_compete_parts.h"
#include "base/date.h"
#include "base/encode.h"
#include "base/mem.h"
#include "compete/apply.h"
#include "compete/ranking.h"

/* An error of a record, without the words that name it: the finding has them. */
static int broken_by(struct competing *a, enum audit_kind kind, const struct err *why)
{
    char named[64] = "";
    const char *text = why->text;
    if (a->record)
        (void)snprintf(named, sizeof named, "record %lld (%s): ", (long long)a->record->seq, a->record->type);
    const char *at = *named ? strstr(text, named) : NULL;
    int before = at ? (int)(at - text) : 0;
    (void)competing_broken(a, kind, "%.*s%s", before, text, at ? at + strlen(named) : text);
    if (why->code == ERR_NEWER)
        a->out->verdict = AUDIT_NEWER;
    return -1;
}

/* ---- the chain ---- */

static int check_first(struct competing *a, const struct record *record)
{
    const char *key = json_string_value(json_object_get(record->json, "league_key"));
    if (!key || !hex_decode(a->c.keys.league, 32, slice_of(key)))
        return competing_broken(a, AUDIT_FORM,
                                "the first record must be \"create\" and name the league's key");
    if (a->in->league_key && memcmp(a->in->league_key, a->c.keys.league, 32) != 0)
        return competing_broken(a, AUDIT_LEAGUE_KEY,
                                "it names another league's key than the one that was given");
    if (a->in->name && strcmp(a->in->name, record->game) != 0)
        return competing_broken(a, AUDIT_CHAIN, "it is of competition \"%s\" and not of \"%s\"", record->game,
                                a->in->name);
    if (!compete_name_valid(slice_of(record->game)))
        return competing_broken(a, AUDIT_FORM, "\"%s\" cannot name a competition", record->game);
    memcpy(a->c.name, record->game, strlen(record->game) + 1);
    memcpy(a->out->name, a->c.name, sizeof a->out->name);
    memcpy(a->out->league_key, a->c.keys.league, 32);
    a->out->begun = record->time;
    return 0;
}

static int check_chain(struct competing *a, const struct record *record)
{
    if (a->c.seq == 0 && check_first(a, record))
        return -1;
    if (strcmp(record->game, a->c.name) != 0 || record->seq != a->c.seq + 1)
        return competing_broken(a, AUDIT_CHAIN, "record %lld of %s is here: a record is missing, or too much",
                                (long long)record->seq, record->game);
    if (memcmp(record->prev, a->c.head, HEAD_BYTES) != 0)
        return competing_broken(
            a, AUDIT_CHAIN, "it does not follow the record before it (its \"prev\" is not that one's head)");
    if (record->time < a->c.time)
        return competing_broken(a, AUDIT_TIME, "its time lies before that of the record before it");
    return 0;
}

/* ---- a record ---- */

static enum audit_kind kind_of(const char *type)
{
    if (strcmp(type, "round") == 0 || strcmp(type, "made") == 0 || strcmp(type, "witness") == 0)
        return AUDIT_DRAW;
    if (strcmp(type, "result") == 0 || strcmp(type, "field") == 0 || strcmp(type, "close") == 0)
        return AUDIT_RULES;
    return strcmp(type, "create") == 0 ? AUDIT_FORM : AUDIT_ORDER;
}

/* Who left in the last day before a draw is in it all the same: nobody can choose between two. */
static void check_late(struct competing *a)
{
    const struct compete_round *round = &a->c.rounds[a->c.round - 1];
    for (size_t i = 0; i < a->left_count; i++)
        if (a->left[i].time >= round->draw - DAY_SECONDS) {
            a->out->counts.late++;
            competing_word(
                a, AUDIT_DRAW,
                "%s left in the last day before round %d was drawn, too late to be left out: a robot has "
                "their seat",
                a->left[i].player, a->c.round);
        }
    a->left_count = 0;
}

/* Whose results count is the league's word; whom `create` named is in it by that. */
static void check_outside(struct competing *a)
{
    size_t i;
    json_t *one;
    json_array_foreach (json_object_get(a->record->json, "outside"), i, one) {
        a->out->counts.outside++;
        competing_word(a, AUDIT_ORDER, "%s plays the deal outside of the ranking (%s)",
                       json_string_value(json_object_get(one, "player")),
                       json_string_value(json_object_get(one, "why")));
    }
}

/* A season's divisions are the final table of the one before, which is named by its head. */
static int check_previous(struct competing *a)
{
    const char *name = json_string_value(json_object_get(a->c.create, "previous"));
    const json_t *divisions = json_object_get(a->c.create, "divisions");
    const struct competition *before = a->in->previous;
    unsigned char head[HEAD_BYTES];
    if (!name && !divisions)
        return 0;
    if (name && !before) {
        competing_word(a, AUDIT_ORDER, "the season before, %s, is not here: its table is the operator's word",
                       name);
        return 0;
    }
    if (!name || strcmp(before->name, name) != 0 ||
        !hex_decode(head, sizeof head, slice_of(compete_text(a->record, "previous_head"))) ||
        memcmp(head, before->head, HEAD_BYTES) != 0 || !before->closed)
        return competing_broken(a, AUDIT_CHAIN, "it does not name the end of the season before");
    json_t *want = ranking_divisions(before);
    bool same = want && divisions ? json_equal(want, divisions) : !divisions;
    json_decref(want);
    return same ? 0 : competing_broken(a, AUDIT_RULES, "its divisions are not the table of %s", name);
}

/* Only the witness can say whose the keys are. */
static void tell_witnesses(struct competing *a)
{
    a->out->witnesses = a->c.witnesses.count;
    a->out->need = a->c.witnesses.need;
    for (int i = 0; i < a->c.witnesses.count; i++) {
        struct str key = STR_INIT;
        vkey_write(&key, &a->c.witnesses.list[i].key);
        competing_word(a, AUDIT_KEYS,
                       "that the keys of the witness %s are theirs rests on the operator's word: ask them "
                       "whether their key is %s",
                       a->c.witnesses.list[i].name, key.p);
        str_release(&key);
    }
}

/* The next round is drawn, by the answers of whom? */
static void check_witnesses(struct competing *a)
{
    const struct quorum *quorum = &a->c.witnesses;
    const bool drawn = compete_attempt(&a->c, a->record->time) == 1;
    for (int i = 0; drawn && i < quorum->count; i++) {
        if (quorum->list[i].answered)
            continue;
        a->out->counts.absent++;
        competing_word(a, AUDIT_DRAW,
                       "round %d was drawn without the witness %s, after a day: without that answer the "
                       "operator knew two results and could choose",
                       a->c.round + 1, quorum->list[i].name);
    }
}

static void tell_given_up(struct competing *a)
{
    if (a->out->gave_up || !a->c.gave_up)
        return;
    a->out->gave_up = a->c.gave_up;
    competing_word(
        a, AUDIT_DRAW,
        "from round %d on there are no witnesses: too few had answered for so long as `create` says, "
        "and the operator could choose whether to wait for them",
        a->c.gave_up);
}

static int after(struct competing *a)
{
    const char *type = a->record->type;
    if (strcmp(type, "create") == 0) {
        tell_witnesses(a);
        experience_begin(&a->experience, a->c.ruleset->name, a->in->results);
        return check_previous(a);
    }
    if (strcmp(type, "round") == 0) {
        tell_given_up(a);
        check_late(a);
        a->out->counts.draws++;
        check_outside(a);
    }
    if (strcmp(type, "made") == 0)
        return competing_made(a);
    if (strcmp(type, "result") == 0)
        return competing_result(a);
    if (strcmp(type, "enter") == 0 && conditions_look(&a->c.conditions) && competing_found(a))
        return -1;
    if (strcmp(type, "field") == 0)
        return competing_field(a);
    static const char *const others[] = {"round", "close", COMPETE_FIXED, "witness", "late"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (strcmp(type, others[i]) == 0)
            return 0;
    return competing_people(a);
}

static int check_record(struct competing *a, const struct record *record)
{
    struct err why = ERR_INIT;
    a->record = record;
    if (check_chain(a, record))
        return -1;
    if (strcmp(record->type, "round") == 0)
        check_witnesses(a);
    competing_keys_before(a);
    if (compete_apply(&a->c, record, &why))
        return broken_by(a, kind_of(record->type), &why);
    if (after(a))
        return -1;
    a->out->records++;
    a->out->ended = record->time;
    memcpy(a->out->head, record->head, HEAD_BYTES);
    return 0;
}

static int check_line(struct competing *a, struct slice line)
{
    struct record record;
    struct err why = ERR_INIT;
    if (line.p[line.len - 1] != '\n')
        return competing_broken(a, AUDIT_FORM,
                                "the journal ends in the middle of it: it was cut off, or a run was");
    if (record_parse(line, &record, &why))
        return broken_by(a, AUDIT_FORM, &why);
    int rc = check_record(a, &record);
    record_release(&record);
    a->record = NULL;
    return rc;
}

/* ---- the whole ---- */

static void sum_up(struct competing *a)
{
    struct audit_competition_result *out = a->out;
    struct ranking ranking;
    if (a->c.seq == 0)
        return;
    (void)snprintf(out->kind, sizeof out->kind, "%s", compete_kind_name(a->c.kind));
    out->ruleset = a->c.ruleset;
    out->rounds = a->c.round_count;
    out->rounds_drawn = a->c.round;
    out->closed = a->c.closed;
    out->counts.tables = (int64_t)a->c.table_count;
    ranking_make(&ranking, &a->c);
    out->players = ranking.count;
    ranking_release(&ranking);
}

int audit_competition_run(const struct audit_competition *in, struct audit_competition_result *result,
                          struct err *err)
{
    struct competing a = {.in = in, .out = result};
    struct slice line;
    int rc = 0;
    memset(result, 0, sizeof *result);
    competition_init(&a.c);
    a.taken = mem_array(in->count + 1, sizeof *a.taken);
    while (rc == 0) {
        rc = lines_next(in->journal, &line, err) ? -2 : 0;
        if (rc || !line.len)
            break;
        rc = check_line(&a, line);
    }
    if (rc == 0 && a.c.seq == 0)
        rc = competing_broken(&a, AUDIT_FORM, "the journal holds no record");
    if (rc == 0)
        rc = competing_rest(&a);
    sum_up(&a);
    if (rc == 0 && result->counts.missing)
        result->verdict = AUDIT_PARTLY;
    experience_release(&a.experience);
    competition_release(&a.c);
    free(a.taken);
    free(a.left);
    return rc == -2 ? -1 : 0;
}

bool audit_is_competition(struct slice line)
{
    struct record record;
    struct err ignored = ERR_INIT;
    if (!line.len || record_parse(line, &record, &ignored))
        return false;
    bool is = strcmp(record.type, "create") == 0 && json_object_get(record.json, "pairing");
    record_release(&record);
    return is;
}
