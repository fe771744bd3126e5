/* Answers to our mails by players without keys: what counts, what is asked back, and what never acts. */
#include "house/answers.h"
#include "house/audited.h"

/* How an answer differs from an honest one; all zero: not at all. */
struct form {
    const char *local; /* of From, NULL = anna */
    const char *token; /* NULL = that of anna's place */
    const char *held;  /* the token of the mail that asked whether these lines were meant */
    int seq;           /* 0 = the next one */
    bool no_quote, no_head;
    bool bare;           /* the mail that is answered shows no suggestions: a receipt, say, or a message */
    const char *extra;   /* fields above the mail, which nobody has signed */
    const char *subject; /* NULL = that of a report */
    int64_t later;       /* seconds after the last one */
    const char *date;    /* NULL = now */
};

/* Anna's answer to the report of the open turn, into `mail`. */
static void write_answer(const struct form *form, const char *typed)
{
    struct game *game = house_find(&house, "gc-1");
    struct reply_place place = place_of(game);
    struct suggestions suggestions;
    char token[REPLY_TOKEN_TEXT], nonce[REPLY_TOKEN_TEXT], head[17], to[99], subject[99];
    struct str body = STR_INIT;
    place.seq = form->seq ? form->seq : place.seq;
    suggestions_make(&suggestions, game, 1);
    reply_nonce(nonce, house.league.master, &place, form->bare ? NULL : &suggestions);
    place.also = form->held ? slice_of(form->held) : (struct slice){"", 0};
    reply_token(token, house.league.master, REPLY_WORD_TOKEN, &place);
    hex_to(head, game->opened.head, 8);
    (void)snprintf(to, sizeof to, "league+%s@example.org", form->token ? form->token : token);
    (void)snprintf(subject, sizeof subject, "Re: [gc-1] Turn is played #%s", form->no_head ? "0000" : head);
    str_addf(&body, "%s\r\n", typed);
    if (!form->no_quote) {
        str_adds(&body, "\r\nOn Fri, 20 Nov 2026 at 12:00, Orion League wrote:\r\n> ");
        reply_boundary(&body, slice_of(nonce));
        str_addf(&body, " gc-1, turn %d, %s\r\n> explore far\r\n", game->turn, form->no_head ? "0000" : head);
    }
    house.now += form->later ? form->later : 60;
    str_clear(&mail);
    if (form->extra)
        str_adds(&mail, form->extra);
    domain_letter(&domain,
                  &(struct domain_letter){form->local ? form->local : "anna", "mail.test", to,
                                          form->subject ? form->subject : subject, house.now, body.p,
                                          form->date, 0},
                  &mail);
    house.mails++;
    suggestions_release(&suggestions);
    str_release(&body);
}

static enum intake_fate answer(const struct form *form, const char *typed)
{
    write_answer(form, typed);
    return house_raw(&house, slice_str(&mail));
}

static const struct form honest, receipt = {.bare = true};

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
    static const char *const typed[] = {
        "Hi Mia,\r\nbuild", "Dear Turnpost team\r\nbuild", "build\r\nCheers, Anna",
        "Hello bob!\r\n\r\nbuild\r\n\r\nThanks, anna", "anna\r\nbuild\r\nLG Anna"};
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
    told(0, 1, "You said no, so nothing has been done");
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

START_TEST(undo_makes_the_turn_wait)
{
    (void)answer(&honest, "explore near");
    (void)answer(&honest, "undo");
    ck_assert(house_find(&house, "gc-1")->seat[1].orders.wait);
    ck_assert_str_eq(orders_now(), "explore near\n");
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

/* ---- what never acts ---- */

/* Each leaves the game as it is. */
static const struct form strange[] = {
    {.local = "bob"},
    {.token = "aaaaaaaaaaaaaaaa"},
    {.seq = 2},
    {.held = "build\n"},
    {.extra = "From: anna@mail.test\r\n"},
    {.extra = "Sender: bob@mail.test\r\n"},
    {.extra = "Subject: Re: [gc-1] #0\r\n"},

    {.extra = "Auto-Submitted: auto-replied\r\n"},
    {.extra = "List-Id: <a.b>\r\n"},
};

START_TEST(nothing_strange_acts)
{
    int64_t seq = house_find(&house, "gc-1")->seq;
    (void)answer(&strange[_i], "explore near");
    ck_assert_int_eq(house_find(&house, "gc-1")->seq, seq);
    ck_assert(!is_in());
}
END_TEST

/* A telephone's capital letter, and what old mail programs make of an address. */
START_TEST(her_address_in_other_forms)
{
    static const char *const forms[] = {"Anna", "ANNA", "anna@mail.test <anna"};
    ck_assert_int_eq(answer(&(struct form){.local = forms[_i]}, "explore near"), INTAKE_PROCESSED);
    ck_assert_str_eq(orders_now(), "explore near\n");
    told(0, 1, "We have your orders, anna");
}
END_TEST

/* Somebody else's, but for its case: it is theirs alone, as the operator has let them in. */
START_TEST(two_addresses_that_differ_by_case)
{
    struct err err = ERR_INIT;
    struct player other;
    player_init(&other);
    other.by_mail = true;
    (void)snprintf(other.name, sizeof other.name, "zoe");
    (void)snprintf(other.address, sizeof other.address, "ANNA@mail.test");
    ck_ok(batch_change(&house.batch, &(struct registry_change){.what = "register", .player = &other}, &err),
          err);
    ck_ok(batch_commit(&house.batch, &err), err);
    batch_reset(&house.batch, true);
    (void)answer(&(struct form){.local = "ANNA"}, "explore near");
    (void)answer(&(struct form){.local = "Anna"}, "explore near");
    ck_assert(!is_in());
}
END_TEST

/* What is not signed cannot change what was typed: it is not looked at. */
START_TEST(unsigned_fields_are_not_looked_at)
{
    static const char *const fields[] = {"Content-Type: text/html\r\n",
                                         "Content-Transfer-Encoding: base64\r\n",
                                         "Content-Type: multipart/mixed; boundary=x\r\n"};
    (void)answer(&(struct form){.extra = fields[_i]}, "explore near");
    ck_assert_str_eq(orders_now(), "explore near\n");
}
END_TEST

/* Whether it is the later one could not be said. */
START_TEST(a_mail_without_a_date_does_not_act)
{
    (void)answer(&(struct form){.date = "yesterday"}, "explore near");
    ck_assert(!is_in());
    (void)answer(&(struct form){.date = "Thu, 01 Jan 1970 00:00:00 +0000"}, "explore near");
    ck_assert(!is_in());
    (void)answer(&(struct form){.date = "Fri, 31 Dec 9999 23:59:59 -1200"}, "explore near");
    ck_assert(!is_in());
    (void)answer(&honest, "explore near");
    ck_assert(is_in());
}
END_TEST

/* Her key was found, and then the domain signs with another one. */
START_TEST(another_key_signs_nothing)
{
    unsigned char seed[crypto_sign_SEEDBYTES] = {9}, public[crypto_sign_PUBLICKEYBYTES];
    crypto_sign_seed_keypair(public, domain.secret, seed);
    (void)answer(&honest, "explore near");
    ck_assert(!is_in());
}
END_TEST

/* The name servers do not answer: the mail stays, of which she is told once, on whichever days it is looked at again; it is
 * taken when they do. */
START_TEST(it_waits_for_its_key)
{
    struct err err = ERR_INIT;
    resolver_close(house.league.resolver);
    ck_ok(resolver_open(&(struct dns_way){"127.0.0.1@1", "", 1}, &house.league.resolver, &err), err);
    house_empty_spool(&house);
    ck_assert_int_eq(answer(&honest, "explore near"), INTAKE_KEPT);
    house_told(&house, NULL, 1, "Your answer has come");
    for (int i = 0; i < 3; i++) {
        house.now += i * 43200;
        ck_assert_int_eq(house_raw(&house, slice_str(&mail)), INTAKE_KEPT);
        house_told(&house, NULL, 0, NULL);
    }
    house.now -= 3 * 43200;
    ck_assert(!is_in());
    resolver_tell(house.league.resolver, "mail._domainkey.mail.test", domain.record.p, clock_system());
    ck_assert_int_eq(house_raw(&house, slice_str(&mail)), INTAKE_PROCESSED);
    ck_assert(is_in());
}
END_TEST

/* From now on only that counts. */
static void anna_has_a_key(void)
{
    struct err err = ERR_INIT;
    struct pubkey key;
    secret_public(house_person(&house, "anna"), &key);
    struct player signs = *registry_find(&house.batch.registry, "anna");
    signs.by_mail = false;
    ck_ok(
        batch_change(&house.batch,
                     &(struct registry_change){
                         .what = "key", .player = &signs, .key_owner = "anna", .keys = &key, .key_count = 1},
                     &err),
        err);
    ck_ok(batch_commit(&house.batch, &err), err);
    batch_reset(&house.batch, true);
}

START_TEST(who_has_a_key_signs)
{
    struct form form = honest;
    char token[REPLY_TOKEN_TEXT];
    struct reply_place place = place_of(house_find(&house, "gc-1"));
    reply_token(token, house.league.master, REPLY_WORD_TOKEN, &place);
    form.token = token;
    anna_has_a_key();
    (void)answer(&form, "explore near");
    ck_assert(!is_in());
}
END_TEST

/* After its turn a token brings the present report, and nothing else. */
START_TEST(a_late_answer_gets_the_report)
{
    struct game *game = house_find(&house, "gc-1");
    struct reply_place place = place_of(game);
    char token[REPLY_TOKEN_TEXT];
    reply_token(token, house.league.master, REPLY_WORD_TOKEN, &place);
    house_clock(&house, house.now + 2 * 86400);
    ck_assert_int_gt(house_find(&house, "gc-1")->turn, 1);
    house_empty_spool(&house);
    (void)answer(&(struct form){.token = token}, "explore near");
    ck_assert(!is_in());
    ck_assert(house_find(&house, "gc-1")->turn > 1);
    (void)answer(&(struct form){.token = "k3v7q2m2xwtrabcd"},
                 "explore near"); /* nor one for each made-up token */
    struct str mails;
    ck_assert_int_eq(house_mails(&house, NULL, &mails), 2);
    ck_assert(house_says(mails.p, "gc-1 has sent you its report again today"));
    str_release(&mails);
}
END_TEST

/* Anna answers a mail of that place in gs-1, and quotes it. */
static void answer_then(const char *token, const char *head, const char *typed)
{
    char to[99], subject[99];
    struct str body = STR_INIT;
    (void)snprintf(to, sizeof to, "league+%s@example.org", token);
    (void)snprintf(subject, sizeof subject, "Re: [gs-1] Bob leads #%s", head);
    str_addf(&body, "%s\r\n\r\nOn Fri, 20 Nov 2026 at 12:00, Orion League wrote:\r\n> Bob leads.\r\n", typed);
    house.now += 60;
    str_clear(&mail);
    domain_letter(&domain,
                  &(struct domain_letter){"anna", "mail.test", to, subject, house.now, body.p, NULL, 0},
                  &mail);
    house.mails++;
    (void)house_raw(&house, slice_str(&mail));
    str_release(&body);
}

static int mover_of(const char *id)
{
    const struct game *game = house_find(&house, id);
    return game_awaited(game) & SEAT_BIT(1) ? 1 : game_awaited(game) & SEAT_BIT(2) ? 2 : 3;
}

/* Bob has moved, and anna has no newer mail than that before: what she orders in words is asked about, and "ok" is enough;
 * numbers are not what they were, and she gets the table as it stands. */
START_TEST(others_have_moved_since)
{
    static const char *const names[] = {"anna", "bob", "carol"};
    char token[REPLY_TOKEN_TEXT], head[17];
    struct reply_place place;
    struct str mails;
    house_player(&house, "carol");
    house_game_of(&house,
                  (struct new_game){.id = "gs-1",
                                    .ruleset = ruleset_newest("galactic-supremacy"),
                                    .seats = 3,
                                    .turn_length = 86400,
                                    .missed_robot = 3,
                                    .typo_wait = true,
                                    .by_mail = true},
                  names);
    while (mover_of("gs-1") != 1) /* the robot of whoever is away plays */
        house_clock(&house, house_find(&house, "gs-1")->clock.deadline + 1);
    house_clock(&house, house_find(&house, "gs-1")->clock.deadline + 1);
    const int other = mover_of("gs-1");
    ck_assert(reply_place_now(&place, house_find(&house, "gs-1"), 1));
    reply_token(token, house.league.master, REPLY_WORD_TOKEN, &place);
    hex_to(head, house_find(&house, "gs-1")->opened.head, 8);
    const int turn = house_find(&house, "gs-1")->turn;
    house_clock(&house, house_find(&house, "gs-1")->clock.deadline + 1);
    ck_assert(mover_of("gs-1") != 1 && mover_of("gs-1") != other);
    ck_assert_int_eq(house_find(&house, "gs-1")->turn, turn + 1);
    house_empty_spool(&house);

    answer_then(token, head, "build fleet at home");
    ck_assert_int_eq(house_mails(&house, NULL, &mails), 1);
    ck_assert_msg(house_says(mails.p, "Others have played since") &&
                      house_says(mails.p, "build fleet at home"),
                  "%s", mails.p);
    ck_assert(!house_says(mails.p, "did not count"));
    str_release(&mails);
    ck_assert(!house_find(&house, "gs-1")->seat[1].orders.in);
    ck_assert(reply_place_now(&place, house_find(&house, "gs-1"), 1));
    place.also = slice_of("build fleet at home\n");
    reply_token(token, house.league.master, REPLY_WORD_TOKEN, &place);
    hex_to(head, house_find(&house, "gs-1")->opened.head, 8);
    answer_then(token, head, "ok");
    ck_assert_str_eq(house_find(&house, "gs-1")->seat[1].orders.text.p, "build fleet at home\n");
}
END_TEST

/* ---- mails that may be a machine's ---- */

/* Asks others not to answer by themselves, lets them unsubscribe: a person's mail all the same, and answered. */
START_TEST(such_fields_say_nothing_of_their_own_mail)
{
    static const char *const fields[] = {"X-Auto-Response-Suppress: DR, OOF, AutoReply\r\n",
                                         "X-Auto-Response-Suppress: All\r\n",
                                         "List-Unsubscribe: <mailto:x@y>\r\n"};
    (void)answer(&(struct form){.extra = fields[_i]}, "Please do something clever.");
    told(0, 1, "We did not understand your answer");
    ck_assert_int_eq(answer(&(struct form){.extra = fields[_i]}, "explore near"), INTAKE_PROCESSED);
    ck_assert_str_eq(orders_now(), "explore near\n");
    told(0, 1, "We have your orders");
}
END_TEST

/* "Precedence: bulk" is an old vacation program's, or a person's: it counts and has a receipt, but nothing is asked of
 * it, and what it did not say uses nothing up. */
START_TEST(bulk_counts_and_is_not_asked)
{
    const char *bulk = "Precedence: bulk\r\n";
    (void)answer(&(struct form){.extra = bulk}, "I am away until Monday.");
    nobody_is_told();
    (void)answer(&honest, "Please do something clever.");
    told(0, 1, "We did not understand your answer");
    ck_assert_int_eq(answer(&(struct form){.extra = bulk}, "explore near"), INTAKE_PROCESSED);
    ck_assert_str_eq(orders_now(), "explore near\n");
    told(0, 1, "We have your orders");
    (void)answer(&(struct form){.extra = bulk}, "press bob: Shall we?");
    told(1, 2, "Shall we?");
}
END_TEST

/* Nor is the question of another mail forgotten for it. */
START_TEST(bulk_leaves_an_open_question)
{
    (void)answer(&honest, "explor near");
    (void)answer(&(struct form){.extra = "Precedence: bulk\r\n"}, "buidl\r\nI am away until Monday.");
    ck_assert(!is_in());
    (void)answer(&(struct form){.held = "explore near\n"}, "ok");
    ck_assert_str_eq(orders_now(), "explore near\n");
}
END_TEST

/* A vacation program answers every report that it gets: it gets none for that. */
START_TEST(bulk_gets_no_report_again)
{
    struct reply_place place = place_of(house_find(&house, "gc-1"));
    char token[REPLY_TOKEN_TEXT];
    reply_token(token, house.league.master, REPLY_WORD_TOKEN, &place);
    house_clock(&house, house.now + 2 * 86400);
    house_empty_spool(&house);
    (void)answer(&(struct form){.token = token, .extra = "Precedence: bulk\r\n"}, "I am away until Monday.");
    (void)answer(&(struct form){.extra = "Precedence: bulk\r\n", .subject = "join gc-1"},
                 "I am away until Monday.");
    nobody_is_told();
    (void)answer(&(struct form){.token = token}, "explore near");
    told(0, 1, "Your answer did not count");
}
END_TEST

/* A button in Outlook is nothing, and what was typed later is answered as if it had never been pressed. */
START_TEST(a_reaction_is_nothing)
{
    int64_t seq = house_find(&house, "gc-1")->seq;
    for (int i = 0; i < 60; i++)
        (void)answer(
            &(struct form){.no_quote = true},
            "[like] Anna reacted to your message:\r\n________________________________\r\nFrom: x <x@y>");
    nobody_is_told();
    ck_assert_int_eq(house_find(&house, "gc-1")->seq, seq);
    (void)answer(&honest, "Please do something clever.");
    told(0, 1, "We did not understand your answer");
}
END_TEST

/* ---- what a crash or a fault brings again ---- */

/* A run ended after its turn was played and before its mail was moved: they are not told that they were late. */
START_TEST(what_counted_is_not_late)
{
    static const char *const typed[] = {"explore near", "press bob: Shall we?",
                                        "explore near\r\npress bob: Shall we?"};
    char late[REPLY_TOKEN_TEXT];
    struct reply_place place = place_of(house_find(&house, "gc-1"));
    reply_token(late, house.league.master, REPLY_WORD_TOKEN, &place);
    ck_assert_int_eq(answer(&honest, typed[_i % 3]), INTAKE_PROCESSED);
    house_clock(&house, house.now + 2 * 86400);
    ck_assert_int_gt(house_find(&house, "gc-1")->turn, 1);
    house_empty_spool(&house);
    struct str again = STR_INIT; /* the same, or a copy that came by another way */
    str_addf(&again, "%s%s", _i < 3 ? "" : "Received: by mx2.example.org\r\n", mail.p);
    ck_assert_int_eq(house_raw(&house, slice_str(&again)), INTAKE_PROCESSED);
    nobody_is_told();
    str_release(&again);
    (void)answer(&(struct form){.token = late}, typed[_i % 3]);
    told(0, 1, "Nothing was done");
}
END_TEST

/* The same when the name servers do not answer by then, whether its turn is over or not: nobody is told that nothing has been changed. Another
 * answer to that turn waits: it may have counted by other bytes. */
START_TEST(what_counted_needs_no_key)
{
    struct err err = ERR_INIT;
    char late[REPLY_TOKEN_TEXT];
    struct reply_place place = place_of(house_find(&house, "gc-1"));
    reply_token(late, house.league.master, REPLY_WORD_TOKEN, &place);
    ck_assert_int_eq(answer(&honest, "explore near"), INTAKE_PROCESSED);
    if (_i)
        house_clock(&house, house.now + 2 * 86400);
    ck_assert_int_eq(house_find(&house, "gc-1")->turn > 1, _i);
    house_empty_spool(&house);
    resolver_close(house.league.resolver);
    ck_ok(resolver_open(&(struct dns_way){"127.0.0.1@1", "", 1}, &house.league.resolver, &err), err);
    ck_assert_int_eq(house_raw(&house, slice_str(&mail)), INTAKE_PROCESSED);
    nobody_is_told();
    ck_assert_int_eq(answer(&(struct form){.token = late}, "explore far"), INTAKE_KEPT);
    told(0, 1, "Your answer has come");
}
END_TEST

/* The same when they have another address by then. */
START_TEST(what_counted_counts_when_they_have_moved)
{
    struct err err = ERR_INIT;
    ck_assert_int_eq(answer(&honest, "explore near"), INTAKE_PROCESSED);
    struct player moved = *registry_find(&house.batch.registry, "anna");
    (void)snprintf(moved.address, sizeof moved.address, "anna@new.test");
    ck_ok(batch_change(&house.batch, &(struct registry_change){.what = "prefs", .player = &moved}, &err),
          err);
    ck_ok(batch_commit(&house.batch, &err), err);
    batch_reset(&house.batch, true);
    house_empty_spool(&house);
    ck_assert_int_eq(house_raw(&house, slice_str(&mail)), INTAKE_PROCESSED);
    nobody_is_told();
}
END_TEST

/* The same when they have a key by then. Another answer is told that it needs that. */
START_TEST(what_counted_counts_when_they_have_a_key)
{
    char token[REPLY_TOKEN_TEXT];
    struct reply_place place = place_of(house_find(&house, "gc-1"));
    reply_token(token, house.league.master, REPLY_WORD_TOKEN, &place);
    ck_assert_int_eq(answer(&honest, "explore near"), INTAKE_PROCESSED);
    anna_has_a_key();
    house_empty_spool(&house);
    struct str again = STR_INIT; /* the same, or a copy that came by another way */
    str_addf(&again, "%s%s", _i ? "Received: by mx2.example.org\r\n" : "", mail.p);
    ck_assert_int_eq(house_raw(&house, slice_str(&again)), INTAKE_PROCESSED);
    nobody_is_told();
    str_release(&again);
    (void)answer(&(struct form){.token = token}, "explore far");
    told(0, 1, "Nothing has been changed by your mail");
}
END_TEST

/* The same when other orders came after it, from which it would now say something else. */
START_TEST(an_undo_comes_again)
{
    struct str again = STR_INIT;
    (void)answer(&honest, "explore near");
    (void)answer(&honest, "undo");
    str_addslice(&again, slice_str(&mail));
    (void)answer(&honest, "build");
    house_empty_spool(&house);
    ck_assert_int_eq(house_raw(&house, slice_str(&again)), INTAKE_PROCESSED);
    nobody_is_told();
    ck_assert_str_eq(orders_now(), "build\n");
    str_release(&again);
}
END_TEST

START_TEST(an_answer_waits_for_its_game)
{
    write_answer(&honest, "explore near");
    lose_game("gc-1");
    ck_assert_int_eq(house_raw(&house, slice_str(&mail)), INTAKE_KEPT);
    nobody_is_told();
    ck_assert_int_eq(house_raw(&house, slice_str(&mail)), INTAKE_PROCESSED);
    ck_assert_str_eq(orders_now(), "explore near\n");
}
END_TEST

/* Two questions in a day: each is asked, so that "ok" is never about something that nobody has seen. */
START_TEST(each_question_is_asked)
{
    struct str mails;
    (void)answer(&honest, "explor near");
    (void)answer(&honest, "buidl");
    ck_assert_int_eq(house_mails(&house, "anna", &mails), 0);
    str_release(&mails);
    ck_assert_int_eq(house_mails(&house, NULL, &mails), 2);
    str_release(&mails);
    (void)answer(&(struct form){.held = "build\n"}, "ok");
    ck_assert_str_eq(orders_now(), "build\n");
}
END_TEST

/* ---- who is met with silence ---- */

static int answers(void)
{
    struct str mails;
    int count = house_mails(&house, NULL, &mails);
    str_release(&mails);
    house_empty_spool(&house);
    return count;
}

/* How many answers so many texts that are not understood get, one every `apart` seconds. */
static int puzzled(const char *what, int count, int64_t apart)
{
    int told = 0;
    for (int i = 0; i < count; i++) {
        char typed[64];
        (void)snprintf(typed, sizeof typed, "%s %c%c is open", what, 'a' + i / 26, 'a' + i % 26);
        (void)answer(&(struct form){.later = apart}, typed);
        told += answers();
    }
    return told;
}

START_TEST(whoever_changes_a_word_is_answered)
{
    (void)answer(&honest, "We attack\r\nbob");
    told(0, 1, "bob");
    (void)answer(&(struct form){.later = 1200}, "We attack\r\ncarl");
    told(0, 1, "carl");
    (void)answer(&(struct form){.later = 600}, "We  ATTACK\r\n\r\ncarl");
    ck_assert_int_eq(answers(), 1); /* that it says no more, and the third time nothing */
    (void)answer(&(struct form){.later = 600}, "We  ATTACK\r\n\r\ncarl");
    ck_assert_int_eq(answers(), 0);
    house.now += 86400 - 7200;
    (void)answer(&honest, "We attack\r\ncarl"); /* a day later */
    told(0, 1, "carl");
}
END_TEST

START_TEST(tickets_have_numbers)
{
    (void)answer(&honest, "We have received your mail, ticket 4711.");
    ck_assert_int_eq(answers(), 1);
    (void)answer(&honest, "We have received your mail, ticket 4712.");
    ck_assert_int_eq(answers(), 1);
    (void)answer(&honest, "We have received your mail, ticket 4713.");
    ck_assert_int_eq(answers(), 0);
    (void)answer(&honest, "77"); /* no such suggestion */
    (void)answer(&honest, "78");
    ck_assert_int_eq(answers(), 2);
}
END_TEST

/* The third says so; whatever is understood is answered all the time. */
START_TEST(a_ticket_robot_is_answered_three_times)
{
    ck_assert_int_eq(puzzled("Ticket", 2, 60), 2);
    (void)answer(&honest, "Ticket three is open");
    told(0, 1, "Until Fri 20 Nov, 18:03 UTC we stay silent when we don't understand a mail");
    ck_assert_int_eq(puzzled("Another", 20, 600), 0);
    (void)answer(&honest, "undo");
    told(0, 1, "You have no orders for turn 1 yet");
    (void)answer(&honest, "explore near");
    told(0, 1, "We have your");
    house.now += 3 * 3600;
    ck_assert_int_eq(puzzled("A third", 1, 60), 1);
}
END_TEST

/* Nobody who plays in between is a robot, however often they are not understood. */
START_TEST(orders_in_between_begin_the_count_again)
{
    static const char *const words[] = {"The door", "My window", "Her gate"};
    for (int i = 0; i < 3; i++) {
        ck_assert_int_eq(puzzled(words[i], 2, 60), 2);
        (void)answer(&honest, "explore near");
        told(0, 1, "We have your");
    }
    ck_assert_int_eq(puzzled("Ticket", 20, 60), 3);
    (void)answer(&honest, "help"); /* and ends a silence */
    told(0, 1, "explore near");
    ck_assert_int_eq(puzzled("The roof", 20, 60), 3);
}
END_TEST

/* Who learns how to answer says a thing in many ways, and programs say it in one. */
START_TEST(whoever_finds_other_words_is_answered)
{
    static const char *const ways[] = {"I choose 1",
                                       "I choose 2",
                                       "Let it be Alpha",
                                       "explore neer",
                                       "explore nerby",
                                       "What does all of this mean for me",
                                       "9",
                                       "Where do I look for rules?"};
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        (void)answer(&honest, ways[i]);
        ck_assert_msg(answers() == 1, "\"%s\" is met with silence", ways[i]);
    }
    for (int again = 1; again >= 0; again--) { /* within the hour */
        (void)answer(&honest, "Let it be  alpha");
        ck_assert_int_eq(answers(), again);
    }
    house.now += 3600;
    (void)answer(&honest, "Let it be Alpha");
    ck_assert_int_eq(answers(), 1);
}
END_TEST

/* What was said of the report may be said to bob. */
START_TEST(the_same_words_to_another_mail_are_answered)
{
    const struct form message = {.bare = true, .subject = "Re: [gc-1] A message from bob #60aa580434098ea3"};
    (void)answer(&honest, "Sure, why not? Shall we talk?");
    ck_assert_int_eq(answers(), 1);
    (void)answer(&message, "Sure, why not? Shall we talk?");
    ck_assert_int_eq(answers(), 1);
    for (int again = 1; again >= 0; again--) {
        (void)answer(&message, "Sure, why not? Shall we talk?");
        ck_assert_int_eq(answers(), again);
    }
}
END_TEST

START_TEST(a_slow_one_forty_times_a_day)
{
    house.now += 43200;
    ck_assert_int_eq(puzzled("Ticket", 39, 1801), 39);
    (void)answer(&(struct form){.later = 1801}, "Ticket forty is open");
    told(0, 1, "Until Sun 22 Nov, 00:00 UTC we stay silent");
    ck_assert_int_eq(puzzled("Another", 3, 1801), 0);
    (void)answer(&honest, "undo");
    ck_assert_int_eq(answers(), 1);
    house.now += 10800;
    ck_assert_int_eq(puzzled("A third", 1, 60), 1);
}
END_TEST

/* A token that was forwarded is no mail bomb. */
START_TEST(what_nobody_vouches_for_is_answered_once)
{
    for (int i = 0; i < 20; i++) {
        write_answer(&honest, "explore near");
        mail.p[slice_find(slice_str(&mail), "bh=") + 5] ^= 1;
        (void)house_raw(&house, slice_str(&mail));
    }
    ck_assert_int_eq(answers(), 1);
}
END_TEST

/* Nor is a mail of hers that somebody sends in again and again, with what they like on top. */
START_TEST(a_signed_mail_is_answered_once)
{
    domain_letter(
        &domain,
        &(struct domain_letter){"anna", "mail.test", HOUSE_ADDRESS, "help", house.now, "x\r\n", NULL, 0},
        &mail);
    for (int i = 0; i < 20; i++) {
        struct str again = STR_INIT;
        str_addf(&again, "X-Way: %d\r\n%s", i, mail.p);
        (void)house_raw(&house, slice_str(&again));
        str_release(&again);
    }
    ck_assert_int_eq(answers(), 1);
}
END_TEST

/* ---- what is no order ---- */

/* What one asks for in a mail of its own is typed into answers, too. */
START_TEST(requests_are_heard_in_answers)
{
    static const struct {
        const char *typed, *words;
    } requests[] = {{"Games!", "What can be played"},
                    {"observe gc-1, please", "Do you want to watch gc-1"},
                    {"join gc-99", "no game \"gc-99\""}};
    (void)answer(&honest, requests[_i].typed);
    told(0, 1, requests[_i].words);
    ck_assert(!is_in());
}
END_TEST

static const struct player *anna(void)
{
    return registry_find(&house.batch.registry, "anna");
}

/* What cannot be done is said in the form in which it is typed. */
static void not_done(const char *typed, const char *words)
{
    struct str mails;
    (void)answer(&honest, typed);
    ck_assert_int_eq(house_mails(&house, NULL, &mails), 1);
    ck_assert_msg(house_says(mails.p, words), "not told \"%s\" but:\n%s", words, mails.p);
    ck_assert_ptr_null(strstr(mails.p, "#turnpost"));
    ck_assert_ptr_null(strstr(mails.p, "othing has been changed"));
    str_release(&mails);
    house_empty_spool(&house);
}

START_TEST(messages_are_sent)
{
    (void)answer(&honest, "press bob: Shall we?");
    told(1, 2, "Shall we?");
    (void)answer(&honest, "press bob: Shall we?");
    told(1, 2, "Shall we?");
    ck_assert(!is_in());
    (void)answer(&honest, "explore near\r\nPress bob: Now, and\r\npress all: to you all");
    ck_assert(is_in());
    told(2, 5, "to you all");
}
END_TEST

/* The orders of the mail end the turn: all else is of the turn that the mail names, and the audit says so. */
START_TEST(other_lines_with_orders_that_end_the_turn)
{
    static const char *const typed[] = {"explore near\r\npress bob: Shall we?", "extend 24\r\nexplore near"};
    struct err err = ERR_INIT;
    struct str journal = STR_INIT;
    struct audit_result result;
    (void)house_signed(&house, "bob", "bob", "#turnpost orders\ngame: gc-1\nturn: 1\nexplore near\n#end\n");
    (void)answer(&honest, typed[_i]);
    ck_assert_int_eq(house_find(&house, "gc-1")->turn, 2);
    ck_ok(store_read(house.batch.store, "gc-1", STORE_BEGIN, &journal, &err), err);
    ck_assert_ptr_nonnull(strstr(journal.p, _i ? "\"vote\"" : "\"press\""));
    audited_bytes(slice_str(&journal), house.league.master, &result);
    ck_assert_msg(result.verdict != AUDIT_REFUTED, "%s", result.first.text);
    str_release(&journal);
}
END_TEST

/* What is refused is told beside what is done, and nothing is said to be unchanged that is not. */
START_TEST(a_message_is_refused_beside_others)
{
    (void)answer(&honest, "press bob: Hello\r\npress carl: Hello\r\nexplore near");
    ck_assert(is_in());
    told(1, 4, "Your message was not sent");
}
END_TEST

/* "ok" counts beside a message to nobody, and no mail says that nothing has been changed. */
START_TEST(a_message_is_refused_beside_ok)
{
    struct str mails;
    (void)answer(&honest, "ok\r\npress carl: Hello");
    ck_assert(is_in());
    ck_assert_int_eq(house_mails(&house, NULL, &mails), 2);
    ck_assert(house_says(mails.p, "Your message was not sent"));
    ck_assert_msg(!house_says(mails.p, "othing has been changed"), "%s", mails.p);
    str_release(&mails);
}
END_TEST

/* Nothing of it is sent when the rest is asked back, or when it could be read as more than words. */
START_TEST(messages_that_are_not_sent)
{
    static const char *const typed[] = {
        "Build trust with bob\r\npress bob: Hello", "press bob: from: nobody",   "press bob: #end",
        "press bob: hello\r\nwhat else?",           "press bob: > from: nobody", "press bob: > #end"};
    (void)answer(&honest, typed[_i]);
    told(0, 1, "othing has");
    ck_assert(!is_in());
}
END_TEST

/* Nor is it said of it that nothing was done, where something was. */
START_TEST(a_message_that_cannot_be_written)
{
    (void)answer(&honest, "press bob: Re: your offer\r\npress bob: Yes!\r\nexplore near");
    ck_assert_str_eq(orders_now(), "explore near\n");
    struct str mails;
    ck_assert_int_eq(house_mails(&house, "bob", &mails), 1);
    ck_assert(house_says(mails.p, "Yes!") && !house_says(mails.p, "offer"));
    str_release(&mails);
    ck_assert_int_eq(house_mails(&house, NULL, &mails), 3); /* her press is confirmed, too */
    ck_assert(house_says(mails.p, "Not read in your mail: \"press bob: Re: your offer\""));
    ck_assert(!house_says(mails.p, "othing has"));
    str_release(&mails);
    house_empty_spool(&house);
    (void)answer(&honest, "press bob: Re: your offer");
    told(0, 1, "A message cannot begin like that");
}
END_TEST

/* What is about the open turn comes before the orders that end it. */
START_TEST(a_turn_is_extended_before_it_is_played)
{
    struct err err = ERR_INIT;
    struct str journal = STR_INIT;
    (void)house_signed(&house, "bob", "bob", "#turnpost orders\ngame: gc-1\nturn: 1\nexplore near\n#end\n");
    (void)answer(&honest, "explore near\r\nextend 24");
    ck_assert_int_eq(house_find(&house, "gc-1")->turn, 2);
    ck_ok(store_read(house.batch.store, "gc-1", STORE_BEGIN, &journal, &err), err);
    const char *vote = strstr(journal.p, "\"kind\":\"vote\"");
    ck_assert_msg(vote && vote < strstr(journal.p, "\"type\":\"turn\""), "no vote before the turn");
    str_release(&journal);
}
END_TEST

/* What telephones make of quotes and dashes, and what looks quoted, stands in the text in its canonical form: its
 * audit finds nothing wrong. */
START_TEST(messages_are_canonical)
{
    static const char *const typed[] = {"press bob: Let\xE2\x80\x99s go \xE2\x80\x93 now",
                                        "press bob: > hello", "press bob: \xE2\x80\x9CNear\xE2\x80\x9D"};
    struct err err = ERR_INIT;
    struct str journal = STR_INIT;
    struct audit_result result;
    (void)answer(&honest, typed[_i]);
    ck_ok(store_read(house.batch.store, "gc-1", STORE_BEGIN, &journal, &err), err);
    ck_assert_msg(strstr(journal.p, "\"press\"") != NULL, "%s", journal.p);
    audited_bytes(slice_str(&journal), house.league.master, &result);
    ck_assert_msg(result.verdict != AUDIT_REFUTED, "%s", result.first.text);
    str_release(&journal);
}
END_TEST

START_TEST(orders_are_canonical)
{
    (void)answer(&honest, "explore near\r\nsay Let\xE2\x80\x99s go");
    ck_assert_str_eq(orders_now(), "explore near\nsay Let's go\n");
}
END_TEST

START_TEST(wishes_are_heard)
{
    (void)answer(&honest, "vacation 2026-12-24 to 2027-01-02");
    told(0, 1, "Your time off is noted");
    ck_assert_int_eq(anna()->vacation_count, 1);
    (void)answer(&honest, "Vacation cancel 2026-12-24");
    ck_assert_int_eq(anna()->vacation_count, 0);
    house_empty_spool(&house);
    not_done("vacation 2026-13-45", "vacation 2026-12-24 to 2027-01-02");
    not_done("digest 99", "digest 18");
    not_done("press carl: Hello", "press bob: Shall we");
    ck_assert_int_eq(anna()->vacation_count, 0);
    (void)answer(&honest, "digest 18");
    ck_assert(anna()->digest && anna()->digest_hour == 18);
    (void)answer(&honest, "digest off");
    ck_assert(!anna()->digest);
    (void)answer(&honest, "stop");
    ck_assert(anna()->quiet);
    house_empty_spool(&house);
    (void)answer(&honest, "show");
    told(0, 1, "gc-1");
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
    tcase_add_loop_test(tc, greetings_and_names_keep_nothing_open, 0, 5);
    tcase_add_test(tc, a_report_says_what_was_not_read);
    tcase_add_test(tc, an_ending_is_learnt);
    tcase_add_loop_test(tc, ok_to_a_receipt_changes_nothing, 0, 2);
    tcase_add_test(tc, ok_to_an_old_receipt_is_asked_about);
    tcase_add_loop_test(tc, ok_to_a_message_chooses_nothing, 0, 3);
    tcase_add_loop_test(tc, no_is_an_answer, 0, 3);
    tcase_add_test(tc, yes_to_a_report_is_asked_about);
    tcase_add_test(tc, final_without_orders_is_answered);
    tcase_add_test(tc, a_sentence_is_no_order);
    tcase_add_loop_test(tc, what_is_offered_can_be_done, 0, 4);
    tcase_add_loop_test(tc, ok_beside_orders_is_the_first_choice, 0, 3);
    tcase_add_test(tc, ok_to_a_question_and_more_is_shown_whole);
    tcase_add_test(tc, a_question_that_stops_the_game_says_so);
    tcase_add_test(tc, ok_to_a_reminder_takes_what_was_in);
    tcase_add_loop_test(tc, plain_words_are_pointed_on, 0, 7);
    tcase_add_test(tc, who_is_back_hears_how_to_end_time_off);
    tcase_add_test(tc, the_same_words_are_answered_once_more);
    tcase_add_test(tc, numbers_are_read_as_people_write_them);
    tcase_add_loop_test(tc, a_message_in_other_words_is_asked_about, 0, 6);
    tcase_add_test(tc, other_signatures_do_no_harm);
    tcase_add_test(tc, a_signature_that_is_cut_is_told_of);
    tcase_add_test(tc, without_the_quote_it_is_asked);
    tcase_add_test(tc, without_the_turn_it_is_asked);
    tcase_add_test(tc, numbers_and_ok_take_suggestions);
    tcase_add_test(tc, undo_makes_the_turn_wait);
    tcase_add_test(tc, resigning_needs_its_word);
    tcase_add_loop_test(tc, nothing_strange_acts, 0, (int)(sizeof strange / sizeof *strange));
    tcase_add_loop_test(tc, her_address_in_other_forms, 0, 3);
    tcase_add_test(tc, two_addresses_that_differ_by_case);
    tcase_add_loop_test(tc, unsigned_fields_are_not_looked_at, 0, 3);
    tcase_add_test(tc, a_mail_without_a_date_does_not_act);
    tcase_add_test(tc, another_key_signs_nothing);
    tcase_add_test(tc, it_waits_for_its_key);
    tcase_add_test(tc, who_has_a_key_signs);
    tcase_add_test(tc, a_late_answer_gets_the_report);
    tcase_add_test(tc, others_have_moved_since);
    tcase_add_loop_test(tc, such_fields_say_nothing_of_their_own_mail, 0, 3);
    tcase_add_test(tc, bulk_counts_and_is_not_asked);
    tcase_add_test(tc, bulk_leaves_an_open_question);
    tcase_add_test(tc, bulk_gets_no_report_again);
    tcase_add_test(tc, a_reaction_is_nothing);
    tcase_add_loop_test(tc, what_counted_is_not_late, 0, 6);
    tcase_add_loop_test(tc, what_counted_counts_when_they_have_a_key, 0, 2);
    tcase_add_test(tc, what_counted_counts_when_they_have_moved);
    tcase_add_loop_test(tc, what_counted_needs_no_key, 0, 2);
    tcase_add_test(tc, an_undo_comes_again);
    tcase_add_test(tc, an_answer_waits_for_its_game);
    tcase_add_test(tc, each_question_is_asked);
    tcase_add_test(tc, whoever_changes_a_word_is_answered);
    tcase_add_test(tc, tickets_have_numbers);
    tcase_add_test(tc, a_ticket_robot_is_answered_three_times);
    tcase_add_test(tc, whoever_finds_other_words_is_answered);
    tcase_add_test(tc, the_same_words_to_another_mail_are_answered);
    tcase_add_test(tc, orders_in_between_begin_the_count_again);
    tcase_add_loop_test(tc, requests_are_heard_in_answers, 0, 3);
    tcase_add_test(tc, a_slow_one_forty_times_a_day);
    tcase_add_test(tc, what_nobody_vouches_for_is_answered_once);
    tcase_add_test(tc, a_signed_mail_is_answered_once);
    tcase_add_test(tc, final_orders_do_not_wait);
    tcase_add_test(tc, messages_are_sent);
    tcase_add_test(tc, a_message_is_refused_beside_others);
    tcase_add_test(tc, a_message_is_refused_beside_ok);
    tcase_add_loop_test(tc, other_lines_with_orders_that_end_the_turn, 0, 2);
    tcase_add_loop_test(tc, messages_that_are_not_sent, 0, 6);
    tcase_add_test(tc, a_message_that_cannot_be_written);
    tcase_add_test(tc, a_turn_is_extended_before_it_is_played);
    tcase_add_loop_test(tc, messages_are_canonical, 0, 3);
    tcase_add_test(tc, orders_are_canonical);
    tcase_add_test(tc, so_much_is_kept_a_day);
    tcase_add_test(tc, wishes_are_heard);
}
TEST_MAIN("intake/reply", cases)
