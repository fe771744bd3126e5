/* A player of a league: players/<name>.json, written as a whole. Mail addresses are there and nowhere else (never in a game file). Keys
 * are in keys/<name>.pub (trust/keyring.h). */
#ifndef LEAGUE_PLAYER_H
#define LEAGUE_PLAYER_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "base/str.h"
#include "trust/key.h"

#define PLAYER_NAME     33
#define GAME_NAME       33
#define OPERATOR        "operator" /* `by` of the command line; no player has this name */
#define PLAYER_ADDRESS  255
#define PLAYER_ZONE     40
#define PLAYER_REMINDER 336 /* hours, at most */
#define PLAYER_MUTES    600
#define PLAYER_MORNING  7
#define PLAYER_DISPLAY  161                 /* bytes of 40 characters, and the NUL */
#define PLAYER_FILE     ((size_t)64 * 1024) /* bytes of a file, at most */

/* From the request until it is in force (petitions/rekey.h): a player's first key, and one in place of a lost one. */
#define REKEY_WAIT ((int64_t)7 * 86400)
/* The same of an address (petitions/moving.h), and of a player without a key who leaves. */
#define MOVE_WAIT  ((int64_t)7 * 86400)
#define LEAVE_WAIT ((int64_t)72 * 3600)

/* A key in place of a lost one, requested by a moderator, or a first one, and not in force yet. */
struct player_rekey {
    int64_t time; /* when it comes into force; 0 = there is none */
    int64_t asked;
    struct pubkey key;
    char by[PLAYER_NAME]; /* the moderator */
};

/* An address in place of another one, which is not in force before that time, nor before its mailbox has agreed. */
struct player_move {
    int64_t time; /* 0 = there is none */
    int64_t asked;
    char address[PLAYER_ADDRESS]; /* "" (second): none any more */
    bool second, agreed;
    char by[PLAYER_NAME]; /* the player, or a moderator */
};

#define PLAYER_VACATIONS 16

/* Days since 1970-01-01, both included, in the player's zone (play/deadline.h, player_zone). */
struct vacation {
    int64_t from, to;
};

struct player {
    char name[PLAYER_NAME]; /* name_valid() */
    char display
        [PLAYER_DISPLAY]; /* what they want to be called beside that: "José María"; "" = nothing else. In no game's file,
                                    * as it goes with them (league/display_name.c) */
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
    struct player_move move;
    int64_t leaves; /* when they are erased, as they have asked; 0 = they stay (petitions/moving.h) */
    int64_t leave_asked;
    int64_t banned;           /* since when no text of theirs counts, 0 = not banned (petitions/moderate.h) */
    int64_t standby;          /* since when they would stand in in any game, 0 = they would not */
    char mutes[PLAYER_MUTES]; /* whose press they do not want: "gc-17/bob any/carol" (play/press.h) */
    struct vacation vacations[PLAYER_VACATIONS]; /* in order; those of past years are forgotten */
    int vacation_count;
};

/* The defaults: what a document without further members means. */
void player_init(struct player *player);
/* Is it one of their two addresses? Case does not matter. */
bool player_has_address(const struct player *player, const char *address);
/* Where the answer to a mail from there goes: to their second address, if it is that, as nobody may read the first one; else to the first. */
const char *player_answer_address(const struct player *player, const char *from);
/* What a mail tells its reader, as far as their second address is concerned. */
enum player_hears {
    HEARS_NEWS,   /* of games and competitions */
    HEARS_DONE,   /* what came of a text of theirs */
    HEARS_ACCOUNT /* what becomes of their addresses and keys, whoever has asked for it */
};
/* The second address, where it is told, too; "" = there is none, or it is not told there. Who has stolen the first mailbox can drop
 * what comes there, so the second hears of all that concerns addresses and keys, and of players without a key of all that was
 * done in their name. */
const char *player_second(const struct player *player, enum player_hears what);
/* What was asked for from their mailbox and waits is void: a move, also a moderator's, their first key, and their leaving. */
void player_void_asked(struct player *player);

/* name_valid(), and none of the words that mean something else ("league", "all", "robot", ...). */
int player_name_check(const char *name, struct err *err) __attribute__((warn_unused_result));
/* The same for new players (league/player_name.c): no code of a seat ("p3",
 * "3", "seat2") either, and no word of the program or what looks like one ("m0derator"). */
int player_name_new(const char *name, struct err *err) __attribute__((warn_unused_result));
/* Takes a display name as it was written: marks joined with their letters, spaces folded. Letters of scripts that need no
 * further marks, digits, space, apostrophe, hyphen and full stop; at most 40 characters, at least one letter, and none of the
 * words that player_name_new refuses. It may resemble another one: mails and pages show the name beside it. */
int player_display_read(char display[PLAYER_DISPLAY], struct slice wish, struct err *err)
    __attribute__((warn_unused_result));
/* A name that is possible for what they want to be called: small letters without marks (utf8_plain), words joined by "-"; "" =
 * there is none in it. True: it is what they wrote, but for capital letters. */
bool player_name_suggest(char name[PLAYER_NAME], struct slice wish);
/* Do two names look alike? "bob" and "b0b", "anna" and "an-na", "mary" and "rnary". A name looks like itself.
 */
bool player_names_alike(const char *name, const char *other);
/* Is it what those are called who run the league, or looks like that? One word. */
bool player_name_office(const char *word);
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

#endif
