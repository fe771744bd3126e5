/* The numbers of the report on suspicion, and what is kept for them. */
#include "house/house.h"

#include "base/json.h"
#include "publish/suspicion.h"

static struct house house;
static const char *const table[] = {"anna", "bob", "carol"};

static void begin(void)
{
    house_open(&house);
    for (int i = 0; i < 3; i++)
        house_player(&house, table[i]);
    house_option(&house, "[clock]", "valve = 100\nreminder = 0");
    house_restart(&house);
    house_game(&house, "gc-1", "galaxy-command", 86400, 3, table);
    house_empty_spool(&house);
}

static void end(void)
{
    house_close(&house);
}

/* Orders of NAME from a network, in the open turn. */
static void order(const char *name, const char *address)
{
    struct str text = STR_INIT, body = STR_INIT, raw = STR_INIT;
    str_addf(&text, "#turnpost orders\ngame: gc-1\nturn: %d\nbide\n#end\n", house_find(&house, "gc-1")->turn);
    house_sign(&house, name, text.p, &body);
    str_addf(&raw,
             "Received: from x (x [%s]) by mx.example.org; Fri\r\nFrom: %s@example.net\r\nTo: " HOUSE_ADDRESS
             "\r\nMessage-ID: <%d@example.net>\r\n\r\n%s",
             address, name, ++house.mails, body.p);
    ck_assert_int_eq(house_raw(&house, slice_str(&raw)), INTAKE_PROCESSED);
    str_release(&text);
    str_release(&body);
    str_release(&raw);
}

static json_t *report(const char *game)
{
    struct err err = ERR_INIT;
    json_t *json = suspicion_report(house.batch.store, house.batch.catalog, game, &err);
    ck_assert_msg(json != NULL, "%s", err.text);
    return json;
}

static const json_t *pair_of(const json_t *json, const char *a, const char *b)
{
    size_t i;
    json_t *pair;
    json_array_foreach (json_object_get(json, "pairs"), i, pair)
        if (strcmp(json_string_value(json_object_get(pair, "a")), a) == 0 &&
            strcmp(json_string_value(json_object_get(pair, "b")), b) == 0)
            return pair;
    ck_abort_msg("no pair %s, %s", a, b);
    return NULL;
}

/* "network.a.shared" */
static json_int_t number(const json_t *pair, const char *path)
{
    char name[32];
    const json_t *at = pair;
    while (*path) {
        size_t len = strcspn(path, ".");
        (void)snprintf(name, sizeof name, "%.*s", (int)len, path);
        at = json_object_get(at, name);
        path += len + (path[len] == '.');
    }
    ck_assert(json_is_integer(at));
    return json_integer_value(at);
}

/* anna and bob write from one house within two minutes, carol from elsewhere three hours later. */
static void play(int turns)
{
    for (int turn = 0; turn < turns; turn++) {
        house.now += 3600;
        order("anna", "203.0.113.7");
        house.now += 120;
        order("bob", turn == 0 ? "198.51.100.1" : "203.0.113.7");
        house.now += 10000;
        order("carol", "198.51.100.9");
        house_empty_spool(&house);
    }
}

START_TEST(one_house_and_the_same_minutes)
{
    play(6);
    json_t *json = report(NULL);
    const json_t *pair = pair_of(json, "anna", "bob");
    ck_assert_int_eq(number(pair, "network.a.mails"), 6);
    ck_assert_int_eq(number(pair, "network.a.shared"), 6);
    ck_assert_int_eq(number(pair, "network.b.mails"), 6);
    ck_assert_int_eq(number(pair, "network.b.shared"), 5);
    ck_assert_int_eq(number(pair, "network.others"), 0);
    ck_assert_int_eq(number(pair, "minutes.a.near"), 6);
    ck_assert_int_eq(number(pair, "minutes.b.near"), 6);
    ck_assert_int_eq(number(pair, "minutes.a.others_tenths"), 0);
    ck_assert(json_is_true(json_object_get(pair, "notable")));
    pair = pair_of(json, "anna", "carol");
    ck_assert_int_eq(number(pair, "network.a.shared"), 0);
    ck_assert_int_eq(number(pair, "minutes.b.near"), 0);
    ck_assert_int_eq(number(pair, "minutes.a.others_tenths"), 60);
    ck_assert(json_is_false(json_object_get(pair, "notable")));
    ck_assert_uint_eq(json_array_size(json_object_get(json, "pairs")), 3);
    json_decref(json);
    /* The same of the game alone; and after a restart. */
    house_restart(&house);
    json = report("gc-1");
    ck_assert_int_eq(number(pair_of(json, "anna", "bob"), "network.b.shared"), 5);
    json_decref(json);
    struct err err = ERR_INIT;
    ck_assert_ptr_null(suspicion_report(house.batch.store, house.batch.catalog, "gc-9", &err));
    ck_assert_int_eq(err.code, ERR_MISSING);
}
END_TEST

START_TEST(turns_missed_together)
{
    for (int turn = 0; turn < 6; turn++) {
        if (turn % 2) {
            order("anna", "203.0.113.7");
            order("bob", "198.51.100.1");
        }
        order("carol", "198.51.100.9");
        if (turn % 2 == 0)
            house_clock(&house, house.now + 86401);
        house_empty_spool(&house);
    }
    json_t *json = report("gc-1");
    const json_t *pair = pair_of(json, "anna", "bob");
    ck_assert_int_eq(number(pair, "misses.turns"), 6);
    ck_assert_int_eq(number(pair, "misses.a"), 3);
    ck_assert_int_eq(number(pair, "misses.both"), 3);
    ck_assert_int_eq(number(pair, "misses.chance_tenths"), 15);
    ck_assert(json_is_true(json_object_get(pair, "notable")));
    ck_assert_int_eq(number(pair_of(json, "anna", "carol"), "misses.both"), 0);
    json_decref(json);
}
END_TEST

/* No address is kept, in no file of the league; and nothing at all where the operator does not want it. */
START_TEST(what_is_kept)
{
    struct err err = ERR_INIT;
    unsigned char one[CATALOG_PATH], two[CATALOG_PATH], other[32] = {1};
    play(2);
    house_end(&house);
    ck_assert(scratch_holds(house.dir, "anna@example.net")); /* what is kept is found */
    ck_assert(!scratch_holds(house.dir, "203.0.113.7"));
    house_begin(&house);
    suspicion_path(one, house.league.master, "203.0.113.7");
    suspicion_path(two, house.league.master, "203.0.113.8");
    ck_assert(memcmp(one, two, sizeof one) != 0);
    suspicion_path(two, other, "203.0.113.7"); /* of another league */
    ck_assert(memcmp(one, two, sizeof one) != 0);
    ck_ok(catalog_tidy_paths(house.batch.catalog, house.now + 1, &err), err);
    json_t *json = report(NULL);
    ck_assert(json_is_null(json_object_get(json, "since")));
    json_decref(json);
    house_option(&house, "[limits]", "paths = 0");
    house_restart(&house);
    play(1);
    json = report(NULL);
    ck_assert(json_is_null(json_object_get(json, "since")));
    ck_assert_int_eq(number(pair_of(json, "anna", "bob"), "minutes.a.mails"), 0);
    json_decref(json);
}
END_TEST

/* Only mails that were accepted, with a good signature of that player. */
START_TEST(nobody_else_s_mail_counts)
{
    (void)house_mail(&house, "anna", "help", "help");
    (void)house_signed(&house, "carol", "anna", "#turnpost orders\ngame: gc-1\nturn: 7\nbide\n#end\n");
    json_t *json = report(NULL);
    ck_assert(json_is_null(json_object_get(json, "since")));
    json_decref(json);
    (void)house_signed(&house, "carol", "anna", "#turnpost orders\ngame: gc-1\nturn: 1\nbide\n#end\n");
    json = report(NULL);
    ck_assert_int_eq(number(pair_of(json, "anna", "carol"), "minutes.a.mails"), 1);
    ck_assert_int_eq(number(pair_of(json, "anna", "carol"), "minutes.b.mails"), 0);
    ck_assert_int_eq(number(pair_of(json, "anna", "carol"), "network.a.mails"), 0); /* no network is known */
    json_decref(json);
}
END_TEST

/* Who names whom, in the recorded game in which players can. */
START_TEST(who_concerns_whom)
{
    struct store *store = store_open("games");
    struct err err = ERR_INIT;
    json_t *json = suspicion_report(store, house.batch.catalog, "galactic-supremacy", &err);
    ck_assert_msg(json != NULL, "%s", err.text);
    size_t i, k;
    json_t *pair, *row, *all = json_object(); /* by player: attacks on all others, of how many */
    json_array_foreach (json_object_get(json, "pairs"), i, pair)
        json_array_foreach (json_object_get(pair, "orders"), k, row) {
            const char *by = json_string_value(json_object_get(row, "by"));
            if (strcmp(json_string_value(json_object_get(row, "type")), "attacks") != 0)
                continue;
            const json_int_t before = json_integer_value(json_object_get(all, by));
            ck_assert_int_le(before + number(row, "count"), number(row, "of"));
            json_object_set_new(all, by, json_integer(before + number(row, "count")));
        }
    int attacked = 0;
    const char *by;
    json_object_foreach (all, by, row)
        attacked += json_integer_value(row) > 0;
    ck_assert_int_gt(attacked, 0);
    json_decref(all);
    size_t trades = 0;
    json_array_foreach (json_object_get(json, "pairs"), i, pair)
        trades += json_array_size(json_object_get(pair, "trades"));
    ck_assert_uint_gt(trades, 0);
    json_decref(json);
    store_close(store);
}
END_TEST

/* A keyless player at that address, in memory. */
static void move(const char *name, const char *address, bool by_mail)
{
    struct player player = *registry_find(&house.batch.registry, name);
    player.by_mail = by_mail;
    (void)snprintf(player.address, sizeof player.address, "%s", address);
    registry_put(&house.batch.registry, &player);
}

static const json_t *domain_of(json_t *json)
{
    suspicion_domains(json, &house.batch.registry, &house.league.config);
    return json_object_get(pair_of(json, "anna", "bob"), "domain");
}

START_TEST(who_could_be_signed_for_by_one_administrator)
{
    static const struct {
        const char *anna, *bob;
        bool mailed, told, mailbox;
    } rows[] = {
        {"anna@club.test", "bob@club.test", true, true, false},
        {"anna@club.test", "bob@club.test", false, false, false}, /* bob has a key */
        {"anna@club.test", "bob@other.test", true, false, false},
        {"anna@a.club.test", "bob@b.club.test", true, true, false},
        {"anna@a.club.test", "anna@b.club.test", true, true, false},
        {"anna@gmail.com", "bob@gmail.com", true, false, false},
        {"an.na@gmail.com", "anna+2@Gmail.com", true, true, true},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        json_t *json = report(NULL);
        move("anna", rows[i].anna, true);
        move("bob", rows[i].bob, rows[i].mailed);
        const json_t *domain = domain_of(json);
        ck_assert_int_eq(domain != NULL, rows[i].told);
        ck_assert_int_eq(json_is_true(json_object_get(domain, "mailbox")), rows[i].mailbox);
        json_decref(json);
    }
}
END_TEST

static void cases(TCase *tc)
{
    tcase_add_checked_fixture(tc, begin, end);
    tcase_add_test(tc, one_house_and_the_same_minutes);
    tcase_add_test(tc, turns_missed_together);
    tcase_add_test(tc, what_is_kept);
    tcase_add_test(tc, nobody_else_s_mail_counts);
    tcase_add_test(tc, who_concerns_whom);
    tcase_add_test(tc, who_could_be_signed_for_by_one_administrator);
}
TEST_MAIN("publish/suspicion", cases)
