/* What rules.wasm gives, from the same sources with the libraries themselves: on stdin "LENGTH KEY\n", the length of
 * the journal and the league's key in hex ("-": not known), then the bytes of the journal; on stdout the result of browser_audit, a line for each. */
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
        long len = strtol(line, &end, 10);
        bool known = hex_decode(key, sizeof key, slice_trim(slice_of(end)));
        struct browser_game game = {.journal = read_bytes(len),
                                    .journal_len = (uint32_t)len,
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
