#include "base/nearest.h"

#include <string.h>

#define LONGEST 31

static size_t min2(size_t a, size_t b)
{
    return a < b ? a : b;
}

size_t word_distance(const char *a, const char *b)
{
    size_t la = strnlen(a, LONGEST);
    size_t lb = strnlen(b, LONGEST);
    size_t row[3][LONGEST + 1]; /* two rows back, the last one, this one */
    for (size_t j = 0; j <= lb; j++)
        row[1][j] = j;
    memcpy(row[0], row[1], sizeof row[0]);
    for (size_t i = 1; i <= la; i++) {
        row[2][0] = i;
        for (size_t j = 1; j <= lb; j++) {
            size_t change = row[1][j - 1] + (a[i - 1] != b[j - 1]);
            size_t best = min2(change, min2(row[1][j], row[2][j - 1]) + 1);
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                best = min2(best, row[0][j - 2] + 1);
            row[2][j] = best;
        }
        memcpy(row[0], row[1], sizeof row[0]);
        memcpy(row[1], row[2], sizeof row[1]);
    }
    return row[1][lb];
}

void nearest_offer(struct nearest *search, const char *known)
{
    size_t len = strlen(search->typed);
    size_t most = len <= 3 ? 1 : 2;
    size_t distance = word_distance(search->typed, known);
    if (len > 1 && strncmp(search->typed, known, len) == 0)
        distance = min2(distance, 1);
    if (len < 2 || distance > most || (search->best && distance >= search->distance))
        return;
    search->best = known;
    search->distance = distance;
}
