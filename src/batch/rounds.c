#include "batch/rounds.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/log.h"
#include "base/mem.h"
#include "base/str.h"

#define HEAD      "turnpost rounds "
#define VERSION   "1"
#define ONLY_OURS 0600
#define SIZE_MOST ((size_t)1 << 20)

/* ---- writing ---- */

static void add_pause(void *arg, const struct catalog_pause *pause)
{
    str_addf(arg, "pause %" PRId64 " %" PRId64 " %s\n", pause->from, pause->to,
             pause->outage ? "outage" : "usual");
}

int rounds_write(struct catalog *catalog, const char *league_dir, struct err *err)
{
    struct catalog_clock clock;
    struct str text = STR_INIT;
    char *path = path_join(league_dir, ROUNDS_FILE);
    int rc = catalog_clock(catalog, &clock, err);
    if (rc == 0) {
        str_addf(&text, HEAD VERSION "\nround %" PRId64 " %" PRId64 " %" PRId64 "\n", clock.done, clock.usual,
                 clock.behind);
        rc = catalog_each_pause(catalog, add_pause, &text, err);
    }
    if (rc == 0)
        rc = file_write_soft(path, slice_str(&text), ONLY_OURS, err);
    free(path);
    str_release(&text);
    return rc;
}

/* ---- reading ---- */

static bool read_round(struct slice line, struct catalog_clock *clock)
{
    struct slice word;
    return slice_word(&line, &word) && slice_eq(word, "round") && slice_number(&line, &clock->done) &&
           slice_number(&line, &clock->usual) && slice_number(&line, &clock->behind) &&
           !slice_word(&line, &word);
}

static bool read_pause(struct slice line, struct catalog_pause *pause)
{
    struct slice word, more;
    if (!slice_word(&line, &word) || !slice_eq(word, "pause") || !slice_number(&line, &pause->from) ||
        !slice_number(&line, &pause->to) || !slice_word(&line, &word) || slice_word(&line, &more))
        return false;
    pause->outage = slice_eq(word, "outage");
    return pause->from < pause->to && (pause->outage || slice_eq(word, "usual"));
}

/* All of it, or nothing: half a file is damaged. */
static int put_all(struct catalog *catalog, struct slice text, bool *good, struct err *err)
{
    struct slice line, rest = text;
    struct catalog_clock clock = {0, 0, 0};
    struct catalog_pause pause;
    *good = text.len && text.p[text.len - 1] == '\n' && slice_line(&rest, &line) &&
            slice_line(&rest, &line) && read_round(line, &clock);
    for (struct slice lines = rest; *good && slice_line(&lines, &line);)
        *good = read_pause(line, &pause);
    if (!*good)
        return 0;
    int rc = catalog_set_clock(catalog, &clock, err);
    while (rc == 0 && slice_line(&rest, &line))
        rc = read_pause(line, &pause) ? catalog_put_pause(catalog, &pause, err) : 0;
    return rc;
}

static int put_text(struct catalog *catalog, const char *path, struct slice text, bool *good, struct err *err)
{
    struct slice rest = text, line = {NULL, 0};
    *good = false;
    if (!slice_line(&rest, &line) || !slice_starts(line, HEAD))
        return 0;
    if (!slice_eq(line, HEAD VERSION))
        return err_set(
            err, ERR_NEWER,
            "%s was made by a newer Turnpost: install that one again, or a later one; or, to go back "
            "for good, remove the file: the next run counts the time since the last record as an "
            "outage",
            path);
    return put_all(catalog, text, good, err);
}

int rounds_restore(struct catalog *catalog, const char *league_dir, bool *known, struct err *err)
{
    struct str text = STR_INIT;
    struct err why = ERR_INIT;
    char *path = path_join(league_dir, ROUNDS_FILE);
    int rc = 0;
    *known = false;
    if (file_read(path, SIZE_MOST, &text, &why) == 0)
        rc = put_text(catalog, path, slice_str(&text), known, err);
    else if (why.code != ERR_MISSING)
        log_warn("%s", why.text);
    if (rc == 0 && !*known && why.code != ERR_MISSING)
        log_warn("%s cannot be read: the time since the last record counts as an outage", path);
    free(path);
    str_release(&text);
    return rc;
}

void rounds_last(const char *league_dir, int64_t *done)
{
    struct str text = STR_INIT;
    struct err ignored = ERR_INIT; /* whoever needs the file is told (rounds_restore) */
    struct slice rest, line;
    struct catalog_clock clock = {0, 0, 0};
    char *path = path_join(league_dir, ROUNDS_FILE);
    *done = 0;
    if (file_read(path, SIZE_MOST, &text, &ignored) == 0) {
        rest = slice_str(&text);
        if (slice_line(&rest, &line) && slice_eq(line, HEAD VERSION) && slice_line(&rest, &line) &&
            read_round(line, &clock))
            *done = clock.done;
    }
    free(path);
    str_release(&text);
}
