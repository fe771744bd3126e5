/* The bundle of a game for the public: everything that anybody needs to check it, and nothing that is still
 * secret. Its README (templates/common/published.txt) explains what is in it, and why.
 *
 * Boxes are opened when the journal holds `open`; press never is, whose key is never published. The same game gives the
 * same bytes. */
#ifndef PUBLISH_PUBLISH_H
#define PUBLISH_PUBLISH_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"
#include "base/str.h"
#include "league/league.h"
#include "league/league_log.h"
#include "journal/record.h"
#include "journal/store.h"
#include "report/render.h"

struct bundle_file {
    char *name; /* "journal.jsonl", "signed/12.txt" */
    struct str bytes;
};
struct bundle {
    struct bundle_file *file;
    size_t count, cap;
};
/* Safe on a zeroed struct. */
void bundle_release(struct bundle *bundle);
/* Adds an empty file; the pointer is valid until the next bundle_add. */
struct str *bundle_add(struct bundle *bundle, const char *name);

/* HEAD, the entry of the league's log of the last record, HEAD.tlog-proof, that it is there, and league.policy, under which. ERR_TEMP:
 * the log has not got it yet. */
int bundle_add_head(struct bundle *bundle, struct league_log *log, const char *name, int64_t seq,
                    int64_t time, struct err *err) __attribute__((warn_unused_result));

struct publish {
    struct store *store;
    const struct league *league;
    struct league_log *
        log; /* with the league's keys; NULL: nothing proves the head, and there are neither HEAD nor its proof */
    struct templates *templates;
    const char *game;
    bool redact; /* names and comments stay out of every file but the journal, whose chain covers them */
};
/* Fills a zeroed bundle. The game is replayed from its first record on: ERR_BROKEN names the first bad one,
 * ERR_MISSING, ERR_INPUT: its journal is of another league, or it is withheld (game/lockstep.h). */
int publish_game(const struct publish *publish, struct bundle *bundle, struct err *err)
    __attribute__((warn_unused_result));
/* The same, if the game is not withheld; else the bundle stays empty. */
int publish_shown(const struct publish *publish, struct bundle *bundle, struct err *err)
    __attribute__((warn_unused_result));
/* The same of a competition, `game` being its name and `competitions` where it is; with each of its games in
 * games/NAME/, unless it is withheld. Its README is templates/common/published_competition.txt. */
int publish_competition(const struct publish *publish, struct store *competitions, struct bundle *bundle,
                        struct err *err) __attribute__((warn_unused_result));
/* The same of the league's results, with the lists that follow from them; without the games. Its README is
 * templates/common/published_results.txt. */
int publish_results(const struct publish *publish, struct store *competitions, struct bundle *bundle,
                    struct err *err) __attribute__((warn_unused_result));

#endif
