/* The audit of a league's whole log (tlog/): what no audit of one game can see. In: a copy of the log's folder, the policy by which its
 * checkpoint is signed; journals of published games and competitions; what somebody has kept of the log. Out: findings.
 *
 * Entries are read one by one: memory follows from the names in the log and from what is given, not from their number; time is
 * linear. No journal is audited here (audit/audit.h): it is held against the log, record by record. */
#ifndef PUBLISH_LOG_AUDIT_H
#define PUBLISH_LOG_AUDIT_H

#include <jansson.h>

#include "base/err.h"
#include "tlog/entry.h"
#include "tlog/policy.h"

enum log_weight {
    LOG_WRONG, /* contradicts what the league signed */
    LOG_ASK,   /* proves nothing by itself: the league has to say why */
    LOG_NOTE,
    LOG_WEIGHTS
};
enum log_what {
    LOG_CHECKPOINT,  /* who signed it, and of how many entries */
    LOG_ENTRY,       /* an entry that is none, was changed, is missing or is there twice */
    LOG_CLOCK,       /* the league's clock ran back */
    LOG_HISTORIES,   /* two of one journal, or of the log */
    LOG_LOST,        /* records that the league says are lost */
    LOG_JOURNAL,     /* a journal that is not the one of the log */
    LOG_UNPUBLISHED, /* a game that is over and not there */
    LOG_RESULT,      /* a result that was left out or is another one */
    LOG_RECEIPT,     /* what became of a receipt that was kept */
    LOG_WHATS
};
struct log_finding {
    enum log_weight weight;
    enum log_what what;
    char name[ENTRY_NAME]; /* the game or competition as the log calls it, "" = none */
    int64_t seq, entry;    /* the record; the entry, from 1 on; 0 = none */
    char text[480];        /* what it is, and what to do */
};
const char *log_weight_name(enum log_weight weight); /* "wrong", "ask", "note" */
const char *log_what_name(enum log_what what);       /* "histories" */

/* A checkpoint that somebody kept; under the proof of a receipt also that. */
struct log_kept {
    char *label;
    struct checkpoint checkpoint;
    bool same;              /* this log was so */
    int64_t number;         /* of the receipt in the log, 0 = it is none */
    struct log_entry entry; /* the receipt */
    int64_t later, closed,
        lost; /* entries: a later receipt of that seat and turn; that turn's close; its loss; 0 = none */
};
/* From that entry on this program decided. */
struct log_program {
    char version[ENTRY_VERSION];
    unsigned char digest[ENTRY_DIGEST];
    int64_t entry, time;
};
/* A journal that was given. */
struct log_journal {
    char *path;
    char id[ENTRY_NAME], hidden[ENTRY_NAME]; /* as it calls itself; as the log calls it if it is private */
    bool game, differs;  /* it is no competition and no results; it is not what was logged */
    int64_t seq, offset; /* records that the log has, and where they end */
    int64_t lacks;       /* the first record that the log has and it has not; 0 = none */
};
/* What is known of a journal by the log alone. */
struct log_name {
    char name[ENTRY_NAME];
    int64_t seq, entry; /* of its last record */
    unsigned char head[ENTRY_DIGEST];
    bool game, forked, closed;
    struct turn_number close;      /* the last one */
    int64_t end, end_entry, ended; /* record, entry and time of its `end`; 0 = it has none */
    unsigned char end_head[ENTRY_DIGEST];
    struct log_lost {
        int64_t entry, seq; /* where the log says so, and from which record on */
    } * lost;
    size_t lost_count, lost_cap;
    struct log_journal *journal; /* NULL: none is given */
    bool receipted;              /* a receipt of it was kept */
};

struct log_audit {
    const char *dir; /* of the log; borrowed, as the policy is */
    const struct policy *policy;
    struct checkpoint checkpoint;
    struct policy_seen seen; /* of the checkpoint, if it is signed */
    bool is_signed;
    int64_t entries, begun, last; /* read; times of the first and the last one */
    int64_t silence,
        silence_entry; /* the longest time between two entries, seconds, and the later one of them */
    int64_t dated_back,
        dated_back_most; /* records of journals that are older than what the log had before; by how much */
    struct log_name **name;
    size_t name_count, name_cap;
    json_t *names; /* name -> place in the list */
    struct log_journal **journal;
    size_t journal_count, journal_cap;
    struct log_kept *kept; /* by size */
    size_t kept_count, kept_cap;
    struct log_program *program;
    size_t program_count, program_cap;
    struct log_finding *finding; /* the first LOG_FINDINGS */
    size_t finding_count, finding_cap;
    int64_t count[LOG_WEIGHTS]; /* of all */
};
#define LOG_FINDINGS 1000

void log_audit_init(struct log_audit *audit, const char *dir, const struct policy *policy);
void log_audit_release(struct log_audit *audit);
/* What somebody kept: a checkpoint, a .tlog-proof, or a saved mail or another text with proofs. What no log of the policy has signed is
 * a finding. */
void log_audit_keep(struct log_audit *audit, const char *label, struct slice bytes);
/* A journal; HEAD.tlog-proof beside it is kept as well. ERR_INPUT: it has no first record, or its game is there twice. */
int log_audit_journal(struct log_audit *audit, const char *path, struct err *err)
    __attribute__((warn_unused_result));
/* Reads it all. -1 only when a file could not be read. ERR_MISSING: there is no checkpoint. */
int log_audit_run(struct log_audit *audit, struct err *err) __attribute__((warn_unused_result));
/* The bundles of entries that the folder lacks by its checkpoint, a line each: "tile/entries/001". */
int log_audit_lacks(const char *dir, struct str *out, struct err *err) __attribute__((warn_unused_result));
/* {"log","entries","findings",...}; new reference. */
json_t *log_audit_json(const struct log_audit *audit);

#endif
