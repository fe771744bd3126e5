#include "audit/audit_results.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "compete/played.h"

__attribute__((format(printf, 4, 5))) static int refute(struct audit_results_result *out, int64_t seq,
                                                        enum audit_kind kind, const char *format, ...)
{
    va_list args;
    out->verdict = AUDIT_REFUTED;
    out->first = (struct audit_finding){.severity = AUDIT_BROKEN, .kind = kind, .seq = seq};
    (void)snprintf(out->first.type, sizeof out->first.type, "%s", seq == 1 ? "create" : "result");
    va_start(args, format);
    (void)vsnprintf(out->first.text, sizeof out->first.text, format, args);
    va_end(args);
    return -1;
}

struct running {
    const struct audit_results *in;
    struct audit_results_result *out;
};

/* Against the game's own journal. */
static int compare(const struct running *run, int64_t seq, const struct results_game *said,
                   struct slice journal)
{
    const struct results_terms *terms = &run->out->results.terms;
    struct err why = ERR_INIT;
    struct played played;
    if (played_read(&played, said->of, journal, terms->league_key, &why))
        return refute(run->out, seq, AUDIT_FORM, "the journal of its game does not hold: %s", why.text);
    enum audit_rated rated =
        *played.competition ? run->in->competition(run->in->arg, played.competition) : AUDIT_RATED;
    if (rated == AUDIT_RATED_UNKNOWN)
        rated = said->unrated == UNRATED_COMPETITION ? AUDIT_RATED_NOT : AUDIT_RATED;
    played_rate(&played, terms, rated == AUDIT_RATED);
    const char *differs = results_differ(said, &played.game);
    if (differs)
        return refute(run->out, seq, AUDIT_RULES, "its \"%s\" is not what the journal of game %s says",
                      differs, said->of);
    run->out->counts.games++;
    return 0;
}

static int each(void *arg, int64_t seq, const struct results_game *game, const struct ladder *ladder,
                struct err *err)
{
    const struct running *run = arg;
    struct str journal = STR_INIT;
    run->out->counts.results++;
    run->out->counts.rated += ladder != NULL;
    if (game->ended > run->out->latest)
        run->out->latest = game->ended;
    int rc = 0;
    if (!run->in->game(run->in->arg, game->of, &journal))
        run->out->counts.missing++;
    else
        rc = compare(run, seq, game, slice_str(&journal));
    str_release(&journal);
    return rc ? err_set(err, ERR_BROKEN, "refuted") : 0;
}

/* Without the words that name the record: the finding has them. */
static const char *words_of(const struct err *why)
{
    const char *text = why->text;
    if (str_starts(text, "results: "))
        text += strlen("results: ");
    const char *end = str_starts(text, "record ") ? strstr(text, "): ") : NULL;
    return end ? end + strlen("): ") : text;
}

void audit_results_run(const struct audit_results *in, struct audit_results_result *result)
{
    struct running run = {in, result};
    const struct results_reading how = {.each = each, .arg = &run};
    struct err why = ERR_INIT;
    memset(result, 0, sizeof *result);
    results_init(&result->results);
    int rc = results_read(&result->results, in->journal, &how, &why);
    if (rc && result->verdict != AUDIT_REFUTED) {
        (void)refute(result, result->results.seq + 1, AUDIT_FORM, "%s", words_of(&why));
        if (why.code == ERR_NEWER)
            result->verdict = AUDIT_NEWER;
    }
    if (result->verdict < AUDIT_REFUTED && in->league_key &&
        memcmp(in->league_key, result->results.terms.league_key, 32) != 0)
        (void)refute(result, 1, AUDIT_LEAGUE_KEY, "it was made with another league key than the one given");
    if (result->verdict < AUDIT_REFUTED && result->counts.missing)
        result->verdict = AUDIT_PARTLY;
    for (size_t i = 0; i < result->results.ladder_count; i++)
        result->counts.players += result->results.ladders[i]->ladder.count;
}

void audit_results_over(struct audit_results_result *result, const char *name,
                        const unsigned char create[HEAD_BYTES], int64_t ended)
{
    char when[CLOCK_TEXT];
    if (result->verdict >= AUDIT_REFUTED || results_has(&result->results, create))
        return;
    clock_utc(when, ended);
    result->counts.lacking++;
    result->verdict = AUDIT_PARTLY;
    if (result->latest > ended + AUDIT_RESULTS_LATE)
        (void)refute(
            result, result->results.seq + 1, AUDIT_ORDER,
            "game %s ended at %s and has no result, but games that ended more than a day later have one",
            name, when);
}

bool audit_is_results(struct slice line)
{
    struct record record;
    struct err ignored = ERR_INIT;
    if (!line.len || record_parse(line, &record, &ignored))
        return false;
    const char *kind = json_string_value(json_object_get(record.json, "kind"));
    bool is =
        record.seq == 1 && strcmp(record.type, "create") == 0 && kind && strcmp(kind, RESULTS_NAME) == 0;
    record_release(&record);
    return is;
}
