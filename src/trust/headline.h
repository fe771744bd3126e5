/* The line with which every mail of a league ends, "head: GAME SEQ HEX64", and the league's signature of that
 * line (with its LF) behind it: an SSHSIG in the namespace head@turnpost. */
#ifndef TRUST_HEADLINE_H
#define TRUST_HEADLINE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/str.h"

#define HEADLINE_GAME 33
#define HEADLINE_TEXT 160

struct headline {
    char game[HEADLINE_GAME];
    int64_t seq;
    char hex[65];
    char text[HEADLINE_TEXT]; /* the line as it was signed, with its LF */
    struct slice block;       /* the armored signature behind it, borrowed; nothing is verified yet */
};

/* The next such line with a signature; quoted ones ("> ") count. Moves *text behind the line. */
bool headline_next(struct slice *text, struct headline *head);

#endif
