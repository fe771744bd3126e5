/* The verbs of petitions, each in the file of its name; listed in petition.c. */
#ifndef ENGINE_PETITIONS_H
#define ENGINE_PETITIONS_H

#include "engine/petition.h"

extern const struct petition petition_prefs; /* how a player wants his mails */
extern const struct petition petition_press; /* messages */
extern const struct petition petition_mute, petition_unmute;
extern const struct petition petition_observe, petition_unobserve; /* the public reports */
extern const struct petition petition_standby;                     /* the list of those who would stand in */
extern const struct petition petition_take;                        /* a seat that is offered */
extern const struct petition petition_back;                        /* a seat that was taken */

#endif
