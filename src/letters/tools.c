#include "letters/tools.h"

static void put(json_t *tools, enum key_kind kind)
{
    json_object_set_new(tools, key_commands(kind), json_true());
}

static json_t *make(const struct pubkey *keys, size_t count)
{
    json_t *tools = json_object();
    for (int kind = 0; !count && key_kind_known(kind); kind++)
        if (key_offered((enum key_kind)kind))
            put(tools, (enum key_kind)kind);
    for (size_t i = 0; i < count; i++)
        put(tools, keys[i].kind);
    bool several = json_object_size(tools) > 1;
    json_object_set_new(tools, "several", json_boolean(several));
    json_object_set_new(tools, "page_only", json_boolean(!several && json_object_get(tools, "passkey")));
    return tools;
}

void tools_add(json_t *facts, const struct pubkey *keys, size_t count)
{
    json_t *tools = make(keys, count);
    json_object_set_new(tools, "given", json_true());
    json_object_set_new(facts, "tools", tools);
}

void tools_add_of(json_t *facts, const struct keyring *ring, const char *player)
{
    struct pubkey keys[KEYS_PER_PLAYER];
    if (json_object_get(json_object_get(facts, "tools"), "given"))
        return;
    size_t count = ring && player && *player ? keyring_of(ring, player, keys) : 0;
    json_object_set_new(facts, "tools", make(keys, count));
}
