/* Reading members of the card file with errors that name the card and the field. */
#include "rules/galaxy_command/cards_read.h"

#include <string.h>

#include "base/json.h"
#include "base/str.h"
#include "base/utf8.h"

int gc_need_int(const json_t *object, const char *key, int min, int max, int *out, const char *what,
                struct err *err)
{
    int64_t n;
    if (json_need_int(object, key, min, max, &n, what, err) < 0)
        return -1;
    *out = (int)n;
    return 0;
}

int gc_may_int(const json_t *object, const char *key, int max, int *out, const char *what, struct err *err)
{
    *out = 0;
    return json_object_get(object, key) ? gc_need_int(object, key, 0, max, out, what, err) : 0;
}

int gc_need_name(const json_t *object, const char *key, char out[GC_NAME], const char *what, struct err *err)
{
    const char *text;
    if (json_need_string(object, key, &text, what, err) < 0)
        return -1;
    struct slice name = slice_of(text);
    struct str safe = STR_INIT;
    utf8_safe(&safe, name, false);
    bool fit = name.len > 0 && name.len < GC_NAME && strcmp(safe.p, text) == 0;
    str_release(&safe);
    if (!fit)
        return err_set(err, ERR_BROKEN, "%s: \"%s\" must be a plain text of 1 to %d bytes", what, key,
                       GC_NAME - 1);
    memcpy(out, text, name.len + 1);
    return 0;
}

int gc_need_object(const json_t *object, const char *key, const json_t **out, const char *what,
                   struct err *err)
{
    *out = json_object_get(object, key);
    if (!json_is_object(*out))
        return err_set(err, ERR_BROKEN, "%s: \"%s\" must be an object", what, key);
    return 0;
}

static bool source_known(const json_t *source)
{
    const char *text = json_string_value(source);
    return text && (strcmp(text, "rulebook") == 0 || str_starts(text, "rulebook+") ||
                    strcmp(text, "house") == 0 || str_starts(text, "public:"));
}

int gc_need_source(const json_t *object, const char *what, struct err *err)
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
