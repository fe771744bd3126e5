/* Which members each kind of record has (game/record_kinds.h; src/journal/README.md, section 3). A record
 * with a member that is not among them was made by a newer Turnpost, or edited; neither play nor audit
 * continues after it. */
#ifndef GAME_MEMBERS_H
#define GAME_MEMBERS_H

#include <stdbool.h>

#include "journal/record.h"

/* The members of such records (struct record_kind). NULL: this version knows no such records. */
const char *members_of(const struct record *record);
/* The letter of that name; 0 = it is none of them. */
char members_kind(const char *members, const char *name);
/* The first member that must be there (all without a '?') and is not: true, with its name. */
#define MEMBER_NAME 24
bool members_missing(const char *members, const struct record *record, char name[MEMBER_NAME]);
/* Is the value what such a letter says, of those that need nothing but the value: i S P s h p t b T l o B? For all others:
 * is there one? */
bool members_fit(const json_t *value, char kind);
bool members_hex(const json_t *value, size_t digits); /* in small letters */
bool members_box(const json_t *value);                /* bytes in base64 */
bool members_time(const json_t *value);               /* and not 1970-01-01T00:00:00Z */
/* Does every record have it, whatever it is about? record_parse has checked these. */
bool members_common(const struct record *record, const char *name);
/* The first member that such records do not have, also in the `clock` of a `create`; NULL = there is none, or
 * the record is unknown. */
const char *members_stranger(const struct record *record);
/* Is there a member of that name in any table of the page? If not, a newer Turnpost made it; if so, it is in
 * the wrong place. */
bool members_known(const char *name);
/* A digest of all that this program knows of records: formats, types, kinds, members, rulesets with their
 * versions. What another program has derived from a journal counts only if it knew the same. */
void members_print(unsigned char print[32]);

#endif
