/* Proofs as mails have them. */
#ifndef HOUSE_PROVED_H
#define HOUSE_PROVED_H

#include "house/house.h"
#include "publish/claims.h"
#include "tlog/armor.h"
#include "tlog/proof.h"

/* What whoever has the key can make at any time: an armored proof of this entry, in a log that holds nothing else. */
static inline void proof_of_one(struct str *out, const struct secret *key, const struct log_entry *entry)
{
    struct str line = STR_INIT, note = STR_INIT, text = STR_INIT;
    struct checkpoint checkpoint = {.origin = "orion.example/turnpost/1", .size = 1};
    struct log_proof proof = LOG_PROOF_INIT;
    struct pubkey public;
    struct vkey vkey;
    log_entry_write(&line, entry);
    str_addc(&line, '\n');
    tree_leaf(&checkpoint.root, slice_str(&line));
    secret_public(key, &public);
    vkey_make(&vkey, slice_of(checkpoint.origin), VKEY_SIGNER, public.point);
    checkpoint_note(&note, &checkpoint, &vkey, key->key);
    proof.note = slice_str(&note);
    str_addslice(&text, slice_str(&line));
    log_proof_write(&text, &proof);
    armored_write(out, PROOF_ARMOR, slice_str(&text));
    log_proof_release(&proof);
    str_release(&line);
    str_release(&note);
    str_release(&text);
}

/* How many entries the text proves to be in the log of the house; none is damaged. */
static inline int proofs_in(const struct house *h, struct slice text)
{
    struct claim claim;
    struct err err = ERR_INIT;
    enum claim_found found;
    int count = 0;
    while ((found = claim_next(&text, &claim, &err)) != CLAIM_NONE) {
        ck_assert_int_eq(found, CLAIM_FOUND);
        ck_ok(claim_verify(&claim, league_log_policy(h->batch.tlog), &err), err);
        claim_release(&claim);
        count++;
    }
    claim_release(&claim);
    return count;
}

#endif
