/* A log as files: what they hold at every size, that they can be made again from the entries after any crash, and what a
 * million entries cost. */
#include "tlog/made.h"

#include <signal.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "scratch.h"
#include "tlog/tiles.h"

struct shop {
    char dir[SCRATCH_PATH];
    char *log; /* the folder, not there yet */
    struct made_key key;
    struct tiles *tiles;
};

static void shop_open(struct shop *s)
{
    struct err err = ERR_INIT;
    ck_ok(tiles_open(s->log, &s->tiles, &err), err);
}

static void shop_begin(struct shop *s)
{
    scratch_make(s->dir, "tiles");
    s->log = path_join(s->dir, "log");
    make_key(&s->key, LOG_NAME, VKEY_SIGNER);
    shop_open(s);
}

static void shop_end(struct shop *s)
{
    tiles_close(s->tiles);
    scratch_remove(s->dir);
    free(s->log);
}

static void reopen(struct shop *s)
{
    tiles_close(s->tiles);
    shop_open(s);
}

/* As the caller does it: what the tiles have not got comes from the entries. */
static void fill(struct shop *s, int64_t size)
{
    struct err err = ERR_INIT;
    struct str lines = STR_INIT;
    while (tiles_size(s->tiles) < size) {
        str_clear(&lines);
        for (int64_t n = tiles_size(s->tiles), end = n + 100 < size ? n + 100 : size; n < end; n++) {
            make_line(&lines, n);
            str_addc(&lines, '\n');
        }
        ck_ok(tiles_append(s->tiles, slice_str(&lines), &err), err);
    }
    str_release(&lines);
}

static void publish(struct shop *s)
{
    struct err err = ERR_INIT;
    struct str note = STR_INIT;
    struct checkpoint checkpoint = {.origin = LOG_NAME, .size = tiles_size(s->tiles)};
    tiles_root(s->tiles, &checkpoint.root);
    checkpoint_note(&note, &checkpoint, &s->key.key, s->key.secret);
    ck_ok(tiles_publish(s->tiles, slice_str(&note), &err), err);
    str_release(&note);
}

static bool has(const struct shop *s, const char *name)
{
    char *path = path_join(s->log, name);
    bool there = file_exists(path);
    free(path);
    return there;
}

static int64_t size_of(const struct shop *s, const char *name)
{
    char *path = path_join(s->log, name);
    int64_t size = file_size(path);
    free(path);
    return size;
}

/* Roots, proofs and entries are those of the same log in memory. */
static void check_all(struct shop *s, struct made_log *log, int64_t step)
{
    struct err err = ERR_INIT;
    struct tree_reader ours = tiles_reader(s->tiles), theirs = made_reader(log);
    int64_t size = tiles_size(s->tiles);
    struct tree_hash a, b;
    struct tree_path p, q;
    ck_ok(tree_root(&theirs, size, &b, &err), err);
    tiles_root(s->tiles, &a);
    ck_assert(tree_hash_equal(&a, &b));
    for (int64_t i = 0; i < size; i += step) {
        ck_ok(tree_inclusion(&ours, i, size, &p, &err), err);
        ck_ok(tree_inclusion(&theirs, i, size, &q, &err), err);
        ck_assert(p.count == q.count && memcmp(p.hash, q.hash, p.count * TREE_HASH) == 0);
        ck_ok(tree_consistency(&ours, i, size, &p, &err), err);
        ck_ok(tree_consistency(&theirs, i, size, &q, &err), err);
        ck_assert(p.count == q.count && memcmp(p.hash, q.hash, p.count * TREE_HASH) == 0);
        ck_ok(tree_root(&ours, i, &a, &err), err);
        ck_ok(tree_root(&theirs, i, &b, &err), err);
        ck_assert(tree_hash_equal(&a, &b));
        struct str want = STR_INIT, got = STR_INIT;
        make_line(&want, i);
        ck_ok(tiles_entry(s->tiles, i, &got, &err), err);
        ck_assert_str_eq(got.p, want.p);
        str_release(&want);
        str_release(&got);
    }
}

START_TEST(at_every_size)
{
    struct shop s;
    struct made_log *log = make_log(800);
    struct err err = ERR_INIT;
    struct tree_hash hash;
    shop_begin(&s);
    for (int64_t size = 0; size <= 800; size += size % 256 < 3 || size % 256 > 252 ? 1 : 83) {
        fill(&s, size);
        publish(&s);
        check_all(&s, log, 97);
        reopen(&s);
        ck_assert_int_eq(tiles_size(s.tiles), size);
        check_all(&s, log, 97);
    }
    struct str out = STR_INIT;
    int64_t size = tiles_size(s.tiles);
    ck_assert(tiles_entry(s.tiles, size, &out, &err) != 0 && err.code == ERR_MISSING);
    err_clear(&err);
    ck_assert(tiles_entry(s.tiles, -1, &out, &err) != 0);
    err_clear(&err);
    struct tree_reader reader = tiles_reader(s.tiles);
    ck_assert(reader.read(reader.arg, 0, size, &hash, &err) != 0 && err.code == ERR_MISSING);
    str_release(&out);
    shop_end(&s);
    free(log);
}
END_TEST

/* The example of c2sp.org/tlog-tiles: 70,000 entries, 273 full tiles and so on. Partial ones stay until their full one is there,
 * for who has a checkpoint of then. */
START_TEST(the_files_that_the_format_asks_for)
{
    struct shop s;
    shop_begin(&s);
    fill(&s, 69900);
    publish(&s);
    fill(&s, 70000);
    publish(&s);
    ck_assert_int_eq(size_of(&s, "tile/0/000"), 8192);
    ck_assert_int_eq(size_of(&s, "tile/0/272"), 8192);
    ck_assert_int_eq(size_of(&s, "tile/0/273.p/12"), 12 * 32);
    ck_assert_int_eq(size_of(&s, "tile/0/273.p/112"), 112 * 32);
    ck_assert_int_eq(size_of(&s, "tile/1/000"), 8192);
    ck_assert_int_eq(size_of(&s, "tile/1/001.p/17"), 17 * 32);
    ck_assert_int_eq(size_of(&s, "tile/2/000.p/1"), 32);
    ck_assert(has(&s, "tile/entries/272") && has(&s, "tile/entries/273.p/112") &&
              has(&s, "tile/entries/273.p/12"));
    ck_assert(!has(&s, "tile/0/273") && !has(&s, "tile/3") && !has(&s, "tile/1/001") &&
              !has(&s, "tile/1/000.p"));
    fill(&s, 70144);
    publish(&s);
    ck_assert(has(&s, "tile/0/273") && has(&s, "tile/entries/273"));
    ck_assert(!has(&s, "tile/0/273.p") && !has(&s, "tile/entries/273.p") && !has(&s, "tile/0/274.p"));
    ck_assert_int_eq(size_of(&s, "tile/1/001.p/18"), 18 * 32);
    shop_end(&s);
}
END_TEST

/* Full tiles are written before a checkpoint speaks of them. Whoever dies then, finds the checkpoint before, and goes on. */
START_TEST(killed_before_the_checkpoint)
{
    struct shop s;
    struct made_log *log = make_log(800);
    shop_begin(&s);
    fill(&s, 200);
    publish(&s);
    fill(&s, 600);
    reopen(&s);
    ck_assert_int_eq(tiles_size(s.tiles), 200);
    /* and where the partial tile was removed already, too */
    char *hashes = path_join(s.log, "tile/0/000.p"), *entries = path_join(s.log, "tile/entries/000.p");
    scratch_remove(hashes);
    scratch_remove(entries);
    free(hashes);
    free(entries);
    reopen(&s);
    ck_assert_int_eq(tiles_size(s.tiles), 200);
    fill(&s, 800);
    publish(&s);
    check_all(&s, log, 41);
    reopen(&s);
    ck_assert_int_eq(tiles_size(s.tiles), 800);
    shop_end(&s);
    free(log);
}
END_TEST

/* When a disk is waited for: what is there of a log by then. */
static const struct shop *watched;
static int syncs;

int syncfs(int fd)
{
    (void)fd;
    if (!watched)
        return 0;
    syncs++;
    ck_assert_int_eq(size_of(watched, "tile/0/000"), TILE_WIDTH * TREE_HASH);
    ck_assert_int_gt(size_of(watched, "tile/entries/000"), 0);
    ck_assert(has(watched, "tile/0/000.p/200") && has(watched, "tile/entries/000.p/200"));
    ck_assert_msg(!has(watched, "checkpoint"), "it was taken away before");
    return 0;
}

/* Power may fail at any time. A start looks at the partial tiles; a full one is on the disk before a checkpoint speaks of it, and before
 * the partial one goes. */
START_TEST(full_tiles_last)
{
    struct shop s;
    shop_begin(&s);
    watched = &s;
    fill(&s, 200);
    publish(&s);
    ck_assert_int_eq(syncs, 0);
    char *checkpoint = path_join(s.log, "checkpoint");
    struct err err = ERR_INIT;
    ck_ok(file_remove(checkpoint, &err), err);
    fill(&s, 300);
    publish(&s);
    ck_assert_int_eq(syncs, 1);
    ck_assert(file_exists(checkpoint) && !has(&s, "tile/0/000.p/200"));
    fill(&s, 301);
    publish(&s);
    ck_assert_int_eq(syncs, 1);
    watched = NULL;
    free(checkpoint);
    shop_end(&s);
}
END_TEST

/* A process that appends and shows checkpoints is killed, again and again. The next one finds a whole log, no older one than before. */
START_TEST(killed_at_any_time)
{
    struct shop s;
    struct made_log *log = make_log(MADE_MOST);
    shop_begin(&s);
    int64_t before = 0;
    for (int round = 0; before < MADE_MOST; round++) {
        uint32_t luck = luck_word();
        pid_t child = fork();
        ck_assert_int_ge(child, 0);
        if (child == 0) {
            for (int64_t size = before; size < MADE_MOST; publish(&s)) {
                size += 1 + luck % 60;
                fill(&s, size < MADE_MOST ? size : MADE_MOST);
            }
            _exit(0);
        }
        if (round < 40) {
            (void)usleep(luck >> 8 & 2047);
            (void)kill(child, SIGKILL);
        }
        ck_assert_int_eq(waitpid(child, NULL, 0), child);
        reopen(&s);
        ck_assert_int_ge(tiles_size(s.tiles), before);
        before = tiles_size(s.tiles);
        check_all(&s, log, 97);
    }
    shop_end(&s);
    free(log);
}
END_TEST

/* Each file, gone, empty, cut, one bit changed: the log is whole after a start, or its reader is told which file to make again; what
 * is read is never wrong. */
START_TEST(torn_files)
{
    static const char *const names[] = {"checkpoint",       "tile/0/000",           "tile/0/001",
                                        "tile/0/002.p/88",  "tile/1/000.p/2",       "tile/entries/000",
                                        "tile/entries/001", "tile/entries/002.p/88"};
    struct made_log *log = make_log(600);
    for (int i = 0; i < 8; i++)
        for (int how = 0; how < 4; how++) {
            struct shop s;
            struct err err = ERR_INIT;
            struct str bytes = STR_INIT;
            shop_begin(&s);
            fill(&s, 600);
            publish(&s);
            char *path = path_join(s.log, names[i]);
            ck_ok(file_read(path, 1 << 20, &bytes, &err), err);
            if (how == 0)
                str_clear(&bytes);
            else if (how == 1)
                str_cut(&bytes, bytes.len - 1);
            else if (how == 2)
                bytes.p[bytes.len / 2] ^= 1;
            ck_ok(how == 3 ? file_remove(path, &err) : file_write_soft(path, slice_str(&bytes), 0644, &err),
                  err);
            reopen(&s);
            /* what stands at the edge is seen at the start; a signature that is another one is for others to see */
            int64_t size = tiles_size(s.tiles);
            bool edge = strstr(names[i], ".p/") || (i == 0 && (how != 2 || size == 0));
            ck_assert_msg(size == (edge ? 0 : 600), "%s %d: %lld", names[i], how, (long long)size);
            if (!edge && i) {
                struct tree_reader reader = tiles_reader(s.tiles);
                struct tree_path proof;
                str_clear(&bytes);
                int rc = 0;
                for (int64_t n = 0; n < 600 && !rc; n++) {
                    rc = names[i][5] == 'e' ? tiles_entry(s.tiles, n, &bytes, &err)
                                            : tree_inclusion(&reader, n, 600, &proof, &err);
                }
                /* (an entry's bytes are vouched for by its proof, not here) */
                ck_assert(names[i][5] == 'e' && how == 2 ? true : rc != 0);
                if (rc) {
                    ck_assert_int_eq(err.code, ERR_BROKEN);
                    ck_assert_msg(strstr(err.text, names[i]) != NULL, "%s", err.text);
                }
                tiles_reset(s.tiles);
            }
            fill(&s, 600);
            publish(&s);
            check_all(&s, log, 37);
            reopen(&s);
            ck_assert_int_eq(tiles_size(s.tiles), 600);
            check_all(&s, log, 37);
            free(path);
            str_release(&bytes);
            shop_end(&s);
        }
    free(log);
}
END_TEST

/* A checkpoint of another tree is never shown, and lines are whole or not taken. */
START_TEST(what_is_refused)
{
    struct shop s;
    struct err err = ERR_INIT;
    struct str note = STR_INIT;
    struct checkpoint checkpoint = {.origin = LOG_NAME, .size = 10};
    shop_begin(&s);
    fill(&s, 10);
    checkpoint_note(&note, &checkpoint, &s.key.key, s.key.secret);
    ck_assert(tiles_publish(s.tiles, slice_str(&note), &err) != 0);
    ck_assert_int_eq(err.code, ERR_BROKEN);
    err_clear(&err);
    ck_assert(tiles_append(s.tiles, slice_of("torn"), &err) != 0);
    ck_assert_int_eq(err.code, ERR_BROKEN);
    ck_assert_int_eq(tiles_size(s.tiles), 10);
    ck_assert(!has(&s, "checkpoint"));
    str_release(&note);
    shop_end(&s);
}
END_TEST

static int64_t resident(void)
{
    struct str text = STR_INIT;
    struct err err = ERR_INIT;
    long long pages = 0;
    ck_ok(file_read("/proc/self/statm", 4096, &text, &err), err);
    ck_assert_int_eq(sscanf(text.p, "%*d %lld", &pages), 1);
    str_release(&text);
    return pages * 4096;
}

static int64_t microseconds(void)
{
    struct timespec t;
    (void)clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (int64_t)t.tv_sec * 1000000 + t.tv_nsec / 1000;
}

/* TLOG_ENTRIES=1000000 tells what each costs, on stderr; here 70,000 and that memory stays where it is. */
START_TEST(a_long_log)
{
    const char *asked = getenv("TLOG_ENTRIES");
    int64_t size = asked ? strtoll(asked, NULL, 10) : SANITIZED ? 20000 : 70000;
    struct shop s;
    struct err err = ERR_INIT;
    struct tree_path path;
    shop_begin(&s);
    fill(&s, size / 10);
    publish(&s);
    int64_t before = resident(), began = microseconds();
    fill(&s, size);
    int64_t appended = microseconds();
    publish(&s);
    struct tree_reader reader = tiles_reader(s.tiles);
    struct tree_hash root, leaf;
    tiles_root(s.tiles, &root);
    int64_t published = microseconds();
    uint32_t luck = 1;
    for (int i = 0; i < 1000; i++) {
        luck = luck * 1664525 + 1013904223;
        int64_t index = luck % size;
        ck_ok(tree_inclusion(&reader, index, size, &path, &err), err);
        ck_ok(reader.read(reader.arg, 0, index, &leaf, &err), err);
        if (!tree_includes(&leaf, index, &path, size, &root))
            ck_abort_msg("entry %lld", (long long)index);
    }
    int64_t anywhere = microseconds();
    for (int64_t i = size - 100; i < size; i++)
        ck_ok(tree_inclusion(&reader, i, size, &path, &err), err);
    int64_t newest = microseconds();
    for (int64_t i = 0; i < 100; i++) {
        struct str line = STR_INIT;
        ck_ok(tiles_entry(s.tiles, i * (size / 100), &line, &err), err);
        str_release(&line);
    }
    int64_t entries = microseconds();
    reopen(&s);
    int64_t opened = microseconds(), grown = resident() - before;
    ck_assert_int_eq(tiles_size(s.tiles), size);
    if (asked)
        (void)fprintf(stderr,
                      "%lld entries: append %.2f us each (making the line included), proof and check %.1f us "
                      "anywhere, proof %.1f us "
                      "of the newest, entry %.1f us, opening %.1f ms, memory %+lld KB\n",
                      (long long)size, (double)(appended - began) / (double)(size - size / 10),
                      (double)(anywhere - published) / 1000, (double)(newest - anywhere) / 100,
                      (double)(entries - newest) / 100, (double)(opened - entries) / 1000,
                      (long long)(grown / 1024));
    if (!SANITIZED)
        ck_assert_msg(grown < 3 << 20, "%lld bytes more", (long long)grown);
    shop_end(&s);
}
END_TEST

static void add_cases(TCase *tc)
{
    tcase_add_test(tc, at_every_size);
    tcase_add_test(tc, the_files_that_the_format_asks_for);
    tcase_add_test(tc, killed_before_the_checkpoint);
    tcase_add_test(tc, full_tiles_last);
    tcase_add_test(tc, killed_at_any_time);
    tcase_add_test(tc, torn_files);
    tcase_add_test(tc, what_is_refused);
    tcase_add_test(tc, a_long_log);
}

TEST_MAIN("tlog/tiles", add_cases)
