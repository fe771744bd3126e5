#include "rules/ruleset.h"

#include "rules/galactic_supremacy/names.h"
#include "rules/galactic_supremacy/turn.h"

#define OPTIONS(limit)                                                                                     \
    {                                                                                                      \
        [GS_OPTION_DECKS] = {"decks", 0, 2, 0,                                                             \
                             "1: a common deck, 2: a deck for each player, 0: common for 2 or 3 players"}, \
        [GS_OPTION_ADVANCED] = {"advanced", 0, 1, 0, "every player starts with five random advances"},     \
        [GS_OPTION_ROUNDS] = {"rounds", 0, 500, (limit),                                                   \
                              "the game ends after this many rounds, 0: only by conquest"},                \
        {NULL, 0, 0, 0, NULL},                                                                             \
    }
static const struct game_option options[] = OPTIONS(60);
/* A conquest is the best of one and the worst of another. */
static const struct moment moments[] = {{"home_destroyed", 50, NULL, NULL},
                                        {"home_destroyed", -50, NULL, "target_seat"},
                                        {"conquered", 10, NULL, NULL},
                                        {"conquered", -10, NULL, "target_seat"},
                                        {"conquered_left", 8, NULL, NULL},
                                        {"conquered_left", -10, NULL, "target_seat"},
                                        {"held", 7, NULL, NULL},
                                        {"researched", 1, "level", NULL},
                                        {"stolen_card", 3, NULL, NULL},
                                        {"destroyed", -2, NULL, NULL},
                                        {NULL, 0, NULL, NULL}};

#define ROUTINE  "produced drew_hidden turn_opens"
#define REPEATED "dealt order_roll won round_limit drawn"

static const struct headline headlines[] = {{"home_destroyed", HEADLINE_TARGET, "fell", NULL},
                                            {"player_out", HEADLINE_OWN, "out", NULL},
                                            {"conquered", HEADLINE_TARGET, "lost", NULL},
                                            {"conquered_left", HEADLINE_TARGET, "lost", NULL},
                                            {"home_destroyed", HEADLINE_OWN, "took_home", NULL},
                                            {"conquered", HEADLINE_OWN, "won", NULL},
                                            {"conquered_left", HEADLINE_OWN, "razed", NULL},
                                            {"held", HEADLINE_OWN, "held", NULL},
                                            {"held", HEADLINE_TARGET, "repulsed", NULL},
                                            {"assassinated", HEADLINE_TARGET, "assassinated", NULL},
                                            {"sabotaged_fleet", HEADLINE_TARGET, "sabotaged", NULL},
                                            {"stolen_card", HEADLINE_TARGET, "robbed", NULL},
                                            {"sabotaged_industry", HEADLINE_TARGET, "impoverished", NULL},
                                            {"home_destroyed", HEADLINE_OTHERS, "rival_fell", NULL},
                                            {"player_out", HEADLINE_OTHERS, "rival_out", NULL},
                                            {"seat_resigned", HEADLINE_OTHERS, "rival_resigned", NULL},
                                            {"traded", HEADLINE_OWN, "deal", NULL},
                                            {"traded", HEADLINE_TARGET, "deal", NULL},
                                            {"offered", HEADLINE_TARGET, "offered", NULL},
                                            {"offer_declined", HEADLINE_ANY, "declined", NULL},
                                            {"offer_withdrawn", HEADLINE_ANY, "withdrawn", NULL},
                                            {"offered", HEADLINE_OWN, "offer_made", NULL},
                                            {"conquered", HEADLINE_OTHERS, "rival_won", NULL},
                                            {"conquered_left", HEADLINE_OTHERS, "rival_won", NULL},
                                            {"votes_draw", HEADLINE_OTHERS, "draw", NULL},
                                            {"traded_openly", HEADLINE_OTHERS, "rival_deal", NULL},
                                            {"researched", HEADLINE_OWN, "researched", NULL},
                                            {"caught_up", HEADLINE_OWN, "researched", NULL},
                                            {"directed", HEADLINE_OWN, "researched", NULL},
                                            {"built", HEADLINE_OWN, "built", NULL},
                                            {NULL, HEADLINE_ANY, NULL, NULL}};

/* Sectors and leaders, then technologies, then what command cards can be used for. */
static const char *thing(const void *data, int index)
{
    const struct gs_cards *cards = data;
    if (index < GS_CARDS)
        return cards->card[index + 1].name;
    index -= GS_CARDS;
    if (index < GS_TECHS)
        return cards->tech[index].id;
    index -= GS_TECHS;
    if (index < GS_USES)
        return cards->use[index].id;
    index -= GS_USES;
    return index < GS_KINDS ? gs_kind_names[index] : NULL;
}

extern const struct ruleset galactic_supremacy_ruleset;
const struct ruleset galactic_supremacy_ruleset = {
    .name = "galactic-supremacy",
    .folder = "galactic_supremacy",
    .title = "Galactic Supremacy",
    .version = GS_VERSION,
    .views = 2,
    .seats_min = 2,
    .seats_max = GS_SEATS,
    .state_size = sizeof(struct gs_state),
    .cards_size = sizeof(struct gs_cards),
    .fields = gs_fields,
    .language = &gs_language,
    .options = options,
    .words.thing = thing,
    .early = true,
    .words.names_players = true,
    .words.own = gs_own_word,
    .rulebook = "Galactic Supremacy, by Lloyd Krassner",
    .cards_load = gs_cards_load,
    .init = gs_init,
    .deal = gs_deal,
    .awaits = gs_awaits,
    .play = gs_play,
    .instant = gs_instant,
    .interrupted = gs_interrupted,
    .view = gs_view,
    .shown.form = gs_form,
    .shown.picture = gs_picture,
    .shown.headlines = headlines,
    .shown.routine = ROUTINE,
    .shown.idle = "pass defend",
    .shown.repeated = REPEATED,
    .shown.stakes = gs_stakes,
    .end.scores = gs_scores,
    .end.ending = gs_ending,
    .end.moments = moments,
    .end.reveal = gs_reveal,
    .robot = gs_robot,
    .conceal = gs_conceal,
    .check = gs_check,
};
