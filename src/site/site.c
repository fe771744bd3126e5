#include "site/site.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/embed.h"
#include "base/file.h"
#include "base/mem.h"
#include "site/site_parts.h"

#define FILE_MOST ((size_t)4 << 20)

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

/* The league's own one, if it has one. */
static int put_file(struct site_work *work, const char *name, struct err *err)
{
    unsigned char key[SITE_KEY];
    struct str path = STR_INIT, bytes = STR_INIT;
    str_addf(&path, "templates/site/%s", name);
    char *own = league_path(work->site->league, path.p);
    int rc = 0;
    if (file_is_plain(own))
        rc = file_read(own, FILE_MOST, &bytes, err);
    else
        str_addslice(&bytes, embed_find(path.p));
    site_key(work, key, slice_str(&bytes));
    if (rc == 0 && site_out_begin(work->out, name, key))
        rc = site_out_put(work->out, name, slice_str(&bytes), err);
    str_release(&path);
    str_release(&bytes);
    free(own);
    return rc;
}

static int put_files(struct site_work *work, struct err *err)
{
    static const char *const names[] = {"site.css", "icon.svg", "card.png"};
    int rc = 0;
    for (size_t i = 0; rc == 0 && i < sizeof names / sizeof *names; i++)
        rc = put_file(work, names[i], err);
    return rc;
}

typedef int site_part(struct site_work *work, struct err *err);
static site_part *const parts[] = {put_files,  site_check,   site_games,        site_archive_months,
                                   site_lists, site_players, site_competitions, site_home,
                                   site_rules, site_log};

int site_write(const struct site *site, struct site_sum *sum, struct err *err)
{
    struct site_out out;
    struct site_work work = {.site = site, .out = &out, .sum = sum};
    memset(sum, 0, sizeof *sum);
    work.until = site->patience ? clock_milliseconds() + site->patience : 0;
    if (site_out_open(&out, site->folder, err))
        return -1;
    int rc = site_out_is_page(&out)
                 ? err_set(err, ERR_INPUT,
                           "%s holds the order page, which needs a folder and a host name of its own",
                           site->folder)
                 : site_base(&work, err);
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
