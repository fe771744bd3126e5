/* What the players of a competition are told: that they are in or out; that they have to confirm; each round's pairing
 * with the table so far, and the end. The mails belong to records of the competition, whose head is signed at their
 * end; what is no answer may wait for a digest. */
#ifndef BATCH_COMPETING_MAILS_H
#define BATCH_COMPETING_MAILS_H

#include "batch/competing.h"
#include "compete/ranking.h"

int competing_tell_round(struct batch *batch, const struct batch_competition *entry, struct err *err)
    __attribute__((warn_unused_result));
/* How a duplicate deal went, once all its results are there. */
int competing_tell_deal(struct batch *batch, const struct batch_competition *entry, struct err *err)
    __attribute__((warn_unused_result));
int competing_tell_end(struct batch *batch, const struct batch_competition *entry, struct err *err)
    __attribute__((warn_unused_result));

/* That the competition's last record has entered, withdrawn or confirmed somebody; all borrowed. */
struct competing_told {
    const char *player;
    const char *type;               /* "enter", "withdraw", "confirm" */
    const struct message *answered; /* their mail; NULL = somebody else did it */
};
int competing_tell_entry(struct batch *batch, const struct batch_competition *entry,
                         const struct competing_told *told, struct err *err)
    __attribute__((warn_unused_result));

/* That the competition's last record has decided something about a player, or about a table: to those whom it concerns. What
 * is not of that record is NULL, or 0; all borrowed. */
struct competing_ruling {
    const char *player; /* who was taken out, or given points, or lost them */
    int64_t halves;     /* of points; 0: they were taken out */
    const struct compete_table
        *table; /* or whose ranks were set: by somebody, or, as the round was over, by the league */
    const char *by, *reason;
};
int competing_tell_ruling(struct batch *batch, const struct batch_competition *entry,
                          const struct competing_ruling *ruling, struct err *err)
    __attribute__((warn_unused_result));

/* When those who have not confirmed are reminded: a day before they have to. Whoever enters later is told so then.
 * 0 = nobody has to. */
int64_t competing_remind_at(const struct competition *c);
/* Reminds them. Of no record: whoever calls makes sure that it happens once, and what comes again after a crash is the
 * same mail. */
int competing_tell_confirm(struct batch *batch, const struct batch_competition *entry, struct err *err)
    __attribute__((warn_unused_result));
/* Tells all who play in the next round that it waits for witnesses. Of its last record. */
int competing_tell_late(struct batch *batch, const struct batch_competition *entry, struct err *err)
    __attribute__((warn_unused_result));
/* Asks a player whether they play in it; `again`: too, after the season before. Then it is of its last record, else of none: each
 * call is another mail. */
int competing_tell_invitation(struct batch *batch, const struct batch_competition *entry, const char *player,
                              bool again, struct err *err) __attribute__((warn_unused_result));

/* For templates, also of other mails. New references. */

/* {"competition","ruleset","round","rounds",...}: what it is and how far it has come. */
json_t *competing_facts(const struct batch *batch, const struct competition *c);
/* The table: its first rows, and those around that player ("" = nobody); {"rows":[{"place","name","points",
 * "played","gap","own","gone"}]}, by division where there are any. */
json_t *competing_table(const struct ranking *ranking, const char *player, size_t most);
/* Who is in: {"names":[{"name","more"}], "left": how many more than `most` there are}. */
json_t *competing_entrants(const struct competition *c, size_t most);
/* Halves as a text: "3", "3.5". */
void competing_points(char out[16], int64_t halves);

#endif
