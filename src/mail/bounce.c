#include "mail/bounce.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/mem.h"
#include "base/utf8.h"
#include "mail/facts.h"
#include "mail/status.h"

#define GROUPS_MAX     100 /* recipients examined per notification; our own mails have one */
#define DIAGNOSTIC_MAX 200

void bounce_init(struct message_bounce *bounce)
{
    bounce->message_id = mem_strdup("");
    bounce->recipient = mem_strdup("");
    bounce->status = mem_strdup("");
    bounce->diagnostic = mem_strdup("");
    bounce->under_way = bounce->permanent = false;
}

void bounce_release(struct message_bounce *bounce)
{
    free(bounce->message_id);
    free(bounce->recipient);
    free(bounce->status);
    free(bounce->diagnostic);
    *bounce = (struct message_bounce){0};
}

static void replace(char **field, struct str *text)
{
    free(*field);
    *field = str_detach(text);
}

/* What follows "rfc822;" or "smtp;"; all of it when the type is missing. */
static struct slice typed_value(struct slice value)
{
    const char *semicolon = value.len ? memchr(value.p, ';', value.len) : NULL;
    size_t type = semicolon ? (size_t)(semicolon - value.p) : value.len;
    for (size_t i = 0; i < type; i++)
        if (strchr(" \t@<", value.p[i]))
            return value;
    return semicolon ? slice_trim(slice_sub(value, type + 1, value.len)) : value;
}

static bool read_recipient(struct str *out, const struct header *group, const char *name)
{
    struct str value = STR_INIT;
    bool found = false;
    if (header_value(group, name, &value)) {
        struct slice text = typed_value(slice_str(&value));
        if (slice_starts(text, "<") && text.p[text.len - 1] == '>')
            text = slice_sub(text, 1, text.len - 2);
        found = facts_address(out, text);
    }
    str_release(&value);
    return found;
}

static size_t digits(struct slice s, size_t from)
{
    size_t n = 0;
    while (from + n < s.len && s.p[from + n] >= '0' && s.p[from + n] <= '9')
        n++;
    return n;
}

/* Appends the first "5.1.1" of the text, made of whole numbers. */
static bool find_status(struct str *out, struct slice text)
{
    struct mail_status status;
    for (size_t i = 0; i < text.len; i++) {
        bool whole = i == 0 || (text.p[i - 1] && strchr(" \t#(;-", text.p[i - 1]));
        size_t len = whole ? status_read(slice_sub(text, i, text.len), &status) : 0;
        str_addslice(out, slice_sub(text, i, len));
        if (len)
            return true;
    }
    return false;
}

/* The Status field; where it is missing, the server's words: "smtp; 550 5.1.1 unknown" or only "smtp; 550
 * unknown". */
static void read_status(struct str *out, const struct header *group, struct slice words)
{
    struct str value = STR_INIT;
    if (!header_value(group, "Status", &value) || !find_status(out, slice_str(&value))) {
        bool reply = digits(words, 0) == 3 && strchr("245", words.p[0]);
        if (!find_status(out, words) && reply)
            str_addf(out, "%c.0.0", words.p[0]);
    }
    str_release(&value);
}

/* What a group says of its recipient, worst last. */
enum action { ACTION_NONE, ACTION_NEWS, ACTION_UNKNOWN, ACTION_FAILED };

static enum action action_of(const struct header *group)
{
    static const char *const news[] = {"delayed", "delivered", "relayed", "expanded"};
    struct str value = STR_INIT;
    enum action action = ACTION_UNKNOWN;
    if (!header_value(group, "Action", &value) && !header_count(group, "Final-Recipient") &&
        !header_count(group, "Original-Recipient"))
        action = ACTION_NONE;
    for (size_t i = 0; i < sizeof news / sizeof *news; i++)
        if (strncasecmp(value.p, news[i], strlen(news[i])) == 0)
            action = ACTION_NEWS;
    if (strncasecmp(value.p, "failed", 6) == 0)
        action = ACTION_FAILED;
    str_release(&value);
    return action;
}

static void read_group(struct message_bounce *bounce, const struct header *group, enum action action)
{
    struct str value = STR_INIT;
    struct str text = STR_INIT;
    (void)header_value(group, "Diagnostic-Code", &value);
    struct slice words = typed_value(slice_str(&value));
    utf8_safe(&text, words, false);
    utf8_cut(&text, DIAGNOSTIC_MAX);
    replace(&bounce->diagnostic, &text);
    read_status(&text, group, words);
    bounce->under_way = action == ACTION_NEWS;
    bounce->permanent = action == ACTION_FAILED && str_starts(text.p, "5.");
    replace(&bounce->status, &text);
    if (!read_recipient(&text, group, "Final-Recipient"))
        (void)read_recipient(&text, group, "Original-Recipient");
    replace(&bounce->recipient, &text);
    str_release(&text);
    str_release(&value);
}

void bounce_read_status(struct message_bounce *bounce, struct slice status)
{
    enum action worst = ACTION_NONE;
    for (size_t i = 0; i < GROUPS_MAX && status.len && worst != ACTION_FAILED; i++) {
        struct header group;
        header_scan(&group, status, status.len, status.len);
        enum action action = action_of(&group);
        if (action > worst) {
            worst = action;
            read_group(bounce, &group, action);
        }
        bool stuck = group.end == 0; /* a line that is no field */
        status = slice_sub(status, group.end, status.len);
        header_release(&group);
        struct slice line;
        if (stuck && !slice_line(&status, &line))
            break;
    }
}

void bounce_read_returned(struct message_bounce *bounce, const struct header *header)
{
    struct str id = STR_INIT;
    if (!*bounce->message_id) {
        facts_message_id(&id, header);
        replace(&bounce->message_id, &id);
    }
    str_release(&id);
}

void bounce_read_headers(struct message_bounce *bounce, struct slice text)
{
    struct header header;
    struct slice raw = slice_sub(text, mail_start(text), text.len);
    header_scan(&header, raw, raw.len, raw.len);
    bounce_read_returned(bounce, &header);
    header_release(&header);
}
