/* What is noted about a copy, in store/position: its state, which database, the last commit that it has. And store/self,
 * its own name. */
#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#include "base/encode.h"
#include "base/file.h"
#include "base/mem.h"
#include "cluster/cluster_parts.h"

#define POSITION CLUSTER_FOLDER "/position"
#define SELF     CLUSTER_FOLDER "/self"
#define HEX      (2 * LIFE + 1)

char *cluster_path(const struct cluster *cluster, const char *name)
{
    return path_join(cluster->dir, name);
}

static const char *const states[] = {[POSITION_UNKNOWN] = "unknown",
                                     [POSITION_FILES] = "files",
                                     [POSITION_WORKING] = "working",
                                     [POSITION_COPY] = "copy",
                                     [POSITION_OWN] = "own"};

/* Half a file, of a crash, is as good as none. */
static void take(struct position *position, struct slice text)
{
    struct slice word, life = {"", 0}, number, commit = {"", 0};
    struct slice said = {"", 0};
    int64_t seq, count;
    bool whole = slice_word(&text, &word) && slice_word(&text, &life) && slice_word(&text, &number) &&
                 slice_word(&text, &commit) && slice_word(&text, &said);
    if (!whole || !slice_number(&number, &seq) || !slice_number(&said, &count) ||
        !hex_decode(position->life, LIFE, life) || !hex_decode(position->commit, LIFE, commit))
        return;
    position->seq = seq;
    position->said = count;
    for (enum position_state state = POSITION_FILES; state <= POSITION_OWN; state++)
        if (slice_eq(word, states[state]))
            position->state = state;
}

static int read_position(const char *path, struct position *position, struct err *err)
{
    struct str text = STR_INIT;
    int rc = file_exists(path) ? file_read(path, 256, &text, err) : 0;
    if (rc == 0)
        take(position, slice_str(&text));
    str_release(&text);
    return rc;
}

static int read_self(struct cluster *cluster, struct err *err)
{
    char hex[HEX];
    struct str text = STR_INIT;
    char *path = cluster_path(cluster, SELF);
    int rc = file_exists(path) ? file_read(path, HEX, &text, err) : 0;
    if (rc == 0 && !hex_decode(cluster->self, LIFE, slice_trim(slice_str(&text)))) {
        randombytes_buf(cluster->self, LIFE);
        hex_to(hex, cluster->self, LIFE);
        rc = file_write(path, (struct slice){hex, HEX - 1}, 0600, err);
    }
    str_release(&text);
    free(path);
    return rc;
}

int position_read(struct cluster *cluster, struct err *err)
{
    char *folder = cluster_path(cluster, CLUSTER_FOLDER), *path = cluster_path(cluster, POSITION);
    cluster->position = (struct position){.seq = 0};
    int rc = file_mkdirs(folder, 0700, err) || read_position(path, &cluster->position, err) ||
                     read_self(cluster, err)
                 ? -1
                 : 0;
    free(folder);
    free(path);
    return rc;
}

static int write_text(const struct cluster *cluster, bool durable, struct err *err)
{
    const struct position *position = &cluster->position;
    char life[HEX], commit[HEX];
    struct str text = STR_INIT;
    char *path = cluster_path(cluster, POSITION);
    hex_to(life, position->life, LIFE);
    hex_to(commit, position->commit, LIFE);
    life[HEX - 1] = commit[HEX - 1] = '\0';
    str_addf(&text, "%s %s %lld %s %lld\n", states[position->state], life, (long long)position->seq, commit,
             (long long)position->said);
    int rc = durable ? file_write(path, slice_str(&text), 0600, err)
                     : file_overwrite(path, slice_str(&text), 0600, err);
    str_release(&text);
    free(path);
    return rc;
}

int position_note(const struct cluster *cluster, struct err *err)
{
    return write_text(cluster, false, err);
}

/* The files of the folder, too, while there is no keeper for them. */
int position_write(const struct cluster *cluster, struct err *err)
{
    bool exact = cluster->position.state >= POSITION_COPY;
    return (exact && file_sync_all(cluster->dir, err)) || write_text(cluster, true, err) ? -1 : 0;
}

bool cluster_has_copy(const char *dir)
{
    char *path = path_join(dir, POSITION);
    bool has = file_exists(path);
    free(path);
    return has;
}

int cluster_without(const char *dir, struct err *err)
{
    struct cluster cluster = {.dir = mem_strdup(dir)};
    char *path = cluster_path(&cluster, POSITION);
    int rc = read_position(path, &cluster.position, err);
    if (rc == 0 && cluster.position.state > POSITION_FILES) {
        cluster.position.state = POSITION_FILES;
        rc = position_write(&cluster, err);
    }
    free(cluster.dir);
    free(path);
    return rc;
}

int cluster_apart(const char *dir, struct err *err)
{
    struct cluster cluster = {.dir = mem_strdup(dir), .position = {.state = POSITION_FILES}};
    char *folder = cluster_path(&cluster, CLUSTER_FOLDER);
    int rc = file_mkdirs(folder, 0700, err) || position_write(&cluster, err) ? -1 : 0;
    free(cluster.dir);
    free(folder);
    return rc;
}
