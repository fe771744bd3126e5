/* What the files that read typed lines do with one. */
#include <stdlib.h>
#include <string.h>

#include "orders/typed_parts.h"

/* Without the signs at its end that mean nothing. */
struct slice typed_bare(struct slice line)
{
    while (line.len && strchr(".,!", line.p[line.len - 1]))
        line = slice_trim(slice_sub(line, 0, line.len - 1));
    return line;
}

/* Cuts off a bullet, or a "please". */
struct slice typed_unbulleted(struct slice line)
{
    static const char *const bullets[] = {"- ", "* ", "\xE2\x80\xA2 ", "\xE2\x80\x93 ", "please "};
    for (size_t i = 0; i < sizeof bullets / sizeof *bullets; i++)
        if (slice_casestarts(line, bullets[i]))
            return slice_sub(line, strlen(bullets[i]), line.len);
    return line;
}

void typed_unread(struct typed_line *line, enum typed_doubt doubt)
{
    line->is = TYPED_IS_UNREAD;
    line->doubt = doubt;
    line->asks = false;
}

bool typed_among(struct slice word, const char *const *list)
{
    for (; *list; list++)
        if (slice_caseeq(word, *list))
            return true;
    return false;
}

/* From here on the line is understood as this text, and asked about. `mended` is owned by it. */
void typed_is_meant(struct typed_line *line, char *mended, enum typed_doubt doubt)
{
    free(line->mended);
    line->mended = mended;
    line->text = slice_of(mended);
    line->doubt = doubt;
}
