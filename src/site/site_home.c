/* The first page: what this is, how to join, what can be watched. And the feed of the league. */
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/json.h"
#include "base/mem.h"
#include "site/site_parts.h"

#define HOME_OPEN    20
#define HOME_RUNNING 8
#define HOME_ENDED   6
#define FEED_ENTRIES 30
#define NEWS_MOST    ((size_t)16 << 10)

static int by_deadline(const void *a, const void *b)
{
    const struct catalog_game *x = *(const struct catalog_game *const *)a,
                              *y = *(const struct catalog_game *const *)b;
    bool dated = x->deadline > 0 && !x->withheld, other = y->deadline > 0 && !y->withheld;
    int64_t p = dated ? x->deadline : INT64_MAX, q = other ? y->deadline : INT64_MAX;
    if (p != q)
        return p < q ? -1 : 1;
    return strcmp(x->id, y->id);
}

static int by_end(const void *a, const void *b)
{
    const struct catalog_game *x = *(const struct catalog_game *const *)a,
                              *y = *(const struct catalog_game *const *)b;
    if (x->ended != y->ended)
        return x->ended > y->ended ? -1 : 1;
    return strcmp(x->id, y->id);
}

enum which { WITH_ROOM, RUNNING, ENDED };

/* The first of them, as rows; *count: how many there are in all. */
static json_t *some(const struct site_work *work, enum which which, size_t most, size_t *count)
{
    const struct catalog_game **rows = mem_array(work->count + 1, sizeof(const struct catalog_game *));
    json_t *list = json_array();
    *count = 0;
    for (size_t i = 0; i < work->count; i++) {
        const struct catalog_game *row = &work->games[i];
        bool fits = which == WITH_ROOM ? site_free_seats(row) > 0
                    : which == RUNNING ? !row->over && (row->turn > 0 || row->withheld)
                                       : row->over && row->turn > 0;
        if (fits)
            rows[(*count)++] = row;
    }
    if (*count)
        qsort(rows, *count, sizeof *rows, which == ENDED ? by_end : by_deadline);
    for (size_t i = 0; i < *count && i < most; i++)
        json_array_append_new(list, site_row(work, rows[i]));
    free(rows);
    return list;
}

/* A board to look at: of the first of these games that has one; false when there is none. */
static json_t *board_of_some(const struct site_work *work, const json_t *part)
{
    size_t i;
    json_t *row, *board = NULL;
    json_array_foreach (json_object_get(part, "rows"), i, row) {
        struct str unit = STR_INIT;
        str_addf(&unit, "game/%s", json_string_value(json_object_get(row, "game")));
        char *path = site_out_last(work->out, unit.p, ".svg");
        if (!board && *path)
            board = json_pack("{s:s,s:O,s:O,s:O}", "href", path, "game", json_object_get(row, "game"),
                              "title", json_object_get(row, "title"), "over", json_object_get(row, "over"));
        str_release(&unit);
        free(path);
    }
    return board ? board : json_false();
}

/* The operator's own words, news.txt in the league's folder: paragraphs. */
static json_t *news_of(const struct site *site)
{
    struct str text = STR_INIT, words = STR_INIT;
    struct err ignored = ERR_INIT;
    struct slice rest, line;
    json_t *list = json_array();
    char *path = league_path(site->league, "news.txt");
    if (file_is_plain(path))
        (void)!file_read(path, NEWS_MOST, &text, &ignored);
    rest = slice_str(&text);
    while (rest.len) {
        (void)slice_line(&rest, &line);
        line = slice_trim(line);
        if (line.len) {
            str_addf(&words, "%s%.*s", words.len ? " " : "", (int)line.len, line.p);
        }
        if (words.len && (!line.len || !rest.len)) {
            json_array_append_new(list, json_pack("{s:o}", "words", json_text(slice_str(&words))));
            str_clear(&words);
        }
    }
    str_release(&text);
    str_release(&words);
    free(path);
    return list;
}

json_t *site_rulesets(void)
{
    json_t *list = json_array();
    for (int i = 0; rulesets[i]; i++) {
        const struct ruleset *ruleset = rulesets[i];
        json_array_append_new(list, json_pack("{s:s,s:s,s:s,s:i,s:i,s:b,s:b}", "ruleset", ruleset->name,
                                              "title", ruleset->title, "rulebook", ruleset->rulebook, "least",
                                              ruleset->seats_min, "most", ruleset->seats_max, "alone",
                                              ruleset->seats_max == 1, ruleset->folder, 1));
    }
    return list;
}

static void put_lists(const struct site_work *work, json_t *facts)
{
    static const char *const names[] = {"tables", "running", "ended"};
    static const size_t most[] = {HOME_OPEN, HOME_RUNNING, HOME_ENDED};
    for (enum which which = WITH_ROOM; which <= ENDED; which++) {
        size_t count;
        json_t *list = some(work, which, most[which], &count);
        json_t *part = json_pack("{s:O,s:i,s:b,s:b}", "rows", list, "count", (int)count, "one", count == 1,
                                 "more", count > most[which]);
        json_object_set_new(facts, names[which], count ? part : json_false());
        if (!count)
            json_decref(part);
        json_decref(list);
    }
    json_t *board = board_of_some(work, json_object_get(facts, "running"));
    json_object_set_new(facts, "board",
                        json_is_object(board) ? board : board_of_some(work, json_object_get(facts, "ended")));
}

static int put_feed(struct site_work *work, struct err *err)
{
    char print[KEY_FINGERPRINT];
    size_t count;
    json_t *list = some(work, ENDED, FEED_ENTRIES, &count);
    const json_t *newest = json_object_get(json_array_get(list, 0), "updated");
    league_fingerprint(work->site->league, print);
    json_t *facts =
        json_pack("{s:o,s:s,s:s}", "rows", list, "updated",
                  newest ? json_string_value(newest) : "1970-01-01T00:00:00Z", "fingerprint", print);
    int rc = site_unit_put(work, &(struct site_page){"feed.xml", "atom.html", "Results", NULL, NULL, NULL},
                           facts, err);
    json_decref(facts);
    return rc;
}

int site_home(struct site_work *work, struct err *err)
{
    const struct config_league *config = &work->site->league->config.league;
    struct str words = STR_INIT;
    json_t *news = news_of(work->site);
    json_t *facts = json_pack(
        "{s:o,s:b,s:b,s:b,s:b,s:b,s:o}", "news", news, "has_news", json_array_size(news) > 0, "by_invitation",
        config->registration == REGISTRATION_INVITE, "for_all", config->registration == REGISTRATION_OPEN,
        "closed", config->registration == REGISTRATION_CLOSED, "mail_counts", config->trust == TRUST_MAIL,
        "rulesets", site_rulesets());
    put_lists(work, facts);
    str_addf(&words, "%s: slow board games by e-mail. Watch the games, read the rules, take a seat.",
             config->name);
    int rc = site_unit_put(
        work, &(struct site_page){"index.html", "home.html", NULL, words.p, "index.json", "feed.xml"}, facts,
        err);
    if (rc == 0)
        rc = put_feed(work, err);
    str_release(&words);
    json_decref(facts);
    return rc;
}
