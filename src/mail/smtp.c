#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/thread.h"
#include "mail/sink_parts.h"
#include "mail/smtp_link.h"

#define CONNECTIONS_MAX 16
#define SPARE_WORKERS   2 /* workers beyond the number of connections */

/* One thread per connection. One recipient per mail: each has its own outcome. */

/* What the threads share. Loading and settling a mail costs file operations, so there are a few more workers
 * than connections: while one waits for the disk, another uses its connection. */
struct queue {
    pthread_mutex_t lock;
    pthread_cond_t returned; /* a connection came back, or the last one is lost */
    pthread_cond_t moved;    /* a mail may be ready, or none will be any more */
    struct sink_run *run;
    size_t *back; /* mails that a worker gave back because it got no connection */
    size_t back_count;
    struct smtp_link *idle[CONNECTIONS_MAX];
    size_t idle_count, alive; /* connections: waiting; not lost */
    bool halt;                /* continuing is pointless: `err` says why */
    struct err err;
    bool stalled;           /* a worker has waited in vain for an answer */
    struct err unreachable; /* why the last connection was lost */
};

/* One try of one mail. */
enum outcome {
    OUT_SETTLE,  /* the outcome is known */
    OUT_PAUSE,   /* the server takes nothing of ours now: the mail stays where it is */
    OUT_STALLED, /* the same, but the server does not answer: others would wait as long, one after another
                  */
    OUT_NOWHERE, /* no connection: the mail was not tried */
    OUT_HALT     /* the configuration is wrong */
};

/* By what its refusal is about, and what the server said of other mails. */
static enum outcome judge(struct queue *queue, const struct dial *dial, const struct outgoing *mail,
                          enum spool_fate *fate)
{
    enum answer_about about = answer_about(slice_of(dial->words), dial->stage);
    pthread_mutex_lock(&queue->lock);
    bool blamed = sink_refused(queue->run->answers, mail, about, dial->words, fate);
    pthread_mutex_unlock(&queue->lock);
    if (*fate == SPOOL_LATER && dial->stage == DIAL_TEXT)
        *fate = SPOOL_LATER_ALONE;
    return blamed ? OUT_SETTLE : OUT_PAUSE;
}

static enum outcome try_mail(struct queue *queue, struct smtp_link *link, const struct outgoing *mail,
                             enum spool_fate *fate, struct err *err)
{
    enum smtp_result result = smtp_link_send(link, mail, err);
    int answer = link->dial.answer;
    *fate = SPOOL_LATER;
    switch (result) {
    case SMTP_SENT:
        *fate = SPOOL_SENT;
        pthread_mutex_lock(&queue->lock);
        sink_taken(queue->run->answers);
        pthread_mutex_unlock(&queue->lock);
        return OUT_SETTLE;
    case SMTP_NOWHERE: return err->code == ERR_CONFIG ? OUT_HALT : OUT_NOWHERE;
    case SMTP_ANSWER: break;
    /* A connection lost after the final dot leaves it open whether the mail arrived: the next try carries the
     * same Message-ID. */
    case SMTP_LOST: return OUT_SETTLE;
    case SMTP_SILENT: (void)dial_fail(&link->dial, CURLE_OPERATION_TIMEDOUT, err); return OUT_STALLED;
    }
    if (answer == 530 || answer == 535 || answer == 538) {
        (void)dial_fail(&link->dial, CURLE_OK, err);
        return OUT_HALT;
    }
    return judge(queue, &link->dial, mail, fate);
}

/* Is nothing more to be tried? Called with the lock held. */
static bool is_over(const struct queue *queue)
{
    return queue->halt || queue->run->answers->paused || !queue->alive;
}

/* Takes the next mail, which may become ready only when one in hand is done; false at the end. Called with
 * the lock held. */
static bool take(struct queue *queue, size_t *index)
{
    while (!is_over(queue)) {
        if (queue->back_count) {
            *index = queue->back[--queue->back_count];
            return true;
        }
        if (order_take(queue->run->order, index))
            return true;
        if (!queue->run->order->in_hand)
            return false;
        (void)pthread_cond_wait(&queue->moved, &queue->lock);
    }
    return false;
}

static void done(struct queue *queue, size_t index, enum spool_fate fate)
{
    pthread_mutex_lock(&queue->lock);
    order_done(queue->run->order, index, fate);
    (void)pthread_cond_broadcast(&queue->moved);
    pthread_mutex_unlock(&queue->lock);
}

static void halt(struct queue *queue, const struct err *why)
{
    queue->halt = true;
    (void)err_set(&queue->err, why->code, "%s", why->text);
    (void)pthread_cond_broadcast(&queue->returned);
    (void)pthread_cond_broadcast(&queue->moved);
}

/* Waits for a connection; NULL when none is left: the mail is then given back. */
static struct smtp_link *take_link(struct queue *queue, size_t index)
{
    struct smtp_link *link = NULL;
    pthread_mutex_lock(&queue->lock);
    while (!queue->idle_count && !is_over(queue))
        (void)pthread_cond_wait(&queue->returned, &queue->lock);
    if (queue->idle_count && !is_over(queue))
        link = queue->idle[--queue->idle_count];
    else
        queue->back[queue->back_count++] = index;
    pthread_mutex_unlock(&queue->lock);
    return link;
}

/* Records the outcome of a try for all workers; the next one gets the connection, unless it is lost. */
static void note_outcome(struct queue *queue, struct smtp_link *link, enum outcome outcome, size_t index,
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
    bool good = outcome == OUT_SETTLE || outcome == OUT_PAUSE;
    if (good)
        queue->idle[queue->idle_count++] = link;
    else
        queue->alive--;
    if (outcome == OUT_SETTLE && !is_over(queue))
        (void)pthread_cond_signal(&queue->returned);
    else
        (void)pthread_cond_broadcast(&queue->returned);
    if (outcome != OUT_SETTLE || is_over(queue))
        (void)pthread_cond_broadcast(&queue->moved);
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
    struct outgoing mail;
    struct err err = ERR_INIT;
    size_t index;
    pthread_mutex_lock(&queue->lock);
    bool some = take(queue, &index);
    pthread_mutex_unlock(&queue->lock);
    if (!some)
        return false;
    int rc = sink_load(run, index, &mail, &err);
    if (rc < 0)
        halt_locked(queue, &err);
    if (rc > 0)
        done(queue, index, SPOOL_REFUSED); /* or gone */
    if (rc != 0)
        return rc > 0;

    enum spool_fate fate = SPOOL_LATER;
    char words[DIAL_WORDS];
    struct smtp_link *link = take_link(queue, index);
    enum outcome outcome = link ? try_mail(queue, link, &mail, &fate, &err) : OUT_HALT;
    outgoing_release(&mail);
    if (!link)
        return false;
    (void)snprintf(words, sizeof words, "%s", link->dial.words[0] ? link->dial.words : link->dial.reason);
    note_outcome(queue, link, outcome, index, &err);
    err_clear(&err);
    if ((outcome == OUT_SETTLE || outcome == OUT_STALLED) && sink_settle(run, index, fate, words, &err)) {
        halt_locked(queue, &err);
        return false;
    }
    if (outcome == OUT_SETTLE || outcome == OUT_STALLED)
        done(queue, index, fate);
    return true;
}

/* Works until it is over, with counts of its own. */
static void *work(void *arg)
{
    struct queue *queue = arg;
    struct sink_counts counts = {0};
    struct sink_run run = *queue->run;
    run.counts = &counts;
    while (step(queue, &run))
        continue;
    pthread_mutex_lock(&queue->lock);
    queue->run->counts->sent += counts.sent;
    queue->run->counts->later += counts.later;
    queue->run->counts->refused += counts.refused;
    queue->run->counts->left += counts.left;
    pthread_mutex_unlock(&queue->lock);
    return NULL;
}

/* Starts up to `count` helpers. */
static size_t start_helpers(struct queue *queue, pthread_t *threads, size_t count)
{
    size_t n = 0;
    while (n < count && thread_begin(&threads[n], work, queue))
        n++;
    return n;
}

/* Adds connections, which are made when they are first used, up to `count`. */
static int add_links(struct queue *queue, struct smtp_link *links, size_t from, size_t count, struct err *err)
{
    for (size_t i = from; i < count; i++) {
        if (smtp_link_begin(&links[i], &queue->run->sink->smtp, err))
            return -1;
        queue->idle[queue->idle_count++] = &links[i];
        queue->alive++;
    }
    return 0;
}

int smtp_send(struct sink_run *run, struct err *err)
{
    struct queue queue = {.run = run, .err = ERR_INIT, .unreachable = ERR_INIT};
    pthread_t threads[CONNECTIONS_MAX + SPARE_WORKERS];
    struct smtp_link *links = mem_array(CONNECTIONS_MAX, sizeof *links);
    size_t connections = run->sink->connections > 1 ? (size_t)run->sink->connections : 1;
    size_t started = 0;
    if (connections > CONNECTIONS_MAX)
        connections = CONNECTIONS_MAX;
    queue.back = mem_array(run->order->list.count, sizeof *queue.back);
    pthread_mutex_init(&queue.lock, NULL);
    pthread_cond_init(&queue.returned, NULL);
    pthread_cond_init(&queue.moved, NULL);
    int rc = add_links(&queue, links, 0, 1, err);
    /* The first mail goes alone: a wrong password is then tried and reported once, and not by every
     * thread. */
    bool on = rc == 0 && step(&queue, run) && !is_over(&queue);
    if (on) {
        size_t rows = run->order->count - run->order->first; /* one after the other in each */
        if (connections > 1 + rows)
            connections = 1 + rows;
        rc = add_links(&queue, links, 1, connections, err);
    }
    if (on && rc == 0) {
        started = start_helpers(&queue, threads, connections > 1 ? connections + SPARE_WORKERS - 1 : 0);
        (void)work(&queue);
    }
    for (size_t i = 0; i < started; i++)
        pthread_join(threads[i], NULL);
    for (size_t i = 0; i < CONNECTIONS_MAX; i++)
        smtp_link_end(&links[i]);
    pthread_cond_destroy(&queue.returned);
    pthread_cond_destroy(&queue.moved);
    pthread_mutex_destroy(&queue.lock);
    if (rc == 0 && queue.halt)
        rc = err_pass(err, &queue.err);
    else if (rc == 0 && !run->answers->paused && (queue.back_count || queue.stalled))
        rc = err_set(err, ERR_TEMP, "%s", queue.unreachable.text);
    free(queue.back);
    free(links);
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
