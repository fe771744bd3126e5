/* Words that prove something once: invitations. 128 random bits, written as
 * 26 letters and digits (RFC 4648 base32 in small letters). The league keeps only a hash of a token, as the
 * name of a document in tokens/ (league/registry_log.h): a letter that says what it is for, and 31 hex
 * digits. Each document has a member "expires"; a used document is removed. */
#ifndef LEAGUE_TOKEN_H
#define LEAGUE_TOKEN_H

#include <jansson.h>
#include <stdbool.h>

#include "base/str.h"
#include "league/registry_log.h"

#define TOKEN_BYTES  16
#define TOKEN_TEXT   27
#define TOKEN_NAME   33
#define TOKEN_INVITE 'i'
#define TOKEN_STOP   's' /* of an address, whose owner wants no mail (batch/stopped.h) */
#define TOKEN_KEY    'k' /* a further key of a player; the name comes from its fingerprint */

/* A fresh token. */
void token_new(char text[TOKEN_TEXT]);
/* 128 bits as text. */
void token_write(char text[TOKEN_TEXT], const unsigned char bytes[TOKEN_BYTES]);
/* So many letters of base32, and a NUL; bits that `bytes` lack are zeros. */
void token_letters(char *text, size_t count, const unsigned char *bytes, size_t len);
/* The word as token_write wrote it, from what somebody typed. Case, spaces around it and hyphens do not
 * matter. False when the text is no such word. */
bool token_read(char token[TOKEN_TEXT], struct slice text);
/* The name of its document. False when the text is no token. */
bool token_name(char name[TOKEN_NAME], char kind, struct slice text);
/* The name of a document that is found by any text. */
void token_name_of(char name[TOKEN_NAME], char kind, struct slice text);
/* "expires", `seconds` from now on. */
void token_set_expiry(json_t *document, int64_t now, int64_t seconds);

#endif
