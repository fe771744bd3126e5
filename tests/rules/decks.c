/* Decks of a game that is none: what a seat sees of them, what concealing leaves and mixes, which states are impossible. */
#include "rules/decks.h"

#include <stdio.h>
#include <string.h>

#include "rules/event.h"
#include "suite.h"

/* Cards 1 to 6 in numbers of all widths: a pile face down, two hands, the first of which seat 2 has spied out, and a table. */
struct toy {
    int pile_count, table_count;
    uint8_t pile[8], table[8];
    uint16_t hand[2]; /* above 100 */
    int32_t guest;    /* face down */
    enum deck_rest rest;
};

static void toy_decks(const void *cards, const void *from, struct decks *to)
{
    const struct toy *toy = from;
    (void)cards;
    struct deck *deck = deck_add(to, "toy card", toy->rest, 6);
    deck_pile(deck, toy->pile, toy->pile_count, 0);
    deck_pile(deck, toy->table, toy->table_count, EVENT_PUBLIC);
    deck_put(deck, (struct place){&toy->hand[0], sizeof toy->hand[0], SEAT_BIT(1) | SEAT_BIT(2), 100});
    deck_put(deck, (struct place){&toy->hand[1], sizeof toy->hand[1], SEAT_BIT(2), 100});
    deck_put(deck, PLACE(toy->guest, 0));
}

static const struct toy dealt = {
    .pile_count = 2, .pile = {5, 1}, .table_count = 1, .table = {4}, .hand = {103, 106}, .guest = 2};

static void ck_unseen(const struct toy *toy, int seat, const char *cards)
{
    uint8_t unseen[DECK_CARDS];
    char text[DECK_CARDS + 1] = "";
    const int count = decks_unseen(toy_decks, NULL, toy, 0, seat, unseen);
    for (int i = 0; i < count; i++)
        text[i] = (char)('0' + unseen[i]);
    ck_assert_str_eq(text, cards);
}

START_TEST(who_has_not_seen_which)
{
    struct toy toy = dealt;
    ck_unseen(&toy, 0, "12356");
    ck_unseen(&toy, 1, "1256");
    ck_unseen(&toy, 2, "125");
    toy.table_count = 0; /* the card on the table lies nowhere any more */
    toy.rest = REST_BOXED;
    ck_unseen(&toy, 2, "1245");
    toy.rest = REST_KNOWN;
    ck_unseen(&toy, 2, "125");
    ck_assert_int_eq(decks_unseen(toy_decks, NULL, &toy, 1, 0, (uint8_t[DECK_CARDS]){0}), 0);
}
END_TEST

/* Conceals many times: `came[place][card]`, for the pile, seat 2's own card and the guest. */
static void conceal(const struct toy *toy, int seat, int came[4][8])
{
    memset(came, 0, 4 * sizeof *came);
    for (int i = 0; i < 600; i++) {
        struct toy other = *toy;
        struct chance chance;
        chance_seeded(&chance, &i, sizeof i);
        decks_conceal(toy_decks, NULL, &other, seat, &chance);
        ck_assert_int_eq(other.table[0], 4);
        ck_assert_int_eq(other.pile[2], 0);
        came[0][other.pile[0]]++;
        came[1][other.pile[1]]++;
        came[2][other.hand[1] - 100]++;
        came[3][other.guest]++;
        if (seat)
            ck_assert_int_eq(other.hand[0], 103);
    }
}

START_TEST(each_card_that_is_not_seen_may_lie_in_each_place)
{
    int came[4][8];
    conceal(&dealt, 1, came);
    for (int place = 0; place < 4; place++)
        for (int card = 1; card <= 6; card++) {
            const bool open = card == 3 || card == 4;
            ck_assert_msg(open ? !came[place][card] : came[place][card] > 100 && came[place][card] < 200,
                          "card %d came %d times to place %d", card, came[place][card], place);
        }
    conceal(&dealt, 2, came);
    ck_assert_int_eq(came[2][6], 600); /* its own stays */
    ck_assert_int_eq(came[0][6] + came[1][6] + came[3][6], 0);
}
END_TEST

/* What lies in the box may as well lie here; what is known to be gone does not come back. */
START_TEST(the_rest_of_a_deck)
{
    int came[4][8];
    struct toy toy = dealt;
    toy.pile_count = 1;
    toy.pile[1] = 0; /* card 1 lies nowhere */
    toy.rest = REST_BOXED;
    conceal(&toy, 1, came);
    ck_assert_int_gt(came[0][1], 100);
    toy.rest = REST_KNOWN;
    conceal(&toy, 1, came);
    ck_assert_int_eq(came[0][1] + came[2][1] + came[3][1], 0);
    ck_assert_int_gt(came[0][5], 100);
}
END_TEST

/* What was hidden where leaves no trace. */
START_TEST(nothing_of_the_old_arrangement_is_left)
{
    for (int i = 0; i < 50; i++) {
        struct toy one = dealt, other = dealt;
        struct chance chance;
        other.pile[0] = 6;
        other.pile[1] = 2;
        other.hand[1] = 101;
        other.guest = 5;
        chance_seeded(&chance, &i, sizeof i);
        decks_conceal(toy_decks, NULL, &one, 1, &chance);
        chance_seeded(&chance, &i, sizeof i);
        decks_conceal(toy_decks, NULL, &other, 1, &chance);
        ck_assert_mem_eq(&one, &other, sizeof one);
    }
}
END_TEST

static void ck_impossible(const struct toy *toy, const char *why)
{
    struct err err = ERR_INIT;
    ck_assert_int_eq(decks_check(toy_decks, NULL, toy, &err), *why ? -1 : 0);
    ck_assert_str_eq(err.text, why);
}

START_TEST(each_card_is_in_one_place)
{
    struct toy toy = dealt;
    ck_impossible(&toy, "");
    toy.table[0] = 7;
    ck_impossible(&toy, "There is no toy card 7 in this game.");
    toy.table[0] = 6;
    ck_impossible(&toy, "The toy card 6 would lie in two places.");
    toy.table_count = 0;
    ck_impossible(&toy, "The toy card 4 would be nowhere.");
    toy.rest = REST_KNOWN;
    ck_impossible(&toy, "");
    toy.guest = -1;
    ck_impossible(&toy, "There is no toy card -1 in this game.");
    toy.guest = 2 + 256;
    ck_impossible(&toy, "There is no toy card 258 in this game.");
    toy.guest = 2;
    toy.hand[0] = 3;
    ck_impossible(&toy, "There is no toy card -97 in this game.");
}
END_TEST

/* More places than there are cards: a damaged state. */
static void crowded_decks(const void *cards, const void *from, struct decks *to)
{
    struct deck *deck = deck_add(to, "toy card", REST_NONE, 6);
    (void)cards;
    for (int i = 0; i < 2 * DECK_PLACES; i++)
        deck_put(deck, PLACE(((const struct toy *)from)->pile[i % 6], 0));
}

START_TEST(too_many_places_are_survived)
{
    struct toy toy = {.pile = {1, 2, 3, 4, 5, 6}};
    struct err err = ERR_INIT;
    struct chance chance;
    ck_assert_int_eq(decks_check(crowded_decks, NULL, &toy, &err), -1);
    chance_seeded(&chance, "crowd", 5);
    decks_conceal(crowded_decks, NULL, &toy, 0, &chance);
}
END_TEST

static void cases(TCase *tc)
{
    tcase_add_test(tc, who_has_not_seen_which);
    tcase_add_test(tc, each_card_that_is_not_seen_may_lie_in_each_place);
    tcase_add_test(tc, the_rest_of_a_deck);
    tcase_add_test(tc, nothing_of_the_old_arrangement_is_left);
    tcase_add_test(tc, each_card_is_in_one_place);
    tcase_add_test(tc, too_many_places_are_survived);
}
TEST_MAIN("rules/decks", cases)
