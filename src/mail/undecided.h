/* Mails that show a picture, as long as it is not decided whether they leave with it.
 *
 * The choice is made before the first try, and is durable: a mail that goes out again after a crash is the same
 * mail, byte for byte. With: it is written with its picture into chosen/, without sync; after a sync of all of
 * these each replaces the one in new/, whose envelope names no picture then. Without: new/ -> wait/, as one that
 * was tried 0 times. After a second sync they may be tried. A crash before that leaves some undecided, and
 * none of them was tried. */
#ifndef MAIL_UNDECIDED_H
#define MAIL_UNDECIDED_H

#include "mail/spool.h"

enum undecided_choice { UNDECIDED_WITHOUT, UNDECIDED_WITH };

struct undecided {
    char *path;                  /* as spool_due gives it */
    char digest[PICTURE_DIGEST]; /* of what the picture shows */
    enum undecided_choice choice;
};
struct undecided_list {
    struct undecided *list;
    size_t count, cap;
};

/* All of the spool, in the order of records. */
int undecided_read(const char *dir, struct undecided_list *list, struct err *err)
    __attribute__((warn_unused_result));
void undecided_free(struct undecided_list *list);
/* Writes the mail with this picture into chosen/. It is UNDECIDED_WITH then, else UNDECIDED_WITHOUT: when the mail has no
 * place for one, or cannot be written, which *why says, or be read: sending says
 * what is wrong with it. */
void undecided_illustrate(const char *dir, struct undecided *one, struct slice png, struct err *why);
/* Makes the choices about the first `count` durable, and drops these from the list; `now` is the league's time. */
int undecided_settle(const char *dir, struct undecided_list *list, size_t count, int64_t now, struct err *err)
    __attribute__((warn_unused_result));
/* On start (spool_recover): what a crash has left in chosen/. */
int undecided_recover(const char *dir, struct err *err) __attribute__((warn_unused_result));

#endif
