/* A mailbox on an IMAP server: mails are fetched, moved to folders, and looked into meanwhile. */
#include <stdatomic.h>

#include "mail/errand.h"
#include "mail/imap_text.h"
#include "servers/mailbox.h"

/* How many mails a folder of a user has, asked over a connection of its own. */
static size_t folder_count(const struct servers *where, const char *user, const char *folder)
{
    struct err err = ERR_INIT;
    struct source *other = NULL;
    struct incoming mails[300];
    size_t count = 0;
    struct server server = servers_login(where, where->imaps, TLS_IMPLICIT, user);
    ck_ok(source_open_imap(&server, &(struct folders){folder, {"Processed", "Rejected", "Failed"}}, 100000,
                           &other, &err),
          err);
    ck_ok(source_fetch(other, mails, 300, &count, &err), err);
    for (size_t i = 0; i < count; i++)
        incoming_release(&mails[i]);
    source_close(other);
    return count;
}

/* ---- many, large and small ones ---- */

START_TEST(many_mails_in_batches)
{
    struct incoming mails[100];
    struct err err = ERR_INIT;
    size_t total = 0;
    for (int i = 0; i < 250; i++) {
        struct str text = STR_INIT;
        str_addf(&text, "Subject: mail %d\n\n", i);
        for (int j = 0; j < i; j++)
            str_addf(&text, "line %d\n", j);
        drop("u2", i, text.p, 1600000000 + i);
        str_release(&text);
    }
    open_as("u2");
    size_t count;
    while ((count = fetch(mails, 100)) > 0) {
        enum disposition how[100] = {MAIL_PROCESSED};
        for (size_t i = 0; i < count; i++, total++) {
            struct str want = STR_INIT;
            str_addf(&want, "Subject: mail %zu\r\n\r\n", total);
            ck_assert(str_starts(mails[i].raw.p, want.p));
            ck_assert_uint_eq(mails[i].raw.len, mails[i].size);
            ck_assert(!mails[i].oversize);
            ck_assert_int_eq(mails[i].arrived, 1600000000 + (int64_t)total);
            how[i] = total % 10 == 0 ? MAIL_REJECTED : MAIL_PROCESSED;
            str_release(&want);
        }
        ck_ok(source_dispose(source, mails, how, count, &err), err);
        for (size_t i = 0; i < count; i++)
            incoming_release(&mails[i]);
    }
    ck_assert_uint_eq(total, 250);
    source_close(source);
    ck_assert_uint_eq(folder_count(&servers, "u2", "INBOX"), 0);
    ck_assert_uint_eq(folder_count(&servers, "u2", "Processed"), 225);
    ck_assert_uint_eq(folder_count(&servers, "u2", "Rejected"), 25);

    /* the processed ones of the last hundred go back, as they came; a folder that is missing is empty */
    struct server server = servers_login(&servers, servers.imaps, TLS_IMPLICIT, "u2");
    size_t moved;
    const struct folders back = {"Processed", {"INBOX", "Processed", "Failed"}};
    ck_ok(source_open_imap(&server, &back, 100000, &source, &err), err);
    ck_ok(source_move_since(source, 1600000000 + 151, &moved, &err), err);
    ck_assert_uint_eq(moved, 90);
    source_close(source);
    ck_assert_uint_eq(folder_count(&servers, "u2", "Processed"), 135);
    open_as("u2");
    ck_ok(source_fetch(source, mails, 1, &count, &err), err);
    ck_assert_uint_eq(count, 1);
    ck_assert(str_starts(mails[0].raw.p, "Subject: mail 151\r\n"));
    ck_assert_int_eq(mails[0].arrived, 1600000000 + 151);
    incoming_release(&mails[0]);
    source_close(source);
    const struct folders missing = {"Nothing yet", {"INBOX", "Nothing yet", "Failed"}};
    ck_ok(source_open_imap(&server, &missing, 100000, &source, &err), err);
    ck_ok(source_move_since(source, 0, &moved, &err), err);
    ck_assert_uint_eq(moved, 0);
    source_close(source);
}
END_TEST

START_TEST(oversize_and_empty)
{
    struct incoming mails[10];
    struct str big = STR_INIT;
    str_adds(&big, "Subject: big\n\n");
    while (big.len < 200000)
        str_adds(&big, "0123456789012345678901234567890123456789\n");
    drop("u3", 1, "Subject: small\n\nx\n", 1600000000);
    drop("u3", 2, big.p, 1600000001);
    drop("u3", 3, "", 1600000002);
    open_as("u3");
    source_spare(source, 1000);
    ck_assert_uint_eq(fetch(mails, 10), 3);
    ck_assert(!mails[0].spared && mails[1].spared && !mails[2].spared);
    ck_assert(!mails[1].oversize && !mails[1].raw.len && mails[1].size >= 200000 &&
              mails[1].arrived == 1600000001);
    for (int i = 0; i < 3; i++)
        incoming_release(&mails[i]);
    source_again(source, NULL, NULL);
    ck_assert_uint_eq(fetch(mails, 10), 3);
    ck_assert(!mails[0].oversize && mails[1].oversize && !mails[2].oversize);
    ck_assert_str_eq(mails[1].raw.p, "Subject: big\r\n\r\n");
    ck_assert_uint_ge(mails[1].size, 200000);
    ck_assert_uint_eq(mails[2].raw.len, 0);
    /* Handed out, not disposed of: not again. */
    struct incoming more[10];
    ck_assert_uint_eq(fetch(more, 10), 0);
    servers_deliver(&servers, "u3@players.test", "Subject: late\n\nx");
    ck_assert_uint_eq(fetch(more, 10), 1);
    incoming_release(&more[0]);
    dispose(mails, 3, MAIL_REJECTED);
    source_close(source);
    ck_assert_uint_eq(folder_count(&servers, "u3", "INBOX"), 1);
    ck_assert_uint_eq(folder_count(&servers, "u3", "Rejected"), 3);
    str_release(&big);
}
END_TEST

START_TEST(batches_are_bounded)
{
    struct err err = ERR_INIT;
    struct incoming mails[10];
    struct str big = STR_INIT;
    str_adds(&big, "Subject: big\n\n");
    while (big.len < 3000000)
        str_adds(&big, "01234567890123456789012345678901234567890123456789012345678901234567890123456789\n");
    for (int i = 0; i < 3; i++)
        drop("u4", i, big.p, 1600000000);
    struct server server = servers_login(&servers, servers.imaps, TLS_IMPLICIT, "u4");
    ck_ok(source_open_imap(&server, &(struct folders){"INBOX", {"Processed", "Rejected", "Failed"}}, 10000000,
                           &source, &err),
          err);
    for (size_t n = 2; n >= 1; n--) {
        ck_assert_uint_eq(fetch(mails, 10), n);
        for (size_t i = 0; i < n; i++) {
            ck_assert_uint_gt(mails[i].raw.len, 3000000);
            incoming_release(&mails[i]);
        }
    }
    ck_assert_uint_eq(fetch(mails, 10), 0);
    source_close(source);
    str_release(&big);
}
END_TEST

/* What the process takes at most since the last call with true, in KiB. */
static long peak_memory(bool begin)
{
    struct err err = ERR_INIT;
    struct str text = STR_INIT;
    if (begin)
        run_shell("echo 5 >/proc/$PPID/clear_refs");
    ck_ok(file_read("/proc/self/status", 65536, &text, &err), err);
    const char *line = strstr(text.p, "VmHWM:");
    ck_assert_ptr_nonnull(line);
    long kib = strtol(line + 6, NULL, 10);
    str_release(&text);
    return kib;
}

START_TEST(a_crowded_mailbox_takes_little_memory)
{
    struct incoming mails[100];
    open_fake("imap_crowded", 20);
    long before = peak_memory(true);
    for (uint32_t n = 1; n <= 300; n += 100) {
        char id[32];
        ck_assert_uint_eq(fetch(mails, 100), 100);
        (void)snprintf(id, sizeof id, "7/%u", n);
        ck_assert_str_eq(mails[0].id, id); /* the oldest first, whatever the order of the answer */
        for (size_t i = 0; i < 100; i++)
            incoming_release(&mails[i]);
    }
    long more = peak_memory(false) - before;
#if !defined __SANITIZE_ADDRESS__ && !defined __SANITIZE_THREAD__
    ck_assert_msg(more < 6144, "%ld KiB", more);
#endif
    (void)more;
    source_close(source);
}
END_TEST

START_TEST(uid_sets)
{
    struct uids set = {0};
    struct str text = STR_INIT;
    size_t from = 0;
    static const uint32_t some[] = {9, 3, 4, 5, 9, 7, 4294967295U, 4294967294U};
    for (size_t i = 0; i < sizeof some / sizeof some[0]; i++)
        uids_add(&set, some[i]);
    ck_assert(uids_ranges(&text, &set, &from));
    ck_assert_str_eq(text.p, "3:5,7,9,4294967294:4294967295");
    ck_assert(!uids_ranges(&text, &set, &from));
    uids_remove(&set, 4);
    uids_remove(&set, 100);
    ck_assert(uids_has(&set, 5) && !uids_has(&set, 4) && !uids_has(&set, 1));
    uids_clear(&set);
    for (uint32_t i = 2000000; i > 0;
         i--) /* a server that counts down; 2 s of memmove for the first 400,000 */
        uids_add(&set, i);
    ck_assert(uids_has(&set, 1) && uids_has(&set, 2000000) && !uids_has(&set, 2000001));
    uids_clear(&set);
    for (uint32_t i = 0; i < 5000; i++)
        uids_add(&set, 1000000 + 2 * i);
    from = 0;
    size_t sets = 0;
    for (str_clear(&text); uids_ranges(&text, &set, &from); str_clear(&text), sets++)
        ck_assert_uint_lt(text.len, 7000);
    ck_assert_uint_eq(sets, 7);
    uids_free(&set);
    str_release(&text);
}
END_TEST

/* ---- errands ---- */

/* Looks at the next mails and notes which; waits at the second until it has been told to go on. */
struct looked {
    struct errand *errand;
    atomic_size_t count;
};

static void look(void *arg, size_t index)
{
    struct looked *looked = arg;
    ck_assert_uint_eq(index, looked->count);
    ck_assert_uint_gt(looked->errand->next[index].raw.len, 0);
    looked->count++;
    while (looked->count == 2 && !looked->errand->awaited)
        (void)usleep(1000);
}

/* Mails are looked into until somebody waits for the errand. */
START_TEST(errands_that_look)
{
    struct incoming next[4];
    struct err err = ERR_INIT;
    struct looked looked = {.count = 0};
    for (int i = 0; i < 4; i++)
        drop("u11", i, "Subject: x\n\n", 1600000000 + i);
    open_as("u11");
    struct errand errand = {.source = source, .next = next, .most = 4, .look = look, .arg = &looked};
    looked.errand = &errand;
    errand_begin(&errand);
    while (looked.count < 2)
        (void)usleep(1000);
    ck_ok(errand_end(&errand, &err), err);
    ck_assert_uint_eq(errand.next_count, 4);
    ck_assert_uint_eq(looked.count, 2);
    for (int i = 0; i < 4; i++)
        incoming_release(&next[i]);
    source_close(source);
}
END_TEST

/* One round is moved away and another fetched while somebody works on the one between. */
START_TEST(errands)
{
    struct incoming first[2], second[2];
    const enum disposition how[2] = {MAIL_PROCESSED, MAIL_REJECTED};
    struct err err = ERR_INIT;
    for (int i = 0; i < 4; i++)
        drop("u10", i, "Subject: x\n\n", 1600000000 + i);
    open_as("u10");
    ck_assert(source_is_far(source));
    ck_assert_uint_eq(fetch(first, 2), 2);
    struct errand errand = {
        .source = source, .gone = first, .how = how, .gone_count = 2, .next = second, .most = 2};
    errand_begin(&errand);
    ck_assert(errand.under_way);
    ck_ok(errand_end(&errand, &err), err);
    ck_assert_uint_eq(errand.next_count, 2);
    ck_assert_str_ne(second[0].id, first[0].id);
    for (int i = 0; i < 2; i++) {
        incoming_release(&first[i]);
        incoming_release(&second[i]);
    }
    errand.gone_count = 0;
    errand_begin(&errand);
    ck_ok(errand_end(&errand, &err), err);
    ck_assert_uint_eq(errand.next_count, 0); /* fetched and not disposed of: not again */
    source_close(source);
    ck_assert_uint_eq(folder_count(&servers, "u10", "INBOX"), 2);
    ck_assert_uint_eq(folder_count(&servers, "u10", "Processed"), 1);
    ck_assert_uint_eq(folder_count(&servers, "u10", "Rejected"), 1);
}
END_TEST

/* What the server does wrong meanwhile is reported at the end. */
START_TEST(errands_that_fail)
{
    struct incoming mails[2];
    struct err err = ERR_INIT;
    open_fake("imap_cut", 5);
    struct errand errand = {.source = source, .next = mails, .most = 2};
    errand_begin(&errand);
    ck_assert_int_eq(errand_end(&errand, &err), -1);
    ck_assert_msg(err.code == ERR_TEMP && strstr(err.text, "lost the connection"), "%s", err.text);
    source_close(source);
}
END_TEST

/* ---- mails that come again ---- */

/* Mails that failed go to a folder that is made for them, and come back by reading that one. */
START_TEST(failed_mails_go_and_come_back)
{
    struct err err = ERR_INIT;
    struct incoming mails[2];
    struct server server = servers_login(&servers, servers.imaps, TLS_IMPLICIT, "u12");
    const struct folders ways[2] = {{"INBOX", {"Processed", "Rejected", "Failed"}},
                                    {"Failed", {"INBOX", "Rejected", "Failed"}}};
    drop("u12", 1, "Subject: x\n\nx\n", 1600000000);
    for (int i = 0; i < 2; i++) {
        ck_ok(source_open_imap(&server, &ways[i], 1000, &source, &err), err);
        ck_assert_uint_eq(fetch(mails, 2), 1);
        incoming_release(&mails[0]);
        source_again(source, NULL, NULL); /* what was left where it is comes again */
        ck_assert_uint_eq(fetch(mails, 2), 1);
        dispose(mails, 1, i ? MAIL_PROCESSED : MAIL_FAILED);
        source_close(source);
        ck_assert_uint_eq(folder_count(&servers, "u12", i ? "INBOX" : "Failed"), 1);
        ck_assert_uint_eq(folder_count(&servers, "u12", i ? "Failed" : "INBOX"), 0);
    }
}
END_TEST

static bool is_the_first(void *arg, const unsigned char digest[32])
{
    ck_assert_uint_le(digest[0], 1);
    return digest[0] == *(unsigned char *)arg;
}

/* What is put to rest does not come again until its owner says so. */
START_TEST(mails_rest)
{
    struct incoming mails[3];
    unsigned char rests = 0;
    open_fake("imap_polite", 5);
    ck_assert_uint_eq(fetch(mails, 3), 3);
    for (unsigned char i = 0; i < 3; i++) {
        if (i < 2)
            source_rest(source, &mails[i], (unsigned char[32]){i});
        incoming_release(&mails[i]);
    }
    source_again(source, is_the_first, &rests);
    ck_assert_uint_eq(fetch(mails, 3), 2);
    ck_assert_str_eq(mails[0].id, "7/2");
    for (int i = 0; i < 2; i++)
        incoming_release(&mails[i]);
    rests = 1; /* nobody: the second one was forgotten */
    source_again(source, is_the_first, &rests);
    ck_assert_uint_eq(fetch(mails, 3), 3);
    for (int i = 0; i < 3; i++)
        incoming_release(&mails[i]);
    source_close(source);
}
END_TEST

START_TEST(vanished_mails_are_skipped)
{
    struct incoming mails[10];
    open_fake("imap_vanished", 5);
    ck_assert_uint_eq(fetch(mails, 10), 2);
    ck_assert_str_eq(mails[0].id, "7/1");
    ck_assert_str_eq(mails[1].id, "7/3");
    ck_assert_int_eq(mails[0].arrived, 1769936400);
    ck_assert_str_eq(mails[1].raw.p, "Subject: 3\r\n\r\nx\r\n");
    struct incoming more[1];
    ck_assert_uint_eq(fetch(more, 1), 0);
    dispose(mails, 2, MAIL_PROCESSED);
    source_close(source);
}
END_TEST

/* ---- folders ---- */

START_TEST(folders_with_strange_names)
{
    struct err err = ERR_INIT;
    struct incoming mails[1];
    struct server server = servers_login(&servers, servers.imaps, TLS_IMPLICIT, "u5");
    const char *processed = "Spielz\xc3\xbcge & \"mehr\"";
    const char *rejected = "\xe6\x97\xa5\xe6\x9c\xac\xf0\x9f\x8e\xb2";
    drop("u5", 1, "Subject: x\n\nx\n", 1600000000);
    for (int i = 0; i < 2; i++) {
        ck_ok(source_open_imap(&server,
                               &(struct folders){i ? processed : "INBOX", {processed, rejected, "Failed"}},
                               1000, &source, &err),
              err);
        ck_assert_uint_eq(fetch(mails, 1), 1);
        dispose(mails, 1, i ? MAIL_REJECTED : MAIL_PROCESSED);
        source_close(source);
    }
    ck_assert_uint_eq(folder_count(&servers, "u5", rejected), 1);
    struct str code = STR_INIT;
    imap_encode_name(&code, rejected);
    ck_assert_str_eq(code.p, "&ZeVnLNg837I-");
    str_clear(&code);
    imap_quote_name(&code, "a&b\"c\\d\xc3\xa4");
    ck_assert_str_eq(code.p, "\"a&-b\\\"c\\\\d&AOQ-\"");
    str_release(&code);
}
END_TEST

START_TEST(folders_may_be_there_or_impossible)
{
    open_fake("imap_quicker", 5);
    source_close(source);
    struct server server =
        servers_login(&servers, fake_port(&fakes, "imap_no_create"), TLS_IMPLICIT, "orders");
    ck_open_fails(&server, ERR_CONFIG, "cannot create the folder \"Processed\"");
}
END_TEST

/* ---- servers that can do less ---- */

/* A mailbox on a Dovecot that hides some extensions; two mails ours, one somebody else's marked as deleted.
 */
static void without(const char *capabilities, bool foreign_mark, size_t left)
{
    struct servers plain;
    struct incoming mails[10];
    struct err err = ERR_INIT;
    struct str extra = STR_INIT;
    str_addf(&extra, "protocol imap {\n imap_capability = %s\n}\n", capabilities);
    servers_start_with(&plain, "", extra.p);
    servers_deliver(&plain, "orders@game.test", "Subject: 1\n\nx");
    servers_deliver(&plain, "orders@game.test", "Subject: 2\n\nx");
    struct server server = servers_login(&plain, plain.imaps, TLS_IMPLICIT, "orders");
    ck_ok(try_open(&server, &err), err);
    ck_assert_uint_eq(fetch(mails, 10), 2);
    if (foreign_mark) {
        str_clear(&extra);
        servers_deliver(&plain, "orders@game.test", "Subject: 3\n\nx");
        /* Only the name of a Maildir file holds its flags. */
        str_addf(&extra, "cd %s/mail/orders/Maildir; for f in new/*; do mv $f cur/${f#new/}:2,T; done",
                 plain.dir);
        run_shell(extra.p);
    }
    dispose(mails, 2, MAIL_PROCESSED);
    ck_assert_uint_eq(fetch(mails, 10), 0);
    source_close(source);
    ck_assert_uint_eq(folder_count(&plain, "orders", "Processed"), 2);
    ck_assert_uint_eq(folder_count(&plain, "orders", "INBOX"), 0);
    str_clear(&extra);
    str_addf(&extra, "test $(ls %s/mail/orders/Maildir/cur | wc -l) = %zu", plain.dir, left);
    run_shell(extra.p);
    str_release(&extra);
    servers_stop(&plain);
}

START_TEST(servers_without_move)
{
    without("IMAP4rev1 UIDPLUS", false, 0);
}
END_TEST

START_TEST(servers_without_uidplus)
{
    without("IMAP4rev1", false, 0);
}
END_TEST

START_TEST(foreign_mail_is_never_expunged)
{
    without("IMAP4rev1", true, 3);
}
END_TEST

static void cases(TCase *tc)
{
    tcase_add_unchecked_fixture(tc, start, stop);
    tcase_add_test(tc, many_mails_in_batches);
    tcase_add_test(tc, errands);
    tcase_add_test(tc, errands_that_look);
    tcase_add_test(tc, errands_that_fail);
    tcase_add_test(tc, oversize_and_empty);
    tcase_add_test(tc, batches_are_bounded);
    tcase_add_test(tc, failed_mails_go_and_come_back);
    tcase_add_test(tc, mails_rest);
    tcase_add_test(tc, folders_with_strange_names);
    tcase_add_test(tc, folders_may_be_there_or_impossible);
    tcase_add_test(tc, vanished_mails_are_skipped);
    tcase_add_test(tc, servers_without_move);
    tcase_add_test(tc, servers_without_uidplus);
    tcase_add_test(tc, foreign_mail_is_never_expunged);
    tcase_add_test(tc, a_crowded_mailbox_takes_little_memory);
    tcase_add_test(tc, uid_sets);
}
TEST_MAIN("mail/imap_fetch", cases)
