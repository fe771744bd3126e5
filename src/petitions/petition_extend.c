/* A vote to put the deadline of the open turn off. The others are told of the first one, so that they can
 * join in; when enough agree, the deadline moves by the least that all of them want, once a turn. In the grace, when
 * it has passed, that is counted from the vote, so that nobody wins a time that is over. */

#include "base/moment.h"
#include "base/date.h"
#include "base/mem.h"
#include "play/deadline.h"
#include "play/facts.h"
#include "petitions/petition.h"
#include "play/step_parts.h"
#include "game/game_seats.h"

enum { HOURS, DAYS };

static bool read_number(struct slice text, int64_t most, int64_t *number)
{
    *number = 0;
    for (size_t i = 0; i < text.len; i++) {
        if (text.p[i] < '0' || text.p[i] > '9' || *number > most)
            return false;
        *number = *number * 10 + (text.p[i] - '0');
    }
    return text.len > 0 && *number <= most;
}

/* "hours: 12" or "days: 2"; 0 withdraws a vote. */
static bool read_seconds(struct hearing *hearing, const struct game *game, int64_t *seconds)
{
    bool hours = hearing->value[HOURS].p != NULL;
    bool days = hearing->value[DAYS].p != NULL;
    int64_t number;
    if (hours == days) {
        (void)hearing_refuse(hearing, "extend_by");
        return false;
    }
    if (!read_number(hearing->value[hours ? HOURS : DAYS], 10000, &number)) {
        (void)hearing_refuse(hearing, "takes_whole line=%s", hours ? "hours" : "days");
        return false;
    }
    *seconds = number * (hours ? 3600 : DAY_SECONDS);
    if (*seconds > game->clock.schedule.extension) {
        (void)hearing_refuse(hearing, "extend_most most~=%lld", (long long)game->clock.schedule.extension);
        return false;
    }
    return true;
}

static bool may_vote(struct hearing *hearing, const struct game *game)
{
    if (game->over || game->turn == 0)
        (void)hearing_refuse(hearing, game->over ? "over game=%s" : "not_begun game=%s", game->id);
    else if (game->clock.lockstep.on)
        (void)hearing_refuse(hearing, "lockstep game=%s", game->id);
    else if (!game->clock.deadline || !game->clock.schedule.extension)
        (void)hearing_refuse(hearing, "no_votes game=%s", game->id);
    else if (game->clock.deadline == game->table.place.until)
        (void)hearing_refuse(hearing, "deadline_round game=%s when@=%lld", game->id,
                             (long long)game->table.place.until);
    else if (game->clock.paused || game->clock.held)
        (void)hearing_refuse(hearing, "held game=%s", game->id);
    else if (game->clock.extended)
        (void)hearing_refuse(hearing, "extended_once turn=%d", game->turn);
    else if (!(game_voters(game) & SEAT_BIT(hearing->seat)))
        (void)hearing_refuse(hearing, "you_are_out game=%s", game->id);
    return !hearing->refusal;
}

static int votes_before(const struct game *game)
{
    int count = 0;
    for (int seat = 1; seat <= game->seats; seat++)
        count += game->seat[seat].vote > 0;
    return count;
}

static json_t *vote_facts(const struct game *game, int seat, const struct game_seat *voter, int yes,
                          int needed, int64_t seconds)
{
    json_t *facts = facts_game(game, seat);
    json_object_set_new(facts, "voter", json_string(voter->player));
    json_object_set_new(facts, "yes", json_integer(yes));
    json_object_set_new(facts, "needed", json_integer(needed));
    json_object_set_new(facts, "lacking", json_integer(needed - yes));
    json_object_set_new(facts, "one", json_boolean(needed - yes == 1));
    json_object_set_new(facts, "by", duration_json(seconds));
    json_object_set_new(facts, "hours", json_integer((seconds + 3599) / 3600));
    json_object_set_new(facts, "taken_back", json_boolean(seconds == 0));
    return facts;
}

/* To the others: the first vote, and the one that decided. */
static void tell_others(struct hearing *hearing, const struct game *game, const char *words, int yes,
                        int needed, int64_t seconds)
{
    const struct game_seat *voter = &game->seat[hearing->seat];
    uint32_t voters = game_voters(game);
    for (int seat = 1; seat <= game->seats; seat++)
        if (seat != hearing->seat && (voters & SEAT_BIT(seat))) {
            step_tell(&hearing->step, game, POST_TOLD, words, seat, "",
                      vote_facts(game, seat, voter, yes, needed, seconds));
            step_urgent(&hearing->step, game->clock.deadline);
        }
}

/* The deadline when enough want it put off by that. */
static int64_t put_off(const struct hearing *hearing, const struct game *game, int64_t least)
{
    int64_t now = game_clock(game, hearing->step.now);
    int64_t from = game->clock.deadline > now ? game->clock.deadline : now;
    return game_within_round(game, 0, schedule_settle(&game->clock.schedule, from + least));
}

static enum outcome act(struct hearing *hearing, struct err *err)
{
    struct game *game = &hearing->entry->game;
    int64_t seconds;
    int yes, needed;
    if (!may_vote(hearing, game) || !read_seconds(hearing, game, &seconds))
        return OUTCOME_REFUSED;
    if (!seconds && !game->seat[hearing->seat].vote)
        return hearing_refuse(hearing, "not_voted turn=%d", game->turn);
    int before = votes_before(game);
    int64_t least = game_vote(game, hearing->seat, seconds, &yes, &needed);
    int64_t deadline = put_off(hearing, game, least);
    json_t *fields = hearing_evidence(hearing);
    json_object_set_new(fields, "kind", json_string("vote"));
    json_object_set_new(fields, "turn", json_integer(game->turn));
    json_object_set_new(fields, "seat", json_integer(hearing->seat));
    json_object_set_new(fields, "seconds", json_integer(seconds));
    if (least)
        json_object_set_new(fields, "deadline", json_time(deadline));
    if (step_record(&hearing->step, game, "note", fields, NULL, err))
        return OUTCOME_FAILED;
    const char *words = least ? "extended" : "vote";
    step_tell(
        &hearing->step, game, POST_ANSWER, words, hearing->seat, "",
        vote_facts(game, hearing->seat, &game->seat[hearing->seat], yes, needed, least ? least : seconds));
    if (least)
        tell_others(hearing, game, "extended", yes, needed, least);
    else if (before == 0)
        tell_others(hearing, game, "vote_asked", yes, needed, seconds);
    return OUTCOME_DONE;
}

const struct petition petition_extend = {
    .verb = "extend",
    .needs = PETITION_GAME | PETITION_TURN | PETITION_SEAT | PETITION_MAIL,
    .fields = {[HOURS] = "hours", [DAYS] = "days"},
    .act = act,
};
