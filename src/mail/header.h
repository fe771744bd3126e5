/* Header blocks as they came: where each field is, nothing decoded. Private to mail/.
 *
 * The same scanner reads the top block of a mail, the block of every MIME part, the block of a returned mail
 * and the groups of a delivery status. RFC 5322 section 2.2, and as tolerant as src/mail/README.md says. */
#ifndef MAIL_HEADER_H
#define MAIL_HEADER_H

#include <stdbool.h>
#include <stddef.h>

#include "base/str.h"

#define FIELD_MAX 8192 /* longest field value that is ever decoded; the rest is cut off */

struct field {
    struct slice name;  /* without the colon and spaces before it */
    struct slice value; /* raw, with its line ends and folds */
};

/* All slices point into the scanned bytes. */
struct header {
    struct field *fields;
    size_t count;
    size_t cap;
    size_t end; /* offset of the body: after the empty line, or at the first line that is no field */
    bool over;  /* a limit was reached; the fields before it are there, `end` is meaningless */
};

/* Fills `header`, which the caller releases. Lines include continuation lines. */
void header_scan(struct header *header, struct slice raw, size_t max_bytes, size_t max_lines);
void header_release(struct header *header);

/* The next field of that name from index `*from` on, which is moved past it; NULL when there is none. */
const struct field *header_next(const struct header *header, const char *name, size_t *from);
size_t header_count(const struct header *header, const char *name);
/* Replaces `out` by the first field's unfolded value; false (and empty) when the field is missing. */
bool header_value(const struct header *header, const char *name, struct str *out);

/* Appends the value unfolded and trimmed, at most FIELD_MAX bytes; NULs become U+FFFD, so it is a C string.
 */
void field_unfold(struct str *out, const struct field *field);

/* Where a mail begins in bytes that may start with a BOM, empty lines or a "From " line of an mbox. */
size_t mail_start(struct slice raw);

#endif
