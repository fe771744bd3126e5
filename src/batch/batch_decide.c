/* Staged mails whose game could not be read when the process began. */
#include <string.h>

#include "batch/batch_parts.h"

/* A game or competition that can be read now. */
struct decided {
    const char *name;
    int64_t seq;
};

static enum spool_record decided_record(const char *id, void *arg)
{
    const struct decided *decided = arg;
    struct mail_id about;
    if (!mail_id_is(&about, id, MAIL_ID_RECORD) || strcmp(about.name, decided->name) != 0)
        return SPOOL_UNKNOWN;
    return decided->seq >= about.seq ? SPOOL_COMMITTED : SPOOL_MISSING;
}

int batch_decide_mails(struct batch *batch, const char *name, int64_t seq, struct err *err)
{
    struct decided decided = {name, seq};
    if (!json_object_get(batch->undecided, name))
        return 0;
    json_object_del(batch->undecided, name);
    return spool_recover(batch->spool, decided_record, &decided, err);
}
