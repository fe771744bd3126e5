/* The hands, when the game is over. */
#include "rules/galactic_supremacy/turn.h"

static struct value *hand(struct arena *arena, const struct gs_cards *cards, const struct gs_player *player)
{
    struct value *list = value_list(arena);
    for (int kind = 0; kind < GS_KINDS; kind++) {
        int count = gs_hand_count(cards, player, (enum gs_kind)kind);
        if (!count)
            continue;
        struct value *object = value_add_object(list);
        value_put_int(object, "count", count);
        value_put_text(object, "kind", gs_kind_names[kind]);
    }
    value_mark_more(list);
    return list;
}

struct value *gs_reveal(const void *cards, const void *from, struct arena *arena)
{
    const struct gs_state *state = from;
    struct value *object = value_object(arena);
    struct value *players = value_put_list(object, "players");
    for (int seat = 1; seat <= gs_seats(state); seat++) {
        const struct gs_player *player = gs_player_const(state, seat);
        if (player->out || !player->hand_count)
            continue;
        struct value *one = value_add_object(players);
        value_put_int(one, "seat", seat);
        value_put(one, "hand", hand(arena, cards, player));
    }
    return value_count(players) ? object : NULL;
}
