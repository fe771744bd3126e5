/* The places of the board's picture: the planets on a circle, each with what it makes, its open trade and its
 * constructions; the GCC with the shipments in the centre; ships where they are; a row a captain below. */
#include "rules/galactic_contract/turn.h"

#include <stdlib.h>
#include <string.h>

#define RADIUS    76 /* of a planet */
#define STEP      30 /* from cube to cube */
#define CAPTAINS  1120
#define ROW       58
#define GOODS_MAX 16 /* cubes in a row; the cargo of a captain has no more */

static const struct spot centre = {600, 580}, circle = {420, 350};

/* ---- cubes ---- */

/* The kinds of "2 metal, 1 fuel", a letter for each card. */
static int letters_of(struct slice words, char letters[GOODS_MAX])
{
    int count = 0;
    struct slice number, kind;
    while (slice_word(&words, &number) && slice_word(&words, &kind)) {
        int64_t many = 0;
        if (!slice_number(&number, &many))
            return count;
        for (; many > 0 && count < GOODS_MAX; many--)
            letters[count++] = slice_starts(kind, "fuel") ? 'U' : (char)(*kind.p - 'a' + 'A');
    }
    return count;
}

static void put_cubes(struct value *list, const char *letters, int count, struct spot first)
{
    for (int i = 0; i < count; i++) {
        struct value *cube = value_add_object(list);
        char letter[2] = {letters[i], '\0'};
        put_spot(cube, (struct spot){first.x + STEP * i, first.y});
        value_put_text(cube, "letter", letter);
    }
}

/* Cubes in a row about a spot. */
static void put_goods(struct value *object, const char *name, struct slice words, struct spot middle)
{
    char letters[GOODS_MAX];
    const int count = letters_of(words, letters);
    put_cubes(value_put_list(object, name), letters, count,
              (struct spot){middle.x - STEP * (count - 1) / 2, middle.y});
}

/* ---- planets ---- */

static struct spot spot_of(const struct value *view, int number)
{
    const int planets = look_count(view, "planets");
    return number && planets ? spot_round(centre, circle, 360 * (number - 1) / planets) : centre;
}

/* The trade below a planet: what is paid, an arrow, what is got, the points. */
static void put_trade(struct value *object, const struct value *trade, const struct value *was)
{
    char cost[GOODS_MAX], gain[GOODS_MAX];
    struct value *put = value_put_object(object, "trade");
    const int paid = letters_of(look_text(trade, "cost"), cost),
              got = letters_of(look_text(trade, "gain"), gain);
    const int width = STEP * (paid + got) + 36 + 44, left = -width / 2;
    const int y = RADIUS + 32;
    value_put_int(put, "left", left);
    value_put_int(put, "width", width);
    struct value *cubes = value_put_list(put, "cubes");
    put_cubes(cubes, cost, paid, (struct spot){left + 20, y});
    put_cubes(cubes, gain, got, (struct spot){left + 20 + STEP * paid + 34, y});
    value_put_int(put, "arrow", left + STEP * paid + 11);
    value_put_int(put, "worth", left + width - 10);
    value_put_int(put, "points", look_int(trade, "points"));
    value_put_flag(
        put, "fresh",
        was && look_text(was, "id").len &&
            memcmp(look_text(was, "id").p, look_text(trade, "id").p, look_text(was, "id").len + 1) != 0);
}

static int built_on(const struct value *planet)
{
    int count = 0;
    for (const struct value *built = look_first(planet, "built"); built; built = built->next)
        count += look_int(built, "count") ? look_int(built, "count") : 1;
    return count;
}

static void put_notches(struct value *object, int count)
{
    struct value *list = value_put_list(object, "notches");
    for (int i = 0; i < count && i < 8; i++) {
        const int degrees = 90 + (i % 2 ? -20 : 20) * ((i + 1) / 2);
        const struct spot none = {0, 0};
        put_line(value_add_object(list), spot_round(none, (struct spot){RADIUS - 12, RADIUS - 12}, degrees),
                 spot_round(none, (struct spot){RADIUS + 12, RADIUS + 12}, degrees));
    }
}

static void put_planet(struct value *list, const struct picture_of *of, const struct value *planet)
{
    const struct value *was =
        look_named(look_first(of->before, "planets"), "name", look_text(planet, "name"));
    const struct value *trade = value_get(planet, "trade");
    struct value *object = value_add_object(list);
    put_spot(object, spot_of(of->view, look_int(planet, "number")));
    value_put_slice(object, "name", look_text(planet, "name"));
    put_goods(object, "makes", look_text(planet, "produces"), (struct spot){0, 26});
    put_notches(object, built_on(planet));
    value_put_flag(object, "fresh", was && built_on(was) != built_on(planet));
    if (look_flag(planet, "trade"))
        put_trade(object, trade, was ? value_get(was, "trade") : NULL);
    else
        value_put_flag(object, "trade", false);
}

/* ---- ships ---- */

/* The place at which the ship of a seat is: a planet's number, 0 for the GCC. */
static int place_of(const struct value *view, int seat)
{
    for (const struct value *planet = look_first(view, "planets"); planet; planet = planet->next)
        if (look_seat(look_first(planet, "ships"), seat))
            return look_int(planet, "number");
    return 0;
}

/* About a planet the first comes to its right above, the next to its left; about the GCC all stand above it. */
static struct spot berth(struct spot at, bool gcc, int index)
{
    static const int degrees[] = {50, -50, 18, -18};
    if (gcc)
        return (struct spot){at.x - 99 + 66 * (index % 4), at.y - 150};
    return spot_round(at, (struct spot){RADIUS + 46, RADIUS + 46}, degrees[index % 4]);
}

/* How far a flight stays away from the middle of a place: the GCC is a hexagon, and trades stand below planets. */
static int margin(struct spot place, struct spot other)
{
    const int x = abs(other.x - place.x), y = abs(other.y - place.y), whole = spot_distance(place, other);
    if (place.x != centre.x || place.y != centre.y)
        return RADIUS + (other.y > place.y && x < 2 * RADIUS ? 62 : 12);
    const int upright = y ? 116 * whole / y : whole, across = 202 * whole / (x + y * 60 / 106 + 1);
    return upright < across ? upright : across;
}

static void put_ships(struct value *picture, const struct picture_of *of)
{
    struct value *ships = value_put_list(picture, "ships"), *flights = value_put_list(picture, "flights");
    int berths[GK_PLANETS + 1] = {0};
    for (const struct value *player = look_first(of->view, "players"); player; player = player->next) {
        const int seat = look_int(player, "seat"), place = place_of(of->view, seat);
        const int was = of->before ? place_of(of->before, seat) : place;
        const struct spot from = spot_of(of->view, was), to = spot_of(of->view, place);
        struct value *ship = value_add_object(ships);
        put_who(ship, player);
        put_spot(ship, berth(to, place == 0, berths[place <= GK_PLANETS ? place : 0]++));
        if (was != place)
            put_line(value_add_object(flights), spot_toward(from, to, margin(from, to)),
                     spot_toward(to, from, margin(to, from)));
    }
}

/* ---- the GCC and the captains ---- */

static void put_pile(struct value *list, const struct picture_of *of, const struct value *pile)
{
    const struct value *shipment = value_get(pile, "shipment");
    const struct value *was = look_first(of->before, "piles");
    const int index = (int)value_count(list), y = 0 + 46 * index;
    struct value *object = value_add_object(list);
    value_put_int(object, "y", y);
    value_put_int(object, "left", look_int(pile, "left"));
    value_put_flag(object, "open", look_flag(pile, "shipment"));
    for (int i = 0; was && i < index; i++)
        was = was->next;
    value_put_flag(object, "fresh", was && look_int(was, "left") != look_int(pile, "left"));
    if (!look_flag(pile, "shipment"))
        return;
    value_put_int(object, "points", look_int(shipment, "points"));
    put_goods(object, "cost", look_text(shipment, "cost"), (struct spot){-44, y});
}

static void put_captain(struct value *list, const struct picture_of *of, const struct value *player)
{
    const struct value *was = look_seat(look_first(of->before, "players"), look_int(player, "seat"));
    const int y = CAPTAINS + ROW * (int)value_count(list);
    char letters[GOODS_MAX];
    struct value *object = value_add_object(list);
    put_who(object, player);
    value_put_int(object, "y", y);
    value_put_slice(object, "ship", look_text(player, "ship"));
    value_put_int(object, "speed", look_int(player, "speed"));
    value_put_int(object, "capacity", look_int(player, "capacity"));
    value_put_int(object, "upgrades", look_int(player, "upgrades_owned"));
    value_put_int(object, "score", look_int(player, "score"));
    value_put_flag(object, "moves", look_flag(player, "moves_now"));
    value_put_flag(object, "won", look_flag(player, "won"));
    value_put_flag(object, "fresh", was && look_int(was, "score") != look_int(player, "score"));
    const int count = letters_of(look_text(player, "cargo"), letters);
    put_cubes(value_put_list(object, "cargo"), letters, count, (struct spot){672, y - 8});
}

struct value *gk_picture(const struct picture_of *of, struct arena *arena)
{
    struct value *picture = value_object(arena);
    struct value *planets = value_put_list(picture, "planets"), *spokes = value_put_list(picture, "spokes");
    struct value *piles = value_put_list(picture, "piles"), *captains = value_put_list(picture, "captains");
    for (const struct value *planet = look_first(of->view, "planets"); planet; planet = planet->next) {
        put_planet(planets, of, planet);
        put_line(value_add_object(spokes), centre, spot_of(of->view, look_int(planet, "number")));
    }
    for (const struct value *pile = look_first(of->view, "piles"); pile; pile = pile->next)
        put_pile(piles, of, pile);
    put_ships(picture, of);
    for (const struct value *player = look_first(of->view, "players"); player; player = player->next)
        put_captain(captains, of, player);
    const int legend = CAPTAINS + ROW * (int)value_count(captains) - 20;
    value_put_int(picture, "legend", legend);
    value_put_int(picture, "height", legend + 104);
    return picture;
}
