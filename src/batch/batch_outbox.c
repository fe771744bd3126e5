/* The mails of a batch. */

#include "base/log.h"
#include "base/mem.h"
#include "batch/stuck.h"
#include "picture/pictures.h"

#include <stdlib.h>

struct letters batch_letters(struct batch *batch)
{
    return (struct letters){.league = batch->league,
                            .templates = batch->templates,
                            .registry = &batch->registry,
                            .keyring = &batch->keyring,
                            .drawn = &batch->mails.drawn,
                            .now = batch->now};
}

/* What its picture shows, which is drawn and painted when the mail is to leave. It belongs to no commit: what
 * nobody asks for is dropped in time. */
static void keep_shown(const struct batch *batch, struct outgoing *mail)
{
    struct err err = ERR_INIT;
    char *dir = league_path(batch->league, PICTURES_FOLDER);
    if (pictures_keep(dir, mail->picture->digest, slice_str(&mail->picture->shows), &err))
        log_warn("%s; mails leave without their picture", err.text);
    str_release(&mail->picture->shows);
    free(dir);
}

void batch_mail_add(struct batch *batch, struct outgoing *mail)
{
    struct outgoing *added = mem_alloc(sizeof *added);
    if (mail->picture && mail->picture->shows.len)
        keep_shown(batch, mail);
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
