/* What opens the seal of a report (play/step.h, `opens`), in a mail's proof.txt: three lines, packed by zlib, as views repeat
 * themselves, between
 *
 *     -----BEGIN TURNPOST REPORT-----
 *     -----END TURNPOST REPORT-----
 *
 * It opens what one seat was told of one turn, and nothing else: no key follows from a salt. */
#ifndef LETTERS_OPENING_H
#define LETTERS_OPENING_H

#include "tlog/armor.h"

void opening_write(struct str *out, struct slice opens);
/* The next one in the text of a mail, as armored_next. */
enum armored opening_next(struct slice *text, struct str *opens, struct err *err)
    __attribute__((warn_unused_result));

#endif
