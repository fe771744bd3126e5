/* Folders for suites, gone when they end, and what shells would do with them: a shell costs as much as many
 * a test. They are in TMPDIR, else in /tmp; tests/scratch.sh puts TMPDIR into memory.
 */
#ifndef TESTS_SCRATCH_H
#define TESTS_SCRATCH_H

#include <errno.h>
#include <ftw.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "suite.h"

#define SCRATCH_PATH 64 /* bytes, with NUL */
#define SCRATCH_MOST ((size_t)256 << 20)

/* A new, empty folder. */
static inline void scratch_make(char dir[SCRATCH_PATH], const char *name)
{
    const char *place = getenv("TMPDIR");
    int n = snprintf(dir, SCRATCH_PATH, "%s/turnpost-%s-XXXXXX", place && *place ? place : "/tmp", name);
    ck_assert_msg(n < SCRATCH_PATH, "TMPDIR is too long for the tests: %s", place);
    ck_assert_msg(mkdtemp(dir) != NULL, "%s: %s", dir, strerror(errno));
}

static inline int scratch_remove_one(const char *path, const struct stat *st, int kind, struct FTW *at)
{
    (void)st;
    (void)kind;
    (void)at;
    return remove(path);
}

/* A file, or a folder with all that is below it. Nothing there is fine. */
static inline void scratch_remove(const char *path)
{
    struct stat st;
    if (lstat(path, &st) != 0)
        return;
    ck_assert_msg(nftw(path, scratch_remove_one, 16, FTW_DEPTH | FTW_PHYS) == 0, "%s: %s", path,
                  strerror(errno));
}

static inline void scratch_copy_file(const char *from, const char *to, mode_t mode)
{
    struct err err = ERR_INIT;
    struct str bytes = STR_INIT;
    ck_ok(file_read(from, SCRATCH_MOST, &bytes, &err), err);
    scratch_remove(to);
    ck_ok(file_create(to, slice_str(&bytes), mode, &err), err);
    ck_assert_int_eq(chmod(to, mode), 0); /* whatever the umask */
    str_release(&bytes);
}

/* A file, or a folder with all that is below it (no dot files), with their modes. What `to` holds already is
 * kept, unless it has the name of a file that is copied. */
static inline void scratch_copy(const char *from, const char *to)
{
    struct err err = ERR_INIT;
    struct file_names names;
    struct stat st;
    ck_assert_msg(stat(from, &st) == 0, "%s: %s", from, strerror(errno));
    if (!S_ISDIR(st.st_mode)) {
        scratch_copy_file(from, to, st.st_mode & 07777);
        return;
    }
    ck_ok(file_mkdirs(to, st.st_mode & 07777, &err), err);
    ck_ok(file_list(from, &names, &err), err);
    for (size_t i = 0; i < names.count; i++) {
        char *one = path_join(from, names.name[i]), *other = path_join(to, names.name[i]);
        scratch_copy(one, other);
        free(one);
        free(other);
    }
    file_names_free(&names);
}

/* Are these words in any file below the folder? */
static inline bool scratch_holds(const char *dir, const char *words)
{
    struct err err = ERR_INIT;
    struct file_names names;
    bool found = false;
    ck_ok(file_list(dir, &names, &err), err);
    for (size_t i = 0; i < names.count && !found; i++) {
        struct str bytes = STR_INIT;
        struct stat st;
        char *path = path_join(dir, names.name[i]);
        ck_assert_int_eq(lstat(path, &st), 0);
        if (S_ISDIR(st.st_mode)) {
            found = scratch_holds(path, words);
        } else {
            ck_ok(file_read(path, SCRATCH_MOST, &bytes, &err), err);
            found = slice_find(slice_str(&bytes), words) != (size_t)-1;
        }
        str_release(&bytes);
        free(path);
    }
    file_names_free(&names);
    return found;
}

#endif
