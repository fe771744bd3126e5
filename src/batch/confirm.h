/* Words that prove a mail address: mailed there, they come back in a signed text. Nothing is stored for them:
 * a word is a MAC under a key of the league's (derived from the master secret) over everything that it
 * proves, so the text in which it comes back has to hold all of that, and a stranger who asks for thousands
 * leaves nothing behind. 128 bits, written as tokens are (league/token.h). */
#ifndef BATCH_CONFIRM_H
#define BATCH_CONFIRM_H

#include "league/league.h"
#include "league/token.h"

struct batch;

enum confirm_use {
    CONFIRM_REGISTER = 1,
    CONFIRM_ADDRESS,
    CONFIRM_SECOND,
    CONFIRM_STOP,
    CONFIRM_MAILBOX, /* a new player without a key (petitions/keyless.h) */
    CONFIRM_VETO,    /* `key` is the one that was asked for */
    CONFIRM_MOVE,    /* a no to an address that was asked for */
    CONFIRM_LEAVE    /* a no to their leaving */
};

struct confirm {
    enum confirm_use use;
    const char *player;       /* the name, in small letters */
    const char *address;      /* case does not matter */
    const struct pubkey *key; /* CONFIRM_REGISTER, CONFIRM_VETO: all of it counts; else NULL */
};

/* The word for an address, valid from `now` for [league] token_expire, and to the end of that day (UTC); a no is valid for as long
 * as what it is against waits. */
void confirm_word(char word[TOKEN_TEXT], const struct league *league, const struct confirm *what,
                  int64_t now);
/* Is it such a word, and not too old (league/elapsed.h)? Written as token_read accepts it. */
bool confirm_good(const struct batch *batch, const struct confirm *what, struct slice word);

/* The same in 80 bits, for addresses, which have room for no more. */
#define CONFIRM_SHORT 17 /* 16 characters */
void confirm_short(char word[CONFIRM_SHORT], const struct league *league, const struct confirm *what,
                   int64_t now);
bool confirm_short_good(const struct batch *batch, const struct confirm *what, struct slice word);

/* The document of a token (league/token.h), NULL when there is none or it has expired (league/elapsed.h). New
 * reference. Errors: it cannot be read, or is a newer Turnpost's; the mail that needs it waits. */
int batch_token(const struct batch *batch, const char *name, json_t **document, struct err *err)
    __attribute__((warn_unused_result));

#endif
