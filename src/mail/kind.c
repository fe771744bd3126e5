/* Who sent a mail: a person, a list, a machine, ourselves. RFC 3834. */
#include "mail/facts.h"

#include <ctype.h>
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

/* ---- names of machines ---- */

#define MARKS "-_."

/* Names that machines use; a space matches one of the marks, or nothing. */
static const char *const words[] = {
    "no reply",        "do not reply",  "not reply", "auto reply", "auto responder",
    "ne pas repondre", "keine antwort", "listserv",  "majordomo",  NULL};

/* How much of the text is the word; 0 = it does not begin with it. */
static size_t word_length(struct slice text, const char *word)
{
    size_t at = 0;
    for (; *word; word++) {
        bool mark = at < text.len && strchr(MARKS, text.p[at]);
        if (*word == ' ' && mark)
            at++;
        else if (*word != ' ' && (at == text.len || tolower((unsigned char)text.p[at++]) != *word))
            return 0;
    }
    return at;
}

/* Does the local part begin with one of the words (noreply17), or is one of its parts one (news-noreply-de)?
 */
static bool has_word(struct slice local)
{
    for (size_t at = 0; at < local.len; at++) {
        if (at && !strchr(MARKS, local.p[at - 1]))
            continue;
        struct slice rest = slice_sub(local, at, local.len);
        for (const char *const *word = words; *word; word++) {
            size_t len = word_length(rest, *word);
            if (len && (at == 0 || len == rest.len || strchr(MARKS, rest.p[len])))
                return true;
        }
    }
    return false;
}

static bool ends_with(struct slice text, const char *end)
{
    size_t len = strlen(end);
    return text.len > len && slice_caseeq(slice_sub(text, text.len - len, len), end);
}

/* Local parts that hardly ever belong to a person (RFC 3834 section 2 and habit). What follows a '+' is a tag
 * that the owner chose. Lists name themselves by other fields, so club-owner and song-request are people. */
static bool is_robot(const char *address)
{
    static const char *const prefixes[] = {"owner-",   "bounce+",       "bounce-", "bounces+",
                                           "bounces-", "mailer-daemon", NULL};
    static const char *const whole[] = {"postmaster@", "bounce@", "bounces@", NULL};
    struct slice local = {address, strcspn(address, "+@")};
    return starts_with_any(address, prefixes) || starts_with_any(address, whole) || has_word(local) ||
           ends_with(local, "-bounce") || ends_with(local, "-bounces");
}

/* Does a Return-Path or Sender field name a machine? Not by the address in From, of which only the name is
 * known (MAIL_NAMED). A forwarder's own return path says nothing, see README. */
static bool field_is_robot(const struct header *top, const char *name, const char *from, bool *own,
                           const struct message_identity *identity)
{
    struct str value = STR_INIT;
    bool robot = false;
    if (header_value(top, name, &value)) {
        char *text = value.p;
        char *open = strrchr(text, '<');
        if (open)
            text = open + 1;
        text[strcspn(text, "> \t")] = '\0';
        robot = strcasecmp(text, from) != 0 &&
                (strncasecmp(text, "mailer-daemon", 13) == 0 || strncasecmp(text, "postmaster@", 11) == 0 ||
                 strncasecmp(text, "owner-", 6) == 0);
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
    while (len < word->len &&
           (isalpha((unsigned char)word->p[len]) || word->p[len] == '-' || word->p[len] == '_'))
        len++;
    str_cut(word, len);
    return there;
}

static bool is_own_mail(const struct message *msg, const struct header *top,
                        const struct message_identity *identity)
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

/* Mail programs of firms, and senders of much mail, let people unsubscribe from one person's mails, too (RFC 8058). */
static bool is_list(const struct header *top)
{
    for (size_t i = 0; i < top->count; i++)
        if (slice_casestarts(top->fields[i].name, "List-") &&
            !slice_casestarts(top->fields[i].name, "List-Unsubscribe"))
            return true;
    return header_count(top, "Mailing-List") > 0;
}

/* As programs begin it that answer for somebody who is away. */
static bool says_automatic(const char *subject)
{
    static const char *const beginnings[] = {"Automatic reply:",
                                             "Auto-reply:",
                                             "Autoreply:",
                                             "Out of office:",
                                             "Out of office autoreply:",
                                             "Automatische Antwort:",
                                             "Abwesenheitsnotiz:",
                                             "R\xC3\xA9ponse automatique",
                                             "Respuesta autom\xC3\xA1tica:",
                                             "Resposta autom\xC3\xA1tica:",
                                             "Risposta automatica:",
                                             "Automatisch antwoord:",
                                             NULL};
    return starts_with_any(subject, beginnings);
}

/* Does the field's value begin with one of the words? */
static bool field_says(const struct header *top, const char *name, const char *const *list)
{
    struct str word = STR_INIT;
    bool says = field_word(top, name, &word) && starts_with_any(word.p, list);
    str_release(&word);
    return says;
}

static bool is_automatic(const struct header *top)
{
    static const char *const marks[] = {"X-Autoreply",
                                        "X-Autorespond",
                                        "X-Autoresponder",
                                        "X-Failed-Recipients",
                                        "X-Mail-Autoreply",
                                        "X-MS-Exchange-Generated-Message-Source",
                                        "X-MS-Exchange-Inbox-Rules-Loop",
                                        NULL};
    static const char *const precedences[] = {"junk", "list", "auto_reply", NULL};
    struct str word = STR_INIT;
    bool found = facts_null_return(top) || field_says(top, "Precedence", precedences);
    if (!found && field_word(top, "Auto-Submitted", &word))
        found = strcasecmp(word.p, "no") != 0;
    if (!found && header_value(top, "Content-Type", &word))
        found = strncasecmp(word.p, "multipart/report", 16) == 0;
    for (size_t i = 0; !found && marks[i]; i++)
        found = header_count(top, marks[i]) > 0;
    str_release(&word);
    return found;
}

enum message_kind facts_kind(const struct message *msg, const struct header *top,
                             const struct message_identity *identity)
{
    bool own = is_own_mail(msg, top, identity);
    bool robot = field_is_robot(top, "Return-Path", msg->from, &own, identity);
    robot = field_is_robot(top, "Sender", msg->from, &own, identity) || robot;
    if (own)
        return MAIL_OWN;
    if (is_list(top))
        return MAIL_LIST;
    if (robot || is_automatic(top) || says_automatic(msg->subject))
        return MAIL_AUTO;
    bool bulk = field_says(top, "Precedence", (const char *const[]){"bulk", NULL});
    bool named = is_robot(msg->from) || header_count(top, "List-Unsubscribe");
    return bulk && named ? MAIL_AUTO : bulk ? MAIL_BULK : named ? MAIL_NAMED : MAIL_PERSON;
}

/* ---- reactions ---- */

/* What Outlook writes for those who do not see its buttons, below a picture or its name: "[like] Anna Example reacted to
 * your message:". */
static const char *const reactions[] = {"reacted to your message",
                                        "liked your message",
                                        "loved your message",
                                        "laughed at your message",
                                        "hat auf Ihre Nachricht reagiert",
                                        "hat auf deine Nachricht reagiert",
                                        "a r\303\251agi \303\240 votre message",
                                        "reaccion\xC3\xB3 a tu mensaje",
                                        "reaccion\xC3\xB3 a su mensaje",
                                        "ha reaccionado a tu mensaje",
                                        "ha reaccionado a su mensaje",
                                        "reagiu \xC3\xA0 sua mensagem",
                                        "reagiu \xC3\xA0 tua mensagem",
                                        "ha reagito al tuo messaggio",
                                        "heeft gereageerd op uw bericht",
                                        "heeft gereageerd op je bericht",
                                        NULL};
static const char *const buttons[] = {"[like]",      "[heart]", "[celebrate]", "[laugh]",
                                      "[surprised]", "[sad]",   NULL};

/* The next line with something in it. */
static bool next_line(struct slice *text, struct slice *line)
{
    while (slice_line(text, line)) {
        *line = slice_trim(*line);
        if (line->len)
            return true;
    }
    return false;
}

/* A rule, a quoted line, or a field such as "From:", in whatever language. */
static bool begins_quote(struct slice line)
{
    size_t colon = slice_find(line, ":");
    return slice_starts(line, "____") || slice_starts(line, "----") || slice_starts(line, ">") ||
           (colon < 24 && colon < line.len && slice_find(line, " ") > colon);
}

bool facts_reacts(struct slice text)
{
    struct slice line, rest = text;
    if (!next_line(&rest, &line) || line.len > 300 || slice_starts(line, ">") || line.p[line.len - 1] != ':')
        return false;
    line = slice_trim(slice_sub(line, 0, line.len - 1));
    bool reacts = false;
    for (size_t i = 0; !reacts && buttons[i]; i++)
        reacts = slice_casestarts(line, buttons[i]);
    for (size_t i = 0; !reacts && reactions[i]; i++)
        reacts = ends_with(line, reactions[i]);
    return reacts && (!next_line(&rest, &line) || begins_quote(line));
}
