/* Draws: dice and shuffles that players and operator can check (DESIGN: chance).
 *
 *   R      = 64 bytes of the turn (from the VRF outputs)
 *   key    = BLAKE2b-256(key = R[0..31]; "turnpost/draw\0" || label)
 *   stream = ChaCha20-IETF(key, nonce "LibsodiumDRG")
 *   u(n)   = next u32le of the stream, rejected below 2^32 mod n, mod n
 *
 * Every draw has a label of its own within the turn ("explore/s2", "event/revolt/s1"), so results do not
 * depend on the order of processing. Hidden draws (those that must not be computable from the published R)
 * replace R by the VRF output over "turnpost/hide\0" || R || label; their proofs stay sealed until they
 * may be known.
 *
 * Other sources for tests and trials: a scripted list of dice, or a plain seed. */
#ifndef CHANCE_DRAW_H
#define CHANCE_DRAW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "chance/vrf.h"

#define CHANCE_LABEL 40

/* A hidden draw that was made: its label, proof and output. */
struct chance_hidden {
    char label[CHANCE_LABEL];
    unsigned char proof[VRF_PROOF];
    unsigned char output[VRF_OUTPUT];
};
#define CHANCE_HIDDEN 16

/* What was drawn, for explaining a turn (chance.trace). */
enum chance_kind { CHANCE_DIE, CHANCE_PICK, CHANCE_SHUFFLE };
struct chance_drawn {
    char label[CHANCE_LABEL];
    enum chance_kind kind;
    bool hidden;
    uint32_t of;           /* sides; things to pick from; items shuffled */
    uint32_t result;       /* of a die 1.., of a pick 0.. */
    unsigned char key[32]; /* of its stream, which no other draw has; of a hidden one for nobody's eyes */
    uint32_t word;         /* the number of the stream that gave the result */
    uint32_t skipped;      /* numbers before it that were too small */
    size_t from, steps;    /* of a shuffle: which of chance_trace.steps are its own */
};
struct chance_trace {
    struct chance_drawn *list; /* in the order of drawing */
    size_t count, cap;
    uint32_t *steps; /* the numbers of shuffles: of a whole one u(of), u(of - 1) .. u(2) */
    size_t step_count, step_cap;
};
void chance_trace_release(struct chance_trace *trace);

struct chance {
    unsigned char root[64]; /* R */
    const unsigned char
        *secret; /* VRF secret for hidden draws when playing live; NULL when replaying or testing */
    const unsigned char *public; /* VRF public key; NULL when testing */
    size_t hidden_count;         /* of hidden */
    size_t hidden_used;          /* replay: how many of these were drawn so far; they are given in the order
                                  * of drawing */
    bool proved;       /* replay: the proofs hold, as is known from elsewhere; they are not checked */
    bool broken;       /* replay: a hidden draw was missing or its proof is wrong */
    const int *script; /* scripted dice: taken in the order of rolling, then the seed goes on */
    size_t script_count, script_used;
    size_t luck;                                /* draws made, and what chance_luck() counted */
    struct chance_trace *trace;                 /* NULL: not recorded */
    struct chance_hidden hidden[CHANCE_HIDDEN]; /* made (live) or given (replay); the last member */
};

/* R = BLAKE2b-512("turnpost/roll\0" || beta [|| beta of each witness]). */
/* `betas`: count times VRF_OUTPUT bytes. */
void chance_root(unsigned char root[64], const unsigned char *betas, size_t count);
void chance_live(struct chance *chance, const unsigned char root[64], const unsigned char secret[VRF_SECRET],
                 const unsigned char public[VRF_PUBLIC]);
/* Replay: fill hidden[] and hidden_count afterwards. */
void chance_replay(struct chance *chance, const unsigned char root[64],
                   const unsigned char public[VRF_PUBLIC]);
/* Tests, trials, simulate: everything from a seed. */
void chance_seeded(struct chance *chance, const void *seed, size_t len);
/* As seeded, but dice come from the list first. The list is borrowed. */
void chance_scripted(struct chance *chance, const int *dice, size_t count, const void *seed, size_t len);

/* A die of `sides` (2..1000): 1..sides. */
int chance_die(struct chance *chance, int sides, const char *label);
/* One of n (0..n-1), never from the scripted dice. */
uint32_t chance_pick(struct chance *chance, uint32_t n, const char *label);
/* Fisher-Yates from the last index down. `hidden`: nobody may compute it before it is opened. */
void chance_shuffle(struct chance *chance, bool hidden, const char *label, uint8_t *items, size_t count);
/* The same, open, for several piles, one after another with the numbers of one label, for callers that take
 * `wanted` items from the end of each: only these are sure to be where a complete shuffle would put them. */
struct chance_pile {
    uint8_t *items;
    size_t count, wanted;
};
void chance_deal(struct chance *chance, const char *label, const struct chance_pile *piles, size_t count);
/* Is that the proof of a hidden draw of this label? */
bool chance_hides(const struct chance *chance, const char *label, const unsigned char proof[VRF_PROOF]);
/* Counts something that is no draw but could have gone otherwise, because it depends on a card whose place is
 * unknown. If nothing is counted, the same orders have the same outcome whatever is hidden (ruleset.conceal).
 * NULL: not counted. */
void chance_luck(struct chance *chance);
/* printf into a label buffer: chance_label(l, "explore/s%d", seat). */
void chance_label(char label[CHANCE_LABEL], const char *fmt, ...) __attribute__((format(printf, 2, 3)));

#endif
