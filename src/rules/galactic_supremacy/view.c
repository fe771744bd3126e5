/* What a seat may know, as JSON: the table, its own hand, and what it has seen of other hands and the deck.
 */
#include "rules/galactic_supremacy/turn.h"
#include "rules/put.h"

#include <string.h>

/* False when empty, so that a template's lookup stops here and does not find an outer one. */
static void put_name(struct value *object, const char *key, const char *text)
{
    if (*text)
        value_put_text(object, key, text);
    else
        value_put_flag(object, key, false);
}

static void put_code(struct value *object, char letter, int number)
{
    value_put_text(object, "code", code_of(letter, number).p);
}

static struct value *with_more(struct value *list)
{
    value_mark_more(list);
    return list;
}

/* ---- cards ---- */

static struct value *view_kinds(struct arena *arena, const int count[GS_KINDS])
{
    struct value *list = value_list(arena);
    for (int kind = 0; kind < GS_KINDS; kind++) {
        if (!count[kind])
            continue;
        struct value *object = value_object(arena);
        put(object, "kind=%s count=%d", gs_kind_names[kind], count[kind]);
        value_add(list, object);
    }
    return with_more(list);
}

/* The cards of a hand that a seat knows there. */
static struct value *view_known(struct arena *arena, const struct gs_cards *cards,
                                const struct gs_player *player, int seat)
{
    int count[GS_KINDS] = {0};
    for (int i = 0; i < player->hand_count && i < GS_HAND && seat > 0; i++) {
        if (player->known[i] & (int)SEAT_BIT(seat))
            count[gs_card(cards, player->hand[i])->kind]++;
    }
    return view_kinds(arena, count);
}

static struct value *view_hand(struct arena *arena, const struct gs_cards *cards,
                               const struct gs_player *player)
{
    struct value *list = value_list(arena);
    for (int kind = 0; kind < GS_KINDS; kind++) {
        for (int i = 0; i < player->hand_count && i < GS_HAND; i++) {
            const struct gs_card *card = gs_card(cards, player->hand[i]);
            if ((int)card->kind != kind)
                continue;
            struct value *object = value_object(arena);
            value_put_text(object, "kind", gs_kind_names[kind]);
            put_name(object, "name", card->name);
            value_add(list, object);
        }
    }
    return with_more(list);
}

static struct value *view_next(struct arena *arena, const struct gs_cards *cards,
                               const struct gs_state *state, int seat)
{
    int index = gs_own_deck(state, seat);
    const struct gs_deck *deck = &state->deck[index];
    struct value *list = value_list(arena);
    for (int i = 0; i < deck->seen[seat - 1] && i < deck->draw_count; i++) {
        struct value *object = value_object(arena);
        value_put_text(object, "kind",
                       gs_kind_names[gs_card(cards, gs_card_id(state, index, deck->draw[i]))->kind]);
        value_add(list, object);
    }
    return with_more(list);
}

static struct value *view_deck(struct arena *arena, const struct gs_cards *cards,
                               const struct gs_state *state, int index)
{
    const struct gs_deck *deck = &state->deck[index];
    struct value *object = value_object(arena);
    int count[GS_KINDS] = {0};
    if (state->own_decks)
        value_put_int(object, "seat", index + 1);
    for (int i = 0; i < deck->discard_count && i < GS_CARDS; i++)
        count[gs_card(cards, deck->discard[i])->kind]++;
    put(object, "cards=%d discards=%d", deck->draw_count, deck->discard_count);
    value_put(object, "discarded", view_kinds(arena, count));
    value_put_flag(object, "has_discards", deck->discard_count > 0);
    return object;
}

/* ---- units ---- */

static const struct value *view_leader(struct arena *arena, const struct gs_cards *cards,
                                       const struct gs_player *player, int at)
{
    const struct gs_unit *leader = gs_leader_at(player, at);
    if (!leader)
        return &value_false;
    struct value *object = value_object(arena);
    put_code(object, 'L', leader->number);
    value_put_text(object, "name", gs_card(cards, leader->card)->name);
    return object;
}

static struct value *view_world(struct arena *arena, const struct gs_cards *cards,
                                const struct gs_player *player, int world)
{
    struct value *object = value_object(arena);
    struct value *fleets = value_list(arena);
    value_put_text(object, "code", gs_at_code(world).p);
    put_name(object, "name", gs_world_card(cards, player, world));
    value_put_flag(object, "home", world == GS_HOME);
    value_put(object, "leader", view_leader(arena, cards, player, world));
    for (int i = 0; i < player->fleet_count && i < GS_FLEETS; i++) {
        const struct gs_unit *fleet = &player->fleet[i];
        if (fleet->at != world)
            continue;
        struct value *unit = value_object(arena);
        put_code(unit, 'F', fleet->number);
        value_put_text(unit, "name", gs_card(cards, fleet->card)->name);
        value_put(unit, "leader", view_leader(arena, cards, player, GS_ON_FLEET + fleet->number));
        value_add(fleets, unit);
    }
    value_put(object, "fleet_list", with_more(fleets));
    return object;
}

/* ---- players ---- */

static struct value *view_player(struct arena *arena, const struct gs_cards *cards,
                                 const struct gs_state *state, int seat, int viewer,
                                 const struct score *score)
{
    const struct gs_player *player = gs_player_const(state, seat);
    const struct gs_player *own = viewer ? gs_player_const(state, viewer) : NULL;
    struct value *object = value_object(arena);
    struct value *worlds = value_list(arena);
    value_put_int(object, "seat", seat);
    put_code(object, 'P', seat);
    put(object, "out?=%d active?=%d votes_draw?=%d credits=%d cards=%d worlds=%d", player->out,
        !state->ending && state->active == seat, player->draw, player->credits, player->hand_count,
        score->points);
    put(object, "sectors=%d fleets=%d leaders=%d levels=%d place=%d won?=%d", player->sector_count,
        player->fleet_count, player->leader_count, gs_tech_sum(player), score->place, score->won);
    if (!player->out)
        value_add(worlds, view_world(arena, cards, player, GS_HOME));
    for (int i = 0; i < player->sector_count && i < GS_SECTORS; i++)
        value_add(worlds, view_world(arena, cards, player, player->sector[i].number));
    value_mark_more(worlds);
    value_put(object, "world_list", worlds);
    struct value *known = seat == viewer ? value_list(arena) : view_known(arena, cards, player, viewer);
    value_put_flag(object, "has_known", value_count(known) > 0);
    value_put(object, "known", known);
    value_put_flag(object, "rival", own && seat != viewer && !player->out && !own->out);
    if (own && seat != viewer) {
        const int ours = gs_advantages(own, player), theirs = gs_advantages(player, own);
        put(object, "your_advantages=%d advantages=%d", ours, theirs);
        (value_put_flag)(value_put_object(object, "words"), "dice", ours > 0 || theirs > 0);
        value_put_flag(object, "may_call", player->tech[GS_JUMP] > own->tech[GS_JUMP]);
    }
    return object;
}

static void add_name(struct value *list, const char *name)
{
    struct value *object = value_object(value_arena(list));
    value_put_text(object, "name", name);
    value_add(list, object);
}

static struct value *view_keep(struct arena *arena, const struct gs_player *player)
{
    struct value *names = value_list(arena);
    for (int i = 0; i < player->keep_count && i < GS_KINDS; i++)
        add_name(names, gs_kind_names[player->keep[i] < GS_KINDS ? player->keep[i] : 0]);
    return with_more(names);
}

static struct value *view_prefer(struct arena *arena, const struct gs_cards *cards,
                                 const struct gs_player *player)
{
    struct value *names = value_list(arena);
    for (int i = 0; i < player->prefer_count && i < GS_TECHS; i++)
        add_name(names, cards->tech[player->prefer[i] < GS_TECHS ? player->prefer[i] : 0].name);
    return with_more(names);
}

/* The kinds that the hand's limit takes as it stands. */
static void put_goes(struct value *object, const struct gs_cards *cards, const struct gs_player *player)
{
    struct gs_player kept = *player;
    enum gs_kind gone[GS_HAND];
    struct value *goes = value_list(value_arena(object));
    const int count = gs_keep_limit(cards, &kept, gone);
    for (int i = 0; i < count; i++)
        add_name(goes, gs_kind_names[gone[i]]);
    value_put(object, "goes", with_more(goes));
}

/* What only the seat itself knows, and what follows for its next turn. */
static void put_own(struct value *object, const struct gs_cards *cards, const struct gs_state *state,
                    int seat)
{
    struct arena *arena = value_arena(object);
    const struct gs_player *player = gs_player_const(state, seat);
    struct gs_income income = gs_income(cards, player);
    struct value *money = value_object(arena);
    put(money, "total=%d home=%d sectors=%d leaders=%d bonus=%d", income.total, income.home, income.sectors,
        income.leaders, income.bonus);
    value_put(object, "income", money);
    put(object, "hand_limit=%d over_limit?=%d no_command?=%d", gs_hand_limit(cards, player),
        player->hand_count > gs_hand_limit(cards, player), !gs_hand_count(cards, player, GS_COMMAND));
    put_goes(object, cards, player);
    value_put(object, "hand", view_hand(arena, cards, player));
    struct value *next = view_next(arena, cards, state, seat);
    value_put_flag(object, "has_next", value_count(next) > 0);
    value_put(object, "next", next);
    put(object, "has_keep?=%d has_prefer?=%d", player->keep_count > 0, player->prefer_count > 0);
    value_put(object, "keep", view_keep(arena, player));
    value_put(object, "prefer", view_prefer(arena, cards, player));
}

/* ---- the table ---- */

static void put_technologies(struct value *object, const struct gs_cards *cards, const struct gs_state *state)
{
    struct arena *arena = value_arena(object);
    struct value *list = value_list(arena);
    for (int tech = 0; tech < GS_TECHS; tech++) {
        struct value *one = value_add_object(list), *levels = value_put_list(one, "levels");
        put(one, "id=%s name=%s", cards->tech[tech].id, cards->tech[tech].name);
        for (int seat = 1; seat <= gs_seats(state); seat++) {
            struct value *level = value_add_object(levels);
            put(level, "seat=%d level=%d", seat, gs_player_const(state, seat)->tech[tech]);
        }
    }
    value_put(object, "technologies", list);
}

/* For templates alone, who has got further than all begin: "advanced", [{"seat","code","list": [{"name","level","more"}],"last"}]. */
static void put_advanced(struct value *words, const struct gs_cards *cards, const struct gs_state *state)
{
    struct value *advanced = value_put_list(words, "advanced"), *last = NULL;
    for (int seat = 1; seat <= gs_seats(state); seat++) {
        const struct gs_player *player = gs_player_const(state, seat);
        struct value *list = value_list(value_arena(words));
        for (int tech = 0; tech < GS_TECHS; tech++) {
            if (player->out || player->tech[tech] <= 1)
                continue;
            struct value *one = value_add_object(list);
            put(one, "name=%s level=%d", cards->tech[tech].name, player->tech[tech]);
        }
        if (!value_count(list))
            continue;
        last = value_add_object(advanced);
        value_put_int(last, "seat", seat);
        put_code(last, 'P', seat);
        value_put(last, "list", with_more(list));
    }
    if (last)
        value_put_flag(last, "last", true);
}

static void put_terms(struct value *object, const char *key, const uint8_t kinds[GS_KINDS], int credits)
{
    struct arena *arena = value_arena(object);
    int count[GS_KINDS];
    for (int i = 0; i < GS_KINDS; i++)
        count[i] = kinds[i];
    struct value *list = view_kinds(arena, count);
    if (credits) {
        struct value *money = value_object(arena);
        put(money, "kind=%s count=%d", "credits", credits);
        value_add(list, money);
    }
    value_put(object, key, with_more(list));
}

static struct value *view_offers(struct arena *arena, const struct gs_state *state, int seat)
{
    struct value *list = value_list(arena);
    for (int i = 0; i < state->offer_count && i < GS_OFFERS; i++) {
        const struct gs_offer *offer = &state->offer[i];
        if (offer->from != seat && offer->to != seat)
            continue;
        struct value *object = value_object(arena);
        put(object, "number=%d made?=%d seat=%d", offer->number, offer->from == seat,
            offer->from == seat ? offer->to : offer->from);
        /* as this seat sees it */
        put_terms(object, "you_give", offer->from == seat ? offer->give : offer->get,
                  offer->from == seat ? offer->give_credits : offer->get_credits);
        put_terms(object, "you_get", offer->from == seat ? offer->get : offer->give,
                  offer->from == seat ? offer->get_credits : offer->give_credits);
        value_put_amount(object, "until", offer->last);
        value_add(list, object);
    }
    return list;
}

static void put_game(struct value *object, const struct gs_state *state, int seat)
{
    struct arena *arena = value_arena(object);
    static const char *const phases[] = {"draw", "command", "build", "attack", "move", "research"};
    const char *ending = gs_ending(state);
    struct value *order = value_list(arena);
    put(object, "game=%s round=%d round_limit+=%d own_decks?=%d advanced?=%d over?=%d", "galactic-supremacy",
        state->round, state->round_limit, state->own_decks, state->advanced, state->ending != GS_RUNNING);
    put(object, "ending=%s conquest?=%d by_rounds?=%d agreed?=%d my_turn?=%d", ending,
        state->ending == GS_CONQUEST, state->ending == GS_ROUND_LIMIT, state->ending == GS_AGREED,
        !state->ending && state->active == seat);
    if (!state->ending) {
        struct value *active = value_object(arena);
        value_put_int(active, "seat", state->active);
        put_code(active, 'P', state->active);
        value_put(object, "active", active);
    }
    if (state->paused && state->phase >= 0 && state->phase < GS_PHASE_END) {
        struct value *paused = value_object(arena);
        put(paused, "phase=%s attacks=%d", phases[state->phase], state->attacks);
        value_put(object, "paused", paused);
    }
    for (int i = 0; i < gs_seats(state); i++) {
        if (!gs_alive(state, state->order[i]))
            continue;
        struct value *place = value_object(arena);
        value_put_int(place, "seat", state->order[i]);
        put_code(place, 'P', state->order[i]);
        value_add(order, place);
    }
    value_put(object, "order", with_more(order));
}

struct value *gs_view(const void *data, const void *from, int seat, struct arena *arena)
{
    const struct gs_cards *cards = data;
    const struct gs_state *state = from;
    struct score score[GS_SEATS + 1];
    struct value *object = value_object(arena);
    struct value *players = value_list(arena);
    struct value *others = value_list(arena);
    struct value *decks = value_list(arena);
    int viewer = seat >= 1 && seat <= gs_seats(state) ? seat : 0;
    struct value *offers = view_offers(arena, state, viewer ? viewer : -1);
    gs_scores(cards, state, score);
    value_put_int(object, "seat", seat);
    put_game(object, state, viewer);
    for (int n = 1; n <= gs_seats(state); n++) {
        struct value *player = view_player(arena, cards, state, n, viewer, &score[n]);
        value_add(players, player);
        if (n != viewer) {
            value_add(others, player);
            continue;
        }
        put_own(player, cards, state, n);
        value_put(object, "own", player);
    }
    for (int i = 0; i < state->deck_count && i < GS_SEATS; i++)
        value_add(decks, view_deck(arena, cards, state, i));
    value_put(object, "players", players);
    value_put(object, "others", others);
    put_technologies(object, cards, state);
    put_advanced(value_put_object(object, "words"), cards, state);
    value_put(object, "decks", decks);
    value_put(object, "offers", offers);
    value_put_flag(object, "has_offers", value_count(offers) > 0);
    value_put(object, "form", gs_form(cards, state, viewer, arena));
    return object;
}
