/* Is a state possible? For states that a moderator has corrected. */
#include "rules/check.h"
#include "rules/galaxy_command/turn.h"

static int check_aligned(const struct gc_player *player, int seat, int slot, struct err *err)
{
    const struct gc_slot *at = &player->slot[slot];
    if (check_range(err, at->aligned, 0, at->open ? player->alignments : 0, "aligned of %s of player[%d]",
                    gc_slot_name(slot), seat - 1))
        return -1;
    for (int other = 0; at->aligned && other < slot; other++)
        if (player->slot[other].aligned == at->aligned)
            return err_set(err, ERR_INPUT, "Two systems of player[%d] would be aligned as the %dth.",
                           seat - 1, at->aligned);
    return 0;
}

/* Each round takes one event from the pile, and the year ends with it. */
static int check_round(const struct gc_cards *cards, const struct gc_state *state, struct err *err)
{
    int rounds = cards->rounds[state->year == 2];
    if (check_range(err, state->round, 1, rounds, "round"))
        return -1;
    if (!state->over && state->round + state->pile_count != rounds + 1)
        return err_set(err, ERR_INPUT, "In round %d of %d there would be %d events on the pile, not %d.",
                       state->round, rounds, state->pile_count, rounds + 1 - state->round);
    return 0;
}

int gc_check(const void *data, const void *from, struct err *err)
{
    const struct gc_cards *cards = data;
    const struct gc_state *state = from;
    if (check_range(err, state->seats, 1, GC_SEATS, "seats") || check_range(err, state->coop, 1, 3, "coop") ||
        check_range(err, state->year, 1, 2, "year") || check_round(cards, state, err) ||
        check_range(err, state->first, 1, state->seats, "first") || decks_check(gc_decks, cards, state, err))
        return -1;
    for (int seat = 1; seat <= state->seats; seat++) {
        const struct gc_player *player = gc_player_const(state, seat);
        if (check_range(err, player->metal, 0, gc_storage_limit(cards, player), "player[%d].metal",
                        seat - 1) ||
            check_range(err, player->wealth, 0, gc_storage_limit(cards, player), "player[%d].wealth",
                        seat - 1) ||
            check_range(err, player->military, 0, gc_military_limit(cards, player), "player[%d].military",
                        seat - 1) ||
            check_range(err, player->alignments, 0, 9999, "player[%d].alignments", seat - 1))
            return -1;
        for (int slot = 0; slot < GC_SLOTS; slot++)
            if (check_aligned(player, seat, slot, err))
                return -1;
    }
    return 0;
}
