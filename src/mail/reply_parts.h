/* What the files of the cutter share (reply.h). Private to mail/. */
#ifndef MAIL_REPLY_PARTS_H
#define MAIL_REPLY_PARTS_H

#include "mail/reply.h"

#define NOWHERE ((size_t)-1)

/* What a reader sees of the mail, as one text. */
struct reply_text {
    struct str text; /* as reply.h says of `typed`, but all of it */
    size_t quote_at; /* HTML: where the first block that mail programs put quotes into begins, else NOWHERE */
    size_t hidden_at; /* HTML: where the first thing begins that cannot be seen, else NOWHERE */
};

/* The text under this Content-Type and Content-Transfer-Encoding: text/plain if there is any, else HTML. False
 * when there is none, or when it is beyond the limits. */
bool reply_see(const struct reply_mail *mail, const char *type, const char *encoding,
               struct reply_text *seen);
void reply_text_release(struct reply_text *seen);

/* Appends the text of a page, and sets the two offsets (reply_html.c). */
void reply_see_html(struct reply_text *seen, struct slice html);

/* Where in the text the typed part ends. */
struct reply_ended {
    size_t at;
    bool ours; /* there is the boundary of the mail that is answered */
};
/* Appends what was typed; true when it is known where that ends (reply_end.c). */
bool reply_end(struct str *typed, const struct reply_text *seen, struct slice nonce,
               struct reply_ended *ended);

/* How the body can be read, where its fields do not say so: types and encodings in pairs. */
#define READINGS     REPLY_READINGS
#define READING_TYPE 500
struct reading {
    char type[READING_TYPE]; /* "text/plain"; "": no such field */
    const char *encoding;    /* "base64", "quoted-printable" or "" */
};
/* The readings that are plausible; 0 when the body is of no form that mail programs make (reply_guess.c). */
size_t reply_guess(const struct reply_mail *mail, struct reading readings[READINGS]);
/* Is there a tag in the text? Then it would be another one as HTML. */
bool reply_has_tags(struct slice typed);

#endif
