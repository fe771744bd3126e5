#include "game/game_load.h"

#include <string.h>

#include "base/encode.h"
#include "base/version.h"
#include "game/apply.h"
#include "game/cache.h"
#include "game/members.h"

/* A member that is not known may mean anything. */
static int known_members(const struct record *record, struct err *err)
{
    const char *stranger = members_stranger(record);
    return stranger ? version_newer(err, "record %lld (%s): its member \"%.40s\"", (long long)record->seq,
                                    record->type, stranger)
                    : 0;
}

int game_replay(struct game *game, struct slice lines, const struct sealed_set *sealed, int64_t last,
                struct past *past, struct err *err)
{
    const char *at = lines.p;
    const char *end = lines.p + lines.len;
    while (at < end && game->seq < last) {
        const char *stop = memchr(at, '\n', (size_t)(end - at));
        if (!stop)
            break;
        struct slice line = {at, (size_t)(stop - at) + 1};
        struct record record;
        if (record_parse(line, &record, err))
            return err_prefix(err, "%s, record %lld", game->id, (long long)game->seq + 1);
        /* `create` names the key that signs it and all that follow; the caller compares it with the league's.
         */
        const unsigned char *key = game->league_key;
        unsigned char own[32];
        const char *named = json_string_value(json_object_get(record.json, "league_key"));
        if (game->seq == 0 && named && hex_decode(own, 32, slice_of(named)))
            key = own;
        int rc = known_members(&record, err);
        if (rc == 0)
            rc = record_check(&record, line, &(struct record_place){game->id, game->seq + 1, game->head}, key,
                              err);
        if (rc == 0)
            rc = game_apply(game, &record, game->length + (int64_t)line.len, sealed, NULL, past, err);
        record_release(&record);
        if (rc == 0)
            rc = past_keep(past, game, err);
        if (rc)
            return err_prefix(err, "%s", game->id);
        at = stop + 1;
    }
    return 0;
}

static int load(struct store *store, const char *id, const unsigned char master[32], bool mend, int64_t last,
                struct game *game, struct err *err)
{
    struct str lines = STR_INIT;
    struct str sealed_lines = STR_INIT;
    struct sealed_set sealed = {NULL, 0, 0};
    struct past past = {.wanted = NULL};
    int rc = -1;
    game_init(game);
    if (!name_valid(slice_of(id)) || !store_has(store, id)) {
        err_set(err, ERR_MISSING, "there is no game \"%s\"", name_valid(slice_of(id)) ? id : "?");
        goto out;
    }
    enum cache_fit fit = master ? cache_read(store, id, master, mend, game, &lines, err) : CACHE_NONE;
    if (fit == CACHE_LOST)
        goto out;
    /* A rollback behind the cache goes back to before it. */
    bool rolled = fit == CACHE_GOOD && past_want(&past, slice_str(&lines));
    if (fit == CACHE_NONE || rolled) {
        game_release(game);
        str_clear(&lines);
        memcpy(game->id, id, strlen(id) + 1);
        if ((mend ? store_read_mending : store_read)(store, id, 0, &lines, err))
            goto out;
    }
    if (lines.len) {
        if (store_read_sealed(store, id, &sealed_lines, err))
            goto out;
        sealed_set_read(&sealed, slice_str(&sealed_lines));
        (void)past_want(&past, slice_str(&lines));
        if (game_replay(game, slice_str(&lines), &sealed, last, &past, err))
            goto out;
    }
    if (game->seq == 0) {
        err_set(err, ERR_BROKEN, "%s: the journal holds no record", id);
        goto out;
    }
    rc = 0;
out:
    past_release(&past);
    sealed_set_release(&sealed);
    str_release(&lines);
    str_release(&sealed_lines);
    if (rc)
        game_release(game);
    return rc;
}

int game_load(struct store *store, const char *id, const unsigned char master[32], bool mend,
              struct game *game, struct err *err)
{
    return load(store, id, master, mend, INT64_MAX, game, err);
}

int game_load_until(struct store *store, const char *id, int64_t seq, struct game *game, struct err *err)
{
    if (load(store, id, NULL, false, seq, game, err))
        return -1;
    if (game->seq == seq)
        return 0;
    game_release(game);
    return err_set(err, ERR_MISSING, "game %s has no record %lld yet", id, (long long)seq);
}

int past_read(struct store *store, const char *id, struct slice records, struct slice sealed,
              struct past *past, struct err *err)
{
    struct str lines = STR_INIT, sealed_lines = STR_INIT;
    struct sealed_set set = {NULL, 0, 0};
    struct game game;
    int rc = -1;
    game_init(&game);
    memcpy(game.id, id, strlen(id) + 1);
    if (store_has(store, id) &&
        (store_read(store, id, 0, &lines, err) || store_read_sealed(store, id, &sealed_lines, err)))
        goto out;
    str_addslice(&lines, records);
    str_addslice(&sealed_lines, sealed);
    sealed_set_read(&set, slice_str(&sealed_lines));
    (void)past_want(past, slice_str(&lines));
    rc = game_replay(&game, slice_str(&lines), &set, INT64_MAX, past, err);
out:
    sealed_set_release(&set);
    str_release(&lines);
    str_release(&sealed_lines);
    game_release(&game);
    return rc;
}
