#include <stdio.h>
#include <string.h>

#include "engine/newcomer.h"
#include "engine/petitions.h"
#include "engine/registration.h"
#include "engine/token.h"

enum { NAME, ADDRESS, KEY, INVITE, CONFIRM };

/* The line "key:", if there is one, must be the key that signed. */
static bool key_fits(const struct hearing *hearing)
{
    struct slice rest = hearing->value[KEY];
    struct pubkey key;
    struct err why = ERR_INIT;
    bool found = false;
    return !rest.p || (pubkey_next(&rest, &key, &found, &why) == 0 && found &&
                       memcmp(key.point, hearing->key->point, sizeof key.point) == 0);
}

/* The address that is registered must be the one that was signed, so that the text is of no use to anybody
 * else. */
static bool address_fits(struct hearing *hearing)
{
    const char *from = hearing->msg->from;
    if (!hearing->value[ADDRESS].len)
        (void)hearing_refuse(
            hearing, "The text does not name your mail address: put in the line \"address: %s\".", from);
    else if (!slice_caseeq(hearing->value[ADDRESS], from))
        (void)hearing_refuse(hearing, "The text is for another mail address than %s, from which it came.",
                             from);
    return !hearing->refusal.code;
}

/* An invitation makes the player at once. */
static int by_invitation(struct hearing *hearing, const struct applicant *applicant, struct err *err)
{
    struct batch *batch = hearing->batch;
    char token[TOKEN_NAME];
    json_t *document = token_name(token, TOKEN_INVITE, hearing->value[INVITE])
                           ? token_find(&batch->log, token, batch->now)
                           : NULL;
    if (!document)
        return hearing_refuse(hearing,
                              "The word of the invitation is not known: it was mistyped, it was used "
                              "already, or it has expired.");
    json_t *evidence = hearing_evidence(hearing);
    json_object_set(evidence, "invited_by", json_object_get(document, "by"));
    int rc = registration_enter(batch, applicant, token, evidence, err);
    json_decref(evidence);
    json_decref(document);
    hearing->answer = "registered";
    hearing->facts = registration_facts(batch, applicant->name);
    return rc;
}

/* Without one the address has to be proved first. */
static int by_confirmation(struct hearing *hearing, const struct applicant *applicant, struct err *err)
{
    struct str key = STR_INIT;
    bool full = false;
    json_t *evidence = hearing_evidence(hearing);
    pubkey_format(&key, &applicant->key);
    json_t *document =
        json_pack("{s:s,s:s,s:s,s:s,s:O}", "what", "register", "name", applicant->name, "key", key.p,
                  "address", applicant->address, "signed", json_object_get(evidence, "signed"));
    str_release(&key);
    json_decref(evidence);
    int rc = registration_pend(hearing->batch, document, hearing->msg, &full, err);
    if (full)
        (void)hearing_refuse(hearing, "Too many registrations wait for their confirmation just now; please "
                                      "try again in a few days.");
    return rc;
}

static int act(struct hearing *hearing, struct err *err)
{
    enum registration how = hearing->batch->league->config.registration;
    struct applicant applicant = {.key = *hearing->key};
    if (hearing->player)
        return hearing_refuse(hearing, "You are registered already, as %s, with this key.", hearing->player);
    if (hearing->msg->kind != MAIL_PERSON || !*hearing->msg->from)
        return hearing_refuse(hearing, "The mail does not say whom it is from.");
    if (how == REGISTRATION_CLOSED)
        return hearing_refuse(hearing, "This league takes no registrations by mail; ask its operator.");
    if (!key_fits(hearing))
        return hearing_refuse(hearing, "The line \"key:\" is not the key that signed the text.");
    if (hearing->value[CONFIRM].p) {
        json_t *evidence = hearing_marks(hearing);
        int rc = registration_confirm(hearing->batch, hearing->value[CONFIRM], hearing->key, evidence,
                                      hearing->msg, &hearing->refusal, err);
        json_decref(evidence);
        return rc;
    }
    if (!hearing->value[NAME].p)
        return hearing_refuse(hearing, "The text does not say by which name you want to play.");
    if (!hearing_name(hearing, NAME, applicant.name) || !address_fits(hearing))
        return 0;
    (void)snprintf(applicant.address, sizeof applicant.address, "%s", hearing->msg->from);
    if (registration_judge(hearing->batch, &applicant, &hearing->refusal))
        return 0;
    if (hearing->value[INVITE].p)
        return by_invitation(hearing, &applicant, err);
    if (how == REGISTRATION_OPEN)
        return by_confirmation(hearing, &applicant, err);
    return hearing_refuse(hearing, "To register here you need an invitation, whose word goes into the line "
                                   "\"invite:\"; ask a player or the operator for one.");
}

const struct petition petition_register = {
    .verb = "register",
    .help = "become a player of this league, signed with your new key",
    .form = "name: anna\naddress: anna@example.org\ninvite: the word of your invitation, if you have one",
    .needs = PETITION_NEWCOMER | PETITION_SIGNED,
    .fields =
        {[NAME] = "name", [ADDRESS] = "address", [KEY] = "key", [INVITE] = "invite", [CONFIRM] = "confirm"},
    .write = newcomer_form,
    .act = act,
};
