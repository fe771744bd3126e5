/* Each text is valid once, in one league, for one game: the very text that one league has obeyed is sent,
 * with its signature, to another league with the same players, keys and games; to the same league when its
 * game has been replaced by another of that name; in another turn; and a year later, when its marks are
 * forgotten. Each time not a byte of a journal or of a player's document changes, and its sender is told what
 * to do. In games of both formats; a petition without a row fails. */
#include "house/rows.h"

#define YEAR (366 * DAY)

static struct str body; /* the signed text that was obeyed */

/* The text counts, in a league of its own. */
static void obeyed(const struct row *row)
{
    struct str text = STR_INIT, before = STR_INIT, after = STR_INIT;
    begin_league(NULL);
    if (row->prepare)
        row->prepare();
    fill(&text, row->verb, row->good);
    snapshot(&before);
    (void)house_signed(&house, row->who, row->who, text.p);
    snapshot(&after);
    ck_assert_msg((strcmp(before.p, after.p) == 0) == (row->kind == ASKS), "%s: what has changed?",
                  row->verb);
    str_init(&body);
    str_adds(&body, strstr(house.last_raw.p, "\r\n\r\n") + 4);
    house_empty_spool(&house);
    str_release(&text);
    str_release(&before);
    str_release(&after);
}

static void done(void)
{
    str_release(&body);
    house.unproved = true; /* petitions/each_text does */
    end();
}

/* It comes again, in a new mail. */
static void not_again(const struct row *row, const char *where, const char *words)
{
    struct str before = STR_INIT, after = STR_INIT, mails;
    snapshot(&before);
    (void)house_mail(&house, row->who, "once more", body.p);
    snapshot(&after);
    ck_assert_msg(strcmp(before.p, after.p) == 0, "%s, %s: something has changed", row->verb, where);
    if (row->kind != ASKS) {
        ck_assert_msg(house_answers(&house) == 1, "%s, %s: %d answers", row->verb, where,
                      house_answers(&house));
        ck_assert_int_eq(house_mails(&house, row->who, &mails), 1);
        ck_assert_msg(house_says(mails.p, words), "%s, %s: not \"%s\" but:\n%s", row->verb, where, words,
                      mails.p);
        str_release(&mails);
    }
    house_empty_spool(&house);
    str_release(&before);
    str_release(&after);
}

/* ---- elsewhere ---- */

/* Who has had themselves taken out is nobody any more, who signs with a key of nobody's. */
static const char *too_old(const struct row *row)
{
    return strcmp(row->verb, "erase") == 0 ? "Sign with the key that you registered" : "older than 60 days";
}

static const char *why_elsewhere(const struct row *row)
{
    return strcmp(row->verb, "orders") == 0 ? "that game gc-1 never issued"
           : strcmp(row->verb, "join") == 0 ? "head"
           : names_game(row)                ? "digits in the line \"head:\""
                                            : "The text is for another league";
}

/* What has to be there for it: a seat that is offered, an appeal. */
static void prepare(const struct row *row)
{
    str_release(&word);
    if (row->prepare)
        row->prepare();
}

static void in_another_league(const struct row *row)
{
    struct house first = house;
    begin_league(&first);
    prepare(row);
    not_again(row, "in another league", why_elsewhere(row));
    house_end(&house);
    scratch_remove(house.dir);
    str_release(&house.last_raw);
    first.mails = house.mails;
    house = first;
}

/* The league's memory of mails and texts is made again, from its journals. A round of work is done then: what
 * was before it is an outage, and what comes after it is none of it. */
static void forget(bool games)
{
    struct err err = ERR_INIT;
    house_end(&house);
    house_remove_catalog(&house);
    if (games) {
        house_remove(&house, "games");
        house_remove(&house,
                     "registry/games"); /* a league that remembers their names gives none of them out again */
    }
    house_begin(&house);
    ck_ok(batch_round(&house.batch, house.now, &err), err);
    ck_ok(batch_round_done(&house.batch, &err), err);
    house_empty_spool(&house);
}

/* The operator has thrown all games away and made others. */
static void in_another_game_of_that_name(const struct row *row)
{
    if (!names_game(row))
        return;
    forget(true);
    begin_games();
    prepare(row);
    not_again(row, "in another game", why_elsewhere(row));
}

static void in_later_turns(const struct row *row)
{
    house_clock(&house, house.now + 4 * DAY);
    house_clock(&house, house.now + 4 * DAY);
    house_empty_spool(&house);
    not_again(row, "in another turn", "");
    house_clock(&house, house.now + YEAR);
    forget(false);
    not_again(row, "a year later", has_date(row) && !names_game(row) ? too_old(row) : "");
    if (!has_date(row))
        in_another_game_of_that_name(row);
}

/* In the short form every text is tried in one half of the places, the next pair of rows in the other. */
static bool is_tried(int number, int half)
{
    return !FEW || getenv("LONG") || number / 2 % 2 == half;
}

START_TEST(elsewhere_and_later)
{
    const struct row *row = &rows[_i];
    if (is_left_out(_i))
        return;
    obeyed(row);
    if (is_tried(_i, 0))
        in_another_league(row);
    if (is_tried(_i, 1))
        in_later_turns(row);
    done();
}
END_TEST

/* Nobody has played meanwhile. */
START_TEST(a_year_later_in_the_same_turn)
{
    const struct row *row = &rows[_i];
    if (is_left_out(_i / 3) || (!getenv("LONG") && _i % 3))
        return;
    obeyed(row);
    house.now += YEAR;
    forget(false);
    not_again(row, "a year later", has_date(row) ? too_old(row) : "");
    done();
}
END_TEST

static void cases(TCase *tc)
{
    tcase_add_test(tc, each_petition_has_a_row);
    tcase_add_loop_test(tc, elsewhere_and_later, 0, ROWS);
    tcase_add_loop_test(tc, a_year_later_in_the_same_turn, 0, ROWS);
}
TEST_MAIN_TOGETHER("petitions/bound", cases)
