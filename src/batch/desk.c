#include "batch/desk.h"

#include <stdlib.h>

#include "base/mem.h"
#include "base/thread.h"

#define WAKE_AT    8   /* mails: the thread is not woken for each of them */
#define MAILS_MOST 256 /* to be composed: beyond this, desk_put waits until half are done */

struct desk {
    const struct league *league;
    const char *spool;
    struct templates *templates; /* the thread's */
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t filled, served;
    /* Under the lock. */
    struct outgoing *first, **last;
    struct outgoing *done; /* drafts are freed by who put them: reference counts are not atomic */
    size_t count;          /* waiting, and the one in hand */
    size_t composed;       /* of these, to be composed and not promoted */
    bool stop;
    struct err err; /* the first since desk_wait */
};

static int serve(const struct desk *desk, struct outgoing *mail, struct err *err)
{
    const struct letters letters = {.league = desk->league, .templates = desk->templates};
    if (mail->state == OUTGOING_STAGED)
        return spool_promote_mail(desk->spool, mail, err);
    if (letters_finish(&letters, mail, err))
        return -1;
    int rc = spool_stage(desk->spool, mail, err);
    str_release(&mail->mail); /* it may lie a while before it is freed */
    return rc;
}

/* What has been served: what is still the batch's needs its draft no more. */
static void clear(struct outgoing *mail)
{
    while (mail) {
        struct outgoing *next = mail->next;
        if (mail->taken)
            letters_free(mail);
        else
            letters_drop_draft(mail);
        mail = next;
    }
}

static void *work(void *arg)
{
    struct desk *desk = arg;
    (void)pthread_mutex_lock(&desk->lock);
    while (desk->first || !desk->stop) {
        struct outgoing *mail = desk->first;
        if (!mail) {
            (void)pthread_cond_wait(&desk->filled, &desk->lock);
            continue;
        }
        struct err err = ERR_INIT;
        desk->first = mail->next;
        if (!desk->first)
            desk->last = &desk->first;
        (void)pthread_mutex_unlock(&desk->lock);
        bool composes = !mail->taken;
        int rc = serve(desk, mail, &err);
        (void)pthread_mutex_lock(&desk->lock);
        if (rc)
            (void)err_pass(&desk->err, &err);
        mail->next = desk->done;
        desk->done = mail;
        desk->composed -= composes;
        if (--desk->count == 0 || desk->composed == MAILS_MOST / 2)
            (void)pthread_cond_signal(&desk->served);
    }
    (void)pthread_mutex_unlock(&desk->lock);
    return NULL;
}

static void desk_free(struct desk *desk)
{
    (void)pthread_cond_destroy(&desk->served);
    (void)pthread_cond_destroy(&desk->filled);
    (void)pthread_mutex_destroy(&desk->lock);
    templates_close(desk->templates);
    clear(desk->done);
    free(desk);
}

struct desk *desk_open(const struct league *league, const char *spool)
{
    struct desk *desk = mem_alloc(sizeof *desk);
    char *templates = league_path(league, "templates");
    templates_open(templates, &desk->templates);
    free(templates);
    desk->league = league;
    desk->spool = spool;
    desk->last = &desk->first;
    (void)pthread_mutex_init(&desk->lock, NULL);
    (void)pthread_cond_init(&desk->filled, NULL);
    (void)pthread_cond_init(&desk->served, NULL);
    if (thread_begin(&desk->thread, work, desk))
        return desk;
    desk_free(desk);
    return NULL;
}

void desk_close(struct desk *desk)
{
    if (!desk)
        return;
    (void)pthread_mutex_lock(&desk->lock);
    desk->stop = true;
    (void)pthread_cond_signal(&desk->filled);
    (void)pthread_mutex_unlock(&desk->lock);
    (void)pthread_join(desk->thread, NULL);
    desk_free(desk);
}

/* Under the lock. */
static struct outgoing *take_done(struct desk *desk)
{
    struct outgoing *done = desk->done;
    desk->done = NULL;
    return done;
}

static void put(struct desk *desk, struct outgoing *mail)
{
    bool composes = !mail->taken;
    mail->next = NULL;
    (void)pthread_mutex_lock(&desk->lock);
    if (composes && desk->composed >= MAILS_MOST)
        while (desk->composed > MAILS_MOST / 2)
            (void)pthread_cond_wait(&desk->served, &desk->lock);
    *desk->last = mail;
    desk->last = &mail->next;
    desk->composed += composes;
    if (++desk->count == WAKE_AT)
        (void)pthread_cond_signal(&desk->filled);
    struct outgoing *done = take_done(desk);
    (void)pthread_mutex_unlock(&desk->lock);
    clear(done);
}

void desk_put(struct desk *desk, struct outgoing *mail)
{
    put(desk, mail);
}

void desk_promote(struct desk *desk, struct outgoing *mail)
{
    mail->taken = true;
    put(desk, mail);
}

int desk_wait(struct desk *desk, struct err *err)
{
    (void)pthread_mutex_lock(&desk->lock);
    (void)pthread_cond_signal(&desk->filled);
    while (desk->count)
        (void)pthread_cond_wait(&desk->served, &desk->lock);
    int rc = desk->err.code ? err_pass(err, &desk->err) : 0;
    err_clear(&desk->err);
    struct outgoing *done = take_done(desk);
    (void)pthread_mutex_unlock(&desk->lock);
    clear(done);
    return rc;
}
