/* Games with witnesses: a turn waits for their answers, who have seen its close in the log; their dice are in the draw; wrong answers; what
 * happens when too few answer. */
#include "house/watched.h"

#include "base/json.h"
#include "batch/making.h"
#include "chance/draw.h"
#include "game/witness.h"
#include "mail/spool.h"
#include "tlog/armor.h"

#define DAY ((int64_t)86400)

static struct house house;
static struct watcher watchers[3];
static const char *const names[] = {"wanda", "walter", "wim"};
static const char *const table[] = {"anna", "bob"};

static struct game *game(void)
{
    return house_find(&house, "gc-1");
}

static void ask(void)
{
    watched_ask(&house);
}

static void clock_and_ask(int64_t now)
{
    house_clock(&house, now);
    ask();
}

static void begin_game(int count, int quorum, bool by_mail)
{
    struct err err = ERR_INIT;
    struct new_game how = {.id = "gc-1",
                           .ruleset = ruleset_newest("galaxy-command"),
                           .seats = 2,
                           .turn_length = DAY,
                           .by_mail = by_mail,
                           .missed_robot = 3};
    for (int i = 0; i < count; i++)
        watcher_named(&how.witnesses, &watchers[i]);
    ck_ok(making_quorum(&house.batch, &how.witnesses, quorum, &err), err);
    house_game_of(&house, how, table);
    house_empty_spool(&house);
    ask();
}

static void open_house(int count)
{
    house_open(&house);
    house_option(&house, "[clock]", "valve = 100\nreminder = 0");
    house_option(&house, "[league]", "moderators = mona");
    house_restart(&house);
    house_player(&house, "anna");
    house_player(&house, "bob");
    house_player(&house, "mona");
    for (int i = 0; i < count; i++)
        watcher_new(&watchers[i], names[i]);
    watched_know(&house, watchers, count);
}

static void begin(void)
{
    open_house(1);
    begin_game(1, 0, false);
}

static void close_house(void)
{
    for (int i = 0; i < 3; i++)
        witness_state_release(&watchers[i].state);
    house_close(&house);
}

static bool question(int i, struct str *out)
{
    return watched_question(&house, &watchers[i], out);
}

static void answer_to(int i, const struct str *asked, struct str *mail)
{
    watched_reply(&house, &watchers[i], asked, mail);
}

static void answer(int i)
{
    watched_answer(&house, &watchers[i]);
}

static void orders(const char *name, const char *line)
{
    struct str text = STR_INIT;
    str_addf(&text, "#turnpost orders\ngame: gc-1\nturn: %d\n%s\n#end\n", game()->turn, line);
    (void)house_signed(&house, name, name, text.p);
    str_release(&text);
}

static void unwitness(const char *name)
{
    struct str text = STR_INIT;
    str_addf(&text, "#turnpost unwitness\ngame: gc-1\nturn: %d\n#end\n", game()->turn);
    (void)house_signed(&house, name, name, text.p);
    str_release(&text);
}

static void no_mail(const char *name)
{
    struct str told;
    ck_assert_msg(house_mails(&house, name, &told) == 0, "%s", told.p);
    str_release(&told);
}

START_TEST(a_turn_waits_for_its_witness_whose_dice_count)
{
    ck_assert_int_eq(game()->turn, 0);
    ck_assert(game()->closed);
    no_mail("anna");
    house_same(&house, "gc-1");
    house_restart(&house);
    answer(0);
    ck_assert_int_eq(game()->turn, 1);
    ck_assert(!game()->closed);
    no_mail("wanda"); /* two programs talk */
    house_same(&house, "gc-1");
    house_told(&house, "anna", 1, "Witness: wanda");

    orders("anna", "explore near");
    orders("bob", "explore near");
    ck_assert_int_eq(game()->turn, 1);
    ck_assert(game()->closed);
    house_told(&house, "bob", 1, "We have your orders");
    house_same(&house, "gc-1");
    orders("anna", "explore far");
    house_told(&house, "anna", 1, "came too late: the turn is closed");
    ask();
    answer(0);
    ck_assert_int_eq(game()->turn, 2);
    house_same(&house, "gc-1");
    house_told(&house, "anna", 1, "WHAT HAPPENED IN TURN 1");
}
END_TEST

/* R is what the format says: both betas, in that order. */
START_TEST(the_root_mixes_both)
{
    unsigned char root[64], want[64], all[14 + 2 * VRF_OUTPUT], beta[VRF_OUTPUT], mine[VRF_OUTPUT];
    struct game *g = game();
    memset(mine, 7, sizeof mine);
    memset(beta, 9, sizeof beta);
    g->witnesses.list[0].answered = true;
    memcpy(g->witnesses.list[0].beta, beta, sizeof beta);
    witness_root(root, g, mine);
    memcpy(all, "turnpost/roll", 14);
    memcpy(all + 14, mine, sizeof mine);
    memcpy(all + 14 + sizeof mine, beta, sizeof beta);
    crypto_generichash(want, 64, all, sizeof all, NULL, 0);
    ck_assert_mem_eq(root, want, 64);
    g->witnesses.list[0].answered = false;
    witness_root(root, g, mine);
    chance_root(want, mine, 1);
    ck_assert_mem_eq(root, want, 64);
}
END_TEST

static void changes_nothing(const char *mail)
{
    int64_t seq = game()->seq;
    house_empty_spool(&house);
    (void)house_mail(&house, "wanda", "dice", mail);
    ck_assert_int_eq(game()->seq, seq);
    no_mail(NULL);
}

/* In an armor, with one byte of what it holds changed. */
static void damaged(const struct str *said, const char *at, int by)
{
    struct str text = STR_INIT, mail = STR_INIT;
    str_addslice(&text, slice_str(said));
    char *byte = strstr(text.p, at) + strlen(at) + by;
    *byte = *byte == '0' ? '1' : '0';
    armored_write(&mail, WITNESS_ANSWER, slice_str(&text));
    changes_nothing(mail.p);
    str_release(&text);
    str_release(&mail);
}

START_TEST(wrong_answers_change_nothing)
{
    struct str asked = STR_INIT, good = STR_INIT, said = STR_INIT;
    struct err err = ERR_INIT;
    struct watcher other;
    ck_assert(question(0, &asked));
    answer_to(0, &asked, &good);
    struct slice rest = slice_str(&good);
    ck_assert(armored_next(&rest, WITNESS_ANSWER, &said, &err) == ARMORED_GOOD);
    damaged(&said, "size ", 0);
    damaged(&said, "wanda ", 20);
    damaged(&said, "dice gc-1 0.", 0);
    damaged(&said, "dice gc-1 0.0 ", 7);
    damaged(&said, "dice gc-", 0);
    changes_nothing("-----BEGIN TURNPOST ANSWER-----\nAAAA\n-----END TURNPOST ANSWER-----\n");
    watcher_new(&other, "wanda"); /* of the same name, with keys of their own */
    struct str theirs = STR_INIT, mail = STR_INIT;
    ck_assert_int_eq(watcher_answers(&other, watched_log(&house), slice_str(&asked), house.now, &theirs),
                     200);
    armored_write(&mail, WITNESS_ANSWER, slice_str(&theirs));
    changes_nothing(mail.p);
    witness_state_release(&other.state);
    (void)house_mail(&house, "wanda", "dice", good.p);
    ck_assert_int_eq(game()->turn, 1);
    str_release(&theirs);
    str_release(&mail);
    changes_nothing(good.p);
    str_release(&asked);
    str_release(&good);
    str_release(&said);
}
END_TEST

/* They are asked once for a close, and again after a day; with what was closed since. */
START_TEST(a_witness_is_asked_again)
{
    struct str asked = STR_INIT;
    ck_assert(question(0, &asked));
    house_empty_spool(&house);
    clock_and_ask(house.now + 3600);
    ck_assert(!question(0, &asked));
    house_restart(&house);
    clock_and_ask(house.now + 60);
    ck_assert(!question(0, &asked));
    clock_and_ask(house.now + DAY);
    ck_assert(question(0, &asked));
    answer(0);
    ck_assert_int_eq(game()->turn, 1);
    str_release(&asked);
}
END_TEST

/* The league forgot how far they are, or a mail was lost: they say where they stand, and are asked from there. */
START_TEST(a_witness_who_stands_elsewhere)
{
    answer(0);
    char *path = house_path(&house, "log/witnesses");
    scratch_remove(path);
    free(path);
    house_restart(&house);
    clock_and_ask(game()->clock.deadline + 1);
    ck_assert(game()->closed);
    answer(0); /* 409: they stand elsewhere */
    ck_assert(game()->closed);
    clock_and_ask(house.now + 60);
    answer(0);
    ck_assert_int_eq(game()->turn, 2);
    house_same(&house, "gc-1");
}
END_TEST

START_TEST(all_of_two_in_any_order)
{
    close_house();
    open_house(2);
    begin_game(2, 0, false);
    ck_assert_int_eq(game()->witnesses.need, 2);
    struct str asked[2] = {STR_INIT, STR_INIT}, mail[2] = {STR_INIT, STR_INIT};
    for (int i = 0; i < 2; i++) {
        ck_assert(question(i, &asked[i]));
        answer_to(i, &asked[i], &mail[i]);
    }
    (void)house_mail(&house, names[1], "dice", mail[1].p);
    ck_assert_int_eq(game()->turn, 0);
    house_same(&house, "gc-1");
    house_restart(&house);
    clock_and_ask(house.now + DAY + 60); /* both are needed */
    ck_assert_int_eq(game()->turn, 0);
    (void)house_mail(&house, names[0], "dice", mail[0].p);
    ck_assert_int_eq(game()->turn, 1);
    house_same(&house, "gc-1");
    for (int i = 0; i < 2; i++) {
        str_release(&asked[i]);
        str_release(&mail[i]);
    }
}
END_TEST

/* What a report proves of its close: one proof, with the cosignatures of both. */
START_TEST(a_report_shows_who_has_cosigned)
{
    struct err err = ERR_INIT;
    close_house();
    open_house(2);
    begin_game(2, 0, false);
    struct str mails, one = STR_INIT, asked = STR_INIT, mail = STR_INIT;
    int cosigned = 0;
    struct policy *policy = calloc(1, sizeof *policy);
    struct policy_seen *seen = calloc(1, sizeof *seen);
    policy->log[policy->logs++].key = *watched_log(&house);
    for (int i = 0; i < 2; i++)
        policy->witness[policy->witnesses++].key = watchers[i].key;
    policy_need(policy, 2);
    ck_assert(question(1, &asked));
    answer_to(1, &asked, &mail);
    answer(0);
    (void)house_mail(&house, names[1], "dice", mail.p);
    ck_assert_int_eq(game()->turn, 1);
    house_proofs(&house, "anna", &mails);
    struct slice rest = slice_str(&mails);
    while (armored_next(&rest, PROOF_ARMOR, &one, &err) == ARMORED_GOOD) {
        struct slice line, text;
        struct log_proof proof = LOG_PROOF_INIT;
        struct checkpoint checkpoint;
        struct log_entry entry;
        int seats;
        ck_assert(log_proof_cut(slice_str(&one), &line, &text));
        ck_ok(log_proof_parse(text, &proof, &err), err);
        ck_ok(log_proof_verify(&proof, line, policy, &checkpoint, seen, &err), err);
        ck_ok(log_entry_parse(line, &entry, &err), err);
        ck_assert(entry.kind == ENTRY_CLOSE && game_entry_opens(&entry, slice_str(&proof.extra), &seats));
        ck_assert_int_eq(seats, game()->seats);
        ck_assert(seen->quorum);
        log_proof_release(&proof);
        cosigned++;
    }
    ck_assert_int_eq(cosigned, 1);
    free(policy);
    free(seen);
    str_release(&mails);
    str_release(&one);
    str_release(&asked);
    str_release(&mail);
}
END_TEST

/* Two of three are enough when the third had a day. */
START_TEST(the_quorum_and_a_day)
{
    close_house();
    open_house(3);
    begin_game(3, 2, false);
    struct str asked[2] = {STR_INIT, STR_INIT}, mail[2] = {STR_INIT, STR_INIT};
    for (int i = 0; i < 2; i++) {
        ck_assert(question(i, &asked[i]));
        answer_to(i, &asked[i], &mail[i]);
        (void)house_mail(&house, names[i], "dice", mail[i].p);
    }
    ck_assert_int_eq(game()->turn, 0);
    house_same(&house, "gc-1");
    ck_assert_int_eq(game_due(game(), &house.batch.outside), house.now + DAY);
    clock_and_ask(house.now + DAY - 60);
    ck_assert_int_eq(game()->turn, 0);
    clock_and_ask(house.now + 60);
    ck_assert_int_eq(game()->turn, 1);
    house_same(&house, "gc-1");
    for (int i = 0; i < 2; i++) {
        str_release(&asked[i]);
        str_release(&mail[i]);
    }
}
END_TEST

static void refused(const char *name, const char *text, const char *words)
{
    int64_t seq = game()->seq;
    house_empty_spool(&house);
    (void)house_signed(&house, name, name, text);
    ck_assert_int_eq(game()->seq, seq);
    house_told(&house, name, 1, words);
}

/* All are told after three days, once; a majority of the players goes on without. */
static void until_late(void)
{
    house_empty_spool(&house);
    clock_and_ask(game()->close.at + 3 * DAY - 60);
    no_mail("anna");
    clock_and_ask(game()->close.at + 3 * DAY);
    struct str told;
    ck_assert_int_eq(house_mails(&house, "mona", &told), 1);
    ck_assert_msg(house_says(told.p, "Only the players can go on without"), "%s", told.p);
    str_release(&told);
    house_told(&house, "anna", 1, "For three days we have had no answer from the witness wanda");
    house_same(&house, "gc-1");
}

START_TEST(players_go_on_without)
{
    answer(0);
    orders("anna", "explore near");
    clock_and_ask(game()->clock.deadline + 1); /* bob has missed it */
    ck_assert(game()->closed);
    const int64_t closed = game()->close.at;
    ck_assert_int_eq(game()->seat[2].missed, 1);
    refused("anna", "#turnpost unwitness\ngame: gc-1\nturn: 1\n#end\n", "You can go on without them from");
    until_late();
    clock_and_ask(house.now + DAY);
    no_mail("anna");
    refused("mona", "#turnpost unwitness\ngame: gc-1\nturn: 1\n#end\n", "You have no seat");
    unwitness("bob");
    ck_assert(game()->closed);
    refused("bob", "#turnpost unwitness\ngame: gc-1\nturn: 1\nnonce: 2\n#end\n", "You have said already");
    house_same(&house, "gc-1");
    house_restart(&house);
    const int rollbacks = game()->draws.rollbacks;
    unwitness("anna");
    ck_assert(!game()->closed);
    ck_assert_int_eq(game()->turn, 1);
    ck_assert_int_eq(game()->draws.rollbacks, rollbacks + 1);
    ck_assert_int_eq(game()->witnesses.count, 0);
    ck_assert_int_eq(game()->clock.deadline, house.now + DAY);
    ck_assert_int_eq(game()->seat[2].missed, 0);
    ck_assert(game()->seat[1].orders.in);
    ck_assert_int_lt(closed, house.now);
    house_same(&house, "gc-1");
    house_told(&house, "bob", 1, "The game goes on without witnesses");
    orders("bob", "explore near");
    ck_assert_int_eq(game()->turn, 2);
    house_same(&house, "gc-1");
}
END_TEST

/* Before the deal, too; and when all orders are there the turn is played at once. */
START_TEST(players_deal_without)
{
    until_late();
    unwitness("anna");
    unwitness("bob");
    ck_assert_int_eq(game()->turn, 1);
    ck_assert_int_eq(game()->witnesses.count, 0);
    house_same(&house, "gc-1");
}
END_TEST

/* An answer that comes late is as good as any. */
START_TEST(a_witness_who_comes_late)
{
    struct str asked = STR_INIT;
    ck_assert(question(0, &asked));
    until_late();
    unwitness("anna");
    clock_and_ask(house.now + DAY);
    answer(0);
    ck_assert_int_eq(game()->turn, 1);
    ck_assert_int_eq(game()->witnesses.count, 1);
    house_same(&house, "gc-1");
    str_release(&asked);
}
END_TEST

/* What would change the turn that is closed has to wait. */
START_TEST(nothing_changes_a_closed_turn)
{
    answer(0);
    clock_and_ask(game()->clock.deadline + 1);
    ck_assert(game()->closed);
    refused("bob", "#turnpost resign\ngame: gc-1\nturn: 1\n#end\n", "is closed and waits for its witnesses");
    refused("bob", "#turnpost extend\ngame: gc-1\nturn: 1\nhours: 2\n#end\n", "is closed and waits");
    refused("bob", "#turnpost unwitness\ngame: gc-1\nturn: 2\n#end\n", "is in turn 1 now");
    clock_and_ask(house.now + 60);
    ask();
    clock_and_ask(house.now + DAY + 60);
    answer(0);
    ck_assert_int_eq(game()->turn, 2);
}
END_TEST

/* A record of the league's own making after the journal; what the audit says. Takes ownership of `fields`. */
static void forged(const char *type, json_t *fields, const char *words)
{
    struct err err = ERR_INIT;
    struct str journal = STR_INIT;
    struct audit_result result;
    struct record record;
    ck_assert_ptr_nonnull(fields);
    ck_ok(store_read(house.batch.store, "gc-1", STORE_BEGIN, &journal, &err), err);
    ck_ok(record_make(
              &journal,
              &(struct record_text){{"gc-1", game()->seq + 1, game()->head}, type, game()->time, fields},
              &record, &err),
          err);
    record_release(&record);
    audited_bytes(slice_str(&journal), house.league.master, &result);
    ck_assert_msg(result.verdict == AUDIT_REFUTED && strstr(result.first.text, words), "%s",
                  result.first.text);
    ck_assert_int_eq(result.first.seq, game()->seq + 1);
    str_release(&journal);
}

START_TEST(what_may_stand_behind_a_close)
{
    static const char *const never[] = {"pause", "hold", "resolve"};
    answer(0);
    clock_and_ask(game()->clock.deadline + 1);
    ck_assert(game()->closed);
    int64_t seq = game()->seq;
    (void)house_signed(&house, "anna", "anna",
                       "#turnpost press\ngame: gc-1\nturn: 1\nto: bob\nAre you there?\n#end\n");
    (void)house_signed(&house, "mona", "mona", "#turnpost observe\ngame: gc-1\n#end\n");
    house_rules(&house, "gc-1", "do: resend bob\nreason: It was lost.\n");
    ck_assert_int_eq(game()->seq, seq + 3);
    (void)audited(house.batch.store, "gc-1", true);
    for (size_t i = 0; i < sizeof never / sizeof *never; i++)
        forged("moderate",
               json_pack("{s:s,s:s,s:s,s:i}", "do", never[i], "by", OPERATOR, "reason", "why not", "turn", 1),
               "the turn was closed");
    forged("note", json_pack("{s:s,s:i,s:i}", "kind", "offer", "turn", 1, "seat", 1), "the turn was closed");
    forged("note", json_pack("{s:s,s:i}", "kind", "late", "turn", 1), "it is not three days");
    forged("note",
           json_pack("{s:s,s:i,s:s,s:s,s:s}", "kind", "witness", "turn", 1, "witness", "anna", "pi", "0",
                     "proof", ""),
           "");
}
END_TEST

/* The journal is an older copy: of before the turn was closed, or of when it waited for its witness, who has seen the close of the next
 * one by now. The log says what is lost, the turn gets other draws, and the witness gives dice for it. */
START_TEST(what_was_lost_is_drawn_anew)
{
    const bool closed = _i;
    answer(0);
    if (!closed)
        house_copy(&house, "games", "aside");
    orders("anna", "explore near");
    orders("bob", "explore near");
    if (closed)
        house_copy(&house, "games", "aside");
    ask();
    answer(0);
    orders("anna", "explore near");
    orders("bob", "explore near");
    ask();
    answer(0);
    ck_assert_int_eq(game()->turn, 3);
    house_empty_spool(&house);
    house.now += 3600;
    house_end(&house);
    house_remove(&house, "games");
    house_copy(&house, "aside", "games");
    house_remove_catalog(&house);
    house_begin(&house);
    house_clock(&house, house.now);
    ck_assert_int_eq(game()->turn, 1);
    ck_assert_int_eq(game()->draws.rollbacks, 1);
    house_same(&house, "gc-1");
    if (!closed) {
        house_told(&house, "anna", 1, "has lost some");
        orders("anna", "explore far");
        orders("bob", "bide");
    }
    ck_assert(game()->closed);
    ask();
    answer(0);
    ck_assert_int_eq(game()->turn, 2);
    house_same(&house, "gc-1");
    (void)audited(house.batch.store, "gc-1", true);
}
END_TEST

static void cases(TCase *tc)
{
    tcase_add_checked_fixture(tc, begin, close_house);
    tcase_add_test(tc, a_turn_waits_for_its_witness_whose_dice_count);
    tcase_add_test(tc, the_root_mixes_both);
    tcase_add_loop_test(tc, what_was_lost_is_drawn_anew, 0, 2);
    tcase_add_test(tc, wrong_answers_change_nothing);
    tcase_add_test(tc, a_witness_is_asked_again);
    tcase_add_test(tc, a_witness_who_stands_elsewhere);
    tcase_add_test(tc, all_of_two_in_any_order);
    tcase_add_test(tc, a_report_shows_who_has_cosigned);
    tcase_add_test(tc, the_quorum_and_a_day);
    tcase_add_test(tc, players_go_on_without);
    tcase_add_test(tc, players_deal_without);
    tcase_add_test(tc, a_witness_who_comes_late);
    tcase_add_test(tc, nothing_changes_a_closed_turn);
    tcase_add_test(tc, what_may_stand_behind_a_close);
}
TEST_MAIN("play/witness", cases)
