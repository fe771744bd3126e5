#include <assert.h>
#include <string.h>

#include "base/json.h"
#include "play/facts.h"
#include "game/seating.h"
#include "play/step_parts.h"

/* The mark of the text that asks; of one that a domain vouches for, its signature has to stand in the record. */
static void add_mark(json_t *fields, const struct game *game, const struct join_input *input)
{
    unsigned char mark[SEAL_BYTES];
    json_t *signature = input->proof ? step_domain_signature(input->proof) : json_incref(input->signature);
    json_t *payload = json_pack("{s:o,s:O}", "text", json_text(input->exact), "signature", signature);
    bool good = seal_mark(mark, game->journal.create_head, 0, payload);
    assert(good); /* the signature was verified */
    (void)good;
    json_object_set_new(fields, "mark", json_hex(mark, SEAL_BYTES));
    if (input->proof)
        json_object_set(fields, "signature", signature);
    json_decref(signature);
    json_decref(payload);
}

static void add_members(json_t *fields, const json_t *members)
{
    if (members)
        json_object_update(fields, (json_t *)(uintptr_t)members);
}

void step_tell_table(struct step *step, const struct game *game, int seat, const char *player,
                     const char *next)
{
    for (int reader = 1; reader <= game->seats && game->turn == 0; reader++) {
        const struct game_seat *who = &game->seat[reader];
        if (who->robot || !*who->player || reader == seat)
            continue;
        json_t *facts = facts_game(game, reader);
        json_object_set_new(facts, "about_seat", json_integer(seat));
        json_object_set_new(facts, "about_player", json_string(player));
        json_object_set_new(facts, "left", json_boolean(next != NULL));
        json_object_set_new(facts, "drawn", json_boolean(game->seat[seat].drawn));
        if (next && *next)
            json_object_set_new(facts, "next", json_string(next));
        step_tell(step, game, POST_TOLD, "table_news", reader, "", facts);
        step->posts[step->post_count - 1].optional = true;
    }
}

static void add_wishes(json_t *fields, const struct game *game, const struct wish_list *wishes)
{
    struct str names = STR_INIT;
    wish_write(&names, game->ruleset, game->cards, wishes);
    if (names.len)
        json_object_set_new(fields, "wish", json_string(names.p));
    str_release(&names);
}

int step_join(struct step *step, struct game *game, const struct join_input *input, struct err *err)
{
    json_t *fields = json_pack("{s:s}", "player", input->player);
    add_mark(fields, game, input);
    add_members(fields, input->members);
    add_wishes(fields, game, &input->wishes);
    if (!input->seat) {
        json_object_set_new(fields, "kind", json_string("wait"));
        return step_record(step, game, "note", fields, NULL, err);
    }
    json_object_set_new(fields, "seat", json_integer(input->seat));
    if (input->drawn)
        json_object_set_new(fields, "drawn", json_true());
    return step_record(step, game, "seat", fields, NULL, err);
}

/* The first on the waiting list who is not banned. */
static const struct game_waiting *next_waiting(const struct step *step, const struct game *game)
{
    const struct outside *outside = step->keys.outside;
    for (size_t i = 0; i < game->table.waiting_count; i++) {
        const struct player *player =
            outside ? registry_find(outside->players, game->table.waiting[i].player) : NULL;
        if (!player || !player->banned)
            return &game->table.waiting[i];
    }
    return NULL;
}

/* Has each key that waits for the seat stayed its player's? A text of before brings none back: they join by another one. */
static bool still_theirs(const struct step *step, const struct game_waiting *who)
{
    const struct outside *outside = step->keys.outside;
    bool theirs = true;
    for (size_t i = 0; outside && i < who->key_count && theirs; i++)
        theirs = keyring_has(outside->keys, who->player, &who->keys[i]);
    return theirs;
}

/* The first on the waiting list gets the seat in the same record, so that no crash can come between. */
static json_t *fields_of_next(const struct step *step, const struct game *game, int seat)
{
    const struct game_waiting *first = *seating_keeps(game, seat) ? NULL : next_waiting(step, game);
    if (!first || !still_theirs(step, first))
        return json_pack("{s:i,s:b}", "seat", seat, "free", 1);
    return json_pack("{s:i,s:s,s:o,s:b,s:b}", "seat", seat, "player", first->player, "mark",
                     json_hex(first->seal, SEAL_BYTES), "waited", 1, "drawn", 1);
}

void step_tell_waiting(struct step *step, const struct game *game, int seat)
{
    const struct game_waiting *first = next_waiting(step, game);
    if (seat && first && !*game->seat[seat].player && !*seating_keeps(game, seat))
        step_tell(step, game, POST_TOLD, "free_again", 0, first->player, facts_game(game, 0));
}

json_t *step_leave_fields(const struct step *step, const struct game *game, const char *player)
{
    int seat = game_seat_of(game, player);
    if (!seat)
        return json_pack("{s:s,s:b}", "player", player, "leave", 1);
    json_t *fields = fields_of_next(step, game, seat);
    json_object_set_new(fields, "left", json_string(player));
    return fields;
}

int step_leave(struct step *step, struct game *game, const char *player, const json_t *members,
               struct err *err)
{
    int seat = game_seat_of(game, player);
    json_t *fields = step_leave_fields(step, game, player);
    add_members(fields, members);
    if (!seat) {
        json_object_set_new(fields, "kind", json_string("wait"));
        return step_record(step, game, "note", fields, NULL, err);
    }
    return step_record(step, game, "seat", fields, NULL, err);
}

int step_resign_record(struct step *step, struct game *game, int seat, const json_t *members, struct err *err)
{
    json_t *fields =
        json_pack("{s:i,s:s,s:s}", "seat", seat, "robot", game->seat[seat].player, "why", "resigned");
    add_members(fields, members);
    return step_record(step, game, "seat", fields, NULL, err);
}

int step_resign(struct step *step, struct game *game, int seat, const json_t *members, struct err *err)
{
    if (step_resign_record(step, game, seat, members, err))
        return -1;
    step_tell(step, game, POST_ANSWER, "resigned", 0, game->seat[seat].player, facts_game(game, 0));
    return !game->over && step_ripe(step, game) ? step_resolve(step, game, err) : 0;
}
