/* Lists of games: those that run, and those that ended, by month. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/json.h"
#include "base/mem.h"
#include "base/moment.h"
#include "play/facts.h"
#include "site/site_parts.h"

/* ---- a row ---- */

void site_month(char out[8], int64_t time)
{
    char text[CLOCK_TEXT];
    clock_utc(text, time);
    (void)snprintf(out, 8, "%.7s", text);
}

void site_row_text(struct str *out, const struct site *site, const struct catalog_game *row)
{
    str_addf(out, "%s %s ", row->id, row->ruleset);
    if (row->withheld) /* its page stays as it is, whatever happens in it */
        str_adds(out, "withheld");
    else
        str_addf(out, "%d %d %lld %lld %lld", row->turn, row->over, (long long)row->deadline,
                 (long long)row->seq, (long long)row->ended);
    for (int seat = 1; seat <= row->seats; seat++) {
        const struct player *player = registry_find(site->registry, row->player[seat]);
        str_addf(out, " %s/%d/%s", row->player[seat], player && player->is_public,
                 player ? player->display : "");
    }
    str_addc(out, '\n');
}

static json_t *players_of(const struct site *site, const struct catalog_game *row)
{
    json_t *players = json_array();
    for (int seat = 1; seat <= row->seats; seat++) {
        const char *name = row->player[seat];
        bool is_free = strcmp(name, CATALOG_FREE) == 0;
        json_t *player =
            json_pack("{s:s,s:b,s:b,s:b,s:b}", "name", is_free ? "" : name, "robot", !*name, "free", is_free,
                      "page", site_player_shown(site, name), "more", seat < row->seats);
        site_player_called(site, name, player);
        json_array_append_new(players, player);
    }
    return players;
}

int site_free_seats(const struct catalog_game *row)
{
    int count = 0;
    for (int seat = 1; seat <= row->seats; seat++)
        count += strcmp(row->player[seat], CATALOG_FREE) == 0;
    return row->over || row->withheld || row->turn > 0 ? 0 : count;
}

json_t *site_row(const struct site_work *work, const struct catalog_game *row)
{
    const struct ruleset *ruleset = ruleset_newest(row->ruleset);
    char ended[CLOCK_TEXT] = "";
    struct str unit = STR_INIT;
    str_addf(&unit, "game/%s", row->id);
    if (row->ended)
        clock_utc(ended, row->ended);
    json_t *json = json_pack(
        "{s:s,s:s,s:s,s:o,s:i,s:i,s:b,s:b,s:b,s:b,s:i,s:i,s:s,s:o,s:b}", "game", row->id, "ruleset",
        row->ruleset, "title", ruleset ? ruleset->title : row->ruleset, "players",
        players_of(work->site, row), "turn", row->turn, "last_turn", row->turn - 1, "over", row->over,
        "begun", row->turn > 0 || row->withheld, "paused", row->deadline == CATALOG_PAUSED, "held",
        row->deadline == CATALOG_HELD, "free", site_free_seats(row), "of", row->seats, "updated", ended,
        "ended", json_stringn(ended, strlen(ended) < 10 ? 0 : 10), "page", site_out_has(work->out, unit.p));
    json_object_set_new(json, "one_turn", json_boolean(row->turn == 2));
    if (row->withheld) { /* neither how far it is nor that it is over */
        json_object_set_new(json, "withheld", json_true());
        json_object_set_new(json, "turn", json_integer(0));
        json_object_set_new(json, "last_turn", json_integer(0));
        json_object_set_new(json, "ended", json_string(""));
        json_object_set_new(json, "updated", json_string(""));
        json_object_set_new(json, "one_turn", json_false());
    }
    if (row->deadline > 0 && !row->over && !row->withheld)
        facts_time(json, "deadline", row->deadline);
    str_release(&unit);
    return json;
}

/* ---- a list, SITE_LIST games to a page ---- */

struct list {
    const char *name; /* "running", "results/2026-11": of its first page */
    const char *title, *description;
    const char *archive; /* the page of the month's archive, "" = there is none */
    const struct catalog_game **rows;
    size_t count;
};

/* "running.html", "running-2.html" */
static void page_name(struct str *out, const char *name, size_t number, const char *ending)
{
    str_addf(out, "%s", name);
    if (number > 1)
        str_addf(out, "-%zu", number);
    str_adds(out, ending);
}

static const char *last_part(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static json_t *links_of(const struct list *list, size_t number, size_t pages)
{
    json_t *links = json_array();
    for (size_t i = 1; pages > 1 && i <= pages; i++) {
        struct str name = STR_INIT;
        page_name(&name, last_part(list->name), i, ".html");
        json_array_append_new(
            links, json_pack("{s:i,s:s,s:b}", "number", (int)i, "href", name.p, "here", i == number));
        str_release(&name);
    }
    return links;
}

static int put_page(struct site_work *work, const struct list *list, size_t number, size_t pages,
                    struct err *err)
{
    size_t from = (number - 1) * SITE_LIST;
    struct str path = STR_INIT, data = STR_INIT;
    json_t *rows = json_array(), *links = links_of(list, number, pages);
    for (size_t i = from; i < list->count && i < from + SITE_LIST; i++)
        json_array_append_new(rows, site_row(work, list->rows[i]));
    json_t *facts =
        json_pack("{s:s,s:s,s:i,s:b,s:O,s:b}", "heading", list->title, "about", list->description, "count",
                  (int)list->count, "any", list->count > 0, "rows", rows, "has_links", pages > 1);
    json_object_set(facts, "links", links);
    json_object_set_new(facts, "archive", *list->archive ? json_string(list->archive) : json_false());
    page_name(&path, list->name, number, ".html");
    page_name(&data, list->name, number, ".json");
    const struct site_page page = {path.p, "list.html", list->title, list->description, last_part(data.p),
                                   NULL};
    int rc = site_page_put(work, &page, facts, err);
    json_t *json = json_pack("{s:O}", "games", rows);
    if (rc == 0)
        rc = site_json_put(work, data.p, "", json, err);
    json_decref(json);
    json_decref(facts);
    json_decref(rows);
    json_decref(links);
    str_release(&path);
    str_release(&data);
    return rc;
}

/* May a page that has to be made again stay as it is until the next round, as there is no more time? Not the first one of a
 * list, nor one that is not there, as others link to it. */
static bool can_wait(struct site_work *work, const char *unit, const unsigned char key[SITE_KEY])
{
    if (!work->until || clock_milliseconds() < work->until)
        return false;
    site_out_drop(work->out);
    if (!site_out_has(work->out, unit)) {
        (void)site_out_begin(work->out, unit, key);
        return false;
    }
    work->sum->late++;
    return true;
}

/* A page that others have led to stays, empty, when the list has become shorter. */
static int put_list(struct site_work *work, const struct list *list, struct err *err)
{
    size_t pages = list->count ? (list->count + SITE_LIST - 1) / SITE_LIST : 1;
    int rc = 0;
    for (size_t number = 1; rc == 0; number++) {
        struct str text = STR_INIT, unit = STR_INIT, name = STR_INIT;
        unsigned char key[SITE_KEY];
        page_name(&unit, list->name, number, "");
        if (number > pages && !site_out_had(work->out, unit.p)) {
            str_release(&unit);
            break;
        }
        str_addf(&text, "%zu %zu %s\n", list->count, pages, list->archive);
        for (size_t i = (number - 1) * SITE_LIST; i < list->count && i < number * SITE_LIST; i++) {
            str_clear(&name);
            str_addf(&name, "game/%s", list->rows[i]->id);
            str_addf(&text, "%d ", site_out_has(work->out, name.p));
            site_row_text(&text, work->site, list->rows[i]);
        }
        site_key(work, key, slice_str(&text));
        if (site_out_begin(work->out, unit.p, key) && (number == 1 || !can_wait(work, unit.p, key)))
            rc = put_page(work, list, number, pages, err);
        str_release(&text);
        str_release(&unit);
        str_release(&name);
    }
    return rc;
}

/* ---- which games ---- */

static int by_end(const void *a, const void *b)
{
    const struct catalog_game *x = *(const struct catalog_game *const *)a,
                              *y = *(const struct catalog_game *const *)b;
    if (x->ended != y->ended)
        return x->ended > y->ended ? -1 : 1;
    return strcmp(x->id, y->id);
}

static int put_running(struct site_work *work, const struct catalog_game **rows, struct err *err)
{
    size_t count = 0;
    for (size_t i = 0; i < work->count; i++)
        if (!work->games[i].over)
            rows[count++] = &work->games[i];
    return put_list(work,
                    &(struct list){"running", "Games being played",
                                   "All games of the league that are not over.", "", rows, count},
                    err);
}

static int put_month(struct site_work *work, const char *month, const struct catalog_game **rows,
                     size_t count, struct err *err)
{
    struct str name = STR_INIT, title = STR_INIT, unit = STR_INIT;
    str_addf(&name, "results/%s", month);
    str_addf(&title, "Games that ended in %s", month);
    str_addf(&unit, "archive/%s/index.html", month);
    char *archive = site_out_file(work->out, unit.p);
    const struct list list = {name.p, title.p, "Finished games, the last one first.", archive, rows, count};
    int rc = put_list(work, &list, err);
    free(archive);
    str_release(&name);
    str_release(&title);
    str_release(&unit);
    return rc;
}

/* The page that leads to the months, with the last results. */
static int put_results(struct site_work *work, json_t *months, const struct catalog_game **rows, size_t count,
                       struct err *err)
{
    json_t *last = json_array();
    for (size_t i = 0; i < count && i < SITE_LAST; i++)
        json_array_append_new(last, site_row(work, rows[i]));
    json_t *facts =
        json_pack("{s:i,s:b,s:O,s:O}", "count", (int)count, "any", count > 0, "months", months, "rows", last);
    int rc = site_unit_put(work,
                           &(struct site_page){"results.html", "results.html", "Results",
                                               "Finished games of the league, month by month.",
                                               "results.json", "feed.xml"},
                           facts, err);
    json_decref(last);
    json_decref(facts);
    return rc;
}

static int put_ended(struct site_work *work, const struct catalog_game **rows, struct err *err)
{
    size_t count = 0, from = 0;
    int rc = 0;
    json_t *months = json_array();
    for (size_t i = 0; i < work->count; i++)
        if (work->games[i].over)
            rows[count++] = &work->games[i];
    if (count)
        qsort(rows, count, sizeof *rows, by_end);
    while (rc == 0 && from < count) {
        char month[8], other[8];
        size_t to = from;
        site_month(month, rows[from]->ended);
        do
            site_month(other, ++to < count ? rows[to]->ended : 0);
        while (to < count && strcmp(month, other) == 0);
        rc = put_month(work, month, rows + from, to - from, err);
        json_array_append_new(months, json_pack("{s:s,s:i,s:b}", "month", month, "count", (int)(to - from),
                                                "one", to - from == 1));
        from = to;
    }
    if (rc == 0)
        rc = put_results(work, months, rows, count, err);
    json_decref(months);
    return rc;
}

int site_lists(struct site_work *work, struct err *err)
{
    const struct catalog_game **rows = mem_array(work->count + 1, sizeof(const struct catalog_game *));
    int rc = put_running(work, rows, err);
    if (rc == 0)
        rc = put_ended(work, rows, err);
    free(rows);
    return rc;
}
