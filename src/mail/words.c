#include "mail/words.h"

#include <string.h>
#include <strings.h>

#include "mail/text.h"
#include "mail/transfer.h"

#define CHARSET_MAX 60

struct word {
    struct slice charset;
    char encoding; /* 'B' or 'Q' */
    struct slice text;
    size_t len; /* of the whole word */
};

/* "=?charset*language?B?text?="; spaces within the text are wrong, and common. */
static bool word_read(struct slice s, struct word *word)
{
    if (!slice_starts(s, "=?"))
        return false;
    struct slice rest = slice_sub(s, 2, s.len);
    size_t len = 0;
    while (len < rest.len && len <= CHARSET_MAX && rest.p[len] > ' ' && rest.p[len] != '?')
        len++;
    if (len == 0 || len + 3 > rest.len || rest.p[len] != '?' || rest.p[len + 2] != '?')
        return false;
    word->charset = slice_sub(rest, 0, len);
    const char *language = memchr(rest.p, '*', len);
    if (language)
        word->charset.len = (size_t)(language - rest.p);
    word->encoding = (char)(rest.p[len + 1] & ~0x20);
    rest = slice_sub(rest, len + 3, rest.len);
    size_t end = slice_find(rest, "?=");
    if (end == (size_t)-1 || !(word->encoding == 'B' || word->encoding == 'Q'))
        return false;
    word->text = slice_sub(rest, 0, end);
    word->len = (size_t)(rest.p - s.p) + end + 2;
    return true;
}

size_t words_at(struct slice text)
{
    struct word word;
    return word_read(text, &word) ? word.len : 0;
}

/* Bytes of one charset, waiting for more of it. */
struct pending {
    struct str bytes;
    struct slice charset; /* empty: none given */
    struct text_decoder decoder;
};

static void flush(struct str *out, struct pending *pending)
{
    char *charset = slice_dup(pending->charset);
    text_decode_with(&pending->decoder, out, slice_str(&pending->bytes), *charset ? charset : NULL);
    free(charset);
    str_clear(&pending->bytes);
}

static bool same_charset(struct slice a, struct slice b)
{
    return a.len == b.len && (a.len == 0 || strncasecmp(a.p, b.p, a.len) == 0);
}

static void switch_to(struct str *out, struct pending *pending, struct slice charset)
{
    if (!same_charset(pending->charset, charset))
        flush(out, pending);
    pending->charset = charset;
}

/* The length of the spaces in front of the next word, 0 when something else follows. */
static size_t gap(struct slice rest)
{
    struct word next;
    size_t len = 0;
    while (len < rest.len && (rest.p[len] == ' ' || rest.p[len] == '\t'))
        len++;
    return word_read(slice_sub(rest, len, rest.len), &next) ? len : 0;
}

void words_decode(struct str *out, struct slice value)
{
    struct pending pending = {.bytes = STR_INIT};
    while (value.len) {
        struct word word;
        if (!word_read(value, &word)) {
            switch_to(out, &pending, (struct slice){NULL, 0});
            str_addc(&pending.bytes, value.p[0]);
            value = slice_sub(value, 1, value.len);
            continue;
        }
        switch_to(out, &pending, word.charset);
        if (word.encoding == 'B')
            transfer_from_base64(&pending.bytes, word.text);
        else
            transfer_from_word(&pending.bytes, word.text);
        value = slice_sub(value, word.len, value.len);
        value = slice_sub(value, gap(value), value.len);
    }
    flush(out, &pending);
    text_decoder_release(&pending.decoder);
    str_release(&pending.bytes);
}
