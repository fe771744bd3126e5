/* The words by which an answer to one of our mails is known to be one: a token in the address that it goes to
 * ("orders+k3v7q2m9xwtrabcd@example.org"), which keeps strangers out, and the nonce of the boundary line in the
 * mail (mail/reply.h). Neither proves who wrote the answer.
 *
 * Both follow from the league's secret and from the place in the game that the mail left open: they fit no
 * other league, game, turn, seat or player, and nothing has to be stored. A rollback opens the turn under
 * another head, and so kills them. 80 bits, RFC 4648 base32 in small letters. */
#ifndef LEAGUE_REPLY_TOKEN_H
#define LEAGUE_REPLY_TOKEN_H

#include <stdbool.h>

#include "base/str.h"
#include "journal/record.h"

#define REPLY_TOKEN_TEXT 17 /* 16 characters */

enum reply_word { REPLY_WORD_TOKEN, REPLY_WORD_NONCE, REPLY_WORD_OK /* to be typed; of `also` */ };

/* All borrowed. */
struct reply_place {
    const char *game;
    int turn;
    const unsigned char *head; /* HEAD_BYTES: of the record that opened the turn */
    int seat;
    const char *player;
    int seq;           /* the number that the answer's orders will have, from 1 on */
    struct slice also; /* REPLY_WORD_OK: what it agrees to; else empty */
};

/* `master` is the league's secret, which is of no other league. */
void reply_token(char text[REPLY_TOKEN_TEXT], const unsigned char master[32], enum reply_word word,
                 const struct reply_place *place);
/* In constant time. Capitals are as good as small letters. */
bool reply_token_is(struct slice text, const unsigned char master[32], enum reply_word word,
                    const struct reply_place *place);

/* The part of an address after the separator: "k3v7..." of "orders+k3v7...@example.org", when the rest of it
 * is `own`, whatever its case. False: it is another address, or has none. */
bool reply_token_in(struct slice address, const char *own, char separator, struct slice *token);
/* Whatever stands there, however long: "join.anna.k3v7..." of "orders+join.anna.k3v7...@example.org". */
bool reply_detail_in(struct slice address, const char *own, char separator, struct slice *detail);
/* The other way round: "orders+TOKEN@example.org". */
void reply_token_address(struct str *out, const char *own, char separator, const char *token);

#endif
