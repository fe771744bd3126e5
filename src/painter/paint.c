#include "painter/paint.h"

#include <librsvg/rsvg.h>
#include <png.h>
#include <stdlib.h>

#include "base/mem.h"
#include "painter/palette.h"
#include "picture/painting.h"

#define PNG_EFFORT 6 /* 3 takes half as long and adds a fifth; 9 takes five times as long */

/* ---- drawing ---- */

/* Its height in pixels at that width, 0 when it has no proportions, or those of a ribbon. */
static unsigned height_of(RsvgHandle *handle, unsigned width)
{
    gboolean has_box = FALSE, has_width = FALSE, has_height = FALSE;
    RsvgRectangle box;
    RsvgLength w, h;
    gdouble across = 0, down = 0;
    rsvg_handle_get_intrinsic_dimensions(handle, &has_width, &w, &has_height, &h, &has_box, &box);
    if (has_box) {
        across = box.width;
        down = box.height;
    } else if (!rsvg_handle_get_intrinsic_size_in_pixels(handle, &across, &down)) {
        return 0;
    }
    double height = across > 0 && down > 0 ? width * down / across : 0;
    return height >= 1 && height <= 2.0 * PAINTING_WIDTH_MOST ? (unsigned)(height + 0.5) : 0;
}

static int draw(RsvgHandle *handle, unsigned width, unsigned height, cairo_surface_t **out, struct err *err)
{
    const RsvgRectangle all = {0, 0, width, height};
    GError *why = NULL;
    cairo_surface_t *surface = cairo_image_surface_create(CAIRO_FORMAT_RGB24, (int)width, (int)height);
    cairo_t *cairo = cairo_create(surface);
    cairo_set_source_rgb(cairo, 1, 1, 1);
    cairo_paint(cairo);
    bool drawn = rsvg_handle_render_document(handle, cairo, &all, &why);
    if (!drawn)
        (void)err_set(err, ERR_INPUT, "the drawing cannot be drawn: %s",
                      why ? why->message : "no reason given");
    else if (cairo_status(cairo) != CAIRO_STATUS_SUCCESS)
        drawn = err_set(err, ERR_INPUT, "the drawing cannot be drawn: %s",
                        cairo_status_to_string(cairo_status(cairo))) == 0;
    g_clear_error(&why);
    cairo_destroy(cairo);
    cairo_surface_flush(surface);
    if (drawn)
        *out = surface;
    else
        cairo_surface_destroy(surface);
    return drawn ? 0 : -1;
}

/* ---- colours ---- */

/* A picture whose pixels are places in its palette. */
struct indexed {
    unsigned width, height;
    unsigned char *pixels;
    struct palette palette;
};

/* Cairo's rows are as long as they are wide at 32 bits a pixel. */
static void index_colours(cairo_surface_t *surface, struct indexed *out)
{
    out->width = (unsigned)cairo_image_surface_get_width(surface);
    out->height = (unsigned)cairo_image_surface_get_height(surface);
    out->pixels = mem_array((size_t)out->width * out->height, 1);
    const void *pixels = cairo_image_surface_get_data(surface);
    palette_make(&out->palette, pixels, (size_t)out->width * out->height, out->pixels);
}

/* ---- the file ---- */

static void add_bytes(png_structp png, png_bytep bytes, png_size_t len)
{
    str_add(png_get_io_ptr(png), bytes, len);
}

static void flush_nothing(png_structp png)
{
    (void)png;
}

static void write_rows(png_structp png, png_infop info, const struct indexed *picture)
{
    png_set_IHDR(png, info, picture->width, picture->height, 8, PNG_COLOR_TYPE_PALETTE, PNG_INTERLACE_NONE,
                 PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    png_color colours[PALETTE_MOST];
    for (int i = 0; i < picture->palette.count; i++) {
        uint32_t colour = picture->palette.colour[i];
        colours[i] = (png_color){(png_byte)(colour >> 16), (png_byte)(colour >> 8), (png_byte)colour};
    }
    png_set_PLTE(png, info, colours, picture->palette.count);
    png_set_compression_level(png, PNG_EFFORT);
    png_set_filter(png, PNG_FILTER_TYPE_BASE, PNG_FILTER_NONE);
    png_write_info(png, info);
    for (unsigned y = 0; y < picture->height; y++)
        png_write_row(png, picture->pixels + (size_t)y * picture->width);
    png_write_end(png, info);
}

static int write_png(const struct indexed *picture, struct str *out, struct err *err)
{
    png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL, NULL, NULL);
    png_infop info = png ? png_create_info_struct(png) : NULL;
    int rc = -1;
    if (info && setjmp(png_jmpbuf(png)) == 0) {
        png_set_write_fn(png, out, add_bytes, flush_nothing);
        write_rows(png, info, picture);
        rc = 0;
    }
    png_destroy_write_struct(&png, &info);
    return rc ? err_set(err, ERR_INPUT, "the picture cannot be written as PNG") : 0;
}

int paint(struct slice svg, unsigned width, struct str *png, struct err *err)
{
    GError *why = NULL;
    cairo_surface_t *surface = NULL;
    struct indexed picture = {.pixels = NULL};
    RsvgHandle *handle = rsvg_handle_new_from_data((const guint8 *)svg.p, svg.len, &why);
    if (!handle) {
        (void)err_set(err, ERR_INPUT, "this is no SVG: %s", why ? why->message : "no reason given");
        g_clear_error(&why);
        return -1;
    }
    unsigned height = height_of(handle, width);
    int rc = height ? draw(handle, width, height, &surface, err)
                    : err_set(err, ERR_INPUT, "the drawing has no size that fits into a picture");
    g_object_unref(handle);
    if (rc == 0) {
        index_colours(surface, &picture);
        rc = write_png(&picture, png, err);
        free(picture.pixels);
        cairo_surface_destroy(surface);
    }
    return rc;
}
