/* The places of the board's picture: the planets as cards in a circle, each with what it makes, its open trade and
 * its constructions, and the ships above it; the GCC with the shipments in the middle; the captains below. */
#include "rules/galactic_contract/turn.h"

#include <string.h>

#define TOP       112 /* where the circle begins */
#define SHIPS     38  /* above a card, for ships */
#define CARD      124 /* the height of a planet's card */
#define CELL      174 /* from a planet to the next one below it, at least */
#define SIDE      198 /* the width of those at both sides */
#define MIDDLE    264 /* and of those in the middle */
#define GAP       10
#define PILE      36 /* from shipment to shipment */
#define GCC_HEAD  48 /* above the first */
#define CUBE      28 /* the width of a cube */
#define SPACE     6  /* beside it */
#define NUMBER    16 /* a digit before it */
#define ARROW     26 /* between what is paid and what is got */
#define CAPTAIN   94 /* the height of a captain's lines */
#define NOTCHES   6  /* constructions that are drawn */
#define KINDS_MAX 8  /* kinds of goods in a row */

/* ---- goods ---- */

struct goods {
    struct {
        int64_t many;
        char letter[2];
    } kind[KINDS_MAX];
    int count, width;
};

/* What stands before a cube: nothing if there is one. */
static int number_width(int64_t many)
{
    return many > 9 ? 2 * NUMBER : many > 1 ? NUMBER : 0;
}

/* Of "2 metal, 1 fuel". */
static struct goods goods_of(struct slice words)
{
    struct goods goods = {.count = 0};
    struct slice number, kind;
    while (goods.count < KINDS_MAX && slice_word(&words, &number) && slice_word(&words, &kind)) {
        int64_t many = 0;
        if (!slice_number(&number, &many) || many < 1)
            break;
        goods.kind[goods.count].many = many;
        goods.kind[goods.count].letter[0] = slice_starts(kind, "fuel") ? 'U' : (char)(*kind.p - 'a' + 'A');
        goods.count++;
        goods.width += CUBE + SPACE + number_width(many);
    }
    return goods;
}

/* A cube a kind, and before it how many if there is more than one, from `at` to the right. */
static void put_goods(struct value *list, const struct goods *goods, struct spot at)
{
    for (int i = 0; i < goods->count; i++) {
        const int64_t many = goods->kind[i].many;
        struct value *cube = value_add_object(list);
        at.x += number_width(many);
        put_spot(cube, (struct spot){at.x + (CUBE + SPACE) / 2, at.y});
        value_put_text(cube, "letter", goods->kind[i].letter);
        value_put_amount(cube, "many", many > 1 ? (int)many : 0);
        at.x += CUBE + SPACE;
    }
}

/* ---- the circle ---- */

/* How many planets are at the right side; at the left there are as many. The first is above the GCC; where their number
 * is even, one is below it. */
static int at_side(int planets)
{
    return (planets - 1) / 2;
}

static int gcc_height(const struct value *view)
{
    return GCC_HEAD + PILE * look_count(view, "piles");
}

static int circle_height(const struct value *view)
{
    const int planets = look_count(view, "planets");
    const int sides = CELL * at_side(planets);
    const int middle = CELL * (planets % 2 ? 1 : 2) + SHIPS + gcc_height(view) + GAP;
    return sides > middle ? sides : middle;
}

/* The upper left corner of a planet's card; 0: the GCC's. */
static struct spot corner_of(const struct value *view, int number)
{
    const int planets = look_count(view, "planets"), side = at_side(planets), all = circle_height(view);
    const int middle = PICTURE_SIDE + SIDE + GAP;
    const int even = side ? (all - CELL) / side : 0, step = even > CELL ? even : CELL;
    const int first = (all - CELL - step * (side - 1)) / 2;
    if (number == 0)
        return (struct spot){middle, TOP + SHIPS + CELL};
    if (number == 1)
        return (struct spot){middle, TOP + SHIPS};
    if (number - 2 < side)
        return (struct spot){middle + MIDDLE + GAP, TOP + SHIPS + first + step * (number - 2)};
    if (planets % 2 == 0 && number - 2 == side)
        return (struct spot){middle, TOP + SHIPS + all - CELL};
    return (struct spot){PICTURE_SIDE, TOP + SHIPS + first + step * (planets - number)};
}

static int width_of(const struct value *view, int number)
{
    const int planets = look_count(view, "planets");
    return number < 2 || (planets % 2 == 0 && number - 2 == at_side(planets)) ? MIDDLE : SIDE;
}

/* ---- planets ---- */

/* The trade at the foot of a card: what is paid, an arrow, what is got, the points. */
static void put_trade(struct value *object, const struct value *trade, const struct value *was, int width)
{
    const struct goods cost = goods_of(look_text(trade, "cost")), gain = goods_of(look_text(trade, "gain"));
    const int left = (width - cost.width - ARROW - gain.width - NUMBER) / 2, y = CARD - 20;
    struct value *put = value_put_object(object, "trade");
    struct value *cubes = value_put_list(put, "cubes");
    put_goods(cubes, &cost, (struct spot){left, y});
    put_goods(cubes, &gain, (struct spot){left + cost.width + ARROW, y});
    value_put_int(put, "arrow", left + cost.width + 2);
    value_put_int(put, "worth", left + cost.width + ARROW + gain.width + 2);
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

static void put_planet(struct value *list, const struct picture_of *of, const struct value *planet)
{
    const struct value *was =
        look_named(look_first(of->before, "planets"), "name", look_text(planet, "name"));
    const int number = look_int(planet, "number"), width = width_of(of->view, number);
    const struct goods makes = goods_of(look_text(planet, "produces"));
    struct value *object = value_add_object(list);
    put_spot(object, corner_of(of->view, number));
    value_put_int(object, "width", width);
    value_put_int(object, "centre", width / 2);
    value_put_slice(object, "name", look_text(planet, "name"));
    put_goods(value_put_list(object, "makes"), &makes, (struct spot){(width - makes.width) / 2 + 12, 59});
    struct value *notches = value_put_list(object, "notches");
    for (int i = 0; i < built_on(planet) && i < NOTCHES; i++)
        put_spot(value_add_object(notches), (struct spot){8 + 13 * (i % 2), 46 + 13 * (i / 2)});
    value_put_flag(object, "fresh", was && built_on(was) != built_on(planet));
    if (look_flag(planet, "trade"))
        put_trade(object, value_get(planet, "trade"), was ? value_get(was, "trade") : NULL, width);
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

/* Above the card of their place, side by side. */
static void put_ships(struct value *picture, const struct picture_of *of)
{
    struct value *ships = value_put_list(picture, "ships");
    int there[GK_PLANETS + 1] = {0};
    for (const struct value *player = look_first(of->view, "players"); player; player = player->next) {
        const int place = place_of(of->view, look_int(player, "seat"));
        const struct spot corner = corner_of(of->view, place);
        const int berth = there[place <= GK_PLANETS ? place : 0]++;
        struct value *ship = value_add_object(ships);
        value_put_int(ship, "seat", look_int(player, "seat"));
        put_spot(ship, (struct spot){corner.x + 32 + 44 * berth, corner.y - SHIPS / 2});
    }
}

/* ---- the GCC and the captains ---- */

static void put_pile(struct value *list, const struct picture_of *of, const struct value *pile)
{
    const struct value *shipment = value_get(pile, "shipment");
    const struct value *was = look_first(of->before, "piles");
    const int index = (int)value_count(list), y = GCC_HEAD + PILE * index;
    const struct goods cost = goods_of(look_text(shipment, "cost"));
    struct value *object = value_add_object(list);
    value_put_int(object, "y", y);
    value_put_int(object, "left", look_int(pile, "left"));
    value_put_flag(object, "open", look_flag(pile, "shipment"));
    for (int i = 0; was && i < index; i++)
        was = was->next;
    value_put_flag(object, "fresh", was && look_int(was, "left") != look_int(pile, "left"));
    value_put_int(object, "points", look_int(shipment, "points"));
    put_goods(value_put_list(object, "cost"), &cost, (struct spot){14, y + CUBE / 2});
}

static struct slice place_name(const struct value *view, int number)
{
    const struct value *planet = look_first(view, "planets");
    while (planet && look_int(planet, "number") != number)
        planet = planet->next;
    return planet ? look_text(planet, "name") : slice_of("the GCC");
}

/* Returns where the next one begins. */
static int put_captain(struct value *list, const struct picture_of *of, const struct value *player, int y)
{
    const int seat = look_int(player, "seat");
    const struct value *was = look_seat(look_first(of->before, "players"), seat);
    const struct goods cargo = goods_of(look_text(player, "cargo"));
    const int place = place_of(of->view, seat), came = of->before ? place_of(of->before, seat) : place;
    struct value *object = value_add_object(list);
    put_who(object, player);
    put_spot(object, (struct spot){PICTURE_SIDE, y});
    value_put_int(object, "width", PICTURE_INNER);
    value_put_int(object, "name_most", 430);
    value_put_slice(object, "ship", look_text(player, "ship"));
    value_put_int(object, "ship_most", PICTURE_INNER - cargo.width - 16);
    value_put_int(object, "speed", look_int(player, "speed"));
    value_put_int(object, "capacity", look_int(player, "capacity"));
    value_put_int(object, "score", look_int(player, "score"));
    value_put_flag(object, "one_point", look_int(player, "score") == 1);
    value_put_flag(object, "won", look_flag(player, "won"));
    value_put_flag(object, "fresh", was && look_int(was, "score") != look_int(player, "score"));
    value_put_flag(object, "flown", came != place);
    value_put_slice(object, "from", place_name(of->view, came));
    value_put_slice(object, "to", place_name(of->view, place));
    put_goods(value_put_list(object, "cargo"), &cargo, (struct spot){PICTURE_INNER - cargo.width, 69});
    return y + CAPTAIN + (came != place ? PICTURE_LINE : 0);
}

struct value *gk_picture(const struct picture_of *of, struct arena *arena)
{
    struct value *picture = value_object(arena);
    struct value *planets = value_put_list(picture, "planets"), *piles = value_put_list(picture, "piles"),
                 *captains = value_put_list(picture, "captains");
    struct value *gcc = value_put_object(picture, "gcc"), *circle = value_put_object(picture, "circle");
    const int all = circle_height(of->view);
    for (const struct value *planet = look_first(of->view, "planets"); planet; planet = planet->next)
        put_planet(planets, of, planet);
    for (const struct value *pile = look_first(of->view, "piles"); pile; pile = pile->next)
        put_pile(piles, of, pile);
    put_spot(gcc, corner_of(of->view, 0));
    value_put_int(gcc, "height", gcc_height(of->view));
    value_put_int(circle, "y", TOP + SHIPS + (all - CELL + CARD) / 2);
    value_put_int(circle, "half", (all - CELL) / 2);
    put_ships(picture, of);
    int y = TOP + all + 12;
    for (const struct value *player = look_first(of->view, "players"); player; player = player->next)
        y = put_captain(captains, of, player, y);
    value_put_int(picture, "legend", y);
    value_put_int(picture, "height", y + 2 * PICTURE_LINE + PICTURE_SIDE);
    return picture;
}
