#include "trust/canon.h"

#include <stdbool.h>

#include "base/utf8.h"
#include "trust/glyph.h"

/* How many bytes are kept as they are, unless they are the first ones of a line: '!' to '~'. */
static size_t dark(struct slice text)
{
    size_t n = 0;
    while (n < text.len && text.p[n] > ' ' && text.p[n] < 0x7F)
        n++;
    return n;
}

struct canon {
    struct str *out;
    bool line;  /* something of the current line was written */
    bool blank; /* a space is due before the next character */
};

static void put(struct canon *canon, struct slice bytes)
{
    if (canon->blank)
        str_addc(canon->out, ' ');
    str_addslice(canon->out, bytes);
    canon->line = true;
    canon->blank = false;
}

static void put_glyph(struct canon *canon, const struct glyph *g, struct slice bytes)
{
    if (g->kind == GLYPH_LINE) {
        if (canon->line)
            str_addc(canon->out, '\n');
        canon->line = canon->blank = false;
    } else if (g->kind == GLYPH_BLANK) {
        canon->blank = canon->line;
    } else if (g->kind != GLYPH_DROP && (canon->line || g->cp != '>')) {
        put(canon, g->cp == UTF8_BAD ? slice_of("\xEF\xBF\xBD")
                   : g->ascii        ? (struct slice){&g->ascii, 1}
                                     : bytes);
    }
}

void canon_text(struct str *out, struct slice text)
{
    struct canon canon = {out, false, false};
    str_reserve(out, text.len + 1);
    while (text.len) {
        size_t used = canon.line || text.p[0] != '>' ? dark(text) : 0;
        if (used) {
            put(&canon, slice_sub(text, 0, used));
        } else {
            struct glyph g = glyph_at(text);
            used = g.len;
            put_glyph(&canon, &g, slice_sub(text, 0, used));
        }
        text = slice_sub(text, used, text.len);
    }
    if (canon.line)
        str_addc(out, '\n');
}
