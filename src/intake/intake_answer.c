#include "intake/reply_parts.h"

#include <stdio.h>
#include <string.h>

#include "base/json.h"
#include "play/facts.h"

bool visit_is_person(const struct visit *visit)
{
    enum message_kind kind = visit->msg->kind;
    return kind == MAIL_PERSON ||
           (visit->sender && (kind == MAIL_NAMED || (kind == MAIL_BULK && visit->taken)));
}

bool visit_may_count(const struct visit *visit)
{
    return visit_is_person(visit) || (visit->sender && visit->msg->kind == MAIL_BULK);
}

static struct mail_id answer_id(struct visit *visit)
{
    int number = visit->answers++;
    if (visit->leaves_open)
        return visit->question;
    return visit->of_registry ? mail_id_record(REGISTRY_GAME, visit->batch->log.seq, 0)
                              : mail_id_digested(visit->msg->digest, number);
}

/* ---- limits ---- */

bool visit_is_to_us(const struct visit *visit)
{
    return vouching_to_us(visit->reading->domain, visit->msg, visit->batch->league);
}

void visit_vouched(struct visit *visit, bool ours)
{
    const struct mail_proof *proof = &visit->reading->domain->proof;
    visit->by_domain = true;
    visit->claim = (struct budget_claim){.proof = ours ? PROOF_TEXT : PROOF_SERVER, .elsewhere = !ours};
    (void)snprintf(visit->claim.player, sizeof visit->claim.player, "%s", visit->sender->name);
    memcpy(visit->claim.text, proof->content, sizeof visit->claim.text);
}

void visit_typed(struct visit *visit, struct slice typed, const char *game, int turn)
{
    visit->cut = true;
    str_clear(&visit->wrote);
    str_addslice(&visit->wrote, typed);
    (void)snprintf(visit->wrote_for, sizeof visit->wrote_for, "%s %d", game, turn);
}

void visit_was_seen(struct visit *visit)
{
    verdict_say(&visit->verdict, "seen_mail", NULL);
    visit->verdict.silence = SILENCE_SEEN;
}

int visit_has_counted(const struct visit *visit, const char *game, bool *counted, struct err *err)
{
    struct batch_game *entry;
    struct err why = ERR_INIT;
    struct str journal = STR_INIT;
    *counted = false;
    if (batch_game(visit->batch, game, &entry, &why))
        return 0;
    const struct step_before before = batch_before(entry);
    int rc = before.journal(before.arg, &journal, err);
    *counted = rc == 0 && record_lines_hold(slice_str(&journal), "mail", visit->msg->digest);
    str_release(&journal);
    return rc;
}

/* May the answer leave? */
static int allow(struct visit *visit, const char *address, const struct words *words, struct budget *budget,
                 struct err *err)
{
    const struct slice subject = slice_of(visit->msg->subject), bare = subject_bare(subject);
    struct budget_unread unread = {.address = address, .mail = visit->msg->digest, .subject = bare};
    visit->understood |= words->understood;
    if (!visit->by_domain || visit->understood)
        return budget_take(visit->batch, address, &visit->claim, budget, err);
    unread.answers = visit->cut || bare.len < slice_trim(subject).len;
    if (!visit->cut) { /* it answers no mail that is open */
        struct reply reply = {0};
        int rc = reply_cut(REPLY_VERSION, &visit->reading->domain->body, (struct slice){"", 0}, &reply, err);
        /* without what may be the attribution of the quote */
        visit_typed(visit, slice_sub(slice_str(&reply.typed), 0, reply.lead ? reply.lead : reply.typed.len),
                    "", 0);
        reply_release(&reply);
        if (rc)
            return -1;
    }
    unread.text = slice_str(&visit->wrote);
    unread.about = visit->wrote_for;
    unread.elsewhere = visit->claim.elsewhere;
    return budget_take_unread(visit->batch, &unread, &visit->claim, budget, err);
}

static enum silence silence_of(const struct budget *budget)
{
    switch (budget->fate) {
    case BUDGET_SAME: return SILENCE_SAME;
    case BUDGET_PAUSED: return SILENCE_PAUSED;
    case BUDGET_SPENT: return SILENCE_SPENT;
    case BUDGET_STOPPED: return SILENCE_STOPPED;
    case BUDGET_BANNED: return SILENCE_BANNED;
    case BUDGET_LEFT:
    case BUDGET_LAST:
    case BUDGET_PAUSES:
    case BUDGET_REPEATS:
    case BUDGET_CLOSES: break;
    }
    return SILENCE_NONE;
}

/* ---- answers ---- */

/* Puts an answer into the batch if the address has budget left. */
static int answer_to(struct visit *visit, const char *address, const char *name, const struct words *words,
                     struct err *err)
{
    struct batch *batch = visit->batch;
    struct letters letters = batch_letters(batch);
    struct budget budget;
    struct outgoing mail;
    letters.unproved = !*visit->reading->vouched &&
                       !vouching_from(visit->reading->domain, visit->msg->from) &&
                       (visit->claim.proof == PROOF_NONE || visit->claim.proof == PROOF_INVITE);
    letters.came = visit->incoming->size;
    int rc = allow(visit, address, words, &budget, err);
    for (size_t i = 0; rc == 0 && budget_allows(&budget) && visit->asks && visit->asks[i]; i++)
        rc = reply_leave_open(visit->asks[i], err);
    if (rc == 0 && budget_allows(&budget)) {
        facts_limit(words->facts,
                    budget.fate == BUDGET_PAUSES    ? "alike"
                    : budget.fate == BUDGET_CLOSES  ? "unread"
                    : budget.fate == BUDGET_REPEATS ? "same"
                    : *name                         ? "player"
                                                    : "stranger",
                    budget.fate == BUDGET_LEFT ? 0 : budget.until);
        const struct answer answer = {.kind = words->kind,
                                      .folder = words->folder,
                                      .facts = words->facts,
                                      .attach = words->attach,
                                      .about = words->about,
                                      .to = address,
                                      .to_name = name,
                                      .reply_to = visit->reply_to,
                                      .id = answer_id(visit)};
        letters.answered = visit->msg;
        json_object_set_new(words->facts, "partly", json_boolean(visit->several || visit->taken));
        if (visit->unread)
            facts_not_read(words->facts, visit->unread, false);
        rc = letters_answer(&letters, &answer, &mail, err);
        if (rc == 0) {
            mail.of_record = visit->leaves_open;
            batch_mail_add(batch, &mail);
        }
        visit->said |= rc == 0;
    }
    if (rc == 0)
        visit->verdict.silence = silence_of(&budget);
    json_decref(words->facts);
    return rc;
}

/* What the log says of the text at hand, unless more was said of it already. */
static void say_answer(struct visit *visit, const struct words *words)
{
    verdict_say(&visit->verdict, words->kind, json_object_get(words->facts, "why"));
    if (!visit_is_person(visit))
        visit->verdict.silence = SILENCE_MACHINE;
}

const char *visit_answer_address(const struct visit *visit, const struct player *player,
                                 const struct words *words)
{
    return words->about ? player->address : player_answer_address(player, visit->msg->from);
}

int visit_answer_sender_in(struct visit *visit, const struct words *words, struct err *err)
{
    const char *address =
        visit->sender ? visit_answer_address(visit, visit->sender, words) : visit->msg->from;
    say_answer(visit, words);
    if (!*address)
        visit->verdict.silence = SILENCE_NO_SENDER;
    if (!visit_is_person(visit) || visit->answered || !*address) {
        json_decref(words->facts);
        return 0;
    }
    visit->answered = true;
    json_object_set_new(words->facts, "registered", json_boolean(visit->sender != NULL));
    return answer_to(visit, address, visit->sender ? visit->sender->name : "", words, err);
}

int visit_answer_sender(struct visit *visit, const char *kind, json_t *facts, struct err *err)
{
    return visit_answer_sender_in(visit, &(struct words){.kind = kind, .folder = "", .facts = facts}, err);
}

int visit_answer_player_in(struct visit *visit, const char *player, const struct words *words,
                           struct err *err)
{
    const struct player *who = registry_find(&visit->batch->registry, player);
    say_answer(visit, words);
    if (!who)
        visit->verdict.silence = SILENCE_NO_SENDER;
    if (!visit_is_person(visit) || visit->answered || !who) {
        json_decref(words->facts);
        return 0;
    }
    visit->answered = true;
    json_object_set_new(words->facts, "registered", json_true());
    return answer_to(visit, visit_answer_address(visit, who, words), who->name, words, err);
}

int visit_answer_player(struct visit *visit, const char *player, const char *kind, json_t *facts,
                        struct err *err)
{
    return visit_answer_player_in(visit, player, &(struct words){.kind = kind, .folder = "", .facts = facts},
                                  err);
}

int visit_answer_banned(struct visit *visit, const char *player, const char *game, struct err *err)
{
    bool counted;
    if (visit_has_counted(visit, game, &counted, err))
        return -1;
    if (!counted)
        return visit_answer_player(visit, player, "banned_orders", json_object(), err);
    visit_was_seen(visit);
    return 0;
}
