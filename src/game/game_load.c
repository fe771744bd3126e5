#include "game/game_load.h"

#include <sodium.h>
#include <string.h>

#include "base/encode.h"
#include "base/version.h"
#include "game/apply.h"
#include "game/cache.h"
#include "game/entry.h"
#include "game/members.h"

/* A member that is not known may mean anything. */
static int known_members(const struct record *record, struct err *err)
{
    const char *stranger = members_stranger(record);
    return stranger ? version_newer(err, "record %lld (%s): its member \"%.40s\"", (long long)record->seq,
                                    record->type, stranger)
                    : 0;
}

/* The journal's lines, which begin at byte game->journal.length, up to the record `last`. `past` keeps games
 * on the way, and holds those that rollbacks among the lines go back to (game/past.h). */
struct replaying {
    struct slice lines;
    const unsigned char *master; /* opens the boxes; NULL: only the published key does */
    int64_t last;
    struct past *past;
    int64_t after;       /* of the records after it, */
    struct str *entries; /* their entries in the league's log; NULL = they are not asked for */
};

/* What opens the boxes, as soon as the game has begun. */
static void find_keys(struct seal_keys *keys, const struct game *game, const struct replaying *how)
{
    struct seal_promise promise = {.game = game->id};
    if (!how->master || !game->seq || keys->presses)
        return;
    memcpy(promise.nonce, game->draws.nonce, sizeof promise.nonce);
    memcpy(promise.commitment, game->journal.seal_commitment, sizeof promise.commitment);
    seal_keys_of(keys, how->master, &promise);
}

static int replay(struct game *game, const struct replaying *how, struct err *err)
{
    const char *at = how->lines.p;
    const char *end = at + how->lines.len;
    struct seal_keys keys = {.seals = false};
    struct sealed_set opened = {NULL, 0, 0};
    int rc = 0;
    seal_keys_published(&keys, how->lines);
    while (rc == 0 && at < end && game->seq < how->last) {
        const char *stop = memchr(at, '\n', (size_t)(end - at));
        if (!stop)
            break;
        struct slice line = {at, (size_t)(stop - at) + 1};
        struct record record;
        if (record_parse(line, &record, err)) {
            rc = err_prefix(err, "%s, record %lld", game->id, (long long)game->seq + 1);
            break;
        }
        find_keys(&keys, game, how);
        sealed_open(&opened, &keys, record.json);
        rc = known_members(&record, err);
        if (rc == 0)
            rc = record_follows(&record, &(struct record_place){game->id, game->seq + 1, game->head}, err);
        struct apply_input input = {
            &record, game->journal.length + (int64_t)line.len, &opened, NULL, how->past, false};
        if (rc == 0)
            rc = game_apply(game, &input, err);
        if (rc == 0 && how->entries && record.seq > how->after)
            game_entry(how->entries, game, &record);
        record_release(&record);
        if (rc == 0)
            rc = past_keep(how->past, game, err);
        if (rc)
            (void)err_prefix(err, "%s", game->id);
        sealed_set_clear(&opened);
        at = stop + 1;
    }
    sealed_set_release(&opened);
    sodium_memzero(&keys, sizeof keys);
    return rc;
}

struct loading {
    const unsigned char *master; /* NULL: the cache is not used */
    bool mend;
    int64_t last;
    int64_t after; /* as in struct replaying */
    struct str *entries;
};

static int load(struct store *store, const char *id, const struct loading *how, struct game *game,
                struct err *err)
{
    struct str lines = STR_INIT;
    struct past past = {.wanted = NULL};
    int rc = -1;
    game_init(game);
    if (!name_valid(slice_of(id)) || !store_has(store, id)) {
        err_set(err, ERR_MISSING, "there is no game \"%s\"", name_valid(slice_of(id)) ? id : "?");
        goto out;
    }
    struct cache_of cache = {store, id, how->master, how->mend};
    enum cache_fit fit = how->master ? cache_read(&cache, game, &lines, err) : CACHE_NONE;
    if (fit == CACHE_LOST)
        goto out;
    /* A rollback after the cache goes back to before it. */
    bool rolled = fit == CACHE_GOOD && past_want(&past, slice_str(&lines));
    if (fit == CACHE_NONE || rolled) {
        game_release(game);
        str_clear(&lines);
        memcpy(game->id, id, strlen(id) + 1);
        if ((how->mend ? store_read_mending : store_read)(store, id, STORE_BEGIN, &lines, err))
            goto out;
    }
    if (lines.len) {
        (void)past_want(&past, slice_str(&lines));
        struct replaying all = {slice_str(&lines), store_master(store), how->last, &past,
                                how->after,        how->entries};
        if (replay(game, &all, err))
            goto out;
    }
    if (game->seq == 0) {
        err_set(err, ERR_BROKEN, "%s: the journal holds no record", id);
        goto out;
    }
    bool ignored;
    rc = how->mend ? store_mend(store, id, game_end(game), &ignored, err) : 0;
out:
    past_release(&past);
    str_release(&lines);
    if (rc)
        game_release(game);
    return rc;
}

int game_load(struct store *store, const char *id, const unsigned char master[32], struct game *game,
              struct err *err)
{
    struct loading how = {.master = master, .last = INT64_MAX};
    return load(store, id, &how, game, err);
}

int game_mend(struct store *store, const char *id, const unsigned char master[32], struct game *game,
              struct err *err)
{
    struct loading how = {.master = master, .mend = true, .last = INT64_MAX};
    return load(store, id, &how, game, err);
}

int game_load_entries(struct store *store, const char *id, int64_t seq, struct str *entries, struct err *err)
{
    struct game game;
    const struct loading how = {.last = INT64_MAX, .after = seq, .entries = entries};
    int rc = load(store, id, &how, &game, err);
    if (rc == 0)
        game_release(&game);
    return rc;
}

int game_load_until(struct store *store, const char *id, int64_t seq, struct game *game, struct err *err)
{
    struct loading how = {.last = seq};
    if (load(store, id, &how, game, err))
        return -1;
    if (game->seq == seq)
        return 0;
    game_release(game);
    return err_set(err, ERR_MISSING, "game %s has no record %lld yet", id, (long long)seq);
}

int past_read(struct store *store, const char *id, struct slice tail, struct past *past, struct err *err)
{
    struct str lines = STR_INIT;
    struct game game;
    game_init(&game);
    memcpy(game.id, id, strlen(id) + 1);
    int rc = store_read_with(store, id, tail, &lines, err);
    if (rc == 0) {
        (void)past_want(past, slice_str(&lines));
        struct replaying all = {slice_str(&lines), store_master(store), INT64_MAX, past, 0, NULL};
        rc = replay(&game, &all, err);
    }
    str_release(&lines);
    game_release(&game);
    return rc;
}
