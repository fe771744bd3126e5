/* What lay face down, when the game is over. */
#include "rules/galaxy_command/turn.h"
#include "rules/put.h"

static struct value *hidden_systems(struct arena *arena, const struct gc_cards *cards,
                                    const struct gc_player *player)
{
    struct value *list = value_list(arena);
    for (int i = 0; i < GC_SLOTS; i++) {
        const struct gc_card *card = gc_card(cards, player->slot[i].card);
        if (player->slot[i].open || !player->slot[i].card)
            continue;
        struct value *object = value_add_object(list);
        put(object, "slot=%s name=%s resistance=%d vp=%d", gc_slot_name(i), card->name, card->resistance,
            card->vp);
    }
    value_mark_more(list);
    return list;
}

struct value *gc_reveal(const void *cards, const void *from, struct arena *arena)
{
    const struct gc_state *state = from;
    struct value *object = value_object(arena);
    struct value *players = value_put_list(object, "players");
    bool any = false;
    for (int seat = 1; seat <= gc_seats(state); seat++) {
        struct value *hidden = hidden_systems(arena, cards, gc_player_const(state, seat));
        any = any || value_count(hidden);
        struct value *player = value_add_object(players);
        put(player, "seat=%d", seat);
        value_put(player, "hidden", hidden);
    }
    return any ? object : NULL;
}
