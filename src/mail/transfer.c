#include "mail/transfer.h"

#include <stdint.h>
#include <string.h>

#include "base/eight.h"
#include "base/encode.h"
#include "base/utf8.h"

#define LINE_7BIT   78
#define LINE_QUOTED 75 /* and the "=" of a soft line break */
#define LINE_BASE64 76

/* Printable ASCII and TABs. */
static bool is_plain(struct slice line)
{
    for (;;) {
        line = slice_sub(line, utf8_printable(line), line.len);
        if (!line.len)
            return true;
        if (line.p[0] != '\t')
            return false;
        line = slice_sub(line, 1, line.len);
    }
}

bool transfer_is_7bit(struct slice text)
{
    while (text.len) {
        const char *end = memchr(text.p, '\n', text.len);
        size_t len = end ? (size_t)(end - text.p) : text.len;
        if (len > LINE_7BIT || !is_plain(slice_sub(text, 0, len)))
            return false;
        text = slice_sub(text, end ? len + 1 : len, text.len);
    }
    return true;
}

bool transfer_is_robust(struct slice text)
{
    struct slice line;
    while (slice_line(&text, &line))
        if (slice_starts(line, "From ") || (line.len && strchr(" \t", line.p[line.len - 1])))
            return false;
    return true;
}

void transfer_crlf(struct str *out, struct slice text)
{
    str_reserve(out, text.len + text.len / 32);
    while (text.len) {
        const char *end = memchr(text.p, '\n', text.len);
        size_t len = end ? (size_t)(end - text.p) : text.len;
        str_add(out, text.p, len);
        if (end)
            str_adds(out, "\r\n");
        text = slice_sub(text, end ? len + 1 : len, text.len);
    }
}

/* True when the byte at `i` may be written as it is; `col` is its column. */
static bool is_literal(struct slice line, size_t i, size_t col)
{
    char c = line.p[i];
    if (c == ' ' || c == '\t')
        return i + 1 < line.len;
    if (col == 0 && (c == '.' || (c == 'F' && slice_starts(slice_sub(line, i, line.len), "From "))))
        return false; /* SMTP and mbox change lines that begin like this */
    return c > ' ' && c < 0x7F && c != '=';
}

/* Marks bytes that are written in another way, for eight_run. */
static inline uint64_t quoted_bytes(uint64_t bytes)
{
    return eight_unprintable(bytes) | eight_equal(bytes, '=');
}

/* How many bytes from `i` on are written as they are in any column: printable ones up to a "=", but no space
 * at the end. */
static size_t literal_run(struct slice line, size_t i)
{
    struct slice rest = slice_sub(line, i, line.len);
    size_t run = eight_run(rest, quoted_bytes);
    return run && run == rest.len && rest.p[run - 1] == ' ' ? run - 1 : run;
}

/* The whole line may be written as it is. */
static bool line_literal(struct slice line)
{
    if (!line.len)
        return true;
    return line.len <= LINE_QUOTED && line.p[line.len - 1] != ' ' && is_literal(line, 0, 0) &&
           eight_run(line, quoted_bytes) == line.len;
}

static void quote_line(struct str *out, struct slice line)
{
    static const char digits[] = "0123456789ABCDEF";
    size_t col = 0;
    if (line_literal(line)) {
        str_add(out, line.p, line.len);
        return;
    }
    for (size_t i = 0; i < line.len; i++) {
        if (col > 0 && col < LINE_QUOTED) {
            size_t run = literal_run(slice_sub(line, 0, i + LINE_QUOTED - col), i);
            str_add(out, line.p + i, run);
            col += run;
            i += run;
            if (i == line.len)
                return;
        }
        bool literal = is_literal(line, i, col);
        if (col + (literal ? 1 : 3) > LINE_QUOTED) {
            str_adds(out, "=\r\n");
            col = 0;
            literal = is_literal(line, i, col);
        }
        unsigned char c = (unsigned char)line.p[i];
        if (literal)
            str_addc(out, line.p[i]);
        else
            str_add(out, (const char[]){'=', digits[c >> 4], digits[c & 15]}, 3);
        col += literal ? 1 : 3;
    }
}

void transfer_quoted(struct str *out, struct slice text)
{
    while (text.len) {
        const char *end = memchr(text.p, '\n', text.len);
        size_t len = end ? (size_t)(end - text.p) : text.len;
        quote_line(out, slice_sub(text, 0, len));
        if (end)
            str_adds(out, "\r\n");
        text = slice_sub(text, end ? len + 1 : len, text.len);
    }
}

void transfer_base64(struct str *out, struct slice bytes)
{
    const size_t step = (size_t)LINE_BASE64 / 4 * 3;
    for (size_t at = 0; at < bytes.len; at += step) {
        struct slice piece = slice_sub(bytes, at, step);
        base64_encode(out, piece.p, piece.len);
        str_adds(out, "\r\n");
    }
}

/* ---- decoders ---- */

/* 0..63; -1: none of the alphabet. */
static int sextet(char c)
{
    static const char alphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const char *found = c ? strchr(alphabet, c) : NULL;
    return found ? (int)(found - alphabet) : -1;
}

/* Is it a line of whole groups? */
static bool is_base64(struct slice line)
{
    struct str bytes = STR_INIT;
    bool good = line.len > 0;
    while (good && line.len) {
        const char *end = memchr(line.p, '=', line.len);
        size_t len = end ? (size_t)(end - line.p) : line.len;
        while (len < line.len && line.p[len] == '=')
            len++;
        good = base64_decode(&bytes, slice_sub(line, 0, len));
        line = slice_sub(line, len, line.len);
    }
    str_release(&bytes);
    return good;
}

/* Appends what stands before the first padding. */
static struct slice piece_from_base64(struct str *out, struct slice text)
{
    uint32_t bits = 0;
    int count = 0;
    size_t i = 0;
    for (; i < text.len && text.p[i] != '='; i++) {
        const int value = sextet(text.p[i]);
        if (value < 0)
            continue;
        bits = bits << 6 | (uint32_t)value;
        if (++count % 4 == 0)
            str_add(out, (const char[]){(char)(bits >> 16), (char)(bits >> 8), (char)bits}, 3);
    }
    if (count % 4 == 2)
        str_addc(out, (char)(bits >> 4));
    else if (count % 4 == 3)
        str_add(out, (const char[]){(char)(bits >> 10), (char)(bits >> 2)}, 2);
    while (i < text.len && text.p[i] == '=')
        i++;
    return slice_sub(text, i, text.len);
}

void transfer_from_base64(struct str *out, struct slice text)
{
    struct slice line;
    str_reserve(out, text.len / 4 * 3 + 3);
    text = piece_from_base64(out, text);
    for (bool first = true; slice_line(&text, &line); first = false) {
        line = slice_trim(line);
        if (first && !line.len)
            continue;
        if (!is_base64(line))
            return;
        while (line.len)
            line = piece_from_base64(out, line);
    }
}

/* "=41" at `i`: its byte; -1 for all else. */
static int escaped(struct slice text, size_t i)
{
    if (text.p[i] != '=' || i + 2 >= text.len)
        return -1;
    const int high = hex_digit(text.p[i + 1]), low = hex_digit(text.p[i + 2]);
    return high < 0 || low < 0 ? -1 : 16 * high + low;
}

void transfer_from_quoted(struct str *out, struct slice text)
{
    for (size_t i = 0; i < text.len; i++) {
        const char *next = memchr(text.p + i, '=', text.len - i);
        const size_t plain = next ? (size_t)(next - text.p) - i : text.len - i;
        str_add(out, text.p + i, plain);
        i += plain;
        if (i == text.len)
            return;
        const int byte = escaped(text, i);
        size_t end = i + 1;
        while (end < text.len && strchr(" \t\r", text.p[end]) && text.p[end])
            end++;
        if (byte >= 0) {
            str_addc(out, (char)byte);
            i += 2;
        } else if (end == text.len || text.p[end] == '\n') {
            i = end;
        } else {
            str_addc(out, '=');
        }
    }
}

void transfer_from_word(struct str *out, struct slice text)
{
    for (size_t i = 0; i < text.len; i++) {
        const int byte = escaped(text, i);
        str_addc(out, byte >= 0 ? (char)byte : text.p[i] == '_' ? ' ' : text.p[i]);
        i += byte >= 0 ? 2 : 0;
    }
}
