/* Time. Seconds since 1970-01-01 UTC in an int64_t; only commands ask the system for "now", so that
 * every step can be repeated (`--now`). Records carry RFC 3339 in UTC: 2026-11-20T08:00:00Z. */
#ifndef BASE_CLOCK_H
#define BASE_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "base/str.h"
#include "base/zone.h"

int64_t clock_system(void); /* with the correction below */
/* What is added to the system's time from now on: where several hosts must agree on the time (cluster/lease.c). */
void clock_correct(int64_t seconds);
int64_t clock_correction(void);
/* Does the system say that somebody keeps its clock right, as programs that ask time servers tell it? False as well where it
 * does not let itself be asked. */
bool clock_kept(void);
int64_t clock_milliseconds(void); /* for lengths of time and for waiting: it is never set */

#define CLOCK_TEXT 21
void clock_utc(char out[CLOCK_TEXT], int64_t time); /* 2026-11-20T08:00:00Z; years 1970..9999 */
bool clock_parse(struct slice text, int64_t *time) __attribute__((warn_unused_result)); /* that form only */

/* "Fri 20 Nov 2026, 09:00 CET (08:00 UTC)": the process's zone (see zone_set) and UTC, for the operator. What
 * players read has its words in templates (base/moment.h). */
void clock_both(struct str *out, int64_t time);

/* Durations: "90s", "45m", "12h", "3d", "2w", or several in a row ("1d12h"). 1 second .. 366 days. */
bool duration_parse(struct slice text, int64_t *seconds) __attribute__((warn_unused_result));
void duration_add(struct str *out, int64_t seconds); /* "3d", "1d12h" */

#endif
