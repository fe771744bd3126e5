/* The log of a running game, for reading: every record has its words, messages are read by those they are
 * for, orders by whose they are; and where what a seat played came from when it was not a mail of this turn.
 */
#include "history/chronicle.h"

#include "base/embed.h"
#include "game/record_kinds.h"
#include "history/explain.h"
#include "house/house.h"
#include "report/render.h"

static struct house house;
static struct templates *templates;
static const char *const table[] = {"anna", "bob", "robot-1"};
static const struct reader everybody = {READER_PUBLIC, 0};
static const struct reader moderator = {READER_MODERATOR, 0};
static const struct reader anna = {READER_SEAT, 1};
static const struct reader bob = {READER_SEAT, 2};

static void begin(void)
{
    templates_open(NULL, &templates);
    house_open(&house);
    for (int i = 0; i < 2; i++)
        house_player(&house, table[i]);
    house_player(&house, "carol");
    house_player(&house, "mod");
    house_option(&house, "[league]", "moderators = mod");
    house_option(&house, "[clock]", "valve = 100\nreminder = 0");
    house_restart(&house);
    house_game_of(&house,
                  (struct new_game){.id = "gc-1",
                                    .ruleset = ruleset_newest("galaxy-command"),
                                    .seats = 3,
                                    .turn_length = 86400,
                                    .missed_robot = 2,
                                    .missed_standby = 1,
                                    .press = PRESS_GREY},
                  table);
}

static void end(void)
{
    templates_close(templates);
    house_close(&house);
}

static int turn(void)
{
    return house_find(&house, "gc-1")->turn;
}

/* A signed text of NAME: "#turnpost VERB", game and turn, its own lines. */
static void mail(const char *name, const char *verb, const char *lines)
{
    struct str text = STR_INIT;
    str_addf(&text, "#turnpost %s\ngame: gc-1\nturn: %d\n%s#end\n", verb, turn(), lines);
    ck_assert_int_eq(house_signed(&house, name, name, text.p), INTAKE_PROCESSED);
    str_release(&text);
    house_empty_spool(&house);
}

static void open_as(const struct reader *reader, bool told, struct casefile *file)
{
    struct err err = ERR_INIT;
    ck_ok(casefile_open_game(house.batch.store, "gc-1", file, &err), err);
    ck_ok(casefile_choose(file, reader, told, &err), err);
}

/* The whole log in words. The caller releases. */
static void log_as(const struct reader *reader, struct str *out)
{
    struct err err = ERR_INIT;
    struct casefile file;
    struct chronicle chronicle;
    struct record record;
    int got;
    str_init(out);
    open_as(reader, false, &file);
    chronicle_init(&chronicle, &file, reader);
    while ((got = casefile_next(&file, &record, NULL, &err)) > 0) {
        json_t *facts = chronicle_take(&chronicle, &record);
        size_t before = out->len;
        ck_ok(templates_render(templates, &(struct template_name){"", "log_record.txt"}, facts, out, &err),
              err);
        /* Number and time, and what was done in words of its own. */
        const char *words = strstr(out->p + before, "UTC\n");
        ck_assert_msg(words && words[4] && words[5], "record %lld has no words: %s", (long long)record.seq,
                      out->p + before);
        ck_assert_msg(!strstr(out->p + before, "no words"), "%s", out->p + before);
        json_decref(facts);
        record_release(&record);
    }
    ck_assert_msg(got == 0, "%s", err.text);
    casefile_close(&file);
}

/* The words are in the log of those readers: "pmab" = public, moderator, anna, bob; and in no other. */
static void read_by(const char *words, const char *readers)
{
    static const char letters[] = "pmab";
    const struct reader *const all[] = {&everybody, &moderator, &anna, &bob};
    for (int i = 0; i < 4; i++) {
        struct str log;
        bool may = strchr(readers, letters[i]) != NULL;
        log_as(all[i], &log);
        ck_assert_msg((strstr(log.p, words) != NULL) == may, "\"%s\" and reader %c: %.3000s", words,
                      letters[i], log.p);
        str_release(&log);
    }
}

START_TEST(orders_are_read_by_whose_they_are)
{
    mail("anna", "orders", "conquer best or bide\n");
    read_by("conquer best or bide", "ma");
    read_by("anna (seat 1) sends orders for turn 1; they are sealed.", "pb");
    read_by("robot-1, a robot, gets seat 3.", "pmab");
}
END_TEST

START_TEST(messages_are_read_by_those_they_are_for)
{
    mail("anna", "press", "to: bob\nFor your eyes\n");
    mail("bob", "press", "to: all\nFor everybody at the table\n");
    mail("anna", "press", "to: moderators\nI have a complaint\n");
    mail("bob", "press", "to: anna\nfrom: nobody\nBeware\n");
    read_by("For your eyes", "mab");
    read_by("For everybody at the table", "mab");
    read_by("I have a complaint", "ma");
    read_by("Beware", "ma"); /* the log does not even tell its sender that he was it */
    read_by("anna (seat 1) writes to bob", "pmab");
    read_by("A message without its sender's name to anna", "pmab");
}
END_TEST

START_TEST(what_people_sign_is_told)
{
    mail("carol", "observe", "");
    mail("carol", "standby", "");
    mail("bob", "extend", "hours: 12\n");
    mail("anna", "orders", "bide\n");
    house_tick(&house, "gc-1", house.now + 86400); /* bob misses; carol is asked */
    house_tick(&house, "gc-1", house.now + 60);
    read_by("carol observes", "pmab");
    read_by("carol would stand in", "pmab");
    read_by("bob (seat 2) votes for 12 hours more", "pmab");
    read_by("no orders came from bob", "pmab");
    read_by("Seat 2 (bob) is offered to carol", "pmab");
    mail("anna", "resign", "");
    read_by("anna resigns; a robot plays seat 1 from now on.", "pmab");
}
END_TEST

/* A record that the league signs, after those in `lines`. */
static void add_record(struct str *lines, struct casefile *file, const char *type, json_t *fields)
{
    unsigned char head[HEAD_BYTES];
    record_write(lines, &(struct record_text){{"gc-1", ++file->seq, file->head}, type, house.now, fields},
                 head);
    memcpy(file->head, head, HEAD_BYTES);
    json_decref(fields);
}

/* Only the words: whether such records may be there is not for the log to judge. */
START_TEST(what_moderators_do_is_told)
{
    static const char *const words[] = {
        "mod, a moderator, moves the deadline. The deadline is Sun 22 Nov",
        "   Reason: bob's mail is down",
        "The operator offers seat 2, bob's, to carol until",
        "mod, a moderator, corrects the state, also where it is sealed.",
        "     player[0].metal: 3 -> 5",
        "record 5. Turn\n   1 is open again.",
        "does what this program has no words for: dance.",
        "A record of the type moderate",
    };
    struct err err = ERR_INIT;
    struct casefile file;
    struct record record;
    struct chronicle chronicle;
    struct str lines = STR_INIT, path = STR_INIT, log = STR_INIT;
    open_as(&everybody, false, &file);
    while (casefile_next(&file, &record, NULL, &err) > 0)
        record_release(&record);
    str_addslice(&lines, slice_str(&file.lines));
    add_record(&lines, &file, "moderate",
               json_pack("{s:s,s:s,s:s,s:s}", "do", "extend", "by", "mod", "reason", "bob's mail is down",
                         "deadline", "2026-11-22T12:00:00Z"));
    add_record(&lines, &file, "moderate",
               json_pack("{s:s,s:s,s:s,s:i,s:s,s:s,s:s}", "do", "replace", "by", "operator", "reason", "gone",
                         "seat", 2, "robot", "bob", "to", "carol", "until", "2026-11-23T12:00:00Z"));
    add_record(&lines, &file, "moderate",
               json_pack("{s:s,s:s,s:s,s:s,s:[{s:s,s:i,s:i}]}", "do", "correct", "by", "mod", "reason",
                         "slip", "seal", "00", "changes", "path", "player[0].metal", "before", 3, "after",
                         5));
    add_record(&lines, &file, "moderate",
               json_pack("{s:s,s:s,s:s,s:i,s:i}", "do", "rollback", "by", "mod", "reason", "slip", "record",
                         5, "turn", 1));
    add_record(&lines, &file, "moderate",
               json_pack("{s:s,s:s,s:s}", "do", "dance", "by", "mod", "reason", "joy"));
    casefile_close(&file);
    str_addf(&path, "%s/moderated.journal.jsonl", house.dir);
    ck_ok(file_write_soft(path.p, slice_str(&lines), 0600, &err), err);
    ck_ok(casefile_open(path.p, NULL, &file, &err), err);
    chronicle_init(&chronicle, &file, &everybody);
    while (casefile_next(&file, &record, NULL, &err) > 0) {
        json_t *facts = chronicle_take(&chronicle, &record);
        ck_ok(templates_render(templates, &(struct template_name){"", "log_record.txt"}, facts, &log, &err),
              err);
        json_decref(facts);
        record_release(&record);
    }
    ck_assert_msg(!err.code, "%s", err.text);
    for (size_t i = 0; i + 1 < sizeof words / sizeof *words; i++)
        ck_assert_msg(strstr(log.p, words[i]) != NULL, "%s is not in %.3000s", words[i], log.p);
    ck_assert_ptr_null(strstr(log.p, words[sizeof words / sizeof *words - 1]));
    ck_assert_str_eq(chronicle.name[2], "bob");
    casefile_close(&file);
    str_release(&lines);
    str_release(&path);
    str_release(&log);
}
END_TEST

/* ---- where orders came from ---- */

static json_t *explain(const struct reader *reader, int of)
{
    struct err err = ERR_INIT;
    struct casefile file;
    open_as(reader, reader->kind != READER_MODERATOR, &file);
    const struct explain_point at = {false, of};
    json_t *facts =
        explain_turn(&file, &(struct explain_for){reader, reader->kind != READER_MODERATOR}, &at, 0, &err);
    ck_assert_msg(facts != NULL, "%s", err.text);
    casefile_close(&file);
    return facts;
}

static void check_words(const struct reader *reader, int of, const char *words, bool there)
{
    struct err err = ERR_INIT;
    struct str text = STR_INIT;
    json_t *facts = explain(reader, of);
    ck_ok(explain_words(facts, templates, "galaxy_command", false, &err), err);
    ck_ok(templates_render(templates, &(struct template_name){"galaxy_command", "explain.txt"}, facts, &text,
                           &err),
          err);
    ck_assert_msg((strstr(text.p, words) != NULL) == there, "\"%s\": %.1500s", words, text.p);
    json_decref(facts);
    str_release(&text);
}

START_TEST(the_source_of_orders_is_told)
{
    mail("anna", "orders", "always explore near\nbide\n");
    mail("anna", "orders", "explore near\n");
    house_tick(&house, "gc-1", house.now + 86400);
    check_words(&moderator, 1, "bob (seat 2): no orders came; the cautious default turn is played", true);
    check_words(&moderator, 1, "robot-1 (seat 3): a robot", true);
    check_words(&moderator, 1, "also sent in this turn, and replaced: record ", true);
    check_words(&moderator, 1, "* always explore near (record ", true);
    check_words(&bob, 1, "always explore near", false);
    check_words(&bob, 1, "The orders are sealed.", true);
    check_words(&bob, 1, "bob (seat 2): no orders came; the cautious default turn is played", true);
    house_tick(&house, "gc-1", house.now + 86400);
    check_words(&moderator, 2, "anna (seat 1): no orders came; the \"always\" lines are played", true);
    check_words(&moderator, 2, "bob (seat 2): no orders came again; a robot plays", true);
    check_words(&bob, 2, "anna (seat 1): no orders came", true); /* `close` says so */
    check_words(&bob, 2, "ALWAYS", false);
    mail("anna", "orders", "auto\n");
    house_tick(&house, "gc-1", house.now + 86400);
    check_words(&moderator, 3, "\"auto\": a robot gives the orders.", true);
    check_words(&anna, 3, "\"auto\": a robot gives the orders.", true);
    check_words(&bob, 3, "AUTO", false);
}
END_TEST

/* A kind without words would be a record of which the log says nothing. */
START_TEST(each_kind_has_its_words)
{
    const struct slice words = embed_find("templates/common/log_record.txt");
    for (int i = 0; i < RECORD_IDS; i++) {
        const struct record_kind *kind = &record_kinds[i];
        const char *front = !kind->word ? "" : strcmp(kind->type, "note") == 0 ? "note_" : "do_";
        struct str tag = STR_INIT;
        const char *name = i == RECORD_TURN ? "played" : kind->word ? kind->word : kind->type;
        str_addf(&tag, "{{#%s%s}}", front, name);
        ck_assert_msg(slice_find(words, tag.p) != (size_t)-1, "log_record.txt has no %s", tag.p);
        str_release(&tag);
    }
}
END_TEST

static void cases(TCase *tc)
{
    tcase_add_checked_fixture(tc, begin, end);
    tcase_add_test(tc, orders_are_read_by_whose_they_are);
    tcase_add_test(tc, messages_are_read_by_those_they_are_for);
    tcase_add_test(tc, what_people_sign_is_told);
    tcase_add_test(tc, what_moderators_do_is_told);
    tcase_add_test(tc, the_source_of_orders_is_told);
    tcase_add_test(tc, each_kind_has_its_words);
}
TEST_MAIN("history/chronicle", cases)
