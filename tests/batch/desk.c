/* Mails that are finished and staged at a desk. */
#include "house/house.h"

#include "base/file.h"

#define DAY ((int64_t)86400)

static struct house house;
static const char *const table[] = {"anna", "bob"};

static void begin(void)
{
    house_open(&house);
    house_player(&house, "anna");
    house_player(&house, "bob");
    house_game(&house, "gc-1", "galaxy-command", DAY, 2, table);
    house_empty_spool(&house);
}

static void end(void)
{
    house_close(&house);
}

/* Orders of a player, into the batch and no further. */
static void take(const char *name, const char *text)
{
    struct str raw = STR_INIT;
    str_addf(&raw, "From: %s@example.net\r\nTo: " HOUSE_ADDRESS "\r\nMessage-ID: <%s@x>\r\n\r\n", name, name);
    house_sign(&house, name, text, &raw);
    ck_assert_int_eq(house_take(&house, slice_str(&raw)), INTAKE_PROCESSED);
    str_release(&raw);
}

/* All files of a folder of the spool, by name, with their bytes. */
static void read_folder(const char *folder, struct str *out)
{
    struct err err = ERR_INIT;
    struct file_names names;
    char *dir = path_join(house.batch.spool, folder);
    ck_ok(file_list(dir, &names, &err), err);
    str_clear(out);
    for (size_t i = 0; i < names.count; i++) {
        char *path = path_join(dir, names.name[i]);
        str_addf(out, "== %s\n", names.name[i]);
        ck_ok(file_read(path, 1 << 20, out, &err), err);
        free(path);
    }
    file_names_free(&names);
    free(dir);
}

/* The same once more, in another run: it goes well, and cuts what the first has left. */
static void again(void)
{
    struct err err = ERR_INIT;
    house_restart(&house);
    ck_assert(!house_find(&house, "gc-1")->seat[1].orders.in);
    take("anna", "#turnpost orders\ngame: gc-1\nturn: 1\nbide\n#end\n");
    ck_ok(batch_commit(&house.batch, &err), err);
    batch_reset(&house.batch, true);
    ck_assert(house_find(&house, "gc-1")->seat[1].orders.in);
    house_told(&house, "anna", 1, "bide");
}

static void play(void)
{
    take("anna", "#turnpost orders\ngame: gc-1\nturn: 1\nexplore near or bide\nsay bob: h\xC3\xA9!\n#end\n");
    take("bob", "#turnpost orders\ngame: gc-1\nturn: 1\nbide\n#end\n");
}

START_TEST(the_same_bytes_as_without_it)
{
    struct err err = ERR_INIT;
    struct str early = STR_INIT, late = STR_INIT;
    batch_at_desk(&house.batch);
    ck_assert_ptr_nonnull(house.batch.desk);
    play();
    ck_ok(batch_wait_desk(&house.batch, &err), err);
    read_folder("tmp", &early); /* before anything is committed */
    ck_assert_ptr_nonnull(strstr(early.p, "== gc-1."));
    batch_reset(&house.batch, false);
    desk_close(house.batch.desk);
    house.batch.desk = NULL;
    play();
    ck_ok(batch_commit(&house.batch, &err), err);
    batch_reset(&house.batch, true);
    read_folder("new", &late);
    /* Reports have files with them and are not the desk's. */
    for (const char *mail = strstr(early.p, "== "); mail; mail = strstr(mail + 1, "\n== ")) {
        const char *next = strstr(mail + 1, "\n== ");
        struct slice one = {mail, next ? (size_t)(next - mail) : strlen(mail)};
        char *text = slice_dup(one);
        ck_assert_msg(strstr(late.p, text) != NULL, "not the same: %s", text);
        free(text);
    }
    read_folder("tmp", &early);
    ck_assert_uint_eq(early.len, 0);
    str_release(&early);
    str_release(&late);
}
END_TEST

START_TEST(what_is_committed_leaves)
{
    struct err err = ERR_INIT;
    struct str files = STR_INIT;
    batch_at_desk(&house.batch);
    play();
    ck_ok(batch_commit(&house.batch, &err), err);
    ck_assert_uint_eq(house.batch.broken, 0);
    batch_reset(&house.batch, true);
    ck_ok(batch_wait_desk(&house.batch, &err), err);
    read_folder("tmp", &files);
    ck_assert_uint_eq(files.len, 0);
    ck_assert_int_eq(house_find(&house, "gc-1")->turn, 2);
    house_told(&house, "anna", 2, "WHAT HAPPENED IN TURN 1"); /* a receipt and a report */
    str_release(&files);
}
END_TEST

/* Mails of a game that is left out of the commit neither leave nor stay behind. */
START_TEST(what_is_not_committed_leaves_nothing)
{
    struct err err = ERR_INIT;
    struct str files = STR_INIT, path = STR_INIT;
    batch_at_desk(&house.batch);
    take("anna", "#turnpost orders\ngame: gc-1\nturn: 1\nbide\n#end\n");
    str_addf(&path, "%s/games/gc-1/journal.jsonl", house.dir);
    ck_ok(file_append(path.p, slice_of("x"), 0600, &err), err); /* somebody else was at it */
    ck_ok(batch_commit(&house.batch, &err), err);
    ck_assert_uint_eq(house.batch.broken, 1);
    batch_reset(&house.batch, true);
    ck_ok(batch_wait_desk(&house.batch, &err), err);
    read_folder("new", &files);
    ck_assert_uint_eq(files.len, 0);
    read_folder("tmp", &files);
    ck_assert_uint_eq(files.len, 0);
    house.batch.broken = 0;
    ck_ok(file_truncate(path.p, file_size(path.p) - 1, &err), err);
    again();
    str_release(&files);
    str_release(&path);
}
END_TEST

/* What cannot be staged is reported once, by the commit. */
START_TEST(a_spool_that_is_full)
{
    struct err err = ERR_INIT;
    struct str path = STR_INIT, aside = STR_INIT;
    str_addf(&path, "%s/tmp", house.batch.spool);
    str_addf(&aside, "%s/aside", house.batch.spool);
    batch_at_desk(&house.batch);
    ck_assert_int_eq(rename(path.p, aside.p), 0);
    take("anna", "#turnpost orders\ngame: gc-1\nturn: 1\nbide\n#end\n");
    ck_assert_int_eq(batch_commit(&house.batch, &err), -1);
    ck_assert_msg(err.code == ERR_IO && strstr(err.text, "spool/tmp"), "%s", err.text);
    ck_assert_int_eq(rename(aside.p, path.p), 0);
    err_clear(&err);
    ck_ok(batch_wait_desk(&house.batch, &err), err);
    again();
    str_release(&path);
    str_release(&aside);
}
END_TEST

/* More than the desk takes at a time: the caller waits, and none is lost. */
START_TEST(more_than_it_takes)
{
    struct err err = ERR_INIT;
    struct str files = STR_INIT, text = STR_INIT;
    size_t count = 0;
    for (int game = 2; game <= 600 / ORDERS_TEXTS; game++) {
        char id[GAME_NAME];
        (void)snprintf(id, sizeof id, "gc-%d", game);
        house_game(&house, id, "galaxy-command", DAY, 2, table);
    }
    house_empty_spool(&house);
    batch_at_desk(&house.batch);
    for (int i = 0; i < 600; i++) {
        str_clear(&text);
        str_addf(&text, "#turnpost orders\ngame: gc-%d\nturn: 1\nseq: %d\nexplore near or bide\nwait\n#end\n",
                 1 + i / ORDERS_TEXTS, 1 + i);
        take("anna", text.p);
    }
    ck_ok(batch_commit(&house.batch, &err), err);
    batch_reset(&house.batch, true);
    ck_ok(batch_wait_desk(&house.batch, &err), err);
    read_folder("new", &files);
    for (const char *one = files.p; (one = strstr(one, "== gc-")) != NULL; one++)
        count++;
    ck_assert_uint_eq(count, 600);
    str_release(&files);
    str_release(&text);
}
END_TEST

static void cases(TCase *tc)
{
    tcase_add_checked_fixture(tc, begin, end);
    tcase_add_test(tc, the_same_bytes_as_without_it);
    tcase_add_test(tc, what_is_committed_leaves);
    tcase_add_test(tc, what_is_not_committed_leaves_nothing);
    tcase_add_test(tc, a_spool_that_is_full);
    tcase_add_test(tc, more_than_it_takes);
}
TEST_MAIN("batch/desk", cases)
