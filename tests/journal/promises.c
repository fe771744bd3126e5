/* What journal/store.h promises, held against every store there is; and that nobody can tell them apart. */
#include "scratch.h"

#include <string.h>

#include "journal/memory.h"
#include "journal/store.h"

static char dir[SCRATCH_PATH];

/* ---- the stores ---- */

static struct store *open_files(void)
{
    return store_open(dir);
}

static const struct {
    const char *name;
    struct store *(*open)(void);
} kinds[] = {{"files", open_files}, {"memory", memory_open}};
#define KINDS ((int)(sizeof kinds / sizeof *kinds))

static struct store *stores[KINDS];
static struct store *store; /* the one of this case */

static void begin(void)
{
    scratch_make(dir, "promises");
    for (int i = 0; i < KINDS; i++)
        stores[i] = kinds[i].open();
}

static void end(void)
{
    for (int i = 0; i < KINDS; i++)
        store_close(stores[i]);
    scratch_remove(dir);
}

/* ---- what is written ---- */

static void records_of(struct str *out, int64_t first, int count, const char *word)
{
    for (int i = 0; i < count; i++)
        str_addf(out, "record %lld %s\n", (long long)first + i, word);
}

/* `count` records after a place that hold this word. */
struct text {
    struct str records;
    struct store_append part;
};

static void text_make(struct text *text, const char *game, struct store_pos after, int count,
                      const char *word)
{
    *text = (struct text){.records = STR_INIT};
    records_of(&text->records, after.seq + 1, count, word);
    text->part = (struct store_append){game, after, slice_str(&text->records)};
}

static void text_release(struct text *text)
{
    str_release(&text->records);
}

static struct store_pos put(const char *game, struct store_pos after, int count, const char *word)
{
    struct err err = ERR_INIT;
    struct text text;
    text_make(&text, game, after, count, word);
    ck_ok(store_append(store, &text.part, &err), err);
    struct store_pos end = store_after(after, text.part.records);
    text_release(&text);
    return end;
}

/* ---- what is read ---- */

#define READ_AS(call, want)                         \
    do {                                            \
        struct err err_ = ERR_INIT;                 \
        struct str got = STR_INIT;                  \
        ck_ok(call, err_);                          \
        ck_assert_str_eq(got.p ? got.p : "", want); \
        str_release(&got);                          \
    } while (0)
#define JOURNAL_IS(game, from, want) READ_AS(store_read(store, game, from, &got, &err_), want)

static enum err_code code_of_read(const char *game)
{
    struct err err = ERR_INIT;
    struct str lines = STR_INIT;
    ck_assert_int_eq(store_read(store, game, STORE_BEGIN, &lines, &err), -1);
    ck_assert_uint_eq(lines.len, 0);
    str_release(&lines);
    return err.code;
}

START_TEST(places_are_found)
{
    store = stores[_i];
    ck_assert(!store_has(store, "a"));
    struct store_pos two = put("a", STORE_BEGIN, 2, "x"), three = put("a", two, 1, "longer");
    ck_assert(store_has(store, "a"));
    ck_assert_int_eq(two.seq, 2);
    ck_assert_int_eq(three.seq, 3);
    JOURNAL_IS("a", STORE_BEGIN, "record 1 x\nrecord 2 x\nrecord 3 longer\n");
    JOURNAL_IS("a", two, "record 3 longer\n");
    JOURNAL_IS("a", three, "");
    READ_AS(store_read_mending(store, "a", two, &got, &err_), "record 3 longer\n");
    READ_AS(store_line(store, "a", STORE_BEGIN, &got, &err_), "record 1 x\n");
    READ_AS(store_line(store, "a", two, &got, &err_), "record 3 longer\n");
    READ_AS(store_line(store, "a", three, &got, &err_), "");
    READ_AS(store_line_before(store, "a", two, &got, &err_), "record 2 x\n");
    READ_AS(store_line_before(store, "a", three, &got, &err_), "record 3 longer\n");
    ck_assert(store_ends(store, "a", three));
    ck_assert(!store_ends(store, "a", two));
}
END_TEST

START_TEST(a_place_beyond_the_end)
{
    store = stores[_i];
    struct store_pos one = put("a", STORE_BEGIN, 1, "x");
    struct store_pos beyond = store_after(one, slice_of("record 2 lost\n"));
    JOURNAL_IS("a", beyond, "");
    READ_AS(store_line(store, "a", beyond, &got, &err_), "");
    READ_AS(store_line_before(store, "a", beyond, &got, &err_), "");
    ck_assert(!store_ends(store, "a", beyond));
}
END_TEST

START_TEST(what_is_not_there)
{
    struct err err = ERR_INIT, why = ERR_INIT, third = ERR_INIT;
    struct str lines = STR_INIT;
    store = stores[_i];
    ck_assert(!store_has(store, "a"));
    ck_assert(!store_ends(store, "a", (struct store_pos){1, 10}));
    ck_assert_int_eq(code_of_read("a"), ERR_MISSING);
    ck_assert_int_eq(store_line(store, "a", STORE_BEGIN, &lines, &err), -1);
    ck_assert_int_eq(err.code, ERR_MISSING);
    ck_assert_int_eq(store_line_before(store, "a", (struct store_pos){1, 10}, &lines, &why), -1);
    ck_assert_int_eq(why.code, ERR_MISSING);
    ck_assert_int_eq(store_read_state(store, "a", &lines, &third), -1);
    ck_assert_int_eq(third.code, ERR_MISSING);
    str_release(&lines);
}
END_TEST

/* Whoever comes second writes nothing. */
START_TEST(the_first_one_wins)
{
    store = stores[_i];
    struct store_pos one = put("a", STORE_BEGIN, 1, "first");
    struct store_pos two = put("a", one, 1, "first");
    const struct store_pos others[] = {STORE_BEGIN, one, store_after(two, slice_of("record 3 lost\n"))};
    for (int i = 0; i < 3; i++) {
        struct err err = ERR_INIT;
        struct text text;
        text_make(&text, "a", others[i], 2, "second");
        ck_assert_int_eq(store_append(store, &text.part, &err), -1);
        ck_assert_int_eq(err.code, ERR_STALE);
        text_release(&text);
    }
    JOURNAL_IS("a", STORE_BEGIN, "record 1 first\nrecord 2 first\n");
}
END_TEST

START_TEST(an_append_is_undone)
{
    struct err err = ERR_INIT;
    store = stores[_i];
    struct store_pos from = STORE_BEGIN;
    for (int i = 0; i < 2; i++) {
        struct text text;
        (void)put("a", from, 2, "undone");
        text_make(&text, "a", from, 2, "undone");
        ck_ok(store_unappend(store, &text.part, &err), err);
        ck_assert(store_has(store, "a") == (i == 1));
        text_release(&text);
        from = put("a", from, 1, "kept");
        ck_assert(store_ends(store, "a", from));
    }
    JOURNAL_IS("a", STORE_BEGIN, "record 1 kept\nrecord 2 kept\n");
}
END_TEST

START_TEST(a_journal_is_cut_back)
{
    struct err err = ERR_INIT;
    bool cut = false;
    store = stores[_i];
    struct store_pos one = put("a", STORE_BEGIN, 1, "x");
    (void)put("a", one, 2, "y");
    ck_ok(store_mend(store, "a", one, &cut, &err), err);
    ck_assert(cut);
    JOURNAL_IS("a", STORE_BEGIN, "record 1 x\n");
    ck_ok(store_mend(store, "a", one, &cut, &err), err);
    ck_assert(!cut);
    ck_ok(store_mend(store, "a", STORE_BEGIN, &cut, &err), err);
    ck_assert(cut);
    ck_assert(!store_has(store, "a"));
    (void)put("a", STORE_BEGIN, 1, "z");
    JOURNAL_IS("a", STORE_BEGIN, "record 1 z\n");
}
END_TEST

static int64_t stamp_now(void)
{
    struct err err = ERR_INIT;
    int64_t stamp;
    ck_ok(store_stamp(store, &stamp, &err), err);
    return stamp;
}

START_TEST(games_are_listed)
{
    struct err err = ERR_INIT;
    struct file_names names;
    static const char *const sorted[] = {"a", "b", "c"};
    store = stores[_i];
    struct store_pos one = put("b", STORE_BEGIN, 1, "x");
    (void)put("c", STORE_BEGIN, 1, "x");
    int64_t before = stamp_now();
    (void)put("b", one, 1, "x");
    ck_assert_int_eq(stamp_now(), before);
    (void)usleep(20000); /* a clock of a file system may be that coarse */
    (void)put("a", STORE_BEGIN, 1, "x");
    ck_assert_int_ne(stamp_now(), before);
    ck_ok(store_games(store, &names, &err), err);
    ck_assert_uint_eq(names.count, 3);
    for (int i = 0; i < 3; i++)
        ck_assert_str_eq(names.name[i], sorted[i]);
    file_names_free(&names);
}
END_TEST

START_TEST(a_state_is_kept)
{
    struct err err = ERR_INIT, why = ERR_INIT;
    struct str state = STR_INIT;
    store = stores[_i];
    (void)put("a", STORE_BEGIN, 1, "x");
    ck_ok(store_write_state(store, "a", slice_of("a long state\n"), &err), err);
    ck_ok(store_write_state(store, "a", slice_of("state\n"), &err), err);
    READ_AS(store_read_state(store, "a", &got, &err_), "state\n");
    ck_ok(store_drop_state(store, "a", &err), err);
    ck_assert_int_eq(store_read_state(store, "a", &state, &why), -1);
    ck_assert_int_eq(why.code, ERR_MISSING);
    str_release(&state);
}
END_TEST

START_TEST(a_commit_still_to_come_is_read)
{
    store = stores[_i];
    (void)put("a", STORE_BEGIN, 1, "x");
    READ_AS(store_read_with(store, "a", slice_of("record 2 y\n"), &got, &err_), "record 1 x\nrecord 2 y\n");
    READ_AS(store_read_with(store, "b", slice_of("record 1 y\n"), &got, &err_), "record 1 y\n");
}
END_TEST

/* ---- side by side ---- */

#define STEPS  (FEW ? 300 : 1000)
#define PLACES 64

/* A game, and the places that were its end, of which the last one is. */
struct story {
    const char *game;
    struct store_pos place[PLACES];
    int places;
};
enum deed { UNAPPEND, MEND, STALE, APPEND, DEEDS };

/* Does it, and says with which error. */
static enum err_code act(struct store *one, enum deed deed, const struct store_append *part)
{
    struct err err = ERR_INIT;
    bool cut;
    int rc = deed == MEND ? 0 : store_append(one, part, &err);
    if (rc == 0 && deed == UNAPPEND)
        rc = store_unappend(one, part, &err);
    if (rc == 0 && deed == MEND)
        rc = store_mend(one, part->game, part->after, &cut, &err);
    return rc ? err.code : 0;
}

/* All that can be read of a game, as text. */
static void look(struct store *one, const char *game, struct store_pos from, struct str *out)
{
    struct err err[4] = {ERR_INIT, ERR_INIT, ERR_INIT, ERR_INIT};
    str_addf(out, "has %d, ends %d\n", store_has(one, game), store_ends(one, game, from));
    int all = store_read(one, game, STORE_BEGIN, out, &err[0]);
    int tail = store_read(one, game, from, out, &err[1]);
    int line = store_line(one, game, from, out, &err[2]);
    int before = from.seq ? store_line_before(one, game, from, out, &err[3]) : 0;
    str_addf(out, "%d %d %d %d\n", all, tail, line, before);
}

/* The same in each store, which then all say the same. */
static void act_in_all(enum deed deed, const struct store_append *part)
{
    struct str first = STR_INIT;
    enum err_code code = act(stores[0], deed, part);
    ck_assert_int_eq(code, deed == STALE ? ERR_STALE : 0);
    look(stores[0], part->game, part->after, &first);
    for (int k = 1; k < KINDS; k++) {
        struct str other = STR_INIT;
        ck_assert_int_eq(act(stores[k], deed, part), code);
        look(stores[k], part->game, part->after, &other);
        ck_assert_msg(strcmp(first.p, other.p) == 0, "after deed %d on %s at %lld %s says\n%s\nand %s\n%s",
                      deed, part->game, (long long)part->after.seq, kinds[0].name, first.p, kinds[k].name,
                      other.p);
        str_release(&other);
    }
    str_release(&first);
}

static void step(struct story *story)
{
    enum deed deed = story->places == PLACES ? MEND : (enum deed)randombytes_uniform(DEEDS);
    int last = story->places - 1, at = last;
    struct text text;
    if (last < 1 && (deed == MEND || deed == STALE))
        deed = APPEND;
    if (deed == MEND)
        at = 1 + (int)randombytes_uniform((uint32_t)last);
    if (deed == STALE)
        at = (int)randombytes_uniform((uint32_t)last);
    text_make(&text, story->game, story->place[at], 1 + (int)randombytes_uniform(3),
              last % 2 ? "odd" : "even, and longer");
    act_in_all(deed, &text.part);
    if (deed == MEND)
        story->places = at + 1;
    if (deed == APPEND)
        story->place[story->places++] = store_after(story->place[last], text.part.records);
    text_release(&text);
}

START_TEST(nobody_can_tell_them_apart)
{
    struct story stories[] = {
        {.game = "a", .places = 1}, {.game = "b", .places = 1}, {.game = "c", .places = 1}};
    for (int i = 0; i < STEPS; i++)
        step(&stories[randombytes_uniform(3)]);
}
END_TEST

static void cases(TCase *tc)
{
    tcase_add_checked_fixture(tc, begin, end);
    tcase_add_loop_test(tc, places_are_found, 0, KINDS);
    tcase_add_loop_test(tc, a_place_beyond_the_end, 0, KINDS);
    tcase_add_loop_test(tc, what_is_not_there, 0, KINDS);
    tcase_add_loop_test(tc, the_first_one_wins, 0, KINDS);
    tcase_add_loop_test(tc, an_append_is_undone, 0, KINDS);
    tcase_add_loop_test(tc, a_journal_is_cut_back, 0, KINDS);
    tcase_add_loop_test(tc, games_are_listed, 0, KINDS);
    tcase_add_loop_test(tc, a_state_is_kept, 0, KINDS);
    tcase_add_loop_test(tc, a_commit_still_to_come_is_read, 0, KINDS);
    tcase_add_test(tc, nobody_can_tell_them_apart);
}
TEST_MAIN("journal/promises", cases)
