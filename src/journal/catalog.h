/* The catalog: an SQLite file with what is asked often, so that an idle run costs the same for ten stored
 * games and a hundred thousand. It is never the truth about a game: what it says of games, players'
 * reliability and the registry's marks is a cache of the journals, and the caller feeds it again when it is
 * gone.
 *
 * But it also remembers what is in no journal, all of it here:
 *
 *   seen        mails that were answered without a record: lost, such a mail is answered again if it comes
 *               again
 *   budget      automatic replies per address and day: lost, they begin again
 *   bounces     what came back, by player: lost, the counts begin again
 *   deliveries  what happened to mails: lost, `turnpost status` and `mail` do not know of them
 *   mails       what came in, and what was decided: lost, `turnpost mail` does not know of it
 *   paths       where a player's mails came from: lost, `suspicion` knows less
 *   stuck       mails, games and players that failed: lost, they are tried again at once
 *   held        orders that a player's answer may have meant: lost, their "ok" finds nothing, and they are asked
 *               again
 *   unread      mails that were answered as not understood: lost, the limits of such answers begin again
 *   asked       what name servers were asked, and how long that took (dns/memory.h): lost, its limits begin again
 *   pauses      and the last round of work; registry/rounds (batch/rounds.h) has them too
 *
 * A backup holds a catalog with these tables alone (catalog_copy).
 *
 * One file, WAL mode, synchronous NORMAL. A damaged or foreign file is moved aside (catalog.sqlite.damaged)
 * and a new one is made; damage that shows only later is ERR_TEMP and the file is moved aside on
 * catalog_close. Changes are grouped: catalog_begin .. catalog_commit around a batch. One process writes (the
 * league's lock sees to that), others may read meanwhile. */
#ifndef JOURNAL_CATALOG_H
#define JOURNAL_CATALOG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/file.h"

struct catalog; /* opaque */

/* `*fresh` is true when the file was missing, damaged or a copy: the caller then feeds every game, in one
 * transaction. It stays true for later opens until the first catalog_commit of a handle that was told so: a
 * crash while feeding loses nothing. ERR_NEWER: a catalog of another version, which is left as it is. */
int catalog_open(const char *path, struct catalog **out, bool *fresh, struct err *err)
    __attribute__((warn_unused_result));
void catalog_close(struct catalog *catalog);
/* What is in no journal, as a new catalog `to` (0600), which is fed when it is opened. The other may be in
 * use. ERR_MISSING: there is no catalog; ERR_TEMP: it is damaged, or locked for too long. */
int catalog_copy(const char *from, const char *to, struct err *err) __attribute__((warn_unused_result));
/* What an earlier begin left uncommitted (after an error) is dropped first. */
int catalog_begin(struct catalog *catalog, struct err *err) __attribute__((warn_unused_result));
int catalog_commit(struct catalog *catalog, struct err *err) __attribute__((warn_unused_result));
/* Commits what was begun, if anything, and does no more: what is not fed yet stays that way. */
int catalog_keep(struct catalog *catalog, struct err *err) __attribute__((warn_unused_result));
/* Can it be written and read? ERR_TEMP also when damage was found earlier: the next open makes a new one. */
int catalog_sound(struct catalog *catalog, struct err *err) __attribute__((warn_unused_result));
/* Drops what the last begin left uncommitted, if there is any. */
int catalog_rollback(struct catalog *catalog, struct err *err) __attribute__((warn_unused_result));
/* A mark for the worker: set (durably) before the first record of a run is committed to a journal, removed at
 * the clean end of the run, outside of a transaction. If the next worker finds it set, the last one died
 * between a journal and the catalog, or the power failed: every game is fed again. */
int catalog_was_working(struct catalog *catalog, bool *was, struct err *err)
    __attribute__((warn_unused_result));
int catalog_working(struct catalog *catalog, bool working, struct err *err)
    __attribute__((warn_unused_result));

/* The stamp of the store (store_stamp) when the catalog had all its games; 0 = not known. */
int catalog_stamp(struct catalog *catalog, int64_t *stamp, struct err *err)
    __attribute__((warn_unused_result));
int catalog_set_stamp(struct catalog *catalog, int64_t stamp, struct err *err)
    __attribute__((warn_unused_result));

/* What resolver_write gives, which the next process goes on from; "" = nothing yet. Appended. */
struct str;
int catalog_asked(struct catalog *catalog, struct str *asked, struct err *err)
    __attribute__((warn_unused_result));
int catalog_set_asked(struct catalog *catalog, const char *asked, struct err *err)
    __attribute__((warn_unused_result));

#define CATALOG_NAME   33
#define CATALOG_FREE   "?"
#define CATALOG_PAUSED (-1) /* in place of a deadline: paused by a moderator */
#define CATALOG_HELD   (-2) /* the turn waits for a moderator's word */
struct catalog_game {
    char id[CATALOG_NAME];
    char ruleset[CATALOG_NAME];
    int turn; /* the open turn */
    bool over;
    int64_t deadline; /* 0 = none; CATALOG_PAUSED, CATALOG_HELD */
    int64_t due;      /* when the clock has something to do next, 1 = at once, 0 = never */
    int64_t seq;      /* last record */
    int64_t ended;    /* when it was over; 0 = it is not */
    int seats;
    char player[9][CATALOG_NAME]; /* [1..seats]; "" = robot, CATALOG_FREE = nobody yet */
    uint32_t awaited;             /* bit a seat */
    bool
        withheld; /* turn, deadline, awaited and seq may be shown to nobody else (game_shown_to); over is false */
    bool witnessed; /* its turn is closed, and a witness has not answered yet */
};
/* `before`: what was last stored of it (seats that are the same are not stored again), or NULL. */
int catalog_put_game(struct catalog *catalog, const struct catalog_game *game,
                     const struct catalog_game *before, struct err *err) __attribute__((warn_unused_result));
int catalog_get_game(struct catalog *catalog, const char *id, struct catalog_game *game, bool *found,
                     struct err *err) __attribute__((warn_unused_result));
/* The operator has taken it away. What players did in it stays counted. */
int catalog_drop_game(struct catalog *catalog, const char *id, struct err *err)
    __attribute__((warn_unused_result));
/* Which games. */
struct catalog_filter {
    const char *player; /* only those of this player; NULL = all */
    bool running_only;
};
/* Those games in order of id. `each` returns -1 with `err` set to stop; it may use the catalog. */
int catalog_each_game(struct catalog *catalog, const struct catalog_filter *filter,
                      int (*each)(void *arg, const struct catalog_game *game, struct err *err), void *arg,
                      struct err *err) __attribute__((warn_unused_result));
/* The games that have ended, the last one first, at most `max`. */
int catalog_ended(struct catalog *catalog, struct catalog_game *list, size_t max, size_t *count,
                  struct err *err) __attribute__((warn_unused_result));
/* The game has had its turn in this round of work: it may be due still, and is not named by catalog_due
 * before the next one begins (catalog_new_round). Kept in memory: gone when the process ends, and not
 * affected by a clock that is put back. */
int catalog_pass(struct catalog *catalog, const char *game, struct err *err)
    __attribute__((warn_unused_result));
int catalog_new_round(struct catalog *catalog, struct err *err) __attribute__((warn_unused_result));
/* Ids of running games that are due at `now`, earliest first, at most max; free with file_names_free. */
int catalog_due(struct catalog *catalog, int64_t now, size_t max, struct file_names *names, struct err *err)
    __attribute__((warn_unused_result));
/* Ids of the games with `witnessed`; free with file_names_free. *digest is another one when one came, went, or has another last record. */
int catalog_witnessed(struct catalog *catalog, struct file_names *names, uint64_t *digest, struct err *err)
    __attribute__((warn_unused_result));
/* When the next running game is due, 0 = none. */
int catalog_next_due(struct catalog *catalog, int64_t *due, struct err *err)
    __attribute__((warn_unused_result));
/* Makes running games due at once, even by a clock that is put back: those of a player, or all (NULL). */
int catalog_wake(struct catalog *catalog, const char *player, struct err *err)
    __attribute__((warn_unused_result));
/* What is known of the rounds of work; all 0 and "" in a new catalog. */
struct catalog_clock {
    int64_t done;   /* when the last round was completed, so all mail had been read */
    int64_t usual;  /* about how long it is from one to the next */
    int64_t rhythm; /* seconds that rounds have been apart lately, at most; 0 = not known */
    int64_t waits;  /* when the oldest mail arrived that the last round left in the mailbox; 0 = none */
    int64_t deaf;   /* the first round since then whose mailbox could not be read; 0 = none */
    int64_t tried;  /* the last of these */
    char why[201];  /* what was wrong in it */
};
int catalog_clock(struct catalog *catalog, struct catalog_clock *clock, struct err *err)
    __attribute__((warn_unused_result));
int catalog_set_clock(struct catalog *catalog, const struct catalog_clock *clock, struct err *err)
    __attribute__((warn_unused_result));
/* Pauses between two rounds, in order of time (league/usual.h). */
struct catalog_pause {
    int64_t from, to;
    bool outage; /* not a usual one */
};
int catalog_put_pause(struct catalog *catalog, const struct catalog_pause *pause, struct err *err)
    __attribute__((warn_unused_result));
int catalog_each_pause(struct catalog *catalog, void (*each)(void *arg, const struct catalog_pause *pause),
                       void *arg, struct err *err) __attribute__((warn_unused_result));
/* Forgets those that ended before `from`, outages before `outages_from`. */
int catalog_keep_pauses(struct catalog *catalog, int64_t from, int64_t outages_from, struct err *err)
    __attribute__((warn_unused_result));
/* Pauses that had begun by then ended then, if not before. */
int catalog_end_pauses(struct catalog *catalog, int64_t now, struct err *err)
    __attribute__((warn_unused_result));
int catalog_count_games(struct catalog *catalog, size_t *running, size_t *over, struct err *err)
    __attribute__((warn_unused_result));

/* How reliable a player is: turns that awaited them, those of them that they missed, seats that they
 * resigned. One row per game and player is stored, with the game; what is read is the sum over all games. */
struct catalog_tally {
    int64_t awaited, missed, resigned;
};
int catalog_put_tally(struct catalog *catalog, const char *game, const char *player,
                      const struct catalog_tally *tally, struct err *err) __attribute__((warn_unused_result));
int catalog_reliability(struct catalog *catalog, const char *player, struct catalog_tally *sum,
                        struct err *err) __attribute__((warn_unused_result));

/* Mails that led to no record (help, errors): by digest, so that the same mail is answered once. Old entries
 * are forgotten by catalog_tidy. */
int catalog_seen(struct catalog *catalog, const unsigned char digest[32], bool *seen, struct err *err)
    __attribute__((warn_unused_result));
int catalog_see(struct catalog *catalog, const unsigned char digest[32], int64_t now, struct err *err)
    __attribute__((warn_unused_result));

/* Mails that failed when they were worked on, and games whose clock did, though the league is working
 * (batch/stuck.h): they are skipped, and tried again later. */
enum catalog_stuck_state {
    STUCK_WAITS,  /* tried again at `next`, or at once by another program */
    STUCK_GIVEN,  /* in the mailbox of failed mails; when it is found among the others again, somebody put it
                     there, and it counts as new; `next` is when it was given up, 0 = its game has been looked
                     at since */
    STUCK_OVER,   /* it has been tried for long enough: its sender is told, and it is moved */
    STUCK_UNTOLD, /* that has failed too: it is moved silently */
    STUCK_GAME,   /* not a mail but a game, by the digest of its name */
    STUCK_PLAYER  /* neither: a player whose file cannot be read (batch/absent.h); `next` is when that ended,
                   * 0 = it has not */
};
struct catalog_stuck {
    unsigned char digest[32];
    enum catalog_stuck_state state;
    int64_t first, next; /* when it failed first; when it is tried again */
    int tries;
    char program[17];          /* which program it failed in (program_print) */
    char player[CATALOG_NAME]; /* the player whose key signed it; "" = none */
    char game[CATALOG_NAME];   /* that it has orders for, or that is stuck itself; "" = none */
    int turn;                  /* of the orders; 0 = none */
    char words[201];           /* what went wrong */
    bool told;                 /* the moderators, of a game */
};
int catalog_put_stuck(struct catalog *catalog, const struct catalog_stuck *stuck, struct err *err)
    __attribute__((warn_unused_result));
int catalog_get_stuck(struct catalog *catalog, const unsigned char digest[32], struct catalog_stuck *stuck,
                      bool *found, struct err *err) __attribute__((warn_unused_result));
int catalog_drop_stuck(struct catalog *catalog, const unsigned char digest[32], struct err *err)
    __attribute__((warn_unused_result));
/* In the order of their digests; as catalog_each_game. */
int catalog_each_stuck(struct catalog *catalog,
                       int (*each)(void *arg, const struct catalog_stuck *stuck, struct err *err), void *arg,
                       struct err *err) __attribute__((warn_unused_result));
/* Replaces `name` by the next name at any seat, CATALOG_FREE among them. Begin with
 * "". */
int catalog_next_player(struct catalog *catalog, char name[CATALOG_NAME], bool *found, struct err *err)
    __attribute__((warn_unused_result));
/* Moves a game's next time of work to `due` if it is earlier, so that others come first. */
int catalog_defer(struct catalog *catalog, const char *game, int64_t due, struct err *err)
    __attribute__((warn_unused_result));

/* What the registry's journal has marked: mails and texts that were obeyed, by digest, with the time of their
 * record. A cache of that journal: complete up to record `seq`, for records made at `from` or later. */
struct catalog_marks {
    int64_t seq, from;
};
int catalog_marks(struct catalog *catalog, struct catalog_marks *marks, struct err *err)
    __attribute__((warn_unused_result));
/* Within a transaction, together with the marks that make it true. */
int catalog_set_marks(struct catalog *catalog, const struct catalog_marks *marks, struct err *err)
    __attribute__((warn_unused_result));
int catalog_mark(struct catalog *catalog, const unsigned char digest[32], int64_t time, struct err *err)
    __attribute__((warn_unused_result));
int catalog_marked(struct catalog *catalog, const unsigned char digest[32], bool *marked, struct err *err)
    __attribute__((warn_unused_result));
/* Forgets those that are older than `from`, and sets it. */
int catalog_tidy_marks(struct catalog *catalog, int64_t from, struct err *err)
    __attribute__((warn_unused_result));

/* One more automatic reply to an address (case does not matter), on the day of `now` (UTC). */
struct catalog_reply {
    const char *address;
    int64_t now;
    int limit; /* replies a day */
};
/* Counts it if fewer than `limit` were given that day; *allowed says so. */
int catalog_budget(struct catalog *catalog, const struct catalog_reply *reply, bool *allowed, struct err *err)
    __attribute__((warn_unused_result));

/* How many were given on that day. */
int catalog_budget_given(struct catalog *catalog, const char *address, int64_t now, int *given,
                         struct err *err) __attribute__((warn_unused_result));

/* Bounces by player: the last one. catalog_bounce_add replaces the words and adds the counts to those
 * stored. */
struct catalog_bounce {
    char player[CATALOG_NAME];
    char mail[96]; /* the id of the mail that came back, "" if unknown */
    char status[16], words[201];
    int64_t when;
    int permanent, temporary; /* how many of each since the last catalog_bounce_clear */
};
int catalog_bounce_add(struct catalog *catalog, const struct catalog_bounce *bounce, struct err *err)
    __attribute__((warn_unused_result));
int catalog_bounce_clear(struct catalog *catalog, const char *player, struct err *err)
    __attribute__((warn_unused_result));
int catalog_get_bounce(struct catalog *catalog, const char *player, struct catalog_bounce *bounce,
                       bool *found, struct err *err) __attribute__((warn_unused_result));
int catalog_each_bounce(struct catalog *catalog,
                        int (*each)(void *arg, const struct catalog_bounce *bounce, struct err *err),
                        void *arg, struct err *err) __attribute__((warn_unused_result));

/* What happened to the mails, by their ids: kept for some weeks, for people who ask. */
enum catalog_delivery_state {
    DELIVERY_SENT,
    DELIVERY_LATER,
    DELIVERY_REFUSED, /* by our own server */
    DELIVERY_BOUNCED, /* sent, and came back */
    DELIVERY_EXPIRED, /* tried for too long */
    DELIVERY_DROPPED  /* not sent: a reminder and the like whose matter was past */
};
struct catalog_delivery {
    char mail[96];
    char player[CATALOG_NAME]; /* "" when it was no player's */
    enum catalog_delivery_state state;
    int64_t when;
    char words[201]; /* the server's */
};
/* Replaces what was known of this mail. A bounce of a mail without a player keeps the player that is
 * stored. */
int catalog_deliver(struct catalog *catalog, const struct catalog_delivery *delivery, struct err *err)
    __attribute__((warn_unused_result));
int catalog_get_delivery(struct catalog *catalog, const char *mail, struct catalog_delivery *delivery,
                         bool *found, struct err *err) __attribute__((warn_unused_result));
/* The last mails of a player, newest first, at most as many as there is room for. */
struct catalog_deliveries {
    struct catalog_delivery *list; /* the caller's, with room for `max` */
    size_t max, count;
};
int catalog_deliveries(struct catalog *catalog, const char *player, struct catalog_deliveries *mails,
                       struct err *err) __attribute__((warn_unused_result));

/* When a mail was sent last, also one that came back; 0 = none that is remembered. */
int catalog_last_sent(struct catalog *catalog, int64_t *time, struct err *err)
    __attribute__((warn_unused_result));

/* Which mails, in or out. */
struct catalog_wanted {
    int64_t since;      /* decided, or sent, at that time or later */
    const char *player; /* NULL = anybody's */
    const char *id;     /* NULL = any; else one of its names, exactly */
};
/* What became of mails, in the order of time; as catalog_each_game. `id` is the mail's own. */
int catalog_each_delivery(struct catalog *catalog, const struct catalog_wanted *wanted,
                          int (*each)(void *arg, const struct catalog_delivery *delivery, struct err *err),
                          void *arg, struct err *err) __attribute__((warn_unused_result));

/* The log of mails that came in, for the operator who is asked where one is: a line each, with what was
 * decided. It is written with the catalog's part of a commit: after a crash before that the mail comes again
 * and is known, so that its line may be missing or say only that, and never says what is not so. */
enum catalog_verdict {
    VERDICT_TAKEN = 1, /* something of it was done, or what it asked for was sent */
    VERDICT_REFUSED,   /* nothing was done, and its sender could mend it */
    VERDICT_IGNORED,   /* nothing was done, and nobody is to be told: lists, machines, mail that came back */
    VERDICT_WAITS,     /* it stays in the mailbox and is looked at again */
    VERDICT_GIVEN_UP   /* it failed for too long (batch/stuck.h) */
};
struct catalog_mail {
    unsigned char digest[32]; /* of the raw mail; its first 8 bytes are its name in `turnpost mail` */
    int64_t arrived, time;    /* at the server; when it was decided, or first found waiting */
    enum catalog_verdict verdict;
    bool of_player;            /* not a stranger's; also where `player` is left out */
    char sender[256];          /* the From address; "" = none, or it may not be told (grey press) */
    char player[CATALOG_NAME]; /* whose signature or, without one, whose address it has; "" as well */
    char subject[256];         /* likewise */
    char message_id[256];      /* likewise, without <> */
    char words[301];           /* what was decided about what of it, and why */
    char answer[96];           /* the id of the mail that answers it; "" = none */
    bool unanswered; /* nobody was answered who may wait for it: `words` say why (intake/silence.h) */
    bool weak;       /* says less than any line that there may be */
};
/* A line that is there stays as it is, unless it says that the mail waits or was given up, and the new one is
 * not weak. */
int catalog_log_mail(struct catalog *catalog, const struct catalog_mail *mail, struct err *err)
    __attribute__((warn_unused_result));
/* In the order of time; as catalog_each_game. `id` is the Message-ID, the name (16 hex digits), or the id of
 * the answer. */
int catalog_each_mail(struct catalog *catalog, const struct catalog_wanted *wanted,
                      int (*each)(void *arg, const struct catalog_mail *mail, struct err *err), void *arg,
                      struct err *err) __attribute__((warn_unused_result));
/* Forgets lines until all of them take at most `most` bytes: those of strangers first, then the oldest. */
int catalog_cap_mails(struct catalog *catalog, int64_t most, struct err *err)
    __attribute__((warn_unused_result));
/* Forgets those that were decided before. */
int catalog_tidy_mails(struct catalog *catalog, int64_t before, struct err *err)
    __attribute__((warn_unused_result));
/* Somebody who was a player. */
struct catalog_leaver {
    char player[CATALOG_NAME];
    char address[256], address2[256]; /* "" = none */
};
/* The next name after `name` that stands in the log, put in its place. Begin with "". */
int catalog_next_logged(struct catalog *catalog, char name[CATALOG_NAME], bool *found, struct err *err)
    __attribute__((warn_unused_result));
/* Forgets all mails from and to them, and whatever else names them or an address of theirs: bounces, networks,
 * budgets, mails that failed. The bytes are gone from the file after the next commit. Games keep their names. */
int catalog_erase_mails(struct catalog *catalog, const struct catalog_leaver *leaver, struct err *err)
    __attribute__((warn_unused_result));

/* Orders that the answer of a player to a mail of a game may have meant, until they agree
 * (intake/intake_reply.c); the last ones count. `lines` are orders, each with its LF. */
struct catalog_held {
    const char *player, *game;
    int seq; /* that they would have */
    const char *lines;
    int64_t time;
};
int catalog_hold(struct catalog *catalog, const struct catalog_held *held, struct err *err)
    __attribute__((warn_unused_result));
/* Appends the lines of that player and game; *seq is 0 when there are none. */
int catalog_get_held(struct catalog *catalog, const char *player, const char *game, int *seq,
                     struct str *lines, struct err *err) __attribute__((warn_unused_result));

/* A mail that was not understood, and was answered (batch/budget.h). One that is worked on again is not counted
 * twice. */
#define CATALOG_WORDS 32
struct catalog_unread {
    const char *who;                    /* a player, or the mailbox of a stranger */
    unsigned char mail[32], text[32];   /* digests: of the mail, of what was written in it */
    unsigned char words[CATALOG_WORDS]; /* a set: one bit for each of its words */
    int64_t time;                       /* when it is answered */
};
/* What is known of those before it. Alike are those that share half of their words. */
struct catalog_unreads {
    int same; /* how often the same text was answered in the hour before it */
    int day;  /* how many on that day (UTC) */
    /* Since something was understood: */
    int hour;      /* how many that are alike in the hour before it */
    int64_t until; /* those that are alike go unanswered until then; 0 = none has said so */
};
int catalog_find_unread(struct catalog *catalog, const struct catalog_unread *unread,
                        struct catalog_unreads *found, struct err *err) __attribute__((warn_unused_result));
/* Adds it. `until`: what its answer says, see above. */
int catalog_put_unread(struct catalog *catalog, const struct catalog_unread *unread, int64_t until,
                       struct err *err) __attribute__((warn_unused_result));
/* Something that they wrote was understood: those that are alike are counted from here on, and no pause holds. */
int catalog_past_unread(struct catalog *catalog, const char *who, struct err *err)
    __attribute__((warn_unused_result));

/* Where the signed mails of a player came from, and when they arrived, for the report on suspicion
 * (publish/suspicion.h): a keyed digest of the network, zeros when it is not known. */
#define CATALOG_PATH 16
int catalog_path(struct catalog *catalog, const char *player, int64_t time,
                 const unsigned char digest[CATALOG_PATH], struct err *err)
    __attribute__((warn_unused_result));
/* In the order of time; as catalog_each_game. */
int catalog_each_path(struct catalog *catalog, const char *player,
                      int (*each)(void *arg, int64_t time, const unsigned char digest[CATALOG_PATH],
                                  struct err *err),
                      void *arg, struct err *err) __attribute__((warn_unused_result));
/* How many players have sent mails from there. */
int catalog_path_users(struct catalog *catalog, const unsigned char digest[CATALOG_PATH], int64_t *users,
                       struct err *err) __attribute__((warn_unused_result));
/* Forgets those that came earlier. */
int catalog_tidy_paths(struct catalog *catalog, int64_t before, struct err *err)
    __attribute__((warn_unused_result));

/* Forgets what is older than `from`, and what counts for a day alone of the days before `now`. */
int catalog_tidy(struct catalog *catalog, int64_t now, int64_t from, struct err *err)
    __attribute__((warn_unused_result));

#endif
