#include "batch/witnessing.h"

#include <inttypes.h>
#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#include "base/encode.h"
#include "base/file.h"
#include "base/log.h"
#include "base/mem.h"
#include "batch/competing.h"
#include "batch/competing_proved.h"
#include "batch/tell.h"
#include "game/witness.h"
#include "league/witnesses.h"
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

/* A close that waits for witnesses: of a game's turn, or of a competition's draw. */
struct waiting {
    const struct quorum *quorum;
    struct log_entry close;
    struct batch_game *game; /* or */
    struct batch_competition *competition;
};

static bool game_waiting(struct batch_game *game, struct waiting *waiting)
{
    *waiting = (struct waiting){.quorum = &game->game.witnesses, .game = game};
    if (!game->game.closed || game->game.over)
        return false;
    witness_entry(&waiting->close, &game->game);
    return true;
}

static bool competition_waiting(struct batch_competition *entry, struct waiting *waiting)
{
    *waiting = (struct waiting){.quorum = &entry->c.witnesses, .competition = entry};
    if (!entry->c.fixed.seq)
        return false;
    compete_fixed_entry(&waiting->close, &entry->c);
    return true;
}

/* Is the answer of the witness with that key awaited? */
static bool awaited(const struct quorum *quorum, const struct vkey *key)
{
    for (int i = 0; i < quorum->count; i++)
        if (!quorum->list[i].answered && same_key(&quorum->list[i].key, key))
            return true;
    return false;
}

static int64_t index_of_close(struct batch *batch, const struct log_entry *close)
{
    struct proof_place place = {.seq = close->seq, .time = close->time};
    memcpy(place.name, close->name, strlen(close->name) + 1);
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
    struct str about = STR_INIT;
    crypto_generichash(digest, sizeof digest, (const unsigned char *)request->p, request->len, NULL, 0);
    str_addf(&about, "witness %s %lld ", witness->name, (long long)batch->now);
    hex_encode(&about, digest, sizeof digest);
    json_t *facts =
        json_pack("{s:s,s:o}", "witness_name", witness->name, "armor", tell_armor(WITNESS_REQUEST, request));
    int rc = tell_address(batch, &(struct tell){.words = "witness", .facts = facts, .about = about.p},
                          witness->address, "", err);
    json_decref(facts);
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

/* All closes that wait, one after the other, until `take` says that it was enough. */
struct waiting_look {
    bool (*take)(struct batch *batch, const struct waiting *waiting, void *arg);
    void *arg;
};

static int each_competition(struct batch *batch, const struct waiting_look *look, struct err *err)
{
    struct file_names names;
    bool enough = false;
    if (!batch->competitions.waiting)
        return 0;
    if (store_games(batch->competitions.store, &names, err))
        return -1;
    for (size_t i = 0; !enough && i < names.count; i++) {
        struct batch_competition *entry;
        struct waiting waiting;
        struct err why = ERR_INIT; /* it was said */
        if (competing_has(batch, names.name[i]) && !competing_is_closed(batch, names.name[i]) &&
            competing_find(batch, names.name[i], &entry, &why) == 0 && competition_waiting(entry, &waiting))
            enough = look->take(batch, &waiting, look->arg);
    }
    file_names_free(&names);
    return 0;
}

static int each_waiting(struct batch *batch, const struct file_names *games, const struct waiting_look *look,
                        struct err *err)
{
    for (size_t g = 0; g < games->count; g++) {
        struct batch_game *entry;
        struct waiting waiting;
        struct err why = ERR_INIT;
        if (batch_game(batch, games->name[g], &entry, &why)) {
            if (why.code == ERR_BROKEN || why.code == ERR_NEWER || why.code == ERR_MISSING)
                continue; /* it was said */
            return err_pass(err, &why);
        }
        if (game_waiting(entry, &waiting) && look->take(batch, &waiting, look->arg))
            return 0;
    }
    return each_competition(batch, look, err);
}

struct gathering {
    const struct asking *asking;
    struct closes *closes; /* of each witness */
};

static bool gather(struct batch *batch, const struct waiting *waiting, void *arg)
{
    struct gathering *gathering = arg;
    const struct league_witnesses *witnesses = &gathering->asking->witnesses;
    const int64_t index = index_of_close(batch, &waiting->close);
    for (size_t i = 0; index >= 0 && i < witnesses->count; i++)
        if (awaited(waiting->quorum, &witnesses->list[i].key))
            put_close(&gathering->closes[i], index);
    return false;
}

static int ask_all(struct batch *batch, const struct file_names *games, struct asking *asking,
                   struct err *err)
{
    struct closes *closes = mem_array(WITNESSES_KNOWN, sizeof *closes);
    bool asked = false;
    memset(closes, 0, WITNESSES_KNOWN * sizeof *closes);
    int rc = batch_begin(batch, err);
    if (rc == 0)
        rc = each_waiting(batch, games, &(struct waiting_look){gather, &(struct gathering){asking, closes}},
                          err);
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
    if ((games.count || batch->competitions.waiting) &&
        (state->look || state->known != digest || batch->now >= state->next)) {
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

/* Dice that came, and the close that they are for. */
struct finding {
    const struct witness_dice *dice;
    struct waiting found;
};

static bool is_asked(struct batch *batch, const struct waiting *waiting, void *arg)
{
    struct finding *finding = arg;
    const struct witness_dice *dice = finding->dice;
    (void)batch;
    if (strcmp(waiting->close.name, dice->name) != 0 || waiting->close.turn.turn != dice->turn.turn ||
        waiting->close.turn.rollbacks != dice->turn.rollbacks)
        return false;
    finding->found = *waiting;
    return true;
}

static int record_dice(struct batch *batch, const struct waiting *waiting, const struct witness_said *said,
                       struct err *err)
{
    if (waiting->game) {
        struct game *game = &waiting->game->game;
        struct step step;
        batch_step(batch, waiting->game, &step);
        return batch_end_step(batch, waiting->game, &step, step_witness(&step, game, said, err), err);
    }
    struct compete_step step;
    competing_step(batch, &step);
    int rc = compete_witness(&step, &waiting->competition->c, said, err);
    competing_take(waiting->competition, &step);
    compete_step_release(&step);
    return rc;
}

/* Dice for a close: recorded if they are waited for. *taken: they were. */
static int take_dice(struct batch *batch, const struct witness_answer *answer,
                     const struct witness_dice *dice, bool *taken, struct err *err)
{
    struct finding finding = {.dice = dice};
    struct file_names games;
    uint64_t digest;
    if (catalog_witnessed(batch->catalog, &games, &digest, err))
        return -1;
    int rc = each_waiting(batch, &games, &(struct waiting_look){is_asked, &finding}, err);
    file_names_free(&games);
    const struct waiting *waiting = &finding.found;
    const int64_t index = rc == 0 && waiting->quorum ? index_of_close(batch, &waiting->close) : -1;
    bool good = false;
    for (int i = 0; rc == 0 && !good && index >= 0 && index < answer->size && i < waiting->quorum->count;
         i++) {
        struct str own = STR_INIT, proof = STR_INIT;
        struct witness_answered ignored;
        struct err why = ERR_INIT;
        note_own_lines(&own, answer->signatures, &waiting->quorum->list[i].key);
        good =
            own.len && !waiting->quorum->list[i].answered &&
            league_log_cosigned_proof(batch->tlog, index, answer->size, slice_str(&own), &proof, &why) == 0 &&
            quorum_check(waiting->quorum, &waiting->close,
                         &(struct witness_said){i, slice_str(&proof), dice->proof}, &ignored, &why) == 0;
        if (good) {
            rc = record_dice(batch, waiting, &(struct witness_said){i, slice_str(&proof), dice->proof}, err);
            *taken = true;
        }
        str_release(&own);
        str_release(&proof);
    }
    return rc;
}

/* Where the witnesses stand by this answer. An older checkpoint without closes is asked for again, from there. */
static int note_size(struct batch *batch, const struct witness_answer *answer, bool *known, struct err *err)
{
    struct asking *asking = mem_alloc(sizeof *asking);
    int rc = asking_open(batch->league, asking, err);
    bool any = false;
    for (size_t i = 0; rc == 0 && i < asking->witnesses.count; i++) {
        struct str own = STR_INIT;
        const bool good = league_log_vouched(batch->tlog, &asking->witnesses.list[i].key, answer->size,
                                             answer->signatures, &own);
        if (good)
            league_log_show_cosigned(batch->tlog, answer->size, slice_str(&own));
        str_release(&own);
        if (!good)
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
