#include "base/file.h"

#include <dirent.h>
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/keep.h"
#include "base/mem.h"

#define LOCK_MOST_MS  1000
#define LOCK_PAUSE_MS 20

int file_read_fd(int fd, size_t max, struct str *out, struct err *err)
{
    size_t from = out->len;
    for (;;) {
        if (out->cap - out->len < 2)
            str_reserve(out, 65536);
        ssize_t n = read(fd, out->p + out->len, out->cap - out->len - 1);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return err_sys(err, ERR_IO, "cannot read");
        if (n == 0)
            break;
        out->len += (size_t)n;
        out->p[out->len] = '\0';
        if (out->len - from > max)
            return err_set(err, ERR_INPUT, "larger than the limit of %zu bytes", max);
    }
    return 0;
}

int file_open(const char *path, int *fd, struct err *err)
{
    struct stat st;
    *fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (*fd < 0)
        return err_sys(err, errno == ENOENT ? ERR_MISSING : ERR_IO, "cannot open %s", path);
    if (fstat(*fd, &st) == 0 && S_ISREG(st.st_mode))
        return 0;
    close(*fd);
    *fd = -1;
    return err_set(err, ERR_IO, "%s is not a plain file", path);
}

static int read_and_close(int fd, const char *path, size_t max, struct str *out, struct err *err)
{
    struct stat st;
    int rc = 0;
    if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && st.st_size > 0) {
        if ((uint64_t)st.st_size > max)
            rc = err_set(err, ERR_INPUT, "larger than the limit of %zu bytes", max);
        else
            str_reserve(out, (size_t)st.st_size + 1); /* an empty read marks the end */
    }
    if (rc == 0)
        rc = file_read_fd(fd, max, out, err);
    if (rc)
        err_prefix(err, "%s", path);
    close(fd);
    return rc;
}

int file_read(const char *path, size_t max, struct str *out, struct err *err)
{
    int fd;
    return file_open(path, &fd, err) ? -1 : read_and_close(fd, path, max, out, err);
}

/* Only ours: no other user, and no second name by which another program may write to it. */
static bool is_own(const struct stat *st)
{
    return S_ISREG(st->st_mode) && st->st_nlink == 1 && st->st_uid == geteuid() && !(st->st_mode & 077);
}

int file_read_own(const char *path, size_t max, struct str *out, struct err *err)
{
    struct stat before, after;
    size_t from = out->len;
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY | O_NOFOLLOW);
    if (fd < 0)
        return err_sys(err, errno == ENOENT ? ERR_MISSING : ERR_IO, "cannot open %s", path);
    int rc = 0;
    if (fstat(fd, &before) != 0 || !is_own(&before))
        rc = err_set(err, ERR_IO, "%s is not a file of this user alone", path);
    if (rc == 0 && (uint64_t)before.st_size > max)
        rc = err_set(err, ERR_INPUT, "%s is larger than the limit of %zu bytes", path, max);
    if (rc == 0 && file_read_fd(fd, max, out, err))
        rc = err_prefix(err, "%s", path);
    if (rc == 0 &&
        (fstat(fd, &after) != 0 || (size_t)after.st_size != out->len - from ||
         after.st_mtim.tv_sec != before.st_mtim.tv_sec || after.st_mtim.tv_nsec != before.st_mtim.tv_nsec))
        rc = err_set(err, ERR_IO, "%s was changed while it was read", path);
    close(fd);
    return rc;
}

/* Opening a pipe waits for whoever writes into it, and so does reading it while there is nobody. Its first byte goes to `out`. */
static int writer_comes(int fd, const char *path, struct str *out, struct err *err)
{
    for (int waited = 0; waited < FILE_PATIENCE * 1000; waited += LOCK_PAUSE_MS) {
        char byte;
        ssize_t n = read(fd, &byte, 1);
        if (n == 1)
            str_addc(out, byte);
        if (n == 1 || (n < 0 && errno == EAGAIN)) /* there is one, who has written nothing so far */
            return 0;
        struct pollfd one = {fd, POLLIN, 0};
        if (poll(&one, 1, LOCK_PAUSE_MS) > 0 && one.revents & POLLHUP && !(one.revents & POLLIN))
            return 0; /* has come, and gone */
    }
    return err_set(err, ERR_IO, "%s is a pipe into which nobody writes", path);
}

int file_read_named(const char *path, size_t max, struct str *out, struct err *err)
{
    struct stat st;
    int rc = 0, fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (fd < 0)
        return err_sys(err, errno == ENOENT ? ERR_MISSING : ERR_IO, "cannot open %s", path);
    if (fstat(fd, &st) == 0 && S_ISFIFO(st.st_mode))
        rc = writer_comes(fd, path, out, err);
    if (rc == 0 && fcntl(fd, F_SETFL, 0) != 0)
        rc = err_sys(err, ERR_IO, "cannot read %s", path);
    if (rc) {
        close(fd);
        return rc;
    }
    return read_and_close(fd, path, max, out, err);
}

static int write_all(int fd, struct slice bytes)
{
    while (bytes.len) {
        ssize_t n = write(fd, bytes.p, bytes.len);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return -1;
        bytes = slice_sub(bytes, (size_t)n, bytes.len);
    }
    return 0;
}

static int sync_parent(const char *path)
{
    char *dir = mem_strdup(path);
    char *slash = strrchr(dir, '/');
    if (slash)
        *(slash == dir ? slash + 1 : slash) = '\0';
    int fd = open(slash ? dir : ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    free(dir);
    if (fd < 0)
        return -1;
    int rc = fsync(fd);
    int saved = errno;
    close(fd);
    errno = saved;
    return rc;
}

enum write_how {
    WRITE_STALE = 1,  /* an older one of that name is removed: a temporary file left by a crash */
    WRITE_DURABLE = 2 /* with fsync */
};

/* Writes a new file, never through a link put there by somebody else; removes a half-written one. */
static int write_new(const char *path, struct slice bytes, mode_t mode, unsigned how, struct err *err)
{
    const int flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC;
    int fd = open(path, flags, mode);
    if (fd < 0 && errno == EEXIST && (how & WRITE_STALE) && unlink(path) == 0)
        fd = open(path, flags, mode);
    if (fd < 0)
        return err_sys(err, ERR_IO, "cannot create %s", path);
    if (write_all(fd, bytes) != 0) {
        err_sys(err, ERR_IO, "cannot write %s", path);
        goto fail;
    }
    if ((how & WRITE_DURABLE) && fsync(fd) != 0) {
        err_sys(err, ERR_IO, "cannot sync %s", path);
        goto fail;
    }
    if (close(fd) != 0) {
        err_sys(err, ERR_IO, "cannot close %s", path);
        fd = -1;
        goto fail;
    }
    return 0;
fail:
    if (fd >= 0)
        close(fd);
    (void)unlink(path);
    return -1;
}

static int replace(const char *path, struct slice bytes, mode_t mode, bool durable, struct err *err)
{
    struct str temp = STR_INIT;
    str_addf(&temp, "%s.tmp", path);
    int rc = write_new(temp.p, bytes, mode, WRITE_STALE | (durable ? WRITE_DURABLE : 0), err);
    if (rc == 0 && rename(temp.p, path) != 0) {
        rc = err_sys(err, ERR_IO, "cannot rename %s to %s", temp.p, path);
        (void)unlink(temp.p);
    }
    if (rc == 0 && durable && sync_parent(path) != 0)
        rc = err_sys(err, ERR_IO, "cannot sync the folder of %s", path);
    str_release(&temp);
    return rc;
}

/* Tells the keeper, if there is one and something has changed (rc 0). Returns rc. */
static int changed(int rc, enum keep_kind kind, const char *path, int64_t at)
{
    const struct keep_change change = {.kind = kind, .path = path, .at = at};
    keep_end(rc == 0 ? &change : NULL);
    return rc;
}

int file_write(const char *path, struct slice bytes, mode_t mode, struct err *err)
{
    keep_begin();
    int rc = changed(replace(path, bytes, mode, true, err), KEEP_WRITTEN, path, 0);
    return rc == 0 && keep_has(path) ? keep_sync(err) : rc;
}

int file_write_soft(const char *path, struct slice bytes, mode_t mode, struct err *err)
{
    keep_begin();
    return changed(replace(path, bytes, mode, false, err), KEEP_WRITTEN, path, 0);
}

int file_create(const char *path, struct slice bytes, mode_t mode, struct err *err)
{
    keep_begin();
    return changed(write_new(path, bytes, mode, 0, err), KEEP_WRITTEN, path, 0);
}

static int overwrite(const char *path, struct slice bytes, mode_t mode, struct err *err)
{
    /* Writing to a pipe without a reader is an error. */
    int fd = open(path, O_WRONLY | O_CREAT | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK, mode);
    if (fd < 0)
        return err_sys(err, ERR_IO, "cannot open %s", path);
    int rc = 0;
    if (write_all(fd, bytes) != 0 || ftruncate(fd, (off_t)bytes.len) != 0)
        rc = err_sys(err, ERR_IO, "cannot write %s", path);
    if (close(fd) != 0 && rc == 0)
        rc = err_sys(err, ERR_IO, "cannot close %s", path);
    if (rc)
        (void)unlink(path);
    return rc;
}

int file_overwrite(const char *path, struct slice bytes, mode_t mode, struct err *err)
{
    keep_begin();
    int rc = overwrite(path, bytes, mode, err);
    (void)changed(0, file_exists(path) ? KEEP_WRITTEN : KEEP_REMOVED, path, 0); /* after an error either */
    return rc;
}

static int read_end(int fd, struct file_end *end)
{
    struct stat st;
    if (fstat(fd, &st) != 0)
        return -1;
    errno = EINVAL;
    if (!S_ISREG(st.st_mode))
        return -1;
    end->size = st.st_size;
    end->count = st.st_size > FILE_END ? FILE_END : (size_t)st.st_size;
    return pread(fd, end->bytes, end->count, st.st_size - (off_t)end->count) == (ssize_t)end->count ? 0 : -1;
}

static bool always(const struct file_end *end, int64_t arg)
{
    (void)end;
    (void)arg;
    return true;
}

int file_append(const char *path, struct slice bytes, mode_t mode, struct err *err)
{
    struct file_condition none = {.fits = always};
    return file_append_if(path, bytes, mode, &none, err);
}

static int append_if(const char *path, struct slice bytes, mode_t mode, struct file_condition *condition,
                     struct err *err)
{
    int fd = open(path, O_RDWR | O_APPEND | (mode ? O_CREAT : 0) | O_CLOEXEC, mode);
    if (fd < 0)
        return err_sys(err, ERR_IO, "cannot open %s", path);
    int rc = 0;
    struct file_end end;
    if (read_end(fd, &end) != 0) {
        rc = err_sys(err, ERR_IO, "cannot examine %s", path);
    } else if (condition->fits(&end, condition->arg)) {
        condition->fitted = true;
        condition->before = end.size;
        if (write_all(fd, bytes) != 0) {
            rc = err_sys(err, ERR_IO, "cannot append to %s", path);
            if (ftruncate(fd, (off_t)end.size) != 0)
                rc = err_sys(err, ERR_IO, "cannot cut %s back", path);
        }
    }
    if (close(fd) != 0 && rc == 0)
        rc = err_sys(err, ERR_IO, "cannot close %s", path);
    return rc;
}

int file_append_if(const char *path, struct slice bytes, mode_t mode, struct file_condition *condition,
                   struct err *err)
{
    condition->fitted = false;
    keep_begin();
    int rc = append_if(path, bytes, mode, condition, err);
    (void)changed(condition->fitted ? 0 : -1, KEEP_APPENDED, path, condition->before);
    return rc;
}

static int truncate_to(const char *path, int64_t length, struct err *err)
{
    int fd = open(path, O_WRONLY | O_CLOEXEC);
    if (fd < 0)
        return err_sys(err, ERR_IO, "cannot open %s", path);
    int rc = 0;
    if (ftruncate(fd, (off_t)length) != 0 || fsync(fd) != 0)
        rc = err_sys(err, ERR_IO, "cannot cut %s to %lld bytes", path, (long long)length);
    close(fd);
    return rc;
}

int file_truncate(const char *path, int64_t length, struct err *err)
{
    keep_begin();
    int rc = changed(truncate_to(path, length, err), KEEP_CUT, path, length);
    return rc == 0 && keep_has(path) ? keep_sync(err) : rc;
}

int file_make_private(const char *path, struct err *err)
{
    struct stat st;
    if (stat(path, &st) != 0)
        return err_sys(err, errno == ENOENT ? ERR_MISSING : ERR_IO, "cannot look at %s", path);
    if (!(st.st_mode & 077))
        return 0;
    keep_begin();
    int rc = chmod(path, st.st_mode & 0700) == 0 ? 0 : err_sys(err, ERR_IO, "cannot make %s private", path);
    return changed(rc, KEEP_WRITTEN, path, 0);
}

int file_stamp(const char *path, int64_t time, struct err *err)
{
    const struct timespec times[2] = {{.tv_nsec = UTIME_OMIT}, {.tv_sec = (time_t)time}};
    keep_begin();
    int rc = utimensat(AT_FDCWD, path, times, 0) == 0
                 ? 0
                 : err_sys(err, ERR_IO, "cannot set the time of %s", path);
    return changed(rc, KEEP_WRITTEN, path, 0);
}

int file_rename(const char *from, const char *to, struct err *err)
{
    keep_begin();
    int rc = rename(from, to) == 0
                 ? 0
                 : err_sys(err, errno == ENOENT ? ERR_MISSING : ERR_IO, "cannot rename %s to %s", from, to);
    keep_end(rc == 0 ? &(struct keep_change){KEEP_RENAMED, from, to, 0} : NULL);
    return rc;
}

int file_remove(const char *path, struct err *err)
{
    keep_begin();
    int rc = unlink(path);
    bool gone = rc != 0 && errno == ENOENT;
    if (rc != 0 && !gone)
        err_sys(err, ERR_IO, "cannot remove %s", path);
    (void)changed(rc, KEEP_REMOVED, path, 0);
    return gone ? 0 : rc;
}

/* File systems that are durable. */
struct synced {
    dev_t device[FILE_SYNC_MOST];
    size_t count;
};

static bool is_synced(const struct synced *synced, dev_t device)
{
    for (size_t i = 0; i < synced->count; i++)
        if (synced->device[i] == device)
            return true;
    return false;
}

static int sync_one(const char *path, struct synced *synced, struct err *err)
{
    struct stat st;
    int rc = 0;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return err_sys(err, ERR_IO, "cannot open %s", path);
    if (fstat(fd, &st) != 0)
        rc = err_sys(err, ERR_IO, "cannot look at %s", path);
    else if (!is_synced(synced, st.st_dev)) {
        if (syncfs(fd) != 0)
            rc = err_sys(err, ERR_IO, "cannot sync the file system of %s", path);
        synced->device[synced->count++] = st.st_dev;
    }
    close(fd);
    return rc;
}

int file_sync_each(const char *const *paths, size_t count, struct err *err)
{
    struct synced synced = {.count = 0};
    int rc = 0;
    assert(count <= FILE_SYNC_MOST);
    bool kept = false;
    for (size_t i = 0; rc == 0 && i < count; i++)
        if (keep_has(paths[i]))
            kept = true;
        else
            rc = sync_one(paths[i], &synced, err);
    return rc == 0 && kept ? keep_sync(err) : rc;
}

int file_sync_all(const char *path, struct err *err)
{
    return file_sync_each(&path, 1, err);
}

int file_mkdirs(const char *path, mode_t mode, struct err *err)
{
    char *copy = mem_strdup(path);
    int rc = 0;
    for (char *p = copy + 1; rc == 0; p++) {
        if (*p != '/' && *p != '\0')
            continue;
        char saved = *p;
        *p = '\0';
        if (mkdir(copy, mode) != 0 && errno != EEXIST)
            rc = err_sys(err, ERR_IO, "cannot create folder %s", copy);
        *p = saved;
        if (!saved)
            break;
    }
    free(copy);
    return rc;
}

bool file_is_plain(const char *path)
{
    struct stat st;
    return stat(path, &st) == 0 && S_ISREG(st.st_mode);
}

bool file_exists(const char *path)
{
    struct stat st;
    return stat(path, &st) == 0;
}

int64_t file_size(const char *path)
{
    struct stat st;
    return stat(path, &st) == 0 ? (int64_t)st.st_size : -1;
}

static int compare_names(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

void file_names_sort(struct file_names *names)
{
    if (names->count)
        qsort(names->name, names->count, sizeof *names->name, compare_names);
}

int file_list(const char *path, struct file_names *names, struct err *err)
{
    size_t cap = 0;
    *names = (struct file_names){NULL, 0};
    DIR *dir = opendir(path);
    if (!dir)
        return errno == ENOENT ? 0 : err_sys(err, ERR_IO, "cannot list %s", path);
    const struct dirent *entry;
    errno = 0;
    while ((entry = readdir(dir))) {
        if (entry->d_name[0] == '.')
            continue;
        names->name = mem_grow(names->name, names->count, &cap, sizeof *names->name);
        names->name[names->count++] = mem_strdup(entry->d_name);
    }
    int rc = errno ? err_sys(err, ERR_IO, "cannot list %s", path) : 0;
    closedir(dir);
    file_names_sort(names);
    if (rc)
        file_names_free(names);
    return rc;
}

void file_names_free(struct file_names *names)
{
    for (size_t i = 0; i < names->count; i++)
        free(names->name[i]);
    free(names->name);
    *names = (struct file_names){NULL, 0};
}

/* The holder may be about to exit, or may just have been killed. */
static bool lock_soon(int fd)
{
    const struct timespec pause = {0, LOCK_PAUSE_MS * 1000000L};
    for (int ms = 0; flock(fd, LOCK_EX | LOCK_NB) != 0; ms += LOCK_PAUSE_MS) {
        if (ms >= LOCK_MOST_MS)
            return false;
        (void)nanosleep(&pause, NULL);
    }
    return true;
}

int file_lock(const char *path, int *fd, struct err *err)
{
    int lock = open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (lock < 0)
        return err_sys(err, ERR_IO, "cannot open %s", path);
    char text[32] = "";
    if (!lock_soon(lock)) {
        ssize_t n = read(lock, text, sizeof text - 1);
        text[n > 0 ? n : 0] = '\0';
        err_set(err, ERR_TEMP,
                "another turnpost (process %s) works on this league: %s is locked; wait for it to end",
                text[0] ? text : "unknown", path);
        close(lock);
        return -1;
    }
    /* The process number is for people only; the lock itself does not depend on it. */
    int len = snprintf(text, sizeof text, "%ld", (long)getpid());
    if (ftruncate(lock, 0) != 0 || pwrite(lock, text, (size_t)len, 0) < 0)
        err_clear(err);
    *fd = lock;
    return 0;
}

char *path_join(const char *dir, const char *name)
{
    struct str path = STR_INIT;
    str_addf(&path, "%s/%s", dir, name);
    return str_detach(&path);
}

bool name_valid(struct slice name)
{
    if (name.len < 1 || name.len > 32)
        return false;
    for (size_t i = 0; i < name.len; i++) {
        char c = name.p[i];
        bool letter = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
        bool mark = c == '.' || c == '_' || c == '-';
        if (!letter && !(mark && i > 0))
            return false;
    }
    return slice_find(name, "..") == (size_t)-1;
}
