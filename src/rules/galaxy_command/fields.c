/* The members of the state: what they are called in documents, and in words where players read them. */
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

#define TECH_FIELD(id, number)                                                                              \
    .name = #id, .type = FIELD_BOOL, .offset = (number) * sizeof(bool), .size = sizeof(bool), .words = "#", \
    .index = id
static const struct field tech_fields[] = {
    {TECH_FIELD(capital, GC_CAPITAL)},
    {TECH_FIELD(forward, GC_FORWARD)},
    {TECH_FIELD(robots, GC_ROBOTS)},
    {TECH_FIELD(defenses, GC_DEFENSES)},
    {TECH_FIELD(television, GC_TELEVISION)},
    {TECH_FIELD(diplomacy, GC_DIPLOMACY)},
    {TECH_FIELD(commerce, GC_COMMERCE)},
    {TECH_FIELD(banking, GC_BANKING)},
    FIELD_END,
};

static const struct field slot_fields[] = {
    {FIELD(struct gc_slot, card), .words = "system", .value = card},
    {FIELD(struct gc_slot, open), .words = "turned up"},
    {FIELD(struct gc_slot, aligned), .words = "aligned", .value = aligned},
    FIELD_END,
};

#define SLOTS(first, number)                                                                                 \
    .type = FIELD_STRUCT, .offset = offsetof(struct gc_player, slot[first]), .size = sizeof(struct gc_slot), \
    .count = (number), .sub = slot_fields
static const struct field player_fields[] = {
    {FIELD(struct gc_player, lost), .words = "home world lost"},
    {FIELD(struct gc_player, metal)},
    {FIELD(struct gc_player, wealth)},
    {FIELD(struct gc_player, military)},
    {FIELD_SUB(struct gc_player, tech, tech_fields), .words = "technology"},
    {FIELD(struct gc_player, strike), .words = "strike: nothing at the next collecting"},
    {FIELD(struct gc_player, diplomacy), .words = "next action succeeds without a die"},
    {FIELD(struct gc_player, alignments), .words = "systems aligned so far"},
    {.name = "near", SLOTS(0, GC_NEAR_SLOTS), .words = "N#"},
    {.name = "far", SLOTS(GC_NEAR_SLOTS, GC_FAR_SLOTS), .words = "F#"},
    FIELD_END,
};

const struct field gc_fields[] = {
    {FIELD(struct gc_state, seats)},
    {FIELD(struct gc_state, solo18)},
    {FIELD(struct gc_state, coop)},
    {FIELD(struct gc_state, year)},
    {FIELD(struct gc_state, round)},
    {FIELD(struct gc_state, first), .words = "first to move", .value = spell_seat},
    {FIELD(struct gc_state, over), .words = "game over"},
    {FIELD(struct gc_state, pile_count)},
    {FIELD(struct gc_state, unused_count)},
    {FIELD(struct gc_state, used_count)},
    {FIELD_LIST(struct gc_state, pile, "pile_count"), .words = "events to come", .value = card},
    {FIELD_LIST(struct gc_state, unused, "unused_count"), .words = "events set aside", .value = card},
    {FIELD_LIST(struct gc_state, used, "used_count"), .words = "events that have happened", .value = card},
    {FIELD_SUBS(struct gc_state, player, "seats", player_fields), .words = "#", .index = spell_seat},
    FIELD_END,
};
