#include "commands/change.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/file.h"
#include "batch/batch.h"
#include "mail/message.h"

static int check_batch(const struct change_check *check, const struct batch *batch, struct err *err)
{
    if (!check)
        return 0;
    if (batch->unread)
        return err_set(err, ERR_BROKEN,
                       "there are games that cannot be read, and who has a seat in them nobody knows; mend "
                       "them, or take them out of games, and run this again");
    return check->ask(check->arg, batch->catalog, err);
}

/* Another process has the league, and its catalog. */
static int check_beside(const char *dir, const struct change_check *check, struct err *err)
{
    struct catalog *catalog = NULL;
    bool fresh = true;
    if (!check)
        return 0;
    char *path = path_join(dir, "catalog.sqlite");
    int rc = file_exists(path) ? catalog_open(path, &catalog, &fresh, err) : 0;
    if (rc == 0 && fresh)
        rc = err_set(err, ERR_TEMP,
                     "another process works on this league, and its catalog.sqlite has yet to be rebuilt; "
                     "run this again when that is done, or stop the daemon first");
    if (rc == 0)
        rc = check->ask(check->arg, catalog, err);
    catalog_close(catalog);
    free(path);
    return rc;
}

int change_make_checked(const char *dir, int64_t now, const struct checked_change *checked, bool *waits,
                        struct err *err)
{
    const struct registry_change *change = checked->change;
    const struct change_check *check = checked->check;
    struct league league;
    struct batch batch;
    *waits = false;
    if (league_open(dir, true, &league, err)) {
        if (err->code != ERR_TEMP)
            return -1;
        err_clear(err);
        *waits = true;
        return check_beside(dir, check, err) ? -1 : registry_log_bypass(dir, change, err);
    }
    league.mends_file = change->player ? change->player->name : NULL;
    league.mends_keys = change->key_owner;
    mail_begin();
    int rc = batch_open(&batch, &league, now, err);
    if (rc == 0) {
        rc = check_batch(check, &batch, err);
        if (rc == 0)
            rc = batch_change(&batch, change, err);
        if (rc == 0)
            rc = batch_commit(&batch, err);
        batch_close(&batch);
    }
    mail_end();
    league_close(&league);
    return rc;
}

int change_make(const char *dir, int64_t now, const struct registry_change *change, bool *waits,
                struct err *err)
{
    return change_make_checked(dir, now, &(struct checked_change){change, NULL}, waits, err);
}

void change_say(bool waits)
{
    if (waits)
        (void)printf("A daemon works on this league; it reads players and keys again on SIGHUP (systemctl "
                     "reload turnpost).\n");
}
