/* Is what a mail proves in the journal, or does the league say that it was lost? By all who judge a player's mails. */
#include <string.h>

#include "publish/receipts_parts.h"

bool receipts_is_of(const struct ledger *ledger, const struct receipts_claim *claim)
{
    return (size_t)claim->seq <= ledger->count &&
           memcmp(ledger->record[claim->seq - 1].head, claim->head, HEAD_BYTES) == 0;
}

/* When the log had the record, if a mail proves it; NULL = none does. */
static const struct receipts_claim *claim_of(const struct receipts *receipts, size_t at, int64_t seq)
{
    for (size_t i = 0; i < receipts->claim_count; i++)
        if (receipts->claim[i].ledger == at && receipts->claim[i].seq == seq &&
            receipts_is_of(&receipts->ledger[at], &receipts->claim[i]))
            return &receipts->claim[i];
    return NULL;
}

/* Was it in the log before the record that says so? Where no mail proves both, or the log has them at one time, the mail's date decides. */
static bool is_before(const struct receipts *receipts, const struct receipts_claim *claim, int64_t seq)
{
    const struct ledger *ledger = &receipts->ledger[claim->ledger];
    const struct receipts_claim *said = claim_of(receipts, claim->ledger, seq);
    const int64_t date = receipts->mail[claim->mail].date;
    if (said && strcmp(said->checkpoint.origin, claim->checkpoint.origin) != 0)
        return true; /* the log that this one follows */
    if (said && said->time != claim->time)
        return claim->time < said->time;
    return !date || date <= ledger->record[seq - 1].time;
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
