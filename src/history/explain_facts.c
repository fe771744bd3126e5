#include "history/explain_parts.h"

#include "base/changes.h"
#include "base/encode.h"
#include "base/moment.h"

bool explain_all(const struct explaining *x)
{
    return casefile_open_to(x->file, &x->reader, 0);
}

void explain_time(json_t *facts, const char *key, int64_t time)
{
    json_object_set_new(facts, key, moment_dated_json(time));
}

void explain_hex(json_t *facts, const char *key, const void *bytes, size_t len)
{
    struct str text = STR_INIT;
    hex_encode(&text, bytes, len);
    json_object_set_new(facts, key, json_string(text.p));
    str_release(&text);
}

json_t *explain_fields(const struct explaining *x, const void *before, const void *after)
{
    json_t *was = fields_json(x->game.ruleset->fields, before);
    json_t *is = fields_json(x->game.ruleset->fields, after);
    json_t *changes = json_changes(was, is);
    json_decref(was);
    json_decref(is);
    return changes;
}
