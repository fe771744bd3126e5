/* The cutter: what a person typed into an answer to one of our mails, above what their mail program quotes, or below.
 *
 * Its result becomes orders, so it is a pure function of what is signed: body, Content-Type,
 * Content-Transfer-Encoding, and the nonce of the mail that is answered. It never looks at any other field.
 * Where one of the two fields is not signed it is not looked at either: then the body alone must admit
 * exactly one reading (reply_guess.c). Records name the version by which they were cut; what a version gives
 * for a mail never changes, also not by changes to entity.c, text.c and html.c (tests/mail/replies).
 *
 * Mails of ours that can be answered begin with a boundary, a line with a word such as "#-k3v7q2m5xwtrabcd-#", and
 * end with its closing, "-#k3v7q2m5xwtrabcd#-". Whatever stands between the two is not typed, quoted or not: Outlook
 * does not quote, and where lines are folded the rest of a quoted one looks like a typed one.
 *
 * The typed text ends at the first of these, and none of them can make it longer:
 *   - a boundary or closing anywhere in a line, at any quote depth, of this mail or of another;
 *   - a quoted line (">" or "|"), or in HTML a block that mail programs put quotes into;
 *   - the head of a mail, known by its form (reply_head.c), as languages are too many: three lines "Name: value" with
 *     an address or our [GAME] in them, "-----Original Message-----", a line of underscores, or an attribution with
 *     text below it that is not quoted. Any other attribution stays in the typed text, as `lead`;
 *   - a signature ("-- "), which ends at one of these.
 * It goes on below the quote, if that ends with the closing of the boundary that it begins with, as a quoted line of
 * its own and the last of the quote, and in the same part of the mail. All other lines that are not quoted are `below`,
 * and no more than a question.
 *
 * Anybody may write a boundary into press, so every boundary ends the text, but only one shows that we know where the
 * quote begins: that of the mail that is answered, where it is the first one. Else the text is REPLY_HELD.
 *
 * Armour of OpenPGP around the whole text (RFC 9580 section 7) is taken off: authority is the domain's.
 *
 * RFC 2045-2049, 3676 (format=flowed, "-- "). */
#ifndef MAIL_REPLY_H
#define MAIL_REPLY_H

#include <stdbool.h>

#include "base/err.h"
#include "base/str.h"

#define REPLY_VERSION 2
#define REPLY_NONCE   16 /* characters of base32, a-z and 2-7: 80 bits */

/* Appends the boundary, which is to be in the first line of a mail of ours: one word, so that nothing folds it,
 * without signs that HTML, links or quoted-printable change. `nonce` has REPLY_NONCE characters. */
void reply_boundary(struct str *out, struct slice nonce);
/* Appends its closing, which is to be the mail's last line. */
void reply_closing(struct str *out, struct slice nonce);
/* Finds the first well-formed boundary or closing: its offset, or (size_t)-1. *nonce is a part of `text`. Capitals are
 * as good as small letters. */
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
    REPLY_TYPED, /* `typed` is what the person typed */
    REPLY_HELD,  /* it may be: the boundary of the mail that is answered is not the first one */
    REPLY_HIDDEN, /* something in the typed part cannot be seen in the page; of HTML alone, or need not be seen */
    REPLY_AMBIGUOUS, /* an unsigned field could give the body another meaning */
    REPLY_UNREADABLE /* no text, or beyond the limits of message.h */
};

/* All texts are UTF-8 with LF, each line without spaces at its end, no empty lines at either end, and without the
 * characters that are not seen (U+00AD, U+061C, U+200B-200F, U+202A-202C, U+2060, U+2066-2069, U+FEFF). Of
 * format=flowed, joined. Of the last three fates, `typed` and `below` are empty. */
struct reply {
    enum reply_fate fate;
    bool ours; /* the boundary of the mail that is answered is where the quote begins */
    struct str typed;
    /* The paragraph of `typed` that stands right above the quote, as an attribution does, with an empty line between
     * or not: in which language, nobody here can tell. From `lead` to `lead_end`; empty where there is none. */
    size_t lead, lead_end;
    size_t
        under; /* where in `typed` begins what was typed below the quote, after an empty line; else its end */
    /* Other lines that are not quoted. They may be the person's, a co-player's, or the head of the mail that is
     * quoted: they are never done, but where one of them would be, the person is asked. */
    struct str below;
    struct str
        doubt; /* the first line that cannot be seen, or that has two readings, in one of them; or empty */
};

/* Fills `reply`, which the caller releases in every case. `nonce` is that of the mail that is answered, and decides
 * between REPLY_TYPED and REPLY_HELD and what `ours` is, and nothing else; empty: not known. Fails (ERR_NEWER) only when
 * the version is not known. Linear in the body. */
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
