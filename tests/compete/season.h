/* A competition in memory with fixed keys, for the suites of compete/: its records are made by steps as the league
 * makes them, and can be read back, changed, and signed again. */
#ifndef TESTS_COMPETE_SEASON_H
#define TESTS_COMPETE_SEASON_H

#include <string.h>

#include "base/clock.h"
#include "base/date.h"
#include "base/encode.h"
#include "base/file.h"
#include "base/mem.h"
#include "compete/apply.h"
#include "compete/competition.h"
#include "compete/draw.h"
#include "compete/ranking.h"
#include "compete/step.h"
#include "suite.h"

#define SEASON_NOON ((int64_t)1795176000) /* 2026-11-20T12:00:00Z */

struct season {
    struct secret key;
    unsigned char vrf_secret[VRF_SECRET], vrf_public[VRF_PUBLIC];
    struct competition c;
    struct str journal;
    int64_t now;
    uint64_t dice;   /* of season_dice */
    json_t *outside; /* who is outside of the next deal's ranking, or NULL; owned */
};

/* 0 .. sides-1 */
static inline int season_dice(struct season *f, int sides)
{
    f->dice ^= f->dice << 13;
    f->dice ^= f->dice >> 7;
    f->dice ^= f->dice << 17;
    return (int)((f->dice >> 11) % (uint64_t)sides);
}

static inline void season_open(struct season *f, uint64_t seed)
{
    unsigned char bytes[crypto_sign_SEEDBYTES] = {4, 2};
    memset(f, 0, sizeof *f);
    competition_init(&f->c);
    crypto_sign_seed_keypair(f->key.point, f->key.key, bytes);
    memset(f->vrf_secret, 0, sizeof f->vrf_secret);
    f->vrf_secret[0] = 77;
    ck_assert(vrf_public(f->vrf_public, f->vrf_secret));
    str_init(&f->journal);
    f->now = SEASON_NOON;
    f->dice = seed * 0x9e3779b97f4a7c15u + 1;
}

static inline void season_close(struct season *f)
{
    competition_release(&f->c);
    str_release(&f->journal);
    json_decref(f->outside);
    f->outside = NULL;
}

static inline void season_step(const struct season *f, struct compete_step *step)
{
    compete_step_init(step, f->now);
    step->key = &f->key;
    step->vrf_secret = f->vrf_secret;
    step->vrf_public = f->vrf_public;
    step->outside = f->outside;
}

static inline void season_take(struct season *f, struct compete_step *step)
{
    str_addslice(&f->journal, slice_str(&step->records));
    compete_step_release(step);
}

/* Rounds of a week with a day between them; entries end a week from now, and a day before the first draw. */
#define SEASON_WEEK (7 * DAY_SECONDS)
static inline void season_calendar(const struct season *f, struct new_competition *how, int64_t (*rounds)[2],
                                   int count)
{
    how->entries_until = f->now + SEASON_WEEK;
    int64_t at = (how->confirm_until ? how->confirm_until : how->entries_until) + DAY_SECONDS;
    for (int i = 0; i < count; i++) {
        rounds[i][0] = at;
        rounds[i][1] = at + SEASON_WEEK;
        at += 2 * SEASON_WEEK;
    }
    how->rounds = (const int64_t(*)[2])rounds;
    how->round_count = count;
}

#define SEASON_FIELD 20
static inline struct new_competition season_plan(enum compete_kind kind, int seats)
{
    static struct schedule clock;
    schedule_init(&clock);
    clock.length = 2 * DAY_SECONDS;
    struct new_competition how = {.name = "spring",
                                  .kind = kind,
                                  .ruleset = ruleset_newest("galaxy-command"),
                                  .seats = seats,
                                  .nonce = {9},
                                  .protest = SEASON_WEEK,
                                  .bye = 2,
                                  .zone = "UTC",
                                  .clock = &clock};
    for (int i = 0; i < GAME_OPTIONS && how.ruleset->options[i].name; i++)
        how.options[i] = how.ruleset->options[i].initial;
    if (kind == COMPETE_DIVISIONS) {
        how.promote = 1;
        how.division_size = 4;
        how.walkover = 3;
    }
    if (kind == COMPETE_DUPLICATE) {
        clock.length = 7 * HOUR_SECONDS;
        how.ruleset = ruleset_newest("galaxy-farmer");
        how.seats = 1;
        how.bye = 0;
        how.field = SEASON_FIELD;
        memset(how.options, 0, sizeof how.options);
        for (int i = 0; i < GAME_OPTIONS && how.ruleset->options[i].name; i++)
            how.options[i] = how.ruleset->options[i].initial;
    }
    return how;
}

static inline void season_create(struct season *f, const struct new_competition *how)
{
    struct compete_step step;
    struct err err = ERR_INIT;
    season_step(f, &step);
    ck_ok(compete_create(&step, &f->c, how, &err), err);
    season_take(f, &step);
}

static inline void season_new(struct season *f, struct new_competition how, int rounds)
{
    int64_t times[COMPETE_ROUNDS][2];
    season_calendar(f, &how, times, rounds);
    season_create(f, &how);
}

/* A mail of the player's, as far as a competition looks at it. New reference. */
static inline json_t *season_evidence(const char *player, int64_t serial)
{
    unsigned char mark[SEAL_BYTES], digest[32];
    char hex[65], mail[65];
    crypto_generichash(mark, sizeof mark, (const unsigned char *)player, strlen(player), NULL, 0);
    crypto_generichash(digest, sizeof digest, (const unsigned char *)&serial, sizeof serial, NULL,
                       0); /* of a mail of its own */
    hex_to(hex, mark, sizeof mark);
    hex_to(mail, digest, sizeof digest);
    return json_pack("{s:s,s:s,s:{},s:s,s:s,s:s}", "mark", hex, "by", player, "vouched", "said", "", "text",
                     mail, "mail", mail);
}

/* Just what the conditions ask for: as it is of everybody in these suites. */
static inline json_t *season_found(const struct competition *c)
{
    const struct entry_found found = {.rated = true,
                                      .rating = c->conditions.rating,
                                      .games = c->conditions.games,
                                      .seq = c->conditions.results ? c->conditions.results : 7,
                                      .head = {7},
                                      .turns = 10,
                                      .missed = 1,
                                      .running = c->conditions.running};
    return found_json(&found, &c->conditions);
}

/* -1: refused. */
static inline int season_try(struct season *f, const char *type, const char *player, struct err *err)
{
    struct compete_step step;
    json_t *evidence = season_evidence(player, f->c.seq);
    json_t *found = strcmp(type, "enter") == 0 ? season_found(&f->c) : NULL;
    if (found)
        json_object_set_new(evidence, "found", found);
    season_step(f, &step);
    int rc = compete_entry(&step, &f->c, type, player, evidence, err);
    json_decref(evidence);
    if (rc)
        str_clear(&step.records);
    season_take(f, &step);
    return rc;
}

static inline void season_do(struct season *f, const char *type, const char *player)
{
    struct err err = ERR_INIT;
    ck_ok(season_try(f, type, player, &err), err);
}

static inline void season_name(char out[PLAYER_NAME], int number)
{
    (void)snprintf(out, PLAYER_NAME, "p%04d", number);
}

static inline void season_enter(struct season *f, int from, int to)
{
    char name[PLAYER_NAME];
    for (int i = from; i < to; i++) {
        season_name(name, i);
        season_do(f, "enter", name);
    }
}

/* The next round, at its time. */
static inline void season_draw(struct season *f)
{
    struct compete_step step;
    struct err err = ERR_INIT;
    if (f->now < f->c.rounds[f->c.round].draw)
        f->now = f->c.rounds[f->c.round].draw;
    season_step(f, &step);
    ck_ok(compete_round(&step, &f->c, &err), err);
    season_take(f, &step);
}

/* What is the head of the game of a table: any 32 bytes. */
static inline void season_game_head(unsigned char head[HEAD_BYTES], int round, int table)
{
    memset(head, 0, HEAD_BYTES);
    put_le32(head, (uint32_t)round);
    put_le32(head + 4, (uint32_t)table);
}

static inline json_t *season_game(struct season *f, const struct compete_table *table)
{
    unsigned char head[HEAD_BYTES], proof[VRF_PROOF], nonce[SEAL_NONCE];
    char hex[2 * HEAD_BYTES + 1], pi[2 * VRF_PROOF + 1], game[GAME_NAME];
    struct err err = ERR_INIT;
    struct compete_step step;
    json_t *players = json_array();
    season_step(f, &step);
    ck_ok(compete_prove_table(&step, &f->c, table->round, table->number, proof, nonce, &err), err);
    compete_step_release(&step);
    season_game_head(head, table->round, table->number);
    hex_to(hex, head, sizeof head);
    hex_to(pi, proof, sizeof proof);
    compete_game_name(game, &f->c, table->round, table->number);
    for (int seat = 1; seat <= table->seats; seat++)
        json_array_append_new(players, json_string(table->player[seat]));
    return json_pack("{s:i,s:o,s:s,s:s,s:s}", "table", table->number, "players", players, "game", game,
                     "head", hex, "pi", pi);
}

/* All games of the round, `most` in a record. */
static inline void season_make(struct season *f, size_t most)
{
    struct err err = ERR_INIT;
    const struct compete_round *round = &f->c.rounds[f->c.round - 1];
    for (size_t at = 0; at < round->count; at += most) {
        json_t *games = json_array();
        struct compete_step step;
        for (size_t i = at; i < at + most && i < round->count; i++)
            json_array_append_new(games, season_game(f, &f->c.tables[round->first + i]));
        season_step(f, &step);
        ck_ok(compete_made(&step, &f->c, f->c.round, games, &err), err);
        season_take(f, &step);
    }
}

/* A draw of lots for ranks: each seat's, with ties. */
static inline void season_ranks(struct season *f, int seats, int rank[SEATS_MAX + 1])
{
    int score[SEATS_MAX + 1];
    for (int seat = 1; seat <= seats; seat++)
        score[seat] = season_dice(f, 4);
    for (int seat = 1; seat <= seats; seat++) {
        rank[seat] = 1;
        for (int other = 1; other <= seats; other++)
            rank[seat] += score[other] > score[seat];
    }
}

static inline struct compete_outcome season_outcome(struct season *f, const struct compete_table *table)
{
    static const unsigned char head[HEAD_BYTES] = {8};
    struct compete_outcome outcome = {.round = table->round, .table = table->number, .seq = 40, .head = head};
    season_ranks(f, table->seats, outcome.rank);
    for (int seat = 1; seat <= table->seats; seat++)
        outcome.points[seat] = 100 - outcome.rank[seat];
    return outcome;
}

/* The robots' scores of the round, from the dice. */
static inline void season_field(struct season *f)
{
    struct compete_step step;
    struct err err = ERR_INIT;
    int scores[COMPETE_FIELD];
    for (int i = 0; i < f->c.terms.field; i++)
        scores[i] = season_dice(f, 25);
    season_step(f, &step);
    ck_ok(compete_field(&step, &f->c, scores, &err), err);
    season_take(f, &step);
}

/* That seat's player has gone: after all others. */
static inline void season_leaves(struct compete_outcome *outcome, int seat, int seats)
{
    outcome->left = 1U << seat;
    for (int other = 1; other <= seats; other++)
        if (outcome->rank[other] > outcome->rank[seat])
            outcome->rank[other]--;
    outcome->rank[seat] = seats;
}

static inline void season_result(struct season *f, const struct compete_outcome *outcome)
{
    struct compete_step step;
    struct err err = ERR_INIT;
    struct compete_outcome result = *outcome;
    if (result.voided || !result.seq)
        memset(result.points, 0, sizeof result.points);
    season_step(f, &step);
    ck_ok(compete_result(&step, &f->c, &result, &err), err);
    season_take(f, &step);
}

/* All results of the round, from games that lots have decided. */
static inline void season_play(struct season *f)
{
    const struct compete_round *round = &f->c.rounds[f->c.round - 1];
    if (f->c.kind == COMPETE_DUPLICATE && f->now < round->end)
        f->now = round->end;
    for (size_t i = 0; i < round->count; i++) {
        const struct compete_table *table = &f->c.tables[round->first + i];
        struct compete_outcome outcome = season_outcome(f, table);
        if (f->c.kind == COMPETE_DUPLICATE)
            outcome.points[1] = season_dice(f, 8);
        if (table->fate == TABLE_PLAYS)
            season_result(f, &outcome);
    }
}

/* Takes ownership of `fields`. */
static inline int season_adjust(struct season *f, json_t *fields, struct err *err)
{
    struct compete_step step;
    json_object_set_new(fields, "by", json_string("operator"));
    season_step(f, &step);
    int rc = compete_adjust(&step, &f->c, fields, err);
    if (rc)
        str_clear(&step.records);
    season_take(f, &step);
    return rc;
}

static inline void season_end(struct season *f)
{
    struct compete_step step;
    struct err err = ERR_INIT;
    if (f->c.round && f->now < f->c.rounds[f->c.round - 1].end + f->c.terms.protest)
        f->now = f->c.rounds[f->c.round - 1].end + f->c.terms.protest;
    season_step(f, &step);
    ck_ok(compete_close(&step, &f->c, &err), err);
    season_take(f, &step);
}

/* ---- reading ---- */

static inline int season_read(struct slice journal, struct err *err)
{
    struct competition c;
    competition_init(&c);
    int rc = competition_read(&c, "spring", journal, err);
    competition_release(&c);
    return rc;
}

static inline void season_dump_table(struct str *out, const struct compete_table *table)
{
    str_addf(out, "table %d.%d outside %d made %d fate %d seq %lld left %u adjudged %d:", table->round,
             table->number, table->outside, table->made, table->fate, (long long)table->seq, table->left,
             table->adjudged);
    for (int seat = 1; seat <= table->seats; seat++)
        str_addf(out, " %s %d %d", table->player[seat], table->rank[seat], table->points[seat]);
    hex_encode(out, table->create, HEAD_BYTES);
    str_addc(out, '\n');
}

/* All that a competition is, as text. */
static inline void season_dump(struct str *out, const struct competition *c)
{
    struct ranking ranking;
    str_addf(out, "%s %d %s %d round %d closed %d seq %lld time %lld\n", c->name, c->kind, c->ruleset->name,
             c->seats, c->round, c->closed, (long long)c->seq, (long long)c->time);
    hex_encode(out, c->head, HEAD_BYTES);
    for (size_t i = 0; i < c->entrant_count; i++) {
        const struct entrant *one = &c->entrants[i];
        str_addf(out, "\n%s in %d confirmed %d removed %d seated %d adjusted %d seq %lld ", one->name,
                 one->in, one->confirmed, one->removed, one->seated, one->adjusted, (long long)one->seq);
        hex_encode(out, one->mark, SEAL_BYTES);
    }
    str_addc(out, '\n');
    for (int i = 0; i < c->round_count; i++) {
        const struct compete_round *round = &c->rounds[i];
        str_addf(out, "opens %lld ", (long long)round->opens);
        for (int k = 0; round->field && k < c->terms.field; k++)
            str_addf(out, " %d", round->field[k]);
        str_addf(out, "round %d at %lld to %lld: attempt %d seq %lld tables %zu+%zu made %d done %d byes",
                 i + 1, (long long)round->draw, (long long)round->end, round->attempt, (long long)round->seq,
                 round->first, round->count, round->made, round->done);
        for (size_t k = 0; k < round->bye_count; k++)
            str_addf(out, " %s", round->byes[k]);
        hex_encode(out, round->digest, sizeof round->digest);
        str_addc(out, '\n');
    }
    for (size_t i = 0; i < c->table_count; i++)
        season_dump_table(out, &c->tables[i]);
    for (size_t i = 0; i < c->division_count; i++)
        for (int k = 0; k < c->divisions[i].count; k++)
            str_addf(out, "division %zu: %s\n", i + 1, c->divisions[i].names[k]);
    ranking_make(&ranking, c);
    for (size_t i = 0; i < ranking.count; i++) {
        const struct ranking_row *row = &ranking.rows[i];
        str_addf(out, "%d: %d. %s %lld %lld %d %d%s\n", row->division, row->place, row->name,
                 (long long)row->points, (long long)row->opponents, row->games, row->firsts,
                 row->gone ? " gone" : "");
    }
    ranking_release(&ranking);
    str_addf(out, "seen %zu\n", c->seen.count);
}

/* The journal gives the competition that made it, also where that many bytes of it were proved before. */
static inline void season_same_on(const struct season *f, size_t proved)
{
    struct competition c;
    struct err err = ERR_INIT;
    struct str mine = STR_INIT, read = STR_INIT;
    competition_init(&c);
    ck_ok(competition_read_on(&c, f->c.name, slice_str(&f->journal), proved, &err), err);
    ck_assert_mem_eq(c.head, f->c.head, HEAD_BYTES);
    if (c.round)
        ck_assert_mem_eq(c.rounds[c.round - 1].dice.beta, f->c.rounds[c.round - 1].dice.beta, VRF_OUTPUT);
    season_dump(&mine, &f->c);
    season_dump(&read, &c);
    ck_assert_str_eq(mine.p, read.p);
    competition_release(&c);
    str_release(&mine);
    str_release(&read);
}

static inline void season_same(const struct season *f)
{
    season_same_on(f, 0);
    season_same_on(f, f->journal.len);
}

static inline void season_digest(unsigned char digest[32], const struct competition *c)
{
    struct ranking ranking;
    ranking_make(&ranking, c);
    ranking_digest(digest, &ranking);
    ranking_release(&ranking);
}

#endif
