/* A closed turn and its witnesses (game/witness.h). Asking them is not a step: whoever has the league's log does it. */
#include "play/deadline.h"
#include "play/facts.h"
#include "play/step_parts.h"
#include "game/witness.h"

#include "base/encode.h"

int step_witness(struct step *step, struct game *game, const struct witness_said *said, struct err *err)
{
    json_t *fields = quorum_record(&game->witnesses, said);
    json_object_set_new(fields, "kind", json_string("witness"));
    json_object_set_new(fields, "turn", json_integer(game->turn));
    return step_record(step, game, "note", fields, NULL, err) ? -1 : step_play_closed(step, game, err);
}

/* Everybody hears what the game waits for, and the players how to go on without it. */
static int tell_late(struct step *step, struct game *game, struct err *err)
{
    json_t *fields = json_pack("{s:s,s:i}", "kind", "late", "turn", game->turn);
    if (step_record(step, game, "note", fields, NULL, err))
        return -1;
    int needed;
    (void)witness_voters(game, &needed);
    step_tell_all(step, game, "witness_late",
                  json_pack("{s:o,s:i,s:b,s:b}", "late", quorum_names(&game->witnesses, true), "needed",
                            needed, "alone", needed == 1, "several", game->witnesses.count > 1));
    return 0;
}

static void tell_voter(struct step *step, const struct game *game, int seat)
{
    int needed;
    const uint32_t votes = game->without.seats & witness_voters(game, &needed);
    json_t *facts = facts_game(game, seat);
    json_object_set_new(facts, "lacking", json_integer(needed - __builtin_popcount(votes)));
    json_object_set_new(facts, "one", json_boolean(needed - __builtin_popcount(votes) == 1));
    step_tell(step, game, POST_ANSWER, "unwitness", seat, "", facts);
}

int step_unwitness(struct step *step, struct game *game, int seat, const json_t *members, struct err *err)
{
    const bool decides = witness_decides(game, seat);
    const int64_t deadline =
        decides && game->turn ? game_next_deadline(game, game_clock(game, step->now)) : 0;
    json_t *fields = json_pack("{s:s,s:i,s:i}", "kind", "unwitness", "turn", game->turn, "seat", seat);
    json_object_update(fields, (json_t *)(uintptr_t)members);
    if (deadline)
        json_object_set_new(fields, "deadline", json_time(deadline));
    if (step_record(step, game, "note", fields, NULL, err))
        return -1;
    if (!decides) {
        tell_voter(step, game, seat);
        return 0;
    }
    step_tell_all(step, game, "unwitnessed", json_object());
    if (game->turn == 0)
        return step_begin(step, game, err);
    return step_ripe(step, game) ? step_resolve(step, game, err) : 0;
}

int step_witness_clock(struct step *step, struct game *game, struct err *err)
{
    if (game->over || game->clock.paused)
        return 0;
    if (!witness_waits(game, step_time(step, game)))
        return step_play_closed(step, game, err);
    const int64_t from = game->close.at;
    const bool due = witness_too_few(game) && !game->witnesses.late &&
                     step_time(step, game) >= from + WITNESS_LATE &&
                     elapsed_over(step->keys.outside, from, from + WITNESS_LATE, step->now);
    return due ? tell_late(step, game, err) : 0;
}
