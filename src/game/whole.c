#include "game/whole.h"

#include <string.h>

#include "journal/record.h"
#include "journal/seal.h"

/* The journal, as it is read. */
struct whole {
    const char *id;
    const unsigned char *master;
    int64_t seq;
    unsigned char head[HEAD_BYTES], create[HEAD_BYTES];
    struct seal_keys keys;
    struct sealed_set opened; /* of the record */
};

static void begin(struct whole *whole, const struct record *create)
{
    struct seal_promise promise;
    memcpy(whole->create, create->head, HEAD_BYTES);
    if (whole->master && seal_promise_read(&promise, whole->id, create->json))
        seal_keys_of(&whole->keys, whole->master, &promise);
}

/* The seal of the mail that vouches for press or an appeal is among their sealed words, which come before it. */
static int check_boxes(const struct whole *whole, struct slice line, struct err *err)
{
    const struct sealed *words = NULL;
    for (size_t i = 0; i < whole->opened.count; i++) {
        const struct sealed *one = &whole->opened.list[i];
        if (!sealed_is_covered(one, line, whole->create) &&
            !(words && sealed_is_covered(one, slice_str(&words->payload), whole->create)))
            return err_set(err, ERR_BROKEN, "its box (item %d) does not hold what its seal says", one->item);
        words = one->item == SEAL_PRESS ? one : words;
    }
    return 0;
}

static int read_line(struct whole *whole, struct slice line, struct err *err)
{
    struct record record;
    const struct record_place place = {whole->id, whole->seq + 1, whole->head};
    if (record_parse(line, &record, err))
        return -1;
    int rc = record_follows(&record, &place, err);
    if (rc == 0) {
        whole->seq = record.seq;
        memcpy(whole->head, record.head, HEAD_BYTES);
        if (record.seq == 1)
            begin(whole, &record);
        sealed_set_clear(&whole->opened);
        sealed_open(&whole->opened, &whole->keys, record.json);
        rc = check_boxes(whole, line, err);
    }
    record_release(&record);
    return rc;
}

int game_whole(struct store *store, const char *id, struct err *err)
{
    struct str journal = STR_INIT;
    struct slice rest, line;
    struct whole whole = {.id = id, .master = store_master(store)};
    int rc = store_read(store, id, STORE_BEGIN, &journal, err);
    rest = slice_str(&journal);
    if (rc == 0 && !rest.len)
        rc = err_set(err, ERR_BROKEN, "games/%s/journal.jsonl holds no record", id);
    while (rc == 0 && slice_whole_line(&rest, &line))
        if (read_line(&whole, line, err))
            rc = err_prefix(err, "games/%s/journal.jsonl, line %lld", id, (long long)whole.seq + 1);
    sealed_set_release(&whole.opened);
    str_release(&journal);
    return rc;
}
