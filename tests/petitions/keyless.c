/* People who have only a mailbox: they register, or stop all mail. */
#include "house/only_mail.h"

START_TEST(two_mails_and_a_word_make_a_player)
{
    char to[PLAYER_ADDRESS];
    struct record record;
    int64_t records;
    believes("open");
    records = house.batch.log.seq;
    ck_assert_int_eq(post("zoe", HOUSE_ADDRESS, "Re: [EXTERNAL] Register Zoe!", "Sent from my telephone"),
                     INTAKE_PROCESSED);
    ck_assert_int_eq(house.batch.log.seq, records); /* nothing is stored */
    reply_to("zoe", to);
    ck_assert_msg(str_starts(to, "league+join.zoe."), "%s", to);
    house_told(&house, "zoe", 1, "answer this mail with the one word");
    restart();
    ck_assert_int_eq(post("zoe", to, "Re: One step more, zoe: answer \"ok\"",
                          "Ok\n\nOn Fri, 20 Nov 2026, Orion League wrote:\n> ok"),
                     INTAKE_PROCESSED);
    ck_assert_ptr_nonnull(find("zoe"));
    ck_assert(find("zoe")->by_mail);
    ck_assert_str_eq(find("zoe")->address, "zoe@example.net");
    house_told(&house, "zoe", 1, "You are registered, zoe. We will write to zoe@example.net");
    last_record(&record);
    proves(record.json, "zoe");
    record_release(&record);
    restart();
    ck_assert(find("zoe")->by_mail);
    ck_assert_ptr_null(keyring_damaged(&house.batch.keyring, "zoe"));
    ck_assert_ptr_null(player_absent(&house.batch.outside, "zoe"));
    (void)post("zoe", to, "Re: One step more", "ok"); /* typed again */
    house_told(&house, "zoe", 1, "who is registered already");
}
END_TEST

static const struct {
    const char *from, *to, *subject, *text,
        *words; /* words NULL: no answer of this kind, and nobody registers */
} wrong[] = {
    {"zoe@example.net", NULL, "Re: x", "Yes, but who are you?", "answer with the one word \"ok\""},
    {"zoe@example.net", NULL, "Re: x", "> ok", "answer with the one word \"ok\""},
    {"Zoe@example.net", NULL, "Re: x", "ok",
     "ok"}, /* the case of an address: the word does not fold it away */
    {"zoe+1@example.net", NULL, "Re: x", "ok", NULL},
    {"eve@example.net", NULL, "Re: x", "ok", NULL},
    {"zoe@example.net", "league+join.zoe.aaaaaaaaaaaaaaaa@example.org", "Re: x", "ok", "too old"},
    {"zoe@example.net", "league+join.mia.aaaaaaaaaaaaaaaa@example.org", "Re: x", "ok", "too old"},
};

START_TEST(nobody_else_says_ok)
{
    char to[PLAYER_ADDRESS];
    believes("open");
    (void)post("zoe", HOUSE_ADDRESS, "register zoe", "");
    reply_to("zoe", to);
    house_empty_spool(&house);
    (void)post_from(wrong[_i].from, wrong[_i].to ? wrong[_i].to : to, wrong[_i].subject, wrong[_i].text);
    if (strcmp(wrong[_i].from, "Zoe@example.net") == 0)
        return;
    ck_assert_ptr_null(find("zoe"));
    ck_assert_ptr_null(find("mia"));
    if (wrong[_i].words)
        house_told(&house, "zoe", 1, wrong[_i].words);
}
END_TEST

/* A forged From, and a mail whose domain says nothing, are what they were. */
START_TEST(without_its_domain_a_mail_registers_nobody)
{
    char to[PLAYER_ADDRESS];
    believes("open");
    (void)house_mail(&house, "zoe", "register zoe", "");
    house_told(&house, "zoe", 1,
               "Without a key somebody can register here whose mail domain signs their mails.");
    (void)post("zoe", HOUSE_ADDRESS, "register zoe", "");
    reply_to("zoe", to);
    house_empty_spool(&house);
    str_clear(&house.last_raw);
    str_addf(&house.last_raw,
             "From: zoe@example.net\r\nTo: %s\r\nSubject: Re: x\r\nMessage-ID: <7@example.net>\r\nDate: Fri, "
             "20 Nov 2026 12:00:00 +0000\r\n\r\nok\r\n",
             to);
    (void)house_raw(&house, slice_str(&house.last_raw));
    ck_assert_ptr_null(find("zoe"));
}
END_TEST

/* The first question may lie among spam: whoever asks again is asked again, in a mail of their own each time. */
START_TEST(whoever_asks_again_is_asked_again)
{
    believes("open");
    (void)post("zoe", HOUSE_ADDRESS, "register zoe", "");
    house_told(&house, "zoe", 1, "answer this mail");
    (void)post("zoe", HOUSE_ADDRESS, "register zoe", "");
    house_told(&house, "zoe", 1, "answer this mail");
    struct str again = STR_INIT; /* the same, with a field that anybody can put on top */
    str_adds(&again, "X-Way: once more\r\n");
    str_addslice(&again, slice_str(&house.last_raw));
    for (int i = 0; i < 5; i++)
        (void)house_raw(&house, slice_str(&again));
    house_told(&house, "zoe", 0, NULL);
    str_release(&again);
}
END_TEST

/* Who runs a domain can sign what they like: it costs so many mails a day, with other names of the mailbox, too. */
START_TEST(a_mailbox_has_so_many_answers_a_day)
{
    char from[64];
    struct str mails;
    believes("open");
    house_option(&house, "\n[limits]", "stranger_replies = 5");
    restart();
    for (int i = 0; i < 20; i++) {
        (void)snprintf(from, sizeof from, "zoe%s%d@example.net", i ? "+" : "", i);
        (void)post_from(i ? from : "zoe@example.net", HOUSE_ADDRESS, "register zoe", "");
    }
    ck_assert_int_eq(house_mails(&house, NULL, &mails), 5);
    ck_assert(house_says(mails.p, "This is our last answer to this address until"));
    str_release(&mails);
    house_empty_spool(&house);
    house.now += DAY;
    (void)post("zoe", HOUSE_ADDRESS, "register zoe", "");
    house_told(&house, "zoe", 1, "answer this mail");
}
END_TEST

START_TEST(a_domain_of_ones_own_has_room_for_some)
{
    struct str mails;
    believes("open");
    house_option(&house, "\n[limits]", "players_per_domain = 2");
    restart();
    join("zoe");
    join("mia");
    (void)post("bea", HOUSE_ADDRESS, "register bea", "");
    house_told(&house, "bea", 1, "2 players of this league have their mailbox at example.net already");
    resolver_tell(house.league.resolver, "mail._domainkey.a.example.net", domain.record.p, clock_system());
    (void)post_from("eve@a.example.net", HOUSE_ADDRESS, "register eve", "");
    ck_assert_int_eq(house_mails(&house, NULL, &mails), 1);
    ck_assert(house_says(mails.p, "have their mailbox at example.net already"));
    str_release(&mails);
    house_empty_spool(&house);
    house_option(&house, "[league]", "shared_domains = example.com example.net");
    restart();
    house.now += DAY;
    join("bea");
}
END_TEST

/* They are thanked, the person there for questions hears of it, and "ok" to that answer is not too late. */
START_TEST(no_to_an_invitation)
{
    char word[TOKEN_TEXT] = "", to[PLAYER_ADDRESS];
    struct str mails, told, address = STR_INIT;
    believes("invite");
    free(house.league.config.league.contact);
    house.league.config.league.contact = mem_strdup("petra@example.net");
    (void)house_signed(&house, "mona", "mona", "#turnpost invite\nfor: zoe\n#end\n");
    (void)house_mails(&house, "mona", &mails);
    const char *at = strstr(mails.p, "league+invite.");
    ck_assert_msg(at != NULL, "%s", mails.p);
    (void)snprintf(word, sizeof word, "%.26s", at + strlen("league+invite."));
    house_empty_spool(&house);
    keyless_invitation(&address, &house.league, word, NULL);
    (void)snprintf(to, sizeof to, "%s", address.p);
    (void)post("zoe", to, "Re: You are invited", "No, thank you");
    ck_assert_ptr_null(find("zoe"));
    (void)house_mails(&house, NULL, &told);
    ck_assert_msg(strstr(told.p, "Thank you for your answer") &&
                      strstr(told.p, "zoe@example.net does not want to play"),
                  "%s", told.p);
    str_release(&told);
    domain.signs_to = true;
    (void)post("zoe", to, "Re: Re: You are invited", "ok");
    ck_assert_ptr_nonnull(find("zoe"));
    str_release(&mails);
    str_release(&address);
}
END_TEST

START_TEST(an_invitation_takes_one_mail)
{
    char word[TOKEN_TEXT] = "", to[PLAYER_ADDRESS];
    struct str mails, address = STR_INIT;
    believes("invite");
    (void)post("zoe", HOUSE_ADDRESS, "register zoe", "");
    ck_assert_ptr_null(find("zoe"));
    house_told(&house, "zoe", 1, "you need an invitation");
    for (int i = 0; i < 2; i++) {
        char text[64];
        (void)snprintf(text, sizeof text, "#turnpost invite\nfor: friend %d\n#end\n", i);
        (void)house_signed(&house, "mona", "mona", text);
        (void)house_mails(&house, "mona", &mails);
        const char *at = strstr(mails.p, "league+invite.");
        ck_assert_msg(at != NULL, "%s", mails.p);
        (void)snprintf(word, sizeof word, "%.26s", at + strlen("league+invite."));
        str_release(&mails);
        house_empty_spool(&house);
        str_clear(&address);
        keyless_invitation(&address, &house.league, word, NULL);
        (void)snprintf(to, sizeof to, "%s", address.p);
        if (i == 0) {
            domain.signs_to = true;
            (void)post("zoe", to, "register zoe", "");
            domain.signs_to = false;
            ck_assert(find("zoe") && find("zoe")->by_mail);
            house_told(&house, "zoe", 1, "You are registered, zoe");
        } else { /* "ok", and what the mailbox is called; but not any "ok" that somebody sends on */
            (void)post("bea", to, "Re: Lunch?", "ok");
            ck_assert_ptr_null(find("bea"));
            house_told(&house, "bea", 1, "which invitation");
            char quoted[100];
            (void)snprintf(quoted, sizeof quoted, "ok\n\n> as your mail program quotes it (%s)", word);
            (void)post("bea", to, "Re: An invitation", quoted);
            ck_assert(find("bea") && find("bea")->by_mail);
            house_told(&house, "bea", 1, "You are registered, bea");
        }
        (void)post("eve", to, "register eve", "");
        ck_assert_ptr_null(find("eve"));
        house_told(&house, "eve", 1, "used already");
    }
    str_release(&address);
}
END_TEST

/* What is kept of addresses that want no mail is bounded, for whoever signs for a whole domain. */
START_TEST(so_many_of_a_domain_stop)
{
    char from[40];
    int stopped = 0;
    believes("open");
    domain.signs_to = true;
    for (int i = 0; i < BUDGET_FEW + 5; i++) {
        struct str mails;
        (void)snprintf(from, sizeof from, "z%d@example.net", i);
        (void)post_from(from, HOUSE_ADDRESS, "stop", "");
        (void)house_mails(&house, NULL, &mails);
        stopped += house_says(mails.p, "This is the last mail to this address");
        str_release(&mails);
        house_empty_spool(&house);
    }
    ck_assert_int_eq(stopped, BUDGET_FEW);
}
END_TEST

/* Whoever gets a mail can send it in, and says where it is delivered: what Zoe has written to Eve does nothing here that she
 * is not asked about, whether her domain signs To or not. */
START_TEST(what_was_written_to_others_is_asked_about)
{
    char word[TOKEN_TEXT] = "", to[PLAYER_ADDRESS], text[160];
    struct str mails, address = STR_INIT;
    believes("invite");
    (void)house_signed(&house, "mona", "mona", "#turnpost invite\nfor: a friend\n#end\n");
    (void)house_mails(&house, "mona", &mails);
    (void)snprintf(word, sizeof word, "%.26s", strstr(mails.p, "league+invite.") + strlen("league+invite."));
    str_release(&mails);
    house_empty_spool(&house);
    keyless_invitation(&address, &house.league, word, NULL);
    pass_on(address.p, "register zoe", "");
    ck_assert_uint_eq(house.batch.registry.count, 1);
    reply_to("zoe", to);
    house_empty_spool(&house);
    pass_on(address.p, "Re: Lunch?", "ok");
    pass_on(HOUSE_ADDRESS, "register zoe", "");
    ck_assert_uint_eq(house.batch.registry.count, 1);
    house_empty_spool(&house);
    (void)snprintf(text, sizeof text, "ok\n\n> Your invitation (%s) is good.\n", word);
    (void)post("zoe", to, "Re: Your invitation", text); /* she answers what we have asked her */
    ck_assert_ptr_nonnull(find("zoe"));
    pass_on(HOUSE_ADDRESS, "stop", "");
    ck_assert(!find("zoe")->quiet);
    str_release(&address);
}
END_TEST

/* There was no time to ask Zoe's name servers, as strangers' domains have used it up: her mail waits, at most three days,
 * and counts when they have answered. */
START_TEST(a_newcomer_waits_for_name_servers)
{
    struct err err = ERR_INIT;
    struct str spent = STR_INIT;
    believes("open");
    str_addf(&spent,
             "{\"all\":0,\"asked\":{},\"names\":[],\"others\":[-999999,%lld],\"players\":[0,0],\"window\":0}",
             (long long)clock_system());
    ck_ok(resolver_read(house.league.resolver, slice_str(&spent), &err), err);
    str_release(&spent);
    ck_assert_int_eq(post_from("zoe@away.test", HOUSE_ADDRESS, "register zoe", ""), INTAKE_KEPT);
    house_told(&house, "zoe", 0, NULL);
    ck_assert_int_eq(house_raw(&house, slice_str(&house.last_raw)), INTAKE_KEPT);
    if (_i == 0) {
        resolver_tell(house.league.resolver, "mail._domainkey.away.test", domain.record.p, clock_system());
        ck_assert_int_eq(house_raw(&house, slice_str(&house.last_raw)), INTAKE_PROCESSED);
        house_told(&house, NULL, 1, "answer this mail with the one word");
        return;
    }
    house.arrived = house.now;
    house.now += 3 * DAY + 1;
    ck_assert_int_ne(house_raw(&house, slice_str(&house.last_raw)), INTAKE_KEPT);
    house_told(&house, NULL, 1, "could not be asked for just now");
}
END_TEST

/* A flood of them does not stay: few of a domain, and not many of all. */
START_TEST(few_newcomers_wait)
{
    struct err err = ERR_INIT;
    struct str spent = STR_INIT;
    char from[40];
    size_t kept = 0;
    believes("open");
    str_addf(&spent,
             "{\"all\":0,\"asked\":{},\"names\":[],\"others\":[-999999,%lld],\"players\":[0,0],\"window\":0}",
             (long long)clock_system() + DAY);
    ck_ok(resolver_read(house.league.resolver, slice_str(&spent), &err), err);
    str_release(&spent);
    for (int i = 0; i < 30; i++)
        kept += post_from("zoe@n.away.test", HOUSE_ADDRESS, "register zoe", "") == INTAKE_KEPT;
    ck_assert_uint_eq(kept, 20);
    for (int i = 0; i < 300; i++) {
        (void)snprintf(from, sizeof from, "zoe@n%d.test", i);
        kept += post_from(from, HOUSE_ADDRESS, "register zoe", "") == INTAKE_KEPT;
    }
    ck_assert_uint_eq(kept, 200);
    ck_assert_int_ne(post_from("zoe@new.test", HOUSE_ADDRESS, "help", ""), INTAKE_KEPT); /* needs no domain */
}
END_TEST

/* Above our question "help" brings help, and the question stays as it is. */
START_TEST(a_newcomer_asks_for_help)
{
    char to[PLAYER_ADDRESS];
    believes("open");
    (void)post("zoe", HOUSE_ADDRESS, "register zoe", "");
    reply_to("zoe", to);
    house_empty_spool(&house);
    (void)post("zoe", to, "Re: One step more", "Help!\n\n> answer this mail with the one word\n");
    house_told(&house, "zoe", 1, "What you can send to");
    (void)post("zoe", to, "Re: One step more", "ok\n\n> answer this mail with the one word\n");
    ck_assert_ptr_nonnull(find("zoe"));
}
END_TEST

/* A name that cannot be written here is proposed in another form, and never taken without an answer. */
START_TEST(a_name_that_cannot_be_written)
{
    static const struct {
        const char *subject, *name, *display;
    } names[] = {{"=?utf-8?q?register_J=C3=BCrgen?=", "juergen", "Jürgen"},
                 {"=?utf-8?q?register_Ju=CC=88rgen?=", "juergen", "Jürgen"}, /* the mark after its letter */
                 {"=?utf-8?b?cmVnaXN0ZXIgxYF1a2FzeiBOb3dhaw==?=", "lukasz-nowak", "Łukasz Nowak"},
                 {"=?utf-8?b?cmVnaXN0ZXIg0JLQu9Cw0LTQuNC80LjRgA==?=", "zoe", "Владимир"}, /* the mailbox's */
                 {"register Anna Maria", "anna-maria", "Anna Maria"},
                 {"register =?utf-8?q?J=C3=BCrgen_=E2=80=AEx?=", "juergen-x", ""}}; /* turned round */
    char word[TOKEN_TEXT] = "", to[PLAYER_ADDRESS], text[160];
    struct str mails;
    believes("invite");
    (void)house_signed(&house, "mona", "mona", "#turnpost invite\nfor: a friend\n#end\n");
    (void)house_mails(&house, "mona", &mails);
    (void)snprintf(word, sizeof word, "%.26s", strstr(mails.p, "league+invite.") + strlen("league+invite."));
    str_release(&mails);
    house_empty_spool(&house);
    (void)snprintf(text, sizeof text, "invite: %s\n", word);
    (void)post("zoe", HOUSE_ADDRESS, names[_i].subject, text);
    ck_assert_uint_eq(house.batch.registry.count, 1);
    reply_to("zoe", to);
    (void)snprintf(text, sizeof text, "To play as %s, press Reply and type: ok", names[_i].name);
    house_told(&house, "zoe", 1, text);
    house_empty_spool(&house);
    (void)snprintf(text, sizeof text, "ok\n\n> Your invitation (%s) is good.\n", word);
    (void)post("zoe", to, names[_i].subject, text);
    ck_assert_ptr_nonnull(find(names[_i].name));
    ck_assert_str_eq(find(names[_i].name)->display, names[_i].display);
    ck_assert_uint_eq(house.batch.registry.count, 2);
    restart();
    ck_assert_str_eq(find(names[_i].name)->display, names[_i].display);
}
END_TEST

/* Where anybody may register, too: they are asked with the name, and the subject of the answer says how it is written. */
START_TEST(a_name_beside_it)
{
    static const char subject[] =
        "Re: Register =?utf-8?q?Jos=C3=A9_Mar=C3=ADa=3F?= One step more: answer \"ok\"";
    char to[PLAYER_ADDRESS];
    believes("open");
    (void)post("zoe", HOUSE_ADDRESS, "=?utf-8?q?register_Jos=C3=A9_Mar=C3=ADa?=", "");
    reply_to("zoe", to);
    ck_assert_msg(str_starts(to, "league+join.jose-maria."), "%s", to);
    house_told(&house, "zoe", 1, "to play in this league as José María (jose-maria), by mails from");
    (void)post("zoe", to, subject, "ok");
    ck_assert_ptr_nonnull(find("jose-maria"));
    ck_assert_str_eq(find("jose-maria")->display, "José María");
    house_told(&house, "zoe", 1, "You are called José María where people read it, and jose-maria in orders");
    (void)post("zoe", HOUSE_ADDRESS, "status", "");
    house_told(&house, "zoe", 1, "José María (jose-maria): no turn has waited");
}
END_TEST

/* Their domain says that it is they who want no more, so it needs no word. */
START_TEST(stop_works_at_once)
{
    believes("open");
    join("zoe");
    (void)post("zoe", "eve@example.net", "Stop", "");
    (void)post("zoe", HOUSE_ADDRESS, "Re: hello", "Stop joking");
    ck_assert(!find("zoe")->quiet);
    house_empty_spool(&house);
    (void)post("zoe", HOUSE_ADDRESS, "stop", ""); /* it may have gone to a friend, who has sent it here */
    ck_assert(!find("zoe")->quiet);
    house_told(&house, "zoe", 1, "Nothing has been changed yet");
    domain.signs_to = true;
    (void)post("zoe", HOUSE_ADDRESS, "Stop.", "");
    ck_assert(find("zoe")->quiet);
    house_told(&house, "zoe", 1, "You get no more mails");
    (void)post("eve", HOUSE_ADDRESS, "unsubscribe", "");
    house_told(&house, "eve", 1, "This is the last mail to this address");
    restart();
    (void)post("eve", HOUSE_ADDRESS, "games", "");
    (void)house_mail(&house, "eve", "register", "");
    house_told(&house, "eve", 0, NULL);
    join("eve"); /* they want it again */
    (void)post("eve", HOUSE_ADDRESS, "games", "");
    house_told(&house, "eve", 1, NULL);
}
END_TEST

static void cases(TCase *tc)
{
    tcase_add_checked_fixture(tc, begin, end);
    tcase_add_test(tc, two_mails_and_a_word_make_a_player);
    tcase_add_loop_test(tc, nobody_else_says_ok, 0, (int)(sizeof wrong / sizeof *wrong));
    tcase_add_test(tc, without_its_domain_a_mail_registers_nobody);
    tcase_add_test(tc, whoever_asks_again_is_asked_again);
    tcase_add_test(tc, a_mailbox_has_so_many_answers_a_day);
    tcase_add_test(tc, a_domain_of_ones_own_has_room_for_some);
    tcase_add_test(tc, no_to_an_invitation);
    tcase_add_test(tc, an_invitation_takes_one_mail);
    tcase_add_test(tc, so_many_of_a_domain_stop);
    tcase_add_test(tc, what_was_written_to_others_is_asked_about);
    tcase_add_loop_test(tc, a_newcomer_waits_for_name_servers, 0, 2);
    tcase_add_test(tc, few_newcomers_wait);
    tcase_add_test(tc, a_newcomer_asks_for_help);
    tcase_add_loop_test(tc, a_name_that_cannot_be_written, 0, 6);
    tcase_add_test(tc, a_name_beside_it);
    tcase_add_test(tc, stop_works_at_once);
}

TEST_MAIN("petitions/keyless", cases)
