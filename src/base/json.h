/* Small helpers over jansson: reading with errors that name the key, writing canonical bytes.
 * Canonical: keys sorted, no spaces, integers only; the digest of a state is over these bytes. */
#ifndef BASE_JSON_H
#define BASE_JSON_H

#include <jansson.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "base/err.h"
#include "base/str.h"

/* Parses one document; duplicate keys and trailing bytes are refused. NULL on error (ERR_BROKEN). */
json_t *json_read(struct slice text, const char *what, struct err *err) __attribute__((warn_unused_result));
/* Parses a file of at most 16 MiB. */
json_t *json_read_file(const char *path, struct err *err) __attribute__((warn_unused_result));
void json_write(struct str *out, const json_t *value);        /* canonical bytes */
void json_write_pretty(struct str *out, const json_t *value); /* indented by two spaces, sorted */

/* Canonical bytes without building a JSON value: the caller writes the members in the order of their names, byte by byte,
 * and what another name begins with before it. Names need not end with NUL. */
static inline int json_name_order(struct slice a, struct slice b)
{
    int order = memcmp(a.p, b.p, a.len < b.len ? a.len : b.len);
    return order ? order : (a.len > b.len) - (a.len < b.len);
}
void json_write_string(struct str *out, const char *text, size_t len); /* valid UTF-8 */
void json_write_text(struct str *out, struct slice text);              /* as json_text */
size_t json_text_size(struct slice text); /* number of bytes written, not counting the quotes around them */

/* Members of an object. `what` names the object in the error ("card 12", "record 7"). */
int json_need_int(const json_t *object, const char *key, int64_t min, int64_t max, int64_t *out,
                  const char *what, struct err *err) __attribute__((warn_unused_result));
int json_need_string(const json_t *object, const char *key, const char **out /* borrowed */, const char *what,
                     struct err *err) __attribute__((warn_unused_result));
json_t *json_need_array(const json_t *object, const char *key, const char *what, struct err *err)
    __attribute__((warn_unused_result)); /* borrowed; NULL on error */

/* A string value from any bytes (invalid UTF-8 is made safe). */
json_t *json_text(struct slice text);
/* Lower-case hex; and a time as records have it, 2026-11-20T08:00:00Z. New references. */
json_t *json_hex(const void *bytes, size_t len);
json_t *json_time(int64_t time);
/* The same of what the format gives. */
json_t *json_vtext(const char *fmt, va_list args) __attribute__((format(printf, 1, 0)));

#endif
