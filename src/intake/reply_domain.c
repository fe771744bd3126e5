/* What a mail's domain has signed of it; and mails of players without keys for which it does not vouch. */
#include "intake/reply_parts.h"

#include <string.h>

#include "base/encode.h"
#include "base/reason.h"
#include "batch/stuck.h"
#include "league/domain_root.h"
#include "petitions/keyless.h"

/* Mails of a day that wait because the key of their domain is not known: */
#define WAITING_MAILS 20  /* of a player, or of a stranger's domain */
#define WAITING_ALL   200 /* of all strangers */

/* Under which it is remembered that this is so of what has that digest. */
static void remember_as(unsigned char digest[MESSAGE_DIGEST], const char *so, const unsigned char of[32])
{
    struct str name = STR_INIT;
    str_adds(&name, so);
    str_add(&name, (const char *)of, 32);
    message_digest(digest, slice_str(&name));
    str_release(&name);
}

bool visit_content(const struct visit *visit, unsigned char digest[MESSAGE_DIGEST])
{
    const struct vouching *domain = visit->reading->domain;
    if (!domain || domain->state != VOUCHING_GOOD)
        return false;
    remember_as(digest, "vouched ", domain->proof.content);
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

/* May one more mail wait today? Each is counted once, for `who`, and for all if that is not 0. */
static int may_wait(struct visit *visit, const char *who, int all, bool *may, struct err *err)
{
    const int64_t now = visit->batch->now;
    struct str what = STR_INIT;
    bool first = false;
    hex_encode(&what, visit->msg->digest, MESSAGE_DIGEST);
    int rc = reply_ask_once(visit, what.p, &first, err);
    *may = now - visit->incoming->arrived <= STUCK_MOST;
    if (rc == 0 && first && *may)
        rc =
            catalog_budget(visit->batch->catalog, &(struct catalog_reply){who, now, WAITING_MAILS}, may, err);
    if (rc == 0 && first && *may && all)
        rc = catalog_budget(visit->batch->catalog, &(struct catalog_reply){"* awaits", now, all}, may, err);
    str_release(&what);
    return rc;
}

/* The domain's key is not known now. The mail stays, and its player is told once; the turn does not wait. What anybody can have
 * forged takes no room from answers to our mails. */
static int wait_for_key(struct visit *visit, bool tokened, struct err *err)
{
    unsigned char digest[MESSAGE_DIGEST];
    struct str who = STR_INIT;
    bool may = false, told = false;
    str_addf(&who, "%s of %s", tokened ? "awaits" : "awaits, perhaps,", visit->sender->name);
    int rc = may_wait(visit, who.p, 0, &may, err);
    str_release(&who);
    if (rc)
        return -1;
    if (!may)
        return refuse_mail(visit, visit->reading->domain->why, err);
    visit->kept = true;
    remember_as(digest, "told that it waits ", visit->msg->digest);
    if (batch_has_seen(visit->batch, digest, &told, err))
        return -1;
    if (told) {
        verdict_say(&visit->verdict, "reply_later", NULL);
        visit->verdict.silence = SILENCE_TOLD;
        return 0;
    }
    rc = answer_reason(visit, "later",
                       &(struct words){.kind = "reply_later", .folder = "", .facts = json_object()}, err);
    if (rc == 0 && visit->answered)
        batch_see(visit->batch, digest);
    return rc;
}

int visit_await_domain(struct visit *visit, bool *found, struct err *err)
{
    const struct keyless_mail mail = {visit->msg, visit->reading->domain};
    const char *at = strrchr(visit->msg->from, '@');
    struct str who = STR_INIT;
    *found = false;
    if (!mail.vouching || !at || !visit_is_person(visit) || !keyless_waits(visit->batch->league, &mail))
        return 0;
    str_addf(&who, "awaits @%s", domain_root(at + 1));
    int rc = may_wait(visit, who.p, WAITING_ALL, found, err);
    str_release(&who);
    if (rc == 0 && *found) {
        verdict_say(&visit->verdict, "the key of its domain is not known yet", NULL);
        visit->kept = true;
    }
    return rc;
}

/* Have these very bytes led to a record of the game that their subject names? They were vouched for then. */
static int has_counted(const struct visit *visit, bool *counted, struct err *err)
{
    char id[GAME_NAME];
    *counted = false;
    return reply_subject_game(visit, id) ? visit_has_counted(visit, id, counted, err) : 0;
}

int reply_unvouched(struct visit *visit, bool tokened, struct err *err)
{
    const struct vouching *domain = visit->reading->domain;
    bool counted = false;
    if (has_counted(visit, &counted, err))
        return -1;
    if (counted) {
        reply_seen(visit);
        return 0;
    }
    if (domain->state == VOUCHING_LATER)
        return wait_for_key(visit, tokened, err);
    if (domain->state == VOUCHING_REFUSED)
        return refuse_mail(visit, domain->why, err);
    json_t *why = reason_make("reply_from");
    int rc = refuse_mail(visit, why, err);
    json_decref(why);
    return rc;
}
