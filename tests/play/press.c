/* Messages between players: who gets them, when and in what form, and who may not send or does not want them. */
#include "house/press.h"

#include "base/json.h"
#include "play/press.h"

/* ---- the usual case ---- */

START_TEST(it_reaches_those_it_is_for)
{
    game_of(PRESS_WHITE, false);
    ck_assert_int_eq(say("anna", "to: bob\nShall we leave each other in peace?\n"), INTAKE_PROCESSED);
    struct str told;
    ck_assert_int_eq(house_mails(&house, "bob", &told), 1);
    ck_assert_ptr_nonnull(strstr(told.p, "A message from anna"));
    ck_assert_ptr_nonnull(strstr(told.p, "anna writes to you:\n\n| Shall we leave each other in peace?\n"));
    ck_assert_ptr_nonnull(strstr(told.p, "to: anna\n"));
    str_release(&told);
    ck_assert_int_eq(house_mails(&house, "carol", &told), 0);
    str_release(&told);
    house_told(&house, "anna", 1, "anna writes to bob:");
    (void)say("anna", "to: P2, carol moderators\nAnd you?\n");
    ck_assert_int_eq(house_mails(&house, "mod", &told), 1);
    ck_assert_ptr_nonnull(strstr(told.p, "anna writes to bob, carol and the moderators:"));
    ck_assert_ptr_null(strstr(told.p, "#turnpost"));
    str_release(&told);
    house_told(&house, "carol", 2, "to bob, you and the moderators:"); /* seat and moderator */
    (void)say("bob", "to: all\nfrom: me\nto: the stars\nis how it begins\n");
    house_told(&house, "bob", 1, "appears twice");
    (void)say("bob", "to: all\nTo the stars\nto: the stars\n");
    house_told(&house, "carol", 1, "bob writes to all:\n\n| To the stars\n| to: the stars\n");
    house_same(&house, "gc-1");
}
END_TEST

/* ---- answers ---- */

START_TEST(a_message_brings_the_form_of_its_answer)
{
    char form[300], head[2 * HEAD_BYTES + 1], lines[100];
    game_of(PRESS_GREY, false);
    (void)say("anna", "to: bob\nShall we leave each other in peace?\n");
    int first = (int)house_find(&house, "gc-1")->seq;
    game_answer_head(head, house_find(&house, "gc-1"));
    (void)snprintf(form, sizeof form,
                   "#turnpost press\ngame: gc-1\nturn: 1\nhead: %s\nto: anna\nre: %d\nYour words.\n#end",
                   head, first);
    house_told(&house, "bob", 1, form);
    (void)snprintf(lines, sizeof lines, "to: anna\nre: %d\nre: is for replies\n", first);
    (void)say("bob", lines);
    house_told(&house, "bob", 1, "appears twice");
    (void)snprintf(lines, sizeof lines, "to: all\nre: %d\nYes.\n", first);
    (void)say("bob", lines);
    (void)snprintf(form, sizeof form, "bob writes to all, in answer to record %d:\n\n| Yes.", first);
    house_told(&house, "carol", 1, form);
    (void)say("carol", lines); /* who has not got it */
    house_told(&house, "carol", 1, "is no message to you or from you");
    (void)say("bob", "to: all\nre: 2\nYes.\n");
    house_told(&house, "bob", 1, "is no message to you or from you");
    (void)say("bob", "to: all\nre: 999999\nYes.\n");
    house_told(&house, "bob", 1, "is no message to you or from you");
    (void)snprintf(lines, sizeof lines, "to: all\nfrom: nobody\nre: %d\nNo.\n", first);
    (void)say("bob", lines);
    house_told(&house, "bob", 1, "went to a few only");
    (void)snprintf(lines, sizeof lines, "to: all\nfrom: nobody\nre: %d\nNo.\n", first + 1);
    (void)say("carol", lines);
    (void)snprintf(form, sizeof form, "to all, in answer to record %d:\n\n| No.", first + 1);
    house_told(&house, "anna", 1, form);
    house_same(&house, "gc-1");
}
END_TEST

START_TEST(answers_that_come_with_the_report)
{
    char lines[100], words[200];
    game_of(PRESS_WHITE, true);
    (void)say("anna", "to: bob\nre: is how answers begin.\n"); /* no number: not a message to answer */
    house_told(&house, "anna", 1, "The message is empty");
    (void)say("anna", "to: bob\nPeace?\n");
    int first = (int)house_find(&house, "gc-1")->seq;
    (void)snprintf(lines, sizeof lines, "to: all\nre: %d\nRE: that, yes.\n", first);
    (void)say("anna", lines);
    house_told(&house, "anna", 2, "appears twice");
    (void)snprintf(lines, sizeof lines, "to: all\nre: %d\nBut I mean it.\n", first);
    (void)say("anna", lines);
    house_same(&house, "gc-1");
    house_empty_spool(&house);
    play("anna", 1);
    play("bob", 1);
    play("carol", 1);
    (void)snprintf(words, sizeof words, "anna writes to all, in answer to record %d:", first);
    house_told(&house, "carol", 1, words);
}
END_TEST

/* ---- what is refused, and what counts once ---- */

/* A player of older days is called like another's seat. */
START_TEST(a_seat_s_code_is_nobody_s_name)
{
    static const char *const named[] = {"p3", "bob", "carol"};
    house_player(&house, "p3");
    house_game_of(
        &house,
        (struct new_game){
            .id = "gc-1", .ruleset = ruleset_newest("galaxy-command"), .seats = 3, .turn_length = 86400},
        named);
    house_empty_spool(&house);
    (void)say("bob", "to: P3\nFor the third seat.\n");
    house_told(&house, "p3", 0, NULL);
    (void)say("bob", "to: p3\nOnce more.\n");
    struct str told;
    ck_assert_int_eq(house_mails(&house, "carol", &told), 1);
    str_release(&told);
    house_told(&house, "p3", 0, NULL);
    (void)say("bob", "to: P1\nFor the first.\n");
    house_told(&house, "p3", 1, "For the first.");
    (void)house_signed(&house, "mod", "mod",
                       "#turnpost moderate\ngame: gc-1\nturn: 1\ndo: orders p3\nreason: lost\npass\n#end\n");
    house_told(&house, NULL, 1, "also means another seat");
}
END_TEST

START_TEST(what_is_wrong_is_said_and_changes_nothing)
{
    static const struct {
        const char *who, *fields, *words;
    } cases[] = {
        {"anna", "Hello\n", "does not say to whom"},
        {"anna", "to: bob\n", "message is empty"},
        {"anna", "to: rob\nHello\n", "No one called \"rob\""},
        {"anna", "to: P4\nHello\n", "No one called \"P4\""},
        {"anna", "to: anna\nHello\n", "No one but you"},
        {"anna", "from: nobody\nto: bob\nHello\n", "carry the sender's"},
        {"anna", "from: bob\nto: bob\nHello\n", "takes me or nobody"},
        {"anna", "from: moderators\nto: bob\nHello\n", "Only the moderators"},
        {"mod", "to: bob\nHello\n", "\"from: moderators\""},
        {"anna", "to: bob\nturn: 2\nHello\n", "given twice"},
    };
    game_of(PRESS_WHITE, false);
    int64_t seq = house_find(&house, "gc-1")->seq;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        (void)say(cases[i].who, cases[i].fields);
        ck_assert_int_eq(house_find(&house, "gc-1")->seq, seq);
        house_told(&house, NULL, 1, cases[i].words);
    }
    static const struct {
        const char *text, *words;
    } texts[] = {
        {"#turnpost press\nturn: 1\nto: bob\nHello\n#end\n", "does not name its game"},
        {"#turnpost press\ngame: gc-9\nturn: 1\nto: bob\nHello\n#end\n", "no game \"gc-9\""},
        {"#turnpost press\ngame: gc-1\nto: bob\nHello\n#end\n", "in which turn"},
        {"#turnpost press\ngame: gc-1\nturn: 2\nto: bob\nHello\n#end\n", "is for turn 2"},
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        (void)house_signed(&house, "anna", "anna", texts[i].text);
        house_told(&house, NULL, 1, texts[i].words);
    }
    (void)house_mail(&house, "anna", "x", "#turnpost press\ngame: gc-1\nturn: 1\nto: bob\nHello\n#end\n");
    house_told(&house, NULL, 1, "no signature");
    (void)house_person(&house, "mallory");
    (void)house_signed(&house, "anna", "mallory",
                       "#turnpost press\ngame: gc-1\nturn: 1\nto: bob\nHello\n#end\n");
    house_told(&house, NULL, 1, "does not know");
    ck_assert_int_eq(house_find(&house, "gc-1")->seq, seq);
}
END_TEST

START_TEST(a_robot_reads_nothing)
{
    static const char *const names[] = {"anna", "robot1", "bob"};
    house_game(&house, "gc-1", "galaxy-command", 86400, 3, names);
    house_empty_spool(&house);
    (void)say("anna", "to: P2\nHello\n");
    house_told(&house, NULL, 1, "played by a robot");
    (void)say("anna", "to: all\nHello\n");
    house_told(&house, "bob", 1, "anna writes to all");
}
END_TEST

START_TEST(twice_it_counts_once)
{
    game_of(PRESS_GREY, false);
    (void)say("anna", "to: bob\nfrom: nobody\nHello\n");
    int64_t seq = house_find(&house, "gc-1")->seq;
    house_empty_spool(&house);
    struct str raw = STR_INIT;
    str_addslice(&raw, slice_str(&house.last_raw));
    (void)house_raw(&house, slice_str(&raw)); /* the same mail */
    house_told(&house, NULL, 0, NULL);
    (void)say("anna", "to: bob\nfrom: nobody\nHello\n"); /* the same text */
    house_told(&house, NULL, 1, "very same text");
    house_restart(&house);
    (void)say("anna", "to: bob\nfrom: nobody\nHello\n");
    house_told(&house, NULL, 1, "very same text");
    ck_assert_int_eq(house_find(&house, "gc-1")->seq, seq);
    /* A player who says the same is not told that somebody did before. */
    (void)say("carol", "to: bob\nfrom: nobody\nHello\n");
    house_told(&house, "bob", 1, "| Hello");
    ck_assert_int_eq(house_find(&house, "gc-1")->seq, seq + 1);
    /* The mail comes once more after the turn was played: still silence. */
    house_clock(&house, house.now + 86401);
    house_restart(&house); /* and the catalog does not know it */
    house_empty_spool(&house);
    (void)house_raw(&house, slice_str(&raw));
    house_told(&house, NULL, 0, NULL);
    str_release(&raw);
}
END_TEST

START_TEST(several_texts_in_one_mail)
{
    struct str body = STR_INIT;
    static const char *const texts[] = {
        "#turnpost press\ngame: gc-1\nturn: 1\nto: bob\nOne\n#end\n",
        "#turnpost press\ngame: gc-1\nturn: 1\nto: bob\nTwo\n#end\n",
        "#turnpost orders\ngame: gc-1\nturn: 1\npass\n#end\n",
    };
    game_of(PRESS_WHITE, false);
    for (int i = 0; i < 3; i++) {
        house_sign(&house, "anna", texts[i], &body);
        str_addc(&body, '\n');
    }
    (void)house_mail(&house, "anna", "all", body.p);
    house_told(&house, "bob", 2, "| Two");
    ck_assert(house_find(&house, "gc-1")->seat[1].orders.in);
    str_release(&body);
}
END_TEST

START_TEST(so_many_a_turn_and_so_long)
{
    struct str text = STR_INIT;
    game_of(PRESS_GREY, false);
    str_adds(&text, "to: bob\n");
    for (int i = 0; i < 301; i++)
        str_addc(&text, 'x');
    str_addc(&text, '\n');
    (void)say("anna", text.p);
    house_told(&house, NULL, 1, "has 301 bytes; at most 300");
    str_release(&text);
    (void)say("anna", "to: bob\nOne\n");
    (void)say("anna", "to: bob\nfrom: nobody\nTwo\n");
    house_restart(&house);
    (void)say("anna", "to: bob\nThree\n");
    house_told(&house, "bob", 3, "Three");
    (void)say("anna", "to: bob\nFour\n");
    house_told(&house, NULL, 1, "sent 3 messages");
    (void)say("carol", "to: bob\nFour\n");
    house_told(&house, "bob", 1, "Four");
    house_same(&house, "gc-1");
    house_clock(&house, house.now + 86401);
    house_empty_spool(&house);
    (void)say("anna", "to: bob\nFive\n");
    house_told(&house, "bob", 1, "Five");
}
END_TEST

START_TEST(where_there_is_none)
{
    game_of(PRESS_NONE, false);
    (void)say("anna", "to: bob\nHello\n");
    house_told(&house, NULL, 1, "cannot write to each other");
    (void)say("anna", "to: moderators\nBob cheats\n");
    house_told(&house, "mod", 1, "anna writes to the moderators:");
    (void)say("mod", "to: all\nfrom: moderators\nBe kind\n");
    house_told(&house, "bob", 1, "The moderators (mod) write to all:\n\n| Be kind");
    (void)say("anna", "to: moderators\nfrom: nobody\nHello\n");
    house_told(&house, NULL, 1, "carry the sender's");
    house_same(&house, "gc-1");
}
END_TEST

START_TEST(a_moderator_writes_for_the_moderators)
{
    game_of(PRESS_WHITE, false);
    (void)say("carol", "to: all\nfrom: moderators\nThe server moves on Sunday\n");
    struct str told;
    ck_assert_int_eq(house_mails(&house, NULL, &told), 3); /* anna, bob, and carol's answer */
    str_release(&told);
    house_told(&house, "anna", 1, "The moderators (carol) write to all");
    ck_assert_int_eq(house_find(&house, "gc-1")->seat[3].press, 0);
}
END_TEST

/* ---- what a message may look like ---- */

START_TEST(a_message_is_quoted_safely)
{
    static const char evil[] =
        "to: bob\n"
        "-----BEGIN SSH SIGNATURE-----\n"
        "untrusted comment: signature\n"
        "head: gc-1 9 0000\n"
        "|| a table\n"
        "a red \xe2\x80\xae"
        "word\xe2\x80\xac <b>bold</b> {{you}}\n"
        "wwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwww and "
        "some words more that go on\n";
    game_of(PRESS_WHITE, false);
    (void)say("anna", evil);
    struct str told;
    ck_assert_int_eq(house_mails(&house, "bob", &told), 1);
    ck_assert_ptr_nonnull(strstr(told.p, "\n| -----BEGIN SSH SIGNATURE-----\n"));
    ck_assert_ptr_nonnull(
        strstr(told.p, "\n| untrusted comment: signature\n| head: gc-1 9 0000\n| || a table\n"));
    ck_assert_ptr_nonnull(strstr(told.p, "<b>bold</b> {{you}}\n"));
    ck_assert_ptr_null(strstr(told.p, "\xe2\x80\xae"));
    struct slice rest = slice_str(&told), line;
    while (slice_line(&rest, &line))
        if (slice_starts(line, "| "))
            ck_assert_uint_le(line.len, 80);
    str_release(&told);
}
END_TEST

/* A reader who answers with the whole mail quoted sends no text of the writer's, and no broken signature. */
START_TEST(a_quoted_message_is_nobody_s_text)
{
    static const char orders[] = "#turnpost orders\ngame: gc-1\nturn: 1\npass\n#end\n";
    struct str fields = STR_INIT, armor = STR_INIT, reply = STR_INIT, headed = STR_INIT, told;
    house_option(&house, "[limits]", "");
    game_of(PRESS_WHITE, false);
    struct str lines = STR_INIT;
    house_headed(&house, orders, &headed);
    struct slice rest = slice_str(&headed), line;
    sshsig_sign(&armor, house_key(&house, "anna")->key, NS_ORDERS, slice_str(&headed));
    while (slice_line(&rest, &line))
        str_addf(&lines, ">%.*s\n", (int)line.len, line.p);
    /* The frame forbids a second "#turnpost" line, so a message can hold one only in disguise. */
    str_addf(&fields, "to: bob\nx\n. #turnpost orders\n%.200s\n", armor.p);
    (void)say("anna", fields.p);
    ck_assert_int_eq(house_mails(&house, "bob", &told), 1);
    rest = slice_str(&told);
    while (slice_line(&rest, &line))
        str_addf(&reply, "> %.*s\n", (int)line.len, line.p);
    house_empty_spool(&house);
    (void)house_mail(&house, "bob", "Re: message", reply.p);
    ck_assert(!house_find(&house, "gc-1")->seat[1].orders.in);
    struct str answer;
    ck_assert_int_eq(house_mails(&house, "bob", &answer), 1);
    ck_assert_ptr_null(strstr(answer.p, "could not be read"));
    str_release(&answer);
    str_release(&told);
    str_release(&fields);
    str_release(&armor);
    str_release(&headed);
    str_release(&reply);
    str_release(&lines);
}
END_TEST

START_TEST(lines_are_cut_to_the_width)
{
    json_t *lines = press_lines(
        slice_of(
            "one two three\n\nfour\xcc\x81 \xe4\xb8\xad\xe6\x96\x87\xe4\xb8\xad\xe6\x96\x87\xe4\xb8\xad\n"),
        7);
    static const char *const want[] = {"one two",
                                       "three",
                                       "",
                                       "four\xcc\x81",
                                       "\xe4\xb8\xad\xe6\x96\x87\xe4\xb8\xad",
                                       "\xe6\x96\x87\xe4\xb8\xad"};
    ck_assert_uint_eq(json_array_size(lines), sizeof want / sizeof *want);
    for (size_t i = 0; i < sizeof want / sizeof *want; i++)
        ck_assert_str_eq(json_string_value(json_object_get(json_array_get(lines, i), "line")), want[i]);
    json_decref(lines);
}
END_TEST

/* ---- with the report ---- */

START_TEST(with_the_report_it_comes_with_the_report)
{
    game_of(PRESS_GREY, true);
    (void)say("anna", "to: bob\nfrom: nobody\nBeware of carol\n");
    (void)say("anna", "to: all\nGood luck\n");
    struct str told;
    ck_assert_int_eq(house_mails(&house, "bob", &told), 0);
    str_release(&told);
    house_told(&house, "anna", 2, "messages are delivered with");
    house_same(&house, "gc-1");
    house_restart(&house);
    house_clock(&house, house.now + 86401);
    house_same(&house, "gc-1");
    ck_assert_int_eq(house_mails(&house, "carol", &told), 1);
    ck_assert_ptr_nonnull(strstr(told.p, "anna writes to all:\n\n| Good luck"));
    ck_assert_ptr_null(strstr(told.p, "Beware"));
    str_release(&told);
    ck_assert_int_eq(house_mails(&house, "anna", &told), 1);
    ck_assert_ptr_null(strstr(told.p, "Beware"));
    ck_assert_ptr_nonnull(strstr(told.p, "Good luck"));
    str_release(&told);
    house_told(&house, "bob", 1, "Somebody who gives no name writes to you:\n\n| Beware of carol");
    house_clock(&house, house.now + 86401);
    ck_assert_int_eq(house_mails(&house, "bob", &told), 1);
    ck_assert_ptr_null(strstr(told.p, "Beware"));
    str_release(&told);
}
END_TEST

/* ---- pages ---- */

/* HTML too: a reply that quotes it loses the tags and keeps the bars. */
START_TEST(in_html_it_is_quoted_as_well)
{
    struct err err = ERR_INIT;
    struct spool_list list;
    const char *own[] = {HOUSE_ADDRESS};
    int seen = 0;
    game_of(PRESS_WHITE, true);
    (void)house_signed(&house, "bob", "bob", "#turnpost prefs\nhtml: yes\n#end\n");
    (void)say("anna", "to: bob\nFirst\n<b>#end</b> & more\n");
    house_empty_spool(&house);
    house_clock(&house, house.now + 86401);
    ck_ok(spool_due(house.batch.spool, house.now, &list, &err), err);
    for (size_t i = 0; i < list.count; i++) {
        struct outgoing mail;
        struct message msg;
        ck_ok(spool_load(house.batch.spool, list.path[i], &mail, &err), err);
        ck_ok(message_parse(slice_str(&mail.mail), &message_limits_default,
                            &(struct message_identity){own, 1, HOUSE_ADDRESS, 0}, &msg, &err),
              err);
        for (size_t part = 0; part < msg.part_count; part++)
            seen += strstr(msg.parts[part].shown.p, "| First\n| <b>#end</b> & more\n") != NULL;
        message_release(&msg);
        outgoing_release(&mail);
    }
    ck_assert_int_eq(seen, 2);
    spool_list_free(&list);
}
END_TEST

/* Mails that wait to be sent, and those of them that have a page. */
static int pages_of(int *mails)
{
    struct err err = ERR_INIT;
    struct spool_list list;
    int pages = 0;
    ck_ok(spool_due(house.batch.spool, house.now, &list, &err), err);
    for (size_t i = 0; i < list.count; i++) {
        struct outgoing mail;
        ck_ok(spool_load(house.batch.spool, list.path[i], &mail, &err), err);
        pages += slice_find(slice_str(&mail.mail), "Content-Type: text/html") != (size_t)-1;
        outgoing_release(&mail);
    }
    *mails = (int)list.count;
    spool_list_free(&list);
    house_empty_spool(&house);
    return pages;
}

/* Who wants pages has them of all that comes: orders, questions, trials, messages, refusals, receipts that are short. */
START_TEST(all_mails_have_pages)
{
    static const char *const texts[] = {
        "orders\ngame: gc-1\nturn: 1\nhelp\n",      "orders\ngame: gc-1\nturn: 1\nbide\nrules\nstatus\n",
        "orders\ngame: gc-1\nturn: 1\ntry\nbide\n", "orders\ngame: gc-1\nturn: 7\nbide\n",
        "orders\ngame: gc-1\nturn: 1\nbidde\n",     "vacation\nfrom: 2020-01-01\nto: 2020-01-02\n",
        "extend\ngame: gc-1\nturn: 1\nby: 24h\n",
    };
    int mails = 0;
    game_of(PRESS_WHITE, false);
    (void)house_signed(&house, "bob", "bob", "#turnpost prefs\nhtml: yes\n#end\n");
    house_empty_spool(&house);
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        char text[200];
        (void)snprintf(text, sizeof text, "#turnpost %s#end\n", texts[i]);
        (void)house_signed(&house, "bob", "bob", text);
        int pages = pages_of(&mails);
        ck_assert_msg(pages >= 1 && mails >= 1, "no page of the answer to: %s", text);
    }
    for (int i = 0; i < RECEIPTS_WHOLE + 1; i++) {
        char text[200];
        (void)snprintf(text, sizeof text,
                       "#turnpost orders\ngame: gc-1\nturn: 1\nseq: %d\nwait: yes\nbide\n#end\n", i + 1);
        (void)house_signed(&house, "bob", "bob", text);
        ck_assert_int_eq(pages_of(&mails), 1);
    }
    (void)say("anna", "to: bob\nhello\n");
    ck_assert_int_eq(pages_of(&mails), 1);
    ck_assert_int_eq(mails, 2);
    (void)say("bob", "to: anna\nhello\n");
    ck_assert_int_eq(pages_of(&mails), 1);
}
END_TEST

/* ---- mutes ---- */

START_TEST(who_is_muted_is_not_told)
{
    game_of(PRESS_GREY, false);
    ck_assert_int_eq(house_signed(&house, "bob", "bob", "#turnpost mute\ngame: gc-1\nplayer: anna\n#end\n"),
                     INTAKE_PROCESSED);
    house_told(&house, "bob", 1, "Messages of anna are not delivered");
    (void)say("anna", "to: bob\nHello\n");
    struct str told;
    ck_assert_int_eq(house_mails(&house, "bob", &told), 0);
    str_release(&told);
    house_told(&house, "anna", 1, "anna writes to bob");
    /* A name that is muted says nothing about messages without one. */
    (void)say("anna", "to: bob\nfrom: nobody\nPsst\n");
    house_told(&house, "bob", 1, "Psst");
    (void)house_signed(&house, "bob", "bob", "#turnpost mute\nplayer: nobody\n#end\n");
    house_told(&house, "bob", 1, "in any game");
    house_restart(&house);
    (void)say("anna", "to: all\nfrom: nobody\nPsst again\n");
    ck_assert_int_eq(house_mails(&house, "bob", &told), 0);
    str_release(&told);
    house_told(&house, "carol", 1, "Psst again");
    (void)say("mod", "to: all\nfrom: moderators\nHear\n");
    house_told(&house, "bob", 1, "Hear");
    (void)house_signed(&house, "bob", "bob", "#turnpost unmute\ngame: gc-1\nplayer: anna\n#end\n");
    house_empty_spool(&house);
    (void)say("carol", "to: bob\nOne\n");
    house_told(&house, "bob", 1, "One");
    house_clock(&house, house.now + 86401);
    house_empty_spool(&house);
    (void)say("anna", "to: bob\nTwo\n");
    house_told(&house, "bob", 1, "Two");
}
END_TEST

START_TEST(a_mute_that_makes_no_sense_is_refused)
{
    static const struct {
        const char *text, *words;
    } cases[] = {
        {"#turnpost mute\n#end\n", "does not say whom"},
        {"#turnpost mute\nplayer: bob\n#end\n", "That is you"},
        {"#turnpost mute\nplayer: zoe\n#end\n", "no player of that name"},
        {"#turnpost mute\ngame: gc-9\nplayer: anna\n#end\n", "no game"},
        {"#turnpost unmute\nplayer: anna\n#end\n", "have not muted"},
    };
    game_of(PRESS_WHITE, false);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        (void)house_signed(&house, "bob", "bob", cases[i].text);
        house_told(&house, NULL, 1, cases[i].words);
    }
    (void)house_signed(&house, "bob", "bob", "#turnpost mute\ngame: any\nplayer: anna\n#end\n");
    house_empty_spool(&house);
    (void)house_signed(&house, "bob", "bob", "#turnpost mute\nplayer: anna\n#end\n");
    house_told(&house, NULL, 1, "already");
}
END_TEST

/* With the report: the report comes, without the muted words. */
START_TEST(a_muted_message_is_not_in_the_report)
{
    game_of(PRESS_WHITE, true);
    (void)house_signed(&house, "bob", "bob", "#turnpost mute\nplayer: anna\n#end\n");
    (void)say("anna", "to: bob\nHello\n");
    house_empty_spool(&house);
    house_clock(&house, house.now + 86401);
    struct str told;
    ck_assert_int_eq(house_mails(&house, "bob", &told), 1);
    ck_assert_ptr_null(strstr(told.p, "Hello"));
    ck_assert_ptr_null(strstr(told.p, "MESSAGES"));
    str_release(&told);
}
END_TEST

static void cases(TCase *tc)
{
    tcase_add_checked_fixture(tc, begin, end);
    tcase_add_test(tc, it_reaches_those_it_is_for);
    tcase_add_test(tc, a_seat_s_code_is_nobody_s_name);
    tcase_add_test(tc, a_message_brings_the_form_of_its_answer);
    tcase_add_test(tc, answers_that_come_with_the_report);
    tcase_add_test(tc, what_is_wrong_is_said_and_changes_nothing);
    tcase_add_test(tc, a_robot_reads_nothing);
    tcase_add_test(tc, twice_it_counts_once);
    tcase_add_test(tc, several_texts_in_one_mail);
    tcase_add_test(tc, so_many_a_turn_and_so_long);
    tcase_add_test(tc, where_there_is_none);
    tcase_add_test(tc, a_moderator_writes_for_the_moderators);
    tcase_add_test(tc, a_message_is_quoted_safely);
    tcase_add_test(tc, a_quoted_message_is_nobody_s_text);
    tcase_add_test(tc, lines_are_cut_to_the_width);
    tcase_add_test(tc, with_the_report_it_comes_with_the_report);
    tcase_add_test(tc, in_html_it_is_quoted_as_well);
    tcase_add_test(tc, all_mails_have_pages);
    tcase_add_test(tc, who_is_muted_is_not_told);
    tcase_add_test(tc, a_mute_that_makes_no_sense_is_refused);
    tcase_add_test(tc, a_muted_message_is_not_in_the_report);
}
TEST_MAIN("play/press", cases)
