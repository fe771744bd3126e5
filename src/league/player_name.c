/* What new players may be called: nothing that means something else where people or seats are named, and
 * nothing that a reader might take for somebody else's name. */
#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "base/reason.h"
#include "league/registry.h"

/* Words that texts, orders and options accept in place of a name; first those for who runs the league. */
static const char *const words[] = {"admin",   "league", "moderator", "moderators", "operator", "turnpost",
                                    "anybody", "anyone", "everybody", "everyone",   "me",       "nobody",
                                    "none",    "public", "robot",     "seat",       "witness",  "you"};
#define OFFICES   6
#define LONG_WORD 5 /* from this length on a name may not look like a word either; "ali" may */

/* The name as the eye sees it: letters that look alike become one, separators are dropped. */
static void skeleton(const char *name, char out[PLAYER_NAME])
{
    size_t len = 0;
    for (const char *c = name; *c && len + 1 < PLAYER_NAME; c++) {
        if (strchr("-_.", *c))
            continue;
        char letter = ascii_lower(*c);
        if (letter == '0')
            letter = 'o';
        if (letter == '1' || letter == 'i')
            letter = 'l';
        if (len && letter == 'n' && out[len - 1] == 'r')
            out[len - 1] = 'm';
        else if (len && letter == 'v' && out[len - 1] == 'v')
            out[len - 1] = 'w';
        else
            out[len++] = letter;
    }
    out[len] = '\0';
}

bool player_names_alike(const char *name, const char *other)
{
    char left[PLAYER_NAME], right[PLAYER_NAME];
    skeleton(name, left);
    skeleton(other, right);
    return strcmp(left, right) == 0;
}

bool player_name_office(const char *word)
{
    for (size_t i = 0; i < OFFICES; i++)
        if (player_names_alike(word, words[i]))
            return true;
    return false;
}

/* "3", "p3", "seat3": what is written for a seat, whatever its number. */
static bool is_code(const char *name)
{
    if (strncmp(name, "seat", 4) == 0)
        name += 4 + strspn(name + 4, "-_.");
    else if (*name == 'p')
        name++;
    return *name && !name[strspn(name, "0123456789")];
}

int player_name_new(const char *name, struct err *err)
{
    if (player_name_check(name, err))
        return -1;
    if (is_code(name))
        return reason_fail(err, "name_of_seat name=%s",
                           "\"%s\" is what seats are called; choose another name", name);
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strlen(words[i]) < LONG_WORD ? strcmp(name, words[i]) == 0 : player_names_alike(name, words[i]))
            return strcmp(name, words[i]) == 0
                       ? reason_fail(err, "name_of_program name=%s",
                                     "\"%s\" is a word of the program; choose another name", name)
                       : reason_fail(
                             err, "name_like_program name=%s",
                             "\"%s\" is a word of the program, or looks like one; choose another name", name);
    return 0;
}

const struct player *registry_alike(const struct registry *registry, const char *name)
{
    const struct player *same = registry_find(registry, name);
    for (size_t i = 0; !same && i < registry->count; i++)
        if (player_names_alike(registry->players[i].name, name))
            same = &registry->players[i];
    return same;
}
