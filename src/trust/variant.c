#include "trust/variant.h"

#include <assert.h>
#include <string.h>

#include "base/utf8.h"
#include "trust/canon.h"
#include "trust/glyph.h"

/* How a text is put back. */
enum {
    LIFT = 1,      /* remove the quoting or indenting that stands in front of the first line */
    PLAIN = 2,     /* typographic characters and NBSP become ASCII one for one; ">From " loses its '>' */
    CUT = 4,       /* no blanks at the ends of lines */
    ENDS = 8,      /* no empty lines at the end */
    BARE = 16,     /* no line end after the last line */
    CRLF = 32,     /* signed on Windows, sent as text */
    SQUEEZE = 64,  /* several empty lines are one */
    UNSTUFF = 128, /* one blank at the beginning of a line is format=flowed's */
    EM = 256,      /* an em dash was two hyphens */
    EN = 512,      /* an en dash was two hyphens */
    JOIN = 1024,   /* the value of a line "head:" was wrapped to the next line */
};

static void put_plain(struct str *out, struct slice line, unsigned how)
{
    while (line.len) {
        size_t run = utf8_printable(line);
        str_add(out, line.p, run);
        line = slice_sub(line, run, line.len);
        if (!line.len)
            break;
        struct glyph g = glyph_at(line);
        if ((g.cp == 0x2014 && (how & EM)) || (g.cp == 0x2013 && (how & EN)))
            str_adds(out, "--");
        else if (g.ascii && g.cp != '\t')
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
    size_t least; /* bytes of it without the blanks at its end */
};

/* The line without the prefix; an empty quoted line has lost the blanks at its end, or some of them. */
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

static void shape(struct str *out, struct slice text, unsigned how)
{
    const char *eol = how & CRLF ? "\r\n" : "\n";
    struct slice line;
    struct str plain = STR_INIT;
    struct prefix prefix = {{NULL, 0}, 0};
    size_t end = out->len; /* behind the last line that is not empty, without its line end */
    bool empty = false;
    if (slice_starts(text, "\xEF\xBB\xBF"))
        text = slice_sub(text, 3, text.len);
    if (how & LIFT)
        prefix = first_prefix(text);
    str_reserve(out, text.len + 2);
    while (slice_line(&text, &line)) {
        line = lift(line, &prefix);
        if (how & PLAIN) {
            str_clear(&plain);
            put_plain(&plain, without_from_quote(line), how);
            line = slice_str(&plain);
        }
        if ((how & UNSTUFF) && slice_starts(line, " "))
            line = slice_sub(line, 1, line.len);
        if (how & CUT)
            line = without_tail(line);
        if ((how & SQUEEZE) && empty && !line.len)
            continue;
        empty = line.len == 0;
        str_addslice(out, line);
        if ((how & JOIN) && awaits_value(line) && slice_line(&text, &line)) {
            str_trim(out);
            str_addc(out, ' ');
            str_addslice(out, without_tail(glyph_unquote(line)));
        }
        if (!empty)
            end = out->len;
        str_adds(out, eol);
    }
    if (how & (ENDS | BARE)) {
        str_cut(out, end);
        if (!(how & BARE))
            str_adds(out, eol);
    }
    str_release(&plain);
}

/* "name: value", as the lines between "#turnpost" and the orders. */
static bool is_header(struct slice line)
{
    size_t i = 0;
    while (i < line.len && line.p[i] >= 'a' && line.p[i] <= 'z')
        i++;
    return i > 0 && i + 1 < line.len && line.p[i] == ':' && line.p[i + 1] == ' ';
}

/* The canonical text with the one empty line that people leave behind the header, as every report shows it.
 */
static void headed(struct str *out, struct slice block)
{
    struct str canon = STR_INIT;
    struct slice line;
    bool header = true;
    bool first = true;
    canon_text(&canon, block);
    struct slice rest = slice_str(&canon);
    while (slice_line(&rest, &line)) {
        if (header && !first && !is_header(line)) {
            header = false;
            str_addc(out, '\n');
        }
        str_addslice(out, line);
        str_addc(out, '\n');
        first = false;
    }
    str_release(&canon);
}

/* Windows-1252 (and so Latin-1) to UTF-8, for attachments that came without a label. */
static void from_1252(struct str *out, struct slice text)
{
    static const unsigned short high[32] = {0x20AC, 0x81,   0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021,
                                            0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0x8D,   0x017D, 0x8F,
                                            0x90,   0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014,
                                            0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0x9D,   0x017E, 0x0178};
    for (size_t i = 0; i < text.len; i++) {
        unsigned char c = (unsigned char)text.p[i];
        utf8_put(out, c >= 0x80 && c < 0xA0 ? high[c - 0x80] : c);
    }
}

enum step { STEP_COPY, STEP_SHAPE, STEP_CANON, STEP_HEADED, STEP_1252, STEP_DASHES };

static const struct variant {
    bool whole; /* made of the whole part, else of the block */
    enum step step;
    unsigned how;
} variants[] = {
    {true, STEP_COPY, 0},
    {false, STEP_SHAPE, LIFT},
    {false, STEP_CANON, 0},
    {true, STEP_SHAPE, 0},
    {false, STEP_SHAPE, LIFT | CUT},
    {true, STEP_SHAPE, CUT | ENDS},
    {false, STEP_HEADED, 0},
    {false, STEP_SHAPE, LIFT | PLAIN | CUT},
    {false, STEP_SHAPE, LIFT | CUT | JOIN},
    {false, STEP_SHAPE, LIFT | PLAIN | CUT | JOIN},
    {true, STEP_SHAPE, CUT | BARE},
    {true, STEP_SHAPE, CUT | ENDS | CRLF},
    {false, STEP_SHAPE, LIFT | CUT | CRLF},
    {false, STEP_SHAPE, LIFT | CUT | BARE},
    {true, STEP_SHAPE, PLAIN | CUT | ENDS},
    {true, STEP_CANON, 0},
    {true, STEP_1252, CUT | ENDS},
    {false, STEP_1252, LIFT | PLAIN | CUT},
    {false, STEP_SHAPE, LIFT | PLAIN | CUT | SQUEEZE},
    {false, STEP_SHAPE, LIFT | PLAIN | CUT | UNSTUFF},
    {false, STEP_SHAPE, LIFT | PLAIN | CUT | EM},
    {false, STEP_DASHES, LIFT | PLAIN | CUT | EM},
    {false, STEP_SHAPE, LIFT | PLAIN | CUT | EM | EN},
    {false, STEP_DASHES, LIFT | PLAIN | CUT | EM | EN},
};
_Static_assert(sizeof variants / sizeof *variants == VARIANTS, "VARIANTS counts the table");

static void then_canon(struct str *out, struct slice text, unsigned how)
{
    struct str shaped = STR_INIT;
    shape(&shaped, text, how);
    canon_text(out, slice_str(&shaped));
    str_release(&shaped);
}

static void recode(struct str *out, struct slice text, unsigned how)
{
    struct str utf8 = STR_INIT;
    from_1252(&utf8, text);
    shape(out, slice_str(&utf8), how);
    str_release(&utf8);
}

bool variant_make(size_t n, const struct source *source, struct work *work, struct str *out)
{
    assert(n < VARIANTS);
    const struct variant *v = &variants[n];
    struct slice text = v->whole ? source->whole : source->block;
    if (!text.len || !work_take(work, v->step == STEP_DASHES ? 2 * text.len : text.len))
        return false;
    switch (v->step) {
    case STEP_COPY: str_addslice(out, text); break;
    case STEP_SHAPE: shape(out, text, v->how); break;
    case STEP_CANON: canon_text(out, text); break;
    case STEP_HEADED: headed(out, text); break;
    case STEP_DASHES: then_canon(out, text, v->how); break;
    case STEP_1252:
        if (utf8_valid(text))
            return false;
        recode(out, text, v->how);
        break;
    }
    return true;
}
