#include "game/turn.h"

#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#include "base/encode.h"
#include "base/json.h"
#include "base/mem.h"
#include "game/seating.h"
#include "game/view.h"
#include "rules/say.h"

static const char dice_prefix[] = "turnpost/dice";

void turn_result_release(struct turn_result *result)
{
    free(result->state);
    events_release(&result->events);
    json_decref(result->all_events);
    for (int seat = 0; seat <= SEATS_MAX; seat++)
        view_drop(result->view[seat]);
    sodium_memzero(result, sizeof *result);
}

void turn_trace_release(struct turn_trace *trace)
{
    chance_trace_release(&trace->draws);
    event_watch_release(&trace->states);
}

void turn_marks(const struct game *game, unsigned char marks[SEATS_MAX + 1][SEAL_BYTES])
{
    if (game->turn == 0) {
        seating_marks(game, marks);
        return;
    }
    uint32_t awaited = game->ruleset->awaits(game->state);
    memset(marks, 0, (size_t)(SEATS_MAX + 1) * SEAL_BYTES);
    for (int seat = 1; seat <= game->seats; seat++) {
        const struct game_orders *orders = &game->seat[seat].orders;
        if ((awaited & SEAT_BIT(seat)) && orders->in && !orders->set && !game->seat[seat].robot)
            memcpy(marks[seat], orders->seal, SEAL_BYTES);
    }
}

json_t *turn_seals(const struct game *game)
{
    static const unsigned char none[SEAL_BYTES] = {0};
    unsigned char marks[SEATS_MAX + 1][SEAL_BYTES];
    json_t *list = json_array();
    turn_marks(game, marks);
    for (int seat = 1; seat <= game->seats; seat++) {
        char hex[2 * SEAL_BYTES + 1] = "";
        if (memcmp(marks[seat], none, SEAL_BYTES) != 0)
            hex_to(hex, marks[seat], SEAL_BYTES);
        json_array_append_new(list, json_string(hex));
    }
    return list;
}

static json_t *set_seats(const struct game *game)
{
    uint32_t awaited = game->turn ? game->ruleset->awaits(game->state) : 0;
    json_t *list = json_array();
    for (int seat = 1; seat <= game->seats; seat++) {
        const struct game_seat *who = &game->seat[seat];
        if ((awaited & SEAT_BIT(seat)) && !who->robot && who->orders.in && who->orders.set)
            json_array_append_new(list, json_integer(seat));
    }
    return list;
}

json_t *turn_close(const struct game *game)
{
    char deal[2 * GAME_DEAL + 1];
    json_t *fields = json_pack("{s:o}", "seals", turn_seals(game));
    hex_to(deal, game->draws.deal, GAME_DEAL);
    json_object_update_new(fields, json_pack("{s:o,s:s,s:i}", "set", set_seats(game), "deal", deal,
                                             "rollbacks", game->draws.rollbacks));
    return fields;
}

static void add_number(struct str *out, int number)
{
    unsigned char bytes[4];
    put_le32(bytes, (uint32_t)number);
    str_add(out, bytes, sizeof bytes);
}

void turn_alpha_of(struct str *out, const struct alpha_parts *parts)
{
    str_add(out, dice_prefix, sizeof dice_prefix);
    str_add(out, parts->create, HEAD_BYTES);
    str_add(out, parts->deal, GAME_DEAL);
    add_number(out, parts->rollbacks);
    add_number(out, parts->turn);
    add_number(out, parts->seats);
    str_add(out, parts->marks, (size_t)parts->seats * SEAL_BYTES);
}

void turn_alpha(struct str *out, const struct game *game)
{
    unsigned char marks[SEATS_MAX + 1][SEAL_BYTES] = {{0}};
    if (game->closed)
        memcpy(marks, game->close.marks, sizeof marks);
    else
        turn_marks(game, marks);
    const struct alpha_parts parts = {game_root(game), game->draws.deal, game->draws.rollbacks,
                                      game->turn,      game->seats,      marks[1]};
    turn_alpha_of(out, &parts);
}

/* NULL when the ruleset has no robot: the safe default turn. */
static struct script *robot_script(const struct game *game, int seat)
{
    struct str text = STR_INIT;
    if (!game->ruleset->robot)
        return NULL;
    game->ruleset->robot(game->cards, game->state, seat, &text);
    struct script *script = script_parse(slice_str(&text), game->ruleset->language);
    str_release(&text);
    return script;
}

bool turn_wants_robot(const struct script *script)
{
    for (size_t i = 0; i < script_line_count(script); i++) {
        const struct script_line *line = script_line(script, i);
        if (line->kind == LINE_COMMON && strcmp(line->verb, "auto") == 0)
            return true;
    }
    return false;
}

/* The ALWAYS lines of a seat whose player sent nothing; NULL when there are none. */
static struct script *always_script(const struct game_seat *who, const struct language *language)
{
    struct script *script = NULL;
    struct str text = STR_INIT;
    standing_always(&text, slice_str(&who->standing), language);
    if (text.len)
        script = script_parse(slice_str(&text), language);
    str_release(&text);
    return script;
}

/* The robot decides for the seat; not when late, as by known dice no orders are exchanged. */
static bool robot_sits(const struct game_seat *who)
{
    return who->robot && !who->late;
}

/* As turn_orders; *sent is what the player wrote (the result, if that is what the seat plays), or NULL. */
static struct script *seat_orders(const struct game *game, int seat, bool *missed, struct script **sent)
{
    const struct game_seat *who = &game->seat[seat];
    *missed = false;
    *sent = NULL;
    if (!(game->ruleset->awaits(game->state) & SEAT_BIT(seat)))
        return NULL;
    struct script *own =
        who->orders.in ? script_parse(slice_str(&who->orders.text), game->ruleset->language) : NULL;
    *sent = own;
    if (robot_sits(who) || (own && turn_wants_robot(own)))
        return robot_script(game, seat);
    if (own)
        return own;
    *missed = true;
    struct script *script = always_script(who, game->ruleset->language);
    bool robot = script ? turn_wants_robot(script) : game_robot_stands_in(game, seat);
    if (!robot)
        return script;
    script_free(script);
    return robot_script(game, seat);
}

struct script *turn_orders(const struct game *game, int seat, bool *missed)
{
    struct script *sent;
    struct script *script = seat_orders(game, seat, missed, &sent);
    if (sent != script)
        script_free(sent);
    return script;
}

static bool in_name(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' ||
           c == '_' || c == '-';
}

bool turn_name_taken(const struct ruleset *ruleset, const void *cards, const char *name)
{
    return *name && ruleset->words.names_players &&
           (language_has_word(ruleset->language, name) ||
            (ruleset->words.own && ruleset->words.own(cards, name)));
}

static int seat_named(const struct game *game, struct slice word)
{
    for (int seat = 1; seat <= game->seats; seat++)
        if (word.len && slice_caseeq(word, game->seat[seat].player))
            return turn_name_taken(game->ruleset, game->cards, game->seat[seat].player) ? 0 : seat;
    return 0;
}

void turn_names(struct str *out, const struct game *game, struct slice body)
{
    struct slice line;
    if (!game->ruleset->words.names_players) {
        str_addslice(out, body);
        return;
    }
    while (slice_line(&body, &line)) {
        bool said = slice_casestarts(slice_trim(line), "say ");
        while (line.len) {
            size_t len = 0;
            while (len < line.len && in_name(line.p[len]))
                len++;
            int seat = said ? 0 : seat_named(game, slice_sub(line, 0, len));
            if (seat)
                str_addf(out, "P%d", seat);
            else
                str_add(out, line.p, len ? len : 1);
            line = slice_sub(line, len ? len : 1, line.len);
        }
        str_addc(out, '\n');
    }
}

/* "p3" -> 3, if its player can be named; else 0. */
static int seat_spelled(const struct game *game, struct slice word)
{
    const int seat = word.len == 2 && ascii_lower(word.p[0]) == 'p' ? word.p[1] - '0' : 0;
    return seat >= 1 && seat <= game->seats && seat_named(game, slice_of(game->seat[seat].player)) == seat
               ? seat
               : 0;
}

void turn_spell(struct str *out, const struct game *game, struct slice order)
{
    while (order.len) {
        size_t len = 0;
        while (len < order.len && in_name(order.p[len]))
            len++;
        int seat = game->ruleset->words.names_players ? seat_spelled(game, slice_sub(order, 0, len)) : 0;
        if (seat)
            str_adds(out, game->seat[seat].player);
        else
            str_add(out, order.p, len ? len : 1);
        order = slice_sub(order, len ? len : 1, order.len);
    }
}

int turn_line(struct slice text)
{
    struct slice line, word;
    int number = 0;
    if (!slice_line(&text, &line) || !slice_word(&line, &word) || !slice_caseeq(word, "turn") ||
        !slice_word(&line, &word))
        return 0;
    for (size_t i = 0; i < word.len; i++) {
        if (word.p[i] < '0' || word.p[i] > '9' || number > 9999)
            return 0;
        number = number * 10 + (word.p[i] - '0');
    }
    return slice_word(&line, &word) ? 0 : number;
}

static bool was_refused(const struct events *events, int seat)
{
    for (size_t i = 0; i < events->count; i++)
        if (events->list[i].seat == seat && slice_eq(events->list[i].type, "refused"))
            return true;
    return false;
}

bool turn_goes_on(const struct game *game, int seat, const struct events *events)
{
    const struct game_orders *orders = &game->seat[seat].orders;
    return orders->in && turn_line(slice_str(&orders->later)) == game->turn + 1 && !was_refused(events, seat);
}

uint32_t turn_missing(const struct game *game, const struct turn_result *result)
{
    uint32_t wanted = game->ruleset->awaits(result->state);
    uint32_t played = game->turn ? game->ruleset->awaits(game->state) : EVENT_PUBLIC;
    uint32_t missing = 0;
    for (int seat = 1; seat <= game->seats; seat++) {
        int from = game->turn ? seat : result->from[seat];
        const struct game_orders *orders = &game->seat[seat].orders;
        bool settled = orders->in && !orders->waits && !orders->question;
        bool waits = game->ruleset->early && settled && !(played & SEAT_BIT(seat));
        if ((wanted & SEAT_BIT(seat)) && !game->seat[from].robot && !waits &&
            !turn_goes_on(game, seat, &result->events))
            missing |= SEAT_BIT(seat);
    }
    return missing;
}

struct slice turn_block(struct slice body, int turn, struct slice *rest)
{
    struct slice left = body;
    struct slice line;
    size_t end = body.len;
    *rest = (struct slice){NULL, 0};
    while (left.len) {
        int number = turn_line(left);
        if (number && number != turn) {
            end = body.len - left.len;
            *rest = left;
            break;
        }
        (void)slice_line(&left, &line);
    }
    return slice_sub(body, 0, end);
}

static enum content line_content(const struct script_line *line)
{
    static const char *const orders[] = {"auto", "resign", NULL};
    static const char *const others[] = {"cancel", "say", NULL};
    if (line->kind == LINE_ORDERS)
        return CONTENT_ORDERS;
    if (line->kind == LINE_WHEN || line->kind == LINE_ALWAYS)
        return CONTENT_STANDING;
    if (line->kind != LINE_COMMON)
        return CONTENT_NOTHING;
    for (int i = 0; orders[i]; i++)
        if (strcmp(line->verb, orders[i]) == 0)
            return CONTENT_ORDERS;
    for (int i = 0; others[i]; i++)
        if (strcmp(line->verb, others[i]) == 0)
            return CONTENT_STANDING;
    return CONTENT_NOTHING;
}

#define SAID_MAX 65536 /* bytes of a seat's messages between two turns; any more are lost */

int turn_robot(struct str *orders, const struct ruleset *ruleset, const struct turn_at *at, size_t most)
{
    struct str lines = STR_INIT;
    struct slice rest, line;
    const size_t begin = orders->len;
    int left = 0;
    ruleset->robot(at->cards, at->state, at->seat, &lines);
    rest = slice_str(&lines);
    while (slice_line(&rest, &line)) {
        line = slice_trim(line);
        if (line.len && (left || orders->len - begin + line.len > most))
            left++;
        else if (line.len)
            str_addf(orders, "%s%.*s", orders->len > begin ? "; " : "", (int)line.len, line.p);
    }
    if (orders->len == begin)
        str_adds(orders, "pass");
    str_release(&lines);
    return left;
}

void turn_said(struct str *said, const struct script *script)
{
    for (size_t i = 0; i < script_line_count(script); i++) {
        const struct script_line *line = script_line(script, i);
        if (line->kind != LINE_COMMON || strcmp(line->verb, "say") != 0 ||
            said->len + line->text.len >= SAID_MAX)
            continue;
        str_addslice(said, line->text);
        str_addc(said, '\n');
    }
}

enum content turn_content(const struct script *script)
{
    enum content content = CONTENT_NOTHING;
    for (size_t i = 0; i < script_line_count(script); i++) {
        enum content line =
            script_line_instant(script, i) ? CONTENT_STANDING : line_content(script_line(script, i));
        if (line > content)
            content = line;
    }
    return content;
}

bool turn_line_unread(const struct script_line *line)
{
    struct slice rest = line->text, word;
    return line->kind == LINE_BAD && slice_word(&rest, &word) && !slice_caseeq(word, "when") &&
           !slice_caseeq(word, "always");
}

bool turn_may_wait(const struct script *script)
{
    for (size_t i = 0; i < script_line_count(script); i++) {
        const struct script_line *line = script_line(script, i);
        if (line->kind == LINE_COMMON &&
            (strcmp(line->verb, "auto") == 0 || strcmp(line->verb, "resign") == 0))
            return false;
    }
    return turn_content(script) == CONTENT_ORDERS;
}

struct script *turn_next_orders(const struct game *game, int seat)
{
    struct slice rest;
    return script_parse(turn_block(slice_str(&game->seat[seat].orders.later), game->turn + 1, &rest),
                        game->ruleset->language);
}

static void watch_script(struct script *script, int seat, struct events *events)
{
    if (events->watch)
        script_watch(script, seat, &events->watch->now);
}

void turn_instant(const struct game *game, int seat, void *state, struct events *events)
{
    struct seat_orders orders[SEATS_MAX + 1] = {{.script = NULL}};
    struct script *standing[SEATS_MAX + 1] = {NULL};
    struct script *script = script_parse(slice_str(&game->seat[seat].instant), game->ruleset->language);
    watch_script(script, seat, events);
    for (int other = 1; other <= game->seats; other++) {
        orders[other].standing = standing[other] = turn_standing(game, other);
        watch_script(standing[other], other, events);
    }
    game->ruleset->instant(game->cards, state, seat, script,
                           &(struct resolution){orders, game->turn, NULL, events});
    for (int other = 1; other <= game->seats; other++)
        script_free(standing[other]);
    script_free(script);
}

struct script *turn_standing(const struct game *game, int seat)
{
    const struct str *standing = &game->seat[seat].standing;
    return standing->len ? script_parse(slice_str(standing), game->ruleset->language) : NULL;
}

/* Names first: the words of SAY are replayed, and hashed. New players cannot have such a name. */
/* "bob:" */
static struct slice without_sign(struct slice whom)
{
    while (whom.len && strchr(":,;", whom.p[whom.len - 1]))
        whom.len--;
    return whom;
}

bool turn_tells_all(struct slice whom)
{
    return slice_caseeq(without_sign(whom), "all");
}

int turn_seat_told(const struct game *game, struct slice whom)
{
    whom = without_sign(whom);
    for (int seat = 1; seat <= game->seats; seat++)
        if (slice_caseeq(whom, game->seat[seat].player))
            return seat;
    bool code = whom.len == 2 && (whom.p[0] == 'p' || whom.p[0] == 'P') && whom.p[1] > '0';
    return code && whom.p[1] - '0' <= game->seats ? whom.p[1] - '0' : 0;
}

/* "SAY ALL text", "SAY bob: text": press, delivered with the report. It is taken from the player's own text,
 * even where a robot gives the orders (AUTO). */
static void add_press(const struct game *game, int seat, const struct script *script, bool orders,
                      struct events *events)
{
    for (size_t i = 0; i < script_line_count(script); i++) {
        const struct script_line *line = script_line(script, i);
        if (line->kind != LINE_COMMON || strcmp(line->verb, "say") != 0)
            continue;
        struct slice rest = line->rest;
        struct slice whom;
        if (!slice_word(&rest, &whom))
            continue;
        whom = without_sign(whom);
        int to = turn_seat_told(game, whom);
        bool all = turn_tells_all(whom);
        uint32_t visible = all ? EVENT_PUBLIC : SEAT_BIT(seat) | (to ? SEAT_BIT(to) : 0);
        char *text = slice_dup(slice_trim(rest));
        const struct script_now before = script_watch_line(script, line);
        char *name = all || to ? NULL : slice_dup(whom);
        say_to(events, visible, seat, "",
               name ? "unheard text=%s to_seat+=%d name+=%s" : "said text=%s to_seat+=%d name+=%s", text, to,
               name);
        script_watch_again(script, before);
        events->list[events->count - 1].line = orders ? line->number : 0;
        free(name);
        free(text);
    }
}

/* The messages that came without orders. */
static void add_said(const struct game *game, int seat, struct events *events)
{
    const struct str *said = &game->seat[seat].said;
    if (!said->len)
        return;
    struct script *script = script_parse(slice_str(said), game->ruleset->language);
    add_press(game, seat, script, false, events);
    script_free(script);
}

static void play_seats(const struct game *game, struct turn_result *result)
{
    struct seat_orders orders[SEATS_MAX + 1] = {{.script = NULL}};
    struct script *scripts[SEATS_MAX + 1] = {NULL};
    struct script *sent[SEATS_MAX + 1] = {NULL};
    struct script *standing[SEATS_MAX + 1] = {NULL};
    for (int seat = 1; seat <= game->seats; seat++) {
        scripts[seat] = seat_orders(game, seat, &orders[seat].missed, &sent[seat]);
        standing[seat] = turn_standing(game, seat);
        orders[seat].robot = robot_sits(&game->seat[seat]);
        orders[seat].script = scripts[seat];
        orders[seat].standing = standing[seat];
        watch_script(scripts[seat], seat, &result->events);
        watch_script(sent[seat], seat, &result->events);
        watch_script(standing[seat], seat, &result->events);
    }
    game->ruleset->play(game->cards, result->state,
                        &(struct resolution){orders, game->turn, &result->chance, &result->events});
    event_rest(&result->events); /* messages change nothing */
    for (int seat = 1; seat <= game->seats; seat++) {
        if (sent[seat])
            add_press(game, seat, sent[seat], true, &result->events);
        add_said(game, seat, &result->events);
        if (sent[seat] != scripts[seat])
            script_free(sent[seat]);
        script_free(scripts[seat]);
        script_free(standing[seat]);
    }
}

static void digest_text(unsigned char digest[32], const struct str *text)
{
    crypto_generichash(digest, 32, (const unsigned char *)text->p, text->len, NULL, 0);
}

void turn_events_digest(unsigned char digest[32], const struct events *events)
{
    struct str text = STR_INIT;
    events_write(&text, events, -1);
    digest_text(digest, &text);
    str_release(&text);
}

void turn_told(struct str *text, const struct turn_result *result, int seat)
{
    str_adds(text, "{\"events\":");
    events_write(text, &result->events, seat);
    str_adds(text, ",\"view\":");
    value_write(text, result->view[seat]->root);
    str_addc(text, '}');
}

static void tell_seat(const struct game *game, int seat, struct str *text, struct turn_result *result)
{
    result->view[seat] = view_make(game->ruleset, game->cards, result->state, seat);
    str_clear(text);
    turn_told(text, result, seat);
    digest_text(result->told[seat], text);
}

void turn_play(const struct game *game, const struct chance *chance, struct turn_result *result)
{
    turn_play_traced(game, chance, NULL, result);
}

static void deal(const struct game *game, struct turn_result *result)
{
    struct wish_list wishes[SEATS_MAX + 1] = {{{0}}};
    seating_draw(game, &result->chance, result->from);
    for (int seat = 1; seat <= game->seats; seat++)
        wishes[seat] = game->seat[result->from[seat]].wishes;
    game->ruleset->deal(game->cards, result->state, wishes, &result->chance, &result->events);
}

void turn_play_traced(const struct game *game, const struct chance *chance, struct turn_trace *trace,
                      struct turn_result *result)
{
    struct str text = STR_INIT;
    const struct ruleset *ruleset = game->ruleset;
    memset(result, 0, sizeof *result);
    events_init(&result->events);
    result->chance = *chance;
    result->state = mem_copy(game->state, ruleset->state_size);
    if (trace) {
        result->chance.trace = &trace->draws;
        event_watch_start(&trace->states, result->state, ruleset->state_size, &result->events);
    }

    if (game->turn == 0)
        deal(game, result);
    else
        play_seats(game, result);

    result->chance.trace = NULL;
    result->events.watch = NULL;
    fields_digest(ruleset->fields, result->state, result->state_digest);
    result->all_events = events_json(&result->events, -1);
    turn_events_digest(result->events_digest, &result->events);
    for (int seat = 1; seat <= game->seats; seat++)
        if (!game->seat[seat].robot)
            tell_seat(game, seat, &text, result);
    str_release(&text);
}

bool turn_outranks(const struct game_orders *in_force, const struct turn_rank *newer)
{
    if (!in_force->in || in_force->set)
        return false;
    if (in_force->by_mail != newer->by_mail)
        return newer->by_mail;
    if (newer->by_mail)
        return newer->written < in_force->written ||
               (newer->written == in_force->written && newer->seq < in_force->seq);
    return in_force->seq && newer->seq <= in_force->seq;
}
