/* What domains publish in the DNS (TXT records), and whether their signatures prove it (DNSSEC, RFC 4033 to
 * 4035). Asked through libunbound, which validates in this process, from the root's key down: the word of the
 * server that is asked is worth nothing. (c-ares and the C library do not validate.)
 *
 * Answers are remembered, also that there is none, for as long as the domain says, within bounds; and only so
 * many questions are asked for one domain and in all, and only so long is waited for all of them (dns/memory.h), because
 * strangers decide by their mails what is asked. What players need is left to them: names that were found before are asked
 * again however many were asked, and the domains of players count and wait for themselves. That holds for all rounds of
 * work together and, by resolver_write, for all processes. */
#ifndef DNS_RESOLVER_H
#define DNS_RESOLVER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "base/str.h"

#define DNS_NAME_MAX 253                       /* bytes of a name */
#define DNS_TEXT_MAX 4096                      /* of a record; longer ones are none */
#define DNS_DOMAIN   30                        /* questions in an hour for one domain */
#define DNS_PLAYERS  300                       /* ... for one of players */
#define DNS_ALL      600                       /* ... and for all strangers */
#define DNS_SECONDS  10                        /* how long a question waits, where nothing else is said */
#define DNS_ANCHOR   "/usr/share/dns/root.key" /* the root's key (Debian's package dns-root-data) */

enum dns_found {
    DNS_FOUND,   /* one record */
    DNS_NONE,    /* the domain says that there is no such name or record */
    DNS_SEVERAL, /* more than one, or one that is too long: which counts, nobody can say */
    DNS_FORGED,  /* the chain of signatures is broken; never to be used */
    DNS_LATER    /* not known now: no answer in time, a server that fails, too many questions */
};
struct dns_answer {
    enum dns_found found;
    bool secure; /* proved by signatures from the root down, also that there is none; false: as somebody on
                        the way may have made it up */
    bool
        unasked; /* of DNS_LATER: there were too many questions, or no time is left to wait for this one now */
    struct str text; /* of DNS_FOUND: the record's strings, joined */
    char why[160];   /* of DNS_FORGED and DNS_LATER: safe text */
    int64_t until;   /* how long it may be remembered */
};
#define DNS_ANSWER_INIT                          \
    {                                            \
        DNS_LATER, false, false, STR_INIT, "", 0 \
    }
void dns_answer_release(struct dns_answer *answer);

/* Who is asked. All borrowed until resolver_open returns. */
struct dns_way {
    const char *server; /* "192.0.2.1", "192.0.2.1@5353"; "" = those of /etc/resolv.conf */
    const char *anchor; /* a file with the root's key; "" = none: nothing is secure, and nothing forged */
    int seconds;        /* 1 .. 60, for each question */
};

struct resolver;
/* Starts a thread. ERR_CONFIG: a server or file that cannot be used; ERR_TEMP: it does not start. */
int resolver_open(const struct dns_way *way, struct resolver **resolver, struct err *err)
    __attribute__((warn_unused_result));
void resolver_close(struct resolver *resolver); /* NULL is fine */

/* The domains of players' addresses, in place of those said before; copied. */
void resolver_welcome(struct resolver *resolver, const char *const *domains, size_t count);
bool resolver_is_welcome(struct resolver *resolver, const char *domain);

/* The TXT record of `name`, for which `domain` is charged (NULL: nobody is; a person waits for it); `now` is the clock.
 * Several threads may ask, one after the other. Replaces `answer`, which the caller releases. */
void resolver_text(struct resolver *resolver, const char *name, const char *domain, int64_t now,
                   struct dns_answer *answer);

/* Appends what the next process has to know of what was asked; false, and nothing, when that is what was read or written
 * last. */
bool resolver_write(struct resolver *resolver, struct str *out);
/* Takes that over, the first time that it is called; after resolver_welcome. ERR_BROKEN: it cannot be read, and all
 * begins anew. */
int resolver_read(struct resolver *resolver, struct slice text, struct err *err)
    __attribute__((warn_unused_result));

/* Remembers for a day that a name has this text, unproved, as if it had been asked: for suites and benches. */
void resolver_tell(struct resolver *resolver, const char *name, const char *text, int64_t now);

#endif
