#include "play/headline.h"

#include <string.h>

static bool flag(const struct value *event, const char *name)
{
    return value_is_true(value_get(event, name));
}

static bool concerns(const struct headline *row, const struct value *event)
{
    bool own = flag(event, "you");
    bool target = flag(event, "target_you") || flag(event, "to_you");
    if (row->only && !value_get(event, row->only))
        return false;
    switch (row->whose) {
    case HEADLINE_OWN: return own;
    case HEADLINE_TARGET: return target;
    case HEADLINE_OTHERS: return !own && !target;
    case HEADLINE_ANY: break;
    }
    return true;
}

/* The last event of a row among what is told, with how many there are of it, and what they amount to; or NULL. *at: where it comes. */
static struct value *fitting(const struct value *told, const struct headline *row, int *at)
{
    const struct value *found = NULL;
    int place = 0;
    const struct value *turns = value_get(told, "turns");
    int64_t count = 0, all = 0;
    for (const struct value *turn = turns ? value_first(turns) : NULL; turn; turn = turn->next) {
        const struct value *news = value_get(turn, "news");
        for (const struct value *one = news ? value_first(news) : NULL; one; one = one->next) {
            const struct value *event = value_get(one, row->event);
            place++;
            if (!event || !concerns(row, event))
                continue;
            *at = place;
            const struct value *amount = row->only ? value_get(event, row->only) : NULL;
            all += amount && amount->kind == VALUE_INTEGER ? amount->number : 0;
            count++;
            found = event;
        }
    }
    struct value *own = found ? value_copy(value_arena(told), found) : NULL;
    if (count > 1) {
        value_put_int(own, "more", count - 1);
        value_put_int(own, "count", count);
    }
    if (all)
        value_put_int(own, "all", all);
    return own;
}

/* Won and lost again, or lost and won back: what came last is so, and "both_ways" says that it was otherwise. */
static bool same_system(const struct value *one, const struct value *other)
{
    const struct value *a = value_get(one, "system"), *b = value_get(other, "system");
    return a && b && a->kind == VALUE_TEXT && b->kind == VALUE_TEXT && a->text.len == b->text.len &&
           memcmp(a->text.p, b->text.p, a->text.len) == 0;
}

static void put_news(struct value *headline, const struct value *told, const struct game *game)
{
    struct value *news = value_put_object(headline, "news"), *first = NULL, *also = NULL;
    const char *kind = "quiet";
    int at = 0, first_at = 0;
    bool again = false;
    const char *undo = game->ruleset->shown.undo;
    for (const struct headline *row = game->ruleset->shown.headlines; row && row->event; row++) {
        struct value *own = fitting(told, row, &at);
        if (!own)
            continue;
        const bool undoes = undo && word_listed(undo, row->kind);
        if (first && undoes && word_listed(undo, kind) && same_system(first, own)) {
            again = true;
            if (at < first_at)
                continue;
            first = NULL;
        }
        if (first && strcmp(row->kind, kind) != 0 && !value_get(also, row->kind))
            value_put(also, row->kind, own);
        if (first)
            continue;
        first = own;
        first_at = at;
        kind = row->kind;
        also = value_put_object(own, "also");
    }
    if (again && first)
        value_put_flag(first, "both_ways", true);
    value_put(news, kind, first ? first : value_get(told, "lead"));
}

/* Among those of equal scores the reader leads, else the first seat. */
static void put_lead(struct value *told, const struct game *game, int seat, const struct score *scores)
{
    struct value *lead = value_put_object(told, "lead");
    int best = 0, equal = 0, playing = 0;
    for (int i = 1; i <= game->seats; i++) {
        const bool plays = scores[i].fate != SEAT_LOST;
        playing += plays;
        if (!plays || (best && scores[i].points < scores[best].points))
            continue;
        equal = best && scores[i].points == scores[best].points ? equal + 1 : 1;
        best = best && scores[i].points == scores[best].points && i != seat ? best : i;
    }
    value_put_int(lead, "seat", best);
    value_put_int(lead, "points", best ? scores[best].points : 0);
    value_put_flag(lead, "one", best && scores[best].points == 1);
    if (seat)
        value_put_int(lead, "own", scores[seat].points);
    value_put_flag(lead, "tie", equal > 1);
    value_put_flag(lead, "level", equal > 1 && equal == playing);
    value_put_flag(lead, "solo", game->seats == 1);
    value_put_int(lead, "turn", game->turn);
    view_names(lead, game, seat);
}

void headline_put(struct value *told, const struct game *game, int seat, bool missed, bool begun)
{
    struct score scores[SEATS_MAX + 1] = {{0}};
    struct value *headline = value_put_object(told, "headline");
    const struct ruleset *ruleset = game->ruleset;
    ruleset->end.scores(game->cards, game->state, scores);
    put_lead(told, game, seat, scores);
    if (seat && !game->over && ruleset->shown.stakes) {
        struct value *stakes = ruleset->shown.stakes(game->cards, game->state, seat, value_arena(told));
        view_names(stakes, game, seat);
        if (value_count(stakes))
            value_put(told, "stakes", stakes);
    }
    value_put_flag(headline, "fallen", seat && scores[seat].fate == SEAT_LOST);
    if (missed && !game->over)
        value_put_int(value_put_object(headline, "missed"), "turn", game->turn - 1);
    else /* otherwise templates would find that of the report */
        value_put_flag(headline, "missed", false);
    if (game->over)
        value_put_object(headline, "over");
    else if (begun || game->turn == 1)
        value_put_object(headline, "begun");
    else
        put_news(headline, told, game);
}

void headline_between(json_t *facts, const struct game *game, int seat, const json_t *events)
{
    struct arena arena = {NULL, NULL, 0};
    struct value *told = value_object(&arena), *headline = value_object(&arena);
    struct value *turn = value_add_object(value_put_list(told, "turns"));
    value_put(turn, "news", view_news(&arena, game, seat, events));
    value_put(told, "lead", &value_false);
    put_news(headline, told, game);
    const struct value *news = value_get(headline, "news");
    if (news && !value_get(news, "quiet"))
        json_object_set_new(facts, "headline", value_json(headline));
    arena_release(&arena);
}
