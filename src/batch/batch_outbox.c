/* The mails of a batch. */

#include "base/mem.h"
#include "batch/stuck.h"

struct letters batch_letters(struct batch *batch)
{
    return (struct letters){batch->league, batch->templates, &batch->registry, &batch->head, NULL, false, 0};
}

void batch_mail_add(struct batch *batch, struct spool_mail *mail)
{
    str_fit(&mail->mail); /* a batch holds thousands of them */
    batch->mails = mem_grow(batch->mails, batch->mail_count, &batch->mail_cap, sizeof *batch->mails);
    batch->mails[batch->mail_count++] = (struct batch_mail){.mail = *mail};
    batch->mail_bytes += mail->mail.len;
}

bool batch_full(const struct batch *batch)
{
    return batch->mail_bytes >= batch->mail_most;
}
