/* A game's page, and its JSON. */
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/json.h"
#include "base/log.h"
#include "base/mem.h"
#include "base/moment.h"
#include "board/album.h"
#include "game/game_load.h"
#include "game/lockstep.h"
#include "game/seating.h"
#include "picture/pictures.h"
#include "play/facts.h"
#include "site/site_parts.h"

bool site_game_open(const struct game *game)
{
    return !game->observers.barred && game_shown_to(game, 0);
}

/* ---- facts ---- */

static json_t *seats_of(const struct site *site, const struct game *game)
{
    bool awaited = site->league->config.site.awaited;
    uint32_t missing = awaited && !game->over && game->turn && site_game_open(game) ? game_missing(game) : 0;
    json_t *seats = json_array();
    for (int i = 1; i <= game->seats; i++) {
        const struct game_seat *seat = &game->seat[i];
        const char *kept = game->turn ? "" : seating_keeps(game, i);
        const char *name = *seat->player ? seat->player : kept;
        json_t *row = json_pack("{s:i,s:s,s:b,s:b,s:b,s:b,s:b}", "seat", i, "name", name, "free", !*name,
                                "kept", !*seat->player && *kept, "robot", seat->robot, "awaited",
                                (missing & SEAT_BIT(i)) != 0, "page", site_player_shown(site, name));
        site_player_called(site, name, row);
        json_array_append_new(seats, row);
    }
    return seats;
}

/* Where it stands: exactly one of these is true. */
static void put_state(json_t *facts, const struct game *game)
{
    bool shown = game_shown_to(game, 0), goes_on = shown && !game->over, open = goes_on && game->turn == 0;
    json_object_set_new(facts, "open", json_boolean(open));
    json_object_set_new(facts, "running", json_boolean(goes_on && !open));
    json_object_set_new(facts, "over", json_boolean(shown && game->over));
    json_object_set_new(facts, "never", json_boolean(shown && game->over && game->turn == 0));
    json_object_set_new(facts, "voided", json_boolean(shown && game->voided));
    json_object_set_new(facts, "paused", json_boolean(goes_on && game->clock.paused));
    json_object_set_new(facts, "held", json_boolean(goes_on && !game->clock.paused && game->clock.held));
    if (game->clock.deadline && goes_on && !game->clock.paused && !game->clock.held)
        facts_time(facts, "deadline", game->clock.deadline);
    if (open)
        json_object_set_new(facts, "seats_open", facts_open(game));
}

/* Marks the turns for the page: by what name they are linked, what comes before and after. */
static void mark_turns(json_t *turns)
{
    size_t i, count = json_array_size(turns);
    json_t *turn;
    json_array_foreach (turns, i, turn) {
        json_int_t number = json_integer_value(json_object_get(turn, "turn"));
        json_object_set_new(turn, "is_last", json_boolean(i + 1 == count));
        json_object_set_new(turn, "before", i > 0 ? json_pack("{s:I}", "number", number - 1) : json_false());
        json_object_set_new(turn, "after",
                            i + 1 < count ? json_pack("{s:I}", "number", number + 1) : json_false());
    }
}

static int put_end(const struct site *site, const struct game *game, const json_t *told, json_t *facts,
                   struct err *err)
{
    json_t *end = site_piece(site, game, "site_end.html", told, err);
    json_t *outcome = end ? site_piece(site, game, "outcome.txt", told, err) : NULL;
    json_object_set_new(facts, "end", end ? end : json_null());
    json_object_set_new(facts, "outcome", outcome ? outcome : json_null());
    return outcome ? 0 : -1;
}

json_t *site_game_facts(const struct site *site, const struct game *game, json_t *turns, struct err *err)
{
    bool shown = site_game_open(game);
    int turn = game_shown_to(game, 0) ? game->turn : 0;
    json_t *facts = json_pack(
        "{s:s,s:s,s:s,s:s,s:s,s:i,s:i,s:b,s:b,s:o,s:b}", "game", game->id, "title", game->ruleset->title,
        "ruleset", game->ruleset->name, "folder", game->ruleset->folder, "rulebook", game->ruleset->rulebook,
        "turn", turn, "last_turn", turn - 1, "private", game->observers.barred, "several_seats",
        game->seats > 1, "seats", seats_of(site, game), "takes_mail", game->table.by_mail);
    json_object_set_new(facts, "one_turn", json_boolean(turn == 2));
    json_object_set_new(facts, "withheld", json_boolean(!shown && !game->observers.barred));
    put_state(facts, game);
    if (*game->table.place.name)
        json_object_set_new(facts, "compete",
                            json_pack("{s:s,s:i,s:i}", "competition", game->table.place.name, "round",
                                      game->table.place.round, "table", game->table.place.table));
    if (!shown || game->turn == 0)
        return facts;
    size_t count = json_array_size(turns);
    json_t *told = site_told(game);
    int rc = game->over ? put_end(site, game, told, facts, err) : 0;
    if (count > 1) {
        mark_turns(turns);
        json_object_set_new(facts, "played", json_pack("{s:O}", "turns", turns));
    } else if (count) {
        json_object_set(facts, "last", json_array_get(turns, 0));
    }
    json_object_set(facts, "view", json_object_get(told, "view"));
    json_decref(told);
    if (rc == 0)
        return facts;
    json_decref(facts);
    return NULL;
}

/* ---- the page ---- */

static void describe(struct str *out, const json_t *facts)
{
    const json_t *seats = json_object_get(facts, "seats");
    const char *outcome = json_string_value(json_object_get(facts, "outcome"));
    const char *title = json_string_value(json_object_get(facts, "title"));
    long long turn = (long long)json_integer_value(json_object_get(facts, "turn"));
    size_t i, names = 0;
    json_t *seat;
    str_addf(out, "%s, ", title);
    if (json_is_true(json_object_get(facts, "withheld")))
        str_adds(out, "being played.");
    else if (json_is_true(json_object_get(facts, "never")))
        str_adds(out, "never began.");
    else if (json_is_true(json_object_get(facts, "over")))
        str_addf(out, "finished after %lld turn%s.", turn - 1, PLURAL(turn - 1));
    else if (turn == 0)
        str_adds(out, "waiting for players.");
    else
        str_addf(out, "turn %lld.", turn);
    json_array_foreach (seats, i, seat) {
        if (json_is_true(json_object_get(seat, "free")))
            continue;
        str_addf(out, "%s%s", names++ ? ", " : " ", json_string_value(json_object_get(seat, "name")));
    }
    if (names)
        str_addc(out, '.');
    if (outcome && *outcome)
        str_addf(out, " %s", outcome);
    str_trim(out);
}

/* What programs get: the same without the words of pages. */
static json_t *json_of(const json_t *facts)
{
    static const char *const words[] = {"last",      "played",  "end",         "turns",    "folder",
                                        "last_turn", "outcome", "deadline_at", "deadline", "card"};
    json_t *json = json_copy((json_t *)(uintptr_t)facts);
    json_t *deadline = json_object_get(facts, "deadline_at");
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        json_object_del(json, words[i]);
    json_object_set_new(json, "deadline", deadline ? json_time(json_integer_value(deadline)) : json_null());
    return json;
}

/* What previews of links show: the picture as PNG, where mails have it. */
static int put_card(struct site_work *work, const struct game *game, const json_t *picture, json_t *facts,
                    struct err *err)
{
    const char *painted = json_string_value(json_object_get(picture, "painted"));
    struct str path = STR_INIT, png = STR_INIT;
    struct err none = ERR_INIT;
    char *pictures = league_path(work->site->league, PICTURES_FOLDER);
    int rc = 0;
    if (painted && pictures_get(pictures, painted, &png, &none) == 0) {
        str_addf(&path, "boards/%s.png", game->id);
        rc = site_out_put(work->out, path.p, slice_str(&png), err);
        json_object_set_new(
            facts, "card",
            json_pack("{s:s,s:O,s:O,s:O}", "file", path.p, "words", json_object_get(picture, "alt"), "wide",
                      json_object_get(picture, "width"), "high", json_object_get(picture, "height")));
    }
    str_release(&path);
    str_release(&png);
    free(pictures);
    return rc;
}

/* The pictures become one file: "svg" of each is replaced by "href", and all have the height of the highest. */
static int put_pictures(struct site_work *work, const struct game *game, json_t *turns, json_t *facts,
                        struct err *err)
{
    struct album_picture *pictures = mem_array(json_array_size(turns) + 1, sizeof *pictures);
    struct str path = STR_INIT, all = STR_INIT;
    size_t i, count = 0;
    json_int_t height = 0;
    json_t *turn;
    int rc = 0;
    json_array_foreach (turns, i, turn) {
        json_t *picture = json_object_get(turn, "picture");
        if (!picture)
            continue;
        json_int_t own = json_integer_value(json_object_get(picture, "height"));
        height = own > height ? own : height;
        pictures[count++] =
            (struct album_picture){(int)json_integer_value(json_object_get(turn, "turn")),
                                   slice_of(json_string_value(json_object_get(picture, "svg")))};
        if (rc == 0)
            rc = put_card(work, game, picture, facts, err);
    }
    str_addf(&path, "boards/%s.svg", game->id);
    if (rc == 0 && count)
        rc = album(&all, pictures, count, (int)height, err);
    if (rc == 0 && count)
        rc = site_out_put(work->out, path.p, slice_str(&all), err);
    json_array_foreach (turns, i, turn) {
        json_t *picture = json_object_get(turn, "picture");
        json_t *href = json_sprintf("%s#turn-%lld", path.p,
                                    (long long)json_integer_value(json_object_get(turn, "turn")));
        json_object_set_new(picture, "href", href);
        json_object_set_new(picture, "height", json_integer(height));
        json_object_del(picture, "svg");
    }
    free(pictures);
    str_release(&path);
    str_release(&all);
    return rc;
}

static int put(struct site_work *work, const struct game *game, json_t *facts, struct err *err)
{
    struct str path = STR_INIT, name = STR_INIT, words = STR_INIT, title = STR_INIT;
    json_t *json = json_of(facts);
    char *archive = site_archived(work, game->id);
    json_object_set_new(facts, "archive", *archive ? json_string(archive) : json_false());
    free(archive);
    str_addf(&name, "%s.json", game->id);
    str_addf(&path, "games/%s.json", game->id);
    str_addf(&title, "%s, %s", game->id, game->ruleset->title);
    describe(&words, facts);
    int rc = site_json_put(work, path.p, game->ruleset->folder, json, err);
    str_clear(&path);
    str_addf(&path, "games/%s.html", game->id);
    if (rc == 0)
        rc = site_page_put(work, &(struct site_page){path.p, "game.html", title.p, words.p, name.p, NULL},
                           facts, err);
    json_decref(json);
    str_release(&path);
    str_release(&name);
    str_release(&words);
    str_release(&title);
    return rc;
}

static int make(struct site_work *work, const char *id, struct err *err)
{
    const struct site *site = work->site;
    struct game game;
    json_t *facts = NULL, *turns = NULL;
    if (game_load(site->store, id, site->league->master, &game, err))
        return -1;
    bool shown = game.turn > 0 && site_game_open(&game);
    int rc = !shown || (turns = site_turns(site, &game, err)) ? 0 : -1;
    if (rc == 0)
        rc = (facts = site_game_facts(site, &game, turns, err)) ? 0 : -1;
    if (rc == 0)
        rc = put_pictures(work, &game, turns, facts, err);
    if (rc == 0)
        rc = put(work, &game, facts, err);
    json_decref(turns);
    json_decref(facts);
    game_release(&game);
    return rc;
}

/* ---- all games ---- */

bool site_time_is_up(struct site_work *work)
{
    return work->until && work->tried++ && clock_milliseconds() >= work->until;
}

static int one(struct site_work *work, const struct catalog_game *row, struct err *err)
{
    unsigned char key[SITE_KEY];
    struct str text = STR_INIT, name = STR_INIT;
    struct err why = ERR_INIT;
    str_addf(&name, "game/%s", row->id);
    work->out->trusts =
        row->over && work->site->patience; /* after a round, finished games are not looked at */
    site_row_text(&text, work->site, row);
    int rc = row->over ? site_archive_game(work, row, err) : 0;
    char *archive = site_archived(work, row->id);
    str_adds(&text, archive);
    free(archive);
    site_key(work, key, slice_str(&text));
    if (rc == 0 && site_out_begin(work->out, name.p, key)) {
        if (site_time_is_up(work)) {
            work->sum->left++;
            site_out_drop(work->out);
        } else if (make(work, row->id, &why) == 0) {
            work->sum->rendered++;
        } else if (why.code == ERR_IO) {
            rc = err_pass(err, &why);
        } else {
            log_debug("%s has no new page: %s", row->id, why.text);
            work->sum->broken++;
            site_out_drop(work->out);
        }
    }
    str_release(&text);
    str_release(&name);
    return rc;
}

int site_games(struct site_work *work, struct err *err)
{
    int rc = 0;
    for (size_t i = 0; rc == 0 && i < work->count; i++)
        rc = one(work, &work->games[i], err);
    work->out->trusts = false;
    return rc;
}
