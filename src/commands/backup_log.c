#include "commands/backup_log.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/mem.h"

#define LOG_FILE   "backups"
#define TRIED_FILE "tried"
#define LOG_MOST   ((size_t)1 << 20)
#define LINES_MOST 50

static size_t count_lines(struct slice text)
{
    struct slice line;
    size_t count = 0;
    while (slice_line(&text, &line))
        count++;
    return count;
}

/* A file that is not there is empty. */
static int read_log(const char *path, struct str *text, struct err *err)
{
    return file_exists(path) ? file_read(path, LOG_MOST, text, err) : 0;
}

int backup_log_note(const char *league, const char *backup, int64_t now, struct err *err)
{
    struct str text = STR_INIT, all = STR_INIT;
    char when[CLOCK_TEXT];
    char *path = path_join(league, LOG_FILE);
    char *real = realpath(backup, NULL);
    int rc = read_log(path, &text, err);
    struct slice rest = slice_str(&text), line;
    for (size_t left = count_lines(rest); slice_line(&rest, &line); left--)
        if (left < LINES_MOST)
            str_addf(&all, "%.*s\n", (int)line.len, line.p);
    clock_utc(when, now);
    str_addf(&all, "%s %s\n", when, real ? real : backup);
    if (rc == 0)
        rc = file_write(path, slice_str(&all), 0600, err);
    str_release(&text);
    str_release(&all);
    free(real);
    free(path);
    return rc;
}

static int write_time(const char *backup, const char *name, int64_t now, struct err *err)
{
    char when[CLOCK_TEXT];
    char *path = path_join(backup, name);
    clock_utc(when, now);
    int rc = file_write(path, slice_of(when), 0600, err);
    free(path);
    return rc;
}

int backup_log_tried(const char *backup, int64_t now, struct err *err)
{
    return write_time(backup, TRIED_FILE, now, err);
}

/* 0 = never, or it is not there any more. */
static int64_t read_time(const char *backup, const char *name)
{
    struct str text = STR_INIT;
    struct err ignored = ERR_INIT;
    int64_t time = 0;
    char *path = path_join(backup, name);
    if (!file_exists(path) || file_read(path, LOG_MOST, &text, &ignored) ||
        !clock_parse(slice_trim(slice_str(&text)), &time))
        time = 0;
    str_release(&text);
    free(path);
    return time;
}

static void take_line(struct slice line, struct backup_times *times)
{
    struct slice word;
    int64_t time;
    if (!slice_word(&line, &word) || !clock_parse(word, &time))
        return;
    free(times->path);
    times->path = slice_dup(slice_trim(line));
    times->first = times->first ? times->first : time;
    times->last = time;
    int64_t of_this = read_time(times->path, TRIED_FILE);
    if (of_this > times->tried)
        times->tried = of_this;
}

int backup_log_read(const char *league, struct backup_times *times, struct err *err)
{
    struct str text = STR_INIT;
    char *path = path_join(league, LOG_FILE);
    *times = (struct backup_times){.path = NULL};
    int rc = read_log(path, &text, err);
    struct slice rest = slice_str(&text), line;
    while (rc == 0 && slice_line(&rest, &line))
        take_line(line, times);
    str_release(&text);
    free(path);
    return rc;
}
