#include "rules/wish.h"

#include <string.h>

#include "base/nearest.h"
#include "orders/frame.h"
#include "rules/ruleset.h"

const char *wish_line(struct slice name)
{
    for (int i = 0; rulesets[i]; i++)
        if (rulesets[i]->words.wish.line && slice_caseeq(name, rulesets[i]->words.wish.line))
            return rulesets[i]->words.wish.line;
    return NULL;
}

/* The number of the name, 0 = none. */
static int number_of(const struct ruleset *ruleset, const void *cards, struct slice word)
{
    const char *name;
    for (int i = 0; i < WISHES_MOST && (name = ruleset->words.wish.name(cards, i)) != NULL; i++)
        if (slice_caseeq(word, name))
            return i + 1;
    return 0;
}

/* The words up to the next comma; false at the end. */
static bool next_words(struct slice *value, struct slice *word)
{
    size_t len = 0;
    if (!value->len)
        return false;
    while (len < value->len && value->p[len] != ',')
        len++;
    *word = slice_trim(slice_sub(*value, 0, len));
    *value = slice_sub(*value, len + (len < value->len), value->len);
    return true;
}

#define NAME_LOW 40 /* bytes of a name in small letters; what is longer is cut */

static void lower(struct slice word, char out[NAME_LOW])
{
    size_t len = word.len < NAME_LOW ? word.len : NAME_LOW - 1;
    for (size_t i = 0; i < len; i++)
        out[i] = ascii_lower(word.p[i]);
    out[len] = '\0';
}

enum wish_flaw wish_read(const struct ruleset *ruleset, const void *cards, struct slice value,
                         struct wish_list *wishes, struct slice *word)
{
    *wishes = (struct wish_list){{0}};
    if (slice_caseeq(value, WISH_ANY))
        return WISH_GOOD;
    for (int count = 0; next_words(&value, word); count++) {
        int number = number_of(ruleset, cards, *word);
        if (!number)
            return WISH_UNKNOWN;
        if (memchr(wishes->of, number, WISHES_MOST))
            return WISH_TWICE;
        wishes->of[count] = (uint8_t)number; /* there are no more names than places */
    }
    return WISH_GOOD;
}

const char *wish_meant(const struct ruleset *ruleset, const void *cards, struct slice word)
{
    char typed[NAME_LOW], known[NAME_LOW];
    const char *name, *meant = NULL;
    lower(word, typed);
    struct nearest nearest = NEAREST_INIT(typed);
    for (int i = 0; i < WISHES_MOST && (name = ruleset->words.wish.name(cards, i)) != NULL; i++) {
        size_t before = nearest.distance;
        lower(slice_of(name), known);
        nearest_offer(&nearest, known);
        if (nearest.best && (!meant || nearest.distance < before))
            meant = name;
    }
    return meant;
}

bool wish_agrees(const struct ruleset *ruleset, const void *cards, struct slice body, const char *named,
                 struct wish_list *wishes)
{
    struct slice value, word;
    struct str names = STR_INIT;
    bool good = true;
    *wishes = (struct wish_list){{0}};
    if (ruleset->words.wish.line && frame_line(body, ruleset->words.wish.line, &value))
        good = wish_read(ruleset, cards, value, wishes, &word) == WISH_GOOD;
    if (good)
        wish_write(&names, ruleset, cards, wishes);
    good = good && (named != NULL) == (names.len > 0) && (!named || strcmp(named, names.p) == 0);
    str_release(&names);
    return good;
}

void wish_write(struct str *out, const struct ruleset *ruleset, const void *cards,
                const struct wish_list *wishes)
{
    for (int i = 0; i < WISHES_MOST && wishes->of[i]; i++)
        str_addf(out, "%s%s", i ? ", " : "", ruleset->words.wish.name(cards, wishes->of[i] - 1));
}

void wish_names(struct str *out, const struct ruleset *ruleset, const void *cards)
{
    const char *name;
    for (int i = 0; i < WISHES_MOST && (name = ruleset->words.wish.name(cards, i)) != NULL; i++)
        str_addf(out, "%s%s", i ? ", " : "", name);
}
