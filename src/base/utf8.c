#include "base/utf8.h"

#include <glib.h>

#include "base/eight.h"

static bool is_tail(char c)
{
    return ((unsigned char)c & 0xC0) == 0x80;
}

uint32_t utf8_next(struct slice s, size_t *len)
{
    unsigned char c = (unsigned char)s.p[0];
    *len = 1;
    if (c < 0x80)
        return c;
    gunichar cp = g_utf8_get_char_validated(s.p, (gssize)s.len);
    if (cp == (gunichar)-1 || cp == (gunichar)-2) /* wrong; cut short */
        return UTF8_BAD;
    *len = (size_t)g_utf8_skip[c];
    return cp;
}

void utf8_put(struct str *out, uint32_t cp)
{
    char bytes[6];
    int len = g_unichar_to_utf8(cp, bytes);
    str_add(out, bytes, (size_t)len);
}

size_t utf8_printable(struct slice s)
{
    return eight_run(s, eight_unprintable);
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

/* What is invalid is shown as one replacement character. */
static size_t columns(uint32_t cp)
{
    if (cp == UTF8_BAD)
        return 1;
    if (g_unichar_iszerowidth(cp))
        return 0;
    return g_unichar_iswide(cp) ? 2 : 1;
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
        width += columns(cp);
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

const char *utf8_plain(uint32_t cp)
{
    /* of U+00C0 to U+017F the first letter; those with two */
    static const char first[] = "aaaaaaaceeeeiiiidnooooo ouuuuytsaaaaaaaceeeeiiiidnooooo ouuuuyty"
                                "aaaaaaccccccccddddeeeeeeeeeegggggggghhhhiiiiiiiiiiiijjkkklllllll"
                                "lllnnnnnnnnnoooooooorrrrrrssssssssttttttuuuuuuuuuuuuwwyyyzzzzzzs";
    static const struct {
        uint32_t cp;
        const char *letters;
    } two[] = {{0xC4, "ae"},  {0xC5, "aa"},  {0xC6, "ae"},  {0xD6, "oe"}, {0xD8, "oe"},
               {0xDC, "ue"},  {0xDE, "th"},  {0xDF, "ss"},  {0xE4, "ae"}, {0xE5, "aa"},
               {0xE6, "ae"},  {0xF6, "oe"},  {0xF8, "oe"},  {0xFC, "ue"}, {0xFE, "th"},
               {0x132, "ij"}, {0x133, "ij"}, {0x152, "oe"}, {0x153, "oe"}};
    static const char letters[] =
        "a\0b\0c\0d\0e\0f\0g\0h\0i\0j\0k\0l\0m\0n\0o\0p\0q\0r\0s\0t\0u\0v\0w\0x\0y\0z";
    for (size_t i = 0; i < sizeof two / sizeof *two; i++)
        if (two[i].cp == cp)
            return two[i].letters;
    bool known = cp >= 0xC0 && cp < 0x180 && first[cp - 0xC0] != ' ';
    return known ? &letters[2 * (size_t)(first[cp - 0xC0] - 'a')] : "";
}
