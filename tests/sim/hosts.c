/* Several hosts that share a league through a database (tests/sim/README.md, "Hosts"). Each is a process with files of its own, that lives as
 * the worker of a daemon does (commands/apart.c, commands/daemon.c): it follows, takes the lease when that is over, and works in
 * rounds until it may not decide any more. One thread of one host runs at a time, until it asks for something: an answer of the
 * database, a pause. Then luck says which one goes on, or which statement the database does next. Lines are cut, answers come late or
 * never; hosts stand still, die, are moved; all of them have clocks of their own. */
#include "sim/hosts.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/date.h"
#include "base/file.h"
#include "base/log.h"
#include "base/mem.h"
#include "cluster/cluster.h"
#include "commands/commands.h"
#include "commands/queue_parts.h"
#include "league/shared.h"
#include "mail/nap.h"

#define PATIENCE_MS ((int64_t)20000) /* PG_PATIENCE */

long hosts;
static int64_t lease;               /* seconds */
static struct decider *now_decides; /* as the database has it, where all processes see it */

/* What can go wrong between hosts: each seed has each of these or not. */
#define TROUBLES(X)        X(cuts) X(slow) X(again) X(warns) X(away) X(restarts) X(stands) X(dies) X(moves) X(clocks)
#define TROUBLE_ID(name)   T_##name,
#define TROUBLE_NAME(name) #name,
enum trouble { TROUBLES(TROUBLE_ID) TROUBLE_COUNT };
static const char *const troubles[] = {TROUBLES(TROUBLE_NAME)};
static bool has[TROUBLE_COUNT];
const struct switches hosts_troubles = {"trouble", troubles, sizeof *troubles, TROUBLE_COUNT, 0, 500, has};
static int64_t calm_from; /* what was begun before that may take hours to end */

/* ---- what both sides know of a host ---- */

struct strand {
    int line[2];     /* the world's end, the strand's */
    struct box *box; /* shared */
    enum { STRAND_NONE, STRAND_PAUSES, STRAND_JOINS, STRAND_WAITS } state;
    int64_t at;   /* when it goes on */
    bool news;    /* a command ends its pause */
    bool hears;   /* STRAND_WAITS: the answer is there, at that time, */
    long session; /* of this */
};
enum { MAIN, BEAT, STRANDS };
struct told { /* shared with its process */
    volatile bool stop;
    bool begins_beat; /* its second thread has begun */
    long dies_after;  /* calls of the disk; 0 = not */
    bool power, calm;
};
static struct host {
    pid_t pid; /* 0: it is down, */
    int64_t again;
    int life;
    char dir[130];
    struct strand strand[STRANDS];
    struct told *told;
    int64_t stands_until, away_until; /* it stands still; the database is out of its reach */
    int64_t wrong;                    /* seconds by which its clock is ahead */
    bool torn;                        /* it has lost power, and not written its checkpoint since */
} host[HOSTS_MOST];

/* ---- packing ---- */

void pack_number(struct str *out, int64_t value)
{
    str_add(out, &value, sizeof value);
}

void pack_bytes(struct str *out, struct slice bytes)
{
    pack_number(out, (int64_t)bytes.len);
    if (bytes.len)
        str_addslice(out, bytes);
}

int64_t unpack_number(struct slice *rest)
{
    int64_t value;
    MUST(rest->len >= sizeof value, "a message of the simulation is too short");
    memcpy(&value, rest->p, sizeof value);
    *rest = slice_sub(*rest, sizeof value, rest->len);
    return value;
}

struct slice unpack_bytes(struct slice *rest)
{
    size_t len = (size_t)unpack_number(rest);
    MUST(rest->len >= len, "a message of the simulation is too short");
    struct slice bytes = slice_sub(*rest, 0, len);
    *rest = slice_sub(*rest, len, rest->len);
    return bytes;
}

/* ---- the side of a host: its process ---- */

static struct host *self;                    /* NULL in the world's own */
static _Thread_local struct strand *running; /* the strand that this thread is */

struct box *strand_box(void)
{
    return running->box;
}

static void wait_for_turn(void)
{
    char turn;
    if (read(running->line[1], &turn, 1) != 1)
        sim_leave(0); /* the world has ended */
    world.ms = running->box->ms;
    world.calm = self->told->calm;
    if (self->told->dies_after) {
        disk.mode = DISK_DIES;
        disk.chosen = disk.points + self->told->dies_after;
        disk.power = self->told->power;
        self->told->dies_after = 0;
    }
}

void strand_ask(enum ask ask)
{
    running->box->ask = ask;
    running->box->ms = world.ms;
    MUST(write(running->line[1], "", 1) == 1, "the world has ended");
    if (ask != ASK_END)
        wait_for_turn();
}

static void pause_for(enum ask ask, int64_t ms, int64_t stretch)
{
    running->box->until = world.ms + ms;
    running->box->stretch = stretch;
    strand_ask(ask);
}

/* The pauses of the thread that renews are a tenth of a second long: of these many are one. */
bool hosts_sleep(int64_t ms)
{
    if (self)
        pause_for(ASK_SLEEP, ms, running == &self->strand[BEAT] ? lease * 1000 / 4 : 100);
    return self != NULL;
}

int __wrap_usleep(useconds_t us);
int __wrap_usleep(useconds_t us)
{
    if (!hosts_sleep(us / 1000))
        world.ms += us / 1000 + 1;
    return 0;
}

/* A look at who decides each minute or so, in place of each second. */
bool __real_nap(int64_t until, const struct nap_ends *ends);
bool __wrap_nap(int64_t until, const struct nap_ends *ends);
bool __wrap_nap(int64_t until, const struct nap_ends *ends)
{
    if (!self)
        return __real_nap(until, ends);
    if (nap_is_over(ends))
        return false;
    pause_for(ASK_SLEEP, until > world.ms ? until - world.ms : 0, lease * 4000);
    return !nap_is_over(ends);
}

struct thread {
    void *(*run)(void *arg);
    void *arg;
};

static void *run_beat(void *arg)
{
    struct thread thread = *(struct thread *)arg;
    free(arg);
    running = &self->strand[BEAT];
    wait_for_turn();
    void *end = thread.run(thread.arg);
    strand_ask(ASK_END);
    return end;
}

int __real_pthread_create(pthread_t *thread, const pthread_attr_t *attr, void *(*run)(void *arg), void *arg);
int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attr, void *(*run)(void *arg), void *arg);
int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attr, void *(*run)(void *arg), void *arg)
{
    struct thread *what = mem_alloc(sizeof *what);
    *what = (struct thread){run, arg};
    MUST(self, "a thread begins");
    self->told->begins_beat = true;
    return __real_pthread_create(thread, attr, run_beat, what);
}

int __real_pthread_join(pthread_t thread, void **end);
int __wrap_pthread_join(pthread_t thread, void **end);
int __wrap_pthread_join(pthread_t thread, void **end)
{
    strand_ask(ASK_JOIN);
    return __real_pthread_join(thread, end);
}

/* Mail leaves the host that decides, and no other. */
void hosts_sends(void)
{
    MUST(!self || (now_decides->host == self - host && now_decides->life == self->life),
         "host %d (life %d) sends, and host %d (life %d) decides", (int)(self - host), self->life,
         now_decides->host, now_decides->life);
}

static bool may_fail(const struct err *err)
{
    return !world.calm && (err->code == ERR_TEMP || err->code == ERR_STALE);
}

/* As the daemon works: until it may not decide any more. */
static void decide_rounds(void)
{
    while (!self->told->stop) {
        struct work_sum sum = {0};
        struct err err = ERR_INIT;
        int rc = world_round(&sum, &err);
        if (rc == 0) {
            judge_round(&sum, rc, &err);
            counted->rounds++;
            counted->mails += (long)sum.mails;
        } else {
            tell("host %d: %s", (int)(self - host), err.text);
            MUST(may_fail(&err), "a round fails: %s", err.text);
        }
        if (world.batch.torn || shared_holds(&world.league, &err))
            break;
        pause_for(ASK_NEWS, world.minutes * 60000, 1000);
        if (shared_holds(&world.league, &err))
            break;
    }
}

static void follow(void)
{
    struct league league;
    struct err err = ERR_INIT;
    MUST_DO(league_open(world.dir, false, &league, &err), err);
    int rc = shared_follow(&league, &self->told->stop, &err);
    league_close(&league);
    MUST(rc == 0 || may_fail(&err), "host %d cannot follow: %s", (int)(self - host), err.text);
}

/* The first host's files become the league in the database. */
static void bring_league(void)
{
    const char *const words[] = {"store", "copy", "files", "postgres", "--league", world.dir, NULL};
    MUST(world_command(command_store, words) == 0, "the league cannot be brought into the database");
}

static void live(void)
{
    bool founds = self->life == 1 && self == host;
    (void)snprintf(world.dir, sizeof world.dir, "%s", self->dir);
    world.wrong = self->wrong;
    disk.points = 0;
    disk.mode = DISK_GOOD;
    disk.dice = dice("disk %d.%d", (int)(self - host), self->life);
    running = &self->strand[MAIN];
    wait_for_turn();
    disk_open(world.dir);
    if (founds)
        bring_league();
    world_draws((uint64_t)(self - host + 1) << 56 | (uint64_t)self->life << 32);
    while (!self->told->stop) {
        struct err err = ERR_INIT;
        int rc = world_open(&err);
        if (rc == 0) {
            decide_rounds();
            world_close();
            break; /* and begins anew */
        }
        tell("host %d: %s", (int)(self - host), err.text);
        MUST(err.code == ERR_STALE || may_fail(&err), "host %d cannot begin: %s", (int)(self - host),
             err.text);
        follow();
    }
    strand_ask(ASK_END);
    sim_leave(0);
}

/* ---- the side of the world: lines ---- */

/* What luck has in store for what was sent over a line at once. */
static struct line {
    int64_t at;  /* when the next statement is done, or what is below comes to pass */
    long until;  /* statements from here are cut off; -1 = none */
    bool deaf;   /* the answer is lost on its way, */
    bool silent; /* and nobody says that the line is cut */
    bool gone;   /* the client is; what it has sent is done all the same, then the session ends at `at` */
    const char *fault;
    long fails_at; /* at this statement */
    bool warned;
    int host, strand;
} line[SESSIONS_MOST];
static long statements; /* so many were sent */

static bool trouble(enum trouble which, struct dice *luck, unsigned per_mille)
{
    bool comes = has[which] && !world.calm && chance(luck, per_mille);
    counted->errors += comes; /* from then on a mail may come twice */
    return comes;
}

static int64_t lease_part(struct dice *luck, unsigned tenths)
{
    return (int64_t)roll(luck, (unsigned)(lease * 100 * (int64_t)tenths + 1));
}

static void hear(int who, bool good, int64_t at)
{
    struct strand *strand = &host[line[who].host].strand[line[who].strand];
    struct box *box = strand->box;
    if (strand->state != STRAND_WAITS || strand->session != sessions[who].number || strand->hears)
        return;
    strand->hears = true;
    strand->at = at;
    box->good = good;
    if (!good) {
        box->session = -1;
        return;
    }
    struct str *answers = &sessions[who].answers;
    MUST(answers->len < sizeof box->bytes, "an answer has %zu bytes", answers->len);
    memcpy(box->bytes, answers->p, answers->len);
    box->len = answers->len;
    str_clear(answers);
    sessions[who].answered = false;
}

/* The line of a session is cut; the server finds out at once, or after a while. */
static void cut(int who, int64_t later)
{
    hear(who, false, world.ms + 1);
    line[who].gone = true;
    sessions[who].left = 0;
    line[who].at = world.ms + later;
}

static void connects(int h, int s)
{
    struct strand *strand = &host[h].strand[s];
    struct dice luck = dice("connects %d %d %lld", h, s, (long long)world.ms);
    bool reaches = world.ms >= host[h].away_until && !trouble(T_cuts, &luck, 20);
    const struct session *session = reaches ? database_connect(h, host[h].life) : NULL;
    if (session)
        line[session - sessions] = (struct line){.until = -1, .fails_at = -1, .host = h, .strand = s};
    strand->box->session = session ? session->number : -1;
    strand->state = STRAND_PAUSES;
    strand->at = world.ms + (session ? 1 : roll(&luck, 10000));
}

static void closes(const struct session *session)
{
    if (!session)
        return;
    line[session - sessions].gone = true;
    if (!session->left)
        line[session - sessions].at = world.ms;
}

/* What was sent arrives, as luck has it. */
static void sends(int h, int s)
{
    static const char *const faults[] = {"40001", "57014", "55P03"};
    struct strand *strand = &host[h].strand[s];
    struct session *session = session_of(strand->box->session);
    struct dice luck = dice("sends %ld", ++statements);
    strand->state = STRAND_WAITS;
    strand->session = strand->box->session;
    strand->hears = false;
    strand->at = world.ms + PATIENCE_MS;
    if (!session || line[session - sessions].gone) {
        strand->hears = true;
        strand->box->good = false;
        strand->box->session = -1;
        strand->at = world.ms;
        return;
    }
    database_send(session, (struct slice){strand->box->bytes, strand->box->len});
    struct line *l = &line[session - sessions];
    const long count = (long)session->left;
    *l = (struct line){
        .at = world.ms + 1 + roll(&luck, 5), .until = -1, .fails_at = -1, .host = h, .strand = s};
    if (world.ms < host[h].away_until)
        l->until = 0;
    else if (trouble(T_cuts, &luck, 25) && happens("cut:%ld", statements))
        l->until = (long)roll(&luck, (unsigned)count + 1);
    else if (trouble(T_cuts, &luck, 25) && happens("deaf:%ld", statements))
        l->deaf = true;
    l->silent = chance(&luck, 500);
    if (trouble(T_slow, &luck, 30) && happens("slow:%ld", statements))
        l->at += lease_part(&luck, 15);
    if (trouble(T_again, &luck, 15) && happens("again:%ld", statements)) {
        l->fails_at = (long)roll(&luck, (unsigned)count + 1);
        l->fault = faults[roll(&luck, 3)];
    }
    l->warned = trouble(T_warns, &luck, 10) && happens("warns:%ld", statements);
    if (l->until >= 0)
        l->until = count - l->until; /* of those that are left */
    if (l->fails_at >= 0)
        l->fails_at = count - l->fails_at;
    if (session->answered) /* to what was asked before, and not waited for */
        hear((int)(session - sessions), true, world.ms + 1);
}

/* The database does the next statement of a session, or finds that nobody is there any more. */
static void database_goes_on(int who)
{
    struct line *l = &line[who];
    struct session *session = &sessions[who];
    struct dice luck = dice("goes on %ld %zu", statements, session->left);
    if (l->gone && !session->left) {
        tell("session %d of host %d ends", who, session->host);
        database_end(session);
        return;
    }
    if (l->until == (long)session->left) { /* the rest does not arrive */
        tell("session %d of host %d is cut before %s", who, session->host,
             session->left ? database_next(session) : "the answer");
        if (l->silent) {
            session->left = 0;
            l->gone = true;
            l->at = world.ms + lease_part(&luck, 30);
        } else {
            cut(who, chance(&luck, 500) ? 0 : lease_part(&luck, 20));
        }
        return;
    }
    const bool fails = l->fails_at == (long)session->left;
    tell("host %d.%d, session %d: %s%s", session->host, l->strand, who, database_next(session),
         fails ? " FAILS" : "");
    if (!database_step(session, fails ? l->fault : NULL, l->warned)) {
        tell("session %d waits for session %d", who, session->waits_for);
        return;
    }
    *now_decides = decider;
    l->at = world.ms + roll(&luck, 3);
    if (!session->answered)
        return;
    if (!l->deaf && !l->gone)
        hear(who, true, world.ms + 1 + roll(&luck, 5));
    else if (l->deaf && !l->silent)
        hear(who, false, world.ms + 1);
    l->gone |= l->deaf;
}

/* ---- hosts and their strands ---- */

static void begin_host(int h)
{
    struct host *one = &host[h];
    one->life++;
    memset((void *)one->told, 0, sizeof *one->told);
    for (int s = 0; s < STRANDS; s++) {
        MUST(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, one->strand[s].line) == 0, "no sockets");
        one->strand[s].state = STRAND_NONE;
    }
    (void)fflush(stdout);
    (void)fflush(world.trace);
    one->pid = fork();
    MUST(one->pid >= 0, "no process");
    if (one->pid == 0) {
        self = one;
        for (int s = 0; s < STRANDS; s++)
            close(one->strand[s].line[0]);
        live();
    }
    for (int s = 0; s < STRANDS; s++)
        close(one->strand[s].line[1]);
    one->strand[MAIN].state = STRAND_PAUSES;
    one->strand[MAIN].at = world.ms;
    tell("host %d begins its life %d", h, one->life);
}

/* It is gone; what it has sent may arrive all the same. */
static void ended(int h)
{
    struct host *one = &host[h];
    struct dice luck = dice("ended %d %d", h, one->life);
    int status;
    (void)waitpid(one->pid, &status, 0);
    if (WIFEXITED(status) && WEXITSTATUS(status) == 1)
        _exit(1);
    MUST(WIFEXITED(status) || WTERMSIG(status) == SIGKILL, "host %d died of signal %d", h, WTERMSIG(status));
    tell("host %d has ended: %d", h, WIFEXITED(status) ? WEXITSTATUS(status) : -1);
    one->torn |= WIFEXITED(status) && WEXITSTATUS(status) == DISK_DIED && one->told->power;
    for (int s = 0; s < STRANDS; s++) {
        close(one->strand[s].line[0]);
        one->strand[s].state = STRAND_NONE;
    }
    for (int i = 0; i < SESSIONS_MOST; i++)
        if (sessions[i].used && line[i].host == h && sessions[i].life == one->life) {
            line[i].gone = true;
            if (!sessions[i].left || chance(&luck, 300))
                cut(i, chance(&luck, 500) ? 0 : lease_part(&luck, 20));
        }
    one->pid = 0;
    one->again = world.ms + 1000 + (world.calm ? 0 : (int64_t)roll(&luck, 600) * 1000);
    one->stands_until = 0;
}

static void kill_host(int h)
{
    (void)kill(host[h].pid, SIGKILL);
    counted->crashes++;
    ended(h);
}

/* It goes on, until it asks for something. */
static void run_strand(int h, int s)
{
    struct host *one = &host[h];
    struct strand *strand = &one->strand[s];
    struct box *box = strand->box;
    char turn;
    if (strand->state == STRAND_WAITS && !strand->hears) { /* it has lost patience */
        box->good = false;
        tell("host %d.%d has waited for long enough", h, s);
    }
    strand->state = STRAND_NONE;
    box->ms = world.ms;
    one->told->calm = world.calm && world.ms >= calm_from + 6 * HOUR_SECONDS * 1000;
    if (write(strand->line[0], "", 1) != 1 || read(strand->line[0], &turn, 1) != 1) {
        ended(h);
        return;
    }
    world.ms = box->ms > world.ms ? box->ms : world.ms;
    if (one->told->begins_beat) {
        one->told->begins_beat = false;
        one->strand[BEAT].state = STRAND_PAUSES;
        one->strand[BEAT].at = world.ms;
    }
    struct dice luck = dice("pause %d %d %lld", h, s, (long long)world.ms);
    strand->news = box->ask == ASK_NEWS;
    switch (box->ask) {
    case ASK_SLEEP:
    case ASK_NEWS:
        strand->state = STRAND_PAUSES;
        strand->at = box->until + roll(&luck, (unsigned)box->stretch + 1);
        break;
    case ASK_JOIN:
        strand->state = STRAND_JOINS;
        one->strand[BEAT].at = one->strand[BEAT].state == STRAND_PAUSES ? world.ms : one->strand[BEAT].at;
        break;
    case ASK_CONNECT: connects(h, s); break;
    case ASK_ANSWER: sends(h, s); break;
    case ASK_CLOSE:
        strand->state = STRAND_PAUSES;
        strand->at = world.ms;
        closes(session_of(box->session));
        break;
    case ASK_END:
        if (s == MAIN)
            ended(h);
        break;
    }
}

static bool joins(const struct host *one)
{
    return one->strand[MAIN].state == STRAND_JOINS && one->strand[BEAT].state == STRAND_NONE;
}

/* When it can go on; INT64_MAX: it cannot. */
static int64_t strand_time(const struct host *one, int s)
{
    const struct strand *strand = &one->strand[s];
    int64_t at = INT64_MAX;
    if (strand->state == STRAND_PAUSES || strand->state == STRAND_WAITS)
        at = strand->at;
    else if (s == MAIN && joins(one))
        at = world.ms;
    return at != INT64_MAX && at < one->stands_until ? one->stands_until : at;
}

static int64_t session_time(int who)
{
    const struct session *session = &sessions[who];
    bool due = session->used && (session->left ? !session->waits : line[who].gone || line[who].until == 0);
    return due ? line[who].at : INT64_MAX;
}

/* ---- what goes wrong ---- */

static void restart_database(void)
{
    tell("the database is restarted");
    for (int i = 0; i < SESSIONS_MOST; i++)
        if (sessions[i].used) {
            hear(i, false, world.ms + 1);
            database_end(&sessions[i]);
        }
}

static void make_trouble(void)
{
    struct dice luck = dice("trouble %ld", world.round);
    if (trouble(T_restarts, &luck, 20) && happens("restart:%ld", world.round))
        restart_database();
    for (int h = 0; h < hosts; h++) {
        struct host *one = &host[h];
        luck = dice("trouble %ld %d", world.round, h);
        if (!one->pid)
            continue;
        if (trouble(T_stands, &luck, 30) && happens("stands:%ld.%d", world.round, h))
            one->stands_until = world.ms + lease_part(&luck, 30);
        if (trouble(T_away, &luck, 30) && happens("away:%ld.%d", world.round, h))
            one->away_until = world.ms + lease_part(&luck, 30);
        if (trouble(T_moves, &luck, 20) && happens("moves:%ld.%d", world.round, h))
            one->told->stop = true;
        if (trouble(T_dies, &luck, 40) && happens("dies:%ld.%d", world.round, h)) {
            one->told->dies_after = 1 + (long)roll(&luck, 150);
            one->told->power = chance(&luck, 500);
        }
    }
}

/* ---- the operator: who asks the host that decides ---- */

static void carry(const char *from, const char *to, const char *end)
{
    struct file_names names;
    struct err err = ERR_INIT;
    char *here = path_join(from, QUEUE_FOLDER), *there = path_join(to, QUEUE_FOLDER);
    MUST_DO(file_mkdirs(there, 0700, &err), err);
    MUST_DO(file_list(here, &names, &err), err);
    for (size_t i = 0; i < names.count; i++)
        if (str_ends(names.name[i], end)) {
            char *a = path_join(here, names.name[i]), *b = path_join(there, names.name[i]);
            MUST(rename(a, b) == 0, "%s cannot be renamed", a);
            free(a);
            free(b);
        }
    file_names_free(&names);
    free(here);
    free(there);
}

static void ask_decider(void)
{
    int h = decider.host < 0 ? 0 : decider.host;
    carry(world.dir, host[h].dir, ".request");
    if (host[h].strand[MAIN].state == STRAND_PAUSES && host[h].strand[MAIN].news)
        host[h].strand[MAIN].at = world.ms;
}

/* ---- a round of the world ---- */

static void run_until(int64_t end)
{
    struct dice luck = dice("order %ld", world.round);
    for (;;) {
        int ready[HOSTS_MOST * STRANDS + SESSIONS_MOST], count = 0;
        int64_t next = INT64_MAX;
        for (int h = 0; h < hosts; h++)
            if (!host[h].pid && host[h].again <= world.ms && !host[h].told->stop)
                begin_host(h);
        for (int i = 0; i < hosts * STRANDS + SESSIONS_MOST; i++) {
            int64_t at = i < hosts * STRANDS ? strand_time(&host[i / STRANDS], i % STRANDS)
                                             : session_time(i - (int)hosts * STRANDS);
            if (at <= world.ms)
                ready[count++] = i;
            else if (at < next)
                next = at;
        }
        for (int h = 0; h < hosts; h++)
            if (!host[h].pid && !host[h].told->stop && host[h].again < next)
                next = host[h].again;
        if (!count && next > end)
            break;
        if (!count) {
            world.ms = next;
            continue;
        }
        int which = ready[roll(&luck, (unsigned)count)];
        if (which >= hosts * STRANDS)
            database_goes_on(which - (int)hosts * STRANDS);
        else if (trouble(T_dies, &luck, 1) && happens("killed:%lld", (long long)world.ms))
            kill_host(which / STRANDS);
        else
            run_strand(which / STRANDS, which % STRANDS);
    }
    if (world.ms < end)
        world.ms = end;
}

bool hosts_round(void)
{
    for (int h = 0; h < hosts; h++)
        if (host[h].told->stop && !host[h].pid)
            host[h].told->stop = false; /* it was moved, and comes back */
    if (!world.calm)
        calm_from = world.ms;
    make_trouble();
    ask_decider();
    run_until(world.ms / 60000 * 60000 + world.minutes * 60000);
    for (int h = 0; h < hosts; h++) {
        char *checkpoint = path_join(host[h].dir, "log/checkpoint");
        carry(host[h].dir, world.dir, ".answer");
        host[h].torn = !judge_log_shown(checkpoint, host[h].torn) && host[h].torn;
        free(checkpoint);
    }
    database_export(world.dir);
    return world.calm;
}

/* ---- the beginning and the end ---- */

static void *shared(size_t size)
{
    void *memory =
        mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    MUST(memory != MAP_FAILED, "no memory");
    return memory;
}

static void found_host(int h)
{
    char command[400];
    struct host *one = &host[h];
    struct dice luck = dice("host %d", h);
    (void)snprintf(one->dir, sizeof one->dir, "%s.host%d", world.dir, h);
    (void)snprintf(command, sizeof command,
                   "cp -a '%s' '%s' && printf '[store]\ntype = postgres\ndatabase = host=/sim "
                   "dbname=sim\nschema = sim\nlease = %lld\n' >>'%s/league.ini'",
                   world.dir, one->dir, (long long)lease, one->dir);
    MUST(system(command) == 0, "%s cannot be made", one->dir);
    one->told = shared(sizeof *one->told);
    for (int s = 0; s < STRANDS; s++)
        one->strand[s].box = shared(sizeof *one->strand[s].box);
    one->wrong = has[T_clocks] ? (int64_t)roll(&luck, 7200) - 3600 : 0;
    one->told->stop = h > 0; /* until the first has brought the league into the database */
}

bool hosts_many(void)
{
    return hosts > 0;
}

void hosts_open(void)
{
    static const enum feature alone[] = {F_crash,  F_power, F_eio,    F_enospc, F_outage, F_clock,
                                         F_daemon, F_site,  F_spoilt, F_unread, F_secret, F_restore};
    struct dice luck = dice("hosts");
    MUST(hosts <= HOSTS_MOST, "there are at most %d hosts", HOSTS_MOST);
    for (size_t i = 0; i < sizeof alone / sizeof *alone; i++)
        world.on[alone[i]] = false;
    lease = (const int[]){100, 300, 300}[roll(&luck, 3)];
    if (world.trace)
        (void)setvbuf(world.trace, NULL, _IOLBF, 0);
    now_decides = shared(sizeof *now_decides);
    *now_decides = decider;
    database_open();
    for (int h = 0; h < hosts; h++)
        found_host(h);
    world.calm = true;
    begin_host(0);
    run_until(world.ms + 60000);
    world.calm = false;
    database_export(world.dir);
}

/* All are ended, and each has, when it has begun once more, what the database has. */
void hosts_end(void)
{
    for (int h = 0; h < hosts; h++)
        host[h].told->stop = true;
    run_until(world.ms + 10 * lease * 1000);
    for (int h = 0; h < hosts; h++) {
        MUST(!host[h].pid, "host %d does not end", h);
        database_compare(host[h].dir);
        if (!getenv("SIM_KEEP"))
            world_shell("rm -rf '%s' '%s.stash'", host[h].dir, host[h].dir);
    }
    database_export(world.dir);
}
