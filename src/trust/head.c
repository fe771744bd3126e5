#include "trust/head.h"

#include <stdio.h>
#include <string.h>

#include "base/encode.h"
#include "trust/glyph.h"

#define SIG_BEGIN "-----BEGIN SSH SIGNATURE-----"
#define SIG_END   "-----END SSH SIGNATURE-----"

#define NUMBER_LONGEST 10 /* digits */

static bool read_number(struct slice digits, int64_t *number)
{
    *number = 0;
    if (!digits.len || digits.len > NUMBER_LONGEST || digits.p[0] == '0')
        return false;
    for (size_t i = 0; i < digits.len; i++) {
        if (digits.p[i] < '0' || digits.p[i] > '9')
            return false;
        *number = *number * 10 + (digits.p[i] - '0');
    }
    return true;
}

/* The line as it was signed. */
static bool read_line(struct slice line, struct head_claim *claim)
{
    struct slice rest = glyph_unquote(line);
    struct slice word[4];
    size_t count = 0;
    while (count < 4 && slice_word(&rest, &word[count]))
        count++;
    if (count != 4 || slice_trim(rest).len || !slice_eq(word[0], "head:") ||
        word[1].len >= sizeof claim->game || !read_number(word[2], &claim->seq) ||
        !hex_decode(claim->head, sizeof claim->head, word[3]))
        return false;
    memcpy(claim->game, word[1].p, word[1].len);
    claim->game[word[1].len] = '\0';
    (void)snprintf(claim->line, sizeof claim->line, "head: %s %lld %.*s\n", claim->game,
                   (long long)claim->seq, (int)word[3].len, word[3].p);
    return true;
}

/* State of the walk over the lines after a head line. */
struct walk {
    bool headed;       /* a head line was read whose signature has not come */
    const char *begin; /* of that signature, NULL = not yet */
};

/* Looks at a line after the head line; true when its signature ends here. */
static bool ends_armor(struct walk *walk, struct slice line, struct slice *armor)
{
    size_t begin = slice_find(line, SIG_BEGIN);
    if (begin != (size_t)-1)
        walk->begin = line.p + begin;
    if (!walk->begin)
        return false;
    const char *from = begin != (size_t)-1 ? walk->begin : line.p;
    size_t end = slice_find((struct slice){from, line.len - (size_t)(from - line.p)}, SIG_END);
    if (end == (size_t)-1)
        return false;
    *armor = (struct slice){walk->begin, (size_t)(from - walk->begin) + end + strlen(SIG_END)};
    return true;
}

bool head_next(struct slice *text, struct head_claim *claim)
{
    struct slice line;
    struct walk walk = {false, NULL};
    while (slice_line(text, &line)) {
        if (slice_starts(glyph_unquote(line), "head:"))
            walk = (struct walk){read_line(line, claim), NULL};
        else if (walk.headed && ends_armor(&walk, line, &claim->armor))
            return true;
    }
    return false;
}
