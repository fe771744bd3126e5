#include "base/encode.h"
#include "base/reason.h"
#include "play/step_parts.h"
#include "game/witness.h"

/* An invalid proof would make a record that cannot be applied. */
static bool proves(const struct game *game, const struct witness_input *input)
{
    unsigned char proof[VRF_PROOF], beta[VRF_OUTPUT];
    struct str alpha = STR_INIT;
    witness_alpha(&alpha, game);
    bool good = hex_decode(proof, sizeof proof, slice_of(input->proof)) &&
                vrf_verify(beta, game->witnesses.list[input->witness].vrf, proof, slice_str(&alpha));
    str_release(&alpha);
    return good;
}

static bool fits_last(const struct game *game, const struct witness_input *input, json_t **refusal)
{
    const struct game_witness *witness = &game->witnesses.list[input->witness];
    char last[2 * HEAD_BYTES + 1] = "";
    if (witness->ever)
        hex_to(last, witness->last, HEAD_BYTES);
    if (witness_last_fits(game, input->witness, input->last))
        return true;
    if (*last)
        reason_set(refusal, "last_other last=%s", last);
    else
        reason_set(refusal, "last_none");
    return false;
}

enum outcome step_witness(struct step *step, struct game *game, const struct witness_input *input,
                          json_t **refusal, struct err *err)
{
    const struct game_witness *witness = &game->witnesses.list[input->witness];
    if (!proves(game, input)) {
        reason_set(refusal, "proof_other game=%s", game->id);
        return OUTCOME_REFUSED;
    }
    if (!fits_last(game, input, refusal))
        return OUTCOME_REFUSED;
    json_t *fields = json_pack("{s:s,s:i,s:s,s:s}", "kind", "witness", "turn", game->turn, "witness",
                               witness->player, "pi", input->proof);
    if (*input->last)
        json_object_set_new(fields, "last", json_string(input->last));
    json_object_update(fields, (json_t *)(uintptr_t)input->members);
    if (step_record(step, game, "note", fields, NULL, err))
        return OUTCOME_FAILED;
    return step_play_closed(step, game, err);
}

int step_excuse(struct step *step, struct game *game, int witness, const json_t *members, struct err *err)
{
    json_t *fields =
        json_pack("{s:i,s:s}", "turn", game->turn, "witness", game->witnesses.list[witness].player);
    json_object_update(fields, (json_t *)(uintptr_t)members);
    if (step_record(step, game, "excuse", fields, NULL, err))
        return -1;
    step_tell_all(step, game, "excused",
                  json_pack("{s:s,s:O,s:O}", "witness", game->witnesses.list[witness].player, "reason",
                            json_object_get(members, "reason"), "by", json_object_get(members, "by")));
    return step_play_closed(step, game, err);
}

/* They are asked again every day; the first time, everybody is told what the game is waiting for. */
static int ask_again(struct step *step, struct game *game, struct err *err)
{
    bool first = game->witnesses.asked == game->close.at;
    json_t *fields = json_pack("{s:s,s:i}", "kind", "asked", "turn", game->turn);
    if (step_record(step, game, "note", fields, NULL, err))
        return -1;
    if (first)
        step_tell_all(step, game, "witness_late", json_pack("{s:o}", "late", witness_names(game, true)));
    step_ask_witnesses(step, game);
    return 0;
}

/* They were asked last by a clock that was far ahead, or by a journal that still is: then they are asked when
 * the game is looked at, which is once a day (batch_row). */
static bool lost_count(const struct step *step, const struct game *game)
{
    const struct outside *outside = step->keys.outside;
    return outside && !outside->believed && !outside->reset && game_misdated(game, step->now);
}

int step_witness_clock(struct step *step, struct game *game, struct err *err)
{
    if (game->over || game->clock.paused)
        return 0;
    if (!witness_waits(game))
        return step_play_closed(step, game, err);
    int64_t asked = game->witnesses.asked;
    bool due = elapsed_over(step->keys.outside, asked, asked + WITNESS_ASKED, step->now);
    return due || lost_count(step, game) ? ask_again(step, game, err) : 0;
}
