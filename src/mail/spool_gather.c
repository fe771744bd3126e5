#include "mail/spool_parts.h"

#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/mem.h"
#include "mail/mail_id.h"

/* Mails that wait to be gathered into one, and the mail that replaces them. */

/* By player, then in the order of records. */
static int compare_players(const void *a, const void *b)
{
    const char *left = strchr(*(char *const *)a, ',');
    const char *right = strchr(*(char *const *)b, ',');
    return left && right ? strverscmp(left, right) : 0;
}

int spool_gathered(const char *dir, struct spool_list *list, struct err *err)
{
    *list = (struct spool_list){0};
    if (spool_add_folder(dir, "digest", INT64_MAX, list, err)) {
        spool_list_free(list);
        return -1;
    }
    if (list->count)
        qsort(list->path, list->count, sizeof *list->path, compare_players);
    return 0;
}

bool spool_waits(const char *path, char **player, int64_t *due)
{
    struct place place;
    if (!spool_place(path, &place) || !place.player.len)
        return false;
    *player = slice_dup(place.player);
    *due = place.due;
    return true;
}

int spool_let_go(const char *dir, const char *path, struct err *err)
{
    char *from = path_join(dir, path);
    char *id = spool_id(path);
    char *to = spool_path(dir, "new", id ? id : "", ".eml");
    int rc = id ? spool_move(from, to, err)
                : err_set(err, ERR_BROKEN, "%s is not the name of a spooled mail", from);
    free(from);
    free(id);
    free(to);
    return rc;
}

int spool_gathered_remove(const char *dir, const struct outgoing *mail, struct err *err)
{
    int rc = 0;
    for (size_t i = 0; rc == 0 && i < mail->gather_count; i++) {
        struct place place;
        if (!spool_place(mail->gathers[i], &place) || !place.player.len)
            continue; /* none of ours */
        char *path = path_join(dir, mail->gathers[i]);
        rc = file_remove(path, err);
        free(path);
    }
    return rc;
}

void spool_take_gathers(struct outgoing *mail, const json_t *list)
{
    size_t cap = 0, i;
    const json_t *path;
    json_array_foreach (list, i, path) {
        if (!json_is_string(path))
            continue;
        mail->gathers = mem_grow(mail->gathers, mail->gather_count, &cap, sizeof *mail->gathers);
        mail->gathers[mail->gather_count++] = mem_strdup(json_string_value(path));
    }
}

json_t *spool_gathers_json(const struct outgoing *mail)
{
    json_t *list = json_array();
    for (size_t i = 0; i < mail->gather_count; i++)
        json_array_append_new(list, json_string(mail->gathers[i]));
    return list;
}

/* A damaged one is reported when it is due to be sent. */
static int recover_one(const char *dir, const char *path, struct err *err)
{
    struct outgoing mail;
    struct err why = ERR_INIT;
    int rc = spool_load(dir, path, &mail, &why) == 0 ? spool_gathered_remove(dir, &mail, err) : 0;
    outgoing_release(&mail);
    return rc;
}

int spool_recover_gathered(const char *dir, struct err *err)
{
    struct file_names names;
    char *folder = path_join(dir, "new");
    size_t found = 0;
    int rc = file_list(folder, &names, err);
    for (size_t i = 0; rc == 0 && i < names.count; i++) {
        struct mail_id about;
        char *path = path_join("new", names.name[i]);
        char *id = spool_id(path);
        if (id && mail_id_is(&about, id, MAIL_ID_GATHERS)) {
            if (!found++) /* a worker may have promoted it and died before that was on the disk */
                rc = file_sync_all(dir, err);
            if (rc == 0)
                rc = recover_one(dir, path, err);
        }
        free(id);
        free(path);
    }
    if (rc == 0 && found)
        rc = file_sync_all(dir, err);
    file_names_free(&names);
    free(folder);
    return rc;
}
