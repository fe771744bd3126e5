/* A player makes a game: their seat is kept for them, and they join as everybody does, by a signed text, so
 * that the deal rests on what the players have signed. The record that makes the game names this text as its
 * request (src/journal/README.md) and the mail in its nonce, by which both are known when they come again. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/encode.h"
#include "base/json.h"
#include "base/mem.h"
#include "batch/making.h"
#include "petitions/petition.h"

enum { NAME, RULESET, SEATS, FREE, OPTION, DEADLINE };

#define SHORTEST 3600 /* seconds of a turn */
#define LONGEST  (30 * 86400)

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

/* ---- may they? ---- */

static int count_one(void *arg, const struct catalog_game *row, struct err *err)
{
    (void)err;
    *(int *)arg += row->turn == 0;
    return 0;
}

static enum outcome judge_player(struct hearing *hearing, struct err *err)
{
    const struct batch *batch = hearing->batch;
    int most = batch->league->config.league.player_games, waiting = 0;
    if (!most)
        return hearing_refuse(hearing, "open_operator");
    if (catalog_each_game(batch->catalog, &(struct catalog_filter){hearing->player, true}, count_one,
                          &waiting, err))
        return OUTCOME_FAILED;
    return waiting < most ? OUTCOME_DONE : hearing_refuse(hearing, "open_most most=%d", most);
}

static bool has_digest(const json_t *create, const char *member, const unsigned char digest[32])
{
    const char *value = json_string_value(json_object_get(create, member));
    char hex[65];
    hex_to(hex, digest, 32);
    return value && strcmp(value, hex) == 0;
}

/* A game has this name. Was it made by this very text, or mail? */
static enum outcome refuse_name(struct hearing *hearing, const char *name, struct err *err)
{
    struct batch_game *entry;
    struct str lines = STR_INIT;
    struct slice rest, line = {"", 0};
    if (batch_game(hearing->batch, name, &entry, err) ||
        store_read_with(hearing->batch->store, name, slice_str(&entry->records), &lines, err)) {
        str_release(&lines);
        return OUTCOME_FAILED;
    }
    rest = slice_str(&lines);
    (void)slice_line(&rest, &line);
    json_t *create = json_read(line, name, err);
    hearing->copy = has_digest(create, "request", hearing->text);
    hearing->again = hearing->copy && has_digest(create, "nonce", hearing->mail);
    hearing->stale |= hearing->copy;
    json_decref(create);
    str_release(&lines);
    if (!create)
        return OUTCOME_FAILED;
    return hearing->copy ? hearing_refuse(hearing, "obeyed_before")
                         : hearing_refuse(hearing, "open_taken name=%s", name);
}

/* Is there a game of that name, committed or made in this batch? */
static bool is_taken(struct batch *batch, const char *name)
{
    struct batch_game *entry;
    struct err why = ERR_INIT;
    return name_valid(slice_of(name)) &&
           (batch_game(batch, name, &entry, &why) == 0 || why.code != ERR_MISSING);
}

/* ---- what is asked for ---- */

static enum outcome refuse_why(struct hearing *hearing, const struct err *why)
{
    if (!hearing->refusal)
        reason_err(&hearing->refusal, why);
    return OUTCOME_REFUSED;
}

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
    how->request = hearing->text;
    how->clock = &wish->clock;
    if (!how->ruleset)
        return hearing_refuse(hearing, "open_ruleset");
    making_begin(hearing->batch, how);
    memcpy(how->nonce, hearing->mail, sizeof how->nonce); /* so that this mail is known, too */
    if ((wish->option && making_option(how, wish->option, &why)) ||
        making_seats(hearing->batch, wish->seats, how, &wish->players, &why) || !read_free(hearing, &count) ||
        making_free(how, count, &why) || !read_clock(hearing, wish, &why))
        return refuse_why(hearing, &why);
    if (!making_plays(how, hearing->player))
        return hearing_refuse(hearing, "open_without player=%s", hearing->player);
    making_keep(how, hearing->batch->now + hearing->batch->league->config.clock.answer);
    return OUTCOME_DONE;
}

/* ---- doing it ---- */

static enum outcome make(struct hearing *hearing, const struct wish *wish, struct err *err)
{
    struct err why = ERR_INIT;
    const struct making_asked asked = {hearing->player, hearing->msg};
    if (making_take(hearing->batch, &wish->how, &asked, &hearing->entry, &why)) {
        if (why.code == ERR_INPUT)
            return refuse_why(hearing, &why);
        *err = why;
        return OUTCOME_FAILED;
    }
    hearing->recorded = true;
    return OUTCOME_DONE;
}

static enum outcome judge_and_make(struct hearing *hearing, struct wish *wish, struct err *err)
{
    struct err why = ERR_INIT;
    if (is_taken(hearing->batch, wish->name))
        return refuse_name(hearing, wish->name, err);
    if (making_name(hearing->batch, wish->name, &why))
        return refuse_why(hearing, &why);
    enum outcome done = judge_player(hearing, err);
    if (done == OUTCOME_DONE)
        done = read_wish(hearing, wish);
    return done == OUTCOME_DONE ? make(hearing, wish, err) : done;
}

static enum outcome act(struct hearing *hearing, struct err *err)
{
    struct wish wish = {.players = STR_INIT};
    if (!hearing->value[NAME].p || !hearing->value[RULESET].p)
        return hearing_refuse(hearing, "open_lacks");
    wish.name = word_of(hearing, NAME);
    wish.ruleset = word_of(hearing, RULESET);
    enum outcome done = judge_and_make(hearing, &wish, err);
    wish_release(&wish);
    return done;
}

const struct petition petition_open = {
    .verb = "open",
    .needs = PETITION_SIGNED,
    .fields = {[NAME] = "name",
               [RULESET] = "ruleset",
               [SEATS] = "seats",
               [FREE] = "open",
               [OPTION] = "option",
               [DEADLINE] = "deadline"},
    .act = act,
};
