#include "site/site.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/embed.h"
#include "base/mem.h"
#include "site/site_parts.h"

/* ---- the catalog ---- */

static int take_row(void *arg, const struct catalog_game *row, struct err *err)
{
    struct site_work *work = arg;
    (void)err;
    work->games = mem_grow(work->games, work->count, &work->cap, sizeof *work->games);
    work->games[work->count++] = *row;
    return 0;
}

/* ---- what is the same everywhere ---- */

static int put_file(struct site_work *work, const char *name, const char *template, struct err *err)
{
    unsigned char key[SITE_KEY];
    struct slice bytes = embed_find(template);
    site_key(work, key, bytes);
    return site_out_begin(work->out, name, key) ? site_out_put(work->out, name, bytes, err) : 0;
}

static int put_files(struct site_work *work, struct err *err)
{
    int rc = put_file(work, "site.css", "templates/site/site.css", err);
    return rc ? rc : put_file(work, "icon.svg", "templates/site/icon.svg", err);
}

typedef int site_part(struct site_work *work, struct err *err);
static site_part *const parts[] = {put_files,           site_check, site_games,
                                   site_archive_months, site_lists, site_players,
                                   site_competitions,   site_home,  site_rules};

int site_write(const struct site *site, struct site_sum *sum, struct err *err)
{
    struct site_out out;
    struct site_work work = {.site = site, .out = &out, .sum = sum};
    memset(sum, 0, sizeof *sum);
    work.until = site->patience ? clock_milliseconds() + site->patience : 0;
    if (site_out_open(&out, site->folder, err))
        return -1;
    int rc = site_base(&work, err);
    if (rc == 0)
        rc = catalog_each_game(site->catalog, &(struct catalog_filter){NULL, false}, take_row, &work, err);
    for (size_t i = 0; rc == 0 && i < sizeof parts / sizeof *parts; i++)
        rc = parts[i](&work, err);
    if (rc == 0)
        rc = site_out_end(&out, err);
    sum->written = out.written;
    sum->removed = out.removed;
    site_out_release(&out);
    free(work.games);
    return rc;
}
