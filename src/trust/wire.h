/* The SSH wire encoding (RFC 4251 section 5) as far as keys and signatures need it: byte, big-endian
 * uint32, string. */
#ifndef TRUST_WIRE_H
#define TRUST_WIRE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/str.h"

/* Reads from the front. After the first read past the end `bad` stays set and all reads give zero or
 * empty.
 *
 * */
struct wire {
    struct slice rest;
    bool bad;
};

struct wire wire_of(struct slice bytes);
struct slice wire_bytes(struct wire *wire, size_t len); /* raw */
uint32_t wire_u32(struct wire *wire);
struct slice wire_string(struct wire *wire);
bool wire_end(const struct wire *wire); /* all was read and nothing was bad */

void wire_put_u32(struct str *out, uint32_t v);
void wire_put_string(struct str *out, const void *bytes, size_t len);
void wire_put_text(struct str *out, const char *text);

#endif
