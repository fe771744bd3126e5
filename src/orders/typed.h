/* What a person means who types into an answer to our mail (mail/reply.h): orders, a command, a message to
 * others, or nothing. Version 1.
 *
 * Every line has to be one of those below; if one is not, or if two do not go together, the whole is
 * TYPED_UNSURE and nothing of it may be stored: the answer shows what was understood, and asks. Pure: the
 * text, the player's games with their languages and suggestions, and the player's names.
 *
 * An order here is what the language reads as one. "Build trust with bob" is, until the game finds words left
 * over: whoever stores orders plays them on trial first, and asks where a line is refused for that.
 *
 *     line     := [bullet] [game ":"] what        "gc-1: build", for digests; "gc-1:" alone: for lines below
 *     what     := order | command | question | press | number | form | final | wish | greeting | nothing
 *     order    := a line of the game's order language (script.h) that begins with an order word in full; no
 *                 other verb in it cut short, no ";", no "?", no TURN
 *     command  := OK [word] | UNDO | STOP | JOIN | VACATION ... | DIGEST ... | EXTEND [word]
 *     question := SHOW [game] | HELP [word] | RULES [word] | STATUS [word] | DEADLINE [game]; SHOW is also MAP,
 *                 BOARD or RESEND, DEADLINE also WHEN IS THE DEADLINE; a "?" may end it. It goes with all else, as it changes nothing. In a game
 *                 HELP, and RULES, STATUS and STANDING alone, are the words of its language: they enter the text
 *                 (an order of the game with the name of a command or question is the order)
 *     press    := PRESS name ":" text
 *     number   := 1 .. the number of suggestions of the game
 *     final    := FINAL [":" YES]                 beside orders or numbers: they do not wait for better ones
 *     wish     := the game's word of wishes ":" names     "ship: swift", beside the OK that joins
 *     form     := [number] "[ ] explore near": a suggestion as it was mailed ("2 [ ] explore near"), which
 *                 counts for nothing; with another text, or with a mark in the brackets, an order that waits
 *                 for OK, and the number means nothing. A note "(1 of 6)" after it, or below it, is nothing
 *     greeting := of a fixed list ("hello", "viele gruesse", "merci"), or a name of the player's
 *
 * The line END ends the text; what comes after it is not looked at.
 *
 * What telephones and mail programs do to a line:
 *
 *     capital letter at the beginning             the same word
 *     no-break, wide, double spaces, tabs         one space
 *     curly quotes, apostrophes, long dashes      as the order language reads them: nothing, nothing, a space
 *     full stop, comma, exclamation mark at the end   not there; "?" makes a question of it: not understood
 *     "- ", "* ", a dot as a bullet               not there
 *     a long line folded (60 columns or more, the next one follows directly)
 *                                                 press and SAY go on if the next line is nothing else; all
 *                                                 others: not understood, as "if" may have lost its orders
 *     text direction marks, control characters    not understood
 */
#ifndef ORDERS_TYPED_H
#define ORDERS_TYPED_H

#include <stdbool.h>
#include <stddef.h>

#include "base/str.h"
#include "orders/verbs.h"

#define TYPED_VERSION 1
#define TYPED_LINES   200
#define TYPED_BYTES   1000 /* of a line, after folded ones are joined */

/* A game that the text may be about; borrowed. */
struct typed_game {
    const char *id; /* "gc-1" */
    const struct language *language;
    const char *const
        *suggestions; /* lines of the form, without "1 [ ] "; NULL ends them, and may be the list */
    const char *wish; /* "ship": the line in which players wish who join; NULL: no such line */
};

/* Lines without a game's name are about the first game if it is the only one, else they are not understood. */
struct typed_by {
    const struct typed_game *games;
    size_t game_count;
    const char *const *names; /* of the player, under which texts are signed; NULL ends them */
};

enum typed_kind {
    TYPED_NOTHING, /* greetings, the form as it was mailed, no line at all */
    TYPED_ORDERS,
    TYPED_PICKS,   /* suggestions by number */
    TYPED_COMMAND, /* exactly one */
    TYPED_PRESS,   /* messages alone; they may come with orders, picks or a command, too */
    TYPED_ASKS,    /* questions alone; they may come with all of these, too */
    TYPED_HELD,    /* the form, edited: orders that wait for OK */
    TYPED_UNSURE
};

enum typed_is {
    TYPED_IS_UNKNOWN, /* `doubt` says why */
    TYPED_IS_BLANK,
    TYPED_IS_GREETING,
    TYPED_IS_FORM,
    TYPED_IS_ORDER,  /* text: the order */
    TYPED_IS_EDITED, /* the same, from an edited form */
    TYPED_IS_PICK,   /* number: 1.. */
    TYPED_IS_PRESS,  /* name: to whom, text: the message */
    TYPED_IS_FINAL,
    TYPED_IS_WISH, /* text: the names, not looked at */
    TYPED_IS_OK,   /* text: the word, or empty */
    TYPED_IS_UNDO,
    TYPED_IS_STOP,
    TYPED_IS_JOIN,
    TYPED_IS_VACATION, /* text: what follows, as typed, not looked at; also of DIGEST */
    TYPED_IS_DIGEST,
    TYPED_IS_EXTEND, /* text: hours, not looked at */
    /* Questions; text: the word, or empty. */
    TYPED_IS_SHOW,
    TYPED_IS_HELP,
    TYPED_IS_RULES,
    TYPED_IS_STATUS,
    TYPED_IS_DEADLINE
};

enum typed_doubt {
    DOUBT_NONE,
    DOUBT_NO_LINE,  /* none of the lines above */
    DOUBT_SHORT,    /* a verb is not written in full */
    DOUBT_PARTED,   /* a ";" */
    DOUBT_QUESTION, /* a "?" */
    DOUBT_ORDER,    /* it begins as an order, but the language does not understand it, or it is TURN */
    DOUBT_ODD,      /* characters that may not be seen as they are, or too long */
    DOUBT_FOLDED,   /* it may have been one line with the next or the last one */
    DOUBT_GAME,     /* of several games it names none */
    DOUBT_NUMBER,   /* no suggestion has this number */
    DOUBT_MIXED     /* understood, but not beside the others */
};

/* Slices are parts of `text` of the whole. */
struct typed_line {
    enum typed_is is;
    enum typed_doubt doubt;
    size_t game;       /* index of the game; game_count where none is named or needed */
    bool asks;         /* it is a question, or an order that is one */
    struct slice line; /* as understood: spaces folded */
    struct slice text, name;
    int number;
};

struct typed {
    enum typed_kind kind;
    enum typed_is command;    /* TYPED_COMMAND: TYPED_IS_OK ..; else TYPED_IS_BLANK */
    bool resigns;             /* an order is RESIGN: it asks for OK and a word */
    struct typed_line *lines; /* in the order of the text, blank ones too */
    size_t count;
    struct str text;
};

/* Fills `typed`, which the caller releases. Linear in the text. */
void typed_read(struct slice text, const struct typed_by *by, struct typed *typed);
void typed_release(struct typed *typed);
/* Appends the orders of that game, a line each, as they enter its text: orders, edited lines of the form, and
 * what the numbers stand for. */
void typed_orders(struct str *out, const struct typed *typed, const struct typed_game *game, size_t index);
/* The same of the questions that are words of its language: below the orders in the text, if there are any. */
void typed_questions(struct str *out, const struct typed *typed, size_t index);
/* Are the orders of that game to be played as they are, whatever is wrong with them? */
bool typed_final(const struct typed *typed, size_t index);
/* The names in the line of a wish; empty: there is none. */
struct slice typed_wish(const struct typed *typed);

#endif
