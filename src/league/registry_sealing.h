/* What a record of the registry's journal knows of a person: their document (players/NAME.json: addresses,
 * settings) and the text that they signed, which may name an address. It is sealed under a key of that player's
 * own, registry/sealing/NAME: by what it is named in records (below), ".", and 32 random bytes as hex. So is the mail that stands for a signature. Who leaves takes nothing out of the journal: their key is
 * destroyed, and nobody can read these parts any more, in no archive either.
 *
 * In a record it is the member "sealed": 16 hex digits that name the key, ".", and base64 of 24 bytes nonce and
 * a secretbox (libsodium) of a JSON object:
 * {"files":{"players/NAME.json":{..}},"signed":{..},"said":"..","evidence":{"mail":..,"record":..}}. */
#ifndef LEAGUE_REGISTRY_SEALING_H
#define LEAGUE_REGISTRY_SEALING_H

#include <jansson.h>
#include <stdbool.h>

#include "base/err.h"

#define SEALING_DIR "registry/sealing"

/* Moves what there is of these members of a new record, which names its "player", into its "sealed". A key is
 * made, durably, for a player who has none. */
int registry_seal(const char *league_dir, json_t *fields, struct err *err)
    __attribute__((warn_unused_result));
/* Puts them back into a record that was read. *erased: the key is not there, or it is one of somebody who came
 * later under that name; then they stay sealed. ERR_BROKEN: it is the key and does not open them. */
int registry_unseal(const char *league_dir, json_t *fields, bool *erased, struct err *err)
    __attribute__((warn_unused_result));
/* Destroys the key of a player who has left, and copies of their files that were kept in registry/
 * (league/registry_applied.h). It may be done already. */
int registry_sealing_destroy(const char *league_dir, const char *player, struct err *err)
    __attribute__((warn_unused_result));

#endif
