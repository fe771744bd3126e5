/* The witness, who lends dice and cosigns the league's log. */
#include "sim/people.h"

#include <stdlib.h>

#include "tlog/armor.h"
#include "tlog/witness.h"

/* What the witness has cosigned. `forgotten`: the league does not know all of it, as it was restored from an older copy. */
static struct {
    struct vkey log;
    struct witness_state state;
    int64_t answered;
    bool forgotten;
} remembered;

/* A new log of the league's is watched from its beginning, as the operator has told them. */
static void know_log(const struct checkpoint *checkpoint)
{
    if (strcmp(remembered.log.name, checkpoint->origin) == 0)
        return;
    witness_state_release(&remembered.state);
    vkey_make(&remembered.log, slice_of(checkpoint->origin), VKEY_SIGNER, world.key);
    remembered.forgotten = false;
}

static void add_dice(const struct person *me, const struct witness_request *request,
                     const struct witness_ruling *ruling, struct witness_answer *answer)
{
    for (size_t i = 0; ruling->status == 200 && i < request->closes; i++) {
        const struct log_entry *close = &request->close[i].entry;
        struct witness_dice *dice = &answer->dice[answer->count++];
        struct str input = STR_INIT;
        unsigned char beta[VRF_OUTPUT];
        *dice = (struct witness_dice){.turn = close->turn, .given = ruling->dice[i]};
        memcpy(dice->name, close->name, sizeof dice->name);
        memcpy(dice->no, ruling->no[i], sizeof dice->no);
        witness_dice_input(&input, &remembered.log, close);
        MUST(vrf_prove(dice->proof, beta, me->vrf_secret, me->vrf_public, slice_str(&input)), "no dice");
        str_release(&input);
    }
}

/* Answers as `turnpost witness` does, but for some days on which they read no mail. A league that a copy has set back shows another log than
 * it did, and gets no answer. */
void witness_answers(struct person *me, const struct ours *ours)
{
    struct witness_request request = {.closes = 0};
    struct witness_ruling ruling;
    struct witness_answer answer = {.count = 0};
    struct err err = ERR_INIT;
    struct str said = STR_INIT, armor = STR_INIT, text = STR_INIT, signature = STR_INIT;
    char event[60];
    struct dice luck = dice("witness %s %lld", ours->id, ours->again),
                away = dice("witness is away %lld", (long long)(now() / (5 * 86400)));
    MUST_DO(witness_request_parse(slice_str(&ours->asked), &request, &err), err);
    know_log(&request.checkpoint);
    if (!chance(&away, 150) && !chance(&luck, 100) && people_decide(event, me, "witness", ours)) {
        witness_decide(&remembered.state, &remembered.log, &request, now(), &ruling);
        MUST(ruling.status == 200 || ruling.status == 409 || remembered.forgotten, "to a witness: %d",
             ruling.status);
        struct checkpoint checkpoint = {.size = remembered.state.size, .root = remembered.state.root};
        (void)snprintf(checkpoint.origin, sizeof checkpoint.origin, "%s", remembered.log.name);
        if (!checkpoint.size)
            tree_empty(&checkpoint.root);
        checkpoint_text(&text, &checkpoint);
        note_cosign(&signature, slice_str(&text), &me->vkey, me->cosigner.key, now());
        answer.size = checkpoint.size;
        answer.signatures = slice_str(&signature);
        answer.dice = calloc(WITNESS_CLOSES, sizeof *answer.dice);
        add_dice(me, &request, &ruling, &answer);
        witness_answer_write(&said, &answer);
        armored_write(&armor, WITNESS_ANSWER, slice_str(&said));
        remembered.answered = now();
        if (ruling.status == 200 || ruling.status == 409)
            letter_type(me, event, armor.p, NULL);
    }
    witness_answer_release(&answer);
    witness_request_release(&request);
    str_release(&said);
    str_release(&armor);
    str_release(&text);
    str_release(&signature);
}

void witness_forget(int64_t since)
{
    remembered.forgotten |= remembered.answered >= since;
}
