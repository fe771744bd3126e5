#include "league/address.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/reason.h"

#define LOCAL_MAX   64
#define LABEL_MAX   63
#define ADDRESS_TOP 254

static bool is_alnum(char c)
{
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static bool is_address(char c)
{
    return is_alnum(c) || (c && strchr("!#$%&'*+-/=?^_`{|}~.", c));
}

/* RFC 5321 section 4.1.2, Dot-string. */
static bool local_good(struct slice local)
{
    if (local.len < 1 || local.len > LOCAL_MAX || local.p[0] == '.' || local.p[local.len - 1] == '.')
        return false;
    for (size_t i = 0; i < local.len; i++) {
        char c = local.p[i];
        if (c == '.' && local.p[i - 1] == '.')
            return false;
        if (!is_address(c))
            return false;
    }
    return true;
}

static bool domain_good(struct slice domain)
{
    size_t label = 0;
    for (size_t i = 0; i < domain.len; i++) {
        char c = domain.p[i];
        bool ends = i + 1 == domain.len || domain.p[i + 1] == '.';
        if (c == '.' && label == 0)
            return false;
        label = c == '.' ? 0 : label + 1;
        if (label > LABEL_MAX || (c != '.' && c != '-' && !is_alnum(c)) || (c == '-' && (label == 1 || ends)))
            return false;
    }
    return domain.len > 0 && label > 0;
}

int address_check(char *address, struct err *err)
{
    size_t len = strlen(address);
    char *at = strrchr(address, '@');
    for (size_t i = 0; i < len; i++)
        if ((unsigned char)address[i] > 0x7e)
            return reason_fail(err, "address_letters",
                               "the address has letters beyond ASCII; mail servers do not all take it");
    char shown[81];
    (void)snprintf(shown, sizeof shown, "%.80s", address);
    if (len < 3 || len > ADDRESS_TOP || !at || !local_good((struct slice){address, (size_t)(at - address)}) ||
        !domain_good(slice_of(at + 1)))
        return reason_fail(err, "no_address address=%s",
                           "\"%s\" is no mail address; it must look like name@example.org", shown);
    for (char *p = at + 1; *p; p++)
        if (*p >= 'A' && *p <= 'Z')
            *p = (char)(*p - 'A' + 'a');
    return 0;
}

/* Addresses may have letters beyond ASCII too. */
static bool is_letter(char c)
{
    return (unsigned char)c >= 0x80 || (is_alnum(c) && !(c >= '0' && c <= '9'));
}

/* The domain's last label must not be a number: "5@1.50" is a price. */
static bool is_domain(struct slice domain)
{
    const char *dot = domain.len ? memrchr(domain.p, '.', domain.len) : NULL;
    size_t last = dot ? (size_t)(dot + 1 - domain.p) : domain.len;
    return dot && dot > domain.p && domain.len - last >= 2 && is_letter(domain.p[last]) &&
           is_letter(domain.p[last + 1]);
}

/* May the byte be a part of an address, before its '@' or after it? */
static bool is_local(char c)
{
    return is_address(c) || is_letter(c);
}

static bool is_host(char c)
{
    return is_alnum(c) || is_letter(c) || c == '-';
}

/* What begins at `from` is a whole address, and not the end or the beginning of another. A dot after it may
 * end a sentence; single quotes around it are not part of it. */
static bool is_whole(struct slice text, size_t from, size_t to)
{
    char before = from ? text.p[from - 1] : ' ', after = to < text.len ? text.p[to] : ' ';
    bool quoted = before == '\'' && after == '\'';
    bool goes_on = is_host(after) || (after == '.' && to + 1 < text.len && is_host(text.p[to + 1]));
    return !goes_on && (quoted || !is_local(before));
}

bool address_stands(struct slice text, const char *address)
{
    size_t len = strlen(address);
    for (size_t from = 0; len && from + len <= text.len; from++)
        if (strncasecmp(text.p + from, address, len) == 0 && is_whole(text, from, from + len))
            return true;
    return false;
}

bool address_within(struct slice text)
{
    for (size_t at = 0; at < text.len; at++) {
        bool wide = slice_starts(slice_sub(text, at, text.len), "\xEF\xBC\xA0"); /* U+FF20 */
        size_t from = at + (wide ? 3 : 1), end = from;
        if ((text.p[at] != '@' && !wide) || at == 0 || !is_local(text.p[at - 1]))
            continue;
        while (end < text.len && (is_host(text.p[end]) || text.p[end] == '.'))
            end++;
        while (end > from && text.p[end - 1] == '.') /* of a sentence */
            end--;
        if (is_domain(slice_sub(text, from, end - from)))
            return true;
    }
    return false;
}
