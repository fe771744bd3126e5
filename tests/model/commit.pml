/* The commit of a batch on files, and what a new start does after a crash: src/batch/README.md, steps 0 to 9.
 * Mirrors batch_commit.c (stage, append, follow), batch_open.c (settle_crash, spool_recover), mail/sink.c and
 * mail/errand.c. One mail brings one record and one letter, which is what each game of a batch is to itself.
 *
 * What is written can be read at once, and is on the disk after a sync, or before it if the kernel likes: each has a
 * read half and a disk half. Two kinds of crash, at every step: the process dies and the next one reads what was
 * written, synced or not; or the power fails, and of each thing either half is found.
 *
 * Mutations (model.sh: each must be found): NO_SYNC_STAGED and NO_SYNC_RECORDS leave out steps 2 and 5,
 * NO_SYNC_START what a start syncs when it finds the mark, MOVE_FIRST moves the mail before the commit. */
#ifndef CRASHES
#define CRASHES 3
#endif

mtype = { none, staged, promoted, sent };

/* Read half, disk half. */
bool record, record_disk;
mtype letter = none, letter_disk = none;
bool mark, mark_disk; /* the catalog's "working" */
/* On the mail servers: durable at once. */
bool waiting = true; /* the mail is in the mailbox */
byte told;           /* how often the letter left, at most 2 counted */
byte records;        /* made by any run, those that a crash took back not counted */
byte crashes;

inline sync() { d_step { record_disk = record; letter_disk = letter; mark_disk = mark } }

inline power_fails()
{
    if :: record_disk = record :: skip fi;
    if :: letter_disk = letter :: skip fi;
    if :: mark_disk = mark :: skip fi;
    d_step { record = record_disk; letter = letter_disk; mark = mark_disk; if :: !record -> records = 0 :: else fi }
}

/* Nothing happens, or a crash. */
#define POINT                                                                                                     \
    if                                                                                                            \
    :: true                                                                                                       \
    :: crashes < CRASHES -> crashes++; goto start                                                                 \
    :: crashes < CRASHES -> crashes++; power_fails(); goto start                                                  \
    fi

active proctype worker()
{
    bool wanted;
start:
#ifndef NO_SYNC_START
    if :: mark -> sync() :: else fi;
    POINT;
#endif
    /* spool_recover: a staged letter belongs to a record, or to none */
    if
    :: letter == staged && record -> letter = promoted
    :: letter == staged && !record -> letter = none
    :: else
    fi;
    POINT;
round:
    wanted = waiting && !record; /* the journal knows the mail's digest */
    if
    :: wanted ->
        letter = staged; /* 1 */
        POINT;
#ifndef NO_SYNC_STAGED
        sync(); /* 2 */
        POINT;
#endif
        mark = true; /* 3: a full sync of its own */
        mark_disk = true;
        POINT;
#ifdef MOVE_FIRST
        waiting = false;
        POINT;
#endif
        d_step { record = true; records++ } /* 4 */
        POINT;
#ifndef NO_SYNC_RECORDS
        sync(); /* 5: the commit */
        POINT;
#endif
        letter = promoted; /* 6 */
        POINT
    :: else
    fi;
    if
    :: waiting && record ->
        assert(record_disk); /* nothing leaves the mailbox for what a power cut takes back */
        waiting = false; /* 8 */
        POINT
    :: else
    fi;
    if
    :: letter == promoted ->
        assert(record_disk); /* nobody is told what a power cut takes back */
        told = (told < 2 -> told + 1 : 2); /* 9: again after a crash, under the same id */
        POINT;
        letter = sent;
        POINT
    :: else
    fi;
    mark = false; /* batch_settled */
    POINT;
    if
    :: waiting || letter == staged || letter == promoted -> goto round
    :: else
    fi;
    /* at rest: done once, and told at least once */
    assert(!waiting && record && records == 1 && told > 0)
}
