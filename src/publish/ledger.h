/* A published journal, ready to be compared with somebody's mails: of each record the head, and what
 * distinguishes orders. */
#ifndef PUBLISH_LEDGER_H
#define PUBLISH_LEDGER_H

#include "game/record_kinds.h"
#include "history/casefile.h"

struct ledger_record {
    unsigned char head[HEAD_BYTES];
    char type[12];
    enum record_id id; /* RECORD_IDS = none that this version knows */
    int turn, seat;
    int64_t time;
    int64_t deadline;               /* of the turn that was open before the record, 0 = none */
    uint32_t told;                  /* `start`, `turn`: the seats that got a report, one bit per seat */
    unsigned char seal[SEAL_BYTES]; /* `orders` */
    unsigned char mail[32];         /* `orders`: of the raw mail */
    bool waits;                     /* `orders`: for better ones */
    bool used;                      /* some text or receipt of the reader's belongs to this record */
};
/* A key that counted for a seat, from the record `seq` on. */
struct ledger_key {
    int64_t seq;
    int seat;
    char player[PLAYER_NAME];
    struct pubkey key;
    bool replaces; /* it came in the place of lost ones, and nobody of the seat has signed that */
    bool known;    /* the reader's mails name it, or hold something that it signed */
};
/* Who sits there from the record `seq` on; "" = a robot, or nobody. */
struct ledger_sitting {
    int64_t seq;
    int seat;
    char player[PLAYER_NAME];
};
/* What a `close` says; `seq` is its record. */
struct ledger_close {
    int64_t seq;
    uint32_t missed, set;
    int64_t in_force[SEATS_MAX + 1]; /* the record of the orders of each seat, 0 = none */
};
struct ledger {
    struct casefile file;
    const struct ruleset *ruleset; /* NULL = unknown to this program */
    struct ledger_record *record;  /* [seq - 1] */
    size_t count, cap;
    struct ledger_key *key; /* every one that ever counted */
    size_t key_count, key_cap;
    struct ledger_sitting *sitting; /* in the order of the records */
    size_t sitting_count, sitting_cap;
    struct ledger_close *close;
    size_t close_count, close_cap;
    json_t *sealed[SEATS_MAX + 1]; /* of each seat: seal in hex -> record */
    int64_t grace;     /* seconds that a turn which lacks orders is held open after its deadline */
    int64_t deadline;  /* of the open turn, 0 = none */
    bool opened;       /* there was an `open` */
    struct err broken; /* what is wrong with the record after the last one, if anything */
};

/* Reads a journal, or the journal in a folder. An error only when there is none: a damaged journal is read up
 * to the damage. */
int ledger_open(const char *path, struct ledger *ledger, struct err *err) __attribute__((warn_unused_result));
void ledger_close(struct ledger *ledger);
/* Nothing is known of this game but what the log calls it. */
void ledger_bare(struct ledger *ledger, const char *name);
bool ledger_is_bare(const struct ledger *ledger);
/* Does the league's log call this journal so? */
bool ledger_is_called(const struct ledger *ledger, const char *name);
/* The mark of a signed text, were it orders of that seat. False: it is none. */
bool ledger_mark(const struct ledger *ledger, int seat, struct slice payload, unsigned char mark[SEAL_BYTES]);
/* The record's seal is the mark of this signed text. */
bool ledger_holds(const struct ledger *ledger, size_t at, struct slice payload);

/* Who has the seat when the record `seq` is made, "" = a robot or nobody. And the seat of a player at
 * each record, [seq - 1], 0 = none; the caller frees it. */
const char *ledger_sits(const struct ledger *ledger, int64_t seq, int seat);
int *ledger_seats_of(const struct ledger *ledger, const char *player);
/* The key that signed the orders of record `seq`, where its box is opened. */
bool ledger_signer(const struct ledger *ledger, int64_t seq, struct pubkey *key);

#endif
