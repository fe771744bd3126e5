/* A registry's journal that was compacted is the same registry: whatever is killed between its steps,
 * whatever a backup has caught of it. */
#include "house/house.h"

#include "league/registry_compact.h"
#include "league/registry_documents.h"
#include "league/registry_marks.h"

static struct house house;
static struct str documents; /* players and keys as they must be */

static void read_documents(struct str *out)
{
    char line[512];
    struct str command = STR_INIT;
    str_clear(out);
    str_addf(&command, "cd %s && b2sum players/* keys/*.pub", house.dir);
    FILE *pipe = popen(command.p, "r");
    ck_assert_ptr_nonnull(pipe);
    while (fgets(line, sizeof line, pipe))
        str_adds(out, line);
    ck_assert_int_eq(pclose(pipe), 0);
    str_release(&command);
}

static int64_t says(const char *text)
{
    int64_t before = house.batch.log.seq;
    (void)house_signed(&house, "anna", "anna", text);
    house_empty_spool(&house);
    return house.batch.log.seq - before;
}

static void begin(void)
{
    house_open(&house);
    house_player(&house, "anna");
    house_player(&house, "bob");
    ck_assert_int_eq(says("#turnpost prefs\nhtml: yes\n#end\n"), 1);
    str_init(&documents);
    read_documents(&documents);
}

static void end(void)
{
    str_release(&documents);
    house_close(&house);
}

static int compact(struct err *err)
{
    return registry_compact(&house.batch.log, house.now, err);
}

static void compact_now(void)
{
    struct err err = ERR_INIT;
    ck_ok(compact(&err), err);
}

static void as_it_was(void)
{
    struct str now = STR_INIT;
    read_documents(&now);
    ck_assert_str_eq(now.p, documents.p);
    str_release(&now);
}

/* The last mail's text is known, and another one counts and is there after the next start. */
static void goes_on(const char *another)
{
    char *body = slice_dup(slice_of(strstr(house.last_raw.p, "\r\n\r\n") + 4));
    int64_t seq = house.batch.log.seq;
    as_it_was();
    (void)house_mail(&house, "anna", "again", body);
    ck_assert_int_eq(house.batch.log.seq, seq);
    free(body);
    ck_assert_int_eq(says(another), 1);
    read_documents(&documents);
    house_restart(&house);
    ck_assert_int_eq(house.batch.log.seq, seq + 1);
    as_it_was();
}

static void forget_catalog(void)
{
    house_end(&house);
    house_shell(&house, "rm -f catalog.sqlite*");
    house_begin(&house);
}

/* Journal and archives are one chain of signed records. Returns how many. */
static int64_t chain(const char *const *files, size_t count)
{
    struct str lines = STR_INIT;
    struct err err = ERR_INIT;
    struct slice rest, line;
    unsigned char head[HEAD_BYTES] = {0};
    int64_t seq = 0;
    for (size_t i = 0; i < count; i++) {
        char *path = path_join(house.dir, files[i]);
        ck_ok(file_read(path, 1 << 20, &lines, &err), err);
        free(path);
    }
    rest = slice_str(&lines);
    while (rest.len) {
        struct record record;
        const char *from = rest.p;
        (void)slice_line(&rest, &line);
        line = (struct slice){from, (size_t)(rest.p - from)};
        ck_ok(record_parse(line, &record, &err), err);
        ck_ok(record_follows(&record, &(struct record_place){REGISTRY_GAME, ++seq, head}, &err), err);
        memcpy(head, record.head, sizeof head);
        record_release(&record);
    }
    str_release(&lines);
    return seq;
}

START_TEST(one_chain)
{
    static const char *const files[] = {"registry/archive-4.jsonl", "registry/archive-6.jsonl",
                                        "registry/journal.jsonl"};
    compact_now();
    ck_assert_int_eq(house.batch.log.seq, 5);
    goes_on("#turnpost prefs\njson: yes\n#end\n");
    compact_now();
    goes_on("#turnpost prefs\njson: no\n#end\n");
    ck_assert_int_eq(chain(files, 3), 8);
    forget_catalog(); /* the marks are in both archives and in the journal */
    goes_on("#turnpost prefs\ndigest: yes\n#end\n");
    house_shell(&house,
                "test $(stat -c %%a registry/archive-4.jsonl registry/journal.jsonl | sort -u) = 600");
}
END_TEST

/* A crash after the archive: the journal is the old one, and goes on. */
START_TEST(killed_before_the_journal)
{
    house_shell(&house, "cp -a registry kept");
    compact_now();
    house_end(&house);
    house_shell(&house, "cp kept/journal.jsonl kept/applied registry/ && rm -r kept");
    house_begin(&house);
    ck_assert_int_eq(house.batch.log.seq, 4);
    goes_on("#turnpost prefs\njson: yes\n#end\n");
    compact_now();
    goes_on("#turnpost prefs\njson: no\n#end\n");
}
END_TEST

/* A crash after the journal: registry/applied is older. */
START_TEST(killed_behind_the_journal)
{
    house_shell(&house, "cp registry/applied kept");
    compact_now();
    house_end(&house);
    house_shell(&house, "cp kept registry/applied");
    house_begin(&house);
    ck_assert_int_eq(house.batch.log.seq, 5);
    goes_on("#turnpost prefs\njson: yes\n#end\n");
    house_end(&house);
    house_shell(&house, "rm registry/applied catalog.sqlite*");
    house_begin(&house);
    goes_on("#turnpost prefs\njson: no\n#end\n");
}
END_TEST

/* A backup has the documents from before a record, and the journal from after the checkpoint. */
START_TEST(a_backup_meanwhile)
{
    house_shell(&house, "mkdir kept && cp -a registry/applied players kept");
    ck_assert_int_eq(says("#turnpost prefs\njson: yes\n#end\n"), 1);
    read_documents(&documents);
    compact_now();
    house_end(&house);
    house_shell(&house, "cp kept/applied registry/ && cp kept/players/* players/ && rm -r kept");
    house_begin(&house);
    goes_on("#turnpost prefs\njson: no\n#end\n");
}
END_TEST

/* What cannot be written changes nothing. */
START_TEST(no_room)
{
    static const char *const blocked[] = {"registry/archive-4.jsonl.tmp", "registry/journal.jsonl.tmp"};
    for (size_t i = 0; i < sizeof blocked / sizeof *blocked; i++) {
        struct err err = ERR_INIT;
        house_shell(&house, "mkdir %s", blocked[i]);
        ck_assert_int_eq(compact(&err), -1);
        house_shell(&house, "rmdir %s", blocked[i]);
        house_restart(&house);
        ck_assert_int_eq(house.batch.log.seq, 4);
        as_it_was();
    }
    compact_now();
    goes_on("#turnpost prefs\njson: yes\n#end\n");
}
END_TEST

START_TEST(what_does_not_belong_together)
{
    struct err err = ERR_INIT;
    struct registry_log log;
    house_shell(&house, "cp registry/applied kept");
    ck_assert_int_eq(says("#turnpost prefs\njson: yes\n#end\n"), 1);
    compact_now();
    house_end(&house);
    house_shell(&house, "mv kept registry/applied && mv registry/archive-5.jsonl kept");
    ck_assert_int_eq(registry_log_open(&log, house.dir, &err), -1);
    ck_assert_int_eq(err.code, ERR_BROKEN);
    ck_assert_msg(strstr(err.text, "the archive that holds record 5 is missing") &&
                      strstr(err.text, "put the archives back, or remove registry/applied"),
                  "%s", err.text);
    err_clear(&err);
    house_shell(&house, "sed '4q' kept > registry/archive-5.jsonl");
    ck_assert_int_eq(registry_log_open(&log, house.dir, &err), -1);
    ck_assert_int_eq(err.code, ERR_BROKEN);
    house_shell(&house, "mv kept registry/archive-5.jsonl");
    house_begin(&house);
    read_documents(&documents);
    goes_on("#turnpost prefs\njson: no\n#end\n");
}
END_TEST

/* registry/applied of before two checkpoints. */
START_TEST(older_than_two)
{
    house_shell(&house, "mkdir kept && cp -a registry/applied players kept");
    ck_assert_int_eq(says("#turnpost prefs\njson: yes\n#end\n"), 1);
    compact_now();
    ck_assert_int_eq(says("#turnpost prefs\ndigest: yes\n#end\n"), 1);
    compact_now();
    ck_assert_int_eq(says("#turnpost prefs\nhtml: no\n#end\n"), 1);
    read_documents(&documents);
    house_end(&house);
    house_shell(&house, "cp kept/applied registry/ && cp kept/players/* players/ && rm -r kept");
    house_begin(&house);
    goes_on("#turnpost prefs\njson: no\n#end\n");
}
END_TEST

/* Damage to it that looks like sense: the journal is believed, and what it changes is kept. */
START_TEST(plausible_damage)
{
    static const char *const damages[] = {
        "sed -i 's/^[0-9]*/2/' registry/applied",           /* another record */
        "sed -i 's/ [0-9]* / 100 /' registry/applied",      /* another place */
        "sed -i 's/ [0-9]* / 99999999 /' registry/applied", /* after the end */
        "sed -i 's/..$/00/' registry/applied",              /* another head */
        "rm registry/applied",
        "rm registry/applied && mkdir -p registry/x && : >registry/applied",
    };
    house_end(&house);
    house_shell(&house, "%s", damages[_i]);
    house_shell(
        &house,
        "cp players/bob.json kept && sed -i 's/bob@example.net/edited@example.net/' players/bob.json && cp "
        "players/bob.json edited");
    house_begin(&house);
    ck_assert_int_eq(house.batch.log.seq, 4);
    as_it_was();
    house_shell(&house, "cmp edited registry/bob.json.before && test ! -e registry/anna.json.before");
    goes_on("#turnpost prefs\njson: yes\n#end\n");
}
END_TEST

/* An older journal put back, or its end lost: keys that were replaced do not come back by themselves. */
START_TEST(an_older_journal)
{
    struct err err = ERR_INIT;
    struct registry_log log;
    if (_i)
        compact_now();
    house_shell(&house, "cp registry/journal.jsonl kept");
    ck_assert_int_eq(says("#turnpost prefs\njson: yes\n#end\n"), 1);
    read_documents(&documents);
    house_end(&house);
    house_shell(&house, "mv registry/journal.jsonl newer && mv kept registry/journal.jsonl");
    ck_ok(league_open(house.dir, true, &house.league, &err), err);
    ck_assert_int_eq(registry_log_open(&log, house.dir, &err), -1);
    ck_assert_int_eq(err.code, ERR_BROKEN);
    ck_assert_msg(strstr(err.text, "put the newer one back; or, if it is lost for good"), "%s", err.text);
    league_close(&house.league);
    as_it_was();
    house_shell(&house, "mv newer registry/journal.jsonl");
    house_begin(&house);
    goes_on("#turnpost prefs\njson: no\n#end\n");
}
END_TEST

/* Gone, or empty: nothing continues as if it had never existed. */
START_TEST(a_journal_that_is_gone)
{
    struct err err = ERR_INIT;
    struct registry_log log;
    if (_i & 1)
        compact_now();
    read_documents(&documents);
    house_end(&house);
    house_shell(&house, "cp registry/journal.jsonl kept && %s",
                _i & 2 ? ": >registry/journal.jsonl" : "rm registry/journal.jsonl");
    ck_ok(league_open(house.dir, true, &house.league, &err), err);
    ck_assert_int_eq(registry_log_open(&log, house.dir, &err), -1);
    ck_assert_int_eq(err.code, ERR_BROKEN);
    ck_assert_msg(strstr(err.text, "registry/journal.jsonl is gone"), "%s", err.text);
    ck_assert_msg(strstr(err.text, "take it from a backup"), "%s", err.text);
    league_close(&house.league);
    house_shell(
        &house,
        "cp -a registry given-up && rm -f registry/applied registry/journal.jsonl"); /* as restore does */
    house_begin(&house);
    as_it_was();
    house_end(&house);
    house_shell(&house, "rm -rf registry && mv given-up registry && mv kept registry/journal.jsonl");
    house_begin(&house);
    goes_on("#turnpost prefs\njson: yes\n#end\n");
}
END_TEST

START_TEST(a_damaged_first_line)
{
    struct err err = ERR_INIT;
    struct registry_log log;
    house_end(&house);
    house_shell(&house, "cp registry/journal.jsonl kept && sed -i '1s/^./x/' registry/journal.jsonl");
    ck_ok(league_open(house.dir, true, &house.league, &err), err);
    ck_assert_int_eq(registry_log_open(&log, house.dir, &err), -1);
    league_close(&house.league);
    ck_assert_msg(strstr(err.text, "line 1 of registry/journal.jsonl is damaged; repair it"), "%s", err.text);
    house_shell(&house, "mv kept registry/journal.jsonl");
    house_begin(&house);
}
END_TEST

START_TEST(only_when_it_is_long)
{
    struct err err = ERR_INIT;
    for (int64_t i = house.batch.log.seq; i < REGISTRY_MANY; i++) {
        struct registry_change change = {.what = "prefs"};
        ck_ok(registry_compact_due(&house.batch.log, house.now, &err), err);
        ck_ok(batch_change(&house.batch, &change, &err), err);
    }
    ck_ok(batch_commit(&house.batch, &err), err);
    batch_reset(&house.batch, true);
    ck_assert_int_eq(house.batch.log.base, 0);
    ck_ok(registry_compact_due(&house.batch.log, house.now, &err), err);
    ck_assert_int_eq(house.batch.log.base, REGISTRY_MANY);
    ck_ok(registry_compact_due(&house.batch.log, house.now, &err), err);
    ck_assert_int_eq(house.batch.log.base, REGISTRY_MANY);
    goes_on("#turnpost prefs\njson: yes\n#end\n");
}
END_TEST

/* By a clock that was put back, too, and after the next start, and where nothing is left to be applied. */
START_TEST(time_does_not_run_backwards)
{
    int64_t time = house.batch.log.time;
    ck_assert_int_gt(time, 0);
    if (_i)
        compact_now();
    house_restart(&house);
    ck_assert_int_eq(house.batch.log.time, time);
    house.now -= 3600;
    ck_assert_int_eq(says("#turnpost prefs\njson: yes\n#end\n"), 1);
    ck_assert_int_eq(house.batch.log.time, time);
    house.now += 3600;
}
END_TEST

/* Is it found, and with what member? "" = the journal does not have it; else the error. */
static void finds(const char *path, const char *want)
{
    struct err err = ERR_INIT;
    struct str text = STR_INIT;
    struct registry_found found;
    if (registry_document(house.dir, path, &found, &err)) {
        ck_assert_int_eq(err.code, ERR_BROKEN);
        ck_assert_ptr_null(found.document);
        str_adds(&text, err.text);
    } else if (found.document) {
        json_write(&text, found.document);
    }
    ck_assert_msg(*want ? strstr(text.p, want) != NULL : !text.len, "%s: %s", path, text.p);
    json_decref(found.document);
    str_release(&text);
}

/* What is damaged may be the newest there is of a document: an older one is not given out for it. (The last line, if it can be read, is
 * held against the league's log when the league starts.) */
static const struct {
    const char *command, *anna, *bob, *nobody;
} chains[] = {
    {"true", "\"json\":false", "bob@example.net", ""},
    {"sed -i '2s/what/whit/' registry/journal.jsonl", "\"json\":false", "line 3 of registry/journal.jsonl",
     "line 3 of registry/journal.jsonl"},
    {"sed -i '3s/what/zz\"\"/' registry/journal.jsonl", "line 3 of registry/journal.jsonl",
     "line 3 of registry/journal.jsonl", "line 3 of registry/journal.jsonl"},
    {"sed -i '1s/^./x/' registry/journal.jsonl", "\"json\":false", "line 1 of registry/journal.jsonl",
     "line 1 of registry/journal.jsonl"},
    {"sed -i 2d registry/journal.jsonl", "\"json\":false", "line 2 of registry/journal.jsonl",
     "line 2 of registry/journal.jsonl"},
    {"sed -i 1d registry/journal.jsonl", "\"json\":false", "ends with the record 5",
     "ends with the record 5"},
    {"sed -i '2{h;d};${p;x}' registry/journal.jsonl", "line 3 of", "line 2 of", "line 2 of"},
    {"sed -i '4s/anna/amma/' registry/archive-4.jsonl", "\"json\":false", "ends with the record 4",
     "record 4"},
    {"sed -i '3s/bob/bab/' registry/archive-4.jsonl", "\"json\":false", "line 4 of registry/archive-4.jsonl",
     "line 4 of registry/archive-4.jsonl"},
    {"sed -i '2s/anna/amma/' registry/archive-4.jsonl", "\"json\":false", "bob@example.net",
     "line 3 of registry/archive-4.jsonl"},
    {"rm registry/archive-4.jsonl", "\"json\":false", "ends with the record 4", "ends with the record 4"},
    {"rm registry/journal.jsonl", "\"html\":true", "bob@example.net", ""},
    {"head -n 3 registry/archive-4.jsonl >registry/archive-3.jsonl", "\"json\":false", "bob@example.net", ""},
    {"cp registry/journal.jsonl registry/archive-7.jsonl", "\"json\":false", "bob@example.net", ""},
};

START_TEST(what_the_chain_has)
{
    compact_now();
    ck_assert_int_eq(says("#turnpost prefs\njson: yes\n#end\n"), 1);
    ck_assert_int_eq(says("#turnpost prefs\njson: no\n#end\n"), 1);
    house_shell(&house, "cp -a registry kept && %s", chains[_i].command);
    finds("players/anna.json", chains[_i].anna);
    finds("players/bob.json", chains[_i].bob);
    finds("players/nobody.json", chains[_i].nobody);
    house_shell(&house, "rm -r registry && mv kept registry");
}
END_TEST

static void cases(TCase *tc)
{
    tcase_add_checked_fixture(tc, begin, end);
    tcase_add_test(tc, one_chain);
    tcase_add_test(tc, killed_before_the_journal);
    tcase_add_test(tc, killed_behind_the_journal);
    tcase_add_test(tc, a_backup_meanwhile);
    tcase_add_test(tc, no_room);
    tcase_add_test(tc, what_does_not_belong_together);
    tcase_add_test(tc, older_than_two);
    tcase_add_loop_test(tc, plausible_damage, 0, 6);
    tcase_add_loop_test(tc, time_does_not_run_backwards, 0, 2);
    tcase_add_loop_test(tc, an_older_journal, 0, 2);
    tcase_add_loop_test(tc, a_journal_that_is_gone, 0, 4);
    tcase_add_test(tc, a_damaged_first_line);
    tcase_add_test(tc, only_when_it_is_long);
    tcase_add_loop_test(tc, what_the_chain_has, 0, sizeof chains / sizeof *chains);
}
TEST_MAIN("league/registry_compact", cases)
