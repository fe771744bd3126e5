#include "board/board.h"

#include "base/mem.h"
#include "board/element.h"
#include "board/ink.h"
#include "board/panels.h"
#include "game/lockstep.h"
#include "game/view.h"
#include "rules/picture.h"

struct board board_of(const struct game *game)
{
    return (struct board){game, game->told.was, game->told.events, 0};
}

bool board_public(const struct game *game)
{
    return game->turn > 0 && (game->over || !game->observers.barred) && game_shown_to(game, 0);
}

/* The public view of the state before the turn. */
static struct view *view_before(const struct board *board, const struct value **root)
{
    const struct game *game = board->game;
    if (!board->before)
        return NULL;
    struct view *view = view_make(game->ruleset, game->cards, board->before, 0);
    *root = view->root;
    return view;
}

static void put_headline(struct value *facts, const struct game *game)
{
    value_put_text(facts, "game", game->id);
    value_put_text(facts, "title", game->ruleset->title);
    value_put_text(facts, "folder", game->ruleset->folder);
    value_put_int(facts, "turn", game->turn - 1);
    value_put_flag(facts, "over", game->over);
    value_put_flag(facts, "deal", game->turn == 1);
}

/* The facts, in the arena of the view that is returned; the caller drops it, and *old. */
static struct view *tell(const struct board *board, struct view **old, struct value **out)
{
    const struct game *game = board->game;
    const struct value *before = NULL;
    struct view *view = view_make(game->ruleset, game->cards, game->state, 0);
    *old = view_before(board, &before);
    struct value *facts = value_object(&view->arena);
    const struct value *told = view_tell(view, game, 0, NULL);
    const struct value *news =
        board->events ? view_news(&view->arena, game, 0, board->events) : value_list(&view->arena);
    const struct picture_of of = {before, news, game->ruleset->shown.own_picture ? board->seat : 0};
    put_headline(facts, game);
    game->ruleset->shown.picture(value_get(told, "view"), &of);
    value_put(facts, "view", value_get(told, "view"));
    *out = facts;
    return view;
}

json_t *board_facts(const struct board *board)
{
    struct view *old;
    struct value *facts;
    struct view *view = tell(board, &old, &facts);
    json_t *json = value_json(facts);
    view_drop(view);
    view_drop(old);
    return json;
}

void board_facts_write(const struct board *board, struct str *out)
{
    struct view *old;
    struct value *facts;
    struct view *view = tell(board, &old, &facts);
    value_write(out, facts);
    view_drop(view);
    view_drop(old);
}

static int render(const json_t *facts, const char *name, struct templates *templates, struct str *out,
                  struct err *err)
{
    const char *folder = json_string_value(json_object_get(facts, "folder"));
    return templates_render(templates, &(struct template_name){folder, name}, facts, out, err);
}

int board_alt(const json_t *facts, struct templates *templates, struct str *out, struct err *err)
{
    int rc = render(facts, "board_alt.txt", templates, out, err);
    str_trim(out);
    return rc;
}

int board_draw(const json_t *facts, struct templates *templates, struct str *out, struct err *err)
{
    struct str words = STR_INIT, drawn = STR_INIT, placed = STR_INIT;
    json_t *all = json_copy((json_t *)(uintptr_t)facts);
    int rc = board_alt(facts, templates, &words, err);
    json_object_set_new(all, "words", json_text(slice_str(&words)));
    if (rc == 0)
        rc = render(all, "board.svg", templates, &drawn, err);
    if (rc == 0)
        rc = panels(&placed, slice_str(&drawn), BOARD_UNITS, BOARD_WIDTH, err);
    if (rc == 0)
        rc = ink(out, slice_str(&placed), err);
    json_decref(all);
    str_release(&words);
    str_release(&drawn);
    str_release(&placed);
    return rc;
}

int board_height(struct slice svg)
{
    struct element root;
    struct slice name, value;
    int64_t height = 0;
    struct slice rest = element_root(svg, &root) ? root.open : (struct slice){"", 0};
    while (element_attribute(&rest, &name, &value))
        if (slice_eq(name, "height"))
            (void)slice_number(&value, &height);
    return (int)height;
}

int board_svg(const struct board *board, struct templates *templates, struct str *out, struct err *err)
{
    json_t *facts = board_facts(board);
    int rc = board_draw(facts, templates, out, err);
    json_decref(facts);
    return rc;
}

int board_keep(const struct board *board, struct templates *templates, struct str *shows, struct str *alt,
               struct err *err)
{
    struct view *old;
    struct value *facts;
    struct view *view = tell(board, &old, &facts);
    struct rendering words = {.name = "board_alt.txt", .out = alt};
    value_write(shows, facts);
    int rc = templates_render_all(templates, &(struct renderings){board->game->ruleset->folder, &words, 1},
                                  facts, err);
    str_trim(alt);
    view_drop(view);
    view_drop(old);
    return rc;
}
