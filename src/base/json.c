#include "base/json.h"

#include <string.h>

#include "base/file.h"
#include "base/utf8.h"

json_t *json_read(struct slice text, const char *what, struct err *err)
{
    json_error_t error;
    json_t *value = json_loadb(text.len ? text.p : "", text.len, JSON_REJECT_DUPLICATES, &error);
    if (!value)
        err_set(err, ERR_BROKEN, "%s: line %d, column %d: %s", what, error.line, error.column, error.text);
    return value;
}

json_t *json_read_file(const char *path, struct err *err)
{
    struct str text = STR_INIT;
    json_t *value = NULL;
    if (file_read(path, 16U << 20, &text, err) == 0)
        value = json_read(slice_str(&text), path, err);
    str_release(&text);
    return value;
}

static int dump_to(const char *bytes, size_t len, void *out)
{
    str_add(out, bytes, len);
    return 0;
}

void json_write(struct str *out, const json_t *value)
{
    (void)json_dump_callback(value, dump_to, out, JSON_COMPACT | JSON_SORT_KEYS | JSON_ENCODE_ANY);
}

void json_write_pretty(struct str *out, const json_t *value)
{
    (void)json_dump_callback(value, dump_to, out, JSON_INDENT(2) | JSON_SORT_KEYS | JSON_ENCODE_ANY);
    str_addc(out, '\n');
}

int json_need_int(const json_t *object, const char *key, int64_t min, int64_t max, int64_t *out,
                  const char *what, struct err *err)
{
    const json_t *value = json_object_get(object, key);
    if (!json_is_integer(value))
        return err_set(err, ERR_BROKEN, "%s: \"%s\" must be a whole number", what, key);
    *out = json_integer_value(value);
    if (*out < min || *out > max)
        return err_set(err, ERR_BROKEN, "%s: \"%s\" is %lld but must be %lld to %lld", what, key,
                       (long long)*out, (long long)min, (long long)max);
    return 0;
}

int json_need_string(const json_t *object, const char *key, const char **out, const char *what,
                     struct err *err)
{
    const json_t *value = json_object_get(object, key);
    if (!json_is_string(value) || strlen(json_string_value(value)) != json_string_length(value))
        return err_set(err, ERR_BROKEN, "%s: \"%s\" must be a text", what, key);
    *out = json_string_value(value);
    return 0;
}

json_t *json_need_array(const json_t *object, const char *key, const char *what, struct err *err)
{
    json_t *value = json_object_get(object, key);
    if (!json_is_array(value)) {
        err_set(err, ERR_BROKEN, "%s: \"%s\" must be a list", what, key);
        return NULL;
    }
    return value;
}

json_t *json_text(struct slice text)
{
    if (utf8_valid(text))
        return json_stringn(text.len ? text.p : "", text.len);
    struct str safe = STR_INIT;
    utf8_safe(&safe, text, true);
    json_t *value = json_stringn(safe.p, safe.len);
    str_release(&safe);
    return value;
}
