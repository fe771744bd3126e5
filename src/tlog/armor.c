#include "tlog/armor.h"

#include <ctype.h>
#include <string.h>

#include "base/encode.h"

#define LINE 64
#define GAP  24 /* bytes at most between the words of such a line: blanks, quoting, a line end */

void armored_write(struct str *out, const char *what, struct slice bytes)
{
    struct str text = STR_INIT;
    base64_encode(&text, bytes.p, bytes.len);
    str_addf(out, "-----BEGIN TURNPOST %s-----\n", what);
    for (size_t at = 0; at < text.len; at += LINE) {
        str_addslice(out, slice_sub(slice_str(&text), at, LINE));
        str_addc(out, '\n');
    }
    str_addf(out, "-----END TURNPOST %s-----\n", what);
    str_release(&text);
}

static bool is_word(char c)
{
    return isalnum((unsigned char)c);
}

/* Cuts a word and the gap before it, which has to be there, off `*s`. */
static bool gap_and_word(struct slice *s, const char *word)
{
    size_t gap = 0, len = strlen(word);
    while (gap < s->len && gap <= GAP && !is_word(s->p[gap]))
        gap++;
    struct slice rest = slice_sub(*s, gap, s->len);
    if (!gap || gap > GAP || !slice_starts(rest, word) || (rest.len > len && is_word(rest.p[len])))
        return false;
    *s = slice_sub(rest, len, rest.len);
    return true;
}

/* Where the line with "BEGIN" or "END" begins, or (size_t)-1; what follows its words goes into `after`. */
static size_t find_line(struct slice s, const char *first, const char *what, struct slice *after)
{
    for (size_t from = 0;;) {
        size_t at = slice_find(slice_sub(s, from, s.len), first);
        if (at == (size_t)-1)
            return at;
        at += from;
        from = at + strlen(first);
        *after = slice_sub(s, from, s.len);
        if ((at == 0 || !is_word(s.p[at - 1])) && gap_and_word(after, "TURNPOST") &&
            gap_and_word(after, what))
            return at;
    }
}

enum armored armored_next(struct slice *rest, const char *what, struct str *out, struct err *err)
{
    struct slice inside, after, next;
    str_clear(out);
    if (find_line(*rest, "BEGIN", what, &inside) == (size_t)-1) {
        *rest = slice_sub(*rest, rest->len, 0);
        return ARMORED_NONE;
    }
    /* The next one is looked for first, so that a body full of them is read but twice. */
    size_t again = find_line(inside, "BEGIN", what, &next);
    struct slice until = slice_sub(inside, 0, again == (size_t)-1 ? inside.len : again);
    size_t end = find_line(until, "END", what, &after);
    if (end == (size_t)-1) {
        *rest = slice_sub(inside, until.len, inside.len);
        err_set(err, ERR_INPUT, "a block BEGIN TURNPOST %s has no end", what);
        return ARMORED_DAMAGED;
    }
    *rest = slice_sub(inside, (size_t)(after.p - inside.p), inside.len);
    until = slice_sub(until, 0, end);
    struct str text = STR_INIT;
    str_reserve(&text, until.len);
    for (size_t i = 0; i < until.len; i++)
        if (is_word(until.p[i]) || until.p[i] == '+' || until.p[i] == '/' || until.p[i] == '=')
            str_addc(&text, until.p[i]);
    bool good = text.len && base64_decode(out, slice_str(&text));
    str_release(&text);
    if (good)
        return ARMORED_GOOD;
    err_set(err, ERR_INPUT, "a block BEGIN TURNPOST %s has been changed on its way: it is no base64", what);
    return ARMORED_DAMAGED;
}
