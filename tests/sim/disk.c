/* The disk: every call by which the program, or SQLite for it, changes a file. Each is numbered, and can be the one at which the
 * process dies, or that fails. What was changed and is not synced is remembered with what was there before, so that it can be
 * taken back when the power fails: the last so many changes of those that no sync covers; of what is kept, data at the end of files may
 * be missing. That memory is shared by forked processes: what one has left unsynced, the next one's power failure may take. */
#include "sim/sim.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <sqlite3.h>
#include <stdarg.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define CALL(type, name, args) \
    type __real_##name args;   \
    type __wrap_##name args;
CALL(int, open, (const char *path, int flags, ...))
CALL(ssize_t, write, (int fd, const void *bytes, size_t len))
CALL(ssize_t, pwrite, (int fd, const void *bytes, size_t len, off_t at))
CALL(int, ftruncate, (int fd, off_t len))
CALL(int, rename, (const char *from, const char *to))
CALL(int, unlink, (const char *path))
CALL(int, remove, (const char *path))
CALL(int, rmdir, (const char *path))
CALL(int, mkdir, (const char *path, mode_t mode))
CALL(int, syncfs, (int fd))

struct disk disk;

/* ---- what is not synced ---- */

enum change { CREATED, DATA, CUT, RENAMED, UNLINKED, MADE, UNMADE };
struct undo {
    enum change change;
    bool durable;
    const char *path, *to;
    unsigned stash;      /* 0, or the file in the stash that was replaced or removed */
    ino_t ino;           /* of data: the file, whatever its name is by then */
    off_t at, size;      /* where; the size before */
    size_t len, old_len; /* of the new bytes, and of the old ones in their place */
    const char *old;
};
#define UNDOS ((size_t)1 << 16)
#define ROOM  ((size_t)256 << 20)
static struct unsynced {
    size_t count, used;
    unsigned stashed;
    struct undo undo[UNDOS];
    char room[ROOM];
} * unsynced;
static const char *root;
static dev_t device;

static void *room(const void *bytes, size_t len)
{
    void *at = unsynced->room + unsynced->used;
    unsynced->used += len;
    return memcpy(at, bytes, len);
}

static const char *room_text(const char *text)
{
    return room(text, strlen(text) + 1);
}

static const char *stash_path(unsigned number)
{
    static char path[200];
    (void)snprintf(path, sizeof path, "%s.stash/%u", root, number);
    return path;
}

void disk_forget(void)
{
    if (!unsynced) /* hosts have none of it (hosts.h) */
        return;
    for (size_t i = 0; i < unsynced->count; i++)
        if (unsynced->undo[i].stash)
            (void)__real_unlink(stash_path(unsynced->undo[i].stash));
    unsynced->count = unsynced->used = 0;
}

static struct undo *note(enum change change, size_t bytes)
{
    if (unsynced->count == UNDOS || unsynced->used + bytes + 1000 > ROOM)
        disk_forget(); /* a disk writes by itself what is old */
    struct undo *undo = &unsynced->undo[unsynced->count++];
    *undo = (struct undo){.change = change};
    return undo;
}

/* A second name for what is about to lose its own. */
static unsigned stash(const char *path)
{
    if (access(path, F_OK) != 0)
        return 0;
    unsigned number = ++unsynced->stashed;
    (void)__real_unlink(stash_path(number));
    return link(path, stash_path(number)) == 0 ? number : 0;
}

void disk_open(const char *dir)
{
    struct stat st;
    unsynced = mmap(NULL, sizeof *unsynced, PROT_READ | PROT_WRITE,
                    MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    MUST(unsynced != MAP_FAILED, "no memory");
    root = dir;
    MUST(stat(dir, &st) == 0, "%s cannot be made", dir);
    device = st.st_dev;
    char path[200];
    (void)snprintf(path, sizeof path, "%s.stash", dir);
    (void)__real_mkdir(path, 0700);
    sqlite3_vfs *vfs = sqlite3_vfs_find(NULL);
    const struct {
        const char *name;
        sqlite3_syscall_ptr call;
    } calls[] = {{"open", (sqlite3_syscall_ptr)__wrap_open},
                 {"write", (sqlite3_syscall_ptr)__wrap_write},
                 {"pwrite", (sqlite3_syscall_ptr)__wrap_pwrite},
                 {"pwrite64", (sqlite3_syscall_ptr)__wrap_pwrite},
                 {"ftruncate", (sqlite3_syscall_ptr)__wrap_ftruncate},
                 {"unlink", (sqlite3_syscall_ptr)__wrap_unlink}};
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
        MUST(vfs->xSetSystemCall(vfs, calls[i].name, calls[i].call) == SQLITE_OK, "SQLite has no %s",
             calls[i].name);
}

/* ---- the power fails ---- */

static ino_t wanted;
static char found[300];

static int look(const char *path, const struct stat *st, int kind, struct FTW *at)
{
    (void)at;
    if (kind != FTW_F || st->st_ino != wanted)
        return 0;
    (void)snprintf(found, sizeof found, "%s", path);
    return 1;
}

/* The file, open for writing; -1: it is gone. */
static int open_ino(ino_t ino)
{
    struct stat st;
    if (!*found || stat(found, &st) != 0 || st.st_ino != ino) {
        *found = '\0';
        wanted = ino;
        (void)nftw(root, look, 16, FTW_PHYS);
    }
    return *found ? __real_open(found, O_RDWR | O_CLOEXEC) : -1;
}

/* New bytes at the end of a file have not arrived all. */
static void lose_end(const struct undo *undo)
{
    struct stat st;
    int fd = undo->change == DATA && !undo->durable && undo->at >= undo->size ? open_ino(undo->ino) : -1;
    if (fd >= 0 && fstat(fd, &st) == 0 && st.st_size == undo->at + (off_t)undo->len)
        (void)!__real_ftruncate(fd, undo->at + (off_t)roll(&disk.dice, (unsigned)undo->len + 1));
    if (fd >= 0)
        close(fd);
}

static void take_back(const struct undo *undo)
{
    int fd = -1;
    switch (undo->change) {
    case CREATED: (void)__real_unlink(undo->path); break;
    case DATA:
    case CUT:
        fd = open_ino(undo->ino);
        if (fd >= 0) {
            (void)!__real_ftruncate(fd, undo->size);
            (void)!__real_pwrite(fd, undo->old, undo->old_len, undo->at);
            close(fd);
        }
        break;
    case RENAMED:
        (void)__real_rename(undo->to, undo->path);
        if (undo->stash)
            (void)__real_rename(stash_path(undo->stash), undo->to);
        break;
    case UNLINKED:
        if (undo->stash)
            (void)__real_rename(stash_path(undo->stash), undo->path);
        break;
    case MADE: (void)__real_rmdir(undo->path); break;
    case UNMADE: (void)__real_mkdir(undo->path, 0700); break;
    }
}

static void lose_power(void)
{
    size_t kept = roll(&disk.dice, (unsigned)unsynced->count + 1);
    bool ends = chance(&disk.dice, 500);
    for (size_t i = unsynced->count; i-- > kept;)
        if (!unsynced->undo[i].durable)
            take_back(&unsynced->undo[i]);
    for (size_t i = kept; ends && i-- > 0;)
        if (chance(&disk.dice, 333))
            lose_end(&unsynced->undo[i]);
    disk_forget();
}

/* ---- points ---- */

/* An idle round says when it was, in the catalog and in registry/rounds, and waits for no disk; the site has a lock. */
static void judge_idle(const char *path, int fd)
{
    static const char *const may[] = {"/catalog.sqlite", "/registry/rounds", "/site/.turnpost-site.lock"};
    char name[40], file[300] = "";
    (void)snprintf(name, sizeof name, "/proc/self/fd/%d", fd);
    if (!path && readlink(name, file, sizeof file - 1) > 0)
        path = file;
    for (size_t i = 0; path && i < sizeof may / sizeof *may; i++)
        if (strstr(path, may[i]))
            return;
    RED("an idle round changes %s", path ? path : "a file");
}

/* Is this the call that fails? It is about the file of that name, or one that is open. */
static bool fails(const char *path, int fd)
{
    disk.points++;
    if (disk.mode == DISK_IDLE)
        judge_idle(path, fd);
    if (disk.mode == DISK_DIES && disk.points == disk.chosen) {
        if (disk.power)
            lose_power();
        counted->crashes++;
        counted->lost_power += disk.power;
        sim_leave(DISK_DIED);
    }
    if (disk.mode != DISK_FAILS || disk.points < disk.chosen || (disk.points > disk.chosen && !disk.stays))
        return false;
    disk.failed++;
    errno = disk.error;
    return true;
}

/* Is the next call the one, and does a part of it get done? */
static bool tears(size_t len)
{
    return disk.mode != DISK_GOOD && disk.torn && disk.points + 1 == disk.chosen && len > 1;
}

static bool is_ours(const char *path)
{
    size_t len = root ? strlen(root) : 0;
    return len && strncmp(path, root, len) == 0 && path[len] == '/';
}

static bool is_file(int fd, struct stat *st)
{
    return unsynced && fd > 2 && fstat(fd, st) == 0 && S_ISREG(st->st_mode) && st->st_dev == device;
}

/* Files have the league's time, and no two changes the same. */
static void stamp(int fd)
{
    static long count;
    const struct timespec times[2] = {
        {.tv_nsec = UTIME_OMIT}, {.tv_sec = world.ms / 1000 + world.wrong, .tv_nsec = ++count % 1000000000}};
    (void)futimens(fd, times);
}

/* ---- the calls ---- */

int __wrap_open(const char *path, int flags, ...)
{
    va_list args;
    va_start(args, flags);
    mode_t mode = flags & O_CREAT ? va_arg(args, mode_t) : 0;
    va_end(args);
    bool new = flags &O_CREAT &&is_ours(path) && access(path, F_OK) != 0;
    if (new &&fails(path, -1))
        return -1;
    int fd = __real_open(path, flags, mode);
    if (fd >= 0 && new) {
        struct undo *undo = note(CREATED, 0);
        undo->path = room_text(path);
        stamp(fd);
    }
    return fd;
}

static void note_data(int fd, off_t at, size_t len, const struct stat *st)
{
    char path[40];
    struct undo *undo = note(DATA, len);
    undo->ino = st->st_ino;
    undo->size = st->st_size;
    undo->at = at;
    undo->len = len;
    undo->old = unsynced->room + unsynced->used;
    if (at >= st->st_size)
        return;
    size_t old = (size_t)(st->st_size - at) < len ? (size_t)(st->st_size - at) : len;
    (void)snprintf(path, sizeof path, "/proc/self/fd/%d", fd); /* it may be open for writing alone */
    int again = __real_open(path, O_RDONLY | O_CLOEXEC);
    ssize_t n = pread(again, unsynced->room + unsynced->used, old, at);
    close(again);
    undo->old_len = n > 0 ? (size_t)n : 0;
    unsynced->used += undo->old_len;
}

ssize_t __wrap_write(int fd, const void *bytes, size_t len)
{
    struct stat st;
    if (!is_file(fd, &st))
        return __real_write(fd, bytes, len);
    off_t at = fcntl(fd, F_GETFL) & O_APPEND ? st.st_size : lseek(fd, 0, SEEK_CUR);
    if (tears(len)) {
        size_t part = 1 + roll(&disk.dice, (unsigned)len - 1);
        note_data(fd, at, part, &st);
        (void)!__real_write(fd, bytes, part);
    }
    if (fails(NULL, fd))
        return -1;
    note_data(fd, at, len, &st);
    ssize_t n = __real_write(fd, bytes, len);
    stamp(fd);
    return n;
}

ssize_t __wrap_pwrite(int fd, const void *bytes, size_t len, off_t at)
{
    struct stat st;
    if (!is_file(fd, &st))
        return __real_pwrite(fd, bytes, len, at);
    if (fails(NULL, fd))
        return -1;
    note_data(fd, at, len, &st);
    return __real_pwrite(fd, bytes, len, at);
}

int __wrap_ftruncate(int fd, off_t len)
{
    struct stat st;
    if (!is_file(fd, &st))
        return __real_ftruncate(fd, len);
    if (fails(NULL, fd))
        return -1;
    note_data(fd, len, st.st_size > len ? (size_t)(st.st_size - len) : 0, &st);
    unsynced->undo[unsynced->count - 1].change = CUT;
    return __real_ftruncate(fd, len);
}

int __wrap_rename(const char *from, const char *to)
{
    if (!is_ours(to))
        return __real_rename(from, to);
    if (fails(to, -1))
        return -1;
    unsigned old = stash(to);
    int rc = __real_rename(from, to), error = errno;
    if (rc == 0) {
        struct undo *undo = note(RENAMED, 0);
        undo->path = room_text(from);
        undo->to = room_text(to);
        undo->stash = old;
    }
    errno = error;
    return rc;
}

int __wrap_unlink(const char *path)
{
    if (!is_ours(path) || access(path, F_OK) != 0)
        return __real_unlink(path);
    if (fails(path, -1))
        return -1;
    unsigned old = stash(path);
    int rc = __real_unlink(path), error = errno;
    if (rc == 0) {
        struct undo *undo = note(UNLINKED, 0);
        undo->path = room_text(path);
        undo->stash = old;
    }
    errno = error;
    return rc;
}

static int folder(enum change change, const char *path, int rc)
{
    int error = errno;
    if (rc == 0)
        note(change, 0)->path = room_text(path);
    errno = error;
    return rc;
}

int __wrap_mkdir(const char *path, mode_t mode)
{
    if (!is_ours(path) || access(path, F_OK) == 0)
        return __real_mkdir(path, mode);
    return fails(path, -1) ? -1 : folder(MADE, path, __real_mkdir(path, mode));
}

int __wrap_rmdir(const char *path)
{
    if (!is_ours(path))
        return __real_rmdir(path);
    return fails(path, -1) ? -1 : folder(UNMADE, path, __real_rmdir(path));
}

int __wrap_remove(const char *path)
{
    struct stat st;
    return lstat(path, &st) == 0 && S_ISDIR(st.st_mode) ? __wrap_rmdir(path) : __wrap_unlink(path);
}

/* ---- syncs ---- */

static bool is_in(const char *path, const char *dir, size_t len)
{
    const char *slash = path ? strrchr(path, '/') : NULL;
    return slash && (size_t)(slash - path) == len && strncmp(path, dir, len) == 0;
}

/* In place of the C library's, for SQLite, too. (No real disk is worn.) */
__attribute__((visibility("default"))) int fsync(int fd)
{
    struct stat st;
    char name[40], dir[300];
    if (!unsynced || fstat(fd, &st) != 0)
        return 0;
    MUST(disk.mode != DISK_IDLE, "an idle round syncs");
    if (fails(NULL, fd))
        return -1;
    (void)snprintf(name, sizeof name, "/proc/self/fd/%d", fd);
    ssize_t len = S_ISDIR(st.st_mode) ? readlink(name, dir, sizeof dir) : 0;
    for (size_t i = 0; i < unsynced->count; i++) {
        struct undo *undo = &unsynced->undo[i];
        bool data = undo->change == DATA || undo->change == CUT;
        undo->durable |=
            len > 0 ? !data && (is_in(undo->path, dir, (size_t)len) || is_in(undo->to, dir, (size_t)len))
                    : data && undo->ino == st.st_ino;
    }
    return 0;
}

__attribute__((visibility("default"))) int fdatasync(int fd)
{
    return fsync(fd);
}

int __wrap_syncfs(int fd)
{
    (void)fd;
    if (unsynced && fails(NULL, -1))
        return -1;
    if (unsynced)
        disk_forget();
    return 0;
}

/* ---- for the world itself ---- */

void raw_append(const char *path, struct slice bytes)
{
    int fd = __real_open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
    MUST(__real_write(fd, bytes.p, bytes.len) == (ssize_t)bytes.len, "%s cannot be written", path);
    close(fd);
}

void raw_file(const char *path, struct slice bytes, int64_t time)
{
    const struct timespec times[2] = {{.tv_sec = time}, {.tv_sec = time}};
    int fd = __real_open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    MUST(fd >= 0 && __real_write(fd, bytes.p, bytes.len) == (ssize_t)bytes.len, "%s cannot be written", path);
    (void)futimens(fd, times);
    close(fd);
}
