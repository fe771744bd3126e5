/* Prints the list after the games of random.h. It needs a C library only, so that it builds for any machine (machines.sh). */
#include <stdlib.h>

#include "random.h"

static void print(const struct ladder *ladder, int64_t now)
{
    struct ladder_row rows[RANDOM_PEOPLE];
    char line[RANDOM_LINE];
    ladder_list(ladder, now, LADDER_PROVISIONAL, rows);
    for (size_t i = 0; i < ladder->count; i++) {
        (void)random_line(line, ladder, &rows[i]);
        (void)fputs(line, stdout);
    }
}

int main(void)
{
    static struct random_games games;
    struct ladder ladder = {NULL, 0, 0};
    int rated = 0;
    random_begin(&games);
    for (int i = 0; i < RANDOM_GAMES; i++) {
        const struct ladder_game game = random_game(&games);
        rated += ladder_add(&ladder, &game);
    }
    print(&ladder, games.time + INT64_C(365) * 86400);
    printf("rated %d of %d games\n", rated, RANDOM_GAMES);
    ladder_release(&ladder);
    return fclose(stdout) ? EXIT_FAILURE : EXIT_SUCCESS;
}
