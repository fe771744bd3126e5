/* A competition for the public: its journal, and its games beside it. */
#include <stdlib.h>
#include <string.h>

#include "compete/competition.h"
#include "publish/publish.h"

static int add_game(const struct publish *publish, const char *id, struct bundle *bundle, struct err *err)
{
    struct publish how = *publish;
    struct bundle own = {NULL, 0, 0};
    how.game = id;
    int rc = publish_shown(&how, &own, err);
    for (size_t i = 0; rc == 0 && i < own.count; i++) {
        struct str name = STR_INIT;
        str_addf(&name, "games/%s/%s", id, own.file[i].name);
        str_addslice(bundle_add(bundle, name.p), slice_str(&own.file[i].bytes));
        str_release(&name);
    }
    bundle_release(&own);
    return rc;
}

/* Those that `made` names, and those that it is about to name. */
static int add_games(const struct publish *publish, const struct competition *c, struct bundle *bundle,
                     struct err *err)
{
    int rc = 0;
    for (size_t i = 0; rc == 0 && i < c->table_count; i++) {
        char id[GAME_NAME];
        compete_game_name(id, c, c->tables[i].round, c->tables[i].number);
        if (c->tables[i].made || store_has(publish->store, id))
            rc = add_game(publish, id, bundle, err);
    }
    return rc;
}

static int add_readme(const struct publish *publish, const struct competition *c, struct bundle *bundle,
                      struct err *err)
{
    char print[KEY_FINGERPRINT];
    struct str text = STR_INIT;
    league_fingerprint(publish->league, print);
    json_t *facts = json_pack("{s:s,s:s,s:s,s:I,s:b,s:s,s:s}", "league", publish->league->config.league.name,
                              "competition", c->name, "title", c->ruleset->title, "seq", (json_int_t)c->seq,
                              "closed", c->closed, "fingerprint", print, "program", TURNPOST_VERSION);
    int rc = templates_render(publish->templates,
                              &(struct template_name){c->ruleset->folder, "published_competition.txt"}, facts,
                              &text, err);
    if (rc == 0)
        str_addslice(bundle_add(bundle, "README"), slice_str(&text));
    str_release(&text);
    json_decref(facts);
    return rc;
}

int publish_competition(const struct publish *publish, struct store *competitions, struct bundle *bundle,
                        struct err *err)
{
    struct competition c;
    struct str lines = STR_INIT;
    competition_init(&c);
    int rc = store_read(competitions, publish->game, STORE_BEGIN, &lines, err);
    if (rc == 0)
        rc = competition_read(&c, publish->game, slice_str(&lines), err);
    if (rc == 0 && memcmp(c.keys.league, publish->league->key.point, sizeof c.keys.league) != 0)
        rc = err_set(err, ERR_INPUT, "the journal of %s names the key of another league", c.name);
    if (rc == 0) {
        str_addslice(bundle_add(bundle, "journal.jsonl"), slice_str(&lines));
        rc = bundle_add_head(bundle, publish->log, c.name, c.seq, c.time, err);
    }
    if (rc == 0) {
        rc = add_readme(publish, &c, bundle, err) || add_games(publish, &c, bundle, err) ? -1 : 0;
    }
    competition_release(&c);
    str_release(&lines);
    return rc;
}
