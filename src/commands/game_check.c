#include "commands/game_check.h"

#include <string.h>

#include "audit/audit.h"
#include "journal/store.h"

int game_check(const struct game_files *files, bool *early, struct err *err)
{
    struct lines records;
    struct audit audit;
    struct audit_result result;
    lines_memory(&records, files->journal);
    audit_init(&audit, &records);
    audit.master = files->master;
    audit.game = files->id;
    audit.league_key = files->league_key;
    *early = false;
    if (audit_run(&audit, &result, err))
        return -1;
    if (result.verdict == AUDIT_NEWER)
        return err_set(err, ERR_NEWER, "game %s: record %lld: %s", files->id, (long long)result.first.seq,
                       result.first.text);
    if (result.verdict != AUDIT_REFUTED)
        return 0;
    *early = result.first.kind == AUDIT_ORDER &&
             result.first.seq == store_after(STORE_BEGIN, files->journal).seq + 1;
    return *early ? 0
                  : err_set(err, ERR_BROKEN, "game %s is broken at record %lld: %s", files->id,
                            (long long)result.first.seq, result.first.text);
}
