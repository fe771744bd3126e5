/* Plays games of a ruleset and says of each position what the rules make of it: state, events with what each changed,
 * views with their forms, robots' orders, trials, scores and what is revealed. Built with the rules of two commits, it
 * shows where they differ (tests/lockstep/lockstep.sh), so it uses what rules/ruleset.h has, and nothing below it.
 *
 *     positions RULESET LINES GAMES         a line for each thing, with a digest of its canonical bytes
 *     positions RULESET LINES GAMES GAME    the one game of this number (from 0), with the bytes themselves
 *     positions RULESET LINES GAMES time    microseconds that a view, a robot's orders and a turn take
 *
 * LINES is a file of order lines that mean something in this game. Seats send what their robot would, lines of the
 * form, lines of the file, words of these in disorder, or nothing; their WHEN and ALWAYS lines stay in force. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/file.h"
#include "base/json.h"
#include "base/mem.h"
#include "rules/ruleset.h"

#define TURNS      80 /* of a game */
#define LINES_MOST 4096
#define WORDS_MOST (4 * LINES_MOST)
#define LINE_MOST  12 /* lines of nonsense of a seat */

enum timed { TIME_VIEW, TIME_ROBOT, TIME_PLAY, TIMES };

struct table {
    const struct ruleset *rules;
    void *cards, *state, *copy;
    int seats, game, turn;
    struct slice line[LINES_MOST], word[WORDS_MOST];
    uint32_t lines, words;
    struct str standing[SEATS_MAX + 1];
    uint64_t random;
    bool whole; /* bytes, not digests */
    bool quiet;
    double took[TIMES];
    long count[TIMES];
};

static uint32_t pick(struct table *table, uint32_t of)
{
    table->random = table->random * 6364136223846793005U + 1442695040888963407U;
    return (uint32_t)(table->random >> 33) % of;
}

static double now(void)
{
    struct timespec at;
    (void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &at);
    return (double)at.tv_sec * 1e6 + (double)at.tv_nsec / 1e3;
}

static void took(struct table *table, enum timed what, double since)
{
    table->took[what] += now() - since;
    table->count[what]++;
}

/* FNV-1a: what differs is found by it, nobody has to be kept from making two that are equal. */
static void show(const struct table *table, const char *what, int seat, struct slice bytes)
{
    uint64_t digest = 14695981039346656037U;
    for (size_t i = 0; i < bytes.len; i++)
        digest = (digest ^ (unsigned char)bytes.p[i]) * 1099511628211U;
    if (table->quiet)
        return;
    printf("%d/%d %s %d ", table->game, table->turn, what, seat);
    if (table->whole)
        printf("%.*s\n", (int)bytes.len, bytes.p);
    else
        printf("%016llx\n", (unsigned long long)digest);
}

static struct chance chance_of(const struct table *table, const char *what, int seat)
{
    struct chance chance;
    char seed[64];
    (void)snprintf(seed, sizeof seed, "%d/%d/%s/%d", table->game, table->turn, what, seat);
    chance_seeded(&chance, seed, strlen(seed));
    chance.luck = 0;
    return chance;
}

/* ---- what a seat orders ---- */

static void add_form(struct table *table, int seat, struct str *out)
{
    struct arena arena = {0};
    const struct value *form = table->rules->shown.form(table->cards, table->state, seat, &arena);
    for (const struct value *entry = value_first(form); entry; entry = entry->next)
        if (pick(table, 2)) {
            str_addslice(out, value_get(entry, "line")->text);
            str_addc(out, '\n');
        }
    arena_release(&arena);
}

static void add_lines(struct table *table, struct str *out)
{
    for (uint32_t count = 1 + pick(table, LINE_MOST); count; count--) {
        str_addslice(out, table->line[pick(table, table->lines)]);
        str_addc(out, '\n');
    }
}

/* Half of a line that means something, and words that need not. */
static void add_nonsense(struct table *table, struct str *out)
{
    for (uint32_t count = 1 + pick(table, LINE_MOST); count; count--) {
        const struct slice line = table->line[pick(table, table->lines)];
        size_t len = pick(table, (uint32_t)line.len + 1);
        while (len < line.len && line.p[len] != ' ')
            len++;
        str_addslice(out, slice_sub(line, 0, len));
        for (uint32_t words = pick(table, 4); words; words--) {
            str_addc(out, ' ');
            str_addslice(out, table->word[pick(table, table->words)]);
        }
        str_addc(out, '\n');
    }
}

/* False: the seat misses its turn. */
static bool orders_of(struct table *table, int seat, struct str *out)
{
    const uint32_t how = pick(table, 8);
    const double since = now();
    if (how < 6 && table->rules->robot) {
        table->rules->robot(table->cards, table->state, seat, out);
        took(table, TIME_ROBOT, since);
        show(table, "robot", seat, slice_str(out));
    }
    switch (how) {
    case 0:
    case 1:
    case 2: break;
    case 3: add_lines(table, out); break;
    case 4: add_nonsense(table, out); break;
    case 5: add_form(table, seat, out); break;
    case 6:
        str_clear(out);
        add_form(table, seat, out);
        add_lines(table, out);
        break;
    default: return false;
    }
    return true;
}

/* ---- what the rules make of it ---- */

static void show_state(const struct table *table, const char *what, int seat, const void *state)
{
    struct str out = STR_INIT;
    fields_write(&out, table->rules->fields, state);
    show(table, what, seat, slice_str(&out));
    str_release(&out);
}

static void show_events(const struct table *table, const char *what, const struct events *events)
{
    struct str out = STR_INIT;
    events_write(&out, events, -1);
    show(table, what, 0, slice_str(&out));
    str_release(&out);
    for (size_t i = 0; events->watch && i < events->watch->count; i++) {
        show_state(table, "since", (int)i, event_watch_before(events->watch, i));
        show_state(table, "until", (int)i, event_watch_after(events->watch, i));
    }
}

static void show_value(const struct table *table, const char *what, int seat, const struct value *value)
{
    struct str out = STR_INIT;
    if (value)
        value_write(&out, value);
    show(table, what, seat, slice_str(&out));
    str_release(&out);
}

static void look(struct table *table)
{
    const struct ruleset *rules = table->rules;
    struct arena arena = {0};
    struct err err = ERR_INIT;
    show_state(table, "state", 0, table->state);
    if (rules->check && rules->check(table->cards, table->state, &err) < 0)
        show(table, "impossible", 0, slice_of(err.text));
    for (int seat = 0; seat <= table->seats; seat++) {
        const double since = now();
        const struct value *view = rules->view(table->cards, table->state, seat, &arena);
        took(table, TIME_VIEW, since);
        show_value(table, "view", seat, view);
        show_value(table, "stakes", seat, rules->shown.stakes(table->cards, table->state, seat, &arena));
        struct chance chance = chance_of(table, "conceal", seat);
        memcpy(table->copy, table->state, rules->state_size);
        if (rules->conceal && seat) {
            rules->conceal(table->cards, table->copy, seat, &chance);
            show_state(table, "concealed", seat, table->copy);
        }
    }
    struct score score[SEATS_MAX + 1] = {{SEAT_PLAYING, 0, false, 0, ""}};
    rules->end.scores(table->cards, table->state, score);
    for (int seat = 1; seat <= table->seats; seat++) {
        char text[160];
        (void)snprintf(text, sizeof text, "%d %d %d %d %s", score[seat].fate, score[seat].points,
                       score[seat].won, score[seat].place, score[seat].rank);
        show(table, "score", seat, slice_of(text));
    }
    show(table, "ending", 0, slice_of(rules->end.ending(table->state)));
    if (!rules->awaits(table->state) && rules->end.reveal)
        show_value(table, "reveal", 0, rules->end.reveal(table->cards, table->state, &arena));
    arena_release(&arena);
}

/* What a receipt says: the fates of the seat's lines on a table that is concealed from it. */
static void try_orders(struct table *table, int seat, const struct seat_orders *orders)
{
    struct seat_orders own[SEATS_MAX + 1] = {{.script = NULL}};
    struct chance chance = chance_of(table, "trial", seat);
    struct events events;
    own[seat] = *orders;
    events_init(&events);
    events.fates_only = true;
    memcpy(table->copy, table->state, table->rules->state_size);
    if (table->rules->conceal)
        table->rules->conceal(table->cards, table->copy, seat, &chance);
    table->rules->play(table->cards, table->copy, &(struct resolution){own, table->turn, &chance, &events});
    show_events(table, chance.luck ? "trial" : "trial_without_luck", &events);
    events_release(&events);
}

static void play(struct table *table)
{
    const struct ruleset *rules = table->rules;
    struct seat_orders orders[SEATS_MAX + 1] = {{.script = NULL}},
                                          waiting[SEATS_MAX + 1] = {{.script = NULL}};
    struct script *script[SEATS_MAX + 1] = {NULL}, *standing[SEATS_MAX + 1] = {NULL};
    struct chance chance = chance_of(table, "play", 0);
    struct event_watch watch;
    struct events events;
    const uint32_t awaited = rules->awaits(table->state);
    events_init(&events);
    for (int seat = 1; seat <= table->seats; seat++) {
        struct str text = STR_INIT;
        if (awaited & SEAT_BIT(seat)) {
            orders[seat].missed = !orders_of(table, seat, &text);
            if (orders[seat].missed)
                standing_always(&text, slice_str(&table->standing[seat]), rules->language);
            script[seat] =
                text.len || !orders[seat].missed ? script_parse(slice_str(&text), rules->language) : NULL;
            if (script[seat] && !orders[seat].missed)
                standing_update(&table->standing[seat], script[seat], rules->language);
        }
        if (table->standing[seat].len)
            standing[seat] = script_parse(slice_str(&table->standing[seat]), rules->language);
        orders[seat].script = script[seat];
        orders[seat].standing = waiting[seat].standing = standing[seat];
        str_release(&text);
    }
    for (int seat = 1; seat <= table->seats; seat++) {
        if (!script[seat] || table->quiet)
            continue;
        try_orders(table, seat, &orders[seat]);
        if (rules->instant && script_has_instant(script[seat]))
            rules->instant(table->cards, table->state, seat, script[seat],
                           &(struct resolution){waiting, table->turn, NULL, &events});
    }
    event_watch_start(&watch, table->state, rules->state_size, &events);
    for (int seat = 1; seat <= table->seats; seat++) {
        script_watch(script[seat], seat, &watch.now);
        script_watch(standing[seat], seat, &watch.now);
    }
    if (table->quiet)
        events.watch = NULL;
    const double since = now();
    rules->play(table->cards, table->state, &(struct resolution){orders, table->turn, &chance, &events});
    took(table, TIME_PLAY, since);
    if (!table->quiet)
        show_events(table, "events", &events);
    event_watch_release(&watch);
    events_release(&events);
    for (int seat = 1; seat <= table->seats; seat++) {
        script_free(script[seat]);
        script_free(standing[seat]);
    }
}

static int play_game(struct table *table, int game, struct err *err)
{
    const struct ruleset *rules = table->rules;
    int options[GAME_OPTIONS] = {0};
    struct events events;
    table->game = game;
    table->turn = 0;
    table->random = (uint64_t)game + 1;
    table->seats = rules->seats_min + game % (rules->seats_max - rules->seats_min + 1);
    memset(table->state, 0, rules->state_size);
    for (int i = 0; rules->options[i].name; i++) {
        const struct game_option *option = &rules->options[i];
        options[i] = game % 3 ? option->initial
                              : option->min + (int)pick(table, (uint32_t)(option->max - option->min + 1));
    }
    if (rules->init(table->cards, table->seats, options, table->state, err) < 0) {
        show(table, "refused", 0, slice_of(err->text)); /* options that do not fit this number of seats */
        *err = (struct err)ERR_INIT;
        return 0;
    }
    struct chance chance = chance_of(table, "deal", 0);
    events_init(&events);
    rules->deal(table->cards, table->state, NULL, &chance, &events);
    show_events(table, "events", &events);
    events_release(&events);
    look(table);
    for (table->turn = 1; table->turn <= TURNS && rules->awaits(table->state); table->turn++) {
        play(table);
        look(table);
    }
    for (int seat = 0; seat <= SEATS_MAX; seat++)
        str_clear(&table->standing[seat]);
    return 0;
}

/* ---- the program ---- */

static int start(struct table *table, const char *name, const char *file, struct str *lines, struct err *err)
{
    table->rules = ruleset_newest(name);
    if (!table->rules)
        return err_set(err, ERR_INPUT, "there is no ruleset %s", name);
    if (file_read(file, 1U << 24, lines, err) < 0)
        return -1;
    struct slice rest = slice_str(lines), line, word;
    while (table->lines < LINES_MOST && slice_line(&rest, &line)) {
        table->line[table->lines++] = line;
        while (table->words < WORDS_MOST && slice_word(&line, &word))
            table->word[table->words++] = word;
    }
    if (!table->words)
        return err_set(err, ERR_INPUT, "%s has no lines", file);
    table->cards = mem_alloc(table->rules->cards_size);
    table->state = mem_alloc(table->rules->state_size);
    table->copy = mem_alloc(table->rules->state_size);
    json_t *cards = json_read(ruleset_cards(table->rules), "cards.json", err);
    int rc = cards ? table->rules->cards_load(cards, table->cards, err) : -1;
    json_decref(cards);
    return rc;
}

int main(int argc, char **argv)
{
    struct err err = ERR_INIT;
    struct str lines = STR_INIT;
    struct table *table = mem_alloc(sizeof *table);
    memset(table, 0, sizeof *table);
    for (int seat = 0; seat <= SEATS_MAX; seat++)
        str_init(&table->standing[seat]);
    int rc = argc < 4 ? err_set(&err, ERR_INPUT, "positions RULESET LINES GAMES [GAME|time]")
                      : start(table, argv[1], argv[2], &lines, &err);
    table->quiet = argc > 4 && strcmp(argv[4], "time") == 0;
    table->whole = argc > 4 && !table->quiet;
    const int games = argc > 3 ? atoi(argv[3]) : 0;
    for (int game = table->whole ? atoi(argv[4]) : 0; rc == 0 && game < games;
         game += table->whole ? games : 1)
        rc = play_game(table, game, &err);
    if (table->quiet)
        printf("%s: a view %.1f, a robot's orders %.1f, a turn %.1f microseconds\n", argv[1],
               table->took[TIME_VIEW] / (double)table->count[TIME_VIEW],
               table->took[TIME_ROBOT] / (double)table->count[TIME_ROBOT],
               table->took[TIME_PLAY] / (double)table->count[TIME_PLAY]);
    if (rc < 0)
        (void)fprintf(stderr, "%s\n", err.text);
    return rc < 0;
}
