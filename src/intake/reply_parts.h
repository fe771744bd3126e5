/* What the files of replies share (intake_reply.c, reply_act.c); for no others. */
#ifndef INTAKE_REPLY_PARTS_H
#define INTAKE_REPLY_PARTS_H

#include "intake/intake_parts.h"
#include "orders/typed.h"
#include "play/replies.h"

/* An answer to a mail of ours for which its domain vouches; the player is visit->sender. */
struct answering {
    struct visit *visit;
    struct batch_game *entry; /* the game */
    int seat;
    struct reply_place place; /* of the mail that is answered */
    struct str held;          /* it asked whether these orders were meant; else empty */
    size_t open;              /* games that wait for an answer, as far as they were looked at */
    struct suggestions suggestions;
    struct reply reply;
    bool bound; /* the signed part of the mail names the turn, by its head */
    struct typed_game game;
    struct typed typed;
};

/* Does what was typed, or asks. */
int reply_act(struct answering *a, struct err *err) __attribute__((warn_unused_result));

/* Is it the first answer to `what` on this day? */
int reply_ask_once(struct visit *visit, const char *what, bool *first, struct err *err)
    __attribute__((warn_unused_result));
/* An answer to the player, one a day for `what`. Takes ownership of the facts. */
int reply_answer(struct visit *visit, const char *what, const struct words *words, struct err *err)
    __attribute__((warn_unused_result));

#endif
