/* In which order the mails of the spool leave.
 *
 * The mails of one game to one address make a row, in the order of the records that they tell of: each leaves
 * when the one before it has been tried. When the server puts one off (4xx, no answer), those behind it wait
 * until it has left, but no longer than ORDER_PATIENCE after its first try: a server that greylists lets it
 * in by then. Nobody waits for a mail that was put off for what it says (SPOOL_LATER_ALONE), and what its
 * reader has asked for, or has to know within ORDER_URGENT, waits for nobody. All other mails leave as they
 * come. One of which it is not decided yet whether it has its picture does not leave, and those behind it wait. All of it follows from the names, times and envelopes of the files (mail/spool.h), so nothing is lost
 * when the process ends.
 *
 * Several rows are under way at a time. Whoever works in threads holds a lock of their own around each call. */
#ifndef MAIL_ORDER_H
#define MAIL_ORDER_H

#include "mail/spool.h"

#define ORDER_PATIENCE ((int64_t)15 * 60)
#define ORDER_URGENT   ((int64_t)12 * 3600)

struct order_mail; /* order.c */
struct order {
    struct spool_list list;  /* all of new/ and wait/, due or not; a mail is known by its place here */
    struct order_mail *mail; /* one for each of these */
    size_t *ready;           /* those that may be tried now, from `first` on */
    size_t first, count;
    size_t in_hand;   /* taken, and not done yet */
    size_t held;      /* that wait for one before them, so far */
    size_t undecided; /* that wait for a picture (mail/undecided.h) */
};

/* What may leave by the league's time `now`; order_free afterwards, also on error. */
int order_read(const char *spool, int64_t now, struct order *order, struct err *err)
    __attribute__((warn_unused_result));
/* The next mail that may be tried; false when there is none just now: while others are in hand, one may
 * follow. */
bool order_take(struct order *order, size_t *index);
/* What the mail tells is past, so it is not to be sent: a reminder of a deadline that is over, or that has given
 * way to a later one, of which a mail behind it in its row tells. That somebody has sent orders meanwhile is not
 * known here. */
bool order_is_past(const struct order *order, size_t index);
/* It was tried, and this became of it: those behind it may be ready now. */
void order_done(struct order *order, size_t index, enum spool_fate fate);
void order_free(struct order *order);

#endif
