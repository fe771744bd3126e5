#include "base/reason.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/moment.h"

/* ---- formats ---- */

struct slice reason_code(const char **fmt)
{
    struct slice code = {*fmt, strcspn(*fmt, " ")};
    *fmt += code.len;
    return code;
}

bool reason_param(const char **fmt, va_list *args, struct reason_param *param)
{
    if (!**fmt)
        return false;
    const char *name = *fmt + (**fmt == ' ');
    const char *end = name;
    while ((*end >= 'a' && *end <= 'z') || *end == '_' || (*end >= '0' && *end <= '9'))
        end++;
    const char *value = end + (*end != '=');
    assert(end > name && (value == end || strchr("?@~+", *end)) && value[0] == '=' && value[1] == '%');
    *param = (struct reason_param){{name, (size_t)(end - name)}, value > end ? *end : '\0', NULL, 0};
    *fmt = value + 3;
    switch (value[2]) {
    case 's': param->text = va_arg(*args, const char *); break;
    case 'd': param->number = va_arg(*args, int); break;
    case 'z': param->number = (int64_t)va_arg(*args, size_t), *fmt += 1; break;
    default: param->number = va_arg(*args, long long), *fmt += 2; break;
    }
    return true;
}

/* ---- JSON ---- */

/* What people wrote may be long; its beginning is enough for a quotation. */
static json_t *quote(const char *text, size_t most)
{
    size_t len = strnlen(text, most + 1);
    if (len > most)
        for (len = most; len && ((unsigned char)text[len] & 0xC0) == 0x80;)
            len--;
    return json_text((struct slice){text, len});
}

static void put(json_t *object, struct slice name, json_t *value)
{
    char key[REASON_NAME];
    assert(name.len < sizeof key);
    memcpy(key, name.p, name.len);
    key[name.len] = '\0';
    json_object_set_new(object, key, value);
}

static json_t *param_json(const struct reason_param *param, size_t most)
{
    if (param->sign == '+' && !param->number && !(param->text && *param->text))
        return json_false();
    if (param->text)
        return quote(param->text, most);
    switch (param->sign) {
    case '?': return json_boolean(param->number);
    case '@': return moment_json(param->number, NULL);
    case '~': return duration_json(param->number);
    default: return json_integer(param->number);
    }
}

/* With texts of at most so many bytes. */
static json_t *make(size_t most, const char *fmt, va_list args) __attribute__((format(printf, 2, 0)));

static json_t *make(size_t most, const char *fmt, va_list args)
{
    json_t *params = json_object();
    json_t *reason = json_object();
    struct reason_param param;
    va_list copy; /* not every platform lets us take the address of a va_list parameter */
    va_copy(copy, args);
    put(reason, reason_code(&fmt), params);
    while (reason_param(&fmt, &copy, &param))
        put(params, param.name, param_json(&param, most));
    assert(!*fmt);
    va_end(copy);
    return reason;
}

json_t *reason_vmake(const char *fmt, va_list args)
{
    return make(REASON_TEXT, fmt, args);
}

json_t *reason_make(const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    json_t *reason = reason_vmake(fmt, args);
    va_end(args);
    return reason;
}

void reason_set(json_t **reason, const char *fmt, ...)
{
    va_list args;
    if (*reason)
        return;
    va_start(args, fmt);
    *reason = reason_vmake(fmt, args);
    va_end(args);
}

void reason_err(json_t **reason, const struct err *err)
{
    if (*reason)
        return;
    *reason = reason_make("said words=%s", err->text);
    json_object_set_new(json_object_get(*reason, "said"), "words", reason_said(err));
}

/* ---- errors ---- */

int reason_fail(struct err *err, const char *why, const char *sentence, ...)
{
    va_list args;
    if (err->code != ERR_NONE)
        return -1;
    va_start(args, sentence);
    (void)err_vset(err, ERR_INPUT, sentence, args);
    va_end(args);
    for (size_t most = sizeof err->why / 4; !*err->why; most /= 2) { /* until it fits */
        va_start(args, sentence);
        json_t *reason = make(most, why, args);
        va_end(args);
        char *text = json_dumps(reason, JSON_COMPACT);
        if (strlen(text) < sizeof err->why)
            memcpy(err->why, text, strlen(text) + 1);
        free(text);
        json_decref(reason);
    }
    return -1;
}

json_t *reason_said(const struct err *err)
{
    return *err->why ? json_pack("{s:o}", "errors", json_loads(err->why, 0, NULL))
                     : json_text(slice_of(err->text));
}

void reason_clear(json_t **reason)
{
    json_decref(*reason);
    *reason = NULL;
}
