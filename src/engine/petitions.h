/* The verbs of petitions, each in the file of its name; listed in petition.c. */
#ifndef ENGINE_PETITIONS_H
#define ENGINE_PETITIONS_H

#include "engine/petition.h"

extern const struct petition petition_prefs;    /* how a player wants his mails */
extern const struct petition petition_extend;   /* a vote to put a deadline off */
extern const struct petition petition_vacation; /* days on which a player is away */

#endif
