/* Press as it is in a record (play/press.h says what it is). */
#ifndef GAME_PRESS_NOTE_H
#define GAME_PRESS_NOTE_H

#include <jansson.h>

#include "game/game.h"
#include "trust/mail_proof.h"

#define PRESS_MODERATORS ((uint32_t)1) /* where the bit of a seat 0 would be */

/* "white", "grey", "none" */
bool press_kind_read(const char *word, enum press_kind *kind);
const char *press_kind_name(enum press_kind kind);

struct press {
    uint32_t to; /* a bit a seat, PRESS_MODERATORS; EVENT_PUBLIC = all seats */
    int seat;    /* the sender's; 0 = a moderator writes for the moderators */
    bool grey;
    const char *player; /* who signed */
    int64_t record;     /* its own number, by which answers name it; 0 = not made yet */
    int64_t re;         /* the message that it answers; 0 = none */
    struct slice words; /* the message, canonical lines */
    /* The text as it was signed, and its signature (signature_json); passed on where game.press.proved. */
    struct slice exact;
    const json_t *signature;
    const struct mail_proof
        *proof; /* in place of the signature: their mail domain vouches for it; else NULL */
};
/* The number of the line "re:" in a signed text whose message these words are; 0 = there is none. */
int64_t press_re(struct slice exact, struct slice words);
/* `to` of a record. */
bool press_to_read(const json_t *json, int seats, uint32_t *to);
/* The same for a record. New reference. */
json_t *press_to_json(uint32_t to, int seats);
/* A message for game.press_wait. New reference. */
json_t *press_waiting(const struct press *press, const struct game *game);
/* Where game.press_signed: text and signature as a mail would hold them, for `turnpost verify` and the tools
 * of the key; else NULL. Of minisign's the signature of its comment is not kept. New reference. */
json_t *press_signed_text(const struct press *press, const struct game *game);

#endif
