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
    REPLY_UNSEEN,  /* text that cannot be seen */
    REPLY_ODD,     /* text that need not look as it reads, or not be seen at all */
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
    bool covered; /* a style sheet, or something without text, may hide any of it */
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

/* ---- colours ---- */

struct reply_color {
    int rgb;      /* 0xRRGGBB */
    double thick; /* 1: it covers what is below, 0: it is not seen */
};
/* False for anything but a colour that all browsers take for the same one. */
bool reply_color_read(struct slice word, struct reply_color *color);
/* As it looks over that ground: 0xRRGGBB. */
int reply_color_over(struct reply_color color, int ground);
/* Can letters of that colour be read on that ground? */
bool reply_color_reads(struct reply_color letters, int ground);
/* Dark letters can be read on every light ground. */
bool reply_color_dark(struct reply_color letters);
bool reply_color_light(int ground);
/* "12", "-.5", as CSS has them but for exponents; *end is behind it. */
bool reply_number(const char *text, double *number, const char **end);

/* ---- how a page looks ---- */

/* What of it decides whether letters can be read; lengths in pixels. */
struct reply_look {
    struct reply_color letters;
    int ground;         /* 0xRRGGBB */
    double size;        /* of letters */
    double indent;      /* of first lines */
    double left, right; /* how far both edges have moved inwards, as far as is certain */
    double root;        /* of the letters of the page, for "rem" */
    bool rtl;           /* text goes from right to left */
    bool unseen;        /* something else may hide it */
    bool ruled; /* there is a line above, as Outlook draws one between what is typed and what is quoted */
};
#define REPLY_LOOK                                                    \
    {                                                                 \
        .letters = {0, 1}, .ground = 0xFFFFFF, .size = 16, .root = 16 \
    }
/* What the style sheets of a page may add to the look of any element. */
struct reply_sheets {
    bool bad;             /* anything that is on no list */
    bool letters, ground; /* dark letters, light grounds */
    double size;          /* the smallest letters that they give */
    double room;          /* the widest margin on the left */
};
#define REPLY_SHEETS               \
    {                              \
        false, false, false, 16, 0 \
    }
/* Changes the look by what a style attribute says; false where it says anything that mail programs do not write where
 * people type, and that may change more than the text of its element (reply_style.c). */
bool reply_style(struct slice style, const struct reply_sheets *sheets, struct reply_look *look);
/* May it lay the element over others, or take others away? Of one without text. */
bool reply_style_covers(struct slice style);
/* Adds what a style sheet says, whatever it is applied to. */
void reply_sheet(struct slice sheet, struct reply_sheets *sheets);
bool reply_look_shows(const struct reply_look *look, const struct reply_sheets *sheets);

/* ---- its lines ---- */

/* A line, or that part of one which stands on one side of the edge of a quote. */
struct reply_line {
    struct slice text;            /* without blanks at either end */
    size_t at;                    /* where in the text it begins */
    bool quoted;                  /* ">", "|", or in a block of quotes */
    bool head, unseen, odd, part; /* there is such a mark */
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
