/* A league: a folder with its configuration, keys, players, games and mail.
 *
 *   league.ini            options (league/config.h)
 *   keys/league.pub       the league's public key (OpenSSH line)
 *   keys/<player>.pub     the keys of a player
 *   keys/secret/league    signs records and heads (OpenSSH, 0600)
 *   keys/secret/vrf       64 hex digits (0600); keys/secret/master likewise
 *   registry/page.json    the order page as it was written last (league/page_url.h)
 *   players/<name>.json   games/<id>/   spool/   mail/in   mail/out   catalog.sqlite   lock
 *   pictures              of boards, for mails (picture/pictures.h): can be removed at any time
 *   backups               when backups were made, and where (commands/backup_log.h)
 */
#ifndef LEAGUE_LEAGUE_H
#define LEAGUE_LEAGUE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "chance/vrf.h"
#include "journal/store.h"
#include "league/config.h"
#include "league/schedule.h"
#include "trust/secret.h"

#define LEAGUE_LIFE 18
/* A word that `restore` writes. The numbers of records that were lost come again, and with them the ids of mails
 * (mail/mail_id.h): so since then the word is in front of the domain of each Message-ID. */
#define LEAGUE_LIFE_FILE "registry/life"
int league_new_life(const char *dir, struct err *err) __attribute__((warn_unused_result));

struct at_hands;
struct cluster;
struct resolver;
struct batch;
struct league {
    char *dir;
    struct config config;
    /* These three are locked in memory (base/private.h) where the keys were read: do not copy them. */
    struct secret key; /* signs records and heads */
    unsigned char vrf_secret[VRF_SECRET];
    unsigned char master[32]; /* seals are derived from it */
    unsigned char vrf_public[VRF_PUBLIC];
    char life[LEAGUE_LIFE]; /* tells mails since a restore from those before it; "" = it was never restored */
    int lock;               /* -1 when opened for reading only */
    struct cluster
        *cluster; /* league/shared.h; NULL = the files are its own, or it was opened for reading only */
    struct at_hands *hands;    /* batch/at_hand.h; NULL = not recorded. Borrowed */
    struct resolver *resolver; /* dns/resolver.h; NULL = no domain is asked about. Borrowed */
    /* The player whose file and keys a command is about to repair, so that their damage is not reported; NULL
     * = none. Borrowed */
    const char *mends_file, *mends_keys;
    /* What else is to be done between two batches (commands/queue.h); NULL = nothing. An error ends the work. */
    int (*between)(struct batch *batch, struct err *err);
    /* What is done once a competition has closed (commands/season_audit.h); NULL = nothing. */
    void (*closed)(const struct league *league, const char *competition);
    int painter; /* a socket to the program that paints pictures (picture/painter.h); -1 = there is none */
    int helper;  /* the process that runs commands for it (league/helper.h); -1 = this process */
};

/* Makes a league in `dir` (which must not hold one): folders, keys, league.ini. A new or empty folder is made private.
 * ERR_INPUT when something is in the way. */
int league_init(const char *dir, const char *name, const char *address, struct err *err)
    __attribute__((warn_unused_result));
/* Opens one; with `work` true it takes the lock (ERR_TEMP when another process works), that of all hosts as well
 * where it is shared (ERR_STALE when another host has it), and needs the secret keys, which must be private
 * (ERR_CONFIG). Without, nothing secret is read. Options that name files are
 * resolved against the league's folder. Sets the process's time zone. ERR_MISSING when there is no league. */
int league_open(const char *dir, bool work, struct league *league, struct err *err)
    __attribute__((warn_unused_result));
/* As with `work`, of a copy that is no host's league yet: its files alone, whatever [store] says. */
int league_open_copy(const char *dir, struct league *league, struct err *err)
    __attribute__((warn_unused_result));
/* Reads the secret keys into a league that was opened without work, as league_open with work does, but
 * without the lock: for checks beside a running daemon. */
int league_keys(struct league *league, struct err *err) __attribute__((warn_unused_result));
void league_close(struct league *league);
/* Takes the lock of this host alone, for a league that was opened for reading. ERR_TEMP. */
int league_lock(struct league *league, struct err *err) __attribute__((warn_unused_result));
/* The key of the seals of the league in this folder, and of the one that this journal, DIR/games/NAME/journal.jsonl, is of:
 * if this user may read it. */
bool league_master(const char *dir, unsigned char master[32]) __attribute__((warn_unused_result));
bool league_master_of(const char *journal, unsigned char master[32]) __attribute__((warn_unused_result));
/* Its games, whose boxes open if that key may be read. The caller closes the store. */
struct store *league_games(const struct league *league) __attribute__((returns_nonnull, warn_unused_result));
/* "SHA256:...", the fingerprint of the key that signs: what texts that concern no game have in their line
 * "league:".
 */
void league_fingerprint(const struct league *league, char print[KEY_FINGERPRINT]);
/* <dir>/<name>; absolute names stay. The caller frees. */
char *league_path(const struct league *league, const char *name) __attribute__((warn_unused_result));
/* The clock of a new game according to league.ini: [clock], and [league] deadline and timezone. */
int league_clock(const struct league *league, struct schedule *schedule, struct err *err)
    __attribute__((warn_unused_result));
/* The secret of the server of one side, NULL if none is named; the caller wipes and frees it. Asks the
 * helper, if there is one. */
enum league_side { LEAGUE_INCOMING, LEAGUE_OUTGOING };
int league_secret(const struct league *league, enum league_side side, char **secret, struct err *err)
    __attribute__((warn_unused_result));
/* The server of one side, for sides that are on one: borrowed from the league and from *secret, which the
 * caller wipes and frees. */
int league_server(const struct league *league, enum league_side side, struct server *server, char **secret,
                  struct err *err) __attribute__((warn_unused_result));
/* What the incoming and outgoing settings mean: opens the source; fills the sink (strings borrowed from
 * league and from *secret, which the caller wipes and frees after use). */
int league_source(const struct league *league, struct source **out, struct err *err)
    __attribute__((warn_unused_result));
/* Mails that were dealt with go back into the mailbox: *count of them. */
int league_take_back(const struct league *league, const struct take_back *what, size_t *count,
                     struct err *err) __attribute__((warn_unused_result));
int league_sink(const struct league *league, struct sink *sink, char **secret, struct err *err)
    __attribute__((warn_unused_result));

#endif
