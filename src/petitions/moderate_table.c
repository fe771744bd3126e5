/* Moderators and the table itself: rollback, void, correct. */

#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

#include "game/correction.h"
#include "play/facts.h"
#include "game/seating.h"
#include "petitions/moderate.h"
#include "play/step_parts.h"
#include "game/game_load.h"

/* Observers are told as well. */
static void tell_observers(struct ruling *ruling, const struct str *list, json_t *what)
{
    struct slice rest = slice_str(list);
    struct slice name;
    while (slice_word(&rest, &name)) {
        char *player = slice_dup(name);
        if (!petition_moderator(ruling->batch->league, player))
            ruling_tell(ruling, 0, player, ruling_facts(ruling, 0, what));
        free(player);
    }
}

/* ---- rollback ---- */

static bool read_number(struct slice word, int64_t *number)
{
    *number = 0;
    for (size_t i = 0; i < word.len; i++) {
        if (word.p[i] < '0' || word.p[i] > '9' || *number > 99999999)
            return false;
        *number = *number * 10 + (word.p[i] - '0');
    }
    return word.len > 0;
}

/* "turn 5", "record 34", "34" */
static bool read_target(struct ruling *ruling, struct past *past, int64_t *record)
{
    struct slice rest = ruling->words;
    struct slice word;
    int64_t number = 0;
    bool found = slice_word(&rest, &word);
    bool turn = found && slice_caseeq(word, "turn");
    if (turn || (found && slice_caseeq(word, "record")))
        found = slice_word(&rest, &word);
    if (!found || !read_number(word, &number) || slice_trim(rest).len) {
        (void)hearing_refuse(ruling->hearing, "rollback_takes");
        return false;
    }
    *record = turn ? 0 : number;
    past->turn = turn ? (int)number : 0;
    if (turn && (number < 1 || number > ruling->game->turn))
        (void)hearing_refuse(ruling->hearing, "rollback_turns game=%s turn=%d", ruling->game->id,
                             ruling->game->turn);
    else if (!turn && (number < 1 || number >= ruling->game->seq))
        (void)hearing_refuse(ruling->hearing, "rollback_records game=%s records=%lld", ruling->game->id,
                             (long long)ruling->game->seq);
    return !ruling->hearing->refusal;
}

/* The game as it was then; NULL with a refusal. */
static const struct game *find_past(struct ruling *ruling, struct past *past, int64_t *record)
{
    struct err why = ERR_INIT;
    const struct batch_game *entry = ruling->hearing->entry;
    if (*record) {
        past->wanted = mem_grow(past->wanted, 0, &past->wanted_cap, sizeof *past->wanted);
        past->wanted[past->wanted_count++] = *record;
    }
    if (past_read(ruling->batch->store, ruling->game->id, slice_str(&entry->records), past, &why)) {
        (void)hearing_refuse(ruling->hearing, "rollback_unread error=%s", why.text);
        return NULL;
    }
    if (!*record)
        *record = past->opened;
    const struct game *then = past_find(past, *record);
    if (!then || then->turn < 1 || then->over || then->closed ||
        strcmp(then->journal.last_type, "close") == 0 || *record >= ruling->game->seq) {
        (void)hearing_refuse(ruling->hearing, "not_open record=%lld", (long long)*record);
        return NULL;
    }
    return then;
}

static json_t *back_facts(const struct game *game, const struct game *then, int64_t record)
{
    json_t *what =
        json_pack("{s:I,s:i,s:i,s:b,s:b}", "record", (json_int_t)record, "first", then->turn, "last",
                  game->turn, "same_turn", then->turn == game->turn, "one", then->turn == game->turn - 1);
    json_object_set_new(what, "before_last", json_integer(game->turn - 1));
    ruling_time(what, "then", then->time);
    return what;
}

static void tell_back(struct ruling *ruling, const char *player, void *what)
{
    ruling_tell(ruling, 0, player, ruling_facts(ruling, 0, what));
}

static void announce_back(struct ruling *ruling, json_t *what)
{
    const struct game *game = ruling->game;
    for (int seat = 1; seat <= game->seats; seat++) {
        if (game->seat[seat].robot)
            continue;
        json_t *own = json_copy(what);
        json_object_set_new(own, "in_force", json_boolean(game->seat[seat].orders.in));
        json_object_set_new(own, "player_here", json_true());
        json_t *facts = ruling_facts(ruling, seat, own);
        json_decref(own);
        facts_view(facts, game, seat);
        facts_standing(facts, game, seat);
        json_object_set_new(facts, "with_table", json_true());
        ruling_tell(ruling, seat, "", facts);
    }
    ruling_moderators(ruling, tell_back, what);
    tell_observers(ruling, &game->observers.names, what);
}

static int go_back(struct ruling *ruling, const struct game *then, int64_t record, struct err *err)
{
    struct game *game = ruling->game;
    unsigned char digest[32];
    json_t *what = back_facts(game, then, record);
    int64_t now = game_clock(game, ruling->step->now);
    int64_t deadline = game_next_deadline(game, now);
    fields_digest(game->ruleset->fields, then->state, digest);
    json_t *fields = json_pack("{s:I,s:i,s:i,s:o}", "record", (json_int_t)record, "turn", then->turn, "from",
                               game->turn, "state", json_hex(digest, 32));
    if (deadline)
        json_object_set_new(fields, "deadline", json_time(deadline));
    int rc = ruling_record(ruling, fields, err);
    if (rc == 0) {
        announce_back(ruling, what);
        rc = ruling_go_on(ruling, err);
    }
    json_decref(what);
    return rc;
}

enum outcome moderate_rollback(struct ruling *ruling, struct err *err)
{
    struct past past = {.wanted = NULL};
    int64_t record;
    if (!read_target(ruling, &past, &record))
        return OUTCOME_REFUSED;
    const struct game *then = find_past(ruling, &past, &record);
    enum outcome outcome = OUTCOME_REFUSED;
    if (then) {
        ruling->step->past = &past;
        outcome = go_back(ruling, then, record, err);
        ruling->step->past = NULL;
    }
    past_release(&past);
    return outcome;
}

/* ---- void ---- */

enum outcome moderate_void(struct ruling *ruling, struct err *err)
{
    struct game *game = ruling->game;
    if (ruling->words.len)
        return hearing_refuse(ruling->hearing, "do_takes_nothing do=%s", ruling->action->word);
    const uint32_t asked = seating_unanswered(game);
    if (ruling_record(ruling, NULL, err))
        return OUTCOME_FAILED;
    ruling_announce(ruling, NULL);
    tell_observers(ruling, &game->observers.names, NULL);
    for (int seat = 1; seat <= game->seats; seat++) /* who was asked to join, and has not answered */
        if ((asked & SEAT_BIT(seat)) && !petition_moderator(ruling->batch->league, seating_keeps(game, seat)))
            ruling_tell(ruling, 0, seating_keeps(game, seat), ruling_facts(ruling, 0, NULL));
    for (size_t i = 0; i < game->table.waiting_count; i++)
        if (!petition_moderator(ruling->batch->league, game->table.waiting[i].player))
            ruling_tell(ruling, 0, game->table.waiting[i].player, ruling_facts(ruling, 0, NULL));
    return step_end(ruling->step, game, err) || step_last_reports(ruling->step, game, err) ? OUTCOME_FAILED
                                                                                           : OUTCOME_DONE;
}

/* ---- correct ---- */

/* What is corrected, and who sees that. */
struct correcting {
    json_t *all; /* as it was written */
    uint32_t seen[CORRECTION_MOST];
    size_t hidden; /* not public */
};

/* The line after "correct", and those below. */
static enum outcome read_changes(struct ruling *ruling, struct correcting *what)
{
    struct slice rest = ruling->text;
    struct slice line = ruling->words;
    struct err why = ERR_INIT;
    what->all = json_array();
    do {
        line = slice_trim(line);
        json_t *change = line.len ? correction_read(ruling->game, line, &why) : NULL;
        if (line.len && !change) {
            reason_err(&ruling->hearing->refusal, &why);
            return OUTCOME_REFUSED;
        }
        if (change)
            json_array_append_new(what->all, change);
        if (json_array_size(what->all) > CORRECTION_MOST)
            return hearing_refuse(ruling->hearing, "correct_most most=%d", CORRECTION_MOST);
    } while (slice_line(&rest, &line));
    if (json_array_size(what->all) == 0)
        return hearing_refuse(ruling->hearing, "correct_takes");
    for (size_t i = 0; i < json_array_size(what->all); i++) {
        what->seen[i] = correction_visible(ruling->game, json_array_get(what->all, i));
        what->hidden += !(what->seen[i] & CORRECTION_PUBLIC);
    }
    return OUTCOME_DONE;
}

/* A moderator who plays must not learn or change what they cannot see: the same words no matter what is
 * there.
 */
static bool may_correct(struct ruling *ruling, const struct correcting *what)
{
    bool involved = moderator_involved(ruling->game, ruling->by);
    for (size_t i = 0; involved && i < json_array_size(what->all); i++)
        if (!(what->seen[i] & (CORRECTION_PUBLIC | (ruling->seat ? SEAT_BIT(ruling->seat) : 0)))) {
            (void)hearing_refuse(ruling->hearing, "correct_unseen game=%s", ruling->game->id);
            return false;
        }
    return true;
}

/* After may_correct, which gives a moderator who plays the same answer whether the value was right or not. */
static bool changes_nothing(struct ruling *ruling, const struct correcting *what)
{
    size_t i;
    json_t *change;
    json_array_foreach (what->all, i, change) {
        if (!json_equal(json_object_get(change, "before"), json_object_get(change, "after")))
            continue;
        (void)hearing_refuse(ruling->hearing, "same_value field=%s",
                             json_string_value(json_object_get(change, "path")));
        return true;
    }
    return false;
}

static json_t *changes_for(const struct correcting *what, uint32_t reader)
{
    json_t *list = json_array();
    for (size_t i = 0; i < json_array_size(what->all); i++)
        if (what->seen[i] & (CORRECTION_PUBLIC | reader))
            json_array_append(list, json_array_get(what->all, i));
    return list;
}

static json_t *hidden_changes(const struct correcting *what)
{
    json_t *list = json_array();
    for (size_t i = 0; i < json_array_size(what->all); i++)
        if (!(what->seen[i] & CORRECTION_PUBLIC))
            json_array_append(list, json_array_get(what->all, i));
    return list;
}

/* "before" and "after" as text. */
static json_t *shown(const json_t *changes)
{
    json_t *list = json_array();
    size_t i;
    json_t *change;
    json_array_foreach ((json_t *)(uintptr_t)changes, i, change) {
        struct str before = STR_INIT, after = STR_INIT;
        json_write(&before, json_object_get(change, "before"));
        json_write(&after, json_object_get(change, "after"));
        json_array_append_new(list,
                              json_pack("{s:O,s:o,s:o}", "path", json_object_get(change, "path"), "was",
                                        json_text(slice_str(&before)), "is", json_text(slice_str(&after))));
        str_release(&before);
        str_release(&after);
    }
    return list;
}

/* The facts of one reader; takes ownership of `changes`. */
static json_t *correct_facts(const struct ruling *ruling, const struct correcting *what, int seat,
                             json_t *changes)
{
    size_t hidden = json_array_size(what->all) - json_array_size(changes);
    json_t *list = shown(changes);
    json_t *own = json_pack("{s:b,s:b}", "some_hidden", hidden > 0, "none_shown", json_array_size(list) == 0);
    if (json_array_size(list))
        json_object_set_new(own, "shown", json_pack("{s:O}", "changes", list));
    json_t *facts = ruling_facts(ruling, seat, own);
    json_decref(own);
    json_decref(list);
    json_decref(changes);
    return facts;
}

static void tell_moderator(struct ruling *ruling, const char *player, void *arg)
{
    const struct correcting *what = arg;
    bool all = !moderator_involved(ruling->game, player);
    ruling_tell(ruling, 0, player,
                correct_facts(ruling, what, 0, all ? json_copy(what->all) : changes_for(what, 0)));
}

static void announce_correction(struct ruling *ruling, struct correcting *what)
{
    const struct game *game = ruling->game;
    for (int seat = 1; seat <= game->seats; seat++) {
        if (game->seat[seat].robot)
            continue;
        json_t *facts = correct_facts(ruling, what, seat, changes_for(what, SEAT_BIT(seat)));
        facts_view(facts, game, seat);
        facts_standing(facts, game, seat);
        json_object_set_new(facts, "with_table", json_true());
        ruling_tell(ruling, seat, "", facts);
    }
    ruling_moderators(ruling, tell_moderator, what);
}

static json_t *correct_fields(struct ruling *ruling, const struct correcting *what, const void *state)
{
    unsigned char digest[32];
    fields_digest(ruling->game->ruleset->fields, state, digest);
    json_t *fields = json_pack("{s:o,s:o}", "changes", changes_for(what, 0), "state", json_hex(digest, 32));
    if (what->hidden)
        ruling_box(ruling, 0, SEAL_HIDDEN, json_pack("{s:o}", "changes", hidden_changes(what)), fields);
    return fields;
}

enum outcome moderate_correct(struct ruling *ruling, struct err *err)
{
    struct game *game = ruling->game;
    struct correcting what = {.all = NULL};
    struct err why = ERR_INIT;
    void *state = mem_alloc(game->ruleset->state_size);
    enum outcome outcome = OUTCOME_REFUSED;
    if (read_changes(ruling, &what) != OUTCOME_DONE || !may_correct(ruling, &what) ||
        changes_nothing(ruling, &what))
        goto out;
    if (correction_state(game, what.all, state, &why)) {
        if (moderator_involved(game, ruling->by)) /* hidden values must not be found out by trying */
            (void)hearing_refuse(ruling->hearing, "table_not_allowed");
        else
            reason_err(&ruling->hearing->refusal, &why);
        goto out;
    }
    ruling->secret = what.hidden > 0; /* the text names things that not everybody may see */
    outcome = ruling_record(ruling, correct_fields(ruling, &what, state), err);
    if (outcome == OUTCOME_DONE) {
        announce_correction(ruling, &what);
        outcome = ruling_go_on(ruling, err);
    }
out:
    json_decref(what.all);
    free(state);
    return outcome;
}
