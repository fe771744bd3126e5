#include "petitions/newcomer.h"

#include <stdio.h>
#include <string.h>

#include "base/encode.h"
#include "compete/competition.h"
#include "batch/confirm.h"
#include "letters/tools.h"
#include "base/reason.h"
#include "petitions/bound.h"
#include "petitions/registration.h"
#include "play/facts.h"
#include "league/registry_marks.h"
#include "trust/canon.h"

/* ---- unknown keys ---- */

/* A key as the tool would read it; of the two tools that share a form, signify is the one that signs the text
 * itself. */
static bool key_of_line(struct slice line, const struct signature *sig, struct pubkey *key)
{
    struct err why = ERR_INIT;
    bool found = false;
    if (!slice_casestarts(line, "key:") && !slice_casestarts(line, "add:"))
        return false;
    struct slice value = slice_trim(slice_sub(line, 4, line.len));
    if (pubkey_next(&value, key, &found, &why) || !found || !pubkey_is_numbered(key))
        return false;
    key->kind = signature_kind(sig);
    return memcmp(key->id, sig->key.id, sizeof key->id) == 0;
}

/* Does a key in this text verify its signature? */
static bool key_in_text(const struct envelope *envelope, struct slice candidate, struct pubkey *key)
{
    const struct signature *sig = &envelope->sig;
    struct str text = STR_INIT;
    struct err why = ERR_INIT;
    struct slice line;
    bool good = false;
    (void)work_take(envelope->work, candidate.len);
    canon_text(&text, candidate);
    struct slice rest = slice_str(&text);
    while (!good && slice_line(&rest, &line)) {
        if (!key_of_line(line, sig, key) || !work_take(envelope->work, candidate.len + WORK_CHECK))
            continue;
        good = signature_verify(sig, key, NS_ORDERS, candidate, &why) == 0;
        err_clear(&why);
    }
    str_release(&text);
    return good;
}

/* Does a line of the text name this very key, by what pubkey_show gives or whole? */
static bool is_in_text(const struct pubkey *key, struct slice text)
{
    char shown[KEY_SHOWN];
    struct slice line;
    pubkey_show(shown, key);
    while (slice_line(&text, &line)) {
        struct err why = ERR_INIT;
        struct pubkey named;
        bool found = false;
        if (!slice_casestarts(line, "key:") && !slice_casestarts(line, "add:"))
            continue;
        struct slice value = slice_trim(slice_sub(line, 4, line.len));
        if (slice_eq(value, shown) ||
            (pubkey_next(&value, &named, &found, &why) == 0 && found && pubkey_equal(&named, key)))
            return true;
    }
    return false;
}

/* A signature does not say that each one of its key is to be verified; its text does, if this one is. */
static void demand_verified(const struct signature *sig, struct slice text, struct pubkey *key)
{
    struct err why = ERR_INIT;
    struct pubkey verified = *key;
    if (pubkey_demand_verified(&verified) && is_in_text(&verified, text) &&
        signature_fits(sig, &verified, NS_ORDERS, &why) == 0)
        *key = verified;
}

bool newcomer_open(struct envelope *envelope, struct pubkey *key, struct str *exact, struct str *text)
{
    struct err why = ERR_INIT;
    struct slice candidate;
    bool good = signature_key(&envelope->sig, key);
    if (signature_is_numbered(&envelope->sig))
        for (size_t i = 0; !good && (candidate = envelope_candidate(envelope, i)).len; i++)
            good = key_in_text(envelope, candidate, key);
    if (!good || envelope_open(envelope, key, NS_ORDERS, &(struct envelope_text){exact, text}, &why))
        return false;
    demand_verified(&envelope->sig, slice_str(text), key);
    return true;
}

bool newcomer_lacks_key(struct envelope *envelope)
{
    struct str text = STR_INIT;
    struct err ignored = ERR_INIT; /* what cannot be read asks for nothing */
    struct frame frame;
    struct slice candidate = envelope_candidate(envelope, 0);
    if (!signature_is_numbered(&envelope->sig) || !candidate.len)
        return false;
    canon_text(&text, candidate);
    bool registers =
        frame_parse(slice_str(&text), &frame, &ignored) == 0 && strcmp(frame.verb, "register") == 0;
    str_release(&text);
    return registers;
}

/* ---- a pasted key ---- */

#define PASTED_MAX 8 /* lines that look like one; each costs the check of a point */

struct pasted {
    struct pubkey key;
    bool found;
    struct err broken; /* an unusable key, and why */
};

/* Somebody has sent a secret key. */
static bool is_secret(struct slice line)
{
    return slice_find(line, "PRIVATE KEY-----") != (size_t)-1 ||
           (slice_casestarts(line, "untrusted comment:") && slice_find(line, "secret key") != (size_t)-1);
}

/* Is it the first word of a key, or does the word after a key say how it signs? */
static bool is_alone(struct slice line, struct slice after)
{
    struct slice word;
    bool alone = slice_word(&line, &word) && !slice_trim(line).len;
    if (slice_starts(slice_trim(after), "webauthn"))
        return true;
    return alone && pubkey_begins(word);
}

/* A key that a mail program broke between its words is put together again. */
static void read_pasted(struct slice from, struct pasted *pasted)
{
    struct str text = STR_INIT;
    struct slice line;
    struct err why = ERR_INIT;
    for (int lines = 0; lines < 3 && slice_line(&from, &line); lines++) {
        struct slice rest = from, after = {"", 0};
        (void)slice_line(&rest, &after);
        str_addslice(&text, slice_trim(line));
        str_addc(&text, is_alone(line, after) ? ' ' : '\n');
    }
    struct slice rest = slice_str(&text);
    if (pubkey_next(&rest, &pasted->key, &pasted->found, &why))
        pasted->broken = why;
    str_release(&text);
}

static void find_pasted(const struct message *msg, struct pasted *pasted)
{
    int keys = 0;
    *pasted = (struct pasted){.found = false};
    for (size_t i = 0; i < msg->part_count && !pasted->found; i++) {
        struct slice rest = slice_str(&msg->parts[i].shown);
        struct slice from = rest;
        struct slice line;
        for (; !pasted->found && keys < PASTED_MAX && slice_line(&rest, &line); from = rest) {
            if (is_secret(slice_trim(line)))
                (void)reason_fail(
                    &pasted->broken, "pasted_secret",
                    "it is a secret key, which must never leave your hands: anyone who has seen this "
                    "mail can sign in your name. Make a new pair, and send the public half, the "
                    "file that ends in .pub");
            else if (pubkey_begins(slice_trim(line)) && ++keys)
                read_pasted(from, pasted);
        }
    }
}

/* ---- requests ---- */

/* "Re: register anna" -> "register", "anna" */
bool newcomer_word(struct slice line, const char *word, struct slice *value)
{
    struct slice rest = subject_words(line);
    struct slice first;
    if (!slice_word(&rest, &first) || !slice_caseeq(first, word))
        return false;
    *value = slice_trim(rest);
    return true;
}

/* A line of the mail that begins with "name:" and the like. */
static struct slice find_field(const struct message *msg, const char *field)
{
    for (size_t i = 0; i < msg->part_count; i++) {
        struct slice rest = slice_str(&msg->parts[i].shown);
        struct slice line;
        while (slice_line(&rest, &line))
            if (slice_casestarts(slice_trim(line), field))
                return slice_trim(slice_sub(slice_trim(line), strlen(field), line.len));
    }
    return (struct slice){"", 0};
}

void newcomer_display(char display[PLAYER_DISPLAY], struct slice wish)
{
    char name[PLAYER_NAME];
    struct err why = ERR_INIT; /* the name stands alone then, and they can say it better later */
    size_t end = 0;
    while (end < wish.len && !strchr(":?!", wish.p[end]))
        end++;
    display[0] = '\0';
    if (!player_name_suggest(name, slice_sub(wish, 0, end)) &&
        player_display_read(display, slice_sub(wish, 0, end), &why))
        display[0] = '\0';
}

static void add_line(json_t *lines, const char *front, const char *value)
{
    struct str line = STR_INIT;
    str_addf(&line, "%s%s", front, value);
    json_array_append_new(lines, json_pack("{s:o}", "line", json_text(slice_str(&line))));
    str_release(&line);
}

static void add_key_facts(json_t *facts, const struct pasted *pasted)
{
    char print[KEY_SHOWN];
    if (pasted->broken.code && !pasted->found)
        json_object_set_new(facts, "broken_key", reason_said(&pasted->broken));
    if (!pasted->found)
        return;
    pubkey_show(print, &pasted->key);
    json_object_set_new(facts, "key", json_string(print));
}

/* Only a possible word of that kind is shown again: an answer repeats nothing that a stranger has made up. */
static void read_word(char word[TOKEN_TEXT], struct slice text)
{
    if (!token_read(word, text))
        *word = '\0';
}

/* What a mail says about the sender who wants to register. */
struct wishes {
    char name[PLAYER_NAME];       /* a possible one, "" = none */
    char display[PLAYER_DISPLAY]; /* what they want to be called beside it */
    char taken[PLAYER_NAME]; /* the one that it asks for, where that is somebody else's or not available */
    char invite[TOKEN_TEXT];
    const struct pubkey *key; /* borrowed; NULL = none */
    bool lacks_invite;        /* and the league wants one */
};

static void read_wishes(struct batch *batch, const struct message *msg, struct slice wish,
                        struct wishes *wishes)
{
    char name[PLAYER_NAME];
    json_t *why = NULL;
    struct err ignored = ERR_INIT; /* registering under that name will report it */
    wish = wish.len ? wish : find_field(msg, "name:");
    newcomer_display(wishes->display, wish);
    (void)player_name_suggest(name, wish);
    if (!*name)
        (void)player_name_suggest(name, (struct slice){msg->from, strcspn(msg->from, "@+.")});
    bool usable = *name && registration_name(batch, name, &why, &ignored) == OUTCOME_DONE;
    reason_clear(&why);
    bool known = *name && !usable && registry_alike(&batch->registry, name);
    (void)snprintf(wishes->taken, PLAYER_NAME, "%s", known ? name : "");
    (void)snprintf(wishes->name, PLAYER_NAME, "%s", usable ? name : "");
    read_word(wishes->invite, find_field(msg, "invite:"));
    wishes->lacks_invite =
        !*wishes->invite && batch->league->config.league.registration == REGISTRATION_INVITE;
}

/* The text to register with. `confirm`: the word that proves the address, "" = none. */
static json_t *register_form(struct batch *batch, const struct message *msg, const struct wishes *wishes,
                             const char *confirm)
{
    return registration_form(
        batch, &(struct registration_lines){*wishes->name ? wishes->name : NULL, wishes->display,
                                            *msg->from ? msg->from : NULL, wishes->key,
                                            wishes->lacks_invite ? NULL : wishes->invite, confirm});
}

json_t *newcomer_form(const struct hearing *hearing)
{
    struct wishes wishes = {.key = hearing->key};
    if (!hearing->msg)
        return NULL;
    read_wishes(hearing->batch, hearing->msg, (struct slice){"", 0}, &wishes);
    return register_form(hearing->batch, hearing->msg, &wishes, "");
}

bool newcomer_invited(const struct batch *batch, const struct message *msg, char name[TOKEN_NAME])
{
    struct err ignored = ERR_INIT; /* handling the text will report it */
    json_t *document = NULL;
    bool invited = token_name(name, TOKEN_INVITE, find_field(msg, "invite:")) &&
                   batch_token(batch, name, &document, &ignored) == 0 && document;
    json_decref(document);
    return invited;
}

static void key_form(const struct batch *batch, const struct player *player, const struct pasted *pasted,
                     json_t *facts)
{
    char key[KEY_SHOWN];
    json_t *lines = json_array();
    pubkey_show(key, &pasted->key);
    add_line(lines, "#turnpost key", "");
    bound_form_league(lines, batch->league, batch->now);
    add_line(lines, "player: ", player->name);
    add_line(lines, "add: ", key);
    add_line(lines, "#end", "");
    json_object_set_new(facts, "form", lines);
    json_object_set_new(facts, "player", json_string(player->name));
    struct pubkey keys[KEYS_PER_PLAYER + 1];
    size_t count = keyring_of(&batch->keyring, player->name, keys);
    keys[count] = pasted->key;
    tools_add(facts, keys, count + 1);
}

/* The text to be signed, for an address that is no player's. With the key in hand it has the word in it that
 * proves the address, because it is mailed there: then that is the only text. `own`: the mail holds such a
 * text, without a signature. */
static void put_form(struct batch *batch, const struct message *msg, const struct wishes *wishes, bool own,
                     json_t *facts)
{
    char word[TOKEN_TEXT] = "";
    const struct confirm what = {CONFIRM_REGISTER, wishes->name, msg->from, wishes->key};
    bool proves = wishes->key && *wishes->name && *msg->from;
    if (proves)
        confirm_word(word, batch->league, &what, batch->now);
    else if (own)
        read_word(word, find_field(msg, "confirm:"));
    json_object_set_new(facts, "one_text", json_boolean(*word));
    json_object_set_new(facts, "missing", json_boolean(!*wishes->name || wishes->lacks_invite));
    json_object_set_new(facts, "has_form", json_true());
    json_object_set_new(facts, "form", register_form(batch, msg, wishes, word));
    facts_time(facts, "when", batch->now + batch->league->config.league.token_expire);
}

/* "register anna minisign": the tool that it names, which is no name of a player. */
static bool take_tool(struct slice *wish, struct pubkey *key)
{
    struct slice rest = *wish;
    struct slice word;
    while (slice_word(&rest, &word)) {
        if (!key_tool_named(word, &key->kind))
            continue;
        wish->len = (size_t)(word.p - wish->p);
        *wish = slice_trim(*wish);
        return true;
    }
    return false;
}

/* Whoever wants to register, or has pasted a key that nobody has. */
static void answer_newcomer(struct batch *batch, const struct message *msg, struct slice wish,
                            struct pasted *pasted, json_t *facts)
{
    struct pubkey tool = {.kind = KEY_SSH};
    struct slice in_text = find_field(msg, "key:");
    struct err ignored = ERR_INIT;
    bool own = slice_caseeq(find_field(msg, "#turnpost"), "register");
    bool named = take_tool(&wish, &tool);
    if (own && !pasted->found && pubkey_next(&in_text, &pasted->key, &pasted->found, &ignored))
        pasted->found = false;
    struct wishes wishes = {.key = pasted->found ? &pasted->key : NULL};
    read_wishes(batch, msg, wish, &wishes);
    add_key_facts(facts, pasted);
    if (*wishes.taken)
        json_object_set_new(facts, "taken", json_string(wishes.taken));
    if (pasted->found || own)
        put_form(batch, msg, &wishes, own, facts);
    else
        json_object_set_new(facts, "name", json_string(wishes.name));
    json_object_set_new(facts, "has_name", json_boolean(*wishes.name));
    json_object_set_new(facts, "lacks_invite", json_boolean(wishes.lacks_invite));
    if (*wishes.invite)
        json_object_set_new(facts, "word", json_string(wishes.invite));
    if (pasted->found)
        tools_add(facts, &pasted->key, 1);
    else
        tools_add(facts, &tool, named || !own);
}

bool newcomer_pastes(const struct message *msg)
{
    struct pasted pasted;
    find_pasted(msg, &pasted);
    return pasted.found || pasted.broken.code || slice_caseeq(find_field(msg, "#turnpost"), "register");
}

void newcomer_request(struct batch *batch, const struct message *msg, const struct player *sender,
                      bool *found, struct request *request)
{
    struct pasted pasted;
    struct slice wish = {"", 0};
    enum registration how = batch->league->config.league.registration;
    bool asks = newcomer_word(slice_of(msg->subject), "register", &wish) ||
                newcomer_word(message_first_line(msg), "register", &wish) ||
                slice_caseeq(find_field(msg, "#turnpost"), "register");
    find_pasted(msg, &pasted);
    *found = asks || pasted.found || pasted.broken.code;
    *request = (struct request){"ask_register", "", NULL};
    if (!*found)
        return;
    json_t *facts = request->facts = json_object();
    json_object_set_new(facts, "answers", json_integer(batch->league->config.limits.stranger_replies));
    json_object_set_new(facts,
                        how == REGISTRATION_OPEN     ? "open"
                        : how == REGISTRATION_INVITE ? "invite"
                                                     : "closed",
                        json_true());
    if (!sender) {
        answer_newcomer(batch, msg, wish, &pasted, facts);
        return;
    }
    add_key_facts(facts, &pasted);
    if (pasted.found) {
        request->kind = "ask_key";
        json_object_set_new(facts, "first", json_boolean(sender->by_mail));
        key_form(batch, sender, &pasted, facts);
    } else {
        json_object_set_new(facts, "already", json_string(sender->name));
    }
}
