#include "compete/field.h"

#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#include "base/encode.h"
#include "base/mem.h"

#define TURNS_MOST 2000
#define FORGETS    10 /* the last robot forgets one line in so many, nearly */

static const char field_prefix[] = "turnpost/field"; /* with its NUL */

/* R of a robot's turn: BLAKE2b-512(prefix || nonce || le32 robot || le32 turn). */
static void root_of(unsigned char root[64], const unsigned char *nonce, int robot, int turn)
{
    crypto_generichash_state st;
    unsigned char numbers[8];
    put_le32(numbers, (uint32_t)robot);
    put_le32(numbers + 4, (uint32_t)turn);
    crypto_generichash_init(&st, NULL, 0, 64);
    crypto_generichash_update(&st, (const unsigned char *)field_prefix, sizeof field_prefix);
    crypto_generichash_update(&st, nonce, SEAL_NONCE);
    crypto_generichash_update(&st, numbers, sizeof numbers);
    crypto_generichash_final(&st, root, 64);
}

void field_forget(const struct field_deal *deal, const int robot[2], int turn, struct slice lines,
                  struct str *kept)
{
    struct chance chance;
    struct slice line;
    unsigned char root[64];
    int number = 0;
    root_of(root, deal->nonce, robot[0], turn);
    chance_replay(&chance, root, NULL);
    while (slice_line(&lines, &line)) {
        char label[CHANCE_LABEL];
        chance_label(label, "line/%d", ++number);
        if (chance_pick(&chance, FORGETS * (uint32_t)robot[1], label) < (uint32_t)robot[0])
            continue;
        str_addslice(kept, line);
        str_addc(kept, '\n');
    }
}

/* One turn; its orders are those of a player who is there, be they none. */
static void play_turn(const struct field_deal *deal, const int robot[2], int turn, void *state)
{
    struct seat_orders orders[SEATS_MAX + 1] = {{.script = NULL}};
    struct str lines = STR_INIT, kept = STR_INIT;
    struct events events;
    struct chance chance;
    deal->ruleset->robot(deal->cards, state, 1, &lines);
    field_forget(deal, robot, turn, slice_str(&lines), &kept);
    struct script *script = script_parse(slice_str(&kept), deal->ruleset->language);
    orders[1].script = orders[1].standing = script;
    orders[1].robot = true;
    chance_seeded(&chance, field_prefix, sizeof field_prefix); /* nothing is drawn any more */
    events_init(&events);
    deal->ruleset->play(deal->cards, state, &(struct resolution){orders, turn, &chance, &events});
    events_release(&events);
    script_free(script);
    str_release(&lines);
    str_release(&kept);
}

int field_play(const struct field_deal *deal, int robots, int *scores, struct err *err)
{
    void *state = mem_alloc(deal->ruleset->state_size);
    int rc = 0;
    for (int robot = 0; rc == 0 && robot < robots; robot++) {
        struct score score[SEATS_MAX + 1];
        int turn = 1;
        memcpy(state, deal->state, deal->ruleset->state_size);
        for (; turn <= TURNS_MOST && deal->ruleset->awaits(state); turn++)
            play_turn(deal, (const int[2]){robot, robots}, turn, state);
        if (turn > TURNS_MOST)
            rc = err_set(err, ERR_BROKEN, "a robot plays %d turns of %s without an end", TURNS_MOST,
                         deal->ruleset->title);
        memset(score, 0, sizeof score);
        deal->ruleset->end.scores(deal->cards, state, score);
        scores[robot] = score[1].points;
    }
    free(state);
    return rc;
}
