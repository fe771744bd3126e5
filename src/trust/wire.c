#include "trust/wire.h"

#include <assert.h>
#include <string.h>

#include "base/encode.h"

struct wire wire_of(struct slice bytes)
{
    return (struct wire){bytes, false};
}

struct slice wire_bytes(struct wire *wire, size_t len)
{
    struct slice got = {NULL, 0};
    if (wire->bad || wire->rest.len < len) {
        wire->bad = true;
        return got;
    }
    got = slice_sub(wire->rest, 0, len);
    wire->rest = slice_sub(wire->rest, len, wire->rest.len);
    return got;
}

uint32_t wire_u32(struct wire *wire)
{
    unsigned char be[4] = {0};
    struct slice got = wire_bytes(wire, 4);
    if (got.len)
        memcpy(be, got.p, 4);
    return get_be32(be);
}

struct slice wire_string(struct wire *wire)
{
    return wire_bytes(wire, wire_u32(wire));
}

bool wire_end(const struct wire *wire)
{
    return !wire->bad && wire->rest.len == 0;
}

void wire_put_u32(struct str *out, uint32_t v)
{
    unsigned char be[4];
    put_be32(be, v);
    str_add(out, be, sizeof be);
}

void wire_put_string(struct str *out, const void *bytes, size_t len)
{
    assert(len <= UINT32_MAX);
    wire_put_u32(out, (uint32_t)len);
    str_add(out, bytes, len);
}

void wire_put_text(struct str *out, const char *text)
{
    wire_put_string(out, text, strlen(text));
}
