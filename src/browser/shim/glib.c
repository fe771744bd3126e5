/* UTF-8 (shim/glib.h). */
#include "glib.h"

static const char lengths[256] = {
    [0x00 ... 0xC1] = 1, [0xC2 ... 0xDF] = 2, [0xE0 ... 0xEF] = 3, [0xF0 ... 0xF4] = 4, [0xF5 ... 0xFF] = 1};
const char *const g_utf8_skip = lengths;

gunichar g_utf8_get_char_validated(const char *bytes, gssize most)
{
    static const gunichar least[] = {0, 0, 0x80, 0x800, 0x10000};
    const unsigned char *in = (const unsigned char *)bytes;
    const int len = (unsigned char)lengths[in[0]];
    gunichar c = len == 1 ? in[0] : in[0] & (0x7FU >> len);
    if (len == 1)
        return in[0] < 0x80 ? c : (gunichar)-1;
    for (int i = 1; i < len; i++) {
        if (i >= most || (in[i] & 0xC0) != 0x80)
            return (gunichar)-1;
        c = c << 6 | (in[i] & 0x3FU);
    }
    return c < least[len] || c > 0x10FFFF || (c >= 0xD800 && c <= 0xDFFF) ? (gunichar)-1 : c;
}

int g_unichar_to_utf8(gunichar c, char *out)
{
    static const unsigned char first[] = {0, 0, 0xC0, 0xE0, 0xF0};
    const int len = c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
    for (int i = len - 1; i > 0; i--, c >>= 6)
        out[i] = (char)(0x80 | (c & 0x3F));
    out[0] = (char)(first[len - (len == 1)] * (len > 1) | c);
    return len;
}
