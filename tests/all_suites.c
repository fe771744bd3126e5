/* All suites in one program: `all_suites base/str` runs that one. Its table (suites.inc) is made by the Makefile. */
#include <stdio.h>
#include <string.h>

#define SUITE(name, run) int run(void);
#include "suites.inc"
#undef SUITE

static const struct {
    const char *name;
    int (*run)(void);
} suites[] = {
#define SUITE(name, run) {name, run},
#include "suites.inc"
#undef SUITE
};

int main(int argc, char **argv)
{
    for (size_t i = 0; argc == 2 && i < sizeof suites / sizeof *suites; i++) {
        if (strcmp(suites[i].name, argv[1]) == 0)
            return suites[i].run();
    }
    (void)fprintf(stderr, "usage: %s SUITE, such as %s\n", argv[0], suites[0].name);
    return 64;
}
