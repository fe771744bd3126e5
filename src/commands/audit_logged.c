/* What lies beside a published journal, to prove that the league's log has all of it: HEAD and HEAD.tlog-proof. */
#include <string.h>

#include "commands/audit.h"
#include "publish/claims.h"

static int check(struct claim *claim, const struct audit_result *result, struct err *err)
{
    if (claim_cut(claim, err) || claim_verify_key(claim, result->league_key, err))
        return -1;
    return claim->entry.seq == result->records && memcmp(claim->entry.head, result->head, HEAD_BYTES) == 0
               ? 0
               : err_set(err, ERR_INPUT, "it is of another record %lld than the last one here",
                         (long long)claim->entry.seq);
}

void audit_logged(struct str *out, const char *journal, const struct audit_result *result)
{
    struct claim claim = {.bytes = STR_INIT};
    struct err why = ERR_INIT;
    struct str path = STR_INIT;
    if (!claim_beside(journal, "HEAD", &path, &claim.bytes) ||
        !claim_beside(journal, "HEAD.tlog-proof", &path, &claim.bytes))
        str_clear(&claim.bytes);
    else if (check(&claim, result, &why) == 0)
        str_addf(out, "The league's log has all of it (entry %lld).\n", (long long)claim.number);
    else
        str_addf(out,
                 "HEAD.tlog-proof does not prove that the league's log has all of it: %s. Compare the two: "
                 "turnpost "
                 "audit --log.\n",
                 why.text);
    claim_release(&claim);
    str_release(&path);
}
