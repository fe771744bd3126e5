/* Seals: the journal is public, so what is still secret is there only as a salted hash.
 *
 *   salt = BLAKE2b-256(key = K_seal; "turnpost/v1/salt\0" || le32 seq || le32 seat || le32 item)
 *   seal = BLAKE2b-256("turnpost/v1/seal\0" || salt || payload)
 *
 * One salt opens one item; K_seal (a game's own, derived from the league's master secret, committed to in
 * `create`) opens all. What the seals cover is in sealed.jsonl, a line each:
 *   {"item":I,"payload":"...","salt":"<64 hex>","seat":S,"seq":N} LF
 * Items: 0 orders, 1 report, 2.. hidden draws, 1000 press, 1001 mails that stand for a signature. The last two
 * have a key of their own instead of K_seal, which is never published: when the rest is published, their lines
 * are left out. */
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
void seal_salt(unsigned char salt[32], const unsigned char key[32], int64_t seq, int seat, int item);
void seal_of(unsigned char seal[SEAL_BYTES], const unsigned char salt[32], struct slice payload);

/* The seal of a text that a player signed has no salt; it is the mark of text and signature, and
 * nobody but the signer can influence it. `create` is the head of `create`; `seat` the seat that orders are
 * of, 0 for texts that ask for a seat. The payload is {"signature":{..,"sig":base64},"text"}; or, where a mail's
 * domain vouches for the text, {"signature":{"content":hex,"dkim":base64},"text"}, and then 64 bytes stand for
 * those of `sig`, BLAKE2b-512("turnpost/v2/dkim\0" || content || dkim), and the text, which the league has made of
 * the mail, is not in the mark: draws follow from it. False when it is none. */
bool seal_mark(unsigned char mark[SEAL_BYTES], const unsigned char create[32], int seat,
               const json_t *payload) __attribute__((warn_unused_result));
/* What binds the league to the text that it made of such a mail: BLAKE2b-256("turnpost/v2/made\0" || these 64 bytes
 * || text). Who does not have the mail's signature cannot guess the text by it. False for any other payload. */
bool seal_made(unsigned char made[SEAL_BYTES], const json_t *payload) __attribute__((warn_unused_result));

struct sealed {
    int64_t seq;
    int seat, item;
    bool salted; /* else it is a mark, and `salt` is of no use */
    unsigned char salt[32];
    struct str payload;
    json_t *document; /* what the payload says, where it has just been made; or NULL */
};
/* All sealed lines of a game, for replay. */
struct sealed_set {
    struct sealed *list;
    size_t count, cap;
};
/* Where sealed lines are written: appended to `lines`, and to `set` unless it is NULL. */
struct sealed_out {
    struct str *lines;
    struct sealed_set *set;
};
/* Which item it is: of which seat (0 = of none), in which record. */
struct sealed_place {
    int64_t seq;
    int seat, item;
};
/* Writes the line for a payload and gives its seal. */
void sealed_write(const struct sealed_out *out, const unsigned char key[32], const struct sealed_place *place,
                  struct slice payload, unsigned char seal[SEAL_BYTES]);
/* The same for a payload whose seal is a mark, without a salt (item SEAL_ORDERS). */
void sealed_write_mark(const struct sealed_out *out, int64_t seq, int seat, struct slice payload);
/* Appends the line of a payload that was read. */
void sealed_line(struct str *out, const struct sealed *sealed);
/* The number of the record that a line, or the end of one, belongs to, without parsing it; 0 if it is no line
 * of ours. */
#define SEALED_SEQ_TAIL 32 /* bytes at the end of a line that hold it */
int64_t sealed_line_seq(struct slice line);
int sealed_parse(struct slice line, struct sealed *sealed, struct err *err)
    __attribute__((warn_unused_result));
void sealed_release(struct sealed *sealed);
/* May this payload be given to all when the game is over: is it of no private item (seal_is_private), and does a
 * seal of its record cover it? `record` is that record's line, `create` the head of the game's first record, as
 * the seal of a player's text is a mark. */
bool sealed_may_open(const struct sealed *sealed, struct slice record, const unsigned char create[32]);
/* The latter half of that alone, of private items, too. */
bool sealed_is_covered(const struct sealed *sealed, struct slice record, const unsigned char create[32]);
/* Parses a sealed.jsonl; lines that do not parse are skipped (a seal without its payload is found where it is
 * needed). */
void sealed_set_read(struct sealed_set *set, struct slice text);
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
void sealed_set_release(struct sealed_set *set);

#endif
