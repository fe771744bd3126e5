#include "suite.h"

#include <stdint.h>

#include "base/arena.h"

#define PIECES 3000

/* Pieces of all sizes keep what is written into them, and are aligned; a cleared arena gives the same memory.
 */
START_TEST(pieces_stand_beside_each_other)
{
    struct arena arena = {NULL, NULL, 0};
    unsigned char *piece[PIECES];
    void *first = NULL;
    for (int round = 0; round < 3; round++) {
        for (size_t i = 0; i < PIECES; i++) {
            size_t size = i % 100 == 99 ? 20000 + i : i % 61;
            piece[i] = arena_take(&arena, size);
            ck_assert_uint_eq((uintptr_t)piece[i] % _Alignof(max_align_t), 0);
            memset(piece[i], (int)(i % 251), size);
        }
        for (size_t i = 0; i < PIECES; i++) {
            size_t size = i % 100 == 99 ? 20000 + i : i % 61;
            for (size_t at = 0; at < size; at += 7)
                ck_assert_uint_eq(piece[i][at], i % 251);
        }
        ck_assert(round == 0 || piece[0] == first);
        first = piece[0];
        arena_clear(&arena);
    }
    arena_release(&arena);
}
END_TEST

static void cases(TCase *tc)
{
    tcase_add_test(tc, pieces_stand_beside_each_other);
}
TEST_MAIN("base/arena", cases)
