#include "base/utf8.h"

#include "base/eight.h"

static bool is_tail(char c)
{
    return ((unsigned char)c & 0xC0) == 0x80;
}

uint32_t utf8_next(struct slice s, size_t *len)
{
    unsigned char c = (unsigned char)s.p[0];
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    const size_t bytes = c < 0xC2 || c > 0xF4 ? 1 : c < 0xE0 ? 2 : c < 0xF0 ? 3 : 4;
    *len = 1;
    if (c < 0x80)
        return c;
    if (bytes == 1 || bytes > s.len)
        return UTF8_BAD;
    uint32_t cp = c & (0x7FU >> bytes);
    for (size_t i = 1; i < bytes; i++) {
        if (!is_tail(s.p[i]))
            return UTF8_BAD;
        cp = cp << 6 | ((unsigned char)s.p[i] & 0x3F);
    }
    if (cp < least[bytes] || cp > 0x10FFFF || (cp >= 0xD800 && cp <= 0xDFFF))
        return UTF8_BAD;
    *len = bytes;
    return cp;
}

void utf8_put(struct str *out, uint32_t cp)
{
    static const unsigned char first[] = {0, 0, 0xC0, 0xE0, 0xF0};
    const size_t len = cp < 0x80 ? 1 : cp < 0x800 ? 2 : cp < 0x10000 ? 3 : 4;
    char bytes[4] = {(char)cp};
    for (size_t i = len - 1; i > 0; i--, cp >>= 6)
        bytes[i] = (char)(0x80 | (cp & 0x3F));
    if (len > 1)
        bytes[0] = (char)(first[len] | cp);
    str_add(out, bytes, len);
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

/* How terminals show them; the rest takes one column, as does what is invalid. No verdict follows from it: it breaks lines. */
static const struct {
    uint32_t from, to, columns;
} widths[] = {{0xAD, 0xAD, 0},       {0x300, 0x36F, 0},     {0x483, 0x489, 0},     {0x591, 0x5BD, 0},
              {0x5BF, 0x5BF, 0},     {0x5C1, 0x5C2, 0},     {0x5C4, 0x5C5, 0},     {0x610, 0x61A, 0},
              {0x64B, 0x65F, 0},     {0x670, 0x670, 0},     {0x6D6, 0x6DC, 0},     {0x6DF, 0x6E4, 0},
              {0x6E7, 0x6E8, 0},     {0x6EA, 0x6ED, 0},     {0x900, 0x902, 0},     {0x93C, 0x93C, 0},
              {0x941, 0x948, 0},     {0x94D, 0x94D, 0},     {0xE31, 0xE31, 0},     {0xE34, 0xE3A, 0},
              {0xE47, 0xE4E, 0},     {0x1100, 0x115F, 2},   {0x1160, 0x11FF, 0},   {0x1AB0, 0x1AFF, 0},
              {0x1DC0, 0x1DFF, 0},   {0x200B, 0x200F, 0},   {0x202A, 0x202E, 0},   {0x2060, 0x2064, 0},
              {0x20D0, 0x20F0, 0},   {0x231A, 0x231B, 2},   {0x2614, 0x2615, 2},   {0x26A1, 0x26A1, 2},
              {0x2705, 0x2705, 2},   {0x274C, 0x274C, 2},   {0x2753, 0x2757, 2},   {0x2B50, 0x2B50, 2},
              {0x2E80, 0x3029, 2},   {0x302A, 0x302D, 0},   {0x302E, 0x303E, 2},   {0x3041, 0x3098, 2},
              {0x3099, 0x309A, 0},   {0x309B, 0xA4CF, 2},   {0xA960, 0xA97F, 2},   {0xAC00, 0xD7A3, 2},
              {0xF900, 0xFAFF, 2},   {0xFE00, 0xFE0F, 0},   {0xFE20, 0xFE2F, 0},   {0xFE30, 0xFE6F, 2},
              {0xFEFF, 0xFEFF, 0},   {0xFF00, 0xFF60, 2},   {0xFFE0, 0xFFE6, 2},   {0x1F300, 0x1F64F, 2},
              {0x1F680, 0x1F6FF, 2}, {0x1F900, 0x1F9FF, 2}, {0x1FA70, 0x1FAFF, 2}, {0x20000, 0x3FFFD, 2},
              {0xE0001, 0xE01EF, 0}};

static size_t columns(uint32_t cp)
{
    size_t low = 0, high = sizeof widths / sizeof *widths;
    while (low < high) {
        const size_t middle = (low + high) / 2;
        if (cp > widths[middle].to)
            low = middle + 1;
        else
            high = middle;
    }
    return low < sizeof widths / sizeof *widths && cp >= widths[low].from ? widths[low].columns : 1;
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
