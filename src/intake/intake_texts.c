#include "intake/reply_parts.h"

#include <sodium.h>
#include <stdio.h>
#include <string.h>

#include "base/json.h"
#include "base/log.h"
#include "batch/absent.h"
#include "batch/at_hand.h"
#include "batch/bounced.h"
#include "play/press.h"
#include "petitions/keyless.h"
#include "batch/tell.h"
#include "petitions/newcomer.h"
#include "petitions/petition.h"
#include "petitions/registration.h"
#include "petitions/reply_petition.h"
#include "petitions/requests.h"
#include "petitions/stop.h"
#include "league/domain_root.h"
#include "league/reply_token.h"
#include "batch/signer.h"

/* The file of the mail's player cannot be read: it waits where it is until somebody has fixed that. */
static int keep(struct visit *visit, const char *player)
{
    log_warn("a mail of %s stays in the mailbox until players/%s.json can be read", player, player);
    verdict_say(&visit->verdict, "the file of its player cannot be read", NULL);
    visit->kept = true;
    return 0;
}

/* A valid signature: what does the text say? */
static int act(struct visit *visit, struct opened *opened, struct err *err)
{
    struct err why = ERR_INIT;
    struct batch_game *entry;
    visit->hides |= press_hides(slice_str(&opened->text));
    if (frame_receive(slice_str(&opened->exact), slice_str(&opened->text), &opened->frame, &why))
        return visit_answer_opened(visit, opened,
                                   &(struct words){.kind = "bad_frame",
                                                   .folder = "",
                                                   .facts = json_pack("{s:o}", "error", reason_said(&why))},
                                   err);
    verdict_about(&visit->verdict, &opened->frame);
    const struct player *player = registry_find(&visit->batch->registry, opened->player);
    if (opened->frame.kind != FRAME_ORDERS && *opened->player && !player)
        return keep(visit, opened->player);
    if (opened->frame.kind != FRAME_ORDERS)
        return visit_hear(visit, opened, err);
    if (player && player->banned)
        return visit_answer_banned(visit, opened->player, opened->frame.game, err);
    if (!*opened->frame.game)
        return visit_answer_player(visit, opened->player, "no_game", json_object(), err);
    if (batch_game(visit->batch, opened->frame.game, &entry, &why)) {
        visit->kept = why.code != ERR_MISSING;
        visit_is_stale(visit);
        if (visit->kept)
            verdict_say(&visit->verdict, "its game cannot be read", NULL);
        return visit->kept ? 0
                           : visit_answer_player(visit, opened->player, "unknown_game",
                                                 json_pack("{s:s}", "game", opened->frame.game), err);
    }
    return visit_orders(visit, entry, opened, err);
}

/* ---- signatures ---- */

/* A valid text with an unregistered key can only be a petition that such people may send. */
static bool open_newcomer(struct opened *opened)
{
    struct err why = ERR_INIT;
    struct frame frame;
    if (!newcomer_open(opened->envelope, &opened->key, &opened->exact, &opened->text) ||
        frame_parse(slice_str(&opened->text), &frame, &why))
        return false;
    const struct petition *petition = petition_find(frame.verb);
    return petition && (petition->needs & PETITION_NEWCOMER);
}

/* Whose signature was valid. */
static void claim_text(struct visit *visit, const struct opened *opened)
{
    const struct player *player = registry_find(&visit->batch->registry, opened->player);
    bool own = player && player_has_address(player, visit->msg->from);
    struct budget_claim *claim = &visit->claim;
    crypto_generichash_state state;
    *claim = (struct budget_claim){.proof = own ? PROOF_TEXT : PROOF_KEY};
    memcpy(claim->player, opened->player, sizeof claim->player);
    crypto_generichash_init(&state, NULL, 0, sizeof claim->text);
    crypto_generichash_update(&state, (const unsigned char *)opened->player, sizeof opened->player);
    crypto_generichash_update(&state, (const unsigned char *)opened->text.p, opened->text.len);
    crypto_generichash_final(&state, claim->text, sizeof claim->text);
}

/* The sender's keys cannot be read: it may be one of them. */
static bool keys_damaged(struct visit *visit)
{
    if (!visit->sender || !keyring_damaged(&visit->batch->keyring, visit->sender->name))
        return false;
    log_warn("a mail of %s stays in the mailbox until keys/%s.pub can be read", visit->sender->name,
             visit->sender->name);
    verdict_say(&visit->verdict, "the keys of its sender cannot be read", NULL);
    visit->kept = true;
    return true;
}

static int answer_unknown(struct visit *visit, struct envelope *envelope, struct err *err)
{
    bool absent = false;
    if (keys_damaged(visit))
        return 0;
    if (absent_key(visit->batch, &envelope->sig.key, &absent, err))
        return -1;
    if (absent) {
        log_warn("a mail by a key of a player whose keys cannot be read stays in the mailbox");
        verdict_say(&visit->verdict, "the keys of its player cannot be read", NULL);
        visit->kept = true;
        return 0;
    }
    char key[KEY_FINGERPRINT];
    pubkey_fingerprint(key, &envelope->sig.key);
    bool by_mail = visit->batch->league->config.league.registration != REGISTRATION_CLOSED;
    json_t *facts = json_pack("{s:s,s:b}", "key", key, "by_mail", by_mail);
    if (by_mail && newcomer_lacks_key(envelope))
        json_object_set_new(facts, "lacks_key", json_pack("{s:s}", "tool", pubkey_tool(&envelope->sig.key)));
    return visit_answer_sender(visit, "unknown_key", facts, err);
}

/* Told to the owner of the key that the signature holds, and to the sender if that is somebody else. The
 * owner of a key with that number is not involved: anybody can write a number below a text. */
static int answer_bad(struct visit *visit, const struct envelope *envelope, const struct err *why,
                      struct err *err)
{
    const struct keyring_entry *entry;
    int rc = 0;
    if (keys_damaged(visit))
        return 0;
    if (work_over(&visit->reading->work)) {
        struct err over = ERR_INIT;
        (void)work_refuse(&over);
        return visit_answer_sender(visit, "bad_block", json_pack("{s:o}", "error", reason_said(&over)), err);
    }
    if (signature_is_numbered(&envelope->sig))
        return visit_answer_sender(visit, "bad_signature", json_pack("{s:o}", "error", reason_said(why)),
                                   err);
    if (keyring_lookup(&visit->batch->keyring, &envelope->sig, &entry, 1)) {
        const struct player *owner = registry_find(&visit->batch->registry, entry->player);
        if (!owner && registry_damaged(&visit->batch->registry, entry->player))
            return keep(visit, entry->player);
        if (!owner || !player_has_address(owner, visit->msg->from)) {
            visit->claim.proof = PROOF_KEY; /* anybody may name a key */
            (void)snprintf(visit->claim.player, sizeof visit->claim.player, "%s", entry->player);
        }
        rc = visit_answer_player(visit, entry->player, "bad_signature",
                                 json_pack("{s:o}", "error", reason_said(why)), err);
        visit->claim = visit->plain;
        if (owner == visit->sender)
            return rc;
    }
    if (rc == 0 && visit_is_person(visit) && *visit->msg->from) {
        visit->answered = false;
        rc = visit_answer_sender(visit, "bad_signature", json_pack("{s:o}", "error", reason_said(why)), err);
    }
    return rc;
}

/* Handles a text of a registered key according to its kind. */
static int take_signed(struct visit *visit, struct opened *opened, struct err *err)
{
    if (registry_damaged(&visit->batch->registry, opened->player))
        return keep(visit, opened->player);
    if (!*visit->signer)
        memcpy(visit->signer, opened->player, sizeof visit->signer);
    claim_text(visit, opened);
    hand_signed(visit->batch->league->hands, opened->player, "", 0);
    return bounced_heard(visit->batch, opened->player, visit->msg->from, err) ? -1 : act(visit, opened, err);
}

int visit_envelope(struct visit *visit, struct envelope *envelope, bool known, bool *done, struct err *err)
{
    struct opened opened = {.envelope = envelope, .body = STR_INIT};
    struct signer signer = {
        .sender = visit->sender ? visit->sender->name : NULL, .exact = STR_INIT, .text = STR_INIT};
    bool ssh = !signature_is_numbered(&envelope->sig);
    int rc = 0;
    enum signer_fate fate = signer_find(&visit->batch->keyring, envelope, &signer);
    opened.exact = signer.exact;
    opened.text = signer.text;
    visit->claim = visit->plain;
    *done = fate == SIGNER_GOOD || !known || (fate == SIGNER_BAD && ssh);
    if (fate == SIGNER_GOOD) {
        memcpy(opened.player, signer.player, sizeof opened.player);
        opened.key = signer.key;
        rc = take_signed(visit, &opened, err);
    } else if (*done) {
        /* A number that others have too keeps nobody out. */
        if ((fate == SIGNER_UNKNOWN || !ssh) && open_newcomer(&opened))
            rc = act(visit, &opened, err);
        else if (!visit_is_dear(visit))
            rc = fate == SIGNER_UNKNOWN ? answer_unknown(visit, envelope, err)
                                        : answer_bad(visit, envelope, &signer.why, err);
    }
    str_release(&opened.exact);
    str_release(&opened.text);
    str_release(&opened.body);
    return rc;
}

static int answer_unsigned(struct visit *visit, struct err *err)
{
    const struct petition *petition = request_text(visit->msg);
    json_t *facts = json_pack("{s:b}", "petition", petition != NULL);
    if (petition)
        json_object_set_new(facts, "verb", json_string(petition->verb));
    return visit_answer_sender(visit, "unsigned", facts, err);
}

int visit_broken(struct visit *visit, struct err *err)
{
    return visit_answer_sender(visit, "bad_block",
                               json_pack("{s:o}", "error", json_incref(visit->reading->why)), err);
}

/* Is it an answer to a mail of ours to a player, by its address or by its subject? */
static bool answers_ours(const struct visit *visit)
{
    const struct config *config = &visit->batch->league->config;
    struct slice token, subject = slice_trim(slice_of(visit->msg->subject));
    struct batch_game *entry;
    struct err why = ERR_INIT;
    char id[GAME_NAME];
    return reply_token_in(slice_of(visit->msg->to), config->league.address, config_detail(config), &token) ||
           (subject_bare(subject).len < subject.len && reply_subject_game(visit, id) &&
            batch_game(visit->batch, id, &entry, &why) == 0);
}

/* Neither a yes nor a no was found in an answer to an invitation. */
static int ask_invited(struct visit *visit, const char *reply_to, struct err *err)
{
    visit->reply_to = reply_to;
    int rc = visit_answer_sender(visit, "ask_invited", json_object(), err);
    visit->reply_to = NULL;
    return rc;
}

/* Their last word about the game that the subject names, where they are out of it; NULL: they are not. New reference. */
static json_t *why_out(struct visit *visit)
{
    char id[GAME_NAME];
    struct batch_game *entry;
    struct err why = ERR_INIT;
    struct score scores[SEATS_MAX + 1] = {{0}};
    if (!visit->sender || !reply_subject_game(visit, id) || batch_game(visit->batch, id, &entry, &why))
        return NULL;
    const struct game *game = &entry->game;
    const int seat = game_seat_of(game, visit->sender->name);
    if (!seat || !game->turn || game->over)
        return NULL;
    game->ruleset->end.scores(game->cards, game->state, scores);
    return scores[seat].fate == SEAT_LOST ? reason_make("out game=%s", game->id) : NULL;
}

static int answer_nothing(struct visit *visit, struct err *err)
{
    json_t *out = why_out(visit);
    if (out)
        return visit_answer_sender(visit, "reply_stale", json_pack("{s:o}", "why", out), err);
    struct str reply_to = STR_INIT;
    if (!visit->sender && keyless_invited(visit->batch->league, visit->msg, &reply_to)) {
        int rc = ask_invited(visit, reply_to.p, err);
        str_release(&reply_to);
        return rc;
    }
    const char *meant = request_meant(visit->msg);
    const char *topic = request_topic(visit->msg);
    bool moderated = visit->sender && *visit->batch->league->config.league.moderators;
    json_t *facts = json_pack("{s:b,s:b,s:b}", "other_address", !visit->sender && answers_ours(visit), topic,
                              1, "moderated", moderated);
    if (meant)
        json_object_set_new(facts, "meant", json_string(meant));
    if (!visit->sender && *visit->msg->from && strcmp(topic, "topic_address") == 0) {
        json_object_set_new(facts, "has_form", json_true());
        json_object_set_new(facts, "form", registration_address_form(visit->batch, visit->msg->from));
    }
    return visit_answer_sender(visit, "nothing", facts, err);
}

/* They are a player now, and the same words take the seat of which their invitation spoke. */
static int join_invited(struct visit *visit, const char *game, struct err *err)
{
    struct batch_game *entry;
    struct str text = STR_INIT;
    visit->sender = registry_by_address(&visit->batch->registry, visit->msg->from);
    if (batch_game(visit->batch, game, &entry, err))
        return -1;
    const struct reply_about by = {visit->batch->league, &visit->reading->domain->proof, &entry->game};
    reply_wish(&text, &(struct reply_wish){"join", visit->sender->name, {"", 0}}, &by);
    int rc = visit_hear_text(visit, slice_str(&text), true, err);
    str_release(&text);
    return rc;
}

/* A mail that is all that its sender has to prove who they are. *found: it is dealt with. */
static int visit_keyless(struct visit *visit, bool *found, struct err *err)
{
    const struct vouching *vouching = visit->reading->domain;
    const struct keyless_mail mail = {visit->msg, vouching};
    struct keyless keyless;
    *found = false;
    if (!vouching || vouching->state != VOUCHING_GOOD || !visit_is_person(visit))
        return 0;
    if (keyless_hear(visit->batch, &mail, visit->sender, &keyless, err)) {
        str_release(&keyless.reply_to);
        return -1;
    }
    *found = keyless.fate != KEYLESS_NONE;
    visit->taken |= *found;
    if (*found && reply_meet(visit, err)) {
        str_release(&keyless.reply_to);
        json_decref(keyless.request.facts);
        return -1;
    }
    if (*found && !visit->sender) {
        visit->by_domain = true;
        visit->claim =
            (struct budget_claim){.proof = PROOF_SERVER, .asked = true, .elsewhere = visit->plain.elsewhere};
        (void)snprintf(visit->claim.domain, sizeof visit->claim.domain, "%s",
                       domain_root(vouching->claim.from.domain));
    }
    if (keyless.fate == KEYLESS_DONE)
        verdict_say(&visit->verdict, "taken", NULL);
    else if (keyless.fate == KEYLESS_SILENT)
        visit_was_seen(visit);
    visit->reply_to = keyless.reply_to.p;
    int rc = keyless.fate == KEYLESS_ANSWER
                 ? visit_answer_sender_in(visit,
                                          &(struct words){.kind = keyless.request.kind,
                                                          .folder = "",
                                                          .facts = keyless.request.facts,
                                                          .understood = keyless.understood},
                                          err)
                 : 0;
    visit->reply_to = NULL;
    str_release(&keyless.reply_to);
    return rc == 0 && *keyless.joins ? join_invited(visit, keyless.joins, err) : rc;
}

/* Where mail domains are believed: why this one was not, for whoever wants to register. */
static void add_domain(const struct visit *visit, json_t *facts)
{
    const struct vouching *vouching = visit->reading->domain;
    if (!vouching || !vouching->why || visit->sender)
        return;
    json_object_set_new(facts, "domain_later", json_boolean(vouching->state == VOUCHING_LATER));
    if (vouching->state == VOUCHING_REFUSED)
        json_object_set(facts, "domain_why", vouching->why);
}

/* Who wants no more mails gets one that says so. */
static int hear_stop(struct visit *visit, bool *found, struct request *request, struct err *err)
{
    const struct stop_mail mail = {visit->msg, visit->sender, visit->reading->domain};
    const int64_t before = visit->batch->log.seq;
    if (stop_read(visit->batch, &mail, found, request, err))
        return -1;
    bool done = visit->batch->log.seq > before;
    visit->claim.asked |= done;
    const struct player *who = registry_by_address(&visit->batch->registry, visit->msg->from);
    const struct tell what = {.words = request->kind, .facts = request->facts};
    const char *second = done && who ? player_second(who, HEARS_ACCOUNT) : "";
    return *second ? tell_address(visit->batch, &what, second, who->name, err) : 0;
}

static int answer_request(struct visit *visit, const struct request *request, struct err *err)
{
    visit->taken = true;
    return visit_answer_sender_in(
        visit,
        &(struct words){
            .kind = request->kind, .folder = request->folder, .facts = request->facts, .understood = true},
        err);
}

int visit_plain(struct visit *visit, bool unsigned_orders, struct err *err)
{
    struct request request;
    bool found = false, elsewhere = false;
    bool person = visit_is_person(visit);
    int rc = visit_await_domain(visit, &found, err);
    if (rc == 0 && !found)
        rc = visit_keyless(visit, &found, err);
    if (rc || found)
        return rc;
    if (person)
        newcomer_request(visit->batch, visit->msg, visit->sender, &found, &request);
    if (person && found)
        add_domain(visit, request.facts);
    if (person && !found && hear_stop(visit, &found, &request, err))
        return -1;
    if (found)
        return answer_request(visit, &request, err);
    if (person && request_read(visit->batch, visit->msg, &found, &request, err))
        return -1;
    /* "help" above a quoted report is a request; "join gc-17" above the text of a petition is not all of it.
     */
    if (unsigned_orders && (!found || strcmp(request.kind, "ask_petition") == 0)) {
        if (found)
            json_decref(request.facts);
        return answer_unsigned(visit, err);
    }
    rc = found ? 0 : visit_elsewhere(visit, &elsewhere, err);
    if (rc || elsewhere)
        return rc;
    if (!found)
        return visit->reading->broken ? visit_broken(visit, err) : answer_nothing(visit, err);
    return answer_request(visit, &request, err);
}

bool visit_pastes_key(const struct visit *visit)
{
    struct request request;
    bool found = false;
    newcomer_request(visit->batch, visit->msg, visit->sender, &found, &request);
    json_decref(request.facts);
    return found;
}
