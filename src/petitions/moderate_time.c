/* Moderators and the clock: pause, resume, extend, hold, resolve. Deadlines are facts of the records. */
#include <string.h>

#include "base/clock.h"
#include "base/moment.h"
#include "base/date.h"
#include "play/facts.h"
#include "petitions/moderate.h"
#include "play/step_parts.h"

/* The time from which deadlines are counted. */
static int64_t now_of(const struct ruling *ruling)
{
    return game_clock(ruling->game, ruling->step->now);
}

static bool takes_no_words(struct ruling *ruling)
{
    if (ruling->words.len)
        (void)hearing_refuse(ruling->hearing, "do_takes_nothing do=%s", ruling->action->word);
    return !ruling->words.len;
}

enum outcome moderate_pause(struct ruling *ruling, struct err *err)
{
    if (!takes_no_words(ruling))
        return OUTCOME_REFUSED;
    if (ruling->game->clock.paused)
        return hearing_refuse(ruling->hearing, "paused_already game=%s", ruling->game->id);
    if (ruling_record(ruling, NULL, err))
        return OUTCOME_FAILED;
    ruling_announce(ruling, NULL);
    return OUTCOME_DONE;
}

enum outcome moderate_hold(struct ruling *ruling, struct err *err)
{
    const struct game *game = ruling->game;
    if (!takes_no_words(ruling))
        return OUTCOME_REFUSED;
    if (game->clock.held && !game->clock.hold_until)
        return hearing_refuse(ruling->hearing, "held_already game=%s", game->id);
    if (game->clock.paused)
        return hearing_refuse(ruling->hearing, "paused game=%s", game->id);
    if (ruling_record(ruling, NULL, err))
        return OUTCOME_FAILED;
    ruling_announce(ruling, NULL);
    return OUTCOME_DONE;
}

/* The end of its round is the end of a game of a competition: no deadline lies after it. */
static int64_t within(const struct ruling *ruling, int64_t deadline)
{
    return game_within_round(ruling->game, 0, deadline);
}

/* The deadline after a pause or a hold. It moves by the length of the pause; if it had passed before,
 * everybody gets a day, or the time of a turn if that is less, so that nobody is surprised. 0 = none. */
static int64_t resumed(const struct ruling *ruling)
{
    const struct game *game = ruling->game;
    int64_t now = now_of(ruling);
    if (!game->clock.deadline)
        return 0;
    int64_t deadline =
        game->clock.deadline +
        (game->clock.paused && now > game->clock.paused_from ? now - game->clock.paused_from : 0);
    if (deadline > now)
        return within(ruling, deadline);
    int64_t fresh = game_next_deadline(game, now);
    return within(ruling, fresh && fresh < now + DAY_SECONDS ? fresh : now + DAY_SECONDS);
}

enum outcome moderate_resume(struct ruling *ruling, struct err *err)
{
    struct game *game = ruling->game;
    if (!takes_no_words(ruling))
        return OUTCOME_REFUSED;
    if (!game->clock.paused && !game->clock.held)
        return hearing_refuse(ruling->hearing, "not_paused game=%s", game->id);
    json_t *what = json_object();
    json_t *fields = json_object();
    int64_t deadline = resumed(ruling);
    if (deadline != game->clock.deadline) {
        json_object_set_new(fields, "deadline", json_time(deadline));
        ruling_time(what, "before", game->clock.deadline);
    }
    if (ruling_record(ruling, fields, err)) {
        json_decref(what);
        return OUTCOME_FAILED;
    }
    ruling_announce(ruling, what);
    return ruling_go_on(ruling, err);
}

/* ---- extend ---- */

/* "18:00" -> seconds */
static bool read_hour(struct slice text, int64_t *seconds)
{
    if (text.len != 5 || text.p[2] != ':')
        return false;
    for (size_t i = 0; i < 5; i++)
        if (i != 2 && (text.p[i] < '0' || text.p[i] > '9'))
            return false;
    int hour = (text.p[0] - '0') * 10 + text.p[1] - '0';
    int minute = (text.p[3] - '0') * 10 + text.p[4] - '0';
    *seconds = hour * 3600 + minute * 60;
    return hour < 24 && minute < 60;
}

/* "2026-12-01 18:00", by the clock on the wall of the league */
static bool read_when(const struct ruling *ruling, int64_t *time)
{
    struct outside *outside = &ruling->batch->outside;
    struct slice rest = ruling->words;
    struct slice day, hour, more;
    struct err ignored = ERR_INIT; /* league.ini names the zone, and is checked */
    int64_t number, seconds;
    if (!slice_word(&rest, &day) || !date_parse(day, &number))
        return false;
    if (!slice_word(&rest, &hour) || !read_hour(hour, &seconds) || slice_word(&rest, &more))
        return false;
    *time = zone_time(zones_find(outside->zones, outside->config->league.timezone, &ignored), number,
                      (int)seconds);
    return true;
}

enum outcome moderate_extend(struct ruling *ruling, struct err *err)
{
    struct game *game = ruling->game;
    int64_t seconds, deadline;
    if (duration_parse(ruling->words, &seconds)) {
        if (!game->clock.deadline)
            return hearing_refuse(ruling->hearing, "no_deadline turn=%d game=%s", game->turn, game->id);
        /* A turn that is overdue (held) gets the time from now on. */
        int64_t from = !game->clock.paused && game->clock.deadline < now_of(ruling) ? now_of(ruling)
                                                                                    : game->clock.deadline;
        deadline = from + seconds;
    } else if (!read_when(ruling, &deadline)) {
        return hearing_refuse(ruling->hearing, "extend_takes");
    }
    if (deadline <= game->clock.deadline || deadline <= now_of(ruling))
        return hearing_refuse(ruling->hearing, "deadline_sooner");
    if (deadline > now_of(ruling) + 366 * DAY_SECONDS)
        return hearing_refuse(ruling->hearing, "deadline_far");
    if (deadline > within(ruling, deadline))
        return hearing_refuse(ruling->hearing, "deadline_round game=%s when@=%lld", game->id,
                              (long long)game->table.place.until);
    json_t *what = json_object();
    if (game->clock.deadline)
        ruling_time(what, "before", game->clock.deadline);
    int rc = ruling_record(ruling, json_pack("{s:o}", "deadline", json_time(deadline)), err);
    if (rc == 0)
        ruling_announce(ruling, json_incref(what));
    json_decref(what);
    return rc;
}

/* ---- resolve ---- */

enum outcome moderate_resolve(struct ruling *ruling, struct err *err)
{
    struct game *game = ruling->game;
    if (!takes_no_words(ruling))
        return OUTCOME_REFUSED;
    if (game->clock.paused)
        return hearing_refuse(ruling->hearing, "resume_first game=%s", game->id);
    if (game->clock.schedule.starts > now_of(ruling))
        return hearing_refuse(ruling->hearing, "starts_later game=%s when@=%lld", game->id,
                              (long long)game->clock.schedule.starts);
    json_t *names = facts_seats(game, game_missing(game));
    json_t *what = json_pack("{s:i}", "played", game->turn);
    if (json_array_size(names))
        json_object_set_new(what, "missing", json_pack("{s:O}", "names", names));
    json_decref(names);
    if (ruling_record(ruling, NULL, err)) {
        json_decref(what);
        return OUTCOME_FAILED;
    }
    ruling_announce(ruling, what);
    return step_resolve(ruling->step, game, err);
}
