#include "league/registry_asked.h"

#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "league/registry_compact.h"
#include "league/registry_sealing.h"
#include "orders/frame.h"

struct asked {
    const struct registry_log *log;
    const struct registry *registry;
    const char *player;
    json_t *list;
};

static void add_address(struct asked *asked, struct slice value)
{
    char *address = slice_dup(value);
    const struct player *owner = registry_by_address(asked->registry, address);
    if (strchr(address, '@') && (!owner || strcmp(owner->name, asked->player) == 0))
        json_array_append_new(asked->list, json_text(value));
    free(address);
}

static void read_text(struct asked *asked, const json_t *text)
{
    static const char *const lines[] = {"address", "second"};
    const char *words = json_string_value(text);
    struct slice value;
    for (size_t i = 0; words && i < sizeof lines / sizeof *lines; i++)
        if (frame_line(slice_of(words), lines[i], &value))
            add_address(asked, value);
}

/* One of the player's records. */
static int read_record(struct asked *asked, struct slice line, struct err *err)
{
    struct record record;
    struct err ignored = ERR_INIT; /* a key that is lost or damaged: doctor tells */
    bool erased = false;
    if (record_parse(line, &record, err))
        return -1;
    const char *whose = json_string_value(json_object_get(record.json, "player"));
    if (whose && strcmp(whose, asked->player) == 0 &&
        registry_unseal(asked->log->dir, record.json, &erased, &ignored) == 0 && !erased) {
        read_text(asked, json_object_get(json_object_get(record.json, "signed"), "text"));
        read_text(asked, json_object_get(record.json, "said"));
    }
    record_release(&record);
    return 0;
}

static int read_lines(struct asked *asked, struct slice lines, struct err *err)
{
    struct str mark = STR_INIT;
    struct slice line;
    int rc = 0;
    str_addf(&mark, "\"player\":\"%s\"", asked->player);
    while (rc == 0 && lines.len) {
        const char *from = lines.p;
        if (!slice_line(&lines, &line))
            break;
        if (slice_find(line, mark.p) != (size_t)-1)
            rc = read_record(asked, (struct slice){from, (size_t)(lines.p - from)}, err);
    }
    str_release(&mark);
    return rc;
}

/* The number of the first record. */
static int first_of(struct slice lines, int64_t *first, struct err *err)
{
    struct record record;
    struct slice rest = lines, line;
    if (!slice_line(&rest, &line) ||
        record_parse(slice_sub(lines, 0, (size_t)(rest.p - lines.p)), &record, err))
        return -1;
    *first = record.seq;
    record_release(&record);
    return 0;
}

/* The journal before it was compacted, and the one before that, as far as they are still there. */
static int read_archives(struct asked *asked, struct err *err)
{
    struct str lines = STR_INIT;
    struct err why = ERR_INIT;
    int64_t last = asked->log->base, first = 1;
    int rc = 0;
    while (rc == 0 && last > 0) {
        str_clear(&lines);
        if (registry_archive_read(asked->log, last, 0, &lines, &why))
            break;
        rc = read_lines(asked, slice_str(&lines), err) || first_of(slice_str(&lines), &first, err) ? -1 : 0;
        last = first - 1;
    }
    str_release(&lines);
    if (why.code && why.code != ERR_MISSING) {
        *err = why;
        return -1;
    }
    return rc;
}

json_t *registry_asked(const struct registry_log *log, const struct registry *registry, const char *player,
                       struct err *err)
{
    struct asked asked = {log, registry, player, json_array()};
    struct str lines = STR_INIT;
    int rc = store_has(log->store, REGISTRY_GAME)
                 ? store_read(log->store, REGISTRY_GAME, STORE_BEGIN, &lines, err)
                 : 0;
    if (rc == 0)
        rc = read_lines(&asked, slice_str(&lines), err);
    if (rc == 0)
        rc = read_lines(&asked, slice_str(&log->records), err);
    if (rc == 0)
        rc = read_archives(&asked, err);
    str_release(&lines);
    if (rc) {
        json_decref(asked.list);
        return NULL;
    }
    return asked.list;
}
