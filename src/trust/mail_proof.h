/* What stands for a player's signature where their mail's domain vouches for them: its DKIM signature
 * (trust/dkim.h), and how the domain's key was learned. */
#ifndef TRUST_MAIL_PROOF_H
#define TRUST_MAIL_PROOF_H

#include <stdint.h>

#include "base/str.h"
#include "trust/mailbox.h"

#define MAIL_PROOF_MOST ((size_t)128 << 10) /* bytes of a mail that is kept as evidence */

enum mail_learned {
    LEARNED_LEAGUE, /* the league says so, and nobody else */
    LEARNED_DNSSEC  /* a chain of signatures to the root said so, which the league's resolver has checked */
};

/* All but the slices by value; those are borrowed. */
struct mail_proof {
    char domain[MAILBOX_DOMAIN]; /* d=, which is From's */
    char selector[MAILBOX_DOMAIN];
    unsigned char key[32];     /* digest of the domain's key (struct dkim_key) */
    unsigned char content[32]; /* digest of what is signed (struct dkim_claim) */
    struct slice sig;          /* decoded */
    enum mail_learned learned;
    int cutter;          /* the version by which the text was taken out of the mail (mail/reply.h) */
    int64_t sent;        /* the signed Date */
    int64_t arrived;     /* when our mailbox got it; nobody has signed that */
    struct slice raw;    /* the mail, at most MAIL_PROOF_MOST */
    struct slice record; /* what the domain published of its key */
};

#endif
