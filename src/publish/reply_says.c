#include "publish/reply_says.h"

#include <stdlib.h>
#include <string.h>

#include "base/encode.h"
#include "base/file.h"
#include "letters/vouching.h"
#include "mail/mbox.h"
#include "mail/message.h"
#include "orders/typed.h"
#include "play/replies.h"
#include "trust/canon.h"

#define GAMES_MOST 20 /* of an answer to a digest */

/* ---- what was typed, line by line ---- */

/* Lines about the game of the record. */
struct said {
    struct str orders;    /* each with its LF */
    struct str questions; /* that are words of its language; below the orders, where there are any */
    bool agrees;          /* "ok" */
    bool picks;           /* a number, or a line of the form: what it stands for is not in the mail */
    bool undoes;          /* "undo" */
    bool final;           /* "final" */
    bool messages; /* they end a question about an earlier answer, and the orders in force are given again */
    bool beside;   /* lines for which the league had to ask */
};

/* Lines that say nothing to us say nothing here. */
static void sort(struct said *said, const struct typed *typed)
{
    for (size_t i = 0; i < typed->count; i++) {
        const struct typed_line *line = &typed->lines[i];
        if (line->is == TYPED_IS_ORDER)
            str_addf(line->asks ? &said->questions : &said->orders, "%.*s\n", (int)line->text.len,
                     line->text.p);
        said->agrees |= line->is == TYPED_IS_OK;
        said->picks |= line->doubt == DOUBT_NUMBER;
        said->undoes |= line->is == TYPED_IS_UNDO;
        said->final |= line->is == TYPED_IS_FINAL;
        said->messages |= line->is == TYPED_IS_PRESS;
        said->beside |= typed_talks(line) && line->doubt != DOUBT_NONE;
        said->beside |= line->is == TYPED_IS_STOP || line->is == TYPED_IS_JOIN || line->is == TYPED_IS_WISH;
    }
    if (said->orders.len)
        str_addslice(&said->orders, slice_str(&said->questions));
}

/* Recorded texts are in canonical form, what was typed need not be. */
static bool same_orders(struct slice said, struct slice body)
{
    struct str one = STR_INIT, other = STR_INIT;
    canon_text(&one, said);
    canon_text(&other, body);
    bool same = one.len == other.len && memcmp(one.p, other.p, one.len) == 0;
    str_release(&one);
    str_release(&other);
    return same;
}

/* "undo", and "final" or "ok" alone: the orders in force, which then wait for better ones, or do not. They are known
 * where the rules are played. */
static enum audit_says judge_again(const struct audit_mail *mail)
{
    const struct game_orders *orders = &mail->game->seat[mail->seat].orders;
    if (!orders->in || !orders->text.len)
        return AUDIT_SAYS_AGREED;
    return same_orders(slice_str(&orders->text), mail->frame->body) ? AUDIT_SAYS_SAME : AUDIT_SAYS_OTHER;
}

/* Are all these lines among those of the body, in this order? */
static bool holds_orders(struct slice body, struct slice said)
{
    struct slice line, one = {"", 0};
    bool found = true;
    while (found && slice_line(&said, &line))
        for (found = false; !found && slice_line(&body, &one);)
            found = same_orders(line, one);
    return found;
}

static enum audit_says judge_said(const struct audit_mail *mail, const struct said *said)
{
    const struct frame *frame = mail->frame;
    const bool typed = said->orders.len > 0, alone = !said->beside && !said->agrees && !said->undoes;
    if (!typed && said->undoes && !said->agrees && !said->beside && !frame->final)
        return frame->wait ? judge_again(mail) : AUDIT_SAYS_OTHER;
    if (!typed && said->agrees) /* to what, is not in it; where they wait, to "undo" */
        return frame->wait && judge_again(mail) == AUDIT_SAYS_OTHER ? AUDIT_SAYS_OTHER : AUDIT_SAYS_AGREED;
    if (frame->wait)
        return AUDIT_SAYS_OTHER;
    if (said->agrees) /* "ok" beside orders is the first choice of a list, which is not in it either */
        return frame->final == said->final && holds_orders(frame->body, slice_str(&said->orders))
                   ? AUDIT_SAYS_AGREED
                   : AUDIT_SAYS_OTHER;
    if (frame->final != said->final)
        return AUDIT_SAYS_OTHER;
    if (!typed && !said->picks)
        return (said->final || said->messages) && alone ? judge_again(mail) : AUDIT_SAYS_OTHER;
    if (typed && same_orders(slice_str(&said->orders), frame->body))
        return alone && !said->picks ? AUDIT_SAYS_SAME : AUDIT_SAYS_AMONG;
    return said->picks && holds_orders(frame->body, slice_str(&said->orders)) ? AUDIT_SAYS_AGREED
                                                                              : AUDIT_SAYS_OTHER;
}

/* ---- messages, and what else is typed in place of orders ---- */

struct said_message {
    struct slice to, words;
    bool nameless;
};

/* "to: bob", perhaps "from: nobody", and one line of words, as which a message is recorded that was typed; else *to is empty. */
static bool read_message(struct slice body, struct said_message *message)
{
    struct slice line, more;
    *message = (struct said_message){{"", 0}, {"", 0}, false};
    bool good =
        slice_line(&body, &line) && slice_casestarts(line, "to:") && slice_line(&body, &message->words);
    message->nameless = good && slice_eq(message->words, "from: nobody");
    good = good && (!message->nameless || slice_line(&body, &message->words)) && !slice_line(&body, &more);
    message->to = good ? slice_trim(slice_sub(line, 3, line.len)) : (struct slice){"", 0};
    return good && message->to.len && !slice_casestarts(message->words, "from:") &&
           !slice_casestarts(message->words, "re:");
}

static bool has_message(const struct typed *typed, const struct said_message *message)
{
    for (size_t i = 0; i < typed->count; i++) {
        const struct typed_line *line = &typed->lines[i];
        if (line->is == TYPED_IS_PRESS && line->nameless == message->nameless &&
            same_orders(line->name, message->to) && same_orders(line->text, message->words))
            return true;
    }
    return false;
}

/* The ships that are wished for beside the "ok", or none. */
static bool same_wish(const struct audit_mail *mail, const struct typed *typed)
{
    const char *name = mail->game->ruleset->words.wish.line;
    struct slice said = typed_wish(typed), made = {"", 0};
    if (name)
        (void)frame_line(mail->frame->body, name, &made);
    return same_orders(said, made);
}

static enum audit_says judge_extend(const struct audit_mail *mail, const struct typed *typed)
{
    struct str body = STR_INIT;
    enum audit_says says = AUDIT_SAYS_OTHER;
    for (size_t i = 0; i < typed->count && says == AUDIT_SAYS_OTHER; i++) {
        const struct typed_line *line = &typed->lines[i];
        str_clear(&body);
        str_addf(&body, "hours: %.*s\n", (int)line->text.len, line->text.p);
        if (line->is == TYPED_IS_EXTEND && same_orders(slice_str(&body), mail->frame->body))
            says = AUDIT_SAYS_SAME;
        else if (line->is == TYPED_IS_OK) /* to a question about it */
            says = AUDIT_SAYS_AGREED;
    }
    str_release(&body);
    return says;
}

static bool agrees(const struct typed *typed)
{
    bool agreed = false;
    for (size_t i = 0; i < typed->count; i++)
        agreed |= typed->lines[i].is == TYPED_IS_OK;
    return agreed;
}

/* Of the turn that it names, or of the last one. */
static enum audit_says judge_appeal(const struct audit_mail *mail, const struct typed *typed)
{
    for (size_t i = 0; i < typed->count; i++) {
        const struct typed_line *line = &typed->lines[i];
        if (line->is == TYPED_IS_APPEAL && (line->number < 0 || line->number == mail->frame->turn) &&
            same_orders(line->text, slice_trim(mail->frame->body)))
            return AUDIT_SAYS_SAME;
    }
    return agrees(typed) ? AUDIT_SAYS_AGREED : AUDIT_SAYS_OTHER;
}

/* What is asked back, and agreed to by "ok" (petitions/reply_petition.h), and what no line can say. */
static enum audit_says judge_wish(const struct audit_mail *mail, const struct typed *typed)
{
    bool agreed = agrees(typed), joins = strcmp(mail->frame->verb, "join") == 0;
    for (size_t i = 0; i < typed->count; i++)
        agreed |= joins && typed->lines[i].is == TYPED_IS_JOIN;
    return agreed && same_wish(mail, typed) ? AUDIT_SAYS_AGREED : AUDIT_SAYS_OTHER;
}

static enum audit_says judge_text(const struct audit_mail *mail, const struct typed *typed)
{
    struct said_message message;
    enum audit_says says;
    if (strcmp(mail->frame->verb, "extend") == 0)
        says = judge_extend(mail, typed);
    else if (strcmp(mail->frame->verb, "appeal") == 0)
        says = judge_appeal(mail, typed);
    else if (strcmp(mail->frame->verb, "press") != 0)
        says = judge_wish(mail, typed);
    else if (!read_message(mail->frame->body, &message))
        says = AUDIT_SAYS_AGREED;
    else
        says = has_message(typed, &message) ? AUDIT_SAYS_SAME
               : agrees(typed)              ? AUDIT_SAYS_AGREED /* to a message that we asked about */
                                            : AUDIT_SAYS_OTHER;
    return says == AUDIT_SAYS_SAME && typed->kind == TYPED_UNSURE ? AUDIT_SAYS_AMONG : says;
}

/* What was typed below the quote has to be asked about, with what was typed above it. Of several games the first one is that
 * of the record: lines about others are another text. */
static enum audit_says judge(const struct audit_mail *mail, const struct reply *reply,
                             const struct typed_by *by)
{
    const struct typed_by own = {by->games, 1, by->names};
    struct typed all, typed, below;
    struct str part = STR_INIT;
    struct slice lines = slice_str(&reply->typed);
    struct said said = {.orders = STR_INIT, .questions = STR_INIT};
    if (by->game_count > 1) {
        typed_read(lines, by, &all);
        typed_part(&part, &all, 0);
        typed_release(&all);
        lines = slice_str(&part);
    }
    typed_read(lines, &own, &typed);
    typed_read(slice_str(&reply->below), by, &below);
    sort(&said, &typed);
    said.beside |=
        below.kind != TYPED_NOTHING ||
        (by->game_count <= 1 && typed_talks_around(&typed, slice_str(&reply->typed), reply->under));
    typed_release(&below);
    enum audit_says says =
        mail->frame->kind == FRAME_ORDERS ? judge_said(mail, &said) : judge_text(mail, &typed);
    str_release(&part);
    str_release(&said.orders);
    str_release(&said.questions);
    typed_release(&typed);
    return says;
}

/* ---- answers to digests ---- */

/* Of a mail of ours: "#-k3v7q2m5xwtrabcd-# gc-1, turn 5, ...". The next one from `rest` on; a digest begins with a day. */
static bool next_game(struct slice *rest, struct slice *name)
{
    struct slice line, nonce;
    while (slice_line(rest, &line)) {
        const size_t at = reply_boundary_find(line, &nonce);
        line = at == (size_t)-1 ? (struct slice){"", 0} : slice_sub(line, at + REPLY_NONCE + 4, line.len);
        if (!slice_word(&line, name))
            continue;
        name->len -= name->p[name->len - 1] == ',';
        return true;
    }
    return false;
}

static bool is_about(struct slice text, struct slice game)
{
    struct slice name;
    bool about = false;
    while (!about && next_game(&text, &name))
        about = name.len == game.len && strncasecmp(name.p, game.p, name.len) == 0;
    return about;
}

/* Names in front of lines, "gc-2: build": other games that the digest is about, whose language an auditor does not know. */
struct names {
    char name[GAMES_MOST][FRAME_GAME];
    size_t count;
};

static void find_names(struct names *names, struct slice typed, struct slice quoted, const char *own)
{
    struct slice line, word;
    for (size_t i = 0; i < TYPED_LINES && names->count < GAMES_MOST && slice_line(&typed, &line); i++) {
        const size_t colon = slice_find(line, ":");
        struct slice rest = slice_sub(line, 0, colon), name = {"", 0};
        while (slice_word(&rest, &word)) /* behind a bullet */
            name = word;
        bool known = colon >= line.len || !name.len || name.len >= FRAME_GAME || slice_caseeq(name, own);
        for (size_t k = 0; k < names->count && !known; k++)
            known = slice_caseeq(name, names->name[k]);
        if (known || !is_about(quoted, name))
            continue;
        memcpy(names->name[names->count], name.p, name.len);
        names->name[names->count++][name.len] = '\0';
    }
}

/* `from` is the name in the mail's From, under which people sign. */
static enum audit_says read_typed(const struct audit_mail *mail, const struct reply_mail *fields,
                                  const struct reply *reply, const char *from)
{
    const struct game *game = mail->game;
    struct slice rest = slice_of(from), word = {"", 0};
    (void)slice_word(&rest, &word);
    char *first = slice_dup(word);
    const char *const people[] = {game->seat[mail->seat].player, from, first, NULL};
    const char *verb = mail->frame->verb; /* ships are wished for where somebody joins, and nowhere else */
    bool joins = strcmp(verb, "orders") != 0 && strcmp(verb, "press") != 0 && strcmp(verb, "extend") != 0;
    struct typed_game games[GAMES_MOST + 2] = {{.id = game->id,
                                                .language = game->ruleset->language,
                                                .wish = joins ? game->ruleset->words.wish.line : NULL}};
    struct typed_by by = {games, 1, people};
    struct names names = {.count = 0};
    struct reply_whole whole;
    reply_whole(&whole, fields);
    struct slice quoted = whole.count ? slice_str(&whole.text[0]) : (struct slice){"", 0}, begins = quoted;
    const bool digest = next_game(&begins, &word) && !slice_eq(word, game->id);
    if (digest)
        find_names(&names, slice_str(&reply->typed), quoted, game->id);
    reply_whole_release(&whole);
    for (size_t i = 0; i < names.count; i++)
        games[by.game_count++] =
            (struct typed_game){.id = names.name[i], .language = game->ruleset->language};
    if (digest && !names.count) /* others, that no line names: lines without a name are about none */
        games[by.game_count++] = (struct typed_game){.id = ":", .language = game->ruleset->language};
    enum audit_says says = judge(mail, reply, &by);
    if (says == AUDIT_SAYS_OTHER && digest && !names.count) /* or there were none */
        says = judge(mail, reply, &(struct typed_by){games, 1, people});
    free(first);
    return says;
}

/* ---- the whole ---- */

/* Are the text of the record, but for its orders, and the date as the league takes them from this mail? */
static bool is_made_of(const struct audit_mail *mail)
{
    char nonce[17];
    hex_to(nonce, mail->claim->content, 8);
    if (!mail->frame || mail->frame->kind != FRAME_ORDERS)
        return mail_date(mail->raw) == mail->sent;
    return strcmp(mail->frame->nonce, nonce) == 0 && mail_date(mail->raw) == mail->sent && !mail->frame->json;
}

/* Do its orders answer the last record of the turn that it names? Of other texts, does it name one of the turn, or the
 * first one of the game? A message depends on no turn: the game is enough. */
static bool is_bound(const struct audit_mail *mail, const struct reply_mail *fields,
                     const struct message *msg)
{
    struct reply_whole whole;
    char head[2 * HEAD_BYTES + 1];
    reply_whole(&whole, fields);
    bool bound = vouching_names(head, mail->game, msg->subject, &whole);
    if (mail->frame->kind == FRAME_ORDERS)
        bound = bound && strcmp(head, mail->frame->head) == 0;
    else
        bound = bound || vouching_names_create(mail->game, msg->subject, &whole) ||
                (strcmp(mail->frame->verb, "press") == 0 &&
                 vouching_names_game(mail->game, msg->subject, &whole));
    reply_whole_release(&whole);
    return bound;
}

static enum audit_says read_mail(const struct audit_mail *mail, const struct reply_mail *fields,
                                 const struct message *msg)
{
    struct reply reply;
    struct err err = ERR_INIT;
    enum audit_says says = AUDIT_SAYS_OTHER;
    if (reply_cut(mail->cutter, fields, (struct slice){"", 0}, &reply, &err))
        says = AUDIT_SAYS_NEWER;
    else if (!is_bound(mail, fields, msg))
        says = AUDIT_SAYS_NOWHERE;
    else if (is_made_of(mail) && (reply.fate == REPLY_TYPED || reply.fate == REPLY_HELD))
        says = read_typed(mail, fields, &reply, msg->from_name);
    if (says == AUDIT_SAYS_SAME && msg->kind != MAIL_PERSON && msg->kind != MAIL_NAMED &&
        msg->kind != MAIL_BULK)
        says = AUDIT_SAYS_AMONG;
    reply_release(&reply);
    return says;
}

enum audit_says reply_says(const struct audit_mail *mail)
{
    struct reply_mail fields;
    struct message msg;
    struct str canonical = STR_INIT;
    struct err err = ERR_INIT;
    enum audit_says says = AUDIT_SAYS_OTHER;
    if (!mail->frame)
        return is_made_of(mail) ? AUDIT_SAYS_SAME : AUDIT_SAYS_OTHER;
    vouching_body(&fields, &canonical, mail->raw, mail->claim);
    if (message_parse(mail->raw, &message_limits_default, &(struct message_identity){0}, &msg, &err) == 0)
        says = read_mail(mail, &fields, &msg);
    message_release(&msg);
    str_release(&canonical);
    return says;
}
