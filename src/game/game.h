/* One game as it is after its last record: what replay of its journal gives, and nothing else.
 *
 * Records are the only thing that changes a game: live play makes a record and applies it, replay reads it
 * and applies it; game_apply is the one place. state.json is this struct as JSON (a cache; rebuilt from the
 * journal when it is missing, damaged, edited or stale). */
#ifndef GAME_GAME_H
#define GAME_GAME_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "base/str.h"
#include "chance/vrf.h"
#include "game/lockstep.h"
#include "game/quorum.h"
#include "league/registry.h"
#include "league/schedule.h"
#include "journal/record.h"
#include "journal/seal.h"
#include "journal/store.h"
#include "rules/ruleset.h"
#include "tlog/note.h"
#include "trust/key.h"

#define GAME_FORMAT 2 /* of a game's files (src/journal/README.md) */
#define GAME_DEAL   32
#define GAME_TABLE  (PLAYER_NAME + 8) /* "robot:NAME" and its like */

/* How much a seat may send for one turn. It is checked when a text comes in, not by replay. */
#define ORDERS_TEXTS   50
#define ORDERS_BYTES   ((int64_t)512 * 1024)
#define ORDERS_WARN    10 /* when only this many texts are left, the player is told */
#define RECEIPTS_WHOLE 10 /* receipts of a turn that quote the lines and try them; later ones are short */

/* The orders of one seat for the open turn. */
struct game_orders {
    bool in;         /* orders have come */
    bool set;        /* by a moderator, not by a text that the seat's player signed */
    int64_t record;  /* seq of its record */
    int seq;         /* the player's own number, 0 = none */
    bool by_mail;    /* no key has signed them: a mail domain vouches for them (game/vouched.h) */
    int64_t written; /* by_mail: when, as far as is known (vouched_written) */
    json_t *vouched; /* by_mail: the record's member (game/vouched.h); else NULL */
    bool wait, json, final;
    bool waits; /* a line of it is wrong: the turn waits for a better text (game_delay) */
    /* An answer of the player was not understood, and what it means is an open question: when it was sent, as it
     * says (0: none is open), and when we asked. The seat's next orders end it. */
    int64_t question, asked;
    /* The first text of the turn that waits came, or the first question was opened; 0 = neither. A better one
     * leaves it, so that nobody waits longer by sending several. */
    int64_t waits_since;
    int64_t complete; /* the first text that does not wait came; second thoughts count from then */
    unsigned char seal[SEAL_BYTES];
    struct str text;  /* canonical lines of the frame's body, for the open turn */
    struct str later; /* "turn n" and what follows, for the turns after it (solo games) */
};

/* A key in place of those that are lost: everybody at the table reads of it first, and any of the old keys, or of the old
 * addresses, can say no meanwhile. */
#define SEAT_REKEY_WAIT ((int64_t)7 * 86400)
struct seat_rekey {
    int64_t record, time; /* the note that says so, and when; 0 = none is asked for */
    struct pubkey key;
};

struct game_seat {
    char player[PLAYER_NAME]; /* the player's name; the robot's name for robots */
    bool robot;
    bool late;               /* a robot since the open turn was closed: that turn is still its player's */
    bool drawn;              /* before the start: the seat is only held, and `start` draws who gets which */
    struct wish_list wishes; /* before the start: what its player has wished for */
    bool resigned;           /* a robot since its player resigned */
    int press;               /* messages of this seat in the open turn */
    int texts;               /* signed orders of this seat that were accepted in the open turn, */
    int64_t text_bytes;      /* and their length */
    /* Standing in (play/standby.h); all "" or 0 in the usual case. */
    char offered[PLAYER_NAME]; /* the player to whom the seat is offered now */
    int64_t offered_until;     /* and how long */
    int offered_turn;          /* the turn that was open when the offer was made */
    bool offered_more;         /* the offer was put off because of an outage, once */
    struct str asked;          /* to whom it has been offered since it became vacant (league/name_list.h) */
    char owner[PLAYER_NAME];   /* who may take it back from a stand-in until this turn is resolved */
    struct pubkey owner_keys[KEYS_PER_PLAYER]; /* with one of those that they had; none: by mail */
    size_t owner_key_count;
    struct str took_back; /* who have done so and may not again (league/name_list.h) */
    struct pubkey keys[KEYS_PER_PLAYER];
    size_t key_count;
    struct seat_rekey rekey;
    int64_t keys_day; /* the day on which its player sat down */
    int64_t
        key_text_day; /* of the last text "key" since then, or of a record without one; 0 = there is none */
    struct str keys_gone;  /* lines of the keys that texts of that day took away */
    int missed;            /* turns missed in a row */
    int told, told_before; /* reports have told of the turns below this one; and before the last of them */
    struct str standing;   /* WHEN and ALWAYS lines in force */
    struct str said;       /* SAY lines of mails without orders for the turn, for the next reports */
    struct str instant;    /* the last text with lines that are carried out at once; not in the cache */
    struct game_orders orders;
    int64_t vote; /* vote for extending the open turn by this many seconds; 0 = none */
};

/* Somebody who wants a seat: before the start one that is given up, later one whose player is gone. */
#define WAITING_MOST 16
struct game_waiting {
    char player[PLAYER_NAME];
    struct pubkey keys[KEYS_PER_PLAYER]; /* as they were at the time of the request */
    size_t key_count;
    unsigned char seal[SEAL_BYTES]; /* of the signed text */
    struct wish_list wishes;
};

/* What a player did with the turns of this game that awaited them, in any seat. */
struct game_tally {
    char player[PLAYER_NAME];
    int awaited, missed, resigned;
};

/* Who may write to whom, fixed in `create` (play/press.h). */
enum press_kind {
    PRESS_WHITE, /* the sender is named */
    PRESS_GREY,  /* or not, as the sender likes */
    PRESS_NONE
};

/* Orders with a line that is wrong keep the turn open for so long where several people play and nothing else
 * ends the turn. */
#define TYPO_WAIT_MOST       ((int64_t)86400)
#define SECOND_THOUGHTS_MOST ((int64_t)86400)

#define GAME_OBSERVERS 50
#define GAME_STANDBY   50

struct game_mark {
    int turn;
    int64_t time; /* of a head: its record's */
    unsigned char digest[32];
};

/* A player's vacations that have moved a deadline of this game, by year. The player may have left it
 * since. */
struct game_away {
    char player[PLAYER_NAME];
    int year, days;
    int64_t until; /* the last day that counted */
    /* The part that moved the open turn: taken back when the turn is closed by `before`, when the deadline
     * would have been without it. 0 = nothing. */
    int64_t before, until_before;
    int open_days;
};

/* Digests that must not come twice, or that answers may name. */
struct game_marks {
    struct game_mark *list;
    size_t count, cap;
};

/* The parts of a game, by subject. */

/* The place of a game in a competition (compete/competition.h), whose draw seated it. */
struct game_place {
    char name[GAME_NAME];           /* of the competition; "" = it is of none */
    unsigned char head[HEAD_BYTES]; /* of the `round` that drew its table */
    int round, table, attempt;
    int64_t until; /* the end of the round, and with it of the game; 0 = the game goes on after it */
};

/* Who may have which seat, and who is waiting for one. */
struct game_table {
    struct game_place place;
    /* [1..seats]: "robot:NAME", "NAME", "for:NAME", "" (game/seating.h). */
    char entry[SEATS_MAX + 1][GAME_TABLE];
    bool by_mail;                 /* `trust`: for players without keys the word of their mail domain counts */
    int64_t answer_by;            /* those for whom seats are kept have to join by then; 0 = there are none */
    struct game_waiting *waiting; /* in the order in which they asked */
    size_t waiting_count, waiting_cap;
};

/* The journal from which it was read. The last record's seq, time and head are in struct game. */
struct game_journal {
    char last_type[12]; /* of the last record applied, and its seat; "" when the cache was taken as it is */
    int last_seat;
    char last_do[12]; /* what a moderator did in it (petitions/moderate.h); "" = it is no moderator's */
    /* Orders and what their step has recorded so far, which has the same time: their seat, 0 = the last record belongs
     * to no such step. None of these is in the cache. */
    int led;
    bool led_awaited;     /* the open turn waited for them */
    int64_t led_time;     /* of their record */
    struct str led_lines; /* canonical lines of their body, for the turn that was open */
    uint32_t missed;      /* the seats without orders when a turn was closed last */
    int64_t length;       /* bytes of the journal; with the game's seq a place in the store (game_end) */
    int64_t last_from;    /* where its last line begins */
    unsigned char create_head[HEAD_BYTES];
    int64_t create_time;
    unsigned char league_key[32], seal_commitment[32];
};

/* What the draws follow from, beside the texts of the turn. The nonce of `create`; what the draws
 * of all later turns follow from as well, the deal's (gamma, the first bytes of its proof), so that nobody
 * knows them before all have joined; and how often the game was rolled back, so that nobody knows those of a
 * turn that comes again. */
struct game_draws {
    unsigned char key[VRF_PUBLIC];
    unsigned char nonce[SEAL_NONCE];
    unsigned char deal[GAME_DEAL];
    int rollbacks;
};

/* The record that opened the open turn. */
struct game_opened {
    int64_t at;
    int64_t seq; /* its head is what reports carry */
    unsigned char head[HEAD_BYTES];
    int undone; /* turns up to this one were open before, and a moderator has rolled them back; 0 = none */
};

/* The `close` of the open turn, while `closed` is set. */
struct game_close {
    unsigned char head[HEAD_BYTES];
    int64_t seq;
    int64_t from; /* bytes of the journal before its line; with seq - 1 a place in the store */
    int64_t at;
    unsigned char marks[SEATS_MAX + 1][SEAL_BYTES]; /* that the draws follow from */
    /* What it has counted, in case its turn opens again: the seats that were awaited, those that missed it, and how many in a row each had
     * missed before. */
    uint32_t awaited, missed;
    int missed_before[SEATS_MAX + 1];
};

/* Going on without witnesses. */
struct game_without {
    uint32_t seats; /* that want it, since the open turn was closed */
    int turn;       /* from which on there are none; 0 = none has been given up */
};

/* When the open turn is due, and what keeps it open. */
struct game_clock {
    struct schedule schedule;
    struct lockstep lockstep; /* in place of the schedule, where it is on */
    int64_t deadline;         /* of the open turn, 0 = none */
    int64_t turn_length;      /* seconds, 0 = no deadline, or one by the hours of the clock */
    int64_t dated;            /* when its deadline was set, by the journal */
    uint32_t reminded;        /* seats that were reminded of this deadline */
    bool extended;            /* by vote, in this turn */
    int64_t spared;           /* seconds added to this turn because of outages */
    bool paused;              /* by a moderator: no turn is resolved and the deadline is suspended */
    int64_t paused_from;      /* since when */
    bool held; /* the turn is not resolved until a moderator says so, whatever comes in and however late it is
                */
    int hold_turn;      /* the turn in which the safety valve held the game; it does so once a turn */
    int64_t hold_until; /* held by the valve: until then, or until enough orders are in; 0 = by a moderator */
    bool typo_wait;     /* orders with a line that is wrong keep their turn open (create) */
    int64_t second_thoughts; /* for how many seconds good ones do; 0 = they do not (create) */
    struct game_away *away;
    size_t away_count, away_cap;
};

/* How reliably players send orders, and what happens to seats whose players do not. */
struct game_attendance {
    int missed_robot;   /* after this many missed turns a robot plays, 0 = never */
    int missed_standby; /* after this many missed turns the seat is offered to the standby list, 0 = never */
    struct str standby; /* who would take a seat of this game, in order (league/name_list.h) */
    struct game_tally *tallies;
    size_t tally_count, tally_cap;
};

struct game_press {
    enum press_kind kind;
    bool by_report; /* it is delivered with the next report, not at once */
    bool proved;    /* it goes out with its sender's signed text; with white press only */
    json_t *wait;   /* for the next report (play/press.h), or NULL */
    json_t *last;   /* what the last report contained, or NULL */
};

struct game_observers {
    bool barred;      /* nobody may watch */
    struct str names; /* who gets the public reports */
};

/* Marks of what was seen, so that it is recognised when it comes again. */
struct game_seen {
    struct game_marks mails; /* of this turn and the last one */
    struct game_marks heads; /* of all records since the open turn began */
    struct game_marks texts; /* signed ones, accepted in this turn */
};

/* What happened, for reports, show and resend (game/told.h). */
struct game_told {
    json_t *events;  /* of the last resolution: all of them, with "visible" */
    json_t *instant; /* of deals since the last resolution, and who has resigned; or NULL */
    json_t *
        vouched; /* [{"seat","who","vouched"}]: the orders of the last resolution that no key had signed, with
                      * who played the seat and the record's member (game/vouched.h); or NULL */
    json_t *moments; /* the best and worst so far (game/moments.h), or NULL */
    json_t *
        earlier; /* [{"turn","events","answered","press","vouched"}]: turns before that one which not all have been told of in
                        a report before their last; or NULL */
    void *was; /* the state before the last resolution, right after it only, and not in the cache */
    int watched, watched_before; /* as told and told_before of a seat: observers */
};

struct game {
    char id[GAME_NAME];
    /* The rules, and what `create` fixes of them. */
    const struct ruleset *ruleset;
    const void *cards; /* ruleset->cards_size bytes: the built-in ones, which are never freed, or own_cards */
    void *own_cards;
    unsigned char cards_digest[32];
    int options[GAME_OPTIONS];

    void *state; /* ruleset->state_size bytes */
    int seats;
    struct game_seat seat[SEATS_MAX + 1]; /* [1..seats] */
    int turn;                             /* the open turn; 0 = not dealt yet */
    bool closed; /* it has its `close`: no more orders, and it is played once its witnesses have answered */
    bool over;
    bool voided; /* over, without a result */

    /* The last record */
    int64_t seq;                    /* 0 = none */
    unsigned char head[HEAD_BYTES]; /* zeros before the first */
    int64_t time;

    struct game_table table;
    struct game_journal journal;
    struct game_draws draws;
    struct game_opened opened;
    struct game_close close;
    struct quorum witnesses;
    struct game_without without;
    struct game_clock clock;
    struct game_attendance attendance;
    struct game_press press;
    struct game_observers observers;
    struct game_seen seen;
    struct game_told told;
};

void game_init(struct game *game);
void game_release(struct game *game);

/* A copy of a game with all that state.json holds, and the type of its last record. */
int game_copy(const struct game *from, struct game *to, struct err *err) __attribute__((warn_unused_result));
/* Writes the cache. */
int game_save(struct store *store, const struct game *game, const unsigned char master[32], struct err *err)
    __attribute__((warn_unused_result));

/* What stands for the game in what its draws follow from: the head of `create`; or, where a competition has drawn the
 * game, its nonce, which the league could not choose. HEAD_BYTES. */
const unsigned char *game_root(const struct game *game);
/* The key of the game's seals, and that of its press (journal/seal.h). */
void game_seal_key(unsigned char key[32], const unsigned char master[32], const struct game *game);
void game_press_key(unsigned char key[32], const unsigned char master[32], const struct game *game);

/* Why it ends, as in `end`: the ruleset's word, "void", GAME_ROUND_OVER, or, of a game that has not begun, "unanswered". */
#define GAME_ROUND_OVER "round_over"
const char *game_ending(const struct game *game);
/* Is it over, or would it be if it ended now, because its round is, and not by its rules? */
bool game_cut_short(const struct game *game);
/* scores[1..seats] of a game that ends or has ended: the ruleset's own. Where it was cut short, whoever is not out of it has
 * the place that their points give then, and nobody has won. */
void game_scores(const struct game *game, struct score scores[SEATS_MAX + 1]);
/* Seats that nobody has taken yet; only before the start. */
int game_free_seats(const struct game *game);
/* Not dealt yet, and nothing prevents it: every seat is taken. */
bool game_ready(const struct game *game);
/* Is the player on the waiting list? */
bool game_waits(const struct game *game, const char *player);
/* The seat of a player, 0 = none. */
int game_seat_of(const struct game *game, const char *player);
/* Where its journal ends. */
struct store_pos game_end(const struct game *game);
/* Seats whose orders are wanted and that are not robots, and those among them whose orders have not come. */
uint32_t game_awaited(const struct game *game);
uint32_t game_missing(const struct game *game);
/* Has the seat's player missed so many turns in a row that a robot plays when no orders are in, and no ALWAYS lines? */
bool game_robot_stands_in(const struct game *game, int seat);
/* May this seat send orders now? Those that are awaited; where seats take turns, all that are not out of the
 * game. */
bool game_may_order(const struct game *game, int seat);
/* How long the orders of a seat keep the open turn open although they are in: because a line of them is wrong
 * and its player may send better ones, because a question to its player is open, or for second thoughts. From
 * `from` until `until`, as far as no outage comes between; `until` DELAY_NO_END: until better orders come, or
 * `final: yes`, or the deadline; 0: not at all. */
#define DELAY_NO_END INT64_MAX
struct game_delay {
    int64_t from, until;
};
struct game_delay game_delay(const struct game *game, int seat);
/* Of the seats that are awaited, those whose orders wait for better ones, or whose player has an open question to
 * answer. Their orders are in, and not missing. */
uint32_t game_unsettled(const struct game *game);
/* The seats that may be reminded of the deadline of the open turn and were not: their orders are missing, or wait to be
 * corrected, or their player has an open question to answer. */
uint32_t game_unreminded(const struct game *game);
/* True when every awaited seat is in, none said `wait` or waits without an end, and the game resolves early
 * and is neither paused nor held: only time (play/deadline.h, game_ripe) keeps the turn open. */
bool game_all_in(const struct game *game);
/* Is this head one that the league has issued since the open turn began? `hex` is a prefix of 8..64
 * digits. */
bool game_knows_head(const struct game *game, const char *hex);
/* The record of the open turn with that head, or the beginning of it; 0 = none. */
int64_t game_head_record(const struct game *game, const char *hex);
/* And the time of that record; 0 = none. */
int64_t game_head_time(const struct game *game, const char *hex);
/* The head that answers to the open turn must name, as forms print it: that of the record that opened it,
 * before the start that of `create`. All 64 digits. */
void game_answer_head(char hex[2 * HEAD_BYTES + 1], const struct game *game);
/* Has this head all its digits? */
bool game_whole_head(const char *hex);
/* May the seat send a text of that length in the open turn, and another one after it? If not, its orders do not
 * wait for better ones, which could not be sent. */
bool game_leaves_room(const struct game *game, int seat, size_t len);
/* What `texts` holds for orders: the seat, its player and the canonical text (two seats may well write the
 * same orders, and so may a player and their stand-in). */
void game_text_digest(unsigned char digest[32], const struct game *game, int seat, struct slice canonical);
bool game_knows_text(const struct game *game, int seat, struct slice canonical);
bool game_knows_digest(const struct game *game, const unsigned char digest[32]);
bool game_knows_mail(const struct game *game, const unsigned char digest[32]);

/* Sets the cards from a document (the built-in one when `json` is NULL) and their digest. */
int game_set_cards(struct game *game, const json_t *json, struct err *err)
    __attribute__((warn_unused_result));

#endif
