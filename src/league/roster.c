#include "league/roster.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/json.h"
#include "journal/store.h"

static const struct {
    const char *documents, *folder, *command;
} kinds[] = {[ROSTER_GAME] = {ROSTER_GAMES, "games", "game"},
             [ROSTER_COMPETITION] = {ROSTER_COMPETITIONS, "competitions", "compete"}};

char *roster_document(enum roster_kind kind, const char *name)
{
    struct str path = STR_INIT;
    str_addf(&path, "%s/%s.json", kinds[kind].documents, name);
    return str_detach(&path);
}

enum roster_state roster_state(const char *league_dir, enum roster_kind kind, const char *name)
{
    struct err why = ERR_INIT; /* a damaged one says that there was something */
    char *document = roster_document(kind, name), *path = path_join(league_dir, document);
    enum roster_state state = ROSTER_NEW;
    if (file_exists(path)) {
        json_t *json = json_read_file(path, &why);
        state = json_object_get(json, "forgotten") ? ROSTER_FORGOTTEN : ROSTER_MADE;
        json_decref(json);
    }
    free(path);
    free(document);
    return state;
}

bool roster_there(const char *league_dir, enum roster_kind kind, const char *name)
{
    char *folder = path_join(league_dir, kinds[kind].folder);
    struct store *store = store_open(folder);
    bool there = store_has(store, name);
    store_close(store);
    free(folder);
    return there;
}

bool roster_gone(const char *league_dir, enum roster_kind kind, const char *name)
{
    return !roster_there(league_dir, kind, name) && roster_state(league_dir, kind, name) == ROSTER_MADE;
}

bool roster_had(const char *league_dir, const char *name)
{
    return roster_state(league_dir, ROSTER_GAME, name) != ROSTER_NEW ||
           roster_state(league_dir, ROSTER_COMPETITION, name) != ROSTER_NEW;
}

int roster_clear(const char *league_dir, enum roster_kind kind, const char *name, bool *cleared,
                 struct err *err)
{
    char *folder = path_join(league_dir, kinds[kind].folder);
    struct store *store = store_open(folder);
    struct str lines = STR_INIT;
    struct err why = ERR_INIT;
    bool ignored;
    *cleared = name_valid(slice_of(name)) && roster_state(league_dir, kind, name) == ROSTER_NEW &&
               (store_read(store, name, STORE_BEGIN, &lines, &why) == 0 || why.code == ERR_MISSING) &&
               !lines.len;
    int rc = *cleared ? store_mend(store, name, STORE_BEGIN, &ignored, err) : 0;
    str_release(&lines);
    store_close(store);
    free(folder);
    return rc;
}

void roster_gone_words(struct str *out, enum roster_kind kind, const char *name)
{
    str_addf(out, "%s %s is gone: %s/%s/journal.jsonl is not there or is empty; ",
             kind == ROSTER_GAME ? "game" : "competition", name, kinds[kind].folder, name);
    if (kind == ROSTER_GAME)
        str_addf(out, "bring it back from a backup: turnpost game restore %s BACKUP", name);
    else
        str_addf(out, "take the folder %s/%s from a backup", kinds[kind].folder, name);
    str_addf(out, "; or, if it is to be gone: turnpost %s forget %s", kinds[kind].command, name);
}

int roster_each(const char *league_dir, enum roster_kind kind, const struct roster_look *look,
                struct err *err)
{
    struct file_names known = {NULL, 0}, there = {NULL, 0};
    char *documents = path_join(league_dir, kinds[kind].documents);
    char *folder = path_join(league_dir, kinds[kind].folder);
    struct store *store = store_open(folder);
    int rc = file_list(documents, &known, err) || file_list(folder, &there, err) ? -1 : 0;
    for (size_t i = 0; rc == 0 && look->gone && i < known.count; i++) {
        char *name = known.name[i];
        if (!str_ends(name, ".json"))
            continue;
        name[strlen(name) - strlen(".json")] = '\0';
        if (name_valid(slice_of(name)) && !store_has(store, name) &&
            roster_state(league_dir, kind, name) == ROSTER_MADE)
            look->gone(look->arg, kind, name);
    }
    for (size_t i = 0; rc == 0 && look->fresh && i < there.count; i++)
        if (name_valid(slice_of(there.name[i])) && store_has(store, there.name[i]) &&
            roster_state(league_dir, kind, there.name[i]) == ROSTER_NEW)
            look->fresh(look->arg, kind, there.name[i]);
    file_names_free(&known);
    file_names_free(&there);
    store_close(store);
    free(documents);
    free(folder);
    return rc;
}

struct telling {
    roster_tell *tell;
    void *arg;
};

static void tell_one(void *arg, enum roster_kind kind, const char *name)
{
    const struct telling *telling = arg;
    struct str words = STR_INIT;
    roster_gone_words(&words, kind, name);
    telling->tell(telling->arg, words.p);
    str_release(&words);
}

int roster_tell_gone(const char *league_dir, enum roster_kind kind, roster_tell *tell, void *arg,
                     struct err *err)
{
    struct telling telling = {tell, arg};
    return roster_each(league_dir, kind, &(struct roster_look){.gone = tell_one, .arg = &telling}, err);
}
