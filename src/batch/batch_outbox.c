/* The mails of a batch. */

#include "base/mem.h"
#include "batch/stuck.h"

struct letters batch_letters(struct batch *batch)
{
    return (struct letters){.league = batch->league,
                            .templates = batch->templates,
                            .registry = &batch->registry,
                            .keyring = &batch->keyring,
                            .head = &batch->head,
                            .now = batch->now};
}

void batch_mail_add(struct batch *batch, struct outgoing *mail)
{
    struct outgoing *added = mem_alloc(sizeof *added);
    str_fit(&mail->mail); /* a batch holds thousands of them */
    *added = *mail;
    *mail = (struct outgoing)OUTGOING_INIT;
    batch->mails.list =
        mem_grow(batch->mails.list, batch->mails.count, &batch->mails.cap, sizeof(struct outgoing *));
    batch->mails.list[batch->mails.count++] = added;
    batch->mails.bytes += letters_weight(added);
    added->at_desk = added->state == OUTGOING_ASKED || added->state == OUTGOING_WORDED;
    if (added->at_desk)
        desk_put(batch->desk, added);
}

bool batch_full(const struct batch *batch)
{
    return batch->mails.bytes >= batch->mails.most;
}
