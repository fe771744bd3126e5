/* The state in words, as reports call things. */
#include "rules/spelling.h"

#include "rules/galactic_supremacy/turn.h"

/* By its name where it has one, else by its kind. */
static void card(struct str *out, const void *cards, const void *state, int64_t number)
{
    (void)state;
    if (number < 1 || number % 100 < 1 || number % 100 > GS_CARDS) {
        str_adds(out, "none");
        return;
    }
    const struct gs_card *found = gs_card(cards, (int)number);
    if (*found->name)
        str_addf(out, "%s (%s)", found->name, gs_kind_names[found->kind]);
    else
        str_addf(out, "a %s card", gs_kind_names[found->kind]);
}

static void place(struct str *out, const void *cards, const void *state, int64_t number)
{
    (void)cards;
    (void)state;
    str_adds(out, gs_at_code((int)number).p);
}

static void sector_code(struct str *out, const void *cards, const void *state, int64_t number)
{
    (void)cards;
    (void)state;
    str_addf(out, "S%d", (int)number);
}

static void fleet_code(struct str *out, const void *cards, const void *state, int64_t number)
{
    (void)cards;
    (void)state;
    str_addf(out, "F%d", (int)number);
}

static void leader_code(struct str *out, const void *cards, const void *state, int64_t number)
{
    (void)cards;
    (void)state;
    str_addf(out, "L%d", (int)number);
}

static void kind(struct str *out, const void *cards, const void *state, int64_t number)
{
    (void)cards;
    (void)state;
    str_adds(out, number >= 0 && number < GS_KINDS ? gs_kind_names[number] : "none");
}

static void kind_at(struct str *out, const void *cards, const void *state, int64_t number)
{
    kind(out, cards, state, number - 1);
}

static void tech(struct str *out, const void *cards, const void *state, int64_t number)
{
    const struct gs_cards *all = cards;
    (void)state;
    str_adds(out, number >= 0 && number < GS_TECHS ? all->tech[number].name : "none");
}

static void tech_at(struct str *out, const void *cards, const void *state, int64_t number)
{
    tech(out, cards, state, number - 1);
}

static void deck(struct str *out, const void *cards, const void *state, int64_t number)
{
    const struct gs_state *all = state;
    (void)cards;
    if (all->own_decks)
        str_addf(out, "deck of seat %d", (int)number);
    else
        str_adds(out, "deck");
}

static void phase(struct str *out, const void *cards, const void *state, int64_t number)
{
    static const char *const names[GS_PHASES] = {"draw", "command",  "build", "attack",
                                                 "move", "research", "end"};
    (void)cards;
    (void)state;
    str_adds(out, number >= 0 && number < GS_PHASES ? names[number] : "none");
}

static void ending(struct str *out, const void *cards, const void *state, int64_t number)
{
    static const char *const names[] = {"none", "conquest", "the last round", "agreement"};
    (void)cards;
    (void)state;
    str_adds(out, number >= 0 && number < 4 ? names[number] : "none");
}

const struct spelling gs_spellings[] = {
    {"player[]", "#", spell_seat, NULL},
    {"tech[]", "level of #", tech_at, NULL},
    {"hand[]", "hand", NULL, card},
    {"hand_count", NULL, NULL, NULL},
    {"known[]", NULL, NULL, NULL},
    {"sector[]", "sectors", NULL, NULL},
    {"fleet[]", "fleets", NULL, NULL},
    {"leader[]", "leaders", NULL, NULL},
    {"sector_count", NULL, NULL, NULL},
    {"fleet_count", NULL, NULL, NULL},
    {"leader_count", NULL, NULL, NULL},
    {"card", "", NULL, card},
    {"sector[].number", "", NULL, sector_code},
    {"fleet[].number", "", NULL, fleet_code},
    {"leader[].number", "", NULL, leader_code},
    {"at", "at", NULL, place},
    {"sector[].at", NULL, NULL, NULL},
    {"out", "out of the game", NULL, NULL},
    {"keep[]", "KEEP, place #", NULL, kind},
    {"keep_count", NULL, NULL, NULL},
    {"prefer[]", "PREFER, place #", NULL, tech},
    {"prefer_count", NULL, NULL, NULL},
    {"draw", "would end the game drawn", NULL, NULL},
    {"deck[]", "#", deck, NULL},
    {"draw[]", "cards to come", NULL, card},
    {"draw_count", NULL, NULL, NULL},
    {"discard[]", "discards", NULL, card},
    {"discard_count", NULL, NULL, NULL},
    {"seen[]", "next cards seen by #", spell_seat, NULL},
    {"offer[]", "offers", NULL, NULL},
    {"offer_count", NULL, NULL, NULL},
    {"offered", NULL, NULL, NULL},
    {"from", "from", NULL, spell_seat},
    {"to", "to", NULL, spell_seat},
    {"give[]", "gives # cards", kind_at, NULL},
    {"get[]", "gets # cards", kind_at, NULL},
    {"give_credits", "gives credits", NULL, NULL},
    {"get_credits", "gets credits", NULL, NULL},
    {"offer[].first", NULL, NULL, NULL},
    {"offer[].last", NULL, NULL, NULL},
    {"order[]", "place # in the order", NULL, spell_seat},
    {"active", "whose turn it is", NULL, spell_seat},
    {"phase", "phase", NULL, phase},
    {"extra", "extra card bought", NULL, NULL},
    {"attacks", "attack phases left", NULL, NULL},
    {"peace", "may not be attacked this turn", NULL, spell_seats},
    {"pauses", "pauses in this turn", NULL, NULL},
    {"paused", "turn paused", NULL, NULL},
    {"ending", "the end comes by", NULL, ending},
    {NULL, NULL, NULL, NULL},
};
