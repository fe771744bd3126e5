/* What people write before and after what they mean. */
#include <stdlib.h>
#include <string.h>

#include "orders/typed_parts.h"

/* ASCII in small letters; others in both cases, where their first letter is one of them. */
static const char *const greetings[] = {
    "hi",
    "hi all",
    "hi everyone",
    "hi everybody",
    "hi there",
    "hi team",
    "hi league",
    "hi turnpost",
    "hello",
    "hello all",
    "hello everyone",
    "hello everybody",
    "hello there",
    "hello league",
    "hello turnpost",
    "hey",
    "hey all",
    "hey there",
    "dear all",
    "dear league",
    "dear turnpost",
    "dear moderators",
    "good morning",
    "good afternoon",
    "good evening",
    "thanks",
    "thank you",
    "thanks a lot",
    "many thanks",
    "thanks in advance",
    "thx",
    "ta",
    "cheers",
    "best",
    "best wishes",
    "best regards",
    "kind regards",
    "regards",
    "warm regards",
    "all the best",
    "greetings",
    "sincerely",
    "yours",
    "yours sincerely",
    "take care",
    "bye",
    "see you",
    "have a nice day",
    "have fun",
    "good luck",
    "good luck all",
    "br",
    "kr",
    "yours truly",
    "hallo",
    "hallo zusammen",
    "hallo alle",
    "hallo liga",
    "moin",
    "servus",
    "guten morgen",
    "guten tag",
    "guten abend",
    "danke",
    "vielen dank",
    "danke sch\303\266n",
    "danke schoen",
    "gru\303\237",
    "gruss",
    "gr\303\274\303\237e",
    "gr\303\274sse",
    "gruesse",
    "liebe gr\303\274\303\237e",
    "liebe gr\303\274sse",
    "liebe gruesse",
    "viele gr\303\274\303\237e",
    "viele gr\303\274sse",
    "viele gruesse",
    "lieber gru\303\237",
    "beste gr\303\274\303\237e",
    "beste gr\303\274sse",
    "mit freundlichen gr\303\274\303\237en",
    "mit freundlichen gr\303\274ssen",
    "mit freundlichen gruessen",
    "freundliche gr\303\274\303\237e",
    "freundliche gr\303\274sse",
    "sch\303\266ne gr\303\274\303\237e",
    "lg",
    "vg",
    "mfg",
    "bg",
    "tsch\303\274ss",
    "tsch\303\274\303\237",
    "bis bald",
    "viel gl\303\274ck",
    "bonjour",
    "bonjour \303\240 tous",
    "bonsoir",
    "salut",
    "merci",
    "merci beaucoup",
    "merci d'avance",
    "cordialement",
    "bien cordialement",
    "bien \303\240 vous",
    "amicalement",
    "amiti\303\251s",
    "bonne journ\303\251e",
    "bonne soir\303\251e",
    "\303\240 bient\303\264t",
    "\303\200 bient\303\264t",
    "hola",
    "hola a todos",
    "buenos d\303\255as",
    "buenas tardes",
    "buenas noches",
    "gracias",
    "muchas gracias",
    "saludos",
    "un saludo",
    "saludos cordiales",
    "atentamente",
    "ciao",
    "ciao a tutti",
    "buongiorno",
    "buonasera",
    "grazie",
    "grazie mille",
    "saluti",
    "cordiali saluti",
    "distinti saluti",
    "hoi",
    "goedemorgen",
    "goedemiddag",
    "goedenavond",
    "dank je",
    "bedankt",
    "dank u",
    "groet",
    "groeten",
    "groetjes",
    "met vriendelijke groet",
    "met vriendelijke groeten",
    "mvg",
    "ol\303\241",
    "bom dia",
    "boa tarde",
    "boa noite",
    "obrigado",
    "obrigada",
    "cumprimentos",
    "abra\303\247o",
    "hej",
    "hejsan",
    "tack",
    "tak",
    "takk",
    "hilsen",
    "mvh",
    "med venlig hilsen",
    "med v\303\244nliga h\303\244lsningar",
    "cze\305\233\304\207",
    "dzi\304\231kuj\304\231",
    "pozdrawiam",
    "ahoj",
    "d\304\233kuji",
    "kiitos",
    "terveisin",
};

static bool is_greeting(struct slice line)
{
    for (size_t i = 0; i < sizeof greetings / sizeof *greetings; i++)
        if (slice_caseeq(line, greetings[i]))
            return true;
    return false;
}

/* Is it a word of letters that the game has no use for? */
static bool is_name(struct slice word, const struct typed_game *game)
{
    char text[WORD_MAX + 1];
    if (!word.len || word.len > WORD_MAX)
        return false;
    for (size_t i = 0; i < word.len; i++) {
        const char c = word.p[i];
        if (memchr("0123456789:?;()[]", c, 17))
            return false;
        text[i] = (char)(c >= 'A' && c <= 'Z' ? c + 'a' - 'A' : c);
    }
    text[word.len] = '\0';
    return !game || !language_has_word(game->language, text);
}

/* "Hi Mia", "Dear Mr Jones": no more than two names. */
static bool greets_somebody(struct slice line, const struct typed_game *game)
{
    static const char *const begins[] = {"hi",      "hello",   "hey",   "dear", "hallo", "moin", "servus",
                                         "bonjour", "bonsoir", "salut", "cher", "hola",  "ciao", "liebe",
                                         "lieber",  "hej",     "ahoj",  "hoi",  NULL};
    struct slice word;
    size_t names = 0;
    bool all = slice_word(&line, &word) && typed_among(typed_bare(word), begins);
    while (all && slice_word(&line, &word)) {
        all = is_name(typed_bare(word), game);
        names++;
    }
    return all && names && names <= 2;
}

static bool is_own(struct slice line, const char *const *names)
{
    for (; names && *names; names++)
        if (**names && slice_caseeq(line, *names))
            return true;
    return false;
}

/* "Cheers, Karl", "LG Karl": with a name of the writer's below a closing, as some put it beside it. */
static bool closes_with_name(struct slice line, const char *const *names)
{
    for (size_t at = 1; at < line.len; at++)
        if (line.p[at] == ' ' && is_own(slice_sub(line, at + 1, line.len), names) &&
            is_greeting(typed_bare(slice_sub(line, 0, at))))
            return true;
    return false;
}

bool typed_courteous(struct slice line, const struct typed_game *game)
{
    static const char *const says[] = {"hi",    "hello", "hey",       "thanks",  "thank",
                                       "thx",   "sorry", "cheers",    "great",   "nice",
                                       "good",  "well",  "wow",       "haha",    "congrats",
                                       "fun",   "lol",   "apologies", "welcome", "congratulations",
                                       "enjoy", NULL};
    static const char *const beside[] = {
        "you",   "your",   "all",   "everyone", "everybody", "too",   "so",      "very",    "much",
        "a",     "lot",    "for",   "the",      "this",      "that",  "was",     "is",      "it",
        "its",   "it's",   "i",     "i'm",      "im",        "am",    "my",      "me",      "been",
        "busy",  "week",   "day",   "days",     "late",      "delay", "game",    "games",   "luck",
        "work",  "job",    "one",   "again",    "about",     "with",  "and",     "to",      "of",
        "at",    "on",     "in",    "there",    "here",      "oh",    "ah",      "ok",      "really",
        "reply", "answer", "mail",  "message",  "had",       "have",  "weekend", "evening", "morning",
        "back",  "now",    "happy", NULL};
    struct slice rest = line, word;
    bool courteous = false, all = true;
    while (all && slice_word(&rest, &word)) {
        word = typed_bare(word);
        while (word.len && strchr("?;-)(:", word.p[word.len - 1]))
            word = slice_sub(word, 0, word.len - 1);
        const bool core = typed_among(word, says);
        courteous |= core;
        all = !word.len || core || typed_among(word, beside) ||
              (game && game->others && typed_among(word, game->others));
        char *text = slice_dup(word);
        all = all && !(game && language_verb(game->language, text));
        free(text);
    }
    return courteous && all;
}

bool typed_greets(struct slice line, const char *const *names, const struct typed_game *game)
{
    return is_greeting(line) || is_own(line, names) || closes_with_name(line, names) ||
           greets_somebody(line, game);
}
