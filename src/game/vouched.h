/* "vouched" of a record: a text that no key has signed, but the player's mail domain. Public from the start, so
 * that anybody can compare the key with the one that the domain publishes; only that of press and appeals is
 * sealed with their words. */
#ifndef GAME_VOUCHED_H
#define GAME_VOUCHED_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

#include "journal/seal.h"
#include "trust/mail_proof.h"

/* {"arrived":"2026-11-20T08:00:02Z","cutter":1,"domain":"example.org","evidence":"<64 hex>","key":"<64 hex>",
 *  "learned":"league","selector":"s1","sent":"2026-11-20T08:00:00Z"} */
struct vouched {
    char domain[MAILBOX_DOMAIN], selector[MAILBOX_DOMAIN];
    unsigned char key[32];
    enum mail_learned learned;
    int cutter;
    int64_t sent, arrived;              /* the mail's Date; when it came, which is the league's word */
    unsigned char evidence[SEAL_BYTES]; /* of item SEAL_EVIDENCE */
};

/* New reference. No mail comes after the record that is made of it: `now` is that record's time, or earlier. */
json_t *vouched_json(const struct mail_proof *proof, int64_t now, const unsigned char evidence[SEAL_BYTES]);
/* False when it is none: a member is missing, too many, or of another form. */
bool vouched_read(const json_t *json, struct vouched *vouched) __attribute__((warn_unused_result));

/* When a text was written, as far as is known: at its mail's Date, but not after the mail came, as clocks may be ahead, and
 * not before `named`, the time of the record whose head it names. Of two texts the one that was written later counts. */
int64_t vouched_written(int64_t sent, int64_t arrived, int64_t named);

/* For templates: {"domain","selector","key","dnssec"}; "key" is the beginning of the digest. New reference. */
json_t *vouched_facts(const json_t *json);

/* Into a record of the registry, which has no seals of games: "vouched", and the mail as "evidence" (sealed there by
 * league/registry_sealing.h) if it has at most so many bytes. False: it is longer, and left out. */
bool vouched_whole(json_t *record, const struct mail_proof *proof, int64_t now, size_t most);

/* The payload of item SEAL_EVIDENCE, {"mail":base64,"record":text}. */
void vouched_evidence(struct str *out, const struct mail_proof *proof);

#endif
