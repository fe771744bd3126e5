/* The files of a copy. */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/file.h"
#include "base/mem.h"
#include "cluster/cluster_parts.h"
#include "cluster/kept.h"

#define DEPTH_MOST 8

struct walk {
    const char *dir;
    struct file_names *names;
    size_t cap;
};

static void add(struct walk *walk, const char *name)
{
    struct file_names *names = walk->names;
    names->name = mem_grow(names->name, names->count, &walk->cap, sizeof *names->name);
    names->name[names->count++] = mem_strdup(name);
}

/* NOLINTBEGIN(misc-no-recursion): DEPTH_MOST folders deep. */
static int look(struct walk *walk, const char *name, int depth, struct err *err);

static int look_into(struct walk *walk, const char *name, int depth, struct err *err)
{
    struct file_names inside;
    char *path = path_join(walk->dir, name);
    int rc = file_list(path, &inside, err);
    for (size_t i = 0; rc == 0 && i < inside.count; i++) {
        char *part = path_join(name, inside.name[i]);
        rc = look(walk, part, depth + 1, err);
        free(part);
    }
    file_names_free(&inside);
    free(path);
    return rc;
}

static int look(struct walk *walk, const char *name, int depth, struct err *err)
{
    struct stat st;
    char *path = path_join(walk->dir, name);
    int rc = lstat(path, &st);
    free(path);
    if (rc != 0 || !kept_file(name) || depth > DEPTH_MOST)
        return 0;
    if (S_ISLNK(st.st_mode))
        return err_set(err, ERR_CONFIG,
                       "%s/%s is a link, which other hosts do not have: put there what it leads to",
                       walk->dir, name);
    if (S_ISREG(st.st_mode) && kept_safe(name))
        add(walk, name);
    return S_ISDIR(st.st_mode) ? look_into(walk, name, depth, err) : 0;
}

/* NOLINTEND(misc-no-recursion) */

int files_list(const char *dir, struct file_names *names, struct err *err)
{
    struct walk walk = {dir, names, 0};
    *names = (struct file_names){NULL, 0};
    struct file_names top;
    int rc = file_list(dir, &top, err);
    for (size_t i = 0; rc == 0 && i < top.count; i++)
        rc = look(&walk, top.name[i], 0, err);
    file_names_free(&top);
    file_names_sort(names);
    if (rc)
        file_names_free(names);
    return rc;
}
