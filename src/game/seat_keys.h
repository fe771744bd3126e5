/* The text by which somebody sits down: its mark, and the keys that it names, which are those of the seat (src/journal/README.md, "The keys of a
 * seat"). */
#ifndef GAME_SEAT_KEYS_H
#define GAME_SEAT_KEYS_H

#include <jansson.h>

#include "base/err.h"
#include "base/str.h"
#include "game/game.h"
#include "journal/record.h"
#include "journal/seal.h"
#include "trust/key.h"

/* A key that was asked for in place of lost ones may take it from SEAT_REKEY_WAIT after its note on, and up to this after it; seconds. */
#define SEAT_REKEY_LASTS ((int64_t)28 * 86400)

/* Adds the keys of the lines "key: ..." of a text's body, each once. ERR_INPUT: one cannot be read, or they are too many. */
int seat_keys_named(struct slice body, struct pubkey keys[KEYS_PER_PLAYER], size_t *count, struct err *err)
    __attribute__((warn_unused_result));
/* By a record's `signed`, {"signature","text"}: the key that signed, and those that the text names. NULL: nobody has
 * signed, and there are none. */
int seat_keys(const json_t *with, struct pubkey keys[KEYS_PER_PLAYER], size_t *count, struct err *err)
    __attribute__((warn_unused_result));
/* Is it the key that such a line means: by its fingerprint, by its number, or as the whole line? */
bool seat_key_named(const struct pubkey *key, struct slice value);
/* What a signed text "key" makes of a seat's keys: without those of its line "revoke:", and with `added`, which its line "add:" must
 * mean, and not by a number, which the maker of a key chooses (NULL where there is no such line). A seat has at least one key in
 * the end, unless its player says "trust: mail" in a game that takes mails. ERR_INPUT: it makes nothing of them, with why. */
struct seat_keys_text {
    struct slice body;
    const struct pubkey *added;
    bool own;     /* of the seat's player, and not of a moderator */
    bool by_mail; /* the game takes the word of mail domains */
};
struct seat_keys {
    struct pubkey list[KEYS_PER_PLAYER];
    size_t count;
};
int seat_keys_change(const struct seat_keys_text *text, const struct game_seat *seat, struct seat_keys *keys,
                     struct err *err) __attribute__((warn_unused_result));
/* Has a text of the same day taken the key away that this one adds? Then one of the next day brings it back. */
bool seat_keys_gone(const struct seat_keys_text *text, const struct game_seat *seat);
/* Somebody, or a robot, has the seat since then: no text of an earlier day counts, and no key that was asked for. */
void seat_keys_since(struct game_seat *seat, int64_t time);
/* These keys, by a `key` record of that time: no text of a day before its own changes them, nor does one of the same day bring back
 * what was taken away. */
void seat_keys_become(struct game_seat *seat, const struct seat_keys *keys, const json_t *record,
                      int64_t time);
bool keys_hold(const struct pubkey *keys, size_t count, const struct pubkey *key);
bool seat_has_key(const struct game_seat *seat, const struct pubkey *key);
/* Is `mark` in a record of somebody who joins or waits that of the text in it? Gives it. */
bool seat_mark(const json_t *record, const unsigned char create_head[HEAD_BYTES],
               unsigned char mark[SEAL_BYTES]) __attribute__((warn_unused_result));
/* Those that a record itself gives to its seat or to who waits, as texts: of one with "waited" none, as the note before has
 * them. New reference. */
json_t *seat_keys_json(const json_t *record);

#endif
