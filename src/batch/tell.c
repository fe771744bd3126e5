#include "batch/tell.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The number of the next mail of this record. */
static int next_number(const struct batch *batch, const char *front)
{
    for (size_t i = batch->mails.count; i-- > 0;) {
        const char *id = batch->mails.list[i].mail.id;
        if (str_starts(id, front))
            return (int)strtol(id + strlen(front), NULL, 10) + 1;
    }
    return 1;
}

int tell_address(struct batch *batch, const struct tell *what, const char *address, const char *name,
                 struct err *err)
{
    struct letters letters = batch_letters(batch);
    struct spool_mail mail;
    char front[48], id[64];
    (void)snprintf(front, sizeof front, REGISTRY_GAME ".%lld.", (long long)batch->log.seq);
    (void)snprintf(id, sizeof id, "%s%d", front, next_number(batch, front));
    if (letters_answer(&letters, what->words, "", what->facts, address, name, id, 0, batch->now,
                       what->answered, &mail, err))
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
