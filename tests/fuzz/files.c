/* Fuzz target: the small files and words that a league reads back. The first byte says which; the rest is it.
 *
 *   t  a token, as somebody types it       z  a zone's data, as the system has it
 *   h  holidays, and a schedule            w  what a witness remembers; a close that came to him
 *   p  the path of a value, for `correct`  n  players/<name>.json
 *   r  the registry's journal: lines "{...}" are the members of records that the league signs here
 *   s  a mail in the spool                 o  the memory of rounds */
#include "fixed.h"

#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/json.h"
#include "base/utf8.h"
#include "base/zone.h"
#include "league/registry_log.h"
#include "batch/rounds.h"
#include "league/schedule.h"
#include "tlog/witness.h"
#include "league/token.h"
#include "mail/spool.h"
#include "rules/field_path.h"

#define RECORDS_MOST 12

static struct fixed fixed;
static char dir[] = "/tmp/turnpost-fuzz-files-XXXXXX";

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    struct err err = ERR_INIT;
    (void)argc;
    (void)argv;
    fixed_init(&fixed);
    static const char *const folders[] = {"players", "keys", "tokens", REGISTRY_GAME, "spool/new"};
    need(mkdtemp(dir));
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
        char *path = path_join(dir, folders[i]);
        need(file_mkdirs(path, 0700, &err) == 0);
        free(path);
    }
    return 0;
}

static void need_error(const struct err *err)
{
    need(err->code != ERR_NONE && err->text[0] && utf8_valid(slice_of(err->text)));
}

static void write_file(const char *name, struct slice text)
{
    struct err err = ERR_INIT;
    char *path = path_join(dir, name);
    need(file_write_soft(path, text, 0600, &err) == 0);
    free(path);
}

static void read_token(struct slice text)
{
    char name[TOKEN_NAME], again[TOKEN_NAME];
    if (token_name(name, TOKEN_INVITE, text)) {
        need(name_valid(slice_of(name)));
        need(token_name(again, TOKEN_INVITE, slice_trim(text)) && strcmp(name, again) == 0);
    }
}

static void read_zone(struct slice text)
{
    struct zone *zone = NULL;
    struct err err = ERR_INIT;
    int64_t day;
    int second;
    if (zone_read(text, "Some/Where", &zone, &err)) {
        need_error(&err);
        return;
    }
    for (int64_t time = -4000000000; time < 8000000000; time += 123456789) {
        int offset = zone_offset(zone, time);
        need(offset > -200000 && offset < 200000);
        zone_local(zone, time, &day, &second);
        need(second >= 0 && second < 86400);
        (void)zone_time(zone, day, second);
    }
    zone_free(zone);
}

static void read_schedule(struct slice text)
{
    struct schedule schedule, again;
    struct err err = ERR_INIT;
    schedule_init(&schedule);
    if (schedule_holidays(text, &schedule, &err))
        need_error(&err);
    need(schedule.holiday_count <= SCHEDULE_HOLIDAYS);
    err_clear(&err);
    if (schedule_parse(text, "UTC", &schedule, &err)) {
        need_error(&err);
        return;
    }
    struct zones zones = {NULL, 0, 0};
    int taken = schedule_take_zone(&schedule, &zones, NOON, &err);
    zones_release(&zones);
    if (taken) {
        need_error(&err);
        return;
    }
    json_t *json = schedule_json(&schedule);
    need(schedule_read(json, &again, &err) == 0);
    int64_t next = schedule_next(&schedule, NOON);
    need(next == schedule_next(&again, NOON) && (next == 0 || next >= NOON));
    json_decref(json);
}

static void read_witness(struct slice text)
{
    struct witness_state state = WITNESS_STATE_INIT;
    struct err err = ERR_INIT;
    if (witness_state_parse(text, &state, &err))
        need_error(&err);
    else
        need(state.size >= 0);
    witness_state_release(&state);
}

/* What is found can be set, and is what was set. */
static void read_path(struct slice text)
{
    struct err err = ERR_INIT;
    json_t *document = json_read(
        slice_of("{\"year\":1,\"player\":[{\"metal\":1,\"deck\":[1,2,3]},{\"metal\":2}]}"), "state", &err);
    json_t *value = json_integer(77);
    json_t *there = field_path_get(document, text, &err);
    if (!there)
        need_error(&err);
    err_clear(&err);
    int rc = field_path_set(document, text, value, &err);
    need(rc == 0 || there == NULL || err.code == ERR_INPUT);
    if (rc == 0)
        need(json_integer_value(field_path_get(document, text, &err)) == 77);
    json_decref(value);
    json_decref(document);
}

static void read_player(struct slice text)
{
    struct player player;
    struct err err = ERR_INIT;
    write_file("players/anna.json", text);
    if (player_load(dir, "anna", &player, &err)) {
        need_error(&err);
        return;
    }
    need(player.vacation_count >= 0 && player.vacation_count <= PLAYER_VACATIONS);
    json_t *document = player_document(&player, &err);
    need(document || err.code == ERR_INPUT);
    json_decref(document);
}

/* Records with their numbers and chain, of the members that are given. */
static void registry_lines(struct slice text, struct str *out)
{
    unsigned char head[HEAD_BYTES] = {0}, prev[HEAD_BYTES];
    int64_t seq = 0;
    struct slice line;
    for (int count = 0; count < RECORDS_MOST && slice_line(&text, &line); count++) {
        struct err err = ERR_INIT;
        json_t *fields = line.len && line.p[0] == '{' ? json_read(line, "fields", &err) : NULL;
        memcpy(prev, head, sizeof prev);
        if (json_is_object(fields))
            record_write(out, &(struct record_text){{REGISTRY_GAME, ++seq, prev}, "player", NOON, fields},
                         head);
        else
            str_addf(out, "%.*s\n", (int)line.len, line.p);
        json_decref(fields);
    }
}

static void read_registry(struct slice text)
{
    struct registry_log log;
    struct err err = ERR_INIT;
    struct str lines = STR_INIT;
    registry_lines(text, &lines);
    write_file(REGISTRY_GAME "/journal.jsonl", slice_str(&lines));
    char *applied = path_join(dir, REGISTRY_GAME "/applied"), *ini = path_join(dir, "league.ini");
    need(file_remove(applied, &err) == 0);
    memset(&log, 0, sizeof log);
    if (registry_log_open(&log, dir, &err))
        need_error(&err);
    registry_log_close(&log);
    need(!file_exists(ini));
    free(applied);
    free(ini);
    str_release(&lines);
}

static void read_rounds(struct slice text)
{
    struct catalog *catalog = NULL;
    struct err err = ERR_INIT;
    bool fresh, known;
    char *path = path_join(dir, "catalog.sqlite");
    write_file(ROUNDS_FILE, text);
    need(catalog_open(path, &catalog, &fresh, &err) == 0);
    if (rounds_restore(catalog, dir, &known, &err))
        need_error(&err);
    catalog_close(catalog);
    free(path);
}

static void look(void *arg, const struct spool_entry *entry)
{
    free(spool_recipient(arg, entry));
}

static void read_spool(struct slice text)
{
    static const char name[] = "new/gc-1.3.1.eml";
    struct outgoing mail;
    struct err err = ERR_INIT;
    char *spool = path_join(dir, "spool");
    write_file("spool/new/gc-1.3.1.eml", text);
    if (spool_load(spool, name, &mail, &err))
        need_error(&err);
    else
        outgoing_release(&mail);
    err_clear(&err);
    need(spool_each(spool, look, spool, &err) == 0);
    need(spool_recover_gathered(spool, &err) == 0 || err.code);
    free(spool);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct slice text = {(const char *)data + 1, size - 1};
    if (!size)
        return 0;
    switch (data[0]) {
    case 't': read_token(text); break;
    case 'z': read_zone(text); break;
    case 'h': read_schedule(text); break;
    case 'w': read_witness(text); break;
    case 'p': read_path(text); break;
    case 'n': read_player(text); break;
    case 'r': read_registry(text); break;
    case 's': read_spool(text); break;
    case 'o': read_rounds(text); break;
    default: break;
    }
    return 0;
}
