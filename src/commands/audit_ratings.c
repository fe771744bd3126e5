/* `turnpost audit` of a league's results: its journal, held against those of the games. */
#include "commands/audit.h"

#include <stdlib.h>
#include <string.h>

#include "audit/audit_results.h"
#include "base/encode.h"
#include "base/file.h"
#include "base/json.h"
#include "compete/competition.h"
#include "compete/played.h"
#include "compete/ratings.h"

#define JOURNAL_LONGEST ((size_t)1 << 30)

static bool read_journal(const char *path, struct str *out)
{
    struct err ignored = ERR_INIT;
    return file_exists(path) && file_read(path, JOURNAL_LONGEST, out, &ignored) == 0;
}

static bool read_game(void *arg, const char *name, struct str *journal)
{
    const struct audit_game *game = arg;
    struct str path = STR_INIT;
    if (!*game->games)
        return false;
    str_addf(&path, "%s/%s/journal.jsonl", game->games, name);
    bool there = read_journal(path.p, journal);
    str_release(&path);
    return there;
}

/* Competitions are in the folder beside that of the results. */
static enum audit_rated ask_competition(void *arg, const char *name)
{
    const struct audit_game *game = arg;
    enum audit_rated rated = AUDIT_RATED_UNKNOWN;
    struct str path = STR_INIT, journal = STR_INIT;
    struct err ignored = ERR_INIT;
    struct record record;
    size_t dir = strlen(game->journal) - strlen(RESULTS_NAME "/journal.jsonl");
    if (!str_ends(game->journal, "/" RESULTS_NAME "/journal.jsonl"))
        return rated;
    str_addf(&path, "%.*s%s/journal.jsonl", (int)dir, game->journal, name);
    if (read_journal(path.p, &journal)) {
        struct slice rest = slice_str(&journal), line;
        (void)slice_line(&rest, &line);
        line.len = (size_t)(rest.p - line.p);
        if (record_parse(line, &record, &ignored) == 0) {
            rated = json_is_true(json_object_get(record.json, "rated")) ? AUDIT_RATED : AUDIT_RATED_NOT;
            record_release(&record);
        }
    }
    str_release(&path);
    str_release(&journal);
    return rated;
}

/* Games that are over and have no result. Those whose journals do not hold, their own audit names. */
static int look_for_hidden(const struct audit_game *game, struct audit_results_result *result,
                           struct err *err)
{
    struct file_names names;
    if (!*game->games || result->verdict >= AUDIT_REFUTED)
        return 0;
    if (file_list(game->games, &names, err))
        return -1;
    for (size_t i = 0; i < names.count; i++) {
        struct str journal = STR_INIT;
        struct err ignored = ERR_INIT;
        struct played played;
        if (name_valid(slice_of(names.name[i])) &&
            read_game((void *)(uintptr_t)game, names.name[i], &journal) &&
            played_read(&played, names.name[i], slice_str(&journal), result->results.terms.league_key,
                        &ignored) == 0)
            audit_results_over(result, names.name[i], played.game.create, played.game.ended);
        str_release(&journal);
    }
    file_names_free(&names);
    return 0;
}

static void add_verdict(struct str *out, const char *name, const struct audit_logged *logged,
                        const struct audit_results_result *result)
{
    str_addf(out, "%s: %s", name, audit_logged_verdict(logged, result->verdict));
    if (result->verdict >= AUDIT_REFUTED)
        str_addf(out, "%s record %lld because %s", result->verdict == AUDIT_NEWER ? " from" : " at",
                 (long long)result->first.seq, result->first.text);
    else if (result->counts.missing)
        str_addf(out, ": %lld of its games %s not there", (long long)result->counts.missing,
                 result->counts.missing == 1 ? "is" : "are");
    if (result->verdict < AUDIT_REFUTED && result->counts.lacking)
        str_addf(out, "%s %lld game%s that ended lately %s no result yet", result->counts.missing ? ";" : ":",
                 (long long)result->counts.lacking, PLURAL(result->counts.lacking),
                 result->counts.lacking == 1 ? "has" : "have");
    str_addc(out, '\n');
}

static void add_text(struct str *out, const struct audit_game *game, const struct audit_how *how,
                     const struct audit_logged *logged, const struct audit_results_result *result)
{
    char head[2 * HEAD_BYTES + 1];
    add_verdict(out, game->name, logged, result);
    if (result->verdict < AUDIT_REFUTED && (!how->brief || how->verbose || logged->how != AUDIT_LOGGED))
        audit_logged_text(out, logged);
    if (how->brief && !how->verbose)
        return;
    hex_to(head, result->results.head, HEAD_BYTES);
    str_addf(out,
             "Checked: the chain of %lld record%s; %lld result%s, %lld of them rated; "
             "%lld compared with the game%s; all ratings computed again: %zu in %zu list%s.\nHead: %s\n",
             (long long)result->results.seq, PLURAL(result->results.seq), (long long)result->counts.results,
             PLURAL(result->counts.results), (long long)result->counts.rated, (long long)result->counts.games,
             PLURAL(result->counts.games), result->counts.players, result->results.ladder_count,
             PLURAL(result->results.ladder_count), head);
    if (result->results.seq)
        audit_key_text(out, how, result->results.terms.league_key);
}

static void add_json(struct str *out, const struct audit_game *game, const struct audit_how *how,
                     const struct audit_logged *logged, const struct audit_results_result *result)
{
    json_t *json = json_pack(
        "{s:s,s:s,s:s,s:I,s:I,s:o,s:o,s:b,s:I}", "name", game->name, "competition", RESULTS_NAME, "verdict",
        audit_logged_verdict(logged, result->verdict), "records", (json_int_t)result->results.seq, "exit",
        (json_int_t)audit_logged_code(logged, result->verdict), "checked",
        json_pack("{s:I,s:I,s:I,s:I,s:I}", "results", (json_int_t)result->counts.results, "rated",
                  (json_int_t)result->counts.rated, "games", (json_int_t)result->counts.games, "missing",
                  (json_int_t)result->counts.missing, "lacking", (json_int_t)result->counts.lacking),
        "source", ratings_source(&result->results), "key_given", how->league_key != NULL, "ratings",
        (json_int_t)result->counts.players);
    json_object_set_new(json, "logged", json_boolean(logged->how == AUDIT_LOGGED));
    if (result->verdict >= AUDIT_REFUTED) {
        json_object_set_new(json, "record", json_integer((json_int_t)result->first.seq));
        json_object_set_new(json, "why", json_string(result->first.text));
    }
    json_write(out, json);
    str_addc(out, '\n');
    json_decref(json);
}

int audit_one_results(const struct audit_game *game, const struct audit_how *how, struct str *out,
                      enum audit_verdict *verdict, struct err *err)
{
    struct audit_results_result result;
    struct str journal = STR_INIT;
    *verdict = AUDIT_REFUTED;
    if (file_read(game->journal, JOURNAL_LONGEST, &journal, err)) {
        str_release(&journal);
        return -1;
    }
    const struct audit_results in = {slice_str(&journal), how->league_key, read_game, ask_competition,
                                     (void *)(uintptr_t)game};
    audit_results_run(&in, &result);
    int rc = look_for_hidden(game, &result, err);
    const struct results *read = &result.results;
    const struct audit_whole whole = {RESULTS_NAME, read->seq, read->time,
                                      read->head,   NULL,      read->terms.league_key};
    const struct audit_logged logged = audit_logged(game, &whole, how);
    if (rc == 0 && how->json)
        add_json(out, game, how, &logged, &result);
    else if (rc == 0)
        add_text(out, game, how, &logged, &result);
    *verdict = audit_logged_code(&logged, result.verdict);
    results_release(&result.results);
    str_release(&journal);
    return rc;
}
