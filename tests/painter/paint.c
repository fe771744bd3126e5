/* SVG to PNG: the picture that is drawn, with the colours that it has. */
#include "painter/paint.h"

#include <cairo.h>

#include "base/mem.h"
#include "painter/palette.h"
#include "suite.h"

#define SVG(inner) "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 60 30'>" inner "</svg>"

static struct slice unread; /* of the PNG */

static cairo_status_t take(void *arg, unsigned char *bytes, unsigned len)
{
    (void)arg;
    if (unread.len < len)
        return CAIRO_STATUS_READ_ERROR;
    memcpy(bytes, unread.p, len);
    unread = slice_sub(unread, len, unread.len);
    return CAIRO_STATUS_SUCCESS;
}

static cairo_surface_t *read_png(struct slice png)
{
    unread = png;
    cairo_surface_t *surface = cairo_image_surface_create_from_png_stream(take, NULL);
    ck_assert_int_eq(cairo_surface_status(surface), CAIRO_STATUS_SUCCESS);
    return surface;
}

static uint32_t pixel(cairo_surface_t *surface, int x, int y)
{
    uint32_t value;
    memcpy(&value,
           cairo_image_surface_get_data(surface) + y * cairo_image_surface_get_stride(surface) + 4 * x, 4);
    return value & 0xFFFFFF;
}

START_TEST(what_is_drawn)
{
    struct str png = STR_INIT, again = STR_INIT;
    struct err err = ERR_INIT;
    struct slice svg =
        slice_of(SVG("<rect width='60' height='30' fill='#f6f0e1'/><rect width='30' height='15' "
                     "fill='#d55e00'/><circle cx='45' cy='22' r='6' fill='#0072b2'/>"));
    ck_ok(paint(svg, 600, &png, &err), err);
    ck_ok(paint(svg, 600, &again, &err), err);
    ck_assert(png.len == again.len && memcmp(png.p, again.p, png.len) == 0);
    ck_assert_int_eq((unsigned char)png.p[25], 3); /* a palette */
    cairo_surface_t *surface = read_png(slice_str(&png));
    ck_assert_int_eq(cairo_image_surface_get_width(surface), 600);
    ck_assert_int_eq(cairo_image_surface_get_height(surface), 300);
    ck_assert_uint_eq(pixel(surface, 150, 75), 0xd55e00);
    ck_assert_uint_eq(pixel(surface, 450, 220), 0x0072b2);
    ck_assert_uint_eq(pixel(surface, 450, 20), 0xf6f0e1);
    cairo_surface_destroy(surface);
    str_release(&png);
    str_release(&again);
}
END_TEST

START_TEST(the_ground_is_opaque)
{
    struct str png = STR_INIT;
    struct err err = ERR_INIT;
    ck_ok(paint(slice_of(SVG("")), 60, &png, &err), err);
    cairo_surface_t *surface = read_png(slice_str(&png));
    ck_assert_int_eq(cairo_image_surface_get_format(surface), CAIRO_FORMAT_RGB24);
    ck_assert_uint_eq(pixel(surface, 30, 15), 0xFFFFFF);
    cairo_surface_destroy(surface);
    str_release(&png);
}
END_TEST

START_TEST(what_is_no_drawing)
{
    static const char *const others[] = {
        "",
        " ",
        "no SVG",
        "<svg",
        "<html/>",
        "\xFF\xFE",
        "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 1 9000'/>",
        "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 0 0'/>",
        "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 -5 9'/>",
        "<svg xmlns='http://www.w3.org/2000/svg' width='100%' height='100%'/>"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        struct str png = STR_INIT;
        struct err err = ERR_INIT;
        ck_assert_msg(paint(slice_of(others[i]), 600, &png, &err) != 0, "%s", others[i]);
        ck_assert_int_eq(err.code, ERR_INPUT);
        str_release(&png);
    }
}
END_TEST

#define PIXELS ((size_t)300 * 300)

/* As many as there are fit in: exactly these. */
START_TEST(few_colours_are_kept)
{
    uint32_t *pixels = mem_array(PIXELS, sizeof *pixels);
    unsigned char *places = mem_array(PIXELS, 1);
    struct palette palette;
    for (size_t i = 0; i < PIXELS; i++)
        pixels[i] = 0xAB000000U | (uint32_t)(i % PALETTE_MOST) * 0x010307U;
    palette_make(&palette, pixels, PIXELS, places);
    ck_assert_int_eq(palette.count, PALETTE_MOST);
    for (size_t i = 0; i < PIXELS; i++)
        ck_assert_uint_eq(palette.colour[places[i]], pixels[i] & 0xFFFFFF);
    for (size_t i = 0; i < PIXELS; i++)
        pixels[i] = 0x123456;
    palette_make(&palette, pixels, PIXELS, places);
    ck_assert_int_eq(palette.count, 1);
    free(pixels);
    free(places);
}
END_TEST

/* More colours than the table holds, and one small thing that is like nothing else. */
START_TEST(many_colours_are_brought_down)
{
    uint32_t *pixels = mem_array(PIXELS, sizeof *pixels);
    unsigned char *places = mem_array(PIXELS, 1);
    struct palette palette;
    for (size_t i = 0; i < PIXELS; i++)
        pixels[i] = (uint32_t)(i / 300 * 255 / 299) << 8 | (uint32_t)(i % 300 * 255 / 299);
    for (size_t i = 0; i < 40; i++)
        pixels[i] = 0xFF0000;
    palette_make(&palette, pixels, PIXELS, places);
    ck_assert_int_eq(palette.count, PALETTE_MOST);
    for (size_t i = 0; i < PIXELS; i++)
        for (int shift = 0; shift <= 16; shift += 8) {
            int was = pixels[i] >> shift & 0xFF, is = palette.colour[places[i]] >> shift & 0xFF;
            ck_assert_msg(abs(was - is) <= 80, "%06x became %06x", pixels[i], palette.colour[places[i]]);
        }
    free(pixels);
    free(places);
}
END_TEST

static void cases(TCase *tc)
{
    tcase_add_test(tc, what_is_drawn);
    tcase_add_test(tc, the_ground_is_opaque);
    tcase_add_test(tc, what_is_no_drawing);
    tcase_add_test(tc, few_colours_are_kept);
    tcase_add_test(tc, many_colours_are_brought_down);
}
TEST_MAIN("painter/paint", cases)
