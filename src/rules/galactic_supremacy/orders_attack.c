/* ATTACK, and what may answer an attack or a command card: PLAY, DEFEND, COUNTER, TAKE, LEAVE. */
#include "rules/galactic_supremacy/names.h"

#include <string.h>

#include "base/str.h"

/* ---- plans ---- */

static bool has_fleet(const struct gs_plan *plan, int fleet)
{
    return memchr(plan->fleet, fleet, (size_t)plan->fleet_count) != NULL;
}

static void add_fleet(struct gs_plan *plan, int fleet)
{
    if (fleet <= GS_FLEETS && plan->fleet_count < GS_FLEETS && !has_fleet(plan, fleet))
        plan->fleet[plan->fleet_count++] = (uint8_t)fleet;
}

static void add_all_fleets(const struct gs_turn *turn, struct gs_plan *plan)
{
    for (int i = 0; i < turn->player->fleet_count && i < GS_FLEETS; i++)
        add_fleet(plan, turn->player->fleet[i].number);
}

/* Reads "[with] all|fleets". Without words: all. */
static bool read_fleets(const struct gs_turn *turn, struct args *args, struct gs_plan *plan,
                        struct refusal *why)
{
    int fleet;
    bool with = args_keyword(args, "with", 4);
    if (args_keyword(args, "all", 3)) {
        (void)args_keyword(args, "fleets", 5);
        add_all_fleets(turn, plan);
        return true;
    }
    while (gs_read_fleet(turn, turn->seat, args, &fleet))
        add_fleet(plan, fleet);
    bool more =
        !args_end(args) && strcmp(args->word->text, "using") != 0 && strcmp(args->word->text, "aim") != 0;
    if (with && more) {
        no(why, "which_fleets words=%s", gs_first_words(args).p);
        return false;
    }
    if (!plan->fleet_count)
        add_all_fleets(turn, plan);
    return true;
}

/* Reads "[using surprise, tactical f1, initiative]". */
static bool read_cards(const struct gs_turn *turn, struct args *args, struct gs_plan *plan,
                       struct refusal *why)
{
    if (!args_keyword(args, "using", 3))
        return true;
    for (;;) {
        if (args_keyword(args, "surprise", 4)) {
            plan->surprise = true;
        } else if (args_keyword(args, "initiative", 4)) {
            plan->initiative = true;
        } else if (args_keyword(args, "tactical", 4)) {
            int fleet = plan->fleet_count ? plan->fleet[0] : 0;
            (void)args_keyword(args, "superiority", 5);
            (void)gs_read_fleet(turn, turn->seat, args, &fleet);
            if (!has_fleet(plan, fleet) || plan->tactical_count == GS_TACTICALS) {
                no(why, "tactical_where");
                return false;
            }
            plan->tactical[plan->tactical_count++] = (uint8_t)fleet;
        } else if (args_end(args) || strcmp(args->word->text, "aim") == 0) {
            return true;
        } else {
            no(why, "using_what words=%s", gs_first_words(args).p);
            return false;
        }
    }
}

static bool read_aim(struct args *args)
{
    if (!args_keyword(args, "aim", 3))
        return false;
    (void)args_keyword(args, "leaders", 4);
    return true;
}

/* Reads the world of the opponent; a seat that has only its homeworld needs no name for it. */
static bool read_attacked(const struct gs_turn *turn, struct args *args, struct gs_plan *plan,
                          struct refusal *why)
{
    const struct gs_player *target = gs_player_const(turn->state, plan->target);
    if (gs_read_world(turn, plan->target, args, &plan->world))
        return true;
    bool named =
        !args_end(args) && strcmp(args->word->text, "with") != 0 && strcmp(args->word->text, "using") != 0;
    if (!named && !target->sector_count) {
        plan->world = GS_HOME;
        return true;
    }
    no(why, "no_such_world player=%s", code_of('P', plan->target).p);
    return false;
}

bool gs_read_plan(const struct gs_turn *turn, struct args *args, struct gs_plan *plan, struct refusal *why)
{
    memset(plan, 0, sizeof(*plan));
    plan->by = turn->seat;
    if (!gs_read_opponent(turn, args, &plan->target, why) || !read_attacked(turn, args, plan, why) ||
        !read_fleets(turn, args, plan, why) || !read_cards(turn, args, plan, why))
        return false;
    plan->aim_leaders = read_aim(args);
    if (!args_finished(args, why))
        return false;
    return gs_check_plan(turn->cards, turn->state, plan, why) == ORDER_DONE;
}

/* As the form has them. */
static void note_odds(const struct gs_turn *turn, const struct gs_plan *plan)
{
    if (!turn->table->events->fates_only)
        return;
    const int odds = gs_plan_odds(turn->cards, turn->state, plan),
              fleets = gs_plan_defenders(turn->state, plan);
    event_odds(turn->table->events, "attack odds=%d fleets=%d one?=%d", odds, fleets, fleets == 1);
}

GS_HANDLER(gs_run_attack)
{
    struct gs_turn *play = turn;
    struct gs_plan plan;
    if (play->reaction == GS_ON_PEACE) {
        if (!gs_read_plan(play, args, &play->attack->next, why))
            return ORDER_REFUSED;
        play->attack->has_next = true;
        return ORDER_DONE;
    }
    if (!gs_enter(turn, GS_PHASE_ATTACK, why) || !gs_read_plan(play, args, &plan, why))
        return ORDER_REFUSED;
    *rolled = true;
    note_odds(play, &plan);
    return gs_attack(play, &plan);
}

/* ---- the next plan, for ODDS ---- */

/* The words after ATTACK in a line, up to the end of that order. */
static size_t attack_words(struct slice line, struct word words[WORDS_PER_LINE], size_t *count)
{
    int split = words_split(line, words, WORDS_PER_LINE);
    size_t total = split < 0 ? WORDS_PER_LINE : (size_t)split;
    size_t from = 0;
    while (from < total && (strlen(words[from].text) < 3 ||
                            strncmp(words[from].text, "attack", strlen(words[from].text)) != 0))
        from++;
    *count = 0;
    if (from == total)
        return 0;
    size_t kept = ++from;
    for (size_t i = from; i < total; i++) {
        const char *text = words[i].text;
        if (strcmp(text, "or") == 0 || strcmp(text, "else") == 0 || strcmp(text, "if") == 0)
            break;
        if (words[i].kind != WORD_OP && (strcmp(text, "with") == 0 || !word_is_filler(text)))
            words[kept++] = words[i];
    }
    *count = kept - from;
    return from;
}

bool gs_next_plan(const struct gs_turn *turn, struct gs_plan *plan)
{
    const struct script_line *now = turn->run ? script_run_line(turn->run) : NULL;
    size_t lines = now ? script_line_count(turn->script) : 0;
    bool reached = false;
    for (size_t i = 0; i < lines; i++) {
        const struct script_line *line = script_line(turn->script, i);
        struct word words[WORDS_PER_LINE];
        struct refusal why;
        size_t count;
        reached = reached || line == now;
        if (!line || !reached || (line->kind != LINE_ORDERS && line->kind != LINE_BLOCK))
            continue;
        size_t from = attack_words(line->text, words, &count);
        if (!from)
            continue;
        struct args args = {words + from, count};
        /* This does not check whether it may be carried out, only whom it would meet. */
        bool read = gs_read_plan(turn, &args, plan, &why);
        return read || (plan->target && plan->fleet_count);
    }
    return false;
}

/* ---- answers ---- */

static void ask(struct gs_attack *attack, enum gs_use use, int unit)
{
    attack->play[attack->play_count].use = use;
    attack->play[attack->play_count++].unit = unit;
}

/* The defender's "tactical [h|f1]": the unit must be able to fight as things stand. */
static bool read_own_unit(const struct gs_turn *turn, struct args *args, int *unit)
{
    struct gs_ref ref;
    *unit = 0;
    if (args_end(args))
        return true;
    if (!gs_read_unit(turn, turn->seat, args, &ref) || ref.type == 'l')
        return false;
    if (ref.type == 'w')
        return ref.number == turn->attack->plan.world;
    const struct gs_unit *fleet = gs_fleet(turn->player, ref.number);
    *unit = ref.number;
    return fleet->at == turn->attack->plan.world || gs_may_call(turn->state, turn->attack);
}

enum order_result gs_play_answer(struct gs_turn *turn, struct args *args, struct refusal *why)
{
    int use = GS_USES;
    int unit = 0;
    if (turn->reaction == GS_ON_COUNTERED) {
        if (!args_keyword(args, "again", 3))
            return no(why, "no_answer");
    } else if (gs_read_use(turn->cards, args, &use, NULL) != NAME_ONE) {
        return no(why, "unknown_use words=%s", args_words(args).p);
    }
    bool fits =
        turn->reaction == GS_ON_COUNTERED || (turn->reaction == GS_ON_AMBUSHED && use == GS_SURPRISE) ||
        (turn->reaction == GS_ON_ATTACKED && (use == GS_PEACE || use == GS_AMBUSH || use == GS_TACTICAL));
    if (!fits)
        return no(why, "no_answer");
    if (use == GS_TACTICAL && !read_own_unit(turn, args, &unit))
        return no(why, "tactical_where");
    if (!args_finished(args, why))
        return ORDER_REFUSED;
    int asked = turn->attack ? turn->attack->play_count : 0;
    if (gs_hand_count(turn->cards, turn->player, GS_COMMAND) <= asked || asked >= GS_TACTICALS)
        return no(why, "no_command");
    turn->agreed = true;
    if (turn->attack)
        ask(turn->attack, (enum gs_use)use, unit);
    return ORDER_DONE;
}

/* Reads "all|here|none|fleets". */
static bool read_defence(const struct gs_turn *turn, struct args *args, struct gs_attack *attack)
{
    int fleet;
    memset(attack->list, 0, sizeof(attack->list));
    if (args_keyword(args, "all", 3)) {
        attack->defence = GS_DEFEND_ALL;
    } else if (args_keyword(args, "here", 3)) {
        attack->defence = GS_DEFEND_HERE;
    } else if (args_keyword(args, "none", 4) || args_keyword(args, "nothing", 4)) {
        attack->defence = GS_DEFEND_NONE;
    } else {
        attack->defence = GS_DEFEND_LIST;
        bool any = false;
        while (gs_read_fleet(turn, turn->seat, args, &fleet))
            any = attack->list[fleet] = true;
        return any;
    }
    return true;
}

/* Reads "world", or what goes where: "f1 f2 s2, f3 home, s1": a world without fleets
 * before it is for all others. */
static bool read_retreat(const struct gs_turn *turn, struct args *args, struct gs_attack *attack)
{
    bool any = false;
    do {
        bool fleets[GS_FLEETS + 1] = {false};
        int fleet, world;
        bool listed = false;
        while (gs_read_fleet(turn, turn->seat, args, &fleet))
            listed = fleets[fleet] = true;
        if (!gs_read_world(turn, turn->seat, args, &world))
            return any && !listed;
        if (!listed)
            attack->retreat = world;
        for (fleet = 1; fleet <= GS_FLEETS; fleet++) {
            if (fleets[fleet])
                attack->sent[fleet] = (int8_t)world;
        }
        any = true;
    } while (true);
}

GS_HANDLER(gs_run_defend)
{
    struct gs_turn *play = turn;
    struct gs_attack wanted;
    (void)rolled;
    if (play->reaction != GS_ON_ATTACKED)
        return no(why, "no_answer");
    if (play->attack->defence != GS_DEFEND_DEFAULT)
        return no(why, "defended_already");
    wanted = *play->attack;
    if (!read_defence(play, args, &wanted))
        return no(why, "defend_what words=%s", args_words(args).p);
    if (args_keyword(args, "retreat", 3) && !read_retreat(play, args, &wanted))
        return no(why, "which_world words=%s", args_words(args).p);
    wanted.aim_leaders = read_aim(args);
    if (!args_finished(args, why))
        return ORDER_REFUSED;
    *play->attack = wanted;
    return ORDER_DONE;
}

/* The words of the trigger may follow COUNTER too: "WHEN PLAYED COUNTER" is one order to the reader
 * of the language, not a trigger and an order. */
GS_HANDLER(gs_run_counter)
{
    struct gs_turn *play = turn;
    int keep = 0;
    (void)rolled;
    if (play->reaction != GS_ON_PLAYED)
        return no(why, "no_answer");
    if (!gs_match_played(play, args))
        return no(why, "other_use");
    (void)args_keyword(args, "counter", 7);
    if (args_keyword(args, "keep", 4) && !args_number(args, &keep))
        return no(why, "counter_what words=%s", args_words(args).p);
    if (!args_finished(args, why))
        return ORDER_REFUSED;
    int have = gs_hand_count(play->cards, play->player, GS_COMMAND);
    if (!have)
        return no(why, "no_command");
    if (have <= keep)
        return no(why, "kept_back keep=%d", keep);
    play->agreed = true;
    return ORDER_DONE;
}

static enum order_result decide(struct gs_turn *turn, struct args *args, bool leave, struct refusal *why)
{
    if (turn->reaction != GS_ON_CONQUER)
        return no(why, "no_answer");
    if (!args_finished(args, why))
        return ORDER_REFUSED;
    turn->attack->leave = leave;
    turn->agreed = true;
    return ORDER_DONE;
}

GS_HANDLER(gs_run_take)
{
    (void)rolled;
    return decide(turn, args, false, why);
}

GS_HANDLER(gs_run_leave)
{
    (void)rolled;
    return decide(turn, args, true, why);
}
