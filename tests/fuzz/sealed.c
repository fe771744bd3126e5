/* Fuzz target: sealed.jsonl. What is read can be written again and gives the same seal; a set of lines finds
 * what it holds and nothing else. */
#include "need.h"

#include <sodium.h>
#include <string.h>

#include "base/json.h"
#include "base/utf8.h"
#include "journal/seal.h"

static void one_line(struct slice line)
{
    unsigned char key[32] = {7}, seal[SEAL_BYTES], salt[32];
    struct sealed sealed, again;
    struct err err = ERR_INIT;
    struct str text = STR_INIT;
    if (sealed_parse(line, &sealed, &err) == 0) {
        need(sealed.seq >= 1 && sealed.seat >= 0 && sealed.seat <= 64 && sealed.item >= 0 &&
             sealed.item <= 1000);
        need(sealed.salted || sealed.item == SEAL_ORDERS);
        if (sealed.salted)
            sealed_write(&(struct sealed_out){&text, NULL}, key,
                         &(struct sealed_place){sealed.seq, sealed.seat, sealed.item},
                         slice_str(&sealed.payload), seal);
        else
            sealed_write_mark(&(struct sealed_out){&text, NULL}, sealed.seq, sealed.seat,
                              slice_str(&sealed.payload));
        need(sealed_parse(slice_trim(slice_str(&text)), &again, &err) == 0);
        need(again.salted == sealed.salted);
        seal_salt(salt, key, sealed.seq, sealed.seat, sealed.item);
        need(!sealed.salted || memcmp(again.salt, salt, sizeof salt) == 0);
        need(again.payload.len == sealed.payload.len &&
             (!again.payload.len || memcmp(again.payload.p, sealed.payload.p, again.payload.len) == 0));
        sealed_release(&again);
    } else {
        need(err.code == ERR_BROKEN && err.text[0] && utf8_valid(slice_of(err.text)));
    }
    sealed_release(&sealed);
    str_release(&text);
}

/* A line without a salt is found by its mark, and by no other. */
static void find_mark(const struct sealed_set *set, const struct sealed *one)
{
    static const unsigned char create[32] = {1};
    unsigned char mark[SEAL_BYTES];
    struct err err = ERR_INIT;
    json_t *says, *payload = json_read(slice_str(&one->payload), "payload", &err);
    if (seal_mark(mark, create, one->seat, payload)) {
        const struct sealed *found = sealed_set_find_signed(
            set, &(struct sealed_text){create, one->seq, one->seat, one->seat, mark}, &says);
        need(found && !found->salted && says);
        json_decref(says);
        need(!sealed_set_find_signed(
            set, &(struct sealed_text){create, one->seq, one->seat, one->seat + 1, mark}, NULL));
        need(!sealed_set_find(set, one->seq, one->seat, one->item, mark));
    }
    json_decref(payload);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct slice text = {(const char *)data, size};
    struct slice rest = text;
    struct slice line;
    struct sealed_set set = {NULL, 0, 0};
    size_t lines = 0;
    for (; slice_line(&rest, &line); lines++)
        one_line(line);
    sealed_set_read(&set, text);
    need(set.count <= lines);
    for (size_t i = 0; i < set.count && i < 20; i++) {
        const struct sealed *one = &set.list[i];
        unsigned char seal[SEAL_BYTES];
        if (!one->salted) {
            find_mark(&set, one);
            continue;
        }
        seal_of(seal, one->salt, slice_str(&one->payload));
        const struct sealed *found = sealed_set_find(&set, one->seq, one->seat, one->item, seal);
        need(found && found->payload.len == one->payload.len);
        seal[0] ^= 1;
        need(sealed_set_find(&set, one->seq, one->seat, one->item, seal) == NULL);
    }
    sealed_set_release(&set);
    return 0;
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc;
    (void)argv;
    need(sodium_init() >= 0);
    return 0;
}
