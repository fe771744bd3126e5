/* Between the files of suspicion: what was counted of each two players. */
#ifndef PUBLISH_SUSPICION_PARTS_H
#define PUBLISH_SUSPICION_PARTS_H

#include "game/game.h"
#include "publish/suspicion.h"

/* One direction of a pair: [0] is what `a` did with `b`, [1] the other way round. */
struct suspicion_pair {
    char name[2][PLAYER_NAME]; /* in the order of the alphabet */
    json_t *games;             /* names */
    int turns, both;           /* that awaited both; that both missed */
    int missed[2];             /* of these */
    json_t *named[2];          /* by type: {"count","of","share" (tenths)} */
    json_t *gave[2];           /* by what: {"gave","got"} */
};
struct suspicion {
    struct store *store;
    struct catalog *catalog;
    json_t *index; /* "anna bob" -> place in `pair` */
    struct suspicion_pair *pair;
    size_t count, cap;
    int games, running;
    json_t *broken;
};

/* Replays the game and counts. A game that cannot be replayed goes to `broken`. */
int suspicion_game(struct suspicion *all, const char *id, struct err *err)
    __attribute__((warn_unused_result));
/* The pair of two names, made when it is new; *flip: the first is its `b`. */
struct suspicion_pair *suspicion_pair(struct suspicion *all, const char *one, const char *two, bool *flip);
/* Adds "network" and "minutes" to the pairs of the report; *since: the oldest mail that is known, 0 = none.
 */
int suspicion_mails(struct suspicion *all, json_t *pairs, int64_t *since, struct err *err)
    __attribute__((warn_unused_result));
/* Is it worth a line? */
bool suspicion_notable(const json_t *pair);

#endif
