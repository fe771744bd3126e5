/* Orders of the draw and the command phase, and the standing lists. */
#include "rules/galactic_supremacy/names.h"

#include <string.h>

#include "base/str.h"

/* ---- draw phase ---- */

GS_HANDLER(gs_run_draw)
{
    struct gs_turn *play = turn;
    if (args_keyword(args, "card", 4) || args_keyword(args, "extra", 5))
        (void)args_keyword(args, "card", 4);
    if (!args_finished(args, why) || !gs_enter(turn, GS_PHASE_DRAW, why))
        return ORDER_REFUSED;
    if (play->state->extra)
        return no(why, "one_extra_card");
    if (play->player->credits < play->cards->cost_extra)
        return no(why, "too_poor cost=%d have=%d", play->cards->cost_extra, play->player->credits);
    if (gs_drawable(play->table, play->seat) < 1 || gs_hand_full(play->player))
        return no(why, "deck_empty");
    *rolled = true;
    gs_buy_card(play);
    return ORDER_DONE;
}

static enum order_result run_exchange(struct gs_turn *turn, enum gs_exchange exchange, struct args *args,
                                      struct refusal *why, bool *rolled)
{
    enum gs_kind give = turn->cards->exchange_give[exchange];
    int times = 1;
    (void)args_number(args, &times);
    (void)args_keyword(args, "times", 4);
    if (!args_finished(args, why) || !gs_enter(turn, GS_PHASE_DRAW, why))
        return ORDER_REFUSED;
    int have = gs_hand_count(turn->cards, turn->player, give);
    if (times == ARGS_ALL)
        times = have ? have : 1;
    if (have < times || times < 1)
        return no(why, "no_such_card kind=%s have=%d", gs_kind_names[give], have);
    /* Each card drawn may be kept, so there must be one for each. The first one discarded can itself be
     * drawn. */
    int index = gs_hand_find(turn->cards, turn->player, give);
    bool returns = gs_deck_of(turn->state, turn->player->hand[index]) ==
                   &turn->state->deck[gs_own_deck(turn->state, turn->seat)];
    if (turn->table->shuffles >= GS_SHUFFLES)
        returns = false;
    if (gs_drawable(turn->table, turn->seat) + returns < times)
        return no(why, "deck_empty");
    *rolled = true;
    return gs_exchange(turn, exchange, times) > 0 ? ORDER_DONE : ORDER_FAILED;
}

GS_HANDLER(gs_run_explore)
{
    return run_exchange(turn, GS_EXPLORE, args, why, rolled);
}

GS_HANDLER(gs_run_draft)
{
    return run_exchange(turn, GS_DRAFT, args, why, rolled);
}

GS_HANDLER(gs_run_intel)
{
    return run_exchange(turn, GS_INTEL, args, why, rolled);
}

GS_HANDLER(gs_run_rnd)
{
    return run_exchange(turn, GS_RND, args, why, rolled);
}

GS_HANDLER(gs_run_discard)
{
    struct gs_turn *play = turn;
    struct gs_list list = {{0}, 0};
    struct args bare = *args;
    int named = -1;
    int kind;
    (void)rolled;
    if (!gs_enter(turn, GS_PHASE_DRAW, why))
        return ORDER_REFUSED;
    if (!gs_read_kind(&bare, &kind) && gs_read_hand(play, args, -1, &named))
        list.kind[gs_card(play->cards, play->player->hand[named])->kind] = 1;
    else if (!gs_read_list(play->cards, args, &list) || list.credits)
        return no(why, "discard_what words=%s", args_words(args).p);
    if (!args_finished(args, why))
        return ORDER_REFUSED;
    int total = 0;
    for (kind = 0; kind < GS_KINDS; kind++) {
        int have = gs_hand_count(play->cards, play->player, (enum gs_kind)kind);
        total += list.kind[kind];
        if (list.kind[kind] > have)
            return no(why, "no_such_card kind=%s have=%d", gs_kind_names[kind], have);
    }
    int limit = gs_hand_limit(play->cards, play->player);
    if (play->player->hand_count - total < limit)
        return no(why, "within_limit limit=%d have=%d", limit, play->player->hand_count);
    if (named >= 0)
        gs_hand_first(play->cards, play->player, named);
    for (kind = 0; kind < GS_KINDS; kind++) {
        for (int i = 0; i < list.kind[kind]; i++)
            gs_discard_kind(play->table, play->seat, (enum gs_kind)kind, false);
    }
    return ORDER_DONE;
}

/* ---- standing lists ---- */

static bool listed(const uint8_t *list, int count, int value)
{
    for (int i = 0; i < count; i++) {
        if (list[i] == value)
            return true;
    }
    return false;
}

GS_HANDLER(gs_run_keep)
{
    struct gs_turn *play = turn;
    uint8_t keep[GS_KINDS];
    int count = 0;
    int kind;
    (void)rolled;
    if (play->reaction != GS_OWN_TURN)
        return no(why, "no_answer");
    while (gs_read_kind(args, &kind)) {
        if (count < GS_KINDS && !listed(keep, count, kind))
            keep[count++] = (uint8_t)kind;
    }
    if (!args_end(args) || !count)
        return no(why, "keep_what words=%s", args_words(args).p);
    memset(play->player->keep, 0, sizeof(play->player->keep));
    memcpy(play->player->keep, keep, (size_t)count);
    play->player->keep_count = (uint8_t)count;
    return ORDER_DONE;
}

GS_HANDLER(gs_run_prefer)
{
    struct gs_turn *play = turn;
    uint8_t prefer[GS_TECHS];
    int count = 0;
    int tech;
    (void)rolled;
    if (play->reaction != GS_OWN_TURN)
        return no(why, "no_answer");
    while (!args_end(args) && gs_read_tech(play->cards, args, &tech, NULL) == NAME_ONE) {
        if (count < GS_TECHS && !listed(prefer, count, tech))
            prefer[count++] = (uint8_t)tech;
    }
    if (!args_end(args) || !count)
        return no(why, "unknown_technology words=%s", args_words(args).p);
    memset(play->player->prefer, 0, sizeof(play->player->prefer));
    memcpy(play->player->prefer, prefer, (size_t)count);
    play->player->prefer_count = (uint8_t)count;
    return ORDER_DONE;
}

/* ---- command phase ---- */

/* Refuses a use that belongs to another phase. */
static enum order_result check_window(int use, struct refusal *why)
{
    switch (use) {
    case GS_TACTICAL:
    case GS_SURPRISE: return no(why, "attack_window");
    case GS_AMBUSH:
    case GS_PEACE: return no(why, "defence_window");
    case GS_COUNTER: return no(why, "counter_window");
    default: return ORDER_DONE;
    }
}

/* Reads whom a use is aimed at. */
static bool read_target(const struct gs_turn *turn, struct args *args, struct gs_played *played, int *unit,
                        struct refusal *why)
{
    bool at_unit = played->use == GS_MILSAB || played->use == GS_ASSASSINATION;
    bool at_player = at_unit || played->use == GS_MISINFORMATION || played->use == GS_SPY ||
                     played->use == GS_STEAL || played->use == GS_INDSAB;
    struct gs_ref ref;
    if (at_player && !gs_read_opponent(turn, args, &played->target, why))
        return false;
    if (!at_unit)
        return args_finished(args, why);
    char type = played->use == GS_MILSAB ? 'f' : 'l';
    if (!gs_read_unit(turn, played->target, args, &ref) || ref.type != type) {
        no(why, type == 'f' ? "which_fleet player=%s" : "which_leader player=%s",
           code_of('P', played->target).p);
        return false;
    }
    *unit = ref.number;
    return args_finished(args, why);
}

/* A use that would be wasted is refused. */
static bool worth_it(const struct gs_turn *turn, const struct gs_played *played, struct refusal *why)
{
    const struct gs_player *enemy = gs_player_const(turn->state, played->target);
    bool hand = played->use == GS_MISINFORMATION || played->use == GS_SPY || played->use == GS_STEAL;
    if (hand && !enemy->hand_count)
        no(why, "hand_empty player=%s", code_of('P', played->target).p);
    else if (played->use == GS_INDSAB && enemy->credits < 1)
        no(why, "no_credits player=%s", code_of('P', played->target).p);
    else if (played->use == GS_PLANNING &&
             !turn->state->deck[gs_own_deck(turn->state, turn->seat)].draw_count)
        no(why, "deck_empty");
    else
        return true;
    return false;
}

static enum order_result play_use(struct gs_turn *turn, struct args *args, struct refusal *why, bool *rolled)
{
    struct str candidates = STR_INIT;
    struct gs_played played = {GS_USES, turn->seat, 0};
    int use = GS_USES;
    int unit = 0;
    enum name_found found = gs_read_use(turn->cards, args, &use, &candidates);
    if (found == NAME_MANY)
        refuse_many(why, args, &candidates);
    else if (found == NAME_NONE)
        no(why, "unknown_use words=%s", args_words(args).p);
    str_release(&candidates);
    if (found != NAME_ONE)
        return ORDER_REFUSED;
    if (check_window(use, why) == ORDER_REFUSED)
        return ORDER_REFUSED;
    played.use = (enum gs_use)use;
    if (!gs_enter(turn, GS_PHASE_COMMAND, why) || !read_target(turn, args, &played, &unit, why))
        return ORDER_REFUSED;
    if (!gs_hand_count(turn->cards, turn->player, GS_COMMAND))
        return no(why, "no_command");
    if (!worth_it(turn, &played, why))
        return ORDER_REFUSED;
    if (!gs_use_card(turn->table, played, rolled))
        return ORDER_FAILED;
    return gs_use_effect(turn, played, unit, rolled);
}

GS_HANDLER(gs_run_play)
{
    struct gs_turn *play = turn;
    if (play->reaction != GS_OWN_TURN)
        return gs_play_answer(play, args, why);
    return play_use(play, args, why, rolled);
}
