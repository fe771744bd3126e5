/* What lay face down, when the game is over. */
#include "rules/galaxy_command/turn.h"

static struct value *hidden_systems(struct arena *arena, const struct gc_cards *cards,
                                    const struct gc_player *player)
{
    struct value *list = value_list(arena);
    for (int i = 0; i < GC_SLOTS; i++) {
        const struct gc_card *card = gc_card(cards, player->slot[i].card);
        char slot[GC_SLOT_NAME];
        if (player->slot[i].open || !player->slot[i].card)
            continue;
        struct value *object = value_add_object(list);
        gc_slot_name(slot, i);
        value_put_text(object, "slot", slot);
        value_put_text(object, "name", card->name);
        value_put_int(object, "resistance", card->resistance);
        value_put_int(object, "vp", card->vp);
    }
    value_mark_more(list);
    return list;
}

struct value *gc_reveal(const void *cards, const void *from, struct arena *arena)
{
    const struct gc_state *state = from;
    struct value *object = value_object(arena);
    struct value *players = value_put_list(object, "players");
    for (int seat = 1; seat <= gc_seats(state); seat++) {
        struct value *hidden = hidden_systems(arena, cards, gc_player_const(state, seat));
        if (!value_count(hidden))
            continue;
        struct value *player = value_add_object(players);
        value_put_int(player, "seat", seat);
        value_put(player, "hidden", hidden);
    }
    return value_count(players) ? object : NULL;
}
