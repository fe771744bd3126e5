/* What was not understood may be a plain question, or a wish in a person's own words. Nothing is done on a guess, but the answer names
 * the words that do it. */
#include "intake/reply_parts.h"

#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "orders/words.h"
#include "play/facts.h"

/* A line with one of `words`, and with one of `beside`, if there are any. */
struct hint {
    const char *name, *words[12], *beside[6];
};

static const struct hint hints[] = {
    {"status",
     {"winning", "winner", "wins", "score", "scores", "points", "standing", "standings", "leads", "leading",
      "ahead"},
     {NULL}},
    {"vacation",
     {"holiday", "holidays", "vacation", "vacations", "away", "travelling", "traveling", "urlaub",
      "vacances"},
     {NULL}},
    {"extend",
     {"day", "days", "hours", "time", "week", "longer"},
     {"more", "another", "extra", "need", "longer"}},
    {"extend", {"extend", "extension", "postpone"}, {NULL}},
    {"resign", {"quit", "resign", "resigning", "leave", "stop", "playing", "account", "aufhören"}, {NULL}},
    {"resign", {"give", "giving"}, {"up"}},
    {"undo", {"back"}, {"take", "taking", "took"}},
    {"undo", {"undo", "oops", "mistake"}, {NULL}},
    {"back", {"back", "returned", "zurück"}, {NULL}},
};

static bool is_among(const struct word *words, int count, const char *const *list, size_t most)
{
    for (int k = 0; k < count; k++)
        for (size_t i = 0; i < most && list[i]; i++)
            if (strcmp(words[k].text, list[i]) == 0)
                return true;
    return false;
}

/* A word of the game that "help" can explain: the first one that was typed. */
static void explain(const struct answering *a, const struct word *word, json_t *found)
{
    const struct ruleset *ruleset = a->entry->game.ruleset;
    if (json_object_get(found, "explains") || word->kind != WORD_TEXT || word_is_filler(word->text) ||
        strlen(word->text) < 3 || !language_has_word(ruleset->language, word->text))
        return;
    json_t *facts = json_object();
    facts_word(facts, ruleset, slice_of(word->text));
    if (json_object_get(facts, "help_of"))
        json_object_set_new(found, "explains", json_pack("{s:s}", "word", word->text));
    json_decref(facts);
}

json_t *reply_hints(const struct answering *a)
{
    json_t *found = json_object();
    bool told = false; /* how days are written */
    const struct player *player = a->visit->sender;
    for (size_t i = 0; i < a->typed.count; i++) {
        struct word words[WORDS_PER_LINE];
        const struct typed_line *line = &a->typed.lines[i];
        const int count = line->is == TYPED_IS_UNREAD ? words_split(line->line, words, WORDS_PER_LINE) : 0;
        told |= line->doubt == DOUBT_TIMES;
        for (int k = 0; k < count; k++) {
            char *end = words[k].text + strcspn(words[k].text, "?!;");
            *end = '\0';
            explain(a, &words[k], found);
        }
        for (size_t h = 0; count > 0 && h < sizeof hints / sizeof *hints; h++) {
            const struct hint *hint = &hints[h];
            if (is_among(words, count, hint->words, sizeof hint->words / sizeof *hint->words) &&
                (!hint->beside[0] ||
                 is_among(words, count, hint->beside, sizeof hint->beside / sizeof *hint->beside)))
                json_object_set_new(found, hint->name, json_true());
        }
    }
    if (told)
        (void)json_object_del(found, "vacation");
    if (!player->vacation_count || json_object_get(found, "undo"))
        (void)json_object_del(found, "back");
    return found;
}
