/* What older programs wrote in the clear about a player (league/registry_sealing.h) is blotted out when they leave:
 * the registry's journal is written again, signed anew from the first such record on, with the same numbers and
 * times. Its archives become a part of it. Games rest on none of this.
 *
 *   1. journal.jsonl is replaced by archives and journal, durably    a crash here leaves an old registry/applied,
 *   2. registry/applied is written                                   whose head fits no more: all is applied again
 *   3. the archives are removed                                      a crash here: the next start does it */
#ifndef LEAGUE_REGISTRY_REWRITE_H
#define LEAGUE_REGISTRY_REWRITE_H

#include "league/registry_log.h"

/* Nothing may be waiting for its commit. Does nothing where nothing is in the clear. */
int registry_rewrite(struct registry_log *log, const char *player, struct err *err)
    __attribute__((warn_unused_result));
/* Removes archives whose records are all in the journal. */
int registry_rewrite_tidy(const struct registry_log *log, struct err *err)
    __attribute__((warn_unused_result));

#endif
