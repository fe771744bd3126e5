#include "commands/change.h"

#include <stdio.h>

#include "batch/batch.h"
#include "mail/message.h"

int change_make(const char *dir, int64_t now, const struct registry_change *change, bool *waits,
                struct err *err)
{
    struct league league;
    struct batch batch;
    *waits = false;
    if (league_open(dir, true, &league, err)) {
        if (err->code != ERR_TEMP)
            return -1;
        err_clear(err);
        *waits = true;
        return registry_log_bypass(dir, change, err);
    }
    mail_begin();
    int rc = batch_open(&batch, &league, now, err);
    if (rc == 0) {
        rc = batch_change(&batch, change, err);
        if (rc == 0)
            rc = batch_commit(&batch, err);
        batch_close(&batch);
    }
    mail_end();
    league_close(&league);
    return rc;
}

void change_say(bool waits)
{
    if (waits)
        (void)printf("A daemon works on this league; it reads players and keys again on SIGHUP (systemctl "
                     "reload turnpost).\n");
}
