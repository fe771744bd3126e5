/* With what a reader signs: mails show the commands of their own tools. */
#ifndef LETTERS_TOOLS_H
#define LETTERS_TOOLS_H

#include <jansson.h>

#include "trust/keyring.h"

/* Adds "tools": {"ssh": true, ..., "several"}, with the sections of templates/common/sign.txt that sign with
 * these keys; of no keys: those that are offered to everybody (key_offered). */
void tools_add(json_t *facts, const struct pubkey *keys, size_t count);
/* The same of the player's keys, unless the facts name other tools already. NULL or "": nobody's. */
void tools_add_of(json_t *facts, const struct keyring *ring, const char *player);

#endif
