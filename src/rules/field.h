/* Field tables: one table gives the state of a game as JSON, back again, and its digest.
 *
 * A state is a plain struct of fixed capacity without pointers. A table names its members; arrays have a
 * capacity and, if they may be partly filled, the member that counts them. JSON is canonical (base/json.h),
 * so equal states give equal bytes. */
#ifndef RULES_FIELD_H
#define RULES_FIELD_H

#include <jansson.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/str.h"

#define FIELDS_MAX 96 /* of one table */

enum field_type {
    FIELD_U8,
    FIELD_I8,
    FIELD_U16,
    FIELD_I16,
    FIELD_I32,
    FIELD_U32,
    FIELD_BOOL,
    FIELD_TEXT /* char[size] */,
    FIELD_STRUCT
};

struct field {
    const char *name; /* NULL ends the table */
    enum field_type type;
    size_t offset;
    size_t size;             /* of one element */
    size_t count;            /* 0 = scalar, else array capacity */
    const char *counted_by;  /* array: name of an earlier integer field of the same table that says how many
                                are used; NULL = all */
    const struct field *sub; /* FIELD_STRUCT */
};

/* FIELD(struct gc_state, FIELD_U8, year) ; FIELD_ARRAY(struct gc_state, FIELD_U8, pile, "pile_count") */
#define FIELD(s, type, member)                                                      \
    {                                                                               \
#member, type, offsetof(s, member), sizeof(((s *)0)->member), 0, NULL, NULL \
    }
/* A member of a part of the struct; the document does not know of parts. */
#define FIELD_OF(s, type, part, member)                                                       \
    {                                                                                         \
#member, type, offsetof(s, part.member), sizeof(((s *)0)->part.member), 0, NULL, NULL \
    }
#define FIELD_ARRAY(s, type, member, by)                                     \
    {                                                                        \
#member, type, offsetof(s, member), sizeof(((s *)0)->member[0]),     \
            sizeof(((s *)0)->member) / sizeof(((s *)0)->member[0]), by, NULL \
    }
#define FIELD_SUB(s, member, table)                                                          \
    {                                                                                        \
#member, FIELD_STRUCT, offsetof(s, member), sizeof(((s *)0)->member), 0, NULL, table \
    }
#define FIELD_SUBS(s, member, by, table)                                         \
    {                                                                            \
#member, FIELD_STRUCT, offsetof(s, member), sizeof(((s *)0)->member[0]), \
            sizeof(((s *)0)->member) / sizeof(((s *)0)->member[0]), by, table    \
    }
#define FIELD_END                           \
    {                                       \
        NULL, FIELD_U8, 0, 0, 0, NULL, NULL \
    }

json_t *fields_json(const struct field *table, const void *state); /* new reference */
/* Appends the canonical bytes of that document. */
void fields_write(struct str *out, const struct field *table, const void *state);
/* Reads into a zeroed or prepared struct. strict: every member must be there, and no other. Not strict: what
 * is missing keeps its value. ERR_BROKEN names the member ("players[2].metal"). */
int fields_read(const struct field *table, void *state, const json_t *json, int strict, struct err *err)
    __attribute__((warn_unused_result));
/* BLAKE2b-256 of the canonical JSON. */
void fields_digest(const struct field *table, const void *state, unsigned char digest[32]);

#endif
