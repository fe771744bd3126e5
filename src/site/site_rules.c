/* The rules and the order language of each game: the texts that RULES and HELP bring by mail. */
#include <string.h>

#include "play/facts.h"
#include "report/page.h"
#include "site/site_parts.h"

/* As HTML. New reference; NULL on error. */
static json_t *words_of(const struct site *site, const struct ruleset *ruleset, const char *name,
                        const json_t *facts, struct err *err)
{
    struct str text = STR_INIT, body = STR_INIT;
    const struct template_name template = {ruleset->folder, name};
    int rc = templates_piece(site->templates, &template, facts, &text, err);
    page_body(&body, slice_str(&text), false);
    json_t *words = rc == 0 ? json_text(slice_str(&body)) : NULL;
    str_release(&text);
    str_release(&body);
    return words;
}

static int put_ruleset(struct site_work *work, const struct ruleset *ruleset, struct err *err)
{
    struct str path = STR_INIT, title = STR_INIT, words = STR_INIT;
    unsigned char key[SITE_KEY];
    str_addf(&path, "rules/%s.html", ruleset->name);
    str_addf(&title, "%s: rules and orders", ruleset->title);
    str_addf(&words, "The rules of %s as they are played here, and all words of its orders.", ruleset->title);
    site_key(work, key, slice_str(&path));
    int rc = 0;
    if (site_out_begin(work->out, path.p, key)) {
        json_t *facts = json_pack("{s:s,s:s,s:i,s:s}", "title", ruleset->title, "ruleset", ruleset->name,
                                  "version", ruleset->version, "rulebook", ruleset->rulebook);
        facts_language(facts, ruleset);
        json_t *rules = words_of(work->site, ruleset, "rules.txt", facts, err);
        json_t *orders = rules ? words_of(work->site, ruleset, "help.txt", facts, err) : NULL;
        rc = orders ? 0 : -1;
        json_object_set_new(facts, "rules_html", rules ? rules : json_null());
        json_object_set_new(facts, "orders_html", orders ? orders : json_null());
        if (rc == 0)
            rc = site_page_put(work, &(struct site_page){path.p, "rules.html", title.p, words.p, NULL, NULL},
                               facts, err);
        json_decref(facts);
    }
    str_release(&path);
    str_release(&title);
    str_release(&words);
    return rc;
}

int site_rules(struct site_work *work, struct err *err)
{
    json_t *facts = json_pack("{s:o}", "rulesets", site_rulesets());
    int rc = site_unit_put(work,
                           &(struct site_page){"rules.html", "rules_all.html", "Rules",
                                               "The rules of all games of the league.", NULL, NULL},
                           facts, err);
    json_decref(facts);
    for (int i = 0; rc == 0 && rulesets[i]; i++)
        rc = put_ruleset(work, rulesets[i], err);
    return rc;
}
