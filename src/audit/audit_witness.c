/* Witnesses: what is worth knowing of them. That their answers are good, replay checks (game/witness.h). */
#include <string.h>

#include "audit/audit_parts.h"
#include "base/encode.h"
#include "game/witness.h"

/* A turn is played: by the answers of whom? */
void audit_witness_turn(struct auditing *a)
{
    struct audit_witnesses *out = &a->out->witnesses;
    for (int i = 0; i < a->game.witnesses.count; i++) {
        if (!witness_missing(&a->game, i))
            continue;
        audit_note(a, AUDIT_NOTE, AUDIT_INTERVENTION, 0,
                   "turn %d was played without the witness %s, after a day: without that answer the operator "
                   "knew two "
                   "results and could choose",
                   a->game.turn, a->game.witnesses.list[i].name);
        const size_t known = out->absent_count < AUDIT_ABSENT ? out->absent_count : AUDIT_ABSENT;
        if (known && out->absent[known - 1] == a->game.turn)
            continue;
        if (known < AUDIT_ABSENT)
            out->absent[known] = a->game.turn;
        out->absent_count++;
    }
}

/* Only the witness can say whose the keys are. */
static void tell_witness(struct auditing *a, int i)
{
    const struct witness *who = &a->game.witnesses.list[i];
    struct str key = STR_INIT;
    vkey_write(&key, &who->key);
    memcpy(a->out->witnesses.name[i], who->name, PLAYER_NAME);
    audit_word(a, AUDIT_KEYS, 0,
               "that the keys of the witness %s are theirs rests on the operator's word: ask them whether "
               "their key is %s",
               who->name, key.p);
    str_release(&key);
}

void audit_witness_after(struct auditing *a)
{
    struct audit_witnesses *out = &a->out->witnesses;
    out->answers += audit_kind_is(a, RECORD_WITNESS);
    if (audit_kind_is(a, RECORD_UNWITNESS) && a->game.without.turn && !out->gave_up) {
        out->gave_up = a->record->seq;
        out->gave_up_turn = a->game.turn;
        audit_note(a, AUDIT_NOTE, AUDIT_INTERVENTION, 0,
                   "from turn %d on there are no witnesses: too few had answered for three days, and a "
                   "majority of the "
                   "players wanted to go on",
                   a->game.turn);
    }
    if (!audit_is(a, "create"))
        return;
    out->count = a->game.witnesses.count;
    out->quorum = a->game.witnesses.need;
    for (int i = 0; i < out->count; i++)
        tell_witness(a, i);
}
