/* What a person means who types into an answer to our mail (mail/reply.h): orders, commands, messages to others.
 * It has the version of the cutter (REPLY_VERSION), and records name both by that number.
 *
 * A line talks to us only if it is, as a whole, one of those below. Every other line is unread matter, whatever its
 * language: a signature, an attribution, a disclaimer, a remark. It stops nothing that was understood; the answer
 * shows it, and who stores orders decides what is to be thought of unread matter below them. Pure: the text, the
 * player's games with their languages and suggestions, and the player's names.
 *
 * An order here is what the language reads as one. "Build trust with bob" is, until the game finds words left
 * over: whoever stores orders plays them on trial first, and asks where a line is refused for that.
 *
 *     line     := [bullet] [game ":"] what        "gc-1: build", for digests; "gc-1:" alone: for lines below
 *     what     := order | command | question | press | number | form | final | wish | greeting | nothing
 *     order    := a line of the game's order language (script.h) that begins with an order word in full; no
 *                 other verb in it cut short, no "?", no TURN, and not four words in a row that the language does not
 *                 have (SAY excepted): things have shorter names, sentences do not
 *     command  := OK [word] | UNDO | STOP | JOIN | VACATION ... | DIGEST ... | EXTEND [word]
 *     question := SHOW [game] | HELP [word] | RULES [word] | STATUS [word] | DEADLINE [game]; SHOW is also MAP, BOARD,
 *                 REPORT or RESEND, DEADLINE also WHEN IS THE DEADLINE and the like; a "?" may end it. It goes with all else, as it
 *                 changes nothing. In a game HELP, and RULES, STATUS and STANDING alone, are the words of its language:
 *                 they enter the text
 *                 (an order of the game with the name of a command or question is the order)
 *     ok       := also YES, OKAY, SURE, JA, OUI, ... and with "please", "thanks", "count me in" and the like around it: polite
 *     press    := PRESS name [FROM NOBODY] ":" text
 *                 to the beginning of one name at the table ("jana" of "jana-b"), or "tell jana Shall we?", "jana: hi":
 *                 asked about, as a message
 *     nobody   := FROM [":"] NOBODY               beside messages: none of them carries the sender's name
 *     appeal   := APPEAL [[TURN] number] ":" text    about that turn, or the last one
 *     own      := MUTE name | UNMUTE name | STANDBY ANY | UNSTANDBY ANY | one of the player's settings as "#turnpost prefs"
 *                 has it ("reports: each move"); like messages these go with all else
 *     number   := 1 .. the number of suggestions of the game; "#1", "1.", "1)", "(1)", "one", "option 1", "1 please"; with the text of
 *                 that suggestion after it; several, for several suggestions: "1, 3", "1 and 3", "3 then 1", "1/3"
 *     final    := FINAL [":" YES]                 beside orders: they do not wait for better ones; alone: those in force
 *     wish     := the game's word of wishes ":" names     "ship: swift", beside the OK or JOIN that joins
 *     form     := [number] "[ ] explore near": a suggestion as it was mailed ("2 [ ] explore near"), which counts for
 *                 nothing; with a mark in the brackets, that suggestion; with another text, an order that is asked
 *                 about. A note "(1 of 6)" after it, or below it, is nothing
 *     greeting := of a fixed list ("hello", "viele gruesse", "merci"), also to somebody ("hi mia"); a name of the player's; courtesy, all
 *                 words of which are of a list or names, and none a verb of the game ("thanks for the game all"); and what says
 *                 no to a question: NO, NEIN, NON, ..., with "thanks", "sorry, no time" and the like around it
 *
 * A line that would be an order, a command or a message if one word of four letters or more were another word of the
 * language with the same first letter, at a distance of one letter ("explor near"), is asked about.
 *
 * The line END ends the text; what comes after it is not looked at.
 *
 * What telephones and mail programs do to a line:
 *
 *     capital letter at the beginning             the same word
 *     no-break, wide, double spaces, tabs         one space
 *     curly quotes, apostrophes, long dashes      as the order language reads them: nothing, nothing, a space
 *     full stop, comma, exclamation mark at the end   not there; "?" makes a question of it, which is no order
 *     "- ", "* ", a dot as a bullet               not there
 *     a long line folded (60 columns or more, the next one follows directly)
 *                                                 press and SAY go on if the next line is nothing else; an order that
 *                                                 goes on as one, or is followed by one, is asked about; so is press
                                                 that unread matter follows directly, as it cannot be taken back
 *     text direction marks, control characters    not read
 */
#ifndef ORDERS_TYPED_H
#define ORDERS_TYPED_H

#include <stdbool.h>
#include <stddef.h>

#include "base/str.h"
#include "orders/verbs.h"

#define TYPED_LINES 200
#define TYPED_BYTES 1000 /* of a line, after folded ones are joined */
#define TYPED_ALSO  7    /* numbers of a line after its first */

/* A game that the text may be about; borrowed. */
struct typed_game {
    const char *id; /* "gc-1" */
    const struct language *language;
    const char *const *
        suggestions; /* lines of the form, without "1 [ ] "; NULL ends them. NULL as the list: it is not known
                       * which there were, as for an auditor; then numbers and lines of the form have DOUBT_NUMBER */
    const char *wish; /* "ship": the line in which players wish who join; NULL: no such line */
    /* Players at its table whom one can write to; NULL ends them. NULL as the list: not known, as for an auditor; then a message has
     * to be written as one. */
    const char *const *others;
};

/* Lines without a game's name are about the first game if it is the only one, else they are not understood. */
struct typed_by {
    const struct typed_game *games;
    size_t game_count;
    const char *const *names; /* of the player, under which texts are signed; NULL ends them */
};

enum typed_kind {
    TYPED_NOTHING, /* no line talks to us */
    TYPED_ASKS,    /* all that do are questions; these may come with all else, too */
    TYPED_CLEAR,   /* all that does can be done as it is */
    TYPED_UNSURE   /* some of it has to be asked about: its `doubt` says why */
};

enum typed_is {
    TYPED_IS_UNREAD, /* it is none of the others; `doubt` says what it comes nearest to */
    TYPED_IS_BLANK,
    TYPED_IS_GREETING,
    TYPED_IS_FORM,
    TYPED_IS_ORDER,  /* text: the order */
    TYPED_IS_EDITED, /* the same, from an edited form: asked about */
    TYPED_IS_PICK,   /* number: 1.. */
    TYPED_IS_PRESS,  /* name: to whom, text: the message */
    TYPED_IS_NOBODY, /* messages of the text are from nobody */
    TYPED_IS_APPEAL, /* number: the turn, -1 = the last one; text: the words */
    TYPED_IS_MUTE,   /* text: the player; also of UNMUTE */
    TYPED_IS_UNMUTE,
    TYPED_IS_STANDBY,   /* for any game */
    TYPED_IS_UNSTANDBY, /* the same */
    TYPED_IS_PREFS,     /* name: the setting, text: its value, not looked at */
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
    /* of unread matter */
    DOUBT_NO_LINE,  /* none of the lines above */
    DOUBT_SHORT,    /* a verb is not written in full */
    DOUBT_QUESTION, /* a "?" */
    DOUBT_SENTENCE, /* it begins as an order, and goes on as a sentence */
    DOUBT_ORDER,    /* it begins as an order, but the language does not understand it, or it is TURN */
    DOUBT_ODD,      /* characters that may not be seen as they are, or too long */
    DOUBT_FIELD,    /* a message that begins as a line of its text does: "from: nobody" */
    DOUBT_GAME,     /* of several games it names none; it would be an order of one, so it is asked about */
    DOUBT_NUMBER,   /* no suggestion has this number, or it is not known which ones there were */
    DOUBT_TIMES,    /* VACATION, DIGEST or EXTEND, with days or hours that are written otherwise */
    /* of what is understood, and asked about */
    DOUBT_NEAR,   /* one word of it was mistyped; text (and name) are as it is understood */
    DOUBT_FOLDED, /* it may have been one line with the next or the last one */
    DOUBT_EDITED, /* a changed line of the form */
    DOUBT_BLOCK,  /* an ELSE or ENDIF without its IF: what it was meant to end is not certain */
    DOUBT_MIXED,  /* it does not go together with the others */
    DOUBT_AUTO,   /* it lets a robot play, and of the other lines nothing would be played; an OK takes those */
    DOUBT_MESSAGE /* it may be meant as a message, and is understood as one */
};

/* Slices are parts of `text` of the whole, or of `mended`. */
struct typed_line {
    enum typed_is is;
    enum typed_doubt doubt;
    size_t game;       /* index of the game; game_count where none is named or needed */
    struct slice line; /* as typed: spaces folded */
    struct slice text, name;
    int number;
    int also[TYPED_ALSO]; /* TYPED_IS_PICK: further numbers, as typed; 0 ends them */
    bool asks;            /* it is a question, or an order that is one */
    bool polite; /* TYPED_IS_OK: it is not the bare word OK, so it agrees to a question and to nothing else */
    bool declines; /* TYPED_IS_GREETING: it says no */
    bool nameless; /* TYPED_IS_PRESS: it is from nobody */
    char *mended;  /* DOUBT_NEAR, DOUBT_FOLDED: the line as it is understood; owned, else NULL */
};

struct typed {
    enum typed_kind kind;
    enum typed_is command;    /* the one that there is: TYPED_IS_OK ..; else TYPED_IS_BLANK */
    size_t orders, press;     /* lines: orders, edited lines of the form, numbers; messages */
    bool final;               /* a line FINAL */
    bool resigns;             /* an order is RESIGN: it asks for OK and a word */
    bool declines;            /* a line says no */
    struct typed_line *lines; /* in the order of the text, blank ones too */
    size_t count;
    struct str text;
};

/* Fills `typed`, which the caller releases. Linear in the text. */
void typed_read(struct slice text, const struct typed_by *by, struct typed *typed);
void typed_release(struct typed *typed);
/* Does the line talk to us: is it an order, a message, a command? */
bool typed_talks(const struct typed_line *line);
/* Does it concern nobody but the player, and no game? */
bool typed_is_own(enum typed_is is);
/* Do lines of the text that was read talk to us, other than by questions, both before that offset and after it? */
bool typed_talks_around(const struct typed *typed, struct slice text, size_t at);
/* Appends the orders of that game, a line each, as they enter its text: orders, edited lines of the form, and
 * what the numbers stand for. */
void typed_orders(struct str *out, const struct typed *typed, const struct typed_game *game, size_t index);
/* Takes these orders, a line each, for those that typed_orders gives; lines that they change are asked about (DOUBT_NEAR). */
void typed_mend(struct typed *typed, const struct typed_game *game, size_t index, struct slice orders);
/* Appends the questions about that game that are words of its language: below the orders in the text, if there are any. */
void typed_questions(struct str *out, const struct typed *typed, size_t index);
/* Appends all that was understood for one game (or none: NULL), so that it is read again as what it is, but without
 * doubts: what an OK to a question takes. OK and UNDO, which belong to the mail that they were typed in, and
 * questions, which are answered at once, are left out. */
void typed_understood(struct str *out, const struct typed *typed, const struct typed_game *game);
/* Appends all lines about that game, or about none (game_count), so that they are read as a text about it alone. */
void typed_part(struct str *out, const struct typed *typed, size_t index);
/* Are the orders of that game to be played as they are, whatever is wrong with them? */
bool typed_final(const struct typed *typed, size_t index);
/* Beside orders a bare OK is choice 1 of the list that it answers: from here on it is. False, and nothing changes: there is none,
 * or anything else does not go together. */
bool typed_ok_is_first(struct typed *typed, const struct typed_game *game);
/* The names in the line of a wish; empty: there is none. */
struct slice typed_wish(const struct typed *typed);

#endif
