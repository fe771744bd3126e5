#include "mail/errand.h"

#include <signal.h>

static void run(struct errand *errand)
{
    errand->err = (struct err)ERR_INIT;
    errand->next_count = 0;
    errand->rc = source_dispose(errand->source, errand->gone, errand->how, errand->gone_count, &errand->err);
    if (errand->rc == 0)
        errand->rc =
            source_fetch(errand->source, errand->next, errand->most, &errand->next_count, &errand->err);
}

static void *run_apart(void *arg)
{
    struct errand *errand = arg;
    run(errand);
    for (size_t i = 0; errand->look && i < errand->next_count && !errand->awaited; i++)
        errand->look(errand->arg, i);
    return NULL;
}

/* Signals are for the thread that works. */
void errand_begin(struct errand *errand)
{
    sigset_t all, before;
    errand->under_way = false;
    errand->awaited = false;
    if (!source_is_far(errand->source))
        return;
    (void)sigfillset(&all);
    (void)pthread_sigmask(SIG_SETMASK, &all, &before);
    errand->under_way = pthread_create(&errand->thread, NULL, run_apart, errand) == 0;
    (void)pthread_sigmask(SIG_SETMASK, &before, NULL);
}

int errand_end(struct errand *errand, struct err *err)
{
    errand->awaited = true;
    if (errand->under_way)
        (void)pthread_join(errand->thread, NULL);
    else
        run(errand);
    errand->under_way = false;
    return errand->rc ? err_pass(err, &errand->err) : 0;
}
