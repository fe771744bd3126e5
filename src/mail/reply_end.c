/* Where what was typed ends, and where it goes on (reply.h). Every line is read once, from top to bottom, and belongs
 * to one place. */
#include <string.h>

#include "mail/reply_parts.h"

/* In the order of a text. */
enum place {
    ABOVE,   /* the quote: typed */
    BETWEEN, /* what ends the typed part and our boundary: perhaps typed */
    WITHIN,  /* our mail */
    BEHIND,  /* its closing */
    UNDER,   /* it: typed */
    BELOW,   /* the quote: perhaps typed */
    BEYOND   /* all that can be told */
};

/* The first boundary of the text, whatever mail it is of, and the last closing of that mail. */
struct frame {
    size_t open, close; /* offsets, or NOWHERE */
    struct slice nonce;
    bool closes; /* the first one is a closing: what is above it may be our mail */
};

/* Armour of OpenPGP around what was typed. */
enum armour { ARMOUR_NONE, ARMOUR_FIELDS, ARMOUR_TEXT, ARMOUR_SIGNATURE };

struct cutting {
    struct frame frame;
    enum place place;
    enum armour armour;
    bool open_quoted; /* the line of the boundary */
    bool is_signed;   /* a signature has begun, and reaches to where the place ends */
    bool by_head;     /* what is above has ended by the head of a mail */
    bool led;         /* by a quote or a boundary, right below what was typed */
    bool unseen;
    struct str above, under, below, doubt;
};

static void find_frame(struct frame *frame, struct slice text)
{
    struct slice nonce;
    *frame = (struct frame){NOWHERE, NOWHERE, {"", 0}, false};
    for (size_t from = 0, at; (at = reply_boundary_find(slice_sub(text, from, text.len), &nonce)) != NOWHERE;
         from += at + 1) {
        if (frame->open == NOWHERE) {
            frame->open = from + at;
            frame->nonce = nonce;
            frame->closes = reply_boundary_closes(nonce);
        } else if (reply_boundary_closes(nonce) && reply_nonce_same(nonce, frame->nonce)) {
            frame->close = from + at;
        }
    }
}

/* ---- lines ---- */

static bool is_signature(struct slice line)
{
    return slice_eq(line, "--") || slice_eq(line, "\xE2\x80\x94"); /* a telephone's dash */
}

static void add_line(struct str *out, struct slice line)
{
    str_addslice(out, line);
    str_addc(out, '\n');
}

/* Is it a closing and nothing else, after marks of a quote? */
static bool is_closing_alone(struct slice line)
{
    while (line.len && strchr("> |", *line.p))
        line = slice_sub(line, 1, line.len);
    return line.len == REPLY_NONCE + 4;
}

/* Takes the armour off; false when the line is part of it. */
static bool undo_armour(struct cutting *cutting, struct slice *line)
{
    switch (cutting->armour) {
    case ARMOUR_NONE:
        if (cutting->place != ABOVE || !slice_eq(*line, "-----BEGIN PGP SIGNED MESSAGE-----"))
            return true;
        cutting->armour = ARMOUR_FIELDS;
        return false;
    case ARMOUR_FIELDS: cutting->armour = line->len ? ARMOUR_FIELDS : ARMOUR_TEXT; return false;
    case ARMOUR_TEXT:
        if (slice_eq(*line, "-----BEGIN PGP SIGNATURE-----")) {
            cutting->armour = ARMOUR_SIGNATURE;
            return false;
        }
        if (slice_starts(*line, "- "))
            *line = slice_trim(slice_sub(*line, 2, line->len));
        return true;
    case ARMOUR_SIGNATURE:
        if (slice_eq(*line, "-----END PGP SIGNATURE-----"))
            cutting->armour = ARMOUR_NONE;
        return false;
    }
    return true;
}

static bool is_blank_quote(struct slice line)
{
    while (line.len && strchr("> |", *line.p))
        line = slice_sub(line, 1, line.len);
    return !line.len;
}

static void leave_above(struct cutting *cutting, enum place place, bool by_head)
{
    if (cutting->place == ABOVE) {
        cutting->by_head = by_head;
        cutting->led = !by_head && !cutting->is_signed;
        cutting->is_signed = false;
    }
    cutting->place = place;
}

/* The line of the boundary that the quote begins with. */
static void open_quote(struct cutting *cutting, const struct reply_line *line)
{
    bool ends = cutting->frame.close != NOWHERE || !line->quoted;
    cutting->open_quoted = line->quoted;
    leave_above(cutting, ends && !cutting->frame.closes ? WITHIN : BELOW, false);
}

static void type_line(struct cutting *cutting, struct str *out, const struct reply_line *line)
{
    const bool unseen = line->unseen || line->odd;
    if (unseen && !cutting->unseen)
        str_addslice(&cutting->doubt, line->text);
    cutting->unseen |= unseen;
    cutting->is_signed |= is_signature(line->text);
    if (!cutting->is_signed)
        add_line(out, line->text);
}

static void see_below(struct cutting *cutting, const struct reply_line *line)
{
    if (!line->quoted && line->text.len)
        add_line(&cutting->below, line->text);
}

/* A line above our mail. */
static void see_above(struct cutting *cutting, const struct reply_line *line, const struct reply_lines *rest)
{
    const struct frame *frame = &cutting->frame;
    if (frame->open >= line->at && frame->open < rest->at) {
        open_quote(cutting, line);
    } else if (cutting->place == ABOVE && !line->quoted && !reply_head_begins(line, *rest)) {
        type_line(cutting, &cutting->above, line);
    } else {
        leave_above(cutting, BETWEEN, !line->quoted);
        if (!cutting->by_head || frame->open != NOWHERE) /* else it is all of a mail that nobody here knows */
            see_below(cutting, line);
    }
}

/* A line behind the closing of our mail. Of a quote that goes on, what comes loose could be a co-player's. */
static void see_behind(struct cutting *cutting, const struct reply_line *line, const struct reply_lines *rest)
{
    bool goes_on = line->quoted && (cutting->place == UNDER || !is_blank_quote(line->text));
    if (goes_on || (!line->quoted && reply_head_begins(line, *rest))) {
        cutting->place = BELOW;
        see_below(cutting, line);
    } else if (!line->quoted) {
        cutting->place = line->text.len ? UNDER : cutting->place;
        type_line(cutting, &cutting->under, line);
    }
}

static void see_line(struct cutting *cutting, struct reply_line *line, const struct reply_lines *rest)
{
    struct slice nonce;
    const struct frame *frame = &cutting->frame;
    bool boundary = reply_boundary_find(line->text, &nonce) != NOWHERE;
    if (line->part && (cutting->place == BEHIND || cutting->place == UNDER))
        cutting->place = BELOW; /* what comes in a part of its own may be somebody else's text */
    if (!boundary && !line->quoted && !undo_armour(cutting, &line->text))
        return;
    if (cutting->place > WITHIN && boundary && !line->quoted)
        cutting->place = BEYOND;
    switch (cutting->place) {
    case ABOVE:
    case BETWEEN: see_above(cutting, line, rest); break;
    case WITHIN:
        if (frame->close >= line->at && frame->close < rest->at)
            cutting->place =
                cutting->open_quoted && line->quoted && is_closing_alone(line->text) ? BEHIND : BELOW;
        break;
    case BEHIND:
    case UNDER: see_behind(cutting, line, rest); break;
    case BELOW: see_below(cutting, line); break;
    case BEYOND: break;
    }
}

/* ---- the whole ---- */

static void trim_lines(struct str *text)
{
    size_t blank = 0;
    str_trim(text);
    if (text->len)
        str_addc(text, '\n');
    while (blank < text->len && text->p[blank] == '\n')
        blank++;
    memmove(text->p, text->p + blank, text->len - blank);
    str_cut(text, text->len - blank);
}

/* Where the last paragraph begins. */
static size_t last_paragraph(const struct str *text)
{
    size_t from = text->len;
    while (from > 0 && !(from + 1 < text->len && text->p[from - 1] == '\n' && text->p[from] == '\n'))
        from--;
    return from ? from + 1 : 0;
}

void reply_end(struct reply *reply, const struct reply_text *seen, struct slice nonce)
{
    struct cutting cutting = {.above = STR_INIT, .under = STR_INIT, .below = STR_INIT, .doubt = STR_INIT};
    struct reply_lines lines = {.seen = seen};
    struct reply_line line;
    find_frame(&cutting.frame, slice_str(&seen->text));
    while (reply_line_next(&lines, &line))
        see_line(&cutting, &line, &lines);
    for (; lines.mark < seen->count && cutting.place == ABOVE; lines.mark++)
        cutting.unseen |=
            seen->marks[lines.mark].is == REPLY_UNSEEN || seen->marks[lines.mark].is == REPLY_ODD;
    trim_lines(&cutting.above);
    trim_lines(&cutting.under);
    reply->ours = cutting.frame.open != NOWHERE && !cutting.frame.closes &&
                  reply_nonce_same(cutting.frame.nonce, nonce);
    cutting.unseen = cutting.unseen || (seen->covered && cutting.above.len + cutting.under.len > 0);
    reply->fate = cutting.unseen ? REPLY_HIDDEN : reply->ours ? REPLY_TYPED : REPLY_HELD;
    reply->typed = cutting.above;
    reply->lead = cutting.led ? last_paragraph(&reply->typed) : 0;
    reply->lead_end = cutting.led ? reply->typed.len : 0;
    if (reply->typed.len && cutting.under.len)
        str_addc(&reply->typed, '\n');
    reply->under = reply->typed.len;
    str_addslice(&reply->typed, slice_str(&cutting.under));
    reply->below = cutting.below;
    reply->doubt = cutting.doubt;
    str_release(&cutting.under);
}
