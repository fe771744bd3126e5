#include "orders/script_tree.h"

#include <assert.h>
#include <stdlib.h>

#include "base/mem.h"

enum dice { DICE_NONE, DICE_OK, DICE_FAIL };

/* What conditions and orders are carried out with. */
struct carrier {
    const struct script *script;
    const struct language *language;
    void *turn;
    int turn_number;
    enum dice dice; /* how the last line that rolled went */
};

enum truth { TRUTH_OPEN, TRUTH_NO, TRUTH_YES, TRUTH_UNKNOWN };

struct block_fate {
    enum truth holds;
    struct refusal why; /* TRUTH_UNKNOWN */
};

struct line_fate {
    bool told;
    bool chosen;   /* the branch's condition holds */
    bool tried;    /* an order was refused: `why` and `order` tell of it */
    size_t branch; /* of the line's branches */
    struct refusal why;
    struct slice order;
};

struct script_run {
    struct carrier carrier;
    struct script_listener listener;
    struct line_fate *lines;
    struct block_fate *blocks;
    const struct script_line *now;
    bool begun;
    bool instant; /* only what is carried out when the mail is read */
};

/* ---- conditions ---- */

static bool compare(int64_t value, enum comparison comparison, int64_t number)
{
    switch (comparison) {
    case IS_LESS: return value < number;
    case IS_AT_MOST: return value <= number;
    case IS_EQUAL: return value == number;
    case IS_AT_LEAST: return value >= number;
    case IS_MORE: return value > number;
    }
    return false;
}

/* False when the game does not know what is asked for. */
static bool atom_value(const struct carrier *carrier, const struct atom *atom, bool *holds)
{
    struct args args = script_args(carrier->script, atom->args);
    int64_t value = 0;
    bool known = true;
    switch (atom->kind) {
    case ATOM_OK: *holds = carrier->dice == DICE_OK; break;
    case ATOM_FAIL: *holds = carrier->dice == DICE_FAIL; break;
    case ATOM_TURN: *holds = compare(carrier->turn_number, atom->comparison, atom->number); break;
    case ATOM_HAVE: *holds = carrier->language->have(carrier->turn, &args, &known); break;
    case ATOM_COUNTER:
        known = atom->counter->value(carrier->turn, &args, &value);
        *holds = atom->counter->test ? value != 0 : compare(value, atom->comparison, atom->number);
        break;
    }
    *holds = *holds != atom->negate;
    return known;
}

static enum truth decide(const struct carrier *carrier, struct span atoms, struct refusal *why)
{
    for (size_t i = 0; i < atoms.count; i++) {
        const struct atom *atom = &carrier->script->atoms[atoms.from + i];
        bool holds = false;
        if (!atom_value(carrier, atom, &holds)) {
            char *text = slice_dup(atom->text);
            (void)no(why, "unknown_condition condition=%s", text);
            free(text);
            return TRUTH_UNKNOWN;
        }
        if (!holds)
            return TRUTH_NO;
    }
    return TRUTH_YES;
}

/* ---- orders ---- */

static void nothing_refused(struct refusal *why)
{
    why->reason = (struct slice){NULL, 0};
    why->params = 0;
}

static enum order_result carry_once(struct carrier *carrier, const struct order *order, struct refusal *why)
{
    struct args args = script_args(carrier->script, order->args);
    bool rolled = false;
    nothing_refused(why);
    enum order_result result = order->verb->run(carrier->turn, &args, why, &rolled);
    if (result == ORDER_REFUSED && !why->reason.len)
        (void)no(why, "refused_plainly");
    if (rolled && result == ORDER_DONE)
        carrier->dice = DICE_OK;
    if (rolled && result == ORDER_FAILED)
        carrier->dice = DICE_FAIL;
    return result;
}

static enum order_result carry(struct carrier *carrier, const struct branch *branch,
                               const struct order *order, struct refusal *why)
{
    enum order_result result = carry_once(carrier, order, why);
    for (int times = 1; times < branch->repeat && result == ORDER_DONE; times++) {
        enum order_result again = carry_once(carrier, order, why);
        if (again == ORDER_REFUSED)
            break;
        result = again;
    }
    return result;
}

/* ---- a run through the phases ---- */

static void tell(struct script_run *run, size_t index, enum order_result result, const struct refusal *why,
                 struct slice order)
{
    struct line_fate *fate = &run->lines[index];
    fate->told = true;
    if (run->listener.line)
        run->listener.line(run->listener.arg, run->now, result, result == ORDER_REFUSED ? why : NULL, order);
}

/* Tries the branch's orders of this phase. Reports the line's outcome unless a later phase can still change
 * it. */
static void run_branch(struct script_run *run, size_t index, const struct branch *branch, uint64_t bit)
{
    const struct script *script = run->carrier.script;
    struct line_fate *fate = &run->lines[index];
    for (size_t i = 0; i < branch->orders.count; i++) {
        const struct order *order = &script->orders[branch->orders.from + i];
        if (phase_bit(order->verb) != bit)
            continue;
        fate->tried = true;
        fate->order = order->text;
        enum order_result result = carry(&run->carrier, branch, order, &fate->why);
        if (result != ORDER_REFUSED) {
            tell(run, index, result, NULL, order->text);
            return;
        }
    }
    uint64_t later = ~(bit | (bit - 1));
    if (!(branch->phases & later))
        tell(run, index, ORDER_REFUSED, &fate->why, fate->order);
}

static void run_line(struct script_run *run, size_t index, uint64_t bit)
{
    const struct script *script = run->carrier.script;
    const struct node *node = &script->nodes[index];
    struct line_fate *fate = &run->lines[index];
    const struct block_fate *block = node->block == NO_BLOCK ? NULL : &run->blocks[node->block];
    if (block && block->holds != TRUTH_YES) {
        bool unknown = block->holds == TRUTH_UNKNOWN;
        tell(run, index, unknown ? ORDER_REFUSED : ORDER_SKIPPED, &block->why, node->line.text);
        return;
    }
    while (fate->branch < node->branches.count) {
        const struct branch *branch = &script->branches[node->branches.from + fate->branch];
        if (!(branch->pending & bit))
            return;
        enum truth holds = fate->chosen ? TRUTH_YES : decide(&run->carrier, branch->atoms, &fate->why);
        fate->chosen = holds == TRUTH_YES;
        if (holds == TRUTH_YES) {
            if (branch->phases & bit)
                run_branch(run, index, branch, bit);
            return;
        }
        if (holds == TRUTH_UNKNOWN) {
            tell(run, index, ORDER_REFUSED, &fate->why, node->line.text);
            return;
        }
        fate->branch++;
    }
    tell(run, index, ORDER_SKIPPED, NULL, node->line.text);
}

/* Decides a block when the first phase of its orders comes to its line. */
static void run_block(struct script_run *run, int index, uint64_t bit)
{
    const struct block *block = &run->carrier.script->blocks[index];
    struct block_fate *fate = &run->blocks[index];
    if (fate->holds != TRUTH_OPEN || !(block->phases & bit))
        return;
    const struct block_fate *parent = block->parent == NO_BLOCK ? NULL : &run->blocks[block->parent];
    const struct block_fate *first = block->otherwise == NO_BLOCK ? NULL : &run->blocks[block->otherwise];
    if (parent && parent->holds != TRUTH_YES)
        *fate = *parent;
    else if (first && first->holds == TRUTH_UNKNOWN)
        *fate = *first;
    else if (first)
        fate->holds = first->holds == TRUTH_YES ? TRUTH_NO : TRUTH_YES;
    else
        fate->holds = decide(&run->carrier, block->atoms, &fate->why);
}

void script_watch(struct script *script, int seat, struct script_now *now)
{
    if (!script)
        return;
    script->watch = now;
    script->seat = seat;
}

struct script_now script_watch_line(const struct script *script, const struct script_line *line)
{
    struct script_now before = {NULL, 0};
    if (script->watch) {
        before = *script->watch;
        *script->watch = (struct script_now){line, script->seat};
    }
    return before;
}

void script_watch_again(const struct script *script, struct script_now before)
{
    if (script->watch)
        *script->watch = before;
}

static void run_bit(struct script_run *run, uint64_t bit)
{
    const struct script *script = run->carrier.script;
    for (size_t i = 0; i < script->node_count; i++) {
        const struct node *node = &script->nodes[i];
        run->now = &node->line;
        const struct script_now before = script_watch_line(script, run->now);
        if (node->line.kind == LINE_BLOCK && node->opens != NO_BLOCK)
            run_block(run, node->opens, bit);
        else if (node->line.kind == LINE_ORDERS && node->phases & bit && !run->lines[i].told)
            run_line(run, i, bit);
        else if (node->line.kind == LINE_BAD && bit != PHASE_KEEP && bit != PHASE_INSTANT &&
                 !run->lines[i].told)
            tell(run, i, ORDER_REFUSED, NULL, node->line.text);
        script_watch_again(script, before);
    }
    run->now = NULL;
}

struct script_run *script_run_new(const struct script *script, const struct language *language, void *turn,
                                  int turn_number, const struct script_listener *listener)
{
    struct script_run *run = mem_alloc(sizeof *run);
    run->carrier = (struct carrier){script, language, turn, turn_number, DICE_NONE};
    if (listener)
        run->listener = *listener;
    run->lines = mem_resize(NULL, script->node_count, sizeof *run->lines);
    for (size_t i = 0; i < script->node_count; i++) { /* a refusal does not clear the parameters that it does
                                                       * not use */
        struct line_fate *fate = &run->lines[i];
        fate->told = fate->chosen = fate->tried = false;
        fate->branch = 0;
        nothing_refused(&fate->why);
        fate->order = (struct slice){NULL, 0};
    }
    run->blocks = mem_array(script->block_count, sizeof *run->blocks);
    return run;
}

void script_run_phase(struct script_run *run, int phase)
{
    assert(phase >= 0 && phase < run->carrier.language->phases);
    if (!run->begun)
        run_bit(run, PHASE_KEEP);
    run->begun = true;
    run_bit(run, (uint64_t)1 << (phase + 1));
}

bool script_has_instant(const struct script *script)
{
    for (size_t i = 0; i < script->node_count; i++)
        if (script->nodes[i].line.kind == LINE_ORDERS && script->nodes[i].phases & PHASE_INSTANT)
            return true;
    return false;
}

bool script_line_instant(const struct script *script, size_t index)
{
    assert(index < script->node_count);
    const struct node *node = &script->nodes[index];
    return node->line.kind == LINE_ORDERS && node->phases == PHASE_INSTANT;
}

void script_run_instant(struct script_run *run)
{
    run->instant = true;
    run_bit(run, PHASE_INSTANT);
}

/* Lines that this kind of run does not carry out are reported in the other kind. */
static bool others_business(const struct script_run *run, const struct node *node)
{
    return run->instant ? !(node->phases & PHASE_INSTANT) : node->phases == PHASE_INSTANT;
}

const struct script_line *script_run_line(const struct script_run *run)
{
    return run->now;
}

void script_run_free(struct script_run *run)
{
    if (!run)
        return;
    const struct script *script = run->carrier.script;
    for (size_t i = 0; i < script->node_count; i++) {
        const struct line_fate *fate = &run->lines[i];
        run->now = &script->nodes[i].line;
        if (fate->told || (run->now->kind != LINE_ORDERS && run->now->kind != LINE_BAD) ||
            others_business(run, &script->nodes[i]))
            continue;
        if (run->now->kind == LINE_BAD)
            tell(run, i, ORDER_REFUSED, NULL, run->now->text);
        else
            tell(run, i, fate->tried ? ORDER_REFUSED : ORDER_SKIPPED, &fate->why,
                 fate->tried ? fate->order : run->now->text);
    }
    free(run->lines);
    free(run->blocks);
    free(run);
}

/* ---- reactions ---- */

static enum order_result react(struct carrier *carrier, const struct node *node, struct refusal *why)
{
    const struct script *script = carrier->script;
    for (size_t b = 0; b < node->branches.count; b++) {
        const struct branch *branch = &script->branches[node->branches.from + b];
        enum truth holds = decide(carrier, branch->atoms, why);
        if (holds == TRUTH_UNKNOWN)
            return ORDER_REFUSED;
        if (holds != TRUTH_YES)
            continue;
        enum order_result result = ORDER_REFUSED;
        for (size_t i = 0; i < branch->orders.count && result == ORDER_REFUSED; i++)
            result = carry(carrier, branch, &script->orders[branch->orders.from + i], why);
        return result;
    }
    return ORDER_SKIPPED;
}

enum order_result script_react(const struct script *script, size_t line_index,
                               const struct language *language, void *turn, int turn_number,
                               struct refusal *why)
{
    assert(line_index < script->node_count);
    const struct node *node = &script->nodes[line_index];
    assert(node->line.kind == LINE_WHEN);
    struct carrier carrier = {script, language, turn, turn_number, DICE_NONE};
    nothing_refused(why);
    const struct script_now before = script_watch_line(script, &node->line);
    enum order_result result = react(&carrier, node, why);
    script_watch_again(script, before);
    return result;
}

unsigned script_line_plays(const struct script *script, size_t index)
{
    const struct script_line *line = script_line(script, index);
    const bool automatic = line->verb && strcmp(line->verb, "auto") == 0;
    switch (line->kind) {
    case LINE_ORDERS: return script_line_instant(script, index) ? 0 : PLAYS_ORDERS;
    case LINE_ALWAYS: return automatic ? PLAYS_ALWAYS_AUTO : PLAYS_ALWAYS;
    case LINE_COMMON: return automatic ? PLAYS_AUTO : 0;
    case LINE_WHEN:
    case LINE_BLOCK:
    case LINE_BAD: return 0;
    }
    return 0;
}

unsigned script_plays(const struct script *script)
{
    unsigned plays = 0;
    for (size_t i = 0; i < script_line_count(script); i++)
        plays |= script_line_plays(script, i);
    return plays;
}
