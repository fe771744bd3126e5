/* Witnesses: what they, and moderators who excuse them, have signed. */
#include <string.h>

#include "base/encode.h"
#include "audit/audit_parts.h"
#include "game/witness.h"

/* The text holds the proof, in lines. */
static bool holds_proof(struct slice body, const char *proof)
{
    size_t at = 0, len = strlen(proof);
    struct slice line;
    while (slice_line(&body, &line)) {
        line = slice_trim(line);
        if (line.len && line.len <= len - at && memcmp(line.p, proof + at, line.len) == 0)
            at += line.len;
    }
    return at == len;
}

/* The witness had answered a close for which they were excused. */
static void tell_dropped(struct auditing *a)
{
    int i = witness_of(&a->game, audit_text(a, "witness"));
    unsigned char last[HEAD_BYTES];
    if (i >= 0 && audit_hex(a, "last", last) &&
        !(a->game.witnesses.list[i].ever && memcmp(last, a->game.witnesses.list[i].last, HEAD_BYTES) == 0))
        audit_note(a, AUDIT_NOTE, AUDIT_INTERVENTION, 0,
                   "the witness %s had answered a close for which they were excused: the answer came too "
                   "late, or was dropped",
                   audit_text(a, "witness"));
}

int audit_witness_text(struct auditing *a, const struct audit_signed *text)
{
    char head[2 * HEAD_BYTES + 1];
    struct slice last = {"", 0};
    hex_to(head, a->game.close.head, HEAD_BYTES);
    (void)frame_line(text->frame.body, "last", &last);
    if (strcmp(text->frame.head, head) != 0)
        return audit_broken(a, AUDIT_TEXT, 0, "the witness has signed another close than the one before it");
    if (!slice_eq(last, audit_text(a, "last")))
        return audit_broken(a, AUDIT_TEXT, 0, "the witness has signed another \"last\"");
    if (!holds_proof(text->frame.body, audit_text(a, "pi")))
        return audit_broken(a, AUDIT_TEXT, 0, "the proof is not the one that the witness has signed");
    tell_dropped(a);
    a->out->witnesses.answers++;
    return 0;
}

int audit_excuse_text(struct auditing *a, const struct audit_signed *text)
{
    struct slice witness = {"", 0}, reason = {"", 0};
    (void)frame_line(text->frame.body, "witness", &witness);
    (void)frame_line(text->frame.body, "reason", &reason);
    if (!slice_caseeq(witness, audit_text(a, "witness")) || !slice_eq(reason, audit_text(a, "reason")))
        return audit_broken(a, AUDIT_TEXT, 0, "the moderator has signed another excuse");
    return 0;
}

static void count_excused(struct audit_result *out, int turn)
{
    size_t known =
        out->witnesses.excused_count < AUDIT_EXCUSED ? out->witnesses.excused_count : AUDIT_EXCUSED;
    if (known && out->witnesses.excused[known - 1] == turn)
        return;
    if (known < AUDIT_EXCUSED)
        out->witnesses.excused[known] = turn;
    out->witnesses.excused_count++;
}

/* Only the witness can say whose the keys are. */
static void tell_witness(struct auditing *a, int i)
{
    const struct game_witness *who = &a->game.witnesses.list[i];
    char vrf[2 * VRF_PUBLIC + 1];
    memcpy(a->out->witnesses.name[i], who->player, PLAYER_NAME);
    hex_to(vrf, who->vrf, VRF_PUBLIC);
    audit_word(
        a, AUDIT_KEYS, 0,
        "that the keys of the witness %s are theirs rests on the operator's word: ask them whether the key "
        "of their dice is %s",
        who->player, vrf);
}

void audit_witness_after(struct auditing *a)
{
    if (audit_is(a, "excuse"))
        audit_note(a, AUDIT_NOTE, AUDIT_INTERVENTION, 0,
                   "turn %d goes on without the witness %s, whom %s excused: %s", a->game.turn,
                   audit_text(a, "witness"), audit_text(a, "by"), audit_text(a, "reason"));
    if (audit_is(a, "excuse"))
        count_excused(a->out, a->game.turn);
    if (!audit_is(a, "create"))
        return;
    a->out->witnesses.count = a->game.witnesses.count;
    for (int i = 0; i < a->game.witnesses.count; i++)
        tell_witness(a, i);
}
