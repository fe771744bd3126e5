/* The orders that can be carried out now, each ready to be sent, with a note on what it would do. */
#include "rules/galaxy_farmer/turn.h"

#include "base/str.h"
#include "rules/put.h"

static void suggest_plant(struct value *form, const char *resource)
{
    struct str line = STR_INIT;
    str_addf(&line, "plant %s", resource);
    suggest(form, line.p, "plant");
    str_release(&line);
}

static void suggest_partner(struct value *form, const struct gf_rep_card *rep)
{
    struct str line = STR_INIT;
    str_addf(&line, "partner %s", rep->name);
    suggest(form, line.p, "partner text=%s", rep->text);
    str_release(&line);
}

/* ---- HOME ---- */

static void suggest_locks(struct value *form, const struct gf_cards *cards, const struct gf_state *state)
{
    uint8_t fit[GF_PLANETS] = {0};
    for (int i = 0; i < GF_PLANETS; i++) {
        int wanted = 0;
        for (int slot = 0; slot < GF_OPEN; slot++) {
            int need = gf_need_for(cards, &state->open[slot], i, gf_dark(state, i));
            wanted += need < 0 ? 0 : gf_need_missing(cards, &state->open[slot], need);
        }
        int free = gf_free(state, i);
        fit[i] = (uint8_t)(wanted < free ? wanted : free);
    }
    if (!gf_sum(fit))
        return;
    suggest(form, "lock all", "lock cubes=%s", gf_cubes_words(cards, state, fit).p);
}

static void suggest_conversions(struct value *form, const struct gf_cards *cards,
                                const struct gf_state *state)
{
    int price = gf_price(cards, state, false);
    for (int slot = 0; slot < GF_OPEN; slot++) {
        const struct gf_order_card *card = gf_order_card(cards, &state->open[slot]);
        for (int i = 0; i < GF_PLANETS; i++) {
            bool dark = gf_dark(state, i);
            if (gf_free(state, i) < price || gf_need_for(cards, &state->open[slot], i, !dark) < 0)
                continue;
            suggest(form, brief("convert %s %s", cards->planet[i + 1].resource, card->name).p,
                    "convert price=%d state=%s other=%s", price, gf_state_word(dark), gf_state_word(!dark));
        }
    }
}

static void suggest_farm(struct value *form, const struct gf_cards *cards, const struct gf_state *state)
{
    int crops = 0;
    for (int i = 0; i < GF_PLOTS; i++)
        crops += state->plot[i].crop;
    if (crops && gf_store_room(cards, state) + gf_cargo_room(cards, state) > 0)
        suggest(form, "harvest", "harvest crops=%d one?=%d", crops, crops == 1);
    for (int i = 0; i < GF_PLANETS && gf_empty_plot(cards, state) >= 0; i++) {
        if (gf_free(state, i))
            suggest_plant(form, cards->planet[i + 1].resource);
    }
}

static void suggest_home(struct value *form, const struct gf_cards *cards, const struct gf_state *state)
{
    int bunks = gf_bunks(cards, state) - state->aboard;
    suggest_locks(form, cards, state);
    suggest_conversions(form, cards, state);
    suggest_farm(form, cards, state);
    if (gf_sum(state->cargo) && gf_store_room(cards, state) > 0)
        suggest(form, "store all", "store room=%d", gf_store_room(cards, state));
    if (gf_sum(state->store) && gf_cargo_room(cards, state) > 0)
        suggest(form, "load all", "load room=%d", gf_cargo_room(cards, state));
    if (state->home > 0 && bunks > 0)
        suggest(form, "pick all", "pick_home workers=%d one?=%d bunks=%d one_bunk?=%d", state->home,
                state->home == 1, bunks, bunks == 1);
}

/* ---- a planet ---- */

static bool quest_possible(const struct gf_cards *cards, const struct gf_state *state, int rep)
{
    const struct gf_planet *planet = gf_planet(state, state->place);
    const struct gf_quest *quest = gf_next_quest(cards, state, rep);
    if (!quest || quest->kind == GF_VISIT)
        return quest != NULL;
    if (quest->kind == GF_GROWN)
        return planet->cubes >= quest->count &&
               (quest->state == GF_ANY || planet->dark == (quest->state == 1));
    for (int i = 0; i < GF_PLANETS; i++) {
        if (state->cargo[i] && gf_quest_takes(cards, state, quest, i))
            return true;
    }
    return false;
}

/* The quest comes before COLLECT: it may ask for the cubes that are still there. */
static void suggest_planet(struct value *form, const struct gf_cards *cards, const struct gf_state *state)
{
    const struct gf_planet *planet = gf_planet(state, state->place);
    int force = gf_force(cards, state, state->place);
    int strength = gf_fighters(cards, state);
    bool ship = gf_planet_at(state, state->enemy) == state->place;
    if (quest_possible(cards, state, planet->rep))
        suggest(form, "quest", "quest number=%d rep=%s", state->rep[planet->rep - 1].cubes + 1,
                cards->rep[planet->rep].name);
    if (planet->cubes && gf_cargo_room(cards, state) > 0)
        suggest(form, "collect all", "collect cubes=%d resource=%s state=%s", planet->cubes,
                cards->planet[state->place].resource, gf_state_word(planet->dark));
    if (force && strength >= force)
        suggest(form, ship ? "fight push clockwise" : "fight", "fight force=%d own=%d", force, strength);
    if (planet->idle)
        suggest(form, "lift all", "lift workers=%d", planet->idle);
    if (state->aboard > 0 && gf_drop_room(cards, state) > 0)
        suggest(form, "drop 1", "drop aboard=%d room=%d", state->aboard, gf_drop_room(cards, state));
    if (planet->working + planet->idle > 0 && state->aboard < gf_bunks(cards, state))
        suggest(form, "pick 1", "pick workers=%d", planet->working + planet->idle);
}

/* ---- flying ---- */

static void suggest_planet_move(struct value *form, const struct gf_cards *cards,
                                const struct gf_state *state, int number)
{
    const struct gf_planet *planet = gf_planet(state, number);
    const char *resource = cards->planet[number].resource;
    bool inner = gf_is_inner(cards, state, number), ship = gf_planet_at(state, state->enemy) == number;
    struct str line = STR_INIT;
    str_addf(&line, "move %s", cards->planet[number].name);
    suggest(form, line.p,
            "planet inner?=%d state=%s grown?=%d cubes=%d resource=%s troop?=%d ship?=%d drifting?=%d", inner,
            gf_state_word(planet->dark), planet->cubes != 0, planet->cubes, resource, planet->troop != 0,
            ship, !state->fuel);
    str_release(&line);
}

static void suggest_moves(struct value *form, const struct gf_cards *cards, const struct gf_state *state)
{
    for (int to = GF_HOME; to <= GF_PLANETS; to++) {
        if (!gf_route(cards, state, state->place, to) || (to && gf_planet(state, to)->meteor))
            continue;
        if (to)
            suggest_planet_move(form, cards, state, to);
        else
            suggest(form, "move HOME", "home drifting?=%d", !state->fuel);
    }
}

struct value *gf_form(const void *data, const void *from, int seat, struct arena *arena)
{
    const struct gf_cards *cards = data;
    struct gf_state tame = *(const struct gf_state *)from;
    const struct gf_state *state = &tame;
    struct value *form = value_list(arena);
    gf_tame(cards, &tame);
    if (seat != GF_SEAT || state->end != GF_RUNNING)
        return form;
    if (state->place == GF_HOME)
        suggest_home(form, cards, state);
    else
        suggest_planet(form, cards, state);
    for (int n = 1; n <= GF_PLANETS && !state->partner; n++) {
        if (state->rep[n - 1].cubes == GF_QUESTS)
            suggest_partner(form, &cards->rep[n]);
    }
    suggest_moves(form, cards, state);
    suggest(form, "stay", "stay");
    suggest_mark(form, "gone"); /* the first choice is never worse */
    return form;
}
