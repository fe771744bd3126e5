/* The outgoing spool: a folder whose file names are the state (like qmail's queue).
 *
 *   spool/tmp/<id>.eml                     staged before the commit, not yet allowed to leave
 *   spool/new/<id>.eml                     to be sent
 *   spool/chosen/<id>.eml                  with its picture, to replace the one in new/ (mail/undecided.h)
 *   spool/wait/<due>,<tries>,<id>.eml      a 4xx or lost connection: try again at <due> (seconds since 1970,
 *                                          10 digits). Its time is that of the first try. A 0 in front of
 *                                          <tries>: put off for what it says, so that no other waits for it
 *                                          (mail/order.h). 0 tries: it leaves without the picture that its
 *                                          envelope names
 *   spool/digest/<due>,<player>,<id>.eml   waits until <due> to be gathered with the player's other mails into
 *                                          one (batch/digest.h); staged as tmp/<due>,<player>,<id>.eml
 *   spool/failed/<id>.eml                  given up (5xx or expired); <id>.why beside it holds the server's
 *                                          words
 *   spool/pause.json                       the server takes nothing of ours now (struct spool_pause)
 *
 * A mail that gathers others names them in its envelope ("gathers"). It is staged and promoted like any mail;
 * from then on it replaces them, and they are removed: at once, or after a crash at the next start, before
 * anything is sent.
 *
 * <id> is that of mail/mail_id.h; <id>@<league> is the Message-ID, so a mail that goes out twice after a
 * crash is the same mail to every client. A file's first line is the envelope as JSON
 * {"from":"","to":"alice@example.org"} (an unknown member comes from a newer Turnpost, and its mail is left
 * alone), with "until" where mails wait for one another, "past" (mail/outgoing.h), and
 * "picture": {"digest", "cid", "page"} (struct outgoing_picture); the mail with CRLF follows. Nothing else is
 * ever written into a file once it is in new/; a mail that gets its picture is replaced as a whole, before it is
 * tried. */
#ifndef MAIL_SPOOL_H
#define MAIL_SPOOL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "mail/outgoing.h"

/* Creates the folders. */
int spool_init(const char *dir, struct err *err) __attribute__((warn_unused_result));
/* Stage 1 of a commit: writes into tmp/ without sync. An id that is in tmp/ already is replaced. */
int spool_stage(const char *dir, struct outgoing *mail, struct err *err) __attribute__((warn_unused_result));
/* Withdraws it; it is no error if it is not in tmp/. */
int spool_unstage(const char *dir, const struct outgoing *mail, struct err *err)
    __attribute__((warn_unused_result));
/* Stage 3: tmp/ -> new/, or digest/ (rename). A mail that has left tmp/ is no error. */
int spool_promote(const char *dir, const char *id, struct err *err) __attribute__((warn_unused_result));
int spool_promote_mail(const char *dir, struct outgoing *mail, struct err *err)
    __attribute__((warn_unused_result));
/* On start: every file in tmp/ is promoted when its record exists, removed when it does not, and left where
 * it is while that is unknown; anything but a plain file is also left, with a warning. What is in chosen/ was
 * not chosen, and is removed, as are mails in digest/ that one in new/ has gathered. */
enum spool_record { SPOOL_MISSING, SPOOL_COMMITTED, SPOOL_UNKNOWN };
int spool_recover(const char *dir, enum spool_record (*record_of)(const char *id, void *arg), void *arg,
                  struct err *err) __attribute__((warn_unused_result));

/* What may be sent by that time (INT64_MAX: all that is to be sent): new/ in order, then the due ones of wait/,
 * as file paths relative to the spool. */
struct spool_list {
    char **path;
    size_t count, cap;
};
int spool_due(const char *dir, int64_t now, struct spool_list *list, struct err *err)
    __attribute__((warn_unused_result));
void spool_list_free(struct spool_list *list);
int spool_load(const char *dir, const char *path, struct outgoing *mail, struct err *err)
    __attribute__((warn_unused_result));

/* The mails that wait to be gathered, by player and then in order; paths as spool_due gives them. */
int spool_gathered(const char *dir, struct spool_list *list, struct err *err)
    __attribute__((warn_unused_result));
/* Whose mail it is and when it is due; false for other paths. The caller frees *player. */
bool spool_waits(const char *path, char **player, int64_t *due);
/* digest/ -> new/: it leaves by itself. */
int spool_let_go(const char *dir, const char *path, struct err *err) __attribute__((warn_unused_result));
/* Removes what this mail has gathered: it must be in new/, durably. */
int spool_gathered_remove(const char *dir, const struct outgoing *mail, struct err *err)
    __attribute__((warn_unused_result));

/* The same for all mails in new/ that gather others: for what a crash between the two has left. */
int spool_recover_gathered(const char *dir, struct err *err) __attribute__((warn_unused_result));

/* The id of a mail by its path, as spool_due gives it; NULL for no such path. The caller frees. */
char *spool_id(const char *path) __attribute__((warn_unused_result));

/* The outcome of one try. */
enum spool_fate {
    SPOOL_SENT,  /* the server took it: the file is removed */
    SPOOL_LATER, /* 4xx, time-out, unknown: moved to wait/ with backoff (5 min, doubling, at most 6 h), or to
                     failed/  when `expire` seconds have passed since the first try (kept in the file's mtime,
                     by `now`'s clock) */
    SPOOL_LATER_ALONE, /* the same, by a 4xx to its text: others are not put off with it */
    SPOOL_REFUSED,     /* 5xx: moved to failed/ with the server's words */
    SPOOL_DROPPED      /* not tried: what it tells is past; the file is removed */
};
/* How a try went, and when. */
struct spool_try {
    enum spool_fate fate;
    const char *words; /* the server's; NULL: none */
    int64_t now;
    int64_t expire; /* seconds after which a mail is given up */
};
/* `*gave_up` says whether the mail went to failed/. */
int spool_settle(const char *dir, const char *path, const struct spool_try *one, bool *gave_up,
                 struct err *err) __attribute__((warn_unused_result));

/* The server refuses whatever is ours (mail/answer.h): its limit for a day, say. Nothing is tried for a while, and then
 * one mail, as long as it takes; none of them ages meanwhile. */
struct spool_pause {
    int64_t since; /* when it first said so */
    int64_t until; /* the next try */
    int tries;     /* refused ones since then, one after the other */
    char words[400];
};
/* False: there is none, or it cannot be read, which is said. */
bool spool_paused(const char *dir, struct spool_pause *pause);
/* Is it not yet time for the next try? A time further ahead than any pause was written by a wrong clock. */
bool spool_pause_lasts(const struct spool_pause *pause, int64_t now);
/* It has refused once more: `pause` is what spool_paused gave, or zeroed, and is brought up to date. */
int spool_pause_on(const char *dir, struct spool_pause *pause, const char *words, int64_t now,
                   struct err *err) __attribute__((warn_unused_result));
int spool_pause_off(const char *dir, struct err *err) __attribute__((warn_unused_result));

/* Every mail that is in the spool, in no order: where it is, and for failed/ the words beside it. */
enum spool_place { SPOOL_NEW, SPOOL_WAITING, SPOOL_DIGEST, SPOOL_FAILED };
struct spool_entry {
    enum spool_place place;
    const char *path; /* relative to the spool; borrowed, as all */
    const char *id;
    int tries;          /* SPOOL_WAITING */
    int64_t due;        /* SPOOL_WAITING: the next try; SPOOL_DIGEST: when it is gathered */
    const char *player; /* SPOOL_DIGEST, else "" */
    const char *words;  /* SPOOL_FAILED, else "" */
    int64_t since; /* the time of its file: when it was written, SPOOL_WAITING: first tried; 0 = not known */
};
int spool_each(const char *dir, void (*each)(void *arg, const struct spool_entry *entry), void *arg,
               struct err *err) __attribute__((warn_unused_result));

/* Its recipient, according to its envelope; NULL when that cannot be read. The caller frees. */
char *spool_recipient(const char *dir, const struct spool_entry *entry);

/* Removes a mail that must not be sent, or was given up, with the words beside it; its place as spool_each gives
 * it. */
int spool_drop(const char *dir, const struct spool_entry *entry, struct err *err)
    __attribute__((warn_unused_result));

/* A mail that was given up is sent again from the beginning (failed/ -> new/); one that waits for its next try is due by
 * `now`. Others are left as they are. Its place as spool_each gives it. */
int spool_retry(const char *dir, const struct spool_entry *entry, int64_t now, struct err *err)
    __attribute__((warn_unused_result));

/* Counts for `games`, `doctor` and `status`. */
struct spool_counts {
    size_t waiting, retrying, digest, failed;
};
int spool_count(const char *dir, struct spool_counts *counts, struct err *err)
    __attribute__((warn_unused_result));

#endif
