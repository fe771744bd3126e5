/* Whose orders are awaited, places, and the end. */
#include "rules/galactic_supremacy/state.h"

uint32_t gs_awaits(const void *from)
{
    const struct gs_state *state = from;
    return state->ending || !gs_alive(state, state->active) ? 0 : SEAT_BIT(state->active);
}

bool gs_interrupted(const void *from)
{
    return ((const struct gs_state *)from)->paused;
}

static int worlds(const struct gs_player *player)
{
    return player->out ? 0 : 1 + player->sector_count;
}

int gs_compare(const struct gs_player *one, const struct gs_player *other, struct gs_margin *margin)
{
    const int ones[] = {worlds(one), one->fleet_count, gs_tech_sum(one), one->credits};
    const int others[] = {worlds(other), other->fleet_count, gs_tech_sum(other), other->credits};
    int i = GS_BY_WORLDS;
    while (i < GS_BY_CREDITS && ones[i] == others[i])
        i++;
    *margin = (struct gs_margin){(enum gs_measure)i, ones[i], others[i]};
    return (ones[i] > others[i]) - (ones[i] < others[i]);
}

void gs_scores(const void *data, const void *from, struct score *scores)
{
    const struct gs_state *state = from;
    struct gs_margin margin;
    (void)data;
    for (int seat = 1; seat <= gs_seats(state); seat++) {
        const struct gs_player *player = gs_player_const(state, seat);
        struct score *score = &scores[seat];
        *score = (struct score){.fate = SEAT_PLAYING, .points = worlds(player), .rank = ""};
        if (player->out)
            score->fate = SEAT_LOST;
        if (player->out || !state->ending)
            continue;
        score->fate = SEAT_FINISHED;
        score->place = 1;
        for (int other = 1; other <= gs_seats(state); other++) {
            const struct gs_player *rival = gs_player_const(state, other);
            if (!rival->out && state->ending == GS_ROUND_LIMIT && gs_compare(rival, player, &margin) > 0)
                score->place++;
        }
        score->won = score->place == 1;
    }
}

const char *gs_ending(const void *from)
{
    switch (((const struct gs_state *)from)->ending) {
    case GS_CONQUEST: return "conquest";
    case GS_ROUND_LIMIT: return "round_limit";
    case GS_AGREED: return "agreed";
    default: return "";
    }
}
