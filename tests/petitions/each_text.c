/* Every text that can be sent to a league, one row each: unsigned, signed by the wrong person, for a game
 * that is none, half filled in, too late: each time one helpful answer, in its thread, and not a byte
 * changes. Then as it should be, which counts; and once more, which does not. A petition without a row fails.
 */
#include "house/rows.h"

#include "base/json.h"

static void begin(void)
{
    begin_league(NULL);
}

/* One answer, in the thread, to `who`, with the words. */
static void answered(const char *verb, const char *what, const char *who, const char *words)
{
    struct str mails;
    int count = house_mails(&house, who, &mails);
    ck_assert_msg(house_answers(&house) == 1, "%s, %s: %d answers, %d mails:\n%.3000s", verb, what,
                  house_answers(&house), count, mails.p);
    ck_assert_msg(house_says(mails.p, words), "%s, %s: not \"%s\" but:\n%.3000s", verb, what, words, mails.p);
    str_release(&mails);
    house_empty_spool(&house);
}

/* This many wrong texts are more than are answered on a day. */
static void forget_budgets(void)
{
    struct err err = ERR_INIT;
    ck_ok(catalog_tidy(house.batch.catalog, house.now + DAY, DAY, &err), err);
}

static const char once_more[] = "once more";

/* A text that must not be obeyed. `signer` NULL = nobody signs it. */
static void refused(const struct row *row, const char *what, const char *from, const char *signer,
                    const char *lines, const char *words)
{
    struct str text = STR_INIT, before = STR_INIT, after = STR_INIT;
    struct str all;
    fill(&text, row->verb, lines);
    snapshot(&before);
    if (signer)
        (void)house_signed(&house, from, signer, text.p);
    else
        (void)house_mail(&house, from, "my text", text.p);
    snapshot(&after);
    ck_assert_msg(strcmp(before.p, after.p) == 0, "%s, %s: something has changed", row->verb, what);
    ck_assert_msg(house_mails(&house, NULL, &all) == 1, "%s, %s: told to others:\n%s", row->verb, what,
                  all.p);
    bool first =
        str_starts(all.p, "Subject: Not done: ") && strstr(all.p, "\nNothing has been changed by your mail.");
    bool again = strcmp(what, once_more) == 0; /* a copy; or the same answer, where the text only asks */
    ck_assert_msg(!signer || again || first, "%s, %s: not said first:\n%.3000s", row->verb, what, all.p);
    ck_assert(!first || !house_says(all.p, "very same text"));
    str_release(&all);
    answered(row->verb, what, from, words);
    forget_budgets();
    str_release(&text);
    str_release(&before);
    str_release(&after);
}

/* ---- the cases ---- */

static void refused_lines(const struct row *row, const char *what, const char *line, const char *value,
                          const char *words)
{
    struct str lines = STR_INIT;
    str_addf(&lines, "%s: %s\n%s", line, value, row->good);
    refused(row, what, row->who, row->who, lines.p, words);
    str_release(&lines);
}

/* A text about no game is for one league. */
static void of_another_league(const struct row *row)
{
    char own[KEY_FINGERPRINT], line[KEY_FINGERPRINT + 10];
    league_fingerprint(&house.league, own);
    (void)snprintf(line, sizeof line, "league: %s", own);
    refused_lines(row, "no league line", "league", "none", "does not name the league");
    refused_lines(row, "the form for it", "league", "none", line);
    own[10] = own[10] == 'x' ? 'y' : 'x';
    refused_lines(row, "another league's line", "league", own, "is for another league");
}

/* A text whose record is the registry's is for 60 days. */
static void of_another_day(const struct row *row)
{
    static const struct {
        int days;
        const char *words;
    } cases[] = {{-61, "older than 60 days"}, {3, "is still to come"}};
    char day[DATE_TEXT], line[DATE_TEXT + 8];
    int64_t today = house.now / DAY;
    date_text(day, today);
    (void)snprintf(line, sizeof line, "date: %s", day);
    refused_lines(row, "no day", "date", "none", "on which day it was written");
    refused_lines(row, "the form for it", "date", "none", line);
    refused_lines(row, "no day at all", "date", "2026-02-30", "takes a day in the form");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        date_text(day, today + cases[i].days);
        refused_lines(row, "another day", "date", day, cases[i].words);
        refused_lines(row, "the form for another day", "date", day, line);
    }
}

/* A text about a game is for what its signer has seen of it. */
static void of_another_history(const struct row *row)
{
    char id[GAME_NAME], head[2 * HEAD_BYTES + 1];
    (void)snprintf(id, sizeof id, "%.4s", strstr(row->good, "game: ") + 6);
    game_answer_head(head, house_find(&house, strcmp(id, "gc-3") == 0 ? "gc-1" : "gc-3"));
    refused_lines(row, "another game's head", "head", head,
                  strcmp(row->verb, "join") == 0     ? "with which game gc-2 was made"
                  : strcmp(row->verb, "orders") == 0 ? "that game gc-1 never issued"
                                                     : "digits in the line \"head:\"");
    game_answer_head(head, house_find(&house, id));
    if (strcmp(row->verb, "orders") != 0)
        refused_lines(row, "the form for it", "head", "0000000000000000", head);
    head[16] = '\0';
    refused_lines(row, "16-digit head", "head", head, "64 digits");
}

/* Can it name a game? */
static bool takes_game(const struct row *row)
{
    const struct petition *petition = petition_find(row->verb);
    return !petition || (petition->needs & (PETITION_GAME | PETITION_MAYBE_GAME)); /* no petition: orders */
}

static void wrong_in_every_way(const struct row *row)
{
    struct str good = STR_INIT;
    char holds[80];
    (void)snprintf(holds, sizeof holds,
                   strcmp(row->verb, "orders") == 0     ? "Your mail holds orders"
                   : strcmp(row->verb, "register") == 0 ? "Save these lines as text.txt"
                                                        : "Your mail holds a text \"#turnpost %s\"",
                   row->verb);
    refused(row, "unsigned", row->who, NULL, row->good, holds);
    refused(row, "signed by the wrong person", row->wrong, row->wrong, row->good, row->wrong_words);
    if (row->half)
        refused(row, "half filled in", row->who, row->who, row->half, row->half_words);
    refused_lines(row, "with a control character", "# \t", "\001", "(U+0001) at column 6");
    if (row->late)
        refused(row, "too late", row->who, row->who, row->late, row->late_words);
    /* In the short form a text that is for a day as well is tried for the one or the other. */
    const bool both = !FEW || getenv("LONG") || !has_date(row), day = (row - rows) % 2;
    if (row->kind != ASKS && (both || !day))
        (names_game(row) ? of_another_history : of_another_league)(row);
    if (has_date(row) && (both || day))
        of_another_day(row);
    if (row->kind == ANYWHERE || !takes_game(row))
        return;
    const char *rest = strstr(row->good, "game: gc-");
    str_addf(&good, "game: gc-99\n%s", rest ? strchr(rest, '\n') + 1 : row->good);
    refused(row, "for a game that is none", row->who, row->who, good.p, "here is no game \"gc-99\"");
    str_release(&good);
}

START_TEST(each_text)
{
    const struct row *row = &rows[_i];
    struct str text = STR_INIT, before = STR_INIT, after = STR_INIT;
    if (is_left_out(_i))
        return;
    if (row->prepare)
        row->prepare();
    wrong_in_every_way(row);
    fill(&text, row->verb, row->good);
    snapshot(&before);
    (void)house_signed(&house, row->who, row->who, text.p);
    snapshot(&after);
    ck_assert_msg((strcmp(before.p, after.p) == 0) == (row->kind == ASKS), "%s: what has changed?",
                  row->verb);
    answered(row->verb, "as it should be", row->who, row->good_words);
    /* The same mail, as it is found after a crash: silence. */
    (void)house_raw(&house, slice_str(&house.last_raw));
    snapshot(&before);
    house_told(&house, NULL, 0, NULL);
    ck_assert_msg(strcmp(before.p, after.p) == 0, "%s: obeyed twice", row->verb);
    refused(row, once_more, row->who, row->who, row->good, (row->kind == ASKS) ? row->good_words : "");
    str_release(&text);
    str_release(&before);
    str_release(&after);
}
END_TEST

/* ---- as long as they may be ---- */

/* What takes most in a record, or in a mail. */
static const char *const fillings[] = {"\"", "\\", "<&>", "\xE2\x80\xA8", "\xE2\x80\xAE", "\xF0\x9F\x98\x80"};
#define FILLINGS ((int)(sizeof fillings / sizeof *fillings))

/* Their records hold these words once more. */
static const char *told_why(const char *verb)
{
    return strcmp(verb, "key") == 0 || strcmp(verb, "rekey") == 0 ? "why"
           : strcmp(verb, "excuse") == 0                          ? "reason"
           : strcmp(verb, "invite") == 0                          ? "for"
                                                                  : NULL;
}

/* The row's valid text with this many fillings; *size is that of what is signed, as JSON. */
static void filled(const struct row *row, const char *filling, int count, struct str *out, size_t *size)
{
    struct str more = STR_INIT, lines = STR_INIT, headed = STR_INIT, addressed = STR_INIT;
    const char *why = told_why(row->verb), *own = why ? strstr(row->good, why) : NULL;
    str_addf(&more, why ? "%s: x" : "# ", why);
    for (int i = 0; i < count; i++) {
        str_adds(&more, filling);
        if (!why && i % 250 == 249)
            str_adds(&more, "\n# ");
    }
    str_addf(&lines, "%s\n%.*s", more.p, own ? (int)(own - row->good) : (int)strlen(row->good), row->good);
    fill(out, row->verb, lines.p);
    house_addressed(row->who, out->p, &addressed);
    house_headed(&house, addressed.p, &headed);
    *size = json_text_size(slice_str(&headed));
    str_release(&more);
    str_release(&lines);
    str_release(&headed);
    str_release(&addressed);
}

/* How many fillings there may be. */
static int most_of(const struct row *row, const char *filling, size_t most)
{
    int low = 0, high = (int)most;
    struct str text = STR_INIT;
    while (high - low > 1) {
        size_t size;
        filled(row, filling, (low + high) / 2, &text, &size);
        *(size > most ? &high : &low) = (low + high) / 2;
    }
    str_release(&text);
    return low;
}

static void long_text(const struct row *row, const char *filling)
{
    const struct petition *petition = petition_find(row->verb);
    bool record = petition && (!(petition->needs & PETITION_SECRET) || petition == petition_find("moderate"));
    struct str text = STR_INIT;
    size_t size, most = record ? PETITION_LONGEST : FRAME_BYTES;
    if (row->prepare)
        row->prepare();
    int count = most_of(row, filling, most);
    filled(row, filling, count + 1, &text, &size);
    (void)house_signed(&house, row->who, row->who, text.p);
    answered(row->verb, "too long", row->who, record ? "such texts may have 8192" : "at most 65536");
    filled(row, filling, count, &text, &size);
    ck_assert_uint_gt(size + 20, most);
    (void)house_signed(&house, row->who, row->who, text.p);
    answered(row->verb, "as long as may be", row->who, row->good_words);
    str_release(&text);
}

/* Whatever a text is made of, it makes a record, or a refusal; never an error of the league. Quotes for all,
 * and each in turn one of the others. */
START_TEST(as_long_as_may_be)
{
    int i = getenv("LONG") ? _i : 16 * _i; /* else quotes for every eighth row */
    long_text(&rows[i / 2], fillings[i % 2 ? 1 + (i / 2) % (FILLINGS - 1) : 0]);
}
END_TEST

START_TEST(register_for_another_address)
{
    const struct row *row = &rows[1];
    an_invitation();
    ck_assert_str_eq(row->verb, "register");
    refused(row, "for another address", "nemo", "nemo",
            "name: nemo\naddress: eve@example.net\ninvite: $word\n",
            "for another mail address than nemo@example.net");
    refused(row, "from another address", "eve", "nemo",
            "name: nemo\naddress: nemo@example.net\ninvite: $word\n",
            "for another mail address than eve@example.net");
    refused(row, "for no address", "nemo", "nemo", "name: nemo\naddress:\ninvite: $word\n",
            "does not name your mail address");
}
END_TEST

/* ---- words as subjects ---- */

static void asked(const char *who, const char *subject, const char *body, const char *words)
{
    struct str before = STR_INIT, after = STR_INIT;
    snapshot(&before);
    (void)house_mail(&house, who, subject, body);
    snapshot(&after);
    ck_assert_msg(strcmp(before.p, after.p) == 0, "\"%s\" has changed something", subject);
    answered(subject, "as a subject", who, words);
    str_release(&before);
    str_release(&after);
}

START_TEST(each_word)
{
    static const struct {
        const char *subject, *words;
    } cases[] = {
        {"help", "What you can send to"},
        {"HELP gc-1", "explore"},
        {"help galaxy-command", "explore"},
        {"help gc-99", "No signed orders were found"},
        {"games", "What can be played"},
        {"Re: Games", "What can be played"},
        {"results", "* gc-3 (Galaxy Command)"},
        {"log", "send a mail with the subject \"log\" and a number"},
        {"log 1", "BEGIN TURNPOST LOG"},
        {"log 99999999", "send a mail with the subject \"log\" and a number"},
        {"proof 1", "that the first 1 of them"},
        {"proof x", "a number from 1 to"},
        {"rules Galaxy Command", "GALAXY COMMAND"},
        {"rules gc-99", "There is no game called \"gc-99\""},
        {"rules", "Add the name of a game after the word"},
        {"status gc-1", "turn 2"},
        {"status gc-2", "not begun yet"},
        {"status gc-3", "over after turn"},
        {"status bob", "bob: "},
        {"Status Bob", "gc-1  Galaxy Command"},
        {"status anna", "gc-2  Galaxy Command  not begun yet"},
        {"status gc-99", "There is no game called \"gc-99\""},
        {"status ../gc-1", "There is no game of that name"},
        {"confirm", "#turnpost confirm"},
        {"competitions", "There is no competition here now"},
        {"table", "Add the name of a competition after the word"},
        {"table spring", "There is no competition called \"spring\""},
        {"confirm aaaaaaaaaaaaaaaaaaaaaaaaaa", "proves nothing alone"},
        {"confirm maybe", "There is no competition called \"maybe\""},
        {"good morning", "No signed orders were found"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        asked("anna", cases[i].subject, "", cases[i].words);
    asked("anna", "status", "", "anna: in time in 100 % of 1 turns");
    asked("anna", "deadline gc-1", "", "turn 2");
    asked("nemo", "status", "", "Add the name of a game after the word");
    house.now += DAY;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char name[16];
        (void)snprintf(name, sizeof name, "stranger%zu", i);
        asked(name, cases[i].subject, "", cases[i].words);
    }
}
END_TEST

/* Phones quote the whole mail that they answer: what is above it counts. */
START_TEST(words_above_a_quoted_report)
{
#define QUOTE                                                                                                \
    "\r\n\r\nOn Friday the league wrote:\r\n> #turnpost orders\r\n> game: gc-1\r\n> turn: 2\r\n> bide\r\n> " \
    "#end\r\n"
    asked("anna", "Re: [gc-1] Turn 1 is played", "help" QUOTE, "What you can send to");
    asked("anna", "Re: [gc-1] Turn 1 is played", "Status gc-1" QUOTE, "turn 2");
    asked("anna", "Re: Re: [gc-1] Turn 1 is played", "Thank you!" QUOTE,
          "Subject: Not signed: Re: [gc-1] Turn 1 is played");
    asked("anna", "Re: [gc-1] Turn 1 is played", "Thank you!", "Subject: Re: [gc-1] Turn 1 is played");
    asked("anna", "Re: [gc-1] Turn 1 is played", "Thank you!" QUOTE, "perhaps in what it quotes");
    asked("anna", "Re: join gc-2", "#turnpost join\r\ngame: gc-2\r\n#end" QUOTE,
          "holds a text \"#turnpost join\"");
#undef QUOTE
}
END_TEST

/* The verbs of petitions as subjects bring the text that is to be signed, with a game and without; for a game that there is
 * not, those that there are. */
START_TEST(each_verb_as_a_subject)
{
    static const char *const games[] = {"", " gc-1", " gc-3", " gc-99"};
    for (int i = 0; petitions[i]; i++) {
        for (size_t game = 0; game < 4; game++) {
            char subject[64], words[64];
            house.now += 3600; /* the budget of a day */
            (void)snprintf(subject, sizeof subject, "%s%s", petitions[i]->verb, games[game]);
            (void)snprintf(words, sizeof words, "#turnpost %s", petitions[i]->verb);
            bool takes = !game || (petitions[i]->needs & (PETITION_GAME | PETITION_MAYBE_GAME));
            bool competes = game && (petitions[i]->needs & PETITION_COMPETES);
            bool nowhere = game == 3 && (petitions[i]->needs & PETITION_GAME);
            if (petitions[i] != petition_find("register"))
                asked("anna", subject, "",
                      nowhere    ? "There is no game called \"gc-99\""
                      : takes    ? words
                      : competes ? "There is no competition called"
                                 : "No signed orders were found");
        }
    }
    asked("anna", "register", "", "belongs to the player anna");
    asked("nemo", "register", "", "register nemo");
}
END_TEST

static void cases(TCase *tc)
{
    tcase_add_checked_fixture(tc, begin, end);
    tcase_add_loop_test(tc, each_text, 0, ROWS);
    tcase_add_loop_test(tc, as_long_as_may_be, 0, getenv("LONG") ? 2 * ROWS : ROWS / 8);
    tcase_add_test(tc, register_for_another_address);
    tcase_add_test(tc, each_petition_has_a_row);
    tcase_add_test(tc, each_word);
    tcase_add_test(tc, words_above_a_quoted_report);
    tcase_add_test(tc, each_verb_as_a_subject);
}
TEST_MAIN_TOGETHER("petitions/each_text", cases)
