/* A player whose file is damaged or gone: that one is left out, everybody else goes on, and nothing is lost
 * when it is mended. */
#include "batch/absent.h"

#include "house/house.h"
#include "petitions/registration.h"
#include "league/registry_documents.h"

#define DAY ((int64_t)86400)

static struct house house;
static struct err refusal;
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

/* May somebody new be called that? */
static bool is_free(const char *name)
{
    struct err err = ERR_INIT;
    err_clear(&refusal);
    ck_ok(registration_name(&house.batch, name, &refusal, &err), err);
    return !refusal.code;
}

/* Nobody takes the name over, and mails that are not signed wait, too, while the address can be read. */
START_TEST(the_name_is_kept)
{
    house_end(&house);
    shell("cp players/bob.json . && sed -i 's/true/maybe/; s/false/maybe/' players/bob.json");
    house_begin(&house);
    ck_assert(!is_free("bob"));
    ck_assert(!is_free("b0b"));
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
    struct registry_found found;
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
    ck_ok(registry_document(house.dir, "players/bob.json", house.league.key.point, &found, &err), err);
    ck_assert_int_eq(found.time, HOUSE_NOON);
    json_write(&text, found.document);
    ck_ok(player_read(slice_str(&text), "bob", "bob", &player, &err), err);
    ck_assert_str_eq(player.address, "bob@example.net");
    json_decref(found.document);
    str_release(&said);
    str_release(&text);
    mend();
}
END_TEST

/* What may be left of a player whose file is gone; each is enough to keep the name. */
static const struct {
    const char *what, *command;
} traces[] = {
    {"all but the file", "true"},
    {"damaged keys, and a seat", "echo 'ssh-ed25519 AAAA' >keys/bob.pub"},
    {"a seat, and the registry's journal", "rm keys/bob.pub"},
    {"a seat", "rm -r keys/bob.pub registry"},
    {"a seat, without the catalog", "rm -r keys/bob.pub registry catalog.sqlite*"},
    {"keys", "rm -r registry games/gc-1 catalog.sqlite*"},
    {"damaged keys", "rm -r registry games/gc-1 catalog.sqlite* && echo x >keys/bob.pub"},
    {"the registry's journal", "rm -r keys/bob.pub games/gc-1 catalog.sqlite*"},
    {"a file without a key", "rm -r registry games/gc-1 catalog.sqlite* && : >keys/bob.pub"},
};
#define TRACES (sizeof traces / sizeof *traces)

/* By mail nobody becomes somebody who has been here, or one who looks like them. */
START_TEST(the_name_of_a_missing_one)
{
    house_option(&house, "[league]", "registration = open");
    house_end(&house);
    shell("rm players/bob.json && %s", traces[_i].command);
    house_begin(&house);
    static const char *const names[] = {"bob", "b0b"};
    size_t alike = _i + 1 < (int)TRACES; /* of the last one nothing but the file's name is known */
    for (size_t i = 0; i < 1 + alike; i++) {
        ck_assert_msg(!is_free(names[i]), "%s: %s was taken", traces[_i].what, names[i]);
        ck_assert_msg(strstr(refusal.text, "There is a player bob already") != NULL ||
                          strstr(refusal.text, "looks like that of the player bob") != NULL,
                      "%s: %s", traces[_i].what, refusal.text);
    }
    ck_assert(is_free("bert"));
    (void)house_person(&house, "mallory");
    (void)house_signed(&house, "mallory", "mallory", "#turnpost register\nname: bob\n#end\n");
    house_told(&house, "mallory", 1, "There is a player bob already");
    ck_assert_ptr_null(registry_find(&house.batch.registry, "bob"));
}
END_TEST

/* Who was taken out by the operator has left the name. */
START_TEST(the_name_of_a_removed_one)
{
    struct err err = ERR_INIT;
    struct registry_change change = {.what = "remove", .removed = "dora"};
    house_player(&house, "dora");
    ck_assert(!is_free("dora"));
    ck_ok(batch_change(&house.batch, &change, &err), err);
    ck_ok(batch_commit(&house.batch, &err), err);
    ck_assert(is_free("dora"));
    house_restart(&house);
    ck_assert(is_free("dora"));
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

static const char *const lost_keys[] = {
    "cp keys/bob.pub . && echo 'ssh-ed25519 AAAA' >keys/bob.pub",
    "mv keys/bob.pub . && mkdir keys/bob.pub",
    "mv keys/bob.pub . && ln -s bob.pub keys/bob.pub",
    "mv keys/bob.pub .",
    "cp keys/bob.pub . && : >keys/bob.pub",
    "cp keys/bob.pub . && echo '# none so far' >keys/bob.pub",
};
#define LOST_KEYS (sizeof lost_keys / sizeof *lost_keys)

/* His orders may be among the mails that wait, or come: the turn is held, and goes on when they are mended.
 */
START_TEST(the_turn_waits_for_keys)
{
    house_end(&house);
    shell("%s", lost_keys[_i]);
    house_begin(&house);
    ck_assert_uint_eq(house.batch.damaged, 1);
    ck_assert_int_eq(sends("bob", "gc-1"), INTAKE_KEPT);
    ck_assert_int_eq(sends("anna", "gc-1"), INTAKE_PROCESSED);
    ck_assert_int_eq(sends("carol", "gc-2"), INTAKE_PROCESSED);
    ck_assert_int_eq(house_find(&house, "gc-2")->turn, 2);
    house_empty_spool(&house);
    clock_runs(DAY + 3600);
    ck_assert_int_eq(house_find(&house, "gc-1")->turn, 1);
    ck_assert(house_find(&house, "gc-1")->held);
    house_told(&house, "anna", 1, "The league has lost its record of bob");
    house_restart(&house); /* still so */
    clock_runs(60);
    ck_assert_int_eq(house_find(&house, "gc-1")->turn, 1);
    house_end(&house);
    shell("rm -rf keys/bob.pub && mv bob.pub keys/");
    house_begin(&house);
    ck_assert_uint_eq(house.batch.damaged, 0);
    ck_assert_int_eq(sends("bob", "gc-1"), INTAKE_PROCESSED);
    clock_runs(60);
    ck_assert_int_eq(house_find(&house, "gc-1")->turn, 2);
    ck_assert_int_eq(house_find(&house, "gc-1")->seat[2].missed, 0);
}
END_TEST

/* Whose is it? Both wait who have no other key, and all mails by it. */
START_TEST(keys_in_two_files)
{
    house_end(&house);
    shell("cp keys/carol.pub . && cp keys/bob.pub keys/carol.pub");
    house_begin(&house);
    ck_assert_uint_eq(house.batch.damaged, 2);
    ck_assert_int_eq(sends("anna", "gc-1"), INTAKE_PROCESSED);
    ck_assert_int_eq(sends("bob", "gc-1"), INTAKE_KEPT);
    clock_runs(DAY + 3600);
    ck_assert_int_eq(house_find(&house, "gc-1")->turn, 1);
    ck_assert_int_eq(house_find(&house, "gc-2")->turn, 1);
    ck_assert(house_find(&house, "gc-1")->held && house_find(&house, "gc-2")->held);
    house_end(&house);
    shell("mv carol.pub keys/");
    house_begin(&house);
    ck_assert_uint_eq(house.batch.damaged, 0);
    ck_assert_int_eq(sends("bob", "gc-1"), INTAKE_PROCESSED);
    ck_assert_int_eq(house_find(&house, "gc-1")->seat[2].missed, 0);
}
END_TEST

/* A copy that somebody put aside in the folder is no player's. */
START_TEST(keys_in_a_copy)
{
    house_end(&house);
    shell("cp keys/bob.pub keys/bob-old.pub");
    house_begin(&house);
    ck_assert_uint_eq(house.batch.damaged, 0);
    ck_assert_uint_eq(house.batch.keyring.fault_count, 1);
    ck_assert_int_eq(sends("bob", "gc-1"), INTAKE_PROCESSED);
}
END_TEST

/* Somebody asks for bob's account; his veto lies in the mailbox while his files cannot be read. */
START_TEST(a_veto_is_waited_for)
{
    static const char *const how[] = {"echo '{' >players/bob.json", ": >keys/bob.pub"};
    struct pubkey key;
    struct str rekey = STR_INIT;
    int64_t asked = house.now;
    secret_public(house_person(&house, "mallory"), &key);
    str_adds(&rekey, "#turnpost rekey\nplayer: bob\nkey: ");
    pubkey_format(&rekey, &key);
    str_adds(&rekey, "\nwhy: lost\n#end\n");
    (void)house_signed(&house, "carol", "carol", rekey.p);
    ck_assert(registry_find(&house.batch.registry, "bob")->rekey.time == asked + REKEY_WAIT);
    house_end(&house);
    shell("cp players/bob.json . && cp keys/bob.pub . && %s", how[_i]);
    house.now += DAY;
    house_begin(&house);
    house_clock(&house, asked + 3 * DAY);
    house_end(&house);
    shell("mv bob.json players/ && if test -s keys/bob.pub; then rm bob.pub; else mv bob.pub keys/; fi");
    house_begin(&house);
    house_restart(&house);                     /* which reads what was written of it */
    house_clock(&house, house.now + DAY - 10); /* what was left */
    ck_assert_ptr_null(keyring_owner(&house.batch.keyring, &key));
    ck_assert_int_eq(house_signed(&house, "bob", "bob", "#turnpost veto\n#end\n"), INTAKE_PROCESSED);
    house_clock(&house, house.now + 3 * DAY);
    ck_assert_ptr_null(keyring_owner(&house.batch.keyring, &key));
    str_release(&rekey);
}
END_TEST

/* It is their key, wherever they write from. */
START_TEST(mails_from_elsewhere_wait)
{
    house_end(&house);
    shell("%s", lost_keys[_i]);
    house_begin(&house);
    ck_assert_int_eq(house_signed(&house, "elsewhere", "bob", "#turnpost prefs\njson: yes\n#end\n"),
                     INTAKE_KEPT);
    (void)house_person(&house, "mallory");
    ck_assert_int_eq(house_signed(&house, "elsewhere", "mallory", "#turnpost prefs\njson: yes\n#end\n"),
                     INTAKE_REJECTED);
}
END_TEST

/* New keys in their place are as good: the games wake at once. */
START_TEST(new_keys_end_it)
{
    struct err err = ERR_INIT;
    struct pubkey key;
    house_end(&house);
    shell("echo 'ssh-ed25519 AAAA' >keys/bob.pub");
    house_begin(&house);
    ck_assert_int_eq(sends("anna", "gc-1"), INTAKE_PROCESSED);
    clock_runs(DAY + 3600);
    ck_assert(house_find(&house, "gc-1")->held);
    secret_public(house_person(&house, "robert"), &key);
    struct registry_change change = {.what = "key", .key_owner = "bob", .keys = &key, .key_count = 1};
    ck_ok(batch_change(&house.batch, &change, &err), err);
    ck_ok(batch_commit(&house.batch, &err), err);
    batch_reset(&house.batch, true);
    ck_assert(!keyring_damaged(&house.batch.keyring, "bob"));
    clock_runs(60);
    ck_assert_int_eq(house_find(&house, "gc-1")->turn, 2);
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
    tcase_add_loop_test(tc, the_name_of_a_missing_one, 0, (int)TRACES);
    tcase_add_test(tc, the_name_of_a_removed_one);
    tcase_add_test(tc, damaged_keys);
    tcase_add_loop_test(tc, the_turn_waits_for_keys, 0, (int)LOST_KEYS);
    tcase_add_loop_test(tc, mails_from_elsewhere_wait, 0, (int)LOST_KEYS);
    tcase_add_loop_test(tc, a_veto_is_waited_for, 0, 2);
    tcase_add_test(tc, keys_in_two_files);
    tcase_add_test(tc, keys_in_a_copy);
    tcase_add_test(tc, new_keys_end_it);
    tcase_add_test(tc, strays);
}
TEST_MAIN("batch/absent", cases)
