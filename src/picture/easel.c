#include "picture/easel.h"

#include <pthread.h>
#include <stdlib.h>
#include <sys/socket.h>

#include "base/clock.h"
#include "base/log.h"
#include "base/mem.h"
#include "base/thread.h"
#include "picture/painting.h"

#define LOOK_MS 250

struct easel {
    struct easel_work work;
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t moved; /* by the monotonic clock */
    /* The thread's. */
    size_t asked, read;        /* of the digests: those between are being painted */
    bool sent[PAINTING_AHEAD]; /* by their places: a picture comes */
    /* Under the lock. */
    size_t done;
    bool stop, dead;
};

/* ---- some at a time ---- */

/* An empty picture: there will be none, and it is not tried again, as that would be no better next time. */
static void keep(const struct easel_work *work, const char *digest, struct slice png)
{
    struct err err = ERR_INIT;
    if (pictures_put(work->dir, digest, png, &err))
        log_warn("%s; mails leave without their picture", err.text);
}

/* Is the same picture being painted already? */
static bool is_under_way(const struct easel *easel, const char *digest)
{
    for (size_t i = easel->read; i < easel->asked; i++)
        if (strcmp(easel->work.digests[i], digest) == 0)
            return true;
    return false;
}

/* Reads the first of those that were asked for. */
static bool read_one(struct easel *easel)
{
    const struct easel_work *work = &easel->work;
    struct str png = STR_INIT;
    struct err err = ERR_INIT;
    bool alive = true;
    if (easel->sent[easel->read % PAINTING_AHEAD]) {
        if (painter_answer(work->painter, &png, &err)) {
            log_warn("%s", err.text);
            alive = err.code != ERR_TEMP;
        }
        if (alive)
            keep(work, work->digests[easel->read], slice_str(&png));
    }
    easel->read++;
    str_release(&png);
    return alive;
}

/* Asks for the picture of a drawing; *sent: it is to be read. False when the painter is of no more use. */
static bool send_one(struct easel *easel, struct slice shows, bool *sent)
{
    const struct easel_work *work = &easel->work;
    struct str svg = STR_INIT;
    struct err err = ERR_INIT;
    bool alive = true;
    int rc = work->draw(work->arg, shows, &svg, &err);
    while (rc == 0 && alive && svg.len > PAINTING_SMALL && easel->read < easel->asked)
        alive = read_one(easel);
    if (rc == 0 && alive)
        rc = painter_ask(work->painter, slice_str(&svg), EASEL_WIDTH, &err);
    if (rc)
        log_warn("%s", err.text);
    *sent = rc == 0;
    str_release(&svg);
    return alive && (rc == 0 || err.code != ERR_TEMP);
}

/* The next one, unless it is there, or cannot be drawn. */
static bool ask(struct easel *easel)
{
    const struct easel_work *work = &easel->work;
    const char *digest = work->digests[easel->asked];
    bool *sent = &easel->sent[easel->asked % PAINTING_AHEAD];
    struct str shows = STR_INIT;
    struct err err = ERR_INIT;
    bool alive = true;
    *sent = false;
    if (!is_under_way(easel, digest) && !pictures_have(work->dir, digest) &&
        pictures_shown(work->dir, digest, &shows, &err) == 0) {
        alive = send_one(easel, slice_str(&shows), sent);
        if (alive && !*sent)
            keep(work, digest, (struct slice){NULL, 0});
    }
    easel->asked++;
    str_release(&shows);
    return alive;
}

/* As many as may be are asked for before the first is read; what was asked for is read, also at the end, as the next
 * round asks the same painter. Whatever goes wrong with one, its mails leave without. */
static bool step(struct easel *easel, bool more)
{
    bool alive = true;
    while (alive && more && easel->asked < easel->work.count && easel->asked - easel->read < PAINTING_AHEAD)
        alive = ask(easel);
    return alive && (easel->read == easel->asked || read_one(easel));
}

static void *run(void *arg)
{
    struct easel *easel = arg;
    (void)pthread_mutex_lock(&easel->lock);
    while (!easel->dead && easel->done < easel->work.count && (!easel->stop || easel->read < easel->asked)) {
        bool more = !easel->stop;
        (void)pthread_mutex_unlock(&easel->lock);
        bool alive = step(easel, more);
        (void)pthread_mutex_lock(&easel->lock);
        easel->dead |= !alive;
        easel->done = easel->read;
        (void)pthread_cond_signal(&easel->moved);
    }
    if (easel->dead)
        easel->done = easel->work.count; /* there will be none */
    (void)pthread_cond_signal(&easel->moved);
    (void)pthread_mutex_unlock(&easel->lock);
    return NULL;
}

struct easel *easel_begin(const struct easel_work *work)
{
    struct easel *easel = mem_alloc(sizeof *easel);
    pthread_condattr_t attr;
    *easel = (struct easel){.work = *work, .dead = work->painter < 0};
    (void)pthread_condattr_init(&attr);
    (void)pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
    (void)pthread_mutex_init(&easel->lock, NULL);
    (void)pthread_cond_init(&easel->moved, &attr);
    (void)pthread_condattr_destroy(&attr);
    if (thread_begin(&easel->thread, run, easel))
        return easel;
    (void)pthread_cond_destroy(&easel->moved);
    (void)pthread_mutex_destroy(&easel->lock);
    free(easel);
    return NULL;
}

size_t easel_done(struct easel *easel)
{
    (void)pthread_mutex_lock(&easel->lock);
    size_t done = easel->done;
    (void)pthread_mutex_unlock(&easel->lock);
    return done;
}

void easel_wait(struct easel *easel, size_t count, int64_t until)
{
    int64_t most = clock_milliseconds() + LOOK_MS;
    int64_t end = until < most ? until : most;
    const struct timespec at = {.tv_sec = (time_t)(end / 1000), .tv_nsec = (long)(end % 1000) * 1000000L};
    bool late = false;
    (void)pthread_mutex_lock(&easel->lock);
    while (easel->done < count && easel->done < easel->work.count && !late)
        late = pthread_cond_timedwait(&easel->moved, &easel->lock, &at) != 0;
    (void)pthread_mutex_unlock(&easel->lock);
}

void easel_end(struct easel *easel, bool now, bool *dead)
{
    (void)pthread_mutex_lock(&easel->lock);
    easel->stop = true;
    bool busy = easel->done < easel->work.count && !easel->dead;
    (void)pthread_mutex_unlock(&easel->lock);
    if (now && busy)
        (void)shutdown(easel->work.painter, SHUT_RDWR);
    (void)pthread_join(easel->thread, NULL);
    *dead = easel->dead;
    (void)pthread_cond_destroy(&easel->moved);
    (void)pthread_mutex_destroy(&easel->lock);
    free(easel);
}
