/* The audit of a whole log: what it says of each entry that cannot be, of what somebody kept, and what a long log costs. What it says of a
 * league's own log and games is tests/e2e/log_audit.py. */
#include "tlog/made.h"

#include <sys/resource.h>
#include <time.h>

#include "base/mem.h"
#include "publish/log_audit.h"
#include "scratch.h"

static char dir[SCRATCH_PATH];
static struct made_key key;
static struct policy policy;
static struct log_audit audit;

static void begin(void)
{
    scratch_make(dir, "log");
    make_key(&key, LOG_NAME, VKEY_SIGNER);
    policy = (struct policy){.logs = 1, .quorum = POLICY_NONE};
    policy.log[0].key = key.key;
}

static void end(void)
{
    log_audit_release(&audit);
    scratch_remove(dir);
}

static void put(const char *name, struct slice bytes)
{
    struct err err = ERR_INIT;
    char *path = path_join(dir, name);
    ck_ok(file_overwrite(path, bytes, 0644, &err), err);
    free(path);
}

/* The note of a log with these leaves. */
static void note_of(struct str *note, const struct tree_range *range)
{
    struct checkpoint checkpoint = {.origin = LOG_NAME, .size = range->size};
    tree_range_root(range, &checkpoint.root);
    checkpoint_note(note, &checkpoint, &key.key, key.secret);
}

static void sign(const struct tree_range *range)
{
    struct str note = STR_INIT;
    note_of(&note, range);
    put("checkpoint", slice_str(&note));
    str_release(&note);
}

/* A log of these lines, as the league's key signs it. */
static void write_log(struct slice lines)
{
    struct tree_range *range = mem_alloc(sizeof *range);
    struct slice rest = lines, line;
    while (slice_whole_line(&rest, &line)) {
        struct tree_hash leaf;
        tree_leaf(&leaf, line);
        tree_append(range, &leaf);
    }
    put("entries", lines);
    sign(range);
    free(range);
}

static void look(void)
{
    struct err err = ERR_INIT;
    log_audit_release(&audit);
    log_audit_init(&audit, dir, &policy);
    ck_ok(log_audit_run(&audit, &err), err);
}

static const struct log_finding *find(enum log_weight weight, enum log_what what)
{
    for (size_t i = 0; i < audit.finding_count; i++)
        if (audit.finding[i].weight == weight && audit.finding[i].what == what)
            return &audit.finding[i];
    return NULL;
}

/* ---- entries that cannot be ---- */

#define HEAD "abababababababababababababababababababababababababababababababab"
#define DEAD "cdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcd"
#define AT   " 2026-11-20T08:00:00Z "

static const struct {
    const char *lines;
    int weight; /* -1: it is found good */
    enum log_what what;
    int64_t entry;
} logs[] = {
    {"head gc 1" AT HEAD "\nhead gc 2" AT HEAD "\n", -1, 0, 0},
    {"head gc 1" AT HEAD "\nhead registry 7" AT HEAD "\nhead registry 9" AT HEAD "\n", -1, 0, 0},
    {"head gc 1" AT HEAD "\nprogram 2026-11-20T08:00:00Z 1.0 " HEAD "\nhead gc 2" AT HEAD "\n", -1, 0, 0},
    {"head gc 2" AT HEAD "\n", LOG_WRONG, LOG_ENTRY, 1},
    {"head gc 1" AT HEAD "\nhead gc 3" AT HEAD "\n", LOG_WRONG, LOG_ENTRY, 2},
    {"head gc 1" AT HEAD "\nhead gc 1" AT HEAD "\n", LOG_WRONG, LOG_ENTRY, 2},
    {"head gc 1" AT HEAD "\nhead gc 1" AT DEAD "\n", LOG_WRONG, LOG_HISTORIES, 2},
    {"head gc 1" AT HEAD "\nhead gc 2" AT HEAD "\nhead gc 1" AT DEAD "\n", LOG_WRONG, LOG_HISTORIES, 3},
    {"head gc 1" AT HEAD "\nhead gc 2" AT HEAD "\nlost gc 2 2026-11-20T08:00:00Z\nhead gc 2" AT DEAD "\n",
     LOG_ASK, LOG_LOST, 3},
    {"head gc 1" AT HEAD "\nhead gc 2" AT HEAD "\nlost gc 2 2026-11-20T08:00:00Z\nhead gc 1" AT DEAD "\n",
     LOG_WRONG, LOG_HISTORIES, 4},
    {"head gc 1" AT HEAD "\nhead gd 1 2026-11-20T07:59:59Z " HEAD "\n", LOG_WRONG, LOG_CLOCK, 2},
    {"head gc 1" AT HEAD "\nclose gc 2" AT HEAD " turn 1.0 alpha " HEAD "\nclose gc 3" AT HEAD
     " turn 1.0 alpha " HEAD "\n",
     LOG_WRONG, LOG_HISTORIES, 3},
    {"head gc 1" AT HEAD "\nclose gc 2" AT HEAD " turn 1.0 alpha " HEAD "\nclose gc 3" AT HEAD
     " turn 1.1 alpha " HEAD "\n",
     -1, 0, 0},
    {"head gc 1" AT HEAD "\nclose gc 2" AT HEAD " turn 1.1 alpha " HEAD "\nclose gc 3" AT HEAD
     " turn 2.0 alpha " HEAD "\n",
     LOG_WRONG, LOG_HISTORIES, 3},
    {"head gc 1" AT HEAD "\nhead gc 02" AT HEAD "\n", LOG_WRONG, LOG_ENTRY, 2},
    {"head gc 1" AT HEAD "\nnews gc 2" AT HEAD "\n", LOG_WRONG, LOG_ENTRY, 2},
    {"head gc 1" AT HEAD "\n\n", LOG_WRONG, LOG_ENTRY, 2},
    {"head gc 1" AT HEAD "\nhead gc 2" AT HEAD, LOG_WRONG, LOG_ENTRY, 2},
    {"head gc 1" AT HEAD
     "\nlog 2026-11-20T08:00:00Z orion.example/t+3cd6ddd3+AQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA 7 "
     "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=\n",
     LOG_WRONG, LOG_ENTRY, 2}, /* the number of that key is another one */
};

START_TEST(each_entry_that_cannot_be_is_named)
{
    begin();
    write_log(slice_of(logs[_i].lines));
    look();
    const struct log_finding *one =
        logs[_i].weight < 0 ? NULL : find((enum log_weight)logs[_i].weight, logs[_i].what);
    if (logs[_i].weight < 0)
        ck_assert_msg(audit.count[LOG_WRONG] + audit.count[LOG_ASK] == 0, "%s", audit.finding[0].text);
    else
        ck_assert_msg(one && one->entry == logs[_i].entry, "case %d: %s", _i, audit.finding[0].text);
    ck_assert(logs[_i].weight == LOG_WRONG || audit.count[LOG_WRONG] == 0);
    end();
}
END_TEST

/* ---- what was signed, and what was kept ---- */

static void made_lines(struct str *lines, int64_t count)
{
    for (int64_t n = 0; n < count; n++) {
        make_line(lines, n);
        str_addc(lines, '\n');
    }
}

START_TEST(a_log_is_held_against_each_state_that_was_kept)
{
    enum { SIZE = 300 };
    struct tree_range *range = mem_alloc(sizeof *range);
    struct err err = ERR_INIT;
    struct str lines = STR_INIT;
    begin();
    made_lines(&lines, SIZE);
    write_log(slice_str(&lines));
    log_audit_init(&audit, dir, &policy);
    struct slice rest = slice_str(&lines), line;
    while (slice_whole_line(&rest, &line)) {
        struct str note = STR_INIT;
        struct tree_hash leaf;
        tree_leaf(&leaf, line);
        tree_append(range, &leaf);
        note_of(&note, range);
        log_audit_keep(&audit, "kept", slice_str(&note));
        str_release(&note);
    }
    ck_assert_uint_eq(audit.kept_count, SIZE);
    ck_ok(log_audit_run(&audit, &err), err);
    ck_assert_int_eq(audit.count[LOG_WRONG] + audit.count[LOG_ASK], 0);
    /* Another entry at any place: all states from there on are of another log. */
    lines.p[lines.len / 2] ^= 1;
    for (int i = 0; i < 2; i++) {
        struct log_kept *kept = mem_copy(audit.kept, SIZE * sizeof *kept);
        log_audit_release(&audit);
        write_log(slice_str(&lines));
        log_audit_init(&audit, dir, &policy);
        audit.kept = kept;
        audit.kept_count = i ? SIZE / 3 : SIZE; /* only states of before do not show it */
        for (int k = 0; k < SIZE; k++)
            kept[k].label = k < (int)audit.kept_count ? strdup("kept") : NULL;
        ck_ok(log_audit_run(&audit, &err), err);
        ck_assert_int_eq(find(LOG_WRONG, LOG_HISTORIES) != NULL, i == 0);
        if (i == 0)
            ck_assert_ptr_nonnull(strstr(find(LOG_WRONG, LOG_HISTORIES)->text, "they agree up to entry 1"));
    }
    free(range);
    str_release(&lines);
    end();
}
END_TEST

START_TEST(a_log_that_is_not_what_was_signed)
{
    struct str lines = STR_INIT;
    begin();
    made_lines(&lines, 20);
    write_log(slice_str(&lines));
    look();
    ck_assert_int_eq(audit.count[LOG_WRONG], 0);
    /* Longer than what was signed: the league is at work. */
    made_lines(&lines, 1);
    put("entries", slice_str(&lines));
    look();
    ck_assert_int_eq(find(LOG_NOTE, LOG_CHECKPOINT)->entry, 21);
    /* Shorter. */
    put("entries", slice_sub(slice_str(&lines), 0, slice_find(slice_str(&lines), "\n") + 1));
    look();
    ck_assert_int_eq(find(LOG_WRONG, LOG_ENTRY)->entry, 2);
    ck_assert(audit.is_signed);
    /* By another key, and by none. */
    policy.log[0].key.public[3] ^= 1;
    look();
    ck_assert_ptr_nonnull(find(LOG_WRONG, LOG_CHECKPOINT));
    ck_assert(!audit.is_signed);
    put("checkpoint", slice_of("nothing\n"));
    look();
    ck_assert_ptr_nonnull(find(LOG_WRONG, LOG_CHECKPOINT));
    str_release(&lines);
    end();
}
END_TEST

START_TEST(fewer_witnesses_than_a_policy_demands)
{
    struct str lines = STR_INIT;
    struct made_key witness;
    begin();
    make_key(&witness, "carol.example/w", VKEY_COSIGNER);
    policy.witness[0] = (struct policy_witness){.name = "carol", .key = witness.key};
    policy.witnesses = 1;
    policy_need(&policy, 1);
    made_lines(&lines, 3);
    write_log(slice_str(&lines));
    look();
    ck_assert_ptr_nonnull(find(LOG_ASK, LOG_CHECKPOINT));
    str_release(&lines);
    end();
}
END_TEST

/* ---- what it costs ---- */

static int64_t resident(void)
{
    struct rusage usage;
    ck_assert_int_eq(getrusage(RUSAGE_SELF, &usage), 0);
    return usage.ru_maxrss;
}

/* The log is written a piece at a time, so that it takes no memory itself. */
static void write_long(int64_t count)
{
    struct tree_range *range = mem_alloc(sizeof *range);
    struct err err = ERR_INIT;
    char *path = path_join(dir, "entries");
    put("entries", slice_of(""));
    for (int64_t n = 0; n < count;) {
        struct str lines = STR_INIT;
        for (int64_t stop = n + 1000 < count ? n + 1000 : count; n < stop; n++) {
            struct tree_hash leaf;
            const size_t from = lines.len;
            make_line(&lines, n);
            str_addc(&lines, '\n');
            tree_leaf(&leaf, slice_sub(slice_str(&lines), from, lines.len));
            tree_append(range, &leaf);
        }
        ck_ok(file_append(path, slice_str(&lines), 0644, &err), err);
        str_release(&lines);
    }
    sign(range);
    free(range);
    free(path);
}

START_TEST(memory_is_flat_and_time_is_linear)
{
    const int64_t few = 20000, many = getenv("LONG") ? 1000000 : 200000;
    double seconds[2];
    int64_t after_few = 0;
    begin();
    for (int i = 0; i < 2; i++) {
        struct timespec from, to;
        write_long(i ? many : few);
        (void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &from);
        look();
        (void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &to);
        seconds[i] = (double)(to.tv_sec - from.tv_sec) + (double)(to.tv_nsec - from.tv_nsec) / 1e9;
        ck_assert_int_eq(audit.entries, i ? many : few);
        ck_assert_int_eq(audit.count[LOG_WRONG] + audit.count[LOG_ASK], 0);
        after_few = i ? after_few : resident();
    }
    if (getenv("LONG"))
        (void)printf("%lld entries in %.2f s, %lld in %.2f s; %lld KB more\n", (long long)few, seconds[0],
                     (long long)many, seconds[1], (long long)(resident() - after_few));
    if (!SANITIZED)
        ck_assert_int_lt(resident() - after_few, 512);
    ck_assert(seconds[1] < 3 * seconds[0] * (double)many / (double)few);
    end();
}
END_TEST

static void cases(TCase *tc)
{
    tcase_add_loop_test(tc, each_entry_that_cannot_be_is_named, 0, sizeof logs / sizeof *logs);
    tcase_add_test(tc, a_log_is_held_against_each_state_that_was_kept);
    tcase_add_test(tc, a_log_that_is_not_what_was_signed);
    tcase_add_test(tc, fewer_witnesses_than_a_policy_demands);
    tcase_add_test(tc, memory_is_flat_and_time_is_linear);
}

TEST_MAIN("publish/log_audit", cases)
