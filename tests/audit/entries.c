/* The gate before the commit, of competitions: entries that our own audit would refuse (audit/gate.h). */
#include "house/compete.h"

static struct house house;

static struct competition *guild(void)
{
    house.batch.now = house.now;
    return house_competition(&house, "guild");
}

/* Nothing has changed, and the fault is ours. Takes ownership of `evidence`. */
static void shut(const char *verb, const char *name, json_t *evidence, const char *words)
{
    struct err err = ERR_INIT;
    struct compete_step step;
    struct competition *c = guild();
    const int64_t seq = c->seq;
    competing_step(&house.batch, &step);
    ck_assert_int_eq(compete_entry(&step, c, verb, name, evidence, &err), -1);
    ck_assert_msg(err.code == ERR_UNSOUND && strstr(err.text, words), "%s: not \"%s\", but %s", verb, words,
                  err.text);
    ck_assert_int_eq(c->seq, seq);
    compete_step_release(&step);
    json_decref(evidence);
}

/* No record of an entry is made that the audit would refuse: another text, another's, one of long ago, or of nobody. */
START_TEST(no_entry_is_recorded_that_would_be_refused)
{
    house_open(&house);
    house_player(&house, "anna");
    house_player(&house, "bob");
    house_compete(&house, "guild", "galaxy-command", 1,
                  (struct new_competition){.kind = COMPETE_TABLES, .seats = 2});
    shut("enter", "anna", house_entry_text(&house, "anna", "withdraw", "guild"),
         "the signed text is \"#turnpost withdraw\"");
    shut("enter", "anna", house_entry_text(&house, "anna", "enter", "spring"), "about another competition");
    shut("enter", "anna", house_entry_text(&house, "bob", "enter", "guild"), "signed by somebody else");
    shut("enter", "anna", json_pack("{s:s}", "by", "operator"), "its \"mail\" is missing");
    shut("enter", "anna", json_pack("{s:s,s:s}", "by", "operator", "mail", "0000"), "do not go together");
    house.now -= 100 * DAY_SECONDS;
    json_t *old = house_entry_text(&house, "anna", "enter", "guild");
    house.now += 100 * DAY_SECONDS;
    shut("enter", "anna", old, "of another time");
    house_entry(&house, "guild", "enter", "anna");
    ck_assert_uint_eq(guild()->entrant_count, 1);
    house_close(&house);
}
END_TEST

/* What `by` would have sent, had they signed these words by the key of `signer`. New reference. */
static json_t *words_by(const char *by, const char *signer, struct slice words)
{
    json_t *signature = sits_signature(house_key(&house, signer), words);
    json_t *evidence = sits_evidence(by, words, signature);
    json_decref(signature);
    return evidence;
}

/* A text is its player's alone, and of the whole competition: no seat of a game could have one that names another game. */
START_TEST(no_text_is_for_two_players_or_for_one_game)
{
    struct str words = STR_INIT, game = STR_INIT;
    house_open(&house);
    house_player(&house, "anna");
    house_player(&house, "bob");
    house_compete(&house, "guild", "galaxy-command", 1,
                  (struct new_competition){.kind = COMPETE_TABLES, .seats = 2});
    house_entry_words(&house, &words, "enter", "guild");
    str_addf(&game, "#turnpost enter\ngame: guild.1.1%s", strchr(words.p, '\n'));
    shut("enter", "anna", words_by("anna", "anna", slice_str(&game)), "for game \"guild.1.1\"");
    struct err err = ERR_INIT;
    struct compete_step step;
    json_t *own = words_by("anna", "anna", slice_str(&words));
    struct competition *c = guild();
    competing_step(&house.batch, &step);
    ck_ok(compete_entry(&step, c, "enter", "anna", own, &err), err);
    compete_step_release(&step);
    json_decref(own);
    shut("enter", "bob", words_by("bob", "anna", slice_str(&words)), "the same text was accepted before");
    ck_assert_uint_eq(guild()->entrant_count, 1);
    str_release(&words);
    str_release(&game);
    house_close(&house);
}
END_TEST

static void cases(TCase *tc)
{
    tcase_add_test(tc, no_entry_is_recorded_that_would_be_refused);
    tcase_add_test(tc, no_text_is_for_two_players_or_for_one_game);
}
TEST_MAIN("audit/entries", cases)
