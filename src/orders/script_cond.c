#include "orders/script_tree.h"

#include <string.h>

#include "base/mem.h"

/* Words at which the arguments of a condition end in any case. */
static bool ends_args(const struct reader *reader, size_t at)
{
    static const char *const ends[] = {"then", "and", "or", "else", "if"};
    if (at >= reader->count)
        return true;
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
        if (strcmp(reader->word[at].text, ends[i]) == 0)
            return true;
    return false;
}

static bool is_filler_at(const struct reader *reader, size_t at)
{
    return at < reader->count && is_condition_filler(reader->word[at].text);
}

static void skip_fillers(struct reader *reader)
{
    while (is_filler_at(reader, reader->at))
        reader->at++;
}

/* Where the arguments that begin at `at` end: at a word that begins an order, once `least` of them are there.
 */
static size_t args_until(const struct reader *reader, size_t at, size_t least)
{
    size_t taken = 0;
    for (; !ends_args(reader, at); at++) {
        if (is_filler_at(reader, at))
            continue;
        if (taken >= least && reader_starts_order(reader, at))
            break;
        taken++;
    }
    return at;
}

/* ---- comparisons -------------------------------------------------------------------------------------- */

static bool operator_at(const struct word *word, enum comparison *comparison)
{
    static const char *const operators[] = {"<", "<=", "=", ">=", ">"};
    static const enum comparison meaning[] = {IS_LESS, IS_AT_MOST, IS_EQUAL, IS_AT_LEAST, IS_MORE};
    for (size_t i = 0; i < sizeof operators / sizeof *operators; i++) {
        if (word->kind == WORD_OP && strcmp(word->text, operators[i]) == 0) {
            *comparison = meaning[i];
            return true;
        }
    }
    return false;
}

/* "at least 2", "more than 2": words count as a comparison only in front of a number. */
static bool words_compare(const struct reader *reader, size_t at, enum comparison *comparison)
{
    static const struct {
        const char *word;
        enum comparison comparison;
    } spoken[] = {{"least", IS_AT_LEAST}, {"most", IS_AT_MOST}, {"more", IS_MORE},
                  {"over", IS_MORE},      {"above", IS_MORE},   {"less", IS_LESS},
                  {"fewer", IS_LESS},     {"under", IS_LESS},   {"below", IS_LESS}};
    size_t next = at + 1;
    while (is_filler_at(reader, next))
        next++;
    if (next >= reader->count || reader->word[next].kind != WORD_NUMBER)
        return false;
    for (size_t i = 0; i < sizeof spoken / sizeof *spoken; i++) {
        if (strcmp(reader->word[at].text, spoken[i].word) == 0) {
            *comparison = spoken[i].comparison;
            return true;
        }
    }
    return false;
}

/* Finds the comparison after a counter; `at` moves to it. */
static bool find_comparison(const struct reader *reader, size_t *at, enum comparison *comparison)
{
    for (size_t i = *at; !ends_args(reader, i); i++) {
        if (operator_at(&reader->word[i], comparison) || words_compare(reader, i, comparison)) {
            *at = i;
            return true;
        }
    }
    return false;
}

static int read_number(struct reader *reader, const char *name, struct atom *atom)
{
    reader->at++;
    skip_fillers(reader);
    if (!reader_end(reader) && reader->word[reader->at].kind == WORD_NUMBER) {
        atom->number = reader->word[reader->at++].number;
        return 0;
    }
    if (reader_end(reader))
        return reader_fail(reader, "number_missing word=%s", name);
    struct str quoted = STR_INIT;
    reader_quote(reader, reader->at, &quoted);
    (void)reader_fail(reader, "no_number word=%s other=%s", name, quoted.p);
    str_release(&quoted);
    return -1;
}

static int fail_comparison(struct reader *reader, const struct counter *counter)
{
    if (*counter->args)
        return reader_fail(reader, "needs_args_comparison word=%s args=%s", counter->name, counter->args);
    return reader_fail(reader, "needs_comparison word=%s", counter->name);
}

/* ---- atoms -------------------------------------------------------------------------------------------- */

static int read_turn(struct reader *reader, struct atom *atom)
{
    atom->kind = ATOM_TURN;
    size_t at = reader->at;
    skip_fillers(reader);
    if (!find_comparison(reader, &at, &atom->comparison) || at != reader->at)
        return reader_fail(reader, "needs_turn_comparison");
    return read_number(reader, "turn", atom);
}

static int read_test(struct reader *reader, struct atom *atom)
{
    const struct counter *counter = atom->counter;
    size_t least = *counter->args && *counter->args != '[';
    size_t from = reader->at;
    if (*counter->args)
        reader->at = args_until(reader, from, least);
    atom->args = reader_args(reader, from, reader->at, "", true);
    return atom->args.count < least
               ? reader_fail(reader, "needs_args word=%s args=%s", counter->name, counter->args)
               : 0;
}

static int read_counter(struct reader *reader, struct atom *atom)
{
    const struct counter *counter = atom->counter;
    size_t least = *counter->args && *counter->args != '[';
    size_t from = reader->at;
    size_t at = from;
    if (!find_comparison(reader, &at, &atom->comparison))
        return fail_comparison(reader, counter);
    atom->args = reader_args(reader, from, at, "", true);
    if (atom->args.count && !*counter->args)
        return reader_fail(reader, "needs_comparison_next word=%s", counter->name);
    reader->at = at;
    if (read_number(reader, counter->name, atom))
        return -1;
    if (*counter->args && !atom->args.count) {
        /* "ENEMY <= 2 STEPS FROM SOLIS" */
        from = reader->at;
        reader->at = args_until(reader, from, 0);
        atom->args = reader_args(reader, from, reader->at, "", true);
    }
    return atom->args.count < least
               ? reader_fail(reader, "needs_args word=%s args=%s", counter->name, counter->args)
               : 0;
}

/* Does a new condition begin after this AND, or does a HAVE list go on ("2 metal and 1 fuel")? */
static bool list_goes_on(const struct reader *reader, size_t at)
{
    static const char *const own[] = {"ok", "fail", "have", "not"};
    while (is_filler_at(reader, at))
        at++;
    if (ends_args(reader, at) || reader_starts_order(reader, at))
        return false;
    for (size_t i = 0; i < sizeof own / sizeof *own; i++)
        if (strcmp(reader->word[at].text, own[i]) == 0)
            return false;
    const struct counter *counter = find_counter(reader->language, &reader->word[at]);
    bool turn = strcmp(reader->word[at].text, "turn") == 0;
    enum comparison comparison;
    at++;
    return !(counter && counter->test) && !((counter || turn) && find_comparison(reader, &at, &comparison));
}

static int read_have(struct reader *reader, struct atom *atom)
{
    if (!reader->language->have)
        return reader_fail(reader, "no_have");
    atom->kind = ATOM_HAVE;
    size_t from = reader->at;
    reader->at = args_until(reader, from, 1);
    while (reader_is(reader, "and") && list_goes_on(reader, reader->at + 1))
        reader->at = args_until(reader, reader->at + 1, 1);
    atom->args = reader_args(reader, from, reader->at, "", true);
    return atom->args.count ? 0 : reader_fail(reader, "have_needs");
}

static int read_atom(struct reader *reader, struct atom *atom)
{
    skip_fillers(reader);
    size_t from = reader->at;
    while (reader_take(reader, "not")) {
        atom->negate = !atom->negate;
        skip_fillers(reader);
    }
    int result = 0;
    if (reader_take(reader, "ok"))
        atom->kind = ATOM_OK;
    else if (reader_take(reader, "fail"))
        atom->kind = ATOM_FAIL;
    else if (reader_take(reader, "have"))
        result = read_have(reader, atom);
    else if (reader_take(reader, "turn"))
        result = read_turn(reader, atom);
    else if (!reader_end(reader) &&
             (atom->counter = find_counter(reader->language, &reader->word[reader->at])) != NULL) {
        atom->kind = ATOM_COUNTER;
        reader->at++;
        result = atom->counter->test ? read_test(reader, atom) : read_counter(reader, atom);
    } else {
        return fail_no_condition(reader);
    }
    atom->text = reader_text(reader, from, reader->at);
    return result;
}

int cond_read(struct reader *reader, struct span *atoms)
{
    struct script *script = reader->script;
    *atoms = (struct span){script->atom_count, 0};
    do {
        script->atoms = mem_grow(script->atoms, script->atom_count, &script->atom_cap, sizeof *script->atoms);
        struct atom *atom = &script->atoms[script->atom_count];
        *atom = (struct atom){.kind = ATOM_OK};
        if (read_atom(reader, atom))
            return -1;
        script->atom_count++;
        atoms->count++;
    } while (reader_take(reader, "and"));
    if (reader_is(reader, "or"))
        return reader_fail(reader, "conditions_or");
    return 0;
}
