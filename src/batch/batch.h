/* A batch: many games and mails, one commit.
 *
 * Steps run in memory; batch_commit then makes everything durable by the protocol of src/batch/README.md:
 * mails in spool/tmp, sync; journals, sync (this is the commit); mails to spool/new. Two
 * syncs, however many games. A group (batch/groups.h) of which a journal could not be appended to is left out of
 * the commit with its mails; the others continue. */
#ifndef BATCH_BATCH_H
#define BATCH_BATCH_H

#include "batch/desk.h"
#include "league/league.h"
#include "league/league_log.h"
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
    struct store_pos end; /* of the journal before this batch */
    struct str records;
    struct str entries;      /* of the records, for the league's log */
    struct catalog_game row; /* as it is in the catalog; id "" = not put there yet */
    bool broken;             /* could not be loaded or committed: leave its mails where they are */
    bool unfinished;         /* broken, as what a crash left of a step could not be finished */
    bool ahead;              /* of its state.json, by committed records */
    struct store *store;     /* where its files are */
    size_t piece;            /* the last that used it, counted from 1 (batch/groups.h); 0 = none */
    bool looked_at;          /* run by the clock: its row in the catalog has to say when it is due next */
};
struct batch_path {
    char player[PLAYER_NAME];
    int64_t time;
    unsigned char digest[CATALOG_PATH];
};
/* What the catalog will be told of mail that came back, with the next commit (batch/bounced.h). */
struct batch_bounce {
    struct catalog_bounce bounce;
    bool heard; /* a mail of the player's came instead: the flag is cleared */
};
struct batch_counts {
    size_t turns, orders;
};

/* Where what a piece of work made begins (batch/groups.h). */
struct batch_piece {
    size_t mails, seen, paths, bounces, logged, leavers; /* how many there were before it */
    struct batch_counts done;
    int64_t registry; /* its last record, before it */
    bool left_out;
};
struct batch_touch {
    size_t piece;
    struct batch_game *game;
};
struct batch_groups {
    struct batch_piece *pieces;
    size_t count, cap;
    struct batch_touch *touches; /* each game of a piece once */
    size_t touch_count, touch_cap;
    json_t *resting; /* games that could not be written in this round (batch/groups.h): names; NULL = none */
    bool again;      /* so the pieces of the commit that failed are to be done again without them */
};
/* On whose account it works now. */
struct batch_cause {
    bool failed_before; /* the mail that is worked on, by a fault of its own: it ends no turn (play/step.h) */
    struct budget_claim *claim; /* of the current mail, NULL = none */
    /* 32 bytes: of a command that came by the queue, so that its records name it; NULL = of none. Borrowed. */
    const unsigned char *request;
    bool spent; /* it asked for a mail that did not leave, as the day's were used up */
};
/* The catalog's mark: the work of a batch is not complete (catalog_working). */
struct batch_mark {
    bool set;
    bool stays; /* unreadable games are missing in the catalog */
};

struct batch_games {
    struct batch_game **list; /* sorted by id */
    size_t count, cap;
};
struct batch_mails {
    struct outgoing **list;
    size_t count, cap;
    size_t bytes, most;       /* their size, and the size at which a batch is full */
    struct drawn_board drawn; /* of the report made last */
};
/* Players whose games the clock has to look at. */
struct batch_woken {
    char (*list)[PLAYER_NAME];
    size_t count, cap;
};
/* The lists behind `outside`, which has their counts. */
struct batch_pauses {
    struct pause *list;
    size_t cap;
    bool open; /* the last of them ends with this round, once that is completed */
    bool cut;  /* one that is in the catalog cannot have gone on until its end */
};
/* What the catalog will be told with the next commit, and is in no journal. */
struct batch_news {
    unsigned char (*seen)[32]; /* digests of mails answered without a record */
    size_t seen_count, seen_cap;
    struct batch_path *paths; /* where signed mails came from */
    size_t path_count, path_cap;
    struct batch_bounce *bounces;
    size_t bounce_count, bounce_cap;
    struct catalog_mail *logged; /* mails that came in (batch/mail_log.h) */
    size_t logged_count, logged_cap;
    struct catalog_leaver *leavers; /* whose mails are forgotten */
    size_t leaver_count, leaver_cap;
};

struct budget_claim; /* batch/budget.h */
/* Players who cannot be heard, or could not until now. */
struct batch_unheard {
    struct stuck_orders *stuck; /* for `outside`, which counts them */
    size_t stuck_cap;
    struct returned *returned; /* likewise */
    size_t returned_cap;
    json_t *past_keys; /* of players, by the registry's journal (absent_key); NULL = not read */
    size_t damaged;    /* players whose files cannot be read */
    int64_t
        waits; /* when the oldest mail arrived that was read in this round and stays in the mailbox; 0 = none */
};

/* Competitions that are loaded (batch/competing.h). */
struct batch_competitions {
    struct store *store;
    struct batch_competition **list; /* sorted by name */
    size_t count, cap;
    bool complete; /* all that can be read are there */
    bool look;     /* something has happened by which one of them may have something to do */
    int64_t next;  /* when one of them has something to do anyway; 0 = unknown, or never */
    int waiting;   /* how many wait for the witnesses of a draw */
};

/* Games that may have ended and have no result yet (batch/results.h). */
struct batch_ended {
    char id[GAME_NAME];
    int64_t time;
};
struct batch_results {
    struct batch_ended *ended;
    size_t count, cap;
    bool looked;  /* at all games, since the start */
    bool stopped; /* the journal cannot be read */
};

/* What the roster (league/roster.h) and the disk say of each other (batch/missing.h). */
struct batch_missing {
    bool look;     /* something was made, came or went since they were compared */
    int64_t stamp; /* of the games' store, for the catalog once nothing is missing; 0 = not known */
    json_t *gone;  /* names of games that are gone, as far as is known; NULL = none */
    bool secrets;  /* the registry does not know the league's secrets yet (league/own_secrets.h) */
};

/* The witnesses of closed turns (batch/witnessing.h). */
struct batch_witnessing {
    uint64_t
        known; /* games that wait for them, when they were asked last (catalog_witnessed); 0 = not asked yet */
    int64_t next; /* when somebody is to be asked again */
    bool look;    /* somebody is to be asked now */
};

struct batch {
    struct league *league;
    struct store *store;
    struct catalog *catalog;
    struct keyring keyring;
    struct registry registry;
    struct registry_log log;
    struct league_log *tlog;
    struct templates *templates;
    struct gate *gate; /* of the audit, and */
    struct step_gate
        judge; /* who judges what is to be recorded: that gate, unless somebody else stands here (batch_gate) */
    struct desk *desk; /* NULL: mails are finished and staged by the batch itself */
    char *spool;
    int64_t now;
    struct outside outside; /* of the games: players, zones, whether the service stood still */
    struct zones zones;
    struct batch_pauses pauses;
    struct batch_unheard unheard;

    struct batch_games games;
    struct batch_competitions competitions;
    struct batch_results results;
    json_t *losses; /* from which record on the log says that a name's are lost (log_mend.h) */
    json_t *
        undecided; /* names of games and competitions that have mails in spool/tmp and could not be read so far; NULL = none */
    struct batch_missing missing;
    struct batch_witnessing witnessing;
    json_t *
        unread; /* games that could not be loaded, and why, for the next commit (stuck_unread); NULL = none */
    json_t *
        unlogged; /* journals that could not be read when the log was mended (batch/log_mend.h); NULL = none */
    struct batch_mails mails;
    struct batch_woken woken;
    struct batch_news news;
    struct batch_groups groups;
    struct batch_cause cause;
    struct batch_counts done;   /* for the summary */
    struct batch_counts before; /* when it began */
    struct batch_mark mark;
    bool torn;      /* a commit was left half done: only the next start may continue */
    int64_t tidied; /* the day (since 1970) when old things were last forgotten */
    size_t broken;  /* games that could not be loaded or committed so far */
};

/* Opens store, catalog (refilled when it is fresh), keys and players of a league that is held by this
 * process, and recovers the spool. */
int batch_open(struct batch *batch, struct league *league, int64_t now, struct err *err)
    __attribute__((warn_unused_result));
/* The catalog is up to date with the journals for now: what follows (sending) may be interrupted at no cost.
 */
void batch_settled(struct batch *batch);
void batch_close(struct batch *batch);
/* From now on mails are finished and staged at a desk (batch/desk.h), if there can be one. */
void batch_at_desk(struct batch *batch);
/* Waits until the committed mails may be sent: call it before sending anything. */
int batch_wait_desk(struct batch *batch, struct err *err) __attribute__((warn_unused_result));
struct step_keys batch_keys(const struct batch *batch);
/* Begins a step of that game, which can read what came before it while the game is in the batch. */
void batch_step(struct batch *batch, struct batch_game *entry, struct step *step);
/* For steps that are not begun by batch_step. */
struct step_gate batch_gate(struct batch *batch);
/* What came before in the files of a game of the batch. */
struct step_before batch_before(struct batch_game *entry);
struct letters batch_letters(struct batch *batch);
/* The game, loaded unless it is already. ERR_MISSING; ERR_BROKEN (also marked). */
int batch_game(struct batch *batch, const char *id, struct batch_game **out, struct err *err)
    __attribute__((warn_unused_result));
/* Puts a game that step_create made into the batch; takes ownership of the game. */
struct batch_game *batch_add(struct batch *batch, struct game *game);
/* Takes the results of a finished step for a game: records, payloads, and its posts as mails. */
int batch_take(struct batch *batch, struct batch_game *game, struct step *step,
               const struct message *answered, struct err *err) __attribute__((warn_unused_result));
/* Ends a step that answers no mail: unless it failed (`rc`, what it returned) it is finished and taken; released in any case. */
int batch_end_step(struct batch *batch, struct batch_game *entry, struct step *step, int rc, struct err *err)
    __attribute__((warn_unused_result));
/* The mails of the batch take so much memory that it is time to commit. */
bool batch_full(const struct batch *batch);
/* Adds a mail; taken over, with its place: it leaves OUTGOING_INIT. What is not COMPOSED goes to the desk. */
void batch_mail_add(struct batch *batch, struct outgoing *mail);
/* A change of players, keys or tokens (league/registry_log.h); part of the next commit. */
int batch_change(struct batch *batch, const struct registry_change *change, struct err *err)
    __attribute__((warn_unused_result));
/* A mail, or a command's request, that is done with: with the next commit the catalog remembers it. */
void batch_see(struct batch *batch, const unsigned char digest[32]);
/* Was it done with, in an earlier batch or in this one? Of what changed a game its journal knows. */
int batch_has_seen(const struct batch *batch, const unsigned char digest[32], bool *seen, struct err *err)
    __attribute__((warn_unused_result));
/* ---- the clock (batch_round.c, batch_clock.c) ---- */

/* A round of work begins, before mail is read: sets the time, and finds out from the end of the last round
 * whether the service stood still or the clock was put back. Reports what concerns the operator and the
 * moderators, once. */
int batch_round(struct batch *batch, int64_t now, struct err *err) __attribute__((warn_unused_result));
/* The round is done: the mailbox was read and the clock has run. A round whose mailbox could not be read does
 * not count as done; it sets outside.deaf before the clock runs. */
int batch_round_done(struct batch *batch, struct err *err) __attribute__((warn_unused_result));
/* Such a round is over: it is remembered since when that is so, and why, for `turnpost status`. */
int batch_round_deaf(struct batch *batch, const struct err *why, struct err *err)
    __attribute__((warn_unused_result));
/* The start of a memory of this many seconds. An outage counts as only one day of them: it may be a clock
 * that jumped ahead and will be put back, and what has not been looked at does not age. */
int64_t batch_since(const struct batch *batch, int64_t keep);
/* Until when nothing is done that cannot be taken back and has a time fixed long ago, as an outage of more than a day has
 * just ended (rounds_shaken). 0 = it may be done. */
int64_t batch_shaken(const struct batch *batch);
/* Runs the clock for all games that are due, at most `limit`, and commits; *more when there may be others. A
 * game whose clock fails is left out (batch/stuck.h). */
int batch_clock(struct batch *batch, size_t limit, bool *more, struct err *err)
    __attribute__((warn_unused_result));
/* Begins work that may be rolled back. */
int batch_begin(struct batch *batch, struct err *err) __attribute__((warn_unused_result));
/* Rolls back everything done since batch_begin: the league is then as it is on disk. Not after a commit that
 * has set `torn`. */
int batch_rewind(struct batch *batch, struct err *err) __attribute__((warn_unused_result));
/* Commits. Afterwards `broken` of a game tells whether it was left out. On error, `torn` tells whether
 * anything has happened: if so nothing can be relied on, the process ends and the next start recovers; if
 * not, everything can be rolled back. */
int batch_commit(struct batch *batch, struct err *err) __attribute__((warn_unused_result));
/* Forgets the mails, for the next batch. Games that were committed stay loaded when `keep` is set, which is
 * for batches that succeeded: others may be ahead of their journals. */
void batch_reset(struct batch *batch, bool keep);
/* Brings state.json up to date and forgets the games, if they take more than `most` bytes. Call it with 0
 * after a series of batches. */
int batch_rest(struct batch *batch, size_t most, struct err *err) __attribute__((warn_unused_result));
/* What the catalog holds of a game for lists; `due`, which depends on the players too, stays 0. */
void batch_catalog_row(const struct game *game, struct catalog_game *row);

#endif
