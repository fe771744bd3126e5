/* The cutter: what a person typed into an answer to one of our mails, above what their mail program quotes.
 *
 * Its result becomes orders, so it is a pure function of what is signed: body, Content-Type,
 * Content-Transfer-Encoding, and the nonce of the mail that is answered. It never looks at any other field.
 * Where one of the two fields is not signed it is not looked at either: then the body alone must admit
 * exactly one reading (reply_guess.c). Records name the version by which they were cut; what a version gives
 * for a mail never changes, also not by changes to entity.c, text.c and html.c (tests/mail/replies).
 *
 * The typed text ends at the first of these, and none of them can make it longer:
 *   - a boundary, that is a line with a word such as "#-k3v7q2m5xwtrabcd-#" anywhere in it, at any quote depth,
 *     of this mail or of another;
 *   - an attribution ("On ... wrote:", wrapped or not; "From: ... Sent: ..."; "-----Original Message-----");
 *   - a quoted line (">" or "|"), or in HTML a block that mail programs put quotes into;
 *   - a signature ("-- "). Lines such as "Sent from my iPhone" are left out.
 * Anybody may write a boundary into press, so every boundary ends the text, but only two things show that we
 * know where the quote begins: the boundary of the mail that is answered, within a dozen lines from there, as
 * it is the first line of our mail; or, if there is none, an attribution. Else the text is REPLY_HELD.
 *
 * RFC 2045-2049, 3676 (format=flowed, "-- "). */
#ifndef MAIL_REPLY_H
#define MAIL_REPLY_H

#include <stdbool.h>

#include "base/err.h"
#include "base/str.h"

#define REPLY_VERSION 1
#define REPLY_NONCE   16 /* characters of base32, a-z and 2-7: 80 bits */

/* Appends the boundary, which is to be in the first line of a mail of ours: one word, so that nothing folds it,
 * without signs that HTML, links or quoted-printable change. `nonce` has REPLY_NONCE characters. */
void reply_boundary(struct str *out, struct slice nonce);
/* Finds the first well-formed boundary: its offset, or (size_t)-1. *nonce is a part of `text`. Capitals are as
 * good as small letters. */
size_t reply_boundary_find(struct slice text, struct slice *nonce);

/* What the cutter may know of a mail; all borrowed. */
struct reply_mail {
    struct slice type, encoding; /* values of the two fields as they came, perhaps folded; empty: none */
    bool type_signed, encoding_signed;
    bool doubled; /* one of them came twice */
    /* As the signature canonicalizes it (RFC 6376 section 3.4): under "relaxed" anybody may add and take away
     * spaces at the ends of lines, by which format=flowed joins lines. */
    struct slice body;
};
/* Finds fields and body in a mail's bytes. Nothing is signed then: the caller knows. */
void reply_fields(struct slice raw, struct reply_mail *mail);

enum reply_fate {
    REPLY_TYPED,     /* `typed` is what the person typed */
    REPLY_HELD,      /* it may be: there is neither our boundary nor an attribution */
    REPLY_HIDDEN,    /* HTML alone, and something in the typed part cannot be seen: `typed` is empty */
    REPLY_AMBIGUOUS, /* an unsigned field could give the body another meaning: `typed` is empty */
    REPLY_UNREADABLE /* no text, or beyond the limits of message.h: `typed` is empty */
};

struct reply {
    enum reply_fate fate;
    bool ours; /* the boundary of the mail that is answered is where the quote begins */
    /* UTF-8 with LF, each line without spaces at its end, no empty lines at either end, and without the
     * characters that have no width (U+00AD, U+200B-200D, U+2060, U+FEFF). Of format=flowed, joined. */
    struct str typed;
};

/* Fills `reply`, which the caller releases in every case. `nonce` is that of the mail that is answered, and decides
 * between REPLY_TYPED and REPLY_HELD, not what `typed` is; empty: not known. Fails (ERR_NEWER) only when the version
 * is not known. Linear in the body. */
int reply_cut(int version, const struct reply_mail *mail, struct slice nonce, struct reply *reply,
              struct err *err) __attribute__((warn_unused_result));
void reply_release(struct reply *reply);
/* All of the mail's text, its quote too, in each way that it can be read. */
#define REPLY_READINGS 8
struct reply_whole {
    struct str text[REPLY_READINGS];
    size_t count;
};
/* The caller releases it. */
void reply_whole(struct reply_whole *whole, const struct reply_mail *mail);
/* Does it hold these words, however it is read? Spaces and line ends count. */
bool reply_whole_holds(const struct reply_whole *whole, const char *words);
void reply_whole_release(struct reply_whole *whole);

#endif
