/* A player makes a game: their seat is kept for them, and they join as everybody does, by a signed text, so
 * that the deal rests on what the players have signed. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/mem.h"
#include "petitions/opening.h"

enum { NAME, RULESET, SEATS, FREE, OPTION, DEADLINE, TRUST };

#define SHORTEST 3600 /* seconds of a turn */
#define LONGEST  ((int64_t)30 * 86400)

/* What one text asks for; the memory of the words in it. */
struct wish {
    struct new_game how;
    struct schedule clock;
    char *name, *ruleset, *seats, *option;
    struct str players;
};

static void wish_release(struct wish *wish)
{
    free(wish->name);
    free(wish->ruleset);
    free(wish->seats);
    free(wish->option);
    str_release(&wish->players);
}

/* ---- what is asked for ---- */

static char *word_of(const struct hearing *hearing, int field)
{
    return slice_dup(hearing->value[field]);
}

static const struct ruleset *find_ruleset(const char *name)
{
    for (int i = 0; rulesets[i]; i++)
        if (slice_caseeq(slice_of(name), rulesets[i]->name) ||
            slice_caseeq(slice_of(name), rulesets[i]->title))
            return ruleset_newest(rulesets[i]->name);
    return NULL;
}

/* The league's clock, or turns of the length that the text names. */
static bool read_clock(struct hearing *hearing, struct wish *wish, struct err *why)
{
    int64_t length = 0;
    if (league_clock(hearing->batch->league, &wish->clock, why))
        return false;
    if (!hearing->value[DEADLINE].p)
        return true;
    if (!duration_parse(hearing->value[DEADLINE], &length) || length < SHORTEST || length > LONGEST) {
        (void)hearing_refuse(hearing, "open_deadline");
        return false;
    }
    wish->clock.length = length;
    wish->clock.slot_count = 0;
    return true;
}

/* Who plays, in order; without "seats:" only the player themself. */
static bool read_seats(struct hearing *hearing, struct wish *wish, struct err *why)
{
    if (making_seats(wish->seats, &wish->how, &wish->players, why))
        return false;
    int without = making_lacks(hearing->batch, &wish->how);
    if (!without)
        return true;
    const char *player = wish->how.seat[without].player;
    (void)hearing_refuse(hearing,
                         registry_find(&hearing->batch->registry, player) ? "open_keyless name=%s"
                                                                          : "open_nobody name=%s",
                         player);
    return false;
}

static bool read_free(struct hearing *hearing, int *count)
{
    *count = 0;
    return !hearing->value[FREE].p || hearing_number(hearing, FREE, 0, SEATS_MAX, count);
}

/* Fills `wish`; whatever is wrong with it is the refusal. */
static enum outcome read_wish(struct hearing *hearing, struct wish *wish)
{
    struct err why = ERR_INIT;
    struct new_game *how = &wish->how;
    int count = 0;
    wish->seats = hearing->value[SEATS].p ? word_of(hearing, SEATS) : mem_strdup(hearing->player);
    wish->option = hearing->value[OPTION].p ? word_of(hearing, OPTION) : NULL;
    how->id = wish->name;
    how->ruleset = find_ruleset(wish->ruleset);
    how->clock = &wish->clock;
    if (!how->ruleset)
        return hearing_refuse(hearing, "open_ruleset");
    making_begin(hearing->batch, how);
    if (hearing->value[TRUST].p && !making_trust(hearing->batch, how, hearing->value[TRUST]))
        return hearing_refuse(hearing, how->by_mail ? "open_trust_mail" : "open_trust");
    if ((wish->option && making_option(how, wish->option, &why)) || !read_seats(hearing, wish, &why) ||
        !read_free(hearing, &count) || making_free(how, count, &why) || !read_clock(hearing, wish, &why))
        return opening_refuse(hearing, &why);
    if (!making_plays(how, hearing->player))
        return hearing_refuse(hearing, "open_without player=%s", hearing->player);
    return OUTCOME_DONE;
}

/* ---- doing it ---- */

#define NAMES_MOST 99

/* The name that the text gives, or the first one of "anna-1", "anna-2" that is not taken. Refuses a text that has made one of these. */
static char *choose_name(struct hearing *hearing)
{
    char name[GAME_NAME];
    const int most = GAME_NAME - (int)sizeof "-99";
    if (hearing->value[NAME].p)
        return word_of(hearing, NAME);
    for (int n = 1; n <= NAMES_MOST; n++) {
        struct err ignored = ERR_INIT; /* a game that cannot be read has its name all the same */
        (void)snprintf(name, sizeof name, "%.*s-%d", most, hearing->player, n);
        if (!opening_taken(hearing->batch, name))
            break;
        json_t *create = opening_create(hearing, name, &ignored);
        bool obeyed = create && opening_obeyed(hearing, create);
        json_decref(create);
        if (obeyed)
            return NULL;
    }
    return mem_strdup(name);
}

static enum outcome judge_and_make(struct hearing *hearing, struct wish *wish, struct err *err)
{
    enum outcome done = opening_judge(hearing, wish->name, err);
    if (done == OUTCOME_DONE)
        done = read_wish(hearing, wish);
    return done == OUTCOME_DONE ? opening_make(hearing, &wish->how, &hearing->entry, err) : done;
}

static enum outcome act(struct hearing *hearing, struct err *err)
{
    struct wish wish = {.players = STR_INIT};
    if (!hearing->value[RULESET].p)
        return hearing_refuse(hearing, "open_lacks");
    wish.name = choose_name(hearing);
    if (!wish.name)
        return OUTCOME_REFUSED;
    wish.ruleset = word_of(hearing, RULESET);
    enum outcome done = judge_and_make(hearing, &wish, err);
    wish_release(&wish);
    return done;
}

const struct petition petition_open = {
    .verb = "open",
    .needs = PETITION_MAIL,
    .fields = {[NAME] = "name",
               [RULESET] = "ruleset",
               [SEATS] = "seats",
               [FREE] = "open",
               [OPTION] = "option",
               [DEADLINE] = "deadline",
               [TRUST] = "trust"},
    .wishes = true,
    .act = act,
};
