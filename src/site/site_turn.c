/* A turn as everybody is told of it: what happened, and the table after it; and all turns of a game whose seals are
 * open. */
#include <stdlib.h>
#include <string.h>

#include "game/told.h"
#include "game/view.h"
#include "history/boards.h"
#include "play/facts.h"
#include "picture/pictures.h"
#include "site/site_parts.h"

json_t *site_piece(const struct site *site, const struct game *game, const char *name, const json_t *facts,
                   struct err *err)
{
    struct str text = STR_INIT;
    const struct template_name template = {game->ruleset->folder, name};
    int rc = templates_piece(site->templates, &template, facts, &text, err);
    json_t *piece = rc == 0 ? json_text(slice_str(&text)) : NULL;
    str_release(&text);
    return piece;
}

json_t *site_told(const struct game *game)
{
    struct view *view = view_of(game, 0);
    json_t *facts = value_json(view_tell(view, game, 0, NULL));
    view_drop(view);
    json_object_del(facts, "form");
    json_object_set_new(facts, "over", json_boolean(game->over));
    json_object_set_new(facts, "voided", json_boolean(game->voided));
    facts_ending(facts, game, 0);
    return facts;
}

/* What all players were told of the last resolution, as facts for templates. */
static json_t *news_of(const struct game *game)
{
    struct arena arena = {NULL, NULL, 0};
    json_t *since = told_since(game, game->turn - 1);
    json_t *last = json_array_get(since, json_array_size(since) - 1);
    json_t *news = json_array();
    if (last) {
        json_decref(news);
        news = value_json(view_news(&arena, game, 0, json_object_get(last, "events")));
    }
    arena_release(&arena);
    json_decref(since);
    return news;
}

/* The picture, for a file of its own, and what it shows in words. */
static int add_picture(const struct site *site, const struct board *board, json_t *turn, struct err *err)
{
    struct str svg = STR_INIT, alt = STR_INIT;
    json_t *facts = board_facts(board);
    int rc = board_draw(facts, site->templates, &svg, err);
    if (rc == 0)
        rc = board_alt(facts, site->templates, &alt, err);
    if (rc == 0)
        json_object_set_new(turn, "picture",
                            json_pack("{s:o,s:o,s:i,s:i}", "svg", json_text(slice_str(&svg)), "alt",
                                      json_text(slice_str(&alt)), "width", BOARD_WIDTH, "height",
                                      board_height(slice_str(&svg))));
    json_decref(facts);
    str_release(&svg);
    str_release(&alt);
    return rc;
}

json_t *site_turn(const struct site *site, const struct board *board, int number, bool picture,
                  struct err *err)
{
    const struct game *game = board->game;
    json_t *turn = json_pack("{s:i,s:b}", "turn", number, "deal", number == 0);
    json_t *facts = site_told(game);
    json_object_set_new(facts, "news", news_of(game));
    json_object_set_new(facts, "several", json_false());
    json_t *news = site_piece(site, game, "turn_news.html", facts, err);
    json_t *table = news ? site_piece(site, game, "board_alone.html", facts, err) : NULL;
    int rc = table ? 0 : -1;
    json_object_set_new(turn, "news", news ? news : json_null());
    json_object_set_new(turn, "board", table ? table : json_null());
    if (rc == 0 && picture && game->ruleset->shown.picture)
        rc = add_picture(site, board, turn, err);
    json_decref(facts);
    if (rc == 0)
        return turn;
    json_decref(turn);
    return NULL;
}

/* ---- by replay ---- */

struct turns {
    const struct site *site;
    json_t *list;
    int last; /* the last turn that is shown */
    int step; /* every so many turns there is a picture */
};

/* The picture that mails show of this board, if there still is one: it is the page's card. */
static void add_painted(const struct site *site, const struct board *board, json_t *picture)
{
    char digest[PICTURES_DIGEST];
    struct str shows = STR_INIT;
    char *pictures = league_path(site->league, PICTURES_FOLDER);
    board_facts_write(board, &shows);
    pictures_digest(digest, slice_str(&shows));
    if (pictures_have(pictures, digest))
        json_object_set_new(picture, "painted", json_string(digest));
    str_release(&shows);
    free(pictures);
}

static int show(void *arg, const struct board *board, int number, struct err *err)
{
    struct turns *turns = arg;
    bool last = number == turns->last;
    json_t *turn = site_turn(turns->site, board, number, last || number % turns->step == 0, err);
    if (last && json_object_get(turn, "picture"))
        add_painted(turns->site, board, json_object_get(turn, "picture"));
    return turn ? json_array_append_new(turns->list, turn) : -1;
}

json_t *site_turns(const struct site *site, const struct game *game, struct err *err)
{
    static const struct reader everybody = {READER_PUBLIC, 0};
    struct casefile file;
    int last = game->turn - 1;
    struct turns turns = {site, json_array(), last, last / SITE_BOARDS + 1};
    int rc = casefile_open_game(site->store, game->id, &file, err);
    if (rc == 0) {
        const struct boards_seen seen = {show, &turns};
        casefile_known(&file, game);
        bool all = game->over && file.opened;
        rc = casefile_choose(&file, &everybody, !all, err);
        if (rc == 0)
            rc = boards_show(&file, all ? BOARDS_ALL : BOARDS_LAST, &seen, err);
        casefile_close(&file);
    }
    if (rc == 0)
        return turns.list;
    json_decref(turns.list);
    return NULL;
}
