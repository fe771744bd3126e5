#include "orders/verbs.h"

#include <string.h>

#include "base/str.h"
#include "base/utf8.h"

enum order_result refuse(struct refusal *why, const char *reason)
{
    why->reason = reason;
    why->params = 0;
    return ORDER_REFUSED;
}

enum order_result refuse_int(struct refusal *why, const char *name, int64_t number)
{
    if (why->params < REFUSAL_PARAMS) {
        why->param[why->params].name = name;
        why->param[why->params].is_text = false;
        why->param[why->params].number = number;
        why->params++;
    }
    return ORDER_REFUSED;
}

enum order_result refuse_text(struct refusal *why, const char *name, const char *text)
{
    if (why->params == REFUSAL_PARAMS)
        return ORDER_REFUSED;
    struct str safe = STR_INIT;
    utf8_safe(&safe, slice_of(text), false);
    size_t room = sizeof why->param[0].text - 1;
    size_t len = safe.len < room ? safe.len : room;
    while (len < safe.len && len > 0 && ((unsigned char)safe.p[len] & 0xC0) == 0x80)
        len--;
    why->param[why->params].name = name;
    why->param[why->params].is_text = true;
    memcpy(why->param[why->params].text, safe.p, len);
    why->param[why->params].text[len] = '\0';
    why->params++;
    str_release(&safe);
    return ORDER_REFUSED;
}
