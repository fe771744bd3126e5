/* The archive: the files of games that have ended, month by month. */
#include <stdlib.h>
#include <string.h>

#include "base/date.h"
#include "base/json.h"
#include "base/log.h"
#include "game/game_load.h"
#include "publish/publish.h"
#include "publish/tar.h"
#include "site/site_parts.h"

#define SETTLED DAY_SECONDS /* after the end of a month, for what a clock that was wrong may still change */

char *site_archived(const struct site_work *work, const char *game)
{
    struct str unit = STR_INIT;
    str_addf(&unit, "archive/%s", game);
    char *path = site_out_file(work->out, unit.p);
    str_release(&unit);
    return path;
}

static bool has_file(const struct bundle *bundle, const char *name)
{
    for (size_t i = 0; i < bundle->count; i++)
        if (strcmp(bundle->file[i].name, name) == 0)
            return true;
    return false;
}

/* Nothing of a private game, nor before its seals are open. */
static bool may_be_shown(const struct site *site, const char *id, struct err *err)
{
    struct game game;
    if (game_load(site->store, id, site->league->master, &game, err))
        return false;
    bool shown = site_game_open(&game) && game.turn > 0;
    game_release(&game);
    return shown;
}

static int put_files(struct site_work *work, const struct catalog_game *row, struct err *err)
{
    const struct site *site = work->site;
    const struct publish how = {.store = site->store,
                                .league = site->league,
                                .log = site->log,
                                .templates = site->templates,
                                .game = row->id};
    struct bundle bundle = {NULL, 0, 0};
    struct str bytes = STR_INIT, path = STR_INIT;
    char month[8];
    int rc = publish_game(&how, &bundle, err);
    if (rc == 0 && has_file(&bundle, "signed/index") && tar_write(&bytes, &bundle, row->id, row->ended)) {
        site_month(month, row->ended);
        str_addf(&path, "archive/%s/%s.tar", month, row->id);
        rc = site_out_put(work->out, path.p, slice_str(&bytes), err);
    }
    bundle_release(&bundle);
    str_release(&bytes);
    str_release(&path);
    return rc;
}

int site_archive_game(struct site_work *work, const struct catalog_game *row, struct err *err)
{
    unsigned char key[SITE_KEY];
    struct str unit = STR_INIT, text = STR_INIT;
    struct err why = ERR_INIT;
    int rc = 0;
    str_addf(&unit, "archive/%s", row->id);
    str_addf(&text, "%s %lld", row->id, (long long)row->seq);
    site_key(work, key, slice_str(&text));
    if (site_out_once(work->out, unit.p, key)) {
        if (site_time_is_up(work))
            site_out_drop(work->out);
        else if (may_be_shown(work->site, row->id, &why) && put_files(work, row, &why) && why.code == ERR_IO)
            rc = err_pass(err, &why);
        if (why.code && rc == 0) {
            log_debug("%s is not in the archive: %s", row->id, why.text);
            site_out_drop(work->out);
        }
    }
    str_release(&unit);
    str_release(&text);
    return rc;
}

/* ---- the page of a month ---- */

/* When the month of that time is over. */
static int64_t month_end(int64_t time)
{
    struct date date = date_of(time / DAY_SECONDS);
    date.month++;
    date.day = 1;
    if (date.month > 12) {
        date.month = 1;
        date.year++;
    }
    return date_number(date) * DAY_SECONDS;
}

static int put_month(struct site_work *work, const char *month, json_t *rows, struct err *err)
{
    unsigned char key[SITE_KEY];
    char print[KEY_FINGERPRINT];
    struct str path = STR_INIT, title = STR_INIT;
    str_addf(&path, "archive/%s/index.html", month);
    str_addf(&title, "Archive of %s", month);
    site_key(work, key, slice_str(&path));
    int rc = 0;
    if (site_out_once(work->out, path.p, key)) {
        league_fingerprint(work->site->league, print);
        json_t *facts = json_pack("{s:s,s:O,s:i,s:s}", "month", month, "rows", rows, "count",
                                  (int)json_array_size(rows), "fingerprint", print);
        const struct site_page page = {.path = path.p,
                                       .template = "archive.html",
                                       .title = title.p,
                                       .description = "The files of finished games, and how to check them."};
        rc = site_page_put(work, &page, facts, err);
        json_decref(facts);
    }
    str_release(&path);
    str_release(&title);
    return rc;
}

int site_archive_months(struct site_work *work, struct err *err)
{
    json_t *months = json_object(), *rows;
    const char *month;
    int rc = 0;
    for (size_t i = 0; i < work->count && work->sum->left == 0; i++) {
        const struct catalog_game *row = &work->games[i];
        char name[8];
        char *path = site_archived(work, row->id);
        if (*path && row->over && work->site->now >= month_end(row->ended) + SETTLED) {
            site_month(name, row->ended);
            if (!json_object_get(months, name))
                json_object_set_new(months, name, json_array());
            json_array_append_new(json_object_get(months, name), site_row(work, row));
        }
        free(path);
    }
    json_object_foreach (months, month, rows)
        if (rc == 0)
            rc = put_month(work, month, rows, err);
    json_decref(months);
    return rc;
}
