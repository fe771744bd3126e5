/* What a seat may know, as JSON: the table, its own hand, and what it has seen of other hands and the deck.
 */
#include "rules/galactic_supremacy/turn.h"

#include <string.h>

#include "base/json.h"

static void put_int(json_t *object, const char *key, int64_t n)
{
    json_object_set_new_nocheck(object, key, json_integer(n));
}

static void put_text(json_t *object, const char *key, const char *text)
{
    json_object_set_new_nocheck(object, key, json_text(slice_of(text)));
}

static void put_flag(json_t *object, const char *key, bool flag)
{
    json_object_set_new_nocheck(object, key, json_boolean(flag));
}

/* False when empty, so that templates can ask for it and do not look further out. */
static void put_name(json_t *object, const char *key, const char *text)
{
    json_object_set_new_nocheck(object, key, *text ? json_text(slice_of(text)) : json_false());
}

static void put_code(json_t *object, char letter, int number)
{
    char code[GS_UNIT_NAME];
    code_write(code, letter, number);
    put_text(object, "code", code);
}

/* Marks all elements but the last with "more", for the commas between them. */
static json_t *with_more(json_t *list)
{
    size_t count = json_array_size(list);
    for (size_t i = 0; i < count; i++)
        put_flag(json_array_get(list, i), "more", i + 1 < count);
    return list;
}

/* ---- cards ---- */

static json_t *kinds_json(const int count[GS_KINDS])
{
    json_t *list = json_array();
    for (int kind = 0; kind < GS_KINDS; kind++) {
        if (!count[kind])
            continue;
        json_t *object = json_object();
        put_text(object, "kind", gs_kind_names[kind]);
        put_int(object, "count", count[kind]);
        json_array_append_new(list, object);
    }
    return with_more(list);
}

/* The cards of a hand that a seat knows there. */
static json_t *known_json(const struct gs_cards *cards, const struct gs_player *player, int seat)
{
    int count[GS_KINDS] = {0};
    for (int i = 0; i < player->hand_count && i < GS_HAND && seat > 0; i++) {
        if (player->known[i] & (int)SEAT_BIT(seat))
            count[gs_card(cards, player->hand[i])->kind]++;
    }
    return kinds_json(count);
}

static json_t *hand_json(const struct gs_cards *cards, const struct gs_player *player)
{
    json_t *list = json_array();
    for (int kind = 0; kind < GS_KINDS; kind++) {
        for (int i = 0; i < player->hand_count && i < GS_HAND; i++) {
            const struct gs_card *card = gs_card(cards, player->hand[i]);
            if ((int)card->kind != kind)
                continue;
            json_t *object = json_object();
            put_text(object, "kind", gs_kind_names[kind]);
            put_name(object, "name", card->name);
            json_array_append_new(list, object);
        }
    }
    return with_more(list);
}

static json_t *next_json(const struct gs_cards *cards, const struct gs_state *state, int seat)
{
    int index = gs_own_deck(state, seat);
    const struct gs_deck *deck = &state->deck[index];
    json_t *list = json_array();
    for (int i = 0; i < deck->seen[seat - 1] && i < deck->draw_count; i++) {
        json_t *object = json_object();
        put_text(object, "kind",
                 gs_kind_names[gs_card(cards, gs_card_id(state, index, deck->draw[i]))->kind]);
        json_array_append_new(list, object);
    }
    return with_more(list);
}

static json_t *deck_json(const struct gs_cards *cards, const struct gs_state *state, int index)
{
    const struct gs_deck *deck = &state->deck[index];
    json_t *object = json_object();
    int count[GS_KINDS] = {0};
    if (state->own_decks)
        put_int(object, "seat", index + 1);
    for (int i = 0; i < deck->discard_count && i < GS_CARDS; i++)
        count[gs_card(cards, deck->discard[i])->kind]++;
    put_int(object, "cards", deck->draw_count);
    put_int(object, "discards", deck->discard_count);
    json_object_set_new_nocheck(object, "discarded", kinds_json(count));
    put_flag(object, "has_discards", deck->discard_count > 0);
    return object;
}

/* ---- units ---- */

static json_t *leader_json(const struct gs_cards *cards, const struct gs_player *player, int at)
{
    const struct gs_unit *leader = gs_leader_at(player, at);
    if (!leader)
        return json_false();
    json_t *object = json_object();
    put_code(object, 'L', leader->number);
    put_text(object, "name", gs_card(cards, leader->card)->name);
    return object;
}

static json_t *world_json(const struct gs_cards *cards, const struct gs_player *player, int world)
{
    json_t *object = json_object();
    json_t *fleets = json_array();
    char code[GS_UNIT_NAME];
    gs_world_name(code, world);
    put_text(object, "code", code);
    put_name(object, "name", gs_world_card(cards, player, world));
    put_flag(object, "home", world == GS_HOME);
    json_object_set_new_nocheck(object, "leader", leader_json(cards, player, world));
    for (int i = 0; i < player->fleet_count && i < GS_FLEETS; i++) {
        const struct gs_unit *fleet = &player->fleet[i];
        if (fleet->at != world)
            continue;
        json_t *unit = json_object();
        put_code(unit, 'F', fleet->number);
        put_text(unit, "name", gs_card(cards, fleet->card)->name);
        json_object_set_new_nocheck(unit, "leader", leader_json(cards, player, GS_ON_FLEET + fleet->number));
        json_array_append_new(fleets, unit);
    }
    json_object_set_new_nocheck(object, "fleet_list", with_more(fleets));
    return object;
}

/* ---- players ---- */

static json_t *player_json(const struct gs_cards *cards, const struct gs_state *state, int seat, int viewer,
                           const struct score *score)
{
    const struct gs_player *player = gs_player_const(state, seat);
    const struct gs_player *own = viewer ? gs_player_const(state, viewer) : NULL;
    json_t *object = json_object();
    json_t *worlds = json_array();
    put_int(object, "seat", seat);
    put_code(object, 'P', seat);
    put_flag(object, "out", player->out);
    put_flag(object, "active", !state->ending && state->active == seat);
    put_flag(object, "votes_draw", player->draw);
    put_int(object, "credits", player->credits);
    put_int(object, "cards", player->hand_count);
    put_int(object, "worlds", score->points);
    put_int(object, "sectors", player->sector_count);
    put_int(object, "fleets", player->fleet_count);
    put_int(object, "leaders", player->leader_count);
    put_int(object, "levels", gs_tech_sum(player));
    put_int(object, "place", score->place);
    put_flag(object, "won", score->won);
    if (!player->out)
        json_array_append_new(worlds, world_json(cards, player, GS_HOME));
    for (int i = 0; i < player->sector_count && i < GS_SECTORS; i++)
        json_array_append_new(worlds, world_json(cards, player, player->sector[i].number));
    json_object_set_new_nocheck(object, "world_list", worlds);
    json_t *known = seat == viewer ? json_array() : known_json(cards, player, viewer);
    put_flag(object, "has_known", json_array_size(known) > 0);
    json_object_set_new_nocheck(object, "known", known);
    put_flag(object, "rival", own && seat != viewer && !player->out && !own->out);
    if (own && seat != viewer) {
        put_int(object, "your_advantages", gs_advantages(own, player));
        put_int(object, "advantages", gs_advantages(player, own));
        put_flag(object, "may_call", player->tech[GS_JUMP] > own->tech[GS_JUMP]);
    }
    return object;
}

static json_t *lists_json(const uint8_t *list, int count, int most,
                          const char *(*name)(const struct gs_cards *, int), const struct gs_cards *cards)
{
    json_t *names = json_array();
    for (int i = 0; i < count && i < most; i++) {
        json_t *object = json_object();
        put_text(object, "name", name(cards, list[i] < most ? list[i] : 0));
        json_array_append_new(names, object);
    }
    return with_more(names);
}

static const char *kind_name(const struct gs_cards *cards, int kind)
{
    (void)cards;
    return gs_kind_names[kind];
}

static const char *tech_name(const struct gs_cards *cards, int tech)
{
    return cards->tech[tech].name;
}

/* What only the seat itself knows, and what follows for its next turn. */
static void put_own(json_t *object, const struct gs_cards *cards, const struct gs_state *state, int seat)
{
    const struct gs_player *player = gs_player_const(state, seat);
    struct gs_income income = gs_income(cards, player);
    json_t *money = json_object();
    put_int(money, "total", income.total);
    put_int(money, "home", income.home);
    put_int(money, "sectors", income.sectors);
    put_int(money, "leaders", income.leaders);
    put_int(money, "bonus", income.bonus);
    json_object_set_new_nocheck(object, "income", money);
    put_int(object, "hand_limit", gs_hand_limit(cards, player));
    put_flag(object, "over_limit", player->hand_count > gs_hand_limit(cards, player));
    json_object_set_new_nocheck(object, "hand", hand_json(cards, player));
    json_t *next = next_json(cards, state, seat);
    put_flag(object, "has_next", json_array_size(next) > 0);
    json_object_set_new_nocheck(object, "next", next);
    put_flag(object, "has_keep", player->keep_count > 0);
    put_flag(object, "has_prefer", player->prefer_count > 0);
    json_object_set_new_nocheck(object, "keep",
                                lists_json(player->keep, player->keep_count, GS_KINDS, kind_name, cards));
    json_object_set_new_nocheck(object, "prefer",
                                lists_json(player->prefer, player->prefer_count, GS_TECHS, tech_name, cards));
}

/* ---- the table ---- */

static json_t *technologies_json(const struct gs_cards *cards, const struct gs_state *state)
{
    json_t *list = json_array();
    for (int tech = 0; tech < GS_TECHS; tech++) {
        json_t *object = json_object();
        json_t *levels = json_array();
        put_text(object, "id", cards->tech[tech].id);
        put_text(object, "name", cards->tech[tech].name);
        for (int seat = 1; seat <= gs_seats(state); seat++) {
            json_t *level = json_object();
            put_int(level, "seat", seat);
            put_int(level, "level", gs_player_const(state, seat)->tech[tech]);
            json_array_append_new(levels, level);
        }
        json_object_set_new_nocheck(object, "levels", levels);
        json_array_append_new(list, object);
    }
    return list;
}

static void put_terms(json_t *object, const char *key, const uint8_t kinds[GS_KINDS], int credits)
{
    int count[GS_KINDS];
    for (int i = 0; i < GS_KINDS; i++)
        count[i] = kinds[i];
    json_t *list = kinds_json(count);
    if (credits) {
        json_t *money = json_object();
        put_text(money, "kind", "credits");
        put_int(money, "count", credits);
        json_array_append_new(list, money);
    }
    json_object_set_new_nocheck(object, key, with_more(list));
}

static json_t *offers_json(const struct gs_state *state, int seat)
{
    json_t *list = json_array();
    for (int i = 0; i < state->offer_count && i < GS_OFFERS; i++) {
        const struct gs_offer *offer = &state->offer[i];
        if (offer->from != seat && offer->to != seat)
            continue;
        json_t *object = json_object();
        put_int(object, "number", offer->number);
        put_flag(object, "made", offer->from == seat);
        put_int(object, "seat", offer->from == seat ? offer->to : offer->from);
        /* as this seat sees it */
        put_terms(object, "you_give", offer->from == seat ? offer->give : offer->get,
                  offer->from == seat ? offer->give_credits : offer->get_credits);
        put_terms(object, "you_get", offer->from == seat ? offer->get : offer->give,
                  offer->from == seat ? offer->get_credits : offer->give_credits);
        json_object_set_new_nocheck(object, "until", offer->last ? json_integer(offer->last) : json_false());
        json_array_append_new(list, object);
    }
    return list;
}

static void put_game(json_t *object, const struct gs_state *state, int seat)
{
    static const char *const phases[] = {"draw", "command", "build", "attack", "move", "research"};
    const char *ending = gs_ending(state);
    json_t *order = json_array();
    put_text(object, "game", "galactic-supremacy");
    put_int(object, "round", state->round);
    json_object_set_new_nocheck(object, "round_limit",
                                state->round_limit ? json_integer(state->round_limit) : json_false());
    put_flag(object, "own_decks", state->own_decks);
    put_flag(object, "advanced", state->advanced);
    put_flag(object, "over", state->ending != GS_RUNNING);
    put_text(object, "ending", ending);
    put_flag(object, "conquest", state->ending == GS_CONQUEST);
    put_flag(object, "by_rounds", state->ending == GS_ROUND_LIMIT);
    put_flag(object, "agreed", state->ending == GS_AGREED);
    put_flag(object, "my_turn", !state->ending && state->active == seat);
    if (!state->ending) {
        json_t *active = json_object();
        put_int(active, "seat", state->active);
        put_code(active, 'P', state->active);
        json_object_set_new_nocheck(object, "active", active);
    }
    if (state->paused && state->phase >= 0 && state->phase < GS_PHASE_END) {
        json_t *paused = json_object();
        put_text(paused, "phase", phases[state->phase]);
        put_int(paused, "attacks", state->attacks);
        json_object_set_new_nocheck(object, "paused", paused);
    }
    for (int i = 0; i < gs_seats(state); i++) {
        if (!gs_alive(state, state->order[i]))
            continue;
        json_t *place = json_object();
        put_int(place, "seat", state->order[i]);
        put_code(place, 'P', state->order[i]);
        json_array_append_new(order, place);
    }
    json_object_set_new_nocheck(object, "order", with_more(order));
}

json_t *gs_view(const void *data, const void *from, int seat)
{
    const struct gs_cards *cards = data;
    const struct gs_state *state = from;
    struct score score[GS_SEATS + 1];
    json_t *object = json_object();
    json_t *players = json_array();
    json_t *others = json_array();
    json_t *decks = json_array();
    int viewer = seat >= 1 && seat <= gs_seats(state) ? seat : 0;
    gs_scores(cards, state, score);
    put_int(object, "seat", seat);
    put_game(object, state, viewer);
    for (int n = 1; n <= gs_seats(state); n++) {
        json_t *player = player_json(cards, state, n, viewer, &score[n]);
        json_array_append_new(players, player);
        if (n != viewer) {
            json_array_append(others, player);
            continue;
        }
        put_own(player, cards, state, n);
        json_object_set(object, "own", player);
    }
    for (int i = 0; i < state->deck_count && i < GS_SEATS; i++)
        json_array_append_new(decks, deck_json(cards, state, i));
    json_object_set_new_nocheck(object, "players", players);
    json_object_set_new_nocheck(object, "others", others);
    json_object_set_new_nocheck(object, "technologies", technologies_json(cards, state));
    json_object_set_new_nocheck(object, "decks", decks);
    json_object_set_new_nocheck(object, "offers", offers_json(state, viewer ? viewer : -1));
    put_flag(object, "has_offers", json_array_size(json_object_get(object, "offers")) > 0);
    json_object_set_new_nocheck(object, "form", gs_form(cards, state, viewer));
    return object;
}
