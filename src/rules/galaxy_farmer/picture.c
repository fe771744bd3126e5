/* The places of the board's picture: HOME in the centre, the planets in two rings round it, the ship and the open
 * orders below. */
#include "rules/galaxy_farmer/turn.h"

#include <stdlib.h>
#include <string.h>

#define RADIUS      58 /* of a planet */
#define STEP        32 /* from cube to cube */
#define ORDERS_TOP  880
#define ORDER_WIDTH 372

static const struct spot centre = {600, 500}, inner = {300, 222}, outer = {530, 376};

/* ---- cubes ---- */

/* The colour of a resource, by the planet that grows it. */
static struct slice colour_of(const struct value *view, struct slice resource)
{
    return look_text(look_named(look_first(view, "planets"), "resource", resource), "colour");
}

/* "x", "y", "colour", "dark", "letter": that with which the resource begins. */
static struct value *put_cube(struct value *list, const struct value *view, struct slice resource,
                              struct spot at)
{
    struct value *cube = value_add_object(list);
    char letter[2] = {resource.len ? *resource.p : '?', '\0'};
    if (letter[0] >= 'a' && letter[0] <= 'z')
        letter[0] = (char)(letter[0] - 'a' + 'A');
    put_spot(cube, at);
    value_put_text(cube, "letter", letter);
    value_put_slice(cube, "colour", colour_of(view, resource));
    return cube;
}

/* Of {"resource","state","count"}: a cube a kind and how many; in rows of `in_row`, so many units apart. */
static void put_heap(struct value *object, const char *name, const struct value *view,
                     const struct value *first, struct spot at, int in_row)
{
    struct value *list = value_put_list(object, name);
    int index = 0;
    for (const struct value *item = first; item; item = item->next) {
        struct spot here = {at.x + index % in_row * 84, at.y + index / in_row * 42};
        struct value *cube = put_cube(list, view, look_text(item, "resource"), here);
        value_put_flag(cube, "dark", slice_eq(look_text(item, "state"), "dark"));
        value_put_int(cube, "count", look_int(item, "count"));
        index++;
    }
}

/* ---- planets ---- */

static struct spot place_of(const struct value *planet)
{
    return spot_round(centre, look_flag(planet, "inner") ? inner : outer,
                      45 * (look_int(planet, "position") - 2));
}

/* So many dots in a row about a spot. */
static void put_dots(struct value *object, const char *name, struct spot middle, int count)
{
    struct value *list = value_put_list(object, name);
    for (int i = 0; i < count; i++)
        put_spot(value_add_object(list), (struct spot){middle.x - 13 * (count - 1) + 26 * i, middle.y});
}

static void put_planet(struct value *list, const struct picture_of *of, const struct value *planet)
{
    const struct value *was =
        look_named(look_first(of->before, "planets"), "name", look_text(planet, "name"));
    const struct spot at = place_of(planet);
    const int grown = look_int(planet, "grown");
    struct value *object = value_add_object(list);
    put_spot(object, at);
    value_put_slice(object, "name", look_text(planet, "name"));
    value_put_int(object, "position", look_int(planet, "position"));
    value_put_slice(object, "colour", look_text(planet, "colour"));
    value_put_flag(object, "dark", look_flag(planet, "dark"));
    value_put_flag(object, "troop", look_flag(planet, "troop"));
    value_put_flag(object, "meteor", look_flag(planet, "meteor"));
    put_dots(object, "workers", (struct spot){at.x, at.y - 24}, look_int(planet, "working"));
    put_dots(object, "idle", (struct spot){at.x, at.y + 24}, look_int(planet, "idle"));
    struct value *cubes = value_put_list(object, "cubes");
    for (int i = 0; i < grown; i++) {
        struct spot here = {at.x - STEP * (grown - 1) / 2 + STEP * i, at.y + RADIUS + 26};
        value_put_flag(put_cube(cubes, of->view, look_text(planet, "resource"), here), "dark",
                       look_flag(planet, "dark"));
    }
    value_put_flag(object, "fresh",
                   was && (look_flag(was, "dark") != look_flag(planet, "dark") ||
                           look_flag(was, "troop") != look_flag(planet, "troop") ||
                           look_int(was, "working") != look_int(planet, "working") ||
                           look_int(was, "grown") != grown));
}

/* ---- ships ---- */

/* The centre of a place by its name; HOME is in the centre. */
static struct spot spot_of(const struct value *view, struct slice name)
{
    const struct value *planet = look_named(look_first(view, "planets"), "name", name);
    return planet ? place_of(planet) : centre;
}

/* How far a flight stays away from the middle of a place on the way to or from `other`: HOME is a box, and names stand
 * above planets. */
static int margin(struct spot place, struct spot other)
{
    const int x = abs(other.x - place.x), y = abs(other.y - place.y), whole = spot_distance(place, other);
    if (place.x != centre.x || place.y != centre.y)
        return RADIUS + (other.y < place.y - RADIUS ? 46 : 16);
    const int across = x ? 122 * whole / x : whole, down = y ? 74 * whole / y : whole;
    return across < down ? across : down;
}

/* A flight between the edges of two places, if it is one. */
static void put_flight(struct value *picture, const char *name, struct spot from, struct spot to)
{
    if (spot_distance(from, to) < 3 * RADIUS) {
        value_put_flag(picture, name, false);
        return;
    }
    put_line(value_put_object(picture, name), spot_toward(from, to, margin(from, to)),
             spot_toward(to, from, margin(to, from)));
}

/* Where a ship is drawn: on the side of the planet that is away from the centre, or on the other. */
static struct spot beside(struct spot planet, bool outside)
{
    const bool right = (planet.x > centre.x) == outside;
    return (struct spot){planet.x + (right ? RADIUS + 36 : -RADIUS - 36), planet.y};
}

static void put_ships(struct value *picture, const struct picture_of *of)
{
    const struct value *own = value_get(of->view, "own"),
                       *was = of->before ? value_get(of->before, "own") : NULL;
    const struct slice enemy = look_text(of->view, "enemy_at"), enemy_was = look_text(of->before, "enemy_at");
    const struct spot at = spot_of(of->view, look_text(own, "place"));
    const struct spot there = spot_of(of->view, enemy);
    struct value *ship = value_put_object(picture, "ship");
    put_spot(ship, look_flag(own, "at_home") ? (struct spot){at.x + 152, at.y} : beside(at, false));
    put_who(ship, own);
    put_spot(value_put_object(picture, "enemy"), beside(there, true));
    put_flight(picture, "flight", was ? spot_of(of->view, look_text(was, "place")) : at, at);
    put_flight(picture, "attack", of->before ? spot_of(of->view, enemy_was) : there, there);
}

/* ---- orders ---- */

static void put_order(struct value *list, const struct picture_of *of, const struct value *order)
{
    const struct spot at = {24 + (int)value_count(list) * (ORDER_WIDTH + 18), ORDERS_TOP};
    const int track = look_int(order, "track"), left = look_int(order, "left");
    struct value *object = value_add_object(list);
    put_spot(object, at);
    value_put_int(object, "width", ORDER_WIDTH);
    value_put_slice(object, "name", look_text(order, "name"));
    value_put_int(object, "points", look_int(order, "points"));
    value_put_int(object, "left", left);
    value_put_flag(object, "complete", look_flag(order, "complete"));
    value_put_flag(object, "held", look_flag(order, "held"));
    value_put_flag(object, "fresh",
                   of->before &&
                       !look_named(look_first(of->before, "orders"), "code", look_text(order, "code")));
    put_heap(object, "missing", of->view, look_first(order, "missing"), (struct spot){32, 96}, 4);
    struct value *cells = value_put_list(object, "cells");
    for (int i = 0; i < track && i < 12; i++) {
        struct value *cell = value_add_object(cells);
        value_put_int(cell, "x", 16 + 22 * i);
        value_put_flag(cell, "full", i < left);
    }
}

/* What is planted at HOME, and what of it can be harvested with it. */
static void put_farm(struct value *picture, const struct value *view, const struct value *plot)
{
    struct value *list = value_put_list(picture, "farm");
    for (; plot; plot = plot->next) {
        struct spot at = {900 + 84 * (int)value_count(list), 1050};
        if (!look_flag(plot, "planted"))
            continue;
        struct value *cube = put_cube(list, view, look_text(plot, "resource"), at);
        value_put_flag(cube, "dark", slice_eq(look_text(plot, "state"), "dark"));
        value_put_amount(cube, "count", look_int(plot, "crop") ? 1 + look_int(plot, "crop") : 0);
    }
}

struct value *gf_picture(const struct picture_of *of, struct arena *arena)
{
    struct value *picture = value_object(arena);
    struct value *planets = value_put_list(picture, "planets"), *orders = value_put_list(picture, "orders");
    const struct value *own = value_get(of->view, "own"), *home = value_get(of->view, "home");
    for (const struct value *planet = look_first(of->view, "planets"); planet; planet = planet->next)
        put_planet(planets, of, planet);
    for (const struct value *order = look_first(of->view, "orders"); order; order = order->next)
        put_order(orders, of, order);
    put_ships(picture, of);
    put_heap(picture, "store", of->view, look_first(home, "store"), (struct spot){300, 1050}, 5);
    put_heap(picture, "cargo", of->view, look_first(own, "cargo"), (struct spot){714, 1098}, 6);
    put_farm(picture, of->view, look_first(home, "plots"));
    put_dots(picture, "home_workers", (struct spot){centre.x, centre.y + 26}, look_int(home, "workers"));
    value_put_int(picture, "legend", 1138);
    value_put_int(picture, "height", 1242);
    return picture;
}
