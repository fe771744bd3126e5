/* A league whose keys are the same in every run, so that kept seeds stay good. */
#ifndef TESTS_FUZZ_FIXED_H
#define TESTS_FUZZ_FIXED_H

#include <sodium.h>
#include <string.h>

#include "play/step.h"
#include "need.h"
#include "sits.h"

#define NOON ((int64_t)1795176000) /* 2026-11-20T12:00:00Z */

struct fixed {
    struct secret league, alice, bob;
    unsigned char vrf_secret[VRF_SECRET], vrf_public[VRF_PUBLIC], master[32];
};

static void fixed_secret(struct secret *secret, unsigned char which)
{
    unsigned char seed[crypto_sign_SEEDBYTES];
    memset(seed, which, sizeof seed);
    need(crypto_sign_seed_keypair(secret->point, secret->key, seed) == 0);
}

static void fixed_init(struct fixed *fixed)
{
    need(sodium_init() >= 0);
    memset(fixed, 0, sizeof *fixed);
    fixed_secret(&fixed->league, 1);
    fixed_secret(&fixed->alice, 2);
    fixed_secret(&fixed->bob, 3);
    fixed->vrf_secret[0] = 4;
    need(vrf_public(fixed->vrf_public, fixed->vrf_secret));
    memset(fixed->master, 5, sizeof fixed->master);
}

static inline struct step_keys fixed_keys(const struct fixed *fixed)
{
    return (struct step_keys){&fixed->league, fixed->vrf_secret, fixed->vrf_public, fixed->master, NULL};
}

/* gc-1: alice, bob, a robot. The step holds its first records. */
static inline void fixed_game(const struct fixed *fixed, const struct ruleset *ruleset, struct step *step,
                              struct game *game)
{
    struct err err = ERR_INIT;
    struct step_keys keys = fixed_keys(fixed);
    static const char *const names[] = {"", "alice", "bob", "hal"};
    const struct sitter by[SEATS_MAX + 1] = {[1] = {.secret = &fixed->alice}, [2] = {.secret = &fixed->bob}};
    struct new_game how = {.id = "gc-1", .ruleset = ruleset, .turn_length = 86400, .missed_robot = 3};
    for (int i = 0; i < GAME_OPTIONS && ruleset->options[i].name; i++)
        how.options[i] = ruleset->options[i].initial;
    while (how.seats < 3 && how.seats < ruleset->seats_max) {
        struct new_seat *seat = &how.seat[++how.seats];
        seat->player = names[how.seats];
        seat->robot = how.seats == 3;
    }
    step_init(step, &keys, NOON);
    need(sits_create(step, game, &how, by, &err) == 0);
}

#endif
