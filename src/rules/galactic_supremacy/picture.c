/* What the board's picture says beyond the public view: what is drawn of the units of a world, what the turn has changed
 * or taken away, and the attacks of the turn. */
#include "rules/galactic_supremacy/turn.h"
#include "rules/put.h"

#define CHEVRONS 3 /* more fleets are a number */
#define PIPS     4
#define ATTACKS  12

/* ---- worlds ---- */

/* Fleets are chevrons. Leaders are dots, and a ring is one who is not with a fleet. */
static void mark_units(struct value *world)
{
    const int fleets = look_count(world, "fleet_list"), ring = look_flag(world, "leader");
    int leaders = ring;
    for (const struct value *fleet = look_first(world, "fleet_list"); fleet; fleet = fleet->next)
        leaders += look_flag(fleet, "leader");
    leaders = leaders > PIPS ? PIPS : leaders;
    put(world, "chevrons=%d many_fleets+=%d dots=%d pips=%d", fleets > CHEVRONS ? 0 : fleets,
        fleets > CHEVRONS ? fleets : 0, leaders - ring, leaders);
}

static const struct value *world_of(const struct value *player, struct slice code)
{
    return look_named(look_first(player, "world_list"), "code", code);
}

/* Are other units there than before, or are only now or no longer there any? */
static bool changed(const struct value *world, const struct value *was)
{
    return !world != !was || look_count(world, "fleet_list") != look_count(was, "fleet_list") ||
           look_flag(world, "leader") != look_flag(was, "leader");
}

static void mark_player(struct value *player, const struct value *before)
{
    static const char home[] = "HOME";
    struct value *lost = value_put_list(player, "lost_sectors");
    for (struct value *world = look_first(player, "world_list"); world; world = world->next) {
        mark_units(world);
        value_put_flag(world, "fresh", before && changed(world, world_of(before, look_text(world, "code"))));
    }
    for (struct value *world = look_first(before, "world_list"); world; world = world->next)
        if (!look_flag(world, "home") && !world_of(player, look_text(world, "code")))
            value_put_slice(value_add_object(lost), "code", look_text(world, "code"));
    value_put_flag(player, "fresh",
                   before && (changed(world_of(player, slice_of(home)), world_of(before, slice_of(home))) ||
                              look_int(before, "levels") != look_int(player, "levels")));
}

/* ---- attacks ---- */

/* The words under which the template says how an attack ended. */
static const char *const endings[] = {"held", "conquered", "conquered_left", "home_destroyed", "peace"};

static struct value *put_attack(struct value *list, const struct value *event)
{
    const struct slice code = look_text(event, "world");
    struct value *attack = value_add_object(list);
    put(attack, "by=%d target=%d home?=%d lost=%d killed=%d", look_int(event, "seat"),
        look_int(event, "target_seat"), slice_eq(code, "HOME"), 0, 0);
    value_put_slice(attack, "code", code);
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

void gs_picture(struct value *view, const struct picture_of *of)
{
    struct value *attacks = value_put_list(view, "attacks"), *last = NULL;
    const int seats = look_count(view, "players");
    put(view, "pairs?=%d", seats == 2 || seats == 4); /* of panels in a row; else three */
    for (struct value *player = look_first(view, "players"); player; player = player->next)
        mark_player(player, look_seat(look_first(of->before, "players"), look_int(player, "seat")));
    for (const struct value *item = value_first(of->news); item; item = item->next) {
        const struct value *event = value_get(item, "attacks");
        if (event && value_count(attacks) < ATTACKS)
            last = put_attack(attacks, event);
        else if (last)
            put_result(last, item);
    }
}
