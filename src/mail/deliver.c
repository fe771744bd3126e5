#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/mem.h"
#include "mail/maildir.h"
#include "mail/sink_parts.h"

#define FILE_MODE  0600
#define SYNC_EVERY 1000

/* Delivery into Maildirs. A file is named by the mail's id, so that a delivery repeated after a crash
 * replaces the first one. Mails are settled only after a sync: one for many of them. */

/* The folder of a recipient, NULL when the address cannot be a folder's name. */
static char *recipient_dir(const char *root, const char *address)
{
    if (strchr(address, '/') || address[0] == '.')
        return NULL;
    return path_join(root, address);
}

static int write_mail(const char *dir, const struct outgoing *mail, struct err *err)
{
    struct str text = STR_INIT;
    struct str temp = STR_INIT;
    struct str place = STR_INIT;
    str_addf(&text, "Return-Path: <%s>\nDelivered-To: %s\n", mail->envelope_from, mail->envelope_to);
    sink_lf(&text, slice_str(&mail->mail));
    str_addf(&temp, "%s/tmp/%s", dir, mail->id);
    str_addf(&place, "%s/new/%s", dir, mail->id);
    int rc = maildir_create(dir, err);
    if (rc == 0)
        rc = file_write_soft(temp.p, slice_str(&text), FILE_MODE, err);
    if (rc == 0)
        rc = file_rename(temp.p, place.p, err);
    str_release(&text);
    str_release(&temp);
    str_release(&place);
    return rc;
}

/* 1 delivered, 0 settled otherwise, -1. */
static int deliver_one(struct sink_run *run, size_t index, struct err *err)
{
    struct outgoing mail;
    int rc = sink_load(run, index, &mail, err);
    if (rc != 0)
        return rc > 0 ? 0 : -1;
    char *dir = recipient_dir(run->sink->maildir, mail.envelope_to);
    if (!dir)
        rc = sink_settle(run, index, SPOOL_REFUSED, "the address cannot be the name of a folder", err);
    else
        rc = write_mail(dir, &mail, err) ? -1 : 1;
    free(dir);
    outgoing_release(&mail);
    return rc;
}

/* What lies in the Maildirs leaves the spool when it is there for good. */
static int settle_all(struct sink_run *run, const size_t *delivered, size_t *count, struct err *err)
{
    int rc = *count ? file_sync_all(run->sink->maildir, err) : 0;
    for (size_t i = 0; rc == 0 && i < *count; i++)
        rc = sink_settle(run, delivered[i], SPOOL_SENT, NULL, err);
    *count = 0;
    return rc;
}

int deliver_send(struct sink_run *run, struct err *err)
{
    int rc = file_mkdirs(run->sink->maildir, 0700, err);
    size_t delivered[SYNC_EVERY];
    size_t index, count = 0;
    struct err late = ERR_INIT;
    while (rc == 0 && order_take(run->order, &index)) {
        int done = deliver_one(run, index, err);
        rc = done < 0 ? -1 : 0;
        if (done > 0)
            delivered[count++] = index;
        order_done(run->order, index, SPOOL_SENT);
        if (rc == 0 && count == SYNC_EVERY)
            rc = settle_all(run, delivered, &count, err);
    }
    /* Also after an error: what was delivered before it counts. */
    return settle_all(run, delivered, &count, &late) ? err_pass(err, &late) : rc;
}

int deliver_check(const struct sink *sink, struct err *err)
{
    if (file_mkdirs(sink->maildir, 0700, err))
        return -1;
    if (access(sink->maildir, W_OK | X_OK) != 0)
        return err_sys(err, ERR_CONFIG, "cannot deliver mail into %s", sink->maildir);
    return 0;
}
