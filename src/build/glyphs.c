/* Writes the C source of the glyph tables (src/board/glyphs.h) from two faces of a font:
 *
 *     glyphs REGULAR.otf BOLD.otf > glyphs.c
 *
 * Pictures draw all their letters as paths from these tables, so that no machine needs the font, and none draws
 * them in another way. A tool of the build; it is no part of the program. */
#include <ft2build.h>
#include FT_FREETYPE_H
#include FT_OUTLINE_H
#include <stdio.h>
#include <stdlib.h>

/* What people write names and words with; everything else gets the glyph that stands for it. */
static const unsigned long ranges[][2] = {
    {0x20, 0x7e},     {0xa0, 0x17f},    {0x2010, 0x2015}, {0x2018, 0x201e}, {0x2020, 0x2022},
    {0x2026, 0x2026}, {0x2030, 0x2030}, {0x2039, 0x203a}, {0x20ac, 0x20ac}, {0x2190, 0x2193},
    {0x2212, 0x2212}, {0x2260, 0x2265}, {0xfffd, 0xfffd}};

#define EM 500L /* units of the tables */

struct pen {
    long scale; /* units of the font an em */
    long x, y;
    int open;
};

static long unit(const struct pen *pen, long of_font)
{
    long twice = of_font * EM * 2;
    return (twice + (twice < 0 ? -pen->scale : pen->scale)) / (2 * pen->scale);
}

/* A point relative to the last one; y goes down in pictures. */
static void step(struct pen *pen, const FT_Vector *to, int last, const char *before)
{
    long x = unit(pen, to->x), y = -unit(pen, to->y);
    printf("%s%ld%s%ld", x < pen->x && *before == ' ' ? "" : before, x - pen->x, y < pen->y ? "" : " ",
           y - pen->y);
    if (last) {
        pen->x = x;
        pen->y = y;
    }
}

static int move_to(const FT_Vector *to, void *arg)
{
    struct pen *pen = arg;
    if (pen->open)
        printf("z");
    pen->open = 1;
    step(pen, to, 1, "m");
    return 0;
}

static int line_to(const FT_Vector *to, void *arg)
{
    step(arg, to, 1, "l");
    return 0;
}

static int conic_to(const FT_Vector *by, const FT_Vector *to, void *arg)
{
    step(arg, by, 0, "q");
    step(arg, to, 1, " ");
    return 0;
}

static int cubic_to(const FT_Vector *first, const FT_Vector *second, const FT_Vector *to, void *arg)
{
    step(arg, first, 0, "c");
    step(arg, second, 0, " ");
    step(arg, to, 1, " ");
    return 0;
}

static int write_glyph(FT_Face face, unsigned long code, unsigned index)
{
    static const FT_Outline_Funcs funcs = {move_to, line_to, conic_to, cubic_to, 0, 0};
    struct pen pen = {face->units_per_EM, 0, 0, 0};
    if (FT_Load_Glyph(face, index, FT_LOAD_NO_SCALE))
        return -1;
    printf("    {0x%lx, %ld, \"", code, unit(&pen, face->glyph->advance.x));
    if (FT_Outline_Decompose(&face->glyph->outline, &funcs, &pen))
        return -1;
    printf("%s\"},\n", pen.open ? "z" : "");
    return 0;
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
