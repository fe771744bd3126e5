/* The rules, played again: turns, scores, and what only a played game can tell about the other records.
 */
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/encode.h"
#include "base/json.h"
#include "game/apply.h"
#include "audit/audit_parts.h"
#include "play/facts.h"

int audit_refused(struct auditing *a, const struct err *err)
{
    bool turn = audit_is(a, "turn") || audit_is(a, "start") || audit_is(a, "close") ||
                audit_kind_is(a, RECORD_INSTANT);
    const char *text = err->text;
    const char *behind = strstr(text, "): ");
    if (str_starts(text, "record ") && behind)
        text = behind + 3;
    if (err->code == ERR_NEWER)
        return audit_newer(a, "%s", text);
    return audit_broken(a, turn ? AUDIT_RULES : AUDIT_ORDER, audit_seat(a), "%s", text);
}

int audit_apply(struct auditing *a, struct turn_result *result)
{
    struct err err = ERR_INIT;
    struct game *game = &a->game;
    /* The length does not matter here: lines are not looked up again. */
    struct apply_input input = {a->record, game->journal.length + 1, &a->payloads, result, &a->past, false};
    if (game_apply(game, &input, &err))
        return audit_refused(a, &err);
    return 0;
}

/* ---- turns ---- */

/* A report has no box: what was told follows from the rules, and the seal from that. */
static bool is_report(struct auditing *a, int seat, struct slice told, const char *hex)
{
    unsigned char salt[32], seal[SEAL_BYTES], said[SEAL_BYTES];
    if (a->live) {
        const struct sealed *sealed = audit_payload(a, seat, SEAL_REPORT, hex);
        return sealed && slice_eq(told, sealed->payload.p);
    }
    seal_salt(salt, a->keys.seal, &(struct sealed_place){a->record->seq, seat, SEAL_REPORT}, told);
    seal_of(seal, salt, told);
    return hex_decode(said, sizeof said, slice_of(hex)) && memcmp(seal, said, sizeof seal) == 0;
}

/* Compares what each seat was told with the digest that was sealed at the time. */
static int check_reports(struct auditing *a, const struct turn_result *result)
{
    const json_t *reports = json_object_get(a->record->json, "reports");
    for (int seat = 1; seat <= a->game.seats; seat++) {
        const char *hex = json_string_value(json_array_get(reports, (size_t)seat - 1));
        char told[65];
        if (!result->view[seat])
            continue;
        hex_to(told, result->told[seat], sizeof result->told[seat]);
        if (!is_report(a, seat, slice_of(told), hex ? hex : ""))
            return audit_broken(a, AUDIT_REPORT, seat,
                                "the report of seat %d is not what the rules let it know of this turn", seat);
        a->out->counts.reports++;
    }
    return 0;
}

/* `labels`: those of the turn so far, each with a line feed before and after it. */
static int check_hidden(struct auditing *a, const struct chance *dice, const json_t *payload,
                        struct str *labels)
{
    const char *label = json_string_value(json_object_get(payload, "label"));
    const char *proof = json_string_value(json_object_get(payload, "proof"));
    unsigned char bytes[VRF_PROOF];
    struct str line = STR_INIT;
    str_addf(&line, "\n%s\n", label ? label : "");
    bool own =
        line.len > 2 && line.len < CHANCE_LABEL + 2 && slice_find(slice_str(labels), line.p) == (size_t)-1;
    str_add(labels, line.p, line.len);
    str_release(&line);
    if (!own)
        return audit_broken(a, AUDIT_DRAW, 0, "a hidden draw has no label of its own");
    if (!proof || !hex_decode(bytes, VRF_PROOF, slice_of(proof)) || !chance_hides(dice, label, bytes))
        return audit_broken(a, AUDIT_DRAW, 0, "a hidden draw does not follow from its proof");
    a->out->counts.proofs++;
    return 0;
}

/* All payloads of the draws are there, and none twice: game_recompute looks for them by their seals. */
int audit_hidden(struct auditing *a, const struct chance *dice)
{
    const json_t *list = json_object_get(a->record->json, "hidden");
    struct str labels = STR_INIT;
    int rc = 0;
    for (size_t i = 0; rc == 0 && i < json_array_size(list); i++) {
        const char *hex = json_string_value(json_object_get(json_array_get(list, i), "seal"));
        const struct sealed *sealed = audit_payload(a, 0, SEAL_HIDDEN + (int)i, hex ? hex : "");
        struct err err = ERR_INIT;
        if (!sealed && !audit_may_open(a, 0, SEAL_HIDDEN + (int)i))
            continue;
        json_t *payload = sealed ? json_read(slice_str(&sealed->payload), "draw", &err) : NULL;
        if (!sealed)
            rc = audit_box_wrong(a, 0, SEAL_HIDDEN + (int)i);
        else if (json_object_size(payload) != 2)
            rc = audit_broken(a, AUDIT_FORM, 0, "what it keeps of a hidden draw cannot be read");
        else if (dice)
            rc = check_hidden(a, dice, payload, &labels);
        json_decref(payload);
    }
    str_release(&labels);
    return rc;
}

static int play(struct auditing *a, struct turn_result *result)
{
    struct err err = ERR_INIT;
    size_t hidden = json_array_size(json_object_get(a->record->json, "hidden"));
    if (audit_number(a, "turn") != a->game.turn || audit_is(a, "start") != (a->game.turn == 0))
        return audit_broken(a, AUDIT_ORDER, 0, "it is not about the open turn, which is %d", a->game.turn);
    if (audit_hidden(a, NULL))
        return -1;
    if (a->live)
        return check_reports(a, result);
    struct apply_input input = {.record = a->record, .sealed = &a->payloads};
    if (game_recompute(&a->game, &input, NULL, result, &err)) {
        const char *behind = strstr(err.text, "): ");
        return audit_broken(a, AUDIT_DRAW, 0, "%s", behind ? behind + 3 : err.text);
    }
    a->out->counts.proofs++;
    a->out->counts.hidden += (int64_t)hidden;
    if (result->chance.hidden_used != hidden)
        return audit_broken(a, AUDIT_DRAW, 0, "it keeps proofs of hidden draws that were never made");
    return check_reports(a, result);
}

/* Orders for the turn that opens, in the same text as those that are played. */
static int check_next(struct auditing *a, const struct turn_result *result)
{
    const struct game *game = &a->game;
    const struct game_orders *orders = &game->seat[1].orders;
    if (game->seats > 1 || game->turn == 0 || orders->set || !game->ruleset->awaits(result->state) ||
        !turn_goes_on(game, 1, &result->events))
        return 0;
    struct script *script = turn_next_orders(game, 1);
    int rc = audit_waits(a, 1, script, orders->final);
    script_free(script);
    return rc;
}

int audit_played(struct auditing *a, struct turn_result *result, struct audit_opening *opening)
{
    const struct game *game = &a->game;
    *opening = (struct audit_opening){.before = game->clock.deadline, .doubt = a->doubt};
    if (play(a, result) || check_next(a, result))
        return -1;
    opening->interrupted = game->ruleset->interrupted && game->ruleset->interrupted(result->state);
    return 0;
}

int audit_play(struct auditing *a)
{
    struct turn_result result = {0};
    struct audit_opening opening;
    int rc = audit_played(a, &result, &opening) || audit_apply(a, &result) ? -1 : 0;
    turn_result_release(&result);
    if (rc)
        return -1;
    a->out->counts.turns += a->game.turn > 1;
    return audit_deadline(a, &opening);
}

int audit_close(struct auditing *a)
{
    if (audit_number(a, "turn") != a->game.turn)
        return audit_broken(a, AUDIT_ORDER, 0, "it is not about the open turn, which is %d", a->game.turn);
    if (a->game.turn == 0) /* the deal is closed for its witnesses when all seats are taken */
        return 0;
    return audit_closing(a, game_missing(&a->game));
}

/* ---- the end ---- */

int audit_scores(struct auditing *a)
{
    const struct game *game = &a->game;
    json_t *scores = facts_final(game);
    bool same = json_equal(scores, json_object_get(a->record->json, "scores"));
    json_decref(scores);
    if (!same)
        return audit_broken(a, AUDIT_RULES, 0, "its scores are not those that the rules give");
    if (strcmp(audit_text(a, "reason"), game_ending(game)) != 0)
        return audit_broken(a, AUDIT_RULES, 0, "the game did not end like that by the rules");
    return 0;
}
