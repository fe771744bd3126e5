/* What the operator types in a player's name: the same petitions, marked as what they are. */
#include "intake/dictated.h"

#include "house/clock.h"
#include "house/film.h"

static void start(void)
{
    begin();
    (void)new_game(3);
}

static const unsigned char request[32] = {0xab, 0xcd};

/* Types it; the answer's text, or the refusal. The caller frees. */
static char *type_as(const char *player, const char *text, int code)
{
    struct err err = ERR_INIT;
    struct str answer = STR_INIT;
    house.batch.now = house.now;
    house.batch.cause.request = request;
    int rc = dictated_hear(&house.batch, player, slice_of(text), &answer, &err);
    house.batch.cause.request = NULL;
    ck_assert_msg(code ? rc != 0 && (int)err.code == code : rc == 0, "%s%s", err.text, answer.p);
    struct err why = ERR_INIT;
    ck_ok(batch_commit(&house.batch, &why), why);
    batch_reset(&house.batch, true);
    if (rc)
        str_adds(&answer, err.text);
    return str_detach(&answer);
}

#define typed(player, text, code, words)                                            \
    do {                                                                            \
        char *said_ = type_as(player, text, code);                                  \
        if (!house_says(said_, words))                                              \
            ck_abort_msg("said not \"%s\" but:\n%s", (const char *)(words), said_); \
        free(said_);                                                                \
    } while (0)

/* The last line of a journal. */
static void last_record(const char *path, struct str *line)
{
    struct err err = ERR_INIT;
    struct str all = STR_INIT;
    struct slice rest, one;
    char *full = path_join(house.dir, path);
    ck_ok(file_read(full, 1 << 24, &all, &err), err);
    rest = slice_str(&all);
    str_clear(line);
    while (slice_line(&rest, &one)) {
        str_clear(line);
        str_addslice(line, one);
    }
    str_release(&all);
    free(full);
}

static void check_record(const char *path, const char *player, const char *verb)
{
    struct str line = STR_INIT, want = STR_INIT;
    last_record(path, &line);
    str_addf(&want, "\"for\":\"%s\"", player);
    ck_assert_msg(strstr(line.p, "\"by\":\"operator\"") && strstr(line.p, want.p) &&
                      !strstr(line.p, "\"signed\""),
                  "%s", line.p);
    str_clear(&want);
    str_addf(&want, "\"typed\":\"#turnpost %s", verb); /* the registry's holds it sealed */
    ck_assert_msg(strstr(line.p, strstr(path, "registry") ? "\"sealed\":\"" : want.p) != NULL, "%s", line.p);
    ck_assert_msg(strstr(line.p, "\"request\":\"abcd0000") != NULL, "%s", line.p);
    str_release(&line);
    str_release(&want);
}

START_TEST(a_player_s_own_matters)
{
    start();
    typed("anna", "#turnpost vacation\nfrom: 2026-12-20\nto: 2026-12-24\n#end\n", 0,
          "Your time off is noted");
    check_record("registry/journal.jsonl", "anna", "vacation");
    told_all("anna", 1, "The operator of the league has typed this in your name");
    ck_assert_int_eq(registry_find(&house.batch.registry, "anna")->vacation_count, 1);
    typed("anna", "#turnpost vacation\nfrom: 2026-12-22\nto: 2026-12-26\n#end\n", ERR_INPUT,
          "on some of these days");
    told_all("anna", 0, NULL);
    typed("bob", "  > #turnpost prefs\n  > digest: 18:00\n  > #end\n", 0, "18:00");
    house_restart(&house);
    ck_assert(registry_find(&house.batch.registry, "bob")->digest);
}
END_TEST

START_TEST(in_a_game)
{
    start();
    typed("anna", "#turnpost extend\ngame: gc-1\nturn: 1\nhours: 12\n#end\n", 0, "Your vote");
    check_record("games/gc-1/journal.jsonl", "anna", "extend");
    told("bob", 1, "anna asks to extend the deadline");
    told_all("anna", 1, "has typed this in your name");
    typed("bob", "#turnpost extend\ngame: gc-1\nturn: 1\nhours: 12\n#end\n", 0, "");
    ck_assert_int_eq(game_now()->clock.deadline, HOUSE_NOON + 3 * DAY + 12 * HOUR);
    typed("carol", "#turnpost resign\ngame: gc-1\n#end\n", 0, "You have resigned");
    ck_assert(game_now()->seat[3].robot);
    typed("carol", "#turnpost observe\ngame: gc-1\n#end\n", 0, "From now on");
    typed("carol", "#turnpost unobserve\ngame: gc-1\n#end\n", 0, "no more reports");
    typed("carol", "#turnpost observe\ngame: gc-1\n#end\n", 0, "From now on"); /* the same words again */
    house_same(&house, "gc-1");
}
END_TEST

START_TEST(resending)
{
    start();
    typed("anna", "#turnpost resend\ngame: gc-1\n#end\n", 0, "HOW THIS GAME IS WON");
    told_all("anna", 1, "[gc-1] Again: The game has begun");
    typed("anna", "#turnpost resend\n#end\n", 0, "has typed this in your name");
    told_all("anna", 1, "again");
    typed("mona", "#turnpost resend\ngame: gc-1\n#end\n", ERR_INPUT, "You have no seat in game gc-1");
}
END_TEST

START_TEST(what_nobody_types_for_another)
{
    start();
    struct str before = STR_INIT, after = STR_INIT;
    last_record("games/gc-1/journal.jsonl", &before);
    static const char *const signed_only[] = {
        "#turnpost press\ngame: gc-1\nturn: 1\nto: bob\nHello.\n#end\n",
        "#turnpost join\ngame: gc-1\nnonce: x\n#end\n",
        "#turnpost key\nkey: ssh-ed25519 AAAA\n#end\n",
        "#turnpost register\nname: dora\n#end\n",
        "#turnpost orders\ngame: gc-1\nturn: 1\nbide\n#end\n",
    };
    for (size_t i = 0; i < sizeof signed_only / sizeof *signed_only; i++)
        typed("anna", signed_only[i], ERR_INPUT, "signature");
    typed("mona", "#turnpost rekey\nplayer: anna\nwhy: x\n#end\n", ERR_INPUT, "signature");
    typed("anna", "#turnpost vacaton\n#end\n", ERR_INPUT, "Did you mean \"#turnpost vacation\"?");
    typed("anna", "vacation please\n", ERR_INPUT, "#turnpost");
    typed("nobody", "#turnpost resend\n#end\n", ERR_MISSING, "no player \"nobody\"");
    told_all(NULL, 0, NULL);
    last_record("games/gc-1/journal.jsonl", &after);
    ck_assert_str_eq(before.p, after.p);
    str_release(&before);
    str_release(&after);
}
END_TEST

/* The audit: it rests on the operator's word, and nothing about it can be changed unseen. */
static void take_film(struct film *film)
{
    struct err err = ERR_INIT;
    struct str journal = STR_INIT, sealed = STR_INIT;
    ck_ok(store_read(house.batch.store, "gc-1", STORE_BEGIN, &journal, &err), err);
    ck_ok(store_read_sealed(house.batch.store, "gc-1", &sealed, &err), err);
    film_of(film, slice_str(&journal), slice_str(&sealed));
    film->key = house.league.key;
    str_release(&journal);
    str_release(&sealed);
}

START_TEST(on_whose_word_it_rests)
{
    static const struct {
        const char *record, *member, *value; /* value NULL: removed */
        enum audit_kind kind;
    } rows[] = {
        {"\"kind\":\"vote\"", "for", "bob", AUDIT_SIGNATURE},
        {"\"kind\":\"vote\"", "by", "anna", AUDIT_SIGNATURE},
        {"\"kind\":\"vote\"", "by", NULL, AUDIT_FORM},
        {"\"kind\":\"vote\"", "for", NULL, AUDIT_SIGNATURE},
        {"\"kind\":\"vote\"", "typed", NULL, AUDIT_FORM},
        {"\"kind\":\"vote\"", "mail", "00", AUDIT_FORM},
        {"\"kind\":\"vote\"", "typed", "#turnpost extend\ngame: gc-1\nturn: 1\nhours: 24\n#end\n",
         AUDIT_TEXT},
        {"\"kind\":\"vote\"", "typed", "#turnpost extend\ngame: gc-2\nturn: 1\nhours: 12\n#end\n",
         AUDIT_TEXT},
        {"\"kind\":\"vote\"", "typed", "#turnpost leave\ngame: gc-1\n#end\n", AUDIT_TEXT},
        {"\"kind\":\"vote\"", "typed", "hello\n", AUDIT_TEXT},
        {"\"why\":\"resigned\"", "for", "anna", AUDIT_SIGNATURE},
        {"\"kind\":\"observe\"", "typed", "#turnpost unobserve\ngame: gc-1\n#end\n", AUDIT_TEXT},
    };
    struct film whole;
    struct audit_result result;
    start();
    typed("anna", "#turnpost extend\ngame: gc-1\nturn: 1\nhours: 12\n#end\n", 0, "Your vote");
    typed("carol", "#turnpost resign\ngame: gc-1\n#end\n", 0, "You have resigned");
    typed("carol", "#turnpost observe\ngame: gc-1\n#end\n", 0, "From now on");
    take_film(&whole);
    json_t *told = json_array();
    film_audit(&whole, AUDIT_MODERATOR, 0, true, &result, told);
    ck_assert_msg(result.verdict != AUDIT_REFUTED, "%s", result.first.text);
    char *all = json_dumps(told, 0);
    ck_assert_msg(strstr(all, "that carol asked for it rests on the operator's word") != NULL, "%s", all);
    free(all);
    json_decref(told);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct film film;
        size_t at = 0;
        film_copy(&film, &whole);
        while (!strstr(film.line[at], rows[i].record))
            at++;
        json_t *record = film_json(film.line[at]);
        if (rows[i].value)
            json_object_set_new(record, rows[i].member, json_string(rows[i].value));
        else
            json_object_del(record, rows[i].member);
        film_sign(&film, at, record);
        film_audit(&film, AUDIT_MODERATOR, 0, true, &result, NULL);
        ck_assert_msg(result.verdict == AUDIT_REFUTED && result.first.seq == (int64_t)at + 1 &&
                          result.first.kind == rows[i].kind,
                      "row %zu: record %lld, %s: %s", i, (long long)result.first.seq,
                      audit_kind_name(result.first.kind), result.first.text);
        film_drop(&film);
    }
    film_drop(&whole);
}
END_TEST

static void cases(TCase *tc)
{
    tcase_add_checked_fixture(tc, NULL, end);
    tcase_add_test(tc, a_player_s_own_matters);
    tcase_add_test(tc, in_a_game);
    tcase_add_test(tc, resending);
    tcase_add_test(tc, on_whose_word_it_rests);
    tcase_add_test(tc, what_nobody_types_for_another);
}

TEST_MAIN("intake/dictated", cases)
