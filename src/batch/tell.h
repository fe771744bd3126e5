/* Mails that belong to the last record of the registry (league/registry_log.h) or of a competition: announcements
 * about players, keys and rounds, and answers that must arrive. Their ids are registry.SEQ.1 and up;
 * registry.SEQ.0 is the answer that intake makes. */
#ifndef BATCH_TELL_H
#define BATCH_TELL_H

#include <jansson.h>

#include "batch/batch.h"

/* What is told. All borrowed. */
struct tell {
    const char *words; /* templates/common/<words>.txt and .subject.txt */
    json_t *facts;
    const struct message *answered; /* the mail that it answers, or NULL */
    const char *reply_to;           /* where what they answer goes; NULL = to the league's own address */
    const struct answer_game *asks; /* the game that their "ok" is about, and for what; or NULL */
    const struct game *shows;       /* its page has a picture of this board; or NULL */
    const char *of;                 /* the journal whose last record it belongs to; NULL = the registry's */
    int64_t seq, time;              /* of that record; with a time it is proved at the end of the mail */
    const char *about; /* not of that record, as it may come again: the mail's id is of these words */
    bool news;         /* it is no answer and need not be read at once: it may wait for its reader's digest */
};

/* Puts that mail into the batch. `name` "" = somebody who is not registered. */
int tell_address(struct batch *batch, const struct tell *what, const char *address, const char *name,
                 struct err *err) __attribute__((warn_unused_result));
/* The same to a player, and to the second address if it is told there (player_second); nothing to somebody who is not registered. */
int tell_player(struct batch *batch, const struct tell *what, const char *player, struct err *err)
    __attribute__((warn_unused_result));

/* This text in an armor of that name (tlog/armor.h), for a template: its lines, [{"base64"}, ...]. New reference. */
json_t *tell_armor(const char *name, const struct str *text);

#endif
