/* Believing the signature of a mail's domain (DKIM: RFC 6376, 8301, 8463), stricter than those are.
 *
 * In two steps, so that whoever asks the domain's name server can do so in between: dkim_read takes from the
 * mail's bytes, as they came, what can be known without the key; dkim_key_read and dkim_holds hold it against
 * the record that the domain publishes at dkim_key_name. Nothing here asks anybody, and nothing but the
 * arguments decides.
 *
 * What is demanded beyond the RFCs, because a mail that is believed acts for its sender: the signing domain is
 * From's, exactly; From, Date and Subject are there once and signed; From is one mailbox in the form
 * "words <a@b>", "a@b <a@b>" or "a@b"; there is no Sender but From, and no second Subject, Date, To, Reply-To, Content-Type
 * or Content-Transfer-Encoding; no line of the header is anything but a field; no NUL, and no CR without LF;
 * the whole body is signed (no l=); the key is not being tested (t=y), of RSA at least 1024 bits. */
#ifndef TRUST_DKIM_H
#define TRUST_DKIM_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/outcome.h"
#include "base/str.h"
#include "trust/mailbox.h"
#include "trust/work.h"

#define DKIM_SIGNATURES 8    /* DKIM-Signature fields that are looked at, from the top */
#define DKIM_LIST       1024 /* bytes of h= without spaces, and one for its end */
#define DKIM_KEY_BYTES  640  /* of a key as p= holds it, at most: RSA of 4096 bits has 550 */
#define DKIM_SIG_BYTES  512  /* of a signature: RSA of 4096 bits */
#define DKIM_DIGEST     32
#define DKIM_SLOP       86400 /* seconds that a signature may be made after its mail arrived, by two clocks */
#define DKIM_KEY_NAME   (2 * MAILBOX_DOMAIN + 12)

/* When a mail came that is read long after that, by who was not there: t= and x= are not looked at then. */
#define DKIM_ANY_TIME (-1)

enum dkim_kind { DKIM_RSA, DKIM_ED25519 };

/* Fields that the signature does not cover whole: anybody on the way can have added, changed or removed
 * them. */
enum dkim_open {
    DKIM_OPEN_TYPE = 1,     /* Content-Type */
    DKIM_OPEN_ENCODING = 2, /* Content-Transfer-Encoding */
    DKIM_OPEN_REPLY_TO = 4,
    DKIM_OPEN_TO = 8
};

/* A signature of From's domain whose body hash is right, and which its key may yet confirm. Plain data. */
struct dkim_claim {
    struct mailbox from;           /* its domain is d= */
    char selector[MAILBOX_DOMAIN]; /* s=, lower case */
    enum dkim_kind kind;
    char names[DKIM_LIST]; /* the signed fields in the order of h=, lower case, "from:date:subject" */
    unsigned open;         /* DKIM_OPEN_ bits */
    int64_t made, expires; /* t=, x=; -1 = not said */
    bool relaxed_body;     /* of c=: how the body is signed (dkim_body) */
    bool below;            /* i= names a domain below d= */
    unsigned char hash[DKIM_DIGEST];    /* SHA-256 of all that is signed, in canonical form */
    unsigned char content[DKIM_DIGEST]; /* the same without the field DKIM-Signature: SHA-256 of the signed
                                           fields as c= has them, and then the hash of the body. It knows a
                                           mail again that was signed twice */
    unsigned char sig[DKIM_SIG_BYTES];  /* b=, decoded */
    size_t sig_len;
};
struct dkim_claims {
    struct dkim_claim list[DKIM_SIGNATURES]; /* in the mail's order */
    size_t count;
};

/* Fills `claims`; `arrived` is when the mail came, against which t= and x= are held, or DKIM_ANY_TIME.
 * OUTCOME_REFUSED when there is none, with the reason (base/reason.h, a new reference): of the first signature
 * of From's domain, if it has one. Costs at most about three times the mail's bytes of `work`. */
enum outcome dkim_read(struct slice raw, int64_t arrived, struct work *work, struct dkim_claims *claims,
                       json_t **refusal) __attribute__((warn_unused_result));

/* Where the key is: "mail._domainkey.example.org". */
void dkim_key_name(char out[DKIM_KEY_NAME], const struct dkim_claim *claim);

struct dkim_key {
    enum dkim_kind kind;
    bool exact;                        /* t=s: i= may not name a domain below */
    unsigned char digest[DKIM_DIGEST]; /* SHA-256 of the bytes in p=, by which anybody can compare keys */
    unsigned char bytes[DKIM_KEY_BYTES];
    size_t len;
};
/* Reads what the domain publishes: one TXT record, its strings joined. OUTCOME_REFUSED: no key of this form,
 * revoked, being tested, for other uses, RSA of less than 1024 or more than 4096 bits. */
enum outcome dkim_key_read(struct slice record, struct dkim_key *key, json_t **refusal)
    __attribute__((warn_unused_result));
/* Did this key make the claim's signature? */
enum outcome dkim_holds(const struct dkim_claim *claim, const struct dkim_key *key, json_t **refusal)
    __attribute__((warn_unused_result));

/* The body as a signature has it, with CRLF: nobody can have changed that since it was signed (under "relaxed",
 * spaces within and at the end of lines do not count). Of a mail that dkim_read has taken. */
void dkim_body(struct str *out, struct slice raw, const struct dkim_claim *claim);

#endif
