#include "play/trial.h"

#include <stdlib.h>
#include <string.h>

#include "base/encode.h"
#include "base/json.h"
#include "base/mem.h"
#include "play/facts.h"
#include "game/turn.h"
#include "rules/meant.h"

struct trial {
    const struct ruleset *ruleset;
    const void *cards; /* the built-in ones, or own_cards */
    void *own_cards;
    void *state;                    /* NULL: nothing to play */
    unsigned char head[HEAD_BYTES]; /* the seed of its dice */
    int seat, turn;
    const struct script *script;
    struct script *own_script;
    struct script *standing;
    json_t *told;
    bool awaited;               /* the lines of the turn are played */
    bool busy;                  /* the others play as robots would, and not nothing */
    uint32_t robots;            /* seats that are robots' */
    bool deals;                 /* and those that are carried out at once */
    bool unheard[SCRIPT_LINES]; /* by line: SAY to an unknown name */
    char player[SEATS_MAX][PLAYER_NAME];
    json_t *texts; /* of the lines, with players' names */
};

/* SAY to an unknown name: no player is called that. */
static bool unheard(const struct game *game, const struct script_line *line)
{
    struct slice rest = line->rest;
    struct slice whom;
    if (!line->verb || strcmp(line->verb, "say") != 0 || !slice_word(&rest, &whom))
        return false;
    return !turn_tells_all(whom) && !turn_seat_told(game, whom);
}

static void trial_init(struct trial *trial, const struct game *game, int seat, const struct script *script,
                       const json_t *told)
{
    const struct ruleset *ruleset = game->ruleset;
    *trial = (struct trial){.ruleset = ruleset,
                            .cards = game->cards,
                            .seat = seat,
                            .turn = game->turn,
                            .script = script,
                            .standing = turn_standing(game, seat),
                            .told = json_incref((json_t *)(uintptr_t)told),
                            .awaited = (game_awaited(game) & SEAT_BIT(seat)) != 0,
                            .deals = !told && ruleset->instant && script_has_instant(script)};
    memcpy(trial->head, game->opened.head, HEAD_BYTES);
    if (game->own_cards)
        trial->cards = trial->own_cards = mem_copy(game->own_cards, ruleset->cards_size);
    for (int i = 1; i <= game->seats; i++)
        trial->robots |= game->seat[i].robot ? SEAT_BIT(i) : 0;
    if (trial->awaited || trial->deals)
        trial->state = mem_copy(game->state, ruleset->state_size);
    for (int i = 1; i <= game->seats; i++)
        (void)snprintf(trial->player[i - 1], PLAYER_NAME, "%s", game->seat[i].player);
    for (size_t i = 0; i < script_line_count(script); i++)
        trial->unheard[i] = unheard(game, script_line(script, i));
    trial->texts = json_array();
    for (size_t i = 0; i < script_line_count(script); i++) {
        struct str names = STR_INIT;
        turn_spell(&names, game, script_line(script, i)->text);
        json_array_append_new(trial->texts, facts_quote(slice_str(&names)));
        str_release(&names);
    }
}

static void trial_release(struct trial *trial)
{
    json_decref(trial->told);
    json_decref(trial->texts);
    script_free(trial->own_script);
    script_free(trial->standing);
    free(trial->own_cards);
    free(trial->state);
}

struct trial *trial_new(const struct game *game, int seat, struct script *script, const json_t *told)
{
    struct trial *trial = mem_alloc(sizeof *trial);
    trial_init(trial, game, seat, script, told);
    trial->own_script = script;
    return trial;
}

void trial_free(struct trial *trial)
{
    if (!trial)
        return;
    trial_release(trial);
    free(trial);
}

/* ---- plays ---- */

#define TRIALS       24 /* to find what is wrong */
#define ODDS_TRIALS  64 /* for odds; a bit each in tally.done */
#define SOME         4  /* so often two lines are not both done, or both not, by chance alone */
#define LISTED_LINES 5  /* lines of a receipt, each in a line of its own */

/* The outcomes of one order line (script_line.part) over the trial plays. */
struct tally {
    int result[4];   /* by enum order_result */
    uint64_t done;   /* the trials in which it was done, a bit each */
    json_t *odds;    /* those that the rules gave in all trials so far; NULL: none */
    bool other_odds; /* in some trials others, or none */
    json_t *refusal; /* the first one */
};

/* Of all lines. */
static void tally_release(struct tally tally[SCRIPT_LINES + 1])
{
    for (int i = 0; i <= SCRIPT_LINES; i++) {
        json_decref(tally[i].refusal);
        json_decref(tally[i].odds);
    }
}

static void count_line(struct tally *tally, const struct event *event, int number, int times)
{
    enum order_result fate;
    if (event->part < 1 || event->part > SCRIPT_LINES || !event_fate(event->type, &fate))
        return;
    struct tally *line = &tally[event->part];
    const bool first = !(line->result[0] + line->result[1] + line->result[2] + line->result[3]);
    if (first)
        line->odds = json_incref(event->odds);
    line->other_odds |= !event->odds != !line->odds || (line->odds && !json_equal(line->odds, event->odds));
    line->result[fate] += times;
    line->done |= fate == ORDER_DONE ? (uint64_t)1 << (number % ODDS_TRIALS) : 0;
}

/* Keeps the first refusal of each line, as JSON, for its words. */
static void keep_refusals(struct tally *tally, const struct events *events, int seat)
{
    size_t seen = 0;
    json_t *all = events_json(events, seat);
    for (size_t i = 0; i < events->count; i++) {
        const struct event *event = &events->list[i];
        if (!(event->visible & SEAT_BIT(seat)))
            continue;
        json_t *json = json_array_get(all, seen++);
        if (event->part >= 1 && event->part <= SCRIPT_LINES && slice_eq(event->type, "refused") &&
            !tally[event->part].refusal)
            tally[event->part].refusal = json_incref(json);
    }
    json_decref(all);
}

/* Was a line refused whose reason is not kept yet? */
static bool lacks_refusal(const struct tally *tally)
{
    for (int i = 1; i <= SCRIPT_LINES; i++)
        if (tally[i].result[ORDER_REFUSED] && !tally[i].refusal)
            return true;
    return false;
}

static void count_events(struct tally *tally, const struct events *events, int seat, int number, int times)
{
    bool refused = false;
    for (size_t i = 0; i < events->count; i++) {
        if (events->list[i].seat != seat)
            continue;
        count_line(tally, &events->list[i], number, times);
        refused |= slice_eq(events->list[i].type, "refused");
    }
    if (refused && lacks_refusal(tally))
        keep_refusals(tally, events, seat);
}

/* What robots would order for the other seats that are awaited; to be freed one by one. */
static void others_order(const struct trial *trial, const void *state, struct script *scripts[SEATS_MAX + 1])
{
    const struct ruleset *ruleset = trial->ruleset;
    uint32_t awaited = ruleset->awaits(state) & ~SEAT_BIT(trial->seat);
    for (int seat = 1; seat <= SEATS_MAX; seat++) {
        struct str text = STR_INIT;
        if (!(awaited & SEAT_BIT(seat)))
            continue;
        ruleset->robot(trial->cards, state, seat, &text);
        scripts[seat] = script_parse(slice_str(&text), ruleset->language);
        str_release(&text);
    }
}

static void play(const struct trial *trial, void *state, struct chance *chance, struct events *events)
{
    struct seat_orders orders[SEATS_MAX + 1] = {{.script = NULL}};
    struct script *others[SEATS_MAX + 1] = {NULL};
    if (trial->busy)
        others_order(trial, state, others);
    for (int seat = 1; seat <= SEATS_MAX; seat++)
        orders[seat] = (struct seat_orders){
            .script = others[seat],
            .robot = trial->busy && (trial->robots & SEAT_BIT(seat)),
        };
    orders[trial->seat].script = trial->script;
    orders[trial->seat].standing = trial->standing;
    trial->ruleset->play(trial->cards, state, &(struct resolution){orders, trial->turn, chance, events});
    for (int seat = 1; seat <= SEATS_MAX; seat++)
        script_free(others[seat]);
}

/* One play of the orders. How much luck was in it. */
static size_t try_once(const struct trial *trial, int number, void *state, struct events *events)
{
    const struct seat_orders none[SEATS_MAX + 1] = {{.script = NULL}};
    const struct ruleset *ruleset = trial->ruleset;
    unsigned char seed[HEAD_BYTES + 4];
    struct chance chance;
    memcpy(seed, trial->head, HEAD_BYTES);
    put_le32(seed + HEAD_BYTES, (uint32_t)number);
    chance_seeded(&chance, seed, sizeof seed);
    memcpy(state, trial->state, ruleset->state_size);
    if (ruleset->conceal)
        ruleset->conceal(trial->cards, state, trial->seat, &chance);
    chance.luck = trial->deals; /* what others hold may prevent a deal */
    if (trial->deals)           /* the answers of others are private, and left out */
        ruleset->instant(trial->cards, state, trial->seat, trial->script,
                         &(struct resolution){none, trial->turn, NULL, events});
    if (trial->awaited)
        play(trial, state, &chance, events);
    return chance.luck;
}

/* Counts the outcomes of the lines in ODDS_TRIALS plays. If no luck was involved in the first, all are like it. *unused: what stays so in
 * all of them, a new reference, or NULL. */
static void try_orders(const struct trial *trial, struct tally *tally, json_t **unused)
{
    void *state = mem_alloc(trial->ruleset->state_size);
    struct events events;
    bool differ = true;
    events_init(&events);
    events.fates_only = true;
    for (int number = 0; number < ODDS_TRIALS && differ; number++) {
        events_clear(&events);
        differ = try_once(trial, number, state, &events) > 0 || number > 0;
        count_events(tally, &events, trial->seat, number, differ ? 1 : ODDS_TRIALS);
        if (number == 0)
            *unused = json_incref(events.unused);
        else if (*unused && !json_equal(*unused, events.unused)) {
            json_decref(*unused);
            *unused = NULL;
        }
    }
    events_release(&events);
    free(state);
}

/* The last line before *end with this number that is carried out at once; 0 if there is none. */
static int instant_part(const struct script *script, int64_t number, size_t *end)
{
    for (size_t i = *end; i > 0; i--) {
        if (!script_line_instant(script, i - 1) || script_line(script, i - 1)->number != number)
            continue;
        *end = i - 1;
        return script_line(script, i - 1)->part;
    }
    return 0;
}

/* Lines that were carried out at once have their outcome already: one event each, in written order. */
static void count_instant(const json_t *told, int seat, const struct script *script, struct tally *tally)
{
    size_t end = script_line_count(script);
    for (size_t i = json_array_size(told); i > 0; i--) {
        json_t *event = json_array_get(told, i - 1);
        const char *type = json_string_value(json_object_get(event, "type"));
        enum order_result fate;
        if (!type || !event_fate(slice_of(type), &fate) ||
            json_integer_value(json_object_get(event, "seat")) != seat)
            continue;
        int part = instant_part(script, json_integer_value(json_object_get(event, "line")), &end);
        if (!part)
            break;
        tally[part].result[fate]++;
        if (fate == ORDER_REFUSED && !tally[part].refusal)
            tally[part].refusal = json_incref(event);
    }
}

/* What these words, which name nothing, may have been meant for. */
static bool find_meant(const struct trial *trial, struct slice words, struct meant *meant)
{
    const char *players[SEATS_MAX + 1] = {NULL};
    for (int i = 0; i < SEATS_MAX && *trial->player[i]; i++)
        players[i] = trial->player[i];
    return words.len && name_meant(trial->ruleset, trial->cards, players, words, meant);
}

static void put_meant(const struct trial *trial, json_t *line, struct slice words)
{
    struct meant meant;
    if (find_meant(trial, words, &meant))
        json_object_set_new(line, "meant", json_string(meant.name));
}

/* Refusals that quote words quote what they do not know. */
static void put_refusal(const struct trial *trial, json_t *line, const json_t *refusal)
{
    const char *words = json_string_value(json_object_get(refusal, "words"));
    facts_reason(line, refusal);
    if (words)
        put_meant(trial, line, slice_of(words));
}

/* Of 100, in tens: so few plays tell no more. What happens in some of them is neither certain nor impossible. */
static int about(int times, int of)
{
    const int tens = 10 * ((10 * times + of / 2) / of);
    return tens < 10 ? 5 : tens > 90 ? 95 : tens;
}

static void judge_line(const struct trial *trial, json_t *line, const struct tally *tally, bool awaited)
{
    int done = tally->result[ORDER_DONE];
    int failed = tally->result[ORDER_FAILED];
    int refused = tally->result[ORDER_REFUSED];
    int skipped = tally->result[ORDER_SKIPPED];
    int all = done + failed + refused + skipped;
    if (all == 0 && !awaited) {
        json_object_set_new(line, "waits", json_true());
    } else if (tally->odds && !tally->other_odds && done + failed == all) {
        json_object_set_new(line, "depends", json_pack("{s:O}", "menu", tally->odds));
    } else if (all == 0 || done == all) {
        json_object_set_new(line, "will", json_true());
    } else if (refused == all) {
        json_object_set_new(line, "refused", json_true());
        put_refusal(trial, line, tally->refusal);
    } else if (skipped == all) {
        json_object_set_new(line, "skipped", json_true());
    } else if (done + failed == 0) {
        json_object_set_new(line, "unlikely", json_pack("{s:i,s:i}", "refusals", refused, "of", all));
        put_refusal(trial, line, tally->refusal);
    } else {
        json_object_set_new(line, "depends",
                            json_pack("{s:i,s:b}", "chance", about(done, all), "die", failed > 0));
    }
}

/* That of its first order; NULL: it orders nothing of the turn. */
static const struct verb *verb_of(const struct trial *trial, size_t index)
{
    const struct script_line *line = script_line(trial->script, index);
    return line->kind == LINE_ORDERS && line->verb ? language_verb(trial->ruleset->language, line->verb)
                                                   : NULL;
}

/* Do no other orders of the text run before it, which might change its odds? */
static bool runs_first(const struct trial *trial, size_t index)
{
    const struct verb *own = verb_of(trial, index);
    for (size_t i = 0; own && i < script_line_count(trial->script); i++) {
        const struct verb *other = i == index ? NULL : verb_of(trial, i);
        if (other && !(other->flags & VERB_KEEP) &&
            (other->phase < own->phase || (other->phase == own->phase && i < index)))
            return false;
    }
    return own != NULL;
}

/* Are these the same words, however they are written? */
static bool same_words(struct slice one, struct slice other)
{
    struct word a[WORDS_PER_LINE], b[WORDS_PER_LINE];
    const int count = words_split(one, a, WORDS_PER_LINE);
    int same = 0;
    if (words_split(other, b, WORDS_PER_LINE) != count)
        return false;
    while (same < count && strcmp(a[same].text, b[same].text) == 0)
        same++;
    return same == count;
}

/* "menu": the odds with which the order is suggested, as its note has them, and so that the same are told twice. */
static void put_menu(const struct trial *trial, size_t index, json_t *depends)
{
    struct arena arena = {NULL, NULL, 0};
    if (!runs_first(trial, index))
        return;
    const struct value *form = ruleset_form(trial->ruleset, trial->cards, trial->state, trial->seat, &arena);
    for (const struct value *one = form ? value_first(form) : NULL; one; one = one->next) {
        const struct value *suggested = value_get(one, "line"), *why = value_get(one, "why");
        const struct value *note = why ? value_first(why) : NULL;
        if (!suggested || !note || !(value_get(note, "chance") || value_get(note, "odds")) ||
            !same_words(suggested->text, script_line(trial->script, index)->text))
            continue;
        json_object_set_new(depends, "menu", value_json(why));
        break;
    }
    arena_release(&arena);
}

/* A deal: it has been made, or would be made as soon as the mail is read. What another seat holds may prevent
 * it. */
static void judge_instant(const struct trial *trial, json_t *line, const struct tally *tally)
{
    int done = tally->result[ORDER_DONE];
    int skipped = tally->result[ORDER_SKIPPED];
    if (!trial->told && done)
        json_object_set_new(line, "at_once",
                            json_pack("{s:b}", "maybe", tally->result[ORDER_REFUSED] + skipped > 0));
    else if (done)
        json_object_set_new(line, "done", json_true());
    else
        judge_line(trial, line, tally, true);
}

static void judge_unread(json_t *line, const struct script_line *part)
{
    json_object_set_new(line, "refused", json_true());
    json_object_set(line, "unread", part->why);
}

/* ---- standing lines ---- */

static bool line_refused(const struct trial *trial, size_t index, const struct tally *tally)
{
    const struct script_line *line = script_line(trial->script, index);
    const int *result = tally[line->part].result;
    return line->kind == LINE_ORDERS && !script_line_instant(trial->script, index) && result[ORDER_REFUSED] &&
           !(result[ORDER_DONE] + result[ORDER_FAILED] + result[ORDER_SKIPPED]);
}

/* Not understood, or refused in every play. */
static bool is_wrong_line(const struct trial *trial, size_t index, const struct tally *tally)
{
    return turn_line_unread(script_line(trial->script, index)) || line_refused(trial, index, tally);
}

static bool is_standing(const struct script_line *line)
{
    return line->kind == LINE_ALWAYS || (line->kind == LINE_WHEN && line->rest.len);
}

/* What the WHEN and ALWAYS lines order, a line each, as if it were ordered now; `from`: by line of that
 * script, the line that it comes from. */
static struct script *standing_orders(const struct trial *trial, size_t from[SCRIPT_LINES])
{
    struct str orders = STR_INIT;
    size_t count = 0;
    for (size_t i = 0; i < script_line_count(trial->script); i++) {
        const struct script_line *line = script_line(trial->script, i);
        if (!is_standing(line))
            continue;
        from[count++] = i;
        str_addslice(&orders, line->rest);
        str_addc(&orders, '\n');
    }
    struct script *script = script_parse(slice_str(&orders), trial->ruleset->language);
    str_release(&orders);
    return script;
}

static void try_refused(const struct trial *trial, int first, int most, struct tally *tally);

/* A standing line that names something that there is not is found by playing it now; what only cannot be done
 * at present may be possible when it is due. The refusals go into the tallies of these lines. */
static void try_standing(const struct trial *trial, struct tally *tally)
{
    size_t from[SCRIPT_LINES];
    struct tally now[SCRIPT_LINES + 1];
    if (!trial->awaited)
        return;
    struct script *script = standing_orders(trial, from);
    struct trial apart = *trial;
    apart.script = script;
    apart.deals = false;
    memset(now, 0, sizeof now);
    if (script_line_count(script))
        try_refused(&apart, 0, TRIALS, now);
    for (size_t i = 0; i < script_line_count(script); i++) {
        const int part = script_line(script, i)->part;
        if (line_refused(&apart, i, now) && json_object_get(now[part].refusal, "words"))
            tally[script_line(trial->script, from[script_line(script, i)->number - 1])->part].refusal =
                json_incref(now[part].refusal);
    }
    tally_release(now);
    script_free(script);
}

/* "a", "b" ... of orders that ';' divides on one line, and so have one number; "" of a line that has it alone. */
static void letter_of(const struct script *script, size_t index, char letter[2])
{
    int number = script_line(script, index)->number;
    size_t first = index, end = index + 1;
    while (first > 0 && script_line(script, first - 1)->number == number)
        first--;
    while (end < script_line_count(script) && script_line(script, end)->number == number)
        end++;
    bool alone = end - first == 1 || index - first >= 26;
    letter[0] = alone ? '\0' : (char)('a' + (index - first));
    letter[1] = '\0';
}

/* What a refusal says one has is what is left when its turn comes: "then", for its words. */
static void say_then(json_t *line)
{
    const char *code;
    json_t *params;
    json_object_foreach (json_object_get(line, "why"), code, params)
        json_object_set_new(params, "then", json_true());
}

/* "hangs": {"line": "1"}, the first order before it whose dice decide about it, too: in all trials it was done when that was, and
 * refused or skipped when that failed. */
static void put_hangs(const struct trial *trial, size_t index, const struct tally *tally, json_t *depends)
{
    const struct tally *own = &tally[script_line(trial->script, index)->part];
    const int done = __builtin_popcountll(own->done);
    if (own->result[ORDER_FAILED] || done < SOME || ODDS_TRIALS - done < SOME)
        return;
    for (size_t i = 0; i < index; i++) {
        const struct script_line *before = script_line(trial->script, i);
        const struct tally *other = &tally[before->part];
        char letter[2], name[24];
        if (!other->result[ORDER_FAILED] || other->done != own->done)
            continue;
        letter_of(trial->script, i, letter);
        (void)snprintf(name, sizeof name, "%d%s", before->number, letter);
        json_object_set_new(depends, "hangs", json_pack("{s:s}", "line", name));
        return;
    }
}

/* "pick all; move Verdane": what AUTO would be now. */
static json_t *robot_orders(const struct trial *trial)
{
    struct str orders = STR_INIT;
    (void)turn_robot(&orders, trial->ruleset, &(struct turn_at){trial->cards, trial->state, trial->seat},
                     SIZE_MAX);
    json_t *said = json_text(slice_str(&orders));
    str_release(&orders);
    return said;
}

/* Does a robot play in place of it? */
static bool is_replaced(const struct trial *trial, size_t index)
{
    const unsigned all = script_plays(trial->script), line = script_line_plays(trial->script, index);
    return ((all & PLAYS_AUTO) &&
            (line == PLAYS_ORDERS || script_line(trial->script, index)->kind == LINE_BLOCK)) ||
           ((all & PLAYS_ALWAYS_AUTO) && line == PLAYS_ALWAYS);
}

static json_t *line_facts(const struct trial *trial, size_t index, const struct tally *tally)
{
    const struct script_line *part = script_line(trial->script, index);
    char letter[2];
    letter_of(trial->script, index, letter);
    json_t *line = json_pack("{s:i,s:s,s:O}", "number", part->number, "letter", letter, "text",
                             json_array_get(trial->texts, index));
    if (part->kind == LINE_BAD) {
        judge_unread(line, part);
    } else if (is_replaced(trial, index)) {
        json_object_set_new(line, "replaced", json_true());
    } else if (part->kind == LINE_WHEN || part->kind == LINE_ALWAYS) {
        json_object_set_new(line, "in_force", json_true());
        if (tally[part->part].refusal)
            put_refusal(trial, line, tally[part->part].refusal);
    } else if (part->kind == LINE_ORDERS && script_line_instant(trial->script, index)) {
        judge_instant(trial, line, &tally[part->part]);
    } else if (part->kind == LINE_ORDERS) {
        judge_line(trial, line, &tally[part->part], trial->awaited);
        if (!runs_first(trial, index))
            say_then(line);
        json_t *depends = json_object_get(line, "depends");
        if (depends && !json_object_get(depends, "menu"))
            put_menu(trial, index, depends);
        if (depends && !json_object_get(depends, "menu"))
            put_hangs(trial, index, tally, depends);
    } else if (part->kind == LINE_COMMON && trial->unheard[index]) {
        struct slice rest = part->rest, whom = {"", 0};
        (void)slice_word(&rest, &whom);
        json_object_set_new(line, "unheard", json_true());
        put_meant(trial, line, whom);
    } else if (part->kind == LINE_COMMON && strcmp(part->verb, "auto") == 0 && trial->awaited &&
               trial->ruleset->robot) {
        json_object_set_new(line, "auto", json_pack("{s:o}", "orders", robot_orders(trial)));
    } else {
        json_object_set_new(line, "noted", json_true());
    }
    return line;
}

/* Takes the lines of that fate, which say no more of themselves, out of the list; NULL when there are none. */
static json_t *take_group(json_t *lines, const char *fate)
{
    json_t *group = json_array();
    for (size_t i = 0; i < json_array_size(lines);) {
        json_t *line = json_array_get(lines, i);
        if (json_is_true(json_object_get(line, fate)) && !json_object_get(line, "why")) {
            json_array_append(group, line);
            json_array_remove(lines, i);
        } else {
            i++;
        }
    }
    size_t count = json_array_size(group);
    for (size_t i = 0; i < count; i++)
        json_object_set_new(json_array_get(group, i), "more", json_boolean(i + 1 < count));
    json_t *facts = count ? json_pack("{s:b,s:O}", fate, 1, "lines", group) : NULL;
    json_decref(group);
    return facts;
}

/* Of a long list, lines that have the same fate are told in one sentence. */
static json_t *take_groups(json_t *lines)
{
    static const char *const fates[] = {"will", "skipped", "in_force", "noted", "replaced"};
    json_t *groups = json_array();
    const bool many = json_array_size(lines) > LISTED_LINES;
    for (size_t i = 0; many && i < sizeof fates / sizeof *fates; i++) {
        json_t *group = take_group(lines, fates[i]);
        if (group)
            json_array_append_new(groups, group);
    }
    return groups;
}

bool trial_stands(const struct script *script)
{
    for (size_t i = 0; i < script_line_count(script); i++)
        if (is_standing(script_line(script, i)))
            return true;
    return false;
}

/* Its answer is in the same mail (step_orders.c): it is no order to be listed. */
static bool asks(const struct script_line *line)
{
    static const char *const questions[] = {"help", "rules", "status", "standing"};
    bool is = false;
    for (size_t i = 0; line->kind == LINE_COMMON && i < sizeof questions / sizeof *questions; i++)
        is |= strcmp(line->verb, questions[i]) == 0;
    return is;
}

json_t *trial_facts(const struct trial *trial)
{
    struct tally tally[SCRIPT_LINES + 1];
    json_t *lines = json_array(), *unused = NULL;
    memset(tally, 0, sizeof tally);
    if (trial->state) {
        try_orders(trial, tally, &unused);
        try_standing(trial, tally);
    }
    count_instant(trial->told, trial->seat, trial->script, tally);
    int more = 0;
    for (size_t i = 0; i < script_line_count(trial->script); i++) {
        if (asks(script_line(trial->script, i)))
            continue;
        json_t *line = line_facts(trial, i, tally);
        size_t most = json_object_get(line, "refused") ? 2 * FACTS_QUOTED : FACTS_QUOTED;
        bool shown = json_array_size(lines) < most;
        if (shown)
            json_array_append(lines, line);
        more += !shown;
        json_decref(line);
    }
    tally_release(tally);
    json_t *facts =
        json_pack("{s:b,s:b,s:i,s:b,s:b}", "early", !trial->awaited, "no_lines", json_array_size(lines) == 0,
                  "more_lines", more, "has_more", more > 0, "sets_standing", trial_stands(trial->script));
    if (unused && turn_may_wait(trial->script))
        json_object_set(facts, "unused", unused);
    json_decref(unused);
    facts_refused(facts, lines);
    json_object_set_new(facts, "groups", take_groups(lines));
    json_object_set_new(facts, "lines", lines);
    return facts;
}

/* ---- what is wrong with a text ---- */

#define BUSY_TRIALS 8

/* Has a line met nothing but refusals so far? */
static bool any_refused(const struct trial *trial, const struct tally *tally)
{
    for (size_t i = 0; i < script_line_count(trial->script); i++)
        if (line_refused(trial, i, tally))
            return true;
    return false;
}

/* Plays at most `most` times, as long as some line was refused every time: most texts are played once. */
static void try_refused(const struct trial *trial, int first, int most, struct tally *tally)
{
    void *state = mem_alloc(trial->ruleset->state_size);
    struct events events;
    bool differ = true;
    events_init(&events);
    events.fates_only = true;
    for (int i = 0; i < most && differ; i++) {
        events_clear(&events);
        differ = try_once(trial, first + i, state, &events) > 0 || i > 0;
        count_events(tally, &events, trial->seat, first + i, 1);
        differ = differ && any_refused(trial, tally);
    }
    events_release(&events);
    free(state);
}

/* What the others do may matter where no luck does, so that has plays of its own. */
static void try_wrong(struct trial *trial, struct tally *tally)
{
    try_refused(trial, 0, TRIALS, tally);
    if (!trial->ruleset->robot || !any_refused(trial, tally))
        return;
    trial->busy = true;
    if (trial->ruleset->awaits(trial->state) & ~SEAT_BIT(trial->seat))
        try_refused(trial, TRIALS, BUSY_TRIALS, tally);
}

json_t *trial_wrong(const struct game *game, int seat, const struct script *script, bool unread)
{
    struct trial trial;
    struct tally tally[SCRIPT_LINES + 1];
    json_t *lines = json_array();
    memset(tally, 0, sizeof tally);
    trial_init(&trial, game, seat, script, NULL);
    if (trial.awaited && !unread)
        try_wrong(&trial, tally);
    for (size_t i = 0; i < script_line_count(script) && json_array_size(lines) < FACTS_QUOTED; i++)
        if (is_wrong_line(&trial, i, tally))
            json_array_append_new(lines, line_facts(&trial, i, tally));
    tally_release(tally);
    trial_release(&trial);
    return lines;
}

/* ---- mistyped names ---- */

#define MENDS 5 /* of one text */

/* Where these words are in an order, after its verb; length 0: nowhere. */
static struct slice find_words(struct slice order, struct slice words, int count)
{
    struct word typed[WORDS_PER_LINE], wrong[WORDS_PER_LINE];
    const int all = words_split(order, typed, WORDS_PER_LINE);
    if (words_split(words, wrong, WORDS_PER_LINE) < count)
        return (struct slice){"", 0};
    for (int at = 1; at + count <= all; at++) {
        int same = 0;
        while (same < count && strcmp(typed[at + same].text, wrong[same].text) == 0)
            same++;
        const struct slice first = typed[at].raw, last = typed[at + count - 1].raw;
        if (same == count)
            return (struct slice){first.p, (size_t)(last.p + last.len - first.p)};
    }
    return (struct slice){"", 0};
}

/* The line with what was meant in the place of words that name nothing. False: they are not found in it. */
static bool mend_line(struct str *out, struct slice line, struct slice words, const struct meant *meant)
{
    struct slice found = {"", 0};
    for (size_t from = 0, len; !found.len && from < line.len; from += len + 1) {
        const struct slice rest = slice_sub(line, from, line.len);
        len = slice_find(rest, ";");
        len = len < rest.len ? len : rest.len;
        found = find_words(slice_sub(rest, 0, len), words, meant->words);
    }
    if (found.len)
        str_addf(out, "%.*s%s%.*s", (int)(found.p - line.p), line.p, meant->name,
                 (int)((size_t)(line.p + line.len - found.p) - found.len), found.p + found.len);
    return found.len > 0;
}

/* The words that the refusal of a line quotes, as they name nothing; "" where it quotes none. */
static struct slice misspelt(const struct trial *trial, size_t index, const struct tally *tally)
{
    const struct script_line *line = script_line(trial->script, index);
    const json_t *words = json_object_get(tally[line->part].refusal, "words");
    const bool wrong = is_standing(line) || line_refused(trial, index, tally);
    return slice_of(wrong && words ? json_string_value(words) : "");
}

/* A line with misspelt words and what they are meant for. */
struct mend {
    bool wrong; /* some line is */
    int number; /* of the line; 0: there is none */
    char words[sizeof((struct refusal *)NULL)->param->text];
    struct meant meant;
};

static void find_mend(const struct game *game, int seat, struct slice orders, struct mend *mend)
{
    struct str named = STR_INIT;
    struct trial trial;
    struct tally tally[SCRIPT_LINES + 1];
    memset(tally, 0, sizeof tally);
    turn_names(&named, game, orders);
    struct script *script = script_parse(slice_str(&named), game->ruleset->language);
    trial_init(&trial, game, seat, script, NULL);
    if (trial.awaited) {
        try_wrong(&trial, tally);
        try_standing(&trial, tally);
    }
    mend->number = 0;
    mend->wrong = false;
    for (size_t i = 0; i < script_line_count(script); i++)
        mend->wrong |= is_wrong_line(&trial, i, tally);
    for (size_t i = 0; i < script_line_count(script) && !mend->number; i++) {
        const struct slice words = misspelt(&trial, i, tally);
        if (!words.len || !find_meant(&trial, words, &mend->meant))
            continue;
        mend->number = script_line(script, i)->number;
        (void)snprintf(mend->words, sizeof mend->words, "%.*s", (int)words.len, words.p);
    }
    tally_release(tally);
    trial_release(&trial);
    script_free(script);
    str_release(&named);
}

/* False: nothing could be mended. */
static bool mend_once(const struct mend *mend, struct str *orders)
{
    struct slice rest = slice_str(orders), line;
    struct str mended = STR_INIT;
    bool done = false;
    for (int number = 1; mend->number && slice_line(&rest, &line); number++) {
        if (number == mend->number)
            done = mend_line(&mended, line, slice_of(mend->words), &mend->meant);
        if (number != mend->number || !done)
            str_addslice(&mended, line);
        str_addc(&mended, '\n');
    }
    if (done) {
        str_clear(orders);
        str_addslice(orders, slice_str(&mended));
    }
    str_release(&mended);
    return done;
}

bool trial_mended(const struct game *game, int seat, struct slice orders, struct str *out)
{
    struct mend mend;
    int mended = 0;
    str_addslice(out, orders);
    find_mend(game, seat, slice_str(out), &mend);
    while (mended < MENDS && mend_once(&mend, out)) {
        mended++;
        find_mend(game, seat, slice_str(out), &mend);
    }
    return mended && !mend.number && !mend.wrong;
}

/* ---- the lines that are right ---- */

/* Is the line with this number among the wrong ones? */
static bool is_wrong(const json_t *wrong, int number)
{
    size_t i;
    json_t *line;
    json_array_foreach (wrong, i, line)
        if (json_integer_value(json_object_get(line, "number")) == number)
            return true;
    return false;
}

/* Drops what is wrong; without it another line may be. False when nothing was. */
static bool drop_wrong(const struct game *game, int seat, struct str *orders)
{
    struct script *script = script_parse(slice_str(orders), game->ruleset->language);
    json_t *wrong = trial_wrong(game, seat, script, false);
    struct str right = STR_INIT;
    for (size_t i = 0; i < script_line_count(script); i++) {
        const struct script_line *line = script_line(script, i);
        if (is_wrong(wrong, line->number))
            continue;
        str_addslice(&right, line->text);
        str_addc(&right, '\n');
    }
    bool dropped = json_array_size(wrong) > 0;
    str_clear(orders);
    str_addslice(orders, slice_str(&right));
    str_release(&right);
    json_decref(wrong);
    script_free(script);
    return dropped;
}

void trial_right(const struct game *game, int seat, struct slice orders, struct str *out)
{
    struct str lines = STR_INIT;
    str_addslice(&lines, orders);
    while (drop_wrong(game, seat, &lines))
        continue;
    str_addslice(out, slice_str(&lines));
    str_release(&lines);
}

void trial_add(json_t *facts, const struct game *game, int seat, const struct script *script,
               const json_t *told)
{
    struct trial trial;
    trial_init(&trial, game, seat, script, told);
    json_object_update_new(facts, trial_facts(&trial));
    trial_release(&trial);
}
