/* What lies beside a published journal, to prove that the league's log has all of it: HEAD and HEAD.tlog-proof. */
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "commands/audit.h"
#include "publish/claims.h"

/* Appends a file of the journal's folder. False: it is not there, or cannot be read. */
static bool add_file(const char *journal, const char *name, struct str *out)
{
    static const char own[] = "journal.jsonl";
    struct err ignored = ERR_INIT;
    struct str path = STR_INIT;
    if (str_ends(journal, own))
        str_addf(&path, "%.*s%s", (int)(strlen(journal) - strlen(own)), journal, name);
    const bool there = path.len && file_exists(path.p) && file_read(path.p, NOTE_MOST, out, &ignored) == 0;
    str_release(&path);
    return there;
}

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
    if (!add_file(journal, "HEAD", &claim.bytes) || !add_file(journal, "HEAD.tlog-proof", &claim.bytes))
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
}
