/* league.ini: one option table gives names, types, ranges, defaults, help, the commented file that `init`
 * writes, the checks and the documentation. Unknown keys, values out of range and lines longer than 180 bytes
 * are errors naming file, line, key. */
#ifndef LEAGUE_CONFIG_H
#define LEAGUE_CONFIG_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "base/str.h"
#include "mail/sink.h"
#include "mail/source.h"

enum league_trust { TRUST_SIGNED, TRUST_MAIL };
enum registration { REGISTRATION_INVITE, REGISTRATION_OPEN, REGISTRATION_CLOSED };
enum league_ratings { RATINGS_NO, RATINGS_SIGNED, RATINGS_MAIL };
enum config_detail { DETAIL_PLUS, DETAIL_DASH, DETAIL_LOW, DETAIL_EQUALS };
enum config_in { IN_MAILDIR, IN_IMAP };
enum config_store { STORE_FILES, STORE_POSTGRES };
enum config_pictures { PICTURES_NO, PICTURES_YES, PICTURES_AUTO }; /* AUTO until a league is opened */
enum config_synchronous { SYNCHRONOUS_NO, SYNCHRONOUS_YES, SYNCHRONOUS_STORAGE };

/* All strings are owned and never NULL ("" = not set). Paths are as written: relative ones are relative to
 * the league's folder. Members have the names of their options. */

/* [league] */
struct config_league {
    char *name;           /* "Orion League": the display name of the mails */
    char *address;        /* orders@example.org */
    char *contact;        /* a person's: an address, or the https or http link of a page; "" = none */
    char *timezone;       /* tz name */
    int64_t deadline;     /* default length of a turn, seconds */
    char *moderators;     /* names of players, separated by spaces */
    int missed_standby;   /* after this many missed turns in a row the seat is offered to others; 0 = never */
    int64_t standby_time; /* seconds that an offer is open */
    int missed_robot; /* after this many missed turns in a row the careful robot plays the seat; 0 = never */
    enum registration registration; /* invite | open | closed */
    enum league_trust trust;     /* signed | mail: whether a mail domain may vouch for players without keys */
    char *own_domains;           /* whose word counts for nothing, besides that of `address`; by spaces */
    char *shared_domains;        /* where anybody can have a mailbox; by spaces */
    int64_t token_expire;        /* seconds for which invitations and confirmations are valid */
    int player_invites;          /* that a player may make in a month */
    int player_games;            /* that have not begun, of a player who opens one more */
    enum league_ratings ratings; /* no | signed | mail: which games count */
    char *page_url;              /* where the order page is served (league/page_url.h); "" = there is none */
    int page_verified; /* 0, 1: passkeys that it makes have to verify whose hand they are in, each time */
    char *anchors;     /* robots' fixed ratings: "robot1 25 1, robot2 20 1" (compete/results.h) */
};

/* [clock] */
struct config_clock {
    /* for new games, unless they are made with others */
    char *schedule; /* league/schedule.h; "" = turns of [league] deadline */
    int64_t grace, minimum, second_thoughts;
    int early, typo_wait, weekends_off; /* 0, 1 */
    char *holidays, *holidays_file;
    int vote;          /* per cent */
    int64_t extension; /* 0 = none */
    /* of all games */
    int64_t reminder; /* 0 = none */
    int64_t answer;   /* for how long seats are kept for players who were asked */
    int vacation;     /* days a year */
    int valve;        /* per cent */
    int64_t hold;     /* 0 = until a moderator decides */
    int64_t outage;   /* 0 = never looked for */
    char *works;      /* the hours of the host (league/usual.h); "" = learnt */
};

/* [witness] */
struct config_witness {
    char *defaults; /* names of keys/witnesses, for games that are made without --witness; "" = none */
    char *ca_file; /* for those whom league.policy names with a URL (league/cosigning.h); "" = the system's */
    char *league, *policy; /* of another league (commands/witness.c) */
};

/* A mail server, in either section. */
struct config_server {
    char *host;
    int port; /* 0 = the usual one, by tls: 993 or 143 for IMAP, 465 or 587 for SMTP */
    enum tls_mode tls;
    char *user, *ca_file;
    char *password_command, *password_file, *password_env, *token_command;
    int timeout;
};

/* [incoming] */
struct config_incoming {
    enum config_in type; /* maildir | imap */
    char *maildir;
    struct config_server server; /* imap, as what follows up to poll */
    char *mailbox, *processed, *rejected, *failed;
    int poll;                  /* seconds */
    enum config_detail detail; /* + | - | _ | =: between an address and what the server leaves to us */
    char *authserv;            /* whose Authentication-Results count; "" = no server's */
};

/* [dns]: where the keys of mails' domains are asked for */
struct config_dns {
    char *server;   /* "192.0.2.1", "192.0.2.1@5353"; "" = those of the host */
    char *root_key; /* a file with the key of the DNS root; "" = nothing is proved */
    int timeout;    /* seconds */
};

/* [outgoing] */
struct config_outgoing {
    enum sink_kind type; /* maildir | sendmail | smtp */
    char *maildir, *sendmail;
    struct config_server server; /* smtp; sendmail has the timeout, too */
    int connections;             /* smtp */
    char *bounce_address; /* envelope sender of reports, "+token" is put in; "" = the null sender for all mail
                           */
    int64_t expire;       /* seconds after which an undelivered mail is given up */
    int pictures;         /* enum config_pictures */
};

/* [store]: where the league's files are kept (league/shared.h) */
struct config_place {
    enum config_store type; /* files | postgres */
    char *database, *schema;
    char *password_command, *password_file, *password_env;
    int lease;       /* seconds */
    int synchronous; /* enum config_synchronous */
};

/* [site] */
struct config_site {
    char *folder; /* "" = no site is written */
    char *url;    /* where it is served, for feeds and previews of links; "" = not known */
    int awaited;  /* 0, 1: pages say whose orders are missing */
};

/* [status]: when `turnpost status` says that something is too old; seconds */
struct config_status {
    int64_t round;   /* the last round of work; 0 = by what is usual here */
    int64_t mailbox; /* how long it may be out of reach */
    int64_t waiting; /* the oldest mail in the mailbox, or in the spool */
    int64_t sent;    /* the last mail that was sent; 0 = any */
};

/* [limits] */
struct config_limits {
    int64_t mail_size;     /* bytes */
    int replies_per_day;   /* automatic replies to one registered address */
    int stranger_replies;  /* the same for an unknown address */
    int strangers_per_day; /* for all unknown addresses together */
    int changes_per_day;   /* records of the registry that one player causes by mail; a moderator ten times */
    int players_per_domain; /* without a key, at one domain that is not in shared_domains; 0 = any number */
    int64_t paths;          /* seconds that networks of mails are remembered; 0 = never */
    int64_t mail_log;       /* seconds that the log of mails goes back; 0 = there is none */
    int64_t mail_log_size;  /* bytes of it, about */
    int press_per_turn;     /* messages of a seat in a turn */
    int64_t press_size;     /* bytes of one */
    int sandbox;            /* 0, 1: the processes that read mail give up rights that they do not need */
};

struct config {
    struct config_league league;
    struct config_clock clock;
    struct config_witness witness;
    struct config_incoming incoming;
    struct config_outgoing outgoing;
    struct config_dns dns;
    struct config_place store;
    struct config_site site;
    struct config_status status;
    struct config_limits limits;
};

int config_load(const char *path, struct config *config, struct err *err) __attribute__((warn_unused_result));
void config_release(struct config *config);
/* The character of [incoming] detail. */
char config_detail(const struct config *config);
/* Can anybody have a mailbox at this domain, or the one above it ([league] shared_domains)? */
bool config_shares(const struct config *config, const char *domain);
/* Is this player one of the moderators? */
bool config_moderator(const struct config *config, const char *player);
/* The file that `init` writes: every option with its help, range and default, commented out where the default
 * is fine. */
void config_sample(struct str *out, const char *name, const char *address);
/* Where a set of options says that a secret is; the first of the three that is set counts ("" or NULL: not
 * set). */
struct config_secret {
    const char *what;    /* the option, for errors */
    const char *command; /* run by /bin/sh -c, first line of its output */
    const char *file;    /* must be private */
    const char *env;     /* the name of a variable */
};
/* Reads it. *secret stays NULL when none is set; the caller wipes and frees it. A command has 60 seconds.
 * ERR_CONFIG says what to do. */
int config_secret(const struct config_secret *where, char **secret, struct err *err)
    __attribute__((warn_unused_result));

#endif
