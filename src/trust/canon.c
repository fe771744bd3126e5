#include "trust/canon.h"

#include <stdbool.h>

#include "base/utf8.h"
#include "trust/glyph.h"

/* How many bytes stand for themselves, if they are not the first ones of a line: '!' to '~'. */
static size_t dark(struct slice text)
{
    size_t n = 0;
    while (n < text.len && text.p[n] > ' ' && text.p[n] < 0x7F)
        n++;
    return n;
}

void canon_text(struct str *out, struct slice text)
{
    bool line = false;  /* something of the current line was written */
    bool blank = false; /* a blank is owed before the next character */
    str_reserve(out, text.len + 1);
    while (text.len) {
        size_t plain = line || text.p[0] != '>' ? dark(text) : 0;
        if (plain) {
            if (blank)
                str_addc(out, ' ');
            str_add(out, text.p, plain);
            text = slice_sub(text, plain, text.len);
            line = true;
            blank = false;
            continue;
        }
        struct glyph g = glyph_at(text);
        struct slice bytes = g.ascii ? (struct slice){&g.ascii, 1} : slice_sub(text, 0, g.len);
        if (g.cp == UTF8_BAD)
            bytes = slice_of("\xEF\xBF\xBD");
        text = slice_sub(text, g.len, text.len);
        if (g.kind == GLYPH_LINE) {
            if (line)
                str_addc(out, '\n');
            line = blank = false;
        } else if (g.kind == GLYPH_BLANK) {
            blank = line;
        } else if (g.kind != GLYPH_DROP && (line || g.cp != '>')) {
            if (blank)
                str_addc(out, ' ');
            str_addslice(out, bytes);
            line = true;
            blank = false;
        }
    }
    if (line)
        str_addc(out, '\n');
}
