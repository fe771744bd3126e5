#include "mail/maildir.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/log.h"
#include "base/mem.h"
#include "mail/nap.h"
#include "base/clock.h"

#define BATCH_BYTES  ((size_t)8 * 1024 * 1024)
#define HEADER_BYTES 65536 /* of an oversize mail */
#define DIR_MODE     0700
#define POLL_MS      1000

struct found {
    char *path; /* "new/name" or "cur/name:2,S" */
    struct timespec time;
    size_t size;
};

struct maildir {
    char *dir;
    size_t max_size;
    struct found *found; /* oldest first; those before `next` are finished */
    size_t count, cap, next;
    char **held; /* sorted base names of mails handed out and not disposed of, and of unreadable ones */
    size_t held_count, held_cap;
    struct str description;
};

static const char *const folder_names[] = {
    [MAIL_PROCESSED] = ".Processed", [MAIL_REJECTED] = ".Rejected", [MAIL_FAILED] = ".Failed"};

/* The part of a file name that never changes. */
static struct slice base_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    struct slice name = slice_of(slash ? slash + 1 : path);
    size_t colon = slice_find(name, ":");
    return colon == (size_t)-1 ? name : slice_sub(name, 0, colon);
}

static int compare_base(struct slice a, const char *b)
{
    size_t b_len = strlen(b);
    int rc = memcmp(a.p, b, a.len < b_len ? a.len : b_len);
    return rc ? rc : (a.len > b_len) - (a.len < b_len);
}

/* The index of the first held name that is not smaller. */
static size_t held_index(const struct maildir *maildir, struct slice base)
{
    size_t low = 0;
    size_t high = maildir->held_count;
    while (low < high) {
        size_t mid = low + (high - low) / 2;
        if (compare_base(base, maildir->held[mid]) > 0)
            low = mid + 1;
        else
            high = mid;
    }
    return low;
}

static bool is_held(const struct maildir *maildir, struct slice base)
{
    size_t i = held_index(maildir, base);
    return i < maildir->held_count && compare_base(base, maildir->held[i]) == 0;
}

static void hold(struct maildir *maildir, struct slice base)
{
    if (is_held(maildir, base))
        return;
    size_t i = held_index(maildir, base);
    maildir->held = mem_grow(maildir->held, maildir->held_count, &maildir->held_cap, sizeof *maildir->held);
    memmove(maildir->held + i + 1, maildir->held + i, (maildir->held_count - i) * sizeof *maildir->held);
    maildir->held[i] = slice_dup(base);
    maildir->held_count++;
}

static void let_go(struct maildir *maildir, struct slice base)
{
    if (!is_held(maildir, base))
        return;
    size_t i = held_index(maildir, base);
    free(maildir->held[i]);
    maildir->held_count--;
    memmove(maildir->held + i, maildir->held + i + 1, (maildir->held_count - i) * sizeof *maildir->held);
}

static void forget_found(struct maildir *maildir)
{
    for (size_t i = 0; i < maildir->count; i++)
        free(maildir->found[i].path);
    maildir->count = maildir->next = 0;
}

static int compare_found(const void *a, const void *b)
{
    const struct found *x = a;
    const struct found *y = b;
    if (x->time.tv_sec != y->time.tv_sec)
        return x->time.tv_sec < y->time.tv_sec ? -1 : 1;
    if (x->time.tv_nsec != y->time.tv_nsec)
        return x->time.tv_nsec < y->time.tv_nsec ? -1 : 1;
    return strcmp(x->path, y->path);
}

static int scan_folder(struct maildir *maildir, const char *folder, struct err *err)
{
    char *dir = path_join(maildir->dir, folder);
    struct file_names names;
    int rc = file_list(dir, &names, err);
    for (size_t i = 0; rc == 0 && i < names.count; i++) {
        struct stat st;
        char *path = path_join(dir, names.name[i]);
        /* Plain files only: a pipe would block, a link could lead anywhere. */
        if (!is_held(maildir, base_of(names.name[i])) && lstat(path, &st) == 0 && S_ISREG(st.st_mode)) {
            maildir->found = mem_grow(maildir->found, maildir->count, &maildir->cap, sizeof *maildir->found);
            maildir->found[maildir->count++] =
                (struct found){path_join(folder, names.name[i]), st.st_mtim, (size_t)st.st_size};
        }
        free(path);
    }
    file_names_free(&names);
    free(dir);
    return rc;
}

static int scan(struct maildir *maildir, struct err *err)
{
    forget_found(maildir);
    if (scan_folder(maildir, "new", err) || scan_folder(maildir, "cur", err))
        return -1;
    if (maildir->count)
        qsort(maildir->found, maildir->count, sizeof *maildir->found, compare_found);
    size_t total = maildir->count + maildir->held_count;
    str_clear(&maildir->description);
    str_addf(&maildir->description, "Maildir %s (%zu %s)", maildir->dir, total,
             total == 1 ? "mail" : "mails");
    return 0;
}

int maildir_open(const char *dir, size_t max_size, struct maildir **out, struct err *err)
{
    char *new = path_join(dir, "new");
    char *cur = path_join(dir, "cur");
    bool both = file_exists(new) && file_exists(cur);
    free(new);
    free(cur);
    if (!both)
        return err_set(err, ERR_CONFIG, "%s is no Maildir: the folders new and cur are missing in it", dir);
    struct maildir *maildir = mem_alloc(sizeof *maildir);
    maildir->dir = mem_strdup(dir);
    maildir->max_size = max_size;
    str_init(&maildir->description);
    if (scan(maildir, err)) {
        maildir_close(maildir);
        return -1;
    }
    *out = maildir;
    return 0;
}

int maildir_create(const char *dir, struct err *err)
{
    static const char *const names[] = {"tmp", "new", "cur"};
    int rc = 0;
    for (size_t i = 0; i < sizeof names / sizeof names[0] && rc == 0; i++) {
        char *path = path_join(dir, names[i]);
        rc = file_mkdirs(path, DIR_MODE, err);
        free(path);
    }
    return rc;
}

/* Where a mail is now: a mail program may have moved it to cur/ or changed its flags. NULL when it is gone.
 */
static char *locate(const struct maildir *maildir, const char *path)
{
    char *full = path_join(maildir->dir, path);
    if (file_exists(full))
        return full;
    free(full);
    struct slice base = base_of(path);
    char *dir = path_join(maildir->dir, "cur");
    struct file_names names;
    struct err ignored = ERR_INIT;
    full = NULL;
    if (file_list(dir, &names, &ignored) == 0) {
        for (size_t i = 0; i < names.count && !full; i++)
            if (base_of(names.name[i]).len == base.len && memcmp(names.name[i], base.p, base.len) == 0)
                full = path_join(dir, names.name[i]);
        file_names_free(&names);
    }
    free(dir);
    return full;
}

/* The header with its empty line, or what there is of it. */
static void cut_body(struct str *raw)
{
    size_t lf = slice_find(slice_str(raw), "\n\n");
    size_t crlf = slice_find(slice_str(raw), "\r\n\r\n");
    if (crlf != (size_t)-1 && (lf == (size_t)-1 || crlf < lf))
        str_cut(raw, crlf + 4);
    else if (lf != (size_t)-1)
        str_cut(raw, lf + 2);
}

static int read_header(const char *full, struct str *raw, struct err *err)
{
    struct err longer = ERR_INIT;
    int fd;
    if (file_open(full, &fd, err))
        return -1;
    /* The file is longer: what was read of it is kept. */
    int rc = file_read_fd(fd, HEADER_BYTES, raw, &longer) != 0 && longer.code != ERR_INPUT
                 ? err_pass(err, &longer)
                 : 0;
    close(fd);
    cut_body(raw);
    return rc;
}

/* 1 and the mail, or 0 when it is gone or cannot be read. */
static int read_mail(struct maildir *maildir, const struct found *found, size_t most, struct incoming *mail)
{
    struct err err = ERR_INIT;
    char *full = locate(maildir, found->path);
    if (!full)
        return 0;
    *mail = (struct incoming){.arrived = (int64_t)found->time.tv_sec, .size = found->size};
    str_init(&mail->raw);
    mail->spared = found->size > most;
    mail->oversize = !mail->spared && found->size > maildir->max_size;
    int rc = mail->spared     ? 0
             : mail->oversize ? read_header(full, &mail->raw, &err)
                              : file_read(full, maildir->max_size, &mail->raw, &err);
    if (rc != 0) {
        if (err.code != ERR_MISSING)
            log_warn("a mail is left where it is: %s", err.text);
        incoming_release(mail);
    } else {
        mail->id = mem_strdup(found->path);
    }
    hold(maildir, base_of(found->path));
    free(full);
    return rc == 0;
}

void maildir_again(struct maildir *maildir)
{
    forget_found(maildir);
    for (size_t i = 0; i < maildir->held_count; i++)
        free(maildir->held[i]);
    maildir->held_count = 0;
}

/* 1: it has become new again, 0: it arrived before `since`, or is no plain file; -1. */
static int take_back_one(const char *dir, const char *old, int64_t since, struct err *err)
{
    struct stat st;
    if (lstat(old, &st) || !S_ISREG(st.st_mode) || st.st_mtim.tv_sec < since)
        return 0;
    struct str new = STR_INIT;
    struct slice base = base_of(old);
    str_addf(&new, "%s/new/%.*s", dir, (int)base.len, base.p);
    int rc = file_exists(new.p)
                 ? err_set(err, ERR_INPUT, "%s is there already; move one of the two away", new.p)
                 : file_rename(old, new.p, err);
    str_release(&new);
    return rc ? -1 : 1;
}

int maildir_take_back(const char *dir, const struct take_back *what, size_t *count, struct err *err)
{
    static const char *const places[] = {"new", "cur"};
    *count = 0;
    for (size_t p = 0; p < sizeof places / sizeof *places; p++) {
        struct str from = STR_INIT;
        struct file_names names = {NULL, 0};
        str_addf(&from, "%s/%s/%s", dir, folder_names[what->from], places[p]);
        int rc = file_exists(from.p) ? file_list(from.p, &names, err) : 0;
        for (size_t i = 0; rc == 0 && i < names.count; i++) {
            char *old = path_join(from.p, names.name[i]);
            int took = take_back_one(dir, old, what->since, err);
            *count += took > 0;
            rc = took < 0 ? -1 : 0;
            free(old);
        }
        file_names_free(&names);
        str_release(&from);
        if (rc)
            return -1;
    }
    return 0;
}

int maildir_fetch(struct maildir *maildir, const struct source_wanted *wanted, struct incoming *mails,
                  size_t *count, struct err *err)
{
    size_t bytes = 0;
    *count = 0;
    if (maildir->next == maildir->count && scan(maildir, err))
        return -1;
    while (*count < wanted->count && maildir->next < maildir->count) {
        const struct found *found = &maildir->found[maildir->next];
        size_t size = found->size > wanted->bytes       ? 0
                      : found->size > maildir->max_size ? HEADER_BYTES
                                                        : found->size;
        if (*count && bytes + size > BATCH_BYTES)
            break;
        maildir->next++;
        if (read_mail(maildir, found, wanted->bytes, &mails[*count])) {
            bytes += size;
            ++*count;
        }
    }
    return 0;
}

/* Moves one mail; never over another one of the same name. */
static int move_mail(struct maildir *maildir, const char *id, const char *folder, struct err *err)
{
    char *from = locate(maildir, id);
    if (!from)
        return 0;
    struct slice name = slice_of(strrchr(from, '/') + 1);
    struct slice base = base_of(from);
    struct str to = STR_INIT;
    for (int n = 0; n == 0 || file_exists(to.p); n++) {
        str_clear(&to);
        str_addf(&to, "%s/%s/cur/%.*s", maildir->dir, folder, (int)base.len, base.p);
        if (n > 0)
            str_addf(&to, ".%d", n);
        str_addslice(&to, base.len < name.len ? slice_sub(name, base.len, name.len) : slice_of(":2,"));
    }
    int rc = file_rename(from, to.p, err);
    str_release(&to);
    free(from);
    return rc;
}

static bool has_failed(const enum disposition *how, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (how[i] == MAIL_FAILED)
            return true;
    return false;
}

int maildir_dispose(struct maildir *maildir, const struct incoming *mails, const enum disposition *how,
                    size_t count, struct err *err)
{
    int rc = 0;
    for (size_t d = 0; d < DISPOSITIONS && count && rc == 0; d++) {
        if (d == MAIL_FAILED && !has_failed(how, count))
            continue;
        char *dir = path_join(maildir->dir, folder_names[d]);
        char *mark = path_join(dir, "maildirfolder"); /* tells Maildir++ programs what the folder is */
        rc = maildir_create(dir, err);
        if (rc == 0 && !file_exists(mark))
            rc = file_create(mark, slice_of(""), 0600, err);
        free(mark);
        free(dir);
    }
    for (size_t i = 0; i < count && rc == 0; i++) {
        rc = move_mail(maildir, mails[i].id, folder_names[how[i]], err);
        if (rc == 0)
            let_go(maildir, base_of(mails[i].id));
    }
    return rc;
}

int maildir_wait(struct maildir *maildir, int seconds, const struct nap_ends *ends, struct err *err)
{
    int64_t end = clock_milliseconds() + (int64_t)seconds * 1000;
    for (;;) {
        if (maildir->next == maildir->count && scan(maildir, err))
            return -1;
        int64_t now = clock_milliseconds();
        if (maildir->next < maildir->count || now >= end)
            return 0;
        if (!nap(now + POLL_MS < end ? now + POLL_MS : end, ends))
            return 0;
    }
}

const char *maildir_describe(const struct maildir *maildir)
{
    return maildir->description.p;
}

void maildir_close(struct maildir *maildir)
{
    if (!maildir)
        return;
    forget_found(maildir);
    free(maildir->found);
    for (size_t i = 0; i < maildir->held_count; i++)
        free(maildir->held[i]);
    free(maildir->held);
    free(maildir->dir);
    str_release(&maildir->description);
    free(maildir);
}
