/* Players without keys whose mail domain is one: its administrator could sign for both. */
#include "publish/suspicion.h"

#include <string.h>
#include <strings.h>

#include "league/domain_root.h"

/* Without what many servers overlook: "a.b+c" is "ab". */
static void fold(char out[PLAYER_ADDRESS], const char *address)
{
    size_t len = strcspn(address, "+@"), kept = 0;
    for (size_t i = 0; i < len && kept < PLAYER_ADDRESS - 1; i++)
        if (address[i] != '.')
            out[kept++] = address[i];
    out[kept] = '\0';
}

static const struct player *keyless(const struct registry *registry, const json_t *pair, const char *side)
{
    const char *name = json_string_value(json_object_get(pair, side));
    const struct player *player = name ? registry_find(registry, name) : NULL;
    return player && player->by_mail ? player : NULL;
}

static void look_at(json_t *pair, const struct registry *registry, const struct config *config)
{
    char one[PLAYER_ADDRESS], other[PLAYER_ADDRESS];
    const struct player *a = keyless(registry, pair, "a"), *b = keyless(registry, pair, "b");
    const char *domain = a ? strrchr(a->address, '@') : NULL, *second = b ? strrchr(b->address, '@') : NULL;
    if (!domain || !second || strcasecmp(domain_root(domain + 1), domain_root(second + 1)) != 0)
        return;
    fold(one, a->address);
    fold(other, b->address);
    bool mailbox = strcasecmp(one, other) == 0 && strcasecmp(domain, second) == 0;
    if (!mailbox && config_shares(config, domain + 1))
        return;
    json_object_set_new(pair, "domain",
                        json_pack("{s:s,s:b}", "name", domain_root(domain + 1), "mailbox", mailbox));
    json_object_set_new(pair, "notable", json_true());
}

void suspicion_domains(json_t *report, const struct registry *registry, const struct config *config)
{
    size_t i;
    json_t *pair;
    json_array_foreach (json_object_get(report, "pairs"), i, pair)
        look_at(pair, registry, config);
}
