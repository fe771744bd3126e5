/* What became of a mail of ours, as `status` and `mail` say it. */
#ifndef COMMANDS_FATE_H
#define COMMANDS_FATE_H

#include "journal/catalog.h"
#include "mail/spool.h"

/* One mail: where it is, in a word for programs and in words for people. */
struct fate {
    struct catalog_delivery what; /* its `state` counts only when it has left the spool */
    const char *state, *said;
};
struct fate fate_of(const struct catalog_delivery *delivery);

/* Appends why no mail leaves, of which so many wait, and what can be done. */
void fate_pause(struct str *out, const struct spool_pause *pause, size_t waiting);

#endif
