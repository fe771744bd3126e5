/* Mails that belong to the registry's last record (league/registry_log.h): announcements about players and
 * keys, and answers that must arrive. Their ids are registry.SEQ.1 and up; registry.SEQ.0 is the answer that
 * intake makes. */
#ifndef BATCH_TELL_H
#define BATCH_TELL_H

#include <jansson.h>

#include "batch/batch.h"

/* Puts the mail `words` (templates/common/<words>.txt and .subject.txt) into the batch. `facts` and the rest
 * are borrowed; `answered` is the mail that it answers, or NULL. `name` "" = somebody who is not registered.
 */
int tell_address(struct batch *batch, const char *words, const char *address, const char *name, json_t *facts,
                 const struct message *answered, struct err *err) __attribute__((warn_unused_result));
/* The same to both addresses of a player; nothing to somebody who is not registered. */
int tell_player(struct batch *batch, const char *words, const char *player, json_t *facts,
                const struct message *answered, struct err *err) __attribute__((warn_unused_result));

#endif
