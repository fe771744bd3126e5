/* What says yes, and what says no. Each word of such a line is of a list, so that no sentence that says more is taken for one. */
#include <string.h>

#include "orders/typed_parts.h"

#define OK_WORD 6 /* letters of the word that an OK takes: "ok later, thanks" is none */

static const char *const yes_words[] = {"ok",
                                        "okay",
                                        "yes",
                                        "yep",
                                        "yeah",
                                        "yup",
                                        "y",
                                        "sure",
                                        "ja",
                                        "oui",
                                        "sim",
                                        "si",
                                        "s\303\255",
                                        "s\303\254",
                                        "da",
                                        "tak",
                                        "evet",
                                        "\320\264\320\260",
                                        "\320\224\320\260",
                                        "\321\202\320\260\320\272",
                                        "\320\242\320\260\320\272",
                                        NULL};

static const char *const beside_yes[] = {"ok",
                                         "okay",
                                         "yes",
                                         "please",
                                         "pls",
                                         "plz",
                                         "thanks",
                                         "thank",
                                         "you",
                                         "thx",
                                         "very",
                                         "much",
                                         "sure",
                                         "correct",
                                         "right",
                                         "exactly",
                                         "that",
                                         "that's",
                                         "thats",
                                         "is",
                                         "it",
                                         "do",
                                         "go",
                                         "ahead",
                                         "fine",
                                         "good",
                                         "great",
                                         "with",
                                         "me",
                                         "by",
                                         "i'm",
                                         "im",
                                         "i",
                                         "am",
                                         "in",
                                         "count",
                                         "of",
                                         "course",
                                         "absolutely",
                                         "definitely",
                                         "gladly",
                                         "happy",
                                         "love",
                                         "like",
                                         "play",
                                         "join",
                                         "take",
                                         "would",
                                         "i'd",
                                         "id",
                                         "to",
                                         "for",
                                         "the",
                                         "this",
                                         "a",
                                         "my",
                                         "seat",
                                         "game",
                                         "invite",
                                         "invitation",
                                         "inviting",
                                         "asking",
                                         "what",
                                         "mean",
                                         "meant",
                                         "ment",
                                         "bitte",
                                         "danke",
                                         "genau",
                                         "gern",
                                         "gerne",
                                         "merci",
                                         "gracias",
                                         "grazie",
                                         "obrigado",
                                         "obrigada",
                                         "\320\264\321\217\320\272\321\203\321\216",
                                         "\321\201\320\277\320\260\321\201\320\270\320\261\320\276",
                                         NULL};

static const char *const before_yes[] = {"oh", "ah", "sorry", "well", "hi", "hello", "hey", NULL};

static const char *const no_words[] = {"no",
                                       "nope",
                                       "nah",
                                       "nein",
                                       "non",
                                       "nee",
                                       "nej",
                                       "nie",
                                       "nao",
                                       "n\303\243o",
                                       "ne",
                                       "hay\304\261r",
                                       "\320\275\320\265\321\202",
                                       "\320\235\320\265\321\202",
                                       "\320\275\321\226",
                                       "\320\235\321\226",
                                       "can't",
                                       "cannot",
                                       "cant",
                                       "don't",
                                       "dont",
                                       "not",
                                       NULL};

static const char *const beside_no[] = {"no",
                                        "thanks",
                                        "thank",
                                        "you",
                                        "thx",
                                        "please",
                                        "pls",
                                        "sorry",
                                        "not",
                                        "now",
                                        "time",
                                        "maybe",
                                        "perhaps",
                                        "next",
                                        "another",
                                        "later",
                                        "again",
                                        "this",
                                        "today",
                                        "oh",
                                        "but",
                                        "for",
                                        "i",
                                        "am",
                                        "i'm",
                                        "im",
                                        "have",
                                        "too",
                                        "very",
                                        "much",
                                        "busy",
                                        "unfortunately",
                                        "afraid",
                                        "want",
                                        "to",
                                        "play",
                                        "join",
                                        "it",
                                        "at",
                                        "the",
                                        "moment",
                                        "way",
                                        "danke",
                                        "leider",
                                        "keine",
                                        "zeit",
                                        "nicht",
                                        "merci",
                                        "grazie",
                                        "gracias",
                                        "bitte",
                                        "obrigado",
                                        "obrigada",
                                        "bedankt",
                                        "\320\264\321\217\320\272\321\203\321\216",
                                        "\321\201\320\277\320\260\321\201\320\270\320\261\320\276",
                                        NULL};

/* "why not", "no problem": two words that say no yes. */
static bool cut_pair(struct slice word, struct slice *rest)
{
    static const char *const pairs[][2] = {
        {"why", "not"}, {"no", "problem"}, {"no", "problems"}, {"no", "prob"}, {"no", "worries"}};
    struct slice after = *rest, next;
    const bool more = slice_word(&after, &next);
    for (size_t i = 0; more && i < sizeof pairs / sizeof *pairs; i++)
        if (slice_caseeq(typed_bare(word), pairs[i][0]) && slice_caseeq(typed_bare(next), pairs[i][1])) {
            *rest = after;
            return true;
        }
    return false;
}

/* "sure why not. who else plays?": without the question after the sentence, which takes nothing back. */
static struct slice without_question(struct slice text)
{
    static const char *const asks[] = {"who", "what", "when", "where", "which", "how", NULL};
    if (!text.len || text.p[text.len - 1] != '?')
        return text;
    for (size_t at = 1; at + 1 < text.len; at++) {
        struct slice rest = slice_sub(text, at + 1, text.len), word;
        if (text.p[at + 1] == ' ' && strchr(".!,", text.p[at]) && slice_word(&rest, &word) &&
            typed_among(word, asks))
            return slice_sub(text, 0, at);
    }
    return text;
}

/* "ok", "ok falcon", "ok falcon please", "Yes, that is right", "Oh sorry, yes please", "Ja bitte" */
bool typed_agrees(struct typed_line *line, struct slice text)
{
    struct slice rest = typed_bare(without_question(typed_bare(text))), word, other = {"", 0};
    bool kind = false, more = slice_word(&rest, &word);
    while (more && typed_among(typed_bare(word), before_yes)) {
        kind = true;
        more = slice_word(&rest, &word);
    }
    if (!more || !typed_among(typed_bare(word), yes_words))
        return false;
    kind |= !slice_caseeq(typed_bare(word), "ok");
    bool first = true;
    while (slice_word(&rest, &word)) {
        bool beside = typed_among(typed_bare(word), beside_yes) ||
                      typed_among(typed_bare(word), before_yes) || cut_pair(word, &rest);
        if (!beside && (kind || !first))
            return false;
        other = beside ? other : typed_bare(word);
        kind |= beside;
        first = false;
    }
    if (other.len && kind && (other.len != OK_WORD || typed_among(other, no_words)))
        return false;
    line->is = TYPED_IS_OK;
    line->polite = kind;
    line->text = other;
    return true;
}

/* "No", "no, thank you", "sorry, no time", "Nein danke", "No, thanks. Maybe next time" */
bool typed_refuses(struct typed_line *line, struct slice text)
{
    struct slice rest = typed_bare(text), word;
    bool refuses = false, all = true;
    while (all && slice_word(&rest, &word)) {
        bool is = typed_among(typed_bare(word), no_words);
        refuses |= is;
        all = is || typed_among(typed_bare(word), beside_no);
    }
    line->declines = refuses && all;
    return line->declines;
}
