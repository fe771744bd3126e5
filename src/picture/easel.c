#include "picture/easel.h"

#include <pthread.h>
#include <stdlib.h>
#include <sys/socket.h>

#include "base/clock.h"
#include "base/log.h"
#include "base/mem.h"
#include "base/thread.h"

#define LOOK_MS 250

struct easel {
    struct easel_work work;
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t moved; /* by the monotonic clock */
    /* Under the lock. */
    size_t done;
    bool stop, dead;
};

/* Draws and paints one. False when the painter is of no more use. */
static bool make(const struct easel_work *work, struct slice shows, struct str *png)
{
    struct str svg = STR_INIT;
    struct err err = ERR_INIT;
    int rc = work->draw(work->arg, shows, &svg, &err);
    if (rc == 0)
        rc = painter_paint(work->painter, slice_str(&svg), EASEL_WIDTH, png, &err);
    if (rc) {
        log_warn("%s", err.text);
        str_clear(png);
    }
    str_release(&svg);
    return rc == 0 || err.code != ERR_TEMP;
}

/* Whatever goes wrong with it, its mails leave without; what it shows is not tried again, as that would be no
 * better next time. */
static bool paint_one(const struct easel_work *work, const char *digest)
{
    struct str shows = STR_INIT, png = STR_INIT;
    struct err err = ERR_INIT;
    bool alive = true;
    if (pictures_have(work->dir, digest))
        return true;
    int rc = pictures_shown(work->dir, digest, &shows, &err);
    if (rc == 0)
        alive = make(work, slice_str(&shows), &png);
    if (rc == 0 && alive && pictures_put(work->dir, digest, slice_str(&png), &err))
        log_warn("%s; mails leave without their picture", err.text);
    str_release(&shows);
    str_release(&png);
    return alive;
}

static void *run(void *arg)
{
    struct easel *easel = arg;
    (void)pthread_mutex_lock(&easel->lock);
    while (easel->done < easel->work.count && !easel->stop) {
        const char *digest = easel->work.digests[easel->done];
        bool dead = easel->dead;
        (void)pthread_mutex_unlock(&easel->lock);
        bool alive = !dead && paint_one(&easel->work, digest);
        (void)pthread_mutex_lock(&easel->lock);
        easel->dead |= !alive;
        easel->done++;
        (void)pthread_cond_signal(&easel->moved);
    }
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
