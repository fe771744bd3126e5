/* board/album: the boards of a game in one file look as they do in files of their own, and take far less room. */
#include "board/album.h"

#include <librsvg/rsvg.h>

#include "board/board.h"
#include "board/drawn.h"
#include "play/random_game.h"

#define TURNS_MOST 6

static const char *const names[] = {"galaxy-command", "galactic-supremacy", "galactic-contract",
                                    "galaxy-farmer"};

/* As a browser shows it: 360 px wide, on a white page. The caller destroys it. */
static cairo_surface_t *shown(struct slice svg, int height)
{
    cairo_surface_t *surface = cairo_image_surface_create(CAIRO_FORMAT_RGB24, BOARD_WIDTH, height);
    cairo_t *cairo = cairo_create(surface);
    RsvgHandle *handle = rsvg_handle_new_from_data((const guint8 *)svg.p, svg.len, NULL);
    ck_assert_ptr_nonnull(handle);
    cairo_set_source_rgb(cairo, 1, 1, 1);
    cairo_paint(cairo);
    ck_assert(rsvg_handle_render_document(handle, cairo, &(RsvgRectangle){0, 0, BOARD_WIDTH, height}, NULL));
    g_object_unref(handle);
    cairo_destroy(cairo);
    cairo_surface_flush(surface);
    return surface;
}

/* The file with what its <view> of the turn says in place of its own viewBox, which is what a fragment does. */
static void at_turn(struct str *out, const struct str *all, int turn)
{
    struct str mark = STR_INIT;
    str_addf(&mark, "<view id=\"turn-%d\" viewBox=\"", turn);
    const char *view = strstr(all->p, mark.p), *own = strstr(all->p, "viewBox=\"") + strlen("viewBox=\"");
    ck_assert_msg(view, "turn %d has no view", turn);
    view += mark.len;
    str_clear(out);
    str_addf(out, "%.*s%.*s%s", (int)(own - all->p), all->p, (int)(strchr(view, '"') - view), view,
             strchr(own, '"'));
    str_release(&mark);
}

/* How many pixels are not those of the picture, or are of another one below it. */
static int other_pixels(cairo_surface_t *in_album, cairo_surface_t *alone)
{
    int others = 0;
    for (int y = 0; y < cairo_image_surface_get_height(in_album); y++) {
        const unsigned char *is =
            cairo_image_surface_get_data(in_album) + (ptrdiff_t)y * cairo_image_surface_get_stride(in_album);
        const unsigned char *should =
            y < cairo_image_surface_get_height(alone)
                ? cairo_image_surface_get_data(alone) + (ptrdiff_t)y * cairo_image_surface_get_stride(alone)
                : NULL;
        for (int x = 0; x < BOARD_WIDTH * 4; x++)
            others += x % 4 != 3 && abs(is[x] - (should ? should[x] : 255)) > 2;
    }
    return others;
}

START_TEST(the_boards_of_a_game_look_the_same_in_one_file)
{
    struct templates *templates;
    struct game game;
    struct err err = ERR_INIT;
    struct str svg[TURNS_MOST], all = STR_INIT, view = STR_INIT;
    struct album_picture pictures[TURNS_MOST];
    int heights[TURNS_MOST], height = 0;
    size_t count = 0, alone = 0;
    templates_open(NULL, &templates);
    random_start(&game, ruleset_newest(names[_i]), _i == 3 ? 1 : 3, 7);
    for (int seat = 1; seat <= game.seats; seat++)
        (void)snprintf(game.seat[seat].player, PLAYER_NAME, "%c-\"<&>'", 'a' + seat);
    for (; count < TURNS_MOST && !game.over; count++) {
        const struct board board = board_of(&game);
        json_t *facts = board_facts(&board);
        str_init(&svg[count]);
        ck_ok(board_draw(facts, templates, &svg[count], &err), err);
        pictures[count] = (struct album_picture){game.turn - 1, slice_str(&svg[count])};
        heights[count] = (int)json_integer_value(json_object_get(facts, "pixels"));
        height = heights[count] > height ? heights[count] : height;
        alone += svg[count].len;
        json_decref(facts);
        struct events events;
        events_init(&events);
        random_play(&game, 7, &events);
        events_release(&events);
    }
    ck_ok(album(&all, pictures, count, height, &err), err);
    drawn_check(slice_str(&all));
    ck_assert_msg(all.len < alone * 2 / 5, "%zu bytes of %zu are left", all.len, alone);
    for (size_t i = 0; i < count; i += 3) {
        cairo_surface_t *single = shown(pictures[i].svg, heights[i]);
        at_turn(&view, &all, pictures[i].turn);
        cairo_surface_t *part = shown(slice_str(&view), height);
        ck_assert_msg(other_pixels(part, single) == 0, "%s, turn %d looks otherwise", names[_i],
                      pictures[i].turn);
        cairo_surface_destroy(single);
        cairo_surface_destroy(part);
    }
    cairo_surface_t *first = shown(slice_str(&all), height),
                    *newest = shown(pictures[count - 1].svg, heights[count - 1]);
    ck_assert_msg(other_pixels(first, newest) == 0, "without a fragment it is the newest");
    cairo_surface_destroy(first);
    cairo_surface_destroy(newest);
    for (size_t i = 0; i < count; i++)
        str_release(&svg[i]);
    str_release(&all);
    str_release(&view);
    game_release(&game);
    templates_close(templates);
}
END_TEST

/* Of two turns; both templates may be a league's own. */
static const char *of_two(const char *first, const char *second)
{
    static struct str out;
    struct err err = ERR_INIT;
    const struct album_picture pictures[] = {{3, slice_of(first)}, {4, slice_of(second)}};
    str_clear(&out);
    ck_ok(album(&out, pictures, 2, 10, &err), err);
    return out.p;
}

#define SVG(inner) "<svg viewBox=\"0 0 9 9\">" inner "</svg>"
#define HEAD       "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 360 10\" width=\"360\" height=\"10\">\n"
#define OLDER \
    "<view id=\"turn-3\" viewBox=\"0 10 360 10\"/>\n<svg y=\"10\" aria-hidden=\"true\" viewBox=\"0 0 9 9\">"
#define NEWEST     "</svg>\n<view id=\"turn-4\" viewBox=\"0 0 360 10\"/>\n<svg y=\"0\" viewBox=\"0 0 9 9\">"
#define ONCE(defs) "\n<defs>" defs "</defs></svg>\n</svg>\n"
#define LINE       "d=\"M0 0L1 1L2 2L3 3L4 4L5 5\" fill=\"a>b\"/>"

START_TEST(what_is_the_same_is_there_once)
{
    ck_assert_str_eq(of_two(SVG("<title>3</title><path " LINE), SVG("<title>4</title><path " LINE "<g/>")),
                     HEAD OLDER "<use href=\"#_0\"/>" NEWEST
                                "<title>4</title><use href=\"#_0\"/><g/>" ONCE("<path id=\"_0\" " LINE));
    /* what is short stays, and what has an id; definitions come together */
    ck_assert_str_eq(
        of_two("<?xml version=\"1.0\"?>\n" SVG(
                   "<defs><path id=\"star\" d=\"M1\"/></defs><g><path d=\"M1\"/></g>"),
               SVG("<!-- it's <g> --><defs><path id=\"star\" d=\"M1\"/></defs><g id=\"of-its-own\"></g>")),
        HEAD OLDER "<g><path d=\"M1\"/></g>" NEWEST
                   "<g id=\"of-its-own\"></g>" ONCE("<path id=\"star\" d=\"M1\"/>"));
    /* a group of which only a part is the same */
    ck_assert_str_eq(
        of_two(SVG("<g fill=\"red\"><path " LINE "</g>"), SVG("<g fill=\"blue\"><path " LINE "</g>")),
        HEAD OLDER "<g fill=\"red\"><use href=\"#_0\"/></g>" NEWEST
                   "<g fill=\"blue\"><use href=\"#_0\"/></g>" ONCE("<path id=\"_0\" " LINE));
}
END_TEST

START_TEST(what_has_no_end_is_no_picture)
{
    static const char *const wrong[] = {
        "", "words", "<svg", "<svg>", "<svg><g></svg>", "<svg><!-- </svg>", "<g></g>", "<svg a=\">"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct str out = STR_INIT;
        struct err err = ERR_INIT;
        const struct album_picture picture = {7, slice_of(wrong[i])};
        str_adds(&out, "kept");
        ck_assert_int_eq(album(&out, &picture, 1, 10, &err), -1);
        ck_assert_int_eq(err.code, ERR_CONFIG);
        ck_assert_str_eq(err.text, "the picture of turn 7 is no <svg>, or has no end");
        ck_assert_str_eq(out.p, "kept");
        str_release(&out);
    }
}
END_TEST

static void cases(TCase *tc)
{
    tcase_add_loop_test(tc, the_boards_of_a_game_look_the_same_in_one_file, 0, 4);
    tcase_add_test(tc, what_is_the_same_is_there_once);
    tcase_add_test(tc, what_has_no_end_is_no_picture);
}
TEST_MAIN("board/album", cases)
