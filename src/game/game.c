#include "game/game.h"

#include <assert.h>
#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#include "base/encode.h"
#include "base/mem.h"
#include "game/game_rows.h"

#define BUILT_IN_MOST 16

void game_init(struct game *game)
{
    memset(game, 0, sizeof *game);
    keep_init(game_rows, game);
}

void game_release(struct game *game)
{
    keep_release(game_rows, game);
    free(game->own_cards);
    free(game->state);
    free(game->told.was);
    game_init(game);
}

const unsigned char *game_root(const struct game *game)
{
    return *game->table.place.name ? game->draws.nonce : game->journal.create_head;
}

void game_seal_key(unsigned char key[32], const unsigned char master[32], const struct game *game)
{
    seal_key(key, master, game->id, game->draws.nonce);
}

void game_press_key(unsigned char key[32], const unsigned char master[32], const struct game *game)
{
    seal_press_key(key, master, game->id, game->draws.nonce);
}

bool game_cut_short(const struct game *game)
{
    return game->turn > 0 && !game->voided && game->table.place.until &&
           game->ruleset->awaits(game->state) != 0;
}

void game_scores(const struct game *game, struct score scores[SEATS_MAX + 1])
{
    memset(scores, 0, (SEATS_MAX + 1) * sizeof *scores);
    game->ruleset->end.scores(game->cards, game->state, scores);
    for (int seat = 1; seat <= game->seats && game_cut_short(game); seat++) {
        scores[seat].won = false;
        scores[seat].place = scores[seat].fate != SEAT_LOST;
        for (int other = 1; other <= game->seats && scores[seat].place; other++)
            scores[seat].place +=
                scores[other].fate != SEAT_LOST && scores[other].points > scores[seat].points;
    }
}

const char *game_ending(const struct game *game)
{
    if (game_cut_short(game))
        return GAME_ROUND_OVER;
    if (!game->over)
        return "unanswered";
    return game->voided ? "void" : game->ruleset->end.ending(game->state);
}

int game_free_seats(const struct game *game)
{
    int count = 0;
    for (int seat = 1; seat <= game->seats; seat++)
        count += !*game->seat[seat].player;
    return count;
}

bool game_ready(const struct game *game)
{
    return game->seq && game->turn == 0 && !game->over && !game->clock.paused && !game->clock.held &&
           game_free_seats(game) == 0;
}

bool game_waits(const struct game *game, const char *player)
{
    for (size_t i = 0; i < game->table.waiting_count; i++)
        if (strcmp(game->table.waiting[i].player, player) == 0)
            return true;
    return false;
}

int game_seat_of(const struct game *game, const char *player)
{
    for (int seat = 1; seat <= game->seats; seat++)
        if (!game->seat[seat].robot && strcmp(game->seat[seat].player, player) == 0)
            return seat;
    return 0;
}

uint32_t game_awaited(const struct game *game)
{
    if (game->over || game->turn == 0)
        return 0;
    uint32_t wanted = game->ruleset->awaits(game->state);
    uint32_t people = 0;
    for (int seat = 1; seat <= game->seats; seat++)
        if (!game->seat[seat].robot)
            people |= SEAT_BIT(seat);
    return wanted & people;
}

uint32_t game_missing(const struct game *game)
{
    uint32_t missing = game_awaited(game);
    for (int seat = 1; seat <= game->seats; seat++)
        if (game->seat[seat].orders.in)
            missing &= ~SEAT_BIT(seat);
    return missing;
}

bool game_robot_stands_in(const struct game *game, int seat)
{
    return game->attendance.missed_robot && game->seat[seat].missed >= game->attendance.missed_robot;
}

bool game_may_order(const struct game *game, int seat)
{
    struct score scores[SEATS_MAX + 1];
    if (game->turn == 0)
        return false;
    if (!game->ruleset->early || !seat || game->seat[seat].robot)
        return seat && (game_awaited(game) & SEAT_BIT(seat));
    memset(scores, 0, sizeof scores);
    game->ruleset->end.scores(game->cards, game->state, scores);
    return scores[seat].fate == SEAT_PLAYING;
}

/* Nobody else would have to wait for them, or the deadline ends it. */
static bool waits_alone(const struct game *game)
{
    int people = 0;
    for (int seat = 1; seat <= game->seats; seat++)
        people += !game->seat[seat].robot;
    return people < 2 || game->clock.deadline;
}

struct game_delay game_delay(const struct game *game, int seat)
{
    const struct game_orders *orders = &game->seat[seat].orders;
    const struct game_delay none = {0, 0};
    if (!orders->in || (!orders->question && (orders->set || orders->final)))
        return none;
    if (orders->waits || orders->question) {
        int64_t from = orders->waits_since > game->opened.at ? orders->waits_since : game->opened.at;
        return (struct game_delay){from, waits_alone(game) ? DELAY_NO_END : from + TYPO_WAIT_MOST};
    }
    if (!orders->complete || !game->clock.second_thoughts)
        return none;
    return (struct game_delay){orders->complete, orders->complete + game->clock.second_thoughts};
}

/* Awaited, whether orders are in or not. */
static uint32_t questioned(const struct game *game)
{
    uint32_t seats = game_awaited(game);
    for (int seat = 1; seat <= game->seats; seat++)
        if (!game->seat[seat].orders.question)
            seats &= ~SEAT_BIT(seat);
    return seats;
}

uint32_t game_unsettled(const struct game *game)
{
    uint32_t in = game_awaited(game) & ~game_missing(game), seats = questioned(game);
    for (int seat = 1; seat <= game->seats; seat++)
        seats |= game->seat[seat].orders.waits ? SEAT_BIT(seat) : 0;
    return seats & in;
}

uint32_t game_unreminded(const struct game *game)
{
    return (game_missing(game) | questioned(game) | game_unsettled(game)) & ~game->clock.reminded;
}

bool game_all_in(const struct game *game)
{
    uint32_t awaited = game_awaited(game);
    if (game_missing(game) || game->closed || game->clock.paused || game->clock.held ||
        (awaited && !game->clock.schedule.early))
        return false;
    for (int seat = 1; seat <= game->seats; seat++)
        if ((awaited & SEAT_BIT(seat)) &&
            (game->seat[seat].orders.wait || game_delay(game, seat).until == DELAY_NO_END))
            return false;
    return true;
}

static const struct game_mark *find_head(const struct game *game, const char *hex)
{
    char text[2 * HEAD_BYTES + 1];
    for (size_t i = 0; i < game->seen.heads.count; i++) {
        hex_to(text, game->seen.heads.list[i].digest, HEAD_BYTES);
        if (str_starts(text, hex))
            return &game->seen.heads.list[i];
    }
    return NULL;
}

int64_t game_head_record(const struct game *game, const char *hex)
{
    const struct game_mark *head = find_head(game, hex);
    return head ? game->seq - (&game->seen.heads.list[game->seen.heads.count - 1] - head) : 0;
}

int64_t game_head_time(const struct game *game, const char *hex)
{
    const struct game_mark *head = find_head(game, hex);
    return head ? head->time : 0;
}

bool game_knows_head(const struct game *game, const char *hex)
{
    return game_head_record(game, hex) != 0;
}

void game_answer_head(char hex[2 * HEAD_BYTES + 1], const struct game *game)
{
    hex_to(hex, !game->turn ? game->journal.create_head : game->opened.head, HEAD_BYTES);
}

bool game_whole_head(const char *hex)
{
    return strlen(hex) == (size_t)2 * HEAD_BYTES;
}

bool game_leaves_room(const struct game *game, int seat, size_t len)
{
    const struct game_seat *who = &game->seat[seat];
    return who->texts + 2 <= ORDERS_TEXTS && who->text_bytes + 2 * (int64_t)len <= ORDERS_BYTES;
}

void game_text_digest(unsigned char digest[32], const struct game *game, int seat, struct slice canonical)
{
    const char *player = game->seat[seat].player;
    unsigned char number[4];
    crypto_generichash_state st;
    put_le32(number, (uint32_t)seat);
    crypto_generichash_init(&st, NULL, 0, 32);
    crypto_generichash_update(&st, number, sizeof number);
    crypto_generichash_update(&st, (const unsigned char *)player, strlen(player) + 1);
    crypto_generichash_update(&st, (const unsigned char *)canonical.p, canonical.len);
    crypto_generichash_final(&st, digest, 32);
}

bool game_knows_text(const struct game *game, int seat, struct slice canonical)
{
    unsigned char digest[32];
    game_text_digest(digest, game, seat, canonical);
    return game_knows_digest(game, digest);
}

bool game_knows_digest(const struct game *game, const unsigned char digest[32])
{
    for (size_t i = 0; i < game->seen.texts.count; i++)
        if (memcmp(game->seen.texts.list[i].digest, digest, 32) == 0)
            return true;
    return false;
}

bool game_knows_mail(const struct game *game, const unsigned char digest[32])
{
    for (size_t i = 0; i < game->seen.mails.count; i++)
        if (memcmp(game->seen.mails.list[i].digest, digest, 32) == 0)
            return true;
    return false;
}

static int load_cards(const struct ruleset *ruleset, const json_t *json, void **cards,
                      unsigned char digest[32], struct err *err)
{
    struct str text = STR_INIT;
    *cards = mem_alloc(ruleset->cards_size);
    if (ruleset->cards_load(json, *cards, err)) {
        free(*cards);
        *cards = NULL;
        return -1;
    }
    json_write(&text, json);
    crypto_generichash(digest, 32, (const unsigned char *)text.p, text.len, NULL, 0);
    str_release(&text);
    return 0;
}

/* The built-in cards: constants, read when they are first asked for. */
struct built_in {
    const struct ruleset *ruleset;
    void *cards;
    unsigned char digest[32];
};

static const struct built_in *built_in_cards(const struct ruleset *ruleset, struct err *err)
{
    static struct built_in known[BUILT_IN_MOST];
    struct built_in *at = known;
    while (at->ruleset && at->ruleset != ruleset)
        at++;
    if (at->ruleset)
        return at;
    assert(at < known + BUILT_IN_MOST - 1);
    json_t *json = json_read(ruleset_cards(ruleset), "cards.json", err);
    if (json && load_cards(ruleset, json, &at->cards, at->digest, err) == 0)
        at->ruleset = ruleset;
    json_decref(json);
    return at->ruleset ? at : NULL;
}

int game_set_cards(struct game *game, const json_t *json, struct err *err)
{
    free(game->own_cards);
    game->own_cards = NULL;
    if (json) {
        if (load_cards(game->ruleset, json, &game->own_cards, game->cards_digest, err))
            return -1;
        game->cards = game->own_cards;
        return 0;
    }
    const struct built_in *built_in = built_in_cards(game->ruleset, err);
    if (!built_in)
        return -1;
    game->cards = built_in->cards;
    memcpy(game->cards_digest, built_in->digest, sizeof built_in->digest);
    return 0;
}

struct store_pos game_end(const struct game *game)
{
    return (struct store_pos){game->seq, game->journal.length};
}
