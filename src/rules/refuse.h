/* How orders of all games are refused because of their wording; the words of these reasons are in
 * templates/common/refusals_all.txt. Each returns ORDER_REFUSED. */
#ifndef RULES_REFUSE_H
#define RULES_REFUSE_H

#include "orders/verbs.h"
#include "orders/words.h"
#include "rules/brief.h"

/* The arguments as they are quoted. */
struct brief args_words(const struct args *args);
/* "ambiguous", with "words" and the "candidates". */
enum order_result refuse_many(struct refusal *why, const struct args *args, const struct str *candidates);
/* Nothing may follow: words left over are most likely a mistake. False: "extra_words". */
bool args_finished(const struct args *args, struct refusal *why);

#endif
