/* The texts that the transport matrix sends through the mail, from what our tools sign to what they refuse
 * to. */
#ifndef TESTS_TRUST_TEXTS_H
#define TESTS_TRUST_TEXTS_H

#include "matrix.h"

enum text { CANONICAL, LETTERS, WRITTEN, FRAGILE, BOUND, TEXTS };
static const char *const text_names[MATRIX_TEXTS] = {"canonical", "letters", "written", "fragile", "bound"};

static const char *const texts[TEXTS] = {
    /* as `turnpost sign` makes it */
    "#turnpost orders\ngame: gc-17\nturn: 5\nhead: 4f9a0c2b7d1e8a63\nFrom near to far\nif fuel > 3 build\n"
    "say all it's \"ours\" - or not -- yes\nexplore near or bide\n#end\n",
    /* the same with letters beyond ASCII */
    "#turnpost orders\ngame: gc-17\nturn: 5\nFrom near to far\nsay all caf\xC3\xA9 \xC3\xA0 la fa\xC3\xA7on "
    "f\xC3\xBCr alle\nsay all it's \"ours\" - or not -- yes\n#end\n",
    /* as a person writes: an empty line behind the header, indented, two blanks in a row */
    "#turnpost orders\ngame: gc-17\nturn: 5\n\nFrom near to far\nif fuel > 3\n    build ship\n"
    "  explore  near or bide\nendif\nsay all it's \"ours\" - or not -- yes\n#end\n",
    /* with everything our tools refuse to sign: a tab, blanks at a line's end, a line of more than 72
       characters */
    "#turnpost orders\ngame: gc-17\n\n\tbuild\nexplore near  \nsay all this line is longer than what mail "
    "programs leave "
    "alone when they wrap a text for sending\n#end\n",
    /* with the whole head, which a quoted line has no room for */
    "#turnpost orders\ngame: gc-17\nturn: 5\nhead: "
    "4f9a0c2b7d1e8a634f9a0c2b7d1e8a634f9a0c2b7d1e8a634f9a0c2b7d1e8a63\nseq: 2\nexplore near or bide\n#end\n",
};
#define LOSES_WRITTEN (1U << WRITTEN)
#define LOSES_FRAGILE (1U << FRAGILE)

#endif
