/* Files built into the program: card data and templates (Makefile, build/MODE/embed.c). */
#ifndef BASE_EMBED_H
#define BASE_EMBED_H

#include "base/str.h"

struct embed {
    const char *path; /* "templates/common/receipt.txt", "rules/galaxy_command/cards.json" */
    const unsigned char *bytes;
    const unsigned char *end;
};

extern const struct embed embed_table[]; /* sorted by path, ends with path NULL */

/* The bytes of an embedded file; {NULL,0} when there is none of that name. */
struct slice embed_find(const char *path);

#endif
