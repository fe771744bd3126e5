/* What the moderators' actions share: refusing, recording, telling. */
#include "petitions/moderate.h"

#include <stdlib.h>
#include <string.h>

#include "base/moment.h"
#include "game/game_seats.h"
#include "play/facts.h"
#include "league/name_list.h"
#include "play/step_parts.h"

void ruling_box(struct ruling *ruling, int seat, int item, json_t *json, json_t *into)
{
    if (ruling->hearing->msg) {
        json_object_set_new(json, "text", json_text(ruling->hearing->exact));
        json_object_set(json, "signature", (json_t *)(uintptr_t)ruling->hearing->signature);
    }
    step_box_json(ruling->step, ruling->game, &(struct step_boxed){.seat = seat, .item = item, .round = 1},
                  json, into);
}

int ruling_record(struct ruling *ruling, json_t *fields, struct err *err)
{
    json_t *all = fields ? fields : json_object();
    struct hearing *hearing = ruling->hearing;
    json_t *evidence = ruling->secret && hearing->msg ? hearing_marks(hearing) : hearing_evidence(hearing);
    json_object_set_new(evidence, "by", json_string(ruling->by));
    json_object_update_missing(all, evidence);
    json_decref(evidence);
    json_object_set_new(all, "do", json_string(ruling->action->word));
    json_object_set_new(all, "reason", json_text(ruling->reason));
    if (!json_object_get(all, "turn"))
        json_object_set_new(all, "turn", json_integer(ruling->game->turn));
    return step_record(ruling->step, ruling->game, "moderate", all, NULL, err);
}

void ruling_time(json_t *facts, const char *key, int64_t time)
{
    json_object_set_new(facts, key, moment_json(time, NULL));
}

json_t *ruling_facts(const struct ruling *ruling, int seat, json_t *what)
{
    json_t *facts = facts_game(ruling->game, seat);
    bool operator= strcmp(ruling->by, OPERATOR) == 0;
    json_t *own = json_pack("{s:s,s:b,s:o}", "by", ruling->by, "by_operator", operator, "reason",
                            json_text(ruling->reason));
    json_object_set(own, ruling->action->word, what ? what : json_true());
    json_object_set_new(facts, "undealt", json_boolean(ruling->game->turn == 0));
    json_object_set_new(facts, "ruling", own); /* kept apart, so that no template of a board uses it as its
                                                * own */
    return facts;
}

void ruling_tell(struct ruling *ruling, int seat, const char *player, json_t *facts)
{
    const char *name = seat ? ruling->game->seat[seat].player : player;
    bool own = ruling->hearing->msg && !ruling->aside && strcmp(name, ruling->by) == 0;
    step_tell(ruling->step, ruling->game, own ? POST_ANSWER : POST_TOLD, "moderated", seat, player, facts);
}

void ruling_moderators(struct ruling *ruling,
                       void (*each)(struct ruling *ruling, const char *player, void *arg), void *arg)
{
    struct slice rest = slice_of(ruling->batch->league->config.league.moderators);
    struct slice name;
    while (slice_word(&rest, &name)) {
        char *player = slice_dup(name);
        if (strlen(player) < PLAYER_NAME && !game_seat_of(ruling->game, player))
            each(ruling, player, arg);
        free(player);
    }
}

static void tell_moderator(struct ruling *ruling, const char *player, void *what)
{
    ruling_tell(ruling, 0, player, ruling_facts(ruling, 0, what));
}

void ruling_announce(struct ruling *ruling, json_t *what)
{
    const struct game *game = ruling->game;
    for (int seat = 1; seat <= game->seats; seat++)
        if (seat_has_person(game, seat))
            ruling_tell(ruling, seat, "", ruling_facts(ruling, seat, what));
    ruling_moderators(ruling, tell_moderator, what);
    json_decref(what);
}

bool moderator_involved(const struct game *game, const char *player)
{
    for (int seat = 1; seat <= game->seats; seat++)
        if (strcmp(game->seat[seat].owner, player) == 0 || strcmp(game->seat[seat].offered, player) == 0)
            return true;
    return game_seat_of(game, player) || game_waits(game, player) ||
           names_hold(game->attendance.standby.p, player);
}

int ruling_go_on(struct ruling *ruling, struct err *err)
{
    struct game *game = ruling->game;
    if (game->turn == 0)
        return step_begin(ruling->step, game, err);
    return !game->over && step_ripe(ruling->step, game) ? step_resolve(ruling->step, game, err) : 0;
}
