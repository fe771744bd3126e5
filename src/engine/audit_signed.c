/* Texts that players signed: in payloads of seals, and in records that petitions led to. */
#include <sodium.h>
#include <string.h>

#include "base/encode.h"
#include "base/file.h"
#include "base/json.h"
#include "engine/audit_parts.h"
#include "engine/witness.h"
#include "trust/canon.h"

/* ---- signatures ---- */

static bool read_ssh(const json_t *json, struct signature *sig)
{
    const char *hash = json_string_value(json_object_get(json, "hash"));
    const char *ns = json_string_value(json_object_get(json, "namespace"));
    bool token = sig->kind == KEY_SSH_SK;
    if (!hash || !ns || !*ns || strlen(ns) >= sizeof sig->ns || json_object_size(json) != (token ? 6 : 4))
        return false;
    memcpy(sig->ns, ns, strlen(ns) + 1);
    sig->hash = strcmp(hash, "sha256") == 0 ? SIG_SHA256 : SIG_SHA512;
    if (token) {
        const json_t *flags = json_object_get(json, "flags");
        const json_t *counter = json_object_get(json, "counter");
        if (!json_is_integer(flags) || !json_is_integer(counter) || json_integer_value(flags) < 0 ||
            json_integer_value(flags) > UINT8_MAX || json_integer_value(counter) < 0 ||
            json_integer_value(counter) > UINT32_MAX)
            return false;
        sig->flags = (unsigned char)json_integer_value(flags);
        sig->counter = (uint32_t)json_integer_value(counter);
    }
    return strcmp(hash, "sha256") == 0 || strcmp(hash, "sha512") == 0;
}

int audit_signature_read(const json_t *json, struct signature *sig, struct pubkey *key, struct err *err)
{
    struct err why = ERR_INIT;
    struct str bytes = STR_INIT, again = STR_INIT;
    const char *line = json_string_value(json_object_get(json, "key"));
    const char *text = json_string_value(json_object_get(json, "sig"));
    struct slice rest = slice_of(line ? line : "");
    bool found = false;
    memset(sig, 0, sizeof *sig);
    bool good = text && pubkey_next(&rest, key, &found, &why) == 0 && found &&
                base64_decode(&bytes, slice_of(text)) && bytes.len == sizeof sig->sig;
    if (good) {
        pubkey_format(&again, key);
        memcpy(sig->sig, bytes.p, sizeof sig->sig);
        sig->kind = key->kind;
        sig->key = *key;
    }
    good = good && strcmp(again.p, line) == 0;
    if (good && (key->kind == KEY_SSH || key->kind == KEY_SSH_SK)) {
        good = read_ssh(json, sig);
    } else if (good) {
        const json_t *prehashed = json_object_get(json, "prehashed");
        sig->prehashed = json_is_true(prehashed);
        good = json_is_boolean(prehashed) && json_object_size(json) == 3;
    }
    str_release(&bytes);
    str_release(&again);
    return good ? 0 : err_set(err, ERR_BROKEN, "what it keeps of a signature cannot be read");
}

/* ---- signed texts ---- */

void audit_signed_release(struct audit_signed *text)
{
    str_release(&text->text);
}

static bool is_one_of(const struct pubkey *key, const struct pubkey *keys, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (pubkey_equal(key, &keys[i]))
            return true;
    return false;
}

int audit_signed_text(struct auditing *a, const json_t *payload, int seat, const struct pubkey *keys,
                      size_t count, struct audit_signed *out)
{
    str_init(&out->text);
    struct signature sig;
    struct err err = ERR_INIT;
    const json_t *text = json_object_get(payload, "text");
    struct slice exact = {json_string_value(text), json_string_length(text)};
    if (!json_is_string(text) ||
        audit_signature_read(json_object_get(payload, "signature"), &sig, &out->key, &err))
        return audit_broken(a, AUDIT_FORM, seat, "what it keeps of a signed text cannot be read");
    if (keys && !is_one_of(&out->key, keys, count)) {
        char print[KEY_FINGERPRINT];
        pubkey_fingerprint(print, &out->key);
        return audit_broken(a, AUDIT_SIGNATURE, seat,
                            "it is signed by a key (%s) that was not the player's then", print);
    }
    if (signature_verify(&sig, &out->key, NS_ORDERS, exact, &err))
        return audit_broken(a, AUDIT_SIGNATURE, seat, "%s", err.text);
    a->out->signatures++;
    canon_text(&out->text, exact);
    if (frame_parse(slice_str(&out->text), &out->frame, &err))
        return audit_broken(a, AUDIT_TEXT, seat, "the signed text is none of ours: %s", err.text);
    return 0;
}

int audit_signed(struct auditing *a, const json_t *payload, const char *verb, int seat,
                 const struct pubkey *keys, size_t count, struct audit_signed *out)
{
    const struct game *game = &a->game;
    if (audit_signed_text(a, payload, seat, keys, count, out))
        return -1;
    const struct frame *frame = &out->frame;
    if (strcmp(frame->verb, verb) != 0)
        return audit_broken(a, AUDIT_TEXT, seat,
                            "the signed text is \"#turnpost %s\" and not \"#turnpost %s\"", frame->verb,
                            verb);
    if (strcmp(frame->game, game->id) != 0)
        return audit_broken(a, AUDIT_TEXT, seat, "the signed text is for game \"%s\"", frame->game);
    if (frame->turn >= 0 && frame->turn != game->turn)
        return audit_broken(a, AUDIT_TEXT, seat, "the signed text is for turn %d, and turn %d is open",
                            frame->turn, game->turn);
    if (*frame->head && !game_knows_head(game, frame->head))
        return audit_broken(
            a, AUDIT_TEXT, seat,
            "the signed text answers head %s, which is none of this turn: its player saw another "
            "history, or the record stands elsewhere than it was made",
            frame->head);
    return 0;
}

bool audit_line(struct slice body, const char *name, struct slice *value)
{
    struct slice line;
    size_t len = strlen(name);
    while (slice_line(&body, &line)) {
        line = slice_trim(line);
        if (line.len > len && line.p[len] == ':' && slice_casestarts(line, name)) {
            *value = slice_trim(slice_sub(line, len + 1, line.len));
            return true;
        }
    }
    return false;
}

/* ---- petitions ---- */

/* By which a text is known again: of the player's name and the canonical text. */
static int check_mark(struct auditing *a, const char *player, const struct str *text)
{
    unsigned char got[32], want[32];
    crypto_generichash_state st;
    crypto_generichash_init(&st, NULL, 0, 32);
    crypto_generichash_update(&st, (const unsigned char *)player, strlen(player));
    crypto_generichash_update(&st, (const unsigned char *)text->p, text->len);
    crypto_generichash_final(&st, want, 32);
    if (!audit_hex(a, "text", got) || memcmp(got, want, 32) != 0)
        return audit_broken(a, AUDIT_TEXT, 0, "its \"text\" is not the digest of the signed text");
    return 0;
}

/* The text that led to such a record; NULL = none may. */
static const char *verb_of(const struct auditing *a)
{
    static const struct {
        const char *type, *member, *value, *verb;
    } rows[] = {
        {"seat", "why", "resigned", "resign"},  {"seat", "why", "standby", "take"},
        {"seat", "why", "back", "back"},        {"note", "kind", "standby", "standby"},
        {"note", "kind", "vote", "extend"},     {"note", "kind", "observe", "observe"},
        {"note", "kind", "witness", "witness"},
    };
    if (audit_is(a, "excuse"))
        return "excuse";
    if (audit_has(a, "left") || audit_has(a, "leave"))
        return "leave";
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (audit_is(a, rows[i].type) && strcmp(audit_text(a, rows[i].member), rows[i].value) == 0)
            return audit_kind_is(a, "observe") && json_is_true(json_object_get(a->record->json, "stop"))
                       ? "unobserve"
                       : rows[i].verb;
    return NULL;
}

/* Whose text it must be. */
static const char *player_of(const struct auditing *a, const char *verb)
{
    if (strcmp(verb, "leave") == 0)
        return audit_text(a, audit_has(a, "left") ? "left" : "player");
    if (strcmp(verb, "resign") == 0)
        return audit_text(a, "robot");
    if (strcmp(verb, "excuse") == 0)
        return audit_text(a, "by");
    if (strcmp(verb, "witness") == 0)
        return audit_text(a, "witness");
    int seat = audit_kind_is(a, "vote") ? audit_seat(a) : 0;
    return seat ? a->game.seat[seat].player : audit_text(a, "player");
}

static int check_stop(struct auditing *a, const struct audit_signed *text)
{
    struct slice cancel = {"", 0};
    (void)audit_line(text->frame.body, "cancel", &cancel);
    if (audit_kind_is(a, "standby") &&
        slice_caseeq(cancel, "yes") != json_is_true(json_object_get(a->record->json, "stop")))
        return audit_broken(a, AUDIT_TEXT, 0, "the signed text asks for the opposite");
    return 0;
}

static int64_t number_of(struct slice text)
{
    int64_t number = 0;
    for (size_t i = 0; i < text.len && number < INT32_MAX; i++) {
        if (text.p[i] < '0' || text.p[i] > '9')
            return -1;
        number = number * 10 + (text.p[i] - '0');
    }
    return text.len ? number : -1;
}

static int check_vote(struct auditing *a, const struct audit_signed *text)
{
    struct slice value;
    int64_t seconds = -1;
    if (audit_line(text->frame.body, "hours", &value))
        seconds = number_of(value) * 3600;
    else if (audit_line(text->frame.body, "days", &value))
        seconds = number_of(value) * 86400;
    if (seconds != audit_number(a, "seconds"))
        return audit_broken(a, AUDIT_TEXT, audit_seat(a), "the signed vote is for another time");
    return 0;
}

/* The seat that a signed text names, "2" or "P2"; 0 when it names none. */
static int seat_named(const struct audit_signed *text)
{
    struct slice value;
    if (!audit_line(text->frame.body, "seat", &value))
        return 0;
    if (value.len && (value.p[0] == 'p' || value.p[0] == 'P'))
        value = slice_sub(value, 1, value.len);
    int64_t seat = number_of(value);
    return seat > 0 && seat <= SEATS_MAX ? (int)seat : 0;
}

static int check_petition(struct auditing *a, const char *verb, const char *player)
{
    const struct game *game = &a->game;
    const json_t *payload = json_object_get(a->record->json, "signed");
    struct audit_signed text = {.text = STR_INIT};
    int seat = game_seat_of(game, player);
    bool back = strcmp(verb, "back") == 0 || strcmp(verb, "take") == 0;
    const struct pubkey *keys = seat ? game->seat[seat].keys : NULL;
    size_t count = seat ? game->seat[seat].key_count : 0;
    struct game_seat newcomer = {.key_count = 0};
    if (json_object_size(payload) != 2)
        return audit_broken(a, AUDIT_FORM, seat, "what it keeps of a signed text cannot be read");
    int witness = strcmp(verb, "witness") == 0 ? witness_of(game, player) : -1;
    if (witness >= 0) {
        keys = game->witness[witness].keys;
        count = game->witness[witness].key_count;
    }
    if (back) { /* the keys that come with him */
        audit_keys(a, newcomer.keys, &newcomer.key_count);
        keys = newcomer.keys;
        count = newcomer.key_count;
    }
    int rc = audit_signed(a, payload, verb, seat, keys, count, &text) || check_mark(a, player, &text.text) ||
                     (audit_kind_is(a, "vote") && check_vote(a, &text)) || check_stop(a, &text)
                 ? -1
                 : 0;
    if (rc == 0 && strcmp(verb, "take") == 0 && seat_named(&text) != audit_seat(a))
        rc = audit_broken(a, AUDIT_TEXT, audit_seat(a), "the signed text is about another seat");
    if (rc == 0 && witness >= 0)
        rc = audit_witness_text(a, &text);
    if (rc == 0 && audit_is(a, "excuse"))
        rc = audit_excuse_text(a, &text);
    if (rc == 0 && !seat && witness < 0)
        audit_note(a, AUDIT_WORD, AUDIT_KEYS, 0, "that the key in it is %s's rests on the operator's word",
                   name_valid(slice_of(player)) ? player : "the player");
    audit_signed_release(&text);
    return rc;
}

int audit_evidence(struct auditing *a)
{
    const char *verb = verb_of(a);
    bool has = audit_has(a, "signed");
    /* RESIGN among the orders of the record before; where they are sealed nobody can tell what is in them. */
    bool by_orders = a->full ? a->resigns && audit_seat(a) == a->resigns
                             : strcmp(a->game.last_type, "orders") == 0 && audit_seat(a) == a->game.last_seat;
    if (verb && strcmp(verb, "resign") == 0 && !has && by_orders) {
        a->resigns = 0;
        return 0;
    }
    if (audit_kind_is(a, "press") || (!verb && !has && !audit_has(a, "by")))
        return 0;
    if (!verb)
        return audit_broken(a, AUDIT_FORM, audit_seat(a), "a signed text does not lead to such a record");
    const char *player = player_of(a, verb);
    if (!has)
        return audit_broken(a, AUDIT_SIGNATURE, audit_seat(a), "nobody has signed what it does");
    if (!*player || strcmp(audit_text(a, "by"), player) != 0)
        return audit_broken(a, AUDIT_SIGNATURE, audit_seat(a),
                            "it is signed by somebody else than whom it is about");
    return check_petition(a, verb, player);
}

/* ---- seats ---- */

/* Members that do not go together. */
static int check_form(struct auditing *a, bool wait)
{
    bool player = audit_has(a, "player"), robot = audit_has(a, "robot"), empty = audit_has(a, "free");
    bool keys = audit_has(a, "keys"), leaves = audit_has(a, "leave"), seal = audit_has(a, "seal");
    bool marks = audit_has(a, "mail") && audit_has(a, "text");
    bool odd = wait ? leaves == (keys || seal) || (!leaves && (!keys || !seal))
                    : player + robot + empty != 1 || player != keys;
    bool lone = audit_has(a, "mail") != audit_has(a, "text") ||
                (!wait && marks != (seal || audit_has(a, "signed"))) ||
                audit_has(a, "by") != audit_has(a, "signed");
    bool waited = audit_has(a, "waited");
    if (odd || lone || (waited && !(seal && audit_has(a, "left"))) || (empty && !audit_has(a, "left")) ||
        (robot && seal) || (audit_has(a, "left") && !empty && !waited) ||
        (audit_has(a, "why") && (seal || empty)))
        return audit_broken(a, AUDIT_FORM, audit_seat(a), "its members do not go together");
    return 0;
}

/* The keys of the waiting list come along with the seal. */
static int check_waited(struct auditing *a)
{
    const struct game *game = &a->game;
    struct pubkey keys[KEYS_PER_PLAYER];
    size_t count;
    audit_keys(a, keys, &count);
    const struct game_waiting *first = game->waiting_count ? game->waiting : NULL;
    bool same = first && strcmp(first->player, audit_text(a, "player")) == 0 && count == first->key_count;
    for (size_t i = 0; same && i < count; i++)
        same = pubkey_equal(&keys[i], &first->keys[i]);
    return same ? 0
                : audit_broken(a, AUDIT_KEYS, audit_seat(a), "it is not for the first on the waiting list");
}

/* A signed text that asks for a seat or a place on the waiting list. */
static int check_join(struct auditing *a, int seat)
{
    struct audit_signed text = {.text = STR_INIT};
    struct pubkey keys[KEYS_PER_PLAYER];
    size_t count;
    struct err err = ERR_INIT;
    if (!audit_may_open(a, seat, SEAL_ORDERS) || !a->in->sealed)
        return 0;
    const struct sealed *sealed = audit_payload(a, seat, SEAL_ORDERS, audit_text(a, "seal"));
    if (!sealed)
        return audit_sealed_missing(a, seat, SEAL_ORDERS);
    audit_keys(a, keys, &count);
    json_t *payload = json_read(slice_str(&sealed->payload), "text", &err);
    int rc =
        json_object_size(payload) != 2 ? audit_broken(a, AUDIT_FORM, seat, "its payload cannot be read") : 0;
    if (rc == 0)
        rc = audit_signed(a, payload, "join", seat, keys, count, &text);
    if (rc == 0)
        rc = check_mark(a, audit_text(a, "player"), &text.text);
    if (rc == 0 && seat && seat_named(&text) && seat_named(&text) != seat)
        rc = audit_broken(a, AUDIT_TEXT, seat, "the signed text asks for another seat");
    audit_signed_release(&text);
    json_decref(payload);
    return rc;
}

int audit_seating(struct auditing *a)
{
    bool wait = audit_kind_is(a, "wait");
    int seat = wait ? 0 : audit_seat(a);
    const char *player = audit_text(a, "player");
    bool running = a->game.turn > 0;
    if (check_form(a, wait))
        return -1;
    if (audit_has(a, "why") && !audit_has(a, "robot") == (strcmp(audit_text(a, "why"), "resigned") == 0))
        return audit_broken(a, AUDIT_FORM, seat, "its members do not go together");
    if (audit_has(a, "why") && !running)
        return audit_broken(a, AUDIT_ORDER, seat, "the game has not begun");
    if (!audit_has(a, "why") && !wait && running)
        return audit_broken(a, AUDIT_ORDER, seat, "a seat changes hands and nobody says why");
    if (strcmp(audit_text(a, "why"), "resigned") == 0 &&
        (a->game.seat[seat].robot || strcmp(audit_text(a, "robot"), a->game.seat[seat].player) != 0))
        return audit_broken(a, AUDIT_FORM, seat, "who resigns is not who sits there");
    if (!wait && !audit_has(a, "why") && !audit_has(a, "seal") && !audit_has(a, "left") &&
        *a->game.seat[seat].player)
        return audit_broken(a, AUDIT_ORDER, seat, "the seat is taken");
    if (*player && !wait && !audit_has(a, "why") && game_seat_of(&a->game, player))
        return audit_broken(a, AUDIT_ORDER, seat, "the player has a seat already");
    if (audit_has(a, "waited"))
        return check_waited(a);
    return audit_has(a, "seal") ? check_join(a, seat) : 0;
}

/* ---- press ---- */

static int check_message(struct auditing *a, const json_t *payload, int seat)
{
    struct audit_signed text = {.text = STR_INIT};
    const struct game *game = &a->game;
    const char *player = json_string_value(json_object_get(payload, "player"));
    const json_t *words = json_object_get(payload, "words");
    int named = audit_has(a, "seat") ? audit_seat(a) : seat;
    if (json_object_size(payload) != 5 || !player || !json_is_string(words) || named != seat || seat < 0 ||
        seat > game->seats || (audit_has(a, "by") && (seat || strcmp(audit_text(a, "by"), player) != 0)))
        return audit_broken(a, AUDIT_FORM, seat, "its payload does not fit");
    if (seat && strcmp(game->seat[seat].player, player) != 0)
        return audit_broken(a, AUDIT_FORM, seat, "its payload names somebody else than who sits there");
    int rc = audit_signed(a, payload, "press", seat, seat ? game->seat[seat].keys : NULL,
                          seat ? game->seat[seat].key_count : 0, &text);
    if (rc == 0 && (!json_string_length(words) ||
                    slice_find(slice_str(&text.text), json_string_value(words)) == (size_t)-1))
        rc = audit_broken(a, AUDIT_TEXT, seat, "the words of the message are not those that were signed");
    audit_signed_release(&text);
    if (rc == 0)
        a->out->press++;
    return rc;
}

int audit_press(struct auditing *a)
{
    struct err err = ERR_INIT;
    if (audit_has(a, "grey") + audit_has(a, "seat") + audit_has(a, "by") != 1)
        return audit_broken(a, AUDIT_FORM, 0, "its members do not go together");
    const struct sealed *sealed = a->in->sealed && audit_may_open(a, 0, SEAL_PRESS)
                                      ? audit_payload(a, 0, SEAL_PRESS, audit_text(a, "seal"))
                                      : NULL;
    if (!sealed && a->bad_ahead && (a->bad_seq == 0 || a->bad_seq == a->record->seq))
        return audit_sealed_missing(a, 0, SEAL_PRESS);
    if (!sealed) { /* who publishes a game leaves all of them out; one that lacks is told at the end */
        if (!a->press_lost)
            a->press_lost = a->record->seq;
        a->out->press_sealed++;
        return 0;
    }
    json_t *payload = json_read(slice_str(&sealed->payload), "press", &err);
    const json_t *seat = json_object_get(payload, "seat");
    int rc = json_is_integer(seat) ? check_message(a, payload, (int)json_integer_value(seat))
                                   : audit_broken(a, AUDIT_FORM, 0, "its payload cannot be read");
    json_decref(payload);
    return rc;
}
