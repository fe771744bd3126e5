#include "rules/meant.h"

#include <stdio.h>
#include <string.h>

#include "base/nearest.h"

#define MOST_WORDS 4
#define CUT_LEAST  4 /* letters of a beginning */
#define MOST_TEXT  ((size_t)MOST_WORDS * (WORD_MAX + 1))

/* The first words of a text, in small letters, as orders are read; how many there were, at most `most`. */
static int first_words(struct slice text, int most, char out[MOST_TEXT])
{
    struct word words[WORDS_PER_LINE];
    size_t len = 0;
    int count = words_split(text, words, WORDS_PER_LINE);
    *out = '\0';
    if (count > most)
        count = most;
    for (int i = 0; i < count; i++)
        len += (size_t)snprintf(out + len, MOST_TEXT - len, "%s%s", i ? " " : "", words[i].text);
    return count;
}

/* A search for names that begin with so many words as were typed. */
struct search {
    struct nearest nearest;
    int words;
    const char *found;
};

static void offer_text(struct search *search, const char *text, const char *name)
{
    size_t before = search->found ? search->nearest.distance : MOST_TEXT;
    nearest_offer(&search->nearest, text);
    if (search->nearest.best && search->nearest.distance < before)
        search->found = name;
    search->nearest.best = search->found; /* not the text, whose room is used again */
}

/* Names may be cut to a beginning, and so may misspelt ones. */
static void offer(struct search *search, const char *name)
{
    char known[MOST_TEXT];
    size_t typed = strlen(search->nearest.typed);
    if (first_words(slice_of(name), search->words, known) != search->words)
        return;
    offer_text(search, known, name);
    if (typed < CUT_LEAST || typed >= strlen(known))
        return;
    known[typed] = '\0';
    offer_text(search, known, name);
}

/* Nearer than a search for verbs asks for: the names of a game are many. */
static bool near_enough(const struct search *search)
{
    return search->found && 3 * search->nearest.distance <= strlen(search->nearest.typed);
}

const char *name_meant(const struct ruleset *ruleset, const void *cards, meant_players *players,
                       struct slice words)
{
    char typed[MOST_TEXT];
    for (int count = first_words(words, MOST_WORDS, typed); count > 0; count--) {
        (void)first_words(words, count, typed);
        struct search search = {NEAREST_INIT(typed), count, NULL};
        const char *name;
        for (int i = 0; ruleset->words.thing && (name = ruleset->words.thing(cards, i)) != NULL; i++)
            offer(&search, name);
        for (size_t i = 0; players[i]; i++)
            offer(&search, players[i]);
        if (near_enough(&search))
            return search.found;
    }
    return NULL;
}
