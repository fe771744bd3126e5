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

static void cases(TCase *tc)
{
    tcase_add_checked_fixture(tc, begin, end);
    tcase_add_test(tc, one_file_system_is_synced_once_a_step);
    tcase_add_loop_test(tc, each_of_two_is, 0, 2);
}
TEST_MAIN_ALONE("batch/commit", cases)
