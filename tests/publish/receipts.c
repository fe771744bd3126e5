/* A player's mails against journals that are what they say, and against journals that an operator with all
 * keys has rewritten. */
#include <time.h>

#include <sodium.h>

#include "game/entry.h"
#include "game/turn.h"
#include "house/mailbox.h"
#include "house/other_keys.h"
#include "house/proved.h"
#include "mail/mbox.h"

/* ---- a journal that is what it says ---- */

START_TEST(a_finished_game_holds)
{
    play();
    play_to_the_end();
    ck_assert_int_eq(hold(), RECEIPTS_GOOD);
    ck_assert_uint_eq(receipts_count(&receipts, RECEIPTS_ORDERS), 3);
    ck_assert_uint_gt(receipts_count(&receipts, RECEIPTS_HEAD), 10);
    ck_assert_uint_eq(receipts.finding_count,
                      3 + receipts_count(&receipts, RECEIPTS_HEAD) +
                          receipts_count(&receipts, RECEIPTS_BOARD)); /* nothing else is said */
    json_t *json = receipts_json(&receipts);
    ck_assert_str_eq(json_string_value(json_object_get(json, "verdict")), "holds");
    json_decref(json);
    let_go();
    /* The key of the league, and that of another one. */
    struct pubkey key;
    secret_public(&house.league.key, &key);
    char *path = game_dir();
    ck_assert_int_eq(hold_path(path, &key), RECEIPTS_GOOD);
    let_go();
    secret_public(house_key(&house, "bob"), &key);
    ck_assert_int_eq(hold_path(path, &key), RECEIPTS_WRONG);
    ck_assert_ptr_nonnull(strstr(first(RECEIPTS_JOURNAL)->text, "not by the league's"));
    ck_assert_uint_eq(receipts_count(&receipts, RECEIPTS_HEAD), 0);
    let_go();
    free(path);
}
END_TEST

/* Her orders are checked by their marks, while the game runs and its boxes are shut. */
START_TEST(a_running_game_holds_by_its_marks)
{
    play();
    char *whole = rewrite(0, NULL, NULL); /* as it is, with no key to its boxes */
    ck_assert_int_eq(hold_path(whole, NULL), RECEIPTS_GOOD);
    ck_assert_uint_eq(receipts_count(&receipts, RECEIPTS_ORDERS), 3);
    ck_assert_uint_eq(receipts_count(&receipts, RECEIPTS_LOST), 0);
    let_go();
    free(whole);
    ck_assert_int_eq(hold(), RECEIPTS_GOOD);
    ck_assert_uint_eq(receipts_count(&receipts, RECEIPTS_ORDERS), 3);
    let_go();
}
END_TEST

START_TEST(what_was_not_taken_up_is_no_crime)
{
    play();
    order("anna", 3, "try\nexplore far\n");     /* a dry run */
    order("anna", 1, "explore far\n");          /* too late */
    order("anna", 3, "rules\n");                /* a question */
    order("anna", 3, "explore near or bide\n"); /* the same again */
    keep_mails();
    play_to_the_end();
    ck_assert_int_eq(hold(), RECEIPTS_GOOD);
    ck_assert_uint_eq(receipts_count(&receipts, RECEIPTS_LOST), 1);
    ck_assert_int_eq(receipts.mail[first(RECEIPTS_LOST)->mail].label[0], 'm');
    ck_assert_ptr_nonnull(strstr(first(RECEIPTS_LOST)->text, "orders for turn 1"));
    ck_assert_uint_eq(receipts_count(&receipts, RECEIPTS_DROPPED), 0);
    let_go();
}
END_TEST

/* One mail with one text, and below it the signatures of both her keys. */
static void order_twice_signed(const char *text)
{
    struct str headed = STR_INIT, body = STR_INIT;
    house_headed(&house, text, &headed);
    str_addslice(&body, slice_str(&headed));
    sshsig_sign(&body, house_key(&house, "anna")->key, NS_ORDERS, slice_str(&headed));
    sshsig_sign(&body, house_key(&house, "phone")->key, NS_ORDERS, slice_str(&headed));
    (void)house_mail(&house, "anna", "orders", body.p);
    keep_sent();
    str_release(&headed);
    str_release(&body);
}

START_TEST(a_text_with_two_signatures_counts_once)
{
    house_key_added(&house, "anna", "phone");
    house_empty_spool(&house);
    play();
    order_twice_signed("#turnpost orders\ngame: gc-1\nturn: 3\nbide\n#end\n");
    keep_mails();
    play_to_the_end();
    ck_assert_int_eq(hold(), RECEIPTS_GOOD);
    ck_assert_uint_eq(receipts.text_count, 5);
    ck_assert_uint_eq(receipts_count(&receipts, RECEIPTS_ORDERS), 4);
    let_go();
    char *dir = rewrite(last_of("orders"), NULL, NULL); /* without its record: told once */
    ck_assert_int_eq(hold_path(dir, NULL), RECEIPTS_WRONG);
    ck_assert_uint_eq(receipts_count(&receipts, RECEIPTS_DROPPED), 1);
    let_go();
    free(dir);
}
END_TEST

START_TEST(a_proof_by_another_key_proves_nothing)
{
    struct str mail = STR_INIT;
    const struct log_entry entry = {
        .kind = ENTRY_HEAD, .name = "gc-1", .seq = 4, .time = 1795939380, .head = {7}};
    play();
    str_adds(&mail, "From: league@example.org\r\nMessage-ID: <gc-1.4.1@example.org>\r\n\r\n");
    proof_of_one(&mail, house_key(&house, "bob"), &entry);
    keep(slice_str(&mail));
    play_to_the_end();
    ck_assert_int_eq(hold(), RECEIPTS_ASK);
    ck_assert_ptr_nonnull(strstr(first(RECEIPTS_FORGED)->text, "does not"));
    let_go();
    str_release(&mail);
}
END_TEST

/* ---- one that is not ---- */

/* The first record that her mails prove, of that number or a higher one. */
static int64_t next_mailed(int64_t seq)
{
    int64_t next = INT64_MAX;
    for (size_t i = 0; i < receipts.claim_count; i++)
        next = receipts.claim[i].seq >= seq && receipts.claim[i].seq < next ? receipts.claim[i].seq : next;
    return next;
}

/* Any member of any record is changed, and everything signed again: her mails of later records show it. */
START_TEST(any_rewritten_record_is_found)
{
    play();
    play_to_the_end();
    int64_t end = last_of("turn");
    for (int64_t seq = 1; seq <= end; seq++) {
        char *dir = rewrite(seq, "x", json_integer(1));
        ck_assert_int_eq(hold_path(dir, NULL), RECEIPTS_WRONG);
        const struct receipts_finding *fork = first(RECEIPTS_FORK);
        ck_assert_int_eq(fork->seq, next_mailed(seq));
        ck_assert_uint_ne(fork->mail, RECEIPTS_NOWHERE);
        let_go();
        free(dir);
    }
}
END_TEST

START_TEST(dropped_orders_are_found)
{
    play();
    int64_t seq = last_of("orders");
    char *dir =
        rewrite(seq, NULL, NULL); /* in the running game: her receipt is for a record that is not there */
    ck_assert_int_eq(hold_path(dir, NULL), RECEIPTS_ASK);
    ck_assert_int_eq(first(RECEIPTS_BEYOND)->seq, seq);
    let_go();
    free(dir);
    play_to_the_end();
    dir = rewrite(seq, NULL, NULL);
    ck_assert_int_eq(hold_path(dir, NULL), RECEIPTS_WRONG);
    const struct receipts_finding *dropped = first(RECEIPTS_DROPPED);
    ck_assert_ptr_nonnull(strstr(dropped->text, "orders for turn 3"));
    ck_assert_ptr_nonnull(strstr(dropped->text, "receipt for record"));
    ck_assert_int_eq(dropped->seat, 1);
    ck_assert_int_eq(first(RECEIPTS_FORK)->seq, seq);
    let_go();
    free(dir);
}
END_TEST

/* Another text, answered with a receipt that names its mark and an old record. */
START_TEST(a_receipt_for_nothing_is_found)
{
    struct str fake = STR_INIT;
    struct log_entry entry = {
        .kind = ENTRY_RECEIPT, .name = "gc-1", .time = house.now, .turn = {3, 0}, .seat = 1};
    play();
    play_to_the_end();
    entry.seq = last_of("orders");
    order("anna", 3, "explore far\n");
    house_empty_spool(&house);
    ck_assert_int_ne(hold(), RECEIPTS_WRONG); /* it came too late, and nothing says otherwise */
    for (size_t i = 0; i < receipts.text_count; i++)
        if (!receipts.text[i].record)
            ck_assert(ledger_mark(&ledger, 1, slice_str(&receipts.text[i].payload), entry.mark));
    memcpy(entry.head, ledger.record[entry.seq - 1].head, HEAD_BYTES);
    let_go();
    str_adds(&fake, "From: league@example.org\r\nMessage-ID: <any@example.org>\r\n\r\n");
    proof_of_one(&fake, &house.league.key, &entry);
    keep(slice_str(&fake));
    ck_assert_int_eq(hold(), RECEIPTS_WRONG);
    ck_assert_ptr_nonnull(strstr(first(RECEIPTS_DROPPED)->text, "orders for turn 3"));
    ck_assert_uint_eq(receipts_count(&receipts, RECEIPTS_FORK), 1);
    ck_assert_ptr_nonnull(
        strstr(first(RECEIPTS_FORK)->text, "of another kind, turn, seat or text than it is"));
    let_go();
    str_release(&fake);
}
END_TEST

START_TEST(a_journal_that_is_cut_is_found)
{
    struct err err = ERR_INIT;
    struct str lines = STR_INIT;
    play();
    play_to_the_end();
    char *dir = rewrite(0, NULL, NULL);
    char *path = path_join(dir, "journal.jsonl");
    ck_ok(file_read(path, 1 << 22, &lines, &err), err);
    for (int i = 0; i < 9; i++) {
        str_cut(&lines, lines.len - 1);
        str_cut(&lines, (size_t)((const char *)memrchr(lines.p, '\n', lines.len) - lines.p) + 1);
    }
    ck_ok(file_write_soft(path, slice_str(&lines), 0600, &err), err);
    ck_assert_int_eq(hold_path(dir, NULL), RECEIPTS_ASK);
    ck_assert_ptr_nonnull(strstr(first(RECEIPTS_BEYOND)->text, "taken away since"));
    let_go();
    /* Changed, and not even signed again. */
    *strstr(lines.p, "\"missed\":[]") = 'x';
    ck_ok(file_write_soft(path, slice_str(&lines), 0600, &err), err);
    ck_assert_int_eq(hold_path(dir, NULL), RECEIPTS_WRONG);
    ck_assert_ptr_nonnull(strstr(first(RECEIPTS_JOURNAL)->text, "is good up to record"));
    let_go();
    free(path);
    free(dir);
    str_release(&lines);
}
END_TEST

/* After the end of the journal that is at hand her mails may contradict each other. */
START_TEST(two_histories_show_in_the_mails_alone)
{
    struct str mail = STR_INIT;
    play();
    for (unsigned char i = 1; i <= 2; i++) {
        const struct log_entry entry = {
            .kind = ENTRY_HEAD, .name = "gc-1", .seq = 500, .time = 1795939380, .head = {i}};
        str_clear(&mail);
        str_addf(&mail, "From: league@example.org\r\nMessage-ID: <gc-1.500.%d@example.org>\r\n\r\n", i);
        proof_of_one(&mail, &house.league.key, &entry);
        keep(slice_str(&mail));
    }
    ck_assert_int_eq(hold(), RECEIPTS_WRONG);
    ck_assert_ptr_nonnull(strstr(first(RECEIPTS_FORK)->text, "two different records 500"));
    let_go();
    str_release(&mail);
}
END_TEST

/* With the policy her mails prove what they prove without a journal: and that the league contradicts itself. */
START_TEST(mails_and_a_policy_are_enough)
{
    const struct policy *policy = league_log_policy(house.batch.tlog);
    struct policy *others = mem_alloc(sizeof *others);
    struct secret other;
    struct str mail = STR_INIT;
    play();
    ck_assert_int_eq(hold_alone(policy), RECEIPTS_GOOD);
    ck_assert_uint_eq(receipts.ledger_count, 1);
    ck_assert_uint_eq(receipts.finding_count,
                      receipts_count(&receipts, RECEIPTS_HEAD) + receipts_count(&receipts, RECEIPTS_BOARD));
    ck_assert_uint_gt(receipts.finding_count, 5);
    size_t accepted = 0;
    for (size_t i = 0; i < receipts.finding_count; i++)
        accepted += strstr(receipts.finding[i].text, ": orders of seat ") != NULL;
    ck_assert_uint_ge(accepted, 3);
    const int64_t seq = receipts.claim[0].seq;
    let_go();
    /* Another league's policy: nothing is proved by it. */
    *others = *policy;
    secret_new(&other);
    vkey_make(&others->log[0].key, slice_of(policy->log[0].key.name), VKEY_SIGNER, other.point);
    ck_assert_int_eq(hold_alone(others), RECEIPTS_ASK);
    ck_assert_uint_eq(receipts.claim_count, 0);
    ck_assert_uint_gt(receipts_count(&receipts, RECEIPTS_FORGED), 5);
    let_go();
    /* Witnesses that it wants and that nobody has asked. */
    *others = *policy;
    vkey_make(&others->witness[0].key, slice_of("wim.example/w"), VKEY_COSIGNER, other.point);
    (void)snprintf(others->witness[0].name, sizeof others->witness[0].name, "wim");
    others->witnesses = 1;
    policy_need(others, 1);
    ck_assert_int_eq(hold_alone(others), RECEIPTS_ASK);
    ck_assert_ptr_nonnull(strstr(first(RECEIPTS_ALONE)->text, "too few"));
    let_go();
    struct log_entry entry = {
        .kind = ENTRY_HEAD, .name = "gc-1", .seq = seq, .time = 1795939380, .head = {1}};
    str_adds(&mail, "From: league@example.org\r\nMessage-ID: <gc-1.3@example.org>\r\n\r\n");
    proof_of_one(&mail, &house.league.key, &entry);
    keep(slice_str(&mail));
    ck_assert_int_eq(hold_alone(policy), RECEIPTS_ASK); /* it is of another log, */
    ck_assert_uint_eq(receipts_count(&receipts, RECEIPTS_FORGED), 1);
    let_go();
    *others = *policy;
    others->logs = 2; /* which is the league's, too */
    vkey_make(&others->log[1].key, slice_of("orion.example/turnpost/1"), VKEY_SIGNER, house.league.key.point);
    ck_assert_int_eq(hold_alone(others), RECEIPTS_ASK); /* it may have been restored in between */
    ck_assert_ptr_nonnull(strstr(first(RECEIPTS_FORK)->text, "two different records"));
    let_go();
    entry.seq++;
    str_clear(&mail);
    str_adds(&mail, "From: league@example.org\r\nMessage-ID: <gc-1.4@example.org>\r\n\r\n");
    proof_of_one(&mail, &house.league.key, &entry);
    keep(slice_str(&mail));
    ck_assert_int_eq(hold_alone(others), RECEIPTS_WRONG); /* two logs of one name and size */
    ck_assert_ptr_nonnull(strstr(first(RECEIPTS_FORK)->text, "two different logs of 1 entries"));
    let_go();
    str_release(&mail);
    free(others);
}
END_TEST

/* A mail with the proof of an entry that the league has put into its log at any time; `extra` may be NULL. */
static void keep_logged(struct log_entry *entry, const struct str *extra)
{
    struct err err = ERR_INIT;
    struct str mail = STR_INIT;
    struct proof_place place = {.seq = entry->seq, .time = house.now, .extra_len = extra ? extra->len : 0};
    (void)snprintf(place.name, sizeof place.name, "%s", entry->name);
    if (extra)
        memcpy(place.extra, extra->p, extra->len);
    entry->time = house.now;
    league_log_add_entry(house.batch.tlog, entry);
    ck_ok(league_log_append(house.batch.tlog, &err), err);
    ck_ok(league_log_settle(house.batch.tlog, &err), err);
    str_addf(&mail, "From: league@example.org\r\nMessage-ID: <any.%lld@example.org>\r\n\r\n",
             (long long)entry->seq);
    ck_ok(league_log_prove(house.batch.tlog, &place, &mail, &err), err);
    keep(slice_str(&mail));
    str_release(&mail);
}

/* A close of turn 3 of a table of three, with these marks of the first seat, and of the others some. `turn`: the entry's. */
static void close_with(const unsigned char mark[SEAL_BYTES], const char *others, int64_t seq,
                       struct log_entry *entry, struct str *extra)
{
    const struct game *game = house_find(&house, "gc-1");
    struct str alpha = STR_INIT;
    str_clear(extra);
    str_add(extra, game_root(game), HEAD_BYTES);
    str_add(extra, game->draws.deal, GAME_DEAL);
    str_add(extra, mark, SEAL_BYTES);
    for (const char *at = others; *at; at++) {
        unsigned char other[SEAL_BYTES] = {0};
        *other = (unsigned char)(*at - '0');
        str_add(extra, other, SEAL_BYTES);
    }
    const unsigned char *bytes = (const unsigned char *)extra->p;
    turn_alpha_of(&alpha, &(struct alpha_parts){bytes, bytes + HEAD_BYTES, 0, 3, 1 + (int)strlen(others),
                                                bytes + HEAD_BYTES + GAME_DEAL});
    *entry = (struct log_entry){.kind = ENTRY_CLOSE, .name = "gc-1", .seq = seq, .head = {9}, .turn = {3, 0}};
    crypto_generichash(entry->alpha, sizeof entry->alpha, (const unsigned char *)alpha.p, alpha.len, NULL, 0);
    str_release(&alpha);
}

/* Her own mails, and one more: the close of turn 3. */
START_TEST(a_turn_closed_without_what_a_receipt_promises)
{
    const struct policy *policy = league_log_policy(house.batch.tlog);
    static const unsigned char none[SEAL_BYTES] = {0}, other[SEAL_BYTES] = {5};
    struct str extra = STR_INIT;
    struct log_entry entry;
    play();
    const struct game *game = house_find(&house, "gc-1");
    const struct game_orders *orders = &game->seat[1].orders;
    ck_assert_int_eq(hold_alone(policy), RECEIPTS_GOOD);
    int told = 0; /* turns whose report shows the marks: hers are those of her receipts */
    for (size_t i = 0; i < receipts.claim_count; i++) {
        const struct receipts_claim *close = &receipts.claim[i];
        ck_assert(!close->marks || close->marks == 2);
        told += close->kind == ENTRY_CLOSE && close->marks == 2;
    }
    ck_assert_int_eq(told, 2);
    let_go();
    const size_t before = sent.len;
    const int count = sent_count;
    const struct {
        const unsigned char *mark;
        enum receipts_weight weight;
        const char *says;
    } rows[] = {{orders->seal, RECEIPTS_GOOD, NULL},
                {none, RECEIPTS_WRONG, "turn 3, and the turn was closed with no text of seat 1"},
                {other, RECEIPTS_ASK, "another text of seat 1, 050000000000. Its receipt is not here"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        close_with(rows[i].mark, "7", game->seq + 1 + (int64_t)i, &entry, &extra);
        keep_logged(&entry, &extra);
        ck_assert_int_eq(hold_alone(policy), rows[i].weight);
        if (rows[i].says)
            ck_assert_ptr_nonnull(strstr(first(RECEIPTS_REPLACED)->text, rows[i].says));
        let_go();
        str_cut(&sent, before);
        sent_count = count;
    }
    str_release(&extra);
}
END_TEST

/* Two mails and the policy: a receipt and a report. Where nothing shows that all play at once, it may not have been her turn. */
START_TEST(two_mails_show_it)
{
    const struct policy *policy = league_log_policy(house.batch.tlog);
    static const unsigned char none[SEAL_BYTES] = {0}, first_mark[SEAL_BYTES] = {4};
    struct str extra = STR_INIT;
    struct log_entry entry, receipt = {.kind = ENTRY_RECEIPT,
                                       .name = "gc-1",
                                       .seq = 501,
                                       .head = {1},
                                       .turn = {3, 0},
                                       .seat = 1,
                                       .mark = {6}};
    keep_logged(&receipt, NULL);
    const size_t before = sent.len;
    close_with(none, "78", 510, &entry, &extra);
    keep_logged(&entry, &extra);
    ck_assert_int_eq(hold_alone(policy), RECEIPTS_WRONG);
    ck_assert_ptr_nonnull(
        strstr(first(RECEIPTS_REPLACED)->text, "promises the mark 060000000000 for turn 3"));
    let_go();
    str_cut(&sent, before);
    sent_count = 1;
    close_with(none, "70", 511, &entry, &extra);
    keep_logged(&entry, &extra);
    ck_assert_int_eq(hold_alone(policy), RECEIPTS_ASK);
    ck_assert_ptr_nonnull(strstr(first(RECEIPTS_REPLACED)->text, "Where seats take turns"));
    let_go();
    str_cut(&sent, before);
    sent_count = 1;
    close_with(receipt.mark, "78", 512, &entry, &extra);
    keep_logged(&entry, &extra);
    ck_assert_int_eq(hold_alone(policy), RECEIPTS_GOOD);
    let_go();
    /* The same with other marks beside it: the log's entry says that they are not those. */
    str_cut(&sent, before);
    sent_count = 1;
    extra.p[HEAD_BYTES + GAME_DEAL] ^= 1;
    entry.seq++;
    keep_logged(&entry, &extra);
    ck_assert_int_eq(hold_alone(policy), RECEIPTS_WRONG);
    ck_assert_ptr_nonnull(strstr(first(RECEIPTS_FORGED)->text, "does not follow from them"));
    ck_assert_uint_eq(receipts_count(&receipts, RECEIPTS_REPLACED), 0);
    let_go();
    /* A later text has replaced it, and the earlier one counts. */
    str_cut(&sent, before);
    sent_count = 1;
    receipt.seq = 502;
    memcpy(receipt.mark, first_mark, sizeof first_mark);
    keep_logged(&receipt, NULL);
    close_with((const unsigned char[SEAL_BYTES]){6}, "78", 514, &entry, &extra);
    keep_logged(&entry, &extra);
    ck_assert_int_eq(hold_alone(policy), RECEIPTS_WRONG);
    ck_assert_ptr_nonnull(strstr(first(RECEIPTS_REPLACED)->text, "which that one had replaced"));
    let_go();
    str_release(&extra);
}
END_TEST

/* Each mail of the league's as a server had it, so long after it was written, and each copy of what she sent as written at that time. */
static void date_mails(int64_t travelled, int64_t written)
{
    struct str before = sent;
    const char *at = before.p;
    const int count = sent_count;
    str_init(&sent);
    sent_count = 0;
    for (int i = 0; i < count; i++) {
        struct slice mail = slice_of(at);
        const bool own = slice_find(mail, "X-Mailer: hers") < mail.len;
        const time_t time = (time_t)(own ? written : mail_date(mail) + travelled);
        struct str dated = STR_INIT;
        struct tm tm;
        char date[64];
        (void)strftime(date, sizeof date, "%d %b %Y %H:%M:%S +0000", gmtime_r(&time, &tm));
        str_addf(
            &dated,
            own ? "Date: %s\r\n"
                : "Received: from mail.example.org by mx.example.net\r\n\tfor <anna@example.net>; %s\r\n",
            date);
        str_addslice(&dated, mail);
        keep(slice_str(&dated));
        str_release(&dated);
        at += mail.len + 1;
    }
    str_release(&before);
}

/* The clocks of the league, of her mail server and of her computer. */
START_TEST(a_clock_that_was_wrong_is_found)
{
    const int64_t begun = house.now;
    play();
    play_to_the_end();
    date_mails(3 * 86400, begun); /* mails may be late */
    ck_assert_int_eq(hold(), RECEIPTS_GOOD);
    let_go();
    date_mails(-1800,
               begun + 3 * 3600); /* the first field of a name counts; and clocks may be a little apart */
    ck_assert_int_eq(hold(), RECEIPTS_ASK);
    ck_assert_uint_eq(receipts_count(&receipts, RECEIPTS_CLOCK), 3); /* her orders */
    ck_assert_ptr_nonnull(
        strstr(first(RECEIPTS_CLOCK)->text, "your computer wrote them at 2026-11-20T15:00:00Z"));
    let_go();
    date_mails(-7200, begun);
    ck_assert_int_eq(hold(), RECEIPTS_WRONG);
    ck_assert_uint_gt(receipts_count(&receipts, RECEIPTS_CLOCK), 10);
    ck_assert_ptr_nonnull(
        strstr(first(RECEIPTS_CLOCK)->text, "If the league's was ahead, turns ended before their time"));
    let_go();
}
END_TEST

static void cases(TCase *tc)
{
    tcase_add_checked_fixture(tc, begin, end);
    tcase_add_test(tc, a_finished_game_holds);
    tcase_add_test(tc, a_running_game_holds_by_its_marks);
    tcase_add_test(tc, what_was_not_taken_up_is_no_crime);
    tcase_add_test(tc, a_text_with_two_signatures_counts_once);
    tcase_add_test(tc, a_proof_by_another_key_proves_nothing);
    tcase_add_test(tc, any_rewritten_record_is_found);
    tcase_add_test(tc, dropped_orders_are_found);
    tcase_add_test(tc, a_receipt_for_nothing_is_found);
    tcase_add_test(tc, a_journal_that_is_cut_is_found);
    tcase_add_test(tc, two_histories_show_in_the_mails_alone);
    tcase_add_test(tc, mails_and_a_policy_are_enough);
    tcase_add_test(tc, a_turn_closed_without_what_a_receipt_promises);
    tcase_add_test(tc, two_mails_show_it);
    tcase_add_test(tc, a_clock_that_was_wrong_is_found);
}
TEST_MAIN("publish/receipts", cases)
