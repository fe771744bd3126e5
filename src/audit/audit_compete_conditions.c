/* What was found of those who entered, held against the league's results. */
#include <string.h>

#include "audit/audit_compete_parts.h"

static int check_source(struct competing *a, const struct entry_found *found)
{
    struct err why = ERR_INIT;
    struct experience *experience = &a->experience;
    if (experience_until(experience, found->seq, &why))
        return competing_broken(a, AUDIT_CHAIN, "the results that it names do not hold: %s", why.text);
    if (memcmp(experience->results.head, found->head, HEAD_BYTES) != 0)
        return competing_broken(a, AUDIT_CHAIN, "it names other results: record %lld has another head",
                                (long long)found->seq);
    if (memcmp(experience->results.terms.league_key, a->c.keys.league, 32) != 0)
        return competing_broken(a, AUDIT_LEAGUE_KEY, "the results that it names are another league's");
    int64_t next = experience_next(experience);
    return next && next < a->record->time
               ? competing_broken(a, AUDIT_ORDER, "there were later results than those that it names")
               : 0;
}

static int check_figures(struct competing *a, const char *player, const struct entry_found *found)
{
    const struct conditions *asked = &a->c.conditions;
    struct entry_found is;
    experience_of(&a->experience, player, a->record->time, &is);
    if (asked->rated && (!is.rated || is.rating != found->rating))
        return competing_broken(a, AUDIT_RULES, "by the results the rating of %s was another one", player);
    return asked->games && is.games != found->games
               ? competing_broken(a, AUDIT_RULES, "by the results %s had played %lld games", player,
                                  (long long)is.games)
               : 0;
}

int competing_found(struct competing *a)
{
    const struct conditions *asked = &a->c.conditions;
    const char *player = json_string_value(json_object_get(a->record->json, "player"));
    struct entry_found found;
    bool ranks = conditions_rank(asked), there = a->in->results.len > 0;
    if (!found_read(&found, json_object_get(a->record->json, "found"), asked))
        return competing_broken(a, AUDIT_FORM, "what was found cannot be read");
    if (ranks && there && (check_source(a, &found) || check_figures(a, player, &found)))
        return -1;
    if ((!ranks || there) && !asked->prompt && !asked->running)
        return 0;
    a->out->counts.figures++;
    competing_word(a, AUDIT_RULES, "that %s met the conditions rests on the operator's word%s", player,
                   ranks && !there ? ": the league's results are not here"
                                   : ": turns in time and running games follow from all games of the league");
    return 0;
}
