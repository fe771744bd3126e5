/* Compares a player's saved mails with the published journals of their games, and where there is none, with each other: no files,
 * no printing.
 *
 * What the league's mails prove is in the proof.txt of each: an entry of its log. The head in every one of them must
 * be the head of that record of the journal, and since a head covers all records before it, one mail shows
 * any change of what came before. The words of a mail are not proved, but for the board of a report.
 *
 * What the player sent is recognised by their signature, in copies of sent mails or quoted in answers: their
 * orders must be a record, by the seal of their text once the game's key is open, by the digest of the mail
 * if they have it as it arrived. A receipt names the mark of the text that it is for, so it counts whatever became of the mails' heads.
 *
 * WRONG is only what contradicts something that the league has signed. Mails get lost, come late, are
 * bounced, gathered into digests or deleted, and so everything that depends on a missing mail is a question,
 * and only about the time in which the player had a seat.
 *
 * With the league's policy a proof needs no journal: what is in the log is there, whatever will be published. Two mails that prove
 * different records of one number are WRONG by themselves.
 *
 * The proof of a close may have beside it what its ALPHA follows from, and so the mark of each seat that counted: what was promised by a
 * receipt for that turn has to be among them, or a later text of the seat. So two mails are enough to show that orders were dropped.
 *
 * The log has a time for each record. A mail that arrived an hour and more before the time that it proves shows that the league's clock
 * was ahead; orders that were written an hour and more after the time of their receipt, that it was behind, or their writer's ahead.
 *
 * A league that lost records says so by a record (game/apply_lost.c), and by its log. That explains heads which the journal does not
 * have: of that record's number or a later one, logged before it. Whether the log says so is a question for whoever has it.
 *
 *     receipts_init, receipts_mail for each mail, receipts_end, the findings, receipts_release */
#ifndef PUBLISH_RECEIPTS_H
#define PUBLISH_RECEIPTS_H

#include <jansson.h>

#include "publish/ledger.h"
#include "tlog/entry.h"
#include "tlog/policy.h"
#include "trust/signature.h"

enum receipts_weight {
    RECEIPTS_WRONG, /* contradicts what the league has signed */
    RECEIPTS_ASK,   /* proves nothing, but should be asked about */
    RECEIPTS_NOTE,  /* explained, or not knowable yet */
    RECEIPTS_GOOD
};
enum receipts_kind {
    RECEIPTS_JOURNAL,  /* the journal itself is damaged, or of another league */
    RECEIPTS_FORK,     /* another record than the one whose head was signed */
    RECEIPTS_BEYOND,   /* the journal ends before */
    RECEIPTS_GONE,     /* it was lost, says the league */
    RECEIPTS_HEAD,     /* a signed head is a record's */
    RECEIPTS_FORGED,   /* what should prove something does not */
    RECEIPTS_ALONE,    /* a report whose close the policy's witnesses have not seen */
    RECEIPTS_ORDERS,   /* signed orders are in the journal */
    RECEIPTS_DROPPED,  /* answered by a receipt, but no record holds them */
    RECEIPTS_REPLACED, /* a receipt promises them, and the turn is closed with others, or with none */
    RECEIPTS_LOST,     /* no receipt and no record */
    RECEIPTS_MISSED,   /* the same; they were written before the deadline, and the seat missed the turn */
    RECEIPTS_KEY,      /* a key of the seat that the mails do not know */
    RECEIPTS_UNSENT,   /* orders of the seat that the mails do not know */
    RECEIPTS_REPORT,   /* reports that no mail has brought */
    RECEIPTS_LATE,     /* others' orders that were accepted after the deadline */
    RECEIPTS_BOARD,    /* the board in a report, and the one that the log has */
    RECEIPTS_CLOCK     /* the log's time is not that of the player's mail server, or mail program */
};

struct receipts_finding {
    enum receipts_weight weight;
    enum receipts_kind kind;
    char game[GAME_NAME];
    int64_t seq; /* the record, 0 = none */
    int seat;    /* 0 = none */
    size_t mail; /* of receipts.mail, RECEIPTS_NOWHERE = none */
    char text[480];
    int64_t lost; /* RECEIPTS_GONE: the number that its record had */
};
#define RECEIPTS_NOWHERE ((size_t)-1)

struct receipts_mail {
    char *label;     /* "sent.mbox, mail 3", named by the caller that reads the files */
    char *id;        /* Message-ID, "" */
    char *parent;    /* of the mail it answers, "" */
    char *subject;   /* safe text */
    bool petitions;  /* has signed texts other than orders */
    int64_t date;    /* according to its sender, 0 = unknown */
    int64_t arrived; /* according to the reader's mail server; the same */
    unsigned char digest[32];
};

/* A record that is proved to be in the league's log (publish/claims.h). */
struct receipts_claim {
    size_t ledger, mail;
    int64_t seq, time; /* by the log, which never runs back */
    unsigned char head[HEAD_BYTES];
    enum entry_kind kind;
    struct turn_number turn;        /* 0: of no turn. ENTRY_RECEIPT, ENTRY_KEPT: */
    int seat;                       /* a text of this seat was accepted, */
    unsigned char mark[SEAL_BYTES]; /* which has this mark */
    struct checkpoint checkpoint;   /* that it was proved by, the first one */
    int marks; /* of a close: how many seats' marks are known, 0 = its proof does not say */
    unsigned char counted[SEATS_MAX + 1][SEAL_BYTES]; /* by seat; zeros: no text */
    uint32_t cosigners; /* of the policy, of this checkpoint or another one; bit n: the witness n */
};
/* What opens the board of a report. */
enum receipts_shown {
    SHOWN_SAME,
    SHOWN_OTHER,  /* the mail has another one in its place, */
    SHOWN_BESIDE, /* or beside it, */
    SHOWN_NOT,    /* or none */
    SHOWN_BROKEN  /* it opens nothing */
};
struct receipts_board {
    size_t mail;
    unsigned char head[HEAD_BYTES]; /* of the record that has sealed it */
    int seat;
    char name[SEATS_MAX + 1][PLAYER_NAME]; /* how it calls who sits there */
    enum receipts_shown shown;
};
/* Signed orders of a player of the game. */
struct receipts_text {
    size_t ledger, mail;
    const struct ledger_key *key;
    int turn;
    struct str canonical;
    struct str payload;  /* what the seal of their record covers */
    bool questions, dry; /* they contain nothing that would be stored */
    bool orders;         /* at least one for the turn, so that they replace what was sent before */
    int64_t record;      /* that holds them, 0 = none was found */
};

struct receipts {
    /* Given by the caller; borrowed, the journals but for their array. */
    struct ledger
        *ledger; /* with a policy, after these: games of which there is no journal (ledger_is_bare) */
    size_t ledger_count, ledger_cap;
    const struct pubkey *key; /* the league's; NULL = the one that each journal names */
    const struct policy *
        policy; /* who has to have signed what is proved; NULL = the key is enough. May be set after receipts_init */
    /* What was read. */
    struct receipts_mail *mail;
    size_t mail_count, mail_cap;
    json_t *digests; /* of the mails, in hex: the names of an object */
    struct receipts_claim *claim;
    size_t claim_count, claim_cap;
    struct receipts_text *text;
    size_t text_count, text_cap;
    struct receipts_board *board;
    size_t board_count, board_cap;
    struct templates *templates; /* the built-in ones, once there is a board; or NULL */
    size_t foreign;              /* mails about games whose journals were not given */
    size_t doubles;              /* mails that were there already */
    size_t unreadable;
    /* What was found, the gravest first. */
    struct receipts_finding *finding;
    size_t finding_count, finding_cap;
};

void receipts_init(struct receipts *receipts, struct ledger *ledgers, size_t count, const struct pubkey *key);
void receipts_release(struct receipts *receipts);
/* Adds one mail, or a plain text in place of one. */
void receipts_mail(struct receipts *receipts, const char *label, struct slice raw);
/* Judges. */
void receipts_end(struct receipts *receipts);

/* RECEIPTS_WRONG if anything is; RECEIPTS_ASK if something should be asked or there was nothing to check;
 * else RECEIPTS_GOOD. */
enum receipts_weight receipts_verdict(const struct receipts *receipts);
const char *receipts_verdict_name(enum receipts_weight verdict);
const char *receipts_kind_name(enum receipts_kind kind);
/* How many records of that game the mails show that were lost, by the league's word. */
size_t receipts_lost(const struct receipts *receipts, size_t ledger);
size_t receipts_count(const struct receipts *receipts, enum receipts_kind kind);
/* The head to compare with those of other players: of the last report in these mails (*report), which every
 * seat gets with the same head. Without one, and where the journal does not confirm all heads, the last that
 * the league signed. NULL: no mail has a head of this game. */
const struct receipts_claim *receipts_last(const struct receipts *receipts, size_t ledger, bool *report);
/* New reference. */
json_t *receipts_json(const struct receipts *receipts);

#endif
