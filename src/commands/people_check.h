/* For `backup`, `restore` and `doctor`: what of a league's players, keys and registry is not whole. */
#ifndef COMMANDS_PEOPLE_CHECK_H
#define COMMANDS_PEOPLE_CHECK_H

#include "base/err.h"

/* A sentence for each player whose file or keys cannot be read. */
int people_check(const char *league_dir, void (*tell)(void *arg, const char *words), void *arg,
                 struct err *err) __attribute__((warn_unused_result));
/* The chain and the signatures of the registry's journal and its archives. ERR_BROKEN names file and line. */
int registry_check(const char *league_dir, struct err *err) __attribute__((warn_unused_result));

#endif
