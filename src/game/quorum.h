/* The witnesses that a `create` names, and what they have answered to the last close. A game has them (game/witness.h), and so has a
 * competition, whose close is that of a round (compete/fixed.c).
 *
 * An answer is the close's entry in the league's log with its proof, in a checkpoint that the witness has cosigned; and a proof of dice,
 * beta_w = VRF(witness, what the entry says of name, turn and draws). What is drawn then follows from
 *
 *     R = BLAKE2b-512("turnpost/roll\0" || beta || beta_w of each witness that answered, in the order of `create`) */
#ifndef GAME_QUORUM_H
#define GAME_QUORUM_H

#include <jansson.h>

#include "base/err.h"
#include "base/str.h"
#include "chance/vrf.h"
#include "league/player.h"
#include "tlog/entry.h"
#include "tlog/note.h"

#define WITNESSES_MAX 4
#define WITNESS_DAY   ((int64_t)86400)     /* for those who have not answered, when enough have */
#define WITNESS_LATE  ((int64_t)3 * 86400) /* then all are told that too few have */

/* Somebody outside of the league who cosigns its log and whose dice are mixed in. */
struct witness {
    char name[PLAYER_NAME];
    struct vkey key; /* VKEY_COSIGNER */
    unsigned char vrf[VRF_PUBLIC];
    bool answered;                  /* to the last close: */
    unsigned char beta[VRF_OUTPUT]; /* their dice */
    int64_t cosigned;               /* when they had seen it, by their clock */
    struct str proof;               /* that they have: the close's entry and its proof, as in the record */
};
struct quorum { /* all zero: there are none */
    struct witness list[WITNESSES_MAX];
    int count, need; /* so many have to answer, more than half of them; count 0: there are none (any more) */
    struct vkey log; /* the log that they cosign */
    bool late;       /* all were told that too few have answered for three days */
};

/* `witnesses`, `quorum` and `log` of a `create`: each there, or none. NULL; or what is wrong with them, a constant. */
const char *quorum_read(struct quorum *quorum, const json_t *create, const unsigned char league_key[32])
    __attribute__((warn_unused_result));
/* Adds them to those of a `create`; nothing, where there are none. */
void quorum_write(json_t *create, const struct quorum *quorum);
void quorum_release(struct quorum *quorum); /* all zero then */
/* A close is put to them: nobody has answered it. */
void quorum_ask(struct quorum *quorum);
/* What was closed is drawn, or open again. Who has proved that they saw it stays known until the next close. */
void quorum_settle(struct quorum *quorum);

/* The number (0..) of the witness of that name; -1. */
int quorum_of(const struct quorum *quorum, const char *name);
/* An answer to the close that has this entry, but for its time, which may be later. `proof` is the entry and its proof (tlog/proof.h), `dice`
 * the proof of the draws. Fills what is known of a witness who answered, but for struct witness.proof. ERR_INPUT: what is wrong with it. */
struct witness_answered {
    unsigned char beta[VRF_OUTPUT];
    int64_t cosigned;
};
struct witness_said {
    int witness;
    struct slice proof;
    const unsigned char *dice; /* VRF_PROOF bytes */
};
int quorum_check(const struct quorum *quorum, const struct log_entry *close, const struct witness_said *said,
                 struct witness_answered *out, struct err *err) __attribute__((warn_unused_result));
/* It as members of a record, `witness` `pi` `proof`. New reference. */
json_t *quorum_record(const struct quorum *quorum, const struct witness_said *said);
/* quorum_check of such members of a record; the witness, who must not have before, then has answered. */
int quorum_answer(struct quorum *quorum, const struct log_entry *close, const json_t *members,
                  struct err *err) __attribute__((warn_unused_result));

/* Have fewer answered than have to? */
bool quorum_lacks(const struct quorum *quorum);
/* Is what was closed not to be drawn at that time? */
bool quorum_waits(const struct quorum *quorum, int64_t time);
/* When the clock has to look at what was closed then: 1 = at once; 0 = never, as all were told. */
int64_t quorum_due(const struct quorum *quorum, int64_t closed);

/* The league's beta, and after it those of the witnesses that answered: what draws follow from (chance_root). */
struct quorum_dice {
    unsigned char beta[(WITNESSES_MAX + 1) * VRF_OUTPUT];
    size_t count; /* of betas */
};
void quorum_mix(struct quorum_dice *dice, const struct quorum *quorum, const unsigned char beta[VRF_OUTPUT]);

/* What this witness's answer to the last close proves, entry LF proof, with the cosignatures of the later ones of the list who have cosigned
 * the same checkpoint. Appends. False: they have not answered it, or it stands with an earlier one. */
bool quorum_proof(const struct quorum *quorum, int witness, struct str *text);
/* [{"name":"carol"}, ...]: all, or those who have not answered. New reference. */
json_t *quorum_names(const struct quorum *quorum, bool lacking);

#endif
