/* Seals: the journal is public, so what is still secret stands there only as a salted hash.
 *
 *   salt = BLAKE2b-256(key = K_seal; "turnpost/v1/salt\0" || le32 seq || le32 seat || le32 item)
 *   seal = BLAKE2b-256("turnpost/v1/seal\0" || salt || payload)
 *
 * One salt opens one item; K_seal (a game's own, derived from the league's master secret, committed to in
 * `create`) opens all. What the seals stand for is in sealed.jsonl, a line each:
 *   {"item":I,"payload":"...","salt":"<64 hex>","seat":S,"seq":N} LF
 * Items: 0 orders, 1 report, 2.. hidden draws, 1000 press. Press has a key of its own in the place of K_seal,
 * which is never published: who publishes the rest leaves its lines out. */
#ifndef JOURNAL_SEAL_H
#define JOURNAL_SEAL_H

#include <jansson.h>
#include <stdint.h>

#include "base/err.h"
#include "base/str.h"

#define SEAL_BYTES  32
#define SEAL_ORDERS 0
#define SEAL_REPORT 1
#define SEAL_HIDDEN 2 /* and the numbers above */
#define SEAL_PRESS  1000

/* The seal key of a game and the commitment that `create` holds. */
void seal_key(unsigned char key[32], const unsigned char master[32], const char *game);
/* The key of the game's press: of its seals, and of the marks by which its texts are known again. */
void seal_press_key(unsigned char key[32], const unsigned char master[32], const char *game);
void seal_key_commitment(unsigned char out[32], const unsigned char key[32]);
void seal_salt(unsigned char salt[32], const unsigned char key[32], int64_t seq, int seat, int item);
void seal_of(unsigned char seal[SEAL_BYTES], const unsigned char salt[32], struct slice payload);

struct sealed {
    int64_t seq;
    int seat, item;
    unsigned char salt[32];
    struct str payload;
    json_t *document; /* what the payload says, where it has just been made; or NULL */
};
/* All sealed lines of a game, for replay. */
struct sealed_set {
    struct sealed *list;
    size_t count, cap;
};
/* Appends the line for a payload and gives its seal. `set` gets it as well, unless it is NULL. */
void sealed_write(struct str *out, struct sealed_set *set, const unsigned char key[32], int64_t seq, int seat,
                  int item, struct slice payload, unsigned char seal[SEAL_BYTES]);
/* Appends the line of a payload that was read. */
void sealed_line(struct str *out, const struct sealed *sealed);
/* The record that a line, or the end of one, says it belongs to, unread; 0 where no line of ours has it. */
#define SEALED_SEQ_TAIL 32 /* bytes at the end of a line that hold it */
int64_t sealed_line_seq(struct slice line);
int sealed_parse(struct slice line, struct sealed *sealed, struct err *err)
    __attribute__((warn_unused_result));
void sealed_release(struct sealed *sealed);
/* Parses a sealed.jsonl; lines that do not parse are skipped (a seal without its payload is found where it is
 * needed). */
void sealed_set_read(struct sealed_set *set, struct slice text);
/* The payload whose hash is this seal; NULL when the set does not hold it. Later lines win over earlier ones.
 */
const struct sealed *sealed_set_find(const struct sealed_set *set, int64_t seq, int seat, int item,
                                     const unsigned char seal[SEAL_BYTES]);
void sealed_set_release(struct sealed_set *set);

#endif
