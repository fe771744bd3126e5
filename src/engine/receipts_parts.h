/* Between receipts.c (mails and heads) and receipts_orders.c; for nobody else. */
#ifndef ENGINE_RECEIPTS_PARTS_H
#define ENGINE_RECEIPTS_PARTS_H

#include "engine/receipts.h"
#include "mail/message.h"
#include "trust/envelope.h"

/* The finding, for its last members and its text to be filled in. */
struct receipts_finding *receipts_find(struct receipts *receipts, enum receipts_weight weight,
                                       enum receipts_kind kind, const struct ledger *ledger, int64_t seq,
                                       size_t mail);
/* The signed orders in a mail, whoever's of the games they are. */
void receipts_take_texts(struct receipts *receipts, size_t mail, const struct evidence *parts, size_t count);
void receipts_judge_texts(struct receipts *receipts);

#endif
