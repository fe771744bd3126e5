/* The tables of the order language: verbs, conditions, triggers. */
#include "rules/galactic_supremacy/names.h"

#include <string.h>

/* ---- conditions ---- */

/* A condition is evaluated at its line: the phase before has ended. */
static const struct gs_turn *asked(void *arg)
{
    struct gs_turn *turn = arg;
    if (turn->reaction == GS_OWN_TURN && turn->running < GS_PHASE_END)
        gs_advance(turn, turn->running);
    return turn;
}

static bool count_credits(void *arg, struct args *args, int64_t *value)
{
    *value = asked(arg)->player->credits;
    return args_end(args);
}

static bool count_fleets(void *arg, struct args *args, int64_t *value)
{
    *value = asked(arg)->player->fleet_count;
    return args_end(args);
}

static bool count_sectors(void *arg, struct args *args, int64_t *value)
{
    *value = asked(arg)->player->sector_count;
    return args_end(args);
}

static bool count_leaders(void *arg, struct args *args, int64_t *value)
{
    *value = asked(arg)->player->leader_count;
    return args_end(args);
}

static bool count_cards(void *arg, struct args *args, int64_t *value)
{
    *value = asked(arg)->player->hand_count;
    return args_end(args);
}

static bool count_attacks(void *arg, struct args *args, int64_t *value)
{
    *value = asked(arg)->state->attacks;
    return args_end(args);
}

static bool count_round(void *arg, struct args *args, int64_t *value)
{
    *value = asked(arg)->state->round;
    return args_end(args);
}

static bool count_held(void *arg, struct args *args, int64_t *value)
{
    const struct gs_turn *turn = asked(arg);
    int kind;
    if (!gs_read_kind(args, &kind))
        return false;
    *value = gs_hand_count(turn->cards, turn->player, (enum gs_kind)kind);
    return args_end(args);
}

static bool count_level(void *arg, struct args *args, int64_t *value)
{
    const struct gs_turn *turn = asked(arg);
    int tech;
    if (gs_read_tech(turn->cards, args, &tech, NULL) != NAME_ONE)
        return false;
    *value = turn->player->tech[tech];
    return args_end(args);
}

/* All fleets against the world that the arguments name. */
static bool named_plan(const struct gs_turn *turn, struct args *args, struct gs_plan *plan)
{
    struct refusal why;
    memset(plan, 0, sizeof(*plan));
    plan->by = turn->seat;
    if (!gs_read_opponent(turn, args, &plan->target, &why) ||
        !gs_read_world(turn, plan->target, args, &plan->world) || !args_end(args))
        return false;
    for (int i = 0; i < turn->player->fleet_count && i < GS_FLEETS; i++) {
        if (turn->player->fleet[i].number <= GS_FLEETS)
            plan->fleet[plan->fleet_count++] = turn->player->fleet[i].number;
    }
    return true;
}

/* Chances to win in 100: the defender's during an attack, else the attacker's. The result is reported.
 */
static bool count_odds(void *arg, struct args *args, int64_t *value)
{
    const struct gs_turn *turn = asked(arg);
    struct gs_plan plan;
    *value = 0;
    if (turn->reaction == GS_ON_ATTACKED && args_end(args)) {
        plan = turn->attack->plan;
        *value = 100 - gs_odds(turn->cards, turn->state, turn->attack);
    } else if (args_end(args) ? gs_next_plan(turn, &plan) : named_plan(turn, args, &plan)) {
        *value = plan.fleet_count ? gs_plan_odds(turn->cards, turn->state, &plan) : 0;
    } else {
        return turn->reaction == GS_OWN_TURN && args_end(args); /* the world is gone: no odds */
    }
    say_to(turn->table->events, SEAT_BIT(turn->seat), turn->seat, "Attack Phase",
           "odds percent=%lld trials=%d target_seat=%d world=%s", (long long)*value, GS_TRIALS, plan.target,
           gs_at_code(plan.world).p);
    return true;
}

bool gs_have(void *arg, struct args *args, bool *known)
{
    const struct gs_turn *turn = asked(arg);
    struct gs_list list;
    *known = gs_read_list(turn->cards, args, &list) && args_end(args);
    bool all = *known && turn->player->credits >= list.credits;
    for (int kind = 0; kind < GS_KINDS; kind++)
        all = all && gs_hand_count(turn->cards, turn->player, (enum gs_kind)kind) >= list.kind[kind];
    return all;
}

const struct counter gs_counters[] = {
    {"credits", "", "your credits now", false, count_credits},
    {"fleets", "", "your fleets in play", false, count_fleets},
    {"sectors", "", "your sectors in play, without the homeworld", false, count_sectors},
    {"leaders", "", "your leaders in play", false, count_leaders},
    {"cards", "", "cards in your hand", false, count_cards},
    {"held", "<kind>", "cards of this kind in your hand", false, count_held},
    {"level", "<technology>", "your level", false, count_level},
    {"odds", "[player world]", "chance of 100 of the next attack, or of all fleets there", false, count_odds},
    {"attacks", "", "attack phases you have left in this turn", false, count_attacks},
    {"round", "", "the round, from 1", false, count_round},
    {NULL, NULL, NULL, false, NULL},
};

/* ---- verbs ---- */

static const struct verb verbs[] = {
    {"draw", "", "buy one extra card for 5 credits", "", GS_PHASE_DRAW, 0, gs_run_draw},
    {"explore", "[times]", "discard a fleet, draw, keep a sector", "", GS_PHASE_DRAW, 0, gs_run_explore},
    {"draft", "[times]", "discard a sector, draw, keep a fleet", "", GS_PHASE_DRAW, 0, gs_run_draft},
    {"intel", "[times]", "discard a research, draw, keep a command", "", GS_PHASE_DRAW, 0, gs_run_intel},
    {"rnd", "[times]", "discard a command, draw, keep a research", "", GS_PHASE_DRAW, 0, gs_run_rnd},
    {"discard", "<kinds or card>", "choose what goes over the hand limit", "", GS_PHASE_DRAW, 0,
     gs_run_discard},
    {"keep", "<kinds>", "what stays, the most wanted first; stays in force", "", GS_PHASE_DRAW, VERB_KEEP,
     gs_run_keep},
    {"play", "<use> [player] [unit]", "use a command card", "", GS_PHASE_COMMAND, 0, gs_run_play},
    {"build", "sector|fleet|leader [place]", "put a card into play: 10, 10, 5 credits", "", GS_PHASE_BUILD, 0,
     gs_run_build},
    {"attack", "<player> <world> [with] [using]", "attack with all or some fleets, using cards", "with",
     GS_PHASE_ATTACK, 0, gs_run_attack},
    {"move", "<units> <place>", "fleets to a world, a leader to a unit", "", GS_PHASE_MOVE, 0, gs_run_move},
    {"research", "[pick|catchup|direct <tech>]", "10 credits and a roll; catchup 15, direct 20", "",
     GS_PHASE_RESEARCH, 0, gs_run_research},
    {"prefer", "<technologies>", "your pick when the roll is a 10; stays in force", "", GS_PHASE_DRAW,
     VERB_KEEP, gs_run_prefer},
    {"pass", "", "nothing more", "", GS_PHASE_END, 0, gs_run_pass},
    {"pause", "", "report now; my turn goes on", "", GS_PHASE_END, 0, gs_run_pause},
    {"offer", "<player> give <list> get <list>", "offer a deal [until turn n]", "for", 0, VERB_INSTANT,
     gs_run_offer},
    {"accept", "[offer]", "accept an offer at once", "from", 0, VERB_INSTANT, gs_run_accept},
    {"decline", "[offer]", "refuse an offer", "", 0, VERB_INSTANT, gs_run_decline},
    {"withdraw", "[offer]", "take your offer back", "", 0, VERB_INSTANT, gs_run_withdraw},
    {"vote", "draw|play", "agree to a drawn game, or no longer", "", 0, VERB_INSTANT, gs_run_vote},
    {"defend", "all|here|none|<fleets> [retreat]", "after \"when attacked\": which fleets defend", "",
     GS_PHASE_ATTACK, VERB_STANDING, gs_run_defend},
    {"counter", "[keep n]", "after \"when played\": Counter Espionage", "on", GS_PHASE_COMMAND, VERB_STANDING,
     gs_run_counter},
    {"take", "", "after \"when conquer\": the sector to my hand", "", GS_PHASE_ATTACK, VERB_STANDING,
     gs_run_take},
    {"leave", "", "after \"when conquer\": the sector is discarded", "", GS_PHASE_ATTACK, VERB_STANDING,
     gs_run_leave},
    {NULL, NULL, NULL, NULL, 0, 0, NULL},
};

static const struct trigger triggers[] = {
    {"attacked", "[by player] [at world]", "play peace, play ambush, play tactical, defend", "by at on"},
    {"played", "[use] [by player] [on me]", "counter", "by on"},
    {"ambushed", "[by player]", "play surprise", "by"},
    {"peace", "[by player]", "attack somebody else", "by"},
    {"countered", "", "play again", ""},
    {"conquer", "", "take, leave", ""},
    {"offered", "<list> for <list>", "accept", "for"},
    {NULL, NULL, NULL, NULL},
};

static const struct {
    const char *trigger, *verbs[2], *sentence;
} fitting[] = {
    {"attacked",
     {"play", "defend"},
     "\"when attacked\" is answered by \"play peace\", \"play ambush\", \"play tactical\" or \"defend\"."},
    {"played", {"counter", NULL}, "\"when played\" is answered by \"counter\"."},
    {"ambushed", {"play", NULL}, "\"when ambushed\" is answered by \"play surprise\"."},
    {"peace", {"attack", NULL}, "\"when peace\" is answered by \"attack\" and another target."},
    {"countered", {"play", NULL}, "\"when countered\" is answered by \"play again\"."},
    {"conquer", {"take", "leave"}, "\"when conquer\" is answered by \"take\" or \"leave\"."},
    {"offered", {"accept", NULL}, "\"when offered\" is answered by \"accept\"."},
};

/* "by p2", "by player 2", "by 2": the engine has turned the names of players into seats. */
static bool names_nobody(struct args args)
{
    int number;
    for (; !args_end(&args); args = (struct args){args.word + 1, args.count - 1}) {
        if (strcmp(args.word->text, "by") != 0)
            continue;
        struct args who = {args.word + 1, args.count - 1};
        (void)(args_keyword(&who, "player", 6) || args_keyword(&who, "seat", 4));
        bool code = !args_end(&who) && who.word->text[0] == 'p' && who.word->text[1] >= '1' &&
                    who.word->text[1] < '1' + GS_SEATS && !who.word->text[2];
        if (!code && !(args_number(&who, &number) && number >= 1 && number <= GS_SEATS))
            return true;
    }
    return false;
}

static const char *unfit(const struct trigger *trigger, struct args args, const struct verb *verb)
{
    for (size_t i = 0; i < sizeof(fitting) / sizeof(fitting[0]); i++) {
        if (strcmp(fitting[i].trigger, trigger->name) != 0)
            continue;
        bool fits = strcmp(fitting[i].verbs[0], verb->name) == 0 ||
                    (fitting[i].verbs[1] && strcmp(fitting[i].verbs[1], verb->name) == 0);
        if (!fits)
            return fitting[i].sentence;
    }
    bool by = strcmp(trigger->name, "offered") != 0 && names_nobody(args);
    return by ? "Behind BY stands another player, by name or number (P2)." : NULL;
}

const struct language gs_language = {
    .verbs = verbs,
    .counters = gs_counters,
    .triggers = triggers,
    .have = gs_have,
    .phases = GS_PHASES,
    .unfit = unfit,
};
