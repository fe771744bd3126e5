/* Reading a ruleset's card file (struct ruleset.cards_load): members of its objects, with errors that name
 * the card and the field ("card 12: \"name\" must be a text"). All reading functions return 0, or -1 with
 * ERR_BROKEN. */
#ifndef RULES_CARDS_H
#define RULES_CARDS_H

#include <jansson.h>
#include <stddef.h>

#include "base/err.h"

#define CARD_WHAT 72 /* bytes of an object's name in errors */

/* An object of the file that is being read. */
struct card_reader {
    const json_t *object;
    struct err *err;
    char what[CARD_WHAT]; /* "card 12", "representative 8, ability" */
};

/* The whole file, which must be the one of this game. */
int cards_open(struct card_reader *file, const json_t *json, const char *game, struct err *err)
    __attribute__((warn_unused_result));
/* An object inside the one that another reader reads; its name is derived. */
struct card_reader card_inside(const struct card_reader *outer, const json_t *object, const char *what, ...)
    __attribute__((format(printf, 3, 4)));
/* Refuses the object: "card 12: " and the words. Returns -1. */
int card_refuse(const struct card_reader *card, const char *words, ...) __attribute__((format(printf, 2, 3)));

/* ---- members ---- */

int card_int(const struct card_reader *card, const char *key, int min, int max, int *out)
    __attribute__((warn_unused_result));
/* An amount from 0 that may be left out (0). */
int card_amount(const struct card_reader *card, const char *key, int max, int *out)
    __attribute__((warn_unused_result));
int card_text(const struct card_reader *card, const char *key, const char **out /* borrowed */)
    __attribute__((warn_unused_result));
/* A text of 1 to size-1 bytes that are safe to show. */
int card_name(const struct card_reader *card, const char *key, char *out, size_t size)
    __attribute__((warn_unused_result));
/* One of the words (NULL ends them); *out is its index. */
int card_word(const struct card_reader *card, const char *key, const char *const *words, int *out)
    __attribute__((warn_unused_result));
/* Exactly this word: fixed in the program, so the file must agree. */
int card_exactly(const struct card_reader *card, const char *key, const char *word)
    __attribute__((warn_unused_result));
/* "id" must be the letter and the number, as in O7. */
int card_id(const struct card_reader *card, char letter, int number) __attribute__((warn_unused_result));
/* An object, named after the member: "card 12, lose". */
int card_object(const struct card_reader *card, const char *key, struct card_reader *out)
    __attribute__((warn_unused_result));
/* A list of min to max elements, borrowed; NULL on error. */
const json_t *card_list(const struct card_reader *card, const char *key, size_t min, size_t max)
    __attribute__((warn_unused_result));
/* "source" must be there: one mark, or an object of marks by field (its "note" is free text). */
int card_source(const struct card_reader *card) __attribute__((warn_unused_result));

/* ---- the file ---- */

/* A number of the game, in a section of the file. */
struct card_number {
    const char *section, *key;
    int min, max;
    int *to;
};
/* All numbers; their sections give their source. */
int cards_numbers(const struct card_reader *file, const struct card_number *numbers, size_t count)
    __attribute__((warn_unused_result));

/* A list of the file with elements of one kind. */
struct card_kind {
    const char *section, *one; /* "orders", "order" */
    size_t min, max;
    char id; /* letter of the ids ("O7"); '\0': they have none, or load() reads it */
    int (*load)(const struct card_reader *card, int index /* from 0 */, void *cards);
};
/* Reads every element by load(), and its source. Returns how many there are, or -1. */
int cards_each(const struct card_reader *file, const struct card_kind *kind, void *cards)
    __attribute__((warn_unused_result));

#endif
