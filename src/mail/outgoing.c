#include "mail/outgoing.h"

#include <stdlib.h>

#include "base/mem.h"

void outgoing_drop_words(struct outgoing *mail)
{
    str_release(&mail->subject);
    str_release(&mail->text);
    str_release(&mail->html);
}

struct outgoing_picture *outgoing_picture_new(void)
{
    struct outgoing_picture *picture = mem_alloc(sizeof *picture);
    str_init(&picture->cid);
    str_init(&picture->page);
    str_init(&picture->shows);
    return picture;
}

void outgoing_picture_free(struct outgoing_picture *picture)
{
    if (!picture)
        return;
    str_release(&picture->cid);
    str_release(&picture->page);
    str_release(&picture->shows);
    free(picture);
}

void outgoing_release(struct outgoing *mail)
{
    free(mail->id);
    free(mail->envelope_from);
    free(mail->envelope_to);
    free(mail->to_name);
    free(mail->game);
    free(mail->in_reply_to);
    free(mail->reply_to);
    free(mail->references);
    free(mail->proof);
    free(mail->named);
    free(mail->named_head);
    free(mail->player);
    for (size_t i = 0; i < mail->gather_count; i++)
        free(mail->gathers[i]);
    free(mail->gathers);
    outgoing_picture_free(mail->picture);
    outgoing_drop_words(mail);
    str_release(&mail->mail);
    *mail = (struct outgoing)OUTGOING_INIT;
}
