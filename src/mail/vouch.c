/* Who sent a mail, according to the server that accepted it: the field Authentication-Results (RFC 8601). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mail/facts.h"

#define RESULTS_MAX 16 /* fields that are examined */

/* A domain that is `above`, or below it. */
static bool is_below(struct slice domain, struct slice above)
{
    if (!above.len || !memchr(above.p, '.', above.len) || domain.len < above.len)
        return false;
    struct slice end = slice_sub(domain, domain.len - above.len, above.len);
    char *tail = slice_dup(above);
    bool same = slice_caseeq(end, tail) && (end.p == domain.p || end.p[-1] == '.');
    free(tail);
    return same;
}

/* ---- Received ---- */

/* A host of the domain that the server is in, or one that names itself without a domain. */
static bool is_ours(struct slice host, struct slice authserv)
{
    const char *dot = memchr(authserv.p, '.', authserv.len);
    struct slice domain = dot ? slice_sub(authserv, (size_t)(dot + 1 - authserv.p), authserv.len) : authserv;
    if (!memchr(host.p, '.', host.len))
        return true;
    return is_below(host, authserv) || is_below(host, domain);
}

static bool is_foreign(struct slice received, struct slice authserv)
{
    struct slice word;
    while (slice_word(&received, &word))
        if (slice_caseeq(word, "by"))
            return slice_word(&received, &word) && !is_ours(word, authserv);
    return false;
}

/* ---- Authentication-Results ---- */

/* A character outside of both. */
static void add_bare(struct str *out, char c)
{
    bool blank = c == ' ' || c == '\t';
    while (c == '=' && out->len && out->p[out->len - 1] == ' ')
        str_cut(out, out->len - 1);
    if (!blank)
        str_addc(out, c);
    else if (out->len && out->p[out->len - 1] != '=')
        str_addc(out, ' ');
}

/* Without comments and quotes; separators do not count where they were quoted. Spaces around '=' go. */
static void plain_text(struct str *out, struct slice value)
{
    size_t depth = 0;
    bool quoted = false;
    for (size_t i = 0; i < value.len; i++) {
        char c = value.p[i];
        bool escaped = c == '\\' && (quoted || depth) && i + 1 < value.len;
        if (escaped)
            c = value.p[++i];
        if (!escaped && !depth && c == '"') {
            quoted = !quoted;
        } else if (!escaped && !quoted && (c == '(' || (c == ')' && depth))) {
            depth += c == '(' ? 1 : (size_t)-1;
            str_addc(out, ' ');
        } else if (!depth && quoted) {
            str_addc(out, strchr("; =\t", c) ? '_' : c);
        } else if (!depth) {
            add_bare(out, c);
        }
    }
}

/* "dkim=pass" -> "dkim"; empty when it did not pass. */
static struct slice passed(struct slice word)
{
    const char *equals = word.len ? memchr(word.p, '=', word.len) : NULL;
    size_t len = equals ? (size_t)(equals - word.p) : 0;
    const char *version = len ? memchr(word.p, '/', len) : NULL;
    if (!equals || !slice_caseeq(slice_sub(word, len + 1, word.len), "pass"))
        return (struct slice){"", 0};
    return slice_sub(word, 0, version ? (size_t)(version - word.p) : len);
}

/* The domain that a property such as "header.d=example.org", "header.i=@example.org" names; empty for others.
 */
static struct slice property(struct slice word, const char *name)
{
    if (!slice_casestarts(word, name))
        return (struct slice){"", 0};
    word = slice_sub(word, strlen(name), word.len);
    const char *at = word.len ? memrchr(word.p, '@', word.len) : NULL;
    return at ? slice_sub(word, (size_t)(at + 1 - word.p), word.len) : word;
}

/* One result: "dkim=pass header.d=example.org header.s=mail". */
static struct slice result_vouches(struct slice result, struct slice domain)
{
    static const struct {
        const char *method, *name;
    } rows[] = {
        {"dmarc", "header.from="}, {"dkim", "header.d="}, {"dkim", "header.i="}, {"spf", "smtp.mailfrom="}};
    struct slice word;
    if (!slice_word(&result, &word))
        return (struct slice){"", 0};
    struct slice method = passed(word);
    while (method.len && slice_word(&result, &word))
        for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
            if (slice_caseeq(method, rows[i].method) && is_below(domain, property(word, rows[i].name)))
                return property(word, rows[i].name);
    return (struct slice){"", 0};
}

static struct slice next_part(struct slice *rest)
{
    const char *end = rest->len ? memchr(rest->p, ';', rest->len) : NULL;
    size_t len = end ? (size_t)(end - rest->p) : rest->len;
    struct slice part = slice_sub(*rest, 0, len);
    *rest = slice_sub(*rest, end ? len + 1 : len, rest->len);
    return part;
}

static bool field_vouches(struct slice value, const char *authserv, struct slice domain,
                          char who[MESSAGE_DOMAIN])
{
    struct str text = STR_INIT;
    struct slice word;
    bool good = false;
    plain_text(&text, value);
    struct slice rest = slice_str(&text);
    struct slice first = next_part(&rest);
    if (slice_word(&first, &word) && slice_caseeq(word, authserv))
        while (!good && rest.len) {
            struct slice found = result_vouches(next_part(&rest), domain);
            good = found.len && found.len < MESSAGE_DOMAIN;
            if (good)
                (void)snprintf(who, MESSAGE_DOMAIN, "%.*s", (int)found.len, found.p);
        }
    str_release(&text);
    return good;
}

static void header_vouches(const struct header *top, const char *authserv, struct slice domain,
                           char who[MESSAGE_DOMAIN])
{
    size_t seen = 0;
    bool good = false;
    for (size_t i = 0; i < top->count && !good && seen < RESULTS_MAX; i++) {
        struct str value = STR_INIT;
        bool received = slice_caseeq(top->fields[i].name, "Received");
        bool results = slice_caseeq(top->fields[i].name, "Authentication-Results");
        if (received || results)
            field_unfold(&value, &top->fields[i]);
        seen += results;
        good = results && field_vouches(slice_str(&value), authserv, domain, who);
        bool foreign = received && is_foreign(slice_str(&value), slice_of(authserv));
        str_release(&value);
        if (foreign)
            break;
    }
}

void message_vouched(const struct message *msg, struct slice raw, const char *authserv,
                     char who[MESSAGE_DOMAIN])
{
    struct header top;
    const char *at = strrchr(msg->from, '@');
    *who = '\0';
    if (!*authserv || !at)
        return;
    struct slice mail = slice_sub(raw, mail_start(raw), raw.len);
    header_scan(&top, mail, message_limits_default.header_bytes, message_limits_default.header_count);
    header_vouches(&top, authserv, slice_of(at + 1), who);
    header_release(&top);
}
