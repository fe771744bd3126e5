/* The site after a round of work, where league.ini says so ([site] folder). */
#ifndef SITE_SITE_ROUND_H
#define SITE_SITE_ROUND_H

#include "batch/batch.h"

/* How long a round may render games and lists, in milliseconds; what is left comes with the next round. */
#define SITE_PATIENCE 2000

/* Writes what has changed, if a site is wanted. What goes wrong is told in the log and is nobody else's trouble: mails
 * and games go on. */
void site_round(struct batch *batch);

/* The rules as WebAssembly that were installed with this program, for browsers (site_check.c); NULL = there are none. The
 * caller frees it. */
char *site_wasm(void) __attribute__((warn_unused_result));

#endif
