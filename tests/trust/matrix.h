/* The transport matrix as a table: with MATRIX=1 in the environment a suite that damages signed texts prints
 * a row a damage, and counts. Cases then run in one process. */
#ifndef TESTS_TRUST_MATRIX_H
#define TESTS_TRUST_MATRIX_H

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "suite.h"

#define MATRIX_TEXTS 9

static struct {
    bool on;
    size_t good[MATRIX_TEXTS], all[MATRIX_TEXTS]; /* of this row */
    size_t rows, verified, impossible, changes;
} matrix;

__attribute__((unused)) static void matrix_begin(void)
{
    matrix.on = getenv("MATRIX") != NULL;
    if (matrix.on)
        (void)setenv("CK_FORK", "no", 1);
}

__attribute__((unused)) static void matrix_cell(int text, bool good)
{
    matrix.all[text]++;
    matrix.good[text] += good;
}

/* What the cells since the last row came to. Each was judged already: one that is not good is a text that
 * cannot be found again, for the reason `why`. */
__attribute__((unused)) static void matrix_row(const char *form, const char *damage,
                                               const char *const names[MATRIX_TEXTS], int texts,
                                               const char *why)
{
    if (matrix.on)
        printf("%-8s  %-45s", form, damage);
    for (int t = 0; t < texts; t++) {
        bool whole = matrix.good[t] == matrix.all[t];
        if (matrix.on)
            printf("  %s %s %zu/%zu", names[t], whole ? "verified" : "IMPOSSIBLE", matrix.good[t],
                   matrix.all[t]);
        matrix.verified += matrix.good[t];
        matrix.impossible += matrix.all[t] - matrix.good[t];
        if (!whole && matrix.on && t + 1 == texts)
            printf("  (%s)", why);
        matrix.good[t] = matrix.all[t] = 0;
    }
    if (matrix.on)
        printf("\n");
    matrix.rows++;
}

__attribute__((unused)) static void matrix_end(void)
{
    if (matrix.on && matrix.rows)
        printf("%zu kinds of damage, %zu mails: %zu verified, %zu impossible for the reasons given, 0 "
               "otherwise\n",
               matrix.rows, matrix.verified + matrix.impossible, matrix.verified, matrix.impossible);
    if (matrix.on && matrix.changes)
        printf("%zu changes of one bit or byte: none verifies as something else\n", matrix.changes);
}

#endif
