/* The league's results against the ends of games that the log has. */
#include <string.h>

#include "audit/audit_results.h"
#include "base/clock.h"
#include "base/lines.h"
#include "compete/results.h"
#include "game/entry.h"
#include "game/game.h"
#include "publish/log_audit_parts.h"

/* What the journal says of one game. */
static void hold(struct log_audit *audit, const struct record *record, const struct results_game *game)
{
    char hidden[GAME_NAME];
    const struct log_place place = {RESULTS_NAME, record->seq, 0};
    const struct log_name *name = log_name_find(audit, game->of);
    game_log_hidden_name(hidden, game->create);
    if (!name)
        name = log_name_find(audit, hidden);
    if (!name || !name->end)
        log_find(audit, LOG_WRONG, LOG_RESULT, &place,
                 "it is the result of %s, and the log has no end of that game. Ask for its journal",
                 game->of);
    else if (name->end != game->end || memcmp(name->end_head, game->head, HEAD_BYTES) != 0)
        log_find(audit, LOG_WRONG, LOG_RESULT, &place,
                 "it is the result of %s, and of another ending than the log has (entry %lld). Ask for that "
                 "journal",
                 game->of, (long long)name->end_entry);
}

struct told {
    json_t *games; /* by both names that the log may have for them */
    int64_t latest;
};

static int read_results(struct log_audit *audit, const char *path, struct told *told, struct err *err)
{
    struct lines lines;
    struct slice line;
    int rc = lines_open(path, RECORD_MAX + 1, &lines, err);
    if (rc)
        return -1;
    while ((rc = lines_next(&lines, &line, err)) == 0 && line.len) {
        struct record record;
        struct results_game game;
        struct err why = ERR_INIT; /* `turnpost audit results` says it */
        char hidden[GAME_NAME];
        if (record_parse(line, &record, &why))
            break;
        if (strcmp(record.type, "result") == 0 && results_game_read(&game, &record, &why) == 0) {
            hold(audit, &record, &game);
            game_log_hidden_name(hidden, game.create);
            json_object_set_new(told->games, game.of, json_true());
            json_object_set_new(told->games, hidden, json_true());
            told->latest = game.ended > told->latest ? game.ended : told->latest;
        }
        record_release(&record);
    }
    lines_close(&lines);
    return rc;
}

static void say_missing(struct log_audit *audit, const struct told *told, bool whole)
{
    for (size_t i = 0; i < audit->name_count; i++) {
        const struct log_name *name = audit->name[i];
        const struct log_place place = {name->name, name->end, name->end_entry};
        char ended[CLOCK_TEXT];
        if (!name->end || json_object_get(told->games, name->name))
            continue;
        clock_utc(ended, name->ended);
        if (told->latest > name->ended + AUDIT_RESULTS_LATE)
            log_find(
                audit, LOG_WRONG, LOG_RESULT, &place,
                "it ended on %.10s and has no result, though games that ended more than a day later have "
                "one: it was left out of the ratings. Ask for its result",
                ended);
        else if (whole)
            log_find(audit, LOG_ASK, LOG_RESULT, &place,
                     "it ended on %.10s and has no result yet. Look again in a day", ended);
    }
}

int log_results(struct log_audit *audit, struct err *err)
{
    const struct log_name *results = log_name_find(audit, RESULTS_NAME);
    const struct log_journal *journal = results ? results->journal : NULL;
    struct told told = {.latest = 0};
    if (!journal || journal->differs) /* it was said already */
        return 0;
    told.games = json_object();
    int rc = read_results(audit, journal->path, &told, err);
    if (rc == 0)
        say_missing(audit, &told, !journal->lacks);
    json_decref(told.games);
    return rc;
}
