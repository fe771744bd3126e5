/* The league's results for the public: the journal from which all ratings follow. */
#include "compete/results.h"

#include <string.h>

#include "compete/ratings.h"
#include "base/json.h"
#include "publish/publish.h"

static void add_lists(const struct results *results, struct bundle *bundle)
{
    json_t *all = ratings_source(results);
    json_object_set_new(all, "rulesets", ratings_lists(results, NULL, results->time));
    json_write_pretty(bundle_add(bundle, "ratings.json"), all);
    json_decref(all);
}

static int add_readme(const struct publish *publish, const struct results *results, struct bundle *bundle,
                      struct err *err)
{
    char print[KEY_FINGERPRINT];
    struct str text = STR_INIT;
    league_fingerprint(publish->league, print);
    json_t *facts =
        json_pack("{s:s,s:I,s:s,s:s}", "league", publish->league->config.league.name, "results",
                  (json_int_t)results->seq - 1, "fingerprint", print, "program", TURNPOST_VERSION);
    int rc = templates_render(publish->templates, &(struct template_name){"common", "published_results.txt"},
                              facts, &text, err);
    if (rc == 0)
        str_addslice(bundle_add(bundle, "README"), slice_str(&text));
    str_release(&text);
    json_decref(facts);
    return rc;
}

int publish_results(const struct publish *publish, struct store *competitions, struct bundle *bundle,
                    struct err *err)
{
    struct results results;
    struct str lines = STR_INIT;
    results_init(&results);
    int rc = store_read(competitions, RESULTS_NAME, STORE_BEGIN, &lines, err);
    if (rc == 0)
        rc = results_read(&results, slice_str(&lines), &(struct results_reading){.until = 0}, err);
    if (rc == 0 && memcmp(results.terms.league_key, publish->league->key.point, 32) != 0)
        rc = err_set(err, ERR_INPUT, "the results name the key of another league");
    if (rc == 0) {
        str_addslice(bundle_add(bundle, "journal.jsonl"), slice_str(&lines));
        rc = bundle_add_head(bundle, publish->log, RESULTS_NAME, results.seq, results.time, err);
    }
    if (rc == 0) {
        add_lists(&results, bundle);
        rc = add_readme(publish, &results, bundle, err);
    }
    results_release(&results);
    str_release(&lines);
    return rc;
}
