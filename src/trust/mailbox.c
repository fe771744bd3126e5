#include "trust/mailbox.h"

#include <ctype.h>
#include <string.h>

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || (c && strchr("!#$%&'*+-/=?^_`{|}~", c) != NULL);
}

static void skip(struct slice *rest, size_t count)
{
    *rest = slice_sub(*rest, count, rest->len);
}

/* A comment, with others in it. False when it has no end. */
static bool skip_comment(struct slice *rest)
{
    size_t depth = 0;
    for (size_t i = 0; i < rest->len; i++) {
        char c = rest->p[i];
        if (c == '\\')
            i++;
        else if (c == '(')
            depth++;
        else if (c == ')' && --depth == 0) {
            skip(rest, i + 1);
            return true;
        }
    }
    return false;
}

/* Spaces and comments. */
static bool skip_space(struct slice *rest)
{
    while (rest->len && (is_blank(rest->p[0]) || rest->p[0] == '(')) {
        if (rest->p[0] != '(')
            skip(rest, 1);
        else if (!skip_comment(rest))
            return false;
    }
    return true;
}

static bool skip_quoted(struct slice *rest)
{
    for (size_t i = 1; i < rest->len; i++) {
        if (rest->p[i] == '\\') {
            i++;
        } else if (rest->p[i] == '"') {
            skip(rest, i + 1);
            return true;
        }
    }
    return false;
}

/* The name in front of "<", up to there: words, and dots, which people write too. */
static bool skip_name(struct slice *rest)
{
    while (skip_space(rest) && rest->len && rest->p[0] != '<') {
        char c = rest->p[0];
        if (c == '"') {
            if (!skip_quoted(rest))
                return false;
        } else if (is_word(c) || c == '.' || (unsigned char)c >= 0x80) {
            skip(rest, 1);
        } else {
            return false;
        }
    }
    return rest->len && rest->p[0] == '<';
}

/* Words with single dots between them. */
static struct slice take_local(struct slice *rest)
{
    size_t len = 0;
    while (len < rest->len &&
           (is_word(rest->p[len]) || (rest->p[len] == '.' && len && rest->p[len - 1] != '.')))
        len++;
    struct slice local = slice_sub(*rest, 0, len);
    skip(rest, len);
    return len && local.p[len - 1] == '.' ? slice_sub(local, 0, 0) : local;
}

static bool take_address(struct slice *rest, struct mailbox *mailbox)
{
    size_t len = 0;
    struct slice local = take_local(rest);
    if (!local.len || local.len >= MAILBOX_LOCAL || !rest->len || rest->p[0] != '@')
        return false;
    skip(rest, 1);
    while (len < rest->len && !is_blank(rest->p[len]) && rest->p[len] != '>' && rest->p[len] != '(')
        len++;
    struct slice domain = slice_sub(*rest, 0, len);
    skip(rest, len);
    memcpy(mailbox->local, local.p, local.len);
    mailbox->local[local.len] = '\0';
    return domain_copy(mailbox->domain, domain, false);
}

/* What old mail programs put in front of it: the address itself. Other ones than that could be read as two. */
static bool skip_twin(struct slice *rest, struct mailbox *twin)
{
    struct slice front = *rest;
    if (!take_address(&front, twin) || !skip_space(&front) || !front.len || front.p[0] != '<')
        return false;
    *rest = front;
    return true;
}

static bool is_over(struct slice rest)
{
    return skip_space(&rest) && rest.len == 0;
}

bool mailbox_parse(struct slice value, struct mailbox *mailbox)
{
    struct slice rest = value;
    if (!skip_space(&rest))
        return false;
    struct slice bare = rest;
    if (take_address(&bare, mailbox) && is_over(bare))
        return true;
    struct mailbox twin;
    bool twice = skip_twin(&rest, &twin);
    if (!twice && !skip_name(&rest))
        return false;
    skip(&rest, 1);
    if (!take_address(&rest, mailbox) || !rest.len || rest.p[0] != '>')
        return false;
    skip(&rest, 1);
    return is_over(rest) && (!twice || mailbox_equal(&twin, mailbox));
}

bool mailbox_equal(const struct mailbox *a, const struct mailbox *b)
{
    return strcmp(a->local, b->local) == 0 && strcmp(a->domain, b->domain) == 0;
}

/* Of at most 63 bytes, no hyphen at its ends. */
static bool is_label(struct slice label, bool wide)
{
    if (!label.len || label.len > 63 || label.p[0] == '-' || label.p[label.len - 1] == '-')
        return false;
    for (size_t i = 0; i < label.len; i++) {
        char c = label.p[i];
        if (!isalnum((unsigned char)c) && c != '-' && !(wide && c == '_'))
            return false;
    }
    return true;
}

bool domain_copy(char out[MAILBOX_DOMAIN], struct slice text, bool wide)
{
    out[0] = '\0';
    if (text.len >= MAILBOX_DOMAIN)
        return false;
    for (struct slice rest = text;;) {
        const char *dot = rest.len ? memchr(rest.p, '.', rest.len) : NULL;
        size_t len = dot ? (size_t)(dot - rest.p) : rest.len;
        if (!is_label(slice_sub(rest, 0, len), wide))
            return false;
        if (!dot)
            break;
        skip(&rest, len + 1);
    }
    for (size_t i = 0; i < text.len; i++)
        out[i] = (char)tolower((unsigned char)text.p[i]);
    out[text.len] = '\0';
    return true;
}
