#include "trust/shape.h"

#include <string.h>

#include "base/utf8.h"
#include "trust/glyph.h"

#define LOWERS (SHAPE_LOWER | SHAPE_LOWER_HEADER | SHAPE_LOWER_ALL)

/* ---- one line ---- */

static void put_plain(struct str *out, struct slice line, unsigned how)
{
    while (line.len) {
        size_t run = utf8_printable(line);
        str_add(out, line.p, run);
        line = slice_sub(line, run, line.len);
        if (!line.len)
            break;
        struct glyph g = glyph_at(line);
        bool typographic = g.kind == GLYPH_QUOTE || g.kind == GLYPH_DASH;
        if ((g.cp == 0x2014 && (how & SHAPE_EM)) || (g.cp == 0x2013 && (how & SHAPE_EN)))
            str_adds(out, "--");
        else if (g.ascii && g.cp != '\t' && (!typographic || (how & SHAPE_GLYPHS)))
            str_addc(out, g.ascii);
        else if (g.kind != GLYPH_DROP)
            str_add(out, line.p, g.len);
        line = slice_sub(line, g.len, line.len);
    }
}

/* The mbox rule: a line that begins with "From " got a '>'. */
static struct slice without_from_quote(struct slice line)
{
    size_t marks = 0;
    while (marks < line.len && line.p[marks] == '>')
        marks++;
    return marks && slice_starts(slice_sub(line, marks, line.len), "From ") ? slice_sub(line, 1, line.len)
                                                                            : line;
}

/* What quoting and indenting put in front of the first line. */
struct prefix {
    struct slice all;
    size_t least; /* bytes of it without the spaces at its end */
};

/* The line without the prefix; an empty quoted line has lost the spaces at its end, or some of them. */
static struct slice lift(struct slice line, const struct prefix *prefix)
{
    size_t same = 0;
    while (same < prefix->all.len && same < line.len && line.p[same] == prefix->all.p[same])
        same++;
    return same >= prefix->least ? slice_sub(line, same, line.len) : line;
}

static struct prefix first_prefix(struct slice text)
{
    struct slice line;
    if (!slice_line(&text, &line))
        return (struct prefix){{NULL, 0}, 0};
    struct prefix prefix = {slice_sub(line, 0, line.len - glyph_unquote(line).len), 0};
    prefix.least = prefix.all.len;
    while (prefix.least && prefix.all.p[prefix.least - 1] == ' ')
        prefix.least--;
    return prefix;
}

static struct slice without_tail(struct slice line)
{
    while (line.len &&
           (line.p[line.len - 1] == ' ' || line.p[line.len - 1] == '\t' || line.p[line.len - 1] == '\r'))
        line.len--;
    return line;
}

/* The fields whose values are so long that a quoted line is wrapped before them. */
static bool awaits_value(struct slice line)
{
    line = without_tail(line);
    return slice_caseeq(line, "head:") || slice_caseeq(line, "league:");
}

static bool is_capital(char c)
{
    return c >= 'A' && c <= 'Z';
}

static bool is_letter(char c)
{
    return is_capital(c) || (c >= 'a' && c <= 'z');
}

bool shape_is_header(struct slice line)
{
    size_t i = 0;
    while (i < line.len && is_letter(line.p[i]))
        i++;
    return i > 0 && i + 1 < line.len && line.p[i] == ':' && line.p[i + 1] == ' ';
}

/* The position of a line's first letter, after indentation and the '#' of "#end". */
static size_t first_letter(struct slice line)
{
    size_t at = 0;
    while (at < line.len && (line.p[at] == ' ' || line.p[at] == '\t'))
        at++;
    return at < line.len && line.p[at] == '#' ? at + 1 : at;
}

/* ---- the whole ---- */

/* A text that is being brought into a shape. */
struct shaping {
    struct str *out;
    struct shape shape;
    const char *eol;
    struct prefix prefix;
    struct str plain; /* of the current line */
    size_t end;       /* the end of the last non-empty line, without its line end */
    size_t gap;       /* empty lines not yet written */
    size_t lines, capitals;
    bool header; /* we are still in it */
};

/* The line that was written to out->p + from, with the letters that it had before a program set capitals. */
static void lower(struct shaping *s, size_t from)
{
    unsigned how = s->shape.how;
    struct slice line = {s->out->p + from, s->out->len - from};
    size_t at = first_letter(line);
    bool ours = s->header || (at && line.p[at - 1] == '#');
    if (at == line.len || !(how & LOWERS) || (!ours && (how & SHAPE_LOWER_HEADER)))
        return;
    if (!ours && is_capital(line.p[at]) && ++s->capitals == s->shape.kept)
        return;
    size_t end = how & SHAPE_LOWER_ALL ? line.len : at + 1;
    for (; at < end; at++)
        if (is_capital(s->out->p[from + at]))
            s->out->p[from + at] = (char)(s->out->p[from + at] - 'A' + 'a');
}

static void put_gap(struct shaping *s)
{
    unsigned how = s->shape.how;
    size_t lines = s->gap;
    if (how & SHAPE_HALVE)
        lines /= 2;
    else if ((how & SHAPE_SQUEEZE) && lines > 1)
        lines = 1;
    else if (how & SHAPE_DROP)
        lines = 0;
    while (lines--)
        str_adds(s->out, s->eol);
    s->gap = 0;
}

/* A line without what was added in transit; `rest` is what follows, from which a value may be taken. */
static void put_line(struct shaping *s, struct slice line, struct slice *rest)
{
    unsigned how = s->shape.how;
    if (!line.len) {
        s->gap++;
        return;
    }
    put_gap(s);
    bool begins = s->lines++ == 0;
    if (s->header && !begins && !shape_is_header(line) && !awaits_value(line)) {
        s->header = false;
        if (how & SHAPE_HEAD)
            str_adds(s->out, s->eol);
    }
    size_t from = s->out->len;
    str_addslice(s->out, line);
    lower(s, from);
    if ((how & SHAPE_JOIN) && awaits_value(line) && slice_line(rest, &line)) {
        str_trim(s->out);
        str_addc(s->out, ' ');
        str_addslice(s->out, without_tail(glyph_unquote(line)));
    }
    s->end = s->out->len;
    str_adds(s->out, s->eol);
}

static struct slice bare_line(struct shaping *s, struct slice line)
{
    unsigned how = s->shape.how;
    line = lift(line, &s->prefix);
    if (how & SHAPE_BLANKS) {
        str_clear(&s->plain);
        put_plain(&s->plain, without_from_quote(line), how);
        line = slice_str(&s->plain);
    }
    if ((how & SHAPE_UNSTUFF) && slice_starts(line, " "))
        line = slice_sub(line, 1, line.len);
    return how & SHAPE_CUT ? without_tail(line) : line;
}

static struct slice without_bom(struct slice text)
{
    return slice_starts(text, "\xEF\xBB\xBF") ? slice_sub(text, 3, text.len) : text;
}

void shape_text(struct str *out, struct slice text, struct shape shape)
{
    struct shaping s = {.out = out,
                        .shape = shape,
                        .eol = shape.how & SHAPE_CRLF ? "\r\n" : "\n",
                        .plain = STR_INIT,
                        .end = out->len,
                        .header = true};
    struct slice line;
    text = without_bom(text);
    if (shape.how & SHAPE_LIFT)
        s.prefix = first_prefix(text);
    str_reserve(out, text.len + 2);
    while (slice_line(&text, &line))
        put_line(&s, bare_line(&s, line), &text);
    put_gap(&s);
    if (shape.how & (SHAPE_ENDS | SHAPE_BARE)) {
        str_cut(out, s.end);
        if (!(shape.how & SHAPE_BARE))
            str_adds(out, s.eol);
    }
    str_release(&s.plain);
}

/* ---- what it shows ---- */

static unsigned shown_glyphs(struct slice line)
{
    unsigned shows = 0;
    while (line.len) {
        line = slice_sub(line, utf8_printable(line), line.len);
        if (!line.len)
            break;
        struct glyph g = glyph_at(line);
        if (g.kind == GLYPH_QUOTE || g.kind == GLYPH_DASH)
            shows |= SHOWS_GLYPHS;
        if (g.cp == 0x2014)
            shows |= SHOWS_EM;
        if (g.cp == 0x2013)
            shows |= SHOWS_EN;
        line = slice_sub(line, g.len, line.len);
    }
    return shows;
}

unsigned shape_shows(struct slice text)
{
    unsigned shows = 0;
    bool header = true, begins = true;
    struct slice line;
    text = without_bom(text);
    struct prefix prefix = first_prefix(text);
    for (; slice_line(&text, &line); begins = false) {
        line = without_tail(lift(line, &prefix));
        struct slice bare = without_tail(glyph_unquote(line));
        shows |= shown_glyphs(line);
        if (!bare.len) {
            shows |= SHOWS_EMPTY;
            continue;
        }
        header = header && (begins || shape_is_header(bare) || awaits_value(bare));
        if (bare.p != line.p)
            shows |= SHOWS_INDENT;
        if (awaits_value(bare))
            shows |= SHOWS_WRAP;
        if (header && is_capital(bare.p[0]))
            shows |= SHOWS_CAPITALS;
    }
    return shows;
}
