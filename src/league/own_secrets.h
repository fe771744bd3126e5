/* Are the league's secrets the ones that it began with? A key of the draws or of the seals that is another league's, or has
 * one wrong digit, looks as good as the right one, and all that is made with it is of no use. So the registry's journal
 * holds registry/secrets.json:
 *
 *   {"draws":"<64 hex: the public key that belongs to keys/secret/vrf>","seals":"<64 hex: BLAKE2b-256(key =
 *    keys/secret/master; "turnpost/master\0")>"}
 *
 * The league's own key is held against keys/league.pub (league_keys) and, by the registry's records, against that
 * journal. */
#ifndef LEAGUE_OWN_SECRETS_H
#define LEAGUE_OWN_SECRETS_H

#include <jansson.h>

#include "base/err.h"
#include "league/league.h"

#define OWN_SECRETS "registry/secrets.json"

/* What belongs to these keys. New reference. */
json_t *own_secrets_document(const struct league *league);
/* Of a league whose keys were read. The file is believed where it agrees; where it does not, or is damaged or gone, the
 * journal is. *lacking: the league has no such document that fits yet, and is to record it. ERR_CONFIG: the keys are others;
 * the sentence names the file. */
int own_secrets_check(const struct league *league, bool *lacking, struct err *err)
    __attribute__((warn_unused_result));

#endif
