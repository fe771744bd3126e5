#include "league/registry_leaving.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "league/registry_asked.h"
#include "league/registry_sealing.h"
#include "mail/mail_id.h"
#include "mail/spool.h"

/* bob, of players/bob.json; NULL of other files. The caller frees. */
static char *document_of(const char *path)
{
    static const char front[] = "players/", end[] = ".json";
    const size_t around = sizeof front - 1 + sizeof end - 1;
    return str_starts(path, front) && str_ends(path, end)
               ? slice_dup(slice_sub(slice_of(path), sizeof front - 1, strlen(path) - around))
               : NULL;
}

struct leaving {
    char *spool;
    struct player player;
    json_t *asked;   /* addresses that they have asked for (league/registry_asked.h) */
    int64_t settled; /* records after this one may still have something to tell them: that they have left */
    struct err *err;
    int rc;
};

static bool has_asked(const json_t *asked, const char *address)
{
    size_t i;
    const json_t *item;
    json_array_foreach (asked, i, item)
        if (strcasecmp(json_string_value(item), address) == 0)
            return true;
    return false;
}

static void drop_mail(void *arg, const struct spool_entry *entry)
{
    struct leaving *leaving = arg;
    struct mail_id id;
    bool last = mail_id_is(&id, entry->id, MAIL_ID_RECORD) && strcmp(id.name, REGISTRY_GAME) == 0 &&
                id.seq > leaving->settled;
    char *to = last || leaving->rc ? NULL : spool_recipient(leaving->spool, entry);
    if (to && (player_has_address(&leaving->player, to) || has_asked(leaving->asked, to)))
        leaving->rc = spool_drop(leaving->spool, entry, leaving->err);
    free(to);
}

static int read_asked(const struct registry_log *log, const char *name, json_t **asked, struct err *err)
{
    struct registry registry;
    int rc = registry_load(log->dir, &registry, err);
    *asked = rc ? NULL : registry_asked(log, &registry, name, err);
    registry_release(&registry);
    return *asked ? 0 : -1;
}

/* Their mails that wait, as long as the file says which these are. */
static int drop_mails(struct registry_log *log, const char *name, struct err *err)
{
    struct err ignored = ERR_INIT; /* the file is gone: this was done before */
    struct leaving leaving = {.spool = path_join(log->dir, "spool"), .settled = log->settled, .err = err};
    if (player_load(log->dir, name, &leaving.player, &ignored) == 0 && file_exists(leaving.spool))
        leaving.rc = read_asked(log, name, &leaving.asked, err) ||
                             spool_each(leaving.spool, drop_mail, &leaving, err) || leaving.rc
                         ? -1
                         : 0;
    json_decref(leaving.asked);
    free(leaving.spool);
    return leaving.rc;
}

static int each_leaver(struct registry_log *log,
                       int (*each)(struct registry_log *log, const char *name, struct err *err),
                       struct err *err)
{
    const char *path;
    json_t *value;
    int rc = 0;
    json_object_foreach (log->files, path, value) {
        char *name = json_is_null(value) ? document_of(path) : NULL;
        if (name && rc == 0)
            rc = each(log, name, err);
        free(name);
    }
    return rc;
}

static int destroy_key(struct registry_log *log, const char *name, struct err *err)
{
    return registry_sealing_destroy(log->dir, name, err);
}

int registry_leaving_mails(struct registry_log *log, struct err *err)
{
    return each_leaver(log, drop_mails, err);
}

int registry_leaving_keys(struct registry_log *log, struct err *err)
{
    return each_leaver(log, destroy_key, err);
}
