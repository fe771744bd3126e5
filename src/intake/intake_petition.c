/* Petitions that came by mail, whoever vouches for them: heard, and answered. */
#include "intake/reply_parts.h"

#include <stdio.h>
#include <string.h>

#include "base/json.h"
#include "batch/tell.h"
#include "game/game_seats.h"
#include "petitions/petition.h"
#include "petitions/reply_petition.h"

int visit_answer_opened(struct visit *visit, const struct opened *opened, const struct words *words,
                        struct err *err)
{
    return *opened->player ? visit_answer_player_in(visit, opened->player, words, err)
                           : visit_answer_sender_in(visit, words, err);
}

static void say(struct visit *visit, const struct hearing *hearing, enum petition_fate fate)
{
    switch (fate) {
    case PETITION_HEARD: verdict_say(&visit->verdict, "taken", NULL); break;
    case PETITION_SEEN: visit_was_seen(visit); break;
    case PETITION_KEPT: verdict_say(&visit->verdict, "its game cannot be read", NULL); break;
    case PETITION_REFUSED:
        verdict_say(&visit->verdict, hearing->known.copy ? "copied_petition" : "refused", hearing->refusal);
        break;
    }
}

/* Who answers a mail about a game can answer what this brings in the same way. */
static struct answer_game about_of(const struct visit *visit, const struct opened *opened)
{
    const int seat = visit->about ? game_seat_of(visit->about, opened->player) : 0;
    return (struct answer_game){.game = visit->about, .seat = seat};
}

/* What is wrong, and how it is written: as a signed text, or as it is typed into an answer. */
static int answer_refused(struct visit *visit, const struct opened *opened, const struct hearing *hearing,
                          struct err *err)
{
    const char *verb = opened->frame.verb;
    const char *kind = opened->proof         ? "reply_not_done"
                       : hearing->known.copy ? "copied_petition"
                                             : "refused_petition";
    json_t *facts = json_pack("{s:s,s:O}", "verb", verb, "why", hearing->refusal);
    if (opened->proof)
        json_object_set_new(facts, verb, json_true());
    else if (!hearing->known.copy)
        petition_help(facts, hearing);
    const char *other = hearing->entry ? game_somebody_else(&hearing->entry->game, hearing->seat) : NULL;
    if (other)
        json_object_set_new(facts, "other", json_string(other));
    struct answer_game about = about_of(visit, opened);
    if (opened->proof && hearing->entry &&
        strcmp(verb, "join") == 0) /* with other words, say, for the ship */
        about = (struct answer_game){.game = &hearing->entry->game, .held = slice_of("join")};
    if (opened->proof) /* beside what else the mail has done */
        visit->answered = false;
    return visit_answer_opened(visit, opened,
                               &(struct words){.kind = kind,
                                               .folder = "",
                                               .facts = facts,
                                               .about = about.seat || about.held.len ? &about : NULL,
                                               .understood = true},
                               err);
}

/* What a mail domain's word has done is told at the player's other address, too (player_second; of games: batch_take; of
 * competitions: competing_tell_entry). */
static int tell_other(struct visit *visit, const char *player, const struct words *words, struct err *err)
{
    const struct player *who = registry_find(&visit->batch->registry, player);
    const struct tell what = {.words = words->kind, .facts = words->facts};
    if (!who || !*player_second(who, HEARS_DONE))
        return 0;
    const bool first = strcmp(visit_answer_address(visit, who, words), who->address) == 0;
    return tell_address(visit->batch, &what, first ? who->address2 : who->address, who->name, err);
}

static int answer_heard(struct visit *visit, const struct opened *opened, const struct hearing *hearing,
                        int64_t before, struct err *err)
{
    const struct answer_game about = about_of(visit, opened);
    const struct words words = {.kind = hearing->answer,
                                .folder = hearing->folder ? hearing->folder : "",
                                .facts = json_incref(hearing->facts),
                                .attach = hearing->attach,
                                .about = about.seat ? &about : NULL,
                                .understood = true};
    visit->of_registry = visit->batch->log.seq > before;
    int rc = visit_answer_opened(visit, opened, &words, err);
    if (rc == 0 && opened->proof && visit->of_registry)
        rc = tell_other(visit, opened->player, &words, err);
    visit->of_registry = false;
    return rc;
}

static int hear(struct visit *visit, const struct opened *opened, struct hearing *hearing, struct err *err)
{
    struct batch *batch = visit->batch;
    int64_t before = batch->log.seq;
    enum petition_fate fate;
    int rc = petition_hear(hearing, &fate, err);
    visit->sender = registry_by_address(&batch->registry, visit->msg->from); /* it may have moved */
    if (rc)
        return rc;
    visit->kept |= fate == PETITION_KEPT;
    say(visit, hearing, fate);
    visit->taken |= fate == PETITION_HEARD || fate == PETITION_SEEN;
    if (hearing->known.stale)
        visit_is_stale(visit);
    visit->recorded |= fate == PETITION_HEARD && hearing->entry && hearing->recorded;
    if (fate == PETITION_REFUSED)
        return answer_refused(visit, opened, hearing, err);
    return fate == PETITION_HEARD && hearing->answer ? answer_heard(visit, opened, hearing, before, err) : 0;
}

int visit_hear(struct visit *visit, const struct opened *opened, struct err *err)
{
    const struct pubkey *key = opened->proof ? NULL : &opened->key;
    json_t *signature = key ? signature_json(&opened->envelope->sig, key) : NULL;
    struct hearing hearing = {
        .batch = visit->batch,
        .msg = visit->msg,
        .player = *opened->player ? opened->player : NULL,
        .key = key,
        .proof = opened->proof,
        .frame = &opened->frame,
        .exact = slice_str(&opened->exact),
        .canonical = slice_str(&opened->text),
        .signature = signature,
        .came = {visit->reading->envelopes, visit->reading->envelope_count, visit->reading->domain,
                 opened->agreed},
    };
    int rc = hear(visit, opened, &hearing, err);
    hearing_release(&hearing);
    json_decref(signature);
    return rc;
}

int visit_hear_text(struct visit *visit, struct slice text, bool agreed, struct err *err)
{
    struct opened opened = {
        .proof = &visit->reading->domain->proof, .agreed = agreed, .exact = STR_INIT, .text = STR_INIT};
    struct err why = ERR_INIT;
    bool kept = false;
    int rc = reply_room(visit, &kept, err);
    if (rc || !kept)
        return rc;
    (void)snprintf(opened.player, sizeof opened.player, "%s", visit->sender->name);
    str_addslice(&opened.text, text);
    str_addslice(&opened.exact, text);
    if (frame_receive(slice_str(&opened.exact), slice_str(&opened.text), &opened.frame, &why)) {
        rc = visit_answer_opened(visit, &opened,
                                 &(struct words){.kind = "bad_frame",
                                                 .folder = "",
                                                 .facts = json_pack("{s:o}", "error", reason_said(&why))},
                                 err);
    } else {
        verdict_about(&visit->verdict, &opened.frame);
        rc = visit_hear(visit, &opened, err);
    }
    str_release(&opened.exact);
    str_release(&opened.text);
    return rc;
}

int visit_hear_reply(struct visit *visit, const struct typed_line *line, const struct game *game, bool *found,
                     struct err *err)
{
    struct str text = STR_INIT;
    const struct reply_about about = {visit->batch->league, &visit->reading->domain->proof, game};
    *found = reply_petition(&text, line, &about);
    visit->about = game;
    int rc = *found ? visit_hear_text(visit, slice_str(&text), false, err) : 0;
    visit->about = NULL;
    str_release(&text);
    return rc;
}
