/* What a witness says (game/witness.h; the program for it is `turnpost witness`): with "key:" the public key
 * of their dice, once; with a game their answer to the close of a turn, whose proof is the free text, in hex
 * digits. A valid answer is not answered: two programs talk here. */
#include <string.h>

#include "base/encode.h"
#include "petitions/petition.h"
#include "game/witness.h"

enum { KEY, LAST };

#define PROOF_HEX ((size_t)2 * VRF_PROOF)

static enum outcome register_key(struct hearing *hearing, struct err *err)
{
    struct player player = *registry_find(&hearing->batch->registry, hearing->player);
    unsigned char key[VRF_PUBLIC];
    if (!hearing->value[KEY].p || !hex_decode(key, sizeof key, hearing->value[KEY]))
        return hearing_refuse(hearing, "witness_takes");
    hex_to(player.witness, key, sizeof key);
    json_t *evidence = hearing_evidence(hearing);
    struct registry_change change = {.what = "witness", .player = &player, .evidence = evidence};
    int rc = batch_change(hearing->batch, &change, err);
    json_decref(evidence);
    hearing->answer = "witness_key";
    hearing->facts = json_pack("{s:s,s:s}", "player", player.name, "key", player.witness);
    return rc;
}

/* The free text without its line ends; false when it is not a proof. */
static bool read_proof(struct slice text, char proof[PROOF_HEX + 1])
{
    size_t len = 0;
    for (size_t i = 0; i < text.len; i++) {
        bool digit = (text.p[i] >= '0' && text.p[i] <= '9') || (text.p[i] >= 'a' && text.p[i] <= 'f');
        if (text.p[i] == '\n' || text.p[i] == ' ')
            continue;
        if (!digit || len == PROOF_HEX)
            return false;
        proof[len++] = text.p[i];
    }
    proof[len] = '\0';
    return len == PROOF_HEX;
}

static bool key_known(const struct game_witness *witness, const struct pubkey *key)
{
    for (size_t i = 0; i < witness->key_count; i++)
        if (pubkey_equal(&witness->keys[i], key))
            return true;
    return false;
}

/* May the witness answer, and for this head? */
static bool awaited(struct hearing *hearing, const struct game *game, int witness)
{
    char head[2 * HEAD_BYTES + 1];
    hex_to(head, game->close.head, HEAD_BYTES);
    if (witness < 0)
        (void)hearing_refuse(hearing, "you_not_witness game=%s", game->id);
    else if (!key_known(&game->witnesses.list[witness], hearing->key))
        (void)hearing_refuse(hearing, "witness_key game=%s", game->id);
    else if (hearing->frame->turn < 0)
        (void)hearing_refuse(hearing, "turn_unnamed");
    else if (!game->closed)
        (void)hearing_refuse(hearing, "not_closed turn=%d game=%s", game->turn, game->id);
    else if (!witness_missing(game, witness))
        (void)hearing_refuse(hearing, "you_not_awaited turn=%d game=%s", game->turn, game->id);
    else if (!*hearing->frame->head)
        (void)hearing_refuse(hearing, "closed_head_missing turn=%d game=%s head=%s", game->turn, game->id,
                             head);
    else if (strcmp(hearing->frame->head, head) != 0)
        (void)hearing_refuse(hearing, "closed_head turn=%d game=%s head=%s named=%s", game->turn, game->id,
                             head, hearing->frame->head);
    return !hearing->refusal;
}

static enum outcome act(struct hearing *hearing, struct err *err)
{
    char proof[PROOF_HEX + 1], last[2 * HEAD_BYTES + 1] = "";
    struct slice given = hearing->value[LAST];
    if (!hearing->entry)
        return register_key(hearing, err);
    struct game *game = &hearing->entry->game;
    int witness = witness_of(game, hearing->player);
    if (!awaited(hearing, game, witness))
        return OUTCOME_REFUSED;
    if (!read_proof(hearing->rest, proof))
        return hearing_refuse(hearing, "proof_digits digits=%zu", PROOF_HEX);
    if (given.p && given.len == sizeof last - 1)
        memcpy(last, given.p, given.len);
    else if (given.p)
        return hearing_refuse(hearing, "last_takes");
    json_t *evidence = hearing_evidence(hearing);
    const struct witness_input input = {witness, proof, last, evidence};
    enum outcome outcome = step_witness(&hearing->step, game, &input, &hearing->refusal, err);
    json_decref(evidence);
    return outcome;
}

const struct petition petition_witness = {
    .verb = "witness",
    .needs = PETITION_MAYBE_GAME | PETITION_TEXT | PETITION_CLOSED | PETITION_QUIET,
    .fields = {[KEY] = "key", [LAST] = "last"},
    .act = act,
};
