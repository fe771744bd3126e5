/* The keys of a seat change by a text of its player; or seven days after everybody at the table could read that another key was
 * asked for, as the old ones are lost. */
#include <string.h>

#include "base/json.h"
#include "game/apply_parts.h"
#include "game/seat_keys.h"

/* The key that was asked for, long enough ago, and nobody has said no. */
static bool was_announced(const struct applying *a, const struct game_seat *seat)
{
    const struct seat_rekey *rekey = &seat->rekey;
    return rekey->record && json_integer_value(json_object_get(a->record->json, "asked")) == rekey->record &&
           a->record->time - rekey->time >= SEAT_REKEY_WAIT &&
           a->record->time - rekey->time <= SEAT_REKEY_LASTS;
}

int apply_key(struct applying *a, struct err *err)
{
    struct game_seat *seat = apply_seat_of(a, err);
    struct seat_keys keys;
    const bool asked = json_object_get(a->record->json, "asked");
    if (!seat || apply_key_list(a, json_object_get(a->record->json, "keys"), keys.list, &keys.count, err))
        return -1;
    if (asked &&
        !(was_announced(a, seat) && keys.count == 1 && pubkey_equal(&keys.list[0], &seat->rekey.key)))
        return apply_broken(a, err,
                            "that key was not asked for seven days before, or more than four weeks, or "
                            "somebody has said no");
    bool keyless = a->game->table.by_mail && !seat->key_count;
    seat_keys_become(seat, &keys, a->record->json, a->record->time);
    if (asked)
        seat->rekey = (struct seat_rekey){.record = 0};
    /* What their mail domain vouched for lasts no longer than that counts. What is closed stays as it was closed:
     * nobody can choose by this what a turn brings. */
    if (keyless && keys.count && !a->game->closed)
        str_clear(&seat->standing);
    return 0;
}

int note_rekey(struct applying *a, struct err *err)
{
    struct game_seat *seat = apply_seat_of(a, err);
    struct pubkey keys[KEYS_PER_PLAYER];
    size_t count;
    if (!seat || apply_key_list(a, json_object_get(a->record->json, "keys"), keys, &count, err))
        return -1;
    if (count != 1)
        return apply_broken(a, err, "one key takes the place of those that are lost");
    seat->rekey = (struct seat_rekey){a->record->seq, a->record->time, keys[0]};
    return 0;
}

int note_veto(struct applying *a, struct err *err)
{
    struct game_seat *seat = apply_seat_of(a, err);
    if (seat && !seat->rekey.record)
        return apply_broken(a, err, "no other key was asked for");
    if (seat)
        seat->rekey = (struct seat_rekey){.record = 0};
    return seat ? 0 : -1;
}

/* Another mailbox is theirs. Which one is in no game's file; that it changed concerns those who play with them. */
int note_mailbox(struct applying *a, struct err *err)
{
    return apply_seat_of(a, err) ? 0 : -1;
}
