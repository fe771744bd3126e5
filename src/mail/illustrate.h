/* Puts a picture into a mail of ours that is composed already: its page becomes a multipart/related with the
 * picture beside it, which every mail program shows. Text, files and everything else stay byte for byte. */
#ifndef MAIL_ILLUSTRATE_H
#define MAIL_ILLUSTRATE_H

#include <stdbool.h>

#include "base/str.h"

/* A line of the page; a comment, should there be no picture. Nobody can write one: pages escape "<". */
#define ILLUSTRATE_HERE "<!--picture-->"

struct illustration {
    struct slice page; /* HTML with LF, all ASCII: goes where the page has ILLUSTRATE_HERE */
    const char *cid;   /* its Content-ID, without <> */
    struct slice png;
};

/* Appends the mail with the picture. False, and nothing is appended, when compose() has not made the mail, or
 * it has no page with such a line. Deterministic. */
bool illustrate(struct str *out, struct slice mail, const struct illustration *picture)
    __attribute__((warn_unused_result));

#endif
