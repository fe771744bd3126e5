/* Mails that a domain signs (DKIM, Ed25519, simple/simple), as its server would: for suites of orders that no
 * key has signed. */
#ifndef TESTS_HOUSE_DOMAIN_H
#define TESTS_HOUSE_DOMAIN_H

#include <sodium.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/encode.h"
#include "mail/reply.h"
#include "suite.h"
#include "trust/dkim.h"
#include "trust/mail_proof.h"

struct domain {
    unsigned char secret[crypto_sign_SECRETKEYBYTES];
    struct str record; /* what it publishes */
    bool signs_to;     /* its mails prove to whom they go, too */
    const char *type;  /* the Content-Type of its mails, which they prove; NULL: they have none */
};

static inline void domain_open(struct domain *domain, unsigned char number)
{
    unsigned char public[crypto_sign_PUBLICKEYBYTES], seed[crypto_sign_SEEDBYTES] = {number};
    crypto_sign_seed_keypair(public, domain->secret, seed);
    str_init(&domain->record);
    str_adds(&domain->record, "v=DKIM1; k=ed25519; p=");
    base64_encode(&domain->record, public, sizeof public);
}

static inline void domain_close(struct domain *domain)
{
    str_release(&domain->record);
}

struct domain_letter {
    const char *local, *domain; /* of its From; "Anna <anna" in front of the '@' will do */
    const char *to, *subject;
    int64_t sent;
    const char *body; /* with CRLF at its end, once */
    const char *date; /* its Date, where that is not `sent` */
    int64_t made;     /* when it was signed (t=); 0: it does not say */
};

/* Appends such a mail, signed under the selector "mail". */
static inline void domain_letter(const struct domain *domain, const struct domain_letter *letter,
                                 struct str *out)
{
    static const char *const days[] = {"Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"};
    static const char *const months[] = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                         "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
    struct str head = STR_INIT, field = STR_INIT, all = STR_INIT;
    unsigned char hash[32], sig[crypto_sign_BYTES];
    char utc[CLOCK_TEXT], date[64];
    clock_utc(utc, letter->sent);
    (void)snprintf(date, sizeof date, "%s, %.2s %s %.4s %.8s +0000", days[letter->sent / 86400 % 7], utc + 8,
                   months[(utc[5] - '0') * 10 + utc[6] - '1'], utc, utc + 11);
    str_addf(&head, "From: %s@%s%s\r\nDate: %s\r\nSubject: %s\r\n", letter->local, letter->domain,
             strchr(letter->local, '<') ? ">" : "", letter->date ? letter->date : date, letter->subject);
    if (domain->signs_to)
        str_addf(&head, "To: %s\r\n", letter->to);
    if (domain->type)
        str_addf(&head, "Content-Type: %s\r\n", domain->type);
    crypto_hash_sha256(hash, (const unsigned char *)letter->body, strlen(letter->body));
    str_addf(&field, "DKIM-Signature: v=1; a=ed25519-sha256; d=%s; s=mail; h=from:date:subject%s%s; bh=",
             letter->domain, domain->signs_to ? ":to" : "", domain->type ? ":content-type" : "");
    base64_encode(&field, hash, sizeof hash);
    if (letter->made)
        str_addf(&field, "; t=%lld", (long long)letter->made);
    str_adds(&field, "; b=");
    str_addf(&all, "%s%s", head.p, field.p);
    crypto_hash_sha256(hash, (const unsigned char *)all.p, all.len);
    crypto_sign_detached(sig, NULL, hash, sizeof hash, domain->secret);
    base64_encode(&field, sig, sizeof sig);
    str_addf(out, "%s\r\n%s", field.p, head.p);
    if (!domain->signs_to)
        str_addf(out, "To: %s\r\n", letter->to);
    str_addf(out, "\r\n%s", letter->body);
    str_release(&head);
    str_release(&field);
    str_release(&all);
}

/* The same from address@example.org of that time. */
static inline void domain_mail(const struct domain *domain, const char *local, int64_t sent, const char *body,
                               struct str *out)
{
    domain_letter(domain,
                  &(struct domain_letter){local, "example.org", "orders@game.test", "Re: gc-1", sent, body,
                                          NULL, sent + 3 * 3600}, /* it waited for a network */
                  out);
}

/* What the mail proves; `claims` and `mail` are borrowed by it. */
static inline struct mail_proof domain_proof(const struct domain *domain, const struct str *mail,
                                             int64_t sent, struct dkim_claims *claims)
{
    struct work work = WORK_INIT;
    struct dkim_key published;
    json_t *refusal = NULL;
    struct mail_proof proof = {.cutter = REPLY_VERSION,
                               .sent = sent,
                               .arrived = sent,
                               .raw = slice_str(mail),
                               .record = slice_str(&domain->record)};
    ck_assert_msg(dkim_read(slice_str(mail), sent + 86400, &work, claims, &refusal) == OUTCOME_DONE, "%s",
                  refusal ? json_dumps(refusal, 0) : "");
    ck_assert_int_eq(dkim_key_read(slice_str(&domain->record), &published, &refusal), OUTCOME_DONE);
    ck_assert_int_eq(dkim_holds(&claims->list[0], &published, &refusal), OUTCOME_DONE);
    memcpy(proof.domain, claims->list[0].from.domain, sizeof proof.domain);
    memcpy(proof.selector, claims->list[0].selector, sizeof proof.selector);
    memcpy(proof.key, published.digest, sizeof proof.key);
    memcpy(proof.content, claims->list[0].content, sizeof proof.content);
    proof.sig = (struct slice){(const char *)claims->list[0].sig, claims->list[0].sig_len};
    return proof;
}

#endif
