/* The commit of a batch on files, and what a new start does after a crash: src/batch/README.md, steps 0 to 9.
 * Mirrors batch_commit.c (stage, append, follow), batch_open.c (settle_crash, spool_recover), game_load.c (game_mend),
 * store_files.c (files_mend), mail/sink.c and mail/errand.c. One mail brings one record, with what it seals in its box, and one letter, which is what each game of a batch is to itself. A record of another kind (a pause, say), with neither, can come
 * before it at any time: so the number that a commit has taken which did not happen becomes another one's.
 *
 * What is written can be read at once, and is on the disk after a sync, or before it if the kernel likes: each file has a
 * read half and a disk half. Two kinds of crash, at every step: the process dies and the next one reads what was
 * written, synced or not; or the power fails, and of each thing either half is found.
 *
 * Mutations (model.sh: each must be found): NO_SYNC_STAGED and NO_SYNC_RECORDS leave out steps 2 and 5,
 * NO_SYNC_START what a start syncs when it finds the mark, MOVE_FIRST moves the mail before the commit,
 * NO_SYNC_OTHER leaves out step 2 where nothing is staged, NO_LATER leaves the letters of a game that could not be read at the start. */
#ifndef CRASHES
#define CRASHES 3
#endif

mtype = { none, staged, promoted, sent };

/* Read half, disk half. */
byte last, last_disk;   /* the journal: how many records it has, */
byte mine, mine_disk;   /* and which of them the mail has brought; 0 = none */
mtype letter = none, letter_disk = none;
bool mark, mark_disk; /* the catalog's "working" */
byte told_of;         /* the number of the record that the letter names */
/* On the mail servers: durable at once. */
bool waiting = true; /* the mail is in the mailbox */
byte told;           /* how often the letter left, at most 2 counted */
byte crashes;
bool readable; /* could the game be read when the process began? */

#define RECORD (mine != 0)

inline sync() { d_step { last_disk = last; mine_disk = mine; letter_disk = letter; mark_disk = mark } }

inline power_fails()
{
    if :: d_step { last_disk = last; mine_disk = mine } :: skip fi;
    if :: letter_disk = letter :: skip fi;
    if :: mark_disk = mark :: skip fi;
    d_step { last = last_disk; mine = mine_disk; letter = letter_disk; mark = mark_disk }
}

/* Nothing happens, or a crash. */
#define POINT                                                                                                     \
    if                                                                                                            \
    :: true                                                                                                       \
    :: crashes < CRASHES -> crashes++; goto start                                                                 \
    :: crashes < CRASHES -> crashes++; power_fails(); goto start                                                  \
    fi

/* A staged letter belongs to a record, or to none. */
inline recover()
{
    if
    :: letter == staged && last >= told_of ->
        letter = promoted;
        assert(told_of == mine) /* nobody is told what never was */
    :: letter == staged && last < told_of -> letter = none
    :: else
    fi
}

active proctype worker()
{
    bool other, wanted;
start:
#ifndef NO_SYNC_START
    if :: mark -> sync() :: else fi;
    POINT;
#endif
    if
    :: readable = true; recover()
    :: readable = false /* damaged, or it has ended the program: its letters stay where they are */
    fi;
    POINT;
round:
    /* the game is loaded (or can be read again), before any record of it is made */
    if
    :: !readable -> readable = true;
#ifndef NO_LATER
        recover();
        POINT
#endif
    :: else
    fi;
    wanted = waiting && !RECORD; /* the journal knows the mail's digest */
    if
    :: last == 0 && wanted -> other = true
    :: other = false
    fi;
    if
    :: other ->
#ifndef NO_SYNC_OTHER
        sync(); /* 2, without anything staged: that a letter is gone must not be undone later than the next record */
#endif
        mark = true; /* 3 */
        mark_disk = true;
        POINT;
        last = last + 1; /* 4, 5 */
        POINT;
        sync();
        POINT
    :: else
    fi;
    if
    :: wanted ->
        d_step { letter = staged; told_of = last + 1 } /* 1 */
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
        d_step { last = last + 1; mine = last } /* 4 */
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
    :: waiting && RECORD ->
        assert(mine_disk); /* nothing leaves the mailbox for what a power cut takes back */
        waiting = false; /* 8 */
        POINT
    :: else
    fi;
    if
    :: letter == promoted ->
        assert(mine_disk); /* nobody is told what a power cut takes back */
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
    /* at rest: done once, told at least once, and proved */
    assert(!waiting && RECORD && told > 0)
}
