/* Competitions for the figures, and for whoever needs one at once.
 *
 *     compete new DIR NAME KIND RULESET SEATS ROUNDS DAYS HOURS SINCE AFTER KEYS PLAYER...
 *         one in a league, with these entered SINCE days after NOW; entries end an hour later, the first round is drawn a
 *         day after that, each round lasts so many DAYS, each turn so many HOURS, the next is drawn at its end (of a deal,
 *         which opens after its draw, two hours after its end), and results are final a day after their round. AFTER: the
 *         season before, whose table gives the divisions; "-" = none. KEYS/PLAYER/key signs their entries
 *
 *     compete entry DIR NAME TYPE SINCE KEYS PLAYER...
 *         "enter" of these, or "withdraw" as the operator types it, so many days after NOW
 *
 *     compete open DIR GAMES
 *         one of so many games of two in a league with players p0, p1 ... that has none: drawn and opened at once, as a
 *         run does it; prints wall seconds, games, mails
 *
 *     compete table PLAYERS
 *         one of that many in memory, at tables of four: prints processor seconds of a draw with nothing played, of one
 *         after a round, of its table, and of reading the journal; of reading it up to the second draw where all of that
 *         was proved before; and of the bare signatures and proofs in it
 */
#include "bench.h"
#include "../sits.h"

#include "base/mem.h"
#include "batch/competing.h"
#include "compete/ranking.h"
#include "mail/message.h"
#include "work/work.h"

#define HOUR   ((int64_t)3600)
#define DRAW   (NOW + HOUR + DAY)
#define ROBOTS 8 /* that play a duplicate deal */

/* What a competition is to be. */
struct plan {
    const char *name, *ruleset;
    enum compete_kind kind;
    int seats, rounds, days, hours; /* of a round, of a turn */
    int64_t since;
    const struct competition *after; /* or NULL */
};

static double wall(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static int number(const char *text)
{
    return (int)strtol(text, NULL, 10);
}

static void check(int rc, const struct err *err)
{
    if (rc)
        fail(err);
}

/* The divisions of a season with the places in them: lists of {"name","place"}. New reference. */
static json_t *divisions_of(const struct competition *c)
{
    struct ranking ranking;
    json_t *list = json_array();
    ranking_make(&ranking, c);
    for (size_t i = 0; i < ranking.count; i++) {
        const struct ranking_row *row = &ranking.rows[i];
        while (json_array_size(list) < (size_t)row->division)
            json_array_append_new(list, json_array());
        json_array_append_new(json_array_get(list, (size_t)row->division - 1),
                              json_pack("{s:s,s:i}", "name", row->name, "place", row->place));
    }
    ranking_release(&ranking);
    return list;
}

static void create(struct compete_step *step, struct competition *c, const struct plan *plan)
{
    struct err err = ERR_INIT;
    struct schedule clock;
    int64_t times[COMPETE_ROUNDS][2];
    json_t *divisions = plan->after ? divisions_of(plan->after) : NULL;
    schedule_init(&clock);
    clock.length = plan->hours * HOUR;
    for (int i = 0; i < plan->rounds; i++) {
        times[i][0] = plan->since + HOUR + DAY + i * plan->days * DAY;
        times[i][1] = times[i][0] + plan->days * DAY - (plan->kind == COMPETE_DUPLICATE ? 2 * HOUR : 0);
    }
    struct new_competition how = {.name = plan->name,
                                  .kind = plan->kind,
                                  .ruleset = ruleset_newest(plan->ruleset),
                                  .seats = plan->seats,
                                  .nonce = {1},
                                  .entries_until = plan->since + HOUR,
                                  .protest = DAY,
                                  .rounds = (const int64_t(*)[2])times,
                                  .round_count = plan->rounds,
                                  .bye = plan->kind == COMPETE_TABLES ? 2 : 0,
                                  .field = plan->kind == COMPETE_DUPLICATE ? ROBOTS : 0,
                                  .zone = "UTC",
                                  .clock = &clock,
                                  .divisions = divisions,
                                  .promote = 1,
                                  .walkover = 2,
                                  .division_size = 8,
                                  .previous = plan->after};
    memcpy(how.nonce + 1, plan->name, strlen(plan->name) < 31 ? strlen(plan->name) : 31);
    for (int i = 0; i < GAME_OPTIONS && how.ruleset->options[i].name; i++)
        how.options[i] = bench_option(&how.ruleset->options[i]);
    check(compete_create(step, c, &how, &err), &err);
    json_decref(divisions);
}

static void enter(struct compete_step *step, struct competition *c, const char *name,
                  const struct secret *secret)
{
    struct err err = ERR_INIT;
    json_t *evidence = sits_entry(name, c->name, c->keys.league, secret, step->now);
    check(compete_entry(step, c, "enter", name, evidence, &err), &err);
    json_decref(evidence);
}

static void enter_player(struct compete_step *step, struct competition *c, const char *keys, const char *name)
{
    struct err err = ERR_INIT;
    struct secret secret;
    struct str path = STR_INIT;
    str_addf(&path, "%s/%s/key", keys, name);
    check(secret_load(path.p, &secret, &err), &err);
    enter(step, c, name, &secret);
    str_release(&path);
}

static void withdraw(struct compete_step *step, struct competition *c, const char *name)
{
    struct err err = ERR_INIT;
    json_t *evidence = json_pack("{s:s}", "by", "operator");
    check(compete_entry(step, c, "withdraw", name, evidence, &err), &err);
    json_decref(evidence);
}

static void open_batch(struct batch *batch, struct league *league, const char *dir, int64_t now)
{
    struct err err = ERR_INIT;
    check(league_open(dir, true, league, &err) || batch_open(batch, league, now, &err), &err);
}

/* `keys` NULL: p0, p1 ... */
static void make_one(struct batch *batch, const struct plan *plan, const char *keys, char **players,
                     int count)
{
    struct err err = ERR_INIT;
    struct compete_step step;
    struct competition c;
    char own[PLAYER_NAME];
    competing_step(batch, &step);
    create(&step, &c, plan);
    for (int i = 0; i < count; i++) {
        struct secret secret;
        (void)snprintf(own, sizeof own, "p%d", i);
        player_secret(&secret, i);
        if (keys)
            enter_player(&step, &c, keys, players[i]);
        else
            enter(&step, &c, own, &secret);
    }
    competing_take(competing_add(batch, &c), &step);
    compete_step_release(&step);
    check(batch_commit(batch, &err), &err);
    batch_reset(batch, true);
}

static void make_new(char **args, int count)
{
    struct err err = ERR_INIT;
    struct league league;
    struct batch batch;
    struct batch_competition *after = NULL;
    struct plan plan = {.name = args[1],
                        .ruleset = args[3],
                        .seats = number(args[4]),
                        .rounds = number(args[5]),
                        .days = number(args[6]),
                        .hours = number(args[7]),
                        .since = NOW + number(args[8]) * DAY};
    if (!compete_kind_read(args[2], &plan.kind))
        exit(64);
    open_batch(&batch, &league, args[0], plan.since);
    if (strcmp(args[9], "-") != 0)
        check(competing_find(&batch, args[9], &after, &err), &err);
    plan.after = after ? &after->c : NULL;
    make_one(&batch, &plan, args[10], args + 11, count - 11);
    batch_close(&batch);
    league_close(&league);
}

static void take_entries(char **args, int count)
{
    struct err err = ERR_INIT;
    struct league league;
    struct batch batch;
    struct batch_competition *entry;
    struct compete_step step;
    open_batch(&batch, &league, args[0], NOW + number(args[3]) * DAY);
    check(competing_find(&batch, args[1], &entry, &err), &err);
    competing_step(&batch, &step);
    for (int i = 5; i < count; i++)
        if (strcmp(args[2], "withdraw") == 0)
            withdraw(&step, &entry->c, args[i]);
        else
            enter_player(&step, &entry->c, args[4], args[i]);
    competing_take(entry, &step);
    compete_step_release(&step);
    check(batch_commit(&batch, &err), &err);
    batch_close(&batch);
    league_close(&league);
}

/* ---- a season ---- */

static void open_season(const char *dir, int games)
{
    struct err err = ERR_INIT;
    struct league league;
    struct batch batch;
    struct batch_competition *entry;
    struct work_sum sum = {0};
    struct spool_counts spooled;
    open_batch(&batch, &league, dir, NOW);
    make_one(&batch,
             &(struct plan){.name = "season",
                            .ruleset = "galaxy-command",
                            .seats = 2,
                            .rounds = 1,
                            .days = 10,
                            .hours = 24,
                            .since = NOW},
             NULL, NULL, 2 * games);
    batch_close(&batch);
    league_close(&league);
    double began = wall();
    open_batch(&batch, &league, dir, DRAW);
    check(work_clock(&batch, &sum, &err), &err);
    check(competing_find(&batch, "season", &entry, &err), &err);
    printf("seconds %.6f\ngames %d\n", wall() - began, entry->c.round ? entry->c.rounds[0].made : 0);
    batch_close(&batch);
    char *spool = league_path(&league, "spool");
    check(spool_count(spool, &spooled, &err), &err);
    printf("mails %zu\n", spooled.waiting);
    free(spool);
    league_close(&league);
}

/* ---- a table ---- */

static json_t *game_of(const struct compete_step *step, struct competition *c,
                       const struct compete_table *table)
{
    unsigned char proof[VRF_PROOF], nonce[SEAL_NONCE];
    char pi[2 * VRF_PROOF + 1], game[GAME_NAME];
    struct err err = ERR_INIT;
    json_t *players = json_array();
    check(compete_prove_table(step, c, table->round, table->number, proof, nonce, &err), &err);
    hex_to(pi, proof, sizeof proof);
    compete_game_name(game, c, table->round, table->number);
    for (int seat = 1; seat <= table->seats; seat++)
        json_array_append_new(players, json_string(table->player[seat]));
    return json_pack("{s:i,s:o,s:s,s:s++,s:s}", "table", table->number, "players", players, "game", game,
                     "head", "00000000000000000000000000000000", "00000000000000000000000000000000", "", "pi",
                     pi);
}

static void play_round(struct compete_step *step, struct competition *c)
{
    struct err err = ERR_INIT;
    const struct compete_round *round = &c->rounds[c->round - 1];
    static const unsigned char head[HEAD_BYTES] = {1};
    for (size_t at = 0; at < round->count; at += COMPETE_MADE) {
        json_t *games = json_array();
        for (size_t i = at; i < at + COMPETE_MADE && i < round->count; i++)
            json_array_append_new(games, game_of(step, c, &c->tables[round->first + i]));
        check(compete_made(step, c, c->round, games, &err), &err);
    }
    for (size_t i = 0; i < round->count; i++) {
        struct compete_outcome outcome = {.round = c->round, .table = (int)i + 1, .seq = 9, .head = head};
        for (int seat = 1; seat <= c->seats; seat++) /* another one wins at each table */
            outcome.rank[seat] = 1 + (seat + (int)i) % c->seats;
        check(compete_result(step, c, &outcome, &err), &err);
    }
}

static double draw(struct compete_step *step, struct competition *c)
{
    struct err err = ERR_INIT;
    step->now = c->rounds[c->round].draw;
    double began = seconds();
    check(compete_round(step, c, &err), &err);
    return seconds() - began;
}

/* What nobody can do without: each record's signature, and each game's proof. */
static double verify_bare(const struct compete_step *step, struct slice journal, size_t proofs)
{
    struct slice rest = journal, line;
    unsigned char sig[crypto_sign_BYTES], proof[VRF_PROOF], beta[VRF_OUTPUT];
    if (!vrf_prove(proof, beta, step->vrf_secret, step->vrf_public, slice_of("alpha")))
        exit(EXIT_FAILURE);
    (void)crypto_sign_detached(sig, NULL, (const unsigned char *)"alpha", 5, step->key->key);
    double began = seconds();
    while (rest.len) { /* it is no line's, which takes as long to see */
        (void)slice_line(&rest, &line);
        if (crypto_sign_verify_detached(sig, (const unsigned char *)line.p, line.len, step->key->point) == 0)
            exit(EXIT_FAILURE);
    }
    for (size_t i = 0; i < proofs; i++)
        if (!vrf_verify(beta, step->vrf_public, proof, slice_of("alpha")))
            exit(EXIT_FAILURE);
    return seconds() - began;
}

static void table(int players)
{
    struct err err = ERR_INIT;
    struct secret key;
    unsigned char vrf_secret[VRF_SECRET], public[VRF_PUBLIC];
    struct compete_step step;
    struct competition c, again;
    struct ranking ranking;
    player_secret(&key, 0);
    vrf_keygen(vrf_secret, public);
    compete_step_init(&step, NOW);
    step.key = &key;
    step.vrf_secret = vrf_secret;
    step.vrf_public = public;
    create(&step, &c,
           &(struct plan){.name = "season",
                          .ruleset = "galaxy-command",
                          .seats = 4,
                          .rounds = 3,
                          .days = 10,
                          .hours = 24,
                          .since = NOW});
    for (int i = 0; i < players; i++) {
        char name[PLAYER_NAME];
        (void)snprintf(name, sizeof name, "p%d", i);
        enter(&step, &c, name, &key);
    }
    printf("first %.6f\n", draw(&step, &c));
    play_round(&step, &c);
    double began = seconds();
    ranking_make(&ranking, &c);
    printf("table %.6f\n", seconds() - began);
    if (ranking.count != (size_t)players)
        exit(EXIT_FAILURE);
    ranking_release(&ranking);
    const size_t played = step.records.len;
    printf("second %.6f\n", draw(&step, &c));
    began = seconds();
    competition_init(&again);
    check(competition_read(&again, "season", slice_str(&step.records), &err), &err);
    printf("read %.6f\n", seconds() - began);
    competition_release(&again);
    began = seconds();
    check(competition_read_on(&again, "season", (struct slice){step.records.p, played}, played, &err), &err);
    printf("again %.6f\n", seconds() - began);
    printf("bare %.6f\n", verify_bare(&step, slice_str(&step.records), c.rounds[0].count + 2));
    competition_release(&again);
    competition_release(&c);
    compete_step_release(&step);
}

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "";
    if (sodium_init() < 0)
        return EXIT_FAILURE;
    mail_begin();
    if (strcmp(what, "new") == 0 && argc > 13)
        make_new(argv + 2, argc - 2);
    else if (strcmp(what, "entry") == 0 && argc > 7)
        take_entries(argv + 2, argc - 2);
    else if (strcmp(what, "open") == 0 && argc == 4)
        open_season(argv[2], number(argv[3]));
    else if (strcmp(what, "table") == 0 && argc == 3)
        table(number(argv[2]));
    else {
        (void)fprintf(stderr, "compete new|entry|open|table ...: see the head of compete.c\n");
        return 64;
    }
    return 0;
}
