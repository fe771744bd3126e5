/* Whose signature is it? An SSH signature holds its key. minisign's and signify's name a number of eight
 * bytes, which the maker of a key chooses: several players may have registered different keys with one
 * number, and only the one that verifies is meant. Keys of players whom the mail names (From:, and
 * "player:" or "name:" in the text, which are hints for the order and no more) are tried first; then one key
 * per player, so that nobody can shut others out with many keys of the same number. */
#ifndef BATCH_SIGNER_H
#define BATCH_SIGNER_H

#include "batch/batch.h"
#include "trust/envelope.h"

#define SIGNER_KEYS 32 /* registered keys that are tried, per envelope */

enum signer_fate {
    SIGNER_UNKNOWN, /* nobody has registered such a key */
    SIGNER_BAD,     /* somebody has, but none of the keys verifies; `why` is about the likeliest */
    SIGNER_GOOD
};
struct signer {
    const char *sender; /* the player whom From: claims to be, or NULL; set by the caller */
    char player[PLAYER_NAME];
    struct pubkey key; /* that verified */
    struct str exact, text;
    struct err why;
};
/* Fills in player, key, exact and text (as envelope_open) when it is valid. */
enum signer_fate signer_find(const struct keyring *ring, struct envelope *envelope, struct signer *signer);

#endif
