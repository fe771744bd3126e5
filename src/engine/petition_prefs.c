#include <string.h>

#include "engine/petitions.h"

enum { HTML, JSON };

static int act(struct hearing *hearing, struct err *err)
{
    struct player player = *registry_find(&hearing->batch->registry, hearing->player);
    if (!hearing->value[HTML].p && !hearing->value[JSON].p)
        return hearing_refuse(hearing, "The text names nothing to change.");
    if (hearing->value[HTML].p && !hearing_bool(hearing, HTML, &player.html))
        return 0;
    if (hearing->value[JSON].p && !hearing_bool(hearing, JSON, &player.json))
        return 0;
    json_t *evidence = hearing_evidence(hearing);
    struct registry_change change = {.what = "prefs", .player = &player, .evidence = evidence};
    int rc = batch_change(hearing->batch, &change, err);
    json_decref(evidence);
    hearing->answer = "prefs";
    hearing->facts = json_pack("{s:b,s:b}", "html", player.html, "json", player.json);
    return rc;
}

const struct petition petition_prefs = {
    .verb = "prefs",
    .help = "how you want your mails: with or without HTML, with the table as JSON",
    .form = "html: yes\njson: no",
    .fields = {[HTML] = "html", [JSON] = "json"},
    .act = act,
};
