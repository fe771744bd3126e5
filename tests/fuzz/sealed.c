/* Fuzz target: boxes. What is put into one comes out of it again, and nothing does that was changed; lines
 * `open GAME SEQ ITEM K` and records of any form are read. */
#include "need.h"

#include <sodium.h>
#include <string.h>

#include "base/json.h"
#include "journal/seal.h"

/* The input as what is sealed, in a hidden draw. */
static void there_and_back(struct slice payload)
{
    static const unsigned char key[32] = {7};
    const struct sealed_place place = {3, 0, SEAL_HIDDEN};
    struct sealed_set made = {NULL, 0, 0}, opened = {NULL, 0, 0};
    struct seal_keys keys = {.seals = true};
    struct str box = STR_INIT;
    unsigned char seal[SEAL_BYTES];
    char hex[2 * SEAL_BYTES + 1];
    memcpy(keys.seal, key, sizeof key);
    seal_put(&made, key, &place, payload, seal, &box);
    (void)sodium_bin2hex(hex, sizeof hex, seal, sizeof seal);
    json_t *record = json_pack("{s:i,s:s,s:[{s:s,s:s}]}", "seq", 3, "type", "turn", "hidden", "box",
                               box.p ? box.p : "", "seal", hex);
    sealed_open(&opened, &keys, record);
    need(opened.count == 1);
    const struct sealed *found = sealed_set_find(&opened, 3, 0, SEAL_HIDDEN, seal);
    need(found && found->payload.len == payload.len &&
         (!payload.len || memcmp(found->payload.p, payload.p, payload.len) == 0));
    need(sealed_is_boxed(&made.list[0], record, NULL));
    seal[0] ^= 1;
    need(!sealed_set_find(&opened, 3, 0, SEAL_HIDDEN, seal));
    json_decref(record);
    sealed_set_release(&made);
    sealed_set_release(&opened);
    str_release(&box);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct slice text = {(const char *)data, size}, rest = text, line;
    struct seal_openings openings = {NULL, 0, 0};
    there_and_back(text);
    seal_openings_read(&openings, "gc-1", text);
    const struct seal_keys keys = {.seals = true, .presses = true, .only = &openings};
    const struct seal_keys few = {.only = &openings};
    for (int count = 0; count < 20 && slice_line(&rest, &line); count++) {
        struct err err = ERR_INIT;
        struct sealed_set set = {NULL, 0, 0};
        json_t *record = json_read(line, "record", &err);
        sealed_open(&set, &keys, record);
        for (size_t i = 0; i < set.count; i++)
            need(set.list[i].seq >= 0 && set.list[i].item >= 0 && set.list[i].item <= SEAL_EVIDENCE);
        sealed_set_clear(&set);
        sealed_open(&set, &few, record);
        sealed_set_release(&set);
        json_decref(record);
    }
    seal_openings_release(&openings);
    return 0;
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc;
    (void)argv;
    need(sodium_init() >= 0);
    return 0;
}
