#include "rules/ruleset.h"

#include "rules/galactic_contract/turn.h"

static const struct game_option options[] = {
    [GK_OPTION_SHORT] = {"short", 0, 1, 0, "one or two players: piles of 3 shipments, a shorter game"},
    [GK_OPTION_FINISH_ROUND] = {"finish_round", 0, 1, 0,
                                "house rule: the round is played out, so that all have the same turns"},
    [GK_OPTION_SHIP] = {"ship1", 0, GK_SHIPS, 0,
                        "ship that seat 1 gets before all wishes; 0 = as its player wishes"},
    [GK_OPTION_SHIP + 1] = {"ship2", 0, GK_SHIPS, 0, "the same for seat 2"},
    [GK_OPTION_SHIP + 2] = {"ship3", 0, GK_SHIPS, 0, "the same for seat 3"},
    [GK_OPTION_SHIP + 3] = {"ship4", 0, GK_SHIPS, 0, "the same for seat 4"},
    {NULL, 0, 0, 0, NULL},
};

static const struct moment moments[] = {{"shipped", 3, "points", NULL},
                                        {"traded", 2, "points", NULL},
                                        {"bought", 1, "points", NULL},
                                        {"gift_taken", 4, NULL, NULL},
                                        {NULL, 0, NULL, NULL}};

#define ROUTINE  "collected_stored loaded stored discarded swapped stayed"
#define REPEATED "dealt final_score won won_together trade_opened shipment_opened shipments_done trades_done"

static const struct headline headlines[] = {{"round_goes_on", HEADLINE_ANY, "last_round", NULL},
                                            {"shipped", HEADLINE_OWN, "shipped", NULL},
                                            {"pile_empty", HEADLINE_ANY, "pile_empty", NULL},
                                            {"traded", HEADLINE_OWN, "traded", NULL},
                                            {"bought", HEADLINE_OWN, "bought", NULL},
                                            {"seat_resigned", HEADLINE_OTHERS, "rival_resigned", NULL},
                                            {"shipped", HEADLINE_OTHERS, "rival_shipped", NULL},
                                            {"traded", HEADLINE_OTHERS, "rival_traded", NULL},
                                            {"gift_taken", HEADLINE_OWN, "gift", NULL},
                                            {"collected", HEADLINE_OWN, "collected", "goods"},
                                            {"bought", HEADLINE_OTHERS, "rival_bought", NULL},
                                            {NULL, HEADLINE_ANY, NULL, NULL}};

/* Planets, then upgrades, then constructions. */
static const char *thing(const void *data, int index)
{
    const struct gk_cards *cards = data;
    if (index < GK_PLANETS)
        return cards->planet[index + 1].name;
    index -= GK_PLANETS;
    if (index < GK_UPGRADES)
        return cards->upgrade[index + 1].name;
    index -= GK_UPGRADES;
    if (index < GK_CONSTRUCTIONS)
        return cards->construction[index + 1].name;
    index -= GK_CONSTRUCTIONS;
    return index < GK_KINDS ? gk_kinds[index] : NULL;
}

static const char *ship(const void *data, int index)
{
    const struct gk_cards *cards = data;
    return index < GK_SHIPS ? gk_ship_card(cards, index + 1)->name : NULL;
}

static bool chosen(const int set[GAME_OPTIONS], int seat)
{
    return set[GK_OPTION_SHIP + seat - 1] != 0;
}

extern const struct ruleset galactic_contract_ruleset;
const struct ruleset galactic_contract_ruleset = {
    .name = "galactic-contract",
    .folder = "galactic_contract",
    .title = "Galactic Contract",
    .version = GK_VERSION,
    .views = 2,
    .seats_min = 1,
    .seats_max = GK_SEATS,
    .state_size = sizeof(struct gk_state),
    .cards_size = sizeof(struct gk_cards),
    .fields = gk_fields,
    .language = &gk_language,
    .options = options,
    .words.thing = thing,
    .words.wish = {"ship", ship, chosen},
    .early = true,
    .rulebook = "Galactic Contract, by Red Haiku",
    .cards_load = gk_cards_load,
    .init = gk_init,
    .deal = gk_deal,
    .awaits = gk_awaits,
    .play = gk_play,
    .interrupted = gk_interrupted,
    .view = gk_view,
    .shown.form = gk_form,
    .shown.picture = gk_picture,
    .shown.headlines = headlines,
    .shown.routine = ROUTINE,
    .shown.repeated = REPEATED,
    .shown.stakes = gk_stakes,
    .end.scores = gk_scores,
    .end.ending = gk_ending,
    .end.moments = moments,
    .end.reveal = gk_reveal,
    .robot = gk_robot,
    .conceal = gk_conceal,
    .check = gk_check,
};
