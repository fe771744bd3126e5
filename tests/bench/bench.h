/* What the programs of this folder share. */
#ifndef BENCH_H
#define BENCH_H

#include <sodium.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/encode.h"
#include "base/err.h"
#include "play/step.h"
#include "trust/secret.h"
#include "trust/signature.h"

#define NOW ((int64_t)1795176000) /* 2026-11-20T12:00:00Z */
#define DAY ((int64_t)86400)

/* Processor time of this thread. */
static inline double seconds(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

/* As games are made by default, but none ends because its rounds are over. */
static inline int bench_option(const struct game_option *option)
{
    return strcmp(option->name, "rounds") == 0 ? 0 : option->initial;
}

static inline void fail(const struct err *err)
{
    (void)fprintf(stderr, "bench: %s\n", err->text);
    exit(EXIT_FAILURE);
}

/* The key of player number n: always the same one. */
static inline void player_secret(struct secret *secret, int n)
{
    unsigned char seed[crypto_sign_SEEDBYTES] = {'b', 'e', 'n', 'c', 'h'};
    memcpy(seed + 8, &n, sizeof n);
    memset(secret, 0, sizeof *secret);
    (void)crypto_sign_seed_keypair(secret->point, secret->key, seed);
}

/* Orders for the open turn, up to the line in which they say which table was seen. */
static inline void orders_begin(struct str *text, const struct game *game)
{
    char head[2 * HEAD_BYTES + 1];
    game_answer_head(head, game);
    str_addf(text, "#turnpost orders\ngame: %s\nturn: %d\nhead: %s\n", game->id, game->turn, head);
}

/* What a journal keeps of a signature, as far as a step looks at it. New reference. */
static inline json_t *signature_facts(const unsigned char sig[crypto_sign_BYTES])
{
    struct str bytes = STR_INIT;
    base64_encode(&bytes, sig, crypto_sign_BYTES);
    json_t *facts = json_pack("{s:s,s:s}", "key", "bench", "sig", bytes.p);
    str_release(&bytes);
    return facts;
}

#endif
