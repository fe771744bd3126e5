/* The worker's side of the queue. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/encode.h"
#include "base/file.h"
#include "base/json.h"
#include "base/log.h"
#include "base/mem.h"
#include "batch/at_hand.h"
#include "commands/queue_parts.h"
#include "mail/nap.h"

#define AT_ONCE       50   /* requests between two batches */
#define OLD           3600 /* seconds after which what nobody has fetched is removed */
#define HOLD_MS       20   /* between looks whether a backup is done */
#define LOOK_AGAIN_MS 1000
#define ARGS_MOST     256

/* What a request may ask for: the commands that change a league. */
extern const struct deed_kind deed_announce, deed_compete_any, deed_game, deed_invite, deed_mail_retry,
    deed_moderate, deed_new, deed_page, deed_player;
static const struct deed_kind *const kinds[] = {&deed_announce, &deed_compete_any, &deed_game,
                                                &deed_invite,   &deed_mail_retry,  &deed_moderate,
                                                &deed_new,      &deed_page,        &deed_player};

static const struct deed_kind *find_kind(const char *name)
{
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (strcmp(kinds[i]->name, name) == 0)
            return kinds[i];
    return NULL;
}

/* One request. */
struct serving {
    struct batch *batch;
    const char *dir;
    const char *stem;
    unsigned char id[32];
    bool last; /* workers have died at it */
    json_t *json;
};

/* ---- the answer ---- */

static int answer(const struct serving *serving, const struct deed *deed, const struct err *why,
                  struct err *err)
{
    char *path = queue_path(serving->dir, serving->stem, ".answer");
    json_t *json = json_pack("{s:i,s:i,s:s}", "v", 1, "code", (int)why->code, "words", why->text);
    if (deed) {
        json_object_set_new(json, "said", json_text(slice_str(&deed->said)));
        json_object_set(json, "warned", deed->warned);
    }
    int rc = queue_write(path, json, err);
    json_decref(json);
    free(path);
    return rc;
}

/* ---- judging ---- */

static const char *text_of(const struct serving *serving, const char *name)
{
    const char *text = json_string_value(json_object_get(serving->json, name));
    return text ? text : "";
}

static int64_t number_of(const struct serving *serving, const char *name)
{
    return json_integer_value(json_object_get(serving->json, name));
}

/* By the time and by the seconds since the start of the host: a clock that jumps makes it bad, never good. */
static bool is_fresh(const struct serving *serving)
{
    int64_t age = clock_system() - number_of(serving, "made");
    int64_t own = queue_since() - number_of(serving, "since");
    return age >= -1 && age <= QUEUE_GOOD && own >= 0 && own <= QUEUE_GOOD;
}

static int judge(const struct serving *serving, struct err *err)
{
    char id[65];
    hex_to(id, serving->id, sizeof serving->id);
    if (number_of(serving, "v") != 1)
        return err_set(err, ERR_NEWER, "the one that works on this league is of another version: restart it");
    if (strcmp(text_of(serving, "id"), id) != 0 || !json_is_array(json_object_get(serving->json, "args")) ||
        strlen(text_of(serving, "head")) > (size_t)2 * HEAD_BYTES)
        return err_set(err, ERR_INPUT, "the request cannot be read");
    return 0;
}

/* ---- a command ---- */

/* Its words in memory of their own: NULL at the end. NULL when they are none. */
static char **args_of(const struct serving *serving, int *argc)
{
    const json_t *args = json_object_get(serving->json, "args");
    size_t count = json_array_size(args);
    if (!count || count > ARGS_MOST)
        return NULL;
    char **argv = mem_array(count + 1, sizeof *argv);
    for (size_t i = 0; i < count; i++) {
        const char *word = json_string_value(json_array_get(args, i));
        argv[i] = mem_strdup(word ? word : "");
    }
    *argc = (int)count;
    return argv;
}

static int do_deed(const struct serving *serving, struct deed *deed, struct err *err)
{
    struct deed_request request = {.waited = true, .why_not = ERR_INIT};
    memcpy(request.id, serving->id, sizeof request.id);
    (void)snprintf(request.head, sizeof request.head, "%s", text_of(serving, "head"));
    str_adds(&deed->text, text_of(serving, "text"));
    deed->dir = serving->batch->league->dir;
    if (deed->kind->about)
        deed->kind->about(deed);
    if (serving->last)
        (void)err_set(&request.why_not, ERR_BROKEN,
                      "nothing was done: the program was ended while it was at this; see its log");
    else if (!is_fresh(serving))
        (void)err_set(&request.why_not, ERR_TEMP,
                      "nothing was done: the command has waited for more than ten minutes");
    return deed_do(deed, serving->batch, &request, err);
}

static int serve_command(const struct serving *serving, struct deed *deed, struct err *err)
{
    int argc = 0;
    char **argv = args_of(serving, &argc);
    char **kept = argv ? mem_copy(argv, ((size_t)argc + 1) * sizeof *argv) : NULL; /* reading moves them */
    int count = argc;
    deed->checked = true;
    int rc = !argv || deed->kind->read(deed, argc, argv) >= 0
                 ? err_set(err, ERR_INPUT,
                           "the one that works on this league does not understand the command; "
                           "it may be of another version: restart it")
                 : do_deed(serving, deed, err);
    for (int i = 0; kept && i < count; i++)
        free(kept[i]);
    free(kept);
    free(argv);
    return rc;
}

/* ---- standing still for a backup ---- */

/* Until whoever asked has let go of the lock, or has died. */
static void stand_still(const struct serving *serving)
{
    char *path = queue_path(serving->dir, serving->stem, ".hold");
    int fd = open(path, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    int64_t most = clock_milliseconds() + (int64_t)QUEUE_PAUSE * 1000;
    while (fd >= 0 && flock(fd, LOCK_EX | LOCK_NB) != 0 && clock_milliseconds() < most)
        (void)nap(clock_milliseconds() + HOLD_MS, NULL);
    if (clock_milliseconds() >= most)
        log_warn("a backup took longer than %d minutes: the work goes on", QUEUE_PAUSE / 60);
    if (fd >= 0)
        close(fd);
    free(path);
}

static int serve_pause(const struct serving *serving, struct err *err)
{
    const struct err well = ERR_INIT;
    if (!is_fresh(serving))
        return 0;
    if (batch_wait_desk(serving->batch, err) || answer(serving, NULL, &well, err))
        return -1;
    stand_still(serving);
    return 0;
}

/* ---- one request ---- */

static int serve_read(struct serving *serving, struct err *err)
{
    struct err why = ERR_INIT;
    const char *command = text_of(serving, "command");
    const struct deed_kind *kind = find_kind(command);
    struct deed deed;
    if (judge(serving, &why) == 0 && strcmp(command, QUEUE_PAUSED) == 0)
        return serve_pause(serving, err);
    if (!kind)
        (void)err_set(&why, ERR_INPUT,
                      "the one that works on this league does not know the command \"%.40s\"; restart it",
                      command);
    if (why.code)
        return answer(serving, NULL, &why, err);
    deed_init(&deed, kind);
    (void)serve_command(serving, &deed, &why);
    log_info("a command, %s %s: %s", command, deed.game, why.code ? why.text : "done");
    int rc = serving->batch->torn ? err_pass(err, &why) : answer(serving, &deed, &why, err);
    deed_release(&deed);
    return rc;
}

/* Its name says how far it has come; the next one is taken before it is read. A fault of the program's (and not
 * a kill) that came while it was done is reason enough not to try it once more. */
static const char *next_end(const struct league *league, const char *end, bool *last)
{
    bool fault = league->hands && league->hands->careful;
    *last = strcmp(end, ".again") == 0 || (fault && strcmp(end, ".taken") == 0);
    return strcmp(end, ".request") == 0 ? ".taken" : strcmp(end, ".taken") == 0 ? ".again" : end;
}

/* What cannot be renamed was withdrawn, or is no file (the sandbox lets none but files be renamed), or the disk
 * is full: then it stays for the next time, which is not to be at once. */
static void clear_away(const char *path, int why)
{
    struct stat st;
    if (lstat(path, &st) != 0)
        return;
    if (!S_ISREG(st.st_mode) && remove(path) == 0) {
        log_warn("%s is no file; it is removed", path);
    } else {
        log_warn("%s cannot be taken up: %s", path, strerror(why));
        (void)nap(clock_milliseconds() + LOOK_AGAIN_MS, NULL);
    }
}

static int serve(struct serving *serving, const char *end, struct err *err)
{
    struct err why = ERR_INIT, own = ERR_INIT;
    const char *next = next_end(serving->batch->league, end, &serving->last);
    char *from = queue_path(serving->dir, serving->stem, end);
    char *path = queue_path(serving->dir, serving->stem, next);
    int rc = 0;
    bool mine = next == end || rename(from, path) == 0;
    if (!mine)
        clear_away(from, errno);
    if (mine) {
        serving->json = queue_read(path, &why);
        if (serving->json)
            rc = serve_read(serving, &own);
        else {
            log_warn("%s; it is removed", why.text);
            rc = answer(serving, NULL, &why, &own);
        }
        if (rc && !serving->batch->torn)
            log_warn("%s", own.text); /* whoever asked finds out by the id */
        if (!serving->batch->torn && remove(path) != 0)
            log_warn("%s cannot be removed", path);
        json_decref(serving->json);
    }
    free(from);
    free(path);
    return serving->batch->torn ? err_pass(err, &own) : 0;
}

/* ---- the folder ---- */

static bool is_request(const char *end)
{
    return strcmp(end, ".request") == 0 || strcmp(end, ".taken") == 0 || strcmp(end, ".again") == 0;
}

/* What nobody has fetched, or is none of ours. */
static void tidy(const char *dir, const char *name)
{
    struct stat st;
    char *path = queue_path(dir, name, "");
    int64_t now = clock_system();
    if (lstat(path, &st) == 0 && !S_ISDIR(st.st_mode) && (st.st_mtime < now - OLD || st.st_mtime > now + OLD))
        (void)unlink(path);
    free(path);
}

int queue_work(struct batch *batch, struct err *err)
{
    struct file_names names;
    struct err ignored = ERR_INIT; /* no queue, no requests */
    char *folder = league_path(batch->league, QUEUE_FOLDER);
    int rc = 0, served = 0;
    if (!queue_is_private(folder) || file_list(folder, &names, &ignored)) {
        log_debug("%s is not looked at: %s", folder, *ignored.text ? ignored.text : "it is not private");
        free(folder);
        return 0;
    }
    for (size_t i = 0; rc == 0 && i < names.count && served < AT_ONCE; i++) {
        char stem[QUEUE_STEM];
        const char *end;
        struct serving serving = {.batch = batch, .dir = batch->league->dir, .stem = stem};
        if (!queue_name(names.name[i], stem, &end, serving.id) || !is_request(end)) {
            tidy(batch->league->dir, names.name[i]);
            continue;
        }
        rc = serve(&serving, end, err);
        served++;
    }
    file_names_free(&names);
    free(folder);
    return rc;
}
