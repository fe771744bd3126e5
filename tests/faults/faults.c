/* The fault hook, linked only into turnpost-fault (Makefile, FAULT_CALLS): every call that changes something
 * outside the process gets a number, and one of them can be made the last, or made to fail.
 *
 *   TURNPOST_FAULT=count:FILE     appends the number of points to FILE at the end
 *   TURNPOST_FAULT=writes:FILE    appends a line "N BYTES" to FILE for each point that is a write
 *   TURNPOST_FAULT=calls:FILE     appends a line "N NAME" to FILE for each point
 *   TURNPOST_FAULT=kill:N         SIGKILL instead of call N
 *   TURNPOST_FAULT=torn:N:PART    as kill; when call N is a write, so many thousandths of its bytes are
 *                                 written first, and at least one (500 if PART is not given)
 *   TURNPOST_FAULT=text:PART:WORDS  as torn, at the first write that holds these words
 *   TURNPOST_FAULT=fail:N:ERRNO   call N fails with this number (28 ENOSPC, 5 EIO, 4 EINTR); others work
 *   TURNPOST_FAULT=short:N        call N, if a write, writes one byte only
 *   TURNPOST_FAULT=nomem:N        allocation N (counted apart) finds no memory
 *   TURNPOST_FAULT=allocs:FILE    appends the number of allocations to FILE at the end
 */
#include <curl/curl.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <sqlite3.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cluster/pg.h"

enum mode {
    MODE_NONE,
    MODE_COUNT,
    MODE_WRITES,
    MODE_CALLS,
    MODE_KILL,
    MODE_TORN,
    MODE_TEXT,
    MODE_FAIL,
    MODE_SHORT,
    MODE_NOMEM,
    MODE_ALLOCS
};

static enum mode mode;
static long chosen;
static int fail_with;     /* MODE_FAIL: the errno */
static size_t part;       /* MODE_TORN, MODE_TEXT: thousandths */
static const char *words; /* MODE_TEXT */
static FILE *count_file;
static FILE *writes; /* MODE_WRITES, MODE_CALLS */
static long allocations;
static long points; /* sends run in several threads: numbered atomically */

static void say_count(void)
{
    if (mode == MODE_COUNT || mode == MODE_ALLOCS)
        (void)fprintf(count_file, "%ld\n", mode == MODE_ALLOCS ? allocations : points);
}

/* The process that works is the child (commands/apart.h): it goes on with the numbers. */
static void forked(void)
{
    mode = MODE_NONE;
    writes = NULL;
}

__attribute__((constructor)) static void read_wish(void)
{
    const char *wish = getenv("TURNPOST_FAULT");
    char *end = NULL;
    if (!wish)
        return;
    const char *value = strchr(wish, ':');
    if (!value)
        return;
    value++;
    if (strncmp(wish, "count:", 6) == 0 || strncmp(wish, "allocs:", 7) == 0) {
        mode = *wish == 'c' ? MODE_COUNT : MODE_ALLOCS;
        count_file = fopen(value, "a"); /* now: the one that works can open nothing outside of the league */
        if (!count_file)
            abort();
        (void)atexit(say_count);
        (void)pthread_atfork(NULL, forked, NULL);
        return;
    }
    if (strncmp(wish, "writes:", 7) == 0 || strncmp(wish, "calls:", 6) == 0) {
        mode = *wish == 'w' ? MODE_WRITES : MODE_CALLS;
        writes = fopen(value, "a");
        if (!writes)
            abort();
        (void)setvbuf(writes, NULL, _IOLBF, 0);
        (void)pthread_atfork(NULL, forked, NULL);
        return;
    }
    if (strncmp(wish, "text:", 5) == 0) {
        mode = MODE_TEXT;
        part = strtoul(value, &end, 10);
        words = end + (*end == ':');
        (void)pthread_atfork(NULL, forked, NULL);
        return;
    }
    mode = strncmp(wish, "kill:", 5) == 0    ? MODE_KILL
           : strncmp(wish, "torn:", 5) == 0  ? MODE_TORN
           : strncmp(wish, "fail:", 5) == 0  ? MODE_FAIL
           : strncmp(wish, "short:", 6) == 0 ? MODE_SHORT
           : strncmp(wish, "nomem:", 6) == 0 ? MODE_NOMEM
                                             : MODE_NONE;
    (void)pthread_atfork(NULL, forked, NULL);
    chosen = strtol(value, &end, 10);
    fail_with = *end == ':' ? (int)strtol(end + 1, NULL, 10) : EIO;
    part = *end == ':' ? strtoul(end + 1, NULL, 10) : 500;
}

/* True when this call must fail; does not return when it must kill. */
static bool point(const char *name)
{
    long number = __atomic_add_fetch(&points, 1, __ATOMIC_SEQ_CST);
    if (mode == MODE_CALLS && writes)
        (void)fprintf(writes, "%ld %s\n", number, name);
    if (number != chosen || mode == MODE_NOMEM)
        return false;
    if (mode == MODE_KILL || mode == MODE_TORN)
        (void)kill(getpid(), SIGKILL);
    if (mode == MODE_FAIL)
        errno = fail_with;
    return mode == MODE_FAIL;
}

static bool is_next(void)
{
    return __atomic_load_n(&points, __ATOMIC_SEQ_CST) + 1 == chosen;
}

static size_t torn_length(size_t len)
{
    size_t torn = (size_t)((double)len * (double)part / 1000);
    return torn < 1 ? 1 : torn >= len ? len - 1 : torn;
}

ssize_t __real_write(int fd, const void *bytes, size_t len);
ssize_t __wrap_write(int fd, const void *bytes, size_t len);
ssize_t __wrap_write(int fd, const void *bytes, size_t len)
{
    if (fd <= STDERR_FILENO)
        return __real_write(fd, bytes, len);
    if (mode == MODE_TORN && is_next() && len > 1)
        (void)!__real_write(fd, bytes, torn_length(len));
    if (mode == MODE_TEXT && len > 1 && memmem(bytes, len, words, strlen(words))) {
        (void)!__real_write(fd, bytes, torn_length(len));
        (void)kill(getpid(), SIGKILL);
    }
    if (mode == MODE_SHORT && is_next() && len > 1)
        len = 1;
    if (writes && mode == MODE_WRITES)
        (void)fprintf(writes, "%ld %zu\n", __atomic_load_n(&points, __ATOMIC_SEQ_CST) + 1, len);
    return point("write") ? -1 : __real_write(fd, bytes, len);
}

#define WRAP(type, name, params, args, failed)               \
    type __real_##name params;                               \
    type __wrap_##name params;                               \
    type __wrap_##name params                                \
    {                                                        \
        return point(#name) ? (failed) : __real_##name args; \
    }

static bool no_memory(void)
{
    return __atomic_add_fetch(&allocations, 1, __ATOMIC_SEQ_CST) == chosen && mode == MODE_NOMEM;
}

void *__real_calloc(size_t count, size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_calloc(size_t count, size_t size)
{
    return no_memory() ? NULL : __real_calloc(count, size);
}

void *__real_realloc(void *old, size_t size);
void *__wrap_realloc(void *old, size_t size);
void *__wrap_realloc(void *old, size_t size)
{
    return no_memory() ? NULL : __real_realloc(old, size);
}

WRAP(ssize_t, pwrite, (int fd, const void *bytes, size_t len, off_t at), (fd, bytes, len, at), -1)
WRAP(int, fsync, (int fd), (fd), -1)
WRAP(int, fdatasync, (int fd), (fd), -1)
WRAP(int, syncfs, (int fd), (fd), -1)
WRAP(int, rename, (const char *from, const char *to), (from, to), -1)
WRAP(int, link, (const char *from, const char *to), (from, to), -1)
WRAP(int, unlink, (const char *path), (path), -1)
WRAP(int, ftruncate, (int fd, off_t len), (fd, len), -1)
WRAP(int, mkdir, (const char *path, mode_t bits), (path, bits), -1)
WRAP(int, sqlite3_step, (sqlite3_stmt * statement), (statement), SQLITE_IOERR)
WRAP(CURLcode, curl_easy_send, (CURL * curl, const void *bytes, size_t len, size_t *sent),
     (curl, bytes, len, sent), CURLE_SEND_ERROR)
#undef curl_easy_perform
WRAP(CURLcode, curl_easy_perform, (CURL * curl), (curl), CURLE_SEND_ERROR)

/* What is kept in PostgreSQL has its syncs there: a commit is what is sent, and waited for. Not those of the thread that
 * renews the lease by the clock, or points would have another number each time. */
enum pg_fate __real_pg_wait(struct pg *pg, struct err *err);
enum pg_fate __wrap_pg_wait(struct pg *pg, struct err *err);
enum pg_fate __wrap_pg_wait(struct pg *pg, struct err *err)
{
    if (gettid() != getpid() || !point("pg_wait"))
        return __real_pg_wait(pg, err);
    err_set(err, ERR_TEMP, "the database: made to fail");
    return PG_LOST;
}
