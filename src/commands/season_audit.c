/* A season that closes is audited, by the code of `turnpost audit`: what that says is kept beside its journal, and an audit
 * that finds it broken is told at once. */
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/log.h"
#include "batch/competing.h"
#include "commands/audit.h"
#include "commands/season_audit.h"

void season_audit(const struct league *league, const char *competition)
{
    const struct audit_how how = {.view = AUDIT_PUBLIC, .league_key = league->key.point, .jobs = 1};
    struct str folder = STR_INIT, out = STR_INIT, path = STR_INIT;
    struct err err = ERR_INIT;
    enum audit_verdict verdict = AUDIT_REFUTED;
    char *games = league_path(league, "games");
    str_addf(&folder, "%s/%s/%s", league->dir, COMPETE_FOLDER, competition);
    str_addf(&path, "%s/journal.jsonl", folder.p);
    struct audit_game game = {.journal = path.p,
                              .league = league->dir,
                              .name = (char *)(uintptr_t)competition,
                              .id = competition,
                              .games = games};
    int rc = audit_one_competition(&game, &how, &out, &verdict, &err);
    str_adds(&folder, "/" SEASON_AUDIT);
    if (rc == 0)
        rc = file_write_soft(folder.p, slice_str(&out), 0644, &err);
    if (rc)
        log_error("competition %s is closed, and could not be audited: %s; run turnpost audit %s",
                  competition, err.text, competition);
    else if (verdict >= AUDIT_REFUTED)
        log_error("competition %s is closed, and its audit finds it %s: turnpost audit %s says where",
                  competition, audit_verdict_name(verdict), competition);
    str_release(&folder);
    str_release(&path);
    str_release(&out);
    free(games);
}
