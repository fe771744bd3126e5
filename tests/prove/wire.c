/* SSH's wire encoding: whatever the bytes are, and however they are asked for, nothing outside of them is read; what does not fit is
 * bad from then on; what was written is read again. */
#include "prove/prove.h"

#include "trust/wire.h"

enum { MOST = 12 };

static bool inside(struct slice part, const char *bytes, size_t len)
{
    return part.len == 0 || (part.p >= bytes && part.len <= len && part.p + part.len <= bytes + len);
}

void proof_wire_stays_inside(void)
{
    char bytes[MOST];
    const size_t len = any_size(MOST);
    struct wire wire = wire_of((struct slice){bytes, len});
    for (int i = 0; i < 4; i++) {
        const size_t left = wire.rest.len;
        const bool bad = wire.bad;
        const int how = any_int(0, 2);
        struct slice got = {NULL, 0};
        const size_t want = nondet_size();
        if (how == 0)
            got = wire_bytes(&wire, want);
        else if (how == 1)
            got = wire_string(&wire);
        else if (wire_u32(&wire) && wire.bad)
            HOLDS(false); /* a number is 0 behind the end */
        HOLDS(inside(got, bytes, len) && inside(wire.rest, bytes, len));
        HOLDS(wire.rest.len <= left && (!bad || (wire.bad && got.len == 0)));
        HOLDS(how != 0 || wire.bad == (bad || want > left));
        HOLDS(how != 1 || wire.bad || wire.rest.len == left - 4 - got.len);
    }
    HOLDS(wire_end(&wire) == (!wire.bad && wire.rest.len == 0));
}

void proof_wire_reads_what_it_wrote(void)
{
    char bytes[6];
    const size_t len = any_size(sizeof bytes);
    const uint32_t number = (uint32_t)nondet_int();
    struct str out = STR_INIT;
    wire_put_u32(&out, number);
    wire_put_string(&out, bytes, len);
    struct wire wire = wire_of(slice_str(&out));
    HOLDS(wire_u32(&wire) == number);
    const struct slice got = wire_string(&wire);
    HOLDS(got.len == len && wire_end(&wire));
    for (size_t i = 0; i < len; i++)
        HOLDS(got.p[i] == bytes[i]);
    str_release(&out);
}
