/* When a turn was closed, and on whose word: records that the league adds and signs by itself. */
#include "house/ruling.h"

#include "base/clock.h"
#include "base/encode.h"
#include "base/json.h"
#include "house/audited.h"
#include "house/compete.h"
#include "house/mailed.h"
#include "house/gives.h"
#include "game/turn.h"
#include "play/facts.h"

#define ANOTHER_MAIL "0000000000000000000000000000000000000000000000000000000000000000"

/* The journal, and records of the league's own making after it. */
struct forgery {
    struct str journal;
    int64_t seq, time;
    unsigned char head[HEAD_BYTES];
    int rollbacks;
    struct audit_result result; /* for a reader who does not play the rules */
};

static void forge(struct forgery *forgery)
{
    struct err err = ERR_INIT;
    memset(forgery, 0, sizeof *forgery);
    ck_ok(store_read(house.batch.store, "gc-1", STORE_BEGIN, &forgery->journal, &err), err);
    forgery->seq = game_now()->seq;
    forgery->time = game_now()->time;
    memcpy(forgery->head, game_now()->head, HEAD_BYTES);
}

/* One more record; takes ownership of `fields`. */
static void add(struct forgery *forgery, const char *type, json_t *fields)
{
    struct err err = ERR_INIT;
    struct record record;
    ck_assert_ptr_nonnull(fields);
    ck_ok(record_make(
              &forgery->journal,
              &(struct record_text){{"gc-1", ++forgery->seq, forgery->head}, type, forgery->time, fields},
              &record, &err),
          err);
    memcpy(forgery->head, record.head, HEAD_BYTES);
    record_release(&record);
}

static void add_word(struct forgery *forgery, const char *word)
{
    json_t *fields = json_pack("{s:s,s:s,s:s,s:i}", "do", word, "by", OPERATOR, "reason", "Because.", "turn",
                               game_now()->turn);
    if (strcmp(word, "resend") == 0)
        json_object_set_new(fields, "seat", json_integer(1));
    add(forgery, "moderate", fields);
}

static json_t *moment(int64_t time)
{
    char text[CLOCK_TEXT];
    clock_utc(text, time);
    return json_string(text);
}

/* Something that a rollback can undo. */
static void add_shift(struct forgery *forgery)
{
    const int64_t from = game_now()->clock.deadline;
    add(forgery, "note",
        json_pack("{s:s,s:i,s:s,s:i,s:o,s:o}", "kind", "shift", "turn", game_now()->turn, "why", "outage",
                  "seconds", 90000, "from", moment(from), "deadline", moment(from + DAY)));
}

/* The turn is closed as it is: seats without orders have missed it. */
static void add_close(struct forgery *forgery)
{
    json_t *fields = turn_close(game_now());
    json_t *missed = json_array();
    for (int seat = 1; seat <= game_now()->seats; seat++)
        if (game_missing(game_now()) & SEAT_BIT(seat))
            json_array_append_new(missed, json_integer(seat));
    json_object_set_new(fields, "turn", json_integer(game_now()->turn));
    json_object_set_new(fields, "missed", missed);
    json_object_set_new(fields, "rollbacks", json_integer(forgery->rollbacks));
    add(forgery, "close", fields);
}

/* The last record, and the place of its line; what it says besides what all records say. New reference. */
static json_t *last_members(const struct forgery *forgery, struct record *record, size_t *at)
{
    static const char *const own[] = {"game", "seq", "prev", "type", "time"};
    struct err err = ERR_INIT;
    struct slice all = slice_sub(slice_str(&forgery->journal), 0, forgery->journal.len - 1);
    *at = (size_t)((const char *)memrchr(all.p, '\n', all.len) - all.p) + 1;
    ck_ok(record_parse(slice_sub(slice_str(&forgery->journal), *at, forgery->journal.len), record, &err),
          err);
    json_t *fields = json_deep_copy(record->json);
    for (size_t i = 0; i < sizeof own / sizeof *own; i++)
        json_object_del(fields, own[i]);
    return fields;
}

/* The last record again, this many seconds later, with other members (ownership taken). */
static void forge_last(struct forgery *forgery, int64_t later, json_t *members)
{
    static const char *const gone[] = {"deadline", "waits"};
    struct record record;
    size_t at;
    forge(forgery);
    json_t *fields = last_members(forgery, &record, &at);
    json_object_update(fields, members);
    for (size_t i = 0; i < sizeof gone / sizeof *gone; i++)
        if (json_is_null(json_object_get(fields, gone[i])))
            json_object_del(fields, gone[i]);
    json_decref(members);
    str_cut(&forgery->journal, at);
    forgery->seq--;
    forgery->time += later;
    memcpy(forgery->head, record.prev, HEAD_BYTES);
    add(forgery, record.type, fields);
    record_release(&record);
}

/* The last record, and the same once more, but for other members (ownership taken). */
static void forge_again(struct forgery *forgery, json_t *members)
{
    struct record record;
    size_t at;
    forge(forgery);
    json_t *fields = last_members(forgery, &record, &at);
    json_object_update(fields, members);
    json_decref(members);
    (void)json_object_del(json_object_get(fields, "vouched"), "box"); /* it is that record's */
    add(forgery, record.type, fields);
    record_release(&record);
}

/* A turn that was opened by a record with these members, and closed that long after its deadline. */
static void forge_missed(struct forgery *forgery, json_t *members, int64_t behind)
{
    forge_last(forgery, 0, members);
    forgery->time = game_now()->clock.deadline + game_now()->clock.schedule.grace + behind;
    add_close(forgery);
}

static void run_audit(struct forgery *forgery, bool with_rules)
{
    struct err err = ERR_INIT;
    struct lines one;
    struct audit audit;
    lines_memory(&one, slice_str(&forgery->journal));
    audit_init(&audit, &one);
    audit.master = with_rules ? house.league.master : NULL;
    ck_ok(audit_run(&audit, &forgery->result, &err), err);
}

static void refuted(struct forgery *forgery, bool with_rules, const char *words)
{
    run_audit(forgery, with_rules);
    const struct audit_finding *first = &forgery->result.first;
    ck_assert_msg(forgery->result.verdict == AUDIT_REFUTED && first->seq == forgery->seq + (words ? 0 : 1) &&
                      strstr(first->text, words ? words : "\"turn\" must follow"),
                  "%s: not \"%s\" at record %lld, but record %lld: %s", with_rules ? "rules" : "public",
                  words ? words : "turn", (long long)forgery->seq, (long long)first->seq, first->text);
}

static void forgotten(struct forgery *forgery)
{
    str_release(&forgery->journal);
}

/* The last of the records is the one that is wrong, with and without the rules; words = NULL: it is good, and
 * what is wrong is that nothing comes after it. */
static void judge(struct forgery *forgery, const char *words)
{
    int64_t told[AUDIT_KINDS];
    refuted(forgery, true, words);
    memcpy(told, forgery->result.word, sizeof told);
    refuted(forgery, false, words);
    ck_assert_mem_eq(told, forgery->result.word, sizeof told); /* both count alike */
    forgotten(forgery);
}

START_TEST(nothing_is_played_while_the_game_stands_still)
{
    static const char *const words[] = {"hold", "pause"};
    struct forgery forgery;
    (void)new_game(2);
    for (size_t i = 0; i < 2; i++) {
        forge(&forgery);
        add_word(&forgery, words[i]);
        forgery.time = game_now()->clock.deadline + game_now()->clock.schedule.grace + HOUR;
        add_close(&forgery);
        judge(&forgery, i ? "the game is paused" : "it is held");
        /* nor after another word, which is unrelated */
        forge(&forgery);
        add_word(&forgery, words[i]);
        add_word(&forgery, "resend");
        forgery.time = game_now()->clock.deadline + game_now()->clock.schedule.grace + HOUR;
        add_close(&forgery);
        judge(&forgery, i ? "the game is paused" : "it is held");
    }
    forge(&forgery);
    add_word(&forgery, "hold");
    add_word(&forgery, "resume");
    forgery.time = game_now()->clock.deadline + game_now()->clock.schedule.grace + HOUR;
    add_close(&forgery);
    judge(&forgery, NULL);
}
END_TEST

/* Only the word "resolve", right before the close, makes a seat miss a turn before its time; and it is
 * reported as such. */
START_TEST(nobody_misses_a_turn_before_its_deadline)
{
    static const char *const words[] = {"resend", "resolve"};
    struct forgery forgery;
    (void)new_game(2);
    for (size_t i = 0; i < 2; i++) {
        forge(&forgery);
        add_word(&forgery, words[i]);
        add_close(&forgery);
        judge(&forgery, i ? NULL : "before its deadline while orders of");
        ck_assert_int_eq(forgery.result.word[AUDIT_MISSED], i ? 2 : 0);
    }
    forge(&forgery);
    add_word(&forgery, "resolve");
    add_word(&forgery, "resend");
    add_close(&forgery);
    judge(&forgery, "before its deadline while orders of");
    ck_assert_int_eq(forgery.result.word[AUDIT_INTERVENTION], 2);
}
END_TEST

static void ck_word(const struct forgery *forgery, enum audit_kind kind, int count)
{
    ck_assert_msg(forgery->result.word[kind] == count, "%s: %lld and not %d", audit_kind_name(kind),
                  (long long)forgery->result.word[kind], count);
}

static json_t *away(int64_t deadline, int64_t before)
{
    return json_pack("{s:o,s:[{s:i,s:s,s:s,s:s,s:o}]}", "deadline", moment(deadline), "away", "seat", 1,
                     "player", game_now()->seat[1].player, "from", "2026-11-20", "to", "2026-11-30", "before",
                     moment(before));
}

/* Turn 2 is open, by a `turn` that is the last record. */
static void turn_two(void)
{
    (void)new_game(2);
    house_clock(&house, house.now + HOUR);
    play();
    ck_assert_int_eq(game_now()->turn, 2);
}

START_TEST(a_vacation_brings_no_deadline_forward_and_is_counted)
{
    struct forgery forgery;
    turn_two();
    int64_t deadline = game_now()->clock.deadline, soon = game_now()->time + HOUR;
    forge_last(&forgery, 0, away(soon, deadline));
    judge(&forgery, "not later than without it");
    forge_last(&forgery, 0, away(soon, soon - HOUR / 2));
    judge(&forgery, "does not follow from the schedule");
    forge_missed(&forgery, away(deadline + 2 * HOUR, deadline), 2 * HOUR);
    judge(&forgery, NULL);
    ck_word(&forgery, AUDIT_DEADLINE, 1);
    ck_word(&forgery, AUDIT_MISSED, 0);
}
END_TEST

START_TEST(a_deadline_that_has_passed_is_none)
{
    struct forgery forgery;
    turn_two();
    int64_t now = game_now()->time;
    static const int64_t hours[] = {-1, -40};
    for (size_t i = 0; i < 2; i++) {
        forge_last(&forgery, 0, json_pack("{s:o}", "deadline", moment(now + hours[i] * HOUR)));
        judge(&forgery, "does not follow from the schedule");
    }
}
END_TEST

START_TEST(no_turn_keeps_the_deadline_of_the_one_before)
{
    struct forgery forgery;
    (void)new_game(2);
    int64_t old = game_now()->clock.deadline;
    house_clock(&house, house.now + HOUR);
    play();
    forge_last(&forgery, 0, json_pack("{s:o}", "deadline", moment(old)));
    judge(&forgery, "does not follow from the schedule");
}
END_TEST

static void add_rollback(struct forgery *forgery, int64_t record, int64_t deadline)
{
    unsigned char digest[32];
    char state[65];
    fields_digest(game_now()->ruleset->fields, game_now()->state, digest);
    hex_to(state, digest, sizeof digest);
    add(forgery, "moderate",
        json_pack("{s:s,s:s,s:s,s:i,s:i,s:I,s:s,s:o}", "do", "rollback", "by", OPERATOR, "reason", "Because.",
                  "turn", 2, "from", 2, "record", (json_int_t)record, "state", state, "deadline",
                  moment(deadline)));
    forgery->rollbacks++;
}

START_TEST(a_rollback_of_the_operator_s_is_counted)
{
    struct forgery forgery;
    turn_two();
    for (int honest = 0; honest < 2; honest++) {
        forge(&forgery);
        int64_t record = forgery.seq;
        int64_t deadline =
            honest ? schedule_next(&game_now()->clock.schedule, forgery.time) : forgery.time + 60;
        add_shift(&forgery);
        add_rollback(&forgery, record, deadline);
        forgery.time = deadline + game_now()->clock.schedule.grace;
        add_close(&forgery);
        judge(&forgery, NULL);
        ck_word(&forgery, AUDIT_INTERVENTION, 1);
        ck_word(&forgery, AUDIT_DEADLINE, honest ? 1 : 2); /* one is the shift's */
        ck_word(&forgery, AUDIT_MISSED, 2);
    }
    forge(&forgery);
    add_rollback(&forgery, forgery.seq, game_now()->clock.deadline);
    judge(&forgery, "");
}
END_TEST

/* Deadlines at hours follow from the first record, whatever zone data the reader has: an hour beside them is none. Which clock
 * the operator took for the zone is in the first line. */
START_TEST(hours_go_by_the_first_record)
{
    struct err err = ERR_INIT;
    struct forgery forgery;
    ck_ok(schedule_parse(slice_of("daily 20:00 Europe/Berlin"), "UTC", &clock_of, &err), err);
    (void)new_game(2);
    int64_t deadline = game_now()->clock.deadline;
    ck_assert_int_eq(deadline, HOUSE_NOON + 31 * HOUR);
    setenv("TZDIR", "tests/zones/nowhere", 1);
    forge_last(&forgery, 0, json_pack("{s:o}", "deadline", moment(deadline + HOUR)));
    judge(&forgery, "does not follow from the schedule");
    for (int with_rules = 0; with_rules < 2; with_rules++) {
        struct str said = STR_INIT;
        forge(&forgery);
        run_audit(&forgery, with_rules);
        ck_assert_int_ne(forgery.result.verdict, AUDIT_REFUTED);
        ck_word(&forgery, AUDIT_DEADLINE, 0);
        json_t *rests = audit_rests(&forgery.result, NULL);
        json_write(&said, rests);
        ck_assert_ptr_nonnull(strstr(said.p, "The clock in Europe/Berlin is taken as UTC+01:00, UTC+02:00"));
        json_decref(rests);
        str_release(&said);
        forgotten(&forgery);
    }
}
END_TEST

static void add_resume(struct forgery *forgery, int64_t deadline)
{
    json_t *fields = json_pack("{s:s,s:s,s:s,s:i}", "do", "resume", "by", OPERATOR, "reason", "Because.",
                               "turn", game_now()->turn);
    if (deadline)
        json_object_set_new(fields, "deadline", moment(deadline));
    add(forgery, "moderate", fields);
}

/* A pause over the deadline, one that ends before it, and a hold: without the time that they took, the misses
 * are the operator's word. */
START_TEST(a_pause_that_gives_no_time_back_is_counted)
{
    static const char *const words[] = {"pause", "pause", "hold"};
    struct forgery forgery;
    (void)new_game(2);
    for (size_t i = 0; i < 3; i++)
        for (int fair = 0; fair < 2; fair++) {
            forge(&forgery);
            add_word(&forgery, words[i]);
            int64_t deadline = game_now()->clock.deadline, began = forgery.time;
            forgery.time = deadline + (i == 1 ? -HOUR : HOUR);
            int64_t put_off = deadline + forgery.time - began;
            add_resume(&forgery, fair ? put_off : 0);
            forgery.time = put_off + game_now()->clock.schedule.grace;
            add_close(&forgery);
            judge(&forgery, NULL);
            ck_word(&forgery, AUDIT_INTERVENTION, 2);
            ck_word(&forgery, AUDIT_MISSED, fair ? 0 : 2);
        }
}
END_TEST

static void add_hold_until(struct forgery *forgery, int64_t until)
{
    json_t *missing = json_pack("[i,i]", 1, 2);
    add(forgery, "note",
        json_pack("{s:s,s:i,s:O,s:o,s:o}", "kind", "hold", "turn", 1, "missing", missing, "awaited", missing,
                  "until", moment(until)));
}

static void add_release(struct forgery *forgery)
{
    add(forgery, "note", json_pack("{s:s,s:i,s:b}", "kind", "hold", "turn", 1, "released", 1));
}

/* The valve holds the turn for a day, from when it was due. */
static int64_t add_hold(struct forgery *forgery)
{
    forgery->time = game_now()->clock.deadline + game_now()->clock.schedule.grace;
    add_hold_until(forgery, forgery->time + DAY);
    return forgery->time + DAY;
}

START_TEST(who_missed_a_turn_that_a_word_ended_is_counted)
{
    struct forgery forgery;
    (void)new_game(2);
    for (int valve = 0; valve < 2; valve++) {
        forge(&forgery);
        if (valve)
            (void)add_hold(&forgery);
        else
            add_word(&forgery, "hold");
        forgery.time = game_now()->clock.deadline + game_now()->clock.schedule.grace + HOUR;
        add_word(&forgery, "resolve");
        add_close(&forgery);
        judge(&forgery, NULL);
        ck_word(&forgery, AUDIT_MISSED, 2);
    }
}
END_TEST

START_TEST(the_valve_s_hold_that_ends_early_is_counted)
{
    struct forgery forgery;
    (void)new_game(2);
    for (int over = 0; over < 2; over++) {
        forge(&forgery);
        int64_t until = add_hold(&forgery);
        forgery.time = over ? until : until - 1;
        add_release(&forgery);
        add_close(&forgery);
        judge(&forgery, NULL);
        ck_word(&forgery, AUDIT_MISSED, over ? 0 : 2);
    }
}
END_TEST

START_TEST(a_hold_for_no_time_or_for_nobody_is_none)
{
    struct forgery forgery;
    (void)new_game(2);
    for (int hours = 0; hours < 2; hours++) {
        forge(&forgery);
        add_hold_until(&forgery, forgery.time - hours * HOUR);
        judge(&forgery, "held for no time");
    }
    forge(&forgery);
    add(&forgery, "note",
        json_pack("{s:s,s:i,s:[ii],s:[i]}", "kind", "hold", "turn", 1, "missing", 1, 2, "awaited", 1));
    judge(&forgery, "does not await");
}
END_TEST

/* A turn that the valve held is put off: to what has passed, by a minute, by two days. */
START_TEST(a_deadline_is_put_off_to_a_time_to_come)
{
    static const int64_t by[] = {-60, 60, 2 * DAY};
    struct forgery forgery;
    (void)new_game(2);
    for (size_t i = 0; i < 3; i++) {
        forge(&forgery);
        (void)add_hold(&forgery);
        forgery.time += HOUR;
        int64_t deadline = forgery.time + by[i];
        add(&forgery, "moderate",
            json_pack("{s:s,s:s,s:s,s:i,s:o}", "do", "extend", "by", OPERATOR, "reason", "Because.", "turn",
                      1, "deadline", moment(deadline)));
        if (i == 0) {
            judge(&forgery, "a time that has passed");
            continue;
        }
        forgery.time = deadline + game_now()->clock.schedule.grace;
        add_close(&forgery);
        judge(&forgery, NULL);
        ck_word(&forgery, AUDIT_MISSED, i == 1 ? 2 : 0);
    }
}
END_TEST

/* Anna and bob have ordered; the turn is closed that long after it was opened. */
static void close_after(struct forgery *forgery, int64_t seconds)
{
    forge(forgery);
    forgery->time = game_now()->opened.at + seconds;
    add_close(forgery);
}

START_TEST(no_turn_is_shorter_than_the_shortest)
{
    struct forgery forgery;
    clock_of.minimum = DAY;
    (void)new_game(2);
    house.now += HOUR;
    orders("anna", "bide\n");
    orders("bob", "bide\n");
    ck_assert_int_eq(game_now()->turn, 1);
    close_after(&forgery, DAY - 1);
    judge(&forgery, "shorter than the shortest");
    close_after(&forgery, DAY);
    judge(&forgery, NULL);
    close_after(&forgery, HOUR); /* also where time stands still */
    judge(&forgery, "shorter than the shortest");
    forge(&forgery);
    forgery.time += 1;
    add_word(&forgery, "resolve");
    add_close(&forgery);
    judge(&forgery, NULL);
}
END_TEST

START_TEST(a_game_that_waits_for_its_deadline_is_not_closed_before)
{
    struct forgery forgery;
    clock_of.early = false;
    (void)new_game(2);
    orders("anna", "bide\n");
    orders("bob", "bide\n");
    close_after(&forgery, HOUR);
    judge(&forgery, "which this game always waits for");
}
END_TEST

START_TEST(orders_that_wait_keep_their_turn_open)
{
    struct forgery forgery;
    house.typo_wait = true;
    (void)new_game(2);
    house.now += HOUR;
    orders("anna", "conqer N1\nbide\n");
    house.now += HOUR;
    orders("bob", "bide\n");
    close_after(&forgery, 2 * HOUR + 1);
    judge(&forgery, "wait for better ones");
    close_after(&forgery, 3 * DAY);
    judge(&forgery, NULL);
    forge(&forgery);
    add_word(&forgery, "resolve");
    add_close(&forgery);
    judge(&forgery, NULL);
}
END_TEST

/* Who does not read the texts knows only how long the turn was open. */
START_TEST(for_a_day_where_there_is_no_deadline)
{
    struct forgery forgery;
    house.typo_wait = true;
    clock_of.length = 0;
    (void)new_game(2);
    house.now += HOUR;
    orders("anna", "conqer N1\nbide\n");
    orders("bob", "bide\n");
    close_after(&forgery, DAY - 1);
    judge(&forgery, "wait for better ones");
    close_after(&forgery, DAY + HOUR - 1);
    refuted(&forgery, true, "wait for better ones");
    refuted(&forgery, false, NULL);
    forgotten(&forgery);
    close_after(&forgery, DAY + HOUR);
    judge(&forgery, NULL);
}
END_TEST

/* ---- questions ---- */

static struct domain domain;

/* Xia plays without a key, and has ordered. */
static void xia_plays(int64_t length)
{
    static const char *const names[] = {"xia", "bob"};
    domain_open(&domain, 1);
    house_mailer(&house, "xia");
    house.by_mail = true;
    clock_of.length = length;
    house_game(&house, "gc-1", "galaxy-command", 0, 2, names);
    house_empty_spool(&house);
    house.now += HOUR;
    ck_assert_int_eq(house_orders_by_mail(&house, &domain, "gc-1", 1, 1, "bide\n"), ORDERS_TAKEN);
}

static void xia_is_asked(void)
{
    ck_assert(house_question(&house, &domain, "gc-1", 1));
}

START_TEST(an_open_question_keeps_its_turn_open)
{
    struct forgery forgery;
    xia_plays(3 * DAY);
    xia_is_asked();
    orders("bob", "bide\n");
    ck_assert_int_eq(game_now()->turn, 1);
    close_after(&forgery, 3 * DAY - 1);
    judge(&forgery, "a question to that player is open");
    close_after(&forgery, 3 * DAY);
    judge(&forgery, NULL);
    forge(&forgery);
    add_word(&forgery, "resolve");
    add_close(&forgery);
    judge(&forgery, NULL);
    domain_close(&domain);
}
END_TEST

START_TEST(or_for_a_day)
{
    struct forgery forgery;
    xia_plays(0);
    house.now += HOUR;
    xia_is_asked();
    orders("bob", "bide\n");
    close_after(&forgery, DAY - 1);
    judge(&forgery, "a question to that player is open");
    close_after(&forgery, DAY + 2 * HOUR - 1);
    refuted(&forgery, true, "a question to that player is open");
    refuted(&forgery, false, NULL);
    forgotten(&forgery);
    close_after(&forgery, DAY + 2 * HOUR);
    judge(&forgery, NULL);
    domain_close(&domain);
}
END_TEST

/* The last record is a question; with these members it is none. */
static void is_no_question(json_t *members, const char *words)
{
    struct forgery forgery;
    forge_last(&forgery, 0, members);
    refuted(&forgery, true, words);
    refuted(&forgery, false, words);
    forgotten(&forgery);
}

START_TEST(questions_that_cannot_be)
{
    unsigned char mail[32];
    xia_plays(3 * DAY);
    xia_is_asked();
    memset(mail, house.mails, sizeof mail);
    is_no_question(json_pack("{s:i}", "seat", 2), "for a player who has a key");
    is_no_question(json_pack("{s:i}", "turn", 2), "not about the open turn");
    is_no_question(json_pack("{s:s}", "mail", "none"), "mail");
    is_no_question(json_pack("{s:{}}", "vouched"), "vouched");
    struct forgery forgery;
    forge_again(&forgery, json_pack("{s:s}", "mail", ANOTHER_MAIL));
    refuted(&forgery, true, "has one open already");
    refuted(&forgery, false, "open already");
    forgotten(&forgery);
    ck_assert_int_eq(house_orders_by_mail(&house, &domain, "gc-1", 1, 2, "bide\n"), ORDERS_TAKEN);
    xia_is_asked();
    is_no_question(json_pack("{s:o}", "mail", json_hex(mail, 32)),
                   "the same mail has opened a question before");
    domain_close(&domain);
}
END_TEST

START_TEST(second_thoughts_keep_a_turn_open)
{
    struct forgery forgery;
    house.second_thoughts = HOUR;
    (void)new_game(2);
    orders("anna", "bide\n");
    house.now += HOUR;
    orders("bob", "explore near or bide\n");
    house.now += HOUR / 2;
    orders("bob", "bide\n"); /* counts from the first */
    ck_assert_int_eq(game_now()->turn, 1);
    close_after(&forgery, 2 * HOUR - 1);
    refuted(&forgery, true, "second thoughts");
    refuted(&forgery, false, NULL);
    forgotten(&forgery);
    close_after(&forgery, 2 * HOUR);
    judge(&forgery, NULL);
}
END_TEST

START_TEST(what_was_not_understood_must_wait)
{
    struct forgery forgery;
    house.typo_wait = true;
    (void)new_game(2);
    orders("anna", "conqer N1\nbide\n");
    forge_last(&forgery, 0, json_pack("{s:n}", "waits"));
    refuted(&forgery, true, "a line was not understood");
    forgotten(&forgery);
    orders("anna", "say bob hello\n");
    forge_last(&forgery, 0, json_pack("{s:b}", "waits", 1));
    refuted(&forgery, true, "that may not");
    forgotten(&forgery);
    (void)house_signed(
        &house, "anna", "anna",
        "#turnpost orders\ngame: gc-1\nturn: 1\nseq: 900\nfinal: yes\nconqer N1\nbide\n#end\n");
    forge_last(&forgery, 0, json_pack("{s:b}", "waits", 1));
    refuted(&forgery, true, "that may not");
    forgotten(&forgery);
}
END_TEST

START_TEST(nobody_waits_where_nobody_may)
{
    struct forgery forgery;
    (void)new_game(2);
    orders("anna", "conqer N1\nbide\n");
    forge_last(&forgery, 0, json_pack("{s:b}", "waits", 1));
    refuted(&forgery, true, "that may not");
    refuted(&forgery, false, "that may not");
    forgotten(&forgery);
    orders("bob", "bide\n");
    forge_last(&forgery, 0, json_pack("{s:b}", "waits", 1));
    refuted(&forgery, true, "wait");
    refuted(&forgery, false, "that may not");
    forgotten(&forgery);
}
END_TEST

START_TEST(an_act_whose_signature_is_sealed_is_counted)
{
    static const char hex[] = "5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a";
    struct forgery forgery;
    (void)new_game(2);
    forge(&forgery);
    add(&forgery, "moderate",
        json_pack("{s:s,s:s,s:s,s:i,s:i,s:s,s:s,s:s,s:s}", "do", "orders", "by", "nobody", "reason",
                  "Because.", "turn", 1, "seat", 1, "seal", hex, "box", "AAAA", "mail", hex, "text", hex));
    run_audit(&forgery, false);
    ck_assert_int_eq(forgery.result.verdict, AUDIT_PARTLY);
    ck_word(&forgery, AUDIT_ACT, 1);
    forgotten(&forgery);
}
END_TEST

/* The turn is closed with these orders of seat 1, and nobody else's, after the deadline. */
static void close_with(struct forgery *forgery, int turn, const unsigned char seal[SEAL_BYTES])
{
    char deal[2 * GAME_DEAL + 1], hex[2 * SEAL_BYTES + 1];
    hex_to(hex, seal, SEAL_BYTES);
    hex_to(deal, game_now()->draws.deal, GAME_DEAL);
    forgery->time = game_now()->clock.deadline + game_now()->clock.schedule.grace;
    add(forgery, "close",
        json_pack("{s:i,s:[s,s],s:[i],s:[],s:s,s:i}", "turn", turn, "seals", hex, "", "missed", 2, "set",
                  "deal", deal, "rollbacks", forgery->rollbacks));
    refuted(forgery, true, "");
    refuted(forgery, false, "no orders of that seat have which may count");
    forgotten(forgery);
}

/* Orders of the turn that a rollback took back, and the same again. */
START_TEST(orders_that_were_taken_back_do_not_count)
{
    struct forgery forgery;
    unsigned char seal[SEAL_BYTES];
    char hex[2 * SEAL_BYTES + 1];
    turn_two();
    int64_t opened = game_now()->seq;
    int64_t deadline = game_now()->clock.deadline;
    house.now += 60;
    orders("anna", "bide\n");
    house_rules(&house, "gc-1", "do: resend bob\n" WHY);
    memcpy(seal, game_now()->seat[1].orders.seal, SEAL_BYTES);
    hex_to(hex, seal, SEAL_BYTES);
    forge(&forgery);
    add_rollback(&forgery, opened, deadline);
    close_with(&forgery, 2, seal);
    forge(&forgery);
    add_rollback(&forgery, opened, deadline);
    add(&forgery, "orders",
        json_pack("{s:i,s:i,s:s,s:s,s:s}", "turn", 2, "seat", 1, "mail", hex, "seal", hex, "box", "AAAA"));
    refuted(&forgery, false, "the same text was accepted before");
    forgotten(&forgery);
}
END_TEST

START_TEST(what_all_may_see_of_a_void_game_and_of_an_outage)
{
    struct forgery forgery;
    (void)new_game(2);
    forge(&forgery);
    add(&forgery, "moderate",
        json_pack("{s:s,s:s,s:s,s:i}", "do", "void", "by", OPERATOR, "reason", "", "turn", 1));
    judge(&forgery, "why");
    forge(&forgery);
    add_word(&forgery, "void");
    add(&forgery, "end", json_pack("{s:i,s:s,s:[]}", "turns", 0, "reason", "points", "scores"));
    judge(&forgery, "did not end like that");
    forge(&forgery);
    add(&forgery, "note",
        json_pack("{s:s,s:i,s:s,s:o,s:o,s:i}", "kind", "shift", "turn", 1, "why", "outage", "from",
                  moment(game_now()->clock.deadline), "deadline", moment(game_now()->clock.deadline + HOUR),
                  "seconds", -1));
    judge(&forgery, "an outage that cannot have been so long");
}
END_TEST

START_TEST(names_are_names_and_keys_are_players)
{
    struct forgery forgery;
    (void)new_game(2);
    forge(&forgery);
    add(&forgery, "moderate",
        json_pack("{s:s,s:s,s:s,s:i}", "do", "pause", "by", "mo\033[2Jna", "reason", "Because.", "turn", 1));
    judge(&forgery, "\"by\" is no name");
    rule("mona", "do: replace bob by robot\n" WHY);
    forge(&forgery);
    add(&forgery, "key", json_pack("{s:i,s:[]}", "seat", 2, "keys"));
    judge(&forgery, "no player has that seat");
}
END_TEST

/* The live journal, with and without the rules: this many misses rest on the operator's word. */
static void ck_misses_live(int count)
{
    struct forgery live;
    forge(&live);
    for (int with_rules = 1; with_rules >= 0; with_rules--) {
        run_audit(&live, with_rules);
        ck_assert_msg(live.result.verdict != AUDIT_REFUTED, "%s", live.result.first.text);
        ck_word(&live, AUDIT_MISSED, count);
    }
    forgotten(&live);
}

/* The operator opens the turn again; its deadline stays when it is interrupted, and so does the doubt. */
START_TEST(a_kept_deadline_rests_on_what_it_rested_on)
{
    house_game(&house, "gc-1", "galactic-supremacy", 0, 2, players);
    house_rules(&house, "gc-1", "do: resend anna\n" WHY);
    house.now += HOUR;
    house_rules(&house, "gc-1", "do: rollback turn 1\n" WHY);
    int64_t deadline = game_now()->clock.deadline;
    house.now += HOUR;
    int awaited = game_missing(game_now()) & SEAT_BIT(1) ? 1 : 2;
    char name[PLAYER_NAME];
    memcpy(name, game_now()->seat[awaited].player, sizeof name);
    orders(name, "pause\n");
    ck_assert_int_eq(game_now()->turn, 2);
    ck_assert_int_eq(game_now()->clock.deadline, deadline);
    house.now = deadline + game_now()->clock.schedule.grace + 1;
    house_clock(&house, house.now);
    ck_assert_int_eq(game_now()->turn, 3);
    ck_misses_live(1);
}
END_TEST

/* A text of that player's gives them a seat. */
static void add_seat(struct forgery *forgery, const char *why, const char *player)
{
    struct str text = STR_INIT;
    bool back = strcmp(why, "back") == 0;
    str_addf(&text, "#turnpost %s\ngame: gc-1\nturn: 1\n%s#end\n", back ? "back" : "take",
             back ? "" : "seat: 2\n");
    json_t *fields = house_evidence(&house, player, text.p);
    json_object_update_new(fields, json_pack("{s:i,s:s,s:s}", "seat", 2, "player", player, "why", why));
    add(forgery, "seat", fields);
    str_release(&text);
}

/* Nobody stands in without an offer, or takes a seat back that was another's; all may see that. */
START_TEST(seats_are_taken_by_those_whom_they_are_offered_to)
{
    struct forgery forgery;
    (void)new_game(2);
    forge(&forgery);
    add_seat(&forgery, "standby", "dora");
    judge(&forgery, "");
    forge(&forgery);
    add_seat(&forgery, "back", "dora");
    judge(&forgery, "the seat was not theirs");
    forge(&forgery);
    add_seat(&forgery, "back", "anna");
    judge(&forgery, "they have a seat");
    forge(&forgery);
    add(&forgery, "note", json_pack("{s:s,s:i,s:i}", "kind", "offer", "turn", 1, "seat", 2));
    judge(&forgery, "nobody has an offer");
}
END_TEST

START_TEST(orders_of_another_player_or_turn_do_not_count)
{
    struct forgery forgery;
    unsigned char seal[SEAL_BYTES];
    (void)new_game(2);
    orders("anna", "bide\n");
    memcpy(seal, game_now()->seat[1].orders.seal, SEAL_BYTES);
    forge(&forgery);
    add(&forgery, "moderate",
        json_pack("{s:s,s:s,s:s,s:i,s:i,s:s}", "do", "replace", "by", OPERATOR, "reason", "Because.", "turn",
                  1, "seat", 1, "robot", "anna"));
    close_with(&forgery, 1, seal);
    orders("bob", "bide\n");
    ck_assert_int_eq(game_now()->turn, 2);
    forge(&forgery);
    int64_t opened = forgery.seq;
    add_word(&forgery, "resend");
    add_rollback(&forgery, opened, game_now()->clock.deadline);
    close_with(&forgery, 2, seal);
}
END_TEST

/* Of a player who had the seat then and has it now, they do. */
START_TEST(orders_count_again_that_a_rollback_goes_back_to)
{
    struct str back = STR_INIT;
    (void)new_game(2);
    orders("anna", "bide\n");
    str_addf(&back, "do: rollback %lld\n" WHY, (long long)game_now()->seq);
    house_gives(&house, "gc-1", "anna", "dora");
    house_gives(&house, "gc-1", "dora", "anna");
    ck_assert(!game_now()->seat[1].orders.in);
    house_rules(&house, "gc-1", back.p);
    ck_assert(game_now()->seat[1].orders.in);
    orders("bob", "bide\n");
    ck_assert_int_eq(game_now()->turn, 2);
    str_release(&back);
}
END_TEST

static void add_ruling(struct forgery *forgery, int64_t appeal, int about, int64_t named)
{
    struct str text = STR_INIT;
    str_addf(&text, "#turnpost ruling\ngame: gc-1\nappeal: %lld\n#end\n", (long long)named);
    json_t *fields = house_evidence(&house, "mona", text.p);
    json_object_update_new(fields, json_pack("{s:s,s:i,s:i,s:I}", "kind", "ruling", "turn", 1, "about", about,
                                             "appeal", (json_int_t)appeal));
    add(forgery, "note", fields);
    str_release(&text);
}

START_TEST(a_ruling_is_on_the_appeal_that_it_names)
{
    struct forgery forgery;
    (void)new_game(2);
    (void)house_signed(&house, "anna", "anna", "#turnpost appeal\ngame: gc-1\nturn: 0\nOdd.\n#end\n");
    int64_t appeal = game_now()->seq;
    forge(&forgery);
    add_ruling(&forgery, appeal, 0, appeal - 1);
    judge(&forgery, "rules on another appeal");
    forge(&forgery);
    add_ruling(&forgery, 1, 0, 1);
    judge(&forgery, "no appeal about that turn");
    forge(&forgery);
    add_ruling(&forgery, appeal, 1, appeal);
    judge(&forgery, "no appeal about that turn");
    forge(&forgery); /* that it is good shows in what is wrong after it */
    add_ruling(&forgery, appeal, 0, appeal);
    add_word(&forgery, "resume");
    judge(&forgery, "");
}
END_TEST

START_TEST(a_robot_has_no_vote)
{
    struct forgery forgery;
    (void)new_game(2);
    house_rules(&house, "gc-1", "do: replace bob by robot\n" WHY);
    forge(&forgery);
    json_t *fields = house_evidence(&house, "bob", "#turnpost extend\ngame: gc-1\nturn: 1\nhours: 1\n#end\n");
    json_object_update_new(
        fields, json_pack("{s:s,s:i,s:i,s:i}", "kind", "vote", "turn", 1, "seat", 2, "seconds", 3600));
    add(&forgery, "note", fields);
    judge(&forgery, "vote is possible");
}
END_TEST

/* Where the schedule gives one, only the last turn opens none with a deadline. */
START_TEST(a_turn_without_a_deadline_is_the_last)
{
    struct forgery forgery;
    turn_two();
    forge_last(&forgery, 0, json_pack("{s:n}", "deadline")); /* left out */
    refuted(&forgery, true, "has no deadline");
    add_word(&forgery, "resend");
    refuted(&forgery, false, "must be \"end\"");
    forgotten(&forgery);
}
END_TEST

/* ---- a round that ends ---- */

/* Turns take two days, and the round ends in one. */
static int64_t new_cut_game(void)
{
    static const char *const two[] = {"anna", "bob"};
    const struct game_place place = {
        .name = "cup", .round = 1, .table = 1, .attempt = 1, .until = house.now + DAY_SECONDS};
    const struct new_game how = {.id = "gc-1",
                                 .ruleset = ruleset_newest("galaxy-command"),
                                 .seats = 2,
                                 .turn_length = 2 * DAY_SECONDS,
                                 .place = &place};
    house_game_of(&house, how, two);
    ck_assert_int_eq(game_now()->clock.deadline, place.until);
    return place.until;
}

static void add_end(struct forgery *forgery, int64_t time, const char *reason)
{
    json_t *scores = facts_scores(game_now(), 0);
    forgery->time = time;
    add(forgery, "end", json_pack("{s:i,s:s,s:o}", "turns", 0, "reason", reason, "scores", scores));
}

/* No deadline lies after it, nobody misses a turn by it, and the game does not end so before. */
START_TEST(a_game_of_a_round_ends_with_it)
{
    struct forgery forgery;
    int64_t until = new_cut_game();
    forge_last(&forgery, 0, json_pack("{s:o}", "deadline", moment(until + HOUR)));
    judge(&forgery, "deadline");
    forge(&forgery);
    forgery.time = until + HOUR;
    add_close(&forgery);
    judge(&forgery, "its round was over");
    forge(&forgery);
    add_end(&forgery, until - 1, GAME_ROUND_OVER);
    judge(&forgery, "the game is not over");
    forge(&forgery);
    add_end(&forgery, until, "years_over");
    judge(&forgery, "the game is not over");
    forge(&forgery);
    json_t *scores = facts_scores(game_now(), 0);
    json_object_set_new(json_array_get(scores, 1), "place", json_integer(3));
    forgery.time = until;
    add(&forgery, "end", json_pack("{s:i,s:s,s:o}", "turns", 0, "reason", GAME_ROUND_OVER, "scores", scores));
    refuted(&forgery, false, "places that cannot be");
    forgotten(&forgery);
    forge(&forgery);
    add(&forgery, "moderate",
        json_pack("{s:s,s:s,s:s,s:i,s:o}", "do", "extend", "by", OPERATOR, "reason", "Because.", "turn", 1,
                  "deadline", moment(until + HOUR)));
    judge(&forgery, "after the end of its round");
}
END_TEST

/* A clock that was ahead has dated a record after the end of the round, and is put back: no turn is played until the round is really
 * over, as none may follow it but the end. */
START_TEST(a_journal_that_is_ahead_of_its_round_waits_for_it)
{
    struct err err = ERR_INIT;
    int64_t until = new_cut_game();
    house.now = until + HOUR;
    orders("anna", "bide\n");
    house.now = until - 2 * HOUR;
    orders("bob", "bide\n");
    ck_assert(game_now()->time == until + HOUR && game_now()->turn == 1 && !game_missing(game_now()));
    house_clock(&house, until - HOUR);
    ck_assert(game_now()->turn == 1 && !game_now()->over);
    ck_ok(batch_round(&house.batch, until, &err), err);
    house_clock(&house, until);
    ck_assert(game_now()->turn == 2 && game_now()->over);
    (void)audited(house.batch.store, "gc-1", true);
}
END_TEST

/* Nor does a game go on that begins so, with the join that it waited for: it ends with its deal. */
START_TEST(a_game_that_begins_after_the_end_of_its_round_ends_with_its_deal)
{
    struct game_place place = {
        .name = "cup", .round = 1, .table = 1, .attempt = 1, .until = house.now + DAY_SECONDS};
    struct new_game how = {.id = "gc-1",
                           .ruleset = ruleset_newest("galaxy-command"),
                           .seats = 2,
                           .turn_length = 2 * DAY_SECONDS,
                           .answer_by = house.now + 10 * DAY_SECONDS,
                           .place = &place};
    how.seat[1].kept = how.seat[2].kept = true;
    house_game_of(&house, how, (const char *const[]){"anna", "bob"});
    house.now = place.until + HOUR;
    house_signed(&house, "anna", "anna", "#turnpost join\ngame: gc-1\n#end\n");
    house.now = place.until - 2 * HOUR;
    house_signed(&house, "bob", "bob", "#turnpost join\ngame: gc-1\n#end\n");
    ck_assert(game_now()->time == place.until + HOUR && game_now()->turn == 1 && game_now()->over);
    (void)audited(house.batch.store, "gc-1", true);
}
END_TEST

static void cases(TCase *tc)
{
    tcase_add_checked_fixture(tc, begin, end);
    tcase_add_test(tc, nothing_is_played_while_the_game_stands_still);
    tcase_add_test(tc, nobody_misses_a_turn_before_its_deadline);
    tcase_add_test(tc, a_vacation_brings_no_deadline_forward_and_is_counted);
    tcase_add_test(tc, a_deadline_that_has_passed_is_none);
    tcase_add_test(tc, no_turn_keeps_the_deadline_of_the_one_before);
    tcase_add_test(tc, hours_go_by_the_first_record);
    tcase_add_test(tc, a_rollback_of_the_operator_s_is_counted);
    tcase_add_test(tc, a_pause_that_gives_no_time_back_is_counted);
    tcase_add_test(tc, who_missed_a_turn_that_a_word_ended_is_counted);
    tcase_add_test(tc, the_valve_s_hold_that_ends_early_is_counted);
    tcase_add_test(tc, a_hold_for_no_time_or_for_nobody_is_none);
    tcase_add_test(tc, a_deadline_is_put_off_to_a_time_to_come);
    tcase_add_test(tc, no_turn_is_shorter_than_the_shortest);
    tcase_add_test(tc, a_game_that_waits_for_its_deadline_is_not_closed_before);
    tcase_add_test(tc, orders_that_wait_keep_their_turn_open);
    tcase_add_test(tc, for_a_day_where_there_is_no_deadline);
    tcase_add_test(tc, an_open_question_keeps_its_turn_open);
    tcase_add_test(tc, or_for_a_day);
    tcase_add_test(tc, questions_that_cannot_be);
    tcase_add_test(tc, second_thoughts_keep_a_turn_open);
    tcase_add_test(tc, what_was_not_understood_must_wait);
    tcase_add_test(tc, nobody_waits_where_nobody_may);
    tcase_add_test(tc, an_act_whose_signature_is_sealed_is_counted);
    tcase_add_test(tc, orders_that_were_taken_back_do_not_count);
    tcase_add_test(tc, what_all_may_see_of_a_void_game_and_of_an_outage);
    tcase_add_test(tc, names_are_names_and_keys_are_players);
    tcase_add_test(tc, seats_are_taken_by_those_whom_they_are_offered_to);
    tcase_add_test(tc, orders_of_another_player_or_turn_do_not_count);
    tcase_add_test(tc, orders_count_again_that_a_rollback_goes_back_to);
    tcase_add_test(tc, a_ruling_is_on_the_appeal_that_it_names);
    tcase_add_test(tc, a_robot_has_no_vote);
    tcase_add_test(tc, a_turn_without_a_deadline_is_the_last);
    tcase_add_test(tc, a_kept_deadline_rests_on_what_it_rested_on);
    tcase_add_test(tc, a_game_of_a_round_ends_with_it);
    tcase_add_test(tc, a_journal_that_is_ahead_of_its_round_waits_for_it);
    tcase_add_test(tc, a_game_that_begins_after_the_end_of_its_round_ends_with_its_deal);
}
TEST_MAIN("audit/audit_time", cases)
