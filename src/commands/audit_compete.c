/* `turnpost audit` of a competition: its journal, held against what its games' journals say. */
#include "commands/audit.h"

#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#include "audit/audit_compete.h"
#include "base/clock.h"
#include "base/encode.h"
#include "base/file.h"
#include "base/json.h"
#include "base/mem.h"
#include "compete/results.h"
#include "league/league.h"

#define PREVIOUS_MAX ((size_t)1 << 30) /* bytes of a journal */

struct seen {
    const struct audit_how *how;
    json_t *findings;
    struct str words;
    struct audit_logged logged;
    struct audit_played *games;
    size_t count, cap;
    bool dealt[COMPETE_ROUNDS + 1]; /* the deal of this round is known from a game that is open */
};

/* ---- the season before ---- */

static const char *previous_name(const char *journal, struct record *record)
{
    struct lines lines;
    struct slice line;
    struct err ignored = ERR_INIT; /* the audit says what is wrong */
    const char *name = NULL;
    if (lines_open(journal, RECORD_MAX + 1, &lines, &ignored))
        return NULL;
    if (lines_next(&lines, &line, &ignored) == 0 && line.len && record_parse(line, record, &ignored) == 0) {
        name = json_string_value(json_object_get(record->json, "previous"));
        if (!name || !compete_name_valid(slice_of(name))) {
            record_release(record);
            name = NULL;
        }
    }
    lines_close(&lines);
    return name;
}

/* The one that `create` names, in the folder beside this one. False: it is not there, or its own audit finds it broken. */
static bool take_previous(const struct audit_game *game, struct competition *previous)
{
    struct str path = STR_INIT, text = STR_INIT;
    struct record record;
    struct err ignored = ERR_INIT;
    const char *name = previous_name(game->journal, &record), *slash = strrchr(game->journal, '/');
    competition_init(previous);
    if (!name)
        return false;
    if (slash)
        str_add(&path, game->journal, (size_t)(slash + 1 - game->journal));
    str_addf(&path, "../%s/journal.jsonl", name);
    bool there = file_read(path.p, PREVIOUS_MAX, &text, &ignored) == 0 &&
                 competition_read(previous, name, slice_str(&text), &ignored) == 0;
    record_release(&record);
    str_release(&path);
    str_release(&text);
    return there;
}

/* The league's results, likewise beside it, where the conditions of entering may need them. */
static void read_results(const struct audit_game *game, struct str *journal)
{
    struct str path = STR_INIT;
    struct err ignored = ERR_INIT; /* then what was found is the operator's word */
    const char *slash = strrchr(game->journal, '/');
    if (slash)
        str_add(&path, game->journal, (size_t)(slash + 1 - game->journal));
    str_addf(&path, "../%s/journal.jsonl", RESULTS_NAME);
    if (!file_exists(path.p) || file_read(path.p, PREVIOUS_MAX, journal, &ignored))
        str_clear(journal);
    str_release(&path);
}

/* ---- the games ---- */

static void passed(void *arg, const struct record *record, const struct game *game,
                   const struct sealed_set *opened)
{
    (void)opened;
    audit_played_take(arg, record, game);
}

/* What the first record of a game says of its competition. */
struct origin {
    bool ours, lockstep;
    int round; /* 0 = none that can be */
};

static struct origin read_name(const char *journal, const char *competition)
{
    struct origin origin = {.ours = false};
    struct lines lines;
    struct slice line;
    struct record record;
    struct err ignored = ERR_INIT; /* its own audit says what is wrong */
    if (lines_open(journal, RECORD_MAX + 1, &lines, &ignored))
        return origin;
    if (lines_next(&lines, &line, &ignored) == 0 && line.len && record_parse(line, &record, &ignored) == 0) {
        const json_t *place = json_object_get(record.json, "compete");
        const char *name = json_string_value(json_object_get(place, "name"));
        json_int_t round = json_integer_value(json_object_get(place, "round"));
        origin.ours = name && (!competition || strcmp(name, competition) == 0);
        origin.lockstep = json_object_get(record.json, "lockstep") != NULL;
        origin.round = round >= 1 && round <= COMPETE_ROUNDS ? (int)round : 0;
        record_release(&record);
    }
    lines_close(&lines);
    return origin;
}

/* The public part of it: the rules are played in its own audit. But of each deal one game is played here, too, as the robots
 * play what was dealt. */
static int take_game(struct seen *seen, const char *journal, const struct origin *origin, struct err *err)
{
    struct lines lines;
    struct audit audit;
    unsigned char master[32];
    struct audit_result result;
    bool plays = origin->lockstep && !seen->dealt[origin->round];
    if (lines_open(journal, RECORD_MAX + 1, &lines, err))
        return -1;
    seen->games = mem_grow(seen->games, seen->count, &seen->cap, sizeof *seen->games);
    struct audit_played *played = &seen->games[seen->count++];
    memset(played, 0, sizeof *played);
    audit_init(&audit, &lines);
    audit.master = plays && league_master_of(journal, master) ? master : NULL;
    audit.view = plays ? AUDIT_MODERATOR : AUDIT_PUBLIC;
    audit.shut = !plays;
    audit.league_key = seen->how->league_key;
    audit.passed = passed;
    audit.arg = played;
    int rc = audit_run(&audit, &result, err);
    sodium_memzero(master, sizeof master);
    played->broken = rc == 0 && result.verdict >= AUDIT_REFUTED;
    seen->dealt[origin->round] |= played->deal.state != NULL;
    lines_close(&lines);
    return rc;
}

static int take_games(struct seen *seen, const struct audit_game *game, struct err *err)
{
    struct file_names names;
    int rc = 0;
    if (!*game->games)
        return 0;
    if (file_list(game->games, &names, err))
        return -1;
    for (size_t i = 0; rc == 0 && i < names.count; i++) {
        struct str path = STR_INIT;
        str_addf(&path, "%s/%s/journal.jsonl", game->games, names.name[i]);
        struct origin origin = read_name(path.p, game->id);
        if (origin.ours)
            rc = take_game(seen, path.p, &origin, err);
        str_release(&path);
    }
    file_names_free(&names);
    return rc;
}

/* ---- what is printed ---- */

static void found(void *arg, const struct audit_finding *finding)
{
    struct seen *seen = arg;
    if (seen->findings)
        json_array_append_new(seen->findings, audit_finding_json(finding));
    if (finding->severity != AUDIT_BROKEN)
        str_addf(&seen->words, "- record %lld: %s\n", (long long)finding->seq, finding->text);
}

static void add_count(struct str *out, int64_t count, const char *one, const char *many)
{
    if (count)
        str_addf(out, "%s%lld %s", out->len ? ", " : "", (long long)count, count == 1 ? one : many);
}

static void add_words(struct str *out, const struct audit_competition_result *result)
{
    struct str words = STR_INIT;
    add_count(&words, result->counts.adjusted, "act of a moderator", "acts of moderators");
    add_count(&words, result->counts.figures, "entry whose conditions nobody can compute again",
              "entries whose conditions nobody can compute again");
    add_count(&words, result->counts.unasked, "withdrawal that nobody signed",
              "withdrawals that nobody signed");
    add_count(&words, result->counts.vouched, "entry by a mail domain", "entries by mail domains");
    add_count(&words, result->counts.strangers, "text signed by another key than the one before",
              "texts signed by other keys than those before");
    add_count(&words, result->counts.late, "player who left in the last day before a draw",
              "players who left in the last day before a draw");
    add_count(&words, result->counts.robots, "seat that was a robot's from the start",
              "seats that were a robot's from the start");
    add_count(&words, result->counts.absent, "answer of a witness that a draw did not wait for",
              "answers of witnesses that draws did not wait for");
    add_count(&words, result->counts.moderated, "game in which moderators decided",
              "games in which moderators decided");
    add_count(&words, result->counts.overtime, "result of a game that ended after its round",
              "results of games that ended after their rounds");
    add_count(&words, result->counts.outside, "result outside of the ranking",
              "results outside of the ranking");
    add_count(&words, result->counts.uneven, "turn that ended later than in another game",
              "turns that ended later than in another game");
    add_count(&words, result->counts.unplayed, "field of robots", "fields of robots");
    add_count(&words, result->counts.unlike, "game of other settings than the first",
              "games of other settings than the first");
    str_addf(out, "On the operator's word: %s.\n", words.len ? words.p : "nothing");
    str_release(&words);
}

/* Could the operator choose among draws? */
static void add_witnesses(struct str *out, const struct audit_competition_result *result)
{
    if (!result->witnesses)
        str_adds(
            out,
            "Witnesses of its draws: none. Whoever changed the entries last, and knew the league's key of "
            "draws, could choose among them.\n");
    else if (result->gave_up)
        str_addf(
            out,
            "Witnesses of its draws: %d, of whom %d had to answer, up to round %d; from then on none, as "
            "too few had answered.\n",
            result->witnesses, result->need, result->gave_up - 1);
    else
        str_addf(out,
                 "Witnesses of its draws: %d, of whom %d have to answer: nobody knew a draw before who plays "
                 "was fixed.\n",
                 result->witnesses, result->need);
}

static void add_course(struct str *out, const struct audit_competition_result *result)
{
    char begun[CLOCK_TEXT], ended[CLOCK_TEXT];
    clock_utc(begun, result->begun);
    clock_utc(ended, result->ended);
    str_addf(out,
             "%s, a competition (%s) of %zu player%s; %lld record%s from %.10s to %.10s; %d of %d rounds "
             "drawn; %s.\n",
             result->ruleset ? result->ruleset->title : "An unknown game", result->kind, result->players,
             PLURAL(result->players), (long long)result->records, PLURAL(result->records), begun, ended,
             result->rounds_drawn, result->rounds, result->closed ? "closed" : "not over");
    str_addf(
        out,
        "Checked: the chain of %lld record%s; %lld signed entr%s; the draws of "
        "%lld round%s with %lld table%s; %lld result%s, %lld of them adjudged; %lld game%s, each that of its "
        "table%s.\n",
        (long long)result->records, PLURAL(result->records), (long long)result->counts.signatures,
        result->counts.signatures == 1 ? "y" : "ies", (long long)result->counts.draws,
        PLURAL(result->counts.draws), (long long)result->counts.tables, PLURAL(result->counts.tables),
        (long long)result->counts.results, PLURAL(result->counts.results), (long long)result->counts.adjudged,
        (long long)result->counts.games, PLURAL(result->counts.games),
        result->closed ? "; the final table" : "");
    if (result->counts.fields)
        str_addf(out, "Played again: the robots of %lld deal%s.\n", (long long)result->counts.fields,
                 PLURAL(result->counts.fields));
}

static void add_verdict(struct str *out, const char *name, const struct audit_logged *logged,
                        const struct audit_competition_result *result)
{
    const struct audit_finding *first = &result->first;
    bool newer = result->verdict == AUDIT_NEWER;
    str_addf(out, "%s: %s", name, audit_logged_verdict(logged, result->verdict));
    if (result->verdict >= AUDIT_REFUTED) {
        str_addf(out, newer ? " from record %lld on" : " at record %lld", (long long)first->seq);
        if (*first->type)
            str_addf(out, " (%s)", first->type);
        str_addf(out, " because %s", first->text);
    } else if (result->verdict == AUDIT_PARTLY) {
        str_addf(out, ": %lld of its games %s not there", (long long)result->counts.missing,
                 result->counts.missing == 1 ? "is" : "are");
    }
    str_addc(out, '\n');
}

static void add_text(struct str *out, const struct audit_game *game, const struct seen *seen,
                     const struct audit_competition_result *result)
{
    add_verdict(out, game->name, &seen->logged, result);
    if (!seen->how->brief || seen->how->verbose) {
        add_words(out, result);
        add_witnesses(out, result);
        add_course(out, result);
        if (*result->name)
            audit_key_text(out, seen->how, result->league_key);
        str_addslice(out, slice_str(&seen->words));
    }
    if (result->verdict < AUDIT_REFUTED &&
        (!seen->how->brief || seen->how->verbose || seen->logged.how != AUDIT_LOGGED))
        audit_logged_text(out, &seen->logged);
}

static void add_hex(json_t *json, const char *name, const unsigned char bytes[32])
{
    char text[65];
    hex_to(text, bytes, 32);
    json_object_set_new(json, name, json_string(text));
}

static void add_json(struct str *out, const struct audit_game *game, const struct seen *seen,
                     const struct audit_competition_result *result)
{
    json_t *json = json_pack("{s:s,s:s,s:s,s:I,s:i,s:i,s:b,s:I,s:O}", "name", game->name, "competition",
                             result->name, "verdict", audit_logged_verdict(&seen->logged, result->verdict),
                             "records", (json_int_t)result->records, "rounds", result->rounds, "rounds_drawn",
                             result->rounds_drawn, "closed", result->closed, "players",
                             (json_int_t)result->players, "findings", seen->findings);
    json_object_set_new(
        json, "checked",
        json_pack("{s:I,s:I,s:I,s:I,s:I,s:I}", "signatures", (json_int_t)result->counts.signatures, "draws",
                  (json_int_t)result->counts.draws, "tables", (json_int_t)result->counts.tables, "results",
                  (json_int_t)result->counts.results, "games", (json_int_t)result->counts.games, "missing",
                  (json_int_t)result->counts.missing));
    json_object_set_new(json_object_get(json, "checked"), "fields",
                        json_integer((json_int_t)result->counts.fields));
    json_object_set_new(
        json, "word",
        json_pack("{s:I,s:I,s:I,s:I,s:I,s:I,s:I,s:I,s:I,s:I,s:I,s:I,s:I}", "figures",
                  (json_int_t)result->counts.figures, "outside", (json_int_t)result->counts.outside, "uneven",
                  (json_int_t)result->counts.uneven, "unplayed", (json_int_t)result->counts.unplayed,
                  "adjusted", (json_int_t)result->counts.adjusted, "unsigned",
                  (json_int_t)result->counts.unasked, "vouched", (json_int_t)result->counts.vouched,
                  "strangers", (json_int_t)result->counts.strangers, "late", (json_int_t)result->counts.late,
                  "robots", (json_int_t)result->counts.robots, "moderated",
                  (json_int_t)result->counts.moderated, "unlike", (json_int_t)result->counts.unlike,
                  "overtime", (json_int_t)result->counts.overtime));
    if (result->verdict >= AUDIT_REFUTED)
        json_object_set_new(json, "record", json_integer((json_int_t)result->first.seq));
    json_object_set_new(json, "witnesses",
                        json_pack("{s:i,s:i,s:i,s:I}", "count", result->witnesses, "quorum", result->need,
                                  "unwitnessed", result->gave_up, "absent",
                                  (json_int_t)result->counts.absent));
    add_hex(json, "league_key", result->league_key);
    add_hex(json, "head", result->head);
    json_object_set_new(json, "logged", json_boolean(seen->logged.how == AUDIT_LOGGED));
    json_object_set_new(json, "exit",
                        json_integer((json_int_t)audit_logged_code(&seen->logged, result->verdict)));
    json_object_set_new(json, "key_given", json_boolean(seen->how->league_key != NULL));
    json_write(out, json);
    str_addc(out, '\n');
    json_decref(json);
}

int audit_one_competition(const struct audit_game *game, const struct audit_how *how, struct str *out,
                          enum audit_verdict *verdict, struct err *err)
{
    struct seen seen = {.how = how, .findings = how->json ? json_array() : NULL, .words = STR_INIT};
    struct audit_competition_result result;
    struct competition previous;
    struct str results = STR_INIT;
    struct lines journal;
    bool known = take_previous(game, &previous);
    read_results(game, &results);
    int rc = take_games(&seen, game, err);
    if (rc == 0)
        rc = lines_open(game->journal, RECORD_MAX + 1, &journal, err);
    if (rc == 0) {
        const struct audit_competition in = {.journal = &journal,
                                             .name = game->id,
                                             .league_key = how->league_key,
                                             .games = seen.games,
                                             .count = seen.count,
                                             .results = slice_str(&results),
                                             .previous = known ? &previous : NULL,
                                             .whole = *game->games != '\0',
                                             .found = found,
                                             .arg = &seen};
        rc = audit_competition_run(&in, &result, err);
        lines_close(&journal);
    }
    if (rc == 0) {
        const struct audit_whole whole = {result.name, result.records, result.ended,
                                          result.head, NULL,           result.league_key};
        seen.logged = audit_logged(game, &whole, how);
    }
    if (rc == 0 && how->json)
        add_json(out, game, &seen, &result);
    else if (rc == 0)
        add_text(out, game, &seen, &result);
    *verdict = rc ? AUDIT_REFUTED : audit_logged_code(&seen.logged, result.verdict);
    for (size_t i = 0; i < seen.count; i++)
        audit_played_release(&seen.games[i]);
    free(seen.games);
    competition_release(&previous);
    str_release(&results);
    str_release(&seen.words);
    json_decref(seen.findings);
    return rc ? err_prefix(err, "%s", game->journal) : 0;
}
