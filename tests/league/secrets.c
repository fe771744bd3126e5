/* What others must not learn. A league is played twice from the same beginning; the only difference is
 * something private of Bob's. Afterwards everybody asks and tries everything possible, and not one mail to
 * anybody but Bob may differ, in header, text or size, but for signatures and what hangs on the hash of a
 * journal. */
#include "house/masked.h"

#include "petitions/rekey.h"

#define DAY  ((int64_t)86400)
#define HOUR ((int64_t)3600)

static struct house house;
static const char *const table[] = {"anna", "bob", "carl"};

static void begin(void)
{
    static struct schedule clock;
    house_open(&house);
    house_option(&house, "[league]", "moderators = mona\nregistration = open");
    house_restart(&house);
    schedule_init(&clock);
    clock.length = 3 * DAY;
    for (int i = 0; i < 3; i++)
        house_player(&house, table[i]);
    house_player(&house, "dora");
    house_player(&house, "mona");
    (void)house_person(&house, "eve");
    house_game_of(&house,
                  (struct new_game){.id = "gc-1",
                                    .ruleset = ruleset_newest("galaxy-command"),
                                    .seats = 3,
                                    .clock = &clock,
                                    .press = PRESS_GREY,
                                    .missed_standby = 2,
                                    .missed_robot = 3},
                  table);
    (void)house_signed(&house, "dora", "dora", "#turnpost observe\ngame: gc-1\n#end\n");
    house_empty_spool(&house);
}

static void end(void)
{
    house_close(&house);
}

static void says(const char *who, const char *text)
{
    ck_assert_int_ne(house_signed(&house, who, who, text), INTAKE_KEPT);
}

/* ---- what differs ---- */

static void orders(int which)
{
    says("bob", which
                    ? "#turnpost orders\ngame: gc-1\nturn: 1\nexplore near or bide\nresearch banking\nbuild\n"
                      "say carl Let us leave anna alone\n#end\n"
                    : "#turnpost orders\ngame: gc-1\nturn: 1\nbide\n#end\n");
}

static void manners(int which)
{
    says("bob", which ? "#turnpost orders\ngame: gc-1\nturn: 1\njson: yes\nalways build\nbide\n#end\n"
                      : "#turnpost orders\ngame: gc-1\nturn: 1\nbide\n#end\n");
}

static void dry_runs(int which)
{
    says("bob", which ? "#turnpost orders\ngame: gc-1\nturn: 1\ntry\nexplore far\nbuild\n#end\n"
                      : "#turnpost orders\ngame: gc-1\nturn: 1\nhelp\nrules\nstatus\n#end\n");
}

static void mistakes(int which)
{
    says("bob", which ? "#turnpost orders\ngame: gc-1\nturn: 1\nfrobnicate\n#end\n"
                      : "#turnpost orders\ngame: gc-2\nturn: 1\nbide\n#end\n");
}

static void preferences(int which)
{
    says("bob",
         which ? "#turnpost prefs\nhtml: yes\njson: yes\nzone: Asia/Kolkata\n#end\n"
               : "#turnpost prefs\nhtml: yes\n#end\n"); /* either makes a record: mails' ids count them */
}

static void mutes(int which)
{
    says("bob", which ? "#turnpost mute\nplayer: anna\n#end\n" : "#turnpost mute\nplayer: dora\n#end\n");
}

static void address(int which)
{
    struct err err = ERR_INIT;
    struct player player = *registry_find(&house.batch.registry, "bob");
    (void)snprintf(player.address, sizeof player.address, "%s",
                   which ? "hidden@example.net" : "bob@example.net");
    (void)snprintf(player.address2, sizeof player.address2, "%s", which ? "" : "bob.the.second@example.net");
    struct registry_change change = {.what = "address", .player = &player};
    ck_ok(batch_change(&house.batch, &change, &err), err);
    ck_ok(batch_commit(&house.batch, &err), err);
    batch_reset(&house.batch, true);
}

/* A mail to Bob comes back, or one to Carl: two days later nobody can tell. */
static void bounces(int which)
{
    struct str raw = STR_INIT;
    str_addf(&raw,
             "From: MAILER-DAEMON@example.org\r\nTo: league+gc-1.5.%d@example.org\r\nReturn-Path: <>\r\n"
             "Content-Type: multipart/report; report-type=delivery-status; boundary=b\r\n\r\n--b\r\n"
             "Content-Type: message/delivery-status\r\n\r\nReporting-MTA: dns; x\r\n\r\n"
             "Final-Recipient: rfc822; %s@example.net\r\nAction: failed\r\nStatus: 5.1.1\r\n\r\n--b--\r\n",
             which ? 2 : 3, which ? "bob" : "carl");
    (void)house_raw(&house, slice_str(&raw));
    house.mails++;
    str_release(&raw);
}

/* ---- what others do afterwards ---- */

static void asks(const char *who, const char *subject)
{
    (void)house_mail(&house, who, subject, "");
}

/* Everything that may bring an answer, by everybody but Bob; then time goes by. */
static void others(void)
{
    static const char *const askers[] = {"anna", "dora", "eve"};
    for (int i = 0; i < 3; i++) {
        asks(askers[i], "status gc-1");
        asks(askers[i], "games");
        asks(askers[i], "help gc-1");
    }
    says("anna", "#turnpost orders\ngame: gc-1\nturn: 1\ntry\nexplore near\nbuild\nstatus\n#end\n");
    says("anna", "#turnpost orders\ngame: gc-1\nturn: 2\nbide\n#end\n");
    says("dora", "#turnpost orders\ngame: gc-1\nturn: 1\nbide\n#end\n");
    says("eve", "#turnpost orders\ngame: gc-1\nturn: 1\nbide\n#end\n");
    says("anna", "#turnpost press\ngame: gc-1\nturn: 1\nto: bob carl\nHello\n#end\n");
    says("carl", "#turnpost press\ngame: gc-1\nturn: 1\nto: all moderators\nfrom: nobody\nPsst\n#end\n");
    says("mona", "#turnpost press\ngame: gc-1\nturn: 1\nto: all\nfrom: moderators\nWelcome\n#end\n");
    says("anna", "#turnpost extend\ngame: gc-1\nturn: 1\nhours: 12\n#end\n");
    says("dora", "#turnpost join\ngame: gc-1\nnonce: x\n#end\n");
    says("eve", "#turnpost register\nname: bob\n#end\n");
    says("anna", "#turnpost veto\nplayer: bob\n#end\n");
    says("anna", "#turnpost prefs\naddress: hidden@example.net\n#end\n");
    says("mona", "#turnpost veto\nplayer: bob\n#end\n");
    asks("anna", "status gc-1");
    house_clock(&house, house.now + 2 * DAY + HOUR); /* reminders */
    says("anna", "#turnpost orders\ngame: gc-1\nturn: 1\nbide\n#end\n");
}

/* ---- comparing ---- */

static void check_equal(const char *name, const struct str *mails)
{
    size_t at = 0;
    ck_assert_uint_gt(mails[0].len, 20000);
    if (strcmp(mails[0].p, mails[1].p) == 0)
        return;
    while (mails[0].p[at] == mails[1].p[at])
        at++;
    at -= at > 700 ? 700 : at;
    ck_abort_msg("others learn of Bob's %s:\n%.900s\n---------- or ----------\n%.900s", name, mails[0].p + at,
                 mails[1].p + at);
}

static const struct {
    const char *name;
    void (*difference)(int which);
} differences[] = {
    {"orders", orders},     {"standing orders", manners}, {"dry runs", dry_runs},
    {"mistakes", mistakes}, {"preferences", preferences}, {"mutes", mutes},
    {"address", address},   {"bounces", bounces},
};
#define DIFFERENCES ((int)(sizeof differences / sizeof *differences))

START_TEST(others_learn_nothing)
{
    struct str mails[2] = {STR_INIT, STR_INIT};
    char copy[80];
    (void)snprintf(copy, sizeof copy, "%s-copy", house.dir);
    house_end(&house);
    scratch_copy(house.dir, copy);
    house_begin(&house);
    for (int i = 0; i < 2; i++) {
        house.now = HOUSE_NOON;
        house.mails = 100;
        differences[_i].difference(i);
        others();
        others_mails(&house, "bob", "hidden", &mails[i]);
        if (i == 0) {
            house_end(&house);
            scratch_remove(house.dir);
            ck_assert_int_eq(rename(copy, house.dir), 0);
            house_begin(&house);
        }
    }
    check_equal(differences[_i].name, mails);
    for (int i = 0; i < 2; i++)
        str_release(&mails[i]);
}
END_TEST

static void cases(TCase *tc)
{
    tcase_add_checked_fixture(tc, begin, end);
    tcase_add_loop_test(tc, others_learn_nothing, 0, DIFFERENCES);
}
TEST_MAIN("league/secrets", cases)
