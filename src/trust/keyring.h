/* Which key belongs to which player: keys/<player>.pub of a league, up to KEYS_PER_PLAYER keys a file,
 * one a line (blank lines and '#' lines are skipped). Lookup goes from the key that a signature names to
 * the registered entry; verification uses the registered bytes. Two players may not share a key, and a key,
 * that is its point of the curve, serves one format. */
#ifndef TRUST_KEYRING_H
#define TRUST_KEYRING_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"
#include "base/str.h"
#include "trust/signature.h"

struct keyring_entry {
    struct pubkey key;
    char *player;
    bool shared; /* other files hold its point too: the key counts for no player, and no player can register
                  * it */
};
/* Whose file cannot be read. */
struct keyring_damage {
    char *player;   /* as the file is called: it need not be a player's name */
    struct err why; /* a sentence that names the file; ERR_IO: it is there and nobody can read it;
                     * ERR_MISSING: it is not (keyring_expect) */
    size_t fault;   /* its number among the faults */
};
struct keyring {
    struct keyring_entry *entries; /* sorted for lookup */
    size_t count;
    struct keyring_entry **by_player; /* all of them by player, those of one player in the same order */
    char **faults; /* what keyring_load has left out, a sentence each that names files and lines */
    size_t fault_count;
    struct keyring_damage *damaged;
    size_t damaged_count;
};

/* Who is a player, by name; `arg` goes to `has`. */
struct keyring_people {
    bool (*has)(const void *arg, const char *name);
    const void *arg;
};

/* Reads all *.pub files of the folder except league.pub; the error is of the folder itself. A key that cannot
 * count stops nobody else: of two keys with one point in a file the first counts, one in the files of
 * several players counts for none of them, and files that are named after no player take no key from a player
 * (`people`; NULL = every name is a player's); a file that cannot be read leaves its player without keys.
 * All are faults. */
int keyring_load(const char *dir, const struct keyring_people *people, struct keyring *ring, struct err *err)
    __attribute__((warn_unused_result));
/* Reports the faults to the operator by log_error, but not that the file of the player `mended` cannot be
 * read (NULL = of no player). */
void keyring_tell(const struct keyring *ring, const char *mended);
void keyring_release(struct keyring *ring);
/* What is wrong with this player's file; NULL = nothing, or the player has been given other keys since. Do
 * not keep it: keyring_set moves it. */
const struct keyring_damage *keyring_damaged(const struct keyring *ring, const char *player);
/* The same for a player who ought to have a key: one who has none that counts (the file is missing, holds no
 * key, or only keys that are also in other players' files) counts as damaged from now on. */
void keyring_expect(struct keyring *ring, const char *dir, const char *player);
/* Does this player's file hold a key that another player's file holds too? */
bool keyring_shares(const struct keyring *ring, const char *player);
/* The entries whose key the signature may be from (SSH: that key; minisign and signify: that key number,
 * which anybody can give a key of their own: the entries lie side by side, by player). At most `max`. */
size_t keyring_lookup(const struct keyring *ring, const struct signature *sig,
                      const struct keyring_entry **out, size_t max);
/* Whose file holds this point, in any format? NULL = no player's. */
const char *keyring_owner(const struct keyring *ring, const struct pubkey *key);
/* The keys of one player that count, at most KEYS_PER_PLAYER; looked up, not searched for. */
size_t keyring_of(const struct keyring *ring, const char *player, struct pubkey keys[KEYS_PER_PLAYER]);
/* Is it one of them? */
bool keyring_has(const struct keyring *ring, const char *player, const struct pubkey *key);
/* Gives a player these keys in place of the ones they have; a key that was in their file and in one other
 * counts for that other player from now on. ERR_INPUT when one of them is another player's,
 * or two are of one point; nothing has changed then. Pointers into the ring are no longer valid. */
int keyring_set(struct keyring *ring, const char *player, const struct pubkey *keys, size_t count,
                struct err *err) __attribute__((warn_unused_result));
/* Reads one key file (or standard text) into keys; ERR_INPUT names the line. */
int keys_parse(struct slice text, const char *what, struct pubkey keys[KEYS_PER_PLAYER], size_t *count,
               struct err *err) __attribute__((warn_unused_result));

#endif
