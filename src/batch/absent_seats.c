/* Who ought to have a file in players/, by the seats of running games and the registry's journal: for opening
 * a batch, and for commands. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/json.h"
#include "base/log.h"
#include "batch/absent.h"
#include "league/registry_documents.h"
#include "league/registry_sealing.h"

/* ---- who has a seat ---- */

struct search {
    const char *player;
    void (*each)(void *arg, const char *player, const char *game);
    void *arg;
    bool found;
};

static int in_game(void *arg, const struct catalog_game *game, struct err *err)
{
    (void)err;
    struct search *search = arg;
    if (!search->found)
        search->each(search->arg, search->player, game->id);
    search->found = true;
    return 0;
}

int absent_each(struct catalog *catalog, const struct registry *registry,
                void (*each)(void *arg, const char *player, const char *game), void *arg, struct err *err)
{
    char name[CATALOG_NAME] = "";
    for (;;) {
        bool found = false;
        if (catalog_next_player(catalog, name, &found, err))
            return -1;
        if (!found)
            return 0;
        struct search search = {name, each, arg, false};
        if (strcmp(name, CATALOG_FREE) != 0 && !registry_find(registry, name) &&
            !registry_damaged(registry, name) &&
            catalog_each_game(catalog, &(struct catalog_filter){name, true}, in_game, &search, err))
            return -1;
    }
}

/* What is known of the names in players/ from outside of that folder. */
struct expected {
    struct registry *registry;
    struct catalog *catalog;
    json_t *documents; /* registry_document_names; NULL: it cannot be read */
    size_t count;
};

/* ---- files that belong to no player ---- */

static void note_seat(void *arg, const char *player, const char *game)
{
    (void)player;
    (void)game;
    *(bool *)arg = true;
}

/* The name in it, if that is a player's and differs from the file's name; else "". */
static void name_within(const struct registry *registry, const struct registry_fault *fault,
                        char name[PLAYER_NAME])
{
    struct err ignored = ERR_INIT;
    json_t *document = json_read(slice_str(&fault->bytes), "", &ignored);
    const char *within = json_string_value(json_object_get(document, "name"));
    bool other = within && strcmp(within, fault->name) != 0 &&
                 (registry_find(registry, within) || registry_damaged(registry, within));
    (void)snprintf(name, PLAYER_NAME, "%s", other ? within : "");
    json_decref(document);
}

/* A file that is named after nobody is no player's, and stops nothing: a copy, or left by somebody else. */
static int judge_fault(const struct expected *expected, struct registry_fault *fault, struct err *err)
{
    char within[PLAYER_NAME], why[sizeof fault->why];
    bool seated = false;
    struct search search = {fault->name, note_seat, &seated, false};
    if (!*fault->name || fault->code == ERR_MISSING || fault->code == ERR_NEWER || fault->code == ERR_IO)
        return 0;
    if (catalog_each_game(expected->catalog, &(struct catalog_filter){fault->name, true}, in_game, &search,
                          err))
        return -1;
    name_within(expected->registry, fault, within);
    bool known = json_is_true(json_object_get(expected->documents, fault->name));
    if (seated || known || !(*within || json_object_size(expected->documents)))
        return 0;
    if (*within)
        (void)snprintf(why, sizeof why,
                       "players/%s.json holds the player %s, and nobody is called %s (a copy?)", fault->name,
                       within, fault->name);
    else
        (void)snprintf(why, sizeof why, "%.200s; nobody is called %s (a copy?)", fault->why, fault->name);
    memcpy(fault->why, why, sizeof why);
    str_clear(&fault->bytes); /* an address in it is no reason to wait */
    *fault->name = '\0';
    return 0;
}

/* ---- players without a file ---- */

static void count_missing(void *arg, const char *player, const char *game)
{
    (void)player;
    (void)game;
    struct expected *expected = arg;
    expected->count++;
}

/* Players not known to have been removed. */
static void expect_one(void *arg, const char *player, const char *game)
{
    const struct expected *expected = arg;
    struct str why = STR_INIT;
    if (json_is_false(json_object_get(expected->documents, player)))
        return;
    str_addf(&why, "%s has a seat in game %s, which is running, and there is no players/%s.json", player,
             game, player);
    registry_expect(expected->registry, player, why.p);
    str_release(&why);
}

/* Did somebody take away both files of a player who has a key? Then they were taken out by hand. */
static bool by_hand(const char *league_dir, const char *name, const json_t *past_keys)
{
    struct str path = STR_INIT;
    str_addf(&path, "%s/keys/%s.pub", league_dir, name);
    bool taken = !file_exists(path.p) && json_string_length(json_object_get(past_keys, name)) > 0;
    str_release(&path);
    return taken;
}

static void expect_keyed(const char *league_dir, struct registry *registry, const char *name,
                         const json_t *documents, const json_t *past_keys)
{
    struct str why = STR_INIT;
    str_addf(&why, "there is no players/%s.json, and the registry's journal has it", name);
    if (json_is_true(json_object_get(documents, name)) && !by_hand(league_dir, name, past_keys))
        registry_expect(registry, name, why.p);
    str_release(&why);
}

int absent_seatless(const char *league_dir, struct registry *registry, struct err *err)
{
    struct file_names names;
    struct err why = ERR_INIT; /* then nobody is missed */
    json_t *documents = NULL, *past_keys = NULL;
    char *dir = path_join(league_dir, SEALING_DIR);
    int rc = file_list(dir, &names, err);
    for (size_t i = 0; rc == 0 && i < names.count; i++) {
        const char *name = names.name[i];
        if (!name_valid(slice_of(name)) || registry_find(registry, name) || registry_damaged(registry, name))
            continue;
        if (!documents && (registry_document_names(league_dir, &documents, &why) ||
                           registry_document_keys(league_dir, &past_keys, &why)))
            break;
        expect_keyed(league_dir, registry, name, documents, past_keys);
    }
    json_decref(documents);
    json_decref(past_keys);
    file_names_free(&names);
    free(dir);
    return rc;
}

int absent_expect(const char *league_dir, struct catalog *catalog, struct registry *registry, struct err *err)
{
    struct expected expected = {registry, catalog, NULL, 0};
    struct err why = ERR_INIT;
    if (absent_each(catalog, registry, count_missing, &expected, err))
        return -1;
    if (expected.count + registry->fault_count &&
        registry_document_names(league_dir, &expected.documents, &why))
        log_warn("%s; players whose files are gone are waited for", why.text);
    int rc = absent_each(catalog, registry, expect_one, &expected, err);
    for (size_t i = 0; rc == 0 && i < registry->fault_count; i++)
        rc = judge_fault(&expected, &registry->faults[i], err);
    if (rc == 0)
        rc = absent_seatless(league_dir, registry, err);
    json_decref(expected.documents);
    return rc;
}
