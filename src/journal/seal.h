/* Seals and boxes: the journal is public, so what is still secret is there only as a salted hash, and encrypted.
 *
 *   salt = BLAKE2b-256(key = K; "turnpost/salt\0" || le32 seq || le32 seat || le32 item || BLAKE2b-256(payload))
 *   seal = BLAKE2b-256("turnpost/seal\0" || salt || payload)
 *   k    = BLAKE2b-256(key = K; "turnpost/box\0" || C)
 *   box  = payload XOR ChaCha20(k, nonce 0)
 *
 * K is the game's K_seal (derived from the league's master secret, committed to in `create`, published in `open`), of
 * private items its K_press, which nobody ever learns. C is the seal; of a player's text its mark, or `made` where the
 * league has made the text of a mail: so the key of a box follows from what is in it, and no two payloads ever have
 * one keystream, not even when a league that has lost records writes others with their numbers. k (with the salt, of a
 * salted seal) opens one item, K all.
 * Items: 0 orders, 1 report (it has no box: the rules give it again), 2.. hidden draws, 1000 press, 1001 mails that stand
 * for a signature. The last two are private. */
#ifndef JOURNAL_SEAL_H
#define JOURNAL_SEAL_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "base/str.h"

#define SEAL_BYTES    32
#define SEAL_NONCE    32
#define SEAL_ORDERS   0
#define SEAL_REPORT   1
#define SEAL_HIDDEN   2 /* and the numbers above */
#define SEAL_PRESS    1000
#define SEAL_EVIDENCE 1001 /* of orders that a mail's domain vouches for (game/vouched.h) */

/* Is the item under the game's press key, and never published? */
static inline bool seal_is_private(int item)
{
    return item >= SEAL_PRESS;
}

/* The seal key of a game and the commitment that `create` holds. `nonce` is the one in `create`, so that a name
 * that is used twice has two keys. */
void seal_key(unsigned char key[32], const unsigned char master[32], const char *game,
              const unsigned char nonce[SEAL_NONCE]);
/* The key of the game's press: of its seals, and of the marks by which its texts are known again. */
void seal_press_key(unsigned char key[32], const unsigned char master[32], const char *game,
                    const unsigned char nonce[SEAL_NONCE]);
void seal_key_commitment(unsigned char out[32], const unsigned char key[32]);
/* Which item it is: of which seat (0 = of none), in which record. */
struct sealed_place {
    int64_t seq;
    int seat, item;
};
void seal_salt(unsigned char salt[32], const unsigned char key[32], const struct sealed_place *place,
               struct slice payload);
void seal_of(unsigned char seal[SEAL_BYTES], const unsigned char salt[32], struct slice payload);

/* The seal of a text that a player signed has no salt; it is the mark of text and signature, and
 * nobody but the signer can influence it. `create` is the head of `create`; `seat` the seat that orders are
 * of, 0 for texts that ask for a seat. The payload is {"signature":{..,"sig":base64},"text"}; or, where a mail's
 * domain vouches for the text, {"signature":{"content":hex,"dkim":base64},"text"}, and then 64 bytes stand for
 * those of `sig`, BLAKE2b-512("turnpost/dkim\0" || content || dkim), and the text, which the league has made of
 * the mail, is not in the mark: draws follow from it. False when it is none. */
bool seal_mark(unsigned char mark[SEAL_BYTES], const unsigned char create[32], int seat,
               const json_t *payload) __attribute__((warn_unused_result));
/* What binds the league to the text that it made of such a mail: BLAKE2b-256("turnpost/made\0" || these 64 bytes
 * || text). Who does not have the mail's signature cannot guess the text by it. False for any other payload. */
bool seal_made(unsigned char made[SEAL_BYTES], const json_t *payload) __attribute__((warn_unused_result));

struct sealed {
    int64_t seq;
    int seat, item;
    bool salted; /* else it is a mark, and `salt` is of no use */
    unsigned char salt[32];
    unsigned char box[32]; /* the key of its box; zeros where it has none */
    struct str payload;
    json_t *document; /* what the payload says, where it has just been made; or NULL */
};
/* Payloads: of a record that was opened, or of the records that a step makes. */
struct sealed_set {
    struct sealed *list;
    size_t count, cap;
};
void sealed_release(struct sealed *sealed);
/* Empties the set, and keeps its room. */
void sealed_set_clear(struct sealed_set *set);
void sealed_set_release(struct sealed_set *set);

/* ---- sealing ---- */

/* Adds the payload to the set, and gives its seal and its box, in base64 (NULL: it has none). */
void seal_put(struct sealed_set *set, const unsigned char key[32], const struct sealed_place *place,
              struct slice payload, unsigned char seal[SEAL_BYTES], struct str *box);
/* The same of a text that a player signed (item SEAL_ORDERS); `of` is its mark, or what seal_made gives. */
void seal_put_text(struct sealed_set *set, const unsigned char key[32], const struct sealed_place *place,
                   struct slice payload, const unsigned char of[SEAL_BYTES], struct str *box);

/* ---- opening ---- */

/* One item that somebody was given, a line `open GAME SEQ ITEM K` or `open GAME SEQ ITEM K SALT`. */
struct seal_opening {
    int64_t seq;
    int item;
    bool salted;
    unsigned char box[32], salt[32];
};
struct seal_openings {
    struct seal_opening *list;
    size_t count, cap;
};
/* Appends the lines of this game; all others are passed over. */
void seal_openings_read(struct seal_openings *openings, const char *game, struct slice text);
void seal_openings_release(struct seal_openings *openings);
/* Appends the line that opens this one, which came out of its box, and, for who reads it, "# " and what is in it. */
void seal_opening_write(struct str *out, const char *game, const struct sealed *sealed);

/* Which keys a game has. */
struct seal_promise {
    const char *game;
    unsigned char nonce[SEAL_NONCE], commitment[32];
};
/* What opens the boxes of a game, as far as it is there. */
struct seal_keys {
    bool seals, presses; /* are there these keys? */
    unsigned char seal[32], press[32];
    const struct seal_openings *only; /* or NULL */
};
/* Both, of the league's secret; none, if the first is not the one that `create` promises. */
void seal_keys_of(struct seal_keys *keys, const unsigned char master[32], const struct seal_promise *promise);
/* What `create` says of the keys; false: it is none. `game` is borrowed. */
bool seal_promise_read(struct seal_promise *promise, const char *game, const json_t *create);
/* The first, where these lines of a journal have published it (`open`). */
void seal_keys_published(struct seal_keys *keys, struct slice journal);
/* Can an item of this record be opened at all? */
bool seal_keys_open(const struct seal_keys *keys, int64_t seq, int item);
/* Adds what the keys open of a record, in the order of items. What comes out of a box need not be what the seal says:
 * sealed_set_find and sealed_set_find_signed ask for that. */
void sealed_open(struct sealed_set *set, const struct seal_keys *keys, const json_t *record);
/* Is the payload what the box of this record holds, by the key that came out of seal_put? True also where there is neither key
 * nor box. `words`: the payload of press that may hold the box; or NULL. */
bool sealed_is_boxed(const struct sealed *sealed, const json_t *record, const json_t *words);
/* Does a seal of the record cover this payload? `create` is the head of the game's first record, as the seal of a
 * player's text is a mark. */
bool sealed_is_covered(const struct sealed *sealed, struct slice record, const unsigned char create[32]);
/* The payload whose salted hash is this seal; NULL when the set does not hold it. Later lines win over
 * earlier ones. */
const struct sealed *sealed_set_find(const struct sealed_set *set, int64_t seq, int seat, int item,
                                     const unsigned char seal[SEAL_BYTES]);
/* What a record says of a text that a player signed (item SEAL_ORDERS); borrowed. */
struct sealed_text {
    const unsigned char *create; /* the head of `create` (seal_mark) */
    int64_t seq;
    int seat;
    int signer;                /* the seat that a mark is for */
    const unsigned char *seal; /* SEAL_BYTES */
};
/* The same for such a text. *payload (NULL: not wanted) becomes what it says, a new reference. */
const struct sealed *sealed_set_find_signed(const struct sealed_set *set, const struct sealed_text *text,
                                            json_t **payload);

#endif
