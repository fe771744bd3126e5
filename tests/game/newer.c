/* An old program on what a newer one has made. tests/newer holds a small league of a future Turnpost: its
 * keys, a player, and a game for each thing that this program cannot know. Each such game stands still and is
 * named, its mails stay, its files are not touched; the others go on. What is all of the league's stops it.
 *
 * NEWER_WRITE=1 makes the games anew. */
#include <sodium.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "base/encode.h"
#include "batch/confirm.h"
#include "house/house.h"
#include "league/registry_known.h"
#include "league/token.h"
#include "mail/sink.h"
#include "game/game_load.h"

#define KEPT "tests/newer"
#define DAY  ((int64_t)86400)

static struct house house;
static const char *const table[] = {"anna", "robot"};

/* `record` 0: a record after the last one; else that one, with `from` replaced by `to` ("" = put in at its
 * end). */
static const struct future {
    const char *id;
    int record;
    const char *from, *to;
    const char *thing; /* what the error has to name */
} futures[] = {
    {"member", 1, "", ",\"fog\":1", "record 1 (create): its member \"fog\""},
    {"views", 1, "\"views\":2", "\"views\":9", "record 1 (create): its \"views\": 9"},
    {"version", 1, "\"version\":2", "\"version\":9", "version 9 of its ruleset \"galaxy-command\""},
    {"language", 1, "\"language\":3", "\"language\":9", "record 1 (create): its \"language\": 9"},
    {"ruleset", 1, "galaxy-command", "galaxy-chess", "its ruleset \"galaxy-chess\""},
    {"format", 1, "\"format\":2", "\"format\":3", "its \"format\": 3"},
    {"option", 1, "\"options\":{", "\"options\":{\"fog\":1,", "its option \"fog\""},
    {"clock", 1, "",
     ",\"clock\":{\"schedule\":\"1d\",\"zone\":\"UTC\",\"grace\":0,\"minimum\":0,\"vote\":50,\"extension\":"
     "259200,\"early\":true,\"moon\":1}",
     "its member \"moon\""},
    {"press", 1, "\"press\":\"white\"", "\"press\":\"telepathy\"", "its \"press\": \"telepathy\""},
    {"delivery", 1, "\"press_delivery\":\"now\"", "\"press_delivery\":\"dawn\"",
     "its \"press_delivery\": \"dawn\""},
    {"start", 4, "", ",\"moon\":1", "record 4 (start): its member \"moon\""},
    {"note", 0, "", "\"type\":\"note\",@,\"kind\":\"duel\",\"turn\":1", "(note): its kind \"duel\""},
    {"do", 0, "", "\"type\":\"moderate\",@,\"do\":\"tax\",\"reason\":\"-\",\"by\":\"operator\",\"turn\":1",
     "(moderate): its \"do\": \"tax\""},
    {"type", 0, "", "\"type\":\"treaty\",@,\"turn\":1", "its type \"treaty\""},
};
#define FUTURES (sizeof futures / sizeof *futures)

/* ---- making them ---- */

/* The line, which comes without its last brace and LF. */
static void put_line(struct str *out, struct slice body, unsigned char head[HEAD_BYTES])
{
    const size_t from = out->len;
    str_addslice(out, body);
    str_adds(out, "}\n");
    record_head(head, slice_sub(slice_str(out), from, out->len));
}

/* Puts `head` where the line names the record before it. */
static void put_prev(char *line, const unsigned char head[HEAD_BYTES])
{
    char hex[2 * HEAD_BYTES + 1];
    hex_to(hex, head, HEAD_BYTES);
    char *at = strstr(line, "\"prev\":\"");
    ck_assert_ptr_nonnull(at);
    memcpy(at + 8, hex, sizeof hex - 1);
}

static void change_line(const struct future *future, const char *line, struct str *out)
{
    const char *at = *future->from ? strstr(line, future->from) : line + strlen(line);
    ck_assert_msg(at != NULL, "%s: %s", future->id, line);
    str_addf(out, "%.*s%s%s", (int)(at - line), line, future->to, at + strlen(future->from));
}

static void add_line(const struct future *future, int number, const char *time, struct str *out)
{
    const char *at = strchr(future->to, '@');
    str_addf(out, "{\"game\":\"%s\",\"seq\":%d,\"prev\":\"%064d\",%.*s\"time\":\"%s\"%s", future->id, number,
             0, (int)(at - future->to), future->to, time, at + 1);
}

/* The journal as the future would have written it. */
static void rewrite(const struct future *future, struct slice journal, struct str *out)
{
    unsigned char head[HEAD_BYTES] = {0};
    struct slice rest = journal, line;
    struct str body = STR_INIT;
    int number = 0;
    while (slice_line(&rest, &line)) {
        if (future->record == 1 && slice_find(line, "\"type\":\"start\"") != (size_t)-1)
            break; /* its draws follow from `create`: an old program may well begin it */
        char *whole = slice_dup(slice_sub(line, 0, line.len - 1));
        str_clear(&body);
        if (++number == future->record)
            change_line(future, whole, &body);
        else
            str_adds(&body, whole);
        put_prev(body.p, head);
        put_line(out, slice_str(&body), head);
        free(whole);
    }
    if (!future->record) {
        str_clear(&body);
        add_line(future, number + 1, "2026-11-20T12:00:00Z", &body);
        put_prev(body.p, head);
        put_line(out, slice_str(&body), head);
    }
    str_release(&body);
}

static void shell(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
static void shell(const char *fmt, ...)
{
    struct str command = STR_INIT;
    va_list args;
    va_start(args, fmt);
    str_vaddf(&command, fmt, args);
    va_end(args);
    ck_assert_msg(system(command.p) == 0, "%s", command.p);
    str_release(&command);
}

START_TEST(write_all)
{
    struct err err = ERR_INIT;
    house_open(&house);
    house.unproved = true;
    house_player(&house, "anna");
    shell("rm -rf " KEPT " && mkdir -p " KEPT "/league");
    for (size_t i = 0; i < FUTURES; i++) {
        struct str journal = STR_INIT, changed = STR_INIT;
        house_game(&house, futures[i].id, "galaxy-command", DAY, 2, table);
        ck_ok(store_read(house.batch.store, futures[i].id, STORE_BEGIN, &journal, &err), err);
        rewrite(&futures[i], slice_str(&journal), &changed);
        shell("mkdir -p " KEPT "/league/games/%s", futures[i].id);
        struct str path = STR_INIT;
        str_addf(&path, KEPT "/league/games/%s/journal.jsonl", futures[i].id);
        ck_ok(file_write_soft(path.p, slice_str(&changed), 0644, &err), err);
        str_release(&path);
        str_release(&journal);
        str_release(&changed);
    }
    shell("cd %s && cp -r keys players league.ini $OLDPWD/" KEPT "/league/", house.dir);
    ck_ok(secret_save(KEPT "/anna", house_key(&house, "anna"), "anna", false, &err), err);
    house_close(&house);
}
END_TEST

/* ---- the league ---- */

static void begin(void)
{
    struct err err = ERR_INIT;
    memset(&house, 0, sizeof house);
    memcpy(house.dir, "/tmp/turnpost-house-XXXXXX", sizeof "/tmp/turnpost-house-XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(house.dir));
    shell("cp -r " KEPT "/league/. %s && cp " KEPT
          "/anna %s/anna && cd %s && chmod -R go= keys/secret anna && mkdir -p "
          "mail/in/new mail/in/cur mail/in/tmp mail/out tokens",
          house.dir, house.dir, house.dir);
    house.now = HOUSE_NOON;
    house.unproved = true;
    str_init(&house.last_raw);
    char *key = path_join(house.dir, "anna");
    (void)snprintf(house.person[0].name, PLAYER_NAME, "anna");
    ck_ok(secret_load(key, &house.person[0].key, &err), err);
    house.people = 1;
    free(key);
    house_begin(&house);
    house_game(&house, "gc-good", "galaxy-command", DAY, 2, table);
}

static void end(void)
{
    if (house.batch.store) {
        house_close(&house);
    } else {
        shell("rm -rf %s", house.dir);
        str_release(&house.last_raw);
    }
}

static void orders(const char *id, struct str *raw)
{
    char text[200];
    (void)snprintf(text, sizeof text, "#turnpost orders\ngame: %s\nturn: 1\nbide\n#end\n", id);
    str_addf(raw, "From: anna@example.net\nTo: " HOUSE_ADDRESS "\nSubject: orders\nMessage-ID: <%s@x>\n\n",
             id);
    house_sign(&house, "anna", text, raw);
}

static void stands_still(const struct future *future)
{
    struct err err = ERR_INIT;
    struct str raw = STR_INIT, path = STR_INIT;
    struct game game;
    ck_assert_int_eq(game_mend(house.batch.store, future->id, house.league.master, &game, &err), -1);
    ck_assert_msg(err.code == ERR_NEWER && strstr(err.text, future->thing) &&
                      strstr(err.text, "made by a newer Turnpost; install that one again"),
                  "%s: %s", future->id, err.text);
    orders(future->id, &raw);
    ck_assert_int_eq(house_take(&house, slice_str(&raw)), INTAKE_KEPT);
    ck_ok(batch_commit(&house.batch, &err), err);
    ck_assert_uint_eq(house.batch.mails.count, 0);
    batch_reset(&house.batch, false);
    shell("diff -r " KEPT "/league/games/%s %s/games/%s", future->id, house.dir, future->id);
    str_release(&raw);
    str_release(&path);
}

/* Each game of the future stands still, by name; its mail stays, and its files are as they were. */
START_TEST(games_stand_still)
{
    for (size_t i = 0; i < FUTURES; i++)
        stands_still(&futures[i]);
}
END_TEST

START_TEST(the_others_go_on)
{
    struct str raw = STR_INIT;
    ck_assert_uint_eq(house.batch.broken, FUTURES); /* found when the catalog was made */
    house.batch.broken = 0;
    orders("gc-good", &raw);
    ck_assert_int_eq(house_raw(&house, slice_str(&raw)), INTAKE_PROCESSED);
    ck_assert_int_eq(house_find(&house, "gc-good")->turn, 2);
    str_release(&raw);
}
END_TEST

static void audit_names(const char *id)
{
    struct err err = ERR_INIT;
    struct str journal = STR_INIT;
    struct audit_result result;
    ck_ok(store_read(house.batch.store, id, STORE_BEGIN, &journal, &err), err);
    audited_bytes(slice_str(&journal), house.league.master, &result);
    ck_assert_msg(result.verdict == AUDIT_NEWER, "%s: %s", id, result.first.text);
    str_release(&journal);
}

/* The audit says the same of them, and does not call the league a cheat. */
START_TEST(the_audit_names_them)
{
    for (size_t i = 0; i < FUTURES; i++)
        audit_names(futures[i].id);
}
END_TEST

/* No version was released before those that this program reads: lower numbers are refused by name. */
START_TEST(lower_numbers_are_refused)
{
    static const struct future lower[] = {
        {"gc-good", 1, "\"format\":2", "\"format\":1", "its \"format\" is 1, and this Turnpost reads 2"},
        {"gc-good", 1, "\"language\":3", "\"language\":2",
         "its \"language\" is 2, and this Turnpost reads 3"},
        {"gc-good", 1, "\"version\":2", "\"version\":1", "its \"version\" is 1, and this Turnpost reads 2"},
        {"gc-good", 1, ",\"views\":2", "", "its member \"views\" is missing"},
    };
    struct err err = ERR_INIT;
    struct str journal = STR_INIT;
    ck_ok(store_read(house.batch.store, "gc-good", STORE_BEGIN, &journal, &err), err);
    for (size_t i = 0; i < sizeof lower / sizeof *lower; i++) {
        struct str changed = STR_INIT;
        struct audit_result result;
        rewrite(&lower[i], slice_str(&journal), &changed);
        audited_bytes(slice_str(&changed), NULL, &result);
        ck_assert_msg(result.verdict == AUDIT_REFUTED && strstr(result.first.text, lower[i].thing), "%s",
                      result.first.text);
        str_release(&changed);
    }
    str_release(&journal);
}
END_TEST

/* Names that the format's page keeps for later: who writes them is newer, and nothing of today's is called so. */
START_TEST(reserved_names_are_those_of_a_newer_one)
{
    static const struct future reserved[] = {
        {"gc-good", 1, "", ",\"budget\":86400", "\"budget\""},
        {"gc-good", 1, "", ",\"anonymous\":true", "\"anonymous\""},
        {"gc-good", 0, "", "\"type\":\"delegate\",@,\"turn\":1,\"seat\":1,\"to\":\"bob\"", "\"delegate\""},
    };
    struct err err = ERR_INIT;
    struct str journal = STR_INIT;
    ck_ok(store_read(house.batch.store, "gc-good", STORE_BEGIN, &journal, &err), err);
    for (size_t i = 0; i < sizeof reserved / sizeof *reserved; i++) {
        struct str changed = STR_INIT;
        struct audit_result result;
        rewrite(&reserved[i], slice_str(&journal), &changed);
        audited_bytes(slice_str(&changed), house.league.master, &result);
        ck_assert_msg(result.verdict == AUDIT_NEWER && strstr(result.first.text, reserved[i].thing), "%s",
                      result.first.text);
        str_release(&changed);
    }
    str_release(&journal);
}
END_TEST

/* ---- what is all of the league's ---- */

static void stops(enum err_code code, const char *thing)
{
    struct err err = ERR_INIT;
    if (league_open(house.dir, true, &house.league, &err) == 0) {
        ck_assert_int_eq(batch_open(&house.batch, &house.league, house.now, &err), -1);
        league_close(&house.league);
    }
    ck_assert_msg(err.code == code && strstr(err.text, thing) && strstr(err.text, "newer Turnpost"), "%s",
                  err.text);
}

START_TEST(an_option)
{
    house_end(&house);
    shell("printf '\\n[clock]\\nmoons = 3\\n' >>%s/league.ini", house.dir);
    stops(ERR_CONFIG, "[clock] moons: there is no such option in this Turnpost");
    shell("sed -i 's/^moons.*//; s/^.clock.$/[tides]/' %s/league.ini", house.dir);
    stops(ERR_CONFIG, "[tides]: there is no such section in this Turnpost");
}
END_TEST

/* In the registry's journal, also when its files were written by that other program. */
START_TEST(a_record_of_the_registry)
{
    static const struct {
        const char *type, *fields, *thing;
    } rows[] = {
        {"player", "{\"what\":\"adopt\",\"player\":\"anna\",\"files\":{}}", "its \"what\": \"adopt\""},
        {"player", "{\"what\":\"prefs\",\"mood\":1,\"files\":{}}", "its member \"mood\""},
        {"player", "{\"what\":\"prefs\",\"files\":{\"clans/red.json\":{}}}", "its file \"clans/red.json\""},
        {"note", "{\"what\":\"prefs\",\"files\":{}}", "its type \"note\""},
    };
    struct err err = ERR_INIT;
    struct registry_log *log = &house.batch.log;
    struct registry_change change = {.what = "prefs"};
    ck_ok(batch_change(&house.batch, &change, &err), err);
    ck_ok(batch_commit(&house.batch, &err), err);
    struct record record;
    ck_ok(record_make(&log->records,
                      &(struct record_text){{REGISTRY_GAME, log->seq + 1, log->head},
                                            rows[_i].type,
                                            log->time,
                                            json_loads(rows[_i].fields, 0, NULL)},
                      &record, &err),
          err);
    log->seq++;
    memcpy(log->head, record.head, HEAD_BYTES);
    record_release(&record);
    bool written = _i % 2;
    if (written)
        json_object_set_new(log->files, "tokens/none.json", json_null());
    ck_ok(batch_commit(&house.batch, &err), err);
    house_end(&house);
    if (written) /* by a program with another table */
        shell("echo %064d >%s/registry/known", 7, house.dir);
    shell("cp -r %s/registry %s/before", house.dir, house.dir);
    for (int i = 0; i < 2; i++)
        stops(ERR_NEWER, rows[_i].thing);
    shell("cd %s && diff -r before registry", house.dir);
}
END_TEST

START_TEST(the_catalog)
{
    house_end(&house);
    shell("cd %s && sqlite3 catalog.sqlite 'PRAGMA user_version=99' 2>/dev/null || python3 -c \"import "
          "sqlite3; "
          "sqlite3.connect('catalog.sqlite').execute('PRAGMA user_version=99')\"",
          house.dir);
    stops(ERR_NEWER, "its version 99");
    shell("cd %s && test ! -e catalog.sqlite.damaged && rm catalog.sqlite*", house.dir);
    house_begin(&house); /* the next step that the error names */
    house.batch.broken = 0;
    ck_assert_int_eq(house_find(&house, "gc-good")->turn, 1);
}
END_TEST

/* ---- one mail, one player, one word ---- */

START_TEST(a_spooled_mail)
{
    struct err err = ERR_INIT;
    struct sink_counts counts;
    char *out = path_join(house.dir, "mail/out");
    const struct sink sink = {.kind = SINK_MAILDIR, .maildir = out, .connections = 1, .expire = DAY};
    house_empty_spool(&house);
    shell("cd %s/spool/new && printf "
          "'{\"from\":\"\",\"to\":\"anna@example.net\",\"smtputf8\":true}\\nSubject: a\\r\\n\\r\\n' "
          ">mail.1.0.eml && printf '{\"from\":\"\",\"to\":\"anna@example.net\"}\\nSubject: b\\r\\n\\r\\n' "
          ">mail.2.0.eml && "
          "mkdir mail.0.0.eml",
          house.dir);
    ck_ok(sink_send(&sink, &(struct sink_round){.spool = house.batch.spool, .now = house.now}, &counts, &err),
          err);
    ck_assert_uint_eq(counts.sent, 1);
    ck_assert_uint_eq(counts.left, 2); /* a folder, too */
    shell("cd %s/spool/new && test -e mail.1.0.eml -a -d mail.0.0.eml -a ! -e mail.2.0.eml", house.dir);
    free(out);
}
END_TEST

START_TEST(a_player)
{
    struct str raw = STR_INIT;
    struct err err = ERR_INIT;
    house_end(&house);
    shell("cd %s && sed -i 's/^{/{\\n  \"clan\": \"red\",/' players/anna.json && cp players/anna.json before",
          house.dir);
    house_begin(&house);
    const struct registry_fault *fault = registry_damaged(&house.batch.registry, "anna");
    ck_assert_ptr_nonnull(fault);
    ck_assert_msg(strstr(fault->why, "\"clan\"") && strstr(fault->why, "newer Turnpost"), "%s", fault->why);
    orders("gc-good", &raw);
    ck_assert_int_eq(house_take(&house, slice_str(&raw)), INTAKE_KEPT);
    ck_ok(batch_commit(&house.batch, &err), err);
    batch_reset(&house.batch, false);
    shell("cd %s && cmp before players/anna.json", house.dir);
    str_release(&raw);
}
END_TEST

START_TEST(a_token)
{
    struct err err = ERR_INIT;
    json_t *document;
    shell("cd %s/tokens && echo "
          "'{\"what\":\"invite\",\"by\":\"anna\",\"uses\":3,\"expires\":\"2027-01-01T00:00:00Z\"}' "
          ">i0123.json",
          house.dir);
    ck_assert_int_eq(batch_token(&house.batch, "i0123", &document, &err), -1);
    ck_assert_msg(err.code == ERR_NEWER && strstr(err.text, "tokens/i0123.json: its member \"uses\""), "%s",
                  err.text);
}
END_TEST

static void cases(TCase *tc)
{
    if (getenv("NEWER_WRITE")) {
        tcase_add_test(tc, write_all);
        return;
    }
    tcase_add_checked_fixture(tc, begin, end);
    tcase_add_test(tc, games_stand_still);
    tcase_add_test(tc, the_audit_names_them);
    tcase_add_test(tc, lower_numbers_are_refused);
    tcase_add_test(tc, reserved_names_are_those_of_a_newer_one);
    tcase_add_test(tc, the_others_go_on);
    tcase_add_test(tc, an_option);
    tcase_add_loop_test(tc, a_record_of_the_registry, 0, 4);
    tcase_add_test(tc, the_catalog);
    tcase_add_test(tc, a_spooled_mail);
    tcase_add_test(tc, a_player);
    tcase_add_test(tc, a_token);
}
TEST_MAIN("game/newer", cases)
