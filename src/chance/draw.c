#include "chance/draw.h"

#include <assert.h>
#include <sodium.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/encode.h"
#include "base/mem.h"

static const char roll_prefix[] = "turnpost/roll"; /* all prefixes include their NUL */
static const char draw_prefix[] = "turnpost/draw";
static const char hide_prefix[] = "turnpost/hide";

#define STREAM_WORDS 16 /* one ChaCha20 block of 64 bytes */

/* The numbers of one label. The stream is a prefix of itself at any length, so it is made longer when needed.
 */
struct stream {
    unsigned char key[32];
    unsigned char block[STREAM_WORDS * 4];
    size_t used; /* words taken from this block */
    size_t blocks;
    uint32_t word, skipped; /* what the last number came from */
};

void chance_root(unsigned char root[64], const unsigned char *betas, size_t count)
{
    crypto_generichash_state st;
    crypto_generichash_init(&st, NULL, 0, 64);
    crypto_generichash_update(&st, (const unsigned char *)roll_prefix, sizeof roll_prefix);
    crypto_generichash_update(&st, betas, count * VRF_OUTPUT);
    crypto_generichash_final(&st, root, 64);
}

/* All but hidden[], whose contents do not count then: trials begin one for every play. */
static void begin(struct chance *chance)
{
    memset(chance, 0, offsetof(struct chance, hidden));
}

void chance_live(struct chance *chance, const unsigned char root[64], const unsigned char secret[VRF_SECRET],
                 const unsigned char public[VRF_PUBLIC])
{
    begin(chance);
    memcpy(chance->root, root, 64);
    chance->secret = secret;
    chance->public = public;
}

void chance_replay(struct chance *chance, const unsigned char root[64],
                   const unsigned char public[VRF_PUBLIC])
{
    begin(chance);
    memcpy(chance->root, root, 64);
    chance->public = public;
}

void chance_seeded(struct chance *chance, const void *seed, size_t len)
{
    begin(chance);
    crypto_generichash(chance->root, 64, seed, len, NULL, 0);
}

void chance_scripted(struct chance *chance, const int *dice, size_t count, const void *seed, size_t len)
{
    chance_seeded(chance, seed, len);
    chance->script = dice;
    chance->script_count = count;
}

static void stream_open(struct stream *stream, const unsigned char root[64], const char *label)
{
    crypto_generichash_state st;
    crypto_generichash_init(&st, root, 32, 32);
    crypto_generichash_update(&st, (const unsigned char *)draw_prefix, sizeof draw_prefix);
    crypto_generichash_update(&st, (const unsigned char *)label, strlen(label));
    crypto_generichash_final(&st, stream->key, 32);
    stream->used = STREAM_WORDS;
    stream->blocks = 0;
}

static uint32_t stream_next(struct stream *stream)
{
    static const unsigned char nonce[crypto_stream_chacha20_ietf_NONCEBYTES] = "LibsodiumDRG";
    if (stream->used == STREAM_WORDS) {
        memset(stream->block, 0, sizeof stream->block);
        crypto_stream_chacha20_ietf_xor_ic(stream->block, stream->block, sizeof stream->block, nonce,
                                           (uint32_t)stream->blocks, stream->key);
        stream->blocks++;
        stream->used = 0;
    }
    return get_le32(stream->block + 4 * stream->used++);
}

static uint32_t stream_uniform(struct stream *stream, uint32_t n)
{
    assert(n > 0);
    stream->skipped = 0;
    while ((stream->word = stream_next(stream)) < n && stream->word < -n % n) /* 2^32 mod n */
        stream->skipped++;
    return stream->word % n;
}

void chance_trace_release(struct chance_trace *trace)
{
    free(trace->list);
    free(trace->steps);
    *trace = (struct chance_trace){0};
}

/* Notes a draw (its kind, of and result; whether it is hidden) and the stream it came from. */
static void drawn(const struct chance *chance, const char *label, struct chance_drawn what,
                  const struct stream *stream)
{
    struct chance_trace *trace = chance->trace;
    if (!trace)
        return;
    trace->list = mem_grow(trace->list, trace->count, &trace->cap, sizeof *trace->list);
    struct chance_drawn *draw = &trace->list[trace->count++];
    *draw = what;
    draw->from = trace->step_count;
    (void)snprintf(draw->label, sizeof draw->label, "%s", label);
    memcpy(draw->key, stream->key, sizeof draw->key);
    draw->word = stream->word;
    draw->skipped = stream->skipped;
}

void chance_luck(struct chance *chance)
{
    if (chance)
        chance->luck++;
}

int chance_die(struct chance *chance, int sides, const char *label)
{
    assert(sides >= 2 && sides <= 1000);
    if (chance->script_used < chance->script_count) {
        chance->luck++;
        int value = chance->script[chance->script_used++];
        return value < 1 ? 1 : value > sides ? sides : value;
    }
    struct stream stream;
    chance->luck++;
    stream_open(&stream, chance->root, label);
    int value = (int)stream_uniform(&stream, (uint32_t)sides) + 1;
    drawn(chance, label,
          (struct chance_drawn){.kind = CHANCE_DIE, .of = (uint32_t)sides, .result = (uint32_t)value},
          &stream);
    return value;
}

uint32_t chance_pick(struct chance *chance, uint32_t n, const char *label)
{
    struct stream stream;
    chance->luck++;
    stream_open(&stream, chance->root, label);
    uint32_t value = stream_uniform(&stream, n);
    drawn(chance, label, (struct chance_drawn){.kind = CHANCE_PICK, .of = n, .result = value}, &stream);
    return value;
}

static void hidden_alpha(struct str *alpha, const unsigned char root[64], const char *label)
{
    str_add(alpha, hide_prefix, sizeof hide_prefix);
    str_add(alpha, root, 64);
    str_adds(alpha, label);
}

bool chance_hides(const struct chance *chance, const char *label, const unsigned char proof[VRF_PROOF])
{
    struct str alpha = STR_INIT;
    unsigned char output[VRF_OUTPUT];
    hidden_alpha(&alpha, chance->root, label);
    bool holds = vrf_verify(output, chance->public, proof, slice_str(&alpha));
    str_release(&alpha);
    return holds;
}

/* Replay: the next given proof must be for this label, and right. */
static bool hidden_given(struct chance *chance, const char *label, const struct str *alpha,
                         unsigned char output[VRF_OUTPUT])
{
    if (chance->hidden_used >= chance->hidden_count)
        return false;
    const struct chance_hidden *given = &chance->hidden[chance->hidden_used++];
    if (strcmp(given->label, label) != 0)
        return false;
    return chance->proved ? vrf_output(output, given->proof)
                          : vrf_verify(output, chance->public, given->proof, slice_str(alpha));
}

/* Live: proved and remembered. */
static void hidden_made(struct chance *chance, const char *label, const struct str *alpha,
                        unsigned char output[VRF_OUTPUT])
{
    assert(chance->hidden_count < CHANCE_HIDDEN);
    struct chance_hidden *made = &chance->hidden[chance->hidden_count++];
    (void)snprintf(made->label, sizeof made->label, "%s", label);
    if (!vrf_prove(made->proof, made->output, chance->secret, chance->public, slice_str(alpha))) {
        chance->broken = true;
        memset(made->output, 0, VRF_OUTPUT);
    }
    memcpy(output, made->output, VRF_OUTPUT);
}

static void hidden_root(struct chance *chance, const char *label, unsigned char output[VRF_OUTPUT])
{
    struct str alpha = STR_INIT;
    hidden_alpha(&alpha, chance->root, label);
    if (chance->secret) {
        hidden_made(chance, label, &alpha, output);
    } else if (chance->public) {
        if (!hidden_given(chance, label, &alpha, output)) {
            chance->broken = true;
            memset(output, 0, VRF_OUTPUT);
        }
    } else { /* seeded: hidden from nobody */
        crypto_generichash(output, VRF_OUTPUT, (const unsigned char *)alpha.p, alpha.len, NULL, 0);
    }
    str_release(&alpha);
}

/* A number of the shuffle that was noted last. */
static void drawn_step(struct chance_trace *trace, uint32_t number)
{
    if (!trace)
        return;
    trace->steps = mem_grow(trace->steps, trace->step_count, &trace->step_cap, sizeof *trace->steps);
    trace->steps[trace->step_count++] = number;
    trace->list[trace->count - 1].steps++;
}

/* From the last index down: the wanted part is then at the end. */
static void shuffle_pile(struct stream *stream, struct chance_trace *trace, const struct chance_pile *pile)
{
    size_t least = pile->wanted < pile->count ? pile->count - pile->wanted : 0;
    for (size_t i = pile->count; i >= 2 && i > least; i--) {
        size_t j = stream_uniform(stream, (uint32_t)i);
        drawn_step(trace, (uint32_t)j);
        uint8_t saved = pile->items[i - 1];
        pile->items[i - 1] = pile->items[j];
        pile->items[j] = saved;
    }
}

static void shuffle(struct chance *chance, bool hidden, const char *label, const struct chance_pile *piles,
                    size_t count)
{
    struct stream stream;
    size_t items = 0;
    assert(strlen(label) < CHANCE_LABEL);
    chance->luck++;
    if (hidden) {
        unsigned char output[VRF_OUTPUT];
        hidden_root(chance, label, output);
        stream_open(&stream, output, label);
        sodium_memzero(output, sizeof output);
    } else {
        stream_open(&stream, chance->root, label);
    }
    stream.word = stream.skipped = 0;
    for (size_t i = 0; i < count; i++)
        items += piles[i].count;
    drawn(chance, label,
          (struct chance_drawn){.kind = CHANCE_SHUFFLE, .hidden = hidden, .of = (uint32_t)items}, &stream);
    for (size_t i = 0; i < count; i++)
        shuffle_pile(&stream, chance->trace, &piles[i]);
    sodium_memzero(&stream, sizeof stream);
}

void chance_shuffle(struct chance *chance, bool hidden, const char *label, uint8_t *items, size_t count)
{
    const struct chance_pile pile = {items, count, count};
    shuffle(chance, hidden, label, &pile, 1);
}

void chance_deal(struct chance *chance, const char *label, const struct chance_pile *piles, size_t count)
{
    shuffle(chance, false, label, piles, count);
}

void chance_label(char label[CHANCE_LABEL], const char *fmt, ...)
{
    struct str text = STR_INIT;
    va_list args;
    va_start(args, fmt);
    str_vaddf(&text, fmt, args);
    va_end(args);
    assert(text.len < CHANCE_LABEL);
    memcpy(label, text.p, text.len + 1);
    str_release(&text);
}
