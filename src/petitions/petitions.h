/* The verbs of petitions, each in the file of its name; listed in petition.c. */
#ifndef PETITIONS_PETITIONS_H
#define PETITIONS_PETITIONS_H

#include "petitions/petition.h"

extern const struct petition petition_register; /* a new player */
extern const struct petition petition_join;     /* a seat in a game, or a place on its waiting list */
extern const struct petition petition_leave;    /* given up again, before the start */
extern const struct petition petition_resign;   /* a robot plays on */
extern const struct petition petition_prefs;    /* how a player wants his mails, and where */
extern const struct petition petition_key;      /* adds or takes away a key */
extern const struct petition petition_veto;     /* against petition_rekey */
extern const struct petition petition_rekey;    /* a moderator: a key in place of a lost one */
extern const struct petition petition_invite;   /* a word to pass on to a friend */
extern const struct petition petition_press;    /* messages */
extern const struct petition petition_mute, petition_unmute;
extern const struct petition petition_observe, petition_unobserve; /* the public reports */
extern const struct petition petition_standby;                     /* the list of those who would stand in */
extern const struct petition petition_take;                        /* a seat that is offered */
extern const struct petition petition_back;                        /* a seat that was taken */
extern const struct petition petition_extend;                      /* a vote to put a deadline off */
extern const struct petition petition_appeal;                      /* something went wrong in a turn */
extern const struct petition petition_ruling;                      /* a moderator decides on it */
extern const struct petition petition_vacation;                    /* days on which a player is away */
extern const struct petition petition_resend;                      /* a report once more */
extern const struct petition petition_witness;                     /* a witness's key, and his answers */
extern const struct petition petition_excuse;                      /* a moderator: without a witness */
extern const struct petition petition_preview;                     /* play/preview.h */
extern const struct petition petition_moderate;                    /* petitions/moderate.h */

#endif
