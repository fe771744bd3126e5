#include "commands/commands.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/log.h"
#include "base/mem.h"
#include "rules/ruleset.h"

static const char details[] =
    "Robots play many games against each other: lengths, scores and endings, for judging rules and\n"
    "cards.\n";

#define TURNS_MOST   2000
#define ENDINGS_MOST 16

struct simulation {
    const struct ruleset *rules;
    void *cards;
    int options[GAME_OPTIONS];
    int64_t seats, games;
    const char *seed;
    /* results */
    int *lengths;
    int *points; /* games * seats */
    size_t lost, first_wins, unfinished;
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
    struct seat_orders orders[SEATS_MAX + 1] = {{NULL, false, NULL}};
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

static void play_game(struct simulation *sim, int64_t game, void *state)
{
    struct chance chance;
    struct events events;
    struct err err = ERR_INIT;
    struct str seed = STR_INIT;
    struct score scores[SEATS_MAX + 1];
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
            sim->rules->deal(sim->cards, state, &chance, &events);
            events_release(&events);
        } else {
            play_turn(sim, state, turn, &chance);
        }
        turn++;
    }
    str_release(&seed);
    memset(scores, 0, sizeof scores);
    sim->rules->scores(sim->cards, state, scores);
    sim->lengths[game] = turn - 1;
    sim->unfinished += sim->rules->awaits(state) != 0;
    for (int seat = 1; seat <= sim->seats; seat++) {
        sim->points[game * sim->seats + seat - 1] = scores[seat].points;
        sim->lost += scores[seat].fate == SEAT_LOST;
        sim->first_wins += seat == 1 && scores[seat].place == 1;
        if (scores[seat].rank && *scores[seat].rank)
            COUNT(sim->ranks, scores[seat].rank);
    }
    const char *ending = sim->rules->ending(state);
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
    return json_pack("{s:s,s:I,s:I,s:s,s:o,s:o,s:o,s:o,s:I,s:I,s:I}", "ruleset", sim->rules->name, "seats",
                     (json_int_t)sim->seats, "games", (json_int_t)sim->games, "seed", sim->seed, "turns",
                     spread(sim->lengths, (size_t)sim->games), "points",
                     spread(sim->points, (size_t)(sim->games * sim->seats)), "endings", endings, "ranks",
                     ranks, "lost", (json_int_t)sim->lost, "first_seat_first", (json_int_t)sim->first_wins,
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

static void print_results(const struct simulation *sim, const json_t *all)
{
    int64_t seats = sim->games * sim->seats;
    printf("%lld games of %s with %lld robots, seed \"%s\"\n", (long long)sim->games, sim->rules->title,
           (long long)sim->seats, sim->seed);
    print_spread("turns", json_object_get(all, "turns"));
    print_spread("points", json_object_get(all, "points"));
    print_counts("ending", json_object_get(all, "endings"), sim->games);
    print_counts("rank", json_object_get(all, "ranks"), seats);
    printf("lost     %5.1f %%   first seat placed first %5.1f %%   unfinished %zu\n",
           100.0 * (double)sim->lost / (double)seats, 100.0 * (double)sim->first_wins / (double)sim->games,
           sim->unfinished);
}

static int prepare(struct simulation *sim, const struct flag_list *options, const char *cards_file,
                   struct err *err)
{
    json_t *cards = cards_file ? json_read_file(cards_file, err)
                               : json_read(ruleset_cards(sim->rules), "cards.json", err);
    sim->cards = mem_alloc(sim->rules->cards_size);
    void *state = mem_alloc(sim->rules->state_size);
    int rc = cards ? sim->rules->cards_load(cards, sim->rules->version, sim->cards, err) : -1;
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

static void play_games(struct simulation *sim, bool json)
{
    struct str text = STR_INIT;
    void *state = mem_alloc(sim->rules->state_size);
    sim->lengths = mem_array((size_t)sim->games, sizeof *sim->lengths);
    sim->points = mem_array((size_t)(sim->games * sim->seats), sizeof *sim->points);
    for (int64_t game = 0; game < sim->games; game++) {
        play_game(sim, game, state);
        if (game % 100 == 0)
            log_progress("game %lld of %lld", (long long)game, (long long)sim->games);
    }
    log_progress_end();
    json_t *all = results(sim);
    if (json) {
        json_write_pretty(&text, all);
        fputs(text.p, stdout);
    } else {
        print_results(sim, all);
    }
    str_release(&text);
    json_decref(all);
    free(state);
    free(sim->lengths);
    free(sim->points);
}

int command_simulate(int argc, char **argv)
{
    struct simulation sim = {.seats = 2, .games = 100, .seed = "simulate"};
    struct flag_list options = {{NULL}, 0};
    const char *cards = NULL;
    bool json = false;
    struct err err = ERR_INIT;
    const struct flag flags[] = {
        {"players", FLAG_NUMBER, &sim.seats, "N", "number of robots (default: 2)"},
        {"games", FLAG_NUMBER, &sim.games, "M", "number of games (default: 100)"},
        {"seed", FLAG_TEXT, &sim.seed, "S", "the same seed gives the same games"},
        {"option", FLAG_LIST, &options, "NAME=N", "an option of the ruleset"},
        {"cards", FLAG_TEXT, &cards, "FILE", "card values to use instead of the built-in ones"},
        {"json", FLAG_SWITCH, &json, NULL, "print JSON"},
        {NULL, FLAG_SWITCH, NULL, NULL, NULL}};
    int code = flags_parse(&argc, argv, flags, 1, 1, details);
    if (code >= 0)
        return code;
    sim.rules = ruleset_newest(argv[1]);
    if (!sim.rules) {
        err_set(&err, ERR_INPUT, "there is no ruleset \"%s\"", argv[1]);
        return command_fail(&err);
    }
    if (!sim.rules->robot) {
        err_set(&err, ERR_INPUT, "%s has no robot to play it", sim.rules->title);
        return command_fail(&err);
    }
    if (sim.seats < sim.rules->seats_min || sim.seats > sim.rules->seats_max || sim.games < 1 ||
        sim.games > 1000000) {
        err_set(&err, ERR_INPUT, "%s is for %d to %d players; --games takes 1 to 1000000", sim.rules->title,
                sim.rules->seats_min, sim.rules->seats_max);
        return command_fail(&err);
    }
    int rc = prepare(&sim, &options, cards, &err);
    if (rc == 0)
        play_games(&sim, json);
    free(sim.cards);
    return rc ? command_fail(&err) : 0;
}
