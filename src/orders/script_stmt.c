#include "orders/script_tree.h"

#include <string.h>

#include "base/mem.h"

/* Words that end the arguments of an order. */
static bool ends_order(const struct reader *reader)
{
    return reader_end(reader) || reader_is(reader, "or") || reader_is(reader, "else") ||
           reader_is(reader, "if");
}

static const char *join_text(struct script *script, struct slice verb, struct slice rest)
{
    struct str text = STR_INIT;
    str_addslice(&text, verb);
    str_addc(&text, ' ');
    str_addslice(&text, rest);
    return script_own(script, str_detach(&text));
}

/* One order. After OR the verb may be left out ("RESEARCH BANKING OR CAPITAL"): `*spoken` is the index of
 * the verb's word. */
static int order_read(struct reader *reader, struct branch *branch, size_t *spoken)
{
    struct script *script = reader->script;
    reader_skip_fillers(reader);
    if (ends_order(reader))
        return reader_end(reader) ? fail_no_verb(reader) : reader_fail(reader, "order_missing");
    bool first = branch->orders.count == 0;
    size_t from = reader->at;
    const struct verb *verb =
        find_verb(reader->language, &reader->word[from], reader->standing, first ? 2 : 3);
    bool left_out = !verb && !first;
    if (left_out) {
        verb = script->orders[script->order_count - 1].verb;
    } else {
        *spoken = from;
        reader->at++;
    }
    if (!verb) {
        reader->at = from;
        return fail_no_verb(reader);
    }
    size_t args = reader->at;
    while (!ends_order(reader)) {
        if (reader_is(reader, "then"))
            return reader_fail(reader, "then_place");
        reader->at++;
    }
    script->orders =
        mem_grow(script->orders, script->order_count, &script->order_cap, sizeof *script->orders);
    struct order *order = &script->orders[script->order_count++];
    *order = (struct order){.verb = verb, .text = reader_text(reader, from, reader->at)};
    if (left_out)
        order->text = slice_of(join_text(script, reader->word[*spoken].raw, order->text));
    order->args = reader_args(reader, args, reader->at, verb->keywords, false);
    branch->phases |= phase_bit(verb);
    branch->orders.count++;
    return 0;
}

static int repeat_read(struct reader *reader, struct branch *branch)
{
    reader_skip_fillers(reader);
    struct args args = {reader->word + reader->at, reader->count - reader->at};
    int times = SCRIPT_REPEAT;
    if (args_number(&args, &times)) {
        reader->at++;
        reader_take(reader, "times");
    }
    if (times < 1)
        return reader_fail(reader, "repeat_needs");
    branch->repeat = times < SCRIPT_REPEAT ? times : SCRIPT_REPEAT;
    size_t spoken = 0;
    if (order_read(reader, branch, &spoken))
        return -1;
    if (reader_is(reader, "or"))
        return reader_fail(reader, "repeat_or");
    return 0;
}

static int alternatives_read(struct reader *reader, struct branch *branch)
{
    size_t spoken = 0;
    do {
        if (order_read(reader, branch, &spoken))
            return -1;
    } while (reader_take(reader, "or"));
    return 0;
}

/* One branch, up to its ELSE or the end of the line. */
static int branch_read(struct reader *reader, struct branch *branch)
{
    reader_skip_fillers(reader);
    if (reader_take(reader, "if")) {
        if (cond_read(reader, &branch->atoms))
            return -1;
        reader_take(reader, "then");
        reader_skip_fillers(reader);
    }
    branch->orders.from = reader->script->order_count;
    if (reader_take(reader, "repeat") ? repeat_read(reader, branch) : alternatives_read(reader, branch))
        return -1;
    if (reader_is(reader, "if") && branch->atoms.count)
        return reader_fail(reader, "one_if");
    if (reader_take(reader, "if") && cond_read(reader, &branch->atoms))
        return -1;
    if (!reader_end(reader) && !reader_is(reader, "else"))
        return reader_fail(reader, "after_condition");
    if (reader_is(reader, "else") && !branch->atoms.count)
        return reader_fail(reader, "else_without_if");
    return 0;
}

int stmt_read(struct reader *reader, struct node *node)
{
    struct script *script = reader->script;
    node->branches = (struct span){script->branch_count, 0};
    do {
        struct branch branch = {0};
        if (branch_read(reader, &branch))
            return -1;
        script->branches =
            mem_grow(script->branches, script->branch_count, &script->branch_cap, sizeof *script->branches);
        script->branches[script->branch_count++] = branch;
        node->branches.count++;
    } while (reader_take(reader, "else"));
    uint64_t pending = 0;
    for (size_t i = node->branches.count; i-- > 0;) {
        struct branch *branch = &script->branches[node->branches.from + i];
        pending |= branch->phases;
        branch->pending = pending;
    }
    node->phases = pending;
    node->line.verb = script->orders[script->branches[node->branches.from].orders.from].verb->name;
    return 0;
}
