/* Reading members of the card file with errors that name the card and the field. */
#include "rules/galaxy_farmer/cards_read.h"

#include <string.h>

#include "base/json.h"
#include "base/str.h"
#include "base/utf8.h"

int gf_need_int(const json_t *object, const char *key, int min, int max, int *out, const char *what,
                struct err *err)
{
    int64_t n;
    if (json_need_int(object, key, min, max, &n, what, err) < 0)
        return -1;
    *out = (int)n;
    return 0;
}

int gf_need_text(const json_t *object, const char *key, char *out, size_t size, const char *what,
                 struct err *err)
{
    const char *text;
    if (json_need_string(object, key, &text, what, err) < 0)
        return -1;
    struct slice name = slice_of(text);
    struct str safe = STR_INIT;
    utf8_safe(&safe, name, false);
    bool fit = name.len > 0 && name.len < size && strcmp(safe.p, text) == 0;
    str_release(&safe);
    if (!fit)
        return err_set(err, ERR_BROKEN, "%s: \"%s\" must be a plain text of 1 to %zu bytes", what, key,
                       size - 1);
    memcpy(out, text, name.len + 1);
    return 0;
}

int gf_need_object(const json_t *object, const char *key, const json_t **out, const char *what,
                   struct err *err)
{
    *out = json_object_get(object, key);
    if (!json_is_object(*out))
        return err_set(err, ERR_BROKEN, "%s: \"%s\" must be an object", what, key);
    return 0;
}

int gf_need_word(const json_t *object, const char *key, const char *const *words, int *out, const char *what,
                 struct err *err)
{
    const char *word;
    struct str list = STR_INIT;
    if (json_need_string(object, key, &word, what, err) < 0)
        return -1;
    for (*out = 0; words[*out]; ++*out) {
        if (strcmp(words[*out], word) == 0) {
            str_release(&list);
            return 0;
        }
        str_addf(&list, "%s%s", *out ? ", " : "", words[*out]);
    }
    err_set(err, ERR_BROKEN, "%s: \"%s\" must be one of %s", what, key, list.p);
    str_release(&list);
    return -1;
}

int gf_need_list(const json_t *object, const char *key, size_t min, size_t max, const json_t **out,
                 const char *what, struct err *err)
{
    *out = json_object_get(object, key);
    size_t count = json_array_size(*out);
    if (!json_is_array(*out) || count < min || count > max) {
        if (min == max)
            return err_set(err, ERR_BROKEN, "%s: \"%s\" must be a list of %zu", what, key, min);
        return err_set(err, ERR_BROKEN, "%s: \"%s\" must be a list of %zu to %zu", what, key, min, max);
    }
    return 0;
}

int gf_need_id(const json_t *object, char letter, int number, const char *what, struct err *err)
{
    char code[GF_CODE];
    const char *id;
    gf_code(code, letter, number);
    if (json_need_string(object, "id", &id, what, err) < 0)
        return -1;
    if (strcmp(id, code) != 0)
        return err_set(err, ERR_BROKEN, "%s: \"id\" must be %s", what, code);
    return 0;
}

static bool source_known(const json_t *source)
{
    const char *text = json_string_value(source);
    return text && (strcmp(text, "rulebook") == 0 || str_starts(text, "rulebook+") ||
                    strcmp(text, "house") == 0 || str_starts(text, "public:"));
}

int gf_need_source(const json_t *object, const char *what, struct err *err)
{
    const json_t *source = json_object_get(object, "source");
    bool good = source_known(source) || json_object_size(source) > 0;
    const char *key;
    json_t *mark;
    json_object_foreach ((json_t *)(uintptr_t)source, key, mark) {
        good = good && (strcmp(key, "note") == 0 ? json_is_string(mark) : source_known(mark));
    }
    if (!good)
        return err_set(err, ERR_BROKEN, "%s: \"source\" must say rulebook, public:<where> or house", what);
    return 0;
}
