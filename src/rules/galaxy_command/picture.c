/* What the board's picture says beyond the public view: whose panels it has, and what the turn has changed in them. */
#include "rules/galaxy_command/turn.h"
#include "rules/put.h"

static void mark_sector(struct value *player, const struct value *before)
{
    const struct value *was = look_first(before, "sector");
    bool face_down = false;
    for (struct value *slot = look_first(player, "sector"); slot; slot = slot->next) {
        const bool aligned = look_flag(slot, "aligned"), was_aligned = look_flag(was, "aligned");
        put(slot, "lost?=%d fresh?=%d", was_aligned && !aligned,
            was && (!look_flag(was, "explored") || (aligned && !was_aligned)));
        face_down = face_down || !look_flag(slot, "explored");
        was = was ? was->next : NULL;
    }
    put(player, "some_down?=%d", face_down);
}

static void mark_technologies(struct value *player, const struct value *before)
{
    for (struct value *tech = look_first(player, "technologies"); tech; tech = tech->next) {
        const struct value *was = look_named(look_first(before, "technologies"), "id", look_text(tech, "id"));
        put(tech, "fresh?=%d", was && look_flag(tech, "owned") && !look_flag(was, "owned"));
    }
}

/* Is there another number in it than before the turn? */
static bool changed(const struct value *player, const struct value *before, const char *store)
{
    return before && look_int(before, store) != look_int(player, store);
}

void gc_picture(struct value *view, const struct picture_of *of)
{
    value_put_flag(view, "drawn_event", false);
    for (const struct value *item = value_first(of->news); item; item = item->next)
        if (value_get(item, "event_drawn"))
            value_put_slice(view, "drawn_event", look_text(value_get(item, "event_drawn"), "card"));
    for (struct value *player = look_first(view, "players"); player; player = player->next) {
        const int seat = look_int(player, "seat");
        const struct value *before = look_seat(look_first(of->before, "players"), seat);
        mark_sector(player, before);
        mark_technologies(player, before);
        put(player, "shown?=%d one_point?=%d", !of->seat || of->seat == seat, look_int(player, "score") == 1);
        put(player, "fresh_metal?=%d fresh_wealth?=%d fresh_military?=%d", changed(player, before, "metal"),
            changed(player, before, "wealth"), changed(player, before, "military"));
    }
}
