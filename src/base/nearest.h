/* The known word that a misspelt one was meant to be; used for options and keys as well. */
#ifndef BASE_NEAREST_H
#define BASE_NEAREST_H

#include <stddef.h>

/* The number of letters to change, drop, add or swap with a neighbour (optimal string alignment); words of
 * more than 31 bytes are compared by their first 31. */
size_t word_distance(const char *a, const char *b);

/* A search over any tables of words: start with NEAREST_INIT(typed), offer every known word, take `best`. */
struct nearest {
    const char *typed;
    const char *best; /* NULL: nothing near enough */
    size_t distance;
};
#define NEAREST_INIT(word) \
    {                      \
        (word), NULL, 0    \
    }
/* Near enough: a distance of 1 for words up to three letters, else 2; or `known` begins with the typed word.
 */
void nearest_offer(struct nearest *search, const char *known);

#endif
