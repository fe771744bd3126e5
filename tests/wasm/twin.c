/* What rules.wasm gives, from the same sources with the libraries themselves: on stdin "JOURNAL SEALED KEY\n", the lengths
 * of the two files (-1: there is no sealed file) and the league's key in hex ("-": not known), then the bytes of the
 * files; on stdout the result of browser_audit, a line for each. */
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/encode.h"
#include "base/mem.h"
#include "browser/browser.h"

#define MOST (64L << 20)

void browser_passed(int32_t seq)
{
    (void)seq;
}

static char *read_bytes(long len)
{
    if (len < 0 || len > MOST)
        return NULL;
    char *bytes = mem_alloc((size_t)len);
    if (fread(bytes, 1, (size_t)len, stdin) == (size_t)len)
        return bytes;
    free(bytes);
    return NULL;
}

int main(void)
{
    char line[128];
    unsigned char key[32];
    if (sodium_init() < 0)
        return EXIT_FAILURE;
    while (fgets(line, sizeof line, stdin)) {
        char *end;
        long first = strtol(line, &end, 10), second = strtol(end, &end, 10);
        bool known = hex_decode(key, sizeof key, slice_trim(slice_of(end)));
        struct browser_game game = {.journal = read_bytes(first),
                                    .journal_len = (uint32_t)first,
                                    .sealed = read_bytes(second),
                                    .sealed_len = second < 0 ? 0 : (uint32_t)second,
                                    .key = known ? mem_copy(key, sizeof key) : NULL};
        if (!game.journal)
            return EXIT_FAILURE;
        char *said = (char *)(uintptr_t)browser_audit(&game);
        puts(said);
        fflush(stdout);
        free(said);
    }
    return EXIT_SUCCESS;
}
