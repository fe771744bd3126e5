/* That an entry is in a log: the text of a .tlog-proof (c2sp.org/tlog-proof).
 *
 *     c2sp.org/tlog-proof@v1
 *     extra BASE64                  only of closes: base, D, marks; the entry's alpha vouches for it, not this file
 *     index N
 *     ...one line a hash
 *
 *     ...the checkpoint, a note
 *
 * In mails entry and proof stand in an armor (tlog/armor.h), one after the other: PROOF_ARMOR. */
#ifndef TLOG_PROOF_H
#define TLOG_PROOF_H

#include "tlog/policy.h"
#include "tlog/tree.h"

#define PROOF_ARMOR "PROOF"

struct log_proof {
    int64_t index;
    struct str extra; /* its bytes, "" = there is none; freed by log_proof_release */
    struct tree_path path;
    struct slice note; /* borrowed */
};
#define LOG_PROOF_INIT             \
    {                              \
        0, STR_INIT, {{{{0}}}, 0}, \
        {                          \
            NULL, 0                \
        }                          \
    }
void log_proof_release(struct log_proof *proof);

void log_proof_write(struct str *out, const struct log_proof *proof);
/* `proof` borrows from `text`; released by the caller whatever is returned. ERR_INPUT. */
int log_proof_parse(struct slice text, struct log_proof *proof, struct err *err)
    __attribute__((warn_unused_result));
/* Is `entry` (a line without LF) in a log of the policy? `checkpoint` and `seen` say in which, and who saw it; whether
 * that is enough is for the caller (seen->quorum): a receipt needs nobody. ERR_INPUT. */
int log_proof_verify(const struct log_proof *proof, struct slice entry, const struct policy *policy,
                     struct checkpoint *checkpoint, struct policy_seen *seen, struct err *err)
    __attribute__((warn_unused_result));

/* What an armor holds: entry LF proof. False: there is no such line. */
bool log_proof_cut(struct slice text, struct slice *entry, struct slice *proof)
    __attribute__((warn_unused_result));

#endif
