/* Which build this is, as a `program` entry of the league's log names it (tlog/entry.h). */
#ifndef LEAGUE_PROGRAM_H
#define LEAGUE_PROGRAM_H

#include "tlog/entry.h"

/* The version, with the commit where that is known ("0.1.0+4138e389f0cd"), and the SHA-256 of the program's file as it runs, which is read
 * once. False: it cannot be read, which is logged. */
bool program_entry(struct log_entry *entry, int64_t time) __attribute__((warn_unused_result));

#endif
