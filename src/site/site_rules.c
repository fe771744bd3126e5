/* The rules and the order language of each game: the texts that RULES and HELP bring by mail. */
#include <string.h>

#include "play/facts.h"
#include "report/page.h"
#include "site/site_parts.h"

static int add_words(const struct site *site, const struct ruleset *ruleset, const char *name, json_t *facts,
                     const char *member, struct err *err)
{
    struct str text = STR_INIT, body = STR_INIT;
    int rc =
        templates_piece(site->templates, &(struct template_name){ruleset->folder, name}, facts, &text, err);
    page_body(&body, slice_str(&text));
    if (rc == 0)
        json_object_set_new(facts, member, json_text(slice_str(&body)));
    str_release(&text);
    str_release(&body);
    return rc;
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
        rc = add_words(work->site, ruleset, "rules.txt", facts, "rules_html", err);
        if (rc == 0)
            rc = add_words(work->site, ruleset, "help.txt", facts, "orders_html", err);
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
        if (ruleset_is_newest(rulesets[i]))
            rc = put_ruleset(work, rulesets[i], err);
    return rc;
}
