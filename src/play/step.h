/* A step: one input or the clock, and what follows from it. Pure: the game in memory moves on; records,
 * payloads and mails are collected here, and the caller commits them (batch/batch.h). */
#ifndef PLAY_STEP_H
#define PLAY_STEP_H

#include "base/outcome.h"
#include "play/deadline.h"
#include "game/entry.h"
#include "game/game.h"
#include "game/seat_keys.h"
#include "game/turn.h"
#include "orders/frame.h"
#include "trust/secret.h"

/* The league's secrets that a step needs, and what it knows of the world outside of its game; borrowed. */
struct step_keys {
    const struct secret *key;
    const unsigned char *vrf_secret;
    const unsigned char *vrf_public;
    const unsigned char *master;
    const struct outside *outside; /* NULL = nothing */
};

/* What came before a step in its game's files, including what is still to be committed. Few texts need it, so
 * nothing is read until the step asks. All zero: nothing came before. */
struct step_before {
    void *arg;
    int (*journal)(void *arg, struct str *lines, struct err *err); /* appends all lines */
    /* The game as it stood after that record. ERR_MISSING: it is not committed yet. */
    int (*game)(void *arg, int64_t seq, struct game *then, struct err *err);
};
/* Judges each record that the step makes as the audit would (audit/gate.h): with the game as it is before the
 * record, and as it is after it. ERR_UNSOUND: it must not be recorded. `before` NULL: nobody judges. */
struct apply_input;
struct step_gate {
    void *arg;
    int (*before)(void *arg, const struct game *game, const struct apply_input *input, struct err *err);
    int (*after)(void *arg, const struct game *game, struct err *err);
};

/* A mail that a step wants sent; letters.c turns it into text. */
enum post_kind {
    POST_WELCOME, /* the game has started: the first report */
    POST_REPORT,  /* a turn was resolved */
    POST_RECEIPT, /* orders were accepted */
    POST_TRIED,   /* TRY: a dry run, nothing was stored */
    POST_NOTICE,  /* something happened between turns: a deal */
    POST_ANSWER,  /* the answer to a petition */
    POST_TOLD,    /* somebody else's petition, or the clock, did something that concerns the reader */
    POST_AGAIN    /* a report that was requested again (play/resend.h); it belongs to no record */
};
#define POST_PROVES 3
#define POST_CLOSE  1 /* of these */
struct step_extra {
    size_t len; /* 0: there is none */
    unsigned char bytes[ENTRY_EXTRA_MOST];
};
struct trial;
struct post {
    enum post_kind kind;
    int seat;                 /* the recipient's seat; 0 = somebody without a seat */
    char player[PLAYER_NAME]; /* the reader: who had the seat then; the deal may give it to somebody else */
    int number;               /* distinguishes the mails of one record: the seat, or POST_OTHERS and up */
    const char *words; /* POST_ANSWER, POST_TOLD: the template, as in "press" for press.txt; a constant */
    int64_t seq;       /* the record it belongs to */
    unsigned char head[HEAD_BYTES]; /* after that record */
    int64_t time;                   /* of that record, and of those that the mail proves beside it: */
    int64_t proves
        [POST_PROVES]; /* the reader's orders of the same step; of a report `close` and `turn`; 0 = none */
    struct step_extra extra; /* of a report, what the proof of its close has (game/entry.h) */
    /* Of a report that shows a board, what opens its seat's seal in the record of the turn, three lines: the record,
     * {"names","robots","salt","seat","standing"}, what the seat was told. Else empty */
    struct str opens;
    int64_t until; /* something expires for its reader then, 1 = they have to know at once; 0 = nothing
                    * does */
    /* Of a reminder, or word of a moved deadline: then its matter is past (of a turn with its grace), and what
     * has not left by then is dropped. 0 = never */
    int64_t past;
    bool optional;  /* nobody needs it: not for players who want none of these (struct player, quiet) */
    bool prose;     /* HELP or RULES were requested: it has only words, no page and no files */
    bool brief;     /* a short receipt, without page and files */
    bool replies;   /* a report that is also the receipt of the orders whose mail led to it */
    bool welcome;   /* POST_AGAIN: the first report */
    bool json;      /* view.json is attached, whatever its reader has chosen */
    json_t *attach; /* files: {"name", "type", "text"}, or a list of such; owned, or NULL */
    json_t *facts;  /* what letters.c needs beyond the game as it stood then; owned */
    json_t *press;  /* messages (play/press.h), for their reader unless these are muted; owned, or NULL */
    struct trial *trial; /* receipts only: the trial that gives more facts (play/trial.h); owned. Otherwise
                          * NULL */
    struct view *view;   /* reports only: a counted reference to the view that owns `told`. Otherwise NULL */
    struct value *told;  /* more facts (view_tell), or NULL */
};
#define POST_OTHERS  100
#define POST_AGAINS  200
#define POST_SECONDS 1000 /* more, for the second address of its reader */
/* Does its mail belong to a record, so that it leaves with it or not at all? */
static inline bool post_of_record(const struct post *post)
{
    return post->kind != POST_TRIED && post->kind != POST_AGAIN;
}
/* Records of this step that its mails prove; 0 = there is none. */
struct step_proofs {
    int text_seat; /* whose orders were accepted, */
    int64_t text;  /* in this record */
    int64_t close, turn;
    size_t line;             /* where in `records` the record of that turn begins */
    struct step_extra extra; /* of the close of the turn that was played last */
};
struct step {
    struct step_keys keys;
    int64_t now;
    struct str records; /* lines */
    struct str entries; /* of the league's log, a line each record */
    struct step_proofs proofs;
    struct sealed_set opened; /* the payloads of what they seal */
    struct post *posts;
    size_t post_count, post_cap;
    size_t turns, orders;    /* resolved, accepted */
    json_t *begun;           /* the deal, as told_since has it, if it was told of in this step */
    uint32_t hears;          /* seats that are told when the game waits for people next (to_tell) */
    bool patient;            /* a turn for which all orders are in by this step is left to the clock */
    const struct past *past; /* what a rollback goes back to, else NULL; borrowed */
    struct step_before before;
    struct step_gate gate;
};
void step_init(struct step *step, const struct step_keys *keys, int64_t now);
void step_release(struct step *step);

/* The end of every step, before it is committed: what follows from the game's new state, whatever the step
 * was. Seats without a player are offered (play/standby.h). */
int step_finish(struct step *step, struct game *game, struct err *err) __attribute__((warn_unused_result));

/* Makes one record of the game, signs it, has it judged, applies it. Takes ownership of `fields`. ERR_UNSOUND: the
 * audit, or replay, would refuse it. */
int step_record(struct step *step, struct game *game, const char *type, json_t *fields,
                struct turn_result *result, struct err *err) __attribute__((warn_unused_result));

/* ---- inputs ---- */

/* The league was made again from a copy of that time (0 = unknown): the game goes on from its last record there. */
int step_lost(struct step *step, struct game *game, int rollbacks, struct err *err)
    __attribute__((warn_unused_result));

/* A new game. `player` names with entries, or robots; `player` NULL = a seat that is free. With a free seat the
 * game waits for players to join. */
struct new_seat {
    const char *player;
    bool robot;
    bool kept;               /* the seat is kept for the player, who takes it by a signed text of their own */
    struct wish_list wishes; /* for that text: they are put into its form */
    const json_t *entry;     /* the text by which a competition has them (compete/competition.h); borrowed */
};
struct new_game {
    const char *id;
    unsigned char nonce[SEAL_NONCE];   /* random */
    const char *rematch;               /* the game that its players have played before; NULL = none */
    const unsigned char *rematch_head; /* that game's last head, HEAD_BYTES */
    const unsigned char *request;      /* 32 bytes: of the command that asked for it; NULL = of none */
    const struct game_place *place;    /* in a competition; NULL = in none */
    int64_t answer_by;                 /* for kept seats */
    const struct ruleset *ruleset;
    const json_t *cards; /* replacement, or NULL */
    int options[GAME_OPTIONS];
    int seats;
    struct new_seat seat[SEATS_MAX + 1];
    int64_t turn_length;
    const struct schedule *clock; /* NULL: turns of that length, nothing else */
    const struct lockstep
        *lockstep;           /* its times; then there is neither clock nor standby. NULL: not in lockstep */
    bool by_mail;            /* the word of a mail domain counts for players without keys */
    bool typo_wait;          /* orders with a line that is wrong keep their turn open (play/typos.h) */
    int64_t second_thoughts; /* for how many seconds good ones do; 0 = they do not */
    int missed_robot, missed_standby;
    enum press_kind press;
    bool press_report; /* press is delivered with the report */
    bool press_signed; /* with the sender's signed text; only PRESS_WHITE */
    bool private;      /* no observers */
    struct quorum witnesses;
};
int step_create(struct step *step, struct game *game, const struct new_game *how, struct err *err)
    __attribute__((warn_unused_result));

/* Deals and begins, if every seat is taken and nothing prevents it; else nothing happens. */
int step_begin(struct step *step, struct game *game, struct err *err) __attribute__((warn_unused_result));
/* A signed text that asks for a seat; everything borrowed. The caller has checked that the player may have
 * one. */
struct join_input {
    const char *player;
    int seat;                       /* the seat given; 0 = the waiting list */
    bool drawn;                     /* which is only held until `start` draws one */
    struct wish_list wishes;        /* of that text */
    struct slice exact;             /* the bytes that verified */
    json_t *signature;              /* as in orders_input */
    const struct mail_proof *proof; /* the same */
    const json_t *members;          /* the text, and who signed it or vouches for it (hearing_evidence) */
};
/* Takes the seat, or a place on the waiting list. */
int step_join(struct step *step, struct game *game, const struct join_input *input, struct err *err)
    __attribute__((warn_unused_result));
/* Gives up a seat before the start, which goes to the first on the waiting list, if there is one; or, for
 * somebody without a seat, the place on that list. `members` are put into the record. */
int step_leave(struct step *step, struct game *game, const char *player, const json_t *members,
               struct err *err) __attribute__((warn_unused_result));
/* From now on a robot plays the seat, under the player's name; a turn that waited for nothing else is
 * resolved. */
int step_resign(struct step *step, struct game *game, int seat, const json_t *members, struct err *err)
    __attribute__((warn_unused_result));

/* Signed orders of a seat. */
struct orders_input {
    int seat;
    const struct frame *frame;
    const struct pubkey *key; /* that verified */
    struct slice exact;       /* the bytes that verified, valid UTF-8 */
    struct slice canonical;   /* their canonical form: the only text that is parsed; frame->body lies in it */
    json_t *signature;        /* what an auditor needs to verify them again; borrowed */
    const unsigned char *mail; /* digest of the raw mail, 32 bytes */
    const struct mail_proof
        *proof; /* no key has verified it, but a mail domain vouches for it; NULL = a key has.
                                     * Then `key` and `signature` are NULL, `exact` is canonical */
    const json_t
        *unread;  /* of a mail: [{"line"}] that stand in it and are no orders, for the receipt; NULL: none */
    bool goes_on; /* some of them come after orders, and may have been meant as such: the turn waits */
};
/* What happened to them; only ORDERS_TAKEN and ORDERS_TRIED changed anything. */
enum orders_fate {
    ORDERS_TAKEN,
    ORDERS_TRIED,
    ORDERS_SEEN_MAIL, /* it was accepted from this very mail: not answered */
    ORDERS_SEEN_TEXT, /* the text was accepted before, and is in force now */
    ORDERS_REPLACED,  /* it was accepted before in this turn; its orders, if it had any, are not in force */
    ORDERS_COPY,      /* it was accepted before its turn was over */
    ORDERS_UNDONE,    /* it was accepted before, and a rollback has undone that */
    ORDERS_LOWER_SEQ, /* a text with this or a higher seq is in force */
    ORDERS_EARLIER,   /* a mail domain vouches for them, and for those in force, which were written later */
    ORDERS_OLD_TURN,
    ORDERS_FUTURE_TURN,
    ORDERS_OTHER_TURN, /* valid for the open turn, but with "turn n" lines that are not */
    ORDERS_NOT_OPEN, /* in lockstep: the turn they are for, or one of their "turn n" lines, is not open yet */
    ORDERS_NO_TURN,  /* the frame names none */
    ORDERS_OLD_HEAD, /* a head of ours, but of an earlier turn */
    ORDERS_LOST_HEAD,    /* the same, in a game that was restored: probably of a report that was lost */
    ORDERS_UNKNOWN_HEAD, /* not a head of this game: fork, rollback or a forged report */
    ORDERS_NOT_AWAITED,  /* the seat is out of the game */
    ORDERS_GAME_OVER,
    ORDERS_NOT_BEGUN, /* seats are still free */
    ORDERS_CLOSED,    /* the turn is closed and waits for its witnesses */
    ORDERS_NO_HEAD,   /* the frame names no head, or not all of it */
    ORDERS_TOO_MANY,  /* ORDERS_TEXTS or ORDERS_BYTES: those accepted before stay in force */
    ORDERS_BELOW, /* a mail domain vouches for them, and the player has a key, or orders of that are in force */
    ORDERS_WRONG_KEY /* the player's key, but not one this game knows */
};
int step_orders(struct step *step, struct game *game, const struct orders_input *input,
                enum orders_fate *fate, struct err *err) __attribute__((warn_unused_result));
/* Was this text accepted before, from the seat or by the same key? Then *fate says what happened to it
 * (orders_copied), else it is unchanged. Reads everything that came before: only for what would otherwise be
 * refused. */
int step_copy(const struct step *step, const struct game *game, const struct orders_input *input,
              enum orders_fate *fate, struct err *err) __attribute__((warn_unused_result));
bool orders_copied(enum orders_fate fate);
/* A mail of a seat's player for which its domain vouches, and that was not understood, or asks for more than may be
 * done without a question. */
struct question_input {
    int seat;
    const unsigned char *mail; /* digest of the raw mail, 32 bytes */
    const struct mail_proof *proof;
};
/* We ask what it means, and the question is open from now on (game_delay): one record. Nothing, if one is open
 * already, or if it does not matter to the open turn (seat_may_be_asked). Who is asked is told by the caller. */
int step_question(struct step *step, struct game *game, const struct question_input *input, struct err *err)
    __attribute__((warn_unused_result));
/* The clock: reminds, moves deadlines, holds, and resolves the open turn when it is time (play/deadline.h);
 * afterwards nothing is due before game_due says so. */
int step_clock(struct step *step, struct game *game, struct err *err) __attribute__((warn_unused_result));
/* A crash may have cut the records of a step short, between two lines: true when something should follow the
 * last one, and step_continue makes it. Only after a load that replayed records (game.last_type). */
bool step_unfinished(const struct game *game);
int step_continue(struct step *step, struct game *game, struct err *err) __attribute__((warn_unused_result));
/* Resolves the open turn now. */
int step_resolve(struct step *step, struct game *game, struct err *err) __attribute__((warn_unused_result));
/* A witness's answer for the turn that is closed, which the caller has checked (quorum_check). The turn is played when no more answers are
 * awaited. */
int step_witness(struct step *step, struct game *game, const struct witness_said *said, struct err *err)
    __attribute__((warn_unused_result));
/* A seat wants to go on without witnesses, as too few have answered; `members` are the evidence. With that of a majority the turn opens
 * again. The caller has checked that the seat may say so. */
int step_unwitness(struct step *step, struct game *game, int seat, const json_t *members, struct err *err)
    __attribute__((warn_unused_result));
/* The clock of a closed turn: plays it when no answer is awaited, and tells all when too few have come for three days. */
int step_witness_clock(struct step *step, struct game *game, struct err *err)
    __attribute__((warn_unused_result));
/* The keys of a seat (step_key.c). A game that is over learns nothing more. */

/* These are the keys from now on, as a signed text says (game/seat_keys.h); `evidence` is of that text: mail, text, by, signed. */
int step_key(struct step *step, struct game *game, int seat, const struct seat_keys *keys,
             const json_t *evidence, struct err *err) __attribute__((warn_unused_result));
/* `by` asks for a key in place of lost ones; says no to it; and, seven days later, it takes their place. */
int step_rekey(struct step *step, struct game *game, int seat, const struct pubkey *key, const char *by,
               struct err *err) __attribute__((warn_unused_result));
int step_veto(struct step *step, struct game *game, int seat, const char *by, struct err *err)
    __attribute__((warn_unused_result));
int step_rekeyed(struct step *step, struct game *game, int seat, struct err *err)
    __attribute__((warn_unused_result));
/* The mailbox, from which the seat's player answers, is another one. */
int step_mailbox(struct step *step, struct game *game, int seat, const char *by, struct err *err)
    __attribute__((warn_unused_result));

#endif
