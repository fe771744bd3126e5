/* Which key belongs to which player: keys/<player>.pub of a league, up to KEYS_PER_PLAYER keys a file,
 * one a line (blank lines and '#' lines are skipped). Lookup goes from the key that a signature names to
 * the registered entry; verification uses the registered bytes. Two players may not share a key. */
#ifndef TRUST_KEYRING_H
#define TRUST_KEYRING_H

#include <stddef.h>

#include "base/err.h"
#include "base/str.h"
#include "trust/signature.h"

struct keyring_entry {
    struct pubkey key;
    char *player;
};
struct keyring {
    struct keyring_entry *entries; /* sorted for lookup */
    size_t count;
};

/* Reads all *.pub files of the folder except league.pub; the error names file and line. */
int keyring_load(const char *dir, struct keyring *ring, struct err *err) __attribute__((warn_unused_result));
void keyring_release(struct keyring *ring);
/* The entries whose key the signature may be from (SSH: that key; minisign and signify: that key number).
 * At most `max`. */
size_t keyring_lookup(const struct keyring *ring, const struct signature *sig,
                      const struct keyring_entry **out, size_t max);
/* The keys of one player, at most KEYS_PER_PLAYER. */
size_t keyring_of(const struct keyring *ring, const char *player, struct pubkey keys[KEYS_PER_PLAYER]);
/* Gives a player these keys in place of the ones he has. ERR_INPUT when one of them is another player's;
 * nothing has changed then. Pointers into the ring are good no longer. */
int keyring_set(struct keyring *ring, const char *player, const struct pubkey *keys, size_t count,
                struct err *err) __attribute__((warn_unused_result));
/* Reads one key file (or standard text) into keys; ERR_INPUT names the line. */
int keys_parse(struct slice text, const char *what, struct pubkey keys[KEYS_PER_PLAYER], size_t *count,
               struct err *err) __attribute__((warn_unused_result));

#endif
