#include "game/game_load.h"

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
    const struct sealed_set *sealed;
    int64_t last;
    struct past *past;
    int64_t after;       /* of the records after it, */
    struct str *entries; /* their entries in the league's log; NULL = they are not asked for */
};

static int replay(struct game *game, const struct replaying *how, struct err *err)
{
    const char *at = how->lines.p;
    const char *end = at + how->lines.len;
    while (at < end && game->seq < how->last) {
        const char *stop = memchr(at, '\n', (size_t)(end - at));
        if (!stop)
            break;
        struct slice line = {at, (size_t)(stop - at) + 1};
        struct record record;
        if (record_parse(line, &record, err))
            return err_prefix(err, "%s, record %lld", game->id, (long long)game->seq + 1);
        /* `create` names the key that signs it and all that follow; the caller compares it with the league's.
         */
        const unsigned char *key = game->journal.league_key;
        unsigned char own[32];
        const char *named = json_string_value(json_object_get(record.json, "league_key"));
        if (game->seq == 0 && named && hex_decode(own, 32, slice_of(named)))
            key = own;
        int rc = known_members(&record, err);
        if (rc == 0)
            rc = record_check(&record, line, &(struct record_place){game->id, game->seq + 1, game->head}, key,
                              err);
        struct apply_input input = {
            &record, game->journal.length + (int64_t)line.len, how->sealed, NULL, how->past, false};
        if (rc == 0)
            rc = game_apply(game, &input, err);
        if (rc == 0 && how->entries && record.seq > how->after)
            game_entry(how->entries, game, &record);
        record_release(&record);
        if (rc == 0)
            rc = past_keep(how->past, game, err);
        if (rc)
            return err_prefix(err, "%s", game->id);
        at = stop + 1;
    }
    return 0;
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
    struct str sealed_lines = STR_INIT;
    struct sealed_set sealed = {NULL, 0, 0};
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
        if (store_read_sealed(store, id, &sealed_lines, err))
            goto out;
        sealed_set_read(&sealed, slice_str(&sealed_lines));
        (void)past_want(&past, slice_str(&lines));
        struct replaying all = {slice_str(&lines), &sealed, how->last, &past, how->after, how->entries};
        if (replay(game, &all, err))
            goto out;
    }
    if (game->seq == 0) {
        err_set(err, ERR_BROKEN, "%s: the journal holds no record", id);
        goto out;
    }
    bool ignored;
    if ((how->master || how->mend) && store_sealed_last(store, id) < game->journal.sealed) {
        err_set(
            err, ERR_BROKEN,
            "%s: sealed.jsonl does not hold what record %lld has sealed: it was cut, replaced, or is gone; "
            "bring the game back from a backup: turnpost game restore %s BACKUP",
            id, (long long)game->journal.sealed, id);
        goto out;
    }
    rc = how->mend ? store_mend(store, id, game_end(game), &ignored, err) : 0;
out:
    past_release(&past);
    sealed_set_release(&sealed);
    str_release(&lines);
    str_release(&sealed_lines);
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

int past_read(struct store *store, const char *id, const struct game_tail *tail, struct past *past,
              struct err *err)
{
    struct str lines = STR_INIT, sealed_lines = STR_INIT;
    struct sealed_set set = {NULL, 0, 0};
    struct game game;
    int rc = -1;
    game_init(&game);
    memcpy(game.id, id, strlen(id) + 1);
    if (store_has(store, id) &&
        (store_read(store, id, STORE_BEGIN, &lines, err) || store_read_sealed(store, id, &sealed_lines, err)))
        goto out;
    str_addslice(&lines, tail->records);
    str_addslice(&sealed_lines, tail->sealed);
    sealed_set_read(&set, slice_str(&sealed_lines));
    (void)past_want(past, slice_str(&lines));
    struct replaying all = {slice_str(&lines), &set, INT64_MAX, past, 0, NULL};
    rc = replay(&game, &all, err);
out:
    sealed_set_release(&set);
    str_release(&lines);
    str_release(&sealed_lines);
    game_release(&game);
    return rc;
}
