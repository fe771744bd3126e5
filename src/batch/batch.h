/* A batch: many games and mails, one commit.
 *
 * Steps run in memory; batch_commit then makes everything durable by the protocol of src/batch/README.md:
 * sealed payloads and mails in spool/tmp, sync; journals, sync (this is the commit); mails to spool/new. Two
 * syncs, however many games. A game whose journal could not be appended to is left out of the commit with its
 * mails, the others go on. */
#ifndef BATCH_BATCH_H
#define BATCH_BATCH_H

#include "batch/desk.h"
#include "league/league.h"
#include "letters/letters.h"
#include "league/registry.h"
#include "league/registry_log.h"
#include "play/step.h"
#include "journal/catalog.h"
#include "journal/store.h"
#include "mail/spool.h"
#include "trust/keyring.h"

struct batch_game {
    struct game game;
    int64_t length; /* of the journal before this batch */
    int64_t seq;    /* of its last record before this batch */
    struct str records, sealed;
    struct catalog_game row; /* as it stands in the catalog; id "" = not put there yet */
    bool broken;             /* could not be loaded or committed: leave its mails where they are */
    bool ahead;              /* of its state.json, by committed records */
    struct store *store;     /* where its files are */
    bool looked_at;          /* by the clock: its row in the catalog has to say when it is due next */
};
struct batch_mail {
    struct spool_mail mail;
    bool of_record; /* it may leave only if its game's record was committed */
    bool at_desk;   /* which stages it; its bytes are not here */
};
struct batch_path {
    char player[PLAYER_NAME];
    int64_t time;
    unsigned char digest[CATALOG_PATH];
};
/* What the catalog shall know of mail that came back, with the next commit (batch/bounced.h). */
struct batch_bounce {
    struct catalog_bounce bounce;
    bool heard; /* a mail of the player's came instead: all is well again */
};
/* A line of the log of mails (batch/mail_log.h). */
struct batch_logged {
    struct catalog_mail line;
    char game[GAME_NAME]; /* whose record came of the mail; "" = none */
};
struct batch_counts {
    size_t turns, orders;
};

struct batch_games {
    struct batch_game **list; /* sorted by id */
    size_t count, cap;
};
struct batch_mails {
    struct batch_mail *list;
    size_t count, cap;
    size_t bytes, most; /* their size, and that from which a batch is full */
};
/* Players whose games the clock has to look at. */
struct batch_woken {
    char (*list)[PLAYER_NAME];
    size_t count, cap;
};
/* For `outside`, which counts them. */
struct batch_pauses {
    struct pause *list;
    size_t cap;
    bool open; /* the last of them ends with this round, when that is completed */
    bool cut;  /* one that is in the catalog cannot have gone on until its end */
};
/* What the catalog shall know with the next commit, and is in no journal. */
struct batch_news {
    unsigned char (*seen)[32]; /* digests of mails answered without a record */
    size_t seen_count, seen_cap;
    struct batch_path *paths; /* where signed mails came from */
    size_t path_count, path_cap;
    struct batch_bounce *bounces;
    size_t bounce_count, bounce_cap;
    struct batch_logged *logged; /* mails that came in */
    size_t logged_count, logged_cap;
    struct catalog_leaver *leavers; /* whose mails are forgotten */
    size_t leaver_count, leaver_cap;
};

struct budget_claim; /* batch/budget.h */
/* Who cannot be heard, or could not until now. */
struct batch_unheard {
    struct stuck_orders *stuck; /* for `outside`, which counts them */
    size_t stuck_cap;
    struct returned *returned; /* likewise */
    size_t returned_cap;
    json_t *past_keys; /* of players, by the registry's journal (absent_key); NULL = not read */
    size_t damaged;    /* players whose files cannot be read */
};

struct batch {
    struct league *league;
    struct store *store;
    struct catalog *catalog;
    struct keyring keyring;
    struct registry registry;
    struct registry_log log;
    struct templates *templates;
    struct signed_head head;
    struct desk *desk; /* NULL: mails are finished and staged by the batch itself */
    char *spool;
    int64_t now;
    struct outside outside; /* of the games: players, zones, whether the service stood still */
    struct zones zones;
    struct batch_pauses pauses;
    struct batch_unheard unheard;

    struct batch_games games;
    struct batch_mails mails;
    struct batch_woken woken;
    struct batch_news news;
    struct budget_claim *claim; /* of the mail that is heard just now, NULL = of none */
    struct batch_counts done;   /* for the summary */
    struct batch_counts before; /* when it began */
    bool marked;                /* the catalog's mark is set */
    bool unread;                /* and must stay: games lack in the catalog that could not be read */
    bool torn;                  /* a commit was left half done: only the next start may go on */
    int64_t tidied;             /* the day (since 1970) when old things were last forgotten */
    size_t broken;              /* games that could not be loaded or committed so far */
};

/* Opens store, catalog (filled anew when it is fresh), keys and players of a league that is held by this
 * process, and recovers the spool. */
int batch_open(struct batch *batch, struct league *league, int64_t now, struct err *err)
    __attribute__((warn_unused_result));
/* The catalog is up to date with the journals for now: what follows (sending) may be interrupted at no cost.
 */
void batch_settled(struct batch *batch);
void batch_close(struct batch *batch);
/* From now on mails are finished and staged at a desk (batch/desk.h), if there can be one. */
void batch_at_desk(struct batch *batch);
/* Waits until what was committed may leave: before anything is sent. */
int batch_wait_desk(struct batch *batch, struct err *err) __attribute__((warn_unused_result));
struct step_keys batch_keys(const struct batch *batch);
/* Begins a step of that game, which can ask for what came before it while the game is in the batch. */
void batch_step(struct batch *batch, struct batch_game *entry, struct step *step);
struct letters batch_letters(struct batch *batch);
/* The game, loaded unless it is already. ERR_MISSING; ERR_BROKEN (also marked). */
int batch_game(struct batch *batch, const char *id, struct batch_game **out, struct err *err)
    __attribute__((warn_unused_result));
/* Puts a game that step_create made into the batch; the game is taken over. */
struct batch_game *batch_add(struct batch *batch, struct game *game);
/* Takes over what a finished step gave for a game: records, payloads, and its posts as mails. */
int batch_take(struct batch *batch, struct batch_game *game, struct step *step,
               const struct message *answered, struct err *err) __attribute__((warn_unused_result));
/* The mails of the batch take so much memory that it is time to commit. */
bool batch_full(const struct batch *batch);
/* Adds a mail that belongs to no game's record; taken over. */
void batch_mail_add(struct batch *batch, struct spool_mail *mail);
/* A change of players, keys or tokens (league/registry_log.h); part of the next commit. */
int batch_change(struct batch *batch, const struct registry_change *change, struct err *err)
    __attribute__((warn_unused_result));
/* ---- the clock (batch_round.c, batch_clock.c) ---- */

/* A round of work begins, before mail is read: sets the time, and finds out from the end of the last round
 * whether the service stood still or the clock was put back. What concerns the operator and the moderators is
 * told, once. */
int batch_round(struct batch *batch, int64_t now, struct err *err) __attribute__((warn_unused_result));
/* It is done: the mailbox was read and the clock has run. A round whose mailbox could not be read is not
 * done; it sets outside.deaf before the clock runs. */
int batch_round_done(struct batch *batch, struct err *err) __attribute__((warn_unused_result));
/* From when on a memory of so many seconds is kept. An outage counts as a day of them: it may be a clock that
 * jumped ahead and will be put back, and what nobody looked at is not old. */
int64_t batch_since(const struct batch *batch, int64_t keep);
/* Runs the clock for all games that are due, at most `limit`, and commits; *more when there may be others. A
 * game whose clock fails is left out (batch/stuck.h). */
int batch_clock(struct batch *batch, size_t limit, bool *more, struct err *err)
    __attribute__((warn_unused_result));
/* Begins work that may be taken back. */
int batch_begin(struct batch *batch, struct err *err) __attribute__((warn_unused_result));
/* Takes back all that was done since batch_begin: the league is as it is on the disk. Not after a commit that
 * has set `torn`. */
int batch_rewind(struct batch *batch, struct err *err) __attribute__((warn_unused_result));
/* Commits. Afterwards `broken` of a game tells whether it was left out. On error, `torn` tells whether
 * anything has happened: if so nothing may be relied on, the process ends and the next start recovers; if
 * not, all can be taken back. */
int batch_commit(struct batch *batch, struct err *err) __attribute__((warn_unused_result));
/* Forgets the mails, for the next batch. Games that were committed stay loaded when `keep` is set, which is
 * for batches that went well: others may be ahead of their journals. */
void batch_reset(struct batch *batch, bool keep);
/* Brings state.json up to date and forgets the games, if they take more than `most` bytes. To be called with
 * 0 at the end of a row of batches. */
int batch_rest(struct batch *batch, size_t most, struct err *err) __attribute__((warn_unused_result));
/* What the catalog holds of a game for lists; `due`, which depends on the players too, stays 0. */
void batch_catalog_row(const struct game *game, struct catalog_game *row);

#endif
