/* What the registry's journal says of one document, by the last record that brought it: journal and archives
 * are read backwards. For an operator whose file is damaged or gone; the league itself goes by the files,
 * which may have been edited by hand. */
#ifndef ENGINE_REGISTRY_DOCUMENTS_H
#define ENGINE_REGISTRY_DOCUMENTS_H

#include <jansson.h>
#include <stdint.h>

#include "base/err.h"

/* players/NAME.json or keys/NAME.pub as it was written last (an object, a text), and when; NULL: it never
 * was, or was removed since. Records that `league` has not signed do not count. New reference. */
int registry_document(const char *league_dir, const char *path, const unsigned char league[32],
                      json_t **document, int64_t *time, struct err *err) __attribute__((warn_unused_result));

#endif
