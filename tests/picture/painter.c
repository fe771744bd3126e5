/* The program that paints: what it makes of drawings that mean harm, and when it fails itself. */
#include "picture/painter.h"

#include <signal.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/wait.h>

#include "base/clock.h"
#include "painting.h"
#include "picture/painting.h"

static struct painter painter;

static void setup(void)
{
    painting_begin(&painter);
}

static void teardown(void)
{
    painter_end(&painter);
}

/* Its code; ERR_NONE for a picture. */
static enum err_code paint(struct slice svg)
{
    struct err err = ERR_INIT;
    struct str png = STR_INIT;
    int rc = painter_paint(painter.fd, svg, 600, &png, &err);
    ck_assert_int_eq(rc == 0, painting_is_png(slice_str(&png)));
    ck_assert(rc == 0 || !png.len);
    str_release(&png);
    return rc ? err.code : ERR_NONE;
}

static void still_paints(void)
{
    ck_assert_int_eq(paint(slice_of(PAINTING_RED)), ERR_NONE);
}

static void repeat(struct str *svg, const char *what, int times)
{
    for (int i = 0; i < times; i++)
        str_adds(svg, what);
}

#define HEAD                                                                                              \
    "<svg xmlns='http://www.w3.org/2000/svg' xmlns:xlink='http://www.w3.org/1999/xlink' viewBox='0 0 90 " \
    "90'>"

/* Groups of ten times the group before. */
static void copies_of_copies(struct str *svg)
{
    str_adds(svg, HEAD "<defs><g id='a0'><rect width='5' height='5'/></g>");
    for (int i = 1; i < 20; i++) {
        str_addf(svg, "<g id='a%d'>", i);
        for (int k = 0; k < 10; k++)
            str_addf(svg, "<use x='%d' xlink:href='#a%d'/>", k, i - 1);
        str_adds(svg, "</g>");
    }
    str_adds(svg, "</defs><use xlink:href='#a19'/></svg>");
}

static void entity_bomb(struct str *svg)
{
    str_adds(svg, "<!DOCTYPE svg [<!ENTITY a0 'aaaaaaaaaa'>");
    for (int i = 1; i < 15; i++) {
        str_addf(svg, "<!ENTITY a%d '", i);
        for (int k = 0; k < 10; k++)
            str_addf(svg, "&a%d;", i - 1);
        str_adds(svg, "'>");
    }
    str_adds(svg, "]>" HEAD "<title>&a14;</title><path d='&a14;'/></svg>");
}

static void nested(struct str *svg)
{
    str_adds(svg, HEAD);
    repeat(svg, "<g>", 60000);
    repeat(svg, "</g>", 60000);
    str_adds(svg, "</svg>");
}

static void layers(struct str *svg)
{
    str_adds(svg, HEAD);
    repeat(svg, "<g opacity='.9'>", 200);
    str_adds(svg, "<rect width='90' height='90'/>");
    repeat(svg, "</g>", 200);
    str_adds(svg, "</svg>");
}

/* In make test one that has an end: the time of copies of copies has none. */
static void filters(struct str *svg)
{
    str_addf(svg,
             HEAD "<filter id='f' x='-9' y='-9' width='99' height='99'><feTurbulence baseFrequency='.05' "
                  "numOctaves='%d'/><feGaussianBlur stdDeviation='900'/></filter>",
             FEW ? 9 : 999999);
    repeat(svg, "<rect width='90' height='90' filter='url(#f)'/>", FEW ? 1 : 50);
    str_adds(svg, "</svg>");
}

static void tiny_pattern(struct str *svg)
{
    str_adds(svg, HEAD
             "<pattern id='p' width='1e-7' height='1e-7' patternUnits='userSpaceOnUse'><path d='M0 0l1 1' "
             "stroke='red'/></pattern><rect width='90' height='90' fill='url(#p)'/></svg>");
}

static void endless_dashes(struct str *svg)
{
    str_adds(svg, HEAD "<path d='M0 0L1e7 1e7' stroke='red' stroke-dasharray='1e-4'/></svg>");
}

static void own_pattern(struct str *svg)
{
    str_adds(svg, HEAD
             "<pattern id='p' width='9' height='9' patternUnits='userSpaceOnUse'><rect width='9' height='9' "
             "fill='url(#p)'/></pattern><rect width='90' height='90' fill='url(#p)'/></svg>");
}

static void letters(struct str *svg)
{
    str_adds(svg, HEAD "<text x='5' y='50'>Text wants fonts, which are files.</text></svg>");
}

static void noise(struct str *svg)
{
    str_reserve(svg, 5000);
    randombytes_buf(svg->p, 5000);
    svg->len = 5000;
}

/* Each has an end in time, whether there is a picture or none, and the next drawing is painted. */
START_TEST(drawings_that_mean_harm)
{
    static void (*const makers[])(struct str *) = {
        copies_of_copies, entity_bomb,    nested,      layers,  filters,
        tiny_pattern,     endless_dashes, own_pattern, letters, noise};
    struct str svg = STR_INIT;
    int64_t began = clock_milliseconds();
    makers[_i](&svg);
    ck_assert_uint_le(svg.len, PAINTING_SVG_MOST);
    enum err_code code = paint(slice_str(&svg));
    ck_assert_msg(code == ERR_NONE || code == ERR_INPUT, "%d: %d", _i, (int)code);
    ck_assert_int_lt(clock_milliseconds() - began, (PAINTING_SECONDS + 3) * 1000);
    str_release(&svg);
    still_paints();
}
END_TEST

#define SECRET                                                                              \
    "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 9 9'><rect width='9' height='9' " \
    "fill='#f00'/></svg>"

/* It reads no file, whatever a drawing says: one that refers to another is as one that does not. */
START_TEST(what_is_outside_stays_there)
{
    static const char *const ways[] = {
        "<image width='90' height='90' xlink:href='%s'/>",
        "<image width='90' height='90' xlink:href='file://%s'/>", "<use xlink:href='%s#a'/>",
        "<style>@import url('%s');</style>",
        "<xi:include xmlns:xi='http://www.w3.org/2001/XInclude' href='%s' parse='xml'/>"};
    struct err err = ERR_INIT;
    struct str plain = STR_INIT;
    char path[] = "/tmp/turnpost-secret-XXXXXX.svg";
    int fd = mkstemps(path, 4);
    ck_assert_int_eq(write(fd, SECRET, strlen(SECRET)), (ssize_t)strlen(SECRET));
    close(fd);
    ck_ok(painter_paint(painter.fd, slice_of(HEAD "</svg>"), 600, &plain, &err), err);
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        struct str svg = STR_INIT, png = STR_INIT;
        str_adds(&svg, HEAD);
        const char *at = strstr(ways[i], "%s");
        str_addf(&svg, "%.*s%s%s</svg>", (int)(at - ways[i]), ways[i], path, at + 2);
        if (painter_paint(painter.fd, slice_str(&svg), 600, &png, &err) == 0)
            ck_assert_msg(png.len == plain.len && memcmp(png.p, plain.p, png.len) == 0, "%s shows", svg.p);
        err_clear(&err);
        str_release(&svg);
        str_release(&png);
    }
    unlink(path);
    str_release(&plain);
}
END_TEST

START_TEST(too_large_a_drawing)
{
    struct str svg = STR_INIT;
    str_adds(&svg, HEAD "<!--");
    while (svg.len <= PAINTING_SVG_MOST)
        str_adds(&svg, "                                                                ");
    str_adds(&svg, "--></svg>");
    ck_assert_int_eq(paint(slice_str(&svg)), ERR_INPUT);
    ck_assert_int_eq(paint(slice_of("")), ERR_INPUT);
    str_release(&svg);
    still_paints();
}
END_TEST

/* Killed, stopped, or a liar: it is of no more use, which shows soon. */
START_TEST(a_painter_that_fails)
{
    const struct timeval most = {1, 0};
    still_paints();
    ck_assert_int_eq(setsockopt(painter.fd, SOL_SOCKET, SO_RCVTIMEO, &most, sizeof most), 0);
    ck_assert_int_eq(kill(painter.pid, _i ? SIGKILL : SIGSTOP), 0);
    ck_assert_int_eq(paint(slice_of(PAINTING_RED)), ERR_TEMP);
    ck_assert_int_eq(kill(painter.pid, SIGKILL), 0);
}
END_TEST

START_TEST(it_ends_with_its_socket)
{
    int status;
    pid_t pid = painter.pid;
    still_paints();
    ck_assert(!painter_has_ended(&painter));
    painter_leave(&painter);
    ck_assert_int_eq(waitpid(pid, &status, 0), pid);
    ck_assert(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    painter.pid = 0;
}
END_TEST

START_TEST(no_program)
{
    struct err err = ERR_INIT;
    struct painter none;
    ck_assert_int_ne(painter_begin("/nowhere/turnpost-picture", &none, &err), 0);
    ck_assert_int_eq(err.code, ERR_CONFIG);
    ck_assert_ptr_nonnull(strstr(err.text, "/nowhere/turnpost-picture"));
    ck_assert_int_eq(none.fd, -1);
    painter_end(&none);
}
END_TEST

static void cases(TCase *tc)
{
    tcase_add_checked_fixture(tc, setup, teardown);
    tcase_add_loop_test(tc, drawings_that_mean_harm, 0, 10);
    tcase_add_test(tc, what_is_outside_stays_there);
    tcase_add_test(tc, too_large_a_drawing);
    tcase_add_loop_test(tc, a_painter_that_fails, 0, 2);
    tcase_add_test(tc, it_ends_with_its_socket);
    tcase_add_test(tc, no_program);
}
TEST_MAIN("picture/painter", cases)
