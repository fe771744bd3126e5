/* Which build this is, as a `program` entry of the league's log names it (tlog/entry.h). */
#ifndef LEAGUE_PROGRAM_H
#define LEAGUE_PROGRAM_H

#include "tlog/entry.h"

/* Reads the program's own file, once. Called before the sandbox is entered, in which it cannot be opened. What fails is logged. */
void program_read(void);
/* The version, with the commit where that is known ("0.1.0+4138e389f0cd"), and the SHA-256 of the program's file as it runs. False: that
 * cannot be read. */
bool program_entry(struct log_entry *entry, int64_t time) __attribute__((warn_unused_result));

#endif
