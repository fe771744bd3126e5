#include "mail/structured.h"

#include <stdlib.h>
#include <string.h>

#include "base/date.h"
#include "base/encode.h"
#include "mail/text.h"
#include "mail/words.h"

#define PIECES_MOST 100 /* of a parameter */

/* ---- what the fields share ---- */

static char at(struct slice s, size_t i)
{
    return i < s.len ? s.p[i] : '\0';
}

static bool is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

/* From the "(" of a comment to behind its ")". */
static size_t skip_comment(struct slice s, size_t i)
{
    size_t depth = 0;
    do {
        depth += at(s, i) == '(';
        depth -= at(s, i) == ')';
        i += at(s, i) == '\\' ? 2 : 1;
    } while (depth && i < s.len);
    return i < s.len ? i : s.len;
}

static size_t skip_blank(struct slice s, size_t i)
{
    while (i < s.len && (is_space(s.p[i]) || s.p[i] == '('))
        i = s.p[i] == '(' ? skip_comment(s, i) : i + 1;
    return i;
}

/* From the quote to behind the other one; appends what is between. */
static size_t read_quoted(struct slice s, size_t i, struct str *out)
{
    for (i++; i < s.len && s.p[i] != '"'; i++) {
        i += s.p[i] == '\\' && i + 1 < s.len;
        str_addc(out, s.p[i]);
    }
    return i < s.len ? i + 1 : s.len;
}

/* ---- parameters ---- */

static bool is_token(char c)
{
    return c > ' ' && c < 0x7F && !strchr("()<>@,;:\\\"/[]?=", c);
}

static size_t find_semicolon(struct slice s, size_t i)
{
    struct str dropped = STR_INIT;
    while (i < s.len && s.p[i] != ';')
        i = s.p[i] == '(' ? skip_comment(s, i) : s.p[i] == '"' ? read_quoted(s, i, &dropped) : i + 1;
    str_release(&dropped);
    return i;
}

/* A value without quotes: a token, or, where more than a comment follows it, all up to the semicolon: "name=my orders.txt". */
static size_t read_plain(struct slice s, size_t i, struct str *out)
{
    const size_t from = i;
    while (i < s.len && s.p[i] != ';' && s.p[i] != '(' && !is_space(s.p[i]))
        i++;
    size_t end = i, next = skip_blank(s, i);
    if (next < s.len && s.p[next] != ';')
        for (end = i; end < s.len && s.p[end] != ';';)
            end++;
    str_addslice(out, slice_trim(slice_sub(s, from, end - from)));
    return end > next ? end : next;
}

/* The next parameter; *i is at the semicolon before it, and then at the one after it. */
static bool next_param(struct slice s, size_t *i, struct slice *name, struct str *value)
{
    while (*i < s.len) {
        const size_t from = skip_blank(s, *i + 1);
        size_t end = from;
        while (end < s.len && is_token(s.p[end]))
            end++;
        *name = slice_sub(s, from, end - from);
        size_t next = skip_blank(s, end);
        if (!name->len || at(s, next) != '=') { /* no parameter: what follows it may be one */
            *i = find_semicolon(s, next);
            continue;
        }
        next = skip_blank(s, next + 1);
        str_clear(value);
        next = at(s, next) == '"' ? read_quoted(s, next, value) : read_plain(s, next, value);
        *i = find_semicolon(s, next);
        return true;
    }
    return false;
}

/* What follows the name in "name*1*": which piece it is, and whether it is encoded. A parameter in one piece is its first. */
struct piece {
    bool is, split, encoded;
    int number;
};

static struct piece piece_of(struct slice param, const char *name)
{
    struct piece piece = {.is = slice_casestarts(param, name)};
    struct slice rest = slice_sub(param, strlen(name), param.len);
    if (!piece.is || !rest.len)
        return piece;
    piece.is = rest.p[0] == '*';
    rest = slice_sub(rest, 1, rest.len);
    piece.split = rest.len > 0;
    piece.encoded = !piece.split || rest.p[rest.len - 1] == '*';
    rest.len -= piece.split && piece.encoded;
    piece.is &= !piece.split || rest.len == 1 || rest.len == 2;
    for (size_t i = 0; piece.is && i < rest.len; i++) {
        piece.is = rest.p[i] >= '0' && rest.p[i] <= '9';
        piece.number = 10 * piece.number + (rest.p[i] - '0');
    }
    return piece;
}

static void add_piece(struct str *out, struct slice value, bool encoded)
{
    for (size_t i = 0; i < value.len; i++) {
        const int high = hex_digit(at(value, i + 1)), low = hex_digit(at(value, i + 2));
        const bool byte = encoded && value.p[i] == '%' && high >= 0 && low >= 0;
        str_addc(out, byte ? (char)(16 * high + low) : value.p[i]);
        i += byte ? 2 : 0;
    }
}

/* "utf-8'en'": cuts it off, and gives the charset; empty where there is none. */
static struct slice cut_charset(struct slice *value)
{
    const size_t one = slice_find(*value, "'");
    const size_t two =
        one < value->len ? slice_find(slice_sub(*value, one + 1, value->len), "'") : value->len;
    struct slice charset = {"", 0};
    if (two < value->len) {
        charset = slice_sub(*value, 0, one);
        *value = slice_sub(*value, one + two + 2, value->len);
    }
    return charset;
}

bool structured_param(struct slice value, const char *name, struct str *out)
{
    struct str text = STR_INIT, bytes = STR_INIT, charset = STR_INIT;
    struct piece first = {0};
    int pieces = 0;
    bool more = true;
    str_clear(out);
    while (more && pieces < PIECES_MOST) { /* one pass for each piece, as they may come in any order */
        struct slice param;
        more = false;
        for (size_t i = find_semicolon(value, 0); !more && next_param(value, &i, &param, &text);) {
            const struct piece piece = piece_of(param, name);
            if (!piece.is || (pieces ? !piece.split || piece.number != pieces : piece.split && piece.number))
                continue;
            struct slice rest = slice_str(&text);
            if (!pieces && piece.encoded)
                str_addslice(&charset, cut_charset(&rest));
            add_piece(&bytes, rest, piece.encoded);
            first = pieces ? first : piece;
            more = true;
        }
        pieces += more;
        more &= first.split;
    }
    if (charset.len)
        text_decode(out, slice_str(&bytes), charset.p);
    else
        str_addslice(out, slice_str(&bytes));
    str_release(&charset);
    str_release(&bytes);
    str_release(&text);
    return pieces > 0;
}

/* ---- addresses ---- */

void mailbox_release(struct mailbox *mailbox)
{
    str_release(&mailbox->address);
    str_release(&mailbox->name);
}

/* "<@a,@b:bob@example.org>", from behind the "<" to behind the ">": the address without the route, which nobody has used since
 * 1989. */
static size_t read_angle(struct slice s, size_t i, struct str *address)
{
    struct slice rest = slice_sub(s, i, s.len);
    const char *close = rest.len ? memchr(rest.p, '>', rest.len) : NULL;
    const size_t len = close ? (size_t)(close - rest.p) : rest.len;
    struct slice text = slice_trim(slice_sub(rest, 0, len));
    const char *route = text.len && text.p[0] == '@' ? memchr(text.p, ':', text.len) : NULL;
    if (route)
        text = slice_sub(text, (size_t)(route - text.p) + 1, text.len);
    str_clear(address);
    str_addslice(address, text);
    return i + len + (close != NULL);
}

/* A space between two words of a name. */
static void add_space(struct str *name)
{
    if (name->len && name->p[name->len - 1] != ' ')
        str_addc(name, ' ');
}

bool structured_mailbox(struct slice *list, struct mailbox *mailbox)
{
    const struct slice s = *list;
    struct str plain = STR_INIT, comment = STR_INIT;
    bool angle = false, wrong = false, address = false; /* there is an "@" */
    size_t i = 0, word;
    str_clear(&mailbox->address);
    str_clear(&mailbox->name);
    mailbox->group = false;
    while (i < s.len && (is_space(s.p[i]) || s.p[i] == ',' || s.p[i] == ';'))
        i++;
    const bool is = i < s.len;
    while (i < s.len && s.p[i] != ';') {
        const size_t from = i;
        if (s.p[i] == ',' && (angle || address))
            break; /* before that it is a part of the name, as in "Doe, John <john@example.org>" */
        if (s.p[i] == '(') {
            i = skip_comment(s, i);
            str_clear(&comment);
            str_addslice(&comment, slice_sub(s, from + 1, i - from - 2));
            continue;
        }
        wrong |= angle && !is_space(s.p[i]); /* more than one address, or none, however one reads it */
        if (s.p[i] == '"')
            i = read_quoted(s, i, &mailbox->name);
        else if (s.p[i] == '[')
            for (i++; i < s.len && s.p[i - 1] != ']';)
                i++;
        else if ((word = words_at(slice_sub(s, i, s.len))) > 0) {
            i += word;
            str_addslice(&mailbox->name, slice_sub(s, from, word));
        } else if (s.p[i] == '<') {
            i = read_angle(s, i + 1, &mailbox->address);
            angle = true;
            continue;
        } else if (s.p[i] == ':') {
            mailbox->group = true;
            i = find_semicolon(s, i);
            continue;
        } else {
            i++;
            if (is_space(s.p[from]))
                add_space(&mailbox->name);
            else
                str_addc(&mailbox->name, s.p[from]);
        }
        address |= s.p[from] == '@';
        str_addslice(&plain, slice_sub(s, from, i - from));
    }
    *list = slice_sub(s, i, s.len);
    str_trim(&mailbox->name);
    if (!angle) {
        str_addslice(&mailbox->address, slice_trim(slice_str(&plain)));
        str_clear(&mailbox->name);
        str_addslice(&mailbox->name, slice_str(&comment));
    }
    if (wrong)
        str_clear(&mailbox->address);
    str_release(&plain);
    str_release(&comment);
    return is;
}

/* ---- dates ---- */

/* At most `most` digits at *i, which is moved behind them and blanks; -1 where there are none, or more. */
static int read_number(struct slice s, size_t *i, size_t least, size_t most)
{
    const size_t from = *i;
    int number = 0;
    for (; at(s, *i) >= '0' && at(s, *i) <= '9' && *i - from <= most; (*i)++)
        number = 10 * number + (s.p[*i] - '0');
    const size_t digits = *i - from;
    *i = skip_blank(s, *i);
    return digits < least || digits > most ? -1 : number;
}

static struct slice read_letters(struct slice s, size_t *i)
{
    const size_t from = *i;
    while ((at(s, *i) | 0x20) >= 'a' && (at(s, *i) | 0x20) <= 'z')
        (*i)++;
    struct slice letters = slice_sub(s, from, *i - from);
    *i = skip_blank(s, *i);
    return letters;
}

/* How many seconds the zone is ahead of UTC; false: it cannot be. */
static bool read_zone(struct slice s, size_t i, int64_t *ahead)
{
    static const struct {
        const char *name;
        int hours;
    } zones[] = {{"EDT", -4}, {"EST", -5}, {"CDT", -5}, {"CST", -6},
                 {"MDT", -6}, {"MST", -7}, {"PDT", -7}, {"PST", -8}};
    const char sign = at(s, i);
    *ahead = 0;
    if (sign != '+' && sign != '-') {
        struct slice name = read_letters(s, &i);
        for (size_t k = 0; k < sizeof zones / sizeof *zones; k++)
            if (slice_caseeq(name, zones[k].name))
                *ahead = zones[k].hours * HOUR_SECONDS;
        return i == s.len;
    }
    i++;
    const int number = read_number(s, &i, 4, 4);
    *ahead = (sign == '-' ? -1 : 1) * ((number / 100) * HOUR_SECONDS + number % 100 * (int64_t)60);
    return number >= 0 && number % 100 < 60 && number / 100 < 24 && i == s.len;
}

static int month_of(struct slice name)
{
    static const char *const months[] = {"jan", "feb", "mar", "apr", "may", "jun",
                                         "jul", "aug", "sep", "oct", "nov", "dec"};
    for (int month = 1; month <= 12; month++)
        if (slice_casestarts(name, months[month - 1])) /* "Nov", and "November" */
            return month;
    return 0;
}

bool structured_date(struct slice value, int64_t *time)
{
    size_t i = skip_blank(value, 0);
    if (read_letters(value, &i).len && at(value, i) == ',')
        i = skip_blank(value, i + 1);
    struct date date = {.day = read_number(value, &i, 1, 2)};
    date.month = month_of(read_letters(value, &i));
    const size_t from = i;
    date.year = read_number(value, &i, 2, 4);
    const bool full = i - from >= 4 && at(value, from + 3) >= '0' && at(value, from + 3) <= '9';
    date.year += full || date.year < 0 ? 0 : date.year < 50 ? 2000 : 1900;
    const int hour = read_number(value, &i, 1, 2);
    const bool colon = at(value, i) == ':';
    i = skip_blank(value, i + 1);
    const int minute = read_number(value, &i, 2, 2);
    int second = 0;
    if (at(value, i) == ':') {
        i = skip_blank(value, i + 1);
        second = read_number(value, &i, 2, 2);
    }
    int64_t ahead;
    if (date.day < 1 || !date.month || date.year < 1 || date.day > date_month_days(date.year, date.month) ||
        hour < 0 || hour > 23 || !colon || minute < 0 || minute > 59 || second < 0 || second > 60 ||
        !read_zone(value, i, &ahead))
        return false;
    *time = date_number(date) * DAY_SECONDS + hour * HOUR_SECONDS + minute * (int64_t)60 + second - ahead;
    return true;
}
