/* What a game is to the rest of the program. A ruleset is one folder with one `const struct ruleset` a
 * version, a row for each in table.c, one folder of templates, one of golden cases; nothing else changes when
 * a game is added.
 *
 * A game keeps the version that its `create` names for ever: it is continued, replayed, audited and explained
 * by that version. So any change that would change an old game (what play() does, fields, the robot) is a new
 * version. The folder has both: `cards` know the version (cards_load), and the code asks them where the
 * versions differ.
 *
 * Rules are pure: state, orders and chance in; events and the new state out. No clock, no file, no printing,
 * no rand. Seats are numbered 1..n everywhere; arrays indexed by seat have index 0 unused. */
#ifndef RULES_RULESET_H
#define RULES_RULESET_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/str.h"
#include "base/value.h"
#include "chance/draw.h"
#include "orders/script.h"
#include "rules/event.h"
#include "rules/field.h"
#include "rules/headline.h"
#include "rules/picture.h"
#include "rules/rank.h"
#include "rules/wish.h"

#define SEATS_MAX 8

/* What a seat does in this play(): what was sent, or its ALWAYS lines, or nothing. */
struct seat_orders {
    const struct script *script;   /* NULL: nothing; the ruleset's safe default turn */
    bool missed;                   /* no orders came (script, if any, is the ALWAYS set) */
    const struct script *standing; /* WHEN lines in force (LINE_WHEN only), or NULL */
    bool robot;                    /* no player's: a robot sits there */
};

/* What a resolution takes besides cards and state, and where its events go. All borrowed. */
struct resolution {
    const struct seat_orders *orders; /* orders[seat], 1..n */
    int turn;                         /* its number in the mails */
    struct chance *chance;            /* NULL where nothing may be drawn (instant) */
    struct events *events;            /* appended to */
};

/* Options of a game, fixed when it is made ("solo18", "coop"). */
struct game_option {
    const char *name;
    int min, max, initial; /* 0..1 for switches */
    const char *help;
};
#define GAME_OPTIONS 8

enum seat_fate { SEAT_PLAYING, SEAT_FINISHED, SEAT_LOST };
struct score {
    enum seat_fate fate;
    int points;
    bool won;
    int place;        /* 1 = best, ties share; 0 while playing or lost */
    const char *rank; /* words of the rulebook ("Promoted to Captain"), from the cards; "" if none. Borrowed
                         from the cards */
};

/* What is told at the end as a player's best and worst: events of this type, each weighing so much, above 0
 * where it pleased whom it happened to. */
struct moment {
    const char *type; /* NULL ends a table */
    int weight;
    const char *times; /* a parameter that the weight is multiplied by, or NULL */
    const char *whose; /* the parameter that names the seat; NULL: "seat" */
};

/* ---- what a ruleset does; each game declares its own by these types ---- */

/* Card data from cards.json; the error names
 * the card and the field. `cards` is zeroed, cards_size bytes, plain data. */
typedef int ruleset_cards_load(const json_t *json, void *cards, struct err *err)
    __attribute__((warn_unused_result));
/* The state before the deal. ERR_INPUT when seats and options do not fit together. `state` is zeroed. */
typedef int ruleset_init(const void *cards, int seats, const int options[GAME_OPTIONS], void *state,
                         struct err *err) __attribute__((warn_unused_result));
/* Turn 0. wishes[1..n]: what the players wished for when they joined; NULL: nobody did. Options that say it win
 * over wishes, and without a wish everything is drawn as ever. */
typedef void ruleset_deal(const void *cards, void *state, const struct wish_list *wishes,
                          struct chance *chance, struct events *events);
/* The seats whose orders are wanted now, a bit each (SEAT_BIT); 0 = the game is over. */
typedef uint32_t ruleset_awaits(const void *state);
/* One resolution. Every line's outcome is an event (event_line). */
typedef void ruleset_play(const void *cards, void *state, const struct resolution *in);
/* Carries out at once the lines of a seat whose verbs are VERB_INSTANT (deals between players), whoever's
 * turn it is. No chance: nothing may be drawn. Lines of other verbs are left alone. orders[1..n] hold only
 * the standing lines: answers to offers. */
typedef void ruleset_instant(const void *cards, void *state, int seat, const struct script *script,
                             const struct resolution *in);
/* The last play() only interrupted a seat's turn (PAUSE): it is awaited again, and the deadline does not
 * move. */
typedef bool ruleset_interrupted(const void *state);
/* What one seat may know now (0: the public view), for templates and programs: an object, in the arena.
 * Includes what the seat may do now: "form": a list of {"line": "explore near", "note": "1 of 6 ..."}
 * suggestions (rules/put.h). Some are not shown, or last (suggest_mark). */
typedef struct value *ruleset_view(const void *cards, const void *state, int seat, struct arena *arena);
/* What can end the game for a seat next, or win it, and what it is one step from, by what that seat may know: {kind:
 * {parameters}}, one kind, with its words in templates/<ruleset>/stakes.txt; in the arena. Empty when the game is over. */
typedef struct value *ruleset_stakes(const void *cards, const void *state, int seat, struct arena *arena);
/* Marks in the public view, which has names beside its seats ("who"), what the board's picture says beyond it
 * (templates/<ruleset>/board.svg): mostly what the turn has changed. */
typedef void ruleset_picture(struct value *view, const struct picture_of *of);
/* scores[1..n]. Meaningful at any time; final when awaits() is 0. */
typedef void ruleset_scores(const void *cards, const void *state, struct score *scores);
/* How it ended, a word with its sentence in templates ("years_over", "all_lost"); "" while it runs. */
typedef const char *ruleset_ending(const void *state);
/* What was hidden, when the game is over: an object for templates/<ruleset>/revealed.txt, in the arena. */
typedef struct value *ruleset_reveal(const void *cards, const void *state, struct arena *arena);
/* Appends order lines of a sensible middling player who knows only what the seat may know. Deterministic. */
typedef void ruleset_robot(const void *cards, const void *state, int seat, struct str *orders);
/* Replaces everything the seat may not know by an equally possible arrangement, so that trial plays
 * (receipts, odds) reveal nothing. play() calls chance_luck() when the outcome of a line may depend on
 * something that is rearranged here: a trial in which nothing was counted or drawn goes like all others. */
typedef void ruleset_conceal(const void *cards, void *state, int seat, struct chance *chance);
/* Is this state possible? For states that were corrected by hand: numbers in their ranges, each card in
 * exactly one place. Every state that play() gives passes. ERR_INPUT: one sentence that names the field
 * (rules/field_path.h). */
typedef int ruleset_check(const void *cards, const void *state, struct err *err)
    __attribute__((warn_unused_result));
/* True for a word (lower case) that orders use beyond the tables of the language, such as those of cards and
 * codes. */
typedef bool ruleset_own_word(const void *cards, const char *word);
/* The names of what orders can name, for "did you mean" (rules/meant.h): the one with this index, from 0; ""
 * where that has none; NULL after the last. */
typedef const char *ruleset_thing(const void *cards, int index);

/* What is shown beside the view. */
struct ruleset_shown {
    ruleset_view *form;       /* the list "form" of the view alone, which is faster; NULL: the view is made */
    ruleset_picture *picture; /* NULL: its boards have no picture */
    const struct headline
        *headlines;         /* what matters most first (rules/headline.h); NULL: all turns are "quiet" */
    ruleset_stakes *stakes; /* NULL: nothing is said of them */
    /* Events of others that reports leave out, as the table says what came of them: words, or NULL. */
    const char *routine;
    /* Events that reports leave out, as other news of the turn, or the table at the end, say the same: words, or NULL. */
    const char *repeated;
    /* Suggestions (their codes) that do nothing by their own words: words, or NULL. They come last, and where it is not the seat's
     * turn they are not shown. */
    const char *idle;
    bool own_first; /* all act at once: what happened to the reader comes before the others' */
    /* Events that belong to the one before them, whoever's they are, and stay with it: words, or NULL. */
    const char *belong;
    /* Kinds of headlines that undo each other, as a "system" is won and lost: words, or NULL. */
    const char *undo;
    bool auto_first;  /* the first suggestion is AUTO: no order alone is a sound turn */
    bool own_picture; /* what all seats have would be too much for a mail: each player's shows their own */
};

/* How it stands, and what the last report tells. */
struct ruleset_end {
    ruleset_scores *scores;
    ruleset_ending *ending;
    const struct moment *moments;  /* NULL: nothing was best or worst */
    ruleset_reveal *reveal;        /* NULL: nothing was hidden */
    const struct rank_code *ranks; /* those of its cards (rules/rank.h); NULL: it has none */
};
/* Do the options leave this seat nothing to wish for? */
typedef bool ruleset_chosen(const int options[GAME_OPTIONS], int seat);

/* What its players may wish for (rules/wish.h). */
struct ruleset_wish {
    const char *line;    /* the line of their text: "ship"; NULL: they have no such choice */
    ruleset_thing *name; /* the names on the cards, at most WISHES_MOST */
    ruleset_chosen *chosen;
};

/* The words of players' texts that are the game's own: of orders, beyond the tables of its language, and of what
 * they may wish for. */
struct ruleset_words {
    /* Orders may name other players: the engine turns "attack anna s1" into "attack p3 s1" before they are
     * read. A player whose name is one of the game's own words can only be named by seat ("p3"). */
    bool names_players;
    ruleset_own_word *own; /* with names_players */
    ruleset_thing *thing;
    struct ruleset_wish wish;
};

struct ruleset {
    const char *name;   /* "galaxy-command"; its folder and templates are galaxy_command */
    const char *folder; /* "galaxy_command" */
    const char *title;  /* "Galaxy Command" */
    int version;        /* from 1; raised by any change that would change an old game */
    int views; /* raised by any change of what view() gives for an old game: reports are sealed with it */
    int seats_min, seats_max;
    size_t state_size, cards_size;
    const struct field *fields;
    const struct language *language;
    const struct game_option *options; /* ends with name NULL */
    const char *rulebook;              /* "Galaxy Command, by Robert Bartelli" */
    /* Seats take turns: orders may come before the seat is awaited, and wait (also its WHEN and ALWAYS lines
     * count at once). False: orders are for the open turn only. */
    bool early;
    /* After the deal nothing is drawn, no card and no die: what a game comes to follows from its deal and its orders
     * alone, so that several can play the same deal. */
    bool draws_nothing;
    struct ruleset_words words;

    ruleset_cards_load *cards_load;
    ruleset_init *init;
    ruleset_deal *deal;
    ruleset_awaits *awaits;
    ruleset_play *play;
    ruleset_instant *instant;         /* NULL: no verb is VERB_INSTANT */
    ruleset_interrupted *interrupted; /* NULL: never */
    ruleset_view *view;
    struct ruleset_shown shown;
    struct ruleset_end end;
    ruleset_robot *robot;     /* NULL: robots play the safe default turn */
    ruleset_conceal *conceal; /* NULL: nothing is hidden */
    ruleset_check *check;     /* NULL: no state is corrected by hand */
};

/* table.c: ends with NULL. */
extern const struct ruleset *const rulesets[];
/* NULL when there is none. */
const struct ruleset *ruleset_find(const char *name, int64_t version);
const struct ruleset *ruleset_newest(const char *name);
/* The list "form" of the view (NULL when it has none): by shown.form, or else by the whole view. */
struct value *ruleset_form(const struct ruleset *ruleset, const void *cards, const void *state, int seat,
                           struct arena *arena);
/* The built-in cards.json of a ruleset. */
struct slice ruleset_cards(const struct ruleset *ruleset);

#endif
