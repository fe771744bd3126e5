/* What a player's mails do not show is asked and accuses nobody; what contradicts a receipt is found. */
#include "house/mailbox.h"
#include "house/other_keys.h"
#include "house/gives.h"

#include <time.h>

#include "base/file.h"
#include "batch/digest.h"

static void signed_by(const char *signer, int turn, const char *lines)
{
    struct str text = STR_INIT;
    str_addf(&text, "#turnpost orders\ngame: gc-1\nturn: %d\n%s#end\n", turn, lines);
    (void)house_signed(&house, "anna", signer, text.p);
    str_release(&text);
}

/* The mail that tells anna of it, as the words of templates/common/keys.txt have it. */
static void keep_confirmation(void)
{
    struct str mail = STR_INIT;
    struct pubkey key;
    char shown[KEY_SHOWN];
    secret_public(house_person(&house, "phone"), &key);
    pubkey_show(shown, &key);
    str_addf(
        &mail,
        "From: league@example.org\r\nMessage-ID: <mail.1.0@example.org>\r\n\r\nGood from now on:\n\n%s\n",
        shown);
    keep(slice_str(&mail));
    str_release(&mail);
}

static void ck_none(enum receipts_kind kind)
{
    for (size_t i = 0; i < receipts.finding_count; i++)
        ck_assert_msg(receipts.finding[i].kind != kind, "found: %s", receipts.finding[i].text);
}

/* ---- an honest league ---- */

START_TEST(a_lost_sent_folder_accuses_nobody)
{
    for (int turn = 1; turn <= 3; turn++) {
        signed_by("anna", turn, "explore near\n");
        order("bob", turn, "explore near\n");
        keep_mails();
    }
    ck_assert_int_eq(hold(), RECEIPTS_GOOD);
    ck_assert_uint_eq(receipts.text_count, 0);
    let_go();
    play_to_the_end();
    ck_assert_int_eq(hold(), RECEIPTS_GOOD);
    let_go();
}
END_TEST

/* Also when the receipts are gone with it. */
START_TEST(bounced_mails_are_asked_about)
{
    order("anna", 1, "explore near\n");
    order("bob", 1, "explore near\n");
    keep_mails();
    signed_by("anna", 2, "explore near\n"); /* neither copy nor receipt is left */
    house_empty_spool(&house);
    order("bob", 2, "explore near\n");
    house_empty_spool(&house); /* nor the report */
    play_to_the_end();
    ck_assert_int_eq(hold(), RECEIPTS_ASK);
    ck_assert_ptr_nonnull(strstr(first(RECEIPTS_UNSENT)->text, "from another device"));
    ck_assert_ptr_nonnull(strstr(first(RECEIPTS_REPORT)->text, "the report of turn 2: was it lost"));
    ck_assert_uint_eq(receipts_count(&receipts, RECEIPTS_UNSENT), 1);
    let_go();
}
END_TEST

/* By its own date the mail is of noon; it comes a day later. */
START_TEST(a_greylisted_mail_is_asked_about)
{
    order("anna", 1, "explore near\n");
    order("bob", 1, "explore near\n");
    order("bob", 2, "explore near\n");
    keep_mails();
    house_clock(&house, house.now + 86401);
    signed_by("anna", 2, "explore near\n");
    keep_sent();
    keep_mails();
    play_to_the_end();
    ck_assert_int_eq(hold(), RECEIPTS_ASK);
    const struct receipts_finding *missed = first(RECEIPTS_MISSED);
    ck_assert_ptr_nonnull(strstr(missed->text, "before the turn was due"));
    ck_assert_int_eq(missed->seat, 1);
    ck_none(RECEIPTS_DROPPED);
    let_go();
}
END_TEST

START_TEST(a_mail_that_was_late_by_its_own_date_is_not)
{
    struct str late = STR_INIT;
    order("anna", 1, "explore near\n");
    order("bob", 1, "explore near\n");
    keep_mails();
    house_clock(&house, house.now + 86401);
    house_empty_spool(&house);
    signed_by("anna", 2, "explore near\n");
    const char *day = strstr(house.last_raw.p, "Fri, 20 Nov");
    str_add(&late, house.last_raw.p, (size_t)(day - house.last_raw.p));
    str_addf(&late, "Sun, 22 Nov%s", day + strlen("Fri, 20 Nov"));
    keep(slice_str(&late));
    house_empty_spool(&house);
    play_to_the_end();
    (void)hold();
    ck_assert_int_eq(first(RECEIPTS_LOST)->weight, RECEIPTS_NOTE);
    ck_assert_ptr_nonnull(strstr(first(RECEIPTS_LOST)->text, "written after the turn was due"));
    let_go();
    str_release(&late);
}
END_TEST

/* A turn that lacks orders is held open for the grace, so what comes within it is no later than a turn is. */
START_TEST(a_mail_within_the_grace_is_asked_about)
{
    struct schedule clock;
    struct str held_up = STR_INIT;
    end();
    schedule_init(&clock);
    clock.length = 86400;
    clock.grace = 3600;
    begin_with(&clock);
    order("bob", 1, "explore near\n");
    keep_mails();
    char date[64], when[64];
    time_t written = (time_t)(house_find(&house, "gc-1")->clock.deadline + 1800);
    struct tm tm;
    ck_assert_uint_gt(
        strftime(when, sizeof when, "Date: %a, %d %b %Y %H:%M:%S +0000", gmtime_r(&written, &tm)), 0);
    house_clock(&house, house.now + 86400 + 3601);
    house_empty_spool(&house);
    signed_by("anna", 1, "explore near\n");
    const char *at = strstr(house.last_raw.p, "Date: ");
    (void)snprintf(date, sizeof date, "%.*s", (int)strcspn(at, "\r\n"), at);
    str_add(&held_up, house.last_raw.p, (size_t)(at - house.last_raw.p));
    str_addf(&held_up, "%s%s", when, at + strlen(date));
    keep(slice_str(&held_up));
    house_empty_spool(&house);
    play_to_the_end();
    ck_assert_int_eq(hold(), RECEIPTS_ASK);
    ck_assert_int_eq(first(RECEIPTS_MISSED)->seat, 1);
    ck_assert_ptr_nonnull(
        strstr(first(RECEIPTS_MISSED)->text,
               "before the turn was due. Mails can be held up on their way. Ask when yours came."));
    let_go();
    str_release(&held_up);
}
END_TEST

/* What may come after `open` is no contradiction: the copy is of before. */
START_TEST(a_copy_from_before_a_resend_accuses_nobody)
{
    struct err err = ERR_INIT;
    struct str lines = STR_INIT;
    play();
    play_to_the_end();
    char *dir = game_dir(), *path = path_join(dir, "journal.jsonl");
    ck_ok(file_read(path, 1 << 22, &lines, &err), err);
    house_rules(&house, "gc-1", "do: resend anna\nreason: it was lost\n");
    keep_mails();
    ck_assert_int_eq(hold(), RECEIPTS_GOOD);
    let_go();
    char *copy = path_join(house.dir, "copy.jsonl");
    ck_ok(file_write_soft(copy, slice_str(&lines), 0600, &err), err);
    ck_assert_int_eq(hold_path(copy, NULL), RECEIPTS_ASK);
    ck_assert_ptr_nonnull(strstr(first(RECEIPTS_BEYOND)->text, "Fetch the journal again."));
    let_go();
    free(copy);
    free(path);
    free(dir);
    str_release(&lines);
}
END_TEST

START_TEST(a_digest_is_all_its_mails)
{
    struct err err = ERR_INIT;
    (void)house_signed(&house, "anna", "anna", "#turnpost prefs\ndigest: yes\n#end\n");
    house_empty_spool(&house);
    for (int turn = 1; turn <= 3; turn++) {
        signed_by("anna", turn, "explore near\n");
        order("bob", turn, "explore near\n");
    }
    house_clock(&house, house.now + 2 * 86400);
    ck_ok(digest_send(&house.batch, &err), err);
    keep_mails();
    ck_assert_int_gt(sent_count, 0);
    ck_assert_int_ne(hold(), RECEIPTS_WRONG);
    ck_none(RECEIPTS_REPORT);
    ck_none(RECEIPTS_UNSENT);
    let_go();
}
END_TEST

/* A key that she has named in the game herself. */
START_TEST(a_new_key_accuses_nobody)
{
    house_key_added(&house, "anna", "phone");
    house_empty_spool(&house);
    for (int turn = 1; turn <= 3; turn++) {
        signed_by(turn == 2 ? "phone" : "anna", turn, "explore near\n");
        order("bob", turn, "explore near\n");
        keep_mails();
    }
    play_to_the_end();
    ck_assert_int_eq(hold(), RECEIPTS_GOOD);
    let_go();
}
END_TEST

/* One that came in the place of a lost one, whatever is left of the mails about it. */
START_TEST(a_key_in_place_of_a_lost_one_is_a_question)
{
    house_key_replaced(&house, "anna", "phone");
    house_empty_spool(&house);
    for (int turn = house_find(&house, "gc-1")->turn; turn <= 3; turn++) {
        signed_by("phone", turn, "explore near\n");
        order("bob", turn, "explore near\n");
        keep_mails();
    }
    play_to_the_end();
    ck_assert_int_eq(hold(), RECEIPTS_ASK);
    ck_assert_ptr_nonnull(strstr(first(RECEIPTS_KEY)->text, "did you ask for it"));
    let_go();
    keep_confirmation();
    ck_assert_int_eq(hold(), RECEIPTS_GOOD);
    let_go();
}
END_TEST

START_TEST(a_key_that_signed_her_mail_is_hers)
{
    house_key_replaced(&house, "anna", "phone");
    house_empty_spool(&house);
    signed_by("phone", house_find(&house, "gc-1")->turn, "explore near\n");
    keep_sent();
    keep_mails();
    play_to_the_end();
    ck_assert_int_eq(hold(), RECEIPTS_GOOD);
    let_go();
}
END_TEST

/* What the stand-in does raises no question for the former owner of the seat. */
START_TEST(a_stand_in_s_doings_are_not_hers)
{
    house_player(&house, "dora");
    order("anna", 1, "explore near\n");
    order("bob", 1, "explore near\n");
    keep_mails();
    house_gives(&house, "gc-1", "anna", "dora");
    (void)house_signed(&house, "dora", "dora", "#turnpost orders\ngame: gc-1\nturn: 2\nbide\n#end\n");
    order("bob", 2, "explore near\n");
    house_empty_spool(&house);
    signed_by("anna", 3, "explore near\n");
    keep_sent();
    keep_mails();
    play_to_the_end();
    ck_assert_int_eq(hold(), RECEIPTS_GOOD);
    ck_assert_int_eq(first(RECEIPTS_LOST)->weight, RECEIPTS_NOTE);
    let_go();
}
END_TEST

/* Two texts in one mail, of which one is accepted: its receipt is not the other's. */
START_TEST(a_receipt_is_of_one_text_of_the_mail)
{
    struct str body = STR_INIT;
    house_sign(&house, "anna", "#turnpost orders\ngame: gc-1\nturn: 7\nbide\n#end\n", &body);
    house_sign(&house, "anna", "#turnpost orders\ngame: gc-1\nturn: 1\nbide\n#end\n", &body);
    (void)house_mail(&house, "anna", "orders", body.p);
    keep_sent();
    keep_mails();
    play_to_the_end();
    ck_assert_int_eq(hold(), RECEIPTS_ASK);
    ck_assert_ptr_nonnull(strstr(first(RECEIPTS_MISSED)->text, "orders for turn 7"));
    ck_none(RECEIPTS_DROPPED);
    ck_assert_uint_eq(receipts_count(&receipts, RECEIPTS_ORDERS), 1);
    let_go();
    str_release(&body);
}
END_TEST

/* Moderators set orders, and take turns back: their records are signed like all others. */
START_TEST(what_moderators_do_contradicts_no_receipt)
{
    order("anna", 1, "explore near\n");
    house_rules(&house, "gc-1", "do: orders anna\nreason: she called\nbide\n");
    order("bob", 1, "explore near\n");
    order("anna", 2, "explore near\n");
    house_rules(&house, "gc-1", "do: rollback turn 1\nreason: a fault\n");
    keep_mails();
    play_to_the_end();
    ck_assert_int_ne(hold(), RECEIPTS_WRONG);
    ck_none(RECEIPTS_REPLACED);
    let_go();
}
END_TEST

START_TEST(late_orders_of_others_are_asked_about)
{
    order("anna", 1, "explore near\n");
    keep_mails();
    house.now += 86400 + 900;
    house.batch.now = house.now;
    order("bob", 1, "explore near\n");
    keep_mails();
    play_to_the_end();
    ck_assert_int_eq(hold(), RECEIPTS_ASK);
    ck_assert_ptr_nonnull(strstr(first(RECEIPTS_LATE)->text, "bob in turn 1 (record 6, 15 minutes)"));
    let_go();
}
END_TEST

START_TEST(late_orders_of_a_turn_that_was_moved_are_not)
{
    order("anna", 1, "explore near\n");
    keep_mails();
    house_rules(&house, "gc-1", "do: hold\nreason: bob's mail is down\n");
    house.now += 86400 + 900;
    house.batch.now = house.now;
    order("bob", 1, "explore near\n");
    house_rules(&house, "gc-1", "do: resolve\nreason: all is in\n");
    keep_mails();
    play_to_the_end();
    ck_assert_int_eq(hold(), RECEIPTS_GOOD);
    let_go();
}
END_TEST

/* ---- one that cheats ---- */

static json_t *seals(const char *first)
{
    return json_pack("[s,s]", first, "");
}

/* The close says something else than the receipt, and no mail of later records is there. */
START_TEST(orders_that_do_not_count_behind_their_receipt)
{
    order("anna", 1, "explore near\n");
    order("anna", 1, "explore far or bide\n");
    keep_mails();
    order("bob", 1, "explore near\n");
    house_empty_spool(&house);
    int64_t close = last_of("close");
    char *dir = rewrite(close, "missed", json_pack("[i]", 1));
    ck_assert_int_eq(hold_path(dir, NULL), RECEIPTS_WRONG);
    ck_assert_ptr_nonnull(strstr(first(RECEIPTS_REPLACED)->text, "as if none had come"));
    ck_assert_int_eq(first(RECEIPTS_REPLACED)->seq, close);
    ck_none(RECEIPTS_FORK);
    let_go();
    free(dir);
    struct str hex = STR_INIT;
    struct err err = ERR_INIT;
    char *path = game_dir();
    ck_ok(ledger_open(path, &ledger, &err), err);
    hex_encode(&hex, ledger.record[4].seal, SEAL_BYTES); /* the first ones */
    ledger_close(&ledger);
    dir = rewrite(close, "seals", seals(hex.p));
    ck_assert_int_eq(hold_path(dir, NULL), RECEIPTS_WRONG);
    ck_assert_ptr_nonnull(strstr(first(RECEIPTS_REPLACED)->text, "with those of record 5"));
    let_go();
    free(dir);
    dir = rewrite(close, "seals", seals("")); /* in silence */
    ck_assert_int_eq(hold_path(dir, NULL), RECEIPTS_ASK);
    ck_assert_int_eq(first(RECEIPTS_REPLACED)->weight, RECEIPTS_ASK);
    ck_assert_ptr_nonnull(strstr(first(RECEIPTS_REPLACED)->text, "does not say that you missed it"));
    let_go();
    str_release(&hex);
    free(path);
    free(dir);
}
END_TEST

/* An operator enters a key and signs over her receipt. While seals are closed that is a question. */
START_TEST(a_key_of_the_operator_s_is_found)
{
    house_key_asked(&house, "anna", "phone");
    house_clock(&house, house.now + REKEY_WAIT - 60);
    house_empty_spool(&house);
    const int turn = house_find(&house, "gc-1")->turn;
    order("anna", turn, "explore near\n");
    keep_mails();
    house_clock(&house, house.now + 120);
    signed_by("phone", turn, "bide\n");
    house_empty_spool(&house);
    order("bob", turn, "explore near\n");
    keep_mails();
    char *sealed = rewrite(0, NULL, NULL);
    ck_assert_int_eq(hold_path(sealed, NULL), RECEIPTS_ASK);
    ck_assert_ptr_nonnull(strstr(first(RECEIPTS_KEY)->text, "did you ask for it"));
    let_go();
    free(sealed);
    play_to_the_end();
    ck_assert_int_eq(hold(), RECEIPTS_WRONG);
    const struct receipts_finding *key = first(RECEIPTS_KEY);
    ck_assert_ptr_nonnull(strstr(key->text, "in the place of yours"));
    ck_assert_uint_ne(key->mail, RECEIPTS_NOWHERE);
    let_go();
    keep_confirmation(); /* she was told: then it may have been her telephone */
    ck_assert_int_eq(hold(), RECEIPTS_ASK);
    ck_none(RECEIPTS_KEY);
    let_go();
}
END_TEST

/* All seats have the same head of a report; receipts are their owner's alone. */
START_TEST(the_head_to_compare_is_the_last_report_s)
{
    play();
    order("anna", 3, "explore far or bide\n");
    keep_mails();
    (void)hold();
    bool report;
    const struct receipts_claim *last = receipts_last(&receipts, 0, &report);
    ck_assert(report);
    ck_assert_str_eq(ledger.record[last->seq - 1].type, "turn");
    ck_assert_int_eq(ledger.record[last->seq - 1].turn, 2);
    json_t *json = receipts_json(&receipts);
    const json_t *game = json_array_get(json_object_get(json, "games"), 0);
    ck_assert_int_eq(json_integer_value(json_object_get(json_object_get(game, "compare"), "record")),
                     last->seq);
    json_decref(json);
    let_go();
    play_to_the_end();
    (void)hold();
    last = receipts_last(&receipts, 0, &report);
    ck_assert_str_eq(ledger.record[last->seq - 1].type, "open");
    int64_t seq = last->seq;
    let_go();
    char *dir = rewrite(last_of("start"), "x",
                        json_integer(1)); /* what the league signed for her, not what is shown */
    (void)hold_path(dir, NULL);
    last = receipts_last(&receipts, 0, &report);
    ck_assert(!report);
    ck_assert_int_eq(last->seq, seq);
    let_go();
    free(dir);
}
END_TEST

static void cases(TCase *tc)
{
    tcase_add_checked_fixture(tc, begin, end);
    tcase_add_test(tc, a_lost_sent_folder_accuses_nobody);
    tcase_add_test(tc, bounced_mails_are_asked_about);
    tcase_add_test(tc, a_greylisted_mail_is_asked_about);
    tcase_add_test(tc, a_mail_that_was_late_by_its_own_date_is_not);
    tcase_add_test(tc, a_mail_within_the_grace_is_asked_about);
    tcase_add_test(tc, a_copy_from_before_a_resend_accuses_nobody);
    tcase_add_test(tc, a_digest_is_all_its_mails);
    tcase_add_test(tc, a_new_key_accuses_nobody);
    tcase_add_test(tc, a_key_in_place_of_a_lost_one_is_a_question);
    tcase_add_test(tc, a_key_that_signed_her_mail_is_hers);
    tcase_add_test(tc, a_stand_in_s_doings_are_not_hers);
    tcase_add_test(tc, a_receipt_is_of_one_text_of_the_mail);
    tcase_add_test(tc, what_moderators_do_contradicts_no_receipt);
    tcase_add_test(tc, late_orders_of_others_are_asked_about);
    tcase_add_test(tc, late_orders_of_a_turn_that_was_moved_are_not);
    tcase_add_test(tc, orders_that_do_not_count_behind_their_receipt);
    tcase_add_test(tc, a_key_of_the_operator_s_is_found);
    tcase_add_test(tc, the_head_to_compare_is_the_last_report_s);
}
TEST_MAIN("publish/receipts_asks", cases)
