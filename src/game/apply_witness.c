#include <string.h>

#include "base/clock.h"
#include "base/encode.h"
#include "base/file.h"
#include "base/json.h"
#include "game/apply_parts.h"
#include "game/seating.h"
#include "game/witness.h"

/* ---- create ---- */

static bool read_key(const json_t *text, enum vkey_type type, struct vkey *key)
{
    struct err ignored = ERR_INIT;
    const char *value = json_string_value(text);
    return value && vkey_parse(slice_of(value), key, &ignored) == 0 && key->type == type;
}

/* One friend under two names would be two. */
static bool is_new(const struct game *game, const struct game_witness *witness)
{
    for (int i = 0; i < game->witnesses.count; i++) {
        const struct game_witness *other = &game->witnesses.list[i];
        if (strcmp(other->name, witness->name) == 0 || memcmp(other->vrf, witness->vrf, VRF_PUBLIC) == 0 ||
            memcmp(other->key.public, witness->key.public, VKEY_PUBLIC) == 0)
            return false;
    }
    return true;
}

static int read_witness(struct applying *a, const json_t *item, struct err *err)
{
    struct game *game = a->game;
    const char *name = json_string_value(json_object_get(item, "name"));
    const char *vrf = json_string_value(json_object_get(item, "vrf"));
    struct game_witness *witness = &game->witnesses.list[game->witnesses.count];
    if (!name || !name_valid(slice_of(name)) || strlen(name) >= sizeof witness->name)
        return apply_broken(a, err, "bad name of a witness");
    if (!vrf || !hex_decode(witness->vrf, VRF_PUBLIC, slice_of(vrf)) ||
        !read_key(json_object_get(item, "vkey"), VKEY_COSIGNER, &witness->key))
        return apply_broken(a, err, "the keys of a witness cannot be read");
    memcpy(witness->name, name, strlen(name) + 1);
    if (!is_new(game, witness))
        return apply_broken(a, err, "a witness is named twice");
    game->witnesses.count++;
    return 0;
}

int apply_witnesses(struct applying *a, struct err *err)
{
    struct game *game = a->game;
    const json_t *list = json_object_get(a->record->json, "witnesses");
    const json_t *quorum = json_object_get(a->record->json, "quorum");
    const json_t *log = json_object_get(a->record->json, "log");
    size_t i;
    json_t *item;
    if ((list != NULL) != (quorum != NULL) || (list != NULL) != (log != NULL))
        return apply_broken(a, err, "its witnesses, their log and how many have to answer go together");
    if (!list)
        return 0;
    if (json_array_size(list) == 0 || json_array_size(list) > WITNESSES_MAX)
        return apply_broken(a, err, "it has no witnesses, or too many");
    if (!read_key(log, VKEY_SIGNER, &game->witnesses.log) ||
        memcmp(game->witnesses.log.public, game->journal.league_key, VKEY_PUBLIC) != 0)
        return apply_broken(a, err, "the log of its witnesses is not the league's");
    json_array_foreach (list, i, item)
        if (read_witness(a, item, err))
            return -1;
    const json_int_t need = json_integer_value(quorum);
    if (2 * need <= game->witnesses.count || need > game->witnesses.count)
        return apply_broken(a, err, "its quorum is no majority of its witnesses");
    game->witnesses.quorum = (int)need;
    return 0;
}

/* ---- answers ---- */

static int check_turn(struct applying *a, struct err *err)
{
    int64_t turn;
    if (json_need_int(a->record->json, "turn", 0, 9999, &turn, a->record->type, err))
        return -1;
    return turn == a->game->turn && a->game->closed && a->game->witnesses.count
               ? 0
               : apply_broken(a, err, "no witness is waited for");
}

int note_witness(struct applying *a, struct err *err)
{
    struct game *game = a->game;
    const char *proof = apply_text(a, "proof");
    unsigned char dice[VRF_PROOF];
    struct witness_answered answered;
    struct err why = ERR_INIT;
    const int number = witness_of(game, apply_text(a, "witness"));
    if (check_turn(a, err))
        return -1;
    if (number < 0 || !witness_missing(game, number))
        return apply_broken(a, err, "nothing is waited for from this witness");
    if (!apply_hex(a, "pi", dice, sizeof dice) ||
        witness_check(game, number, slice_of(proof), dice, &answered, &why))
        return apply_broken(a, err, why.code ? why.text : "its proof is no hex");
    struct game_witness *witness = &game->witnesses.list[number];
    witness->answered = true;
    witness->cosigned = answered.cosigned;
    memcpy(witness->beta, answered.beta, sizeof witness->beta);
    str_clear(&witness->proof);
    str_adds(&witness->proof, proof);
    return 0;
}

int note_late(struct applying *a, struct err *err)
{
    struct game *game = a->game;
    if (check_turn(a, err))
        return -1;
    if (game->witnesses.late || !witness_too_few(game) || a->record->time < game->close.at + WITNESS_LATE)
        return apply_broken(a, err,
                            "it is not three days, or enough witnesses have answered, or all were told");
    game->witnesses.late = true;
    return 0;
}

/* ---- a turn opens again ---- */

/* What the close has counted is not counted twice. */
static void take_back_close(struct game *game)
{
    for (int seat = 1; seat <= game->seats; seat++) {
        struct game_seat *who = &game->seat[seat];
        who->late = false; /* whose robot sits there plays this turn */
        if (!(game->close.awaited & SEAT_BIT(seat)) || who->robot)
            continue;
        struct game_tally *tally = apply_tally(game, who->player);
        tally->awaited--;
        tally->missed -= (game->close.missed & SEAT_BIT(seat)) != 0;
        who->missed = game->close.missed_before[seat];
    }
    game->close.awaited = game->close.missed = 0;
}

void apply_reopen(struct applying *a, int64_t deadline)
{
    struct game *game = a->game;
    witness_open(game);
    take_back_close(game);
    game->clock.deadline = deadline;
    game->clock.dated = a->record->time;
    game->clock.reminded = 0;
}

int note_unwitness(struct applying *a, struct err *err)
{
    struct game *game = a->game;
    struct game_seat *seat = apply_seat_of(a, err);
    int needed;
    if (!seat || check_turn(a, err))
        return -1;
    const int number = (int)(seat - game->seat);
    if (!game->witnesses.late || !witness_too_few(game) ||
        !(witness_voters(game, &needed) & SEAT_BIT(number)) || (game->witnesses.without & SEAT_BIT(number)))
        return apply_broken(a, err, "this seat has nothing to decide about witnesses");
    const bool decides = witness_decides(game, number);
    const char *deadline = apply_text(a, "deadline");
    int64_t time = 0;
    if (*deadline && (!decides || !game->turn || !clock_parse(slice_of(deadline), &time)))
        return apply_broken(a, err, "the turn is not open again, or its deadline is no time");
    game->witnesses.without |= SEAT_BIT(number);
    if (!decides)
        return 0;
    apply_reopen(a, time);
    witness_give_up(game, game->turn);
    game->draws.rollbacks++;
    return 0;
}
