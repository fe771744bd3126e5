#include "petitions/reply_own.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/nearest.h"
#include "rules/ruleset.h"
#include "rules/wish.h"
#include "trust/canon.h"

/* What stands after the word. */
enum takes {
    TAKES_WORDS,   /* any words, the value of `field` */
    TAKES_NAME,    /* one name, the value of `field` */
    TAKES_RULESET, /* the name or title of a ruleset, the same */
    TAKES_ADDRESS, /* a mail address, or "no" */
    TAKES_NOTHING, /* only lines below */
    TAKES_GAME,    /* a game that there may be */
    TAKES_ANY      /* "any", and nothing else: another name is a wish about a seat */
};

static const struct own {
    const char *word, *verb, *field;
    enum takes takes;
    enum own_manner manner;
    const char *fixed; /* lines that it has besides, or NULL */
} rows[] = {
    {"invite", "invite", "for", TAKES_WORDS, OWN_AT_ONCE, NULL},
    {"open", "open", "ruleset", TAKES_RULESET, OWN_ASKED, NULL},
    {"rematch", "rematch", NULL, TAKES_GAME, OWN_ASKED, NULL},
    {"journal", "journal", NULL, TAKES_GAME, OWN_AT_ONCE, NULL},
    {"publish", "publish", NULL, TAKES_GAME, OWN_AT_ONCE, NULL},
    {"appeal", "appeal", NULL, TAKES_GAME, OWN_ASKED, NULL},
    {"mute", "mute", "player", TAKES_NAME, OWN_AT_ONCE, NULL},
    {"unmute", "unmute", "player", TAKES_NAME, OWN_AT_ONCE, NULL},
    {"standby", "standby", NULL, TAKES_ANY, OWN_ASKED, NULL},
    {"unstandby", "standby", NULL, TAKES_ANY, OWN_ASKED, "cancel: yes\n"},
    {"prefs", "prefs", NULL, TAKES_NOTHING, OWN_AT_ONCE, NULL},
    {"display", "prefs", "display", TAKES_WORDS, OWN_AT_ONCE, NULL},
    {"address", "prefs", "address", TAKES_ADDRESS, OWN_ASKED, NULL},
    {"second", "prefs", "second", TAKES_ADDRESS, OWN_ASKED, NULL},
    {"erase", "erase", NULL, TAKES_NOTHING, OWN_BOUND, NULL},
};

const char *reply_own_word(size_t i)
{
    return i < sizeof rows / sizeof *rows ? rows[i].word : NULL;
}

static const struct own *find_row(struct slice word)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (slice_caseeq(word, rows[i].word))
            return &rows[i];
    return NULL;
}

static void wish_of(struct own_wish *wish, const struct own *row)
{
    *wish = (struct own_wish){.word = row->word, .petition = petition_find(row->verb), .manner = row->manner};
    wish->recorded = (wish->petition->needs & PETITION_GAME) && (wish->petition->needs & PETITION_TEXT);
}

/* ---- reading ---- */

static bool read_name(char name[GAME_NAME], struct slice what)
{
    return reply_wish_name(name, what) && name_valid(slice_of(name));
}

/* "seats: anna, bob" where the text has such a line, or one that is called nearly so, which is refused with what was meant. */
static bool is_line(const struct petition *petition, struct slice line)
{
    const size_t colon = slice_find(line, ":");
    if (colon == (size_t)-1 || colon == 0 || colon > 16)
        return false;
    char *name = slice_dup(slice_sub(line, 0, colon));
    struct nearest nearest = NEAREST_INIT(name);
    bool one = !strpbrk(name, " \t");
    for (int i = 0; one && petition->fields[i]; i++)
        nearest_offer(&nearest, petition->fields[i]);
    bool is = one && (nearest.best || (petition->wishes && wish_line(slice_of(name))));
    free(name);
    return is;
}

/* Of an appeal all that was typed, else what are lines of its text. */
static void add_below(struct str *held, const struct petition *petition, struct slice below)
{
    struct slice line;
    bool free_text = petition->needs & PETITION_TEXT;
    while (slice_line(&below, &line)) {
        line = slice_trim(line);
        if (line.len && (free_text || is_line(petition, line)))
            str_addf(held, "%.*s\n", (int)line.len, line.p);
    }
}

static bool is_ruleset(struct slice what)
{
    for (int i = 0; rulesets[i]; i++)
        if (slice_caseeq(what, rulesets[i]->name) || slice_caseeq(what, rulesets[i]->title))
            return true;
    return false;
}

/* Can this be what comes after the word? `name`: where it is a name. */
static bool fits(const struct own *row, struct slice what, char name[GAME_NAME])
{
    switch (row->takes) {
    case TAKES_WORDS: return true;
    case TAKES_NAME:
    case TAKES_GAME: return read_name(name, what);
    case TAKES_RULESET: return !what.len || is_ruleset(what);
    case TAKES_ADDRESS:
        return (slice_find(what, "@") != (size_t)-1 && slice_find(what, " ") == (size_t)-1) ||
               slice_caseeq(what, "no");
    case TAKES_NOTHING: return !what.len;
    case TAKES_ANY: return read_name(name, what) && strcmp(name, "any") == 0;
    }
    return false;
}

/* Where mail goes is asked about, however it is said. */
static bool holds_address(const struct petition *petition, struct slice lines)
{
    struct slice line;
    while (strcmp(petition->verb, "prefs") == 0 && slice_line(&lines, &line))
        if (slice_casestarts(line, "address:") || slice_casestarts(line, "second:"))
            return true;
    return false;
}

bool reply_own_begins(struct slice line)
{
    struct slice word;
    char name[GAME_NAME];
    const struct own *row = slice_word(&line, &word) ? find_row(word) : NULL;
    return row && fits(row, slice_trim(line), name);
}

bool reply_own_lacks_game(struct slice line)
{
    struct slice word;
    const struct own *row = slice_word(&line, &word) ? find_row(word) : NULL;
    return row && row->takes == TAKES_GAME && !slice_trim(line).len;
}

bool reply_own_read(struct str *held, struct slice line, struct slice below, struct own_wish *wish)
{
    struct slice word, what = line;
    char name[GAME_NAME] = "";
    const struct own *row = slice_word(&what, &word) ? find_row(word) : NULL;
    what = slice_trim(what);
    if (!row || !fits(row, what, name))
        return false;
    wish_of(wish, row);
    struct str lines = STR_INIT;
    str_adds(&lines, row->fixed ? row->fixed : "");
    if (row->takes == TAKES_NAME)
        what = slice_of(name);
    if (what.len && row->field)
        str_addf(&lines, "%s: %.*s\n", row->field, (int)what.len, what.p);
    add_below(&lines, wish->petition, below);
    if (!row->field)
        (void)snprintf(wish->game, sizeof wish->game, "%s", name);
    /* A word alone asks how it is said, but where nothing has to be said with it. */
    bool whole =
        *wish->game || lines.len || strcmp(row->word, "invite") == 0 || strcmp(row->word, "erase") == 0;
    if (holds_address(wish->petition, slice_str(&lines)))
        wish->manner = OWN_ASKED;
    if (whole)
        str_addf(held, "%s%s%s\n%s", row->word, *wish->game ? " " : "", wish->game, lines.len ? lines.p : "");
    str_release(&lines);
    return whole;
}

bool reply_own_parse(struct slice held, struct own_wish *wish)
{
    struct slice line, word;
    const struct own *row = slice_line(&held, &line) && slice_word(&line, &word) ? find_row(word) : NULL;
    if (!row)
        return false;
    wish_of(wish, row);
    return (row->takes != TAKES_GAME && row->takes != TAKES_ANY) || read_name(wish->game, line);
}

json_t *reply_own_lines(struct slice held)
{
    json_t *lines = json_array();
    struct slice line;
    for (bool first = true; slice_line(&held, &line); first = false)
        if (!first)
            json_array_append_new(lines, json_pack("{s:s%}", "line", line.p, line.len));
    return lines;
}

/* ---- the text ---- */

void reply_own_text(struct str *out, struct slice held, const struct own_wish *wish,
                    const struct reply_about *about)
{
    struct str text = STR_INIT;
    struct slice line;
    (void)slice_line(&held, &line);
    reply_begin(&text, wish->petition, about);
    if (!about->game && *wish->game)
        str_addf(&text, "game: %s\n", wish->game);
    str_addslice(&text, held);
    str_adds(&text, "#end\n");
    canon_text(out, slice_str(&text));
    str_release(&text);
}

/* ---- how it is said ---- */

const char *petition_said(const struct petition *petition)
{
    static const struct {
        const char *verb, *said;
    } said[] = {
        {"register", "register anna"},
        {"key", "the public key (a .pub file)"},
        {"join", "join gc-17"},
        {"leave", "leave gc-17"},
        {"resign", "resign gc-17"},
        {"standby", "standby gc-17"},
        {"take", "take gc-17"},
        {"back", "back gc-17"},
        {"observe", "observe gc-17"},
        {"unobserve", "unobserve gc-17"},
        {"press", "press bob: your words"},
        {"mute", "mute bob"},
        {"unmute", "unmute bob"},
        {"prefs", "prefs"},
        {"veto", "no"},
        {"erase", "erase"},
        {"resend", "show gc-17"},
        {"invite", "invite"},
        {"extend", "extend 24"},
        {"unwitness", "unwitness gc-17"},
        {"appeal", "appeal gc-17"},
        {"vacation", "vacation 2026-12-24 to 2027-01-02"},
        {"journal", "journal gc-17"},
        {"publish", "publish gc-17"},
        {"open", "open galaxy-command"},
        {"rematch", "rematch gc-17"},
        {"enter", "enter spring"},
        {"withdraw", "withdraw spring"},
        {"confirm", "confirm spring"},
    };
    for (size_t i = 0; i < sizeof said / sizeof *said; i++)
        if (strcmp(said[i].verb, petition->verb) == 0)
            return said[i].said;
    return NULL;
}
