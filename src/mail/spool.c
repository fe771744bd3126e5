#include "mail/spool_parts.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/file.h"
#include "base/json.h"
#include "base/mem.h"
#include "base/log.h"
#include "base/utf8.h"
#include "base/version.h"
#include "mail/undecided.h"

#define FILE_MODE   0600
#define DIR_MODE    0700
#define MAIL_MAX    ((size_t)64 * 1024 * 1024)
#define FIRST_DELAY 300
#define LONG_PAUSE  ((int64_t)7 * 86400)
#define WORDS_MAX   1000

char *spool_path(const char *dir, const char *folder, const char *id, const char *ending)
{
    struct str path = STR_INIT;
    str_addf(&path, "%s/%s/%s%s", dir, folder, id, ending);
    return str_detach(&path);
}

int spool_init(const char *dir, struct err *err)
{
    static const char *const folders[] = {"tmp", "chosen", "new", "wait", "digest", "failed"};
    int rc = 0;
    for (size_t i = 0; i < sizeof folders / sizeof folders[0] && rc == 0; i++) {
        char *path = path_join(dir, folders[i]);
        rc = file_mkdirs(path, DIR_MODE, err);
        free(path);
    }
    return rc;
}

/* The name in tmp/, without ".eml". */
static char *staged_name(const struct outgoing *mail)
{
    struct str name = STR_INIT;
    if (mail->player)
        str_addf(&name, "%010" PRId64 ",%s,", mail->due, mail->player);
    str_adds(&name, mail->id);
    return str_detach(&name);
}

/* A run that ended before its commit may have left the same mail. */
static int write_new(const char *dir, const char *folder, const char *name, struct slice text,
                     struct err *err)
{
    char *path = spool_path(dir, folder, name, ".eml");
    int rc = file_exists(path) ? file_remove(path, err) : 0;
    if (rc == 0)
        rc = file_create(path, text, FILE_MODE, err);
    free(path);
    return rc;
}

int spool_write(const char *dir, const char *folder, const char *name, const struct outgoing *mail,
                struct err *err)
{
    struct str text = STR_INIT;
    json_t *envelope = json_object();
    json_object_set_new(envelope, "from", json_text(slice_of(mail->envelope_from)));
    json_object_set_new(envelope, "to", json_text(slice_of(mail->envelope_to)));
    if (mail->gather_count)
        json_object_set_new(envelope, "gathers", spool_gathers_json(mail));
    if (mail->ordered)
        json_object_set_new(envelope, "until", json_integer(mail->until));
    if (mail->past)
        json_object_set_new(envelope, "past", json_integer(mail->past));
    if (mail->picture)
        json_object_set_new(envelope, "picture", spool_picture_json(mail->picture));
    json_write(&text, envelope);
    json_decref(envelope);
    str_addc(&text, '\n');
    str_addslice(&text, slice_str(&mail->mail));
    int rc = write_new(dir, folder, name, slice_str(&text), err);
    str_release(&text);
    return rc;
}

int spool_stage(const char *dir, struct outgoing *mail, struct err *err)
{
    char *name = staged_name(mail);
    int rc = spool_write(dir, "tmp", name, mail, err);
    if (rc == 0)
        mail->state = OUTGOING_STAGED;
    free(name);
    return rc;
}

int spool_unstage(const char *dir, const struct outgoing *mail, struct err *err)
{
    char *name = staged_name(mail);
    char *path = spool_path(dir, "tmp", name, ".eml");
    int rc = file_exists(path) ? file_remove(path, err) : 0;
    free(name);
    free(path);
    return rc;
}

int spool_move(const char *from, const char *to, struct err *err)
{
    struct err mine = ERR_INIT;
    if (file_rename(from, to, &mine) == 0 || mine.code == ERR_MISSING)
        return 0;
    return err_pass(err, &mine);
}

static bool number(struct slice *rest, int64_t *value)
{
    size_t comma = slice_find(*rest, ",");
    if (comma == (size_t)-1 || comma == 0 || comma > 12)
        return false;
    *value = 0;
    for (size_t i = 0; i < comma; i++) {
        if (rest->p[i] < '0' || rest->p[i] > '9')
            return false;
        *value = *value * 10 + (rest->p[i] - '0');
    }
    *rest = slice_sub(*rest, comma + 1, rest->len);
    return true;
}

bool spool_place_waiting(struct slice *from, struct place *place)
{
    struct slice rest = *from;
    if (!number(&rest, &place->due))
        return false;
    size_t comma = slice_find(rest, ",");
    if (comma == (size_t)-1 || comma == 0)
        return false;
    place->player = slice_sub(rest, 0, comma);
    *from = slice_sub(rest, comma + 1, rest.len);
    return true;
}

bool spool_place(const char *path, struct place *place)
{
    struct slice rest = slice_of(path);
    int64_t tries = 0;
    *place = (struct place){0};
    if (!str_ends(path, ".eml"))
        return false;
    rest.len -= strlen(".eml");
    if (slice_starts(rest, "wait/")) {
        rest = slice_sub(rest, strlen("wait/"), rest.len);
        if (!number(&rest, &place->due))
            return false;
        place->alone = slice_starts(rest, "0") && !slice_starts(rest, "0,");
        if (!number(&rest, &tries) || tries > 1000)
            return false;
    } else if (slice_starts(rest, "digest/")) {
        rest = slice_sub(rest, strlen("digest/"), rest.len);
        if (!spool_place_waiting(&rest, place))
            return false;
    } else if (slice_starts(rest, "new/")) {
        rest = slice_sub(rest, strlen("new/"), rest.len);
    } else {
        return false;
    }
    place->tries = (int)tries;
    place->id = rest;
    return rest.len > 0 && slice_find(rest, "/") == (size_t)-1;
}

static int promote(const char *dir, const char *name, bool waits, struct err *err)
{
    char *from = spool_path(dir, "tmp", name, ".eml");
    char *to = spool_path(dir, waits ? "digest" : "new", name, ".eml");
    int rc = spool_move(from, to, err);
    free(from);
    free(to);
    return rc;
}

int spool_promote(const char *dir, const char *id, struct err *err)
{
    return promote(dir, id, false, err);
}

int spool_promote_mail(const char *dir, struct outgoing *mail, struct err *err)
{
    char *name = staged_name(mail);
    int rc = promote(dir, name, mail->player != NULL, err);
    if (rc == 0)
        mail->state = OUTGOING_PROMOTED;
    free(name);
    return rc;
}

/* One file of tmp/, by its name. */
static int recover_one(const char *dir, const char *file,
                       enum spool_record (*record_of)(const char *id, void *arg), void *arg, struct err *err)
{
    enum spool_record record = SPOOL_MISSING;
    int rc = 0;
    char *full = spool_path(dir, "tmp", file, "");
    bool plain = file_is_plain(full);
    if (!plain)
        log_warn("%s is no mail and stays where it is; take it away", full);
    free(full);
    if (!plain)
        return 0;
    if (str_ends(file, ".eml")) {
        char *name = mem_strndup(file, strlen(file) - strlen(".eml"));
        struct slice rest = slice_of(name);
        struct place place = {.due = 0};
        bool waits = spool_place_waiting(&rest, &place);
        record = record_of(waits ? rest.p : name, arg);
        if (record == SPOOL_COMMITTED)
            rc = promote(dir, name, waits, err);
        free(name);
    }
    if (record == SPOOL_MISSING) {
        char *path = spool_path(dir, "tmp", file, "");
        rc = file_remove(path, err);
        free(path);
    }
    return rc;
}

int spool_recover(const char *dir, enum spool_record (*record_of)(const char *id, void *arg), void *arg,
                  struct err *err)
{
    char *tmp = path_join(dir, "tmp");
    struct file_names names;
    int rc = file_list(tmp, &names, err);
    for (size_t i = 0; rc == 0 && i < names.count; i++)
        rc = recover_one(dir, names.name[i], record_of, arg, err);
    file_names_free(&names);
    free(tmp);
    if (rc == 0)
        rc = undecided_recover(dir, err);
    return rc ? rc : spool_recover_gathered(dir, err);
}

char *spool_id(const char *path)
{
    struct place place;
    return spool_place(path, &place) ? slice_dup(place.id) : NULL;
}

static int compare_versions(const void *a, const void *b)
{
    return strverscmp(*(char *const *)a, *(char *const *)b);
}

/* Further ahead than we ever wait: it was written while the clock was wrong. */
bool spool_place_due(const struct place *place, int64_t now)
{
    return place->due <= now || place->due - now > SPOOL_DELAY_MOST;
}

int spool_add_folder(const char *dir, const char *folder, int64_t now, struct spool_list *list,
                     struct err *err)
{
    char *path = path_join(dir, folder);
    struct file_names names;
    int rc = file_list(path, &names, err);
    size_t from = list->count;
    for (size_t i = 0; rc == 0 && i < names.count; i++) {
        struct place place;
        char *name = path_join(folder, names.name[i]);
        if (!spool_place(name, &place) || !spool_place_due(&place, now)) {
            free(name);
            continue;
        }
        list->path = mem_grow(list->path, list->count, &list->cap, sizeof *list->path);
        list->path[list->count++] = name;
    }
    /* "gc-17.9.1" goes before "gc-17.10.1". */
    if (list->count > from)
        qsort(list->path + from, list->count - from, sizeof *list->path, compare_versions);
    file_names_free(&names);
    free(path);
    return rc;
}

int spool_due(const char *dir, int64_t now, struct spool_list *list, struct err *err)
{
    *list = (struct spool_list){0};
    if (spool_add_folder(dir, "new", now, list, err) || spool_add_folder(dir, "wait", now, list, err)) {
        spool_list_free(list);
        return -1;
    }
    return 0;
}

void spool_list_free(struct spool_list *list)
{
    for (size_t i = 0; i < list->count; i++)
        free(list->path[i]);
    free(list->path);
    *list = (struct spool_list){0};
}

/* Other members of the envelope may change how the mail has to be sent. */
static int known_envelope(json_t *envelope, const char *path, struct err *err)
{
    static const char *const members[] = {"from", "to", "gathers", "until", "past", "picture"};
    const char *name;
    json_t *value;
    json_object_foreach (envelope, name, value) {
        size_t i = 0;
        while (i < sizeof members / sizeof *members && strcmp(members[i], name) != 0)
            i++;
        if (i == sizeof members / sizeof *members)
            return version_newer(err, "the spooled mail %s: \"%.40s\" in its envelope", path, name);
    }
    return 0;
}

int spool_load(const char *dir, const char *path, struct outgoing *mail, struct err *err)
{
    struct place place;
    struct str text = STR_INIT;
    json_t *envelope = NULL;
    const char *from;
    const char *to;
    int rc = -1;
    *mail = (struct outgoing)OUTGOING_INIT;
    char *full = path_join(dir, path);
    if (!spool_place(path, &place)) {
        err_set(err, ERR_BROKEN, "%s is not the name of a spooled mail", full);
        goto out;
    }
    if (file_read(full, MAIL_MAX, &text, err))
        goto out;
    struct slice rest = slice_str(&text);
    struct slice line;
    if (!slice_line(&rest, &line)) {
        err_set(err, ERR_BROKEN, "the spooled mail %s is empty", full);
        goto out;
    }
    envelope = json_read(line, full, err);
    if (!envelope || json_need_string(envelope, "from", &from, full, err) ||
        json_need_string(envelope, "to", &to, full, err) || known_envelope(envelope, full, err))
        goto out;
    mail->state = OUTGOING_PROMOTED;
    mail->id = slice_dup(place.id);
    mail->tries = place.tries;
    mail->due = place.due;
    if (place.player.len)
        mail->player = slice_dup(place.player);
    spool_take_gathers(mail, json_object_get(envelope, "gathers"));
    mail->picture = spool_take_picture(json_object_get(envelope, "picture"));
    mail->ordered = json_object_get(envelope, "until") != NULL;
    mail->until = json_integer_value(json_object_get(envelope, "until"));
    mail->past = json_integer_value(json_object_get(envelope, "past"));
    mail->envelope_from = mem_strdup(from);
    mail->envelope_to = mem_strdup(to);
    str_addslice(&mail->mail, rest);
    rc = 0;
out:
    json_decref(envelope);
    str_release(&text);
    free(full);
    return rc;
}

/* The server's words on a mail that is given up after this many tries; 0: it was refused. */
static void why_text(struct str *why, int tries, const char *words)
{
    if (tries)
        str_addf(why, "given up after %d %s: ", tries, tries == 1 ? "try" : "tries");
    utf8_safe(why, slice_sub(slice_of(words ? words : ""), 0, WORDS_MAX), false);
    str_addc(why, '\n');
}

/* failed/<id>.eml, with the server's words beside it. The words are written first, so that they are there as
 * soon as the mail is.
 */
static int give_up(const char *dir, const char *full, const char *id, struct slice why, struct err *err)
{
    char *why_path = spool_path(dir, "failed", id, ".why");
    char *to = spool_path(dir, "failed", id, ".eml");
    int rc = file_write_soft(why_path, why, FILE_MODE, err);
    if (rc == 0)
        rc = spool_move(full, to, err);
    free(why_path);
    free(to);
    return rc;
}

int64_t spool_delay(int tries)
{
    int64_t delay = FIRST_DELAY;
    for (int i = 1; i < tries && delay < SPOOL_DELAY_MOST; i++)
        delay *= 2;
    return delay < SPOOL_DELAY_MOST ? delay : SPOOL_DELAY_MOST;
}

/* wait/<due>,<tries>,<id>.eml */
static void put_waiting(struct str *path, const char *dir, int64_t due, const struct place *place)
{
    str_addf(path, "%s/wait/%010" PRId64 ",%s%d,%.*s.eml", dir, due, place->alone ? "0" : "", place->tries,
             (int)place->id.len, place->id.p);
}

/* True when the mail has been tried for `expire` seconds. Its age counts from the first failed try, which is
 * written into the file's mtime: by the league's clock, which need not be the system's. After a long pause
 * (the host was down, or the clock jumped) it counts from zero again: nothing was tried meanwhile. */
static bool expired(const char *full, const struct place *place, int64_t now, int64_t expire)
{
    struct stat st;
    if (place->tries == 0 || now - place->due > LONG_PAUSE) {
        struct err ignored = ERR_INIT; /* then it is given up by the time of the file as it is */
        if (file_stamp(full, now, &ignored))
            log_debug("%s", ignored.text);
        return expire <= 0;
    }
    return stat(full, &st) == 0 && now - (int64_t)st.st_mtime >= expire;
}

int spool_settle(const char *dir, const char *path, const struct spool_try *one, bool *gave_up,
                 struct err *err)
{
    struct place place;
    *gave_up = false;
    char *full = path_join(dir, path);
    int rc;
    if (!spool_place(path, &place)) {
        rc = err_set(err, ERR_BROKEN, "%s is not the name of a spooled mail", full);
        free(full);
        return rc;
    }
    char *id = slice_dup(place.id);
    int tries = place.tries + 1;
    if (one->fate == SPOOL_SENT || one->fate == SPOOL_DROPPED) {
        rc = file_remove(full, err);
    } else if (one->fate == SPOOL_REFUSED || expired(full, &place, one->now, one->expire)) {
        struct str why = STR_INIT;
        why_text(&why, one->fate == SPOOL_REFUSED ? 0 : tries, one->words);
        rc = give_up(dir, full, id, slice_str(&why), err);
        str_release(&why);
        *gave_up = true;
    } else {
        struct str to = STR_INIT;
        place.tries = tries;
        place.alone = one->fate == SPOOL_LATER_ALONE;
        put_waiting(&to, dir, one->now + spool_delay(tries), &place);
        rc = spool_move(full, to.p, err);
        str_release(&to);
    }
    free(id);
    free(full);
    return rc;
}

#define ENVELOPE_MOST 65536 /* with what it gathers; such a mail is in no row */

bool spool_envelope(const char *dir, const char *path, struct spool_envelope *envelope)
{
    struct err ignored = ERR_INIT;
    char *full = path_join(dir, path);
    FILE *file = fopen(full, "re");
    char *line = NULL;
    size_t cap = 0;
    ssize_t len = file ? getline(&line, &cap, file) : -1;
    json_t *json = len > 0 && len < ENVELOPE_MOST
                       ? json_read(slice_trim((struct slice){line, (size_t)len}), full, &ignored)
                       : NULL;
    const char *to = json_string_value(json_object_get(json, "to"));
    bool good = to != NULL;
    if (good)
        *envelope = (struct spool_envelope){mem_strdup(to), json_object_get(json, "until") != NULL,
                                            json_integer_value(json_object_get(json, "until")),
                                            json_integer_value(json_object_get(json, "past")),
                                            str_starts(path, "new/") && json_object_get(json, "picture")};
    json_decref(json);
    free(line);
    if (file)
        (void)fclose(file);
    free(full);
    return good;
}

/* The server's words stored beside a mail that was given up. */
static void read_why(const char *dir, const char *id, struct str *words)
{
    struct err ignored = ERR_INIT;
    char *path = spool_path(dir, "failed", id, ".why");
    str_clear(words);
    if (file_read(path, WORDS_MAX + 100, words, &ignored))
        str_clear(words);
    str_trim(words);
    free(path);
}

/* Who looks at the spool `dir`. */
struct look {
    const char *dir;
    void (*each)(void *arg, const struct spool_entry *entry);
    void *arg;
};

static int each_in(const struct look *look, const char *folder, enum spool_place where, struct err *err)
{
    struct file_names names;
    struct str words = STR_INIT;
    char *path = path_join(look->dir, folder);
    int rc = file_list(path, &names, err);
    for (size_t i = 0; rc == 0 && i < names.count; i++) {
        struct place place = {.tries = 0};
        char *name = path_join(where == SPOOL_FAILED ? "new" : folder, names.name[i]);
        if (spool_place(name, &place)) {
            char *id = slice_dup(place.id);
            char *player = slice_dup(place.player);
            if (where == SPOOL_FAILED)
                read_why(look->dir, id, &words);
            char *at = path_join(folder, names.name[i]), *full = path_join(look->dir, at);
            struct stat st;
            int64_t since = stat(full, &st) == 0 ? (int64_t)st.st_mtime : 0;
            look->each(look->arg,
                       &(struct spool_entry){where, at, id, place.tries, place.due, player, words.p, since});
            free(full);
            free(at);
            free(id);
            free(player);
        }
        free(name);
    }
    file_names_free(&names);
    free(path);
    str_release(&words);
    return rc;
}

int spool_each(const char *dir, void (*each)(void *arg, const struct spool_entry *entry), void *arg,
               struct err *err)
{
    const struct look look = {dir, each, arg};
    if (each_in(&look, "new", SPOOL_NEW, err) || each_in(&look, "wait", SPOOL_WAITING, err) ||
        each_in(&look, "digest", SPOOL_DIGEST, err))
        return -1;
    return each_in(&look, "failed", SPOOL_FAILED, err);
}

char *spool_recipient(const char *dir, const struct spool_entry *entry)
{
    struct spool_envelope envelope;
    return spool_envelope(dir, entry->path, &envelope) ? envelope.to : NULL;
}

int spool_drop(const char *dir, const struct spool_entry *entry, struct err *err)
{
    char *path = path_join(dir, entry->path);
    char *why = spool_path(dir, "failed", entry->id, ".why");
    int rc = file_remove(path, err);
    if (rc == 0 && entry->place == SPOOL_FAILED)
        rc = file_remove(why, err);
    free(why);
    free(path);
    return rc;
}

int spool_retry(const char *dir, const struct spool_entry *entry, int64_t now, struct err *err)
{
    struct place place;
    struct str to = STR_INIT;
    if (entry->place == SPOOL_WAITING && spool_place(entry->path, &place))
        put_waiting(&to, dir, now, &place);
    else if (entry->place == SPOOL_FAILED)
        str_addf(&to, "%s/new/%s.eml", dir, entry->id);
    else
        return 0;
    char *from = path_join(dir, entry->path);
    char *why = spool_path(dir, "failed", entry->id, ".why");
    int rc = spool_move(from, to.p, err);
    if (rc == 0 && entry->place == SPOOL_FAILED && file_exists(why))
        rc = file_remove(why, err);
    free(from);
    free(why);
    str_release(&to);
    return rc;
}

static int count_mails(const char *dir, const char *folder, size_t *count, struct err *err)
{
    char *path = path_join(dir, folder);
    struct file_names names;
    int rc = file_list(path, &names, err);
    *count = 0;
    for (size_t i = 0; rc == 0 && i < names.count; i++)
        *count += str_ends(names.name[i], ".eml");
    file_names_free(&names);
    free(path);
    return rc;
}

int spool_count(const char *dir, struct spool_counts *counts, struct err *err)
{
    if (count_mails(dir, "new", &counts->waiting, err) || count_mails(dir, "wait", &counts->retrying, err) ||
        count_mails(dir, "digest", &counts->digest, err))
        return -1;
    return count_mails(dir, "failed", &counts->failed, err);
}
