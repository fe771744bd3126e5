/* What players may wish for when they join, where a rulebook lets them choose: the ship of Galactic Contract.
 * A line of the text "join" has the names, the first wish first; `deal` of the ruleset serves them. */
#ifndef RULES_WISH_H
#define RULES_WISH_H

#include <stdint.h>

#include "base/str.h"

struct ruleset;

#define WISHES_MOST 8
/* Numbers of names, from 1, the first wish first; 0 after the last. */
struct wish_list {
    uint8_t of[WISHES_MOST];
};

/* The line of that name in which players of some ruleset wish, in small letters; NULL. */
const char *wish_line(struct slice name);

enum wish_flaw {
    WISH_GOOD,
    WISH_UNKNOWN, /* a word is no name */
    WISH_TWICE    /* a name is there twice */
};

/* The value of a wish's line that wishes for nothing; so does an empty one. */
#define WISH_ANY "any"

/* Reads "swift, steadfast", in large or small letters. *word: the words that are wrong. The ruleset must have
 * wishes. */
enum wish_flaw wish_read(const struct ruleset *ruleset, const void *cards, struct slice value,
                         struct wish_list *wishes, struct slice *word);
/* The name that misspelt words were meant for, as the cards have it; NULL when none is near. */
const char *wish_meant(const struct ruleset *ruleset, const void *cards, struct slice word);
/* Is `named`, the member of its record (NULL: absent), what a text with this body wishes for? Gives the wish. */
bool wish_agrees(const struct ruleset *ruleset, const void *cards, struct slice body, const char *named,
                 struct wish_list *wishes);
/* Appends "Swift, Steadfast", as the cards have the names; nothing for no wish. */
void wish_write(struct str *out, const struct ruleset *ruleset, const void *cards,
                const struct wish_list *wishes);
/* All names in the same form. */
void wish_names(struct str *out, const struct ruleset *ruleset, const void *cards);

#endif
