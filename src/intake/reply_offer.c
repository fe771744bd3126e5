/* What a question offers to an "ok": only what can be done. Orders are played on trial first, without the words that nothing reads;
 * what cannot work is told with its reason, and left out. */
#include "intake/reply_parts.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/json.h"
#include "base/mem.h"
#include "base/reason.h"
#include "game/seating.h"
#include "game/turn.h"
#include "orders/words.h"
#include "play/facts.h"
#include "play/trial.h"

#define TRIES 4 /* as an order that is left out may have been what another one needs */

/* Lines that were understood; those of orders are tried. */
struct offer {
    const struct answering *a;
    struct typed typed;
    struct slice *order; /* of each line; empty: it is no order, or left out */
    bool *gone;
    json_t *doubts; /* borrowed */
};

/* Cuts the words off the end of the order; words that say nothing may stand between them. */
static bool cut_words(struct slice *order, struct slice extra)
{
    struct word all[WORDS_PER_LINE], end[WORDS_PER_LINE];
    int at = words_split(*order, all, WORDS_PER_LINE), left = words_split(extra, end, WORDS_PER_LINE);
    while (left > 0 && at > 1) {
        const bool same = strcmp(all[at - 1].text, end[left - 1].text) == 0;
        if (!same && !word_is_filler(all[at - 1].text))
            break;
        left -= same;
        at--;
    }
    if (left || at < 1)
        return false;
    *order = slice_trim(slice_sub(*order, 0, (size_t)(all[at].raw.p - order->p)));
    while (order->len && strchr(",;:.-", order->p[order->len - 1]))
        *order = slice_trim(slice_sub(*order, 0, order->len - 1));
    return order->len > 0;
}

/* Unless it is told of already. Takes the reason over. */
static void tell(struct offer *offer, struct slice order, json_t *why)
{
    json_t *quote = facts_quote(order), *doubt;
    size_t i;
    bool told = false;
    json_array_foreach (offer->doubts, i, doubt)
        told |= json_equal(json_object_get(doubt, "line"), quote);
    if (!told) {
        json_object_set(why, "line", quote);
        json_array_append(offer->doubts, why);
    }
    json_decref(quote);
    json_decref(why);
}

/* The typed line whose order is line `number` of those that are tried; count: none. */
static size_t line_of(const struct offer *offer, json_int_t number)
{
    size_t i = 0;
    while (i < offer->typed.count && (!offer->order[i].len || --number > 0))
        i++;
    return i;
}

static json_t *wrong_lines(const struct offer *offer)
{
    const struct game *game = &offer->a->entry->game;
    struct str lines = STR_INIT, named = STR_INIT;
    for (size_t i = 0; i < offer->typed.count; i++)
        if (offer->order[i].len)
            str_addf(&lines, "%.*s\n", (int)offer->order[i].len, offer->order[i].p);
    turn_names(&named, game, slice_str(&lines));
    struct script *script = script_parse(slice_str(&named), offer->a->game.language);
    json_t *wrong = trial_wrong(game, offer->a->seat, script, false);
    script_free(script);
    str_release(&named);
    str_release(&lines);
    return wrong;
}

/* True: something was wrong, and is mended or left out. */
static bool try_orders(struct offer *offer)
{
    json_t *wrong = wrong_lines(offer), *line;
    size_t k;
    bool found = json_array_size(wrong) > 0;
    size_t *index = mem_array(json_array_size(wrong) + 1, sizeof *index);
    json_array_foreach (wrong, k, line)
        index[k] = line_of(offer, json_integer_value(json_object_get(line, "number")));
    json_array_foreach (wrong, k, line) {
        const size_t i = index[k];
        const json_t *extra = json_object_get(json_object_get(line, "why"), "extra_words");
        const char *words = json_string_value(json_object_get(extra, "words"));
        if (i == offer->typed.count || !offer->order[i].len ||
            (words && cut_words(&offer->order[i], slice_of(words))))
            continue;
        tell(offer, offer->order[i], json_incref(line));
        offer->order[i].len = 0;
        offer->gone[i] = true;
    }
    free(index);
    json_decref(wrong);
    return found;
}

static bool is_known(const struct answering *a, struct slice name)
{
    const int code = seating_named(name);
    bool known = (code && code <= a->entry->game.seats) || slice_caseeq(name, "all") ||
                 slice_casestarts(name, "moderator") || slice_caseeq(name, a->visit->sender->name);
    for (size_t i = 0; !known && a->others[i]; i++)
        known = slice_caseeq(name, a->others[i]);
    return known;
}

/* A message to a name that nobody has would go to nobody. */
static void try_message(struct offer *offer, size_t i)
{
    const struct answering *a = offer->a;
    struct slice rest = offer->typed.lines[i].name, word;
    while (!offer->gone[i] && slice_word(&rest, &word)) {
        while (word.len && word.p[word.len - 1] == ',')
            word = slice_sub(word, 0, word.len - 1);
        offer->gone[i] = !is_known(a, word);
        if (offer->gone[i]) {
            char *name = slice_dup(word);
            tell(offer, offer->typed.lines[i].line,
                 json_pack("{s:o}", "refused",
                           reason_make("press_unknown name=%s game=%s", name, a->entry->game.id)));
            free(name);
        }
    }
}

void reply_offer(const struct answering *a, struct str *lines, json_t *doubts)
{
    struct offer offer = {.a = a, .doubts = doubts};
    struct str out = STR_INIT;
    reply_read(a->visit, slice_str(lines), &a->game, 1, &offer.typed);
    const size_t count = offer.typed.count;
    offer.order = mem_array(count + 1, sizeof *offer.order);
    offer.gone = mem_array(count + 1, sizeof *offer.gone);
    for (size_t i = 0; i < count; i++) {
        const struct typed_line *line = &offer.typed.lines[i];
        offer.order[i] = line->is == TYPED_IS_ORDER && !line->asks ? line->text : (struct slice){"", 0};
        if (line->is == TYPED_IS_PRESS && a->others[0])
            try_message(&offer, i);
    }
    for (int tries = 0; !offer.typed.resigns && tries < TRIES && try_orders(&offer); tries++)
        continue;
    for (size_t i = 0; i < count; i++) {
        const struct slice line = offer.order[i].len ? offer.order[i] : offer.typed.lines[i].line;
        if (!offer.gone[i])
            str_addf(&out, "%.*s\n", (int)line.len, line.p);
    }
    if (!slice_trim(slice_str(&out)).len)
        str_clear(&out);
    free(offer.order);
    free(offer.gone);
    typed_release(&offer.typed);
    str_release(lines); /* which those borrowed */
    *lines = out;
}
