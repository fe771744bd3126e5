/* The frame of a signed text: "#turnpost <verb>", header fields, lines, "#end".
 *
 * Input is always the canonical text of a verified signature (trust/canon.h). Fields are "name: value" lines
 * directly after the first line; the first line that is no known field begins the body. Unknown fields of the
 * form "name: value" with a one-word name that is not a verb of ours are errors of the field, told to the
 * player. Texts other than orders have further fields of that form, which stay in the body, and ours may be
 * among them; wait, final and json are fields of orders only, league of the others. A head or a league
 * without a value takes the next line: mail programs that wrap what they quote leave it there. In games of
 * orders wait, final and json may also be among the lines (frame_spread).
 *
 *     #turnpost orders
 *     game: gc-17
 *     turn: 5
 *     head: 4f9a0c2b7d1e8a63     first 8..64 hex digits of the head the player answers (optional)
 *     league: SHA256:...         fingerprint of the key of the league that it is for; a line "league:" with
 *                                anything else is none of ours (optional)
 *     seq: 2                     1..999999, the highest of a turn wins (optional)
 *     wait: yes                  do not resolve before the deadline on my account (optional)
 *     final: yes                 not wait, which is what holds without either; and play the turn as it is,
 *                                without second thoughts, even if a line of it is wrong (optional)
 *     json: yes                  attach the machine-readable view to the answer (optional)
 *     explore near or bide
 *     #end
 */
#ifndef ORDERS_FRAME_H
#define ORDERS_FRAME_H

#include <stdbool.h>

#include "base/err.h"
#include "base/str.h"

#define FRAME_GAME   33
#define FRAME_HEAD   65
#define FRAME_LEAGUE 64
#define FRAME_BYTES  65536 /* of a text; of one that comes in now, also when written as JSON */

enum frame_kind { FRAME_ORDERS, FRAME_OTHER };

struct frame {
    enum frame_kind kind;
    char verb[17];             /* the word after #turnpost, lower case */
    char game[FRAME_GAME];     /* "" if absent; a valid name (base/file.h name_valid) else */
    int turn;                  /* -1 if absent, 0..9999 */
    int seq;                   /* 0 if absent */
    char head[FRAME_HEAD];     /* lower-case hex, "" if absent */
    char league[FRAME_LEAGUE]; /* "" if absent */
    char nonce[65];            /* "" if absent; printable, for join texts */
    bool wait;
    bool final; /* final: yes; never together with wait, as the later one of the two counts */
    bool json;
    struct slice body; /* the lines between, borrowed from the text, or from the caller of frame_spread */
    unsigned given;    /* which fields it has, a bit each; for frame_spread */
};

/* ERR_INPUT: no frame, bad field (named), a field given twice, no #end, longer than the limits (64 kB, 400
 * lines). */
int frame_parse(struct slice text, struct frame *frame, struct err *err) __attribute__((warn_unused_result));
/* The same for a text that comes in now; `exact` are the bytes that were signed, valid UTF-8. Besides: no
 * control characters but LF, TAB and CR before LF, and not too long as JSON. Old journals hold such texts, so
 * code that reads recorded texts calls frame_parse. */
int frame_receive(struct slice exact, struct slice text, struct frame *frame, struct err *err)
    __attribute__((warn_unused_result));
/* For orders, before their lines are looked at: fields of orders among the lines are read as if they were in
 * the head, and the body is what is left, which `body` owns and has to outlive the frame. ERR_INPUT: a bad
 * value, a field given twice. */
int frame_spread(struct frame *frame, struct str *body, struct err *err) __attribute__((warn_unused_result));
/* Is the line "name: value" a field of the frame in such a text? Then *rest, which begins after the line,
 * advances past a value on the next line. */
bool frame_owns(const struct frame *frame, struct slice name, struct slice value, struct slice *rest);
/* The first line "name: value" of a text other than orders, in large or small letters: before the first line that has not that form.
 * False: there is none, and *value is as it was. */
bool frame_line(struct slice body, const char *name, struct slice *value);
/* The next one; *body advances past it. */
bool frame_next_line(struct slice *body, const char *name, struct slice *value);

#endif
