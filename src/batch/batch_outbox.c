/* The mails of a batch. */

#include "base/mem.h"
#include "batch/stuck.h"

struct letters batch_letters(struct batch *batch)
{
    return (struct letters){.league = batch->league,
                            .templates = batch->templates,
                            .registry = &batch->registry,
                            .head = &batch->head,
                            .now = batch->now};
}

void batch_mail_add(struct batch *batch, struct spool_mail *mail)
{
    str_fit(&mail->mail); /* a batch holds thousands of them */
    batch->mails.list =
        mem_grow(batch->mails.list, batch->mails.count, &batch->mails.cap, sizeof *batch->mails.list);
    batch->mails.list[batch->mails.count++] = (struct batch_mail){.mail = *mail};
    batch->mails.bytes += mail->mail.len;
}

bool batch_full(const struct batch *batch)
{
    return batch->mails.bytes >= batch->mails.most;
}
