/* Why a mail gets no answer. No other reason is good enough: whatever leaves the mailbox is answered, or has a record
 * of which its writer is told, or one of these; what has none is a fault of ours, and the log says so. The same list
 * for people is in src/intake/README.md. */
#ifndef INTAKE_SILENCE_H
#define INTAKE_SILENCE_H

#include <stdbool.h>

enum silence {
    SILENCE_NONE, /* it is answered */
    SILENCE_SEEN, /* this very mail, or what was signed in it, was dealt with before */
    SILENCE_SAME, /* not understood, and the same words were answered within the hour */
    SILENCE_PAUSED, /* not understood, as many like it, or forty, were before, of which the last was told how long */
    SILENCE_SPENT,     /* as many answers as there are on a day were sent; the last one said so */
    SILENCE_TOLD,      /* nobody vouches for it, and who it claims to be from was told the same today */
    SILENCE_STOPPED,   /* its writer has asked for no more mails */
    SILENCE_BANNED,    /* its writer is banned, and was told so today */
    SILENCE_WITNESS,   /* a witness's program has sent it, which waits for none */
    SILENCE_MACHINE,   /* no person wrote it */
    SILENCE_NO_SENDER, /* there is nobody to answer */
    SILENCE_WAITS,     /* it stays in the mailbox, and is looked at again */
    SILENCE_GIVEN_UP,  /* it failed for days, and nobody's signature in it could be checked */
    SILENCE_UNKNOWN    /* none of these: a fault of this program */
};
/* For the log of mails. A constant. */
const char *silence_words(enum silence silence);
/* May a person wait for the answer, so that somebody should look at it? */
bool silence_is_felt(enum silence silence);

#endif
