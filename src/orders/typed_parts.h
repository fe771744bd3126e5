/* What the files of typed.h share. */
#ifndef ORDERS_TYPED_PARTS_H
#define ORDERS_TYPED_PARTS_H

#include "orders/typed.h"

/* Is it a greeting or closing of the list, or one of the names (NULL ends them)? `line` has no space or sign at
 * its ends. */
bool typed_greets(struct slice line, const char *const *names);

/* Orders as the language reads them: looks at the lines that are orders, of each game together, and makes those
 * unread that are none (typed_orders.c). */
void typed_check_orders(struct typed *typed, const struct typed_by *by);
/* Does the line begin with an order word of the language, written in full? */
bool typed_begins_order(struct slice line, const struct language *language);
/* Is it one order (or several, with ";") as a whole, without the lines around it? */
bool typed_is_order(struct slice line, const struct language *language);

#endif
