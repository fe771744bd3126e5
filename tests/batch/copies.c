/* Mails that come twice: servers make copies when they are killed, and people send the same signed text
 * again. The first copy counts; the others are answered as copies, or not at all. Nobody is told that a text
 * which counted came too late. */
#include "house/rows.h"

static void begin(void)
{
    begin_league(NULL);
}

static void commit(void)
{
    struct err err = ERR_INIT;
    ck_ok(batch_commit(&house.batch, &err), err);
    ck_assert_uint_eq(house.batch.broken, 0);
    batch_reset(&house.batch, true);
}

/* The bytes of a signed text in a mail; those of two calls differ as two deliveries do, the text does not. */
static void mail_of(struct str *mail, const char *who, const struct str *signed_text)
{
    house_travelled(mail);
    str_addf(mail,
             "From: %s@example.net\r\nTo: " HOUSE_ADDRESS "\r\nSubject: my text\r\n"
             "Message-ID: <%d@example.net>\r\nDate: Fri, 20 Nov 2026 12:00:00 +0000\r\n\r\n%s",
             who, ++house.mails, signed_text->p);
}

static void signed_text(struct str *out, const char *who, const char *verb, const char *lines)
{
    struct str text = STR_INIT, addressed = STR_INIT;
    fill(&text, verb, lines);
    house_addressed(who, text.p, &addressed);
    house_sign(&house, who, addressed.p, out);
    str_release(&text);
    str_release(&addressed);
}

/* Of the numbers of a table of two, three or four ways: `make test` takes half, in each way some. */
static int some_of(int i)
{
    return FEW ? 2 * i + (__builtin_popcount((unsigned)i) & 1) : i;
}

enum way { SAME_BATCH, TWO_BATCHES, WAYS };

/* Both mails, in one batch or in two. */
static void both(enum way way, const struct str *first, const struct str *second)
{
    (void)house_take(&house, slice_str(first));
    if (way == TWO_BATCHES)
        commit();
    (void)house_take(&house, slice_str(second));
    commit();
}

/* Mails to `who`: as many with the words of the first copy as it causes, and from the second one only `again`
 * (NULL: nothing at all). */
static void told(const char *what, const char *who, int first, const char *words, const char *again)
{
    struct str mails;
    int count = house_mails(&house, who, &mails), copies = 0;
    ck_assert_msg(count == first + (again != NULL), "%s: %d mails:\n%.2500s", what, count, mails.p);
    ck_assert_msg(house_says(mails.p, words), "%s: not \"%s\" but:\n%.2500s", what, words, mails.p);
    for (const char *at = mails.p; again && (at = strstr(at, again)); at++)
        copies++;
    ck_assert_msg(!again || copies > 0, "%s: not \"%s\" but:\n%.2500s", what, again, mails.p);
    str_release(&mails);
    house_empty_spool(&house);
}

/* ---- each text ---- */

/* What the row's text brings its sender: a stand-in also gets a report, and a moderator is told of each
 * game. */
static int first_mails(const struct row *row)
{
    return strcmp(row->verb, "take") == 0 || strcmp(row->verb, "back") == 0 || strstr(row->good, "ban ") ? 2
                                                                                                         : 1;
}

/* What the same text in another mail brings. Who has left is nobody, and no mail waits for them. */
static const char *again_words(const struct row *row, enum way way)
{
    if (strcmp(row->verb, "erase") == 0)
        return way == SAME_BATCH ? NULL : "a key that the league does not know";
    return row->kind == ASKS ? row->good_words : "very same text";
}

static void each(const struct row *row, enum way way, bool other_mail)
{
    struct str text = STR_INIT, first = STR_INIT, second = STR_INIT, once = STR_INIT, twice = STR_INIT;
    char what[64];
    (void)snprintf(what, sizeof what, "%s, %s, %s", row->verb,
                   way == SAME_BATCH ? "one batch" : "two batches", other_mail ? "two mails" : "one mail");
    if (row->prepare)
        row->prepare();
    house_empty_spool(&house);
    signed_text(&text, row->who, row->verb, row->good);
    mail_of(&first, row->who, &text);
    if (other_mail)
        mail_of(&second, row->who, &text);
    both(way, &first, other_mail ? &second : &first);
    told(what, row->who, first_mails(row), row->good_words, other_mail ? again_words(row, way) : NULL);
    snapshot(&once);
    (void)house_raw(&house, slice_str(&first)); /* and a third time, after the work is done */
    house_told(&house, NULL, 0, NULL);
    snapshot(&twice);
    ck_assert_str_eq(once.p, twice.p);
    str_release(&text);
    str_release(&first);
    str_release(&second);
    str_release(&once);
    str_release(&twice);
}

/* Each text in one way and with one other mail or none, another one for the next; or each in all ways. */
START_TEST(each_text_twice)
{
    const int kinds = 2 * WAYS, row = FEW ? _i : _i / kinds, kind = _i % kinds;
    if (!is_left_out(row))
        each(&rows[row], (enum way)(kind / 2), kind % 2);
}
END_TEST

/* ---- when the first copy has changed what the second one is asked about ---- */

/* Anna's orders are the last of the turn, which is played; the copy is for a turn that is over. */
static void last_orders(enum way way, bool other_mail)
{
    struct str text = STR_INIT, first = STR_INIT, second = STR_INIT;
    said("bob", "#turnpost orders\ngame: gc-1\nturn: 2\nbide\n#end\n");
    signed_text(&text, "anna", "orders", "game: gc-1\nturn: 2\nbide\n");
    mail_of(&first, "anna", &text);
    if (other_mail)
        mail_of(&second, "anna", &text);
    both(way, &first, other_mail ? &second : &first);
    ck_assert_int_eq(house_find(&house, "gc-1")->turn, 3);
    struct str mails;
    int count = house_mails(&house, "anna", &mails);
    ck_assert_msg(!strstr(mails.p, "too late"), "told:\n%.2500s", mails.p);
    ck_assert_msg(count == (other_mail ? 2 : 1), "%d mails:\n%.2500s", count, mails.p);
    ck_assert(!other_mail || house_says(mails.p, "The first copy counted"));
    str_release(&mails);
    str_release(&text);
    str_release(&first);
    str_release(&second);
}

START_TEST(of_orders_that_play_the_turn)
{
    last_orders(_i & 1 ? TWO_BATCHES : SAME_BATCH, _i & 2);
}
END_TEST

/* A text that ends the game, or its sender's part in it. */
START_TEST(of_texts_that_end_a_game)
{
    static const struct {
        const char *verb, *lines;
    } cases[] = {{"orders", "game: gc-1\nturn: 2\nresign\n"}, {"resign", "game: gc-1\n"}};
    struct str text = STR_INIT, first = STR_INIT, second = STR_INIT, mails;
    const int i = some_of(_i);
    bool other_mail = i & 1, last = i & 2;
    const char *lines = cases[i >> 2].lines;
    if (last) /* the only other one has gone: the game is over with this text */
        said("bob", "#turnpost resign\ngame: gc-1\n#end\n");
    signed_text(&text, "anna", cases[i >> 2].verb, lines);
    mail_of(&first, "anna", &text);
    mail_of(&second, "anna", &text);
    both(SAME_BATCH, &first, other_mail ? &second : &first);
    (void)house_mails(&house, "anna", &mails);
    static const char *const never[] = {"too late", "no seat", "is over; no more", "not asked for"};
    for (size_t k = 0; k < sizeof never / sizeof *never; k++)
        ck_assert_msg(!strstr(mails.p, never[k]), "told \"%s\":\n%.2500s", never[k], mails.p);
    ck_assert_msg(house_answers(&house) == other_mail, "told:\n%.2500s", mails.p);
    ck_assert(!other_mail || house_says(mails.p, "copy"));
    str_release(&mails);
    str_release(&text);
    str_release(&first);
    str_release(&second);
}
END_TEST

/* Orders whose seat was given up after them do not count, and nobody is told that they did: while the turn is
 * open, when it was played, when the game is over. */
START_TEST(of_orders_before_resigning)
{
    enum { OPEN, PLAYED, OVER };
    struct str text = STR_INIT, mail = STR_INIT, again = STR_INIT;
    int when = _i;
    signed_text(&text, "anna", "orders", "game: gc-1\nturn: 2\nseq: 1\nbide\nwhen turn 9 then bide\n");
    mail_of(&mail, "anna", &text);
    (void)house_raw(&house, slice_str(&mail));
    ck_assert_int_eq(house_find(&house, "gc-1")->turn, 2);
    said("anna", "#turnpost resign\ngame: gc-1\n#end\n");
    if (when == PLAYED)
        said("bob", "#turnpost orders\ngame: gc-1\nturn: 2\nbide\n#end\n");
    if (when == OVER)
        said("bob", "#turnpost resign\ngame: gc-1\n#end\n");
    ck_assert_int_eq(house_find(&house, "gc-1")->over, when == OVER);
    house_empty_spool(&house);
    mail_of(&again, "anna", &text);
    (void)house_raw(&house, slice_str(&again));
    struct str mails;
    ck_assert_int_eq(house_mails(&house, "anna", &mails), 1);
    ck_assert_msg(house_says(mails.p, "This is a copy") && !house_says(mails.p, "The first copy counted;"),
                  "told:\n%.2500s", mails.p);
    ck_assert_msg(when != OPEN || house_says(mails.p, "not in force now"), "told:\n%.2500s", mails.p);
    str_release(&mails);
    str_release(&text);
    str_release(&mail);
    str_release(&again);
}
END_TEST

/* The turn is over when the second mail is read: what was obeyed in it is known all the same. */
START_TEST(of_texts_for_a_turn_that_is_over)
{
    static const struct {
        const char *who, *verb, *lines;
    } cases[] = {{"anna", "extend", "game: gc-1\nturn: 2\nhours: 12\n"},
                 {"anna", "press", "game: gc-1\nturn: 2\nto: bob\nHello\n"},
                 {"mona", "moderate", "game: gc-1\nturn: 2\ndo: extend 2d\nreason: ill\n"}};
    struct str text = STR_INIT, first = STR_INIT, second = STR_INIT;
    const int row = some_of(_i) / 2;
    bool committed = some_of(_i) & 1;
    const char *who = cases[row].who;
    signed_text(&text, who, cases[row].verb, cases[row].lines);
    mail_of(&first, who, &text);
    (void)house_take(&house, slice_str(&first));
    if (committed)
        commit();
    const char *players[] = {"anna", "bob"};
    for (int i = 0; i < 2; i++) {
        struct str orders = STR_INIT, mail = STR_INIT;
        signed_text(&orders, players[i], "orders", "game: gc-1\nturn: 2\nbide\n");
        mail_of(&mail, players[i], &orders);
        (void)house_take(&house, slice_str(&mail));
        str_release(&orders);
        str_release(&mail);
    }
    commit();
    ck_assert_int_eq(house_find(&house, "gc-1")->turn, 3);
    house_empty_spool(&house);
    (void)house_raw(&house, slice_str(&first));
    house_told(&house, NULL, 0, NULL);
    mail_of(&second, who, &text);
    (void)house_raw(&house, slice_str(&second));
    house_told(&house, who, 1, "very same text");
    str_release(&text);
    str_release(&first);
    str_release(&second);
}
END_TEST

/* Mails that leave no record: a request, a trial, one that is refused. A copy is answered once, too. */
START_TEST(of_mails_that_change_nothing)
{
    struct str text = STR_INIT, mail = STR_INIT;
    switch (some_of(_i) / 2) {
    case 0: str_adds(&text, "help gc-1"); break;
    case 1: signed_text(&text, "anna", "orders", "game: gc-1\nturn: 2\ntry\nbide\n"); break;
    case 2: signed_text(&text, "anna", "orders", "game: gc-1\nturn: 1\nbide\n"); break;
    default: str_adds(&text, "#turnpost resign\ngame: gc-1\n#end\n"); break;
    }
    mail_of(&mail, "anna", &text);
    both((enum way)(some_of(_i) % 2), &mail, &mail);
    house_told(&house, "anna", 1, NULL);
    str_release(&text);
    str_release(&mail);
}
END_TEST

/* ---- two texts in a mail ---- */

/* Each text of a mail is judged by itself: that another one was accepted from the same mail makes it no copy.
 * Anna's first text is good; the words are of what is told of the second. */
START_TEST(of_one_text_of_two)
{
    static const struct {
        const char *who, *lines, *words;
    } cases[] = {{"anna", "game: gc-1\nturn: 1\nbide\n", "came too late"},
                 {"carl", "game: gc-1\nturn: 2\nbide\n", "you have no seat"},
                 {"bob", "game: gc-1\nturn: 1\nbide\n", "came too late"},
                 {"anna", "game: gc-1\nturn: 2\nbide\n", "very same text"}};
    const char *who = cases[_i].who;
    struct str first = STR_INIT, second = STR_INIT, both = STR_INIT, mail = STR_INIT;
    signed_text(&second, who, "orders", cases[_i].lines);
    mail_of(&mail, who, &second);
    if (strstr(cases[_i].words, "same"))
        (void)house_raw(&house, slice_str(&mail));
    house_empty_spool(&house);
    signed_text(&first, "anna", "orders", "game: gc-1\nturn: 2\nseq: 1\nexplore near\n");
    str_addf(&both, "%s\n%s", first.p, second.p);
    str_clear(&mail);
    mail_of(&mail, "anna", &both);
    (void)house_raw(&house, slice_str(&mail));
    ck_assert_str_eq(house_find(&house, "gc-1")->seat[1].orders.text.p, "explore near\n");
    house_told(&house, who, strcmp(who, "anna") == 0 ? 2 : 1, cases[_i].words);
    str_release(&first);
    str_release(&second);
    str_release(&both);
    str_release(&mail);
}
END_TEST

/* One text keeps the mail in the mailbox, because its player's file is damaged: the other one, which leaves
 * no record, is answered once, however often the mail is read, and the one that waited counts in the end. */
START_TEST(of_one_text_beside_a_kept_one)
{
    static const char *const lines[] = {"game: gc-1\nturn: 2\ntry\nbide\n", "game: gc-1\nturn: 1\nbide\n"};
    static const struct slice damaged = {"x", 1};
    struct str good = STR_INIT, waits = STR_INIT, text = STR_INIT, mail = STR_INIT, file = STR_INIT;
    struct err err = ERR_INIT;
    char *path = house_path(&house, "players/bob.json");
    signed_text(&good, "anna", "orders", lines[_i / 2]);
    signed_text(&waits, "bob", "orders", "game: gc-1\nturn: 2\nexplore near\n");
    str_addf(&text, "%s\n%s", _i % 2 ? good.p : waits.p, _i % 2 ? waits.p : good.p);
    mail_of(&mail, "anna", &text);
    ck_ok(file_read(path, 4096, &file, &err), err);
    ck_ok(file_write(path, damaged, 0600, &err), err);
    for (int i = 0; i < 3; i++) {
        house_restart(&house);
        ck_assert_int_eq(house_raw(&house, slice_str(&mail)), INTAKE_KEPT);
        ck_assert_int_eq(house_raw(&house, slice_str(&mail)), INTAKE_KEPT);
        house_told(&house, "anna", i == 0, NULL);
    }
    ck_ok(file_write(path, slice_str(&file), 0600, &err), err);
    house_restart(&house);
    ck_assert_int_eq(house_raw(&house, slice_str(&mail)), INTAKE_PROCESSED);
    house_told(&house, "anna", 0, NULL);
    ck_assert_str_eq(house_find(&house, "gc-1")->seat[2].orders.text.p, "explore near\n");
    free(path);
    str_release(&good);
    str_release(&waits);
    str_release(&text);
    str_release(&mail);
    str_release(&file);
}
END_TEST

static void cases(TCase *tc)
{
    tcase_add_checked_fixture(tc, begin, end);
    tcase_add_loop_test(tc, each_text_twice, 0, FEW ? ROWS : ROWS * 2 * WAYS);
    tcase_add_loop_test(tc, of_orders_that_play_the_turn, 0, 4);
    tcase_add_loop_test(tc, of_texts_that_end_a_game, 0, FEW ? 4 : 8);
    tcase_add_loop_test(tc, of_orders_before_resigning, 0, 3);
    tcase_add_loop_test(tc, of_texts_for_a_turn_that_is_over, 0, FEW ? 3 : 6);
    tcase_add_loop_test(tc, of_mails_that_change_nothing, 0, FEW ? 4 : 8);
    tcase_add_loop_test(tc, of_one_text_of_two, 0, 4);
    tcase_add_loop_test(tc, of_one_text_beside_a_kept_one, 0, 4);
    tcase_add_test(tc, each_petition_has_a_row);
    tcase_set_timeout(tc, 300);
}
TEST_MAIN_TOGETHER("batch/copies", cases)
