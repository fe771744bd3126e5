/* What a league has proved in a mail: entries of its log, each with the proof that it is there (tlog/proof.h). */
#ifndef PUBLISH_CLAIMS_H
#define PUBLISH_CLAIMS_H

#include "tlog/entry.h"
#include "tlog/policy.h"

struct claim {
    struct str bytes;         /* entry and proof, as they stood in the armor */
    struct slice line, proof; /* borrowed from these */
    struct log_entry entry;
    struct checkpoint checkpoint; /* of claim_verify */
    int64_t number;               /* likewise: of the entry in the log, from 1 on */
    struct policy_seen seen;      /* likewise */
    struct str extra; /* likewise: what the proof has beside, which only its entry can vouch for */
};
enum claim_found {
    CLAIM_NONE,   /* there is no other one */
    CLAIM_FOUND,  /* its form is good; whether it is true says claim_verify */
    CLAIM_DAMAGED /* err says why */
};
/* The next one in the text of a mail; *text then starts after it. The caller releases `claim` whatever is returned. */
enum claim_found claim_next(struct slice *text, struct claim *claim, struct err *err)
    __attribute__((warn_unused_result));
/* The same of bytes that are there: entry and proof, as a published game has them in HEAD and HEAD.tlog-proof. ERR_INPUT. */
int claim_cut(struct claim *claim, struct err *err) __attribute__((warn_unused_result));
void claim_release(struct claim *claim);
/* Is it in a log of the policy? ERR_INPUT. */
int claim_verify(struct claim *claim, const struct policy *policy, struct err *err)
    __attribute__((warn_unused_result));
/* The same where the league's key is known, and not what its log is called. */
int claim_verify_key(struct claim *claim, const unsigned char key[VKEY_PUBLIC], struct err *err)
    __attribute__((warn_unused_result));

/* A file beside a published journal, such as its HEAD.tlog-proof: *path becomes its path, and its bytes are appended. False: the journal is
 * not called journal.jsonl, or the file is not there or cannot be read. */
bool claim_beside(const char *journal, const char *name, struct str *path, struct str *bytes);

#endif
