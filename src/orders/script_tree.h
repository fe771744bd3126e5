/* What a parsed script is made of, and the reader that makes it. Private to the room: everything else uses
 * script.h.
 *
 * Everything is in growing arrays of the script and is referred to by index, so that the arrays may move
 * while they grow. There is no recursion: an ELSE chain is a list of branches, blocks know their parent. */
#ifndef ORDERS_SCRIPT_TREE_H
#define ORDERS_SCRIPT_TREE_H

#include "orders/script.h"

#define SCRIPT_DEPTH  8
#define SCRIPT_REPEAT 50
#define NO_BLOCK      (-1)

/* Some neighbours in one of the script's arrays. */
struct span {
    size_t from, count;
};

enum atom_kind { ATOM_OK, ATOM_FAIL, ATOM_HAVE, ATOM_TURN, ATOM_COUNTER };
enum comparison { IS_LESS, IS_AT_MOST, IS_EQUAL, IS_AT_LEAST, IS_MORE };

/* One condition out of several joined by AND. */
struct atom {
    enum atom_kind kind;
    bool negate;
    const struct counter *counter; /* ATOM_COUNTER */
    struct span args;              /* words: ATOM_HAVE, ATOM_COUNTER */
    enum comparison comparison;    /* ATOM_TURN, and counters that are no tests */
    int number;
    struct slice text; /* as written, for messages */
};

struct order {
    const struct verb *verb;
    struct span args;  /* words, without fillers */
    struct slice text; /* as written; "RESEARCH CAPITAL" where the verb was left out after OR */
};

/* IF cond alternatives; the next branch of the line is its ELSE. */
struct branch {
    struct span atoms; /* none: always */
    struct span orders;
    int repeat;       /* 0: the orders are alternatives; 1..SCRIPT_REPEAT: the one order at most so often */
    uint64_t phases;  /* of its orders, see phase_bit */
    uint64_t pending; /* of its orders and those of the branches after it */
};

/* IF cond ... [ELSE ...] ENDIF. The part after ELSE is a block of its own. */
struct block {
    struct span atoms;
    size_t line;     /* index of its IF line, also for the ELSE part */
    int parent;      /* block around it, or NO_BLOCK */
    int otherwise;   /* for an ELSE part: the IF part; else NO_BLOCK */
    uint64_t phases; /* of all orders in it; for an IF part also of its ELSE part */
    bool closed;     /* its ENDIF was found */
    bool guess;      /* its IF line is bad: it is a block only if an ENDIF closes it */
    bool broken;     /* nothing in it may be carried out */
};

enum cancel { CANCEL_NOTHING, CANCEL_WHEN, CANCEL_ALWAYS, CANCEL_ALL };

struct node {
    struct script_line line;
    struct span branches;            /* LINE_ORDERS, LINE_WHEN, LINE_ALWAYS */
    struct span trigger_args;        /* words: LINE_WHEN */
    struct span atoms;               /* LINE_BLOCK: the condition of an IF */
    enum cancel cancel;              /* LINE_COMMON "cancel" */
    const struct trigger *cancelled; /* CANCEL_WHEN: NULL = all triggers */
    int block;                       /* the block that the line is in, or NO_BLOCK */
    int opens;                       /* LINE_BLOCK: the block that begins here, or NO_BLOCK (ENDIF) */
    uint64_t phases;
};

struct script {
    char *body;
    struct node *nodes;
    size_t node_count, node_cap;
    struct word *words;
    size_t word_count, word_cap;
    struct atom *atoms;
    size_t atom_count, atom_cap;
    struct order *orders;
    size_t order_count, order_cap;
    struct branch *branches;
    size_t branch_count, branch_cap;
    struct block *blocks;
    size_t block_count, block_cap;
    char **owned; /* joined order texts */
    size_t owned_count, owned_cap;
    struct script_now *watch; /* NULL: there is no watcher */
    int seat;                 /* whose script it is, for the watcher */
};

/* Standing lists (VERB_KEEP) are carried out before the first phase: bit 0. */
#define PHASE_KEEP ((uint64_t)1)
#define PHASES_MAX 62
/* What is carried out when the mail is read: the last bit. */
#define PHASE_INSTANT ((uint64_t)1 << 63)
static inline uint64_t phase_bit(const struct verb *verb)
{
    if (verb->flags & VERB_INSTANT)
        return PHASE_INSTANT;
    return verb->flags & VERB_KEEP ? PHASE_KEEP : PHASE_KEEP << (verb->phase + 1);
}

struct args script_args(const struct script *script, struct span words);
/* Keeps a detached string until script_free; returns it. */
const char *script_own(struct script *script, char *text);

/* ---- the reader of one line (reader.c) ---- */
struct reader {
    struct script *script;
    const struct language *language;
    const struct word *word;
    size_t count, at;
    bool standing; /* after WHEN: reactions are orders too */
    json_t *why;   /* the first error, a code with parameters; NULL while there is none */
};

/* Says what is wrong, unless that was said already (base/reason.h). Always -1. */
int reader_fail(struct reader *reader, const char *why, ...) __attribute__((format(printf, 2, 3)));
bool reader_end(const struct reader *reader);
/* The word here is exactly this one. */
bool reader_is(const struct reader *reader, const char *text);
bool reader_take(struct reader *reader, const char *text);
void reader_skip_fillers(struct reader *reader);
/* The word at `at` as the player wrote it, safe to show and cut; "the end of the line" after the last.
 * Appends, in quotes. */
void reader_quote(const struct reader *reader, size_t at, struct str *out);
/* The text from word `from` to before word `to`. */
struct slice reader_text(const struct reader *reader, size_t from, size_t to);
/* Copies the words [from, to) into the script, without fillers (but those in `keywords`) and without '='. Of
 * a `condition`
 * '=' stays, and "is", "are", "than" go. */
struct span reader_args(struct reader *reader, size_t from, size_t to, const char *keywords, bool condition);
/* A word that may be dropped from a condition: a filler other than AND, or one of "is", "are", "than". */
bool is_condition_filler(const char *word);

/* Exact names win over beginnings of at least `least` letters. `standing`: VERB_STANDING verbs count too. */
const struct verb *find_verb(const struct language *language, const struct word *word, bool standing,
                             size_t least);
const struct counter *find_counter(const struct language *language, const struct word *word);
const struct trigger *find_trigger(const struct language *language, const struct word *word);
/* The common word (SAY, STATUS, ...) of the engine, written in full, as a static string; NULL when it is
 * none. */
const char *find_common(const char *word);
/* The word at `at` begins an order: a verb (exactly, or a beginning of at least three letters) or REPEAT. */
bool reader_starts_order(const struct reader *reader, size_t at);
/* Sentences for a word that is none of those expected here. Always -1. */
int fail_no_verb(struct reader *reader);
int fail_no_condition(struct reader *reader);
int fail_no_trigger(struct reader *reader);

/* ---- lines (script_line.c) ---- */
/* What a line does to the structure of blocks. */
enum shape {
    SHAPE_PLAIN,
    SHAPE_IF,          /* begins a block */
    SHAPE_IF_BAD,      /* an IF line not understood, which looks like the beginning of a block */
    SHAPE_IF_BAD_LINE, /* an IF line not understood, which looks like a statement */
    SHAPE_ELSE,
    SHAPE_ELSE_BAD, /* ELSE with more after it */
    SHAPE_ENDIF
};
/* Reads one line into a node that has its text and number. */
enum shape line_read(struct script *script, const struct language *language, struct node *node);
/* Makes the line LINE_BAD, as reader_fail says it; a line that is bad already keeps its own. */
void node_fail(struct node *node, const char *why, ...) __attribute__((format(printf, 2, 3)));

/* ---- conditions (script_cond.c) and statements (script_stmt.c) ---- */
/* Reads after IF up to the first word that cannot belong to the condition. */
int cond_read(struct reader *reader, struct span *atoms);
/* Reads to the end of the line. */
int stmt_read(struct reader *reader, struct node *node);

#endif
