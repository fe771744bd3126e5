#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "commands/deed.h"
#include "page/page.h"

static const char details[] =
    "Writes the page on which players sign in their browsers: static files for any web server, to be served "
    "at [league] page_url. Write it again after an update of Turnpost, and when the league's name, address "
    "or key has changed. Only files that changed are written.\n"
    "The registry's journal keeps the page's version and SHA-256, and mails show them below their link. What "
    "the web server has to send with it: cron/turnpost-page.nginx, .caddy, .apache.\n";

struct wishes {
    const char *folder;
};

static int read(struct deed *deed, int argc, char **argv)
{
    struct wishes *wishes = deed->wishes;
    int code = deed_flags_alone(deed, &argc, argv, (const int[]){1, 1}, details);
    if (code < 0)
        wishes->folder = argv[1];
    return code;
}

/* The page as this program makes it of the league. */
static int make(const char *dir, struct page *page, struct page_written *now, struct err *err)
{
    struct league league;
    *page = (struct page){.list = NULL};
    if (league_open(flag_league(dir), false, &league, err))
        return -1;
    int rc = league_keys(&league, err);
    if (rc == 0)
        rc = page_make(page, &league, err);
    if (rc == 0)
        rc = page_written_read(league.dir, now, err);
    league_close(&league);
    return rc;
}

/* Whoever does it may be another program, and have read league.ini before it was changed: so digest and address go along. */
static int bring(struct deed *deed, struct err *err)
{
    struct page page;
    struct page_written before;
    int rc = make(deed->dir, &page, &before, err);
    if (rc == 0)
        str_addf(&deed->text, "%s %s", page.sha256, page.url);
    page_release(&page);
    return rc;
}

static int read_brought(const struct deed *deed, struct page_written *page, struct err *err)
{
    const char *url = deed->batch->league->config.league.page_url;
    struct slice rest = slice_str(&deed->text), sha256, address;
    if (!slice_word(&rest, &sha256) || sha256.len != PAGE_DIGEST - 1 || !slice_word(&rest, &address))
        return err_set(err, ERR_INPUT, "the request cannot be read");
    if (!slice_eq(address, url))
        return err_set(err, ERR_TEMP,
                       "the daemon still has the old [league] page_url: have it read league.ini again "
                       "(systemctl reload turnpost, or SIGHUP), and repeat the command");
    memcpy(page->sha256, sha256.p, sha256.len);
    memcpy(page->url, url, strlen(url) + 1);
    return 0;
}

static int act(struct deed *deed, struct err *err)
{
    struct page_written page = {.version = 0}, before;
    if (page_written_read(deed->batch->league->dir, &before, err) || read_brought(deed, &page, err))
        return -1;
    bool same = strcmp(page.sha256, before.sha256) == 0;
    page.version = before.version + !same;
    if (same && strcmp(page.url, before.url) == 0)
        return 0;
    json_t *evidence = json_pack("{s:s}", "by", OPERATOR);
    int rc = batch_change(
        deed->batch, &(struct registry_change){.what = "page", .page = &page, .evidence = evidence}, err);
    json_decref(evidence);
    return rc;
}

const struct deed_kind deed_page = {
    .name = "page", .size = sizeof(struct wishes), .read = read, .bring = bring, .act = act};

/* ---- the folder ---- */

static int write_folder(const struct wishes *wishes, const char *dir, struct err *err)
{
    struct page page;
    struct page_written now;
    struct page_sum sum;
    int rc = make(dir, &page, &now, err);
    if (rc == 0 && strcmp(page.sha256, now.sha256) != 0)
        rc = err_set(err, ERR_TEMP, "the league has changed meanwhile; repeat the command");
    if (rc == 0) {
        page_number(&page, now.version);
        rc = page_put(&page, wishes->folder, &sum, err);
    }
    if (rc == 0)
        (void)printf("%s: page %d, %zu file%s written, %zu removed\nsha256 %s\n", wishes->folder, now.version,
                     sum.written, PLURAL(sum.written), sum.removed, page.sha256);
    page_release(&page);
    return rc;
}

int command_page(int argc, char **argv)
{
    struct err err = ERR_INIT;
    struct deed typed;
    char **words = mem_copy(argv, ((size_t)argc + 1) * sizeof *argv); /* reading moves them */
    deed_init(&typed, &deed_page);
    int code = read(&typed, argc, words);
    if (code < 0)
        code = deed_run(&deed_page, argc, argv);
    if (code == 0 && typed.wishes && ((struct wishes *)typed.wishes)->folder &&
        write_folder(typed.wishes, typed.dir, &err))
        code = command_fail(&err);
    deed_release(&typed);
    free(words);
    return code;
}
