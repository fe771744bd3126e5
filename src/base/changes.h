/* What differs between two JSON documents, as a list of changes:
 *
 *     {"path": "player[2].metal", "before": 3, "after": 5}
 *
 * Objects are followed member by member, in the order of their names. Lists of the same length are followed
 * element by element; for other lists, and for lists of plain values in which many differ, equal beginnings
 * and ends are left out and everything between them is one change ("deck[3]": [17, 4] -> [9]), even when one
 * side is empty. A member that only one of them has lacks "before" or "after". */
#ifndef BASE_CHANGES_H
#define BASE_CHANGES_H

#include <jansson.h>

/* New reference to the list; empty when the documents are equal. */
json_t *json_changes(const json_t *before, const json_t *after);

#endif
