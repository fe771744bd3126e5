/* The folder of pictures, and the thread that fills it. */
#include "picture/easel.h"

#include <signal.h>
#include <fcntl.h>
#include <sys/stat.h>

#include "base/clock.h"
#include "base/mem.h"
#include "painting.h"
#include "scratch.h"

static char dir[SCRATCH_PATH];
static struct painter painter;

static void setup(void)
{
    scratch_make(dir, "easel");
    painting_begin(&painter);
}

static void teardown(void)
{
    painter_end(&painter);
    scratch_remove(dir);
}

static bool there(const char *digest, const char *ending)
{
    struct str path = STR_INIT;
    str_addf(&path, "%s/%s%s", dir, digest, ending);
    bool found = file_exists(path.p);
    str_release(&path);
    return found;
}

static void keep(const char *shows, char digest[PICTURES_DIGEST])
{
    struct err err = ERR_INIT;
    pictures_digest(digest, slice_of(shows));
    ck_ok(pictures_keep(dir, digest, slice_of(shows), &err), err);
}

/* A drawing larger than a socket holds, whose picture is larger, too. */
static void draw_big(struct str *svg, struct slice colour)
{
    struct str dots = STR_INIT;
    unsigned at = 1;
    for (int i = 0; i < 6000; i++) {
        at = at * 1103515245U + 12345U;
        str_addf(&dots, "<rect x='%u' y='%u' width='1' height='1' fill='#%06x'/>", at >> 16 & 63,
                 at >> 22 & 31, at & 0xFFFFFF);
    }
    str_addf(svg, PAINTING_SVG("<rect width='60' height='30' fill='%.*s'/>%s"), (int)colour.len, colour.p,
             dots.p);
    str_release(&dots);
}

/* What a picture shows is its colour here; "slow" takes more than there is. */
static int draw(void *arg, struct slice shows, struct str *svg, struct err *err)
{
    int *drawn = arg;
    ++*drawn;
    if (slice_eq(shows, "none"))
        return err_set(err, ERR_INPUT, "nothing to draw");
    if (slice_eq(shows, "no SVG"))
        str_addslice(svg, shows);
    else if (slice_starts(shows, "big "))
        draw_big(svg, slice_sub(shows, 4, shows.len));
    else
        str_addf(svg, PAINTING_SVG("<rect width='60' height='30' fill='%.*s'/>"), (int)shows.len, shows.p);
    return 0;
}

#define MOST 4

struct work {
    char digests[MOST][PICTURES_DIGEST];
    const char *list[MOST];
    int drawn;
    struct easel *easel;
};

static void begin(struct work *work, const char *const *shows, size_t count)
{
    *work = (struct work){.drawn = 0};
    for (size_t i = 0; i < count; i++) {
        keep(shows[i], work->digests[i]);
        work->list[i] = work->digests[i];
    }
    work->easel = easel_begin(&(struct easel_work){dir, work->list, count, painter.fd, draw, &work->drawn});
    ck_assert_ptr_nonnull(work->easel);
}

static bool end(struct work *work, size_t count)
{
    bool dead;
    int64_t until = clock_milliseconds() + 20000;
    while (easel_done(work->easel) < count && clock_milliseconds() < until)
        easel_wait(work->easel, count, until);
    ck_assert_uint_eq(easel_done(work->easel), count);
    easel_end(work->easel, false, &dead);
    return dead;
}

START_TEST(they_are_painted_in_order)
{
    static const char *const shows[] = {"red", "green", "red", "blue"};
    struct work work;
    begin(&work, shows, 4);
    ck_assert(!end(&work, 4));
    ck_assert_int_eq(work.drawn, 3); /* what shows the same is the same picture */
    for (int i = 0; i < 4; i++) {
        struct err err = ERR_INIT;
        struct str png = STR_INIT;
        ck_assert(there(work.digests[i], ".png") && !there(work.digests[i], ".json"));
        ck_ok(pictures_get(dir, work.digests[i], &png, &err), err);
        ck_assert(painting_is_png(slice_str(&png)));
        str_release(&png);
    }
    begin(&work, shows, 4); /* the next round finds them */
    ck_assert(!end(&work, 4));
    ck_assert_int_eq(work.drawn, 0);
}
END_TEST

START_TEST(large_ones_wait_for_each_other)
{
    static const char *const shows[] = {"big red", "green", "big blue", "big green"};
    struct work work;
    begin(&work, shows, 4);
    ck_assert(!end(&work, 4));
    for (int i = 0; i < 4; i++)
        ck_assert(there(work.digests[i], ".png"));
}
END_TEST

/* Whoever stops in between leaves nothing unread: the next round gets its own pictures. */
START_TEST(what_was_asked_for_is_read)
{
    static const char *const shows[] = {"red", "green", "blue", "big red"}, *const others[] = {"white",
                                                                                               "black"};
    struct work work;
    struct str one = STR_INIT, other = STR_INIT;
    struct err err = ERR_INIT;
    bool dead;
    begin(&work, shows, 4);
    easel_wait(work.easel, 1, clock_milliseconds() + 5000);
    easel_end(work.easel, false, &dead);
    ck_assert(!dead);
    begin(&work, others, 2);
    ck_assert(!end(&work, 2));
    ck_ok(pictures_get(dir, work.digests[0], &one, &err), err);
    painter_end(&painter);
    painting_begin(&painter);
    ck_ok(painter_paint(painter.fd, slice_of(PAINTING_SVG("<rect width='60' height='30' fill='white'/>")),
                        EASEL_WIDTH, &other, &err),
          err);
    ck_assert_uint_eq(one.len, other.len);
    ck_assert_mem_eq(one.p, other.p, one.len);
    str_release(&one);
    str_release(&other);
}
END_TEST

START_TEST(what_cannot_be_painted)
{
    static const char *const shows[] = {"none", "no SVG", "green"};
    struct work work;
    begin(&work, shows, 3);
    ck_assert(!end(&work, 3));
    for (int i = 0; i < 2; i++)
        ck_assert(!there(work.digests[i], ".png") && !there(work.digests[i], ".json"));
    ck_assert(there(work.digests[2], ".png"));
}
END_TEST

START_TEST(what_it_shows_is_gone_or_damaged)
{
    static const char *const shows[] = {"red", "green", "blue"};
    struct err err = ERR_INIT;
    struct str path = STR_INIT;
    struct work work;
    char digest[PICTURES_DIGEST];
    keep("red", digest);
    str_addf(&path, "%s/%s.json", dir, digest);
    ck_ok(file_overwrite(path.p, slice_of("#0f0"), 0600, &err), err);
    begin(&work, shows, 3);
    ck_assert(!end(&work, 3));
    ck_assert(!there(work.digests[0], ".png"));
    ck_assert(there(work.digests[1], ".png") && there(work.digests[2], ".png"));
    str_release(&path);
}
END_TEST

/* Killed while it paints: none of the others is waited for, and what they show is kept for the next start. */
START_TEST(the_painter_ends)
{
    static const char *const shows[] = {"red", "green", "blue"};
    struct work work;
    ck_assert_int_eq(kill(painter.pid, SIGKILL), 0);
    begin(&work, shows, 3);
    ck_assert(end(&work, 3));
    ck_assert(there(work.digests[2], ".json"));
}
END_TEST

START_TEST(no_painter)
{
    static const char *const shows[] = {"red"};
    struct work work;
    painter_end(&painter);
    begin(&work, shows, 1);
    ck_assert(end(&work, 1));
    ck_assert_int_eq(work.drawn, 0);
}
END_TEST

/* A painter that stands still: whoever is to stop need not wait for it. */
START_TEST(to_stop_at_once)
{
    static const char *const shows[] = {"red", "green"};
    struct work work;
    bool dead;
    ck_assert_int_eq(kill(painter.pid, SIGSTOP), 0);
    begin(&work, shows, 2);
    int64_t began = clock_milliseconds();
    easel_wait(work.easel, 1, began + 300);
    easel_end(work.easel, true, &dead);
    ck_assert_int_lt(clock_milliseconds() - began, 2000);
    ck_assert(dead);
    ck_assert_int_eq(kill(painter.pid, SIGKILL), 0);
}
END_TEST

/* ---- the folder ---- */

START_TEST(half_a_picture_is_none)
{
    struct err err = ERR_INIT;
    struct str path = STR_INIT, png = STR_INIT;
    static const char *const shows[] = {"red"};
    struct work work;
    begin(&work, shows, 1);
    ck_assert(!end(&work, 1));
    str_addf(&path, "%s/%s.png", dir, work.digests[0]);
    ck_ok(file_truncate(path.p, file_size(path.p) - 1, &err), err);
    ck_assert_int_ne(pictures_get(dir, work.digests[0], &png, &err), 0);
    ck_assert_int_eq(err.code, ERR_MISSING);
    ck_assert_uint_eq(png.len, 0);
    str_release(&png);
    str_release(&path);
}
END_TEST

START_TEST(the_oldest_are_dropped)
{
    char digests[5][PICTURES_DIGEST];
    struct err err = ERR_INIT;
    struct str bytes = STR_INIT;
    for (int i = 0; i < 1000; i++)
        str_addc(&bytes, 'x');
    for (int i = 0; i < 5; i++) {
        struct str path = STR_INIT;
        const struct timespec times[2] = {{.tv_sec = 1000 - i}, {.tv_sec = 1000 - i}};
        pictures_digest(digests[i], (struct slice){(const char *)&i, sizeof i});
        ck_ok(pictures_put(dir, digests[i], slice_str(&bytes), &err), err);
        str_addf(&path, "%s/%s.png", dir, digests[i]);
        ck_assert_int_eq(utimensat(AT_FDCWD, path.p, times, 0), 0);
        str_release(&path);
    }
    ck_ok(pictures_tidy(dir, 5000, &err), err);
    ck_assert(pictures_have(dir, digests[4]));
    ck_ok(pictures_tidy(dir, 2500, &err), err);
    for (int i = 0; i < 5; i++)
        ck_assert_int_eq(pictures_have(dir, digests[i]), i < 2);
    str_release(&bytes);
}
END_TEST

static void cases(TCase *tc)
{
    tcase_add_checked_fixture(tc, setup, teardown);
    tcase_add_test(tc, they_are_painted_in_order);
    tcase_add_test(tc, large_ones_wait_for_each_other);
    tcase_add_test(tc, what_was_asked_for_is_read);
    tcase_add_test(tc, what_cannot_be_painted);
    tcase_add_test(tc, what_it_shows_is_gone_or_damaged);
    tcase_add_test(tc, the_painter_ends);
    tcase_add_test(tc, no_painter);
    tcase_add_test(tc, to_stop_at_once);
    tcase_add_test(tc, half_a_picture_is_none);
    tcase_add_test(tc, the_oldest_are_dropped);
}
TEST_MAIN("picture/easel", cases)
