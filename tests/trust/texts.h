/* The texts that the transport matrix sends through the mail, from what our tools sign to what they refuse
 * to. */
#ifndef TESTS_TRUST_TEXTS_H
#define TESTS_TRUST_TEXTS_H

#include "matrix.h"

enum text { CANONICAL, LETTERS, WRITTEN, FRAGILE, BOUND, EASY, EMPTY, CAPITALS, DASHES, TEXTS };
static const char *const text_names[MATRIX_TEXTS] = {"canonical", "letters", "written",  "fragile", "bound",
                                                     "easy",      "empty",   "capitals", "dashes"};

static const char *const texts[TEXTS] = {
    /* as `turnpost sign` makes it */
    "#turnpost orders\ngame: gc-17\nturn: 5\nhead: 4f9a0c2b7d1e8a63\nFrom near to far\nif fuel > 3 build\n"
    "say all it's \"ours\" - or not -- yes\nexplore near or bide\n#end\n",
    /* the same with letters beyond ASCII */
    "#turnpost orders\ngame: gc-17\nturn: 5\nFrom near to far\nsay all caf\xC3\xA9 \xC3\xA0 la fa\xC3\xA7on "
    "f\xC3\xBCr alle\nsay all it's \"ours\" - or not -- yes\n#end\n",
    /* as a person writes: an empty line after the header, indented, two spaces in a row */
    "#turnpost orders\ngame: gc-17\nturn: 5\n\nFrom near to far\nif fuel > 3\n    build ship\n"
    "  explore  near or bide\nendif\nsay all it's \"ours\" - or not -- yes\n#end\n",
    /* with everything our tools refuse to sign: a tab, spaces at a line's end, a line of more than 72
       characters */
    "#turnpost orders\ngame: gc-17\n\n\tbuild\nexplore near  \nsay all this line is longer than what mail "
    "programs leave "
    "alone when they wrap a text for sending\n#end\n",
    /* with the whole head, which a quoted line has no room for */
    "#turnpost orders\ngame: gc-17\nturn: 5\nhead: "
    "4f9a0c2b7d1e8a634f9a0c2b7d1e8a634f9a0c2b7d1e8a634f9a0c2b7d1e8a63\nseq: 2\nexplore near or bide\n#end\n",
    /* the form of a report, filled in */
    "#turnpost orders\ngame: gc-17\nturn: 5\nhead: 4f9a0c2b7d1e8a63\n\nbuild ship\nexplore near or "
    "bide\n#end\n",
    /* with empty lines between the orders, one or two */
    "#turnpost orders\ngame: gc-17\nturn: 5\n\nbuild ship\nexplore near or bide\n\nsay all it's \"ours\" "
    "-- "
    "f\xC3\xBCr alle\n\n\nbide\n#end\n",
    /* with capitals, as in letters */
    "#turnpost orders\ngame: gc-17\nturn: 5\n\nBuild ship\nExplore near or bide\nSay all It's \"ours\" -- "
    "yes. "
    "We think\n#end\n",
    /* with dashes and quotes that are typographic when they are signed */
    "#turnpost orders\ngame: gc-17\nturn: 5\n\nbuild ship\nsay all \xE2\x80\x9Cit\xE2\x80\x99s "
    "ours\xE2\x80\x9D\xE2\x80\x94yes\nsay bob f\xC3\xBCr dich \xE2\x80\x93 noch\n#end\n",
};
#define LOSES_WRITTEN (1U << WRITTEN)
#define LOSES_FRAGILE (1U << FRAGILE)
#define LOSES_EMPTY   (1U << EMPTY)

#endif
