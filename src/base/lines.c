#include "base/lines.h"

#include <errno.h>
#include <unistd.h>

#include "base/file.h"

#define CHUNK ((size_t)65536)

void lines_memory(struct lines *lines, struct slice all)
{
    *lines = (struct lines){.all = all, .fd = -1};
    str_init(&lines->buffer);
}

int lines_open(const char *path, size_t longest, struct lines *lines, struct err *err)
{
    *lines = (struct lines){.longest = longest};
    str_init(&lines->buffer);
    return file_open(path, &lines->fd, err);
}

void lines_close(struct lines *lines)
{
    if (lines->fd >= 0)
        close(lines->fd);
    lines->fd = -1;
    str_release(&lines->buffer);
}

int lines_rewind(struct lines *lines, struct err *err)
{
    lines->at = 0;
    lines->read = 0;
    lines->ended = false;
    str_clear(&lines->buffer);
    if (lines->fd >= 0 && lseek(lines->fd, 0, SEEK_SET) != 0)
        return err_sys(err, ERR_IO, "cannot read a file twice");
    return 0;
}

static struct slice first_line(struct slice rest)
{
    const char *end = rest.len ? memchr(rest.p, '\n', rest.len) : NULL;
    return end ? slice_sub(rest, 0, (size_t)(end - rest.p) + 1) : rest;
}

static bool whole(struct slice line)
{
    return line.len && line.p[line.len - 1] == '\n';
}

/* Reads more; what was already returned is overwritten. */
static int read_more(struct lines *lines, struct err *err)
{
    struct str *buffer = &lines->buffer;
    if (lines->at) {
        memmove(buffer->p, buffer->p + lines->at, buffer->len - lines->at);
        str_cut(buffer, buffer->len - lines->at);
        lines->at = 0;
    }
    str_reserve(buffer, CHUNK);
    ssize_t n;
    do
        n = read(lines->fd, buffer->p + buffer->len, CHUNK);
    while (n < 0 && errno == EINTR);
    if (n < 0)
        return err_sys(err, ERR_IO, "cannot read");
    lines->ended = n == 0;
    buffer->len += (size_t)n;
    buffer->p[buffer->len] = '\0';
    return 0;
}

int lines_next(struct lines *lines, struct slice *line, struct err *err)
{
    struct slice all = lines->fd < 0 ? lines->all : slice_str(&lines->buffer);
    *line = first_line(slice_sub(all, lines->at, all.len));
    while (lines->fd >= 0 && !whole(*line) && !lines->ended && line->len < lines->longest) {
        if (read_more(lines, err))
            return -1;
        all = slice_str(&lines->buffer);
        *line = first_line(slice_sub(all, lines->at, all.len));
    }
    if (lines->fd >= 0 && line->len >= lines->longest && !whole(slice_sub(*line, 0, lines->longest))) {
        *line = slice_sub(*line, 0, lines->longest);
        lines->ended = true;
        str_cut(&lines->buffer, lines->at + line->len);
    }
    lines->at += line->len;
    lines->read += (int64_t)line->len;
    return 0;
}
