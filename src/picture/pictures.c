#include "picture/pictures.h"

#include <sodium.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "base/encode.h"
#include "base/file.h"
#include "base/mem.h"
#include "picture/painting.h"

#define FILE_MODE 0600
#define SHOWS     ".json"
#define PICTURE   ".png"

void pictures_digest(char digest[PICTURES_DIGEST], struct slice shows)
{
    unsigned char hash[(PICTURES_DIGEST - 1) / 2];
    struct str hex = STR_INIT;
    (void)crypto_generichash(hash, sizeof hash, (const unsigned char *)shows.p, shows.len, NULL, 0);
    hex_encode(&hex, hash, sizeof hash);
    memcpy(digest, hex.p, PICTURES_DIGEST);
    str_release(&hex);
}

static char *path_of(const char *dir, const char *digest, const char *ending)
{
    struct str path = STR_INIT;
    str_addf(&path, "%s/%s%s", dir, digest, ending);
    return str_detach(&path);
}

static bool has(const char *dir, const char *digest, const char *ending)
{
    char *path = path_of(dir, digest, ending);
    bool there = file_exists(path);
    free(path);
    return there;
}

int pictures_keep(const char *dir, const char *digest, struct slice shows, struct err *err)
{
    if (has(dir, digest, SHOWS) || has(dir, digest, PICTURE))
        return 0;
    char *path = path_of(dir, digest, SHOWS);
    int rc = file_overwrite(path, shows, FILE_MODE, err); /* half of it is known by its digest */
    free(path);
    return rc;
}

/* Half a file, or somebody else's, is none. */
int pictures_shown(const char *dir, const char *digest, struct str *shows, struct err *err)
{
    char found[PICTURES_DIGEST];
    char *path = path_of(dir, digest, SHOWS);
    size_t before = shows->len;
    int rc = file_read(path, PAINTING_SVG_MOST, shows, err);
    if (rc == 0) {
        pictures_digest(found, slice_sub(slice_str(shows), before, shows->len));
        if (strcmp(found, digest) != 0)
            rc = err_set(err, ERR_MISSING, "%s does not hold what it is named after", path);
    }
    free(path);
    return rc;
}

int pictures_put(const char *dir, const char *digest, struct slice png, struct err *err)
{
    char *path = path_of(dir, digest, PICTURE), *shows = path_of(dir, digest, SHOWS);
    int rc = png.len ? file_write_soft(path, png, FILE_MODE, err) : 0;
    if (rc == 0)
        rc = file_remove(shows, err);
    free(path);
    free(shows);
    return rc;
}

bool pictures_have(const char *dir, const char *digest)
{
    return has(dir, digest, PICTURE);
}

/* A power cut may have left half a file: a PNG that does not end as one is none. */
int pictures_get(const char *dir, const char *digest, struct str *png, struct err *err)
{
    static const char begin[] = "\x89PNG\r\n\x1a\n", end[] = "IEND\xae\x42\x60\x82";
    char *path = path_of(dir, digest, PICTURE);
    size_t before = png->len;
    int rc = file_read(path, PAINTING_PNG_MOST, png, err);
    if (rc == 0) {
        struct slice got = slice_sub(slice_str(png), before, png->len);
        bool whole = got.len > 16 && memcmp(got.p, begin, 8) == 0 && memcmp(got.p + got.len - 8, end, 8) == 0;
        if (!whole) {
            str_cut(png, before);
            rc = err_set(err, ERR_MISSING, "%s is no whole PNG", path);
        }
    }
    free(path);
    return rc;
}

/* ---- what is too much ---- */

struct kept {
    char *path;
    int64_t size;
    struct timespec time;
};

static int compare_ages(const void *a, const void *b)
{
    const struct timespec *one = &((const struct kept *)a)->time, *two = &((const struct kept *)b)->time;
    if (one->tv_sec != two->tv_sec)
        return one->tv_sec < two->tv_sec ? -1 : 1;
    return (one->tv_nsec > two->tv_nsec) - (one->tv_nsec < two->tv_nsec);
}

/* The plain files of the folder; returns how many. */
static size_t look(const char *dir, const struct file_names *names, struct kept *list, int64_t *sum)
{
    size_t count = 0;
    for (size_t i = 0; i < names->count; i++) {
        struct stat st;
        char *path = path_join(dir, names->name[i]);
        if (lstat(path, &st) != 0 || !S_ISREG(st.st_mode)) {
            free(path);
            continue;
        }
        list[count++] = (struct kept){path, st.st_size, st.st_mtim};
        *sum += st.st_size;
    }
    return count;
}

int pictures_tidy(const char *dir, int64_t most, struct err *err)
{
    struct file_names names;
    int64_t sum = 0;
    int rc = file_list(dir, &names, err);
    struct kept *list = mem_array(names.count + 1, sizeof *list);
    size_t count = rc == 0 ? look(dir, &names, list, &sum) : 0;
    if (sum > most)
        qsort(list, count, sizeof *list, compare_ages);
    for (size_t i = 0; i < count; i++) {
        if (rc == 0 && sum > most) {
            rc = file_remove(list[i].path, err);
            sum -= list[i].size;
        }
        free(list[i].path);
    }
    free(list);
    file_names_free(&names);
    return rc;
}
