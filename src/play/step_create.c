#include "play/step.h"

#include <sodium.h>
#include <string.h>

#include "play/facts.h"
#include "play/press.h"
#include "game/seating.h"
#include "play/step_parts.h"

/* Who may have which seat, and a nonce so that no other game has this head. */
static void add_format(json_t *fields, const struct new_game *how)
{
    json_t *table = json_array();
    for (int seat = 1; seat <= how->seats; seat++) {
        const struct new_seat *who = &how->seat[seat];
        char entry[GAME_TABLE] = "";
        if (who->player)
            seating_entry(entry, who->player, who->robot, who->kept);
        json_array_append_new(table, json_string(entry));
    }
    json_object_set_new(fields, "format", json_integer(GAME_FORMAT));
    json_object_set_new(fields, "nonce", json_hex(how->nonce, SEAL_NONCE));
    json_object_set_new(fields, "table", table);
    if (how->rematch) {
        json_object_set_new(fields, "rematch", json_string(how->rematch));
        json_object_set_new(fields, "rematch_head", json_hex(how->rematch_head, HEAD_BYTES));
    }
    if (how->answer_by)
        json_object_set_new(fields, "answer_by", json_time(how->answer_by));
    if (how->place) {
        json_t *place = json_pack("{s:s,s:o,s:i,s:i,s:i}", "name", how->place->name, "head",
                                  json_hex(how->place->head, HEAD_BYTES), "round", how->place->round, "table",
                                  how->place->table, "attempt", how->place->attempt);
        if (how->place->until)
            json_object_set_new(place, "until", json_time(how->place->until));
        json_object_set_new(fields, "compete", place);
    }
}

static json_t *create_fields(const struct step *step, const struct new_game *how,
                             const unsigned char cards[32])
{
    unsigned char key[32], commitment[32];
    json_t *options = json_object();
    for (int i = 0; i < GAME_OPTIONS && how->ruleset->options[i].name; i++)
        json_object_set_new(options, how->ruleset->options[i].name, json_integer(how->options[i]));
    seal_key(key, step->keys.master, how->id, how->nonce);
    seal_key_commitment(commitment, key);
    sodium_memzero(key, sizeof key);
    json_t *fields = json_pack(
        "{s:s,s:i,s:o,s:o,s:i,s:o,s:o,s:o,s:I,s:i}", "ruleset", how->ruleset->name, "version",
        how->ruleset->version, "cards", json_hex(cards, 32), "options", options, "seats", how->seats,
        "league_key", json_hex(step->keys.key->point, 32), "vrf_key", json_hex(step->keys.vrf_public, 32),
        "seal_key", json_hex(commitment, 32), "turn_length",
        (json_int_t)(how->clock ? how->clock->length : how->turn_length), "missed_robot", how->missed_robot);
    json_object_set_new(fields, "press", json_string(press_kind_name(how->press)));
    json_object_set_new(fields, "press_delivery", json_string(how->press_report ? "report" : "now"));
    if (how->press_signed)
        json_object_set_new(fields, "press_signed", json_true());
    json_object_set_new(fields, "observers", json_boolean(!how->private));
    json_object_set_new(fields, "missed_standby", json_integer(how->missed_standby));
    json_object_set_new(fields, "views", json_integer(how->ruleset->views));
    json_object_set_new(fields, "language", json_integer(ORDER_LANGUAGE));
    add_format(fields, how);
    if (how->typo_wait)
        json_object_set_new(fields, "typo_wait", json_true());
    if (how->by_mail)
        json_object_set_new(fields, "trust", json_string("mail"));
    if (how->second_thoughts)
        json_object_set_new(fields, "second_thoughts", json_integer(how->second_thoughts));
    if (how->lockstep)
        json_object_set_new(fields, "lockstep", lockstep_json(how->lockstep));
    else if (how->clock)
        json_object_set_new(fields, "clock", schedule_json(how->clock));
    if (how->cards)
        json_object_set_new(fields, "card_data", json_deep_copy(how->cards));
    if (how->request)
        json_object_set_new(fields, "request", json_hex(how->request, 32));
    quorum_write(fields, &how->witnesses);
    return fields;
}

static int step_seats(struct step *step, struct game *game, const struct new_game *how, struct err *err)
{
    for (int seat = 1; seat <= how->seats; seat++) {
        const struct new_seat *who = &how->seat[seat];
        if (!who->player || who->kept)
            continue;
        json_t *fields = json_pack("{s:i,s:s}", "seat", seat, who->robot ? "robot" : "player", who->player);
        if (!who->robot) {
            json_object_set_new(fields, "why", json_string("entered"));
            (void)json_object_update(fields, (json_t *)(uintptr_t)who->entry);
        }
        if (step_record(step, game, "seat", fields, NULL, err))
            return -1;
    }
    return 0;
}

int step_create(struct step *step, struct game *game, const struct new_game *how, struct err *err)
{
    game_init(game);
    memcpy(game->id, how->id, strlen(how->id) + 1);
    game->ruleset = how->ruleset;
    memcpy(game->journal.league_key, step->keys.key->point, 32);
    if (game_set_cards(game, how->cards, err) ||
        step_record(step, game, "create", create_fields(step, how, game->cards_digest), NULL, err) ||
        step_seats(step, game, how, err))
        return -1;
    if (game_ready(game) && !game_deal_waits(game, step->now))
        return step_begin(step, game, err);
    if (game_ready(game) && how->place) /* its competition tells of the round */
        return 0;
    step_ask_kept(step, game, how);
    for (size_t i = 0; how->rematch && i < step->post_count; i++)
        json_object_set_new(step->posts[i].facts, "rematch", json_string(how->rematch));
    return 0;
}
