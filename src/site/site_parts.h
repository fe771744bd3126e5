/* Between the files of site/; for no others. */
#ifndef SITE_SITE_PARTS_H
#define SITE_SITE_PARTS_H

#include <jansson.h>
#include <stdbool.h>

#include "board/board.h"
#include "game/game.h"
#include "site/site.h"
#include "site/site_out.h"

/* A run of site_write. */
struct site_work {
    const struct site *site;
    struct site_out *out;
    struct site_sum *sum;
    unsigned char base[32];     /* a digest of what all pages are made from: program, templates, options */
    struct catalog_game *games; /* all, by id */
    size_t count, cap;
    int64_t until; /* by clock_milliseconds(); 0 = no end */
    size_t tried;  /* games that were loaded: each run gets a little further, however short its time */
};

/* ---- site_page.c: what all pages share ---- */

/* A page to be: where it is, and what is in its head. */
struct site_page {
    const char *path;        /* "games/gc-1.html" */
    const char *template;    /* "game.html", of templates/site/ */
    const char *title;       /* without the league's name */
    const char *description; /* a sentence for previews of links */
    const char *json;        /* the name of the JSON beside it, or NULL */
    const char *feed;        /* of its own Atom feed, from the root on, or NULL */
};
/* Renders the page from its facts, which get what the head needs, and puts it. */
int site_page_put(struct site_work *work, const struct site_page *page, json_t *facts, struct err *err)
    __attribute__((warn_unused_result));
/* A page that is known by its facts, with all of them as the JSON that `page` names. The facts are used up. */
int site_unit_put(struct site_work *work, const struct site_page *page, json_t *facts, struct err *err)
    __attribute__((warn_unused_result));
/* Puts the facts as JSON, with words in place of times. */
int site_json_put(struct site_work *work, const char *path, const char *folder, json_t *facts,
                  struct err *err) __attribute__((warn_unused_result));
/* A digest of what all pages are made from and these parts; NULs between them. */
void site_key(const struct site_work *work, unsigned char key[SITE_KEY], struct slice part);
int site_base(struct site_work *work, struct err *err) __attribute__((warn_unused_result));
/* Is there a page of this player: do they allow it? */
bool site_player_shown(const struct site *site, const char *name);
/* What they want to be called, for a row that names them: "called": {"display"}, if anything. */
void site_player_called(const struct site *site, const char *name, json_t *row);

/* ---- site_game.c ---- */

/* May everybody see the game, and not only who plays it? Neither private games, nor deals that others play still. */
bool site_game_open(const struct game *game);
/* The facts of its page, from the game and the turns that are shown (NULL: none); new reference. NULL on error. */
json_t *site_game_facts(const struct site *site, const struct game *game, json_t *turns, struct err *err);
/* Is there no more time in this round for another game? Else that game counts as tried. */
bool site_time_is_up(struct site_work *work);
/* The page and the JSON of each game that has changed. */
int site_games(struct site_work *work, struct err *err) __attribute__((warn_unused_result));

/* ---- site_archive.c ---- */

/* All that anybody needs to check a game that has ended (publish/publish.h), as one file of its month: written once, when
 * its seals are open, and never again. */
int site_archive_game(struct site_work *work, const struct catalog_game *row, struct err *err)
    __attribute__((warn_unused_result));
/* A page for each month that is over, with its games and how to check them: written once. */
int site_archive_months(struct site_work *work, struct err *err) __attribute__((warn_unused_result));
/* From the root on, "" = it is not there; the caller frees it. */
char *site_archived(const struct site_work *work, const char *game) __attribute__((warn_unused_result));
/* ---- site_turn.c ---- */

/* What everybody may know of the game now: its public "view", and when it is over how it ended. New reference. */
json_t *site_told(const struct game *game);
#define SITE_BOARDS 40 /* pictures of a finished game, about; of a longer one not every turn has one */
/* {"turn","deal","news","board","picture"}: the turn that was played last, and the table after it; "news" and "board" are
 * HTML, "picture" is {"svg","alt","width","height"}, if it is wanted and the game has pictures. New reference; NULL on error. */
json_t *site_turn(const struct site *site, const struct board *board, int number, bool picture,
                  struct err *err);
/* What a template of the game gives, as a text. New reference; NULL on error. */
json_t *site_piece(const struct site *site, const struct game *game, const char *name, const json_t *facts,
                   struct err *err);
/* All turns of a game whose seals are open, of another one the last, by replay of its journal. New reference; NULL on
 * error. */
json_t *site_turns(const struct site *site, const struct game *game, struct err *err);

/* ---- site_list.c ---- */

#define SITE_LAST 50 /* results on the page of all */
/* Seats that anybody could take, in a game that has not begun. */
int site_free_seats(const struct catalog_game *row);
/* A game as a row of a list; new reference. */
json_t *site_row(const struct site_work *work, const struct catalog_game *row);
int site_lists(struct site_work *work, struct err *err) __attribute__((warn_unused_result));
/* All of a game's row that a page could show. */
void site_row_text(struct str *out, const struct site *site, const struct catalog_game *row);
/* "2026-11" */
void site_month(char out[8], int64_t time);

/* ---- site_check.c ---- */

int site_check(struct site_work *work, struct err *err) __attribute__((warn_unused_result));

/* ---- a page or several each ---- */

int site_home(struct site_work *work, struct err *err) __attribute__((warn_unused_result));
/* A row for each game of ours; new reference. */
json_t *site_rulesets(void);
int site_players(struct site_work *work, struct err *err) __attribute__((warn_unused_result));
int site_competitions(struct site_work *work, struct err *err) __attribute__((warn_unused_result));
int site_rules(struct site_work *work, struct err *err) __attribute__((warn_unused_result));
/* log/, and league.policy. */
int site_log(struct site_work *work, struct err *err) __attribute__((warn_unused_result));

#endif
