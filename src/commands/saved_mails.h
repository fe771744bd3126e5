/* Mails that somebody has saved: a file with one, an mbox, a Maildir, or a folder of such files. */
#ifndef COMMANDS_SAVED_MAILS_H
#define COMMANDS_SAVED_MAILS_H

#include "base/err.h"
#include "base/str.h"

/* Each of them, with what it may be called: "sent.mbox, mail 3". "-" is standard input. What is no mail comes as it is. ERR_MISSING. */
typedef void saved_mail(void *arg, const char *label, struct slice raw);
int saved_mails(const char *path, saved_mail *each, void *arg, struct err *err)
    __attribute__((warn_unused_result));

#endif
