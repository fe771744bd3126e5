#include "trust/headline.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "trust/glyph.h"

#define SIG_BEGIN "-----BEGIN SSH SIGNATURE-----"
#define SIG_END   "-----END SSH SIGNATURE-----"

/* "head: GAME SEQ HEX64" */
static bool read_line(struct slice line, struct headline *head)
{
    struct slice rest = glyph_unquote(line);
    struct slice word[4];
    size_t count = 0;
    while (count < 4 && slice_word(&rest, &word[count]))
        count++;
    if (count != 4 || slice_trim(rest).len || !slice_eq(word[0], "head:") || word[1].len >= HEADLINE_GAME ||
        word[2].len > 10 || word[3].len != 64)
        return false;
    (void)snprintf(head->game, sizeof head->game, "%.*s", (int)word[1].len, word[1].p);
    (void)snprintf(head->hex, sizeof head->hex, "%.*s", (int)word[3].len, word[3].p);
    (void)snprintf(head->text, sizeof head->text, "head: %s %.*s %s\n", head->game, (int)word[2].len,
                   word[2].p, head->hex);
    head->seq = strtoll(head->text + strlen("head: ") + strlen(head->game), NULL, 10);
    return true;
}

/* The first signature block behind a head line, before any other such line. */
static bool find_block(struct slice rest, struct slice *block)
{
    size_t begin = slice_find(rest, SIG_BEGIN);
    size_t other = slice_find(rest, "\nhead: ");
    if (begin == (size_t)-1 || (other != (size_t)-1 && other < begin))
        return false;
    *block = slice_sub(rest, begin, rest.len);
    size_t end = slice_find(*block, SIG_END);
    if (end == (size_t)-1)
        return false;
    *block = slice_sub(*block, 0, end + strlen(SIG_END));
    return true;
}

bool headline_next(struct slice *text, struct headline *head)
{
    struct slice line;
    while (slice_line(text, &line))
        if (read_line(line, head) && find_block(*text, &head->block))
            return true;
    return false;
}
