/* Players of a league: players/<name>.json, one file a player, written as a whole. Mail addresses are here
 * and nowhere else (never in a game file). Keys are in keys/<name>.pub (trust/keyring.h). */
#ifndef LEAGUE_REGISTRY_H
#define LEAGUE_REGISTRY_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/str.h"
#include "league/page_url.h"
#include "trust/key.h"

#define PLAYER_NAME     33
#define GAME_NAME       33
#define OPERATOR        "operator" /* `by` of the command line; no player has this name */
#define PLAYER_ADDRESS  255
#define PLAYER_ZONE     40
#define PLAYER_REMINDER 336 /* hours, at most */
#define PLAYER_MUTES    600
#define PLAYER_MORNING  7

#define REKEY_WAIT ((int64_t)48 * 3600) /* from the request until it is in force (petitions/rekey.h) */

/* A key in place of a lost one, requested by a moderator and not in force yet. */
struct player_rekey {
    int64_t time; /* when it comes into force; 0 = there is none */
    struct pubkey key;
    char by[PLAYER_NAME]; /* the moderator */
};

#define PLAYER_VACATIONS 16

/* Days since 1970-01-01, both included, in the player's zone (play/deadline.h, player_zone). */
struct vacation {
    int64_t from, to;
};

struct player {
    char name[PLAYER_NAME];        /* name_valid() */
    char address[PLAYER_ADDRESS];  /* addr-spec, domain in lower case */
    char address2[PLAYER_ADDRESS]; /* a second one, "" = none: used when the first fails */
    bool by_mail;                  /* has no keys, and needs none: their mail domain vouches for them */
    bool html;                     /* wants HTML beside the text (default true) */
    bool no_pictures;              /* wants no pictures in them */
    bool json;                     /* wants view.json with every report */
    bool quiet;      /* wants none of the mails that need not be: reminders, news of a table that
                                      has not begun, reports of games that they only watch */
    bool each_move;  /* wants a report of each move, not only when they have to decide */
    bool is_public;  /* anybody may be told their history: results, ratings, opponents (compete/ratings.h) */
    bool digest;     /* wants one mail a day for many (batch/digest.h) */
    int digest_hour; /* by the clock of their zone, 0..23 (default PLAYER_MORNING) */
    int reminder_hours;     /* before a deadline; 0 = no reminder, -1 = as league.ini says */
    char zone[PLAYER_ZONE]; /* tz name for the times in their mails, "" = the league's */
    int64_t since;
    int invites, invite_month; /* invitations made in that month (12 * year + month - 1) */
    struct player_rekey rekey;
    int64_t banned;           /* since when no text of theirs counts, 0 = not banned (petitions/moderate.h) */
    int64_t standby;          /* since when they would stand in in any game, 0 = they would not */
    char mutes[PLAYER_MUTES]; /* whose press they do not want: "gc-17/bob any/carol" (play/press.h) */
    char witness[65];         /* the key of their dice, for witnesses (game/witness.h); hex */
    struct vacation vacations[PLAYER_VACATIONS]; /* in order; those of past years are forgotten */
    int vacation_count;
};

/* The defaults: what a document without further members means. */
void player_init(struct player *player);
/* Is it one of their two addresses? Case does not matter. */
bool player_has_address(const struct player *player, const char *address);

/* name_valid(), and none of the words that mean something else ("league", "all", "robot", ...). */
int player_name_check(const char *name, struct err *err) __attribute__((warn_unused_result));
/* The same for new players (league/player_name.c): no code of a seat ("p3",
 * "3", "seat2") either, and no word of the program or what looks like one ("m0derator"). Players whom an
 * older Turnpost accepted under such a name keep it. */
int player_name_new(const char *name, struct err *err) __attribute__((warn_unused_result));
/* Do two names look alike? "bob" and "b0b", "anna" and "an-na", "mary" and "rnary". A name looks like itself.
 */
bool player_names_alike(const char *name, const char *other);
/* ERR_MISSING when there is no such player; ERR_BROKEN names the file. */
int player_load(const char *league_dir, const char *name, struct player *player, struct err *err)
    __attribute__((warn_unused_result));
/* The same from a document that is elsewhere; `what` names it in errors. */
int player_read(struct slice text, const char *name, const char *what, struct player *player, struct err *err)
    __attribute__((warn_unused_result));
int player_save(const char *league_dir, const struct player *player, struct err *err)
    __attribute__((warn_unused_result));
/* The document of players/<name>.json. NULL with ERR_INPUT when the address is not UTF-8. New reference. */
json_t *player_document(const struct player *player, struct err *err);
/* A plain address check (RFC 5321 atoms, no quoting, 3..254 bytes); lower-cases the domain in place. */
int address_check(char *address, struct err *err) __attribute__((warn_unused_result));
/* Does something in the text look like one: name@example.org, no matter whose? */
bool address_within(struct slice text);
/* Does this one, as a whole? Case does not matter; "" never does. */
bool address_stands(struct slice text, const char *address);

/* A file in players/ that belongs to no player, or cannot be read; its player is left out. */
struct registry_fault {
    char name[PLAYER_NAME]; /* "" = the file is not named after a player either */
    char why[320];          /* a sentence that names the file */
    enum err_code code;     /* ERR_NEWER; ERR_IO: it is there but cannot be read; ERR_MISSING: it is not
                             * there (registry_expect); else it is damaged */
    struct str bytes;       /* of the file, as far as they could be read: there may be an address in them */
};

/* All players by address, for finding whom a mail claims to be from; sorted. */
struct registry {
    struct player *players; /* sorted by name */
    size_t count;
    size_t *by_address; /* twice the index, and 1 for the second address; sorted by address */
    size_t address_count;
    struct registry_fault *faults;
    size_t fault_count;
    struct page_written page; /* the order page as it was written last */
};
/* A player's file that cannot be read is a fault, not an error. */
int registry_load(const char *league_dir, struct registry *registry, struct err *err)
    __attribute__((warn_unused_result));
void registry_release(struct registry *registry);
/* The fault of this player's file; NULL = there is none. */
const struct registry_fault *registry_damaged(const struct registry *registry, const char *name);
/* Is this address in a file that cannot be read? Then it may be that player's. */
bool registry_damaged_address(const struct registry *registry, const char *address);
/* Records that there ought to be a player of that name and there is no file, as a fault (ERR_MISSING).
 * `why` is a sentence that names the file. */
void registry_expect(struct registry *registry, const char *name, const char *why);
/* Adds a player or replaces the one of the same name. Pointers to players become invalid. */
void registry_put(struct registry *registry, const struct player *player);
/* Removes a player. */
void registry_remove(struct registry *registry, const char *name);
const struct player *registry_find(const struct registry *registry, const char *name);
/* The first player whose name looks like this one (player_names_alike) or equals it; NULL = none. */
const struct player *registry_alike(const struct registry *registry, const char *name);
/* By either address; case does not matter. Players who share one: the first by name. */
const struct player *registry_by_address(const struct registry *registry, const char *address);

#endif
