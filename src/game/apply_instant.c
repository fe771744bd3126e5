#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "game/apply_parts.h"
#include "game/turn.h"

/* The seat's deals, carried out when its mail was read. */
int note_instant(struct applying *a, struct err *err)
{
    struct game *game = a->game;
    struct events events;
    unsigned char digest[32], state_digest[32], events_digest[32];
    struct game_seat *seat = apply_seat_of(a, err);
    if (!seat || !game->ruleset->instant || !seat->instant.len)
        return apply_broken(a, err, "no orders that are carried out at once");
    events_init(&events);
    void *state = mem_copy(game->state, game->ruleset->state_size);
    turn_instant(game, (int)(seat - game->seat), state, &events);
    fields_digest(game->ruleset->fields, state, state_digest);
    json_t *told = events_json(&events, -1);
    turn_events_digest(events_digest, &events);
    int rc = 0;
    if (!apply_hex(a, "state", digest, 32) || memcmp(digest, state_digest, 32) != 0)
        rc = apply_broken(a, err, "the state it names is not the one that the rules give");
    else if (!apply_hex(a, "events", digest, 32) || memcmp(digest, events_digest, 32) != 0)
        rc = apply_broken(a, err, "the events it names are not those that the rules give");
    else
        memcpy(game->state, state, game->ruleset->state_size);
    if (rc == 0 && !game->told.instant)
        game->told.instant = json_array();
    if (rc == 0)
        json_array_extend(game->told.instant, told);
    json_decref(told);
    events_release(&events);
    free(state);
    return rc;
}
