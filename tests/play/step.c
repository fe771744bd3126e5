#include "house/table.h"
#include "game/told.h"
#include "seat_gets.h"

#include <sodium.h>

#include "base/encode.h"
#include "game/game_load.h"
#include "game/seat_keys.h"

static struct table t;

static void open_table(void)
{
    table_open(&t);
}

static void close_table(void)
{
    table_close(&t);
}

/* The `type` of each record in order, separated by spaces. */
static void record_types(struct str *out)
{
    struct err err = ERR_INIT;
    struct str lines = STR_INIT;
    ck_ok(store_read(t.store, "gc-1", STORE_BEGIN, &lines, &err), err);
    struct slice rest = slice_str(&lines);
    while (rest.len) {
        struct slice line;
        struct record record;
        const char *from = rest.p;
        ck_assert(slice_line(&rest, &line));
        ck_ok(record_parse((struct slice){from, line.len + 1}, &record, &err), err);
        str_addf(out, "%s%s", out->len ? " " : "", record.type);
        record_release(&record);
    }
    str_release(&lines);
}

#define ck_types(want)                    \
    do {                                  \
        struct str types_ = STR_INIT;     \
        record_types(&types_);            \
        ck_assert_str_eq(types_.p, want); \
        str_release(&types_);             \
    } while (0)

START_TEST(a_turn_is_played_when_all_are_in)
{
    int posts[5];
    table_new(&t, "abr", 3600);
    ck_types("create seat seat seat start");
    ck_assert_int_eq(t.game.turn, 1);
    ck_assert_int_eq(t.game.clock.deadline, NOON + 3600);
    ck_assert_int_eq(table_send(&t, 1, "turn: 1\n", "bide\n", NOON + 1, posts), ORDERS_TAKEN);
    ck_assert_int_eq(posts[POST_RECEIPT], 1);
    ck_assert_int_eq(posts[POST_REPORT], 0);
    table_check_replay(&t);
    ck_assert_int_eq(table_send(&t, 2, "turn: 1\n", "bide\n", NOON + 2, posts), ORDERS_TAKEN);
    ck_assert_int_eq(posts[POST_RECEIPT], 0); /* the report is the receipt as well */
    ck_assert_int_eq(posts[POST_REPORT], 2);  /* the robot gets none */
    ck_assert_int_eq(t.game.turn, 2);
    ck_assert_int_eq(t.game.clock.deadline, NOON + 2 + 3600);
    ck_types("create seat seat seat start orders orders close turn");
    table_check_replay(&t);
}
END_TEST

START_TEST(wait_keeps_the_turn_open_until_the_deadline)
{
    table_new(&t, "a", 3600);
    ck_assert_int_eq(table_send(&t, 1, "turn: 1\nwait: yes\n", "bide\n", NOON + 1, NULL), ORDERS_TAKEN);
    ck_assert_int_eq(t.game.turn, 1);
    table_clock(&t, NOON + 3599);
    ck_assert_int_eq(t.game.turn, 1);
    table_clock(&t, NOON + 3600);
    ck_assert_int_eq(t.game.turn, 2);
    ck_assert_int_eq(t.game.seat[1].missed, 0);
    table_check_replay(&t);
}
END_TEST

START_TEST(missed_turns_are_counted_and_a_robot_helps_out)
{
    table_new(&t, "a", 60);
    for (int i = 1; i <= 4; i++) {
        table_clock(&t, NOON + 60 * i);
        ck_assert_int_eq(t.game.turn, i + 1);
        ck_assert_int_eq(t.game.seat[1].missed, i);
    }
    table_check_replay(&t);
    ck_assert_int_eq(table_send(&t, 1, "turn: 5\n", "bide\n", NOON + 250, NULL), ORDERS_TAKEN);
    ck_assert_int_eq(t.game.seat[1].missed, 0);
}
END_TEST

/* After the third missed turn the robot's first order is not the default's BIDE. */
START_TEST(the_third_missed_turn_is_the_robots)
{
    bool missed;
    table_new(&t, "a", 60);
    for (int i = 1; i <= 2; i++)
        table_clock(&t, NOON + 60 * i);
    ck_assert_ptr_null(turn_orders(&t.game, 1, &missed)); /* two missed: still the ruleset's default */
    ck_assert(missed);
    t.game.seat[1].missed = 3;
    struct script *script = turn_orders(&t.game, 1, &missed);
    ck_assert_ptr_nonnull(script);
    script_free(script);
}
END_TEST

START_TEST(always_orders_play_a_missed_turn)
{
    bool missed;
    table_new(&t, "a", 60);
    ck_assert_int_eq(table_send(&t, 1, "turn: 1\n", "bide\nalways explore near\n", NOON + 1, NULL),
                     ORDERS_TAKEN);
    ck_assert_int_eq(t.game.turn, 2);
    struct script *script = turn_orders(&t.game, 1, &missed);
    ck_assert(missed);
    ck_assert_ptr_nonnull(script);
    ck_assert_str_eq(script_line(script, 0)->verb, "explore");
    script_free(script);
    table_clock(&t, t.game.clock.deadline);
    ck_assert_int_eq(t.game.turn, 3);
    table_check_replay(&t);
    ck_assert_int_eq(table_send(&t, 1, "turn: 3\n", "bide\ncancel always\n", NOON + 100, NULL), ORDERS_TAKEN);
    ck_assert_uint_eq(t.game.seat[1].standing.len, 0);
}
END_TEST

START_TEST(auto_lets_the_robot_write)
{
    bool missed;
    table_new(&t, "ab", 60);
    ck_assert_int_eq(table_send(&t, 1, "turn: 1\n", "auto\n", NOON + 1, NULL), ORDERS_TAKEN);
    struct script *script = turn_orders(&t.game, 1, &missed);
    ck_assert(!missed);
    ck_assert_ptr_nonnull(script);
    ck_assert_int_eq(script_line(script, 0)->kind, LINE_ORDERS);
    script_free(script);
}
END_TEST

START_TEST(replaced_by_the_later_or_the_higher)
{
    table_new(&t, "ab", 60);
    ck_assert_int_eq(table_send(&t, 1, "turn: 1\n", "bide\n", NOON, NULL), ORDERS_TAKEN);
    ck_assert_int_eq(table_send(&t, 1, "turn: 1\n", "explore near\n", NOON, NULL), ORDERS_TAKEN);
    ck_assert_str_eq(t.game.seat[1].orders.text.p, "explore near\n");
    ck_assert_int_eq(table_send(&t, 1, "turn: 1\n", "bide\n", NOON, NULL), ORDERS_REPLACED);
    ck_assert_str_eq(t.game.seat[1].orders.text.p, "explore near\n");
    ck_assert_int_eq(table_send(&t, 1, "turn: 1\n", "explore near\n", NOON, NULL), ORDERS_SEEN_TEXT);
    ck_assert_int_eq(table_send(&t, 1, "turn: 1\nseq: 3\n", "bide\n", NOON, NULL), ORDERS_TAKEN);
    ck_assert_int_eq(table_send(&t, 1, "turn: 1\nseq: 3\n", "build\n", NOON, NULL), ORDERS_LOWER_SEQ);
    ck_assert_int_eq(table_send(&t, 1, "turn: 1\nseq: 2\n", "build\n", NOON, NULL), ORDERS_LOWER_SEQ);
    ck_assert_int_eq(table_send(&t, 1, "turn: 1\n", "build\n", NOON, NULL), ORDERS_LOWER_SEQ);
    /* Two seats may write the same. */
    ck_assert_int_eq(table_send(&t, 2, "turn: 1\nwait: yes\n", "explore near\n", NOON, NULL), ORDERS_TAKEN);
    table_check_replay(&t);
}
END_TEST

START_TEST(wrong_turns_and_heads)
{
    char fields[200], head[65];
    int64_t seq;
    table_new(&t, "ab", 60);
    seq = t.game.seq;
    ck_assert_int_eq(table_send(&t, 1, "", "bide\n", NOON, NULL), ORDERS_NO_TURN);
    ck_assert_int_eq(table_send(&t, 1, "turn: 2\n", "bide\n", NOON, NULL), ORDERS_FUTURE_TURN);
    ck_assert_int_eq(table_send(&t, 1, "turn: 1\n", "turn 4\nbide\n", NOON, NULL), ORDERS_OTHER_TURN);
    ck_assert_int_eq(table_send(&t, 1, "turn: 0\n", "bide\n", NOON, NULL), ORDERS_OLD_TURN);
    ck_assert_int_eq(table_send(&t, 1, "turn: 1\nhead: 00112233\n", "bide\n", NOON, NULL),
                     ORDERS_UNKNOWN_HEAD);
    ck_assert_int_eq(t.game.seq, seq); /* none of them left a trace */
    hex_to(head, t.game.head, 32);
    snprintf(fields, sizeof fields, "turn: 1\nhead: %.16s\n", head);
    ck_assert_int_eq(table_send(&t, 1, fields, "bide\n", NOON, NULL), ORDERS_NO_HEAD); /* not all of it */
    ck_assert_int_eq(t.game.seq, seq);
    snprintf(fields, sizeof fields, "turn: 1\nhead: %s\n", head);
    ck_assert_int_eq(table_send(&t, 1, fields, "bide\n", NOON, NULL), ORDERS_TAKEN);
    table_clock(&t, NOON + 60);
    snprintf(fields, sizeof fields, "turn: 2\nhead: %s\n", head);
    ck_assert_int_eq(table_send(&t, 1, fields, "bide\n", NOON, NULL), ORDERS_OLD_HEAD);
    ck_assert_int_eq(table_send(&t, 1, "turn: 1\n", "build\n", NOON, NULL), ORDERS_OLD_TURN);
}
END_TEST

/* A mail that comes again after a crash is known, in its turn and long after. */
START_TEST(the_same_mail_is_known)
{
    char fields[200], head[65];
    table_new(&t, "ab", 60);
    game_answer_head(head, &t.game);
    snprintf(fields, sizeof fields, "turn: 1\nhead: %s\n", head);
    ck_assert_int_eq(table_send(&t, 1, fields, "bide\n", NOON, NULL), ORDERS_TAKEN);
    t.mails--;
    ck_assert_int_eq(table_send(&t, 1, fields, "bide\n", NOON, NULL), ORDERS_SEEN_MAIL);
    for (int i = 1; i <= 3; i++)
        table_clock(&t, NOON + 60 * i);
    t.mails--;
    ck_assert_int_eq(table_send(&t, 1, fields, "bide\n", NOON, NULL), ORDERS_SEEN_MAIL);
}
END_TEST

START_TEST(a_dry_run_stores_nothing)
{
    int posts[5];
    table_new(&t, "ab", 60);
    int64_t seq = t.game.seq;
    ck_assert_int_eq(table_send(&t, 1, "turn: 1\n", "try\nexplore near\n", NOON, posts), ORDERS_TRIED);
    ck_assert_int_eq(posts[POST_TRIED], 1);
    ck_assert_int_eq(t.game.seq, seq);
    ck_assert(!t.game.seat[1].orders.in);
}
END_TEST

START_TEST(resigning_hands_the_seat_to_a_robot)
{
    table_new(&t, "ab", 60);
    ck_assert_int_eq(table_send(&t, 1, "turn: 1\n", "resign\n", NOON, NULL), ORDERS_TAKEN);
    ck_assert(t.game.seat[1].robot);
    ck_assert_int_eq(game_seat_of(&t.game, "alice"), 0);
    ck_assert_int_eq(table_send(&t, 2, "turn: 1\n", "bide\n", NOON, NULL), ORDERS_TAKEN);
    ck_assert_int_eq(t.game.turn, 2);
    json_t *since = told_since(&t.game, 1); /* what the others' reports tell of */
    const json_t *event = json_array_get(json_object_get(json_array_get(since, 0), "events"), 0);
    ck_assert_str_eq(json_string_value(json_object_get(event, "type")), "seat_resigned");
    ck_assert_int_eq(json_integer_value(json_object_get(event, "seat")), 1);
    json_decref(since);
    table_check_replay(&t);
}
END_TEST

/* Not even a program of the operator's can have it earlier. */
START_TEST(a_lost_key_takes_seven_days)
{
    struct err err = ERR_INIT;
    struct pubkey fresh;
    struct secret secret;
    struct step step;
    table_new(&t, "ab", 60);
    struct step_keys keys = table_keys(&t);
    secret_new(&secret);
    secret_public(&secret, &fresh);
    step_init(&step, &keys, NOON);
    ck_ok(step_rekey(&step, &t.game, 1, &fresh, OPERATOR, &err), err);
    step.now += SEAT_REKEY_WAIT - 1;
    ck_assert_int_ne(step_rekeyed(&step, &t.game, 1, &err), 0);
    ck_assert_ptr_nonnull(strstr(err.text, "not asked for seven days before"));
    err_clear(&err);
    step.now = NOON + SEAT_REKEY_LASTS + 1; /* nobody has said no, and nobody thinks of it any more */
    ck_assert_int_ne(step_rekeyed(&step, &t.game, 1, &err), 0);
    ck_assert_ptr_nonnull(strstr(err.text, "or more than four weeks"));
    err_clear(&err);
    step.now = NOON + SEAT_REKEY_LASTS;
    ck_ok(step_rekeyed(&step, &t.game, 1, &err), err);
    step_release(&step);
}
END_TEST

START_TEST(unknown_keys_and_new_keys)
{
    struct err err = ERR_INIT;
    struct pubkey fresh;
    struct secret secret;
    struct step step;
    struct step_keys keys = table_keys(&t);
    table_new(&t, "ab", 60);
    keys = table_keys(&t);
    secret_new(&secret);
    secret_public(&secret, &fresh);
    struct pubkey old = t.game.seat[1].keys[0];
    int64_t length = t.game.journal.length, seq = t.game.seq;
    step_init(&step, &keys, NOON);
    ck_ok(seat_gets(&step, &t.game, 1, &fresh, &err), err);
    table_commit(&t, &step, length, seq);
    ck_assert(pubkey_equal(&t.game.seat[1].keys[0], &fresh));
    /* table_send signs with the seat's first key: put the old one in, as a forger would */
    struct frame frame;
    enum orders_fate fate;
    const char *text = "#turnpost orders\ngame: gc-1\nturn: 1\nbide\n#end\n";
    unsigned char mail[32] = {99};
    json_t *signature = json_object();
    ck_ok(frame_parse(slice_of(text), &frame, &err), err);
    struct orders_input input = {.seat = 1,
                                 .frame = &frame,
                                 .key = &old,
                                 .exact = slice_of(text),
                                 .canonical = slice_of(text),
                                 .signature = signature,
                                 .mail = mail};
    step_init(&step, &keys, NOON + SEAT_REKEY_WAIT);
    step.before = table_before(&t);
    ck_ok(step_orders(&step, &t.game, &input, &fate, &err), err);
    ck_assert_int_eq(fate, ORDERS_WRONG_KEY);
    ck_assert_uint_eq(step.records.len, 0);
    step_release(&step);
    json_decref(signature);
    table_check_replay(&t);
}
END_TEST

/* alpha, the proof and the seals, as the documents say. */
START_TEST(the_draws_can_be_checked)
{
    struct err err = ERR_INIT;
    struct str alpha = STR_INIT, lines = STR_INIT, want = STR_INIT;
    unsigned char seal[SEAL_BYTES], number[4], zeros[32] = {0};
    table_new(&t, "ab", 60);
    ck_assert_int_eq(table_send(&t, 2, "turn: 1\n", "bide\n", NOON, NULL), ORDERS_TAKEN);
    memcpy(seal, t.game.seat[2].orders.seal, sizeof seal);
    turn_alpha(&alpha, &t.game);
    str_add(&want, "turnpost/dice", 14);
    str_add(&want, t.game.journal.create_head, 32);
    str_add(&want, t.game.draws.deal, 32);
    put_le32(number, 0);
    str_add(&want, number, 4);
    put_le32(number, 1);
    str_add(&want, number, 4);
    put_le32(number, 2);
    str_add(&want, number, 4);
    str_add(&want, zeros, 32);
    str_add(&want, seal, 32);
    ck_assert_uint_eq(alpha.len, want.len);
    ck_assert_mem_eq(alpha.p, want.p, want.len);
    table_clock(&t, NOON + 60);
    ck_ok(store_read(t.store, "gc-1", STORE_BEGIN, &lines, &err), err);
    const char *pi = strstr(strstr(lines.p, "\"type\":\"turn\""), "\"pi\":\"");
    unsigned char proof[VRF_PROOF], beta[VRF_OUTPUT];
    ck_assert(hex_decode(proof, sizeof proof, (struct slice){pi + 6, 2 * VRF_PROOF}));
    ck_assert(vrf_verify(beta, t.game.draws.key, proof, slice_str(&alpha)));
    str_release(&alpha);
    str_release(&want);
    str_release(&lines);
}
END_TEST

START_TEST(the_end_opens_the_seals)
{
    struct err err = ERR_INIT;
    struct str lines = STR_INIT;
    unsigned char key[32], commitment[32];
    table_new(&t, "ar", 60);
    for (int i = 1; i <= 13 && !t.game.over; i++)
        table_clock(&t, NOON + 60 * i);
    ck_assert(t.game.over);
    ck_assert_int_eq(t.game.clock.deadline, 0);
    ck_assert_int_eq(table_send(&t, 1, "turn: 14\n", "bide\n", NOON, NULL), ORDERS_GAME_OVER);
    ck_ok(store_read(t.store, "gc-1", STORE_BEGIN, &lines, &err), err);
    const char *open = strstr(strstr(lines.p, "\"type\":\"open\""), "\"seal_key\":\"");
    ck_assert(hex_decode(key, 32, (struct slice){open + 12, 64}));
    seal_key_commitment(commitment, key);
    ck_assert_mem_eq(commitment, t.game.journal.seal_commitment, 32);
    /* every box opens by it, and holds what its seal says */
    struct seal_keys keys = {.seals = false};
    struct slice rest = slice_str(&lines), line;
    unsigned char create[HEAD_BYTES];
    size_t boxes = 0;
    memcpy(create, t.game.journal.create_head, sizeof create);
    seal_keys_published(&keys, rest);
    while (slice_line(&rest, &line)) {
        struct sealed_set set = {NULL, 0, 0};
        json_t *record = json_read(line, "record", &err);
        sealed_open(&set, &keys, record);
        for (size_t i = 0; i < set.count; i++)
            ck_assert(sealed_is_covered(&set.list[i], line, create));
        boxes += set.count;
        sealed_set_release(&set);
        json_decref(record);
    }
    ck_assert_uint_gt(boxes, 3);
    str_release(&lines);
    table_check_replay(&t);
}
END_TEST

START_TEST(press_is_for_whom_it_is_meant)
{
    table_new(&t, "abc", 60);
    ck_assert_int_eq(
        table_send(&t, 1, "turn: 1\n", "auto\nsay bob the gate is open\nsay all hello\n", NOON, NULL),
        ORDERS_TAKEN);
    table_clock(&t, NOON + 60);
    size_t i;
    json_t *event;
    int said = 0;
    json_array_foreach (t.game.told.events, i, event) {
        if (strcmp(json_string_value(json_object_get(event, "type")), "said") != 0)
            continue;
        uint32_t visible = (uint32_t)json_integer_value(json_object_get(event, "visible"));
        bool to_bob = json_object_get(event, "to_seat") != NULL;
        ck_assert_uint_eq(visible, to_bob ? (SEAT_BIT(1) | SEAT_BIT(2)) : EVENT_PUBLIC);
        ck_assert_str_eq(json_string_value(json_object_get(event, "text")),
                         to_bob ? "the gate is open" : "hello");
        said++;
    }
    ck_assert_int_eq(said, 2);
}
END_TEST

/* A message alone does not use up a turn; it goes out with the next reports, whoever's orders complete the
 * turn. */
START_TEST(a_message_alone_leaves_the_turn_open)
{
    size_t i;
    json_t *event;
    int said = 0;
    table_new(&t, "abc", 60);
    ck_assert_int_eq(table_send(&t, 1, "turn: 1\n", "say bob: hello; you there\n", NOON, NULL), ORDERS_TAKEN);
    ck_assert_int_eq(table_send(&t, 1, "turn: 1\n", "say P3, and you\nsay zoe who\n", NOON, NULL),
                     ORDERS_TAKEN);
    ck_assert(!t.game.seat[1].orders.in);
    ck_assert_uint_eq(game_missing(&t.game), SEAT_BIT(1) | SEAT_BIT(2) | SEAT_BIT(3));
    table_check_replay(&t);
    table_clock(&t, NOON + 60);
    json_array_foreach (t.game.told.events, i, event) {
        const char *type = json_string_value(json_object_get(event, "type"));
        if (strcmp(type, "unheard") == 0)
            ck_assert_str_eq(json_string_value(json_object_get(event, "name")), "zoe");
        if (strcmp(type, "said") != 0)
            continue;
        json_int_t to = json_integer_value(json_object_get(event, "to_seat"));
        ck_assert_str_eq(json_string_value(json_object_get(event, "text")),
                         to == 2 ? "hello; you there" : "and you");
        ck_assert_int_eq(json_integer_value(json_object_get(event, "line")), 0);
        said++;
    }
    ck_assert_int_eq(said, 2);
    ck_assert_uint_eq(t.game.seat[1].said.len, 0);
    table_check_replay(&t);
}
END_TEST

START_TEST(time_never_runs_backwards_in_a_journal)
{
    table_new(&t, "ab", 0);
    ck_assert_int_eq(table_send(&t, 1, "turn: 1\n", "bide\n", NOON - 86400 * 365, NULL), ORDERS_TAKEN);
    ck_assert_int_eq(t.game.time, NOON);
    ck_assert_int_eq(table_send(&t, 2, "turn: 1\n", "bide\n", NOON + 86400 * 365, NULL), ORDERS_TAKEN);
    ck_assert_int_eq(t.game.turn, 2);
    table_check_replay(&t);
}
END_TEST

/* A solo player may write for several turns; the first refusal stops what follows. */
START_TEST(several_turns_in_one_mail)
{
    int posts[5];
    table_new(&t, "a", 0);
    ck_assert_int_eq(table_send(&t, 1, "turn: 1\n", "bide\nturn 2\nbide\nbuild\nturn 3\nbide\n", NOON, posts),
                     ORDERS_TAKEN);
    ck_assert_int_eq(t.game.turn, 4);
    ck_assert_int_eq(posts[POST_REPORT], 1);
    ck_types("create seat start orders close turn close turn close turn");
    table_check_replay(&t);
    ck_assert_int_eq(
        table_send(&t, 1, "turn: 4\n", "turn 4\nbide\nresearch banking\nturn 5\nbide\n", NOON, posts),
        ORDERS_TAKEN);
    ck_assert_int_eq(t.game.turn, 5); /* Banking needs Commerce first: refused */
    table_check_replay(&t);
    ck_assert_int_eq(table_send(&t, 1, "turn: 5\n", "bide\nturn 7\nbide\n", NOON, posts), ORDERS_OTHER_TURN);
}
END_TEST

START_TEST(one_turn_a_mail_where_others_play)
{
    table_new(&t, "ab", 0);
    ck_assert_int_eq(table_send(&t, 1, "turn: 1\n", "bide\nturn 2\nbide\n", NOON, NULL), ORDERS_OTHER_TURN);
}
END_TEST

/* Those of the mails that belong to a record after `kept`; the others are in the spool when a crash comes then. */
static void posted_after(struct str *out, const struct table *table, int64_t kept)
{
    struct slice rest = slice_str(&table->posted), line;
    while (slice_line(&rest, &line)) {
        if (strtoll(line.p, NULL, 10) > kept)
            str_addf(out, "%.*s\n", (int)line.len, line.p);
    }
}

/* The journal cut after record `kept`, as a crash in the middle of an append leaves it: continuing gives the
 * very same bytes, and the same mails of the records that were lost. */
static void check_continued(int64_t kept, int64_t now)
{
    struct err err = ERR_INIT;
    struct str all = STR_INIT, again = STR_INIT;
    struct table copy;
    struct step step;
    ck_ok(store_read(t.store, "gc-1", STORE_BEGIN, &all, &err), err);
    struct slice rest = slice_str(&all), line;
    for (int64_t i = 0; i < kept; i++)
        ck_assert(slice_line(&rest, &line));
    table_open(&copy);
    struct step_keys keys = table_keys(&t);
    memcpy(copy.master, t.master, sizeof copy.master);
    store_give_master(copy.store, copy.master);
    struct store_append part = {"gc-1", {0, 0}, slice_sub(slice_str(&all), 0, all.len - rest.len)};
    ck_ok(store_append(copy.store, &part, &err), err);
    ck_ok(game_mend(copy.store, "gc-1", t.master, &copy.game, &err), err);
    ck_assert_int_eq(copy.game.seq, kept);
    int64_t length = copy.game.journal.length;
    step_init(&step, &keys, now);
    step.before = table_before(&copy);
    ck_ok(step_continue(&step, &copy.game, &err), err);
    table_commit(&copy, &step, length, kept);
    struct str want = STR_INIT, posted = STR_INIT;
    posted_after(&want, &t, kept);
    posted_after(&posted, &copy, kept);
    size_t same = 0;
    while (posted.p[same] && posted.p[same] == want.p[same])
        same++;
    ck_assert_msg(posted.len == want.len && same == want.len,
                  "cut behind record %lld: %.300s instead of %.300s", (long long)kept, posted.p + same,
                  want.p + same);
    str_release(&want);
    str_release(&posted);
    ck_ok(store_read(copy.store, "gc-1", STORE_BEGIN, &again, &err), err);
    ck_assert_msg(again.len == all.len && memcmp(again.p, all.p, all.len) == 0, "cut behind record %lld",
                  (long long)kept);
    ck_assert(copy.game.seq == kept ||
              !step_unfinished(&copy.game)); /* nothing follows orders that leave the turn open */
    table_close(&copy);
    str_release(&all);
    str_release(&again);
}

START_TEST(a_step_cut_short_is_finished)
{
    table_new(&t, "ab", 60);
    ck_assert_int_eq(table_send(&t, 1, "turn: 1\n", "bide\n", NOON, NULL), ORDERS_TAKEN);
    ck_assert_int_eq(table_send(&t, 2, "turn: 1\n", "bide\n", NOON + 5, NULL), ORDERS_TAKEN);
    ck_types("create seat seat start orders orders close turn");
    for (int64_t kept = 6; kept <= 8; kept++)
        check_continued(kept, NOON + 5);
}
END_TEST

START_TEST(the_end_cut_short_is_finished)
{
    table_new(&t, "ar", 60);
    for (int i = 1; i <= 13 && !t.game.over; i++)
        table_clock(&t, NOON + 60 * i);
    int64_t last = t.game.seq; /* close turn end open */
    for (int64_t kept = last - 3; kept <= last; kept++)
        check_continued(kept, t.game.time);
}
END_TEST

START_TEST(resigning_cut_short_is_finished)
{
    table_new(&t, "ab", 60);
    ck_assert_int_eq(table_send(&t, 2, "turn: 1\n", "bide\n", NOON, NULL), ORDERS_TAKEN);
    ck_assert_int_eq(table_send(&t, 1, "turn: 1\n", "resign\n", NOON, NULL), ORDERS_TAKEN);
    ck_types("create seat seat start orders orders seat close turn");
    for (int64_t kept = 6; kept <= 9; kept++)
        check_continued(kept, NOON);
}
END_TEST

/* Nothing but the first record says whose orders led to the last turns, and that their report is the receipt. */
START_TEST(several_turns_cut_short_are_finished)
{
    table_new(&t, "a", 0);
    ck_assert_int_eq(table_send(&t, 1, "turn: 1\n", "bide\nturn 2\nbide\nbuild\nturn 3\nbide\n", NOON, NULL),
                     ORDERS_TAKEN);
    ck_types("create seat start orders close turn close turn close turn");
    for (int64_t kept = 4; kept <= 10; kept++)
        check_continued(kept, NOON);
}
END_TEST

START_TEST(a_deal_cut_short_is_finished)
{
    static const char *const lines[] = {"accept 7\npass\n", "vote draw\npass\n"}; /* the robot agrees */
    for (int i = 0; i < 2; i++) {
        int posts[5];
        char turn[32];
        close_table();
        open_table();
        table_new_of(&t, ruleset_newest("galactic-supremacy"), "ar", 60);
        int64_t seq = t.game.seq;
        (void)snprintf(turn, sizeof turn, "turn: %d\n", t.game.turn);
        ck_assert_int_eq(table_send(&t, 1, turn, lines[i], NOON, posts), ORDERS_TAKEN);
        ck_assert_int_eq(posts[POST_RECEIPT], 0);
        ck_assert_int_eq(posts[POST_REPORT], 1);
        ck_assert_int_eq(t.game.over, i);
        ck_assert_int_ge(t.game.seq, seq + 4); /* orders note close turn */
        for (int64_t kept = seq + 1; kept <= t.game.seq; kept++)
            check_continued(kept, NOON);
    }
}
END_TEST

/* Deals are carried out though the seat is the robot's already. */
START_TEST(resigning_after_a_deal_cut_short_is_finished)
{
    static const char *const lines[] = {"accept 7\npass\nresign\n", "accept 7\nresign\n"};
    for (int i = 0; i < 2; i++) {
        char turn[32];
        close_table();
        open_table();
        table_new_of(&t, ruleset_newest("galactic-supremacy"), "abr", 60);
        int64_t seq = t.game.seq;
        (void)snprintf(turn, sizeof turn, "turn: %d\n", t.game.turn);
        ck_assert_int_eq(table_send(&t, 1, turn, lines[i], NOON, NULL), ORDERS_TAKEN);
        ck_assert(t.game.seat[1].resigned);
        ck_assert_int_ge(t.game.seq, seq + 3); /* orders seat note, and the turn if that is all */
        for (int64_t kept = seq + 1; kept <= t.game.seq; kept++)
            check_continued(kept, NOON);
    }
}
END_TEST

/* The last text of the seat had none, even if its player has resigned by it: that is answered once. */
START_TEST(deals_of_an_earlier_text_are_not_done_again)
{
    static const char *const last[] = {"when attacked at home defend all\n", "resign\n"};
    for (int i = 0; i < 2; i++) {
        char turn[32];
        close_table();
        open_table();
        table_new_of(&t, ruleset_newest("galactic-supremacy"), "abr", 60);
        (void)snprintf(turn, sizeof turn, "turn: %d\n", t.game.turn);
        t.game.clock.paused = i; /* the turn stays open */
        ck_assert_int_eq(table_send(&t, 1, turn, "accept 7\n", NOON, NULL), ORDERS_TAKEN);
        ck_assert_int_eq(table_send(&t, 1, turn, last[i], NOON, NULL), ORDERS_TAKEN);
        ck_assert_str_eq(t.game.journal.last_type, i ? "seat" : "orders");
        if (i)
            ck_assert(!step_unfinished(&t.game));
        else
            check_continued(t.game.seq, NOON);
    }
}
END_TEST

/* What is no order for the turn does not use it up. */
START_TEST(questions_and_standing_orders_leave_the_turn_open)
{
    int posts[5];
    table_new(&t, "ab", 60);
    int64_t seq = t.game.seq;
    ck_assert_int_eq(table_send(&t, 1, "turn: 1\n", "help\nstatus\n", NOON, posts), ORDERS_TRIED);
    ck_assert_int_eq(table_send(&t, 1, "turn: 1\n", "exlpoer naer\n", NOON, posts), ORDERS_TRIED);
    ck_assert_int_eq(posts[POST_TRIED], 1);
    ck_assert_int_eq(t.game.seq, seq);
    ck_assert_int_eq(table_send(&t, 1, "turn: 1\n", "always explore near\n", NOON, posts), ORDERS_TAKEN);
    ck_assert(!t.game.seat[1].orders.in);
    ck_assert(json_is_true(json_object_get(t.facts[POST_RECEIPT], "still_open")));
    ck_assert_str_eq(t.game.seat[1].standing.p, "always explore near\n");
    ck_assert_int_eq(table_send(&t, 1, "turn: 1\nwait: yes\n", "bide\n", NOON, NULL), ORDERS_TAKEN);
    ck_assert_int_eq(table_send(&t, 1, "turn: 1\n", "cancel always\n", NOON, posts), ORDERS_TAKEN);
    ck_assert(json_is_false(json_object_get(t.facts[POST_RECEIPT], "still_open")));
    ck_assert_str_eq(t.game.seat[1].orders.text.p, "bide\n"); /* still in force */
    ck_assert(t.game.seat[1].orders.wait);
    ck_assert_uint_eq(t.game.seat[1].standing.len, 0);
    table_check_replay(&t);
}
END_TEST

static void cases(TCase *tc)
{
    tcase_add_checked_fixture(tc, open_table, close_table);
    tcase_add_test(tc, a_turn_is_played_when_all_are_in);
    tcase_add_test(tc, wait_keeps_the_turn_open_until_the_deadline);
    tcase_add_test(tc, missed_turns_are_counted_and_a_robot_helps_out);
    tcase_add_test(tc, the_third_missed_turn_is_the_robots);
    tcase_add_test(tc, always_orders_play_a_missed_turn);
    tcase_add_test(tc, auto_lets_the_robot_write);
    tcase_add_test(tc, replaced_by_the_later_or_the_higher);
    tcase_add_test(tc, wrong_turns_and_heads);
    tcase_add_test(tc, the_same_mail_is_known);
    tcase_add_test(tc, a_dry_run_stores_nothing);
    tcase_add_test(tc, resigning_hands_the_seat_to_a_robot);
    tcase_add_test(tc, a_lost_key_takes_seven_days);
    tcase_add_test(tc, unknown_keys_and_new_keys);
    tcase_add_test(tc, the_draws_can_be_checked);
    tcase_add_test(tc, the_end_opens_the_seals);
    tcase_add_test(tc, press_is_for_whom_it_is_meant);
    tcase_add_test(tc, a_message_alone_leaves_the_turn_open);
    tcase_add_test(tc, a_step_cut_short_is_finished);
    tcase_add_test(tc, the_end_cut_short_is_finished);
    tcase_add_test(tc, resigning_cut_short_is_finished);
    tcase_add_test(tc, several_turns_cut_short_are_finished);
    tcase_add_test(tc, a_deal_cut_short_is_finished);
    tcase_add_test(tc, resigning_after_a_deal_cut_short_is_finished);
    tcase_add_test(tc, deals_of_an_earlier_text_are_not_done_again);
    tcase_add_test(tc, questions_and_standing_orders_leave_the_turn_open);
    tcase_add_test(tc, several_turns_in_one_mail);
    tcase_add_test(tc, one_turn_a_mail_where_others_play);
    tcase_add_test(tc, time_never_runs_backwards_in_a_journal);
}
TEST_MAIN("play/step", cases)
