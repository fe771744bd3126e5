/* Writes the C source of the glyph tables (src/board/glyphs.h) from two faces of a font:
 *
 *     glyphs REGULAR.otf BOLD.otf > glyphs.c
 *
 * Pictures draw all their letters as paths from these tables, so that no machine needs the font, and none draws
 * them in another way. Curves become straight lines here, few of them. A tool of the build; it is no part of the program. */
#include <ft2build.h>
#include FT_FREETYPE_H
#include FT_OUTLINE_H
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* What people write names and words with; everything else gets the glyph that stands for it. */
static const unsigned long ranges[][2] = {
    {0x20, 0x7e},     {0xa0, 0x17f},    {0x2010, 0x2015}, {0x2018, 0x201e}, {0x2020, 0x2022},
    {0x2026, 0x2026}, {0x2030, 0x2030}, {0x2039, 0x203a}, {0x20ac, 0x20ac}, {0x2190, 0x2193},
    {0x2212, 0x2212}, {0x2260, 0x2265}, {0xfffd, 0xfffd}};

#define EM 500L /* units of the tables */
#define OFF \
    2.0 /* of these, that an outline may be off: nobody sees it, and straight lines are drawn faster */
#define STEPS   8    /* straight lines that a curve is taken as before */
#define CONTOUR 4096 /* points of a contour */

struct point {
    double x, y;
};
struct pen {
    double scale;                  /* units of ours to one of the font's */
    struct point contour[CONTOUR]; /* as it comes */
    size_t count;
    long x, y; /* where the last written point is; a path begins at 0, 0 */
    int failed;
};

static struct point of_font(const struct pen *pen, const FT_Vector *at)
{
    return (struct point){(double)at->x * pen->scale,
                          (double)-at->y * pen->scale}; /* y goes down in pictures */
}

static void add(struct pen *pen, struct point point)
{
    pen->failed |= pen->count == CONTOUR;
    if (!pen->failed)
        pen->contour[pen->count++] = point;
}

/* How far a point is from the line between two others. */
static double off(struct point at, struct point from, struct point to)
{
    double x = to.x - from.x, y = to.y - from.y, length = x * x + y * y;
    double part = length > 0 ? ((at.x - from.x) * x + (at.y - from.y) * y) / length : 0;
    part = part < 0 ? 0 : part > 1 ? 1 : part;
    return hypot(from.x + part * x - at.x, from.y + part * y - at.y);
}

/* The farthest point that a straight line may lead to from here. */
static size_t reach(const struct pen *pen, size_t from)
{
    size_t to = from + 1, good = to;
    for (; to < pen->count; to++) {
        for (size_t i = from + 1; i < to; i++)
            if (off(pen->contour[i], pen->contour[from], pen->contour[to]) > OFF)
                return good;
        good = to;
    }
    return good;
}

/* Relative to the last one. */
static void write_point(struct pen *pen, struct point point, const char *before)
{
    long x = lround(point.x), y = lround(point.y);
    printf("%s%ld%s%ld", x < pen->x && *before == ' ' ? "" : before, x - pen->x, y < pen->y ? "" : " ",
           y - pen->y);
    pen->x = x;
    pen->y = y;
}

static void end_contour(struct pen *pen)
{
    const size_t count = pen->count;
    if (!count)
        return;
    const struct point first = pen->contour[0];
    add(pen, first); /* back to where it began, which is not written */
    write_point(pen, first, "m");
    const char *before = "l";
    for (size_t i = reach(pen, 0); i < count && !pen->failed; i = reach(pen, i), before = " ")
        write_point(pen, pen->contour[i], before);
    printf("z");
    pen->x = lround(first.x);
    pen->y = lround(first.y);
    pen->count = 0;
}

static int move_to(const FT_Vector *to, void *arg)
{
    struct pen *pen = arg;
    end_contour(pen);
    add(pen, of_font(pen, to));
    return 0;
}

static int line_to(const FT_Vector *to, void *arg)
{
    struct pen *pen = arg;
    add(pen, of_font(pen, to));
    return 0;
}

static int cubic_to(const FT_Vector *first, const FT_Vector *second, const FT_Vector *to, void *arg)
{
    struct pen *pen = arg;
    const struct point a = pen->contour[pen->count - 1], b = of_font(pen, first), c = of_font(pen, second),
                       d = of_font(pen, to);
    for (int i = 1; i <= STEPS; i++) {
        double t = (double)i / STEPS, u = 1 - t;
        double p = u * u * u, q = 3 * u * u * t, r = 3 * u * t * t, s = t * t * t;
        add(pen,
            (struct point){p * a.x + q * b.x + r * c.x + s * d.x, p * a.y + q * b.y + r * c.y + s * d.y});
    }
    return 0;
}

/* Fonts of the kind that is read here (CFF) have none of these. */
static int conic_to(const FT_Vector *by, const FT_Vector *to, void *arg)
{
    (void)by;
    (void)to;
    (void)arg;
    return 1;
}

static int write_glyph(FT_Face face, unsigned long code, unsigned index)
{
    static const FT_Outline_Funcs funcs = {move_to, line_to, conic_to, cubic_to, 0, 0};
    struct pen pen = {.scale = (double)EM / face->units_per_EM};
    if (FT_Load_Glyph(face, index, FT_LOAD_NO_SCALE))
        return -1;
    printf("    {0x%lx, %ld, \"", code, lround((double)face->glyph->advance.x * pen.scale));
    if (FT_Outline_Decompose(&face->glyph->outline, &funcs, &pen))
        return -1;
    end_contour(&pen);
    printf("\"},\n");
    return pen.failed ? -1 : 0;
}

static int write_face(FT_Library library, const char *path, const char *name)
{
    FT_Face face;
    if (FT_New_Face(library, path, 0, &face)) {
        (void)fprintf(stderr, "glyphs: %s is no font that can be read (package fonts-b612)\n", path);
        return -1;
    }
    printf("const struct glyph %s[] = {\n", name);
    int rc = write_glyph(face, 0, 0); /* stands for all that have none */
    for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++)
        for (unsigned long code = ranges[i][0]; code <= ranges[i][1]; code++) {
            unsigned index = FT_Get_Char_Index(face, code);
            if (index && rc == 0)
                rc = write_glyph(face, code, index);
        }
    printf("    {GLYPHS_END, 0, 0}};\n");
    FT_Done_Face(face);
    return rc;
}

int main(int argc, char **argv)
{
    FT_Library library;
    if (argc != 3 || FT_Init_FreeType(&library))
        return 2;
    printf("/* made by src/build/glyphs.c */\n#include \"board/glyphs.h\"\n");
    int rc = write_face(library, argv[1], "glyphs_regular") || write_face(library, argv[2], "glyphs_bold");
    FT_Done_FreeType(library);
    return rc || fflush(stdout) ? 1 : 0;
}
