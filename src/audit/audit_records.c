/* What each type of record requires besides being signed, chained and applied. */
#include <string.h>

#include "base/clock.h"
#include "base/mem.h"
#include "audit/audit_parts.h"
#include "game/members.h"
#include "play/deadline.h"

static int check_options(struct auditing *a, const struct ruleset *ruleset)
{
    const char *name;
    json_t *value;
    json_object_foreach (json_object_get(a->record->json, "options"), name, value) {
        int i = 0;
        while (i < GAME_OPTIONS && ruleset->options[i].name && strcmp(ruleset->options[i].name, name) != 0)
            i++;
        const struct game_option *option = i < GAME_OPTIONS ? &ruleset->options[i] : NULL;
        if (!option || !option->name)
            return audit_newer(a, "its option \"%.30s\" is not known to this Turnpost", name);
        if (!json_is_integer(value) || json_integer_value(value) < option->min ||
            json_integer_value(value) > option->max)
            return audit_broken(a, AUDIT_RULES, 0, "the rules have no option \"%.30s\" with such a value",
                                name);
    }
    return 0;
}

/* An entry of the table without its "for:"; NULL when it is not a text. */
static const char *player_named(const json_t *entry)
{
    const char *name = json_string_value(entry);
    return name && str_starts(name, "for:") ? name + 4 : name;
}

static int check_table(struct auditing *a)
{
    bool kept = false;
    size_t i, k;
    json_t *item;
    const json_t *table = json_object_get(a->record->json, "table");
    json_array_foreach (table, i, item) {
        const char *name = player_named(item);
        kept |= name != json_string_value(item);
        for (k = 0; name && *name && k < i; k++) {
            const char *other = player_named(json_array_get(table, k));
            if (other && strcmp(other, name) == 0)
                return audit_broken(a, AUDIT_FORM, 0, "its table gives two seats to one name");
        }
    }
    return audit_has(a, "answer_by") == kept
               ? 0
               : audit_broken(a, AUDIT_FORM, 0,
                              "\"answer_by\" is for seats that are kept, and only for these");
}

int audit_create(struct auditing *a)
{
    const struct ruleset *ruleset = ruleset_find(audit_text(a, "ruleset"), audit_number(a, "version"));
    return check_table(a) || (ruleset && check_options(a, ruleset)) ? -1 : 0;
}

int audit_created(struct auditing *a)
{
    const json_t *clock = json_object_get(a->record->json, "clock");
    json_t *again = schedule_json(&a->game.clock.schedule);
    bool same = !clock || json_equal(clock, again);
    json_decref(again);
    if (a->game.clock.schedule.has_years) {
        memcpy(a->out->zone, a->game.clock.schedule.zone, sizeof a->out->zone);
        a->out->years = a->game.clock.schedule.years;
    }
    return same ? 0 : audit_broken(a, AUDIT_FORM, 0, "its clock has members that no clock has");
}

/* What the deal depends on: only what the league could not choose makes its draws fair. */
static void tell_deal(struct auditing *a)
{
    struct audit_result *out = a->out;
    for (int seat = 1; seat <= a->game.seats; seat++) {
        const char *entry = a->game.table.entry[seat];
        bool joined = !*entry || str_starts(entry, "for:");
        out->robots += a->game.seat[seat].robot;
        out->joined += joined;
    }
    memcpy(out->competition, a->game.table.place.name, sizeof out->competition);
    if (*out->competition)
        audit_note(
            a, AUDIT_NOTE, AUDIT_DEAL, 0,
            "the deal follows from the draw of table %d of round %d of competition %s: that it does is shown "
            "by the audit of that",
            a->game.table.place.table, a->game.table.place.round, out->competition);
    else if (!out->joined)
        audit_word(
            a, AUDIT_DEAL, 0,
            "the deal rests on the operator's word: only robots play, and no player's text is in its draws");
    else
        audit_note(a, AUDIT_NOTE, AUDIT_DEAL, 0,
                   "the deal rests on the texts by which all players joined when the game was fixed already");
}

/* Names in a record must be names: nothing that would control a terminal, or read as somebody else. */
static int check_names(struct auditing *a)
{
    static const char *const names[] = {"by", "player", "robot", "left", "to", "witness"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (json_is_string(
                json_object_get(a->record->json, names[i])) && /* of press "to" is a list, or "all" */
            !name_valid(slice_of(audit_text(a, names[i]))))
            return audit_broken(a, AUDIT_FORM, 0, "its member \"%s\" is no name", names[i]);
    return 0;
}

int audit_counts(struct auditing *a)
{
    if (check_names(a))
        return -1;
    char seat = audit_has(a, "seat") ? members_kind(a->kind->members, "seat") : 0;
    if (seat && !audit_seat(a))
        return audit_broken(a, AUDIT_FORM, 0, "there is no such seat");
    static const char *const lists[] = {"seats", "missing", "awaited", "missed", "set", "told"};
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
        const json_t *list = json_object_get(a->record->json, lists[i]);
        size_t count = json_array_size(list); /* rising */
        if (count && json_integer_value(json_array_get(list, count - 1)) > a->game.seats)
            return audit_broken(a, AUDIT_FORM, 0, "there is no such seat");
    }
    const struct game_seat *who = &a->game.seat[audit_seat(a)];
    if (seat == 'P' && (who->robot || !*who->player))
        return audit_broken(a, AUDIT_KEYS, audit_seat(a), "no player has that seat");
    if (audit_is(a, "note") && audit_has(a, "turn") && audit_number(a, "turn") != a->game.turn)
        return audit_broken(a, AUDIT_ORDER, audit_seat(a), "it is not about the open turn, which is %d",
                            a->game.turn);
    return 0;
}

/* A text counts once, and leads to one record; so does a mail, together with it. */
static int check_again(struct auditing *a)
{
    unsigned char mark[32];
    bool text = audit_hex(a, "text", mark);
    if (text && !digests_add(&a->seen.texts, mark))
        return audit_broken(a, AUDIT_TEXT, audit_seat(a), "the same text was obeyed before");
    if (text && audit_hex(a, "mail", mark) && !digests_add(&a->seen.mails, mark))
        return audit_broken(a, AUDIT_TEXT, audit_seat(a), "the same mail was obeyed before");
    return 0;
}

/* The seats whose reports were made of the turn are players'. */
static int check_told(struct auditing *a)
{
    size_t i;
    json_t *item;
    json_array_foreach (json_object_get(a->record->json, "told"), i, item) {
        int seat = (int)json_integer_value(item);
        if (a->game.seat[seat].robot)
            return audit_broken(a, AUDIT_REPORT, seat, "seat %d is a robot's, and was told", seat);
    }
    return 0;
}

/* "" for robots, a digest for people. */
static int check_report_list(struct auditing *a)
{
    const json_t *list = json_object_get(a->record->json, "reports");
    if (json_array_size(list) != (size_t)a->game.seats)
        return audit_broken(a, AUDIT_FORM, 0, "it has not a report for each seat");
    if (check_told(a))
        return -1;
    for (int seat = 1; seat <= a->game.seats; seat++) {
        const char *hex = json_string_value(json_array_get(list, (size_t)seat - 1));
        if ((*hex == '\0') != a->game.seat[seat].robot)
            return audit_broken(a, AUDIT_REPORT, seat, "seat %d is %s", seat,
                                *hex ? "a robot's, and got a report" : "a player's, and got no report");
    }
    return 0;
}

static int check_open(struct auditing *a)
{
    unsigned char key[32], got[32];
    if (!audit_hex(a, "seal_key", key))
        return audit_broken(a, AUDIT_FORM, 0, "its key cannot be read");
    seal_key_commitment(got, key);
    if (memcmp(got, a->game.journal.seal_commitment, 32) != 0)
        return audit_broken(a, AUDIT_SEAL, 0, "its key is not the one that the first record promised");
    a->out->opened = true;
    return 0;
}

/* The position of a score in the list: those without one come last, seats of one in rising order. */
static bool follows(const json_t *before, const json_t *score)
{
    int64_t one = json_integer_value(json_object_get(before, "place"));
    int64_t two = json_integer_value(json_object_get(score, "place"));
    if (one != two)
        return two == 0 || (one != 0 && one < two);
    return json_integer_value(json_object_get(before, "seat")) <
           json_integer_value(json_object_get(score, "seat"));
}

static bool is_score(const struct auditing *a, const json_t *score)
{
    int64_t seat = json_integer_value(json_object_get(score, "seat"));
    const char *name = json_string_value(json_object_get(score, "name"));
    return json_object_size(score) == 8 && seat >= 1 && seat <= a->game.seats && name &&
           strcmp(name, a->game.seat[seat].player) == 0 &&
           json_is_integer(json_object_get(score, "points")) &&
           json_is_integer(json_object_get(score, "place")) &&
           json_integer_value(json_object_get(score, "place")) >= 0 &&
           json_is_boolean(json_object_get(score, "won")) &&
           json_is_boolean(json_object_get(score, "lost")) &&
           json_is_string(json_object_get(score, "rank")) && json_is_false(json_object_get(score, "you"));
}

/* A place is 1 and the number of better ones; a round that is over ranks who has not lost by points. */
static bool is_placed(const json_t *scores, const json_t *score, bool cut)
{
    const int64_t place = json_integer_value(json_object_get(score, "place"));
    const int64_t points = json_integer_value(json_object_get(score, "points"));
    const json_t *other;
    int64_t better = 0;
    size_t i;
    json_array_foreach ((json_t *)(uintptr_t)scores, i, other) {
        const int64_t place_of = json_integer_value(json_object_get(other, "place"));
        if (cut)
            better += !json_is_true(json_object_get(other, "lost")) &&
                      json_integer_value(json_object_get(other, "points")) > points;
        else
            better += place_of && place_of < place;
    }
    const bool unplaced = cut ? json_is_true(json_object_get(score, "lost")) : place == 0;
    return place == (unplaced ? 0 : better + 1) && !(cut && json_is_true(json_object_get(score, "won")));
}

/* What is public of an end, where the rules are not played. */
static int check_public_end(struct auditing *a)
{
    const char *reason = audit_text(a, "reason");
    const json_t *scores = json_object_get(a->record->json, "scores"), *score;
    uint32_t seats = 0;
    size_t i;
    if (strcmp(reason, GAME_ROUND_OVER) == 0 && !game_round_over(&a->game, a->record->time))
        return audit_broken(a, AUDIT_RULES, 0, "its round was not over");
    if (strcmp(reason, "void") == 0 || strcmp(reason, "unanswered") == 0)
        return audit_broken(a, AUDIT_RULES, 0, "the game did not end like that");
    json_array_foreach ((json_t *)(uintptr_t)scores, i, score) {
        uint32_t seat = is_score(a, score) ? SEAT_BIT(json_integer_value(json_object_get(score, "seat"))) : 0;
        if (!seat || (seats & seat) || (i && !follows(json_array_get(scores, i - 1), score)))
            return audit_broken(a, AUDIT_FORM, 0, "its scores are none, or not in order");
        if (!is_placed(scores, score, strcmp(reason, GAME_ROUND_OVER) == 0))
            return audit_broken(a, AUDIT_FORM, 0, "its scores have places that cannot be");
        seats |= seat;
    }
    return i == (size_t)a->game.seats
               ? 0
               : audit_broken(a, AUDIT_FORM, 0, "its scores are not those of all seats");
}

static int check_end(struct auditing *a)
{
    int turns = a->game.turn ? a->game.turn - 1 : 0; /* a game may be void before it begins */
    if (audit_number(a, "turns") != turns)
        return audit_broken(a, AUDIT_RULES, 0, "it counts %lld turns, and %d were played",
                            (long long)audit_number(a, "turns"), turns);
    a->out->over = true;
    return a->full || a->game.voided || a->game.turn == 0 ? audit_scores(a) : check_public_end(a);
}

/* A ruling must be on an existing appeal. */
static int check_ruling(struct auditing *a)
{
    size_t i = 0;
    if (audit_evidence(a))
        return -1;
    while (i < a->seen.appeal_count && a->seen.appeals[i].record != audit_number(a, "appeal"))
        i++;
    return a->live || (i < a->seen.appeal_count && a->seen.appeals[i].about == audit_number(a, "about"))
               ? 0
               : audit_broken(a, AUDIT_ORDER, 0, "it rules on a record that is no appeal about that turn");
}

static void keep_appeal(struct auditing *a)
{
    a->seen.appeals =
        mem_grow(a->seen.appeals, a->seen.appeal_count, &a->seen.appeal_cap, sizeof *a->seen.appeals);
    a->seen.appeals[a->seen.appeal_count++] = (struct audit_appeal){a->record->seq, audit_number(a, "about")};
}

static int check_seat(struct auditing *a)
{
    return audit_seating(a) || audit_evidence(a) ? -1 : 0;
}

static int check_start(struct auditing *a)
{
    audit_witness_turn(a);
    return (!a->game.witnesses.count && audit_standstill(a)) || check_report_list(a) ? -1 : 0;
}

static int check_turn(struct auditing *a)
{
    audit_witness_turn(a);
    return check_report_list(a);
}

static int check_close(struct auditing *a)
{
    return audit_standstill(a) || (a->full && audit_close(a)) ? -1 : 0;
}

static int check_clock(struct auditing *a)
{
    return audit_evidence(a) || audit_clock_note(a) ? -1 : 0;
}

/* Who was shown records that are gone has a word to say about that (publish/receipts.h). */
static int tell_lost(struct auditing *a)
{
    a->out->lost++;
    audit_word(
        a, AUDIT_LOST, 0,
        "the league lost what came after record %lld, and the turn that was open then has other draws: "
        "the league's log has to say so, too (audit --log), and who was shown records that are gone can "
        "compare (receipt-check)",
        (long long)a->game.seq);
    return audit_clock_note(a);
}

/* A player's text says which keys count, or seven days in which the table knew. */
static int check_keys(struct auditing *a)
{
    if (audit_has(a, "asked") == audit_has(a, "signed"))
        return audit_broken(
            a, AUDIT_SIGNATURE, audit_seat(a),
            "nobody has signed that the seat has other keys, and nobody asked for them before");
    return audit_evidence(a);
}

/* Who asked for a key or a mailbox, or said no, the league says: it takes nothing from the seat but the seven days of a wait. */
static int check_said_so(struct auditing *a)
{
    (void)a;
    return 0;
}

/* What is checked of a kind before it is applied, besides what its row says. For all others only the signed
 * text that leads to them, if there is one. */
static int (*const checks[RECORD_IDS])(struct auditing *a) = {
    [RECORD_SEAT] = check_seat,         [RECORD_WAIT] = check_seat,       [RECORD_ORDERS] = audit_orders,
    [RECORD_START] = check_start,       [RECORD_CLOSE] = check_close,     [RECORD_TURN] = check_turn,
    [RECORD_PRESS] = audit_press,       [RECORD_APPEAL] = audit_press,    [RECORD_RULING] = check_ruling,
    [RECORD_SHIFT] = check_clock,       [RECORD_HOLD] = check_clock,      [RECORD_VOTE] = check_clock,
    [RECORD_END] = check_end,           [RECORD_OPEN] = check_open,       [RECORD_LOST] = tell_lost,
    [RECORD_QUESTION] = audit_question, [RECORD_KEY] = check_keys,        [RECORD_REKEY] = check_said_so,
    [RECORD_VETO] = check_said_so,      [RECORD_MAILBOX] = check_said_so, [RECORD_UNWITNESS] = check_clock,
};

int audit_before(struct auditing *a)
{
    if (check_again(a) || audit_lockstep(a))
        return -1;
    if (audit_is(a, "moderate"))
        return audit_moderate(a);
    int (*check)(struct auditing *) = checks[record_id_of(a->kind)];
    return check ? check(a) : audit_evidence(a);
}

void audit_after(struct auditing *a)
{
    int seat = audit_seat(a);
    audit_seat_keys_after(a);
    if (audit_is(a, "seat") || (audit_is(a, "moderate") && seat && a->game.turn == 0))
        a->joined[seat] = audit_has(a, "mark");
    if (audit_is(a, "start"))
        tell_deal(a);
    if (audit_kind_is(a, RECORD_APPEAL))
        keep_appeal(a);
    audit_witness_after(a);
    audit_came(a);
    a->resolve[0] = '\0';
    audit_moderate_after(a);
    bool played = audit_is(a, "start") || audit_is(a, "turn");
    a->closed = audit_is(a, "close") || (a->closed && !played && a->game.closed);
    if (audit_kind_is(a, RECORD_INSTANT))
        a->instant = 0;
    bool resigned = audit_is(a, "seat") && strcmp(audit_text(a, "why"), "resigned") == 0 &&
                    !audit_has(a, "signed") && !audit_has(a, "said");
    bool ordered =
        audit_is(a, "orders") || (audit_is(a, "moderate") && strcmp(audit_text(a, "do"), "orders") == 0);
    a->led = ordered || resigned ? seat : 0;
}
