#include "cluster/kept.h"

#include "suite.h"

/* Which files all hosts share. Secret keys never leave a host. */
START_TEST(which)
{
    static const char *const shared[] = {"",
                                         "spool",
                                         "games/g/journal.jsonl",
                                         "competitions/results/journal.jsonl",
                                         "registry/journal.jsonl",
                                         "registry/rounds",
                                         "players/anna.json",
                                         "keys/anna.pub",
                                         "keys/league.pub",
                                         "keys",
                                         "keys/secret.pub",
                                         "tokens/x.json",
                                         "spool/new/a.eml",
                                         "store/catalog.kept",
                                         "store/catalog.changes"};
    static const char *const own[] = {"league.ini",
                                      "lock",
                                      "keys/secret",
                                      "keys/secret/league",
                                      "keys/secret/vrf",
                                      "keys/secret.bak/league",
                                      "keys/secret/x.pub",
                                      "keys/password",
                                      "catalog.sqlite",
                                      "catalog.sqlite-wal",
                                      "queue/1",
                                      "mail/in/new/1",
                                      "pictures/x.png",
                                      "store/position",
                                      "store/self",
                                      "store/stray/1/games/g/journal.jsonl",
                                      "store/catalog.kept.tmp",
                                      "games/g/state.json",
                                      "competitions/c/state.json",
                                      "players/anna.json.tmp",
                                      "gamesx/journal.jsonl",
                                      "templates/common/help.txt",
                                      "page/index.html"};
    for (size_t i = 0; i < sizeof shared / sizeof *shared; i++)
        ck_assert_msg(kept_file(shared[i]), "%s", shared[i]);
    for (size_t i = 0; i < sizeof own / sizeof *own; i++)
        ck_assert_msg(!kept_file(own[i]), "%s", own[i]);
}
END_TEST

START_TEST(names)
{
    ck_assert_str_eq(kept_name("/l", "/l/games/g"), "games/g");
    ck_assert_str_eq(kept_name("/l", "/l"), "");
    ck_assert_str_eq(kept_name(".", "./games"), "games");
    ck_assert_ptr_null(kept_name("/l", "/l2/games"));
    ck_assert_ptr_null(kept_name("/l", "/m/games"));
}
END_TEST

/* What a database may not make a host write. */
START_TEST(safe)
{
    static const char *const bad[] = {"",
                                      "games",
                                      "games/",
                                      "/etc/passwd",
                                      "../x",
                                      "games/../league.ini",
                                      "games/..",
                                      "games//x",
                                      "games/./x",
                                      "games/g/../../lock",
                                      "league.ini",
                                      "keys/secret/league",
                                      "store/self",
                                      "store/position",
                                      "games/g/state.json",
                                      "games/.hidden",
                                      "catalog.sqlite",
                                      "games/g/x.tmp",
                                      "/",
                                      "/games/g/journal.jsonl",
                                      "..",
                                      "keys/./secret/league",
                                      "keys//secret/league",
                                      "store/./self",
                                      "mail/in/new/1"};
    static const char *const good[] = {"games/g/journal.jsonl",   "spool/new/a.eml",
                                       "store/catalog.kept",      "keys/anna.pub",
                                       "spool/wait/1,0,a..b.eml", "players/a b"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        ck_assert_msg(!kept_safe(bad[i]), "%s", bad[i]);
    for (size_t i = 0; i < sizeof good / sizeof *good; i++)
        ck_assert_msg(kept_safe(good[i]), "%s", good[i]);
}
END_TEST

static void cases(TCase *tc)
{
    tcase_add_test(tc, which);
    tcase_add_test(tc, names);
    tcase_add_test(tc, safe);
}
TEST_MAIN("cluster/kept", cases)
