#include "cluster/kept.h"

#include <string.h>

#include "base/str.h"

/* By their names in the league's folder. */
static const char *const kept_folders[] = {"competitions", "games", "keys",  "players",
                                           "registry",     "spool", "tokens"};

/* What the catalog has in no journal (journal/catalog_changes.h), and the log without what is made of its entries. */
static const char *const kept_names[] = {"store", "store/catalog.kept", "store/catalog.changes", "log",
                                         "log/entries"};

static bool is_in(const char *name, const char *folder)
{
    size_t len = strlen(folder);
    return strncmp(name, folder, len) == 0 && (name[len] == '/' || name[len] == '\0');
}

const char *kept_name(const char *dir, const char *path)
{
    size_t len = strlen(dir);
    if (strncmp(path, dir, len) != 0)
        return NULL;
    if (path[len] == '\0')
        return path + len;
    return path[len] == '/' ? path + len + 1 : NULL;
}

/* Of keys the public ones alone: beside them there may be anything secret, such as a copy of keys/secret. */
static bool is_key(const char *name)
{
    const char *slash = strchr(name, '/');
    return !slash ||
           (!strchr(slash + 1, '/') && (str_ends(slash, ".pub") || strcmp(slash, "/league.policy") == 0));
}

bool kept_file(const char *name)
{
    bool kept = *name == '\0';
    for (size_t i = 0; i < sizeof kept_folders / sizeof *kept_folders; i++)
        kept |= is_in(name, kept_folders[i]);
    for (size_t i = 0; i < sizeof kept_names / sizeof *kept_names; i++)
        kept |= strcmp(name, kept_names[i]) == 0;
    return kept && (!is_in(name, "keys") || is_key(name)) && !str_ends(name, "/state.json") &&
           !str_ends(name, ".tmp");
}

/* No part of it is empty, begins with a dot, or leads elsewhere. */
bool kept_safe(const char *name)
{
    bool safe = kept_file(name) && strchr(name, '/');
    for (const char *part = name; part && safe; part = strchr(part, '/')) {
        part += *part == '/';
        safe = *part && *part != '/' && *part != '.';
    }
    return safe;
}
