/* Times in mails by the reader's own clock, beside the league's and UTC. */
#include "house/clock.h"

static void start(void)
{
    begin();
    (void)house_signed(&house, "anna", "anna", "#turnpost prefs\nzone: America/New_York\n#end\n");
    (void)house_signed(&house, "carol", "carol", "#turnpost prefs\nzone: Asia/Kolkata\n#end\n");
    house_empty_spool(&house);
}

/* No line of prose is longer than mails have them: what is, is a signature or a head. */
static void check_width(const char *name)
{
    struct str text;
    struct slice rest, line;
    (void)house_mails(&house, name, &text);
    rest = slice_str(&text);
    while (slice_line(&rest, &line))
        ck_assert_msg(line.len <= 72 || slice_starts(line, "head: ") || slice_starts(line, "ssh-keygen") ||
                          slice_starts(line, "Subject: "),
                      "%.*s", (int)line.len, line.p);
    str_release(&text);
}

START_TEST(the_deadline)
{
    start();
    house_game(&house, "gc-1", "galaxy-command", 0, 3, players); /* due at 12:00 UTC */
    check_width("anna");
    told("anna", 1, "is due Mon 23 Nov, 12:00 UTC (07:00 in New York),");
    told("carol", 1, "is due Mon 23 Nov, 12:00 UTC (17:30 in Kolkata),");
    told_all("bob", 1, "is due Mon 23 Nov, 12:00 UTC,");
    house_clock(&house, HOUSE_NOON + 2 * DAY);
    told("anna", 1, "12:00 UTC (07:00 in New York)");
    told_all("bob", 1, "is due Mon 23 Nov, 12:00 UTC,");
    (void)house_signed(&house, "anna", "anna", "#turnpost extend\ngame: gc-1\nturn: 1\nhours: 14\n#end\n");
    (void)house_signed(&house, "bob", "bob", "#turnpost extend\ngame: gc-1\nturn: 1\nhours: 14\n#end\n");
    check_width(NULL);
    told("anna", 2, "due Tue 24 Nov, 02:00 UTC (Mon 21:00 in New York),");
    told_all("carol", 2, "due Tue 24 Nov, 02:00 UTC (07:30 in Kolkata),");
}
END_TEST

START_TEST(three_clocks)
{
    start();
    house_option(&house, "[league]", "timezone = Europe/Berlin");
    house_restart(&house);
    (void)house_signed(&house, "bob", "bob", "#turnpost prefs\nzone: Europe/Paris\n#end\n");
    house_empty_spool(&house);
    house_game(&house, "gc-1", "galaxy-command", 0, 3, players);
    told("anna", 1, "Mon 23 Nov, 13:00 CET (12:00 UTC, 07:00 in New York),");
    told("bob", 1, "Mon 23 Nov, 13:00 CET (12:00 UTC),"); /* the same clock */
    check_width("anna");
    house_empty_spool(&house);
    house_clock(&house, HOUSE_NOON + 3 * DAY); /* nobody has sent: held */
    told("anna", 1, "in New York)");
    check_width(NULL);
}
END_TEST

/* One text for many readers: each by their own clock. */
START_TEST(announcements)
{
    struct str text = STR_INIT;
    struct pubkey key;
    start();
    house_game(&house, "gc-1", "galaxy-command", 0, 3, players);
    house_empty_spool(&house);
    secret_public(house_person(&house, "new"), &key);
    str_adds(&text, "#turnpost rekey\nplayer: anna\nkey: ");
    pubkey_format(&text, &key);
    if (str_ends(text.p, "\n"))
        str_cut(&text, text.len - 1);
    str_adds(&text, "\nwhy: lost\n#end\n");
    (void)house_signed(&house, "mona", "mona", text.p);
    told("anna", 1, "Fri 27 Nov, 12:00 UTC (07:00 in New York)");
    told("carol", 1, "Fri 27 Nov, 12:00 UTC (17:30 in Kolkata)");
    told("bob", 1, "Fri 27 Nov, 12:00 UTC,");
    str_release(&text);
}
END_TEST

static void cases(TCase *tc)
{
    tcase_add_checked_fixture(tc, NULL, end);
    tcase_add_test(tc, the_deadline);
    tcase_add_test(tc, three_clocks);
    tcase_add_test(tc, announcements);
}

TEST_MAIN("play/own_zone", cases)
