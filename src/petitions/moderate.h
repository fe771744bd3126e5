/* What moderators do ("#turnpost moderate", petitions/petition_moderate.c), and the operator with `turnpost
 * moderate`, by the same functions.
 *
 *     #turnpost moderate
 *     game: gc-17
 *     turn: 5
 *     do: extend 24h             an action and its words, on one line
 *     reason: bob's mail is down, he called me
 *     #end
 *
 * An action in a game becomes a record `moderate` of its journal, which names the action ("do"), the reason
 * and who did it ("by", with the signed text; "operator" without one), and all seats are told. An action
 * about a player and no game is a record of the registry's journal. game/apply_moderate.c applies the
 * records. */
#ifndef PETITIONS_MODERATE_H
#define PETITIONS_MODERATE_H

#include <jansson.h>

#include "petitions/petition.h"

#define REASON_LONGEST 400

/* One action on its way. */
struct ruling {
    struct hearing *hearing;
    struct batch *batch;
    const struct moderate_action *action;
    const char *by;     /* the moderator's name, or OPERATOR */
    struct slice words; /* the rest of the line after the action's word */
    struct slice reason;
    struct slice text; /* free lines below */
    struct game *game; /* NULL: the action concerns no single game */
    struct step *step;
    int seat;    /* the moderator's own seat, if they play in this game; else 0 */
    bool aside;  /* in a game that the text does not name: announced, but not as the answer */
    bool secret; /* the record may not hold the signed text */
};

enum moderate_needs {
    MODERATE_GAME = 1,        /* is about a game, */
    MODERATE_BEGUN = 2,       /* that has begun, */
    MODERATE_OVER = 4,        /* and may be over */
    MODERATE_CLOSED = 32,     /* also while its turn is closed and waits for a witness */
    MODERATE_MAYBE_TEXT = 16, /* may have free lines below */
    MODERATE_TEXT = 8,        /* has free lines below */
    MODERATE_BENDS = 64       /* not in a game in lockstep (record_kinds.h, `bends`) */
};
struct moderate_action {
    const char *word;
    const char *form; /* its whole line, as an example */
    unsigned needs;
    enum outcome (*act)(struct ruling *ruling, struct err *err);
};

extern const struct moderate_action moderate_actions[]; /* ends with word NULL */
/* What it does, for templates (actions.txt): {"action_pause": {}}. New reference. */
json_t *moderate_about(const struct moderate_action *action);

/* The actions, by what they are about. */
enum outcome moderate_pause(struct ruling *ruling, struct err *err); /* moderate_time.c */
enum outcome moderate_resume(struct ruling *ruling, struct err *err);
enum outcome moderate_extend(struct ruling *ruling, struct err *err);
enum outcome moderate_hold(struct ruling *ruling, struct err *err);
enum outcome moderate_resolve(struct ruling *ruling, struct err *err);
enum outcome moderate_replace(struct ruling *ruling, struct err *err); /* moderate_seat.c */
enum outcome moderate_orders(struct ruling *ruling, struct err *err);
enum outcome moderate_resend(struct ruling *ruling, struct err *err);
enum outcome moderate_rollback(struct ruling *ruling, struct err *err); /* moderate_table.c */
enum outcome moderate_void(struct ruling *ruling, struct err *err);
enum outcome moderate_correct(struct ruling *ruling, struct err *err);
enum outcome moderate_ban(struct ruling *ruling, struct err *err); /* moderate_player.c */
enum outcome moderate_unban(struct ruling *ruling, struct err *err);

/* ---- for the actions (petition_moderate.c) ---- */

/* Seals a JSON value (ownership taken), with the moderator's text if it was signed: "seal" and "box" of `into`. */
void ruling_box(struct ruling *ruling, int seat, int item, json_t *json, json_t *into);
/* Makes the game's record: `fields` (ownership taken, may be NULL) with what all have in common. */
int ruling_record(struct ruling *ruling, json_t *fields, struct err *err) __attribute__((warn_unused_result));
/* Tells all seats and the moderators: the template "moderated", in which the section of the action's word is
 * `what` (ownership taken, NULL = nothing more to say). Call it after the record. */
void ruling_announce(struct ruling *ruling, json_t *what);
/* The facts of that announcement for one reader, for actions that tell different readers different things.
 * New reference. `what` is borrowed. */
json_t *ruling_facts(const struct ruling *ruling, int seat, json_t *what);
/* One such mail, to a seat, or with seat 0 to a player of that name; takes ownership of `facts`. The
 * moderator gets it as the answer to their mail. */
void ruling_tell(struct ruling *ruling, int seat, const char *player, json_t *facts);
/* The moderators of the league who have no seat in the game, each once: calls `each`. */
void ruling_moderators(struct ruling *ruling,
                       void (*each)(struct ruling *ruling, const char *player, void *arg), void *arg);
/* Has the moderator a seat in the game, or may they get one (take one back, or come up on its lists)? Then
 * they are shown nothing that its players may not know. */
bool moderator_involved(const struct game *game, const char *player);
/* Plays the turn if nothing keeps it open any more. */
int ruling_go_on(struct ruling *ruling, struct err *err) __attribute__((warn_unused_result));
void ruling_time(json_t *facts, const char *key, int64_t time);

#endif
