/* Records: the lines of a game's journal (src/journal/README.md is the public description of the format).
 *
 *   {"game":"gc-17","seq":N,"prev":"<64 hex>","type":"...","time":"...Z", <fields, sorted>} LF
 *
 *   head = BLAKE2b-256("turnpost/log\0" || the line with its LF)
 *
 * The first prev is 64 zeros, the first seq is 1. The stored bytes are hashed, never a re-serialised form. Nothing in a
 * line shows who wrote it: that the league's log has its head does (league/league_log.h). */
#ifndef JOURNAL_RECORD_H
#define JOURNAL_RECORD_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "base/str.h"

#define HEAD_BYTES  32
#define RECORD_MAX  131072 /* bytes of one line */
#define RECORD_GAME 33
#define RECORD_TYPES                                                               \
    "create seat key start orders close turn press note moderate open end player " \
    "enter confirm withdraw fixed witness late round made result adjust field"

struct record {
    int64_t seq;
    char game[RECORD_GAME];
    char type[12];
    int64_t time;
    unsigned char prev[HEAD_BYTES];
    unsigned char head[HEAD_BYTES]; /* of this record */
    json_t *json;                   /* the whole object, owned */
};

void record_release(struct record *record);
/* Where a record belongs: its number in which game's journal, and the head of the one before it (HEAD_BYTES).
 */
struct record_place {
    const char *game;
    int64_t seq;
    const unsigned char *prev;
};
/* What a record will say; `fields` holds the type's own members, NULL = none. */
struct record_text {
    struct record_place place;
    const char *type;
    int64_t time;
    json_t *fields;
};
/* Appends the line to `out` and gives its head, which may be where place.prev is. `fields` is borrowed. */
void record_write(struct str *out, const struct record_text *text, unsigned char head[HEAD_BYTES]);
/* Appends the line and gives what record_parse would give for it, but that `json` has the type's own members
 * only. Takes ownership of `fields`. ERR_BROKEN: what record_parse would refuse; nothing is appended then. */
int record_make(struct str *out, const struct record_text *text, struct record *record, struct err *err)
    __attribute__((warn_unused_result));
/* Parses one line (with its LF). ERR_BROKEN: not this form, a fraction, duplicate keys, an unknown type. */
int record_parse(struct slice line, struct record *record, struct err *err)
    __attribute__((warn_unused_result));
/* Does it belong at this place? */
int record_follows(const struct record *record, const struct record_place *place, struct err *err)
    __attribute__((warn_unused_result));
void record_head(unsigned char head[HEAD_BYTES], struct slice line);
/* Has any of these lines a member of that name with this digest, in hex? Compares bytes, so callers must use
 * only names that no stranger's text can contain with such a value. */
bool record_lines_hold(struct slice lines, const char *member, const unsigned char digest[32]);

#endif
