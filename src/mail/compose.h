/* Writes one mail: the only place where header fields of ours are made. RFC 5322, 2047, 2231, 3834, 8058
 * manners.
 *
 * All strings are UTF-8; CR, LF and control characters in header values are replaced, so nothing can inject a
 * field. The result has CRLF line ends and lines of at most 998 bytes (bodies at most 76 when an encoding is
 * needed). A text body that is ASCII with lines up to 78 goes out as 7bit, untouched, so that the signed head
 * block in it can be cut out of the raw mail by stock tools; else quoted-printable. Deterministic: the same
 * letter gives the same bytes. */
#ifndef MAIL_COMPOSE_H
#define MAIL_COMPOSE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/str.h"

struct letter_file {
    const char *name; /* "view.json", "orders.txt" */
    const char *type; /* "application/json", "text/plain" */
    struct slice bytes;
};

struct letter {
    const char *from, *from_name; /* address and display name of the league */
    const char *to, *to_name;     /* one recipient; name may be NULL */
    const char *reply_to;         /* may be NULL */
    const char *subject;
    const char *message_id;  /* without <> */
    const char *in_reply_to; /* without <>, or NULL */
    const char *references;  /* ids with <>, or NULL */
    const char *list_id;     /* "gc-17.games.example.org", or NULL */
    const char *loop;        /* value of X-Loop */
    bool reply;              /* Auto-Submitted: auto-replied, else auto-generated */
    bool person;             /* somebody asked for this very mail: no Auto-Submitted, it may be answered */
    int64_t date;            /* Date: in UTC */
    const char *text;        /* LF line ends */
    const char *html;        /* or NULL: then no multipart/alternative */
    const struct letter_file *files;
    size_t file_count;
};

/* A boundary that follows from the seed: "=_" and hex digits, which occur in nothing that is encoded. */
void compose_boundary(struct str *boundary, struct slice seed);

/* Appends the mail to `out`. */
void compose(struct str *out, const struct letter *letter);

#endif
