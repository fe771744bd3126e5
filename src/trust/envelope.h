/* Finds signed texts in a mail and opens them.
 *
 * A signed text delimits itself: from a line that begins with "#turnpost" to the line "#end". It comes inline, followed by an
 * armored signature (after the #end, other lines may stand between), or as an attachment X with its signature beside it
 * (X.sig, X.minisig, or any other part that parses as a signature). Quoted, re-wrapped, re-encoded, footered: see the list of damage in
 * tests/trust/. Any order of parts. */
#ifndef TRUST_ENVELOPE_H
#define TRUST_ENVELOPE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"
#include "base/str.h"
#include "trust/signature.h"

/* One decoded part of a mail; all borrowed. */
struct evidence {
    const char *name;     /* file name or "" */
    struct slice exact;   /* bytes after the transfer encoding */
    struct slice shown;   /* UTF-8 as shown, may be empty */
    struct slice flat;    /* UTF-8 with format=flowed not undone, may be empty */
};

#define ENVELOPES_MAX 8

/* One text with one signature that claims it. */
struct envelope {
    struct signature sig;
    struct str *candidates; /* the byte strings that may be what was signed, likeliest first, no duplicates */
    size_t candidate_count;
};

/* Appends up to ENVELOPES_MAX envelopes. `*unsigned_frames` counts "#turnpost" texts without any signature.
 * Errors are only about what was found: a broken signature block is reported through `err` (ERR_INPUT) when no envelope could
 * be made from it; work is bounded by the sizes of the parts. */
int envelope_find(const struct evidence *parts, size_t count, struct envelope *out, size_t *found,
                  size_t *unsigned_frames, struct err *err) __attribute__((warn_unused_result));
void envelope_release(struct envelope *envelope);

/* Tries the candidates with one registered key. On success `exact` gets the bytes that verified and `text` their canonical form (valid
 * UTF-8, checked). ERR_INPUT when none verifies. */
int envelope_open(const struct envelope *envelope, const struct pubkey *key, const char *ns, struct str *exact,
                  struct str *text, struct err *err) __attribute__((warn_unused_result));

#endif
