#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "mail/dial.h"
#include "mail/sink_parts.h"

#define CONNECTIONS_MAX 16
#define SLOWEST_LINE    8192 /* bytes a second */

/* Threads and not curl_multi: libcurl waits for the answer after the final dot without giving way, so one
 * handle would stop all others. One recipient a mail: each has its own fate. RFC 5321. */

/* What the threads share. */
struct queue {
    pthread_mutex_t lock;
    struct sink_run *run;
    size_t next;  /* index into run->due */
    size_t *back; /* mails that a worker gave back because it got no connection */
    size_t back_count;
    bool halt; /* going on makes no sense: `err` says why */
    struct err err;
    struct err unreachable; /* why the last worker gave up */
};

/* One try of one mail. */
enum outcome {
    OUT_SETTLE,  /* the fate is known */
    OUT_NOWHERE, /* no connection: the mail was not tried */
    OUT_HALT     /* the configuration is wrong */
};

struct upload {
    struct slice rest;
};

static size_t read_upload(char *buf, size_t size, size_t count, void *arg)
{
    struct upload *upload = arg;
    size_t n = size * count < upload->rest.len ? size * count : upload->rest.len;
    memcpy(buf, upload->rest.p, n);
    upload->rest = slice_sub(upload->rest, n, upload->rest.len);
    return n;
}

static CURLcode set_mail(CURL *curl, const struct spool_mail *mail, struct upload *upload,
                         struct curl_slist *to, bool fresh)
{
    CURLcode code = curl_easy_setopt(curl, CURLOPT_MAIL_FROM, mail->envelope_from);
    if (code == CURLE_OK)
        code = curl_easy_setopt(curl, CURLOPT_MAIL_RCPT, to);
    if (code == CURLE_OK)
        code = curl_easy_setopt(curl, CURLOPT_UPLOAD, 1L);
    if (code == CURLE_OK)
        code = curl_easy_setopt(curl, CURLOPT_READFUNCTION, read_upload);
    if (code == CURLE_OK)
        code = curl_easy_setopt(curl, CURLOPT_READDATA, upload);
    if (code == CURLE_OK)
        code = curl_easy_setopt(curl, CURLOPT_INFILESIZE_LARGE, (curl_off_t)mail->mail.len);
    if (code == CURLE_OK)
        code = curl_easy_setopt(curl, CURLOPT_FRESH_CONNECT, fresh ? 1L : 0L);
    return code;
}

static CURLcode transfer(struct dial *dial, const struct spool_mail *mail, bool fresh)
{
    struct upload upload = {slice_str(&mail->mail)};
    struct curl_slist *to = curl_slist_append(NULL, mail->envelope_to);
    if (!to)
        exit(EXIT_NO_MEMORY);
    dial_reset(dial);
    long timeout = dial->server->timeout > 0 ? dial->server->timeout : 60;
    CURLcode code = set_mail(dial->curl, mail, &upload, to, fresh);
    if (code == CURLE_OK)
        code = curl_easy_setopt(dial->curl, CURLOPT_TIMEOUT,
                                4 * timeout + (long)(mail->mail.len / SLOWEST_LINE));
    if (code == CURLE_OK)
        code = curl_easy_perform(dial->curl);
    /* The list is ours, and the handle lives on. */
    (void)curl_easy_setopt(dial->curl, CURLOPT_MAIL_RCPT, NULL);
    curl_slist_free_all(to);
    return code;
}

/* Servers hang up after some number of mails or minutes; found out at the next MAIL command, before anything
 * was sent. */
static bool hung_up(const struct dial *dial)
{
    long connects = 1;
    if (curl_easy_getinfo(dial->curl, CURLINFO_NUM_CONNECTS, &connects) != CURLE_OK)
        return false;
    return connects == 0 && dial->stage < DIAL_DATA && (dial->answer == 0 || dial->answer == 421);
}

static enum outcome try_mail(struct dial *dial, const struct spool_mail *mail, enum spool_fate *fate,
                             struct err *err)
{
    CURLcode code = transfer(dial, mail, false);
    if (code != CURLE_OK && hung_up(dial))
        code = transfer(dial, mail, true);
    if (code == CURLE_OK) {
        *fate = SPOOL_SENT;
        return OUT_SETTLE;
    }
    int answer = dial->answer;
    bool mine = answer == 530 || answer == 535 || answer == 538;
    if (dial->stage < DIAL_MAIL || mine) {
        (void)dial_fail(dial, code, err);
        return err->code == ERR_CONFIG ? OUT_HALT : OUT_NOWHERE;
    }
    /* A connection lost after the final dot leaves it open whether the mail arrived: the next try carries the
     * same Message-ID. */
    *fate = answer >= 500 && answer < 600 ? SPOOL_REFUSED : SPOOL_LATER;
    return OUT_SETTLE;
}

/* Takes the next mail; false at the end. Called with the lock held. */
static bool take(struct queue *queue, size_t *index)
{
    if (queue->halt)
        return false;
    if (queue->back_count) {
        *index = queue->back[--queue->back_count];
        return true;
    }
    *index = queue->next;
    if (queue->next == queue->run->due.count)
        return false;
    queue->next++;
    return true;
}

static void halt(struct queue *queue, const struct err *why)
{
    queue->halt = true;
    (void)err_set(&queue->err, why->code, "%s", why->text);
}

/* Sends one mail. False when this worker has to end. */
static bool step(struct queue *queue, struct dial *dial)
{
    struct spool_mail mail;
    struct err err = ERR_INIT;
    size_t index;
    pthread_mutex_lock(&queue->lock);
    bool some = take(queue, &index);
    const char *path = some ? queue->run->due.path[index] : NULL;
    int rc = some ? sink_load(queue->run, path, &mail, &err) : 1;
    if (rc < 0)
        halt(queue, &err);
    pthread_mutex_unlock(&queue->lock);
    if (rc != 0)
        return some && rc > 0;

    enum spool_fate fate = SPOOL_LATER;
    enum outcome outcome = try_mail(dial, &mail, &fate, &err);
    pthread_mutex_lock(&queue->lock);
    const char *words = dial->words[0] ? dial->words : dial->reason;
    if (outcome == OUT_NOWHERE) {
        queue->back[queue->back_count++] = index;
        queue->unreachable = err;
    } else if (outcome == OUT_HALT || sink_settle(queue->run, path, fate, words, &err)) {
        halt(queue, &err);
    }
    bool on = !queue->halt && outcome == OUT_SETTLE;
    pthread_mutex_unlock(&queue->lock);
    spool_mail_release(&mail);
    return on;
}

static void *work(void *arg)
{
    struct queue *queue = arg;
    struct dial dial;
    struct err err = ERR_INIT;
    if (dial_begin(&dial, DIAL_SMTP, &queue->run->sink->smtp, &err)) {
        pthread_mutex_lock(&queue->lock);
        halt(queue, &err);
        pthread_mutex_unlock(&queue->lock);
        return NULL;
    }
    while (step(queue, &dial))
        continue;
    dial_end(&dial);
    return NULL;
}

/* Starts up to `count` helpers with all signals blocked: signals are the main thread's. */
static size_t start_helpers(struct queue *queue, pthread_t *threads, size_t count)
{
    sigset_t all;
    sigset_t before;
    size_t n = 0;
    (void)sigfillset(&all);
    (void)pthread_sigmask(SIG_SETMASK, &all, &before);
    while (n < count && pthread_create(&threads[n], NULL, work, queue) == 0)
        n++;
    (void)pthread_sigmask(SIG_SETMASK, &before, NULL);
    return n;
}

int smtp_send(struct sink_run *run, struct err *err)
{
    struct queue queue = {.run = run, .err = ERR_INIT, .unreachable = ERR_INIT};
    pthread_t threads[CONNECTIONS_MAX];
    struct dial dial;
    if (dial_begin(&dial, DIAL_SMTP, &run->sink->smtp, err))
        return -1;
    queue.back = mem_array(run->due.count, sizeof *queue.back);
    pthread_mutex_init(&queue.lock, NULL);
    size_t helpers = run->sink->connections > 1 ? (size_t)run->sink->connections - 1 : 0;
    if (helpers > CONNECTIONS_MAX - 1)
        helpers = CONNECTIONS_MAX - 1;
    /* The first mail goes alone: a wrong password is then said once, and not by all threads. */
    bool on = step(&queue, &dial);
    if (helpers > run->due.count - queue.next)
        helpers = run->due.count - queue.next;
    size_t started = on ? start_helpers(&queue, threads, helpers) : 0;
    while (on)
        on = step(&queue, &dial);
    dial_end(&dial);
    for (size_t i = 0; i < started; i++)
        pthread_join(threads[i], NULL);
    pthread_mutex_destroy(&queue.lock);
    int rc = 0;
    if (queue.halt)
        rc = err_set(err, queue.err.code, "%s", queue.err.text);
    else if (queue.back_count)
        rc = err_set(err, ERR_TEMP, "%s", queue.unreachable.text);
    free(queue.back);
    return rc;
}

int smtp_check(const struct sink *sink, struct err *err)
{
    struct dial dial;
    if (dial_begin(&dial, DIAL_SMTP, &sink->smtp, err))
        return -1;
    int rc = dial_connect(&dial, err);
    dial_end(&dial);
    return rc;
}
