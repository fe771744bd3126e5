/* The log of mails that came in: what `turnpost mail` tells an operator whom somebody asks "I sent orders and
 * got nothing". It is in the catalog, because what was decided about a mail that led to no record is in no
 * journal, and because a line is then written in one transaction with the memory that the mail was answered:
 * there is never the one without the other.
 *
 * Of grey press neither the sender is in it, nor what tells who that is: player, subject, Message-ID, answer.
 * Who is taken out of the league is taken out of it, too. */
#ifndef BATCH_MAIL_LOG_H
#define BATCH_MAIL_LOG_H

#include "batch/batch.h"
#include "letters/reading.h"

/* A mail of which a line is made. */
struct logged_mail {
    const unsigned char *digest;
    const struct incoming *incoming; /* NULL: not at hand */
    const struct reading *reading;   /* as far as it is made; or NULL */
    const char *signer;              /* whose signature was good; "" = nobody's */
    bool hides;                      /* it is grey press, which the reading does not show */
};
/* Fills the line but for verdict, words and answer. */
void mail_log_line(const struct batch *batch, const struct logged_mail *mail, struct catalog_mail *line);
/* Puts it into the next commit. */
void mail_log_add(struct batch *batch, const struct catalog_mail *line);
/* Writes it at once, outside of a batch. */
int mail_log_put(struct batch *batch, const struct catalog_mail *line, struct err *err)
    __attribute__((warn_unused_result));
/* A player is taken out, in this batch: before the registry has done it. */
int mail_log_leaves(struct batch *batch, const char *player, struct err *err)
    __attribute__((warn_unused_result));
/* One of its games is left out of the commit: the mail stays in the mailbox. */
void mail_log_left_out(struct catalog_mail *line, const char *game);
/* Forgets what was decided before `since`, and whoever is no player any more though no batch took them out: their
 * files were removed by hand. */
int mail_log_tidy(struct batch *batch, int64_t since, struct err *err) __attribute__((warn_unused_result));
/* Within the catalog's transaction. */
int mail_log_commit(struct batch *batch, struct err *err) __attribute__((warn_unused_result));

#endif
