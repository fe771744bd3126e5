/* `turnpost compete new`: what is asked of those who enter. */
#include <stdlib.h>
#include <string.h>

#include "commands/compete.h"

static int read_number(const char *flag, int64_t value, int most, int *number, struct err *err)
{
    if (value < 0 || value > most)
        return err_set(err, ERR_INPUT, "%s takes 1 to %d", flag, most);
    if (value)
        *number = (int)value;
    return 0;
}

/* "alice,bob"; they need not be registered yet. */
static int read_invited(struct conditions *conditions, const char *names, struct err *err)
{
    struct slice rest = slice_of(names);
    free(conditions->invited);
    conditions->invited = NULL;
    conditions->invited_count = 0;
    while (rest.len) {
        size_t len = 0;
        while (len < rest.len && rest.p[len] != ',')
            len++;
        struct slice name = slice_trim(slice_sub(rest, 0, len));
        rest = slice_sub(rest, len + (len < rest.len), rest.len);
        if (!name_valid(name) || name.len >= PLAYER_NAME)
            return err_set(err, ERR_INPUT, "--invited: \"%.*s\" is no name of a player", (int)name.len,
                           name.p);
        char *copy = slice_dup(name);
        conditions_invite(conditions, copy);
        free(copy);
    }
    return conditions->invited_count <= COMPETE_PLAYERS
               ? 0
               : err_set(err, ERR_INPUT, "--invited takes at most %d names", COMPETE_PLAYERS);
}

int compete_read_conditions(struct conditions *conditions, const struct compete_condition_wishes *wishes,
                            bool rated, struct err *err)
{
    if (wishes->open)
        conditions_release(conditions);
    if (wishes->rating && !rating_figure(slice_of(wishes->rating), &conditions->rating))
        return err_set(err, ERR_INPUT, "--least-rating takes a rating such as 20 or 17.5");
    conditions->rated |= wishes->rating != NULL;
    conditions->key |= wishes->key_only;
    conditions->results = 0;
    if (read_number("--least-games", wishes->games, CONDITION_GAMES, &conditions->games, err) ||
        read_number("--least-prompt", wishes->prompt, 100, &conditions->prompt, err) ||
        read_number("--most-running", wishes->running, CONDITION_RUNNING, &conditions->running, err) ||
        (wishes->invited && read_invited(conditions, wishes->invited, err)))
        return -1;
    return rated || !conditions_rank(conditions)
               ? 0
               : err_set(err, ERR_INPUT,
                         "--least-rating and --least-games need the league's results: [league] ratings in "
                         "league.ini");
}
