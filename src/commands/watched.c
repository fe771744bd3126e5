#include "commands/watched.h"

#include <stdlib.h>

#include "base/encode.h"
#include "base/file.h"
#include "base/mem.h"
#include "tlog/policy.h"

#define STATE_MOST ((size_t)16 << 20) /* bytes of what is remembered of a log */

bool watched_any(const struct league *league)
{
    return *league->config.witness.league || *league->config.witness.policy;
}

int watched_log(const struct league *league, struct vkey *log, struct err *err)
{
    const struct config *config = &league->config;
    struct str text = STR_INIT;
    struct policy *policy = mem_alloc(sizeof *policy);
    int rc = *config->witness.league && *config->witness.policy
                 ? file_read(config->witness.policy, POLICY_FILE, &text, err)
                 : err_set(err, ERR_CONFIG,
                           "league.ini: [witness] must name the league's address (league) and its "
                           "league.policy (policy)");
    if (rc == 0)
        rc = policy_parse(slice_str(&text), config->witness.policy, policy, err);
    if (rc == 0 && !policy->logs)
        rc = err_set(err, ERR_CONFIG, "%s names no log", config->witness.policy);
    if (rc == 0)
        *log = policy->log[0].key;
    else
        err->code = ERR_CONFIG;
    free(policy);
    str_release(&text);
    return rc;
}

/* What is known of another log is another file. */
int watched_state(const struct league *league, const struct vkey *log, struct witness_state *state,
                  char **path, struct err *err)
{
    struct str name = STR_INIT, text = STR_INIT;
    char *dir = league_path(league, "witness");
    hex_encode(&name, log->id, VKEY_ID);
    *path = path_join(dir, name.p);
    int rc = file_exists(*path) ? file_read(*path, STATE_MOST, &text, err) : 0;
    if (rc == 0 && text.len && witness_state_parse(slice_str(&text), state, err))
        rc = err_prefix(err, "%s", *path);
    free(dir);
    str_release(&name);
    str_release(&text);
    return rc;
}
