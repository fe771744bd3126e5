#include "batch/entering.h"

#include "base/file.h"
#include "base/reason.h"
#include "compete/experience.h"

bool entering_keyed(const struct batch *batch, const char *player)
{
    struct pubkey keys[KEYS_PER_PLAYER];
    return keyring_of(&batch->keyring, player, keys) > 0;
}

/* ---- what is found ---- */

static int look_at_results(struct batch *batch, const struct entering *who, struct entry_found *found,
                           struct err *err)
{
    struct store *store = batch->competitions.store;
    struct experience experience;
    struct str journal = STR_INIT;
    int64_t now = batch->now > who->c->time ? batch->now : who->c->time; /* that of the record */
    int rc = store_has(store, RESULTS_NAME) ? store_read(store, RESULTS_NAME, STORE_BEGIN, &journal, err) : 0;
    experience_begin(&experience, who->c->ruleset->name, slice_str(&journal));
    if (rc == 0)
        rc = experience_until(&experience, INT64_MAX, err);
    if (rc == 0)
        experience_of(&experience, who->player, now, found);
    experience_release(&experience);
    str_release(&journal);
    return rc;
}

static int count(void *arg, const struct catalog_game *row, struct err *err)
{
    int64_t *running = arg;
    (void)row;
    (void)err;
    ++*running;
    return 0;
}

static int look_up(struct batch *batch, const struct entering *who, struct entry_found *found,
                   struct err *err)
{
    const struct conditions *asked = &who->c->conditions;
    struct catalog_tally tally = {0};
    *found = (struct entry_found){.rated = false};
    if (conditions_rank(asked) && look_at_results(batch, who, found, err))
        return -1;
    if (asked->prompt && catalog_reliability(batch->catalog, who->player, &tally, err))
        return -1;
    found->turns = tally.awaited;
    found->missed = tally.missed < tally.awaited ? tally.missed : tally.awaited;
    return asked->running ? catalog_each_game(batch->catalog, &(struct catalog_filter){who->player, true},
                                              count, &found->running, err)
                          : 0;
}

/* ---- what is said ---- */

static int refuse_rating(const struct entering *who, const struct entry_found *found, struct err *err)
{
    const struct competition *c = who->c;
    char least[RATING_TEXT], is[RATING_TEXT];
    rating_text(least, c->conditions.rating);
    rating_text(is, found->rating);
    if (!found->rated)
        return reason_fail(
            err, "entry_unrated name=%s least=%s ruleset=%s player=%s",
            "The competition %s takes players with a rating of at least %s in %s; %s has no rated game yet.",
            c->name, least, c->ruleset->title, who->player);
    return reason_fail(
        err, "entry_low name=%s least=%s ruleset=%s player=%s is=%s",
        "The competition %s takes players with a rating of at least %s in %s; that of %s is %s now.", c->name,
        least, c->ruleset->title, who->player, is);
}

static int refuse_history(const struct entering *who, const struct entry_found *found, bool late,
                          struct err *err)
{
    const struct competition *c = who->c;
    if (late)
        return reason_fail(err, "entry_late name=%s least=%d player=%s turns=%lld missed=%lld",
                           "The competition %s takes players who have sent orders in time for at least %d "
                           "percent of their turns; %s was awaited in %lld and missed %lld.",
                           c->name, c->conditions.prompt, who->player, (long long)found->turns,
                           (long long)found->missed);
    return reason_fail(err, "entry_few name=%s least=%d ruleset=%s player=%s is=%lld",
                       "The competition %s takes players who have played at least %d games of %s to their "
                       "end; of %s the league knows %lld.",
                       c->name, c->conditions.games, c->ruleset->title, who->player, (long long)found->games);
}

static int refuse_entry(const struct entering *who, const struct entry_found *found, enum condition met,
                        struct err *err)
{
    const struct competition *c = who->c;
    switch (met) {
    case CONDITION_MET: return 0;
    case CONDITION_KEY:
        return reason_fail(err, "entry_key name=%s",
                           "The competition %s takes entries that are signed with a key, and none by reply.",
                           c->name);
    case CONDITION_INVITED:
        return reason_fail(err, "entry_invited name=%s player=%s",
                           "The competition %s is for invited players, and %s is not among them.", c->name,
                           who->player);
    case CONDITION_UNRATED:
    case CONDITION_LOW: return refuse_rating(who, found, err);
    case CONDITION_FEW:
    case CONDITION_LATE: return refuse_history(who, found, met == CONDITION_LATE, err);
    case CONDITION_BUSY: break;
    }
    return reason_fail(err, "entry_busy name=%s most=%d player=%s is=%lld",
                       "The competition %s takes players who are in no more than %d running games; %s is in "
                       "%lld.",
                       c->name, c->conditions.running, who->player, (long long)found->running);
}

int entering_look(struct batch *batch, const struct entering *who, json_t **found, struct err *err)
{
    const struct conditions *asked = &who->c->conditions;
    struct entry_found is;
    *found = NULL;
    if (look_up(batch, who, &is, err) ||
        refuse_entry(who, &is, conditions_met(asked, who->player, who->keyed, &is), err))
        return -1;
    *found = found_json(&is, asked);
    return 0;
}
