#include "league/own_secrets.h"

#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#include "base/encode.h"
#include "base/json.h"
#include "league/registry_documents.h"

#define LABEL "turnpost/master"

json_t *own_secrets_document(const struct league *league)
{
    unsigned char check[32];
    char draws[2 * VRF_PUBLIC + 1], seals[65];
    crypto_generichash(check, sizeof check, (const unsigned char *)LABEL, sizeof LABEL, league->master,
                       sizeof league->master);
    hex_to(draws, league->vrf_public, VRF_PUBLIC);
    hex_to(seals, check, sizeof check);
    return json_pack("{s:s,s:s}", "draws", draws, "seals", seals);
}

static int compare(const json_t *own, const json_t *recorded, struct err *err)
{
    static const char *const files[][2] = {{"draws", "keys/secret/vrf"}, {"seals", "keys/secret/master"}};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        if (!json_equal(json_object_get(own, files[i][0]), json_object_get(recorded, files[i][0])))
            return err_set(err, ERR_CONFIG,
                           "%s is not the key that this league began with (" OWN_SECRETS
                           "): nothing is done with another one; take it from a backup",
                           files[i][1]);
    return 0;
}

int own_secrets_check(const struct league *league, bool *lacking, struct err *err)
{
    struct registry_found found = {.document = NULL};
    struct err why = ERR_INIT;
    char *path = league_path(league, OWN_SECRETS);
    json_t *own = own_secrets_document(league), *file = json_read_file(path, &why);
    int rc = 0;
    *lacking = !json_equal(own, file);
    if (*lacking)
        rc = registry_document(league->dir, OWN_SECRETS, &found, err);
    if (rc == 0 && found.document)
        rc = compare(own, found.document, err);
    json_decref(found.document);
    json_decref(file);
    json_decref(own);
    free(path);
    return rc;
}
