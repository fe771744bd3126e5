/* What somebody kept of a log: checkpoints, alone or under proofs. */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "letters/reading.h"
#include "mail/mbox.h"
#include "mail/message.h"
#include "publish/claims.h"
#include "publish/log_audit_parts.h"
#include "tlog/proof.h"

/* NULL: every log began so. */
static struct log_kept *add(struct log_audit *audit, const char *label, const struct checkpoint *checkpoint)
{
    if (checkpoint->size == 0)
        return NULL;
    audit->kept = mem_grow(audit->kept, audit->kept_count, &audit->kept_cap, sizeof *audit->kept);
    struct log_kept *kept = &audit->kept[audit->kept_count++];
    *kept = (struct log_kept){.label = mem_strdup(label), .checkpoint = *checkpoint};
    return kept;
}

static void add_claim(struct log_audit *audit, const char *label, const struct claim *claim)
{
    struct log_kept *kept = add(audit, label, &claim->checkpoint);
    if (!kept || claim->entry.kind != ENTRY_RECEIPT || !claim->entry.seat)
        return;
    kept->number = claim->number;
    kept->entry = claim->entry;
}

static void add_note(struct log_audit *audit, const char *label, struct slice note)
{
    struct checkpoint checkpoint;
    struct policy_seen seen;
    struct err why = ERR_INIT;
    if (policy_verify(audit->policy, note, &checkpoint, &seen, &why) == 0)
        (void)add(audit, label, &checkpoint);
    else
        log_find(audit, LOG_ASK, LOG_CHECKPOINT, LOG_NOWHERE,
                 "%s shows nothing of this log: %s. Ask the person who kept it where it is from", label,
                 why.text);
}

/* The proofs of a text; false: there are none. */
static bool add_claims(struct log_audit *audit, const char *label, struct slice text)
{
    struct claim claim;
    struct err why = ERR_INIT;
    enum claim_found found;
    bool any = false;
    while ((found = claim_next(&text, &claim, &why)) != CLAIM_NONE) {
        any = true;
        if (found == CLAIM_FOUND && claim_verify(&claim, audit->policy, &why) == 0)
            add_claim(audit, label, &claim);
        else
            log_find(
                audit, LOG_ASK, LOG_CHECKPOINT, LOG_NOWHERE,
                "%s holds a proof that shows nothing of this log: %s. Ask the person who kept it where it is "
                "from",
                label, why.text);
        claim_release(&claim);
        err_clear(&why);
    }
    claim_release(&claim);
    return any;
}

/* What players wrote themselves has no proof, and that is no news. */
static void add_mail(struct log_audit *audit, const char *label, struct slice raw)
{
    struct message msg;
    struct err ignored = ERR_INIT;
    if (message_parse(raw, &message_limits_default, &(struct message_identity){0}, &msg, &ignored) == 0) {
        struct evidence *parts = reading_parts(&msg);
        for (size_t i = 0; i < msg.part_count; i++)
            (void)add_claims(audit, label, parts[i].shown.len ? parts[i].shown : parts[i].exact);
        free(parts);
    }
    message_release(&msg);
}

void log_audit_keep(struct log_audit *audit, const char *label, struct slice bytes)
{
    struct log_proof proof = LOG_PROOF_INIT;
    struct err ignored = ERR_INIT;
    if (slice_starts(bytes, "c2sp.org/tlog-proof@v1\n") && log_proof_parse(bytes, &proof, &ignored) == 0)
        add_note(audit, label, proof.note);
    else if (mail_likely(bytes))
        add_mail(audit, label, bytes);
    else if (!add_claims(audit, label, bytes))
        add_note(audit, label, bytes);
    log_proof_release(&proof);
}
