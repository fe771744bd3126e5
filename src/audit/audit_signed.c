/* Texts that players signed: in payloads of seals, and in records that petitions led to. */
#include <sodium.h>
#include <stdio.h>
#include <string.h>

#include "base/encode.h"
#include "base/file.h"
#include "base/json.h"
#include "base/mem.h"
#include "audit/audit_parts.h"
#include "game/seat_keys.h"
#include "game/seating.h"
#include "trust/canon.h"

/* ---- signed texts ---- */

void audit_signed_release(struct audit_signed *text)
{
    str_release(&text->text);
    str_release(&text->body);
}

struct audit_signer audit_signer(const struct auditing *a, int seat)
{
    const struct game_seat *who = &a->game.seat[seat];
    return seat ? (struct audit_signer){seat, who->keys, who->key_count} : (struct audit_signer){.seat = 0};
}

/* The gate: which of the signer's keys has signed, as text. To read a key is to find a point on its curve, which costs
 * nearly as much as to verify. */
static bool signed_just_now(const struct auditing *a, const json_t *payload,
                            const struct audit_signer *signer, struct pubkey *key)
{
    const char *named = json_string_value(json_object_get(json_object_get(payload, "signature"), "key"));
    bool found = false;
    for (size_t i = 0; a->live && named && signer->keys && !found && i < signer->count; i++) {
        struct str line = STR_INIT;
        pubkey_format(&line, &signer->keys[i]);
        found = strcmp(line.p, named) == 0;
        if (found)
            *key = signer->keys[i];
        str_release(&line);
    }
    return found;
}

int audit_signed_text(struct auditing *a, const json_t *payload, const struct audit_signer *signer,
                      struct audit_signed *out)
{
    const int seat = signer->seat;
    str_init(&out->text);
    struct signature sig;
    struct err err = ERR_INIT;
    out->vouched.cutter = 0;
    const json_t *text = json_object_get(payload, "text");
    struct slice exact = {json_string_value(text), json_string_length(text)};
    if (!json_is_string(text) ||
        (!signed_just_now(a, payload, signer, &out->key) &&
         signature_read_json(json_object_get(payload, "signature"), &sig, &out->key, &err)))
        return audit_broken(a, AUDIT_FORM, seat, "what it keeps of a signed text cannot be read");
    if (signer->keys && !keys_hold(signer->keys, signer->count, &out->key)) {
        char print[KEY_FINGERPRINT];
        pubkey_fingerprint(print, &out->key);
        return audit_broken(a, AUDIT_SIGNATURE, seat,
                            "it is signed by a key (%s) that was not the player's then", print);
    }
    if (!a->live && signature_verify(&sig, &out->key, NS_ORDERS, exact, &err))
        return audit_broken(a, AUDIT_SIGNATURE, seat, "%s", err.text);
    a->out->counts.signatures++;
    canon_text(&out->text, exact);
    if (frame_parse(slice_str(&out->text), &out->frame, &err) || frame_spread(&out->frame, &out->body, &err))
        return audit_broken(a, AUDIT_TEXT, seat, "the signed text is none of ours: %s", err.text);
    return 0;
}

int audit_canonical(struct auditing *a, int seat, const struct sealed *sealed, const json_t *payload)
{
    struct str again = STR_INIT;
    json_write(&again, payload);
    bool same = slice_eq(slice_str(&sealed->payload), again.p);
    str_release(&again);
    return same ? 0 : audit_broken(a, AUDIT_FORM, seat, "its payload is not in canonical form");
}

/* A text that asks for a seat always names the head of `create`. */
static bool names_create(const char *verb)
{
    return strcmp(verb, "join") == 0;
}

/* A signed text names the whole head of a record, so that its signer and the journal agree up to
 * that point. */
int audit_whole_head(struct auditing *a, const struct frame *frame, const char *verb, int seat)
{
    const struct game *game = &a->game;
    char create[2 * HEAD_BYTES + 1];
    if (strlen(frame->head) != (size_t)2 * HEAD_BYTES)
        return audit_broken(a, AUDIT_TEXT, seat, "the signed text does not name a whole head of 64 digits");
    hex_to(create, game->journal.create_head, HEAD_BYTES);
    if (names_create(verb) && strcmp(frame->head, create) != 0)
        return audit_broken(a, AUDIT_TEXT, seat,
                            "the signed text asks for a seat in another game, which began with head %s",
                            frame->head);
    return 0;
}

int audit_answers(struct auditing *a, const struct frame *frame, int seat)
{
    return !*frame->head || game_knows_head(&a->game, frame->head)
               ? 0
               : audit_broken(
                     a, AUDIT_TEXT, seat,
                     "the signed text answers head %s, which is none of this turn: its player saw another "
                     "history, or the record is not where it was made",
                     frame->head);
}

/* Texts about an earlier turn may name any head of the game. */
static int answers_any(struct auditing *a, const struct frame *frame)
{
    char hex[2 * HEAD_BYTES + 1];
    for (size_t i = 0; i < a->seen.head_count; i++) {
        hex_to(hex, a->seen.heads[i], HEAD_BYTES);
        if (strcmp(hex, frame->head) == 0)
            return 0;
    }
    return a->live ? 0
                   : audit_broken(a, AUDIT_TEXT, 0, "the signed text answers head %s, which no record has",
                                  frame->head);
}

int audit_names_league(struct auditing *a, const struct frame *frame)
{
    struct pubkey key;
    char print[KEY_FINGERPRINT];
    pubkey_of_league(&key, a->game.journal.league_key);
    pubkey_fingerprint(print, &key);
    if (strcmp(frame->league, print) != 0)
        return audit_broken(a, AUDIT_TEXT, 0, "the signed text does not name this league");
    return 0;
}

/* Is the text for this record? */
int audit_signed_frame(struct auditing *a, const struct frame *frame, const char *verb, int seat)
{
    const struct game *game = &a->game;
    const bool entered = strcmp(verb, "enter") == 0;
    if (strcmp(frame->verb, verb) != 0 && !(entered && strcmp(frame->verb, "confirm") == 0))
        return audit_broken(a, AUDIT_TEXT, seat,
                            "the signed text is \"#turnpost %s\" and not \"#turnpost %s\"", frame->verb,
                            verb);
    if (audit_is(a, "key") || entered) /* it counts in all games of its player, or of the competition */
        return *frame->game && strcmp(frame->game, "any") != 0
                   ? audit_broken(a, AUDIT_TEXT, seat, "the signed text is for game \"%s\"", frame->game)
                   : audit_names_league(a, frame);
    if (strcmp(frame->game, game->id) != 0)
        return audit_broken(a, AUDIT_TEXT, seat, "the signed text is for game \"%s\"", frame->game);
    if (audit_whole_head(a, frame, verb, seat))
        return -1;
    if (audit_kind_is(a, RECORD_APPEAL) || audit_kind_is(a, RECORD_RULING)) /* about an earlier turn */
        return audit_kind_is(a, RECORD_APPEAL) && frame->turn != audit_number(a, "about")
                   ? audit_broken(a, AUDIT_TEXT, seat, "the signed text is about turn %d", frame->turn)
                   : answers_any(a, frame);
    if (frame->turn < 0 && word_listed(" take back extend unwitness press ", verb))
        return audit_broken(a, AUDIT_TEXT, seat, "the signed text names no turn");
    if (frame->turn >= 0 && frame->turn != game->turn)
        return audit_broken(a, AUDIT_TEXT, seat, "the signed text is for turn %d, and turn %d is open",
                            frame->turn, game->turn);
    return names_create(verb) ? 0 : audit_answers(a, frame, seat);
}

int audit_signed(struct auditing *a, const json_t *payload, const char *verb,
                 const struct audit_signer *signer, struct audit_signed *out)
{
    str_init(&out->text);
    return audit_signed_text(a, payload, signer, out) ||
                   audit_signed_frame(a, &out->frame, verb, signer->seat)
               ? -1
               : 0;
}

/* ---- petitions ---- */

int audit_mark(struct auditing *a, const char *player, const struct str *text)
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

/* Whose text it must be. For a moderator the record is believed: the journal does not know them. */
static const char *player_of(const struct auditing *a, const struct record_signed *text)
{
    return strcmp(text->signer, "seat") == 0 ? a->game.seat[audit_seat(a)].player
                                             : audit_text(a, text->signer);
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

/* The text names the appeal that the record names. */
static int check_ruling(struct auditing *a, const struct audit_signed *text)
{
    struct slice value;
    if (!audit_kind_is(a, RECORD_RULING))
        return 0;
    if (!frame_line(text->frame.body, "appeal", &value) || number_of(value) != audit_number(a, "appeal"))
        return audit_broken(a, AUDIT_TEXT, 0, "the signed text rules on another appeal");
    return 0;
}

static int check_stop(struct auditing *a, const struct audit_signed *text)
{
    struct slice cancel = {"", 0};
    (void)frame_line(text->frame.body, "cancel", &cancel);
    if (audit_kind_is(a, RECORD_STANDBY) &&
        slice_caseeq(cancel, "yes") != json_is_true(json_object_get(a->record->json, "stop")))
        return audit_broken(a, AUDIT_TEXT, 0, "the signed text asks for the opposite");
    return 0;
}

static int check_vote(struct auditing *a, const struct audit_signed *text)
{
    struct slice value;
    int64_t seconds = -1;
    if (frame_line(text->frame.body, "hours", &value))
        seconds = number_of(value) * 3600;
    else if (frame_line(text->frame.body, "days", &value))
        seconds = number_of(value) * 86400;
    if (seconds != audit_number(a, "seconds"))
        return audit_broken(a, AUDIT_TEXT, audit_seat(a), "the signed vote is for another time");
    return 0;
}

int audit_seat_named(const struct audit_signed *text)
{
    struct slice value;
    return frame_line(text->frame.body, "seat", &value) ? seating_named(value) : 0;
}

/* The text is about the competition whose game it is; that it is the last one there, its own audit says. */
static int check_entered(struct auditing *a, const struct audit_signed *text)
{
    struct pubkey keys[KEYS_PER_PLAYER];
    size_t count;
    struct slice name = {"", 0};
    struct err why = ERR_INIT;
    if (!frame_line(text->frame.body, "competition", &name) || !slice_caseeq(name, a->game.table.place.name))
        return audit_broken(a, AUDIT_TEXT, audit_seat(a), "the signed text is about another competition");
    return seat_keys(json_object_get(a->record->json, "signed"), keys, &count, &why)
               ? audit_broken(a, AUDIT_KEYS, audit_seat(a), "a key that its text names cannot be read: %s",
                              why.text)
               : 0;
}

/* Is it a text that leads to this record? */
static int check_leads(struct auditing *a, const char *verb, const struct audit_signed *text)
{
    if ((audit_kind_is(a, RECORD_VOTE) && check_vote(a, text)) || check_stop(a, text) ||
        check_ruling(a, text) || (strcmp(verb, "join") == 0 && audit_join(a, text)))
        return -1;
    if (strcmp(verb, "key") == 0)
        return audit_seat_keys_text(a, text);
    if (strcmp(verb, "enter") == 0)
        return check_entered(a, text);
    return strcmp(verb, "take") == 0 && audit_seat_named(text) != audit_seat(a)
               ? audit_broken(a, AUDIT_TEXT, audit_seat(a), "the text is about another seat")
               : 0;
}

/* By these somebody sits down: whatever key has signed one counts from then on. */
static bool names_own_keys(const char *verb)
{
    return word_listed("join take enter", verb);
}

/* Whose keys the text needs: those of the seat, those that its owner had there, or any (NULL). */
static struct audit_signer signer_of(struct auditing *a, const char *verb, const char *player)
{
    const struct game_seat *seat = &a->game.seat[audit_seat(a)];
    if (strcmp(verb, "back") == 0 && strcmp(seat->owner, player) == 0)
        return (struct audit_signer){audit_seat(a), seat->owner_keys, seat->owner_key_count};
    if (strcmp(verb, "back") == 0 || names_own_keys(verb))
        return (struct audit_signer){.seat = audit_seat(a)};
    return audit_signer(a, game_seat_of(&a->game, player));
}

/* The last record in which the player has signed with another key, unless they have signed with this one too: 0. */
static int64_t know_key(struct auditing *a, const char *player, const struct pubkey *key)
{
    struct audit_seen *seen = &a->seen;
    int64_t other = 0;
    for (size_t i = 0; i < seen->key_count; i++) {
        if (strcmp(seen->keys[i].player, player) != 0)
            continue;
        if (pubkey_equal(&seen->keys[i].key, key))
            return 0;
        other = seen->keys[i].seq;
    }
    seen->keys = mem_grow(seen->keys, seen->key_count, &seen->key_cap, sizeof *seen->keys);
    struct audit_known_key *one = &seen->keys[seen->key_count++];
    *one = (struct audit_known_key){.key = *key, .seq = a->at};
    (void)snprintf(one->player, sizeof one->player, "%s", player);
    return other;
}

/* Somebody without a seat, as a moderator: whose key it is only the league knows. That it is another one than in an earlier
 * record anybody can see. */
static void tell_key(struct auditing *a, const char *player, const struct pubkey *key, int64_t other)
{
    char print[KEY_FINGERPRINT];
    pubkey_fingerprint(print, key);
    if (other)
        audit_word(a, AUDIT_SIGNATURE, 0,
                   "that the key in it (%s) is %s's, who signed record %lld with another one, rests on the "
                   "operator's word",
                   print, player, (long long)other);
    else
        audit_word(a, AUDIT_SIGNATURE, 0, "that the key in it is %s's rests on the operator's word", player);
}

static int check_petition(struct auditing *a, const char *verb, const char *player)
{
    const json_t *payload = json_object_get(a->record->json, "signed");
    struct audit_signed text = {.text = STR_INIT, .body = STR_INIT};
    const struct audit_signer signer = signer_of(a, verb, player);
    if (json_object_size(payload) != 2)
        return audit_broken(a, AUDIT_FORM, signer.seat, "what it keeps of a signed text cannot be read");
    int rc = audit_signed(a, payload, verb, &signer, &text) || audit_mark(a, player, &text.text) ||
                     check_leads(a, verb, &text)
                 ? -1
                 : 0;
    bool named = name_valid(slice_of(player));
    int64_t other = rc == 0 && named ? know_key(a, player, &text.key) : 0;
    if (rc == 0 && !signer.seat && !names_own_keys(verb))
        tell_key(a, named ? player : "the player", &text.key, other);
    audit_signed_release(&text);
    return rc;
}

/* No key has signed it: the player's mail domain vouches for it. */
static int check_said(struct auditing *a, const char *verb, const char *player)
{
    struct audit_signed text = {.text = STR_INIT, .body = STR_INIT};
    const struct audit_signer signer = signer_of(a, verb, player);
    if (audit_has(a, "signed") || !audit_has(a, "vouched"))
        return audit_broken(a, AUDIT_FORM, signer.seat, "its members do not go together");
    if (audit_vouched_counts(a, signer.seat, signer.count))
        return -1;
    json_t *payload = json_pack("{s:O}", "text", json_object_get(a->record->json, "said"));
    if (audit_has(a, "signature"))
        json_object_set(payload, "signature", json_object_get(a->record->json, "signature"));
    int rc = audit_vouched_text(a, json_object_get(a->record->json, "vouched"), payload,
                                &(struct audit_mailed){signer.seat, verb}, &text) ||
                     audit_mark(a, player, &text.text) || check_leads(a, verb, &text)
                 ? -1
                 : 0;
    audit_signed_release(&text);
    json_decref(payload);
    return rc;
}

int audit_evidence(struct auditing *a)
{
    const struct record_signed *text = record_signed_of(a->kind, a->record);
    const char *verb = text ? text->verb : NULL;
    bool has = audit_has(a, "signed") || audit_has(a, "said");
    /* RESIGN among the orders of the previous record; where they are sealed their contents are unknown. */
    bool by_orders = a->full ? a->resigns && audit_seat(a) == a->resigns
                             : strcmp(a->game.journal.last_type, "orders") == 0 &&
                                   audit_seat(a) == a->game.journal.last_seat;
    if (verb && strcmp(verb, "resign") == 0 && !has && by_orders) {
        a->resigns = 0;
        return 0;
    }
    if (audit_kind_is(a, RECORD_PRESS) || audit_kind_is(a, RECORD_APPEAL) ||
        (!verb && !has && !audit_has(a, "by")))
        return 0;
    if (!verb)
        return audit_broken(a, AUDIT_FORM, audit_seat(a), "a signed text does not lead to such a record");
    const char *player = player_of(a, text);
    if (!has)
        return audit_broken(a, AUDIT_SIGNATURE, audit_seat(a), "nobody has signed what it does");
    if (!audit_has(a, "mail") || !audit_has(a, "text"))
        return audit_broken(a, AUDIT_FORM, audit_seat(a), "its members do not go together");
    if (!*player || strcmp(audit_text(a, "by"), player) != 0)
        return audit_broken(a, AUDIT_SIGNATURE, audit_seat(a),
                            "it is signed by somebody else than whom it is about");
    return audit_has(a, "said") ? check_said(a, verb, player) : check_petition(a, verb, player);
}
