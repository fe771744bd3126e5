/* Tables and games are a bijection: the game of each table is the one that its first record says it is. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "audit/audit_compete_parts.h"
#include "base/encode.h"
#include "base/json.h"
#include "base/mem.h"
#include "compete/draw.h"

/* ---- what a game says ---- */

static void take_create(struct audit_played *played, const struct record *record, const struct game *game)
{
    memcpy(played->id, game->id, sizeof played->id);
    played->place = game->table.place;
    memcpy(played->create_head, record->head, HEAD_BYTES);
    memcpy(played->nonce, game->draws.nonce, SEAL_NONCE);
    played->create = json_incref(record->json);
    played->seats = game->seats;
    for (int seat = 1; seat <= game->seats; seat++) {
        const char *entry = game->table.entry[seat];
        size_t skip = str_starts(entry, "robot:") ? strlen("robot:") : 0;
        (void)snprintf(played->player[seat], PLAYER_NAME, "%s", entry + skip);
    }
}

static void take_keys(struct audit_played *played, const struct record *record, const struct game *game)
{
    int64_t seat = json_integer_value(json_object_get(record->json, "seat"));
    if (seat < 1 || seat > game->seats)
        return;
    const struct game_seat *who = &game->seat[seat];
    if (game->turn == 0 && !played->entered[seat] && json_object_get(record->json, "text"))
        played->entered[seat] = compete_entry_text(record->json);
    for (size_t i = 0; i < who->key_count; i++) {
        played->held = mem_grow(played->held, played->held_count, &played->held_cap, sizeof *played->held);
        struct audit_held *held = &played->held[played->held_count++];
        memcpy(held->player, who->player, sizeof held->player);
        held->key = who->keys[i];
    }
}

static void take_end(struct audit_played *played, const struct record *record, const struct game *game)
{
    struct compete_table table = {.seats = played->seats};
    struct err ignored = ERR_INIT; /* the game's own audit has found it */
    memcpy(table.player, played->player, sizeof table.player);
    played->ended = compete_outcome(&played->outcome, record, game, &table, &ignored) == 0;
    memcpy(played->end_head, record->head, HEAD_BYTES);
    played->outcome.head = NULL;
    played->end_time = record->time;
}

static void take_deal(struct audit_deal *deal, const struct record *record, const struct game *game)
{
    unsigned char digest[32];
    const char *hex = json_string_value(json_object_get(record->json, "state"));
    deal->begun = hex && hex_decode(deal->digest, sizeof deal->digest, slice_of(hex));
    deal->opened = record->time;
    if (!deal->begun || !game->state)
        return;
    fields_digest(game->ruleset->fields, game->state, digest);
    if (memcmp(digest, deal->digest, sizeof digest) != 0)
        return; /* it is not played here */
    deal->state = mem_copy(game->state, game->ruleset->state_size);
    deal->cards = game->cards;
}

static void take_turn(struct audit_deal *deal, const struct record *record)
{
    json_int_t turn = json_integer_value(json_object_get(record->json, "turn"));
    if (turn >= 1 && turn <= AUDIT_TURNS)
        deal->closed[turn] = record->time;
}

void audit_played_take(struct audit_played *played, const struct record *record, const struct game *game)
{
    if (record->seq == 1)
        take_create(played, record, game);
    else if (strcmp(record->type, "seat") == 0 || strcmp(record->type, "key") == 0)
        take_keys(played, record, game);
    else if (strcmp(record->type, "start") == 0)
        take_deal(&played->deal, record, game);
    else if (strcmp(record->type, "turn") == 0)
        take_turn(&played->deal, record);
    else if (strcmp(record->type, "end") == 0)
        take_end(played, record, game);
    else if (strcmp(record->type, "moderate") == 0)
        played->moderated++;
}

void audit_played_release(struct audit_played *played)
{
    json_decref(played->create);
    for (int seat = 1; seat <= SEATS_MAX; seat++)
        json_decref(played->entered[seat]);
    free(played->deal.state);
    free(played->held);
    memset(played, 0, sizeof *played);
}

/* ---- made ---- */

const struct audit_played *competing_game(struct competing *a, const char *id)
{
    for (size_t i = 0; i < a->in->count; i++)
        if (strcmp(a->in->games[i].id, id) == 0) {
            a->taken[i] = true;
            return &a->in->games[i];
        }
    return NULL;
}

static bool same_member(const struct competing *a, const struct audit_played *game, const char *member)
{
    const json_t *ours = json_object_get(a->c.create, member), *its = json_object_get(game->create, member);
    return ours && its ? json_equal(ours, its) : ours == its;
}

static bool same_place(const struct competing *a, const struct compete_table *table,
                       const struct audit_played *game)
{
    const struct compete_round *round = &a->c.rounds[table->round - 1];
    return strcmp(game->place.name, a->c.name) == 0 && game->place.round == table->round &&
           game->place.table == table->number && game->place.until == compete_until(&a->c, table->round) &&
           game->place.attempt == round->attempt && memcmp(game->place.head, round->head, HEAD_BYTES) == 0;
}

/* The nonce that the proof gives, from which all draws of the game follow. */
static bool same_nonce(const struct competing *a, const struct compete_table *table, const json_t *made,
                       const struct audit_played *game)
{
    unsigned char proof[VRF_PROOF], beta[VRF_OUTPUT], nonce[SEAL_NONCE] = {0};
    struct str alpha = STR_INIT;
    const char *pi = json_string_value(json_object_get(made, "pi"));
    compete_table_alpha(&alpha, &a->c, table->round, table->number);
    bool good = pi && hex_decode(proof, sizeof proof, slice_of(pi)) &&
                vrf_verify(beta, a->c.keys.vrf, proof, slice_str(&alpha));
    str_release(&alpha);
    if (good)
        compete_game_nonce(nonce, beta);
    return good && memcmp(nonce, game->nonce, SEAL_NONCE) == 0;
}

static bool same_players(const struct compete_table *table, const struct audit_played *game)
{
    bool same = game->seats == table->seats;
    for (int seat = 1; same && seat <= table->seats; seat++)
        same = strcmp(game->player[seat], table->player[seat]) == 0;
    return same;
}

static int check_rules(struct competing *a, const struct audit_played *game)
{
    static const char *const members[] = {"ruleset", "version", "options", "league_key",
                                          "vrf_key", "trust",   "clock"};
    bool deal = a->c.kind == COMPETE_DUPLICATE;
    for (size_t i = 0; i < sizeof members / sizeof *members - deal;
         i++) /* a deal has its own times, and no clock */
        if (!same_member(a, game, members[i]))
            return competing_broken(a, AUDIT_ORDER, "its game %s has another \"%s\" than the competition",
                                    game->id, members[i]);
    return json_object_get(game->create, "card_data") || json_object_get(game->create, "witnesses")
               ? competing_broken(a, AUDIT_ORDER, "its game %s has cards or witnesses of its own", game->id)
               : 0;
}

/* What is the league's usual, and may change from one day to another; within a competition it is seen. */
static void check_usual(struct competing *a, const struct audit_played *game)
{
    static const char *const members[] = {"missed_robot",   "missed_standby", "press",
                                          "press_delivery", "press_signed",   "observers",
                                          "typo_wait",      "language",       "second_thoughts"};
    if (!a->first)
        a->first = game;
    for (size_t i = 0; i < sizeof members / sizeof *members; i++) {
        const json_t *usual = json_object_get(a->first->create, members[i]);
        const json_t *its = json_object_get(game->create, members[i]);
        if (usual && its ? json_equal(usual, its) : usual == its)
            continue;
        a->out->counts.unlike++;
        competing_word(a, AUDIT_ORDER, "%s has another \"%s\" than %s: the operator's choice", game->id,
                       members[i], a->first->id);
        return;
    }
}

/* Everybody sits there by their own last text. Who had left when the round was drawn has a robot; of others that they could not
 * play when the game was made is the operator's word. */
static int check_seats(struct competing *a, const struct compete_table *table,
                       const struct audit_played *game)
{
    size_t seat;
    json_t *entry;
    json_array_foreach (json_object_get(game->create, "table"), seat, entry) {
        bool robot = str_starts(json_string_value(entry), "robot:"), gone = table->gone & SEAT_BIT(seat + 1);
        if (gone && !robot)
            return competing_broken(a, AUDIT_ORDER, "in its game %s %s has a seat, who had left", game->id,
                                    game->player[seat + 1]);
        if (!robot &&
            !json_equal(game->entered[seat + 1], competition_entrant(&a->c, game->player[seat + 1])->entry))
            return competing_broken(a, AUDIT_TEXT,
                                    "in its game %s %s has a seat by another text than the last one here by "
                                    "which they entered or confirmed",
                                    game->id, game->player[seat + 1]);
        if (robot && !gone) {
            a->out->counts.robots++;
            competing_word(
                a, AUDIT_ORDER,
                "%s's seat in %s was a robot's from the start: that they could not play rests on the "
                "operator's word",
                game->player[seat + 1], game->id);
        }
    }
    return 0;
}

static int check_game(struct competing *a, const struct compete_table *table, const json_t *made,
                      const struct audit_played *game)
{
    if (game->broken)
        return competing_broken(a, AUDIT_ORDER, "its game %s is broken itself", game->id);
    if (memcmp(game->create_head, table->create, HEAD_BYTES) != 0)
        return competing_broken(a, AUDIT_CHAIN,
                                "the game %s is another one: its first record has another head", game->id);
    if (!same_place(a, table, game))
        return competing_broken(a, AUDIT_ORDER, "the game %s does not name this table, or its round",
                                game->id);
    if (!same_nonce(a, table, made, game))
        return competing_broken(a, AUDIT_DRAW, "the nonce of the game %s is not the one that was drawn",
                                game->id);
    if (!same_players(table, game))
        return competing_broken(a, AUDIT_ORDER, "the game %s has other players, or in other seats", game->id);
    if (check_rules(a, game) || check_seats(a, table, game) || competing_deal(a, table, game))
        return -1;
    check_usual(a, game);
    if (game->moderated) {
        a->out->counts.moderated++;
        competing_word(a, AUDIT_INTERVENTION, "moderators have decided in %s: its own audit tells what",
                       game->id);
    }
    a->out->counts.games++;
    return 0;
}

static int no_game(struct competing *a, const char *id)
{
    a->out->counts.missing++;
    return a->in->whole ? competing_broken(a, AUDIT_ORDER, "its game %s is not there", id) : 0;
}

int competing_made(struct competing *a)
{
    size_t i;
    json_t *one;
    json_array_foreach (json_object_get(a->record->json, "games"), i, one) {
        const struct compete_table *table =
            competition_table(&a->c, a->c.round, (int)json_integer_value(json_object_get(one, "table")));
        const char *id = json_string_value(json_object_get(one, "game"));
        const struct audit_played *game = competing_game(a, id);
        if (game ? check_game(a, table, one, game) : no_game(a, id))
            return -1;
    }
    return 0;
}

/* ---- result ---- */

static int check_end(struct competing *a, const struct compete_table *table, const struct audit_played *game)
{
    unsigned char head[HEAD_BYTES];
    const struct compete_outcome *is = &game->outcome;
    size_t bytes = (size_t)table->seats * sizeof is->rank[0];
    if (!game->ended)
        return competing_broken(a, AUDIT_RULES, "its game %s has not ended", game->id);
    const char *hex = json_string_value(json_object_get(a->record->json, "head"));
    if (json_integer_value(json_object_get(a->record->json, "end")) != is->seq || !hex ||
        !hex_decode(head, sizeof head, slice_of(hex)) || memcmp(head, game->end_head, HEAD_BYTES) != 0)
        return competing_broken(a, AUDIT_CHAIN, "it names another end of its game %s", game->id);
    if (memcmp(is->rank + 1, table->rank + 1, bytes) != 0 ||
        memcmp(is->points + 1, table->points + 1, bytes) != 0 || is->left != table->left ||
        is->voided != (table->fate == TABLE_VOID))
        return competing_broken(a, AUDIT_RULES, "its game %s has ended otherwise", game->id);
    if (a->c.kind != COMPETE_DUPLICATE && a->c.terms.adjudge == ADJUDGE_TIE &&
        game->end_time > a->c.rounds[table->round - 1].end) {
        a->out->counts.overtime++;
        competing_word(a, AUDIT_TIME,
                       "its game %s ended after the round: whether it was awaited was the operator's choice",
                       game->id);
    }
    return 0;
}

int competing_result(struct competing *a)
{
    const json_t *json = a->record->json;
    const struct compete_table *table =
        competition_table(&a->c, (int)json_integer_value(json_object_get(json, "round")),
                          (int)json_integer_value(json_object_get(json, "table")));
    char id[GAME_NAME];
    compete_game_name(id, &a->c, table->round, table->number);
    const struct audit_played *game = competing_game(a, id);
    a->out->counts.results++;
    a->out->counts.adjudged += table->adjudged;
    if (!game)
        return 0; /* said of `made` */
    if (!table->adjudged)
        return check_end(a, table, game);
    return game->ended && game->end_time < a->record->time
               ? competing_broken(a, AUDIT_RULES, "its game %s had ended before", game->id)
               : 0;
}

/* ---- games that are in nothing ---- */

/* A round's games are there before `made` names them: of the last round some may lack it yet. */
static bool comes_yet(const struct competing *a, const struct audit_played *game)
{
    const struct compete_table *table = competition_table(&a->c, game->place.round, game->place.table);
    char id[GAME_NAME];
    if (!table || table->made || a->c.closed || table->round != a->c.round)
        return false;
    compete_game_name(id, &a->c, table->round, table->number);
    return strcmp(id, game->id) == 0 && same_place(a, table, game) && same_players(table, game);
}

int competing_rest(struct competing *a)
{
    for (size_t i = 0; i < a->in->count; i++) {
        const struct audit_played *game = &a->in->games[i];
        if (!a->taken[i] && strcmp(game->place.name, a->c.name) == 0 && !comes_yet(a, game))
            return competing_broken(
                a, AUDIT_ORDER,
                "the game %s says that it is table %d of round %d of this competition, which "
                "knows nothing of it",
                game->id, game->place.table, game->place.round);
    }
    return 0;
}
