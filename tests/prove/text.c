/* Text that is looked through eight bytes at a time, and UTF-8: as by the rules, byte by byte. */
#include "prove/prove.h"

#include "base/utf8.h"

void proof_printable_by_eight(void)
{
    enum { MOST = 18 };
    char text[MOST];
    const size_t len = any_size(MOST);
    size_t run = 0;
    while (run < len && text[run] >= ' ' && text[run] <= '~')
        run++;
    HOLDS(utf8_printable((struct slice){text, len}) == run);
}

/* Each code point has one form, and no other bytes are one (RFC 3629: no longer forms, no surrogates, up to U+10FFFF). */
void proof_utf8_has_one_form(void)
{
    char text[4];
    const size_t len = 1 + any_size(3);
    size_t used = 0;
    struct str out = STR_INIT;
    const uint32_t cp = utf8_next((struct slice){text, len}, &used);
    HOLDS(used >= 1 && used <= len);
    if (cp == UTF8_BAD) {
        HOLDS(used == 1);
    } else {
        HOLDS(cp <= 0x10FFFF && !(cp >= 0xD800 && cp <= 0xDFFF));
        utf8_put(&out, cp);
        HOLDS(out.len == used);
        for (size_t i = 0; i < used; i++)
            HOLDS(out.p[i] == text[i]);
    }
    str_release(&out);
}

void proof_code_points_are_read_again(void)
{
    const uint32_t cp = (uint32_t)any_int(0, 0x10FFFF);
    ASSUME(cp < 0xD800 || cp > 0xDFFF);
    size_t used = 0;
    struct str out = STR_INIT;
    utf8_put(&out, cp);
    HOLDS(utf8_next(slice_str(&out), &used) == cp && used == out.len);
    str_release(&out);
}

/* A text is cut at the beginning of a character, and never at more than so many bytes. */
void proof_cut_before_a_character(void)
{
    char text[6];
    const size_t len = any_size(sizeof text), most = any_size(sizeof text);
    const struct slice cut = utf8_start((struct slice){text, len}, most);
    HOLDS(cut.len <= len && (len <= most ? cut.len == len : cut.len <= most));
    HOLDS(cut.len == len || cut.len == 0 || ((unsigned char)text[cut.len] & 0xC0) != 0x80);
}
