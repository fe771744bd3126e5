/* Mails that fail when they are worked on, and games whose clock fails, though the league itself is well
 * (batch/pieces.h finds them). In most cases a bug of ours that somebody's text or a damaged file brings to
 * light: nobody else may suffer from it, and nothing may be lost.
 *
 * Such a mail stays where it is, recognised by its digest. It is tried again after 5 minutes, 10, 20 and so
 * on, at most 6 hours, and at once by another version of the program. After three days it moves to the folder
 * of failed mails (`turnpost mail retry` brings it back), and its signer is told that nothing was done, or that it counted when it
 * came before. While orders wait like this, their turn waits too (game_stuck): it is held as by the safety valve. When they are
 * given up, the player has time to send others: the turn is moved as after an outage (step_clock.c).
 *
 * A mail that has failed ends no turn any more: when all orders are in with it, the clock plays the turn, and a fault in that
 * is the game's and not the mail's. A mail that leads to a record which our own audit would refuse (ERR_UNSOUND) is worked on
 * in this way at once; if it fails again it would do so for ever: it is given up, and whoever wrote it is told. No turn waits for
 * its orders.
 *
 * Errors that the operator has to fix (ERR_CONFIG, ERR_IO, ERR_TEMP: a missing template, an unreadable file)
 * are never a mail's fault: it is tried in each run and does not age.
 *
 * A game is tried again every ten minutes; the moderators are told once. All this is in the catalog. */
#ifndef BATCH_STUCK_H
#define BATCH_STUCK_H

#include "batch/batch.h"
#include "letters/reading.h"

#define STUCK_MOST       ((int64_t)3 * 86400) /* seconds until such a mail is given up */
#define STUCK_GAME_PAUSE ((int64_t)600)

/* What is to be done with a mail. */
enum stuck_plan {
    STUCK_NEW,   /* it has not failed so far: work on it */
    STUCK_AGAIN, /* it failed, and is to be tried again: work on it, and then stuck_mended */
    STUCK_LEAVE, /* not yet: it stays where it is */
    STUCK_GIVE   /* its time is over: call stuck_give, and move it to the failed ones */
};
int stuck_plan(struct batch *batch, const unsigned char digest[32], enum stuck_plan *plan, struct err *err)
    __attribute__((warn_unused_result));
/* Has it failed before, by a fault of its own? */
bool stuck_by_itself(struct batch *batch, const unsigned char digest[32]);
/* Is the plan STUCK_LEAVE? Also false when the catalog cannot be read: then stuck_plan decides about the
 * mail. */
bool stuck_rests(struct batch *batch, const unsigned char digest[32]);
/* It succeeded this time. Within the batch. */
int stuck_mended(struct batch *batch, const unsigned char digest[32], struct err *err)
    __attribute__((warn_unused_result));
/* A mail that is given up, within the batch. */
struct stuck_given {
    bool tell;                /* false: they are not to be told, as that has failed too, or it is a copy */
    char player[PLAYER_NAME]; /* whose key signed it; "" = nobody's */
    int64_t since;            /* when it failed first */
};
int stuck_give(struct batch *batch, const unsigned char digest[32], struct stuck_given *given,
               struct err *err) __attribute__((warn_unused_result));

/* A mail has failed on its own, outside of any batch. 1: it is to be worked on at once, to be tried without its turn, or given up
 * (STUCK_GIVE), which tells whoever wrote it. */
int stuck_mail(struct batch *batch, const struct incoming *mail, struct reading *reading,
               const struct err *why, struct err *err) __attribute__((warn_unused_result));
/* A game's clock has failed on its own. */
int stuck_game(struct batch *batch, const char *game, const struct err *why, struct err *err)
    __attribute__((warn_unused_result));
/* The same of one that has been reported; or of the league's results, by their name. */
int stuck_note(struct batch *batch, const char *game, const struct err *why, struct err *err)
    __attribute__((warn_unused_result));
/* Games that could not be loaded (batch->unread), which has been reported: until one can be, it is noted as standing still, for
 * `status`, and the clock tries it again likewise. Within the commit. */
int stuck_unread(struct batch *batch, struct err *err) __attribute__((warn_unused_result));
/* What stands still, for whatever of these reasons, and of which the moderators have not been told. Free with file_names_free, also
 * after an error. */
int stuck_untold(struct batch *batch, struct file_names *names, struct err *err)
    __attribute__((warn_unused_result));
/* They are, by the batch that is open. */
int stuck_told(struct batch *batch, const char *name, struct err *err) __attribute__((warn_unused_result));
/* Its clock runs again. */
int stuck_game_mended(struct batch *batch, const char *game, struct err *err)
    __attribute__((warn_unused_result));

/* Newer orders of the player's for the game were accepted: older ones that still wait are not tried again,
 * because they would replace these; they are given up. Within the batch. */
int stuck_supersede(struct batch *batch, const char *player, const char *game, struct err *err)
    __attribute__((warn_unused_result));
/* Did this game kill a whole process, and is it too early to look at it again? */
bool stuck_is_deadly(struct batch *batch, const char *game);
/* Records what killed the process before this one (batch/at_hand.h). Call it when the catalog is open, before
 * any game is read. */
int stuck_suspects(struct batch *batch, struct err *err) __attribute__((warn_unused_result));

/* Reads which texts of players wait like this, for the games and whatever else ends by silence, and which
 * players were absent until now, or had orders that were given up (batch->outside). At the start of a
 * round. */
int stuck_read(struct batch *batch, struct err *err) __attribute__((warn_unused_result));
/* The digests of the mails that have failed, 32 bytes each; the caller frees. For threads that read ahead and
 * cannot ask the catalog. */
int stuck_digests(struct batch *batch, unsigned char (**list)[32], size_t *count, struct err *err)
    __attribute__((warn_unused_result));
/* When the first of the mails is to be tried again; 0 = there is none. */
int stuck_next(struct batch *batch, int64_t *next, struct err *err) __attribute__((warn_unused_result));
/* All of the mails are tried in the next run; those that were given up, and that somebody put back, as new
 * ones. */
int stuck_retry(struct catalog *catalog, struct err *err) __attribute__((warn_unused_result));

#endif
