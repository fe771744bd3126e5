/* Which mails wait for their reader's digest. */
#include "batch/digest.h"

#include <string.h>

#define TIME_TO_ACT ((int64_t)12 * 3600) /* that a player has at least after a digest */

static bool answers(const struct post *post)
{
    return post->kind == POST_RECEIPT || post->kind == POST_TRIED || post->kind == POST_ANSWER ||
           post->kind == POST_AGAIN || post->replies;
}

bool digest_waits(const struct step *step, const struct post *post, const struct player *player, int64_t *due)
{
    if (!player || !player->digest || !step->keys.outside || answers(post))
        return false;
    for (size_t i = 0; i < step->post_count; i++)
        if (answers(&step->posts[i]) && strcmp(step->posts[i].player, player->name) == 0)
            return false; /* the result of the player's own mail */
    *due = digest_next(player, step->keys.outside, step->now);
    return !post->until || post->until > *due + TIME_TO_ACT;
}

int64_t digest_next(const struct player *player, const struct outside *outside, int64_t now)
{
    const struct zone *zone = player_zone(player, outside);
    int64_t day;
    int second;
    zone_local(zone, now, &day, &second);
    int64_t next = zone_time(zone, day, player->digest_hour * 3600);
    while (next <= now)
        next = zone_time(zone, ++day, player->digest_hour * 3600);
    return next;
}
