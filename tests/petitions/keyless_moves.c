/* People who have only a mailbox move to another one, lose it, and leave. */
#include "house/only_mail.h"

/* Answers the last mail to that address of ours, from another one. */
static void answer_from(const char *from, const char *to_whom, const char *text)
{
    struct err err = ERR_INIT;
    struct spool_list list;
    char to[PLAYER_ADDRESS] = "", subject[200] = "";
    ck_ok(spool_due(house.batch.spool, house.now, &list, &err), err);
    for (size_t i = 0; i < list.count; i++) {
        struct outgoing letter;
        ck_ok(spool_load(house.batch.spool, list.path[i], &letter, &err), err);
        const char *reply = strstr(letter.mail.p, "\nReply-To: "),
                   *title = strstr(letter.mail.p, "Subject: ");
        if (strcmp(letter.envelope_to, to_whom) == 0 && reply && title) {
            reply += strlen("\nReply-To: ");
            reply += *reply == '<';
            (void)snprintf(to, sizeof to, "%.*s", (int)strcspn(reply, "> \r\n"), reply);
            (void)snprintf(subject, sizeof subject, "Re: %.*s", (int)strcspn(title + 9, "\r\n"), title + 9);
        }
        outgoing_release(&letter);
    }
    spool_list_free(&list);
    ck_assert_msg(*to, "no mail to %s says where an answer goes", to_whom);
    (void)post_from(from, to, subject, text);
}

static void wish(const char *name, const char *words)
{
    domain.signs_to = true;
    house_empty_spool(&house);
    (void)post(name, HOUSE_ADDRESS, words, "");
}

/* Zoe answers our question with "ok" and the word that it names. */
static void answer_with_word(void)
{
    char word[80];
    struct str mails;
    (void)house_mails(&house, "zoe", &mails);
    (void)snprintf(word, sizeof word, "ok %.6s", strstr(mails.p, "type: ok ") + strlen("type: ok "));
    str_release(&mails);
    answer_from("zoe@example.net", "zoe@example.net", word);
}

/* Nobody makes us write to somebody who wants no mail from us. */
START_TEST(who_said_stop_is_not_asked_for_their_address)
{
    believes("open");
    join("zoe");
    domain.signs_to = true;
    (void)post("eve", HOUSE_ADDRESS, "stop", "");
    wish("zoe", "address eve@example.net");
    answer_from("zoe@example.net", "zoe@example.net", "ok");
    ck_assert_str_eq(find("zoe")->move.address, "eve@example.net");
    house_told(&house, "eve", 0, NULL);
}
END_TEST

/* Both mailboxes have to say it, and no other one. */
START_TEST(an_address_moves_when_both_agree)
{
    believes("open");
    join("zoe");
    wish("zoe", "address zoe-new@example.net");
    ck_assert_int_eq(find("zoe")->move.time, 0);
    answer_from("zoe@example.net", "zoe@example.net", "ok");
    ck_assert(find("zoe")->move.time);
    ck_assert_str_eq(find("zoe")->address, "zoe@example.net");
    answer_from("zoe@example.net", "zoe-new@example.net", "ok");
    answer_from("eve@example.net", "zoe-new@example.net", "ok");
    answer_from("zoe-new@example.net", "zoe-new@example.net", "What is this?");
    ck_assert_str_eq(find("zoe")->address, "zoe@example.net");
    restart();
    answer_from("zoe-new@example.net", "zoe-new@example.net", "ok");
    ck_assert_str_eq(find("zoe")->address, "zoe-new@example.net");
    ck_assert_int_eq(find("zoe")->move.time, 0);
    struct str mails;
    (void)house_mails(&house, "zoe", &mails);
    ck_assert(house_says(mails.p, "Your addresses are now"));
    str_release(&mails);
    /* The old one is nobody's now, and an answer to its mails does nothing. */
    answer_from("zoe@example.net", "zoe@example.net", "no");
    ck_assert_str_eq(find("zoe")->address, "zoe-new@example.net");
}
END_TEST

START_TEST(no_ends_a_move)
{
    believes("open");
    join("zoe");
    wish("zoe", "address zoe-new@example.net");
    answer_from("zoe@example.net", "zoe@example.net", "ok");
    answer_from("eve@example.net", "zoe@example.net", "no");
    ck_assert(find("zoe")->move.time);
    answer_from("zoe@example.net", "zoe@example.net", "no");
    ck_assert_int_eq(find("zoe")->move.time, 0);
    answer_from("zoe-new@example.net", "zoe-new@example.net", "ok");
    ck_assert_str_eq(find("zoe")->address, "zoe@example.net");
}
END_TEST

/* A second address is added when both agree; replaced, or given up, it is after a week in which it can say no. */
START_TEST(a_second_address)
{
    believes("open");
    join("zoe");
    wish("zoe", "second zoe-2@example.net");
    answer_from("zoe@example.net", "zoe@example.net", "ok");
    answer_from("zoe-2@example.net", "zoe-2@example.net", "ok");
    ck_assert_str_eq(find("zoe")->address2, "zoe-2@example.net");
    for (int says_no = 1; says_no >= 0; says_no--) {
        wish("zoe", "second no");
        answer_from("zoe@example.net", "zoe@example.net", "ok");
        ck_assert_str_eq(find("zoe")->address2, "zoe-2@example.net");
        house_clock(&house, house.now + MOVE_WAIT - 3600);
        ck_assert_str_eq(find("zoe")->address2, "zoe-2@example.net");
        if (says_no)
            answer_from("zoe-2@example.net", "zoe-2@example.net", "No");
        house_empty_spool(&house);
        house_clock(&house, house.now + 7200);
        ck_assert_str_eq(find("zoe")->address2, says_no ? "zoe-2@example.net" : "");
    }
    house_told(&house, "zoe-2", 1, "Your addresses are now"); /* it is hers no more */
    /* From there a first address is not moved. */
    ck_assert_str_eq(find("zoe")->address, "zoe@example.net");
}
END_TEST

static void add_second(void)
{
    join("zoe");
    wish("zoe", "second zoe-2@example.net");
    answer_from("zoe@example.net", "zoe@example.net", "ok");
    answer_from("zoe-2@example.net", "zoe-2@example.net", "ok");
    ck_assert_str_eq(find("zoe")->address2, "zoe-2@example.net");
}

/* Who has stolen the first mailbox can drop what comes there. */
START_TEST(what_is_done_is_told_at_the_second)
{
    static const char *const mails[][2] = {{"display Queen Zoe", "Queen Zoe"},
                                           {"mute mona", "mona"},
                                           {"vacation 2026-12-24 to 2026-12-28", "2026-12-24"}};
    believes("open");
    add_second();
    for (size_t i = 0; i < sizeof mails / sizeof *mails; i++) {
        wish("zoe", mails[i][0]);
        house_told(&house, "zoe-2", 1, mails[i][1]);
    }
    wish("zoe", "help"); /* nothing is done */
    house_told(&house, "zoe-2", 0, NULL);
}
END_TEST

/* For as long as it waits, however short other words of the league are valid. */
START_TEST(a_no_is_good_to_the_end)
{
    house_option(&house, "[league]", "token_expire = 1h");
    believes("open");
    add_second();
    wish("zoe", "second no");
    answer_from("zoe@example.net", "zoe@example.net", "ok");
    house_clock(&house, house.now + MOVE_WAIT - 3600);
    answer_from("zoe-2@example.net", "zoe-2@example.net", "no");
    house_clock(&house, house.now + 7200);
    ck_assert_str_eq(find("zoe")->address2, "zoe-2@example.net");
}
END_TEST

/* Whoever runs a domain cannot have people come by another one and move to it. */
START_TEST(a_full_domain_is_no_place_to_move_to)
{
    house_option(&house, "\n[limits]", "players_per_domain = 2");
    believes("open");
    join("zoe");
    join("mia");
    resolver_tell(house.league.resolver, "mail._domainkey.elsewhere.test", domain.record.p, clock_system());
    (void)post_from("bea@elsewhere.test", HOUSE_ADDRESS, "register bea", "");
    answer_from("bea@elsewhere.test", "bea@elsewhere.test", "ok");
    ck_assert_ptr_nonnull(find("bea"));
    for (int full = 1; full >= 0; full--) {
        house_empty_spool(&house);
        domain.signs_to = true;
        (void)post_from("bea@elsewhere.test", HOUSE_ADDRESS, "address bea@example.net", "");
        answer_from("bea@elsewhere.test", "bea@elsewhere.test", "ok");
        answer_from("bea@example.net", "bea@example.net", "ok");
        ck_assert_str_eq(find("bea")->address, full ? "bea@elsewhere.test" : "bea@example.net");
        house.league.config.limits.players_per_domain = 3;
    }
}
END_TEST

/* Whose mailbox is lost: a moderator asks, the new one agrees, and a week passes in which the old one can say no. */
START_TEST(a_lost_mailbox)
{
    static const char text[] =
        "#turnpost rekey\nplayer: zoe\naddress: zoe-new@example.net\nreason: she called\n#end\n";
    believes("open");
    join("zoe");
    for (int says_no = 1; says_no >= 0; says_no--) {
        house.now += 60;
        (void)house_signed(&house, "mona", "mona", text);
        ck_assert(find("zoe")->move.time);
        answer_from("zoe-new@example.net", "zoe-new@example.net", "ok");
        ck_assert_str_eq(find("zoe")->address, "zoe@example.net");
        house_clock(&house, house.now + MOVE_WAIT - 3600);
        ck_assert_str_eq(find("zoe")->address, "zoe@example.net");
        if (says_no)
            answer_from("zoe@example.net", "zoe@example.net", "no");
        house_clock(&house, house.now + 7200);
        ck_assert_str_eq(find("zoe")->address, says_no ? "zoe@example.net" : "zoe-new@example.net");
        house_empty_spool(&house);
    }
}
END_TEST

/* Never without the new mailbox, however long it takes. */
START_TEST(a_mailbox_that_does_not_agree)
{
    believes("open");
    (void)house_person(&house, "zoe");
    join("zoe");
    (void)house_signed(&house, "mona", "mona",
                       "#turnpost rekey\nplayer: zoe\naddress: eve@example.net\nreason: she called\n#end\n");
    ask_key("zoe@example.net"); /* it waits no longer than the others could agree */
    house_clock(&house, house.now + MOVE_WAIT - 3600);
    ck_assert_uint_eq(count_keys("zoe"), 0);
    house_clock(&house, house.now + 2 * MOVE_WAIT);
    ck_assert_str_eq(find("zoe")->address, "zoe@example.net");
    ck_assert_uint_eq(count_keys("zoe"), 1);
}
END_TEST

/* It takes a word, and 72 hours in which any of their addresses can stop it. */
START_TEST(leaving_waits)
{
    believes("open");
    join("zoe");
    for (int says_no = 1; says_no >= 0; says_no--) {
        wish("zoe", "erase");
        answer_from("zoe@example.net", "zoe@example.net", "ok");
        ck_assert_int_eq(find("zoe")->leaves, 0);
        answer_with_word();
        ck_assert_int_eq(find("zoe")->leaves, house.now + LEAVE_WAIT);
        house_clock(&house, house.now + LEAVE_WAIT - 3600);
        ck_assert_ptr_nonnull(find("zoe"));
        if (says_no)
            answer_from("zoe@example.net", "zoe@example.net", "no");
        house_clock(&house, house.now + 7200);
        ck_assert((find("zoe") != NULL) == says_no);
    }
    house_told(&house, "zoe", 1, "You are no player");
}
END_TEST

/* Zoe, who is to be erased, and whose mailbox somebody wants to replace: that one has agreed already. */
static void leaves_and_moves(void)
{
    believes("open");
    (void)house_person(&house, "zoe");
    join("zoe");
    wish("zoe", "erase");
    answer_with_word();
    ck_assert_int_eq(find("zoe")->leaves, house.now + LEAVE_WAIT);
    (void)house_signed(
        &house, "mona", "mona",
        "#turnpost rekey\nplayer: zoe\naddress: zoe-new@example.net\nreason: she called\n#end\n");
    answer_from("zoe-new@example.net", "zoe-new@example.net", "ok");
    ck_assert(find("zoe")->move.agreed);
}

/* Nobody who is banned is gone three days later, and free to come again. */
START_TEST(a_ban_ends_them)
{
    leaves_and_moves();
    (void)house_signed(&house, "mona", "mona", "#turnpost moderate\ndo: ban zoe\nreason: Two seats.\n#end\n");
    ck_assert(find("zoe")->banned);
    house_clock(&house, house.now + 2 * MOVE_WAIT);
    ck_assert_ptr_nonnull(find("zoe"));
    ck_assert_str_eq(find("zoe")->address, "zoe@example.net");
}
END_TEST

/* A mailbox that is said to be lost: who has it gets no key of their own first, has nobody erased, and asks for nothing that would
 * end the move without a word. */
START_TEST(a_lost_mailbox_wins_no_race)
{
    leaves_and_moves();
    ask_key("zoe@example.net");
    wish("zoe", "address eve@example.net");
    answer_from("zoe@example.net", "zoe@example.net", "ok");
    ck_assert_str_eq(find("zoe")->move.address, "zoe-new@example.net");
    house_told(&house, "zoe", 2, "The moderator mona says that your mailbox is lost");
    house_clock(&house, house.now + MOVE_WAIT - 3600);
    ck_assert_ptr_nonnull(find("zoe"));
    ck_assert_uint_eq(count_keys("zoe"), 0);
    house_clock(&house, house.now + 7200);
    ck_assert_str_eq(find("zoe")->address, "zoe-new@example.net");
    house_clock(&house, house.now + 2 * MOVE_WAIT);
    ck_assert_ptr_nonnull(find("zoe"));
    ck_assert_uint_eq(count_keys("zoe"), 0);
}
END_TEST

/* A "no" ends the move; what was asked for comes then, as the mailbox is theirs. */
START_TEST(a_mailbox_that_is_not_lost)
{
    struct str to = STR_INIT;
    leaves_and_moves();
    ask_key("zoe@example.net");
    keyless_veto_move(&to, &house.league, find("zoe"), house.now);
    (void)post_from("zoe@example.net", to.p, "Re: A new address", "no");
    ck_assert_int_eq(find("zoe")->move.time, 0);
    house_clock(&house, house.now + LEAVE_WAIT - 60);
    ck_assert_ptr_nonnull(find("zoe"));
    house_clock(&house, house.now + 120);
    ck_assert_ptr_null(find("zoe"));
    str_release(&to);
}
END_TEST

/* What another "ok" would leave in the journal, of whoever has that mailbox. */
START_TEST(it_agrees_once)
{
    struct str to = STR_INIT;
    leaves_and_moves();
    const int64_t seq = house.batch.log.seq;
    keyless_move(&to, &house.league, find("zoe"), house.now);
    (void)post_from("zoe-new@example.net", to.p, "Re: that address", "ok");
    (void)post_from("zoe-new@example.net", to.p, "Re: that address", "Yes!");
    ck_assert_int_eq(house.batch.log.seq, seq);
    str_release(&to);
}
END_TEST

/* Who stops it for them is answered, and their address is told to nobody. */
START_TEST(a_moderator_stops_it)
{
    struct str mails;
    leaves_and_moves();
    house_empty_spool(&house);
    (void)house_signed(&house, "mona", "mona", "#turnpost veto\nplayer: zoe\n#end\n");
    ck_assert_int_eq(find("zoe")->move.time, 0);
    ck_assert_int_eq(house_mails(&house, "mona", &mails), 1);
    ck_assert(house_says(mails.p, "The addresses of zoe stay as they are"));
    str_release(&mails);
    ck_assert_int_eq(house_mails(&house, "zoe", &mails), 1);
    ck_assert(house_says(mails.p, "The addresses of zoe stay as they are"));
    ck_assert(!house_says(mails.p, "mona@example"));
    ck_assert_ptr_null(strstr(mails.p, "In-Reply-To"));
    str_release(&mails);
}
END_TEST

/* Whoever has the mailbox that agreed has become another player within the week. */
START_TEST(an_address_is_taken_meanwhile)
{
    believes("open");
    join("zoe");
    (void)house_signed(
        &house, "mona", "mona",
        "#turnpost rekey\nplayer: zoe\naddress: zoe-new@example.net\nreason: she called\n#end\n");
    answer_from("zoe-new@example.net", "zoe-new@example.net", "ok");
    house_empty_spool(&house);
    join("zoe-new");
    house_clock(&house, house.now + MOVE_WAIT + 60);
    ck_assert_str_eq(find("zoe")->address, "zoe@example.net");
    ck_assert_int_eq(find("zoe")->move.time, 0);
    for (int moderator = 0; moderator < 2; moderator++) {
        struct str mails;
        ck_assert_int_eq(house_mails(&house, moderator ? "mona" : "zoe", &mails), 1);
        ck_assert(house_says(
            mails.p, "zoe-new@example.net belongs to another player by now. The addresses of zoe stay"));
        str_release(&mails);
    }
}
END_TEST

/* Her file was damaged the day before she would have been erased, or moved; a day later it is put back, and a day is left in
 * which she may say no. */
START_TEST(who_was_not_heard_has_what_was_left)
{
    believes("open");
    join("zoe");
    if (_i) {
        (void)house_signed(
            &house, "mona", "mona",
            "#turnpost rekey\nplayer: zoe\naddress: zoe-new@example.net\nreason: she called\n#end\n");
        answer_from("zoe-new@example.net", "zoe-new@example.net", "ok");
    } else {
        wish("zoe", "erase");
        answer_with_word();
    }
    const int64_t until = _i ? find("zoe")->move.time : find("zoe")->leaves;
    house_clock(&house, until - 86400);
    house_end(&house);
    house_shell(&house, "mv players/zoe.json . && echo '{' >players/zoe.json");
    house_begin(&house);
    house_clock(&house, until + 86400);
    house_end(&house);
    house_shell(&house, "mv zoe.json players/");
    house_begin(&house);
    house_restart(&house);
    house_clock(&house, house.now + 86400 - 10);
    ck_assert_ptr_nonnull(find("zoe"));
    ck_assert_str_eq(find("zoe")->address, "zoe@example.net");
    house_clock(&house, house.now + 20);
    ck_assert(_i ? strcmp(find("zoe")->address, "zoe-new@example.net") == 0 : !find("zoe"));
}
END_TEST

/* Both addresses hear of it, also whoever does not read the first one any more. */
START_TEST(both_addresses_are_told_that_all_is_erased)
{
    struct str mails;
    believes("open");
    join("zoe");
    wish("zoe", "second zoe-2@example.net");
    answer_from("zoe@example.net", "zoe@example.net", "ok");
    answer_from("zoe-2@example.net", "zoe-2@example.net", "ok");
    wish("zoe", "erase");
    answer_with_word();
    house_empty_spool(&house);
    ck_assert_str_eq(find("zoe")->address2, "zoe-2@example.net");
    house_clock(&house, house.now + LEAVE_WAIT + 60);
    ck_assert_ptr_null(find("zoe"));
    for (int second = 0; second < 2; second++) {
        ck_assert_int_eq(house_mails(&house, second ? "zoe-2" : "zoe", &mails), 1);
        ck_assert(house_says(mails.p, "You are no player"));
        str_release(&mails);
    }
}
END_TEST

/* What somebody asked for from the mailbox that is lost is void with it: whoever has the new one was not told of that. */
START_TEST(a_lost_mailbox_asks_for_a_key)
{
    believes("open");
    (void)house_person(&house, "zoe");
    join("zoe");
    (void)house_signed(
        &house, "mona", "mona",
        "#turnpost rekey\nplayer: zoe\naddress: zoe-new@example.net\nreason: she called\n#end\n");
    answer_from("zoe-new@example.net", "zoe-new@example.net", "ok");
    house_clock(&house, house.now + MOVE_WAIT - 3600);
    ask_key("zoe@example.net");
    ck_assert_int_ne(find("zoe")->rekey.time, 0);
    house_clock(&house, house.now + 7200);
    ck_assert_str_eq(find("zoe")->address, "zoe-new@example.net");
    house_clock(&house, house.now + 2 * REKEY_WAIT);
    ck_assert_uint_eq(count_keys("zoe"), 0);
    ck_assert(find("zoe")->by_mail);
}
END_TEST

static void cases(TCase *tc)
{
    tcase_add_checked_fixture(tc, begin, end);
    tcase_add_test(tc, who_said_stop_is_not_asked_for_their_address);
    tcase_add_test(tc, an_address_moves_when_both_agree);
    tcase_add_test(tc, no_ends_a_move);
    tcase_add_test(tc, a_second_address);
    tcase_add_test(tc, what_is_done_is_told_at_the_second);
    tcase_add_test(tc, a_no_is_good_to_the_end);
    tcase_add_test(tc, a_full_domain_is_no_place_to_move_to);
    tcase_add_test(tc, a_lost_mailbox);
    tcase_add_test(tc, a_mailbox_that_does_not_agree);
    tcase_add_test(tc, leaving_waits);
    tcase_add_test(tc, a_ban_ends_them);
    tcase_add_test(tc, a_lost_mailbox_wins_no_race);
    tcase_add_test(tc, a_mailbox_that_is_not_lost);
    tcase_add_test(tc, it_agrees_once);
    tcase_add_test(tc, a_moderator_stops_it);
    tcase_add_test(tc, an_address_is_taken_meanwhile);
    tcase_add_loop_test(tc, who_was_not_heard_has_what_was_left, 0, 2);
    tcase_add_test(tc, both_addresses_are_told_that_all_is_erased);
    tcase_add_test(tc, a_lost_mailbox_asks_for_a_key);
}

TEST_MAIN("petitions/keyless_moves", cases)
