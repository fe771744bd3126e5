#include "trust/variant.h"

#include <string.h>

#include "base/utf8.h"
#include "trust/canon.h"
#include "trust/shape.h"

enum {
    LIFT = SHAPE_LIFT,
    PLAIN = SHAPE_BLANKS | SHAPE_GLYPHS,
    CUT = SHAPE_CUT,
    ENDS = SHAPE_ENDS,
    BARE = SHAPE_BARE,
    CRLF = SHAPE_CRLF,
    JOIN = SHAPE_JOIN,
    EM = SHAPE_EM,
    EN = SHAPE_EN
};

/* The canonical text with the one empty line that people leave after the header, as every report shows it.
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
        if (header && !first && !shape_is_header(line)) {
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

/* ---- the likely ones ---- */

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
    {false, STEP_SHAPE, LIFT | PLAIN | CUT | SHAPE_SQUEEZE},
    {false, STEP_SHAPE, LIFT | PLAIN | CUT | SHAPE_UNSTUFF},
    {false, STEP_SHAPE, LIFT | PLAIN | CUT | EM},
    {false, STEP_DASHES, LIFT | PLAIN | CUT | EM},
    {false, STEP_SHAPE, LIFT | PLAIN | CUT | EM | EN},
    {false, STEP_DASHES, LIFT | PLAIN | CUT | EM | EN},
};
#define LIKELY (sizeof variants / sizeof *variants)

static void then_canon(struct str *out, struct slice text, struct shape shape)
{
    struct str shaped = STR_INIT;
    shape_text(&shaped, text, shape);
    canon_text(out, slice_str(&shaped));
    str_release(&shaped);
}

static void recode(struct str *out, struct slice text, unsigned how)
{
    struct str utf8 = STR_INIT;
    from_1252(&utf8, text);
    shape_text(out, slice_str(&utf8), (struct shape){how, 0});
    str_release(&utf8);
}

static bool make_likely(const struct variant *v, const struct source *source, struct work *work,
                        struct str *out)
{
    struct slice text = v->whole ? source->whole : source->block;
    struct shape shape = {v->how, 0};
    if (!text.len || !work_take(work, v->step == STEP_DASHES ? 2 * text.len : text.len))
        return false;
    switch (v->step) {
    case STEP_COPY: str_addslice(out, text); break;
    case STEP_SHAPE: shape_text(out, text, shape); break;
    case STEP_CANON: canon_text(out, text); break;
    case STEP_HEADED: headed(out, text); break;
    case STEP_DASHES: then_canon(out, text, shape); break;
    case STEP_1252:
        if (utf8_valid(text))
            return false;
        recode(out, text, v->how);
        break;
    }
    return true;
}

/* ---- everything that may have happened to a text ---- */

/* One thing that may have been done to a text; only texts that show it are tried for it. */
struct choice {
    unsigned how, shows;
};
static const struct choice characters[] = {
    {0, 0},
    {SHAPE_GLYPHS, SHOWS_GLYPHS},
    {SHAPE_GLYPHS | EM, SHOWS_EM},
    {SHAPE_GLYPHS | EM | EN, SHOWS_EN},
};
static const struct choice capitals[] = {
    {0, 0},
    {SHAPE_LOWER, SHOWS_CAPITALS},
    {SHAPE_LOWER_HEADER, SHOWS_CAPITALS},
    {SHAPE_LOWER_ALL, SHOWS_CAPITALS},
};
static const struct choice gaps[] = {
    {0, 0},
    {SHAPE_HALVE, SHOWS_EMPTY},
    {SHAPE_DROP | SHAPE_HEAD, 0},
    {SHAPE_DROP, SHOWS_EMPTY},
    {SHAPE_SQUEEZE, SHOWS_EMPTY},
};
/* The canonical form has neither empty lines nor typographic characters: these variants share one. */
#define CANON (1U << 31)
static const struct choice fronts[] = {{0, 0}, {SHAPE_UNSTUFF, SHOWS_INDENT}, {CANON, SHOWS_INDENT}};
static const struct choice wraps[] = {{0, 0}, {JOIN, SHOWS_WRAP}};

/* The first rows here are varied first. */
static const struct axis {
    const struct choice *choice;
    size_t count;
} axes[] = {
#define AXIS(list)                          \
    {                                       \
        list, sizeof(list) / sizeof *(list) \
    }
    AXIS(characters), AXIS(capitals), AXIS(gaps), AXIS(fronts), AXIS(wraps),
#undef AXIS
};
#define AXES (sizeof axes / sizeof *axes)
/* A phone also sets a capital where there was one already: one of the first orders may have had its own. */
#define KEPT ((size_t)12)

static bool is_shown(const struct choice *choice, const struct source *source)
{
    return (choice->shows & ~source->shows) == 0;
}

static size_t shown(const struct axis *axis, const struct source *source)
{
    size_t count = 0;
    for (size_t i = 0; i < axis->count; i++)
        count += is_shown(&axis->choice[i], source);
    return count;
}

/* Choice number n of those for which the text shows signs. */
static unsigned chosen(const struct axis *axis, const struct source *source, size_t n)
{
    const struct choice *choice = axis->choice;
    while (!is_shown(choice, source) || n--)
        choice++;
    return choice->how;
}

/* How many mixtures there are; with one of the orders keeping its capital they are those of the other axes.
 */
static size_t mixtures(const struct source *source, bool kept)
{
    size_t count = kept ? KEPT : 1;
    if (kept && !(source->shows & SHOWS_CAPITALS))
        return 0;
    for (size_t i = 0; i < AXES; i++)
        if (!kept || axes[i].choice != capitals)
            count *= shown(&axes[i], source);
    return count;
}

static struct shape mixture(const struct source *source, size_t n)
{
    size_t all = mixtures(source, false);
    struct shape shape = {LIFT | SHAPE_BLANKS | CUT, 0};
    if (n >= all) {
        shape.how |= SHAPE_LOWER;
        shape.kept = (n - all) % KEPT + 1;
        n = (n - all) / KEPT;
    }
    for (size_t i = 0; i < AXES; i++) {
        if (shape.kept && axes[i].choice == capitals)
            continue;
        size_t count = shown(&axes[i], source);
        shape.how |= chosen(&axes[i], source, n % count);
        n /= count;
    }
    return shape;
}

static bool make_mixture(size_t n, const struct source *source, struct work *work, struct str *out)
{
    struct slice text = source->block;
    struct shape shape = mixture(source, n);
    bool canon = shape.how & CANON;
    if (canon && (shape.how & (SHAPE_HALVE | SHAPE_DROP | SHAPE_SQUEEZE)))
        return false;
    if (!work_take(work, 2 * text.len))
        return false;
    shape.how &= ~CANON;
    if (canon)
        then_canon(out, text, shape);
    else
        shape_text(out, text, shape);
    return true;
}

/* ---- all of them ---- */

size_t variant_count(const struct source *source)
{
    bool small = source->block.len && source->block.len <= VARIANT_SMALL;
    return LIKELY + (small ? mixtures(source, false) + mixtures(source, true) : 0);
}

bool variant_make(size_t n, const struct source *source, struct work *work, struct str *out)
{
    if (n >= variant_count(source))
        return false;
    return n < LIKELY ? make_likely(&variants[n], source, work, out)
                      : make_mixture(n - LIKELY, source, work, out);
}
