/* Order scripts: one parser and one interpreter for all games.
 *
 *     line   := WHEN trigger [args] [THEN] stmt | ALWAYS stmt | ALWAYS AUTO | stmt
 *             | IF cond [THEN] | ELSE | ENDIF | common
 *     stmt   := IF cond [THEN] what [ELSE stmt] | what IF cond [ELSE stmt] | what
 *     what   := order { OR order } | REPEAT [n] order
 *     cond   := [NOT] atom { AND [NOT] atom }
 *     atom   := OK | FAIL | HAVE list | TURN op n | counter [args] op n [args] | test [args]
 *     common := SAY who text | STATUS | STANDING | HELP [verb] | RULES | RESIGN
 *             | CANCEL what | TRY | AUTO | TURN n
 *
 * Lines are separated by LF or ';' (a SAY line keeps its ';'). Lines beginning with '#' are skipped. Verbs
 * may be cut to a unique beginning of at least two letters; common words and RESIGN are written in full. A
 * line that cannot be understood is kept with its error; the others stay valid, except that no line of a
 * broken IF block (no ENDIF, a bad IF line) does. Limits: 200 lines, 80 words a line, IF depth 8, REPEAT
 * at most 50 times.
 *
 * Execution (src/orders/README.md): for each phase in turn, the lines that have an order of that phase run
 * in written order. A condition (also of a block) is decided once, when the first phase
 * to which any of its orders belongs comes to its line; in free sequence that is simply when
 * the line is reached. Of alternatives the first that is not refused counts, also across phases; if all are
 * refused, the last one's reason is reported. VERB_KEEP orders run before the first phase. An order that is
 * refused without a reason gets "refused_plainly"; a condition that the game does not know refuses its lines
 * with "unknown_condition" and the text "condition". */
#ifndef ORDERS_SCRIPT_H
#define ORDERS_SCRIPT_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/str.h"
#include "orders/verbs.h"

#define SCRIPT_LINES 200

/* The version of the order language, which `create` names: which words are read and how, the numbers of lines,
 * and what events say of them. */
#define ORDER_LANGUAGE 3

struct script; /* opaque, immutable after parsing */

enum script_line_kind {
    LINE_ORDERS, /* runs in the turn */
    LINE_WHEN,   /* standing reaction */
    LINE_ALWAYS, /* standing order for missed turns */
    LINE_COMMON, /* SAY, STATUS, ...: handled by the engine, see script_common */
    LINE_BLOCK,  /* IF cond / ENDIF alone */
    LINE_BAD     /* not understood; error says why */
};

struct script_line {
    int number; /* 1.. as the player counts the lines of the text's body (blank and # lines do not count);
                 * orders that ';' separates on one line share its number */
    int part;   /* 1.. over all lines of the script: distinguishes lines that share a number */
    struct slice text; /* as written, trimmed */
    enum script_line_kind kind;
    json_t *why;         /* LINE_BAD: why, for templates (base/reason.h; unread.txt); else NULL */
    const char *verb;    /* the first order's verb name (full), or the common word ("say"), or NULL */
    const char *trigger; /* LINE_WHEN: the trigger's name */
    struct slice rest;   /* LINE_WHEN, LINE_ALWAYS: the statement after it; LINE_COMMON: what follows the
                        * word */
};

/* Parses a body (no frame), which is copied; the language is borrowed and must outlive the script. Never
 * fails as a whole: every line has its own outcome. Lines beyond SCRIPT_LINES are not read, and the last line
 * says so. */
struct script *script_parse(struct slice body, const struct language *language);
void script_free(struct script *script);
size_t script_line_count(const struct script *script);
const struct script_line *script_line(const struct script *script, size_t index);
/* Number of LINE_BAD lines. */
size_t script_errors(const struct script *script);

/* Called once for each LINE_ORDERS/LINE_BAD line, when its outcome is known. `why` is NULL unless REFUSED by
 * the rules; for LINE_BAD why is NULL and result ORDER_REFUSED (the words are in the line's error). `order`
 * is the text of the order that decided (the alternative that was carried out). */
struct script_listener {
    void (*line)(void *arg, const struct script_line *line, enum order_result result,
                 const struct refusal *why, struct slice order);
    void *arg;
};

/* Code that explains a turn watches its scripts: `line` is the line that is being carried out, NULL when none
 * is, and `seat` is its owner. */
struct script_now {
    const struct script_line *line;
    int seat;
};
/* From now on *now, borrowed, says which line of this script of the seat is carried out. `script` may be
 * NULL. */
void script_watch(struct script *script, int seat, struct script_now *now);
/* For callers that do something for a line outside of script_run and script_react: reports that it is this
 * line, and returns what has to be reported again afterwards, because WHEN lines are carried out in the
 * middle of others. Does nothing when there is no watcher. */
struct script_now script_watch_line(const struct script *script, const struct script_line *line);
void script_watch_again(const struct script *script, struct script_now before);

/* What a text orders, a bit each. AUTO lets a robot play the turn in place of all other orders for it, ALWAYS AUTO those turns for
 * which no mail comes, in place of the other ALWAYS lines. */
enum script_plays { PLAYS_AUTO = 1, PLAYS_ORDERS = 2, PLAYS_ALWAYS_AUTO = 4, PLAYS_ALWAYS = 8 };
/* Of one line: one bit or none. Deals are done at once, and are no orders for the turn. */
unsigned script_line_plays(const struct script *script, size_t index);
unsigned script_plays(const struct script *script);

/* A run of one script by one seat through one turn. */
struct script_run; /* opaque */
struct script_run *script_run_new(const struct script *script, const struct language *language, void *turn,
                                  int turn_number, const struct script_listener *listener);
/* Carries out all lines of one phase (0..phases-1, in rising order); the first call carries out the VERB_KEEP
 * orders before that. */
void script_run_phase(struct script_run *run, int phase);
/* The line that is being carried out now, for the events of the ruleset; NULL outside script_run_phase. */
const struct script_line *script_run_line(const struct script_run *run);
/* Instead of phases: carries out the lines whose verbs are VERB_INSTANT, and reports no others. */
void script_run_instant(struct script_run *run);
/* True when the script holds such lines. */
bool script_has_instant(const struct script *script);
/* True for a line that is nothing else. */
bool script_line_instant(const struct script *script, size_t index);
/* Ends the run: lines whose outcome is still open are reported refused or skipped. */
void script_run_free(struct script_run *run);
/* Carries out the statement of one WHEN line now (outside phases): the ruleset calls it when the trigger
 * fires and the trigger's arguments fit. OK and FAIL are false here. `why` is set when refused. */
enum order_result script_react(const struct script *script, size_t line_index,
                               const struct language *language, void *turn, int turn_number,
                               struct refusal *why);
/* The trigger arguments of a LINE_WHEN ("by anna at home"), for the ruleset to match. */
struct args script_trigger_args(const struct script *script, size_t line_index);

/* Standing orders of a seat: the text lines in force (WHEN ... and ALWAYS ..., one a line). Updates
 * `standing` by a new script: its WHEN lines replace all earlier lines of the same trigger, its ALWAYS lines
 * the whole ALWAYS set; CANCEL WHEN <trigger>, CANCEL ALWAYS, CANCEL ALL remove, in written order. Lines that
 * are LINE_BAD change nothing. At most SCRIPT_LINES stay in force: the oldest go first. */
void standing_update(struct str *standing, const struct script *update, const struct language *language);
/* The body used for a missed turn: the statements of the ALWAYS lines, one a line; empty if none. */
void standing_always(struct str *out, struct slice standing, const struct language *language);

#endif
