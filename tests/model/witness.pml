/* A witness and a league that would like two answers: src/commands/witness.c (give_answer), game/witness.h.
 * The league shows the witness two closes of one turn, in any order and as often as it likes; the witness remembers the
 * first one before it answers, and answers no other, whatever crashes. Halves and crashes are those of commit.pml.
 *
 * Mutations: NO_SYNC_MEMORY leaves out the sync of what is remembered, NO_SYNC_KNOWN that of what was remembered by a
 * witness who died, ANSWER_FIRST answers before remembering. */
#ifndef CRASHES
#define CRASHES 3
#endif

byte memory, memory_disk; /* the close that was answered; 0: none */
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
    byte close, asked;
start:
    do
    :: asked < 4 ->
        asked++;
        if :: close = 1 :: close = 2 fi; /* the league's choice */
        if
        :: memory != 0 && memory != close -> skip /* another history: no answer */
        :: memory == 0 || memory == close ->
#ifdef ANSWER_FIRST
            answered[close] = true;
            POINT;
#endif
            if
            :: memory == 0 ->
                memory = close;
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
            answered[close] = true;
            assert(!(answered[1] && answered[2]));
            POINT
        fi
    :: else -> break
    od
}
