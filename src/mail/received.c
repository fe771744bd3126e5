#include "mail/received.h"

#include <string.h>

#include "base/utf8.h"
#include "mail/header.h"
#include "mail/message.h"

/* Comments, in brackets, are left out. */
static void without_comments(struct str *out, struct slice value)
{
    size_t depth = 0;
    for (size_t i = 0; i < value.len; i++) {
        char c = value.p[i];
        if (c == '(')
            depth++;
        else if (c == ')' && depth)
            depth--;
        else if (!depth)
            str_addc(out, c);
    }
}

/* "mx.example.org; spf=pass smtp.mailfrom=a@example.org; dkim=none" */
static void read_results(struct received *got, struct slice value)
{
    struct str plain = STR_INIT;
    without_comments(&plain, value);
    struct slice rest = slice_str(&plain), word;
    for (bool first = true; rest.len; first = false) {
        size_t end = slice_find(rest, ";");
        struct slice part = slice_sub(rest, 0, end < rest.len ? end : rest.len);
        rest = slice_sub(rest, part.len + 1, rest.len);
        if (!slice_word(&part, &word))
            continue;
        struct str *into = first ? &got->authserv : &got->results;
        if (!first && slice_find(word, "=") >= word.len)
            continue;
        str_adds(into, into->len ? ", " : "");
        utf8_safe(into, word, false);
    }
    str_release(&plain);
}

static void read_path(struct received *got, struct slice value)
{
    size_t from = slice_find(value, "<"), to = slice_find(value, ">");
    if (from < to && to < value.len)
        utf8_safe(&got->return_path, slice_sub(value, from + 1, to - from - 1), false);
}

void received_read(struct received *got, struct slice raw)
{
    struct header top;
    struct str value = STR_INIT;
    *got = (struct received){.authserv = STR_INIT, .results = STR_INIT, .return_path = STR_INIT};
    header_scan(&top, slice_sub(raw, mail_start(raw), raw.len), message_limits_default.header_bytes,
                message_limits_default.header_count);
    if (header_value(&top, "Authentication-Results", &value))
        read_results(got, slice_str(&value));
    if (header_value(&top, "Return-Path", &value))
        read_path(got, slice_str(&value));
    header_release(&top);
    str_release(&value);
}

void received_release(struct received *got)
{
    str_release(&got->authserv);
    str_release(&got->results);
    str_release(&got->return_path);
}
