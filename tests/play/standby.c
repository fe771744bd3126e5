/* Seats of players who are missing are offered, taken and taken back; and how reliable everybody is. */
#include "house/house.h"
#include "house/gives.h"

#include "base/json.h"
#include "league/reliability.h"
#include "play/standby.h"
#include "game/game_seats.h"

#define DAY ((int64_t)86400)

static struct house house;
static const char *const table[] = {"anna", "bob", "carol"};

static void begin(void)
{
    house_open(&house);
    house_option(&house, "[clock]", "valve = 100\nreminder = 0");
    house_restart(&house);
    for (int i = 0; i < 3; i++)
        house_player(&house, table[i]);
    house_player(&house, "dora");
    house_player(&house, "emil");
    house_game_of(&house,
                  (struct new_game){.id = "gc-1",
                                    .ruleset = ruleset_newest("galaxy-command"),
                                    .seats = 3,
                                    .turn_length = DAY,
                                    .missed_robot = 9,
                                    .missed_standby = 2},
                  table);
    house_empty_spool(&house);
}

static void end(void)
{
    house_close(&house);
}

static struct game *game(void)
{
    return house_find(&house, "gc-1");
}

static void text_of(const char *name, const char *verb, const char *fields)
{
    struct str text = STR_INIT;
    str_addf(&text, "#turnpost %s\ngame: gc-1\nturn: %d\n%s#end\n", verb, game()->turn, fields);
    (void)house_signed(&house, name, name, text.p);
    str_release(&text);
}

static void stand_by(const char *name, const char *fields)
{
    struct str text = STR_INIT;
    str_addf(&text, "#turnpost standby\n%s#end\n", fields);
    (void)house_signed(&house, name, name, text.p);
    str_release(&text);
}

/* Turns in which bob does not play and the others do. */
static void bob_misses(int turns)
{
    while (turns-- > 0) {
        int turn = game()->turn;
        text_of("anna", "orders", "pass\n");
        text_of("carol", "orders", "pass\n");
        house_empty_spool(&house);
        if (game()->turn == turn)
            house_clock(&house, game()->clock.deadline);
    }
}

static struct catalog_tally reliability(const char *name)
{
    struct err err = ERR_INIT;
    struct catalog_tally sum;
    ck_ok(catalog_reliability(house.batch.catalog, name, &sum, &err), err);
    return sum;
}

#define reliable(name, a, m, r)                        \
    do {                                               \
        struct catalog_tally sum_ = reliability(name); \
        ck_assert_int_eq(sum_.awaited, a);             \
        ck_assert_int_eq(sum_.missed, m);              \
        ck_assert_int_eq(sum_.resigned, r);            \
    } while (0)

/* ---- offers ---- */

START_TEST(the_first_on_the_list_is_asked_and_takes_the_seat)
{
    stand_by("dora", "game: gc-1\n");
    house_told(&house, "dora", 1, "You are on the waiting list");
    bob_misses(1);
    ck_assert_str_eq(game()->seat[2].offered, "");
    bob_misses(1);
    ck_assert_str_eq(game()->seat[2].offered, "dora");
    ck_assert_int_eq(offer_due(game()), house.now + 2 * DAY);
    house_same(&house, "gc-1");
    struct str told;
    ck_assert_int_eq(house_mails(&house, "dora", &told), 1);
    ck_assert_ptr_nonnull(strstr(told.p, "Seat 2 of this game is free: bob has missed several turns."));
    ck_assert_ptr_nonnull(strstr(told.p, "#turnpost take\ngame: gc-1\nturn: 3\nhead: "));
    ck_assert_ptr_null(strstr(told.p, "Stores: metal"));
    str_release(&told);
    house_told(&house, "bob", 2, "seat 2 is now offered"); /* and the report */
    house_restart(&house);
    text_of("dora", "take", "seat: 2\n");
    struct game *now = game();
    ck_assert_str_eq(now->seat[2].player, "dora");
    ck_assert_str_eq(now->seat[2].owner, "bob");
    ck_assert_int_eq(now->seat[2].missed, 0);
    ck_assert_str_eq(now->attendance.standby.p, "");
    ck_assert_int_eq(offer_due(now), 0);
    house_same(&house, "gc-1");
    ck_assert_int_eq(house_mails(&house, "dora", &told), 2);
    ck_assert_ptr_nonnull(strstr(told.p, "Seat 2 is yours."));
    ck_assert_ptr_nonnull(strstr(told.p, "Stores: metal"));
    str_release(&told);
    ck_assert_int_eq(house_mails(&house, "bob", &told), 1);
    ck_assert_ptr_nonnull(strstr(told.p, "#turnpost back\ngame: gc-1\nturn: 3\nhead: "));
    str_release(&told);
    house_told(&house, "anna", 1, "dora plays from now on, instead of bob.");
    text_of("dora", "orders", "pass\n");
    ck_assert(game()->seat[2].orders.in);
    text_of("bob", "orders", "pass\n");
    house_told(&house, "bob", 1, "you have no seat");
}
END_TEST

START_TEST(nobody_on_the_list_and_all_is_as_before)
{
    bob_misses(3);
    ck_assert_int_eq(game()->seat[2].missed, 3);
    ck_assert_str_eq(game()->seat[2].offered, "");
    house_told(&house, "bob", 1, "Missed in a row: 3");
    /* A player who comes later is asked at once. */
    stand_by("dora", "game: gc-1\n");
    ck_assert_str_eq(game()->seat[2].offered, "dora");
    house_told(&house, "dora", 2, "Seat 2 of this game is free");
}
END_TEST

START_TEST(the_owner_s_orders_end_the_offer)
{
    stand_by("dora", "game: gc-1\n");
    bob_misses(2);
    text_of("bob", "orders", "pass\n");
    ck_assert_str_eq(game()->seat[2].offered, "");
    ck_assert_int_eq(offer_due(game()), 0);
    house_same(&house, "gc-1");
    house_empty_spool(&house);
    text_of("dora", "take", "seat: 2\n");
    house_told(&house, "dora", 1, "is not offered to you now");
    ck_assert_str_eq(game()->seat[2].player, "bob");
    bob_misses(1); /* his orders were in for this one */
    ck_assert_int_eq(game()->seat[2].missed, 0);
    bob_misses(2);
    ck_assert_str_eq(game()->seat[2].offered, "dora");
}
END_TEST

START_TEST(after_the_time_the_next_is_asked_then_nobody)
{
    house_option(&house, "[league]", "standby_time = 6h");
    house_restart(&house);
    stand_by("emil", "game: any\n");
    house_told(&house, "emil", 1, "for any game");
    stand_by("dora", "game: gc-1\n");
    bob_misses(2);
    ck_assert_str_eq(game()->seat[2].offered, "dora"); /* of this game first */
    int64_t until = offer_due(game());
    house_empty_spool(&house);
    house_tick(&house, "gc-1", until - 1);
    ck_assert_str_eq(game()->seat[2].offered, "dora");
    house_tick(&house, "gc-1", until);
    ck_assert_str_eq(game()->seat[2].offered, "emil");
    ck_assert_int_eq(offer_due(game()), until + 6 * 3600);
    house_told(&house, NULL, 1, "Seat 2 of this game is free"); /* bob was told once */
    house_same(&house, "gc-1");
    text_of("dora", "take", "seat: 2\n");
    house_told(&house, NULL, 1, "is not offered to you now");
    house.now += 7 * 3600; /* late, and the clock has not been by */
    text_of("emil", "take", "seat: 2\n");
    house_told(&house, NULL, 1, "has run out");
    house_tick(&house, "gc-1", house.now);
    ck_assert_str_eq(game()->seat[2].offered, "");
    ck_assert_int_eq(offer_due(game()), 0);
    int64_t seq = game()->seq;
    house_tick(&house, "gc-1", house.now + 60);
    ck_assert_int_eq(game()->seq, seq);
    house_told(&house, NULL, 0, NULL);
    house_same(&house, "gc-1");
    /* A player who asks again is asked again. */
    stand_by("dora", "game: gc-1\ncancel: yes\n");
    stand_by("dora", "game: gc-1\nseq: 2\n");
    ck_assert_str_eq(game()->seat[2].offered, "dora");
    /* A player who leaves the list no longer has an offer. */
    stand_by("dora", "game: gc-1\nseq: 3\ncancel: yes\n");
    ck_assert_str_eq(game()->seat[2].offered, "");
    house_same(&house, "gc-1");
}
END_TEST

START_TEST(what_is_wrong_is_said_and_changes_nothing)
{
    static const struct {
        const char *who, *verb, *fields, *words;
    } cases[] = {
        {"emil", "take", "seat: 2\n", "is not offered to you now"},
        {"dora", "take", "seat: 9\n", "takes the number of the seat"},
        {"dora", "take", "seat: 12\n", "takes the number of the seat"},
        {"dora", "take", "", "takes the number of the seat"},
        {"dora", "take", "seat: 1\n", "is not offered to you now"},
        {"anna", "take", "seat: 2\n", "You have a seat"},
        {"bob", "back", "", "simply send orders"},
        {"dora", "back", "", "no seat in game gc-1"},
        {"dora", "back", "seat: 2\n", "does not belong"},
    };
    stand_by("dora", "game: gc-1\n");
    bob_misses(2);
    house_empty_spool(&house);
    int64_t seq = game()->seq;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        text_of(cases[i].who, cases[i].verb, cases[i].fields);
        ck_assert_int_eq(game()->seq, seq);
        house_told(&house, NULL, 1, cases[i].words);
    }
    static const struct {
        const char *who, *text, *words;
    } texts[] = {
        {"dora", "#turnpost take\ngame: gc-1\nturn: 2\nseat: 2\n#end\n", "is for turn 2"},
        {"dora", "#turnpost take\ngame: gc-1\nseat: 2\n#end\n", "in which turn"},
        {"dora", "#turnpost take\ngame: gc-9\nturn: 3\nseat: 2\n#end\n", "no game \"gc-9\""},
        {"dora", "#turnpost take\nturn: 3\nseat: 2\n#end\n", "does not name its game"},
        {"dora", "#turnpost standby\n#end\n", "does not say where"},
        {"dora", "#turnpost standby\ngame: gc-1\nseq: 4\n#end\n", "already"},
        {"emil", "#turnpost standby\ngame: gc-1\ncancel: yes\n#end\n", "not on the waiting list"},
        {"emil", "#turnpost standby\ngame: any\ncancel: yes\n#end\n", "name the game"},
        {"anna", "#turnpost standby\ngame: gc-1\n#end\n", "You have a seat"},
        {"emil", "#turnpost standby\ngame: gc-1\ncancel: maybe\n#end\n", "takes yes or no"},
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        (void)house_signed(&house, texts[i].who, texts[i].who, texts[i].text);
        ck_assert_int_eq(game()->seq, seq);
        house_told(&house, NULL, 1, texts[i].words);
    }
    (void)house_mail(&house, "dora", "x", "#turnpost take\ngame: gc-1\nturn: 3\nseat: 2\n#end\n");
    house_told(&house, NULL, 1, "no signature");
    (void)house_signed(&house, "dora", "emil", "#turnpost take\ngame: gc-1\nturn: 3\nseat: 2\n#end\n");
    house_told(&house, "emil", 1, "not offered to you");
    ck_assert_int_eq(game()->seq, seq);
    text_of("dora", "take", "seat: P2\n");
    house_empty_spool(&house);
    text_of("dora", "take", "seat: P2\n"); /* twice */
    house_told(&house, NULL, 1, "very same text");
    text_of("dora", "take", "seat: 2\n");
    house_told(&house, NULL, 1, "You have a seat");
}
END_TEST

/* ---- taking back ---- */

START_TEST(the_owner_takes_it_back_once)
{
    stand_by("dora", "game: gc-1\n");
    stand_by("emil", "game: gc-1\n");
    bob_misses(2);
    text_of("dora", "take", "seat: 2\n");
    text_of("dora", "orders", "pass\n");
    house_empty_spool(&house);
    house_restart(&house);
    text_of("bob", "back", "");
    ck_assert_str_eq(game()->seat[2].player, "bob");
    ck_assert_str_eq(game()->seat[2].owner, "");
    ck_assert(!game()->seat[2].orders.in); /* dora's are withdrawn */
    house_same(&house, "gc-1");
    house_told(&house, "dora", 1, "bob has come back");
    text_of("dora", "orders", "pass\n");
    house_told(&house, "dora", 1, "This is a copy");
    text_of("dora", "orders", "seq: 2\npass\n");
    house_told(&house, "dora", 1, "you have no seat");
    text_of("bob", "orders", "pass\n");
    ck_assert(game()->seat[2].orders.in);
    /* Late again: this time it is for good. */
    house_clock(&house, game()->clock.deadline);
    bob_misses(2);
    ck_assert_str_eq(game()->seat[2].offered, "emil");
    house_empty_spool(&house);
    text_of("emil", "take", "seat: 2\n");
    ck_assert_str_eq(game()->seat[2].owner, "");
    struct str told;
    ck_assert_int_eq(house_mails(&house, "bob", &told), 1);
    ck_assert_ptr_null(strstr(told.p, "#turnpost back"));
    str_release(&told);
    house_empty_spool(&house);
    text_of("bob", "back", "");
    house_told(&house, "bob", 1, "There is no seat");
    house_same(&house, "gc-1");
}
END_TEST

/* Late for two turns; emil stands in. */
static void emil_stands_in(void)
{
    stand_by("emil", "game: gc-1\n");
    bob_misses(2);
    text_of("emil", "take", "seat: 2\n");
    ck_assert_str_eq(game()->seat[2].player, "emil");
    house_empty_spool(&house);
}

/* With the key that they had there: whose another one is, nobody at the table knows. */
START_TEST(it_is_taken_back_with_the_key_of_then)
{
    struct str text = STR_INIT;
    emil_stands_in();
    str_addf(&text, "#turnpost back\ngame: gc-1\nturn: %d\n#end\n", game()->turn);
    house_rekeys(&house, "bob", "bob's new");
    house_empty_spool(&house);
    (void)house_signed(&house, "bob", "bob's new", text.p);
    house_told(&house, "bob", 1, "taken back with the key that you had there");
    ck_assert_str_eq(game()->seat[2].player, "emil");
    house_rekeys(&house, "bob", "bob");
    (void)house_signed(&house, "bob", "bob", text.p);
    ck_assert_str_eq(game()->seat[2].player, "bob");
    house_same(&house, "gc-1");
    str_release(&text);
}
END_TEST

/* Also when somebody else has done so in the meantime. */
START_TEST(each_takes_it_back_once)
{
    emil_stands_in();
    text_of("bob", "back", "");
    house_gives(&house, "gc-1", "bob", "dora");
    emil_stands_in();
    text_of("dora", "back", "");
    ck_assert_str_eq(game()->seat[2].player, "dora");
    house_gives(&house, "gc-1", "dora", "bob");
    house_restart(&house);
    emil_stands_in();
    ck_assert_str_eq(game()->seat[2].owner, "");
    house_same(&house, "gc-1");
}
END_TEST

START_TEST(after_the_turn_it_is_too_late)
{
    stand_by("dora", "game: gc-1\n");
    bob_misses(2);
    text_of("dora", "take", "seat: 2\n");
    text_of("dora", "orders", "pass\n");
    text_of("anna", "orders", "pass\n");
    text_of("carol", "orders", "pass\n");
    ck_assert_int_eq(game()->turn, 4);
    house_empty_spool(&house);
    text_of("bob", "back", "");
    house_told(&house, "bob", 1, "There is no seat");
    ck_assert_str_eq(game()->seat[2].player, "dora");
    house_same(&house, "gc-1");
}
END_TEST

/* ---- resigning, robots ---- */

START_TEST(a_resigned_seat_is_offered_while_a_robot_plays)
{
    stand_by("dora", "game: gc-1\n");
    house_empty_spool(&house);
    text_of("bob", "orders", "resign\n");
    ck_assert(game()->seat[2].robot);
    ck_assert_str_eq(game()->seat[2].offered, "dora");
    house_told(&house, "dora", 1, "bob has resigned");
    house_same(&house, "gc-1");
    text_of("anna", "orders", "pass\n");
    text_of("carol", "orders", "pass\n");
    ck_assert_int_eq(game()->turn, 2); /* nobody waits for the seat */
    house_empty_spool(&house);
    text_of("dora", "take", "seat: 2\n");
    ck_assert_str_eq(game()->seat[2].player, "dora");
    ck_assert(!game()->seat[2].robot);
    ck_assert_str_eq(game()->seat[2].owner, "");
    house_told(&house, "dora", 2, "Seat 2 is yours");
    text_of("bob", "back", "");
    house_told(&house, "bob", 1, "There is no seat");
    house_same(&house, "gc-1");
    reliable("bob", 0, 0, 1);
}
END_TEST

START_TEST(without_standbys_a_resigned_seat_is_a_robot_s)
{
    text_of("bob", "orders", "resign\n");
    ck_assert(game()->seat[2].robot);
    ck_assert_str_eq(game()->seat[2].offered, "");
    text_of("anna", "orders", "pass\n");
    text_of("carol", "orders", "pass\n");
    ck_assert_int_eq(game()->turn, 2);
}
END_TEST

START_TEST(a_paused_game_makes_no_offers)
{
    stand_by("dora", "game: gc-1\n");
    bob_misses(2);
    int64_t until = offer_due(game());
    game()->clock.paused = true;
    ck_assert_int_eq(offer_due(game()), 0);
    house_tick(&house, "gc-1", until + DAY);
    ck_assert_str_eq(game()->seat[2].offered, "dora");
    house_restart(&house);
    ck_assert_int_eq(offer_due(game()), until);
}
END_TEST

/* The journal ends after the turn, before the offer: it is made at the next chance. */
START_TEST(an_offer_cut_off_by_a_crash_is_made_later)
{
    struct err err = ERR_INIT;
    struct str journal = STR_INIT;
    char *path = path_join(house.dir, "games/gc-1/journal.jsonl");
    char *state = path_join(house.dir, "games/gc-1/state.json");
    stand_by("dora", "game: gc-1\n");
    bob_misses(2);
    ck_ok(file_read(path, 1 << 22, &journal, &err), err);
    const char *cut = strstr(journal.p, "\"kind\":\"offer\"");
    while (cut > journal.p && cut[-1] != '\n')
        cut--;
    house_end(&house);
    ck_ok(file_truncate(path, cut - journal.p, &err), err);
    ck_ok(file_remove(state, &err), err);
    house_begin(&house);
    house_tick(&house, "gc-1", house.now + 60);
    ck_assert_str_eq(game()->seat[2].offered, "dora");
    free(path);
    free(state);
    str_release(&journal);
}
END_TEST

/* ---- forged records ---- */

/* Records that do not fit are refused, with the game as it was. */
static void refused(const char *type, const char *fields, const char *words)
{
    struct err err = ERR_INIT;
    struct step step;
    struct step_keys keys = batch_keys(&house.batch);
    json_t *json = json_read(slice_of(fields), "test", &err);
    ck_assert_ptr_nonnull(json);
    int64_t seq = game()->seq;
    step_init(&step, &keys, house.now);
    ck_assert_msg(step_record(&step, game(), type, json, NULL, &err) == -1, "taken: %s", fields);
    ck_assert_int_eq(err.code, ERR_UNSOUND);
    ck_assert_msg(strstr(err.text, words) != NULL, "%s: %s", fields, err.text);
    ck_assert_int_eq(game()->seq, seq);
    step_release(&step);
}

START_TEST(records_that_do_not_fit)
{
#define HEX64 "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
#define MARKS "\"seal\":\"" HEX64 "\",\"mail\":\"" HEX64 "\",\"text\":\"" HEX64 "\""
    static const struct {
        const char *type, *fields, *words;
    } cases[] = {
        {"note",
         "{\"kind\":\"offer\",\"turn\":3,\"seat\":1,\"to\":\"emil\",\"until\":\"2026-12-20T08:00:00Z\"}",
         "not vacant"},
        {"note",
         "{\"kind\":\"offer\",\"turn\":3,\"seat\":2,\"to\":\"dora\",\"until\":\"2026-11-24T11:00:00Z\"}",
         "asked before"},
        {"note",
         "{\"kind\":\"offer\",\"turn\":3,\"seat\":2,\"to\":\"emil\",\"until\":\"2026-11-20T08:00:00Z\"}",
         "no time"},
        {"note",
         "{\"kind\":\"offer\",\"turn\":2,\"seat\":2,\"to\":\"emil\",\"until\":\"2026-12-20T08:00:00Z\"}",
         "open turn"},
        {"note", "{\"kind\":\"offer\",\"turn\":3,\"seat\":1}", "nobody has"},
        {"note", "{\"kind\":\"offer\",\"turn\":3,\"seat\":2,\"to\":\"E mil\"}", "bad name"},
        {"note", "{\"kind\":\"standby\",\"turn\":3,\"player\":\"dora\"}", "already"},
        {"note", "{\"kind\":\"standby\",\"turn\":3,\"player\":\"emil\",\"stop\":true}", "not on the list"},
        {"note", "{\"kind\":\"standby\",\"turn\":3,\"player\":\"anna\"}", "no place"},
        {"note", "{\"kind\":\"observe\",\"turn\":4,\"player\":\"emil\"}", "open turn"},
        {"note", "{\"kind\":\"observe\",\"turn\":3,\"player\":\"\"}", "bad name"},
        {"seat", "{\"seat\":2,\"player\":\"emil\",\"keys\":[],\"why\":\"standby\"}", "not offered to them"},
        {"seat", "{\"seat\":2,\"player\":\"anna\",\"keys\":[],\"why\":\"standby\"}", "they have a seat"},
        {"seat", "{\"seat\":2,\"player\":\"emil\",\"keys\":[],\"why\":\"back\"}", "was not theirs"},
        {"note", "{\"kind\":\"press\",\"turn\":3,\"to\":\"some\",\"seat\":1," MARKS "}", "to nobody"},
        {"note", "{\"kind\":\"press\",\"turn\":3,\"to\":[],\"seat\":1," MARKS "}", "to nobody"},
        {"note", "{\"kind\":\"press\",\"turn\":3,\"to\":[2,1],\"seat\":1," MARKS "}", "to nobody"},
        {"note", "{\"kind\":\"press\",\"turn\":3,\"to\":[4],\"seat\":1," MARKS "}", "to nobody"},
        {"note", "{\"kind\":\"press\",\"turn\":3,\"to\":[1],\"grey\":true," MARKS "}", "does not have"},
        {"note", "{\"kind\":\"press\",\"turn\":3,\"to\":[1],\"seat\":2}", "no seal"},
        {"note",
         "{\"kind\":\"press\",\"turn\":3,\"to\":[1],\"seat\":2,\"seal\":\"" HEX64
         "\",\"mail\":\"\",\"text\":\"x\"}",
         "not 64 hex"},
    };
    stand_by("dora", "game: gc-1\n");
    bob_misses(2);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        refused(cases[i].type, cases[i].fields, cases[i].words);
}
END_TEST

/* ---- reliability ---- */

START_TEST(it_is_counted_and_shown)
{
    reliable("bob", 0, 0, 0);
    stand_by("dora", "game: gc-1\n");
    bob_misses(2);
    reliable("anna", 2, 0, 0);
    reliable("bob", 2, 2, 0);
    text_of("dora", "take", "seat: 2\n");
    bob_misses(1); /* it is dora's turn that is missed now */
    reliable("bob", 2, 2, 0);
    reliable("dora", 1, 1, 0);
    text_of("anna", "orders", "resign\n");
    reliable("anna", 3, 0, 1);
    house_same(&house, "gc-1");
    /* The catalog is made again from the journals. */
    char *path = path_join(house.dir, "catalog.sqlite");
    struct err err = ERR_INIT;
    house_end(&house);
    ck_ok(file_remove(path, &err), err);
    house_begin(&house);
    reliable("anna", 3, 0, 1);
    reliable("bob", 2, 2, 0);
    reliable("dora", 1, 1, 0);
    free(path);
    house_empty_spool(&house);
    (void)house_mail(&house, "bob", "status gc-1", "");
    struct str told;
    ck_assert_int_eq(house_mails(&house, "bob", &told), 1);
    ck_assert_msg(strstr(told.p, "* carol: in time in 100 % of 3 turns\n") != NULL, "%s", told.p);
    ck_assert_ptr_nonnull(strstr(told.p, "* dora: in time in 0 % of 1 turns\n"));
    str_release(&told);
    house_empty_spool(&house);
    (void)house_mail(&house, "bob", "games", "");
    house_told(&house, "bob", 1, "carol (100 %)");
}
END_TEST

START_TEST(the_percentage)
{
    static const struct {
        struct catalog_tally tally;
        int percent;
    } cases[] = {{{212, 6, 0}, 97}, {{1, 1, 0}, 0}, {{3, 0, 0}, 100}, {{1000, 1, 0}, 99}, {{0, 0, 0}, 0}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        json_t *json = reliability_json(&cases[i].tally);
        ck_assert_int_eq(json_integer_value(json_object_get(json, "percent")), cases[i].percent);
        ck_assert_int_eq(json_is_true(json_object_get(json, "new")), cases[i].tally.awaited == 0);
        json_decref(json);
    }
}
END_TEST

static void cases(TCase *tc)
{
    tcase_add_checked_fixture(tc, begin, end);
    tcase_add_test(tc, the_first_on_the_list_is_asked_and_takes_the_seat);
    tcase_add_test(tc, nobody_on_the_list_and_all_is_as_before);
    tcase_add_test(tc, the_owner_s_orders_end_the_offer);
    tcase_add_test(tc, after_the_time_the_next_is_asked_then_nobody);
    tcase_add_test(tc, what_is_wrong_is_said_and_changes_nothing);
    tcase_add_test(tc, the_owner_takes_it_back_once);
    tcase_add_test(tc, it_is_taken_back_with_the_key_of_then);
    tcase_add_test(tc, each_takes_it_back_once);
    tcase_add_test(tc, after_the_turn_it_is_too_late);
    tcase_add_test(tc, a_resigned_seat_is_offered_while_a_robot_plays);
    tcase_add_test(tc, without_standbys_a_resigned_seat_is_a_robot_s);
    tcase_add_test(tc, a_paused_game_makes_no_offers);
    tcase_add_test(tc, an_offer_cut_off_by_a_crash_is_made_later);
    tcase_add_test(tc, records_that_do_not_fit);
    tcase_add_test(tc, it_is_counted_and_shown);
    tcase_add_test(tc, the_percentage);
}
TEST_MAIN("play/standby", cases)
