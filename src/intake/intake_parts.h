/* What the files of this room share: one mail on its way through, and its answers. */
#ifndef INTAKE_INTAKE_PARTS_H
#define INTAKE_INTAKE_PARTS_H

#include "batch/budget.h"
#include "intake/intake.h"
#include "intake/verdict.h"
#include "orders/frame.h"
#include "orders/typed.h"
#include "trust/envelope.h"

struct answering;

/* One mail on its way through. */
struct visit {
    struct batch *batch;
    const struct incoming *incoming;
    struct reading *reading;
    const struct message *msg;   /* the reading's */
    const struct player *sender; /* the player that From: claims to be, NULL = a stranger */
    bool answered;               /* at most one answer per mail, not counting receipts */
    bool said;                   /* one leaves, to whom it may concern */
    int answers;
    bool taken; /* some of its orders were accepted, tried, or known */
    bool kept;
    bool worked[ENVELOPES_MAX]; /* texts of it that are finished, even if another one waits */
    char signer[PLAYER_NAME];   /* of the first text whose signature was valid, "" = none of our players */
    struct budget_claim plain;  /* what the mail without its signatures is worth */
    struct budget_claim claim;  /* what is known of the sender, by the current text */
    bool recorded;              /* a game has a record of it */
    bool of_registry;           /* the answer belongs to the registry's last record */
    struct answering *const
        *asks;                /* the answer at hand is a question about these (reply_ask); ends with NULL */
    struct mail_id question;  /* of the record that leaves it open, to which the answer belongs */
    bool leaves_open;         /* there is such a record */
    const struct game *about; /* of the mail of ours that it answers; NULL: of none */
    const char *reply_to;     /* where an answer to our answer goes; NULL = to the league's own address */
    json_t *unread; /* what stands in an answer and was not read, for our words; borrowed, or NULL */
    bool goes_on;   /* some of that comes after orders, and may belong to them */
    bool digested;  /* it answers a digest */
    bool several;   /* it asks for more than one thing, so that an answer speaks of a part of it */
    struct verdict verdict;
    bool hides;       /* one of its texts is grey press */
    bool by_domain;   /* no key has signed it, but its domain has: from exactly its writer's mailbox */
    bool understood;  /* it asks for something by its name: as in struct words, for all answers */
    bool cut;         /* `wrote` is known: */
    struct str wrote; /* what its writer typed; empty: nothing that could be compared */
    char wrote_for[GAME_NAME + 12]; /* "gc-1 5": the turn whose mail it answers; "" = of no game */
};

/* What an answer says. Functions that get these words take ownership of the facts. */
struct words {
    const char *kind;
    const char *folder; /* with the words of a game's ruleset; "" = none */
    json_t *facts;
    json_t *attach;                  /* files; borrowed, or NULL */
    const struct answer_game *about; /* a game whose open turn the answer can be answered for, or NULL */
    bool
        understood; /* it was clear what the mail wants: else there are limits to such answers, as a program may
                        have written it (batch/budget.h) */
};

/* A signed text whose signature was valid. */
struct opened {
    char player[PLAYER_NAME];       /* "": nobody's key */
    struct envelope *envelope;      /* NULL: nobody signed it, but */
    const struct mail_proof *proof; /* their mail's domain vouches for it; else NULL */
    bool agreed;                    /* with the word that was mailed to them */
    struct pubkey key;
    struct str exact, text;
    struct frame frame;
    struct str body; /* of orders, where the frame's is not in the text (frame_spread) */
    int seat;        /* their seat in the game that the frame names; 0 = none */
};

/* *found: it is the answer of a witness, and dealt with. */
int visit_witness(struct visit *visit, bool *found, struct err *err) __attribute__((warn_unused_result));
/* Does it take more than this run has left? Then it is kept for the next one. */
bool visit_is_dear(struct visit *visit);

/* Has its domain signed that it goes to us, or to an address of ours that a token makes? Else whoever got it could send it in. */
bool visit_is_to_us(const struct visit *visit);
/* The mail's domain vouches that visit->sender wrote it: whose budget it is charged to. `ours`: they wrote it to us. */
void visit_vouched(struct visit *visit, bool ours);
/* It, or what it holds, was dealt with before. */
void visit_was_seen(struct visit *visit);
/* Is there a record of this very mail in that game's journal? False, too, where the game cannot be read. */
int visit_has_counted(const struct visit *visit, const char *game, bool *counted, struct err *err)
    __attribute__((warn_unused_result));
/* What was typed into an answer to a mail of ours about that turn of a game ("", 0: about none). */
void visit_typed(struct visit *visit, struct slice typed, const char *game, int turn);

/* Is there a person who may be answered? A name alone does not make a player a machine; "Precedence: bulk" does, until
 * something of the mail has counted. */
bool visit_is_person(const struct visit *visit);
/* May it count as an answer to a mail of ours? */
bool visit_may_count(const struct visit *visit);

/* By what its domain has signed of it a mail is known again: the rest anybody can have changed. False: the domain does
 * not vouch for it. */
bool visit_content(const struct visit *visit, unsigned char digest[MESSAGE_DIGEST]);

/* An answer to whoever wrote; none to machines. */
int visit_answer_sender_in(struct visit *visit, const struct words *words, struct err *err)
    __attribute__((warn_unused_result));

int visit_answer_sender(struct visit *visit, const char *kind, json_t *facts, struct err *err)
    __attribute__((warn_unused_result));

/* Where an answer to a player goes. What can be answered by "ok" goes to the first address, whatever asked for it. */
const char *visit_answer_address(const struct visit *visit, const struct player *player,
                                 const struct words *words);

/* An answer to a player whose signature was valid (or whose key was claimed). */
int visit_answer_player_in(struct visit *visit, const char *player, const struct words *words,
                           struct err *err) __attribute__((warn_unused_result));

int visit_answer_player(struct visit *visit, const char *player, const char *kind, json_t *facts,
                        struct err *err) __attribute__((warn_unused_result));

/* Orders of somebody who is banned are not taken; what was taken before the ban, and comes again, is not answered. */
int visit_answer_banned(struct visit *visit, const char *player, const char *game, struct err *err)
    __attribute__((warn_unused_result));

/* An answer to a text that anybody who has seen it may have sent: it was obeyed before, or its time is over,
 * and the texts of finished games are all published. */
void visit_is_stale(struct visit *visit);

int visit_orders(struct visit *visit, struct batch_game *entry, struct opened *opened, struct err *err)
    __attribute__((warn_unused_result));

/* `known`: only if its key is registered, else it is left for later (*done is false). */
int visit_envelope(struct visit *visit, struct envelope *envelope, bool known, bool *done, struct err *err)
    __attribute__((warn_unused_result));

/* A text other than orders, with whatever vouches for it; answered. */
int visit_hear(struct visit *visit, const struct opened *opened, struct err *err)
    __attribute__((warn_unused_result));
/* To whoever sent the text. */
int visit_answer_opened(struct visit *visit, const struct opened *opened, const struct words *words,
                        struct err *err) __attribute__((warn_unused_result));
/* The same of a text that intake made of what visit->sender has typed; the mail's domain vouches
 * for it. `agreed`: with the word that was mailed to them. */
int visit_hear_text(struct visit *visit, struct slice text, bool agreed, struct err *err)
    __attribute__((warn_unused_result));
/* What visit->sender has typed into an answer to a mail about that game (NULL: about none), whose domain vouches for
 * it, if the line asks for anything but orders (petitions/reply_petition.h). *found: it does, and is dealt with. */
int visit_hear_reply(struct visit *visit, const struct typed_line *line, const struct game *game, bool *found,
                     struct err *err) __attribute__((warn_unused_result));

/* "join gc-17" by a player without a key, in a mail of its own: they are asked. *found: it was one, and is dealt
 * with (reply_wish.c). */
int visit_wish(struct visit *visit, bool *found, struct err *err) __attribute__((warn_unused_result));
/* An answer by a player without a key to a mail of ours (intake_reply.c). *found: it was one, and is dealt
 * with. */
int visit_reply(struct visit *visit, bool *found, struct err *err) __attribute__((warn_unused_result));

/* An answer of a player without a key to a mail of ours that went to the league's plain address, and means nothing
 * there: they are told where it has to go (intake_reply.c). *found: it was one. */
int visit_elsewhere(struct visit *visit, bool *found, struct err *err) __attribute__((warn_unused_result));

/* Neither orders nor a signature: a plain request, or somebody who does not know how to send orders. */
int visit_plain(struct visit *visit, bool unsigned_orders, struct err *err)
    __attribute__((warn_unused_result));

/* A mail that counts only if its domain vouches for it, whose key is not known now: *found, and it waits in the mailbox
 * (reply_domain.c). */
int visit_await_domain(struct visit *visit, bool *found, struct err *err) __attribute__((warn_unused_result));

/* Something like a signature cannot be read: its sender is told why. */
int visit_broken(struct visit *visit, struct err *err) __attribute__((warn_unused_result));

/* minisign's and signify's public keys look like the beginning of a signature. */
bool visit_pastes_key(const struct visit *visit);

#endif
