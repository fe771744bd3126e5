#include "game/game_rows.h"

#include "base/json.h"
#include "game/game.h"

/* ---- members with a form of their own ---- */

static json_t *ruleset_put(const void *member)
{
    const struct ruleset *const *ruleset = member;
    return json_pack("{s:s,s:i}", "name", (*ruleset)->name, "version", (*ruleset)->version);
}

static int ruleset_get(const json_t *json, void *member, struct err *err)
{
    const struct ruleset **ruleset = member;
    const char *name;
    int64_t version;
    if (json_need_string(json, "name", &name, "ruleset", err) ||
        json_need_int(json, "version", 1, INT32_MAX, &version, "ruleset", err))
        return -1;
    *ruleset = ruleset_find(name, version);
    return *ruleset ? 0 : err_set(err, ERR_BROKEN, "ruleset %s is not known", name);
}

static json_t *schedule_put(const void *member)
{
    return schedule_json(member);
}

static int schedule_get(const json_t *json, void *member, struct err *err)
{
    return schedule_read(json, member, err);
}

/* ---- people ---- */

/* Keys were checked when they came; the document is authenticated, so they are not checked again. */
static const struct keep key_rows[] = {
    KEEP(struct pubkey, KEEP_NUMBER, kind),      KEEP(struct pubkey, KEEP_BYTES, point),
    KEEP(struct pubkey, KEEP_BYTES, y),          KEEP(struct pubkey, KEEP_BYTES, id),
    KEEP(struct pubkey, KEEP_TEXT, application), KEEP_END,
};

static const struct keep rekey_rows[] = {
    KEEP(struct seat_rekey, KEEP_NUMBER, record),
    KEEP(struct seat_rekey, KEEP_NUMBER, time),
    KEEP_PART(struct seat_rekey, key, key_rows),
    KEEP_END,
};

static const struct keep orders_rows[] = {
    KEEP(struct game_orders, KEEP_BOOL, in),
    KEEP(struct game_orders, KEEP_BOOL, set),
    KEEP(struct game_orders, KEEP_NUMBER, record),
    KEEP(struct game_orders, KEEP_NUMBER, seq),
    KEEP(struct game_orders, KEEP_BOOL, by_mail),
    KEEP(struct game_orders, KEEP_NUMBER, written),
    KEEP(struct game_orders, KEEP_JSON, vouched),
    KEEP(struct game_orders, KEEP_BOOL, wait),
    KEEP(struct game_orders, KEEP_BOOL, json),
    KEEP(struct game_orders, KEEP_BOOL, final),
    KEEP(struct game_orders, KEEP_BOOL, waits),
    KEEP(struct game_orders, KEEP_NUMBER, waits_since),
    KEEP(struct game_orders, KEEP_NUMBER, question),
    KEEP(struct game_orders, KEEP_NUMBER, asked),
    KEEP(struct game_orders, KEEP_NUMBER, complete),
    KEEP(struct game_orders, KEEP_BYTES, seal),
    KEEP(struct game_orders, KEEP_STR, text),
    KEEP(struct game_orders, KEEP_STR, later),
    KEEP_END,
};

static const struct keep place_rows[] = {
    KEEP(struct game_place, KEEP_TEXT, name),
    KEEP(struct game_place, KEEP_BYTES, head),
    KEEP(struct game_place, KEEP_NUMBER, round),
    KEEP(struct game_place, KEEP_NUMBER, table),
    KEEP(struct game_place, KEEP_NUMBER, attempt),
    KEEP(struct game_place, KEEP_NUMBER, until),
    KEEP_END,
};

static const struct keep seat_rows[] = {
    KEEP(struct game_seat, KEEP_TEXT, player),
    KEEP(struct game_seat, KEEP_BOOL, robot),
    KEEP(struct game_seat, KEEP_BOOL, late),
    KEEP(struct game_seat, KEEP_BOOL, drawn),
    KEEP(struct game_seat, KEEP_BYTES, wishes),
    KEEP(struct game_seat, KEEP_BOOL, resigned),
    KEEP(struct game_seat, KEEP_NUMBER, press),
    KEEP(struct game_seat, KEEP_NUMBER, texts),
    KEEP(struct game_seat, KEEP_NUMBER, text_bytes),
    KEEP(struct game_seat, KEEP_TEXT, offered),
    KEEP(struct game_seat, KEEP_NUMBER, offered_until),
    KEEP(struct game_seat, KEEP_NUMBER, offered_turn),
    KEEP(struct game_seat, KEEP_BOOL, offered_more),
    KEEP(struct game_seat, KEEP_STR, asked),
    KEEP(struct game_seat, KEEP_TEXT, owner),
    KEEP_FIRST(struct game_seat, owner_keys, owner_key_count, key_rows),
    KEEP(struct game_seat, KEEP_STR, took_back),
    KEEP_FIRST(struct game_seat, keys, key_count, key_rows),
    KEEP_PART(struct game_seat, rekey, rekey_rows),
    KEEP(struct game_seat, KEEP_NUMBER, keys_day),
    KEEP(struct game_seat, KEEP_NUMBER, key_text_day),
    KEEP(struct game_seat, KEEP_STR, keys_gone),
    KEEP(struct game_seat, KEEP_NUMBER, missed),
    KEEP(struct game_seat, KEEP_NUMBER, told),
    KEEP(struct game_seat, KEEP_NUMBER, told_before),
    KEEP(struct game_seat, KEEP_STR, standing),
    KEEP(struct game_seat, KEEP_STR, said),
    KEEP_PASSING(struct game_seat, KEEP_STR, instant),
    KEEP_PART(struct game_seat, orders, orders_rows),
    KEEP(struct game_seat, KEEP_NUMBER, vote),
    KEEP_END,
};

static const struct keep waiting_rows[] = {
    KEEP(struct game_waiting, KEEP_TEXT, player),
    KEEP_FIRST(struct game_waiting, keys, key_count, key_rows),
    KEEP(struct game_waiting, KEEP_BYTES, seal),
    KEEP(struct game_waiting, KEEP_BYTES, wishes),
    KEEP_END,
};

static const struct keep tally_rows[] = {
    KEEP(struct game_tally, KEEP_TEXT, player),
    KEEP(struct game_tally, KEEP_NUMBER, awaited),
    KEEP(struct game_tally, KEEP_NUMBER, missed),
    KEEP(struct game_tally, KEEP_NUMBER, resigned),
    KEEP_END,
};

static const struct keep vkey_rows[] = {
    KEEP(struct vkey, KEEP_TEXT, name),
    KEEP(struct vkey, KEEP_NUMBER, type),
    KEEP(struct vkey, KEEP_BYTES, id),
    KEEP(struct vkey, KEEP_BYTES, public),
    KEEP_END,
};

static const struct keep witness_rows[] = {
    KEEP(struct witness, KEEP_TEXT, name),  KEEP_PART(struct witness, key, vkey_rows),
    KEEP(struct witness, KEEP_BYTES, vrf),  KEEP(struct witness, KEEP_BOOL, answered),
    KEEP(struct witness, KEEP_BYTES, beta), KEEP(struct witness, KEEP_NUMBER, cosigned),
    KEEP(struct witness, KEEP_STR, proof),  KEEP_END,
};

static const struct keep mark_rows[] = {
    KEEP(struct game_mark, KEEP_NUMBER, turn),
    KEEP(struct game_mark, KEEP_NUMBER, time),
    KEEP(struct game_mark, KEEP_BYTES, digest),
    KEEP_END,
};

static const struct keep marks_rows[] = {
    KEEP_OWN(struct game_marks, list, count, cap, mark_rows),
    KEEP_END,
};

static const struct keep away_rows[] = {
    KEEP(struct game_away, KEEP_TEXT, player),      KEEP(struct game_away, KEEP_NUMBER, year),
    KEEP(struct game_away, KEEP_NUMBER, days),      KEEP(struct game_away, KEEP_NUMBER, until),
    KEEP(struct game_away, KEEP_NUMBER, before),    KEEP(struct game_away, KEEP_NUMBER, until_before),
    KEEP(struct game_away, KEEP_NUMBER, open_days), KEEP_END,
};

/* ---- the parts ---- */

static const struct keep table_rows[] = {
    KEEP_PART(struct game_table, place, place_rows),
    KEEP_ARRAY(struct game_table, KEEP_TEXT, entry, KEEP_SEATS, NULL),
    KEEP(struct game_table, KEEP_BOOL, by_mail),
    KEEP(struct game_table, KEEP_NUMBER, answer_by),
    KEEP_OWN(struct game_table, waiting, waiting_count, waiting_cap, waiting_rows),
    KEEP_END,
};

static const struct keep journal_rows[] = {
    KEEP_PASSING(struct game_journal, KEEP_TEXT, last_type),
    KEEP_PASSING(struct game_journal, KEEP_NUMBER, last_seat),
    KEEP_PASSING(struct game_journal, KEEP_TEXT, last_do),
    KEEP_PASSING(struct game_journal, KEEP_NUMBER, led),
    KEEP_PASSING(struct game_journal, KEEP_BOOL, led_awaited),
    KEEP_PASSING(struct game_journal, KEEP_NUMBER, led_time),
    KEEP_PASSING(struct game_journal, KEEP_STR, led_lines),
    KEEP_PASSING(struct game_journal, KEEP_NUMBER, missed),
    KEEP(struct game_journal, KEEP_NUMBER, length),
    KEEP(struct game_journal, KEEP_NUMBER, last_from),
    KEEP(struct game_journal, KEEP_BYTES, create_head),
    KEEP(struct game_journal, KEEP_NUMBER, create_time),
    KEEP(struct game_journal, KEEP_BYTES, league_key),
    KEEP(struct game_journal, KEEP_BYTES, seal_commitment),
    KEEP_END,
};

static const struct keep draws_rows[] = {
    KEEP(struct game_draws, KEEP_BYTES, key),
    KEEP(struct game_draws, KEEP_BYTES, nonce),
    KEEP(struct game_draws, KEEP_BYTES, deal),
    KEEP(struct game_draws, KEEP_NUMBER, rollbacks),
    KEEP_END,
};

static const struct keep opened_rows[] = {
    KEEP(struct game_opened, KEEP_NUMBER, at),
    KEEP(struct game_opened, KEEP_NUMBER, seq),
    KEEP(struct game_opened, KEEP_BYTES, head),
    KEEP(struct game_opened, KEEP_NUMBER, undone),
    KEEP_END,
};

static const struct keep close_rows[] = {
    KEEP(struct game_close, KEEP_BYTES, head),
    KEEP(struct game_close, KEEP_NUMBER, seq),
    KEEP(struct game_close, KEEP_NUMBER, from),
    KEEP(struct game_close, KEEP_NUMBER, at),
    KEEP_ARRAY(struct game_close, KEEP_BYTES, marks, KEEP_SEATS, NULL),
    KEEP(struct game_close, KEEP_NUMBER, awaited),
    KEEP(struct game_close, KEEP_NUMBER, missed),
    KEEP_ARRAY(struct game_close, KEEP_NUMBER, missed_before, KEEP_SEATS, NULL),
    KEEP_END,
};

static const struct keep without_rows[] = {
    KEEP(struct game_without, KEEP_NUMBER, seats),
    KEEP(struct game_without, KEEP_NUMBER, turn),
    KEEP_END,
};

static const struct keep quorum_rows[] = {
    KEEP_FIRST(struct quorum, list, count, witness_rows),
    KEEP(struct quorum, KEEP_NUMBER, need),
    KEEP_PART(struct quorum, log, vkey_rows),
    KEEP(struct quorum, KEEP_BOOL, late),
    KEEP_END,
};

static const struct keep lockstep_rows[] = {
    KEEP(struct lockstep, KEEP_BOOL, on),      KEEP(struct lockstep, KEEP_NUMBER, opens),
    KEEP(struct lockstep, KEEP_NUMBER, hours), KEEP(struct lockstep, KEEP_NUMBER, closes),
    KEEP(struct lockstep, KEEP_BOOL, shown),   KEEP_END,
};

static const struct keep clock_rows[] = {
    KEEP_BY(struct game_clock, schedule, schedule_put, schedule_get),
    KEEP_PART(struct game_clock, lockstep, lockstep_rows),
    KEEP(struct game_clock, KEEP_NUMBER, deadline),
    KEEP(struct game_clock, KEEP_NUMBER, turn_length),
    KEEP(struct game_clock, KEEP_NUMBER, dated),
    KEEP(struct game_clock, KEEP_NUMBER, reminded),
    KEEP(struct game_clock, KEEP_BOOL, extended),
    KEEP(struct game_clock, KEEP_NUMBER, spared),
    KEEP(struct game_clock, KEEP_BOOL, paused),
    KEEP(struct game_clock, KEEP_NUMBER, paused_from),
    KEEP(struct game_clock, KEEP_BOOL, held),
    KEEP(struct game_clock, KEEP_NUMBER, hold_turn),
    KEEP(struct game_clock, KEEP_NUMBER, hold_until),
    KEEP(struct game_clock, KEEP_BOOL, typo_wait),
    KEEP(struct game_clock, KEEP_NUMBER, second_thoughts),
    KEEP_OWN(struct game_clock, away, away_count, away_cap, away_rows),
    KEEP_END,
};

static const struct keep attendance_rows[] = {
    KEEP(struct game_attendance, KEEP_NUMBER, missed_robot),
    KEEP(struct game_attendance, KEEP_NUMBER, missed_standby),
    KEEP(struct game_attendance, KEEP_STR, standby),
    KEEP_OWN(struct game_attendance, tallies, tally_count, tally_cap, tally_rows),
    KEEP_END,
};

static const struct keep press_rows[] = {
    KEEP(struct game_press, KEEP_NUMBER, kind), KEEP(struct game_press, KEEP_BOOL, by_report),
    KEEP(struct game_press, KEEP_BOOL, proved), KEEP(struct game_press, KEEP_JSON, wait),
    KEEP(struct game_press, KEEP_JSON, last),   KEEP_END,
};

static const struct keep observers_rows[] = {
    KEEP(struct game_observers, KEEP_BOOL, barred),
    KEEP(struct game_observers, KEEP_STR, names),
    KEEP_END,
};

static const struct keep seen_rows[] = {
    KEEP_PART(struct game_seen, mails, marks_rows),
    KEEP_PART(struct game_seen, heads, marks_rows),
    KEEP_PART(struct game_seen, texts, marks_rows),
    KEEP_END,
};

static const struct keep told_rows[] = {
    KEEP(struct game_told, KEEP_JSON, events),
    KEEP(struct game_told, KEEP_JSON, instant),
    KEEP(struct game_told, KEEP_JSON, vouched),
    KEEP(struct game_told, KEEP_JSON, moments),
    KEEP(struct game_told, KEEP_JSON, earlier),
    KEEP_PASSING(struct game_told, KEEP_ELSE, was),
    KEEP(struct game_told, KEEP_NUMBER, watched),
    KEEP(struct game_told, KEEP_NUMBER, watched_before),
    KEEP_END,
};

const struct keep game_rows[] = {
    KEEP(struct game, KEEP_TEXT, id),
    KEEP_BY(struct game, ruleset, ruleset_put, ruleset_get),
    KEEP_PASSING(struct game, KEEP_ELSE, cards),
    KEEP_PASSING(struct game, KEEP_ELSE, own_cards),
    KEEP(struct game, KEEP_BYTES, cards_digest),
    KEEP_ARRAY(struct game, KEEP_NUMBER, options, KEEP_ALL, NULL),
    KEEP_PASSING(struct game, KEEP_ELSE, state), /* the cache has it, by the ruleset's own table */
    KEEP(struct game, KEEP_NUMBER, seats),
    KEEP_ARRAY(struct game, KEEP_STRUCT, seat, KEEP_SEATS, seat_rows),
    KEEP(struct game, KEEP_NUMBER, turn),
    KEEP(struct game, KEEP_BOOL, closed),
    KEEP(struct game, KEEP_BOOL, over),
    KEEP(struct game, KEEP_BOOL, voided),
    KEEP(struct game, KEEP_NUMBER, seq),
    KEEP(struct game, KEEP_BYTES, head),
    KEEP(struct game, KEEP_NUMBER, time),
    KEEP_PART(struct game, table, table_rows),
    KEEP_PART(struct game, journal, journal_rows),
    KEEP_PART(struct game, draws, draws_rows),
    KEEP_PART(struct game, opened, opened_rows),
    KEEP_PART(struct game, close, close_rows),
    KEEP_PART(struct game, witnesses, quorum_rows),
    KEEP_PART(struct game, without, without_rows),
    KEEP_PART(struct game, clock, clock_rows),
    KEEP_PART(struct game, attendance, attendance_rows),
    KEEP_PART(struct game, press, press_rows),
    KEEP_PART(struct game, observers, observers_rows),
    KEEP_PART(struct game, seen, seen_rows),
    KEEP_PART(struct game, told, told_rows),
    KEEP_END,
};
