/* Many suites in one program: `low_suites base/str` runs that one. The Makefile makes their table, SUITES. */
#include <stdio.h>
#include <string.h>

#define SUITE(name, run) int run(void);
#include SUITES
#undef SUITE

static const struct {
    const char *name;
    int (*run)(void);
} suites[] = {
#define SUITE(name, run) {name, run},
#include SUITES
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
