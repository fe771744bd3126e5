#include "rules/cards.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/json.h"
#include "base/str.h"
#include "base/utf8.h"
#include "orders/words.h"

int cards_open(struct card_reader *file, const json_t *json, const char *game, struct err *err)
{
    *file = (struct card_reader){json, err, "the cards"};
    return card_exactly(file, "game", game);
}

struct card_reader card_inside(const struct card_reader *outer, const json_t *object, const char *what, ...)
{
    struct card_reader inner = {object, outer->err, ""};
    va_list args;
    va_start(args, what);
    (void)vsnprintf(inner.what, sizeof(inner.what), what, args);
    va_end(args);
    return inner;
}

int card_refuse(const struct card_reader *card, const char *words, ...)
{
    char text[sizeof(card->err->text)];
    va_list args;
    va_start(args, words);
    (void)vsnprintf(text, sizeof(text), words, args);
    va_end(args);
    return err_set(card->err, ERR_BROKEN, "%s: %s", card->what, text);
}

/* ---- members ---- */

int card_int(const struct card_reader *card, const char *key, int min, int max, int *out)
{
    int64_t n;
    if (json_need_int(card->object, key, min, max, &n, card->what, card->err) < 0)
        return -1;
    *out = (int)n;
    return 0;
}

int card_amount(const struct card_reader *card, const char *key, int max, int *out)
{
    *out = 0;
    return json_object_get(card->object, key) ? card_int(card, key, 0, max, out) : 0;
}

int card_text(const struct card_reader *card, const char *key, const char **out)
{
    return json_need_string(card->object, key, out, card->what, card->err);
}

int card_name(const struct card_reader *card, const char *key, char *out, size_t size)
{
    const char *text;
    if (card_text(card, key, &text) < 0)
        return -1;
    struct slice name = slice_of(text);
    struct str safe = STR_INIT;
    utf8_safe(&safe, name, false);
    bool fit = name.len > 0 && name.len < size && strcmp(safe.p, text) == 0;
    str_release(&safe);
    if (!fit)
        return card_refuse(card, "\"%s\" must be a plain text of 1 to %zu bytes", key, size - 1);
    memcpy(out, text, name.len + 1);
    return 0;
}

int card_word(const struct card_reader *card, const char *key, const char *const *words, int *out)
{
    const char *word;
    if (card_text(card, key, &word) < 0)
        return -1;
    struct str list = STR_INIT;
    int i;
    for (i = 0; words[i] && strcmp(words[i], word) != 0; i++)
        str_addf(&list, "%s%s", !i ? "" : words[i + 1] ? ", " : " or ", words[i]);
    if (words[i])
        *out = i;
    else
        card_refuse(card, "\"%s\" must be %s", key, list.p);
    str_release(&list);
    return words[i] ? 0 : -1;
}

int card_exactly(const struct card_reader *card, const char *key, const char *word)
{
    const char *text;
    if (card_text(card, key, &text) < 0)
        return -1;
    return strcmp(text, word) == 0 ? 0 : card_refuse(card, "\"%s\" must be %s", key, word);
}

int card_id(const struct card_reader *card, char letter, int number)
{
    char code[CODE_SIZE];
    code_write(code, letter, number);
    return card_exactly(card, "id", code);
}

/* ERR_BROKEN naming `card` when its member is not one. */
static int need_object(const struct card_reader *card, const char *key, const json_t *member)
{
    return json_is_object(member) ? 0 : card_refuse(card, "\"%s\" must be an object", key);
}

int card_object(const struct card_reader *card, const char *key, struct card_reader *out)
{
    *out = card_inside(card, json_object_get(card->object, key), "%s, %s", card->what, key);
    return need_object(card, key, out->object);
}

const json_t *card_list(const struct card_reader *card, const char *key, size_t min, size_t max)
{
    const json_t *list = json_object_get(card->object, key);
    size_t count = json_array_size(list);
    if (json_is_array(list) && count >= min && count <= max)
        return list;
    if (min == max)
        card_refuse(card, "\"%s\" must be a list of %zu", key, min);
    else
        card_refuse(card, "\"%s\" must be a list of %zu to %zu", key, min, max);
    return NULL;
}

static bool source_known(const json_t *source)
{
    const char *text = json_string_value(source);
    return text && (strcmp(text, "rulebook") == 0 || str_starts(text, "rulebook+") ||
                    strcmp(text, "house") == 0 || str_starts(text, "public:"));
}

int card_source(const struct card_reader *card)
{
    const json_t *source = json_object_get(card->object, "source");
    bool good = source_known(source) || json_object_size(source) > 0;
    const char *key;
    json_t *mark;
    json_object_foreach ((json_t *)(uintptr_t)source, key, mark) {
        good = good && (strcmp(key, "note") == 0 ? json_is_string(mark) : source_known(mark));
    }
    return good ? 0 : card_refuse(card, "\"source\" must say rulebook, public:<where> or house");
}

/* ---- the file ---- */

int cards_numbers(const struct card_reader *file, const struct card_number *numbers, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const struct card_number *number = &numbers[i];
        const json_t *object = json_object_get(file->object, number->section);
        struct card_reader section = card_inside(file, object, "%s", number->section);
        if (need_object(file, number->section, object) < 0 ||
            card_int(&section, number->key, number->min, number->max, number->to) < 0 ||
            card_source(&section) < 0)
            return -1;
    }
    return 0;
}

int cards_each(const struct card_reader *file, const struct card_kind *kind, void *cards)
{
    const json_t *list = card_list(file, kind->section, kind->min, kind->max);
    if (!list)
        return -1;
    size_t i;
    json_t *object;
    json_array_foreach ((json_t *)(uintptr_t)list, i, object) {
        int number = (int)i + 1;
        struct card_reader card = card_inside(file, object, "%s %d", kind->one, number);
        if ((kind->id && card_id(&card, kind->id, number) < 0) || kind->load(&card, number - 1, cards) < 0 ||
            card_source(&card) < 0)
            return -1;
    }
    return (int)json_array_size(list);
}
