#include "orders/script_tree.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/nearest.h"

struct args script_args(const struct script *script, struct span words)
{
    return (struct args){words.count ? script->words + words.from : NULL, words.count};
}

const char *script_own(struct script *script, char *text)
{
    script->owned = mem_grow(script->owned, script->owned_count, &script->owned_cap, sizeof *script->owned);
    script->owned[script->owned_count++] = text;
    return text;
}

/* ---- the structure of blocks ---- */

/* Open blocks while the lines are walked. */
struct nest {
    struct script *script;
    int open[SCRIPT_LINES];
    size_t depth;
    size_t base; /* the line after the last ENDIF that closed all blocks */
};

static int nest_top(const struct nest *nest)
{
    return nest->depth ? nest->open[nest->depth - 1] : NO_BLOCK;
}

/* The IF part of a block: what happens to one part happens to both. */
static struct block *block_root(struct script *script, int block)
{
    int otherwise = script->blocks[block].otherwise;
    return &script->blocks[otherwise == NO_BLOCK ? block : otherwise];
}

static int block_add(struct script *script, struct block block)
{
    script->blocks =
        mem_grow(script->blocks, script->block_count, &script->block_cap, sizeof *script->blocks);
    script->blocks[script->block_count] = block;
    return (int)script->block_count++;
}

static void nest_if(struct nest *nest, size_t line, bool guess)
{
    struct script *script = nest->script;
    struct node *node = &script->nodes[line];
    bool deep = nest->depth >= SCRIPT_DEPTH;
    node->opens = block_add(script, (struct block){.atoms = node->atoms,
                                                   .line = line,
                                                   .parent = nest_top(nest),
                                                   .otherwise = NO_BLOCK,
                                                   .guess = guess,
                                                   .broken = deep});
    nest->open[nest->depth++] = node->opens;
    if (deep)
        node_fail(node, "deep_blocks most=%d", SCRIPT_DEPTH);
}

/* An ENDIF or ELSE without IF: a line not understood before it ("IFF METAL > 2") may have been the IF, so
 * nothing from there on is carried out. */
static void nest_lost(struct nest *nest, size_t line)
{
    struct script *script = nest->script;
    size_t from = nest->base;
    while (from < line && script->nodes[from].line.kind != LINE_BAD)
        from++;
    if (from == line)
        return;
    int block = block_add(
        script, (struct block){
                    .line = from, .parent = NO_BLOCK, .otherwise = NO_BLOCK, .closed = true, .guess = true});
    for (size_t i = from + 1; i < line; i++)
        script->nodes[i].block = block;
}

static void nest_else(struct nest *nest, size_t line)
{
    struct script *script = nest->script;
    struct node *node = &script->nodes[line];
    int top = nest_top(nest);
    if (top == NO_BLOCK) {
        /* What follows was meant to depend on a condition that we do not know. */
        node_fail(node, "else_without_block");
        nest_lost(nest, line);
        nest_if(nest, line, false);
        return;
    }
    struct block *root = block_root(script, top);
    root->guess = false;
    if (root != &script->blocks[top]) {
        root->broken = true;
        node_fail(node, "two_elses");
        return;
    }
    /* A copy, because adding a block may move them all. */
    struct block part = *root;
    part.otherwise = top;
    nest->open[nest->depth - 1] = block_add(script, part);
    node->opens = nest_top(nest);
}

static void nest_endif(struct nest *nest, size_t line)
{
    struct script *script = nest->script;
    int top = nest_top(nest);
    if (top == NO_BLOCK) {
        node_fail(&script->nodes[line], "endif_without_block");
        nest_lost(nest, line);
    } else {
        block_root(script, top)->closed = true;
        nest->depth--;
        script->nodes[line].block = nest_top(nest);
    }
    if (!nest->depth)
        nest->base = line + 1;
}

/* A line that looks like a statement with a bad condition is taken for a block only when there are more
 * ENDIFs than blocks. */
static void blocks_find(struct script *script, const enum shape *shape)
{
    struct nest nest = {.script = script};
    size_t begins = 0;
    size_t ends = 0;
    for (size_t i = 0; i < script->node_count; i++) {
        begins += shape[i] == SHAPE_IF || shape[i] == SHAPE_IF_BAD;
        ends += shape[i] == SHAPE_ENDIF;
    }
    for (size_t i = 0; i < script->node_count; i++) {
        script->nodes[i].block = nest_top(&nest);
        switch (shape[i]) {
        case SHAPE_IF: nest_if(&nest, i, false); break;
        case SHAPE_IF_BAD: nest_if(&nest, i, true); break;
        case SHAPE_IF_BAD_LINE:
            if (ends > begins)
                nest_if(&nest, i, true);
            break;
        case SHAPE_ELSE: nest_else(&nest, i); break;
        case SHAPE_ELSE_BAD:
            if (nest.depth)
                block_root(script, nest_top(&nest))->broken = true;
            break;
        case SHAPE_ENDIF: nest_endif(&nest, i); break;
        case SHAPE_PLAIN: break;
        }
    }
}

/* The innermost real block from here outwards: guesses without ENDIF are none. */
static int real_block(const struct script *script, int block)
{
    while (block != NO_BLOCK) {
        const struct block *b = &script->blocks[block];
        const struct block *root = b->otherwise == NO_BLOCK ? b : &script->blocks[b->otherwise];
        if (!root->guess || root->closed)
            return block;
        block = b->parent;
    }
    return NO_BLOCK;
}

/* Decides which blocks are broken: those not understood, not closed, or inside a broken one. Parents come
 * before children. */
static void blocks_judge(struct script *script)
{
    for (size_t i = 0; i < script->block_count; i++) {
        struct block *block = &script->blocks[i];
        block->parent = real_block(script, block->parent);
        const struct block *root = block_root(script, (int)i);
        bool bad = script->nodes[root->line].line.kind == LINE_BAD;
        if (root != block)
            block->broken = root->broken;
        else if (bad || !block->closed)
            block->broken = true;
        if (block->parent != NO_BLOCK && script->blocks[block->parent].broken)
            block->broken = true;
    }
}

/* The order that a word of an IF line, read as a condition alone, may have been meant as; NULL if none. */
static const char *meant_verb(const struct language *language, struct slice line)
{
    struct word words[WORDS_PER_LINE];
    int count = words_split(line, words, WORDS_PER_LINE);
    const char *best = NULL;
    size_t distance = 0;
    for (int i = 2; i < count; i++) {
        struct nearest nearest = NEAREST_INIT(words[i].text);
        for (const struct verb *verb = language->verbs; verb && verb->name; verb++)
            if (!(verb->flags & VERB_STANDING) && strlen(words[i].text) > 3)
                nearest_offer(&nearest, verb->name);
        if (nearest.best && (!best || nearest.distance < distance)) {
            best = nearest.best;
            distance = nearest.distance;
        }
    }
    return best;
}

static void fail_unclosed(struct node *node, const struct language *language)
{
    const char *verb = meant_verb(language, node->line.text);
    if (verb)
        node_fail(node, "unclosed_meant meant=%s", verb);
    else
        node_fail(node, "unclosed");
}

/* Lines of broken blocks become bad, and so do lines that are not allowed in a block. */
static void blocks_apply(struct script *script, const struct language *language)
{
    for (size_t i = 0; i < script->block_count; i++) {
        struct block *block = &script->blocks[i];
        struct node *node = &script->nodes[block->line];
        if (block->broken && !block->closed && !block->guess && block->otherwise == NO_BLOCK)
            fail_unclosed(node, language);
        else if (block->broken && !block->guess && block->parent == NO_BLOCK)
            node_fail(node, "broken_block");
    }
    for (size_t i = 0; i < script->node_count; i++) {
        struct node *node = &script->nodes[i];
        node->block = real_block(script, node->block);
        if (node->block == NO_BLOCK)
            continue;
        const struct block *block = &script->blocks[node->block];
        if (block->broken)
            node_fail(node, "in_broken_block line=%d", script->nodes[block->line].line.number);
        else if (node->line.kind != LINE_ORDERS && node->line.kind != LINE_BLOCK)
            node_fail(node, "block_orders_only");
        for (int b = node->block; b != NO_BLOCK && !block->broken; b = script->blocks[b].parent) {
            script->blocks[b].phases |= node->phases;
            block_root(script, b)->phases |= node->phases;
        }
    }
}

/* ---- lines ---- */

struct parser {
    struct script *script;
    const struct language *language;
    enum shape shape[SCRIPT_LINES];
};

/* Adds one line; false when there is no room for more. */
static bool line_add(struct parser *parser, struct slice text, int number)
{
    struct script *script = parser->script;
    if (script->node_count == SCRIPT_LINES) {
        struct node *last = &script->nodes[SCRIPT_LINES - 1];
        last->line.kind = LINE_ORDERS;
        node_fail(last, "many_lines most=%d", SCRIPT_LINES);
        parser->shape[SCRIPT_LINES - 1] = SHAPE_PLAIN;
        return false;
    }
    script->nodes = mem_grow(script->nodes, script->node_count, &script->node_cap, sizeof *script->nodes);
    struct node *node = &script->nodes[script->node_count];
    *node = (struct node){.line = {.number = number, .part = (int)script->node_count + 1, .text = text},
                          .block = NO_BLOCK,
                          .opens = NO_BLOCK};
    parser->shape[script->node_count++] = line_read(script, parser->language, node);
    return true;
}

/* A SAY line keeps its ';'. Looks at no more than the first word, because a line may have thousands of
 * pieces. */
static size_t piece_length(struct slice line)
{
    struct slice fourth = slice_sub(line, 3, 1);
    if (slice_casestarts(line, "say") && (!fourth.len || strchr(" \t:,", fourth.p[0])))
        return line.len;
    size_t end = slice_find(line, ";");
    return end == (size_t)-1 ? line.len : end;
}

static void lines_read(struct parser *parser, struct slice body)
{
    struct slice line;
    int number = 0;
    while (slice_line(&body, &line)) {
        line = slice_trim(line);
        if (line.len && line.p[0] != '#')
            number++;
        while (line.len && line.p[0] != '#') {
            size_t len = piece_length(line);
            struct slice piece = slice_trim(slice_sub(line, 0, len));
            struct word first;
            line = slice_trim(slice_sub(line, len + 1, line.len));
            if (words_split(piece, &first, 1) != 0 && !line_add(parser, piece, number))
                return;
        }
    }
}

struct script *script_parse(struct slice body, const struct language *language)
{
    assert(language->phases >= 1 && language->phases <= PHASES_MAX);
    for (const struct verb *verb = language->verbs; verb && verb->name; verb++)
        assert(verb->phase >= 0 && verb->phase < language->phases);
    struct script *script = mem_alloc(sizeof *script);
    struct parser *parser = mem_alloc(sizeof *parser);
    *parser = (struct parser){.script = script, .language = language};
    script->body = slice_dup(body);
    lines_read(parser, (struct slice){script->body, body.len});
    blocks_find(script, parser->shape);
    blocks_judge(script);
    blocks_apply(script, language);
    free(parser);
    return script;
}

void script_free(struct script *script)
{
    if (!script)
        return;
    for (size_t i = 0; i < script->owned_count; i++)
        free(script->owned[i]);
    for (size_t i = 0; i < script->node_count; i++)
        json_decref(script->nodes[i].line.why);
    free(script->owned);
    free(script->nodes);
    free(script->words);
    free(script->atoms);
    free(script->orders);
    free(script->branches);
    free(script->blocks);
    free(script->body);
    free(script);
}

size_t script_line_count(const struct script *script)
{
    return script->node_count;
}

const struct script_line *script_line(const struct script *script, size_t index)
{
    assert(index < script->node_count);
    return &script->nodes[index].line;
}

size_t script_errors(const struct script *script)
{
    size_t errors = 0;
    for (size_t i = 0; i < script->node_count; i++)
        errors += script->nodes[i].line.kind == LINE_BAD;
    return errors;
}

struct args script_trigger_args(const struct script *script, size_t line_index)
{
    assert(line_index < script->node_count);
    return script_args(script, script->nodes[line_index].trigger_args);
}
