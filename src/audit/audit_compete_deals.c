/* Duplicate deals: the same for all, at the same times; and robots that anybody can play again. */
#include <stdlib.h>
#include <string.h>

#include "audit/audit_compete_parts.h"
#include "base/mem.h"
#include "compete/draw.h"
#include "compete/field.h"

#define UNEVEN \
    ((int64_t)3600) /* seconds between the ends of a turn in two games that a run of the league may take */

/* Another game of the same round that comes before this one in the order of the tables, and is here. */
static const struct audit_played *earlier(struct competing *a, const struct compete_table *table)
{
    for (int number = 1; number < table->number; number++) {
        char id[GAME_NAME];
        compete_game_name(id, &a->c, table->round, number);
        const struct audit_played *game = competing_game(a, id);
        if (game && game->deal.begun)
            return game;
    }
    return NULL;
}

/* Somebody whose turn ended later than others' had more time for it. */
static void compare_times(struct competing *a, const struct audit_played *first,
                          const struct audit_played *game)
{
    for (int turn = 1; turn <= AUDIT_TURNS; turn++) {
        int64_t one = first->deal.closed[turn], other = game->deal.closed[turn];
        if (!one || !other || llabs(one - other) <= UNEVEN)
            continue;
        const struct audit_played *late = one > other ? first : game;
        a->out->counts.uneven++;
        competing_word(a, AUDIT_TIME,
                       "turn %d of %s ended %lld minutes later than that of %s: more time for it", turn,
                       late->id, (long long)(llabs(one - other) / 60), late == first ? game->id : first->id);
    }
}

int competing_deal(struct competing *a, const struct compete_table *table, const struct audit_played *game)
{
    struct lockstep lockstep;
    const json_t *its = json_object_get(game->create, "lockstep");
    if (a->c.kind != COMPETE_DUPLICATE)
        return its ? competing_broken(a, AUDIT_TIME, "its game %s is in lockstep", game->id) : 0;
    compete_lockstep(&lockstep, &a->c, table->round);
    json_t *want = lockstep_json(&lockstep);
    bool same = its && json_equal(its, want);
    json_decref(want);
    if (!same || json_object_get(game->create, "clock"))
        return competing_broken(a, AUDIT_TIME, "the turns of the game %s open at other times than the deal's",
                                game->id);
    const struct audit_played *first = earlier(a, table);
    if (!first || !game->deal.begun)
        return 0;
    if (memcmp(first->deal.digest, game->deal.digest, sizeof first->deal.digest) != 0)
        return competing_broken(a, AUDIT_DRAW, "in the game %s another deal was dealt than in %s", game->id,
                                first->id);
    compare_times(a, first, game);
    return 0;
}

/* ---- field ---- */

static const struct audit_played *open_game(struct competing *a)
{
    for (size_t number = 1; number <= a->c.rounds[a->c.round - 1].count; number++) {
        char id[GAME_NAME];
        compete_game_name(id, &a->c, a->c.round, (int)number);
        const struct audit_played *game = competing_game(a, id);
        if (game && game->deal.state)
            return game;
    }
    return NULL;
}

int competing_field(struct competing *a)
{
    const struct compete_round *round = &a->c.rounds[a->c.round - 1];
    const struct audit_played *game = open_game(a);
    struct err why = ERR_INIT;
    if (!game) {
        a->out->counts.unplayed++;
        competing_word(
            a, AUDIT_RULES,
            "the robots' scores of round %d are the operator's word here: the seals of none of its "
            "games are open",
            a->c.round);
        return 0;
    }
    const struct field_deal deal = {a->c.ruleset, game->deal.cards, game->deal.state, game->nonce};
    int *scores = mem_array((size_t)a->c.terms.field, sizeof *scores);
    bool played = field_play(&deal, a->c.terms.field, scores, &why) == 0;
    bool same = played && memcmp(scores, round->field, (size_t)a->c.terms.field * sizeof *scores) == 0;
    free(scores);
    if (!same)
        return competing_broken(a, AUDIT_RULES, "the robots play the deal of round %d otherwise", a->c.round);
    a->out->counts.fields++;
    return 0;
}
