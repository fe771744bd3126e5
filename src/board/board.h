/* The board of a game as a picture (SVG): one a turn for all seats, observers and the site, since it is made of
 * the public view and the public events alone, whoever asks. The ruleset's `shown.picture` marks what the turn has
 * changed (rules/picture.h), templates/<ruleset>/board.svg draws, panels (board/panels.h) puts all in its place, and ink
 * (board/ink.h) turns words into outlines. The same turn gives the same bytes on every machine.
 *
 * 720 units wide, made to be read at 360 px; an opaque ground; <title> and <desc> say in words what it shows
 * (also as text: board_alt). Ids are the same in all pictures, and mean the same; a page that is to be valid HTML
 * has at most one inline. */
#ifndef BOARD_BOARD_H
#define BOARD_BOARD_H

#include "game/game.h"
#include "report/render.h"

#define BOARD_UNITS 720 /* wide; y goes down */
#define BOARD_WIDTH 360 /* px */

/* What is drawn; all borrowed. */
struct board {
    const struct game *game; /* as it is after the turn */
    const void *before;      /* the state before the turn, ruleset->state_size bytes: what is not as there is
                              * marked; NULL: nothing is */
    const json_t *events;    /* of the turn, with "visible" (events_json(-1)): attacks and flights; or NULL */
    int seat;                /* in a mail to this seat; 0: for everybody. Of most games both are the same */
};

/* The board of a game right after its last turn was played; later on too, but once the game was read from its cache
 * nothing is marked. (For another turn replay gives the game: history/boards.h.) */
struct board board_of(const struct game *game);
/* May everybody see the board of this game as it is now? (Its own players may in any case.) */
bool board_public(const struct game *game);

/* Appends the picture of a game that has been dealt (game->turn > 0) and whose ruleset has pictures (shown.picture). */
int board_svg(const struct board *board, struct templates *templates, struct str *out, struct err *err)
    __attribute__((warn_unused_result));
/* The two steps of board_svg, where the templates are not at hand yet: the facts (a new reference), and the
 * picture of them. */
json_t *board_facts(const struct board *board);
int board_draw(const json_t *facts, struct templates *templates, struct str *out, struct err *err)
    __attribute__((warn_unused_result));
/* Appends what a picture of these facts shows in words, for alt texts: lines of 72 columns, without the last line end. */
int board_alt(const json_t *facts, struct templates *templates, struct str *out, struct err *err)
    __attribute__((warn_unused_result));
/* How many pixels high such a picture is shown. */
int board_height(struct slice svg);
/* Appends the facts as canonical JSON, for later, a tenth of the work of making and writing them; and the words. */
int board_keep(const struct board *board, struct templates *templates, struct str *shows, struct str *alt,
               struct err *err) __attribute__((warn_unused_result));
/* The facts alone. */
void board_facts_write(const struct board *board, struct str *out);

#endif
