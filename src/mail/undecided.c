#include "mail/undecided.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/file.h"
#include "base/json.h"
#include "base/mem.h"
#include "mail/illustrate.h"
#include "mail/mail_id.h"
#include "mail/spool_parts.h"

#define FOLDER "chosen"

/* ---- the envelope ---- */

json_t *spool_picture_json(const struct outgoing_picture *picture)
{
    json_t *json = json_object();
    json_object_set_new(json, "digest", json_text(slice_of(picture->digest)));
    json_object_set_new(json, "cid", json_text(slice_str(&picture->cid)));
    json_object_set_new(json, "page", json_text(slice_str(&picture->page)));
    return json;
}

struct outgoing_picture *spool_take_picture(const json_t *json)
{
    const char *digest = json_string_value(json_object_get(json, "digest"));
    const char *cid = json_string_value(json_object_get(json, "cid"));
    const char *page = json_string_value(json_object_get(json, "page"));
    if (!digest || strlen(digest) + 1 != PICTURE_DIGEST || !cid || !page)
        return NULL;
    struct outgoing_picture *picture = outgoing_picture_new();
    memcpy(picture->digest, digest, PICTURE_DIGEST);
    str_adds(&picture->cid, cid);
    str_adds(&picture->page, page);
    return picture;
}

/* ---- which they are ---- */

/* One of new/. One that is damaged has no digest, and so no picture: sending says what is wrong with it. */
static void look(const char *dir, const char *path, struct undecided_list *list)
{
    struct mail_id about;
    struct spool_envelope envelope;
    struct place place;
    struct outgoing mail;
    struct err ignored = ERR_INIT;
    if (!spool_place(path, &place) || mail_id_read(&about, place.id) != MAIL_ID_RECORD ||
        !spool_envelope(dir, path, &envelope))
        return;
    free(envelope.to);
    if (!envelope.undecided)
        return;
    list->list = mem_grow(list->list, list->count, &list->cap, sizeof *list->list);
    struct undecided *one = &list->list[list->count++];
    *one = (struct undecided){.path = mem_strdup(path)};
    if (spool_load(dir, path, &mail, &ignored) == 0 && mail.picture)
        memcpy(one->digest, mail.picture->digest, PICTURE_DIGEST);
    outgoing_release(&mail);
}

int undecided_read(const char *dir, struct undecided_list *list, struct err *err)
{
    struct spool_list all = {.count = 0};
    *list = (struct undecided_list){.count = 0};
    int rc = spool_add_folder(dir, "new", INT64_MAX, &all, err);
    for (size_t i = 0; rc == 0 && i < all.count; i++)
        look(dir, all.path[i], list);
    spool_list_free(&all);
    return rc;
}

void undecided_free(struct undecided_list *list)
{
    for (size_t i = 0; i < list->count; i++)
        free(list->list[i].path);
    free(list->list);
    *list = (struct undecided_list){.count = 0};
}

/* ---- the choice ---- */

void undecided_illustrate(const char *dir, struct undecided *one, struct slice png, struct err *why)
{
    struct outgoing mail;
    struct str shown = STR_INIT;
    one->choice = UNDECIDED_WITHOUT;
    if (spool_load(dir, one->path, &mail, why)) {
        outgoing_release(&mail);
        return;
    }
    struct outgoing_picture *picture = mail.picture;
    mail.picture = NULL;
    if (!picture || !illustrate(&shown, slice_str(&mail.mail),
                                &(struct illustration){slice_str(&picture->page), picture->cid.p, png})) {
        (void)err_set(why, ERR_INPUT, "the mail %s has no place for its picture", mail.id);
    } else {
        str_release(&mail.mail);
        mail.mail = shown;
        str_init(&shown);
        if (spool_write(dir, FOLDER, mail.id, &mail, why) == 0)
            one->choice = UNDECIDED_WITH;
    }
    str_release(&shown);
    outgoing_picture_free(picture);
    outgoing_release(&mail);
}

/* What was promoted or dropped meanwhile is no error. */
static int settle_one(const char *dir, const struct undecided *one, int64_t now, struct err *err)
{
    char *id = spool_id(one->path);
    char *place = path_join(dir, one->path);
    char *chosen = spool_path(dir, FOLDER, id ? id : "", ".eml");
    struct str without = STR_INIT;
    str_addf(&without, "%s/wait/%010" PRId64 ",0,%s.eml", dir, now, id ? id : "");
    int rc =
        one->choice == UNDECIDED_WITH ? spool_move(chosen, place, err) : spool_move(place, without.p, err);
    str_release(&without);
    free(chosen);
    free(place);
    free(id);
    return rc;
}

static void drop_first(struct undecided_list *list, size_t count)
{
    for (size_t i = 0; i < count; i++)
        free(list->list[i].path);
    list->count -= count;
    if (list->count)
        memmove(list->list, list->list + count, list->count * sizeof *list->list);
}

int undecided_settle(const char *dir, struct undecided_list *list, size_t count, int64_t now, struct err *err)
{
    bool with = false;
    for (size_t i = 0; i < count; i++)
        with |= list->list[i].choice == UNDECIDED_WITH;
    int rc = with ? file_sync_all(dir, err) : 0;
    for (size_t i = 0; rc == 0 && i < count; i++)
        rc = settle_one(dir, &list->list[i], now, err);
    if (rc == 0 && count)
        rc = file_sync_all(dir, err);
    if (rc == 0)
        drop_first(list, count);
    return rc;
}

int undecided_recover(const char *dir, struct err *err)
{
    struct file_names names;
    char *folder = path_join(dir, FOLDER);
    int rc = file_list(folder, &names, err);
    for (size_t i = 0; rc == 0 && i < names.count; i++) {
        char *path = path_join(folder, names.name[i]);
        if (file_is_plain(path))
            rc = file_remove(path, err);
        free(path);
    }
    file_names_free(&names);
    free(folder);
    return rc;
}
