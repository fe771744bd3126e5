/* Field tables: one table gives the members of a game's state, as JSON and back again, for its digest, and in words.
 *
 * A state is a plain struct of fixed capacity without pointers. A table names its members; arrays have a
 * capacity and, if they may be partly filled, the member that counts them. JSON is canonical (base/json.h),
 * so equal states give equal bytes. Rows are written
 *
 *     {FIELD(struct gc_state, first), .words = "first to move", .value = spell_seat}, */
#ifndef RULES_FIELD_H
#define RULES_FIELD_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/str.h"
#include "rules/spelling.h"

#define FIELDS_MAX 96 /* of one table */

enum field_type { FIELD_U8, FIELD_U16, FIELD_I32, FIELD_BOOL, FIELD_STRUCT };

struct field {
    const char *name; /* NULL ends the table */
    enum field_type type;
    size_t offset;
    size_t size;             /* of one element */
    size_t count;            /* 0 = scalar, else array capacity */
    const char *counted_by;  /* array: name of an earlier integer field of the same table that says how many
                                are used; NULL = all */
    const struct field *sub; /* FIELD_STRUCT */
    /* where players read it, in explanations of a turn */
    const char *words;   /* '#' is replaced by `index`; NULL: its own name; "": its value alone */
    spell_number *index; /* of an element, counted from 1 (0: no element); NULL: the number itself */
    spell_number *value; /* for the number stored there; NULL: the number itself */
    bool unsaid;         /* it follows from what is shown, as what counts an array does anyway */
};

#define FIELD_TYPE(member) \
    _Generic((member), bool : FIELD_BOOL, uint8_t : FIELD_U8, uint16_t : FIELD_U16, int32_t : FIELD_I32)
#define FIELD(s, member) FIELD_OF(s, member, member)
/* A member of a part of the struct; the document does not know of parts. */
#define FIELD_OF(s, path, member)                                                     \
    .name = #member, .type = FIELD_TYPE(((s *)0)->path), .offset = offsetof(s, path), \
    .size = sizeof(((s *)0)->path)
#define FIELD_LIST(s, member, by) \
    .name = #member, .type = FIELD_TYPE(((s *)0)->member[0]), FIELD_ARRAY(s, member, by)
#define FIELD_SUB(s, member, table)                                                                         \
    .name = #member, .type = FIELD_STRUCT, .offset = offsetof(s, member), .size = sizeof(((s *)0)->member), \
    .sub = (table)
#define FIELD_SUBS(s, member, by, table) \
    .name = #member, .type = FIELD_STRUCT, FIELD_ARRAY(s, member, by), .sub = (table)
#define FIELD_ARRAY(s, member, by)                                      \
    .offset = offsetof(s, member), .size = sizeof(((s *)0)->member[0]), \
    .count = sizeof(((s *)0)->member) / sizeof(((s *)0)->member[0]), .counted_by = (by)
#define FIELD_END    \
    {                \
        .name = NULL \
    }

/* The row of that name, or NULL. */
const struct field *field_named(const struct field *table, struct slice name);
/* Does it count an array of its table? */
bool field_counts(const struct field *table, const struct field *field);
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
