/* The tables through which a ruleset tells the order language its verbs, counters and triggers. The lexer,
 * the error messages, HELP, the order form in the report and the documentation all come from these tables. */
#ifndef ORDERS_VERBS_H
#define ORDERS_VERBS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/str.h"
#include "orders/words.h"

enum order_result {
    ORDER_DONE,    /* carried out */
    ORDER_FAILED,  /* carried out, but the die or the draw went against it */
    ORDER_REFUSED, /* could not be carried out; nothing changed */
    ORDER_SKIPPED  /* its condition was false */
};

#define REFUSAL_PARAMS 4
/* Why a line was refused: a key whose words are in templates/<ruleset>/refusals.txt, or for those of
 * all games in common/refusals_all.txt, and its parameters. */
struct refusal {
    struct slice reason; /* "not_explored", "too_poor": a part of a format, as are the names; empty: none */
    struct {
        struct slice name;
        bool is_text;
        int64_t number;
        char text[64];
    } param[REFUSAL_PARAMS];
    int params;
};
/* Refuses: key and parameters as in base/reason.h. ORDER_REFUSED, so that a handler can
 * `return no(why, "too_poor need=%d have=%d", need, have);`. Texts are cut to what `text` holds; "+" leaves out what is 0 or
 * empty. */
enum order_result no(struct refusal *why, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

enum verb_flags {
    VERB_STANDING = 1, /* only after WHEN (DEFEND, TAKE) */
    VERB_KEEP = 2,     /* a standing list that replaces its former self (KEEP, PREFER): run before phase 0 */
    VERB_INSTANT = 4   /* carried out when the mail is read (script_run_instant), never in a phase */
};

/* One order word. `run` gets the ruleset's own turn context, and the arguments without filler words (except
 * those in `keywords`). It sets *rolled when a die or a draw decided. */
struct verb {
    const char *name;     /* lower case */
    const char *args;     /* for people: "[near|far] [slot]" */
    const char *help;     /* one line without full stop */
    const char *keywords; /* filler words this verb uses itself, separated by spaces, or "" */
    int phase;            /* 0.. ; lines run in the order of phases, then as written. All 0: free sequence */
    unsigned flags;
    enum order_result (*run)(void *turn, struct args *args, struct refusal *why, bool *rolled);
};

/* A number or a fact that conditions ask for. */
struct counter {
    const char *name; /* "metal", "level", "aligned", "afford" */
    const char *args; /* for people: "" or "<system>" */
    const char *help;
    bool test; /* a yes/no fact (no comparison follows): the value is 0 or 1 */
    /* False when the arguments name nothing known: the condition is then false and the line is refused
     * with reason "unknown_condition". */
    bool (*value)(void *turn, struct args *args, int64_t *value);
};

/* What a WHEN line may answer. */
struct trigger {
    const char *name; /* "attacked" */
    const char *args; /* for people: "[by player] [at home|sector]" */
    const char *help;
    const char *keywords; /* filler words used in its arguments */
};

/* A ruleset's language. Arrays end with a NULL name. */
struct language {
    const struct verb *verbs;
    const struct counter *counters;
    const struct trigger *triggers;
    /* HAVE <list>: does the seat hold at least this? False + reason as with counters when not understood
     * (sets *known false). */
    bool (*have)(void *turn, struct args *args, bool *known);
    int phases; /* number of phases, >= 1 */
    /* Optional (NULL): why this order can never answer this trigger with these arguments, one sentence; NULL
     * when it can. The line is then not understood, so that nobody relies on it. */
    const char *(*unfit)(const struct trigger *trigger, struct args args, const struct verb *verb);
};

/* The verb of that name (lower case); NULL: there is none. */
const struct verb *language_verb(const struct language *language, const char *name);
/* True for a word (lower case) that the language uses itself: the words of every game, fillers, numbers, and
 * what the tables have as names or in the arguments for people. */
bool language_has_word(const struct language *language, const char *word);
/* Calls `see` for the words that arguments of its orders hold as they are: "near", "far", "military". */
void language_arguments(const struct language *language, void (*see)(void *arg, const char *word), void *arg);
/* Calls `see` for the words that begin a line or a condition of the language, as far as they are `near` the word,
 * until it returns true; then true. */
bool language_near(const struct language *language, const char *word,
                   bool (*near)(const char *word, const char *known),
                   bool (*see)(void *arg, const char *known), void *arg);

#endif
