#include "site/site_out.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/encode.h"
#include "base/file.h"
#include "base/mem.h"

#define FIRST_LINE "turnpost-site 1"
#define STATE_MOST ((size_t)256 << 20)
#define FILE_MOST  ((size_t)64 << 20)

/* ---- units ---- */

static void unit_release(struct site_unit *unit)
{
    free(unit->name);
    free(unit->paths);
}

static void units_release(struct site_units *units)
{
    for (size_t i = 0; i < units->count; i++)
        unit_release(&units->list[i]);
    free(units->list);
    *units = (struct site_units){NULL, 0, 0};
}

static struct site_unit *units_add(struct site_units *units)
{
    units->list = mem_grow(units->list, units->count, &units->cap, sizeof *units->list);
    struct site_unit *unit = &units->list[units->count++];
    memset(unit, 0, sizeof *unit);
    return unit;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(((const struct site_unit *)a)->name, ((const struct site_unit *)b)->name);
}

static struct site_unit *old_unit(const struct site_out *out, const char *name)
{
    const struct site_unit wanted = {.name = (char *)(uintptr_t)name};
    if (!out->old.count)
        return NULL;
    return bsearch(&wanted, out->old.list, out->old.count, sizeof wanted, by_name);
}

/* The next path of a unit; false after the last. */
static bool next_path(struct slice *rest, struct slice *path)
{
    if (!rest->len)
        return false;
    struct slice all = slice_sub(*rest, 1, rest->len);
    const char *end = all.len ? memchr(all.p, '\t', all.len) : NULL;
    *path = slice_sub(all, 0, end ? (size_t)(end - all.p) : all.len);
    *rest = slice_sub(all, path->len, all.len);
    return true;
}

/* ---- the state ---- */

static bool line_read(struct site_units *units, struct slice line)
{
    unsigned char key[SITE_KEY];
    const char *tab = line.len ? memchr(line.p, '\t', line.len) : NULL;
    struct slice head = slice_sub(line, 0, tab ? (size_t)(tab - line.p) : line.len);
    const size_t digits = (size_t)2 * SITE_KEY;
    if (head.len < digits + 2 || head.p[digits] != ' ' ||
        !hex_decode(key, SITE_KEY, slice_sub(head, 0, digits)))
        return false;
    struct site_unit *unit = units_add(units);
    memcpy(unit->key, key, SITE_KEY);
    unit->name = slice_dup(slice_sub(head, digits + 1, head.len));
    unit->paths = slice_dup(slice_sub(line, head.len, line.len));
    return true;
}

static void state_read(struct site_out *out)
{
    struct err ignored = ERR_INIT;
    struct str text = STR_INIT;
    struct slice rest, line;
    char *path = path_join(out->folder, SITE_STATE);
    bool good = file_exists(path) && file_read(path, STATE_MOST, &text, &ignored) == 0;
    rest = slice_str(&text);
    good = good && slice_line(&rest, &line) && slice_eq(line, FIRST_LINE);
    while (good && slice_line(&rest, &line))
        good = line_read(&out->old, line);
    if (!good)
        units_release(&out->old);
    if (out->old.count)
        qsort(out->old.list, out->old.count, sizeof *out->old.list, by_name);
    str_release(&text);
    free(path);
}

static int state_write(struct site_out *out, struct err *err)
{
    struct str text = STR_INIT;
    char *path = path_join(out->folder, SITE_STATE);
    str_adds(&text, FIRST_LINE "\n");
    for (size_t i = 0; i < out->now.count; i++) {
        const struct site_unit *unit = &out->now.list[i];
        hex_encode(&text, unit->key, SITE_KEY);
        str_addf(&text, " %s", unit->name);
        str_adds(&text, unit->paths);
        str_addc(&text, '\n');
    }
    int rc = file_write(path, slice_str(&text), 0600, err);
    str_release(&text);
    free(path);
    return rc;
}

int site_out_open(struct site_out *out, const char *folder, struct err *err)
{
    memset(out, 0, sizeof *out);
    out->lock = out->made = -1;
    if (file_mkdirs(folder, 0755, err))
        return -1;
    char *lock = path_join(folder, SITE_LOCK);
    int rc = file_lock(lock, &out->lock, err);
    free(lock);
    if (rc)
        return -1;
    out->index = json_object();
    out->folder = mem_strdup(folder);
    state_read(out);
    return 0;
}

bool site_out_is_page(const struct site_out *out)
{
    return out->old.count == 1 && strcmp(out->old.list[0].name, SITE_PAGE) == 0;
}

void site_out_release(struct site_out *out)
{
    units_release(&out->old);
    units_release(&out->now);
    json_decref(out->index);
    free(out->folder);
    if (out->made >= 0)
        close(out->made);
    if (out->lock >= 0)
        close(out->lock);
    memset(out, 0, sizeof *out);
}

/* ---- what is written ---- */

static bool all_there(const struct site_out *out, const struct site_unit *unit)
{
    struct slice rest = slice_of(unit->paths), path;
    struct str full = STR_INIT;
    bool there = true;
    while (!out->trusts && there && next_path(&rest, &path)) {
        str_clear(&full);
        str_addf(&full, "%s/%.*s", out->folder, (int)path.len, path.p);
        there = file_is_plain(full.p);
    }
    str_release(&full);
    return there;
}

static void add_now(struct site_out *out, const char *name, const unsigned char key[SITE_KEY],
                    const char *paths)
{
    struct site_unit *unit = units_add(&out->now);
    memcpy(unit->key, key, SITE_KEY);
    unit->name = mem_strdup(name);
    unit->paths = mem_strdup(paths);
    json_object_set_new(out->index, name, json_integer((json_int_t)out->now.count - 1));
}

static void keep(struct site_out *out, struct site_unit *old)
{
    add_now(out, old->name, old->key, old->paths);
    old->kept = true;
}

bool site_out_begin(struct site_out *out, const char *name, const unsigned char key[SITE_KEY])
{
    struct site_unit *old = old_unit(out, name);
    if (old && memcmp(old->key, key, SITE_KEY) == 0 && all_there(out, old)) {
        keep(out, old);
        return false;
    }
    site_out_renew(out, name, key);
    return true;
}

void site_out_renew(struct site_out *out, const char *name, const unsigned char key[SITE_KEY])
{
    add_now(out, name, key, "");
}

bool site_out_once(struct site_out *out, const char *name, const unsigned char key[SITE_KEY])
{
    struct site_unit *old = old_unit(out, name);
    if (!old || !*old->paths || !all_there(out, old))
        return site_out_begin(out, name, key);
    keep(out, old);
    return false;
}

void site_out_leave(struct site_out *out, const char *name)
{
    struct site_unit *old = old_unit(out, name);
    if (old)
        keep(out, old);
}

void site_out_drop(struct site_out *out)
{
    struct site_unit unit = out->now.list[--out->now.count];
    json_object_del(out->index, unit.name);
    site_out_leave(out, unit.name);
    unit_release(&unit);
}

static int make_folder(const char *path, struct err *err)
{
    const char *slash = strrchr(path, '/');
    char *folder = slice_dup((struct slice){path, (size_t)(slash - path)});
    int rc = file_exists(folder) ? 0 : file_mkdirs(folder, 0755, err);
    free(folder);
    return rc;
}

static bool is_same(const char *path, struct slice bytes)
{
    struct err ignored = ERR_INIT;
    struct str there = STR_INIT;
    bool same = file_size(path) == (int64_t)bytes.len && file_read(path, FILE_MOST, &there, &ignored) == 0 &&
                there.len == bytes.len && (bytes.len == 0 || memcmp(there.p, bytes.p, bytes.len) == 0);
    str_release(&there);
    return same;
}

/* Before a file is there that was not: its path is known whatever happens before the state is written. */
static int note_made(struct site_out *out, const char *path, struct err *err)
{
    struct str line = STR_INIT;
    char *made = path_join(out->folder, SITE_MADE);
    if (out->made < 0)
        out->made = open(made, O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW | O_CLOEXEC, 0600);
    str_addf(&line, "\n%s\n", path); /* apart from a line that a full disk has cut */
    int rc = 0;
    if (out->made < 0 || write(out->made, line.p, line.len) != (ssize_t)line.len)
        rc = err_sys(err, ERR_IO, "cannot write %s", made);
    str_release(&line);
    free(made);
    return rc;
}

int site_out_put(struct site_out *out, const char *path, struct slice bytes, struct err *err)
{
    struct site_unit *unit = &out->now.list[out->now.count - 1];
    size_t before = strlen(unit->paths), more = strlen(path);
    char *full = path_join(out->folder, path);
    int rc = 0;
    unit->paths = mem_resize(unit->paths, before + more + 2, 1);
    unit->paths[before] = '\t';
    memcpy(unit->paths + before + 1, path, more + 1);
    if (!is_same(full, bytes)) {
        rc = make_folder(full, err);
        if (rc == 0 && !file_exists(full))
            rc = note_made(out, path, err);
        if (rc == 0)
            rc = file_write_soft(full, bytes, 0644, err);
        out->written += rc == 0;
    }
    free(full);
    return rc;
}

static const struct site_unit *now_unit(const struct site_out *out, const char *name)
{
    const json_t *place = json_object_get(out->index, name);
    return place ? &out->now.list[json_integer_value(place)] : NULL;
}

bool site_out_has(const struct site_out *out, const char *name)
{
    return now_unit(out, name) != NULL;
}

bool site_out_had(const struct site_out *out, const char *name)
{
    return old_unit(out, name) != NULL;
}

bool site_out_kept(const struct site_out *out, const char *name)
{
    const struct site_unit *old = old_unit(out, name);
    return old && old->kept;
}

char *site_out_file(const struct site_out *out, const char *name)
{
    const struct site_unit *unit = now_unit(out, name);
    struct slice rest = unit ? slice_of(unit->paths) : (struct slice){NULL, 0}, path = {NULL, 0};
    (void)next_path(&rest, &path);
    return slice_dup(path);
}

char *site_out_last(const struct site_out *out, const char *name, const char *ending)
{
    const struct site_unit *unit = now_unit(out, name);
    struct slice rest = unit ? slice_of(unit->paths) : (struct slice){NULL, 0}, path, last = {NULL, 0};
    const size_t end = strlen(ending);
    while (next_path(&rest, &path))
        if (path.len > end && slice_eq(slice_sub(path, path.len - end, path.len), ending))
            last = path;
    return slice_dup(last);
}

/* ---- what is gone ---- */

static bool has_path(const struct site_unit *unit, struct slice wanted)
{
    struct slice rest = unit ? slice_of(unit->paths) : (struct slice){NULL, 0}, path;
    while (next_path(&rest, &path))
        if (path.len == wanted.len && memcmp(path.p, wanted.p, path.len) == 0)
            return true;
    return false;
}

static int remove_gone(struct site_out *out, const struct site_unit *old, struct err *err)
{
    const struct site_unit *now = now_unit(out, old->name);
    struct slice rest = slice_of(old->paths), path;
    struct str full = STR_INIT;
    int rc = 0;
    while (rc == 0 && next_path(&rest, &path)) {
        if (has_path(now, path) || slice_find(path, "..") != (size_t)-1 || *path.p == '/')
            continue;
        str_clear(&full);
        str_addf(&full, "%s/%.*s", out->folder, (int)path.len, path.p);
        if (!file_is_plain(full.p))
            continue;
        out->removed++;
        rc = file_remove(full.p, err);
    }
    str_release(&full);
    return rc;
}

/* What was made, now or before a crash, and belongs to nothing that is shown. */
static int remove_made(struct site_out *out, struct err *err)
{
    struct site_unit all = {.name = (char *)(uintptr_t) ""};
    struct str text = STR_INIT, paths = STR_INIT;
    struct slice rest, line;
    char *made = path_join(out->folder, SITE_MADE);
    int rc = file_exists(made) ? file_read(made, STATE_MOST, &text, err) : 0;
    json_t *shown = text.len ? json_object() : NULL;
    for (size_t i = 0; shown && i < out->now.count; i++)
        for (rest = slice_of(out->now.list[i].paths); next_path(&rest, &line);)
            json_object_setn_new(shown, line.p, line.len, json_true());
    rest = slice_str(&text);
    while (rc == 0 && slice_line(&rest, &line))
        if (line.len && !json_object_getn(shown, line.p, line.len))
            str_addf(&paths, "\t%.*s", (int)line.len, line.p);
    all.paths = paths.p;
    if (paths.len)
        rc = remove_gone(out, &all, err);
    json_decref(shown);
    str_release(&text);
    str_release(&paths);
    free(made);
    return rc;
}

static int forget_made(const struct site_out *out, struct err *err)
{
    char *made = path_join(out->folder, SITE_MADE);
    int rc = file_exists(made) ? file_remove(made, err) : 0;
    free(made);
    return rc;
}

int site_out_end(struct site_out *out, struct err *err)
{
    int rc = remove_made(out, err);
    size_t kept = 0;
    for (size_t i = 0; rc == 0 && i < out->old.count; i++) {
        kept += out->old.list[i].kept;
        if (!out->old.list[i].kept)
            rc = remove_gone(out, &out->old.list[i], err);
    }
    if (rc == 0 && (kept < out->old.count || kept < out->now.count)) /* else it is as the last time */
        rc = file_sync_all(out->folder, err) || state_write(out, err) ? -1 : 0;
    return rc ? rc : forget_made(out, err);
}
