/* Lines that mail programs put above what they quote, in whatever language: heads and attributions, by their form.
 *
 * A line is looked at with at most HEAD_LINES after it, none of them beyond a boundary or a quote: what is below has
 * no part in where the text above ends. */
#include <string.h>

#include "mail/reply_parts.h"

#define HEAD_LINES        8 /* in which there are FIELDS fields, some of them folded */
#define FIELDS            3
#define NAME_MOST         80 /* bytes of "Date d'envoi" in any script */
#define NAME_WORDS        5
#define ATTRIBUTION_LINES 3
#define RULE              10 /* characters of a line of underscores */
#define DATE_DIGITS       4  /* of a date, in two numbers at least */
#define FULL_COLON        "\xEF\xBC\x9A"

/* ---- kinds of lines ---- */

static bool ends(struct slice text, const char *with)
{
    size_t len = strlen(with);
    return text.len >= len && memcmp(text.p + text.len - len, with, len) == 0;
}

static bool is_letter(char c)
{
    return (c & 0x80) || ((c | 0x20) >= 'a' && (c | 0x20) <= 'z');
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* "@" between letters or digits, as in no order. */
static bool has_address(struct slice line)
{
    for (size_t i = 1; i + 1 < line.len; i++)
        if (line.p[i] == '@' && (is_letter(line.p[i - 1]) || is_digit(line.p[i - 1])) &&
            (is_letter(line.p[i + 1]) || is_digit(line.p[i + 1])))
            return true;
    return false;
}

/* "28.11.2026", "28 Nov 2026 12:27"; not a game's name alone. */
static bool has_date(struct slice line)
{
    size_t digits = 0, numbers = 0;
    for (size_t i = 0; i < line.len; i++) {
        digits += is_digit(line.p[i]);
        numbers += is_digit(line.p[i]) && (i == 0 || !is_digit(line.p[i - 1]));
    }
    return digits >= DATE_DIGITS && numbers > 1 && memchr(line.p, ' ', line.len);
}

/* "[gc-1] ...", as in our subjects. */
static bool has_game(struct slice line)
{
    const char *open = line.len ? memchr(line.p, '[', line.len) : NULL;
    size_t from = open ? (size_t)(open - line.p) + 1 : line.len, to = from;
    while (to < line.len &&
           (is_digit(line.p[to]) || line.p[to] == '-' || (is_letter(line.p[to]) && !(line.p[to] & 0x80))))
        to++;
    return to > from + 1 && to < line.len && line.p[to] == ']';
}

/* "From: ...", "*Von:* ...", "De : ...", "发件人：..." */
static bool is_field(struct slice line)
{
    size_t i = 0, words = 1;
    while (i < line.len && line.p[i] == '*')
        i++;
    size_t from = i;
    if (i < line.len && !is_letter(line.p[i]))
        return false;
    for (; i < line.len && (is_letter(line.p[i]) || strchr(" -'.", line.p[i])); i++) {
        if (slice_starts(slice_sub(line, i, line.len), FULL_COLON))
            break;
        words += line.p[i] == ' ';
    }
    struct slice rest = slice_sub(line, i, line.len);
    while (slice_starts(rest, "*"))
        rest = slice_sub(rest, 1, rest.len);
    return i > from && i - from <= NAME_MOST && words <= NAME_WORDS &&
           (slice_starts(rest, FULL_COLON) || (slice_starts(rest, ":") && !slice_starts(rest, "://")));
}

static bool is_rule(struct slice line)
{
    size_t underscores = 0;
    while (underscores < line.len && line.p[underscores] == '_')
        underscores++;
    return (line.len >= RULE && underscores == line.len) ||
           (line.len > 12 && slice_starts(line, "-----") && ends(line, "---"));
}

/* ---- several lines ---- */

/* The next line of the paragraph. */
static bool goes_on(struct reply_lines *rest, struct reply_line *line)
{
    struct slice nonce;
    return reply_line_next(rest, line) && line->text.len && !line->quoted &&
           reply_boundary_find(line->text, &nonce) == NOWHERE;
}

/* The first field, which may be folded, tells whom it is from, or when it was sent. */
static bool begins_fields(struct reply_line line, struct reply_lines rest)
{
    size_t fields = 0;
    bool begins = false, sure = false;
    if (!is_field(line.text))
        return false;
    for (size_t lines = 0; lines < HEAD_LINES; lines++) {
        fields += is_field(line.text);
        begins = begins || (fields == 1 && (has_address(line.text) || has_date(line.text)));
        sure = sure || has_address(line.text) || has_game(line.text);
        if ((fields > 1 && !begins) || !goes_on(&rest, &line))
            break;
    }
    return sure && fields >= FIELDS;
}

/* Is there text below, which is not quoted? */
static bool is_above_text(struct reply_lines rest)
{
    struct slice nonce;
    struct reply_line line;
    while (reply_line_next(&rest, &line))
        if (line.text.len)
            return !line.quoted && reply_boundary_find(line.text, &nonce) == NOWHERE;
    return false;
}

static bool begins_attribution(struct reply_line line, struct reply_lines rest)
{
    if (!has_address(line.text) && !has_date(line.text))
        return false;
    for (size_t lines = 0; lines < ATTRIBUTION_LINES; lines++) {
        if (ends(line.text, ":") || ends(line.text, FULL_COLON))
            return is_above_text(rest);
        if (!goes_on(&rest, &line))
            return false;
    }
    return false;
}

bool reply_head_begins(const struct reply_line *line, struct reply_lines rest)
{
    return line->head || is_rule(line->text) || begins_fields(*line, rest) || begins_attribution(*line, rest);
}
