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
 *  "learned":"league","selector":"s1","sent":"2026-11-20T08:00:00Z"}, and perhaps "box": base64 */
struct vouched {
    char domain[MAILBOX_DOMAIN], selector[MAILBOX_DOMAIN];
    unsigned char key[32];
    enum mail_learned learned;
    int cutter;
    int64_t sent, arrived;              /* the mail's Date; when it came, which is the league's word */
    unsigned char evidence[SEAL_BYTES]; /* of item SEAL_EVIDENCE */
    bool boxed;                         /* the mail is in a box of the record */
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

/* "vouched" with the mail itself in a box, under the press key: it is private. Its payload (item SEAL_EVIDENCE) is
 * {"record":"what the domain published of its key"}, a LF, and the mail; in `set` as well. A mail of more than `most` bytes has a
 * seal and no box, as a record has only so much room (RECORD_MAX). New reference. */
#define VOUCHED_KEPT       ((size_t)64 << 10)
#define VOUCHED_PRESS_KEPT ((size_t)32 << 10) /* in a box within the box of a message */
json_t *vouched_sealed(struct sealed_set *set, const unsigned char key[32], const struct sealed_place *place,
                       const struct mail_proof *proof, int64_t now, size_t most);
/* Takes such a payload apart: `record` is appended to; *raw is borrowed. False: it is none. */
bool vouched_mail(struct slice payload, struct str *record, struct slice *raw);

#endif
