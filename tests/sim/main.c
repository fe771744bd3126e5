/* The world: time, luck, features; one round after the other, some of which die or fail; the summary. */
#include "sim/sim.h"

#include <errno.h>
#include <sodium.h>
#include <stdarg.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/times.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/encode.h"
#include "base/file.h"
#include "base/log.h"
#include "base/mem.h"
#include "base/thread.h"
#include "commands/believed.h"
#include "commands/queue.h"
#include "commands/season_audit.h"
#include "dns/resolver.h"
#include "league/program.h"
#include "luck.h"
#include "scratch.h"
#include "site/site_round.h"

struct world world = {.minutes = 60, .audit = 24};
struct counted *counted;
#define FEATURE_NAME(name) #name,
static const char *const features[] = {FEATURES(FEATURE_NAME)};
static const struct switches all_features = {"feature", features, sizeof *features, FEATURE_COUNT,
                                             0,         500,      world.on};
static const struct switches *const switches[] = {&all_features, &people_acts, &office_deeds,
                                                  &hosts_troubles};
#define SWITCHES (sizeof switches / sizeof *switches)
static const char *given[200]; /* name=value, as typed */
static int given_count;
static const char *skipped = "";
static long last_points = 60;

/* ---- red ---- */

static void print_command(void)
{
    printf("tests/sim/sim %llu %ld", (unsigned long long)world.seed, world.days);
    for (int i = 0; i < given_count; i++)
        printf(" %s", given[i]);
}

void sim_red(const char *file, int line, const char *fmt, ...)
{
    char text[3000];
    va_list args;
    va_start(args, fmt);
    (void)vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    for (char *p = text; *p; p++)
        if (*p == '\n')
            *p = '|';
    printf("RED %s:%d round %ld (day %ld)%s%s: %.1500s -- again: ", strrchr(file, '/') + 1, line, world.round,
           world.round * world.minutes / 1440, *world.lately ? " " : "", world.lately, text);
    print_command();
    printf("\n");
    (void)fflush(stdout);
    if (world.trace)
        (void)fflush(world.trace);
    _exit(1);
}

void sim_leave(int code)
{
#ifdef SIM_COVERAGE
    extern void __gcov_dump(void);
    __gcov_dump();
#endif
    _exit(code);
}

void tell(const char *fmt, ...)
{
    va_list args;
    if (!world.trace)
        return;
    (void)fprintf(world.trace, "%ld ", world.round);
    va_start(args, fmt);
    (void)vfprintf(world.trace, fmt, args);
    va_end(args);
    (void)fputc('\n', world.trace);
}

/* ---- luck ---- */

static uint64_t mix(uint64_t z)
{
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9U;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebU;
    return z ^ (z >> 31);
}

struct dice dice(const char *fmt, ...)
{
    char name[300];
    va_list args;
    va_start(args, fmt);
    (void)vsnprintf(name, sizeof name, fmt, args);
    va_end(args);
    uint64_t state = mix(world.seed + 0x9e3779b97f4a7c15U);
    for (const char *c = name; *c; c++)
        state = mix(state + (unsigned char)*c + 1);
    return (struct dice){state};
}

unsigned roll(struct dice *dice, unsigned n)
{
    return (unsigned)(mix(dice->state += 0x9e3779b97f4a7c15U) % n);
}

bool chance(struct dice *dice, unsigned per_mille)
{
    return roll(dice, 1000) < per_mille;
}

bool happens(const char *fmt, ...)
{
    char name[100];
    va_list args;
    va_start(args, fmt);
    int len = vsnprintf(name, sizeof name, fmt, args);
    va_end(args);
    for (const char *at = skipped; (at = strstr(at, name)); at += len)
        if ((at == skipped || at[-1] == ',') && (at[len] == ',' || !at[len]))
            return false;
    tell("event %s", name);
    return true;
}

bool world_had(const enum feature *which, size_t count)
{
    bool had = false;
    for (size_t i = 0; i < count; i++)
        had |= counted->had[which[i]];
    return had;
}

static struct {
    const char *phrase;
    bool said;
} phrases[100];

const char *says(const char *text, const char *phrase)
{
    const char *at = strstr(text, phrase);
    size_t i = 0;
    while (phrases[i].phrase && strcmp(phrases[i].phrase, phrase) != 0)
        MUST(++i < sizeof phrases / sizeof *phrases - 1, "there are too many phrases");
    phrases[i].phrase = phrase;
    phrases[i].said |= at != NULL;
    return at;
}

/* A line for each phrase that was looked for: "+" said, "-" never. */
static void print_said(void)
{
    const char *path = getenv("SIM_SAYS");
    FILE *out = path ? fopen(path, "a") : NULL;
    for (size_t i = 0; out && phrases[i].phrase; i++)
        (void)fprintf(out, "%c%.*s\n", phrases[i].said ? '+' : '-', (int)strcspn(phrases[i].phrase, "\n"),
                      phrases[i].phrase);
    if (out)
        (void)fclose(out);
}

/* ---- time: the program has no other ---- */

int64_t now(void)
{
    return world.ms / 1000;
}

time_t __wrap_time(time_t *out);
time_t __wrap_time(time_t *out)
{
    time_t t = now() + world.wrong;
    if (out)
        *out = t;
    return t;
}

/* Whoever asks how long something takes moves it on, so that all waiting ends. */
int __wrap_clock_gettime(clockid_t id, struct timespec *t);
int __wrap_clock_gettime(clockid_t id, struct timespec *t)
{
    world.ms += id != CLOCK_REALTIME && id != CLOCK_BOOTTIME;
    int64_t ms = world.ms + (id == CLOCK_REALTIME ? world.wrong * 1000 : 0);
    *t = (struct timespec){.tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000};
    return 0;
}

int __wrap_nanosleep(const struct timespec *pause, struct timespec *left);
int __wrap_nanosleep(const struct timespec *pause, struct timespec *left)
{
    (void)left;
    if (hosts_sleep(pause->tv_sec * 1000 + pause->tv_nsec / 1000000))
        return 0;
    world.ms += pause->tv_sec * 1000 + pause->tv_nsec / 1000000 + 1;
    return 0;
}

bool __wrap_clock_kept(void);
bool __wrap_clock_kept(void)
{
    return world.wrong == 0;
}

/* What threads do is done in line. */
bool __wrap_thread_begin(pthread_t *thread, void *(*run)(void *arg), void *arg);
bool __wrap_thread_begin(pthread_t *thread, void *(*run)(void *arg), void *arg)
{
    (void)thread;
    (void)run;
    (void)arg;
    return false;
}

/* Whatever build this is, or a seed would mean something else in the next one. A new program comes every now and then. */
bool __wrap_program_entry(struct log_entry *entry, int64_t time);
bool __wrap_program_entry(struct log_entry *entry, int64_t time)
{
    *entry = (struct log_entry){.kind = ENTRY_PROGRAM, .time = time, .version = "1.0"};
    memset(entry->digest, (int)(world.round / 40), sizeof entry->digest);
    return true;
}

/* No mail comes for a while. */
int __real_league_source(const struct league *league, struct source **out, struct err *err);
int __wrap_league_source(const struct league *league, struct source **out, struct err *err);
int __wrap_league_source(const struct league *league, struct source **out, struct err *err)
{
    return world.deaf ? err_set(err, ERR_TEMP, "the mail server does not answer")
                      : __real_league_source(league, out, err);
}

/* A fault of the program, which some mails meet: for half a day, or again and again. */
int __real_batch_take(struct batch *batch, struct batch_game *game, struct step *step,
                      const struct message *answered, struct err *err);
int __wrap_batch_take(struct batch *batch, struct batch_game *game, struct step *step,
                      const struct message *answered, struct err *err);
int __wrap_batch_take(struct batch *batch, struct batch_game *game, struct step *step,
                      const struct message *answered, struct err *err)
{
    if (answered && world.on[F_faulty] && !world.calm && answered->digest[0] < 12) {
        struct dice luck = dice("fault %u %lld", answered->digest[1], (long long)now() / 43200);
        counted->had[F_faulty] = true;
        if (chance(&luck, 850))
            return err_set(err, ERR_BROKEN, "a fault of the program");
    }
    return __real_batch_take(batch, game, step, answered, err);
}

bool fill_braces(struct str *out, const char *text, brace_value *value, void *arg)
{
    bool all = true;
    for (; *text; text++) {
        char name[12] = "";
        if (*text != '{') {
            str_addc(out, *text);
            continue;
        }
        (void)snprintf(name, sizeof name, "%.*s", (int)strcspn(text + 1, "}"), text + 1);
        text += strlen(name) + 1;
        all &= value(arg, out, name);
    }
    return all;
}

void world_draws(uint64_t from)
{
    luck_drawn = from;
}

/* ---- the league ---- */

int world_open(struct err *err)
{
    if (world.open)
        return 0;
    if (league_open(world.dir, true, &world.league, err))
        return -1;
    world.league.between = queue_work;
    world.league.closed = season_audit;
    int rc = resolver_open(&(struct dns_way){"127.0.0.1@1", "", 5}, &world.league.resolver, err);
    if (rc == 0)
        rc = believed_begin(&world.league, err);
    if (rc == 0)
        rc = batch_open(&world.batch, &world.league, clock_system(), err);
    world.open = rc == 0;
    if (rc) {
        resolver_close(world.league.resolver);
        league_close(&world.league);
    }
    return rc;
}

void world_close(void)
{
    if (!world.open)
        return;
    counted->orders += (long)world.batch.done.orders;
    counted->turns += (long)world.batch.done.turns;
    batch_close(&world.batch);
    resolver_close(world.league.resolver);
    league_close(&world.league);
    world.open = false;
}

/* A path in the league's folder; the caller frees. */
static char *path_of(const char *fmt, va_list args)
{
    struct str path = STR_INIT;
    str_addf(&path, "%s/", world.dir);
    str_vaddf(&path, fmt, args);
    return str_detach(&path);
}

char *world_path(const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    char *path = path_of(fmt, args);
    va_end(args);
    return path;
}

void world_slurp(struct str *out, const char *fmt, ...)
{
    struct err err = ERR_INIT;
    va_list args;
    va_start(args, fmt);
    char *path = path_of(fmt, args);
    va_end(args);
    str_init(out);
    if (strcmp(path + strlen(world.dir) + 1, world.unread) == 0)
        str_addslice(out, slice_str(&world.unread_is));
    else if (file_exists(path))
        MUST_DO(file_read(path, (size_t)1 << 30, out, &err), err);
    free(path);
}

void world_shell(const char *fmt, ...)
{
    char command[800];
    va_list args;
    va_start(args, fmt);
    (void)vsnprintf(command, sizeof command, fmt, args);
    va_end(args);
    MUST(system(command) == 0, "%s fails", command);
    disk_forget();
}

/* Players make games, too. */
static void count_games(void)
{
    struct file_names names;
    struct err err = ERR_INIT;
    char *folder = path_join(world.dir, "games");
    MUST_DO(file_list(folder, &names, &err), err);
    for (size_t i = 0; i < names.count; i++) {
        int g = 0;
        char *path = world_path("games/%s/journal.jsonl", names.name[i]);
        bool is = file_size(path) > 0; /* a crash may leave a folder, until the next start */
        free(path);
        while (g < world.games && strcmp(world.game[g], names.name[i]) != 0)
            g++;
        if (is && g == world.games && g < GAMES_MOST)
            (void)snprintf(world.game[world.games++], GAME_NAME, "%s", names.name[i]);
    }
    file_names_free(&names);
    free(folder);
}

void world_recount(void)
{
    world.games = 0;
    count_games();
}

/* As `turnpost run` and `daemon` do it. */
int world_round(struct work_sum *sum, struct err *err)
{
    struct batch *batch = &world.batch;
    struct source *source = NULL;
    struct err mail_err = ERR_INIT;
    if (world_open(err) || believed_begin(&world.league, err) || batch_round(batch, clock_system(), err) ||
        work_between(batch, err))
        return -1;
    int mail = league_source(&world.league, &source, &mail_err);
    if (mail == 0)
        mail = work_mail(batch, source, NULL, sum, &mail_err);
    source_close(source);
    int rc = mail;
    if (mail == 0 || (!batch->torn && (mail_err.code == ERR_TEMP || mail_err.code == ERR_CONFIG))) {
        batch->outside.deaf = mail != 0;
        rc = work_clock(batch, sum, err);
        if (rc == 0)
            rc = mail ? batch_round_deaf(batch, &mail_err, err) : batch_round_done(batch, err);
    }
    if (rc == 0)
        rc = work_send(batch, NULL, sum, err);
    if (rc == 0)
        site_round(batch);
    return mail ? err_pass(err, &mail_err) : rc;
}

/* ---- rounds ---- */

/* A round in a process of its own, that dies at a call. What comes after finds the disk as it is then. False: it ended before. */
static bool round_dies(struct dice *luck, long point)
{
    int status;
    world_close();
    disk.chosen = point;
    disk.torn = chance(luck, 400);
    disk.power = world.on[F_power] && chance(luck, 600);
    (void)fflush(stdout);
    (void)fflush(world.trace);
    pid_t pid = fork();
    if (pid == 0) {
        struct err err = ERR_INIT;
        struct work_sum sum = {0};
        (void)snprintf(world.lately, sizeof world.lately, "in the round that was to die at call %ld", point);
        disk.dice = *luck;
        disk.points = 0;
        disk.mode = DISK_DIES;
        int rc = world_round(&sum, &err);
        world_close();
        disk.mode = DISK_GOOD; /* it did not come so far */
        MUST(rc == 0 || world.wrong || world.locked || world.deaf, "%s", err.text);
        sim_leave(0);
    }
    (void)waitpid(pid, &status, 0);
    if (WIFEXITED(status) && WEXITSTATUS(status) == 1)
        _exit(1);
    MUST(WIFEXITED(status), "the process that was to die at call %ld died of signal %d", point,
         WTERMSIG(status));
    (void)snprintf(world.lately, sizeof world.lately, "after round %ld died at call %ld%s%s", world.round,
                   point, disk.torn ? ", torn" : "", disk.power ? ", power lost" : "");
    tell("%s: %d", world.lately, WEXITSTATUS(status));
    return WEXITSTATUS(status) == DISK_DIED;
}

static void round_fails(struct dice *luck)
{
    struct err err = ERR_INIT;
    struct work_sum sum = {0};
    disk.mode = DISK_FAILS;
    disk.chosen = 1 + roll(luck, (unsigned)last_points + 5);
    disk.error = world.on[F_eio] && (!world.on[F_enospc] || chance(luck, 500)) ? EIO : ENOSPC;
    disk.stays = chance(luck, 500);
    disk.torn = chance(luck, 300);
    disk.dice = *luck;
    disk.points = disk.failed = 0;
    int rc = world_round(&sum, &err);
    counted->errors += disk.failed != 0;
    world_close();
    disk.mode = DISK_GOOD;
    if (disk.failed)
        (void)snprintf(world.lately, sizeof world.lately, "after error %d at call %ld%s of round %ld (%.80s)",
                       disk.error, disk.chosen, disk.stays ? " and later" : "", world.round,
                       rc ? err.text : "done");
    tell("%s", world.lately);
}

/* Was it one, and not only a look at a clock that cannot be right? */
static bool round_runs(void)
{
    struct err err = ERR_INIT;
    struct work_sum sum = {0};
    struct dice luck = dice("daemon %ld", world.round);
    disk.points = 0;
    int rc = world_round(&sum, &err);
    if (disk.points > 40)
        last_points = disk.points;
    judge_round(&sum, rc, &err);
    counted->rounds++;
    counted->mails += (long)sum.mails;
    if (!world.on[F_daemon] || chance(&luck, 20))
        world_close();
    return rc == 0;
}

/* When all is done that there was, a round changes nothing. */
static void rest(void)
{
    for (int i = 0; i < 3; i++) {
        struct err err = ERR_INIT;
        struct work_sum sum = {0};
        world.ms += 1000; /* of one second there is one round */
        if (i == 2)
            disk.mode = DISK_IDLE;
        int rc = world_round(&sum, &err);
        disk.mode = DISK_GOOD;
        MUST(rc == 0, "a round fails at rest: %s", err.text);
    }
}

static long
    every; /* from this round on one that has something to do is tried at each of its calls; 0 = none */

/* Per mille of rounds of an hour; where rounds are rare, of each more. */
static unsigned often(unsigned per_mille)
{
    return world.minutes > 60 ? per_mille * 3 : per_mille;
}

/* The mail server does not answer for some hours, or days. */
static void server_fails(struct dice *luck)
{
    static int64_t until;
    if (world.deaf && (world.calm || now() >= until))
        world.deaf = false;
    else if (!world.deaf && !world.calm && !every && world.on[F_deaf] && !hosts_many() &&
             chance(luck, often(8)) && happens("deaf:%ld", world.round)) {
        world.deaf = counted->had[F_deaf] = true;
        until = now() + (int64_t)(1 + roll(luck, 40)) * 3600;
    }
}

/* The host's clock is wrong for a while; nobody says that it is kept right. */
static void clock_goes_wrong(struct dice *luck)
{
    static int left;
    if (left && --left == 0)
        world.wrong = 0;
    if (!left && !world.calm && world.on[F_clock] && chance(luck, 10) && happens("clock:%ld", world.round)) {
        counted->had[F_clock] = true;
        left = 1 + (int)roll(luck, 30);
        world.wrong = (int64_t)roll(luck, 20 * 3600) - 4 * 3600;
        if (chance(luck, 300))
            world.wrong *= 50;
        tell("the clock is %lld s ahead for %d rounds", (long long)world.wrong, left);
    }
    if (world.calm) {
        left = 0;
        world.wrong = 0;
    }
}

/* ---- every point ---- */

static bool mail_waits(void)
{
    struct file_names names;
    struct err err = ERR_INIT;
    char *folder = path_join(world.dir, "mail/in/new");
    MUST_DO(file_list(folder, &names, &err), err);
    bool waits = names.count >= 2;
    file_names_free(&names);
    free(folder);
    return waits;
}

/* What comes first after the death of a round, by luck: the operator's pause of a game, a day that has passed (so reminders and deadlines),
 * another player's mail alone, or just the same mails, by name servers that say nothing or by those that answer. */
static void something_else(struct dice *luck)
{
    switch (roll(luck, 5)) {
    case 0: office_pauses(luck); break;
    case 1: world.ms += (int64_t)(1 + roll(luck, 30)) * 3600000; break;
    case 2: post_hold_back(); break;
    case 3: world.nameless_until = now() + world.minutes * 90; break; /* in the next round */
    default: break;
    }
}

/* The league dies at that call, and goes on. False: the round ends before it. */
static bool try_point(long point)
{
    struct dice luck = dice("point %ld", point);
    if (!round_dies(&luck, point))
        return false;
    world.calm = true;
    something_else(&luck);
    for (int i = 0; i < 3; i++) {
        world.round++;
        world.ms += world.minutes * 60000;
        if (i)
            post_deliver();
        bool undisturbed = round_runs();
        post_fetch();
        count_games();
        people_act();
        MUST(undisturbed, "a round does nothing");
    }
    judge_now();
    return true;
}

/* With the times of its files, by which mails have arrived. */
static void copy_league(const char *from, const char *to)
{
    world_shell("rm -rf '%s' && cp -a '%s' '%s'", to, from, to);
}

static void every_point(void)
{
    char kept[120];
    struct stat st;
    (void)snprintf(kept, sizeof kept, "%s.kept", world.dir);
    world_close();
    copy_league(world.dir, kept);
    const off_t taken = stat(world.outbox, &st) == 0 ? st.st_size : 0;
    long points = 0;
    for (bool more = true; more;) {
        int status;
        (void)fflush(stdout);
        (void)fflush(world.trace);
        pid_t pid = fork();
        if (pid == 0)
            sim_leave(try_point(points + 1) ? 0 : 2);
        (void)waitpid(pid, &status, 0);
        if (WIFEXITED(status) && WEXITSTATUS(status) == 1)
            _exit(1);
        MUST(WIFEXITED(status), "what came after point %ld died of signal %d", points + 1, WTERMSIG(status));
        more = WEXITSTATUS(status) == 0;
        points += more;
        copy_league(kept, world.dir);
        (void)!truncate(world.outbox, taken);
    }
    scratch_remove(kept);
    tell("round %ld died at each of its %ld calls", world.round, points);
    counted->points += points;
    every = 0;
}

static void next_round(void)
{
    struct dice luck = dice("round %ld", world.round);
    int64_t pause = world.minutes * 60000;
    if (!world.calm && world.on[F_outage] && chance(&luck, often(6)) && happens("outage:%ld", world.round))
        pause += (int64_t)(1 + roll(&luck, 60)) * 3600000;
    if (!hosts_many()) /* they have used it up */
        world.ms = (world.ms / 60000) * 60000 + pause;
    world_draws((uint64_t)world.round << 32); /* hangs on nothing before */
    bool undisturbed = false;
    clock_goes_wrong(&luck);
    struct dice server = dice("server %ld", world.round);
    server_fails(&server);
    post_deliver();
    office_act();
    if (every && world.round >= every && !world.locked &&
        mail_waits()) /* with a wrong secret no round works */
        every_point();
    if (hosts_many())
        undisturbed = hosts_round();
    else if (!world.calm && world.on[F_crash] && chance(&luck, often(60)) &&
             happens("crash:%ld", world.round))
        round_dies(&luck, 1 + roll(&luck, (unsigned)(last_points + last_points / 4 + 5)));
    else if (!world.calm && (world.on[F_eio] || world.on[F_enospc]) && chance(&luck, often(40)) &&
             happens("error:%ld", world.round))
        round_fails(&luck);
    else
        undisturbed = round_runs();
    world.disturbed = undisturbed ? 0 : world.disturbed + 1;
    if (undisturbed && !world.deaf && !hosts_many() &&
        chance(&luck, often(20))) /* what the judge has of several is a copy */
        rest();
    post_fetch();
    count_games();
    judge_sometimes(undisturbed);
    people_act();
}

/* ---- the beginning ---- */

static void option(const char *section, const char *lines)
{
    struct str text = STR_INIT, changed = STR_INIT;
    struct err err = ERR_INIT;
    world_slurp(&text, "league.ini");
    size_t at = slice_find(slice_str(&text), section) + strlen(section);
    str_addf(&changed, "%.*s\n%s%s", (int)at, text.p, lines, text.p + at);
    char *path = path_join(world.dir, "league.ini");
    MUST_DO(file_write_soft(path, slice_str(&changed), 0600, &err), err);
    free(path);
    str_release(&text);
    str_release(&changed);
}

static void found_league(void)
{
    struct err err = ERR_INIT;
    MUST_DO(league_init(world.dir, "Orion League", "league@example.org", &err), err);
    MUST(league_master(world.dir, world.master), "the league has no secret");
    option("[league]", world.on[F_invited] ? "registration = invite\n" : "registration = open\n");
    option("[league]", "player_games = 1\nplayer_invites = 2\nratings = mail\n");
    option("[outgoing]", "sendmail = sim\n");
    if (hosts_many()) { /* one mailbox for all of them */
        char line[200];
        (void)snprintf(line, sizeof line, "maildir = %s/mail/in\n", world.dir);
        option("[incoming]", line);
    }
    if (world.on[F_zone])
        option("[league]", world.seed % 2 ? "timezone = Europe/Berlin\n" : "timezone = America/New_York\n");
    if (world.on[F_rules])
        option("[league]", "moderators = mona\n");
    if (world.seed % 3 == 0)
        option("[league]", "contact = host@mail.test\n");
    if (world.on[F_site])
        option("[site]", "folder = site\nurl = https://games.example.org/\n");
}

int world_command(int (*command)(int argc, char **argv), const char *const *words)
{
    int status;
    (void)fflush(stdout);
    (void)fflush(world.trace);
    pid_t pid = fork();
    if (pid == 0) {
        char *argv[20] = {NULL};
        int argc = 0;
        for (; argc < 19 && words[argc]; argc++)
            argv[argc] = mem_strdup(words[argc]);
        if (!getenv("SIM_LOG") && !freopen("/dev/null", "w", stdout))
            _exit(1);
        int code = command(argc, argv);
        (void)fflush(stdout);
        sim_leave(code);
    }
    (void)waitpid(pid, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static const char *name_of(const struct switches *one, size_t i)
{
    return *(const char *const *)((const char *)one->names + i * one->row);
}

static bool take_option(const char *text)
{
    char name[40];
    const char *eq = strchr(text, '=');
    if (!eq || eq - text >= (int)sizeof name)
        return false;
    (void)snprintf(name, sizeof name, "%.*s", (int)(eq - text), text);
    int value = atoi(eq + 1);
    static const struct {
        const char *name;
        long *is;
    } numbers[] = {{"minutes", &world.minutes},
                   {"audit", &world.audit},
                   {"every", &every},
                   {"people", &world.people},
                   {"games", &world.games_wanted},
                   {"verbose", &world.verbose},
                   {"bustle", &world.bustle},
                   {"hosts", &hosts}};
    bool known = false;
    for (size_t s = 0; s < SWITCHES; s++)
        for (size_t i = 0; i < switches[s]->count; i++)
            if (strcmp(name, name_of(switches[s], i)) == 0 || strcmp(name, "all") == 0) {
                known = true;
                switches[s]->on[i] = value != 0;
            }
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        if (strcmp(name, numbers[i].name) == 0) {
            known = true;
            *numbers[i].is = value;
        }
    if (strcmp(name, "skip") == 0) {
        known = true;
        skipped = eq + 1;
    }
    if (known && given_count < 200)
        given[given_count++] = text;
    return known;
}

static void print_on(FILE *out)
{
    for (size_t s = 0; s < SWITCHES && (switches[s] != &hosts_troubles || hosts); s++)
        for (size_t i = 0; i < switches[s]->count; i++)
            if (switches[s]->on[i])
                (void)fprintf(out, " %s", name_of(switches[s], i));
    (void)fputc('\n', out);
}

static void begin(int argc, char **argv)
{
    char seed[30];
    struct err err = ERR_INIT;
    world.seed = strtoull(argv[1], NULL, 10);
    world.days = atol(argv[2]);
    (void)snprintf(seed, sizeof seed, "%llu", (unsigned long long)world.seed);
    (void)setenv("SEED", seed, 1);
    luck_open();
    char *zones = realpath("tests/zones", NULL); /* as suites have it */
    MUST(zones && setenv("TZDIR", zones, 0) == 0, "run this from the folder that holds tests/");
    free(zones);
    struct dice luck = dice("world");
    world.games_wanted = 2 + roll(&luck, 3);
    world.people = 3 + roll(&luck, 4);
    world.bustle = (const long[]){1, 3, 10}[roll(&luck, 3)];
    world.minutes = (const long[]){15, 60, 60, 240}[roll(&luck, 4)];
    const int64_t any = 1795176000 + (int64_t)roll(&luck, 400) * 86400,
                  before = 43200 - (int64_t)roll(&luck, 6) * 86400;
    const unsigned which = roll(&luck, 4);
    for (size_t s = 0; s < SWITCHES; s++)
        for (size_t i = 0; i < switches[s]->count; i++) {
            struct dice own = dice("%s %s", switches[s]->kind, name_of(switches[s], i));
            const unsigned shown = roll(&own, 1000);
            switches[s]->on[i] = shown >= switches[s]->from && shown < switches[s]->below;
        }
    for (int i = 3; i < argc; i++)
        MUST(take_option(argv[i]), "there is no %s", argv[i]);
    /* Days on which clocks are put forward and back in Europe and America, and one that comes every four years. */
    static const int64_t dates[] = {1806192000, 1824940800, 1793491200, 1835395200};
    world.ms = (world.on[F_dates] ? dates[which] + before : any) * 1000;
    if (world.on[F_keyless] == world.on[F_keyed])
        world.on[F_keyless] = world.on[F_keyed] = true;
    const char *place = getenv("TMPDIR"), *trace = getenv("SIM_TRACE");
    (void)snprintf(world.dir, sizeof world.dir, "%s/sim-%s-%d", place && *place ? place : "/dev/shm", seed,
                   (int)getpid());
    (void)snprintf(world.outbox, sizeof world.outbox, "%s.out", world.dir);
    world.trace = trace ? fopen(trace, "w") : NULL;
    log_set_level(LOG_INFO);
    char log[120];
    (void)snprintf(log, sizeof log, "%s.log", world.dir);
    if (!getenv("SIM_LOG"))
        MUST(freopen(log, "w", stderr), "%s cannot be written", log);
    if (world.trace) {
        (void)fprintf(world.trace, "0 on");
        print_on(world.trace);
    }
    counted = mmap(NULL, sizeof *counted, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    found_league();
    MUST_DO(world_open(&err), err);
    league_fingerprint(&world.league, world.print);
    memcpy(world.key, world.league.key.point, sizeof world.key);
    world_close();
    people_begin();
    if (!hosts_many())
        disk_open(world.dir); /* what was there is safe */
    post_open();
    if (hosts_many())
        hosts_open();
}

/* ---- the end ---- */

static void hash_all(char hex[33])
{
    unsigned char hash[16];
    crypto_generichash_state state;
    crypto_generichash_init(&state, NULL, 0, sizeof hash);
    for (int g = 0; g < world.games; g++) {
        struct str bytes;
        world_slurp(&bytes, "games/%s/journal.jsonl", world.game[g]);
        crypto_generichash_update(&state, (const unsigned char *)bytes.p, bytes.len);
        str_release(&bytes);
    }
    for (int i = 0; i < world.people; i++)
        for (size_t k = 0; k < world.person[i].count; k++) {
            struct str raw;
            post_read(&world.person[i].mails[k], &raw);
            crypto_generichash_update(&state, (const unsigned char *)raw.p, raw.len);
            str_release(&raw);
        }
    crypto_generichash_final(&state, hash, sizeof hash);
    hex_to(hex, hash, sizeof hash);
}

static double seconds(void)
{
    struct tms used;
    (void)times(&used);
    return (double)(used.tms_utime + used.tms_stime + used.tms_cutime + used.tms_cstime) /
           (double)sysconf(_SC_CLK_TCK);
}

static void print_end(void)
{
    char hex[33];
    struct rusage usage;
    hash_all(hex);
    getrusage(RUSAGE_SELF, &usage);
    const struct counted *c = counted;
    printf("green %llu: %ld days, %ld rounds, %ld people, %d games; ", (unsigned long long)world.seed,
           world.days, c->rounds, world.people, world.games);
    printf("%ld mails written, %ld read, %ld orders, %ld receipts, %ld turns, ", c->sent, c->mails, c->orders,
           c->receipts, c->turns);
    printf("%ld deeds (%ld refused); %ld deaths (%ld without power), ", c->deeds, c->refused_deeds,
           c->crashes, c->lost_power);
    printf("%ld points, %ld errors, %ld audits; %.1f CPU s, %ld MB; %s;", c->points, c->errors, c->audits,
           seconds(), usage.ru_maxrss / 1024, hex);
    print_on(stdout);
}

int main(int argc, char **argv)
{
    if (argc < 3 || sodium_init() < 0) {
        (void)fprintf(stderr, "usage: sim SEED DAYS [name=value ...] (tests/sim/README.md)\n");
        return 64;
    }
    begin(argc, argv);
    const long rounds = world.days * 1440 / world.minutes,
               calm = (hosts_many() ? 2 : 4) * 1440 / world.minutes;
    for (world.round = 1; world.round <= rounds + calm; world.round++) {
        world.calm = world.round > rounds; /* what is still wrong then does not mend itself */
        next_round();
    }
    if (hosts_many())
        hosts_end();
    judge_end();
    print_end();
    print_said();
    (void)fflush(stdout);
    if (!getenv("SIM_KEEP")) {
        world_shell("rm -rf '%s' '%s' '%s.stash' '%s.backup' '%s.log' '%s.mails' '%s.gone'", world.dir,
                    world.outbox, world.dir, world.dir, world.dir, world.dir, world.dir);
    }
    return 0;
}
