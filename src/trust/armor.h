/* Signature blocks inside the text of a mail, whatever is around them. */
#ifndef TRUST_ARMOR_H
#define TRUST_ARMOR_H

#include <stddef.h>

#include "base/err.h"
#include "base/str.h"
#include "trust/signature.h"
#include "trust/work.h"

enum armor {
    ARMOR_NONE,    /* the line is none of these */
    ARMOR_COMMENT, /* "untrusted comment:": the signature may follow */
    ARMOR_GOOD,    /* a signature begins here and could be read */
    ARMOR_BROKEN   /* one begins here and cannot be read, or is of a foreign kind (PGP): `err` says why */
};

/* Looks at the line that begins at text.p. `*used` gets the bytes that the line or the whole block takes,
 * at least 1 when the text is not empty. Reading beyond the line is charged to `work`; when that is used up,
 * nothing is found. */
enum armor armor_at(struct slice text, struct work *work, size_t *used, struct signature *sig,
                    struct err *err);

#endif
