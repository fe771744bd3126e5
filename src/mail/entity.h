/* The MIME tree of a mail: header blocks and boundary lines, found under the limits. Private to mail/.
 *
 * No library's parser: GMime's parses the address fields of forwarded mails while it reads, without a limit of nesting (1 MB of
 * "To: a:a:a:..." overflows its stack), and makes an object of each of 100,000 parts before they can be counted. Here every byte
 * is read at most `depth` times. RFC 2045, 2046. */
#ifndef MAIL_ENTITY_H
#define MAIL_ENTITY_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"
#include "base/str.h"
#include "mail/header.h"
#include "mail/message.h"

/* One node of the tree, borrowed for the time of a callback. */
struct entity {
    const struct header *header;
    struct str fields; /* Content-Type; empty when it is not labelled */
    const char *type;  /* "text/plain", lower case, only token characters */
    bool labelled;     /* false: there was no usable Content-Type and `type` is the default */
    struct slice body; /* transfer encoding not undone */
    size_t depth;      /* multiparts and mails around it */
    size_t mails;      /* message/rfc822 around it */
    bool report;       /* multipart/report around it, in the same mail */
    bool digest;       /* the right default in a multipart/digest, where a part without a type is a
                               * mail */
};

struct walker {
    const struct message_limits *limits;
    int (*leaf)(void *arg, const struct entity *entity, struct err *err);
    /* A message/rfc822 is entered: `header` is the header block of the mail within. */
    void (*mail)(void *arg, const struct entity *around, const struct header *header);
    void *arg;
    size_t leaves;
};

/* Walks the tree below a header block, in the order of the mail. ERR_INPUT when a limit is broken, or what a
 * leaf callback returned. */
int entity_walk(struct walker *walker, const struct header *header, struct slice body, struct err *err)
    __attribute__((warn_unused_result));

/* Replaces `out` by a parameter of Content-Type (RFC 2231 undone, RFC 2047 not); false and empty when it is
 * missing. */
bool entity_param(const struct entity *entity, const char *name, struct str *out);
/* Appends the body with its transfer encoding undone; a damaged one is decoded as far as possible. */
void entity_decode(struct str *out, const struct entity *entity);

#endif
