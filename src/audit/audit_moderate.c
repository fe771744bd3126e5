/* Moderators' records: are they signed by the one who did it, does the text say what the record does, and
 * what is worth knowing? Whether the action was possible is for game_apply to say. */

#include "base/clock.h"

#include <stdio.h>
#include <string.h>

#include "base/json.h"
#include "audit/audit_parts.h"
#include "game/game_seats.h"

static bool does(const struct auditing *a, const char *word)
{
    return audit_is(a, "moderate") && strcmp(audit_text(a, "do"), word) == 0;
}

static bool by_operator(const struct auditing *a)
{
    return strcmp(audit_text(a, "by"), OPERATOR) == 0;
}

/* ---- the signed text ---- */

static int other_text(struct auditing *a, const char *what)
{
    return audit_broken(a, AUDIT_TEXT, audit_seat(a), "the moderator has signed another %s", what);
}

static bool last_word(struct slice text, struct slice *word)
{
    struct slice next;
    bool any = false;
    while (slice_word(&text, &next)) {
        *word = next;
        any = true;
    }
    return any;
}

static int check_seat_words(struct auditing *a, struct slice words)
{
    const char *name = audit_has(a, "to") ? audit_text(a, "to") : "robot";
    struct slice last = {"", 0};
    if (seat_named(&a->game, &words) != audit_seat(a))
        return other_text(a, "seat");
    if (does(a, "replace") && !(last_word(words, &last) && slice_caseeq(last, name)))
        return other_text(a, "player");
    return 0;
}

static int check_ban_words(struct auditing *a, struct slice words)
{
    const char *name = audit_has(a, "robot")  ? audit_text(a, "robot")
                       : audit_has(a, "left") ? audit_text(a, "left")
                                              : audit_text(a, "player");
    return slice_eq(words, name) ? 0 : other_text(a, "player");
}

static int check_back_words(struct auditing *a, struct slice words)
{
    struct slice word = {"", 0};
    char text[24];
    bool turn = slice_casestarts(words, "turn");
    (void)snprintf(text, sizeof text, "%lld", (long long)audit_number(a, turn ? "turn" : "record"));
    return last_word(words, &word) && slice_eq(word, text) ? 0 : other_text(a, "record to go back to");
}

/* A time by which it moves; a day and hour are those of the league's zone, which the journal does not name.
 */
static int check_deadline_words(struct auditing *a, struct slice words)
{
    int64_t seconds, deadline = audit_moment(a, "deadline");
    if (!duration_parse(words, &seconds))
        return 0;
    return deadline == a->game.clock.deadline + seconds || deadline == a->record->time + seconds
               ? 0
               : other_text(a, "time");
}

static int check_changes(struct auditing *a, const json_t *changes, struct slice body)
{
    size_t i;
    json_t *change;
    json_array_foreach ((json_t *)(uintptr_t)changes, i, change) {
        const char *path = json_string_value(json_object_get(change, "path"));
        if (json_object_size(change) != 3 || !path || !json_object_get(change, "before") ||
            !json_object_get(change, "after"))
            return audit_broken(a, AUDIT_FORM, 0, "its changes cannot be read");
        if (body.len && slice_find(body, path) == (size_t)-1)
            return other_text(a, "correction");
    }
    return 0;
}

/* What all may see of it. */
static int check_correction(struct auditing *a)
{
    const json_t *changes = json_object_get(a->record->json, "changes");
    if (json_array_size(changes) == 0 && !audit_has(a, "seal"))
        return audit_broken(a, AUDIT_FORM, 0, "it corrects nothing");
    return check_changes(a, changes, (struct slice){"", 0});
}

static int check_words(struct auditing *a, const struct audit_signed *text, const json_t *payload)
{
    struct slice words = {"", 0}, reason = {"", 0}, word = {"", 0};
    struct slice body = text->frame.body;
    (void)frame_line(body, "do", &words);
    (void)frame_line(body, "reason", &reason);
    (void)slice_word(&words, &word);
    words = slice_trim(words);
    if (!slice_caseeq(word, audit_text(a, "do")))
        return other_text(a, "action");
    if (!slice_eq(reason, audit_text(a, "reason")))
        return other_text(a, "reason");
    if (does(a, "replace") || does(a, "orders") || does(a, "resend"))
        return check_seat_words(a, words);
    if (does(a, "ban"))
        return check_ban_words(a, words);
    if (does(a, "rollback"))
        return check_back_words(a, words);
    if (does(a, "extend"))
        return check_deadline_words(a, words);
    if (does(a, "correct"))
        return check_changes(a, json_object_get(a->record->json, "changes"), body) ||
                       check_changes(a, json_object_get(payload, "changes"), body)
                   ? -1
                   : 0;
    return 0;
}

/* Everything else names this game and its open turn. */
static int check_frame(struct auditing *a, const struct frame *frame)
{
    bool none = !*frame->game || strcmp(frame->game, "any") == 0;
    if (strcmp(frame->verb, "moderate") != 0)
        return other_text(a, "text than \"#turnpost moderate\"");
    if (does(a, "ban") ? !none : strcmp(frame->game, a->game.id) != 0)
        return audit_broken(a, AUDIT_TEXT, 0, "the signed text is for game \"%s\"", frame->game);
    if (!does(a, "ban") && frame->turn != a->game.turn)
        return audit_broken(a, AUDIT_TEXT, 0, "the signed text is for turn %d, and turn %d is open",
                            frame->turn, a->game.turn);
    if (does(a, "ban"))
        return audit_names_league(a, frame);
    return audit_whole_head(a, frame, frame->verb, 0) || audit_answers(a, frame, 0) ? -1 : 0;
}

static int check_signed(struct auditing *a, const json_t *holder, const json_t *payload)
{
    struct audit_signed text = {.text = STR_INIT, .body = STR_INIT};
    const char *by = audit_text(a, "by");
    int seat = game_seat_of(&a->game, by);
    struct audit_signer signer = audit_signer(a, seat);
    signer.seat = 0;
    int rc = audit_signed_text(a, holder, &signer, &text);
    if (rc == 0)
        rc = check_frame(a, &text.frame);
    if (rc == 0)
        rc = check_words(a, &text, payload);
    if (rc == 0 && does(a, "ban")) /* of all others the mark is keyed */
        rc = audit_mark(a, by, &text.text);
    if (rc == 0 && does(a, "orders")) {
        const char *lines = json_string_value(json_object_get(payload, "lines"));
        struct slice body = slice_trim(text.frame.body);
        size_t len = lines ? strlen(lines) : 0;
        if (!len || len > body.len || memcmp(body.p + body.len - len, lines, len) != 0)
            rc = other_text(a, "orders");
    }
    if (rc == 0 && !seat)
        audit_word(a, AUDIT_SIGNATURE, 0, "that the key in it is %s's rests on the operator's word", by);
    audit_signed_release(&text);
    return rc;
}

/* ---- what its seal covers ---- */

/* 1: there is a payload, and it may be opened; the caller releases. */
static int open_payload(struct auditing *a, int seat, int item, json_t **payload)
{
    struct err err = ERR_INIT;
    *payload = NULL;
    if (audit_has(a, "seal") != audit_has(a, "box"))
        return audit_broken(a, AUDIT_FORM, seat, "its seal and its box do not go together");
    if (!audit_has(a, "seal") || !audit_may_open(a, seat, item))
        return 0;
    const struct sealed *sealed = audit_payload(a, seat, item, audit_text(a, "seal"));
    if (!sealed)
        return audit_box_wrong(a, seat, item);
    *payload = json_read(slice_str(&sealed->payload), "payload", &err);
    if (json_object_size(*payload) != (by_operator(a) ? 1 : 3))
        return audit_broken(a, AUDIT_FORM, seat, "its payload cannot be read");
    return 1;
}

static int check_evidence(struct auditing *a, bool sealed, const json_t *payload)
{
    bool marks = audit_has(a, "mail") && audit_has(a, "text");
    bool signed_here = audit_has(a, "signed");
    if (by_operator(a))
        return signed_here || audit_has(a, "mail") || audit_has(a, "text")
                   ? audit_broken(a, AUDIT_FORM, 0, "its members do not go together")
                   : 0;
    if (!marks || signed_here == sealed)
        return audit_broken(a, AUDIT_SIGNATURE, 0, "nobody has signed what it does");
    if (signed_here && json_object_size(json_object_get(a->record->json, "signed")) != 2)
        return audit_broken(a, AUDIT_FORM, 0, "what it keeps of a signed text cannot be read");
    if (signed_here)
        return check_signed(a, json_object_get(a->record->json, "signed"), payload);
    if (payload)
        return check_signed(a, payload, payload);
    audit_word(a, AUDIT_ACT, audit_seat(a),
               "that %s did it rests on the operator's word: the signed text is sealed in this view",
               audit_text(a, "by"));
    return 0;
}

/* ---- bans ---- */

/* The members that say what a ban takes away: all of these, and none of those of its other forms. */
static const char *ban_members(const struct auditing *a)
{
    if (a->game.turn)
        return "seat robot";
    if (audit_has(a, "leave"))
        return "player leave";
    if (!audit_has(a, "waited"))
        return "seat free left";
    return "seat player mark waited left drawn";
}

static int check_ban(struct auditing *a)
{
    static const char *const members[] = {"seat",   "robot", "player", "mark", "left",
                                          "waited", "free",  "leave",  "drawn"};
    for (size_t i = 0; i < sizeof members / sizeof *members; i++) {
        struct slice rest = slice_of(ban_members(a)), word;
        bool wanted = false;
        while (slice_word(&rest, &word))
            wanted = wanted || slice_eq(word, members[i]);
        if (audit_has(a, members[i]) != wanted)
            return audit_broken(a, AUDIT_FORM, 0, "its members do not go together");
    }
    return audit_has(a, "left") ? audit_left(a) : 0;
}

/* A robot, or somebody to whom the seat is offered until then, or first the one and then the other. */
static int check_replaced(struct auditing *a)
{
    bool to = audit_has(a, "to");
    return to == audit_has(a, "until") && (to || audit_has(a, "robot"))
               ? 0
               : audit_broken(a, AUDIT_FORM, audit_seat(a), "its members do not go together");
}

int audit_moderate(struct auditing *a)
{
    bool orders = does(a, "orders");
    int seat = orders ? audit_seat(a) : 0;
    json_t *payload = NULL;
    if (audit_number(a, does(a, "rollback") ? "from" : "turn") != a->game.turn)
        return audit_broken(a, AUDIT_ORDER, seat, "it is not about the open turn, which is %d", a->game.turn);
    if (!*audit_text(a, "by") || !*audit_text(a, "reason"))
        return audit_broken(a, AUDIT_FORM, 0, "it does not say who did it, or why");
    if ((does(a, "ban") && check_ban(a)) || (does(a, "replace") && check_replaced(a)))
        return -1;
    if (does(a, "correct") && check_correction(a))
        return -1;
    if (does(a, "resume"))
        audit_resume(a);
    int rc = open_payload(a, seat, orders ? SEAL_ORDERS : SEAL_HIDDEN, &payload);
    if (rc == 1 && !orders && !json_array_size(json_object_get(payload, "changes")))
        rc = audit_broken(a, AUDIT_FORM, 0, "what is sealed corrects nothing");
    if (rc >= 0)
        rc = check_evidence(a, audit_has(a, "seal"), payload);
    const char *lines = json_string_value(json_object_get(payload, "lines"));
    if (rc == 0 && orders && a->full)
        rc = audit_lines(a, seat, slice_of(lines ? lines : ""));
    if (rc == 0 && orders && a->resigns)
        rc = audit_broken(a, AUDIT_TEXT, seat, "a moderator resigns for a player");
    if (rc == 0 && does(a, "extend"))
        rc = audit_extend(a);
    json_decref(payload);
    return rc;
}

/* ---- afterwards ---- */

void audit_moderate_after(struct auditing *a)
{
    if (!audit_is(a, "moderate"))
        return;
    const char *by = audit_text(a, "by");
    int seat = audit_seat(a);
    if (does(a, "resolve"))
        (void)snprintf(a->resolve, sizeof a->resolve, "%s", by);
    if (does(a, "rollback")) {
        a->closed = false;
        a->instant = a->resigns = 0;
        audit_reopened(a, by_operator(a));
        audit_note(a, by_operator(a) ? AUDIT_WORD : AUDIT_NOTE, AUDIT_INTERVENTION, 0,
                   "%s has taken back all that came after record %lld: turn %d is open again (%s)",
                   by_operator(a) ? "the operator" : by, (long long)audit_number(a, "record"), a->game.turn,
                   audit_text(a, "reason"));
        return;
    }
    const char *whose = audit_has(a, "left") ? audit_text(a, "left") : a->game.seat[seat].player;
    audit_note(a, by_operator(a) ? AUDIT_WORD : AUDIT_NOTE, AUDIT_INTERVENTION, seat,
               "%s has moderated: %s%s%s, in turn %d (%s)", by_operator(a) ? "the operator" : by,
               audit_text(a, "do"), seat ? " of the seat of " : "", seat ? whose : "", a->game.turn,
               audit_text(a, "reason"));
}
