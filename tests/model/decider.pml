/* Several hosts with one database and one mailbox (cluster/README.md). The holder of the league's lease decides, anyone takes
 * over. What holds it together, and where it is in the C:
 *
 *   - every commit checks the lease's fence in its own transaction (cluster/ship.c: send_head);
 *   - a host that takes over has a new fence (cluster/lease.c: lease_take), and its copy is that of the last commit
 *     (cluster/mirror.c), from which it knows all mails that were decided; nothing else is cached, as it is a new process;
 *   - a commit whose answer was lost may still be on its way: the host inserts the commit's id itself, which is refused if it has
 *     happened, and else keeps it from ever happening (cluster/ship.c: resolve);
 *   - mails are decided in the order of their UIDs; a turn is closed for lack of orders only after a scan of the mailbox that
 *     began after the deadline, by the database's clock, when all that it found is decided (work/work.c, batch/batch_clock.c);
 *   - a mail is moved when its decision is durable; whoever does it, and however late.
 *
 * That a commit also names the number of the one before is a second barrier, left out here, so that these are seen to hold alone.
 * Leases expire under living hosts, who know nothing of it; hosts crash and stand still anywhere.
 *
 * Mutations: NO_FENCE leaves that check out, NO_DIGESTS knows no mails after taking over, KEEP_CACHE keeps what was read under an
 * earlier lease, OLD_FENCE goes on after a crash under the fence from before, GUESS_LOST takes a lost commit for one that did not
 * happen, LOOK_LOST only looks for its id, EARLY_MOVE moves a mail before the commit, OLD_SCAN closes with a scan that began before
 * the deadline, ANY_ORDER decides whatever is found first. */
#ifndef CRASHES
#define CRASHES 2 /* and leases that expire, and answers that are lost, in all */
#endif
#define MAILS 2
#define CLOSE    MAILS /* in place of a mail: the turn is closed */

mtype = { none, pending, applied };

/* The database. */
byte fence;       /* of the lease as it was taken last */
byte holder;      /* 0: it has expired */
byte records[MAILS];
byte closes;
/* The mail server, and the time. */
byte box[MAILS];  /* 0: not there yet, 1: in the mailbox, 2: moved */
bool in_time[MAILS];
bool deadline;
byte crashes;

/* A commit whose answer was lost, of each worker. */
typedef flight {
    mtype state = none;
    byte what, fence;
    bool claimed; /* its id */
}
flight lost[3];

inline apply(it)
{
    if
    :: it == CLOSE ->
        assert(!in_time[0] || records[0]); /* what came in time counts */
        assert(!in_time[1] || records[1]);
        closes++;
        assert(closes == 1)
    :: it < CLOSE ->
        assert(it == 0 || records[0]); /* in order */
        records[it]++;
        assert(records[it] == 1)
    fi
}

#ifdef NO_FENCE
#define FENCED(at) true
#else
#define FENCED(at) ((at) == fence)
#endif

/* Done by the database for a worker that has lost its connection: at any time, or never. */
active proctype late()
{
    byte w = 1;
end:
    do
    :: d_step {
        lost[w].state == pending ->
        if
        :: !lost[w].claimed && FENCED(lost[w].fence) ->
            lost[w].state = applied;
            apply(lost[w].what)
        :: else -> lost[w].state = none
        fi
       }
    :: lost[1].state != pending && lost[2].state == pending -> w = 2
    :: lost[2].state != pending && lost[1].state == pending -> w = 1
    od
}

active proctype world()
{
    byte next;
end:
    do
    :: next < MAILS -> d_step { box[next] = 1; in_time[next] = !deadline; next++ }
    :: !deadline -> deadline = true
    :: d_step { holder && crashes < CRASHES -> holder = 0; crashes++ }
    od
}

/* Nothing happens, or a crash. */
#define POINT                                                                                                     \
    if                                                                                                            \
    :: true                                                                                                       \
    :: d_step { crashes < CRASHES -> crashes++ } goto start                                                       \
    fi

/* `done`: it has happened; else the lease is lost, or it is to be tried again. */
inline commit(thing)
{
    done = false;
    if
    :: d_step {
        true ->
        if
        :: FENCED(mine) -> apply(thing); done = true
        :: else -> has = false
        fi
       }
    :: d_step {
        crashes < CRASHES && lost[me].state == none -> /* the answer does not come */
        crashes++;
        lost[me].state = pending;
        lost[me].what = thing;
        lost[me].fence = mine;
        lost[me].claimed = false
       }
        POINT;
#ifdef GUESS_LOST
        skip
#else
        d_step {
            if
            :: lost[me].state == applied -> done = true
            :: else ->
#ifndef LOOK_LOST
                lost[me].claimed = true
#endif
            fi
        }
#endif
    fi
}

#ifdef EARLY_MOVE
#define DURABLE true
#else
#define DURABLE knows[i]
#endif

proctype worker(byte me)
{
    byte mine, i;
    bool has, after, done, open, kept;
    bool knows[MAILS], saw[MAILS], closed;
start:
    has = false;
    d_step {
        done = false; open = false; after = false; closed = false; mine = 0; i = 0;
        saw[0] = false; saw[1] = false;
#ifndef KEEP_CACHE
        knows[0] = false; knows[1] = false
#endif
    }
    do
    :: closes && box[0] == 2 && box[1] == 2 -> break
    :: d_step {
        !has && (holder == 0 || holder == me) && (fence || me == 1) -> /* they are alike: the first begins */
#ifdef OLD_FENCE
        if :: holder == 0 -> fence++ :: else fi;
#else
        fence++;
#endif
        holder = me;
        mine = fence;
        has = true;
        after = false
       }
#ifdef KEEP_CACHE
        if :: kept -> goto known :: else kept = true fi;
#endif
        d_step {
#ifdef NO_DIGESTS
            knows[0] = false;
            knows[1] = false;
#else
            knows[0] = records[0] > 0;
            knows[1] = records[1] > 0;
#endif
            closed = closes > 0
        }
#ifdef KEEP_CACHE
known:
        skip
#endif
    :: has ->
        /* A scan: the server names what is there. */
        d_step {
#ifdef OLD_SCAN
            after = true;
#else
            after = deadline;
#endif
            saw[0] = (box[0] == 1);
            saw[1] = (box[1] == 1);
            open = false;
            i = 0
        }
#ifdef ANY_ORDER
        if :: true :: i = 1 fi;
#endif
        do
        :: i < MAILS && has ->
            if
            :: d_step { saw[i] -> saw[i] = false }
#ifdef EARLY_MOVE
                box[i] = 2;
#endif
                if :: !knows[i] -> commit(i); knows[i] = done :: else fi;
                if
                :: DURABLE ->
                    POINT;
                    assert(records[i]); /* nothing leaves the mailbox undecided; a worker that is late moves, too */
                    box[i] = 2
                :: else -> open = true; break
                fi
            :: else
            fi;
            i++
        :: else -> break
        od;
        if
        :: has && !open && after && deadline && !closed -> commit(CLOSE); closed = done
        :: else
        fi;
        /* What is not needed any more makes no other states. */
        d_step { saw[0] = false; saw[1] = false; done = false; open = false; after = false; i = 0 }
    od
}

init
{
    run worker(1);
    run worker(2)
}
