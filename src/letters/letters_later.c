/* Mails whose words, signature and MIME form are made later, maybe in another thread. */
#include "letters/letters_parts.h"

#include <stdlib.h>

#include "base/mem.h"
#include "play/trial.h"

bool draft_keeps(const struct draft *draft)
{
    return draft->trial && *draft->trial && !draft->json && !draft->view && !draft->attach;
}

struct draft *draft_keep(const struct draft *draft)
{
    struct draft *kept = mem_alloc(sizeof *kept);
    *kept = *draft;
    kept->facts = json_incref(draft->facts);
    kept->own = *draft->trial;
    kept->trial = &kept->own;
    *draft->trial = NULL;
    return kept;
}

#define RENDERED_ABOUT 2048 /* a receipt */

size_t letters_weight(const struct outgoing *mail)
{
    return sizeof *mail +
           (mail->draft ? RENDERED_ABOUT : mail->subject.len + mail->text.len + mail->html.len) +
           mail->mail.len + (mail->picture ? mail->picture->shows.len : 0);
}

void letters_drop_draft(struct outgoing *mail)
{
    if (!mail->draft)
        return;
    json_decref(mail->draft->facts);
    trial_free(mail->draft->own);
    free(mail->draft);
    mail->draft = NULL;
}

void letters_free(struct outgoing *mail)
{
    if (!mail)
        return;
    letters_drop_draft(mail);
    outgoing_release(mail);
    free(mail);
}

int letters_finish(const struct letters *letters, struct outgoing *mail, struct err *err)
{
    if (mail->state == OUTGOING_ASKED && letters_render(letters->templates, mail->draft, mail, err))
        return -1;
    letters_compose(letters, NULL, mail);
    return 0;
}
