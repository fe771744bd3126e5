/* The board in a report, held against what the league's log has of it. */
#include "house/mailbox.h"

#include "letters/opening.h"
#include "publish/receipts_parts.h"

/* A report with text and page, and what proves it. */
static void get_report(struct str *mail)
{
    (void)house_signed(&house, "anna", "anna", "#turnpost prefs\nhtml: yes\n#end\n");
    play();
    char *from = sent.p, *found = NULL;
    for (int i = 0; i < sent_count; i++, from += strlen(from) + 1)
        found = strstr(from, "TURNPOST REPORT") ? from : found;
    ck_assert_ptr_nonnull(found);
    str_init(mail);
    str_adds(mail, found);
}

/* What is found of it: the gravest. */
static enum receipts_weight look(const struct str *mail)
{
    ledger = (struct ledger){.count = 0};
    receipts_init(&receipts, NULL, 0, NULL);
    receipts.policy = league_log_policy(house.batch.tlog);
    receipts_mail(&receipts, "mail", slice_str(mail));
    receipts_end(&receipts);
    ck_assert_uint_eq(receipts_count(&receipts, RECEIPTS_BOARD), 1);
    return first(RECEIPTS_BOARD)->weight;
}

static void is(const struct str *mail, enum receipts_weight weight, const char *words)
{
    const enum receipts_weight found = look(mail);
    if (getenv("SHOW"))
        puts(mail->p);
    ck_assert_msg(found == weight && strstr(first(RECEIPTS_BOARD)->text, words), "%s, not %s",
                  first(RECEIPTS_BOARD)->text, words);
    let_go();
}

/* The mail with other words in the place of those that stand there, behind what `behind` says. */
static void with(struct str *out, const struct str *mail, const char *behind, const char *from,
                 const char *to)
{
    const char *at = strstr(mail->p, behind);
    ck_assert_ptr_nonnull(at);
    at = strstr(at, from);
    ck_assert_msg(at, "no %s behind %s", from, behind);
    str_init(out);
    str_addf(out, "%.*s%s%s", (int)(at - mail->p), mail->p, to, at + strlen(from));
}

#define SAME   "is the one that the league's log has"
#define OTHER  "is not the one that the league's log has"
#define BESIDE "shows another"

START_TEST(a_changed_board_is_found)
{
    static const struct {
        const char *behind, *from, *to;
        enum receipts_weight weight;
        const char *words;
    } rows[] = {
        {"", "\r\nYOUR SECTOR", "\r\nYOUR SECTOR", RECEIPTS_GOOD, SAME},
        {"\r\nYOUR SECTOR", "Stores: metal ", "Stores: metal 1", RECEIPTS_WRONG, OTHER},
        {"\r\nTHE TABLE", "bob ", "bob 9 ", RECEIPTS_WRONG, OTHER},
        {"\r\nTHE TABLE", "anna (you)", "anna", RECEIPTS_WRONG, OTHER},
        {"text/html", "Stores: metal ", "Stores: metal 1", RECEIPTS_WRONG, OTHER},   /* in the page alone */
        {"\r\nWHAT HAPPENED", "\r\n* ", "\r\n* All is lost. ", RECEIPTS_GOOD, SAME}, /* not the board */
        {"", "\r\nYOUR SECTOR", "\r\nYOUR SECTOR\r\n\r\nAll is lost.\r\n\r\nYOUR SECTOR", RECEIPTS_ASK,
         BESIDE},
        {"BEGIN TURNPOST REPORT-----\r\n", "\r\n", "\r\nAAAA", RECEIPTS_ASK, "was cut or changed"},
        {"BEGIN TURNPOST REPORT", "BEGIN TURNPOST REPORT", "BEGIN", RECEIPTS_NOTE, "nothing in this mail"}};
    struct str mail;
    get_report(&mail);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct str changed;
        with(&changed, &mail, rows[i].behind, rows[i].from, rows[i].to);
        is(&changed, rows[i].weight, rows[i].words);
        str_release(&changed);
    }
    str_release(&mail);
}
END_TEST

/* What its reader copied out of it, quoted and wrapped. */
START_TEST(a_pasted_text_is_read)
{
    struct str mail, text = STR_INIT;
    struct message msg;
    struct err err = ERR_INIT;
    get_report(&mail);
    ck_ok(message_parse(slice_str(&mail), &message_limits_default, &(struct message_identity){0}, &msg, &err),
          err);
    const struct message_part *parts = msg.parts;
    for (size_t i = 0; i < msg.part_count; i += 2) { /* not the page */
        struct slice rest = slice_str(&parts[i].shown), line;
        while (slice_line(&rest, &line))
            str_addf(&text, "> %.*s\n", (int)line.len, line.p);
    }
    is(&text, RECEIPTS_GOOD, SAME);
    message_release(&msg);
    str_release(&mail);
    str_release(&text);
}
END_TEST

/* It opens her own seat's report of that turn: with another seat's salt, or another record, nothing fits. */
START_TEST(nothing_else_is_opened)
{
    struct str mail, opens = STR_INIT;
    struct err err = ERR_INIT;
    get_report(&mail);
    struct slice rest = slice_str(&mail), record, how;
    ck_assert_int_eq(opening_next(&rest, &opens, &err), ARMORED_GOOD);
    rest = slice_str(&opens);
    ck_assert(slice_line(&rest, &record) && slice_line(&rest, &how));
    ck_assert_ptr_nonnull(strstr(how.p, "\"seat\":1"));
    ck_assert(slice_find(rest, "\"own\":{") != (size_t)-1);
    for (int i = 0; i < 4; i++) {
        static const char *const changes[][2] = {{"\"seat\":1", "\"seat\":2"},
                                                 {"\"salt\":\"", "\"salt\":\"0"},
                                                 {"\"turn\":", "\"turn\":1"},
                                                 {"\"view\":", "\"news\":"}};
        struct str other = STR_INIT, armor = STR_INIT, changed = STR_INIT;
        const char *at = strstr(opens.p, changes[i][0]),
                   *begin = strstr(mail.p, "-----BEGIN TURNPOST REPORT");
        ck_assert_ptr_nonnull(at);
        str_addf(&other, "%.*s%s%s", (int)(at - opens.p), opens.p, changes[i][1], at + strlen(changes[i][0]));
        opening_write(&armor, slice_str(&other));
        str_addf(&changed, "%.*s%s", (int)(begin - mail.p), mail.p, armor.p);
        is(&changed, RECEIPTS_ASK, "was cut or changed");
        str_release(&other);
        str_release(&armor);
        str_release(&changed);
    }
    str_release(&mail);
    str_release(&opens);
}
END_TEST

/* A journal says who sits there; without one, a mail's own names count. */
START_TEST(names_are_the_journal_s)
{
    play();
    ck_assert_int_eq(hold(), RECEIPTS_GOOD);
    ck_assert_uint_ge(receipts_count(&receipts, RECEIPTS_BOARD), 2);
    for (size_t i = 0; i < receipts.board_count; i++)
        (void)snprintf(receipts.board[i].name[2], PLAYER_NAME, "eve");
    receipts_judge_boards(&receipts);
    const struct receipts_finding *last = &receipts.finding[receipts.finding_count - 1];
    while (last->weight != RECEIPTS_WRONG)
        last--;
    ck_assert_str_eq(last->text, "the board in this mail calls seat 2 \"eve\", and the journal \"bob\"");
    let_go();
}
END_TEST

/* In all games, as long as they go on: each report has it, and shows what it opens; the first and the last have none. */
START_TEST(every_report_shows_what_the_log_has)
{
    static const char *const orders[] = {"", "always if metal > 2 swap metal\n",
                                         "always draw command\nwhen active research jump\n"};
    const struct ruleset *ruleset = rulesets[_i];
    const int seats = strcmp(ruleset->name, "galaxy-farmer") == 0 ? 1 : 2;
    struct str text = STR_INIT;
    house_game(&house, "other", ruleset->name, 86400, seats, table);
    str_addf(&text, "#turnpost orders\ngame: other\nturn: 1\nbide\n%s#end\n", orders[_i % 3]);
    (void)house_signed(&house, "anna", "anna", "#turnpost prefs\nhtml: yes\neach-move: yes\n#end\n");
    (void)house_signed(&house, "anna", "anna", text.p);
    keep_mails();
    for (int turn = 0; turn < 20 && !house_find(&house, "other")->over; turn++) {
        house_clock(&house, house.now + 86401);
        keep_mails();
    }
    const enum receipts_weight found = hold_alone(league_log_policy(house.batch.tlog));
    size_t good = 0;
    for (size_t i = 0; i < receipts.finding_count; i++) {
        const struct receipts_finding *one = &receipts.finding[i];
        ck_assert_msg(one->weight >= RECEIPTS_NOTE || one->kind != RECEIPTS_BOARD, "%s: %s, record %d: %s",
                      ruleset->name, one->game, (int)one->seq, one->text);
        good +=
            one->kind == RECEIPTS_BOARD && one->weight == RECEIPTS_GOOD && strcmp(one->game, "other") == 0;
    }
    ck_assert_int_eq(found, RECEIPTS_GOOD);
    ck_assert_msg(good >= 4, "%s: %zu boards", ruleset->name, good);
    printf("%s: %zu boards\n", ruleset->name, good);
    let_go();
    str_release(&text);
}
END_TEST

static void cases(TCase *tc)
{
    tcase_add_checked_fixture(tc, begin, end);
    tcase_add_test(tc, a_changed_board_is_found);
    tcase_add_test(tc, a_pasted_text_is_read);
    tcase_add_test(tc, nothing_else_is_opened);
    tcase_add_test(tc, names_are_the_journal_s);
    tcase_add_loop_test(tc, every_report_shows_what_the_log_has, 0, 4);
}
TEST_MAIN("publish/receipts_boards", cases)
