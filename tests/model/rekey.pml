/* Another key is asked for in a player's name, and they may say no: src/petitions/rekey.c, work/work.c (mails are read
 * before the clock is looked at), league/elapsed.h (what ends by time).
 * Time goes on in ticks. In each the service works or does not, and a round that works may find the mailbox closed. The
 * player says no at any moment, or never.
 *
 * Mutations: CLOCK_FIRST looks at the clock before the mails, DEAF_COUNTS lets time end what a round without mailbox
 * cannot know, OUTAGE_COUNTS counts the ticks in which nobody could be heard. */
#define WAIT  3 /* ticks until the key comes into force: the 48 hours */
#define TICKS 8

bool waiting;          /* a "no" is in the mailbox */
bool said;             /* the player has said no */
bool asked = true, vetoed, in_force;
byte counted, served;  /* ticks since the request: as elapsed_over counts them; in which the service worked */
byte tick;

active proctype player()
{
    if
    :: d_step { said = true; waiting = true }
    :: true /* never */
    fi
}

inline read_mails()
{
    if
    :: !deaf && waiting -> d_step { waiting = false; if :: asked -> vetoed = true; asked = false :: else fi }
    :: else
    fi
}

inline look_at_clock()
{
    if
    :: asked && counted >= WAIT && may_end ->
        assert(!early);         /* a "no" that was there when the round began counts */
        assert(served >= WAIT); /* there was all of the time to say it */
        asked = false;
        in_force = true
    :: else
    fi
}

active proctype service()
{
    bool up, deaf, early, may_end;
    do
    :: tick < TICKS ->
        tick++;
        if :: up = true :: up = false fi;
        if
        :: up ->
            early = waiting;
            if :: deaf = true :: deaf = false fi;
#ifdef DEAF_COUNTS
            may_end = true;
#else
            may_end = !deaf;
#endif
#ifdef CLOCK_FIRST
            look_at_clock();
            read_mails();
#else
            read_mails();
            look_at_clock();
#endif
            counted++;
            served++
        :: else ->
#ifdef OUTAGE_COUNTS
            counted++
#else
            skip
#endif
        fi
    :: else -> break
    od;
    assert(!(vetoed && in_force));
    assert(!vetoed || said)
}
