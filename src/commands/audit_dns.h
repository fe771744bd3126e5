/* What mail domains publish now of the keys by which they vouched for orders: for a while anybody can compare it with
 * the journal (turnpost audit --dns). */
#ifndef COMMANDS_AUDIT_DNS_H
#define COMMANDS_AUDIT_DNS_H

#include <jansson.h>

#include "audit/audit.h"
#include "dns/resolver.h"

enum key_now {
    KEY_NOT_ASKED,
    KEY_SAME,
    KEY_OTHER,  /* the domain publishes another one in its place, or something that is none */
    KEY_GONE,   /* there is no such name now */
    KEY_FORGED, /* the signatures of the DNS are wrong */
    KEY_LATER   /* no answer now */
};

/* A domain's key, as records name it. */
struct domain_key {
    char domain[MAILBOX_DOMAIN], selector[MAILBOX_DOMAIN];
    unsigned char key[32];
    int64_t orders[SEATS_MAX + 1]; /* of each seat */
    int64_t last;                  /* the time of the last one */
    enum key_now now;
    bool secure; /* DNSSEC proves the answer */
};
struct domain_keys {
    struct domain_key *list; /* in the order of the journal */
    size_t count, cap;
};

/* Takes down what the record says, if a domain vouches for it. */
void domain_keys_note(struct domain_keys *keys, const struct record *record);
/* Asks for each. Only a resolver that does not start is an error. */
int domain_keys_ask(struct domain_keys *keys, const struct dns_way *way, struct err *err)
    __attribute__((warn_unused_result));
void domain_keys_release(struct domain_keys *keys);

/* By what the orders of each seat stand, and what was found of each key; nothing where no domain vouches. */
void domain_keys_text(struct str *out, const struct domain_keys *keys, const struct audit_result *result);
/* {"levels":[...],"domains":[...]}, new reference. */
json_t *domain_keys_json(const struct domain_keys *keys, const struct audit_result *result);

#endif
