/* The text by which somebody sits down: its mark, and the keys that it names, which are those of the seat (src/journal/README.md, "The keys of a
 * seat"). */
#ifndef GAME_SEAT_KEYS_H
#define GAME_SEAT_KEYS_H

#include <jansson.h>

#include "base/err.h"
#include "base/str.h"
#include "journal/record.h"
#include "journal/seal.h"
#include "trust/key.h"

/* Adds the keys of the lines "key: ..." of a text's body, each once. ERR_INPUT: one cannot be read, or they are too many. */
int seat_keys_named(struct slice body, struct pubkey keys[KEYS_PER_PLAYER], size_t *count, struct err *err)
    __attribute__((warn_unused_result));
/* By a record's `signed`, {"signature","text"}: the key that signed, and those that the text names. NULL: nobody has
 * signed, and there are none. */
int seat_keys(const json_t *with, struct pubkey keys[KEYS_PER_PLAYER], size_t *count, struct err *err)
    __attribute__((warn_unused_result));
/* Is `mark` in a record of somebody who joins or waits that of the text in it? Gives it. */
bool seat_mark(const json_t *record, const unsigned char create_head[HEAD_BYTES],
               unsigned char mark[SEAL_BYTES]) __attribute__((warn_unused_result));
/* Those that a record itself gives to its seat or to who waits, as texts: of one with "waited" none, as the note before has
 * them. New reference. */
json_t *seat_keys_json(const json_t *record);

#endif
