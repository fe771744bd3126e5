/* Tables of what a struct keeps: one row a member, from which state.json is written and read, and by which
 * its memory is prepared and released. As rules/field.h, for structs that own memory and whose JSON only
 * this program reads (the game's own tables: game/game_rows.c).
 *
 * A row that is not kept (`passing`) is transient: it is prepared and released, never written. */
#ifndef GAME_KEEP_H
#define GAME_KEEP_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"

enum keep_type {
    KEEP_NUMBER, /* int, an enum, uint32_t of at most 31 bits, or int64_t */
    KEEP_BOOL,
    KEEP_TEXT,  /* char[size] */
    KEEP_BYTES, /* unsigned char[size]; hex */
    KEEP_STR,   /* struct str */
    KEEP_JSON,  /* json_t *, owned; NULL and null are the same */
    KEEP_STRUCT,
    KEEP_AS,  /* by `put` and `get` */
    KEEP_ELSE /* passing, and released elsewhere */
};

enum keep_many {
    KEEP_ONE,
    KEEP_ALL,     /* an array, whole */
    KEEP_SEATS,   /* an array [0..room-1], of which [1..seats] is kept */
    KEEP_COUNTED, /* an array, of which the first `count` are kept */
    KEEP_LIST     /* a pointer to `count` elements of its own, of `cap` */
};

struct keep {
    const char *name; /* NULL ends the table */
    enum keep_type type;
    enum keep_many many;
    size_t offset;
    size_t size;                 /* of one element */
    size_t room;                 /* elements of an array; 1 = it is none */
    size_t count_at, count_size; /* where the count is (KEEP_LIST, KEEP_COUNTED): an int or a size_t */
    size_t cap_at;               /* a size_t */
    const struct keep *sub;      /* KEEP_STRUCT */
    json_t *(*put)(const void *member);
    int (*get)(const json_t *json, void *member, struct err *err);
    bool passing;
};

#define KEEP_SIZE(s, m) sizeof(((s *)0)->m)
#define KEEP_ROOM(s, m) (sizeof(((s *)0)->m) / sizeof(((s *)0)->m[0]))
#define KEEP(s, t, m)                                                                         \
    {                                                                                         \
        .name = #m, .type = (t), .offset = offsetof(s, m), .size = KEEP_SIZE(s, m), .room = 1 \
    }
#define KEEP_PART(s, m, table)                                                                         \
    {                                                                                                  \
        .name = #m, .type = KEEP_STRUCT, .offset = offsetof(s, m), .size = KEEP_SIZE(s, m), .room = 1, \
        .sub = (table)                                                                                 \
    }
#define KEEP_BY(s, m, write, read)                                                                 \
    {                                                                                              \
        .name = #m, .type = KEEP_AS, .offset = offsetof(s, m), .size = KEEP_SIZE(s, m), .room = 1, \
        .put = (write), .get = (read)                                                              \
    }
/* `how` is KEEP_ALL or KEEP_SEATS; `table` NULL but for structs. */
#define KEEP_ARRAY(s, t, m, how, table)                                                               \
    {                                                                                                 \
        .name = #m, .type = (t), .many = (how), .offset = offsetof(s, m), .size = KEEP_SIZE(s, m[0]), \
        .room = KEEP_ROOM(s, m), .sub = (table)                                                       \
    }
#define KEEP_FIRST(s, m, by, table)                                                       \
    {                                                                                     \
        .name = #m, .type = KEEP_STRUCT, .many = KEEP_COUNTED, .offset = offsetof(s, m),  \
        .size = KEEP_SIZE(s, m[0]), .room = KEEP_ROOM(s, m), .count_at = offsetof(s, by), \
        .count_size = KEEP_SIZE(s, by), .sub = (table)                                    \
    }
#define KEEP_OWN(s, m, by, room_for, table)                                                                 \
    {                                                                                                       \
        .name = #m, .type = KEEP_STRUCT, .many = KEEP_LIST, .offset = offsetof(s, m),                       \
        .size = KEEP_SIZE(s, m[0]), .room = 1, .count_at = offsetof(s, by), .count_size = KEEP_SIZE(s, by), \
        .cap_at = offsetof(s, room_for), .sub = (table)                                                     \
    }
#define KEEP_PASSING(s, t, m)                                                                  \
    {                                                                                          \
        .name = #m, .type = (t), .offset = offsetof(s, m), .size = KEEP_SIZE(s, m), .room = 1, \
        .passing = true                                                                        \
    }
#define KEEP_END     \
    {                \
        .name = NULL \
    }

/* Of a zeroed struct: its texts are "". */
void keep_init(const struct keep *table, void *base);
/* Frees what its members own; do not use them before they are zeroed and prepared again. */
void keep_release(const struct keep *table, void *base);
/* The members that are kept; `seats`: how many seats there are. New reference. */
json_t *keep_json(const struct keep *table, const void *base, int seats);
/* Reads that into a struct that was made ready. Every member that is kept must be there. ERR_BROKEN names the
 * first that is not, or is of another kind; then the struct is partly filled, and must be released as
 * usual. */
int keep_read(const struct keep *table, void *base, const json_t *json, struct err *err)
    __attribute__((warn_unused_result));

#endif
