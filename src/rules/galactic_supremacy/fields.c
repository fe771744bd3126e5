/* The members of the state: what they are called in documents, and in words where players read them. */
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

/* A leader is at a world or on a fleet; a sector is nowhere else. */
#define UNIT_FIELDS(code)                                         \
    {FIELD(struct gs_unit, card), .words = "", .value = card},    \
    {                                                             \
        FIELD(struct gs_unit, number), .words = "", .value = code \
    }
static const struct field sector_fields[] = {
    UNIT_FIELDS(sector_code),
    {FIELD(struct gs_unit, at), .unsaid = true},
    FIELD_END,
};
static const struct field fleet_fields[] = {
    UNIT_FIELDS(fleet_code),
    {FIELD(struct gs_unit, at), .words = "at", .value = place},
    FIELD_END,
};
static const struct field leader_fields[] = {
    UNIT_FIELDS(leader_code),
    {FIELD(struct gs_unit, at), .words = "at", .value = place},
    FIELD_END,
};

static const struct field player_fields[] = {
    {FIELD(struct gs_player, out), .words = "out of the game"},
    {FIELD(struct gs_player, credits)},
    {FIELD_LIST(struct gs_player, tech, NULL), .words = "level of #", .index = tech_at},
    {FIELD(struct gs_player, hand_count)},
    {FIELD(struct gs_player, sector_count)},
    {FIELD(struct gs_player, fleet_count)},
    {FIELD(struct gs_player, leader_count)},
    {FIELD_LIST(struct gs_player, hand, "hand_count"), .words = "hand", .value = card},
    {FIELD_LIST(struct gs_player, known, "hand_count"), .unsaid = true},
    {FIELD_SUBS(struct gs_player, sector, "sector_count", sector_fields), .words = "sectors"},
    {FIELD_SUBS(struct gs_player, fleet, "fleet_count", fleet_fields), .words = "fleets"},
    {FIELD_SUBS(struct gs_player, leader, "leader_count", leader_fields), .words = "leaders"},
    {FIELD(struct gs_player, keep_count)},
    {FIELD(struct gs_player, prefer_count)},
    {FIELD_LIST(struct gs_player, keep, "keep_count"), .words = "KEEP, place #", .value = kind},
    {FIELD_LIST(struct gs_player, prefer, "prefer_count"), .words = "PREFER, place #", .value = tech},
    {FIELD(struct gs_player, draw), .words = "would end the game drawn"},
    FIELD_END,
};

static const struct field deck_fields[] = {
    {FIELD(struct gs_deck, draw_count)},
    {FIELD(struct gs_deck, discard_count)},
    {FIELD_LIST(struct gs_deck, draw, "draw_count"), .words = "cards to come", .value = card},
    {FIELD_LIST(struct gs_deck, discard, "discard_count"), .words = "discards", .value = card},
    {FIELD_LIST(struct gs_deck, seen, NULL), .words = "next cards seen by #", .index = spell_seat},
    FIELD_END,
};

static const struct field offer_fields[] = {
    {FIELD(struct gs_offer, number)},
    {FIELD(struct gs_offer, from), .words = "from", .value = spell_seat},
    {FIELD(struct gs_offer, to), .words = "to", .value = spell_seat},
    {FIELD_LIST(struct gs_offer, give, NULL), .words = "gives # cards", .index = kind_at},
    {FIELD_LIST(struct gs_offer, get, NULL), .words = "gets # cards", .index = kind_at},
    {FIELD(struct gs_offer, give_credits), .words = "gives credits"},
    {FIELD(struct gs_offer, get_credits), .words = "gets credits"},
    {FIELD(struct gs_offer, first), .unsaid = true},
    {FIELD(struct gs_offer, last), .unsaid = true},
    FIELD_END,
};

const struct field gs_fields[] = {
    {FIELD(struct gs_state, seats)},
    {FIELD(struct gs_state, own_decks)},
    {FIELD(struct gs_state, advanced)},
    {FIELD(struct gs_state, round_limit)},
    {FIELD(struct gs_state, round)},
    {FIELD_LIST(struct gs_state, order, "seats"), .words = "place # in the order", .value = spell_seat},
    {FIELD(struct gs_state, active), .words = "whose turn it is", .value = spell_seat},
    {FIELD(struct gs_state, ending), .words = "the end comes by", .value = ending},
    {FIELD(struct gs_state, phase), .words = "phase", .value = phase},
    {FIELD(struct gs_state, extra), .words = "extra card bought"},
    {FIELD(struct gs_state, attacks), .words = "attack phases left"},
    {FIELD(struct gs_state, peace), .words = "may not be attacked this turn", .value = spell_seats},
    {FIELD(struct gs_state, pauses), .words = "pauses in this turn"},
    {FIELD(struct gs_state, paused), .words = "turn paused"},
    {FIELD(struct gs_state, offered), .unsaid = true},
    {FIELD(struct gs_state, offer_count)},
    {FIELD_SUBS(struct gs_state, offer, "offer_count", offer_fields), .words = "offers"},
    {FIELD(struct gs_state, deck_count)},
    {FIELD_SUBS(struct gs_state, deck, "deck_count", deck_fields), .words = "#", .index = deck},
    {FIELD_SUBS(struct gs_state, player, "seats", player_fields), .words = "#", .index = spell_seat},
    FIELD_END,
};
