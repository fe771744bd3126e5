/* What the files of the audit share; for no others. Checks return 0, or -1 when they have found what is wrong
 * (audit_broken). */
#ifndef AUDIT_AUDIT_PARTS_H
#define AUDIT_AUDIT_PARTS_H

#include "audit/audit.h"
#include "game/vouched.h"
#include "game/digests.h"
#include "game/past.h"
#include "game/record_kinds.h"
#include "game/turn.h"
#include "orders/frame.h"

/* Orders of a seat that may still be in force, where the texts are sealed. */
struct audit_seal {
    unsigned char seal[SEAL_BYTES];
    int64_t record;
    int turn;
    bool set;   /* by a moderator: no `close` names their seal */
    bool waits; /* for a better text, as their record says */
};
/* From `record` on, orders count that were made after `since`: earlier ones are from a former player of the
 * seat. */
struct audit_since {
    int64_t record, since;
};
struct audit_seals {
    struct audit_seal *list; /* in the order of records */
    size_t count, cap;
    struct audit_since *sat; /* the last one is in force; the others are for rollbacks */
    size_t sat_count, sat_cap;
};

/* A rollback, and the record that it went back to: orders of the records between are undone. */
struct audit_back {
    int64_t record, to;
};

/* A player's appeal, about that turn. */
struct audit_appeal {
    int64_t record, about;
};

struct audit_known_key {
    char player[PLAYER_NAME];
    struct pubkey key;
    int64_t seq; /* the first such record */
};

/* Of all records so far. */
struct audit_seen {
    struct digests texts, mails;
    struct digests marks;     /* the seals of all `orders` */
    struct audit_back *backs; /* public view: the rollbacks */
    size_t back_count, back_cap;
    unsigned char (*heads)[HEAD_BYTES];
    size_t head_count, head_cap;
    struct audit_appeal *appeals;
    size_t appeal_count, appeal_cap;
    unsigned char (*states)[32]; /* public view: the state that each names, or the one before it did */
    size_t state_count, state_cap;
    struct audit_known_key *keys; /* by which somebody has signed a text in a record, each once */
    size_t key_count, key_cap;
};
/* Frees it all; empty again. */
void audit_seen_release(struct audit_seen *seen);

/* The valve's last hold. */
struct audit_valve {
    uint32_t waited_for; /* seats whose orders were missing then */
    int64_t until;       /* 0 = it names no end */
    bool came;           /* since then one of these seats has got orders, or another player */
};

/* Whose mail vouched last for a seat's orders, and the digest of the mailbox that it was from. */
struct audit_mailbox {
    char player[PLAYER_NAME];
    unsigned char from[32];
};

/* Texts and mails with orders that a seat has given for the turn that this head opened. */
struct audit_texts {
    unsigned char head[HEAD_BYTES];
    int count;
};

struct auditing {
    const struct audit *in;
    struct audit_result *out;
    int64_t at;                     /* the record being checked, 1.. */
    struct game game;               /* as it is before the record */
    const struct record *record;    /* NULL after the last one */
    const struct record_kind *kind; /* its row; NULL: this audit knows no such records */
    struct sealed_set payloads;     /* of this record, those that may be opened */
    bool used[64];                  /* which of these a seal covers */
    struct past past;               /* what the rollbacks of this journal go back to */
    bool full;                      /* the rules are played */
    /* The gate (audit/gate.h): the record was made just now, by the rules, of texts whose signatures were verified.
     * These are not asked again, nor is what only the records of long ago could tell. */
    bool live;
    struct seal_keys keys; /* what opens boxes */
    bool published;        /* the journal holds the key of all but press */
    struct audit_seen seen;

    /* What the previous record requires next. */
    bool closed;               /* the open turn is */
    int instant;               /* the seat whose deals must be in a note now, 0 = none */
    int led;                   /* the seat whose deals may be in a note now, as far as is public */
    int resigns;               /* the seat whose last orders say RESIGN, 0 = none */
    char resolve[PLAYER_NAME]; /* who said "resolve" in the previous record; "" = nobody */
    const char *doubt; /* why misses of the open turn rest on the operator's word; NULL = they do not */
    bool may_be_held;  /* public view: a rollback may have left the turn held */
    struct audit_valve valve;
    bool joined[SEATS_MAX + 1];              /* by a signed text */
    struct audit_seals seals[SEATS_MAX + 1]; /* public view */
    struct audit_mailbox mailbox[SEATS_MAX + 1];
    struct audit_texts texts[SEATS_MAX + 1];
};

/* Reports a finding. */
void audit_note(struct auditing *a, enum audit_severity severity, enum audit_kind kind, int seat,
                const char *fmt, ...) __attribute__((format(printf, 5, 6)));
/* Reports something that only the operator can know. */
void audit_word(struct auditing *a, enum audit_kind kind, int seat, const char *fmt, ...)
    __attribute__((format(printf, 4, 5)));
/* The record is wrong; -1. Only the first one counts. */
int audit_broken(struct auditing *a, enum audit_kind kind, int seat, const char *fmt, ...)
    __attribute__((format(printf, 4, 5)));

/* The same for something made by a newer Turnpost: this program cannot say whether it is right. */
int audit_newer(struct auditing *a, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* ---- members of the record ---- */

const char *audit_text(const struct auditing *a, const char *key); /* "" when there is none */
bool audit_has(const struct auditing *a, const char *key);
bool audit_is(const struct auditing *a, const char *type);       /* the record's type */
bool audit_kind_is(const struct auditing *a, enum record_id id); /* its kind */
int64_t audit_number(const struct auditing *a, const char *key); /* 0 when there is none */
/* The seat it names, 1..; 0 = none. */
int audit_seat(const struct auditing *a);
bool audit_hex(const struct auditing *a, const char *key, unsigned char out[32]);

int64_t audit_moment(const struct auditing *a, const char *key); /* a time; 0 when there is none */

/* audit.c: does the record follow the one before it, and has the league signed it? `line` is what it was read from. */
int audit_chain(struct auditing *a, const struct record *record);
/* audit_fields.c: every member is known and of its kind. */
int audit_fields(struct auditing *a);
/* audit_order.c: may this record be here? And after the last one: must another one follow? */
int audit_place(struct auditing *a);
int audit_ending(struct auditing *a);

/* audit_boxes.c */
int audit_boxes_begin(struct auditing *a, struct err *err); /* finds the keys: reads the journal once */
/* Opens what this view may open of the record. */
void audit_boxes_record(struct auditing *a);
/* The same for the payloads that a record was just made with, the last ones of a set; borrowed. Its boxes must hold them. */
int audit_boxes_given(struct auditing *a, const struct sealed_set *set);
/* The payload of a seal, which then counts as used; NULL when it is not there. */
const struct sealed *audit_payload(struct auditing *a, int seat, int item, const char *hex);
/* The same for a text that a player signed (step_box_orders); *says becomes what it is, a new reference. */
const struct sealed *audit_signed_payload(struct auditing *a, int seat, int signer, const char *hex,
                                          json_t **says);
/* A box of this record that no seal covers. */
int audit_boxes_unused(struct auditing *a);
/* What came out of this box is something else than its seal says; -1. */
int audit_box_wrong(struct auditing *a, int seat, int item);
/* May this view open it? */
bool audit_may_open(const struct auditing *a, int seat, int item);

/* audit_signed.c */
struct audit_signed {
    struct str text; /* canonical */
    struct str body; /* of orders, where the frame's is not in the text (frame_spread) */
    struct frame frame;
    struct pubkey key;
    struct vouched vouched; /* cutter 0: a key has signed it */
};
void audit_signed_release(struct audit_signed *text);
/* Who must have signed. */
struct audit_signer {
    int seat;                  /* for findings, 0 = none */
    const struct pubkey *keys; /* it must be one of these; NULL = any */
    size_t count;
};
/* The player of a seat, with the keys that the journal has for them; for seat 0 anybody. */
struct audit_signer audit_signer(const struct auditing *a, int seat);
/* {"text","signature"} and, for press, more: the signature holds, and the frame is of this verb, this game
 * and, if it names one, this turn. */
int audit_signed(struct auditing *a, const json_t *payload, const char *verb,
                 const struct audit_signer *signer, struct audit_signed *out);
/* The frame alone: is the text for this record? */
int audit_signed_frame(struct auditing *a, const struct frame *frame, const char *verb, int seat);
/* audit_vouched.c: a mail comes after what it answers, made at `since`, and before the record that is made of it. */
int audit_arrived(struct auditing *a, int seat, const struct vouched *vouched, int64_t since);
/* Of `orders` with a member "vouched", what it says of itself. */
int audit_vouched(struct auditing *a, int seat);
/* A text for which a mail domain vouches, {"signature","text"} (the first may be missing), with the mail that it
 * was made of, where that may be opened: its frame is right for the record. */
struct audit_mailed {
    int seat; /* of orders; for findings of all others */
    const char *verb;
};
int audit_vouched_text(struct auditing *a, const json_t *vouched, const json_t *payload,
                       const struct audit_mailed *how, struct audit_signed *out);
/* A note "question", with the mail that was not understood, where that may be opened. */
int audit_question(struct auditing *a);
/* Of a petition: does it count in this game, for a player with these keys? */
int audit_vouched_counts(struct auditing *a, int seat, size_t key_count);
/* The members by, text, mail, signed of a record that a petition led to; with a NULL verb there must be
 * none. */
int audit_evidence(struct auditing *a);
/* Is its "text" the digest of the player's name and this canonical text? */
/* A signed text names a whole head, which is one of the open turn. */
int audit_whole_head(struct auditing *a, const struct frame *frame, const char *verb, int seat);
int audit_answers(struct auditing *a, const struct frame *frame, int seat);
/* What was sealed is written as we would write it, so that it leaves no choice. */
int audit_canonical(struct auditing *a, int seat, const struct sealed *sealed, const json_t *payload);
int audit_mark(struct auditing *a, const char *player, const struct str *text);
/* The seat that a signed text names, "2" or "P2"; 0 when it names none. */
int audit_seat_named(const struct audit_signed *text);
/* audit_orders.c, audit_seats.c: before the record is applied. */
int audit_orders(struct auditing *a);  /* orders */
int audit_seating(struct auditing *a); /* seat, note wait */
int audit_press(struct auditing *a);   /* note press */
/* Somebody leaves: who follows is the first on the waiting list, with the seal of their text; that nobody does, though somebody
 * waits, rests on the operator's word. */
int audit_left(struct auditing *a);
/* The text asks for this seat or place on the waiting list, with these wishes, and its mark is the record's. */
int audit_join(struct auditing *a, const struct audit_signed *text);
/* audit_seat_keys.c: the text that leads to a `key` record. */
int audit_seat_keys_text(struct auditing *a, const struct audit_signed *text);
void audit_seat_keys_after(struct auditing *a); /* and what is told of another mailbox */
/* The text is about no game, so it names the league. */
int audit_names_league(struct auditing *a, const struct frame *frame);

/* The signature alone; the frame is parsed, and the caller judges its contents. */
int audit_signed_text(struct auditing *a, const json_t *payload, const struct audit_signer *signer,
                      struct audit_signed *out);
/* Order lines for the open turn; notes what must come after the record. */
int audit_lines(struct auditing *a, int seat, struct slice body);
/* Orders of the record, or of the turn that it opens, with a line that was not understood wait for better ones,
 * unless they are final, or cannot be replaced. Which other lines are wrong the audit does not ask. */
int audit_waits(struct auditing *a, int seat, const struct script *script, bool final);

/* audit_moderate.c */
int audit_moderate(struct auditing *a); /* before it is applied */
void audit_moderate_after(struct auditing *a);

/* audit_records.c: what each type of record requires, before, while and after it is applied */
int audit_create(struct auditing *a);  /* before it is applied, */
int audit_created(struct auditing *a); /* and afterwards */
int audit_before(struct auditing *a);
int audit_counts(struct auditing *a); /* the seats and turns that it names exist */
void audit_after(struct auditing *a);

/* audit_witness.c */
void audit_witness_turn(struct auditing *a);  /* before a `start` or `turn` is applied */
void audit_witness_after(struct auditing *a); /* reports what is worth knowing */

/* A turn that opens: the previous deadline, why misses by it rested on the operator's word (`doubt`), and
 * whether the turn was interrupted, which only the rules know. */
struct audit_opening {
    int64_t before;
    const char *doubt;
    bool interrupted;
};

/* audit_play.c */
int audit_play(struct auditing *a); /* start, turn: with replay; applies the record */
/* Of it, what comes before it is applied: `result` is computed, unless live play has, and `opening` is for
 * audit_deadline afterwards. */
int audit_played(struct auditing *a, struct turn_result *result, struct audit_opening *opening);
/* The boxes of hidden draws, as far as they may be opened, and each a draw of these dice; NULL: the rules will draw them. */
int audit_hidden(struct auditing *a, const struct chance *dice);
int audit_close(struct auditing *a);  /* before it is applied */
int audit_scores(struct auditing *a); /* end */
int audit_apply(struct auditing *a, struct turn_result *result);
/* Turns an error of game_apply, or of a part of it, into a finding without "record 12 (turn): "; -1. */
int audit_refused(struct auditing *a, const struct err *err);

/* audit_public.c: what a record does to the public part of the game, where the rest is sealed. */
int audit_public(struct auditing *a);
/* After each record, including `create`: what is public of the state. */
void audit_keep_state(struct auditing *a);

/* audit_time.c */
/* Of a game in lockstep: does the record come at its time, and is there such a record at all? Before it is applied. */
int audit_lockstep(struct auditing *a);
/* Nothing is played while a game is paused or its turn is held. */
int audit_standstill(struct auditing *a);
int audit_closing(struct auditing *a, uint32_t missed); /* was it time to close the turn? */
void audit_came(
    struct auditing *a); /* after each record: orders that the valve's hold waited for may have come */
/* Is the deadline that the record sets the schedule's? `start`, `turn`, when they are applied. */
int audit_deadline(struct auditing *a, const struct audit_opening *opening);
/* Whatever the record has set it to: no later than the end of the round of a competition's game. */
int audit_within_round(struct auditing *a);
int audit_clock_note(struct auditing *a); /* shift, hold, vote, before they are applied */
/* Does "extend", or "resume", give the turn its time? Before it is applied. */
int audit_extend(struct auditing *a);
void audit_resume(struct auditing *a);
/* On whose word does the deadline of a "rollback" rest? */
void audit_reopened(struct auditing *a, bool by_operator);

/* "UTC+01:00, UTC+02:00": each offset of a zone once. */
void audit_offsets(struct str *out, const struct zone_years *years);

#endif
