/* What the commands that look into a game's files share: explain, diff, log; show, preview. */
#ifndef COMMANDS_LOOK_H
#define COMMANDS_LOOK_H

#include "commands/commands.h"
#include "history/casefile.h"
#include "journal/catalog.h"
#include "league/league.h"
#include "report/render.h"

/* Their common options; `seat` 0 = not given. */
struct look_flags {
    const char *as, *league;
    int64_t seat;
    bool json, told;
};
#define LOOK_FLAGS(f)                                                                      \
    {"as", FLAG_TEXT, &(f).as, "WHO", "for whom: public (default), moderator, or seat N"}, \
        {"seat", FLAG_NUMBER, &(f).seat, "N", "the same as --as \"seat N\""},              \
        {"json", FLAG_SWITCH, &(f).json, NULL, "print JSON"},                              \
    {                                                                                      \
        "league", FLAG_TEXT, &(f).league, "DIR", FLAG_LEAGUE_HELP                          \
    }
/* For those that replay the game. */
#define LOOK_TOLD(f)                                                                             \
    {                                                                                            \
        "told", FLAG_SWITCH, &(f).told, NULL,                                                    \
            "of a running game, tell what the reports told this reader; needs the league's keys" \
    }
#define LOOK_DETAILS                                                                                       \
    "GAME is a game of the league, a journal, or a folder with one; the last two need no league. What is " \
    "still sealed to the reader is never told. Until a game is over and its key is published, the public " \
    "gets what the journal says openly, and a seat also its own orders. A moderator needs the league's "   \
    "keys, or the file opened.txt from an appeal's mail beside the journal.\n"

struct look {
    struct casefile file;
    struct reader reader;
    struct templates *templates;
};
/* "--as seat 2" comes as three words: puts them together in `joined`; call before flags_parse. */
void look_join(int *argc, char **argv, char joined[16]);
/* Opens the game and sets the process's time zone. Returns 0, or the exit code when it has said what is
 * wrong; then there is nothing to close. */
int look_open(const char *what, const struct look_flags *flags, struct look *look)
    __attribute__((warn_unused_result));
void look_close(struct look *look);
/* Prints the facts: by the template, or, where `name` is NULL, as JSON. */
int look_print(struct templates *templates, const char *folder, const char *name, json_t *facts,
               struct err *err) __attribute__((warn_unused_result));

/* The catalog, for who only reads: none is made. ERR_MISSING: nothing has been done in the league yet. `*fresh`: it was damaged, and
 * is new and empty. */
int look_catalog(const struct league *league, struct catalog **catalog, bool *fresh, struct err *err)
    __attribute__((warn_unused_result));
/* Each game of the catalog; with NULL, until the first run has filled it (after a restore, say), from its journal, which is then
 * there as `game`. One that is damaged is left out, with a warning. */
typedef int look_row(void *arg, const struct catalog_game *row, const struct game *game, struct err *err)
    __attribute__((warn_unused_result));
int look_games(const struct league *league, struct catalog *catalog, look_row *each, void *arg,
               struct err *err) __attribute__((warn_unused_result));
/* A game of a league, checked from its first record on. The caller releases it, also after an error. */
int look_game(const struct league *league, const char *id, struct game *game, struct err *err)
    __attribute__((warn_unused_result));
/* Prints facts about it in the same way; by the league's own template if it has one. */
int look_show(const struct league *league, const struct game *game, const char *name, json_t *facts,
              struct err *err) __attribute__((warn_unused_result));

#endif
