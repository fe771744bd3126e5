#include "batch/digest.h"

#include <stdlib.h>
#include <string.h>

#include "base/date.h"
#include "base/log.h"
#include "base/mem.h"

#define FAR_AHEAD  (2 * DAY_SECONDS)   /* no digest is this far away, unless a clock was wrong */
#define MAILS_MOST 40                  /* in one digest; the others make another */
#define BYTES_MOST ((size_t)512 << 10) /* what a program that reads mails may take, ours included */

/* ---- gathering ---- */

/* The mails of one player, loaded. */
struct bundle {
    struct outgoing *mails;
    char **paths;
    size_t count, cap, path_cap, bytes;
};

static void bundle_clear(struct bundle *bundle)
{
    for (size_t i = 0; i < bundle->count; i++) {
        outgoing_release(&bundle->mails[i]);
        free(bundle->paths[i]);
    }
    bundle->count = bundle->bytes = 0;
}

/* An unreadable one is sent on its own: sending reports what is wrong with it. */
static int bundle_add(struct bundle *bundle, const char *spool, const char *path, struct err *err)
{
    struct outgoing mail;
    struct err why = ERR_INIT;
    if (spool_load(spool, path, &mail, &why)) {
        outgoing_release(&mail);
        if (why.code == ERR_MISSING)
            return 0;
        if (why.code == ERR_BROKEN || why.code == ERR_INPUT)
            return spool_let_go(spool, path, err);
        if (why.code == ERR_NEWER || why.code == ERR_IO) {
            log_error("%s; it waits on, the others leave", why.text);
            return 0;
        }
        return err_pass(err, &why);
    }
    size_t count = bundle->count;
    bundle->mails = mem_grow(bundle->mails, count, &bundle->cap, sizeof *bundle->mails);
    bundle->paths = mem_grow(bundle->paths, count, &bundle->path_cap, sizeof *bundle->paths);
    bundle->mails[count] = mail;
    bundle->paths[count] = mem_strdup(path);
    bundle->bytes += mail.mail.len;
    bundle->count++;
    return 0;
}

/* The mails that this round makes. */
struct round {
    struct batch *batch;
    struct outgoing *made;
    size_t count, cap;
};

static int let_bundle_go(const char *spool, const struct bundle *bundle, struct err *err)
{
    int rc = 0;
    for (size_t i = 0; rc == 0 && i < bundle->count; i++)
        rc = spool_let_go(spool, bundle->paths[i], err);
    return rc;
}

/* The digest takes ownership of the bundle's paths. */
static int stage(struct round *round, struct bundle *bundle, struct outgoing *mail, struct err *err)
{
    mail->gathers = mem_array(bundle->count, sizeof *mail->gathers);
    mail->gather_count = bundle->count;
    for (size_t i = 0; i < bundle->count; i++)
        mail->gathers[i] = mem_strdup(bundle->paths[i]);
    round->made = mem_grow(round->made, round->count, &round->cap, sizeof *round->made);
    round->made[round->count++] = *mail;
    return spool_stage(round->batch->spool, mail, err);
}

/* One digest of what is in the bundle, which is empty afterwards. A single mail is sent as it is, unless its
 * player has another address by now. */
static int gather(struct round *round, const struct player *player, struct bundle *bundle, struct err *err)
{
    struct batch *batch = round->batch;
    struct letters letters = batch_letters(batch);
    const struct letters_gathered gathered = {player, bundle->mails, bundle->count};
    struct outgoing mail;
    struct err why = ERR_INIT;
    int rc = 0;
    if (bundle->count == 1 && strcmp(bundle->mails[0].envelope_to, player->address) == 0) {
        rc = let_bundle_go(batch->spool, bundle, err);
    } else if (bundle->count > 0 && letters_gather(&letters, &gathered, &mail, &why) == 0) {
        rc = stage(round, bundle, &mail, err);
    } else if (bundle->count > 0) {
        log_error("no digest for %s, the mails leave one by one: %s", player->name, why.text);
        rc = let_bundle_go(batch->spool, bundle, err);
    }
    bundle_clear(bundle);
    return rc;
}

/* All mails of one player. */
static int gather_all(struct round *round, const struct player *player, char **paths, size_t count,
                      struct err *err)
{
    struct bundle bundle = {.count = 0};
    int rc = 0;
    for (size_t i = 0; rc == 0 && i < count; i++) {
        if (bundle.count >= MAILS_MOST || bundle.bytes >= BYTES_MOST)
            rc = gather(round, player, &bundle, err);
        if (rc == 0)
            rc = bundle_add(&bundle, round->batch->spool, paths[i], err);
    }
    if (rc == 0)
        rc = gather(round, player, &bundle, err);
    bundle_clear(&bundle);
    free(bundle.mails);
    free(bundle.paths);
    return rc;
}

/* They are sent one by one: the player no longer wants digests, or is no longer a player. */
static int let_go(struct round *round, const struct player *player, char **paths, size_t count,
                  struct err *err)
{
    int rc = 0;
    for (size_t i = 0; rc == 0 && i < count; i++)
        rc = player ? gather_all(round, player, paths + i, 1, err)
                    : spool_let_go(round->batch->spool, paths[i], err);
    return rc;
}

/* The staged digests replace what they gather. */
static int replace(struct round *round, struct err *err)
{
    const char *spool = round->batch->spool;
    int rc = 0;
    if (round->count == 0)
        return 0;
    rc = file_sync_all(spool, err);
    for (size_t i = 0; rc == 0 && i < round->count; i++)
        rc = spool_promote_mail(spool, &round->made[i], err);
    if (rc == 0)
        rc = file_sync_all(spool, err);
    for (size_t i = 0; rc == 0 && i < round->count; i++)
        rc = spool_gathered_remove(spool, &round->made[i], err);
    return rc ? rc : file_sync_all(spool, err);
}

/* ---- due ---- */

static bool is_due(int64_t due, int64_t now)
{
    return due <= now || due - now > FAR_AHEAD;
}

/* The mails from `from` on that belong to the same player; *due is the earliest of their times. */
static size_t run_of(const struct spool_list *list, size_t from, int64_t now, char **player, bool *due)
{
    size_t count = 0;
    *player = NULL;
    *due = false;
    for (size_t i = from; i < list->count; i++) {
        char *name = NULL;
        int64_t at = 0;
        bool same = spool_waits(list->path[i], &name, &at) && (!*player || strcmp(*player, name) == 0);
        if (!*player)
            *player = name;
        else
            free(name);
        if (!same)
            break;
        *due |= is_due(at, now);
        count++;
    }
    return count;
}

static int send_listed(struct round *round, const struct spool_list *list, struct err *err)
{
    int rc = 0;
    for (size_t i = 0, count; rc == 0 && i < list->count; i += count) {
        char *name;
        bool due;
        count = run_of(list, i, round->batch->now, &name, &due);
        const struct player *player = name ? registry_find(&round->batch->registry, name) : NULL;
        if (!player || !player->digest)
            rc = let_go(round, player, list->path + i, count, err);
        else if (due)
            rc = gather_all(round, player, list->path + i, count, err);
        free(name);
    }
    return rc;
}

int digest_send(struct batch *batch, struct err *err)
{
    struct round round = {.batch = batch};
    struct spool_list list;
    if (spool_gathered(batch->spool, &list, err))
        return -1;
    bool any = list.count > 0;
    spool_list_free(&list);
    if (!any)
        return 0;
    /* What a round that was cut short in this process has left. */
    if (spool_recover_gathered(batch->spool, err) || spool_gathered(batch->spool, &list, err))
        return -1;
    int rc = send_listed(&round, &list, err);
    if (rc == 0)
        rc = replace(&round, err);
    for (size_t i = 0; i < round.count; i++)
        outgoing_release(&round.made[i]);
    free(round.made);
    spool_list_free(&list);
    return rc;
}

int digest_due(const char *spool, int64_t *due, struct err *err)
{
    struct spool_list list;
    *due = 0;
    if (spool_gathered(spool, &list, err))
        return -1;
    for (size_t i = 0; i < list.count; i++) {
        char *name = NULL;
        int64_t at = 0;
        if (spool_waits(list.path[i], &name, &at) && (!*due || at < *due))
            *due = at;
        free(name);
    }
    spool_list_free(&list);
    return 0;
}
