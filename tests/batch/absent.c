/* A player whose file is damaged or gone: that one is left out, everybody else goes on, and nothing is lost
 * when it is repaired. */
#include "batch/absent.h"
#include "batch/stuck.h"

#include "house/house.h"
#include "batch/making.h"
#include "league/roster.h"
#include "petitions/registration.h"
#include "league/registry_documents.h"

#define DAY ((int64_t)86400)

static struct house house;
static json_t *refusal;
static const char *const both[] = {"anna", "bob"};
static const char *const other[] = {"carol", "robot"};

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
    house_begins_round(&house);
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
    "mv players/bob.json . && ln -s bob.json players/bob.json", /* with a file that nobody may read */
};
#define DAMAGES (sizeof damages / sizeof *damages)

static void damage(size_t how)
{
    house_end(&house);
    house_shell(&house, "%s", damages[how]);
    house_begin(&house);
    ck_assert_uint_eq(house.batch.unheard.damaged, 1);
}

static void mend(void)
{
    house_end(&house);
    house_shell(&house, "rm -rf players/bob.json && mv bob.json players/");
    house_begin(&house);
    ck_assert_uint_eq(house.batch.unheard.damaged, 0);
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

/* The turn is held, and goes on by itself when the file is repaired: also if all orders were in. */
START_TEST(the_turn_waits)
{
    if (_i) /* they come before the damage: the report would not reach him */
        ck_assert_int_eq(sends("bob", "gc-1"), INTAKE_PROCESSED);
    damage(0);
    ck_assert_int_eq(sends("anna", "gc-1"), INTAKE_PROCESSED);
    house_empty_spool(&house);
    clock_runs(DAY + 3600);
    ck_assert_int_eq(house_find(&house, "gc-1")->turn, 1);
    ck_assert(house_find(&house, "gc-1")->clock.held);
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

/* How he loses the turn while his file or his keys are lost. */
static const char *const losses[] = {
    "cp players/bob.json . && cp keys/bob.pub . && echo '{' >players/bob.json",
    "cp players/bob.json . && cp keys/bob.pub . && : >keys/bob.pub",
};

static void lose(int how)
{
    house_end(&house);
    house_shell(&house, "%s", losses[how]);
    house_begin(&house);
    ck_assert_uint_eq(house.batch.unheard.damaged, 1);
}

static void find_again(void)
{
    house_end(&house);
    house_shell(&house, "mv bob.json players/ && mv bob.pub keys/");
    house_begin(&house);
    ck_assert_uint_eq(house.batch.unheard.damaged, 0);
}

/* It lasts longer than the hold: a turn is played without him, and he never sees the report of it. When he is
 * back, the turn that was opened meanwhile is his as well, and he gets the report. */
START_TEST(who_is_back_has_time)
{
    lose(_i);
    for (int days = 0; house_find(&house, "gc-1")->turn == 1; days++) {
        ck_assert_int_lt(days, 12);
        clock_runs(DAY);
    }
    ck_assert_int_eq(house_find(&house, "gc-1")->seat[2].missed, 1);
    ck_assert_int_eq(sends("anna", "gc-1"), INTAKE_PROCESSED);
    clock_runs(DAY + 3600);
    clock_runs(3600);
    ck_assert(house_find(&house, "gc-1")->clock.held);
    house_empty_spool(&house);
    find_again();
    clock_runs(60);
    const struct game *game = house_find(&house, "gc-1");
    ck_assert_int_eq(game->turn, 2);
    ck_assert(!game->clock.held);
    ck_assert_int_eq(game->clock.deadline, house.now + DAY);
    house_same(&house, "gc-1");
    struct str told;
    ck_assert_int_eq(house_mails(&house, "bob", &told), 2);
    ck_assert_msg(house_says(told.p, "The league had lost its record of bob, and has it again"), "%s",
                  told.p);
    ck_assert_msg(house_says(told.p, "This report comes again, because"), "%s", told.p);
    ck_assert_msg(!house_says(told.p, "stood still") && !house_says(told.p, "You asked"), "%s", told.p);
    str_release(&told);
    house_told(&house, "anna", 1, "The league had lost its record of bob");
    /* Once only, also for the next start, and as much as was given. */
    house_restart(&house);
    clock_runs(3600);
    ck_assert_int_eq(house_find(&house, "gc-1")->clock.deadline, house.now - 3600 + DAY);
    house_told(&house, "bob", 0, NULL);
    clock_runs(DAY);
    ck_assert_int_eq(house_find(&house, "gc-1")->turn, 3);
    ck_assert_int_eq(house_find(&house, "gc-1")->seat[2].missed, 2);
}
END_TEST

/* The turn was open before: what was left of it, and nothing when its deadline is still to come. */
START_TEST(who_is_back_has_what_was_left)
{
    int64_t deadline = house_find(&house, "gc-1")->clock.deadline;
    clock_runs(DAY - 8 * 3600);
    lose(_i);
    clock_runs(3600);
    find_again();
    clock_runs(60);
    ck_assert_int_eq(house_find(&house, "gc-1")->clock.deadline, deadline);
    lose(_i);
    clock_runs(DAY);
    ck_assert(house_find(&house, "gc-1")->clock.held);
    house_empty_spool(&house);
    find_again();
    clock_runs(60);
    ck_assert_int_eq(house_find(&house, "gc-1")->turn, 1);
    ck_assert_int_eq(house_find(&house, "gc-1")->clock.deadline, house.now + 7 * 3600 - 60);
    house_told(&house, "bob", 1, "So that nobody loses by it");
    house_same(&house, "gc-1");
}
END_TEST

/* May somebody new be called that? */
static bool is_free(const char *name)
{
    struct err err = ERR_INIT;
    reason_clear(&refusal);
    enum outcome outcome = registration_name(&house.batch, name, &refusal, &err);
    ck_assert_msg(outcome != OUTCOME_FAILED, "%s", err.text);
    ck_assert_int_eq(outcome == OUTCOME_REFUSED, refusal != NULL);
    return outcome == OUTCOME_DONE;
}

/* Nobody takes the name over, and mails that are not signed wait, too, while the address can be read. */
START_TEST(the_name_is_kept)
{
    house_end(&house);
    house_shell(&house, "cp players/bob.json . && sed -i 's/true/maybe/; s/false/maybe/' players/bob.json");
    house_begin(&house);
    ck_assert(!is_free("bob"));
    ck_assert(!is_free("b0b"));
    ck_assert_int_eq(house_mail(&house, "bob", "help", "help\r\n"), INTAKE_KEPT);
    ck_assert_int_eq(house_mail(&house, "bobby", "help", "help\r\n"), INTAKE_PROCESSED);
    mend();
}
END_TEST

/* The journal has the address that the file has lost, also when players are read again, after what was rolled back. */
START_TEST(the_address_is_kept)
{
    struct err err = ERR_INIT;
    house_end(&house);
    house_shell(&house, "cp players/bob.json . && head -c 11 bob.json > players/bob.json");
    house_begin(&house);
    ck_assert_int_eq(house_mail(&house, "bob", "help", "help\r\n"), INTAKE_KEPT);
    ck_ok(batch_begin(&house.batch, &err), err);
    ck_ok(batch_rewind(&house.batch, &err), err);
    ck_assert_int_eq(house_mail(&house, "bob", "rules", "rules\r\n"), INTAKE_KEPT);
    mend();
}
END_TEST

/* A file that is gone is named with a game, and the journal still has it. */
START_TEST(a_missing_one_is_named)
{
    struct err err = ERR_INIT;
    struct str text = STR_INIT;
    struct registry_found found;
    struct player player;
    ck_assert_ptr_null(registry_damaged(&house.batch.registry, "bob"));
    house_end(&house);
    house_shell(&house, "mv players/bob.json .");
    house_begin(&house);
    const struct registry_fault *fault = registry_damaged(&house.batch.registry, "bob");
    ck_assert_ptr_nonnull(fault);
    ck_assert_str_eq(fault->why,
                     "bob has a seat in game gc-1, which is running, and there is no players/bob.json");
    /* A text of theirs that is no orders used to end the program. */
    ck_assert_int_eq(house_signed(&house, "bob", "bob", "#turnpost prefs\njson: yes\n#end\n"), INTAKE_KEPT);
    ck_ok(registry_document(house.dir, "players/bob.json", &found, &err), err);
    ck_assert_int_eq(found.time, HOUSE_NOON);
    json_write(&text, found.document);
    ck_ok(player_read(slice_str(&text), "bob", "bob", &player, &err), err);
    ck_assert_str_eq(player.address, "bob@example.net");
    json_decref(found.document);
    str_release(&text);
    mend();
}
END_TEST

/* A player whose file is gone is as absent as one whose file is damaged, with keys or without; also when the
 * registry's journal is gone, too, and nobody can say that they were taken out. */
static const char *const gone[] = {
    "mv players/bob.json . && cp keys/bob.pub .",
    "mv players/bob.json . && mv keys/bob.pub .",
    "mv players/bob.json . && mv keys/bob.pub . && rm -r registry",
};
#define GONE (sizeof gone / sizeof *gone)

START_TEST(a_missing_one_is_waited_for)
{
    house_end(&house);
    house_shell(&house, "%s", gone[_i]);
    house_begin(&house);
    ck_assert_uint_eq(house.batch.unheard.damaged, 1);
    ck_assert_int_eq(sends("anna", "gc-1"), INTAKE_PROCESSED);
    if (_i < 2)
        ck_assert_int_eq(sends("bob", "gc-1"), INTAKE_KEPT);
    else /* and its records' numbers are given again only after the log has said so */
        house_shell(&house, "grep -q '^lost registry 1 ' log/entries");
    house_empty_spool(&house);
    clock_runs(DAY + 3600);
    ck_assert_int_eq(house_find(&house, "gc-1")->turn, 1);
    ck_assert(house_find(&house, "gc-1")->clock.held);
    house_told(&house, "anna", 1, "The league has lost its record of bob");
    house_end(&house);
    house_shell(&house, "mv bob.json players/ && mv bob.pub keys/");
    house_begin(&house);
    ck_assert_uint_eq(house.batch.unheard.damaged, 0);
    ck_assert_int_eq(sends("bob", "gc-1"), INTAKE_PROCESSED);
    clock_runs(60);
    ck_assert_int_eq(house_find(&house, "gc-1")->turn, 2);
    ck_assert_int_eq(house_find(&house, "gc-1")->seat[2].missed, 0);
}
END_TEST

/* Nothing waits for a player whom the operator has removed. */
START_TEST(a_removed_one_is_not)
{
    struct err err = ERR_INIT;
    struct registry_change change = {.what = "remove", .removed = "bob"};
    ck_ok(batch_change(&house.batch, &change, &err), err);
    ck_ok(batch_commit(&house.batch, &err), err);
    batch_reset(&house.batch, true);
    house_restart(&house);
    ck_assert_uint_eq(house.batch.unheard.damaged, 0);
    ck_assert_int_eq(sends("anna", "gc-1"), INTAKE_PROCESSED);
    clock_runs(DAY + 3600);
    ck_assert_int_eq(house_find(&house, "gc-1")->turn, 2);
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

/* Nobody can register by mail as a former player, or under a name that looks like theirs. */
START_TEST(the_name_of_a_missing_one)
{
    house_option(&house, "[league]", "registration = open");
    house_end(&house);
    house_shell(&house, "rm players/bob.json && %s", traces[_i].command);
    house_begin(&house);
    static const char *const names[] = {"bob", "b0b"};
    size_t alike = _i + 1 < (int)TRACES; /* of the last one nothing but the file's name is known */
    for (size_t i = 0; i < 1 + alike; i++) {
        ck_assert_msg(!is_free(names[i]), "%s: %s was taken", traces[_i].what, names[i]);
        const char *code = json_object_iter_key(json_object_iter(refusal));
        ck_assert_msg(strcmp(code, "name_taken") == 0 || strcmp(code, "name_alike") == 0, "%s: %s",
                      traces[_i].what, code);
    }
    ck_assert(is_free("bert"));
    (void)house_person(&house, "mallory");
    (void)house_signed(&house, "mallory", "mallory", "#turnpost register\nname: bob\n#end\n");
    house_told(&house, "mallory", 1, "There is a player bob already");
    ck_assert_ptr_null(registry_find(&house.batch.registry, "bob"));
}
END_TEST

/* The name of a player whom the operator removed is free. */
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
    house_shell(
        &house,
        "cp keys/bob.pub . && echo 'ssh-ed25519 AAAA' >keys/bob.pub && echo x >'keys/No Name.pub' && mkdir "
        "keys/dir.pub");
    house_begin(&house);
    ck_assert(keyring_damaged(&house.batch.keyring, "bob"));
    ck_assert_uint_eq(house.batch.keyring.fault_count, 3);
    ck_assert_int_eq(sends("carol", "gc-2"), INTAKE_PROCESSED);
    ck_assert_int_eq(sends("bob", "gc-1"), INTAKE_KEPT);
    house_end(&house);
    house_shell(&house, "mv bob.pub keys/ && rm -r 'keys/No Name.pub' keys/dir.pub");
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

/* His orders may be among the mails that wait, or come: the turn is held, and goes on when they are repaired.
 */
START_TEST(the_turn_waits_for_keys)
{
    house_end(&house);
    house_shell(&house, "%s", lost_keys[FEW ? 2 * _i : _i]);
    house_begin(&house);
    ck_assert_uint_eq(house.batch.unheard.damaged, 1);
    ck_assert_int_eq(sends("bob", "gc-1"), INTAKE_KEPT);
    ck_assert_int_eq(sends("anna", "gc-1"), INTAKE_PROCESSED);
    ck_assert_int_eq(sends("carol", "gc-2"), INTAKE_PROCESSED);
    ck_assert_int_eq(house_find(&house, "gc-2")->turn, 2);
    house_empty_spool(&house);
    clock_runs(DAY + 3600);
    ck_assert_int_eq(house_find(&house, "gc-1")->turn, 1);
    ck_assert(house_find(&house, "gc-1")->clock.held);
    house_told(&house, "anna", 1, "The league has lost its record of bob");
    house_restart(&house); /* still so */
    clock_runs(60);
    ck_assert_int_eq(house_find(&house, "gc-1")->turn, 1);
    house_end(&house);
    house_shell(&house, "rm -rf keys/bob.pub && mv bob.pub keys/");
    house_begin(&house);
    ck_assert_uint_eq(house.batch.unheard.damaged, 0);
    ck_assert_int_eq(sends("bob", "gc-1"), INTAKE_PROCESSED);
    clock_runs(60);
    ck_assert_int_eq(house_find(&house, "gc-1")->turn, 2);
    ck_assert_int_eq(house_find(&house, "gc-1")->seat[2].missed, 0);
}
END_TEST

/* Whose key is it? Players who have no other key wait, and so do all mails signed with it. */
START_TEST(keys_in_two_files)
{
    house_end(&house);
    house_shell(&house, "cp keys/carol.pub . && cp keys/bob.pub keys/carol.pub");
    house_begin(&house);
    ck_assert_uint_eq(house.batch.unheard.damaged, 2);
    ck_assert_int_eq(sends("anna", "gc-1"), INTAKE_PROCESSED);
    ck_assert_int_eq(sends("bob", "gc-1"), INTAKE_KEPT);
    clock_runs(DAY + 3600);
    ck_assert_int_eq(house_find(&house, "gc-1")->turn, 1);
    ck_assert_int_eq(house_find(&house, "gc-2")->turn, 1);
    ck_assert(house_find(&house, "gc-1")->clock.held && house_find(&house, "gc-2")->clock.held);
    house_end(&house);
    house_shell(&house, "mv carol.pub keys/");
    house_begin(&house);
    ck_assert_uint_eq(house.batch.unheard.damaged, 0);
    ck_assert_int_eq(sends("bob", "gc-1"), INTAKE_PROCESSED);
    ck_assert_int_eq(house_find(&house, "gc-1")->seat[2].missed, 0);
}
END_TEST

/* One of them gets another key: the other has theirs again, and their games wake. */
START_TEST(another_key_for_one_of_two)
{
    struct err err = ERR_INIT;
    struct pubkey key;
    house_end(&house);
    house_shell(&house, "cp keys/bob.pub keys/carol.pub");
    house_begin(&house);
    ck_assert_uint_eq(house.batch.unheard.damaged, 2);
    ck_assert_int_eq(sends("bob", "gc-1"), INTAKE_KEPT);
    secret_public(house_person(&house, "caroline"), &key);
    struct registry_change change = {.what = "key", .key_owner = "carol", .keys = &key, .key_count = 1};
    ck_ok(batch_change(&house.batch, &change, &err), err);
    ck_ok(batch_commit(&house.batch, &err), err);
    batch_reset(&house.batch, true);
    ck_assert_ptr_null(player_absent(&house.batch.outside, "bob"));
    ck_assert_uint_eq(house.batch.outside.returned_count, 2);
    ck_assert_int_eq(sends("bob", "gc-1"), INTAKE_PROCESSED);
}
END_TEST

/* Their veto could not be processed and is given up, as they are told: the requested key waits for as long as
 * was left. */
START_TEST(a_veto_that_failed_gives_time)
{
    struct err err = ERR_INIT;
    struct pubkey key;
    struct str rekey = STR_INIT;
    struct slice mail =
        slice_of("From: bob@example.net\r\nTo: " HOUSE_ADDRESS "\r\nSubject: veto\r\n\r\nno\r\n");
    struct catalog_stuck stuck = {.state = STUCK_OVER, .player = "bob", .first = house.now + DAY};
    secret_public(house_person(&house, "mallory"), &key);
    str_adds(&rekey, "#turnpost rekey\nplayer: bob\nkey: ");
    pubkey_format(&rekey, &key);
    str_adds(&rekey, "\nwhy: lost\n#end\n");
    (void)house_signed(&house, "carol", "carol", rekey.p);
    message_digest(stuck.digest, mail);
    ck_ok(catalog_put_stuck(house.batch.catalog, &stuck, &err), err);
    house_empty_spool(&house);
    house.now = house.batch.now = house.now + 9 * DAY;
    (void)house_raw(&house, mail);
    house_told(&house, "bob", 1, NULL);
    house_clock(&house, house.now + REKEY_WAIT - DAY - 10);
    ck_assert_ptr_null(keyring_owner(&house.batch.keyring, &key));
    house_clock(&house, house.now + 20);
    ck_assert_ptr_nonnull(keyring_owner(&house.batch.keyring, &key));
    str_release(&rekey);
}
END_TEST

/* A copy of a file, or one named after nobody: no player's, and it stops nothing. */
START_TEST(a_copy_of_a_player)
{
    static const char *const copies[] = {
        "cp players/bob.json players/bob-old.json",
        "echo '{' >players/bob-old.json",
        "cp players/bob.json players/bob-old.json && rm catalog.sqlite*",
    };
    house_end(&house);
    house_shell(&house, "%s", copies[_i]);
    house_begin(&house);
    ck_assert_uint_eq(house.batch.unheard.damaged, 0);
    ck_assert_uint_eq(house.batch.registry.fault_count, 1);
    ck_assert_str_eq(house.batch.registry.faults[0].name, "");
    ck_assert_ptr_nonnull(strstr(house.batch.registry.faults[0].why, "players/bob-old.json"));
    ck_assert_int_eq(sends("bob", "gc-1"), INTAKE_PROCESSED);
    ck_assert_int_eq(sends("anna", "gc-1"), INTAKE_PROCESSED);
    ck_assert_int_eq(house_find(&house, "gc-1")->turn, 2);
}
END_TEST

/* Somebody else's file in place of one's own is damage, with a seat and without. */
START_TEST(a_copy_in_the_place_of_a_player)
{
    house_player(&house, "dora");
    house_end(&house);
    house_shell(&house, "cp players/anna.json players/%s.json", _i ? "dora" : "bob");
    house_begin(&house);
    ck_assert_uint_eq(house.batch.unheard.damaged, 1);
    ck_assert_ptr_nonnull(registry_damaged(&house.batch.registry, _i ? "dora" : "bob"));
}
END_TEST

/* A copy that somebody put aside in the folder is no player's. */
START_TEST(keys_in_a_copy)
{
    house_end(&house);
    house_shell(&house, "cp keys/bob.pub keys/bob-old.pub");
    house_begin(&house);
    ck_assert_uint_eq(house.batch.unheard.damaged, 0);
    ck_assert_uint_eq(house.batch.keyring.fault_count, 1);
    ck_assert_int_eq(sends("bob", "gc-1"), INTAKE_PROCESSED);
}
END_TEST

/* Somebody requests bob's account; his veto is in the mailbox while his files cannot be read. */
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
    house_shell(&house, "cp players/bob.json . && cp keys/bob.pub . && %s", how[_i]);
    house.now += DAY;
    house_begin(&house);
    house_clock(&house, asked + 3 * DAY);
    house_end(&house);
    house_shell(
        &house,
        "mv bob.json players/ && if test -s keys/bob.pub; then rm bob.pub; else mv bob.pub keys/; fi");
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
    house_shell(&house, "%s", lost_keys[FEW ? 2 * _i + 1 : _i]);
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
    house_shell(&house, "echo 'ssh-ed25519 AAAA' >keys/bob.pub");
    house_begin(&house);
    ck_assert_int_eq(sends("anna", "gc-1"), INTAKE_PROCESSED);
    clock_runs(DAY + 3600);
    ck_assert(house_find(&house, "gc-1")->clock.held);
    secret_public(house_person(&house, "robert"), &key);
    struct registry_change change = {.what = "key", .key_owner = "bob", .keys = &key, .key_count = 1};
    ck_ok(batch_change(&house.batch, &change, &err), err);
    ck_ok(batch_commit(&house.batch, &err), err);
    batch_reset(&house.batch, true);
    ck_assert(!keyring_damaged(&house.batch.keyring, "bob"));
    clock_runs(60);
    ck_assert(!house_find(&house, "gc-1")->clock.held);
    ck_assert_int_gt(house_find(&house, "gc-1")->clock.deadline, house.now + DAY - 3600);
}
END_TEST

/* What does not belong there stops nothing. */
START_TEST(strays)
{
    house_end(&house);
    house_shell(
        &house,
        "mkdir -p spool/tmp/folder spool/tmp/gc-1.1.1.eml spool/new/folder games/mine/x tokens/i1.json "
        "tokens/folder && "
        "echo x >games/note.txt && echo x >'players/No Name.json' && mkdir players/old && "
        "ln -s journal.jsonl games/gc-2/x && mkdir games/loop && ln -s journal.jsonl "
        "games/loop/journal.jsonl");
    house_shell(&house, "rm -f catalog.sqlite*");
    house_begin(&house);
    ck_assert_uint_eq(house.batch.broken, 1); /* the one that nobody may read: its mails wait */
    ck_assert_uint_eq(house.batch.unheard.damaged, 0);
    house.batch.broken = 0;
    ck_assert_int_eq(sends("carol", "gc-2"), INTAKE_PROCESSED);
    struct err err = ERR_INIT;
    struct batch_game *entry;
    ck_assert_int_eq(batch_game(&house.batch, "loop", &entry, &err), -1);
    ck_assert_int_ne(err.code, ERR_MISSING);
    house_shell(
        &house,
        "test -d spool/tmp/folder && test -d spool/tmp/gc-1.1.1.eml && rm -r games/loop games/note.txt "
        "games/mine/x");
    batch_reset(&house.batch, false);
}
END_TEST

/* What a crash has left of a game or a competition that it kept from being made goes at the next start, and the name is free. What the
 * league has made is missed, not cleared away. */
START_TEST(what_was_not_made_goes)
{
    static const char *const lefts[] = {"true", "echo half >journal.jsonl.tmp", "touch journal.jsonl",
                                        "printf '{\"type\":\"cr' >journal.jsonl"};
    struct err err = ERR_INIT;
    char command[300];
    house_restart(&house); /* they are entered in the registry */
    house_end(&house);
    (void)snprintf(
        command, sizeof command,
        "mkdir -p games/gc-9 competitions/cup && (cd games/gc-9 && %s) && (cd competitions/cup && %s)",
        lefts[_i], lefts[_i]);
    house_shell(&house, "%s", command);
    house_shell(&house, "rm -f catalog.sqlite* games/gc-2/state.json && : >games/gc-2/journal.jsonl");
    house_begin(&house);
    house_shell(&house,
                "test ! -e games/gc-9 && test ! -e competitions/cup && test -e games/gc-2/journal.jsonl");
    ck_assert(roster_gone(house.league.dir, ROSTER_GAME, "gc-2"));
    ck_ok(making_name(&house.batch, "gc-9", &err), err);
    house_game(&house, "gc-9", "galaxy-command", DAY, 2, both);
    house.batch.broken = 0;
}
END_TEST

/* A change that no start would read is not recorded, whatever fault of ours led to it, and the next one is. */
START_TEST(no_change_is_recorded_that_no_start_would_read)
{
    struct err err = ERR_INIT;
    const struct player good = *registry_find(&house.batch.registry, "anna");
    struct player late = good, nowhere = good;
    late.digest_hour = 24;
    (void)snprintf(nowhere.address, sizeof nowhere.address, "nowhere");
    json_t *tokens = json_pack("{s:{s:i}}", "i00000000000000000000000000000000", "moon", 1);
    const struct registry_change changes[] = {{.what = "prefs", .player = &late},
                                              {.what = "prefs", .player = &nowhere},
                                              {.what = "wished", .player = &good},
                                              {.what = "invite", .tokens = tokens}};
    const int64_t seq = house.batch.log.seq;
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        ck_assert_int_eq(batch_change(&house.batch, &changes[i], &err), -1);
        ck_assert_msg(err.code == ERR_UNSOUND, "%zu: %s", i, err.text);
        ck_assert_int_eq(house.batch.log.seq, seq);
        ck_assert_uint_eq(house.batch.log.records.len, 0);
        err_clear(&err);
    }
    json_decref(tokens);
    ck_ok(batch_change(&house.batch, &(struct registry_change){.what = "prefs", .player = &good}, &err), err);
    ck_ok(batch_commit(&house.batch, &err), err);
    ck_assert_int_eq(house.batch.log.seq, seq + 1);
    house_restart(&house);
}
END_TEST

static void cases(TCase *tc)
{
    tcase_add_checked_fixture(tc, begin, end);
    tcase_add_loop_test(tc, the_others_go_on, 0, (int)DAMAGES);
    tcase_add_loop_test(tc, the_turn_waits, 0, 2);
    tcase_add_loop_test(tc, who_is_back_has_time, 0, 2);
    tcase_add_loop_test(tc, who_is_back_has_what_was_left, 0, 2);
    tcase_add_test(tc, the_name_is_kept);
    tcase_add_test(tc, the_address_is_kept);
    tcase_add_test(tc, a_missing_one_is_named);
    tcase_add_loop_test(tc, a_missing_one_is_waited_for, 0, (int)GONE);
    tcase_add_test(tc, a_removed_one_is_not);
    tcase_add_loop_test(tc, the_name_of_a_missing_one, 0, (int)TRACES);
    tcase_add_test(tc, the_name_of_a_removed_one);
    tcase_add_test(tc, damaged_keys);
    tcase_add_loop_test(tc, the_turn_waits_for_keys, 0, (int)LOST_KEYS / (FEW ? 2 : 1));
    tcase_add_loop_test(tc, mails_from_elsewhere_wait, 0, (int)LOST_KEYS / (FEW ? 2 : 1));
    tcase_add_loop_test(tc, a_veto_is_waited_for, 0, 2);
    tcase_add_test(tc, keys_in_two_files);
    tcase_add_test(tc, another_key_for_one_of_two);
    tcase_add_test(tc, a_veto_that_failed_gives_time);
    tcase_add_loop_test(tc, a_copy_of_a_player, 0, 3);
    tcase_add_loop_test(tc, a_copy_in_the_place_of_a_player, 0, 2);
    tcase_add_test(tc, keys_in_a_copy);
    tcase_add_test(tc, new_keys_end_it);
    tcase_add_test(tc, strays);
    tcase_add_loop_test(tc, what_was_not_made_goes, 0, 4);
    tcase_add_test(tc, no_change_is_recorded_that_no_start_would_read);
}
TEST_MAIN("batch/absent", cases)
