#include <string.h>

#include "base/json.h"
#include "play/facts.h"
#include "petitions/petition.h"
#include "petitions/reply_petition.h"
#include "game/seating.h"
#include "play/step_parts.h"

enum { SEAT };

/* The seat that the text gets its sender; 0 with a refusal when they cannot have the one that it names. */
static int choose_seat(struct hearing *hearing, bool *drawn)
{
    const struct game *game = &hearing->entry->game;
    int asked = seating_named(hearing->value[SEAT]);
    if (hearing->value[SEAT].p && (!asked || asked > game->seats)) {
        (void)hearing_refuse(hearing, "takes_number line=%s min=%d max=%d", "seat", 1, game->seats);
        return 0;
    }
    int kept = seating_kept_seat(game, hearing->player);
    int seat = seating_place(game, hearing->player, asked, drawn);
    if (!seat && kept)
        (void)hearing_refuse(hearing, "seat_kept_for_you seat=%d", kept);
    else if (!seat)
        (void)hearing_refuse(hearing, "seat_taken seat=%d", asked);
    return seat;
}

/* What they wish for, if the seat leaves it to them. */
static bool read_wishes(struct hearing *hearing, struct join_input *input)
{
    const struct game *game = &hearing->entry->game;
    if (!hearing_wishes(hearing, game->ruleset, game->cards, &input->wishes))
        return false;
    if (!input->wishes.of[0] || facts_may_wish(game, input->drawn ? 0 : input->seat) || game->turn > 0)
        return true;
    (void)hearing_refuse(hearing, "wish_chosen line=%s", hearing->others.wish_line);
    return false;
}

/* The answer. */
static void tell(struct hearing *hearing, const struct join_input *input)
{
    const struct game *game = &hearing->entry->game;
    struct str names = STR_INIT;
    json_t *facts = facts_game(game, input->seat);
    wish_write(&names, game->ruleset, game->cards, &input->wishes);
    if (names.len)
        json_object_set_new(facts, "wished", json_string(names.p));
    str_release(&names);
    json_object_set_new(facts, "waits", json_boolean(!input->seat));
    json_object_set_new(facts, "drawn", json_boolean(input->drawn));
    json_object_set_new(facts, "place", json_integer((json_int_t)game->table.waiting_count));
    json_object_set_new(facts, "begun", json_boolean(game->turn > 0));
    json_object_set_new(facts, "begins",
                        json_boolean(game_ready(game) && !game_deal_waits(game, hearing->step.now)));
    step_tell(&hearing->step, game, POST_ANSWER, "joined", input->seat, hearing->player, facts);
}

static enum outcome act(struct hearing *hearing, struct err *err)
{
    struct game *game = &hearing->entry->game;
    struct join_input input = {.player = hearing->player,
                               .exact = hearing->exact,
                               .signature = (json_t *)(uintptr_t)hearing->signature,
                               .proof = hearing->proof};
    bool room = seating_has_room(game, hearing->player);
    if (game->over)
        return hearing_refuse(hearing, "over game=%s", game->id);
    if (hearing->seat)
        return hearing_refuse_why(hearing, reply_seated(game, hearing->player));
    if (!room && game_waits(game, hearing->player))
        return hearing_refuse(hearing, "waiting_already game=%s", game->id);
    if (!room && game->table.waiting_count >= WAITING_MOST)
        return hearing_refuse(hearing, "list_full game=%s", game->id);
    if (!room && hearing->value[SEAT].p)
        return hearing_refuse(hearing, "game_full game=%s", game->id);
    if (room && !(input.seat = choose_seat(hearing, &input.drawn)))
        return OUTCOME_REFUSED;
    if (!read_wishes(hearing, &input))
        return OUTCOME_REFUSED;
    json_t *evidence = hearing_evidence(hearing);
    input.members = evidence;
    int rc = step_join(&hearing->step, game, &input, err);
    json_decref(evidence);
    if (rc)
        return OUTCOME_FAILED;
    tell(hearing, &input);
    if (step_begin(&hearing->step, game, err))
        return OUTCOME_FAILED;
    if (input.seat) /* when the game begins, its first report tells who plays */
        step_tell_table(&hearing->step, game, input.seat, hearing->player, NULL);
    return OUTCOME_DONE;
}

const struct petition petition_join = {
    .verb = "join",
    .needs = PETITION_GAME | PETITION_MAIL,
    .fields = {[SEAT] = "seat"},
    .wishes = true,
    .keys = true,
    .act = act,
};
