#include "commands/apart.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/log.h"
#include "base/sandbox.h"
#include "commands/commands.h"
#include "commands/queue.h"
#include "compete/competition.h"
#include "dns/resolver.h"
#include "batch/at_hand.h"
#include "league/helper.h"
#include "league/league_log.h"
#include "league/program.h"
#include "league/shared.h"
#include "compete/competition.h"
#include "journal/catalog.h"
#include "mail/message.h"
#include "picture/painter.h"
#include "picture/pictures.h"
#include "site/site_round.h"

#define LOOK_MS      60000 /* between checks for files that may have been replaced */
#define BEGUN_MOST   20    /* times that the work is restarted after a fault */
#define LOCK_TRIES   20    /* seconds that a daemon waits for a command that has the lock */
#define REQUEST_MOST 60    /* seconds that a request may take to arrive */

/* ---- what the work may open ---- */

#define CATALOG "catalog.sqlite"
#define WAL     "catalog.sqlite-wal"
#define SHM     "catalog.sqlite-shm"
#define MEMORY  "witness"

/* It may read the whole league, and write to these. Not to the folder itself: commands in league.ini are
 * run. */
static const char *const writable[] = {"games",      COMPETE_FOLDER,  "players",     "keys",
                                       "registry",   "tokens",        "spool",       LEAGUE_LOG_FOLDER,
                                       QUEUE_FOLDER, MEMORY,          CATALOG,       WAL,
                                       SHM,          PICTURES_FOLDER, CLUSTER_FOLDER};
#define FOLDERS    9 /* of these are needed by every work, and made where they are missing */
#define PATHS_MOST (1 + sizeof writable / sizeof *writable + 8 + 15)

struct paths {
    struct sandbox_path list[PATHS_MOST];
    char *owned[PATHS_MOST]; /* or NULL */
    size_t count;
};

static void add_path(struct paths *paths, const char *path, char *owned, bool write)
{
    if (!*path)
        return;
    paths->owned[paths->count] = owned;
    paths->list[paths->count++] = (struct sandbox_path){path, write};
}

/* What libpq reads when a connection is made again. */
static void gather_database(const struct league *league, struct paths *paths)
{
    struct file_names names;
    pg_files(&(struct pg_way){.database = league->config.store.database}, &names);
    for (size_t i = 0; i < names.count; i++)
        if (paths->count < PATHS_MOST)
            add_path(paths, names.name[i], names.name[i], false);
        else
            free(names.name[i]);
    free(names.name);
}

static void gather_paths(const struct league *league, struct paths *paths)
{
    const struct config *config = &league->config;
    memset(paths, 0, sizeof *paths);
    add_path(paths, league->dir, NULL, false);
    for (size_t i = 0; i < sizeof writable / sizeof *writable; i++) {
        char *path = league_path(league, writable[i]);
        add_path(paths, path, path, true);
    }
    if (config->incoming.type == IN_MAILDIR)
        add_path(paths, config->incoming.maildir, NULL, true);
    if (config->outgoing.type == SINK_MAILDIR)
        add_path(paths, config->outgoing.maildir, NULL, true);
    char *wasm = *config->site.folder ? site_wasm() : NULL;
    if (wasm)
        add_path(paths, wasm, wasm, false);
    add_path(paths, config->site.folder, NULL, true);
    add_path(paths, config->incoming.server.ca_file, NULL, false);
    add_path(paths, config->outgoing.server.ca_file, NULL, false);
    add_path(paths, config->witness.ca_file, NULL, false);
    add_path(paths, config->witness.policy, NULL, false);
    if (config->league.trust == TRUST_MAIL)
        add_path(paths, config->dns.root_key, NULL, false);
    if (config->store.type == STORE_POSTGRES)
        gather_database(league, paths);
}

/* What tells that a file was replaced. A host of several replaces its own catalog, when it takes over. */
static uint64_t stamp_of(const struct league *league, const struct paths *paths)
{
    struct sandbox_path list[PATHS_MOST];
    size_t count = 0;
    for (size_t i = 0; i < paths->count; i++)
        if (!paths->list[i].write || league->config.store.type != STORE_POSTGRES)
            list[count++] = paths->list[i];
    return sandbox_stamp(list, count);
}

static void release_paths(struct paths *paths)
{
    for (size_t i = 0; i < paths->count; i++)
        free(paths->owned[i]);
}

/* ---- the work ---- */

/* Where that fails, the site fails later on, and nothing else does. */
static void make_site_folder(const struct league *league)
{
    const char *folder = league->config.site.folder;
    struct err why = ERR_INIT;
    if (*folder && !file_exists(folder) && file_mkdirs(folder, 0755, &why))
        log_warn("the folder of the site cannot be made: %s", why.text);
}

/* Makes what the work cannot make later, because it may not write to the league's own folder. */
static int make_ready(const struct league *league, bool witness, struct catalog **catalog, struct err *err)
{
    bool fresh = false;
    int rc = 0;
    for (size_t i = 0; i < FOLDERS + (size_t)witness && rc == 0; i++) {
        char *path = league_path(league, writable[i]);
        rc = file_exists(path) ? 0 : file_mkdirs(path, 0700, err);
        free(path);
    }
    if (rc == 0 && league->config.outgoing.pictures && !witness) {
        char *path = league_path(league, PICTURES_FOLDER);
        rc = file_exists(path) ? 0 : file_mkdirs(path, 0700, err);
        free(path);
    }
    if (rc == 0 && league->config.outgoing.type == SINK_MAILDIR &&
        !file_exists(league->config.outgoing.maildir))
        rc = file_mkdirs(league->config.outgoing.maildir, 0700, err);
    if (!witness)
        make_site_folder(league);
    char *path = league_path(league, CATALOG);
    if (rc == 0 && !witness)
        rc = catalog_open(path, catalog, &fresh, err);
    free(path);
    return rc;
}

static int enter(const struct league *league, struct err *err)
{
    struct paths paths;
    unsigned got = 0;
    if (!league->config.limits.sandbox)
        return 0;
    gather_paths(league, &paths);
    program_read();
    int rc = sandbox_enter(paths.list, paths.count, &got, err);
    release_paths(&paths);
    if (rc)
        return err_prefix(err, "the sandbox ([limits] sandbox = off works without)");
    if (got == SANDBOX_WHOLE)
        log_debug("given up: %s", sandbox_words(got));
    else
        log_info("given up: %s", sandbox_words(got));
    return 0;
}

/* Whom mail domains' keys are asked of, where their word counts; in this process's sandbox. */
static int open_resolver(struct league *league, struct err *err)
{
    const struct config_dns *dns = &league->config.dns;
    if (league->config.league.trust != TRUST_MAIL)
        return 0;
    return resolver_open(&(struct dns_way){dns->server, dns->root_key, dns->timeout}, &league->resolver, err);
}

static volatile bool stop_following;

static void on_stop(int number)
{
    (void)number;
    stop_following = true;
}

/* Another host decides, or the database is not there: until that changes, this host's files follow. A signal ends
 * the process. */
static int follow(const struct apart *apart, struct err *err)
{
    static const int numbers[] = {SIGTERM, SIGINT, SIGHUP};
    struct league league;
    struct sigaction action = {.sa_handler = on_stop};
    if (league_open(apart->dir, false, &league, err))
        return -1;
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        (void)sigaction(numbers[i], &action, NULL);
    int rc = shared_follow(&league, &stop_following, err);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        (void)signal(numbers[i], SIG_DFL);
    league_close(&league);
    if (stop_following)
        exit(0);
    return rc;
}

/* Is a host of several, which waits for its turn? */
static bool follows(const struct apart *apart, const struct err *err)
{
    struct league league;
    struct err why = ERR_INIT;
    if (!apart->stay || (err->code != ERR_STALE && err->code != ERR_TEMP) || queue_is_locked(apart->dir) ||
        league_open(apart->dir, false, &league, &why))
        return false;
    bool shared = league.config.store.type == STORE_POSTGRES;
    league_close(&league);
    return shared;
}

static int open_shared(const struct apart *apart, struct league *league, struct err *err)
{
    int rc = league_open(apart->dir, true, league, err);
    while (rc && follows(apart, err)) {
        log_info("%s; this host follows", err->text);
        err_clear(err);
        rc = follow(apart, err);
        if (rc == 0)
            rc = league_open(apart->dir, true, league, err);
    }
    return rc;
}

/* Between two lives of a daemon a command may have taken the lock, for as long as it needs. */
static int open_league(const struct apart *apart, struct league *league, struct err *err)
{
    int rc = open_shared(apart, league, err);
    for (int tries = 0; rc && err->code == ERR_TEMP && apart->stay && tries < LOCK_TRIES; tries++) {
        log_info("%s", err->text);
        err_clear(err);
        rc = open_shared(apart, league, err);
    }
    return rc;
}

/* What the worker process has of its parent. */
struct given {
    int helper, painter; /* sockets */
    struct at_hands *hands;
};

/* The whole life of the worker process. */
static int work(const struct apart *apart, const struct given *given)
{
    struct league league;
    struct catalog *catalog = NULL; /* held open, so that its side files stay */
    struct err err = ERR_INIT;
    if (open_league(apart, &league, &err))
        return command_fail(&err);
    league.helper = given->helper;
    league.painter = given->painter;
    league.hands = given->hands;
    mail_begin();
    int rc = make_ready(&league, apart->witness, &catalog, &err);
    if (rc == 0)
        rc = enter(&league, &err);
    if (rc == 0 && !apart->witness)
        rc = open_resolver(&league, &err);
    int code = rc ? command_fail(&err) : apart->work(&league, apart->arg);
    resolver_close(league.resolver);
    catalog_close(catalog);
    league_close(&league);
    return code;
}

/* ---- the parent, which stays small ---- */

static volatile sig_atomic_t end_asked, begin_asked;

static void on_signal(int number)
{
    if (number == SIGHUP)
        begin_asked = 1;
    else if (number != SIGCHLD)
        end_asked = 1;
}

struct parent {
    const struct apart *apart;
    struct league league; /* without keys */
    struct paths paths;
    uint64_t stamp;
    struct at_hands *hands; /* shared with the work; NULL when there is no memory for it */
    int begun;              /* how often it was restarted after a fault */
    pid_t pid;              /* of the work */
    struct painter painter; /* for the work; its socket is the work's alone */
    bool repainted;         /* it was begun again since the last check for files */
    int fd;                 /* its requests; -1 when there will be no more */
    sigset_t usual;
};

/* Signals are accepted only where we wait for them. */
static void catch_signals(struct parent *parent)
{
    struct sigaction action;
    sigset_t caught;
    memset(&action, 0, sizeof action);
    action.sa_handler = on_signal;
    (void)sigemptyset(&caught);
    static const int numbers[] = {SIGCHLD, SIGTERM, SIGINT, SIGHUP};
    for (int i = 0; i < (parent->apart->stay ? 4 : 1); i++) {
        (void)sigaddset(&caught, numbers[i]);
        (void)sigaction(numbers[i], &action, NULL);
    }
    (void)sigprocmask(SIG_BLOCK, &caught, &parent->usual);
}

static void let_signals(const struct parent *parent)
{
    static const int numbers[] = {SIGCHLD, SIGTERM, SIGINT, SIGHUP};
    for (int i = 0; i < (parent->apart->stay ? 4 : 1); i++)
        (void)signal(numbers[i], SIG_DFL);
    (void)sigprocmask(SIG_SETMASK, &parent->usual, NULL);
}

/* Pictures are no reason not to work: mails leave without. */
static void begin_painter(struct parent *parent)
{
    struct err err = ERR_INIT;
    if (!parent->apart->witness && parent->league.config.outgoing.pictures &&
        painter_begin(NULL, &parent->painter, &err))
        log_error("%s; mails leave without pictures", err.text);
}

/* Does not return in the child. */
static int begin(struct parent *parent, struct err *err)
{
    const struct timeval most = {REQUEST_MOST, 0};
    pid_t self = getpid();
    int pair[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) != 0)
        return err_sys(err, ERR_TEMP, "cannot make a pair of sockets");
    (void)setsockopt(pair[0], SOL_SOCKET, SO_RCVTIMEO, &most, sizeof most);
    (void)setsockopt(pair[0], SOL_SOCKET, SO_SNDTIMEO, &most, sizeof most);
    (void)fflush(NULL);
    begin_painter(parent);
    parent->pid = fork();
    if (parent->pid == 0) {
        close(pair[0]);
        /* Killing the parent is meant for the worker. */
        (void)prctl(PR_SET_PDEATHSIG, SIGKILL, 0UL, 0UL, 0UL);
        if (getppid() != self)
            _exit(75);
        let_signals(parent);
        const struct apart *apart = parent->apart;
        release_paths(&parent->paths);
        league_close(&parent->league);
        int code = work(apart, &(struct given){pair[1], parent->painter.fd, parent->hands});
        exit(commands_end(code));
    }
    close(pair[1]);
    painter_leave(&parent->painter);
    parent->fd = pair[0];
    if (parent->pid > 0)
        return 0;
    painter_end(&parent->painter);
    close(pair[0]);
    return err_sys(err, ERR_TEMP, "cannot begin a process");
}

static void heed_signals(const struct parent *parent)
{
    if (end_asked || begin_asked)
        (void)kill(parent->pid, SIGTERM);
}

static void look_at_files(struct parent *parent)
{
    uint64_t now = stamp_of(&parent->league, &parent->paths);
    if (now == parent->stamp || !parent->league.config.limits.sandbox)
        return;
    log_info("a file that is read was replaced (names of hosts, certificates): starting again");
    begin_asked = 1;
    heed_signals(parent);
}

static void serve(struct parent *parent)
{
    struct err err = ERR_INIT;
    int rc = helper_serve(parent->fd, &parent->league, &err);
    if (rc < 0)
        log_error("the process that works asks for nothing any more to be run for it: %s", err.text);
    if (rc != 0) {
        close(parent->fd);
        parent->fd = -1;
    }
}

/* A daemon whose painter has ended begins again, with a new one; not more often than it looks at files. */
static void look_at_painter(struct parent *parent, bool long_since)
{
    if (long_since)
        parent->repainted = false;
    if (!painter_has_ended(&parent->painter) || parent->repainted || end_asked || begin_asked)
        return;
    log_warn("the program that paints pictures has ended: starting again");
    parent->repainted = true;
    begin_asked = 1;
    heed_signals(parent);
}

static void look_at_clock(const struct parent *parent)
{
    if (parent->hands)
        parent->hands->clock_kept = clock_kept();
}

/* Waits until the work has ended; returns its status. */
static int attend(struct parent *parent)
{
    int status = 0;
    while (waitpid(parent->pid, &status, WNOHANG) == 0) {
        struct pollfd wait = {.fd = parent->fd, .events = POLLIN};
        const struct timespec most = {LOOK_MS / 1000, 0};
        int ready = ppoll(&wait, 1, &most, &parent->usual);
        look_at_clock(parent);
        if (parent->apart->stay)
            look_at_painter(parent, ready == 0);
        if (ready < 0)
            heed_signals(parent);
        else if (ready > 0)
            serve(parent);
        else if (parent->apart->stay)
            look_at_files(parent);
    }
    if (parent->fd >= 0)
        close(parent->fd);
    painter_end(&parent->painter);
    return status;
}

/* Ends the way the work did. */
static int end_as(struct parent *parent, int status)
{
    if (WIFEXITED(status))
        return WEXITSTATUS(status);
    int number = WTERMSIG(status);
    if (number == SIGTERM && (end_asked || begin_asked))
        return 0; /* it had not begun to listen */
    const struct rlimit none = {0, 0};
    log_error("the process that works was ended by signal %d (%s)", number, strsignal(number));
    (void)setrlimit(RLIMIT_CORE, &none); /* one is enough */
    let_signals(parent);
    (void)signal(number, SIG_DFL);
    (void)raise(number);
    return 75;
}

/* A bug of the program that a mail or a game has brought to light: the work goes on without that. The last
 * attempt is without any mails. */
static bool go_on(struct parent *parent, int status)
{
    struct at_hands *hands = parent->hands;
    if (!WIFSIGNALED(status) || !hands || end_asked || parent->begun > BEGUN_MOST ||
        !hands_again(hands, WTERMSIG(status)))
        return false;
    hands->mail_off = ++parent->begun > BEGUN_MOST;
    log_error("the process that works was ended by signal %d (%s); the work starts again%s", WTERMSIG(status),
              strsignal(WTERMSIG(status)),
              hands->mail_off ? ", without mails"
              : hands->signal ? " and leaves out what it was at"
                              : ", piece by piece");
    return true;
}

/* A host that lost the lease begins again, as one that follows; what it had in memory is gone by then. */
static bool has_to_follow(const struct parent *parent, int status)
{
    const struct timespec pause = {1, 0};
    if (!parent->apart->stay || parent->league.config.store.type != STORE_POSTGRES || end_asked ||
        !WIFEXITED(status) || WEXITSTATUS(status) != 75)
        return false;
    log_info("starting again in a second");
    (void)nanosleep(&pause, NULL);
    return true;
}

static int once(struct parent *parent, struct err *err)
{
    int status = 0;
    if (league_open(parent->apart->dir, false, &parent->league, err))
        return -1;
    gather_paths(&parent->league, &parent->paths);
    parent->stamp = stamp_of(&parent->league, &parent->paths);
    begin_asked = 0;
    int code;
    do {
        code = begin(parent, err);
        if (code == 0)
            status = attend(parent);
    } while (code == 0 && (go_on(parent, status) || has_to_follow(parent, status)));
    if (code == 0)
        code = end_as(parent, status);
    release_paths(&parent->paths);
    league_close(&parent->league);
    return code;
}

int apart_run(const struct apart *apart)
{
    struct parent parent = {.apart = apart, .painter = PAINTER_NONE};
    void *shared =
        mmap(NULL, sizeof *parent.hands, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    parent.hands = shared == MAP_FAILED ? NULL : shared;
    look_at_clock(&parent);
    int code;
    catch_signals(&parent);
    do {
        struct err err = ERR_INIT;
        code = once(&parent, &err);
        if (code < 0)
            return command_fail(&err);
    } while (code == 0 && begin_asked && !end_asked);
    return code;
}

int apart_try(const struct league *league, unsigned *got, struct err *err)
{
    int status = 0;
    *got = 0;
    (void)fflush(NULL);
    pid_t pid = fork();
    if (pid == 0) {
        struct paths paths;
        struct err why = ERR_INIT;
        gather_paths(league, &paths);
        _exit(sandbox_enter(paths.list, paths.count, got, &why) ? SANDBOX_WHOLE + 1 : (int)*got);
    }
    while (pid > 0 && waitpid(pid, &status, 0) < 0 && errno == EINTR)
        continue;
    if (pid < 0 || !WIFEXITED(status) || WEXITSTATUS(status) > SANDBOX_WHOLE)
        return err_set(
            err, ERR_CONFIG,
            "the kernel has seccomp or landlock, but this process may not use it; allow it, or set "
            "[limits] sandbox = off");
    *got = (unsigned)WEXITSTATUS(status);
    return 0;
}
