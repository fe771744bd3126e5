/* The Maildir source behind source.h (https://cr.yp.to/proto/maildir.html): new/ and cur/ are read,
 * .Processed/, .Rejected/ and .Failed/ are Maildir++ folders that IMAP servers and mail programs show as
 * subfolders. A mail is named by the part of its file name before ":", which stays the same when a mail
 * program moves it to cur/ or sets flags. */
#ifndef MAIL_MAILDIR_H
#define MAIL_MAILDIR_H

#include "mail/nap.h"
#include "mail/source.h"

struct maildir;

/* ERR_CONFIG when `dir` is no Maildir (new/ and cur/ are missing). */
int maildir_open(const char *dir, size_t max_size, struct maildir **out, struct err *err)
    __attribute__((warn_unused_result));
int maildir_fetch(struct maildir *maildir, const struct source_wanted *wanted, struct incoming *mails,
                  size_t *count, struct err *err) __attribute__((warn_unused_result));
int maildir_dispose(struct maildir *maildir, const struct incoming *mails, const enum disposition *how,
                    size_t count, struct err *err) __attribute__((warn_unused_result));
/* As source_again. */
void maildir_again(struct maildir *maildir);
/* The mails in one of the folders of the Maildir `dir` that arrived at `since` or later are new again: *count of them. */
int maildir_take_back(const char *dir, const struct take_back *what, size_t *count, struct err *err)
    __attribute__((warn_unused_result));
int maildir_wait(struct maildir *maildir, int seconds, const struct nap_ends *ends, struct err *err)
    __attribute__((warn_unused_result));
const char *maildir_describe(const struct maildir *maildir);
void maildir_close(struct maildir *maildir);

/* Creates a Maildir: tmp/, new/, cur/. */
int maildir_create(const char *dir, struct err *err) __attribute__((warn_unused_result));

#endif
