#include "engine/audit.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/encode.h"
#include "base/file.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "engine/audit_parts.h"

void audit_init(struct audit *audit, struct lines *journal, struct lines *sealed)
{
    *audit = (struct audit){.journal = journal, .sealed = sealed};
}

/* ---- findings ---- */

static void tell(struct auditing *a, enum audit_severity severity, enum audit_kind kind, int seat,
                 const char *fmt, va_list args)
{
    struct audit_finding finding = {
        .severity = severity, .kind = kind, .seq = a->at, .seat = seat, .turn = a->game.turn};
    if (a->record && a->record->seq == a->at)
        memcpy(finding.type, a->record->type, sizeof finding.type);
    struct str text = STR_INIT, safe = STR_INIT;
    str_vaddf(&text, fmt, args);
    utf8_safe(&safe, slice_str(&text), false); /* words of strangers may be in it */
    (void)snprintf(finding.text, sizeof finding.text, "%s", safe.p);
    str_release(&text);
    str_release(&safe);
    a->out->findings[severity]++;
    if (severity == AUDIT_BROKEN)
        a->out->first = finding;
    if (a->in->found)
        a->in->found(a->in->arg, &finding);
}

void audit_note(struct auditing *a, enum audit_severity severity, enum audit_kind kind, int seat,
                const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    tell(a, severity, kind, seat, fmt, args);
    va_end(args);
}

int audit_broken(struct auditing *a, enum audit_kind kind, int seat, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    if (!a->out->findings[AUDIT_BROKEN])
        tell(a, AUDIT_BROKEN, kind, seat, fmt, args);
    va_end(args);
    return -1;
}

/* ---- members ---- */

const char *audit_text(const struct auditing *a, const char *key)
{
    const char *text = json_string_value(json_object_get(a->record->json, key));
    return text ? text : "";
}

bool audit_has(const struct auditing *a, const char *key)
{
    return json_object_get(a->record->json, key) != NULL;
}

bool audit_is(const struct auditing *a, const char *type)
{
    return strcmp(a->record->type, type) == 0;
}

bool audit_kind_is(const struct auditing *a, const char *kind)
{
    return audit_is(a, "note") && strcmp(audit_text(a, "kind"), kind) == 0;
}

int64_t audit_number(const struct auditing *a, const char *key)
{
    return json_integer_value(json_object_get(a->record->json, key));
}

int audit_seat(const struct auditing *a)
{
    int64_t seat = audit_number(a, "seat");
    return seat >= 1 && seat <= a->game.seats ? (int)seat : 0;
}

bool audit_hex(const struct auditing *a, const char *key, unsigned char out[32])
{
    return hex_decode(out, 32, slice_of(audit_text(a, key)));
}

void audit_keys(const struct auditing *a, struct pubkey keys[KEYS_PER_PLAYER], size_t *count)
{
    size_t i;
    json_t *item;
    *count = 0;
    json_array_foreach (json_object_get(a->record->json, "keys"), i, item) {
        struct err ignored = ERR_INIT; /* audit_fields has read them */
        struct slice rest = slice_of(json_string_value(item));
        bool found = false;
        if (*count < KEYS_PER_PLAYER && pubkey_next(&rest, &keys[*count], &found, &ignored) == 0 && found)
            (*count)++;
    }
}

/* ---- the chain ---- */

static int check_create(struct auditing *a, const struct record *record, const unsigned char *key)
{
    const unsigned char *given = a->in->league_key;
    if (strcmp(record->type, "create") != 0)
        return audit_broken(a, AUDIT_ORDER, 0, "the first record must be \"create\"");
    if (a->in->game && strcmp(a->in->game, record->game) != 0)
        return audit_broken(a, AUDIT_CHAIN, 0, "it is of game \"%s\" and not of \"%s\"", record->game,
                            a->in->game);
    if (given && memcmp(given, key, 32) != 0)
        return audit_broken(a, AUDIT_LEAGUE_KEY, 0,
                            "it names another league's key than the one that was given");
    memcpy(a->game.id, record->game, sizeof a->game.id);
    memcpy(a->out->game, record->game, sizeof a->out->game);
    memcpy(a->out->league_key, key, 32);
    a->out->begun = record->time;
    return 0;
}

static int check_chain(struct auditing *a, const struct record *record, struct slice line)
{
    const struct game *game = &a->game;
    unsigned char key[32];
    struct err err = ERR_INIT;
    memcpy(key, game->league_key, sizeof key);
    if (game->seq == 0) {
        const char *named = json_string_value(json_object_get(record->json, "league_key"));
        if (!named || !hex_decode(key, sizeof key, slice_of(named)))
            return audit_broken(a, AUDIT_FORM, 0,
                                "the first record must be \"create\" and name the league's key");
        if (check_create(a, record, key))
            return -1;
    }
    if (strcmp(record->game, game->id) != 0 || record->seq != a->at)
        return audit_broken(a, AUDIT_CHAIN, 0,
                            "record %lld of %s stands here: a record is missing, or too much",
                            (long long)record->seq, record->game);
    if (memcmp(record->prev, game->head, HEAD_BYTES) != 0)
        return audit_broken(a, AUDIT_CHAIN, 0,
                            "it does not follow the record before it (its \"prev\" is not that one's head)");
    if (record_check(record, line, game->id, a->at, game->head, key, &err))
        return audit_broken(a, AUDIT_LEAGUE_KEY, 0, "it is not signed by the league's key");
    if (record->time < game->time)
        return audit_broken(a, AUDIT_TIME, 0, "its time lies before that of the record before it");
    return 0;
}

/* ---- what each type asks for ---- */

static int check_options(struct auditing *a, const struct ruleset *ruleset)
{
    const char *name;
    json_t *value;
    json_object_foreach (json_object_get(a->record->json, "options"), name, value) {
        int i = 0;
        while (i < GAME_OPTIONS && ruleset->options[i].name && strcmp(ruleset->options[i].name, name) != 0)
            i++;
        const struct game_option *option = i < GAME_OPTIONS ? &ruleset->options[i] : NULL;
        if (!option || !option->name || !json_is_integer(value) || json_integer_value(value) < option->min ||
            json_integer_value(value) > option->max)
            return audit_broken(a, AUDIT_RULES, 0, "the rules have no option \"%.30s\" with such a value",
                                name);
    }
    return 0;
}

static int check_rules(struct auditing *a)
{
    const struct ruleset *ruleset = ruleset_find(audit_text(a, "ruleset"));
    const char *delivery = audit_text(a, "press_delivery");
    const json_t *clock = json_object_get(a->record->json, "clock");
    if (*delivery && strcmp(delivery, "now") != 0 && strcmp(delivery, "report") != 0)
        return audit_broken(a, AUDIT_FORM, 0, "an unknown delivery of press");
    if (ruleset && check_options(a, ruleset))
        return -1;
    if (audit_apply(a, NULL))
        return -1;
    json_t *again = schedule_json(&a->game.clock);
    a->same_views = audit_number(a, "views") == a->game.ruleset->views;
    bool same = !clock || json_equal(clock, again);
    json_decref(again);
    return same ? 0 : audit_broken(a, AUDIT_FORM, 0, "its clock has members that no clock has");
}

/* On what the deal rests: only what the league could not choose makes its draws fair. */
static void tell_deal(struct auditing *a)
{
    struct audit_result *out = a->out;
    for (int seat = 1; seat <= a->game.seats; seat++) {
        out->robots += a->game.seat[seat].robot;
        out->joined += a->joined[seat];
        out->entered += !a->game.seat[seat].robot && !a->joined[seat];
    }
    if (!out->joined)
        audit_note(a, AUDIT_WORD, AUDIT_DEAL, 0,
                   "the deal rests on the operator's word: he entered the players himself, and no text of "
                   "theirs is in "
                   "its draws");
    else if (!out->entered && !out->robots)
        audit_note(
            a, AUDIT_NOTE, AUDIT_DEAL, 0,
            "the deal rests on the join texts that all players signed when the game was fixed already");
    else
        audit_note(a, AUDIT_NOTE, AUDIT_DEAL, 0,
                   "the deal rests on the signed join texts of %d of %d seats; the others were entered by "
                   "the operator",
                   out->joined, a->game.seats);
}

static int check_seats(struct auditing *a)
{
    static const char *const with_seat[] = {"seat", "key", "orders"};
    for (size_t i = 0; i < sizeof with_seat / sizeof *with_seat; i++)
        if (audit_is(a, with_seat[i]) && !audit_seat(a))
            return audit_broken(a, AUDIT_FORM, 0, "there is no such seat");
    if (audit_is(a, "note") && audit_has(a, "seat") && !audit_seat(a))
        return audit_broken(a, AUDIT_FORM, 0, "there is no such seat");
    if (audit_is(a, "note") && audit_has(a, "turn") && a->known && audit_number(a, "turn") != a->game.turn)
        return audit_broken(a, AUDIT_ORDER, audit_seat(a), "it is not about the open turn, which is %d",
                            a->game.turn);
    return 0;
}

/* "" for robots, a digest for people. */
static int check_report_list(struct auditing *a)
{
    const json_t *list = json_object_get(a->record->json, "reports");
    if (json_array_size(list) != (size_t)a->game.seats)
        return audit_broken(a, AUDIT_FORM, 0, "it has not a report for each seat");
    for (int seat = 1; seat <= a->game.seats; seat++) {
        const char *hex = json_string_value(json_array_get(list, (size_t)seat - 1));
        if ((*hex == '\0') != a->game.seat[seat].robot)
            return audit_broken(a, AUDIT_REPORT, seat, "seat %d is %s", seat,
                                *hex ? "a robot's, and got a report" : "a player's, and got no report");
        if (!a->full && *hex && a->in->sealed && audit_may_open(a, seat, SEAL_REPORT)) {
            if (!audit_payload(a, seat, SEAL_REPORT, hex))
                return audit_sealed_missing(a, seat, SEAL_REPORT);
            a->out->reports++;
        }
    }
    return 0;
}

static int check_open(struct auditing *a)
{
    unsigned char key[32], got[32];
    if (!audit_hex(a, "seal_key", key))
        return audit_broken(a, AUDIT_FORM, 0, "its key cannot be read");
    seal_key_commitment(got, key);
    if (memcmp(got, a->game.seal_commitment, 32) != 0)
        return audit_broken(a, AUDIT_SALT, 0, "its key is not the one that the first record promised");
    a->out->opened = true;
    return 0;
}

static int check_end(struct auditing *a)
{
    int turns = a->game.turn ? a->game.turn - 1 : 0; /* a game may be void before it begins */
    if (audit_number(a, "turns") != turns)
        return audit_broken(a, AUDIT_RULES, 0, "it counts %lld turns, and %d were played",
                            (long long)audit_number(a, "turns"), turns);
    a->out->over = true;
    return a->full ? audit_scores(a) : 0;
}

/* What is asked of the record before it is applied. */
static int check_before(struct auditing *a)
{
    if (audit_is(a, "seat") || audit_kind_is(a, "wait"))
        return audit_seating(a) || audit_evidence(a) ? -1 : 0;
    if (audit_is(a, "orders"))
        return audit_orders(a);
    if (audit_is(a, "start") || audit_is(a, "turn"))
        return check_report_list(a);
    if (audit_is(a, "close"))
        return a->full ? audit_close(a) : 0;
    if (audit_kind_is(a, "press"))
        return audit_press(a);
    if (audit_is(a, "note"))
        return audit_evidence(a) || audit_clock_note(a) ? -1 : 0;
    if (audit_is(a, "end"))
        return check_end(a);
    if (audit_is(a, "excuse"))
        return audit_evidence(a);
    if (audit_is(a, "moderate"))
        return audit_moderate(a);
    return audit_is(a, "open") ? check_open(a) : 0;
}

static int apply(struct auditing *a)
{
    if (audit_is(a, "create"))
        return check_rules(a);
    if (!a->full)
        return audit_public(a);
    if (audit_is(a, "start") || audit_is(a, "turn"))
        return audit_play(a);
    return audit_apply(a, NULL);
}

static void tell_unknown(struct auditing *a)
{
    const char *why = audit_text(a, "why");
    const char *by = audit_text(a, "by");
    bool moderate = audit_is(a, "moderate");
    audit_note(a, AUDIT_NOTE, moderate ? AUDIT_INTERVENTION : AUDIT_UNKNOWN, audit_seat(a), "%s%s%s%s%s%s%s",
               moderate ? "a moderator has intervened" : "this audit checks of it only what replay does",
               *audit_text(a, "kind") ? ", " : "", audit_text(a, "kind"), *by ? ", by " : "", by,
               *why ? ": " : "", why);
}

static void note_after(struct auditing *a)
{
    int seat = audit_seat(a);
    if (!a->known)
        tell_unknown(a);
    if (audit_is(a, "key"))
        audit_note(
            a, AUDIT_WORD, AUDIT_KEYS, seat,
            "the keys of seat %d (%s) are others from here on; the evidence of that is in the league's own "
            "registry",
            seat, a->game.seat[seat].player);
    if (audit_is(a, "seat") || (audit_is(a, "moderate") && seat && a->game.turn == 0))
        a->joined[seat] = audit_has(a, "seal");
    if (audit_is(a, "start"))
        tell_deal(a);
    audit_witness_after(a);
    audit_moderate_after(a);
    bool played = audit_is(a, "start") || audit_is(a, "turn");
    if (played)
        a->moderated = false;
    a->closed = audit_is(a, "close") || (a->closed && !played);
    if (audit_kind_is(a, "instant"))
        a->instant = 0;
}

/* 0, -1: broken, -2: a file could not be read. */
static int check_record(struct auditing *a, const struct record *record, struct slice line, struct err *err)
{
    if (check_chain(a, record, line))
        return -1;
    a->record = record;
    int rc = audit_sealed_record(a, err);
    if (rc)
        return rc;
    if (audit_fields(a) || audit_place(a) || check_seats(a) || check_before(a) || apply(a) ||
        audit_sealed_unused(a))
        return -1;
    note_after(a);
    struct err why = ERR_INIT;
    if (past_keep(&a->past, &a->game, &why))
        return audit_broken(a, AUDIT_FORM, 0, "%s", why.text);
    a->out->records++;
    a->out->ended = record->time;
    memcpy(a->out->head, record->head, HEAD_BYTES);
    if (a->in->passed)
        a->in->passed(a->in->arg, record, &a->game, &a->payloads);
    return 0;
}

static int check_line(struct auditing *a, struct slice line, struct err *err)
{
    struct record record;
    struct err why = ERR_INIT;
    a->at = a->game.seq + 1;
    a->record = NULL;
    if (line.p[line.len - 1] != '\n')
        return audit_broken(a, AUDIT_FORM, 0,
                            "the journal ends in the middle of it: it was cut off, or a run was");
    if (record_parse(line, &record, &why))
        return audit_broken(a, AUDIT_FORM, 0, "%s", why.text);
    int rc = check_record(a, &record, line, err);
    a->record = NULL;
    record_release(&record);
    return rc;
}

/* ---- the whole ---- */

static int check_end_of_game(struct auditing *a, struct err *err)
{
    a->at = a->game.seq + 1;
    if (a->game.seq == 0)
        return audit_broken(a, AUDIT_FORM, 0, "the journal holds no record");
    if (audit_ending(a))
        return -1;
    a->at = 0;
    if (a->press_lost && a->out->press) {
        a->at = a->press_lost;
        return audit_broken(
            a, AUDIT_PRESS, 0,
            "what this message's seal stands for is missing, and that of other messages is there");
    }
    if (a->out->press_sealed)
        audit_note(a, AUDIT_NOTE, AUDIT_PRESS, 0,
                   "%lld message%s between players stay%s sealed; nothing else depends on "
                   "them",
                   (long long)a->out->press_sealed, a->out->press_sealed == 1 ? "" : "s",
                   a->out->press_sealed == 1 ? "s" : "");
    a->at = a->game.seq + 1;
    return audit_sealed_end(a, err);
}

static void sum_up(struct auditing *a)
{
    struct audit_result *out = a->out;
    const struct game *game = &a->game;
    out->ruleset = game->ruleset;
    out->seats = game->seats;
    out->over = out->over || (a->full && game->over);
    out->turn = out->over && game->turn > 0 ? game->turn - 1 : game->turn;
    out->replayed = a->full;
    out->sealed_missing = !a->in->sealed;
    a->at = 0;
    a->record = NULL;
    if (out->findings[AUDIT_BROKEN]) {
        out->verdict = AUDIT_REFUTED;
        return;
    }
    out->verdict = a->full ? AUDIT_PROVED : AUDIT_PARTLY;
    if (!a->full)
        audit_note(a, AUDIT_SEALED, AUDIT_SEAL, 0, "%s",
                   a->in->sealed
                       ? "orders and hidden draws are sealed until the game is over: the rules were not "
                         "played again"
                       : "there is no sealed.jsonl: the rules were not played again");
}

static void release(struct auditing *a)
{
    for (int seat = 0; seat <= SEATS_MAX; seat++)
        free(a->seals[seat].list);
    if (a->has_ahead)
        sealed_release(&a->ahead);
    sealed_set_release(&a->payloads);
    zones_release(&a->zones);
    past_release(&a->past);
    game_release(&a->game);
    free(a);
}

int audit_run(struct audit *audit, struct audit_result *result, struct err *err)
{
    struct auditing *a = mem_alloc(sizeof *a);
    struct slice line;
    memset(result, 0, sizeof *result);
    a->in = audit;
    a->out = result;
    a->at = 1;
    game_init(&a->game);
    int rc = audit_sealed_begin(a, err) ? -2 : 0;
    while (rc == 0) {
        rc = lines_next(audit->journal, &line, err) ? -2 : 0;
        if (rc || !line.len)
            break;
        rc = check_line(a, line, err);
    }
    if (rc == 0)
        rc = check_end_of_game(a, err);
    if (rc != -2)
        sum_up(a);
    release(a);
    return rc == -2 ? -1 : 0;
}
