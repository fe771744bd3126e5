/* The audit of moderators' records: what they did is recorded as they signed it, and a league that writes
 * anything else into its journal is found out. (That the records of all other suites are proved is tested
 * there.) */
#include "house/ruling.h"

#include "base/json.h"
#include "house/audited.h"

static json_t *last_record(void)
{
    struct err err = ERR_INIT;
    struct str lines = STR_INIT;
    struct slice rest, line, last = {"", 0};
    ck_ok(store_line_before(house.batch.store, "gc-1", game_end(game_now()), &lines, &err), err);
    rest = slice_str(&lines);
    while (slice_line(&rest, &line))
        last = line;
    json_t *json = json_read(last, "record", &err);
    ck_assert_msg(json != NULL, "%s", err.text);
    str_release(&lines);
    return json;
}

/* A record of the league's own making after the journal; what the audit says. Takes ownership of `fields`. */
static void forged(json_t *fields, const char *words)
{
    struct err err = ERR_INIT;
    struct str journal = STR_INIT;
    struct audit_result result;
    struct record record;
    ck_ok(store_read(house.batch.store, "gc-1", STORE_BEGIN, &journal, &err), err);
    ck_ok(record_make(
              &journal,
              &(struct record_text){
                  {"gc-1", game_now()->seq + 1, game_now()->head}, "moderate", game_now()->time, fields},
              &record, &err),
          err);
    record_release(&record);
    audited_bytes(slice_str(&journal), house.league.master, &result);
    if (!words)
        ck_assert_msg(result.verdict == AUDIT_PROVED, "%s", result.first.text);
    else if (result.verdict < AUDIT_REFUTED || !strstr(result.first.text, words))
        ck_abort_msg("not \"%s\" but verdict %d: %s", words, result.verdict, result.first.text);
    if (words)
        ck_assert_int_eq(result.first.seq, game_now()->seq + 1);
    str_release(&journal);
}

/* Members of the last record, which mona signed, with one of them changed. */
static json_t *like_last(const char *key, json_t *value)
{
    static const char *const own[] = {"game", "seq", "prev", "type", "time"};
    json_t *fields = last_record();
    for (size_t i = 0; i < sizeof own / sizeof *own; i++)
        json_object_del(fields, own[i]);
    /* a text counts once, and this is not to be found out by that */
    json_object_set_new(fields, "text",
                        json_string("00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff"));
    json_object_set_new(fields, "mail",
                        json_string("ffeeddccbbaa99887766554433221100ffeeddccbbaa99887766554433221100"));
    if (value)
        json_object_set_new(fields, key, value);
    else
        json_object_del(fields, key);
    return fields;
}

START_TEST(what_she_signed_and_nothing_else)
{
    (void)new_game(3);
    rule("mona", "do: extend 24h\n" WHY);
    forged(like_last("do", json_string("pause")), "has a member \"deadline\"");
    forged(like_last("reason", json_string("Another one.")), "signed another reason");
    forged(like_last("deadline", json_string("2026-12-24T12:00:00Z")), "signed another time");
    forged(like_last("signed", NULL), "nobody has signed what it does");
    forged(like_last("mail", NULL), "nobody has signed what it does");
    forged(like_last("by", NULL), "its member \"by\" is missing");
    forged(like_last("by", json_string("anna")), "was not the player's then");
    forged(like_last("by", json_string("operator")), "do not go together");
    forged(like_last("turn", json_integer(2)), "it is not about the open turn");
    forged(like_last("fate", json_string("x")), "has a member \"fate\"");
    rule("mona", "do: replace bob by dora\n" WHY);
    forged(like_last("seat", json_integer(3)), "signed another seat");
    forged(like_last("seat", json_integer(7)), "no such seat");
    play();
    rule("mona", "do: rollback turn 1\n" WHY);
    json_t *fields = like_last("record", json_integer(2));
    json_object_set_new(fields, "from", json_integer(1));
    forged(fields, "signed text is for turn 2"); /* it was for turn 2 then */
}
END_TEST

START_TEST(orders_and_corrections_as_they_were_signed)
{
    (void)new_game(2);
    rule("mona", "do: correct player[1].metal = 2\n" WHY);
    json_t *fields = like_last(
        "changes", json_pack("[{s:s,s:i,s:i}]", "path", "player[0].metal", "before", 0, "after", 2));
    forged(fields, "signed another correction");
    fields = like_last("changes",
                       json_pack("[{s:s,s:i,s:i}]", "path", "player[1].metal", "before", 0, "after", 3));
    forged(fields, "corrected twice, or is not what it was taken for");
    fields = like_last("changes",
                       json_pack("[{s:s,s:i,s:i}]", "path", "player[1].metal", "before", 2, "after", 3));
    forged(fields, "the state that it names is another one");
    rule("mona", "do: orders bob\n" WHY "bide\n");
    forged(like_last("seat", json_integer(1)), "does not hold what its seal says");
    forged(like_last("seal", json_string("00")), "not of the right kind");
}
END_TEST

START_TEST(the_operator_s_word_is_told_as_such)
{
    (void)new_game(2);
    forged(json_pack("{s:s,s:s,s:s,s:i}", "do", "pause", "by", "operator", "reason", "Holidays.", "turn", 1),
           NULL);
    forged(json_pack("{s:s,s:s,s:s,s:i}", "do", "dance", "by", "operator", "reason", "Holidays.", "turn", 1),
           "its \"do\": \"dance\" is not known");
    forged(json_pack("{s:s,s:s,s:s,s:i}", "do", "resume", "by", "operator", "reason", "Holidays.", "turn", 1),
           "neither paused nor held");
    forged(json_pack("{s:s,s:s,s:s,s:i}", "do", "pause", "by", "operator", "reason", "", "turn", 1),
           "who did it, or why");
}
END_TEST

/* A reader who sees only part of the game cannot know that a rollback left the turn held, and that "extend"
 * did not end it. (house_close audits from every view.) */
START_TEST(a_hold_after_a_rollback_outlives_more_time)
{
    (void)new_game(3);
    play();
    char back[64];
    (void)snprintf(back, sizeof back, "do: rollback %lld\n" WHY, (long long)game_now()->seq - 2);
    rule("mona", back);
    ck_assert(game_now()->clock.held);
    rule("mona", "do: extend 24h\n" WHY);
    if (_i == 1)
        rule("mona", "do: pause\n" WHY);
    ck_assert(game_now()->clock.held);
    rule("mona", "do: resume\n" WHY);
    ck_assert(!game_now()->clock.held && !game_now()->clock.paused);
}
END_TEST

/* A text of carol's by another key than the one with which she sat down. */
static void by_new_key(const char *about, const char *fields)
{
    struct str text = STR_INIT;
    str_addf(&text, "#turnpost moderate\n%s%s#end\n", about, fields);
    (void)house_signed(&house, "carol", "later", text.p);
    str_release(&text);
}

/* Her key is another one since, and her game does not know it: it is refused with words, and nothing is done, elsewhere neither. */
START_TEST(a_moderator_who_plays_has_another_key)
{
    static const char *const acts[][2] = {{"game: gc-1\nturn: 1\n", "do: pause\n" WHY},
                                          {"game: gc-1\nturn: 1\n", "do: correct player[1].metal = 2\n" WHY},
                                          {"", "do: ban bob\n" WHY}}; /* which names no game */
    (void)new_game(3);
    house_rekeys(&house, "carol", "later");
    house_empty_spool(&house);
    const int64_t seq = game_now()->seq;
    by_new_key(acts[_i][0], acts[_i][1]);
    told(NULL, 1, NULL);
    told_all("carol", 1, "Game gc-1 does not know this key of yours");
    ck_assert_int_eq(game_now()->seq, seq);
    ck_assert(!registry_find(&house.batch.registry, "bob")->banned);
}
END_TEST

START_TEST(of_a_game_that_is_over)
{
    struct str text = STR_INIT;
    (void)new_game(3);
    play();
    (void)house_signed(&house, "anna", "anna",
                       "#turnpost appeal\ngame: gc-1\nturn: 1\nI was robbed.\n#end\n");
    str_addf(&text, "#turnpost ruling\ngame: gc-1\nappeal: %lld\nIt stands.\n#end\n",
             (long long)game_now()->seq);
    rule("mona", "do: void\n" WHY);
    house_rekeys(&house, "carol", "later");
    house_empty_spool(&house);
    const int64_t seq = game_now()->seq;
    by_new_key("game: gc-1\nturn: 2\n", "do: resend bob\n" WHY);
    told(NULL, 1, NULL);
    told_all("carol", 1, "its journal knows only the keys that you had when it ended");
    (void)house_signed(&house, "carol", "later", text.p);
    told(NULL, 1, NULL);
    told_all("carol", 1, "its journal knows only the keys that you had when it ended");
    ck_assert_int_eq(game_now()->seq, seq);
    str_release(&text);
}
END_TEST

static void cases(TCase *tc)
{
    tcase_add_loop_test(tc, a_hold_after_a_rollback_outlives_more_time, 0, 2);
    tcase_add_checked_fixture(tc, begin, end);
    tcase_add_test(tc, what_she_signed_and_nothing_else);
    tcase_add_test(tc, orders_and_corrections_as_they_were_signed);
    tcase_add_loop_test(tc, a_moderator_who_plays_has_another_key, 0, 3);
    tcase_add_test(tc, of_a_game_that_is_over);
    tcase_add_test(tc, the_operator_s_word_is_told_as_such);
}
TEST_MAIN("petitions/moderate_audit", cases)
