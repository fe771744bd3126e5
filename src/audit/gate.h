/* The gate before the commit: nothing is recorded that our own audit would refuse.
 *
 * Each record of live play is judged by the audit's own checks, with the game as it is before the record in memory: members,
 * place, chain, seats, sealed payloads, the heads that its texts name and their frames, deadlines. What live play has done a
 * moment ago is not done again: signatures, proofs of draws, the rules. Nor is anything read: what only records of long ago
 * could tell is left to the audit (whether a text was obeyed before, an appeal that a ruling is about). A step is judged by it
 * when its `gate` is gate_of() (play/step.h). */
#ifndef AUDIT_GATE_H
#define AUDIT_GATE_H

#include "compete/competition.h"
#include "play/step.h"

/* One gate judges any number of games, one step after the other. */
struct gate;
struct gate *gate_open(void); /* owned */
void gate_close(struct gate *gate);
/* For a step; borrows the gate. NULL: nobody judges. */
struct step_gate gate_of(struct gate *gate);

/* The same for competitions (compete/step.h, `judge`): whose text it is, and what that says. What a record does to its competition
 * one function decides for league and audit (compete_apply); what games and results say is left to the audit. */
int gate_of_competitions(const struct competition *c, const struct record *record, struct err *err)
    __attribute__((warn_unused_result));

#endif
