/* From the bytes of a text part to what a reader sees. Private to mail/. All linear in the size of the text.
 */
#ifndef MAIL_TEXT_H
#define MAIL_TEXT_H

#include <iconv.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/str.h"

/* Appends `bytes` as UTF-8 with LF line ends, without a byte order mark; NULs become U+FFFD. `charset` is the
 * label, or NULL. Only charsets of the table in text.c are decoded (with the supersets that mail programs
 * mean by them). Any other label, and one that does not fit the bytes, counts as unknown: UTF-8 if it is
 * valid, else windows-1252. UTF-16 is known by its mark. */
void text_decode(struct str *out, struct slice bytes, const char *charset);

/* The same repeatedly, for fields whose words each have a charset: opening a converter costs as much as
 * converting thousands of bytes. Empty, {.count = 0}, at first; charsets beyond that number count as unknown.
 */
#define TEXT_CHARSETS 4
struct text_decoder {
    const char *name[TEXT_CHARSETS]; /* of the table in text.c */
    iconv_t cd[TEXT_CHARSETS];
    size_t count;
};
void text_decode_with(struct text_decoder *decoder, struct str *out, struct slice bytes, const char *charset);
void text_decoder_release(struct text_decoder *decoder);

/* Appends the text with format=flowed undone (RFC 3676): un-stuffed, flowed lines joined, quote marks written
 * as one "> " for each level. `text` has LF line ends. */
void text_unflow(struct str *out, struct slice text, bool delsp);

/* Appends the text of an HTML page as a reader sees it: block elements and <br> make line ends, spaces are
 * folded outside <pre>, character references are decoded (nbsp is U+00A0), scripts, styles and comments are
 * dropped. */
void html_reduce(struct str *out, struct slice html);

/* The same for somebody who looks at the markup as well: `tag` is called for each opening tag, `end` for each closing
 * one, `dropped` with what is within <script>, <style> and <title>. Names are in lower case, at most 11 letters of them;
 * `at` is the length of `out` then. */
struct html_watch {
    void (*tag)(void *arg, struct slice name, struct slice attributes, size_t at);
    void (*end)(void *arg, struct slice name, size_t at);
    void (*dropped)(void *arg, struct slice name, struct slice content, size_t at);
    void *arg;
};
void html_reduce_watched(struct str *out, struct slice html, const struct html_watch *watch);

/* The code point of a byte of windows-1252, U+FFFD for the five that are undefined. */
uint32_t text_cp1252(unsigned char byte);

/* True for text that calls itself HTML by its first tag. */
bool html_sniff(struct slice text);

#endif
