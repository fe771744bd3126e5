/* What the files of a step share (step.c, step_*.c); for no others. */
#ifndef PLAY_STEP_PARTS_H
#define PLAY_STEP_PARTS_H

#include "play/step.h"

/* Appends what came before the step: the lines of the journal. */
int step_read_journal(const struct step *step, struct str *lines, struct err *err)
    __attribute__((warn_unused_result));
/* Of the record that comes next. */
int64_t step_time(const struct step *step, const struct game *game);
/* Seals a payload of the record that comes next, which has no box; the seal as a JSON text. */
json_t *step_seal(struct step *step, const struct game *game, int seat, int item, struct slice payload);
/* Seals a JSON value, of which it takes ownership: "seal" and "box" come into the record, or a part of it. */
struct step_boxed {
    int seat, item;
    bool private;   /* under the key of press, which nobody ever learns */
    unsigned round; /* spaces follow until its length is a multiple of this, from 1 on */
};
void step_box_json(struct step *step, const struct game *game, const struct step_boxed *what,
                   json_t *document, json_t *into);
/* The same for orders, {"signature","text"}: the seal is their mark; also "made" where a mail's domain vouches for them. */
void step_box_orders(struct step *step, const struct game *game, int seat, json_t *document, json_t *into);
/* Where a mail domain vouches for a text (game/vouched.h): in place of a key's signature, {"content","dkim"}. */
json_t *step_domain_signature(const struct mail_proof *proof);
/* Has a record of this seat the mark of the mail that vouches for these orders? One mail counts once, whatever is
 * made of it. */
int step_mail_counted(const struct step *step, const struct game *game, const struct orders_input *input,
                      bool *counted, struct err *err) __attribute__((warn_unused_result));
/* And "vouched" of the record that comes next. Seals the mail, as item SEAL_EVIDENCE of that seat (0 in all but orders), and keeps
 * it in a box if it has at most so many bytes (vouched_sealed). */
json_t *step_vouched(struct step *step, const struct game *game, int seat, const struct mail_proof *proof,
                     size_t most);
/* Requests a mail that belongs to the game's last record; takes ownership of `facts`. */
void step_post(struct step *step, const struct game *game, enum post_kind kind, int seat, json_t *facts);
/* The mail at that place is not wanted any more. */
void step_drop_post(struct step *step, size_t at);
/* The same for POST_ANSWER and POST_TOLD: to the seat, or with seat 0 to a player of that name. `words` is a
 * constant. */
void step_tell(struct step *step, const struct game *game, enum post_kind kind, const char *words, int seat,
               const char *player, json_t *facts);
/* Tells the seats of a game that has not begun who has come (`next` NULL) or gone: then `next` has the seat
 * instead, "" = nobody. Those two themselves are not told. */
void step_tell_table(struct step *step, const struct game *game, int seat, const char *player,
                     const char *next);
/* Tells the first on the waiting list of a seat that is free, which a key of before does not give them. */
void step_tell_waiting(struct step *step, const struct game *game, int seat);
/* The mail requested last has to be read before then (1: at once), so that it cannot wait for a digest. */
void step_urgent(struct step *step, int64_t until);
/* What was asked for since there were `from` mails is of no use any more by then. */
void step_passing(struct step *step, size_t from, int64_t past);
/* Public keys as in records. */
json_t *step_keys_json(const struct pubkey *keys, size_t count);
/* The record of a seat that resigns. */
int step_resign_record(struct step *step, struct game *game, int seat, const json_t *members, struct err *err)
    __attribute__((warn_unused_result));
/* Requests a seat's report of the turn that was resolved last, in an earlier step. */
void step_report(struct step *step, const struct game *game, enum post_kind kind, int seat, bool missed);
/* What observers are told of the turns from that one on. New reference. */
json_t *step_observed(const struct game *game, int from);
/* The same to the players of all seats and to the moderators (without seats), each with `extra` (ownership
 * taken) among the facts of the game. */
void step_tell_all(struct step *step, const struct game *game, const char *words, json_t *extra);
/* The journal is ahead of the clock (game->time), and by its time the round is over, which it is not: a turn that was played now
 * would have to be the last. */
bool step_waits_for_round(const struct step *step, const struct game *game);
/* game_ripe now, and the mailbox holds no orders for the turn that could not be processed. */
bool step_ripe(const struct step *step, const struct game *game);
/* Plays the closed turn, if no witness is awaited. */
int step_play_closed(struct step *step, struct game *game, struct err *err)
    __attribute__((warn_unused_result));
/* For step_continue, when a crash came after the orders of game.journal.led (their seat), which have no receipt: may a report be
 * that, too? To be asked before the rest of their step is made; afterwards the seat's report becomes the receipt. */
bool step_may_merge(const struct game *game);
void step_merge_receipt(struct step *step, int seat);
/* step_continue after an `orders` record. */
int step_orders_continue(struct step *step, struct game *game, struct err *err)
    __attribute__((warn_unused_result));

/* Carries out deals and the like now, whoever's turn it is; the others who may know are told. `list` gets
 * what happened, even on error. */
int step_instant(struct step *step, struct game *game, int seat, json_t **list, struct err *err)
    __attribute__((warn_unused_result));

/* Seats that are kept (step_kept.c): asking their players to join, and what the clock does about it. */
void step_ask_kept(struct step *step, const struct game *game, const struct new_game *how);
int step_kept_clock(struct step *step, struct game *game, struct err *err)
    __attribute__((warn_unused_result));

/* The records at the end of a game, also of one that is not over by its rules: it never began. */
int step_end(struct step *step, struct game *game, struct err *err) __attribute__((warn_unused_result));
/* Ends a game whose round is over, as it stands, with the last reports to all. */
int step_cut_short(struct step *step, struct game *game, struct err *err) __attribute__((warn_unused_result));
/* Others may still play the same deal, so the seals of a game that is over are not opened yet. */
bool step_keeps_shut(const struct step *step, const struct game *game);
/* The record with the key that opens the seals; after the game's end. */
int step_open(struct step *step, struct game *game, struct err *err) __attribute__((warn_unused_result));
/* Resolves the open turn, and those after it that wait for nobody. */
int step_resolve_turns(struct step *step, struct game *game, struct err *err)
    __attribute__((warn_unused_result));
/* The results of resolving a turn, for the reports: all zero when it was resolved in an earlier step. */
struct resolved {
    struct turn_result result;
    json_t *away;  /* the vacations that the new deadline was moved for, or NULL */
    json_t *files; /* of step_files, or NULL */
};
/* The files of a game that is over, for letters (post.attach): a new reference, or NULL when they are too large
 * for a report, or are withheld. */
int step_files(const struct step *step, const struct game *game, json_t **files, struct err *err)
    __attribute__((warn_unused_result));
/* Requests the reports of the turn that was resolved last: for all seats that people play, and for observers.
 */
void step_post_reports(struct step *step, const struct game *game, enum post_kind kind, uint32_t missed,
                       const struct resolved *resolved);
/* The last reports of a game that ended without a turn, void or cut short, or whose deal need not be withheld any longer: what
 * they were not told of yet, and what was hidden. None where no turn was played, unless it was cut short. */
int step_last_reports(struct step *step, const struct game *game, struct err *err)
    __attribute__((warn_unused_result));

/* Members of a record by which somebody gives up their seat, or their place on the waiting list, before the
 * start. New reference. */
json_t *step_leave_fields(const struct step *step, const struct game *game, const char *player);

#endif
