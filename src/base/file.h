/* Files. Everything that changes a disk goes through these few functions, by plain system calls, so that
 * the fault tests can number, kill and fail every one of them (tests/faults).
 *
 * "Durable" means: after the function has returned 0, a power cut does not lose it. Of what a keeper keeps
 * (base/keep.h) it means that the keeper has it; the file here is then no more than a copy. */
#ifndef BASE_FILE_H
#define BASE_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/err.h"
#include "base/str.h"

/* Opens a file for reading that was found in a folder: a pipe, a device or a folder in its place is refused
 * instead of blocking us. ERR_MISSING when it does not exist. */
int file_open(const char *path, int *fd, struct err *err) __attribute__((warn_unused_result));
/* Appends the whole of such a file to `out`. ERR_INPUT when it is larger than `max`. */
int file_read(const char *path, size_t max, struct str *out, struct err *err)
    __attribute__((warn_unused_result));
/* As file_read, of what only this user can have put there: a regular file with one name that is no link, owned
 * by the process's user, which nobody else may read or write, and which is not changed while it is read. */
int file_read_own(const char *path, size_t max, struct str *out, struct err *err)
    __attribute__((warn_unused_result));
/* As file_read, for files named on the command line: these may be pipes, if somebody writes into them within
 * FILE_PATIENCE seconds. */
#define FILE_PATIENCE 3
int file_read_named(const char *path, size_t max, struct str *out, struct err *err)
    __attribute__((warn_unused_result));
/* Reads all of an open descriptor (a pipe, standard input), at most `max` bytes. ERR_INPUT when there are more;
 * `out` holds the first of them then, somewhat more than `max`. */
int file_read_fd(int fd, size_t max, struct str *out, struct err *err) __attribute__((warn_unused_result));
/* Writes `path` as a whole: temporary file beside it (path.tmp, always a new file, never through a link; one
 * left by a crash is removed), fsync, rename, fsync of the folder. Durable. */
int file_write(const char *path, struct slice bytes, mode_t mode, struct err *err)
    __attribute__((warn_unused_result));
/* As file_write without any sync: for caches, and for files that a later syncfs makes durable. */
int file_write_soft(const char *path, struct slice bytes, mode_t mode, struct err *err)
    __attribute__((warn_unused_result));
/* Writes a file that must not exist yet, without sync. */
int file_create(const char *path, struct slice bytes, mode_t mode, struct err *err)
    __attribute__((warn_unused_result));
/* Without sync and in place, so that a reader or a crash may find half of either: for files that are verified
 * when read and can be made again. Costs a tenth of file_write_soft. On failure the file is removed. */
int file_overwrite(const char *path, struct slice bytes, mode_t mode, struct err *err)
    __attribute__((warn_unused_result));
/* Appends without sync; on failure the file is cut back to its former length. */
int file_append(const char *path, struct slice bytes, mode_t mode, struct err *err)
    __attribute__((warn_unused_result));
/* The same, but only if the end of the file is as expected; otherwise nothing is written. Mode 0: the file
 * must be there. */
#define FILE_END 32
struct file_end {
    int64_t size; /* size of the file, 0 = there was none */
    char bytes[FILE_END];
    size_t count; /* how many of those bytes, the last ones, are given here */
};
struct file_condition {
    bool (*fits)(const struct file_end *end, int64_t arg);
    int64_t arg;
    bool fitted;    /* its answer; false when it was not called */
    int64_t before; /* where it fitted: the size before */
};
int file_append_if(const char *path, struct slice bytes, mode_t mode, struct file_condition *condition,
                   struct err *err) __attribute__((warn_unused_result));
int file_truncate(const char *path, int64_t length, struct err *err)
    __attribute__((warn_unused_result)); /* with fsync */
/* Removes other users' permission to read it, if they have it. */
int file_make_private(const char *path, struct err *err) __attribute__((warn_unused_result));
/* Sets the time of its last change, seconds since 1970. */
int file_stamp(const char *path, int64_t time, struct err *err) __attribute__((warn_unused_result));
int file_rename(const char *from, const char *to, struct err *err) __attribute__((warn_unused_result));
/* Removes; a file that is already gone is no error. */
int file_remove(const char *path, struct err *err) __attribute__((warn_unused_result));
/* Makes everything written so far on the file system that holds `path` durable (syncfs). */
int file_sync_all(const char *path, struct err *err) __attribute__((warn_unused_result));
/* The same for several, each distinct file system once. At most FILE_SYNC_MOST. */
#define FILE_SYNC_MOST 8
int file_sync_each(const char *const *paths, size_t count, struct err *err)
    __attribute__((warn_unused_result));
/* Creates the folder and its parents; an existing one is no error. */
int file_mkdirs(const char *path, mode_t mode, struct err *err) __attribute__((warn_unused_result));
bool file_exists(const char *path);
bool file_is_plain(const char *path); /* a regular file, or a link to one */
/* Size in bytes, -1 when the file is not there. */
int64_t file_size(const char *path);

/* Names in a folder (no dot files), sorted; free with file_names_free. A missing folder is empty. */
struct file_names {
    char **name;
    size_t count;
};
int file_list(const char *dir, struct file_names *names, struct err *err) __attribute__((warn_unused_result));
void file_names_sort(struct file_names *names);
void file_names_free(struct file_names *names);

/* Takes an exclusive lock (flock) on `path`, creating it; `*fd` keeps it until closed. ERR_TEMP, naming the
 * other process, when somebody holds it for longer than a second. */
int file_lock(const char *path, int *fd, struct err *err) __attribute__((warn_unused_result));

/* dir/name as a new string that the caller frees. */
char *path_join(const char *dir, const char *name) __attribute__((warn_unused_result));
/* True for names safe as one path component of ours: [a-z0-9][a-z0-9._-]{0,31}, no "..". */
bool name_valid(struct slice name);

#endif
