/* A player leaves the league: "erase". What names their address is gone from the whole folder, whatever crashes. */
#include "house/scene.h"

static void begin(void)
{
    scene("mona");
    house_player(&house, "dora");
}

static void send(const char *who, const char *verb, const char *lines)
{
    char text[400];
    (void)snprintf(text, sizeof text, "#turnpost %s\n%s#end\n", verb, lines);
    (void)house_signed(&house, who, who, text);
}

__attribute__((format(printf, 1, 2))) static int shell(const char *fmt, ...)
{
    struct str command = STR_INIT;
    va_list args;
    str_addf(&command, "cd %s && ", house.dir);
    va_start(args, fmt);
    str_vaddf(&command, fmt, args);
    va_end(args);
    int status = system(command.p);
    str_release(&command);
    return status;
}

/* Is this address anywhere in the league's folder, in whatever form a file has? */
static bool stands(const char *address)
{
    return shell("grep -rqiaF '%s' . || ls -R | grep -qiF '%s'", address, address) == 0;
}

/* Carol has a second address, mails in the log, a seat that she has given up, and a mail that waits. */
static void carol_lives_here(void)
{
    struct err err = ERR_INIT;
    struct player player = *registry_find(&house.batch.registry, "carol");
    const struct registry_change change = {.what = "address", .player = &player};
    (void)snprintf(player.address2, sizeof player.address2, "carol@home.example.org");
    ck_ok(batch_change(&house.batch, &change, &err), err);
    ck_ok(batch_commit(&house.batch, &err), err);
    batch_reset(&house.batch, true);
    (void)new_game(3);
    send("carol", "prefs", "# from carol@example.net, as ever\njson: yes\n");
    (void)house_mail(&house, "carol", "help", "");
    (void)house_mail(&house, "carol", "nonsense", "What is carol@example.net to do?\n");
    send("carol", "resign", "game: gc-1\n");
    ck_assert(stands("carol@example.net"));
    ck_assert_int_ne(shell("grep -q example.net registry/journal.jsonl"), 0);
}

static void carol_is_gone(void)
{
    ck_assert(!stands("carol@example.net"));
    ck_assert(!stands("carol@home.example.org"));
    ck_assert_ptr_null(registry_find(&house.batch.registry, "carol"));
    ck_assert_int_ne(shell("ls registry/sealing/carol players/carol.json keys/carol.pub 2>/dev/null"), 0);
    ck_assert_int_eq(shell("ls registry/sealing/anna registry/sealing/bob >/dev/null"), 0);
}

START_TEST(no_address_is_left)
{
    struct str mails;
    carol_lives_here();
    send("carol", "erase", "player: carol\n");
    ck_assert_int_eq(house_mails(&house, "carol", &mails), 1); /* the others that waited for her are gone */
    ck_assert_ptr_nonnull(strstr(mails.p, "You are no player of this league any more, carol"));
    str_release(&mails);
    house_empty_spool(&house);
    carol_is_gone();
    house_restart(&house);
    carol_is_gone();
    ck_assert(stands("anna@example.net"));
    ck_assert_str_eq(game_now()->seat[3].player, "carol"); /* her name stays where others rest on it */
}
END_TEST

/* Nor one that she has only asked for: the mail that asks it waits, was tried, or was refused with words that name
 * it. */
START_TEST(no_address_that_was_never_proved)
{
    struct catalog_delivery refused = {.state = DELIVERY_REFUSED, .when = house.now};
    struct err err = ERR_INIT;
    carol_lives_here();
    send("carol", "prefs", "second: Carol@new.example.org\n");
    ck_assert(stands("carol@new.example.org"));
    (void)snprintf(refused.mail, sizeof refused.mail, "registry.3.1");
    (void)snprintf(refused.words, sizeof refused.words, "550 <carol@new.example.org>: unknown");
    ck_ok(catalog_deliver(house.batch.catalog, &refused, &err), err);
    ck_assert_int_eq(shell("cp spool/new/*.eml spool/failed/ && for m in spool/failed/*.eml; do"
                           " echo '550 carol@new.example.org' >${m%%.eml}.why; done"),
                     0);
    send("carol", "erase", "player: carol\n");
    house_empty_spool(&house);
    ck_assert(!stands("carol@new.example.org"));
    carol_is_gone();
}
END_TEST

START_TEST(not_by_mistake)
{
    carol_lives_here();
    house_empty_spool(&house);
    send("dora", "erase", "player: carol\n");
    told_all("dora", 1, "put in the line \"player: dora\"");
    send("anna", "erase", "player: anna\n");
    told_all("anna", 1, "You have a seat in game gc-1");
    send("carol", "erase", "");
    told_all("carol", 1, "put in the line \"player: carol\"");
    ck_assert_ptr_nonnull(registry_find(&house.batch.registry, "carol"));
}
END_TEST

/* The record is there; the process died before anything that follows from it was done. */
START_TEST(a_crash_after_the_record)
{
    carol_lives_here();
    ck_assert_int_eq(shell("mkdir kept && cp -a players keys registry spool kept"), 0);
    send("carol", "erase", "player: carol\n");
    house_end(&house);
    ck_assert_int_eq(shell("cp registry/journal.jsonl kept/registry && rm -r players keys registry spool && "
                           "mv kept/* . && rmdir kept"),
                     0);
    ck_assert(stands("carol@example.net"));
    house_begin(&house);
    house_empty_spool(&house);
    carol_is_gone();
}
END_TEST

/* All records are applied again, those too that nobody can read any more. */
START_TEST(the_journal_without_her_key)
{
    carol_lives_here();
    send("carol", "erase", "player: carol\n");
    house_empty_spool(&house);
    house_end(&house);
    ck_assert_int_eq(shell("rm registry/applied players/anna.json"), 0);
    house_begin(&house);
    carol_is_gone();
    ck_assert_str_eq(registry_find(&house.batch.registry, "anna")->address, "anna@example.net");
    house_player(&house, "carol"); /* somebody of this name, with a key of their own */
    house_end(&house);
    ck_assert_int_eq(shell("rm registry/applied players/carol.json"), 0);
    house_begin(&house);
    ck_assert_str_eq(registry_find(&house.batch.registry, "carol")->address, "carol@example.net");
}
END_TEST

/* Not erased but lost: nothing is made up, and the sentence says what to do. */
START_TEST(a_key_that_is_lost)
{
    struct err err = ERR_INIT;
    struct registry_log log;
    house_end(&house);
    ck_assert_int_eq(shell("cp -a registry kept && rm registry/applied registry/sealing/dora"), 0);
    ck_ok(league_open(house.dir, true, &house.league, &err), err);
    ck_assert_int_eq(registry_log_open(&log, house.dir, &err), -1);
    ck_assert_int_eq(err.code, ERR_BROKEN);
    ck_assert_ptr_nonnull(strstr(err.text, "players/dora.json cannot be written again"));
    err_clear(&err);
    ck_assert_int_eq(shell("cp registry/sealing/anna registry/sealing/dora"), 0);
    ck_assert_int_eq(registry_log_open(&log, house.dir, &err), -1);
    ck_assert_ptr_nonnull(strstr(err.text, "players/dora.json cannot be written again"));
    league_close(&house.league);
    ck_assert_int_eq(shell("rm -r registry && mv kept registry"), 0);
    house_begin(&house);
}
END_TEST

static void cases(TCase *tc)
{
    tcase_add_checked_fixture(tc, begin, end);
    tcase_add_test(tc, no_address_is_left);
    tcase_add_test(tc, no_address_that_was_never_proved);
    tcase_add_test(tc, not_by_mistake);
    tcase_add_test(tc, a_crash_after_the_record);
    tcase_add_test(tc, the_journal_without_her_key);
    tcase_add_test(tc, a_key_that_is_lost);
}

TEST_MAIN("petitions/erase", cases)
