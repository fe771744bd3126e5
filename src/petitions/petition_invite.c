#include <time.h>

#include "base/json.h"
#include "play/facts.h"
#include "petitions/keyless.h"
#include "petitions/petition.h"
#include "batch/tell.h"
#include "league/token.h"

#define MODERATOR_INVITES 100 /* a month */

static int month_of(int64_t now)
{
    struct tm tm;
    time_t t = (time_t)now;
    return gmtime_r(&t, &tm) ? 12 * (tm.tm_year + 1900) + tm.tm_mon : 0;
}

static enum outcome act(struct hearing *hearing, struct err *err)
{
    struct batch *batch = hearing->batch;
    const struct config *config = &batch->league->config;
    struct player player = *registry_find(&batch->registry, hearing->player);
    int most = petition_moderator(batch->league, hearing->player) ? MODERATOR_INVITES
                                                                  : config->league.player_invites;
    int month = month_of(batch->now);
    char token[TOKEN_TEXT], name[TOKEN_NAME];
    if (config->league.registration == REGISTRATION_CLOSED || most == 0)
        return hearing_refuse(hearing, "operator_invites");
    if (player.invite_month != month)
        player.invites = 0;
    if (player.invites >= most)
        return hearing_refuse(hearing, "invited_most most=%d", most);
    player.invite_month = month;
    player.invites++;
    token_new(token);
    (void)token_name(name, TOKEN_INVITE, slice_of(token));
    json_t *document = json_pack("{s:s,s:s}", "what", "invite", "by", player.name);
    token_set_expiry(document, batch->now, config->league.token_expire);
    json_t *tokens = json_pack("{s:o}", name, document);
    json_t *evidence = hearing_evidence(hearing);
    struct registry_change change = {
        .what = "invite", .player = &player, .tokens = tokens, .evidence = evidence};
    int rc = batch_change(batch, &change, err);
    json_t *facts = json_pack("{s:s,s:i}", "token", token, "left", most - player.invites);
    facts_time(facts, "when", batch->now + config->league.token_expire);
    struct str reply = STR_INIT;
    if (config->league.trust == TRUST_MAIL)
        keyless_invitation(&reply, batch->league, token, NULL);
    json_object_set_new(facts, "reply_address", reply.len ? json_string(reply.p) : json_false());
    str_release(&reply);
    if (rc == 0) /* past the budget of answers: the word would be lost */
        rc = tell_player(batch, &(struct tell){.words = "invited", .facts = facts, .answered = hearing->msg},
                         player.name, err);
    json_decref(facts);
    json_decref(tokens);
    json_decref(evidence);
    return rc;
}

const struct petition petition_invite = {
    .verb = "invite",
    .needs = PETITION_MAIL,
    .fields = {"for"},
    .act = act,
};
