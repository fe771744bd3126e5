#include "league/policy_file.h"

#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#include "base/encode.h"
#include "base/file.h"
#include "base/mem.h"

#define ORIGIN_RANDOM 8
#define ALL_MAY_READ  0644

int policy_file_find(const char *league_dir, bool *there, struct err *err)
{
    char *path = path_join(league_dir, LEAGUE_POLICY),
         *entries = path_join(league_dir, LEAGUE_LOG_FOLDER "/entries");
    *there = file_exists(path);
    int rc = *there || file_size(entries) <= 0 ? 0
                                               : err_set(err, ERR_CONFIG,
                                                         "%s is gone, and the log that it names is there: "
                                                         "put it back from a backup or from the site",
                                                         path);
    free(path);
    free(entries);
    return rc;
}

int policy_file_read(const char *league_dir, const unsigned char key[VKEY_PUBLIC], struct policy *policy,
                     struct err *err)
{
    struct str text = STR_INIT;
    char *path = path_join(league_dir, LEAGUE_POLICY);
    int rc = file_read(path, POLICY_FILE, &text, err);
    if (rc == 0)
        rc = policy_parse(slice_str(&text), path, policy, err);
    if (rc == 0 && (!policy->logs || memcmp(policy->log[0].key.public, key, VKEY_PUBLIC) != 0))
        rc = err_set(err, ERR_CONFIG, "%s has to name first a log with the key of keys/league.pub", path);
    str_release(&text);
    free(path);
    return rc;
}

int policy_file_check(const char *league_dir, const unsigned char key[VKEY_PUBLIC], struct err *err)
{
    struct policy *policy = mem_alloc(sizeof *policy);
    bool there;
    int rc = policy_file_find(league_dir, &there, err);
    if (rc == 0 && there)
        rc = policy_file_read(league_dir, key, policy, err);
    free(policy);
    return rc;
}

int policy_file_make(const char *league_dir, const char *address, const unsigned char key[VKEY_PUBLIC],
                     const struct policy *before, struct err *err)
{
    unsigned char random[ORIGIN_RANDOM];
    struct str origin = STR_INIT, text = STR_INIT;
    struct policy *policy = mem_alloc(sizeof *policy);
    char *path = path_join(league_dir, LEAGUE_POLICY);
    const char *at = strrchr(address, '@');
    randombytes_buf(random, sizeof random);
    str_addf(&origin, "%s/turnpost/", at ? at + 1 : "localhost");
    hex_encode(&origin, random, sizeof random);
    *policy = before ? *before : (struct policy){.logs = 0, .quorum = POLICY_NONE};
    if (policy->logs < POLICY_MOST)
        policy->logs++;
    memmove(policy->log + 1, policy->log, (size_t)(policy->logs - 1) * sizeof *policy->log);
    *policy->log[0].url = '\0';
    vkey_make(&policy->log[0].key, slice_str(&origin), VKEY_SIGNER, key);
    policy_write(&text, policy);
    int rc = file_write(path, slice_str(&text), ALL_MAY_READ, err);
    str_release(&origin);
    str_release(&text);
    free(policy);
    free(path);
    return rc;
}
