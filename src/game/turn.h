/* The resolution of one turn: pure. The same function serves live play, replay, audit, simulate and tests. */
#ifndef GAME_TURN_H
#define GAME_TURN_H

#include "chance/draw.h"
#include "game/game.h"

/* What is kept of a resolution for explaining it. Start with zeros. */
struct turn_trace {
    struct chance_trace draws;
    struct event_watch states;
};
void turn_trace_release(struct turn_trace *trace);

/* The result of a resolution; release with turn_result_release. */
struct turn_result {
    void *state; /* the new state, ruleset->state_size bytes */
    struct events events;
    unsigned char state_digest[32];
    unsigned char events_digest[32]; /* of all events as canonical JSON */
    struct chance chance;            /* with the hidden draws that were made */
    json_t *all_events;              /* all events with "visible" */
    /* What each seat with a person is told: its view, and the digest of {"events":[...],"view":{...}}.
     */
    struct view *view[SEATS_MAX + 1];
    unsigned char told[SEATS_MAX + 1][32];
    int from[SEATS_MAX + 1]; /* turn 0: whose player gets the seat (game/seating.h) */
};
void turn_result_release(struct turn_result *result);
/* Appends what the seat is told, canonical, as long as its view has no names (view_tell). */
void turn_told(struct str *text, const struct turn_result *result, int seat);

/* What the draws of the open turn follow from in its current state: the marks of the texts that the
 * players of awaited seats signed and that are in force; zeros for all others. Of turn 0 those of the texts
 * that asked for the seats. */
void turn_marks(const struct game *game, unsigned char marks[SEATS_MAX + 1][SEAL_BYTES]);
/* What `close` says of them: "seals", a text for each seat; "set", the seats whose orders in
 * force are a moderator's, and "deal" and "rollbacks". New references. */
json_t *turn_seals(const struct game *game);
json_t *turn_close(const struct game *game);
/* alpha = "turnpost/dice\0" || create || deal || le32 rollbacks || le32 turn || le32 n || mark_1 .. mark_n
 * A mark of zeros = none. Of a closed turn the marks are those that its `close` names. */
void turn_alpha(struct str *out, const struct game *game);
/* The same from its parts; all borrowed. */
struct alpha_parts {
    const unsigned char *create; /* the head of `create` */
    const unsigned char *deal;   /* game.deal */
    int rollbacks, turn, seats;
    const unsigned char *marks; /* or seals, of `seats` seats, one after the other */
};
void turn_alpha_of(struct str *out, const struct alpha_parts *parts);

/* Plays turn 0 (the deal) or the open turn with the orders received so far. Never changes `game`. */
void turn_play(const struct game *game, const struct chance *chance, struct turn_result *result);
/* The same, and keeps a trace (which may be NULL). */
void turn_play_traced(const struct game *game, const struct chance *chance, struct turn_trace *trace,
                      struct turn_result *result);
/* The orders that a seat plays in the open turn: its own, its ALWAYS lines, a robot's; NULL = nothing (the
 * ruleset's default). The caller frees the script. *missed: no orders came from a player who was awaited. */
struct script *turn_orders(const struct game *game, int seat, bool *missed);
/* AUTO among the orders: the robot writes them. */
bool turn_wants_robot(const struct script *script);
/* The body with players' names as seats ("anna" is P3), where the ruleset wants that; SAY lines stay as they
 * are. */
void turn_names(struct str *out, const struct game *game, struct slice body);
/* The other way round, of an order: "attack anna s1" for "attack p3 s1", where anna can be named. */
void turn_spell(struct str *out, const struct game *game, struct slice order);
/* The seat that SAY speaks to: a player's name, or "p2", with or without a colon after it; 0 = none. */
int turn_seat_told(const struct game *game, struct slice whom);
/* Does it speak to all? "all", "all:" */
bool turn_tells_all(struct slice whom);
/* Is the name of a player also a word of the game ("home")? Then orders can only name the player by seat. */
bool turn_name_taken(const struct ruleset *ruleset, const void *cards, const char *name);
/* A body for several turns has lines "turn 6" in it: gives the lines for `turn` and, in *rest, those from the
 * next such line on
 * ({NULL,0} if none). Lines before the first "turn n" are for the open turn. */
struct slice turn_block(struct slice body, int turn, struct slice *rest);
/* The digest of all events, as records have it. */
void turn_events_digest(unsigned char digest[32], const struct events *events);
/* The number n of the "turn n" line that a text begins with; 0 if it begins with none. */
int turn_line(struct slice text);
/* Does the mail whose orders the seat plays in the open turn hold orders for the next one as well? It stops at
 * the first refusal. */
bool turn_goes_on(const struct game *game, int seat, const struct events *events);
/* The seats of players whose orders will be missing in the turn that this result opens, or have to be corrected
 * in it. */
uint32_t turn_missing(const struct game *game, const struct turn_result *result);
/* By what orders for one turn replace each other. */
struct turn_rank {
    bool by_mail;
    int seq;         /* 0 = no number, which counts as the lowest */
    int64_t written; /* by_mail: vouched_written; 0: by a key */
};
/* Do those in force stay, in place of newer ones of that rank? Of two that a key has signed, those with the
 * higher number count; of two mails the one that was written later, and if that cannot be told, the one with the
 * higher number, or else the one that came last. What a key has signed replaces what has no more than a mail
 * domain's word, whatever the numbers, and is never replaced by it; what a moderator has set is replaced by
 * anything. */
bool turn_outranks(const struct game_orders *in_force, const struct turn_rank *newer);
/* What a text means for the open turn: orders for it; only lines that are independent of it (WHEN, ALWAYS,
 * CANCEL, SAY, deals); or neither (questions, and lines that cannot be understood). Only orders replace
 * orders. */
enum content { CONTENT_NOTHING, CONTENT_STANDING, CONTENT_ORDERS };
enum content turn_content(const struct script *script);
/* A line for the turn itself that was not understood. WHEN and ALWAYS lines are for other times. */
bool turn_line_unread(const struct script_line *line);
/* May such a text of a player keep its turn open, because a line of it is wrong? It holds orders that the
 * seat plays itself: neither AUTO nor RESIGN. */
bool turn_may_wait(const struct script *script);
/* The orders for the next turn in the text that is in force (turn_goes_on). */
struct script *turn_next_orders(const struct game *game, int seat);
struct turn_at {
    const void *cards, *state;
    int seat;
};
/* Appends what a robot would order for the seat now, "pick all; move Verdane" or "pass", in at most about so many bytes. Returns how
 * many orders are left out. */
int turn_robot(struct str *orders, const struct ruleset *ruleset, const struct turn_at *at, size_t most);
/* Appends the SAY lines of a text without orders: they go out with the next reports. */
void turn_said(struct str *said, const struct script *script);
/* Carries out those lines of a seat's orders that take effect at once (deals) on `state`, a copy of the
 * game's. */
void turn_instant(const struct game *game, int seat, void *state, struct events *events);
/* The WHEN lines in force, or NULL. */
struct script *turn_standing(const struct game *game, int seat);

#endif
