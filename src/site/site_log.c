/* The league's log, as any program for such logs reads it (c2sp.org/tlog-tiles): its tiles and bundles of entries, which never change,
 * then the checkpoint, and the policy by which it is checked. */
#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "site/site_parts.h"
#include "tlog/tiles.h"

#define LOG_MOST ((size_t)64 << 20) /* bytes of a file; none has as many */

/* A file of the league's folder, at the same place below log/ of the site. `forever`: its bytes are always the same, in the log of
 * this name. */
static int put_file(struct site_work *work, const char *from, const char *path, bool forever, struct err *err)
{
    unsigned char key[SITE_KEY];
    struct str bytes = STR_INIT;
    const char *name = league_log_policy(work->site->log)->log[0].key.name;
    int rc = forever ? 0 : file_read(from, LOG_MOST, &bytes, err);
    const struct slice what = forever ? slice_of(name) : slice_str(&bytes);
    crypto_generichash(key, sizeof key, (const unsigned char *)what.p, what.len, NULL, 0);
    const bool wanted = rc == 0 && site_out_begin(work->out, path, key);
    if (wanted && forever)
        rc = file_read(from, LOG_MOST, &bytes, err);
    if (wanted && rc == 0)
        rc = site_out_put(work->out, path, slice_str(&bytes), err);
    str_release(&bytes);
    return rc;
}

static int put_tile(struct site_work *work, int level, int64_t index, int width, struct err *err)
{
    struct str name = STR_INIT, path = STR_INIT;
    tile_path(&name, level, index, width);
    str_addf(&path, LEAGUE_LOG_FOLDER "/%s", name.p);
    char *from = league_path(work->site->league, path.p);
    int rc = put_file(work, from, path.p, true, err);
    free(from);
    str_release(&name);
    str_release(&path);
    return rc;
}

/* Also the partial tiles of earlier checkpoints, as long as there is no full one: somebody may be reading those. */
static int put_partial(struct site_work *work, int level, int64_t index, struct err *err)
{
    struct str name = STR_INIT;
    struct file_names widths;
    tile_path(&name, level, index, 1);
    str_cut(&name, (size_t)(strrchr(name.p, '/') - name.p));
    char *log = league_path(work->site->league, LEAGUE_LOG_FOLDER), *dir = path_join(log, name.p);
    int rc = file_list(dir, &widths, err);
    for (size_t i = 0; rc == 0 && i < widths.count; i++) {
        const int width = (int)strtol(widths.name[i], NULL, 10);
        if (width > 0 && width < TILE_WIDTH)
            rc = put_tile(work, level, index, width, err);
    }
    if (rc == 0)
        file_names_free(&widths);
    free(log);
    free(dir);
    str_release(&name);
    return rc;
}

static int put_level(struct site_work *work, int level, int64_t hashes, struct err *err)
{
    int rc = 0;
    for (int64_t i = 0; rc == 0 && i < hashes / TILE_WIDTH; i++)
        rc = put_tile(work, level, i, TILE_WIDTH, err);
    if (rc == 0 && hashes % TILE_WIDTH)
        rc = put_partial(work, level, hashes / TILE_WIDTH, err);
    return rc;
}

int site_log(struct site_work *work, struct err *err)
{
    const int64_t size = work->site->log ? league_log_size(work->site->log) : 0;
    int rc = size ? put_level(work, TILE_ENTRIES, size, err) : 0;
    for (int level = 0; rc == 0 && size >> (TILE_HEIGHT * level); level++)
        rc = put_level(work, level, size >> (TILE_HEIGHT * level), err);
    if (rc || !size)
        return rc;
    char *checkpoint = league_path(work->site->league, LEAGUE_LOG_FOLDER "/checkpoint");
    char *policy = league_path(work->site->league, LEAGUE_POLICY);
    rc = put_file(work, checkpoint, LEAGUE_LOG_FOLDER "/checkpoint", false, err) ||
                 put_file(work, policy, "league.policy", false, err)
             ? -1
             : 0;
    free(checkpoint);
    free(policy);
    return rc;
}
