/* Finds signed texts in a mail and opens them.
 *
 * A signed text delimits itself: from a line that begins with "#turnpost" to the line "#end". It comes
 * inline, followed by an armored signature (other lines may come between it and the #end), or as an
 * attachment X with its signature beside it (X.sig, X.minisig, or any other part that parses as a
 * signature). Quoted, re-wrapped, re-encoded, footered: see the list of damage in tests/trust/. Any order
 * of parts. */
#ifndef TRUST_ENVELOPE_H
#define TRUST_ENVELOPE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"
#include "base/str.h"
#include "trust/signature.h"
#include "trust/variant.h"
#include "trust/work.h"

/* One decoded part of a mail; all borrowed. */
struct evidence {
    const char *name;   /* file name or "" */
    struct slice exact; /* bytes after the transfer encoding */
    struct slice shown; /* UTF-8 as shown, may be empty */
    struct slice flat;  /* UTF-8 with format=flowed not undone, may be empty */
};

#define ENVELOPES_MAX     8
#define ENVELOPE_TEXT_MAX 65536 /* bytes of a signed text as it arrives; longer ones are ignored */
#define CANDIDATES_MAX    96    /* per envelope; rarely are more than 10 different */
#define SOURCES_MAX       6     /* places an envelope's text is looked for */

/* One text with one signature that claims it. The candidates are the byte strings that may be what was
 * signed, likeliest first, no duplicates; they are made on demand, from the parts that the text was found
 * in. */
struct envelope {
    struct signature sig;
    struct source sources[SOURCES_MAX]; /* borrowed from the parts */
    size_t source_count;
    struct str *candidates; /* those made so far; at least one */
    size_t candidate_count;
    size_t next;       /* which guess at which source comes next */
    struct work *work; /* the mail's, borrowed */
    size_t good;       /* the candidate that the key in the signature signed, counted from 1; 0 = not known */
};

/* What a mail holds: its envelopes, in its order (more than ENVELOPES_MAX are not looked for), and how many
 * different "#turnpost" texts no signature claims. */
struct envelopes {
    struct envelope list[ENVELOPES_MAX];
    size_t count;
    size_t unsigned_frames;
};
/* Fills `found`. The same signature seen twice (text and HTML form of one body) is one envelope; two
 * signatures after one text are two, over the same candidates. Returns -1 with ERR_INPUT only
 * when there was something like a signature and no envelope could be made at all (found->count is 0 then):
 * cut, damaged, RSA, PGP, or without any text; or when `work` was used up (trust/work.h), which is fresh for
 * every mail. The texts of the parts and `work` are borrowed until the envelopes are released. */
int envelope_find(const struct evidence *parts, size_t count, struct work *work, struct envelopes *found,
                  struct err *err) __attribute__((warn_unused_result));
void envelope_release(struct envelope *envelope);
/* Candidate number n, counted from 0; an empty one after the last, or when the work is used up. */
struct slice envelope_candidate(struct envelope *envelope, size_t n);

/* Tries the likeliest candidates with the key that an SSH signature names, no matter whose that is.
 * envelope_open then has nothing left to do for that key. */
void envelope_foresee(struct envelope *envelope);

/* Receives the opened text. */
struct envelope_text {
    struct str *exact;     /* becomes the bytes that verified */
    struct str *canonical; /* ... and their canonical form: valid UTF-8, checked */
};
/* Tries the candidates with one registered key. `text` is changed on success only. ERR_INPUT when none
 * verifies, when the one that does is not UTF-8, and when the mail's work is used up: then no other envelope
 * of it opens either, so that the texts that are obeyed are always the first ones of the mail. */
int envelope_open(struct envelope *envelope, const struct pubkey *key, const char *ns,
                  const struct envelope_text *text, struct err *err) __attribute__((warn_unused_result));

#endif
