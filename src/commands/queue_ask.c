/* The command's side of the queue: asks, waits, withdraws, or does it after all. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sodium.h>
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
#include "base/utf8.h"
#include "commands/queue_parts.h"
#include "mail/nap.h"

#define LOOK_MS   50    /* between looks for the answer */
#define LOCK_MS   300   /* between looks at the lock */
#define SAY_MS    5000  /* before something is said of the waiting */
#define LOST_MS   3000  /* without request and answer */
#define VAIN_MOST 4     /* others may be quicker with the lock, but not so often */
#define PAUSED_MS 60000 /* that a backup waits for the worker to stand still */

static volatile sig_atomic_t withdraw_asked;

static void on_signal(int number)
{
    (void)number;
    withdraw_asked = 1;
}

static void catch_signals(bool on)
{
    static const int numbers[] = {SIGINT, SIGTERM, SIGHUP};
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = on ? on_signal : SIG_DFL;
    action.sa_flags = (int)SA_RESETHAND; /* the second one ends the command in any case */
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        (void)sigaction(numbers[i], &action, NULL);
}

/* ---- the request ---- */

struct asking {
    const char *dir;
    struct deed *deed; /* NULL: a backup's */
    struct deed_request request;
    char stem[QUEUE_STEM];
    char *waiting, *taken, *again, *answer;
    int64_t began; /* clock_milliseconds() */
    int64_t lost;  /* since when neither request nor answer is there; 0 = one is */
    int vain;      /* so often in a row nobody works, and the league cannot be opened either */
    bool said;
};

/* Who asks as another user would leave files that the worker may not trust. */
static int check_folder(const char *dir, struct err *err)
{
    struct stat st;
    char *folder = path_join(dir, QUEUE_FOLDER);
    int rc = file_exists(folder) ? 0 : file_mkdirs(folder, 0700, err);
    if (rc == 0 && (lstat(folder, &st) != 0 || !S_ISDIR(st.st_mode)))
        rc = err_set(err, ERR_IO, "%s is no folder", folder);
    if (rc == 0 && st.st_uid != geteuid())
        rc = err_set(err, ERR_CONFIG,
                     "somebody else works on this league, as the user with the number %ld: run this as that "
                     "user (sudo -u ...), or while nobody works",
                     (long)st.st_uid);
    if (rc == 0 && (st.st_mode & 077))
        rc = err_set(err, ERR_CONFIG, "%s is open to others; close it: chmod 700 %s", folder, folder);
    free(folder);
    return rc;
}

static int check_room(const char *dir, struct err *err)
{
    struct file_names names;
    char *folder = path_join(dir, QUEUE_FOLDER);
    int rc = file_list(folder, &names, err);
    free(folder);
    if (rc == 0 && names.count >= QUEUE_MANY)
        rc = err_set(err, ERR_TEMP, "%zu commands wait for the one that works on this league; try later",
                     names.count);
    file_names_free(&names);
    return rc;
}

static void name_files(struct asking *asking)
{
    struct timespec now;
    char id[65];
    clock_gettime(CLOCK_REALTIME, &now);
    if (asking->deed)
        memcpy(asking->request.id, asking->deed->id, sizeof asking->request.id);
    else
        randombytes_buf(asking->request.id, sizeof asking->request.id);
    hex_to(id, asking->request.id, sizeof asking->request.id);
    (void)snprintf(asking->stem, sizeof asking->stem, "%016llx-%s",
                   (unsigned long long)now.tv_sec * 1000 + (unsigned long long)now.tv_nsec / 1000000, id);
    asking->waiting = queue_path(asking->dir, asking->stem, ".request");
    asking->taken = queue_path(asking->dir, asking->stem, ".taken");
    asking->again = queue_path(asking->dir, asking->stem, ".again");
    asking->answer = queue_path(asking->dir, asking->stem, ".answer");
}

static void release(struct asking *asking)
{
    free(asking->waiting);
    free(asking->taken);
    free(asking->again);
    free(asking->answer);
}

/* NULL: words that are no text. */
static json_t *args_of(int argc, char **argv)
{
    json_t *args = json_array();
    for (int i = 0; i < argc; i++)
        if (!utf8_valid(slice_of(argv[i])) || json_array_append_new(args, json_string(argv[i]))) {
            json_decref(args);
            return NULL;
        }
    return args;
}

static json_t *document(const struct asking *asking, const char *command, json_t *args)
{
    char id[65];
    hex_to(id, asking->request.id, sizeof asking->request.id);
    return json_pack("{s:i,s:s,s:s,s:o,s:s,s:I,s:I}", "v", 1, "id", id, "command", command, "args", args,
                     "head", asking->request.head, "made", (json_int_t)clock_system(), "since",
                     (json_int_t)queue_since());
}

static int find_head(struct asking *asking, struct err *err)
{
    char *games = path_join(asking->dir, "games");
    struct store *store = store_open(games);
    int rc = deed_head(store, asking->deed->game, asking->request.head, err);
    store_close(store);
    free(games);
    return rc;
}

static int put(struct asking *asking, int argc, char **argv, struct err *err)
{
    const struct deed *deed = asking->deed;
    json_t *args = args_of(argc, argv);
    if (!args || !utf8_valid(slice_str(&deed->text))) {
        json_decref(args);
        return err_set(err, ERR_INPUT, "what you typed, or the file that it names, is no text in UTF-8");
    }
    json_t *json = document(asking, deed->kind->name, args);
    if (deed->text.len)
        json_object_set_new(json, "text", json_stringn(deed->text.p, deed->text.len));
    int rc = queue_write(asking->waiting, json, err);
    json_decref(json);
    return rc;
}

/* ---- the answer ---- */

static int take_answer(const struct asking *asking, struct err *err)
{
    struct err own = ERR_INIT;
    json_t *json = queue_read(asking->answer, err);
    if (!json)
        return -1;
    int64_t code = json_integer_value(json_object_get(json, "code"));
    const char *words = json_string_value(json_object_get(json, "words"));
    const char *said = json_string_value(json_object_get(json, "said"));
    json_t *warned = json_object_get(json, "warned");
    if (said && asking->deed)
        str_adds(&asking->deed->said, said);
    if (json_is_array(warned) && asking->deed)
        json_array_extend(asking->deed->warned, warned);
    int rc = code ? err_set(err, code > 0 && code <= ERR_STALE ? (enum err_code)code : ERR_IO, "%s",
                            words ? words : "")
                  : 0;
    if (file_remove(asking->answer, &own))
        log_debug("%s", own.text);
    json_decref(json);
    return rc;
}

bool queue_is_locked(const char *dir)
{
    char *path = path_join(dir, "lock");
    int fd = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
    bool locked = fd >= 0 && flock(fd, LOCK_SH | LOCK_NB) != 0;
    if (fd >= 0)
        close(fd);
    free(path);
    return locked;
}

int queue_refuse(const char *dir, struct err *err)
{
    if (!queue_is_locked(dir))
        return 0;
    return err_set(err, ERR_TEMP, "a daemon, or another command, works on the league in %s: stop it first",
                   dir);
}

/* Nobody works any more: what was taken up and not answered is looked at again, by its id. */
static int do_it_here(struct asking *asking, struct league *league, struct err *err)
{
    struct err ignored = ERR_INIT; /* what stays is known by its id */
    if (file_exists(asking->answer))
        return take_answer(asking, err);
    if (file_remove(asking->waiting, &ignored) || file_remove(asking->taken, &ignored) ||
        file_remove(asking->again, &ignored))
        log_debug("%s", ignored.text);
    return deed_alone(asking->deed, league, &asking->request, err);
}

/* Takes the request back, unless it was taken up. */
static bool withdraw(const struct asking *asking)
{
    return unlink(asking->waiting) == 0;
}

enum reply { WAITING, ANSWERED, FAILED };

/* The lock may be free: then it is done here. */
static enum reply try_here(struct asking *asking, struct err *err)
{
    struct league league;
    struct err why = ERR_INIT;
    if (queue_is_locked(asking->dir)) {
        asking->vain = 0;
        return WAITING;
    }
    if (!asking->deed && withdraw(asking)) {
        (void)err_set(err, ERR_TEMP, "nobody works on this league any more");
        return FAILED;
    }
    if (!asking->deed)
        return WAITING;
    if (league_open(asking->dir, true, &league, &why)) {
        if (why.code == ERR_TEMP && ++asking->vain < VAIN_MOST)
            return WAITING;
        /* what is in the way is elsewhere, as a database is; and nobody is to come to it when this has ended */
        asking->deed->unknown = !withdraw(asking);
        (void)(unlink(asking->taken) && unlink(asking->again));
        (void)err_pass(err, &why);
        return FAILED;
    }
    int rc = do_it_here(asking, &league, err);
    league_close(&league);
    return rc ? FAILED : ANSWERED;
}

static enum reply look(struct asking *asking, int64_t most, struct err *err)
{
    int64_t passed = clock_milliseconds() - asking->began;
    if (file_exists(asking->answer))
        return take_answer(asking, err) ? FAILED : ANSWERED;
    bool taken = file_exists(asking->taken) || file_exists(asking->again);
    if (withdraw_asked && withdraw(asking)) {
        (void)err_set(err, ERR_TEMP, "withdrawn; nothing was done");
        return FAILED;
    }
    if (passed > most && withdraw(asking)) {
        (void)err_set(
            err, ERR_TEMP,
            "nothing was done: the one that works on this league has not come to it in %lld seconds",
            (long long)(most / 1000));
        return FAILED;
    }
    bool there = taken || file_exists(asking->waiting) || file_exists(asking->answer);
    asking->lost = there ? 0 : asking->lost ? asking->lost : clock_milliseconds();
    if (asking->lost && clock_milliseconds() - asking->lost > LOST_MS) {
        (void)err_set(err, ERR_TEMP, "the answer is lost");
        if (asking->deed)
            asking->deed->unknown = true;
        return FAILED;
    }
    if (!asking->said && passed > SAY_MS) {
        asking->said = true;
        log_warn("%s", taken ? "it is being done"
                             : "waiting for the one that works on this league (^C withdraws the command)");
    }
    return WAITING;
}

static int wait_for(struct asking *asking, int64_t most, struct err *err)
{
    enum reply reply = WAITING;
    int64_t lock_at = 0;
    asking->began = clock_milliseconds();
    withdraw_asked = 0;
    catch_signals(true);
    while (reply == WAITING) {
        int64_t now = clock_milliseconds();
        reply = look(asking, most, err);
        if (reply == WAITING && now >= lock_at) {
            reply = try_here(asking, err);
            lock_at = now + LOCK_MS;
        }
        if (reply == WAITING)
            (void)nap(now + LOOK_MS, NULL);
    }
    catch_signals(false);
    return reply == ANSWERED ? 0 : -1;
}

int queue_ask(struct deed *deed, int argc, char **argv, struct err *err)
{
    struct asking asking = {.dir = flag_league(deed->dir), .deed = deed, .request = {.waited = true}};
    if (check_folder(asking.dir, err) || check_room(asking.dir, err))
        return -1;
    name_files(&asking);
    int rc = *deed->game ? find_head(&asking, err) : 0;
    if (rc == 0)
        rc = put(&asking, argc, argv, err);
    if (rc == 0)
        rc = wait_for(&asking, (int64_t)QUEUE_GOOD * 1000, err);
    release(&asking);
    return rc;
}

/* ---- a worker that stands still ---- */

static int open_hold(const struct asking *asking, struct queue_hold *hold, struct err *err)
{
    hold->path = queue_path(asking->dir, asking->stem, ".hold");
    hold->fd = open(hold->path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (hold->fd < 0 || flock(hold->fd, LOCK_EX | LOCK_NB) != 0)
        return err_sys(err, ERR_IO, "cannot lock %s", hold->path);
    return 0;
}

int queue_hold(const char *dir, struct queue_hold *hold, struct err *err)
{
    struct asking asking = {.dir = dir};
    *hold = (struct queue_hold){NULL, -1};
    if (check_folder(dir, err) || check_room(dir, err))
        return -1;
    name_files(&asking);
    json_t *json = document(&asking, QUEUE_PAUSED, json_array());
    int rc = open_hold(&asking, hold, err);
    if (rc == 0)
        rc = queue_write(asking.waiting, json, err);
    if (rc == 0)
        rc = wait_for(&asking, PAUSED_MS, err);
    json_decref(json);
    release(&asking);
    if (rc)
        queue_let_go(hold);
    return rc;
}

void queue_let_go(struct queue_hold *hold)
{
    if (hold->path)
        (void)unlink(hold->path);
    if (hold->fd >= 0)
        close(hold->fd);
    free(hold->path);
    *hold = (struct queue_hold){NULL, -1};
}
