/* The places of the board's picture: a panel a seat, with its nine systems as discs in three rows, the stores as
 * gauges and the technologies. */
#include "rules/galaxy_command/turn.h"

#include <string.h>

#define TOP        120 /* where panels begin */
#define COLUMN     118 /* from disc to disc */
#define DISCS      354 /* three of these */
#define LINE       25  /* of the technologies */
#define SYSTEMS    528 /* the height of the discs with their names */
#define CELLS_MOST 12  /* of a gauge */

/* How panels are laid out: for so many seats so many in a row. `height` is that without technologies. */
struct panels {
    int in_row, width, height, left, apart;
    int scale;               /* hundredths */
    struct spot gauge, list; /* in a panel: the first gauge, the first technology */
    bool beside;             /* gauges stand beside the discs: labels above the cells */
};

static struct panels panels_of(int seats)
{
    if (seats == 3)
        return (struct panels){3, 372, 690, 22, 20, 100, {0, 536}, {0, 668}, false};
    if (seats == 1)
        return (struct panels){1, 570, 310, 87, 0, 180, {368, 98}, {368, 284}, true};
    return (struct panels){2, 570, 310, 22, 16, 100, {368, 98}, {368, 284}, true};
}

static struct panels panels_for(const struct value *view)
{
    struct panels panels = panels_of(look_count(view, "players"));
    int most = 0;
    for (const struct value *player = look_first(view, "players"); player; player = player->next)
        if (look_int(player, "technologies_owned") > most)
            most = look_int(player, "technologies_owned");
    panels.height += most * LINE;
    if (panels.height < SYSTEMS)
        panels.height = SYSTEMS;
    return panels;
}

/* ---- a panel ---- */

static void put_slot(struct value *list, const struct value *slot, const struct value *before, int index)
{
    static const int rows[] = {126, 256, 426};
    struct value *object = value_add_object(list);
    bool open = look_flag(slot, "explored"), aligned = look_flag(slot, "aligned");
    bool was_open = look_flag(before, "explored"), was_aligned = look_flag(before, "aligned");
    put_spot(object, (struct spot){58 + COLUMN * (index % 3), rows[index / 3]});
    value_put_flag(object, "open", open);
    value_put_flag(object, "aligned", aligned);
    value_put_flag(object, "latest", look_flag(slot, "latest"));
    value_put_flag(object, "fresh", before && (open != was_open || (aligned && !was_aligned)));
    value_put_flag(object, "lost", was_aligned && !aligned);
    if (!open)
        return;
    value_put_slice(object, "name", look_text(slot, "name"));
    value_put_int(object, "resistance", look_int(slot, "resistance"));
    value_put_int(object, "vp", look_int(slot, "vp"));
}

static void put_slots(struct value *panel, const struct value *player, const struct value *before)
{
    struct value *list = value_put_list(panel, "slots");
    const struct value *was = look_first(before, "sector");
    int index = 0;
    for (const struct value *slot = look_first(player, "sector"); slot; slot = slot->next) {
        put_slot(list, slot, was, index++);
        was = was ? was->next : NULL;
    }
}

/* A player now and before the turn (NULL: not known). */
struct both {
    const struct value *player, *before;
};

/* One more gauge. */
static void put_gauge(struct value *list, const struct panels *panels, const char *kind,
                      const struct both *both)
{
    const struct value *player = both->player;
    const bool military = strcmp(kind, "military") == 0;
    const int index = (int)value_count(list), now = look_int(player, kind);
    int limit = look_int(player, military ? "military_limit" : "storage_limit");
    const int room = panels->beside ? 200 : panels->width - 128;
    struct value *object = value_add_object(list);
    struct spot at = {panels->gauge.x, panels->gauge.y + index * (panels->beside ? 60 : 40)};
    limit = limit < now ? now : limit;
    limit = limit > CELLS_MOST ? CELLS_MOST : limit < 1 ? 1 : limit;
    put_spot(object, at);
    value_put_flag(object, kind, true);
    value_put_int(object, "now", now);
    value_put_int(object, "limit", look_int(player, military ? "military_limit" : "storage_limit"));
    value_put_flag(object, "fresh", both->before && look_int(both->before, kind) != now);
    struct value *cells = value_put_list(object, "cells");
    const int step = room / limit > 46 ? 46 : room / limit;
    for (int i = 0; i < limit; i++) {
        struct value *cell = value_add_object(cells);
        put_spot(cell, (struct spot){at.x + (panels->beside ? 0 : 128) + i * step,
                                     at.y + (panels->beside ? 10 : -18)});
        value_put_int(cell, "width", step - 6);
        value_put_flag(cell, "full", i < now);
    }
    put_spot(value_put_object(object, "star"), (struct spot){panels->beside ? at.x + 182 : 106, at.y - 7});
}

static void put_technologies(struct value *panel, const struct panels *panels, const struct value *player,
                             const struct value *before)
{
    struct value *list = value_put_list(panel, "technologies");
    int index = 0;
    for (const struct value *tech = look_first(player, "technologies"); tech; tech = tech->next) {
        const struct value *was = look_named(look_first(before, "technologies"), "id", look_text(tech, "id"));
        if (!look_flag(tech, "owned"))
            continue;
        struct value *object = value_add_object(list);
        put_spot(object, (struct spot){panels->list.x, panels->list.y + LINE * (1 + index)});
        value_put_slice(object, "name", look_text(tech, "name"));
        value_put_flag(object, "fresh", was && !look_flag(was, "owned"));
        index++;
    }
    value_put_flag(panel, "no_technology", index == 0);
    put_spot(value_put_object(panel, "list"), panels->list);
}

static void put_panel(struct value *list, const struct panels *panels, const struct value *player,
                      const struct value *before)
{
    static const char *const gauges[] = {"metal", "wealth", "military"};
    const int index = (int)value_count(list);
    const int column = index % panels->in_row, row = index / panels->in_row;
    struct value *panel = value_add_object(list);
    put_who(panel, player);
    put_spot(panel, (struct spot){panels->left + column * (panels->width + panels->apart),
                                  TOP + row * panels->height * panels->scale / 100});
    value_put_int(panel, "width", panels->width);
    value_put_int(panel, "right", panels->width - 14);
    value_put_int(panel, "body", panels->height - 84);
    value_put_int(panel, "centre", panels->width / 2);
    value_put_int(panel, "name_most", panels->width - 240);
    value_put_int(panel, "discs", DISCS);
    value_put_int(panel, "middle", DISCS / 2);
    value_put_flag(panel, "lost", look_flag(player, "lost"));
    value_put_flag(panel, "lost_now", before && look_flag(player, "lost") && !look_flag(before, "lost"));
    value_put_flag(panel, "beside", panels->beside);
    value_put_flag(panel, "won", look_flag(player, "won"));
    value_put_int(panel, "score", look_int(player, "score"));
    put_slots(panel, player, before);
    struct value *stores = value_put_list(panel, "gauges");
    for (int i = 0; i < 3; i++)
        put_gauge(stores, panels, gauges[i], &(struct both){player, before});
    put_technologies(panel, panels, player, before);
}

/* ---- the whole ---- */

/* The event of the round, if one was drawn in this turn. */
static void put_event(struct value *picture, const struct value *news)
{
    value_put_flag(picture, "event", false);
    for (const struct value *item = value_first(news); item; item = item->next)
        if (value_get(item, "event_drawn"))
            value_put_slice(picture, "event", look_text(value_get(item, "event_drawn"), "card"));
}

struct value *gc_picture(const struct picture_of *of, struct arena *arena)
{
    struct value *picture = value_object(arena);
    const int seats = look_count(of->view, "players");
    const struct panels panels = panels_for(of->view);
    const int rows = (seats + panels.in_row - 1) / panels.in_row;
    struct value *list = value_put_list(picture, "panels");
    for (const struct value *player = look_first(of->view, "players"); player; player = player->next)
        put_panel(list, &panels, player,
                  look_seat(look_first(of->before, "players"), look_int(player, "seat")));
    const int legend = TOP + rows * panels.height * panels.scale / 100;
    value_put_int(picture, "scale", panels.scale);
    value_put_int(picture, "legend", legend);
    value_put_int(picture, "height", legend + 100);
    put_event(picture, of->news);
    return picture;
}
