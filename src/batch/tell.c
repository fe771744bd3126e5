#include "batch/tell.h"

#include <string.h>

/* The id of the next mail of the registry's last record. */
static struct mail_id next_id(const struct batch *batch)
{
    struct mail_id id;
    for (size_t i = batch->mails.count; i-- > 0;)
        if (mail_id_is(&id, batch->mails.list[i]->id, MAIL_ID_RECORD) && id.seq == batch->log.seq &&
            strcmp(id.name, REGISTRY_GAME) == 0)
            return mail_id_record(REGISTRY_GAME, batch->log.seq, id.number + 1);
    return mail_id_record(REGISTRY_GAME, batch->log.seq, 1);
}

int tell_address(struct batch *batch, const struct tell *what, const char *address, const char *name,
                 struct err *err)
{
    struct letters letters = batch_letters(batch);
    struct outgoing mail;
    const struct answer answer = {.kind = what->words,
                                  .folder = "",
                                  .facts = what->facts,
                                  .to = address,
                                  .to_name = name,
                                  .reply_to = what->reply_to,
                                  .id = next_id(batch)};
    letters.answered = what->answered;
    if (letters_answer(&letters, &answer, &mail, err))
        return -1;
    batch_mail_add(batch, &mail);
    return 0;
}

int tell_player(struct batch *batch, const struct tell *what, const char *player, struct err *err)
{
    const struct player *who = registry_find(&batch->registry, player);
    if (!who)
        return 0;
    if (tell_address(batch, what, who->address, who->name, err))
        return -1;
    return *who->address2 ? tell_address(batch, what, who->address2, who->name, err) : 0;
}
