/* What players want to be called. A character that is taken stands for itself in NFC, wherever it stands, and turns no direction
 * of writing round by itself. */
#include "league/player.h"

#include <stdio.h>
#include <string.h>

#include "base/reason.h"
#include "base/utf8.h"

#define CHARACTERS 40

/* Letters (Unicode 15) that no mark before or after them changes: Latin, Greek, Cyrillic, Armenian, Hebrew, Arabic, Devanagari,
 * Georgian, Japanese, Chinese, Korean. */
static const struct {
    uint32_t from, to;
} letters[] = {{'A', 'Z'},       {'a', 'z'},       {0xC0, 0xD6},     {0xD8, 0xF6},     {0xF8, 0x24F},
               {0x370, 0x373},   {0x386, 0x386},   {0x388, 0x38A},   {0x38C, 0x38C},   {0x38E, 0x3A1},
               {0x3A3, 0x3F5},   {0x400, 0x481},   {0x48A, 0x52F},   {0x531, 0x556},   {0x561, 0x586},
               {0x5D0, 0x5EA},   {0x620, 0x64A},   {0x671, 0x6D3},   {0x904, 0x93B},   {0x93D, 0x94D},
               {0x10A0, 0x10C5}, {0x10D0, 0x10FA}, {0x1E00, 0x1EFF}, {0x3041, 0x3096}, {0x30A1, 0x30FA},
               {0x30FC, 0x30FE}, {0x3400, 0x4DBF}, {0x4E00, 0x9FFF}, {0xAC00, 0xD7A3}};

static bool is_letter(uint32_t cp)
{
    for (size_t i = 0; i < sizeof letters / sizeof *letters; i++)
        if (cp >= letters[i].from && cp <= letters[i].to)
            return true;
    return false;
}

static bool is_between(uint32_t cp)
{
    return (cp >= '0' && cp <= '9') || (cp < 0x80 && cp && strchr(" '.-", (int)cp));
}

/* In the form in which it is kept; U+2019 is how telephones write an apostrophe. */
static bool read_characters(struct str *out, struct slice wish, size_t *count)
{
    struct str whole = STR_INIT;
    bool good = true, has_letter = false;
    size_t len;
    utf8_compose(&whole, slice_trim(wish));
    *count = 0;
    for (struct slice rest = slice_str(&whole); good && rest.len; rest = slice_sub(rest, len, rest.len)) {
        uint32_t cp = utf8_next(rest, &len);
        cp = cp == 0x2019 ? '\'' : cp == '\t' || cp == 0xA0 ? ' ' : cp;
        good = is_letter(cp) || is_between(cp);
        has_letter |= is_letter(cp);
        if (cp == ' ' && (!out->len || out->p[out->len - 1] == ' '))
            continue;
        utf8_put(out, cp);
        (*count)++;
    }
    str_release(&whole);
    return good && has_letter;
}

/* "The moderators", "League of Friends": nobody is to look like those who run the league, in any of their words. */
static int refuse_office(const char *name, struct err *err)
{
    char word[PLAYER_NAME];
    for (const char *at = name; *at; at += strcspn(at, "-_"), at += *at != '\0') {
        (void)snprintf(word, sizeof word, "%.*s", (int)strcspn(at, "-_"), at);
        if (player_name_office(word))
            return reason_fail(err, "name_like_program name=%s",
                               "\"%s\" is a word of the program, or looks like one; choose another name",
                               word);
    }
    return 0;
}

int player_display_read(char display[PLAYER_DISPLAY], struct slice wish, struct err *err)
{
    char name[PLAYER_NAME];
    size_t count = 0;
    struct str text = STR_INIT;
    bool good = read_characters(&text, wish, &count);
    int rc = 0;
    display[0] = '\0';
    if (!good)
        rc = reason_fail(err, "display_letters",
                         "what you want to be called may have letters, digits, spaces and the characters "
                         "' - and . in it, and nothing else");
    else if (count > CHARACTERS)
        rc = reason_fail(err, "display_long most=%d",
                         "what you want to be called may have at most %d characters", CHARACTERS);
    else
        memcpy(display, text.p, text.len + 1);
    (void)player_name_suggest(name, slice_str(&text));
    if (rc == 0 && *name)
        rc = player_name_new(name, err) || refuse_office(name, err) ? -1 : 0;
    if (rc)
        display[0] = '\0';
    str_release(&text);
    return rc;
}

/* ---- the name beside it ---- */

/* Appends the letters; false: there is no room for them. */
static bool add_letters(char name[PLAYER_NAME], size_t *len, const char *more)
{
    if (*len + strlen(more) >= PLAYER_NAME)
        return false;
    memcpy(name + *len, more, strlen(more));
    *len += strlen(more);
    return true;
}

bool player_name_suggest(char name[PLAYER_NAME], struct slice wish)
{
    struct str whole = STR_INIT;
    size_t len = 0, word = 0, bytes;
    bool same = true, room = true;
    utf8_compose(&whole, slice_trim(wish));
    for (struct slice rest = slice_str(&whole); room && rest.len; rest = slice_sub(rest, bytes, rest.len)) {
        const uint32_t cp = utf8_next(rest, &bytes);
        const char c = (char)(cp >= 'A' && cp <= 'Z' ? cp - 'A' + 'a' : cp < 0x80 ? cp : 0);
        const bool plain =
            (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || (len && (c == '-' || c == '_'));
        const char one[2] = {c == ' ' ? '-' : c, '\0'};
        const bool joins = c == ' ' && len && name[len - 1] != '-';
        same &= plain;
        word = joins ? len : word;
        uint32_t letter = cp;
        while (!*utf8_plain(letter) && utf8_bare(letter) != letter)
            letter = utf8_bare(letter);
        const char ascii[2] = {letter >= 'a' && letter <= 'z'   ? (char)letter
                               : letter >= 'A' && letter <= 'Z' ? (char)(letter - 'A' + 'a')
                                                                : '\0',
                               '\0'};
        room = add_letters(name, &len,
                           plain || joins           ? one
                           : letter != cp && *ascii ? ascii
                                                    : utf8_plain(letter));
    }
    same &= room;
    if (!room && word) /* whole words */
        len = word;
    while (len && strchr("-_", name[len - 1]) && !same)
        len--;
    name[len] = '\0';
    str_release(&whole);
    return same;
}
