#include "publish/claims.h"

#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/mem.h"
#include "tlog/armor.h"
#include "tlog/proof.h"

int claim_cut(struct claim *claim, struct err *err)
{
    return log_proof_cut(slice_str(&claim->bytes), &claim->line, &claim->proof)
               ? log_entry_parse(claim->line, &claim->entry, err)
               : err_set(err, ERR_INPUT, "it holds no entry of a log");
}

enum claim_found claim_next(struct slice *text, struct claim *claim, struct err *err)
{
    *claim = (struct claim){.bytes = STR_INIT, .extra = STR_INIT};
    switch (armored_next(text, PROOF_ARMOR, &claim->bytes, err)) {
    case ARMORED_NONE: return CLAIM_NONE;
    case ARMORED_DAMAGED: return CLAIM_DAMAGED;
    case ARMORED_GOOD: break;
    }
    return claim_cut(claim, err) ? CLAIM_DAMAGED : CLAIM_FOUND;
}

void claim_release(struct claim *claim)
{
    str_release(&claim->bytes);
    str_release(&claim->extra);
}

int claim_verify(struct claim *claim, const struct policy *policy, struct err *err)
{
    struct log_proof proof = LOG_PROOF_INIT;
    int rc = log_proof_parse(claim->proof, &proof, err);
    if (rc == 0)
        rc = log_proof_verify(&proof, claim->line, policy, &claim->checkpoint, &claim->seen, err);
    claim->number = proof.index + 1;
    str_clear(&claim->extra);
    str_addslice(&claim->extra, slice_str(&proof.extra));
    log_proof_release(&proof);
    return rc;
}

int claim_verify_key(struct claim *claim, const unsigned char key[VKEY_PUBLIC], struct err *err)
{
    struct log_proof proof = LOG_PROOF_INIT;
    struct checkpoint checkpoint;
    struct policy *policy = mem_alloc(sizeof *policy);
    int rc =
        log_proof_parse(claim->proof, &proof, err) || checkpoint_parse(proof.note, &checkpoint, err) ? -1 : 0;
    if (rc == 0) {
        *policy = (struct policy){.logs = 1, .quorum = POLICY_NONE};
        vkey_make(&policy->log[0].key, slice_of(checkpoint.origin), VKEY_SIGNER, key);
        rc = claim_verify(claim, policy, err);
    }
    log_proof_release(&proof);
    free(policy);
    return rc;
}

bool claim_beside(const char *journal, const char *name, struct str *path, struct str *bytes)
{
    static const char own[] = "journal.jsonl";
    struct err ignored = ERR_INIT;
    str_clear(path);
    if (!str_ends(journal, own))
        return false;
    str_addf(path, "%.*s%s", (int)(strlen(journal) - strlen(own)), journal, name);
    return file_exists(path->p) && file_read(path->p, NOTE_MOST, bytes, &ignored) == 0;
}
