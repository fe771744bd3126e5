#include "play/typos.h"

#include "play/facts.h"
#include "play/trial.h"

json_t *typos_wait(const struct game *game, int seat, const struct script *script, bool final)
{
    if (!game->clock.typo_wait || final || !turn_may_wait(script))
        return NULL;
    json_t *lines = trial_wrong(game, seat, script, game->seat[seat].texts >= RECEIPTS_WHOLE);
    if (json_array_size(lines))
        return lines;
    json_decref(lines);
    return NULL;
}

bool typos_wait_next(const struct game *game, const struct turn_result *result)
{
    const struct game_orders *orders = &game->seat[1].orders;
    if (game->seats > 1 || !game->turn || orders->set || !turn_goes_on(game, 1, &result->events))
        return false;
    struct script *script = turn_next_orders(game, 1);
    struct game after = *game; /* borrows all that it points to */
    after.state = result->state;
    after.turn++;
    after.seat[1].texts = 0;
    json_t *lines =
        game->ruleset->awaits(result->state) ? typos_wait(&after, 1, script, orders->final) : NULL;
    bool waits = lines != NULL;
    json_decref(lines);
    script_free(script);
    return waits;
}

void typos_facts(json_t *facts, const struct game *game, int seat, const json_t *lines)
{
    const struct game_orders *orders = &game->seat[seat].orders;
    if (!orders->in || !orders->waits || game->over)
        return;
    struct script *script = script_parse(slice_str(&orders->text), game->ruleset->language);
    json_t *list = json_deep_copy(lines);
    if (!list)
        list = trial_wrong(game, seat, script, false);
    bool deals = game->ruleset->instant && script_has_instant(script);
    script_free(script);
    if (json_array_size(list))
        json_object_set_new(
            facts, "typo",
            json_pack("{s:b,s:b,s:O}", "several", json_array_size(list) > 1, "deals", deals, "lines", list));
    else
        facts_not_read(facts, list, true);
    json_decref(list);
}
