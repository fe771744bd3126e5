/* Is a state possible? For states that a moderator has corrected. */
#include "rules/check.h"
#include "rules/galactic_supremacy/hands.h"
#include "rules/galactic_supremacy/state.h"
#include "rules/galactic_supremacy/turn.h"

#define CREDITS_MOST 1000000

static int check_decks(const struct gs_state *state, struct err *err)
{
    for (int d = 0; d < state->deck_count; d++)
        for (int i = 0; i < GS_SEATS; i++)
            if (check_range(err, state->deck[d].seen[i], 0, state->deck[d].draw_count, "deck[%d].seen[%d]", d,
                            i))
                return -1;
    return 0;
}

struct units {
    enum gs_kind kind;
    const struct gs_unit *list;
    int count;
};

static int check_units(const struct gs_cards *cards, const struct units *units, struct err *err)
{
    const char *kind = gs_kind_names[units->kind];
    int before = 0;
    for (int i = 0; i < units->count; i++) {
        const struct gs_unit *unit = &units->list[i];
        if (gs_card(cards, unit->card)->kind != units->kind)
            return err_set(err, ERR_INPUT, "Card %d is no %s.", unit->card, kind);
        if (unit->number <= before)
            return err_set(err, ERR_INPUT, "The numbers of the units of a kind (%s) must rise from 1.", kind);
        before = unit->number;
    }
    return 0;
}

static int check_places(const struct gs_player *player, int seat, struct err *err)
{
    for (int i = 0; i < player->fleet_count; i++)
        if (!gs_has_world(player, player->fleet[i].at))
            return err_set(err, ERR_INPUT, "player[%d].fleet[%d] would be at a world that is not there.",
                           seat - 1, i);
    for (int i = 0; i < player->leader_count; i++) {
        int at = player->leader[i].at;
        if (at < GS_ON_FLEET ? !gs_has_world(player, at) : !gs_fleet(player, at - GS_ON_FLEET))
            return err_set(err, ERR_INPUT, "player[%d].leader[%d] would be nowhere.", seat - 1, i);
    }
    return 0;
}

static int check_player(const struct gs_cards *cards, const struct gs_state *state, int seat, struct err *err)
{
    const struct gs_player *player = gs_player_const(state, seat);
    if (check_range(err, player->credits, 0, CREDITS_MOST, "player[%d].credits", seat - 1))
        return -1;
    for (int i = 0; i < GS_TECHS; i++)
        if (check_range(err, player->tech[i], 0, 999, "player[%d].tech[%d]", seat - 1, i))
            return -1;
    if (check_range(err, player->sector_count, 0, GS_SECTORS, "player[%d].sector_count", seat - 1))
        return -1;
    for (int i = 0; i < player->keep_count; i++)
        if (check_range(err, player->keep[i], 0, GS_KINDS - 1, "player[%d].keep[%d]", seat - 1, i))
            return -1;
    for (int i = 0; i < player->prefer_count; i++)
        if (check_range(err, player->prefer[i], 0, GS_TECHS - 1, "player[%d].prefer[%d]", seat - 1, i))
            return -1;
    const struct units units[] = {
        {GS_SECTOR, player->sector, player->sector_count},
        {GS_FLEET, player->fleet, player->fleet_count},
        {GS_LEADER, player->leader, player->leader_count},
    };
    for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++)
        if (check_units(cards, &units[i], err))
            return -1;
    return check_places(player, seat, err);
}

static int check_seats(const struct gs_state *state, struct err *err)
{
    uint32_t order = 0;
    for (int i = 0; i < state->seats; i++)
        order |= state->order[i] <= GS_SEATS ? SEAT_BIT(state->order[i]) : 0;
    if (order != SEAT_BIT(state->seats + 1) - SEAT_BIT(1))
        return err_set(err, ERR_INPUT, "The order must name each seat from 1 to %d once.", state->seats);
    for (int i = 0; i < state->offer_count; i++) {
        const struct gs_offer *offer = &state->offer[i];
        if (check_range(err, offer->from, 1, state->seats, "offer[%d].from", i) ||
            check_range(err, offer->to, 1, state->seats, "offer[%d].to", i) ||
            check_range(err, offer->give_credits, 0, CREDITS_MOST, "offer[%d].give_credits", i) ||
            check_range(err, offer->get_credits, 0, CREDITS_MOST, "offer[%d].get_credits", i))
            return -1;
    }
    return gs_alive(state, state->active) || state->ending
               ? 0
               : err_set(err, ERR_INPUT, "It would be the turn of a seat that is out of the game.");
}

int gs_check(const void *data, const void *from, struct err *err)
{
    const struct gs_cards *cards = data;
    const struct gs_state *state = from;
    if (check_range(err, state->seats, 2, GS_SEATS, "seats") ||
        check_range(err, state->round, 1, 9999, "round") ||
        check_range(err, state->round_limit, 0, 9999, "round_limit") ||
        check_range(err, state->active, 1, state->seats, "active") ||
        check_range(err, state->ending, GS_RUNNING, GS_AGREED, "ending") ||
        check_range(err, state->phase, 0, GS_PHASES - 1, "phase") ||
        check_range(err, state->attacks, 0, 99, "attacks") ||
        check_range(err, state->pauses, 0, 9999, "pauses") ||
        check_range(err, state->peace, 0, 1 << (GS_SEATS + 1), "peace") ||
        check_range(err, state->offered, 0, 65535, "offered") ||
        check_range(err, state->deck_count, state->own_decks ? state->seats : 1,
                    state->own_decks ? state->seats : 1, "deck_count") ||
        check_seats(state, err) || check_decks(state, err) || decks_check(gs_decks, cards, state, err))
        return -1;
    for (int seat = 1; seat <= state->seats; seat++)
        if (check_player(cards, state, seat, err))
            return -1;
    return 0;
}
