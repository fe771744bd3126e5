#include "petitions/registration.h"
#include "petitions/requests.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/encode.h"
#include "base/json.h"
#include "league/address.h"
#include "letters/tools.h"
#include "petitions/bound.h"
#include "play/facts.h"
#include "batch/follow_keys.h"
#include "batch/name_trace.h"
#include "batch/stopped.h"
#include "batch/tell.h"
#include "league/token.h"

/* A name to which league.ini gives rights before its owner has registered cannot be taken, nor can one like
 * it. */
static void not_moderator(const struct batch *batch, const char *name, json_t **refusal)
{
    struct slice rest = slice_of(batch->league->config.league.moderators);
    struct slice word;
    bool kept = false;
    while (!kept && slice_word(&rest, &word)) {
        char *moderator = slice_dup(word);
        kept = player_names_alike(moderator, name);
        free(moderator);
    }
    if (kept)
        reason_set(refusal, "name_moderators name=%s", name);
}

/* The player of that name, or one whose name looks like it, even if their file is damaged or gone; "" =
 * none. */
static int find_owner(struct batch *batch, const char *name, char owner[PLAYER_NAME], struct err *err)
{
    const struct player *other = registry_alike(&batch->registry, name);
    struct name_places places = {batch->league->dir, &batch->registry, &batch->keyring, batch->catalog, NULL};
    struct name_trace trace;
    (void)snprintf(owner, PLAYER_NAME, "%s", other ? other->name : "");
    if (other && strcmp(owner, name) == 0)
        return 0;
    if (registry_log_names(&batch->log, &places.documents, err) ||
        name_trace_find(&places, name, &trace, err))
        return -1;
    if (trace.kind != TRACE_NONE && (!other || strcmp(trace.player, name) == 0))
        memcpy(owner, trace.player, PLAYER_NAME);
    return 0;
}

enum outcome registration_name(struct batch *batch, const char *name, json_t **refusal, struct err *err)
{
    char owner[PLAYER_NAME];
    struct err why = ERR_INIT;
    if (player_name_new(name, &why)) {
        reason_err(refusal, &why);
        return OUTCOME_REFUSED;
    }
    if (find_owner(batch, name, owner, err))
        return OUTCOME_FAILED;
    if (strcmp(owner, name) == 0)
        reason_set(refusal, "name_taken name=%s", name);
    else if (*owner)
        reason_set(refusal, "name_alike name=%s player=%s", name, owner);
    else
        not_moderator(batch, name, refusal);
    return *refusal ? OUTCOME_REFUSED : OUTCOME_DONE;
}

static void judge_rest(const struct batch *batch, struct applicant *applicant, json_t **refusal)
{
    struct err why = ERR_INIT;
    const struct player *other;
    if (!applicant->by_mail && keyring_owner(&batch->keyring, &applicant->key))
        reason_set(refusal, "key_registered");
    else if (address_check(applicant->address, &why))
        reason_err(refusal, &why);
    else if ((other = registry_by_address(&batch->registry, applicant->address)) != NULL)
        reason_set(refusal, "address_taken player=%s", other->name);
}

enum outcome registration_judge(struct batch *batch, struct applicant *applicant, json_t **refusal,
                                struct err *err)
{
    for (char *c = applicant->name; *c; c++)
        if (*c >= 'A' && *c <= 'Z')
            *c = (char)(*c - 'A' + 'a');
    enum outcome outcome = registration_name(batch, applicant->name, refusal, err);
    if (outcome != OUTCOME_DONE)
        return outcome;
    judge_rest(batch, applicant, refusal);
    return *refusal ? OUTCOME_REFUSED : OUTCOME_DONE;
}

int registration_enter(struct batch *batch, const struct applicant *applicant, const char *token,
                       const json_t *evidence, struct err *err)
{
    struct player player;
    char stop[TOKEN_NAME];
    bool stopped = false;
    if (stopped_is(batch, applicant->address, &stopped, err))
        return -1;
    json_t *tokens = token ? json_pack("{s:n}", token) : json_object();
    stopped_name(batch->league, applicant->address, stop);
    if (stopped) /* they want mail again */
        json_object_set_new(tokens, stop, json_null());
    player_init(&player);
    memcpy(player.name, applicant->name, sizeof player.name);
    memcpy(player.display, applicant->display, sizeof player.display);
    memcpy(player.address, applicant->address, sizeof player.address);
    player.since = batch->now;
    player.by_mail = applicant->by_mail;
    struct registry_change change = {.what = "register",
                                     .player = &player,
                                     .key_owner = player.by_mail ? NULL : player.name,
                                     .keys = &applicant->key,
                                     .key_count = player.by_mail ? 0 : 1,
                                     .tokens = tokens,
                                     .evidence = evidence};
    int rc = batch_change(batch, &change, err);
    json_decref(tokens);
    return rc;
}

void registration_page(json_t *facts, const struct league *league, const struct pubkey *key)
{
    const char *page = pubkey_page(key), *own = league->config.league.page_url;
    if (page)
        json_object_set_new(
            facts, "made_in",
            json_pack("{s:s,s:b}", "host", page, "by_operator", *own && slice_eq(page_url_host(own), page)));
}

json_t *registration_keys(const struct league *league, const struct pubkey *keys, size_t count)
{
    json_t *list = json_array();
    for (size_t i = 0; i < count; i++) {
        char shown[KEY_SHOWN];
        pubkey_show(shown, &keys[i]);
        json_t *item = json_pack("{s:s}", "key", shown);
        registration_page(item, league, &keys[i]);
        json_array_append_new(list, item);
    }
    return list;
}

/* The one game that has a free seat, where "ok" to the mail takes it; NULL: none, or several. */
static const struct game *only_game(struct batch *batch, const json_t *joinable)
{
    const json_t *open = json_array_get(json_object_get(joinable, "open"), 0);
    const char *id = json_string_value(json_object_get(open, "game"));
    struct batch_game *entry;
    struct err why = ERR_INIT;
    if (!json_is_true(json_object_get(joinable, "single")) || batch_game(batch, id, &entry, &why))
        return NULL;
    return entry->game.table.by_mail ? &entry->game : NULL;
}

int registration_greet(struct batch *batch, const char *player, const char *joins,
                       const struct message *answered, struct err *err)
{
    char print[KEY_SHOWN] = "";
    struct pubkey keys[KEYS_PER_PLAYER];
    const struct player *who = registry_find(&batch->registry, player);
    bool keyed = keyring_of(&batch->keyring, player, keys) > 0;
    if (keyed)
        pubkey_show(print, &keys[0]);
    json_t *facts =
        json_pack("{s:s,s:s,s:s,s:b,s:s}", "player", player, "key", print, "address", who ? who->address : "",
                  "by_mail", who && who->by_mail, "domain", who ? strrchr(who->address, '@') + 1 : "");
    if (who && *who->display)
        json_object_set_new(facts, "called", json_pack("{s:s}", "display", who->display));
    if (keyed)
        registration_page(facts, batch->league, &keys[0]);
    int rc = request_add_games(batch, facts, err);
    const struct answer_game asks = {.game = only_game(batch, json_object_get(facts, "joinable")),
                                     .held = slice_of("join")};
    if (*joins)
        json_object_del(facts, "joinable");
    if (rc == 0)
        rc = tell_player(batch,
                         &(struct tell){.words = "registered",
                                        .facts = facts,
                                        .answered = answered,
                                        .asks = asks.game && !*joins ? &asks : NULL},
                         player, err);
    json_decref(facts);
    return rc;
}

/* ---- texts that are ready to be signed ---- */

static void add_line(json_t *lines, const char *front, const char *value)
{
    struct str line = STR_INIT;
    if (!*value && *front != '#')
        return;
    str_addf(&line, "%s%s", front, value);
    json_array_append_new(lines, json_pack("{s:o}", "line", json_text(slice_str(&line))));
    str_release(&line);
}

/* One that its reader has to complete where the value is NULL: templates have the words under `code`. */
static void add_known(json_t *lines, const char *front, const char *value, const char *code)
{
    if (value)
        add_line(lines, front, value);
    else
        bound_words(lines, code, false);
}

static json_t *begin_form(const struct batch *batch, const char *first)
{
    json_t *lines = json_array();
    add_line(lines, first, "");
    bound_form_league(lines, batch->league, batch->now);
    return lines;
}

json_t *registration_form(const struct batch *batch, const struct registration_lines *own)
{
    char key[KEY_SHOWN] = "";
    json_t *lines = begin_form(batch, "#turnpost register");
    add_known(lines, "name: ", own->name, "line_name");
    add_line(lines, "display: ", own->display);
    add_known(lines, "address: ", own->address, "line_address");
    if (own->key && pubkey_needs_line(own->key))
        pubkey_show(key, own->key);
    add_line(lines, "key: ", key);
    add_known(lines, "invite: ", own->invite, "line_invite");
    add_line(lines, "confirm: ", own->confirm);
    add_line(lines, "#end", "");
    return lines;
}

json_t *registration_asked(const struct batch *batch, const struct applicant *applicant, const char *invite)
{
    char word[TOKEN_TEXT];
    struct confirm what = registration_confirms(applicant);
    confirm_word(word, batch->league, &what, batch->now);
    json_t *facts =
        json_pack("{s:b,s:b,s:s,s:s,s:o}", "registers", 1, "pastes", 1, "player", applicant->name, "address",
                  applicant->address, "form",
                  registration_form(batch, &(struct registration_lines){applicant->name, applicant->display,
                                                                        applicant->address, &applicant->key,
                                                                        invite, word}));
    facts_time(facts, "when", batch->now + batch->league->config.league.token_expire);
    tools_add(facts, &applicant->key, 1);
    return facts;
}

json_t *registration_address_form(const struct batch *batch, const char *address)
{
    json_t *lines = begin_form(batch, "#turnpost prefs");
    add_line(lines, "address: ", address);
    add_line(lines, "#end", "");
    return lines;
}

json_t *registration_asked_address(const struct batch *batch, const struct confirm *what)
{
    char word[TOKEN_TEXT];
    json_t *lines = begin_form(batch, "#turnpost prefs");
    confirm_word(word, batch->league, what, batch->now);
    add_line(lines, what->use == CONFIRM_SECOND ? "second: " : "address: ", what->address);
    add_line(lines, "confirm: ", word);
    add_line(lines, "#end", "");
    json_t *facts = json_pack("{s:b,s:b,s:s,s:s,s:o}", "registers", 0, "pastes", 0, "player", what->player,
                              "address", what->address, "form", lines);
    facts_time(facts, "when", batch->now + batch->league->config.league.token_expire);
    struct pubkey keys[KEYS_PER_PLAYER];
    tools_add(facts, keys, keyring_of(&batch->keyring, what->player, keys));
    return facts;
}

struct confirm registration_confirms(const struct applicant *applicant)
{
    return (struct confirm){CONFIRM_REGISTER, applicant->name, applicant->address, &applicant->key};
}

static json_t *facts_of_addresses(const struct player *player)
{
    return json_pack("{s:s,s:s,s:s,s:b,s:b}", "player", player->name, "address", player->address, "address2",
                     player->address2, "has_second", *player->address2 != '\0', "by_mail", player->by_mail);
}

int registration_tell_lost(struct batch *batch, const struct player *old, const struct player *now,
                           const json_t *more, struct err *err)
{
    const char *const had[] = {old->address, old->address2};
    json_t *facts = facts_of_addresses(now);
    int rc = 0;
    json_object_update(facts, (json_t *)(uintptr_t)more);
    for (size_t i = 0; i < sizeof had / sizeof *had && rc == 0; i++)
        if (*had[i] && !player_has_address(now, had[i]))
            rc = tell_address(batch, &(struct tell){.words = "addresses", .facts = facts}, had[i], now->name,
                              err);
    json_decref(facts);
    return rc;
}

int registration_tell_addresses(struct batch *batch, const struct player *old, const struct player *now,
                                const json_t *more, const struct message *answered, struct err *err)
{
    json_t *facts = facts_of_addresses(now);
    json_object_update(facts, (json_t *)(uintptr_t)more);
    int rc = tell_player(batch, &(struct tell){.words = "addresses", .facts = facts, .answered = answered},
                         now->name, err);
    json_decref(facts);
    return rc ? rc : registration_tell_lost(batch, old, now, more, err);
}

int registration_move(struct batch *batch, const struct player *changed, const char *who,
                      const json_t *evidence, const struct message *answered, struct err *err)
{
    struct player player = *changed; /* the registry's contents move when it is changed */
    struct player old = *registry_find(&batch->registry, player.name);
    if (strcasecmp(player.address2, player.address) == 0)
        player.address2[0] = '\0';
    struct registry_change change = {.what = "address", .player = &player, .evidence = evidence};
    char by[PLAYER_NAME];
    (void)snprintf(by, sizeof by, "%s", who);
    int rc = batch_change(batch, &change, err);
    if (rc == 0 && old.rekey.time && !player.rekey.time)
        rc = follow_veto(batch, &old, by, err);
    if (rc == 0)
        rc = follow_mailbox(batch, &player, by, err);
    if (rc == 0)
        rc = registration_tell_addresses(batch, &old, &player, NULL, answered, err);
    return rc;
}
