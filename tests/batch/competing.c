/* Competitions of a league: drawn, made, played and closed by rounds of work; and whatever goes wrong stops one of them
 * alone, and no game. */
#include "house/cup.h"

START_TEST(a_competition_runs_by_itself)
{
    new_of("cup", "galaxy-command", 1);
    live(cup()->rounds[0].draw - 1);
    ck_assert_int_eq(cup()->round, 0);
    house_told(&house, NULL, 0, NULL);
    live(cup()->rounds[0].draw);
    ck_assert_int_eq(cup()->round, 1);
    ck_assert_int_eq(cup()->rounds[0].made, 2);
    ck_assert_int_eq(house_mails_with(&house, "PAIRING"), 4);
    play_game("cup.1.1");
    house_work(&house, house.now + 60);
    ck_assert_int_eq(cup()->rounds[0].done, 1);
    play_game("cup.1.2");
    house_work(&house, house.now + 60);
    ck_assert_int_eq(cup()->rounds[0].done, 2);
    house_empty_spool(&house);
    live(cup()->rounds[0].end + cup()->terms.protest - 1);
    ck_assert(!cup()->closed);
    house_told(&house, NULL, 0, NULL);
    live(cup()->rounds[0].end + cup()->terms.protest);
    ck_assert(cup()->closed);
    ck_assert_int_eq(house_mails_with(&house, "OVER"), 4);
    same_on_disk("cup");
}
END_TEST

/* Too few have entered: it ends at its first draw, and nothing is drawn. */
START_TEST(nobody_comes)
{
    house_compete(&house, "cup", "galactic-contract", 3, (struct new_competition){.seats = 2});
    house_entry(&house, "cup", "enter", "anna");
    live(cup()->rounds[0].draw);
    ck_assert(cup()->closed);
    ck_assert_int_eq(cup()->round, 0);
    ck_assert_int_eq(house_mails_with(&house, "OVER anna"), 1);
}
END_TEST

/* ---- something is in the way ---- */

/* A round that is drawn by itself, without its games. */
static void only_draw(const char *name)
{
    struct err err = ERR_INIT;
    struct compete_step step;
    struct batch_competition *entry;
    house.now = house.batch.now = house_competition(&house, name)->rounds[0].draw;
    ck_ok(competing_find(&house.batch, name, &entry, &err), err);
    competing_step(&house.batch, &step);
    ck_ok(compete_round(&step, &entry->c, &err), err);
    competing_take(entry, &step);
    compete_step_release(&step);
    ck_ok(batch_commit(&house.batch, &err), err);
    batch_reset(&house.batch, true);
}

static void ban(const char *name, bool yes)
{
    struct err err = ERR_INIT;
    struct player player = *registry_find(&house.batch.registry, name);
    player.banned = yes ? house.now : 0;
    struct registry_change change = {.what = yes ? "ban" : "unban", .player = &player};
    ck_ok(batch_change(&house.batch, &change, &err), err);
    ck_ok(batch_commit(&house.batch, &err), err);
    batch_reset(&house.batch, true);
}

/* Stands still; everything else goes on: another competition, and a game. */
static void others_go_on(const char *fallen)
{
    struct err err = ERR_INIT;
    struct batch_competition *entry;
    ck_assert_int_ne(competing_find(&house.batch, fallen, &entry, &err), 0);
    ck_assert_int_eq(err.code, ERR_BROKEN);
    ck_assert_uint_ge(house.batch.broken, 1);
    ck_assert_int_eq(house_competition(&house, "other")->rounds[0].made, 2);
    ck_assert_int_gt(house_find(&house, "gc-9")->turn, 1);
    house.batch.broken = 0;
}

/* Beside "cup": another competition with the same calendar, and a game whose turns come by themselves. */
static void begin_others(void)
{
    struct schedule clock;
    schedule_init(&clock);
    clock.length = DAY_SECONDS;
    house.clock = &clock;
    new_one("other", 1);
    house_game(&house, "gc-9", "galaxy-command", 0, 2, people);
    house.clock = NULL;
}

/* The game of that name is somebody else's: nothing is overwritten. When it is gone the rest is made, once. */
START_TEST(a_game_is_in_the_way)
{
    unsigned char head[HEAD_BYTES], round[HEAD_BYTES];
    new_one("cup", 1);
    begin_others();
    house_game(&house, "cup.1.2", "galaxy-command", DAY_SECONDS, 2, people);
    memcpy(head, house_find(&house, "cup.1.2")->journal.create_head, sizeof head);
    live(cup()->rounds[0].draw + DAY_SECONDS);
    others_go_on("cup");
    ck_assert_mem_eq(house_find(&house, "cup.1.2")->journal.create_head, head, sizeof head);
    house_end(&house);
    house_remove(&house, "games/cup.1.2");
    house_remove(&house, "registry/games/cup.1.2.json"); /* it is not missed */
    house_remove_catalog(&house);
    house_begin(&house);
    ck_assert_int_eq(cup()->round, 1);
    ck_assert_int_eq(cup()->rounds[0].made, 0);
    memcpy(round, cup()->head, sizeof round);
    memcpy(head, house_find(&house, "cup.1.1")->journal.create_head, sizeof head);
    house_work(&house, house.now + 60);
    ck_assert_int_eq(cup()->rounds[0].made, 2);
    ck_assert_mem_eq(cup()->rounds[0].head, round, sizeof round);
    ck_assert_mem_eq(cup()->tables[0].create, head, sizeof head);
    ck_assert_uint_eq(house.batch.broken, 0);
}
END_TEST

/* Whoever is gone a day before a draw is not in it; who goes later has a robot: before it, or between the draw and the
 * games. */
START_TEST(players_are_gone)
{
    new_one("cup", 1);
    if (_i == 0) {
        ban("bob", true);
        house_work(&house, cup()->rounds[0].draw - DAY_SECONDS - 60);
        ck_assert(!competition_entrant(cup(), "bob")->in);
        live(cup()->rounds[0].draw);
        ck_assert(!competition_entrant(cup(), "bob")->in);
        ck_assert_uint_eq(cup()->rounds[0].count, 1);
        ck_assert_uint_eq(cup()->rounds[0].bye_count, 1);
        return;
    }
    if (_i == 1 || _i == 3) {
        house_work(&house, cup()->rounds[0].draw - DAY_SECONDS);
        ban("bob", true);
        for (size_t i = 0; _i == 3 && i < cup()->entrant_count; i++) /* robots play alone */
            ban(cup()->entrants[i].name, true);
        live(cup()->rounds[0].draw);
        ck_assert(!competition_entrant(cup(), "bob")->in);
    } else {
        only_draw("cup");
        ban("bob", true);
        house_work(&house, house.now + 60);
    }
    ck_assert_int_eq(cup()->rounds[0].made, 2);
    const struct compete_table *table = competition_table_of(cup(), 1, "bob");
    char id[GAME_NAME];
    compete_game_name(id, cup(), 1, table->number);
    const struct game_seat *seat = &house_find(&house, id)->seat[compete_seat_of(table, "bob")];
    ck_assert_str_eq(seat->player, "bob");
    ck_assert(seat->robot);
    same_on_disk("cup");
}
END_TEST

/* A game that cannot be written: none of them is made with this commit, nothing of it stays, and nobody is told. When
 * the way is free all of them are there, once. */
START_TEST(a_game_cannot_be_written)
{
    struct err err = ERR_INIT;
    struct file_names left;
    unsigned char head[HEAD_BYTES];
    new_one("cup", 1);
    begin_others();
    char *path = house_path(&house, "games/cup.1.2"), *tmp = path_join(house.batch.spool, "tmp");
    ck_ok(file_write_soft(path, slice_of("what is this?\n"), 0644, &err), err);
    live(cup()->rounds[0].draw);
    others_go_on("cup");
    ck_ok(file_list(tmp, &left, &err), err);
    ck_assert_uint_eq(left.count, 0);
    file_names_free(&left);
    free(tmp);
    ck_assert_int_eq(house_mails_with(&house, "PAIRING"), 8);
    house_end(&house);
    scratch_remove(path);
    free(path);
    house_begin(&house);
    ck_assert(!store_has(house.batch.store, "cup.1.1"));
    ck_assert_int_eq(cup()->round, 1);
    memcpy(head, cup()->head, sizeof head);
    house_work(&house, house.now + 60);
    ck_assert_int_eq(cup()->rounds[0].made, 2);
    ck_assert_mem_eq(cup()->rounds[0].head, head, sizeof head);
    ck_assert_int_eq(house_mails_with(&house, "PAIRING"), 8);
    ck_assert_uint_eq(house.batch.broken, 0);
}
END_TEST

/* A journal that cannot be read: its competition stands still, also after a start. */
START_TEST(a_journal_is_damaged)
{
    struct err err = ERR_INIT;
    struct str lines = STR_INIT;
    new_one("cup", 1);
    begin_others();
    house_end(&house);
    char *path = house_path(&house, "competitions/cup/journal.jsonl");
    ck_ok(file_read(path, 1 << 20, &lines, &err), err);
    lines.p[lines.len / 2] ^= 1;
    ck_ok(file_write_soft(path, slice_str(&lines), 0644, &err), err);
    house_begin(&house);
    live(house_competition(&house, "other")->rounds[0].draw + 2 * DAY_SECONDS);
    others_go_on("cup");
    house_restart(&house);
    house_work(&house, house.now + 60);
    others_go_on("cup");
    lines.p[lines.len / 2] ^= 1;
    house_end(&house);
    ck_ok(file_write_soft(path, slice_str(&lines), 0644, &err), err);
    house_begin(&house);
    house_work(&house, house.now + 60);
    ck_assert_int_eq(cup()->rounds[0].made, 2);
    str_release(&lines);
    free(path);
}
END_TEST

/* Half a line at the end, as a crash leaves it, is cut. */
/* After a crash the league's log says nothing of what cannot be read, or is not there, until it is. */
START_TEST(a_damaged_journal_loses_nothing_in_the_log)
{
    static const char *const damages[] = {"printf 123 >", "printf '123\\n' >", "rm -r"};
    struct str before = STR_INIT, after = STR_INIT;
    struct err err = ERR_INIT;
    draw_first();
    char *log = house_path(&house, "log/entries");
    house_restart(&house); /* what was made is entered in the registry */
    ck_ok(file_read(log, 1 << 20, &before, &err), err);
    house_end(&house);
    house_remove_catalog(&house);
    house_copy(&house, "competitions", "whole");
    house_shell(&house, "%s competitions/cup%s", damages[_i], _i == 2 ? "" : "/journal.jsonl");
    house_begin(&house);
    house_end(&house);
    house_shell(&house, "rm -r competitions && mv whole competitions");
    house_begin(&house);
    ck_ok(file_read(log, 1 << 20, &after, &err), err);
    ck_assert_ptr_null(strstr(after.p, "\nlost "));
    ck_assert(str_starts(after.p, before.p));
    free(log);
    str_release(&before);
    str_release(&after);
}
END_TEST

START_TEST(half_a_line_is_cut)
{
    struct err err = ERR_INIT;
    struct str lines = STR_INIT;
    unsigned char head[HEAD_BYTES];
    draw_first();
    memcpy(head, cup()->head, sizeof head);
    house_end(&house);
    char *path = house_path(&house, "competitions/cup/journal.jsonl");
    ck_ok(file_read(path, 1 << 20, &lines, &err), err);
    str_adds(&lines, "{\"game\":\"cup\",\"seq\":9");
    ck_ok(file_write_soft(path, slice_str(&lines), 0644, &err), err);
    house_begin(&house);
    ck_assert_mem_eq(cup()->head, head, sizeof head);
    live(cup()->rounds[0].end);
    ck_assert_int_eq(cup()->rounds[0].done, 2);
    same_on_disk("cup");
    str_release(&lines);
    free(path);
}
END_TEST

/* Changes one byte of a file after the first such words, while nobody works with it. */
static void damage(const char *file, const char *after)
{
    struct err err = ERR_INIT;
    struct str bytes = STR_INIT;
    house_end(&house);
    char *path = house_path(&house, file);
    ck_ok(file_read(path, 1 << 20, &bytes, &err), err);
    char *at = strstr(bytes.p, after);
    ck_assert_ptr_nonnull(at);
    at[strlen(after)] ^= 1;
    ck_ok(file_write_soft(path, slice_str(&bytes), 0644, &err), err);
    house_begin(&house);
    str_release(&bytes);
    free(path);
}

/* How much of its journal did not have to be proved again? -1: it cannot be read. */
static int64_t proved_before(const char *name)
{
    struct err err = ERR_INIT;
    struct batch_competition *entry;
    return competing_find(&house.batch, name, &entry, &err) ? -1 : entry->proved;
}

/* The mark of a journal that was proved: with it nothing is proved again, with another one all, and it hides no change. */
START_TEST(what_was_proved)
{
    new_one("cup", 2);
    live(cup()->rounds[1].end + cup()->terms.protest + DAY_SECONDS);
    ck_assert(cup()->closed);
    same_on_disk("cup");
    int64_t length = proved_before("cup");
    ck_assert_int_gt(length, 4000);
    damage("competitions/cup/state.json", "\"mark\":\"");
    ck_assert_int_eq(proved_before("cup"), 0);
    damage("competitions/cup/state.json", "\"mark\":\"");
    ck_assert_int_eq(proved_before("cup"), length);
    damage("competitions/cup/journal.jsonl", "\"prev\":\"");
    ck_assert_int_eq(proved_before("cup"), -1);
    damage("competitions/cup/journal.jsonl", "\"prev\":\"");
    ck_assert_int_eq(proved_before("cup"), length);
}
END_TEST

/* ---- outages, and a clock that is wrong ---- */

/* A mailbox that cannot be read, or a clock that may be wrong: nothing is drawn, and nothing ends. */
START_TEST(deaf)
{
    struct err err = ERR_INIT;
    struct work_sum sum = {0};
    new_one("cup", 1);
    house.now = cup()->rounds[0].draw;
    ck_ok(batch_round(&house.batch, house.now, &err), err);
    house.batch.outside.deaf = true;
    ck_ok(work_clock(&house.batch, &sum, &err), err);
    ck_assert_int_eq(cup()->round, 0);
    house_work(&house, house.now + 60);
    ck_assert_int_eq(cup()->round, 1);
}
END_TEST

/* The service stood still over draws, rounds and ends: everything comes in its order, once. */
START_TEST(a_long_outage)
{
    new_one("cup", 2);
    house_work(&house, house.now);
    house_restart(&house);
    house_work(&house, cup()->rounds[1].end + 10 * HOUSE_WEEK);
    ck_assert_int_eq(cup()->round, 0);
    house_work(&house, house.now + DAY_SECONDS - 60);
    ck_assert_int_eq(cup()->round, 0);
    house_work(&house, house.now + 60);
    ck_assert_int_eq(cup()->rounds[0].made, 2);
    same_on_disk("cup");
    live(house.now + 10 * HOUSE_WEEK);
    ck_assert(cup()->closed);
    ck_assert_int_eq(cup()->round, 2);
}
END_TEST

/* A game has ended, and the clock of the host is months ahead for some hours; and is put right: nothing was drawn, adjudged or
 * closed by it, and no record bears its time, which all later ones would have to. */
START_TEST(a_clock_that_jumps)
{
    new_patient(2, ADJUDGE_TIE);
    live(cup()->rounds[0].draw);
    const int64_t then = house.now;
    house_rules(&house, "cup.1.1", "do: void\nreason: Two tables were mixed up.\n");
    for (int hours = 0; hours < 20; hours++)
        house_work(&house, cup()->rounds[1].end + 10 * HOUSE_WEEK + hours * 3600);
    ck_assert_int_eq(cup()->round, 1);
    ck_assert_int_eq(cup()->rounds[0].done, 0);
    house.now = then;
    live(cup()->rounds[0].end - 1);
    ck_assert_int_eq(cup()->rounds[0].done, 1);
    live(cup()->rounds[1].end + cup()->terms.protest);
    ck_assert_int_eq(cup()->round, 2);
    ck_assert(cup()->closed);
    ck_assert_int_lt(cup()->time, cup()->rounds[1].end + cup()->terms.protest + 60);
}
END_TEST

/* ---- the batch ---- */

/* What is rolled back has not happened: an entry, and a competition that was new. */
START_TEST(rolled_back)
{
    struct err err = ERR_INIT;
    struct compete_step step;
    struct batch_competition *entry;
    unsigned char head[HEAD_BYTES];
    new_one("cup", 1);
    memcpy(head, cup()->head, sizeof head);
    ck_ok(batch_begin(&house.batch, &err), err);
    ck_ok(competing_find(&house.batch, "cup", &entry, &err), err);
    competing_step(&house.batch, &step);
    json_t *evidence = json_pack("{s:s}", "by", "operator");
    ck_ok(compete_entry(&step, &entry->c, "withdraw", "anna", evidence, &err), err);
    json_decref(evidence);
    competing_take(entry, &step);
    compete_step_release(&step);
    ck_assert(competing_records(&house.batch));
    ck_ok(batch_rewind(&house.batch, &err), err);
    ck_assert(!competing_records(&house.batch));
    ck_assert_mem_eq(cup()->head, head, sizeof head);
    ck_assert(competition_entrant(cup(), "anna")->in);
    same_on_disk("cup");
}
END_TEST

/* What was committed stays loaded, what was not is forgotten. */
START_TEST(forgotten)
{
    struct err err = ERR_INIT;
    new_one("cup", 1);
    new_one("other", 1);
    ck_ok(competing_all(&house.batch, &err), err);
    ck_assert_uint_eq(house.batch.competitions.count, 2);
    batch_reset(&house.batch, true);
    ck_assert_uint_eq(house.batch.competitions.count, 2);
    batch_reset(&house.batch, false);
    ck_assert_uint_eq(house.batch.competitions.count, 0);
    ck_assert(competing_has(&house.batch, "cup"));
    ck_assert(!competing_has(&house.batch, "cap"));
    ck_assert(!competing_has(&house.batch, "../cup"));
    ck_ok(competing_all(&house.batch, &err), err);
    ck_assert_uint_eq(house.batch.competitions.count, 2);
    ck_assert_int_eq(competing_committed(&house.batch, "cup", cup()->seq), SPOOL_COMMITTED);
    ck_assert_int_eq(competing_committed(&house.batch, "cup", cup()->seq + 1), SPOOL_MISSING);
    ck_assert_int_eq(competing_committed(&house.batch, "cap", 1), SPOOL_MISSING);
}
END_TEST

/* A league of before has no folder of competitions. */
START_TEST(an_old_league)
{
    house_end(&house);
    house_remove(&house, "competitions");
    house_begin(&house);
    house_work(&house, house.now + 60);
    new_one("cup", 1);
    live(cup()->rounds[0].draw);
    ck_assert_int_eq(cup()->rounds[0].made, 2);
}
END_TEST

/* Reading one means to prove it: a turn that is played beside it does not make everybody wait for that again. */
START_TEST(stays_in_memory)
{
    new_of("cup", "galaxy-command", 1);
    live(cup()->rounds[0].draw);
    play_game("cup.1.1");
    const struct competition *before = cup();
    house_work(&house, house.now + 60);
    ck_assert_int_eq(cup()->rounds[0].done, 1);
    house_work(&house, house.now + DAY_SECONDS);
    ck_assert_uint_eq(house.batch.games.count, 0);
    ck_assert_uint_eq(house.batch.competitions.count, 1);
    ck_assert_ptr_eq(cup(), before);
}
END_TEST

/* ---- a backup that is older than the rest ---- */

static void keep(const char *what, const char *to)
{
    char *from = house_path(&house, what), *there = house_path(&house, to);
    scratch_remove(there);
    scratch_copy(from, there);
    free(from);
    free(there);
}

/* The journal of the competition, or its games, as they were some time ago: nothing is drawn, mailed or adjudged, and all
 * else goes on. */
START_TEST(a_backup_in_the_middle_of_a_season)
{
    static const struct {
        const char *old, *words;
        bool before_draw;
    } cases[] = {
        {"competitions/cup", "is older than its games", true},
        {"games/cup.1.1", "is not over", false},
        {"games/cup.1.1", "is not there", true},
    };
    const char *old = cases[_i].old;
    new_of("cup", "galaxy-command", 2);
    live(cup()->rounds[0].draw - 1);
    if (cases[_i].before_draw && _i == 0)
        keep(old, "kept");
    live(cup()->rounds[0].draw);
    if (!cases[_i].before_draw)
        keep(old, "kept");
    if (_i == 1) {
        play_game("cup.1.1");
        live(house.now + 60);
        ck_assert_int_eq(cup()->tables[0].fate, TABLE_DONE);
    }
    house_empty_spool(&house);
    if (_i == 2) {
        char *path = house_path(&house, old);
        scratch_remove(path);
        free(path);
    } else {
        keep("kept", old);
    }
    char *catalog = house_path(&house, "catalog.sqlite");
    scratch_remove(catalog);
    free(catalog);
    house_restart(&house);
    struct store *games = house.batch.store;
    struct err err = ERR_INIT;
    ck_assert_int_eq(competing_compare(&(struct competing_files){games, house.batch.catalog}, cup(), &err),
                     -1);
    ck_assert_msg(strstr(err.text, cases[_i].words) != NULL, "%s", err.text);
    size_t broken = house.batch.broken;
    house_work(&house, house.now + 60);
    ck_assert_uint_gt(house.batch.broken, broken);
    ck_assert_int_eq(house_mails_with(&house, "Subject: cup"), 0);
    house.unproved = true;
}
END_TEST

static void cases(TCase *tc)
{
    tcase_add_checked_fixture(tc, begin, end);
    tcase_add_test(tc, a_competition_runs_by_itself);
    tcase_add_test(tc, a_game_is_in_the_way);
    tcase_add_loop_test(tc, players_are_gone, 0, 4);
    tcase_add_test(tc, a_game_cannot_be_written);
    tcase_add_test(tc, a_journal_is_damaged);
    tcase_add_test(tc, half_a_line_is_cut);
    tcase_add_test(tc, what_was_proved);
    tcase_add_test(tc, rolled_back);
    tcase_add_test(tc, forgotten);
    tcase_add_test(tc, an_old_league);
    tcase_add_loop_test(tc, a_backup_in_the_middle_of_a_season, 0, 3);
    tcase_add_test(tc, stays_in_memory);
    tcase_add_loop_test(tc, a_damaged_journal_loses_nothing_in_the_log, 0, 3);
    tcase_add_test(tc, nobody_comes);
    tcase_add_test(tc, deaf);
    tcase_add_test(tc, a_long_outage);
    tcase_add_test(tc, a_clock_that_jumps);
}
TEST_MAIN("batch/competing", cases)
