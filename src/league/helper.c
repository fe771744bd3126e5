#include "league/helper.h"

#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#include "base/exact.h"
#include "base/mem.h"
#include "base/private.h"

#define MAIL_MOST    ((uint64_t)64 << 20)
#define ADDRESS_MOST 254
#define WORDS_MOST   8192

enum task { TASK_INCOMING = LEAGUE_INCOMING, TASK_OUTGOING = LEAGUE_OUTGOING, TASK_SENDMAIL };

/* Between two processes of one program: plain structs. */
struct request {
    uint32_t task;
    uint32_t from, to; /* bytes that follow: the sender, the recipient, the mail */
    uint64_t mail;
};
struct reply {
    int32_t failed; /* then the words are those of the error */
    uint32_t error; /* its enum err_code */
    int32_t code;   /* exit code of sendmail */
    int32_t none;   /* there is no secret */
    uint32_t len;   /* bytes that follow */
};

/* ---- asking ---- */

static int gone(struct err *err)
{
    return err_set(err, ERR_TEMP, "the process that runs commands has ended");
}

/* Reads the answer to a request that has been sent. `words` has room for `most` bytes and a NUL. */
static int hear(int fd, struct reply *reply, char *words, size_t most, struct err *err)
{
    if (exact_get(fd, reply, sizeof *reply) != 0 || reply->len > most ||
        exact_get(fd, words, reply->len) != 0)
        return gone(err);
    words[reply->len] = '\0';
    return reply->failed ? err_set(err, (enum err_code)reply->error, "%s", words) : 0;
}

int helper_secret(int fd, enum league_side side, char **secret, struct err *err)
{
    const struct request request = {.task = (uint32_t)side};
    struct reply reply = {0};
    char *words = mem_alloc(PRIVATE_MAX + 1);
    int rc = exact_put(fd, &request, sizeof request) ? gone(err) : hear(fd, &reply, words, PRIVATE_MAX, err);
    *secret = rc == 0 && !reply.none ? mem_strdup(words) : NULL;
    sodium_memzero(words, PRIVATE_MAX + 1);
    free(words);
    return rc;
}

int helper_sendmail(const struct sink *sink, const struct sendmail_mail *mail, struct sendmail_end *end,
                    struct err *err)
{
    const struct request request = {TASK_SENDMAIL, (uint32_t)strlen(mail->from), (uint32_t)strlen(mail->to),
                                    mail->text.len};
    struct reply reply = {0};
    char words[WORDS_MOST + 1];
    int fd = sink->run_arg;
    if (exact_put(fd, &request, sizeof request) || exact_put(fd, mail->from, request.from) ||
        exact_put(fd, mail->to, request.to) || exact_put(fd, mail->text.p, mail->text.len))
        return gone(err);
    if (hear(fd, &reply, words, WORDS_MOST, err))
        return -1;
    end->code = reply.code;
    str_adds(&end->words, words);
    return 0;
}

/* ---- serving ---- */

static int answer(int fd, struct reply *reply, struct slice words, const struct err *why)
{
    if (reply->failed) {
        reply->error = (uint32_t)why->code;
        words = slice_of(why->text);
    }
    reply->len = (uint32_t)words.len;
    return exact_put(fd, reply, sizeof *reply) || exact_put(fd, words.p, words.len) ? 1 : 0;
}

static int serve_secret(int fd, const struct league *league, enum league_side side)
{
    struct err why = ERR_INIT;
    char *secret = NULL;
    struct reply reply = {.failed = league_secret(league, side, &secret, &why) != 0};
    reply.none = !secret;
    int rc = answer(fd, &reply, slice_of(secret ? secret : ""), &why);
    if (secret)
        sodium_memzero(secret, strlen(secret));
    free(secret);
    return rc;
}

static int serve_sendmail(int fd, const struct league *league, const struct request *request, struct err *err)
{
    struct str from = STR_INIT, to = STR_INIT, mail = STR_INIT;
    struct sendmail_end end = {0, STR_INIT};
    struct sink sink;
    char *none = NULL;
    int rc = exact_get_str(fd, request->from, &from) || exact_get_str(fd, request->to, &to) ||
                     exact_get_str(fd, (size_t)request->mail, &mail)
                 ? err_set(err, ERR_BROKEN, "a mail that was to be sent came by half")
                 : league_sink(league, &sink, &none, err);
    if (rc == 0) {
        struct err why = ERR_INIT;
        const struct sendmail_mail one = {from.p, to.p, slice_str(&mail)};
        struct reply reply = {.failed = sendmail_run(&sink, &one, &end, &why) != 0};
        reply.code = end.code;
        str_cut(&end.words, WORDS_MOST);
        rc = answer(fd, &reply, slice_str(&end.words), &why);
    }
    str_release(&end.words);
    str_release(&from);
    str_release(&to);
    str_release(&mail);
    return rc;
}

int helper_serve(int fd, const struct league *league, struct err *err)
{
    struct request request;
    int got = exact_get(fd, &request, sizeof request);
    if (got > 0)
        return 1;
    if (got == 0 && (request.task == TASK_INCOMING || request.task == TASK_OUTGOING))
        return serve_secret(fd, league, (enum league_side)request.task);
    bool fits = got == 0 && request.task == TASK_SENDMAIL && league->config.outgoing.type == SINK_SENDMAIL &&
                request.from <= ADDRESS_MOST && request.to <= ADDRESS_MOST && request.mail <= MAIL_MOST;
    return fits ? serve_sendmail(fd, league, &request, err)
                : err_set(err, ERR_BROKEN, "it asked for what there is not");
}
