/* A published journal as somebody holds it against the mails that he has: of each record the head and what
 * tells orders apart. */
#ifndef ENGINE_LEDGER_H
#define ENGINE_LEDGER_H

#include "engine/casefile.h"

struct ledger_record {
    unsigned char head[HEAD_BYTES];
    char type[12];
    char kind[12]; /* of a note */
    int turn, seat;
    int64_t time;
    uint32_t missed;                /* `close`: a bit a seat */
    unsigned char seal[SEAL_BYTES]; /* `orders` */
    unsigned char mail[32];         /* `orders`: of the raw mail */
    bool used;                      /* some text or receipt of the reader's is this record's */
};
struct ledger_key {
    int seat;
    char player[PLAYER_NAME];
    struct pubkey key;
};
struct ledger {
    struct casefile file;
    const struct ruleset *ruleset; /* NULL = unknown to this program */
    struct ledger_record *record;  /* [seq - 1] */
    size_t count, cap;
    struct ledger_key *key; /* every one that ever counted */
    size_t key_count, key_cap;
    bool opened; /* there was an `open` */
    int format;  /* as in game.h; 0 is 1 */
    unsigned char seal_key[32];
    struct err broken; /* what is wrong with the record behind the last one, if anything */
};

/* Reads a journal, or the journal in a folder. An error only when there is none: a journal that is damaged
 * is read up to there. */
int ledger_open(const char *path, struct ledger *ledger, struct err *err) __attribute__((warn_unused_result));
void ledger_close(struct ledger *ledger);
/* The record's seal stands for this payload. `known` is false while its salt is sealed. */
bool ledger_holds(const struct ledger *ledger, size_t at, struct slice payload, bool *known);

#endif
