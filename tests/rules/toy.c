/* First Claim (toy/ruleset.c), the game of the page "how to write a game": the smallest ruleset, which leaves out all that it may,
 * played by mail to its end. */
#include "rules/toy/ruleset.c"

#include "base/file.h"
#include "base/mem.h"
#include "house/house.h"
#include "rules/data.h"
#include "rules/report.h"
#include "rules/trials.h"

/* In the place of the program's own table, and of the files built into it: those of the toy lie below tests/. */
const struct ruleset *const rulesets[] = {&first_claim_ruleset, NULL};

static struct slice toy_file(const char *name)
{
    struct err err = ERR_INIT;
    struct str text = STR_INIT;
    char *path = path_join("tests/rules/toy", name);
    struct slice found = {NULL, 0};
    if (file_exists(path)) {
        ck_ok(file_read(path, 1 << 20, &text, &err), err);
        found = slice_str(&text); /* kept, as what is built in is */
    }
    free(path);
    return found;
}

struct slice embed_find(const char *path)
{
#define CARDS     "rules/first_claim/cards.json"
#define TEMPLATES "templates/first_claim/"
    if (strcmp(path, CARDS) == 0)
        return toy_file("cards.json");
    if (str_starts(path, TEMPLATES)) {
        struct str name = STR_INIT;
        str_addf(&name, "templates/%s", path + strlen(TEMPLATES));
        const struct slice found = toy_file(name.p);
        str_release(&name);
        return found;
    }
    for (const struct embed *e = embed_table; e->path; e++)
        if (strcmp(e->path, path) == 0)
            return (struct slice){(const char *)e->bytes, (size_t)(e->end - e->bytes)};
    return (struct slice){NULL, 0};
}

/* ---- by the rules alone ---- */

static struct claim_cards cards;
static struct claim_state state;
static struct events events;
static struct chance chance;

static void deal(int seats, int seed)
{
    struct err err = ERR_INIT;
    json_t *json = card_file(&first_claim_ruleset);
    memset(&cards, 0, sizeof cards);
    memset(&state, 0, sizeof state);
    ck_ok(claim_cards_load(json, &cards, &err), err);
    ck_ok(claim_init(&cards, seats, (int[GAME_OPTIONS]){0}, &state, &err), err);
    chance_seeded(&chance, &seed, sizeof seed);
    events_init(&events);
    claim_deal(&cards, &state, NULL, &chance, &events);
    json_decref(json);
}

/* What the seats order, NULL: nothing. */
static void turn(const char *const *lines)
{
    struct seat_orders orders[SEATS_MAX + 1] = {{.script = NULL}};
    struct script *script[SEATS_MAX + 1] = {NULL};
    for (int seat = 1; seat <= state.seats; seat++)
        if (lines[seat - 1])
            orders[seat].script = script[seat] = script_parse(slice_of(lines[seat - 1]), &claim_language);
    events_clear(&events);
    claim_play(&cards, &state, &(struct resolution){orders, state.turn, &chance, &events});
    for (int seat = 1; seat <= state.seats; seat++)
        script_free(script[seat]);
}

START_TEST(who_takes_alone_gets_it)
{
    deal(3, 1);
    state.player[0].lucky = 3;
    state.die = 3;
    turn((const char *const[]){"take", "leave", NULL});
    ck_assert_int_eq(state.player[0].points, 6);
    state.die = 4;
    turn((const char *const[]){"take", "leave", "take"});
    ck_assert_int_eq(state.player[0].points + state.player[2].points, 6);
    events_release(&events);
}
END_TEST

/* The die of a turn is drawn before its orders: it is in the state, and seen, while they are awaited; what is taken is that die. */
START_TEST(the_die_lies_there_when_orders_are_written)
{
    deal(2, 2);
    for (int played = 0; played < 2; played++) {
        struct arena arena = {0};
        const int die = state.die, had = state.player[0].points;
        ck_assert(claim_awaits(&state) & SEAT_BIT(1));
        ck_assert_int_eq(value_get(claim_view(&cards, &state, 1, &arena), "die")->number, die);
        turn((const char *const[]){"take", "leave"});
        ck_assert_int_eq(state.player[0].points - had, die * (state.player[0].lucky == die ? 2 : 1));
        arena_release(&arena);
    }
    events_release(&events);
}
END_TEST

/* Every position of many games is possible; trial plays and reports tell a seat nothing of the others' numbers. */
START_TEST(lucky_numbers_stay_hidden)
{
    static const char *const lines[] = {"take", "leave", "leave; take", "if turn > 3 take", NULL};
    struct templates *templates = NULL;
    struct err err = ERR_INIT;
    templates_open(NULL, &templates);
    for (int game = 0; game < 60; game++) {
        deal(2 + game % 3, game);
        while (claim_awaits(&state)) {
            const char *said[SEATS];
            struct seat_orders orders[SEATS_MAX + 1] = {{.script = NULL}};
            for (int seat = 1; seat <= state.seats; seat++)
                said[seat - 1] = lines[chance_pick(&chance, 5, "lines")];
            for (int seat = 1; seat <= state.seats; seat++) {
                if (!said[seat - 1])
                    continue;
                struct script *script = script_parse(slice_of(said[seat - 1]), &claim_language);
                orders[seat].script = script;
                trials_check(&first_claim_ruleset, &cards, &state, seat, orders, state.turn, game);
                orders[seat].script = NULL;
                script_free(script);
            }
            turn(said);
            ck_ok(claim_check(&cards, &state, &err), err);
            struct claim_state other = state;
            claim_conceal(&cards, &other, 1, &chance);
            ck_assert_int_eq(other.player[0].lucky, state.player[0].lucky);
            report_check(templates, &first_claim_ruleset, &cards, &state, &other, state.seats, 1, state.turn,
                         &events, "first-claim");
        }
        events_release(&events);
    }
    templates_close(templates);
}
END_TEST

/* ---- by mail ---- */

static const char *const players[] = {"anna", "bob", "robot"};

static void order(struct house *h, const char *name, int turn_number, const char *line)
{
    static int seq;
    struct str text = STR_INIT;
    str_addf(&text, "#turnpost orders\ngame: fc-1\nturn: %d\nseq: %d\n%s\n#end\n", turn_number, ++seq, line);
    ck_assert_int_eq(house_signed(h, name, name, text.p), INTAKE_PROCESSED);
    str_release(&text);
}

static void says(struct house *h, const char *name, const char *words)
{
    struct str text;
    (void)house_mails(h, name, &text);
    if (!house_says(text.p, words))
        ck_abort_msg("%s is not told \"%s\":\n%s", name, words, text.p);
    str_release(&text);
}

START_TEST(a_game_by_mail_to_its_end)
{
    struct house house;
    house_open(&house);
    house_player(&house, "anna");
    house_player(&house, "bob");
    house_game(&house, "fc-1", "first-claim", 86400, 3, players);
    const struct game *game = house_find(&house, "fc-1");
    says(&house, "anna", "Nobody else knows it.");
    says(&house, "anna", "HOW THIS GAME IS WON");
    (void)house_mail(&house, "anna", "help first-claim", "");
    says(&house, "anna", "Orders of First Claim.");
    says(&house, "anna", "leave the die to the others");
    says(&house, "anna", "no points, no risk");
    house_empty_spool(&house);
    order(&house, "anna", 1, "take; leave");
    says(&house, "anna", "You take the die already");
    order(&house, "anna", 1, "take it now");
    says(&house, "anna", "Not understood at the end of the line: \"it now\".");
    order(&house, "bob", 1, "leave");
    house_empty_spool(&house);
    while (!game->over) {
        const int now = game->turn;
        order(&house, "anna", now, "take");
        order(&house, "bob", now, "leave");
        game = house_find(&house, "fc-1");
        ck_assert_int_eq(game->turn, now + 1);
        if (!game->over)
            house_empty_spool(&house);
    }
    says(&house, "anna", "lucky number");
    says(&house, "anna", "It is over");
    house_same(&house, "fc-1");
    house_close(&house);
}
END_TEST

static void cases(TCase *tc)
{
    tcase_add_test(tc, who_takes_alone_gets_it);
    tcase_add_test(tc, the_die_lies_there_when_orders_are_written);
    tcase_add_test(tc, lucky_numbers_stay_hidden);
    tcase_add_test(tc, a_game_by_mail_to_its_end);
}
TEST_MAIN_ALONE("rules/toy", cases)
