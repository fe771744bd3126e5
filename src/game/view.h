/* What a seat may know, as values (base/value.h): its view of the game, and what is told with it. A turn
 * makes it once, for the seal of the report and for its words. */
#ifndef GAME_VIEW_H
#define GAME_VIEW_H

#include "game/game.h"

struct view {
    int users; /* view_share, view_drop */
    struct arena arena;
    struct value *root; /* what ruleset->view made; view_tell adds names */
    json_t *events;     /* lists whose names values in the arena borrow */
};

/* The view of a state; one user. */
struct view *view_make(const struct ruleset *ruleset, const void *cards, const void *state, int seat);
struct view *view_share(struct view *view); /* adds a user; NULL stays NULL */
void view_drop(struct view *view);          /* NULL is left alone */

/* The same as JSON, for comparisons. New reference. */
json_t *view_json(const struct ruleset *ruleset, const void *cards, const void *state, int seat);

/* The view that the last resolution made for the seat, or a new one; shared. */
struct view *view_of(const struct game *game, int seat);
/* What templates ask for, an object in the view's arena: "view" with the names of its seats, "form" with the
 * seat's suggestions while the game goes on, "by_place" when it is over, "news". `events` (NULL: no news) have "visible", as
 * events_json(-1) gives them. */
struct value *view_tell(struct view *view, const struct game *game, int seat, json_t *events);
/* Members that name a seat ("seat", "to_seat") get a name beside them ("who" and "you", with "by_robot", where a robot plays on for who has resigned; "to_name" and "to_you"), in all objects
 * that have a "seat". */
void view_names(struct value *value, const struct game *game, int seat);
/* Appends the lines of that "form" alone, each with its LF; none of no seat (0). */
void view_form(const struct game *game, int seat, struct str *lines);
/* What was hidden, with names, when the game is over; NULL when there was nothing. */
struct value *view_revealed(struct arena *arena, const struct game *game, int seat);
/* What happened that the seat may know: [{"explored":{...}}, ...]. Names are those of `events`. */
struct value *view_news(struct arena *arena, const struct game *game, int seat, const json_t *events);

#endif
