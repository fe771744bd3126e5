#include "intake/silence.h"

#include <stddef.h>

static const struct {
    const char *words;
    bool felt;
} table[] = {
    [SILENCE_NONE] = {"", false},
    [SILENCE_SEEN] = {"it was dealt with before", false},
    [SILENCE_SAME] = {"the same words were answered within the hour", true},
    [SILENCE_PAUSED] = {"three mails like it within an hour, or forty on a day, were not understood", true},
    [SILENCE_SPENT] = {"the answers of a day are used up", true},
    [SILENCE_TOLD] = {"nobody vouches for it, and the same was said today", true},
    [SILENCE_STOPPED] = {"its writer wants no more mails", false},
    [SILENCE_BANNED] = {"its writer is banned, and was told today", false},
    [SILENCE_WITNESS] = {"it is the answer of a witness's program", false},
    [SILENCE_MACHINE] = {"no person wrote it", false},
    [SILENCE_NO_SENDER] = {"it has no sender", false},
    [SILENCE_WAITS] = {"it waits", false},
    [SILENCE_GIVEN_UP] = {"it failed for days", true},
    [SILENCE_UNKNOWN] = {"no reason is known, which is a fault of this program", true},
};

const char *silence_words(enum silence silence)
{
    return table[silence].words;
}

bool silence_is_felt(enum silence silence)
{
    return table[silence].felt;
}
