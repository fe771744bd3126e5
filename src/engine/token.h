/* Words that prove something once: invitations, and confirmations of an address. 128 random bits, written as
 * 26 letters and digits (RFC 4648 base32 in small letters). The league keeps only a hash of a token, as the
 * name of a document in tokens/ (engine/registry_log.h): a letter that says what it is for, and 31 hex
 * digits. Each document has a member "expires"; a document that is used up is removed. */
#ifndef ENGINE_TOKEN_H
#define ENGINE_TOKEN_H

#include <jansson.h>
#include <stdbool.h>

#include "base/str.h"
#include "engine/registry_log.h"

#define TOKEN_TEXT    27
#define TOKEN_NAME    33
#define TOKEN_INVITE  'i'
#define TOKEN_CONFIRM 'r' /* of an address: a registration, or a change of an address */
#define TOKEN_KEY     'k' /* a key that is to sign too; the name comes from its fingerprint */

/* A fresh token. */
void token_new(char text[TOKEN_TEXT]);
/* The name of its document. Case, blanks around it and hyphens do not matter. False when the text is no
 * token. */
bool token_name(char name[TOKEN_NAME], char kind, struct slice text);
/* The name of a document that is found by any text. */
void token_name_of(char name[TOKEN_NAME], char kind, struct slice text);
/* "expires", `seconds` from now on. */
void token_set_expiry(json_t *document, int64_t now, int64_t seconds);
/* The document, unless it has expired; else NULL. New reference. */
json_t *token_find(const struct registry_log *log, const char *name, int64_t now);

#endif
