/* Who sent a mail: a person, a list, a machine, ourselves. RFC 3834. */
#include "mail/facts.h"

#include <string.h>
#include <strings.h>

bool facts_null_return(const struct header *top)
{
    struct str value = STR_INIT;
    bool null = header_value(top, "Return-Path", &value) && (strcmp(value.p, "<>") == 0 || !value.len);
    str_release(&value);
    return null;
}

static bool starts_with_any(const char *text, const char *const *list)
{
    for (; *list; list++)
        if (strncasecmp(text, *list, strlen(*list)) == 0)
            return true;
    return false;
}

/* Words that a machine's local part begins with, or ends with behind a mark: news-donotreply@. */
static const char *const no_reply[] = {"no-reply",     "noreply",      "no_reply",
                                       "no.reply",     "do-not-reply", "donotreply",
                                       "do_not_reply", "do.not.reply", NULL};

/* Does it end with one of the words, and something before them that one of the marks sets off? */
static bool ends_with_any(struct slice text, const char *const *list, const char *marks)
{
    for (; *list; list++) {
        size_t len = strlen(*list);
        if (text.len > len + 1 && strchr(marks, text.p[text.len - len - 1]) &&
            slice_caseeq(slice_sub(text, text.len - len, text.len), *list))
            return true;
    }
    return false;
}

/* Local parts that never belong to a person (RFC 3834 section 2 and habit). What follows a '+' is a tag that
 * the owner chose. */
static bool is_robot(const char *address)
{
    static const char *const prefixes[] = {"owner-",   "bounce+",       "bounce-", "bounces+",
                                           "bounces-", "mailer-daemon", NULL};
    static const char *const whole[] = {"postmaster@", "bounce@", "bounces@", "autoreply@", NULL};
    static const char *const of_lists[] = {"request", "owner", "bounces", NULL};
    struct slice local = {address, strcspn(address, "+@")};
    return starts_with_any(address, no_reply) || starts_with_any(address, prefixes) ||
           starts_with_any(address, whole) || ends_with_any(local, no_reply, "-_.") ||
           ends_with_any(local, of_lists, "-");
}

/* The address within a Return-Path or Sender field, "" if none. A forwarder's own return path says nothing,
 * see README. */
static bool field_is_robot(const struct header *top, const char *name, bool *own,
                           const struct identity *identity)
{
    struct str value = STR_INIT;
    bool robot = false;
    if (header_value(top, name, &value)) {
        char *text = value.p;
        char *open = strrchr(text, '<');
        if (open)
            text = open + 1;
        text[strcspn(text, "> \t")] = '\0';
        robot = strncasecmp(text, "mailer-daemon", 13) == 0 || strncasecmp(text, "postmaster@", 11) == 0 ||
                strncasecmp(text, "owner-", 6) == 0;
        *own = *own || facts_is_own(identity, text);
    }
    str_release(&value);
    return robot;
}

/* The first word of a field's value: letters and "-". */
static bool field_word(const struct header *top, const char *name, struct str *word)
{
    bool there = header_value(top, name, word);
    size_t len = 0;
    while (len < word->len && (g_ascii_isalpha(word->p[len]) || word->p[len] == '-' || word->p[len] == '_'))
        len++;
    str_cut(word, len);
    return there;
}

static bool is_own_mail(const struct message *msg, const struct header *top, const struct identity *identity)
{
    struct str value = STR_INIT;
    bool own = facts_is_own(identity, msg->from);
    const struct field *field;
    for (size_t from = 0;
         !own && identity->loop && *identity->loop && (field = header_next(top, "X-Loop", &from));) {
        str_clear(&value);
        field_unfold(&value, field);
        own = strcasecmp(value.p, identity->loop) == 0;
    }
    str_release(&value);
    return own;
}

static bool is_list(const struct header *top)
{
    for (size_t i = 0; i < top->count; i++)
        if (slice_casestarts(top->fields[i].name, "List-"))
            return true;
    return header_count(top, "Mailing-List") > 0;
}

static bool is_automatic(const struct message *msg, const struct header *top)
{
    static const char *const marks[] = {"X-Autoreply",         "X-Autorespond",    "X-Autoresponder",
                                        "X-Failed-Recipients", "X-Mail-Autoreply", NULL};
    static const char *const bulk[] = {"bulk", "junk", "list", "auto_reply", NULL};
    struct str word = STR_INIT;
    bool found = facts_null_return(top) || is_robot(msg->from);
    if (!found && field_word(top, "Auto-Submitted", &word))
        found = strcasecmp(word.p, "no") != 0;
    if (!found && field_word(top, "X-Auto-Response-Suppress", &word))
        found = strcasecmp(word.p, "none") != 0;
    if (!found && field_word(top, "Precedence", &word))
        found = starts_with_any(word.p, bulk);
    if (!found && header_value(top, "Content-Type", &word))
        found = strncasecmp(word.p, "multipart/report", 16) == 0;
    for (size_t i = 0; !found && marks[i]; i++)
        found = header_count(top, marks[i]) > 0;
    str_release(&word);
    return found;
}

enum message_kind facts_kind(const struct message *msg, const struct header *top,
                             const struct identity *identity)
{
    bool own = is_own_mail(msg, top, identity);
    bool robot = field_is_robot(top, "Return-Path", &own, identity);
    robot = field_is_robot(top, "Sender", &own, identity) || robot;
    if (own)
        return MAIL_OWN;
    if (is_list(top))
        return MAIL_LIST;
    return robot || is_automatic(msg, top) ? MAIL_AUTO : MAIL_PERSON;
}
