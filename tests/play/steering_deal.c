/* What an operator with all keys can do to the deal of a game: see play/steering. */
#include "house/steering.h"

#define JOINERS 5
#define TRIES   6

/* ---- those who join ---- */

static struct secret joiner[JOINERS];
static struct signed_text joins[JOINERS];
static const char *const joiner_names[JOINERS] = {"anna", "ben", "cleo", "dan", "eve"};

/* Signed for the game as it was made. */
static void write_joins(const struct game *game)
{
    char head[2 * HEAD_BYTES + 1];
    hex_to(head, game->journal.create_head, HEAD_BYTES);
    for (int i = 0; i < JOINERS; i++) {
        joins[i] = (struct signed_text){.exact = STR_INIT};
        str_addf(&joins[i].exact, "#turnpost join\ngame: gc-1\nhead: %s\n#end\n", head);
        secret_new(&joiner[i]);
        text_finish(&joins[i], &joiner[i]);
    }
}

static void begin_open(void)
{
    table_open(&table);
    steer_make("r---");
    write_joins(&table.game);
}

static void end_open(void)
{
    for (int i = 0; i < JOINERS; i++)
        text_release(&joins[i]);
    table_close(&table);
}

static void join(struct history *h, int who)
{
    struct err err = ERR_INIT;
    struct join_input input = {.player = joiner_names[who],
                               .exact = slice_str(&joins[who].exact),
                               .signature = joins[who].signature};
    json_t *marks = text_evidence(joiner_names[who], &joins[who]);
    input.members = marks;
    input.seat = seating_place(&h->game, joiner_names[who], 0, &input.drawn);
    ck_ok(step_join(&h->step, &h->game, &input, &err), err);
    ck_ok(step_begin(&h->step, &h->game, &err), err);
    json_decref(marks);
}

struct played {
    struct tally tally;
    const char *words;
};

static struct played play_open(void (*cheat)(struct played *))
{
    struct played played = {.words = ""};
    begin_open();
    cheat(&played);
    end_open();
    return played;
}

static void seated_in_any_order(struct played *played)
{
    static const int orders[][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
    for (size_t i = 0; i < sizeof orders / sizeof *orders; i++) {
        struct history h;
        history_begin(&h);
        for (int k = 0; k < 3; k++, h.step.now += 5)
            join(&h, orders[i][k]);
        tally_add(&played->tally, &h);
        history_end(&h);
    }
}

START_TEST(the_order_of_joins)
{
    struct played done = play_open(seated_in_any_order);
    ck_assert_int_eq(done.tally.draw_kinds, 1);
    ck_assert_int_eq(done.tally.event_kinds, 1);
    steer_row("seats those who join in another order", "%s", tally_say(&done.tally));
}
END_TEST

/* Three seats, five texts: the one who makes the records chooses. */
static void chosen_players(struct played *played)
{
    for (int first = 0; first < JOINERS; first++)
        for (int second = first + 1; second < JOINERS; second++) {
            struct history h;
            history_begin(&h);
            for (int i = 0; i < JOINERS; i++)
                if (i != first && i != second)
                    join(&h, i);
            tally_add(&played->tally, &h);
            history_end(&h);
        }
}

START_TEST(who_of_those_who_join_gets_a_seat)
{
    struct played done = play_open(chosen_players);
    ck_assert_int_eq(done.tally.draw_kinds, 10);
    steer_row("chooses three of five who join", "%s: as many as there are choices", tally_say(&done.tally));
}
END_TEST

/* The joins are there already; the game is made again. */
static void made_again(struct played *played)
{
    for (int i = 0; i < TRIES; i++) {
        struct new_game how;
        struct history h;
        steer_how(&how, "r---");
        how.nonce[0] = (unsigned char)i;
        history_create(&h, &how, NOON + i);
        for (int k = 0; k < 3; k++)
            join(&h, k);
        if (i == 0)
            tally_add(&played->tally, &h);
        else
            played->words = history_broken(&h, "head");
        history_end(&h);
    }
}

START_TEST(an_open_game_made_again)
{
    struct played done = play_open(made_again);
    steer_row("makes an open game again over the same joins", "%s", done.words);
}
END_TEST

/* Does the key of the one game open the other? */
static bool one_key_for_both(void)
{
    unsigned char keys[2][32], commitments[2][32];
    table_open(&table);
    for (int i = 0; i < 2; i++) {
        struct new_game how;
        struct history h;
        steer_how(&how, "ab");
        how.nonce[0] = (unsigned char)i;
        history_create(&h, &how, NOON + i);
        game_seal_key(keys[i], table.master, &h.game);
        seal_key_commitment(commitments[i], keys[i]);
        ck_assert_mem_eq(commitments[i], h.game.journal.seal_commitment, 32);
        history_end(&h);
    }
    table_close(&table);
    return memcmp(keys[0], keys[1], 32) == 0;
}

START_TEST(a_name_that_is_used_again)
{
    ck_assert(!one_key_for_both());
    steer_row("uses a game's name again", "another nonce, another key");
}
END_TEST

/* Seats are kept for alice and bob; bob's answer is "lost", until the game may end. Then there is another. */
static void kept(struct new_game *how, int number)
{
    steer_how(how, "ab");
    how->seat[1].kept = how->seat[2].kept = true;
    how->nonce[0] = (unsigned char)number;
    how->answer_by = NOON + 3600;
}

static void join_kept(struct history *h, int who)
{
    struct err err = ERR_INIT;
    struct signed_text text = {.exact = STR_INIT};
    char head[2 * HEAD_BYTES + 1];
    hex_to(head, h->game.journal.create_head, HEAD_BYTES);
    str_addf(&text.exact, "#turnpost join\ngame: gc-1\nhead: %s\n#end\n", head);
    text_finish(&text, &table.players[who]);
    struct join_input input = {.player = steer_names[who],
                               .seat = who + 1,
                               .exact = slice_str(&text.exact),
                               .signature = text.signature};
    json_t *marks = text_evidence(steer_names[who], &text);
    input.members = marks;
    ck_ok(step_join(&h->step, &h->game, &input, &err), err);
    ck_ok(step_begin(&h->step, &h->game, &err), err);
    json_decref(marks);
    text_release(&text);
}

static void never_answered(struct history *h)
{
    struct err err = ERR_INIT;
    struct audit_result result;
    h->step.now = NOON + 3601;
    ck_ok(step_clock(&h->step, &h->game, &err), err);
    ck_assert(h->game.over);
    history_audit(h, &result, NULL);
    ck_assert_int_eq((int)result.verdict, AUDIT_PROVED);
}

START_TEST(kept_seats_that_nobody_took)
{
    struct tally tally = {.histories = 0};
    table_open(&table);
    for (int i = 0; i < 2 * TRIES; i++) {
        struct new_game how;
        struct history h;
        kept(&how, i / 2);
        history_create(&h, &how, NOON);
        join_kept(&h, 0);
        if (i % 2) {
            never_answered(&h);
        } else {
            join_kept(&h, 1);
            tally_add(&tally, &h);
        }
        history_end(&h);
    }
    table_close(&table);
    ck_assert_int_eq(tally.draw_kinds, TRIES);
    steer_row("lets a game with kept seats end unanswered, and asks again",
              "a deal for each game that all sign for; audit: proved");
}
END_TEST

static void cases(TCase *tc)
{
    tcase_add_test(tc, the_order_of_joins);
    tcase_add_test(tc, who_of_those_who_join_gets_a_seat);
    tcase_add_test(tc, an_open_game_made_again);
    tcase_add_test(tc, a_name_that_is_used_again);
    tcase_add_test(tc, kept_seats_that_nobody_took);
}

TEST_MAIN("play/steering_deal", cases)
