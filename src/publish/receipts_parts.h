/* Between receipts.c (mails and heads), receipts_marks.c (receipts and closes, without a journal), receipts_boards.c (what reports
 * show), receipts_orders.c (what the player sent) and receipts_asks.c (what the journal says of the player's seat), with what these
 * share in receipts_find.c and receipts_loss.c; for no other files. */
#ifndef PUBLISH_RECEIPTS_PARTS_H
#define PUBLISH_RECEIPTS_PARTS_H

#include "publish/receipts.h"
#include "mail/message.h"
#include "trust/envelope.h"

/* How far clocks may be apart, and a mail's date be wrong, without a word. */
#define RECEIPTS_CLOCK_SLACK ((int64_t)3600)

/* The finding, for its last members and its text to be filled in. */
struct receipts_finding *receipts_find(struct receipts *receipts, enum receipts_weight weight,
                                       enum receipts_kind kind, const struct ledger *ledger, int64_t seq,
                                       size_t mail);
/* The league's key: the one that was given, else the one that the journal names. */
void receipts_key(const struct receipts *receipts, const struct ledger *ledger, struct pubkey *key);
/* The signed orders in a mail, by any player of the games. */
void receipts_take_texts(struct receipts *receipts, size_t mail, const struct evidence *parts, size_t count);
/* Marks the keys in the text of a mail: the player was told of them, or requested them. */
void receipts_take_keys(struct receipts *receipts, struct slice text);
/* The journal holds the record whose head it is. */
bool receipts_is_of(const struct ledger *ledger, const struct receipts_claim *claim);
/* The record by which the league accounts for a head that the journal does not have; 0 = none. */
int64_t receipts_loss(const struct receipts *receipts, const struct receipts_claim *claim);
/* What opens the boards in a mail, and whether it shows these. */
void receipts_take_boards(struct receipts *receipts, size_t mail, const struct evidence *parts, size_t count);
void receipts_judge_boards(struct receipts *receipts);
/* Of games without a journal: what receipts promise, and what the turns were closed with. */
void receipts_judge_marks(struct receipts *receipts);
void receipts_judge_texts(struct receipts *receipts);
/* Call it after receipts_judge_texts. */
void receipts_judge_seats(struct receipts *receipts);
/* The league's receipt for these orders, of which the journal has that very record; NULL = none. */
const struct receipts_claim *receipts_receipt(const struct receipts *receipts,
                                              const struct receipts_text *text);

#endif
