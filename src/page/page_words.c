/* The order words of each game, from the tables by which it reads them (orders/verbs.h): enough to say of a line, without a
 * game, whether its words are known, and to offer them. */
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/mem.h"
#include "orders/script.h"
#include "orders/vocabulary.h"
#include "page/page_parts.h"
#include "rules/ruleset.h"

static json_t *words_list(const char *const *words)
{
    json_t *list = json_array();
    for (; *words; words++)
        json_array_append_new(list, json_string(*words));
    return list;
}

static json_t *verbs_list(const struct language *language)
{
    json_t *list = json_array();
    for (const struct verb *verb = language->verbs; verb && verb->name; verb++)
        json_array_append_new(
            list, json_pack("{s:s,s:s,s:s,s:s,s:b,s:b,s:b,s:i}", "name", verb->name, "args", verb->args,
                            "help", verb->help, "keywords", verb->keywords ? verb->keywords : "", "standing",
                            (verb->flags & VERB_STANDING) != 0, "keep", (verb->flags & VERB_KEEP) != 0,
                            "instant", (verb->flags & VERB_INSTANT) != 0, "phase", verb->phase));
    return list;
}

static json_t *counters_list(const struct language *language)
{
    json_t *list = json_array();
    for (const struct counter *counter = language->counters; counter && counter->name; counter++)
        json_array_append_new(list, json_pack("{s:s,s:s,s:s,s:b}", "name", counter->name, "args",
                                              counter->args, "help", counter->help, "test", counter->test));
    return list;
}

static json_t *triggers_list(const struct language *language)
{
    json_t *list = json_array();
    for (const struct trigger *trigger = language->triggers; trigger && trigger->name; trigger++)
        json_array_append_new(list, json_pack("{s:s,s:s,s:s,s:s}", "name", trigger->name, "args",
                                              trigger->args, "help", trigger->help, "keywords",
                                              trigger->keywords ? trigger->keywords : ""));
    return list;
}

/* ---- of its cards ---- */

static json_t *things_list(const struct ruleset *ruleset, const void *cards)
{
    json_t *list = json_array();
    const char *name;
    for (int i = 0; ruleset->words.thing && (name = ruleset->words.thing(cards, i)) != NULL; i++)
        if (*name)
            json_array_append_new(list, json_string(name));
    return list;
}

/* A deal that is always the same, to show what lines look like. */
static const char example[] = "turnpost/page/example";

static int deal(const struct ruleset *ruleset, const void *cards, void *state, struct err *err)
{
    int options[GAME_OPTIONS] = {0};
    struct chance chance;
    struct events events;
    for (int i = 0; i < GAME_OPTIONS && ruleset->options[i].name; i++)
        options[i] = ruleset->options[i].initial;
    if (ruleset->init(cards, ruleset->seats_max, options, state, err))
        return -1;
    chance_seeded(&chance, example, sizeof example);
    events_init(&events);
    ruleset->deal(cards, state, NULL, &chance, &events);
    events_release(&events);
    return 0;
}

static int first_seat(uint32_t awaited)
{
    int seat = 1;
    while (seat < SEATS_MAX && !(awaited & SEAT_BIT(seat)))
        seat++;
    return seat;
}

/* What a report would suggest to whoever moves first. NULL on error. */
static json_t *examples_list(const struct ruleset *ruleset, const void *cards, struct err *err)
{
    void *state = mem_alloc(ruleset->state_size);
    struct arena arena = {0};
    json_t *list = deal(ruleset, cards, state, err) ? NULL : json_array();
    const struct value *form =
        list ? ruleset_form(ruleset, cards, state, first_seat(ruleset->awaits(state)), &arena) : NULL;
    for (const struct value *each = form ? value_first(form) : NULL; each; each = each->next) {
        const struct value *line = value_get(each, "line");
        if (line && line->kind == VALUE_TEXT)
            json_array_append_new(list, json_text(line->text));
    }
    arena_release(&arena);
    free(state);
    return list;
}

/* ---- files ---- */

static json_t *document(const struct ruleset *ruleset, const void *cards, struct err *err)
{
    const struct language *language = ruleset->language;
    json_t *examples = examples_list(ruleset, cards, err);
    if (!examples)
        return NULL;
    return json_pack("{s:s,s:s,s:i,s:i,s:o,s:o,s:o,s:o,s:o,s:o,s:o,s:o,s:o,s:b,s:b,s:{s:i,s:i}}", "ruleset",
                     ruleset->name, "title", ruleset->title, "version", ruleset->version, "language",
                     ORDER_LANGUAGE, "verbs", verbs_list(language), "counters", counters_list(language),
                     "triggers", triggers_list(language), "common", words_list(order_common_words),
                     "line_words", words_list(order_line_words), "fillers", words_list(order_fillers),
                     "numbers", words_list(order_numbers), "things", things_list(ruleset, cards), "examples",
                     examples, "have", language->have != NULL, "names_players", ruleset->words.names_players,
                     "limits", "lines", SCRIPT_LINES, "words", WORDS_PER_LINE);
}

static int add_ruleset(struct page *page, const struct ruleset *ruleset, json_t *list, struct err *err)
{
    struct str name = STR_INIT;
    void *cards = mem_alloc(ruleset->cards_size);
    json_t *json = json_read(ruleset_cards(ruleset), "cards.json", err), *words = NULL;
    if (json && ruleset->cards_load(json, cards, err) == 0)
        words = document(ruleset, cards, err);
    str_addf(&name, "words/%s-%d.json", ruleset->name, ORDER_LANGUAGE);
    if (words) {
        page_add_json(page, name.p, words);
        json_array_append_new(list, json_pack("{s:s,s:s,s:i,s:i,s:s}", "ruleset", ruleset->name, "title",
                                              ruleset->title, "version", ruleset->version, "language",
                                              ORDER_LANGUAGE, "file", name.p));
    }
    json_decref(json);
    free(cards);
    str_release(&name);
    return words ? 0 : -1;
}

json_t *page_words(struct page *page, struct err *err)
{
    json_t *list = json_array();
    int rc = 0;
    for (int i = 0; rc == 0 && rulesets[i]; i++)
        rc = add_ruleset(page, rulesets[i], list, err);
    if (rc == 0)
        return list;
    json_decref(list);
    return NULL;
}
