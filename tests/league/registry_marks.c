/* The registry's memory of mails and texts: no text counts twice, whatever becomes of the catalog; what it
 * costs does not grow with the journal; a player can use only so much of it on a day. */
#include "house/house.h"

#include <sys/stat.h>
#include <time.h>

#include "league/registry_marks.h"

#define DAY ((int64_t)86400)

static struct house house;

static void begin(void)
{
    house_open(&house);
    house_option(&house, "[league]", "moderators = mona");
    house_option(&house, "[limits]", "changes_per_day = 3\nreplies_per_day = 1000");
    house_restart(&house);
    house_player(&house, "anna");
    house_player(&house, "bob");
    house_player(&house, "mona");
}

static void end(void)
{
    house_close(&house);
}

static int64_t says(const char *who, const char *text)
{
    int64_t before = house.batch.log.seq;
    (void)house_signed(&house, who, who, text);
    return house.batch.log.seq - before;
}

/* The last mail's text once more, in another mail: is it known? */
static void known(void)
{
    char *body = slice_dup(slice_of(strstr(house.last_raw.p, "\r\n\r\n") + 4));
    int64_t before = house.batch.log.seq;
    house_empty_spool(&house);
    (void)house_mail(&house, "anna", "again", body);
    ck_assert_int_eq(house.batch.log.seq, before);
    house_told(&house, "anna", 1, "very same text");
    free(body);
}

static void remove_catalog(void)
{
    house_end(&house);
    house_remove_catalog(&house);
    house_begin(&house);
}

START_TEST(a_text_counts_once)
{
    ck_assert_int_eq(says("anna", "#turnpost prefs\nhtml: yes\n#end\n"), 1);
    known();
    house_restart(&house);
    known();
    remove_catalog();
    known();
    house.now += 59 * DAY;
    house_restart(&house);
    known();
}
END_TEST

/* Two mails of one batch: the first is in no journal yet. */
START_TEST(within_a_batch)
{
    struct err err = ERR_INIT;
    int64_t before = house.batch.log.seq;
    struct str body = STR_INIT, raw = STR_INIT;
    house_sign(&house, "anna", "#turnpost prefs\nhtml: yes\n#end\n", &body);
    for (int i = 0; i < 2; i++) {
        str_clear(&raw);
        str_addf(&raw, "From: anna@example.net\r\nTo: " HOUSE_ADDRESS "\r\nMessage-ID: <b%d@x>\r\n\r\n%s", i,
                 body.p);
        (void)house_take(&house, slice_str(&raw));
    }
    ck_ok(batch_commit(&house.batch, &err), err);
    batch_reset(&house.batch, true);
    ck_assert_int_eq(house.batch.log.seq, before + 1);
    str_release(&body);
    str_release(&raw);
}
END_TEST

/* The catalog is older than the journal: it was put back, or lost its last transaction. */
START_TEST(a_catalog_of_yesterday)
{
    house_end(&house);
    house_copy(&house, "catalog.sqlite", "kept");
    house_begin(&house);
    ck_assert_int_eq(says("anna", "#turnpost prefs\nhtml: yes\n#end\n"), 1);
    house_end(&house);
    house_remove_catalog(&house);
    house_copy(&house, "kept", "catalog.sqlite");
    house_begin(&house);
    known();
}
END_TEST

/* The clock was a year ahead for a day, and what was too old by it was forgotten. */
START_TEST(a_clock_that_was_ahead)
{
    struct err err = ERR_INIT;
    ck_assert_int_eq(says("anna", "#turnpost prefs\nhtml: yes\n#end\n"), 1);
    char *body = slice_dup(slice_of(strstr(house.last_raw.p, "\r\n\r\n") + 4));
    int64_t then = house.now, seq = house.batch.log.seq;
    house.now += 366 * DAY;
    ck_ok(batch_round(&house.batch, house.now, &err), err);
    ck_ok(registry_marks_tidy(&house.batch.log, house.now, &err), err);
    house.now = then + DAY;
    ck_ok(batch_round(&house.batch, house.now, &err), err);
    (void)house_mail(&house, "anna", "again", body);
    ck_assert_int_eq(house.batch.log.seq, seq);
    free(body);
}
END_TEST

/* ---- its cost ---- */

static double seconds(void)
{
    struct timespec now;
    ck_assert_int_eq(clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now), 0);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static double look_ups(void)
{
    struct err err = ERR_INIT;
    unsigned char text[32], mail[32];
    enum registry_seen seen;
    double from = seconds();
    for (int i = 0; i < 5000; i++) {
        randombytes_buf(text, sizeof text);
        randombytes_buf(mail, sizeof mail);
        ck_ok(registry_log_seen(&house.batch.log, text, mail, &seen, &err), err);
        ck_assert_int_eq(seen, REGISTRY_NEW);
    }
    return seconds() - from;
}

static void many_records(int count)
{
    struct err err = ERR_INIT;
    char hex[65];
    unsigned char digest[32];
    for (int i = 0; i < count; i++) {
        randombytes_buf(digest, sizeof digest);
        hex_to(hex, digest, 32);
        json_t *evidence = json_pack("{s:s}", "mail", hex);
        randombytes_buf(digest, sizeof digest);
        hex_to(hex, digest, 32);
        json_object_set_new(evidence, "text", json_string(hex));
        struct registry_change change = {.what = "prefs", .evidence = evidence};
        ck_ok(batch_change(&house.batch, &change, &err), err);
        json_decref(evidence);
    }
    ck_ok(batch_commit(&house.batch, &err), err);
    batch_reset(&house.batch, true);
}

START_TEST(a_long_journal_costs_no_more)
{
    many_records(10);
    double few = look_ups();
    many_records(FEW ? 2000 : 20000);
    double many = look_ups();
    ck_assert_msg(many < 4 * few, "%.3f s for 5,000 look-ups with 20,000 records, %.3f s with 10", many, few);
}
END_TEST

/* ---- what is recorded ---- */

START_TEST(nothing_new_leaves_no_record)
{
    ck_assert_int_eq(says("anna", "#turnpost prefs\nhtml: yes\n#end\n"), 1);
    house_empty_spool(&house);
    ck_assert_int_eq(says("anna", "#turnpost prefs\nhtml: yes\nseq: 2\n#end\n"), 0);
    house_told(&house, "anna", 1, "Your settings");
    (void)house_raw(&house, slice_str(&house.last_raw)); /* the same mail, after a crash */
    house_told(&house, "anna", 0, NULL);
}
END_TEST

START_TEST(so_many_a_day)
{
    char text[100];
    for (int i = 0; i < 40; i++) {
        (void)snprintf(text, sizeof text, "#turnpost prefs\nhtml: %s\nseq: %d\n#end\n", i % 2 ? "no" : "yes",
                       i + 1);
        ck_assert_int_eq(says("anna", text), i < 3);
        if (i == 3)
            house_told(&house, "anna", 1, "send it again tomorrow");
        ck_assert_int_eq(says("mona", text), i < 30);
        house_empty_spool(&house);
    }
    ck_assert_int_eq(says("bob", text), 0); /* as it is */
    ck_assert_int_eq(says("bob", "#turnpost prefs\nhtml: yes\n#end\n"), 1);
    house.now += DAY;
    ck_assert_int_eq(says("anna", "#turnpost prefs\nhtml: no\n#end\n"), 1);
}
END_TEST

START_TEST(nobody_else_reads_the_journal)
{
    struct str path = STR_INIT;
    struct stat st;
    str_addf(&path, "%s/registry/journal.jsonl", house.dir);
    ck_assert_int_eq(stat(path.p, &st), 0);
    ck_assert_int_eq((int)(st.st_mode & 0777), 0600);
    ck_assert_int_eq(chmod(path.p, 0644), 0);
    house_restart(&house);
    ck_assert_int_eq(stat(path.p, &st), 0);
    ck_assert_int_eq((int)(st.st_mode & 0777), 0600);
    str_release(&path);
}
END_TEST

static void cases(TCase *tc)
{
    tcase_add_checked_fixture(tc, begin, end);
    tcase_add_test(tc, a_text_counts_once);
    tcase_add_test(tc, within_a_batch);
    tcase_add_test(tc, a_catalog_of_yesterday);
    tcase_add_test(tc, a_clock_that_was_ahead);
    tcase_add_test(tc, a_long_journal_costs_no_more);
    tcase_add_test(tc, nothing_new_leaves_no_record);
    tcase_add_test(tc, so_many_a_day);
    tcase_add_test(tc, nobody_else_reads_the_journal);
}
TEST_MAIN("league/registry_marks", cases)
