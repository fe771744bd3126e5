#include "trust/scan.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/reason.h"
#include "trust/armor.h"
#include "trust/envelope.h"
#include "trust/glyph.h"

/* State of the walk. */
struct walk {
    struct scan *scan;
    struct work *work;
    struct err *broken;
    size_t at;      /* offset of the current line */
    size_t open;    /* offset of a "#turnpost" line whose "#end" has not come, or SCAN_NONE */
    size_t comment; /* offset of an "untrusted comment:" line whose signature has not come, or SCAN_NONE */
};

static bool is_start(struct slice line)
{
    static const char word[] = "#turnpost";
    if (!slice_casestarts(line, word))
        return false;
    struct slice rest = slice_sub(line, sizeof word - 1, line.len);
    return !rest.len || glyph_at(rest).kind != GLYPH_OTHER;
}

static bool is_stop(struct slice line)
{
    static const char word[] = "#end";
    if (!slice_casestarts(line, word))
        return false;
    return glyph_unquote(slice_sub(line, sizeof word - 1, line.len)).len == 0;
}

/* Closes the open text before `end`. */
static void close_frame(struct walk *walk, size_t end)
{
    struct scan *scan = walk->scan;
    struct slice block = slice_sub(scan->text, walk->open, end - walk->open);
    walk->open = SCAN_NONE;
    if (block.len > ENVELOPE_TEXT_MAX) {
        reason_fail(walk->broken, "long_text most=%d", "the signed text is longer than %d bytes",
                    ENVELOPE_TEXT_MAX);
        return;
    }
    if (scan->frame_count == SCAN_FRAMES)
        return;
    scan->frames = mem_grow(scan->frames, scan->frame_count, &scan->frame_cap, sizeof *scan->frames);
    scan->frames[scan->frame_count++] = (struct frame){.block = block};
}

/* Where a text without "#end" stops: before the signature and the empty lines in front of it. */
static size_t end_before(const struct walk *walk, size_t end)
{
    struct slice block = slice_sub(walk->scan->text, walk->open, end - walk->open);
    size_t len = slice_trim(block).len;
    const char *start = slice_trim(block).p;
    return len ? (size_t)(start - walk->scan->text.p) + len : end;
}

static void add_mark(struct walk *walk, const struct signature *sig)
{
    struct scan *scan = walk->scan;
    if (walk->open != SCAN_NONE) /* its "#end" was forgotten */
        close_frame(walk, end_before(walk, walk->comment != SCAN_NONE ? walk->comment : walk->at));
    walk->comment = SCAN_NONE;
    if (scan->mark_count == SCAN_MARKS)
        return;
    size_t frame = scan->frame_count ? scan->frame_count - 1 : SCAN_NONE;
    if (frame != SCAN_NONE)
        scan->frames[frame].sealed = true;
    scan->marks = mem_grow(scan->marks, scan->mark_count, &scan->mark_cap, sizeof *scan->marks);
    scan->marks[scan->mark_count++] = (struct mark){*sig, frame};
}

static size_t take_armor(struct walk *walk, struct slice rest)
{
    struct signature sig;
    struct err err = ERR_INIT;
    size_t used;
    switch (armor_at(rest, walk->work, &used, &sig, &err)) {
    case ARMOR_GOOD: add_mark(walk, &sig); break;
    case ARMOR_COMMENT: walk->comment = walk->at; break;
    case ARMOR_BROKEN:
        (void)err_pass(walk->broken, &err);
        if (walk->open == SCAN_NONE &&
            walk->scan->frame_count) /* the text before it must not be matched with a later one */
            walk->scan->frames[walk->scan->frame_count - 1].sealed = true;
        break;
    case ARMOR_NONE: return used;
    }
    (void)work_take(walk->work, WORK_ARMOR);
    return used;
}

static void lost_signature(struct walk *walk)
{
    if (walk->comment != SCAN_NONE)
        reason_fail(walk->broken, "numbered_lost",
                    "after the \"untrusted comment:\" line the signature is missing or damaged");
    walk->comment = SCAN_NONE;
}

#define BLOCK_LINES 400 /* of a block of the league's, at most; it has some twenty */

/* A proof that a mail of the league had (tlog/armor.h), which begins with this line: the bytes of those `after` it, 0 = it is none. A line of
 * its base64 may look like the beginning of a signature. */
static size_t proof_length(struct slice line, struct slice after, struct work *work)
{
    const char *from = after.p;
    if (slice_find(line, "BEGIN TURNPOST ") == (size_t)-1)
        return 0;
    for (int i = 0; i < BLOCK_LINES && slice_line(&after, &line); i++) {
        (void)work_take(work, WORK_LINE + line.len);
        if (slice_find(line, "END TURNPOST ") != (size_t)-1)
            return (size_t)(after.p - from);
    }
    return 0;
}

void scan_text(struct scan *scan, struct slice text, struct work *work, struct err *broken)
{
    struct walk walk = {scan, work, broken, 0, SCAN_NONE, SCAN_NONE};
    *scan = (struct scan){.text = text};
    while (walk.at < text.len && !work_over(work)) {
        struct slice rest = slice_sub(text, walk.at, text.len);
        struct slice after = rest;
        struct slice line = {NULL, 0};
        (void)slice_line(&after, &line);
        size_t used = (size_t)(after.p - rest.p);
        const size_t proof = proof_length(line, after, work);
        line = glyph_unquote(line);
        (void)work_take(work, WORK_LINE + used);
        if (proof) {
            used += proof;
        } else if (is_start(line)) {
            lost_signature(&walk);
            if (walk.open != SCAN_NONE)
                close_frame(&walk, walk.at);
            walk.open = walk.at;
        } else if (walk.open != SCAN_NONE && is_stop(line)) {
            close_frame(&walk, walk.at + used);
            walk.comment = SCAN_NONE;
        } else {
            used = take_armor(&walk, rest);
        }
        walk.at += used;
    }
    lost_signature(&walk);
    if (walk.open != SCAN_NONE)
        close_frame(&walk, text.len);
}

void scan_release(struct scan *scan)
{
    free(scan->frames);
    free(scan->marks);
    *scan = (struct scan){.text = {NULL, 0}};
}
