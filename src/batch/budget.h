/* How many automatic answers an address gets on a day (UTC), so that a stranger costs a bounded amount of
 * mail, and two programs that answer each other stop by themselves. Reports and receipts of records are not
 * counted. The last answer says that it is, and until when. Who is charged, so that nobody uses up another's budget:
 *
 *   a player, by a good signature under a text     [limits] replies_per_day
 *     that is new, from an address of theirs, or
 *     of the domain of that address (DKIM)
 *   a player, by a good signature otherwise: a     BUDGET_FEW, counted apart: whoever has seen a signed
 *     text that came before or counts no more,       text can send it in
 *     or a mail from elsewhere
 *   a player who is banned                         one, signed or not
 *   a player, by the From line alone               replies_per_day, counted apart: whoever forges it uses up
 *                                                    only these
 *   the same, where the mail server vouches for    replies_per_day, counted apart
 *     the domain ([incoming] authserv)
 *   a player, by the signature of their domain,    replies_per_day, counted apart: people write to others, too,
 *     where nothing shows that they wrote to us      and to lists
 *   whoever has a good invitation                  BUDGET_FEW for each invitation, and for each address
 *   a stranger, where the server vouches           stranger_replies, strangers_per_day for the domain and ten
 *                                                    times that for all domains; after that as the next. Counted
 *                                                    apart where nothing shows that they wrote to us
 *   a stranger                                     stranger_replies, strangers_per_day for all together
 *   a player's change of address                   BUDGET_FEW for the player, and for the address
 *
 * Mails that a domain vouches for and that are not understood have limits of their own besides (budget_take_unread), by
 * what their writers wrote, never by what we sent: anyone who finds other words is answered. */
#ifndef BATCH_BUDGET_H
#define BATCH_BUDGET_H

#include "batch/batch.h"

#define BUDGET_FEW 10

/* Of one writer's mails that are not understood: */
#define BUDGET_UNREAD 40 /* are answered on a day (UTC), */
#define BUDGET_UNREAD_HOUR \
    3 /* and so many that are alike in a row within an hour; the last of these says that */
#define BUDGET_UNREAD_PAUSE \
    ((int64_t)21600) /* for six hours others like it go unanswered, until one is understood: a ticket robot writes */

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
    bool
        elsewhere; /* PROOF_SERVER: nothing shows that it was written to us: whoever got it may have sent it in */
    bool fresh; /* PROOF_TEXT: set by budget_take when it is new */
};

/* May it be sent? */
enum budget_fate {
    BUDGET_LEFT, /* yes */
    BUDGET_LAST, /* yes, as the last until `until` */
    BUDGET_PAUSES, /* yes; mails like this one go unanswered until `until` from now on, if they are not understood */
    BUDGET_CLOSES,  /* yes; so do all that are not understood */
    BUDGET_REPEATS, /* yes; the same words were answered within the hour, and are not again until `until` */
    BUDGET_SAME,    /* no: the same words were answered twice within the hour */
    BUDGET_PAUSED,  /* no: until `until` */
    BUDGET_SPENT,   /* no: as many as there are on a day were sent */
    BUDGET_STOPPED, /* no: whoever has that address wants no mail */
    BUDGET_BANNED   /* no: they are banned, and were told so on this day */
};
struct budget {
    enum budget_fate fate;
    int64_t until;
};
bool budget_allows(const struct budget *budget);

/* Counts one answer to `address`, if it may be sent. A text that was already answered on this day turns
 * PROOF_TEXT into PROOF_KEY. */
int budget_take(struct batch *batch, const char *address, struct budget_claim *claim, struct budget *budget,
                struct err *err) __attribute__((warn_unused_result));

/* A mail that was not understood, from the mailbox `address`; its domain vouches for that. */
struct budget_unread {
    const char *address;
    const unsigned char *mail; /* 32 bytes: its digest, so that it may be worked on again */
    /* What was written. Both empty: nothing that could be compared. */
    struct slice subject, text;
    bool answers; /* it answers a mail, so that its subject is not its writer's, and tells which mail it is */
    const char *about; /* the turn of a game, if it answers a mail about one; "" */
    bool elsewhere;    /* as of a claim: what is not certainly for us does not use up what is */
};
/* budget_take for the answer to such a mail. Texts are the same that answer the same mail and differ in digits, spaces and
 * capitals only: tickets have numbers. Of three words, or of digits alone, they are compared by their digits, too. Alike
 * are those about the same game that share half of their words. */
int budget_take_unread(struct batch *batch, const struct budget_unread *unread, struct budget_claim *claim,
                       struct budget *budget, struct err *err) __attribute__((warn_unused_result));
/* Counts a player's request for a new address. */
int budget_move(struct batch *batch, const char *player, bool *allowed, struct err *err)
    __attribute__((warn_unused_result));
/* Counts a mail that asks an address whether it wants to be a player's; an address that wants no mail from us is not asked
 * (batch/stopped.h). */
int budget_address(struct batch *batch, const char *address, bool *allowed, struct err *err)
    __attribute__((warn_unused_result));
/* Counts one more address of that domain ("" = of those that no domain vouches for) to which nothing is sent. */
int budget_stop(struct batch *batch, const char *domain, bool *allowed, struct err *err)
    __attribute__((warn_unused_result));

#endif
