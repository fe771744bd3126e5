/* Is what a mail proves in the journal, or does the league say that it was lost? By all who judge a player's mails. */
#include <string.h>

#include "publish/receipts_parts.h"

bool receipts_is_of(const struct ledger *ledger, const struct receipts_claim *claim)
{
    return (size_t)claim->seq <= ledger->count &&
           memcmp(ledger->record[claim->seq - 1].head, claim->head, HEAD_BYTES) == 0;
}

/* Was it in the log before the record `seq`, which says so? By what mails prove of the journal from there on: a log that had any of it
 * when it had this claim contradicts; one that has another name began with the loss. Where no mail tells, or one log has both at one
 * time, the mail's date decides, which the clock of a lost host may have put wrong. */
static bool is_before(const struct receipts *receipts, const struct receipts_claim *claim, int64_t seq)
{
    const struct ledger *ledger = &receipts->ledger[claim->ledger];
    const int64_t date = receipts->mail[claim->mail].date;
    bool other_log = false;
    for (size_t i = 0; i < receipts->claim_count; i++) {
        const struct receipts_claim *said = &receipts->claim[i];
        if (said->ledger != claim->ledger || said->seq < seq || !receipts_is_of(ledger, said))
            continue;
        const bool same_log = strcmp(said->checkpoint.origin, claim->checkpoint.origin) == 0;
        if (same_log && said->time < claim->time)
            return false;
        if (same_log && said->seq == seq && said->time > claim->time)
            return true;
        other_log |= !same_log;
    }
    return other_log || !date || date <= ledger->record[seq - 1].time;
}

int64_t receipts_loss(const struct receipts *receipts, const struct receipts_claim *claim)
{
    const struct ledger *ledger = &receipts->ledger[claim->ledger];
    if (receipts_is_of(ledger, claim))
        return 0;
    for (int64_t seq = 1; seq <= (int64_t)ledger->count && seq <= claim->seq; seq++)
        if (ledger->record[seq - 1].id == RECORD_LOST && is_before(receipts, claim, seq))
            return seq;
    return 0;
}
