#include "game/apply_parts.h"

#include <assert.h>
#include <string.h>

#include "base/clock.h"
#include "base/encode.h"
#include "game/game_seats.h"
#include "game/record_kinds.h"
#include "game/seating.h"
#include "game/told.h"
#include "game/turn.h"
#include "game/vouched.h"
#include "game/witness.h"
#include "game/moments.h"
#include "trust/canon.h"

/* ---- orders, close ---- */

/* A text may wait if it holds orders for the turn, and does not say that they are final. */
static bool may_wait(const struct applying *a, const struct game_seat *seat, const struct frame *frame)
{
    const json_t *waits = json_object_get(a->record->json, "waits");
    return !waits || (json_is_true(waits) && a->game->clock.typo_wait && !frame->final && seat->orders.in &&
                      seat->orders.record == a->record->seq);
}

/* *named: the time of the record whose head the text names. */
static int take_text(struct applying *a, struct game_seat *seat, const char *exact,
                     const unsigned char seal[SEAL_BYTES], int64_t *named, struct err *err)
{
    struct game *game = a->game;
    struct str text = STR_INIT, body = STR_INIT;
    struct frame frame;
    unsigned char digest[32];
    canon_text(&text, slice_of(exact));
    int rc = frame_parse(slice_str(&text), &frame, err);
    if (rc == 0)
        rc = frame_spread(&frame, &body, err);
    if (rc == 0) {
        apply_lines(a, seat, &frame, frame.body, seal);
        game_text_digest(digest, game, (int)(seat - game->seat), slice_str(&text));
        apply_mark(&game->seen.texts, game->turn, digest);
        *named = game_head_time(game, frame.head);
        if (!may_wait(a, seat, &frame))
            rc = apply_broken(a, err, "it waits for a better text, and its own is none that could");
    }
    str_release(&text);
    str_release(&body);
    return rc;
}

/* Of a text that the league has made of a mail: is it the one to which the record binds it? */
static bool is_made(const struct applying *a, const json_t *payload)
{
    unsigned char made[SEAL_BYTES], named[SEAL_BYTES];
    if (!json_object_get(a->record->json, "vouched"))
        return !json_object_get(a->record->json, "made");
    return seal_made(made, payload) && apply_hex(a, "made", named, SEAL_BYTES) &&
           memcmp(made, named, SEAL_BYTES) == 0;
}

/* Who vouches for the orders that were just taken, if no key does. `named`: when the record was made that they
 * answer. */
static int take_voucher(struct applying *a, struct game_seat *seat, int64_t named, struct err *err)
{
    json_t *json = json_object_get(a->record->json, "vouched");
    struct vouched vouched;
    bool in = seat->orders.in && seat->orders.record == a->record->seq;
    if (json && (!game_takes_mail(a->game, (int)(seat - a->game->seat)) || !vouched_read(json, &vouched)))
        return apply_broken(a, err,
                            "a mail domain vouches for it, which cannot be read or does not count here");
    if (json && (vouched.arrived < named || vouched.arrived > a->record->time))
        return apply_broken(a, err, "its mail came before what it answers, or after its record");
    if (in) {
        seat->orders.by_mail = json != NULL;
        seat->orders.written = json ? vouched_written(vouched.sent, vouched.arrived, named) : 0;
        seat->orders.vouched = json_incref(json);
    }
    return 0;
}

int apply_orders(struct applying *a, struct err *err)
{
    struct game *game = a->game;
    struct game_seat *seat = apply_seat_of(a, err);
    unsigned char mail[32], seal[SEAL_BYTES];
    int64_t turn, named = 0;
    if (!seat || json_need_int(a->record->json, "turn", 1, 9999, &turn, "orders", err))
        return -1;
    if (turn != game->turn || game->over || game->closed)
        return apply_broken(a, err, "orders for a turn that is not open");
    int number = (int)(seat - game->seat);
    json_t *payload = apply_signed(a, number, number, seal);
    if (!payload || !apply_hex(a, "mail", mail, 32)) {
        json_decref(payload);
        return apply_broken(a, err, "what its seal covers is not in its box, or there is no key to it");
    }
    const char *exact = json_string_value(json_object_get(payload, "text"));
    int rc = exact && is_made(a, payload)
                 ? take_text(a, seat, exact, seal, &named, err)
                 : apply_broken(a, err, "no text, or one that was not made of the mail that it names");
    if (rc == 0)
        rc = take_voucher(a, seat, named, err);
    if (rc == 0 && exact) {
        seat->texts++;
        seat->text_bytes += (int64_t)strlen(exact);
        apply_mark(&game->seen.mails, game->turn, mail);
    }
    json_decref(payload);
    return rc;
}

/* Does the record name what the draws of the open turn follow from? */
static bool close_fits(const struct applying *a)
{
    static const char *const members[] = {"seals", "set", "deal", "rollbacks"};
    json_t *fields = turn_close(a->game);
    bool fits = true;
    for (size_t i = 0; i < sizeof members / sizeof *members; i++) {
        const json_t *want = json_object_get(fields, members[i]);
        const json_t *named = json_object_get(a->record->json, members[i]);
        fits = fits && (want ? json_equal(want, named) : !named);
    }
    json_decref(fields);
    return fits;
}

int apply_close(struct applying *a, struct err *err)
{
    struct game *game = a->game;
    const json_t *missed = json_object_get(a->record->json, "missed");
    uint32_t awaited = game_awaited(game);
    uint32_t missing = game_missing(game);
    uint32_t named = 0;
    size_t i;
    json_t *item;
    if (game->closed)
        return apply_broken(a, err, "the turn is closed already");
    if (!close_fits(a))
        return apply_broken(a, err, "the seals are not those of the orders in force");
    turn_marks(game, game->close.marks);
    json_array_foreach (missed, i, item)
        named |= json_integer_value(item) >= 1 && json_integer_value(item) <= game->seats
                     ? SEAT_BIT(json_integer_value(item))
                     : 0;
    if (named != missing)
        return apply_broken(a, err,
                            "the seats it says missed the turn are not those whose orders are missing");
    game->close.awaited = awaited;
    game->close.missed = missing;
    for (int seat = 1; seat <= game->seats; seat++) {
        struct game_seat *who = &game->seat[seat];
        bool late = missing & SEAT_BIT(seat);
        game->close.missed_before[seat] = who->missed;
        if (!(awaited & SEAT_BIT(seat)))
            continue;
        struct game_tally *tally = apply_tally(game, who->player);
        tally->awaited++;
        tally->missed += late;
        who->missed = late ? who->missed + 1 : 0;
        if (!late)
            str_clear(&who->asked);
    }
    settle_away(game, a->record->time);
    witness_close(game, a->record, game->journal.length);
    return 0;
}

/* ---- start, turn ---- */

static int read_hidden(struct applying *a, struct chance *chance, struct err *err)
{
    size_t i;
    json_t *item;
    json_array_foreach (json_object_get(a->record->json, "hidden"), i, item) {
        unsigned char seal[SEAL_BYTES];
        const struct sealed *sealed =
            apply_payload(a, 0, SEAL_HIDDEN + (int)i, json_string_value(json_object_get(item, "seal")), seal);
        json_t *payload = sealed ? json_read(slice_str(&sealed->payload), "hidden draw", err) : NULL;
        const char *label = json_string_value(json_object_get(payload, "label"));
        const char *proof = json_string_value(json_object_get(payload, "proof"));
        if (!label || !proof || i >= CHANCE_HIDDEN || strlen(label) >= CHANCE_LABEL ||
            !hex_decode(chance->hidden[i].proof, VRF_PROOF, slice_of(proof))) {
            json_decref(payload);
            return apply_broken(a, err,
                                "the proof of a hidden draw is not in its box, or there is no key to it");
        }
        memcpy(chance->hidden[i].label, label, strlen(label) + 1);
        chance->hidden_count = i + 1;
        json_decref(payload);
    }
    return 0;
}

/* Plays the turn again from what the record proves. */
static int recompute(struct applying *a, struct turn_trace *trace, struct turn_result *result,
                     struct err *err)
{
    unsigned char beta[VRF_OUTPUT], root[64];
    struct chance chance;
    struct str alpha = STR_INIT;
    turn_alpha(&alpha, a->game);
    bool good = apply_draw(a, a->game->draws.key, &alpha, beta);
    str_release(&alpha);
    if (!good)
        return apply_broken(a, err, "the proof of its draws is wrong");
    witness_root(root, a->game, beta);
    chance_replay(&chance, root, a->game->draws.key);
    chance.proved = a->proved;
    if (read_hidden(a, &chance, err))
        return -1;
    turn_play_traced(a->game, &chance, trace, result);
    if (!result->chance.broken)
        return 0;
    turn_result_release(result);
    return apply_broken(a, err, "a hidden draw does not follow from its proof");
}

/* The orders for the next turn that a solo mail holds, too, become those of the open turn. */
static void take_next(const struct applying *a, struct game_orders *orders)
{
    struct game *game = a->game;
    struct str all = orders->later;
    struct slice later;
    str_init(&orders->later);
    str_clear(&orders->text);
    str_addslice(&orders->text, turn_block(slice_str(&all), game->turn + 1, &later));
    str_addslice(&orders->later, later);
    str_release(&all);
    orders->seq = 0;
    orders->waits = json_object_get(a->record->json, "waits") != NULL;
    orders->waits_since = orders->waits ? a->record->time : 0;
    orders->question = 0;
}

/* Keeps whose orders no key had signed, for the reports. */
static void note_vouched(struct game *game, int seat)
{
    const struct game_seat *who = &game->seat[seat];
    if (!who->orders.vouched)
        return;
    if (!game->told.vouched)
        game->told.vouched = json_array();
    json_array_append_new(game->told.vouched, json_pack("{s:i,s:s,s:O}", "seat", seat, "who", who->player,
                                                        "vouched", who->orders.vouched));
}

/* The orders that were played are gone. Those of seats that were not awaited keep waiting, and a solo mail
 * may also hold the next turn's; it stops at the first refusal. */
static void orders_played(const struct applying *a, uint32_t awaited, const struct events *events)
{
    struct game *game = a->game;
    json_decref(game->told.vouched);
    game->told.vouched = NULL;
    for (int seat = 1; seat <= game->seats; seat++) {
        struct game_orders *orders = &game->seat[seat].orders;
        bool played = orders->in && (awaited & SEAT_BIT(seat));
        if (played)
            note_vouched(game, seat);
        if (game->ruleset->early && !(awaited & SEAT_BIT(seat))) {
            orders->seq = 0; /* numbers are compared within a turn */
            continue;
        }
        if (turn_goes_on(game, seat, events))
            take_next(a, orders);
        else
            apply_no_orders(&game->seat[seat]);
    }
}

/* What the clock knew of the previous turn is no longer of use. */
static void clock_begins(struct game *game, int64_t time)
{
    game->clock.dated = time;
    game->clock.reminded = 0;
    game->clock.extended = false;
    game->clock.spared = 0;
    for (int seat = 1; seat <= game->seats; seat++)
        game->seat[seat].vote = 0;
}

static void open_next_turn(struct applying *a, struct turn_result *result)
{
    struct game *game = a->game;
    size_t kept = 0;
    int64_t deadline = 0;
    uint32_t awaited = game->turn ? game->ruleset->awaits(game->state) : EVENT_PUBLIC;
    uint32_t told = told_seats(game, a->record->json);
    assert(result->state);
    told_keep(game);
    memcpy(game->state, result->state, game->ruleset->state_size);
    json_decref(game->told.events);
    game->told.events = game->told.instant ? game->told.instant : json_array();
    game->told.instant = NULL;
    json_array_extend(game->told.events, result->all_events);
    moments_note(game, result->all_events);
    for (size_t i = 0; i < game->seen.mails.count; i++)
        if (game->seen.mails.list[i].turn >= game->turn)
            game->seen.mails.list[kept++] = game->seen.mails.list[i];
    game->seen.mails.count = kept;
    game->seen.heads.count = game->seen.texts.count = 0;
    if (game->turn == 0) {
        unsigned char proof[VRF_PROOF] = {0};
        if (apply_hex(a, "pi", proof, sizeof proof)) /* recompute has read it, or live play has written it */
            memcpy(game->draws.deal, proof, GAME_DEAL);
        seating_take(game, result->from);
    }
    orders_played(a, awaited, &result->events);
    for (int seat = 1; seat <= game->seats; seat++)
        str_clear(&game->seat[seat].said);
    for (int seat = 1; seat <= game->seats; seat++) {
        struct game_seat *who = &game->seat[seat];
        who->missed = who->late ? 0 : who->missed;
        who->late = false;
        who->texts = 0;
        who->text_bytes = 0;
    }
    apply_people_turn(game);
    witness_open(game);
    game->turn++;
    game->over = game->ruleset->awaits(game->state) == 0;
    game->opened.at = a->record->time;
    game->opened.seq = a->record->seq;
    memcpy(game->opened.head, a->record->head, HEAD_BYTES);
    game->clock.deadline = clock_parse(slice_of(apply_text(a, "deadline")), &deadline) ? deadline : 0;
    clock_begins(game, a->record->time);
    told_mark(game, told);
}

/* Whoever has to decide, and everybody at the end, must be told. */
static bool told_fits(const struct applying *a, const struct turn_result *result)
{
    const struct game *game = a->game;
    uint32_t told = told_seats(game, a->record->json);
    bool over = game->ruleset->awaits(result->state) == 0;
    for (int seat = 1; over && seat <= game->seats; seat++)
        over = (told & SEAT_BIT(seat)) != 0;
    if (json_object_get(a->record->json, "waits") && !(told & SEAT_BIT(1)))
        return false;
    return game->ruleset->awaits(result->state) == 0 ? over : !(turn_missing(game, result) & ~told);
}

/* Does `start` name the seats that were drawn? */
static bool seats_fit(const struct applying *a, const struct turn_result *result)
{
    json_t *drawn = a->game->turn == 0 ? seating_json(a->game, result->from) : NULL;
    const json_t *named = json_object_get(a->record->json, "drawn");
    bool fit = drawn ? json_equal(drawn, named) : !named;
    json_decref(drawn);
    return fit;
}

/* Only orders for several turns can wait in the turn that opens: those of the one seat of a solo game. */
static bool waits_fit(const struct applying *a, const struct turn_result *result)
{
    const struct game *game = a->game;
    const struct game_orders *orders = &game->seat[1].orders;
    return !json_object_get(a->record->json, "waits") ||
           (json_is_true(json_object_get(a->record->json, "waits")) && game->clock.typo_wait &&
            game->seats == 1 && !orders->set && !orders->final && turn_goes_on(game, 1, &result->events));
}

int apply_turn(struct applying *a, struct err *err)
{
    struct game *game = a->game;
    struct turn_result again = {0};
    struct turn_result *result = a->result;
    unsigned char state[32], events[32];
    int64_t turn;
    if (json_need_int(a->record->json, "turn", 0, 9999, &turn, a->record->type, err))
        return -1;
    if (turn != game->turn || game->over || (turn == 0) != (strcmp(a->record->type, "start") == 0))
        return apply_broken(a, err, "not the open turn");
    if (game->witnesses.count && !game->closed)
        return apply_broken(a, err, "the turn was not closed before its witnesses");
    if (witness_waits(game, a->record->time))
        return apply_broken(a, err, "too few witnesses have answered, or the others have had no day for it");
    if (!result) {
        if (recompute(a, NULL, &again, err))
            return -1;
        result = &again;
    }
    int rc = 0;
    if (!apply_hex(a, "state", state, 32) || memcmp(state, result->state_digest, 32) != 0)
        rc = apply_broken(a, err, "the state it names is not the one that the rules give");
    else if (!apply_hex(a, "events", events, 32) || memcmp(events, result->events_digest, 32) != 0)
        rc = apply_broken(a, err, "the events it names are not those that the rules give");
    else if (!seats_fit(a, result))
        rc = apply_broken(a, err, "the seats it names are not those that were drawn");
    else if (!waits_fit(a, result))
        rc = apply_broken(a, err, "it waits for a better text of orders that are not there, or do not wait");
    else if (!told_fits(a, result))
        rc = apply_broken(a, err, "somebody who has to be told of it is not");
    else if ((rc = apply_away(a, err)) == 0)
        open_next_turn(a, result);
    if (result == &again)
        turn_result_release(&again);
    return rc;
}

/* A game whose round is over, or that never began, ends by its own record: at the round's end, or when the time of those
 * for whom seats were kept is over. */
int apply_end(struct applying *a, struct err *err)
{
    struct game *game = a->game;
    if (game->over)
        return 0;
    if (game->turn > 0) {
        if (!game->table.place.until || a->record->time < game->table.place.until ||
            strcmp(apply_text(a, "reason"), GAME_ROUND_OVER) != 0)
            return apply_broken(a, err, "a game that is not over ends for no reason");
        game->over = true;
        return 0;
    }
    if (!seating_unanswered(game) || a->record->time <= game->table.answer_by ||
        strcmp(apply_text(a, "reason"), "unanswered") != 0)
        return apply_broken(a, err, "a game that has not begun ends for no reason");
    game->over = game->voided = true;
    return 0;
}

int apply_open(struct applying *a, struct err *err)
{
    (void)err;
    a->game->clock.lockstep.shown = a->game->clock.lockstep.on;
    return 0;
}

/* A record that a petition led to names the mail and the digest of the signed text, by which they are known
 * when they come again. */
static int take_petition(struct applying *a, struct err *err)
{
    struct game *game = a->game;
    unsigned char mail[32], text[32];
    if (!*apply_text(a, "text"))
        return 0;
    if (!apply_hex(a, "mail", mail, 32) || !apply_hex(a, "text", text, 32))
        return apply_broken(a, err, "a digest is not 64 hex digits");
    apply_mark(&game->seen.mails, game->turn, mail);
    apply_mark(&game->seen.texts, game->turn, text);
    return 0;
}

int game_recompute(struct game *game, const struct apply_input *input, struct turn_trace *trace,
                   struct turn_result *result, struct err *err)
{
    struct applying a = {game, input->record, input->sealed, NULL, NULL, input->proved};
    return recompute(&a, trace, result, err);
}

/* What this version does not know was made by a newer one. */
static int apply_unknown(const struct applying *a, struct err *err)
{
    const char *word = record_word(a->record);
    if (strcmp(a->record->type, "note") == 0)
        return apply_newer(a, err, "its kind \"%.40s\"", word);
    if (strcmp(a->record->type, "moderate") == 0)
        return apply_newer(a, err, "its \"do\": \"%.40s\"", word);
    return apply_newer(a, err, "its type");
}

static int apply_kind(struct applying *a, const struct record_kind *kind, struct err *err)
{
    return strcmp(kind->type, "moderate") == 0 ? apply_moderate(a, kind, err) : kind->apply(a, err);
}

/* Does a mail domain's word count in this game, and can it be read? */
static int check_voucher(const struct applying *a, struct err *err)
{
    const json_t *json = json_object_get(a->record->json, "vouched");
    struct vouched vouched;
    return !json || (a->game->table.by_mail && vouched_read(json, &vouched) &&
                     vouched.arrived <= a->record->time)
               ? 0
               : apply_broken(a, err,
                              "a mail domain vouches for it, which cannot be read or does not count here");
}

/* RESIGN among the orders whose step it is. */
static bool resigns_by_orders(const struct game *game, const struct record *record, enum record_id id)
{
    const char *why = json_string_value(json_object_get(record->json, "why"));
    return id == RECORD_SEAT && game->journal.led == game->journal.last_seat && why &&
           strcmp(why, "resigned") == 0 && !json_object_get(record->json, "signed") &&
           !json_object_get(record->json, "said");
}

/* Does the record begin the step of some orders, or go on with it? */
static void follow_step(struct game *game, const struct record *record, const struct record_kind *kind)
{
    struct game_journal *journal = &game->journal;
    enum record_id id = record_id_of(kind);
    bool resigns = resigns_by_orders(game, record, id);
    bool goes_on = resigns || id == RECORD_INSTANT || id == RECORD_CLOSE || id == RECORD_TURN ||
                   id == RECORD_END || id == RECORD_OPEN;
    if (id == RECORD_CLOSE)
        journal->missed = game_missing(game);
    if (id == RECORD_ORDERS) {
        journal->led = journal->last_seat;
        journal->led_awaited = game_awaited(game) & SEAT_BIT(journal->led);
        journal->led_time = record->time;
    } else if (!goes_on || record->time != journal->led_time) {
        journal->led = 0;
    }
    if (resigns)
        journal->led_awaited = false;
}

/* The record is the game's last one. */
static void advance(struct game *game, const struct apply_input *input)
{
    const struct record *record = input->record;
    game->seq = record->seq;
    game->journal.last_from = game->journal.length;
    game->time = record->time;
    memcpy(game->journal.last_type, record->type, sizeof game->journal.last_type);
    game->journal.last_seat = (int)json_integer_value(json_object_get(record->json, "seat"));
    game->journal.length = input->length;
    memcpy(game->head, record->head, HEAD_BYTES);
    apply_mark(&game->seen.heads, game->turn, record->head);
    game->seen.heads.list[game->seen.heads.count - 1].time = record->time;
}

int game_apply(struct game *game, const struct apply_input *input, struct err *err)
{
    const struct record *record = input->record;
    struct applying a = {game, record, input->sealed, input->result, input->past, input->proved};
    const struct record_kind *kind = record_kind_of(record);
    if (!kind)
        return apply_unknown(&a, err);
    if (game->seq == 0 && !(kind->place & PLACE_FIRST))
        return apply_broken(&a, err, "the first record must be \"create\"");
    const char *fault = lockstep_fault(game, record, kind);
    if (fault)
        return apply_broken(&a, err, fault);
    game->journal.last_do[0] = '\0';
    if (check_voucher(&a, err) || apply_kind(&a, kind, err) || take_petition(&a, err))
        return -1;
    advance(game, input);
    follow_step(game, record, kind);
    return 0;
}

int game_pass(struct game *game, const struct apply_input *input, struct err *err)
{
    struct applying a = {game, input->record, input->sealed, NULL, input->past, input->proved};
    game->journal.last_do[0] = '\0';
    if (check_voucher(&a, err) || take_petition(&a, err))
        return -1;
    advance(game, input);
    return 0;
}
