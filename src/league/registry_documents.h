/* What the registry's journal says of one document, according to the last record that wrote it: journal and
 * archives are read backwards. For an operator whose file is damaged or gone; the league itself goes by the
 * files, which may have been edited by hand. */
#ifndef LEAGUE_REGISTRY_DOCUMENTS_H
#define LEAGUE_REGISTRY_DOCUMENTS_H

#include <jansson.h>
#include <stdint.h>

#include "base/err.h"

/* players/NAME.json or keys/NAME.pub as it was written last (an object, a text), and when. */
struct registry_found {
    json_t *document; /* a new reference; NULL: it never was, or was removed since */
    int64_t time;
};
/* The chain of records is followed back to the one that wrote it: ERR_BROKEN
 * names file and line of one that cannot be read, or that does not follow the one before it, and
 * comes after the one found, because it may be about the document too. `found` is filled in either
 * case, without a document after an error. */
int registry_document(const char *league_dir, const char *path, struct registry_found *found, struct err *err)
    __attribute__((warn_unused_result));

/* {"NAME": true, ...}: all players of whom players/NAME.json or keys/NAME.pub was written; false when it was
 * removed since. Every line of journal and archives is read, and trusted: being named here gives nobody any
 * right. New reference. */
int registry_document_names(const char *league_dir, json_t **names, struct err *err)
    __attribute__((warn_unused_result));
/* {"NAME": "ssh-ed25519 ...\n", ...}: keys/NAME.pub of all players as they were written last, read and
 * trusted likewise. New reference. */
int registry_document_keys(const char *league_dir, json_t **keys, struct err *err)
    __attribute__((warn_unused_result));
/* Brings such a list up to date with the `files` of a further record. */
void registry_document_note(json_t *names, const json_t *files);

#endif
