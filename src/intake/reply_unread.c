/* Unread matter: what stands in an answer, was typed by nobody knows whom, and says nothing to us. Mail programs write
 * attributions, telephones and companies their own words below each mail, people their names; and some of it may be
 * half of what a player wanted to order, be it above what was understood or below it. It never keeps a line from being understood, but
 * orders beside it wait (play/step.h), unless the player's mails have begun or ended with it before. */
#include "intake/reply_parts.h"

#include <string.h>

#include "base/json.h"
#include "play/facts.h"

#define SHOWN_MOST 3  /* lines of unread matter that an answer shows */
#define ENDING     20 /* lines of a mail's ends that are remembered */
#define SENTENCE   4  /* words of a line above orders that may be remembered */

/* Of the mailbox and the line, digits aside. */
static void ending_digest(const struct visit *visit, struct slice line, unsigned char digest[MESSAGE_DIGEST])
{
    struct str name = STR_INIT;
    str_addf(&name, "ending of mails from %s: ", visit->msg->from);
    for (size_t i = 0; i < line.len; i++)
        str_addc(&name, line.p[i] >= '0' && line.p[i] <= '9' ? '0' : line.p[i]);
    message_digest(digest, slice_str(&name));
    str_release(&name);
}

/* Mail programs say whom they quote, whatever their language: with our address, the league's name, or a colon at the
 * end. */
static bool is_attribution(const struct answering *a, const struct typed *typed, size_t from, size_t to)
{
    const char *league = a->visit->batch->league->config.league.name;
    bool named = false;
    for (size_t i = from; i < to && !named; i++) {
        const struct slice line = typed->lines[i].line;
        named = slice_find(line, "@") < line.len || (*league && slice_find(line, league) < line.len) ||
                (i + 1 == to && line.len && line.p[line.len - 1] == ':') ||
                (i + 1 == to && line.len >= 3 && memcmp(line.p + line.len - 3, "\xEF\xBC\x9A", 3) == 0);
    }
    return named;
}

/* Above the quote: the unread lines at the end of the paragraph that stands right above it. */
static void find_attribution(const struct answering *a, size_t *from, size_t *to)
{
    struct slice all = slice_str(&a->reply.typed), above = slice_sub(all, 0, a->reply.lead), line;
    struct slice lead = slice_sub(all, a->reply.lead, a->reply.lead_end - a->reply.lead);
    size_t first = 0, end;
    while (slice_line(&above, &line))
        first++;
    for (end = first; end < a->typed.count && slice_line(&lead, &line);)
        end++;
    for (*from = end; *from > first && a->typed.lines[*from - 1].is == TYPED_IS_UNREAD;)
        (*from)--;
    *to = is_attribution(a, &a->typed, *from, end) ? end : *from;
}

/* Below what was typed: the paragraph that begins here, if it is the head of a mail. */
static size_t end_of_head(const struct answering *a, size_t from)
{
    size_t to = from;
    while (to < a->below.count && a->below.lines[to].line.len)
        to++;
    return is_attribution(a, &a->below, from, to) ? to : from;
}

/* Is the line in a paragraph in which nothing talks to us? Endings are. */
static bool is_apart(const struct typed *typed, size_t at)
{
    size_t i = at;
    while (i > 0 && typed->lines[i - 1].line.len)
        i--;
    for (; i < typed->count && typed->lines[i].line.len; i++)
        if (typed_talks(&typed->lines[i]))
            return false;
    return true;
}

static int add_unread(struct answering *a, const struct typed *typed, size_t at, struct err *err)
{
    unsigned char digest[MESSAGE_DIGEST];
    bool known = false;
    ending_digest(a->visit, typed->lines[at].line, digest);
    if (is_apart(typed, at) && batch_has_seen(a->visit->batch, digest, &known, err))
        return -1;
    if (known)
        return 0;
    a->goes_on = true;
    if (json_array_size(a->unread) < SHOWN_MOST)
        json_array_append_new(a->unread, json_pack("{s:o}", "line", facts_quote(typed->lines[at].line)));
    return 0;
}

int reply_unread(struct answering *a, struct err *err)
{
    struct str wrote = STR_INIT;
    size_t from = 0, to = 0;
    int rc = 0;
    a->unread = json_array();
    find_attribution(a, &from, &to);
    for (size_t i = 0; rc == 0 && i < a->typed.count; i++) {
        const struct typed_line *line = &a->typed.lines[i];
        if (i >= from && i < to)
            continue;
        str_addf(&wrote, "%.*s\n", (int)line->line.len, line->line.p);
        if (line->is == TYPED_IS_UNREAD)
            rc = add_unread(a, &a->typed, i, err);
    }
    for (size_t i = 0; rc == 0 && i < a->below.count; i++) {
        if (i == 0 || !a->below.lines[i - 1].line.len)
            i = end_of_head(a, i);
        if (i < a->below.count && a->below.lines[i].is == TYPED_IS_UNREAD)
            rc = add_unread(a, &a->below, i, err);
    }
    visit_typed(a->visit, slice_str(&wrote), a->place.game, a->place.turn);
    str_release(&wrote);
    return rc;
}

/* Above orders: "Here are my orders for today" may come each time; "solis" alone may be half of one. */
static bool is_sentence(struct slice line)
{
    struct slice word;
    size_t words = 0;
    while (slice_word(&line, &word))
        words++;
    return words >= SENTENCE;
}

void reply_know_ending(struct visit *visit, const struct typed *typed)
{
    size_t last = 0, kept = 0;
    for (size_t i = 0; i < typed->count; i++)
        if (typed_talks(&typed->lines[i]))
            last = i;
    for (size_t i = 0; i < typed->count && kept < ENDING; i++) {
        unsigned char digest[MESSAGE_DIGEST];
        const bool ends = i > last || is_sentence(typed->lines[i].line);
        if (typed->lines[i].is != TYPED_IS_UNREAD || !ends || !is_apart(typed, i))
            continue;
        ending_digest(visit, typed->lines[i].line, digest);
        batch_see(visit->batch, digest);
        kept++;
    }
}

int reply_meet(struct visit *visit, struct err *err)
{
    struct reply reply;
    struct typed typed;
    int rc = reply_cut(REPLY_VERSION, &visit->reading->domain->body, (struct slice){"", 0}, &reply, err);
    typed_read(slice_str(&reply.typed), &(struct typed_by){.names = (const char *const[]){NULL}}, &typed);
    if (rc == 0)
        reply_know_ending(visit, &typed);
    typed_release(&typed);
    reply_release(&reply);
    return rc;
}
