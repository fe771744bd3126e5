#include "game/game_seats.h"

#include <string.h>
#include <strings.h>

#include "base/utf8.h"

bool seat_has_person(const struct game *game, int seat)
{
    return *game->seat[seat].player && !game->seat[seat].robot;
}

const char *game_somebody_else(const struct game *game, int seat)
{
    for (int other = 1; other <= game->seats; other++)
        if (other != seat && seat_has_person(game, other))
            return game->seat[other].player;
    return NULL;
}

bool game_takes_mail(const struct game *game, int seat)
{
    return game->table.by_mail && seat_has_person(game, seat) && !game->seat[seat].key_count;
}

bool seat_may_be_asked(const struct game *game, int seat)
{
    const struct game_orders *orders = &game->seat[seat].orders;
    return !game->over && !game->closed && game_takes_mail(game, seat) && game_may_order(game, seat) &&
           ((game_awaited(game) & SEAT_BIT(seat)) || orders->in) && !orders->question;
}

bool seat_vacant(const struct game *game, int seat)
{
    const struct game_seat *who = &game->seat[seat];
    struct score scores[SEATS_MAX + 1];
    bool late = !who->robot && who->missed >= game->attendance.missed_standby && !who->orders.in;
    const bool asked = who->robot && *who->offered; /* by a moderator, also where nobody stands in */
    if (game->over || game->turn == 0 || game->seats < 2 || !(game->attendance.missed_standby || asked) ||
        !(who->robot ? who->resigned : late))
        return false;
    memset(scores, 0, sizeof scores);
    game->ruleset->end.scores(game->cards, game->state, scores);
    return scores[seat].fate == SEAT_PLAYING;
}

bool name_word(struct slice *rest, char name[PLAYER_NAME])
{
    struct slice word;
    if (!slice_word(rest, &word) || word.len >= PLAYER_NAME)
        return false;
    for (size_t i = 0; i < word.len; i++)
        name[i] = ascii_lower(word.p[i]);
    name[word.len] = '\0';
    return utf8_valid(slice_of(name));
}

int seat_named(const struct game *game, struct slice *rest)
{
    char name[PLAYER_NAME];
    bool found = name_word(rest, name);
    if (found && strcmp(name, "seat") == 0)
        found = name_word(rest, name);
    for (int seat = 1; found && seat <= game->seats; seat++)
        if (strcasecmp(game->seat[seat].player, name) == 0)
            return seat;
    const char *digit = found ? name + (*name == 'p') : "";
    return digit[0] >= '1' && digit[0] <= '9' && !digit[1] && digit[0] - '0' <= game->seats ? digit[0] - '0'
                                                                                            : 0;
}

/* ---- votes ---- */

uint32_t game_voters(const struct game *game)
{
    struct score scores[SEATS_MAX + 1];
    uint32_t voters = 0;
    memset(scores, 0, sizeof scores);
    game->ruleset->end.scores(game->cards, game->state, scores);
    for (int seat = 1; seat <= game->seats; seat++)
        if (!game->seat[seat].robot && scores[seat].fate == SEAT_PLAYING)
            voters |= SEAT_BIT(seat);
    return voters;
}

int64_t game_least_vote(const struct game *game, int seat, int64_t seconds)
{
    int64_t least = 0;
    for (int i = 1; i <= game->seats; i++) {
        int64_t vote = i == seat ? seconds : game->seat[i].vote;
        if (seat_has_person(game, i) && vote)
            least = !least || vote < least ? vote : least;
    }
    return least;
}

int64_t game_vote(const struct game *game, int seat, int64_t seconds, int *yes, int *needed)
{
    uint32_t voters = game_voters(game);
    int count = 0;
    *yes = 0;
    for (int i = 1; i <= game->seats; i++) {
        if (!(voters & SEAT_BIT(i)))
            continue;
        count++;
        *yes += (i == seat ? seconds : game->seat[i].vote) != 0;
    }
    *needed = count * game->clock.schedule.vote / 100 + 1;
    if (*needed > count)
        *needed = count; /* all of them */
    return *yes >= *needed ? game_least_vote(game, seat, seconds) : 0;
}

int64_t offer_due(const struct game *game)
{
    int64_t due = 0;
    for (int seat = 1; seat <= game->seats && !game->clock.paused; seat++) {
        const struct game_seat *who = &game->seat[seat];
        if (*who->offered && (!due || who->offered_until < due) && seat_vacant(game, seat))
            due = who->offered_until;
    }
    return due;
}
