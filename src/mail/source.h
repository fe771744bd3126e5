/* Where mail comes from: a Maildir or an IMAP mailbox behind one small interface.
 *
 * Use: source_open -> { source_fetch -> ... -> source_dispose for each mail -> } -> source_close.
 * A mail is disposed of only after what it caused has been committed; until then it stays where it is, so
 * after a crash it is fetched again (intake recognises it by its digest). Nothing is ever deleted: mails move
 * to Processed
 *, Rejected or Failed. */
#ifndef MAIL_SOURCE_H
#define MAIL_SOURCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/str.h"

struct incoming {
    char *id; /* the source's own handle: file name, or "uidvalidity/uid" */
    int64_t
        arrived; /* seconds since 1970: by INTERNALDATE or the time of the Maildir's file, where these can be
                        right (source_arrival); of a source that knows the time (source_time) never after that */
    size_t size; /* bytes on the server */
    bool oversize; /* larger than the limit: `raw` is empty, or holds only the header */
    bool withheld; /* it has a size, but the server sent none of it: `raw` is empty. It cannot be moved */
    bool spared;   /* larger than source_spare says: `raw` is empty, as it was not fetched. It is not moved */
    struct str raw;
};

enum disposition { MAIL_PROCESSED, MAIL_REJECTED, MAIL_FAILED, DISPOSITIONS };

/* Mails that have been dealt with and go back into the mailbox. */
struct take_back {
    enum disposition from;
    int64_t since; /* those that arrived then or later; 0: all */
};

/* The names of mailboxes on a server. */
struct folders {
    const char *mailbox;              /* that is read */
    const char *folder[DISPOSITIONS]; /* where mails go */
};

enum tls_mode { TLS_IMPLICIT, TLS_STARTTLS };

/* Settings of one server, all borrowed, and only until the call that takes them returns. There is no way to
 * switch verification off. */
struct server {
    const char *host;
    int port;
    enum tls_mode tls;
    const char *ca_file; /* NULL = the system's bundle file */
    const char *user;
    const char *password; /* the secret itself (already read from its command, file or environment), NULL with
                             token */
    const char *token;    /* XOAUTH2 access token, or NULL */
    int timeout;          /* seconds for any one answer */
    int poll;             /* seconds between checks for mail where the server does not announce it; 0 = 60 */
};

struct source; /* opaque */
/* Is it on a server, so that every answer takes time? */
bool source_is_far(const struct source *source);

/* The folder must be a Maildir already (ERR_CONFIG): a mistyped path must not look like an empty mailbox. */
int source_open_maildir(const char *dir, size_t max_size, struct source **out, struct err *err)
    __attribute__((warn_unused_result));
/* Connects, verifies the certificate, authenticates, selects the mailbox; creates the folders for mails that
 * are processed and rejected if they are missing, the one for failed mails when there is one. ERR_TEMP when
 * the server cannot be reached or answers nonsense, ERR_CONFIG for certificate and authentication errors. */
int source_open_imap(const struct server *server, const struct folders *folders, size_t max_size,
                     struct source **out, struct err *err) __attribute__((warn_unused_result));

/* Fetches at most `max` further mails and at most about 8 MiB of them (at least one), oldest first; *count 0
 * = nothing left. The caller releases each with incoming_release. Mails fetched and not disposed of are not
 * fetched again on the same source. */
int source_fetch(struct source *source, struct incoming *mails, size_t max, size_t *count, struct err *err)
    __attribute__((warn_unused_result));
/* A fetched mail that is left where it is, known to the caller by this digest, need not be fetched again as
 * long as the caller's source_rests says so. For mails on a server; local ones are read again. */
void source_rest(struct source *source, const struct incoming *mail, const unsigned char digest[32]);
typedef bool source_rests(void *arg, const unsigned char digest[32]);
/* From now on mails that were fetched and left in place are fetched again, except those that still rest.
 * `rests` is asked before this returns; NULL: none does. */
void source_again(struct source *source, source_rests *rests, void *arg);
/* Until source_again, mails larger than so many bytes are left on the server: of each only its size and arrival is handed out. */
void source_spare(struct source *source, size_t most);
/* The league's time, by which it judges from now on when mails have arrived. Until then `arrived` is what the server
 * says. */
void source_time(struct source *source, int64_t now);
/* When a mail has arrived, of which the server says that it was at `said`, and its writer that it was written at
 * `date` (mail_date; 0 = not said). Servers that lost the time, or moved the mail, say 1970, or 2040; writers' clocks
 * are wrong, too, and anybody may write any date. So what the server says counts, unless that is more than ARRIVAL_SLACK
 * before the mail was written or after `now`; then `date` counts, and without one `now`. A date that is itself more than
 * ARRIVAL_SLACK after `now` says nothing against the server. Never after `now`. */
#define ARRIVAL_SLACK 86400 /* seconds: what clocks and time zones are wrong by where nothing is broken */
int64_t source_arrival(int64_t said, int64_t date, int64_t now);
/* Moves mails out of the way (in few commands), except withheld ones: those have not been read. */
int source_dispose(struct source *source, const struct incoming *mails, const enum disposition *how,
                   size_t count, struct err *err) __attribute__((warn_unused_result));
/* For a mailbox on a server: all mails in it that arrived at `since` or later by the server's word, or at a time that
 * is none (before 2000), are disposed of as processed, and none is read: *count of them. */
int source_move_since(struct source *source, int64_t since, size_t *count, struct err *err)
    __attribute__((warn_unused_result));
/* From now on `news` (NULL: nothing) ends a wait, too: asked four times a second, with `arg`, whether there is
 * something else to do. */
void source_watch(struct source *source, bool (*news)(void *arg), void *arg);
/* Waits until there may be new mail, at most `seconds`, or until *stop becomes true or a signal arrives.
 * IMAP: IDLE (or a check every server.poll seconds where the server lacks it); Maildir: a check every
 * second. */
int source_wait(struct source *source, int seconds, const volatile bool *stop, struct err *err)
    __attribute__((warn_unused_result));
/* One line for people: "IMAP imap.example.org:993 INBOX (1,204 mails)". */
const char *source_describe(const struct source *source);
void source_close(struct source *source);

void incoming_release(struct incoming *mail);

/* For the two kinds of sources: how many mails at most, and how large the texts that are fetched may be (source_spare). */
struct source_wanted {
    size_t count, bytes;
};

#endif
