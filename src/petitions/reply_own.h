/* What players without keys ask for in a mail of their own about themselves, about games that they make, or for files of games that
 * are over: a word, what it is about, and lines of the text that it stands for below it.
 *
 *     mute bob         rematch gc-1       open galaxy-command
 *     name José María  journal gc-1       seats: anna, bob, robot
 *
 * (petitions/reply_petition.h has what is about a seat.) */
#ifndef PETITIONS_REPLY_OWN_H
#define PETITIONS_REPLY_OWN_H

#include "petitions/petition.h"
#include "petitions/reply_petition.h"

enum own_manner {
    OWN_AT_ONCE, /* it is done where the mail was written to us, else asked about */
    OWN_ASKED,   /* "ok" to a question does it */
    OWN_BOUND    /* "ok" and a word, as there is no way back */
};

/* A wish as it is kept until its "ok": "open\nruleset: galaxy-command\nseats: anna, bob, robot\n", "rematch gc-1\n". */
struct own_wish {
    const char *word; /* "open": the first one; of the program */
    const struct petition *petition;
    enum own_manner manner;
    char game[GAME_NAME]; /* "": it names none; "any": all */
    bool
        recorded; /* in that game, so that the mail that does it has to name a head of it: it is always asked about */
};

/* Does the line begin one? Lines below it may have to make it whole. */
bool reply_own_begins(struct slice line);
/* Is it the word alone of something that is about a game that has begun or is over, as "rematch"? */
bool reply_own_lacks_game(struct slice line);
/* Is it one? Appends the wish; `below`: what else was typed, of which lines of that text are taken. */
bool reply_own_read(struct str *held, struct slice line, struct slice below, struct own_wish *wish);
/* The words that begin one, from 0 on; NULL: there are no more. */
const char *reply_own_word(size_t i);
/* What a wish that was kept is; false: no wish. */
bool reply_own_parse(struct slice held, struct own_wish *wish);
/* The text that it stands for, in canonical form. `about->game`: the game that it names, NULL: none. */
void reply_own_text(struct str *out, struct slice held, const struct own_wish *wish,
                    const struct reply_about *about);
/* Its lines, for the question: [{"line"}]. New reference. */
json_t *reply_own_lines(struct slice held);

/* How a player without a key says what the petition says, "join gc-17"; NULL: it takes a key. The players' page has
 * the table of it. */
const char *petition_said(const struct petition *petition);

#endif
