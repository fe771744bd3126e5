/* What the files of apply share; for no others. */
#ifndef GAME_APPLY_PARTS_H
#define GAME_APPLY_PARTS_H

#include "game/apply.h"
#include "orders/frame.h"

/* What an application of a record works with. */
struct applying {
    struct game *game;
    const struct record *record;
    const struct sealed_set *sealed;
    struct turn_result *result; /* live play's, or NULL */
    const struct past *past;    /* or NULL */
    bool proved;                /* proofs of draws are not checked */
};

/* "record 12 (note): why"; -1. */
int apply_broken(const struct applying *a, struct err *err, const char *why);
/* "record 12 (note): its kind "duel" is not known ..." (base/version.h); -1. */
int apply_newer(const struct applying *a, struct err *err, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
/* The record's text member, "" when it has none. */
const char *apply_text(const struct applying *a, const char *key);
/* The output of the record's proof "pi" for this input; false when there is none, or it is wrong. */
bool apply_draw(const struct applying *a, const unsigned char key[VRF_PUBLIC], const struct str *alpha,
                unsigned char output[VRF_OUTPUT]);
bool apply_hex(const struct applying *a, const char *key, void *out, size_t len);
/* The seat that the record names; NULL with an error when it names none. */
struct game_seat *apply_seat_of(struct applying *a, struct err *err);
/* The keys of the text by which they sit down (game/seat_keys.h). */
int apply_signers(struct applying *a, struct game_seat *seat, struct err *err);
int apply_key_list(struct applying *a, const json_t *list, struct pubkey keys[KEYS_PER_PLAYER], size_t *count,
                   struct err *err);
/* The contents of a text that a player signed and whose seal is in the record (step_box_orders); NULL when
 * it is missing. New reference. */
json_t *apply_signed(struct applying *a, int seat, int signer, unsigned char seal[SEAL_BYTES]);
/* The payload of a salted seal of this record, and its bytes; NULL when it is missing. */
const struct sealed *apply_payload(struct applying *a, int seat, int item, const char *hex,
                                   unsigned char seal[SEAL_BYTES]);

void apply_mark(struct game_marks *marks, int turn, const unsigned char digest[32]);
/* Accepts the lines of a seat for the open turn; the frame says how they are to be treated. They end a question. */
void apply_lines(struct applying *a, struct game_seat *seat, const struct frame *frame, struct slice body,
                 const unsigned char seal[SEAL_BYTES]);
/* Removes the orders of a seat. */
void apply_no_orders(struct game_seat *seat);

/* ---- what each kind of record does, for the table (record_kinds.c) ---- */

int apply_create(struct applying *a, struct err *err);
int apply_orders(struct applying *a, struct err *err);
int apply_close(struct applying *a, struct err *err);
int apply_turn(struct applying *a, struct err *err); /* start, too */
int apply_end(struct applying *a, struct err *err);
int apply_open(struct applying *a, struct err *err);
int note_instant(struct applying *a, struct err *err);
int apply_seat(struct applying *a, struct err *err); /* a `seat` record, and its like */
/* Three without what only the rules know: whether the seat is vacant, who may vote, and whether the votes suffice. */
int apply_seated(struct applying *a, struct err *err);
int apply_offered(struct applying *a, struct err *err);
int apply_voted(struct applying *a, struct err *err);
/* note, kind "wait": somebody comes on the waiting list, or leaves it. */
int apply_wait(struct applying *a, struct err *err);

/* The keys of a seat, after its player sat down (apply_key.c). */
int apply_key(struct applying *a, struct err *err);
int note_rekey(struct applying *a, struct err *err);
int note_veto(struct applying *a, struct err *err);
int note_mailbox(struct applying *a, struct err *err);

/* The vacations that a deadline was moved for ("away"), so that each counts once. */
int apply_away(struct applying *a, struct err *err);
/* The open turn is closed: a vacation that nobody waited for counts as unused. */
void settle_away(struct game *game, int64_t closed);
/* Kinds of notes that the clock writes (apply_clock.c). */
int note_reminder(struct applying *a, struct err *err);
int note_shift(struct applying *a, struct err *err);
int note_hold(struct applying *a, struct err *err);
int note_vote(struct applying *a, struct err *err);

/* An answer of a player was not understood (apply_question.c). */
int note_question(struct applying *a, struct err *err);

/* The league lost what came after (apply_lost.c). */
int note_lost(struct applying *a, struct err *err);

/* Witnesses (apply_witness.c): those that `create` names; one has answered, too few have, a seat wants to go on without them. */
int apply_witnesses(struct applying *a, struct err *err);
int note_witness(struct applying *a, struct err *err);
int note_late(struct applying *a, struct err *err);
int note_unwitness(struct applying *a, struct err *err);
/* A closed turn is open again, as if it had not been closed; `deadline` 0 = none. */
void apply_reopen(struct applying *a, int64_t deadline);

/* Appeals and rulings (apply_appeal.c). */
int apply_appeal(struct applying *a, struct err *err);
int apply_ruling(struct applying *a, struct err *err);
/* What moderators do (apply_moderate.c, apply_table.c), each inside apply_moderate, which checks what all of
 * them must say and where they may be. */
struct record_kind;
int apply_moderate(struct applying *a, const struct record_kind *kind, struct err *err);
int apply_pause(struct applying *a, struct err *err);
int apply_resume(struct applying *a, struct err *err);
int apply_extend(struct applying *a, struct err *err);
int apply_hold(struct applying *a, struct err *err);
int apply_resolve(struct applying *a, struct err *err);
int apply_replace(struct applying *a, struct err *err);
int apply_ban(struct applying *a, struct err *err);
int apply_set_orders(struct applying *a, struct err *err);
int apply_resend(struct applying *a, struct err *err);
int apply_rollback(struct applying *a, struct err *err);
int apply_void(struct applying *a, struct err *err);
int apply_correct(struct applying *a, struct err *err);
/* Who watches, writes, stands in (apply_people.c). apply_sits comes before a `seat` record changes the seat. */
int apply_press(struct applying *a, struct err *err);
int apply_observe(struct applying *a, struct err *err);
int apply_standby(struct applying *a, struct err *err);
int apply_offer(struct applying *a, struct err *err);
int apply_sits(struct applying *a, struct game_seat *seat, struct err *err);
/* The player's numbers in this game, made when there are none yet. */
struct game_tally *apply_tally(struct game *game, const char *player);
/* A new turn is open: what lasts for one turn only is over. */
void apply_people_turn(struct game *game);

#endif
