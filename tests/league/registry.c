#include "scratch.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/file.h"
#include "league/address.h"
#include "league/registry.h"
#include "trust/secret.h"

static char dir[SCRATCH_PATH];
static struct err err;

static void setup(void)
{
    err = (struct err)ERR_INIT;
    scratch_make(dir, "registry");
    char *players = path_join(dir, "players");
    ck_ok(file_mkdirs(players, 0700, &err), err);
    free(players);
}

static void teardown(void)
{
    scratch_remove(dir);
}

static void save(const char *name, const char *address)
{
    struct player player = {.html = true, .since = 1795161600};
    (void)snprintf(player.name, sizeof player.name, "%s", name);
    (void)snprintf(player.address, sizeof player.address, "%s", address);
    ck_ok(player_save(dir, &player, &err), err);
}

static void write_player(const char *name, const char *text)
{
    struct str path = STR_INIT;
    str_addf(&path, "%s/players/%s", dir, name);
    ck_ok(file_write(path.p, slice_of(text), 0600, &err), err);
    str_release(&path);
}

START_TEST(addresses)
{
    static const char *const good[] = {"a@b", "alice@example.org", "first.last+tag@sub.example.org",
                                       "x!#$%&'*+-/=?^_`{|}~@a-b.c", "1@2.3"};
    static const char *const bad[] = {"",
                                      "@",
                                      "a@",
                                      "@b",
                                      "a",
                                      "a b@c.d",
                                      "a@b@c",
                                      ".a@b.c",
                                      "a.@b.c",
                                      "a..b@c.d",
                                      "a@.b",
                                      "a@b.",
                                      "a@b..c",
                                      "a@-b.c",
                                      "a@b-.c",
                                      "a@b_c.d",
                                      "\"a\"@b.c",
                                      "a@[1.2.3.4]",
                                      "<a@b.c>",
                                      "a@b.c,d@e.f",
                                      "a@b.c\n",
                                      "a\r@b.c",
                                      "j\xc3\xb6rg@b.c",
                                      "a@b\xc3\xb6.c",
                                      "a(x)@b.c"};
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        char *text = strdup(good[i]);
        ck_assert_msg(address_check(text, &err) == 0, "%s: %s", good[i], err.text);
        ck_assert_str_eq(text, good[i]);
        free(text);
    }
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        char *text = strdup(bad[i]);
        ck_assert_msg(address_check(text, &err) == -1, "\"%s\" was taken", bad[i]);
        ck_assert_int_eq(err.code, ERR_INPUT);
        err_clear(&err);
        free(text);
    }
}
END_TEST

/* The second address hears of addresses and keys; of what was done by mail alone as well; and of no news. */
START_TEST(what_a_second_address_is_told)
{
    struct player anna;
    player_init(&anna);
    ck_assert_str_eq(player_second(&anna, HEARS_ACCOUNT), "");
    (void)snprintf(anna.address2, sizeof anna.address2, "anna@second.test");
    ck_assert_str_eq(player_second(&anna, HEARS_ACCOUNT), anna.address2);
    ck_assert_str_eq(player_second(&anna, HEARS_DONE), ""); /* her key has signed it */
    ck_assert_str_eq(player_second(&anna, HEARS_NEWS), "");
    anna.by_mail = true;
    ck_assert_str_eq(player_second(&anna, HEARS_ACCOUNT), anna.address2);
    ck_assert_str_eq(player_second(&anna, HEARS_DONE), anna.address2);
    ck_assert_str_eq(player_second(&anna, HEARS_NEWS), "");
}
END_TEST

START_TEST(long_addresses)
{
    struct str text = STR_INIT;
    for (int i = 0; i < 64; i++)
        str_addc(&text, 'a');
    str_adds(&text, "@");
    for (int i = 0; i < 63; i++)
        str_addc(&text, 'b');
    ck_ok(address_check(text.p, &err), err);
    str_addc(&text, 'b');
    ck_assert_int_eq(address_check(text.p, &err), -1);
    err_clear(&err);
    str_cut(&text, text.len - 1);
    for (int i = 0; i < 21; i++)
        str_adds(&text, ".Cccc.Q");
    str_cut(&text, 254);
    ck_ok(address_check(text.p, &err), err);
    ck_assert_ptr_null(strchr(text.p, 'C'));
    str_addc(&text, 'x');
    ck_assert_int_eq(address_check(text.p, &err), -1);
    str_release(&text);
}
END_TEST

START_TEST(the_domain_becomes_lower_case)
{
    char text[] = "Alice.Smith@EXAMPLE.Org";
    ck_ok(address_check(text, &err), err);
    ck_assert_str_eq(text, "Alice.Smith@example.org");
}
END_TEST

START_TEST(a_player_comes_back_as_saved)
{
    struct player player = {.html = false, .json = true, .since = 1795161600};
    struct player back;
    (void)snprintf(player.name, sizeof player.name, "alice");
    (void)snprintf(player.address, sizeof player.address, "alice@example.org");
    ck_ok(player_save(dir, &player, &err), err);
    ck_ok(player_load(dir, "alice", &back, &err), err);
    ck_assert_str_eq(back.name, "alice");
    ck_assert_str_eq(back.address, "alice@example.org");
    ck_assert(!back.html && back.json);
    ck_assert_int_eq(back.since, 1795161600);
    struct stat st;
    struct str path = STR_INIT;
    str_addf(&path, "%s/players/alice.json", dir);
    ck_assert_int_eq(stat(path.p, &st), 0);
    ck_assert_uint_eq(st.st_mode & 0777, 0600);
    str_release(&path);
    ck_assert_int_eq(player_load(dir, "bob", &back, &err), -1);
    ck_assert_int_eq(err.code, ERR_MISSING);
    err_clear(&err);
    ck_assert_int_eq(player_load(dir, "../alice", &back, &err), -1);
    ck_assert_int_eq(err.code, ERR_MISSING);
}
END_TEST

START_TEST(every_member_comes_back)
{
    struct player player, back;
    struct secret secret;
    player_init(&player);
    (void)snprintf(player.name, sizeof player.name, "alice");
    (void)snprintf(player.address, sizeof player.address, "alice@example.org");
    (void)snprintf(player.address2, sizeof player.address2, "al@example.net");
    (void)snprintf(player.zone, sizeof player.zone, "Asia/Kathmandu");
    player.digest = true;
    player.reminder_hours = 0;
    player.invites = 3;
    player.invite_month = 24320;
    player.since = 1795161600;
    player.rekey.time = 1795334400;
    player.rekey.asked = 1794729600;
    player.leaves = 1795300000;
    player.leave_asked = 1795040800;
    secret_new(&secret);
    secret_public(&secret, &player.rekey.key);
    (void)snprintf(player.rekey.by, sizeof player.rekey.by, "bob");
    ck_ok(player_save(dir, &player, &err), err);
    ck_ok(player_load(dir, "alice", &back, &err), err);
    ck_assert_str_eq(back.address2, "al@example.net");
    ck_assert_str_eq(back.zone, "Asia/Kathmandu");
    ck_assert(back.html && !back.json && back.digest);
    ck_assert_int_eq(back.reminder_hours, 0);
    ck_assert_int_eq(back.invites, 3);
    ck_assert_int_eq(back.invite_month, 24320);
    ck_assert_int_eq(back.rekey.time, 1795334400);
    ck_assert_int_eq(back.rekey.asked, 1794729600);
    ck_assert_int_eq(back.leaves, 1795300000);
    ck_assert_int_eq(back.leave_asked, 1795040800);
    ck_assert(pubkey_equal(&back.rekey.key, &player.rekey.key));
    ck_assert_str_eq(back.rekey.by, "bob");
    ck_assert(player_has_address(&back, "AL@example.NET") && player_has_address(&back, "alice@example.org"));
    ck_assert(!player_has_address(&back, "") && !player_has_address(&back, "x@example.org"));
}
END_TEST

/* As former versions wrote it. */
START_TEST(a_document_without_them_has_the_defaults)
{
    struct player player;
    write_player("alice.json", "{\"name\":\"alice\",\"address\":\"a@b.c\",\"html\":false,\"json\":true,"
                               "\"since\":\"2026-11-20T08:00:00Z\"}");
    ck_ok(player_load(dir, "alice", &player, &err), err);
    ck_assert(!player.html && player.json && !player.digest);
    ck_assert_int_eq(player.reminder_hours, -1);
    ck_assert_str_eq(player.address2, "");
    ck_assert_str_eq(player.zone, "");
    ck_assert_int_eq(player.rekey.time, 0);
}
END_TEST

START_TEST(a_player_is_found_by_both_addresses_and_taken_away)
{
    struct registry registry;
    struct player player;
    save("zoe", "zoe@example.org");
    save("bob", "bob@example.org");
    ck_ok(registry_load(dir, &registry, &err), err);
    player = *registry_find(&registry, "zoe");
    (void)snprintf(player.address2, sizeof player.address2, "aa@example.org");
    registry_put(&registry, &player);
    ck_assert_str_eq(registry_by_address(&registry, "aa@example.org")->name, "zoe");
    ck_assert_str_eq(registry_by_address(&registry, "zoe@example.org")->name, "zoe");
    ck_assert_str_eq(registry_by_address(&registry, "bob@example.org")->name, "bob");
    registry_remove(&registry, "nobody");
    registry_remove(&registry, "zoe");
    ck_assert_ptr_null(registry_by_address(&registry, "aa@example.org"));
    ck_assert_ptr_null(registry_find(&registry, "zoe"));
    ck_assert_str_eq(registry_by_address(&registry, "bob@example.org")->name, "bob");
    registry_release(&registry);
}
END_TEST

START_TEST(names_of_players)
{
    static const char *const bad[] = {"",      "Alice", "a b", "league", "all",
                                      "robot", "..",    "-a",  "a/b",    "abcdefghijklmnopqrstuvwxyz0123456"};
    ck_ok(player_name_check("alice", &err), err);
    ck_ok(player_name_check("0-a.b_c", &err), err);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        ck_assert_msg(player_name_check(bad[i], &err) == -1, "\"%s\" was taken", bad[i]);
        ck_assert_int_eq(err.code, ERR_INPUT);
        err_clear(&err);
    }
}
END_TEST

START_TEST(names_of_new_players)
{
    static const char *const bad[] = {"p1",        "p9",        "p03",       "p12",         "7",
                                      "007",       "seat",      "seat2",     "seat-2",      "public",
                                      "turnpost",  "everybody", "m0derator", "m-oderat0rs", "rob0t",
                                      "opera.tor", "n0b0dy",    "al1ce!"};
    static const char *const good[] = {"alice", "ali", "p", "pa1", "seated", "p3a", "any-body-else", "3a"};
    static const char *const alike[][2] = {{"bob", "b0b"},    {"anna", "an-na"}, {"mary", "rnary"},
                                           {"will", "vvi11"}, {"lil.a", "l1la"}, {"corner", "comer"},
                                           {"anna", "anna"}};
    static const char *const different[][2] = {{"bob", "rob"}, {"anna", "anna2"}, {"nr", "rn"}, {"a", "b"}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        ck_assert_msg(player_name_new(bad[i], &err) == -1, "\"%s\" was taken", bad[i]);
        err_clear(&err);
    }
    for (size_t i = 0; i < sizeof good / sizeof *good; i++)
        ck_ok(player_name_new(good[i], &err), err);
    for (size_t i = 0; i < sizeof alike / sizeof *alike; i++)
        ck_assert_msg(player_names_alike(alike[i][0], alike[i][1]), "%s %s", alike[i][0], alike[i][1]);
    for (size_t i = 0; i < sizeof different / sizeof *different; i++)
        ck_assert_msg(!player_names_alike(different[i][0], different[i][1]), "%s", different[i][0]);
}
END_TEST

/* They came before such names were kept from people. */
START_TEST(players_of_such_names_stay)
{
    struct registry registry;
    save("p3", "three@example.org");
    save("seat2", "two@example.org");
    ck_ok(registry_load(dir, &registry, &err), err);
    ck_assert_ptr_nonnull(registry_find(&registry, "p3"));
    ck_assert_str_eq(registry_alike(&registry, "seat-2")->name, "seat2");
    ck_assert_ptr_null(registry_alike(&registry, "p4"));
    registry_release(&registry);
}
END_TEST

START_TEST(damaged_files_are_named)
{
    static const char *const bad[] = {
        "",
        "{}",
        "[]",
        "{\"name\":\"bob\",\"address\":\"a@b.c\",\"since\":\"2026-11-20T08:00:00Z\"}",
        "{\"name\":\"alice\",\"address\":\"nowhere\",\"since\":\"2026-11-20T08:00:00Z\"}",
        "{\"name\":\"alice\",\"address\":\"a@b.c\",\"since\":\"yesterday\"}",
        "{\"name\":\"alice\",\"address\":\"a@b.c\",\"since\":\"2026-11-20T08:00:00Z\",\"html\":1}",
        "{\"name\":\"alice\",\"address\":\"a@b.c\",\"since\":\"2026-11-20T08:00:00Z\"",
    };
    struct player player;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        write_player("alice.json", bad[i]);
        ck_assert_msg(player_load(dir, "alice", &player, &err) == -1, "case %zu was taken", i);
        ck_assert_int_eq(err.code, ERR_BROKEN);
        ck_assert_ptr_nonnull(strstr(err.text, "players/alice.json"));
        err_clear(&err);
    }
    struct registry registry;
    ck_ok(registry_load(dir, &registry, &err), err);
    ck_assert_uint_eq(registry.count, 0);
    ck_assert_uint_eq(registry.fault_count, 1);
    ck_assert_ptr_nonnull(strstr(registry_damaged(&registry, "alice")->why, "players/alice.json"));
    registry_release(&registry);
    write_player("alice.json",
                 "{\"name\":\"alice\",\"address\":\"a@B.c\",\"since\":\"2026-11-20T08:00:00Z\"}");
    ck_ok(player_load(dir, "alice", &player, &err), err);
    ck_assert_str_eq(player.address, "a@b.c");
    ck_assert(player.html && !player.json);
}
END_TEST

/* In a file that cannot be read an address is looked for as a whole. */
START_TEST(addresses_in_damaged_files)
{
    static const struct {
        const char *text, *address;
        bool stands;
    } cases[] = {
        {"{\"address\":\"joann@example.org\",", "joann@example.org", true},
        {"{\"address\":\"joann@example.org\",", "JoAnn@Example.ORG", true},
        {"{\"address\":\"joann@example.org\",", "ann@example.org", false},
        {"{\"address\":\"jo.ann@example.org\",", "ann@example.org", false},
        {"{\"address\":\"jo+ann@example.org\",", "ann@example.org", false},
        {"{\"address\":\"\xC3\xA9"
         "ann@example.org\",",
         "ann@example.org", false},
        {"{\"address\":\"ann@example.org\",", "ann@example.or", false},
        {"{\"address\":\"ann@example.org.uk\",", "ann@example.org", false},
        {"{\"address\":\"ann@example.org-x.uk\",", "ann@example.org", false},
        {"joann@example.org ann@example.org", "ann@example.org", true},
        {"ann@example.org.uk, ann@example.org.", "ann@example.org", true},
        {"address = 'ann@example.org'", "ann@example.org", true},
        {"address = o'ann@example.org", "ann@example.org", false},
        {"<ann@example.org>", "ann@example.org", true},
        {"ann@example.org", "ann@example.org", true},
        {"ann@example.org", "", false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct registry registry;
        write_player("alice.json", cases[i].text);
        ck_ok(registry_load(dir, &registry, &err), err);
        ck_assert_uint_eq(registry.fault_count, 1);
        ck_assert_msg(registry_damaged_address(&registry, cases[i].address) == cases[i].stands, "%s in %s",
                      cases[i].address, cases[i].text);
        registry_release(&registry);
    }
}
END_TEST

START_TEST(players_are_found_by_name_and_address)
{
    struct registry registry;
    ck_ok(registry_load(dir, &registry, &err), err);
    ck_assert_uint_eq(registry.count, 0);
    ck_assert_ptr_null(registry_find(&registry, "alice"));
    ck_assert_ptr_null(registry_by_address(&registry, "alice@example.org"));
    registry_release(&registry);
    save("zoe", "aaa@example.org");
    save("a-b", "Mid@example.org");
    save("a", "zzz@example.org");
    save("carol", "home@example.org");
    save("bob", "home@example.org");
    write_player("notes.txt", "not a player");
    ck_ok(registry_load(dir, &registry, &err), err);
    ck_assert_uint_eq(registry.count, 5);
    ck_assert_str_eq(registry.players[0].name, "a");
    ck_assert_str_eq(registry.players[1].name, "a-b");
    ck_assert_str_eq(registry.players[4].name, "zoe");
    static const char *const names[] = {"a", "a-b", "bob", "carol", "zoe"};
    for (size_t i = 0; i < 5; i++)
        ck_assert_ptr_nonnull(registry_find(&registry, names[i]));
    ck_assert_ptr_null(registry_find(&registry, "dave"));
    ck_assert_str_eq(registry_by_address(&registry, "aaa@example.org")->name, "zoe");
    ck_assert_str_eq(registry_by_address(&registry, "ZZZ@EXAMPLE.ORG")->name, "a");
    ck_assert_str_eq(registry_by_address(&registry, "mid@example.org")->name, "a-b");
    ck_assert_str_eq(registry_by_address(&registry, "home@example.org")->name, "bob");
    ck_assert_ptr_null(registry_by_address(&registry, "nobody@example.org"));
    ck_assert_ptr_null(registry_by_address(&registry, ""));
    ck_assert_ptr_null(registry_by_address(&registry, "~@z"));
    registry_release(&registry);
}
END_TEST

START_TEST(addresses_within_texts)
{
    static const char *const there[] = {"anna@example.org",
                                        "(anna@example.org).",
                                        "write to a.b+c@mail.example.org, please",
                                        "anna@m\xC3\xBCller.de",
                                        "m\xC3\xBC@example.org",
                                        ("anna\xEF\xBC\xA0"
                                         "example.org")};
    static const char *const none[] = {"12@3.50", "sell 5@1.5 each", "fleet 3@P4.2", "@ home",
                                       "a@b",     "see you @8.",     "@example.org"};
    for (size_t i = 0; i < sizeof there / sizeof *there; i++)
        ck_assert_msg(address_within(slice_of(there[i])), "%s", there[i]);
    for (size_t i = 0; i < sizeof none / sizeof *none; i++)
        ck_assert_msg(!address_within(slice_of(none[i])), "%s", none[i]);
}
END_TEST

static void cases(TCase *tc)
{
    tcase_add_checked_fixture(tc, setup, teardown);
    tcase_add_test(tc, addresses);
    tcase_add_test(tc, addresses_within_texts);
    tcase_add_test(tc, what_a_second_address_is_told);
    tcase_add_test(tc, long_addresses);
    tcase_add_test(tc, the_domain_becomes_lower_case);
    tcase_add_test(tc, a_player_comes_back_as_saved);
    tcase_add_test(tc, every_member_comes_back);
    tcase_add_test(tc, a_document_without_them_has_the_defaults);
    tcase_add_test(tc, a_player_is_found_by_both_addresses_and_taken_away);
    tcase_add_test(tc, names_of_players);
    tcase_add_test(tc, names_of_new_players);
    tcase_add_test(tc, players_of_such_names_stay);
    tcase_add_test(tc, damaged_files_are_named);
    tcase_add_test(tc, addresses_in_damaged_files);
    tcase_add_test(tc, players_are_found_by_name_and_address);
}
TEST_MAIN("league/registry", cases)
