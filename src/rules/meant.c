#include "rules/meant.h"

#include <stdio.h>
#include <string.h>

#include "base/nearest.h"
#include "orders/verbs.h"

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
    struct meant *found;
};

static void offer_text(struct search *search, const char *text, const char *name)
{
    size_t before = search->nearest.best ? search->nearest.distance : MOST_TEXT;
    nearest_offer(&search->nearest, text);
    if (search->nearest.best && search->nearest.distance < before)
        (void)snprintf(search->found->name, MEANT_SIZE, "%s", name);
    search->nearest.best =
        search->nearest.best ? search->found->name : NULL; /* not the text, whose room is used again */
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
    const size_t len = strlen(search->nearest.typed);
    return search->nearest.best && search->nearest.distance &&
           3 * search->nearest.distance <= (len > 2 ? len : 3);
}

static void offer_word(void *search, const char *word)
{
    offer(search, word);
}

bool name_meant(const struct ruleset *ruleset, const void *cards, meant_players *players, struct slice words,
                struct meant *meant)
{
    char typed[MOST_TEXT];
    for (int count = first_words(words, MOST_WORDS, typed); count > 0; count--) {
        (void)first_words(words, count, typed);
        struct search search = {NEAREST_INIT(typed), count, meant};
        const char *name;
        language_arguments(ruleset->language, offer_word, &search);
        for (int i = 0; ruleset->words.thing && (name = ruleset->words.thing(cards, i)) != NULL; i++)
            offer(&search, name);
        for (size_t i = 0; players[i]; i++)
            offer(&search, players[i]);
        meant->words = count;
        if (near_enough(&search))
            return true;
    }
    return false;
}
