/* The league's log says what the journals hold, whatever a crash has left of either. */
#include "batch/log_mend.h"

#include "game/entry.h"
#include "house/house.h"
#include "house/proved.h"
#include "league/program.h"

static struct house house;
static const char *const table[] = {"anna", "bob"};

static void begin(void)
{
    house_open(&house);
    for (int i = 0; i < 2; i++)
        house_player(&house, table[i]);
    house_game(&house, "gc-1", "galaxy-command", 86400, 2, table);
    (void)house_signed(&house, "anna", "anna", "#turnpost orders\ngame: gc-1\nturn: 1\nexplore near\n#end\n");
    house_clock(&house, house.now + 86401);
    house_clock(&house, house.now + 86401);
    house_restart(&house); /* what was made is entered in the registry */
}

static void end(void)
{
    house_close(&house);
}

static void read_file(const char *name, struct str *out)
{
    struct err err = ERR_INIT;
    char *path = house_path(&house, name);
    ck_ok(file_read(path, 1 << 20, out, &err), err);
    free(path);
}

static void read_log(struct str *out)
{
    read_file("log/entries", out);
}

static void write_log(struct slice text)
{
    struct err err = ERR_INIT;
    char *path = house_path(&house, "log/entries");
    ck_ok(file_write_soft(path, text, 0644, &err), err);
    free(path);
}

/* As a run that ended in the middle of a commit leaves it. */
static void crash(void)
{
    house_end(&house);
    house_remove_catalog(&house);
}

/* Each record of the game has its entry, in order, and each proves itself. */
static void holds_as(const char *name, const char *logged)
{
    struct str entries = STR_INIT, lines = STR_INIT;
    struct slice rest, line, record;
    struct err err = ERR_INIT;
    int64_t seq = 0, time = 0;
    read_log(&entries);
    ck_ok(store_read(house.batch.store, name, STORE_BEGIN, &lines, &err), err);
    struct slice records = slice_str(&lines);
    for (rest = slice_str(&entries); slice_line(&rest, &line);) {
        struct log_entry entry;
        unsigned char head[HEAD_BYTES];
        struct str armor = STR_INIT;
        ck_ok(log_entry_parse(line, &entry, &err), err);
        ck_assert_int_ge(entry.time, time);
        time = entry.time;
        if (strcmp(entry.name, logged) != 0)
            continue;
        ck_assert_int_eq(entry.seq, ++seq);
        ck_assert(slice_whole_line(&records, &record));
        record_head(head, record);
        ck_assert_mem_eq(head, entry.head, HEAD_BYTES);
        struct proof_place place = {.seq = seq, .time = entry.time};
        (void)snprintf(place.name, sizeof place.name, "%s", logged);
        ck_ok(league_log_prove(house.batch.tlog, &place, &armor, &err), err);
        ck_assert_int_eq(proofs_in(&house, slice_str(&armor)), 1);
        str_release(&armor);
    }
    ck_assert_uint_eq(records.len, 0);
    ck_assert_int_gt(seq, 4);
    str_release(&entries);
    str_release(&lines);
}

static void holds(const char *name)
{
    holds_as(name, name);
}

START_TEST(every_record_has_its_entry)
{
    holds("gc-1");
    house_restart(&house);
    holds("gc-1");
}
END_TEST

/* Journals were durable, and the entries after the last checkpoint were not: it is older as well, then. */
START_TEST(entries_that_are_lacking_come_again)
{
    struct str before = STR_INIT, after = STR_INIT;
    read_log(&before);
    crash();
    for (size_t cut = 0, left = before.len; left > before.len / 2; cut++) {
        left -= 97; /* in the middle of a line, most times */
        write_log(slice_sub(slice_str(&before), 0, left));
        house_remove(&house, "log/checkpoint");
        house_begin(&house);
        holds("gc-1");
        str_clear(&after);
        read_log(&after);
        ck_assert_uint_eq(after.len, before.len);
        crash();
    }
    house_begin(&house);
    str_release(&before);
    str_release(&after);
}
END_TEST

/* Entries were durable, and their records were not. */
START_TEST(entries_without_a_record_are_cut)
{
    struct str before = STR_INIT, more = STR_INIT, after = STR_INIT;
    read_log(&before);
    crash();
    str_addslice(&more, slice_str(&before));
    str_addf(&more, "head gc-1 99 2027-01-01T00:00:00Z %064d\nhead gc-9 1 2027-01-01T00:00:00Z %064d\n", 1,
             2);
    write_log(slice_str(&more));
    house_begin(&house);
    holds("gc-1");
    read_log(&after);
    ck_assert_str_eq(after.p, before.p);
    str_release(&before);
    str_release(&more);
    str_release(&after);
}
END_TEST

/* What stands under a checkpoint was told: it is not cut. */
START_TEST(an_older_journal_is_said_to_have_lost_records)
{
    struct str after = STR_INIT;
    house_copy(&house, "games/gc-1", "older");
    house_clock(&house, house.now + 86401);
    crash();
    house_remove(&house, "games/gc-1");
    house_copy(&house, "older", "games/gc-1");
    house_remove(&house, "older");
    house_begin(&house);
    const int64_t seq = house_find(&house, "gc-1")->seq; /* it says so, too */
    char want[40];
    (void)snprintf(want, sizeof want, "\nlost gc-1 %lld ", (long long)seq);
    read_log(&after);
    ck_assert_ptr_nonnull(strstr(after.p, want));
    crash(); /* it is said once */
    house_begin(&house);
    str_clear(&after);
    read_log(&after);
    ck_assert_ptr_null(strstr(strstr(after.p, want) + 1, want));
    house_clock(&house, house.now + 86401);
    struct str told = STR_INIT;
    read_log(&told);
    crash(); /* and its checkpoint did not last */
    house_remove(&house, "log/checkpoint");
    house_begin(&house);
    str_clear(&after);
    read_log(&after);
    ck_assert_str_eq(after.p, told.p);
    str_release(&told);
    str_release(&after);
}
END_TEST

/* An older copy of its journal, put there by hand, while the catalog still knows the newer end: it is said before anything is added. */
START_TEST(an_older_journal_beside_a_catalog_that_is_not_older)
{
    struct str after = STR_INIT;
    const int64_t seq = house_find(&house, "gc-1")->seq + 1;
    house_copy(&house, "games/gc-1", "older");
    house_clock(&house, house.now + 86401);
    house_end(&house);
    house_remove(&house, "games/gc-1");
    house_copy(&house, "older", "games/gc-1");
    house_remove(&house, "older");
    house_begin(&house);
    house_clock(&house, house.now + 86401);
    char lost[40], again[40];
    (void)snprintf(lost, sizeof lost, "\nlost gc-1 %lld ", (long long)seq);
    (void)snprintf(again, sizeof again, " gc-1 %lld ", (long long)seq);
    read_log(&after);
    const char *at = strstr(after.p, lost);
    ck_assert_ptr_nonnull(at);
    ck_assert_ptr_nonnull(strstr(at + strlen(lost), again)); /* the number comes again, after it */
    ck_assert_ptr_null(strstr(at + 1, lost));
    str_release(&after);
}
END_TEST

/* Cuts the journal of gc-1 after the first record with these words. */
static void cut_after(const char *words)
{
    struct err err = ERR_INIT;
    struct str lines = STR_INIT;
    char *path = house_path(&house, "games/gc-1/journal.jsonl");
    read_file("games/gc-1/journal.jsonl", &lines);
    const char *at = strstr(lines.p, words);
    ck_assert_ptr_nonnull(at);
    const size_t len = (size_t)(strchr(at, '\n') + 1 - lines.p);
    ck_ok(file_write_soft(path, slice_sub(slice_str(&lines), 0, len), 0644, &err), err);
    free(path);
    str_release(&lines);
}

static void draw_of(const char *type, int turn, char pi[2 * VRF_PROOF + 1])
{
    struct str lines = STR_INIT;
    read_file("games/gc-1/journal.jsonl", &lines);
    for (struct slice rest = slice_str(&lines), line; slice_whole_line(&rest, &line);) {
        struct record record;
        struct err err = ERR_INIT;
        ck_ok(record_parse(line, &record, &err), err);
        const char *proof = json_string_value(json_object_get(record.json, "pi"));
        if (strcmp(record.type, type) == 0 && proof &&
            json_integer_value(json_object_get(record.json, "turn")) == turn)
            (void)snprintf(pi, 2 * VRF_PROOF + 1, "%s", proof);
        record_release(&record);
    }
    str_release(&lines);
}

/* A journal that ends right before a draw, for which nothing more is to be done, says first what is lost: the dice that
 * somebody has seen do not come again. */
static const struct {
    const char *type, *after;
    int turn;
} before_draws[] = {{"turn", "\"do\":\"resolve\"", 3}, {"start", "\"seq\":3,", 0}};

START_TEST(what_is_lost_is_said_before_a_draw)
{
    char seen[2 * VRF_PROOF + 1] = "", again[2 * VRF_PROOF + 1] = "";
    struct str lines = STR_INIT;
    (void)house_signed(&house, "anna", "anna", "#turnpost orders\ngame: gc-1\nturn: 3\nexplore near\n#end\n");
    house_rules(&house, "gc-1", "do: resolve\nreason: Bob agrees.\n");
    draw_of(before_draws[_i].type, before_draws[_i].turn, seen);
    ck_assert(*seen);
    crash();
    cut_after(before_draws[_i].after);
    house_begin(&house);
    ck_assert_int_eq(house_find(&house, "gc-1")->draws.rollbacks, 1);
    for (int i = 0; i < 4; i++)
        house_clock(&house, house.now + 86401);
    draw_of(before_draws[_i].type, before_draws[_i].turn, again);
    ck_assert(*again);
    ck_assert_str_ne(seen, again);
    read_file("games/gc-1/journal.jsonl", &lines);
    struct audit_result result;
    audited_bytes(slice_str(&lines), house.league.master, &result);
    ck_assert_msg(result.verdict != AUDIT_REFUTED, "%s", result.first.text);
    str_release(&lines);
}
END_TEST

static void private_game(void)
{
    house_game_of(&house,
                  (struct new_game){.id = "gc-2",
                                    .ruleset = ruleset_newest("galaxy-command"),
                                    .seats = 2,
                                    .turn_length = 86400,
                                    .missed_robot = 3,
                                    .private = true},
                  table);
    house_clock(&house, house.now + 86401);
    house_restart(&house);
}

/* How a journal cannot be read: something in it is not as it was signed, in its first line, or later; it is not there. */
static const char *const damages[] = {"sed -i 1s/ruleset/rulebook/",
                                      "sed -i '1s/.time.:\"2/&1/'",
                                      "sed -i 3s/time/tame/",
                                      "rm",
                                      "printf 'zz\\n' >",
                                      "printf zzz >"};

/* After a crash that has taken entries, a journal cannot be read. The log says nothing of it, neither that records are lost nor new
 * ones, until it can be; then it has all of them, in their order. */
START_TEST(of_a_journal_that_cannot_be_read_nothing_is_said_until_it_can)
{
    struct str before = STR_INIT, damaged = STR_INIT, after = STR_INIT;
    const bool private = _i % 2, daemon = _i / 2 % 2;
    const char *name = private ? "gc-2" : "gc-1";
    private_game();
    char hidden[GAME_NAME];
    game_log_name(hidden, house_find(&house, name));
    read_log(&before);
    crash();
    house_copy(&house, "games", "whole");
    size_t left = before.len - before.len / 8;
    write_log(slice_sub(slice_str(&before), 0, left));
    while (before.p[left - 1] != '\n')
        left--;
    house_remove(&house, "log/checkpoint");
    house_shell(&house, "%s games/%s/journal.jsonl && rm -f games/%s/state.json", damages[_i / 4], name,
                name);
    house_begin(&house);
    read_log(&damaged);
    ck_assert_ptr_null(strstr(damaged.p, "\nlost "));
    ck_assert_mem_eq(damaged.p, before.p, left); /* proofs of these were mailed */
    house_clock(&house, house.now + 3600);
    house_remove(&house, "games");
    house_copy(&house, "whole", "games");
    house_remove(&house, "whole");
    if (!daemon)
        house_restart(&house);
    (void)house_find(&house, name); /* as a mail does; the clock does not know it before the next start */
    house_clock(&house, house.now + 86401);
    house_clock(&house, house.now + 86401);
    read_log(&after);
    ck_assert_ptr_null(strstr(after.p, "\nlost "));
    holds_as(name, hidden);
    str_release(&before);
    str_release(&damaged);
    str_release(&after);
}
END_TEST

/* Who can write to the disk, and has no key, changes what is there: the last record, so that no other one contradicts it, or one before
 * it, and all after that are chained anew; with the cache, or the catalog, taken away. The log has other heads, so the game stands still,
 * and the log says nothing more of it. */
static const char *const gone[] = {"games/gc-1/state.json", "games/gc-1/state.json catalog.sqlite"};

static void chain_anew(struct slice journal, struct str *out)
{
    unsigned char head[HEAD_BYTES] = {0};
    struct slice line;
    int64_t seq = 0;
    while (slice_whole_line(&journal, &line)) {
        static const char *const own[] = {"game", "seq", "prev", "type", "time"};
        struct err err = ERR_INIT;
        struct record record;
        ck_ok(record_parse(line, &record, &err), err);
        json_t *fields = json_deep_copy(record.json);
        for (size_t i = 0; i < sizeof own / sizeof *own; i++)
            json_object_del(fields, own[i]);
        record_write(out, &(struct record_text){{"gc-1", ++seq, head}, record.type, record.time, fields},
                     head);
        json_decref(fields);
        record_release(&record);
    }
}

START_TEST(a_journal_that_was_changed_stands_still)
{
    struct str before = STR_INIT, after = STR_INIT, journal = STR_INIT, other = STR_INIT;
    struct batch_game *entry;
    struct err err = ERR_INIT;
    house_rules(&house, "gc-1", "do: pause\nreason: One.\n");
    if (_i % 2)
        house_rules(&house, "gc-1", "do: resume\nreason: Six.\n");
    house_end(&house);
    read_log(&before);
    house_shell(&house, "sed -i 's/One[.]/Two./' games/gc-1/journal.jsonl && rm -f %s", gone[_i / 2]);
    read_file("games/gc-1/journal.jsonl", &journal);
    chain_anew(slice_str(&journal), &other);
    char *path = house_path(&house, "games/gc-1/journal.jsonl");
    ck_ok(file_write(path, slice_str(&other), 0600, &err), err);
    house_begin(&house);
    house_clock(&house, house.now + 86401);
    err_clear(&err);
    ck_assert_int_eq(batch_game(&house.batch, "gc-1", &entry, &err), -1);
    ck_assert_msg(strstr(err.text, "its journal was changed"), "%s", err.text);
    read_log(&after);
    house.unproved = true;
    ck_assert(str_starts(after.p, before.p));
    ck_assert_ptr_null(strstr(after.p + before.len, " gc-1 "));
    free(path);
    str_release(&before);
    str_release(&after);
    str_release(&journal);
    str_release(&other);
}
END_TEST

/* The entry by which the game's last record is proved is of that record. */
static void last_is_proved(const char *name)
{
    struct str lines = STR_INIT, entry = STR_INIT, proof = STR_INIT;
    struct record record;
    struct log_entry found;
    struct err err = ERR_INIT;
    const struct game *game = house_find(&house, name);
    ck_ok(store_line_before(house.batch.store, name, game_end(game), &lines, &err), err);
    ck_ok(record_parse(slice_str(&lines), &record, &err), err);
    struct proof_place place = {.seq = record.seq, .time = record.time};
    (void)snprintf(place.name, sizeof place.name, "%s", name);
    ck_ok(league_log_proof(house.batch.tlog, &place, &entry, &proof, &err), err);
    str_trim(&entry);
    ck_ok(log_entry_parse(slice_str(&entry), &found, &err), err);
    ck_assert_mem_eq(found.head, record.head, HEAD_BYTES);
    record_release(&record);
    str_release(&lines);
    str_release(&entry);
    str_release(&proof);
}

/* Records are lost and made again at the same second, as a clock that was ahead has dated both: what is proved is what there is now. */
START_TEST(a_record_that_was_made_again_is_proved)
{
    house_copy(&house, "games/gc-1", "older");
    house_rules(&house, "gc-1", "do: pause\nreason: One.\n");
    last_is_proved("gc-1");
    crash();
    house_remove(&house, "games/gc-1");
    house_copy(&house, "older", "games/gc-1");
    house_remove(&house, "older");
    house_begin(&house);
    house_rules(&house, "gc-1", "do: pause\nreason: Another one.\n");
    last_is_proved("gc-1");
    house_restart(&house); /* where the last loss was is known from then on */
    last_is_proved("gc-1");
    house_remove(&house, "log/place");
    house_restart(&house);
    last_is_proved("gc-1");
}
END_TEST

/* The file was cut, and the tiles beside it were not. */
START_TEST(what_the_file_has_lost_the_tiles_have)
{
    struct str before = STR_INIT, after = STR_INIT;
    read_log(&before);
    house_end(&house);
    write_log(slice_sub(slice_str(&before), 0, before.len / 3));
    house_begin(&house);
    read_log(&after);
    ck_assert_str_eq(after.p, before.p);
    holds("gc-1");
    str_release(&before);
    str_release(&after);
}
END_TEST

static int programs_in(const struct str *log)
{
    int count = 0;
    for (const char *at = log->p; (at = strstr(at, "program 2")) != NULL; at++)
        count++;
    return count;
}

/* A build is named with the first of what it decides, and only where another one had decided before. */
START_TEST(the_program_that_decides_is_named)
{
    struct str before = STR_INIT, after = STR_INIT, want = STR_INIT;
    struct log_entry entry, own;
    struct err err = ERR_INIT;
    struct slice first, rest;
    read_log(&before);
    rest = slice_str(&before);
    ck_assert(slice_line(&rest, &first));
    ck_ok(log_entry_parse(first, &entry, &err), err);
    ck_assert(program_entry(&own, entry.time));
    log_entry_write(&want, &own);
    ck_slice_eq(first, want.p);
    ck_assert_int_eq(programs_in(&before), 1);

    before.p[first.len - 1] = before.p[first.len - 1] == '0' ? '1' : '0'; /* another program's file */
    crash();
    house_remove(&house, "log/checkpoint");
    write_log(slice_str(&before));
    house_begin(&house);
    holds("gc-1");
    read_log(&after);
    ck_assert_str_eq(after.p, before.p); /* who has nothing to write writes nothing */

    for (int i = 0; i < 2; i++) {
        house_clock(&house, house.now + 86401);
        str_clear(&after);
        read_log(&after);
        ck_assert_int_eq(programs_in(&after), 2);
        ck_assert(slice_starts(slice_sub(slice_str(&after), before.len, after.len), "program 2"));
        holds("gc-1");
        house_restart(&house);
    }
    str_release(&before);
    str_release(&after);
    str_release(&want);
}
END_TEST

/* The commit was durable, and power failed before its checkpoint was: it is signed at the start, whether a record comes or not. */
START_TEST(a_checkpoint_that_is_lost_comes_again)
{
    struct str before = STR_INIT, after = STR_INIT;
    read_file("log/checkpoint", &before);
    for (int marked = 0; marked < 2; marked++) {
        house_end(&house);
        house_remove(&house, "log/checkpoint");
        if (marked)
            house_remove_catalog(&house);
        house_begin(&house);
        str_clear(&after);
        read_file("log/checkpoint", &after);
        ck_assert_str_eq(after.p, before.p);
    }
    str_release(&before);
    str_release(&after);
}
END_TEST

/* Power failed while the tiles were on their way to the disk, and the checkpoint was there: they are made again at the start. */
START_TEST(tiles_that_are_torn_come_again)
{
    static const char *const kinds[] = {"0", "entries"};
    struct str note = STR_INIT, before = STR_INIT, after = STR_INIT;
    struct checkpoint checkpoint;
    struct err err = ERR_INIT;
    read_file("log/checkpoint", &note);
    ck_ok(checkpoint_parse(slice_str(&note), &checkpoint, &err), err);
    for (int i = 0; i < 2; i++) {
        char name[60];
        (void)snprintf(name, sizeof name, "log/tile/%s/000.p/%lld", kinds[i], (long long)checkpoint.size);
        str_clear(&before);
        read_file(name, &before);
        house_end(&house);
        char *path = house_path(&house, name);
        ck_ok(file_truncate(path, (int64_t)before.len / 2, &err), err);
        free(path);
        house_begin(&house);
        str_clear(&after);
        read_file(name, &after);
        ck_assert_uint_eq(after.len, before.len);
        ck_assert_mem_eq(after.p, before.p, before.len);
    }
    str_release(&note);
    str_release(&before);
    str_release(&after);
}
END_TEST

static void cases(TCase *tc)
{
    tcase_add_checked_fixture(tc, begin, end);
    tcase_add_test(tc, every_record_has_its_entry);
    tcase_add_test(tc, entries_that_are_lacking_come_again);
    tcase_add_test(tc, entries_without_a_record_are_cut);
    tcase_add_test(tc, an_older_journal_is_said_to_have_lost_records);
    tcase_add_loop_test(tc, what_is_lost_is_said_before_a_draw, 0,
                        sizeof before_draws / sizeof *before_draws);
    tcase_add_test(tc, an_older_journal_beside_a_catalog_that_is_not_older);
    tcase_add_loop_test(tc, of_a_journal_that_cannot_be_read_nothing_is_said_until_it_can, 0,
                        4 * sizeof damages / sizeof *damages);
    tcase_add_loop_test(tc, a_journal_that_was_changed_stands_still, 0, 4);
    tcase_add_test(tc, a_record_that_was_made_again_is_proved);
    tcase_add_test(tc, what_the_file_has_lost_the_tiles_have);
    tcase_add_test(tc, the_program_that_decides_is_named);
    tcase_add_test(tc, a_checkpoint_that_is_lost_comes_again);
    tcase_add_test(tc, tiles_that_are_torn_come_again);
}

TEST_MAIN("batch/log_mend", cases)
