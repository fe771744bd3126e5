#include "trust/glyph.h"

#include "base/utf8.h"

static char quote_of(uint32_t cp)
{
    if ((cp >= 0x2018 && cp <= 0x201B) || cp == 0x2032 || cp == 0x2039 || cp == 0x203A)
        return '\'';
    if ((cp >= 0x201C && cp <= 0x201F) || cp == 0x2033 || cp == 0xAB || cp == 0xBB)
        return '"';
    return 0;
}

struct glyph glyph_at(struct slice text)
{
    struct glyph g = {GLYPH_OTHER, 1, 0, 0};
    g.cp = utf8_next(text, &g.len);
    if (g.cp == '\n') {
        g.kind = GLYPH_LINE;
    } else if (g.cp == '\r' || g.cp == 0xFEFF || g.cp == 0x200B) {
        g.kind = GLYPH_DROP;
    } else if (g.cp == ' ' || g.cp == '\t' || g.cp == 0xA0 || g.cp == 0x2007 || g.cp == 0x202F) {
        g.kind = GLYPH_BLANK;
        g.ascii = ' ';
    } else if ((g.cp >= 0x2010 && g.cp <= 0x2015) || g.cp == 0x2212) {
        g.kind = GLYPH_DASH;
        g.ascii = '-';
    } else if (g.cp >= 0x80 && g.cp != UTF8_BAD && quote_of(g.cp)) {
        g.kind = GLYPH_QUOTE;
        g.ascii = quote_of(g.cp);
    }
    return g;
}

struct slice glyph_unquote(struct slice line)
{
    while (line.len) {
        struct glyph g = glyph_at(line);
        if (g.kind != GLYPH_BLANK && g.kind != GLYPH_DROP && g.cp != '>')
            break;
        line = slice_sub(line, g.len, line.len);
    }
    return line;
}
