#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "mail/dial.h"
#include "mail/sink_parts.h"

#define CONNECTIONS_MAX 16
#define SPARE_WORKERS   2    /* more than connections */
#define SLOWEST_LINE    8192 /* bytes a second */

/* Threads and not curl_multi: libcurl waits for the answer after the final dot without giving way, so one
 * handle would stop all others. One recipient a mail: each has its own fate. RFC 5321. */

/* What the threads share. Loading and settling a mail costs file operations, so there are some more workers
 * than connections: while the one waits for the disk, another uses its connection. */
struct queue {
    pthread_mutex_t lock;
    pthread_cond_t returned; /* a connection came back, or the last one is lost */
    struct sink_run *run;
    size_t next;  /* index into run->due */
    size_t *back; /* mails that a worker gave back because it got no connection */
    size_t back_count;
    struct dial *idle[CONNECTIONS_MAX];
    size_t idle_count, alive; /* connections: waiting; not lost */
    bool halt;                /* going on makes no sense: `err` says why */
    struct err err;
    bool stalled;           /* a worker has waited in vain for an answer */
    struct err unreachable; /* why the last connection was lost */
};

/* One try of one mail. */
enum outcome {
    OUT_SETTLE,  /* the fate is known */
    OUT_STALLED, /* so it is, but the server does not answer: others would wait as long, one after the other
                  */
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
    if (code != CURLE_OPERATION_TIMEDOUT)
        return OUT_SETTLE;
    (void)dial_fail(dial, code, err);
    return OUT_STALLED;
}

/* Takes the next mail; false at the end. Called with the lock held. */
static bool take(struct queue *queue, size_t *index)
{
    if (queue->halt || !queue->alive)
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
    (void)pthread_cond_broadcast(&queue->returned);
}

/* Waits for a connection; NULL when there is none any more: the mail is given back then. */
static struct dial *take_dial(struct queue *queue, size_t index)
{
    struct dial *dial = NULL;
    pthread_mutex_lock(&queue->lock);
    while (!queue->idle_count && queue->alive && !queue->halt)
        (void)pthread_cond_wait(&queue->returned, &queue->lock);
    if (queue->idle_count && !queue->halt)
        dial = queue->idle[--queue->idle_count];
    else
        queue->back[queue->back_count++] = index;
    pthread_mutex_unlock(&queue->lock);
    return dial;
}

/* What came of a try, for all workers; the connection goes on to the next one, unless it is lost. */
static void note_outcome(struct queue *queue, struct dial *dial, enum outcome outcome, size_t index,
                         const struct err *err)
{
    pthread_mutex_lock(&queue->lock);
    if (outcome == OUT_NOWHERE || outcome == OUT_STALLED) {
        queue->stalled |= outcome == OUT_STALLED;
        queue->unreachable = *err;
    }
    if (outcome == OUT_NOWHERE)
        queue->back[queue->back_count++] = index;
    else if (outcome == OUT_HALT)
        halt(queue, err);
    if (outcome == OUT_SETTLE)
        queue->idle[queue->idle_count++] = dial;
    else
        queue->alive--;
    if (outcome == OUT_SETTLE)
        (void)pthread_cond_signal(&queue->returned);
    else
        (void)pthread_cond_broadcast(&queue->returned);
    pthread_mutex_unlock(&queue->lock);
}

static void halt_locked(struct queue *queue, const struct err *why)
{
    pthread_mutex_lock(&queue->lock);
    halt(queue, why);
    pthread_mutex_unlock(&queue->lock);
}

/* Sends one mail. False when it is over. */
static bool step(struct queue *queue, struct sink_run *run)
{
    struct spool_mail mail;
    struct err err = ERR_INIT;
    size_t index;
    pthread_mutex_lock(&queue->lock);
    bool some = take(queue, &index);
    pthread_mutex_unlock(&queue->lock);
    if (!some)
        return false;
    const char *path = run->due.path[index];
    int rc = sink_load(run, path, &mail, &err);
    if (rc < 0)
        halt_locked(queue, &err);
    if (rc != 0)
        return rc > 0;

    enum spool_fate fate = SPOOL_LATER;
    char words[sizeof(((struct dial *)0)->words)];
    struct dial *dial = take_dial(queue, index);
    enum outcome outcome = dial ? try_mail(dial, &mail, &fate, &err) : OUT_HALT;
    spool_mail_release(&mail);
    if (!dial)
        return false;
    (void)snprintf(words, sizeof words, "%s", dial->words[0] ? dial->words : dial->reason);
    note_outcome(queue, dial, outcome, index, &err);
    err_clear(&err);
    if ((outcome == OUT_SETTLE || outcome == OUT_STALLED) && sink_settle(run, path, fate, words, &err)) {
        halt_locked(queue, &err);
        return false;
    }
    return true;
}

/* Works until it is over, with counts of its own. */
static void *work(void *arg)
{
    struct queue *queue = arg;
    struct sink_counts counts = {0, 0, 0};
    struct sink_run run = *queue->run;
    run.counts = &counts;
    while (step(queue, &run))
        continue;
    pthread_mutex_lock(&queue->lock);
    queue->run->counts->sent += counts.sent;
    queue->run->counts->later += counts.later;
    queue->run->counts->refused += counts.refused;
    pthread_mutex_unlock(&queue->lock);
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

/* Adds connections, which are made when they are first used, up to `count`. */
static int add_dials(struct queue *queue, struct dial *dials, size_t from, size_t count, struct err *err)
{
    for (size_t i = from; i < count; i++) {
        if (dial_begin(&dials[i], DIAL_SMTP, &queue->run->sink->smtp, err))
            return -1;
        queue->idle[queue->idle_count++] = &dials[i];
        queue->alive++;
    }
    return 0;
}

int smtp_send(struct sink_run *run, struct err *err)
{
    struct queue queue = {.run = run, .err = ERR_INIT, .unreachable = ERR_INIT};
    pthread_t threads[CONNECTIONS_MAX + SPARE_WORKERS];
    struct dial *dials = mem_array(CONNECTIONS_MAX, sizeof *dials);
    size_t connections = run->sink->connections > 1 ? (size_t)run->sink->connections : 1;
    size_t started = 0;
    if (connections > CONNECTIONS_MAX)
        connections = CONNECTIONS_MAX;
    queue.back = mem_array(run->due.count, sizeof *queue.back);
    pthread_mutex_init(&queue.lock, NULL);
    pthread_cond_init(&queue.returned, NULL);
    int rc = add_dials(&queue, dials, 0, 1, err);
    /* The first mail goes alone: a wrong password is then said once, and not by all threads. */
    bool on = rc == 0 && step(&queue, run) && queue.alive && !queue.halt;
    if (on) {
        size_t left = run->due.count - queue.next;
        if (connections > 1 + left)
            connections = 1 + left;
        rc = add_dials(&queue, dials, 1, connections, err);
    }
    if (on && rc == 0) {
        started = start_helpers(&queue, threads, connections > 1 ? connections + SPARE_WORKERS - 1 : 0);
        (void)work(&queue);
    }
    for (size_t i = 0; i < started; i++)
        pthread_join(threads[i], NULL);
    for (size_t i = 0; i < CONNECTIONS_MAX; i++)
        dial_end(&dials[i]);
    pthread_cond_destroy(&queue.returned);
    pthread_mutex_destroy(&queue.lock);
    if (rc == 0 && queue.halt)
        rc = err_set(err, queue.err.code, "%s", queue.err.text);
    else if (rc == 0 && (queue.back_count || queue.stalled))
        rc = err_set(err, ERR_TEMP, "%s", queue.unreachable.text);
    free(queue.back);
    free(dials);
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
