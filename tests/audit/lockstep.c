/* The audit of games in lockstep: a league that signs a journal in which a turn comes too soon, a deadline is another
 * one, or a record bends what is fixed, is found out by all readers, and the record is named. */
#include "game/lockstep.h"

#include "base/clock.h"
#include "house/audited.h"
#include "house/clock.h"

#define OPENS  (HOUSE_NOON + DAY)
#define CLOSES (OPENS + 3 * DAY)

static struct str journal; /* of a game that is over and open */

/* Anna orders in turn 1 and misses the others. */
static void play(void)
{
    static const struct lockstep times = {.on = true, .opens = OPENS, .hours = 24, .closes = CLOSES};
    struct err err = ERR_INIT;
    begin();
    house_game_of(&house,
                  (struct new_game){.id = "gc-1",
                                    .ruleset = ruleset_newest("galaxy-farmer"),
                                    .seats = 1,
                                    .turn_length = lockstep_length(&times),
                                    .lockstep = &times},
                  players);
    house_clock(&house, OPENS);
    (void)house_signed(&house, "anna", "anna", "#turnpost orders\ngame: gc-1\nturn: 1\nstay\n#end\n");
    for (int day = 1; day <= 3; day++)
        house_clock(&house, OPENS + day * DAY);
    ck_assert(game_now()->over && !game_withheld(game_now()));
    str_init(&journal);
    ck_ok(store_read(house.batch.store, "gc-1", STORE_BEGIN, &journal, &err), err);
}

static void put_away(void)
{
    str_release(&journal);
    end();
}

/* A robot alone, whose player has withdrawn: nobody's orders are awaited, and its turns are played at their times all the same. */
START_TEST(a_robot_alone_keeps_the_times)
{
    static const char *const robot[] = {"robot"};
    const int64_t opens = house.now + DAY;
    const struct lockstep times = {.on = true, .opens = opens, .hours = 24, .closes = opens + 3 * DAY};
    house_game_of(&house,
                  (struct new_game){.id = "gc-2",
                                    .ruleset = ruleset_newest("galaxy-farmer"),
                                    .seats = 1,
                                    .turn_length = lockstep_length(&times),
                                    .lockstep = &times},
                  robot);
    for (int day = 0; day <= 3; day++) {
        house_clock(&house, opens + day * DAY);
        (void)audited(house.batch.store, "gc-2", true);
    }
    ck_assert(house_find(&house, "gc-2")->over);
}
END_TEST

/* What the league writes anew. */
struct forging {
    struct str lines;
    unsigned char head[HEAD_BYTES];
    int64_t seq;
};

static void add(struct forging *forging, const char *type, int64_t time, json_t *fields)
{
    struct err err = ERR_INIT;
    struct record record;
    ck_assert_ptr_nonnull(fields);
    ck_ok(record_make(&forging->lines,
                      &(struct record_text){{"gc-1", ++forging->seq, forging->head}, type, time, fields},
                      &record, &err),
          err);
    memcpy(forging->head, record.head, HEAD_BYTES);
    record_release(&record);
}

static json_t *fields_of(const struct record *record)
{
    static const char *const own[] = {"game", "seq", "prev", "type", "time"};
    json_t *fields = json_deep_copy(record->json);
    for (size_t i = 0; i < sizeof own / sizeof *own; i++)
        json_object_del(fields, own[i]);
    return fields;
}

/* One way to cheat: the first record of that type (and turn) gets another time, other members, or others come after it. */
struct cheat {
    const char *type;
    int turn; /* of a close or turn; else 0 */
    int64_t time;
    const char *members; /* JSON, or NULL */
    const char *after;   /* the type of a record that follows, or NULL, */
    const char *fields;  /* and its members */
    bool stop;           /* the journal ends there */
    const char *says;
};

static bool is_it(const struct record *record, const struct cheat *cheat)
{
    return strcmp(record->type, cheat->type) == 0 &&
           (!cheat->turn || json_integer_value(json_object_get(record->json, "turn")) == cheat->turn);
}

/* The number of the record that is wrong. */
static int64_t forge(struct forging *forging, const struct cheat *cheat)
{
    struct err err = ERR_INIT;
    struct slice rest, line;
    int64_t wrong = 0;
    memset(forging, 0, sizeof *forging);
    for (rest = slice_str(&journal); slice_line(&rest, &line) && !(wrong && cheat->stop);) {
        struct record record;
        ck_ok(record_parse((struct slice){line.p, line.len + 1}, &record, &err), err);
        bool here = !wrong && is_it(&record, cheat);
        json_t *fields = fields_of(&record);
        if (here && cheat->members)
            ck_assert_int_eq(json_object_update_new(fields, json_loads(cheat->members, 0, NULL)), 0);
        add(forging, record.type, here && cheat->time ? cheat->time : record.time, fields);
        if (here)
            wrong = forging->seq;
        if (here && cheat->after) {
            add(forging, cheat->after, record.time, json_loads(cheat->fields, 0, NULL));
            wrong = forging->seq;
        }
        record_release(&record);
    }
    return wrong;
}

#define WORD "\"by\":\"operator\",\"reason\":\"why not\",\"turn\":1"

static const struct cheat cheats[] = {
    {"start", 0, OPENS - 1, NULL, NULL, NULL, false, "the deal comes before turn 1 opens"},
    {"start", 0, 0, "{\"deadline\":\"2026-11-22T18:00:00Z\"}", NULL, NULL, false,
     "its deadline is not when the next turn opens for all"},
    {"close", 1, OPENS + DAY - 1, NULL, NULL, NULL, false,
     "the turn is played before the next one opens for all"},
    {"close", 2, OPENS + DAY + HOUR, NULL, NULL, NULL, false,
     "the turn is played before the next one opens for all"},
    {"turn", 1, 0, "{\"deadline\":\"2026-11-23T12:00:01Z\"}", NULL, NULL, false,
     "its deadline is not when the next turn opens for all"},
    {"start", 0, 0, NULL, "moderate", "{\"do\":\"pause\"," WORD "}", true,
     "in a game in lockstep nothing moves"},
    {"start", 0, 0, NULL, "moderate", "{\"do\":\"resolve\"," WORD "}", true,
     "in a game in lockstep nothing moves"},
    {"start", 0, 0, NULL, "moderate", "{\"do\":\"extend\",\"deadline\":\"2026-11-23T12:00:00Z\"," WORD "}",
     true, "in a game in lockstep nothing moves"},
    {"start", 0, 0, NULL, "note",
     "{\"kind\":\"shift\",\"turn\":1,\"why\":\"outage\",\"from\":\"2026-11-22T12:00:00Z\","
     "\"deadline\":\"2026-11-22T15:00:00Z\",\"seconds\":60}",
     true, "in a game in lockstep nothing moves"},
};

/* `whole`: with the payloads of the seals, too. */
static void found(const struct forging *forging, int64_t wrong, const char *says, bool whole)
{
    struct err err = ERR_INIT;
    for (enum audit_view view = AUDIT_MODERATOR; view <= AUDIT_PUBLIC; view++)
        for (int open = 0; open <= whole; open++) {
            struct lines one;
            struct audit audit;
            struct audit_result result;
            lines_memory(&one, slice_str(&forging->lines));
            audit_init(&audit, &one);
            audit.master = open ? house.league.master : NULL;
            audit.view = view;
            audit.seat = 1;
            ck_ok(audit_run(&audit, &result, &err), err);
            ck_assert_msg(result.verdict == AUDIT_REFUTED, "view %d, open %d: %s at %lld: %s", view, open,
                          audit_verdict_name(result.verdict), (long long)result.first.seq, result.first.text);
            ck_assert_msg(strstr(result.first.text, says) != NULL, "view %d: %s", view, result.first.text);
            ck_assert_int_eq(result.first.seq, wrong);
        }
}

/* Those of the last record, `open`. */
static json_t *open_fields(void)
{
    struct err err = ERR_INIT;
    struct record record;
    struct slice all = slice_sub(slice_str(&journal), 0, journal.len - 1);
    size_t at = (size_t)((const char *)memrchr(all.p, '\n', all.len) - all.p) + 1;
    ck_ok(record_parse(slice_sub(slice_str(&journal), at, journal.len), &record, &err), err);
    ck_assert_str_eq(record.type, "open");
    json_t *fields = fields_of(&record);
    record_release(&record);
    return fields;
}

START_TEST(a_league_that_cheats)
{
    struct forging forging;
    int64_t wrong = forge(&forging, &cheats[_i]);
    ck_assert_int_gt(wrong, 0);
    found(&forging, wrong, cheats[_i].says, true);
    str_release(&forging.lines);
}
END_TEST

/* A game that is void on the second day, and opened a second before the deal closes. */
START_TEST(seals_that_are_opened_too_soon)
{
    static const struct cheat until = {.type = "turn", .turn = 1, .stop = true};
    struct forging forging;
    const int64_t when = OPENS + DAY;
    (void)forge(&forging, &until);
    add(&forging, "moderate", when,
        json_pack("{s:s,s:s,s:s,s:i}", "do", "void", "by", OPERATOR, "reason", "why not", "turn", 2));
    add(&forging, "end", when, json_pack("{s:i,s:s,s:[]}", "turns", 1, "reason", "void", "scores"));
    size_t ended = forging.lines.len;
    add(&forging, "open", CLOSES - 1, open_fields());
    found(&forging, forging.seq, "the seals are opened while others may still play the deal", false);
    str_cut(&forging.lines, ended); /* without that it waits for its time */
    struct audit_result result;
    struct err err = ERR_INIT;
    struct lines one;
    struct audit audit;
    lines_memory(&one, slice_str(&forging.lines));
    audit_init(&audit, &one);
    audit.view = AUDIT_PUBLIC;
    ck_ok(audit_run(&audit, &result, &err), err);
    ck_assert_msg(result.verdict == AUDIT_PARTLY, "%s", result.first.text);
    str_release(&forging.lines);
}
END_TEST

/* As it was played it is proved; so is a part of it that ends where the game waits. */
START_TEST(an_honest_one)
{
    struct audit_result result;
    audited_bytes(slice_str(&journal), house.league.master, &result);
    ck_assert_int_eq(result.verdict, AUDIT_PROVED);
    ck_assert(result.over && result.opened);
}
END_TEST

/* Where no box is opened it is known, too, that the deal is over: appeals may follow. */
START_TEST(an_appeal_after_the_deal)
{
    static const struct cheat none = {.type = ""};
    struct forging forging;
    struct audit_result result;
    struct err err = ERR_INIT;
    struct lines one;
    struct audit audit;
    char hex[65] = "";
    memset(hex, 'a', 64);
    (void)forge(&forging, &none);
    int open = 1; /* how many turns the game has had follows from its draws */
    for (const char *at = forging.lines.p; (at = strstr(at, "\"type\":\"turn\"")) != NULL; at++)
        open++;
    add(&forging, "note", CLOSES + HOUR,
        json_pack("{s:s,s:s,s:i,s:i,s:i,s:s,s:s,s:s}", "kind", "appeal", "box", "AAAA", "turn", open, "about",
                  1, "seat", 1, "seal", hex, "text", hex, "mail", hex));
    lines_memory(&one, slice_str(&forging.lines));
    audit_init(&audit, &one);
    audit.view = AUDIT_PUBLIC;
    audit.shut = true;
    ck_ok(audit_run(&audit, &result, &err), err);
    ck_assert_msg(result.verdict == AUDIT_PARTLY, "%s", result.first.text);
    str_release(&forging.lines);
}
END_TEST

static void cases(TCase *tc)
{
    tcase_add_checked_fixture(tc, play, put_away);
    tcase_add_test(tc, an_appeal_after_the_deal);
    tcase_add_loop_test(tc, a_league_that_cheats, 0, sizeof cheats / sizeof *cheats);
    tcase_add_test(tc, seals_that_are_opened_too_soon);
    tcase_add_test(tc, an_honest_one);
    tcase_add_test(tc, a_robot_alone_keeps_the_times);
}
TEST_MAIN("audit/lockstep", cases)
