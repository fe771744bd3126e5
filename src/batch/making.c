#include "batch/making.h"

#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/reason.h"
#include "batch/season.h"
#include "compete/results.h"
#include "league/roster.h"

static int fail_name(struct slice word, struct err *err)
{
    char *name = slice_dup(word);
    (void)reason_fail(err, "no_name name=%s", "\"%s\" is no name", name);
    free(name);
    return -1;
}

int making_seats(const char *text, struct new_game *how, struct str *names, struct err *err)
{
    size_t offsets[SEATS_MAX + 1] = {0};
    int robots = 0;
    while (*text) {
        size_t len = strcspn(text, ",");
        struct slice word = slice_trim((struct slice){text, len});
        if (how->seats == SEATS_MAX)
            return reason_fail(err, "seats_most most=%d", "at most %d seats", SEATS_MAX);
        struct new_seat *seat = &how->seat[++how->seats];
        offsets[how->seats] = names->len;
        seat->robot = slice_eq(word, "robot") || slice_starts(word, "robot:");
        if (seat->robot && word.len > 6)
            str_addslice(names, slice_sub(word, 6, word.len));
        else if (seat->robot)
            str_addf(names, "robot%d", ++robots);
        else
            str_addslice(names, word);
        if (!name_valid(slice_sub(slice_str(names), offsets[how->seats], names->len)))
            return fail_name(word, err);
        str_addc(names, '\0');
        text += len + (text[len] == ',');
    }
    for (int i = 1; i <= how->seats; i++) {
        struct new_seat *seat = &how->seat[i];
        seat->player = names->p + offsets[i];
        for (int j = 1; j < i; j++)
            if (strcmp(how->seat[j].player, seat->player) == 0)
                return reason_fail(err, "seat_twice name=%s", "\"%s\" has two seats", seat->player);
    }
    return 0;
}

int making_lacks(const struct batch *batch, const struct new_game *how)
{
    for (int i = 1; i <= how->seats; i++) {
        const struct new_seat *seat = &how->seat[i];
        if (!seat->player || seat->robot)
            continue;
        const struct player *player = registry_find(&batch->registry, seat->player);
        struct pubkey keys[KEYS_PER_PLAYER];
        if (!player ||
            !(keyring_of(&batch->keyring, seat->player, keys) || (how->by_mail && player->by_mail)))
            return i;
    }
    return 0;
}

bool making_trust(const struct batch *batch, struct new_game *how, struct slice word)
{
    how->by_mail = slice_eq(word, "mail");
    return how->by_mail ? batch->league->config.league.trust == TRUST_MAIL : slice_eq(word, "signed");
}

int making_option(struct new_game *how, const char *text, struct err *err)
{
    size_t len = strcspn(text, "=");
    for (int i = 0; i < GAME_OPTIONS && how->ruleset->options[i].name; i++) {
        const struct game_option *option = &how->ruleset->options[i];
        if (!slice_eq((struct slice){text, len}, option->name))
            continue;
        char *end = NULL;
        long value = text[len] ? strtol(text + len + 1, &end, 10) : 1;
        if ((end && (*end || end == text + len + 1)) || value < option->min || value > option->max)
            return reason_fail(err, "option_range name=%s min=%d max=%d", "option %s takes %d to %d",
                               option->name, option->min, option->max);
        how->options[i] = (int)value;
        return 0;
    }
    struct str known = STR_INIT;
    for (int i = 0; how->ruleset->options[i].name; i++)
        str_addf(&known, "%s%s", i ? " " : "", how->ruleset->options[i].name);
    char *name = slice_dup((struct slice){text, len});
    if (known.len)
        (void)reason_fail(err, "option_unknown ruleset=%s name=%s options=%s",
                          "%s has no option \"%s\"; it has: %s", how->ruleset->title, name, known.p);
    else
        (void)reason_fail(err, "no_options ruleset=%s name=%s", "%s has no option \"%s\"; it has: none",
                          how->ruleset->title, name);
    free(name);
    str_release(&known);
    return -1;
}

int making_name(const struct batch *batch, const char *id, struct err *err)
{
    if (!name_valid(slice_of(id)) || strcmp(id, "mail") == 0 || strcmp(id, "any") == 0 ||
        strcmp(id, REGISTRY_GAME) == 0 || strcmp(id, RESULTS_NAME) == 0)
        return reason_fail(err, "game_name name=%s",
                           "\"%s\" cannot name a game: use up to 32 of a-z 0-9 - . _", id);
    if (season_owns(batch, id))
        return reason_fail(err, "game_competes name=%s",
                           "\"%s\" is the name of a competition, or of one of its games", id);
    if (store_has(batch->store, id) || roster_had(batch->league->dir, id))
        return reason_fail(err, "game_taken name=%s", "there is a game \"%s\" already", id);
    return 0;
}

void making_begin(const struct batch *batch, struct new_game *how)
{
    for (int i = 0; i < GAME_OPTIONS && how->ruleset->options[i].name; i++)
        how->options[i] = how->ruleset->options[i].initial;
    randombytes_buf(how->nonce, sizeof how->nonce);
    how->missed_standby = batch->league->config.league.missed_standby;
    how->missed_robot = batch->league->config.league.missed_robot;
    how->typo_wait = batch->league->config.clock.typo_wait;
    how->second_thoughts = batch->league->config.clock.second_thoughts;
    how->by_mail = batch->league->config.league.trust == TRUST_MAIL;
}

int making_free(struct new_game *how, int64_t count, struct err *err)
{
    const struct ruleset *ruleset = how->ruleset;
    if (count < 0 || count > SEATS_MAX - how->seats)
        return reason_fail(err, "seats_in_all most=%d", "at most %d seats in all", SEATS_MAX);
    how->seats += (int)count;
    if (how->seats < ruleset->seats_min || how->seats > ruleset->seats_max)
        return reason_fail(err, "seats_range ruleset=%s min=%d max=%d", "%s is for %d to %d seats",
                           ruleset->title, ruleset->seats_min, ruleset->seats_max);
    return 0;
}

bool making_plays(const struct new_game *how, const char *player)
{
    for (int seat = 1; seat <= how->seats; seat++)
        if (how->seat[seat].player && !how->seat[seat].robot && strcmp(how->seat[seat].player, player) == 0)
            return true;
    return false;
}

void making_keep(struct new_game *how, int64_t answer_by)
{
    for (int seat = 1; seat <= how->seats; seat++) {
        how->seat[seat].kept = how->seat[seat].player && !how->seat[seat].robot;
        if (how->seat[seat].kept)
            how->answer_by = answer_by;
    }
}

int making_lockstep(struct new_game *how, const struct lockstep *lockstep, struct err *err)
{
    if (lockstep_fits(lockstep, how->ruleset, err))
        return -1;
    if (how->witnesses.count)
        return err_set(err, ERR_INPUT,
                       "a game in lockstep has no witnesses, whose answers a turn would wait for");
    how->lockstep = lockstep;
    how->clock = NULL;
    how->turn_length = lockstep_length(lockstep);
    how->missed_standby = 0;
    how->typo_wait = false;
    how->second_thoughts = 0;
    return 0;
}

int making_witness(struct quorum *quorum, const struct league_witnesses *known, const char *name,
                   struct err *err)
{
    const struct league_witness *one = witnesses_find(known, name);
    if (!one)
        return err_set(err, ERR_INPUT, "%s is no witness in " LEAGUE_WITNESSES "; see turnpost-witness(1)",
                       name);
    if (quorum->count == WITNESSES_MAX)
        return err_set(err, ERR_INPUT, "there are at most %d witnesses", WITNESSES_MAX);
    if (quorum_of(quorum, name) >= 0)
        return err_set(err, ERR_INPUT, "%s is named twice", name);
    struct witness *witness = &quorum->list[quorum->count++];
    *witness = (struct witness){.key = one->key};
    memcpy(witness->name, one->name, sizeof witness->name);
    memcpy(witness->vrf, one->vrf, sizeof witness->vrf);
    return 0;
}

int making_witnesses(const struct batch *batch, struct quorum *quorum, const char *names,
                     const struct new_game *without, struct err *err)
{
    struct slice rest = slice_of(strcmp(names, "none") == 0 ? "" : names);
    struct league_witnesses *known = mem_alloc(sizeof *known);
    int rc = rest.len ? witnesses_read(batch->league->dir, known, err) : 0;
    while (rc == 0 && rest.len) {
        size_t len = 0;
        while (len < rest.len && rest.p[len] != ',')
            len++;
        char *name = slice_dup(slice_trim(slice_sub(rest, 0, len)));
        rest = slice_sub(rest, len + 1, rest.len);
        if (!without || !making_plays(without, name))
            rc = making_witness(quorum, known, name, err);
        free(name);
    }
    free(known);
    return rc;
}

int making_quorum(const struct batch *batch, struct quorum *quorum, int need, struct err *err)
{
    const int count = quorum->count;
    quorum->log = league_log_policy(batch->tlog)->log[0].key;
    quorum->need = need ? need : count > 3 ? count - 1 : count;
    if (!count && need)
        return err_set(err, ERR_INPUT, "without witnesses there is no quorum");
    return !count || (2 * quorum->need > count && quorum->need <= count)
               ? 0
               : err_set(err, ERR_INPUT, "of %d witnesses a majority has to answer: %d to %d", count,
                         count / 2 + 1, count);
}

static void answer_asker(struct step *step, const struct making_asked *asked)
{
    for (size_t i = 0; asked->player && i < step->post_count; i++)
        if (step->posts[i].kind == POST_TOLD && strcmp(step->posts[i].player, asked->player) == 0)
            step->posts[i].kind = POST_ANSWER;
}

int making_take(struct batch *batch, const struct new_game *how, const struct making_asked *asked,
                struct batch_game **out, struct err *err)
{
    struct game game;
    struct step step;
    struct schedule clock;
    struct new_game what = *how;
    if (how->clock && !how->place) { /* a table has its competition's, as it is */
        clock = *how->clock;
        what.clock = &clock;
        if (schedule_take_zone(&clock, &batch->zones, batch->now, err))
            return -1;
    }
    game_init(&game);
    struct step_keys keys = batch_keys(batch);
    step_init(&step, &keys, batch->now);
    step.gate = batch_gate(batch);
    int rc = step_create(&step, &game, &what, err) || step_finish(&step, &game, err) ? -1 : 0;
    *out = rc == 0 ? batch_add(batch, &game) : NULL;
    answer_asker(&step, asked);
    if (rc == 0)
        rc = batch_take(batch, *out, &step, asked->mail, err);
    step_release(&step);
    game_release(&game);
    return rc;
}
