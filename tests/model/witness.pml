/* A witness and a league that would like two answers: src/commands/witness.c (answer_request), tlog/witness.h.
 * The league shows the witness two logs that contradict each other, each with another close of one turn, in any order and as
 * often as it likes; the witness remembers the first one before they cosign it, and cosigns no other, whatever crashes. What they
 * had remembered is written anew before each answer. Halves and crashes are those of commit.pml.
 *
 * Mutations: NO_SYNC_MEMORY leaves out the sync of what is remembered, NO_SYNC_KNOWN that of what was remembered by a
 * witness who died, ANSWER_FIRST answers before remembering. */
#ifndef CRASHES
#define CRASHES 3
#endif

byte memory, memory_disk; /* the log that was cosigned; 0: none */
bool answered[3];
byte crashes;

#define POINT                                                                                                     \
    if                                                                                                            \
    :: true                                                                                                       \
    :: crashes < CRASHES -> crashes++; goto start                                                                 \
    :: crashes < CRASHES ->                                                                                       \
        crashes++;                                                                                                \
        if :: memory_disk = memory :: skip fi;                                                                    \
        memory = memory_disk;                                                                                     \
        goto start                                                                                                \
    fi

active proctype witness()
{
    byte log, asked;
start:
    do
    :: asked < 4 ->
        asked++;
        if :: log = 1 :: log = 2 fi; /* the league's choice */
        if
        :: memory != 0 && memory != log -> skip /* another log: no answer */
        :: memory == 0 || memory == log ->
#ifdef ANSWER_FIRST
            answered[log] = true;
            POINT;
#endif
            if
            :: memory == 0 ->
                memory = log;
                POINT;
#ifndef NO_SYNC_MEMORY
                memory_disk = memory;
                POINT
#endif
            :: else ->
#ifndef NO_SYNC_KNOWN
                memory_disk = memory;
#endif
                POINT
            fi;
            answered[log] = true;
            assert(!(answered[1] && answered[2]));
            POINT
        fi
    :: else -> break
    od
}
