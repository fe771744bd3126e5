#include "history/casefile.h"

#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/zone.h"
#include "base/encode.h"
#include "base/json.h"
#include "base/mem.h"
#include "game/record_kinds.h"

#define JOURNAL_MAX ((size_t)1 << 31)

int reader_parse(const char *text, struct reader *reader, struct err *err)
{
    *reader = (struct reader){READER_PUBLIC, 0};
    if (!text || strcmp(text, "public") == 0)
        return 0;
    if (strcmp(text, "moderator") == 0) {
        reader->kind = READER_MODERATOR;
        return 0;
    }
    const char *digits = str_starts(text, "seat") ? text + 4 + (text[4] == ' ' || text[4] == ':') : "";
    reader->kind = READER_SEAT;
    if (digits[0] < '1' || digits[0] > '0' + SEATS_MAX || digits[1])
        return err_set(err, ERR_INPUT, "--as takes public, moderator, or a seat (--as seat 2), not \"%s\"",
                       text);
    reader->seat = digits[0] - '0';
    return 0;
}

/* ---- opening ---- */

static char *journal_of(const char *path)
{
    char *inside = path_join(path, "journal.jsonl");
    if (file_is_plain(inside))
        return inside;
    free(inside);
    return mem_strdup(path);
}

bool casefile_is_path(const char *what)
{
    char *path = journal_of(what);
    bool is = strchr(what, '/') || file_is_plain(path);
    free(path);
    return is;
}

/* A crash, or a copy made during a write, leaves half a line at the end. */
static void cut_torn(struct str *lines, bool *torn)
{
    const char *last = lines->len ? memrchr(lines->p, '\n', lines->len) : NULL;
    size_t whole = last ? (size_t)(last - lines->p) + 1 : 0;
    *torn = whole < lines->len;
    str_cut(lines, whole);
}

/* After the key there may only be notes: appeals, and rulings on them. */
static bool ends_open(const struct str *lines)
{
    size_t end = lines->len;
    while (end) {
        struct err err = ERR_INIT;
        struct record record;
        size_t from = end - 1;
        while (from && lines->p[from - 1] != '\n')
            from--;
        if (record_parse(slice_sub(slice_str(lines), from, end - from), &record, &err))
            return false;
        bool open = strcmp(record.type, "open") == 0;
        bool note = strcmp(record.type, "note") == 0;
        record_release(&record);
        if (open || !note)
            return open;
        end = from;
    }
    return false;
}

/* Opens the boxes of all records. */
static void open_boxes(struct casefile *file, const unsigned char *master, const json_t *create,
                       const struct seal_openings *only)
{
    struct seal_keys keys = {.only = only};
    struct seal_promise promise;
    struct slice rest = slice_str(&file->lines), line;
    if (master && seal_promise_read(&promise, file->id, create))
        seal_keys_of(&keys, master, &promise);
    seal_keys_published(&keys, rest);
    file->keyed = keys.seals || only->count;
    while (file->keyed && slice_find_line(&rest, "\"box\":\"", &line)) {
        struct err ignored = ERR_INIT;
        json_t *record = json_read(line, "record", &ignored);
        sealed_open(&file->sealed, &keys, record);
        json_decref(record);
    }
    sodium_memzero(&keys, sizeof keys);
}

static int take_lines(struct casefile *file, const char *name, const unsigned char *master,
                      struct slice opened, struct err *err)
{
    struct record first;
    struct seal_openings only = {NULL, 0, 0};
    struct slice rest = slice_str(&file->lines);
    const char *end = rest.len ? memchr(rest.p, '\n', rest.len) : NULL;
    if (!end)
        return err_set(err, ERR_BROKEN, "%s holds no record", name);
    if (record_parse(slice_sub(rest, 0, (size_t)(end - rest.p) + 1), &first, err))
        return err_prefix(err, "%s, record 1", name);
    const char *key = json_string_value(json_object_get(first.json, "league_key"));
    if (!key || !hex_decode(file->key, sizeof file->key, slice_of(key))) {
        record_release(&first);
        return err_set(err, ERR_BROKEN, "%s: the first record names no key of a league", name);
    }
    memcpy(file->id, first.game, sizeof file->id);
    file->seats = (int)json_integer_value(json_object_get(first.json, "seats"));
    seal_openings_read(&only, file->id, opened);
    open_boxes(file, master, first.json, &only);
    record_release(&first);
    seal_openings_release(&only);
    file->opened = ends_open(&file->lines);
    casefile_rewind(file);
    return 0;
}

static void begin(struct casefile *file)
{
    memset(file, 0, sizeof *file);
    str_init(&file->lines);
}

int casefile_opened(const char *journal, struct str *lines, struct err *err)
{
    const char *base = strrchr(journal, '/');
    struct str path = STR_INIT;
    str_addf(&path, "%.*s" OPENED_NAME, base ? (int)(base - journal) + 1 : 0, journal);
    int rc = file_is_plain(path.p) ? file_read(path.p, JOURNAL_MAX, lines, err) : 0;
    str_release(&path);
    return rc;
}

int casefile_open(const char *path, const unsigned char *master, struct casefile *file, struct err *err)
{
    struct str opened = STR_INIT;
    char *journal = journal_of(path);
    begin(file);
    int rc = file_read(journal, JOURNAL_MAX, &file->lines, err);
    cut_torn(&file->lines, &file->torn);
    if (rc == 0)
        rc = casefile_opened(journal, &opened, err);
    if (rc == 0)
        rc = take_lines(file, journal, master, slice_str(&opened), err);
    if (rc)
        casefile_close(file);
    str_release(&opened);
    free(journal);
    return rc;
}

int casefile_open_game(struct store *store, const char *id, struct casefile *file, struct err *err)
{
    begin(file);
    if (!name_valid(slice_of(id)) || !store_has(store, id))
        return err_set(err, ERR_MISSING,
                       "\"%s\" is neither a game of this league nor a journal nor a folder that holds one",
                       name_valid(slice_of(id)) ? id : "?");
    int rc = store_read(store, id, STORE_BEGIN, &file->lines, err);
    if (rc == 0)
        rc = take_lines(file, id, store_master(store), (struct slice){NULL, 0}, err);
    if (rc)
        casefile_close(file);
    return rc;
}

int casefile_open_lines(struct slice journal, const unsigned char *master, struct casefile *file,
                        struct err *err)
{
    begin(file);
    str_addslice(&file->lines, journal);
    cut_torn(&file->lines, &file->torn);
    int rc = take_lines(file, "the journal", master, (struct slice){NULL, 0}, err);
    if (rc)
        casefile_close(file);
    return rc;
}

void casefile_close(struct casefile *file)
{
    str_release(&file->lines);
    sealed_set_release(&file->sealed);
    begin(file);
}

void casefile_zone(const struct casefile *file)
{
    struct err err = ERR_INIT, ignored = ERR_INIT;
    struct record first;
    const char *end = memchr(file->lines.p, '\n', file->lines.len);
    const char *zone = NULL;
    if (!end ||
        record_parse(slice_sub(slice_str(&file->lines), 0, (size_t)(end - file->lines.p) + 1), &first, &err))
        return;
    zone = json_string_value(json_object_get(json_object_get(first.json, "clock"), "zone"));
    if ((!zone || zone_set(zone, &err)) && zone_set("UTC", &ignored))
        err_clear(&ignored);
    record_release(&first);
}

/* ---- reading ---- */

void casefile_rewind(struct casefile *file)
{
    file->at = 0;
    file->seq = 0;
    memset(file->head, 0, sizeof file->head);
}

void casefile_known(struct casefile *file, const struct game *game)
{
    if (game->journal.length < (int64_t)file->lines.len) /* it has gone on meanwhile */
        str_cut(&file->lines, (size_t)game->journal.length);
    file->known = true;
    memcpy(file->last, game->head, HEAD_BYTES);
}

static int check_end(const struct casefile *file, struct err *err)
{
    return !file->known || memcmp(file->head, file->last, HEAD_BYTES) == 0
               ? 0
               : err_set(err, ERR_BROKEN, "%s: its journal is not the one that the league has written",
                         file->id);
}

int casefile_next(struct casefile *file, struct record *record, struct slice *line, struct err *err)
{
    struct slice rest = slice_sub(slice_str(&file->lines), file->at, file->lines.len);
    const char *end = rest.len ? memchr(rest.p, '\n', rest.len) : NULL;
    if (!end)
        return check_end(file, err);
    rest.len = (size_t)(end - rest.p) + 1;
    if (record_parse(rest, record, err))
        return err_prefix(err, "%s, record %lld", file->id, (long long)file->seq + 1);
    if (record_follows(record, &(struct record_place){file->id, file->seq + 1, file->head}, err)) {
        record_release(record);
        return err_prefix(err, "%s", file->id);
    }
    if (line)
        *line = rest;
    file->at += rest.len;
    file->seq++;
    memcpy(file->head, record->head, HEAD_BYTES);
    if (file->seq == 1)
        memcpy(file->create, record->head, HEAD_BYTES);
    return 1;
}

static bool holds(const struct casefile *file, int64_t seq, int seat, int item)
{
    for (size_t i = 0; i < file->sealed.count; i++) {
        const struct sealed *one = &file->sealed.list[i];
        if (one->seq == seq && one->seat == seat && one->item == item)
            return true;
    }
    return false;
}

bool casefile_lacks(const struct casefile *file, const struct record *record)
{
    size_t hidden = json_array_size(json_object_get(record->json, "hidden"));
    for (size_t i = 0; i < hidden; i++)
        if (!holds(file, record->seq, 0, SEAL_HIDDEN + (int)i))
            return true;
    int item = record_sealed_item(record);
    return item >= 0 &&
           !holds(file, record->seq, (int)json_integer_value(json_object_get(record->json, "seat")), item);
}

int casefile_choose(struct casefile *file, const struct reader *reader, bool told, struct err *err)
{
    size_t kept = 0;
    if (reader->kind == READER_SEAT && (reader->seat < 1 || reader->seat > file->seats))
        return err_set(err, ERR_INPUT, "%s has seats 1 to %d", file->id, file->seats);
    if ((told || reader->kind == READER_MODERATOR) && !file->keyed)
        return err_set(err, ERR_INPUT,
                       "%s: %s needs the key to its boxes, which until the game is over only the league has",
                       file->id, told ? "what the reports told" : "--as moderator");
    for (size_t i = 0; i < file->sealed.count; i++) {
        struct sealed *one = &file->sealed.list[i];
        bool press = one->item == SEAL_PRESS && reader->kind != READER_PUBLIC;
        bool private = seal_is_private(one->item) && reader->kind != READER_MODERATOR;
        if (told || press || (!private && casefile_open_to(file, reader, one->seat)))
            file->sealed.list[kept++] = *one;
        else
            sealed_release(one);
    }
    file->sealed.count = kept;
    return 0;
}

bool casefile_open_to(const struct casefile *file, const struct reader *reader, int seat)
{
    return file->opened || reader->kind == READER_MODERATOR ||
           (reader->kind == READER_SEAT && seat && reader->seat == seat);
}
