/* Whose name it is, where there is no player of that name: a player whose players/NAME.json is damaged or
 * gone leaves traces, and anybody who took the name would take over their seats, their keys' place or their
 * past. So nobody gets it, by mail or by a command; `turnpost player restore` gives it back to its owner.
 * Players whom the operator has removed leave none. */
#ifndef BATCH_NAME_TRACE_H
#define BATCH_NAME_TRACE_H

#include <jansson.h>

#include "league/registry.h"
#include "journal/catalog.h"
#include "trust/keyring.h"

/* Where traces are looked for; all borrowed. */
struct name_places {
    const char *dir; /* the league's */
    const struct registry *registry;
    const struct keyring *keyring;
    struct catalog *catalog; /* NULL = there is none */
    const json_t *documents; /* registry_document_names */
};
enum name_trace_kind {
    TRACE_NONE,
    TRACE_FILE,   /* players/NAME.json, which cannot be read */
    TRACE_SEAT,   /* in `game`, which is running, or kept there */
    TRACE_KEYS,   /* keys/NAME.pub, whatever is in it */
    TRACE_JOURNAL /* the registry's journal has a document of theirs */
};
struct name_trace {
    enum name_trace_kind kind;
    char player[PLAYER_NAME];
    char game[CATALOG_NAME];
};

/* The first trace of somebody with this name, or else of somebody whose name looks like it
 * (player_names_alike). Players whose file can be read leave no trace: see registry_alike. */
int name_trace_find(const struct name_places *places, const char *name, struct name_trace *trace,
                    struct err *err) __attribute__((warn_unused_result));

#endif
