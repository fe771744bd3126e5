/* The files of the queue. */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/encode.h"
#include "base/file.h"
#include "base/json.h"
#include "commands/queue_parts.h"

int64_t queue_since(void)
{
    struct timespec t;
    clock_gettime(CLOCK_BOOTTIME, &t);
    return (int64_t)t.tv_sec;
}

char *queue_path(const char *dir, const char *stem, const char *end)
{
    struct str path = STR_INIT;
    str_addf(&path, "%s/" QUEUE_FOLDER "/%s%s", dir, stem, end);
    return str_detach(&path);
}

bool queue_name(const char *name, char stem[QUEUE_STEM], const char **end, unsigned char id[32])
{
    unsigned char time[8];
    size_t len = QUEUE_STEM - 1;
    if (strlen(name) <= len || name[len] != '.' || name[16] != '-' ||
        !hex_decode(time, sizeof time, (struct slice){name, 16}) ||
        !hex_decode(id, 32, (struct slice){name + 17, 64}))
        return false;
    memcpy(stem, name, len);
    stem[len] = '\0';
    *end = name + len;
    return true;
}

json_t *queue_read(const char *path, struct err *err)
{
    struct str text = STR_INIT;
    json_t *json = NULL;
    if (file_read_own(path, QUEUE_MOST, &text, err) == 0)
        json = json_read(slice_str(&text), path, err);
    str_release(&text);
    if (!json || json_is_object(json))
        return json;
    json_decref(json);
    err_set(err, ERR_BROKEN, "%s holds no request", path);
    return NULL;
}

int queue_write(const char *path, const json_t *json, struct err *err)
{
    struct str text = STR_INIT;
    json_write(&text, json);
    str_addc(&text, '\n');
    int rc = file_write_soft(path, slice_str(&text), 0600, err);
    str_release(&text);
    return rc;
}

bool queue_is_private(const char *folder)
{
    struct stat st;
    return lstat(folder, &st) == 0 && S_ISDIR(st.st_mode) && st.st_uid == geteuid() && !(st.st_mode & 077);
}

bool queue_waits(void *dir)
{
    struct file_names names;
    struct err ignored = ERR_INIT; /* then nothing is known to wait */
    char *folder = path_join(dir, QUEUE_FOLDER), stem[QUEUE_STEM];
    const char *end;
    unsigned char id[32];
    bool waits = false;
    if (queue_is_private(folder) && file_list(folder, &names, &ignored) == 0) {
        for (size_t i = 0; i < names.count && !waits; i++)
            waits = queue_name(names.name[i], stem, &end, id) && strcmp(end, ".request") == 0;
        file_names_free(&names);
    }
    free(folder);
    return waits;
}
