#include "rules/ruleset.h"

#include "rules/galaxy_farmer/turn.h"

static const struct game_option options[] = {
    [GF_OPTION_DIFFICULTY] = {"difficulty", GF_EASY, GF_HARD, GF_NORMAL,
                              "0 easy (6 workers may die), 1 normal, 2 hard (28 points)"},
    [GF_OPTION_SHIP] =
        {"ship", 0, GF_SHIPS - 1, 0,
         "0 as the player wishes, else Harvester (cargo 6, bunks 5), 1 Drover (5, 7), 2 Bulker (8, 4)"},
    [GF_OPTION_LENIENT] = {"lenient", 0, 1, 0, "the fifth failed order loses, not the fourth"},
    {NULL, 0, 0, 0, NULL},
};

static const struct moment moments[] = {{"order_done", 3, "points", NULL}, {"quest_done", 5, NULL, NULL},
                                        {"fought", 6, NULL, NULL},         {"repelled", 6, NULL, NULL},
                                        {"order_failed", -12, NULL, NULL}, {"ship_struck", -10, NULL, NULL},
                                        {"landed", -8, "killed", NULL},    {NULL, 0, NULL, NULL}};

#define REPEATED "dealt won orders_failed workers_killed troops_everywhere events_over refuelled"

static const struct headline headlines[] = {
    {"order_failed", HEADLINE_ANY, "failed", NULL}, {"order_done", HEADLINE_ANY, "done", NULL},
    {"ship_struck", HEADLINE_ANY, "struck", NULL},  {"landed", HEADLINE_ANY, "killed", "killed"},
    {"partner", HEADLINE_ANY, "partner", NULL},     {"quest_done", HEADLINE_ANY, "quest", NULL},
    {"fought", HEADLINE_ANY, "fought", NULL},       {"repelled", HEADLINE_ANY, "repelled", NULL},
    {"landed", HEADLINE_ANY, "landed", "troop"},    {"meteor", HEADLINE_ANY, "meteor", NULL},
    {"rich_grown", HEADLINE_ANY, "rich", NULL},     {"turned", HEADLINE_ANY, "turned", NULL},
    {"harvested", HEADLINE_ANY, "harvested", NULL}, {"collected", HEADLINE_ANY, "collected", NULL},
    {"event_drawn", HEADLINE_ANY, "event", NULL},   {NULL, HEADLINE_ANY, NULL, NULL}};

/* Planets with what grows there, then representatives, then orders. */
static const char *thing(const void *data, int index)
{
    const struct gf_cards *cards = data;
    if (index < 2 * GF_PLANETS)
        return index % 2 ? cards->planet[index / 2 + 1].resource : cards->planet[index / 2 + 1].name;
    index -= 2 * GF_PLANETS;
    if (index < GF_PLANETS)
        return cards->rep[index + 1].name;
    index -= GF_PLANETS;
    return index < GF_ORDERS ? cards->order[index + 1].name : NULL;
}

static const char *ship(const void *data, int index)
{
    const struct gf_cards *cards = data;
    return index < GF_SHIPS ? cards->ship[index].name : NULL;
}

static bool chosen(const int set[GAME_OPTIONS], int seat)
{
    (void)seat;
    return set[GF_OPTION_SHIP] != 0;
}

extern const struct ruleset galaxy_farmer_ruleset;
const struct ruleset galaxy_farmer_ruleset = {
    .name = "galaxy-farmer",
    .folder = "galaxy_farmer",
    .title = "Galaxy Farmer",
    .version = GF_VERSION,
    .views = 2,
    .seats_min = 1,
    .seats_max = 1,
    .state_size = sizeof(struct gf_state),
    .cards_size = sizeof(struct gf_cards),
    .fields = gf_fields,
    .language = &gf_language,
    .options = options,
    .words.thing = thing,
    .draws_nothing = true,
    .words.wish = {"ship", ship, chosen},
    .rulebook = "Galaxy Farmer, Rules V1.1",
    .cards_load = gf_cards_load,
    .init = gf_init,
    .deal = gf_deal,
    .awaits = gf_awaits,
    .play = gf_play,
    .view = gf_view,
    .shown.form = gf_form,
    .shown.picture = gf_picture,
    .shown.headlines = headlines,
    .shown.auto_first = true,
    .shown.repeated = REPEATED,
    .shown.stakes = gf_stakes,
    .end.scores = gf_scores,
    .end.ending = gf_ending,
    .end.moments = moments,
    .end.reveal = gf_reveal,
    .robot = gf_robot,
    .conceal = gf_conceal,
    .check = gf_check,
};
