/* The state in words, as reports call things. */
#include "rules/spelling.h"

#include "rules/galaxy_command/turn.h"

static void card(struct str *out, const void *cards, const void *state, int64_t number)
{
    (void)state;
    str_adds(out, number > 0 && number <= GC_CARDS ? gc_card(cards, (int)number)->name : "none");
}

static void aligned(struct str *out, const void *cards, const void *state, int64_t number)
{
    (void)cards;
    (void)state;
    if (number)
        str_addf(out, "yes, as number %d", (int)number);
    else
        str_adds(out, "no");
}

/* Technologies are members of the state, and their names are in the cards. */
#define TECHNOLOGY(id, number)                                                          \
    static void id(struct str *out, const void *cards, const void *state, int64_t none) \
    {                                                                                   \
        (void)state;                                                                    \
        (void)none;                                                                     \
        str_adds(out, ((const struct gc_cards *)cards)->tech[number].name);             \
    }
TECHNOLOGY(capital, GC_CAPITAL)
TECHNOLOGY(forward, GC_FORWARD)
TECHNOLOGY(robots, GC_ROBOTS)
TECHNOLOGY(defenses, GC_DEFENSES)
TECHNOLOGY(television, GC_TELEVISION)
TECHNOLOGY(diplomacy, GC_DIPLOMACY)
TECHNOLOGY(commerce, GC_COMMERCE)
TECHNOLOGY(banking, GC_BANKING)

const struct spelling gc_spellings[] = {
    {"player[]", "#", spell_seat, NULL},
    {"near[]", "N#", NULL, NULL},
    {"far[]", "F#", NULL, NULL},
    {"card", "system", NULL, card},
    {"open", "turned up", NULL, NULL},
    {"aligned", "aligned", NULL, aligned},
    {"alignments", "systems aligned so far", NULL, NULL},
    {"tech", "technology", NULL, NULL},
    {"tech.capital", "#", capital, NULL},
    {"tech.forward", "#", forward, NULL},
    {"tech.robots", "#", robots, NULL},
    {"tech.defenses", "#", defenses, NULL},
    {"tech.television", "#", television, NULL},
    {"tech.diplomacy", "#", diplomacy, NULL},
    {"tech.commerce", "#", commerce, NULL},
    {"tech.banking", "#", banking, NULL},
    {"lost", "home world lost", NULL, NULL},
    {"strike", "strike: nothing at the next collecting", NULL, NULL},
    {"diplomacy", "next action succeeds without a die", NULL, NULL},
    {"pile[]", "events to come", NULL, card},
    {"unused[]", "events set aside", NULL, card},
    {"used[]", "events that have happened", NULL, card},
    {"pile_count", NULL, NULL, NULL},
    {"unused_count", NULL, NULL, NULL},
    {"used_count", NULL, NULL, NULL},
    {"first", "first to move", NULL, spell_seat},
    {"over", "game over", NULL, NULL},
    {NULL, NULL, NULL, NULL},
};
