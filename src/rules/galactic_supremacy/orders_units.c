/* Orders of the build, move and research phases; PASS and PAUSE. */
#include "rules/galactic_supremacy/names.h"

#include <string.h>

#include "base/str.h"

#define PAUSES 8 /* in a turn */

/* ---- build phase ---- */

/* Where a leader goes when the order does not say: worlds first, where they earn credits. */
static int free_place(const struct gs_player *player)
{
    if (!gs_leader_at(player, GS_HOME))
        return GS_HOME;
    for (int i = 0; i < player->sector_count && i < GS_SECTORS; i++) {
        if (!gs_leader_at(player, player->sector[i].number))
            return player->sector[i].number;
    }
    for (int i = 0; i < player->fleet_count && i < GS_FLEETS; i++) {
        if (!gs_leader_at(player, GS_ON_FLEET + player->fleet[i].number))
            return GS_ON_FLEET + player->fleet[i].number;
    }
    return GS_NOWHERE;
}

/* Reads "[at sector]" or "[on unit]". */
static bool read_place(const struct gs_turn *turn, struct args *args, enum gs_kind kind, int *at,
                       struct refusal *why)
{
    struct gs_ref ref;
    *at = kind == GS_LEADER ? free_place(turn->player) : GS_HOME;
    if (kind != GS_SECTOR && !args_end(args)) {
        bool found = gs_read_unit(turn, turn->seat, args, &ref) && ref.type != 'l';
        if (!found || (kind == GS_FLEET && ref.type != 'w')) {
            no(why, kind == GS_FLEET ? "which_world words=%s" : "which_unit words=%s",
               gs_first_words(args).p);
            return false;
        }
        *at = ref.type == 'f' ? GS_ON_FLEET + ref.number : ref.number;
    }
    if (!args_finished(args, why))
        return false;
    if (kind == GS_LEADER && (*at == GS_NOWHERE || gs_leader_at(turn->player, *at))) {
        no(why, "leader_there");
        return false;
    }
    return true;
}

static bool has_room(const struct gs_player *player, enum gs_kind kind)
{
    return kind == GS_SECTOR  ? player->sector_count < GS_SECTORS
           : kind == GS_FLEET ? player->fleet_count < GS_FLEETS
                              : player->leader_count < GS_LEADERS;
}

GS_HANDLER(gs_run_build)
{
    struct gs_turn *play = turn;
    int kind, at;
    int card = -1;
    (void)rolled;
    if (!gs_enter(turn, GS_PHASE_BUILD, why))
        return ORDER_REFUSED;
    if (gs_read_kind(args, &kind))
        (void)gs_read_hand(play, args, kind, &card); /* BUILD SECTOR ORION REACH */
    else if (gs_read_hand(play, args, -1, &card))    /* BUILD ORION REACH */
        kind = (int)gs_card(play->cards, play->player->hand[card])->kind;
    else
        return no(why, "build_what words=%s", gs_first_words(args).p);
    if (kind != GS_SECTOR && kind != GS_FLEET && kind != GS_LEADER)
        return no(why, "build_what");
    if (!gs_hand_count(play->cards, play->player, (enum gs_kind)kind))
        return no(why, "no_such_card kind=%s have=%d", gs_kind_names[kind], 0);
    int cost = kind == GS_SECTOR  ? play->cards->cost_sector
               : kind == GS_FLEET ? play->cards->cost_fleet
                                  : play->cards->cost_leader;
    if (play->player->credits < cost)
        return no(why, "too_poor cost=%d have=%d", cost, play->player->credits);
    if (!read_place(play, args, (enum gs_kind)kind, &at, why))
        return ORDER_REFUSED;
    if (!has_room(play->player, (enum gs_kind)kind))
        return no(why, "too_many");
    if (card >= 0)
        gs_hand_first(play->cards, play->player, card);
    gs_build(play, (enum gs_kind)kind, at);
    return ORDER_DONE;
}

/* ---- move phase ---- */

/* The moves of one line, which happen together: leaders may change places. */
struct moves {
    int fleet_to[GS_FLEETS + 1]; /* GS_NOWHERE: stays */
    int leader_to[GS_LEADERS + 1];
};

/* Reads "all" or fleets, up to the unit after them. False when a word is no unit; *any: there were fleets.
 */
static bool read_movers(const struct gs_turn *turn, struct args *args, bool fleets[GS_FLEETS + 1], bool *any,
                        struct gs_ref *behind)
{
    *any = args_keyword(args, "all", 3);
    for (int i = 0; *any && i < turn->player->fleet_count; i++)
        fleets[turn->player->fleet[i].number <= GS_FLEETS ? turn->player->fleet[i].number : 0] = true;
    if (*any)
        (void)args_keyword(args, "fleets", 5);
    while (gs_read_unit(turn, turn->seat, args, behind)) {
        if (behind->type != 'f')
            return true;
        fleets[behind->number] = true;
        *any = true;
    }
    return false;
}

/* One move: fleets and their world, or a leader and their unit. */
static bool read_move(const struct gs_turn *turn, struct args *args, struct moves *moves, struct refusal *why)
{
    bool fleets[GS_FLEETS + 1] = {false};
    bool any;
    struct gs_ref ref, place;
    if (!read_movers(turn, args, fleets, &any, &ref)) {
        no(why, "which_unit words=%s", gs_first_words(args).p);
        return false;
    }
    if (any != (ref.type == 'w')) {
        no(why, "move_what");
        return false;
    }
    for (int i = 1; i <= GS_FLEETS && any; i++)
        moves->fleet_to[i] = fleets[i] ? ref.number : moves->fleet_to[i];
    if (any)
        return true;
    if (!gs_read_unit(turn, turn->seat, args, &place) || place.type == 'l') {
        no(why, "which_unit words=%s", gs_first_words(args).p);
        return false;
    }
    moves->leader_to[ref.number] = place.type == 'f' ? GS_ON_FLEET + place.number : place.number;
    return true;
}

static void carry_out(struct gs_turn *turn, const struct moves *moves)
{
    struct gs_player *player = turn->player;
    for (int i = 0; i < player->fleet_count + player->leader_count; i++) {
        bool fleet = i < player->fleet_count;
        struct gs_unit *moved = fleet ? &player->fleet[i] : &player->leader[i - player->fleet_count];
        if (moved->number > (fleet ? GS_FLEETS : GS_LEADERS)) /* a damaged state */
            continue;
        int to = fleet ? moves->fleet_to[moved->number] : moves->leader_to[moved->number];
        if (to == GS_NOWHERE || to == moved->at)
            continue;
        moved->at = (uint8_t)to;
        say(turn->table->events, turn->seat, "Move Phase", "moved unit=%s place=%s",
            code_of(fleet ? 'F' : 'L', moved->number).p, gs_at_code(to).p);
    }
}

static int leader_after(const struct gs_unit *leader, const struct moves *moves)
{
    int to = leader->number <= GS_LEADERS ? moves->leader_to[leader->number] : GS_NOWHERE;
    return to == GS_NOWHERE ? leader->at : to;
}

/* After all moves of the line no unit may carry two leaders. */
static bool leaders_fit(const struct gs_player *player, const struct moves *moves)
{
    for (int i = 0; i < player->leader_count; i++) {
        for (int k = 0; k < i; k++) {
            if (leader_after(&player->leader[i], moves) == leader_after(&player->leader[k], moves))
                return false;
        }
    }
    return true;
}

GS_HANDLER(gs_run_move)
{
    struct gs_turn *play = turn;
    struct moves moves;
    (void)rolled;
    if (!gs_enter(turn, GS_PHASE_MOVE, why))
        return ORDER_REFUSED;
    if (args_end(args))
        return no(why, "move_what");
    for (int i = 0; i <= GS_FLEETS; i++)
        moves.fleet_to[i] = GS_NOWHERE;
    for (int i = 0; i <= GS_LEADERS; i++)
        moves.leader_to[i] = GS_NOWHERE;
    while (!args_end(args)) {
        if (!read_move(play, args, &moves, why))
            return ORDER_REFUSED;
    }
    if (!leaders_fit(play->player, &moves))
        return no(why, "leader_there");
    carry_out(play, &moves);
    return ORDER_DONE;
}

/* ---- research phase ---- */

static bool read_technology(const struct gs_turn *turn, struct args *args, int *tech, struct refusal *why)
{
    struct str candidates = STR_INIT;
    enum name_found found = gs_read_tech(turn->cards, args, tech, &candidates);
    if (found == NAME_MANY)
        refuse_many(why, args, &candidates);
    else if (found == NAME_NONE)
        no(why, args_end(args) ? "research_what words=%s" : "unknown_technology words=%s",
           args_words(args).p);
    str_release(&candidates);
    return found == NAME_ONE && args_finished(args, why);
}

/* Reads "[pick|catchup|direct technology]". */
static bool read_research(const struct gs_turn *turn, struct args *args, enum gs_research *how, int *tech,
                          struct refusal *why)
{
    *how = GS_ROLL;
    *tech = -1;
    if (args_end(args))
        return true;
    if (args_keyword(args, "catchup", 5)) {
        (void)args_keyword(args, "up", 2);
        *how = GS_CATCHUP;
    } else if (args_keyword(args, "directed", 4)) {
        (void)args_keyword(args, "effort", 3);
        *how = GS_DIRECT;
    } else {
        (void)args_keyword(args, "pick", 4);
    }
    return read_technology(turn, args, tech, why);
}

GS_HANDLER(gs_run_research)
{
    struct gs_turn *play = turn;
    enum gs_research how;
    int tech;
    if (!gs_enter(turn, GS_PHASE_RESEARCH, why) || !read_research(play, args, &how, &tech, why))
        return ORDER_REFUSED;
    const int costs[] = {play->cards->cost_research, play->cards->cost_catchup, play->cards->cost_directed};
    if (!gs_hand_count(play->cards, play->player, GS_RESEARCH))
        return no(why, "no_such_card kind=%s have=%d", gs_kind_names[GS_RESEARCH], 0);
    if (play->player->credits < costs[how])
        return no(why, "too_poor cost=%d have=%d", costs[how], play->player->credits);
    if (how == GS_CATCHUP && gs_tech_best(play->state, play->seat, tech) <= play->player->tech[tech])
        return no(why, "nobody_ahead technology=%s", play->cards->tech[tech].name);
    *rolled = how == GS_ROLL;
    gs_research(play, how, tech);
    return ORDER_DONE;
}

/* ---- no phase ---- */

GS_HANDLER(gs_run_pass)
{
    const struct gs_turn *play = turn;
    (void)rolled;
    if (play->reaction != GS_OWN_TURN)
        return no(why, "no_answer");
    return args_finished(args, why) ? ORDER_DONE : ORDER_REFUSED;
}

GS_HANDLER(gs_run_pause)
{
    struct gs_turn *play = turn;
    (void)rolled;
    if (play->reaction != GS_OWN_TURN)
        return no(why, "no_answer");
    if (!args_finished(args, why))
        return ORDER_REFUSED;
    if (play->state->pauses >= PAUSES)
        return no(why, "pause_limit limit=%d", PAUSES);
    play->pause = true;
    return ORDER_DONE;
}
