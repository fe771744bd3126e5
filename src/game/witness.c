#include "game/witness.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "chance/draw.h"
#include "game/entry.h"
#include "tlog/proof.h"
#include "tlog/witness.h"

void witness_close(struct game *game, const struct record *close, int64_t from)
{
    game->closed = true;
    game->close.seq = close->seq;
    game->close.from = from;
    game->close.at = close->time;
    memcpy(game->close.head, close->head, HEAD_BYTES);
    for (int i = 0; i < game->witnesses.count; i++)
        str_clear(&game->witnesses.list[i].proof);
}

void witness_open(struct game *game)
{
    game->closed = game->witnesses.late = false;
    game->witnesses.without = 0;
    for (int i = 0; i < game->witnesses.count; i++)
        game->witnesses.list[i].answered = false;
}

void witness_give_up(struct game *game, int turn)
{
    for (int i = 0; i < game->witnesses.count; i++) {
        str_clear(&game->witnesses.list[i].proof);
        game->witnesses.list[i].answered = false;
    }
    game->witnesses.count = game->witnesses.quorum = 0;
    game->witnesses.late = false;
    game->witnesses.without = 0;
    game->witnesses.gave_up = turn ? turn : 1;
}

void witness_root(unsigned char root[64], const struct game *game, const unsigned char beta[VRF_OUTPUT])
{
    unsigned char betas[(WITNESSES_MAX + 1) * VRF_OUTPUT];
    size_t count = 1;
    memcpy(betas, beta, VRF_OUTPUT);
    for (int i = 0; i < game->witnesses.count; i++)
        if (game->witnesses.list[i].answered)
            memcpy(betas + VRF_OUTPUT * count++, game->witnesses.list[i].beta, VRF_OUTPUT);
    chance_root(root, betas, count);
}

int witness_of(const struct game *game, const char *name)
{
    for (int i = 0; i < game->witnesses.count; i++)
        if (strcmp(game->witnesses.list[i].name, name) == 0)
            return i;
    return -1;
}

/* ---- an answer ---- */

/* Is it the entry of the close of the open turn? */
static bool is_close(const struct game *game, const struct log_entry *entry)
{
    char name[GAME_NAME];
    unsigned char alpha[ENTRY_DIGEST];
    game_log_name(name, game);
    game_entry_alpha(alpha, game);
    return entry->kind == ENTRY_CLOSE && strcmp(entry->name, name) == 0 && entry->seq == game->close.seq &&
           entry->time >= game->close.at && memcmp(entry->head, game->close.head, HEAD_BYTES) == 0 &&
           entry->turn.turn == game->turn && entry->turn.rollbacks == game->draws.rollbacks &&
           memcmp(entry->alpha, alpha, sizeof alpha) == 0;
}

/* Of the log and that witness alone: the others' cosignatures are in their own records. */
static int verify_proof(const struct game *game, int witness, struct slice entry, struct slice proof,
                        int64_t *cosigned, struct err *err)
{
    struct policy *policy = mem_alloc(sizeof *policy);
    struct policy_seen *seen = mem_alloc(sizeof *seen);
    struct log_proof read = LOG_PROOF_INIT;
    struct checkpoint checkpoint;
    policy->log[policy->logs++].key = game->witnesses.log;
    policy->witness[policy->witnesses++].key = game->witnesses.list[witness].key;
    policy->quorum = POLICY_NONE;
    int rc = log_proof_parse(proof, &read, err);
    if (rc == 0)
        rc = log_proof_verify(&read, entry, policy, &checkpoint, seen, err);
    *cosigned = seen->time[0];
    if (rc == 0 && (!seen->time[0] || read.extra.len))
        rc = err_set(err, ERR_INPUT, "the witness %s has not cosigned that checkpoint",
                     game->witnesses.list[witness].name);
    log_proof_release(&read);
    free(policy);
    free(seen);
    return rc;
}

int witness_check(const struct game *game, int witness, struct slice proof,
                  const unsigned char dice[VRF_PROOF], struct witness_answered *out, struct err *err)
{
    const struct game_witness *who = &game->witnesses.list[witness];
    struct slice line, text;
    struct log_entry entry;
    if (!log_proof_cut(proof, &line, &text))
        return err_set(err, ERR_INPUT, "there is no entry of the log");
    if (log_entry_parse(line, &entry, err))
        return -1;
    if (!is_close(game, &entry))
        return err_set(err, ERR_INPUT, "it is not about the close of the open turn");
    if (verify_proof(game, witness, line, text, &out->cosigned, err))
        return -1;
    if (entry.time > out->cosigned + WITNESS_AHEAD)
        return err_set(err, ERR_INPUT, "the close is dated ahead of when %s saw it", who->name);
    struct str input = STR_INIT;
    witness_dice_input(&input, &game->witnesses.log, &entry);
    const bool good = vrf_verify(out->beta, who->vrf, dice, slice_str(&input));
    str_release(&input);
    return good ? 0 : err_set(err, ERR_INPUT, "the proof of the witness's draw is wrong");
}

/* Without its last line, the cosignature. */
static struct slice without_cosignature(const struct str *proof)
{
    size_t end = proof->len ? proof->len - 1 : 0;
    while (end > 0 && proof->p[end - 1] != '\n')
        end--;
    return slice_sub(slice_str(proof), 0, end);
}

static bool same(struct slice a, struct slice b)
{
    return a.len == b.len && memcmp(a.p, b.p, a.len) == 0;
}

bool witness_proof(const struct game *game, int witness, struct str *text)
{
    const struct game_witness *list = game->witnesses.list;
    const struct slice own = without_cosignature(&list[witness].proof);
    for (int i = 0; i < witness; i++)
        if (same(own, without_cosignature(&list[i].proof)))
            return false;
    if (!own.len)
        return false;
    str_addslice(text, own);
    for (int i = witness; i < game->witnesses.count; i++)
        if (same(own, without_cosignature(&list[i].proof)))
            str_addslice(text, slice_sub(slice_str(&list[i].proof), own.len, list[i].proof.len));
    return true;
}

/* ---- waiting ---- */

static int answers(const struct game *game)
{
    int count = 0;
    for (int i = 0; i < game->witnesses.count; i++)
        count += game->witnesses.list[i].answered;
    return count;
}

/* When the quorum had seen the close; there are so many. */
static int64_t enough_at(const struct game *game)
{
    int64_t times[WITNESSES_MAX] = {0};
    int count = 0;
    for (int i = 0; i < game->witnesses.count; i++) {
        const struct game_witness *who = &game->witnesses.list[i];
        if (!who->answered)
            continue;
        int at = count++;
        for (; at > 0 && times[at - 1] > who->cosigned; at--)
            times[at] = times[at - 1];
        times[at] = who->cosigned;
    }
    return times[game->witnesses.quorum - 1];
}

bool witness_missing(const struct game *game, int witness)
{
    return game->closed && !game->witnesses.list[witness].answered;
}

bool witness_too_few(const struct game *game)
{
    return game->closed && answers(game) < game->witnesses.quorum;
}

bool witness_waits(const struct game *game, int64_t time)
{
    if (!game->closed || answers(game) == game->witnesses.count)
        return false;
    return witness_too_few(game) || time < enough_at(game) + WITNESS_DAY;
}

int64_t witness_due(const struct game *game)
{
    if (answers(game) == game->witnesses.count)
        return 1;
    if (!witness_too_few(game))
        return enough_at(game) + WITNESS_DAY;
    return game->witnesses.late ? 0 : game->close.at + WITNESS_LATE;
}

uint32_t witness_voters(const struct game *game, int *needed)
{
    uint32_t voters = 0;
    int count = 0;
    for (int seat = 1; seat <= game->seats; seat++)
        if (*game->seat[seat].player && !game->seat[seat].robot) {
            voters |= SEAT_BIT(seat);
            count++;
        }
    *needed = count / 2 + 1;
    return voters;
}

bool witness_decides(const struct game *game, int seat)
{
    int needed;
    const uint32_t votes = (game->witnesses.without | SEAT_BIT(seat)) & witness_voters(game, &needed);
    return __builtin_popcount(votes) >= needed;
}

json_t *witness_names(const struct game *game, bool waited)
{
    json_t *list = json_array();
    for (int i = 0; i < game->witnesses.count; i++)
        if (!waited || witness_missing(game, i))
            json_array_append_new(list, json_pack("{s:s}", "name", game->witnesses.list[i].name));
    return list;
}
