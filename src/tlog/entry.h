/* The entries of a league's log: lines of ASCII, one space between fields, at most ENTRY_MOST bytes without the LF.
 * The LF belongs to the leaf (tree_leaf).
 *
 *     head    NAME SEQ TIME HEAD
 *     receipt NAME SEQ TIME HEAD [turn T.R seat S] mark MARK [mail MD]     this text is in force from now on
 *     kept    NAME SEQ TIME HEAD [turn T.R seat S] mark MARK [mail MD]     accepted beside what is in force
 *     close   NAME SEQ TIME HEAD turn T.R alpha ALPHA
 *     start   NAME SEQ TIME HEAD turn T.R          the records that reports are of: heads like all others, but
 *     turn    NAME SEQ TIME HEAD turn T.R          a report proves by the entry alone which turn it shows
 *     end     NAME SEQ TIME HEAD turn T.R
 *     lost    NAME SEQ TIME                        records of NAME are lost from SEQ on
 *     program TIME VERSION DIGEST
 *     log     TIME VKEY SIZE ROOT                  first entry of a log that follows one that was lost
 *
 * NAME is what name_valid (base/file.h) takes; SEQ, T, R, S, SIZE decimal without leading zeros; TIME
 * 2026-12-01T09:02:00Z; VERSION 1 to 63 printable bytes without spaces; HEAD, MARK, MD, ALPHA, DIGEST 64 digits of
 * small hex; ROOT base64. R never falls in the entries of a NAME, also where T.R is a competition's round and attempt. */
#ifndef TLOG_ENTRY_H
#define TLOG_ENTRY_H

#include "base/err.h"
#include "base/file.h"
#include "base/str.h"
#include "tlog/note.h"
#include "tlog/tree.h"

#define ENTRY_MOST    400
#define ENTRY_NAME    33 /* bytes, with NUL */
#define ENTRY_VERSION 64
#define ENTRY_DIGEST  32

enum entry_kind {
    ENTRY_HEAD,
    ENTRY_RECEIPT,
    ENTRY_KEPT,
    ENTRY_CLOSE,
    ENTRY_START,
    ENTRY_TURN,
    ENTRY_END,
    ENTRY_LOST,
    ENTRY_PROGRAM,
    ENTRY_LOG
};

struct turn_number {
    int turn;      /* T, 0..999,999,999 */
    int rollbacks; /* R, the same range */
};

/* "1.0" */
void turn_number_add(struct str *out, const struct turn_number *turn);
bool turn_number_read(struct slice text, struct turn_number *turn) __attribute__((warn_unused_result));

struct log_entry { /* what a kind has not is 0 */
    enum entry_kind kind;
    int64_t time;
    char name[ENTRY_NAME];
    int64_t seq;                      /* 1..10^15 - 1 */
    unsigned char head[ENTRY_DIGEST]; /* of the record */
    struct turn_number turn;
    int seat; /* 1..999; 0: a text without a game, no turn and seat */
    unsigned char mark[ENTRY_DIGEST];
    bool has_mail;
    unsigned char mail[ENTRY_DIGEST]; /* MD */
    unsigned char alpha[ENTRY_DIGEST];
    unsigned char digest[ENTRY_DIGEST]; /* of a program's file (SHA-256) */
    char version[ENTRY_VERSION];
    struct vkey log; /* of the log that was lost, the newest checkpoint that is known */
    int64_t size;
    struct tree_hash root;
};

const char *entry_word(enum entry_kind kind);
/* Appends the line without LF. What is written is what log_entry_parse gives back. */
void log_entry_write(struct str *out, const struct log_entry *entry);
/* A line without LF. ERR_INPUT: names the field. */
int log_entry_parse(struct slice line, struct log_entry *entry, struct err *err)
    __attribute__((warn_unused_result));

#endif
