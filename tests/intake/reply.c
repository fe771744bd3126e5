/* Answers to our mails by players without keys: what counts, what is asked back, and how much is kept. */
#include "house/reported.h"

/* ---- what counts, and what is asked ---- */

START_TEST(an_order_counts)
{
    ck_assert_int_eq(answer(&honest, "Explore near"), INTAKE_PROCESSED);
    ck_assert_str_eq(orders_now(), "Explore near\n");
    ck_assert(house_find(&house, "gc-1")->seat[1].orders.by_mail);
}
END_TEST

START_TEST(the_later_answer_counts)
{
    (void)answer(&honest, "explore near");
    (void)answer(&honest, "explore far");
    ck_assert_str_eq(orders_now(), "explore far\n");
    /* to the first mail, once more */
    (void)answer(&(struct form){.seq = 1}, "build");
    ck_assert_str_eq(orders_now(), "build\n");
    (void)answer(&(struct form){.seq = 2, .later = -90}, "explore far");
    ck_assert_str_eq(orders_now(), "build\n");
}
END_TEST

START_TEST(a_mail_that_comes_again_changes_nothing)
{
    struct str again = STR_INIT;
    (void)answer(&honest, "explore near");
    str_adds(&again, "X-Other: anybody can write this\r\n");
    str_addslice(&again, slice_str(&mail));
    (void)answer(&honest, "build");
    int64_t seq = house_find(&house, "gc-1")->seq;
    (void)house_raw(&house, slice_str(&again));
    ck_assert_int_eq(house_find(&house, "gc-1")->seq, seq);
    ck_assert_str_eq(orders_now(), "build\n");
    str_release(&again);
}
END_TEST

/* Nothing is stored, the answer asks, and "ok" to it takes what was understood. */
static void asked_first(const struct form *form, const char *typed, const char *understood)
{
    (void)answer(form, typed);
    ck_assert(!is_in());
    ck_assert_int_eq(answer(&(struct form){.held = understood}, "ok"), INTAKE_PROCESSED);
    ck_assert_str_eq(orders_now(), understood);
}

START_TEST(what_is_unsure_is_asked)
{
    asked_first(&honest, "explor near", "explore near\n");
}
END_TEST

/* So is a name, or another word of an order. */
START_TEST(a_misspelt_name_is_asked_about)
{
    asked_first(&honest, "bulid\r\nexplore neer", "build\nexplore near\n");
}
END_TEST

START_TEST(another_misspelt_name_is_asked_about)
{
    asked_first(&honest, "1\r\nbuild militray", "explore near\nbuild military\n");
}
END_TEST

/* What was not read may have been the other half: the orders count, the turn waits, and "final" ends that, or "ok". */
START_TEST(unread_matter_keeps_the_turn_open)
{
    static const char *const ends[] = {"final", "ok", "OK, thanks", "explore near\r\nfinal"};
    (void)answer(&honest, "explore near\r\nand then conquer all that is left");
    ck_assert_str_eq(orders_now(), "explore near\n");
    ck_assert(house_find(&house, "gc-1")->seat[1].orders.waits);
    told(0, 1, "Not read in your mail: \"and then conquer all that is left\"");
    (void)answer(&receipt, ends[_i]);
    ck_assert_str_eq(orders_now(), "explore near\n");
    ck_assert(!house_find(&house, "gc-1")->seat[1].orders.waits);
}
END_TEST

/* The last text of a turn waits for none, as none could follow. */
START_TEST(unread_matter_in_the_last_text)
{
    (void)answer(&honest, "explore near\r\nand then conquer all that is left");
    for (int i = 1; i < ORDERS_TEXTS; i++) {
        ck_assert(house_find(&house, "gc-1")->seat[1].orders.waits);
        ck_assert_int_eq(
            answer(&receipt, i % 2 ? "explore far\r\nand then conquer all" : "explore near\r\nand then go"),
            INTAKE_PROCESSED);
    }
    ck_assert_int_eq(house_find(&house, "gc-1")->seat[1].texts, ORDERS_TEXTS);
    ck_assert(!house_find(&house, "gc-1")->seat[1].orders.waits);
}
END_TEST

/* So may a line above them: "solis", and what comes next, is half of an order. */
START_TEST(unread_matter_above_orders_keeps_it_open)
{
    static const char *const typed[] = {
        "near\r\nbuild", "Hello, I want to expore near and build please\r\n\r\nbuild", "gliese\r\nok"};
    (void)house_signed(&house, "bob", "bob", "#turnpost orders\ngame: gc-1\nturn: 1\nbide\n#end\n");
    house_empty_spool(&house);
    (void)answer(&honest, typed[_i]);
    ck_assert_int_eq(house_find(&house, "gc-1")->turn, 1);
    ck_assert(house_find(&house, "gc-1")->seat[1].orders.waits);
    told(0, 1, "That may have been an order, so the turn waits for you");
    (void)answer(&receipt, "final");
    ck_assert_int_eq(house_find(&house, "gc-1")->turn, 2);
}
END_TEST

/* Greetings and names keep nothing open, above or below. */
START_TEST(greetings_and_names_keep_nothing_open)
{
    static const char *const typed[] = {"Hi Mia,\r\nbuild",
                                        "Dear Turnpost team\r\nbuild",
                                        "build\r\nCheers, Anna",
                                        "Hello bob!\r\n\r\nbuild\r\n\r\nThanks, anna",
                                        "anna\r\nbuild\r\nLG Anna",
                                        "thanks for the game all\r\nbuild",
                                        "hello?\r\nbuild",
                                        "build\r\n\r\nsorry, busy week",
                                        "thanks bob you too!\r\nbuild"};
    (void)answer(&honest, typed[_i]);
    ck_assert_str_eq(orders_now(), "build\n");
    ck_assert(!house_find(&house, "gc-1")->seat[1].orders.waits);
}
END_TEST

/* Where a report is the receipt as well, it says so. */
START_TEST(a_report_says_what_was_not_read)
{
    (void)house_signed(&house, "bob", "bob", "#turnpost orders\ngame: gc-1\nturn: 1\nbide\n#end\n");
    house_empty_spool(&house);
    (void)answer(&honest, "Hello, I want to expore near and build please\r\n\r\nbuild\r\nfinal");
    ck_assert_int_eq(house_find(&house, "gc-1")->turn, 2);
    told(1, 2, "Not read in your mail: \"Hello, I want to expore near and build please\"");
}
END_TEST

/* With what mails begin and end is known from the second one on; a word alone above orders is not learnt. */
START_TEST(an_ending_is_learnt)
{
    static const char ending[] =
        "explore "
        "near\r\n\r\n\xD0\x9E\xD1\x82\xD0\xBF\xD1\x80\xD0\xB0\xD0\xB2\xD0\xBB\xD0\xB5\xD0\xBD\xD0\xBE "
        "\xD1\x81 iPhone 15";
    static const char next[] =
        "build\r\n\r\n\xD0\x9E\xD1\x82\xD0\xBF\xD1\x80\xD0\xB0\xD0\xB2\xD0\xBB\xD0\xB5\xD0\xBD\xD0\xBE "
        "\xD1\x81 iPhone 16";
    for (int i = 0; i < 2; i++) {
        (void)answer(&honest, "Dear computer, these are my orders\r\n\r\nexplore near");
        ck_assert(house_find(&house, "gc-1")->seat[1].orders.waits == !i);
    }
    for (int i = 0; i < 2; i++) {
        (void)answer(&honest, "solis\r\n\r\nexplore near");
        ck_assert(house_find(&house, "gc-1")->seat[1].orders.waits);
    }
    (void)answer(&honest, ending);
    ck_assert(house_find(&house, "gc-1")->seat[1].orders.waits);
    house_empty_spool(&house);
    (void)answer(&honest, next);
    ck_assert_str_eq(orders_now(), "build\n");
    ck_assert(!house_find(&house, "gc-1")->seat[1].orders.waits);
    struct str mails;
    ck_assert_int_eq(house_mails(&house, NULL, &mails), 1);
    ck_assert_ptr_null(strstr(mails.p, "Not read"));
    str_release(&mails);
}
END_TEST

/* "ok" to a receipt means that it is right, and takes no suggestion. */
START_TEST(ok_to_a_receipt_changes_nothing)
{
    (void)answer(&honest, "build");
    int64_t seq = house_find(&house, "gc-1")->seq;
    house_empty_spool(&house);
    (void)answer(&receipt, _i ? "Thanks!" : "ok");
    told(0, 1, "Your orders for turn 1 stand as they are");
    ck_assert_str_eq(orders_now(), "build\n");
    ck_assert_int_eq(house_find(&house, "gc-1")->seq, seq);
}
END_TEST

/* To a receipt that is not the last one it may mean either orders: she is shown those that count. */
START_TEST(ok_to_an_old_receipt_is_asked_about)
{
    (void)answer(&honest, "build");
    (void)answer(&honest, "explore near");
    house_empty_spool(&house);
    (void)answer(&(struct form){.seq = 2, .bare = true}, "ok");
    told(0, 1,
         "You have sent other orders since the mail that you answered. Do you mean these? \"explore near\"");
    ck_assert_str_eq(orders_now(), "explore near\n");
}
END_TEST

/* "Shall we?" asks Bob, and "ok" is what one answers; it may mean anything, and no suggestion that this mail does not show. */
START_TEST(ok_to_a_message_chooses_nothing)
{
    static const char *const words[] = {"ok", "1", "yes, please"};
    (void)answer(&receipt, words[_i]);
    ck_assert(!is_in());
    told(0, 1, "offers nothing to choose from");
    (void)answer(&(struct form){.held = "explore near\n", .bare = true}, "ok");
    ck_assert_str_eq(orders_now(), "explore near\n");
}
END_TEST

/* Nothing is done, and it is said so in so many words. What was asked stays open: she may think again. */
START_TEST(no_is_an_answer)
{
    static const char *const words[] = {"no", "No, thank you!", "Nein danke"};
    (void)answer(&honest, "explor near");
    house_empty_spool(&house);
    (void)answer(&(struct form){.held = "explore near\n", .bare = true}, words[_i]);
    told(0, 1, "You said no, so our question is closed");
    ck_assert(!is_in());
    (void)answer(&(struct form){.held = "explore near\n", .bare = true}, "ok");
    ck_assert(is_in());
}
END_TEST

/* "yes" agrees to a question, and a report asks none. */
START_TEST(yes_to_a_report_is_asked_about)
{
    (void)answer(&honest, "yes, please");
    ck_assert(!is_in());
    told(0, 1, "No question of ours is open");
    (void)answer(&(struct form){.held = "explore near\n"}, "yes, please");
    ck_assert(is_in());
}
END_TEST

START_TEST(a_sentence_is_no_order)
{
    asked_first(&honest, "Build trust with bob", "Build\n");
}
END_TEST

/* Only what can be done is offered to an "ok", without the words that nothing reads; what cannot work says why. */
START_TEST(what_is_offered_can_be_done)
{
    static const struct {
        const char *typed, *understood, *says;
    } cases[] = {
        {"build military pls, thanks", "build military\n", "\"build military pls, thanks\" Not understood"},
        {"build military thx\r\nresearch robots", "build military\n", "\"research robots\""},
        {"bide and build military", "", "\"bide and build military\""},
        {"tell nobody hello\r\npres jim: hi\r\nbiuld", "build\n", "No one called \"jim\" has a seat"},
    };
    (void)answer(&honest, cases[_i].typed);
    ck_assert(!is_in());
    told(0, 1, cases[_i].says);
    if (!*cases[_i].understood)
        return;
    (void)answer(&(struct form){.held = cases[_i].understood}, "ok");
    ck_assert_str_eq(orders_now(), cases[_i].understood);
}
END_TEST

/* "ok" beside orders is the first choice of the list that it answers; where there is none, nothing is dropped silently. */
START_TEST(ok_beside_orders_is_the_first_choice)
{
    static const char *const typed[] = {"ok\r\nbuild", "build\r\nOK", "ok\r\nexplore near"};
    static const char *const orders[] = {"explore near\nbuild\n", "build\nexplore near\n", "explore near\n"};
    (void)answer(&honest, typed[_i]);
    ck_assert_str_eq(orders_now(), orders[_i]);
    (void)answer(&receipt, typed[_i]);
    ck_assert_str_eq(orders_now(), orders[_i]);
    told(0, 2, "Some of your lines do not go together");
}
END_TEST

START_TEST(ok_to_a_question_and_more_is_shown_whole)
{
    (void)answer(&honest, "explor near");
    (void)answer(&(struct form){.held = "explore near\n"}, "ok\r\nbuild");
    ck_assert(!is_in());
    (void)answer(&(struct form){.held = "explore near\nbuild\n"}, "ok");
    ck_assert_str_eq(orders_now(), "explore near\nbuild\n");
}
END_TEST

/* As "turnpost games" marks it. */
static bool is_awaited(void)
{
    struct err err = ERR_INIT;
    struct catalog_game row;
    bool found = false;
    ck_ok(catalog_get_game(house.batch.catalog, "gc-1", &row, &found, &err), err);
    return found && (row.awaited & SEAT_BIT(1)) != 0;
}

/* What is not understood stops the game, so its player hears that, and how long; a message that is understood frees it, but not where
 * something else is open. */
START_TEST(a_question_that_stops_the_game_says_so)
{
    (void)answer(&honest, "build");
    house_empty_spool(&house);
    (void)answer(&honest, "what do you think of peace?");
    told(0, 1, "Your earlier orders for this turn still count. Turn 1 waits for you");
    ck_assert(house_find(&house, "gc-1")->seat[1].orders.question);
    ck_assert(is_awaited());
    (void)answer(&honest, "press bob: What do you think of peace?");
    ck_assert(!house_find(&house, "gc-1")->seat[1].orders.question);
    ck_assert(!is_awaited());
    ck_assert_str_eq(orders_now(), "build\n");
    (void)answer(&honest, "biuld");
    (void)answer(&honest, "press bob: Peace, then?");
    ck_assert(house_find(&house, "gc-1")->seat[1].orders.question);
}
END_TEST

/* The reminder of a question offers no list: "ok" to it takes the orders that were in, as it says. */
START_TEST(ok_to_a_reminder_takes_what_was_in)
{
    const struct game *game = house_find(&house, "gc-1");
    struct str mails;
    (void)answer(&honest, "build military");
    (void)answer(&honest, "what do you think of peace?");
    house_empty_spool(&house);
    house_clock(&house, game->clock.deadline - 2 * (int64_t)3600);
    ck_assert_int_gt(house_mails(&house, NULL, &mails), 0);
    ck_assert_msg(house_says(mails.p, "If they are all that you want, answer with: ok"), "%s", mails.p);
    ck_assert(!house_says(mails.p, "\"ok\" is 1"));
    str_release(&mails);
    (void)answer(&receipt, "ok");
    ck_assert_str_eq(orders_now(), "build military\n");
    ck_assert(!house_find(&house, "gc-1")->seat[1].orders.question);
}
END_TEST

/* A plain question, or a wish in a person's own words, is pointed to the word that does it. */
START_TEST(plain_words_are_pointed_on)
{
    static const struct {
        const char *typed, *says;
    } cases[] = {
        {"what does swap do?", "\"help swap\" explains that word."},
        {"who is winning?", "\"status\" shows how the game stands."},
        {"score, please", "\"status\" shows how the game stands."},
        {"I am on holiday from 4 to 12 December", "vacation 2026-12-24 to 2027-01-02"},
        {"I want to stop playing this game", "To stop playing this game for good, type: resign"},
        {"I give up, sorry for bob", "To stop playing this game for good, type: resign"},
        {"was on a train, can i have 2 more days?", "\"extend 24\" for a day"},
        {"oops i meant 2, take it back", "To take your orders back, answer with: undo"},
        {"quit", "To stop playing this game for good, type: resign"},
        {"what is a bunk?", "\"rules\" the rules"},
    };
    house_empty_spool(&house);
    (void)answer(&honest, cases[_i].typed);
    told(0, 1, cases[_i].says);
}
END_TEST

START_TEST(who_is_back_hears_how_to_end_time_off)
{
    (void)answer(&honest, "vacation 2026-12-04 to 2026-12-12");
    house_empty_spool(&house);
    (void)answer(&honest, "I am back already");
    told(0, 1, "\"vacation cancel\" ends your time off.");
    (void)answer(&honest, "vacation 4.12. to 12.12.");
    told(0, 1, "\"4.12.\" is no day that we can read");
}
END_TEST

/* Who writes the same words again hears once that they say no more than before, and then nothing for an hour. */
START_TEST(the_same_words_are_answered_once_more)
{
    (void)answer(&honest, "what now, league?");
    house_empty_spool(&house);
    (void)answer(&honest, "What now, league?");
    told(0, 1, "You wrote the same words before, and we understand no more of them now.");
    (void)answer(&honest, "what now, league?");
    nobody_is_told();
}
END_TEST

/* Numbers as people write them. */
START_TEST(numbers_are_read_as_people_write_them)
{
    static const char *const one[] = {"1 please", "option 1",         "number 1",         "(1)",
                                      "one",      "Choice 1, thanks", "1 - explore near", "1) explore near",
                                      "#1",       "explore near"};
    static const char *const both[] = {"both 1 and 2", "1 then 2",    "1 und 2",
                                       "1/2",          "one and two", "1, then 2"};
    for (size_t i = 0; i < sizeof one / sizeof *one; i++) {
        (void)answer(&honest, one[i]);
        ck_assert_msg(strcasecmp(orders_now(), "explore near\n") == 0, "%s: %s", one[i], orders_now());
        (void)answer(&honest, "build military");
    }
    for (size_t i = 0; i < sizeof both / sizeof *both; i++) {
        (void)answer(&honest, both[i]);
        ck_assert_msg(strncasecmp(orders_now(), "explore near\n", 13) == 0 && strlen(orders_now()) > 14,
                      "%s: %s", both[i], orders_now());
        (void)answer(&honest, "build military");
    }
}
END_TEST

/* A message that is not written as one is asked about, and its "ok" sends it. */
START_TEST(a_message_in_other_words_is_asked_about)
{
    static const char *const typed[] = {"tell bob hello",  "bob: hello", "to bob: hello",
                                        "press bob hello", "@bob hello", "press bo: hello"};
    const bool short_name = strstr(typed[_i], "bo:") != NULL;
    (void)answer(&honest, "build");
    house_empty_spool(&house);
    (void)answer(&honest, typed[_i]);
    if (short_name) { /* two letters may be anybody's */
        told(0, 1, "No one called \"bo\" has a seat");
        return;
    }
    told(0, 1, "\"press bob: hello\"");
    (void)answer(&(struct form){.held = "press bob: hello\n"}, "ok");
    told(1, 3, "hello");
    ck_assert(!house_find(&house, "gc-1")->seat[1].orders.question);
}
END_TEST

/* Mail programs sign by OpenPGP, and cut what they quote, our signature in two: the domain vouches for what was typed. */
#define CUT "-----BEGIN SSH SIGNATURE-----\r\nU1NIU0lHAAAAAQAAADMAAAAL\r\n"
#define PGP "-----BEGIN PGP SIGNATURE-----\r\n\r\niQEz\r\n-----END PGP SIGNATURE-----\r\n"
START_TEST(other_signatures_do_no_harm)
{
    ck_assert_int_eq(
        answer(&honest, "-----BEGIN PGP SIGNED MESSAGE-----\r\nHash: SHA256\r\n\r\nexplore near\r\n" PGP),
        INTAKE_PROCESSED);
    ck_assert_str_eq(orders_now(), "explore near\n");
    ck_assert_int_eq(answer(&honest, "build\r\n\r\n" CUT), INTAKE_PROCESSED);
    ck_assert_str_eq(orders_now(), "build\n");
    house_empty_spool(&house);
    (void)answer(&honest, "Thanks!\r\n\r\n" PGP);
    told(0, 1, "Your orders for turn 1 stand as they are");
}
END_TEST

/* A domain that does not vouch changes nothing. */
START_TEST(a_signature_that_is_cut_is_told_of)
{
    write_answer(&honest, "build\r\n\r\n" CUT);
    mail.p[slice_find(slice_str(&mail), "build")] = 'B';
    house_empty_spool(&house);
    (void)house_raw(&house, slice_str(&mail));
    told(0, 1, "the SSH signature is cut or damaged");
    ck_assert(!is_in());
}
END_TEST

START_TEST(without_the_quote_it_is_asked)
{
    asked_first(&(struct form){.no_quote = true}, "explore near", "explore near\n");
}
END_TEST

START_TEST(without_the_turn_it_is_asked)
{
    asked_first(&(struct form){.no_head = true}, "explore near", "explore near\n");
}
END_TEST

START_TEST(numbers_and_ok_take_suggestions)
{
    struct suggestions suggestions;
    struct str line = STR_INIT;
    suggestions_make(&suggestions, house_find(&house, "gc-1"), 1);
    ck_assert_uint_ge(suggestions.count, 2);
    (void)answer(&honest, "ok");
    str_addf(&line, "%s\n", suggestions.lines[0]);
    ck_assert_str_eq(orders_now(), line.p);
    (void)answer(&honest, "#2");
    str_clear(&line);
    str_addf(&line, "%s\n", suggestions.lines[1]);
    ck_assert_str_eq(orders_now(), line.p);
    str_clear(&line);
    str_addf(&line, "[x] %s", suggestions.lines[0]);
    (void)answer(&honest, line.p);
    str_addc(&line, '\n');
    ck_assert_str_eq(orders_now(), line.p + strlen("[x] "));
    (void)answer(&honest, "2, 1");
    str_clear(&line);
    str_addf(&line, "%s\n%s\n", suggestions.lines[1], suggestions.lines[0]);
    ck_assert_str_eq(orders_now(), line.p);
    str_release(&line);
    suggestions_release(&suggestions);
}
END_TEST

/* Of somebody's own lines and AUTO only one can be played: nothing is dropped without a word. */
START_TEST(auto_beside_orders_is_asked_about)
{
    (void)answer(&honest, "explore near\r\nbuild\r\nauto");
    ck_assert(!is_in());
    told(0, 1, "You order something yourself, and want a robot to play");
    (void)answer(&(struct form){.held = "explore near\nbuild\n"}, "ok");
    ck_assert_str_eq(orders_now(), "explore near\nbuild\n");
    (void)answer(&honest, "auto");
    ck_assert_str_eq(orders_now(), "auto\n");
}
END_TEST

START_TEST(undo_makes_the_turn_wait)
{
    (void)answer(&honest, "explore near");
    (void)answer(&honest, "undo");
    ck_assert(house_find(&house, "gc-1")->seat[1].orders.wait);
    ck_assert_str_eq(orders_now(), "explore near\n");
    told(0, 2, "Still to answer: bob, you.");
}
END_TEST

START_TEST(resigning_needs_its_word)
{
    struct reply_place place = place_of(house_find(&house, "gc-1"));
    char word[REPLY_OK_LETTERS + 1], typed[64];
    place.also = slice_of("resign\n");
    reply_ok_word(word, house.league.master, &place);
    (void)answer(&honest, "resign");
    (void)answer(&(struct form){.held = "resign\n"}, "ok");
    ck_assert(!house_find(&house, "gc-1")->seat[1].robot);
    (void)snprintf(typed, sizeof typed, "ok %s", word);
    (void)answer(&(struct form){.held = "resign\n"}, typed);
    ck_assert(house_find(&house, "gc-1")->seat[1].robot);
}
END_TEST

/* Orders that cannot be carried out wait for better ones, unless the player says that they are final. */
START_TEST(final_orders_do_not_wait)
{
    (void)answer(&honest, "conquer N1");
    ck_assert_str_eq(orders_now(), "conquer N1\n");
    ck_assert(house_find(&house, "gc-1")->seat[1].orders.waits);
    (void)answer(&honest, "conquer N1\r\nFinal");
    ck_assert_str_eq(orders_now(), "conquer N1\n");
    ck_assert(!house_find(&house, "gc-1")->seat[1].orders.waits);
    ck_assert(house_find(&house, "gc-1")->seat[1].orders.final);
}

START_TEST(final_without_orders_is_answered)
{
    (void)answer(&honest, "final");
    told(0, 1, "You have no orders for turn 1 yet");
    ck_assert(!is_in());
}
END_TEST

/* ---- what is kept ---- */

/* Each mail is kept for ever. */
START_TEST(so_much_is_kept_a_day)
{
    struct err err = ERR_INIT;
    struct str large = STR_INIT, orders = STR_INIT, journal = STR_INIT, mails;
    str_adds(&large, "-- ");
    for (int i = 0; i < 58 << 4; i++)
        str_adds(&large, "\r\n0123456789 0123456789 0123456789 0123456789 0123456789 01234567");
    str_addf(&orders, "explore far\r\n%s", large.p);
    for (int i = 0; i < 45; i++)
        (void)answer(&honest, orders.p);
    ck_assert(is_in());
    (void)house_signed(&house, "bob", "bob", "#turnpost orders\ngame: gc-1\nturn: 1\nexplore near\n#end\n");
    ck_assert_int_eq(house_find(&house, "gc-1")->turn, 2);
    house_empty_spool(&house);
    for (int i = 0; i < 25; i++)
        (void)answer(&honest, orders.p);
    ck_ok(store_read(house.batch.store, "gc-1", STORE_BEGIN, &journal, &err), err);
    ck_assert_msg(journal.len > 4 << 20 && journal.len < 7 << 20, "%zu bytes", journal.len);
    (void)house_mails(&house, NULL, &mails);
    ck_assert(house_says(mails.p, "kept, as proofs of what you said"));
    str_release(&mails);
    str_release(&journal);
    str_release(&orders);
    str_release(&large);
}
END_TEST

static void cases(TCase *tc)
{
    tcase_add_checked_fixture(tc, begin, end);
    tcase_add_test(tc, an_order_counts);
    tcase_add_test(tc, the_later_answer_counts);
    tcase_add_test(tc, a_mail_that_comes_again_changes_nothing);
    tcase_add_test(tc, what_is_unsure_is_asked);
    tcase_add_test(tc, a_misspelt_name_is_asked_about);
    tcase_add_test(tc, another_misspelt_name_is_asked_about);
    tcase_add_loop_test(tc, unread_matter_keeps_the_turn_open, 0, 4);
    tcase_add_test(tc, unread_matter_in_the_last_text);
    tcase_add_loop_test(tc, unread_matter_above_orders_keeps_it_open, 0, 3);
    tcase_add_loop_test(tc, greetings_and_names_keep_nothing_open, 0, 9);
    tcase_add_test(tc, a_report_says_what_was_not_read);
    tcase_add_test(tc, an_ending_is_learnt);
    tcase_add_loop_test(tc, ok_to_a_receipt_changes_nothing, 0, 2);
    tcase_add_test(tc, ok_to_an_old_receipt_is_asked_about);
    tcase_add_loop_test(tc, ok_to_a_message_chooses_nothing, 0, 3);
    tcase_add_loop_test(tc, no_is_an_answer, 0, 3);
    tcase_add_test(tc, yes_to_a_report_is_asked_about);
    tcase_add_test(tc, a_sentence_is_no_order);
    tcase_add_loop_test(tc, what_is_offered_can_be_done, 0, 4);
    tcase_add_loop_test(tc, ok_beside_orders_is_the_first_choice, 0, 3);
    tcase_add_test(tc, ok_to_a_question_and_more_is_shown_whole);
    tcase_add_test(tc, a_question_that_stops_the_game_says_so);
    tcase_add_test(tc, ok_to_a_reminder_takes_what_was_in);
    tcase_add_loop_test(tc, plain_words_are_pointed_on, 0, 10);
    tcase_add_test(tc, who_is_back_hears_how_to_end_time_off);
    tcase_add_test(tc, the_same_words_are_answered_once_more);
    tcase_add_test(tc, numbers_are_read_as_people_write_them);
    tcase_add_loop_test(tc, a_message_in_other_words_is_asked_about, 0, 6);
    tcase_add_test(tc, other_signatures_do_no_harm);
    tcase_add_test(tc, a_signature_that_is_cut_is_told_of);
    tcase_add_test(tc, without_the_quote_it_is_asked);
    tcase_add_test(tc, without_the_turn_it_is_asked);
    tcase_add_test(tc, numbers_and_ok_take_suggestions);
    tcase_add_test(tc, auto_beside_orders_is_asked_about);
    tcase_add_test(tc, undo_makes_the_turn_wait);
    tcase_add_test(tc, resigning_needs_its_word);
    tcase_add_test(tc, final_orders_do_not_wait);
    tcase_add_test(tc, final_without_orders_is_answered);
    tcase_add_test(tc, so_much_is_kept_a_day);
}
TEST_MAIN("intake/reply", cases)
