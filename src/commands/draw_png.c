#include "commands/draw_png.h"

#include <dlfcn.h>
#include <librsvg/rsvg.h>

#include "board/board.h"

/* What of librsvg and of the libraries that come with it is called here. */
#define CALLS(X)                                \
    X(rsvg_handle_new_from_data)                \
    X(rsvg_handle_get_intrinsic_size_in_pixels) \
    X(rsvg_handle_render_document)              \
    X(cairo_image_surface_create)               \
    X(cairo_create)                             \
    X(cairo_destroy)                            \
    X(cairo_surface_destroy) X(cairo_surface_write_to_png_stream) X(g_object_unref) X(g_error_free)

struct painter {
#define MEMBER(name) __typeof__(name) *(name);
    CALLS(MEMBER)
#undef MEMBER
};

static bool load(void *library, const char *name, void *function)
{
    void *found = dlsym(library, name);
    memcpy(function, &found, sizeof found);
    return found;
}

static bool painter_load(void *library, struct painter *painter)
{
    bool all = true;
#define LOAD(name) all = all && load(library, #name, &painter->name);
    CALLS(LOAD)
#undef LOAD
    return all;
}

static cairo_status_t take_bytes(void *arg, const unsigned char *bytes, unsigned len)
{
    str_add(arg, bytes, len);
    return CAIRO_STATUS_SUCCESS;
}

static int paint(const struct painter *painter, RsvgHandle *handle, int width, struct str *png)
{
    double wide = 0, high = 0;
    if (!painter->rsvg_handle_get_intrinsic_size_in_pixels(handle, &wide, &high) || wide < 1 || high < 1)
        return -1;
    const RsvgRectangle area = {0, 0, width, (double)(int)(high * width / wide + 0.5)};
    cairo_surface_t *surface =
        painter->cairo_image_surface_create(CAIRO_FORMAT_RGB24, width, (int)area.height);
    cairo_t *cairo = painter->cairo_create(surface);
    int rc = painter->rsvg_handle_render_document(handle, cairo, &area, NULL) ? 0 : -1;
    painter->cairo_destroy(cairo);
    if (rc == 0 &&
        painter->cairo_surface_write_to_png_stream(surface, take_bytes, png) != CAIRO_STATUS_SUCCESS)
        rc = -1;
    painter->cairo_surface_destroy(surface);
    return rc;
}

int draw_png(struct slice svg, int width, struct str *png, struct err *err)
{
    struct painter painter;
    GError *why = NULL;
    void *library = dlopen("librsvg-2.so.2", RTLD_NOW | RTLD_LOCAL);
    if (!library || !painter_load(library, &painter))
        return err_set(err, ERR_CONFIG, "a PNG needs librsvg (package librsvg2-2); an SVG does not");
    RsvgHandle *handle = painter.rsvg_handle_new_from_data((const guint8 *)svg.p, svg.len, &why);
    if (!handle) {
        err_set(err, ERR_CONFIG, "the picture is no SVG: %s", why ? why->message : "no reason is known");
        if (why)
            painter.g_error_free(why);
        return -1;
    }
    int rc = paint(&painter, handle, width, png);
    painter.g_object_unref(handle);
    return rc ? err_set(err, ERR_CONFIG, "the picture cannot be painted") : 0;
}
