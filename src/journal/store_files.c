#include "journal/store_ops.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "journal/record.h"

#define JOURNAL_MAX ((size_t)1 << 31)
#define STATE_MAX   ((size_t)4 << 20)

#define ALL_MAY_READ 0644
#define NOBODY_ELSE  0600

struct files {
    struct store store;
    char *dir;
    mode_t mode; /* of journals */
};

static struct files *files_of(struct store *store)
{
    return (struct files *)store;
}

static char *game_file(struct store *store, const char *game, const char *name)
{
    struct str path = STR_INIT;
    str_addf(&path, "%s/%s%s%s", files_of(store)->dir, game, name ? "/" : "", name ? name : "");
    return str_detach(&path);
}

static int files_games(struct store *store, struct file_names *names, struct err *err)
{
    return file_list(files_of(store)->dir, names, err);
}

static int files_stamp(struct store *store, int64_t *stamp, struct err *err)
{
    struct stat st;
    *stamp = 0;
    if (stat(files_of(store)->dir, &st))
        return errno == ENOENT ? 0 : err_sys(err, ERR_IO, "cannot look at %s", files_of(store)->dir);
    *stamp = (int64_t)st.st_mtim.tv_sec * 1000000000 + st.st_mtim.tv_nsec;
    return 0;
}

static bool files_has(struct store *store, const char *game)
{
    char *path = game_file(store, game, "journal.jsonl");
    struct stat st;
    /* One that cannot be examined counts as there: reading it will say what is wrong. */
    bool has = stat(path, &st) == 0 ? st.st_size > 0 : errno != ENOENT && errno != ENOTDIR;
    free(path);
    return has;
}

/* Sizes of a file of lines: up to the last line feed, and of all of it. */
struct extent {
    int64_t whole, size;
};

/* Reads a file of lines from an offset. */
static int read_lines(const char *path, int64_t from, struct str *lines, struct extent *extent,
                      struct err *err)
{
    int rc = -1;
    int fd;
    if (file_open(path, &fd, err))
        return -1;
    if (lseek(fd, (off_t)from, SEEK_SET) != (off_t)from) {
        err_sys(err, ERR_IO, "cannot seek in %s", path);
        goto out;
    }
    size_t start = lines->len;
    if (file_read_fd(fd, JOURNAL_MAX, lines, err)) {
        err_prefix(err, "%s", path);
        goto out;
    }
    extent->size = from + (int64_t)(lines->len - start);
    const char *last = lines->len > start ? memrchr(lines->p + start, '\n', lines->len - start) : NULL;
    str_cut(lines, last ? (size_t)(last - lines->p) + 1 : start);
    extent->whole = from + (int64_t)(lines->len - start);
    rc = 0;
out:
    close(fd);
    return rc;
}

static int files_read(struct store *store, const char *game, struct store_pos from, struct str *lines,
                      struct err *err)
{
    struct extent extent;
    char *path = game_file(store, game, "journal.jsonl");
    int rc = read_lines(path, from.hint, lines, &extent, err);
    free(path);
    return rc;
}

static int files_read_mending(struct store *store, const char *game, struct store_pos from, struct str *lines,
                              struct err *err)
{
    struct extent extent = {0, 0};
    char *path = game_file(store, game, "journal.jsonl");
    int rc = read_lines(path, from.hint, lines, &extent, err);
    if (rc == 0 && files_of(store)->mode == NOBODY_ELSE)
        rc = file_make_private(path, err);
    if (rc == 0 && extent.whole < extent.size)
        rc = file_truncate(path, extent.whole, err);
    free(path);
    return rc;
}

/* The first `most` bytes at this place, and fewer at the end; *count of them. */
static int read_at(const char *path, char *bytes, int64_t from, size_t most, size_t *count, struct err *err)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t got = fd >= 0 ? pread(fd, bytes, most, (off_t)from) : -1;
    int rc = 0;
    if (got < 0)
        rc = err_sys(err, errno == ENOENT ? ERR_MISSING : ERR_IO, "cannot read %s", path);
    *count = got > 0 ? (size_t)got : 0;
    if (fd >= 0)
        close(fd);
    return rc;
}

static int files_line(struct store *store, const char *game, struct store_pos from, struct str *line,
                      struct err *err)
{
    char bytes[RECORD_MAX];
    size_t count;
    char *path = game_file(store, game, "journal.jsonl");
    int rc = read_at(path, bytes, from.hint, sizeof bytes, &count, err);
    const char *end = count ? memchr(bytes, '\n', count) : NULL;
    if (end)
        str_add(line, bytes, (size_t)(end - bytes) + 1);
    free(path);
    return rc;
}

static int files_line_before(struct store *store, const char *game, struct store_pos end, struct str *line,
                             struct err *err)
{
    char bytes[RECORD_MAX];
    size_t most = end.hint < RECORD_MAX ? (size_t)end.hint : RECORD_MAX, count;
    char *path = game_file(store, game, "journal.jsonl");
    int rc = read_at(path, bytes, end.hint - (int64_t)most, most, &count, err);
    if (rc == 0 && count && count == most && bytes[most - 1] == '\n') {
        const char *before = memrchr(bytes, '\n', most - 1);
        const char *from = before ? before + 1 : bytes;
        str_add(line, from, (size_t)(bytes + most - from));
    }
    free(path);
    return rc;
}

static bool files_ends(struct store *store, const char *game, struct store_pos end)
{
    char *path = game_file(store, game, "journal.jsonl");
    bool ends = end.hint > 0 && file_size(path) == end.hint;
    free(path);
    return ends;
}

static int files_read_state(struct store *store, const char *game, struct str *state, struct err *err)
{
    char *path = game_file(store, game, "state.json");
    int rc = file_read(path, STATE_MAX, state, err);
    free(path);
    return rc;
}

static int files_write_state(struct store *store, const char *game, struct slice state, struct err *err)
{
    char *path = game_file(store, game, "state.json");
    int rc = file_overwrite(path, state, 0600, err); /* it is authenticated, and only a cache */
    free(path);
    return rc;
}

static int files_drop_state(struct store *store, const char *game, struct err *err)
{
    char *path = game_file(store, game, "state.json");
    int rc = file_remove(path, err);
    free(path);
    return rc;
}

/* A game without a record is none: its folder goes as well, unless more lies in it than its making can have left there. */
static int unmake(struct store *store, const char *game, struct err *err)
{
    char *dir = game_file(store, game, NULL);
    char *journal = game_file(store, game, "journal.jsonl"),
         *half = game_file(store, game, "journal.jsonl.tmp");
    int rc = file_remove(journal, err) || file_remove(half, err) ? -1 : 0;
    if (rc == 0)
        (void)rmdir(dir);
    free(dir);
    free(journal);
    free(half);
    return rc;
}

static int files_mend(struct store *store, const char *game, struct store_pos end, bool *cut, struct err *err)
{
    char *journal = game_file(store, game, "journal.jsonl");
    *cut = file_size(journal) > end.hint;
    int rc = 0;
    if (!end.hint)
        rc = unmake(store, game, err);
    else if (*cut)
        rc = file_truncate(journal, end.hint, err);
    free(journal);
    return rc;
}

static bool journal_fits(const struct file_end *end, int64_t length)
{
    return end->size == length;
}

static int files_append(struct store *store, const struct store_append *part, struct err *err)
{
    char *path = game_file(store, part->game, "journal.jsonl");
    bool fresh = part->after.hint == 0; /* a new game is there as a whole or not at all */
    struct file_condition condition = {
        .fits = journal_fits, .arg = part->after.hint, .fitted = fresh && file_size(path) <= 0};
    char *dir = fresh ? game_file(store, part->game, NULL) : NULL;
    int rc = fresh ? file_mkdirs(dir, 0700, err) : file_append_if(path, part->records, 0, &condition, err);
    if (rc == 0 && fresh && condition.fitted) {
        struct err ignored = ERR_INIT;
        rc = file_write_soft(path, part->records, files_of(store)->mode, err);
        if (rc)
            (void)unmake(store, part->game, &ignored);
    }
    if (rc == 0 && !condition.fitted)
        rc = err_set(err, ERR_STALE, "%s has changed while it was worked on", path);
    free(path);
    free(dir);
    return rc;
}

static int files_unappend(struct store *store, const struct store_append *part, struct err *err)
{
    char *path = game_file(store, part->game, "journal.jsonl");
    int rc = part->after.hint ? file_truncate(path, part->after.hint, err) : unmake(store, part->game, err);
    free(path);
    return rc;
}

static const char *files_folder(const struct store *store)
{
    return ((const struct files *)store)->dir;
}

static void files_close(struct store *store)
{
    free(files_of(store)->dir);
    free(store);
}

static const struct store_ops files_ops = {
    .close = files_close,
    .games = files_games,
    .stamp = files_stamp,
    .has = files_has,
    .read = files_read,
    .read_mending = files_read_mending,
    .line = files_line,
    .line_before = files_line_before,
    .ends = files_ends,
    .read_state = files_read_state,
    .write_state = files_write_state,
    .drop_state = files_drop_state,
    .append = files_append,
    .unappend = files_unappend,
    .mend = files_mend,
    .folder = files_folder,
};

static struct store *open_store(const char *dir, mode_t mode)
{
    struct files *files = mem_alloc(sizeof *files);
    files->store.ops = &files_ops;
    files->dir = mem_strdup(dir);
    files->mode = mode;
    return &files->store;
}

struct store *store_open(const char *dir)
{
    return open_store(dir, ALL_MAY_READ);
}

struct store *store_open_private(const char *dir)
{
    return open_store(dir, NOBODY_ELSE);
}
