#include "commands/simulate.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/log.h"
#include "base/mem.h"
#include "commands/commands.h"

static const char details[] =
    "Robots play against each other, for judging rules, cards and robots: lengths, endings, and scores by "
    "seat. Without RULESET each one is played, with as many robots as it takes. A length is in rounds where "
    "seats take turns, else in turns.\n";

#define TURNS_MOST   2000
#define ENDINGS_MOST 16
#define TURNS_GAMES  50 /* that simulate_turns plays */

/* What the games brought a seat. */
struct seat_results {
    int *points; /* of each game */
    size_t won, first, lost;
};

struct simulation {
    const struct ruleset *rules;
    void *cards;
    int options[GAME_OPTIONS];
    int64_t seats, games;
    const char *seed;
    /* results */
    int *lengths, *turns;                    /* of each game; what is NULL is not kept */
    struct seat_results seat[SEATS_MAX + 1]; /* [1..seats] */
    size_t won, shared, unfinished;          /* games: somebody won, several did */
    struct {
        char name[32];
        size_t count;
    } endings[ENDINGS_MOST], ranks[ENDINGS_MOST];
};

static int compare_ints(const void *a, const void *b)
{
    int x = *(const int *)a;
    int y = *(const int *)b;
    return (x > y) - (x < y);
}

static void play_turn(const struct simulation *sim, void *state, int turn, struct chance *chance)
{
    struct seat_orders orders[SEATS_MAX + 1] = {{.script = NULL}};
    struct script *scripts[SEATS_MAX + 1] = {NULL};
    struct events events;
    uint32_t awaited = sim->rules->awaits(state);
    for (int seat = 1; seat <= sim->seats; seat++) {
        if (!(awaited & SEAT_BIT(seat)))
            continue;
        struct str text = STR_INIT;
        sim->rules->robot(sim->cards, state, seat, &text);
        orders[seat].script = orders[seat].standing = scripts[seat] =
            script_parse(slice_str(&text), sim->rules->language);
        orders[seat].robot = true;
        str_release(&text);
    }
    events_init(&events);
    sim->rules->play(sim->cards, state, &(struct resolution){orders, turn, chance, &events});
    events_release(&events);
    for (int seat = 1; seat <= sim->seats; seat++)
        script_free(scripts[seat]);
}

static void count_name(char (*name)[32], size_t *count, const char *what)
{
    if (!**name)
        (void)snprintf(*name, sizeof *name, "%s", what);
    if (strcmp(*name, what) == 0)
        (*count)++;
}

#define COUNT(table, what)                                                                          \
    do {                                                                                            \
        int at = 0;                                                                                 \
        while (at < ENDINGS_MOST - 1 && *(table)[at].name && strcmp((table)[at].name, (what)) != 0) \
            at++;                                                                                   \
        count_name(&(table)[at].name, &(table)[at].count, (what));                                  \
    } while (0)

/* Rounds where seats take turns: how many turns there were then says little. */
static int length_of(const struct simulation *sim, const void *state, int turns)
{
    if (!sim->rules->early)
        return turns;
    json_t *fields = fields_json(sim->rules->fields, state);
    const json_t *round = json_object_get(fields, "round");
    int length = json_is_integer(round) ? (int)json_integer_value(round) : turns;
    json_decref(fields);
    return length;
}

static void count_seats(struct simulation *sim, int64_t game, const void *state)
{
    struct score scores[SEATS_MAX + 1];
    int winners = 0;
    memset(scores, 0, sizeof scores);
    sim->rules->end.scores(sim->cards, state, scores);
    for (int seat = 1; seat <= sim->seats; seat++) {
        sim->seat[seat].points[game] = scores[seat].points;
        sim->seat[seat].won += scores[seat].won;
        sim->seat[seat].first += scores[seat].place == 1;
        sim->seat[seat].lost += scores[seat].fate == SEAT_LOST;
        winners += scores[seat].won;
        if (scores[seat].rank && *scores[seat].rank)
            COUNT(sim->ranks, scores[seat].rank);
    }
    sim->won += winners > 0;
    sim->shared += winners > 1;
}

static void play_game(struct simulation *sim, int64_t game, void *state)
{
    struct chance chance;
    struct events events;
    struct err err = ERR_INIT;
    struct str seed = STR_INIT;
    int turn = 0;
    memset(state, 0, sim->rules->state_size);
    if (sim->rules->init(sim->cards, (int)sim->seats, sim->options, state, &err))
        return; /* checked before the first game */
    while (turn <= TURNS_MOST && (turn == 0 || sim->rules->awaits(state))) {
        str_clear(&seed);
        str_addf(&seed, "%s/%lld/%d", sim->seed, (long long)game, turn);
        chance_seeded(&chance, seed.p, seed.len);
        if (turn == 0) {
            events_init(&events);
            sim->rules->deal(sim->cards, state, NULL, &chance, &events);
            events_release(&events);
        } else {
            play_turn(sim, state, turn, &chance);
        }
        turn++;
    }
    str_release(&seed);
    count_seats(sim, game, state);
    sim->lengths[game] = length_of(sim, state, turn - 1);
    if (sim->turns)
        sim->turns[game] = turn - 1;
    sim->unfinished += sim->rules->awaits(state) != 0;
    const char *ending = sim->rules->end.ending(state);
    COUNT(sim->endings, *ending ? ending : "unfinished");
}

static json_t *spread(int *values, size_t count)
{
    int64_t sum = 0;
    qsort(values, count, sizeof *values, compare_ints);
    for (size_t i = 0; i < count; i++)
        sum += values[i];
    return json_pack("{s:i,s:i,s:i,s:i,s:i,s:f}", "min", values[0], "p10", values[count / 10], "median",
                     values[count / 2], "p90", values[count * 9 / 10], "max", values[count - 1], "mean",
                     (double)sum / (double)count);
}

static json_t *seats_json(struct simulation *sim)
{
    json_t *list = json_array();
    for (int seat = 1; seat <= sim->seats; seat++) {
        const struct seat_results *one = &sim->seat[seat];
        json_array_append_new(list,
                              json_pack("{s:i,s:o,s:I,s:I,s:I}", "seat", seat, "points",
                                        spread(one->points, (size_t)sim->games), "won", (json_int_t)one->won,
                                        "first", (json_int_t)one->first, "lost", (json_int_t)one->lost));
    }
    return list;
}

static json_t *results(struct simulation *sim)
{
    json_t *endings = json_object();
    json_t *ranks = json_object();
    for (int i = 0; i < ENDINGS_MOST; i++) {
        if (*sim->endings[i].name)
            json_object_set_new(endings, sim->endings[i].name,
                                json_integer((json_int_t)sim->endings[i].count));
        if (*sim->ranks[i].name)
            json_object_set_new(ranks, sim->ranks[i].name, json_integer((json_int_t)sim->ranks[i].count));
    }
    return json_pack("{s:s,s:i,s:I,s:I,s:s,s:s,s:o,s:o,s:o,s:o,s:I,s:I,s:I}", "ruleset", sim->rules->name,
                     "version", sim->rules->version, "seats", (json_int_t)sim->seats, "games",
                     (json_int_t)sim->games, "seed", sim->seed, "unit",
                     sim->rules->early ? "rounds" : "turns", "length",
                     spread(sim->lengths, (size_t)sim->games), "by_seat", seats_json(sim), "endings", endings,
                     "ranks", ranks, "won", (json_int_t)sim->won, "shared", (json_int_t)sim->shared,
                     "unfinished", (json_int_t)sim->unfinished);
}

static void print_spread(const char *name, const json_t *spread)
{
    printf("%-8s mean %6.1f   median %3lld   10-90%% %lld-%lld   least %lld, most %lld\n", name,
           json_number_value(json_object_get(spread, "mean")),
           (long long)json_integer_value(json_object_get(spread, "median")),
           (long long)json_integer_value(json_object_get(spread, "p10")),
           (long long)json_integer_value(json_object_get(spread, "p90")),
           (long long)json_integer_value(json_object_get(spread, "min")),
           (long long)json_integer_value(json_object_get(spread, "max")));
}

static void print_counts(const char *name, const json_t *counts, int64_t of)
{
    const char *key;
    json_t *value;
    json_object_foreach ((json_t *)(uintptr_t)counts, key, value)
        printf("%-8s %-28s %5.1f %%  (%lld)\n", name, key,
               100.0 * (double)json_integer_value(value) / (double)of, (long long)json_integer_value(value));
}

static double percent(size_t part, int64_t of)
{
    return 100.0 * (double)part / (double)of;
}

static void print_results(const struct simulation *sim, const json_t *all)
{
    printf("%lld games of %s %d with %lld robot%s, seed \"%s\"\n", (long long)sim->games, sim->rules->title,
           sim->rules->version, (long long)sim->seats, sim->seats == 1 ? "" : "s", sim->seed);
    print_spread(sim->rules->early ? "rounds" : "turns", json_object_get(all, "length"));
    for (int seat = 1; seat <= sim->seats; seat++) {
        const struct seat_results *one = &sim->seat[seat];
        char name[16];
        (void)snprintf(name, sizeof name, "seat %d", seat);
        print_spread(name, json_object_get(json_array_get(json_object_get(all, "by_seat"), (size_t)seat - 1),
                                           "points"));
        printf("         won %5.1f %%   placed first %5.1f %%   lost %5.1f %%\n",
               percent(one->won, sim->games), percent(one->first, sim->games),
               percent(one->lost, sim->games));
    }
    print_counts("ending", json_object_get(all, "endings"), sim->games);
    print_counts("rank", json_object_get(all, "ranks"), sim->games * sim->seats);
    printf("games    won %5.1f %%   by several %5.1f %%   unfinished %zu\n", percent(sim->won, sim->games),
           percent(sim->shared, sim->games), sim->unfinished);
}

static int prepare(struct simulation *sim, const struct flag_list *options, const char *cards_file,
                   struct err *err)
{
    json_t *cards = cards_file ? json_read_file(cards_file, err)
                               : json_read(ruleset_cards(sim->rules), "cards.json", err);
    sim->cards = mem_alloc(sim->rules->cards_size);
    void *state = mem_alloc(sim->rules->state_size);
    int rc = cards ? sim->rules->cards_load(cards, sim->cards, err) : -1;
    for (int i = 0; i < GAME_OPTIONS && sim->rules->options[i].name; i++) {
        sim->options[i] = sim->rules->options[i].initial;
        for (int k = 0; k < options->count; k++) {
            size_t len = strlen(sim->rules->options[i].name);
            if (str_starts(options->item[k], sim->rules->options[i].name) && options->item[k][len] == '=')
                sim->options[i] = (int)strtol(options->item[k] + len + 1, NULL, 10);
        }
    }
    if (rc == 0)
        rc = sim->rules->init(sim->cards, (int)sim->seats, sim->options, state, err);
    json_decref(cards);
    free(state);
    return rc;
}

/* The results of all games; a new reference. */
static json_t *play_games(struct simulation *sim)
{
    void *state = mem_alloc(sim->rules->state_size);
    sim->lengths = mem_array((size_t)sim->games, sizeof *sim->lengths);
    for (int seat = 1; seat <= sim->seats; seat++)
        sim->seat[seat].points = mem_array((size_t)sim->games, sizeof *sim->seat[seat].points);
    for (int64_t game = 0; game < sim->games; game++) {
        play_game(sim, game, state);
        if (game % 100 == 0)
            log_progress("game %lld of %lld", (long long)game, (long long)sim->games);
    }
    log_progress_end();
    free(state);
    return results(sim);
}

static void simulation_release(struct simulation *sim)
{
    free(sim->cards);
    free(sim->lengths);
    free(sim->turns);
    for (int seat = 1; seat <= sim->seats; seat++)
        free(sim->seat[seat].points);
}

/* What was asked for on the command line. */
struct asked {
    int64_t seats, games;
    const char *seed, *cards;
    struct flag_list options;
    bool json;
};

static int simulate(const struct ruleset *rules, const struct asked *asked, json_t **all, struct err *err)
{
    struct simulation sim = {
        .rules = rules, .seats = asked->seats, .games = asked->games, .seed = asked->seed};
    int rc = prepare(&sim, &asked->options, asked->cards, err);
    if (rc == 0) {
        *all = play_games(&sim);
        if (!asked->json)
            print_results(&sim, *all);
    }
    simulation_release(&sim);
    return rc;
}

static int simulate_one(const char *name, const struct asked *asked, json_t **all, struct err *err)
{
    const struct ruleset *rules = ruleset_newest(name);
    if (!rules)
        return err_set(err, ERR_INPUT, "there is no ruleset \"%s\"", name);
    if (!rules->robot)
        return err_set(err, ERR_INPUT, "%s has no robot to play it", rules->title);
    if (asked->seats < rules->seats_min || asked->seats > rules->seats_max)
        return err_set(err, ERR_INPUT, "%s is for %d to %d players", rules->title, rules->seats_min,
                       rules->seats_max);
    return simulate(rules, asked, all, err);
}

/* As many robots as asked for, where a ruleset takes them. */
static int simulate_each(const struct asked *asked, json_t **all, struct err *err)
{
    int rc = 0;
    *all = json_array();
    for (int i = 0; rulesets[i] && rc == 0; i++) {
        struct asked one = *asked;
        json_t *result = NULL;
        if (!rulesets[i]->robot)
            continue;
        if (one.seats > rulesets[i]->seats_max)
            one.seats = rulesets[i]->seats_max;
        if (one.seats < rulesets[i]->seats_min)
            one.seats = rulesets[i]->seats_min;
        if (!one.json && json_array_size(*all))
            putchar('\n');
        rc = simulate(rulesets[i], &one, &result, err);
        json_array_append_new(*all, result);
    }
    return rc;
}

int simulate_turns(const struct ruleset *rules, int seats, const int options[GAME_OPTIONS],
                   struct game_turns *turns, struct err *err)
{
    struct simulation sim = {.rules = rules, .seats = seats, .games = TURNS_GAMES, .seed = "turns"};
    const struct flag_list none = {.count = 0};
    int rc = prepare(&sim, &none, NULL, err);
    if (rc == 0) {
        memcpy(sim.options, options, sizeof sim.options);
        sim.turns = mem_array(TURNS_GAMES, sizeof *sim.turns);
        json_decref(play_games(&sim));
        qsort(sim.turns, TURNS_GAMES, sizeof *sim.turns, compare_ints);
        turns->usual = sim.turns[TURNS_GAMES / 2];
        turns->long_ones = sim.turns[TURNS_GAMES * 9 / 10];
    }
    simulation_release(&sim);
    return rc;
}

int command_simulate(int argc, char **argv)
{
    struct asked asked = {.seats = 2, .games = 100, .seed = "simulate"};
    struct err err = ERR_INIT;
    json_t *all = NULL;
    const struct flag flags[] = {
        {"players", FLAG_NUMBER, &asked.seats, "N", "number of robots (default: 2)"},
        {"games", FLAG_NUMBER, &asked.games, "M", "number of games (default: 100)"},
        {"seed", FLAG_TEXT, &asked.seed, "S", "chance comes from this: the same text gives the same games"},
        {"option", FLAG_LIST, &asked.options, "NAME=N", "an option of the ruleset"},
        {"cards", FLAG_TEXT, &asked.cards, "FILE", "card values to use instead of the built-in ones"},
        {"json", FLAG_SWITCH, &asked.json, NULL, "print JSON"},
        {NULL, FLAG_SWITCH, NULL, NULL, NULL}};
    int code = flags_parse(&argc, argv, flags, 0, 1, details);
    if (code >= 0)
        return code;
    int rc = 0;
    if (asked.games < 1 || asked.games > 1000000)
        rc = err_set(&err, ERR_INPUT, "--games takes 1 to 1000000");
    else if (argc < 2 && (asked.cards || asked.options.count))
        rc = err_set(&err, ERR_INPUT, "--option and --cards are one ruleset's: name it");
    else
        rc = argc < 2 ? simulate_each(&asked, &all, &err) : simulate_one(argv[1], &asked, &all, &err);
    if (rc == 0 && asked.json) {
        struct str text = STR_INIT;
        json_write_pretty(&text, all);
        fputs(text.p, stdout);
        str_release(&text);
    }
    json_decref(all);
    return rc ? command_fail(&err) : 0;
}
