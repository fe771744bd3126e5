#include "base/keep.h"

#include <pthread.h>
#include <stddef.h>

/* Many threads change files at a time (as readers of this lock); the one that looks at what changed is alone. */
static pthread_rwlock_t changing = PTHREAD_RWLOCK_INITIALIZER;
static pthread_mutex_t telling = PTHREAD_MUTEX_INITIALIZER;
static const struct keeper *the_keeper;

void keep_with(const struct keeper *keeper)
{
    the_keeper = keeper;
}

bool keep_has(const char *path)
{
    return the_keeper && the_keeper->keeps(the_keeper->arg, path);
}

int keep_sync(struct err *err)
{
    return the_keeper ? the_keeper->sync(the_keeper->arg, err) : 0;
}

void keep_begin(void)
{
    if (the_keeper)
        (void)pthread_rwlock_rdlock(&changing);
}

static void tell(const struct keep_change *change)
{
    if (!keep_has(change->path) && !(change->to && keep_has(change->to)))
        return;
    (void)pthread_mutex_lock(&telling);
    the_keeper->changed(the_keeper->arg, change);
    (void)pthread_mutex_unlock(&telling);
}

void keep_end(const struct keep_change *change)
{
    if (!the_keeper)
        return;
    if (change)
        tell(change);
    (void)pthread_rwlock_unlock(&changing);
}

void keep_still(void)
{
    (void)pthread_rwlock_wrlock(&changing);
}

void keep_go_on(void)
{
    (void)pthread_rwlock_unlock(&changing);
}
