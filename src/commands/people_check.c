#include "commands/people_check.h"

#include "batch/absent.h"
#include "league/registry_documents.h"

int people_check(const char *league_dir, void (*tell)(void *arg, const char *words), void *arg,
                 struct err *err)
{
    struct registry registry;
    struct keyring ring;
    if (registry_load(league_dir, &registry, err))
        return -1;
    int rc = absent_seatless(league_dir, &registry, err);
    for (size_t i = 0; i < registry.fault_count; i++)
        if (*registry.faults[i].name)
            tell(arg, registry.faults[i].why);
    bool keys = rc == 0 && absent_keys(league_dir, &registry, &ring, err) == 0;
    rc = keys ? 0 : -1;
    for (size_t i = 0; rc == 0 && i < registry.count; i++) {
        const struct keyring_damage *damage = keyring_damaged(&ring, registry.players[i].name);
        if (damage)
            tell(arg, damage->why.text);
    }
    if (keys)
        keyring_release(&ring);
    registry_release(&registry);
    return rc;
}

/* A document that no record can have is looked for through all of it. */
int registry_check(const char *league_dir, struct err *err)
{
    struct registry_found found = {.document = NULL};
    int rc = registry_document(league_dir, "players/.json", &found, err);
    json_decref(found.document);
    return rc;
}
