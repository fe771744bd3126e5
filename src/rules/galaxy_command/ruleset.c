#include "rules/ruleset.h"

#include "rules/galaxy_command/turn.h"

static const struct game_option options[] = {
    [GC_OPTION_SOLO18] = {"solo18", 0, 1, 0, "one player with cards 1-18 only, the original solitaire game"},
    [GC_OPTION_COOP] = {"coop", 1, 3, 2,
                        "distant systems to hold for the common victory, on average per player"},
    {NULL, 0, 0, 0, NULL},
};

const struct rank_code gc_ranks[] = {
    {"Demoted", "demoted"},
    {"Remain a Commander", "commander"},
    {"Promoted to Captain", "captain"},
    {"Promoted to Commodore", "commodore"},
    {"Promoted to Admiral", "admiral"},
    {"Lost", "lost"},
    {NULL, NULL},
};

/* The stronger the system, the more it pleases to win or to keep it. */
static const struct moment moments[] = {
    {"attack_won", 1, "resistance", NULL},   {"attack_free", 1, "resistance", NULL},
    {"invasion_held", 1, NULL, NULL},        {"revolt_held", 1, NULL, NULL},
    {"home_lost", -100, NULL, NULL},         {"invasion_lost", -1, "resistance", NULL},
    {"revolt_lost", -1, "resistance", NULL}, {"alert_hit", -3, NULL, NULL},
    {"attack_lost", -2, NULL, NULL},         {NULL, 0, NULL, NULL}};

#define ROUTINE  "explored collected collected_half collected_nothing swapped built gained gain_ignored"
#define REPEATED "dealt event_drawn years_over all_lost final_score final_lost common_victory common_defeat"

static const struct headline headlines[] = {{"home_lost", HEADLINE_OWN, "fell", NULL},
                                            {"revolt_lost", HEADLINE_OWN, "lost", NULL},
                                            {"invasion_lost", HEADLINE_OWN, "lost", NULL},
                                            {"attack_won", HEADLINE_OWN, "won", NULL},
                                            {"attack_free", HEADLINE_OWN, "won", NULL},
                                            {"alert_hit", HEADLINE_OWN, "hit", NULL},
                                            {"home_lost", HEADLINE_OTHERS, "rival_fell", NULL},
                                            {"seat_resigned", HEADLINE_OTHERS, "rival_resigned", NULL},
                                            {"attack_lost", HEADLINE_OWN, "repulsed", NULL},
                                            {"revolt_held", HEADLINE_OWN, "held", NULL},
                                            {"invasion_held", HEADLINE_OWN, "held", NULL},
                                            {"year_begins", HEADLINE_ANY, "year", NULL},
                                            {"researched", HEADLINE_OWN, "researched", NULL},
                                            {"explored", HEADLINE_OWN, "explored", NULL},
                                            {"attack_won", HEADLINE_OTHERS, "rival_won", NULL},
                                            {"attack_free", HEADLINE_OTHERS, "rival_won", NULL},
                                            {"revolt_lost", HEADLINE_OTHERS, "rival_lost", NULL},
                                            {"invasion_lost", HEADLINE_OTHERS, "rival_lost", NULL},
                                            {"built", HEADLINE_OWN, "built", NULL},
                                            {"gained", HEADLINE_OWN, "gained", NULL},
                                            {"strike", HEADLINE_ANY, "strike", NULL},
                                            {NULL, HEADLINE_ANY, NULL, NULL}};

/* Systems, then technologies. */
static const char *thing(const void *data, int index)
{
    const struct gc_cards *cards = data;
    const struct gc_card *card = index < GC_CARDS ? &cards->card[index + 1] : NULL;
    if (card)
        return card->kind == GC_NEAR || card->kind == GC_DISTANT ? card->name : "";
    return index < GC_CARDS + GC_TECHS ? cards->tech[index - GC_CARDS].id : NULL;
}

extern const struct ruleset galaxy_command_ruleset;
const struct ruleset galaxy_command_ruleset = {
    .name = "galaxy-command",
    .folder = "galaxy_command",
    .title = "Galaxy Command",
    .version = GC_VERSION,
    .views = 2,
    .seats_min = 1,
    .seats_max = GC_SEATS,
    .state_size = sizeof(struct gc_state),
    .cards_size = sizeof(struct gc_cards),
    .fields = gc_fields,
    .language = &gc_language,
    .options = options,
    .words.thing = thing,
    .rulebook = "Galaxy Command, by Robert Bartelli",
    .cards_load = gc_cards_load,
    .init = gc_init,
    .deal = gc_deal,
    .awaits = gc_awaits,
    .play = gc_play,
    .view = gc_view,
    .shown.form = gc_form,
    .shown.picture = gc_picture,
    .shown.own_picture = true,
    .shown.headlines = headlines,
    .shown.routine = ROUTINE,
    .shown.own_first = true,
    .shown.belong = "alert_nobody alert_hit alert_safe",
    .shown.undo = "lost won rival_lost rival_won",
    .shown.repeated = REPEATED,
    .shown.stakes = gc_stakes,
    .end.scores = gc_scores,
    .end.ending = gc_ending,
    .end.moments = moments,
    .end.reveal = gc_reveal,
    .end.ranks = gc_ranks,
    .robot = gc_robot,
    .conceal = gc_conceal,
    .check = gc_check,
};
