#include "mail/smtp_link.h"

#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mail/nap.h"
#include "mail/status.h"
#include "base/clock.h"

#define SLOWEST_LINE 8192 /* bytes a second */
#define LINE_MOST    4096 /* bytes of a line of an answer; RFC 5321 allows 512 */
#define LINES_MOST   200  /* of one answer */

int smtp_link_begin(struct smtp_link *link, const struct server *server, struct err *err)
{
    *link = (struct smtp_link){.ahead = STR_INIT};
    return dial_begin(&link->dial, DIAL_SMTP, server, err);
}

/* ---- bytes ---- */

static void set_reason(struct smtp_link *link, const char *reason)
{
    (void)snprintf(link->dial.reason, sizeof link->dial.reason, "%s", reason);
}

static enum smtp_result lost(struct smtp_link *link, const char *reason)
{
    set_reason(link, reason);
    link->open = false;
    return SMTP_LOST;
}

static int64_t silence_ms(const struct smtp_link *link)
{
    const struct server *server = link->dial.server;
    return (int64_t)(server->timeout > 0 ? server->timeout : 60) * 1000;
}

/* Waits until the socket is ready, at most until `patience` or the mail's deadline; SMTP_SENT when it is. */
static enum smtp_result await(struct smtp_link *link, short events)
{
    curl_socket_t fd = CURL_SOCKET_BAD;
    if (curl_easy_getinfo(link->dial.curl, CURLINFO_ACTIVESOCKET, &fd) != CURLE_OK || fd == CURL_SOCKET_BAD)
        return lost(link, "the connection is gone");
    for (;;) {
        int64_t now = clock_milliseconds();
        int64_t left = link->patience - now;
        if (link->deadline - now < left)
            left = link->deadline - now;
        struct pollfd poll_fd = {.fd = fd, .events = events};
        if (left > 0 && poll(&poll_fd, 1, (int)left) > 0)
            return SMTP_SENT;
        if (left > 0)
            continue;
        link->open = false;
        set_reason(link, "timeout, it did not answer");
        return SMTP_SILENT;
    }
}

static enum smtp_result send_bytes(struct smtp_link *link, struct slice bytes)
{
    enum smtp_result result = SMTP_SENT;
    link->patience = clock_milliseconds() + silence_ms(link);
    while (bytes.len && result == SMTP_SENT) {
        size_t sent = 0;
        CURLcode code = curl_easy_send(link->dial.curl, bytes.p, bytes.len, &sent);
        if (code != CURLE_OK && code != CURLE_AGAIN)
            return lost(link, curl_easy_strerror(code));
        if (sent)
            link->patience = clock_milliseconds() + silence_ms(link);
        bytes = slice_sub(bytes, sent, bytes.len);
        if (bytes.len && !sent)
            result = await(link, POLLOUT);
    }
    return result;
}

/* Gets some more bytes into `ahead`. */
static enum smtp_result receive(struct smtp_link *link)
{
    for (;;) {
        size_t got = 0;
        str_reserve(&link->ahead, LINE_MOST);
        CURLcode code = curl_easy_recv(link->dial.curl, link->ahead.p + link->ahead.len, LINE_MOST, &got);
        if (code == CURLE_OK && got) {
            link->ahead.len += got;
            link->ahead.p[link->ahead.len] = '\0';
            return SMTP_SENT;
        }
        if (code != CURLE_AGAIN)
            return lost(link, code == CURLE_OK ? "it closed the connection" : curl_easy_strerror(code));
        enum smtp_result result = await(link, POLLIN);
        if (result != SMTP_SENT)
            return result;
    }
}

/* Has nothing unexpected come? An extra answer would be taken for the answer to the next command. */
static bool is_quiet(struct smtp_link *link)
{
    char byte;
    size_t got = 0;
    return !link->ahead.len && curl_easy_recv(link->dial.curl, &byte, 1, &got) == CURLE_AGAIN;
}

/* ---- answers ---- */

/* Keeps a further line of an answer, whose code, and status if it has one, have been said. */
static void heard_more(struct dial *dial, struct slice line)
{
    char before[DIAL_WORDS];
    struct mail_status ignored;
    memcpy(before, dial->words, sizeof before);
    before[3] = ' '; /* for "-": it goes on */
    dial_heard(dial, line);
    struct slice rest = slice_sub(slice_of(dial->words), 4, DIAL_WORDS);
    rest = slice_trim(slice_sub(rest, status_read(rest, &ignored), rest.len));
    char *more = slice_dup(rest);
    (void)snprintf(dial->words, sizeof dial->words, "%s %s", before, more);
    free(more);
}

/* Takes one line off `ahead`; *last at the last line of an answer. */
static enum smtp_result read_line(struct smtp_link *link, bool first, bool *last)
{
    const char *end;
    while (!(end = memchr(link->ahead.p, '\n', link->ahead.len))) {
        if (link->ahead.len > LINE_MOST)
            return lost(link, "its answer is not SMTP");
        enum smtp_result result = receive(link);
        if (result != SMTP_SENT)
            return result;
    }
    size_t len = (size_t)(end - link->ahead.p) + 1;
    struct slice line = slice_trim((struct slice){link->ahead.p, len});
    if (first)
        dial_heard(&link->dial, line);
    else
        heard_more(&link->dial, line);
    *last = line.len == 3 || (line.len > 3 && line.p[3] != '-');
    bool good = link->dial.answer >= 200 && link->dial.answer < 600;
    memmove(link->ahead.p, link->ahead.p + len, link->ahead.len - len);
    str_cut(&link->ahead, link->ahead.len - len);
    return good ? SMTP_SENT : lost(link, "its answer is not SMTP");
}

/* The next answer: SMTP_SENT when it begins with `digit`, SMTP_ANSWER for 4xx and 5xx; anything else means
 * that the two sides are out of step. A server that says 421 hangs up. */
static enum smtp_result read_answer(struct smtp_link *link, enum dial_stage stage, int digit)
{
    bool last = false;
    link->patience = clock_milliseconds() + silence_ms(link); /* for the whole of it, not for each byte */
    link->dial.stage = stage;
    link->dial.answer = 0;
    for (int lines = 0; !last; lines++) {
        enum smtp_result result =
            lines < LINES_MOST ? read_line(link, lines == 0, &last) : lost(link, "its answer is too long");
        if (result != SMTP_SENT) {
            link->dial.answer = 0;
            return result;
        }
    }
    if (link->dial.answer == 421)
        link->open = false;
    if (link->dial.answer / 100 == digit)
        return SMTP_SENT;
    if (link->dial.answer >= 400)
        return SMTP_ANSWER;
    link->dial.answer = 0;
    return lost(link, "its answer does not fit the command");
}

/* ---- one mail ---- */

/* The text with dots doubled and the line that ends it. */
static void wrap_text(struct str *out, struct slice text)
{
    bool line_start = true;
    str_reserve(out, text.len + text.len / 64 + 8);
    while (text.len) {
        const char *end = memchr(text.p, '\n', text.len);
        size_t len = end ? (size_t)(end - text.p) + 1 : text.len;
        if (line_start && text.p[0] == '.')
            str_addc(out, '.');
        str_add(out, text.p, len);
        line_start = end != NULL;
        text = slice_sub(text, len, text.len);
    }
    str_adds(out, str_ends(out->p, "\r\n") || !out->len ? ".\r\n" : "\r\n.\r\n");
}

/* A command before the text. */
struct command {
    struct str line;
    enum dial_stage stage; /* the stage it begins; DIAL_CONNECT: not part of the mail (RSET) */
    int digit;             /* first digit of a good answer */
};

static size_t make_commands(const struct smtp_link *link, const struct outgoing *mail,
                            struct command commands[4])
{
    size_t count = 0;
    for (int i = 0; i < 4; i++)
        str_init(&commands[i].line);
    if (link->reset) {
        commands[count] = (struct command){STR_INIT, DIAL_CONNECT, 2};
        str_adds(&commands[count++].line, "RSET\r\n");
    }
    commands[count] = (struct command){STR_INIT, DIAL_MAIL, 2};
    str_addf(&commands[count].line, "MAIL FROM:<%s>", mail->envelope_from);
    if (link->dial.has_size)
        str_addf(&commands[count].line, " SIZE=%zu", mail->mail.len);
    str_adds(&commands[count++].line, "\r\n");
    commands[count] = (struct command){STR_INIT, DIAL_RCPT, 2};
    str_addf(&commands[count++].line, "RCPT TO:<%s>\r\n", mail->envelope_to);
    commands[count] = (struct command){STR_INIT, DIAL_DATA, 3};
    str_adds(&commands[count++].line, "DATA\r\n");
    return count;
}

/* Reads the answer to a command. A server that refuses RSET is abandoned: the mail is not to blame. */
static enum smtp_result command_answer(struct smtp_link *link, const struct command *command)
{
    enum smtp_result result = read_answer(link, command->stage, command->digit);
    if (result != SMTP_ANSWER || command->stage != DIAL_CONNECT)
        return result;
    link->dial.answer = 0;
    return lost(link, "it does not take RSET");
}

/* What a refusal was, kept while the other answers of its group are read. */
struct refusal {
    char words[DIAL_WORDS];
    int answer;
    enum dial_stage stage;
};

/* Reads the answers to all commands of a group. The first refusal counts; if the server asks for the text
 * nevertheless, it gets none. */
static enum smtp_result group_answers(struct smtp_link *link, const struct command *commands, size_t count)
{
    struct refusal first = {.answer = 0};
    struct dial *dial = &link->dial;
    enum smtp_result result = SMTP_SENT;
    for (size_t i = 0; i < count; i++) {
        result = command_answer(link, &commands[i]);
        if (result == SMTP_LOST || result == SMTP_SILENT)
            break;
        if (result == SMTP_ANSWER && !first.answer) {
            memcpy(first.words, dial->words, sizeof first.words);
            first.answer = dial->answer;
            first.stage = dial->stage;
        }
        if (!link->open)
            break;
    }
    /* RFC 2920 would send a lone dot here, but that could deliver an empty mail. */
    if (first.answer && result == SMTP_SENT)
        link->open = false; /* 354 to DATA */
    if (!first.answer)
        return result;
    memcpy(dial->words, first.words, sizeof first.words);
    dial->answer = first.answer;
    dial->stage = first.stage;
    return SMTP_ANSWER;
}

static enum smtp_result say_commands(struct smtp_link *link, const struct command *commands, size_t count)
{
    enum smtp_result result = SMTP_SENT;
    if (link->dial.has_pipelining) {
        struct str all = STR_INIT;
        for (size_t i = 0; i < count; i++)
            str_addslice(&all, slice_str(&commands[i].line));
        link->dial.stage = DIAL_MAIL;
        result = send_bytes(link, slice_str(&all));
        str_release(&all);
        return result == SMTP_SENT ? group_answers(link, commands, count) : result;
    }
    for (size_t i = 0; i < count && result == SMTP_SENT; i++) {
        link->dial.stage = commands[i].stage;
        result = send_bytes(link, slice_str(&commands[i].line));
        if (result == SMTP_SENT)
            result = command_answer(link, &commands[i]);
    }
    return result;
}

static enum smtp_result try_once(struct smtp_link *link, const struct outgoing *mail)
{
    struct command commands[4];
    struct str text = STR_INIT;
    size_t count = make_commands(link, mail, commands);
    link->deadline =
        clock_milliseconds() + 4 * silence_ms(link) + (int64_t)(mail->mail.len / SLOWEST_LINE) * 1000;
    enum smtp_result result = say_commands(link, commands, count);
    link->reset = result == SMTP_ANSWER;
    if (result == SMTP_SENT && !is_quiet(link))
        result = lost(link, "it gives answers that nobody asked for");
    if (result == SMTP_SENT) {
        wrap_text(&text, slice_str(&mail->mail));
        result = send_bytes(link, slice_str(&text));
        if (result == SMTP_SENT)
            result = read_answer(link, DIAL_TEXT, 2);
    }
    for (size_t i = 0; i < count; i++)
        str_release(&commands[i].line);
    str_release(&text);
    return result;
}

static int link_open(struct smtp_link *link, struct err *err)
{
    const struct server *server = link->dial.server;
    link->open = false;
    if (link->used) { /* a handle keeps its old connection: a new one for a new connection */
        dial_end(&link->dial);
        if (dial_begin(&link->dial, DIAL_SMTP, server, err))
            return -1;
    }
    str_clear(&link->ahead);
    link->reset = false;
    link->used = true;
    if (dial_connect(&link->dial, err))
        return -1;
    link->open = true;
    return 0;
}

/* Servers hang up after some number of mails or minutes; found out at the next MAIL command, before anything
 * was sent. */
static bool hung_up(const struct smtp_link *link, enum smtp_result result)
{
    const struct dial *dial = &link->dial;
    return (result == SMTP_LOST && dial->stage < DIAL_DATA && dial->answer == 0) ||
           (result == SMTP_ANSWER && dial->stage < DIAL_DATA && dial->answer == 421);
}

enum smtp_result smtp_link_send(struct smtp_link *link, const struct outgoing *mail, struct err *err)
{
    bool before = link->open && is_quiet(link); /* a server that hung up has sent something */
    if (!before && link_open(link, err))
        return SMTP_NOWHERE;
    dial_reset(&link->dial);
    enum smtp_result result = try_once(link, mail);
    if (before && hung_up(link, result)) {
        if (link_open(link, err))
            return SMTP_NOWHERE;
        dial_reset(&link->dial);
        result = try_once(link, mail);
    }
    return result;
}

void smtp_link_end(struct smtp_link *link)
{
    size_t sent;
    if (link->open)
        (void)curl_easy_send(link->dial.curl, "QUIT\r\n", 6, &sent);
    dial_end(&link->dial);
    str_release(&link->ahead);
}
