#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "petitions/newcomer.h"
#include "petitions/petition.h"
#include "petitions/registration.h"
#include "league/token.h"
#include "batch/confirm.h"

enum { NAME, DISPLAY, ADDRESS, KEY, INVITE, CONFIRM };

/* The key of the line "key:", in whatever form; false: another one. */
static bool is_named(struct slice value, const struct pubkey *own)
{
    char shown[KEY_SHOWN];
    struct pubkey key;
    struct err why = ERR_INIT;
    bool found = false;
    pubkey_show(shown, own);
    return slice_eq(value, shown) ||
           (pubkey_next(&value, &key, &found, &why) == 0 && found &&
            (pubkey_is_numbered(own) ? pubkey_compare_points(&key, own) == 0 : pubkey_equal(&key, own)));
}

/* The line "key:", if there is one, must be the key that signed. */
static bool key_fits(struct hearing *hearing)
{
    struct pubkey verified = *hearing->key;
    if (!hearing->value[KEY].p || is_named(hearing->value[KEY], hearing->key))
        return true;
    if (pubkey_demand_verified(&verified) && is_named(hearing->value[KEY], &verified))
        (void)hearing_refuse(hearing, "key_unverified");
    else
        (void)hearing_refuse(hearing, "key_other");
    return false;
}

/* The registered address must be the one that was signed, so that the text is useless to anybody else. */
static bool address_fits(struct hearing *hearing)
{
    const char *from = hearing->msg->from;
    if (!hearing->value[ADDRESS].len)
        (void)hearing_refuse(hearing, "address_missing address=%s", from);
    else if (!slice_caseeq(hearing->value[ADDRESS], from))
        (void)hearing_refuse(hearing, "address_other address=%s", from);
    return !hearing->refusal;
}

/* The document of the invitation, for its record; NULL with a refusal. */
static enum outcome find_invitation(struct hearing *hearing, char token[TOKEN_NAME], json_t **document,
                                    struct err *err)
{
    const struct batch *batch = hearing->batch;
    *document = NULL;
    if (token_name(token, TOKEN_INVITE, hearing->value[INVITE]) && batch_token(batch, token, document, err))
        return -1;
    return *document ? OUTCOME_DONE : hearing_refuse(hearing, "invitation_unknown");
}

/* The first of two texts, or one whose word no longer fits (another name, too old): nothing is stored, the
 * answer says what the next one must hold. */
static int ask(struct hearing *hearing, const struct applicant *applicant)
{
    char *invite = slice_dup(hearing->value[INVITE]);
    hearing->answer = "confirm";
    hearing->facts = registration_asked(hearing->batch, applicant, invite);
    free(invite);
    return 0;
}

/* The second one proves the address; the invitation is used up. */
static enum outcome enter(struct hearing *hearing, const struct applicant *applicant, const char *token,
                          const json_t *invitation, struct err *err)
{
    struct batch *batch = hearing->batch;
    struct confirm what = registration_confirms(applicant);
    if (!confirm_good(batch, &what, hearing->value[CONFIRM]))
        return ask(hearing, applicant);
    json_t *evidence = hearing_evidence(hearing);
    if (invitation)
        json_object_set(evidence, "invited_by", json_object_get(invitation, "by"));
    int rc = registration_enter(batch, applicant, invitation ? token : NULL, evidence, err);
    json_decref(evidence);
    return rc ? rc : registration_greet(batch, applicant->name, "", hearing->msg, err);
}

/* Does the league's configuration allow it? Then the first or the second of the two mails is obeyed. */
static enum outcome admit(struct hearing *hearing, const struct applicant *applicant, struct err *err)
{
    char token[TOKEN_NAME];
    json_t *invitation = NULL;
    if (!hearing->value[INVITE].p && hearing->batch->league->config.league.registration != REGISTRATION_OPEN)
        return hearing_refuse(hearing, "invitation_needed");
    enum outcome outcome =
        hearing->value[INVITE].p ? find_invitation(hearing, token, &invitation, err) : OUTCOME_DONE;
    if (outcome == OUTCOME_DONE)
        outcome = hearing->value[CONFIRM].p ? enter(hearing, applicant, token, invitation, err)
                                            : ask(hearing, applicant);
    json_decref(invitation);
    return outcome;
}

static enum outcome act(struct hearing *hearing, struct err *err)
{
    struct applicant applicant = {.key = *hearing->key};
    if (hearing->player)
        return hearing_refuse(hearing, "registered_already name=%s", hearing->player);
    if (hearing->msg->kind != MAIL_PERSON || !*hearing->msg->from)
        return hearing_refuse(hearing, "no_sender");
    if (hearing->batch->league->config.league.registration == REGISTRATION_CLOSED)
        return hearing_refuse(hearing, "registration_closed");
    if (!key_fits(hearing))
        return OUTCOME_REFUSED;
    if (!hearing->value[NAME].p)
        return hearing_refuse(hearing, "name_missing");
    if (!hearing_name(hearing, NAME, applicant.name) || !address_fits(hearing) ||
        (hearing->value[DISPLAY].p && !hearing_display(hearing, DISPLAY, applicant.display)))
        return OUTCOME_REFUSED;
    (void)snprintf(applicant.address, sizeof applicant.address, "%s", hearing->msg->from);
    enum outcome judged = registration_judge(hearing->batch, &applicant, &hearing->refusal, err);
    return judged == OUTCOME_DONE ? admit(hearing, &applicant, err) : judged;
}

const struct petition petition_register = {
    .verb = "register",
    .needs = PETITION_NEWCOMER,
    .fields = {[NAME] = "name",
               [DISPLAY] = "display",
               [ADDRESS] = "address",
               [KEY] = "key",
               [INVITE] = "invite",
               [CONFIRM] = "confirm"},
    .write = newcomer_form,
    .act = act,
};
