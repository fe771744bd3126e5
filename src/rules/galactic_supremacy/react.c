/* WHEN lines: which fit what happened, and carrying them out. */
#include <stdlib.h>
#include <string.h>

#include "rules/galactic_supremacy/names.h"

static const char *const triggers[GS_REACTIONS] = {
    [GS_OWN_TURN] = "",          [GS_ON_ATTACKED] = "attacked",
    [GS_ON_PLAYED] = "played",   [GS_ON_AMBUSHED] = "ambushed",
    [GS_ON_PEACE] = "peace",     [GS_ON_COUNTERED] = "countered",
    [GS_ON_CONQUER] = "conquer", [GS_ON_OFFERED] = "offered",
};

/* "[by player]" of a trigger: true unless it names another seat or no seat. */
static bool match_by(const struct gs_turn *turn, struct args *args, int by)
{
    int seat;
    if (!args_keyword(args, "by", 2))
        return true;
    return gs_read_seat(turn, args, &seat) && seat == by;
}

/* "[by player] [at home|sector]" */
static bool match_attacked(const struct gs_turn *turn, struct args *args)
{
    const struct gs_plan *plan = &turn->attack->plan;
    while (!args_end(args)) {
        int world;
        if (args->word->text[0] == 'b' && !match_by(turn, args, plan->by))
            return false;
        if (args_keyword(args, "at", 2) || args_keyword(args, "on", 2))
            continue;
        if (args_end(args))
            break;
        if (!gs_read_world(turn, turn->seat, args, &world) || world != plan->world)
            return false;
    }
    return true;
}

bool gs_match_played(const struct gs_turn *turn, struct args *args)
{
    const struct gs_played *played = turn->played;
    int use;
    if (args_keyword(args, "espionage", 4) || args_keyword(args, "counter", 7)) {
        (void)args_keyword(args, "espionage", 4);
        if (played->use != GS_COUNTER)
            return false;
    } else if (gs_read_use(turn->cards, args, &use, NULL) == NAME_ONE && use != (int)played->use) {
        return false;
    }
    for (;;) {
        if (!args_end(args) && strcmp(args->word->text, "by") == 0) {
            if (!match_by(turn, args, played->by))
                return false;
        } else if (args_keyword(args, "on", 2) || args_keyword(args, "against", 4)) {
            (void)args_keyword(args, "me", 2);
            if (played->target != turn->seat)
                return false;
        } else {
            return true;
        }
    }
}

/* "<list> for <list>": I get at least the first and give at most the second. */
static bool match_offered(const struct gs_turn *turn, struct args *args)
{
    const struct gs_offer *offer = turn->offer;
    struct gs_list get, give = {{0}, 0};
    if (!gs_read_list(turn->cards, args, &get))
        return false;
    if (args_keyword(args, "for", 3) && !gs_read_list(turn->cards, args, &give))
        return false;
    bool fits = offer->give_credits >= get.credits && offer->get_credits <= give.credits;
    for (int i = 0; i < GS_KINDS; i++)
        fits = fits && offer->give[i] >= get.kind[i] && offer->get[i] <= give.kind[i];
    return fits && args_end(args);
}

static bool fits(const struct gs_turn *turn, const struct script *script, size_t index)
{
    const struct script_line *line = script_line(script, index);
    if (line->kind != LINE_WHEN || strcmp(line->trigger, triggers[turn->reaction]) != 0)
        return false;
    struct args args = script_trigger_args(script, index);
    switch (turn->reaction) {
    case GS_ON_ATTACKED: return match_attacked(turn, &args);
    case GS_ON_PLAYED: return gs_match_played(turn, &args) && args_end(&args);
    case GS_ON_OFFERED: return match_offered(turn, &args);
    case GS_ON_AMBUSHED:
    case GS_ON_PEACE: return match_by(turn, &args, turn->attack->plan.target) && args_end(&args);
    case GS_ON_COUNTERED:
    case GS_ON_CONQUER: return args_end(&args);
    case GS_OWN_TURN:
    case GS_REACTIONS: break;
    }
    return false;
}

/* Tells the owner, and nobody else, why their line did nothing. */
static void tell_refused(const struct gs_turn *turn, const struct script *script,
                         const struct script_line *line, const struct refusal *why)
{
    const struct script_now before = script_watch_line(script, line);
    char *text = slice_dup(line->text);
    say_to(turn->table->events, SEAT_BIT(turn->seat), turn->seat, "Command Card Uses",
           "answer_refused order=%s", text);
    event_refusal(turn->table->events, why);
    script_watch_again(script, before);
    free(text);
}

bool gs_react_next(struct gs_turn *turn, size_t *index, enum order_result *result)
{
    const struct gs_table *table = turn->table;
    const struct script *script = table->orders ? table->orders[turn->seat].standing : NULL;
    size_t count = script ? script_line_count(script) : 0;
    while (*index < count) {
        size_t at = (*index)++;
        struct refusal why;
        if (!fits(turn, script, at))
            continue;
        *result = script_react(script, at, &gs_language, turn, table->number, &why);
        if (*result == ORDER_REFUSED && why.reason.len && !slice_eq(why.reason, "other_use"))
            tell_refused(turn, script, script_line(script, at), &why);
        return true;
    }
    return false;
}

bool gs_react(struct gs_turn *turn)
{
    size_t index = 0;
    enum order_result result;
    while (gs_react_next(turn, &index, &result)) {
        if (result == ORDER_DONE || result == ORDER_FAILED)
            return true;
    }
    return false;
}
