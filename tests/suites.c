/* Many suites in one program: `low_suites base/str` runs that one. */
#include <string.h>

#include "suite.h"

const struct suite *suites;

int main(int argc, char **argv)
{
    for (const struct suite *s = suites; argc == 2 && s; s = s->next) {
        if (strcmp(s->name, argv[1]) == 0)
            return s->run();
    }
    (void)fprintf(stderr, "usage: %s SUITE, such as %s\n", argv[0], suites ? suites->name : "base/str");
    return 64;
}
