/* A turn as everybody is told of it: what happened, and the table after it; and all turns of a game whose seals are
 * open. */
#include <stdlib.h>
#include <string.h>

#include "game/apply.h"
#include "game/past.h"
#include "game/told.h"
#include "game/view.h"
#include "history/casefile.h"
#include "play/facts.h"
#include "site/site_parts.h"

int site_piece(const struct site *site, const struct game *game, const char *name, json_t *facts,
               const char *member, json_t *into, struct err *err)
{
    struct str text = STR_INIT;
    int rc = templates_piece(site->templates, &(struct template_name){game->ruleset->folder, name}, facts,
                             &text, err);
    if (rc == 0)
        json_object_set_new(into, member, json_text(slice_str(&text)));
    str_release(&text);
    return rc;
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

json_t *site_turn(const struct site *site, const struct game *game, const json_t *told, struct err *err)
{
    int number = game->turn - 1;
    json_t *turn = json_pack("{s:i,s:b}", "turn", number, "deal", number == 0);
    json_t *facts = json_copy((json_t *)(uintptr_t)told);
    json_object_set_new(facts, "news", news_of(game));
    json_object_set_new(facts, "several", json_false());
    int rc = site_piece(site, game, "turn_news.html", facts, "news", turn, err);
    if (rc == 0)
        rc = site_piece(site, game, "board_alone.html", facts, "board", turn, err);
    json_decref(facts);
    if (rc == 0)
        return turn;
    json_decref(turn);
    return NULL;
}

/* ---- all turns ---- */

struct replay {
    const struct site *site;
    struct casefile file;
    struct game game;
    struct past past;
    json_t *turns;
};

static bool is_play(const struct record *record)
{
    return strcmp(record->type, "start") == 0 || strcmp(record->type, "turn") == 0;
}

/* A rollback has opened an earlier turn: what was played from then on no longer counts. */
static void forget(struct replay *replay)
{
    size_t played = replay->game.turn > 0 ? (size_t)replay->game.turn : 0; /* the deal is turn 0 */
    while (json_array_size(replay->turns) > played)
        json_array_remove(replay->turns, json_array_size(replay->turns) - 1);
}

static int take(struct replay *replay, const struct record *record, struct err *err)
{
    const struct apply_input input = {record, (int64_t)replay->file.at, &replay->file.sealed, NULL,
                                      &replay->past};
    if (game_apply(&replay->game, &input, err) || past_keep(&replay->past, &replay->game, err))
        return -1;
    if (!is_play(record)) {
        forget(replay);
        return 0;
    }
    json_t *told = site_told(&replay->game);
    json_t *turn = site_turn(replay->site, &replay->game, told, err);
    json_decref(told);
    return turn ? json_array_append_new(replay->turns, turn) : -1;
}

static int read_all(struct replay *replay, struct err *err)
{
    struct record record;
    int got = 0, rc = 0;
    while (rc == 0 && (got = casefile_next(&replay->file, &record, NULL, err)) > 0) {
        rc = take(replay, &record, err);
        record_release(&record);
    }
    return rc || got < 0 ? -1 : 0;
}

json_t *site_past_turns(const struct site *site, const char *id, struct err *err)
{
    struct replay replay = {.site = site, .turns = json_array()};
    int rc = casefile_open_game(site->store, id, &replay.file, err);
    if (rc)
        goto out;
    if (replay.file.opened) {
        game_init(&replay.game);
        memcpy(replay.game.id, replay.file.id, sizeof replay.game.id);
        (void)past_want(&replay.past, slice_str(&replay.file.lines));
        casefile_rewind(&replay.file);
        rc = read_all(&replay, err);
        game_release(&replay.game);
        past_release(&replay.past);
    }
    casefile_close(&replay.file);
out:
    if (rc == 0)
        return replay.turns;
    json_decref(replay.turns);
    return NULL;
}
