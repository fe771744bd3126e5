#include "intake/intake.h"

#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/encode.h"
#include "base/json.h"
#include "base/log.h"
#include "base/mem.h"
#include "batch/absent.h"
#include "batch/at_hand.h"
#include "batch/bounced.h"
#include "batch/budget.h"
#include "batch/mail_log.h"
#include "play/facts.h"
#include "play/press.h"
#include "petitions/newcomer.h"
#include "petitions/petition.h"
#include "petitions/requests.h"
#include "petitions/stop.h"
#include "batch/signer.h"
#include "batch/stuck.h"
#include "intake/verdict.h"
#include "publish/suspicion.h"
#include "trust/canon.h"

/* One mail on its way through. */
struct visit {
    struct batch *batch;
    const struct incoming *incoming;
    struct reading *reading;
    const struct message *msg;   /* the reading's */
    const struct player *sender; /* the player that From: claims to be, NULL = a stranger */
    bool answered;               /* at most one answer per mail, not counting receipts */
    int answers;
    bool taken; /* some of its orders were accepted, tried, or known */
    bool kept;
    bool worked[ENVELOPES_MAX]; /* texts of it that are finished, even if another one waits */
    char signer[PLAYER_NAME];   /* of the first text whose signature was valid, "" = none of our players */
    struct budget_claim plain;  /* what the mail without its signatures is worth */
    struct budget_claim claim;  /* what is known of the sender, by the current text */
    char *touched;
    size_t tries;     /* verifications of keys that share their number: those that are left */
    bool of_registry; /* the answer belongs to the registry's last record */
    struct verdict verdict;
    bool hides; /* one of its texts is grey press */
};

/* ---- answers ---- */

/* Is there a person who may be answered? A name alone does not make a player a machine. */
static bool is_person(const struct visit *visit)
{
    return visit->msg->kind == MAIL_PERSON || (visit->msg->kind == MAIL_NAMED && visit->sender);
}

static struct mail_id answer_id(struct visit *visit)
{
    int number = visit->answers++;
    return visit->of_registry ? mail_id_record(REGISTRY_GAME, visit->batch->log.seq, 0)
                              : mail_id_digested(visit->msg->digest, number);
}

/* What an answer says. Functions that get these words take ownership of the facts. */
struct words {
    const char *kind;
    const char *folder; /* with the words of a game's ruleset; "" = none */
    json_t *facts;
    json_t *attach; /* files; borrowed, or NULL */
};

/* Puts an answer into the batch if the address has budget left. */
static int answer_to(struct visit *visit, const char *address, const char *name, const struct words *words,
                     struct err *err)
{
    struct batch *batch = visit->batch;
    struct letters letters = batch_letters(batch);
    bool allowed = false;
    struct outgoing mail;
    letters.unproved =
        !*visit->reading->vouched && visit->claim.proof != PROOF_KEY && visit->claim.proof != PROOF_TEXT;
    letters.came = visit->incoming->size;
    int rc = budget_take(batch, address, &visit->claim, &allowed, err);
    if (rc == 0 && allowed) {
        const struct answer answer = {.kind = words->kind,
                                      .folder = words->folder,
                                      .facts = words->facts,
                                      .attach = words->attach,
                                      .to = address,
                                      .to_name = name,
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
    if (!is_person(visit))
        visit->verdict.silence = "no person wrote it";
}

/* An answer to whoever wrote; none to machines. */
static int answer_sender_in(struct visit *visit, const struct words *words, struct err *err)
{
    const char *address = visit->sender ? visit->sender->address : visit->msg->from;
    say_answer(visit, words);
    if (!*address)
        visit->verdict.silence = "it has no sender";
    if (!is_person(visit) || visit->answered || !*address) {
        json_decref(words->facts);
        return 0;
    }
    visit->answered = true;
    json_object_set_new(words->facts, "registered", json_boolean(visit->sender != NULL));
    return answer_to(visit, address, visit->sender ? visit->sender->name : "", words, err);
}

static int answer_sender(struct visit *visit, const char *kind, json_t *facts, struct err *err)
{
    return answer_sender_in(visit, &(struct words){kind, "", facts, NULL}, err);
}

/* An answer to a player whose signature was valid (or whose key was claimed). */
static int answer_player_in(struct visit *visit, const char *player, const struct words *words,
                            struct err *err)
{
    const struct player *who = registry_find(&visit->batch->registry, player);
    say_answer(visit, words);
    if (!is_person(visit) || visit->answered || !who) {
        json_decref(words->facts);
        return 0;
    }
    visit->answered = true;
    json_object_set_new(words->facts, "registered", json_true());
    return answer_to(visit, who->address, who->name, words, err);
}

static int answer_player(struct visit *visit, const char *player, const char *kind, json_t *facts,
                         struct err *err)
{
    return answer_player_in(visit, player, &(struct words){kind, "", facts, NULL}, err);
}

/* ---- orders ---- */

static const char *const fate_kinds[] = {
    [ORDERS_TAKEN] = "taken",
    [ORDERS_TRIED] = "tried",
    [ORDERS_SEEN_MAIL] = "seen_mail",
    [ORDERS_SEEN_TEXT] = "seen_text",
    [ORDERS_REPLACED] = "replaced",
    [ORDERS_COPY] = "copied",
    [ORDERS_UNDONE] = "undone",
    [ORDERS_LOWER_SEQ] = "lower_seq",
    [ORDERS_OLD_TURN] = "old_turn",
    [ORDERS_FUTURE_TURN] = "future_turn",
    [ORDERS_OTHER_TURN] = "other_turn",
    [ORDERS_NO_TURN] = "no_turn",
    [ORDERS_OLD_HEAD] = "old_head",
    [ORDERS_UNKNOWN_HEAD] = "unknown_head",
    [ORDERS_NOT_AWAITED] = "not_awaited",
    [ORDERS_GAME_OVER] = "game_over",
    [ORDERS_NOT_BEGUN] = "not_begun",
    [ORDERS_CLOSED] = "closed_turn",
    [ORDERS_WRONG_KEY] = "wrong_key",
    [ORDERS_NO_HEAD] = "no_head",
    [ORDERS_TOO_MANY] = "too_many",
};

/* A signed text whose signature was valid. */
struct opened {
    char player[PLAYER_NAME]; /* "": nobody's key */
    struct envelope *envelope;
    struct pubkey key;
    struct str exact, text;
    struct frame frame;
    int seat; /* their seat in the game that the frame names; 0 = none */
};

/* An answer to a text that anybody who has seen it may have sent: it was obeyed before, or its time is over,
 * and the texts of finished games are all published. */
static void is_stale(struct visit *visit)
{
    if (visit->claim.proof == PROOF_TEXT)
        visit->claim.proof = PROOF_KEY;
}

static bool stale_fate(enum orders_fate fate)
{
    return orders_copied(fate) || fate == ORDERS_OLD_TURN || fate == ORDERS_GAME_OVER ||
           fate == ORDERS_LOWER_SEQ || fate == ORDERS_WRONG_KEY;
}

static int answer_fate(struct visit *visit, const struct game *game, const struct opened *opened,
                       enum orders_fate fate, struct err *err)
{
    int seat = opened->seat;
    verdict_say(&visit->verdict, fate_kinds[fate], NULL);
    if (fate == ORDERS_SEEN_MAIL)
        return 0;
    if (fate == ORDERS_UNKNOWN_HEAD)
        log_warn("game %s: orders of %s answer head %s, which this journal does not hold: a fork, a rollback "
                 "or a forged "
                 "report; look into it",
                 game->id, opened->player, opened->frame.head);
    json_t *facts = json_pack("{s:s,s:s,s:i,s:i,s:i,s:s}", "game", game->id, "title", game->ruleset->title,
                              "turn", game->turn, "frame_turn", opened->frame.turn, "seq",
                              game->seat[seat].orders.seq, "frame_head", opened->frame.head);
    facts_answer(facts, game, seat);
    json_object_set_new(facts, "can_order",
                        json_boolean(!game->over && !game->closed && game_may_order(game, seat)));
    if (stale_fate(fate))
        is_stale(visit);
    return answer_player_in(visit, opened->player,
                            &(struct words){fate_kinds[fate], game->ruleset->folder, facts, NULL}, err);
}

/* Orders that are tried on a game. */
struct attempt {
    struct batch_game *entry;
    const struct opened *opened;
    struct orders_input input;
    struct step step;
};

/* A valid signature of somebody who has no seat, or no longer has it: perhaps because of this very text. */
static int orders_of_nobody(struct visit *visit, struct attempt *attempt, struct err *err)
{
    const struct opened *opened = attempt->opened;
    const struct game *game = &attempt->entry->game;
    enum orders_fate fate = ORDERS_TAKEN; /* by no seat */
    if (step_copy(&attempt->step, game, &attempt->input, &fate, err))
        return -1;
    visit->taken |= fate == ORDERS_SEEN_MAIL;
    if (orders_copied(fate))
        return answer_fate(visit, game, opened, fate, err);
    is_stale(visit);
    json_t *facts =
        json_pack("{s:s,s:s,s:i}", "game", game->id, "you", opened->player, "frame_turn", opened->frame.turn);
    return answer_player(visit, opened->player, "wrong_seat", facts, err);
}

static int orders_of_seat(struct visit *visit, struct attempt *attempt, struct err *err)
{
    const struct opened *opened = attempt->opened;
    struct step *step = &attempt->step;
    struct game *game = &attempt->entry->game;
    struct batch *batch = visit->batch;
    struct pubkey keys_now[KEYS_PER_PLAYER];
    enum orders_fate fate = ORDERS_TAKEN;
    size_t count = keyring_of(&batch->keyring, opened->player, keys_now);
    int rc = step_keys_changed(step, game, opened->seat, keys_now, count, err);
    if (rc == 0)
        rc = step_orders(step, game, &attempt->input, &fate, err);
    if (rc == 0)
        rc = step_finish(step, game, err);
    if (rc == 0)
        rc = batch_take(batch, attempt->entry, step, is_person(visit) ? visit->msg : NULL, err);
    verdict_say(&visit->verdict, fate_kinds[fate], NULL);
    if (rc == 0 && (fate == ORDERS_TAKEN || fate == ORDERS_TRIED || fate == ORDERS_SEEN_MAIL))
        visit->taken = true;
    else if (rc == 0)
        rc = answer_fate(visit, game, opened, fate, err);
    if (rc == 0 && fate == ORDERS_TAKEN)
        rc = stuck_supersede(batch, opened->player, game->id, err);
    if (rc == 0 && step->records.len)
        memcpy(visit->touched, game->id, sizeof game->id);
    return rc;
}

static int orders_for_game(struct visit *visit, struct batch_game *entry, struct opened *opened,
                           struct err *err)
{
    struct batch *batch = visit->batch;
    json_t *signature = signature_json(&opened->envelope->sig, &opened->key);
    opened->seat = game_seat_of(&entry->game, opened->player);
    struct attempt attempt = {.entry = entry,
                              .opened = opened,
                              .input = {opened->seat, &opened->frame, &opened->key, slice_str(&opened->exact),
                                        slice_str(&opened->text), signature, visit->msg->digest}};
    hand_signed(batch->league->hands, opened->player, entry->game.id, opened->frame.turn);
    batch_step(batch, entry, &attempt.step);
    int rc = opened->seat ? orders_of_seat(visit, &attempt, err) : orders_of_nobody(visit, &attempt, err);
    step_release(&attempt.step);
    json_decref(signature);
    return rc;
}

/* ---- petitions ---- */

static int answer_petition(struct visit *visit, const struct opened *opened, const struct words *words,
                           struct err *err)
{
    return *opened->player ? answer_player_in(visit, opened->player, words, err)
                           : answer_sender(visit, words->kind, words->facts, err);
}

static void say_petition(struct visit *visit, const struct hearing *hearing, enum petition_fate fate)
{
    switch (fate) {
    case PETITION_HEARD: verdict_say(&visit->verdict, "taken", NULL); break;
    case PETITION_SEEN: verdict_say(&visit->verdict, "seen_mail", NULL); break;
    case PETITION_KEPT: verdict_say(&visit->verdict, "its game cannot be read", NULL); break;
    case PETITION_REFUSED:
        verdict_say(&visit->verdict, hearing->copy ? "copied_petition" : "refused", hearing->refusal);
        break;
    }
}

/* A signed text other than orders. */
static int hear(struct visit *visit, const struct opened *opened, struct err *err)
{
    struct batch *batch = visit->batch;
    int64_t before = batch->log.seq;
    enum petition_fate fate;
    json_t *signature = signature_json(&opened->envelope->sig, &opened->key);
    struct hearing hearing = {
        .batch = batch,
        .msg = visit->msg,
        .player = *opened->player ? opened->player : NULL,
        .key = &opened->key,
        .frame = &opened->frame,
        .exact = slice_str(&opened->exact),
        .canonical = slice_str(&opened->text),
        .signature = signature,
        .envelopes = visit->reading->envelopes,
        .envelope_count = visit->reading->envelope_count,
    };
    int rc = petition_hear(&hearing, &fate, err);
    visit->sender = registry_by_address(&batch->registry, visit->msg->from); /* it may have moved */
    visit->kept |= fate == PETITION_KEPT;
    if (rc == 0)
        say_petition(visit, &hearing, fate);
    visit->taken |= fate == PETITION_HEARD || fate == PETITION_SEEN;
    if (hearing.stale)
        is_stale(visit);
    if (rc == 0 && fate == PETITION_HEARD && hearing.entry && hearing.recorded)
        memcpy(visit->touched, hearing.entry->game.id, GAME_NAME);
    if (rc == 0 && fate == PETITION_REFUSED) {
        json_t *facts = json_pack("{s:s,s:O}", "verb", opened->frame.verb, "why", hearing.refusal);
        if (!hearing.copy)
            petition_help(facts, &hearing);
        const struct words words = {hearing.copy ? "copied_petition" : "refused_petition", "", facts, NULL};
        rc = answer_petition(visit, opened, &words, err);
    }
    if (rc == 0 && fate == PETITION_HEARD && hearing.answer) {
        visit->of_registry = batch->log.seq > before;
        const struct words words = {hearing.answer, hearing.folder ? hearing.folder : "",
                                    json_incref(hearing.facts), hearing.attach};
        rc = answer_petition(visit, opened, &words, err);
        visit->of_registry = false;
    }
    hearing_release(&hearing);
    json_decref(signature);
    return rc;
}

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
        return answer_petition(visit, opened,
                               &(struct words){"bad_frame", "", json_pack("{s:s}", "error", why.text), NULL},
                               err);
    verdict_about(&visit->verdict, &opened->frame);
    const struct player *player = registry_find(&visit->batch->registry, opened->player);
    if (opened->frame.kind != FRAME_ORDERS && *opened->player && !player)
        return keep(visit, opened->player);
    if (opened->frame.kind != FRAME_ORDERS)
        return hear(visit, opened, err);
    if (player && player->banned)
        return answer_player(visit, opened->player, "banned_orders", json_object(), err);
    if (!*opened->frame.game)
        return answer_player(visit, opened->player, "no_game", json_object(), err);
    if (batch_game(visit->batch, opened->frame.game, &entry, &why)) {
        visit->kept = why.code != ERR_MISSING;
        is_stale(visit);
        if (visit->kept)
            verdict_say(&visit->verdict, "its game cannot be read", NULL);
        return visit->kept ? 0
                           : answer_player(visit, opened->player, "unknown_game",
                                           json_pack("{s:s}", "game", opened->frame.game), err);
    }
    return orders_for_game(visit, entry, opened, err);
}

/* ---- signatures ---- */

/* A valid text with an unregistered key can only be a petition that such people may send. */
static bool open_newcomer(struct visit *visit, struct opened *opened)
{
    struct err why = ERR_INIT;
    struct frame frame;
    if (!newcomer_open(opened->envelope, &visit->tries, &opened->key, &opened->exact, &opened->text) ||
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

static int answer_unknown(struct visit *visit, const struct envelope *envelope, struct err *err)
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
    return answer_sender(visit, "unknown_key", json_pack("{s:s,s:b}", "key", key, "by_mail", by_mail), err);
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
        return answer_sender(visit, "bad_block", json_pack("{s:s}", "error", over.text), err);
    }
    if (signature_is_numbered(&envelope->sig))
        return answer_sender(visit, "bad_signature", json_pack("{s:s}", "error", why->text), err);
    if (keyring_lookup(&visit->batch->keyring, &envelope->sig, &entry, 1)) {
        const struct player *owner = registry_find(&visit->batch->registry, entry->player);
        if (!owner || !player_has_address(owner, visit->msg->from)) {
            visit->claim.proof = PROOF_KEY; /* anybody may name a key */
            (void)snprintf(visit->claim.player, sizeof visit->claim.player, "%s", entry->player);
        }
        rc =
            answer_player(visit, entry->player, "bad_signature", json_pack("{s:s}", "error", why->text), err);
        visit->claim = visit->plain;
        if (owner == visit->sender)
            return rc;
    }
    if (rc == 0 && is_person(visit) && *visit->msg->from) {
        visit->answered = false;
        rc = answer_sender(visit, "bad_signature", json_pack("{s:s}", "error", why->text), err);
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

/* `known`: only if its key is registered, else it is left for later (*done is false). */
static int open_envelope(struct visit *visit, struct envelope *envelope, bool known, bool *done,
                         struct err *err)
{
    struct opened opened = {.envelope = envelope};
    struct signer signer = {.sender = visit->sender ? visit->sender->name : NULL,
                            .tries = &visit->tries,
                            .exact = STR_INIT,
                            .text = STR_INIT};
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
        if ((fate == SIGNER_UNKNOWN || !ssh) && open_newcomer(visit, &opened))
            rc = act(visit, &opened, err);
        else
            rc = fate == SIGNER_UNKNOWN ? answer_unknown(visit, envelope, err)
                                        : answer_bad(visit, envelope, &signer.why, err);
    }
    str_release(&opened.exact);
    str_release(&opened.text);
    return rc;
}

static int answer_unsigned(struct visit *visit, struct err *err)
{
    const struct petition *petition = request_text(visit->msg);
    json_t *facts = json_pack("{s:b}", "petition", petition != NULL);
    if (petition)
        json_object_set_new(facts, "verb", json_string(petition->verb));
    return answer_sender(visit, "unsigned", facts, err);
}

static int say_confirmed(struct visit *visit)
{
    verdict_say(&visit->verdict, "confirmed", NULL);
    return 0;
}

/* Neither orders nor a signature: a plain request, or somebody who does not know how to send orders. */
static int answer_plain(struct visit *visit, bool unsigned_orders, struct err *err)
{
    struct request request;
    json_t *refusal = NULL;
    bool found = false;
    bool person = is_person(visit);
    if (person && newcomer_confirm(visit->batch, visit->msg, &found, &refusal, err) == OUTCOME_FAILED)
        return -1;
    visit->taken |= found;
    if (found)
        return refusal ? answer_sender(visit, "not_confirmed", json_pack("{s:o}", "why", refusal), err)
                       : say_confirmed(visit);
    if (person)
        newcomer_request(visit->batch, visit->msg, visit->sender, &found, &request);
    if (person && !found && stop_read(visit->batch, visit->msg, visit->sender, &found, &request, err))
        return -1;
    visit->taken |= found;
    if (found)
        return answer_sender_in(visit, &(struct words){request.kind, request.folder, request.facts, NULL},
                                err);
    if (person && request_read(visit->batch, visit->msg, &found, &request, err))
        return -1;
    /* "help" above a quoted report is a request; "join gc-17" above the text of a petition is not all of it.
     */
    if (unsigned_orders && (!found || strcmp(request.kind, "ask_petition") == 0)) {
        if (found)
            json_decref(request.facts);
        return answer_unsigned(visit, err);
    }
    if (!found)
        return answer_sender(visit, "nothing", json_object(), err);
    visit->taken = true;
    return answer_sender_in(visit, &(struct words){request.kind, request.folder, request.facts, NULL}, err);
}

/* minisign's and signify's public keys look like the beginning of a signature. */
static bool pastes_key(const struct visit *visit)
{
    struct request request;
    bool found = false;
    newcomer_request(visit->batch, visit->msg, visit->sender, &found, &request);
    json_decref(request.facts);
    return found;
}

/* ---- what was already handled ---- */

/* A text of a mail that is kept, identified by the mail and its place there. */
static void text_digest(const struct visit *visit, size_t i, unsigned char digest[MESSAGE_DIGEST])
{
    struct str name = STR_INIT;
    str_addf(&name, "text %zu of ", i);
    hex_encode(&name, visit->msg->digest, MESSAGE_DIGEST);
    message_digest(digest, slice_str(&name));
    str_release(&name);
}

static void say_worked(struct visit *visit)
{
    visit->verdict.told = false;
    verdict_say(&visit->verdict, "a text: done before", NULL);
}

/* Texts that were handled earlier, while another text kept the mail. */
static int skip_worked(struct visit *visit, bool done[ENVELOPES_MAX], struct err *err)
{
    unsigned char digest[MESSAGE_DIGEST];
    size_t found = visit->reading->envelope_count;
    int rc = 0;
    for (size_t i = 0; rc == 0 && found > 1 && i < found; i++) {
        text_digest(visit, i, digest);
        rc = batch_has_seen(visit->batch, digest, &done[i], err);
        visit->worked[i] = done[i];
        visit->taken |= done[i];
        if (done[i])
            say_worked(visit);
    }
    return rc;
}

static void mark_worked(const struct visit *visit)
{
    unsigned char digest[MESSAGE_DIGEST];
    for (size_t i = 0; i < visit->reading->envelope_count; i++) {
        text_digest(visit, i, digest);
        if (visit->worked[i])
            batch_see(visit->batch, digest);
    }
}

static int open_text(struct visit *visit, size_t i, bool known, bool *done, struct err *err)
{
    bool kept = visit->kept;
    visit->kept = false;
    str_clear(&visit->verdict.about);
    visit->verdict.told = false;
    int rc = open_envelope(visit, &visit->reading->envelopes[i], known, done, err);
    visit->worked[i] = *done && !visit->kept;
    visit->kept |= kept;
    return rc;
}

static int search(struct visit *visit, struct err *err)
{
    struct reading *reading = visit->reading;
    bool done[ENVELOPES_MAX] = {false};
    size_t found = reading->envelope_count;
    int rc = skip_worked(visit, done, err);
    /* Known keys first: they may vouch for an unknown one that signed the same text. */
    for (int pass = found > 1 ? 0 : 1; pass < 2; pass++)
        for (size_t i = 0; rc == 0 && i < found; i++)
            if (!done[i])
                rc = open_text(visit, i, pass == 0, &done[i], err);
    if (rc == 0 && found == 0 && reading->broken && !pastes_key(visit))
        rc = answer_sender(visit, "bad_block", json_pack("{s:s}", "error", reading->why.text), err);
    else if (rc == 0 && found == 0)
        rc = answer_plain(visit, reading->unsigned_frames > 0, err);
    return rc;
}

/* ---- the mail ---- */

/* Remembers where a signed mail came from, and when. */
static void note_path(const struct visit *visit)
{
    struct batch *batch = visit->batch;
    if (!*visit->signer || !visit->taken || !batch->league->config.limits.paths)
        return;
    batch->news.paths =
        mem_grow(batch->news.paths, batch->news.path_count, &batch->news.path_cap, sizeof *batch->news.paths);
    struct batch_path *path = &batch->news.paths[batch->news.path_count++];
    memcpy(path->player, visit->signer, sizeof path->player);
    path->time = visit->incoming->arrived;
    suspicion_path(path->digest, batch->league->master, visit->msg->origin);
}

/* What is known of the sender before a signature is checked. */
static struct budget_claim claim_plain(const struct visit *visit)
{
    struct budget_claim claim = {.proof = *visit->reading->vouched ? PROOF_SERVER : PROOF_NONE};
    memcpy(claim.domain, visit->reading->vouched, sizeof claim.domain);
    if (!visit->sender && newcomer_invited(visit->batch, visit->msg, claim.invite))
        claim.proof = PROOF_INVITE;
    return claim;
}

static int visit_mail(struct visit *visit, struct err *err)
{
    struct batch *batch = visit->batch;
    visit->sender = registry_by_address(&batch->registry, visit->msg->from);
    visit->claim = visit->plain = claim_plain(visit);
    if (!visit->sender && registry_damaged_address(&batch->registry, visit->msg->from)) {
        log_warn("a mail from an address that stands in a damaged file of players/ stays in the mailbox");
        verdict_say(&visit->verdict, "its address is in a damaged file of players/", NULL);
        visit->kept = true;
        return 0;
    }
    if (visit->incoming->oversize)
        return answer_sender(visit, "too_large",
                             json_pack("{s:I,s:I}", "size", (json_int_t)visit->incoming->size, "limit",
                                       (json_int_t)batch->league->config.limits.mail_size),
                             err);
    if (visit->reading->unreadable)
        return answer_sender(visit, "unreadable", json_pack("{s:s}", "error", visit->reading->why.text), err);
    if (visit->msg->kind == MAIL_BOUNCE)
        return bounced_take(batch, visit->msg, visit->incoming->arrived, err);
    if (visit->msg->kind == MAIL_OWN)
        return 0;
    return search(visit, err);
}

/* It may have been a veto: a key that was requested in their name waits for as long as was left. */
static int spare_signer(struct batch *batch, const unsigned char digest[MESSAGE_DIGEST], struct err *err)
{
    struct catalog_stuck stuck;
    bool found = false;
    if (catalog_get_stuck(batch->catalog, digest, &stuck, &found, err))
        return -1;
    return found && *stuck.player ? absent_spare_rekey(batch, &stuck, err) : 0;
}

/* It has failed for three days. Its signer is told that nothing was done. */
static int give_up(struct visit *visit, const unsigned char digest[MESSAGE_DIGEST], struct err *err)
{
    char player[PLAYER_NAME];
    if (spare_signer(visit->batch, digest, err) || stuck_give(visit->batch, digest, player, err))
        return -1;
    visit->claim = (struct budget_claim){.proof = PROOF_KEY};
    memcpy(visit->claim.player, player, sizeof player);
    return *player ? answer_player(visit, player, "not_taken", json_object(), err) : 0;
}

/* What is kept of a handled mail: it is recognised by its digest from now on, unless a game's journal knows
 * it, or it has to be read again: then those of its texts are kept that need not be. */
static int remember(struct visit *visit, const unsigned char digest[MESSAGE_DIGEST], enum stuck_plan plan,
                    struct err *err)
{
    struct batch *batch = visit->batch;
    if (visit->kept)
        mark_worked(visit);
    else if (!*visit->touched)
        batch_see(batch, digest);
    note_path(visit);
    return plan == STUCK_AGAIN && !visit->kept ? stuck_mended(batch, digest, err) : 0;
}

/* A mail of which the server sends nothing: it is reported once, and requested again in each round. */
static int withheld(struct visit *visit, unsigned char digest[MESSAGE_DIGEST], struct err *err)
{
    const struct incoming *incoming = visit->incoming;
    struct str name = STR_INIT;
    bool told = false;
    str_addf(&name, "withheld %s", incoming->id);
    message_digest(digest, slice_str(&name));
    str_release(&name);
    verdict_say(&visit->verdict, "the mail server sends nothing of it yet", NULL);
    if (batch_has_seen(visit->batch, digest, &told, err))
        return -1;
    if (told)
        return 0;
    log_warn(
        "the mail server sends nothing of a mail of %zu bytes (UIDVALIDITY/UID %s): it stays in the mailbox "
        "and is asked for in each round; if it stays for long, look at it with a mail program",
        incoming->size, incoming->id);
    batch_see(visit->batch, digest);
    return 0;
}

/* Whom the answer went to, and which of the mails that came of this one it is; "" = none. */
static const char *find_answer(const struct visit *visit, size_t from)
{
    const struct batch_mails *mails = &visit->batch->mails;
    const struct player *player =
        *visit->signer ? registry_find(&visit->batch->registry, visit->signer) : visit->sender;
    for (size_t i = from; i < mails->count; i++) {
        const struct outgoing *mail = mails->list[i];
        if (mail->envelope_to && (strcasecmp(mail->envelope_to, visit->msg->from) == 0 ||
                                  (player && player_has_address(player, mail->envelope_to))))
            return mail->id;
    }
    return "";
}

/* What a visit began with, and where the mail goes. */
struct arrival {
    const struct incoming *incoming;
    struct reading *reading;
    unsigned char digest[MESSAGE_DIGEST];
    size_t mails; /* of the batch, before it */
    enum intake_fate fate;
    bool known, weak; /* it was dealt with before; nothing new is to be said about it */
};

/* Every mail that was looked at comes through here, whatever became of it. */
static void log_mail(const struct visit *visit, const struct arrival *arrival)
{
    struct catalog_mail line;
    bool read = arrival->reading->made;
    const struct logged_mail mail = {.digest = arrival->digest,
                                     .incoming = arrival->incoming,
                                     .reading = arrival->known ? NULL : arrival->reading,
                                     .signer = visit->signer,
                                     .hides = visit->hides};
    const struct verdict_end end = {arrival->fate, read ? arrival->reading->msg.kind : MAIL_PERSON,
                                    *visit->signer != '\0', arrival->known};
    mail_log_line(visit->batch, &mail, &line);
    line.verdict = verdict_of(&visit->verdict, &end);
    line.weak = arrival->weak;
    verdict_words(&visit->verdict, &end, line.words, sizeof line.words);
    if (visit->msg && *line.sender)
        (void)snprintf(line.answer, sizeof line.answer, "%s", find_answer(visit, arrival->mails));
    mail_log_add(visit->batch, &line, visit->touched);
}

/* A mail that is not known yet, and is to be worked on. */
static int visit_new(struct visit *visit, struct arrival *arrival, enum stuck_plan plan, struct err *err)
{
    struct batch *batch = visit->batch;
    reading_make(visit->reading, visit->incoming, &batch->league->config);
    visit->reading->work = visit->reading->fresh; /* it may be processed more than once (batch/pieces.h) */
    visit->msg = &visit->reading->msg;
    if (plan == STUCK_GIVE) {
        arrival->fate = INTAKE_FAILED;
        return give_up(visit, arrival->digest, err);
    }
    batch->claim = &visit->claim;
    int rc = visit_mail(visit, err);
    batch->claim = NULL;
    if (visit->taken || visit->msg->kind == MAIL_BOUNCE)
        arrival->fate = INTAKE_PROCESSED;
    if (visit->kept)
        arrival->fate = INTAKE_KEPT;
    return rc ? rc : remember(visit, arrival->digest, plan, err);
}

static int visit_any(struct visit *visit, struct arrival *arrival, struct err *err)
{
    struct batch *batch = visit->batch;
    enum stuck_plan plan = STUCK_NEW;
    if (stuck_plan(batch, arrival->digest, &plan, err))
        return -1;
    if (plan == STUCK_LEAVE) {
        arrival->fate = INTAKE_WAITS;
        arrival->weak = true;
        verdict_say(&visit->verdict, "it has failed, and is tried again later", NULL);
        return 0;
    }
    if (!visit->incoming->oversize && batch_has_seen(batch, arrival->digest, &arrival->known, err))
        return -1;
    arrival->fate = INTAKE_REJECTED;
    arrival->weak = arrival->known;
    return arrival->known ? 0 : visit_new(visit, arrival, plan, err);
}

int intake_mail(struct batch *batch, const struct incoming *incoming, struct reading *reading,
                enum intake_fate *fate, char touched[GAME_NAME], struct err *err)
{
    struct visit visit = {
        .batch = batch, .incoming = incoming, .reading = reading, .touched = touched, .tries = SIGNER_TRIES};
    struct arrival arrival = {
        .incoming = incoming, .reading = reading, .mails = batch->mails.count, .fate = INTAKE_KEPT};
    int rc;
    memset(touched, 0, GAME_NAME);
    verdict_init(&visit.verdict);
    if (incoming->withheld) {
        rc = withheld(&visit, arrival.digest, err);
    } else {
        if (reading->made)
            memcpy(arrival.digest, reading->msg.digest, sizeof arrival.digest);
        else
            message_digest(arrival.digest, slice_str(&incoming->raw));
        rc = visit_any(&visit, &arrival, err);
    }
    if (rc == 0)
        log_mail(&visit, &arrival);
    verdict_release(&visit.verdict);
    *fate = arrival.fate;
    return rc;
}
