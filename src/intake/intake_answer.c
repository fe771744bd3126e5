#include "intake/intake_parts.h"

#include "base/json.h"

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
    return visit->of_registry ? mail_id_record(REGISTRY_GAME, visit->batch->log.seq, 0)
                              : mail_id_digested(visit->msg->digest, number);
}

/* Puts an answer into the batch if the address has budget left. */
static int answer_to(struct visit *visit, const char *address, const char *name, const struct words *words,
                     struct err *err)
{
    struct batch *batch = visit->batch;
    struct letters letters = batch_letters(batch);
    bool allowed = false;
    struct outgoing mail;
    letters.unproved =
        !*visit->reading->vouched && (visit->claim.proof == PROOF_NONE || visit->claim.proof == PROOF_INVITE);
    letters.came = visit->incoming->size;
    int rc = budget_take(batch, address, &visit->claim, &allowed, err);
    if (rc == 0 && allowed) {
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
        rc = letters_answer(&letters, &answer, &mail, err);
        if (rc == 0)
            batch_mail_add(batch, &mail);
    }
    if (rc == 0 && !allowed)
        visit->verdict.silence = "over budget";
    json_decref(words->facts);
    return rc;
}

/* What the log says of the text at hand, unless more was said of it already. */
static void say_answer(struct visit *visit, const struct words *words)
{
    verdict_say(&visit->verdict, words->kind, json_object_get(words->facts, "why"));
    if (!visit_is_person(visit))
        visit->verdict.silence = "no person wrote it";
}

int visit_answer_sender_in(struct visit *visit, const struct words *words, struct err *err)
{
    const char *address = visit->sender ? visit->sender->address : visit->msg->from;
    say_answer(visit, words);
    if (!*address)
        visit->verdict.silence = "it has no sender";
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
    return visit_answer_sender_in(visit, &(struct words){kind, "", facts, NULL, NULL}, err);
}

int visit_answer_player_in(struct visit *visit, const char *player, const struct words *words,
                           struct err *err)
{
    const struct player *who = registry_find(&visit->batch->registry, player);
    say_answer(visit, words);
    if (!visit_is_person(visit) || visit->answered || !who) {
        json_decref(words->facts);
        return 0;
    }
    visit->answered = true;
    json_object_set_new(words->facts, "registered", json_true());
    return answer_to(visit, who->address, who->name, words, err);
}

int visit_answer_player(struct visit *visit, const char *player, const char *kind, json_t *facts,
                        struct err *err)
{
    return visit_answer_player_in(visit, player, &(struct words){kind, "", facts, NULL, NULL}, err);
}
