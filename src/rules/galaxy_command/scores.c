/* Points, ranks, the common victory, and whether the game goes on. */
#include "rules/galaxy_command/state.h"

struct gc_points gc_points(const struct gc_cards *cards, const struct gc_player *player)
{
    struct gc_points points = {0};
    int open = 0;
    int aligned = 0;
    for (int i = 0; i < GC_SLOTS; i++) {
        open += player->slot[i].open;
        aligned += player->slot[i].aligned > 0;
        if (player->slot[i].aligned)
            points.systems += gc_card(cards, player->slot[i].card)->vp;
    }
    for (int i = 0; i < GC_TECHS; i++)
        points.technologies += player->tech[i];
    points.exploration = open == GC_SLOTS ? cards->bonus_exploration : 0;
    points.scientific = points.technologies == GC_TECHS ? cards->bonus_scientific : 0;
    points.warlord = aligned == GC_SLOTS ? cards->bonus_warlord : 0;
    points.total =
        points.systems + points.technologies + points.exploration + points.scientific + points.warlord;
    return points;
}

const char *gc_rank(const struct gc_cards *cards, int points)
{
    int rank = 0;
    while (rank + 1 < cards->ranks && points >= cards->rank[rank + 1].min)
        rank++;
    return cards->rank[rank].name;
}

int gc_distant_aligned(const struct gc_state *state)
{
    int count = 0;
    for (int seat = 1; seat <= gc_seats(state); seat++) {
        for (int i = GC_NEAR_SLOTS; i < GC_SLOTS; i++)
            count += gc_player_const(state, seat)->slot[i].aligned > 0;
    }
    return count;
}

int gc_distant_needed(const struct gc_state *state)
{
    return state->coop * gc_seats(state);
}

uint32_t gc_awaits(const void *from)
{
    const struct gc_state *state = from;
    uint32_t seats = 0;
    for (int seat = 1; seat <= gc_seats(state) && !state->over; seat++) {
        if (!gc_player_const(state, seat)->lost)
            seats |= SEAT_BIT(seat);
    }
    return seats;
}

void gc_scores(const void *data, const void *from, struct score *scores)
{
    const struct gc_cards *cards = data;
    const struct gc_state *state = from;
    int seats = gc_seats(state);
    bool victory = state->over && seats > 1 && gc_distant_aligned(state) >= gc_distant_needed(state);
    for (int seat = 1; seat <= seats; seat++) {
        const struct gc_player *player = gc_player_const(state, seat);
        int points = player->lost ? 0 : gc_points(cards, player).total;
        enum seat_fate fate = player->lost ? SEAT_LOST : state->over ? SEAT_FINISHED : SEAT_PLAYING;
        scores[seat] = (struct score){.fate = fate, .points = points, .won = victory && !player->lost};
        scores[seat].rank = player->lost ? cards->lost_rank : gc_rank(cards, points);
    }
    for (int seat = 1; seat <= seats; seat++) {
        if (scores[seat].fate != SEAT_FINISHED)
            continue;
        scores[seat].place = 1;
        for (int other = 1; other <= seats; other++) {
            if (scores[other].fate == SEAT_FINISHED && scores[other].points > scores[seat].points)
                scores[seat].place++;
        }
    }
}

const char *gc_ending(const void *from)
{
    const struct gc_state *state = from;
    if (!state->over)
        return "";
    for (int seat = 1; seat <= gc_seats(state); seat++) {
        if (!gc_player_const(state, seat)->lost)
            return "years_over";
    }
    return "all_lost";
}
