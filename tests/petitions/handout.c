/* Games that are over, by mail: 2 MB a player and day of 64 KiB pieces, whichever way they are asked for and however often the program
 * begins anew. */
#include "house/house.h"

#define DAY   ((int64_t)86400)
#define PIECE ((size_t)64 << 10)
#define MOST  32 /* pieces a day */

static struct house house;

static void ask(const char *name, const char *verb, const char *game)
{
    struct str text = STR_INIT;
    str_addf(&text, "#turnpost %s\ngame: %s\n# %d\n#end\n", verb, game,
             house.mails); /* no copy of the last one */
    (void)house_signed(&house, name, name, text.p);
    str_release(&text);
}

static void begin(void)
{
    static const char *const pair[] = {"anna", "bob"};
    house_open(&house);
    house_option(&house, "[limits]", "replies_per_day = 1000");
    house_restart(&house);
    house_player(&house, "anna");
    house_player(&house, "bob");
    house_game(&house, "gc-1", "galaxy-command", DAY, 2, pair);
    house_game(&house, "gc-2", "galaxy-command", DAY, 2, pair);
    ask("anna", "resign", "gc-1");
    ask("bob", "resign", "gc-1");
    ck_assert(house_find(&house, "gc-1")->over);
    house_empty_spool(&house);
}

static void end(void)
{
    house_close(&house);
}

/* Bytes of the files that the one answer to NAME brings; 0: it refuses with these words. */
static size_t handed(const char *name, const char *words)
{
    struct err err = ERR_INIT;
    struct spool_list list;
    struct outgoing mail;
    struct message msg;
    size_t bytes = 0;
    ck_ok(spool_due(house.batch.spool, house.now, &list, &err), err);
    ck_assert_uint_eq(list.count, 1);
    ck_ok(spool_load(house.batch.spool, list.path[0], &mail, &err), err);
    ck_assert_msg(str_starts(mail.envelope_to, name), "%s", mail.envelope_to);
    ck_ok(message_parse(slice_str(&mail.mail), &message_limits_default, &(struct message_identity){0}, &msg,
                        &err),
          err);
    for (size_t i = 0; i < msg.part_count; i++)
        if (*msg.parts[i].name)
            bytes += msg.parts[i].exact.len;
    if (!bytes && !house_says(msg.parts[0].shown.p, words))
        ck_abort_msg("not \"%s\" but:\n%s", words, msg.parts[0].shown.p);
    message_release(&msg);
    outgoing_release(&mail);
    spool_list_free(&list);
    house_empty_spool(&house);
    return bytes;
}

#define ENOUGH "as much as can be sent on one day (2 MB"

START_TEST(so_much_a_day)
{
    size_t size, pieces, times = 1;
    ask("anna", "journal", "gc-1");
    size = handed("anna", "");
    pieces = size / PIECE + 1;
    ck_assert_uint_gt(size, 1000);
    for (; times <= MOST; times++) {
        ask("anna", "journal", "gc-1");
        if (!handed("anna", ENOUGH))
            break;
    }
    ck_assert_uint_eq(times, MOST / pieces);
    house_restart(&house);
    ask("anna", "journal", "gc-1");
    ck_assert_uint_eq(handed("anna", ENOUGH), 0);
    ask("anna", "publish", "gc-1");
    ck_assert_uint_eq(handed("anna", ENOUGH), 0);
    ask("bob", "journal", "gc-1");
    ck_assert_uint_eq(handed("bob", ""), size);
    house.now += DAY;
    house.batch.now = house.now;
    ask("anna", "journal", "gc-1");
    ck_assert_uint_eq(handed("anna", ""), size);
}
END_TEST

START_TEST(not_while_it_is_played)
{
    ask("anna", "journal", "gc-2");
    ck_assert_uint_eq(handed("anna", "still being played"), 0);
    ask("anna", "publish", "gc-2");
    ck_assert_uint_eq(handed("anna", "still being played"), 0);
}
END_TEST

static void cases(TCase *tc)
{
    tcase_add_checked_fixture(tc, begin, end);
    tcase_add_test(tc, so_much_a_day);
    tcase_add_test(tc, not_while_it_is_played);
}
TEST_MAIN("petitions/handout", cases)
