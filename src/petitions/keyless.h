/* People who have only a mailbox: where the league takes that ([league] trust = mail), they register by a mail for
 * which their domain vouches (letters/vouching.h), and by nothing else. An answer from a mail program goes to an
 * address that holds all that is needed, so the league keeps nothing meanwhile:
 *
 *   orders+join.NAME.WORD@     they asked to register, and answer "ok" (or "yes"). WORD binds name, mailbox and day
 *                              (batch/confirm.h)
 *   orders+invite.WORD@        an invitation: the first mail with "ok" or "register NAME" registers, and takes a seat in the
 *                              game that the invitation names, if it does
 *   orders+invite.WORD.NAME@   the same: they wanted a name that cannot be written here, and "ok" takes this one
 *   orders+veto.NAME.WORD@     a key or an address was asked for in their name (petitions/rekey.h, moving.h), or they are to be
 *                              erased, and they answer "no"
 *   orders+move.NAME.WORD@     a mailbox that a player wants to use answers "ok"
 *
 * From's mailbox is the player's, exactly; plus and dot folding is for nobody but batch/budget.h, which counts. */
#ifndef PETITIONS_KEYLESS_H
#define PETITIONS_KEYLESS_H

#include "letters/vouching.h"
#include "mail/message.h"
#include "petitions/requests.h"

/* Bytes of a mail that registers somebody or asks for a key: it is kept in a record of the registry. */
#define KEYLESS_MAIL ((size_t)28 << 10)

/* A mail, and what its domain says of it; both borrowed. */
struct keyless_mail {
    const struct message *msg;
    const struct vouching *vouching; /* VOUCHING_GOOD for keyless_hear */
};

enum keyless_fate {
    KEYLESS_NONE,   /* it is about something else */
    KEYLESS_ANSWER, /* `request` has the answer */
    KEYLESS_DONE,   /* it is done, and they are told */
    KEYLESS_SILENT  /* the same mail was heard before: nothing is to be said */
};
struct keyless {
    enum keyless_fate fate;
    struct request request; /* the facts are the caller's */
    bool understood;        /* what they want, in that case */
    char joins[GAME_NAME];  /* KEYLESS_DONE: the game in which the same mail asks for a seat, else "" */
    struct str reply_to;    /* where an answer to that goes; empty: to the league. The caller releases it */
};
/* `sender`: the player whose address the mail names, or NULL. Errors are the league's own. */
int keyless_hear(struct batch *batch, const struct keyless_mail *mail, const struct player *sender,
                 struct keyless *keyless, struct err *err) __attribute__((warn_unused_result));

/* Is it worth waiting for what its domain will say (VOUCHING_LATER)? It answers one of these addresses, or wants to
 * register and there was no time to ask the domain. */
bool keyless_waits(const struct league *league, const struct keyless_mail *mail);

/* Does it answer an invitation? *reply_to gets the address to which it was sent. */
bool keyless_invited(const struct league *league, const struct message *msg, struct str *reply_to);

/* "orders+invite.WORD@example.org" of this league; with the name that "ok" takes, or NULL. */
void keyless_invitation(struct str *address, const struct league *league, const char *word, const char *name);
/* "orders+move.anna.WORD@example.org", where the new mailbox agrees that it is the player's. */
void keyless_move(struct str *address, const struct league *league, const struct player *player, int64_t now);
/* "orders+veto.anna.WORD@example.org", against the address that is asked for in the player's name, or against their leaving. */
void keyless_veto_move(struct str *address, const struct league *league, const struct player *player,
                       int64_t now);
void keyless_veto_leave(struct str *address, const struct league *league, const struct player *player,
                        int64_t now);
/* "orders+veto.anna.WORD@example.org", against the key that is asked for in the player's name. */
void keyless_veto(struct str *address, const struct league *league, const struct player *player, int64_t now);

#endif
