/* Mails with a picture: the choice is made before the first try, and stays. */
#include "mail/undecided.h"

#include "base/mem.h"
#include "mail/compose.h"
#include "mail/illustrate.h"
#include "mail/order.h"
#include "mail/sink.h"
#include "scratch.h"

#define NOW  1795176000
#define PNG  "\x89PNG\r\n\x1a\npixels"
#define SHOW "<p><img src=\"cid:x@example.org\" alt=\"board\"></p>\n"

static char dir[SCRATCH_PATH], *spool, *out;

static void setup(void)
{
    struct err err = ERR_INIT;
    scratch_make(dir, "undecided");
    spool = path_join(dir, "spool");
    out = path_join(dir, "out");
    ck_ok(spool_init(spool, &err), err);
}

static void teardown(void)
{
    scratch_remove(dir);
    free(spool);
    free(out);
}

/* A mail of the row gc-1, anna; with a picture unless `digest` is NULL. */
static void queue(const char *id, const char *digest, bool has_place)
{
    struct err err = ERR_INIT;
    struct outgoing mail = OUTGOING_INIT;
    struct str message_id = STR_INIT;
    mail.id = mem_strdup(id);
    mail.envelope_from = mem_strdup("");
    mail.envelope_to = mem_strdup("anna@example.net");
    mail.ordered = true;
    if (digest) {
        mail.picture = outgoing_picture_new();
        memset(mail.picture->digest, *digest, PICTURE_DIGEST - 1);
        str_adds(&mail.picture->cid, "x@example.org");
        str_adds(&mail.picture->page, SHOW);
    }
    str_addf(&message_id, "%s@example.org", id);
    compose(&mail.mail,
            &(struct letter){.from = "league@example.org",
                             .to = "anna@example.net",
                             .subject = id,
                             .message_id = message_id.p,
                             .date = NOW,
                             .text = "Text\n",
                             .html = has_place ? "<p>\n" ILLUSTRATE_HERE "\n</p>\n" : "<p></p>\n"});
    ck_ok(spool_stage(spool, &mail, &err), err);
    ck_ok(spool_promote(spool, id, &err), err);
    outgoing_release(&mail);
    str_release(&message_id);
}

static size_t count_in(const char *folder)
{
    struct err err = ERR_INIT;
    struct file_names names;
    char *path = path_join(spool, folder);
    ck_ok(file_list(path, &names, &err), err);
    size_t count = names.count;
    file_names_free(&names);
    free(path);
    return count;
}

static struct sink_counts send_all(void)
{
    struct err err = ERR_INIT;
    struct sink_counts counts;
    const struct sink sink = {.kind = SINK_MAILDIR, .maildir = out, .expire = 1000};
    ck_ok(sink_send(&sink, &(struct sink_round){.spool = spool, .now = NOW}, &counts, &err), err);
    return counts;
}

/* Of a mail that has left. */
static void content(const char *id, struct str *text)
{
    struct err err = ERR_INIT;
    struct str path = STR_INIT;
    str_clear(text);
    str_addf(&path, "%s/anna@example.net/new/%s", out, id);
    ck_ok(file_read(path.p, 100000, text, &err), err);
    str_release(&path);
}

static bool has_picture(const char *id)
{
    struct str text = STR_INIT;
    content(id, &text);
    bool page = slice_find(slice_str(&text), "cid:x@example.org") != (size_t)-1;
    bool part = slice_find(slice_str(&text), "Content-Type: image/png") != (size_t)-1;
    ck_assert_msg(page == part, "half a picture in %s: %s", id, text.p);
    str_release(&text);
    return page;
}

static void read_list(struct undecided_list *list, size_t count)
{
    struct err err = ERR_INIT;
    ck_ok(undecided_read(spool, list, &err), err);
    ck_assert_uint_eq(list->count, count);
}

static void illustrate_one(struct undecided *one)
{
    struct err why = ERR_INIT;
    undecided_illustrate(spool, one, slice_of(PNG), &why);
    ck_assert_msg(one->choice == UNDECIDED_WITH, "%s", why.text);
}

START_TEST(nothing_leaves_before_the_choice)
{
    struct undecided_list list;
    struct err err = ERR_INIT;
    queue("gc-1.2.1", NULL, true);
    queue("gc-1.3.1", "a", true);
    queue("gc-1.4.1", NULL, true);
    queue("gc-2.3.1", NULL, true);
    struct sink_counts counts = send_all();
    ck_assert_uint_eq(counts.sent, 2);
    ck_assert_uint_eq(counts.undecided, 1);
    ck_assert_uint_eq(counts.held, 1); /* the one behind it in its row */
    read_list(&list, 1);
    ck_assert_str_eq(list.list[0].path, "new/gc-1.3.1.eml");
    illustrate_one(&list.list[0]);
    ck_ok(undecided_settle(spool, &list, 1, NOW, &err), err);
    ck_assert_uint_eq(list.count, 0);
    undecided_free(&list);
    counts = send_all();
    ck_assert_uint_eq(counts.sent, 2);
    ck_assert_uint_eq(counts.undecided, 0);
    ck_assert(has_picture("gc-1.3.1"));
    ck_assert(!has_picture("gc-1.4.1"));
    ck_assert_uint_eq(count_in("new") + count_in("wait") + count_in("chosen"), 0);
}
END_TEST

START_TEST(without_it_is_as_good)
{
    struct undecided_list list;
    struct err err = ERR_INIT;
    queue("gc-1.3.1", "a", true);
    queue("gc-1.4.1", NULL, true);
    read_list(&list, 1);
    ck_ok(undecided_settle(spool, &list, 1, NOW, &err), err);
    undecided_free(&list);
    read_list(&list, 0); /* it is not decided again */
    undecided_free(&list);
    ck_assert_uint_eq(send_all().sent, 2);
    ck_assert(!has_picture("gc-1.3.1"));
}
END_TEST

/* A server that puts it off: each try is the same mail, whatever pictures there are by then. */
START_TEST(a_repeated_mail_is_the_same)
{
    struct undecided_list list;
    struct err err = ERR_INIT;
    bool gave_up;
    const struct spool_try later = {SPOOL_LATER, "421 later", NOW, 1000};
    queue("gc-1.3.1", "a", true);
    queue("gc-2.3.1", "b", true);
    read_list(&list, 2);
    illustrate_one(&list.list[0]);
    ck_ok(undecided_settle(spool, &list, 2, NOW, &err), err);
    undecided_free(&list);
    for (int tries = 1; tries <= 3; tries++) {
        struct spool_list due;
        ck_ok(spool_due(spool, INT64_MAX, &due, &err), err);
        ck_assert_uint_eq(due.count, 2);
        for (size_t i = 0; i < due.count; i++) {
            struct outgoing mail;
            ck_ok(spool_load(spool, due.path[i], &mail, &err), err);
            ck_assert_int_eq(mail.tries, tries - 1);
            bool shown = slice_find(slice_str(&mail.mail), "image/png") != (size_t)-1;
            ck_assert_int_eq(shown, strcmp(mail.id, "gc-1.3.1") == 0);
            outgoing_release(&mail);
            ck_ok(spool_settle(spool, due.path[i], &later, &gave_up, &err), err);
            ck_assert(!gave_up);
        }
        spool_list_free(&due);
        read_list(&list, 0);
        undecided_free(&list);
    }
}
END_TEST

/* It counts as one that was never tried, and not as one that was put off for what it says. */
START_TEST(no_try_is_counted)
{
    struct undecided_list list;
    struct order order;
    struct err err = ERR_INIT;
    queue("gc-1.3.1", "a", true);
    read_list(&list, 1);
    ck_ok(undecided_settle(spool, &list, 1, NOW, &err), err);
    undecided_free(&list);
    queue("gc-1.4.1", NULL, true);
    size_t first, next;
    ck_ok(order_read(spool, NOW, &order, &err), err);
    ck_assert(order_take(&order, &first));
    ck_assert_ptr_nonnull(strstr(order.list.path[first], "gc-1.3.1"));
    ck_assert(!order_take(&order, &next));
    order_done(&order, first, SPOOL_LATER); /* those behind it wait, as for any first try */
    ck_assert(!order_take(&order, &next));
    ck_assert_uint_eq(order.held, 1);
    order_free(&order);
}
END_TEST

/* Killed at each point: what was not chosen is undecided, and was not tried. */
START_TEST(killed_between)
{
    struct undecided_list list;
    struct err err = ERR_INIT;
    queue("gc-1.3.1", "a", true);
    read_list(&list, 1);
    illustrate_one(&list.list[0]); /* written, but not in place: maybe half of it is on the disk */
    undecided_free(&list);
    char *half = path_join(spool, "chosen/gc-1.3.1.eml");
    ck_ok(file_truncate(half, 100, &err), err);
    ck_assert_uint_eq(send_all().sent, 0);
    ck_ok(spool_recover(spool, NULL, NULL, &err), err);
    ck_assert(!file_exists(half));
    free(half);
    read_list(&list, 1);
    ck_assert_int_eq(list.list[0].choice, UNDECIDED_WITHOUT);
    illustrate_one(&list.list[0]);
    ck_ok(undecided_settle(spool, &list, 1, NOW, &err), err);
    undecided_free(&list);
    ck_ok(spool_recover(spool, NULL, NULL, &err), err); /* killed right after it */
    read_list(&list, 0);
    undecided_free(&list);
    ck_assert_uint_eq(send_all().sent, 1);
    ck_assert(has_picture("gc-1.3.1"));
}
END_TEST

START_TEST(no_place_no_picture)
{
    struct undecided_list list;
    struct err err = ERR_INIT, why = ERR_INIT;
    queue("gc-1.3.1", "a", false);
    read_list(&list, 1);
    undecided_illustrate(spool, &list.list[0], slice_of(PNG), &why);
    ck_assert_int_eq(list.list[0].choice, UNDECIDED_WITHOUT);
    ck_assert_ptr_nonnull(strstr(why.text, "no place"));
    ck_ok(undecided_settle(spool, &list, 1, NOW, &err), err);
    undecided_free(&list);
    ck_assert_uint_eq(send_all().sent, 1);
}
END_TEST

/* An envelope of a newer Turnpost, or a damaged one, must not stand in the way for ever: sending says what is
 * wrong. */
START_TEST(damaged_ones_are_decided_too)
{
    struct undecided_list list;
    struct err err = ERR_INIT;
    static const char text[] =
        "{\"from\":\"\",\"picture\":{\"digest\":7},\"to\":\"anna@example.net\",\"until\":0}\n\r\n";
    char *path = path_join(spool, "new/gc-1.3.1.eml");
    ck_ok(file_create(path, slice_of(text), 0600, &err), err);
    free(path);
    read_list(&list, 1);
    ck_assert_str_eq(list.list[0].digest, "");
    ck_ok(undecided_settle(spool, &list, 1, NOW, &err), err);
    undecided_free(&list);
    ck_assert_uint_eq(send_all().sent, 1);
}
END_TEST

static void cases(TCase *tc)
{
    tcase_add_checked_fixture(tc, setup, teardown);
    tcase_add_test(tc, nothing_leaves_before_the_choice);
    tcase_add_test(tc, without_it_is_as_good);
    tcase_add_test(tc, a_repeated_mail_is_the_same);
    tcase_add_test(tc, no_try_is_counted);
    tcase_add_test(tc, killed_between);
    tcase_add_test(tc, no_place_no_picture);
    tcase_add_test(tc, damaged_ones_are_decided_too);
}
TEST_MAIN("mail/undecided", cases)
