#include "browser/browser.h"

#include <stdlib.h>

#include "audit/audit.h"
#include "base/json.h"
#include "base/mem.h"

#define FINDINGS_MOST 1000

struct told {
    json_t *findings;
    int64_t count;
};

static void found(void *arg, const struct audit_finding *finding)
{
    struct told *told = arg;
    if (finding->severity == AUDIT_BROKEN || told->count++ < FINDINGS_MOST)
        json_array_append_new(told->findings, audit_finding_json(finding));
}

static void passed(void *arg, const struct record *record, const struct game *game,
                   const struct sealed_set *opened)
{
    (void)arg, (void)game, (void)opened;
    browser_passed((int32_t)record->seq);
}

void *browser_room(size_t len)
{
    return mem_alloc(len);
}

static json_t *result_json(const struct audit_result *result, const struct told *told)
{
    json_t *audit = audit_json(result, told->findings);
    if (told->count > FINDINGS_MOST)
        json_object_set_new(audit, "left_out", json_integer(told->count - FINDINGS_MOST));
    return json_pack("{s:o}", "audit", audit);
}

const char *browser_audit(const struct browser_game *game)
{
    struct err err = ERR_INIT;
    struct lines journal;
    struct audit audit;
    struct audit_result result;
    struct told told = {json_array(), 0};
    struct str out = STR_INIT;
    lines_memory(&journal, (struct slice){game->journal, game->journal_len});
    audit_init(&audit, &journal);
    audit.league_key = game->key;
    audit.found = found;
    audit.passed = passed;
    audit.arg = &told;
    if (audit_run(&audit, &result, &err)) /* a file cannot be read, and there are none */
        abort();
    json_t *json = result_json(&result, &told);
    json_write(&out, json);
    json_decref(json);
    free(game->journal);
    free(game->key);
    return str_detach(&out);
}
