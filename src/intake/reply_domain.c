/* What a mail's domain has signed of it; and mails of players without keys for which it does not vouch. */
#include "intake/reply_parts.h"

#include "base/encode.h"
#include "base/reason.h"
#include "batch/stuck.h"

#define WAITING_MAILS 20 /* of a player and day, whose key is not known yet */

bool visit_content(const struct visit *visit, unsigned char digest[MESSAGE_DIGEST])
{
    const struct vouching *domain = visit->reading->domain;
    struct str name = STR_INIT;
    if (!domain || domain->state != VOUCHING_GOOD)
        return false;
    str_adds(&name, "vouched ");
    str_add(&name, (const char *)domain->proof.content, 32);
    message_digest(digest, slice_str(&name));
    str_release(&name);
    return true;
}

/* Each reason once a day: who forges a mail of a player's does not use up what the player has to be told. */
static int answer_reason(struct visit *visit, const char *reason, const struct words *words, struct err *err)
{
    struct str what = STR_INIT;
    str_addf(&what, "%s %s", visit->sender->address, reason);
    int rc = reply_answer(visit, what.p, words, err);
    str_release(&what);
    return rc;
}

static int refuse_mail(struct visit *visit, const json_t *why, struct err *err)
{
    json_t *facts = json_pack("{s:O}", "why", why);
    const char *reason = json_object_iter_key(json_object_iter((json_t *)(uintptr_t)why));
    return answer_reason(visit, reason,
                         &(struct words){.kind = "reply_refused", .folder = "", .facts = facts}, err);
}

/* May one more mail of the player's wait today? Each is counted once. */
static int may_wait(struct visit *visit, bool *may, struct err *err)
{
    struct str what = STR_INIT, who = STR_INIT;
    bool first = false;
    hex_encode(&what, visit->msg->digest, MESSAGE_DIGEST);
    str_addf(&who, "key of the domain of %s", visit->sender->name);
    int rc = reply_ask_once(visit, what.p, &first, err);
    *may = visit->batch->now - visit->incoming->arrived <= STUCK_MOST;
    if (rc == 0 && first && *may)
        rc = catalog_budget(visit->batch->catalog,
                            &(struct catalog_reply){who.p, visit->batch->now, WAITING_MAILS}, may, err);
    str_release(&what);
    str_release(&who);
    return rc;
}

/* The domain's key is not known now. The mail stays, and its player is told; the turn does not wait. */
static int wait_for_key(struct visit *visit, struct err *err)
{
    bool may = false;
    if (may_wait(visit, &may, err))
        return -1;
    if (!may)
        return refuse_mail(visit, visit->reading->domain->why, err);
    visit->kept = true;
    return answer_reason(visit, "later",
                         &(struct words){.kind = "reply_later", .folder = "", .facts = json_object()}, err);
}

int reply_unvouched(struct visit *visit, struct err *err)
{
    const struct vouching *domain = visit->reading->domain;
    if (domain->state == VOUCHING_LATER)
        return wait_for_key(visit, err);
    if (domain->state == VOUCHING_REFUSED)
        return refuse_mail(visit, domain->why, err);
    json_t *why = reason_make("reply_from");
    int rc = refuse_mail(visit, why, err);
    json_decref(why);
    return rc;
}
