#include "board/ink.h"

#include <stdlib.h>

#include "base/utf8.h"
#include "board/element.h"
#include "board/glyphs.h"

#define LETTERS_MOST 240 /* of one <text> */
#define FACE_MOST    512 /* glyphs of a face */
#define ELLIPSIS     0x2026
#define SMALLEST     80 /* per cent of the size that too long words may shrink to */
#define LEGIBLE      24 /* and the size that none shrink below */
#define NUMBER_MOST  100000

struct inking {
    struct str *out;
    struct slice rest; /* of the picture */
    bool used[2][FACE_MOST];
};

struct text {
    int64_t x, y, size, most;
    bool bold;
    enum { FROM_START, FROM_MIDDLE, FROM_END } anchor;
    struct slice fill;
    const struct glyph *letter[LETTERS_MOST];
    size_t count;
};

static const struct glyph *face_of(const struct text *text)
{
    return text->bold ? glyphs_bold : glyphs_regular;
}

/* ---- reading ---- */

static bool read_number(struct slice value, int64_t *number)
{
    bool minus = slice_starts(value, "-");
    struct slice digits = slice_sub(value, minus, value.len);
    if (!slice_number(&digits, number) || *number > NUMBER_MOST)
        return false;
    *number = minus ? -*number : *number;
    return true;
}

static bool read_anchor(struct slice value, struct text *text)
{
    text->anchor = slice_eq(value, "middle") ? FROM_MIDDLE : slice_eq(value, "end") ? FROM_END : FROM_START;
    return text->anchor != FROM_START || slice_eq(value, "start");
}

static bool read_attribute(struct slice name, struct slice value, struct text *text)
{
    if (slice_eq(name, "x"))
        return read_number(value, &text->x);
    if (slice_eq(name, "y"))
        return read_number(value, &text->y);
    if (slice_eq(name, "font-size"))
        return read_number(value, &text->size) && text->size > 0;
    if (slice_eq(name, "data-most"))
        return read_number(value, &text->most) && text->most > 0;
    if (slice_eq(name, "text-anchor"))
        return read_anchor(value, text);
    if (slice_eq(name, "font-weight"))
        return (text->bold = slice_eq(value, "bold")) || slice_eq(value, "normal");
    if (!slice_eq(name, "fill"))
        return false;
    text->fill = value;
    return true;
}

static bool read_attributes(struct slice tag, struct text *text)
{
    struct slice name, value;
    while (element_attribute(&tag, &name, &value))
        if (!read_attribute(name, value, text))
            return false;
    return !tag.len;
}

/* The character that "&lt;..." begins with: of the five names of XML and of numbers. */
static uint32_t entity(struct slice s, size_t *len)
{
    static const struct {
        const char *name;
        uint32_t code;
    } names[] = {{"&amp;", '&'},   {"&lt;", '<'},   {"&gt;", '>'}, {"&quot;", '"'},
                 {"&apos;", '\''}, {"&#39;", '\''}, {"&#96;", '`'}};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (slice_starts(s, names[i].name)) {
            *len = strlen(names[i].name);
            return names[i].code;
        }
    *len = 1;
    return '&';
}

static void add_letter(struct text *text, uint32_t code)
{
    if (text->count < LETTERS_MOST)
        text->letter[text->count++] = glyph_find(face_of(text), code);
}

static void read_words(struct slice words, struct text *text)
{
    struct slice word;
    while (slice_word(&words, &word)) {
        if (text->count)
            add_letter(text, ' ');
        while (word.len) {
            size_t len;
            uint32_t code = utf8_next(word, &len);
            if (code == '&')
                code = entity(word, &len);
            add_letter(text, code == 0 ? UTF8_BAD : code);
            word = slice_sub(word, len, word.len);
        }
    }
}

/* ---- fitting ---- */

/* How far the next letter is, in whole units: the same letters then have the same pixels, of which a PNG needs one. */
static int64_t advance_of(const struct text *text, const struct glyph *letter)
{
    return (letter->advance * text->size + GLYPHS_EM / 2) / GLYPHS_EM;
}

static int64_t width_of(const struct text *text)
{
    int64_t width = 0;
    for (size_t i = 0; i < text->count; i++)
        width += advance_of(text, text->letter[i]);
    return width;
}

static void fit(struct text *text)
{
    const int64_t most = text->most, part = text->size * SMALLEST / 100;
    const int64_t smallest = part > LEGIBLE ? part : LEGIBLE;
    if (!most)
        return;
    while (text->size > smallest && width_of(text) > most)
        text->size--;
    while (text->count > 1 && width_of(text) > most) {
        text->count--;
        text->letter[text->count - 1] = glyph_find(face_of(text), ELLIPSIS);
    }
}

/* ---- drawing ---- */

static void draw(struct inking *inking, const struct text *text)
{
    struct str *out = inking->out;
    const int64_t width = width_of(text);
    const int64_t left = text->x - (text->anchor == FROM_MIDDLE ? width / 2
                                    : text->anchor == FROM_END  ? width
                                                                : 0);
    int64_t at = 0;
    if (!text->count)
        return;
    str_addf(out, "<g transform=\"translate(%lld %lld)scale(%d.%03d)\"", (long long)left, (long long)text->y,
             (int)(text->size * 1000 / GLYPHS_EM) / 1000, (int)(text->size * 1000 / GLYPHS_EM) % 1000);
    if (text->fill.len)
        str_addf(out, " fill=\"%.*s\"", (int)text->fill.len, text->fill.p);
    str_addc(out, '>');
    for (size_t i = 0; i < text->count; i++) {
        const struct glyph *letter = text->letter[i];
        const ptrdiff_t place = letter - face_of(text);
        if (*letter->path && place < FACE_MOST) {
            const long long tenths = (long long)(at * GLYPHS_EM * 10 / text->size);
            inking->used[text->bold][place] = true;
            str_addf(out, "<use href=\"#%c%x\" x=\"%lld.%lld\"/>", text->bold ? 'b' : 'r',
                     (unsigned)letter->code, tenths / 10, tenths % 10);
        }
        at += advance_of(text, letter);
    }
    str_adds(out, "</g>");
}

/* The letters that were used, as definitions. */
static void define(struct inking *inking)
{
    static const struct glyph *const faces[] = {glyphs_regular, glyphs_bold};
    str_adds(inking->out, "<defs>");
    for (int bold = 0; bold < 2; bold++)
        for (size_t i = 0; i < FACE_MOST && faces[bold][i].code != GLYPHS_END; i++)
            if (inking->used[bold][i])
                str_addf(inking->out, "<path id=\"%c%x\" d=\"%s\"/>", bold ? 'b' : 'r',
                         (unsigned)faces[bold][i].code, faces[bold][i].path);
    str_adds(inking->out, "</defs>\n");
}

/* ---- the whole ---- */

/* Moves everything before `mark` to the output, and drops the mark. */
static bool pass(struct inking *inking, const char *mark, bool keep)
{
    size_t at = slice_find(inking->rest, mark);
    if (at == (size_t)-1)
        return false;
    if (keep)
        str_addslice(inking->out, slice_sub(inking->rest, 0, at));
    inking->rest = slice_sub(inking->rest, at + strlen(mark), inking->rest.len);
    return true;
}

static int ink_text(struct inking *inking, struct err *err)
{
    struct text text = {.size = 20};
    struct slice from = inking->rest;
    if (!pass(inking, ">", false) ||
        !read_attributes(slice_sub(from, 0, from.len - inking->rest.len - 1), &text))
        return err_set(err, ERR_CONFIG,
                       "a picture's <text%.60s: only x, y, font-size, font-weight, text-anchor, "
                       "fill and data-most, with whole numbers",
                       from.p);
    from = inking->rest;
    if (!pass(inking, "</text>", false))
        return err_set(err, ERR_CONFIG, "a picture's <text> has no </text>");
    struct slice words = slice_sub(from, 0, from.len - inking->rest.len - strlen("</text>"));
    if (slice_find(words, "<") != (size_t)-1)
        return err_set(err, ERR_CONFIG, "a picture's <text> has a tag in it");
    read_words(words, &text);
    fit(&text);
    draw(inking, &text);
    return 0;
}

int ink(struct str *out, struct slice svg, struct err *err)
{
    struct inking inking = {.out = out, .rest = svg};
    const size_t before = out->len;
    while (pass(&inking, "<text ", true))
        if (ink_text(&inking, err)) {
            str_cut(out, before);
            return -1;
        }
    if (!pass(&inking, "</svg>", true)) {
        str_cut(out, before);
        return err_set(err, ERR_CONFIG, "a picture has no </svg>");
    }
    define(&inking);
    str_adds(out, "</svg>\n");
    return 0;
}
