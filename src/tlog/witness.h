/* What a log asks of a witness, the answer, and how a witness decides (src/journal/WITNESSING.md). Pure; dice proofs are the caller's
 * (chance/vrf.h).
 *
 * Request: the body of add-checkpoint (c2sp.org/tlog-witness), and for each close an empty line, the entry, where it is:
 *
 *     old 100003
 *     ...lines of the consistency proof
 *
 *     ...the checkpoint, a note
 *
 *     close gc 8 2026-12-01T09:03:00Z HEAD turn 1.0 alpha ALPHA
 *     index 100006
 *     ...lines of its path
 *
 * Answer: the size of the checkpoint that is cosigned, cosignature lines, and a line a close. It may be an older one, without closes, that
 * the witness cosigned last, where `old` was another size (with HTTP: 409).
 *
 *     size 100007
 *     — carol.example/w BASE64
 *     dice gc 1.0 HEX
 *     no zz 3.0 a second close
 *
 * By HTTP the request goes without closes, and the answer has cosignature lines alone. */
#ifndef TLOG_WITNESS_H
#define TLOG_WITNESS_H

#include "tlog/checkpoint.h"
#include "tlog/entry.h"

#define WITNESS_REQUEST "REQUEST" /* the armors in mails (tlog/armor.h) */
#define WITNESS_ANSWER  "ANSWER"
#define WITNESS_CLOSES  64  /* in one request */
#define WITNESS_DICE    80  /* bytes of a VRF proof */
#define WITNESS_REASON  160 /* bytes, with NUL */
#define WITNESS_AHEAD   300 /* seconds that a close may be dated after the witness's clock */

/* ---- the request ---- */

struct witness_close {
    struct slice line;      /* the entry without LF; borrowed */
    struct log_entry entry; /* the same, ENTRY_CLOSE */
    int64_t index;
    struct tree_path path;
};
struct witness_request {
    int64_t old; /* size of what the witness cosigned last */
    struct tree_path consistency;
    struct slice note;            /* borrowed */
    struct checkpoint checkpoint; /* what the note says */
    struct witness_close *close;  /* freed by witness_request_release */
    size_t closes;
};
void witness_request_write(struct str *out, const struct witness_request *request);
/* Borrows from `text`; all zero before. ERR_INPUT. */
int witness_request_parse(struct slice text, struct witness_request *request, struct err *err)
    __attribute__((warn_unused_result));
void witness_request_release(struct witness_request *request);

/* ---- the decision ---- */

/* What a witness knows of one log. */
struct witness_last {
    char name[ENTRY_NAME];
    struct turn_number turn; /* of its last close that got dice */
    int64_t index;           /* of that entry: in a log that only grows, it says which alpha */
};
struct witness_state {
    int64_t size; /* of the last checkpoint that was cosigned; 0: none was */
    struct tree_hash root;
    struct witness_last *last; /* one a NAME, by name; freed by witness_state_release */
    size_t count, cap;
};
#define WITNESS_STATE_INIT   \
    {                        \
        0, {{0}}, NULL, 0, 0 \
    }
void witness_state_release(struct witness_state *state);
/* As text, for the witness's own file: "size N ROOT" and lines "NAME T.R INDEX". */
void witness_state_write(struct str *out, const struct witness_state *state);
int witness_state_parse(struct slice text, struct witness_state *state, struct err *err)
    __attribute__((warn_unused_result));

struct witness_ruling {
    int status;                /* of HTTP: 200; 400, 403, 404, 409, 422 as c2sp.org/tlog-witness has them */
    int64_t size;              /* with 409: what the body of the answer says */
    bool dice[WITNESS_CLOSES]; /* of each close: dice are given, or why not */
    char no[WITNESS_CLOSES][WITNESS_REASON];
};
/* Decides by the log's key (VKEY_SIGNER), the state, which it moves on with a 200, and the witness's clock. The caller makes the
 * state durable before it cosigns or gives any dice; what is consistent it cosigns, whatever became of the closes. Dice are given
 * for a close that is in the checkpoint, is not dated more than WITNESS_AHEAD after `now`, and comes after all closes of its NAME: by
 * (R, T), and by index; and again for the last one, as it was. Several closes are looked at in their order. */
void witness_decide(struct witness_state *state, const struct vkey *log,
                    const struct witness_request *request, int64_t now, struct witness_ruling *ruling);

/* What the dice are drawn over: "turnpost/witness\0" VKEY "\nclose NAME turn T.R alpha HEX\n". */
void witness_dice_input(struct str *out, const struct vkey *log, const struct log_entry *close);

/* ---- the answer ---- */

struct witness_dice {
    char name[ENTRY_NAME];
    struct turn_number turn;
    bool given;
    unsigned char proof[WITNESS_DICE]; /* where it is given */
    char no[WITNESS_REASON];           /* one line of printable ASCII; else why not */
};
struct witness_answer {
    int64_t size;
    struct slice signatures;   /* lines with LF; borrowed */
    struct witness_dice *dice; /* freed by witness_answer_release */
    size_t count;
};
void witness_answer_write(struct str *out, const struct witness_answer *answer);
/* Borrows from `text`; all zero before. ERR_INPUT. The cosignatures are verified as part of the note that they are added to. */
int witness_answer_parse(struct slice text, struct witness_answer *answer, struct err *err)
    __attribute__((warn_unused_result));
void witness_answer_release(struct witness_answer *answer);

#endif
