#include "compete/draw.h"

#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#include "base/date.h"
#include "base/encode.h"
#include "base/mem.h"
#include "chance/draw.h"
#include "compete/apply.h"
#include "compete/division.h"
#include "compete/meetings.h"

static const char pairing_prefix[] = "turnpost/pairing"; /* all with their NUL */
static const char entry_prefix[] = "turnpost/entry";
static const char table_prefix[] = "turnpost/table";
static const char deal_prefix[] = "turnpost/deal";
static const char nonce_prefix[] = "turnpost/nonce";
static const char tables_prefix[] = "turnpost/tables";

static void add_number(struct str *out, size_t number)
{
    unsigned char bytes[4];
    put_le32(bytes, (uint32_t)number);
    str_add(out, bytes, sizeof bytes);
}

static void add_name(struct str *out, const char *name)
{
    add_number(out, strlen(name));
    str_adds(out, name);
}

static void hash(unsigned char *out, size_t len, const struct str *text)
{
    crypto_generichash(out, len, (const unsigned char *)text->p, text->len, NULL, 0);
}

static void add_entry(struct str *alpha, const struct entrant *entrant)
{
    unsigned char digest[32];
    struct str text = STR_INIT;
    str_add(&text, entry_prefix, sizeof entry_prefix);
    add_name(&text, entrant->name);
    str_add(&text, entrant->mark, SEAL_BYTES);
    hash(digest, sizeof digest, &text);
    str_add(alpha, digest, sizeof digest);
    str_release(&text);
}

void compete_alpha(struct str *alpha, const struct competition *c, int round, int attempt)
{
    str_add(alpha, pairing_prefix, sizeof pairing_prefix);
    str_add(alpha, c->keys.nonce, sizeof c->keys.nonce);
    add_name(alpha, c->name);
    add_number(alpha, (size_t)round);
    add_number(alpha, (size_t)attempt);
    add_number(alpha, competition_players(c));
    for (size_t i = 0; i < c->entrant_count; i++)
        if (entrant_plays(c, &c->entrants[i]))
            add_entry(alpha, &c->entrants[i]);
}

void compete_table_alpha(struct str *alpha, const struct competition *c, int round, int table)
{
    bool deal = c->kind == COMPETE_DUPLICATE;
    if (deal)
        str_add(alpha, deal_prefix, sizeof deal_prefix);
    else
        str_add(alpha, table_prefix, sizeof table_prefix);
    str_add(alpha, c->keys.nonce, sizeof c->keys.nonce);
    add_name(alpha, c->name);
    add_number(alpha, (size_t)round);
    if (!deal)
        add_number(alpha, (size_t)table);
    add_number(alpha, (size_t)c->rounds[round - 1].attempt);
    const struct quorum_dice *dice = &c->rounds[round - 1].dice;
    str_add(alpha, dice->beta, dice->count * VRF_OUTPUT);
}

void compete_lockstep(struct lockstep *lockstep, const struct competition *c, int round)
{
    *lockstep = (struct lockstep){.on = true,
                                  .opens = c->rounds[round - 1].opens,
                                  .hours = (int)(c->clock.length / HOUR_SECONDS),
                                  .closes = c->rounds[round - 1].end};
}

void compete_game_nonce(unsigned char nonce[SEAL_NONCE], const unsigned char beta[VRF_OUTPUT])
{
    struct str text = STR_INIT;
    str_add(&text, nonce_prefix, sizeof nonce_prefix);
    str_add(&text, beta, VRF_OUTPUT);
    hash(nonce, SEAL_NONCE, &text);
    str_release(&text);
}

void drawn_release(struct drawn *drawn)
{
    free(drawn->tables);
    free(drawn->byes);
    for (size_t i = 0; i < drawn->division_count; i++)
        free(drawn->divisions[i].names);
    free(drawn->divisions);
    memset(drawn, 0, sizeof *drawn);
}

void drawn_digest(struct drawn *drawn)
{
    struct str text = STR_INIT;
    str_add(&text, tables_prefix, sizeof tables_prefix);
    add_number(&text, drawn->count);
    for (size_t i = 0; i < drawn->count; i++) {
        add_number(&text, (size_t)drawn->tables[i].seats);
        for (int seat = 1; seat <= drawn->tables[i].seats; seat++)
            add_name(&text, drawn->tables[i].player[seat]);
    }
    add_number(&text, drawn->bye_count);
    for (size_t i = 0; i < drawn->bye_count; i++)
        add_name(&text, drawn->byes[i]);
    hash(drawn->digest, sizeof drawn->digest, &text);
    str_release(&text);
}

int compete_least(const struct competition *c)
{
    if (c->kind == COMPETE_DUPLICATE)
        return 2; /* with one there is nothing to compare */
    return c->kind == COMPETE_DIVISIONS && c->round == 0 ? DIVISION_LEAST : c->seats;
}

/* u(n) of chance/draw.h is for at most 256 things a shuffle; here there may be thousands. */
static size_t *draw_order(const struct quorum_dice *dice, size_t count)
{
    struct chance chance;
    unsigned char root[64];
    size_t *order = mem_array(count + 1, sizeof *order);
    chance_root(root, dice->beta, dice->count);
    chance_replay(&chance, root, NULL);
    for (size_t i = 0; i < count; i++)
        order[i] = i;
    for (size_t i = count; i > 1; i--) {
        char label[CHANCE_LABEL];
        chance_label(label, "order/%zu", i);
        size_t other = chance_pick(&chance, (uint32_t)i, label), kept = order[i - 1];
        order[i - 1] = order[other];
        order[other] = kept;
    }
    return order;
}

void compete_mix(struct quorum_dice *dice, const struct competition *c, int attempt,
                 const unsigned char beta[VRF_OUTPUT])
{
    static const struct quorum nobody;
    quorum_mix(dice, attempt == 1 ? &c->witnesses : &nobody, beta);
}

int compete_draw(const struct competition *c, int round, const struct quorum_dice *dice, struct drawn *drawn,
                 struct err *err)
{
    size_t count = competition_players(c), at = 0;
    if (count < (size_t)compete_least(c))
        return err_set(err, ERR_INPUT, "%s: %zu player%s too few for a round", c->name, count,
                       count == 1 ? " is" : "s are");
    const struct entrant **players = mem_array(count, sizeof *players);
    const struct entrant **ordered = mem_array(count, sizeof *ordered);
    for (size_t i = 0; i < c->entrant_count; i++)
        if (entrant_plays(c, &c->entrants[i]))
            players[at++] = &c->entrants[i];
    size_t *order = draw_order(dice, count);
    for (size_t i = 0; i < count; i++)
        ordered[i] = players[order[i]];
    meetings_draw(c, round, ordered, count, drawn);
    drawn_digest(drawn);
    free(order);
    free(ordered);
    free(players);
    return 0;
}
