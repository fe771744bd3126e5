/* How many automatic answers an address gets on a day (UTC), so that a stranger costs a bounded amount of
 * mail, and two programs that answer each other stop by themselves. Reports and receipts of records are not
 * counted. Who is charged, so that nobody uses up another's budget:
 *
 *   a player, by a good signature under a text     [limits] replies_per_day
 *     that is new, from an address of theirs
 *   a player, by a good signature otherwise: a     BUDGET_FEW, counted apart: whoever has seen a signed
 *     text that came before or counts no more,       text can send it in
 *     or a mail from elsewhere
 *   a player who is banned                         one, signed or not
 *   a player, by the From line alone               replies_per_day, counted apart: whoever forges it uses up
 *                                                    only these
 *   the same, where the mail server vouches for    replies_per_day, counted apart
 *     the domain ([incoming] authserv)
 *   whoever has a good invitation                  BUDGET_FEW for each invitation, and for each address
 *   a stranger, where the server vouches           stranger_replies, strangers_per_day for the domain and ten
 *                                                    times that for all domains; after that as the next
 *   a stranger                                     stranger_replies, strangers_per_day for all together
 *   a player's change of address                   BUDGET_FEW for the player, and for the address
 *   whoever wants to register by mail alone        one, besides what is said above */
#ifndef BATCH_BUDGET_H
#define BATCH_BUDGET_H

#include "batch/batch.h"

#define BUDGET_FEW 10

/* How well it is known who sent the mail that is answered. */
enum budget_proof {
    PROOF_NONE,   /* only its From line says so */
    PROOF_SERVER, /* our mail server vouches for the domain of its From line, or the domain for its mailbox */
    PROOF_INVITE, /* it has a valid invitation; the sender is unknown */
    PROOF_KEY,    /* a player's signature is valid, but anybody may have sent it */
    PROOF_TEXT    /* the same, the text may be new, and the mail is from an address of the player's */
};

struct budget_claim {
    enum budget_proof proof;
    char player[PLAYER_NAME];    /* PROOF_KEY, PROOF_TEXT: whose signature it is */
    char domain[MESSAGE_DOMAIN]; /* PROOF_SERVER: that the server vouches for */
    char invite[33];             /* PROOF_INVITE: the name of its document (league/token.h) */
    unsigned char text[32];      /* PROOF_TEXT: its digest */
    bool asked;                  /* they have proved that they want this answer: "stop" is no longer meant */
    bool fresh;                  /* PROOF_TEXT: set by budget_take when it is new */
};

/* Counts one answer to `address`, if it may be sent. A text that was already answered on this day turns
 * PROOF_TEXT into PROOF_KEY. */
int budget_take(struct batch *batch, const char *address, struct budget_claim *claim, bool *allowed,
                struct err *err) __attribute__((warn_unused_result));
/* Counts a player's request for a new address. */
int budget_move(struct batch *batch, const char *player, bool *allowed, struct err *err)
    __attribute__((warn_unused_result));
/* Counts a mail that asks an address whether it wants to be a player's. */
int budget_address(struct batch *batch, const char *address, bool *allowed, struct err *err)
    __attribute__((warn_unused_result));
/* Counts a mail that asks somebody who wants to register whether they do: one for each mailbox and day. */
int budget_join(struct batch *batch, const char *address, bool *allowed, struct err *err)
    __attribute__((warn_unused_result));
/* Counts one more address of that domain ("" = of those that no domain vouches for) to which nothing is sent. */
int budget_stop(struct batch *batch, const char *domain, bool *allowed, struct err *err)
    __attribute__((warn_unused_result));

#endif
