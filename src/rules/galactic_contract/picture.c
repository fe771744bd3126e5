/* What the board's picture says beyond the public view: goods as cubes, constructions as notches, how many planets the
 * circle has, and what the turn has changed. */
#include "rules/galactic_contract/turn.h"
#include "rules/put.h"

#define NOTCHES 6 /* constructions that are drawn */

/* Puts the goods of "2 metal, 1 fuel": a cube a kind. */
static void put_cubes(struct value *object, const char *name, struct slice words)
{
    struct value *list = value_put_list(object, name);
    struct slice number, kind;
    int64_t many;
    while (slice_word(&words, &number) && slice_word(&words, &kind) && slice_number(&number, &many))
        mark_cube(value_add_object(list), slice_starts(kind, "fuel") ? 'U' : (char)(*kind.p - 'a' + 'A'),
                  (int)many);
}

static int built_on(const struct value *planet)
{
    int count = 0;
    for (const struct value *built = look_first(planet, "built"); built; built = built->next)
        count += look_int(built, "count") ? look_int(built, "count") : 1;
    return count;
}

/* The first planet is above the GCC; where their number is even, one is below it. */
static void mark_planet(struct value *planet, int planets, const struct value *before)
{
    const struct value *was = look_named(look_first(before, "planets"), "name", look_text(planet, "name"));
    const int number = look_int(planet, "number"), built = built_on(planet);
    put_cubes(planet, "makes", look_text(planet, "produces"));
    put(planet, "middle?=%d notches=%d fresh?=%d", number == 1 || 2 * number == planets + 2,
        built > NOTCHES ? NOTCHES : built, was && built_on(was) != built);
    if (!look_flag(planet, "trade"))
        return;
    struct value *trade = value_get(planet, "trade");
    const struct value *other = was ? value_get(was, "trade") : NULL;
    put_cubes(trade, "pays", look_text(trade, "cost"));
    put_cubes(trade, "gets", look_text(trade, "gain"));
    put(trade, "fresh?=%d", look_text(other, "id").len && !look_same(trade, other, "id"));
}

static void mark_captain(struct value *player, const struct value *before)
{
    const struct value *was = look_seat(look_first(before, "players"), look_int(player, "seat"));
    put_cubes(player, "cubes", look_text(player, "cargo"));
    put(player, "one_point?=%d fresh?=%d", look_int(player, "score") == 1,
        was && look_int(was, "score") != look_int(player, "score"));
    value_put_flag(player, "flew_from", false);
    if (was && !look_same(player, was, "at"))
        value_put_slice(player, "flew_from", look_text(was, "at"));
}

void gk_picture(struct value *view, const struct picture_of *of)
{
    const int planets = look_count(view, "planets");
    const struct value *was = look_first(of->before, "piles");
    put(view, "six?=%d seven?=%d eight?=%d", planets == 6, planets == 7, planets == 8);
    for (struct value *planet = look_first(view, "planets"); planet; planet = planet->next)
        mark_planet(planet, planets, of->before);
    for (struct value *pile = look_first(view, "piles"); pile; pile = pile->next) {
        put_cubes(pile, "cubes", look_text(value_get(pile, "shipment"), "cost"));
        put(pile, "fresh?=%d", was && look_int(was, "left") != look_int(pile, "left"));
        was = was ? was->next : NULL;
    }
    for (struct value *player = look_first(view, "players"); player; player = player->next)
        mark_captain(player, of->before);
}
