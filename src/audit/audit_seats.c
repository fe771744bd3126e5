/* Who sits down, waits, leaves; and press, which has its own keys. */
#include <string.h>

#include "base/json.h"
#include "audit/audit_parts.h"
#include "game/seat_keys.h"
#include "game/seating.h"

/* ---- seats ---- */

/* Members that do not go together. */
static int check_form(struct auditing *a, bool wait)
{
    bool player = audit_has(a, "player"), robot = audit_has(a, "robot"), empty = audit_has(a, "free");
    bool leaves = audit_has(a, "leave"), mark = audit_has(a, "mark");
    bool waited = audit_has(a, "waited"), why = audit_has(a, "why");
    bool own = audit_has(a, "signed") || audit_has(a, "said");
    bool marks = audit_has(a, "mail") && audit_has(a, "text");
    bool odd = wait ? leaves == mark : player + robot + empty != 1 || (player && !mark && !why);
    bool lone = audit_has(a, "mail") != audit_has(a, "text") || marks != own || audit_has(a, "by") != own ||
                (audit_has(a, "vouched") && !audit_has(a, "said")) ||
                audit_has(a, "signature") != (mark && !waited && audit_has(a, "said"));
    odd |= audit_has(a, "wish") && (!mark || waited || !*audit_text(a, "wish"));
    if (odd || lone || (waited && !(mark && audit_has(a, "left"))) || (empty && !audit_has(a, "left")) ||
        ((robot || empty) && mark) || (audit_has(a, "left") && !empty && !waited) || (why && (mark || empty)))
        return audit_broken(a, AUDIT_FORM, audit_seat(a), "its members do not go together");
    return 0;
}

int audit_left(struct auditing *a)
{
    const struct game *game = &a->game;
    const struct game_waiting *first = game->table.waiting_count ? game->table.waiting : NULL;
    unsigned char mark[SEAL_BYTES];
    if (!audit_has(a, "waited")) {
        if (first && !*seating_keeps(game, audit_seat(a)))
            audit_word(
                a, AUDIT_INTERVENTION, audit_seat(a),
                "%s, the first on the waiting list, did not get the seat: that a key of theirs does not "
                "count any more rests on the operator's word",
                first->player);
        return 0;
    }
    if (!first || strcmp(first->player, audit_text(a, "player")) != 0)
        return audit_broken(a, AUDIT_KEYS, audit_seat(a), "it is not for the first on the waiting list");
    if (!audit_hex(a, "mark", mark) || memcmp(mark, first->seal, SEAL_BYTES) != 0)
        return audit_broken(a, AUDIT_SEAL, audit_seat(a), "its mark is not that of the text that waited");
    return 0;
}

/* The line "seat:" of a text. A player who names no seat gets a drawn one, unless one is kept for
 * them; texts for the waiting list name none. */
static int check_named(struct auditing *a, int seat, const struct audit_signed *text)
{
    struct slice value;
    bool named = frame_line(text->frame.body, "seat", &value);
    if (named && !audit_seat_named(text))
        return audit_broken(a, AUDIT_TEXT, seat, "the signed text has a line \"seat:\" that names no seat");
    if (named && seat && audit_seat_named(text) != seat)
        return audit_broken(a, AUDIT_TEXT, seat, "the signed text asks for another seat");
    bool kept = seat && seating_kept(&a->game, seat, audit_text(a, "player"));
    if (!seat && named)
        return audit_broken(a, AUDIT_TEXT, 0, "the signed text names a seat and is on the waiting list");
    if (seat && audit_has(a, "drawn") != (!named && !kept))
        return audit_broken(a, AUDIT_TEXT, seat, "its \"drawn\" is not what the signed text asks for");
    return 0;
}

static int check_wish(struct auditing *a, int seat, const struct audit_signed *text)
{
    struct wish_list wishes;
    const char *named = json_string_value(json_object_get(a->record->json, "wish"));
    if (wish_agrees(a->game.ruleset, a->game.cards, text->frame.body, named, &wishes))
        return 0;
    return audit_broken(a, AUDIT_TEXT, seat, "its \"wish\" is not what the signed text wishes for");
}

int audit_join(struct auditing *a, const struct audit_signed *text)
{
    const int seat = audit_kind_is(a, RECORD_WAIT) ? 0 : audit_seat(a);
    const json_t *json = a->record->json;
    unsigned char mark[SEAL_BYTES];
    struct pubkey keys[KEYS_PER_PLAYER];
    size_t count;
    struct err why = ERR_INIT;
    if (!seat_mark(json, a->game.journal.create_head, mark))
        return audit_broken(a, AUDIT_SEAL, seat, "its mark is not that of its text");
    if (seat_keys(json_object_get(json, "signed"), keys, &count, &why))
        return audit_broken(a, AUDIT_KEYS, seat, "a key that its text names cannot be read: %s", why.text);
    return check_named(a, seat, text) || check_wish(a, seat, text) ? -1 : 0;
}

/* A seat that changes hands in a running game, and why. */
static int check_why(struct auditing *a, int seat, bool wait)
{
    bool running = a->game.turn > 0, entered = strcmp(audit_text(a, "why"), "entered") == 0;
    if (audit_has(a, "why") && !audit_has(a, "robot") == (strcmp(audit_text(a, "why"), "resigned") == 0))
        return audit_broken(a, AUDIT_FORM, seat, "its members do not go together");
    if (audit_has(a, "why") && running == entered)
        return audit_broken(a, AUDIT_ORDER, seat, "the game has %sbegun", running ? "" : "not ");
    if (!audit_has(a, "why") && !wait && running)
        return audit_broken(a, AUDIT_ORDER, seat, "a seat changes hands and nobody says why");
    if (strcmp(audit_text(a, "why"), "resigned") == 0 &&
        (a->game.seat[seat].robot || strcmp(audit_text(a, "robot"), a->game.seat[seat].player) != 0))
        return audit_broken(a, AUDIT_FORM, seat, "who resigns is not who sits there");
    return 0;
}

/* A seat that was drawn by lot, or for somebody who waited. */
static int check_drawn(struct auditing *a, int seat)
{
    const char *player = audit_text(a, "player");
    bool drawn;
    if (audit_has(a, "drawn") && !audit_has(a, "mark"))
        return audit_broken(a, AUDIT_FORM, seat, "its members do not go together");
    if (audit_has(a, "drawn") && seating_kept(&a->game, seat, player))
        return audit_broken(a, AUDIT_FORM, seat, "the seat is kept for that player, and is drawn");
    if (audit_has(a, "drawn") && !audit_has(a, "waited") &&
        seating_place(&a->game, player, 0, &drawn) != seat)
        return audit_broken(a, AUDIT_ORDER, seat, "it is not the lowest seat that is free");
    if (audit_has(a, "waited") && !audit_has(a, "drawn"))
        return audit_broken(a, AUDIT_FORM, seat, "who waited for a seat gets a drawn one");
    return 0;
}

int audit_seating(struct auditing *a)
{
    bool wait = audit_kind_is(a, RECORD_WAIT);
    int seat = wait ? 0 : audit_seat(a);
    const char *player = audit_text(a, "player");
    if (check_form(a, wait) || check_why(a, seat, wait) || check_drawn(a, seat))
        return -1;
    if (!wait && !audit_has(a, "why") && !audit_has(a, "mark") && !audit_has(a, "left") &&
        *a->game.seat[seat].player)
        return audit_broken(a, AUDIT_ORDER, seat, "the seat is taken");
    if (*player && !wait && !audit_has(a, "why") && game_seat_of(&a->game, player))
        return audit_broken(a, AUDIT_ORDER, seat, "the player has a seat already");
    return audit_has(a, "left") ? audit_left(a) : 0;
}

/* ---- press ---- */

/* A seat's messages are signed by a key of the seat. After the end no game learns of another one. */
static int check_key(struct auditing *a, const struct pubkey *key, int seat)
{
    if (!seat || seat_has_key(&a->game.seat[seat], key))
        return 0;
    if (!a->game.over)
        return audit_broken(a, AUDIT_SIGNATURE, seat, "it is signed by a key that was not the player's then");
    audit_word(a, AUDIT_SIGNATURE, 0,
               "whose the key is that signed the message rests on the operator's word: the journal does not "
               "know it");
    return 0;
}

/* Of a key, or of a mail domain. */
static int check_signature(struct auditing *a, const json_t *payload, int seat, struct audit_signed *text)
{
    const char *verb = audit_kind_is(a, RECORD_APPEAL) ? "appeal" : "press";
    const json_t *vouched = json_object_get(payload, "vouched");
    const struct audit_signer signer = {.seat = seat};
    if (!vouched) {
        return audit_signed(a, payload, verb, &signer, text) || check_key(a, &text->key, seat) ? -1 : 0;
    }
    if (!seat || !json_object_get(payload, "signature"))
        return audit_broken(a, AUDIT_SIGNATURE, seat, "nobody has signed what a moderator writes");
    return audit_vouched_counts(a, seat, a->game.seat[seat].key_count)
               ? -1
               : audit_vouched_text(a, vouched, payload, &(struct audit_mailed){seat, verb}, text);
}

static int check_message(struct auditing *a, const json_t *payload, int seat)
{
    struct audit_signed text = {.text = STR_INIT, .body = STR_INIT};
    const struct game *game = &a->game;
    const char *player = json_string_value(json_object_get(payload, "player"));
    const json_t *words = json_object_get(payload, "words");
    int named = audit_has(a, "seat") ? audit_seat(a) : seat;
    size_t members = json_object_get(payload, "vouched") ? 6 : 5;
    if (json_object_size(payload) != members || !player || !json_is_string(words) || named != seat ||
        seat < 0 || seat > game->seats ||
        (audit_has(a, "by") && (seat || strcmp(audit_text(a, "by"), player) != 0)))
        return audit_broken(a, AUDIT_FORM, seat, "its payload does not fit");
    if (seat && strcmp(game->seat[seat].player, player) != 0)
        return audit_broken(a, AUDIT_FORM, seat, "its payload names somebody else than who sits there");
    int rc = check_signature(a, payload, seat, &text);
    if (rc == 0 && (!json_string_length(words) ||
                    slice_find(slice_str(&text.text), json_string_value(words)) == (size_t)-1))
        rc = audit_broken(a, AUDIT_TEXT, seat, "the words of the message are not those that were signed");
    audit_signed_release(&text);
    if (rc == 0)
        a->out->counts.press++;
    return rc;
}

int audit_press(struct auditing *a)
{
    struct err err = ERR_INIT;
    if (audit_has(a, "grey") + audit_has(a, "seat") + audit_has(a, "by") != 1)
        return audit_broken(a, AUDIT_FORM, 0, "its members do not go together");
    const struct sealed *sealed =
        audit_may_open(a, 0, SEAL_PRESS) ? audit_payload(a, 0, SEAL_PRESS, audit_text(a, "seal")) : NULL;
    if (!sealed && audit_may_open(a, 0, SEAL_PRESS))
        return audit_box_wrong(a, 0, SEAL_PRESS);
    if (!sealed) { /* nobody but the league has the key */
        a->out->counts.press_sealed++;
        return 0;
    }
    json_t *payload = json_read(slice_str(&sealed->payload), "press", &err);
    const json_t *seat = json_object_get(payload, "seat");
    int64_t number = json_is_integer(seat) ? json_integer_value(seat) : -1;
    int rc = number >= 0 && number <= SEATS_MAX
                 ? check_message(a, payload, (int)number)
                 : audit_broken(a, AUDIT_FORM, 0, "its payload cannot be read");
    json_decref(payload);
    return rc;
}
