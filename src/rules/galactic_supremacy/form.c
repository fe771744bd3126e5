/* The orders that make sense now, each ready to be sent, with a note on what it would do. */
#include <stdlib.h>

#include "base/str.h"
#include "rules/put.h"
#include "rules/galactic_supremacy/attack.h"

#define TARGETS 8  /* attacks for which odds are computed */
#define FAIR    50 /* in 100: what is so likely may be the first line, which "ok" means */
#define POOR    10 /* what is less likely only costs fleets */
#define BARGAIN 25 /* an exchange that brings less often what it is for only costs a card */

struct form {
    struct value *list;
    const struct gs_cards *cards;
    const struct gs_state *state;
    const struct gs_player *player;
    struct gs_player kept; /* with the hand that is left after the draw phase, whose limit may take cards */
    int seat;
    int credits; /* that can be spent in the build phase */
};

static int held(const struct form *form, enum gs_kind kind)
{
    return gs_hand_count(form->cards, form->player, kind);
}

/* After the draw phase. */
static int keeps(const struct form *form, enum gs_kind kind)
{
    return gs_hand_count(form->cards, &form->kept, kind);
}

static void suggest_builds(const struct form *form)
{
    static const struct {
        enum gs_kind kind;
        const char *line;
    } builds[] = {
        {GS_SECTOR, "build sector"}, {GS_FLEET, "build fleet at home"}, {GS_LEADER, "build leader on home"}};
    const int costs[] = {form->cards->cost_sector, form->cards->cost_fleet, form->cards->cost_leader};
    bool early = form->state->phase == GS_PHASE_DRAW;
    if (form->state->phase > GS_PHASE_BUILD)
        return;
    for (size_t i = 0; i < sizeof(builds) / sizeof(builds[0]); i++) {
        bool taken = builds[i].kind == GS_LEADER && gs_leader_at(form->player, GS_HOME);
        if (!keeps(form, builds[i].kind) || form->credits < costs[i] || taken)
            continue;
        suggest(form->list, builds[i].line, "build cost=%d credits=%d early?=%d", costs[i], form->credits,
                early);
    }
}

/* An attack with all fleets. */
struct raid {
    int target, world;
    int odds, fleets; /* in 100; fleets that may defend */
};

static struct raid raid_on(const struct form *form, int target, int world)
{
    struct gs_plan plan = {.by = form->seat, .target = target, .world = world};
    struct raid raid = {.target = target, .world = world, .fleets = gs_plan_defenders(form->state, &plan)};
    gs_plan_all(form->state, &plan);
    raid.odds = gs_plan_odds(form->cards, form->state, &plan);
    return raid;
}

/* The likeliest first. */
static int by_odds(const void *one, const void *other)
{
    const struct raid *a = one, *b = other;
    if (a->odds != b->odds)
        return b->odds - a->odds;
    return a->target != b->target ? a->target - b->target : a->world - b->world;
}

static int list_raids(const struct form *form, struct raid list[TARGETS])
{
    int count = 0;
    if (form->state->phase > GS_PHASE_ATTACK || form->state->attacks < 1 || !form->player->fleet_count)
        return 0;
    for (int step = 1; step < gs_seats(form->state); step++) {
        int target = gs_seat_after(form->state, form->seat, step);
        const struct gs_player *enemy = gs_player_const(form->state, target);
        if (!gs_alive(form->state, target) || target == form->seat ||
            (form->state->peace & (int)SEAT_BIT(target)))
            continue;
        for (int i = 0; i < enemy->sector_count && i < 2 && count < TARGETS; i++)
            list[count++] = raid_on(form, target, enemy->sector[i].number);
        if (count < TARGETS)
            list[count++] = raid_on(form, target, GS_HOME);
    }
    qsort(list, (size_t)count, sizeof *list, by_odds);
    return count;
}

/* Those that are at least as likely as `least` and at most as `most`. */
static void suggest_raids(const struct form *form, const struct raid *list, int count, int least, int most)
{
    for (int i = 0; i < count; i++) {
        char line[64];
        if (list[i].odds < least || list[i].odds > most)
            continue;
        snprintf(line, sizeof(line), "attack p%d %s with all", list[i].target, gs_at_code(list[i].world).p);
        for (char *c = line; *c; c++)
            *c = ascii_lower(*c);
        suggest(form->list, line, "attack odds=%d fleets=%d one?=%d", list[i].odds, list[i].fleets,
                list[i].fleets == 1);
    }
}

static void suggest_research(const struct form *form)
{
    if (!keeps(form, GS_RESEARCH) || form->credits < form->cards->cost_research)
        return;
    suggest(form->list, "research", "research credits=%d", form->cards->cost_research);
    for (int tech = 0; tech < GS_TECHS && form->credits >= form->cards->cost_catchup; tech++) {
        char line[GS_NAME + 24];
        int best = gs_tech_best(form->state, form->seat, tech);
        if (best <= form->player->tech[tech])
            continue;
        snprintf(line, sizeof(line), "research catchup %s", form->cards->tech[tech].id);
        suggest(form->list, line, "catchup credits=%d best=%d own=%d", form->cards->cost_catchup, best,
                form->player->tech[tech]);
    }
    if (form->credits < form->cards->cost_directed)
        return;
    suggest(form->list, "research direct firepower", "direct credits=%d", form->cards->cost_directed);
}

/* Offers to this seat that it could meet itself. One that the other side cannot keep any more is gone. */
static void suggest_offers(const struct form *form)
{
    for (int i = 0; i < form->state->offer_count && i < GS_OFFERS; i++) {
        const struct gs_offer *offer = &form->state->offer[i];
        bool can = offer->to == form->seat && form->player->credits >= offer->get_credits;
        const struct brief give = gs_list_words(offer->get, offer->get_credits),
                           get = gs_list_words(offer->give, offer->give_credits);
        for (int kind = 0; kind < GS_KINDS; kind++)
            can = can && held(form, (enum gs_kind)kind) >= offer->get[kind];
        if (can)
            suggest(form->list, brief("accept %d", offer->number).p,
                    "accept seat=%d gives?=%d give=%s gets?=%d get=%s", offer->from, *give.p != '\0', give.p,
                    *get.p != '\0', get.p);
        if (can && !gs_offer_stands(form->cards, form->state, offer))
            suggest_mark(form->list, "gone");
    }
}

static void suggest_draws(const struct form *form)
{
    const struct gs_deck *deck = &form->state->deck[gs_own_deck(form->state, form->seat)];
    if (form->state->phase > GS_PHASE_DRAW || deck->draw_count < 1)
        return;
    uint8_t unseen[DECK_CARDS]; /* in the deck and in other hands */
    const int all = decks_unseen(gs_decks, form->cards, form->state, gs_own_deck(form->state, form->seat),
                                 form->seat, unseen);
    for (int i = 0; i < GS_EXCHANGES; i++) {
        int fit = 0;
        for (int k = 0; k < all; k++)
            fit += gs_card(form->cards, unseen[k])->kind == form->cards->exchange_keep[i];
        if (!held(form, form->cards->exchange_give[i]) || deck->seen[form->seat - 1] || all < 1)
            continue;
        const char *give = gs_kind_names[form->cards->exchange_give[i]];
        const char *keep = gs_kind_names[form->cards->exchange_keep[i]];
        int chance = 100 * fit / all;
        if (chance < BARGAIN)
            continue;
        suggest(form->list, form->cards->exchange[i].id, "exchange give=%s keep=%s chance=%d", give, keep,
                chance);
    }
    if (!form->state->extra && form->player->credits >= form->cards->cost_extra)
        suggest(form->list, "draw", "draw cost=%d credits=%d", form->cards->cost_extra,
                form->player->credits);
}

/* The richest opponent in something. */
static int richest(const struct form *form, int (*count)(const struct gs_player *player))
{
    int best = 0;
    for (int seat = 1; seat <= gs_seats(form->state); seat++) {
        if (seat == form->seat || !gs_alive(form->state, seat) || !count(gs_player_const(form->state, seat)))
            continue;
        if (!best || count(gs_player_const(form->state, seat)) > count(gs_player_const(form->state, best)))
            best = seat;
    }
    return best;
}

static int count_cards(const struct gs_player *player)
{
    return player->hand_count;
}

static int count_fleets(const struct gs_player *player)
{
    return player->fleet_count;
}

static int count_leaders(const struct gs_player *player)
{
    return player->leader_count;
}

static void suggest_uses(const struct form *form)
{
    char line[48];
    if (form->state->phase > GS_PHASE_COMMAND || !keeps(form, GS_COMMAND))
        return;
    int most = form->cards->sides - form->cards->minus[GS_QUOTAS];
    suggest(form->list, "play quotas", "quotas most=%d", most);
    int seat = richest(form, count_cards);
    if (seat) {
        snprintf(line, sizeof(line), "play steal p%d", seat);
        suggest(form->list, line, "steal chance=%d", form->cards->success[GS_STEAL]);
        snprintf(line, sizeof(line), "play spy p%d", seat);
        suggest(form->list, line, "spy");
    }
    seat = richest(form, count_fleets);
    if (seat) {
        snprintf(line, sizeof(line), "play milsab p%d f%d", seat,
                 gs_player_const(form->state, seat)->fleet[0].number);
        suggest(form->list, line, "milsab chance=%d", form->cards->success[GS_MILSAB]);
    }
    seat = richest(form, count_leaders);
    if (seat) {
        snprintf(line, sizeof(line), "play assassination p%d l%d", seat,
                 gs_player_const(form->state, seat)->leader[0].number);
        suggest(form->list, line, "assassination chance=%d", form->cards->success[GS_ASSASSINATION]);
    }
}

struct value *gs_form(const void *data, const void *from, int seat, struct arena *arena)
{
    const struct gs_cards *cards = data;
    const struct gs_state *state = from;
    const struct gs_player *player = gs_player_const(state, seat);
    struct form form = {value_list(arena), cards, state, player, *player, seat, 0};
    if (state->phase == GS_PHASE_DRAW)
        (void)gs_keep_limit(cards, &form.kept, NULL);
    if (state->ending || !gs_alive(state, seat))
        return form.list;
    if (state->active == seat) {
        form.credits = form.player->credits;
        if (state->phase == GS_PHASE_DRAW)
            form.credits += gs_income(cards, form.player).total;
        struct raid raids[TARGETS];
        const int count = list_raids(&form, raids);
        suggest_builds(&form); /* the first line is in the form uncommented: it must do no harm */
        suggest_raids(&form, raids, count, FAIR, 100);
        suggest_research(&form);
        const bool sound = value_count(form.list) > 0;
        if (!sound)
            suggest(form.list, "pass", "pass");
        suggest_raids(&form, raids, count, POOR, FAIR - 1);
        suggest_uses(&form);
        suggest_draws(&form);
        if (sound)
            suggest(form.list, "pass", "pass");
    }
    if (state->active !=
        seat) /* so that the first line does no harm here either: it is what happens without it */
        suggest(form.list, "when attacked at home defend all", "defend");
    suggest_offers(&form);
    if (held(&form, GS_COMMAND))
        suggest(form.list, "when attacked at home play peace", "peace");
    return form.list;
}
