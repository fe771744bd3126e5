/* What strangers' programs say of our logs: one in Go, by the code behind Go's own checksum database, and one in C that has libsodium
 * alone (tests/tlog/foreign). They accept what we write, and nothing that is damaged. */
#include "tlog/made.h"

#include <sys/wait.h>
#include <unistd.h>

#include "scratch.h"
#include "tlog/tiles.h"
#include "tlog/witness.h"

#define OLD  600  /* entries of the proof's checkpoint */
#define NEXT 700  /* the site's: the partial tiles of then are there, */
#define SIZE 1000 /* or have become full ones */

static char dir[SCRATCH_PATH];

static void put(const char *name, struct slice bytes)
{
    struct err err = ERR_INIT;
    char *path = path_join(dir, name);
    ck_ok(file_write_soft(path, bytes, 0644, &err), err);
    free(path);
}

/* What it said last. */
static const char *said(void)
{
    static char text[400];
    struct err err = ERR_INIT;
    struct str bytes = STR_INIT;
    char *path = path_join(dir, "said");
    ck_ok(file_read(path, 1 << 20, &bytes, &err), err);
    (void)snprintf(text, sizeof text, "%s", bytes.p);
    str_release(&bytes);
    free(path);
    return text;
}

/* The exit code of "PROGRAM args", run in the folder. */
static int run(const char *program, const char *args)
{
    struct str line = STR_INIT;
    char *here = realpath(program, NULL);
    ck_assert(here != NULL);
    str_addf(&line, "cd '%s' && '%s' %s >said 2>&1", dir, here, args);
    int status = system(line.p);
    str_release(&line);
    free(here);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 255;
}

static void publish(struct tiles *tiles, struct made_log *log, int64_t size)
{
    struct err err = ERR_INIT;
    struct str lines = STR_INIT, note = STR_INIT;
    for (int64_t n = tiles_size(tiles); n < size; n++) {
        make_line(&lines, n);
        str_addc(&lines, '\n');
    }
    ck_ok(tiles_append(tiles, slice_str(&lines), &err), err);
    made_note(log, size, &note);
    ck_ok(tiles_publish(tiles, slice_str(&note), &err), err);
    str_release(&lines);
    str_release(&note);
}

static void write_keys(struct made_log *log, const struct made_key *witness, int64_t index)
{
    struct str keys = STR_INIT;
    vkey_write(&keys, &log->key.key);
    for (int i = 0; i < 2; i++) {
        str_addc(&keys, '\n');
        vkey_write(&keys, &witness[i].key);
    }
    str_addc(&keys, '\n');
    make_line(&keys, index);
    str_addc(&keys, '\n');
    put("keys", slice_str(&keys));
    str_release(&keys);
}

static void write_request(struct made_log *log)
{
    struct err err = ERR_INIT;
    struct tree_reader reader = made_reader(log);
    struct witness_request request = {.old = OLD};
    struct str note = STR_INIT, text = STR_INIT;
    made_note(log, SIZE, &note);
    request.note = slice_str(&note);
    ck_ok(tree_consistency(&reader, OLD, SIZE, &request.consistency, &err), err);
    witness_request_write(&text, &request);
    put("request", slice_str(&text));
    str_release(&note);
    str_release(&text);
}

START_TEST(strangers_accept_it)
{
    bool go = access("build/tools/log_verify", X_OK) == 0;
    struct made_log *log = make_log(SIZE);
    struct made_key witness[2];
    struct tiles *tiles;
    struct err err = ERR_INIT;
    struct str note = STR_INIT, proof = STR_INIT;
    scratch_make(dir, "foreign");
    char *folder = path_join(dir, "log");
    ck_ok(tiles_open(folder, &tiles, &err), err);
    publish(tiles, log, OLD);
    publish(tiles, log, NEXT);
    write_request(log);
    made_note(log, OLD, &note);
    for (int i = 0; i < 2; i++) {
        make_key(&witness[i], i ? "dave.example/w" : "carol.example/w", VKEY_COSIGNER);
        made_cosign(&note, &witness[i], 1796115784 + i);
    }
    static const int64_t indexes[] = {0, 255, 512, OLD - 1, 1, 256, 300, 511, OLD - 1};
    for (size_t i = 0; i < sizeof indexes / sizeof *indexes; i++) {
        if (i == 4)
            publish(tiles, log, SIZE);
        str_clear(&proof);
        made_proof(log, indexes[i], OLD, &note, &proof);
        put("proof", slice_str(&proof));
        write_keys(log, witness, indexes[i]);
        ck_assert_msg(run("build/tools/log_proof", "keys proof 2") == 0, "C: entry %d: %s", (int)indexes[i],
                      said());
        ck_assert_int_eq(run("build/tools/log_proof", "keys proof 3"), 1);
        ck_assert_msg(!go || run("build/tools/log_verify", "keys proof log request") == 0, "Go: entry %d: %s",
                      (int)indexes[i], said());
    }
    tiles_close(tiles);
    for (size_t at = slice_find(slice_str(&proof), "index "); at < proof.len; at += FEW ? 37 : 1) {
        proof.p[at] ^= 1;
        put("proof", slice_str(&proof));
        ck_assert_msg(run("build/tools/log_proof", "keys proof 2") != 0, "C: byte %zu", at);
        ck_assert_msg(!go || run("build/tools/log_verify", "keys proof log request") != 0, "Go: byte %zu",
                      at);
        proof.p[at] ^= 1;
    }
    if (!go)
        printf("not run: the verifier in Go of a league's log (it needs golang-go and "
               "golang-golang-x-mod-dev)\n");
    free(folder);
    free(log);
    str_release(&note);
    str_release(&proof);
    scratch_remove(dir);
}
END_TEST

static void add_cases(TCase *tc)
{
    tcase_add_test(tc, strangers_accept_it);
}

TEST_MAIN("tlog/foreign", add_cases)
