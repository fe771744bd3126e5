/* A seat of a house's game gets another player. */
#ifndef TESTS_HOUSE_GIVES_H
#define TESTS_HOUSE_GIVES_H

#include "house/house.h"

/* Whoever is offered a seat of this game takes it. */
static inline void house_takes(struct house *h, const char *id, const char *to)
{
    const struct game *game = house_find(h, id);
    struct str text = STR_INIT;
    int seat = 1;
    while (seat < game->seats && strcmp(game->seat[seat].offered, to) != 0)
        seat++;
    str_addf(&text, "#turnpost take\ngame: %s\nturn: %d\nseat: %d\n#end\n", id, game->turn, seat);
    (void)house_signed(h, to, to, text.p);
    ck_assert_str_eq(house_find(h, id)->seat[seat].player, to);
    str_release(&text);
}

/* The operator offers the seat of `before`, a name or a number, to somebody, and they take it. */
static inline void house_gives(struct house *h, const char *id, const char *before, const char *to)
{
    struct str lines = STR_INIT;
    str_addf(&lines, "do: replace %s by %s\nreason: Somebody else has to play.\n", before, to);
    house_rules(h, id, lines.p);
    house_takes(h, id, to);
    str_release(&lines);
}

#endif
