/* A question to a player that stays open in the game. */
#include "base/json.h"
#include "game/game_seats.h"
#include "play/step.h"
#include "game/vouched.h"
#include "play/step_parts.h"

int step_question(struct step *step, struct game *game, const struct question_input *input, struct err *err)
{
    int seat = input->seat;
    if (!seat_may_be_asked(game, seat))
        return 0;
    json_t *fields = json_pack("{s:s,s:i,s:i,s:o,s:o}", "kind", "question", "turn", game->turn, "seat", seat,
                               "mail", json_hex(input->mail, 32), "vouched",
                               step_vouched(step, game, 0, input->proof, VOUCHED_KEPT));
    return step_record(step, game, "note", fields, NULL, err);
}
