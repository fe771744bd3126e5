/* Is a state possible? For states that a moderator has corrected. The invariants are those of state.h. */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "rules/check.h"
#include "rules/galaxy_farmer/state.h"
#include "rules/galaxy_farmer/turn.h"

static int check_cubes(const struct gf_cards *cards, const struct gf_state *state, int resource,
                       struct err *err)
{
    int sum = state->cargo[resource] + state->store[resource] + state->pool[resource] +
              state->planet[resource].cubes;
    for (int i = 0; i < GF_PLOTS; i++)
        if (state->plot[i].planted == resource + 1)
            sum += 1 + state->plot[i].crop; /* what was planted is there as well */
    for (int i = 0; i < GF_OPEN; i++) {
        const struct gf_order_card *card = gf_order_card(cards, &state->open[i]);
        for (int need = 0; need < card->needs; need++)
            sum += card->need[need].resource == resource ? state->open[i].locked[need] : 0;
    }
    for (int i = 0; i < GF_PLANETS; i++)
        sum += state->rep[i].locked[resource];
    return check_range(err, sum, cards->cubes, cards->cubes, "The sum of the cubes of resource %d (%s)",
                       resource, cards->planet[resource + 1].resource);
}

static int check_workers(const struct gf_cards *cards, const struct gf_state *state, struct err *err)
{
    int sum = state->aboard + state->home + state->tally.killed;
    for (int i = 0; i < GF_PLANETS; i++)
        sum += state->planet[i].working + state->planet[i].idle;
    return check_range(err, sum, cards->workers_total, cards->workers_total, "The sum of all workers");
}

int gf_check(const void *data, const void *from, struct err *err)
{
    const struct gf_cards *cards = data;
    const struct gf_state *state = from;
    struct gf_state *tame = mem_alloc(sizeof *tame);
    *tame = *state;
    gf_tame(cards, tame);
    json_t *given = fields_json(gf_fields, state);
    json_t *good = fields_json(gf_fields, tame);
    bool same = json_equal(given, good);
    json_decref(given);
    json_decref(good);
    free(tame);
    if (!same)
        return err_set(err, ERR_INPUT, "A number would be out of the range that the rules give it.");
    /* A pocket fills more than the tank, and partners with a larger tank or hold come and go. */
    if (check_range(err, state->fuel, 0, gf_tank(cards, state) + 9, "fuel") ||
        check_range(err, gf_sum(state->cargo), 0, gf_cargo_limit(cards, state) + 9, "The sum of cargo") ||
        check_range(err, gf_sum(state->store), 0, cards->home_store, "The sum of store") ||
        check_workers(cards, state, err) || decks_check(gf_decks, cards, state, err))
        return -1;
    for (int resource = 0; resource < GF_PLANETS; resource++)
        if (check_cubes(cards, state, resource, err))
            return -1;
    return 0;
}
