/* Whole leagues in one process and in virtual time, from one number (tests/sim/README.md): the program's own rounds, among people
 * who read only what was mailed to them, on a disk that tears, fails and forgets, behind servers that lose, double and lie.
 *
 *     sim SEED DAYS [name=value ...]
 *
 * The files are named in the README. */
#ifndef TESTS_SIM_SIM_H
#define TESTS_SIM_SIM_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <jansson.h>
#include <sodium.h>
#include <sys/types.h>

#include "base/err.h"
#include "base/str.h"
#include "batch/batch.h"
#include "chance/vrf.h"
#include "tlog/note.h"
#include "compete/competition.h"
#include "league/league.h"
#include "work/work.h"

/* ---- what fails (main.c) ---- */

/* One line on stdout, with the command that does it again; the process ends. */
void sim_red(const char *file, int line, const char *fmt, ...)
    __attribute__((noreturn, format(printf, 3, 4)));
/* What a process of the league's ends with, that is not the world's: what it has reached is counted. */
void sim_leave(int code) __attribute__((noreturn));
#define RED(...)           sim_red(__FILE__, __LINE__, __VA_ARGS__)
#define MUST(holds, ...)   ((holds) ? (void)0 : sim_red(__FILE__, __LINE__, __VA_ARGS__))
#define MUST_DO(call, err) MUST((call) == 0, "%s", (err).text)
/* tests/suite.h for headers of tests/house: what they assert is a red seed here. */
#define TESTS_SUITE_H
#define ck_assert_msg(...)     MUST(__VA_ARGS__)
#define ck_assert_int_eq(a, b) MUST((a) == (b), "%s is not %s", #a, #b)
#define ck_ok(call, err)       MUST_DO(call, err)

/* ---- luck (main.c) ---- */

/* Dice follow from the seed and from a name, of who rolls them and what for, so that an event that is left out changes no other. */
struct dice {
    uint64_t state;
};
struct dice dice(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
unsigned roll(struct dice *dice, unsigned n); /* 0 .. n-1 */
bool chance(struct dice *dice, unsigned per_mille);
/* An event has come up: false, if it is on the list of those that are left out (skip=). Its name goes into the trace. */
bool happens(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/* ---- features: each seed has some of them, and so has each act of people and office (main.c) ---- */

#define FEATURES(X) \
    X(crash)        \
    X(power)        \
    X(eio)          \
    X(enospc)       \
    X(late)         \
    X(lost)         \
    X(copies)       \
    X(dns)          \
    X(smtp)         \
    X(outage)       \
    X(clock)        \
    X(daemon)       \
    X(zone)         \
    X(keyless)      \
    X(keyed)        \
    X(thoughts)     \
    X(rules)        \
    X(cups)         \
    X(stale)        \
    X(site)         \
    X(spoilt)       \
    X(frames)       \
    X(invited) X(witness) X(secret) X(restore) X(dates) X(unread) X(slips) X(deaf) X(bounces) X(faulty)
/* What a seed has or has not, each by its name: features, acts, deeds, troubles between hosts. A row of `names` begins with its name. */
struct switches {
    const char *kind;
    const void *names;
    size_t row, count;
    unsigned from, below; /* on, where a die of a thousand shows this */
    bool *on;
};
#define FEATURE_ID(name) F_##name,
enum feature { FEATURES(FEATURE_ID) FEATURE_COUNT };

/* ---- the world (main.c) ---- */

#define PEOPLE_MOST 8
#define GAMES_MOST  400
#define SPOILT_MOST 8
struct mail_kept { /* in a file: a league's people get many */
    off_t at;
    size_t len;
    bool own; /* a copy of what they sent */
};
struct person {
    char name[PLAYER_NAME], address[64];
    bool keyed, player, gone, rules,
        witness; /* has a key; is registered, as the league has said; has left; moderates; lends dice */
    unsigned char vrf_secret[VRF_SECRET], vrf_public[VRF_PUBLIC]; /* of those */
    struct secret cosigner;                                       /* and of what they cosign */
    struct vkey vkey;
    bool lost, has_spare; /* has lost their key, and asks for the new one; has one that is not in force yet */
    bool signify;         /* signs with that */
    bool unreminded;      /* has once asked for no reminders, or for no mails */
    bool had_key, later, asked; /* had another one before; the spare one signs later, and has been asked to */
    struct secret key, spare, old;
    char game[GAME_NAME], free[GAME_NAME]; /* of which they have heard last; with a free seat */
    struct mail_kept *mails;
    size_t count, cap, read;
    json_t *seen;  /* ids of mails that they have read: what comes twice is looked at once */
    unsigned zeal; /* per mille */
    int missed;    /* days that their mail is not read by them */
    int64_t spoilt_from[SPOILT_MOST], spoilt_until[SPOILT_MOST]; /* when their file could not be read, */
    int spoilt;                                                  /* so many times */
    bool reached; /* when it was spoilt last, it had the address that they write from */
};
struct world {
    unsigned char master[32]; /* the league's, by which the judge opens boxes */
    uint64_t seed;
    long days, minutes, audit; /* a round is so many minutes; all journals are audited every so many rounds */
    bool on[FEATURE_COUNT], calm; /* calm: nothing goes wrong any more, for the last days */
    int64_t ms;                   /* virtual milliseconds since 1970 */
    int64_t wrong;                /* seconds by which the host's clock is ahead */
    long round, disturbed;        /* so many, one after the other, have died or failed */
    char dir[100], outbox[110], print[KEY_FINGERPRINT]; /* of the league's key, which is on its page */
    char cup[COMPETE_NAME]; /* the newest competition, of which all have heard; "" */
    struct league league;
    struct batch batch;
    bool open;              /* these two */
    bool spoilt;            /* a player's file cannot be read */
    char unread[60];        /* a game's journal that cannot; "" = none. It is */
    struct str unread_is;   /* this */
    bool unread_gone;       /* it is not there, with its folder, */
    bool was_gone;          /* or was once */
    bool relogged;          /* a log has begun that follows another one */
    int64_t unread_until;   /* what waited then is still tried now and then, for a day */
    bool locked;            /* a secret of the league's is wrong */
    bool deaf;              /* the mail server does not answer */
    int64_t nameless_until; /* nor do name servers */
    unsigned char key[32];  /* the league's, on its page as well */
    struct person person[PEOPLE_MOST];
    long people, games_wanted, verbose, bustle; /* how much more often than the tables say things happen */
    char game[GAMES_MOST][GAME_NAME];
    int games;
    struct str lost;  /* " g3 g4 ": games that a copy did not have */
    char lately[200]; /* what has gone wrong last, for whoever reads a red line */
    FILE *trace;
};
extern struct world world;
/* Counts, in memory that forked processes share. */
struct counted {
    long rounds, crashes, lost_power, points, errors, sent, mails, orders, turns, receipts, audits, deeds,
        refused_deeds;
    bool had[FEATURE_COUNT]; /* what has come up at least once */
};
extern struct counted *counted;
/* Has one of these features come up, and not only been possible? */
bool world_had(const enum feature *which, size_t count);
#define HAD(...)                                   \
    world_had((const enum feature[]){__VA_ARGS__}, \
              sizeof((const enum feature[]){__VA_ARGS__}) / sizeof(enum feature))
int64_t now(void); /* the world's, whatever the host's clock says */
void tell(const char *fmt, ...) __attribute__((format(printf, 1, 2))); /* into the trace */
/* Where a text says that, NULL = it does not. Of what is looked for in our mails: it is noted whether any mail had it (SIM_SAYS), since
 * a check of words that no mail has any more cannot fail. */
const char *says(const char *text, const char *phrase);
int world_open(struct err *err)
    __attribute__((warn_unused_result)); /* the league and a batch, unless they are open */
void world_close(void);
void world_draws(uint64_t from); /* what the program draws begins there */
/* A round, as `turnpost run` and `daemon` do it. */
int world_round(struct work_sum *sum, struct err *err) __attribute__((warn_unused_result));
/* A command of the program in a process of its own; words end with NULL. Its exit code. */
int world_command(int (*command)(int argc, char **argv), const char *const *words);
char *world_path(const char *fmt, ...)
    __attribute__((format(printf, 1, 2))); /* in the league's folder; the caller frees */
/* A file of the league's folder, if it is there. */
void world_slurp(struct str *out, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void world_shell(const char *fmt, ...) __attribute__((format(printf, 1, 2))); /* past the disk's faults */
void world_recount(void); /* which games there are, after some have gone */

/* Adds a text, and for each name in its braces what `value` has for that; false: of some it has nothing. */
typedef bool brace_value(void *arg, struct str *out, const char *name);
bool fill_braces(struct str *out, const char *text, brace_value *value, void *arg);

/* ---- the disk (disk.c): all calls that change files ---- */

struct disk {
    enum {
        DISK_GOOD,
        DISK_DIES,
        DISK_FAILS,
        DISK_IDLE
    } mode;      /* DISK_IDLE: nothing is to be changed, nor synced */
    long chosen; /* the call at which it does */
    bool torn;   /* ... and of a write at it a part is done */
    bool power;  /* DISK_DIES: what was not synced may be lost */
    int error;   /* DISK_FAILS: errno, */
    bool stays;  /* and of all later calls */
    long points, failed;
    struct dice dice;
};
extern struct disk disk;
void disk_open(const char *root); /* a folder; beside it is made the place for what was replaced */
void disk_forget(void);           /* all is synced */
#define DISK_DIED 77              /* the exit code of a process that died so */
/* Past the disk's faults: for the world itself. */
void raw_append(const char *path, struct slice bytes);
void raw_file(const char *path, struct slice bytes, int64_t time);

/* ---- the post (post.c): mail to the league and from it; name servers ---- */

extern struct domain post_domain; /* that signs the mails of people without keys */
void post_open(void);
void post_send(struct person *from, const char *event, struct slice raw); /* CRLF at the ends of lines */
void post_deliver(void); /* what has arrived, into the mailbox */
void post_fetch(void);   /* what has left, to its readers */
void post_keep(struct person *person, struct slice raw, bool own);
void post_read(const struct mail_kept *mail,
               struct str *raw); /* LF at the ends of lines; the caller releases it */
void post_hold_back(void);       /* all but one mail in the mailbox, until the next delivery */

/* ---- people (people.h) ---- */

struct written {
    char id[40], who[PLAYER_NAME], game[GAME_NAME];
    int turn;                 /* of its orders */
    int64_t at;               /* when it came into the league's mailbox first */
    bool received, unchanged; /* the league says that it counts; that it has changed nothing, */
    bool late;                /* that its turn was played before it came; */
    char said[64];            /* by this subject, */
    int64_t heard;            /* then */
    int64_t
        waits; /* that it waits for its domain's key, by a mail that left in the round of this time; 0: not said */
    unsigned char digest[32];
};
extern struct written *written;
extern size_t written_count;
extern const struct switches people_acts;
void people_begin(void);
const char *people_odd(struct dice *luck); /* a word that nobody expects */
void people_forget(int64_t since);         /* what the league said since then is not so any more */
void people_act(void);
void people_new_key(struct person *person,
                    struct str *out); /* one that they have from now on; its public half */

/* ---- the office (office.c): operator and moderators ---- */

extern const struct switches office_deeds;
void office_act(void);
void office_pauses(struct dice *luck);

/* ---- several hosts (hosts.c) ---- */

extern const struct switches hosts_troubles;
extern long hosts;     /* how many there are; 0: the league is in files */
bool hosts_many(void); /* does the league live on several? Then, */
void hosts_open(void);
bool hosts_round(void); /* in place of a round: all they do in that time; true: in which nothing went wrong */
void hosts_end(void);
bool hosts_sleep(int64_t ms); /* false: it is no host that does */
void hosts_sends(void);       /* a mail */

/* ---- the judge (judge.c, judge_log.c) ---- */

void judge_round(const struct work_sum *sum, int rc, const struct err *err); /* of a round without a fault */
void judge_sometimes(bool undisturbed); /* after a round without a fault more is looked at */
void judge_now(void);
void judge_lost(int i, const struct str *raw); /* a mail to that person that a server has refused for good */
void judge_end(void);
bool mail_field(const struct str *raw, const char *name, char *out, size_t size);

void judge_log(
    bool whole); /* the league's log, when nothing is half done; `whole`: each journal can be read, too */
void judge_log_mail(const char *who, const struct str *raw); /* the proofs in it */
/* A checkpoint that anyone may have read. `torn`: power has failed, so the file may end before its signature does, and is none then.
 * Was it one? */
bool judge_log_shown(const char *path, bool torn);
void judge_log_restored(void); /* an older copy was put back */

#endif
