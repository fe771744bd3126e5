#include <assert.h>
#include <stdarg.h>

#include "base/reason.h"
#include "base/utf8.h"
#include "orders/verbs.h"

static void keep_text(char *to, size_t size, const char *text)
{
    struct str safe = STR_INIT;
    utf8_safe(&safe, slice_of(text), false);
    size_t len = safe.len < size ? safe.len : size - 1;
    while (len < safe.len && len > 0 && ((unsigned char)safe.p[len] & 0xC0) == 0x80)
        len--;
    memcpy(to, safe.p, len);
    to[len] = '\0';
    str_release(&safe);
}

enum order_result no(struct refusal *why, const char *fmt, ...)
{
    struct reason_param param;
    va_list args;
    va_start(args, fmt);
    why->reason = reason_code(&fmt);
    why->params = 0;
    while (reason_param(&fmt, &args, &param)) {
        if (param.sign == '+' && !param.number && !(param.text && *param.text))
            continue;
        assert(why->params < REFUSAL_PARAMS);
        why->param[why->params].name = param.name;
        why->param[why->params].is_text = param.text != NULL;
        why->param[why->params].number = param.number;
        if (param.text)
            keep_text(why->param[why->params].text, sizeof why->param->text, param.text);
        why->params++;
    }
    va_end(args);
    return ORDER_REFUSED;
}
