/* Days on which a player is away: deadlines of turns that wait for them move past those days
 * (play/deadline.h). They are counted by player and calendar year, over all games, and kept in the player's
 * document. */
#include <stdlib.h>
#include <string.h>

#include "base/date.h"
#include "petitions/petition.h"

#define AHEAD_MOST 400 /* days */

enum { FROM, TO, CANCEL };

static int64_t today(const struct hearing *hearing, const struct player *player)
{
    int64_t day;
    int second;
    zone_local(player_zone(player, &hearing->batch->outside), hearing->batch->now, &day, &second);
    return day;
}

static bool read_day(struct hearing *hearing, int field, int64_t *day)
{
    static const char *const names[] = {[FROM] = "from", [TO] = "to"};
    if (hearing->value[field].p && date_parse(hearing->value[field], day))
        return true;
    char *given = slice_dup(hearing->value[field].p ? hearing->value[field] : (struct slice){"", 0});
    (void)hearing_refuse(hearing, "takes_day line=%s given=%s", names[field], given);
    free(given);
    return false;
}

/* Vacations of past years are no longer needed. */
static void forget_old(struct player *player, int64_t day)
{
    int64_t year = date_number((struct date){date_of(day).year, 1, 1});
    int kept = 0;
    for (int i = 0; i < player->vacation_count; i++)
        if (player->vacations[i].to >= year)
            player->vacations[kept++] = player->vacations[i];
    player->vacation_count = kept;
}

static bool has_days_left(struct hearing *hearing, const struct player *player, const struct vacation *wanted)
{
    int most = hearing->batch->league->config.clock.vacation;
    for (int year = date_of(wanted->from).year; year <= date_of(wanted->to).year; year++) {
        int taken = vacation_days(player->vacations, player->vacation_count, year);
        int more = vacation_days(wanted, 1, year);
        if (taken + more > most) {
            (void)hearing_refuse(hearing,
                                 taken ? "vacation_rest days=%d year=%d most=%d"
                                       : "vacation_long days=%d year=%d most=%d",
                                 taken + more, year, most);
            return false;
        }
    }
    return true;
}

static bool add_vacation(struct hearing *hearing, struct player *player, int64_t day)
{
    struct vacation wanted = {0, 0};
    int at = 0;
    if (!read_day(hearing, FROM, &wanted.from) || !read_day(hearing, TO, &wanted.to))
        return false;
    if (wanted.to < wanted.from)
        (void)hearing_refuse(hearing, "vacation_ends");
    else if (wanted.from < day)
        (void)hearing_refuse(hearing, "vacation_past");
    else if (wanted.to > day + AHEAD_MOST)
        (void)hearing_refuse(hearing, "vacation_far");
    else if (player->vacation_count == PLAYER_VACATIONS)
        (void)hearing_refuse(hearing, "vacations_most most=%d", PLAYER_VACATIONS);
    for (int i = 0; i < player->vacation_count; i++) {
        if (player->vacations[i].from <= wanted.to && player->vacations[i].to >= wanted.from)
            (void)hearing_refuse(hearing, "vacation_days");
        at += player->vacations[i].from < wanted.from;
    }
    if (hearing->refusal || !has_days_left(hearing, player, &wanted))
        return false;
    memmove(player->vacations + at + 1, player->vacations + at,
            (size_t)(player->vacation_count - at) * sizeof *player->vacations);
    player->vacations[at] = wanted;
    player->vacation_count++;
    return true;
}

/* A vacation that has begun ends yesterday; one still to come (with `from` the one that begins then) is
 * cancelled as if it had never been. */
static bool cancel_vacation(struct hearing *hearing, struct player *player, int64_t day)
{
    int64_t from = 0;
    int kept = 0, hit = 0;
    if (hearing->value[TO].p) {
        (void)hearing_refuse(hearing, "vacation_from");
        return false;
    }
    if (hearing->value[FROM].p && !read_day(hearing, FROM, &from))
        return false;
    for (int i = 0; i < player->vacation_count; i++) {
        struct vacation vacation = player->vacations[i];
        bool meant = vacation.to >= day && (!from || vacation.from == from);
        hit += meant;
        if (meant)
            vacation.to = day - 1;
        if (vacation.to >= vacation.from)
            player->vacations[kept++] = vacation;
    }
    player->vacation_count = kept;
    if (!hit)
        (void)hearing_refuse(hearing, from ? "vacation_none_from" : "vacation_none");
    return hit > 0;
}

static json_t *list_facts(const struct hearing *hearing, const struct player *player, int64_t day)
{
    json_t *list = json_array();
    int year = date_of(day).year;
    int most = hearing->batch->league->config.clock.vacation;
    for (int i = 0; i < player->vacation_count; i++) {
        char from[DATE_TEXT], to[DATE_TEXT];
        date_text(from, player->vacations[i].from);
        date_text(to, player->vacations[i].to);
        if (player->vacations[i].to >= day)
            json_array_append_new(list, json_pack("{s:s,s:s}", "from", from, "to", to));
    }
    return json_pack("{s:o,s:i,s:i,s:i,s:i}", "vacations", list, "year", year, "left",
                     most - vacation_days(player->vacations, player->vacation_count, year), "next_year",
                     year + 1, "next_left",
                     most - vacation_days(player->vacations, player->vacation_count, year + 1));
}

static enum outcome act(struct hearing *hearing, struct err *err)
{
    struct player player = *registry_find(&hearing->batch->registry, hearing->player);
    int64_t day = today(hearing, &player);
    bool cancel = false;
    if (hearing->value[CANCEL].p && !hearing_bool(hearing, CANCEL, &cancel))
        return OUTCOME_REFUSED;
    forget_old(&player, day);
    if (!(cancel ? cancel_vacation(hearing, &player, day) : add_vacation(hearing, &player, day)))
        return OUTCOME_REFUSED;
    json_t *evidence = hearing_evidence(hearing);
    struct registry_change change = {.what = "vacation", .player = &player, .evidence = evidence};
    int rc = batch_change(hearing->batch, &change, err);
    json_decref(evidence);
    hearing->answer = "vacation";
    hearing->facts = list_facts(hearing, &player, day);
    json_object_set_new(hearing->facts, "cancelled", json_boolean(cancel));
    return rc;
}

const struct petition petition_vacation = {
    .verb = "vacation",
    .needs = PETITION_MAIL,
    .fields = {[FROM] = "from", [TO] = "to", [CANCEL] = "cancel"},
    .act = act,
};
