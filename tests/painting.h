/* The painter for suites: the program of the same build. */
#ifndef TESTS_PAINTING_H
#define TESTS_PAINTING_H

#include <unistd.h>

#include "picture/painter.h"
#include "suite.h"

/* build/release/tests/picture/painter -> build/release/turnpost-picture */
static inline void painting_begin(struct painter *painter)
{
    struct err err = ERR_INIT;
    struct str program = STR_INIT;
    char path[4096];
    ssize_t len = readlink("/proc/self/exe", path, sizeof path - 1);
    ck_assert_int_gt(len, 0);
    path[len] = '\0';
    char *tests = strstr(path, "/tests/");
    ck_assert_ptr_nonnull(tests);
    str_addf(&program, "%.*s/turnpost-picture", (int)(tests - path), path);
    ck_ok(painter_begin(program.p, painter, &err), err);
    str_release(&program);
}

#define PAINTING_SVG(inner) "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 60 30'>" inner "</svg>"
#define PAINTING_RED        PAINTING_SVG("<rect width='60' height='30' fill='#d55e00'/>")

static inline bool painting_is_png(struct slice bytes)
{
    return slice_starts(bytes, "\x89PNG\r\n");
}

#endif
