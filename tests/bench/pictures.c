/* Boards as pictures, for the figures: what a league is still to paint is drawn and painted as the sending of mails
 * does it, and then asked for once more. Prints microseconds a picture, new and cached, their number, and bytes of one.
 *
 *     pictures DIR SVGS
 *         DIR has what they show (picture/pictures.h); the drawings are left in SVGS, for other programs
 */
#include "bench.h"

#include <unistd.h>

#include "base/file.h"
#include "base/json.h"
#include "base/mem.h"
#include "board/board.h"
#include "picture/easel.h"

struct drawing {
    struct templates *templates;
    const char *folder; /* for the drawings; NULL: they are not kept */
    int count;
};

static int draw(void *arg, struct slice shows, struct str *svg, struct err *err)
{
    struct drawing *drawing = arg;
    json_t *facts = json_read(shows, "facts", err);
    int rc = facts ? board_draw(facts, drawing->templates, svg, err) : -1;
    json_decref(facts);
    if (rc == 0 && drawing->folder) {
        struct str path = STR_INIT;
        str_addf(&path, "%s/%d.svg", drawing->folder, drawing->count++);
        rc = file_write_soft(path.p, slice_str(svg), 0644, err);
        str_release(&path);
    }
    return rc;
}

/* The program beside the bench's folder. */
static void begin_painter(struct painter *painter)
{
    struct err err = ERR_INIT;
    char path[4096];
    ssize_t len = readlink("/proc/self/exe", path, sizeof path - 1);
    path[len > 0 ? len : 0] = '\0';
    char *tests = strstr(path, "/tests/");
    struct str program = STR_INIT;
    str_addf(&program, "%.*s/turnpost-picture", tests ? (int)(tests - path) : 0, path);
    if (painter_begin(program.p, painter, &err))
        fail(&err);
    str_release(&program);
}

/* Wall seconds for all of them. */
static double all(const struct easel_work *work)
{
    struct timespec began, ended;
    bool dead;
    (void)clock_gettime(CLOCK_MONOTONIC, &began);
    struct easel *easel = easel_begin(work);
    if (!easel)
        exit(75);
    while (easel_done(easel) < work->count)
        easel_wait(easel, work->count, INT64_MAX);
    (void)clock_gettime(CLOCK_MONOTONIC, &ended);
    easel_end(easel, false, &dead);
    if (dead)
        exit(75);
    return (double)(ended.tv_sec - began.tv_sec) + (double)(ended.tv_nsec - began.tv_nsec) / 1e9;
}

/* "<digest>.json" of the folder. */
static const char **digests_of(const char *dir, size_t *count)
{
    struct err err = ERR_INIT;
    struct file_names names;
    if (file_list(dir, &names, &err))
        fail(&err);
    const char **list = mem_array(names.count + 1, sizeof *list);
    *count = 0;
    for (size_t i = 0; i < names.count; i++)
        if (str_ends(names.name[i], ".json"))
            list[(*count)++] = mem_strndup(names.name[i], strlen(names.name[i]) - strlen(".json"));
    file_names_free(&names);
    return list;
}

int main(int argc, char **argv)
{
    struct painter painter;
    struct drawing drawing = {.count = 0};
    struct err err = ERR_INIT;
    struct str png = STR_INIT;
    size_t count;
    if (argc != 3 || sodium_init() < 0)
        return 64;
    const char **digests = digests_of(argv[1], &count);
    templates_open("/nonexistent", &drawing.templates);
    drawing.folder = argv[2];
    begin_painter(&painter);
    const struct easel_work work = {argv[1], digests, count, painter.fd, draw, &drawing};
    double fresh = all(&work), cached = all(&work);
    for (size_t i = 0; i < count; i++)
        if (pictures_get(argv[1], digests[i], &png, &err))
            fail(&err);
    painter_end(&painter);
    printf("new %.1f\ncached %.2f\ncount %zu\nbytes %.0f\n", fresh / (double)count * 1e6,
           cached / (double)count * 1e6, count, (double)png.len / (double)count);
    templates_close(drawing.templates);
    str_release(&png);
    return 0;
}
