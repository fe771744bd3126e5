/* The IMAP source behind source.h. imap.c opens and moves, imap_fetch.c finds and fetches, imap_wait.c
 * waits, imap_talk.c sends commands. libetpan speaks the protocol, imap_stream.h carries it. RFC 9051; MOVE:
 * RFC 6851; UIDPLUS: RFC 4315; IDLE: RFC 2177. */
#ifndef MAIL_IMAP_H
#define MAIL_IMAP_H

#include <libetpan/libetpan.h>

#include "mail/imap_stream.h"
#include "mail/imap_text.h"
#include "mail/nap.h"
#include "mail/source.h"

/* A mail that was found and is handed out next. */
struct imap_found {
    uint32_t uid;
    bool known; /* size and arrival are known */
    uint32_t size;
    int64_t arrived;
};

/* A mail that was left on the server and that the caller knows by its digest. */
struct imap_resting {
    uint32_t uid;
    unsigned char digest[32];
};

struct imap {
    struct imap_stream *stream;
    mailimap *session;
    char *where; /* "imap.example.org:993" */
    char *mailbox;
    char *folder[DISPOSITIONS];
    size_t max_size;
    int poll;          /* seconds */
    uint32_t validity; /* UIDVALIDITY */
    bool can_move, can_uidplus, can_idle;
    bool bad;            /* the last command was refused by BAD: it is not IMAP to this server */
    struct uids waiting; /* those found; the sizes of those before `taken` were requested */
    size_t taken;
    struct imap_found *found; /* the last of these, in order of UID; those before `next` are finished */
    size_t found_count, found_cap, next;
    struct uids held;             /* handed out and not disposed of */
    struct imap_resting *resting; /* some of these */
    size_t resting_count, resting_cap;
    struct uids skipped; /* asked for without an answer: tried again after the next wait */
    struct str description;
};

int imap_open(const struct server *server, const struct folders *folders, size_t max_size, struct imap **out,
              struct err *err) __attribute__((warn_unused_result));
int imap_fetch(struct imap *imap, const struct source_wanted *wanted, struct incoming *mails, size_t *count,
               struct err *err) __attribute__((warn_unused_result));
void imap_rest(struct imap *imap, const struct incoming *mail, const unsigned char digest[32]);
void imap_again(struct imap *imap, source_rests *rests, void *arg);
int imap_dispose(struct imap *imap, const struct incoming *mails, const enum disposition *how, size_t count,
                 struct err *err) __attribute__((warn_unused_result));
/* All mails that arrived at `since` or later, or before 2000, go to the folder of processed ones, unread: *count of them. */
int imap_move_since(struct imap *imap, int64_t since, size_t *count, struct err *err)
    __attribute__((warn_unused_result));
int imap_wait(struct imap *imap, int seconds, const struct nap_ends *ends, struct err *err)
    __attribute__((warn_unused_result));
void imap_close(struct imap *imap);

/* For the other files. Sends one command and reads its answer, which may have `bytes`. 0; -1 with ERR_TEMP; 1
 * when the server said NO or BAD, without an error: imap_refused makes one. What came as data is in
 * session->imap_response_info. */
int imap_command(struct imap *imap, const char *command, size_t bytes, struct err *err)
    __attribute__((warn_unused_result));
/* Adds the mails that match `key` to `uids`. Returns what imap_command does. */
int imap_search(struct imap *imap, const char *key, struct uids *uids, struct err *err)
    __attribute__((warn_unused_result));
/* Sends one line, which begins with the tag unless that is "". Every line that we send goes through this,
 * except LOGOUT, which mailimap_free sends. */
int imap_send(struct imap *imap, const char *tag, const char *command) __attribute__((warn_unused_result));
/* Moves mails, in few commands; makes the folder if it is gone. */
int imap_move(struct imap *imap, struct uids *uids, const char *folder, struct err *err)
    __attribute__((warn_unused_result));
/* Renews the text for source_describe. */
void imap_describe(struct imap *imap);
/* Did the last answer have this response code? */
bool imap_answer_code(const struct imap *imap, const char *code);
/* Handles a libetpan result that is more than a refusal: breaks the connection, sets ERR_TEMP, returns
 * -1. */
int imap_lost(struct imap *imap, struct err *err);
/* The refusal of a command as an error, in the server's words: ERR_TEMP when its response code says that it
 * is temporary, ERR_CONFIG when that or a BAD says that it is not, else `usual`. Returns -1. */
int imap_refused(const struct imap *imap, enum err_code usual, const char *what, struct err *err);

#endif
