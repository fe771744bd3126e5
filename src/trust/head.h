/* The line under every mail of the league about a game, "head: GAME SEQ HEX64", and the league's signature
 * (an SSHSIG in the namespace head@turnpost) below it. */
#ifndef TRUST_HEAD_H
#define TRUST_HEAD_H

#include <stdbool.h>
#include <stdint.h>

#include "base/str.h"

#define HEAD_LINE 160

struct head_claim {
    char game[33];
    int64_t seq;
    unsigned char head[32];
    char line[HEAD_LINE]; /* the bytes that were signed, with their LF, whatever quoting did to them */
    struct slice armor;   /* the signature; borrowed from the text */
};
/* The next such line that has a signature after it, before the next head line; advances *text past both.
 * Linear, however many lines have none. */
bool head_next(struct slice *text, struct head_claim *claim);

#endif
