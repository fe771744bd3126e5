/* What was answered lately, how much was asked, and how long that took. Private to dns/; it asks nobody.
 *
 * Strangers decide by their mails what is asked, so what they ask must not use up what players need. A name that
 * was found is "known" for as long as there is room, beyond the time of its answer, and is asked again without
 * a charge. Domains of players are "welcome": they have counts of their own, and their known names are the last
 * to make room.
 *
 * Waiting comes out of two purses, one for the welcome domains and one for all others, which fill again with time:
 * whatever is asked, a round of work waits no longer than what is in both. Names that are not known leave half of the
 * players' purse to those that are: anybody can name one more selector of a player's domain. */
#ifndef DNS_MEMORY_H
#define DNS_MEMORY_H

#include "dns/resolver.h"

#define DNS_KEPT    512   /* answers and known names; who makes room: keep_place */
#define DNS_NAMES   8     /* known names of one domain */
#define DNS_COUNTED 512   /* domains whose questions are counted */
#define DNS_LEAST   60    /* seconds that any answer is kept ... */
#define DNS_MOST    86400 /* ... and at most */
#define DNS_AGAIN   60    /* ... one of which nothing is known; a known name's twice as long each time ... */
#define DNS_TWICE   6     /* ... this often */
#define DNS_WINDOW  3600

/* Milliseconds in a purse that is full, seconds in which an empty one fills again, and milliseconds that one question
 * takes out of it at most. */
#define DNS_PLAYERS_WAIT 10000
#define DNS_PLAYERS_FILL 60
#define DNS_PLAYERS_ONCE 5000
#define DNS_OTHERS_WAIT  8000
#define DNS_OTHERS_FILL  600
#define DNS_OTHERS_ONCE  2000
#define DNS_SLOW         100 /* milliseconds that count as one more question of the domain */

struct dns_kept {
    char *name; /* NULL = free */
    char *domain;
    bool known;      /* it was found, the last time that there was an answer */
    unsigned failed; /* how often in a row there was none since then */
    struct dns_answer answer;
};
struct dns_count {
    char *domain;
    size_t asked;
};
struct dns_purse {
    int64_t left, at; /* milliseconds, and when it was so much */
};
struct dns_question {
    const char *name, *domain; /* which is charged */
    int64_t now;
};
struct dns_memory {
    struct dns_kept kept[DNS_KEPT];
    struct dns_count counts[DNS_COUNTED]; /* of this window */
    size_t count, asked;
    struct dns_count *welcome; /* sorted, without regard to capitals */
    size_t welcome_count;
    int64_t window;
    struct dns_purse players, others;
};

/* Copies what is remembered of `name`; false when nothing is, or no longer. */
bool memory_recall(const struct dns_memory *memory, const char *name, int64_t now, struct dns_answer *answer);
/* Remembers it until then; `ttl` is what the domain says, in seconds. */
void memory_keep(struct dns_memory *memory, const struct dns_question *question, int64_t ttl,
                 struct dns_answer *answer);
/* Counts a question: milliseconds that it may take; 0 when there were enough of them, or no time is left. A known name is
 * not counted, but waits like any other. */
int64_t memory_charge(struct dns_memory *memory, const struct dns_question *question);
/* Takes what a question took out of its purse; a domain that is slow has fewer questions. */
void memory_waited(struct dns_memory *memory, const struct dns_question *question, int64_t milliseconds);
bool memory_is_welcome(const struct dns_memory *memory, const char *domain);
/* Replaces the welcome domains, which are copied; what they have asked in this hour stays counted. */
void memory_welcome(struct dns_memory *memory, const char *const *domains, size_t count);

/* What the next process has to know, as JSON: the purses, this hour's counts, the welcome domains' known names, and how
 * long those of them rest that were not answered. No answers. */
void memory_write(const struct dns_memory *memory, struct str *out);
/* Takes over what another process has written, into a memory that has no names yet; after memory_welcome. ERR_BROKEN, and
 * nothing: it cannot be read. */
int memory_read(struct dns_memory *memory, struct slice text, struct err *err)
    __attribute__((warn_unused_result));
void memory_release(struct dns_memory *memory);

#endif
