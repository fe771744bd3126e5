/* The other side of game/witness.h: what a witness does with the close of a turn, on their own host and with
 * their own keys (`turnpost witness`).
 *
 * A witness trusts only the league's signature under the records that came with the mail, and remembers in
 * witness/<game> what was answered, a line each:
 *
 *     SEQ TURN HEAD64\n
 *
 * The program answers one close after another, each later in the journal than the one before, and says in
 * each answer which it answered last. A different close that is no later than a known one is half of a forged
 * history: it gets no answer, and the witness is told. What was answered before is answered again, in the
 * same words. */
#ifndef PUBLISH_TESTIMONY_H
#define PUBLISH_TESTIMONY_H

#include <stdint.h>

#include "base/err.h"
#include "base/str.h"
#include "chance/vrf.h"
#include "game/game.h"

/* What the witness has answered in one game. */
struct testimony {
    int64_t seq, turn;               /* of the last close; 0 = none */
    char last[2 * HEAD_BYTES + 1];   /* its head; "" = none */
    char before[2 * HEAD_BYTES + 1]; /* the one before that */
};
/* Reads witness/<game>. ERR_BROKEN for an invalid line, ERR_NEWER for one that says more. */
int testimony_read(struct slice lines, struct testimony *memory, struct err *err)
    __attribute__((warn_unused_result));

struct close_seen {
    char game[GAME_NAME];
    int64_t seq, turn;
    unsigned char head[HEAD_BYTES];
    struct str alpha; /* what the dice are computed over */
};
/* The line of a `close` record that `league` signed; the line of the game's `create` comes before
 * it, so that the dice are useless in another game. ERR_INPUT: it is not such a record; ERR_NEWER: the league
 * has a newer Turnpost than the witness. Always call testimony_release afterwards. */
int testimony_close(struct slice lines, const unsigned char league[32], struct close_seen *seen,
                    struct err *err) __attribute__((warn_unused_result));
void testimony_release(struct close_seen *seen);

/* The text "#turnpost witness" that answers; *line must be stored before it is sent ("" when it
 * was answered before). ERR_BROKEN: another history. */
int testimony_answer(const struct close_seen *seen, const struct testimony *memory,
                     const unsigned char vrf_secret[VRF_SECRET], const unsigned char vrf_public[VRF_PUBLIC],
                     struct str *text, struct str *line, struct err *err) __attribute__((warn_unused_result));

#endif
