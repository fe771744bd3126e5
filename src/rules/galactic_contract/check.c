/* Is a state possible? For states that a moderator has corrected. */
#include "rules/check.h"
#include "rules/galactic_contract/state.h"
#include "rules/galactic_contract/turn.h"

static int check_goods(const struct gk_goods *goods, int most, const char *where, int seat, struct err *err)
{
    for (int kind = 0; kind < GK_KINDS; kind++)
        if (check_range(err, goods->of[kind], 0, most, "%s of player[%d], %s", where, seat - 1,
                        gk_kinds[kind]))
            return -1;
    return check_range(err, gk_sum(goods), 0, most, "The sum of %s of player[%d]", where, seat - 1);
}

/* What is on the table and in the ships must equal what the bank began with. */
static int check_bank(const struct gk_cards *cards, const struct gk_state *state, struct err *err)
{
    struct gk_goods all = state->bank;
    for (int seat = 1; seat <= state->seats; seat++) {
        const struct gk_player *player = gk_player_const(state, seat);
        gk_add(&all, &player->cargo);
        for (int i = 0; i < player->owned_count; i++)
            gk_add(&all, &player->owned[i].held);
    }
    for (int kind = 0; kind < GK_KINDS; kind++)
        if (check_range(err, state->bank.of[kind], 0, cards->bank.of[kind], "bank.%s", gk_kinds[kind]) ||
            check_range(err, all.of[kind], cards->bank.of[kind], cards->bank.of[kind],
                        "The sum of %s in the bank, the ships and the storages", gk_kinds[kind]))
            return -1;
    return 0;
}

static int check_player(const struct gk_cards *cards, const struct gk_state *state, int seat, struct err *err)
{
    const struct gk_player *player = gk_player_const(state, seat);
    if (check_range(err, player->place, 0, state->planets, "player[%d].place", seat - 1) ||
        check_range(err, player->visited, 0, state->planets, "player[%d].visited", seat - 1) ||
        check_goods(&player->cargo, gk_capacity(cards, player), "cargo", seat, err))
        return -1;
    for (int i = 0; i < player->owned_count; i++) {
        const struct gk_owned *owned = &player->owned[i];
        const struct gk_upgrade_card *card = gk_upgrade_card(cards, owned->card);
        if (check_goods(&owned->held, card->planet ? card->capacity : 0, "a storage", seat, err))
            return -1;
    }
    for (int i = 0; i < player->keep_count; i++)
        if (check_range(err, player->keep[i], 0, GK_KINDS - 1, "player[%d].keep[%d]", seat - 1, i))
            return -1;
    for (int i = 0; i <= GK_CONSTRUCTIONS; i++)
        if (check_range(err, player->put[i], 0, state->planets, "player[%d].put[%d]", seat - 1, i))
            return -1;
    return 0;
}

int gk_check(const void *data, const void *from, struct err *err)
{
    const struct gk_cards *cards = data;
    const struct gk_state *state = from;
    if (check_range(err, state->seats, 1, GK_SEATS, "seats") ||
        check_range(err, state->round, 1, 9999, "round") ||
        check_range(err, state->first, 1, state->seats, "first") ||
        check_range(err, state->active, 1, state->seats, "active") ||
        check_range(err, state->ending, GK_GOES_ON, GK_BY_TRADES, "ending") ||
        check_range(err, state->steps, 0, 99, "steps") || check_range(err, state->boost, 0, 99, "boost") ||
        check_range(err, state->planets, 1, GK_PLANETS, "planets") || check_bank(cards, state, err) ||
        decks_check(gk_decks, cards, state, err))
        return -1;
    for (int seat = 1; seat <= state->seats; seat++)
        if (check_player(cards, state, seat, err))
            return -1;
    return 0;
}
