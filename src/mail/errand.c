#include "mail/errand.h"

#include "base/thread.h"

static void run(struct errand *errand)
{
    errand->err = (struct err)ERR_INIT;
    errand->next_count = 0;
    errand->rc = source_dispose(errand->source, errand->gone, errand->how, errand->gone_count, &errand->err);
    if (errand->forget)
        errand->forget(errand->old);
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

void errand_begin(struct errand *errand)
{
    errand->awaited = false;
    errand->under_way = source_is_far(errand->source) && thread_begin(&errand->thread, run_apart, errand);
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
