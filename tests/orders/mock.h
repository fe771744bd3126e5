/* The languages of the four games with verbs that do nothing but write down that they were called.
 *
 * A call is written as "verb args" ("explore near 2"). What it results in, and what counters are worth, the
 * test says in lists that are separated by '|'. */
#ifndef TESTS_ORDERS_MOCK_H
#define TESTS_ORDERS_MOCK_H

#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "orders/script.h"

#define MOCK_UNUSED __attribute__((unused))

struct mock {
    struct str log;     /* the calls, each with "; " after it */
    struct str told;    /* what the listener heard: "3 done explore near; " */
    const char *refuse; /* calls that are refused: "explore|research banking" */
    const char *fail;   /* calls that fail by the die */
    const char *roll;   /* calls that succeed by the die */
    const char *values; /* "metal=2|aligned eps=1": others are unknown */
    const char
        *have; /* lists that are held: "sector|2 metal"; those with "unknown" in them are not understood */
    const char *refuse_later; /* refused from the second call on */
    int calls;
    int asked; /* how often a counter or HAVE was asked */
};
#define MOCK_INIT                         \
    {                                     \
        .log = STR_INIT, .told = STR_INIT \
    }

/* Why a line was not understood, as "code name=value name=value"; "" for a line that was. Until the next call. */
static MOCK_UNUSED const char *mock_why(const struct script_line *line)
{
    static struct str out = STR_INIT;
    const char *code, *name;
    json_t *params, *value;
    str_clear(&out);
    json_object_foreach (line->why, code, params) {
        str_adds(&out, code);
        json_object_foreach (params, name, value) {
            str_addf(&out, " %s=", name);
            if (json_is_string(value))
                str_adds(&out, json_string_value(value));
            else
                str_addn(&out, json_integer_value(value));
        }
    }
    return out.len ? out.p : "";
}

static MOCK_UNUSED void mock_release(struct mock *mock)
{
    str_release(&mock->log);
    str_release(&mock->told);
}

/* The entry of the list that is `text`, or its first word, or NULL; what follows '=' in *value. */
static const char *mock_find(const char *list, const char *text, int *value)
{
    size_t word = strcspn(text, " ");
    while (list && *list) {
        size_t end = strcspn(list, "|");
        const char *equals = memrchr(list, '=', end);
        size_t len = equals ? (size_t)(equals - list) : end;
        if ((len == strlen(text) || len == word) && strncmp(list, text, len) == 0) {
            if (value && equals)
                *value = (int)strtol(equals + 1, NULL, 10);
            return list;
        }
        list += end;
        list += *list == '|';
    }
    return NULL;
}

static void mock_text(struct str *out, const char *name, const struct args *args)
{
    str_adds(out, name);
    if (args->count)
        str_addc(out, ' ');
    args_text(out, args);
}

static enum order_result mock_run(const char *name, void *turn, struct args *args, struct refusal *why,
                                  bool *rolled)
{
    struct mock *mock = turn;
    struct str call = STR_INIT;
    enum order_result result = ORDER_DONE;
    mock_text(&call, name, args);
    mock->calls++;
    if (mock_find(mock->refuse, call.p, NULL) || (mock_find(mock->refuse_later, call.p, NULL) &&
                                                  slice_find(slice_str(&mock->log), call.p) != (size_t)-1)) {
        result = no(why, "mock_refused call=%s", call.p);
    } else if (mock_find(mock->fail, call.p, NULL)) {
        *rolled = true;
        result = ORDER_FAILED;
    } else {
        *rolled = mock_find(mock->roll, call.p, NULL) != NULL;
    }
    str_addf(&mock->log, "%s%s; ", call.p, result == ORDER_REFUSED ? "!" : "");
    str_release(&call);
    return result;
}

static bool mock_value(const char *name, void *turn, struct args *args, int64_t *value)
{
    struct mock *mock = turn;
    struct str text = STR_INIT;
    int number = 0;
    mock_text(&text, name, args);
    mock->asked++;
    bool known = mock_find(mock->values, text.p, &number) != NULL;
    *value = number;
    str_release(&text);
    return known;
}

static bool mock_have(void *turn, struct args *args, bool *known)
{
    struct mock *mock = turn;
    struct str text = STR_INIT;
    args_text(&text, args);
    mock->asked++;
    *known = slice_find(slice_str(&text), "unknown") == (size_t)-1;
    bool has = mock->have && mock_find(mock->have, text.p, NULL) != NULL;
    str_release(&text);
    return has;
}

static MOCK_UNUSED void mock_line(void *arg, const struct script_line *line, enum order_result result,
                                  const struct refusal *why, struct slice order)
{
    static const char *const names[] = {"done", "failed", "refused", "skipped"};
    struct mock *mock = arg;
    str_addf(&mock->told, "%d %s %.*s", line->number, names[result], (int)order.len, order.p);
    if (why && why->reason.len)
        str_addf(&mock->told, " (%.*s)", (int)why->reason.len, why->reason.p);
    str_adds(&mock->told, "; ");
}

/* Runs a body through all phases; the mock then tells what happened. */
static MOCK_UNUSED void mock_play(struct mock *mock, const char *body, const struct language *language,
                                  int turn)
{
    struct script *script = script_parse(slice_of(body), language);
    struct script_listener listener = {mock_line, mock};
    struct script_run *run = script_run_new(script, language, mock, turn, &listener);
    for (int phase = 0; phase < language->phases; phase++)
        script_run_phase(run, phase);
    script_run_free(run);
    script_free(script);
}

#define MOCK_VERB(name)                                                                                   \
    static enum order_result run_##name(void *turn, struct args *args, struct refusal *why, bool *rolled) \
    {                                                                                                     \
        return mock_run(#name, turn, args, why, rolled);                                                  \
    }
#define MOCK_COUNTER(name)                                                  \
    static bool value_##name(void *turn, struct args *args, int64_t *value) \
    {                                                                       \
        return mock_value(#name, turn, args, value);                        \
    }

/* clang-format off */
MOCK_VERB(accept) MOCK_VERB(attack) MOCK_VERB(bide) MOCK_VERB(build) MOCK_VERB(buy) MOCK_VERB(choose)
MOCK_VERB(collect) MOCK_VERB(conquer) MOCK_VERB(convert) MOCK_VERB(counter) MOCK_VERB(decline) MOCK_VERB(defend)
MOCK_VERB(discard) MOCK_VERB(draft) MOCK_VERB(draw) MOCK_VERB(drop) MOCK_VERB(explore) MOCK_VERB(fight)
MOCK_VERB(harvest) MOCK_VERB(hold) MOCK_VERB(intel) MOCK_VERB(keep) MOCK_VERB(leave) MOCK_VERB(lift) MOCK_VERB(load)
MOCK_VERB(lock) MOCK_VERB(move) MOCK_VERB(offer) MOCK_VERB(partner) MOCK_VERB(pass) MOCK_VERB(pick)
MOCK_VERB(place) MOCK_VERB(plant) MOCK_VERB(play) MOCK_VERB(prefer) MOCK_VERB(quest) MOCK_VERB(refuse)
MOCK_VERB(research) MOCK_VERB(rnd) MOCK_VERB(ship) MOCK_VERB(stay) MOCK_VERB(store) MOCK_VERB(swap) MOCK_VERB(take)
MOCK_VERB(trade) MOCK_VERB(uproot) MOCK_VERB(withdraw)

MOCK_COUNTER(afford) MOCK_COUNTER(aligned) MOCK_COUNTER(available) MOCK_COUNTER(cards) MOCK_COUNTER(chance)
MOCK_COUNTER(credits) MOCK_COUNTER(crystal) MOCK_COUNTER(enemy) MOCK_COUNTER(fleets) MOCK_COUNTER(food)
MOCK_COUNTER(fuel) MOCK_COUNTER(left) MOCK_COUNTER(level) MOCK_COUNTER(metal) MOCK_COUNTER(military) MOCK_COUNTER(odds)
MOCK_COUNTER(points) MOCK_COUNTER(room) MOCK_COUNTER(round) MOCK_COUNTER(score) MOCK_COUNTER(sectors)
MOCK_COUNTER(shipment) MOCK_COUNTER(speed) MOCK_COUNTER(top) MOCK_COUNTER(trade) MOCK_COUNTER(wealth) MOCK_COUNTER(year)

#define V(name, args, keywords, phase, flags) {#name, args, "help", keywords, phase, flags, run_##name}
#define C(name, args, test) {#name, args, "help", test, value_##name}
#define T(name, args, keywords) {#name, args, "help", keywords}
#define V_END {NULL, NULL, NULL, NULL, 0, 0, NULL}
#define C_END {NULL, NULL, NULL, false, NULL}
#define T_END {NULL, NULL, NULL, NULL}

/* Galaxy Command: action, swap, build and research */
static const struct verb command_verbs[] = {
    V(explore, "[near|far] [slot]", "", 0, 0), V(conquer, "<system>|best", "", 0, 0), V(bide, "", "", 0, 0),
    V(pass, "", "", 0, 0), V(swap, "metal|wealth", "", 1, 0), V(build, "[military]", "", 2, 0),
    V(research, "<technology>", "", 2, 0), V_END};
static const struct counter command_counters[] = {
    C(metal, "", false), C(wealth, "", false), C(military, "", false), C(year, "", false), C(round, "", false),
    C(aligned, "<system>", true), C(chance, "<system>", false), C_END};
static MOCK_UNUSED const struct language command_language = {command_verbs, command_counters, NULL, mock_have, 3, NULL};

/* Galactic Supremacy: draw, command, build, attack, move, research */
static const struct verb supremacy_verbs[] = {
    V(draw, "", "", 0, 0), V(explore, "[times]", "", 0, 0), V(draft, "[times]", "", 0, 0),
    V(intel, "[times]", "", 0, 0), V(rnd, "[times]", "", 0, 0), V(keep, "<kinds>", "", 0, VERB_KEEP),
    V(discard, "<kind>", "", 0, 0), V(play, "<use> [on player|unit]", "on at", 1, 0),
    V(build, "sector|fleet [at sector]|leader [on unit]", "on at", 2, 0),
    V(attack, "<player> [home|sector] with all|fleets [using card]", "at with using", 3, 0),
    V(move, "<unit> <place>", "", 4, 0), V(research, "[pick|catchup|direct technology]", "", 5, 0),
    V(prefer, "<technologies>", "", 0, VERB_KEEP), V(offer, "<player> give <list> get <list>", "", 0, 0),
    V(accept, "<n>", "from", 0, 0), V(decline, "<n>", "", 0, 0), V(withdraw, "<n>", "", 0, 0), V(pass, "", "", 0, 0),
    V(counter, "[keep n]", "", 0, VERB_STANDING), V(defend, "all|here|none|<fleets>", "", 0, VERB_STANDING),
    V(take, "", "", 0, VERB_STANDING), V(leave, "", "", 0, VERB_STANDING), V_END};
static const struct counter supremacy_counters[] = {
    C(credits, "", false), C(fleets, "", false), C(sectors, "", false), C(cards, "", false),
    C(level, "<technology>", false), C(odds, "", false), C_END};
static const struct trigger supremacy_triggers[] = {
    T(attacked, "[by player] [at home|sector]", "by at"), T(played, "[use] [by player] [on me]", "by on"),
    T(ambushed, "", ""), T(peace, "", ""), T(countered, "", ""), T(conquer, "", ""),
    T(offered, "<list> for <list>", "for"), T_END};
static MOCK_UNUSED const struct language supremacy_language = {supremacy_verbs, supremacy_counters,
                                                               supremacy_triggers, mock_have, 6, NULL};

/* Galactic Contract: as written, COLLECT last */
static const struct verb contract_verbs[] = {
    V(move, "<place> [via places] [fuel n|auto]", "", 0, 0), V(stay, "", "", 0, 0), V(pass, "", "", 0, 0),
    V(ship, "<shipment>|best [place planet]", "", 0, 0), V(trade, "[n]", "", 0, 0), V(buy, "<upgrade>", "", 0, 0),
    V(swap, "3 <kind> <kind>", "", 0, 0), V(load, "<list>|all", "", 0, 0), V(store, "<list>|all", "", 0, 0),
    V(discard, "<list>", "", 0, 0), V(collect, "[list|all|none]", "", 1, 0), V(keep, "<kinds>", "", 0, VERB_KEEP),
    V(place, "<construction>|any <planet>", "", 0, VERB_KEEP), V(choose, "ship <names>", "", 0, 0),
    V(take, "", "", 0, VERB_STANDING), V(refuse, "", "", 0, VERB_STANDING), V_END};
static const struct counter contract_counters[] = {
    C(metal, "", false), C(food, "", false), C(crystal, "", false), C(fuel, "", false), C(room, "", false),
    C(speed, "", false), C(points, "", false), C(afford, "<card>|trade", true), C(trade, "<planet> = <id>", true),
    C(shipment, "<pile> = <id>", true), C(available, "<upgrade>", true), C(left, "trades|shipments", false), C_END};
static const struct trigger contract_triggers[] = {T(gift, "", ""), T_END};
static MOCK_UNUSED const struct language contract_language = {contract_verbs, contract_counters, contract_triggers,
                                                              mock_have, 2, NULL};

/* Galaxy Farmer: as written */
static const struct verb farmer_verbs[] = {
    V(move, "<places>", "", 0, 0), V(stay, "", "", 0, 0), V(pass, "", "", 0, 0), V(collect, "[n|all]", "", 0, 0),
    V(drop, "<n>", "", 0, 0), V(pick, "<n>", "", 0, 0), V(lift, "[n|all]", "", 0, 0), V(quest, "[list]", "", 0, 0),
    V(fight, "[push clockwise|anticlockwise]", "", 0, 0), V(load, "<list>|all", "", 0, 0),
    V(store, "<list>|all", "", 0, 0), V(plant, "<resource> [n]", "", 0, 0), V(uproot, "<resource> [n]", "", 0, 0),
    V(harvest, "[all] [ship]", "", 0, 0), V(lock, "<list> <order>|all", "", 0, 0),
    V(convert, "<resource> <order>", "", 0, 0), V(partner, "<representative>", "", 0, 0),
    V(hold, "<order>", "", 0, VERB_KEEP), V(discard, "<list>", "", 0, 0), V_END};
static const struct counter farmer_counters[] = {
    C(fuel, "", false), C(score, "", false), C(room, "", false), C(top, "<planet> = light|dark", true),
    C(enemy, "steps from <planet>", false), C_END};
static MOCK_UNUSED const struct language farmer_language = {farmer_verbs, farmer_counters, NULL, mock_have, 1, NULL};
/* clang-format on */

#endif
