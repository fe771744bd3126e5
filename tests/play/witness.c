/* Games with witnesses: a turn waits for their dice, which are in the draw; excuses; wrong answers; and what
 * the witness's own program trusts (publish/testimony.h). */
#include "house/house.h"

#include "base/json.h"
#include "chance/draw.h"
#include "publish/testimony.h"
#include "game/witness.h"

#define DAY ((int64_t)86400)

static struct house house;
static unsigned char secret[2][VRF_SECRET]; /* of wanda, walter */
static const char *const witnesses[] = {"wanda", "walter"};
static unsigned char public[2][VRF_PUBLIC];
static struct testimony memory[2];
static const char *const table[] = {"anna", "bob"};

static struct game *game(void)
{
    return house_find(&house, "gc-1");
}

static void enroll(int i)
{
    char hex[65];
    struct str text = STR_INIT;
    house_player(&house, witnesses[i]);
    vrf_keygen(secret[i], public[i]);
    hex_to(hex, public[i], VRF_PUBLIC);
    str_addf(&text, "#turnpost witness\nkey: %s\n#end\n", hex);
    (void)house_signed(&house, witnesses[i], witnesses[i], text.p);
    ck_assert_str_eq(registry_find(&house.batch.registry, witnesses[i])->witness, hex);
    str_release(&text);
    house_told(&house, witnesses[i], 1, "You can be a witness of games now");
}

static void begin_with(int count)
{
    house_open(&house);
    house_option(&house, "[clock]", "valve = 100\nreminder = 0");
    house_option(&house, "[league]", "moderators = mona");
    house_restart(&house);
    house_player(&house, "anna");
    house_player(&house, "bob");
    house_player(&house, "mona");
    memset(memory, 0, sizeof memory);
    struct new_game how = {.id = "gc-1",
                           .ruleset = ruleset_newest("galaxy-command"),
                           .seats = 2,
                           .turn_length = DAY,
                           .missed_robot = 3};
    for (int i = 0; i < count; i++) {
        enroll(i);
        struct new_witness *witness = &how.witness[how.witness_count++];
        witness->player = witnesses[i];
        witness->key_count = keyring_of(&house.batch.keyring, witnesses[i], witness->keys);
        ck_assert(vrf_public(witness->vrf, secret[i]));
    }
    house_game_of(&house, how, table);
}

static void begin(void)
{
    begin_with(1);
}

static void end(void)
{
    house_close(&house);
}

/* The lines of `create` and of the last close in the journal, as a witness gets them. */
static void close_lines(struct str *line)
{
    struct err err = ERR_INIT;
    struct str lines = STR_INIT;
    struct slice rest, one;
    size_t length = 0;
    str_init(line);
    ck_ok(store_read(house.batch.store, "gc-1", STORE_BEGIN, &lines, &err), err);
    rest = slice_str(&lines);
    while (slice_line(&rest, &one)) {
        bool create = slice_find(one, "\"type\":\"create\"") != (size_t)-1;
        if (create)
            length = one.len + 1;
        else if (slice_find(one, "\"type\":\"close\"") == (size_t)-1)
            continue;
        else
            str_cut(line, length);
        str_addslice(line, one);
        str_addc(line, '\n');
    }
    str_release(&lines);
    ck_assert_uint_gt(line->len, length);
}

/* The text with which a witness answers the last close. */
static void testify(int i, struct str *text)
{
    struct err err = ERR_INIT;
    struct str line, keep = STR_INIT;
    struct close_seen seen;
    str_init(text);
    close_lines(&line);
    ck_ok(testimony_close(slice_str(&line), house.league.key.point, &seen, &err), err);
    ck_ok(testimony_answer(&seen, &memory[i], secret[i], public[i], text, &keep, &err), err);
    memcpy(memory[i].before, memory[i].last, sizeof memory[i].last);
    hex_to(memory[i].last, seen.head, HEAD_BYTES);
    memory[i].seq = seen.seq;
    memory[i].turn = seen.turn;
    testimony_release(&seen);
    str_release(&line);
    str_release(&keep);
}

static void answer(int i)
{
    struct str text;
    testify(i, &text);
    (void)house_signed(&house, witnesses[i], witnesses[i], text.p);
    str_release(&text);
}

static void orders(const char *name, const char *line)
{
    struct str text = STR_INIT;
    str_addf(&text, "#turnpost orders\ngame: gc-1\nturn: %d\n%s\n#end\n", game()->turn, line);
    (void)house_signed(&house, name, name, text.p);
    str_release(&text);
}

START_TEST(a_turn_waits_for_its_witness_and_his_dice_count)
{
    ck_assert_int_eq(game()->turn, 0);
    ck_assert(game()->closed);
    struct str told;
    ck_assert_int_eq(house_mails(&house, "wanda", &told), 1);
    ck_assert_ptr_nonnull(strstr(told.p, "Turn 0 of this game is closed. You are its witness"));
    str_release(&told);
    ck_assert_int_eq(house_mails(&house, "anna", &told), 0);
    str_release(&told);
    house_same(&house, "gc-1");
    house_restart(&house);
    answer(0);
    ck_assert_int_eq(game()->turn, 1);
    ck_assert(!game()->closed);
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
    answer(0);
    ck_assert_int_eq(game()->turn, 2);
    house_same(&house, "gc-1");
    house_told(&house, "anna", 1, "WHAT HAPPENED IN TURN 1");
}
END_TEST

/* R is what the format says: both betas, in that order. */
START_TEST(the_root_mixes_both)
{
    unsigned char proof[VRF_PROOF], beta[VRF_OUTPUT], mine[VRF_OUTPUT];
    struct str alpha = STR_INIT;
    unsigned char root[64], want[64], all[16 + 1 + 2 * VRF_OUTPUT];
    struct game *g = game();
    memset(mine, 7, sizeof mine);
    witness_alpha(&alpha, g);
    ck_assert_mem_eq(alpha.p, "turnpost/v2/witness\0turnpost/v2/dice", 37);
    ck_assert(vrf_prove(proof, beta, secret[0], g->witnesses.list[0].vrf, slice_str(&alpha)));
    str_release(&alpha);
    g->witnesses.list[0].answered = true;
    memcpy(g->witnesses.list[0].beta, beta, sizeof beta);
    witness_root(root, g, mine);
    memcpy(all, "turnpost/v1/roll", 17);
    memcpy(all + 17, mine, sizeof mine);
    memcpy(all + 17 + sizeof mine, beta, sizeof beta);
    crypto_generichash(want, 64, all, sizeof all, NULL, 0);
    ck_assert_mem_eq(root, want, 64);
    g->witnesses.list[0].answered = false;
    witness_root(root, g, mine);
    chance_root(want, mine, 1);
    ck_assert_mem_eq(root, want, 64);
}
END_TEST

static void refused(const char *name, const char *text, const char *words)
{
    struct str before = STR_INIT;
    int64_t seq = game()->seq;
    house_empty_spool(&house);
    (void)house_signed(&house, name, name, text);
    ck_assert_int_eq(game()->seq, seq);
    house_told(&house, name, 1, words);
    str_release(&before);
}

START_TEST(wrong_answers_change_nothing)
{
    struct str good, text = STR_INIT;
    testify(0, &good);
    refused("anna", good.p, "You are not a witness in game gc-1");
    str_adds(&text, good.p);
    char *digit = strstr(text.p, "#end") - 2;
    *digit = *digit == '0' ? '1' : '0';
    refused("wanda", text.p, "The proof is not one for this record");
    digit = strstr(text.p, "head: ") + 6;
    *digit = *digit == '0' ? '1' : '0';
    refused("wanda", text.p, "digits in the line \"head:\"");
    refused("wanda", "#turnpost witness\ngame: gc-1\n#end\n", "does not name its turn");
    refused("wanda", "#turnpost witness\n#end\n", "The program for\nboth is turnpost witness");
    str_clear(&text);
    str_adds(&text, good.p);
    char *at = strstr(text.p, "head: ");
    struct str other = STR_INIT;
    str_addf(&other, "%.*slast: %064d\n%s", (int)(at - text.p), text.p, 7, at);
    refused("wanda", other.p, "somebody shows two\nhistories");
    (void)house_signed(&house, "wanda", "wanda", good.p);
    ck_assert_int_eq(game()->turn, 1);
    refused("wanda", good.p, "The very same text was obeyed before");
    str_release(&other);
    str_release(&good);
    str_release(&text);
}
END_TEST

START_TEST(a_witness_who_is_silent_is_asked_again_and_excused)
{
    house_empty_spool(&house);
    ck_assert_int_eq(game_due(game(), &house.batch.outside), house.now + WITNESS_ASKED);
    house_clock(&house, house.now + DAY + 60);
    house_told(&house, "wanda", 1, "You are its witness");
    house_clock(&house, house.now + 60);
    struct str told;
    ck_assert_int_eq(house_mails(&house, NULL, &told), 0);
    str_release(&told);
    house_clock(&house, house.now + DAY);
    ck_assert_int_eq(house_mails(&house, "anna", &told), 0); /* told once */
    str_release(&told);
    house_same(&house, "gc-1");
    house_empty_spool(&house);
    refused("anna", "#turnpost excuse\ngame: gc-1\nturn: 0\nwitness: wanda\nreason: ill\n#end\n",
            "Only the moderators");
    refused("mona", "#turnpost excuse\ngame: gc-1\nturn: 0\nwitness: wanda\n#end\n", "and a reason");
    refused("mona", "#turnpost excuse\ngame: gc-1\nturn: 0\nwitness: anna\nreason: ill\n#end\n",
            "anna is not a witness");
    (void)house_signed(&house, "mona", "mona",
                       "#turnpost excuse\ngame: gc-1\nturn: 0\nwitness: wanda\nreason: she is ill\n#end\n");
    ck_assert_int_eq(game()->turn, 1);
    house_same(&house, "gc-1");
    house_told(&house, "bob", 2, "Reason: she is ill");
    /* The next turn waits for her again. */
    orders("anna", "explore near");
    orders("bob", "explore near");
    ck_assert(witness_waits(game()));
    answer(0);
    ck_assert_int_eq(game()->turn, 2);
    house_same(&house, "gc-1");
}
END_TEST

START_TEST(everybody_is_told_once_what_is_missing)
{
    house_empty_spool(&house);
    house_clock(&house, house.now + DAY + 60);
    house_told(&house, "anna", 1, "who has been asked again");
    house_clock(&house, house.now + DAY + 60);
    house_told(&house, "mona", 0, NULL);
}
END_TEST

/* The journal stays a year ahead when the clock is put right; the witness is asked every day all the same. */
START_TEST(a_witness_is_asked_by_a_clock_that_was_ahead)
{
    struct err err = ERR_INIT;
    const int64_t noon = house.now;
    house_option(&house, "[clock]", "outage = 0");
    house_restart(&house);
    const int64_t times[] = {noon + 366 * DAY,     noon + DAY,           noon + 2 * DAY + 60,
                             noon + 3 * DAY + 120, noon + 3 * DAY + 180, noon + 4 * DAY + 180};
    const int asked[] = {1, 0, 0, 1, 0, 1};
    for (size_t i = 0; i < sizeof times / sizeof *times; i++) {
        struct str told;
        house_empty_spool(&house);
        ck_ok(batch_round(&house.batch, times[i], &err), err);
        house_clock(&house, times[i]);
        ck_ok(batch_round_done(&house.batch, &err), err);
        ck_assert_msg(house_mails(&house, "wanda", &told) == asked[i], "round %zu:\n%s", i, told.p);
        str_release(&told);
    }
    house_same(&house, "gc-1");
    answer(0);
    ck_assert_int_eq(game()->turn, 1);
}
END_TEST

START_TEST(two_witnesses_in_any_order)
{
    end();
    begin_with(2);
    ck_assert_int_eq(game()->witnesses.count, 2);
    answer(1);
    ck_assert_int_eq(game()->turn, 0);
    house_same(&house, "gc-1");
    house_restart(&house);
    answer(0);
    ck_assert_int_eq(game()->turn, 1);
    house_same(&house, "gc-1");
    house_clock(&house, game()->clock.deadline + 1);
    ck_assert(game()->closed);
    answer(0);
    ck_assert_int_eq(game()->turn, 1);
    answer(1);
    ck_assert_int_eq(game()->turn, 2);
    house_same(&house, "gc-1");
}
END_TEST

/* What would change the turn that is closed has to wait. */
START_TEST(nothing_changes_a_closed_turn)
{
    answer(0);
    house_clock(&house, game()->clock.deadline + 1);
    ck_assert(game()->closed);
    refused("bob", "#turnpost resign\ngame: gc-1\nturn: 1\n#end\n", "is closed and waits for a witness");
    refused("bob", "#turnpost extend\ngame: gc-1\nturn: 1\nhours: 2\n#end\n", "is closed and waits");
    answer(0);
    ck_assert_int_eq(game()->turn, 2);
}
END_TEST

/* A record of the league's own making after the journal; what the audit says. Takes ownership of `fields`. */
static void forged(const char *type, json_t *fields, const char *words)
{
    struct err err = ERR_INIT;
    struct str journal = STR_INIT, sealed = STR_INIT;
    struct audit_result result;
    struct record record;
    ck_assert_ptr_nonnull(fields);
    ck_ok(store_read(house.batch.store, "gc-1", STORE_BEGIN, &journal, &err), err);
    ck_ok(store_read_sealed(house.batch.store, "gc-1", &sealed, &err), err);
    ck_ok(record_make(
              &journal,
              &(struct record_text){{"gc-1", game()->seq + 1, game()->head}, type, game()->time, fields},
              house.league.key.key, &record, &err),
          err);
    record_release(&record);
    audited_bytes(slice_str(&journal), slice_str(&sealed), &result);
    ck_assert_msg(result.verdict == AUDIT_REFUTED && strstr(result.first.text, words), "%s",
                  result.first.text);
    ck_assert_int_eq(result.first.seq, game()->seq + 1);
    str_release(&journal);
    str_release(&sealed);
}

START_TEST(what_may_stand_behind_a_close)
{
    static const char *const never[] = {"pause", "hold", "resolve"};
    end();
    begin_with(1);
    answer(0);
    house_clock(&house, game()->clock.deadline + 1);
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
    answer(0);
    ck_assert_int_eq(game()->turn, 2);
}
END_TEST

/* What a witness makes of the last close if the league had signed it with that turn. */
static int close_of_turn(json_int_t turn, struct err *err)
{
    struct str lines;
    struct slice rest, create;
    struct record record;
    struct close_seen seen;
    static const char *const own[] = {"v", "game", "seq", "prev", "type", "time", "sig"};
    unsigned char head[HEAD_BYTES];
    close_lines(&lines);
    rest = slice_str(&lines);
    ck_assert(slice_line(&rest, &create));
    ck_ok(record_parse(rest, &record, err), *err);
    json_t *fields = json_deep_copy(record.json);
    for (size_t i = 0; i < sizeof own / sizeof *own; i++)
        json_object_del(fields, own[i]);
    json_object_set_new(fields, "turn", json_integer(turn));
    str_cut(&lines, create.len + 1);
    record_write(&lines,
                 &(struct record_text){{"gc-1", record.seq, record.prev}, "close", record.time, fields},
                 house.league.key.key, head);
    int rc = testimony_close(slice_str(&lines), house.league.key.point, &seen, err);
    testimony_release(&seen);
    json_decref(fields);
    record_release(&record);
    str_release(&lines);
    return rc;
}

START_TEST(a_close_of_a_turn_that_there_cannot_be)
{
    static const json_int_t never[] = {-1, 10000, (json_int_t)1 << 32};
    struct err err = ERR_INIT;
    ck_ok(close_of_turn(0, &err), err);
    ck_ok(close_of_turn(9999, &err), err);
    for (size_t i = 0; i < sizeof never / sizeof *never; i++) {
        ck_assert_int_ne(close_of_turn(never[i], &err), 0);
        ck_assert_str_eq(err.text, "the record names no turn");
        err_clear(&err);
    }
}
END_TEST

START_TEST(a_witness_believes_only_the_league_and_one_history)
{
    struct err err = ERR_INIT;
    struct str line, text = STR_INIT, keep = STR_INIT;
    struct close_seen seen;
    struct testimony before = {0};
    unsigned char other[32] = {9};
    close_lines(&line);
    ck_assert_int_ne(testimony_close(slice_str(&line), other, &seen, &err), 0);
    err_clear(&err);
    ck_ok(testimony_close(slice_str(&line), house.league.key.point, &seen, &err), err);
    testimony_release(&seen);
    char *turn = strstr(line.p, "\"turn\":0");
    turn[7] = '1';
    ck_assert_int_ne(testimony_close(slice_str(&line), house.league.key.point, &seen, &err), 0);
    turn[7] = '0';
    err_clear(&err);
    /* The close alone, or after a record that is not the first: what the dice are computed over is not
     * known. */
    struct slice rest = slice_str(&line), create;
    ck_assert(slice_line(&rest, &create));
    ck_assert_int_ne(testimony_close(rest, house.league.key.point, &seen, &err), 0);
    err_clear(&err);
    struct str twice = STR_INIT;
    str_addf(&twice, "%.*s%.*s", (int)rest.len, rest.p, (int)rest.len, rest.p);
    ck_assert_int_ne(testimony_close(slice_str(&twice), house.league.key.point, &seen, &err), 0);
    str_release(&twice);
    err_clear(&err);
    ck_ok(testimony_close(slice_str(&line), house.league.key.point, &seen, &err), err);
    ck_ok(testimony_answer(&seen, &before, secret[0], public[0], &text, &keep, &err), err);
    ck_assert_ptr_null(strstr(text.p, "last:"));
    /* The same again, word for word, and nothing new to remember. */
    ck_ok(testimony_read(slice_str(&keep), &before, &err), err);
    struct str again = STR_INIT, nothing = STR_INIT;
    ck_ok(testimony_answer(&seen, &before, secret[0], public[0], &again, &nothing, &err), err);
    ck_assert_str_eq(again.p, text.p);
    ck_assert_uint_eq(nothing.len, 0);
    /* Another close that is no later. */
    seen.head[0] ^= 1;
    ck_assert_int_ne(testimony_answer(&seen, &before, secret[0], public[0], &again, &nothing, &err), 0);
    ck_assert_int_eq(err.code, ERR_BROKEN);
    ck_assert_ptr_nonnull(strstr(err.text, "two histories"));
    err_clear(&err);
    ck_assert_int_ne(testimony_read(slice_of("12 x\n"), &before, &err), 0);
    testimony_release(&seen);
    str_release(&line);
    str_release(&text);
    str_release(&keep);
    str_release(&again);
    str_release(&nothing);
}
END_TEST

static void cases(TCase *tc)
{
    tcase_add_checked_fixture(tc, begin, end);
    tcase_add_test(tc, a_turn_waits_for_its_witness_and_his_dice_count);
    tcase_add_test(tc, the_root_mixes_both);
    tcase_add_test(tc, wrong_answers_change_nothing);
    tcase_add_test(tc, a_witness_who_is_silent_is_asked_again_and_excused);
    tcase_add_test(tc, a_witness_is_asked_by_a_clock_that_was_ahead);
    tcase_add_test(tc, everybody_is_told_once_what_is_missing);
    tcase_add_test(tc, two_witnesses_in_any_order);
    tcase_add_test(tc, nothing_changes_a_closed_turn);
    tcase_add_test(tc, what_may_stand_behind_a_close);
    tcase_add_test(tc, a_close_of_a_turn_that_there_cannot_be);
    tcase_add_test(tc, a_witness_believes_only_the_league_and_one_history);
}
TEST_MAIN("play/witness", cases)
