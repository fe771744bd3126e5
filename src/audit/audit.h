/* The audit of one game: the journal in, findings out. Pure: no league, no configuration, no network, no clock, no
 * printing. The whole is never held in memory: the file is read line by line.
 *
 * Every record is checked for: its form (every member known, of its kind), the chain, the league's signature,
 * time that never runs backwards, what it may follow, the signed texts in it or behind its seal (by a key
 * that was valid then), seals and boxes, the proofs of draws, the rules (played again to the same digests),
 * the reports' digests, deadlines. src/journal/README.md has the table of what checks which field.
 *
 * The first thing that is wrong ends the audit: what comes after it proves nothing. What is not wrong but
 * worth knowing (a late turn, a moderator's word, keys that changed) is reported on the way.
 *
 * Boxes open by the key that the journal publishes (`open`), by the league's secret, or one by one, by lines that
 * somebody was given. Views: a moderator opens all for which there is a key; a seat its own orders; the public
 * nothing; both, all but press once the journal holds the key. Where the rules cannot be played because something is
 * sealed, the public part is checked: chain, signatures, forms, keys, proofs of draws, deadlines; the verdict says
 * "as far as opened". */
#ifndef AUDIT_AUDIT_H
#define AUDIT_AUDIT_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "base/lines.h"
#include "game/game.h"
#include "orders/frame.h"
#include "trust/dkim.h"
#include "trust/signature.h"

enum audit_view { AUDIT_MODERATOR, AUDIT_SEAT, AUDIT_PUBLIC };

/* In the order of their weight. */
enum audit_severity {
    AUDIT_BROKEN, /* wrong: the verdict. At most one, and the last but for none */
    AUDIT_SEALED, /* could not be proved, because it is sealed for this view */
    AUDIT_WORD,   /* rests on the operator's word: nobody signed it */
    AUDIT_NOTE    /* correct, but worth knowing: a late turn, a moderator's intervention */
};

/* What a finding is about; the word in JSON is audit_kind_name. */
enum audit_kind {
    AUDIT_FORM,         /* not a record, a member that is missing, unknown or of another kind, a torn line */
    AUDIT_CHAIN,        /* game, seq, prev */
    AUDIT_LEAGUE_KEY,   /* the league's signature, or a key other than the one given */
    AUDIT_TIME,         /* runs backwards */
    AUDIT_ORDER,        /* a record where it may not be, or a missing one */
    AUDIT_SEAL,         /* a box that does not hold what the seal says, or the key to all of them */
    AUDIT_SIGNATURE,    /* a player's: by nobody who may sign, or not over this text */
    AUDIT_TEXT,         /* a signed text that is not for this game, turn, record */
    AUDIT_KEYS,         /* another key took the place of lost ones, or keys that cannot be read */
    AUDIT_MAILBOX,      /* a seat whose mails count is played from another mailbox */
    AUDIT_DRAW,         /* a proof of draws */
    AUDIT_RULES,        /* state, events, scores, ending, missed seats: not what the rules give */
    AUDIT_REPORT,       /* the digest of what a seat was told */
    AUDIT_DEADLINE,     /* a turn before its time or late, a deadline that the schedule does not give */
    AUDIT_MISSED,       /* a seat that missed a turn before its deadline, or by a moved clock */
    AUDIT_DEAL,         /* what the deal depends on */
    AUDIT_PRESS,        /* messages that stay sealed */
    AUDIT_INTERVENTION, /* a moderator's record */
    AUDIT_DOMAIN,       /* orders that a mail domain vouches for, and no key */
    AUDIT_AGREED,       /* the mail agrees to what is not in it, or holds other lines beside the orders */
    AUDIT_ACT,          /* the same, where the signed text is sealed in this view */
    AUDIT_LOST,         /* the league lost records, and went on from an older copy */
    AUDIT_UNKNOWN,      /* a record of which this audit checks no more than replay does */
    AUDIT_KINDS
};
const char *audit_kind_name(enum audit_kind kind);          /* "league-key" */
const char *audit_severity_name(enum audit_severity heavy); /* "broken", "sealed", "word", "note" */

struct audit_finding {
    enum audit_severity severity;
    enum audit_kind kind;
    int64_t seq;    /* the record; 0 = the game as a whole. If something is missing after the end: last + 1 */
    int seat;       /* 0 = none */
    int turn;       /* the open turn, 0 before the deal */
    char type[12];  /* the record's, "" = none */
    char text[480]; /* one sentence, without "record 12:" */
};

enum audit_verdict {
    AUDIT_PROVED,  /* exit code 0 */
    AUDIT_PARTLY,  /* 1: proved as far as opened */
    AUDIT_REFUTED, /* 2: broken at a record */
    AUDIT_NEWER,   /* 3: cannot be judged from a record on, which a newer Turnpost made */
    AUDIT_VERDICTS
};

#define AUDIT_CHANGED 16
#define AUDIT_ABSENT  24
#define AUDIT_PAGES   8

/* Counts of things that were checked and valid. */
struct audit_counts {
    int64_t signatures, proofs, hidden, turns, reports, boxes, press;
    int64_t mails, mails_sealed; /* that vouch for orders and other texts: opened and checked; sealed */
    int64_t mails_say;           /* of those opened: say the same as the orders, line by line */
    int64_t press_sealed;        /* messages whose boxes cannot be opened here */
};

/* The witnesses of the game, and how often they answered. */
struct audit_witnesses {
    int count, quorum;
    char name[WITNESSES_MAX][PLAYER_NAME];
    int absent
        [AUDIT_ABSENT];  /* turns that were played without the answer of one of them, each once, ascending */
    size_t absent_count; /* there may be more turns than that */
    int64_t answers;
    int64_t
        gave_up; /* the record by which a majority of the players went on without them; 0 = there is none */
    int gave_up_turn;
};

/* The first thing of a kind that rests on the operator's word. */
struct audit_first {
    int64_t seq; /* 0 = there is none */
    int seat, turn;
    char player[PLAYER_NAME]; /* in that seat, "" = none */
};

/* Records of orders of one seat, by who vouches for them. */
struct audit_orders {
    char player[PLAYER_NAME], domain[MAILBOX_DOMAIN]; /* of the last mail */
    int64_t keys;                                     /* a key of the player's */
    int64_t mails, dnssec; /* a mail domain; of these: the league says that DNSSEC proved its key */
    /* Of these mails: came before the time in their Date, by that many seconds at most. For so long the league could
     * choose when they came, and so which of two counts. */
    int64_t ahead, ahead_most;
    /* The hosts of pages that passkeys of the seat were made in, each once, the first ones of a game; "" = no more. */
    char pages[AUDIT_PAGES][KEY_APPLICATION];
};

/* A mail that vouches for orders or another text, its signature checked, and the text that was made of it; all borrowed. */
struct audit_mail {
    struct slice raw;
    const struct dkim_claim *claim; /* the signature that vouches */
    int64_t sent;                   /* its Date, as the record says */
    int cutter;                     /* the version of the reader of mails, by which the text was made */
    const struct game *game;        /* as it was before the record */
    int seat;
    const struct frame *frame; /* of the text; NULL: it was not understood, and only its date is compared */
};
/* What such a mail says of the text. */
enum audit_says {
    AUDIT_SAYS_SAME,    /* these orders, line by line */
    AUDIT_SAYS_AMONG,   /* these orders, with lines beside them that are none, or by a machine */
    AUDIT_SAYS_AGREED,  /* "ok", or a number: to what, is not in it */
    AUDIT_SAYS_OTHER,   /* anything else: the text is not made of it */
    AUDIT_SAYS_NOWHERE, /* it does not name the head that opened the turn */
    AUDIT_SAYS_NEWER    /* it was read by a version that this program does not know */
};

/* Players with another key, or mailbox, by somebody else's word: each in a seat once, by the first record of it. */
struct audit_changed {
    struct audit_first list[AUDIT_CHANGED];
    size_t count; /* of all; the list has the first */
};

/* What was read. */
struct audit_result {
    enum audit_verdict verdict;
    struct audit_finding first;    /* AUDIT_REFUTED, AUDIT_NEWER: what is wrong */
    char game[GAME_NAME];          /* "" when not even that could be read */
    const struct ruleset *ruleset; /* NULL = unknown */
    char competition[GAME_NAME];   /* whose table it is, "" = none */
    unsigned char league_key[32], create[HEAD_BYTES];
    unsigned char head[HEAD_BYTES]; /* of the last good record */
    int64_t records, begun, ended;  /* times of the first and last record */
    int seats, turn;                /* the open turn; of a finished game the last one */
    bool over, opened;              /* the journal holds `end`, `open` */
    bool newer;                     /* what is wrong is that this program does not know the
                                                     * game */
    bool
        withheld; /* its deal is still played by others, so that its seals need not be open yet (game/lockstep.h) */
    bool replayed; /* the rules were played: nothing that they need was sealed */
    struct audit_counts counts;
    struct audit_witnesses witnesses;
    struct audit_orders orders[SEATS_MAX + 1]; /* by seat */
    int64_t several;                           /* times that a seat gave more than one text for a turn */
    char zone[ZONE_NAME];    /* of its deadlines, where they go by the clock there; "" = they do not */
    struct zone_years years; /* what that clock shows, by the first record: the operator's word */
    int joined, robots;      /* seats at the deal: by their players' own texts, robots */
    /* Keys in place of lost ones that wait for their time, at the end of the journal; by seat. */
    struct {
        int64_t record; /* 0 = none */
        char player[PLAYER_NAME];
    } asked[SEATS_MAX + 1];
    size_t lost;                      /* how often the league lost records, and went on from an older copy */
    int64_t findings[AUDIT_NOTE + 1]; /* by severity */
    int64_t word[AUDIT_KINDS];        /* those that rest on the operator's word, by kind */
    struct audit_first
        first_word[AUDIT_KINDS]; /* of these the first; of AUDIT_KEYS the first of a seat, if there is one */
    struct audit_changed changed_keys, changed_mailboxes;
};

struct audit {
    /* Filled in by the caller; audit_init sets the defaults. */
    struct lines *journal; /* read from the beginning */
    enum audit_view view;
    int seat; /* AUDIT_SEAT */
    const unsigned char
        *master; /* the league's secret: its boxes open before it publishes the key, those of press
                                       * as well; or NULL */
    bool shut;   /* no box is opened, and no rule is played, though there were keys */
    const struct seal_openings *only; /* the boxes that somebody was given the keys to; or NULL */
    const unsigned char *league_key;  /* 32 bytes that the first record must name; NULL = not known */
    const char *game;                 /* the game that it must be; NULL = any */
    /* Called for each finding as it is made; may be NULL. */
    void (*found)(void *arg, const struct audit_finding *finding);
    /* Called after each valid record: the game as it is after it (only if replayed: `game->state` and all
     * that follows from sealed texts; else what is public of it), and the payloads of this record that this
     * view may open. For progress, for stories. May be NULL. */
    void (*passed)(void *arg, const struct record *record, const struct game *game,
                   const struct sealed_set *opened);
    /* The reader of mails, which is not the audit's (publish/reply_says.h). NULL: texts of mails are not compared
     * with the orders. */
    enum audit_says (*says)(const struct audit_mail *mail);
    void *arg;
};
void audit_init(struct audit *audit, struct lines *journal);
/* -1 only when a file could not be read (ERR_IO); everything that is wrong with the game is in the result. */
int audit_run(struct audit *audit, struct audit_result *result, struct err *err)
    __attribute__((warn_unused_result));

/* {"game","verdict","record","why",...}: the result for programs; `findings` is a list of audit_finding_json
 * or NULL (ownership taken). New reference. */
json_t *audit_json(const struct audit_result *result, json_t *findings);
/* Why the rules were not played again, in words: of a game that is over, what is owed for it. "" = they were. */
const char *audit_owed(const struct audit_result *result);
/* On whose word the game rests, beside what is proved: sentences, the gravest first. `own_page`: the host of the league's own order
 * page, where that is known, else NULL. New reference: a list of texts. */
json_t *audit_rests(const struct audit_result *result, const char *own_page);
/* The hosts of pages that passkeys of seats with signed orders were made in: a member for each, with a list of the seats. New
 * reference. */
json_t *audit_pages(const struct audit_result *result);
json_t *audit_finding_json(const struct audit_finding *finding);
const char *audit_verdict_name(
    enum audit_verdict verdict); /* "proved", "proved as far as opened", "broken" */

#endif
