/* The verbs of meeting the enemy and the representatives. */
#include "rules/galaxy_farmer/names.h"

#include "base/str.h"

static const char *place_name(const struct gf_turn *turn, int place)
{
    return turn->cards->planet[place].name;
}

/* ---- the enemy ---- */

/* "[push] [clockwise|anticlockwise]": 1, -1, or 0 for no push. False: refused. */
static bool read_push(struct args *args, int *push, struct refusal *why)
{
    bool word = args_keyword(args, "push", 2);
    *push = 0;
    if (args_keyword(args, "clockwise", 2))
        *push = 1;
    else if (args_keyword(args, "anticlockwise", 3) || args_keyword(args, "counterclockwise", 3))
        *push = -1;
    if (word && !*push) {
        no(why, "push_where");
        return false;
    }
    return args_finished(args, why);
}

enum order_result gf_run_fight(void *arg, struct args *args, struct refusal *why, bool *rolled)
{
    struct gf_turn *turn = arg;
    struct gf_state *state = turn->state;
    int push;
    (void)rolled;
    if (!gf_on_planet(turn, why) || !read_push(args, &push, why))
        return ORDER_REFUSED;
    int force = gf_force(turn->cards, state, state->place);
    bool troop = gf_planet(state, state->place)->troop;
    bool ship = gf_planet_at(state, state->enemy) == state->place;
    if (!force)
        return no(why, "nothing_to_fight planet=%s", place_name(turn, state->place));
    if (gf_fighters(turn->cards, state) < force)
        return no(why, "too_weak planet=%s force=%d landed=%d strength=%d", place_name(turn, state->place),
                  force, state->landed, gf_fighters(turn->cards, state));
    if (ship && !troop && !push)
        return no(why, "push_where");
    gf_fight(state, ship ? push : 0);
    say(turn->events, GF_SEAT, RULE_FIGHT,
        "fought planet=%s force=%d strength=%d troop+=%d pushed_to+=%s stays+=%d",
        place_name(turn, state->place), force, gf_fighters(turn->cards, state), troop,
        ship && push ? place_name(turn, gf_planet_at(state, state->enemy)) : NULL, ship && !push);
    return ORDER_DONE;
}

/* ---- representatives ---- */

/* "emberwort or ashmelon": what grows on planets of the colour that the quest asks for. */
static struct brief wanted_names(const struct gf_turn *turn, const struct gf_quest *quest)
{
    struct str names = STR_INIT;
    for (int n = 1; n <= GF_PLANETS; n++) {
        if (quest->colour == GF_ANY || turn->cards->planet[n].colour == quest->colour)
            str_addf(&names, "%s%s", names.len ? " or " : "", turn->cards->planet[n].resource);
    }
    return brief_str(&names);
}

#define GIFT " representative=%s state=%s wanted=%s count=%d"
/* What to give: as listed, or all that fits. False: refused. */
static bool choose_gifts(const struct gf_turn *turn, struct args *args, int rep, int gift[GF_PLANETS],
                         struct refusal *why)
{
    const struct gf_state *state = turn->state;
    const struct gf_quest *quest = gf_next_quest(turn->cards, state, rep);
    int missing = gf_quest_missing(state, rep, quest);
    int sum = 0;
    bool listed = gf_read_cubes(turn, args, gift);
    if (!listed)
        args_keyword(args, "all", 3);
    if (!args_finished(args, why))
        return false;
    for (int i = 0; i < GF_PLANETS; i++) {
        bool takes = gf_quest_takes(turn->cards, state, quest, i);
        int wanted = listed ? gift[i] : takes ? ARGS_ALL : 0;
        if (wanted == ARGS_ALL)
            wanted = sum < missing ? gf_min(state->cargo[i], missing - sum) : 0;
        if (wanted && !takes) {
            no(why, "quest_wrong_cubes" GIFT, turn->cards->rep[rep].name, gf_state_word(quest->state),
               wanted_names(turn, quest).p, missing);
            return false;
        }
        if (wanted > state->cargo[i]) {
            no(why, "too_few_aboard resource=%s have=%d", turn->cards->planet[i + 1].resource,
               state->cargo[i]);
            return false;
        }
        gift[i] = wanted;
        sum += wanted;
    }
    if (sum < 1 || sum > missing)
        no(why, sum ? "quest_too_many" GIFT : "quest_no_cubes" GIFT, turn->cards->rep[rep].name,
           gf_state_word(quest->state), wanted_names(turn, quest).p, missing);
    return sum >= 1 && sum <= missing;
}

static enum order_result give(struct gf_turn *turn, struct args *args, int rep, const struct gf_quest *quest,
                              struct refusal *why)
{
    int gift[GF_PLANETS];
    uint8_t given[GF_PLANETS];
    if (!choose_gifts(turn, args, rep, gift, why))
        return ORDER_REFUSED;
    for (int i = 0; i < GF_PLANETS; i++) {
        given[i] = (uint8_t)gift[i];
        gf_give(turn->state, rep, i, gift[i]);
    }
    say(turn->events, GF_SEAT, RULE_QUEST, "quest_given representative=%s what=%s missing+=%d",
        turn->cards->rep[rep].name, gf_cubes_words(turn->cards, turn->state, given).p,
        gf_quest_missing(turn->state, rep, quest));
    return ORDER_DONE;
}

enum order_result gf_run_quest(void *arg, struct args *args, struct refusal *why, bool *rolled)
{
    struct gf_turn *turn = arg;
    struct gf_state *state = turn->state;
    (void)rolled;
    if (!gf_on_planet(turn, why))
        return ORDER_REFUSED;
    const struct gf_planet *planet = gf_planet(state, state->place);
    int rep = planet->rep;
    const struct gf_quest *quest = gf_next_quest(turn->cards, state, rep);
    if (!quest)
        return no(why, "quests_done representative=%s", turn->cards->rep[rep].name);
    if (quest->kind == GF_GIVE) {
        if (give(turn, args, rep, quest, why) == ORDER_REFUSED)
            return ORDER_REFUSED;
        if (gf_quest_missing(state, rep, quest) > 0)
            return ORDER_DONE;
    } else {
        if (!args_finished(args, why))
            return ORDER_REFUSED;
        bool right = quest->state == GF_ANY || planet->dark == (quest->state == 1);
        if (quest->kind == GF_GROWN && (!right || planet->cubes < quest->count))
            return no(why,
                      right ? "quest_not_grown representative=%s state=%s planet=%s count=%d"
                            : "quest_wrong_top representative=%s state=%s planet=%s count=%d",
                      turn->cards->rep[rep].name, gf_state_word(quest->state), place_name(turn, state->place),
                      quest->count);
    }
    int points = gf_complete_quest(turn->cards, state, rep);
    say(turn->events, GF_SEAT, RULE_QUEST,
        "quest_done representative=%s quest=%d may_join+=%d points+=%d score_now=%d",
        turn->cards->rep[rep].name, state->rep[rep - 1].cubes,
        state->rep[rep - 1].cubes == GF_QUESTS && !state->partner, points, state->tally.score);
    return ORDER_DONE;
}

enum order_result gf_run_partner(void *arg, struct args *args, struct refusal *why, bool *rolled)
{
    struct gf_turn *turn = arg;
    struct gf_state *state = turn->state;
    struct str candidates = STR_INIT;
    int rep = 0;
    (void)rolled;
    if (args_end(args))
        return no(why, "partner_whom");
    enum name_found found = gf_read_rep(turn, args, &rep, &candidates);
    if (found == NAME_MANY)
        refuse_many(why, args, &candidates);
    str_release(&candidates);
    if (found != NAME_ONE)
        return found == NAME_MANY ? ORDER_REFUSED
                                  : no(why, "unknown_representative words+=%s", args_words(args).p);
    if (!args_finished(args, why))
        return ORDER_REFUSED;
    if (state->partner)
        return no(why, "partner_chosen representative=%s", turn->cards->rep[state->partner].name);
    if (state->rep[rep - 1].cubes < GF_QUESTS)
        return no(why, "partner_quests representative=%s quests=%d", turn->cards->rep[rep].name,
                  state->rep[rep - 1].cubes);
    state->partner = rep;
    say(turn->events, GF_SEAT, RULE_QUEST, "partner representative=%s ability=%s", turn->cards->rep[rep].name,
        turn->cards->rep[rep].text);
    return ORDER_DONE;
}

enum order_result gf_run_hold(void *arg, struct args *args, struct refusal *why, bool *rolled)
{
    struct gf_turn *turn = arg;
    struct args words = *args;
    int slot = 0;
    (void)rolled;
    if (!gf_ability(turn->cards, turn->state, GF_TIMER))
        return no(why, "hold_who");
    bool urgent = args_keyword(args, "urgent", 3);
    if (urgent && !args_finished(args, why))
        return ORDER_REFUSED;
    if (!urgent && args_end(args))
        return no(why, "hold_what");
    if (!urgent && (gf_read_open(turn, args, &slot, NULL) != NAME_ONE || !args_end(args)))
        return gf_refuse_order(turn, &words, why);
    turn->state->hold = urgent ? 0 : turn->state->open[slot].card;
    say(turn->events, GF_SEAT, RULE_QUEST, "hold representative=%s card+=%s",
        turn->cards->rep[turn->state->partner].name,
        urgent ? NULL : turn->cards->order[turn->state->hold].name);
    return ORDER_DONE;
}
