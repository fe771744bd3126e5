/* Shared by the files of the audit of competitions. */
#ifndef AUDIT_AUDIT_COMPETE_PARTS_H
#define AUDIT_AUDIT_COMPETE_PARTS_H

#include "audit/audit_compete.h"
#include "compete/experience.h"

struct competing {
    const struct audit_competition *in;
    struct audit_competition_result *out;
    struct competition c;
    const struct record *record;      /* being checked */
    bool *taken;                      /* games of `in` that have a table */
    const struct audit_played *first; /* of them; NULL = none yet */
    struct {
        int64_t time;
        char player[PLAYER_NAME];
    } * left; /* who left, for the draw that comes next */
    size_t left_count, left_cap;
    struct {
        bool any; /* there is a text of theirs before it */
        struct pubkey list[KEYS_PER_PLAYER];
        size_t count;
    } had;                        /* by whom the record is about: keys of the text by which they were in */
    struct experience experience; /* by in->results, from `create` on */
};

/* audit_compete_found.c. Always -1. */
int competing_broken(struct competing *a, enum audit_kind kind, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void competing_word(struct competing *a, enum audit_kind kind, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* audit_compete_people.c: enter, confirm, withdraw, adjust. The first before they are applied. */
void competing_keys_before(struct competing *a);
int competing_people(struct competing *a);
/* audit_compete_conditions.c: what was found of who entered. */
int competing_found(struct competing *a);
/* audit_compete_deals.c: what the same deal for all asks of a game; and the record `field`. */
int competing_deal(struct competing *a, const struct compete_table *table, const struct audit_played *game);
int competing_field(struct competing *a);
/* audit_compete_games.c: the game of that name, which is then taken; NULL: it is not there. The games that `made` names and that `result` tells of; then those that are in nothing. */
const struct audit_played *competing_game(struct competing *a, const char *id);
int competing_made(struct competing *a);
int competing_result(struct competing *a);
int competing_rest(struct competing *a);

#endif
