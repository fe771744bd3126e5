/* What the files of dkim share. */
#ifndef TRUST_DKIM_PARTS_H
#define TRUST_DKIM_PARTS_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/str.h"

/* ---- lists of tags, "v=1; d=example.org" (RFC 6376 section 3.2), in signatures and in keys (dkim_tags.c) ----
 *
 * Names count as they are written, and so does "DKIM1", which the grammar spells in bytes (section 3.6.1). The other
 * words that it knows (of a=, c=, q=; of a key's h=, k=, s=, t=) are strings of ABNF, which has no case (RFC 5234
 * section 2.3): "a=RSA-SHA256" is sent, and good. */

#define DKIM_TAGS 32

struct dkim_tag {
    struct slice name, value; /* without the spaces around them */
    struct slice room;        /* of the value: everything between "=" and ";" */
};
struct dkim_tags {
    struct dkim_tag list[DKIM_TAGS];
    size_t count;
};

/* False for anything but such a list: also for a name that comes twice and for bytes that are not ASCII. */
bool dkim_tags_parse(struct slice text, struct dkim_tags *tags);
/* NULL when there is none of that name. */
const struct dkim_tag *dkim_tag_find(const struct dkim_tags *tags, const char *name);
/* The value of a tag that has to be there; empty when it is not. */
struct slice dkim_tag_value(const struct dkim_tags *tags, const char *name);
/* Cuts the next of "a : b : c" off, without spaces; false at the end. */
bool dkim_list_next(struct slice *rest, struct slice *item);
bool dkim_list_has(struct slice list, const char *word); /* in any case */
/* Appends what base64 with spaces in it stands for. */
bool dkim_base64(struct str *out, struct slice text) __attribute__((warn_unused_result));

/* ---- the mail (dkim_fields.c) ---- */

#define DKIM_FIELDS       500   /* lines of the header */
#define DKIM_HEADER_BYTES 65536 /* of it */

struct dkim_field {
    struct slice name;  /* without the colon, right after which the value begins */
    struct slice value; /* raw, without the last line end */
};
struct dkim_mail {
    struct dkim_field *fields;
    size_t count;
    struct slice body;
};

/* Takes the mail apart; all points into `raw`. False, with the reason, when it has bytes or lines that no mail
 * may have. The caller releases it in every case. */
bool dkim_mail_split(struct slice raw, struct dkim_mail *mail, json_t **refusal);
void dkim_mail_release(struct dkim_mail *mail);
/* The first field of that name, NULL = none; and how many there are. */
const struct dkim_field *dkim_field_find(const struct dkim_mail *mail, const char *name, size_t *count);

/* ---- canonical forms (RFC 6376 section 3.4) (dkim_canon.c) ---- */

/* Appends a field, with its CRLF. Where `relaxed`: its name in lower case, unfolded, spaces as single ones;
 * else as it came. Line ends are CRLF in both. */
void dkim_canon_field(struct str *out, const struct dkim_field *field, bool relaxed);
void dkim_canon_body(struct str *out, struct slice body, bool relaxed);

/* ---- SHA-256 (dkim_key.c) ---- */

/* By GnuTLS, which uses the instructions that processors have for it; libsodium does not, and mails are long. */
void dkim_sha256(unsigned char out[32], const void *bytes, size_t len);

#endif
