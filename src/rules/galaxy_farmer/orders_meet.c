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
        refuse(why, "push_where");
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
    if (!force) {
        refuse(why, "nothing_to_fight");
        return refuse_text(why, "planet", place_name(turn, state->place));
    }
    if (gf_fighters(turn->cards, state) < force) {
        refuse(why, "too_weak");
        refuse_text(why, "planet", place_name(turn, state->place));
        refuse_int(why, "force", force);
        refuse_int(why, "landed", state->landed);
        return refuse_int(why, "strength", gf_fighters(turn->cards, state));
    }
    if (ship && !troop && !push)
        return refuse(why, "push_where");
    gf_fight(state, ship ? push : 0);
    struct event *event = gf_event(turn->events, "fought", RULE_FIGHT);
    gf_event_planet(event, "planet", turn->cards, state->place);
    event_int(event, "force", force);
    event_int(event, "strength", gf_fighters(turn->cards, state));
    event_amount(event, "troop", troop);
    if (ship && push)
        gf_event_planet(event, "pushed_to", turn->cards, gf_planet_at(state, state->enemy));
    event_amount(event, "stays", ship && !push);
    return ORDER_DONE;
}

/* ---- representatives ---- */

/* "emberwort or ashmelon": what grows on planets of the colour that the quest asks for. */
static void name_wanted(const struct gf_turn *turn, const struct gf_quest *quest, struct refusal *why)
{
    struct str names = STR_INIT;
    for (int n = 1; n <= GF_PLANETS; n++) {
        if (quest->colour == GF_ANY || turn->cards->planet[n].colour == quest->colour)
            str_addf(&names, "%s%s", names.len ? " or " : "", turn->cards->planet[n].resource);
    }
    refuse_text(why, "wanted", names.p);
    str_release(&names);
}

static enum order_result refuse_quest(const struct gf_turn *turn, const char *reason, int rep, int number,
                                      struct refusal *why)
{
    const struct gf_quest *quest = gf_next_quest(turn->cards, turn->state, rep);
    refuse(why, reason);
    refuse_text(why, "representative", turn->cards->rep[rep].name);
    refuse_text(why, "state", gf_state_word(quest->state));
    if (quest->kind == GF_GIVE)
        name_wanted(turn, quest, why);
    else
        refuse_text(why, "planet", place_name(turn, turn->state->place));
    return refuse_int(why, "count", number);
}

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
            refuse_quest(turn, "quest_wrong_cubes", rep, missing, why);
            return false;
        }
        if (wanted > state->cargo[i]) {
            refuse(why, "too_few_aboard");
            refuse_text(why, "resource", turn->cards->planet[i + 1].resource);
            refuse_int(why, "have", state->cargo[i]);
            return false;
        }
        gift[i] = wanted;
        sum += wanted;
    }
    if (sum < 1 || sum > missing)
        refuse_quest(turn, sum ? "quest_too_many" : "quest_no_cubes", rep, missing, why);
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
    struct event *event = gf_event(turn->events, "quest_given", RULE_QUEST);
    event_text(event, "representative", turn->cards->rep[rep].name);
    gf_event_cubes(event, "what", turn->cards, turn->state, given);
    event_amount(event, "missing", gf_quest_missing(turn->state, rep, quest));
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
    if (!quest) {
        refuse(why, "quests_done");
        return refuse_text(why, "representative", turn->cards->rep[rep].name);
    }
    if (quest->kind == GF_GIVE) {
        if (give(turn, args, rep, quest, why) == ORDER_REFUSED)
            return ORDER_REFUSED;
        if (gf_quest_missing(state, rep, quest) > 0)
            return ORDER_DONE;
    } else {
        if (!args_finished(args, why))
            return ORDER_REFUSED;
        bool right = quest->state == GF_ANY || planet->dark == (quest->state == 1);
        if (quest->kind == GF_GROWN && !right)
            return refuse_quest(turn, "quest_wrong_top", rep, quest->count, why);
        if (quest->kind == GF_GROWN && planet->cubes < quest->count)
            return refuse_quest(turn, "quest_not_grown", rep, quest->count, why);
    }
    int points = gf_complete_quest(turn->cards, state, rep);
    struct event *event = gf_event(turn->events, "quest_done", RULE_QUEST);
    event_text(event, "representative", turn->cards->rep[rep].name);
    event_int(event, "quest", state->rep[rep - 1].cubes);
    event_amount(event, "last", state->rep[rep - 1].cubes == GF_QUESTS);
    event_amount(event, "points", points);
    event_int(event, "score_now", state->tally.score);
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
        return refuse(why, "partner_whom");
    enum name_found found = gf_read_rep(turn, args, &rep, &candidates);
    if (found == NAME_MANY)
        refuse_many(why, args, &candidates);
    str_release(&candidates);
    if (found != NAME_ONE)
        return found == NAME_MANY ? ORDER_REFUSED : gf_refuse_words(why, "unknown_representative", args);
    if (!args_finished(args, why))
        return ORDER_REFUSED;
    if (state->partner) {
        refuse(why, "partner_chosen");
        return refuse_text(why, "representative", turn->cards->rep[state->partner].name);
    }
    if (state->rep[rep - 1].cubes < GF_QUESTS) {
        refuse(why, "partner_quests");
        refuse_text(why, "representative", turn->cards->rep[rep].name);
        return refuse_int(why, "quests", state->rep[rep - 1].cubes);
    }
    state->partner = rep;
    struct event *event = gf_event(turn->events, "partner", RULE_QUEST);
    event_text(event, "representative", turn->cards->rep[rep].name);
    event_text(event, "ability", turn->cards->rep[rep].text);
    return ORDER_DONE;
}

enum order_result gf_run_hold(void *arg, struct args *args, struct refusal *why, bool *rolled)
{
    struct gf_turn *turn = arg;
    struct args words = *args;
    int slot = 0;
    (void)rolled;
    if (!gf_ability(turn->cards, turn->state, GF_TIMER))
        return refuse(why, "hold_who");
    bool urgent = args_keyword(args, "urgent", 3);
    if (urgent && !args_finished(args, why))
        return ORDER_REFUSED;
    if (!urgent && args_end(args))
        return refuse(why, "hold_what");
    if (!urgent && (gf_read_open(turn, args, &slot, NULL) != NAME_ONE || !args_end(args)))
        return gf_refuse_order(turn, &words, why);
    turn->state->hold = urgent ? 0 : turn->state->open[slot].card;
    struct event *event = gf_event(turn->events, "hold", RULE_QUEST);
    event_text(event, "representative", turn->cards->rep[turn->state->partner].name);
    if (!urgent)
        event_text(event, "card", turn->cards->order[turn->state->hold].name);
    return ORDER_DONE;
}
