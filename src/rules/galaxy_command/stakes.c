/* What can end the game for a seat, and what it is one step from. */
#include "rules/galaxy_command/turn.h"

#include <string.h>

#define NEAR 2 /* turns before year 2: so few are worth saying */

/* How many events can come next, and how many of them end the game of whoever holds no system. A red alert is no event
 * of a round: another card follows it. */
static void put_threats(struct value *object, const struct gc_cards *cards, const struct gc_state *state)
{
    uint8_t unseen[DECK_CARDS];
    const int count = decks_unseen(gc_decks, cards, state, GC_EVENT, 0, unseen);
    int events = 0, threats = 0;
    for (int i = 0; i < count; i++) {
        const struct gc_card *card = gc_card(cards, unseen[i]);
        if (card->kind == GC_ALERT)
            continue;
        events++;
        threats += card->happening == GC_REVOLT || card->happening == GC_INVASION;
    }
    value_put_int(object, "events", events);
    value_put_int(object, "threats", threats);
}

/* The next rank, and the points that it is away; false at the highest. */
static bool next_rank(struct value *object, const struct gc_cards *cards, int points)
{
    int rank = 0;
    while (rank < cards->ranks && cards->rank[rank].min <= points)
        rank++;
    if (rank == cards->ranks)
        return false;
    int away = cards->rank[rank].min - points;
    value_put_int(object, "away", away);
    value_put_flag(object, "one", away == 1);
    value_put_text(object, "rank", cards->rank[rank].name);
    rank_words(value_put_object(object, "rank_words"), gc_ranks, slice_of(cards->rank[rank].name));
    return true;
}

struct value *gc_stakes(const void *data, const void *from, int seat, struct arena *arena)
{
    const struct gc_cards *cards = data;
    const struct gc_state *state = from;
    struct value *stakes = value_object(arena), *own;
    if (seat < 1 || seat > gc_seats(state) || state->over)
        return stakes;
    const struct gc_player *player = gc_player_const(state, seat);
    const int points = gc_points(cards, player).total;
    const int turns = cards->rounds[0] + cards->rounds[1] - gc_turn_number(cards, state) + 1;
    int systems = 0;
    for (int i = 0; i < GC_SLOTS; i++)
        systems += player->slot[i].aligned > 0;
    if (player->lost) {
        own = value_put_object(stakes, "out");
    } else if (systems == 0 && state->year == 2) {
        own = value_put_object(stakes, "defenceless");
        put_threats(own, cards, state);
    } else if (systems == 1 && state->year == 2 && turns > 1) {
        const struct gc_card *card = gc_card(cards, player->slot[gc_latest_aligned(player)].card);
        own = value_put_object(stakes, "last_system");
        value_put_text(own, "system", card->name);
        value_put_int(own, "resistance", card->resistance);
        put_threats(own, cards, state);
    } else if (systems == 0 && turns <= cards->rounds[1] + NEAR) {
        own = value_put_object(stakes, "no_system");
        value_put_int(own, "turn", cards->rounds[0] + 1);
    } else if (turns == 1) {
        own = value_put_object(stakes, "final_turn");
    } else {
        own = value_put_object(stakes, "going");
    }
    value_put_flag(own, "next", next_rank(own, cards, points));
    value_put_int(own, "turns", turns);
    value_put_flag(own, "last", turns == 1);
    value_put_int(own, "points", points);
    value_put_flag(own, "several", state->seats > 1);
    value_put_int(own, "distant", gc_distant_aligned(state));
    value_put_int(own, "needed", gc_distant_needed(state));
    value_put_flag(own, "reached", gc_distant_aligned(state) >= gc_distant_needed(state));
    return stakes;
}
