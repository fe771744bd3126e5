#include "league/registry_known.h"

#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#include "base/encode.h"
#include "base/str.h"
#include "base/version.h"
#include "league/own_secrets.h"
#include "league/roster.h"
#include "league/token.h"

#define KNOWN_FILE "registry/known"
#define ONLY_OURS  0600

#define COMMON "game seq prev type time"
#define WHATS                                                                                     \
    "register address prefs vacation standby mute invite key-asked key rekey-asked rekey "        \
    "rekey-void move-asked move-agreed leave-asked veto stop ban unban remove restore page made " \
    "forgotten secrets " REGISTRY_CHECKPOINT
#define MEMBERS                                                                                  \
    "what player files by signed text mail why asked reason request invited_by documents count " \
    "sealed said vouched evidence"
/* Of each kind of document in tokens/. */
#define INVITE "what by expires"
#define STOP   "what expires"
#define KEY    "player key asked by_key evidence expires"

int registry_known(const struct record *record, struct err *err)
{
    const char *what = json_string_value(json_object_get(record->json, "what"));
    const char *name;
    json_t *value;
    long long seq = (long long)record->seq;
    if (strcmp(record->type, "player") != 0)
        return version_newer(err, "registry/journal.jsonl, record %lld: its type \"%s\"", seq, record->type);
    if (what && !word_listed(WHATS, what))
        return version_newer(err, "registry/journal.jsonl, record %lld: its \"what\": \"%.40s\"", seq, what);
    json_object_foreach (record->json, name, value)
        if (!word_listed(COMMON, name) && !word_listed(MEMBERS, name))
            return version_newer(err, "registry/journal.jsonl, record %lld: its member \"%.40s\"", seq, name);
    json_object_foreach (json_object_get(record->json, "files"), name, value)
        if (!registry_keeps(name))
            return version_newer(err, "registry/journal.jsonl, record %lld: its file \"%.80s\"", seq, name);
    return 0;
}

int registry_known_token(const char *token, const json_t *document, struct err *err)
{
    const char *members = *token == TOKEN_INVITE ? INVITE : *token == TOKEN_KEY ? KEY : STOP;
    const char *name;
    json_t *value;
    json_object_foreach ((json_t *)(uintptr_t)document, name, value)
        if (!word_listed(members, name))
            return version_newer(err, "tokens/%s.json: its member \"%.40s\"", token, name);
    return 0;
}

/* ---- the whole journal ---- */

static void print_of(struct str *line)
{
    static const char table[] = COMMON "\n" WHATS "\n" MEMBERS;
    unsigned char print[32];
    crypto_generichash(print, sizeof print, (const unsigned char *)table, sizeof table, NULL, 0);
    hex_encode(line, print, sizeof print);
    str_addc(line, '\n');
}

int registry_line_damaged(int64_t number, struct err *err)
{
    return err_prefix(
        err,
        "line %lld of registry/journal.jsonl is damaged; repair it, or take the file from a backup "
        "that is as new",
        (long long)number);
}

static int look_at(struct slice lines, struct err *err)
{
    struct slice rest = lines, line;
    int64_t line_number = 0;
    while (slice_whole_line(&rest, &line)) {
        struct record record;
        line_number++;
        if (record_parse(line, &record, err))
            return registry_line_damaged(line_number, err);
        int rc = registry_known(&record, err);
        record_release(&record);
        if (rc)
            return -1;
    }
    return 0;
}

int registry_known_all(const struct registry_log *log, struct err *err)
{
    struct str print = STR_INIT, was = STR_INIT, lines = STR_INIT;
    struct err ignored = ERR_INIT; /* then it is read again */
    char *path = path_join(log->dir, KNOWN_FILE);
    int rc = 0;
    print_of(&print);
    if (!file_exists(path) || file_read(path, 256, &was, &ignored) || was.len != print.len ||
        memcmp(was.p, print.p, print.len) != 0) {
        rc = store_read(log->store, REGISTRY_GAME, STORE_BEGIN, &lines, err);
        if (rc == 0)
            rc = look_at(slice_str(&lines), err);
        if (rc == 0)
            rc = file_write_soft(path, slice_str(&print), ONLY_OURS, err);
    }
    free(path);
    str_release(&print);
    str_release(&was);
    str_release(&lines);
    return rc;
}

/* A record may write nothing else. */
bool registry_keeps(const char *path)
{
    static const struct {
        const char *front, *end;
    } places[] = {{"players/", ".json"},
                  {"keys/", ".pub"},
                  {"tokens/", ".json"},
                  {ROSTER_GAMES "/", ".json"},
                  {ROSTER_COMPETITIONS "/", ".json"}};
    size_t len = strlen(path);
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        size_t front = strlen(places[i].front), end = strlen(places[i].end);
        if (len > front + end && str_starts(path, places[i].front) && str_ends(path, places[i].end) &&
            name_valid((struct slice){path + front, len - front - end}))
            return true;
    }
    return strcmp(path, PAGE_DOCUMENT) == 0 || strcmp(path, OWN_SECRETS) == 0;
}
