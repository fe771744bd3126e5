/* The places of the board's picture: homeworlds on a polygon, each with its sectors in rows fanned behind it;
 * fleets, leaders and the attacks of the turn. What was lost in the turn is still there, as a shadow. */
#include "rules/galactic_supremacy/turn.h"

#include <string.h>

#define WORLD    54  /* half the height of a sector's hexagon */
#define HOME     84  /* radius of a homeworld */
#define APART    124 /* from sector to sector in a row */
#define ROWS     2
#define CHEVRONS 4 /* more fleets are a number */
#define ATTACKS  12

static const int row_radius[ROWS] = {424, 535};

struct drawn {
    const struct picture_of *of;
    struct value *worlds, *homes, *lines;
    int seats;
    struct spot centre;
};

/* ---- places ---- */

static int angle_of(const struct drawn *drawn, int seat)
{
    return drawn->seats == 2 ? 180 * seat + 90 : 360 * (seat - 1) / drawn->seats;
}

static struct spot home_of(const struct drawn *drawn, int seat)
{
    const int radius = drawn->seats == 2 || drawn->seats == 6 ? 232 : 190;
    return spot_round(drawn->centre, (struct spot){radius, radius}, angle_of(drawn, seat));
}

/* How many sectors there is room for in a row of a seat. */
static int row_room(const struct drawn *drawn, int row)
{
    const int arc = row_radius[row] * 628 / 100 / drawn->seats;
    const int most = drawn->seats == 2 ? 7 : 5;
    const int room = arc / APART;
    return room > most ? most : room < 1 ? 1 : room;
}

/* The place of a seat's sector by its index among `count`. */
static struct spot sector_spot(const struct drawn *drawn, int seat, int index, int count)
{
    int row = 0, in_row = count;
    while (row < ROWS - 1 && index >= row_room(drawn, row)) {
        index -= row_room(drawn, row);
        in_row -= row_room(drawn, row);
        row++;
    }
    if (in_row > row_room(drawn, row))
        in_row = row_room(drawn, row);
    const int radius = row_radius[row], step = APART * 573 / 10 / radius; /* degrees */
    const int angle = angle_of(drawn, seat) + (2 * index - (in_row - 1)) * step / 2;
    return spot_round(drawn->centre, (struct spot){radius, radius}, angle);
}

/* ---- worlds ---- */

static void put_units(struct value *object, const struct value *world)
{
    const int fleets = look_count(world, "fleet_list");
    struct value *chevrons = value_put_list(object, "chevrons");
    int leaders = 0, index = 0;
    for (const struct value *fleet = look_first(world, "fleet_list"); fleet; fleet = fleet->next)
        leaders += look_flag(fleet, "leader");
    for (int i = 0; i < fleets && fleets <= CHEVRONS; i++)
        value_put_int(value_add_object(chevrons), "y", 13 * i - 13 * (fleets - 1) / 2);
    if (fleets > CHEVRONS)
        value_put_int(value_add_object(chevrons), "y", -11);
    value_put_amount(object, "fleets", fleets > CHEVRONS ? fleets : 0);
    struct value *pips = value_put_list(object, "pips");
    for (int i = 0; i < leaders && i < CHEVRONS; i++)
        value_put_int(value_add_object(pips), "y",
                      20 * index++ - 10 * ((leaders < CHEVRONS ? leaders : CHEVRONS) - 1));
    value_put_flag(object, "leader", look_flag(world, "leader"));
}

static const struct value *world_of(const struct value *player, struct slice code)
{
    return look_named(look_first(player, "world_list"), "code", code);
}

/* Are other units there than before? */
static bool units_changed(const struct value *world, const struct value *was)
{
    return look_count(world, "fleet_list") != look_count(was, "fleet_list") ||
           look_flag(world, "leader") != look_flag(was, "leader");
}

/* A sector, or the shadow of one that was lost. */
static void put_sector(const struct drawn *drawn, const struct value *player, const struct value *world,
                       struct spot at, bool lost)
{
    const int seat = look_int(player, "seat");
    const struct value *before = look_seat(look_first(drawn->of->before, "players"), seat);
    const struct value *was = world_of(before, look_text(world, "code"));
    struct value *object = value_add_object(drawn->worlds);
    put_spot(object, at);
    value_put_int(object, "seat", seat);
    value_put_slice(object, "code", look_text(world, "code"));
    value_put_slice(object, "name", look_text(world, "name"));
    value_put_flag(object, "lost", lost);
    value_put_flag(object, "fresh", before && (lost || !was || units_changed(world, was)));
    put_units(object, lost ? NULL : world);
    put_line(value_add_object(drawn->lines), home_of(drawn, seat), at);
}

static void put_more(const struct drawn *drawn, int seat, struct spot at, int count)
{
    struct value *object = value_add_object(drawn->worlds);
    put_spot(object, at);
    value_put_int(object, "seat", seat);
    value_put_int(object, "more", count);
    put_line(value_add_object(drawn->lines), home_of(drawn, seat), at);
}

static bool is_home(const struct value *world)
{
    return look_flag(world, "home");
}

/* The sectors that the seat has and those it has just lost. */
static int sectors_of(const struct drawn *drawn, const struct value *player)
{
    const struct value *before =
        look_seat(look_first(drawn->of->before, "players"), look_int(player, "seat"));
    int count = 0;
    for (const struct value *world = look_first(player, "world_list"); world; world = world->next)
        count += !is_home(world);
    for (const struct value *world = look_first(before, "world_list"); world; world = world->next)
        count += !is_home(world) && !world_of(player, look_text(world, "code"));
    return count;
}

/* In the order of their numbers, what is lost after what is there; no more than there is room for. */
static void put_sectors(const struct drawn *drawn, const struct value *player)
{
    const int seat = look_int(player, "seat"), count = sectors_of(drawn, player);
    const struct value *before = look_seat(look_first(drawn->of->before, "players"), seat);
    int index = 0, room = 0;
    for (int row = 0; row < ROWS; row++)
        room += row_room(drawn, row);
    for (int gone = 0; gone < 2; gone++) {
        const struct value *world = look_first(gone ? before : player, "world_list");
        for (; world; world = world->next) {
            if (is_home(world) || (gone && world_of(player, look_text(world, "code"))))
                continue;
            const struct spot at = sector_spot(drawn, seat, index, count);
            index++;
            if (index < room || count <= room)
                put_sector(drawn, player, world, at, gone);
            else if (index == room)
                put_more(drawn, seat, at, count - room + 1);
        }
    }
}

static void put_home(const struct drawn *drawn, const struct value *player)
{
    const int seat = look_int(player, "seat");
    const struct value *before = look_seat(look_first(drawn->of->before, "players"), seat);
    const struct value *world = world_of(player, slice_of("HOME")), *was = world_of(before, slice_of("HOME"));
    struct value *object = value_add_object(drawn->homes);
    put_who(object, player);
    put_spot(object, home_of(drawn, seat));
    value_put_flag(object, "out", look_flag(player, "out"));
    value_put_flag(object, "active", look_flag(player, "active"));
    value_put_flag(object, "won", look_flag(player, "won"));
    value_put_int(object, "credits", look_int(player, "credits"));
    value_put_int(object, "cards", look_int(player, "cards"));
    value_put_int(object, "levels", look_int(player, "levels"));
    value_put_flag(object, "fresh",
                   before && (!was != !world || (world && units_changed(world, was)) ||
                              look_int(before, "levels") != look_int(player, "levels")));
    put_units(object, world);
}

/* ---- attacks ---- */

static struct spot world_spot(const struct drawn *drawn, int seat, struct slice code)
{
    for (const struct value *world = value_first(drawn->worlds); world; world = world->next)
        if (look_int(world, "seat") == seat && look_text(world, "code").len == code.len &&
            memcmp(look_text(world, "code").p, code.p, code.len) == 0)
            return (struct spot){look_int(world, "x"), look_int(world, "y")};
    return home_of(drawn, seat);
}

/* The words under which the template says how an attack ended. */
static const char *const endings[] = {"held", "conquered", "conquered_left", "home_destroyed", "peace"};

/* Where on an arrow its words stand: clear of homeworlds, beside it if need be; several attacks of a turn at
 * different places. */
static struct spot label_spot(const struct drawn *drawn, struct spot begin, struct spot end, int number)
{
    static const int places[] = {50, 40, 60, 30, 70, 22, 78};
    const int length = spot_distance(begin, end);
    struct spot best = {0, 0};
    int most = -1;
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        const struct spot here = spot_toward(begin, end, length * places[i] / 100);
        int clear = HOME + 40;
        for (int seat = 1; seat <= drawn->seats; seat++)
            if (spot_distance(here, home_of(drawn, seat)) < clear)
                clear = spot_distance(here, home_of(drawn, seat));
        if (clear > most) {
            most = clear;
            best = here;
        }
    }
    for (int seat = 1; seat <= drawn->seats; seat++) {
        const struct spot world = home_of(drawn, seat);
        if (spot_distance(best, world) < HOME + 70)
            best = spot_toward(world, best, HOME + 70);
    }
    return (struct spot){best.x, best.y + 8 + 34 * (number - 1)};
}

static void put_attack(const struct drawn *drawn, struct value *list, const struct value *event)
{
    const int by = look_int(event, "seat"), target = look_int(event, "target_seat");
    const struct slice code = look_text(event, "world");
    const bool home = slice_eq(code, "HOME");
    const struct spot from = home_of(drawn, by), to = world_spot(drawn, target, code);
    const struct spot begin = spot_toward(from, to, HOME + 14),
                      end = spot_toward(to, from, (home ? HOME + 10 : WORLD) + 2);
    struct value *attack = value_add_object(list);
    put_line(attack, begin, end);
    put_spot(attack, label_spot(drawn, begin, end, (int)value_count(list)));
    value_put_int(attack, "seat", by);
    value_put_int(attack, "target", target);
    value_put_int(attack, "lost", 0);
    value_put_int(attack, "killed", 0);
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++)
        value_put_flag(attack, endings[i], false);
}

/* An event after the attack: a unit lost by one of the two, or the end. */
static void put_result(struct value *attack, const struct value *item)
{
    const struct value *destroyed = value_get(item, "destroyed");
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++)
        if (value_get(item, endings[i]))
            value_put_flag(attack, endings[i], true);
    if (!destroyed)
        return;
    const char *whose = look_int(destroyed, "seat") == look_int(attack, "seat") ? "lost" : "killed";
    value_put_int(attack, whose, look_int(attack, whose) + 1);
}

static struct value *put_attacks(struct value *picture, const struct drawn *drawn)
{
    struct value *list = value_put_list(picture, "attacks"), *last = NULL;
    for (const struct value *item = value_first(drawn->of->news); item; item = item->next) {
        const struct value *event = value_get(item, "attacks");
        if (event && value_count(list) < ATTACKS) {
            put_attack(drawn, list, event);
            last = value_first(list);
            while (last->next)
                last = last->next;
        } else if (last) {
            put_result(last, item);
        }
    }
    return list;
}

/* How far up and down from the centre things are drawn. */
struct reach {
    int top, bottom;
};

static void reach_over(struct reach *reach, const struct value *list, int half)
{
    for (const struct value *one = value_first(list); one; one = one->next) {
        const int y = look_int(one, "y");
        reach->top = y - half < reach->top ? y - half : reach->top;
        reach->bottom = y + half > reach->bottom ? y + half : reach->bottom;
    }
}

struct value *gs_picture(const struct picture_of *of, struct arena *arena)
{
    struct value *picture = value_object(arena);
    struct drawn drawn = {of,
                          value_put_list(picture, "worlds"),
                          value_put_list(picture, "homes"),
                          value_put_list(picture, "lines"),
                          look_count(of->view, "players"),
                          {PICTURE_WIDTH / 2, 0}};
    for (const struct value *player = look_first(of->view, "players"); player; player = player->next) {
        put_home(&drawn, player);
        put_sectors(&drawn, player);
    }
    const struct value *attacks = put_attacks(picture, &drawn);
    struct reach reach = {0, 0};
    reach_over(&reach, drawn.worlds, WORLD + 12);
    reach_over(&reach, drawn.homes, HOME + 20);
    reach_over(&reach, attacks, 30);
    value_put_int(picture, "down", 112 - reach.top);
    value_put_int(picture, "legend", 130 + reach.bottom - reach.top);
    value_put_int(picture, "height", 234 + reach.bottom - reach.top);
    return picture;
}
