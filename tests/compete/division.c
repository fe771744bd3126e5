/* Promotion and relegation: by hand, and that nobody is lost. */
#include "suite.h"

#include <stdbool.h>
#include <string.h>

#include "compete/division.h"
#include "compete/random.h"

#define MOST 100

/* Divisions with spaces, letters in the order of places, capital = does not play on; letters from a are the numbers. */
static void is(const char *divisions, size_t promote, size_t size, const char *reserves, const char *want)
{
    struct division_player players[MOST];
    size_t sizes[MOST] = {0}, count = 1, all = 0;
    uint32_t waiting[MOST];
    for (const char *p = divisions; *p; p++) {
        if (*p == ' ') {
            count++;
            continue;
        }
        const bool confirmed = *p >= 'a';
        sizes[count - 1]++;
        players[all++] = (struct division_player){(uint32_t)(*p - (confirmed ? 'a' : 'A')),
                                                  (uint32_t)sizes[count - 1], confirmed};
    }
    for (size_t i = 0; reserves[i]; i++)
        waiting[i] = (uint32_t)(reserves[i] - 'a');
    const struct division_input in = {players, sizes,   all ? count : 0, promote,
                                      size,    waiting, strlen(reserves)};
    struct division_season out;
    division_make(&in, &out);
    struct str text = STR_INIT;
    const uint32_t *player = out.players;
    for (size_t d = 0; d < out.count; d++) {
        str_addf(&text, "%s", d ? " " : "");
        for (size_t i = 0; i < out.sizes[d]; i++)
            str_addf(&text, "%c", 'a' + (char)*player++);
    }
    ck_assert_str_eq(text.len ? text.p : "", want);
    str_release(&text);
    division_release(&out);
}

START_TEST(up_and_down)
{
    is("abcd efgh", 1, 4, "", "abce dfgh");
    is("abcdef ghijkl mnopqr", 2, 6, "", "abcdgh efijmn klopqr");
    is("abcd efgh", 0, 4, "", "abcd efgh");
    is("abcd", 2, 4, "", "abcd");
    is("", 2, 6, "abcdefg", "abcdefg");
    is("", 2, 4, "abcdefgh", "abcd efgh");
    is("abcd efgh", 3, 4, "", "aefg bcdh"); /* as many as can */
}
END_TEST

START_TEST(gaps)
{
    is("abcD efgh", 1, 4, "i", "abce fghi"); /* who leaves would have gone down */
    is("aBcd efgh", 1, 4, "i", "aced fghi"); /* d would have gone down, and fills the gap */
    is("ABCd efgh", 1, 4, "ijkl", "edfgh ijkl");
}
END_TEST

START_TEST(sizes_change)
{
    is("abcd efgh", 1, 5, "ij", "abced fghij");
    is("abcd EFGH", 1, 4, "", "abcd");
    is("abCD EFGH", 1, 4, "", "");
    is("abcdef ghijKL", 2, 5, "", "abcdg hefij");
}
END_TEST

START_TEST(equal_places_go_by_lot)
{
    static const struct division_player players[] = {{3, 1, true}, {1, 1, true}, {2, 3, true}, {0, 3, true},
                                                     {7, 1, true}, {5, 2, true}, {6, 2, true}, {4, 2, true}};
    static const size_t sizes[] = {4, 4};
    static const uint32_t want[] = {1, 3, 0, 7, 2, 4, 5, 6};
    const struct division_input in = {players, sizes, 2, 1, 4, NULL, 0};
    struct division_season out;
    division_make(&in, &out);
    ck_assert_mem_eq(out.players, want, sizeof want);
    division_release(&out);
}
END_TEST

/* The division of a player in the season after. */
static size_t comes_to(const struct division_season *season, uint32_t player)
{
    const uint32_t *at = season->players;
    for (size_t division = 0; division < season->count; division++)
        for (size_t i = 0; i < season->sizes[division]; i++)
            if (*at++ == player)
                return division;
    ck_abort_msg("player %u is in no division", player);
}

/* Where everybody plays on, what is said of a place comes about whatever the lots are; where the lot decides, some of those who
 * share it move and some do otherwise. */
static void leads_there(const struct division_input *in, size_t division,
                        const struct division_player *players, const struct division_season *out)
{
    const size_t size = in->sizes[division];
    for (size_t first = 0, last; first < size; first = last + 1) {
        size_t others = 0;
        for (last = first; last + 1 < size && players[last + 1].place == players[first].place;)
            last++;
        const enum division_move move = division_move(in, division, first, last);
        const size_t where = comes_to(out, players[first].player);
        for (size_t at = first; at <= last; at++) {
            const size_t to = comes_to(out, players[at].player);
            others += to != where;
            if (move != DIVISION_LOT)
                ck_assert_uint_eq(to, division + (move == DIVISION_DOWN) - (move == DIVISION_UP));
        }
        ck_assert_int_eq(others > 0, move == DIVISION_LOT);
    }
}

START_TEST(the_table_leads_there)
{
    uint64_t seed = 5;
    for (int n = 0; n < 2000; n++) {
        struct division_player players[MOST];
        uint32_t number[MOST];
        size_t sizes[6];
        struct division_season out;
        struct division_input in = {.players = players, .sizes = sizes, .count = 1 + below(&seed, 5)};
        in.size = 4 + below(&seed, 5);
        in.promote = below(&seed, (uint32_t)in.size / 2 + 1);
        for (uint32_t i = 0; i < MOST; i++)
            number[i] = i;
        shuffle(&seed, number, MOST);
        for (size_t i = 0; i < in.count * in.size; i++) {
            const bool shares = i % in.size && below(&seed, 3) == 0;
            players[i] = (struct division_player){
                number[i], shares ? players[i - 1].place : (uint32_t)(i % in.size) + 1, true};
            sizes[i / in.size] = in.size;
        }
        division_make(&in, &out);
        for (size_t d = 0; d < in.count; d++)
            leads_there(&in, d, players + d * in.size, &out);
        division_release(&out);
    }
}
END_TEST

START_TEST(nobody_is_lost)
{
    uint64_t seed = 11;
    for (int n = 0; n < 2000; n++) {
        struct division_player players[MOST];
        size_t sizes[6], all = 0, wanted = 0, got = 0;
        uint32_t number[MOST], waiting[20];
        bool plays[MOST] = {false};
        struct division_input in = {.players = players, .sizes = sizes, .count = below(&seed, 6)};
        struct division_season out;
        for (uint32_t i = 0; i < MOST; i++)
            number[i] = i;
        shuffle(&seed, number, MOST);
        for (size_t d = 0; d < in.count; d++) {
            sizes[d] = 1 + below(&seed, 10);
            for (size_t i = 0; i < sizes[d]; i++, all++) {
                players[all] = (struct division_player){number[all], below(&seed, 5), below(&seed, 5) > 0};
                plays[number[all]] = players[all].confirmed;
            }
        }
        in.promote = below(&seed, 4);
        in.size = 4 + below(&seed, 5);
        in.reserves = waiting;
        in.reserve_count = below(&seed, 20);
        for (size_t i = 0; i < in.reserve_count; i++) {
            waiting[i] = number[all + i];
            plays[waiting[i]] = true;
        }
        for (size_t i = 0; i < MOST; i++)
            wanted += plays[i];
        division_make(&in, &out);
        for (size_t d = 0; d < out.count; d++) {
            ck_assert(out.sizes[d] >= 4 && out.sizes[d] <= 8);
            ck_assert(out.sizes[d] == out.sizes[0] || out.sizes[d] + 1 == out.sizes[0]);
            for (size_t i = 0; i < out.sizes[d]; i++, got++) {
                ck_assert(plays[out.players[got]]);
                plays[out.players[got]] = false;
            }
        }
        ck_assert_uint_eq(got, wanted < 4 ? 0 : wanted);
        division_release(&out);
    }
}
END_TEST

static void cases(TCase *tc)
{
    tcase_add_test(tc, up_and_down);
    tcase_add_test(tc, gaps);
    tcase_add_test(tc, sizes_change);
    tcase_add_test(tc, equal_places_go_by_lot);
    tcase_add_test(tc, the_table_leads_there);
    tcase_add_test(tc, nobody_is_lost);
}
TEST_MAIN("compete/division", cases)
