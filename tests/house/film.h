/* A game as the lines of its two files, to be cut, swapped, edited, and signed again by the league's own key.
 */
#ifndef TESTS_HOUSE_FILM_H
#define TESTS_HOUSE_FILM_H

#include "base/clock.h"
#include "base/json.h"
#include "base/mem.h"
#include "house/audited.h"
#include "house/house.h"

#define FILM_LINES 600

struct film {
    char *line[FILM_LINES]; /* with their line feeds, [0..records) */
    size_t records;
    unsigned char master[32]; /* opens its boxes */
    struct secret key;        /* the league's */
};

static inline size_t film_split(struct slice text, char **lines)
{
    size_t count = 0;
    struct slice line;
    const char *from = text.p;
    while (slice_line(&text, &line)) {
        ck_assert_uint_lt(count, FILM_LINES);
        lines[count++] = mem_strndup(from, line.len + 1);
        from += line.len + 1;
    }
    return count;
}

static inline void film_of(struct film *film, struct slice journal, const unsigned char master[32])
{
    film->records = film_split(journal, film->line);
    memcpy(film->master, master, sizeof film->master);
}

/* The caller drops it with film_drop. */
static inline void film_copy(struct film *to, const struct film *from)
{
    *to = *from;
    for (size_t i = 0; i < from->records; i++)
        to->line[i] = mem_strdup(from->line[i]);
}

static inline void film_drop(struct film *film)
{
    for (size_t i = 0; i < film->records; i++)
        free(film->line[i]);
    film->records = 0;
}

static inline void film_delete(char **lines, size_t *count, size_t at)
{
    free(lines[at]);
    memmove(lines + at, lines + at + 1, (*count - at - 1) * sizeof *lines);
    (*count)--;
}

static inline void film_insert(char **lines, size_t *count, size_t at, const char *line)
{
    ck_assert_uint_lt(*count, FILM_LINES);
    memmove(lines + at + 1, lines + at, (*count - at) * sizeof *lines);
    lines[at] = mem_strdup(line);
    (*count)++;
}

static inline void film_swap(char **lines, size_t one, size_t two)
{
    char *line = lines[one];
    lines[one] = lines[two];
    lines[two] = line;
}

static inline json_t *film_json(const char *line)
{
    struct err err = ERR_INIT;
    json_t *json = json_read(slice_trim(slice_of(line)), "line", &err);
    ck_assert_msg(json != NULL, "%s", err.text);
    return json;
}

/* Puts `json` in place of record `at` and signs it and all that follow again: numbers and chain are as
 * they must be, times and types as they were. `json` is taken over; NULL: as it was. */
static inline void film_sign(struct film *film, size_t at, json_t *json)
{
    static const char *const common[] = {"game", "seq", "prev", "type", "time"};
    unsigned char head[HEAD_BYTES] = {0};
    if (at)
        record_head(head, slice_of(film->line[at - 1]));
    for (size_t i = at; i < film->records; i++) {
        struct str line = STR_INIT;
        int64_t time;
        char type[20], game[GAME_NAME];
        json_t *fields = i == at && json ? json : film_json(film->line[i]);
        ck_assert(clock_parse(slice_of(json_string_value(json_object_get(fields, "time"))), &time));
        (void)snprintf(type, sizeof type, "%s", json_string_value(json_object_get(fields, "type")));
        (void)snprintf(game, sizeof game, "%s", json_string_value(json_object_get(fields, "game")));
        for (size_t k = 0; k < sizeof common / sizeof *common; k++)
            (void)json_object_del(fields, common[k]);
        unsigned char prev[HEAD_BYTES];
        memcpy(prev, head, sizeof prev);
        record_write(&line, &(struct record_text){{game, (int64_t)i + 1, prev}, type, time, fields}, head);
        free(film->line[i]);
        film->line[i] = str_detach(&line);
        json_decref(fields);
    }
}

static inline void film_join(char *const *lines, size_t count, struct str *out)
{
    str_clear(out);
    for (size_t i = 0; i < count; i++)
        str_adds(out, lines[i]);
}

static inline void film_tell(void *arg, const struct audit_finding *finding)
{
    if (arg)
        json_array_append_new(arg, audit_finding_json(finding));
}

/* What the audit says; `told` gets all findings (may be NULL). */
static inline void film_audit(const struct film *film, enum audit_view view, int seat, bool keyed,
                              struct audit_result *result, json_t *told)
{
    struct err err = ERR_INIT;
    struct str journal = STR_INIT;
    struct lines one;
    struct audit audit;
    film_join(film->line, film->records, &journal);
    lines_memory(&one, slice_str(&journal));
    audit_init(&audit, &one);
    audit.master = keyed ? film->master : NULL;
    audit.view = view;
    audit.seat = seat;
    audit.found = film_tell;
    audit.arg = told;
    ck_ok(audit_run(&audit, result, &err), err);
    str_release(&journal);
}

#endif
