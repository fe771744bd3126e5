#include "trust/client_data.h"

#include <string.h>

#include "trust/signature.h"

#define MEMBERS_LEAST 3
#define MEMBERS_MOST  8
#define DIGITS_MOST   15

static bool take(struct slice *rest, const char *what)
{
    if (!slice_starts(*rest, what))
        return false;
    *rest = slice_sub(*rest, strlen(what), rest->len);
    return true;
}

static bool take_text(struct slice *rest, struct slice *text)
{
    size_t len = 0;
    if (!take(rest, "\""))
        return false;
    while (len < rest->len && rest->p[len] >= ' ' && rest->p[len] <= '~' && rest->p[len] != '"' &&
           rest->p[len] != '\\')
        len++;
    *text = slice_sub(*rest, 0, len);
    *rest = slice_sub(*rest, len, rest->len);
    return take(rest, "\"");
}

static bool take_digits(struct slice *rest)
{
    size_t len = 0;
    while (len < rest->len && len <= DIGITS_MOST && rest->p[len] >= '0' && rest->p[len] <= '9')
        len++;
    bool good = len && len <= DIGITS_MOST && (len == 1 || rest->p[0] != '0');
    *rest = slice_sub(*rest, len, rest->len);
    return good;
}

/* "type":"webauthn.get" */
static bool take_member(struct slice *rest, const char *name, struct slice *text)
{
    struct slice is;
    return take_text(rest, &is) && slice_eq(is, name) && take(rest, ":") && take_text(rest, text);
}

static bool take_value(struct slice *rest, struct slice name, struct client_data *data)
{
    struct slice ignored;
    if (slice_eq(name, "crossOrigin")) {
        data->crosses = take(rest, "true");
        return data->crosses || take(rest, "false");
    }
    /* Only a page inside another one has it. */
    if (slice_eq(name, "topOrigin"))
        data->crosses = true;
    return take(rest, "true") || take(rest, "false") || take(rest, "null") ||
           (rest->len && rest->p[0] == '"' ? take_text(rest, &ignored) : take_digits(rest));
}

static bool is_among(const struct slice *names, size_t count, struct slice name)
{
    for (size_t i = 0; i < count; i++)
        if (names[i].len == name.len && memcmp(names[i].p, name.p, name.len) == 0)
            return true;
    return false;
}

bool client_data_read(struct slice text, struct client_data *data)
{
    struct slice rest = text;
    struct slice names[MEMBERS_MOST] = {{"type", 4}, {"challenge", 9}, {"origin", 6}};
    bool crosses = false;
    *data = (struct client_data){.crosses = false};
    if (text.len > CLIENT_DATA_MAX || !take(&rest, "{") || !take_member(&rest, "type", &data->type) ||
        !take(&rest, ",") || !take_member(&rest, "challenge", &data->challenge) || !take(&rest, ",") ||
        !take_member(&rest, "origin", &data->origin))
        return false;
    for (size_t count = MEMBERS_LEAST; take(&rest, ","); count++) {
        if (count == MEMBERS_MOST || !take_text(&rest, &names[count]) || !names[count].len ||
            is_among(names, count, names[count]) || !take(&rest, ":") ||
            !take_value(&rest, names[count], data))
            return false;
        crosses |= data->crosses;
    }
    data->crosses = crosses;
    return slice_eq(rest, "}");
}
