/* All players of a league (league/player.h), and the files in players/ that cannot be read. */
#ifndef LEAGUE_REGISTRY_H
#define LEAGUE_REGISTRY_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"
#include "base/str.h"
#include "league/page_url.h"
#include "league/player.h"

/* A file in players/ that belongs to no player, or cannot be read; its player is left out. */
struct registry_fault {
    char name[PLAYER_NAME]; /* "" = the file is not named after a player either */
    char why[320];          /* a sentence that names the file */
    enum err_code code;     /* ERR_NEWER; ERR_IO: it is there but cannot be read; ERR_MISSING: it is not
                             * there (registry_expect); else it is damaged */
    struct str bytes;       /* of the file, as far as they could be read: there may be an address in them */
};

/* All players by address, for finding whom a mail claims to be from; sorted. */
struct registry {
    struct player *players; /* sorted by name */
    size_t count;
    size_t *by_address; /* twice the index, and 1 for the second address; sorted by address */
    size_t address_count;
    struct registry_fault *faults;
    size_t fault_count;
    struct page_written page; /* the order page as it was written last */
};
/* A player's file that cannot be read is a fault, not an error. */
int registry_load(const char *league_dir, struct registry *registry, struct err *err)
    __attribute__((warn_unused_result));
void registry_release(struct registry *registry);
/* The fault of this player's file; NULL = there is none. */
const struct registry_fault *registry_damaged(const struct registry *registry, const char *name);
/* Is this address in a file that cannot be read? Then it may be that player's. */
bool registry_damaged_address(const struct registry *registry, const char *address);
/* Records that there ought to be a player of that name and there is no file, as a fault (ERR_MISSING).
 * `why` is a sentence that names the file. */
void registry_expect(struct registry *registry, const char *name, const char *why);
/* Adds a player or replaces the one of the same name. Pointers to players become invalid. */
void registry_put(struct registry *registry, const struct player *player);
/* Removes a player. */
void registry_remove(struct registry *registry, const char *name);
const struct player *registry_find(const struct registry *registry, const char *name);
/* The first player whose name looks like this one (player_names_alike) or equals it; NULL = none. */
const struct player *registry_alike(const struct registry *registry, const char *name);
/* By either address; case does not matter. Players who share one: the first by name. */
const struct player *registry_by_address(const struct registry *registry, const char *address);

#endif
