/* history/boards: each turn of a recorded game is shown once, in order, with what it changed; of a turn that was played
 * twice the play that holds; what is sealed is not drawn. */
#include "history/boards.h"

#include <string.h>

#include "suite.h"

struct shown {
    int count, next, stop;
    bool marked; /* all had the state before */
    struct templates *templates;
    struct str last;
};

static int show(void *arg, const struct board *board, int turn, struct err *err)
{
    struct shown *shown = arg;
    ck_assert_int_eq(turn, shown->next < 0 ? turn : shown->next);
    ck_assert_int_eq(board->game->turn, turn + 1);
    shown->marked = shown->marked && (board->before || turn == 0);
    shown->next = turn + 1;
    shown->count++;
    str_clear(&shown->last);
    ck_ok(board_svg(board, shown->templates, &shown->last, err), *err);
    return shown->count == shown->stop ? err_set(err, ERR_INPUT, "enough") : 0;
}

/* Reads a journal as one that is known: as long as it was, and with that head, when `game` was loaded. */
static int walk_known(const char *path, const struct game *game, struct shown *shown, struct err *err)
{
    static const struct reader all = {READER_PUBLIC, 0};
    struct casefile file;
    struct boards_seen seen = {show, shown};
    ck_ok(casefile_open(path, NULL, &file, err), *err);
    casefile_known(&file, game);
    ck_ok(casefile_choose(&file, &all, true, err), *err);
    int rc = boards_show(&file, BOARDS_ALL, &seen, err);
    casefile_close(&file);
    return rc;
}

static int walk(const char *path, const struct reader *reader, int turn, struct shown *shown, struct err *err)
{
    struct casefile file;
    struct boards_seen seen = {show, shown};
    ck_ok(casefile_open(path, NULL, &file, err), *err);
    ck_ok(casefile_choose(&file, reader, true, err), *err);
    int rc = boards_show(&file, turn, &seen, err);
    casefile_close(&file);
    return rc;
}

static const struct reader everybody = {READER_PUBLIC, 0};

START_TEST(every_turn_is_shown_once)
{
    static const char *const games[] = {"games/galaxy-command", "games/galactic-contract",
                                        "games/galaxy-farmer", "games/galactic-supremacy"};
    struct shown all = {.marked = true}, one = {.next = -1, .marked = true};
    struct err err = ERR_INIT;
    templates_open(NULL, &all.templates);
    one.templates = all.templates;
    str_init(&all.last);
    str_init(&one.last);
    ck_ok(walk(games[_i], &everybody, BOARDS_ALL, &all, &err), err);
    ck_assert_int_gt(all.count, 5);
    ck_assert_int_eq(all.count, all.next);
    ck_assert(all.marked);
    ck_ok(walk(games[_i], &everybody, BOARDS_LAST, &one, &err), err);
    ck_assert_int_eq(one.count, 1);
    ck_assert_int_eq(one.next, all.next);
    ck_assert_str_eq(one.last.p, all.last.p);
    str_release(&all.last);
    str_release(&one.last);
    templates_close(all.templates);
}
END_TEST

START_TEST(the_caller_may_stop_and_errors_are_told)
{
    struct shown shown = {.stop = 3};
    struct err err = ERR_INIT;
    templates_open(NULL, &shown.templates);
    str_init(&shown.last);
    ck_assert_int_ne(walk("games/galaxy-command", &everybody, BOARDS_ALL, &shown, &err), 0);
    ck_assert_str_eq(err.text, "enough");
    ck_assert_int_eq(shown.count, 3);
    err_clear(&err);
    ck_assert_int_ne(walk("games/galaxy-command", &everybody, 99, &shown, &err), 0);
    ck_assert_int_eq(err.code, ERR_INPUT);
    ck_assert_int_eq(shown.count, 3);
    str_release(&shown.last);
    templates_close(shown.templates);
}
END_TEST

/* Where a journal ends, and the one before. */
static void ends_of(const char *path, struct game *last, struct game *before)
{
    struct casefile file;
    struct record record;
    struct err err = ERR_INIT;
    ck_ok(casefile_open(path, NULL, &file, &err), err);
    while (casefile_next(&file, &record, NULL, &err) > 0) {
        *before = *last;
        last->journal.length = (int64_t)file.at;
        memcpy(last->head, record.head, HEAD_BYTES);
        record_release(&record);
    }
    casefile_close(&file);
}

START_TEST(what_is_known_is_not_checked_again)
{
    static const char *const games[] = {"games/galaxy-command", "games/galactic-contract"};
    static struct game last, before;
    struct shown all = {.marked = true}, known = all;
    struct err err = ERR_INIT;
    templates_open(NULL, &all.templates);
    known.templates = all.templates;
    str_init(&all.last);
    str_init(&known.last);
    ck_ok(walk(games[_i], &everybody, BOARDS_ALL, &all, &err), err);
    ends_of(games[_i], &last, &before);
    ck_ok(walk_known(games[_i], &last, &known, &err), err);
    ck_assert_int_eq(known.count, all.count);
    ck_assert_str_eq(known.last.p, all.last.p);
    /* It has gone on since: what came later is not looked at. */
    known.next = known.count = 0;
    ck_ok(walk_known(games[_i], &before, &known, &err), err);
    /* Another journal with records like these: nothing of it is shown. */
    last.head[0] ^= 1;
    known.next = known.count = 0;
    ck_assert_int_ne(walk_known(games[_i], &last, &known, &err), 0);
    ck_assert_int_eq(err.code, ERR_BROKEN);
    ck_assert_int_eq(known.count, 0);
    str_release(&all.last);
    str_release(&known.last);
    templates_close(all.templates);
}
END_TEST

static void cases(TCase *tc)
{
    tcase_add_loop_test(tc, what_is_known_is_not_checked_again, 0, 2);
    tcase_add_loop_test(tc, every_turn_is_shown_once, 0, 4);
    tcase_add_test(tc, the_caller_may_stop_and_errors_are_told);
}
TEST_MAIN("history/boards", cases)
