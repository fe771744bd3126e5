#include "commands/commands.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/json.h"
#include "base/mem.h"
#include "rules/ruleset.h"

#define TEXT_MOST (1U << 20)

static const char details[] =
    "Plays one turn without any league, and prints events, refusals and the new state as JSON.\n"
    "What STATE.json leaves out is as in a new game of --seats seats. \"{}\" leaves out all; \"-\" is "
    "standard input. Orders are plain order lines. Dice come from --dice in the order of rolling, then from "
    "--seed.\n";

struct trial {
    const char *ruleset, *state, *dice, *seed, *cards;
    struct flag_list orders, options;
    int64_t seats, turn;
    bool deal;
    /* made from them */
    const struct ruleset *rules;
    void *cards_data, *state_data;
    int dice_list[64];
    size_t dice_count;
};

static int read_dice(struct trial *trial, struct err *err)
{
    const char *at = trial->dice;
    while (at && *at) {
        char *end;
        long value = strtol(at, &end, 10);
        if (end == at || value < 1 || value > 1000 || trial->dice_count == 64 || (*end && *end != ','))
            return err_set(err, ERR_INPUT, "--dice takes numbers with commas, at most 64: 4,6,1");
        trial->dice_list[trial->dice_count++] = (int)value;
        at = *end ? end + 1 : end;
    }
    return 0;
}

static int read_options(const struct trial *trial, int options[GAME_OPTIONS], struct err *err)
{
    for (int i = 0; i < GAME_OPTIONS && trial->rules->options[i].name; i++)
        options[i] = trial->rules->options[i].initial;
    for (int k = 0; k < trial->options.count; k++) {
        const char *text = trial->options.item[k];
        size_t len = strcspn(text, "=");
        int i = 0;
        while (trial->rules->options[i].name &&
               !slice_eq((struct slice){text, len}, trial->rules->options[i].name))
            i++;
        if (!trial->rules->options[i].name || !text[len])
            return err_set(err, ERR_INPUT, "--option %s: no such option, or no value (NAME=N)", text);
        options[i] = (int)strtol(text + len + 1, NULL, 10);
    }
    return 0;
}

static int read_state(struct trial *trial, struct err *err)
{
    int options[GAME_OPTIONS] = {0};
    struct str text = STR_INIT;
    json_t *cards = NULL;
    json_t *state = NULL;
    int rc = -1;
    trial->rules = ruleset_newest(trial->ruleset);
    if (!trial->rules) {
        err_set(err, ERR_INPUT, "there is no ruleset \"%s\"", trial->ruleset);
        goto out;
    }
    cards = trial->cards ? json_read_file(trial->cards, err)
                         : json_read(ruleset_cards(trial->rules), "cards.json", err);
    trial->cards_data = mem_alloc(trial->rules->cards_size);
    trial->state_data = mem_alloc(trial->rules->state_size);
    if (!cards || trial->rules->cards_load(cards, trial->cards_data, err) ||
        read_options(trial, options, err) ||
        trial->rules->init(trial->cards_data, (int)trial->seats, options, trial->state_data, err) ||
        command_read(trial->state, TEXT_MOST, &text, err))
        goto out;
    state = json_read(slice_str(&text), trial->state, err);
    if (!state)
        goto out;
    if (trial->deal) {
        struct chance chance;
        struct events events;
        chance_seeded(&chance, trial->seed, strlen(trial->seed));
        events_init(&events);
        trial->rules->deal(trial->cards_data, trial->state_data, NULL, &chance, &events);
        events_release(&events);
    }
    rc = fields_read(trial->rules->fields, trial->state_data, state, 0, err);
out:
    json_decref(cards);
    json_decref(state);
    str_release(&text);
    return rc;
}

/* "2=FILE": the orders of seat 2. */
static int read_orders(const struct trial *trial, struct seat_orders *orders, struct script **scripts,
                       struct err *err)
{
    for (int i = 0; i < trial->orders.count; i++) {
        char *end;
        struct str text = STR_INIT;
        long seat = strtol(trial->orders.item[i], &end, 10);
        if (*end != '=' || seat < 1 || seat > trial->seats || scripts[seat])
            return err_set(err, ERR_INPUT, "--orders takes SEAT=FILE, each of the %d seats once",
                           (int)trial->seats);
        if (command_read(end + 1, TEXT_MOST, &text, err))
            return -1;
        scripts[seat] = script_parse(slice_str(&text), trial->rules->language);
        orders[seat].script = orders[seat].standing = scripts[seat];
        str_release(&text);
    }
    return 0;
}

static int play(struct trial *trial, struct err *err)
{
    struct seat_orders orders[SEATS_MAX + 1] = {{.script = NULL}};
    struct script *scripts[SEATS_MAX + 1] = {NULL};
    struct chance chance;
    struct events events;
    struct str out = STR_INIT;
    int rc = read_orders(trial, orders, scripts, err);
    events_init(&events);
    if (rc == 0) {
        for (int seat = 1; seat <= trial->seats; seat++)
            orders[seat].missed = !scripts[seat];
        chance_scripted(&chance, trial->dice_list, trial->dice_count, trial->seed, strlen(trial->seed));
        trial->rules->play(trial->cards_data, trial->state_data,
                           &(struct resolution){orders, (int)trial->turn, &chance, &events});
        json_t *result = json_pack("{s:o,s:o}", "events", events_json(&events, -1), "state",
                                   fields_json(trial->rules->fields, trial->state_data));
        json_write_pretty(&out, result);
        fputs(out.p, stdout);
        json_decref(result);
    }
    for (int seat = 1; seat <= SEATS_MAX; seat++)
        script_free(scripts[seat]);
    events_release(&events);
    str_release(&out);
    return rc;
}

int command_try(int argc, char **argv)
{
    struct trial trial = {.seed = "try", .seats = 1, .turn = 1};
    struct err err = ERR_INIT;
    const struct flag flags[] = {
        {"orders", FLAG_LIST, &trial.orders, "SEAT=FILE", "the orders of a seat"},
        {"dice", FLAG_TEXT, &trial.dice, "4,6,1", "the first dice, in the order of rolling"},
        {"seed", FLAG_TEXT, &trial.seed, "TEXT", "chance comes from this (default: try)"},
        {"seats", FLAG_NUMBER, &trial.seats, "N", "number of seats (default: 1)"},
        {"turn", FLAG_NUMBER, &trial.turn, "N", "number of the turn (default: 1)"},
        {"option", FLAG_LIST, &trial.options, "NAME=N", "an option of the ruleset"},
        {"deal", FLAG_SWITCH, &trial.deal, NULL,
         "deal a new game from the seed before STATE.json is put on it"},
        {"cards", FLAG_TEXT, &trial.cards, "FILE", "card values to use instead of the built-in ones"},
        {NULL, FLAG_SWITCH, NULL, NULL, NULL}};
    int code = flags_parse(&argc, argv, flags, 2, 2, details);
    if (code >= 0)
        return code;
    trial.ruleset = argv[1];
    trial.state = argv[2];
    if (trial.seats < 1 || trial.seats > SEATS_MAX) {
        err_set(&err, ERR_INPUT, "--seats takes 1 to %d", SEATS_MAX);
        return command_fail(&err);
    }
    int rc = read_dice(&trial, &err);
    if (rc == 0)
        rc = read_state(&trial, &err);
    if (rc == 0)
        rc = play(&trial, &err);
    free(trial.cards_data);
    free(trial.state_data);
    return rc ? command_fail(&err) : 0;
}
