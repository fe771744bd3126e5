/* What was answered lately, and how much was asked. Private to dns/; it asks nobody.
 *
 * Strangers decide by their mails what is asked, so what they ask must not use up what players need. A name that
 * was found is "known" for as long as there is room, beyond the time of its answer, and is asked again without
 * a charge. Domains of players are "welcome": they have counts of their own, and their known names are the last
 * to make room. */
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
};

/* Copies what is remembered of `name`; false when nothing is, or no longer. */
bool memory_recall(const struct dns_memory *memory, const char *name, int64_t now, struct dns_answer *answer);
/* Remembers it until then; `ttl` is what the domain says, in seconds. */
void memory_keep(struct dns_memory *memory, const struct dns_question *question, int64_t ttl,
                 struct dns_answer *answer);
/* Counts a question; false when there were enough of them. A known name is never counted. */
bool memory_charge(struct dns_memory *memory, const struct dns_question *question);
/* Counts the seconds that it took: as so many questions more of all strangers, or ten times as many of the
 * welcome domain. */
void memory_waited(struct dns_memory *memory, const char *domain, int64_t seconds);
bool memory_is_welcome(const struct dns_memory *memory, const char *domain);
/* Replaces the welcome domains, which are copied; what they have asked in this hour stays counted. */
void memory_welcome(struct dns_memory *memory, const char *const *domains, size_t count);
void memory_release(struct dns_memory *memory);

#endif
