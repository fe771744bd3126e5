#include <stdio.h>
#include <string.h>

#include "base/encode.h"
#include "base/json.h"
#include "base/log.h"
#include "game/seat_keys.h"
#include "game/vouched.h"
#include "petitions/keyless.h"
#include "petitions/newcomer.h"
#include "petitions/petition.h"
#include "petitions/registration.h"
#include "petitions/rekey.h"
#include "play/facts.h"
#include "trust/canon.h"
#include "batch/follow_keys.h"
#include "batch/season.h"
#include "batch/tell.h"
#include "league/token.h"
#include "batch/confirm.h"

/* A new key counts when it has signed the very text that the old key signed: in the same mail, or in a later
 * one within token_expire. Until then tokens/k... holds {"player","key" (pubkey_show: its fingerprint or, of
 * minisign and signify, the whole key),"asked" (digest of the text, hearing.text),"evidence" (the old key's text, as
 * games keep it),"expires"}. A bare number
 * of a key adds none: the maker of a key chooses it. */

enum { PLAYER, ADD, REVOKE, REASON, WHY, TRUST };

struct key_change {
    char player[PLAYER_NAME]; /* whose keys change */
    char add[KEY_SHOWN];      /* as pubkey_show has it, "" = none */
    char revoke[KEY_SHOWN];   /* the same, or a number; then the player's keys say which key it is */
    struct pubkey key;        /* that belongs to `add`, once it is known */
    bool known;
    bool moderated; /* by somebody else, a moderator */
    bool lowers;    /* "trust: mail": no key is left, and their mail domain vouches for them from now on */
    bool repeated;  /* it is theirs already: the text is for games that do not know it */
};

#define PRINT_DIGITS 43 /* base64 without padding, of 32 bytes */

/* "SHA256:" and the digits of a fingerprint, as pubkey_show has it? */
static bool is_print(struct slice value)
{
    static const char verified[] = " verified";
    size_t front = strlen("SHA256:");
    struct slice after = slice_sub(value, front + PRINT_DIGITS, value.len);
    if (value.len < front + PRINT_DIGITS || (after.len && !slice_eq(after, verified)))
        return false;
    value = slice_sub(value, 0, front + PRINT_DIGITS);
    for (size_t i = front; i < value.len; i++)
        if (!strchr("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/", value.p[i]))
            return false;
    return true;
}

/* How it is shown: from a public key, or a fingerprint as it is. *key: the key, if it is there in full. */
static bool take_key(struct hearing *hearing, int field, char shown[KEY_SHOWN], struct pubkey *key,
                     bool *whole)
{
    static const char *const fronts[] = {"SHA256:", "minisign:", "signify:"};
    struct slice value = hearing->value[field];
    struct slice rest = value;
    struct err why = ERR_INIT;
    *whole = false;
    if (pubkey_next(&rest, key, whole, &why) == 0 && *whole) {
        pubkey_show(shown, key);
        return true;
    }
    *whole = false;
    for (size_t i = 0; i < sizeof fronts / sizeof *fronts && value.len < KEY_FINGERPRINT; i++)
        if (slice_starts(value, fronts[i]) && (i == 0 ? is_print(value) : field == REVOKE)) {
            (void)snprintf(shown, KEY_SHOWN, "%.*s", (int)value.len, value.p);
            return true;
        }
    (void)hearing_refuse(hearing, "takes_key line=%s", hearing->petition->fields[field]);
    return false;
}

/* The index of the key to be revoked; `count` with a refusal when there is none, or more than one. */
static size_t place_of(struct hearing *hearing, const struct key_change *change, const struct pubkey *keys,
                       size_t count)
{
    size_t place = count;
    for (size_t i = 0; i < count; i++) {
        if (!seat_key_named(&keys[i], slice_of(change->revoke)))
            continue;
        if (place < count) {
            (void)hearing_refuse(hearing, "several_keys player=%s", change->player);
            return count;
        }
        place = i;
    }
    if (place == count)
        (void)hearing_refuse(hearing, "no_such_key player=%s key=%s", change->player, change->revoke);
    return place;
}

/* May the key be added? One point serves one player, in one format. */
static bool may_add(struct hearing *hearing, const struct key_change *change)
{
    const struct keyring *ring = &hearing->batch->keyring;
    const char *owner = change->known ? keyring_owner(ring, &change->key) : NULL;
    if (owner && strcmp(owner, change->player) == 0)
        (void)hearing_refuse(hearing, "has_key_otherwise player=%s", change->player);
    else if (owner)
        (void)hearing_refuse(hearing, "key_registered");
    return !owner;
}

/* The keys as they will be; false with a refusal when that is impossible. */
static bool change_keys(struct hearing *hearing, const struct key_change *change,
                        struct pubkey keys[KEYS_PER_PLAYER + 1], size_t *count)
{
    *count = keyring_of(&hearing->batch->keyring, change->player, keys);
    if (*change->add && !change->repeated && !may_add(hearing, change))
        return false;
    if (*change->revoke) {
        size_t at = place_of(hearing, change, keys, *count);
        if (at == *count)
            return false;
        keys[at] = keys[--(*count)];
    }
    if (*change->add && !change->repeated)
        keys[(*count)++] = change->key;
    if (change->lowers ? *count == 0 : *count >= 1 && *count <= KEYS_PER_PLAYER)
        return true;
    if (*count && change->lowers)
        (void)hearing_refuse(hearing, "keys_left player=%s", change->player);
    else if (*count)
        (void)hearing_refuse(hearing, "keys_most most=%d", KEYS_PER_PLAYER);
    else if (hearing->batch->league->config.league.trust == TRUST_MAIL && !change->moderated)
        (void)hearing_refuse(hearing, "only_key_mail player=%s", change->player);
    else
        (void)hearing_refuse(hearing, "only_key player=%s", change->player);
    return false;
}

static json_t *facts_of(const struct batch *batch, const struct hearing *hearing,
                        const struct key_change *change)
{
    struct pubkey keys[KEYS_PER_PLAYER];
    size_t count = keyring_of(&batch->keyring, change->player, keys);
    json_t *facts = json_pack("{s:s,s:o}", "player", change->player, "keys",
                              registration_keys(batch->league, keys, count));
    json_object_set_new(facts, "lowered", json_boolean(change->lowers));
    if (*change->add)
        json_object_set_new(facts, "added", json_string(change->add));
    if (*change->revoke)
        json_object_set_new(facts, "revoked", json_string(change->revoke));
    if (change->moderated)
        json_object_set_new(facts, "moderator", json_string(hearing->player));
    if (hearing->value[WHY].p)
        json_object_set_new(facts, "why", json_text(hearing->value[WHY]));
    return facts;
}

/* A text of the old key that waited for the new one. */
struct asked {
    char name[TOKEN_NAME];
    json_t *evidence; /* owned */
};

/* The player's games learn of it by the text of the key that they know. *games: how many did. */
static int tell_games(struct hearing *hearing, const struct key_change *change, const json_t *evidence,
                      json_t *facts, size_t *games, struct err *err)
{
    const char *line = json_string_value(
        json_object_get(json_object_get(json_object_get(evidence, "signed"), "signature"), "key"));
    const char *by = json_string_value(json_object_get(evidence, "by"));
    struct slice rest = slice_of(line ? line : "");
    struct follow_learned learned = {0, STR_INIT, STR_INIT, STR_INIT};
    struct pubkey signer;
    bool found = false;
    int rc = pubkey_next(&rest, &signer, &found, err);
    if (rc == 0 && !found)
        rc = err_set(err, ERR_BROKEN, "a key that has signed a text cannot be read");
    const struct follow_text text = {by ? by : "", &signer, evidence, hearing->frame->body,
                                     *change->add ? &change->key : NULL};
    if (rc == 0)
        rc = follow_key_text(hearing->batch, change->player, &text, &learned, err);
    *games = learned.games;
    if (learned.left_out.len)
        json_object_set_new(facts, "left_out", json_text(slice_str(&learned.left_out)));
    if (learned.tomorrow.len)
        json_object_set_new(facts, "tomorrow", json_text(slice_str(&learned.tomorrow)));
    if (learned.shut.len)
        json_object_set_new(facts, "shut", json_text(slice_str(&learned.shut)));
    str_release(&learned.left_out);
    str_release(&learned.tomorrow);
    str_release(&learned.shut);
    return rc;
}

/* It is theirs already: some of their games have to learn it. */
static enum outcome repeat(struct hearing *hearing, const struct key_change *change, struct err *err)
{
    size_t games = 0;
    json_t *evidence = hearing_evidence(hearing), *facts = facts_of(hearing->batch, hearing, change);
    int rc = tell_games(hearing, change, evidence, facts, &games, err);
    json_decref(evidence);
    hearing->answer = "key_change";
    hearing->facts = facts;
    if (rc == 0 && !games)
        return hearing_refuse(hearing, "has_key player=%s", change->player);
    return rc;
}

/* Makes the record and tells both addresses of the player, and the moderator who did it. */
static enum outcome carry_out(struct hearing *hearing, const struct key_change *change,
                              const struct asked *asked, struct err *err)
{
    struct batch *batch = hearing->batch;
    struct pubkey keys[KEYS_PER_PLAYER + 1];
    size_t count, games;
    if (!change_keys(hearing, change, keys, &count))
        return OUTCOME_REFUSED;
    json_t *evidence = hearing_evidence(hearing);
    json_t *seen = asked ? json_incref(asked->evidence) : json_deep_copy(evidence);
    json_t *tokens = asked ? json_pack("{s:n}", asked->name) : NULL;
    if (asked) /* the text of the old key is obeyed now too: it must not be used again */
        json_object_set_new(evidence, "asked",
                            json_pack("{s:O}", "text", json_object_get(asked->evidence, "text")));
    if (hearing->value[WHY].p)
        json_object_set_new(evidence, "why", json_text(hearing->value[WHY]));
    struct registry_change record = {.what = "key",
                                     .key_owner = change->player,
                                     .keys = keys,
                                     .key_count = count,
                                     .tokens = tokens,
                                     .evidence = evidence};
    struct player player = *registry_find(&batch->registry, change->player);
    player.by_mail = change->lowers;
    record.player = change->lowers ? &player : NULL;
    int rc = batch_change(batch, &record, err);
    json_t *facts = facts_of(batch, hearing, change);
    if (rc == 0)
        rc = tell_games(hearing, change, seen, facts, &games, err);
    if (rc == 0)
        rc = season_put_lacking(batch, change->player, facts, err);
    if (rc == 0)
        rc = tell_player(batch,
                         &(struct tell){.words = "key_change",
                                        .facts = facts,
                                        .answered = change->moderated ? NULL : hearing->msg},
                         change->player, err);
    if (rc == 0 && change->moderated)
        rc = tell_player(batch,
                         &(struct tell){.words = "key_change", .facts = facts, .answered = hearing->msg},
                         hearing->player, err);
    json_decref(facts);
    json_decref(tokens);
    json_decref(evidence);
    json_decref(seen);
    return rc;
}

/* ---- by a key that is registered ---- */

/* Which key signed here, if it is the one to be added? */
static bool is_added(const struct signature *sig, const struct key_change *change, struct pubkey *key)
{
    char shown[KEY_SHOWN];
    if (!signature_is_numbered(sig)) {
        if (!signature_key(sig, key) || (change->known && !pubkey_names(key, &change->key)))
            return false;
        if (change->known) /* and the form in which it was named, which no signature shows */
            *key = change->key;
        pubkey_show(shown, key);
        if (strcmp(shown, change->add) == 0)
            return true;
        if (!pubkey_demand_verified(key))
            return false;
        pubkey_show(shown, key);
        return strcmp(shown, change->add) == 0;
    }
    *key = change->key;
    return change->known && pubkey_is_numbered(key);
}

/* Has the new key also signed this very text? Then it is proved. */
static bool cosigned(const struct hearing *hearing, struct key_change *change)
{
    struct str exact = STR_INIT, text = STR_INIT;
    bool good = false;
    for (size_t i = 0; i < hearing->came.envelope_count && !good; i++) {
        struct envelope *envelope = &hearing->came.envelopes[i];
        struct pubkey key;
        struct err why = ERR_INIT;
        good = is_added(&envelope->sig, change, &key) &&
               envelope_open(envelope, &key, NS_ORDERS, &(struct envelope_text){&exact, &text}, &why) == 0 &&
               text.len == hearing->canonical.len && memcmp(text.p, hearing->canonical.p, text.len) == 0;
        if (good)
            change->key = key;
    }
    change->known |= good;
    str_release(&exact);
    str_release(&text);
    return good;
}

/* Its name says whose key it will be: the keys of others are public, and anybody may request to add them. */
static void pending_name(const struct key_change *change, char name[TOKEN_NAME])
{
    struct str what = STR_INIT;
    str_addf(&what, "%s\n%s", change->player, change->add);
    token_name_of(name, TOKEN_KEY, slice_str(&what));
    str_release(&what);
}

/* One pending key per player; expired ones are removed. */
static int sweep(struct batch *batch, const char *player, json_t *changes, struct err *err)
{
    struct file_names names;
    if (registry_log_tokens(&batch->log, TOKEN_KEY, &names, err))
        return -1;
    for (size_t i = 0; i < names.count; i++) {
        json_t *old = NULL;
        struct err why = ERR_INIT;
        if (batch_token(batch, names.name[i], &old, &why)) {
            log_warn("tokens/%s.json stays where it is: %s", names.name[i], why.text);
            continue;
        }
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
    char by[KEY_SHOWN];
    pubkey_show(by, hearing->key);
    json_t *evidence = hearing_evidence(hearing);
    json_t *document = json_pack("{s:s,s:s,s:s,s:s,s:O}", "player", change->player, "key", change->add,
                                 "asked", digest, "by_key", by, "evidence", evidence);
    token_set_expiry(document, batch->now, batch->league->config.league.token_expire);
    pending_name(change, name);
    json_object_set_new(tokens, name, document);
    struct registry_change record = {.what = "key-asked", .tokens = tokens, .evidence = evidence};
    int rc = batch_change(batch, &record, err);
    json_decref(evidence);
    json_decref(tokens);
    json_t *lines = json_array();
    struct slice rest = hearing->canonical;
    struct slice line;
    while (slice_line(&rest, &line))
        json_array_append_new(lines, json_pack("{s:o}", "line", json_text(line)));
    hearing->answer = "key_asked";
    hearing->facts = json_pack("{s:s,s:s,s:o}", "player", change->player, "key", change->add, "text", lines);
    return rc;
}

/* Is the key to be added one of theirs? Then it has proved itself before. */
static bool is_theirs(const struct hearing *hearing, struct key_change *change)
{
    struct pubkey keys[KEYS_PER_PLAYER];
    size_t count = keyring_of(&hearing->batch->keyring, change->player, keys);
    for (size_t i = 0; i < count; i++)
        if (seat_key_named(&keys[i], slice_of(change->add))) {
            change->key = keys[i];
            change->known = true;
            return true;
        }
    return false;
}

static enum outcome add_or_revoke(struct hearing *hearing, struct key_change *change, struct err *err)
{
    struct pubkey keys[KEYS_PER_PLAYER + 1];
    size_t count;
    if (!*change->add)
        return carry_out(hearing, change, NULL, err);
    if (!hearing->value[PLAYER].p)
        return hearing_refuse(hearing, "key_whose player=%s", hearing->player);
    change->repeated = is_theirs(hearing, change);
    if (change->repeated && !*change->revoke)
        return repeat(hearing, change, err);
    if (change->repeated || cosigned(hearing, change))
        return carry_out(hearing, change, NULL, err);
    return change_keys(hearing, change, keys, &count) ? pend(hearing, change, err) : OUTCOME_REFUSED;
}

/* ---- by the new key ---- */

/* Is the key with which it was requested still one of the player's? One that was stolen and revoked must not
 * add any. */
static bool is_still_theirs(const struct hearing *hearing, const char *player, const char *shown)
{
    struct pubkey keys[KEYS_PER_PLAYER];
    size_t count = keyring_of(&hearing->batch->keyring, player, keys);
    bool is = false;
    for (size_t i = 0; shown && i < count && !is; i++) {
        char own[KEY_SHOWN];
        pubkey_show(own, &keys[i]);
        is = strcmp(own, shown) == 0;
    }
    return is;
}

/* Was this key requested by this text? Then `asked` has the name of its document, and the old key's text. */
static int was_asked_for(const struct hearing *hearing, const struct key_change *change, struct asked *asked,
                         bool *was, struct err *err)
{
    static const char *const members[] = {"player", "key", "asked"};
    char shown[KEY_SHOWN], text[2 * sizeof hearing->text + 1];
    unsigned char digest[sizeof hearing->text];
    pubkey_show(shown, hearing->key);
    hearing_text_of(hearing, change->player, digest);
    hex_to(text, digest, sizeof digest);
    pending_name(change, asked->name);
    const char *const want[] = {change->player, shown, text};
    json_t *document = NULL;
    if (batch_token(hearing->batch, asked->name, &document, err))
        return -1;
    bool fits = document && strcmp(shown, change->add) == 0;
    for (size_t i = 0; i < sizeof members / sizeof *members && fits; i++) {
        const char *is = json_string_value(json_object_get(document, members[i]));
        fits = is && strcmp(is, want[i]) == 0;
    }
    *was = fits &&
           is_still_theirs(hearing, change->player, json_string_value(json_object_get(document, "by_key")));
    asked->evidence = json_incref(json_object_get(document, "evidence"));
    json_decref(document);
    return 0;
}

/* ---- the first key of a player whose mail domain has vouched for them ---- */

static bool is_keyless(const struct batch *batch, const struct player *player)
{
    struct pubkey keys[KEYS_PER_PLAYER];
    return player && player->by_mail && !keyring_of(&batch->keyring, player->name, keys);
}

static void add_letters(struct str *out, struct slice text)
{
    struct slice word;
    while (slice_word(&text, &word))
        str_addslice(out, word);
}

/* Did they write it, or does their mail only quote or carry what somebody else has sent them? Lines may have been
 * folded on the way. */
static int is_typed(const struct hearing *hearing, bool *is, struct err *err)
{
    struct str typed = STR_INIT, canonical = STR_INIT, text = STR_INIT;
    struct reply reply;
    int rc = reply_cut(REPLY_VERSION, &hearing->came.vouching->body, (struct slice){"", 0}, &reply, err);
    canon_text(&canonical, slice_str(&reply.typed));
    add_letters(&typed, slice_str(&canonical));
    add_letters(&text, hearing->canonical);
    *is = rc == 0 && slice_find(slice_str(&typed), text.p) != (size_t)-1;
    str_release(&typed);
    str_release(&canonical);
    str_release(&text);
    reply_release(&reply);
    return rc;
}

/* The text proves the key, and the mail that it is theirs. */
static void judge_first(struct hearing *hearing, const struct key_change *change, const struct player *player)
{
    const struct vouching *vouching = hearing->came.vouching;
    char shown[KEY_SHOWN];
    pubkey_show(shown, hearing->key);
    if (strcmp(shown, change->add) != 0 || *change->revoke)
        (void)hearing_refuse(hearing, "key_first");
    else if (!vouching_player(vouching, &hearing->batch->registry, player))
        (void)hearing_refuse(hearing, "key_first_mail player=%s", player->name);
    else if (keyring_owner(&hearing->batch->keyring, hearing->key))
        (void)hearing_refuse(hearing, "key_registered");
    else if (player->rekey.time)
        (void)hearing_refuse(hearing, "rekey_already name=%s", player->name);
}

/* It waits as a key in place of a lost one does: whoever reads their mail could ask for it, too. */
static enum outcome ask_first(struct hearing *hearing, const struct player *known, struct err *err)
{
    struct batch *batch = hearing->batch;
    struct player player = *known;
    char shown[KEY_SHOWN];
    json_t *evidence = hearing_evidence(hearing);
    if (!vouched_whole(evidence, &hearing->came.vouching->proof, batch->now, KEYLESS_MAIL)) {
        json_decref(evidence);
        return hearing_refuse(hearing, "dkim_large kb=%d", (int)(KEYLESS_MAIL >> 10));
    }
    player.rekey =
        (struct player_rekey){.time = batch->now + REKEY_WAIT, .asked = batch->now, .key = *hearing->key};
    memcpy(player.rekey.by, player.name, sizeof player.rekey.by);
    int rc = rekey_ask(batch, &player, evidence, err);
    json_decref(evidence);
    pubkey_show(shown, &player.rekey.key);
    json_t *facts = json_pack("{s:s,s:s}", "player", player.name, "key", shown);
    facts_time(facts, "when", player.rekey.time);
    if (rc == 0)
        rc = rekey_announce(batch, player.name, "first_key", facts, player.name, hearing->msg, err);
    json_decref(facts);
    return rc;
}

static enum outcome by_new_key(struct hearing *hearing, struct key_change *change, struct err *err)
{
    const struct player *keyless = registry_find(&hearing->batch->registry, change->player);
    if (hearing->batch->league->config.league.trust == TRUST_MAIL && is_keyless(hearing->batch, keyless)) {
        bool typed = false;
        judge_first(hearing, change, keyless);
        if (!hearing->refusal && is_typed(hearing, &typed, err))
            return OUTCOME_FAILED;
        if (!hearing->refusal && !typed)
            return hearing_refuse(hearing, "key_first_typed player=%s", keyless->name);
        return hearing->refusal ? OUTCOME_REFUSED : ask_first(hearing, keyless, err);
    }
    struct asked asked = {.evidence = NULL};
    bool was = false;
    if (was_asked_for(hearing, change, &asked, &was, err))
        return OUTCOME_FAILED;
    bool other =
        change->known && !pubkey_is_numbered(hearing->key) && !pubkey_equal(&change->key, hearing->key);
    enum outcome outcome = OUTCOME_REFUSED;
    if (!was || other) {
        (void)hearing_refuse(hearing, "key_signed_twice");
    } else {
        change->key = *hearing->key;
        change->known = true;
        outcome = carry_out(hearing, change, &asked, err);
    }
    json_decref(asked.evidence);
    return outcome;
}

/* "trust: mail": may they do without a key? */
static enum outcome judge_lowering(struct hearing *hearing, struct key_change *change, struct err *err)
{
    struct batch *batch = hearing->batch;
    char game[GAME_NAME] = "";
    if (!slice_caseeq(hearing->value[TRUST], "mail") || !*change->revoke || *change->add || change->moderated)
        return hearing_refuse(hearing, "trust_takes");
    if (batch->league->config.league.trust != TRUST_MAIL)
        return hearing_refuse(hearing, "trust_league");
    if (petition_moderator(batch->league, change->player))
        return hearing_refuse(hearing, "trust_moderator");
    if (follow_keys_needed(batch, change->player, game, err))
        return OUTCOME_FAILED;
    if (*game)
        return hearing_refuse(hearing, "trust_game game=%s", game);
    change->lowers = true;
    return OUTCOME_DONE;
}

static enum outcome act(struct hearing *hearing, struct err *err)
{
    struct key_change change = {.player = ""};
    struct pubkey revoked;
    char player[PLAYER_NAME] = "";
    bool whole;
    if (hearing->value[REASON].p) /* the word of all other texts */
        hearing->value[WHY] = hearing->value[REASON];
    if (!hearing->value[ADD].p && !hearing->value[REVOKE].p)
        return hearing_refuse(hearing, "key_nothing");
    if ((hearing->value[ADD].p && !take_key(hearing, ADD, change.add, &change.key, &change.known)) ||
        (hearing->value[REVOKE].p && !take_key(hearing, REVOKE, change.revoke, &revoked, &whole)) ||
        (hearing->value[PLAYER].p && !hearing_name(hearing, PLAYER, player)))
        return OUTCOME_REFUSED;
    (void)snprintf(change.player, sizeof change.player, "%s", player);
    if (!hearing->player)
        return by_new_key(hearing, &change, err);
    if (*player && strcmp(player, hearing->player) != 0) {
        if (*change.add || !petition_moderator(hearing->batch->league, hearing->player))
            return hearing_refuse(hearing, "own_keys");
        if (!registry_find(&hearing->batch->registry, player))
            return hearing_refuse(hearing, "unknown_player name=%s", player);
        change.moderated = true;
    }
    (void)snprintf(change.player, sizeof change.player, "%s", *player ? player : hearing->player);
    if (hearing->value[TRUST].p && judge_lowering(hearing, &change, err) != OUTCOME_DONE)
        return hearing->refusal ? OUTCOME_REFUSED : OUTCOME_FAILED;
    return add_or_revoke(hearing, &change, err);
}

const struct petition petition_key = {
    .verb = "key",
    .needs = PETITION_NEWCOMER,
    .fields = {[PLAYER] = "player",
               [ADD] = "add",
               [REVOKE] = "revoke",
               [REASON] = "reason",
               [WHY] = "why",
               [TRUST] = "trust"},
    .act = act,
};
