#include "engine/registration.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/encode.h"
#include "base/json.h"
#include "engine/tell.h"
#include "engine/token.h"

int registration_judge(const struct batch *batch, struct applicant *applicant, struct err *refusal)
{
    for (char *c = applicant->name; *c; c++)
        if (*c >= 'A' && *c <= 'Z')
            *c = (char)(*c - 'A' + 'a');
    if (player_name_check(applicant->name, refusal))
        return -1;
    if (registry_find(&batch->registry, applicant->name))
        return err_set(refusal, ERR_INPUT,
                       "There is a player %s already; choose another name. (If that is you and you have lost "
                       "your key, write to a moderator.)",
                       applicant->name);
    /* A name that league.ini gives rights to before its owner is here is nobody's to take. */
    if (config_moderator(&batch->league->config, applicant->name))
        return err_set(refusal, ERR_INPUT,
                       "The name %s is kept for a moderator, whom the operator of this league enters; choose "
                       "another name.",
                       applicant->name);
    if (keyring_owner(&batch->keyring, &applicant->key))
        return err_set(refusal, ERR_INPUT, "This key is registered already.");
    if (address_check(applicant->address, refusal))
        return -1;
    const struct player *other = registry_by_address(&batch->registry, applicant->address);
    if (other)
        return err_set(refusal, ERR_INPUT,
                       "This address belongs to the player %s already. If that is you, sign with the key of "
                       "%s; a further key is added with \"#turnpost key\".",
                       other->name, other->name);
    return 0;
}

int registration_enter(struct batch *batch, const struct applicant *applicant, const char *token,
                       const json_t *evidence, struct err *err)
{
    struct player player;
    json_t *tokens = json_pack("{s:n}", token);
    player_init(&player);
    memcpy(player.name, applicant->name, sizeof player.name);
    memcpy(player.address, applicant->address, sizeof player.address);
    player.since = batch->now;
    struct registry_change change = {.what = "register",
                                     .player = &player,
                                     .key_owner = player.name,
                                     .keys = &applicant->key,
                                     .key_count = 1,
                                     .tokens = tokens,
                                     .evidence = evidence};
    int rc = batch_change(batch, &change, err);
    json_decref(tokens);
    return rc;
}

json_t *registration_facts(const struct batch *batch, const char *player)
{
    char print[KEY_SHOWN] = "";
    struct pubkey keys[KEYS_PER_PLAYER];
    const struct player *who = registry_find(&batch->registry, player);
    if (keyring_of(&batch->keyring, player, keys))
        pubkey_show(print, &keys[0]);
    return json_pack("{s:s,s:s,s:s}", "player", player, "key", print, "address", who ? who->address : "");
}

/* ---- what waits ---- */

static bool same_text(const json_t *a, const json_t *b, const char *key)
{
    const char *left = json_string_value(json_object_get(a, key));
    const char *right = json_string_value(json_object_get(b, key));
    return left && right && strcasecmp(left, right) == 0;
}

/* Marks what has expired, and what the new document replaces, for removal; counts the others. */
static int sweep(struct batch *batch, const json_t *document, json_t *changes, size_t *count, struct err *err)
{
    struct file_names names;
    *count = 0;
    if (registry_log_tokens(&batch->log, TOKEN_CONFIRM, &names, err))
        return -1;
    for (size_t i = 0; i < names.count; i++) {
        json_t *old = token_find(&batch->log, names.name[i], batch->now);
        if (!old || same_text(old, document, "address") || same_text(old, document, "key"))
            json_object_set_new(changes, names.name[i], json_null());
        else
            (*count)++;
        json_decref(old);
    }
    file_names_free(&names);
    return 0;
}

/* The mail that asks for the confirmation. It is charged like any answer to that address. */
static int ask(struct batch *batch, const json_t *document, const char *token, const struct message *answered,
               struct err *err)
{
    const char *address = json_string_value(json_object_get(document, "address"));
    json_t *facts = json_pack("{s:s,s:s}", "token", token, "address", address);
    bool registers = strcmp(json_string_value(json_object_get(document, "what")), "register") == 0;
    json_object_set_new(facts, "registers", json_boolean(registers));
    json_object_set(facts, "player", json_object_get(document, registers ? "name" : "player"));
    int rc = tell_address(batch, "confirm", address, "", facts, registers ? answered : NULL, err);
    json_decref(facts);
    return rc;
}

/* The record, with the words that wait for their answer; NULL = none. */
static int record_pending(struct batch *batch, const json_t *tokens, const struct message *answered,
                          struct err *err)
{
    char mail[2 * MESSAGE_DIGEST + 1];
    hex_to(mail, answered->digest, MESSAGE_DIGEST);
    /* The text is not marked as obeyed: whoever has lost the mail sends it again. */
    json_t *evidence = json_pack("{s:s}", "mail", mail);
    struct registry_change change = {.what = "confirm", .tokens = tokens, .evidence = evidence};
    int rc = batch_change(batch, &change, err);
    json_decref(evidence);
    return rc;
}

int registration_pend_nothing(struct batch *batch, const struct message *answered, struct err *err)
{
    return record_pending(batch, NULL, answered, err);
}

int registration_pend(struct batch *batch, json_t *document, const struct message *answered, bool *full,
                      struct err *err)
{
    const struct config *config = &batch->league->config;
    const char *address = json_string_value(json_object_get(document, "address"));
    json_t *tokens = json_object();
    char token[TOKEN_TEXT], name[TOKEN_NAME];
    size_t count = 0;
    bool allowed = false;
    int rc = sweep(batch, document, tokens, &count, err);
    *full = count >= PENDING_MOST;
    if (rc == 0 && !*full)
        rc = catalog_budget(batch->catalog, address, batch->now, config->stranger_replies, &allowed, err);
    if (rc == 0 && !*full && !allowed)
        rc = registration_pend_nothing(batch, answered, err);
    if (rc || *full || !allowed)
        goto out;
    token_new(token);
    (void)token_name(name, TOKEN_CONFIRM, slice_of(token));
    token_set_expiry(document, batch->now, config->token_expire);
    json_object_set(tokens, name, document);
    rc = record_pending(batch, tokens, answered, err);
    if (rc == 0)
        rc = ask(batch, document, token, answered, err);
out:
    json_decref(tokens);
    json_decref(document);
    return rc;
}

/* ---- a token that came back ---- */

static void take(char *out, size_t size, const json_t *document, const char *key)
{
    const char *text = json_string_value(json_object_get(document, key));
    (void)snprintf(out, size, "%s", text ? text : "");
}

static int confirm_player(struct batch *batch, const char *name, const json_t *document,
                          const struct pubkey *key, json_t *evidence, const struct message *answered,
                          struct err *refusal, struct err *err)
{
    struct applicant applicant;
    struct err why = ERR_INIT;
    bool found = false;
    const char *line = json_string_value(json_object_get(document, "key"));
    struct slice rest = slice_of(line ? line : "");
    take(applicant.name, sizeof applicant.name, document, "name");
    take(applicant.address, sizeof applicant.address, document, "address");
    if (pubkey_next(&rest, &applicant.key, &found, &why) || !found) {
        err_set(refusal, ERR_INPUT, "The registration cannot be read any more; send it again.");
        return 0;
    }
    if (key && !pubkey_equal(key, &applicant.key)) {
        err_set(refusal, ERR_INPUT, "The word is for a registration with another key.");
        return 0;
    }
    if (registration_judge(batch, &applicant, refusal))
        return 0;
    json_object_set(evidence, "signed", json_object_get(document, "signed"));
    if (registration_enter(batch, &applicant, name, evidence, err))
        return -1;
    json_t *facts = registration_facts(batch, applicant.name);
    int rc = tell_player(batch, "registered", applicant.name, facts, answered, err);
    json_decref(facts);
    return rc;
}

static int confirm_address(struct batch *batch, const char *name, const json_t *document,
                           const json_t *evidence, const struct message *answered, struct err *refusal,
                           struct err *err)
{
    char who[PLAYER_NAME], address[PLAYER_ADDRESS], old[PLAYER_ADDRESS];
    take(who, sizeof who, document, "player");
    take(address, sizeof address, document, "address");
    const struct player *known = registry_find(&batch->registry, who);
    const struct player *other = registry_by_address(&batch->registry, address);
    if (!known || (other && other != known)) {
        err_set(refusal, ERR_INPUT, "The address cannot be taken any more.");
        return 0;
    }
    struct player player = *known;
    bool second = json_is_true(json_object_get(document, "second"));
    memcpy(old, player.address, sizeof old);
    memcpy(second ? player.address2 : player.address, address, sizeof address);
    if (!second && strcasecmp(player.address2, address) == 0)
        player.address2[0] = '\0';
    json_t *tokens = json_pack("{s:n}", name);
    struct registry_change change = {
        .what = "address", .player = &player, .tokens = tokens, .evidence = evidence};
    int rc = batch_change(batch, &change, err);
    json_t *facts = json_pack("{s:s,s:s,s:s,s:b}", "player", player.name, "address", player.address,
                              "address2", player.address2, "has_second", *player.address2 != '\0');
    if (rc == 0)
        rc = tell_player(batch, "addresses", player.name, facts, answered, err);
    if (rc == 0 && !player_has_address(&player, old)) /* who loses it hears of it */
        rc = tell_address(batch, "addresses", old, player.name, facts, NULL, err);
    json_decref(facts);
    json_decref(tokens);
    return rc;
}

int registration_confirm(struct batch *batch, struct slice token, const struct pubkey *key,
                         const json_t *evidence, const struct message *answered, struct err *refusal,
                         struct err *err)
{
    char name[TOKEN_NAME];
    json_t *document =
        token_name(name, TOKEN_CONFIRM, token) ? token_find(&batch->log, name, batch->now) : NULL;
    if (!document) {
        err_set(refusal, ERR_INPUT,
                "The word behind \"confirm\" is not known: it was mistyped, it was used already, or it has "
                "expired. Send the first text again to get another.");
        return 0;
    }
    const char *what = json_string_value(json_object_get(document, "what"));
    bool registers = what && strcmp(what, "register") == 0;
    json_t *members = json_copy((json_t *)(uintptr_t)evidence);
    int rc = 0;
    if (registers)
        rc = confirm_player(batch, name, document, key, members, answered, refusal, err);
    else
        rc = confirm_address(batch, name, document, members, answered, refusal, err);
    json_decref(members);
    json_decref(document);
    return rc;
}
