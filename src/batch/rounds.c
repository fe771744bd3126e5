#include "batch/rounds.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/date.h"
#include "base/file.h"
#include "base/log.h"
#include "base/mem.h"
#include "base/str.h"
#include "base/utf8.h"

#define HEAD      "turnpost rounds "
#define VERSION   "3"
#define END       "end\n"
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
        str_addf(&text, HEAD VERSION "\nround %" PRId64 " %" PRId64 " %" PRId64 " %" PRId64 "\n", clock.done,
                 clock.usual, clock.rhythm, clock.waits);
        if (clock.deaf)
            str_addf(&text, "deaf %" PRId64 " %" PRId64 " %s\n", clock.deaf, clock.tried, clock.why);
        rc = catalog_each_pause(catalog, add_pause, &text, err);
        str_adds(&text, END);
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
           slice_number(&line, &clock->usual) && slice_number(&line, &clock->rhythm) &&
           slice_number(&line, &clock->waits) && !slice_word(&line, &word);
}

static bool read_deaf(struct slice line, struct catalog_clock *clock)
{
    struct slice word;
    if (!slice_word(&line, &word) || !slice_eq(word, "deaf") || !slice_number(&line, &clock->deaf) ||
        !slice_number(&line, &clock->tried))
        return false;
    line = slice_trim(line);
    (void)snprintf(clock->why, sizeof clock->why, "%.*s", (int)utf8_start(line, sizeof clock->why - 1).len,
                   line.p);
    return true;
}

static bool read_pause(struct slice line, struct pause *pause)
{
    struct slice word, more;
    if (!slice_word(&line, &word) || !slice_eq(word, "pause") || !slice_number(&line, &pause->from) ||
        !slice_number(&line, &pause->to) || !slice_word(&line, &word) || slice_word(&line, &more))
        return false;
    pause->outage = slice_eq(word, "outage");
    return pause->from < pause->to && (pause->outage || slice_eq(word, "usual"));
}

/* All of it, or nothing, because half a file counts as damaged. */
static bool read_lines(struct slice text, struct rounds_known *rounds)
{
    struct slice line, rest = text;
    struct pause pause;
    size_t end = strlen(END), cap = 0;
    if (!slice_line(&rest, &line) || !slice_eq(line, HEAD VERSION) || rest.len < end ||
        !slice_eq(slice_sub(rest, rest.len - end, rest.len), END))
        return false;
    rest.len -= end;
    if (!slice_line(&rest, &line) || !read_round(line, &rounds->clock))
        return false;
    if (slice_starts(rest, "deaf ") && (!slice_line(&rest, &line) || !read_deaf(line, &rounds->clock)))
        return false;
    while (slice_line(&rest, &line)) {
        if (!read_pause(line, &pause))
            return false;
        rounds->pauses = mem_grow(rounds->pauses, rounds->count, &cap, sizeof *rounds->pauses);
        rounds->pauses[rounds->count++] = pause;
    }
    return true;
}

/* What the file says; `rounds` is empty unless *known. *there is false when there is no file. */
static int read_known(const char *league_dir, struct rounds_known *rounds, bool *known, bool *there,
                      struct err *err)
{
    struct err why = ERR_INIT;
    struct str text = STR_INIT;
    char *path = path_join(league_dir, ROUNDS_FILE);
    int rc = 0;
    *rounds = (struct rounds_known){.pauses = NULL};
    *there = file_read(path, SIZE_MOST, &text, &why) == 0 || why.code != ERR_MISSING;
    struct slice rest = slice_str(&text), line = {NULL, 0};
    if (why.code && *there)
        log_warn("%s", why.text);
    else if (slice_line(&rest, &line) && slice_starts(line, HEAD) && !slice_eq(line, HEAD VERSION) &&
             line.len > strlen(HEAD) && rest.p > text.p && rest.p[-1] == '\n')
        rc = err_set(err, ERR_NEWER,
                     "%s was made by a newer Turnpost: install that one again, or a later one; or, to go "
                     "back for good, remove the file: if the catalog is lost as well, the next run counts "
                     "the time since the last record as an outage",
                     path);
    *known = rc == 0 && read_lines(slice_str(&text), rounds);
    if (!*known)
        rounds_release(rounds);
    str_release(&text);
    free(path);
    return rc;
}

void rounds_release(struct rounds_known *rounds)
{
    free(rounds->pauses);
    *rounds = (struct rounds_known){.pauses = NULL};
}

int rounds_restore(struct catalog *catalog, const char *league_dir, bool *known, struct err *err)
{
    struct rounds_known rounds;
    bool there;
    int rc = read_known(league_dir, &rounds, known, &there, err);
    if (*known)
        rc = catalog_set_clock(catalog, &rounds.clock, err);
    else if (rc == 0 && there)
        log_warn("%s/" ROUNDS_FILE " is damaged: the time since the last record counts as an outage",
                 league_dir);
    for (size_t i = 0; rc == 0 && i < rounds.count; i++) {
        const struct pause *pause = &rounds.pauses[i];
        rc = catalog_put_pause(catalog, &(struct catalog_pause){pause->from, pause->to, pause->outage}, err);
    }
    rounds_release(&rounds);
    return rc;
}

int64_t rounds_shaken(const struct pause *pause, int64_t now)
{
    bool shakes = pause->outage && pause->to - pause->from > DAY_SECONDS && pause->to + DAY_SECONDS > now;
    return shakes ? pause->to + DAY_SECONDS : 0;
}

int64_t rounds_shaken_by(const char *league_dir, int64_t now)
{
    struct rounds_known rounds;
    struct err ignored = ERR_INIT; /* who works says what is wrong with it */
    bool known, there;
    int64_t until = 0;
    (void)!read_known(league_dir, &rounds, &known, &there, &ignored);
    for (size_t i = 0; i < rounds.count; i++) {
        const int64_t one = rounds_shaken(&rounds.pauses[i], now);
        until = one > until ? one : until;
    }
    rounds_release(&rounds);
    return until;
}

int rounds_last(const char *league_dir, int64_t *done, struct err *err)
{
    struct rounds_known rounds;
    bool known, there;
    int rc = read_known(league_dir, &rounds, &known, &there, err);
    *done = rounds.clock.done;
    rounds_release(&rounds);
    return rc;
}

int rounds_read(const char *league_dir, struct rounds_known *rounds, bool *known, struct err *err)
{
    bool there;
    int rc = read_known(league_dir, rounds, known, &there, err);
    if (!*known && rc == 0 && there)
        log_warn("%s/" ROUNDS_FILE " is damaged", league_dir);
    return rc;
}
