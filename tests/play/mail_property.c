/* Random games of players with keys and without, each twice: with random replies for which mail domains vouch, and
 * without them. Whatever comes by mail, whoever has a key has the same orders in force at each close. */
#include "house/sits_mailed.h"
#include "house/table.h"
#include "seat_gets.h"

#include <time.h>

#include "game/game_seats.h"
#include "game/turn.h"
#include "play/replies.h"

#define TURNS  4
#define EVENTS 12 /* of a turn */

static struct table with, without;
static struct domain domain;
static uint64_t seed;
static const char *const players[] = {"alice", "bob", "carol", "dora"};
static unsigned had_key, has_key; /* a bit for each seat: from the beginning, now */

static uint32_t roll(uint32_t n)
{
    seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
    return (uint32_t)(seed >> 33) % n;
}

static void begin(void)
{
    seed = luck_seed(0);
    table_open(&with);
    table_open(&without);
    memcpy(without.players, with.players, sizeof with.players);
    domain_open(&domain, 1);
}

static void end(void)
{
    domain_close(&domain);
    table_close(&with);
    table_close(&without);
}

static void create(struct table *t, int seats)
{
    struct err err = ERR_INIT;
    struct step step;
    struct new_game how = {.id = "gc-1",
                           .ruleset = ruleset_newest("galaxy-command"),
                           .turn_length = 86400,
                           .missed_robot = 99,
                           .by_mail = true,
                           .seats = seats};
    struct step_keys keys = table_keys(t);
    struct sitter by[SEATS_MAX + 1] = {{NULL}};
    for (int i = 0; how.ruleset->options[i].name; i++)
        how.options[i] = how.ruleset->options[i].initial;
    for (int seat = 1; seat <= seats; seat++) {
        how.seat[seat].player = players[seat - 1];
        if ((has_key >> seat) & 1U)
            by[seat].secret = &t->players[seat - 1];
        else
            by[seat] = (struct sitter){.domain = &domain, .mails = sits_by_mail};
    }
    step_init(&step, &keys, NOON);
    ck_ok(sits_create(&step, &t->game, &how, by, &err), err);
    table_commit(t, &step, 0, 0);
}

/* ---- what comes ---- */

static const char *random_lines(void)
{
    static const char *const lines[] = {"bide\n",
                                        "explore near\n",
                                        "explore near\nbuild\n",
                                        "build\n",
                                        "explore far or bide\n",
                                        "frobnicate\n",
                                        "cancel all\n",
                                        "always explore near\n",
                                        "say all hello\n",
                                        "resign\n",
                                        "help\n",
                                        "research robots or bide\n"};
    return lines[roll(sizeof lines / sizeof *lines)];
}

static void write_mail(struct str *mail, int64_t sent, const char *lines)
{
    struct str body = STR_INIT;
    struct slice rest = slice_of(lines), line;
    char head[2 * HEAD_BYTES + 1];
    game_answer_head(head, &with.game);
    while (slice_line(&rest, &line))
        str_addf(&body, "%.*s\r\n", (int)line.len, line.p);
    str_addf(&body, "\r\n> #-k3v7q2m5xwtrabcd-# gc-1, turn %d, %.16s\r\n", with.game.turn, head);
    domain_mail(&domain, players[roll(4)], sent, body.p, mail);
    str_release(&body);
}

/* A reply for any seat, with any number and date, also one that came before, also with another head. */
static void reply(int64_t now)
{
    struct err err = ERR_INIT;
    struct str text = STR_INIT, mail = STR_INIT, other = STR_INIT;
    struct frame frame;
    struct step step;
    struct step_keys keys = table_keys(&with);
    struct dkim_claims claims;
    const int seat = 1 + (int)roll((uint32_t)with.game.seats);
    const int64_t sent = roll(3) ? now : NOON + 60 * (int64_t)roll(4);
    int64_t length = with.game.journal.length, last = with.game.seq;
    enum orders_fate fate = ORDERS_TAKEN;
    unsigned char digest[32] = {0};
    const char *lines = random_lines();
    write_mail(&mail, sent, lines);
    struct mail_proof proof = domain_proof(&domain, &mail, sent, &claims);
    proof.arrived = now + 7200 - (int64_t)roll(14400);
    const struct reply_orders orders = {1 + (int)roll(6), proof.content, REPLY_PLAIN, slice_of(lines), NULL};
    reply_text(&text, &with.game, &orders);
    if (roll(6) == 0) { /* of another history */
        size_t at = slice_find(slice_str(&text), "head: ");
        text.p[at + 6] = text.p[at + 6] == '0' ? '1' : '0';
    }
    canon_text(&other, slice_str(&text));
    ck_ok(frame_parse(slice_str(&other), &frame, &err), err);
    digest[0] = (unsigned char)++with.mails;
    const struct orders_input input = {.seat = seat,
                                       .frame = &frame,
                                       .exact = slice_str(&other),
                                       .canonical = slice_str(&other),
                                       .mail = digest,
                                       .proof = &proof};
    step_init(&step, &keys, now);
    step.before = table_before(&with);
    ck_ok(step_orders(&step, &with.game, &input, &fate, &err), err);
    ck_assert_msg(!(has_key >> seat & 1U) || fate != ORDERS_TAKEN, "seat %d has a key", seat);
    table_commit(&with, &step, length, last);
    str_release(&text);
    str_release(&other);
    str_release(&mail);
}

/* Signed orders, the same in both games; "wait: yes", so that turns end at their deadlines. */
static void sign(int64_t now)
{
    const int seat = 1 + (int)roll((uint32_t)with.game.seats);
    const int seq = (int)roll(4);
    const char *lines = random_lines();
    struct str fields = STR_INIT;
    if (!(has_key >> seat & 1U) || with.game.seat[seat].robot || strcmp(lines, "resign\n") == 0)
        return;
    str_addf(&fields, "turn: %d\nwait: yes\n", with.game.turn);
    if (seq)
        str_addf(&fields, "seq: %d\n", seq);
    enum orders_fate one = table_send(&with, seat, fields.p, lines, now, NULL);
    enum orders_fate two = table_send(&without, seat, fields.p, lines, now, NULL);
    ck_assert_msg(one == two, "seat %d, turn %d: %d and %d", seat, with.game.turn, (int)one, (int)two);
    str_release(&fields);
}

static void give_key(struct table *t, int seat, int64_t now)
{
    struct err err = ERR_INIT;
    struct step step;
    struct step_keys keys = table_keys(t);
    struct pubkey key;
    int64_t length = t->game.journal.length, last = t->game.seq;
    secret_public(&t->players[seat - 1], &key);
    step_init(&step, &keys, now);
    ck_ok(seat_gets(&step, &t->game, seat, &key, &err), err);
    table_commit(t, &step, length, last);
}

/* ---- comparing ---- */

static void compare(unsigned signed_seats)
{
    unsigned char one[SEATS_MAX + 1][SEAL_BYTES], two[SEATS_MAX + 1][SEAL_BYTES];
    static const unsigned char none[SEAL_BYTES];
    memset(one, 0, sizeof one);
    memset(two, 0, sizeof two);
    turn_marks(&with.game, one);
    turn_marks(&without.game, two);
    for (int seat = 1; seat <= with.game.seats; seat++) {
        const struct game_seat *a = &with.game.seat[seat], *b = &without.game.seat[seat];
        if (!(signed_seats >> seat & 1U))
            continue;
        ck_assert_msg(a->orders.in == b->orders.in && a->orders.seq == b->orders.seq && !a->orders.by_mail &&
                          strcmp(a->orders.text.p, b->orders.text.p) == 0,
                      "seat %d, turn %d: \"%s\" and without mails \"%s\"", seat, with.game.turn,
                      a->orders.text.p, b->orders.text.p);
        if (had_key >> seat & 1U) { /* else replies of former turns may have stood for its orders */
            ck_assert_str_eq(a->standing.p, b->standing.p);
            ck_assert_int_eq(a->missed, b->missed);
        }
        ck_assert_int_eq(memcmp(one[seat], none, SEAL_BYTES) == 0, memcmp(two[seat], none, SEAL_BYTES) == 0);
    }
}

static void play_turn(int64_t *now)
{
    unsigned before = has_key;
    int64_t deadline = with.game.clock.deadline;
    ck_assert_int_eq(deadline, without.game.clock.deadline);
    for (int i = 0; i < EVENTS; i++) {
        *now += 1 + roll(3600);
        int seat = 1 + (int)roll((uint32_t)with.game.seats);
        if (roll(2))
            reply(*now);
        else if (roll(8) || seat > 3 || (has_key >> seat & 1U) || with.game.seat[seat].robot)
            sign(*now);
        else {
            give_key(&with, seat, *now);
            give_key(&without, seat, *now);
            has_key |= 1U << seat;
        }
        compare(before);
    }
    *now = deadline + 1;
    table_clock(&with, *now);
    table_clock(&without, *now);
}

START_TEST(no_reply_changes_what_a_key_has_signed)
{
    const int seats = 2 + (int)roll(3);
    int64_t now = NOON;
    has_key = 2U | (roll(16) & 0xCU); /* bits 1 to 3: seat 4 has none */
    had_key = has_key;
    create(&with, seats);
    create(&without, seats);
    for (int i = 0; i < TURNS && !with.game.over && !without.game.over; i++) {
        ck_assert_msg(with.game.turn == without.game.turn, "SEED=%llu", (unsigned long long)luck_number);
        play_turn(&now);
    }
    table_check_replay(&with);
}
END_TEST

static void cases(TCase *tc)
{
    const char *games = getenv("GAMES");
    tcase_add_checked_fixture(tc, begin, end);
    tcase_add_loop_test(tc, no_reply_changes_what_a_key_has_signed, 0, games ? atoi(games) : 6);
}
TEST_MAIN("play/mail_property", cases)
