/* What became of a mail of ours, as `status` and `mail` say it. */
#ifndef COMMANDS_FATE_H
#define COMMANDS_FATE_H

#include "journal/catalog.h"

/* One mail: where it is, in a word for programs and in words for people. */
struct fate {
    struct catalog_delivery what; /* its `state` counts only when it has left the spool */
    const char *state, *said;
};
struct fate fate_of(const struct catalog_delivery *delivery);

#endif
