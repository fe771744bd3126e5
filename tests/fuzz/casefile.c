/* Fuzz target: the files of a game as somebody hands them to `turnpost log`, `explain`, `receipt-check` and,
 * as a league's own, `publish` (game_lines.h; the seeds are those of the audit). All of it can be put into
 * words.
 */
#include "game_lines.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/utf8.h"
#include "history/casefile.h"
#include "history/explain.h"
#include "publish/ledger.h"
#include "publish/publish.h"
#include "report/render.h"

static struct fixed fixed;
static char dir[] = "/tmp/turnpost-fuzz-casefile-XXXXXX";
static struct league league;
static struct store *store;
static struct templates *templates;

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    struct err err = ERR_INIT;
    (void)argc;
    (void)argv;
    fixed_init(&fixed);
    need(mkdtemp(dir));
    char *games = path_join(dir, "games"), *game = path_join(games, "gc-1");
    need(file_mkdirs(game, 0700, &err) == 0);
    store = store_open(games);
    league.dir = dir;
    league.config.league.name = league.config.league.address = league.config.league.moderators =
        league.config.league.page_url = league.config.league.contact = str_empty;
    league.config.league.timezone = str_empty;
    league.key = fixed.league;
    memcpy(league.vrf_secret, fixed.vrf_secret, sizeof league.vrf_secret);
    memcpy(league.vrf_public, fixed.vrf_public, sizeof league.vrf_public);
    memcpy(league.master, fixed.master, sizeof league.master);
    templates_open(NULL, &templates);
    free(games);
    free(game);
    return 0;
}

static void need_error(const struct err *err)
{
    need(err->code != ERR_NONE && err->text[0] && utf8_valid(slice_of(err->text)));
}

static void walk(struct casefile *file)
{
    struct record record;
    struct slice line;
    struct err err = ERR_INIT;
    int got;
    casefile_rewind(file);
    while ((got = casefile_next(file, &record, &line, &err)) > 0) {
        need(line.len > 0 && record.seq > 0);
        (void)casefile_lacks(file, &record);
        record_release(&record);
    }
    if (got < 0)
        need_error(&err);
}

/* A turn and a difference, in words. */
static void tell(struct casefile *file, const struct reader *reader, struct str *out)
{
    static const struct explain_point from = {true, 1}, to = {false, 1};
    for (int turn = -1; turn <= 1; turn++) {
        struct err err = ERR_INIT;
        const struct explain_point at = {false, turn};
        json_t *facts = explain_turn(file, &(struct explain_for){reader, false}, &at, 0, &err);
        const char *folder = json_string_value(json_object_get(facts, "folder"));
        if (!facts)
            need_error(&err);
        else if (explain_words(facts, templates, folder ? folder : "", turn < 0, &err))
            need_error(&err);
        else
            json_write(out, facts);
        json_decref(facts);
    }
    struct err err = ERR_INIT;
    json_t *facts = explain_difference(file, &(struct explain_for){reader, false}, &from, &to, &err);
    if (facts)
        json_write(out, facts);
    else
        need_error(&err);
    json_decref(facts);
}

static void look(const struct str *journal, const struct reader *reader, struct str *out)
{
    struct casefile file;
    struct err err = ERR_INIT;
    if (casefile_open_lines(slice_str(journal), fixed.master, &file, &err)) {
        need_error(&err);
        return;
    }
    walk(&file);
    casefile_rewind(&file);
    if (casefile_choose(&file, reader, false, &err))
        need_error(&err);
    else
        tell(&file, reader, out);
    casefile_close(&file);
}

static void write_game(const struct str *journal)
{
    struct err err = ERR_INIT;
    struct str path = STR_INIT;
    str_addf(&path, "%s/games/gc-1/journal.jsonl", dir);
    need(file_write_soft(path.p, slice_str(journal), 0600, &err) == 0);
    str_release(&path);
}

static void publish(bool redact)
{
    struct err err = ERR_INIT;
    struct publish how = {
        .store = store, .league = &league, .templates = templates, .game = "gc-1", .redact = redact};
    struct bundle bundle = {NULL, 0, 0};
    if (publish_game(&how, &bundle, &err))
        need_error(&err);
    bundle_release(&bundle);
}

static void hold_against(void)
{
    struct err err = ERR_INIT;
    struct ledger ledger;
    struct str path = STR_INIT;
    str_addf(&path, "%s/games/gc-1", dir);
    if (ledger_open(path.p, &ledger, &err))
        need_error(&err);
    else
        ledger_close(&ledger);
    str_release(&path);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const struct reader readers[] = {{READER_PUBLIC, 0}, {READER_SEAT, 1}, {READER_MODERATOR, 0}};
    struct str journal = STR_INIT, out = STR_INIT;
    game_lines((struct slice){(const char *)data, size}, &journal);
    look(&journal, &readers[size % 3], &out);
    write_game(&journal);
    hold_against();
    publish(size % 2);
    str_release(&journal);
    str_release(&out);
    return 0;
}
