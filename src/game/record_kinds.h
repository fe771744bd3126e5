/* The kinds of records: one table, a row a kind. Replay goes by it; the audit learns from it which members a
 * record has, where it may be, whose signed text leads to it and what of it is sealed; what higher rooms say
 * or check beyond that is keyed by its id (audit/audit_records.c, audit/audit_public.c,
 * history/chronicle_kinds.c).
 *
 * A new kind: its apply function in a file of its own (apply_parts.h), an id and a row here, its members in
 * src/journal/README.md (tests/game/record_kinds.c holds both against each other), its words in
 * templates/common/log_record.txt. */
#ifndef GAME_RECORD_KINDS_H
#define GAME_RECORD_KINDS_H

#include <stdbool.h>

#include "base/err.h"
#include "journal/record.h"

struct applying;

enum record_id {
    RECORD_CREATE,
    RECORD_SEAT,
    RECORD_KEY,
    RECORD_START,
    RECORD_TURN,
    RECORD_ORDERS,
    RECORD_CLOSE,
    RECORD_END,
    RECORD_OPEN,
    RECORD_INSTANT, /* notes, by their "kind" */
    RECORD_WAIT,
    RECORD_PRESS,
    RECORD_APPEAL,
    RECORD_RULING,
    RECORD_OBSERVE,
    RECORD_STANDBY,
    RECORD_OFFER,
    RECORD_REMINDER,
    RECORD_SHIFT,
    RECORD_HOLD,
    RECORD_VOTE,
    RECORD_QUESTION,
    RECORD_REKEY,
    RECORD_VETO,
    RECORD_MAILBOX,
    RECORD_WITNESS,
    RECORD_LATE,
    RECORD_UNWITNESS,
    RECORD_LOST,
    RECORD_DO_PAUSE, /* a moderator's, by what they do */
    RECORD_DO_RESUME,
    RECORD_DO_EXTEND,
    RECORD_DO_HOLD,
    RECORD_DO_RESOLVE,
    RECORD_DO_REPLACE,
    RECORD_DO_ORDERS,
    RECORD_DO_RESEND,
    RECORD_DO_ROLLBACK,
    RECORD_DO_CORRECT,
    RECORD_DO_VOID,
    RECORD_DO_BAN,
    RECORD_IDS
};

/* Where a record may be; where exactly, and what must follow it, depends on the course of the game
 * (src/journal/README.md, section 2; audit/audit_order.c). */
enum {
    PLACE_FIRST = 1,
    PLACE_DEAL = 2,    /* before `start`, while the deal is not closed */
    PLACE_TURN = 4,    /* in an open turn */
    PLACE_CLOSED = 8,  /* between a `close` and the `start` or `turn` that waits for witnesses */
    PLACE_ENDED = 16,  /* after the last turn */
    PLACE_OPENED = 32, /* also when the game is over and its seals are open */
};

/* What its "seal" covers, if it has one. */
enum record_secret {
    SECRET_NONE,
    SECRET_TEXT,    /* a text or orders of its seat: item SEAL_ORDERS */
    SECRET_CHANGES, /* item SEAL_HIDDEN */
    SECRET_PRESS    /* item SEAL_PRESS; replay does not need it */
};

/* The signed text that leads to a record in which `member` has that value ("true": JSON's; NULL: whichever);
 * `member` NULL: to all of the kind. Whose it is, the member `signer` says: a name, or the seat of a player.
 */
struct record_signed {
    const char *member, *value;
    const char *verb;
    const char *signer;
};
#define RECORD_TEXTS 6

struct record_kind {
    const char *type;
    const char *word; /* of a note its "kind", of a moderator's record what it does; else NULL */
    /* "seat:P mail:h why:s? ...": each member's name, the letter of what it must be, and '?' when it may be
     * missing. i number, s text, h 32 bytes in hex, v a key of draws, p a proof in hex, t time, b true or
     * false, T true, S a seat, P a player's seat, k keys, n list of seats in rising order, e list of 32 bytes
     * in hex or "", d hidden draws, w vacations, W witnesses, V a domain's word (vouched.h), l list, o object,
     * x anything, B a box (base64). */
    const char *members;
    unsigned place;
    struct record_signed texts[RECORD_TEXTS]; /* the first that fits counts */
    enum record_secret secret;
    bool
        bends; /* it moves the time of a turn, changes the table or who sits there, or lets others watch: there is none
                 * in a game in lockstep (game/lockstep.h) */
    bool open; /* its effect depends on nothing that is sealed: it is applied even where the rules are not
                * played */
    int (*apply)(struct applying *a, struct err *err);
};
extern const struct record_kind record_kinds[RECORD_IDS];

/* NULL: this version knows no such records. */
const struct record_kind *record_kind_of(const struct record *record);
enum record_id record_id_of(const struct record_kind *kind);
/* The word by which records of its type are told apart; "" when there is none. */
const char *record_word(const struct record *record);
/* The signed text that leads to this record; NULL = none does. */
const struct record_signed *record_signed_of(const struct record_kind *kind, const struct record *record);
/* The item that its "seal" covers and that replay needs; -1 = none. */
int record_sealed_item(const struct record *record);

#endif
