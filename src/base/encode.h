/* Bytes as text: lower-case hex, base64 (RFC 4648 section 4, padded) and base64url (section 5, unpadded).
 * Decoders are strict: nothing but the alphabet, canonical padding bits, exact length. */
#ifndef BASE_ENCODE_H
#define BASE_ENCODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/str.h"

void hex_encode(struct str *out, const void *bytes, size_t len);
void hex_to(char *out /* 2*len+1 bytes */, const void *bytes, size_t len);
bool hex_decode(void *out, size_t len, struct slice text)
    __attribute__((warn_unused_result)); /* text.len == 2*len */

/* 0..15, of small and capital letters; -1: it is none. */
int hex_digit(char c);

void base64_encode(struct str *out, const void *bytes, size_t len);
/* The same, quicker, of long things that are no key: how long it takes depends on the bytes. */
void base64_encode_long(struct str *out, const void *bytes, size_t len);
bool base64_decode(struct str *out, struct slice text) __attribute__((warn_unused_result)); /* appends */
bool base64_decode_to(void *out, size_t len, struct slice text)
    __attribute__((warn_unused_result)); /* exactly len bytes */
void base64url_encode(struct str *out, const void *bytes, size_t len);
bool base64url_decode(void *out, size_t len, struct slice text)
    __attribute__((warn_unused_result)); /* exactly len bytes */

/* Integers in the byte orders of our formats. */
void put_le32(unsigned char out[4], uint32_t v);
uint32_t get_le32(const unsigned char in[4]);
void put_be32(unsigned char out[4], uint32_t v);
uint32_t get_be32(const unsigned char in[4]);

#endif
