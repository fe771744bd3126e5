/* What was answered lately, and how much was asked. Private to dns/; it asks nobody. */
#ifndef DNS_MEMORY_H
#define DNS_MEMORY_H

#include "dns/resolver.h"

#define DNS_KEPT    512   /* answers; the one that ends first makes room */
#define DNS_COUNTED 512   /* domains whose questions are counted */
#define DNS_LEAST   60    /* seconds that any answer is kept ... */
#define DNS_MOST    86400 /* ... and at most */
#define DNS_AGAIN   60    /* ... one of which nothing is known */
#define DNS_WINDOW  3600

struct dns_kept {
    char *name; /* NULL = free */
    struct dns_answer answer;
};
struct dns_count {
    char *domain;
    size_t asked;
};
struct dns_memory {
    struct dns_kept kept[DNS_KEPT];
    struct dns_count counts[DNS_COUNTED]; /* of this window */
    size_t count, asked;
    int64_t window;
};

/* Copies what is remembered of `name`; false when nothing is, or no longer. */
bool memory_recall(const struct dns_memory *memory, const char *name, int64_t now, struct dns_answer *answer);
/* Remembers it until then; `ttl` is what the domain says, in seconds. */
void memory_keep(struct dns_memory *memory, const char *name, int64_t now, int64_t ttl,
                 struct dns_answer *answer);
/* Counts a question for this domain; false when there were enough of them. */
bool memory_charge(struct dns_memory *memory, const char *domain, int64_t now);
void memory_release(struct dns_memory *memory);

#endif
