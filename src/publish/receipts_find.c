/* What is noted of a player's mails, by all who judge them (receipts_asks.c, receipts_marks.c, receipts_orders.c). */
#include <string.h>

#include "base/mem.h"
#include "publish/receipts_parts.h"

struct receipts_finding *receipts_find(struct receipts *receipts, enum receipts_weight weight,
                                       enum receipts_kind kind, const struct ledger *ledger, int64_t seq,
                                       size_t mail)
{
    receipts->finding = mem_grow(receipts->finding, receipts->finding_count, &receipts->finding_cap,
                                 sizeof *receipts->finding);
    struct receipts_finding *finding = &receipts->finding[receipts->finding_count++];
    *finding = (struct receipts_finding){.weight = weight, .kind = kind, .seq = seq, .mail = mail};
    memcpy(finding->game, ledger->file.id, sizeof finding->game);
    return finding;
}
