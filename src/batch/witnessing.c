#include "batch/witnessing.h"

#include <inttypes.h>
#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#include "base/encode.h"
#include "base/file.h"
#include "base/log.h"
#include "base/mem.h"
#include "batch/tell.h"
#include "game/entry.h"
#include "game/witness.h"
#include "league/witnesses.h"
#include "tlog/armor.h"
#include "tlog/witness.h"

#define STATE_FILE "log/witnesses"
#define STATE_MOST 65536
#define OWNER_ONLY 0600

/* ---- what is known of each ---- */

struct known {
    int64_t old, asked, time;
};
struct asking {
    struct league_witnesses witnesses;
    struct known known[WITNESSES_KNOWN]; /* of each of them */
};

static void read_known(struct asking *asking, struct slice lines)
{
    struct slice line, name;
    while (slice_line(&lines, &line)) {
        struct known known;
        if (!slice_word(&line, &name) || !slice_number(&line, &known.old) ||
            !slice_number(&line, &known.asked) || !slice_number(&line, &known.time))
            continue;
        for (size_t i = 0; i < asking->witnesses.count; i++)
            if (slice_eq(name, asking->witnesses.list[i].name))
                asking->known[i] = known;
    }
}

static int asking_open(const struct league *league, struct asking *asking, struct err *err)
{
    struct str text = STR_INIT;
    struct err ignored = ERR_INIT;
    char *path = league_path(league, STATE_FILE);
    memset(asking->known, 0, sizeof asking->known);
    int rc = witnesses_read(league->dir, &asking->witnesses, err);
    if (rc == 0 && file_exists(path) && file_read(path, STATE_MOST, &text, &ignored) == 0)
        read_known(asking, slice_str(&text));
    str_release(&text);
    free(path);
    return rc;
}

static int asking_keep(const struct league *league, const struct asking *asking, struct err *err)
{
    struct str text = STR_INIT;
    char *path = league_path(league, STATE_FILE);
    for (size_t i = 0; i < asking->witnesses.count; i++)
        str_addf(&text, "%s %lld %lld %lld\n", asking->witnesses.list[i].name,
                 (long long)asking->known[i].old, (long long)asking->known[i].asked,
                 (long long)asking->known[i].time);
    int rc = file_write_soft(path, slice_str(&text), OWNER_ONLY, err);
    str_release(&text);
    free(path);
    return rc;
}

/* ---- asking ---- */

static bool same_key(const struct vkey *a, const struct vkey *b)
{
    return strcmp(a->name, b->name) == 0 && memcmp(a->public, b->public, VKEY_PUBLIC) == 0;
}

/* The witness of the game with that key, whose answer is awaited; -1. */
static int awaited(const struct game *game, const struct vkey *key)
{
    for (int i = 0; i < game->witnesses.count; i++)
        if (!game->over && witness_missing(game, i) && same_key(&game->witnesses.list[i].key, key))
            return i;
    return -1;
}

static int64_t index_of_close(struct batch *batch, const struct game *game)
{
    struct proof_place place = {.seq = game->close.seq, .time = game->close.at};
    game_log_name(place.name, game);
    return league_log_index(batch->tlog, &place);
}

/* The closes that one witness is asked about, as places in the log. */
struct closes {
    int64_t list[WITNESS_CLOSES];
    size_t count;
};

/* In rising order; of too many the first ones. */
static void put_close(struct closes *closes, int64_t index)
{
    size_t at = closes->count;
    if (at == WITNESS_CLOSES && closes->list[at - 1] <= index)
        return;
    at -= at == WITNESS_CLOSES;
    for (; at > 0 && closes->list[at - 1] > index; at--)
        closes->list[at] = closes->list[at - 1];
    closes->list[at] = index;
    closes->count += closes->count < WITNESS_CLOSES;
}

static int send_request(struct batch *batch, const struct league_witness *witness, const struct str *request,
                        struct err *err)
{
    unsigned char digest[16];
    struct str armor = STR_INIT, about = STR_INIT;
    crypto_generichash(digest, sizeof digest, (const unsigned char *)request->p, request->len, NULL, 0);
    armored_write(&armor, WITNESS_REQUEST, slice_str(request));
    str_addf(&about, "witness %s %lld ", witness->name, (long long)batch->now);
    hex_encode(&about, digest, sizeof digest);
    json_t *lines = json_array();
    struct slice rest = slice_str(&armor), line;
    while (slice_line(&rest, &line))
        json_array_append_new(lines, json_pack("{s:s%}", "base64", line.p, line.len));
    json_t *facts = json_pack("{s:s,s:o}", "witness_name", witness->name, "armor", lines);
    int rc = tell_address(batch, &(struct tell){.words = "witness", .facts = facts, .about = about.p},
                          witness->address, "", err);
    json_decref(facts);
    str_release(&armor);
    str_release(&about);
    return rc;
}

/* *asked: a mail was made. */
static int ask_one(struct batch *batch, struct asking *asking, size_t i, const struct closes *closes,
                   bool *asked, struct err *err)
{
    struct known *known = &asking->known[i];
    const struct league_witness *witness = &asking->witnesses.list[i];
    const int64_t size = league_log_size(batch->tlog);
    struct str request = STR_INIT;
    struct err why = ERR_INIT;
    const bool fresh = closes->count && closes->list[closes->count - 1] >= known->asked;
    if (!closes->count || (!fresh && batch->now < known->time + WITNESS_DAY && batch->now >= known->time))
        return 0;
    int rc = league_log_request(batch->tlog, known->old, closes->list, closes->count, &request, &why);
    if (rc && why.code == ERR_STALE) { /* its log was lost, or the note of ours is wrong: they will say */
        log_error("the witness %s: %s; the first entry of a new log, or an older copy of this one, cannot "
                  "be cosigned by them",
                  witness->name, why.text);
        rc = 0;
    } else if (rc) {
        rc = err_pass(err, &why);
    } else {
        rc = send_request(batch, witness, &request, err);
        *asked = rc == 0;
    }
    *known = (struct known){known->old, size, batch->now};
    str_release(&request);
    return rc;
}

static int gather(struct batch *batch, const struct file_names *games, const struct asking *asking,
                  struct closes *closes, struct err *err)
{
    for (size_t g = 0; g < games->count; g++) {
        struct batch_game *entry;
        struct err why = ERR_INIT;
        if (batch_game(batch, games->name[g], &entry, &why)) {
            if (why.code == ERR_BROKEN || why.code == ERR_NEWER || why.code == ERR_MISSING)
                continue; /* it was said */
            return err_pass(err, &why);
        }
        const int64_t index = entry->game.closed ? index_of_close(batch, &entry->game) : -1;
        for (size_t i = 0; index >= 0 && i < asking->witnesses.count; i++)
            if (awaited(&entry->game, &asking->witnesses.list[i].key) >= 0)
                put_close(&closes[i], index);
    }
    return 0;
}

static int ask_all(struct batch *batch, const struct file_names *games, struct asking *asking,
                   struct err *err)
{
    struct closes *closes = mem_array(WITNESSES_KNOWN, sizeof *closes);
    bool asked = false;
    memset(closes, 0, WITNESSES_KNOWN * sizeof *closes);
    int rc = batch_begin(batch, err);
    if (rc == 0)
        rc = gather(batch, games, asking, closes, err);
    batch->witnessing.next = INT64_MAX;
    for (size_t i = 0; rc == 0 && i < asking->witnesses.count; i++) {
        rc = ask_one(batch, asking, i, &closes[i], &asked, err);
        if (closes[i].count && asking->known[i].time + WITNESS_DAY < batch->witnessing.next)
            batch->witnessing.next = asking->known[i].time + WITNESS_DAY;
    }
    if (rc == 0)
        rc = batch_commit(batch, err);
    batch_reset(batch, rc == 0);
    if (rc == 0 && asked)
        rc = asking_keep(batch->league, asking, err);
    free(closes);
    return rc;
}

int witnessing_ask(struct batch *batch, struct err *err)
{
    struct batch_witnessing *state = &batch->witnessing;
    struct file_names games;
    uint64_t digest;
    struct err why = ERR_INIT;
    if (catalog_witnessed(batch->catalog, &games, &digest, err))
        return -1;
    int rc = 0;
    struct asking *asking = mem_alloc(sizeof *asking);
    if (games.count && (state->look || state->known != digest || batch->now >= state->next)) {
        if (asking_open(batch->league, asking, &why))
            log_error("no witness can be asked: %s", why.text);
        else
            rc = ask_all(batch, &games, asking, err);
        state->known = digest;
        state->look = false;
    }
    free(asking);
    file_names_free(&games);
    return rc;
}

/* ---- answers ---- */

/* Of these lines those of one key. */
static void own_lines(struct str *out, struct slice lines, const struct vkey *key)
{
    struct slice line, rest = lines;
    struct str begin = STR_INIT;
    str_addf(&begin, NOTE_DASH "%s ", key->name);
    while (slice_whole_line(&rest, &line))
        if (slice_starts(line, begin.p))
            str_addslice(out, line);
    str_release(&begin);
}

/* Does the witness vouch for the log as it was with so many entries? */
static bool cosigns(struct batch *batch, const struct vkey *key, int64_t size, struct slice lines)
{
    struct str note = STR_INIT, own = STR_INIT;
    struct err ignored = ERR_INIT;
    struct note_seen seen = {.good = false};
    own_lines(&own, lines, key);
    const bool good = league_log_cosigned(batch->tlog, size, slice_str(&own), &note, &ignored) == 0 &&
                      note_verify(slice_str(&note), key, 1, &seen, &ignored) == 0 && seen.good;
    str_release(&note);
    str_release(&own);
    return good;
}

/* The game that the log calls so, if its turn is closed. Private ones are looked for among those that wait. */
static int find_game(struct batch *batch, const char *name, struct batch_game **found, struct err *err)
{
    struct file_names games;
    uint64_t digest;
    *found = NULL;
    if (catalog_witnessed(batch->catalog, &games, &digest, err))
        return -1;
    int rc = 0;
    for (size_t i = 0; rc == 0 && !*found && i < games.count; i++) {
        struct batch_game *entry;
        struct err why = ERR_INIT;
        char called[GAME_NAME];
        if (!game_log_is_hidden(name) && strcmp(games.name[i], name) != 0)
            continue;
        if (batch_game(batch, games.name[i], &entry, &why)) {
            rc = why.code == ERR_BROKEN || why.code == ERR_MISSING || why.code == ERR_NEWER
                     ? 0
                     : err_pass(err, &why);
            continue;
        }
        game_log_name(called, &entry->game);
        if (strcmp(called, name) == 0)
            *found = entry;
    }
    file_names_free(&games);
    return rc;
}

/* Dice for a close: recorded if they are waited for. *taken: they were. */
static int take_dice(struct batch *batch, const struct witness_answer *answer,
                     const struct witness_dice *dice, bool *taken, struct err *err)
{
    struct batch_game *entry;
    if (find_game(batch, dice->name, &entry, err))
        return -1;
    struct game *game = entry ? &entry->game : NULL;
    const bool asked = game && game->closed && !game->over && dice->turn.turn == game->turn &&
                       dice->turn.rollbacks == game->draws.rollbacks;
    const int64_t index = asked ? index_of_close(batch, game) : -1;
    for (int i = 0; index >= 0 && index < answer->size && game->closed && i < game->witnesses.count; i++) {
        struct str own = STR_INIT, proof = STR_INIT;
        struct witness_answered ignored;
        struct err why = ERR_INIT;
        own_lines(&own, answer->signatures, &game->witnesses.list[i].key);
        bool good =
            own.len && witness_missing(game, i) &&
            league_log_cosigned_proof(batch->tlog, index, answer->size, slice_str(&own), &proof, &why) == 0 &&
            witness_check(game, i, slice_str(&proof), dice->proof, &ignored, &why) == 0;
        int rc = 0;
        if (good) {
            struct step step;
            batch_step(batch, entry, &step);
            rc = batch_end_step(
                batch, entry, &step,
                step_witness(&step, game, &(struct witness_input){i, slice_str(&proof), dice->proof}, err),
                err);
            *taken = true;
        }
        str_release(&own);
        str_release(&proof);
        if (rc || good)
            return rc;
    }
    return 0;
}

/* Where the witnesses stand by this answer. An older checkpoint without closes is asked for again, from there. */
static int note_size(struct batch *batch, const struct witness_answer *answer, bool *known, struct err *err)
{
    struct asking *asking = mem_alloc(sizeof *asking);
    int rc = asking_open(batch->league, asking, err);
    bool any = false;
    for (size_t i = 0; rc == 0 && i < asking->witnesses.count; i++) {
        if (!cosigns(batch, &asking->witnesses.list[i].key, answer->size, answer->signatures))
            continue;
        *known = any = true;
        if (!answer->count && asking->known[i].old != answer->size) {
            asking->known[i].asked = asking->known[i].time = 0;
            batch->witnessing.look = true;
        }
        asking->known[i].old = answer->size;
        for (size_t k = 0; k < answer->count; k++)
            if (!answer->dice[k].given)
                log_warn("the witness %s gives no dice for turn %d.%d of %s: %s",
                         asking->witnesses.list[i].name, answer->dice[k].turn.turn,
                         answer->dice[k].turn.rollbacks, answer->dice[k].name, answer->dice[k].no);
    }
    if (rc == 0 && any)
        rc = asking_keep(batch->league, asking, err);
    free(asking);
    return rc;
}

int witnessing_take(struct batch *batch, struct slice text, const char **what, bool *known, struct err *err)
{
    struct witness_answer answer = {.count = 0};
    struct err why = ERR_INIT;
    bool taken = false;
    *known = false;
    *what = "an answer of a witness that cannot be read";
    int rc = 0;
    if (witness_answer_parse(text, &answer, &why) == 0) {
        rc = note_size(batch, &answer, known, err);
        for (size_t i = 0; rc == 0 && i < answer.count; i++)
            if (answer.dice[i].given)
                rc = take_dice(batch, &answer, &answer.dice[i], &taken, err);
        *what = taken    ? "the dice of a witness"
                : *known ? "a witness's answer that nothing waited for"
                         : "an answer that no witness of ours has signed";
    }
    *known |= taken;
    witness_answer_release(&answer);
    return rc;
}
