/* The draw of a round: nobody can choose it. It follows from what `create` fixed, the texts of the entries in
 * force, and the league's VRF (chance/vrf.h), by which the league can compute one draw and prove it.
 *
 *   alpha = "turnpost/pairing\0" || nonce || le32 len || name || le32 round || le32 attempt || le32 n
 *           || entry_1 || .. || entry_n      entries of those who play, in the byte order of their names
 *   entry = BLAKE2b-256("turnpost/entry\0" || le32 len || name || mark)
 *
 * The players, in the byte order of their names, are shuffled: for i = n .. 2 the i-th changes places with the one of
 * number 1 + u(i) under the label "order/i" (chance/draw.h, R = chance_root(beta, those of witnesses)). Who sits where follows from this
 * order and from what was played so far (meetings.h). */
#ifndef COMPETE_DRAW_H
#define COMPETE_DRAW_H

#include "compete/competition.h"
#include "game/lockstep.h"

struct drawn_table {
    int seats;
    char player[SEATS_MAX + 1][PLAYER_NAME];
};
struct drawn {
    struct drawn_table *tables;
    size_t count;
    char (*byes)[PLAYER_NAME];
    size_t bye_count;
    struct compete_division *divisions; /* that a season's first round forms; else NULL */
    size_t division_count;
    unsigned char digest[32]; /* of tables and byes */
};
void drawn_release(struct drawn *drawn);
/* Fills in its digest: BLAKE2b-256(prefix || le32 tables || each: le32 seats || names || le32 byes || names). */
void drawn_digest(struct drawn *drawn);

void compete_alpha(struct str *alpha, const struct competition *c, int round, int attempt);
/* The output of the proof, and the dice of the witnesses that have answered; in a second attempt of nobody. */
void compete_mix(struct quorum_dice *dice, const struct competition *c, int attempt,
                 const unsigned char beta[VRF_OUTPUT]);
/* What the round gives, by these. ERR_INPUT: too few players. */
int compete_draw(const struct competition *c, int round, const struct quorum_dice *dice, struct drawn *drawn,
                 struct err *err) __attribute__((warn_unused_result));

/* Of duplicate deals all games of a round have the same, so that all are dealt the same:
 *   alpha = "turnpost/deal\0" || nonce || le32 len || name || le32 round || le32 attempt || beta
 * and of all others:
 *   alpha = "turnpost/table\0" || nonce || le32 len || name || le32 round || le32 table || le32 attempt || beta
 * of a round that is drawn; beta is its own, with those of its witnesses, so that what is dealt was as unknown as who sits where when `create` was made.
 *   nonce of the game = BLAKE2b-256("turnpost/nonce\0" || beta) */
void compete_table_alpha(struct str *alpha, const struct competition *c, int round, int table);
/* The times of the games of a duplicate deal that is drawn: their turns have the length that the competition's clock says,
 * the first one opens with the deal, and they close with the round. */
void compete_lockstep(struct lockstep *lockstep, const struct competition *c, int round);
void compete_game_nonce(unsigned char nonce[SEAL_NONCE], const unsigned char beta[VRF_OUTPUT]);

#endif
