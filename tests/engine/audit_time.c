/* When a turn was closed, and on whose word: records that the league adds and signs by itself. */
#include "engine/ruling.h"

#include "base/clock.h"
#include "engine/audited.h"
#include "engine/turn.h"

#define HOUR ((int64_t)3600)

/* The journal, and records of the league's own making behind it. */
struct forgery {
    struct str journal, sealed;
    int64_t seq, time;
    unsigned char head[HEAD_BYTES];
    struct audit_result result;
};

static void forge(struct forgery *forgery)
{
    struct err err = ERR_INIT;
    memset(forgery, 0, sizeof *forgery);
    ck_ok(store_read(house.batch.store, "gc-1", 0, false, &forgery->journal, &err), err);
    ck_ok(store_read_sealed(house.batch.store, "gc-1", &forgery->sealed, &err), err);
    forgery->seq = game_now()->seq;
    forgery->time = game_now()->time;
    memcpy(forgery->head, game_now()->head, HEAD_BYTES);
}

/* One more record; `fields` is taken over. */
static void add(struct forgery *forgery, const char *type, json_t *fields)
{
    struct err err = ERR_INIT;
    struct record record;
    ck_assert_ptr_nonnull(fields);
    ck_ok(record_make(&forgery->journal, "gc-1", ++forgery->seq, forgery->head, type, forgery->time, fields,
                      house.league.key.key, &record, &err),
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

static void add_shift(struct forgery *forgery)
{
    char from[CLOCK_TEXT], to[CLOCK_TEXT];
    clock_utc(from, game_now()->deadline);
    clock_utc(to, forgery->time);
    add(forgery, "note",
        json_pack("{s:s,s:i,s:s,s:s,s:s}", "kind", "shift", "turn", game_now()->turn, "why", "clock", "from",
                  from, "deadline", to));
}

/* The turn is closed as it stands: whose orders are not there has missed it. */
static void add_close(struct forgery *forgery)
{
    json_t *fields = turn_close(game_now());
    json_t *missed = json_array();
    for (int seat = 1; seat <= game_now()->seats; seat++)
        if (game_missing(game_now()) & SEAT_BIT(seat))
            json_array_append_new(missed, json_integer(seat));
    json_object_set_new(fields, "turn", json_integer(game_now()->turn));
    json_object_set_new(fields, "missed", missed);
    add(forgery, "close", fields);
}

/* The last of the records is the one that is wrong, with and without the rules; words = NULL: it is good, and
 * what is wrong is that nothing comes after it. */
static void judge(struct forgery *forgery, const char *words)
{
    for (int with_rules = 1; with_rules >= 0; with_rules--) {
        struct err err = ERR_INIT;
        struct lines one, two;
        struct audit audit;
        lines_memory(&one, slice_str(&forgery->journal));
        lines_memory(&two, slice_str(&forgery->sealed));
        audit_init(&audit, &one, with_rules ? &two : NULL);
        ck_ok(audit_run(&audit, &forgery->result, &err), err);
        const struct audit_finding *first = &forgery->result.first;
        ck_assert_msg(forgery->result.verdict == AUDIT_REFUTED &&
                          first->seq == forgery->seq + (words ? 0 : 1) &&
                          strstr(first->text, words ? words : "\"turn\" must follow"),
                      "%s: not \"%s\" at record %lld, but record %lld: %s", with_rules ? "rules" : "public",
                      words ? words : "turn", (long long)forgery->seq, (long long)first->seq, first->text);
    }
    str_release(&forgery->journal);
    str_release(&forgery->sealed);
}

START_TEST(nothing_is_played_while_the_game_stands_still)
{
    static const char *const words[] = {"hold", "pause"};
    struct forgery forgery;
    (void)new_game(2);
    for (size_t i = 0; i < 2; i++) {
        forge(&forgery);
        add_word(&forgery, words[i]);
        forgery.time = game_now()->deadline + game_now()->clock.grace + HOUR;
        add_close(&forgery);
        judge(&forgery, i ? "the game is paused" : "it is held");
        /* nor after another word that has nothing to do with it */
        forge(&forgery);
        add_word(&forgery, words[i]);
        add_word(&forgery, "resend");
        forgery.time = game_now()->deadline + game_now()->clock.grace + HOUR;
        add_close(&forgery);
        judge(&forgery, i ? "the game is paused" : "it is held");
    }
    forge(&forgery);
    add_word(&forgery, "hold");
    add_word(&forgery, "resume");
    forgery.time = game_now()->deadline + game_now()->clock.grace + HOUR;
    add_close(&forgery);
    judge(&forgery, NULL);
}
END_TEST

/* Only the word "resolve", right before the close, makes a seat miss a turn before its time; and it is told
 * as what it is. */
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

/* Where a wrong clock had set the deadline, the journal is ahead of the clock, so its time stands still. */
START_TEST(a_deadline_is_brought_forward_only_while_time_stands_still)
{
    struct forgery forgery;
    (void)new_game(2);
    forge(&forgery);
    forgery.time += HOUR;
    add_shift(&forgery);
    judge(&forgery, "time goes on in the journal");
    forge(&forgery);
    add_shift(&forgery);
    forgery.time += HOUR + game_now()->clock.grace;
    add_close(&forgery);
    judge(&forgery, NULL);
    ck_assert_int_eq(forgery.result.word[AUDIT_MISSED], 2);
    ck_assert_int_eq(forgery.result.word[AUDIT_DEADLINE], 1);
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

static void cases(TCase *tc)
{
    tcase_add_checked_fixture(tc, begin, end);
    tcase_add_test(tc, nothing_is_played_while_the_game_stands_still);
    tcase_add_test(tc, nobody_misses_a_turn_before_its_deadline);
    tcase_add_test(tc, a_deadline_is_brought_forward_only_while_time_stands_still);
    tcase_add_test(tc, names_are_names_and_keys_are_players);
}
TEST_MAIN("engine/audit_time", cases)
