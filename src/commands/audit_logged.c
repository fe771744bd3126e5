/* Whose journal it is: what lies beside a published one, HEAD and HEAD.tlog-proof, or the log of the league that it is in. */
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/mem.h"
#include "commands/audit.h"
#include "game/entry.h"
#include "league/league.h"
#include "league/league_log.h"
#include "publish/claims.h"

static int check(struct claim *claim, const struct audit_whole *whole, const struct audit_how *how,
                 struct err *err)
{
    int rc = claim_cut(claim, err);
    if (rc == 0)
        rc = how->policy ? claim_verify(claim, how->policy, err)
                         : claim_verify_key(claim, whole->league_key, err);
    if (rc)
        return -1;
    return claim->entry.seq == whole->records && memcmp(claim->entry.head, whole->head, HEAD_BYTES) == 0
               ? 0
               : err_set(err, ERR_INPUT, "it is of another record %lld than the last one here",
                         (long long)claim->entry.seq);
}

static struct audit_logged beside(const char *journal, const struct audit_whole *whole,
                                  const struct audit_how *how)
{
    struct audit_logged logged = {.how = AUDIT_LOGGED_NOWHERE};
    struct claim claim = {.bytes = STR_INIT, .extra = STR_INIT};
    struct str path = STR_INIT;
    if (claim_beside(journal, "HEAD", &path, &claim.bytes) &&
        claim_beside(journal, "HEAD.tlog-proof", &path, &claim.bytes)) {
        logged.how = check(&claim, whole, how, &logged.why) == 0 ? AUDIT_LOGGED : AUDIT_LOGGED_OTHERWISE;
        logged.entry = claim.number;
    }
    claim_release(&claim);
    str_release(&path);
    return logged;
}

/* By its own name, or by that of a game that is not shown to all. */
static int look_up(struct league_log *log, const struct audit_whole *whole, struct audit_logged *logged)
{
    struct proof_place place = {.seq = whole->records, .time = whole->ended};
    int rc = -1;
    for (int hidden = 0; rc && hidden < (whole->create ? 2 : 1); hidden++) {
        if (hidden)
            game_log_hidden_name(place.name, whole->create);
        else
            (void)snprintf(place.name, sizeof place.name, "%s", whole->name);
        err_clear(&logged->why);
        rc = league_log_holds(log, &place, whole->head, &logged->why);
        if (rc && logged->why.code != ERR_MISSING)
            break;
    }
    logged->entry = rc ? 0 : league_log_index(log, &place) + 1;
    return rc;
}

static struct audit_logged in_league(const char *dir, const struct audit_whole *whole)
{
    struct audit_logged logged = {.how = AUDIT_LOGGED_NOWHERE};
    struct league league;
    struct league_log *log = NULL;
    if (league_open(dir, false, &league, &logged.why))
        return logged;
    memcpy(league.key.point, whole->league_key,
           sizeof league.key.point); /* the log that is asked must be by this key */
    if (league_log_look(&log, &league, &logged.why) == 0 && look_up(log, whole, &logged) == 0)
        logged.how = AUDIT_LOGGED;
    else if (logged.why.code == ERR_BROKEN)
        logged.how = AUDIT_LOGGED_OTHERWISE;
    league_log_close(log);
    league_close(&league);
    return logged;
}

/* The folder of the league that has this journal in its games or competitions; NULL: it lies elsewhere. The caller frees it. */
static char *league_of(const char *journal)
{
    char *path = mem_strdup(journal), *up = path;
    for (int i = 0; i < 3; i++)
        up = dirname(up);
    char *league = mem_strdup(up), *config = path_join(league, "league.ini");
    if (!file_exists(config)) {
        free(league);
        league = NULL;
    }
    free(config);
    free(path);
    return league;
}

struct audit_logged audit_logged(const struct audit_game *game, const struct audit_whole *whole,
                                 const struct audit_how *how)
{
    struct audit_logged logged = beside(game->journal, whole, how);
    char *league = logged.how == AUDIT_LOGGED_NOWHERE ? league_of(game->journal) : NULL;
    if (league)
        logged = in_league(league, whole);
    free(league);
    return logged;
}

void audit_logged_text(struct str *out, const struct audit_logged *logged)
{
    if (logged->how == AUDIT_LOGGED)
        str_addf(out, "The league's log has all of it (entry %lld).\n", (long long)logged->entry);
    else if (logged->how == AUDIT_LOGGED_OTHERWISE)
        str_addf(out,
                 "The proof that the league's log has all of it does not hold: %s. Compare the two: turnpost "
                 "audit --log.\n",
                 logged->why.text);
    else
        str_addf(out,
                 "Anybody could have made it: no proof that the league's log has it is beside it (HEAD, "
                 "HEAD.tlog-proof)%s%s.\n",
                 *logged->why.text ? "; " : "", logged->why.text);
}

const char *audit_logged_verdict(const struct audit_logged *logged, enum audit_verdict verdict)
{
    if (logged->how == AUDIT_LOGGED || verdict > AUDIT_PARTLY)
        return audit_verdict_name(verdict);
    return verdict == AUDIT_PROVED ? "sound" : "sound as far as opened";
}

enum audit_verdict audit_logged_code(const struct audit_logged *logged, enum audit_verdict verdict)
{
    return verdict == AUDIT_PROVED && logged->how != AUDIT_LOGGED ? AUDIT_PARTLY : verdict;
}
