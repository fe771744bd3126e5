#include <stdio.h>
#include <string.h>

#include "base/encode.h"
#include "base/json.h"
#include "engine/newcomer.h"
#include "engine/petitions.h"
#include "engine/registration.h"
#include "engine/tell.h"
#include "engine/token.h"

/* A new key counts when it has signed the very text that the old key signed: in the same mail, or in a later
 * one within token_expire. Until then tokens/k... holds {"player","key" (fingerprint),"revoke","asked"
 * (digest of the text),"expires"}. */

enum { PLAYER, ADD, REVOKE, WHY };

struct key_change {
    char player[PLAYER_NAME];  /* whose keys change */
    char add[KEY_FINGERPRINT]; /* fingerprint, "" = none */
    char revoke[KEY_FINGERPRINT];
    struct pubkey key; /* that belongs to `add` */
};

/* A fingerprint as it is, or that of a public key. */
static bool take_print(struct hearing *hearing, int field, char print[KEY_FINGERPRINT])
{
    static const char *const fronts[] = {"SHA256:", "minisign:", "signify:"};
    struct slice value = hearing->value[field];
    struct slice rest = value;
    struct pubkey key;
    struct err why = ERR_INIT;
    bool found = false;
    if (pubkey_next(&rest, &key, &found, &why) == 0 && found) {
        pubkey_fingerprint(print, &key);
        return true;
    }
    for (size_t i = 0; i < sizeof fronts / sizeof *fronts; i++) {
        if (!slice_starts(value, fronts[i]) || value.len >= KEY_FINGERPRINT)
            continue;
        (void)snprintf(print, KEY_FINGERPRINT, "%.*s", (int)value.len, value.p);
        return true;
    }
    (void)hearing_refuse(hearing,
                         "The line \"%s:\" takes a public key, or its fingerprint as ssh-keygen -l prints it "
                         "(SHA256:...).",
                         petition_key.fields[field]);
    return false;
}

static size_t place_of(const struct pubkey *keys, size_t count, const char *print)
{
    char own[KEY_FINGERPRINT];
    for (size_t i = 0; i < count; i++) {
        pubkey_fingerprint(own, &keys[i]);
        if (strcmp(own, print) == 0)
            return i;
    }
    return count;
}

/* The keys as they will be; false with a refusal when that cannot be. */
static bool change_keys(struct hearing *hearing, const struct key_change *change,
                        struct pubkey keys[KEYS_PER_PLAYER + 1], size_t *count)
{
    *count = keyring_of(&hearing->batch->keyring, change->player, keys);
    if (*change->add && place_of(keys, *count, change->add) < *count) {
        (void)hearing_refuse(hearing, "%s has this key already.", change->player);
        return false;
    }
    if (*change->add)
        keys[(*count)++] = change->key;
    if (*change->revoke) {
        size_t at = place_of(keys, *count, change->revoke);
        if (at == *count) {
            (void)hearing_refuse(hearing, "%s has no key %s.", change->player, change->revoke);
            return false;
        }
        keys[at] = keys[--(*count)];
    }
    if (*count >= 1 && *count <= KEYS_PER_PLAYER)
        return true;
    if (*count)
        (void)hearing_refuse(hearing, "A player has at most %d keys; take one away first (\"revoke:\").",
                             KEYS_PER_PLAYER);
    else
        (void)hearing_refuse(hearing, "This is the only key of %s; add another one first (\"add:\").",
                             change->player);
    return false;
}

static json_t *facts_of(const struct batch *batch, const struct hearing *hearing,
                        const struct key_change *change)
{
    struct pubkey keys[KEYS_PER_PLAYER];
    size_t count = keyring_of(&batch->keyring, change->player, keys);
    json_t *list = json_array();
    for (size_t i = 0; i < count; i++) {
        char print[KEY_FINGERPRINT];
        pubkey_fingerprint(print, &keys[i]);
        json_array_append_new(list, json_pack("{s:s}", "key", print));
    }
    json_t *facts = json_pack("{s:s,s:o}", "player", change->player, "keys", list);
    if (*change->add)
        json_object_set_new(facts, "added", json_string(change->add));
    if (*change->revoke)
        json_object_set_new(facts, "revoked", json_string(change->revoke));
    if (hearing->player && strcmp(hearing->player, change->player) != 0)
        json_object_set_new(facts, "moderator", json_string(hearing->player));
    if (hearing->value[WHY].p)
        json_object_set_new(facts, "why", json_text(hearing->value[WHY]));
    return facts;
}

/* Makes the record and tells both addresses of the player, and the moderator who did it. */
static int carry_out(struct hearing *hearing, const struct key_change *change, const char *token,
                     const char *asked, struct err *err)
{
    struct batch *batch = hearing->batch;
    struct pubkey keys[KEYS_PER_PLAYER + 1];
    size_t count;
    if (!change_keys(hearing, change, keys, &count))
        return 0;
    json_t *evidence = hearing_evidence(hearing);
    json_t *tokens = token ? json_pack("{s:n}", token) : NULL;
    if (asked) /* the text of the old key is obeyed now, too: it must not be used again */
        json_object_set_new(evidence, "asked", json_pack("{s:s}", "text", asked));
    if (hearing->value[WHY].p)
        json_object_set_new(evidence, "why", json_text(hearing->value[WHY]));
    struct registry_change record = {.what = "key",
                                     .key_owner = change->player,
                                     .keys = keys,
                                     .key_count = count,
                                     .tokens = tokens,
                                     .evidence = evidence};
    int rc = batch_change(batch, &record, err);
    json_t *facts = facts_of(batch, hearing, change);
    bool moderated = json_object_get(facts, "moderator") != NULL;
    if (rc == 0)
        rc = tell_player(batch, "key_change", change->player, facts, moderated ? NULL : hearing->msg, err);
    if (rc == 0 && moderated)
        rc = tell_player(batch, "key_change", hearing->player, facts, hearing->msg, err);
    json_decref(facts);
    json_decref(tokens);
    json_decref(evidence);
    return rc;
}

/* ---- by a key that is registered ---- */

/* Has the new key signed this very text, too? Then `key` gets it. */
static bool cosigned(const struct hearing *hearing, const char *print, struct pubkey *key)
{
    struct str exact = STR_INIT, text = STR_INIT;
    bool good = false;
    for (size_t i = 0; i < hearing->envelope_count && !good; i++) {
        char own[KEY_FINGERPRINT];
        struct err why = ERR_INIT;
        if (!newcomer_key(&hearing->envelopes[i], key))
            continue;
        pubkey_fingerprint(own, key);
        good = strcmp(own, print) == 0 &&
               envelope_open(&hearing->envelopes[i], key, NS_ORDERS, &exact, &text, &why) == 0 &&
               text.len == hearing->canonical.len && memcmp(text.p, hearing->canonical.p, text.len) == 0;
    }
    str_release(&exact);
    str_release(&text);
    return good;
}

/* One pending key a player; what has expired goes. */
static int sweep(struct batch *batch, const char *player, json_t *changes, struct err *err)
{
    struct file_names names;
    if (registry_log_tokens(&batch->log, TOKEN_KEY, &names, err))
        return -1;
    for (size_t i = 0; i < names.count; i++) {
        json_t *old = token_find(&batch->log, names.name[i], batch->now);
        const char *whose = json_string_value(json_object_get(old, "player"));
        if (!whose || strcmp(whose, player) == 0)
            json_object_set_new(changes, names.name[i], json_null());
        json_decref(old);
    }
    file_names_free(&names);
    return 0;
}

static int pend(struct hearing *hearing, const struct key_change *change, struct err *err)
{
    struct batch *batch = hearing->batch;
    char name[TOKEN_NAME];
    json_t *tokens = json_object();
    if (sweep(batch, change->player, tokens, err)) {
        json_decref(tokens);
        return -1;
    }
    char digest[2 * sizeof hearing->text + 1];
    hex_to(digest, hearing->text, sizeof hearing->text);
    json_t *document = json_pack("{s:s,s:s,s:s,s:s}", "player", change->player, "key", change->add, "revoke",
                                 change->revoke, "asked", digest);
    token_set_expiry(document, batch->now, batch->league->config.token_expire);
    token_name_of(name, TOKEN_KEY, slice_of(change->add));
    json_object_set_new(tokens, name, document);
    json_t *evidence = hearing_evidence(hearing);
    json_object_del(evidence, "text"); /* the same text comes again, with the other signature */
    struct registry_change record = {.what = "key-asked", .tokens = tokens, .evidence = evidence};
    int rc = batch_change(batch, &record, err);
    json_decref(evidence);
    json_decref(tokens);
    hearing->answer = "key_asked";
    hearing->facts =
        json_pack("{s:s,s:s,s:o}", "player", change->player, "key", change->add, "text", json_array());
    struct slice rest = hearing->canonical;
    struct slice line;
    while (slice_line(&rest, &line))
        json_array_append_new(json_object_get(hearing->facts, "text"),
                              json_pack("{s:o}", "line", json_text(line)));
    return rc;
}

static int add_or_revoke(struct hearing *hearing, struct key_change *change, struct err *err)
{
    struct pubkey keys[KEYS_PER_PLAYER + 1];
    size_t count;
    if (!*change->add)
        return carry_out(hearing, change, NULL, NULL, err);
    if (!hearing->value[PLAYER].p)
        return hearing_refuse(hearing,
                              "The text does not say whose key it is: put in the line \"player: %s\".",
                              hearing->player);
    if (cosigned(hearing, change->add, &change->key)) {
        const char *owner = registration_owner(&hearing->batch->keyring, &change->key);
        if (owner && strcmp(owner, change->player) != 0)
            return hearing_refuse(hearing, "This key is registered already.");
        return carry_out(hearing, change, NULL, NULL, err);
    }
    return change_keys(hearing, change, keys, &count) ? pend(hearing, change, err) : 0;
}

/* ---- by the new key ---- */

static int by_new_key(struct hearing *hearing, struct key_change *change, struct err *err)
{
    struct batch *batch = hearing->batch;
    char print[KEY_FINGERPRINT], name[TOKEN_NAME], asked[2 * sizeof hearing->text + 1];
    pubkey_fingerprint(print, hearing->key);
    token_name_of(name, TOKEN_KEY, slice_of(print));
    json_t *document = token_find(&batch->log, name, batch->now);
    const char *whose = json_string_value(json_object_get(document, "player"));
    const char *revoke = json_string_value(json_object_get(document, "revoke"));
    bool fits = whose && slice_caseeq(hearing->value[PLAYER], whose) && strcmp(change->add, print) == 0;
    const char *text = json_string_value(json_object_get(document, "asked"));
    (void)snprintf(change->player, sizeof change->player, "%s", whose ? whose : "");
    (void)snprintf(asked, sizeof asked, "%s", text ? text : "");
    (void)snprintf(change->revoke, sizeof change->revoke, "%s", revoke ? revoke : "");
    json_decref(document);
    if (!fits)
        return hearing_refuse(hearing, "A key is added by a text that a registered key and the new one have "
                                       "both signed. Sign it with the registered key first and send it; then "
                                       "sign the very same text with the new key.");
    change->key = *hearing->key;
    return carry_out(hearing, change, name, asked, err);
}

static int act(struct hearing *hearing, struct err *err)
{
    struct key_change change = {.player = ""};
    char player[PLAYER_NAME] = "";
    if (!hearing->value[ADD].p && !hearing->value[REVOKE].p)
        return hearing_refuse(hearing, "The text names no key to add or to revoke.");
    if ((hearing->value[ADD].p && !take_print(hearing, ADD, change.add)) ||
        (hearing->value[REVOKE].p && !take_print(hearing, REVOKE, change.revoke)) ||
        (hearing->value[PLAYER].p && !hearing_name(hearing, PLAYER, player)))
        return 0;
    if (!hearing->player)
        return by_new_key(hearing, &change, err);
    if (*player && strcmp(player, hearing->player) != 0) {
        if (*change.add || !petition_moderator(hearing->batch->league, hearing->player))
            return hearing_refuse(hearing, "You can change your own keys only.");
        if (!registry_find(&hearing->batch->registry, player))
            return hearing_refuse(hearing, "There is no player \"%s\".", player);
    }
    (void)snprintf(change.player, sizeof change.player, "%s", *player ? player : hearing->player);
    return add_or_revoke(hearing, &change, err);
}

const struct petition petition_key = {
    .verb = "key",
    .help = "add a key of yours, or take one away; a new key signs the same text, too",
    .form = "player: anna\nadd: SHA256:... (the fingerprint of the new key)",
    .needs = PETITION_NEWCOMER | PETITION_SIGNED,
    .fields = {[PLAYER] = "player", [ADD] = "add", [REVOKE] = "revoke", [WHY] = "why"},
    .act = act,
};
