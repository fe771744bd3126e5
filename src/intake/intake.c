#include "intake/reply_parts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/encode.h"
#include "base/json.h"
#include "base/log.h"
#include "base/mem.h"
#include "batch/absent.h"
#include "batch/bounced.h"
#include "batch/mail_log.h"
#include "league/domain_root.h"
#include "petitions/newcomer.h"
#include "petitions/petition.h"
#include "petitions/requests.h"
#include "batch/signer.h"
#include "batch/stuck.h"
#include "publish/suspicion.h"
#include "trust/canon.h"

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
    int rc = visit_envelope(visit, &visit->reading->envelopes[i], known, done, err);
    visit->worked[i] = *done && !visit->kept;
    visit->kept |= kept;
    return rc;
}

/* Is there something like a signature in it that cannot be read? OpenPGP's, with no text of ours, is the mail program's. */
static bool is_damaged(const struct visit *visit)
{
    const struct reading *reading = visit->reading;
    const json_t *why = json_object_get(reading->why, "errors");
    bool foreign = json_object_get(why, "pgp_signature") && !reading->unsigned_frames;
    return reading->broken && !foreign && !visit_pastes_key(visit);
}

/* What led to a record is known again by the game's journal; all else is remembered here. */
static int visit_unsigned(struct visit *visit, struct err *err)
{
    unsigned char digest[MESSAGE_DIGEST];
    bool good = visit_content(visit, digest), seen = false, found = false;
    if (good && batch_has_seen(visit->batch, digest, &seen, err))
        return -1;
    if (seen) {
        reply_seen(visit);
        return 0;
    }
    if (good && visit->sender && reply_is_from(visit))
        visit_vouched(visit, visit_is_to_us(visit));
    /* A quote may hold a signature that was cut, and does no harm where the domain vouches for what was typed. */
    bool damaged = is_damaged(visit);
    int rc = good || !damaged ? visit_reply(visit, &found, err) : 0;
    if (rc == 0 && !found && (good || !damaged))
        rc = visit_wish(visit, &found, err);
    if (rc == 0 && !found)
        rc =
            damaged ? visit_broken(visit, err) : visit_plain(visit, visit->reading->unsigned_frames > 0, err);
    /* Of an answer to a digest not all that it did can be found in a journal. */
    if (rc == 0 && good && (!visit->recorded || visit->digested) && !visit->kept)
        batch_see(visit->batch, digest);
    return rc;
}

/* Is it about the turn that its mail was written in, whose head it names, and leaves that turn open? Such texts are heard
 * before orders of the mail, which may end it. */
static bool is_beside(const struct envelope *envelope)
{
    const unsigned others = PETITION_ANY_TURN | PETITION_MODERATOR | PETITION_ASKS;
    struct err ignored = ERR_INIT;
    struct frame frame;
    struct str text = STR_INIT;
    canon_text(&text, slice_str(&envelope->candidates[envelope->good ? envelope->good - 1 : 0]));
    const struct petition *petition =
        frame_parse(slice_str(&text), &frame, &ignored) == 0 ? petition_find(frame.verb) : NULL;
    bool beside = petition && (petition->needs & (PETITION_GAME | PETITION_MAYBE_GAME)) &&
                  !(petition->needs & others) && strcmp(frame.verb, "resign") != 0;
    str_release(&text);
    return beside;
}

static int search(struct visit *visit, struct err *err)
{
    struct reading *reading = visit->reading;
    bool done[ENVELOPES_MAX] = {false};
    size_t found = reading->envelope_count;
    int rc = skip_worked(visit, done, err);
    visit->several = found > 1;
    /* Known keys first: they may vouch for an unknown one that signed the same text. */
    for (int pass = found > 1 ? 0 : 1; pass < 2; pass++)
        for (int beside = 1; beside >= 0; beside--)
            for (size_t i = 0; rc == 0 && i < found; i++)
                if (!done[i] && (found < 2 || is_beside(&reading->envelopes[i]) == beside))
                    rc = open_text(visit, i, pass == 0, &done[i], err);
    if (rc == 0 && found == 0)
        rc = visit_unsigned(visit, err);
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
    const struct vouching *domain = visit->reading->domain;
    struct budget_claim claim = {.proof = *visit->reading->vouched ? PROOF_SERVER : PROOF_NONE};
    memcpy(claim.domain, visit->reading->vouched, sizeof claim.domain);
    if (vouching_from(domain, visit->msg->from)) {
        claim.proof = PROOF_SERVER;
        claim.elsewhere = !visit_is_to_us(visit);
        (void)snprintf(claim.domain, sizeof claim.domain, "%s", domain_root(domain->claim.from.domain));
    }
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
        return visit_answer_sender(visit, "too_large",
                                   json_pack("{s:I,s:I}", "size", (json_int_t)visit->incoming->size, "limit",
                                             (json_int_t)batch->league->config.limits.mail_size),
                                   err);
    if (visit->reading->unreadable)
        return visit_answer_sender(visit, "unreadable",
                                   json_pack("{s:o}", "error", json_incref(visit->reading->why)), err);
    if (visit->msg->bounce.under_way)
        verdict_say(&visit->verdict, "nothing came back: the mail is late, or has arrived", NULL);
    if (visit->msg->kind == MAIL_BOUNCE)
        return bounced_take(batch, visit->msg, visit->incoming->arrived, err);
    if (visit->msg->kind == MAIL_OWN || visit->msg->kind == MAIL_REACTION)
        return 0;
    bool found;
    const int rc = visit_witness(visit, &found, err);
    return rc || found ? rc : search(visit, err);
}

/* It may have been a no: what was asked for in their name waits for as long as was left. */
static int spare_signer(struct batch *batch, const unsigned char digest[MESSAGE_DIGEST], struct err *err)
{
    struct catalog_stuck stuck;
    bool found = false;
    if (catalog_get_stuck(batch->catalog, digest, &stuck, &found, err))
        return -1;
    return found && *stuck.player ? absent_spare_asked(batch, &stuck, err) : 0;
}

/* Has a text of it led to a record when it came before? */
static int text_counted(struct visit *visit, struct envelope *envelope, bool *counted, struct err *err)
{
    struct batch *batch = visit->batch;
    struct signer signer = {
        .sender = visit->sender ? visit->sender->name : NULL, .exact = STR_INIT, .text = STR_INIT};
    struct frame frame;
    struct batch_game *entry = NULL;
    struct err why = ERR_INIT;
    int rc = 0;
    bool orders, good = signer_find(&batch->keyring, envelope, &signer) == SIGNER_GOOD &&
                        frame_parse(slice_str(&signer.text), &frame, &why) == 0;
    if (good && *frame.game && batch_game(batch, frame.game, &entry, &why))
        visit->kept |= why.code != ERR_MISSING;
    orders = good && frame.kind == FRAME_ORDERS;
    if (orders && entry)
        rc = visit_has_counted(visit, frame.game, counted, err);
    else if (good && !orders)
        rc = petition_counted(&(struct hearing){.batch = batch,
                                                .msg = visit->msg,
                                                .player = signer.player,
                                                .key = &signer.key,
                                                .frame = &frame,
                                                .exact = slice_str(&signer.exact),
                                                .canonical = slice_str(&signer.text),
                                                .entry = entry},
                              counted, err);
    str_release(&signer.exact);
    str_release(&signer.text);
    return rc;
}

/* Has an answer to a mail of ours done so? Where that is a digest, in one of its games. */
static int reply_counted_before(struct visit *visit, bool *counted, struct err *err)
{
    struct reply_games games = {0};
    char id[GAME_NAME];
    int rc = 0;
    if (reply_subject_game(visit, id))
        rc = visit_has_counted(visit, id, counted, err);
    else if (visit->sender)
        rc = reply_games(visit, &games, err);
    for (size_t i = 0; rc == 0 && !*counted && i < games.count; i++)
        rc = visit_has_counted(visit, games.id[i], counted, err);
    free(games.id);
    return rc || *counted ? rc : reply_is_copy(visit, counted, err);
}

/* A crash after the commit brings a mail back, and servers deliver it twice. It stays where it is while its game cannot be read,
 * so that this is not known. */
static int has_counted(struct visit *visit, bool *counted, struct err *err)
{
    struct reading *reading = visit->reading;
    bool text = false;
    int rc = 0;
    for (size_t i = 0; rc == 0 && i < reading->envelope_count; i++, *counted |= text)
        rc = text_counted(visit, &reading->envelopes[i], &text, err);
    if (rc == 0 && !reading->envelope_count)
        rc = reply_counted_before(visit, counted, err);
    if (visit->kept)
        reply_keep(visit);
    return rc;
}

/* It has failed for three days, or would be refused by our own audit. Its signer, or whoever wrote it, is told that nothing
 * was done, but for the texts of it that were dealt with before; or that it counted when it came before. */
static int give_up(struct visit *visit, const unsigned char digest[MESSAGE_DIGEST], struct err *err)
{
    struct batch *batch = visit->batch;
    struct stuck_given given;
    bool done[ENVELOPES_MAX] = {false}, counted = false;
    visit->sender = registry_by_address(&batch->registry, visit->msg->from);
    if (has_counted(visit, &counted, err))
        return -1;
    if (visit->kept)
        return 0;
    if (spare_signer(batch, digest, err) || stuck_give(batch, digest, &given, err) ||
        skip_worked(visit, done, err))
        return -1;
    if (!given.tell)
        return 0;
    const char *kind = counted && visit->reading->envelope_count < 2 ? "failed_again" : "not_taken";
    visit->taken |= counted;
    json_t *facts = json_pack("{s:b,s:b,s:b}", "signed", *given.player != '\0', "partly", visit->taken,
                              "days", batch->now - given.since >= STUCK_MOST);
    if (!*given.player) {
        visit->claim = visit->plain = claim_plain(visit);
        return visit_answer_sender(visit, kind, facts, err);
    }
    visit->claim = (struct budget_claim){.proof = PROOF_KEY};
    memcpy(visit->claim.player, given.player, sizeof given.player);
    return visit_answer_player(visit, given.player, kind, facts, err);
}

/* What is kept of a handled mail: it is recognised by its digest from now on, unless a game's journal knows
 * it, or it has to be read again: then those of its texts are kept that need not be. */
static int remember(struct visit *visit, const unsigned char digest[MESSAGE_DIGEST], enum stuck_plan plan,
                    struct err *err)
{
    struct batch *batch = visit->batch;
    if (visit->kept)
        mark_worked(visit);
    else if (!visit->recorded)
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

/* Which of the mails that came of this one answers its writer; "" = none. */
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
    const char *answer = visit->msg ? find_answer(visit, arrival->mails) : "";
    const struct verdict_end end = {.fate = arrival->fate,
                                    .kind = read ? arrival->reading->msg.kind : MAIL_PERSON,
                                    .ours = *visit->signer != '\0',
                                    .known = arrival->known,
                                    .answered = *answer || visit->said,
                                    .spent = visit->batch->cause.spent};
    mail_log_line(visit->batch, &mail, &line);
    line.verdict = verdict_of(&visit->verdict, &end);
    line.weak = arrival->weak;
    line.unanswered = line.of_player && verdict_is_felt(&visit->verdict, &end);
    verdict_words(&visit->verdict, &end, line.words, sizeof line.words);
    if (*line.sender)
        (void)snprintf(line.answer, sizeof line.answer, "%s", answer);
    if (verdict_silence(&visit->verdict, &end) == SILENCE_UNKNOWN)
        log_warn("a mail%s%s was not answered (%s); please report that", *line.player ? " of " : "",
                 line.player, line.words);
    mail_log_add(visit->batch, &line);
}

bool visit_is_dear(struct visit *visit)
{
    if (!reading_is_dear(visit->reading))
        return false;
    verdict_say(&visit->verdict, "it takes long, and this run has no more time for such mails", NULL);
    visit->kept = true;
    return true;
}

/* A mail that is not known yet, and is to be worked on. */
static int visit_new(struct visit *visit, struct arrival *arrival, enum stuck_plan plan, struct err *err)
{
    struct batch *batch = visit->batch;
    reading_make(visit->reading, visit->incoming, batch->league);
    visit->reading->work = visit->reading->fresh; /* it may be processed more than once (batch/pieces.h) */
    visit->msg = &visit->reading->msg;
    if (plan == STUCK_GIVE) {
        int rc = give_up(visit, arrival->digest, err);
        arrival->fate = visit->kept ? INTAKE_KEPT : INTAKE_FAILED;
        return rc;
    }
    batch->cause.claim = &visit->claim;
    int rc = visit_is_dear(visit) ? 0 : visit_mail(visit, err);
    batch->cause.claim = NULL;
    bool wrote = visit->by_domain && visit->sender && !visit->claim.elsewhere;
    if (rc == 0 && wrote && (visit->taken || visit->understood)) /* so they are no program */
        rc = catalog_past_unread(batch->catalog, visit->sender->name, err);
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
    batch->cause.failed_before = plan == STUCK_AGAIN && stuck_by_itself(batch, arrival->digest);
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
                enum intake_fate *fate, struct err *err)
{
    struct visit visit = {.batch = batch, .incoming = incoming, .reading = reading, .wrote = STR_INIT};
    struct arrival arrival = {
        .incoming = incoming, .reading = reading, .mails = batch->mails.count, .fate = INTAKE_KEPT};
    int rc;
    verdict_init(&visit.verdict);
    batch->cause.spent = false;
    if (incoming->withheld) {
        rc = withheld(&visit, arrival.digest, err);
    } else {
        if (reading->made)
            memcpy(arrival.digest, reading->msg.digest, sizeof arrival.digest);
        else
            message_digest(arrival.digest, slice_str(&incoming->raw));
        rc = visit_any(&visit, &arrival, err);
        batch->cause.failed_before = false;
    }
    if (rc == 0)
        log_mail(&visit, &arrival);
    verdict_release(&visit.verdict);
    str_release(&visit.wrote);
    *fate = arrival.fate;
    return rc;
}
