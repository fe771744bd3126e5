/* Signed texts other than orders: "#turnpost press", "#turnpost prefs". One file per verb
 * (petition_<verb>.c), in it one `const struct petition`, and a row in petition.c. What all have in common is
 * done here: the fields are read, the game is found, senders without the right are refused, and a text that
 * comes again is recognised.
 *
 *     #turnpost press
 *     game: gc-17            frame fields (orders/frame.h), then the petition's own ones, in any order
 *     turn: 5
 *     head: 4f9a...          of the game; a text about no game has "league:" and "date:" (petitions/bound.h)
 *     to: bob
 *     Shall we leave each other in peace?      free text, where the verb takes one
 *     #end
 *
 * act() judges and, when all is well, makes a record: of the game (step_record, with hearing_evidence, so
 * that the text is recognised when it comes again), or of the registry (batch_change). It answers by
 * step_tell(POST_ANSWER) or by `answer` and `facts`. What is wrong with the petition goes into `refusal`,
 * whose words are in templates/common/refused.txt; nothing may have changed then. */
#ifndef PETITIONS_PETITION_H
#define PETITIONS_PETITION_H

#include <jansson.h>

#include "base/outcome.h"
#include "base/reason.h"
#include "batch/batch.h"
#include "letters/vouching.h"
#include "orders/frame.h"
#include "trust/envelope.h"

#define PETITION_FIELDS   14
#define PETITION_FIELD(i) (1U << (i))
/* Bytes of a text in a record, as JSON writes it, and of one that is there in a box alone: press, appeals. Words of the
 * text may be in it twice, a mail that vouches for it as well (VOUCHED_PRESS_KEPT), and a line has 128 KB (RECORD_MAX). */
#define PETITION_LONGEST        8192
#define PETITION_SEALED_LONGEST 20480

enum petition_needs {
    PETITION_GAME = 1,         /* names a game */
    PETITION_TURN = 2,         /* and its open turn, so that an old text cannot be sent again by anybody */
    PETITION_SEAT = 4,         /* comes from one of its seats */
    PETITION_MODERATOR = 8,    /* comes from a moderator (league.ini) */
    PETITION_TEXT = 16,        /* has free text after its fields */
    PETITION_MAYBE_GAME = 64,  /* may name a game; "any" or nothing: none */
    PETITION_SECRET = 128,     /* with a game: its records must not reveal who sent it (play/press.h) */
    PETITION_CLOSED = 256,     /* may come while the turn is closed and waits for its witnesses */
    PETITION_ANY_TURN = 512,   /* its line "turn:" need not name the open one */
    PETITION_ASKS = 2048,      /* makes no record, so it need not say which history its sender has seen */
    PETITION_REGISTRY = 4096,  /* its record is the registry's, even when it names a game */
    PETITION_MAIL = 8192,      /* counts by the word of the player's mail domain, too (hearing.proof), but for
                               * its fields of `keyed` */
    PETITION_WORD = 16384,     /* then only once the player has given back a word (hearing.came.agreed) */
    PETITION_COMPETES = 32768, /* names a competition in its first field; its record is the competition's */
    PETITION_NEWCOMER = 32     /* may come from somebody who is not registered: `player` is NULL then */
};

/* Lines that texts of several verbs may have. */
struct other_lines {
    struct slice date;     /* value of the line "date:" (petitions/bound.h), or p is NULL */
    const char *wish_line; /* the name of the line in which the player wishes (rules/wish.h), NULL = none */
    struct slice wish;     /* and its value */
};

/* What else came in the mail. */
struct hearing_mail {
    struct envelope *envelopes; /* all signed texts of it, this one among them */
    size_t envelope_count;
    const struct vouching *vouching; /* what its sender's domain says of it; NULL: not asked */
    bool agreed; /* to a text of PETITION_WORD: the word that was mailed to them has come back */
};

/* Why a text is not acted upon, beyond what is wrong with it. */
struct hearing_known {
    bool kept;  /* what it is about cannot be read now: its mail waits */
    bool copy;  /* refused because the very same text was obeyed before */
    bool again; /* refused because the very same mail was answered before */
    bool stale; /* it was obeyed before, or is for another turn, history or league: anybody who has seen it
                   may have sent it */
};

struct hearing {
    struct batch *batch;
    const struct message *msg;      /* NULL: the operator's command line; `player` is OPERATOR then */
    const char *player;             /* whose key signed; NULL = a newcomer's */
    const struct pubkey *key;       /* that verified; NULL with `proof` */
    const struct mail_proof *proof; /* no key has signed it, but their mail domain vouches for it; else NULL.
                                     * Then `signature` is NULL, too, and the text is what intake made of the
                                     * mail (intake/intake_reply.c) */
    const struct frame *frame;
    struct slice exact, canonical; /* the signed text */
    const json_t *signature;       /* what an auditor needs to verify it again */
    struct hearing_mail came;
    /* Filled in by petition_hear: */
    const struct petition *petition;     /* the verb's */
    unsigned char text[32];              /* digest of the canonical text, by which it is known again */
    unsigned char mail[32];              /* of the mail and the text: a mail may have several */
    struct slice value[PETITION_FIELDS]; /* in the order of the petition's fields; p is NULL when not given */
    struct other_lines others;           /* that are not the petition's own */
    struct slice rest;                   /* free text */
    struct batch_game *entry;            /* PETITION_GAME, else NULL */
    struct batch_competition *competition; /* that its record is for; set by PETITION_COMPETES, else NULL */
    struct step_before before;             /* what came before in that game, for those who need it */
    int seat;                              /* of `player` in that game, 0 = none */
    struct step step;                      /* PETITION_GAME */
    bool recorded;                         /* it has made a record of that game, or of a competition */
    struct hearing_known known;            /* what is known of the text, or not, before it acts */
    /* Filled in by act: */
    json_t *refusal;    /* NULL: none; else why, for templates (base/reason.h), owned by the hearing */
    const char *answer; /* a template, for an answer that belongs to no game's record; NULL = none */
    const char *folder; /* the ruleset whose partials it needs, or NULL */
    json_t *facts;      /* its facts, owned by the hearing */
    json_t *attach;     /* files of the answer (struct answer), owned by the hearing, or NULL */
};

struct petition {
    const char *verb;                        /* its own lines are in templates/common/forms.txt */
    unsigned needs;                          /* of petition_needs */
    const char *fields[PETITION_FIELDS + 1]; /* ends with NULL */
    unsigned keyed; /* PETITION_FIELD of those that count only with the player's own key */
    bool wishes;    /* it also takes the line in which players of some games wish ("ship:") */
    bool
        keys; /* and lines "key:", each a public key of the sender's that is to count beside the one that signed */
    /* Optional: what its lines can say, for answers: [{"form":"do: pause","about":{..}}]. New reference. */
    json_t *(*choices)(void);
    /* Optional: all lines of the form, as petition_form gives them, from what is known of the player or
     * written in the mail, each of which may be NULL; NULL: as for anybody. */
    json_t *(*write)(const struct hearing *hearing);
    /* What is wrong with the petition is a refusal; only the league's own error (disk) makes it fail. */
    enum outcome (*act)(struct hearing *hearing, struct err *err);
};
extern const struct petition *const petitions[]; /* ends with NULL */

enum petition_fate {
    PETITION_HEARD,
    PETITION_REFUSED, /* hearing.refusal; petition_form shows a correct text */
    PETITION_SEEN,    /* this very mail was answered before */
    PETITION_KEPT     /* its game cannot be read now: the mail stays where it is */
};
/* Handles a petition whose signature was valid. Its game's records are in the batch afterwards. Always call
 * hearing_release afterwards. */
int petition_hear(struct hearing *hearing, enum petition_fate *fate, struct err *err)
    __attribute__((warn_unused_result));
void hearing_release(struct hearing *hearing);
/* Why a petition was not heard, as an error (ERR_INPUT) for callers that do not answer by mail. Always -1. */
int hearing_quote(const struct hearing *hearing, struct err *err);
/* Fills in hearing.text and hearing.mail, by which the text and its mail are known again; `entry` is its game. */
void petition_mark(struct hearing *hearing);
/* Has the text led to a record, of that game or of the players? */
int petition_counted(struct hearing *hearing, bool *counted, struct err *err)
    __attribute__((warn_unused_result));

/* The petition of that name; NULL. */
const struct petition *petition_find(const char *verb);
/* The lines of a correct text, for answers (text_form.txt): [{"line":"#turnpost press"}, ...], and where a
 * template has the words {"line":false,"to_fill":{"form_press":{"anywhere":false}}}. New reference. */
json_t *petition_form(const struct hearing *hearing);

/* What it does, for templates (verbs.txt): {"verb_press": {}}. New reference. */
json_t *petition_about(const struct petition *petition);
/* Adds "form", and whatever else helps to write such a text, to the facts of an answer. */
void petition_help(json_t *facts, const struct hearing *hearing);

/* ---- for act() ---- */

/* Members for a record that all may read: "by", "mail", "text", "signed"; where a mail domain vouches for it, "said"
 * and "vouched" (game/vouched.h) in place of the last; of a command that came by the queue
 * "by" and "request". The record has to be the next one of the game. New reference. */
json_t *hearing_evidence(struct hearing *hearing);
/* Members that only serve to recognise the text: "mail", "text". For records that do not say who sent
 * what. */
json_t *hearing_marks(const struct hearing *hearing);
/* Refuses a text that no key has signed; false if one has. For what only some values of a field ask for. */
bool hearing_wants_key(struct hearing *hearing);
/* Refuses a text that is too long for a record. */
void hearing_check_length(struct hearing *hearing, int most);
/* Refuses, unless it is refused already: code and parameters as in base/reason.h; the words are in
 * templates/common/refused.txt. OUTCOME_REFUSED, so that act() can return it. */
enum outcome hearing_refuse(struct hearing *hearing, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));
/* The same with a reason that was made elsewhere; takes it over. */
enum outcome hearing_refuse_why(struct hearing *hearing, json_t *why);
/* Refuses what would show a game that is withheld (game/lockstep.h), and says until when. */
enum outcome hearing_withheld(struct hearing *hearing, const struct game *game);
/* The digest of the canonical text of these signed bytes. */
void hearing_digest(const struct hearing *hearing, const void *who, size_t len, unsigned char digest[32]);
/* The digest by which the text is recognised when `player` signs it: their hearing.text. */
void hearing_text_of(const struct hearing *hearing, const char *player, unsigned char digest[32]);
/* The value as a name (of a player), in small letters; false with a refusal when it is not one. */
bool hearing_name(struct hearing *hearing, int field, char name[PLAYER_NAME]);
/* The value as what a player wants to be called; "no": nothing. False with a refusal. */
bool hearing_display(struct hearing *hearing, int field, char display[PLAYER_DISPLAY]);
/* The value as a whole number; false with a refusal. */
bool hearing_number(struct hearing *hearing, int field, int min, int max, int *number);
/* The value as "yes" or "no"; false with a refusal for anything else. */
bool hearing_bool(struct hearing *hearing, int field, bool *value);
/* The names in its line of wishes, none without one; false with a refusal when these are not for this ruleset. */
bool hearing_wishes(struct hearing *hearing, const struct ruleset *ruleset, const void *cards,
                    struct wish_list *wishes);
/* Is this player a moderator of the league? */
bool petition_moderator(const struct league *league, const char *player);

#endif
