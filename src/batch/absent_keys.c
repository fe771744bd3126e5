/* Reading the keys of all players: for opening a batch, and for commands. */
#include <stdlib.h>

#include "base/file.h"
#include "batch/absent.h"

/* Also one whose file cannot be read. */
static bool is_known(const void *arg, const char *name)
{
    return registry_find(arg, name) || registry_damaged(arg, name);
}

int absent_keys(const char *league_dir, const struct registry *registry, struct keyring *ring,
                struct err *err)
{
    char *dir = path_join(league_dir, "keys");
    const struct keyring_people people = {is_known, registry};
    int rc = keyring_load(dir, &people, ring, err);
    for (size_t i = 0; rc == 0 && i < registry->count; i++)
        if (!registry->players[i].by_mail)
            keyring_expect(ring, dir, registry->players[i].name);
    free(dir);
    return rc;
}
