/* Where mail goes: SMTP, a sendmail command, or a Maildir.
 *
 * sink_send tries every spooled mail that may leave (mail/order.h) once, several connections at a time for
 * SMTP, settles each in the spool as soon as its answer is known, and counts the outcomes. It returns -1 only
 * when going on makes no sense (ERR_CONFIG: TLS or authentication refused; ERR_TEMP: no connection at all, or the
 * server refuses whatever is ours, after which nothing is tried for a while: struct spool_pause); mails then stay as
 * they are.
 */
#ifndef MAIL_SINK_H
#define MAIL_SINK_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "mail/source.h" /* struct server */
#include "mail/spool.h"

enum sink_kind { SINK_MAILDIR, SINK_SENDMAIL, SINK_SMTP };

/* A mail for a sendmail command; all borrowed. */
struct sendmail_mail {
    const char *from; /* may be empty */
    const char *to;
    struct slice text; /* LF at the ends of lines */
};
struct sendmail_end;

struct sink {
    enum sink_kind kind;
    const char *maildir; /* SINK_MAILDIR: each mail is delivered to <maildir>/<recipient>/ (a Maildir each) */
    const char *command; /* SINK_SENDMAIL: run as `command -i -f <from> -- <to>` by /bin/sh -c with proper
                            quoting. Exit 0 is sent; 64, 77, 78, 126, 127 ERR_CONFIG.
                            Else the first answer of a server with an enhanced status code counts that it printed
                            (mail/answer.h); where there is none, 65 and 67 are refused, anything else, and a time-out, is later. 75 refuses no mail */
    struct server
        smtp; /* SINK_SMTP; user NULL = no authentication. SINK_SENDMAIL: only its timeout counts (0 = 120) */
    int connections; /* 1..16 */
    int64_t expire;  /* seconds after which a mail is given up */
    /* SINK_SENDMAIL: runs the command, given `run_arg`; NULL = this process does, by sendmail_run. */
    int (*run)(const struct sink *sink, const struct sendmail_mail *mail, struct sendmail_end *end,
               struct err *err);
    int run_arg;
};

/* How a sendmail command ended. */
struct sendmail_end {
    int code;         /* its exit code; -1 after a signal, or the time-out */
    struct str words; /* what it printed, cut; released by the caller */
};

struct sink_counts {
    size_t sent, later, refused;
    size_t dropped;   /* reminders and the like whose matter is past */
    size_t held;      /* not tried: they wait for one before them (mail/order.h) */
    size_t undecided; /* not tried: they wait for a picture (mail/undecided.h) */
    size_t left;      /* not tried: a newer Turnpost made them, or their files cannot be read */
    size_t paused;    /* not tried: the server takes nothing of ours for now */
};

/* The outcome of one try of a mail; all borrowed. */
struct sink_news {
    const char *id;
    const char *to; /* its recipient, "" when the file could not be read */
    enum spool_fate fate;
    bool gave_up;      /* it is in failed/ now */
    const char *words; /* the server's, "" if it said nothing */
};

/* One round of sending; all borrowed. */
struct sink_round {
    const char *spool; /* its folder */
    int64_t now;       /* the league's time */
    /* Called after every try, from several threads at once; or NULL. */
    void (*told)(void *arg, const struct sink_news *news);
    void *arg;
    /* Called before every try, by these threads: what the mail lacks until it leaves. NULL = nothing. */
    void (*complete)(void *arg, struct str *mail);
    void *complete_arg;
    /* Asked before every try, by these threads; false ends the round with ERR_TEMP. NULL = it may always go on. */
    bool (*may)(void);
};
int sink_send(const struct sink *sink, const struct sink_round *round, struct sink_counts *counts,
              struct err *err) __attribute__((warn_unused_result));
/* Runs the command for one mail. ERR_INPUT for an unusable address; ERR_TEMP when it cannot be started. */
int sendmail_run(const struct sink *sink, const struct sendmail_mail *mail, struct sendmail_end *end,
                 struct err *err) __attribute__((warn_unused_result));
/* Connects, verifies, authenticates, says goodbye: for `doctor`. */
int sink_check(const struct sink *sink, struct err *err) __attribute__((warn_unused_result));

#endif
