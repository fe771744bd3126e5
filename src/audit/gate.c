#include "audit/gate.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "audit/audit_compete_parts.h"
#include "audit/audit_parts.h"
#include "game/apply.h"

struct gate {
    struct auditing a; /* its game is a shallow copy of the one that is judged */
    struct audit in;
    struct audit_result out;
    struct audit_opening opening;
    unsigned char head[HEAD_BYTES]; /* after the record that was judged last */
};

/* What the audit gathers of all records, and a gate needs for one. */
static void forget(struct auditing *a)
{
    audit_seen_release(&a->seen);
    memset(a->out, 0, sizeof *a->out);
}

struct gate *gate_open(void)
{
    struct gate *gate = mem_alloc(sizeof *gate);
    gate->in = (struct audit){.view = AUDIT_MODERATOR};
    gate->a = (struct auditing){.in = &gate->in, .out = &gate->out, .full = true, .live = true};
    return gate;
}

void gate_close(struct gate *gate)
{
    if (!gate)
        return;
    forget(&gate->a);
    free(gate->a.payloads.list);
    free(gate);
}

/* Are the seals of a game that is over open? The type of its last record is not known of one that was loaded from its cache: then
 * nothing was left undone (step_unfinished). */
static bool is_opened(const struct game *game)
{
    const char *last = game->journal.last_type;
    return game->over && !game_withheld(game) && strcmp(last, "turn") != 0 && strcmp(last, "start") != 0 &&
           strcmp(last, "end") != 0 && strcmp(game->journal.last_do, "void") != 0;
}

/* What the last record, which another gate or none has judged, requires of the next one. */
static void resume(struct auditing *a)
{
    const struct game *game = &a->game;
    const bool moderated = strcmp(game->journal.last_do, "orders") == 0;
    const int seat = game->journal.last_seat;
    a->instant = a->led = a->resigns = 0;
    (void)snprintf(a->resolve, sizeof a->resolve, "%s",
                   strcmp(game->journal.last_do, "resolve") == 0 ? OPERATOR : "");
    const bool resigned = strcmp(game->journal.last_type, "seat") == 0 && seat && game->seat[seat].resigned &&
                          game->journal.led == seat;
    if (strcmp(game->journal.last_type, "orders") == 0 || moderated || resigned)
        (void)audit_lines(a, seat,
                          slice_str(moderated ? &game->seat[seat].orders.text : &game->journal.led_lines));
    if (resigned)
        a->resigns = 0;
}

/* The audit, as it would stand before this record. */
static void look(struct gate *gate, const struct game *game, const struct record *record)
{
    struct auditing *a = &gate->a;
    forget(a);
    a->game = *game;
    a->at = record->seq;
    a->record = record;
    a->kind = record_kind_of(record);
    a->closed = game->closed;
    gate->out.opened = is_opened(game);
    if (game->over && game_withheld(game) && !*game->journal.last_type)
        memcpy(a->game.journal.last_type, "end", 4);
    if (memcmp(gate->head, game->head, HEAD_BYTES) != 0) {
        resume(a);
        forget(a);
        gate->out.opened = is_opened(game);
    }
    memset(gate->head, 0, HEAD_BYTES); /* until it is applied */
}

static int shut(const struct gate *gate, struct err *err)
{
    const struct audit_finding *why = &gate->out.first;
    return err_set(err, ERR_UNSOUND, "game %s: our own audit would refuse record %lld (%s): %s",
                   gate->a.record->game, (long long)why->seq, gate->a.record->type, why->text);
}

static int before(void *arg, const struct game *game, const struct apply_input *input, struct err *err)
{
    struct gate *gate = arg;
    struct auditing *a = &gate->a;
    look(gate, game, input->record);
    if (audit_chain(a, input->record) || audit_boxes_given(a, input->sealed) || audit_fields(a) ||
        audit_place(a) || audit_counts(a) || audit_before(a))
        return shut(gate, err);
    bool plays = audit_is(a, "start") || audit_is(a, "turn");
    if ((audit_is(a, "create") && audit_create(a)) ||
        (plays && audit_played(a, input->result, &gate->opening)))
        return shut(gate, err);
    return 0;
}

static int after(void *arg, const struct game *game, struct err *err)
{
    struct gate *gate = arg;
    struct auditing *a = &gate->a;
    a->game = *game;
    bool plays = audit_is(a, "start") || audit_is(a, "turn");
    if ((audit_is(a, "create") && audit_created(a)) || (plays && audit_deadline(a, &gate->opening)) ||
        audit_within_round(a) || audit_boxes_unused(a))
        return shut(gate, err);
    audit_after(a);
    memcpy(gate->head, game->head, HEAD_BYTES);
    return 0;
}

struct step_gate gate_of(struct gate *gate)
{
    return gate ? (struct step_gate){gate, before, after} : (struct step_gate){.arg = NULL};
}

int gate_of_competitions(const struct competition *c, const struct record *record, struct err *err)
{
    static const char people[] = "enter confirm withdraw adjust";
    const struct audit_competition in = {.found = NULL};
    struct audit_competition_result out = {.verdict = AUDIT_PROVED};
    struct competing a = {.in = &in, .out = &out, .c = *c, .record = record};
    int rc = word_listed(people, record->type) ? competing_people(&a) : 0;
    free(a.left);
    return rc ? err_set(err, ERR_UNSOUND, "competition %s: our own audit would refuse record %lld (%s): %s",
                        c->name, (long long)record->seq, record->type, out.first.text)
              : 0;
}
