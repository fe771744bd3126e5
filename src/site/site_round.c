#include "site/site_round.h"

#include "base/log.h"
#include "site/site.h"

void site_round(struct batch *batch)
{
    const char *folder = batch->league->config.site.folder;
    const struct site site = {.league = batch->league,
                              .log = batch->tlog,
                              .folder = folder,
                              .store = batch->store,
                              .catalog = batch->catalog,
                              .registry = &batch->registry,
                              .templates = batch->templates,
                              .now = batch->now,
                              .patience = SITE_PATIENCE};
    struct site_sum sum;
    struct err err = ERR_INIT;
    if (!*folder || batch->torn)
        return;
    if (site_write(&site, &sum, &err))
        log_warn("the site could not be written: %s", err.text);
    else if (sum.written || sum.removed)
        log_info("site: %zu file%s written, %zu removed%s", sum.written, PLURAL(sum.written), sum.removed,
                 sum.left || sum.late ? "; the rest comes with the next round" : "");
}
