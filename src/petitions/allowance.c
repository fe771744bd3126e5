#include "petitions/allowance.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "petitions/bound.h"

#define MODERATOR_TIMES 10
#define GAME_TEXTS \
    20 /* per player, game and day, of texts that leave a record; press has limits of its own */
#define ALL_TEXTS 100 /* the same about all games */

/* One count that a text is charged to. */
struct allowance {
    char name[PLAYER_NAME + GAME_NAME + 16];
    int most;
};

/* What a text is charged to: changes of the player, which stay for ever, or what they do in a game, of which
 * others are told. */
static int allowances(const struct hearing *hearing, const struct petition *petition,
                      struct allowance list[2])
{
    const struct league *league = hearing->batch->league;
    int times = petition_moderator(league, hearing->player) ? MODERATOR_TIMES : 1;
    if (bound_registers(hearing, petition)) {
        (void)snprintf(list[0].name, sizeof list[0].name, "changes of %s", hearing->player);
        list[0].most = times * league->config.limits.changes_per_day;
        return 1;
    }
    if (!hearing->entry || (petition->needs & PETITION_ASKS) || strcmp(petition->verb, "press") == 0)
        return 0;
    (void)snprintf(list[0].name, sizeof list[0].name, "texts of %s %s", hearing->player,
                   hearing->entry->game.id);
    (void)snprintf(list[1].name, sizeof list[1].name, "texts of %s", hearing->player);
    list[0].most = times * GAME_TEXTS;
    list[1].most = times * ALL_TEXTS;
    return 2;
}

int allowance_judge(struct hearing *hearing, const struct petition *petition, struct err *err)
{
    struct allowance list[2];
    if (!hearing->player || !hearing->msg)
        return 0;
    for (int i = 0, count = allowances(hearing, petition, list); i < count; i++) {
        int given = 0;
        if (catalog_budget_given(hearing->batch->catalog, list[i].name, hearing->batch->now, &given, err))
            return -1;
        if (given >= list[i].most)
            (void)hearing_refuse(hearing, "enough_texts most=%d", list[i].most);
    }
    return 0;
}

int allowance_charge(const struct hearing *hearing, const struct petition *petition, int64_t before,
                     struct err *err)
{
    struct allowance list[2];
    bool recorded = hearing->batch->log.seq != before || hearing->recorded, counted;
    if (!hearing->player || !hearing->msg || !recorded)
        return 0;
    for (int i = 0, count = allowances(hearing, petition, list); i < count; i++)
        if (catalog_budget(hearing->batch->catalog,
                           &(struct catalog_reply){list[i].name, hearing->batch->now, INT_MAX}, &counted,
                           err))
            return -1;
    return 0;
}
