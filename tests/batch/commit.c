/* A commit makes durable what each room wrote, whatever file systems they are on, and each once. */
#include <sys/syscall.h>
#include <unistd.h>

#include "house/house.h"

#define SYNCS_MOST 64

static dev_t synced[SYNCS_MOST];
static size_t sync_count;
static bool watching;

/* In place of the C library's: noted. */
int syncfs(int fd)
{
    struct stat st;
    if (watching && sync_count < SYNCS_MOST && fstat(fd, &st) == 0)
        synced[sync_count++] = st.st_dev;
    return (int)syscall(SYS_syncfs, fd);
}

static struct house house;
static char elsewhere[64]; /* a folder on another file system */

static dev_t device_of(const char *path)
{
    struct stat st;
    ck_assert_int_eq(stat(path, &st), 0);
    return st.st_dev;
}

/* Suites run in one of these. */
static void make_elsewhere(void)
{
    static const char *const places[] = {"/dev/shm", "/tmp", "/var/tmp"};
    size_t i = 0;
    while (i < 2 && device_of(places[i]) == device_of(house.dir))
        i++;
    (void)snprintf(elsewhere, sizeof elsewhere, "%s/turnpost-commit-XXXXXX", places[i]);
    ck_assert_ptr_nonnull(mkdtemp(elsewhere));
}

static void begin(void)
{
    house_open(&house);
    house_player(&house, "alice");
    house_player(&house, "bob");
    house_game(&house, "gc-1", "galaxy-command", 86400, 2, (const char *const[]){"alice", "bob"});
    make_elsewhere();
    watching = false;
}

static void end(void)
{
    house_close(&house);
    scratch_remove(elsewhere);
}

static size_t times_synced(dev_t device)
{
    size_t times = 0;
    for (size_t i = 0; i < sync_count; i++)
        times += synced[i] == device;
    return times;
}

/* Orders of alice, with a receipt in the spool. */
static void play(void)
{
    sync_count = 0;
    watching = true;
    ck_assert_int_eq(
        house_signed(&house, "alice", "alice", "#turnpost orders\ngame: gc-1\nturn: 1\nexplore near\n#end\n"),
        INTAKE_PROCESSED);
    watching = false;
}

/* Moves a folder of the league to the other file system. */
static void move(const char *name)
{
    char *path = house_path(&house, name);
    struct str to = STR_INIT;
    str_addf(&to, "%s/%s", elsewhere, name);
    scratch_copy(path, to.p);
    scratch_remove(path);
    ck_assert_int_eq(symlink(to.p, path), 0);
    str_release(&to);
    free(path);
}

START_TEST(one_file_system_is_synced_once_a_step)
{
    play();
    ck_assert_uint_eq(sync_count, 2);
}
END_TEST

static const char *const folders[] = {"spool", "games"};

START_TEST(each_of_two_is)
{
    dev_t here = device_of(house.dir), there = device_of(elsewhere);
    ck_assert(here != there);
    house_end(&house);
    move(folders[_i]);
    house_begin(&house);
    play();
    ck_assert_uint_eq(times_synced(here), 2);
    ck_assert_uint_eq(times_synced(there), 2);
}
END_TEST

/* ---- a mail that a run staged, whose record it has not written ---- */

#define STAGED "spool/tmp/gc-1.6.1.eml"

static void damage(const char *text)
{
    struct err err = ERR_INIT;
    char *path = house_path(&house, "games/gc-1/journal.jsonl");
    ck_ok(file_write(path, slice_of(text), 0644, &err), err);
    free(path);
    house_remove(&house, "games/gc-1/state.json");
}

/* The game cannot be read when the next run begins, and can be later: until then nobody knows whether the record is there, and
 * the record that comes then has its number. */
START_TEST(a_mail_of_a_game_that_was_damaged)
{
    struct err err = ERR_INIT;
    struct str journal = STR_INIT;
    struct batch_game *game;
    char *path = house_path(&house, "games/gc-1/journal.jsonl"), *staged = house_path(&house, STAGED);
    ck_assert_int_eq(house_find(&house, "gc-1")->seq, 4);
    ck_ok(file_read(path, 1 << 20, &journal, &err), err);
    house_end(&house);
    damage("damaged\n");
    ck_ok(file_write(staged, slice_of("{\"from\":\"\",\"to\":\"alice@example.net\"}\nlost\n"), 0600, &err),
          err);
    house_begin(&house);
    ck_assert(file_exists(staged));
    ck_assert_int_eq(batch_game(&house.batch, "gc-1", &game, &err), -1);
    batch_reset(&house.batch, false);
    ck_assert(file_exists(staged));
    damage(journal.p); /* it is put back */
    house_rules(&house, "gc-1", "do: pause\nreason: x\n");
    ck_assert_int_eq(house_find(&house, "gc-1")->seq, 5);
    ck_assert(!file_exists(staged));
    house.unproved = true;
    str_release(&journal);
    free(path);
    free(staged);
}
END_TEST

static void cases(TCase *tc)
{
    tcase_add_checked_fixture(tc, begin, end);
    tcase_add_test(tc, one_file_system_is_synced_once_a_step);
    tcase_add_loop_test(tc, each_of_two_is, 0, 2);
    tcase_add_test(tc, a_mail_of_a_game_that_was_damaged);
}
TEST_MAIN_ALONE("batch/commit", cases)
