#include "base/utf8.h"

#include <endian.h>
#include <string.h>

static bool is_tail(char c)
{
    return ((unsigned char)c & 0xC0) == 0x80;
}

uint32_t utf8_next(struct slice s, size_t *len)
{
    static const uint32_t least[5] = {0, 0, 0x80, 0x800, 0x10000};
    unsigned char c = (unsigned char)s.p[0];
    size_t n;
    uint32_t cp;
    *len = 1;
    if (c < 0x80)
        return c;
    if (c >= 0xC2 && c <= 0xDF) {
        n = 2;
        cp = c & 0x1FU;
    } else if (c >= 0xE0 && c <= 0xEF) {
        n = 3;
        cp = c & 0x0FU;
    } else if (c >= 0xF0 && c <= 0xF4) {
        n = 4;
        cp = c & 0x07U;
    } else {
        return UTF8_BAD;
    }
    if (s.len < n)
        return UTF8_BAD;
    for (size_t i = 1; i < n; i++) {
        if (!is_tail(s.p[i]))
            return UTF8_BAD;
        cp = cp << 6 | ((unsigned char)s.p[i] & 0x3FU);
    }
    if (cp < least[n] || cp > 0x10FFFF || (cp >= 0xD800 && cp <= 0xDFFF))
        return UTF8_BAD;
    *len = n;
    return cp;
}

void utf8_put(struct str *out, uint32_t cp)
{
    if (cp < 0x80) {
        str_addc(out, (char)cp);
    } else if (cp < 0x800) {
        str_addc(out, (char)(0xC0 | cp >> 6));
        str_addc(out, (char)(0x80 | (cp & 0x3F)));
    } else if (cp < 0x10000) {
        str_addc(out, (char)(0xE0 | cp >> 12));
        str_addc(out, (char)(0x80 | (cp >> 6 & 0x3F)));
        str_addc(out, (char)(0x80 | (cp & 0x3F)));
    } else {
        str_addc(out, (char)(0xF0 | cp >> 18));
        str_addc(out, (char)(0x80 | (cp >> 12 & 0x3F)));
        str_addc(out, (char)(0x80 | (cp >> 6 & 0x3F)));
        str_addc(out, (char)(0x80 | (cp & 0x3F)));
    }
}

/* Marks (the top bits of) those of eight bytes that are not printable ASCII; the first in memory is the
 * lowest. A borrow or carry spoils only marks above a right one. */
static uint64_t odd_bytes(const char *text)
{
    const uint64_t ones = 0x0101010101010101ULL, tops = 0x8080808080808080ULL;
    uint64_t word;
    memcpy(&word, text, sizeof word);
    word = le64toh(word);
    return (word | (word - ones * ' ') | (word + ones)) & tops;
}

static size_t first_of(uint64_t marks)
{
    return (size_t)__builtin_ctzll(marks) / 8;
}

size_t utf8_printable(struct slice s)
{
    size_t at = 0;
    for (; at + 8 <= s.len; at += 8) {
        uint64_t odd = odd_bytes(s.p + at);
        if (odd)
            return at + first_of(odd);
    }
    if (s.len >= 8 && at < s.len) { /* the last eight again, without those that were looked at */
        uint64_t odd = odd_bytes(s.p + s.len - 8) >> 8 * (at + 8 - s.len);
        return odd ? at + first_of(odd) : s.len;
    }
    while (at < s.len && s.p[at] >= ' ' && s.p[at] < 0x7F)
        at++;
    return at;
}

struct slice utf8_start(struct slice s, size_t most)
{
    if (s.len <= most)
        return s;
    while (most && is_tail(s.p[most]))
        most--;
    return slice_sub(s, 0, most);
}

bool utf8_valid(struct slice s)
{
    for (;;) {
        size_t len = utf8_printable(s);
        s = slice_sub(s, len, s.len);
        if (!s.len)
            return true;
        uint32_t cp = utf8_next(s, &len);
        if (cp == UTF8_BAD || cp == 0)
            return false;
        s = slice_sub(s, len, s.len);
    }
}

static bool is_unsafe(uint32_t cp)
{
    return cp == UTF8_BAD || cp < 0x20 || (cp >= 0x7F && cp < 0xA0) || cp == 0xAD || cp == 0x061C ||
           (cp >= 0x200B && cp <= 0x200F) || (cp >= 0x2028 && cp <= 0x202E) ||
           (cp >= 0x2060 && cp <= 0x206F) || cp == 0xFEFF || (cp >= 0xFFF0 && cp <= 0xFFFB) ||
           (cp >= 0xE0000 && cp <= 0xE0FFF);
}

void utf8_safe(struct str *out, struct slice s, bool lines)
{
    for (;;) {
        size_t len = utf8_printable(s);
        str_add(out, s.p, len);
        s = slice_sub(s, len, s.len);
        if (!s.len)
            return;
        uint32_t cp = utf8_next(s, &len);
        if (cp == '\n' && lines)
            str_addc(out, '\n');
        else if (cp == '\t' || cp == '\n')
            str_addc(out, ' ');
        else if (is_unsafe(cp))
            utf8_put(out, 0xFFFD);
        else
            str_add(out, s.p, len);
        s = slice_sub(s, len, s.len);
    }
}

static bool is_wide(uint32_t cp)
{
    return (cp >= 0x1100 && cp <= 0x115F) || (cp >= 0x2E80 && cp <= 0xA4CF) ||
           (cp >= 0xAC00 && cp <= 0xD7A3) || (cp >= 0xF900 && cp <= 0xFAFF) ||
           (cp >= 0xFE30 && cp <= 0xFE6F) || (cp >= 0xFF00 && cp <= 0xFF60) ||
           (cp >= 0x1F300 && cp <= 0x1FAFF) || (cp >= 0x20000 && cp <= 0x3FFFD);
}

size_t utf8_width(struct slice s)
{
    size_t width = 0;
    while (s.len) {
        size_t len = utf8_printable(s);
        width += len;
        s = slice_sub(s, len, s.len);
        if (!s.len)
            break;
        uint32_t cp = utf8_next(s, &len);
        bool combining = cp != UTF8_BAD && cp >= 0x300 && cp <= 0x36F;
        if (!combining)
            width += cp != UTF8_BAD && is_wide(cp) ? 2 : 1;
        s = slice_sub(s, len, s.len);
    }
    return width;
}

void utf8_cut(struct str *text, size_t max)
{
    if (text->len <= max)
        return;
    while (max && ((unsigned char)text->p[max] & 0xC0) == 0x80)
        max--;
    str_cut(text, max);
    str_trim(text);
}
