/* A player whose file is damaged or gone: that one is left out, everybody else goes on, and nothing is lost
 * when it is mended. */
#include "engine/absent.h"

#include "engine/house.h"
#include "engine/registration.h"
#include "engine/registry_documents.h"

#define DAY ((int64_t)86400)

static struct house house;
static const char *const both[] = {"anna", "bob"};
static const char *const other[] = {"carol", "robot"};

static void shell(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
static void shell(const char *fmt, ...)
{
    struct str command = STR_INIT;
    va_list args;
    str_addf(&command, "cd %s && ", house.dir);
    va_start(args, fmt);
    str_vaddf(&command, fmt, args);
    va_end(args);
    ck_assert_msg(system(command.p) == 0, "%s", command.p);
    str_release(&command);
}

static void begin(void)
{
    house_open(&house);
    house_option(&house, "[league]", "moderators = carol");
    house_restart(&house);
    house_player(&house, "anna");
    house_player(&house, "bob");
    house_player(&house, "carol");
    house_game(&house, "gc-1", "galaxy-command", DAY, 2, both);
    house_game(&house, "gc-2", "galaxy-command", DAY, 2, other);
    house_empty_spool(&house);
}

static void end(void)
{
    house_close(&house);
}

static enum intake_fate sends(const char *who, const char *game)
{
    char text[120];
    struct str body = STR_INIT;
    (void)snprintf(text, sizeof text, "#turnpost orders\ngame: %s\nturn: %d\nbide\n#end\n", game,
                   house_find(&house, game)->turn);
    house_sign(&house, who, text, &body);
    enum intake_fate fate = house_mail(&house, who, "orders", body.p);
    str_release(&body);
    return fate;
}

static void clock_runs(int64_t seconds)
{
    struct err err = ERR_INIT;
    bool more = true;
    house.now += seconds;
    ck_ok(batch_round(&house.batch, house.now, &err), err);
    house.batch.outside.down_from = 0; /* no outage is meant */
    while (more)
        ck_ok(batch_clock(&house.batch, 100, &more, &err), err);
    ck_ok(batch_round_done(&house.batch, &err), err);
    batch_reset(&house.batch, true);
}

/* Every kind of damage. */
static const char *const damages[] = {
    "cp players/bob.json . && echo '{' >players/bob.json",
    "cp players/bob.json . && : >players/bob.json",
    "cp players/bob.json . && sed -i 's/bob@example.net/bob example net/' players/bob.json",
    "mv players/bob.json . && mkdir players/bob.json",
    "mv players/bob.json . && ln -s bob.json players/bob.json", /* as what nobody may read */
};
#define DAMAGES (sizeof damages / sizeof *damages)

static void damage(size_t how)
{
    house_end(&house);
    shell("%s", damages[how]);
    house_begin(&house);
    ck_assert_uint_eq(house.batch.damaged, 1);
}

static void mend(void)
{
    house_end(&house);
    shell("rm -rf players/bob.json && mv bob.json players/");
    house_begin(&house);
    ck_assert_uint_eq(house.batch.damaged, 0);
}

START_TEST(the_others_go_on)
{
    damage((size_t)_i);
    ck_assert_int_eq(sends("carol", "gc-2"), INTAKE_PROCESSED);
    ck_assert_int_eq(house_find(&house, "gc-2")->turn, 2);
    house_empty_spool(&house);
    ck_assert_int_eq(sends("bob", "gc-1"), INTAKE_KEPT); /* and no stranger's answer */
    house_told(&house, "bob", 0, NULL);
    ck_assert_int_eq(sends("anna", "gc-1"), INTAKE_PROCESSED);
    ck_assert_int_eq(house_find(&house, "gc-1")->turn, 1);
    mend();
    ck_assert_int_eq(sends("bob", "gc-1"), INTAKE_PROCESSED);
    ck_assert_int_eq(house_find(&house, "gc-1")->turn, 2);
    ck_assert_int_eq(house_find(&house, "gc-1")->seat[2].missed, 0);
}
END_TEST

/* The turn is held, and goes on by itself when the file is mended: also if all orders were in. */
START_TEST(the_turn_waits)
{
    if (_i) /* they come before the damage: the report would not reach him */
        ck_assert_int_eq(sends("bob", "gc-1"), INTAKE_PROCESSED);
    damage(0);
    ck_assert_int_eq(sends("anna", "gc-1"), INTAKE_PROCESSED);
    house_empty_spool(&house);
    clock_runs(DAY + 3600);
    ck_assert_int_eq(house_find(&house, "gc-1")->turn, 1);
    ck_assert(house_find(&house, "gc-1")->held);
    house_told(&house, "anna", 1, "The league has lost its record of bob");
    house_same(&house, "gc-1");
    mend();
    if (!_i)
        ck_assert_int_eq(sends("bob", "gc-1"), INTAKE_PROCESSED);
    clock_runs(60);
    ck_assert_int_eq(house_find(&house, "gc-1")->turn, 2);
    ck_assert_int_eq(house_find(&house, "gc-1")->seat[2].missed, 0);
}
END_TEST

/* Nobody takes the name over, and mails that are not signed wait, too, while the address can be read. */
START_TEST(the_name_is_kept)
{
    struct err refusal = ERR_INIT;
    house_end(&house);
    shell("cp players/bob.json . && sed -i 's/true/maybe/; s/false/maybe/' players/bob.json");
    house_begin(&house);
    ck_assert_int_eq(registration_name(&house.batch, "bob", &refusal), -1);
    err_clear(&refusal);
    ck_assert_int_eq(registration_name(&house.batch, "b0b", &refusal), -1);
    ck_assert_int_eq(house_mail(&house, "bob", "help", "help\r\n"), INTAKE_KEPT);
    ck_assert_int_eq(house_mail(&house, "bobby", "help", "help\r\n"), INTAKE_PROCESSED);
    mend();
}
END_TEST

static void note(void *arg, const char *player, const char *game)
{
    str_addf(arg, "%s in %s.", player, game);
}

/* A file that is gone is named with a game, and the journal still has it. */
START_TEST(a_missing_one_is_named)
{
    struct err err = ERR_INIT;
    struct str said = STR_INIT, text = STR_INIT;
    json_t *document = NULL;
    int64_t time = 0;
    struct player player;
    ck_ok(absent_each(house.batch.catalog, &house.batch.registry, note, &said, &err), err);
    ck_assert_uint_eq(said.len, 0);
    house_end(&house);
    shell("mv players/bob.json .");
    house_begin(&house);
    ck_ok(absent_each(house.batch.catalog, &house.batch.registry, note, &said, &err), err);
    ck_assert_str_eq(said.p, "bob in gc-1.");
    /* A text of theirs that is no orders used to end the program. */
    ck_assert_int_eq(house_signed(&house, "bob", "bob", "#turnpost prefs\njson: yes\n#end\n"), INTAKE_KEPT);
    ck_ok(registry_document(house.dir, "players/bob.json", house.league.key.point, &document, &time, &err),
          err);
    ck_assert_int_eq(time, HOUSE_NOON);
    json_write(&text, document);
    ck_ok(player_read(slice_str(&text), "bob", "bob", &player, &err), err);
    ck_assert_str_eq(player.address, "bob@example.net");
    json_decref(document);
    str_release(&said);
    str_release(&text);
    mend();
}
END_TEST

/* So are keys. */
START_TEST(damaged_keys)
{
    house_end(&house);
    shell("cp keys/bob.pub . && echo 'ssh-ed25519 AAAA' >keys/bob.pub && echo x >'keys/No Name.pub' && mkdir "
          "keys/dir.pub");
    house_begin(&house);
    ck_assert(keyring_damaged(&house.batch.keyring, "bob"));
    ck_assert_uint_eq(house.batch.keyring.fault_count, 3);
    ck_assert_int_eq(sends("carol", "gc-2"), INTAKE_PROCESSED);
    ck_assert_int_eq(sends("bob", "gc-1"), INTAKE_KEPT);
    house_end(&house);
    shell("mv bob.pub keys/ && rm -r 'keys/No Name.pub' keys/dir.pub");
    house_begin(&house);
    ck_assert_int_eq(sends("bob", "gc-1"), INTAKE_PROCESSED);
}
END_TEST

/* What does not belong there stops nothing. */
START_TEST(strays)
{
    house_end(&house);
    shell("mkdir -p spool/tmp/folder spool/tmp/gc-1.1.1.eml spool/new/folder games/empty tokens/i1.json "
          "tokens/folder && "
          "echo x >games/note.txt && echo x >'players/No Name.json' && mkdir players/old && "
          "ln -s journal.jsonl games/gc-2/x && mkdir games/loop && ln -s journal.jsonl "
          "games/loop/journal.jsonl");
    shell("rm -f catalog.sqlite*");
    house_begin(&house);
    ck_assert_uint_eq(house.batch.broken, 1); /* the one that nobody may read: its mails wait */
    ck_assert_uint_eq(house.batch.damaged, 0);
    house.batch.broken = 0;
    ck_assert_int_eq(sends("carol", "gc-2"), INTAKE_PROCESSED);
    struct err err = ERR_INIT;
    struct batch_game *entry;
    ck_assert_int_eq(batch_game(&house.batch, "loop", &entry, &err), -1);
    ck_assert_int_ne(err.code, ERR_MISSING);
    shell("test -d spool/tmp/folder && test -d spool/tmp/gc-1.1.1.eml && rm -r games/loop games/note.txt "
          "games/empty");
    batch_reset(&house.batch, false);
}
END_TEST

static void cases(TCase *tc)
{
    tcase_add_checked_fixture(tc, begin, end);
    tcase_add_loop_test(tc, the_others_go_on, 0, (int)DAMAGES);
    tcase_add_loop_test(tc, the_turn_waits, 0, 2);
    tcase_add_test(tc, the_name_is_kept);
    tcase_add_test(tc, a_missing_one_is_named);
    tcase_add_test(tc, damaged_keys);
    tcase_add_test(tc, strays);
}
TEST_MAIN("engine/absent", cases)
