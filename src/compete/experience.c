#include "compete/experience.h"

#include <string.h>

void experience_begin(struct experience *experience, const char *ruleset, struct slice journal)
{
    memset(experience, 0, sizeof *experience);
    experience->ruleset = ruleset;
    experience->rest = journal;
    experience->games = json_object();
    results_init(&experience->results);
}

void experience_release(struct experience *experience)
{
    results_release(&experience->results);
    json_decref(experience->games);
    experience->games = NULL;
}

/* Games of which a player saw the end, rated or not. */
static int count(void *arg, int64_t seq, const struct results_game *game, const struct ladder *ladder,
                 struct err *err)
{
    const struct experience *experience = arg;
    (void)seq;
    (void)ladder;
    (void)err;
    for (int seat = 1; seat <= game->seats && strcmp(game->ruleset, experience->ruleset) == 0; seat++) {
        const struct results_seat *one = &game->seat[seat];
        if (one->robot || one->left || !one->rank || !*one->name)
            continue;
        json_int_t before = json_integer_value(json_object_get(experience->games, one->name));
        json_object_set_new(experience->games, one->name, json_integer(before + 1));
    }
    return 0;
}

/* The next line of the journal; the rest is what follows it. */
static struct slice next_line(const struct experience *experience, struct slice *rest)
{
    struct slice line;
    *rest = experience->rest;
    (void)slice_line(rest, &line);
    return (struct slice){experience->rest.p, (size_t)(rest->p - experience->rest.p)};
}

int experience_until(struct experience *experience, int64_t seq, struct err *err)
{
    const struct results_reading how = {.each = count, .arg = experience};
    while (experience->results.seq < seq && experience->rest.len) {
        struct slice rest;
        bool past;
        struct slice line = next_line(experience, &rest);
        if (results_line(&experience->results, line, &how, &past, err))
            return -1;
        experience->rest = rest;
    }
    return seq == INT64_MAX || experience->results.seq == seq
               ? 0
               : err_set(err, ERR_MISSING, "the results have no record %lld there", (long long)seq);
}

int64_t experience_next(const struct experience *experience)
{
    struct record record;
    struct slice rest;
    struct err ignored = ERR_INIT; /* it is found where it is read */
    if (!experience->rest.len || record_parse(next_line(experience, &rest), &record, &ignored))
        return 0;
    int64_t time = record.time;
    record_release(&record);
    return time;
}

void experience_of(const struct experience *experience, const char *player, int64_t now,
                   struct entry_found *found)
{
    const struct results_ladder *ladder = results_ladder(&experience->results, experience->ruleset);
    const struct ladder_player *one = ladder ? ladder_find(&ladder->ladder, player) : NULL;
    found->rated = one != NULL;
    found->rating = one ? ladder_figures(one, now).shown : 0;
    found->games = json_integer_value(json_object_get(experience->games, player));
    found->seq = experience->results.seq;
    memcpy(found->head, experience->results.head, HEAD_BYTES);
}
