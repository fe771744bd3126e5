#include "commands/mail_retry.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/clock.h"
#include "base/file.h"
#include "commands/deed.h"

int mail_retry_read(const char *word, struct mail_retry *what, struct err *err)
{
    *what = (struct mail_retry){.address = strchr(word, '@') ? word : NULL};
    if (what->address || strcmp(word, "all") == 0 || duration_parse(slice_of(word), &what->ago) ||
        clock_parse(slice_of(word), &what->since))
        return 0;
    return err_set(
        err, ERR_INPUT,
        "turnpost mail retry takes \"all\", an address, or since when: 2d, or 2026-11-28T12:00:00Z; not "
        "\"%.40s\"",
        word);
}

struct wishes {
    const char *word;
};

struct retrying {
    struct batch *batch;
    struct mail_retry what;
    size_t given_up, waiting;
    int rc;
    struct err *err;
};

/* When its last try was is in the memory of deliveries; what is not there any more is old, or was lost with it. */
static int is_wanted(const struct retrying *all, const struct spool_entry *entry, bool *wanted)
{
    struct catalog_delivery delivery = {.when = 0};
    char *to = all->what.address ? spool_recipient(all->batch->spool, entry) : NULL;
    *wanted = !all->what.address || (to && strcasecmp(to, all->what.address) == 0);
    free(to);
    if (!*wanted || !all->what.since)
        return 0;
    int rc = catalog_get_delivery(all->batch->catalog, entry->id, &delivery, wanted, all->err);
    *wanted = *wanted && delivery.when >= all->what.since;
    return rc;
}

static void retry_one(void *arg, const struct spool_entry *entry)
{
    struct retrying *all = arg;
    bool given_up = entry->place == SPOOL_FAILED, wanted = false;
    if (all->rc || (!given_up && entry->place != SPOOL_WAITING))
        return;
    all->rc = is_wanted(all, entry, &wanted);
    if (all->rc == 0 && wanted)
        all->rc = spool_retry(all->batch->spool, entry, all->batch->now, all->err);
    all->given_up += all->rc == 0 && wanted && given_up;
    all->waiting += all->rc == 0 && wanted && !given_up;
}

static int act(struct deed *deed, struct err *err)
{
    const struct wishes *wishes = deed->wishes;
    const char *spool = deed->batch->spool;
    struct retrying all = {.batch = deed->batch, .err = err};
    if (mail_retry_read(wishes->word, &all.what, err))
        return -1;
    if (all.what.ago)
        all.what.since = deed->batch->now - all.what.ago;
    int rc = spool_each(spool, retry_one, &all, err) || all.rc ? -1 : 0;
    if (rc == 0)
        rc = spool_pause_off(spool, err); /* whoever asks for it has mended what was wrong */
    if (rc == 0)
        rc = file_sync_all(spool, err);
    if (rc == 0)
        deed_say(deed, "The next run tries %zu mail%s again that %s given up, and %zu that waited.\n",
                 all.given_up, PLURAL(all.given_up), all.given_up == 1 ? "was" : "were", all.waiting);
    return rc;
}

static int read(struct deed *deed, int argc, char **argv)
{
    struct wishes *wishes = deed->wishes;
    int code = deed_flags_alone(deed, &argc, argv, (const int[]){2, 2}, "");
    if (code >= 0)
        return code;
    wishes->word = argv[2];
    return -1;
}

const struct deed_kind deed_mail_retry = {
    .name = "mail", .size = sizeof(struct wishes), .read = read, .act = act};

int mail_retry(int argc, char **argv)
{
    return deed_run(&deed_mail_retry, argc, argv);
}
