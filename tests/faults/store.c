/* A store of several hosts that is broken, linked only into turnpost-fault (Makefile, FAULT_CALLS): what the judge of tests/e2e/cluster.py has to
 * find. It changes the queries on their way to the database (cluster/ship.c, cluster/lease.c).
 *
 *   TURNPOST_BROKEN=fence   whoever had the lease once may commit
 *   TURNPOST_BROKEN=id      no commit leaves its id, so one whose answer was lost is sent again
 *   TURNPOST_BROKEN=clock   each host works by its own clock
 *
 * All also append to a file wherever it ends, and leave no mark for the other hosts when one finds its commits gone: the store's second
 * barriers, which would hold them. */
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/str.h"
#include "cluster/pg.h"

struct change {
    const char *breaks, *from, *to; /* breaks NULL: in any case */
};
static const struct change changes[] = {
    {"fence", " AND fence = $1 AND seq = $2 - 1", ""},
    {"fence", " AND fence = $2 AND seq = $3", " AND $2 > 0 AND $3 > 0"},
    {"fence", " AND fence = $1", ""},
    {"id", " AND seq = $2 - 1", ""},
    {"id",
     "INSERT INTO @done(id, seq, at) VALUES($1, (SELECT seq FROM @league WHERE id = 1 AND fence = $2 AND seq "
     "= $3), now())",
     "SELECT 1"},
    {NULL, "SELECT f.body, t.at, t.bytes FROM", "SELECT f.body, f.size, t.bytes FROM"},
    {NULL, " AND f.size = t.at", ""},
    {NULL, "SET closed = 'lost', closer = $1", "SET closer = $1"},
    {NULL, "LEFT JOIN @file f ON f.path = t.here", "JOIN @file f ON f.path = t.here"}};

static char *changed(const char *sql, const struct change *change)
{
    struct str out = STR_INIT;
    const char *at = strstr(sql, change->from);
    if (!at) {
        str_adds(&out, sql);
    } else {
        str_add(&out, sql, (size_t)(at - sql));
        str_adds(&out, change->to);
        str_adds(&out, at + strlen(change->from));
    }
    return str_detach(&out);
}

/* The query as it is sent; the caller frees. */
static char *broken(const char *sql)
{
    const char *how = getenv("TURNPOST_BROKEN");
    char *words = changed(sql, &(struct change){NULL, "", ""});
    for (size_t i = 0; how && i < sizeof changes / sizeof *changes; i++) {
        if (changes[i].breaks && strcmp(changes[i].breaks, how) != 0)
            continue;
        char *next = changed(words, &changes[i]);
        free(words);
        words = next;
    }
    return words;
}

int __real_pg_send(struct pg *pg, const char *sql, const struct pg_args *args, struct err *err);
int __wrap_pg_send(struct pg *pg, const char *sql, const struct pg_args *args, struct err *err);
int __wrap_pg_send(struct pg *pg, const char *sql, const struct pg_args *args, struct err *err)
{
    char *words = broken(sql);
    int rc = __real_pg_send(pg, words, args, err);
    free(words);
    return rc;
}

int __real_pg_ask(struct pg *pg, const char *sql, const struct pg_args *args, struct err *err);
int __wrap_pg_ask(struct pg *pg, const char *sql, const struct pg_args *args, struct err *err);
int __wrap_pg_ask(struct pg *pg, const char *sql, const struct pg_args *args, struct err *err)
{
    char *words = broken(sql);
    int rc = __real_pg_ask(pg, words, args, err);
    free(words);
    return rc;
}

/* TURNPOST_HURRY=30: waiting goes so much faster, so that a database that stays away is given up in a second. */
int64_t __real_clock_milliseconds(void);
int64_t __wrap_clock_milliseconds(void);
int64_t __wrap_clock_milliseconds(void)
{
    const char *how = getenv("TURNPOST_HURRY");
    return __real_clock_milliseconds() * (how ? strtol(how, NULL, 10) : 1);
}

void __real_clock_correct(int64_t seconds);
void __wrap_clock_correct(int64_t seconds);
void __wrap_clock_correct(int64_t seconds)
{
    const char *how = getenv("TURNPOST_BROKEN");
    if (!how || strcmp(how, "clock") != 0)
        __real_clock_correct(seconds);
}
