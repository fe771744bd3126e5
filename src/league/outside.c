#include "league/outside.h"

#include <string.h>

#include "base/date.h"

const char *player_absent(const struct outside *outside, const char *name)
{
    const struct registry_fault *fault = registry_damaged(outside->players, name);
    if (fault)
        return fault->why;
    const struct keyring_damage *damage = keyring_damaged(outside->keys, name);
    return damage && registry_find(outside->players, name) ? damage->why.text : NULL;
}

bool player_unheard(const struct outside *outside, const char *name)
{
    for (size_t i = 0; i < outside->stuck_count; i++)
        if (strcmp(outside->stuck[i].player, name) == 0)
            return true;
    return player_absent(outside, name) != NULL;
}

int64_t player_reminder(const struct player *player, const struct config *config)
{
    if (player->quiet)
        return 0;
    return player->reminder_hours < 0 ? config->clock.reminder : (int64_t)player->reminder_hours * 3600;
}

const struct zone *player_zone(const struct player *player, const struct outside *outside)
{
    struct err ignored = ERR_INIT; /* league.ini names it, and is checked */
    const struct zone *own =
        player && *player->zone ? zones_find(outside->zones, player->zone, &ignored) : NULL;
    return own ? own : zones_find(outside->zones, outside->config->league.timezone, &ignored);
}

bool player_clock_differs(const struct player *a, const struct player *b)
{
    return a->vacation_count != b->vacation_count ||
           memcmp(a->vacations, b->vacations, (size_t)a->vacation_count * sizeof *a->vacations) != 0;
}

int vacation_days(const struct vacation *vacations, int count, int year)
{
    int64_t first = date_number((struct date){year, 1, 1});
    int64_t last = date_number((struct date){year, 12, 31});
    int days = 0;
    for (int i = 0; i < count; i++) {
        int64_t from = vacations[i].from > first ? vacations[i].from : first;
        int64_t to = vacations[i].to < last ? vacations[i].to : last;
        if (from <= to)
            days += (int)(to - from + 1);
    }
    return days;
}
