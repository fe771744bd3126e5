#include "engine/step.h"

#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/encode.h"
#include "base/json.h"
#include "base/mem.h"
#include "engine/apply.h"
#include "engine/facts.h"
#include "engine/press.h"
#include "engine/step_parts.h"
#include "engine/witness.h"
#include "engine/view.h"

void step_init(struct step *step, const struct step_keys *keys, int64_t now)
{
    memset(step, 0, sizeof *step);
    step->keys = *keys;
    step->now = now;
    str_init(&step->records);
    str_init(&step->sealed);
}

static void post_release(struct post *post)
{
    json_decref(post->facts);
    view_drop(post->view);
}

void step_release(struct step *step)
{
    for (size_t i = 0; i < step->post_count; i++)
        post_release(&step->posts[i]);
    free(step->posts);
    json_decref(step->away);
    str_release(&step->records);
    str_release(&step->sealed);
    sealed_set_release(&step->opened);
}

json_t *step_hex(const void *bytes, size_t len)
{
    struct str text = STR_INIT;
    hex_encode(&text, bytes, len);
    json_t *value = json_stringn(text.p, text.len);
    str_release(&text);
    return value;
}

json_t *step_time(int64_t time)
{
    char text[CLOCK_TEXT];
    clock_utc(text, time);
    return json_string(text);
}

/* Time in a journal never runs backwards, whatever the host's clock does; deadlines are counted from it. */
static int64_t journal_time(const struct step *step, const struct game *game)
{
    return step->now > game->time ? step->now : game->time;
}

int step_record(struct step *step, struct game *game, const char *type, json_t *fields,
                struct turn_result *result, struct err *err)
{
    struct record record;
    size_t from = step->records.len;
    int64_t time = journal_time(step, game);
    if (record_make(&step->records, game->id, game->seq + 1, game->head, type, time, fields,
                    step->keys.key->key, &record, err))
        return -1;
    int rc = game_apply(game, &record, game->length + (int64_t)(step->records.len - from), &step->opened,
                        result, step->past, err);
    record_release(&record);
    return rc;
}

void step_seal(struct step *step, const struct game *game, int seat, int item, struct slice payload,
               unsigned char seal[SEAL_BYTES])
{
    unsigned char key[32];
    seal_key(key, step->keys.master, game->id);
    sealed_write(&step->sealed, &step->opened, key, game->seq + 1, seat, item, payload, seal);
    sodium_memzero(key, sizeof key);
}

void step_post(struct step *step, const struct game *game, enum post_kind kind, int seat, json_t *facts)
{
    step->posts = mem_grow(step->posts, step->post_count, &step->post_cap, sizeof *step->posts);
    struct post *post = &step->posts[step->post_count++];
    post->kind = kind;
    post->seat = post->number = seat;
    post->player[0] = '\0';
    post->words = "";
    post->with_close = false;
    post->seq = game->seq;
    memcpy(post->head, game->head, HEAD_BYTES);
    post->until = seat && game->deadline && (game_missing(game) & SEAT_BIT(seat)) ? game->deadline : 0;
    post->facts = facts;
    post->view = NULL;
    post->told = NULL;
}

void step_urgent(struct step *step, int64_t until)
{
    step->posts[step->post_count - 1].until = until;
}

void step_tell(struct step *step, const struct game *game, enum post_kind kind, const char *words, int seat,
               const char *player, json_t *facts)
{
    int number = seat ? seat : POST_OTHERS;
    for (size_t i = 0; !seat && i < step->post_count; i++)
        number += step->posts[i].seq == game->seq && step->posts[i].number >= POST_OTHERS;
    step_post(step, game, kind, seat, facts);
    struct post *post = &step->posts[step->post_count - 1];
    post->number = number;
    post->words = words;
    if (!seat)
        (void)snprintf(post->player, sizeof post->player, "%s", player);
}

static bool has_seat(const struct game *game, struct slice player)
{
    for (int seat = 1; seat <= game->seats; seat++)
        if (!game->seat[seat].robot && slice_eq(player, game->seat[seat].player))
            return true;
    return false;
}

void step_tell_all(struct step *step, const struct game *game, const char *words, json_t *extra)
{
    const struct outside *outside = step->keys.outside;
    struct slice rest = slice_of(outside ? outside->config->moderators : "");
    struct slice name;
    for (int seat = 1; seat <= game->seats; seat++) {
        if (game->seat[seat].robot)
            continue;
        json_t *facts = facts_game(game, seat);
        json_object_update(facts, extra);
        if (outside && config_moderator(outside->config, game->seat[seat].player))
            json_object_set_new(facts, "moderator", json_true());
        step_tell(step, game, POST_TOLD, words, seat, "", facts);
    }
    while (slice_word(&rest, &name)) {
        if (has_seat(game, name) || name.len >= PLAYER_NAME)
            continue;
        char *player = slice_dup(name);
        json_t *facts = facts_game(game, 0);
        json_object_update(facts, extra);
        json_object_set_new(facts, "moderator", json_true());
        step_tell(step, game, POST_TOLD, words, 0, player, facts);
        step_urgent(step, 1);
        free(player);
    }
    json_decref(extra);
}

/* ---- a new game ---- */

json_t *step_keys_json(const struct pubkey *keys, size_t count)
{
    json_t *list = json_array();
    for (size_t i = 0; i < count; i++) {
        struct str line = STR_INIT;
        pubkey_format(&line, &keys[i]);
        json_array_append_new(list, json_stringn(line.p, line.len));
        str_release(&line);
    }
    return list;
}

static json_t *witnesses_json(const struct new_game *how)
{
    json_t *list = json_array();
    for (int i = 0; i < how->witness_count; i++) {
        const struct new_witness *who = &how->witness[i];
        json_array_append_new(list, json_pack("{s:s,s:o,s:o}", "player", who->player, "keys",
                                              step_keys_json(who->keys, who->key_count), "vrf",
                                              step_hex(who->vrf, VRF_PUBLIC)));
    }
    return list;
}

static json_t *create_fields(const struct step *step, const struct new_game *how,
                             const unsigned char cards[32])
{
    unsigned char key[32], commitment[32];
    json_t *options = json_object();
    for (int i = 0; i < GAME_OPTIONS && how->ruleset->options[i].name; i++)
        json_object_set_new(options, how->ruleset->options[i].name, json_integer(how->options[i]));
    seal_key(key, step->keys.master, how->id);
    seal_key_commitment(commitment, key);
    sodium_memzero(key, sizeof key);
    json_t *fields = json_pack(
        "{s:s,s:i,s:o,s:o,s:i,s:o,s:o,s:o,s:I,s:i}", "ruleset", how->ruleset->name, "version",
        how->ruleset->version, "cards", step_hex(cards, 32), "options", options, "seats", how->seats,
        "league_key", step_hex(step->keys.key->point, 32), "vrf_key", step_hex(step->keys.vrf_public, 32),
        "seal_key", step_hex(commitment, 32), "turn_length",
        (json_int_t)(how->clock ? how->clock->length : how->turn_length), "missed_robot", how->missed_robot);
    json_object_set_new(fields, "press", json_string(press_kind_name(how->press)));
    json_object_set_new(fields, "press_delivery", json_string(how->press_report ? "report" : "now"));
    json_object_set_new(fields, "observers", json_boolean(!how->private));
    json_object_set_new(fields, "missed_standby", json_integer(how->missed_standby));
    json_object_set_new(fields, "views", json_integer(how->ruleset->views));
    if (how->clock)
        json_object_set_new(fields, "clock", schedule_json(how->clock));
    if (how->cards)
        json_object_set_new(fields, "card_data", json_deep_copy(how->cards));
    if (how->witness_count)
        json_object_set_new(fields, "witnesses", witnesses_json(how));
    return fields;
}

static int step_seats(struct step *step, struct game *game, const struct new_game *how, struct err *err)
{
    for (int seat = 1; seat <= how->seats; seat++) {
        const struct new_seat *who = &how->seat[seat];
        if (!who->player)
            continue;
        json_t *fields = json_pack("{s:i,s:s}", "seat", seat, who->robot ? "robot" : "player", who->player);
        if (!who->robot)
            json_object_set_new(fields, "keys", step_keys_json(who->keys, who->key_count));
        if (step_record(step, game, "seat", fields, NULL, err))
            return -1;
    }
    return 0;
}

/* The draws of the open turn, its state and events. */
static int live_play(struct step *step, struct game *game, struct turn_result *result,
                     unsigned char proof[VRF_PROOF], struct err *err)
{
    unsigned char beta[VRF_OUTPUT], root[64];
    struct chance chance;
    struct str alpha = STR_INIT;
    turn_alpha(&alpha, game, game->turn);
    bool proved = vrf_prove(proof, beta, step->keys.vrf_secret, step->keys.vrf_public, alpha.p, alpha.len);
    str_release(&alpha);
    if (!proved)
        return err_set(err, ERR_CONFIG, "keys/secret/vrf is not a usable key");
    witness_root(root, game, beta);
    chance_live(&chance, root, step->keys.vrf_secret, step->keys.vrf_public);
    turn_play(game, &chance, result);
    if (result->chance.broken) {
        turn_result_release(result);
        return err_set(err, ERR_CONFIG, "keys/secret/vrf is not a usable key");
    }
    return 0;
}

static json_t *seal_hidden(struct step *step, const struct game *game, const struct turn_result *result)
{
    json_t *list = json_array();
    for (size_t i = 0; i < result->chance.hidden_count; i++) {
        const struct chance_hidden *draw = &result->chance.hidden[i];
        unsigned char seal[SEAL_BYTES];
        struct str payload = STR_INIT;
        json_t *json =
            json_pack("{s:s,s:o}", "label", draw->label, "proof", step_hex(draw->proof, VRF_PROOF));
        json_write(&payload, json);
        step_seal(step, game, 0, SEAL_HIDDEN + (int)i, slice_str(&payload), seal);
        json_array_append_new(list, json_pack("{s:o}", "seal", step_hex(seal, SEAL_BYTES)));
        json_decref(json);
        str_release(&payload);
    }
    return list;
}

/* The digest of what each seat is told, sealed: the reports can be held against it later. */
static json_t *seal_reports(struct step *step, const struct game *game, const struct turn_result *result)
{
    json_t *list = json_array();
    for (int seat = 1; seat <= game->seats; seat++) {
        unsigned char seal[SEAL_BYTES];
        struct str payload = STR_INIT;
        if (!result->view[seat]) {
            json_array_append_new(list, json_string(""));
            continue;
        }
        hex_encode(&payload, result->told[seat], sizeof result->told[seat]);
        step_seal(step, game, seat, SEAL_REPORT, slice_str(&payload), seal);
        json_array_append_new(list, step_hex(seal, SEAL_BYTES));
        str_release(&payload);
    }
    return list;
}

/* Seats whose orders will be missing when the turn opens that this result leads to. */
static uint32_t will_miss(const struct game *game, const struct turn_result *result)
{
    uint32_t wanted = game->ruleset->awaits(result->state);
    uint32_t before = game->turn ? game->ruleset->awaits(game->state) : 0;
    uint32_t missing = 0;
    for (int seat = 1; seat <= game->seats; seat++) {
        bool waits = game->ruleset->early && game->seat[seat].orders.in && !(before & SEAT_BIT(seat));
        if ((wanted & SEAT_BIT(seat)) && !game->seat[seat].robot && !waits)
            missing |= SEAT_BIT(seat);
    }
    return missing;
}

/* The deadline of the turn that opens now, and whose vacations it was moved for (step->away). */
static int64_t next_deadline(struct step *step, const struct game *game, const struct turn_result *result)
{
    const struct outside *outside = step->keys.outside;
    /* By a clock that may be wrong the turn would be overdue as soon as it is put right. */
    int64_t now =
        outside && outside->doubtful && game->time > step->now ? game->time : game_clock(game, step->now);
    bool interrupted = game->ruleset->interrupted && game->ruleset->interrupted(result->state);
    int64_t deadline =
        interrupted && game->deadline > now ? game->deadline : game_next_deadline(game, outside, now);
    json_decref(step->away);
    step->away = json_array();
    game_spare(game, outside, will_miss(game, result), &deadline, step->away);
    return deadline;
}

/* Plays the open turn (0: the deal) and records it. */
static int record_turn(struct step *step, struct game *game, struct err *err)
{
    struct turn_result result = {0};
    unsigned char proof[VRF_PROOF];
    if (live_play(step, game, &result, proof, err))
        return -1;
    bool over = game->ruleset->awaits(result.state) == 0;
    /* Not as arguments: compilers differ in which comes first, and the sealed lines have their order. */
    json_t *reports = seal_reports(step, game, &result);
    json_t *hidden = seal_hidden(step, game, &result);
    json_t *fields =
        json_pack("{s:i,s:o,s:o,s:o,s:o,s:o}", "turn", game->turn, "pi", step_hex(proof, VRF_PROOF), "state",
                  step_hex(result.state_digest, 32), "events", step_hex(result.events_digest, 32), "hidden",
                  hidden, "reports", reports);
    int64_t deadline = over ? 0 : next_deadline(step, game, &result);
    if (deadline)
        json_object_set_new(fields, "deadline", step_time(deadline));
    if (deadline && json_array_size(step->away))
        json_object_set(fields, "away", step->away);
    int rc = step_record(step, game, game->turn == 0 ? "start" : "turn", fields, &result, err);
    turn_result_release(&result);
    return rc;
}

/* The key that opens the seals. */
static int record_open(struct step *step, struct game *game, struct err *err)
{
    unsigned char key[32];
    seal_key(key, step->keys.master, game->id);
    json_t *fields = json_pack("{s:o}", "seal_key", step_hex(key, sizeof key));
    sodium_memzero(key, sizeof key);
    return step_record(step, game, "open", fields, NULL, err);
}

/* The end: scores for all to see; none when a moderator has declared the game void. */
int step_end(struct step *step, struct game *game, struct err *err)
{
    json_t *fields = json_pack("{s:i,s:s,s:o}", "turns", game->turn ? game->turn - 1 : 0, "reason",
                               game->voided ? "void" : game->ruleset->ending(game->state), "scores",
                               game->voided ? json_array() : facts_scores(game, 0));
    if (step_record(step, game, "end", fields, NULL, err))
        return -1;
    return record_open(step, game, err);
}

void step_report(struct step *step, const struct game *game, enum post_kind kind, int seat, bool missed)
{
    json_t *facts = facts_game(game, seat);
    facts_lines(facts, seat, game->last_events);
    facts_standing(facts, game, seat);
    facts_ending(facts, game, seat);
    press_facts_report(facts, game, seat);
    if (!game->over && json_array_size(step->away))
        json_object_set_new(facts, "moved", json_pack("{s:O}", "away", step->away));
    json_object_set_new(facts, "missed", json_boolean(missed));
    json_object_set_new(facts, "missed_in_a_row", json_integer(game->seat[seat].missed));
    json_object_set_new(facts, "robot_played",
                        json_boolean(game->missed_robot && game->seat[seat].missed > game->missed_robot));
    step_post(step, game, kind, seat, facts);
    struct post *post = &step->posts[step->post_count - 1];
    post->view = view_of(game, seat);
    post->told = view_tell(post->view, game, seat, game->last_events);
}

static void post_reports(struct step *step, const struct game *game, enum post_kind kind, uint32_t missed)
{
    struct slice rest = slice_str(&game->observers);
    struct slice name;
    for (int seat = 1; seat <= game->seats; seat++)
        if (!game->seat[seat].robot)
            step_report(step, game, kind, seat, missed & SEAT_BIT(seat));
    while (slice_word(&rest, &name)) {
        char *observer = slice_dup(name);
        json_t *facts = facts_game(game, 0);
        facts_events(facts, game, 0);
        facts_view(facts, game, 0);
        step_tell(step, game, POST_TOLD, "observed", 0, observer, facts);
        free(observer);
    }
}

int step_create(struct step *step, struct game *game, const struct new_game *how, struct err *err)
{
    game_init(game);
    memcpy(game->id, how->id, strlen(how->id) + 1);
    game->ruleset = how->ruleset;
    memcpy(game->league_key, step->keys.key->point, 32);
    if (game_set_cards(game, how->cards, err) ||
        step_record(step, game, "create", create_fields(step, how, game->cards_digest), NULL, err) ||
        step_seats(step, game, how, err))
        return -1;
    if (game_ready(game))
        return step_begin(step, game, err);
    for (int seat = 1; seat <= game->seats; seat++)
        if (*game->seat[seat].player && !game->seat[seat].robot)
            step_tell(step, game, POST_TOLD, "seated", seat, "", facts_game(game, seat));
    return 0;
}

static json_t *close_fields(const struct game *game)
{
    uint32_t missing = game_missing(game);
    json_t *seals = json_array();
    json_t *missed = json_array();
    for (int seat = 1; seat <= game->seats; seat++) {
        const struct game_orders *orders = &game->seat[seat].orders;
        json_array_append_new(seals, orders->in ? step_hex(orders->seal, SEAL_BYTES) : json_string(""));
        if (missing & SEAT_BIT(seat))
            json_array_append_new(missed, json_integer(seat));
    }
    return json_pack("{s:i,s:o,s:o}", "turn", game->turn, "seals", seals, "missed", missed);
}

/* No more orders for the open turn; its witnesses, if it has any, are asked for their dice. */
static int close_turn(struct step *step, struct game *game, struct err *err)
{
    if (step_record(step, game, "close", close_fields(game), NULL, err))
        return -1;
    step_ask_witnesses(step, game);
    return 0;
}

int step_begin(struct step *step, struct game *game, struct err *err)
{
    if (!game_ready(game))
        return 0;
    if (game->witness_count && !game->closed && close_turn(step, game, err))
        return -1;
    if (witness_waits(game))
        return 0;
    if (record_turn(step, game, err))
        return -1;
    post_reports(step, game, POST_WELCOME, 0);
    /* A game of robots alone waits for nobody. */
    return game_awaited(game) || game->over ? 0 : step_resolve(step, game, err);
}

/* ---- resolution ---- */

static uint32_t json_wanted(const struct game *game)
{
    uint32_t wanted = 0;
    for (int seat = 1; seat <= game->seats; seat++)
        if (game->seat[seat].orders.in && game->seat[seat].orders.json)
            wanted |= SEAT_BIT(seat);
    return wanted;
}

/* The seats whose mail holds orders for turns after the open one. */
static uint32_t hold_later(const struct game *game)
{
    uint32_t hold = 0;
    for (int seat = 1; seat <= game->seats; seat++)
        if (game->seat[seat].orders.in && game->seat[seat].orders.later.len)
            hold |= SEAT_BIT(seat);
    return hold;
}

/* One turn: what is left of it when its close is in the journal already, and no more than that when it waits
 * for witnesses then. */
static int resolve_once(struct step *step, struct game *game, struct err *err)
{
    uint32_t missed = game_missing(game);
    uint32_t json = json_wanted(game);
    uint32_t later = hold_later(game);
    size_t first = step->post_count;
    if (!game->closed && close_turn(step, game, err))
        return -1;
    if (witness_waits(game))
        return 0;
    if (record_turn(step, game, err) || (game->over && step_end(step, game, err)))
        return -1;
    post_reports(step, game, POST_REPORT, missed);
    step->turns++;
    for (size_t i = first; i < step->post_count; i++) {
        int seat = step->posts[i].seat;
        bool stopped = (later & SEAT_BIT(seat)) && !game->over && !game->seat[seat].orders.in;
        if (json & SEAT_BIT(seat))
            json_object_set_new(step->posts[i].facts, "json", json_true());
        json_object_set_new(step->posts[i].facts, "stopped", json_boolean(stopped));
    }
    return 0;
}

static int resolve(struct step *step, struct game *game, struct err *err)
{
    do {
        if (resolve_once(step, game, err))
            return -1;
    } while (!game->over &&
             game_ripe(game, game_clock(game, step->now))); /* robots' turns, and orders that came early */
    return 0;
}

int step_play_closed(struct step *step, struct game *game, struct err *err)
{
    if (!game->closed || game->over || game->paused || witness_waits(game))
        return 0;
    return game->turn == 0 ? step_begin(step, game, err) : resolve(step, game, err);
}

int step_resolve(struct step *step, struct game *game, struct err *err)
{
    if (game->over)
        return err_set(err, ERR_INPUT, "game %s is over", game->id);
    if (witness_waits(game))
        return err_set(err, ERR_INPUT, "turn %d of game %s is closed and waits for a witness", game->turn,
                       game->id);
    return resolve(step, game, err);
}

static bool last_was(const struct game *game, const char *type)
{
    return strcmp(game->last_type, type) == 0;
}

/* What a moderator's last record was. */
static bool last_did(const struct game *game, const char *word)
{
    return strcmp(game->last_do, word) == 0;
}

bool step_unfinished(const struct game *game)
{
    if (!*game->last_type)
        return false;
    if (game->over) /* behind the key there may be appeals, and reports that were sent again */
        return last_was(game, "turn") || last_was(game, "end") || last_did(game, "void");
    if (witness_waits(game))
        return false;
    if (game->turn == 0)
        return game_ready(game);
    return game->closed || last_was(game, "orders") || last_did(game, "orders") ||
           last_did(game, "resolve") || game_all_in(game);
}

int step_continue(struct step *step, struct game *game, struct err *err)
{
    if (!step_unfinished(game))
        return 0;
    if (game->turn == 0 && !game->over)
        return step_begin(step, game, err);
    if (game->over) {
        if (last_was(game, "end") ? record_open(step, game, err) : step_end(step, game, err))
            return -1;
        if (!game->voided)
            post_reports(step, game, POST_REPORT, 0);
        return 0;
    }
    if (last_was(game, "orders") || last_did(game, "orders"))
        return step_orders_continue(step, game, err);
    if (game->closed)
        return step_play_closed(step, game, err);
    return last_did(game, "resolve") || game_ripe(game, game_clock(game, step->now))
               ? resolve(step, game, err)
               : 0;
}

int step_keys_changed(struct step *step, struct game *game, int seat, const struct pubkey *keys, size_t count,
                      struct err *err)
{
    const struct game_seat *who = &game->seat[seat];
    bool same = count == who->key_count;
    for (size_t i = 0; same && i < count; i++)
        same = pubkey_equal(&keys[i], &who->keys[i]);
    if (same || game->over || game->closed)
        return 0;
    json_t *fields = json_pack("{s:i,s:o}", "seat", seat, "keys", step_keys_json(keys, count));
    return step_record(step, game, "key", fields, NULL, err);
}
