#include "batch/desk.h"

#include <stdlib.h>

#include "base/mem.h"
#include "base/thread.h"

#define WAKE_AT      8   /* letters: the thread is not woken for each of them */
#define LETTERS_MOST 256 /* with words still to be made: desk_put waits for half of them */

struct desk_letter {
    struct desk_letter *next;
    struct spool_mail mail;
    struct wording *words; /* NULL: it is to be promoted */
};

struct desk {
    const struct league *league;
    const char *spool;
    struct templates *templates; /* the thread's */
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t filled, served;
    /* Under the lock. */
    struct desk_letter *first, **last;
    struct desk_letter *done; /* freed by the thread that put them: reference counts are not atomic */
    size_t count;             /* waiting, and the current one */
    size_t worded;            /* those among them that need more than promotion */
    bool stop;
    struct err err; /* the first since desk_wait */
};

static int serve(const struct desk *desk, struct signed_head *head, struct desk_letter *letter,
                 struct err *err)
{
    const struct letters letters = {.league = desk->league, .templates = desk->templates, .head = head};
    if (!letter->words)
        return spool_promote_mail(desk->spool, &letter->mail, err);
    if (wording_finish(letter->words, &letters, &letter->mail.mail, err))
        return -1;
    int rc = spool_stage(desk->spool, &letter->mail, err);
    str_release(&letter->mail.mail); /* it may be a while before it is freed */
    return rc;
}

static void letters_free(struct desk_letter *letter)
{
    while (letter) {
        struct desk_letter *next = letter->next;
        spool_mail_release(&letter->mail);
        wording_free(letter->words);
        free(letter);
        letter = next;
    }
}

static void *work(void *arg)
{
    struct desk *desk = arg;
    struct signed_head head = {STR_INIT, STR_INIT};
    (void)pthread_mutex_lock(&desk->lock);
    while (desk->first || !desk->stop) {
        struct desk_letter *letter = desk->first;
        if (!letter) {
            (void)pthread_cond_wait(&desk->filled, &desk->lock);
            continue;
        }
        struct err err = ERR_INIT;
        desk->first = letter->next;
        if (!desk->first)
            desk->last = &desk->first;
        (void)pthread_mutex_unlock(&desk->lock);
        int rc = serve(desk, &head, letter, &err);
        (void)pthread_mutex_lock(&desk->lock);
        if (rc)
            (void)err_pass(&desk->err, &err);
        letter->next = desk->done;
        desk->done = letter;
        desk->worded -= letter->words != NULL;
        if (--desk->count == 0 || desk->worded == LETTERS_MOST / 2)
            (void)pthread_cond_signal(&desk->served);
    }
    (void)pthread_mutex_unlock(&desk->lock);
    signed_head_release(&head);
    return NULL;
}

static void desk_free(struct desk *desk)
{
    (void)pthread_cond_destroy(&desk->served);
    (void)pthread_cond_destroy(&desk->filled);
    (void)pthread_mutex_destroy(&desk->lock);
    templates_close(desk->templates);
    letters_free(desk->done);
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
static struct desk_letter *take_done(struct desk *desk)
{
    struct desk_letter *done = desk->done;
    desk->done = NULL;
    return done;
}

static void put(struct desk *desk, const struct spool_mail *mail, struct wording *words)
{
    struct desk_letter *letter = mem_alloc(sizeof *letter);
    letter->words = words;
    letter->mail = (struct spool_mail){.id = mem_strdup(mail->id),
                                       .envelope_from = mem_strdup(mail->envelope_from),
                                       .envelope_to = mem_strdup(mail->envelope_to),
                                       .mail = STR_INIT,
                                       .player = mail->player ? mem_strdup(mail->player) : NULL,
                                       .due = mail->due};
    (void)pthread_mutex_lock(&desk->lock);
    if (words && desk->worded >= LETTERS_MOST)
        while (desk->worded > LETTERS_MOST / 2)
            (void)pthread_cond_wait(&desk->served, &desk->lock);
    *desk->last = letter;
    desk->last = &letter->next;
    desk->worded += words != NULL;
    if (++desk->count == WAKE_AT)
        (void)pthread_cond_signal(&desk->filled);
    struct desk_letter *done = take_done(desk);
    (void)pthread_mutex_unlock(&desk->lock);
    letters_free(done);
}

void desk_put(struct desk *desk, const struct spool_mail *mail, struct wording *words)
{
    put(desk, mail, words);
}

void desk_promote(struct desk *desk, const struct spool_mail *mail)
{
    put(desk, mail, NULL);
}

int desk_wait(struct desk *desk, struct err *err)
{
    (void)pthread_mutex_lock(&desk->lock);
    (void)pthread_cond_signal(&desk->filled);
    while (desk->count)
        (void)pthread_cond_wait(&desk->served, &desk->lock);
    int rc = desk->err.code ? err_pass(err, &desk->err) : 0;
    err_clear(&desk->err);
    struct desk_letter *done = take_done(desk);
    (void)pthread_mutex_unlock(&desk->lock);
    letters_free(done);
    return rc;
}
