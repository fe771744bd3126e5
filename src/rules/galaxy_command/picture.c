/* The places of the board's picture: the seats one below the other, each with its explored systems in rows of three,
 * what is face down in a line, the stores as gauges and the technologies. */
#include "rules/galaxy_command/turn.h"

#include <string.h>

#define TOP        92  /* where the first line about the turn stands */
#define IN_ROW     3   /* systems, and stores */
#define COLUMN     230 /* from one of them to the next */
#define DISCS      58  /* where a panel's first disc begins */
#define ROW        62  /* of discs */
#define GAUGE      58  /* a row of stores */
#define TECHNOLOGY 340 /* from column to column, of two */
#define CELLS_MOST 12  /* of a gauge */

/* ---- a panel, from its upper left corner down ---- */

static void put_slot(struct value *list, const struct value *slot, const struct value *before)
{
    const int index = (int)value_count(list);
    struct value *object = value_add_object(list);
    const bool aligned = look_flag(slot, "aligned"), was_aligned = look_flag(before, "aligned");
    put_spot(object, (struct spot){COLUMN * (index % IN_ROW), DISCS + ROW * (index / IN_ROW)});
    value_put_slice(object, "code", look_text(slot, "slot"));
    value_put_slice(object, "name", look_text(slot, "name"));
    value_put_int(object, "resistance", look_int(slot, "resistance"));
    value_put_flag(object, "aligned", aligned);
    value_put_flag(object, "latest", look_flag(slot, "latest"));
    value_put_flag(object, "lost", was_aligned && !aligned);
    value_put_flag(object, "fresh", before && (!look_flag(before, "explored") || (aligned && !was_aligned)));
}

/* Those that are open as discs, and the codes of those that are not. Returns where what is below begins. */
static int put_slots(struct value *panel, const struct value *player, const struct value *before)
{
    struct value *open = value_put_list(panel, "slots");
    struct value *down = value_put_object(panel, "down"), *codes = value_put_list(down, "codes");
    const struct value *was = look_first(before, "sector");
    for (const struct value *slot = look_first(player, "sector"); slot; slot = slot->next) {
        if (look_flag(slot, "explored"))
            put_slot(open, slot, was);
        else
            value_put_slice(value_add_object(codes), "code", look_text(slot, "slot"));
        was = was ? was->next : NULL;
    }
    const int y = DISCS + ROW * (((int)value_count(open) + IN_ROW - 1) / IN_ROW);
    value_put_int(down, "y", y + 24);
    value_put_flag(down, "some", look_first(down, "codes"));
    return value_count(codes) ? y + PICTURE_LINE : y;
}

/* A player now and before the turn (NULL: not known). */
struct both {
    const struct value *player, *before;
};

/* One more gauge: words, and cells below them. */
static void put_gauge(struct value *list, int y, const char *kind, const struct both *both)
{
    const bool military = strcmp(kind, "military") == 0;
    const int x = COLUMN * (int)value_count(list), now = look_int(both->player, kind);
    const int limit = look_int(both->player, military ? "military_limit" : "storage_limit");
    const int most = limit < now ? now : limit;
    const int cells = most > CELLS_MOST ? CELLS_MOST : most < 1 ? 1 : most;
    const int step = 216 / cells > 36 ? 36 : 216 / cells;
    struct value *object = value_add_object(list);
    put_spot(object, (struct spot){x, y + 24});
    value_put_flag(object, kind, true);
    value_put_int(object, "now", now);
    value_put_int(object, "limit", limit);
    value_put_flag(object, "fresh", both->before && look_int(both->before, kind) != now);
    put_spot(value_put_object(object, "star"), (struct spot){x + 203, y + 16});
    struct value *row = value_put_list(object, "cells");
    for (int i = 0; i < cells; i++) {
        struct value *cell = value_add_object(row);
        put_spot(cell, (struct spot){x + 2 + i * step, y + 34});
        value_put_int(cell, "width", step - 5);
        value_put_flag(cell, "full", i < now);
    }
}

/* In two columns. Returns where what is below begins. */
static int put_technologies(struct value *panel, int y, const struct both *both)
{
    struct value *list = value_put_list(panel, "technologies");
    for (const struct value *tech = look_first(both->player, "technologies"); tech; tech = tech->next) {
        const struct value *was =
            look_named(look_first(both->before, "technologies"), "id", look_text(tech, "id"));
        const int index = (int)value_count(list);
        if (!look_flag(tech, "owned"))
            continue;
        struct value *object = value_add_object(list);
        put_spot(object, (struct spot){TECHNOLOGY * (index % 2), y + 28 + PICTURE_LINE * (index / 2)});
        value_put_slice(object, "name", look_text(tech, "name"));
        value_put_flag(object, "fresh", was && !look_flag(was, "owned"));
    }
    const int rows = ((int)value_count(list) + 1) / 2;
    return rows ? y + 10 + PICTURE_LINE * rows : y;
}

/* Returns where the next one begins. Of a seat that is lost there are no stores and technologies any more. */
static int put_panel(struct value *list, int y, const struct both *both)
{
    static const char *const gauges[] = {"metal", "wealth", "military"};
    const bool lost = look_flag(both->player, "lost");
    struct value *panel = value_add_object(list);
    put_who(panel, both->player);
    put_spot(panel, (struct spot){PICTURE_SIDE, y});
    value_put_int(panel, "width", PICTURE_INNER);
    value_put_int(panel, "name_most", 430);
    value_put_flag(panel, "lost", lost);
    value_put_flag(panel, "lost_now", both->before && lost && !look_flag(both->before, "lost"));
    value_put_flag(panel, "won", look_flag(both->player, "won"));
    value_put_int(panel, "score", look_int(both->player, "score"));
    value_put_flag(panel, "one_point", look_int(both->player, "score") == 1);
    int end = put_slots(panel, both->player, both->before);
    struct value *stores = value_put_list(panel, "gauges");
    for (size_t i = 0; i < sizeof gauges / sizeof *gauges && !lost; i++)
        put_gauge(stores, end, gauges[i], both);
    end = lost ? end : put_technologies(panel, end + GAUGE, both);
    return y + end + 20;
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
    struct value *list = value_put_list(picture, "panels");
    put_event(picture, of->news);
    int y = TOP;
    if (look_flag(of->view, "common")) {
        value_put_int(picture, "common_y", y + 16);
        y += PICTURE_LINE;
    }
    if (look_flag(picture, "event")) {
        value_put_int(picture, "event_y", y + 16);
        y += PICTURE_LINE;
    }
    for (const struct value *player = look_first(of->view, "players"); player; player = player->next) {
        const struct both both = {player,
                                  look_seat(look_first(of->before, "players"), look_int(player, "seat"))};
        if (!of->seat || of->seat == look_int(player, "seat"))
            y = put_panel(list, y, &both);
    }
    value_put_int(picture, "legend", y + 18);
    value_put_int(picture, "height", y + 18 + PICTURE_SIDE);
    return picture;
}
