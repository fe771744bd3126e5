/* The places of the board's picture: an empire a panel, with its homeworld and its sectors, and below them the attacks of
 * the turn. What was lost in the turn is still there, as a shadow. */
#include "rules/galactic_supremacy/turn.h"

#include <string.h>

#define TOP      92
#define GAP      20  /* between panels */
#define HOME     98  /* from a panel's top to the middle of its homeworld */
#define SECTORS  182 /* to the middle of its first sectors */
#define ROW      84  /* from sector to sector, downwards */
#define CHEVRONS 3   /* more fleets are a number */
#define PIPS     4
#define ATTACKS  12
#define ATTACK   42

/* ---- panels ---- */

/* How panels are laid out: so many in a row, and so many sectors in a row of each. */
struct panels {
    int in_row, width, sectors, step;
};

static struct panels panels_for(int seats)
{
    if (seats == 2 || seats == 4)
        return (struct panels){2, (PICTURE_INNER - GAP) / 2, 4, 84};
    return (struct panels){3, (PICTURE_INNER - 2 * GAP) / 3, 3, 71};
}

/* ---- worlds ---- */

/* Fleets as chevrons in a row; above them the leaders: dots, and a ring for one who is not with a fleet. */
static void put_units(struct value *object, const struct value *world)
{
    const int fleets = look_count(world, "fleet_list"), drawn = fleets > CHEVRONS ? 1 : fleets;
    struct value *chevrons = value_put_list(object, "chevrons"), *pips = value_put_list(object, "pips");
    int leaders = look_flag(world, "leader"), index = 0;
    for (int i = 0; i < drawn; i++)
        value_put_int(value_add_object(chevrons), "x",
                      fleets > CHEVRONS ? -11 : 17 * i - 17 * (drawn - 1) / 2);
    value_put_amount(object, "fleets", fleets > CHEVRONS ? fleets : 0);
    for (const struct value *fleet = look_first(world, "fleet_list"); fleet; fleet = fleet->next)
        leaders += look_flag(fleet, "leader");
    leaders = leaders > PIPS ? PIPS : leaders;
    for (; index < leaders; index++) {
        struct value *pip = value_add_object(pips);
        value_put_int(pip, "x", 12 * index - 6 * (leaders - 1));
        value_put_flag(pip, "ring", index == leaders - 1 && look_flag(world, "leader"));
    }
}

static const struct value *world_of(const struct value *player, struct slice code)
{
    return look_named(look_first(player, "world_list"), "code", code);
}

static bool is_home(const struct value *world)
{
    return look_flag(world, "home");
}

/* Are other units there than before? */
static bool units_changed(const struct value *world, const struct value *was)
{
    return look_count(world, "fleet_list") != look_count(was, "fleet_list") ||
           look_flag(world, "leader") != look_flag(was, "leader");
}

/* A player now and before the turn (NULL: not known). */
struct both {
    const struct value *player, *before;
};

static void put_sector(struct value *list, const struct panels *panels, const struct both *both,
                       const struct value *world)
{
    const struct slice code = look_text(world, "code");
    const struct value *now = world_of(both->player, code), *was = world_of(both->before, code);
    const int index = (int)value_count(list);
    struct value *object = value_add_object(list);
    put_spot(object, (struct spot){35 + panels->step * (index % panels->sectors),
                                   SECTORS + ROW * (index / panels->sectors)});
    value_put_slice(object, "code", code);
    value_put_flag(object, "lost", !now);
    value_put_flag(object, "fresh", both->before && (!now || !was || units_changed(now, was)));
    put_units(object, now);
}

/* In the order of their numbers, what is lost after what is there. */
static void put_sectors(struct value *list, const struct panels *panels, const struct both *both)
{
    const struct value *world = look_first(both->player, "world_list");
    for (; world; world = world->next)
        if (!is_home(world))
            put_sector(list, panels, both, world);
    for (world = look_first(both->before, "world_list"); world; world = world->next)
        if (!is_home(world) && !world_of(both->player, look_text(world, "code")))
            put_sector(list, panels, both, world);
}

/* Returns its height. */
static int put_panel(struct value *list, const struct panels *panels, struct spot at, const struct both *both)
{
    const struct value *player = both->player, *before = both->before;
    const struct value *world = world_of(player, slice_of("HOME")), *was = world_of(before, slice_of("HOME"));
    struct value *panel = value_add_object(list);
    put_who(panel, player);
    put_spot(panel, at);
    value_put_int(panel, "width", panels->width);
    value_put_int(panel, "name_most", panels->width - 52);
    value_put_flag(panel, "out", look_flag(player, "out"));
    value_put_flag(panel, "won", look_flag(player, "won"));
    value_put_int(panel, "credits", look_int(player, "credits"));
    value_put_int(panel, "cards", look_int(player, "cards"));
    value_put_int(panel, "home_y", HOME);
    value_put_flag(panel, "fresh",
                   before && (!was != !world || (world && units_changed(world, was)) ||
                              look_int(before, "levels") != look_int(player, "levels")));
    put_units(panel, world);
    struct value *sectors = value_put_list(panel, "sectors");
    put_sectors(sectors, panels, both);
    const int rows = ((int)value_count(sectors) + panels->sectors - 1) / panels->sectors;
    return SECTORS - ROW / 2 + ROW * rows + 8;
}

/* ---- attacks ---- */

/* The words under which the template says how an attack ended. */
static const char *const endings[] = {"held", "conquered", "conquered_left", "home_destroyed", "peace"};

static struct value *put_attack(struct value *list, int y, const struct value *event)
{
    const struct slice code = look_text(event, "world");
    struct value *attack = value_add_object(list);
    value_put_int(attack, "y", y);
    value_put_int(attack, "by", look_int(event, "seat"));
    value_put_int(attack, "target", look_int(event, "target_seat"));
    value_put_slice(attack, "code", code);
    value_put_flag(attack, "home", slice_eq(code, "HOME"));
    value_put_int(attack, "lost", 0);
    value_put_int(attack, "killed", 0);
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++)
        value_put_flag(attack, endings[i], false);
    return attack;
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
    const char *whose = look_int(destroyed, "seat") == look_int(attack, "by") ? "lost" : "killed";
    value_put_int(attack, whose, look_int(attack, whose) + 1);
}

/* Returns where what is below begins. */
static int put_attacks(struct value *picture, int y, const struct value *news)
{
    struct value *list = value_put_list(picture, "attacks"), *last = NULL;
    for (const struct value *item = value_first(news); item; item = item->next) {
        const struct value *event = value_get(item, "attacks");
        if (event && value_count(list) < ATTACKS) {
            last = put_attack(list, y, event);
            y += ATTACK;
        } else if (last) {
            put_result(last, item);
        }
    }
    return y;
}

struct value *gs_picture(const struct picture_of *of, struct arena *arena)
{
    struct value *picture = value_object(arena);
    struct value *list = value_put_list(picture, "panels");
    const struct panels panels = panels_for(look_count(of->view, "players"));
    int y = TOP, highest = 0;
    for (const struct value *player = look_first(of->view, "players"); player; player = player->next) {
        const int column = (int)value_count(list) % panels.in_row;
        const struct both both = {player,
                                  look_seat(look_first(of->before, "players"), look_int(player, "seat"))};
        if (column == 0) {
            y += highest;
            highest = 0;
        }
        const int height =
            put_panel(list, &panels, (struct spot){PICTURE_SIDE + column * (panels.width + GAP), y}, &both);
        highest = height > highest ? height : highest;
    }
    y = put_attacks(picture, y + highest + 8, of->news);
    value_put_int(picture, "legend", y);
    value_put_int(picture, "height", y + 2 * PICTURE_LINE + PICTURE_SIDE);
    return picture;
}
