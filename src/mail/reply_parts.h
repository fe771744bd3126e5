/* What the files of the cutter share (reply.h). Private to mail/. */
#ifndef MAIL_REPLY_PARTS_H
#define MAIL_REPLY_PARTS_H

#include "mail/reply.h"

#define NOWHERE ((size_t)-1)

/* ---- the text ---- */

/* Where in the text something begins that only the form of the mail shows. */
enum reply_mark_is {
    REPLY_QUOTE,   /* a block that mail programs put quotes into */
    REPLY_UNQUOTE, /* what is behind such a block */
    REPLY_HEAD,    /* what mail programs put above a quote that is in no block of its own */
    REPLY_UNSEEN,  /* text that need not look as it reads, or not be seen at all */
    REPLY_PART     /* another part of the mail */
};
struct reply_mark {
    size_t at;
    enum reply_mark_is is;
};

/* What a reader sees of the mail, as one text. */
struct reply_text {
    struct str text;          /* as reply.h says of `typed`, but all of it */
    struct reply_mark *marks; /* in the order of the text */
    size_t count, cap;
};
void reply_text_mark(struct reply_text *seen, size_t at, enum reply_mark_is is);
void reply_text_release(struct reply_text *seen);

/* The text under this Content-Type and Content-Transfer-Encoding: text/plain if there is any that is not empty, else
 * HTML. False when there is none, or when it is beyond the limits. */
bool reply_see(const struct reply_mail *mail, const char *type, const char *encoding,
               struct reply_text *seen);
/* Appends the text of a page, with its marks (reply_html.c). */
void reply_see_html(struct reply_text *seen, struct slice html);

/* Has it nothing that is seen? */
bool reply_is_blank(struct slice text);

/* ---- how a page looks ---- */

/* What of it decides whether letters can be read. */
struct reply_look {
    int letters, ground; /* colours, 0xRRGGBB */
    double size;         /* of letters, in pixels */
    bool unseen;         /* something else may hide them */
    bool ruled; /* there is a line above, as Outlook draws one between what is typed and what is quoted */
};
#define REPLY_LOOK                    \
    {                                 \
        0, 0xFFFFFF, 16, false, false \
    }
/* Changes the look by what a style attribute says; false where it says anything that mail programs do not write where
 * people type, and that may change more than the text of its element (reply_style.c). */
bool reply_style(struct slice style, struct reply_look *look);
/* May a style sheet say that, whatever it is applied to? */
bool reply_sheet(struct slice sheet);
bool reply_look_shows(const struct reply_look *look);

/* ---- its lines ---- */

/* A line, or that part of one which stands on one side of the edge of a quote. */
struct reply_line {
    struct slice text;       /* without blanks at either end */
    size_t at;               /* where in the text it begins */
    bool quoted;             /* ">", "|", or in a block of quotes */
    bool head, unseen, part; /* there is such a mark */
};
/* A copy reads on from the same place. */
struct reply_lines {
    const struct reply_text *seen;
    size_t at, end; /* of the line, behind which `at` has come where it is read */
    size_t mark;
    bool in_quote;
};
bool reply_line_next(struct reply_lines *lines, struct reply_line *line);
/* Does the head of a mail that somebody has not typed begin with this line? `rest` are the lines after it. */
bool reply_head_begins(const struct reply_line *line, struct reply_lines rest);

/* ---- boundaries ---- */

/* Of one that was found: is it a closing one? */
bool reply_boundary_closes(struct slice nonce);
bool reply_nonce_same(struct slice one, struct slice other);

/* ---- the cut ---- */

/* Sets all members of `reply` (reply_end.c). */
void reply_end(struct reply *reply, const struct reply_text *seen, struct slice nonce);

/* ---- unsigned fields ---- */

/* How the body can be read, where its fields do not say so: types and encodings in pairs. */
#define READINGS     REPLY_READINGS
#define READING_TYPE 500
struct reading {
    char type[READING_TYPE]; /* "text/plain"; "": no such field */
    const char *encoding;    /* "base64", "quoted-printable" or "" */
};
/* The readings that are plausible; 0 when the body is of no form that mail programs make (reply_guess.c). */
size_t reply_guess(const struct reply_mail *mail, struct reading readings[READINGS]);
/* Is there a tag in the line? Then it would be another one as HTML. */
bool reply_has_tag(struct slice line);

#endif
